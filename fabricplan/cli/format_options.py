"""Options of ``fabricplan render`` that are for one format: checked against the formats that were asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fabricplan.errors import Problem, RequirementError, nearest

if TYPE_CHECKING:
    from fabricplan.renderers.options import Options


def format_options(
    formats: Sequence[str], printers: Sequence[str] | None, stock: Sequence[str] | None, dpi: int | None,
    columns: Sequence[str] | None, both_directions: bool,
) -> Options | None:  # fmt: skip
    """Return what the formats are told; None where nothing was.

    Raises:
        RequirementError: an option of a format that was not asked for, an unknown printer, a size of stock that is
            none, a resolution that Zebra does not make.
        RenderError: columns that cables.csv does not have.
    """
    given = {
        "labels": [name for name, value in (("--printer", printers), ("--stock", stock), ("--dpi", dpi)) if value],
        "cables-csv": [
            name for name, value in (("--columns", columns), ("--both-directions", both_directions)) if value
        ],
    }
    for format, names in given.items():
        if names and format not in formats:
            raise RequirementError(Problem("option-without-format", f"{names[0]} is for the format {format}", names[0],
                                           f"add --format {format}"))  # fmt: skip
    if not any(given.values()):
        return None
    from fabricplan.crew.stock import stock_sizes
    from fabricplan.renderers.cables_csv import chosen_columns
    from fabricplan.renderers.options import DPI, PRINTERS, Options

    names = _words(printers)
    for name in names:
        if name not in PRINTERS:
            raise RequirementError(Problem("printer", f"no printer '{name}'", "--printer", nearest(name, PRINTERS)))
    if (stock or dpi) and names and "zebra" not in names:
        option = given["labels"][-1]
        raise RequirementError(Problem("option-without-format", f"{option} is for the printer zebra", option,
                                       "add --printer zebra"))  # fmt: skip
    if dpi is not None and dpi not in DPI:
        raise RequirementError(Problem("dpi", f"no print head of {dpi} dpi", "--dpi",
                                       " or ".join(map(str, DPI))))  # fmt: skip
    chosen_columns(_words(columns))
    stock_sizes(stock or ())
    return Options(tuple(names), tuple(stock or ()), dpi or Options().dpi, tuple(_words(columns)), both_directions)


def _words(listed: Sequence[str] | None) -> list[str]:
    return [word.strip() for words in listed or () for word in words.split(",") if word.strip()]
