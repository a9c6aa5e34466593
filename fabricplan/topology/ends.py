"""Links of what hangs on the leaves: nodes, switches of other fabrics, hosts on reserved ports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from fabricplan.catalog import Catalog
from fabricplan.requirement import Requirement
from fabricplan.sizing import FabricSizing, GroupPorts, UnitLayout, box_places, box_regions, node_places
from fabricplan.topology.rows import LinkRows, cage_of, port_numbers, tier_ports
from fabricplan.topology.tables import (
    CORE,
    LEAF,
    LEAF_SPINE,
    NODE,
    NODE_LEAF,
    RESERVED,
    SPINE,
    SPINE_CORE,
    SWITCH,
    Devices,
    Links,
)
from fabricplan.values import IntArray


def end_links(
    number: int, sizing: FabricSizing, place: int, layout: UnitLayout, lower: IntArray, lower_port: IntArray | None,
    leaf_rows: IntArray, links: LinkRows,
) -> None:  # fmt: skip
    """Add the links of one group.

    Args:
        number: fabric number.
        sizing: its sizing.
        place: the group's place among the fabric's groups.
        layout: the fabric's units.
        lower: device row of every member that stands today, in order.
        lower_port: port number of each of a member's ports; None: from 1.
        leaf_rows: device row by plane and final leaf index, -1 where it does not stand.
        links: collects the rows.
    """
    shape, group, units = sizing.shape, sizing.groups[place], layout.groups[place]
    unit, slot = node_places(units, group)
    count = len(group.ports)
    member = np.repeat(np.arange(unit.size), count)
    port = np.tile(np.arange(count), unit.size)
    plane = np.array([item.plane - 1 for item in group.ports])[port]
    leaf = np.array([item.leaf for item in group.ports])[port]
    position = np.array([item.position for item in group.ports])[port]
    before = units.offset[np.searchsorted(units.unit, unit)]
    if shape.tiers == 1 and not shape.pooled:
        before = before + sum(other.nodes_final * other.rails_per_leaf for other in sizing.groups[:place])
    index = before[member] + slot[member] * group.rails_per_leaf + position
    row = leaf_rows[plane, 0 if shape.leaf_count == 1 else layout.first_leaf[unit[member]] + leaf]
    links.add(
        number, NODE_LEAF, lower[member], port + 1 if lower_port is None else lower_port[port], row,
        port_numbers(index, shape.leaf.down_first_cage, shape.leaf.down_per_cage, shape.leaf),
    )  # fmt: skip


def box_links(
    number: int, sizings: Sequence[FabricSizing], layouts: Sequence[UnitLayout], devices: Devices,
    leaf_rows: Sequence[IntArray], links: LinkRows, catalog: Catalog,
) -> None:  # fmt: skip
    """Add the links of other fabrics' switches that are endpoints of a fabric: management ports and uplinks."""
    sizing = sizings[number]
    for place, group in enumerate(sizing.groups):
        if group.kind == "nodes":
            continue
        of = [(other, item) for other, item in enumerate(sizings) if item.name in group.of]
        port: IntArray | None = None
        if group.kind == "uplinks":
            other, source = of[0]
            lower = leaf_rows[other][0]
            lower, leaf = lower[lower >= 0], source.shape.leaf
            port = port_numbers(np.arange(len(group.ports)), leaf.up_first_cage, leaf.up_per_cage, leaf)
        else:
            lower = _heads(of, layouts, devices, catalog)
        end_links(number, sizing, place, layouts[number], lower, port, leaf_rows[number], links)


def _heads(
    of: Sequence[tuple[int, FabricSizing]], layouts: Sequence[UnitLayout], devices: Devices, catalog: Catalog
) -> IntArray:
    """Return the device row of the first switch of every box with a management port that stands today, in the order in
    which they take ports."""
    found, regions = [], list(box_regions(of, catalog))
    shapes = dict(of)
    for region in regions:
        shape = shapes[region.fabric].shape
        shown = 0 if shapes[region.fabric].planes == 1 else region.plane
        rows = np.flatnonzero((devices.kind == SWITCH) & (devices.fabric == region.fabric)
                              & (devices.plane == shown) & (devices.tier == region.tier))  # fmt: skip
        index, pod = devices.wide("index")[rows] - 1, np.maximum(devices.wide("pod")[rows] - 1, 0)
        each = {LEAF: 0, SPINE: shape.spines_per_pod, CORE: shape.cores_per_group}[region.tier]
        _, first = np.unique((pod * each + index) // region.per_box, return_index=True)
        found.append(rows[first][: sum(count for _, count in region.built)])
    number = np.concatenate([np.arange(region.first + first, region.first + first + count)
                             for region in regions for first, count in region.built])  # fmt: skip
    return np.concatenate(found)[np.argsort(box_places(regions)[number])]


def reserved_links(
    number: int, sizing: FabricSizing, layout: UnitLayout, leaf_rows: IntArray, host_first: int, links: LinkRows,
    grows: bool,
) -> None:  # fmt: skip
    """Add the reserved ports: the highest down ports of distinct leaves; of the first unit where the fabric grows, of
    the first leaves where it has no spines then."""
    shape = sizing.shape
    capacity = shape.leaf.down_capacity
    rows, ports = [], []
    for plane in range(sizing.planes):
        wanted = sizing.reserve_ports // sizing.planes + (plane < sizing.reserve_ports % sizing.planes)
        if shape.leaf_count == 1:
            used = np.array([shape.hosts_per_leaf])
            leaves = np.zeros(1, np.int64)
        else:
            unit = np.repeat(np.arange(layout.leaves.size), layout.leaves)
            if shape.tiers == 1:
                wanted_leaves = np.arange(unit.size) < (shape.reserved_leaves or unit.size)
            else:
                wanted_leaves = (unit == 0) | (not grows)
            leaves = np.nonzero((leaf_rows[plane] >= 0) & wanted_leaves)[0]
            used = layout.used[unit][leaves]
        free = capacity - used
        depth = 0
        while wanted > 0 and np.any(free > depth):
            for leaf in leaves[free > depth][:wanted]:
                rows.append(int(leaf_rows[plane, leaf]))
                ports.append(capacity - 1 - depth)
                wanted -= 1
            depth += 1
    count = len(rows)
    links.add(
        number, RESERVED, host_first + np.arange(count), np.ones(count, np.int64), np.array(rows, np.int64),
        port_numbers(np.array(ports, np.int64), shape.leaf.down_first_cage, shape.leaf.down_per_cage, shape.leaf),
    )  # fmt: skip


def group_links(
    requirement: Requirement, sizings: Sequence[FabricSizing], devices: Devices, links: Links, number: int
) -> Iterator[tuple[GroupPorts, IntArray]]:
    """Yield every group of a fabric with the rows of its links to the leaves.

    Args:
        requirement: the request.
        sizings: all fabrics.
        devices: all devices.
        links: all links.
        number: the fabric.
    """
    rows = np.flatnonzero((links.fabric == number) & (links.role == NODE_LEAF))
    lower = links.lower[rows]
    kind, group, fabric = devices.kind[lower], devices.group[lower], devices.fabric[lower]
    names: Mapping[str, int] = {item.name: place for place, item in enumerate(requirement.groups)}
    fabrics = {sizing.name: place for place, sizing in enumerate(sizings)}
    for ports in sizings[number].groups:
        if ports.kind == "nodes":
            yield ports, rows[(kind == NODE) & (group == names[ports.group])]
        else:
            yield ports, rows[(kind == SWITCH) & np.isin(fabric, [fabrics[name] for name in ports.of])]


def link_cages(
    requirement: Requirement, sizings: Sequence[FabricSizing], devices: Devices, links: Links
) -> tuple[IntArray, IntArray]:
    """Return the cage (from 1) at the lower and the upper end of every link.

    Nodes count the cages of each network by themselves; hosts and management ports have one.
    """
    lower, upper = np.ones(len(links), np.int64), np.ones(len(links), np.int64)
    for number, sizing in enumerate(sizings):
        for role in (NODE_LEAF, LEAF_SPINE, SPINE_CORE, RESERVED):
            rows = np.flatnonzero((links.fabric == number) & (links.role == role))
            if not rows.size:
                continue
            tier = {NODE_LEAF: LEAF, RESERVED: LEAF, LEAF_SPINE: SPINE, SPINE_CORE: CORE}[role]
            upper[rows] = cage_of(links.wide("upper_port")[rows], tier_ports(sizing.shape, tier))
            if role in (LEAF_SPINE, SPINE_CORE):
                lower[rows] = cage_of(links.wide("lower_port")[rows], tier_ports(sizing.shape, tier - 1))
        for group, rows in group_links(requirement, sizings, devices, links, number):
            lower[rows] = (links.wide("lower_port")[rows] - 1) // group.ports_per_cage + 1
    return lower, upper
