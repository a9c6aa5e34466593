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
        self.free = [unit not in rack.reserved for unit in range(rack.units + 1)]
        self.free[0] = False
        self.power_w = 0.0
        self.weight_kg = 0.0
        self.airflow = ""
        self.nodes = 0
        self.why = ""

    def copy(self) -> Bay:
        """Return an equal bay to try on."""
        twin = Bay(self.rack)
        twin.free, twin.power_w, twin.weight_kg = list(self.free), self.power_w, self.weight_kg
        twin.airflow, twin.nodes = self.airflow, self.nodes
        return twin

    def refuses(self, load: Load) -> str:
        """Return what keeps a box out, as one of the words of ``custom_room``, or nothing."""
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
        return "units" if self.lowest(load.height) is None else ""

    def lowest(self, height: int) -> int | None:
        """Return the lowest unit from which so many are free."""
        run = 0
        for unit, free in enumerate(self.free):
            run = run + 1 if free else 0
            if run == height:
                return unit - height + 1
        return None

    def highest(self, height: int) -> int | None:
        """Return the highest lowest unit above which so many are free."""
        run = 0
        for unit in range(self.rack.units, 0, -1):
            run = run + 1 if self.free[unit] else 0
            if run == height:
                return unit
        return None

    def put(self, load: Load, top: bool) -> int | None:
        """Put a box at the bottom or at the top and return its lowest unit, or None with ``why`` told."""
        self.why = self.refuses(load)
        at = None if self.why else self.highest(load.height) if top else self.lowest(load.height)
        if at is None:
            return None
        for unit in range(at, at + load.height):
            self.free[unit] = False
        self.power_w += load.power_w or 0
        self.weight_kg += load.weight_kg or 0
        self.airflow = self.airflow or load.airflow
        return at
