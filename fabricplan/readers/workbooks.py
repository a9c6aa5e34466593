"""Excel workbooks from bytes: the one home of opening them."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException

from fabricplan.errors import FabricplanError, Problem

_BROKEN = (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, TypeError, OSError, SyntaxError)


def open_workbook(
    data: bytes, name: str, error: type[FabricplanError], hint: str, *, values: bool = True, read_only: bool = False
) -> Any:
    """Return an openpyxl workbook.

    Args:
        data: what the file holds.
        name: its name, for the problem.
        error: what is raised.
        hint: what to do about a file that is no workbook.
        values: with stored values; else with formulas.
        read_only: rows only, without styles of columns and without merged cells.

    Raises:
        error: not a workbook.
    """
    try:
        return openpyxl.load_workbook(io.BytesIO(data), data_only=values, read_only=read_only)
    except _BROKEN as caught:
        raise error(Problem("not-a-workbook", f"not an Excel workbook: {caught}", name, hint)) from None
