"""What documents and rules say of a customer's room: heights of racks, panels, kinds of cables, the stage."""

from __future__ import annotations

import csv
import io
import time
from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import RequirementError
from fabricplan.files import load_requirement
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.readers.positions import read_positions
from fabricplan.renderers import render
from fabricplan.requirement import parse_requirement
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


def test_a_position_in_a_panels_units_names_its_run(panelled: Plan, catalog: Catalog) -> None:
    told = positions(panelled)
    number = next(place for place, item in enumerate(told) if item["device"].startswith("leaf"))
    told[number] |= {"rack": "A08", "u": 45}
    with pytest.raises(RequirementError) as caught:
        design(parse_requirement(asked(positions=told)), catalog)
    (found,) = caught.value.problems
    assert (found.code, found.where) == ("position-panel", f"positions[{number}].u")
    assert "takes unit 45 of rack A08, in which a panel of AB stands" in found.message
    assert "AB 的配线架" in problem_text(found, "zh")[0]


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
