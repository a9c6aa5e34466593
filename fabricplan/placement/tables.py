"""The values of a placement: racks, and where every device stands."""

from __future__ import annotations

from typing import ClassVar, Literal

from fabricplan.names import rack_name, row_letters
from fabricplan.values import Column, Table, Value

NODE_RACK, NETWORK_RACK, FIXED_RACK = 0, 1, 2
FREE_UNITS = 2
"""Units kept free in a network rack, for patching."""


class Racks(Table):
    """Racks in order of row and position."""

    columns: ClassVar = {
        "row": Column("<u2", "row from 0"),
        "position": Column("<u2", "position in the row from 1"),
        "kind": Column("<u1", "0 nodes, 1 network, 2 there already and not ours"),
    }


class Places(Table):
    """Where each device stands; row = device row."""

    columns: ClassVar = {
        "rack": Column("<i4", "row of the rack table"),
        "u": Column("<u2", "lowest rack unit, from 1 at the bottom"),
        "height": Column("<u1", "rack units; 0 where the height is not known"),
    }


class Weight(Value):
    """What a placement takes once it is cabled; ``metres`` are of ordered cable, ``longest_mm`` is a
    route, through patch panels that of cord, trunk and cord together."""

    optical_ends: int
    transceivers: int
    cables: int
    metres: int
    longest_mm: int


class Choice(Value):
    """Why a placement was taken where one was asked that saves.

    Attributes:
        place_for: what was asked.
        leaves: policy for leaves, ``rule`` for the rule's own.
        tried: placements that could be cabled and were compared.
        weight: what the plan takes.
        rule: what the rule's placement takes with the same freedom for copper; None where it cannot be cabled.
        plain: what the plan would take if nothing had been asked; None likewise.
    """

    place_for: Literal["cost", "reach"]
    leaves: str
    tried: int
    weight: Weight
    rule: Weight | None = None
    plain: Weight | None = None


class Placement(Value):
    """Racks and places.

    ``names`` and ``row_names`` are those of the customer's room; in the default one they follow from row and position.
    ``choice`` tells why it was taken, where one was asked that saves.
    """

    racks: Racks
    places: Places
    names: tuple[str, ...] | None = None
    row_names: tuple[str, ...] | None = None
    choice: Choice | None = None

    def row_name(self, row: int) -> str:
        """Return the name of a row."""
        return row_letters(row) if self.row_names is None else self.row_names[row]

    def rack_rows(self) -> dict[str, str]:
        """Return rack -> row, by their names."""
        rows = self.racks.row.tolist()
        return {name: self.row_name(row) for name, row in zip(self.rack_names(), rows, strict=True)}

    def rack_names(self) -> list[str]:
        """Return the name of every rack."""
        if self.names is not None:
            return list(self.names)
        return [rack_name(row, position) for row, position, _ in self.racks.rows()]
