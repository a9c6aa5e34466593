"""Rare lengths: a length of which few pieces are needed is ordered in the next longer one of its family.

::

    1.5 m x 2   2 m x 30   3 m x 3   5 m x 40     fewer than 4      2 m x 32   5 m x 43
"""

from __future__ import annotations

import itertools

import numpy as np

from fabricplan.cabling.jobs import Book
from fabricplan.values import IntArray

GAP_TIMES, GAP_MM = 2, 5000
"""A length so many times the needed one, and so much longer, is a gap and no neighbour: our choice."""


def merge_rare(book: Book, below: int) -> None:
    """Fold every part of which fewer than ``below`` pieces are laid into the next longer one of its family.

    Lengths are folded from the shortest upward, so that what was folded counts where it went. A part stays where no
    longer one of its family is laid, where that one is beyond the reach of what its own links are joined with, or where
    it is a gap away.
    """
    if not book.cable_count:
        return
    pieces = np.bincount(np.concatenate(book.cable_part), minlength=len(book.parts))
    into = np.arange(len(book.parts))
    reach = [book.part_reach[row] for row in range(len(book.parts))]
    families: dict[tuple[str, str], list[int]] = {}
    for row in sorted(range(len(book.parts)), key=lambda row: book.parts[row].length_mm):
        families.setdefault((book.parts[row].kind, book.parts[row].family), []).append(row)
    for rows in families.values():
        shortest = {row: book.parts[row].length_mm for row in rows}
        for row, longer in itertools.pairwise(rows):
            length = book.parts[longer].length_mm
            far = length > GAP_TIMES * shortest[row] and length - shortest[row] >= GAP_MM
            if pieces[row] < below and length <= reach[row] and not far:
                into[row] = longer
                pieces[longer] += pieces[row]
                reach[longer] = min(reach[longer], reach[row])
                shortest[longer] = shortest[row]
    for row in reversed([row for rows in families.values() for row in rows]):
        into[row] = into[into[row]]
    _renumber(book, into)


def _renumber(book: Book, into: IntArray) -> None:
    """Give every cable the part that its own went into; parts that nothing takes any more are dropped."""
    kept = sorted(set(into.tolist()))
    place = np.full(into.size, -1, np.int64)
    place[kept] = np.arange(len(kept))
    book.parts = [book.parts[row] for row in kept]
    book.cable_part = [place[into[part]] for part in book.cable_part]
