"""Price book from an Excel workbook: every sheet that has a row of headings is read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import openpyxl
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import InvalidFileException

from fabricplan.errors import PriceError, Problem
from fabricplan.prices import BrokenBook, PriceBook, PriceLine, check_lines, checked
from fabricplan.readers.prices_csv import no_headings
from fabricplan.readers.prices_table import TableRow, find_headings, read_lines
from fabricplan.readers.prices_title import Title, check_below, check_name, read_title, scaled


def read(data: bytes, name: str) -> PriceBook:
    """Return the book; title and fields come from the first sheet that states them.

    Raises:
        PriceError: with every problem, as ``sheet!cell``.
    """
    values, formulas = open_workbook(data, name, True), open_workbook(data, name, False)
    problems: list[Problem] = []
    broken: list[PriceLine] = []
    sheets: list[tuple[Title, list[PriceLine]]] = []
    title: dict[str, Any] = {}
    headed = False
    cover = None
    for sheet in values.worksheets:
        rows = _rows(sheet, formulas[sheet.title], problems)
        found = find_headings(rows, problems)
        if found is None:
            cover = cover or read_title(rows, (), []).scale
            continue
        headed = True
        number, columns = found
        above = read_title(rows[:number], columns, problems)
        if above.scale is None:
            above = above._replace(scale=cover)
        title = {**above.fields, **({"name": above.name} if above.name else {}), **title}
        columns = scaled(columns, above, rows[number], problems)
        check_below(rows[number + 1 :], above, problems)
        check_name(sheet.title, rows[number].where(columns[0].place), above, columns, problems)
        stated = above.fields.get("currency", title.get("currency"))
        sheets.append((above, read_lines(rows[number + 1 :], columns, problems, broken, stated)))
    lines = [_stamped(line, above, title) for above, mine in sheets for line in mine]
    if not headed:
        raise PriceError(no_headings(name))
    problems += check_lines(lines)
    if problems:
        raise BrokenBook(problems, [*lines, *broken])
    return checked(PriceBook(**{"name": PurePath(name).stem, **title}, lines=tuple(lines)))


def _stamped(line: PriceLine, above: Title, title: Mapping[str, Any]) -> PriceLine:
    """Return a line that keeps what its own sheet states, where the book as a whole says something else."""
    own = {
        field: above.fields[field]
        for field in ("currency", "tax")
        if getattr(line, field) is None and above.fields.get(field, title.get(field)) != title.get(field)
    }
    return line.model_copy(update=own) if own else line


def open_workbook(data: bytes, name: str, values: bool) -> Any:
    """Return an openpyxl workbook, with stored values or with formulas.

    Raises:
        PriceError: not a workbook.
    """
    try:
        return openpyxl.load_workbook(io.BytesIO(data), data_only=values)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, TypeError, OSError, SyntaxError) as caught:
        raise PriceError(Problem("not-a-workbook", f"not an Excel workbook: {caught}", name,
                                 "open it in Excel and save it as .xlsx")) from None  # fmt: skip


def _rows(sheet: Any, formulas: Any, problems: list[Problem]) -> list[TableRow]:
    rows = []
    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=sheet.min_row):

        def where(place: int, number: int = number) -> str:
            return f"{sheet.title}!{get_column_letter(place + sheet.min_column)}{number}"

        for place, cell in enumerate(cells):
            held = formulas.cell(number, place + sheet.min_column).value if cell is None else None
            if isinstance(held, str) and held.startswith("="):
                problems.append(Problem("no-stored-value", f"the formula {held} has no stored value", where(place),
                                        "open the book in Excel and save it"))  # fmt: skip
        rows.append(TableRow(cells, where))
    return rows
