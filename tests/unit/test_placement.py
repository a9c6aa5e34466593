"""Racks and lengths: the formula by hand, uniform lengths, nothing on top of anything."""

from __future__ import annotations

import numpy as np
import pytest

from fabricplan.placement import FLOOR_MM, NETWORK_RACK, NODE_RACK, required_lengths
from fabricplan.plan import Plan
from tests.conftest import PlanOf
from tests.properties.invariants import assert_places

H100 = {"platform": "dgx-h100"}


def by_hand(plan: Plan, a: int, b: int) -> int:
    """Return the required length between two devices, from the settings of the default room."""
    rack, u = plan.placement.places.rack, plan.placement.places.u
    row, position = plan.placement.racks.row, plan.placement.racks.position
    if rack[a] == rack[b]:
        raw = abs(int(u[a]) - int(u[b])) * 44.45 + 2 * 500
    else:
        raw = 2 * 500.0
        for device in (a, b):
            raw += max(2300 - (FLOOR_MM + int(u[device]) * 44.45), 0)
        raw += abs(int(position[rack[a]]) - int(position[rack[b]])) * 600
        raw += abs(int(row[rack[a]]) - int(row[rack[b]])) * 2400
    return int(np.ceil(round(raw * 1.10, 6))) + 300


@pytest.mark.parametrize("nodes", [16, 128])
def test_lengths_by_hand(plan_of: PlanOf, nodes: int) -> None:
    plan = plan_of({"nodes": nodes, **H100}, {"rate": "ndr"})
    links = plan.topology.links
    lower, upper = links.wide("lower"), links.wide("upper")
    found = required_lengths(plan.placement, plan.requirement.room, lower, upper)
    for link in range(0, len(links), 37):
        assert found[link] == by_hand(plan, int(lower[link]), int(upper[link]))


def test_one_length_for_all(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 16, **H100}, {"rate": "ndr"}, room={"uniform_length_mm": 12_000})
    assert set(plan.cabling.cables.required_mm.tolist()) == {12_000}
    assert plan.cabling.length_source == "uniform"
    assert {part.length_mm for part in plan.cabling.cable_parts} == {15_000}


@pytest.mark.parametrize("nodes", [1, 8, 33, 128, 512])
def test_nothing_stands_on_anything(plan_of: PlanOf, nodes: int) -> None:
    assert_places(plan_of({"nodes": nodes, **H100}, {"rate": "ndr"}))


def test_nodes_of_a_unit_stand_together_and_four_in_a_rack(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 128, **H100}, {"rate": "ndr"})
    devices, places = plan.topology.devices, plan.placement.places
    nodes = devices.kind == 0
    assert np.unique(places.rack[nodes], return_counts=True)[1].tolist() == [4] * 32
    units = {
        int(rack): set(devices.unit[nodes & (places.rack == rack)].tolist()) for rack in np.unique(places.rack[nodes])
    }
    assert all(len(unit) == 1 for unit in units.values())
    kinds = plan.placement.racks.kind
    assert set(kinds[places.rack[nodes]].tolist()) == {NODE_RACK}
    assert set(kinds[places.rack[devices.kind == 2]].tolist()) == {NETWORK_RACK}


def test_rows_keep_to_the_asked_width(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 128, **H100}, {"rate": "ndr"}, room={"racks_per_row": 12, "nodes_per_rack": 2})
    assert plan.placement.racks.position.max() <= 12
    names = plan.placement.rack_names()
    assert len(set(names)) == len(names)
    assert_places(plan)
