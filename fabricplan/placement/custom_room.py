"""The customer's room, or equal racks within the limits of the request: filled by policy."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError, Problem
from fabricplan.placement.bays import Load
from fabricplan.placement.devices import heights_of
from fabricplan.placement.filling import Filling, Full
from fabricplan.placement.site import ROW_RACKS, equal_racks, site_names
from fabricplan.placement.tables import FIXED_RACK, NETWORK_RACK, NODE_RACK, Placement, Places, Racks
from fabricplan.requirement import Requirement, SiteRack, site_racks
from fabricplan.sizing import FabricSizing
from fabricplan.topology import NODE, Topology
from fabricplan.values import IntArray


def place_in_room(
    requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, catalog: Catalog
) -> Placement:
    """Place every device in the racks of the request; where it has none, but a policy or limits, in as many equal
    racks as they need.

    Raises:
        InfeasibleError: the room does not hold them, with what is short.
    """
    room = requirement.room
    racks = site_racks(room)
    enough = len(racks) or 2 * len(topology.devices) + 2
    count = len(racks) or min(2 * (room.racks_per_row or ROW_RACKS), enough)
    while True:
        filling = Filling(requirement, sizings, topology, catalog, racks or equal_racks(room, count))
        try:
            filling.fill()
            break
        except Full as caught:
            if count >= enough:
                raise InfeasibleError(_too_small(caught, filling.racks)) from None
            count = min(2 * count, enough)
    return _placement(requirement, filling, heights_of(topology, catalog))


def _placement(requirement: Requirement, filling: Filling, heights: IntArray) -> Placement:
    """Return the places found; of equal racks those behind the last in use are left out."""
    kind, places = filling.topology.devices.kind, [filling.places[row] for row in range(len(heights))]
    used = {rack for rack, _ in places}
    nodes = {rack for row, (rack, _) in enumerate(places) if kind[row] == NODE}
    racks = filling.racks if requirement.room.rows is not None else filling.racks[: max(used) + 1]
    kinds = [_kind(rack, number in used, number in nodes) for number, rack in enumerate(racks)]
    return Placement(
        racks=Racks(row=[rack.row for rack in racks], position=[rack.position for rack in racks], kind=kinds),
        places=Places(rack=[rack for rack, _ in places], u=[u for _, u in places], height=heights),
        **site_names(requirement.room),
    )  # fmt: skip


def _kind(rack: SiteRack, used: bool, nodes: bool) -> int:
    if rack.kind == "fixed":
        return FIXED_RACK
    return NETWORK_RACK if not nodes and (used or rack.kind == "network") else NODE_RACK


def _too_small(full: Full, racks: Sequence[SiteRack]) -> Problem:
    ours = [rack for rack in racks if rack.kind != "fixed"]
    load = full.load
    most = _most(load, ours)
    why = ", ".join(f"{count} {'takes' if count == 1 else 'take'} at most {most[word]}" if word in most else
                    f"{count} {'has' if count == 1 else 'have'} no {_SHORT[word]}" for word, count in
                    sorted(full.why.items(), key=lambda item: -item[1]) if word in _SHORT)  # fmt: skip
    other = full.what == "nodes" and sum(rack.kind == "network" for rack in ours)
    needs = [f"{load.height} units"]
    needs += [f"{load.power_w:,.0f} W"] if load.power_w else []
    needs += [f"{load.weight_kg:,.0f} kg"] if load.weight_kg else []
    needs += ["a coolant loop"] if load.liquid else []
    params: dict[str, int | str] = {
        "left": full.left, "racks": len(ours), "height": load.height,
        "power": f"{load.power_w:,.0f}" if load.power_w else "?",
        "weight": f"{load.weight_kg:,.0f}" if load.weight_kg else "?",
    }  # fmt: skip
    params |= {f"no_{word}": full.why.get(word, 0) for word in _SHORT}
    params["network"] = int(other)
    params |= {f"most_{word}": text for word, text in most.items()}
    told = [f"of the racks {why}"] if why else ["all are taken"] if other < len(ours) else []
    told += [f"{other} {'is' if other == 1 else 'are'} of the kind network and no place for nodes"] if other else []
    return Problem(
        "room-too-small",
        f"the room does not hold the plan: {full.left} {full.what} find no place in its {len(ours)} racks; "
        f"one needs {', '.join(needs)}; {'; '.join(told)}", "room",
        "add racks to the rows, raise the limits, or put more nodes into a rack; racks of the kinds node and network "
        "take nothing else", tuple(params.items()))  # fmt: skip


def _most(load: Load, racks: Sequence[SiteRack]) -> dict[str, str]:
    """Return the most that any rack takes of what one box alone needs more of than any rack takes."""
    units = max((rack.units - len(rack.reserved) for rack in racks), default=0)
    watts = [min(rack.power_limit_w or math.inf, rack.feed_limit_w or math.inf) for rack in racks]
    kilograms = [rack.weight_limit_kg or math.inf for rack in racks]
    found = {"units": f"{units} units"} if units < load.height else {}
    if load.power_w and max(watts, default=math.inf) < load.power_w:
        found["power"] = f"{max(watts):,.0f} W"
    if load.weight_kg and max(kilograms, default=math.inf) < load.weight_kg:
        found["weight"] = f"{max(kilograms):,.0f} kg"
    return found


_SHORT = {
    "units": "units left", "power": "power left", "weight": "weight left", "liquid": "coolant loop",
    "airflow": "place left for this airflow",
    "nodes": "place left for another node (nodes_per_rack)",
}  # fmt: skip
