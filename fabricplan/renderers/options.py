"""What single formats can be told; every other format takes no notice of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from fabricplan.crew.labels import Stock
from fabricplan.crew.stock import SIZES, StockSize

PRINTERS = ("a4", "tape", "zebra")
"""Printers that there are label files for."""
DPI = (203, 300, 600)
"""Resolutions of Zebra's print heads (8, 12 and 24 dots a millimetre)."""


class Options(NamedTuple):
    """Settings of formats.

    Attributes:
        printers: of the format ``labels``: kinds out of ``PRINTERS``; none means all.
        stock: of ``labels``, for ``zebra``: sizes of flags and wraps.
        dpi: of ``labels``, for ``zebra``: dots an inch.
    """

    printers: tuple[str, ...] = ()
    stock: Mapping[Stock, StockSize] = SIZES
    dpi: int = 203
