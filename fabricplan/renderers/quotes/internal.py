"""``quote-internal.xlsx``: what every line cost and earns, and where its price comes from. Never for customers.

Cost, margin and amounts are in the quote's currency, and hold the tax as the quote's unit prices do.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from fabricplan.quote import Quote, QuoteLine
from fabricplan.quote.money import total
from fabricplan.renderers.quotes.book import QuoteBook, QuoteSheet, cell_name, ranges
from fabricplan.renderers.quotes.layout import Words, numbered
from fabricplan.wording.quotes import quote_finding

COLUMNS = (
    ("no", 5), ("pn", 22), ("product", 24), ("fabric", 14), ("price_basis", 12), ("price_currency", 9),
    ("list_price", 13), ("cost", 13), ("base_price", 13), ("discount", 10), ("quantity", 8), ("unit_price_none", 13),
    ("amount_none", 16), ("cost_amount", 16), ("margin", 15), ("margin_percent", 9), ("book", 18), ("place", 22),
    ("note", 24),
)  # fmt: skip
_PLACE = {key: place for place, (key, _) in enumerate(COLUMNS)}


def render(quote: Quote, lang: str) -> dict[str, bytes]:
    """Return ``quote-internal.xlsx``."""
    words = Words(quote, lang)
    book = QuoteBook(quote, words.term("internal_only"))
    sheet = book.sheet(words.term("sheet_internal"), words.page())
    sheet.set_widths([width for _, width in COLUMNS])
    heads = [words.term(key) for key, _ in COLUMNS]
    title = [words.term("internal_only"), quote.number or "", str(quote.date)]
    sheet.write(0, 0, " · ".join(piece for piece in title if piece), "warn")
    for place, head in enumerate(heads):
        sheet.write(1, place, head, "head")
    sheet.fit(1, [(head, width) for head, (_, width) in zip(heads, COLUMNS, strict=True)], 2)
    for row, line in _placed(quote):
        _line(sheet, row, line, words)
    end = len(quote.lines) + 2
    _sums(sheet, end, quote, words)
    sheet.inner.freeze_panes(2, 3)
    sheet.inner.repeat_rows(1)
    row = end + 2
    for found in quote.findings:
        sheet.write(row, 0, quote_finding(found, lang), "warn")
        row += 1
    return {"quote-internal.xlsx": book.close()}


def _placed(quote: Quote) -> list[tuple[int, QuoteLine]]:
    """Return (row, line) in the order of the customer's quote, with its numbers: number 1 stands in the third row."""
    return [(number + 1, line) for number, line in numbered(quote)]


def cost_amount(line: QuoteLine) -> Decimal | None:
    """Return what a line's pieces cost together, or None where that is unknown."""
    if line.internal is None or line.internal.cost_quote is None:
        return None
    return line.internal.cost_quote * line.quantity


def margin_percent(amount: Decimal, cost: Decimal) -> Decimal:
    """Return the margin as a share of the price, in percent."""
    return ((amount - cost) * 100 / amount).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def _line(sheet: QuoteSheet, row: int, line: QuoteLine, words: Words) -> None:
    known, cost = line.internal, cost_amount(line)
    texts = {"pn": line.pn or line.opn, "product": words.text(line.name, " "), "fabric": line.network}
    numbers: dict[str, Decimal | None] = {}
    if known is not None:
        texts |= {"price_basis": words.term(f"basis_{known.basis}"), "price_currency": known.currency,
                  "book": known.book, "place": known.where, "note": known.note or ""}  # fmt: skip
        numbers = {"list_price": known.list_price, "cost": known.cost, "base_price": known.base}
    for key, place in _PLACE.items():
        sheet.write(row, place, texts.get(key), "text")
    for key, value in numbers.items():
        sheet.write(row, _PLACE[key], value, "money")
    sheet.write(row, _PLACE["no"], row - 1, "count")
    sheet.write(row, _PLACE["quantity"], line.quantity, "count")
    sheet.write(row, _PLACE["discount"], known.discount_percent if known else None, "percent")
    sheet.write(row, _PLACE["unit_price_none"], line.unit_price, "money")
    if line.amount is None:
        sheet.write(row, _PLACE["amount_none"], words.term("on_request"), "request")
    else:
        product = f"{cell_name(row, _PLACE['quantity'])}*{cell_name(row, _PLACE['unit_price_none'])}"
        sheet.formula(row, _PLACE["amount_none"], f"=ROUND({product},{sheet.book.digits})", line.amount)
    sheet.write(row, _PLACE["cost_amount"], words.term("cost_unknown") if cost is None else cost,
                "request" if cost is None else "money")  # fmt: skip
    if cost is not None and line.amount is not None:
        _margin(sheet, row, line.amount, cost, "money", "percent")
    sheet.fit(row, [(texts["product"], 24), (texts.get("place", ""), 22), (texts.get("note", ""), 24)])


def _margin(sheet: QuoteSheet, row: int, amount: Decimal, cost: Decimal, look: str, share: str) -> None:
    cells = cell_name(row, _PLACE["amount_none"]), cell_name(row, _PLACE["cost_amount"])
    sheet.formula(row, _PLACE["margin"], f"=ROUND({cells[0]}-{cells[1]},{sheet.book.digits})", amount - cost, look)
    if amount:
        sheet.formula(row, _PLACE["margin_percent"], f"=ROUND(({cells[0]}-{cells[1]})*100/{cells[0]},2)",
                      margin_percent(amount, cost), share)  # fmt: skip


def _sums(sheet: QuoteSheet, row: int, quote: Quote, words: Words) -> None:
    """Write the sums; the margin of the whole is of the lines whose cost is known."""
    sheet.band(row, len(COLUMNS), "sum_label")
    known = [(place, line) for place, line in _placed(quote)
             if line.amount is not None and cost_amount(line) is not None]  # fmt: skip
    unknown = len(quote.lines) - len(known)
    label = words.term("total") + (words.filled("cost_part", " ", count=unknown) if unknown else "")
    sheet.write(row, 1, label, "sum_label")
    sheet.fit(row, [(label, 22)])
    if not known:
        return
    places = [place for place, _ in known]
    amount = total(line.amount for _, line in known if line.amount is not None)
    cost = total(cost_amount(line) or Decimal(0) for _, line in known)
    for key, value in (("amount_none", amount), ("cost_amount", cost)):
        formula = f"=ROUND(SUM({ranges(places, _PLACE[key])}),{sheet.book.digits})"
        sheet.formula(row, _PLACE[key], formula, value, "sum")
    _margin(sheet, row, amount, cost, "sum", "sum_percent")
