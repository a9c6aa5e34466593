"""The side of the racks that each end of a link looks to: front is the cold aisle, rear the hot one.

A switch says it by its airflow: from the power supplies to the ports (P2C) the ports stand in the hot air, from the
ports to the supplies (C2P) in the cold aisle. A node says it by the fact of its platform, else by what the request
says of nodes. Management ports are not known. A cable between the two sides goes through the rack, and is longer.
"""

from __future__ import annotations

import numpy as np

from fabricplan.placement import FRONT, REAR, LinkSides
from fabricplan.portwords import Wired
from fabricplan.sizing import FabricSizing
from fabricplan.topology import CORE, LEAF, LEAF_SPINE, SPINE, SPINE_CORE, group_links

OF_AIRFLOW = {"C2P": FRONT, "P2C": REAR}
OF_FACE = {"front": FRONT, "rear": REAR, None: 0}


def switch_side(wired: Wired, sizing: FabricSizing, model: str) -> int:
    """Return the side of a switch's ports by the airflow of the form that a fabric orders; 0 where it is not known."""
    return OF_AIRFLOW.get(wired.products.switch(model).airflow_of(sizing.pn_of(model)) or "", 0)


def link_sides(wired: Wired) -> LinkSides | None:
    """Return the sides of every link; None where no two ends are known to differ, and there are no panels."""
    panels = wired.requirement.room.panels
    known = [fabric_sides(wired, sizing) for sizing in wired.fabrics]
    if not panels and not any(low and high and low != high for ends in known for low, high in ends.values()):
        return None
    links = wired.topology.links
    found = LinkSides(np.zeros(len(links), np.int64), np.zeros(len(links), np.int64))
    for number, ends in enumerate(known):
        for group, rows in group_links(wired.requirement, wired.fabrics, wired.topology.devices, links, number):
            if group.kind == "nodes":
                found.lower[rows], found.upper[rows] = ends[group.group]
        for role in (LEAF_SPINE, SPINE_CORE):
            if role in ends:
                rows = np.flatnonzero((links.fabric == number) & (links.role == role))
                found.lower[rows], found.upper[rows] = ends[role]
    return found


def fabric_sides(wired: Wired, sizing: FabricSizing) -> dict[str | int, tuple[int, int]]:
    """Return the sides of the lower and the upper end of a fabric's links: by group of nodes, and by role."""
    shape = sizing.shape
    tiers = {LEAF: shape.leaf, SPINE: shape.spine, CORE: shape.core}
    side = {tier: switch_side(wired, sizing, item.model) if item else 0 for tier, item in tiers.items()}
    own = OF_FACE[wired.requirement.room.node_ports]
    found: dict[str | int, tuple[int, int]] = {}
    for group in sizing.node_groups:
        network = wired.products.platform(group.platform).network(sizing.network) if group.platform else None
        found[group.group] = (OF_FACE[network.face if network else None] or own, side[LEAF])
    for role, tier in ((LEAF_SPINE, SPINE), (SPINE_CORE, CORE)):
        if tier <= shape.tiers:
            found[role] = (side[tier - 1], side[tier])
    return found
