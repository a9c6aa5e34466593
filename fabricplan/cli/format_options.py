"""Options of ``fabricplan render`` that are for one format: checked against the formats that were asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fabricplan.errors import Problem, RequirementError, nearest

if TYPE_CHECKING:
    from fabricplan.renderers.options import Options


def format_options(
    formats: Sequence[str], printers: Sequence[str] | None, stock: Sequence[str] | None, dpi: int | None
) -> Options | None:
    """Return what the formats are told; None where nothing was.

    Raises:
        RequirementError: an option of a format that was not asked for, an unknown printer, a size of stock that is
            none, a resolution that Zebra does not make.
    """
    told = {"--printer": printers, "--stock": stock, "--dpi": dpi}
    given = [name for name, value in told.items() if value]
    if not given:
        return None
    if "labels" not in formats:
        raise RequirementError(Problem("option-without-format", f"{given[0]} is for the format labels", given[0],
                                       "add --format labels"))  # fmt: skip
    from fabricplan.crew.stock import stock_sizes
    from fabricplan.renderers.options import DPI, PRINTERS, Options

    names = [word.strip() for listed in printers or () for word in listed.split(",") if word.strip()]
    for name in names:
        if name not in PRINTERS:
            raise RequirementError(Problem("printer", f"no printer '{name}'", "--printer", nearest(name, PRINTERS)))
    if (stock or dpi) and names and "zebra" not in names:
        raise RequirementError(Problem("option-without-format", f"{given[-1]} is for the printer zebra", given[-1],
                                       "add --printer zebra"))  # fmt: skip
    if dpi is not None and dpi not in DPI:
        raise RequirementError(Problem("dpi", f"no print head of {dpi} dpi", "--dpi",
                                       " or ".join(map(str, DPI))))  # fmt: skip
    return Options(tuple(names), stock_sizes(stock or ()), dpi or Options().dpi)
