"""Price book from an Excel workbook: every visible sheet that has a row of headings is read.

Sheets without prices (a cover, terms), wherever they stand, state currency, tax and unit for those that leave them
open. Hidden sheets are passed over and hidden rows and columns are read; both are told.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from openpyxl.utils import get_column_letter

from fabricplan.errors import PriceError, Problem
from fabricplan.prices import PriceBook, PriceLine
from fabricplan.readers.cells import plain
from fabricplan.readers.prices_book import assembled, no_headings
from fabricplan.readers.prices_columns import Column, TableRow
from fabricplan.readers.prices_formats import formatted
from fabricplan.readers.prices_sheet import NOTHING, Sheet, read_sheet
from fabricplan.readers.prices_table import find_tables
from fabricplan.readers.prices_title import Title, read_title
from fabricplan.readers.workbooks import open_workbook
from fabricplan.values import Finding, finding

_ADVICE = "open it in Excel and save it as .xlsx"


def read(data: bytes, name: str) -> PriceBook:
    """Return the book; title and fields come from the first sheet that states them.

    Raises:
        PriceError: with every problem, as ``sheet!cell``.
    """
    values = open_workbook(data, name, PriceError, _ADVICE)
    formulas = open_workbook(data, name, PriceError, _ADVICE, values=False)
    problems: list[Problem] = []
    broken: list[PriceLine] = []
    findings: list[Finding] = []
    shown = [sheet for sheet in values.worksheets if sheet.sheet_state == "visible"]
    for sheet in values.worksheets:
        if sheet.sheet_state != "visible" and any(
            plain(cell) for row in sheet.iter_rows(values_only=True) for cell in row
        ):
            findings.append(finding("warning", "book-hidden-sheet", "", sheet=sheet.title))
    rows = {sheet.title: _rows(sheet, formulas[sheet.title], problems) for sheet in shown}
    priced = [sheet for sheet in shown if find_tables(rows[sheet.title], [])]
    if not priced:
        raise PriceError(no_headings(name, [row for sheet in shown for row in rows[sheet.title]]))
    cover = NOTHING
    for sheet in shown:
        if sheet not in priced and rows[sheet.title]:
            cover = _covered(cover, read_title(rows[sheet.title], (), problems), rows[sheet.title], problems)
    read_sheets: list[Sheet] = []
    for sheet in priced:
        findings += _hidden(sheet, rows[sheet.title])

        def prepare(
            body: list[TableRow], first: int, columns: Sequence[Column], stated: bool, sheet: Any = sheet
        ) -> list[TableRow]:
            return formatted(sheet, body, first, columns, stated, problems)

        found = read_sheet(rows[sheet.title], (sheet.title, PurePath(name).stem), cover, problems, broken, prepare)
        if found is not None:
            read_sheets.append(found)
    fields: dict[str, Any] = {}
    book_name = None
    for found in read_sheets:
        fields = {**found.title.fields, **fields}
        book_name = book_name or found.title.name
    parts = [part for found in read_sheets for part in found.parts]
    return assembled(name, Title(book_name, fields, None), parts, problems, broken, findings)


def _covered(cover: Title, more: Title, rows: Sequence[TableRow], problems: list[Problem]) -> Title:
    """Return what the sheets without prices say of currency, tax and unit."""
    fields = {field: more.fields[field] for field in ("currency", "tax", "tax_percent") if field in more.fields}
    for field, value in fields.items():
        if cover.fields.get(field, value) != value:
            problems.append(Problem("price-book-title", f"two sheets without prices disagree on {field}: "
                                    f"{cover.fields[field]} and {value}", rows[0].where(0), "keep one"))  # fmt: skip
    return Title(None, {**fields, **cover.fields}, more.scale if cover.scale is None else cover.scale)


def _hidden(sheet: Any, rows: Sequence[TableRow]) -> list[Finding]:
    """Return what is hidden on a sheet and read all the same."""
    top, left, right = sheet.min_row, sheet.min_column, sheet.max_column
    numbers = [number for number, dimension in sheet.row_dimensions.items()
               if dimension.hidden and _filled(rows, number - top)]  # fmt: skip
    letters = [
        get_column_letter(number)
        for dimension in sheet.column_dimensions.values() if dimension.hidden
        for number in range(dimension.min, min(dimension.max, right) + 1)
        if any(plain(row.shown(number - left)) for row in rows)
    ]  # fmt: skip
    found = []
    if numbers:
        found.append(
            finding("warning", "book-hidden-rows", "", sheet=sheet.title, count=len(numbers), first=min(numbers))
        )
    if letters:
        found.append(finding("warning", "book-hidden-columns", "", sheet=sheet.title, columns=", ".join(letters)))
    return found


def _filled(rows: Sequence[TableRow], at: int) -> bool:
    return 0 <= at < len(rows) and any(plain(cell) for cell in rows[at].cells)


def _rows(sheet: Any, formulas: Any, problems: list[Problem]) -> list[TableRow]:
    # openpyxl works out the bounds of a sheet anew each time that they are asked for.
    top, left = sheet.min_row, sheet.min_column
    merged = _merged(sheet, left)
    rows = []
    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=top):

        def where(place: int, number: int = number) -> str:
            return f"{sheet.title}!{get_column_letter(place + left)}{number}"

        for place, cell in enumerate(cells):
            held = formulas.cell(number, place + left).value if cell is None else None
            if isinstance(held, str) and held.startswith("="):
                problems.append(Problem("no-stored-value", f"the formula {held} has no stored value", where(place),
                                        "open the book in Excel and save it"))  # fmt: skip
        rows.append(TableRow(cells, where, merged.get(number, {})))
    return rows


def _merged(sheet: Any, left: int) -> dict[int, dict[int, Any]]:
    """Return row -> place -> value of the cells that merged ranges cover, but for their own first cell."""
    found: dict[int, dict[int, Any]] = {}
    for area in sheet.merged_cells.ranges:
        value = sheet.cell(area.min_row, area.min_col).value
        if value is None:
            continue
        for row in range(area.min_row, area.max_row + 1):
            for column in range(area.min_col, area.max_col + 1):
                if (row, column) != (area.min_row, area.min_col):
                    found.setdefault(row, {})[column - left] = value
    return found
