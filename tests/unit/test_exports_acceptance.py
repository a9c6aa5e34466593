"""The acceptance pack: every link of the plan once, with what its ports must show."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import Any

import openpyxl
import pytest

from fabricplan.plan import Plan
from fabricplan.renderers import render
from tests.conftest import PlanOf
from tests.unit.exports import H100


def tables(plan: Plan) -> dict[str, list[dict[str, str]]]:
    return {
        name.removeprefix("acceptance/").removesuffix(".csv"): list(csv.DictReader(io.StringIO(data.decode())))
        for name, data in render(plan, "acceptance").items()
        if name.endswith(".csv")
    }


@pytest.mark.parametrize(
    ("group", "fabric", "shown"),
    [
        ({"nodes": 64, **H100}, {"rate": "ndr"},
         {"node-leaf": ("4x", "NDR", "400"), "leaf-spine": ("4x", "NDR", "400")}),
        ({"nodes": 16}, {"rate": "hdr100"}, {"node-leaf": ("2x", "HDR", "100"), "leaf-spine": ("4x", "HDR", "200")}),
        ({"nodes": 16}, {"rate": "edr"}, {"node-leaf": ("4x", "EDR", "100"), "leaf-spine": ("4x", "EDR", "100")}),
        ({"nodes": 32}, {"rate": "ndr200"}, {"node-leaf": ("2x", "NDR", "200"), "leaf-spine": ("4x", "NDR", "400")}),
        ({"nodes": 128}, {"rate": "xdr"}, {"node-leaf": ("4x", "XDR", "800"), "leaf-spine": ("4x", "XDR", "800")}),
        ({"nodes": 64}, {"technology": "roce", "rate": 400},
         {"node-leaf": ("4x", "400G", "400"), "leaf-spine": ("4x", "400G", "400")}),
    ],
    ids=["ndr", "hdr100", "edr", "ndr200", "xdr", "roce400"],
)  # fmt: skip
def test_expected_width_and_speed(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], shown: dict[str, tuple[str, str, str]]
) -> None:
    """Lanes and lane speed of each rate by the InfiniBand roadmap: HDR100 and NDR200 are two lanes."""
    plan = plan_of(group, fabric)
    rows = [row for table in tables(plan).values() for row in table]
    assert {(row["role"], row["width"], row["speed"], row["Gb/s"]) for row in rows} == {
        (role, *told) for role, told in shown.items()
    }
    assert len(rows) == len(plan.topology.links)
    assert {row["BER at most"] for row in rows} == {"1E-12"}
    ends = [(row[f"{side} device"], row[f"{side} port"]) for row in rows for side in "AZ"]
    assert len(set(ends)) == len(ends)


def test_units_hold_their_own_links(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, **H100}, {"rate": "ndr"})
    found = tables(plan)
    assert sorted(found) == ["compute-su01", "compute-su02"]
    for name, rows in found.items():
        unit = name.removeprefix("compute-")
        assert Counter(row["role"] for row in rows) == {"node-leaf": 256, "leaf-spine": 256}
        assert all(unit in row["A device"] for row in rows)


def test_links_above_the_leaves_are_a_table_of_their_own(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 128}, {"rate": "hdr"})
    found = tables(plan)
    assert {row["role"] for row in found["compute-upper"]} == {"spine-core"}
    assert len(found["compute-upper"]) == plan.fabrics[0].spine_core_links
    assert sum(map(len, found.values())) == len(plan.topology.links)


def test_reserved_ports_are_expected_down(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 31, **H100}, {"rate": "ndr", "reserve_ports": 4})
    rows = [row for table in tables(plan).values() for row in table]
    states = {row["role"]: row["state"] for row in rows}
    assert states["reserved"].startswith("reserved: down") and states["node-leaf"] == "Active / LinkUp"


def test_the_workbook_is_the_csv_with_room_to_fill(plan_of: PlanOf) -> None:
    files = render(plan_of({"nodes": 32, **H100}, {"rate": "ndr"}), "acceptance")
    book = openpyxl.load_workbook(io.BytesIO(files["acceptance/compute-su01.xlsx"]))
    head, *rows = [list(row) for row in book["Links"].iter_rows(values_only=True)]
    lines = list(csv.reader(io.StringIO(files["acceptance/compute-su01.csv"].decode())))
    assert [str(cell) for cell in head] == lines[0]
    told = [[str(cell) if cell is not None else "" for cell in row] for row in rows]
    assert [row + [""] * (len(head) - len(row)) for row in told] == lines[1:]
    empty = [heading for number, heading in enumerate(head) if not any(row[number] for row in lines[1:])]
    assert empty == head[head.index("width found") :]
    assert [row[0].value for row in book["Commands"].iter_rows()][1:] == (
        files["acceptance/commands.txt"].decode().splitlines()
    )


def test_commands_name_speed_and_width_where_all_links_share_them(plan_of: PlanOf) -> None:
    def commands(group: dict[str, Any], fabric: dict[str, Any]) -> str:
        return render(plan_of(group, fabric), "acceptance")["acceptance/commands.txt"].decode()

    assert "ibdiagnet --ls 100 --lw 4x --get_phy_info" in commands({"nodes": 32, **H100}, {"rate": "ndr"})
    mixed = commands({"nodes": 16}, {"rate": "hdr100"})
    assert "ibdiagnet --ls 50 --get_phy_info" in mixed and "--lw" not in mixed
    roce = commands({"nodes": 32}, {"technology": "roce", "rate": 400})
    assert "ibdiagnet" not in roce and "mlxlink" in roce
