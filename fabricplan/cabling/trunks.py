"""Trunks of a plan: how long the pieces of patched links are, which trunk and panel port every link takes.

Ports are given in the order of the links, so that those of a growing fabric are those of its final stage.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fabricplan.cabling.jobs import Book
from fabricplan.cabling.panels import Way, numbered, trunk_length
from fabricplan.cabling.tables import CablePart, Cabling, Patches
from fabricplan.errors import RequirementError
from fabricplan.mating import ordered_length
from fabricplan.patching import cord_lengths, face_faults, runs_on_floor, spanning, surveyed_faults, trunk_mm
from fabricplan.placement import Placement
from fabricplan.portwords import Wired
from fabricplan.sides import link_sides
from fabricplan.values import IntArray


def whole_way(wired: Wired, placement: Placement) -> Way | None:
    """Return the way of all links of a plan; None where the room has no panels.

    Raises:
        InfeasibleError: a trunk is not sold as long as its run.
        RequirementError: a surveyed trunk shorter than the straight line, or an end that looks to both sides.
    """
    room = wired.requirement.room
    if not room.panels:
        return None
    runs = runs_on_floor(room, placement, wired.products)
    spans, sides = spanning(wired.requirement, wired.topology, placement), link_sides(wired)
    problems = [problem for run in runs for problem in (*surveyed_faults(room, placement, run),
                                                        *face_faults(wired.topology, sides, spans, run))]  # fmt: skip
    if problems:
        raise RequirementError(*problems)
    lower, upper, trunk = (np.zeros(spans.run.size, np.int64) for _ in range(3))
    for run in runs:
        mine = np.flatnonzero(spans.run == run.number)
        lower[mine], upper[mine] = cord_lengths(room, placement, wired.topology, sides, run, mine, spans.flip[mine])
        if mine.size:
            trunk[mine] = trunk_length(run, trunk_mm(room, placement, run))
    return Way(runs, spans.run, spans.flip, lower, upper, trunk)


class LaidPatches(NamedTuple):
    """Patched links while cables are numbered; cables by their rows in the book.

    ``rack_a`` and ``rack_b`` are the racks of the two panels: at the lower end of the link and at the upper.
    """

    link: IntArray
    run: IntArray
    flip: IntArray
    port: IntArray
    lower_cord: IntArray
    upper_cord: IntArray
    trunk: IntArray
    rack_a: IntArray
    rack_b: IntArray

    def table(self, new_row: IntArray) -> Patches:
        """Return the table, with cables by their rows in the plan."""
        return Patches(link=self.link, run=self.run, flip=self.flip, port=self.port,
                       upper_cord=new_row[self.upper_cord], trunk=new_row[self.trunk])  # fmt: skip

    def racks(self, cables: int) -> tuple[IntArray, IntArray]:
        """Return the rack at the lower and at the upper end of every cable where it is that of a panel; else -1."""
        return _panel_racks(cables, self)


def _panel_racks(cables: int, laid: LaidPatches) -> tuple[IntArray, IntArray]:
    lower, upper = np.full(cables, -1, np.int64), np.full(cables, -1, np.int64)
    upper[laid.lower_cord], lower[laid.upper_cord] = laid.rack_a, laid.rack_b
    # a trunk runs from side a to side b, whichever way its links go
    lower[laid.trunk] = np.where(laid.flip > 0, laid.rack_b, laid.rack_a)
    upper[laid.trunk] = np.where(laid.flip > 0, laid.rack_a, laid.rack_b)
    return lower, upper


def lay_trunks(book: Book, way: Way, wired: Wired, placement: Placement) -> LaidPatches:
    """Number the panel ports, record the trunks, and return the patched links.

    Raises:
        InfeasibleError: a run has too few ports.
    """
    links, plane = wired.topology.links, wired.topology.devices.wide("plane")
    apart = (links.wide("fabric") * 4 + links.wide("role")) * 256 + plane[links.wide("upper")]
    link, run, flip, port, lower, upper = numbered(book.patched, way.runs, apart)
    trunk = np.zeros(link.size, np.int64)
    racks = np.zeros((2, link.size), np.int64)
    for item in way.runs:
        mine = np.flatnonzero(run == item.number)
        if not mine.size:
            continue
        _, first, which = np.unique((port[mine] - 1) // item.trunk_links, return_index=True, return_inverse=True)
        first = link[mine][first]
        required = trunk_mm(wired.requirement.room, placement, item)
        row = ordered_length(item.trunk, required)
        assert row is not None
        # trunks are never folded into longer ones: the path might not bear it
        part = book.part(
            CablePart(kind="fibre", family=item.trunk.id, pn=row.pn, opn=row.opn, length_mm=row.length_mm), 0
        )
        book.cable_part.append(np.full(first.size, part))
        book.cable_mm.append(np.full(first.size, required))
        book.cable_first.append(first)
        trunk[mine] = book.cable_count + which
        book.cable_count += first.size
        racks[:, mine] = [np.where(flip[mine] > 0, *item.racks[::-1]), np.where(flip[mine] > 0, *item.racks)]
    return LaidPatches(link, run, flip, port, lower, upper, trunk, *racks)


def cable_racks(wired: Wired, placement: Placement, cabling: Cabling) -> tuple[IntArray, IntArray]:
    """Return the racks at the lower and at the upper end of every cable, by its first link; of a piece of a patched
    link those of its panels."""
    links, rack = wired.topology.links, placement.places.wide("rack")
    first = cabling.cables.wide("link")
    found = rack[links.wide("lower")[first]], rack[links.wide("upper")[first]]
    if cabling.patches is None:
        return found
    for side, own in zip(
        found, laid_patches(wired, placement, cabling, cabling.patches).racks(first.size), strict=True
    ):
        np.copyto(side, own, where=own >= 0)
    return found


def laid_patches(wired: Wired, placement: Placement, cabling: Cabling, patches: Patches) -> LaidPatches:
    """Return the patched links of a plan with the racks of their panels."""
    link, run, flip = patches.wide("link"), patches.wide("run"), patches.wide("flip")
    runs = runs_on_floor(wired.requirement.room, placement, wired.products)
    ends = np.array([item.racks for item in runs], np.int64)[run]
    return LaidPatches(link, run, flip, patches.wide("port"), cabling.links.wide("cable")[link],
                       patches.wide("upper_cord"), patches.wide("trunk"), np.where(flip > 0, ends[:, 1], ends[:, 0]),
                       np.where(flip > 0, ends[:, 0], ends[:, 1]))  # fmt: skip


def piece_lengths(wired: Wired, placement: Placement, cabling: Cabling) -> IntArray:
    """Return the required length of every piece of a patched link in mm, computed anew; -1 for other cables."""
    found = np.full(len(cabling.cables), -1, np.int64)
    if cabling.patches is None:
        return found
    room, sides = wired.requirement.room, link_sides(wired)
    laid = laid_patches(wired, placement, cabling, cabling.patches)
    for item in runs_on_floor(room, placement, wired.products):
        mine = np.flatnonzero(laid.run == item.number)
        if mine.size:
            cords = cord_lengths(room, placement, wired.topology, sides, item, laid.link[mine], laid.flip[mine] > 0)
            found[laid.lower_cord[mine]], found[laid.upper_cord[mine]] = cords
            found[laid.trunk[mine]] = trunk_mm(room, placement, item)
    return found
