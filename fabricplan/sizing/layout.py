"""The units of a fabric as arrays: which unit holds which nodes, in the final stage and today.

Units belong to one group each, one group after the other; in a ``pooled`` fabric all groups share all units::

    not pooled   unit: 0 1 2 3 4        group a: 0 1 2   group b: 3 4
    pooled       unit: 0 1 2            group a: 0 1 2   group b: 0 1 2, on the ports behind a's
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fabricplan.sizing.shape import GroupPorts, Shape
from fabricplan.values import IntArray


class GroupUnits(NamedTuple):
    """One group's nodes by unit.

    Attributes:
        unit: the units (from 0) that hold some of its nodes, in order.
        nodes: its nodes of the final stage in each.
        first: number (from 0) of the first of them in the group's order.
        offset: ports of each leaf that groups before it take.
        today: how many of them stand today.
    """

    unit: IntArray
    nodes: IntArray
    first: IntArray
    offset: IntArray
    today: IntArray


class UnitLayout(NamedTuple):
    """All units.

    Attributes:
        first_leaf: number (from 0) of the first leaf of each unit.
        leaves: leaves of each unit.
        used: endpoints on each leaf of the unit in the final stage.
        load: the same today.
        groups: one entry per group of the fabric.
        built: units whose leaves stand today.
    """

    first_leaf: IntArray
    leaves: IntArray
    used: IntArray
    load: IntArray
    groups: tuple[GroupUnits, ...]
    built: npt.NDArray[np.bool_]


def built_numbers(group: GroupPorts) -> IntArray:
    """Return the numbers (from 0, in the final order) of a group's members that stand today."""
    if not group.built:
        return np.arange(group.nodes)
    return np.concatenate([np.arange(first, first + count) for first, count in group.built])


def unit_layout(shape: Shape, groups: Sequence[GroupPorts]) -> UnitLayout:
    """Return the units of a shape. Arrays are as long as there are units; no link is enumerated."""
    by_group = []
    start = 0
    for group in groups:
        runs = [run for run in shape.units if run.group == group.group]
        nodes = np.repeat([run.nodes_each for run in runs], [run.unit_count for run in runs]).astype(np.int64)
        unit = np.arange(nodes.size) + (0 if shape.pooled else start)
        start += nodes.size
        first = np.cumsum(nodes) - nodes
        number = built_numbers(group)
        today = np.bincount(np.searchsorted(first + nodes, number, side="right"), minlength=nodes.size)
        by_group.append((group, unit, nodes, first, today))
    count = max((int(unit[-1]) + 1 for _, unit, _, _, _ in by_group if unit.size), default=0)
    leaves, used, load = (np.zeros(count, np.int64) for _ in range(3))
    rows = []
    for group, unit, nodes, first, today in by_group:
        rows.append(GroupUnits(unit, nodes, first, used[unit].copy(), today))
        leaves[unit] = np.maximum(leaves[unit], group.leaves_per_unit)
        used[unit] += nodes * group.rails_per_leaf
        load[unit] += today * group.rails_per_leaf
    if shape.manager_leaves:
        leaves = np.append(leaves, shape.manager_leaves)
        used, load = np.append(used, 0), np.append(load, 0)
    first_leaf = np.cumsum(leaves) - leaves
    if shape.tiers == 1 and shape.leaf_count == 1:
        first_leaf, leaves = first_leaf * 0, leaves * 0 + 1
    whole = shape.leaves_today == shape.leaf_count or bool(shape.manager_leaves)
    built = np.ones(leaves.size, bool) if whole else load > 0
    built[: shape.reserved_leaves] = True
    return UnitLayout(first_leaf, leaves, used, load, tuple(rows), built)


def pods_built(shape: Shape, groups: Sequence[GroupPorts]) -> IntArray:
    """Return the pods (from 0) of which a leaf stands today, of a fabric of three tiers."""
    layout = unit_layout(shape, groups)
    blocks = np.unique(pod_blocks(shape, layout)[layout.load > 0])
    if shape.pod_kind != "rails":
        return blocks
    rails = groups[0].leaves_per_unit
    return (np.arange(rails)[:, None] * (shape.pod_count // rails) + blocks).ravel()


def pod_blocks(shape: Shape, layout: UnitLayout) -> IntArray:
    """Return the pod (from 0) of every unit of a fabric of three tiers; where a pod holds the leaves of one rail, the
    number of its pod among those of the rail."""
    if shape.pod_kind == "rails":
        return np.arange(layout.leaves.size) // shape.units_per_pod
    return layout.first_leaf // shape.leaves_per_pod


def node_places(units: GroupUnits, group: GroupPorts) -> tuple[IntArray, IntArray]:
    """Return the unit and the slot within it (both from 0) of every member of a group that stands today."""
    number = built_numbers(group)
    place = np.searchsorted(units.first + units.nodes, number, side="right")
    return units.unit[place], number - units.first[place]
