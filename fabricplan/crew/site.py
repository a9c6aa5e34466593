"""Racks with what stands in them: boxes by unit, and power and weight as sums of what is known.

A sum never counts an unknown as zero: beside it stands how many boxes lack the fact, and their models are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fabricplan.patching import panel_places, runs_on_floor
from fabricplan.placement import FRONT, REAR, RackLoad, Sum, box_facts, rack_loads, standing, total
from fabricplan.plan import Plan
from fabricplan.portwords import tier_word
from fabricplan.requirement import SiteRack
from fabricplan.sides import switch_side
from fabricplan.topology import SWITCH


class Box(NamedTuple):
    """One purchasable box in a rack, or a node, or a host on a reserved port.

    Attributes:
        names: the switches in it, or the one node.
        kind: ``node``, ``host``, ``leaf``, ``spine`` or ``core``.
        model: model, or platform.
        u: lowest unit; None where it has none.
        height: units; None where not known.
        power_max_w, power_typical_w, weight_kg: None where not known.
        face: side of the rack that the ports of a switch look to, ``front`` or ``rear``; empty where not known.
    """

    names: tuple[str, ...]
    kind: str
    model: str
    u: int | None
    height: int | None
    power_max_w: float | None
    power_typical_w: float | None
    weight_kg: float | None
    face: str = ""


class PanelBox(NamedTuple):
    """A patch panel in a rack: its name, lowest unit, height in units, ports, and how many of them are in use."""

    name: str
    u: int
    height: int
    ports: int
    used: int


class Rack(NamedTuple):
    """One rack: its place, what the room says of it, its boxes from the bottom up, the sums of what they draw, its
    patch panels, and how many nodes and switches of later stages its free units are kept for."""

    name: str
    row: int
    position: int
    kind: int
    boxes: tuple[Box, ...]
    spot: SiteRack
    load: RackLoad
    panels: tuple[PanelBox, ...] = ()
    later: tuple[int, int] = (0, 0)

    @property
    def used_u(self) -> Sum:
        """Units taken by boxes."""
        return total([box.height for box in self.boxes])

    @property
    def power_max_w(self) -> Sum:
        """Highest draw, in watts."""
        return total([box.power_max_w for box in self.boxes])

    @property
    def power_typical_w(self) -> Sum:
        """Typical draw, in watts."""
        return total([box.power_typical_w for box in self.boxes])

    @property
    def weight_kg(self) -> Sum:
        """Weight of the boxes, without rack, cables and power strips."""
        return total([box.weight_kg for box in self.boxes])


UNKNOWN_FACTS = ("height", "power_max_w", "power_typical_w", "weight_kg")
"""Facts of a box that the catalogue may lack."""


def switch_faces(plan: Plan) -> list[str]:
    """Return, for every device, the side of the rack that a switch's ports look to, by the airflow that is ordered:
    ``front`` (the cold aisle) or ``rear``; empty where it is not known, and for what is no switch."""
    words = {FRONT: "front", REAR: "rear"}
    devices, found = plan.topology.devices, {}
    for fabric, row in zip(*np.unique(np.stack([devices.fabric, devices.type])[:, devices.kind == SWITCH], axis=1),
                           strict=True):  # fmt: skip
        model = plan.topology.device_types[row].key
        found[int(fabric), int(row)] = words.get(switch_side(plan, plan.fabrics[fabric], model), "")
    rows = zip(devices.kind.tolist(), devices.fabric.tolist(), devices.type.tolist(), strict=True)
    return [found[fabric, row] if kind == SWITCH else "" for kind, fabric, row in rows]


def racks_of(plan: Plan) -> list[Rack]:
    """Return the racks of a plan in order of row and position, empty ones too."""
    names, faces = plan.device_names(), switch_faces(plan)
    facts = box_facts(plan.topology, plan.products)
    devices = plan.topology.devices
    held: dict[tuple[int, int, int], Box] = {}
    rows = zip(names, devices.rows(), plan.placement.places.rows(), strict=True)
    for row, (name, (kind, tier, *_, type_row, box), (rack, u, _)) in enumerate(rows):
        at = (rack, u, box if box >= 0 else -2 - row)
        known = held.get(at)
        if known is not None:
            held[at] = known._replace(names=(*known.names, name))
            continue
        fact = facts[type_row]
        held[at] = Box((name,), tier_word(kind, tier), fact.model, u or None, *fact[1:5], face=faces[row])
    by_rack: dict[int, list[Box]] = {}
    for (rack, _, _), found in sorted(held.items(), key=lambda item: item[0][:2]):
        by_rack.setdefault(rack, []).append(found)
    room, placement = plan.requirement.room, plan.placement
    panels = _panels(plan)
    return [
        Rack(name, row, position, kind, tuple(by_rack.get(number, ())), spot, load, tuple(panels.get(number, ())))
        for number, (name, (row, position, kind), spot, load) in enumerate(zip(
            placement.rack_names(), placement.racks.rows(), standing(placement, room),
            rack_loads(plan.topology, placement, room, facts), strict=True))
    ]  # fmt: skip


def _panels(plan: Plan) -> dict[int, list[PanelBox]]:
    """Return rack row -> its patch panels."""
    found: dict[int, list[PanelBox]] = {}
    room, patches = plan.requirement.room, plan.cabling.patches
    for item in panel_places(runs_on_floor(room, plan.placement, plan.products)) if room.panels else ():
        used, links = 0, item.run.panel_links
        if patches is not None:
            port = patches.wide("port")[patches.run == item.run.number]
            used = int(((port - 1) // links == item.number - 1).sum())
        ports = item.run.panel.ports
        found.setdefault(item.rack, []).append(PanelBox(item.name, item.u, item.run.panel.height_u, ports, used))
    return found


class Missing(NamedTuple):
    """Boxes of one model that lack a fact; ``model`` is empty for hosts that nobody named."""

    model: str
    kind: str
    boxes: int


def unknowns(racks: Sequence[Rack]) -> dict[str, list[Missing]]:
    """Return fact -> models that lack it, of the facts that any box lacks."""
    found: dict[str, dict[tuple[str, str], int]] = {fact: {} for fact in UNKNOWN_FACTS}
    for rack in racks:
        for box in rack.boxes:
            for fact, models in found.items():
                if getattr(box, fact) is None:
                    key = (box.model, box.kind)
                    models[key] = models.get(key, 0) + 1
    return {fact: [Missing(*key, count) for key, count in models.items()] for fact, models in found.items() if models}
