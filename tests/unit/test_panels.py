"""Links through patch panels: walked end to end in the printed schedule, lengths by hand, every rule tripped."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fabricplan.asbuilt.view import view
from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError, RequirementError
from fabricplan.files import load_catalog
from fabricplan.pipeline import design
from fabricplan.plan import Plan, dumps, loads
from fabricplan.proof.failures import carriers
from fabricplan.recheck import recheck
from fabricplan.renderers import render
from fabricplan.requirement import parse_requirement
from fabricplan.schedule import cable_rows
from fabricplan.values import Finding
from fabricplan.wording import text
from tests.properties.invariants import assert_sound

U = 44.45
RUN: dict[str, Any] = {"name": "AB", "a": {"rack": "A08", "u": 44}, "b": {"rack": "B06", "u": 40},
                       "trunk": "om4-mpo12-apc-trunk12", "panels": 4}  # fmt: skip


def asked(nodes: int = 62, run: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Two rows: the leaves and nodes of row A, and spines in row B, by network racks in both."""
    fabric = {"rate": "ndr", **more.pop("fabric", {})}
    group = {"platform": "dgx-h100", "nodes": nodes, **more.pop("group", {})}
    room = {
        "tray_height_mm": 3000, "leaves": "unit",
        "rows": [{"name": "A", "racks": 14, "units": 48}, {"name": "B", "racks": 12, "y_mm": 3400, "units": 52}],
        "racks": [{"row": "A", "position": 8, "kind": "network"}, {"row": "B", "position": 6, "kind": "network"}],
        "panels": [{**RUN, **(run or {})}], **more.pop("room", {}),
    }  # fmt: skip
    return {"name": "panelled", "groups": [group], "fabrics": [fabric], "room": room, **more}


@pytest.fixture(scope="module")
def panelled(catalog: Catalog) -> Plan:
    return design(parse_requirement(asked()), catalog)


def codes(plan: Plan) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = defaultdict(list)
    for item in plan.findings:
        found[item.code].append(item)
    return found


def walk(plan: Plan) -> Counter[tuple[str, ...]]:
    """Follow every plug of the printed schedule through panels and trunks, and return the pairs of device ports met.

    Nothing is read but the rows: ports of devices, panel ports, and ranges of ports at the ends of trunks.
    """
    cords: dict[tuple[str, str], tuple[str, str]] = {}
    trunks: dict[tuple[str, str], tuple[str, str]] = {}
    links: Counter[tuple[str, ...]] = Counter()
    starts = []
    for row in cable_rows(plan):
        ends = (str(row.a_device), str(row.a_port)), (str(row.z_device), str(row.z_port))
        inside = [device.startswith("panel-") for device, _ in ends]
        if all(inside):
            (one, first), (two, second) = ends
            (low, high), (other, last) = ([int(part) for part in span.split("-")] for span in (first, second))
            assert high - low == last - other
            for port in range(high - low + 1):
                a, b = (one, str(low + port)), (two, str(other + port))
                assert a not in trunks and b not in trunks, "a panel port has two trunks"
                trunks[a], trunks[b] = b, a
        elif any(inside):
            device, panel = ends if inside[1] else ends[::-1]
            assert panel not in cords, "a panel port has two cords"
            cords[panel] = device
            starts.append((panel, device))
        else:
            # copper of twin-port cages serves two ports with one plug
            for one_port, two_port in zip(*(port.split(" + ") for _, port in ends), strict=True):
                links[tuple(sorted((f"{ends[0][0]} {one_port}", f"{ends[1][0]} {two_port}")))] += 1
    met: Counter[tuple[str, ...]] = Counter()
    for panel, device in starts:
        met[tuple(sorted((" ".join(device), " ".join(cords[trunks[panel]]))))] += 1
    assert all(count == 2 for count in met.values()), "a path is walked once from each of its ends"
    return links + Counter(dict.fromkeys(met, 1))


def wanted(plan: Plan, catalog: Catalog, request: dict[str, Any]) -> Counter[tuple[str, ...]]:
    """Return the same pairs of the plan without panels."""
    room = {key: value for key, value in request["room"].items() if key != "panels"}
    rest = [{"row": "A", "position": 8, "kind": "network", "reserved": ["44-47"]},
            {"row": "B", "position": 6, "kind": "network", "reserved": ["40-43"]}]  # fmt: skip
    bare = design(parse_requirement({**request, "room": {**room, "racks": rest}}), catalog)
    assert np.array_equal(bare.placement.places.u, plan.placement.places.u), (
        "panels keep their units free, nothing else"
    )
    return walk(bare)


def test_every_link_is_walked_through_cords_and_trunks(panelled: Plan, catalog: Catalog) -> None:
    assert_sound(panelled)
    assert walk(panelled) == wanted(panelled, catalog, asked())
    patches = panelled.cabling.patches
    assert patches is not None
    rack = panelled.placement.places.rack
    rows = panelled.placement.racks.row
    crossing = rows[rack[panelled.topology.links.lower]] != rows[rack[panelled.topology.links.upper]]
    assert set(patches.link.tolist()) == set(np.flatnonzero(crossing).tolist()), (
        "what leads from row to row, nothing else"
    )
    found = Counter(line.kind for line in panelled.bom.lines for _ in range(line.quantity))
    links, patched = len(panelled.topology.links), len(patches)
    trunks = math.ceil(patched / 12)
    assert found["fibre"] == links - patched + 2 * patched + trunks
    assert found["accessory"] == 2 * math.ceil(patched / 72)
    assert found["transceiver"] == sum(line.quantity for line in design(
        parse_requirement({**asked(), "room": {}}), catalog).bom.lines if line.kind == "transceiver")  # fmt: skip


def test_lengths_by_hand(panelled: Plan) -> None:
    """The first spine link: its leaf and the panel stand in A08, the spine in B06."""
    rows = [row for row in cable_rows(panelled) if "panel-" in f"{row.a_device}{row.z_device}"]
    first = next(row for row in rows if str(row.z_device).startswith("panel-ab-a"))
    assert (first.a_rack, first.z_rack) == ("A08", "A08")
    # the farther of the lowest and the highest of four panels, U44 to U47
    far = max(abs(int(first.a_u or 0) - 44), abs(int(first.a_u or 0) - 47))
    assert first.required_mm == math.ceil((far * U + 1000) * 1.1) + 300
    trunk = next(row for row in rows if str(row.a_port) == "1-12")
    assert (trunk.a_rack, trunk.z_rack, trunk.pn) == ("A08", "B06", "")
    # A08 from x 4200 to 4800, B06 from 3000 to 3600: 1.2 m along, 3.4 m across; ends 0.1 m + U above the floor
    raw = (3000 - 100 - 44 * U) + (3000 - 100 - 40 * U) + 1200 + 3400 + 1000
    assert trunk.required_mm == math.ceil(raw * 1.1) + 300
    assert trunk.length_mm == math.ceil(int(trunk.required_mm or 0) / 1000) * 1000
    assert (first.polarity, first.polish) == ("Type-B crossover", "APC")
    assert first.label_z == "A08-U44-P01" and trunk.label_a == "A08-U44-P01-12"


def test_the_plan_is_read_back_and_judged_the_same(panelled: Plan, catalog: Catalog) -> None:
    again = loads(dumps(panelled))
    assert again == panelled
    assert {item.code for item in recheck(again, catalog)} == {item.code for item in panelled.findings}


def test_a_failed_trunk_takes_all_its_links(panelled: Plan) -> None:
    patches = panelled.cabling.patches
    assert patches is not None
    carried = Counter(carriers(panelled)[patches.link].tolist())
    assert max(carried.values()) == 12 and sum(carried.values()) == len(patches)


def test_growth_keeps_panel_ports(catalog: Catalog) -> None:
    """Ports, trunks and cords of today are those of the final stage, and only what is needed today is bought."""
    rows = [{"name": "A", "racks": 40, "units": 48}, {"name": "B", "racks": 4, "y_mm": 3400, "kind": "network"}]
    request = {"rows": rows, "racks": [], "leaves": "top-of-rack"}
    run = {"a": {"rack": "A20", "u": 30}, "b": {"rack": "B02", "u": 20}, "panels": 15}
    seen: dict[tuple[str, ...], tuple[Any, ...]] = {}
    trunks = []
    for nodes in (16, 40, 96):
        plan = design(parse_requirement(asked(nodes, run=run, room=request, group={"grow_to": 96})), catalog)
        assert_sound(plan)
        now = {(str(row.a_device), str(row.a_port), str(row.z_device)): (row.id, row.z_port, row.pn, row.length_mm)
               for row in cable_rows(plan) if "panel-" in f"{row.a_device}{row.z_device}"}  # fmt: skip
        assert loads(dumps(plan)) == plan
        assert all(now[key] == value for key, value in seen.items()), "a panel port moved"
        seen = now
        trunks.append(sum(line.quantity for line in plan.bom.lines if line.key == RUN["trunk"]))
        assert walk(plan)
    assert trunks[0] < trunks[1] < trunks[2]


def overlay(folder: Path, **changes: Any) -> Catalog:
    """Return the catalogue with a company's own trunk: a copy of the generic one with some facts changed."""
    (folder / "fibres").mkdir(parents=True)
    facts = {"id": "our-trunk", "title": "our trunk", "mode": "multimode", "grade": "OM4", "connector": "MPO-12/APC",
             "trunk_connectors": 12, "polarity": "Type-B crossover", "polish": "APC", "gender": "male both ends",
             "loss_db_max": 0.35, "confidence": "verified", "status": "active",
             "sources": ["nvidia-cable-faq-connectors"],
             "lengths": [{"length_mm": mm, "pn": f"OURS-{mm // 1000:03}"} for mm in (10_000, 20_000, 40_000)],
             **changes}  # fmt: skip
    lines = [f"{'- ' if not number else '  '}{key}: {value!r}" for number, (key, value) in
             enumerate((key, value) for key, value in facts.items() if value is not None)]  # fmt: skip
    (folder / "fibres" / "ours.yaml").write_text("\n".join(lines) + "\n")
    return load_catalog(folder)


def test_a_companys_own_trunk_brings_its_part_number(tmp_path: Path) -> None:
    plan = design(parse_requirement(asked(run={"trunk": "OUR-TRUNK"})), overlay(tmp_path))
    line = next(line for line in plan.bom.lines if line.key == "our-trunk")
    assert (line.pn, line.length_mm, line.quantity) == (
        "OURS-010",
        10_000,
        math.ceil(len(plan.cabling.patches or ()) / 12),
    )


def test_no_trunk_is_divided_over_two_panels(tmp_path: Path) -> None:
    """Trunks of 16 on panels of 72: four a panel, eight ports stay free."""
    catalog = overlay(tmp_path, trunk_connectors=16)
    plan = design(parse_requirement(asked(run={"trunk": "our-trunk", "panels": 4})), catalog)
    spans = Counter(str(row.a_port) for row in cable_rows(plan) if str(row.a_port).count("-") and "panel-" in
                    f"{row.a_device}")  # fmt: skip
    assert spans == {"1-16": 4, "17-32": 4, "33-48": 4, "49-64": 4} and plan.bom.count("accessory") == 8
    assert walk(plan) == wanted(plan, catalog, asked())
    with pytest.raises(InfeasibleError) as caught:
        design(parse_requirement(asked(run={"trunk": "our-trunk", "panels": 3})), catalog)
    assert caught.value.problems[0].hint == "panels: 4, or panels with more ports"
    with pytest.raises(RequirementError) as refused:
        design(parse_requirement(asked(run={"trunk": "our-trunk"})), overlay(tmp_path / "big", trunk_connectors=144))
    assert refused.value.problems[0].code == "panel-small"


@pytest.mark.parametrize(("changes", "code", "severity", "words"), [
    ({"polarity": "Type-A straight"}, "panel-crossings", "error", ("2", "even")),
    ({"polarity": None}, "panel-crossings-unknown", "warning", ("polarity",)),
    ({"gender": "female both ends"}, "panel-pins", "error", ("female both ends",)),
    ({"gender": None}, "panel-pins-unknown", "warning", ("our-trunk",)),
    ({"loss_db_max": 0.75}, "panel-loss", "error", ("2.2", "1.4")),
    ({"loss_db_max": None}, "panel-loss-unknown", "warning", ("our-trunk", "1.4")),
])  # fmt: skip
def test_a_wrong_trunk_is_told(
    tmp_path: Path, changes: dict[str, Any], code: str, severity: str, words: tuple[str, ...]
) -> None:
    found = codes(design(parse_requirement(asked(run={"trunk": "our-trunk"})), overlay(tmp_path, **changes)))
    assert [item.severity for item in found[code]] == [severity]
    told = text(found[code][0], "en")
    assert all(word in told for word in words), told
    assert not {key for key in found if key.startswith("panel-")} - {code}


def test_a_good_trunk_trips_nothing(tmp_path: Path, panelled: Plan) -> None:
    for plan in (panelled, design(parse_requirement(asked(run={"trunk": "our-trunk"})), overlay(tmp_path))):
        assert {code for code in codes(plan) if code.startswith("panel")} == {"panels-used"}


def relaid(plan: Plan, **parts: dict[str, Any]) -> Plan:
    """Return the plan with parts of a family changed after it was made: ``relaid(plan, mfp7e10={"length_mm": 1})``."""
    held = tuple(part.model_copy(update=parts.get(part.family.replace("-", "_"), {})) for part in
                 plan.cabling.cable_parts)  # fmt: skip
    return plan.model_copy(update={"cabling": plan.cabling.model_copy(update={"cable_parts": held})})


@pytest.mark.parametrize(("parts", "code", "words"), [
    ({"mfp7e10": {"family": "mfp7e30"}}, "panel-mode", ("mfp7e30", "singlemode")),
    ({"mfp7e10": {"family": "om4-mpo12-upc"}}, "panel-connectors", ("MPO-12/UPC", "MPO-12/APC")),
    ({"om4_mpo12_apc_trunk12": {"length_mm": 60_000}}, "panel-path", ("66 m", "50 m")),
])  # fmt: skip
def test_parts_that_were_changed_are_told(
    panelled: Plan, catalog: Catalog, parts: dict[str, Any], code: str, words: tuple[str, ...]
) -> None:
    found = [item for item in recheck(relaid(panelled, **parts), catalog) if item.code == code]
    assert found and all(item.severity == "error" for item in found)
    assert all(word in text(found[0], "en") for word in words), text(found[0], "en")


@pytest.mark.parametrize("family", ["mfp7e10", "om4_mpo12_apc_trunk12"])
def test_pieces_ordered_too_short_are_told(panelled: Plan, catalog: Catalog, family: str) -> None:
    """The cord at the upper end and the trunk, not only the cord that the link names."""
    shared = relaid(panelled, **{family: {"length_mm": 500}})
    found = [item for item in recheck(shared, catalog) if item.code == "too-short"]
    beside = 256 if family == "mfp7e10" else 22
    assert any(item.param("links") == beside and item.param("ordered_m") == 0.5 for item in found), found


def swapped(plan: Plan, column: str, one: int, other: int) -> Plan:
    """Return the plan with two cells of a column of its patched links exchanged."""
    patches = plan.cabling.patches
    assert patches is not None
    cells = patches.wide(column)
    cells[[one, other]] = cells[[other, one]]
    columns = {name: getattr(patches, name) for name in type(patches).columns} | {column: cells}
    return plan.model_copy(update={
        "cabling": plan.cabling.model_copy(update={"patches": type(patches)(**columns)})})  # fmt: skip


@pytest.mark.parametrize(("column", "one", "other", "what"), [
    ("trunk", 0, 20, "trunk"), ("port", 0, 20, "trunk"), ("link", 0, 1, "link"),
])  # fmt: skip
def test_pieces_that_were_exchanged_are_told(
    panelled: Plan, catalog: Catalog, column: str, one: int, other: int, what: str
) -> None:
    assert "panel-pieces" not in {item.code for item in recheck(panelled, catalog)}
    found = [item for item in recheck(swapped(panelled, column, one, other), catalog) if item.code == "panel-pieces"]
    assert found and found[0].severity == "error" and found[0].param("what") == what


def test_one_cord_for_two_links_and_another_side_are_told(panelled: Plan, catalog: Catalog) -> None:
    patches = panelled.cabling.patches
    assert patches is not None
    cord, flip = patches.wide("upper_cord"), patches.wide("flip")
    cord[1], flip[2] = cord[0], 1 - flip[2]
    for column, cells, what in (("upper_cord", cord, "cord"), ("flip", flip, "run")):
        columns = {name: getattr(patches, name) for name in type(patches).columns} | {column: cells}
        forged = panelled.cabling.model_copy(update={"patches": type(patches)(**columns)})
        found = recheck(panelled.model_copy(update={"cabling": forged}), catalog)
        assert what in {item.param("what") for item in found if item.code == "panel-pieces"}


def test_a_port_taken_twice_is_told(panelled: Plan, catalog: Catalog) -> None:
    patches = panelled.cabling.patches
    assert patches is not None
    port = patches.wide("port")
    port[1] = port[0]
    columns = {name: getattr(patches, name) for name in type(patches).columns} | {"port": port}
    forged = panelled.cabling.model_copy(update={"patches": type(patches)(**columns)})
    found = recheck(panelled.model_copy(update={"cabling": forged}), catalog)
    assert [item.severity for item in found if item.code == "panel-port"] == ["error"]


def test_panels_that_no_link_needs_are_told_and_not_bought(catalog: Catalog) -> None:
    run = {"a": {"rack": "B01", "u": 1, "racks": ["B01"]}, "b": {"rack": "B02", "u": 1, "racks": ["B02"]}}
    plan = design(parse_requirement(asked(8, run=run)), catalog)
    assert codes(plan)["panels-empty"][0].param("panels") == 8
    assert plan.bom.count("accessory") == 0 and plan.cabling.patches is None


def test_a_trunk_too_long_for_multimode(catalog: Catalog) -> None:
    """50 m of OM4: cords and trunk together, not each; single-mode trunks take the same run."""
    with pytest.raises(InfeasibleError) as caught:
        design(parse_requirement(asked(run={"trunk_length_mm": 45_000})), catalog)
    assert caught.value.problems[0].code == "path-out-of-reach"
    assert "45.0 m of trunk" in caught.value.problems[0].message
    with pytest.raises(RequirementError) as short:
        design(parse_requirement(asked(run={"trunk_length_mm": 3_000})), catalog)
    assert (short.value.problems[0].code, short.value.problems[0].where) == (
        "length-straight", "room.panels[0].trunk_length_mm")  # fmt: skip
    plan = design(parse_requirement(asked(run={"trunk_length_mm": 44_000})), catalog)
    sources = {row.source for row in cable_rows(plan) if row.family == RUN["trunk"]}
    assert sources == {"surveyed"} and {row.source for row in cable_rows(plan)} == {"surveyed", "estimated"}
    length = {part.family: part.length_mm for part in plan.cabling.cable_parts if part.family == RUN["trunk"]}
    assert length == {RUN["trunk"]: 44_000}
    single = design(
        parse_requirement(asked(run={"trunk_length_mm": 400_000, "trunk": "os2-mpo12-apc-trunk12"})), catalog
    )
    assert_sound(single)
    patches = single.cabling.patches
    assert patches is not None and not codes(single)["panel-path"]
    cords = {single.cabling.cable_parts[part].family for part in
             single.cabling.cables.part[single.cabling.links.cable[patches.link]].tolist()}  # fmt: skip
    assert cords == {"mfp7e30"}


def test_what_no_trunk_takes_runs_direct_and_is_told(catalog: Catalog) -> None:
    """NDR200 hosts hang on splitters: those of row B run direct to their leaf in row A."""
    request = asked(fabric={"rate": "ndr200"})
    request["groups"] = [{"nodes": 62}]
    plan = design(parse_requirement(request), catalog)
    found = codes(plan)
    direct = [item for item in found["panels-direct"] if "mfp7e20" in str(item.param("parts"))]
    assert direct and direct[0].severity == "warning"
    assert plan.cabling.patches is None and walk(plan) == wanted(plan, catalog, request)
    assert not any(line.kind == "accessory" or line.key == RUN["trunk"] for line in plan.bom.lines)


def test_only_the_fabrics_that_are_named_go_through(catalog: Catalog) -> None:
    """Compute and storage both lead from row to row; each run takes its own."""

    def of(fabrics: list[str] | None) -> set[str]:
        request = asked(30, room={"leaves": "top-of-rack"}, run={"a": {"rack": "A14", "u": 40}, "panels": 8,
                                                                 "b": {"rack": "B12", "u": 40}})  # fmt: skip
        request["room"]["racks"] = [{"row": "B", "position": 1, "kind": "network"}]
        request["fabrics"].append(
            {"name": "storage", "network": "storage", "rate": "ndr", "attached": [{"group": "node"}]}
        )
        request["room"]["panels"][0]["fabrics"] = fabrics
        plan = design(parse_requirement(request), catalog)
        assert_sound(plan)
        patches = plan.cabling.patches
        assert patches is not None
        # no trunk carries links of both
        pairs = set(zip(patches.trunk.tolist(), plan.topology.links.fabric[patches.link].tolist(), strict=True))
        assert len(pairs) == len({trunk for trunk, _ in pairs})
        return {plan.fabrics[fabric].name for _, fabric in pairs}

    assert of(None) == {"compute", "storage"}
    assert of(["storage"]) == {"storage"} and of(["compute"]) == {"compute"}


def test_planes_have_trunks_of_their_own(catalog: Catalog) -> None:
    request = asked(30, fabric={"planes": 2}, run={"a": {"rack": "A14", "u": 40}, "b": {"rack": "B12", "u": 40},
                                                   "panels": 8}, room={"leaves": "top-of-rack"})  # fmt: skip
    request["room"]["racks"] = [{"row": "B", "position": 1, "kind": "network"}]
    plan = design(parse_requirement(request), catalog)
    patches = plan.cabling.patches
    assert patches is not None and walk(plan)
    plane = plan.topology.devices.plane[plan.topology.links.upper[patches.link]]
    pairs = set(zip(patches.trunk.tolist(), plane.tolist(), strict=True))
    assert {plane for _, plane in pairs} == {1, 2} and len(pairs) == len({trunk for trunk, _ in pairs})


def test_too_few_ports_say_how_many_panels(catalog: Catalog) -> None:
    with pytest.raises(InfeasibleError) as caught:
        design(parse_requirement(asked(run={"panels": 1})), catalog)
    problem = caught.value.problems[0]
    assert (problem.code, problem.where) == ("panel-full", "room.panels[0].panels")
    assert "256 links" in problem.message and problem.hint == "panels: 4, or panels with more ports"


@pytest.mark.parametrize(("run", "where", "words"), [
    ({"a": {"rack": "A99", "u": 1}}, "room.panels[0].a.rack", "no rack 'A99'"),
    ({"a": {"rack": "A08", "u": 47}}, "room.panels[0].a.u", "reach unit 50, rack A08 has 48 units"),
    ({"b": {"rack": "A08", "u": 40}}, "room.panels[0]", "served by both ends"),
    ({"b": {"rack": "A08", "u": 43, "rows": ["B"]}}, "room.panels[0].b.u", "unit 44 of rack A08 is taken"),
    ({"b": {"rack": "B06", "u": 40, "rows": ["C"]}}, "room.panels[0].b.rows", "no row 'C'"),
    ({"trunk": "om4-mpo12-apc-trunk24"}, "room.panels[0].trunk", "no trunk"),
    ({"trunk": "mfp7e10"}, "room.panels[0].trunk", "is a cord, no trunk"),
    ({"panel": "panel-lc-duplex-72"}, "room.panels[0].panel", "takes LC duplex/UPC, the trunk"),
    ({"panels": 2, "panel_units": 2, "panel": "panel-mpo12-apc-72"}, "room.panels[0].panel_units", "is 1 U high"),
    ({"fabrics": ["storage"]}, "room.panels[0].fabrics", "is no fabric"),
])  # fmt: skip
def test_wrong_runs_are_refused_at_their_place(catalog: Catalog, run: dict[str, Any], where: str, words: str) -> None:
    with pytest.raises(RequirementError) as caught:
        design(parse_requirement(asked(run=run)), catalog)
    problem = caught.value.problems[0]
    assert problem.where == where, problem
    assert words in problem.message, problem.message


def test_panels_need_rows_and_routes() -> None:
    for room, field in (({"rows": None, "racks": None}, "panels"), ({"uniform_length_mm": 10_000}, "panels")):
        with pytest.raises(RequirementError) as caught:
            parse_requirement(asked(room=room))
        assert field in str(caught.value.problems[0].where)


def test_devices_never_stand_in_a_panels_units(panelled: Plan) -> None:
    names, places = panelled.placement.rack_names(), panelled.placement.places
    for rack, units in (("A08", range(44, 48)), ("B06", range(40, 44))):
        held = [u for at, u in zip(places.rack.tolist(), places.u.tolist(), strict=True) if names[at] == rack]
        assert held and not set(held) & set(units)


def test_surveyed_lengths_of_patched_links_are_passed_over_and_told(catalog: Catalog) -> None:
    request = asked(lengths=[{"a": "A08", "b": "B06", "length_mm": 20_000}])
    found = codes(design(parse_requirement(request), catalog))
    assert found["surveyed-through-panels"][0].param("links") == 256


def test_from_front_to_rear_a_cable_takes_the_depth_of_a_rack_more(catalog: Catalog) -> None:
    """C2P switches look to the cold aisle; nodes whose ports look to the hot one are a rack's depth farther away."""
    room = {"panels": None, "node_ports": "rear"}
    plans = {flow: design(parse_requirement(asked(16, fabric={"airflow": flow}, room=room)), catalog) for flow in
             ("P2C", "C2P")}  # fmt: skip
    needed = {flow: plan.cabling.cables.required_mm.tolist() for flow, plan in plans.items()}
    role = plans["C2P"].topology.links.role[plans["C2P"].cabling.cables.link].tolist()
    for near, far, kind in zip(needed["P2C"], needed["C2P"], role, strict=True):
        # 1.1 m more of route and a tenth of it, where the other end is a node
        assert abs(far - near - (1210 if kind == 0 else 0)) <= 1
    told = codes(plans["C2P"])["through-the-rack"]
    assert (
        told[0].param("links") == 128 and told[0].param("more_m") == 1.1 and not codes(plans["P2C"])["through-the-rack"]
    )
    shut = design(parse_requirement(asked(16, fabric={"airflow": "C2P"}, room={**room, "pass_through_mm": 0})), catalog)
    assert shut.cabling.cables.required_mm.tolist() == needed["P2C"]


def test_paths_are_held_against_their_own_modules(catalog: Catalog) -> None:
    """Some links have modules of 100 m and some of 500 m on the same trunks: neither is held against the other's."""
    rows = [{"name": "A", "racks": 40, "units": 48}, {"name": "B", "racks": 4, "y_mm": 3400, "kind": "network"}]
    run = {"a": {"rack": "A20", "u": 30}, "b": {"rack": "B02", "u": 20}, "panels": 15,
           "trunk": "os2-mpo12-apc-trunk12", "trunk_length_mm": 80_000}  # fmt: skip
    plan = design(
        parse_requirement(asked(96, run=run, room={"rows": rows, "racks": [], "leaves": "top-of-rack"})), catalog
    )
    modules = {line.pn for line in plan.bom.lines if line.kind == "transceiver"}
    assert {"MMS4X00-NS", "MMS4X00-NM"} <= modules
    assert not [item.code for item in plan.findings if item.severity == "error"]


def test_a_manager_beside_a_patched_node_takes_the_modules_that_are_there(catalog: Catalog) -> None:
    """Ends of two kinds share cages; the one goes through single-mode trunks, the other hangs beside its leaf."""
    rows = [{"name": name, "racks": 12, "units": 48, "y_mm": 3400 * at} for at, name in enumerate("ABC")]
    racks = [{"row": name, "position": 6, "kind": "network"} for name in "ABC"]
    runs = [{"name": one + two, "trunk": "os2-mpo12-apc-trunk12", "panels": 6,
             "a": {"rack": f"{one}01", "u": 1 + 6 * at, "rows": [one]},
             "b": {"rack": f"{two}12", "u": 1 + 6 * at, "rows": [two]}}
            for at, (one, two) in enumerate(("AB", "AC", "BC"))]  # fmt: skip
    request = asked(room={"rows": rows, "racks": racks},
                    fabric={"reserve_ports": 2, "reserve_adapter": "MCX75310AAS-NEAT"})  # fmt: skip
    request["room"]["panels"] = runs
    plan = design(parse_requirement(request), catalog)
    assert_sound(plan)
    assert plan.cabling.patches is not None and not [item.code for item in plan.findings if item.severity == "error"]


def test_copper_that_was_asked_is_told_where_panels_take_fibre(catalog: Catalog) -> None:
    found = codes(design(parse_requirement(asked(fabric={"media": "copper"})), catalog))
    assert found["media-through-panels"][0].param("links") == 256


def test_an_end_that_serves_both_sides_says_its_own(catalog: Catalog) -> None:
    """Compute switches with ports to the cold aisle and storage switches with ports to the hot one, on one run."""
    rows = [{"name": "A", "racks": 14, "units": 48}, {"name": "B", "racks": 12, "y_mm": 3400, "kind": "network"}]
    run = {"a": {"rack": "A14", "u": 30}, "b": {"rack": "B12", "u": 20}, "panels": 12}
    request = asked(
        30,
        run=run,
        fabric={"airflow": "C2P"},
        room={"leaves": "top-of-rack", "rows": rows, "racks": [], "node_ports": "rear"},
    )
    request["fabrics"].append({"name": "storage", "network": "storage", "rate": "ndr", "airflow": "P2C",
                               "attached": [{"group": "node"}]})  # fmt: skip
    with pytest.raises(RequirementError) as caught:
        design(parse_requirement(request), catalog)
    assert [problem.code for problem in caught.value.problems] == ["panel-face", "panel-face"]
    for end in ("a", "b"):
        request["room"]["panels"][0][end]["face"] = "rear"
    plan = design(parse_requirement(request), catalog)
    request["room"]["pass_through_mm"] = 0
    flat = design(parse_requirement(request), catalog)
    patches = plan.cabling.patches
    assert patches is not None
    fabric = plan.topology.links.fabric[patches.link]
    low, high = ([item.cabling.cables.required_mm[item.cabling.links.cable[patches.link]] for item in (plan, flat)],
                 [item.cabling.cables.required_mm[patches.upper_cord] for item in (plan, flat)])  # fmt: skip
    for cords in (low, high):
        more = cords[0] - cords[1]
        assert set(more[fabric == 0].tolist()) == {1210} and set(more[fabric == 1].tolist()) == {0}


def test_everything_surveyed_leaves_cords_estimated(catalog: Catalog) -> None:
    racks = sorted({(row.a_rack, row.z_rack) for row in cable_rows(design(parse_requirement(asked()), catalog))
                    if "panel-" not in f"{row.a_device}{row.z_device}"})  # fmt: skip
    pairs = {tuple(sorted(map(str, pair))) for pair in racks} | {("A08", "B06")}
    plan = design(parse_requirement(asked(lengths=[
        {"a_rack": one, "b_rack": two, "length_mm": 25_000} for one, two in sorted(pairs)])), catalog)  # fmt: skip
    told = Counter(row.source for row in cable_rows(plan) if row.pn or row.family)
    assert told == {"surveyed": 1008 - 256 - 2 + 2 - 2, "estimated": 512 + 22} or told["estimated"] == 534
    assert codes(plan)["estimated-lengths"]


def test_work_orders_name_the_cord_at_the_end_that_is_wrong(panelled: Plan) -> None:
    """Ids of a patched link: the cord at each of its ends, and cord, trunk and cord from its lower end."""
    patches = panelled.cabling.patches
    assert patches is not None
    judged = view(panelled, 0)
    ends = {row.id: (row.a_device, row.z_device) for row in cable_rows(panelled)}
    links, names = panelled.topology.links, panelled.device_names()
    for link in patches.link[[0, 100, 255]].tolist():
        at = judged.rows.tolist().index(link)
        lower, upper = judged.plug_id(2 * at)[0], judged.plug_id(2 * at + 1)[0]
        assert ends[lower][0] == names[int(links.lower[link])] and ends[upper][1] == names[int(links.upper[link])]
        assert judged.cable_ids(at) == (lower, judged.cable_ids(at)[1], upper)
        assert all("panel-" in str(device) for device in ends[judged.cable_ids(at)[1]])


def test_exports_tell_all_pieces_of_a_path(panelled: Plan) -> None:
    patches = panelled.cabling.patches
    assert patches is not None
    sheets = [
        text.decode("utf-8-sig") for name, text in render(panelled, "acceptance").items() if name.endswith(".csv")
    ]
    rows = [row[0] for sheet in sheets for row in csv.reader(io.StringIO(sheet))]
    assert sum(cell.count("+") == 2 for cell in rows) == len(patches)
    ndt = list(csv.reader(io.StringIO(render(panelled, "ndt")["compute-ndt.csv"].decode())))
    metre = f"{next(iter(panelled.cabling.path_mm.values())) / 1000:g}"
    assert sum(row[11:13] == ["", metre] for row in ndt) == len(patches)
    parts = {part.family: part.length_mm for part in panelled.cabling.cable_parts}
    whole = set(panelled.cabling.path_mm.values())
    assert whole == {2 * 3000 + parts[RUN["trunk"]]}


def test_a_panel_that_looks_the_other_way_is_farther(catalog: Catalog) -> None:
    """Ports of P2C leaves and spines look to the rear; cords to panels at the front go through the rack."""
    same, other = (design(parse_requirement(asked(run={
        "a": {"rack": "A08", "u": 44, "face": face}, "b": {"rack": "B06", "u": 40, "face": "rear"}})), catalog)
        for face in ("rear", "front"))  # fmt: skip
    patches = same.cabling.patches
    assert patches is not None and other.cabling.patches is not None
    low = [plan.cabling.cables.required_mm[plan.cabling.links.cable[patches.link]] for plan in (same, other)]
    high = [plan.cabling.cables.required_mm[patches.upper_cord] for plan in (same, other)]
    trunk = [plan.cabling.cables.required_mm[patches.trunk] for plan in (same, other)]
    # sides of nodes that nobody states add nothing; all of these are switches
    assert set((low[1] - low[0]).tolist()) == {1210} and set((high[1] - high[0]).tolist()) == {0}
    assert set((trunk[1] - trunk[0]).tolist()) == {1210}


def test_netbox_has_the_panels_and_joins_port_by_port(panelled: Plan) -> None:
    files = render(panelled, "netbox")
    cables = list(csv.DictReader(io.StringIO(files["netbox/6-cables.csv"].decode("utf-8-sig"))))
    through = [row for row in cables if "port" in row["side_a_type"] + row["side_b_type"]
               and "interface" not in row["side_a_type"] + row["side_b_type"]]  # fmt: skip
    patches = panelled.cabling.patches
    assert patches is not None and len(through) == len(patches)
    devices = {row["name"] for row in csv.DictReader(io.StringIO(files["netbox/4-devices.csv"].decode("utf-8-sig")))}
    assert {row["side_a_device"] for row in cables} | {row["side_b_device"] for row in cables} <= devices
    ends = Counter((row[f"side_{side}_device"], row[f"side_{side}_type"], row[f"side_{side}_name"]) for row in cables
                   for side in "ab")  # fmt: skip
    assert max(ends.values()) == 1, "a port has one cable"


def test_the_survey_sheet_leaves_patched_links_out(panelled: Plan) -> None:
    rows = list(csv.reader(io.StringIO(render(panelled, "lengths")["lengths.csv"].decode("utf-8-sig"))))
    patches = panelled.cabling.patches
    assert patches is not None and len(rows) - 1 == len(panelled.topology.links) - len(patches)
    assert not any("panel-" in cell for row in rows for cell in row)


def test_a_node_side_that_nobody_knows_is_told_where_it_may_cost_length(catalog: Catalog) -> None:
    def told(room: dict[str, Any], flow: str = "C2P") -> list[int | float | str | None]:
        plan = design(parse_requirement(asked(16, fabric={"airflow": flow}, room={"panels": None, **room})), catalog)
        return [item.param("links") for item in codes(plan)["node-side-unknown"]]

    assert told({}) == [128]
    assert told({"node_ports": "rear"}) == told({"pass_through_mm": 0}) == told({}, "P2C") == []
