"""OpenSM routes our fabrics: ftree, no fallback, no credit loop, and no more flows on a link than the ratio says.

The subnet manager assigns routes by the ports that it finds. If a port of the plan stood elsewhere, ftree would fall
back or the shift test would count more flows. Where a count of 2 at 1:1 is known to be out of reach of static routing,
the plan must carry the finding that says so.
"""

from __future__ import annotations

import math
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.requirement import parse_requirement
from tests.conftest import PlanOf
from tests.oracles.support.subnet import (
    Sweep,
    deadlock_report,
    missing_programs,
    net_file,
    padded_order,
    routes,
    shift_loads,
    sweep,
)

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(bool(missing_programs()), reason=f"not installed: {', '.join(missing_programs())}"),
]
SLOW = pytest.mark.skipif(
    not os.environ.get("FABRICPLAN_SLOW_ORACLES"), reason="about a minute: set FABRICPLAN_SLOW_ORACLES=1"
)
H100 = {"platform": "dgx-h100"}
SHIFTS = 160


def shifts(size: int) -> list[int]:
    """Return all shifts of a small order; of a large one the short ones and an even sample."""
    if size <= 600:
        return list(range(1, size))
    return sorted({*range(1, 33), *range(1, size, max(1, size // SHIFTS))})


def allowed(plan: Plan) -> int:
    """Return the flows on the fullest link that the leaf's ratio makes unavoidable, as the links show it."""
    sizing = plan.fabrics[0]
    shape = sizing.shape
    return math.ceil(Fraction(shape.hosts_per_leaf * sizing.link_gbps, shape.uplinks * sizing.uplink_gbps))


def judge(plan: Plan, folder: Path, plane: int = 0) -> Sweep:
    """Sweep the plan and check all but the shift count."""
    found = sweep(plan, folder, plane)
    assert found.up, found.log[-2000:]
    assert found.fat_tree, found.log[-2000:]
    assert "no credit loops found" in deadlock_report(found)
    return found


@pytest.mark.parametrize(
    ("group", "fabric"),
    [
        ({"nodes": 16, **H100}, {"rate": "ndr"}),
        ({"nodes": 31, **H100}, {"rate": "ndr"}),
        ({"nodes": 95, **H100}, {"rate": "ndr", "reserve_ports": 4}),
        ({"nodes": 100, **H100}, {"rate": "ndr"}),
        ({"nodes": 127, **H100}, {"rate": "ndr", "reserve_ports": 4}),
        ({"nodes": 160, **H100}, {"rate": "ndr"}),
        ({"nodes": 100, **H100}, {"rate": "ndr", "oversubscription": ["2:1"]}),
        ({"nodes": 128}, {"rate": "xdr"}),
        ({"nodes": 64, "grow_to": 128, **H100}, {"rate": "ndr"}),
        pytest.param({"nodes": 512, **H100}, {"rate": "ndr"}, marks=SLOW),
    ],
    ids=["16", "31", "95+4", "100", "127+4", "160", "100-2to1", "128-xdr", "64-of-128", "512-three"],
)
def test_routed_without_a_shared_link(
    plan_of: PlanOf, tmp_path: Path, group: dict[str, Any], fabric: dict[str, Any]
) -> None:
    plan = plan_of(group, fabric)
    tables = routes(judge(plan, tmp_path))
    order = padded_order(plan)
    assert max(shift_loads(tables, order, shifts(len(order)))) == allowed(plan)


def test_three_tiers_of_hdr_have_cores_for_every_spine_index(plan_of: PlanOf, tmp_path: Path) -> None:
    """56+70+32 would be two switches fewer, but spines that share cores make OpenSM lay two flows on some links."""
    plan = plan_of({"nodes": 128}, {"rate": "hdr"})
    sizing = plan.fabrics[0]
    assert (sizing.leaf_count, sizing.spine_count, sizing.core_count) == (64, 64, 32)
    tables = routes(judge(plan, tmp_path))
    order = padded_order(plan)
    assert max(shift_loads(tables, order, shifts(len(order)))) == 1


PODS_OF_UNITS = [
    ({"nodes": 96, **H100}, {"rate": "ndr", "tiers": 3}, 3),
    pytest.param({"nodes": 448, **H100}, {"rate": "ndr"}, 7, marks=SLOW),
]


@pytest.mark.parametrize(("group", "fabric", "pods"), PODS_OF_UNITS, ids=["96-three", "448-three"])
def test_pods_of_units_want_the_lowest_guid_first(
    plan_of: PlanOf, tmp_path: Path, group: dict[str, Any], fabric: dict[str, Any], pods: int
) -> None:
    """OpenSM numbers leaves from the lowest GUID on: that leaf first, the others of its pod by the spines' ports. Where
    it is not the pod's first, that pod's destinations take other links to the cores than those of the other pods, and
    shifts that reach two pods from one put two flows on some link. So a plan of this kind tells which switch to mount
    where."""
    plan = plan_of(group, fabric)
    shape = plan.fabrics[0].shape
    assert (shape.pod_count, shape.pod_kind, plan.fabrics[0].oversubscription) == (pods, "units", "1:1")
    assert "first-leaf-guid" in {note.code for note in plan.findings}
    order = padded_order(plan)
    counted = shifts(len(order))
    for first, worst in (("leaf-su001-r0", 1), ("leaf-su001-r7", 2)):
        assert first in plan.device_names()
        folder = tmp_path / first
        folder.mkdir()
        found = sweep(plan, folder, text=net_file(plan, first=first))
        assert found.up and found.fat_tree
        loads = shift_loads(routes(found), order, counted)
        assert max(loads) == worst, first
    assert loads[2] * 50 < loads[1]


def test_pods_of_a_rail_take_any_leaf_first(plan_of: PlanOf, tmp_path: Path) -> None:
    plan = plan_of({"nodes": 128}, {"rate": "hdr"})
    assert plan.fabrics[0].shape.pod_kind == "rails"
    assert "first-leaf-guid" not in {note.code for note in plan.findings}
    assert "leaf-su003-r5" in plan.device_names()
    found = sweep(plan, tmp_path, text=net_file(plan, first="leaf-su003-r5"))
    assert found.up and found.fat_tree
    order = padded_order(plan)
    assert max(shift_loads(routes(found), order, shifts(len(order)))) == 1


def test_pods_of_unlike_groups_are_accepted(catalog: Catalog, tmp_path: Path) -> None:
    """Eight-port nodes beside one-port nodes: pods of either, equal in leaves, spines and links."""
    request = {
        "groups": [{"nodes": 128}, {"name": "b", "nodes": 40}],
        "fabrics": [{"rate": "hdr", "attached": [{"group": "node"}, {"group": "b", "ports_per_node": 1}]}],
    }
    plan = design(parse_requirement(request), catalog)
    assert plan.fabrics[0].shape.tiers == 3 and len({ports.leaves_per_unit for ports in plan.fabrics[0].groups}) == 2
    judge(plan, tmp_path)


def test_each_rail_plane_is_a_subnet(plan_of: PlanOf, tmp_path: Path) -> None:
    plan = plan_of({"nodes": 128, **H100}, {"rate": "ndr", "planes": "rail"})
    for plane in (1, 8):
        folder = tmp_path / str(plane)
        folder.mkdir()
        tables = routes(judge(plan, folder, plane))
        order = padded_order(plan, plane)
        assert max(shift_loads(tables, order, shifts(len(order)))) == allowed(plan) == 1


def test_the_judge_can_say_no(plan_of: PlanOf, tmp_path: Path) -> None:
    """A missing uplink makes ftree give up; a table read wrongly would pass everything."""
    plan = plan_of({"nodes": 64, **H100}, {"rate": "ndr"})
    whole = net_file(plan)
    cut = [
        line
        for line in whole.splitlines()
        if not (line.startswith("[33]") and '"spine-01"[1]' in line) and line != '[1]\t"leaf-su01-r0"[33]'
    ]
    assert len(cut) == len(whole.splitlines()) - 2
    found = sweep(plan, tmp_path, text="\n".join(cut))
    assert found.up and not found.fat_tree
