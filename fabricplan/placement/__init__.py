"""Racks and route lengths: where every device stands, and how long each cable must be."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from fabricplan.catalog import Catalog
from fabricplan.placement.default_room import place_by_rule
from fabricplan.placement.lengths import (
    FLOOR_MM,
    FRONT,
    REAR,
    Ends,
    LinkSides,
    ends_of,
    required_lengths,
    routes_mm,
)
from fabricplan.placement.power import (
    BoxFacts,
    BoxPlace,
    RackLoad,
    Sum,
    box_facts,
    box_places,
    fails_with_a_feed,
    rack_loads,
    total,
)
from fabricplan.placement.site import panel_at, rack_units_of, standing
from fabricplan.placement.tables import (
    FIXED_RACK,
    NETWORK_RACK,
    NODE_RACK,
    Choice,
    Placement,
    Places,
    Racks,
    Weight,
)
from fabricplan.placement.trays import Trays, trays_of
from fabricplan.requirement import Requirement
from fabricplan.sizing import FabricSizing
from fabricplan.topology import Topology

__all__ = [
    "FIXED_RACK", "FLOOR_MM", "FRONT", "NETWORK_RACK", "NODE_RACK", "REAR", "BoxFacts", "BoxPlace", "Choice", "Ends",
    "LinkSides", "Placement", "Places", "RackLoad", "Racks", "Sum", "Trays", "Weight", "box_facts", "box_places",
    "ends_of", "fails_with_a_feed", "panel_at", "place", "rack_loads", "rack_units_of", "required_lengths", "routes_mm",
    "standing", "total", "trays_of",
]  # fmt: skip


def place(requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, catalog: Catalog) -> Placement:
    """Place every device: where the customer says, in the customer's room, or by the rule of the default one.

    Of a fabric that grows the final stage is placed (``stages``), so growth moves nothing.

    Raises:
        InfeasibleError: the room does not hold the devices.
        RequirementError: every mistake in the customer's positions.
    """
    room = requirement.room
    placed: Placement
    if requirement.positions is not None:
        # the rooms of customers are loaded where a request has one
        late = importlib.import_module("fabricplan.placement.positions")
        placed = late.place_by_positions(requirement, sizings, topology, catalog)
        return placed
    limits = (room.rows, room.leaves, room.rack_power_limit_w, room.rack_feed_limit_w, room.rack_weight_limit_kg)
    if any(limit is not None for limit in limits):
        late = importlib.import_module("fabricplan.placement.custom_room")
        placed = late.place_in_room(requirement, sizings, topology, catalog)
        return placed
    return place_by_rule(requirement, sizings, topology, catalog)
