"""The crew's workbook: plain tables for print, A4 landscape, columns that are filled in by hand marked."""

from __future__ import annotations

import datetime
import io
import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from fabricplan.renderers.workbook.cells import PlainCells, PlainColumn
from fabricplan.terminal import columns as width_of

Cell = str | int | float | None
FONTS = {"zh": "微软雅黑", "en": "Calibri"}
CREATED = datetime.datetime(2000, 1, 1)
"""A fixed time, so that the bytes repeat."""
NARROWEST, WIDEST = 5.0, 48.0
SENTENCE = 110.0
"""Width of a column of sentences."""
BREAKS_MAX = 1000
"""Page breaks that Excel takes on one sheet, less some."""


PAGE_PT = (841.9 - 0.8 * 72, 595.3 - 1.3 * 72)
"""A4 across without its margins: width and height in points."""
HEAD_PT, ROW_PT = 32.0, 12.75
"""Height of the headings, and of a row where pages begin at given rows."""
SCALE_LEAST = 50


def page_scale(widths: Sequence[float], rows: int) -> int:
    """Return the percentage at which columns fit the width of a page, and the longest part its height too, unless that
    would be too small to read. (Excel passes over page breaks where a sheet is fitted to pages.)

    >>> page_scale([10.0] * 10, 20), page_scale([10.0] * 20, 64), page_scale([10.0] * 20, 2000)
    (100, 59, 69)
    """
    across = PAGE_PT[0] / sum((7 * width + 5) * 0.75 for width in widths)
    down = PAGE_PT[1] / (HEAD_PT + ROW_PT * rows)
    both = math.floor(100 * min(across, down, 1.0))
    return both if both >= SCALE_LEAST else max(math.floor(100 * min(across, 1.0)), 10)


class Column(NamedTuple):
    """A column: its heading, its cells, whether a person fills it in, and whether it holds sentences, to be wrapped."""

    heading: str
    cells: Sequence[Cell]
    fill: bool = False
    wrap: bool = False


class CrewBook:
    """A workbook in the making; lives inside one call of the renderer."""

    def __init__(self, lang: str, title: str) -> None:
        self._buffer, self._title = io.BytesIO(), title
        font = {"font_name": FONTS[lang], "font_size": 10, "valign": "vcenter"}
        self.book = xlsxwriter.Workbook(self._buffer, {
            "in_memory": True, "strings_to_numbers": False, "strings_to_formulas": False, "strings_to_urls": False,
            "default_format_properties": font,
        })  # fmt: skip
        self.book.set_properties({"title": title, "created": CREATED})
        self.book.formats[0].set_font_name(FONTS[lang])
        self.book.formats[0].set_font_size(10)
        line = {**font, "border": 1, "border_color": "#BFBFBF"}
        self._cell = self.book.add_format(line)
        self._number = self.book.add_format({**line, "align": "center"})
        self._wrap = self.book.add_format({**line, "text_wrap": True})
        self._fill = self.book.add_format({**line, "bg_color": "#FFF2CC"})
        self._head = self.book.add_format({
            **line, "bold": True, "font_color": "#FFFFFF", "bg_color": "#1F3864", "text_wrap": True, "align": "center",
        })  # fmt: skip
        self._big = self.book.add_format({**font, "bold": True, "font_size": 16, "font_color": "#1F3864"})
        self._note = self.book.add_format({**font, "font_color": "#404040"})

    def sheet(
        self, name: str, notes: Sequence[str], fields: Sequence[Column], breaks: Sequence[int] = (), title: str = ""
    ) -> Worksheet:
        """Add a sheet: title and notes, then a table; ``breaks`` are rows of the table that begin a page."""
        inner: Worksheet = self.book.add_worksheet(name, PlainCells)
        inner.set_landscape()
        inner.set_paper(9)
        inner.set_margins(left=0.4, right=0.4, top=0.7, bottom=0.6)
        if not breaks:
            inner.fit_to_pages(1, 0)
        inner.set_header("&L" + self._title.replace("&", "&&") + "&R&A")
        inner.set_footer("&C&P / &N")
        inner.hide_gridlines(2)
        top = 0
        if title:
            inner.set_row(0, 24)
            inner.write_string(0, 0, title, self._big)
            top = 1
        for note in notes:
            inner.write_string(top, 0, note, self._note)
            top += 1
        top += 1 if top else 0
        if not fields:
            return inner
        inner.set_row(top, HEAD_PT)
        widths = [self._width(inner, top, column, field) for column, field in enumerate(fields)]
        inner.write_columns(top + 1, [self._plain(field) for field in fields])
        count = len(fields[0].cells)
        inner.freeze_panes(top + 1, 0)
        inner.repeat_rows(top)
        inner.autofilter(top, 0, top + max(count, 1), len(fields) - 1)
        if breaks:
            inner.set_h_pagebreaks([top + 1 + row for row in breaks[:BREAKS_MAX]])
            inner.set_default_row(ROW_PT)
            inner.set_print_scale(page_scale(widths, max(two - one for one, two in pairwise((0, *breaks, count)))))
        return inner

    def _width(self, inner: Worksheet, top: int, column: int, field: Column) -> float:
        """Write the heading of a column, make it wide enough for its cells, and return how wide."""
        inner.write_string(top, column, field.heading, self._head)
        if field.wrap:
            inner.set_column(column, column, SENTENCE)
            for row, cell in enumerate(field.cells, top + 1):
                inner.set_row(row, 15.0 * math.ceil(width_of(str(cell)) * 1.1 / SENTENCE))
            return SENTENCE
        words = max(map(width_of, field.heading.split(" ")), default=0)
        widest = max([width_of(str(cell)) for cell in set(field.cells) if cell is not None], default=0)
        wanted = max(NARROWEST, words + 2, width_of(field.heading) / 2 + 3, widest + 2, 9 if field.fill else 0)
        inner.set_column(column, column, min(wanted, WIDEST))
        return min(wanted, WIDEST)

    def _plain(self, field: Column) -> PlainColumn:
        form = self._fill if field.fill else self._wrap if field.wrap else self._cell
        return PlainColumn(field.cells, form, self._number)

    def close(self) -> bytes:
        """Return the finished file."""
        self.book.close()
        return self._buffer.getvalue()
