"""What documents and rules say of a customer's room: heights of racks, panels, kinds of cables, the stage."""

from __future__ import annotations

import csv
import io
import json
import time
from collections import Counter
from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import RequirementError
from fabricplan.files import load_requirement
from fabricplan.pipeline import design
from fabricplan.placing import weigh
from fabricplan.plan import Plan, dumps, loads
from fabricplan.readers.positions import read_positions
from fabricplan.recheck import recheck
from fabricplan.renderers import render
from fabricplan.requirement import parse_requirement
from fabricplan.schedule import cable_rows
from fabricplan.wording import text
from fabricplan.wording.problems import problem_text
from tests.conftest import PlanOf, request
from tests.unit.panelled import asked


@pytest.fixture(scope="module")
def halls(catalog: Catalog) -> Plan:
    """The example of two halls: racks of 48 and 52 units, patch panels between the halls."""
    return design(load_requirement("examples/two-halls.yaml"), catalog)


@pytest.fixture(scope="module")
def panelled(catalog: Catalog) -> Plan:
    return design(parse_requirement(asked()), catalog)


def rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


def positions(plan: Plan) -> list[dict[str, Any]]:
    racks = plan.placement.rack_names()
    return [{"device": name, "rack": racks[rack], "u": u} for name, (rack, u, _) in
            zip(plan.device_names(), plan.placement.places.rows(), strict=True)]  # fmt: skip


def test_netbox_knows_every_racks_own_height(halls: Plan) -> None:
    files = render(halls, "netbox")
    heights = {row["name"]: int(row["u_height"]) for row in rows(files["netbox/3-racks.csv"])}
    assert heights["A01"] == 48 and heights["B01"] == 52
    placed = [row for row in rows(files["netbox/4-devices.csv"]) if row["position"]]
    assert placed and all(int(row["position"]) <= heights[row["rack"]] for row in placed)


@pytest.mark.parametrize("place_for", ["cost", "reach"])
def test_positions_of_a_growing_fabric_are_where_it_was_placed_for(
    plan_of: PlanOf, catalog: Catalog, place_for: str
) -> None:
    """Given back as positions, the file moves nothing that stands."""
    asked = ({"nodes": 20, "grow_to": 40}, {"rate": "edr"})
    plan = plan_of(*asked, place_for=place_for)
    told = read_positions(render(plan, "positions")["positions.csv"], "p.csv")
    stands = {item["device"]: (item["rack"], item["u"]) for item in positions(plan)}
    assert {item.device: (item.rack, item.u) for item in told if item.device in stands} == stands
    again = design(parse_requirement({**request(*asked), "positions": told}), catalog)
    assert again.placement.places == plan.placement.places


@pytest.mark.parametrize(("lang", "words"), [("en", "(trunks)"), ("zh", "（主干光缆）")])
def test_the_floor_plan_names_the_cables_without_a_diameter(halls: Plan, lang: str, words: str) -> None:
    floor = render(halls, "elevations", lang)["elevations/floor.svg"].decode()
    assert words in floor and "twisted pair" not in floor and "双绞线" not in floor


def test_panels_are_drawn_in_fixed_racks_and_are_no_emptiness(catalog: Catalog) -> None:
    """The panels of end a stand in a rack that is not ours to fill, those of end b alone in a rack."""
    request = asked()
    room = request["room"]
    room["rows"][1]["racks"] = 13
    room["racks"] += [{"row": "A", "position": 1, "kind": "fixed"},
                      {"row": "B", "position": 13, "kind": "network", "reserved": [1]}]  # fmt: skip
    room["panels"][0] |= {"a": {"rack": "A01", "u": 22, "rows": ["A"]}, "b": {"rack": "B13", "u": 40, "rows": ["B"]}}
    plan = design(parse_requirement(request), catalog)
    for lang, words, empty in (("en", "patch panels 4 U", ">empty<"), ("zh", "配线架 4U", ">空柜<")):
        files = render(plan, "elevations", lang)
        for row, panels in (("A", "panel-ab-a0"), ("B", "panel-ab-b0")):
            drawn = files[f"elevations/row-{row}.svg"].decode()
            assert all(f">{panels}{number}<" in drawn for number in range(1, 5))
            assert drawn.count(words) == 1 and empty not in drawn.partition("B13")[2]
    racks = {row["rack"]: row for row in rows(render(plan, "elevations")["elevations/racks.csv"])}
    told = [[racks[name][head] for head in ("units used", "units of panels", "units reserved")]
            for name in ("A01", "B13", "B12")]  # fmt: skip
    assert told == [["0", "4", "0"], ["0", "4", "1"], [racks["B12"]["units used"], "0", "0"]]


@pytest.mark.parametrize(("change", "code", "en", "zh"), [
    ({"reserved": ["30-43"]}, "rack-reserved", "stands in unit 43, which is reserved", "占用预留的第 43U"),
    ({"panels": 40}, "rack-panel", "stands in unit 43, where panel-ab-a04 stands",
     "占用配线架 panel-ab-a04 所在的第 43U"),
    ({"kind": "fixed"}, "rack-fixed", "holds other equipment (kind: fixed)", "为已有设备专用"),
])  # fmt: skip
def test_devices_where_none_may_stand_are_told(
    panelled: Plan, catalog: Catalog, change: dict[str, Any], code: str, en: str, zh: str
) -> None:
    """The room is changed after the plan was made: its leaves stand there."""
    data = json.loads(dumps(panelled))
    room = data["requirement"]["room"]
    if "panels" in change:
        room["panels"][0]["a"]["u"] = change["panels"]
    else:
        room["racks"][0] |= change
    found = [item for item in recheck(loads(json.dumps(data)), catalog) if item.code.startswith("rack-")]
    assert [(item.code, item.severity, item.subject) for item in found] == [(code, "error", "A08")]
    assert en in text(found[0]) and zh in text(found[0], "zh")
    assert not [item for item in panelled.findings if item.code == code]


def test_the_longest_way_through_panels_is_cord_trunk_and_cord(panelled: Plan, catalog: Catalog) -> None:
    ends: dict[tuple[str, str], int] = {}
    ways, trunks = [], []
    for row in cable_rows(panelled):
        inside = [str(device).startswith("panel-") for device in (row.a_device, row.z_device)]
        if inside == [True, True]:
            trunks.append(row)
        elif any(inside):
            panel = (str(row.a_device), str(row.a_port)) if inside[0] else (str(row.z_device), str(row.z_port))
            ends[panel] = int(row.required_mm or 0)
    for row in trunks:
        low, high = (int(port) for port in str(row.a_port).split("-"))
        ways += [ends[str(row.a_device), str(port)] + int(row.required_mm or 0) + ends[str(row.z_device), str(port)]
                 for port in range(low, high + 1) if (str(row.a_device), str(port)) in ends]  # fmt: skip
    longest = weigh(panelled.topology, panelled.cabling, catalog).longest_mm
    assert longest == max(ways) > int(panelled.cabling.cables.required_mm.max())


@pytest.mark.parametrize("place_for", ["cost", "reach"])
def test_numbers_of_the_final_stage_are_called_so(plan_of: PlanOf, place_for: str) -> None:
    asked = ({"nodes": 20, "grow_to": 40}, {"rate": "edr"})
    (told,) = [item for item in plan_of(*asked, place_for=place_for).findings if item.code.startswith("placed-for")]
    assert told.code == f"placed-for-{place_for}-final"
    assert ", at the final stage: leaves placed by" in text(told) and "，终期：Leaf 按" in text(told, "zh")
    (told,) = [item for item in plan_of({"nodes": 40}, {"rate": "edr"}, place_for=place_for).findings
               if item.code.startswith("placed-for")]  # fmt: skip
    assert told.code == f"placed-for-{place_for}" and "final" not in text(told)


def test_a_position_in_a_panels_units_names_it(panelled: Plan, catalog: Catalog) -> None:
    told = positions(panelled)
    number = next(place for place, item in enumerate(told) if item["device"].startswith("leaf"))
    told[number] |= {"rack": "A08", "u": 45}
    with pytest.raises(RequirementError) as caught:
        design(parse_requirement(asked(positions=told)), catalog)
    (found,) = caught.value.problems
    assert (found.code, found.where) == ("position-panel", f"positions[{number}].u")
    assert "takes unit 45 of rack A08, where panel-ab-a02 stands" in found.message
    assert "配线架 panel-ab-a02" in problem_text(found, "zh")[0]


def test_positions_in_the_racks_of_another_room_are_refused_at_once(catalog: Catalog) -> None:
    """Every rack of the file is another's: the nearest is looked for of the first few names only."""
    room = {"rows": [{"name": f"ROW{number:02}", "racks": 40} for number in range(14)]}
    data = request({"nodes": 256, "platform": "dgx-h100"}, {"rate": "ndr"}, room=room)
    told = positions(design(parse_requirement(data), catalog))
    wrong = [{**item, "rack": f"{item['rack']}-{number % 100:02}"} for number, item in enumerate(told)]
    begun = time.perf_counter()
    with pytest.raises(RequirementError) as caught:
        design(parse_requirement({**data, "positions": wrong}), catalog)
    assert time.perf_counter() - begun < 1.5
    codes = Counter(item.code for item in caught.value.problems)
    assert codes == {"position-rack": 20, "position-rack-unknown": 30, "position-more": 1}


def test_the_survey_of_another_plan_is_refused_at_once(catalog: Catalog) -> None:
    """Four thousand rows of names that this plan does not have: the first are told, the others counted."""
    survey = [{"a": f"srv-{number:04}", "b": f"lf-{number % 32:02}", "length_mm": 9_000} for number in range(4_000)]
    asked = parse_requirement(request({"nodes": 256}, {"rate": "ndr"}, lengths=survey))
    begun = time.perf_counter()
    with pytest.raises(RequirementError) as caught:
        design(asked, catalog)
    assert time.perf_counter() - begun < 3
    *listed, more = caught.value.problems
    assert len(listed) == 50 and {item.code for item in listed} == {"length-device"}
    assert (more.code, more.where) == ("length-more", "lengths[25]")
    assert more.message == "7950 further mistakes are not listed" and "7950" in problem_text(more, "zh")[0]
    assert all(item.hint for item in listed) and len({item.hint for item in listed}) > 1
