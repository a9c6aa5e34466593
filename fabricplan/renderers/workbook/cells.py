"""A worksheet that writes plain cells in one piece.

A cabling sheet has tens of thousands of cells, and most of the time that a workbook takes goes into building the
attributes of each. Text, numbers and blanks in a format of their own have attributes that need no escaping; they are
written at once, all others as XlsxWriter writes them. The bytes are the same, which a test holds against the original.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

_column = cache(xl_col_to_name)


class PlainCells(Worksheet):  # type: ignore[misc]
    """``Worksheet`` with a short way for plain cells."""

    def _write_cell(self, row: int, col: int, cell: Any) -> None:
        kind = type(cell).__name__
        if cell.format is None or kind not in ("String", "Number", "Blank"):
            super()._write_cell(row, col, cell)
            return
        start = f'<c r="{_column(col)}{row + 1}" s="{cell.format._get_xf_index()}"'
        if kind == "String":
            self.fh.write(f'{start} t="s"><v>{cell.string}</v></c>')
        elif kind == "Number":
            self.fh.write(f"{start}><v>{cell.number:.16G}</v></c>")
        else:
            self.fh.write(f"{start}/>")
