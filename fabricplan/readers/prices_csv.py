"""Price book from CSV: separated by comma, semicolon or tab, in UTF-8, UTF-16 or the GB18030 of Chinese Excel."""

from __future__ import annotations

import csv
import io
from pathlib import PurePath

from fabricplan.errors import PriceError, Problem
from fabricplan.prices import BrokenBook, PriceBook, PriceLine, check_lines, checked
from fabricplan.readers.prices_table import TableRow, find_headings, read_lines
from fabricplan.readers.prices_title import check_below, read_title, scaled


def read(data: bytes, name: str) -> PriceBook:
    """Return the book.

    Raises:
        PriceError: with every problem, as ``file:line``.
    """
    text = _text(data, name)
    rows = _rows(text, name)
    problems: list[Problem] = []
    broken: list[PriceLine] = []
    found = find_headings(rows, problems)
    if found is None:
        raise PriceError(no_headings(name))
    number, columns = found
    title = read_title(rows[:number], columns, problems)
    columns = scaled(columns, title, rows[number], problems)
    check_below(rows[number + 1 :], title, problems)
    lines = read_lines(rows[number + 1 :], columns, problems, broken, title.fields.get("currency"))
    problems += check_lines(lines)
    if problems:
        raise BrokenBook(problems, [*lines, *broken])
    return checked(PriceBook(name=title.name or PurePath(name).stem, lines=tuple(lines), **title.fields))


def no_headings(name: str) -> Problem:
    """Return the problem of a table in which no row of headings is found."""
    return Problem("no-headings", "no row of headings: a column for the part number (型号, Part number) and one "
                   "for a price (单价, Unit price) are needed", name,
                   "name the columns; they may stand in any order")  # fmt: skip


def _text(data: bytes, name: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "gb18030"]
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise PriceError(Problem("not-text", "the file is neither UTF-8 nor GB18030 text", name, "save it as CSV UTF-8"))


def _rows(text: str, name: str) -> list[TableRow]:
    head = text[:4096]
    separator = max(",;\t", key=head.count)
    rows = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for cells in reader:
            line = reader.line_num
            rows.append(TableRow(cells, lambda place, line=line: f"{name}:{line}"))  # type: ignore[misc]
    except csv.Error as caught:
        raise PriceError(Problem("csv-syntax", f"not valid CSV: {caught}", f"{name}:{reader.line_num}")) from None
    return rows
