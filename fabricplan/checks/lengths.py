"""Rules on what the lengths led to: copper that was asked and does not reach, lengths that are not sold."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fabricplan.checks.view import View
from fabricplan.mating import COPPER
from fabricplan.values import Finding, finding

GAP_TIMES, GAP_MM = 2, 5000
"""An ordered length is told from so many times the required one, and from so much more: our choice."""


def copper_beyond(view: View) -> Iterator[Finding]:
    """Copper was asked, and most links are too long for it."""
    parts = view.cabling.cable_parts
    copper = np.array([*(part.kind == "cable" and view.catalog.cable(part.family).kind in COPPER for part in parts),
                       False])[view.link_part]  # fmt: skip
    for number, sizing in enumerate(view.sizings):
        laid = (view.fabric == number) & (view.link_part >= 0)
        optical, links = int((laid & ~copper).sum()), int(laid.sum())
        if view.requirement.fabrics[number].media == "copper" and optical * 2 > links:
            yield finding("warning", "copper-beyond", sizing.name, optical=optical, links=links)


def length_gap(view: View) -> Iterator[Finding]:
    """Cables far longer than their route needs, because no nearer length is sold."""
    cables, parts = view.cabling.cables, view.cabling.cable_parts
    if not len(cables):
        return
    part, required = cables.wide("part"), cables.wide("required_mm")
    ordered = np.array([item.length_mm for item in parts], np.int64)[part]
    wide = (ordered > GAP_TIMES * required) & (ordered - required >= GAP_MM)
    for row, item in enumerate(parts):
        mine = wide & (part == row)
        if mine.any():
            yield finding("warning", "length-gap", item.pn or item.family, cables=int(mine.sum()),
                          ordered_m=item.length_mm / 1000, needed_m=int(required[mine].max()) / 1000)  # fmt: skip


RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (copper_beyond, length_gap)
