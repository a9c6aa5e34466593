"""Exports and fill-guids by the command line: files, messages and exit status."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fabricplan.plan import Plan, dumps
from fabricplan.renderers import render
from tests.cli.conftest import Ran
from tests.conftest import PlanOf
from tests.unit.exports import H100, guide

Run = Callable[..., Ran]


def discovery(plan: Plan, renamed: Callable[[str], str] = lambda name: name) -> str:
    """Return the planned fabric as ibnetdiscover prints it: GUIDs as keys, names in comments.

    Node GUIDs count from 0x1000; a port's GUID is 0x100000 more, so that the two cannot be taken for each other.
    """
    net = render(plan, "ibsim")["compute.net"].decode()
    names = re.findall(r'^(Hca|Switch)\t\d+ "([^"]+)"', net, re.MULTILINE)
    guid = {name: 0x1000 + number for number, (_, name) in enumerate(names)}
    kind = {name: word for word, name in names}
    lines, here = ["# Topology file: generated on Mon Nov 30 2026", ""], ""
    for line in net.splitlines():
        head = re.fullmatch(r'(Hca|Switch)\t(\d+) "([^"]+)"', line)
        port = re.fullmatch(r'\[(\d+)\]\t"([^"]+)"\[(\d+)\]', line)
        if head:
            here = head[3]
            word, letter = ("Switch", "S") if head[1] == "Switch" else ("Ca", "H")
            lines.append(f'{word}\t{head[2]} "{letter}-{guid[here]:016x}"\t\t# "{renamed(here)}"')
        elif port:
            own = f"({guid[here] + 0x100000:x})" if kind[here] == "Hca" else ""
            letter = "S" if kind[port[2]] == "Switch" else "H"
            far = f"({guid[port[2]] + 0x100000:x})" if letter == "H" else ""
            lines.append(f'[{port[1]}]{own}\t"{letter}-{guid[port[2]]:016x}"[{port[3]}]{far}\t\t# "x" lid 1 4xNDR')
        else:
            lines.append(line)
    return "\n".join(lines)


def without(text: str, keys: set[str]) -> str:
    """Return a discovery without the adapters of some keys."""
    kept = []
    for record in text.split("\n\n"):
        lines = record.splitlines()
        if not any(line.startswith("Ca") and line.split('"')[1] in keys for line in lines):
            kept.append("\n".join(line for line in lines if line[:1] != "[" or line.split('"')[1] not in keys))
    return "\n\n".join(kept)


@pytest.fixture(scope="module")
def plan(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 33, **H100}, {"rate": "ndr", "reserve_ports": 2})


@pytest.fixture
def place(plan: Plan, tmp_path: Path) -> Path:
    (tmp_path / "plan.json").write_bytes(dumps(plan))
    (tmp_path / "found.txt").write_text(discovery(plan))
    return tmp_path


def test_every_format_is_written_on_demand(run: Run, place: Path) -> None:
    for name in guide():
        done = run("render", f"{place}/plan.json", "--format", name, "-o", f"{place}/{name}", "--json")
        if name == "ptm":
            assert done.status == 2 and done.json["errors"][0]["code"] == "no-ethernet"
            assert done.json["errors"][0]["where"] == "--format" and not (place / name).exists()
        else:
            assert done.status == 0, done
            assert done.json["files"] and all(Path(path).stat().st_size for path in done.json["files"])


def test_a_format_that_does_not_fit_writes_nothing_of_the_others(run: Run, place: Path) -> None:
    done = run("render", f"{place}/plan.json", "--format", "slurm,ptm", "-o", f"{place}/out")
    assert done.status == 2
    assert "error: --format: 'ptm' describes Ethernet fabrics; this plan has none" in done.err
    assert not (place / "out").exists()


def test_a_near_miss_is_suggested(run: Run, place: Path) -> None:
    done = run("render", f"{place}/plan.json", "--format", "opensn", "-o", f"{place}/out")
    assert done.status == 2 and "opensm" in done.err


def filled(place: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in (place / "out/opensm/compute").iterdir()}


def test_guids_come_from_the_discovery(run: Run, place: Path, plan: Plan) -> None:
    done = run("fill-guids", f"{place}/plan.json", "--found", f"{place}/found.txt", "-o", f"{place}/out")
    assert done.status == 0, done.err
    net = render(plan, "ibsim")["compute.net"].decode()
    order = re.findall(r'^(?:Hca|Switch)\t\d+ "([^"]+)"', net, re.MULTILINE)
    guid = {name: 0x1000 + number for number, name in enumerate(order)}
    files = filled(place)
    templates = render(plan, "opensm")

    def expected(name: str) -> list[str]:
        lines = templates[f"opensm/compute/{name}.template"].decode().splitlines()
        match = [re.fullmatch(r"\$\{(\w+):([^}]*)\}(.*)", line) for line in lines]
        return [f"{guid[item[2]] + (0x100000 if item[1] == 'port' else 0):#018x}{item[3]}" for item in match if item]

    for name in ("root_guid_file", "cn_guid_file", "io_guid_file", "node-name-map"):
        assert files[name].splitlines() == expected(name)
    assert files["opensm.conf"] == templates["opensm/compute/opensm.conf"].decode()
    assert set(files) == {"root_guid_file", "cn_guid_file", "io_guid_file", "node-name-map", "opensm.conf",
                          "partitions.conf"}  # fmt: skip


def test_names_of_another_case_and_form_are_the_same(run: Run, place: Path, plan: Plan) -> None:
    plain = run("fill-guids", f"{place}/plan.json", "--found", f"{place}/found.txt", "-o", f"{place}/out")
    before = filled(place)

    def field(name: str) -> str:
        device, _, adapter = name.partition(" ")
        return f"{device.upper()} {adapter}" if adapter else f"MF0;{device.upper()}:MQM9700/U1"

    (place / "found.txt").write_text(discovery(plan, field))
    again = run("fill-guids", f"{place}/plan.json", "--found", f"{place}/found.txt", "-o", f"{place}/out")
    assert plain.status == again.status == 0, again.err
    assert filled(place) == before


def test_unnamed_switches_are_known_by_their_place_and_told(run: Run, place: Path, plan: Plan) -> None:
    run("fill-guids", f"{place}/plan.json", "--found", f"{place}/found.txt", "-o", f"{place}/out")
    before = filled(place)
    (place / "found.txt").write_text(
        discovery(plan, lambda name: name if " " in name else "Quantum Mellanox Technologies")
    )
    done = run("fill-guids", f"{place}/plan.json", "--found", f"{place}/found.txt", "-o", f"{place}/out")
    assert done.status == 0, done.err
    assert "known by place only" in done.err and "leaf-su01-r0" in done.err
    assert filled(place) == before


def test_what_is_not_found_is_an_error_unless_partial(run: Run, place: Path, plan: Plan) -> None:
    """The switches of one unit, brought up before the others."""
    text = discovery(plan)
    gone = set(re.findall(r'# "(node-su02-\d+ \w+)"', text))
    keys = {re.search(rf'"(H-\w+)"\t\t# "{re.escape(name)}"', text)[1] for name in gone}  # type: ignore[index]
    cut = without(text, keys)
    (place / "found.txt").write_text(cut)
    words = ["fill-guids", f"{place}/plan.json", "--found", f"{place}/found.txt", "-o", f"{place}/out"]
    refused = run(*words)
    assert refused.status == 2 and not (place / "out").exists()
    assert f"no GUID for {len(gone)} names" in refused.err and "--partial" in refused.err
    assert run(*words, "--partial").status == 0
    assert len(filled(place)["cn_guid_file"].splitlines()) == 33 * 8 - len(gone)


def test_reserved_hosts_may_come_late(run: Run, place: Path, plan: Plan) -> None:
    text = discovery(plan)
    keys = re.findall(r'Ca\t1 "(H-\w+)"\t\t# "reserved', text)
    assert len(keys) == 2
    (place / "found.txt").write_text(without(text, set(keys)))
    done = run("fill-guids", f"{place}/plan.json", "--found", f"{place}/found.txt", "-o", f"{place}/out")
    assert done.status == 0, done.err
    assert "io_guid_file" not in filled(place)
    assert "io_guid_file (null)" in filled(place)["opensm.conf"]


@pytest.mark.parametrize(
    ("content", "code"),
    [("", "no-port-guids"), ("hello\n", "no-port-guids"), ('Ca\t1 "H-0000000000000001"\n', "no-port-guids")],
)
def test_a_file_that_is_no_discovery_is_refused(run: Run, place: Path, content: str, code: str) -> None:
    (place / "found.txt").write_text(content)
    done = run("fill-guids", f"{place}/plan.json", "--found", f"{place}/found.txt", "-o", f"{place}/out", "--json")
    assert done.status == 2 and done.json["errors"][0]["code"] == code
    assert not (place / "out").exists()


def test_another_fabric_is_refused(run: Run, place: Path, plan_of: PlanOf) -> None:
    other = plan_of({"name": "other", "nodes": 8, **H100}, {"rate": "ndr"})
    text = discovery(other, lambda name: f"site9-{name}")
    (place / "found.txt").write_text(text)
    done = run(
        "fill-guids", f"{place}/plan.json", "--found", f"{place}/found.txt", "-o", f"{place}/out", "--partial", "--json"
    )
    assert done.status == 2 and done.json["errors"][0]["code"] == "other-fabric"
