"""``fabricplan render`` of a quote file: other formats, another language, rows for an ERP system."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fabricplan.errors import Problem, RenderError
from fabricplan.files import read_bytes, write
from fabricplan.pricefiles import load_quote
from fabricplan.readers.erp_map import read_codes
from fabricplan.renderers.quotes import render_quote
from fabricplan.renderers.quotes.erp import render as render_erp

DEFAULT = ("xlsx", "html", "csv", "json")


def write_quote(path: Path, folder: Path, formats: Sequence[str] | None, lang: str, codes: Path | None) -> list[str]:
    """Write a quote in the asked formats; return the paths.

    Raises:
        RenderError: an unknown format, ``erp`` without a map, or parts that the map does not hold.
    """
    quote = load_quote(path)
    asked = [word.strip() for listed in formats or () for word in listed.split(",") if word.strip()] or list(DEFAULT)
    files: dict[str, bytes] = {}
    for name in dict.fromkeys(asked):
        if name != "erp":
            files |= render_quote(quote, name, lang)
        elif codes is None:
            raise RenderError(Problem("no-map", "the format erp needs the company's material codes", "--map",
                                      "give --map codes.xlsx"))  # fmt: skip
        else:
            files |= render_erp(quote, lang, read_codes(read_bytes(codes), str(codes)))
    return write(folder, files)
