"""Columns of large printed tables: the values that occur, and one small number per row.

A plan may have 400,000 cables but only some hundred part numbers, racks and port labels, so a renderer quotes,
measures and translates each value once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fabricplan.values import IntArray

Cell = str | int | None
"""What a cell holds; None where the plan knows nothing."""

Texts = npt.NDArray[Any]
"""An object array of cells."""


class Coded(NamedTuple):
    """One column: the values that occur (a value may stand twice), and for every row which of them it holds.

    Columns that follow from the same thing (all facts of a device, of a part) share one ``codes`` array.
    """

    values: tuple[Cell, ...]
    codes: IntArray

    def cells(self, form: Callable[[Cell], Any] | None = None) -> list[Any]:
        """Return the cell of every row, each value passed through ``form`` once."""
        values: Iterable[Any] = self.values if form is None else map(form, self.values)
        picked: list[Any] = objects(tuple(values))[self.codes].tolist()
        return picked


def objects(values: Sequence[Any]) -> Texts:
    """Return a sequence as an object array (one dimension, whatever it holds)."""
    array = np.empty(len(values), object)
    array[:] = values
    return array


def coded(numbers: npt.ArrayLike, blank: int | None = None) -> Coded:
    """Return whole numbers as a column; ``blank`` becomes an empty cell.

    >>> coded([7, 0, 7], blank=0).cells()
    [7, None, 7]
    """
    values, index = np.unique(np.asarray(numbers, np.int64), return_inverse=True)
    return Coded(tuple(None if value == blank else value for value in values.tolist()), index.astype(np.int64))


def distinct(texts: Texts) -> Coded:
    """Return a column whose cells differ from row to row."""
    return Coded(tuple(texts.tolist()), np.arange(texts.size, dtype=np.int64))
