"""Reserved ports where nodes fill every leaf: a leaf for managers alone, if that is cheaper than a further unit."""

from __future__ import annotations

import pytest

from fabricplan.renderers import render
from tests.conftest import PlanOf
from tests.properties.invariants import assert_sound


@pytest.mark.parametrize(("nodes", "boxes"), [(32, (9, 8, 0)), (64, (17, 16, 0))])
def test_one_leaf_more_holds_the_managers(plan_of: PlanOf, nodes: int, boxes: tuple[int, int, int]) -> None:
    plan = plan_of({"nodes": nodes, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 4})
    assert_sound(plan)
    fabric = plan.fabrics[0]
    assert (fabric.leaf_count, fabric.spine_count, fabric.core_count) == boxes
    assert fabric.oversubscription == "1:1"
    assert {note.code for note in plan.findings} >= {"manager-leaf"}
    assert [note.code for note in plan.findings if note.severity == "error"] == []
    assert render(plan, "svg")


def test_the_ways_out_of_a_full_fabric_tell_its_switches(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, "platform": "dgx-h100"}, {"rate": "ndr"})
    note = next(note for note in plan.findings if note.code == "no-port-for-ufm")
    assert (note.param("fewer"), note.param("further")) == ("24", "33")


def test_no_leaf_more_where_ports_are_free(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 63, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 4})
    assert plan.fabrics[0].shape.manager_leaves == 0
    assert plan.fabrics[0].switch_count == 24
