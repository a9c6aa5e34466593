"""A director as the whole fabric: counted by modules, proven and exported as the chips that a subnet manager sees."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from typing import Any

import pytest

from fabricplan.asbuilt.adopt import adopt
from fabricplan.asbuilt.guids import find_guids
from fabricplan.asbuilt.match import NO_NAMES, NameMap
from fabricplan.asbuilt.survey import survey
from fabricplan.asbuilt.verify import verify
from fabricplan.asbuilt.view import fold
from fabricplan.catalog import Catalog
from fabricplan.errors import FabricplanError
from fabricplan.files import load_catalog
from fabricplan.pipeline import design
from fabricplan.plan import Plan, dumps, loads
from fabricplan.proof import prove
from fabricplan.quote import Terms, price
from fabricplan.readers.discovery import read_found
from fabricplan.renderers import render
from fabricplan.renderers.opensm_fill import fill
from fabricplan.requirement import parse_requirement
from fabricplan.sizing import failure_domains
from fabricplan.summary import part_description
from fabricplan.wording import text
from tests.conftest import PlanOf, request
from tests.properties.invariants import assert_sound

CS8500 = {"rate": "hdr", "leaf": "CS8500"}


def noted(plan: Plan, code: str) -> list[str]:
    return [text(note, "en") for note in plan.findings if note.code == code]


def chips(plan: Plan, net: str = "compute.net") -> dict[str, dict[int, tuple[str, int]]]:
    """Return name of a switch record -> port -> far end, as another program reads the fabric file."""
    found: dict[str, dict[int, tuple[str, int]]] = {}
    for record in render(plan, "ibsim")[net].decode().split("\n\n"):
        head, *rows = record.strip().split("\n")
        if head.startswith("Switch"):
            ends = [re.fullmatch(r'\[(\d+)\]\t"(.+)"\[(\d+)\]', row) for row in rows]
            found[head.split('"')[1]] = {int(end[1]): (end[2], int(end[3])) for end in ends if end}
    return found


@pytest.fixture(scope="module")
def full(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 100}, CS8500)


def test_a_full_director_is_forty_and_twenty_chips(full: Plan) -> None:
    sizing = full.fabrics[0]
    assert (sizing.shape.tiers, sizing.switch_count, sizing.endpoints) == (1, 1, 800)
    found = chips(full)
    leaves = {name: ends for name, ends in found.items() if "/L" in name}
    spines = {name: ends for name, ends in found.items() if "/S" in name}
    assert (len(leaves), len(spines)) == (40, 20)
    for name, ends in leaves.items():
        assert sorted(ends) == list(range(1, 41))
        assert all("node" in ends[port][0] for port in range(1, 21))
        assert Counter(ends[port][0] for port in range(21, 41)) == dict.fromkeys(spines, 1)
        assert all(spines[far][number] == (name, port) for port, (far, number) in ends.items() if "/S" in far)
    assert all(sorted(ends) == list(range(1, 41)) for ends in spines.values())
    # the one inner link of a live CS8500 that was read
    assert spines["leaf-su01/S02/U1"][15] == ("leaf-su01/L15/U1", 22)


@pytest.mark.parametrize(
    ("model", "ports", "leaves", "spines", "per_pair"),
    [("CS7500", 648, 36, 18, 1), ("CS7510", 324, 18, 9, 2), ("CS7520", 216, 12, 6, 3)],
)
def test_edr_directors(plan_of: PlanOf, model: str, ports: int, leaves: int, spines: int, per_pair: int) -> None:
    plan = plan_of({"nodes": ports, "ports": 1}, {"rate": "edr", "leaf": model})
    assert_sound(plan)
    found = chips(plan)
    assert sum("/L" in name for name in found) == leaves and sum("/S" in name for name in found) == spines
    for name, ends in found.items():
        far = Counter(other for other, _ in ends.values() if "/" in other)
        assert len(ends) == 36 and set(far.values()) == {per_pair}
        assert len(far) == (spines if "/L" in name else leaves)
    proof = prove(plan)
    assert proof.holds and proof.fabrics[0].shift.load("padded").worst == 1
    with pytest.raises(FabricplanError, match=f"whose ceiling is {ports}"):
        plan_of({"nodes": ports + 1, "ports": 1}, {"rate": "edr", "leaf": model})


def test_proof_is_of_the_inner_clos(full: Plan) -> None:
    proof = prove(full)
    fabric = proof.fabrics[0]
    assert proof.holds and not proof.findings
    assert (fabric.cut.closed_gbps, fabric.cut.flow_gbps, fabric.cut.even) == (80_000, 80_000, True)
    assert fabric.forecast.engine == "ftree" and fabric.forecast.ranks == (20, 40)
    assert [(load.worst, load.counted) for load in fabric.shift.loads] == [(1, 799), (1, 799), (1, 99)]
    assert fabric.deadlock.free
    lost = {item.kind: item for item in fabric.failures}
    assert list(lost) == ["cable-node", "spine-module", "leaf-module", "director", "cables-random"]
    assert (lost["spine-module"].count, lost["spine-module"].uplinks_permille) == (20, 950)
    assert (lost["spine-module"].bisection_permille, lost["spine-module"].nodes_hit) == (950, 0)
    # 40 ports are five nodes of eight
    assert (lost["leaf-module"].count, lost["leaf-module"].nodes_cut) == (20, 5)
    assert lost["director"].nodes_cut == 100


def test_split_ports_share_the_inner_links(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 200}, {"rate": "hdr100", "leaf": "CS8500"})
    assert_sound(plan)
    fabric = prove(plan).fabrics[0]
    assert (plan.fabrics[0].endpoints, fabric.shift.allowed, fabric.shift.load("padded").worst) == (1_600, 2, 2)
    assert fabric.cut.flow_gbps == 80_000
    ends = chips(plan)["leaf-su01/L01/U1"]
    # two numbers a cage, an undivided one shows the first: 40 halves outside, 20 links inside
    assert sorted(ends) == [*range(1, 41), *range(41, 80, 2)]


def test_a_director_in_part(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 13}, {**CS8500, "reserve_ports": 2})
    assert_sound(plan)
    assert loads(dumps(plan)) == plan
    (told,) = noted(plan, "director-not-orderable")
    assert "1 chassis with 3 leaf modules of 40 ports and 20 spine modules" in told
    # reserved ports stand on the last module that is needed, not on the last of the chassis
    ends = chips(plan)
    assert [name for name, far in ends.items() if any("reserved" in end for end, _ in far.values())] == [
        "leaf-su01/L03/U2"
    ]
    assert len(ends) == 6 + 20
    proof = prove(plan)
    assert proof.holds and proof.fabrics[0].forecast.ranks == (20, 6)
    domains = {item.lost: (item.hit, item.count, item.share) for item in failure_domains(plan.fabrics[0])}
    assert domains["leaf_module"] == ("nodes", 5, "1")
    assert domains["spine_module"] == ("leaf_modules", 3, "1/20")


def test_all_on_one_chip_needs_no_tree(plan_of: PlanOf) -> None:
    fabric = prove(plan_of({"nodes": 2}, CS8500)).fabrics[0]
    assert (fabric.forecast.engine, fabric.forecast.ranks) == ("not-needed", (1, 20, 1))


def test_panel_labels_count_per_leaf_module(full: Plan, plan_of: PlanOf) -> None:
    rows = csv.DictReader(io.StringIO(render(full, "cables-csv")["cables.csv"].decode("utf-8-sig")))
    ports = [row["Z port"] for row in rows]
    assert (ports[0], ports[39], ports[40], ports[-1]) == ("L01/1", "L01/40", "L02/1", "L20/40")
    assert len(set(ports)) == 800
    halves = render(plan_of({"nodes": 3}, {"rate": "hdr100", "leaf": "CS8500"}), "cables-csv")["cables.csv"].decode()
    assert "U41-L01/1/1" in halves and "U41-L01/12/2" in halves and "L01/13" not in halves


def test_growth_moves_nothing(plan_of: PlanOf) -> None:
    today = plan_of({"nodes": 13, "grow_to": 90}, {**CS8500, "reserve_ports": 2})
    last = plan_of({"nodes": 90}, {**CS8500, "reserve_ports": 2})
    assert_sound(today)
    kept = {name: ends for name, ends in chips(last).items() if name in chips(today)}
    for name, ends in chips(today).items():
        # a spine chip leads to further leaf chips later
        assert ends.items() <= kept[name].items()
    # three modules of nodes, and the last one of the final stage, which holds the managers' ports
    assert "with 4 leaf modules of" in noted(today, "director-not-orderable")[0]
    assert "4 of the 19 leaf modules that CS8500 has in the last stage" in noted(today, "director-grows")[0]
    assert not noted(last, "director-grows")
    assert "with 19 leaf modules of" in noted(last, "director-not-orderable")[0]


def test_planes_are_directors_of_their_own(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 300}, {**CS8500, "planes": "rail"})
    assert plan.fabrics[0].switch_count == 8
    assert (
        "8 chassis with 64 leaf modules of 40 ports and 160 spine modules" in noted(plan, "director-not-orderable")[0]
    )
    proof = prove(plan)
    assert proof.holds and proof.fabrics[0].planes_alike
    assert len(chips(plan, "compute-p1.net")) == 16 + 20


def test_the_bill_names_the_model_and_no_number(full: Plan) -> None:
    line = next(line for line in full.bom.lines if line.kind == "switch")
    assert (line.key, line.pn, line.opn, line.quantity) == ("CS8500", "", None, 1)
    assert "HDR InfiniBand director switch CS8500" in part_description(full, line)
    assert part_description(full, line).endswith("with 20 leaf modules and 20 spine modules in all")
    assert "with 20 leaf modules" in render(full, "bom-csv")["bom.csv"].decode()
    codes = {note.code for note in full.findings}
    assert "director-not-orderable" in codes and not codes & {"part-not-orderable", "generic-part"}
    terms = Terms(seller={"name": "Seller"}, customer={"name": "Customer"}, currency="USD", date="2026-12-01")
    quote = price(full, [], terms)
    row = next(row for row in quote.lines if row.group == "switch")
    assert row.unit_price is None and not quote.complete
    assert any(note.code == "price-missing" and note.subject == row.part for note in quote.findings)


def test_a_reused_director_is_not_bought(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 100}, {**CS8500, "existing": [{"model": "CS8500", "quantity": 1}]})
    line = next(line for line in plan.bom.lines if line.kind == "switch")
    assert (line.quantity, line.reused) == (0, 1)
    codes = {note.code for note in plan.findings}
    assert "switches-reused" in codes
    assert not codes & {"director-not-orderable", "part-not-orderable", "part-unlisted"}


def test_an_overlay_gives_the_number(tmp_path: Any) -> None:
    (tmp_path / "switches").mkdir()
    (tmp_path / "switches" / "ours.yaml").write_text(
        "- model: CS8500\n  extends: true\n  variants:\n    - {pn: OURS-DIRECTOR, airflow: P2C}\n"
    )
    plan = design(parse_requirement(request({"nodes": 100}, CS8500)), load_catalog(tmp_path))
    line = next(line for line in plan.bom.lines if line.kind == "switch")
    assert (line.pn, line.quantity) == ("OURS-DIRECTOR", 1)
    assert not {note.code for note in plan.findings} & {"director-not-orderable", "part-not-orderable"}


@pytest.mark.parametrize(
    ("group", "fabric", "code", "where", "says", "hint"),
    [
        ({"nodes": 101}, {}, "too-large", "fabrics[0]", "808 endpoints per plane do not fit 1 tier of CS8500, whose "
         "ceiling is 800", "at most 100 nodes of this kind fit; without the director: 120 QM8700 in 3 tiers"),
        ({"nodes": 100}, {"reserve_ports": 1}, "too-large", "fabrics[0]", "ceiling is 799", "at most 99 nodes"),
        ({"nodes": 8}, {"rate": "ndr"}, "rate-of-switch", "fabrics[0].leaf", "CS8500 does not run ndr",
         "its rates: hdr, hdr100; choose: QM9700"),
        ({"nodes": 8}, {"tiers": 2}, "director-role", "fabrics[0].tiers", "two tiers of chips in", "leaf alone"),
        ({"nodes": 8}, {"spine": "QM8700"}, "director-role", "fabrics[0].spine", "as one of several", "fixed switches"),
        ({"nodes": 8}, {"leaf": "QM8700", "spine": "CS8500"}, "director-role", "fabrics[0].spine", "", "leaf alone"),
        ({"nodes": 8}, {"leaf": "QM8700", "core": "CS8500"}, "director-role", "fabrics[0].core", "", "leaf alone"),
        ({"nodes": 8}, {"direct_pair": True}, "director-role", "fabrics[0].direct_pair", "", "leaf alone"),
        ({"nodes": 8}, {"attach": "spread"}, "director-role", "fabrics[0].attach", "in one box", "leave attach out"),
        ({"nodes": 8}, {"leaf": "CS9500", "rate": "ndr"}, "product-class", "fabrics[0].leaf",
         "a director of up to 2,048 ports; no source of the catalogue tells its cages", "fixed switches: QM9700"),
        ({"nodes": 8}, {"technology": "roce", "rate": "100gbe"}, "technology", "fabrics[0].leaf",
         "CS8500 is an InfiniBand switch", "Ethernet"),
        ({"nodes": 8}, {"management": "external"}, "management", "fabrics[0].management",
         "CS8500 is internally managed", "ask for managed"),
        ({"nodes": 8}, {"existing": [{"model": "CS9500", "quantity": 1}]}, "existing-generation",
         "fabrics[0].existing[0].model", "existing CS9500", ""),
    ],
)  # fmt: skip
def test_what_a_director_cannot_do(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], code: str, where: str, says: str, hint: str
) -> None:
    with pytest.raises(FabricplanError) as caught:
        plan_of(group, {**CS8500, **fabric})
    problem = caught.value.problems[0]
    assert (problem.code, problem.where) == (code, where)
    assert says in problem.message and hint in problem.hint


@pytest.mark.parametrize(("rate", "nodes"), [("hdr", 100), ("hdr", 500), ("edr", 81), ("edr", 700), ("ndr", 256)])
def test_a_director_is_never_taken_unasked_nor_proposed(plan_of: PlanOf, rate: str, nodes: int) -> None:
    try:
        told = dumps(plan_of({"nodes": nodes}, {"rate": rate})).decode()
    except FabricplanError as caught:
        told = f"{caught.message} {caught.hint}"
    assert not re.search(r"CS[789]5[0-9]0", told)


def test_explain_tells_what_fixed_switches_come_to(full: Plan) -> None:
    row = next(row for row in full.fabrics[0].candidates if row.option == "fixed-switches")
    assert (row.leaf_count, row.spine_count, row.core_count, row.reason) == (40, 20, 0, "director-named")


def swapped(net: str) -> bytes:
    """Exchange the cables of L01/U1 port 3 and L02/U2 port 7 in a fabric file."""
    lines = net.split("\n")

    def at(chip: str, port: int) -> int:
        head = next(row for row, line in enumerate(lines) if line.startswith("Switch") and chip in line)
        return next(row for row in range(head, head + 50) if lines[row].startswith(f"[{port}]\t"))

    one, other = at("L01/U1", 3), at("L02/U2", 7)
    lines[one], lines[other] = f"[3]\t{lines[other].split(chr(9))[1]}", f"[7]\t{lines[one].split(chr(9))[1]}"
    ours, theirs = '"leaf-su01/L01/U1"[3]', '"leaf-su01/L02/U2"[7]'
    exchanged = {f"[1]\t{ours}": f"[1]\t{theirs}", f"[1]\t{theirs}": f"[1]\t{ours}"}
    return "\n".join(exchanged.get(line, line) for line in lines).encode()


@pytest.mark.parametrize("name", ["leaf-su01", "CORE-1"])
def test_found_chips_are_the_box_of_the_plan(plan_of: PlanOf, name: str) -> None:
    plan = plan_of({"nodes": 13}, {**CS8500, "reserve_ports": 2})
    net = render(plan, "ibsim")["compute.net"].decode()
    names = NO_NAMES if name == "leaf-su01" else NameMap({"core-1": "leaf-su01"}, {})
    good = verify(plan, "0" * 64, read_found(net.replace("leaf-su01/", f"{name}/").encode(), "net"), names)
    assert good.clean and (good.fabrics[0].planned, good.fabrics[0].matched) == (106, 106)
    bad = verify(plan, "0" * 64, read_found(swapped(net).replace(b"leaf-su01/", f"{name}/".encode()), "net"), names)
    (order,) = bad.orders
    assert order.kind == "swap"
    assert {(move.at.port, move.to.port, move.at.number) for move in order.moves} == {
        ("L02/27", "L01/3", None), ("L01/3", "L02/27", None),
    }  # fmt: skip


def test_ports_of_a_node_on_two_chips_are_no_crossed_rail(full: Plan) -> None:
    """20 ports a chip and eight a node: every fifth node stands on two chips of one box."""
    (fabric,) = survey(read_found(render(full, "ibsim")["compute.net"], "net")).fabrics
    assert (fabric.switches, fabric.rails.attach) == (60, "packed")
    assert not [note for note in fabric.findings if note.code == "odd-rail"]


@pytest.mark.parametrize(
    ("nodes", "fabric"),
    [(100, CS8500), (13, CS8500), (30, {**CS8500, "rate": "hdr100"}), (27, {"rate": "edr", "leaf": "CS7520"})],
    ids=["full", "in-part", "split", "edr"],
)
def test_a_standing_director_is_adopted(plan_of: PlanOf, catalog: Catalog, nodes: int, fabric: dict[str, Any]) -> None:
    plan = plan_of({"nodes": nodes}, fabric)
    inside = catalog.switch(fabric["leaf"]).inside
    assert inside is not None
    net = render(plan, "ibsim")["compute.net"].decode().replace('"leaf-su01/', '"core/')
    named = re.sub(
        r'^(Switch\t\d+ "core/(.+)")$', rf'\1 # "MF0;core:{inside.described_as}/\2"', net, flags=re.MULTILINE
    )
    found = read_found(named.encode(), "net")
    adopted = adopt(found, catalog, [fabric["rate"]])
    assert adopted.request["fabrics"][0]["leaf"] == fabric["leaf"]
    for column in ("lower", "lower_port", "upper", "upper_port"):
        assert adopted.plan.topology.links.wide(column).tolist() == plan.topology.links.wide(column).tolist()
    assert adopted.names["core"] == "leaf-su01"
    names = NameMap({fold(name): told for name, told in adopted.names.items()}, {})
    assert verify(adopted.plan, "0" * 64, found, names).clean


def test_guids_of_chips_fill_their_own_lines(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 13}, CS8500)
    rows = ["vendid=0x2c9"]
    chip: dict[str, int] = {}
    identity = {}
    for record in render(plan, "ibsim")["compute.net"].decode().split("\n\n"):
        name = record.split('"')[1] if '"' in record else ""
        kind = "S" if record.startswith("Switch") else "H"
        identity[name] = f"{kind}-{0x1000 + len(identity):016x}"
        if kind == "S":
            chip[name] = int(identity[name][2:], 16)
    for record in render(plan, "ibsim")["compute.net"].decode().strip().split("\n\n"):
        head, *ends = record.split("\n")
        name = head.split('"')[1]
        rows.append(f'{head.split(chr(9))[0]}\t{head.split(chr(9))[1].split()[0]} "{identity[name]}"\t# "{name}" lid 1')
        rows += [re.sub(r'"(.+)"', lambda far: f'"{identity[far[1]]}"', end) for end in ends]
        rows.append("")
    found = read_found("\n".join(rows).encode(), "found.txt")
    files, missing = fill(plan, find_guids(plan, found, {}))
    roots = files["opensm/compute/root_guid_file"].decode().split()
    assert roots == [f"{chip[f'leaf-su01/S{number:02}/U1']:#018x}" for number in range(1, 21)]
    names = files["opensm/compute/node-name-map"].decode()
    assert f'{chip["leaf-su01/L03/U2"]:#018x} "leaf-su01/L03/U2"' in names
    assert not [name for name in missing if "leaf" in name]


def test_exports_name_chips_and_modules(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 13}, CS8500)
    files = render(plan, "topo")
    assert (
        files["compute.topo"].decode().startswith("MCS8500 leaf-su01\n   L01/U1/P1 -> HOST_8 node-su01-001 HCA-1/P1\n")
    )
    system = files["ibnl/MCS8500.ibnl"].decode()
    assert system.count("NODE SW 40 SWITCH L") == 6 and system.count("NODE SW 40 SWITCH S") == 20
    assert "NODE SW 40 SWITCH L02U2\n    1 -> L02/U2/P1\n" in system and "    22 -> S02U1 22\n" in system
    rows = render(plan, "ndt")["compute-ndt.csv"].decode().strip().split("\n")[1:]
    assert len(rows) == 104
    assert rows[20].split(",")[2:7:1] == ["leaf-su01/L01/U2", "Port 1", "A03", "node-su01-003 HCA-5", "Port 1"]
    options = render(plan, "opensm")["opensm/compute/opensm.conf"].decode()
    assert "routing_engine ftree" in options


def test_inner_order_is_told_as_ours(full: Plan, catalog: Catalog) -> None:
    (told,) = noted(full, "director-inside")
    assert "40 leaf chips and 20 spine chips" in told and "no maker publishes" in told
    inside = catalog.switch("CS8500").inside
    assert inside is not None and inside.leaf_chips + inside.spine_chips == catalog.switch("CS8500").lid_nodes
