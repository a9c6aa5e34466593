"""Text and rows of tables that spreadsheets save as text: the one home of their encodings and separators.

Encodings: UTF-8 (with or without its mark), UTF-16 with its mark, and the GB18030 of Chinese Excel.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

from fabricplan.errors import FabricplanError, Problem

SEPARATORS = ",;\t"
SAMPLE_LINES = 60
"""So many lines are looked at for the separator."""
CsvRow = tuple[int, list[str]]
"""Number of the line on which a row ends, and its cells."""


def decode(data: bytes, name: str, error: type[FabricplanError]) -> str:
    """Return the text of a file.

    Raises:
        error: it is in none of the encodings.
    """
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "gb18030"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise error(Problem("not-text", "the file is neither UTF-8 nor GB18030 text", name, "save it as CSV UTF-8"))


def separator_of(text: str, known: Callable[[str], bool] = lambda cell: False) -> str:
    """Return the separator under which a line has most cells that are known headings; else the most frequent one.

    >>> separator_of("Price list, all goods\\nPart;Price\\nA;1,200.00", {"Part", "Price"}.__contains__)
    ';'
    >>> separator_of("a;b;c")
    ';'
    """
    lines = text.splitlines()[:SAMPLE_LINES]
    if lines and lines[0].casefold().startswith("sep=") and lines[0][4:5] in (*SEPARATORS, "|"):
        return lines[0][4:5]

    def best(separator: str) -> tuple[int, int]:
        found = 0
        for line in lines:
            if separator in line:
                cells = next(csv.reader([line], delimiter=separator), [])
                found = max(found, sum(known(cell) for cell in cells))
        return found, sum(line.count(separator) for line in lines)

    return max(SEPARATORS, key=best)


def read_rows(
    data: bytes, name: str, error: type[FabricplanError], known: Callable[[str], bool] = lambda cell: False
) -> list[CsvRow]:
    """Return the rows of a file.

    Args:
        data: what the file holds.
        name: its name, for places of problems.
        error: what is raised.
        known: whether a cell is a heading that the caller looks for; it decides between separators.

    Raises:
        error: not text, or not a table.
    """
    text = decode(data, name, error)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator_of(text, known))
    rows: list[CsvRow] = []
    try:
        for cells in reader:
            if not rows and cells and cells[0].casefold() in ("sep=", *(f"sep={mark}" for mark in SEPARATORS)):
                cells = []  # Excel's own word on the separator is no row of the table
            rows.append((reader.line_num, cells))
    except csv.Error as caught:
        raise error(Problem("csv-syntax", f"not valid CSV: {caught}", f"{name}:{reader.line_num}",
                            "save it as CSV UTF-8 from a spreadsheet")) from None  # fmt: skip
    return rows
