"""The short way for plain cells writes what XlsxWriter writes."""

from __future__ import annotations

import datetime
import io

import pytest
import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from fabricplan.renderers.workbook.cells import PlainCells, PlainColumn


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


TABLE: tuple[tuple[str | int | float | None, ...], ...] = (
    ("节点 1", "a<b & c", "节点 1", " blank before", "", "=1+1") * 3,
    (7, 2.5, None, 1e21, -3, 0.1 + 0.2) * 3,
    (None, "x", 4, "", 4.0, "x") * 3,
)


def table(kind: type[Worksheet], height: float | None) -> bytes:
    """A heading, a table with rows of their own height, and a chart of it."""
    buffer = io.BytesIO()
    made = xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_formulas": False})
    made.set_properties({"created": datetime.datetime(2000, 1, 1)})
    sheet = made.add_worksheet("one", kind)
    if height:
        sheet.set_default_row(height)
    text, number = made.add_format({"border": 1}), made.add_format({"align": "center"})
    sheet.set_row(5, 30)
    for column in range(len(TABLE)):
        sheet.write_string(2, column, f"head {column % 2}", text)
    if isinstance(sheet, PlainCells):
        sheet.write_columns(3, [PlainColumn(cells, text, number) for cells in TABLE])
    else:
        for column, cells in enumerate(TABLE):
            for row, cell in enumerate(cells, 3):
                if cell is None or cell == "":
                    sheet.write_blank(row, column, None, text)
                elif isinstance(cell, str):
                    sheet.write_string(row, column, cell, text)
                else:
                    sheet.write_number(row, column, cell, number)
    chart = made.add_chart({"type": "column"})
    chart.add_series({"name": ["one", 2, 1], "categories": ["one", 3, 0, 20, 0], "values": ["one", 3, 1, 20, 1]})
    chart.add_series({"values": ["one", 5, 2, 8, 2]})
    sheet.insert_chart("E3", chart)
    made.close()
    return buffer.getvalue()


@pytest.mark.parametrize("height", [None, 16.5])
def test_a_table_has_the_bytes_of_the_original(height: float | None) -> None:
    assert table(PlainCells, height) == table(Worksheet, height)


def test_a_table_stands_below_all_else_and_is_even() -> None:
    made = xlsxwriter.Workbook(io.BytesIO(), {"in_memory": True})
    look = made.add_format()
    sheet = made.add_worksheet("one", PlainCells)
    sheet.write_string(4, 0, "below", look)
    with pytest.raises(ValueError, match="row 4 is not below"):
        sheet.write_columns(4, [PlainColumn(["a"], look, look)])
    with pytest.raises(ValueError, match="unlike length"):
        sheet.write_columns(5, [PlainColumn(["a"], look, look), PlainColumn(["a", "b"], look, look)])
    sheet.write_columns(5, [PlainColumn(["a"], look, look)])
    sheet.write_string(9, 0, "too late", look)
    with pytest.raises(ValueError, match="below row 5"):
        made.close()
