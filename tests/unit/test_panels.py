"""Links through patch panels: walked end to end in the printed schedule, lengths by hand, growth, exports."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
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
from tests.properties.invariants import assert_sound
from tests.unit.panelled import RUN, U, asked, codes, overlay, walk, wanted


@pytest.fixture(scope="module")
def panelled(catalog: Catalog) -> Plan:
    return design(parse_requirement(asked()), catalog)


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


def test_devices_never_stand_in_a_panels_units(panelled: Plan) -> None:
    names, places = panelled.placement.rack_names(), panelled.placement.places
    for rack, units in (("A08", range(44, 48)), ("B06", range(40, 44))):
        held = [u for at, u in zip(places.rack.tolist(), places.u.tolist(), strict=True) if names[at] == rack]
        assert held and not set(held) & set(units)


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
    assert codes(other)["cords-through-the-rack"][0].param("cords") == 256
    assert not codes(same)["cords-through-the-rack"]


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


def test_the_guides_own_trunk_can_be_ordered(tmp_path: Path) -> None:
    """The overlay of docs/room.md, word for word."""
    guide = (Path(__file__).parents[2] / "docs" / "room.md").read_text(encoding="utf-8")
    source, trunk = re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)
    for folder, block in (("sources", source), ("fibres", trunk)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ours.yaml").write_text(block, encoding="utf-8")
    plan = design(parse_requirement(asked(run={"trunk": "our-trunk-24"})), load_catalog(tmp_path))
    line = next(line for line in plan.bom.lines if line.key == "our-trunk-24")
    assert (line.pn, line.quantity) == ("OUR-24-020", 11)


def test_a_node_side_that_nobody_knows_is_told_where_it_may_cost_length(catalog: Catalog) -> None:
    def told(room: dict[str, Any], flow: str = "C2P") -> list[int | float | str | None]:
        plan = design(parse_requirement(asked(16, fabric={"airflow": flow}, room={"panels": None, **room})), catalog)
        return [item.param("links") for item in codes(plan)["node-side-unknown"]]

    assert told({}) == [128]
    assert told({"node_ports": "rear"}) == told({"pass_through_mm": 0}) == told({}, "P2C") == []


def test_panels_are_told_as_pieces_and_trunks_as_fibres(panelled: Plan) -> None:
    told = codes(panelled)
    (panels,) = told["generic-piece"]
    assert panels.param("quantity") == sum(line.quantity for line in panelled.bom.lines if line.kind == "accessory")
    assert all(float(str(item.param("longest_m"))) > 0 for item in told["generic-part"])


def test_the_first_sheet_takes_its_examples_from_a_cable_without_panels(panelled: Plan) -> None:
    book = openpyxl.load_workbook(io.BytesIO(render(panelled, "crew")["crew/crew.xlsx"]))
    told = {str(row[0]): str(row[1]) for row in book["Read first"].iter_rows(min_row=2, values_only=True)}
    for topic in ("Ends", "Labels", "Ports"):
        assert "panel-" not in told[topic]
    names = panelled.device_names()
    assert sum(name in told["Ends"] for name in names) == 2 and any(name in told["Ports"] for name in names)
    assert "lower end" not in told["Ends"]
