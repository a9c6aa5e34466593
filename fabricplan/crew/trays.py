"""What lies in the trays: cables, bundles and cross-section of every tray segment.

The route follows the length formula of ``placement``: a cable goes to the tray at its A end, runs along that row to the
place of its Z end, and crosses the rows there; network racks are Z ends, so crossings gather there. Where the request
lists trays across the rows, it takes the shortest way over them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from fabricplan.placement import Trays, trays_of
from fabricplan.plan import Plan
from fabricplan.schedule import CableTable
from fabricplan.values import IntArray

DIAMETER_MM = {"dac": 9.43, "acc": 9.43, "aoc": 3.0, "fibre": 3.0}
"""Cable jackets. Copper and AOC: NVIDIA DGX SuperPOD data-center design H100, table 18. The jacket of fibre is taken to
be that of AOC (our assumption), active copper that of passive. Twisted pair has no published diameter here."""
TRAY_MM2 = 300 * 100
"""Cross-section of the tray that the fill is told of: 300 x 100 mm, our assumption."""
ALONG, ACROSS = "along", "across"


class Segment(NamedTuple):
    """A piece of tray: along a row between two neighbouring places, or from a row to the next one over one place.

    Attributes:
        kind: ``along`` or ``across``.
        row, other: row from 0, of ``across`` the next one in the room.
        start_x2, end_x2: where it begins and ends along the rows, in doubled millimetres; of ``across`` the same twice.
        one, two: the racks, or the place along the row, between which it lies.
        cables: cables in it; a splitter counts once per tail.
        bundles: different pairs of racks whose cables lie in it.
        area_mm2: sum of the cross-sections of cables whose diameter is known.
        unmeasured: cables whose diameter is not known.
        bare: kinds of those (``cable_kinds``).
    """

    kind: str
    row: int
    other: int
    start_x2: int
    end_x2: int
    one: str
    two: str
    cables: int
    bundles: int
    area_mm2: float
    unmeasured: int
    bare: tuple[str, ...] = ()

    @property
    def fill(self) -> float:
        """Share of the assumed tray that the known cables take."""
        return self.area_mm2 / TRAY_MM2


def cable_kinds(plan: Plan) -> list[str]:
    """Return the kind of every cable part: that of the cable (``dac``, ``aoc`` ...), ``fibre``, or ``trunk``."""

    def fibre(family: str) -> str:
        return "trunk" if plan.products.fibre(family).trunk_connectors else "fibre"

    return [
        fibre(part.family) if part.kind == "fibre" else plan.products.cable(part.family).kind
        for part in plan.cabling.cable_parts
    ]


def diameter_mm(kind: str) -> float | None:
    """Return the jacket of a kind of cable; None where none is published."""
    return DIAMETER_MM.get(kind)


def segments(plan: Plan, table: CableTable) -> list[Segment]:
    """Return the tray segments that hold any cable, along rows first."""
    kinds = cable_kinds(plan)
    part = table.pn.codes
    laid = part < len(kinds)
    a, z, racks = table.a_rack_row, table.z_rack_row, len(plan.placement.racks)
    laid &= a != z
    if not laid.any():
        return []
    areas = [math.pi / 4 * DIAMETER_MM[kind] ** 2 if kind in DIAMETER_MM else 0.0 for kind in kinds]
    # hundredths of a square millimetre keep the sums exact, whatever their order
    area = np.array([round(item * 100) for item in areas], np.int64)[part[laid]]
    bare = sorted(set(kinds) - set(DIAMETER_MM))
    pairs, which = np.unique(a[laid] * racks + z[laid], return_inverse=True)
    weights = np.stack([
        np.bincount(which), np.ones(pairs.size, np.int64),
        np.bincount(which, weights=area).astype(np.int64),
        *(np.bincount(which[np.array([item == kind for item in kinds])[part[laid]]], minlength=pairs.size)
          for kind in bare),
    ])  # fmt: skip
    floor = trays_of(plan.requirement.room, plan.placement.racks)
    return list(_segments(plan, floor, _legs(floor, pairs // racks, pairs % racks), weights, bare))


def _legs(floor: Trays, a: IntArray, z: IntArray) -> tuple[IntArray, ...]:
    """Return the straight pieces of all runs as columns: pair, row, other row, start, end."""
    pair = np.arange(a.size)
    if not floor.stops:
        row, last, start, end = floor.row[a], floor.row[z], floor.x2[a], floor.x2[z]
        return (np.concatenate([pair, pair]), np.concatenate([row, row]), np.concatenate([row, last]),
                np.concatenate([start, end]), np.concatenate([end, end]))  # fmt: skip
    told = [(number, *leg) for number, ends in enumerate(zip(a.tolist(), z.tolist(), strict=True))
            for leg in floor.legs(*ends)]  # fmt: skip
    return tuple(np.array(column, np.int64) for column in zip(*told, strict=True))


def _segments(
    plan: Plan, floor: Trays, legs: Sequence[IntArray], weights: IntArray, bare: Sequence[str]
) -> Iterator[Segment]:
    """Yield the segments: the weight of every leg lies between each of its places and the next."""
    pair, row, other, start, end = legs
    names = plan.placement.rack_names()
    rows = np.lexsort((np.arange(floor.row_y2.size), floor.row_y2))
    rank = np.argsort(rows)
    places = np.unique(np.concatenate([floor.x2, start, end]))
    racks = {(line, x): name for line, x, name in zip(floor.row.tolist(), floor.x2.tolist(), names, strict=True)}

    def place(line: int, x2: int) -> str:
        return racks.get((line, x2)) or f"x {x2 / 2000:.2f} m"

    along = row == other
    first, last = np.searchsorted(places, start[along]), np.searchsorted(places, end[along])
    loads = _runs((rows.size, places.size), row[along], first, last, weights[:, pair[along]])
    stops = np.zeros((rows.size, places.size), bool)
    stops[floor.row, np.searchsorted(places, floor.x2)] = True
    for stop in (first, last):
        stops[row[along], stop] = True
    at = places.tolist()
    for line in range(rows.size):
        held = np.flatnonzero(stops[line]).tolist()
        for one, two in itertools.pairwise(held):
            if loads[0, line, one]:
                yield _segment(ALONG, (line, line), (at[one], at[two]), (place(line, at[one]), place(line, at[two])),
                               loads[:, line, one], bare)  # fmt: skip
    crossed = ~along
    loads = _runs((places.size, rows.size), np.searchsorted(places, start[crossed]), rank[row[crossed]],
                  rank[other[crossed]], weights[:, pair[crossed]])  # fmt: skip
    for line, (low, high) in enumerate(itertools.pairwise(rows.tolist())):
        for stop in np.flatnonzero(loads[0, :, line]).tolist() if floor.row_y2[low] != floor.row_y2[high] else ():
            yield _segment(ACROSS, (low, high), (at[stop], at[stop]), (place(low, at[stop]), place(high, at[stop])),
                           loads[:, stop, line], bare)  # fmt: skip


def _segment(
    kind: str, rows: tuple[int, int], ends: tuple[int, int], names: tuple[str, str], load: IntArray, bare: Sequence[str]
) -> Segment:
    cables, bundles, area, *counts = load.tolist()
    held = tuple(item for item, count in zip(bare, counts, strict=True) if count)
    return Segment(kind, *rows, *ends, *names, cables, bundles, area / 100, sum(counts), held)


def _runs(shape: tuple[int, int], line: IntArray, one: IntArray, other: IntArray, weights: IntArray) -> IntArray:
    """Return, per weight and line, what lies between each place and the next: by differences, then a running sum."""
    steps = np.zeros((len(weights), *shape), np.int64)
    low, high = np.minimum(one, other), np.maximum(one, other)
    for step, weight in zip(steps, weights, strict=True):
        np.add.at(step, (line, low), weight)
        np.add.at(step, (line, high), -weight)
    found: IntArray = np.cumsum(steps, axis=2)
    return found
