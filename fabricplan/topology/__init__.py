"""Devices and links of a plan, as tables computed from the closed-form shape of every fabric.

::

    node slot i, rail k   ->  leaf (unit, rail group), host port i x q + position
    leaf l, spine s, link j -> leaf uplink s x b + j,  spine port l x b + j
    spine (pod p, index i of its core group), core x, link j
                          ->  spine uplink x x t + j,  core port (p x m + i) x t + j     (t = us / c)

with the final leaf numbers and the final b, so that growth moves nothing. Uplinks start on a cage boundary, at
half the radix where both halves fit. Ports are InfiniBand port numbers in the switch's profile: a cage with k
links uses every (numbers per cage / k)-th number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from fabricplan.catalog import Catalog
from fabricplan.requirement import Requirement
from fabricplan.sizing import FabricSizing, GroupPorts, Shape, TierPorts
from fabricplan.topology.naming import device_names, name_widths
from fabricplan.topology.tables import (
    CORE,
    HOST,
    LEAF,
    LEAF_SPINE,
    NO_RAIL,
    NODE,
    NODE_LEAF,
    RESERVED,
    ROLES,
    SPINE,
    SPINE_CORE,
    SWITCH,
    TIERS,
    Devices,
    DeviceType,
    Links,
    Topology,
)
from fabricplan.values import IntArray

__all__ = [
    "CORE", "HOST", "LEAF", "LEAF_SPINE", "NODE", "NODE_LEAF", "NO_RAIL", "RESERVED", "ROLES", "SPINE", "SPINE_CORE",
    "SWITCH", "TIERS", "DeviceType", "Devices", "Links", "Topology", "build", "cage_of", "device_names", "name_widths",
    "tier_ports",
]  # fmt: skip


class _Layout(NamedTuple):
    """Where a fabric's nodes and leaves stand, as arrays over the final units."""

    unit_first_leaf: IntArray
    unit_leaves: IntArray
    unit_nodes: IntArray
    unit_shared: IntArray
    unit_built: IntArray


def build(requirement: Requirement, sizings: Sequence[FabricSizing], catalog: Catalog) -> Topology:
    """Enumerate the devices and links of all fabrics.

    Args:
        requirement: the request, for the node groups.
        sizings: one per fabric, in the request's order.
        catalog: for the twin boxes.

    Returns:
        The topology; row numbers are ids.
    """
    types: list[DeviceType] = []
    devices = _DeviceRows()
    node_first: dict[str, int] = {}
    for number, group in enumerate(requirement.groups):
        found = [(f, g) for f, sizing in enumerate(sizings) for g in sizing.groups if g.group == group.name]
        if not found:
            continue
        first_fabric, ports = found[0]
        unit, slot = _node_places(sizings[first_fabric], ports)
        node_first[group.name] = devices.count
        devices.add(
            ports.nodes, kind=NODE, tier=0, fabric=first_fabric, plane=0, group=number, pod=0, unit=unit + 1,
            rail=NO_RAIL, index=slot + 1, type=_type(types, "platform", ports.platform), box=-1,
        )  # fmt: skip
    hosts_first = []
    for number, sizing in enumerate(sizings):
        hosts_first.append(devices.count)
        if sizing.reserve_ports:
            devices.add(
                sizing.reserve_ports, kind=HOST, tier=0, fabric=number, plane=0, group=0, pod=0, unit=0, rail=NO_RAIL,
                index=np.arange(1, sizing.reserve_ports + 1),
                type=_type(types, "host", sizing.reserve_adapter or ""), box=-1,
            )  # fmt: skip
    links = _LinkRows()
    box = 0
    for number, sizing in enumerate(sizings):
        grows = any(requirement.group(group.group).grow_to is not None for group in sizing.groups)
        box = _fabric(number, sizing, devices, links, types, node_first, hosts_first[number], box, catalog, grows)
    return Topology(device_types=tuple(types), devices=devices.table(), links=links.table())


def cage_of(port: IntArray, ports: TierPorts) -> IntArray:
    """Return the cage (from 1) of switch port numbers."""
    return (port - 1) // ports.numbers_per_cage + 1


def tier_ports(shape: Shape, tier: int) -> TierPorts:
    """Return how a tier's switches are used."""
    found = (None, shape.leaf, shape.spine, shape.core)[tier]
    if found is None:
        raise ValueError(f"the fabric has no tier {tier}")
    return found


def _type(types: list[DeviceType], kind: Literal["platform", "switch", "host"], key: str) -> int:
    wanted = DeviceType(kind=kind, key=key)
    if wanted not in types:
        types.append(wanted)
    return types.index(wanted)


class _DeviceRows:
    """Collects blocks of device rows; lives inside one call of :func:`build`."""

    def __init__(self) -> None:
        self.count = 0
        self._blocks: dict[str, list[IntArray]] = {name: [] for name in Devices.columns}

    def add(self, count: int, **columns: IntArray | int) -> IntArray:
        for name in Devices.columns:
            value = columns[name]
            self._blocks[name].append(np.broadcast_to(np.asarray(value, np.int64), count))
        first = self.count
        self.count += count
        return np.arange(first, self.count, dtype=np.int64)

    def table(self) -> Devices:
        return Devices(**{name: _join(blocks) for name, blocks in self._blocks.items()})


class _LinkRows:
    """Collects blocks of link rows; lives inside one call of :func:`build`."""

    def __init__(self) -> None:
        self._blocks: list[tuple[int, int, tuple[IntArray, ...]]] = []

    def add(
        self, fabric: int, role: int, lower: IntArray, lower_port: IntArray, upper: IntArray, upper_port: IntArray
    ) -> None:
        order = np.lexsort((lower_port, lower))
        self._blocks.append((fabric, role, (lower[order], lower_port[order], upper[order], upper_port[order])))

    def table(self) -> Links:
        """Join the blocks by fabric and role; within a role they come in the order of their lower devices."""
        blocks = sorted(self._blocks, key=lambda block: block[:2])
        ends = [_join([columns[end] for _, _, columns in blocks]) for end in range(4)]
        sizes = [columns[0].size for _, _, columns in blocks]
        return Links(
            fabric=np.repeat([fabric for fabric, _, _ in blocks], sizes).astype(np.int64),
            role=np.repeat([role for _, role, _ in blocks], sizes).astype(np.int64),
            lower=ends[0], lower_port=ends[1], upper=ends[2], upper_port=ends[3],
        )  # fmt: skip


def _join(blocks: list[IntArray]) -> IntArray:
    return np.concatenate(blocks) if blocks else np.zeros(0, np.int64)


def _layout(sizing: FabricSizing) -> _Layout:
    """Return the final units of a fabric: first leaf, leaves, nodes, rails per leaf, nodes built today."""
    by_name = {group.group: group for group in sizing.groups}
    leaves, nodes, shared, built = [], [], [], []
    left = {group.group: group.nodes for group in sizing.groups}
    for run in sizing.shape.units:
        group = by_name[run.group]
        used = np.minimum(np.maximum(left[run.group] - np.arange(run.unit_count) * run.nodes_each, 0), run.nodes_each)
        left[run.group] -= int(used.sum())
        built.append(used)
        leaves.append(np.full(run.unit_count, group.leaves_per_unit))
        nodes.append(np.full(run.unit_count, run.nodes_each))
        shared.append(np.full(run.unit_count, group.rails_per_leaf))
    unit_leaves = _join(leaves).astype(np.int64)
    first = np.cumsum(unit_leaves) - unit_leaves
    if sizing.shape.tiers == 1:
        first, unit_leaves = first * 0, unit_leaves * 0 + 1
    return _Layout(first, unit_leaves, _join(nodes), _join(shared), _join(built))


def _node_places(sizing: FabricSizing, ports: GroupPorts) -> tuple[IntArray, IntArray]:
    """Return the unit and the slot (both from 0) of every node of a group on a fabric."""
    built = _layout(sizing).unit_built
    owner = np.repeat(
        np.array([run.group == ports.group for run in sizing.shape.units]),
        [run.unit_count for run in sizing.shape.units],
    )
    count = np.where(owner, built, 0)
    unit = np.repeat(np.arange(count.size), count)
    slot = np.arange(unit.size) - np.repeat(np.cumsum(count) - count, count)
    return unit, slot


def _numbers(index: IntArray, first_cage: int, per_cage: int, ports: TierPorts) -> IntArray:
    """Return port numbers for link indexes (from 0) dealt to cages from ``first_cage``."""
    step = ports.numbers_per_cage // per_cage
    return (first_cage - 1 + index // per_cage) * ports.numbers_per_cage + index % per_cage * step + 1


def _fabric(
    number: int, sizing: FabricSizing, devices: _DeviceRows, links: _LinkRows, types: list[DeviceType],
    node_first: dict[str, int], host_first: int, box: int, catalog: Catalog, grows: bool,
) -> int:  # fmt: skip
    shape, layout = sizing.shape, _layout(sizing)
    leaf_rows = np.full((sizing.planes, int(layout.unit_leaves.sum()) if shape.tiers > 1 else 1), -1, np.int64)
    for plane in range(sizing.planes):
        shown = 0 if sizing.planes == 1 else plane + 1
        leaf_index, unit, rail = _leaves(sizing, layout, plane)
        pod, place = _pods(shape, layout, unit, leaf_index - layout.unit_first_leaf[unit], leaf_index)
        model, twin = _models(sizing, LEAF, types, plane, leaf_index.size)
        per_box = catalog.switch(shape.leaf.model).switches_per_box
        rows = devices.add(
            leaf_index.size, kind=SWITCH, tier=LEAF, fabric=number, plane=shown, group=0,
            pod=pod + 1 if shape.tiers == 3 else 0, unit=unit + 1, rail=rail, index=leaf_index + 1,
            type=np.where(twin, _twin(sizing, types), model), box=box + np.arange(leaf_index.size) // per_box,
        )  # fmt: skip
        box += -(-leaf_index.size // per_box)
        leaf_rows[plane, leaf_index] = rows
        if shape.tiers > 1:
            box = _upper(number, sizing, devices, links, types, rows, pod, place, shown, plane, box, catalog)
    for group in sizing.groups:
        _node_links(number, sizing, group, layout, node_first[group.group], leaf_rows, links)
    if sizing.reserve_ports:
        _reserved_links(number, sizing, layout, leaf_rows, host_first, links, grows)
    return box


def _leaves(sizing: FabricSizing, layout: _Layout, plane: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return final leaf index, unit (from 0) and shown rail of today's leaves of one plane."""
    if sizing.shape.tiers == 1:
        zero = np.zeros(1, np.int64)
        return zero, zero, np.full(1, NO_RAIL)
    unit = np.repeat(np.arange(layout.unit_leaves.size), layout.unit_leaves)
    within = np.arange(unit.size) - layout.unit_first_leaf[unit]
    keep = layout.unit_built[unit] > 0
    rails = np.full((len(sizing.groups), int(layout.unit_leaves.max())), NO_RAIL)
    for row, group in enumerate(sizing.groups):
        if group.leaves_per_unit > 1:
            for port in group.ports:
                if port.plane == plane + 1:
                    rails[row, port.leaf] = min(rails[row, port.leaf], port.rail)
    owner = [
        next(row for row, group in enumerate(sizing.groups) if group.group == run.group) for run in sizing.shape.units
    ]
    unit_owner = np.repeat(owner, [run.unit_count for run in sizing.shape.units])
    rail = rails[unit_owner[unit], within]
    index = np.arange(unit.size)
    return index[keep], unit[keep], rail[keep]


def _pods(
    shape: Shape, layout: _Layout, unit: IntArray, within: IntArray, leaf_index: IntArray
) -> tuple[IntArray, IntArray]:
    """Return pod (from 0) and place in the pod (from 0) of leaves."""
    if shape.pod_kind == "units":
        pod = unit // shape.units_per_pod
        return pod, leaf_index - pod * shape.leaves_per_pod
    if shape.pod_kind == "rails":
        blocks = layout.unit_leaves.size // shape.units_per_pod
        return within * blocks + unit // shape.units_per_pod, unit % shape.units_per_pod
    return leaf_index * 0, leaf_index


def _models(
    sizing: FabricSizing, tier: int, types: list[DeviceType], plane: int, count: int
) -> tuple[int, npt.NDArray[np.bool_]]:
    """Return the type row of a tier, and which of its switches are the managed twins of a mixed fabric."""
    model = _type(types, "switch", tier_ports(sizing.shape, tier).model)
    managed = sizing.managed_per_plane[plane] if sizing.managed_tier == TIERS[tier] else 0
    return model, np.arange(count) < managed


def _twin(sizing: FabricSizing, types: list[DeviceType]) -> int:
    return _type(types, "switch", sizing.managed_model) if sizing.managed_model and sizing.managed_tier else 0


def _upper(
    number: int, sizing: FabricSizing, devices: _DeviceRows, links: _LinkRows, types: list[DeviceType],
    leaf_rows: IntArray, pod: IntArray, place: IntArray, shown: int, plane: int, box: int, catalog: Catalog,
) -> int:  # fmt: skip
    """Add spines and cores of one plane with their links; return the next free box."""
    shape = sizing.shape
    spine, per_pod = tier_ports(shape, SPINE), shape.spines_per_pod
    pods = np.unique(pod)
    count = pods.size * per_pod
    model, twin = _models(sizing, SPINE, types, plane, count)
    per_box = catalog.switch(spine.model).switches_per_box
    spine_pod = np.repeat(pods, per_pod)
    spine_index = np.tile(np.arange(per_pod), pods.size)
    spine_rows = devices.add(
        count, kind=SWITCH, tier=SPINE, fabric=number, plane=shown, group=0,
        pod=spine_pod + 1 if shape.tiers == 3 else 0, unit=0, rail=NO_RAIL, index=spine_index + 1,
        type=np.where(twin, _twin(sizing, types), model), box=box + np.arange(count) // per_box,
    )  # fmt: skip
    box += -(-count // per_box)
    b = shape.links_per_pair
    row_of_pod = np.searchsorted(pods, pod)
    leaf = np.repeat(np.arange(leaf_rows.size), shape.uplinks)
    up = np.tile(np.arange(shape.uplinks), leaf_rows.size)
    s, j = up // b, up % b
    links.add(
        number, LEAF_SPINE, leaf_rows[leaf],
        _numbers(up, shape.leaf.up_first_cage, shape.leaf.up_per_cage, shape.leaf),
        spine_rows[row_of_pod[leaf] * per_pod + s],
        _numbers(place[leaf] * b + j, spine.down_first_cage, spine.down_per_cage, spine),
    )  # fmt: skip
    if not shape.cores_today:
        return box
    core, c, m, t = tier_ports(shape, CORE), shape.cores_per_group, shape.spines_per_group, shape.links_per_core_pair
    core_per_box = catalog.switch(core.model).switches_per_box
    core_group = np.repeat(np.arange(shape.group_count), c)
    core_rows = devices.add(
        core_group.size, kind=SWITCH, tier=CORE, fabric=number, plane=shown, group=0, pod=core_group + 1, unit=0,
        rail=NO_RAIL, index=np.tile(np.arange(c), shape.group_count) + 1,
        type=_type(types, "switch", core.model), box=box + np.arange(core_group.size) // core_per_box,
    )  # fmt: skip
    box += -(-core_group.size // core_per_box)
    sp = np.repeat(np.arange(count), shape.spine_uplinks)
    up = np.tile(np.arange(shape.spine_uplinks), count)
    x, j = up // t, up % t
    group, i = spine_index[sp] // m, spine_index[sp] % m
    links.add(
        number, SPINE_CORE, spine_rows[sp], _numbers(up, spine.up_first_cage, spine.up_per_cage, spine),
        core_rows[group * c + x],
        _numbers((spine_pod[sp] * m + i) * t + j, core.down_first_cage, core.down_per_cage, core),
    )  # fmt: skip
    return box


def _node_links(
    number: int, sizing: FabricSizing, group: GroupPorts, layout: _Layout, first: int, leaf_rows: IntArray,
    links: _LinkRows,
) -> None:  # fmt: skip
    shape = sizing.shape
    unit, slot = _node_places(sizing, group)
    count = len(group.ports)
    node = np.repeat(np.arange(unit.size), count)
    port = np.tile(np.arange(count), unit.size)
    plane = np.array([item.plane - 1 for item in group.ports])[port]
    leaf = np.array([item.leaf for item in group.ports])[port]
    position = np.array([item.position for item in group.ports])[port]
    index = slot[node] * group.rails_per_leaf + position
    if shape.tiers == 1:
        index = index + _host_offset(sizing, group)
        row = leaf_rows[plane, 0]
    else:
        row = leaf_rows[plane, layout.unit_first_leaf[unit[node]] + leaf]
    links.add(
        number, NODE_LEAF, first + node, port + 1, row,
        _numbers(index, shape.leaf.down_first_cage, shape.leaf.down_per_cage, shape.leaf),
    )  # fmt: skip


def _host_offset(sizing: FabricSizing, group: GroupPorts) -> int:
    """Return the first host port of a group on a single switch: the groups before it come first."""
    offset = 0
    for other in sizing.groups:
        if other.group == group.group:
            break
        offset += other.nodes_final * other.rails_per_leaf
    return offset


def _reserved_links(
    number: int, sizing: FabricSizing, layout: _Layout, leaf_rows: IntArray, host_first: int, links: _LinkRows,
    grows: bool,
) -> None:  # fmt: skip
    """Reserved ports take the highest down ports of distinct leaves; of the first unit where the fabric grows."""
    shape = sizing.shape
    capacity = shape.leaf.down_capacity
    rows, ports = [], []
    for plane in range(sizing.planes):
        wanted = sizing.reserve_ports // sizing.planes + (plane < sizing.reserve_ports % sizing.planes)
        if shape.tiers == 1:
            used = np.array([sizing.shape.hosts_per_leaf])
            leaves = np.zeros(1, np.int64)
        else:
            unit = np.repeat(np.arange(layout.unit_leaves.size), layout.unit_leaves)
            used = layout.unit_nodes[unit] * layout.unit_shared[unit]
            leaves = np.nonzero((leaf_rows[plane] >= 0) & ((unit == 0) | (not grows)))[0]
            used = used[leaves]
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
        _numbers(np.array(ports, np.int64), shape.leaf.down_first_cage, shape.leaf.down_per_cage, shape.leaf),
    )  # fmt: skip
