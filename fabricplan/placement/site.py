"""The racks of a placement on the floor, in the customer's room and in the default one alike."""

from __future__ import annotations

import numpy as np

from fabricplan.names import panel_name, rack_name
from fabricplan.placement.tables import Placement
from fabricplan.requirement import RoomSettings, SiteRack, site_racks, stands
from fabricplan.values import IntArray

ROW_RACKS = 20
"""Racks of a row, and the span within which a leaf serves its nodes: our choice."""


def site_names(room: RoomSettings) -> dict[str, tuple[str, ...]]:
    """Return the names of racks and rows of the customer's room, as a placement keeps them; none in the default one."""
    if room.rows is None:
        return {}
    return {"names": tuple(rack.name for rack in site_racks(room)), "row_names": tuple(row.name for row in room.rows)}


def equal_racks(room: RoomSettings, count: int) -> tuple[SiteRack, ...]:
    """Return racks of the default room's measures, row by row."""
    along = room.racks_per_row or ROW_RACKS
    return tuple(_equal_rack(room, number // along, number % along + 1) for number in range(count))


def standing(placement: Placement, room: RoomSettings) -> tuple[SiteRack, ...]:
    """Return the racks of a placement with all that the room says of them, in the order of its rack table."""
    if room.rows is not None:
        return site_racks(room)
    return tuple(_equal_rack(room, row, position) for row, position, _ in placement.racks.rows())


def rack_units_of(placement: Placement, room: RoomSettings) -> IntArray:
    """Return the units of every rack."""
    if room.rows is None:
        return np.full(len(placement.racks), room.rack_units, np.int64)
    return np.array([rack.units for rack in site_racks(room)], np.int64)


def panel_at(room: RoomSettings, rack: str, unit: int) -> str:
    """Return the name of the patch panel that takes a unit of a rack."""
    for item in stands(room.panels):
        if item.end.rack.casefold() == rack.casefold() and unit in item.run.units(item.end):
            return panel_name(item.run.name, item.side, (unit - item.end.u) // item.run.panel_units + 1)
    raise ValueError(f"no panel in unit {unit} of {rack}")


def _equal_rack(room: RoomSettings, row: int, position: int) -> SiteRack:
    pitch, tray = room.rack_pitch_mm, 0 if room.under_floor else room.tray_height_mm
    return SiteRack(
        name=rack_name(row, position), row=row, position=position, left_mm=(position - 1) * pitch, width_mm=pitch,
        y_mm=row * room.row_pitch_mm, units=room.rack_units, tray_mm=tray, reserved=frozenset(), kind="any",
        power_limit_w=room.rack_power_limit_w, feed_limit_w=room.rack_feed_limit_w,
        weight_limit_kg=room.rack_weight_limit_kg, cooling=None, feeds=("A", "B"),
    )  # fmt: skip
