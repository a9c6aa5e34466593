"""A worksheet that writes plain cells in one piece.

A cabling sheet has tens of thousands of cells, and most of the time that a workbook takes goes into building the
attributes of each. Text, numbers and blanks in a format of their own have attributes that need no escaping; they are
written at once, all others as XlsxWriter writes them. The bytes are the same, which a test holds against the original.

A table at the foot of a sheet is written faster still: a cell of it is no object of its own, the XML of every value
is built once per column, and a row is one join.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

_column = cache(xl_col_to_name)
Plain = str | int | float | None


class PlainColumn(NamedTuple):
    """A column of a table: its cells, the format of text and blanks, and that of numbers."""

    cells: Sequence[Plain]
    text: Any
    number: Any


class _Block(NamedTuple):
    """A table to be written: its first row, its columns, and the shared string of every text in each of them."""

    top: int
    columns: Sequence[PlainColumn]
    strings: Sequence[Mapping[str, int]]


class PlainCells(Worksheet):  # type: ignore[misc]
    """``Worksheet`` with a short way for plain cells."""

    dim_rowmax: int | None
    _block: _Block | None = None

    def write_columns(self, top: int, columns: Sequence[PlainColumn]) -> None:
        """Write a table from column A and row ``top`` (from 0) on: the last rows of the sheet, at most one table.

        Raises:
            ValueError: a second table, columns of unlike length, or something below the table's first row; what comes
                later is refused when the file is closed.
        """
        count = len(columns[0].cells) if columns else 0
        if not count:
            return
        if self._block is not None or max(self.table, default=-1) >= top:
            raise ValueError(f"row {top} is not below all that was written")
        if any(len(column.cells) != count for column in columns):
            raise ValueError("columns of unlike length")
        strings = []
        for column in columns:
            counts = Counter(column.cells)
            texts = [cell for cell in counts if isinstance(cell, str) and cell]
            strings.append({text: self.str_table._get_shared_string_index(text) for text in texts})
            self.str_table.count += sum(counts[text] for text in texts) - len(texts)
        self._check_dimensions(top, 0)
        self._check_dimensions(top + count - 1, len(columns) - 1)
        self._block = _Block(top, columns, strings)

    def _write_rows(self) -> None:
        if self._block is None:
            super()._write_rows()
            return
        if max(self.table, default=-1) >= self._block.top:
            raise ValueError(f"something was written below row {self._block.top}, where the table begins")
        last, self.dim_rowmax = self.dim_rowmax, self._block.top - 1
        super()._write_rows()
        self.dim_rowmax = last
        self.fh.writelines(self._block_rows(*self._block))

    def _get_range_data(self, row: int, col: int, last_row: int, last_col: int) -> list[Any]:
        """Return the values that a chart stores beside its ranges."""
        if self._block is None or row < self._block.top:
            found: list[Any] = super()._get_range_data(row, col, last_row, last_col)
            return found
        columns = [column.cells for column in self._block.columns[col : last_col + 1]]
        cells = itertools.chain(*zip(*columns, strict=True))
        first, count = row - self._block.top, last_row - row + 1
        held = list(cells)[first * len(columns) : (first + count) * len(columns)]
        return ["" if cell is None else cell if isinstance(cell, str) else f"{cell:.16g}" for cell in held]

    def _block_rows(
        self, top: int, columns: Sequence[PlainColumn], strings: Sequence[Mapping[str, int]]
    ) -> Iterator[str]:
        """Yield the rows of the table: a row's number stands between the pieces of its XML, so it joins them."""
        closing = [f'<c r="{_column(at)}' for at in range(1, len(columns))] + ["</row>"]
        pieces = []
        for column, known, after in zip(columns, strings, closing, strict=True):
            held = {cell: _piece(cell, column, known) + after for cell in dict.fromkeys(column.cells)}
            pieces.append([held[cell] for cell in column.cells])
        spans = f"1:{len(columns)}"
        same_height = self.default_row_height == self.original_row_height
        for row, cells in enumerate(zip(*pieces, strict=True), top):
            if same_height and row not in self.row_info:
                yield str(row + 1).join(('<row r="', f'" spans="{spans}"><c r="A', *cells))
            else:
                self._write_row(row, spans, self.row_info.get(row))
                yield str(row + 1).join(('<c r="A', *cells))

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


def _piece(cell: Plain, column: PlainColumn, strings: Mapping[str, int]) -> str:
    """Return what follows the row number in a cell's XML."""
    if cell is None or cell == "":
        return f'" s="{column.text._get_xf_index()}"/>'
    if isinstance(cell, str):
        return f'" s="{column.text._get_xf_index()}" t="s"><v>{strings[cell]}</v></c>'
    return f'" s="{column.number._get_xf_index()}"><v>{cell:.16G}</v></c>'
