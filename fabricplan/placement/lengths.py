"""Route lengths: how long the cable between two devices must be.

Length of a cable (all in mm; settings in ``requirement.RoomSettings``)::

    same rack       raw = |Ua - Ub| x 44.45 + 2 end
    overhead        raw = (Ha - za) + (Hb - zb) + |Ha - Hb| + run + 2 end        H = tray height, z = 100 + U x 44.45
    under floor     raw = za + zb + 2 drop + run + 2 end                         z = 150 + U x 44.45
    run             = |xa - xb| + |ya - yb|, between the centres of the racks; where the request lists trays across the
                      rows, the shortest way over them. In the default room x is the position times the rack pitch, y
                      the row times the row pitch.
    through a rack  raw + the depth of a rack, where one end is at the front of the racks and the other at the rear
    required        = raw x (1 + slack percent) + slack

Source: the form is that of published rack planners; the constants are a choice, calibrated on Oracle's in-rack
and multi-rack cable tables.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fabricplan.placement.tables import Placement
from fabricplan.placement.trays import Trays, trays_of
from fabricplan.requirement import RoomSettings
from fabricplan.values import IntArray

FLOOR_MM = 100
"""Height of unit 0 above the floor, as overhead routes count it."""
UNDER_MM = 150
"""The same as routes under the floor count it."""
FRONT, REAR = 1, 2
"""Sides of a rack: to the cold and to the hot aisle; 0 where it is not known."""


class LinkSides(NamedTuple):
    """The side of the rack that each end of every link looks to."""

    lower: IntArray
    upper: IntArray


class Ends(NamedTuple):
    """One end of many routes: rack row, rack unit, and the side of the rack (see ``REAR``)."""

    rack: IntArray
    u: IntArray
    side: IntArray


def ends_of(placement: Placement, devices: npt.ArrayLike, side: IntArray | None = None) -> Ends:
    """Return where devices stand, as ends of routes; ``side`` is that of each, absent: not known."""
    rows = np.asarray(devices, np.int64)
    known = np.zeros(rows.size, np.int64) if side is None else side
    return Ends(placement.places.wide("rack")[rows], placement.places.wide("u")[rows], known)


def routes_mm(room: RoomSettings, trays: Trays, a: Ends, b: Ends) -> IntArray:
    """Return the required length of routes in mm; see the module's formula."""
    # hundredths of a millimetre keep 44.45 an integer
    through = np.where((a.side != b.side) & (a.side > 0) & (b.side > 0), 100 * room.pass_through, 0)
    ends = 200 * room.end_mm + through
    inside = np.abs(a.u - b.u) * 4445 + ends
    if room.under_floor:
        vertical = 2 * (UNDER_MM + room.drop) * 100 + (a.u + b.u) * 4445
    else:
        tray_a, tray_b = trays.height_mm[a.rack] * 100, trays.height_mm[b.rack] * 100
        height_a, height_b = FLOOR_MM * 100 + a.u * 4445, FLOOR_MM * 100 + b.u * 4445
        vertical = np.maximum(tray_a - height_a, 0) + np.maximum(tray_b - height_b, 0) + np.abs(tray_a - tray_b)
    across = vertical + trays.runs(a.rack, b.rack) * 50 + ends
    raw = np.where(a.rack == b.rack, inside, across)
    slacked: IntArray = raw * (100 + room.slack_percent)
    return -(-slacked // 10_000) + room.slack_mm


def required_lengths(
    placement: Placement, room: RoomSettings, lower: npt.ArrayLike, upper: npt.ArrayLike, sides: LinkSides | None = None
) -> IntArray:
    """Return the required length in mm of cables between devices; see the module's formula.

    Args:
        placement: where the devices stand.
        room: the settings.
        lower, upper: device rows of both ends.
        sides: the side of the rack that each end looks to; absent: not known.
    """
    if room.uniform_length_mm is not None:
        return np.full(np.asarray(lower).size, room.uniform_length_mm, np.int64)
    a = ends_of(placement, lower, sides.lower if sides else None)
    b = ends_of(placement, upper, sides.upper if sides else None)
    return routes_mm(room, trays_of(room, placement.racks), a, b)
