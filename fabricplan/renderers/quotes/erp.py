"""``erp.xlsx``: a quote as rows for a company's ERP system, by its own material codes.

One row a line: code, name, specification, unit, quantity, tax-included unit price, tax rate in percent, date, and the
part number. Values only, no formulas, no titles: systems import it as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from fabricplan.errors import Problem, RenderError
from fabricplan.prices import part_key
from fabricplan.quote import Quote, QuoteLine
from fabricplan.quote.money import rounded
from fabricplan.readers.erp_map import ErpCode
from fabricplan.renderers.quotes.book import QuoteBook
from fabricplan.renderers.quotes.layout import Words, numbered

COLUMNS = (
    ("erp_code", 18), ("erp_name", 26), ("erp_specification", 60), ("unit", 8), ("quantity", 10), ("erp_price", 16),
    ("erp_rate", 10), ("date", 12), ("pn", 24),
)  # fmt: skip


def render(quote: Quote, lang: str, codes: Mapping[str, ErpCode]) -> dict[str, bytes]:
    """Return ``erp.xlsx``.

    Raises:
        RenderError: with one problem for each part that has no code or no price.
    """
    words = Words(quote, lang)
    problems = []
    rows = []
    for number, line in numbered(quote):
        part = words.part(line.part, line.name)
        code = next((codes[key] for key in _keys(line) if key in codes), None)
        if code is None:
            problems.append(Problem("unmapped-part", f"'{part}' has no material code", f"line {number}",
                                    "add it to the map"))  # fmt: skip
        elif line.unit_price is None:
            problems.append(Problem("price-missing", f"'{part}' has no price", f"line {number}",
                                    "add it to a price book and quote anew"))  # fmt: skip
        else:
            rows.append((line, code))
    if problems:
        raise RenderError(*dict.fromkeys(problems))
    book = QuoteBook(quote, words.term("title"))
    sheet = book.sheet("ERP", words.page())
    sheet.set_widths([width for _, width in COLUMNS])
    for place, (key, _) in enumerate(COLUMNS):
        sheet.write(0, place, words.term(key), "head")
    for row, (line, code) in enumerate(rows, 1):
        values: tuple[str | int | Decimal, ...] = (
            code.code, code.name or words.text(line.name, " "), code.specification or words.text(line.description, " "),
            code.unit or words.term(f"unit_{line.unit}"), line.quantity, price_with_tax(quote, line), line.tax_percent,
            str(quote.date), line.pn or line.opn,
        )  # fmt: skip
        looks = ("text", "text", "text", "centre", "count", "money", "percent", "centre", "text")
        for place, (value, look) in enumerate(zip(values, looks, strict=True)):
            sheet.write(row, place, value, look)
        sheet.fit(row, [(str(values[1]), 26), (str(values[2]), 60)])
    return {"erp.xlsx": book.close()}


def price_with_tax(quote: Quote, line: QuoteLine) -> Decimal:
    """Return a line's unit price with the tax, whichever way the quote shows it."""
    price = line.unit_price or Decimal(0)
    if quote.tax_mode == "included":
        return price
    return rounded(price * (100 + line.tax_percent) / 100, quote.currency)


def _keys(line: QuoteLine) -> tuple[str, ...]:
    names = (line.pn, line.opn, line.name.zh, line.name.en) if not line.pn else (line.pn, line.opn)
    return tuple(part_key(name) for name in names if name)
