"""Growth with management networks: today's leaves are those that today's devices need, and nothing moves later."""

from __future__ import annotations

from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.requirement import parse_requirement
from tests.properties.invariants import assert_sound
from tests.properties.test_growth import assert_grows
from tests.unit.test_networks import four

EXTRA = 108


def steps(catalog: Catalog, request: dict[str, Any], *nodes: int) -> list[Plan]:
    """Design a request at several sizes of its first group, the last being the final one."""
    plans = []
    for count in nodes:
        first = {**request["groups"][0], "nodes": count, "grow_to": nodes[-1]}
        asked = {**request, "groups": [first, *request["groups"][1:]]}
        plans.append(design(parse_requirement(asked), catalog))
    return plans


def test_out_of_band_leaves_come_with_what_they_manage(catalog: Catalog) -> None:
    plans = steps(catalog, four(), 8, 40, 64, 100, 127)
    for plan in plans:
        assert_sound(plan)
        oob = plan.fabrics[3]
        assert oob.endpoints == plan.nodes + 16 + sum(fabric.box_count for fabric in plan.fabrics[:3])
        needed = -(-(oob.endpoints + EXTRA) // 48)
        # boxes come a unit at a time, nodes one by one: at most one leaf is begun early
        assert needed <= oob.leaf_count <= needed + 1
    assert [plan.fabrics[3].leaf_count for plan in plans] == [4, 5, 6, 7, 7]
    assert [plan.fabrics[2].leaf_count for plan in plans] == [2, 6, 6, 10, 10]
    assert [plan.fabrics[1].leaf_count for plan in plans] == [2, 4, 6, 8, 10]
    assert_grows(plans)


def test_the_final_stage_is_no_larger_than_without_growth(catalog: Catalog) -> None:
    request = four(128)
    request["fabrics"][0] = {"rate": "ndr"}  # reserved ports of a fabric that grows stand in its first unit
    grown, plain = steps(catalog, request, 128)[0], design(parse_requirement(request), catalog)
    assert [item.switch_count for item in grown.fabrics] == [item.switch_count for item in plain.fabrics]


@pytest.mark.parametrize(
    ("nodes", "compute", "oob"),
    [
        ((10, 40, 128), {"rate": "hdr"}, {}),  # three tiers: pods come one by one, cores with the second
        ((8, 30, 64), {"rate": "xdr", "leaf": "Q3200-RA", "spine": "Q3200-RA"}, {}),  # two switches in a box
        ((8, 100, 200), {"rate": 400, "technology": "roce", "planes": 2}, {"extra_ports": 30}),
        ((4, 40, 128), {"rate": "ndr", "management": "mixed:4"}, {}),  # most switches have no management port
        ((3, 90, 300), {"rate": "ndr", "planes": "rail"}, {"extra_ports": 150}),
    ],
    ids=["three-tiers", "twins", "planes", "mixed", "rail-planes"],
)
def test_every_kind_of_fabric_grows_with_its_management(
    catalog: Catalog, nodes: tuple[int, ...], compute: dict[str, Any], oob: dict[str, Any]
) -> None:
    request = {
        "groups": [{}],
        "fabrics": [compute, {"name": "oob", "network": "oob", "technology": "ethernet", "rate": 1, **oob}],
    }
    plans = steps(catalog, request, *nodes)
    for plan in plans:
        assert_sound(plan)
    first, last = plans[0].fabrics[1], plans[-1].fabrics[1]
    assert first.leaf_count < last.leaf_count
    assert first.leaf_count - -(-(first.endpoints + first.reserve_ports) // 48) <= 1
    assert_grows(plans)


def test_two_groups_that_grow_apart(catalog: Catalog) -> None:
    """One group is complete while the other has begun: their leaves fill by share, and still nothing moves."""
    attached = [{"group": "node"}, {"group": "b"}]
    plans = []
    for first, second in ((4, 4), (64, 4), (64, 32), (64, 64)):
        groups = [{"nodes": first, "grow_to": 64}, {"name": "b", "nodes": second, "grow_to": 64}]
        fabrics = [
            {"rate": "ndr", "attached": attached},
            {"name": "oob", "network": "oob", "technology": "ethernet", "rate": 1, "attached": attached},
        ]
        plans.append(design(parse_requirement({"groups": groups, "fabrics": fabrics}), catalog))
        assert_sound(plans[-1])
    assert_grows(plans)
