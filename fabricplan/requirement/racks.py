"""Rows, racks and trays of the customer's room, as the request names them; ``room`` puts them on the floor."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from fabricplan.faults import refuse
from fabricplan.values import Value


def _spelled(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _name_form(longest: int, example: str) -> BeforeValidator:
    def check(value: object) -> object:
        value = _spelled(value)
        if isinstance(value, str) and not re.fullmatch(rf"[^\W_][\w-]{{0,{longest - 1}}}", value):
            raise refuse(f"'{value}' is no name of a row or rack",
                         hint=f"letters, digits and dashes, at most {longest}, such as {example}")  # fmt: skip
        return value

    return BeforeValidator(check)


def span_of(item: int | str) -> tuple[int, int]:
    """Return the lowest and the highest unit of a span.

    >>> span_of(3), span_of("40-42")
    ((3, 3), (40, 42))
    """
    low, _, high = str(item).partition("-")
    return int(low), int(high or low)


def _span(value: object) -> object:
    text = value.replace(" ", "") if isinstance(value, str) else str(value) if type(value) is int else ""
    if not re.fullmatch(r"[1-9][0-9]?(-[1-9][0-9]?)?", text) or span_of(text)[0] > span_of(text)[1]:
        raise refuse(f"'{value}' is no unit and no range of units", hint="for example reserved: [1, 40-42]")
    return text if isinstance(value, str) else value


UnitSpan = Annotated[int | str, BeforeValidator(_span)]
RowName = Annotated[str, _name_form(8, "A")]
RackName = Annotated[str, _name_form(12, "A01")]
Number = Annotated[int, Field(strict=True, ge=0, le=999)]
Millimetres = Annotated[int, Field(strict=True, ge=-1_000_000, le=1_000_000)]
Width = Annotated[int, Field(strict=True, ge=300, le=10_000)]
Units = Annotated[int, Field(strict=True, ge=4, le=60)]
TrayHeight = Annotated[int, Field(strict=True, ge=1000, le=8000)]
Watts = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]
Kilograms = Annotated[int, Field(strict=True, ge=1, le=20_000)]
RackKind = Literal["any", "node", "network", "fixed"]
Cooling = Literal["air", "liquid"]
Feed = Literal["A", "B"]


class RackLimits(Value):
    """What a rack, or every rack of a row, can take. Absent: what the row, then the room says.

    Attributes:
        units: rack units.
        power_limit_w: power of the whole rack, over both feeds.
        feed_limit_w: power of one feed; after the loss of the other it carries all.
        weight_limit_kg: weight of the devices in it.
        cooling: ``air``, or ``liquid`` where a coolant loop reaches it; absent: not known.
        kind: ``any``, ``node`` or ``network`` (nothing else goes in), or ``fixed``: there already, not ours to fill.
        feeds: the feeds that reach it; absent: A and B.
    """

    units: Units | None = None
    power_limit_w: Watts | None = None
    feed_limit_w: Watts | None = None
    weight_limit_kg: Kilograms | None = None
    cooling: Cooling | None = None
    kind: RackKind | None = None
    feeds: Annotated[tuple[Feed, ...], Field(min_length=1, max_length=2)] | None = None


class RoomRow(RackLimits):
    """A row of racks.

    Attributes:
        name: first part of the names of its racks.
        racks: racks and gaps together, numbered from ``first``. A number that is passed over is a gap.
        numbers: the side from which they are numbered.
        keep_out: numbers at which no rack stands (a pillar, a door); the place stays free.
        x_mm: left end of the row.
        y_mm: centre line of the row; absent: ``row_pitch_mm`` beyond the row before.
        pitch_mm: width of its racks; absent: ``rack_pitch_mm``.
        tray_height_mm: height of its tray; absent: that of the room.
    """

    name: RowName
    racks: Annotated[int, Field(strict=True, ge=0, le=400)] = 0
    first: Number = 1
    numbers: Literal["left", "right"] = "left"
    keep_out: tuple[Number, ...] = ()
    x_mm: Millimetres = 0
    y_mm: Millimetres | None = None
    pitch_mm: Width | None = None
    tray_height_mm: TrayHeight | None = None


class RoomRack(RackLimits):
    """A rack that differs from the others of its row, or one more.

    Attributes:
        row: its row.
        position: its number there.
        name: absent: row and number (``A03``).
        width_mm: absent: the pitch of the row. Also of a number in ``keep_out``.
        x_mm: left side; absent: beside its neighbour.
        reserved: units in which nothing may stand, such as ``[1, 40-42]``.
    """

    row: RowName
    position: Number
    name: RackName | None = None
    width_mm: Width | None = None
    x_mm: Millimetres | None = None
    reserved: tuple[UnitSpan, ...] = ()

    @property
    def reserved_units(self) -> frozenset[int]:
        """The reserved units, one by one."""
        spans = [span_of(item) for item in self.reserved]
        return frozenset(unit for low, high in spans for unit in range(low, high + 1))


class RoomCrossing(Value):
    """A tray across the rows: where it lies along x, and the rows that it joins (absent: all)."""

    x_mm: Millimetres
    rows: tuple[RowName, ...] | None = None
