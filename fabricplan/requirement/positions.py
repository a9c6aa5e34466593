"""The customer's own positions: a device, its rack and its lowest rack unit, as somebody wrote them down.

Cells keep what was written, right or wrong: placement tells all mistakes together, each at its cell.
"""

from __future__ import annotations

from typing import Literal

from fabricplan.values import Value

Field = Literal["device", "row", "rack", "u"]
FIELDS: tuple[Field, ...] = ("device", "row", "rack", "u")


class Position(Value):
    """Where one device stands.

    Attributes:
        device: its name in the plan.
        row: name of the row; empty where the name of the rack says it.
        rack: name of the rack (``A03``), or its number in the row.
        u: its lowest rack unit, from 1 at the bottom; text where something else was written.
        cells: where ``FIELDS`` stand, for messages; absent where they come from no file.
    """

    device: str = ""
    row: str = ""
    rack: str = ""
    u: int | str = ""
    cells: tuple[str, ...] | None = None

    def place(self, number: int, field: Field) -> str:
        """Return the cell of a field, or its JSON path."""
        return self.cells[FIELDS.index(field)] if self.cells else f"positions[{number}].{field}"
