"""Route lengths: how long the cable between two devices must be.

Length of a cable (all in mm; settings in ``requirement.RoomSettings``)::

    same rack       raw = |Ua - Ub| x 44.45 + 2 end
    between racks   raw = (H - za) + (H - zb) + |pos a - pos b| x pitch + |row a - row b| x row pitch + 2 end
                    H = tray height, z = 100 + U x 44.45
    required        = raw x (1 + slack percent) + slack

Source: the form is that of published rack planners; the constants are a choice, calibrated on Oracle's in-rack
and multi-rack cable tables.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fabricplan.placement.tables import Placement
from fabricplan.requirement import RoomSettings
from fabricplan.values import IntArray

FLOOR_MM = 100
"""Height of the lowest unit above the floor."""


def required_lengths(placement: Placement, room: RoomSettings, lower: npt.ArrayLike, upper: npt.ArrayLike) -> IntArray:
    """Return the required length in mm of cables between devices; see the module's formula."""
    a, b = np.asarray(lower, np.int64), np.asarray(upper, np.int64)
    if room.uniform_length_mm is not None:
        return np.full(a.size, room.uniform_length_mm, np.int64)
    rack, u = placement.places.wide("rack"), placement.places.wide("u")
    row, position = placement.racks.wide("row"), placement.racks.wide("position")
    rack_a, rack_b = rack[a], rack[b]
    # hundredths of a millimetre keep 44.45 an integer
    height_a, height_b = FLOOR_MM * 100 + u[a] * 4445, FLOOR_MM * 100 + u[b] * 4445
    ends = 200 * room.end_mm
    inside = np.abs(u[a] - u[b]) * 4445 + ends
    across = (
        np.maximum(room.tray_height_mm * 100 - height_a, 0)
        + np.maximum(room.tray_height_mm * 100 - height_b, 0)
        + np.abs(position[rack_a] - position[rack_b]) * room.rack_pitch_mm * 100
        + np.abs(row[rack_a] - row[rack_b]) * room.row_pitch_mm * 100
        + ends
    )
    raw = np.where(rack_a == rack_b, inside, across)
    slacked: IntArray = raw * (100 + room.slack_percent)
    return -(-slacked // 10_000) + room.slack_mm
