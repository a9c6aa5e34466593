"""A quote as JSON: written for the customer or the seller; read back only if its amounts agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal

from pydantic import ValidationError

from fabricplan.errors import Problem, ReadError
from fabricplan.prices import CURRENCIES
from fabricplan.quote.document import Quote, QuoteLine, customer_copy
from fabricplan.quote.money import cent, exact, money, total
from fabricplan.quote.taxes import tax_rows
from fabricplan.storedjson import document

SCHEMA = "fabricplan/quote/1"
REMEDY = "the file was changed or cut off; make the quote anew"


def dumps(quote: Quote, internal: bool = False) -> bytes:
    """Return a quote as JSON, amounts as text; the same quote gives the same bytes.

    Args:
        quote: the quote.
        internal: with the seller's own figures. Never send that to a customer.
    """
    shown = quote if internal else customer_copy(quote)
    tree = shown.model_dump(mode="json", by_alias=True, exclude_none=True)
    tree.setdefault("lines", [])
    # A price on request is told by a null, not by a missing key.
    for row in tree["lines"]:
        row.setdefault("unit_price", None)
        row.setdefault("amount", None)
    for name in ("number", "valid_until", "project", "seller", "customer", "payment", "delivery", "warranty",
                 "notes", "gpus"):  # fmt: skip
        tree.setdefault(name, None)
    return (json.dumps(tree, ensure_ascii=False, indent=1) + "\n").encode()


def loads(data: bytes, name: str = "quote.json") -> Quote:
    """Return a quote from its JSON.

    Raises:
        ReadError: not JSON, not a quote, made by a newer version of this program, or with amounts that contradict each
            other; each by its path.
    """
    tree = document(data, SCHEMA, name)
    try:
        quote = Quote.model_validate(tree)
    except ValidationError as caught:
        fault = caught.errors()[0]
        path = ".".join(str(step) for step in fault["loc"])
        raise ReadError(Problem("broken-quote", f"{path}: {fault['msg']}", name, REMEDY)) from None
    problems = [Problem("broken-quote", message, f"{name}: {path}", REMEDY) for path, message in contradictions(quote)]
    if problems:
        raise ReadError(*problems)
    return quote


@exact
def contradictions(quote: Quote) -> list[tuple[str, str]]:
    """Return (path, what is wrong) of every amount that does not follow from the others."""
    return list(_contradictions(quote))


def _contradictions(quote: Quote) -> Iterator[tuple[str, str]]:
    if quote.currency not in CURRENCIES:
        yield "currency", f"no currency '{quote.currency}'"
        return
    for number, line in enumerate(quote.lines):
        yield from _in_line(line, f"lines[{number}]", quote.currency)
    open_lines = sum(line.unit_price is None for line in quote.lines)
    if quote.complete == bool(open_lines):
        yield "complete", f"{str(quote.complete).lower()}, with {open_lines} lines without a price"
    due = tax_rows(quote.lines, quote.tax_mode, quote.currency)
    if [row.percent for row in quote.taxes] != [row.percent for row in due]:
        yield "taxes", "not one row for each rate of the lines, the highest first"
    else:
        for number, (row, right) in enumerate(zip(quote.taxes, due, strict=True)):
            limit = cent(quote.currency) if quote.tax_mode == "added" else Decimal(0)
            if abs(row.residue) > limit:
                yield f"taxes[{number}].residue", f"{row.residue} is more than rounding leaves over"
            for field, value in (("net", right.net), ("tax", right.tax + row.residue),
                                 ("gross", right.gross + row.residue)):  # fmt: skip
                if getattr(row, field) != value:
                    yield f"taxes[{number}].{field}", f"{money(getattr(row, field))}; the lines give {money(value)}"
    for field, value in (("net", total(row.net for row in quote.taxes)), ("tax", total(row.tax for row in quote.taxes)),
                         ("total", quote.net + quote.tax)):  # fmt: skip
        if getattr(quote, field) != value:
            yield field, f"{money(getattr(quote, field))}; the sum is {money(value)}"


def _in_line(line: QuoteLine, path: str, currency: str) -> Iterator[tuple[str, str]]:
    if line.quantity < 0:
        yield f"{path}.quantity", f"{line.quantity} is below zero"
    if not 0 <= line.tax_percent <= 100:
        yield f"{path}.tax_percent", f"{line.tax_percent} is no rate of tax"
    price, amount = line.unit_price, line.amount
    if price is None or amount is None:
        if price is not amount:
            yield f"{path}.amount", "unit price and amount are on request together, or neither is"
        return
    if price < 0:
        yield f"{path}.unit_price", f"{money(price)} is below zero"
    elif price % cent(currency):
        yield f"{path}.unit_price", f"{price} is finer than the smallest unit of {currency}"
    if amount != price * line.quantity:
        yield f"{path}.amount", f"{money(amount)}; {line.quantity} x {money(price)} is {money(price * line.quantity)}"
