"""Plain tables for other programs: CSV without what spreadsheets need, and workbooks of rows under one heading line."""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import xlsxwriter

Cell = str | int | float | None
CREATED = datetime.datetime(2000, 1, 1)
"""A fixed time, so that the bytes repeat."""
WIDEST = 44


class Sheet(NamedTuple):
    """A sheet: its name, headings and rows (which may end early); ``fill`` are columns that a person fills in."""

    name: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    fill: frozenset[int] = frozenset()


def plain_csv(headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return a CSV as programs read it: UTF-8 without byte-order mark, Unix line ends, nothing altered.

    >>> plain_csv(("name", "u"), [("a,b", 1), (None, 2)])
    b'name,u\\n"a,b",1\\n,2\\n'
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return buffer.getvalue().encode()


def plain_book(sheets: Iterable[Sheet]) -> bytes:
    """Return a workbook: bold first row, frozen and filtered; text stays text, empty cells stay empty."""
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {
        "in_memory": True, "strings_to_numbers": False, "strings_to_formulas": False, "strings_to_urls": False,
    })  # fmt: skip
    book.set_properties({"created": CREATED})
    head = book.add_format({"bold": True, "bg_color": "#DCE6F1", "border": 1, "text_wrap": True, "valign": "top"})
    todo = book.add_format({"bg_color": "#FFF2CC", "border": 1})
    for sheet in sheets:
        inner = book.add_worksheet(sheet.name)
        inner.freeze_panes(1, 0)
        inner.set_landscape()
        inner.fit_to_pages(1, 0)
        inner.repeat_rows(0)
        for column, heading in enumerate(sheet.headings):
            held = [cell for row in sheet.rows[:200] for cell in row[column : column + 1]]
            sample = [len(str(cell)) for cell in held if cell is not None]
            width = min(max([len(heading) * 0.8, *sample, 6]) + 2, WIDEST)
            inner.set_column(column, column, width, todo if column in sheet.fill else None)
            inner.write_string(0, column, heading, head)
        for number, row in enumerate(sheet.rows, 1):
            for column, cell in enumerate(row):
                if isinstance(cell, str):
                    if cell:
                        inner.write_string(number, column, cell)
                elif cell is not None:
                    inner.write_number(number, column, cell)
        inner.autofilter(0, 0, max(len(sheet.rows), 1), len(sheet.headings) - 1)
    book.close()
    return buffer.getvalue()
