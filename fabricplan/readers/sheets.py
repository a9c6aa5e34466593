"""Tables of people from CSV and XLSX as rows of cells that know their place: what readers of tables share."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

import openpyxl
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import InvalidFileException

from fabricplan.errors import Problem, ReadError
from fabricplan.readers.cells import Cell

SEPARATORS = ",;\t"
BOOKS, TEXTS = (".xlsx", ".xlsm"), (".csv", ".tsv", ".txt")
DIGITS = 4096
"""Letters of a CSV from which its separator is told."""


class SheetRow(NamedTuple):
    """One row.

    Attributes:
        sheet: the sheet's name; the file's name of a CSV.
        line: row of the sheet, or line of the file, from 1.
        cells: what stands in it.
        formats: number formats of the cells of a workbook; empty for a CSV.
        unstored: columns (from 0) of formulas that have no stored value.
    """

    sheet: str
    line: int
    cells: Sequence[Cell]
    formats: Sequence[str] = ()
    unstored: tuple[int, ...] = ()

    def where(self, column: int) -> str:
        """Return the place of a column: ``Sheet!C5``, or ``file:line`` of a CSV."""
        if PurePath(self.sheet).suffix.casefold() in TEXTS and not self.formats:
            return f"{self.sheet}:{self.line}"
        return f"{self.sheet}!{get_column_letter(column + 1)}{self.line}"


def sheet_rows(data: bytes, name: str, what: str) -> list[SheetRow]:
    """Return the rows of a CSV file or of all sheets of a workbook; empty rows are left out.

    Args:
        data: what the file holds.
        name: its name; the suffix tells the format.
        what: what the file should be, for messages.

    Raises:
        ReadError: another format, or not readable as it.
    """
    suffix = PurePath(name).suffix.casefold()
    if suffix in TEXTS:
        return list(_csv(data, name))
    if suffix in BOOKS:
        return list(_book(data, name))
    raise ReadError(Problem("table-suffix", f"{what} is read from .csv or .xlsx files, not from '{suffix or name}'",
                            name, "save it as .xlsx or as CSV UTF-8"))  # fmt: skip


def csv_text(data: bytes, name: str) -> str:
    """Return the text of a CSV: UTF-8, UTF-16 with its mark, or the GB18030 of Chinese Excel.

    Raises:
        ReadError: none of them.
    """
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ReadError(Problem("not-text", "the file is neither UTF-8 nor GB18030 text", name, "save it as CSV UTF-8"))


def _csv(data: bytes, name: str) -> Iterator[SheetRow]:
    text = csv_text(data, name)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(SEPARATORS, key=text[:DIGITS].count))
    try:
        for cells in reader:
            held = [cell.strip().removeprefix("'") for cell in cells]
            if any(held):
                yield SheetRow(name, reader.line_num, held)
    except csv.Error as caught:
        raise ReadError(Problem("csv-syntax", f"not valid CSV: {caught}", f"{name}:{reader.line_num}")) from None


def _book(data: bytes, name: str) -> Iterator[SheetRow]:
    try:
        values = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
        formulas = openpyxl.load_workbook(io.BytesIO(data))
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, TypeError, OSError, SyntaxError) as caught:
        raise ReadError(Problem("not-a-workbook", f"not an Excel workbook: {caught}", name,
                                "give a .xlsx or .csv file")) from None  # fmt: skip
    for sheet in values.worksheets:
        written = formulas[sheet.title]
        for row in sheet.iter_rows(min_row=1, min_col=1):
            cells = [cell.value for cell in row]
            unstored = tuple(
                place for place, cell in enumerate(row)
                if cell.value is None and str(written.cell(cell.row, place + 1).value or "").startswith("=")
            )  # fmt: skip
            if any(cell is not None for cell in cells) or unstored:
                yield SheetRow(sheet.title, row[0].row, cells, [cell.number_format for cell in row], unstored)
