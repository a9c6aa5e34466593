"""The values of a placement: racks, and where every device stands."""

from __future__ import annotations

from typing import ClassVar

from fabricplan.names import rack_name
from fabricplan.values import Column, Table, Value

NODE_RACK, NETWORK_RACK = 0, 1
FREE_UNITS = 2
"""Units kept free in a network rack, for patching."""


class Racks(Table):
    """Racks in order of row and position."""

    columns: ClassVar = {
        "row": Column("<u2", "row from 0"),
        "position": Column("<u2", "position in the row from 1"),
        "kind": Column("<u1", "0 nodes, 1 network"),
    }


class Places(Table):
    """Where each device stands; row = device row."""

    columns: ClassVar = {
        "rack": Column("<i4", "row of the rack table"),
        "u": Column("<u2", "lowest rack unit, from 1 at the bottom"),
        "height": Column("<u1", "rack units; 0 where the height is not known"),
    }


class Placement(Value):
    """Racks and places in the default room."""

    racks: Racks
    places: Places

    def rack_names(self) -> list[str]:
        """Return the name of every rack."""
        return [rack_name(row, position) for row, position, _ in self.racks.rows()]
