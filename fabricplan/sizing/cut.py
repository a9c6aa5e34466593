"""Bandwidth across the narrowest half cut, and the ratios of what stands today, in closed form."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fabricplan.sizing.layout import pod_blocks, unit_layout
from fabricplan.sizing.shape import FabricSizing, GroupPorts, Shape


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


def interim_ratios(sizing: FabricSizing) -> tuple[str, str]:
    """Return the ratios of the leaf and the spine tier of what stands today, by bandwidth, at their worst.

    ::

        leaf     rate x endpoints of the fullest leaf  :  its uplinks
        spine    what the leaves of the fullest pod can send up  :  the uplinks of its spines

    Where leaves are not full yet this is better than the final ratio; spines and cores that wait are not counted, and
    without cores nothing leaves the only pod.
    """
    shape = sizing.shape
    if shape.leaf_count == 1 or (shape.tiers == 1 and not shape.direct_pair):
        return "1:1", "1:1"
    leaves, _ = _loads(shape, sizing.groups)
    up = shape.uplinks * sizing.uplink_gbps
    leaf = ratio(max(leaves) * sizing.link_gbps, up)
    if not shape.cores_today:
        return leaf, "1:1"
    layout = unit_layout(shape, sizing.groups)
    block, each = pod_blocks(shape, layout), 1 if shape.pod_kind == "rails" else layout.leaves
    send = np.minimum(layout.load * sizing.link_gbps, up) * each
    climb = shape.spines_per_pod * shape.spine_uplinks * sizing.uplink_gbps
    return leaf, ratio(int(np.bincount(block, send).max()), climb)


def ratio(down: int, up: int) -> str:
    """Return a ratio by bandwidth in lowest terms; more uplink than downlink is 1:1."""
    if up == 0 or down <= up:
        return "1:1"
    shrink = math.gcd(down, up)
    return f"{down // shrink}:{up // shrink}"


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
