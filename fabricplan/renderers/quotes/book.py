"""The hand that writes quote workbooks: one font, A4 landscape, formulas with their value, text that stays text."""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import xlsxwriter
from xlsxwriter.utility import xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

from fabricplan.quote import Quote
from fabricplan.quote.money import fraction_digits
from fabricplan.renderers.workbook.book import display_width

FONT = "微软雅黑"
"""A cell holds one font name; Excel on every system has this one or replaces it."""
LINE_HEIGHT = 13.5
FILL = 0.95
"""Share of a column's width that wrapped text fills."""
DARK, BAND, PALE, LINE = "#1F3864", "#DCE6F1", "#F2F6FA", "#BFBFBF"
_EDGE = {"border": 1, "border_color": LINE}
_RULES = {"top": 1, "bottom": 1, "top_color": LINE, "bottom_color": LINE}
_BAND = {"bold": True, "bg_color": BAND, **_RULES}
LOOKS: Mapping[str, dict[str, Any]] = {
    "text": {"text_wrap": True, **_EDGE}, "centre": {"align": "center", "text_wrap": True, **_EDGE},
    "count": {"num_format": "#,##0", "align": "center", **_EDGE}, "money": {"num_format": "MONEY", **_EDGE},
    "request": {"align": "right", "italic": True, "font_color": "#C00000", "num_format": "MONEY", **_EDGE},
    "percent": {"num_format": "0.00", **_EDGE}, "length": {"num_format": "0.##", "align": "center", **_EDGE},
    "head": {"bold": True, "font_color": "#FFFFFF", "bg_color": DARK, "align": "center", "text_wrap": True, **_EDGE},
    "group": _BAND, "network": {"bold": True, "font_color": "#FFFFFF", "bg_color": "#2F5597", **_RULES},
    "sum_label": {"bold": True, "bg_color": PALE, "align": "right", "text_wrap": True, **_RULES},
    "sum": {"bold": True, "bg_color": PALE, "num_format": "MONEY", **_EDGE},
    "sum_count": {"bold": True, "bg_color": PALE, "num_format": "#,##0", "align": "center", **_EDGE},
    "sum_percent": {"bold": True, "bg_color": PALE, "num_format": "0.00", **_EDGE},
    "total_label": {"bold": True, "font_size": 11, "bg_color": BAND, "align": "right", "text_wrap": True, **_RULES},
    "total": {"bold": True, "font_size": 11, "bg_color": BAND, "num_format": "MONEY", **_EDGE},
    "words": {"bold": True, "font_size": 11, "align": "right", "text_wrap": True, **_RULES},
    "title": {"bold": True, "font_size": 20, "align": "center", "font_color": DARK},
    "section": {"bold": True, "font_size": 12, "font_color": DARK, "bottom": 2, "bottom_color": DARK},
    "label": {"bold": True, "font_color": "#404040", "valign": "top", "text_wrap": True},
    "value": {"text_wrap": True, "valign": "top"},
    "warn": {"bold": True, "font_color": "#C00000"}, "signature": {"bold": True, "top": 1, "top_color": DARK},
    "plain": {},
}  # fmt: skip
Number = int | Decimal


class QuoteBook:
    """A workbook in the making; lives inside one call of a renderer. The same quote gives the same bytes."""

    def __init__(self, quote: Quote, title: str, author: str = "") -> None:
        self._buffer = io.BytesIO()
        self.font = {"font_name": FONT, "font_size": 9, "valign": "vcenter"}
        self._book = xlsxwriter.Workbook(self._buffer, {
            "in_memory": True, "strings_to_numbers": False, "strings_to_formulas": False, "strings_to_urls": False,
            "default_format_properties": {"font_name": FONT, "font_size": 9},
        })  # fmt: skip
        properties: dict[str, Any] = {
            "title": title, "created": datetime.datetime.combine(quote.date, datetime.time()),
        }  # fmt: skip
        if author:
            properties["author"] = author
        self._book.set_properties(properties)
        self._book.formats[0].set_font_name(FONT)
        self._book.formats[0].set_font_size(9)
        digits = fraction_digits(quote.currency)
        money = "#,##0" + ("." + "0" * digits if digits else "")
        self.looks = {
            name: self._book.add_format(
                self.font | {key: money if value == "MONEY" else value for key, value in look.items()}
            )
            for name, look in LOOKS.items()
        }
        self.digits = digits

    def sheet(self, name: str, footer: str, portrait: bool = False) -> QuoteSheet:
        """Add a sheet that prints on A4, one page wide."""
        inner = self._book.add_worksheet(sheet_title(name, [item.get_name() for item in self._book.worksheets()]))
        if not portrait:
            inner.set_landscape()
        inner.set_paper(9)
        inner.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.6)
        inner.fit_to_pages(1, 0)
        inner.set_footer(f'&C&"{FONT},Regular"&8{footer}')
        inner.hide_gridlines(2)
        inner.center_horizontally()
        return QuoteSheet(self, inner)

    def name_cell(self, name: str, sheet: QuoteSheet, row: int, column: int) -> None:
        """Give a cell a name that formulas of other workbooks and templates can use."""
        place = xl_rowcol_to_cell(row, column, row_abs=True, col_abs=True)
        self._book.define_name(name, f"={quoted_sheet(sheet.inner.get_name())}!{place}")

    def close(self) -> bytes:
        """Return the finished file."""
        self._book.close()
        return self._buffer.getvalue()


class QuoteSheet:
    """One sheet: writes cells by look and sets row heights from what stands in them."""

    def __init__(self, book: QuoteBook, inner: Worksheet) -> None:
        self.book, self.inner = book, inner
        self.widths: list[float] = []

    def set_widths(self, widths: Sequence[float]) -> None:
        """Set the widths of the first columns, in characters."""
        self.widths = list(widths)
        for column, width in enumerate(widths):
            self.inner.set_column(column, column, width)

    def write(self, row: int, column: int, value: str | Number | None, look: str = "text") -> None:
        """Write one cell: text as text, numbers as numbers."""
        form = self.book.looks[look]
        if value is None or value == "":
            self.inner.write_blank(row, column, None, form)
        elif isinstance(value, str):
            self.inner.write_string(row, column, value, form)
        else:
            self.inner.write_number(row, column, value, form)

    def formula(self, row: int, column: int, formula: str, value: Number | str, look: str = "money") -> None:
        """Write a formula beside the value that it has."""
        self.inner.write_formula(row, column, formula, self.book.looks[look], _stored(value))

    def merged(self, row: int, first: int, last: int, value: str, look: str) -> None:
        """Write a text over several columns (heads and feet only; data stays one cell a value)."""
        form = self.book.looks[look]
        if first >= last:
            self.write(row, first, value, look)
            return
        # The area is merged blank, then its first cell written as text: a merge must not read a formula in it.
        self.inner.merge_range(row, first, row, last, "", form)
        if value:
            self.inner.write_string(row, first, value, form)

    def band(self, row: int, count: int, look: str) -> None:
        """Fill a row with blank cells of a look."""
        for column in range(count):
            self.write(row, column, None, look)

    def fit(self, row: int, cells: Iterable[tuple[str, float]], least: float = 1, height: float = LINE_HEIGHT) -> None:
        """Make a row as high as its wrapped texts need, each in a width in characters."""
        lines = max([least, *(wrapped_lines(text, width) for text, width in cells)])
        self.inner.set_row(row, height * lines + 3)

    def width(self, first: int, last: int) -> float:
        """Return the width of columns together."""
        return sum(self.widths[first : last + 1])


def wrapped_lines(text: str, width: float) -> int:
    """Return how many lines a text takes in a column of that many characters."""
    return sum(max(1, -int(-display_width(piece) // max(width * FILL, 1))) for piece in text.split("\n"))


def _stored(value: Number | str) -> Any:
    """Return a value as the file's XML holds it: a workbook's numbers are binary fractions, whatever is written."""
    return float(value) if isinstance(value, Decimal) else value


def sheet_title(name: str, taken: Sequence[str] = ()) -> str:
    """Return a name that Excel allows for a sheet, different from those taken.

    >>> sheet_title("a/b"), sheet_title("Quote", ["quote"])
    ('a b', 'Quote 2')
    """
    plain = "".join(" " if letter in "[]:*?/\\'" or ord(letter) < 32 else letter for letter in name).strip()[:31] or "1"
    low = {item.casefold() for item in taken}
    found, number = plain, 2
    while found.casefold() in low:
        found = f"{plain[: 30 - len(str(number))]} {number}"
        number += 1
    return found


def quoted_sheet(name: str) -> str:
    """Return a sheet's name as it stands in formulas."""
    return "'" + name.replace("'", "''") + "'"


def cell_name(row: int, column: int) -> str:
    """Return a cell as formulas name it."""
    return str(xl_rowcol_to_cell(row, column))


def ranges(rows: Iterable[int], column: int) -> str:
    """Return the ranges of rows of a column, neighbours joined: ``J8:J9,J12``."""
    runs: list[list[int]] = []
    for row in sorted(rows):
        if runs and row == runs[-1][1] + 1:
            runs[-1][1] = row
        else:
            runs.append([row, row])
    return ",".join(
        cell_name(first, column) if first == last else f"{cell_name(first, column)}:{cell_name(last, column)}"
        for first, last in runs
    )
