"""What the devices of a plan need of a rack: units, and nodes that share one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fabricplan.catalog import Catalog
from fabricplan.placement.bays import Load
from fabricplan.placement.tables import FREE_UNITS
from fabricplan.requirement import Requirement, RoomSettings
from fabricplan.sizing import FabricSizing
from fabricplan.topology import Topology
from fabricplan.values import IntArray

LIQUID = ("liquid", "hybrid")
"""Words of the catalogue for what needs a coolant loop."""
DEFAULT_NODES_PER_RACK = 4
"""Nodes per rack where neither the request, nor the platform, nor its height says: NVIDIA's H100 reference."""


def heights_of(topology: Topology, catalog: Catalog) -> IntArray:
    """Return the height of every device in rack units; 0 where the catalogue does not know it."""
    by_type = []
    for item in topology.device_types:
        if item.kind == "platform":
            by_type.append(catalog.platform(item.key).height_u or 0)
        elif item.kind == "switch":
            by_type.append(catalog.switch(item.key).height_u or 0)
        else:
            by_type.append(0)
    return np.array(by_type or [0], np.int64)[topology.devices.wide("type")]


def nodes_per_rack(
    requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, catalog: Catalog
) -> dict[str, int]:
    """Return group -> nodes that share a rack: as asked, else as the platform says, as far as its height allows."""
    found: dict[str, int] = {}
    for sizing in sizings:
        for group in sizing.node_groups:
            platform = catalog.platform(group.platform)
            fitting = requirement.room.rack_units // platform.height_u if platform.height_u else None
            asked = requirement.room.nodes_per_rack if not platform.rack_is_unit else None
            count = asked or platform.nodes_per_rack or DEFAULT_NODES_PER_RACK
            found[group.group] = max(1, min(count, fitting) if fitting else count)
    return found


def slot_height(room: RoomSettings, slots: int, height: int) -> int:
    """Return the pitch between nodes of a rack: their height, or an even share where it is not known."""
    return height or max(1, (room.rack_units - FREE_UNITS) // slots)


def airflow(sizing: FabricSizing, topology: Topology, catalog: Catalog, row: int) -> str:
    """Return the airflow of a switch in the form that is bought; empty where it is not known."""
    model = topology.device_types[int(topology.devices.type[row])].key
    return catalog.switch(model).airflow_of(sizing.pn_of(model)) or ""


def loads_of(sizings: Sequence[FabricSizing], topology: Topology, catalog: Catalog) -> dict[int, Load]:
    """Return what is placed, by the first device row of each box; a node of unknown height has the height 0."""
    devices = topology.devices
    facts: dict[tuple[int, int], Load] = {}
    found: dict[int, Load] = {}
    first: dict[int, int] = {}
    for row, (fabric, kind, box) in enumerate(zip(devices.fabric.tolist(), devices.type.tolist(), devices.box.tolist(),
                                                  strict=True)):  # fmt: skip
        head = first.setdefault(box, row) if box >= 0 else row
        if head != row:
            found[head] = found[head]._replace(rows=(*found[head].rows, row))
            continue
        if (fabric, kind) not in facts:
            facts[fabric, kind] = _load(sizings[fabric], topology, catalog, row)
        found[row] = facts[fabric, kind]._replace(rows=(row,))
    return found


def _load(sizing: FabricSizing, topology: Topology, catalog: Catalog, row: int) -> Load:
    item = topology.device_types[int(topology.devices.type[row])]
    if item.kind == "host":
        return Load((), 1, None, None, liquid=False)
    if item.kind == "platform":
        node = catalog.platform(item.key)
        return Load((), node.height_u or 0, node.power_max_w, node.weight_kg, node.cooling in LIQUID)
    switch = catalog.switch(item.key)
    return Load((), max(switch.height_u or 0, 1), switch.power_max_w, switch.weight_kg, switch.cooling in LIQUID,
                airflow(sizing, topology, catalog, row))  # fmt: skip
