"""The short way for plain cells writes what XlsxWriter writes."""

from __future__ import annotations

import datetime
import io

import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from fabricplan.renderers.workbook.cells import PlainCells


def book(kind: type[Worksheet]) -> bytes:
    buffer = io.BytesIO()
    made = xlsxwriter.Workbook(buffer, {"in_memory": True})
    made.set_properties({"created": datetime.datetime(2000, 1, 1)})
    sheet = made.add_worksheet("one", kind)
    look, other = made.add_format({"border": 1}), made.add_format({"num_format": "0.0%", "bold": True})
    sheet.set_column(40, 40, 12, other)
    sheet.set_row(7, 30, look)
    for row in (0, 7, 1_048_575):
        for column in (0, 25, 26, 40, 702):
            for at, form in enumerate((look, other, None)):
                place = row if row == 1_048_575 else row + at
                sheet.write_string(place, column, f'a<b & "c" 节点 {column}', form)
                sheet.write_number(place, column + 1, [0, -1.5, 1e21, 0.1 + 0.2][column % 4], form)
                sheet.write_blank(place, column + 2, None, form)
                sheet.write_formula(place, column + 3, "=1+1", form, 2)
                sheet.write_boolean(place, column + 4, True, form)
    made.close()
    return buffer.getvalue()


def test_the_bytes_are_those_of_the_original() -> None:
    assert book(PlainCells) == book(Worksheet)
