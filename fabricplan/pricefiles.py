"""Price books, terms and quotes from the disk: a room beside ``files``, so that plans do not pay for loading quotes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fabricplan.files import read_bytes
from fabricplan.prices import PriceBook
from fabricplan.quote import Quote, Terms, customer_copy, loads
from fabricplan.readers import read_prices
from fabricplan.readers.terms import read_terms


def load_prices(path: str | os.PathLike[str]) -> PriceBook:
    """Return the price book of an XLSX, CSV or YAML file.

    Raises:
        ReadError: the file cannot be read.
        PriceError: with every problem, by sheet and cell or by line.
    """
    return read_prices(read_bytes(path), str(path))


def load_terms(path: str | os.PathLike[str], defaults: Mapping[str, Any] | None = None) -> Terms:
    """Return the commercial terms of a YAML file; ``defaults`` are fields that it may leave out.

    Raises:
        ReadError: the file cannot be read.
        PriceError: with every problem, as ``file:line``.
    """
    return read_terms(read_bytes(path), str(path), defaults)


def load_earlier(path: str | os.PathLike[str]) -> Quote:
    """Return an earlier quote; with the seller's own figures where ``quote-internal.json`` lies beside it.

    Raises:
        ReadError: the file cannot be read, or is no quote.
    """
    quote = load_quote(path)
    beside = Path(path).with_name("quote-internal.json")
    if Path(path).name == "quote-internal.json" or not beside.is_file():
        return quote
    internal = load_quote(beside)
    # A file left over from another quote in the same folder says nothing of this one.
    return internal if customer_copy(internal) == customer_copy(quote) else quote


def load_quote(path: str | os.PathLike[str]) -> Quote:
    """Return an earlier quote from its JSON.

    Raises:
        ReadError: the file cannot be read, or is no quote.
    """
    return loads(read_bytes(path), str(path))
