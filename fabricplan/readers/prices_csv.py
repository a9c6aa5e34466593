"""Price book from CSV: separated by comma, semicolon or tab, in UTF-8, UTF-16 or the GB18030 of Chinese Excel."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from fabricplan.errors import PriceError, Problem
from fabricplan.prices import PriceBook, PriceLine
from fabricplan.readers.cells import plain
from fabricplan.readers.csvtext import read_rows
from fabricplan.readers.prices_book import assembled, no_headings
from fabricplan.readers.prices_columns import Column, TableRow
from fabricplan.readers.prices_lines import is_line
from fabricplan.readers.prices_sheet import NOTHING, read_sheet
from fabricplan.readers.prices_words import PRICE_FIELDS, price_field

_SPLIT = re.compile(r"\s*[^\d]?\d{1,3},0\d\d(?:\.\d+)?\s*")
"""A number and the rest of it, which no number of its own begins with."""


def read(data: bytes, name: str) -> PriceBook:
    """Return the book.

    Raises:
        PriceError: with every problem, as ``file:line``.
    """
    texts = read_rows(data, name, PriceError, lambda cell: price_field(plain(cell)) is not None)
    rows = [TableRow(cells, lambda place, line=line: f"{name}:{line}") for line, cells in texts]  # type: ignore[misc]
    problems: list[Problem] = []
    broken: list[PriceLine] = []

    def prepare(body: list[TableRow], first: int, columns: Sequence[Column], stated: bool) -> list[TableRow]:
        _check_width(rows[first - 1], body, columns, problems)
        return body

    sheet = read_sheet(rows, (PurePath(name).stem,), NOTHING, problems, broken, prepare)
    if sheet is None:
        raise PriceError(no_headings(name, rows))
    return assembled(name, sheet.title, sheet.parts, problems, broken, ())


def _check_width(head: TableRow, body: list[TableRow], columns: Sequence[Column], problems: list[Problem]) -> None:
    """Refuse lines that are wider than their headings: a comma inside an amount that is not quoted splits it."""
    places = [place for place, cell in enumerate(head.cells) if plain(cell)]
    width = max((*places, *(column.place for column in columns))) + 1
    priced = [column.place for column in columns if column.field in PRICE_FIELDS]
    for row in body:
        for place in priced:
            if place + 1 < len(row.cells) and _SPLIT.fullmatch(f"{row.cells[place]},{row.cells[place + 1]}"):
                problems.append(Problem("csv-width",
                                        f"'{row.cells[place]},{row.cells[place + 1]}' may be one amount that "
                                        "its comma splits", row.where(place), 'put amounts with commas in quotes '
                                        '("1,200"), or write 1200'))  # fmt: skip
        if any(plain(cell) for cell in row.cells[width:]) and is_line(row, columns):
            problems.append(Problem("csv-width", f"the row has {len(row.cells)} cells, the headings {width}",
                                    row.where(0), 'put amounts with commas in quotes ("1,200"), or write '
                                    "1200"))  # fmt: skip
