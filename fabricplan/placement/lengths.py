"""Route lengths: how long the cable between two devices must be.

Length of a cable (all in mm; settings in ``requirement.RoomSettings``)::

    same rack       raw = |Ua - Ub| x 44.45 + 2 end
    overhead        raw = (Ha - za) + (Hb - zb) + |Ha - Hb| + run + 2 end        H = tray height, z = 100 + U x 44.45
    under floor     raw = za + zb + 2 drop + run + 2 end                         z = 150 + U x 44.45
    run             = |xa - xb| + |ya - yb|, between the centres of the racks; where the request lists trays across the
                      rows, the shortest way over them. In the default room x is the position times the rack pitch, y
                      the row times the row pitch.
    required        = raw x (1 + slack percent) + slack

Source: the form is that of published rack planners; the constants are a choice, calibrated on Oracle's in-rack
and multi-rack cable tables.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fabricplan.placement.tables import Placement
from fabricplan.placement.trays import Trays
from fabricplan.requirement import RoomSettings
from fabricplan.values import IntArray

FLOOR_MM = 100
"""Height of unit 0 above the floor, as overhead routes count it."""
UNDER_MM = 150
"""The same as routes under the floor count it."""


def required_lengths(placement: Placement, room: RoomSettings, lower: npt.ArrayLike, upper: npt.ArrayLike) -> IntArray:
    """Return the required length in mm of cables between devices; see the module's formula."""
    a, b = np.asarray(lower, np.int64), np.asarray(upper, np.int64)
    if room.uniform_length_mm is not None:
        return np.full(a.size, room.uniform_length_mm, np.int64)
    rack, u = placement.places.wide("rack"), placement.places.wide("u")
    rack_a, rack_b = rack[a], rack[b]
    trays = Trays(room, placement.racks)
    # hundredths of a millimetre keep 44.45 an integer
    ends = 200 * room.end_mm
    inside = np.abs(u[a] - u[b]) * 4445 + ends
    if room.under_floor:
        vertical = 2 * (UNDER_MM + room.drop) * 100 + (u[a] + u[b]) * 4445
    else:
        tray_a, tray_b = trays.height_mm[rack_a] * 100, trays.height_mm[rack_b] * 100
        height_a, height_b = FLOOR_MM * 100 + u[a] * 4445, FLOOR_MM * 100 + u[b] * 4445
        vertical = np.maximum(tray_a - height_a, 0) + np.maximum(tray_b - height_b, 0) + np.abs(tray_a - tray_b)
    across = vertical + trays.runs(rack_a, rack_b) * 50 + ends
    raw = np.where(rack_a == rack_b, inside, across)
    slacked: IntArray = raw * (100 + room.slack_percent)
    return -(-slacked // 10_000) + room.slack_mm
