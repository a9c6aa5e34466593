"""Columns of the crew pack as a CSV file: every value is quoted once, however many rows hold it."""

from __future__ import annotations

from collections.abc import Sequence

from fabricplan.renderers.crew.book import Column
from fabricplan.renderers.csv_text import csv_bytes, quoted


def columns_csv(columns: Sequence[Column]) -> bytes:
    """Return the file."""

    def cells(column: Column) -> list[str]:
        shown = {cell: quoted(cell) for cell in set(column.cells)}
        return [shown[cell] for cell in column.cells]

    return csv_bytes([column.heading for column in columns], map(cells, columns))
