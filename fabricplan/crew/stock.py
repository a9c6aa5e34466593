"""Sizes of label stock for printers: what is on the roll, and where a face of the label may be printed.

::

    flag                                     wrap (self-laminating)
    +-----------+------+-----------+         +-------------+
    |  face 1   | fold |  face 2   |         |  printed    |
    +-----------+------+-----------+         +-------------+
     both faces are printed alike,           |  clear tail |  turns around the cable over the print
     the fold lies around the cable          +-------------+
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from fabricplan.crew.labels import Stock
from fabricplan.errors import Problem, RequirementError, nearest


class StockSize(NamedTuple):
    """One size of stock, in millimetres.

    Attributes:
        width, height: the label as it lies on the roll; the text runs along the width.
        printed: height of its printed part, from the top.
        fold: width in the middle that lies around the cable; 0 of a wrap.
    """

    width: float
    height: float
    printed: float
    fold: float = 0.0

    @property
    def faces(self) -> tuple[tuple[float, float], ...]:
        """Left side and width of every face that is printed."""
        if not self.fold:
            return ((0.0, self.width),)
        half = (self.width - self.fold) / 2
        return ((0.0, half), (half + self.fold, half))


SIZES: Mapping[Stock, StockSize] = {"flag": StockSize(90, 25, 25, 10), "wrap": StockSize(50, 75, 25)}
"""Sizes where none are told: our choice. The fold holds the 9.5 mm around a jacket of 3.0 mm, the clear tail of the
wrap the 29.7 mm around one of 9.43 mm; 24 characters fit a face."""
SMALLEST, LARGEST = 10.0, 300.0
_SIZE = re.compile(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(?:x(\d+(?:\.\d+)?))?")


def stock_sizes(words: Iterable[str]) -> dict[Stock, StockSize]:
    """Return the sizes that words tell, with those of ``SIZES`` for the others.

    A word is ``flag=WIDTHxHEIGHT`` (``xFOLD``) or ``wrap=WIDTHxHEIGHT`` (``xPRINTED``), in millimetres.

    >>> stock_sizes(["wrap=25.4x38.1x12.7"])["wrap"]
    StockSize(width=25.4, height=38.1, printed=12.7, fold=0.0)
    >>> stock_sizes(["flag=80x20"])["flag"].faces
    ((0.0, 35.0), (45.0, 35.0))

    Raises:
        RequirementError: no such stock, no such form, or a size that holds no face.
    """
    found = dict(SIZES)
    for word in words:
        name, _, size = word.partition("=")
        match = _SIZE.fullmatch(size.strip().lower().replace("×", "x"))
        if name not in ("flag", "wrap"):
            raise RequirementError(Problem("stock", f"no stock '{name}'", "--stock", nearest(name, ("flag", "wrap"))))
        if match is None:
            raise RequirementError(Problem("stock", f"'{word}' is no size", "--stock",
                                           "in mm: flag=90x25x10 (width, height, fold), wrap=50x75x25 (width, height, "
                                           "printed height)"))  # fmt: skip
        width, height = float(match[1]), float(match[2])
        third = float(match[3]) if match[3] else None
        if name == "flag":
            made = StockSize(width, height, height, SIZES["flag"].fold if third is None else third)
        else:
            made = StockSize(width, height, height if third is None else third)
        _check(word, made)
        found["flag" if name == "flag" else "wrap"] = made
    return found


def _check(word: str, size: StockSize) -> None:
    least = min(min(width for _, width in size.faces), size.printed)
    if max(size.width, size.height) > LARGEST or size.printed > size.height or least < SMALLEST:
        raise RequirementError(Problem(
            "stock", f"'{word}' leaves no face of {SMALLEST:g} x {SMALLEST:g} mm, or is above {LARGEST:g} mm",
            "--stock", "the label as it lies on the roll, in mm; printed height: at most the height"))  # fmt: skip
