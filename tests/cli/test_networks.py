"""``--networks`` and ``--phases`` on the command line: what they add, and what is said where they are wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.conftest import Ran

H100 = "design --nodes 32 --platform dgx-h100 --gen ndr"


def test_four_networks_from_options(run: Callable[..., Ran]) -> None:
    ran = run(f"{H100} --networks compute,storage,inband,oob --storage-nodes 16x2 --extra-ports 40 --json")
    assert ran.status == 0
    found = {fabric["name"]: fabric for fabric in ran.json["fabrics"]}
    assert list(found) == ["compute", "storage", "inband", "oob"]
    assert ran.json["nodes"] == 32
    assert found["storage"]["endpoints"] == 2 * (32 + 16)
    assert found["inband"]["endpoints"] == 2 * (32 + 16 + found["oob"]["switches"]["leaf"])
    boxes = sum(found[name]["boxes"] for name in ("compute", "storage", "inband"))
    assert found["oob"]["endpoints"] == 32 + 16 + boxes
    assert (found["oob"]["uplinks_to"], found["oob"]["reserved_ports"]) == ("inband", 40)
    assert found["oob"]["uplinks"] == 2 * found["oob"]["switches"]["leaf"]


def test_storage_of_another_rate(run: Callable[..., Ran]) -> None:
    ran = run(f"{H100} --networks compute,storage --storage-nodes 4 --storage-rate 400 --json")
    assert (ran.json["fabrics"][1]["technology"], ran.json["fabrics"][1]["rate"]) == ("roce", "400gbe")


def test_phases_from_options(run: Callable[..., Ran]) -> None:
    ran = run("design --phases 40,128 --gen ndr --json")
    assert ran.status == 0
    assert [row["nodes"] for row in ran.json["growth"]["phases"]] == [40, 128]
    assert ran.json["growth"]["cables_moved"] == 0
    assert ran.json["nodes"] == 40
    assert "Cables moved by later phases: 0" in run("design --phases 40,128 --gen ndr").out


@pytest.mark.parametrize(
    ("options", "where", "says"),
    [
        ("--networks compute,storge", "--networks", "no network 'storge'"),
        ("--networks storage,oob", "--networks", "the first fabric carries compute traffic"),
        ("--storage-nodes 16x2", "--storage-nodes", "no storage network is asked"),
        ("--extra-ports 8 --networks compute,inband", "--extra-ports", "no oob network is asked"),
        ("--networks compute,storage --storage-nodes 16by2", "--storage-nodes", "'16by2' is not servers x ports"),
        ("--networks compute,storage --storage-nodes 0x2", "--storage-nodes", "'0x2' is not servers x ports"),
        ("--phases 40,x", "--phases", "'40,x' is no list of node counts"),
    ],
)
def test_wrong_options(run: Callable[..., Ran], options: str, where: str, says: str) -> None:
    ran = run(f"{H100} {options} --json")
    assert ran.status == 2
    error = ran.json["errors"][0]
    assert error["where"] == where
    assert says in error["message"]
