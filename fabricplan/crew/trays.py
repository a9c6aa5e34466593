"""What lies in the trays: cables, bundles and cross-section of every tray segment.

The route follows the length formula of ``placement``: a cable rises to the tray above its A end, runs along that row
to the position of its Z end, and crosses the rows there. Network racks are Z ends, so crossings gather above them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

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
    """A piece of tray: above a row between two neighbouring racks, or between two rows above one position.

    Attributes:
        kind: ``along`` or ``across``.
        row: row from 0; of ``across`` the first of the two.
        position: position from 1; of ``along`` the left one of the two.
        cables: cables in it; a splitter counts once per tail.
        bundles: different pairs of racks whose cables lie in it.
        area_mm2: sum of the cross-sections of cables whose diameter is known.
        unmeasured: cables whose diameter is not known.
    """

    kind: str
    row: int
    position: int
    cables: int
    bundles: int
    area_mm2: float
    unmeasured: int

    @property
    def fill(self) -> float:
        """Share of the assumed tray that the known cables take."""
        return self.area_mm2 / TRAY_MM2


def cable_kinds(plan: Plan) -> list[str]:
    """Return the kind of every cable part: that of the cable (``dac``, ``aoc`` ...), or ``fibre``."""
    return [
        "fibre" if part.kind == "fibre" else plan.products.cable(part.family).kind for part in plan.cabling.cable_parts
    ]


def diameter_mm(kind: str) -> float | None:
    """Return the jacket of a kind of cable; None where none is published."""
    return DIAMETER_MM.get(kind)


def segments(plan: Plan, table: CableTable) -> list[Segment]:
    """Return the tray segments that hold any cable, along rows first."""
    racks = plan.placement.racks
    row, position = racks.wide("row"), racks.wide("position")
    shape = (int(row.max(initial=0)) + 2, int(position.max(initial=0)) + 2)
    kinds = cable_kinds(plan)
    part = table.pn.codes
    laid = part < len(kinds)
    rack = plan.placement.places.wide("rack")
    links = plan.topology.links
    a, z = rack[links.wide("lower")[table.link]], rack[links.wide("upper")[table.link]]
    laid &= a != z
    if not laid.any():
        return []
    areas = [math.pi / 4 * DIAMETER_MM[kind] ** 2 if kind in DIAMETER_MM else 0.0 for kind in kinds]
    # hundredths of a square millimetre keep the sums exact, whatever their order
    area = np.array([round(item * 100) for item in areas], np.int64)[part[laid]]
    unmeasured = np.array([kind not in DIAMETER_MM for kind in kinds], np.int64)[part[laid]]
    pair = a[laid] * len(racks) + z[laid]
    pairs, which = np.unique(pair, return_inverse=True)
    weights = [
        np.bincount(which), np.ones(pairs.size, np.int64),
        np.bincount(which, weights=area).astype(np.int64), np.bincount(which, weights=unmeasured).astype(np.int64),
    ]  # fmt: skip
    first, last = pairs // len(racks), pairs % len(racks)
    along = [_runs(shape, row[first], position[first], position[last], weight) for weight in weights]
    across = [
        _runs(shape[::-1], position[last], row[first], row[last], weight).T for weight in weights
    ]  # fmt: skip
    found = []
    for kind, (cables, bundles, mm2, bare) in ((ALONG, along), (ACROSS, across)):
        for line, place in zip(*(axis.tolist() for axis in np.nonzero(cables)), strict=True):
            at = (line, place)
            found.append(Segment(kind, line, place, int(cables[at]), int(bundles[at]), int(mm2[at]) / 100,
                                 int(bare[at])))  # fmt: skip
    return found


def _runs(shape: tuple[int, int], line: IntArray, one: IntArray, other: IntArray, weight: IntArray) -> IntArray:
    """Return, per line, the weight that lies between each place and the next: by differences, then a running sum."""
    steps = np.zeros(shape, np.int64)
    low, high = np.minimum(one, other), np.maximum(one, other)
    np.add.at(steps, (line, low), weight)
    np.add.at(steps, (line, high), -weight)
    return np.cumsum(steps, axis=1)
