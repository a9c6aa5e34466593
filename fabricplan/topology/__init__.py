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
from typing import Literal

import numpy as np
import numpy.typing as npt

from fabricplan.catalog import Catalog
from fabricplan.requirement import Requirement
from fabricplan.sizing import FabricSizing, Shape, UnitLayout, node_places, unit_layout
from fabricplan.topology.directors import Modules, director_modules, leaf_modules
from fabricplan.topology.ends import box_links, end_links, group_links, link_cages, reserved_links
from fabricplan.topology.naming import device_names, name_widths
from fabricplan.topology.rows import DeviceRows, LinkRows, cage_of, port_numbers, tier_ports
from fabricplan.topology.tables import (
    CAGES,
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
from fabricplan.values import IntArray, distinct

__all__ = [
    "CAGES", "CORE", "HOST", "LEAF", "LEAF_SPINE", "NODE", "NODE_LEAF", "NO_RAIL", "RESERVED", "ROLES", "SPINE",
    "SPINE_CORE", "SWITCH", "TIERS", "DeviceType", "Devices", "Links", "Modules", "Topology", "build", "cage_of",
    "device_names", "director_modules", "group_links", "leaf_modules", "link_cages", "name_widths", "tier_ports",
]  # fmt: skip


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
    devices, links = DeviceRows(), LinkRows()
    layouts = [unit_layout(sizing.shape, sizing.groups) for sizing in sizings]
    node_first: dict[str, int] = {}
    for number, group in enumerate(requirement.groups):
        found = [(f, g) for f, sizing in enumerate(sizings) for g in sizing.groups if g.group == group.name]
        if not found:
            continue
        first_fabric, ports = found[0]
        place = sizings[first_fabric].groups.index(ports)
        unit, slot = node_places(layouts[first_fabric].groups[place], ports)
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
    box, leaf_rows = 0, []
    for number, sizing in enumerate(sizings):
        box, rows = _switches(number, sizing, layouts[number], devices, links, types, box, catalog)
        leaf_rows.append(rows)
    table = devices.table()
    for number, sizing in enumerate(sizings):
        for place, ports in enumerate(sizing.groups):
            if ports.kind == "nodes":
                lower = node_first[ports.group] + np.arange(ports.nodes)
                end_links(number, sizing, place, layouts[number], lower, None, leaf_rows[number], links)
        box_links(number, sizings, layouts, table, leaf_rows, links, catalog)
        if sizing.reserve_ports:
            grows = any(requirement.group(ports.group).grow_to is not None for ports in sizing.node_groups)
            reserved_links(number, sizing, layouts[number], leaf_rows[number], hosts_first[number], links, grows)
    return Topology(device_types=tuple(types), devices=table, links=links.table())


def _type(types: list[DeviceType], kind: Literal["platform", "switch", "host"], key: str) -> int:
    wanted = DeviceType(kind=kind, key=key)
    if wanted not in types:
        types.append(wanted)
    return types.index(wanted)


def _switches(
    number: int, sizing: FabricSizing, layout: UnitLayout, devices: DeviceRows, links: LinkRows,
    types: list[DeviceType], box: int, catalog: Catalog,
) -> tuple[int, IntArray]:  # fmt: skip
    """Add the switches of a fabric and the links between them; return the next free box, and the device row of every
    leaf by plane and final index."""
    shape = sizing.shape
    leaf_rows = np.full((sizing.planes, shape.leaf_count), -1, np.int64)
    for plane in range(sizing.planes):
        shown = 0 if sizing.planes == 1 else plane + 1
        leaf_index, unit, rail = _leaves(sizing, layout, plane)
        pod, place = _pods(shape, layout, unit, leaf_index - layout.first_leaf[unit], leaf_index)
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
    if shape.direct_pair:
        index, one = np.arange(shape.uplinks), np.ones(shape.uplinks, np.int64)
        port = port_numbers(index, shape.leaf.up_first_cage, shape.leaf.up_per_cage, shape.leaf)
        links.add(number, LEAF_SPINE, one * leaf_rows[0, 0], port, one * leaf_rows[0, 1], port)
    return box, leaf_rows


def _leaves(sizing: FabricSizing, layout: UnitLayout, plane: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return final leaf index, unit (from 0) and shown rail of today's leaves of one plane."""
    if sizing.shape.leaf_count == 1:
        zero = np.zeros(1, np.int64)
        return zero, zero, np.full(1, NO_RAIL)
    unit = np.repeat(np.arange(layout.leaves.size), layout.leaves)
    within = np.arange(unit.size) - layout.first_leaf[unit]
    keep = layout.built[unit]
    rails = np.full((layout.leaves.size, int(layout.leaves.max())), NO_RAIL)
    for group, units in zip(sizing.groups, layout.groups, strict=True):
        if group.leaves_per_unit > 1:
            for port in group.ports:
                if port.plane == plane + 1:
                    column = rails[:, port.leaf]
                    column[units.unit] = np.minimum(column[units.unit], port.rail)
    rail = rails[unit, within]
    index = np.arange(unit.size)
    return index[keep], unit[keep], rail[keep]


def _pods(
    shape: Shape, layout: UnitLayout, unit: IntArray, within: IntArray, leaf_index: IntArray
) -> tuple[IntArray, IntArray]:
    """Return pod (from 0) and place in the pod (from 0) of leaves."""
    if shape.pod_kind == "units":
        return leaf_index // shape.leaves_per_pod, leaf_index % shape.leaves_per_pod
    if shape.pod_kind == "rails":
        blocks = layout.leaves.size // shape.units_per_pod
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
    number: int, sizing: FabricSizing, devices: DeviceRows, links: LinkRows, types: list[DeviceType],
    leaf_rows: IntArray, pod: IntArray, place: IntArray, shown: int, plane: int, box: int, catalog: Catalog,
) -> int:  # fmt: skip
    """Add spines and cores of one plane with their links; return the next free box."""
    shape = sizing.shape
    spine, per_pod = tier_ports(shape, SPINE), shape.spines_per_pod
    pods = distinct(pod)
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
        port_numbers(up, shape.leaf.up_first_cage, shape.leaf.up_per_cage, shape.leaf),
        spine_rows[row_of_pod[leaf] * per_pod + s],
        port_numbers(place[leaf] * b + j, spine.down_first_cage, spine.down_per_cage, spine),
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
        number, SPINE_CORE, spine_rows[sp], port_numbers(up, spine.up_first_cage, spine.up_per_cage, spine),
        core_rows[group * c + x],
        port_numbers((spine_pod[sp] * m + i) * t + j, core.down_first_cage, core.down_per_cage, core),
    )  # fmt: skip
    return box
