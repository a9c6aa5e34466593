"""The workbook's hand: fonts, formats, tables, widths, print set-up; and formulas with their computed value.

The file repeats byte for byte: created at a fixed time, in memory. Text never becomes a formula, a number or a link.
"""

from __future__ import annotations

import datetime
import io
import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from fabricplan.renderers.words import heading, sheet_name
from fabricplan.renderers.workbook.cells import PlainCells, PlainColumn

FONTS = {"zh": "微软雅黑", "en": "Calibri"}
CREATED = datetime.datetime(2000, 1, 1)
"""A fixed time of no place, so that the bytes repeat."""
NARROWEST, WIDEST = 6.0, 60.0
LINE_HEIGHT = 16.5
FILL = 0.85
"""Share of a column's width that a line of wrapped text fills: fonts differ, and words do not break."""
HEAD_COLOUR, BAND_COLOUR, LINE_COLOUR = "#1F3864", "#DCE6F1", "#BFBFBF"
SEVERITY_COLOURS = {"error": "#F8CBAD", "warning": "#FFE699", "info": "#FFFFFF"}

Cell = str | int | float | None


class Formula(NamedTuple):
    """A formula and the value that it has now."""

    text: str
    value: int | float


class Field(NamedTuple):
    """A column of a table: key of its heading, cells, format, and its widest width in characters."""

    key: str
    cells: Sequence[Cell | Formula]
    form: str = "text"
    widest: float = WIDEST


class Book:
    """A workbook in the making; lives inside one call of the renderer."""

    def __init__(self, lang: str, title: str) -> None:
        self.lang, self.title = lang, title
        self._buffer = io.BytesIO()
        font = {"font_name": FONTS[lang], "font_size": 10, "valign": "vcenter"}
        self._book = xlsxwriter.Workbook(self._buffer, {
            "in_memory": True, "strings_to_numbers": False, "strings_to_formulas": False, "strings_to_urls": False,
            "default_format_properties": font,
        })  # fmt: skip
        self._book.set_properties({"title": title, "created": CREATED})
        # the default style, so that empty cells and row heights follow the same font
        self._book.formats[0].set_font_name(FONTS[lang])
        self._book.formats[0].set_font_size(10)
        self._forms: dict[str, Format] = {}
        line = {"border": 1, "border_color": LINE_COLOUR}
        band = {"bold": True, "bg_color": BAND_COLOUR, **line}
        for name, look in {
            "text": line, "wrap": {"text_wrap": True, **line}, "number": {"num_format": "#,##0", **line},
            "tenths": {"num_format": "#,##0.0", **line}, "percent": {"num_format": "0.0%", **line},
            "centre": {"align": "center", **line}, "count": {"num_format": "#,##0", "align": "left", **line},
            "left": {"num_format": "General", "align": "left", **line}, "decimal": {"num_format": "General", **line},
            "plain": {},
            "head": {"bold": True, "font_color": "#FFFFFF", "bg_color": HEAD_COLOUR, "text_wrap": True,
                     "align": "center", **line},
            "band": band, "band_number": {"num_format": "#,##0", **band},
            "band_tenths": {"num_format": "#,##0.0", **band}, "band_percent": {"num_format": "0.0%", **band},
            "title": {"bold": True, "font_size": 16, "font_color": HEAD_COLOUR},
            "section": {"bold": True, "font_size": 12, "font_color": HEAD_COLOUR, "bottom": 2,
                        "bottom_color": HEAD_COLOUR},
            "note": {"italic": True, "font_color": "#595959"},
            **{name: {"bg_color": colour, **line} for name, colour in SEVERITY_COLOURS.items()},
        }.items():  # fmt: skip
            self._forms[name] = self._book.add_format({**font, **look})

    def form(self, name: str) -> Format:
        """Return a format by name."""
        return self._forms[name]

    def sheet(self, key: str, name: str | None = None) -> Sheet:
        """Add a sheet, set up for print: A4 landscape, one page wide, numbered; ``name`` where it is not one of a
        plan's workbook."""
        inner = self._book.add_worksheet(name or sheet_name(key, self.lang), PlainCells)
        inner.set_landscape()
        inner.set_paper(9)
        inner.set_margins(left=0.4, right=0.4, top=0.7, bottom=0.6)
        inner.fit_to_pages(1, 0)
        inner.set_header("&L" + self.title.replace("&", "&&") + "&R&A")
        inner.set_footer("&C&P / &N")
        inner.hide_gridlines(2)
        inner.set_default_row(LINE_HEIGHT)
        return Sheet(self, inner)

    def close(self) -> bytes:
        """Return the finished file."""
        self._book.close()
        return self._buffer.getvalue()


class Sheet:
    """One sheet: writes cells and remembers how wide the columns must be."""

    def __init__(self, book: Book, inner: Worksheet) -> None:
        self.book, self.inner = book, inner
        self._widths: dict[int, float] = {}

    def write(self, row: int, column: int, cell: Cell | Formula, form: str = "text") -> None:
        """Write one cell; numbers as numbers, text as text."""
        look = self.book.form(form)
        if cell is None or cell == "":
            self.inner.write_blank(row, column, None, look)
        elif isinstance(cell, Formula):
            self.inner.write_formula(row, column, cell.text, look, cell.value)
        elif isinstance(cell, str):
            self.inner.write_string(row, column, cell, look)
        else:
            self.inner.write_number(row, column, cell, look)

    def row(self, row: int, cells: Sequence[Cell | Formula], forms: Sequence[str], widest: float = WIDEST) -> None:
        """Write a row and make its columns wide enough."""
        for column, (cell, form) in enumerate(zip(cells, forms, strict=True)):
            self.write(row, column, cell, form)
            self.widen(column, min(display_width(cell if isinstance(cell, str) else _shown(cell)) + 1.5, widest))

    def fit_row(self, row: int, texts: Sequence[tuple[str, float]]) -> None:
        """Make a row high enough for wrapped texts in columns of the given widths."""
        lines = max(-(-display_width(text) // max(width * FILL, 1)) for text, width in texts)
        if lines > 1:
            self.inner.set_row(row, LINE_HEIGHT * lines)

    def section(self, row: int, key: str, last: int) -> None:
        """Write a section heading, underlined as far as the last column."""
        for column in range(last + 1):
            self.write(row, column, heading(key, self.book.lang) if column == 0 else None, "section")

    def headings(self, row: int, texts: Sequence[str], first: int = 0) -> None:
        """Write a heading row; it may break over two lines."""
        for column, text in enumerate(texts, first):
            self.write(row, column, text, "head")
            half = max((display_width(part) for part in text.split(" ")), default=0)
            self.widen(column, max(half, display_width(text) / 2) + 3)
        self.inner.set_row(row, 2 * LINE_HEIGHT)

    def table(
        self, fields: Sequence[Field], row: int = 0, first: int = 0, heads: bool = True, last: bool = False
    ) -> int:
        """Write a table with its headings; return the row after its last.

        ``last`` says that nothing else is written beside or below it, and that it holds no formula: long tables are
        then written faster.
        """
        if heads:
            self.headings(row, [heading(field.key, self.book.lang) for field in fields], first)
            row += 1
        if last:
            plain = []
            for column, field in enumerate(fields):
                cells = [cell for cell in field.cells if not isinstance(cell, Formula)]
                plain.append(PlainColumn(cells, self.book.form(field.form), self.book.form(field.form)))
                self._fit(column, field)
            self.inner.write_columns(row, plain)
            return row + max((len(field.cells) for field in fields), default=0)
        for column, field in enumerate(fields, first):
            self._column(row, column, field)
        return row + max((len(field.cells) for field in fields), default=0)

    def _column(self, row: int, column: int, field: Field) -> None:
        form = self.book.form(field.form)
        inner = self.inner
        for at, cell in enumerate(field.cells, row):
            if isinstance(cell, str) and cell:
                inner.write_string(at, column, cell, form)
            elif cell is None or cell == "":
                inner.write_blank(at, column, None, form)
            elif isinstance(cell, Formula):
                inner.write_formula(at, column, cell.text, form, cell.value)
            else:
                inner.write_number(at, column, cell, form)
        self._fit(column, field)

    def _fit(self, column: int, field: Field) -> None:
        texts = {cell if isinstance(cell, str) else _shown(cell) for cell in field.cells}
        self.widen(column, min(max(map(display_width, texts), default=0) + 1.5, field.widest))

    def widen(self, column: int, width: float) -> None:
        """Make a column at least so wide."""
        self._widths[column] = max(self._widths.get(column, NARROWEST), width)

    def finish(self, header: int | None = None, rows: int = 0, columns: int = 0) -> None:
        """Set the widths; with a header row also freeze it, repeat it in print, and filter ``rows`` below it."""
        for column, width in sorted(self._widths.items()):
            self.inner.set_column(column, column, round(width, 1))
        if header is not None:
            self.inner.freeze_panes(header + 1, 0)
            self.inner.repeat_rows(header)
        if header is not None and rows and columns:
            self.inner.autofilter(header, 0, header + rows, columns - 1)


def _shown(cell: Any) -> str:
    number = cell.value if isinstance(cell, Formula) else cell
    return "" if number is None else f"{round(number, 1):,}"


def display_width(text: str) -> float:
    """Return the width of a text in characters; East Asian wide characters take two.

    >>> display_width("Leaf"), display_width("机柜 A")
    (4.0, 6.0)
    """
    if text.isascii():
        return float(len(text))
    return sum(2.0 if unicodedata.east_asian_width(sign) in "WF" else 1.0 for sign in text)
