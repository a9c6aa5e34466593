"""``request.xlsx``: an empty request with drop-downs, for people who live in Excel. Labels in both languages."""

from __future__ import annotations

import datetime
import io
from collections.abc import Sequence

import xlsxwriter

from fabricplan.readers.request_fields import FIELDS
from fabricplan.renderers.quotes.book import DARK, FONT, LINE

ROWS_FIRST = 3


def render(platforms: Sequence[str]) -> dict[str, bytes]:
    """Return ``request.xlsx``.

    Args:
        platforms: ids to choose the platform from.
    """
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {
        "in_memory": True, "strings_to_formulas": False, "strings_to_urls": False,
        "default_format_properties": {"font_name": FONT, "font_size": 10},
    })  # fmt: skip
    book.set_properties({"title": "需求 Request", "created": datetime.datetime(2000, 1, 1)})
    edge = {"font_name": FONT, "font_size": 10, "border": 1, "border_color": LINE, "valign": "vcenter"}
    label = book.add_format({**edge, "bold": True, "bg_color": "#F2F6FA"})
    entry = book.add_format({**edge, "bg_color": "#FFF9E5", "num_format": "@", "align": "left"})
    number = book.add_format({**edge, "bg_color": "#FFF9E5", "align": "left"})
    note = book.add_format({**edge, "font_color": "#595959", "text_wrap": True})
    title = book.add_format({"font_name": FONT, "font_size": 16, "bold": True, "font_color": DARK})
    plain = book.add_format({"font_name": FONT, "font_size": 10})
    sheet, lists = book.add_worksheet("需求 Request"), book.add_worksheet("选项 Lists")
    sheet.set_column(0, 0, 34)
    sheet.set_column(1, 1, 28)
    sheet.set_column(2, 2, 70)
    sheet.write_string(0, 0, "网络需求表 Network request", title)
    sheet.write_string(1, 0, "填写黄色单元格 Fill in the yellow cells: fabricplan design request.xlsx", plain)
    for place, field in enumerate(FIELDS):
        row = ROWS_FIRST + place
        words = tuple(platforms) if field.path == "groups[0].platform" else field.words
        sheet.write_string(row, 0, f"{field.zh} {field.en}", label)
        sheet.write_blank(row, 1, None, number if field.kind in ("count", "metres") else entry)
        sheet.write_string(row, 2, f"{field.help_zh}；{field.help_en}", note)
        sheet.set_row(row, 34 if len(field.help_zh + field.help_en) > 60 else 20)
        if words:
            lists.write_string(0, place, field.en, label)
            for at, word in enumerate(words, 1):
                lists.write_string(at, place, word, plain)
            column = _letters(place)
            sheet.data_validation(row, 1, row, 1, {
                "validate": "list", "source": f"='选项 Lists'!${column}$2:${column}${len(words) + 1}",
                "error_type": "warning", "ignore_blank": True,
            })  # fmt: skip
        elif field.kind == "count":
            sheet.data_validation(row, 1, row, 1, {
                "validate": "integer", "criteria": ">=", "value": 0, "ignore_blank": True,
                "error_message": "请填写整数 A whole number, please",
            })  # fmt: skip
    for each in (sheet, lists):
        each.set_paper(9)
        each.set_landscape()
        each.fit_to_pages(1, 0)
    lists.set_column(0, len(FIELDS), 18)
    book.close()
    return {"request.xlsx": buffer.getvalue()}


def _letters(column: int) -> str:
    return chr(ord("A") + column)
