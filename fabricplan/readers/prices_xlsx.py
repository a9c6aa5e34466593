"""Price book from an Excel workbook: every sheet that has a row of headings is read."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

import openpyxl
from openpyxl.styles.numbers import BUILTIN_FORMATS_REVERSE
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import InvalidFileException

from fabricplan.errors import PriceError, Problem
from fabricplan.prices import BrokenBook, PriceBook, PriceLine, check_lines, checked
from fabricplan.readers.cells import CellError, read_amount
from fabricplan.readers.prices_csv import no_headings
from fabricplan.readers.prices_table import PRICE_FIELDS, Column, TableRow, find_headings, read_lines
from fabricplan.readers.prices_title import Title, check_below, check_name, read_title, scaled

_OF_PLACE = {"409": "USD", "c04": "HKD", "404": "TWD", "1004": "SGD", "c09": "AUD", "1009": "CAD", "804": "CNY",
             "411": "JPY", "3c09": "HKD", "4809": "SGD", "en-us": "USD", "zh-hk": "HKD", "en-hk": "HKD",
             "zh-tw": "TWD", "zh-sg": "SGD", "en-sg": "SGD", "en-au": "AUD", "en-ca": "CAD", "zh-cn": "CNY",
             "ja-jp": "JPY"}  # fmt: skip
"""Currencies by the place in ``[$$-409]``."""
_MONEY_SHOWN = (
    r"US\$|HK\$|NT\$|S\$|[$¥￥€£]|人民币|美元|美金|港币|港元|欧元|英镑|日元|元"
    r"|(?<![a-z])(?:RMB|CNY|USD|HKD|EUR|GBP|JPY|TWD|SGD)(?![a-z])"
)
_UNIT_SHOWN = re.compile(r"[百千万亿]|(?<![a-z])(k|m|mn|thousand|million)s?(?![a-z])")
_SHORTENED = re.compile(r"[0#?],+(?![0#?,])")
"""Commas behind the last digit: Excel shows the amount in thousands."""


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
    cover = Title(None, {}, None)
    stating: dict[bool, list[tuple[str, str]]] = {True: [], False: []}
    for sheet in values.worksheets:
        rows = _rows(sheet, formulas[sheet.title], problems)
        found = find_headings(rows, problems)
        if found is None:
            cover = _covered(cover, read_title(rows, (), problems), rows, problems)
            continue
        headed = True
        number, columns = found
        above = read_title(rows[:number], columns, problems)
        above = above._replace(
            scale=cover.scale if above.scale is None else above.scale, fields={**cover.fields, **above.fields}
        )
        title = {**above.fields, **({"name": above.name} if above.name else {}), **title}
        columns = scaled(columns, above, rows[number], problems)
        check_below(rows[number + 1 :], above, problems)
        check_name(sheet.title, rows[number].where(columns[0].place), above, columns, problems)
        below = _formatted(sheet, rows[number + 1 :], number + 1, columns, problems)
        mine = read_lines(below, columns, problems, broken, above.fields.get("currency"))
        sheets.append((above, mine))
        if mine:
            states = "currency" in above.fields or all(line.currency for line in mine)
            stating[states].append((sheet.title, rows[number].where(columns[0].place)))
    if stating[True]:
        for _, where in stating[False]:
            problems.append(Problem("price-book-title", "this sheet states no currency for all its prices, sheet "
                                    f"'{stating[True][0][0]}' does", where,
                                    "state it above the headings, or in them"))  # fmt: skip
    lines = [_stamped(line, above, title) for above, mine in sheets for line in mine]
    if not headed:
        raise PriceError(no_headings(name))
    problems += check_lines(lines)
    if problems:
        raise BrokenBook(problems, [*lines, *broken])
    return checked(PriceBook(**{"name": PurePath(name).stem, **title}, lines=tuple(lines)))


def _covered(cover: Title, more: Title, rows: list[TableRow], problems: list[Problem]) -> Title:
    """Return what the sheets without prices before a price sheet say of currency, tax and unit."""
    fields = {field: more.fields[field] for field in ("currency", "tax") if field in more.fields}
    for field, value in fields.items():
        if cover.fields.get(field, value) != value:
            problems.append(Problem("price-book-title", f"two sheets before the prices disagree on {field}: "
                                    f"{cover.fields[field]} and {value}", rows[0].where(0), "keep one"))  # fmt: skip
    return Title(None, {**fields, **cover.fields}, more.scale if cover.scale is None else cover.scale)


def _formatted(
    sheet: Any, rows: list[TableRow], first: int, columns: Sequence[Column], problems: list[Problem]
) -> list[TableRow]:
    """Return rows whose prices carry the currency of their number format; formats that name a unit are refused."""
    found = []
    for number, row in enumerate(rows, start=first + sheet.min_row):
        cells = list(row.cells)
        for column in columns:
            value = cells[column.place] if column.place < len(cells) else None
            if column.field not in PRICE_FIELDS or isinstance(value, bool) or not isinstance(value, (int, float)):
                continue
            shown = sheet.cell(number, column.place + sheet.min_column).number_format
            try:
                code = _currency_shown(shown)
                amount = read_amount(value)[0] if code else None
                if code and amount is not None:
                    cells[column.place] = f"{code} {amount:f}"
            except CellError as caught:
                problems.append(Problem("price-cell", f"{column.field.replace('_', ' ')}: {caught}",
                                        row.where(column.place), "give the cell a plain number format"))  # fmt: skip
        found.append(TableRow(cells, row.where))
    return found


def _currency_shown(shown: str) -> str | None:
    """Return the words of currencies that a number format shows.

    >>> _currency_shown('[$$-409]#,##0.00'), _currency_shown('[$¥-411]#,##0'), _currency_shown('#,##0.00')
    ('USD', 'JPY', None)

    Raises:
        CellError: it shows thousands or 万.
    """
    # The formats that Excel numbers itself show the currency of whoever opens the book: they state none.
    if shown in BUILTIN_FORMATS_REVERSE:
        return None
    words = {
        _OF_PLACE.get(place.casefold() if "-" in place else place.casefold()[-4:].lstrip("0"), symbol)
        if symbol in ("$", "¥", "￥")
        else symbol
        for symbol, place in re.findall(r"\[\$([^\]-]+)-?([^\]]*)\]", shown)
    }
    bare = re.sub(r"\[[^\]]*\]|_.|\*.", "", shown)
    texts = [*re.findall(r'"([^"]*)"', bare), re.sub(r'"[^"]*"', "", bare).replace("\\", "")]
    words |= {word for text in texts for word in re.findall(_MONEY_SHOWN, text, re.IGNORECASE)}
    if any(_UNIT_SHOWN.search(text.casefold()) for text in [*texts, *words]) or _SHORTENED.search(bare):
        raise CellError(f"its number format {shown} counts in a unit")
    return " ".join(sorted(words)) or None


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
