"""Price book from CSV: separated by comma, semicolon or tab, in UTF-8, UTF-16 or the GB18030 of Chinese Excel."""

from __future__ import annotations

from pathlib import PurePath

from fabricplan.errors import PriceError, Problem
from fabricplan.prices import PriceBook, PriceLine
from fabricplan.readers.cells import plain
from fabricplan.readers.csvtext import read_rows
from fabricplan.readers.prices_book import assembled, no_headings
from fabricplan.readers.prices_sheet import NOTHING, read_sheet
from fabricplan.readers.prices_table import TableRow
from fabricplan.readers.prices_words import price_field


def read(data: bytes, name: str) -> PriceBook:
    """Return the book.

    Raises:
        PriceError: with every problem, as ``file:line``.
    """
    rows = [TableRow(cells, lambda place, line=line: f"{name}:{line}")  # type: ignore[misc]
            for line, cells in read_rows(data, name, PriceError, lambda cell: price_field(plain(cell)) is not None)]  # fmt: skip
    problems: list[Problem] = []
    broken: list[PriceLine] = []
    heads: dict[int, int] = {}

    def narrow(body: list[TableRow], first: int, columns: object, stated: bool) -> list[TableRow]:
        heads[first] = len(body)
        return body

    sheet = read_sheet(rows, (PurePath(name).stem,), NOTHING, problems, broken, narrow)
    if sheet is None:
        raise PriceError(no_headings(name))
    for first, count in heads.items():
        _check_width(rows[first - 1], rows[first : first + count], problems)
    return assembled(name, sheet.title, sheet.parts, problems, broken, ())


def _check_width(head: TableRow, body: list[TableRow], problems: list[Problem]) -> None:
    """Refuse rows that are wider than their headings: a comma inside an amount that is not quoted splits it."""
    width = max((place + 1 for place, cell in enumerate(head.cells) if plain(cell)), default=0)
    for row in body:
        if any(plain(cell) for cell in row.cells[width:]) and sum(bool(plain(cell)) for cell in row.cells) > 1:
            problems.append(Problem("csv-width", f"the row has {len(row.cells)} cells, the headings {width}", row.where(0),
                                    'put amounts with commas in quotes ("1,200"), or write 1200'))  # fmt: skip


__all__ = ["Column", "read"]
