"""Switches as endpoints of another fabric: their management ports, and the uplinks of out-of-band leaves.

Boxes are numbered as the device table holds them in the final stage: fabric by fabric, plane by plane, leaves,
spines, cores; those of today keep the numbers of the final stage. Where a fabric grows they take their management ports
in the order in which they come, so that the out-of-band leaves come one by one too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from fabricplan.catalog import Catalog
from fabricplan.errors import Problem, RequirementError
from fabricplan.requirement import FabricRequirement, Requirement
from fabricplan.sizing.hosts import MANAGEMENT_CLASS, HostPorts
from fabricplan.sizing.layout import pod_blocks, pods_built, unit_layout
from fabricplan.sizing.shape import FabricSizing
from fabricplan.values import IntArray

MILLION = 1_000_000


class Region(NamedTuple):
    """Boxes of one tier of one plane.

    Attributes:
        fabric: its number in the request.
        plane: from 1.
        tier: 1 leaf, 2 spine, 3 core.
        first: number of its first box.
        box_count: boxes of the final stage that have a management port.
        built: (first, count) within the region of those that stand today.
        per_box: switches in a box.
        comes: share of the growth (in millionths) after which each box stands; 0: from the first day.
    """

    fabric: int
    plane: int
    tier: int
    first: int
    box_count: int
    built: tuple[tuple[int, int], ...]
    per_box: int
    comes: IntArray


def box_places(regions: Sequence[Region]) -> IntArray:
    """Return the place (from 0) of every box in the order in which boxes take management ports."""
    order = np.argsort(np.concatenate([region.comes for region in regions]), kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    return place


def box_regions(sizings: Sequence[tuple[int, FabricSizing]], catalog: Catalog) -> Iterator[Region]:
    """Yield the boxes with a management port of some fabrics, in their order. Externally managed switches have none."""
    first = 0
    for number, sizing in sizings:
        shape = sizing.shape
        tiers = (
            (1, "leaf", shape.leaf, shape.leaf_count), (2, "spine", shape.spine, shape.spine_count),
            (3, "core", shape.core, shape.core_count),
        )  # fmt: skip
        for plane in range(sizing.planes):
            for tier, word, ports, switches in tiers:
                if ports is None or not switches:
                    continue
                model = catalog.switch(ports.model)
                per_box = model.switches_per_box
                count, built = -(-switches // per_box), _built(sizing, tier, per_box)
                if model.managed is False:
                    twins = sizing.managed_per_plane[plane] if sizing.managed_tier == word else 0
                    count, built = min(count, twins), _head(built, twins)
                if count:
                    starts = np.arange(0, switches, per_box)
                    comes = np.minimum.reduceat(_comes(sizing, tier, switches), starts)[:count]
                    yield Region(number, plane + 1, tier, first, count, built, per_box, comes)
                    first += count


def _built(sizing: FabricSizing, tier: int, per_box: int) -> tuple[tuple[int, int], ...]:
    """Return (first, count) of today's boxes of a tier in the final order of one plane."""
    shape = sizing.shape
    if tier == 1:
        if shape.leaf_count == 1 or shape.leaves_today == shape.leaf_count:
            switches = [(0, shape.leaves_today)]
        else:
            layout = unit_layout(shape, sizing.groups)
            switches = [(int(a), int(n)) for a, n in zip(layout.first_leaf, layout.leaves * layout.built, strict=True)]
    elif tier == 2:
        switches = _spines(sizing)
    else:
        switches = [(0, shape.cores_today)]
    boxes = [(first // per_box, -(-(first + count) // per_box) - first // per_box)
             for first, count in switches if count]  # fmt: skip
    merged: list[tuple[int, int]] = []
    for first, count in boxes:
        if merged and first <= sum(merged[-1]):
            start = merged[-1][0]
            merged[-1] = (start, max(sum(merged[-1]), first + count) - start)
        else:
            merged.append((first, count))
    return tuple(merged)


def _comes(sizing: FabricSizing, tier: int, switches: int) -> IntArray:
    """Return the share of the growth (in millionths) after which each switch of a tier stands, by the final stage."""
    shape = sizing.shape
    if not any(group.grows for group in sizing.groups) or shape.leaf_count == 1 or (tier == 2 and shape.tiers == 2):
        return np.zeros(switches, np.int64)
    layout = unit_layout(shape, sizing.groups)
    unit = np.full(layout.leaves.size, MILLION)
    for group, rows in zip(sizing.groups, layout.groups, strict=True):
        later = max(group.nodes_final - group.day_one, 1)
        share = np.maximum(rows.first - group.day_one, 0) * MILLION // later * group.grows
        np.minimum.at(unit, rows.unit, np.where(rows.nodes > 0, share, MILLION))
    unit[: shape.reserved_leaves] = 0
    if tier == 1:
        return np.repeat(unit, layout.leaves)
    block = pod_blocks(shape, layout)
    blocks = np.full(int(block.max()) + 1, MILLION)
    np.minimum.at(blocks, block, unit)
    pods = np.tile(blocks, shape.pod_count // blocks.size)
    return np.repeat(pods, shape.spines_per_pod) if tier == 2 else np.full(switches, np.sort(pods)[1])


def _spines(sizing: FabricSizing) -> list[tuple[int, int]]:
    shape = sizing.shape
    if shape.tiers == 2:
        return [(0, shape.spines_today)]
    each = shape.spines_per_pod
    return [(int(pod) * each, each) for pod in pods_built(shape, sizing.groups)]


def _head(built: tuple[tuple[int, int], ...], most: int) -> tuple[tuple[int, int], ...]:
    return tuple((first, min(count, most - first)) for first, count in built if first < most)


def management_ports(
    requirement: Requirement, fabric: FabricRequirement, sizings: Sequence[tuple[int, FabricSizing]], catalog: Catalog
) -> list[HostPorts]:
    """Return the management ports that the switch boxes of other fabrics take on an out-of-band fabric."""
    wanted = requirement.managed_fabrics(fabric)
    named = [(number, sizing) for number, sizing in sizings if sizing.name in wanted]
    regions = list(box_regions(named, catalog))
    if not regions:
        return []
    places = box_places(regions)
    built = runs(np.concatenate([places[region.first + first : region.first + first + count]
                                 for region in regions for first, count in region.built]))  # fmt: skip
    return [HostPorts(
        group="switch boxes", kind="boxes", of=tuple(sizing.name for _, sizing in named),
        grows=any(group.grows for _, sizing in named for group in sizing.groups),
        nodes=sum(count for _, count in built), nodes_final=sum(region.box_count for region in regions), rails=(0,),
        port_class=MANAGEMENT_CLASS, ports_per_cage=1, built=built,
        comes=tuple(np.sort(np.concatenate([region.comes for region in regions])).tolist()),
    )]  # fmt: skip


def runs(numbers: IntArray) -> tuple[tuple[int, int], ...]:
    """Return the (first, count) runs of some numbers.

    >>> runs(np.array([4, 0, 1, 5, 8]))
    ((0, 2), (4, 2), (8, 1))
    """
    ordered = np.sort(numbers)
    starts = np.flatnonzero(np.diff(ordered, prepend=ordered[0] - 2) > 1)
    counts = np.diff(np.append(starts, ordered.size))
    return tuple(zip(ordered[starts].tolist(), counts.tolist(), strict=True))


def _leaves_come(
    sizing: FabricSizing, fabric: FabricRequirement, sizings: Sequence[tuple[int, FabricSizing]], catalog: Catalog
) -> tuple[int, ...]:
    """Return the share of the growth after which each leaf of an out-of-band fabric stands: those that the first day's
    endpoints fill at once, the others evenly.

    Of the fabric that takes the uplinks only counts are read, never the order of its units, which follows from this.
    """
    leaves = sizing.shape.leaf_count
    if not any(group.grows for group in sizing.groups):
        return (0,) * leaves
    named = [name for group in sizing.groups for name in group.of]
    managed = [(number, item) for number, item in sizings if item.name in named]
    first = sizing.reserve_ports + sum(group.nodes_final for group in sizing.node_groups if not group.grows)
    for region in box_regions(managed, catalog):
        of = dict(managed)[region.fabric]
        if of.name != fabric.name:
            first += int((region.comes == 0).sum())
        elif region.tier > 1 or of.shape.leaf_count == 1:
            first += region.box_count
    day_one = min(-(-first // sizing.shape.leaf.down_capacity), leaves)
    later = [number * MILLION // (leaves - day_one) for number in range(leaves - day_one)]
    return (*(0 for _ in range(day_one)), *later)


def uplink_ports(
    fabric: FabricRequirement, sizings: Sequence[tuple[int, FabricSizing]], catalog: Catalog
) -> list[HostPorts]:
    """Return the uplinks of out-of-band leaves that end on a fabric.

    Raises:
        RequirementError: the fabric does not run at the rate of those uplinks.
    """
    found = []
    for number, sizing in sizings:
        if sizing.uplinks_to != fabric.name:
            continue
        if sizing.uplink_rate != fabric.rate:
            raise RequirementError(Problem(
                "uplink-rate",
                f"the uplinks of {sizing.name} run at {sizing.uplink_rate}, {fabric.name} at {fabric.rate}",
                f"fabrics[{number}].uplinks_to", f"run {fabric.name} at {sizing.uplink_rate}, or say uplinks_to: "
                "customer"))  # fmt: skip
        group = catalog.switch(sizing.shape.leaf.model).group(sizing.uplink_rate)
        assert group is not None
        built = _built(sizing, 1, 1)
        found.append(HostPorts(
            group=f"leaves of {sizing.name}", kind="uplinks", of=(sizing.name,),
            grows=any(group.grows for group in sizing.groups),
            nodes=sum(count for _, count in built), nodes_final=sizing.shape.leaf_count,
            rails=tuple(range(sizing.uplinks_per_leaf)), port_class=group.port_class,
            ports_per_cage=sizing.shape.leaf.up_per_cage, built=built,
            comes=_leaves_come(sizing, fabric, sizings, catalog),
        ))  # fmt: skip
    return found
