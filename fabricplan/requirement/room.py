"""The room of a request: the default room as settings, or the customer's own with rows, racks and trays.

A room is seen from above, in millimetres from any one corner: x along the rows, y across them::

    y |   row B   [B01][B02]   gap   [B04]
      |                                            x_mm, y_mm: left end and centre line of a row
      |   row A   [A01][A02][A03][A04]
      +------------------------------------ x
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricplan.errors import nearest
from fabricplan.faults import refuse, refuse_all
from fabricplan.requirement.panels import Face, PanelRun, panel_units, run_faults
from fabricplan.requirement.racks import (
    Cooling,
    Feed,
    Kilograms,
    RackKind,
    RoomCrossing,
    RoomRack,
    RoomRow,
    TrayHeight,
    Watts,
)
from fabricplan.values import Value

UNIT_UM = 44_450
"""A rack unit in micrometres."""
BASE_MM = 133
"""Height of a rack beside its units: 42 units make 2.0 m."""
DROP_MM = 300
"""From the top of a rack to the tray, or from its foot into the floor: our choice."""
DEPTH_MM = 1100
"""Depth of a rack: the usual footprint in clusterdesign.org's floor planning (0.6 m x 1.1 m)."""
TIGHT: Mapping[str, int] = {"end_mm": 350, "slack_mm": 200}
"""What ``dressing: tight`` takes for an end and for the slack: our choice."""


class RoomSettings(Value):
    """The room: settings of the default one, or rows and racks of the customer's. All lengths in millimetres.

    The length of a cable between racks is (see ``fabricplan.placement``) the two vertical runs to the tray,
    the tray run, and at each end ``end_mm`` into the device; then ``slack_percent`` and ``slack_mm`` are added.
    The constants are a choice, calibrated against published in-rack and multi-rack tables. Without
    ``racks_per_row`` rows of the default room hold 20 racks, and more where that makes the room about square.

    Attributes:
        rack_units: units of a rack where nothing else is said.
        rack_pitch_mm: width of a rack; in the default room from one to the next.
        row_pitch_mm: from the centre line of one row to the next.
        tray_height_mm: with ``rows`` by default ``drop_mm`` above the highest rack.
        end_mm, slack_mm: by default 500 and 300; with ``dressing: tight`` 350 and 200.
        tray: ``overhead`` or ``under-floor``; absent: overhead.
        drop_mm: from the top of a rack to the tray, or from its foot to the one under the floor.
        dressing: ``normal`` or ``tight``.
        rows, racks: the customer's room; without rows the default one.
        crossings: trays across the rows; absent: rows are crossed at any place.
        leaves: where leaves go: ``unit`` (a network rack amid the nodes of a unit), ``top-of-rack``, ``middle-of-row``.
            Spines and cores stand in the centre. Absent: ``unit``, but all switches in one rack in the centre while it
            holds them.
        rack_power_limit_w, rack_feed_limit_w, rack_weight_limit_kg: limits of every rack that states none.
        panels: runs of trunks between patch panels; they take links between the parts of the room that they serve.
        node_ports: the side that ports of nodes look to where the catalogue does not know it.
        pass_through_mm: what a cable takes more where one end is at the front of the racks and the other at the rear:
            by default the depth of a rack.
    """

    nodes_per_rack: Annotated[int, Field(strict=True, ge=1, le=48)] | None = None
    racks_per_row: Annotated[int, Field(strict=True, ge=1, le=400)] | None = None
    rack_units: Annotated[int, Field(strict=True, ge=10, le=60)] = 42
    rack_pitch_mm: Annotated[int, Field(strict=True, ge=400, le=2000)] = 600
    row_pitch_mm: Annotated[int, Field(strict=True, ge=1000, le=10_000)] = 2400
    tray_height_mm: TrayHeight = 2300
    end_mm: Annotated[int, Field(strict=True, ge=0, le=5000)] = 500
    slack_percent: Annotated[int, Field(strict=True, ge=0, le=100)] = 10
    slack_mm: Annotated[int, Field(strict=True, ge=0, le=10_000)] = 300
    uniform_length_mm: Annotated[int, Field(strict=True, ge=100, le=10_000_000)] | None = None
    tray: Literal["overhead", "under-floor"] | None = None
    drop_mm: Annotated[int, Field(strict=True, ge=0, le=5000)] | None = None
    dressing: Literal["normal", "tight"] | None = None
    rows: Annotated[tuple[RoomRow, ...], Field(min_length=1, max_length=200)] | None = None
    racks: Annotated[tuple[RoomRack, ...], Field(max_length=20_000)] | None = None
    crossings: Annotated[tuple[RoomCrossing, ...], Field(min_length=1, max_length=16)] | None = None
    leaves: Literal["unit", "top-of-rack", "middle-of-row"] | None = None
    rack_power_limit_w: Watts | None = None
    rack_feed_limit_w: Watts | None = None
    rack_weight_limit_kg: Kilograms | None = None
    panels: Annotated[tuple[PanelRun, ...], Field(min_length=1, max_length=100)] | None = None
    node_ports: Face | None = None
    pass_through_mm: Annotated[int, Field(strict=True, ge=0, le=10_000)] | None = None

    @property
    def pass_through(self) -> int:
        """What a cable from the front of the racks to the rear takes more, in mm."""
        return DEPTH_MM if self.pass_through_mm is None else self.pass_through_mm

    @property
    def under_floor(self) -> bool:
        """Whether cables between racks run under the floor."""
        return self.tray == "under-floor"

    @property
    def drop(self) -> int:
        """The drop in mm."""
        return DROP_MM if self.drop_mm is None else self.drop_mm

    @model_validator(mode="before")
    @classmethod
    def _defaults_that_follow(cls, data: object) -> object:
        """Fill in what follows from other fields, so that a plan states it."""
        if not isinstance(data, dict):
            return data
        more: dict[str, int] = dict(TIGHT) if data.get("dressing") == "tight" else {}
        highest = _highest_rack(data)
        if highest is not None:
            drop = data.get("drop_mm")
            more["tray_height_mm"] = max(rack_top_mm(highest) + (drop if isinstance(drop, int) else DROP_MM), 1000)
        return {**more, **data}

    @model_validator(mode="after")
    def _room_stands(self) -> RoomSettings:
        if self.rows is None:
            for field in ("racks", "crossings", "panels"):
                if getattr(self, field):
                    raise refuse(f"{field} are given, but no rows that they stand in", field, "list the rows, as "
                                 "rows: [{name: A, racks: 10}]")  # fmt: skip
            return self
        refused = refuse_all(_faults(self, self.rows))
        if refused is not None:
            raise refused
        return self


class SiteRack(NamedTuple):
    """A rack of the customer's room, with all that its row and the room say.

    Attributes:
        row: row from 0 in the order of the request; ``position`` is its number there.
        left_mm, width_mm: its place along the row; ``y_mm`` is the centre line of the row.
        kind: as in the request, or ``gap``: no rack stands there.
        tray_mm: height of the tray above it; under the floor 0.
        reserved: units in which no device may stand, those of patch panels among them.
        panels: units that patch panels take.
        own: its place in ``room.racks``, -1 where it is one of its row.
    """

    name: str
    row: int
    position: int
    left_mm: int
    width_mm: int
    y_mm: int
    units: int
    tray_mm: int
    reserved: frozenset[int]
    kind: RackKind | Literal["gap"]
    power_limit_w: int | None
    feed_limit_w: int | None
    weight_limit_kg: int | None
    cooling: Cooling | None
    feeds: tuple[Feed, ...]
    own: int = -1
    panels: frozenset[int] = frozenset()

    @property
    def x2_mm(self) -> int:
        """Twice the place of its centre along x, so that half millimetres stay whole."""
        return 2 * self.left_mm + self.width_mm


def rack_top_mm(units: int) -> int:
    """Return the height of a rack.

    >>> rack_top_mm(42), rack_top_mm(48)
    (2000, 2267)
    """
    return BASE_MM + round(units * UNIT_UM / 1000)


@lru_cache(maxsize=16)
def site_racks(room: RoomSettings) -> tuple[SiteRack, ...]:
    """Return the racks of the customer's room by row and number; none where the room is the default one."""
    return tuple(place for place in _site_places(room) if place.kind != "gap")


@lru_cache(maxsize=16)
def site_gaps(room: RoomSettings) -> tuple[SiteRack, ...]:
    """Return the places of the customer's rows at which no rack stands."""
    return tuple(place for place in _site_places(room) if place.kind == "gap")


def _site_places(room: RoomSettings) -> Iterator[SiteRack]:
    """Yield racks and gaps, row by row, by their numbers."""
    own: dict[str, dict[int, tuple[int, RoomRack]]] = {}
    for index, rack in enumerate(room.racks or ()):
        own.setdefault(rack.row.casefold(), {})[rack.position] = (index, rack)
    y = 0
    panels = panel_units(room.panels)
    for number, row in enumerate(room.rows or ()):
        y = row.y_mm if row.y_mm is not None else y + room.row_pitch_mm if number else 0
        places = _row_places(room, row, number, y, own.get(row.name.casefold(), {}))
        for place in sorted(places, key=lambda place: place.position):
            held = panels.get(place.name.casefold())
            yield place._replace(reserved=place.reserved | held, panels=held) if held else place


def _row_places(
    room: RoomSettings, row: RoomRow, number: int, y: int, own: dict[int, tuple[int, RoomRack]]
) -> Iterator[SiteRack]:
    """Yield the racks and gaps of a row from the left."""
    told = {*range(row.first, row.first + row.racks), *own}
    numbers = {*told, *row.keep_out}
    positions = range(min(numbers), max(numbers) + 1) if numbers else range(0)
    x = row.x_mm
    for position in reversed(positions) if row.numbers == "right" else positions:
        index, rack = own.get(position, (-1, None))
        width = (rack.width_mm if rack else None) or row.pitch_mm or room.rack_pitch_mm
        left = rack.x_mm if rack and rack.x_mm is not None else x
        x = left + width
        gap = position in row.keep_out or position not in told

        def limit(field: str, last: Any = None, rack: RoomRack | None = rack) -> Any:
            for owner in (rack, row):
                if owner is not None and getattr(owner, field) is not None:
                    return getattr(owner, field)
            return last

        yield SiteRack(
            name=(rack.name if rack else None) or rack_of_row(row.name, position), row=number, position=position,
            left_mm=left, width_mm=width, y_mm=y, units=limit("units", room.rack_units),
            tray_mm=0 if room.under_floor else row.tray_height_mm or room.tray_height_mm,
            reserved=rack.reserved_units if rack else frozenset(),
            kind="gap" if gap else limit("kind", "any"),
            power_limit_w=limit("power_limit_w", room.rack_power_limit_w),
            feed_limit_w=limit("feed_limit_w", room.rack_feed_limit_w),
            weight_limit_kg=limit("weight_limit_kg", room.rack_weight_limit_kg), cooling=limit("cooling"),
            feeds=limit("feeds", ("A", "B")), own=index,
        )  # fmt: skip


def rack_of_row(row: str, position: int) -> str:
    """Return the name of a rack that has none of its own; such that no spreadsheet takes it for a date.

    >>> rack_of_row("A", 3), rack_of_row("H1", 3), rack_of_row("1", 12)
    ('A03', 'H1-03', 'R1-12')
    """
    head = f"R{row}" if row.isdigit() else row
    return f"{head}{'-' if head[-1].isdigit() else ''}{position:02}"


def _highest_rack(data: Mapping[str, Any]) -> int | None:
    """Return the units of the highest rack of raw data with rows; None where there are none, or nothing is said."""
    rows, racks = data.get("rows"), data.get("racks")
    if not isinstance(rows, (list, tuple)) or data.get("tray") == "under-floor":
        return None
    told = []
    for item in (*rows, *(racks if isinstance(racks, (list, tuple)) else ())):
        told.append(item.get("units") if isinstance(item, dict) else getattr(item, "units", None))
    if None in told[: len(rows)]:
        told.append(data.get("rack_units", 42))
    return max((units for units in told if isinstance(units, int) and 4 <= units <= 60), default=42)


def _faults(room: RoomSettings, rows: Sequence[RoomRow]) -> Iterator[PydanticCustomError]:
    """Yield what is wrong with a customer's room; what would only follow from another fault is left out."""
    names = [row.name.casefold() for row in rows]
    twice = [number for number, name in enumerate(names) if names.index(name) != number]
    for number in twice:
        yield refuse(f"two rows are called '{rows[number].name}'", f"rows[{number}].name")
    misplaced = list(_misplaced(room, rows))
    yield from misplaced
    yield from _kept_out(room, rows)
    yield from _crossing_faults(room)
    if room.panels and room.uniform_length_mm is not None:
        yield refuse("cords and trunks follow from routes, and one uniform length is asked", "panels",
                     "leave out uniform_length_mm")  # fmt: skip
    if twice:
        return
    racks = site_racks(room)
    if racks:
        yield from _rack_faults(room, racks)
        yield from _standing_faults(racks, rows)
    elif not misplaced:
        yield refuse("the rows hold no rack", "rows", "say how many: racks: 10")
    if room.panels and racks and not misplaced:
        own = [rack.reserved_units for rack in room.racks or ()]
        yield from run_faults(
            room.panels, {rack.name: rows[rack.row].name for rack in racks}, {rack.name: rack.units for rack in racks},
            {rack.name: own[rack.own] if rack.own >= 0 else frozenset() for rack in racks})  # fmt: skip


def _misplaced(room: RoomSettings, rows: Sequence[RoomRow]) -> Iterator[PydanticCustomError]:
    names = [row.name.casefold() for row in rows]
    seen: dict[tuple[str, int], int] = {}
    for number, rack in enumerate(room.racks or ()):
        if rack.row.casefold() not in names:
            yield refuse(f"rack {rack.position} stands in row '{rack.row}', which is not among the rows",
                         f"racks[{number}].row", nearest(rack.row, [row.name for row in rows]))  # fmt: skip
        first = seen.setdefault((rack.row.casefold(), rack.position), number)
        if first != number:
            yield refuse(f"rack {rack.position} of row {rack.row} stands twice, first as racks[{first}]",
                         f"racks[{number}].position")  # fmt: skip


def _kept_out(room: RoomSettings, rows: Sequence[RoomRow]) -> Iterator[PydanticCustomError]:
    """Numbers are kept out of a row that has them."""
    for number, row in enumerate(rows):
        own = [rack.position for rack in room.racks or () if rack.row.casefold() == row.name.casefold()]
        told = [*range(row.first, row.first + row.racks), *own]
        strange = [at for at in row.keep_out if not told or not min(told) <= at <= max(told)]
        if strange:
            has = f"has the numbers {min(told)} to {max(told)}" if told else "has no rack"
            yield refuse(f"row {row.name} {has}, {', '.join(map(str, strange))} is kept out of it",
                         f"rows[{number}].keep_out", "correct keep_out, racks or first; "
                         "racks counts the places that are kept out too")  # fmt: skip


def _rack_faults(room: RoomSettings, racks: Sequence[SiteRack]) -> Iterator[PydanticCustomError]:
    """Racks that are wrong in themselves; of a row's racks with one fault the first."""
    known: dict[str, SiteRack] = {}
    told, low = room.racks or (), set[tuple[int, int]]()
    for rack in racks:
        where = f"racks[{rack.own}]" if rack.own >= 0 else f"rows[{rack.row}]"
        other = known.setdefault(rack.name.casefold(), rack)
        if other is not rack:
            yield refuse(f"two racks are called '{rack.name}'", f"{where}.name", "name one of them otherwise")
        if len(rack.name) > 12:
            yield refuse(f"the rack name '{rack.name}' has {len(rack.name)} characters, labels take 12",
                         f"{where}.name", "a shorter row name, or names for the racks")  # fmt: skip
        reserved = told[rack.own].reserved_units if rack.own >= 0 else ()
        beyond = sorted(unit for unit in reserved if unit > rack.units)
        if beyond:
            yield refuse(f"rack {rack.name} has {rack.units} units, unit {beyond[0]} is reserved", f"{where}.reserved")
        if rack.tray_mm and rack.tray_mm < rack_top_mm(rack.units) and (rack.row, rack.units) not in low:
            low.add((rack.row, rack.units))
            yield refuse(f"the tray at {rack.tray_mm:,} mm is below the top of rack {rack.name}, "
                         f"{rack_top_mm(rack.units):,} mm ({rack.units} units)", f"{where}.units",
                         "correct tray_height_mm, or leave it out")  # fmt: skip


def _standing_faults(racks: Sequence[SiteRack], rows: Sequence[RoomRow]) -> Iterator[PydanticCustomError]:
    """Racks that stand in one another: on one line, or in rows closer than racks are deep."""
    lines = sorted(racks, key=lambda rack: (rack.y_mm, rack.left_mm))
    for one, other in itertools.pairwise(lines):
        if one.y_mm == other.y_mm and other.left_mm < one.left_mm + one.width_mm:
            yield refuse(f"racks {one.name} and {other.name} stand in one place: {one.name} ends at x "
                         f"{one.left_mm + one.width_mm:,} mm, {other.name} begins at {other.left_mm:,} mm",
                         f"rows[{other.row}]", "correct x_mm, y_mm or the widths")  # fmt: skip
    held: dict[int, list[SiteRack]] = {}
    for rack in lines:
        held.setdefault(rack.row, []).append(rack)
    for (low, nearer), (high, farther) in itertools.combinations(held.items(), 2):
        apart = farther[0].y_mm - nearer[0].y_mm
        beside = nearer[-1].left_mm + nearer[-1].width_mm <= farther[0].left_mm or (
            farther[-1].left_mm + farther[-1].width_mm <= nearer[0].left_mm
        )
        if not 0 < apart < DEPTH_MM or beside:
            continue
        pair = next(((one, other) for one in nearer for other in farther
                     if one.left_mm < other.left_mm + other.width_mm and other.left_mm < one.left_mm + one.width_mm),
                    None)  # fmt: skip
        if pair is not None:
            one, other = pair
            yield refuse(f"rows {rows[low].name} and {rows[high].name} are {apart:,} mm apart and racks "
                         f"{DEPTH_MM:,} mm deep: racks {one.name} and {other.name} stand in one another",
                         f"rows[{high}].y_mm", f"y_mm of row {rows[high].name} is at least "
                         f"{nearer[0].y_mm + DEPTH_MM:,}")  # fmt: skip


def _crossing_faults(room: RoomSettings) -> Iterator[PydanticCustomError]:
    names = [row.name.casefold() for row in room.rows or ()]
    # over a row without racks lies no tray
    filled = sorted({rack.row for rack in site_racks(room)})
    joined = list(range(len(names)))
    strange = False
    for number, crossing in enumerate(room.crossings or ()):
        held = []
        for row in crossing.rows if crossing.rows is not None else names:
            if row.casefold() in names:
                held.append(names.index(row.casefold()))
                continue
            strange = True
            yield refuse(f"a crossing joins row '{row}', which is not among the rows", f"crossings[{number}].rows",
                         nearest(row, [item.name for item in room.rows or ()]))  # fmt: skip
        groups = {joined[row] for row in held if row in filled}
        joined = [min(groups, default=0) if group in groups else group for group in joined]
    apart = [row for row in filled if joined[row] != joined[filled[0]]]
    if room.crossings and apart and not strange:
        rows = room.rows or ()
        yield refuse(f"no tray joins row {rows[apart[0]].name} with row {rows[filled[0]].name}", "crossings",
                     "add a crossing, or leave crossings out: then rows are crossed at any place")  # fmt: skip
