"""What still fits into a rack: units, power, weight, cooling, and switches of one airflow only."""

from __future__ import annotations

from typing import NamedTuple

from fabricplan.requirement import SiteRack


class Load(NamedTuple):
    """A box that is to be placed.

    Attributes:
        rows: device rows in it: one, or the switches of a box.
        height: units that it takes (at least 1).
        power_w, weight_kg: highest power and weight; None where not known: such a box counts for units alone.
        liquid: whether it needs a coolant loop.
        airflow: of a switch; empty where not known, and for nodes.
    """

    rows: tuple[int, ...]
    height: int
    power_w: float | None
    weight_kg: float | None
    liquid: bool
    airflow: str = ""


class Bay:
    """A rack while it is filled; lives inside one call of ``place``."""

    def __init__(self, rack: SiteRack) -> None:
        """Start with all units free but the reserved ones."""
        self.rack = rack
        self.free = (1 << (rack.units + 1)) - 2
        """A bit for every free unit."""
        for unit in rack.reserved:
            self.free &= ~(1 << unit)
        self.power_w = 0.0
        self.weight_kg = 0.0
        self.airflow = ""
        self.nodes = 0
        self.why = ""

    def copy(self) -> Bay:
        """Return an equal bay to try on."""
        twin = Bay(self.rack)
        twin.free, twin.power_w, twin.weight_kg = self.free, self.power_w, self.weight_kg
        twin.airflow, twin.nodes = self.airflow, self.nodes
        return twin

    def refuses(self, load: Load) -> str:
        """Return what keeps a box out beside its height, as one of the words of ``custom_room``, or nothing."""
        rack = self.rack
        if rack.kind == "fixed":
            return "kind"
        if load.liquid and rack.cooling == "air":
            return "liquid"
        if load.airflow and self.airflow not in ("", load.airflow):
            return "airflow"
        if load.power_w and rack.power_limit_w and self.power_w + load.power_w > rack.power_limit_w:
            return "power"
        if load.power_w and rack.feed_limit_w and self.power_w + load.power_w > rack.feed_limit_w:
            return "power"  # after the loss of a feed the other carries all
        if load.weight_kg and rack.weight_limit_kg and self.weight_kg + load.weight_kg > rack.weight_limit_kg:
            return "weight"
        return ""

    def unit_for(self, height: int, top: bool) -> int | None:
        """Return the lowest unit of the highest or lowest place in which so many are free; None where none is."""
        starts = self.free
        for step in range(1, height):
            starts &= self.free >> step
        if not starts:
            return None
        return (starts if top else starts & -starts).bit_length() - 1

    def take(self, load: Load, u: int) -> None:
        """Keep a box at its lowest unit."""
        self.free &= ~(((1 << load.height) - 1) << u)
        self.power_w += load.power_w or 0
        self.weight_kg += load.weight_kg or 0
        self.airflow = self.airflow or load.airflow

    def put(self, load: Load, top: bool) -> int | None:
        """Put a box at the bottom or at the top and return its lowest unit, or None with ``why`` told."""
        self.why = self.refuses(load)
        at = None if self.why else self.unit_for(load.height, top)
        if at is None:
            self.why = self.why or "units"
            return None
        self.take(load, at)
        return at
