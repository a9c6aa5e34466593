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

from fabricplan.plan import Plan
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


@SLOW
def test_seven_pods_drift_on_a_handful_of_links(plan_of: PlanOf, tmp_path: Path) -> None:
    """448 nodes are 7 pods: ftree's counters of the 32 links to the cores meet 6 x 512 other hosts, and a few shifts
    find two flows on single links. 8 pods (512 nodes) find none."""
    plan = plan_of({"nodes": 448, **H100}, {"rate": "ndr"})
    assert (plan.fabrics[0].shape.pod_count, plan.fabrics[0].oversubscription) == (7, "1:1")
    order = padded_order(plan)
    loads = shift_loads(routes(judge(plan, tmp_path)), order, shifts(len(order)))
    assert max(loads) <= 2
    assert loads[2] * 1000 < loads[1]


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
