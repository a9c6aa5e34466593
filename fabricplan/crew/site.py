"""Racks with what stands in them: boxes by unit, and power and weight as sums of what is known.

A sum never counts an unknown as zero: beside it stands how many boxes lack the fact, and their models are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fabricplan.names import rack_name
from fabricplan.plan import Plan
from fabricplan.schedule.ports import tier_word


class Sum(NamedTuple):
    """What is known of a number, and how many boxes lack it."""

    known: float
    unknown: int


class Box(NamedTuple):
    """One purchasable box in a rack, or a node, or a host on a reserved port.

    Attributes:
        names: the switches in it, or the one node.
        kind: ``node``, ``host``, ``leaf``, ``spine`` or ``core``.
        model: model, or platform.
        u: lowest unit; None where it has none.
        height: units; None where not known.
        power_max_w, power_typical_w, weight_kg: None where not known.
    """

    names: tuple[str, ...]
    kind: str
    model: str
    u: int | None
    height: int | None
    power_max_w: float | None
    power_typical_w: float | None
    weight_kg: float | None


class Rack(NamedTuple):
    """One rack: its place, and its boxes from the bottom up."""

    name: str
    row: int
    position: int
    kind: int
    boxes: tuple[Box, ...]

    @property
    def used_u(self) -> Sum:
        """Units taken by boxes."""
        return _sum([box.height for box in self.boxes])

    @property
    def power_max_w(self) -> Sum:
        """Highest draw, in watts."""
        return _sum([box.power_max_w for box in self.boxes])

    @property
    def power_typical_w(self) -> Sum:
        """Typical draw, in watts."""
        return _sum([box.power_typical_w for box in self.boxes])

    @property
    def weight_kg(self) -> Sum:
        """Weight of the boxes, without rack, cables and power strips."""
        return _sum([box.weight_kg for box in self.boxes])


class _Facts(NamedTuple):
    model: str
    height: int | None
    power_max_w: float | None
    power_typical_w: float | None
    weight_kg: float | None


UNKNOWN_FACTS = ("height", "power_max_w", "power_typical_w", "weight_kg")
"""Facts of a box that the catalogue may lack."""


def _sum(values: Sequence[float | None]) -> Sum:
    known = [value for value in values if value is not None]
    return Sum(sum(known), len(values) - len(known))


def racks_of(plan: Plan) -> list[Rack]:
    """Return the racks of a plan in order of row and position, empty ones too."""
    names = plan.device_names()
    facts = [_facts(plan, row) for row in range(len(plan.topology.device_types))]
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
        held[at] = Box((name,), tier_word(kind, tier), fact.model, u or None, *fact[1:])
    by_rack: dict[int, list[Box]] = {}
    for (rack, _, _), found in sorted(held.items(), key=lambda item: item[0][:2]):
        by_rack.setdefault(rack, []).append(found)
    return [
        Rack(rack_name(row, position), row, position, kind, tuple(by_rack.get(number, ())))
        for number, (row, position, kind) in enumerate(plan.placement.racks.rows())
    ]


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


def _facts(plan: Plan, row: int) -> _Facts:
    item = plan.topology.device_types[row]
    if item.kind == "platform":
        platform = plan.products.platform(item.key)
        return _Facts(platform.title, platform.height_u, platform.power_max_w, platform.power_typical_w,
                      platform.weight_kg)  # fmt: skip
    if item.kind == "host":
        return _Facts(item.key, None, None, None, None)
    switch = plan.products.switch(item.key)
    return _Facts(switch.model, switch.height_u, switch.power_max_w, switch.power_typical_w, switch.weight_kg)
