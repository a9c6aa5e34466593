"""Tables of people from CSV and XLSX as rows of cells that know their place: what readers of tables share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

from openpyxl.utils import get_column_letter

from fabricplan.errors import Problem, ReadError
from fabricplan.readers.cells import Cell
from fabricplan.readers.csvtext import read_rows
from fabricplan.readers.workbooks import open_workbook

BOOKS, TEXTS = (".xlsx", ".xlsm"), (".csv", ".tsv", ".txt")


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
        """Return the place of a column: ``Sheet!C5``, or ``file:line!C`` of a CSV."""
        if PurePath(self.sheet).suffix.casefold() in TEXTS and not self.formats:
            return f"{self.sheet}:{self.line}!{get_column_letter(column + 1)}"
        return f"{self.sheet}!{get_column_letter(column + 1)}{self.line}"


def sheet_rows(data: bytes, name: str, what: str, known: Callable[[str], bool]) -> list[SheetRow]:
    """Return the rows of a CSV file or of all sheets of a workbook; empty rows are left out.

    Args:
        data: what the file holds.
        name: its name; the suffix tells the format.
        what: what the file should be, for messages.
        known: whether a cell is a heading that the caller looks for.

    Raises:
        ReadError: another format, or not readable as it.
    """
    suffix = PurePath(name).suffix.casefold()
    if suffix in TEXTS:
        return list(_csv(data, name, known))
    if suffix in BOOKS:
        return list(_book(data, name))
    raise ReadError(Problem("table-suffix", f"{what} is read from .csv or .xlsx files, not from '{suffix or name}'",
                            name, "save it as .xlsx or as CSV UTF-8"))  # fmt: skip


def _csv(data: bytes, name: str, known: Callable[[str], bool]) -> Iterator[SheetRow]:
    for line, cells in read_rows(data, name, ReadError, known):
        held = [cell.strip().removeprefix("'") for cell in cells]
        if any(held):
            yield SheetRow(name, line, held)


def _book(data: bytes, name: str) -> Iterator[SheetRow]:
    hint = "give a .xlsx or .csv file"
    values = open_workbook(data, name, ReadError, hint)
    formulas = open_workbook(data, name, ReadError, hint, values=False)
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
