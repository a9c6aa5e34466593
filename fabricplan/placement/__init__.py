"""Racks and route lengths: where every device stands, and how long each cable must be."""

from __future__ import annotations

from collections.abc import Sequence

from fabricplan.catalog import Catalog
from fabricplan.placement.default_room import place_by_rule
from fabricplan.placement.lengths import FLOOR_MM, required_lengths
from fabricplan.placement.tables import NETWORK_RACK, NODE_RACK, Placement, Places, Racks
from fabricplan.requirement import Requirement
from fabricplan.sizing import FabricSizing
from fabricplan.topology import Topology

__all__ = ["FLOOR_MM", "NETWORK_RACK", "NODE_RACK", "Placement", "Places", "Racks", "place", "required_lengths"]


def place(requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, catalog: Catalog) -> Placement:
    """Place every device.

    Of a fabric that grows the final stage is placed (``stages``), so growth moves nothing.
    """
    return place_by_rule(requirement, sizings, topology, catalog)
