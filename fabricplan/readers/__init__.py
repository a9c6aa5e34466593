"""Bytes to values, one module per format; the mirror image of ``renderers``. Nothing here touches the disk."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import PurePath

from fabricplan.errors import PriceError, Problem
from fabricplan.prices import PriceBook

PRICE_BOOKS: Mapping[str, str] = {
    ".csv": "prices_csv", ".tsv": "prices_csv", ".txt": "prices_csv", ".xlsx": "prices_xlsx", ".xlsm": "prices_xlsx",
    ".yaml": "prices_yaml", ".yml": "prices_yaml",
}  # fmt: skip
"""File suffix -> reader of price books."""


def read_prices(data: bytes, name: str) -> PriceBook:
    """Return the price book of a file.

    Args:
        data: what the file holds.
        name: its name; the suffix tells the format, and places of problems begin with it.

    Raises:
        PriceError: another format, or with every problem of the book, by sheet and cell or by line.
    """
    suffix = PurePath(name).suffix.casefold()
    if suffix not in PRICE_BOOKS:
        hint = "save it as .xlsx" if suffix == ".xls" else "give a .xlsx, .csv or .yaml file"
        raise PriceError(Problem("price-book-suffix", f"price books are not read from '{suffix or name}' files", name,
                                 hint))  # fmt: skip
    book: PriceBook = importlib.import_module(f"fabricplan.readers.{PRICE_BOOKS[suffix]}").read(data, name)
    # A book that states no name is called by its file, and that is no customer's business.
    return book.model_copy(update={"named": False}) if book.name == PurePath(name).stem else book
