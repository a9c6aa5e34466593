"""Trays: where every rack stands, and the run of a cable along the rows and across them.

Where the request lists no crossing, rows are crossed at any place, above the rack where a cable ends. Else cables
cross where it says, by the shortest way::

    row B  ----+--------[B05]---+----      A02 to B05: over the left crossing 1 + 5 racks of run,
               |                |                      over the right one more
    row A  ----+-[A02]----------+----
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from fabricplan.placement.tables import Racks
from fabricplan.requirement import RoomSettings, site_racks
from fabricplan.values import IntArray

FAR = 1 << 44
"""Twice the millimetres to a stop that is not reached yet; with its turn still within int64."""
TURNS = 1 << 13
"""Above the number of every stop: a way and its turn share one number, ``way * TURNS + turn``."""


class Leg(NamedTuple):
    """A straight piece of a run, in doubled millimetres: along a row (``row == other``) from ``start`` to ``end``, or
    from a row to another at ``start``."""

    row: int
    other: int
    start: int
    end: int


class _Grid:
    """The stops, and the shortest ways between them.

    Stops lie on lines of two kinds, rows and crossings, and along a line the way is the distance. So ways are found
    for all stops of a row at once: a running minimum along every row, then along every crossing, until nothing gets
    shorter. Of ways of one length that one counts whose highest turn is the lowest, which is the one that the search of
    Floyd and Warshall takes. A turn is a stop where the way goes over from a row to a crossing or back, by its number
    from 1.
    """

    def __init__(self, stops: Sequence[tuple[int, int, int]], row_y2: IntArray) -> None:
        """Take the stops as row, place along the row and crossing, and the centre lines of all rows."""
        self.row, self.x, crossing = (np.array(column, np.int64) for column in zip(*stops, strict=True))
        numbers, first = np.unique(crossing, return_index=True)
        columns = np.argsort(self.x[first], kind="stable")
        lines = np.argsort(row_y2, kind="stable")
        self._line = np.argsort(lines)[self.row]
        self._column = np.argsort(columns)[np.searchsorted(numbers, crossing)]
        self._x, self._y = self.x[first][columns], row_y2[lines]
        self._turn = np.zeros((lines.size, columns.size), np.int64)
        self._turn[self._line, self._column] = np.arange(1, self.row.size + 1)
        self._ways: dict[int, IntArray] = {}

    def way(self, stops: IntArray) -> IntArray:
        """Return the ways from the stops of a row (rows) to all stops (columns)."""
        return self._found(stops) // TURNS

    def after(self, stop: int, last: int) -> int:
        """Return the stop at which the shortest way to another one turns first, or where it ends."""
        while True:
            mine = np.flatnonzero(self.row == self.row[stop])
            turn = int(self._found(mine)[np.searchsorted(mine, stop), last]) % TURNS
            if not turn:
                return last
            last = turn - 1

    def _found(self, stops: IntArray) -> IntArray:
        """Return way and turn from the stops of a row to all stops."""
        row = int(self.row[stops[0]])
        if row not in self._ways:
            shape = (stops.size, *self._turn.shape)
            start = np.full(shape, FAR * TURNS)
            start[np.arange(stops.size), self._line[stops], self._column[stops]] = 0
            by_row, by_crossing = self._along(start, self._x, 2), self._along(start, self._y, 1)
            while True:
                over_row = np.minimum(by_row, self._along(self._turned(by_crossing), self._x, 2))
                over_crossing = np.minimum(by_crossing, self._along(self._turned(over_row), self._y, 1))
                same = np.array_equal(over_row, by_row) and np.array_equal(over_crossing, by_crossing)
                by_row, by_crossing = over_row, over_crossing
                if same:
                    break
            best = np.minimum(by_row, by_crossing)
            self._ways[row] = best[:, self._line, self._column]
        return self._ways[row]

    def _turned(self, ways: IntArray) -> IntArray:
        """Return ways that go over to the other kind of line where they are."""
        turn = ways % TURNS
        found: IntArray = ways - turn + np.maximum(turn, self._turn)
        return found

    def _along(self, ways: IntArray, places: IntArray, axis: int) -> IntArray:
        """Return what is reached along one kind of lines; where there is no stop nothing is."""
        at = (places * TURNS).reshape((-1, 1) if axis == 1 else (1, -1))
        up = np.minimum.accumulate(ways - at, axis) + at
        down = np.flip(np.minimum.accumulate(np.flip(ways + at, axis), axis), axis) - at
        return np.where(self._turn > 0, np.minimum(np.minimum(up, down), FAR * TURNS), FAR * TURNS)


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
        """Find the stops: the places where a crossing meets a row that has racks."""
        self.stops: list[tuple[int, int, int]] = []
        if room.rows is None or room.crossings is None:
            return
        names = [row.name.casefold() for row in room.rows]
        crossed = [dict.fromkeys(names.index(row.casefold()) for row in
                                 (names if crossing.rows is None else crossing.rows))
                   for crossing in room.crossings]  # fmt: skip
        held = set(self.row.tolist())
        self.stops = [(row, 2 * crossing.x_mm, number) for number, crossing in enumerate(room.crossings)
                      for row in crossed[number] if row in held]  # fmt: skip
        if not self.stops:
            return
        self._grid = _Grid(self.stops, self.row_y2)
        rows = self._grid.row.tolist()
        self._of_row = {row: np.array([stop for stop, other in enumerate(rows) if other == row], np.int64)
                        for row in set(rows)}  # fmt: skip

    def runs(self, a: IntArray, b: IntArray) -> IntArray:
        """Return the runs between racks, in doubled millimetres."""
        straight: IntArray = np.abs(self.x2[a] - self.x2[b]) + np.abs(self.y2[a] - self.y2[b])
        if not self.stops or not straight.size:
            return straight
        # from row to row at once: from every rack in use to the stops of the other row, then on to the racks there
        lines = self.row_y2.size
        code = np.where(self.row[a] != self.row[b], self.row[a] * lines + self.row[b], -1)
        order = np.argsort(code, kind="stable")
        codes, starts = np.unique(code[order], return_index=True)
        for pair, mine in zip(codes.tolist(), np.split(order, starts[1:]), strict=True):
            if pair < 0:
                continue
            one, two = self._of_row[pair // lines], self._of_row[pair % lines]
            racks, which = np.unique(a[mine], return_inverse=True)
            way = self._grid.way(one)[:, two]
            there = (np.abs(self._grid.x[one] - self.x2[racks][:, None])[:, :, None] + way).min(axis=1)
            straight[mine] = (there[which] + np.abs(self._grid.x[two] - self.x2[b[mine]][:, None])).min(axis=1)
        return straight

    def _best(self, a: int, b: int) -> tuple[int, int]:
        """Return the first and the last stop of the run between racks of two rows."""
        first, last = self._of_row[int(self.row[a])], self._of_row[int(self.row[b])]
        ways = (np.abs(self._grid.x[first] - self.x2[a])[:, None] + self._grid.way(first)[:, last]
                + np.abs(self._grid.x[last] - self.x2[b]))  # fmt: skip
        at = int(np.argmin(ways))
        return int(first[at // last.size]), int(last[at % last.size])

    def legs(self, a: int, b: int) -> list[Leg]:
        """Return the straight pieces of the run from one rack to another, in order."""
        row_a, row_b, x_a, x_b = int(self.row[a]), int(self.row[b]), int(self.x2[a]), int(self.x2[b])
        if row_a == row_b:
            return [Leg(row_a, row_a, x_a, x_b)]
        if not self.stops:
            return [Leg(row_a, row_a, x_a, x_b), Leg(row_a, row_b, x_b, x_b)]
        stop, last = self._best(a, b)
        row_of, x_of = self._grid.row, self._grid.x
        found = [Leg(row_a, row_a, x_a, int(x_of[stop]))]
        while stop != last:
            after = self._grid.after(stop, last)
            found.append(Leg(int(row_of[stop]), int(row_of[after]), int(x_of[stop]), int(x_of[after])))
            stop = after
        found.append(Leg(row_b, row_b, int(x_of[last]), x_b))
        return [leg for leg in found if leg.row != leg.other or leg.start != leg.end]


@lru_cache(maxsize=2)
def trays_of(room: RoomSettings, racks: Racks) -> Trays:
    """Return the racks of a placement on the floor: built once, for the ways that are found stay with it."""
    return Trays(room, racks)
