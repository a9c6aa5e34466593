"""Growth towards one final size never touches what stands: names, ports, racks, cables and modules stay."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from fabricplan.plan import Plan
from fabricplan.values import IntArray
from tests.conftest import PlanOf
from tests.properties.invariants import assert_sound

H100 = {"platform": "dgx-h100"}


def standing(plan: Plan) -> tuple[dict[str, int], IntArray]:
    """Return the device rows by name and, for every link, all that must stay, as rows of integers."""
    links, places, cabling = plan.topology.links, plan.placement.places, plan.cabling
    cable = cabling.links.wide("cable")
    parts = np.array([hash((part.family, part.length_mm)) for part in cabling.cable_parts], np.int64)
    # the number in a cable's id: what is written on its labels
    number = np.where(cable >= 0, np.append(cabling.cable_numbers, 0)[cable], -1)
    part = np.where(cable >= 0, parts[cabling.cables.wide("part")[cable]], -1) if parts.size else cable
    rows = [links.wide(name) for name in links.columns]
    for end in ("lower", "upper"):
        rows += [places.wide(name)[links.wide(end)] for name in ("rack", "u")]
    return {name: row for row, name in enumerate(plan.device_names())}, np.stack([*rows, part, number], axis=1)


def modules(plan: Plan, device: IntArray) -> IntArray:
    """Return fabric, device (renumbered), cage and a hash of the module, sorted."""
    rows = plan.cabling.transceivers
    keys = np.array([hash(key) for key in plan.cabling.transceiver_parts] or [0], np.int64)
    table = np.stack(
        [rows.wide("fabric"), device[rows.wide("device")], rows.wide("cage"), keys[rows.wide("part")]], axis=1
    )
    return np.asarray(table[np.lexsort(table.T[::-1])], np.int64)


def assert_grows(plans: Sequence[Plan]) -> None:
    """Every link of a step is, unchanged, a link of the next; nothing new takes a port that was taken."""
    for before, after in itertools.pairwise(plans):
        names, old = standing(before)
        totals = [plan.cabling.final_count or len(plan.cabling.cables) for plan in (before, after)]
        assert totals[0] == totals[1], "ids take their digits from the final stage"
        later, new = standing(after)
        device = np.array([later[name] for name in names], np.int64)  # KeyError: a device was renamed
        moved = old.copy()
        lower, upper = (list(before.topology.links.columns).index(end) for end in ("lower", "upper"))
        moved[:, lower], moved[:, upper] = device[old[:, lower]], device[old[:, upper]]
        kept = {tuple(row) for row in new.tolist()}
        lost = [row for row in moved.tolist() if tuple(row) not in kept]
        assert not lost, f"{len(lost)} of {len(moved)} links changed"
        known = {tuple(row) for row in modules(after, np.arange(len(later))).tolist()}
        assert all(tuple(row) in known for row in modules(before, device).tolist())


@pytest.mark.parametrize(
    ("group", "fabric", "steps"),
    [
        (H100, {"rate": "ndr"}, (8, 31, 32, 64, 100, 128)),
        (H100, {"rate": "ndr", "reserve_ports": 4, "reserve_adapter": "MCX75310AAS-NEAT"}, (8, 31, 64, 127)),
        ({}, {"rate": "xdr"}, (8, 64, 144, 256)),
        ({}, {"rate": "hdr100"}, (5, 33, 63, 200)),
        ({}, {"rate": "ndr200"}, (5, 33, 256)),
        ({"platform": "dgx-b300"}, {"rate": 400, "technology": "roce", "planes": 2}, (8, 63, 128)),
        ({"ports": 1}, {"rate": "edr", "reserve_ports": 3}, (1, 17, 18, 100, 300)),
        ({}, {"rate": "xdr", "leaf": "Q3200-RA"}, (3, 33, 72)),
    ],
    ids=["ndr", "ndr-reserved", "xdr", "hdr100", "ndr200", "two-planes", "edr-packed", "two-in-a-box"],
)
def test_two_tiers(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], steps: tuple[int, ...]) -> None:
    plans = [plan_of({**group, "nodes": step, "grow_to": steps[-1]}, fabric) for step in steps]
    assert {plan.fabrics[0].shape.tiers for plan in plans} == {2}
    for plan in plans[:2]:
        assert_sound(plan)
    assert_grows(plans)


@pytest.mark.parametrize(
    ("group", "fabric", "steps"),
    [
        (H100, {"rate": "ndr"}, (8, 64, 130, 256, 512)),
        ({}, {"rate": "hdr"}, (8, 64, 100, 128)),
        ({"ports": 1}, {"rate": "hdr"}, (10, 100, 1200)),
    ],
    ids=["ndr", "hdr", "hdr-packed"],
)
def test_three_tiers(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], steps: tuple[int, ...]) -> None:
    plans = [plan_of({**group, "nodes": step, "grow_to": steps[-1]}, fabric) for step in steps]
    assert {plan.fabrics[0].shape.tiers for plan in plans} == {3}
    assert_sound(plans[0])
    assert_grows(plans)


def test_from_8_to_16384_nodes_on_rail_planes(plan_of: PlanOf) -> None:
    steps = (8, 32, 256, 2048)
    fabric = {"rate": "ndr", "planes": "rail"}
    plans = [plan_of({**H100, "nodes": step, "grow_to": 16384}, fabric) for step in steps]
    assert_grows(plans)
    final = plan_of({**H100, "nodes": 16384, "grow_to": 16384}, fabric)
    sizing = final.fabrics[0]
    assert (sizing.leaf_count, sizing.spine_count, sizing.core_count) == (4096, 4096, 2048)
    assert_grows([plans[0], final])


def test_a_plan_at_its_final_size_is_the_end_of_its_growth(plan_of: PlanOf) -> None:
    """``grow_to`` of today's size lays out as the last of several steps does, and as no growth does in names."""
    grown = plan_of({**H100, "nodes": 128, "grow_to": 128}, {"rate": "ndr"})
    plain = plan_of({**H100, "nodes": 128}, {"rate": "ndr"})
    assert grown.topology == plain.topology
    assert grown.cabling == plain.cabling
