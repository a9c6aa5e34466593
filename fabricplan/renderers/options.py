"""What single formats can be told; every other format takes no notice of it."""

from __future__ import annotations

from typing import NamedTuple

PRINTERS = ("a4", "tape", "zebra")
"""Printers that there are label files for."""
DPI = (203, 300, 600)
"""Resolutions of Zebra's print heads (8, 12 and 24 dots a millimetre)."""


class Options(NamedTuple):
    """Settings of formats.

    Attributes:
        printers: of the format ``labels``: kinds out of ``PRINTERS``; none means all.
        stock: of ``labels``, for ``zebra``: sizes of flags and wraps, as ``crew.stock.stock_sizes`` reads them.
        dpi: of ``labels``, for ``zebra``: dots an inch.
        columns: of ``cables-csv``: names of columns in their order; none means those of the plan folder.
        both_directions: of ``cables-csv``: a row for each end of a cable.
    """

    printers: tuple[str, ...] = ()
    stock: tuple[str, ...] = ()
    dpi: int = 203
    columns: tuple[str, ...] = ()
    both_directions: bool = False
