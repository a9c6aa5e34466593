"""Inserting rows into a company's sheet so that everything below moves as it does in Excel: formulas, names, merged
cells, row heights, print areas, pictures, validations and conditional formats."""

from __future__ import annotations

import copy
import re
from typing import Any

from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.formula import Tokenizer
from openpyxl.worksheet.cell_range import CellRange, MultiCellRange

_REFERENCE = re.compile(r"(\$?[A-Z]{1,3}\$?)(\d+)(?::(\$?[A-Z]{1,3}\$?)(\d+))?")
_WHOLE_ROWS = re.compile(r"(\$?)(\d+):(\$?)(\d+)")


def insert_rows(book: Any, sheet: Any, first: int, last: int, count: int) -> None:
    """Insert ``count`` rows below row ``last``; ranges that end there and begin from ``first`` on grow with it.

    Args:
        book: openpyxl workbook.
        sheet: one of its sheets.
        first: first row of the block of lines.
        last: last row of the block.
        count: how many rows are inserted.
    """
    merged = [CellRange(area.coord) for area in sheet.merged_cells.ranges]
    for area in merged:
        sheet.unmerge_cells(area.coord)
    heights = {row: copy.copy(size) for row, size in sheet.row_dimensions.items()}
    sheet.insert_rows(last + 1, count)
    for row in [row for row in heights if row > last]:
        del sheet.row_dimensions[row]
    for row, size in heights.items():
        if row > last:
            size.index = row + count
            sheet.row_dimensions[row + count] = size
    for area in merged:
        sheet.merge_cells(moved_text(area.coord, first, last, count))
    for other in book.worksheets:
        for cells in other.iter_rows():
            for cell in cells:
                if cell.data_type == "f" and isinstance(cell.value, str):
                    cell.value = moved_formula(cell.value, other.title, sheet.title, first, last, count)
    for scope in (book, *book.worksheets):
        for name in scope.defined_names.values():
            home = scope.title if scope is not book else ""
            name.attr_text = moved_formula(f"={name.attr_text}", home, sheet.title, first, last, count)[1:]
    if sheet.print_area:
        areas = sheet.print_area if isinstance(sheet.print_area, str) else ",".join(sheet.print_area)
        sheet.print_area = moved_text(areas.replace("$", "").split("!")[-1], first, last, count)
    for rule in sheet.data_validations.dataValidation:
        rule.sqref = MultiCellRange(moved_text(str(rule.sqref), first, last, count))
    formats = ConditionalFormattingList()
    for area in sheet.conditional_formatting:
        for rule in area.rules:
            formats.add(moved_text(str(area.sqref), first, last, count), rule)
    sheet.conditional_formatting = formats
    for drawing in (*sheet._images, *sheet._charts):
        for mark in (getattr(drawing.anchor, "_from", None), getattr(drawing.anchor, "to", None)):
            if mark is not None and mark.row >= last:
                mark.row += count


def moved_text(text: str, first: int, last: int, count: int) -> str:
    """Return references after the insertion.

    >>> moved_text("A10:A12 B20", 10, 12, 5)
    'A10:A17 B25'
    """

    def move(match: re.Match[str]) -> str:
        start, end = int(match[2]), match[4]
        if end is None:
            return f"{match[1]}{_below(start, last, count)}"
        grown = first <= start and int(end) == last
        stop = int(end) + count if grown else _below(int(end), last, count)
        return f"{match[1]}{_below(start, last, count)}:{match[3]}{stop}"

    return _REFERENCE.sub(move, text)


def moved_formula(formula: str, home: str, target: str, first: int, last: int, count: int) -> str:
    """Return a formula after the insertion; only references to the sheet ``target`` move.

    >>> moved_formula("=SUM(J10:J12)+J14+Other!J14", "Q", "Q", 10, 12, 5)
    '=SUM(J10:J17)+J19+Other!J14'
    """
    tokens = Tokenizer(formula)
    pieces = ["="]
    for token in tokens.items:
        text = str(token.value)
        if token.type == "OPERAND" and token.subtype == "RANGE":
            sheet, mark, reference = text.rpartition("!")
            named = sheet.strip("'").replace("''", "'") if mark else home
            if named == target:
                text = sheet + mark + _moved_range(reference, first, last, count)
        pieces.append(text)
    return "".join(pieces)


def _moved_range(reference: str, first: int, last: int, count: int) -> str:
    rows = _WHOLE_ROWS.fullmatch(reference)
    if rows:
        start, end = _below(int(rows[2]), last, count), _below(int(rows[4]), last, count)
        return f"{rows[1]}{start}:{rows[3]}{end}"
    return moved_text(reference, first, last, count)


def _below(row: int, last: int, count: int) -> int:
    return row + count if row > last else row
