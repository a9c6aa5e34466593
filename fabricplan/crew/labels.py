"""Labels for both ends of every cable: the near end over the far end, and the id apart.

A splitter has one label at its head and one per tail. Thin jackets take a flag, thick ones a wrap (our choice).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from fabricplan.crew.packages import Package
from fabricplan.crew.pieces import LINE_MAX, Piece, Spot, short_line, short_name
from fabricplan.terminal import columns

Stock = Literal["flag", "wrap"]
FLAG_BELOW_MM = 5.0
"""Jackets thinner than this take a flag: a wrap would hide the line in its turns."""


class Label(NamedTuple):
    """One label.

    Attributes:
        package: the package that the cable belongs to.
        id: ``C0007``; a tail's has its number behind (``C0007/1``).
        end: ``A``, ``Z``, or ``head`` of a splitter.
        near, far: the two lines, of at most 24 columns each.
        stock: ``flag`` or ``wrap``.
        diameter_mm: jacket; None where none is published.
        wrap_mm: circumference: the least length of a wrap; None likewise.
        pn, length_mm: the ordered part.
        at: where the label goes; of a head the first of its ports.
    """

    package: str
    id: str
    end: Literal["A", "Z", "head"]
    near: str
    far: str
    stock: Stock
    diameter_mm: float | None
    wrap_mm: float | None
    pn: str
    length_mm: int
    at: Spot

    @property
    def code(self) -> str:
        """What its QR code says: the id and the end, ``H`` for a head: ``C0007/A``, ``C0007/1/Z``, ``C0007/H``."""
        return f"{self.id}/{self.end[0].upper()}"


def labels_of(packages: Sequence[Package], diameters: Sequence[float | None]) -> list[Label]:
    """Return all labels in order of packages and installation.

    Args:
        packages: the work packages.
        diameters: jacket of every cable part in mm; None where not known.
    """
    return [label for package in packages for cable in package.cables for label in _cable(package, cable, diameters)]


def _cable(package: Package, cable: Sequence[Piece], diameters: Sequence[float | None]) -> Iterator[Label]:
    first = cable[0]
    diameter = diameters[first.part]
    stock: Stock = "flag" if diameter is not None and diameter < FLAG_BELOW_MM else "wrap"
    wrap = None if diameter is None else math.ceil(diameter * math.pi * 10) / 10

    def label(name: str, end: Literal["A", "Z", "head"], near: str, far: str, at: Spot) -> Label:
        return Label(package.name, name, end, near, far, stock, diameter, wrap, first.pn, first.length_mm, at)

    if not first.tail:
        yield label(first.key, "A", first.a.line, first.z.line, first.a)
        yield label(first.key, "Z", first.z.line, first.a.line, first.z)
        return
    upper = head_is_upper(cable)
    heads = [piece.z if upper else piece.a for piece in cable]
    tails = [piece.a if upper else piece.z for piece in cable]
    yield label(first.cable, "head", head_line([spot.line for spot in heads]), tails_line(tails), heads[0])
    for piece, head, tail in zip(cable, heads, tails, strict=True):
        yield label(piece.key, "A" if upper else "Z", tail.line, head.line, tail)


def head_is_upper(cable: Sequence[Piece]) -> bool:
    """Tell whether a splitter's head is at its upper end: there all tails share a cage, as they do not below."""
    lower = {(piece.a.device, piece.a.cage) for piece in cable}
    upper = {(piece.z.device, piece.z.cage) for piece in cable}
    return len(upper) <= len(lower)


def head_line(lines: Sequence[str]) -> str:
    """Return the line of a head from those of its ports.

    >>> head_line(["C05-U01-P03/1", "C05-U01-P03/2"])
    'C05-U01-P03/1+2'
    """
    first = lines[0]
    alike = first.rfind("/") + 1
    if alike and all(line[:alike] == first[:alike] for line in lines):
        return short_line("+".join([first, *(line[alike:] for line in lines[1:])]))
    return short_line(first if len(set(lines)) == 1 else f"{first}+{len(lines) - 1}")


def tails_line(tails: Sequence[Spot]) -> str:
    """Return where the tails of a splitter lead, as far as a line can tell it."""
    spots = list(dict.fromkeys((spot.rack, _unit(spot)) for spot in tails))
    if len(spots) == 1:
        end = f"-{spots[0][1]} x{len(tails)}"
        return short_name(spots[0][0], LINE_MAX - len(end)) + end
    words, rack = [], ""
    for name, unit in spots:
        words.append(unit if name == rack else f"{name}-{unit}")
        rack = name
    line = "+".join(words)
    if columns(line) <= LINE_MAX:
        return line
    start, end = f"{len(tails)} tails, ", f"-{spots[0][1]}"
    return start + short_name(spots[0][0], LINE_MAX - len(start + end)) + end


def _unit(spot: Spot) -> str:
    return f"U{spot.u:02}" if spot.u else "U00"
