"""Bandwidth across the narrowest half cut, in closed form."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fabricplan.sizing.layout import unit_layout
from fabricplan.sizing.shape import GroupPorts, Shape


def bisection(shape: Shape, groups: Sequence[GroupPorts], endpoints: int, link_gbps: int, uplink_gbps: int) -> int:
    """Return one direction across the narrowest half cut of one plane, in Gb/s (rounded down, never up).

    The smallest of: what half the endpoints inject, half the leaf-spine bandwidth, half the spine-core bandwidth,
    and, because units and pods may differ by a node, what the fullest leaves or pods that make up half the
    endpoints can send.
    """
    cut = endpoints // 2 * link_gbps
    if shape.direct_pair:
        return min(cut, shape.uplinks * uplink_gbps)
    if shape.tiers == 1 or shape.leaves_today < 2:
        return cut
    leaves, pods = _loads(shape, groups)
    up, most = shape.uplinks * uplink_gbps, max(leaves) * link_gbps
    cut = min(cut, shape.leaves_today * up // 2, _fullest_half(leaves, link_gbps, up, most, up))
    if shape.cores_today:
        core = shape.spines_per_pod * shape.spine_uplinks * uplink_gbps
        cut = min(cut, shape.pods_today * core // 2, _fullest_half(pods, link_gbps, core, most, up))
    return cut


def _loads(shape: Shape, groups: Sequence[GroupPorts]) -> tuple[list[int], list[int]]:
    """Return today's endpoints of every leaf and of every pod of one plane."""
    layout = unit_layout(shape, groups)
    load, count = layout.load, layout.leaves
    leaves = np.repeat(load, count)
    if shape.pod_kind == "rails":
        starts = np.arange(0, load.size, shape.units_per_pod)
        pods = np.repeat(np.add.reduceat(load, starts), count[0])
    else:
        step = shape.leaves_per_pod if shape.tiers == 3 else leaves.size
        pods = np.add.reduceat(leaves, np.arange(0, leaves.size, step))
    return leaves[leaves > 0].tolist(), pods.tolist()


def _fullest_half(loads: Sequence[int], gbps: int, capacity: int, leaf_load: int, leaf_capacity: int) -> int:
    """Return what half the endpoints send when they sit in the fullest groups, each with one capacity upward.

    In the group that is split, whole leaves are filled first.
    """
    left, cut = sum(loads) // 2 * gbps, 0
    for load in sorted(loads, reverse=True):
        taken = min(left, load * gbps)
        whole, rest = divmod(taken, leaf_load)
        cut += min(whole * leaf_capacity + min(rest, leaf_capacity), capacity)
        left -= taken
    return cut
