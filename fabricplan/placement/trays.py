"""Trays: where every rack stands, and the run of a cable along the rows and across them.

Where the request lists no crossing, rows are crossed at any place, above the rack where a cable ends. Else cables
cross where it says, by the shortest way::

    row B  ----+--------[B05]---+----      A02 to B05: over the left crossing 1 + 5 racks of run,
               |                |                      over the right one more
    row A  ----+-[A02]----------+----
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fabricplan.placement.tables import Racks
from fabricplan.requirement import RoomSettings, site_racks
from fabricplan.values import IntArray

FAR = 1 << 40
"""Twice the millimetres between crossings that no tray joins."""


class Leg(NamedTuple):
    """A straight piece of a run, in doubled millimetres: along a row (``row == other``) from ``start`` to ``end``, or
    from a row to another at ``start``."""

    row: int
    other: int
    start: int
    end: int


class Trays:
    """The racks on the floor, and the runs between them. All places are doubled millimetres.

    Attributes:
        x2, y2: centre of every rack.
        row: row of every rack.
        height_mm: height of the tray above every rack; 0 under the floor.
        row_y2: centre line of every row.
    """

    def __init__(self, room: RoomSettings, racks: Racks) -> None:
        """Place the racks.

        Args:
            room: the room of the request.
            racks: the racks of the placement; in a room of the customer's all of that room, in its order.
        """
        self.row = racks.wide("row")
        site = site_racks(room)
        if site:
            self.x2 = np.array([rack.x2_mm for rack in site], np.int64)
            self.y2 = np.array([2 * rack.y_mm for rack in site], np.int64)
            self.height_mm = np.array([rack.tray_mm for rack in site], np.int64)
        else:
            self.x2 = (2 * racks.wide("position") - 1) * room.rack_pitch_mm
            self.y2 = self.row * room.row_pitch_mm * 2
            self.height_mm = np.full(self.row.size, 0 if room.under_floor else room.tray_height_mm, np.int64)
        self.row_y2 = np.zeros(int(self.row.max(initial=-1)) + 1, np.int64)
        self.row_y2[self.row] = self.y2
        self._cross(room)

    def _cross(self, room: RoomSettings) -> None:
        """Find the shortest ways between all places where a crossing meets a row (Floyd and Warshall)."""
        self.stops: list[tuple[int, int, int]] = []
        if room.rows is None or room.crossings is None:
            return
        names = [row.name.casefold() for row in room.rows]
        for number, crossing in enumerate(room.crossings):
            rows = [names.index(row.casefold()) for row in (names if crossing.rows is None else crossing.rows)]
            self.stops += [(row, 2 * crossing.x_mm, number) for row in rows if row in self.row]
        row, x, line = (np.array(column, np.int64) for column in zip(*self.stops, strict=True))
        y = self.row_y2[row]
        along = np.where(row[:, None] == row, np.abs(x[:, None] - x), FAR)
        self._way = np.minimum(along, np.where(line[:, None] == line, np.abs(y[:, None] - y), FAR))
        self._next = np.broadcast_to(np.arange(row.size), self._way.shape).copy()
        for stop in range(row.size):
            over = self._way[:, stop, None] + self._way[stop]
            shorter = over < self._way
            self._way = np.where(shorter, over, self._way)
            self._next = np.where(shorter, self._next[:, stop, None], self._next)
        self._stop_row, self._stop_x = row, x

    def runs(self, a: IntArray, b: IntArray) -> IntArray:
        """Return the runs between racks, in doubled millimetres."""
        straight: IntArray = np.abs(self.x2[a] - self.x2[b]) + np.abs(self.y2[a] - self.y2[b])
        if not self.stops:
            return straight
        crossed = self.row[a] != self.row[b]
        pairs, which = np.unique(a[crossed] * self.row.size + b[crossed], return_inverse=True)
        found = np.array([self._best(pair // self.row.size, pair % self.row.size)[0] for pair in pairs.tolist()],
                         np.int64)  # fmt: skip
        straight[crossed] = found[which]
        return straight

    def _best(self, a: int, b: int) -> tuple[int, int, int]:
        """Return the run between racks of two rows, and its first and last stop."""
        first = np.flatnonzero(self._stop_row == self.row[a])
        last = np.flatnonzero(self._stop_row == self.row[b])
        ways = (np.abs(self._stop_x[first] - self.x2[a])[:, None] + self._way[np.ix_(first, last)]
                + np.abs(self._stop_x[last] - self.x2[b]))  # fmt: skip
        at = int(np.argmin(ways))
        return int(ways.flat[at]), int(first[at // last.size]), int(last[at % last.size])

    def legs(self, a: int, b: int) -> list[Leg]:
        """Return the straight pieces of the run from one rack to another, in order."""
        row_a, row_b, x_a, x_b = int(self.row[a]), int(self.row[b]), int(self.x2[a]), int(self.x2[b])
        if row_a == row_b:
            return [Leg(row_a, row_a, x_a, x_b)]
        if not self.stops:
            return [Leg(row_a, row_a, x_a, x_b), Leg(row_a, row_b, x_b, x_b)]
        _, stop, last = self._best(a, b)
        found = [Leg(row_a, row_a, x_a, int(self._stop_x[stop]))]
        while stop != last:
            after = int(self._next[stop, last])
            row, other = int(self._stop_row[stop]), int(self._stop_row[after])
            found.append(Leg(row, other, int(self._stop_x[stop]), int(self._stop_x[after])))
            stop = after
        found.append(Leg(row_b, row_b, int(self._stop_x[last]), x_b))
        return [leg for leg in found if leg.row != leg.other or leg.start != leg.end]
