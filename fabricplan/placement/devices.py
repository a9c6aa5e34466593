"""What the devices of a plan need of a rack: units, and nodes that share one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fabricplan.catalog import Catalog
from fabricplan.placement.tables import FREE_UNITS
from fabricplan.requirement import Requirement, RoomSettings
from fabricplan.sizing import FabricSizing
from fabricplan.topology import Topology
from fabricplan.values import IntArray

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
    pn = sizing.pn_of(model)
    return next((form.airflow or "" for form in catalog.switch(model).variants if form.pn == pn), "")
