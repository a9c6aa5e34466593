"""Ordered against required lengths: the cut list with spares, the histogram, and cables at the edge of their part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fabricplan.crew.packages import Package
from fabricplan.crew.pieces import Piece
from fabricplan.plan import Plan

EDGE_PERCENT = 5
"""A cable whose slack is below this share of its ordered length is told: a detour of that much makes it too short."""


RARE_BELOW = 4
"""Lengths of which fewer pieces are needed are told as rare: our choice."""


class Cut(NamedTuple):
    """One part and length.

    Attributes:
        kind: ``cable`` or ``fibre``.
        family, pn: the part; ``pn`` is empty for what is ordered by description.
        length_mm: ordered length of each.
        cables: pieces that the plan lays.
        shortest_mm, longest_mm: required lengths that it serves.
        slack_least_mm, slack_mean_mm: ordered less required.
        spare: spare pieces by the request's policy.
    """

    kind: str
    family: str
    pn: str
    length_mm: int
    cables: int
    shortest_mm: int
    longest_mm: int
    slack_least_mm: int
    slack_mean_mm: int
    spare: int

    @property
    def order(self) -> int:
        """Pieces to order."""
        return self.cables + self.spare


class PackageCut(NamedTuple):
    """Cables of one part and length that a work package takes; spares belong to no package."""

    package: str
    pn: str
    length_mm: int
    cables: int


class Edge(NamedTuple):
    """A cable at the edge of its part; ``next_mm`` is the next longer length of the family, None where there is none,
    0 where it is made to any length."""

    piece: Piece
    slack_mm: int
    next_mm: int | None


class Bar(NamedTuple):
    """One metre of the histogram: cables required, and cables ordered, above ``metre`` - 1 up to ``metre``."""

    metre: int
    required: int
    ordered: int


def cut_list(plan: Plan) -> list[Cut]:
    """Return the parts by family and length, shortest first."""
    cables, parts = plan.cabling.cables, plan.cabling.cable_parts
    spare = {(line.kind, line.key, line.length_mm): line.spare for line in plan.bom.lines}
    found = []
    for number, part in enumerate(parts):
        required = cables.wide("required_mm")[cables.part == number]
        if not required.size:
            continue
        slack = part.length_mm - required
        found.append(Cut(part.kind, part.family, part.pn, part.length_mm, int(required.size), int(required.min()),
                         int(required.max()), int(slack.min()), round(float(slack.mean())),
                         spare.get((part.kind, part.family, part.length_mm), 0)))  # fmt: skip
    return sorted(found, key=lambda row: (row.kind, row.family, row.length_mm))


def package_cuts(packages: Sequence[Package]) -> list[PackageCut]:
    """Return what every package takes from the store, package by package; a splitter counts once."""
    found = []
    for package in packages:
        counts = Counter((cable[0].pn, cable[0].length_mm) for cable in package.cables)
        found += [PackageCut(package.name, pn, length, count) for (pn, length), count in sorted(counts.items())]
    return found


def rare_lengths(cuts: Sequence[Cut]) -> int:
    """Return how many lengths are needed fewer than ``RARE_BELOW`` times although their family has a longer one."""
    longest: dict[tuple[str, str], int] = {}
    for cut in cuts:
        key = (cut.kind, cut.family)
        longest[key] = max(longest.get(key, 0), cut.length_mm)
    return sum(cut.cables < RARE_BELOW and cut.length_mm < longest[cut.kind, cut.family] for cut in cuts)


def histogram(plan: Plan) -> list[Bar]:
    """Return how many cables need, and how many have, each length; by the metre, from the shortest to the longest."""
    cables = plan.cabling.cables
    if not len(cables):
        return []
    ordered = np.array([part.length_mm for part in plan.cabling.cable_parts], np.int64)[cables.wide("part")]
    counts = [Counter((-(-lengths // 1000)).tolist()) for lengths in (cables.wide("required_mm"), ordered)]
    metres = sorted({metre for count in counts for metre in count})
    return [Bar(metre, counts[0][metre], counts[1][metre]) for metre in metres]


def edges(plan: Plan, cables: Sequence[Sequence[Piece]]) -> list[Edge]:
    """Return the cables whose slack is below ``EDGE_PERCENT``, least slack first.

    Cables of one uniform length are none of them: their required length is that number, and says nothing of the room.
    """
    longer = [_longer(plan, number) for number in range(len(plan.cabling.cable_parts))]
    found = []
    for cable in cables:
        piece = max(cable, key=lambda item: item.required_mm)
        if piece.source == "uniform":
            continue
        slack = piece.length_mm - piece.required_mm
        if slack * 100 < EDGE_PERCENT * piece.length_mm:
            found.append(Edge(piece, slack, longer[piece.part]))
    return sorted(found, key=lambda edge: (edge.slack_mm / edge.piece.length_mm, edge.piece.cable))


def _longer(plan: Plan, number: int) -> int | None:
    part = plan.cabling.cable_parts[number]
    products = plan.products
    entry = products.cable(part.family) if part.kind == "cable" else products.fibre(part.family)
    if entry.any_length:
        return 0
    return min((row.length_mm for row in entry.lengths if row.length_mm > part.length_mm), default=None)
