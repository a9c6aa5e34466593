"""What ``design --prices`` needs: books, the terms that they are read by, the price as screen and JSON tell it."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabricplan.cli.settings import load_settings
from fabricplan.pricefiles import load_prices, load_terms
from fabricplan.quote import Terms, parse_terms
from fabricplan.quote.money import money

if TYPE_CHECKING:
    from fabricplan.prices import PriceBook
    from fabricplan.quote import Quote


def books_and_terms(paths: Sequence[Path], terms: Path | None) -> tuple[list[PriceBook], Terms]:
    """Return the books, and the terms of the file over those of the settings.

    Where neither states a currency, it is that of the books, if they agree on one.

    Raises:
        ReadError, PriceError: a file is wrong.
    """
    books = [load_prices(path) for path in paths]
    stated = {line.currency or book.currency for book in books for line in book.lines} - {None}
    defaults: dict[str, Any] = {
        "date": datetime.date.today(),
        **({"currency": stated.pop()} if len(stated) == 1 else {}),
    }
    defaults |= load_settings(None).terms
    return books, load_terms(terms, defaults) if terms else parse_terms(defaults)


def price_lines(quote: Quote, lang: str) -> list[str]:
    """Return the price in a line or two of at most 80 columns."""
    from fabricplan.summary import wrap
    from fabricplan.wording import screen_text

    lines = [screen_text("price", lang, currency=quote.currency, total=money(quote.total), net=money(quote.net))]
    if quote.missing:
        lines.append(screen_text("price_open", lang, count=len(quote.missing), parts=", ".join(quote.missing)))
    return [piece for line in lines for piece in wrap(line)]


def price_tree(quote: Quote) -> dict[str, Any]:
    """Return the price as ``--json`` tells it; amounts are strings, so that no digit is lost."""
    return {"currency": quote.currency, "net": str(quote.net), "tax": str(quote.tax), "total": str(quote.total),
            "complete": quote.complete, "missing": list(quote.missing)}  # fmt: skip
