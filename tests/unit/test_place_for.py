"""``place_for``: the best of a few placements, counted again by hand; nothing changes where it is not asked."""

from __future__ import annotations

from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import RequirementError
from fabricplan.pipeline import design
from fabricplan.plan import Plan, dumps, loads
from fabricplan.recheck import recheck
from fabricplan.requirement import parse_requirement
from fabricplan.wording import text
from tests.conftest import PlanOf, request
from tests.properties.invariants import assert_parts, assert_places, assert_sound

EDR = ({"nodes": 40}, {"rate": "edr"})
NDR = ({"nodes": 24, "platform": "dgx-h100"}, {"rate": "ndr"})


def optical_ends(plan: Plan) -> int:
    """Count the ends of links whose cable is neither copper nor twisted pair, link by link."""
    kinds = {family.id: family.kind for family in plan.products.cables}
    part = plan.cabling.cables.part.tolist()
    ends = 0
    for cable in plan.cabling.links.cable.tolist():
        if cable >= 0 and kinds.get(plan.cabling.cable_parts[part[cable]].family, "fibre") not in (
            "dac", "acc", "twisted-pair"
        ):  # fmt: skip
            ends += 2
    return ends


def longest(plan: Plan) -> int:
    return int(plan.cabling.cables.required_mm.max())


def by_policy(plan_of: PlanOf, asked: Any, **more: Any) -> list[Plan]:
    """Return the plans of every policy for leaves, each asked for by name."""
    rooms: list[dict[str, Any]] = [{}, {"leaves": "top-of-rack"}, {"leaves": "middle-of-row"}]
    return [plan_of(*asked, room=room, **more) for room in rooms]


@pytest.mark.parametrize("asked", [EDR, NDR], ids=["edr", "ndr"])
@pytest.mark.parametrize("place_for", ["cost", "reach"])
def test_the_best_placement_is_taken_and_told(
    plan_of: PlanOf, catalog: Catalog, asked: Any, place_for: str
) -> None:  # fmt: skip
    plan, plain = plan_of(*asked, place_for=place_for), plan_of(*asked)
    choice = plan.placement.choice
    assert choice is not None and plain.placement.choice is None
    assert choice.weight.optical_ends == optical_ends(plan)
    assert choice.weight.transceivers == sum(line.quantity for line in plan.bom.lines if line.kind == "transceiver")
    assert choice.weight.cables == sum(line.quantity for line in plan.bom.lines if line.kind in ("cable", "fibre"))
    assert choice.plain is not None and choice.plain.optical_ends == optical_ends(plain)
    assert choice.plain.longest_mm == longest(plain)
    others = by_policy(plan_of, asked)
    if place_for == "reach":
        assert longest(plan) == min(map(longest, others))
        assert optical_ends(plan) == min(optical_ends(other) for other in others if longest(other) == longest(plan))
    else:
        assert optical_ends(plan) <= min(map(optical_ends, others))
    (told,) = [item for item in plan.findings if item.code == f"placed-for-{place_for}"]
    if place_for == "cost":
        assert f"{optical_ends(plain) - optical_ends(plan):,} optical ends" in text(told)
        assert f"{optical_ends(plain) - optical_ends(plan):,} 个" in text(told, "zh")
    assert recheck(plan, catalog) == plan.findings
    assert loads(dumps(plan)) == plan
    assert_places(plan)
    assert_parts(plan)
    assert_sound(plan)


def test_something_is_saved_by_the_place_alone_and_by_copper(plan_of: PlanOf) -> None:
    """EDR is copper wherever that reaches anyhow: only the place saves. NDR is optics until cost is asked for."""
    edr, ndr = plan_of(*EDR, place_for="cost").placement.choice, plan_of(*NDR, place_for="cost").placement.choice
    assert edr and edr.plain and edr.rule and edr.leaves != "rule"
    assert edr.weight.optical_ends < edr.rule.optical_ends == edr.plain.optical_ends
    assert ndr and ndr.plain and ndr.weight.optical_ends < ndr.plain.optical_ends
    copper = [item for item in plan_of(*NDR, place_for="cost").findings if item.code == "copper-by-estimate"]
    assert copper, "what the estimate decided is told"


def test_a_fabric_that_grows_is_placed_for_its_final_stage(plan_of: PlanOf, catalog: Catalog) -> None:
    today = plan_of({"nodes": 20, "grow_to": 40}, {"rate": "edr"}, place_for="cost")
    final = plan_of({"nodes": 40, "grow_to": 40}, {"rate": "edr"}, place_for="cost")
    assert today.placement.choice == final.placement.choice
    spots = dict(zip(final.device_names(), final.placement.places.rows(), strict=True))
    assert all(spots[name] == spot for name, spot in zip(today.device_names(), today.placement.places.rows(),
                                                         strict=True))  # fmt: skip
    assert recheck(today, catalog) == today.findings


@pytest.mark.parametrize(("more", "told"), [
    ({"room": {"leaves": "top-of-rack"}}, "room.leaves says top-of-rack"),
    ({"room": {"uniform_length_mm": 3000}}, "one uniform length"),
    ({"positions": [{"device": "node-su01-001", "rack": "A01", "u": 1}]}, "the positions are given"),
])  # fmt: skip
def test_no_choice_where_there_is_none(catalog: Catalog, more: dict[str, Any], told: str) -> None:
    with pytest.raises(RequirementError, match=told):
        design(parse_requirement(request(*EDR, place_for="cost", **more)), catalog)
