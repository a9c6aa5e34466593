"""What changed against an earlier quote: lines of text, and ``quote-changes.xlsx``."""

from __future__ import annotations

from decimal import Decimal

from fabricplan.quote import LineChange, Quote, Revision
from fabricplan.quote.money import exact, money, signed, total
from fabricplan.renderers.quotes.book import QuoteBook, QuoteSheet, cell_name, ranges
from fabricplan.renderers.quotes.layout import Words, rate_text
from fabricplan.wording.quotes import joined, quote_term

COLUMNS = (
    ("change", 10), ("pn", 22), ("product", 26), ("fabric", 14), ("old_quantity", 10), ("new_quantity", 10),
    ("old_price", 15), ("new_price", 15), ("old_amount", 17), ("new_amount", 17), ("difference", 16), ("reason", 22),
)  # fmt: skip
_PLACE = {key: place for place, (key, _) in enumerate(COLUMNS)}


def reasons_text(change: LineChange, lang: str) -> str:
    """Return why a line changed; causes of which at least one is at work are joined by "or"."""
    texts = [_reasons(change, one) for one in ("zh", "en")]
    return joined(texts[0], texts[1], lang, " / ")


def _reasons(change: LineChange, lang: str) -> str:
    told = [quote_term(f"reason_{reason}", lang) for reason in change.reasons]
    if change.one_of:
        told.append(quote_term("or", lang).join(quote_term(f"reason_{reason}", lang) for reason in change.one_of))
    return quote_term("comma", lang).join(told) or quote_term("reason_unknown", lang)


def lines(revision: Revision, quote: Quote, lang: str) -> list[str]:
    """Return the changes as text, the total first."""
    words = Words(quote, lang)
    if revision.empty:
        return [words.term("no_changes")]
    found = [words.filled("revision_total", old=money(revision.old_total), new=money(revision.new_total),
                          difference=signed(revision.difference))]  # fmt: skip
    for change in revision.lines:
        texts = [_line(change, Words(quote, one)) for one in ("zh", "en")]
        found.append(joined(texts[0], texts[1], lang, " / "))
    if revision.tax_changed:
        found += [words.filled("revision_sum", label=label, old=money(old), new=money(new),
                               difference=signed(new - old), reason=_tax_reason(revision, words))
                  for label, old, new in _sums(revision, words)]  # fmt: skip
    elif revision.tax_difference:
        found.append(words.filled("revision_tax", difference=signed(revision.tax_difference)))
    return found


def _tax_reason(revision: Revision, words: Words) -> str:
    return words.term(f"reason_tax_{revision.tax_changed}")


def _sums(revision: Revision, words: Words) -> list[tuple[str, Decimal, Decimal]]:
    """Return (label, old, new) of the net total and of the tax of every rate that moved."""
    rows = [(f"{words.term('tax')} {rate_text(row.percent)}%", row.old_tax, row.new_tax) for row in revision.taxes]
    return [(words.term("net"), revision.old_net, revision.new_net), *rows]


def _line(change: LineChange, words: Words) -> str:
    lang = words.lang
    request = quote_term("on_request", lang)

    def side(quantity: int, price: Decimal | None) -> str:
        return f"{quantity} × {request if price is None else money(price)}" if quantity else "0"

    return quote_term("revision_line", lang).format(
        part=words.part(change.part, change.name), old=side(change.old_quantity, change.old_price),
        new=side(change.new_quantity, change.new_price), difference=signed(change.difference),
        reason=reasons_text(change, lang),
    )  # fmt: skip


@exact
def render(revision: Revision, quote: Quote, lang: str) -> dict[str, bytes]:
    """Return ``quote-changes.xlsx``."""
    words = Words(quote, lang)
    book = QuoteBook(quote, words.term("sheet_changes"))
    sheet = book.sheet(words.term("sheet_changes"), words.page())
    sheet.set_widths([width for _, width in COLUMNS])
    title = [words.term("sheet_changes"), revision.new_number or "", words.term("against"), revision.old_number or ""]
    sheet.write(0, 0, " ".join(piece for piece in title if piece), "section")
    heads = [words.term(key) for key, _ in COLUMNS]
    for place, head in enumerate(heads):
        sheet.write(1, place, head, "head")
    sheet.fit(1, [(head, width) for head, (_, width) in zip(heads, COLUMNS, strict=True)], 2)
    row = 2
    for change in revision.lines:
        _row(sheet, row, change, words)
        row += 1
    if revision.empty:
        sheet.write(row, 0, words.term("no_changes"), "plain")
        return {"quote-changes.xlsx": book.close()}
    if revision.lines:
        row = _summed(sheet, row, revision, words)
    if revision.tax_changed:
        for label, old, new in _sums(revision, words):
            _sum_row(sheet, row, label, (old, new), _tax_reason(revision, words))
            row += 1
        _sum_row(sheet, row, words.term("total_included"), (revision.old_total, revision.new_total), "")
    sheet.inner.freeze_panes(2, 0)
    sheet.inner.repeat_rows(1)
    return {"quote-changes.xlsx": book.close()}


def _summed(sheet: QuoteSheet, row: int, revision: Revision, words: Words) -> int:
    """Write the sum of the lines, and what the tax adds to it; return the row below."""
    digits = sheet.book.digits
    sheet.band(row, len(COLUMNS), "sum_label")
    sheet.write(row, 0, words.term("total"), "sum_label")
    summed = total(change.difference for change in revision.lines)
    formula = f"=ROUND(SUM({ranges(range(2, row), _PLACE['difference'])}),{digits})"
    sheet.formula(row, _PLACE["difference"], formula, summed, "sum")
    if revision.tax_difference and not revision.tax_changed:
        # Amounts are without the tax: what it adds to the difference of the totals stands below them.
        for key, value in (("tax", revision.tax_difference), ("total_included", revision.difference)):
            row += 1
            sheet.band(row, len(COLUMNS), "sum_label")
            sheet.write(row, 0, words.term(key), "sum_label")
            at = [cell_name(row - up, _PLACE["difference"]) for up in (2, 1)]
            if key == "tax":
                sheet.write(row, _PLACE["difference"], value, "sum")
            else:
                sheet.formula(row, _PLACE["difference"], f"=ROUND({at[0]}+{at[1]},{digits})", value, "sum")
    return row + 1


def _sum_row(sheet: QuoteSheet, row: int, label: str, sides: tuple[Decimal, Decimal], reason: str) -> None:
    """Write a sum of both quotes and its difference."""
    sheet.band(row, len(COLUMNS), "sum_label")
    sheet.write(row, 0, label, "sum_label")
    for key, value in zip(("old_amount", "new_amount"), sides, strict=True):
        sheet.write(row, _PLACE[key], value, "sum")
    old, new = cell_name(row, _PLACE["old_amount"]), cell_name(row, _PLACE["new_amount"])
    sheet.formula(row, _PLACE["difference"], f"=ROUND({new}-{old},{sheet.book.digits})", sides[1] - sides[0], "sum")
    sheet.write(row, _PLACE["reason"], reason)
    sheet.fit(row, [(reason, 22)])


def _row(sheet: QuoteSheet, row: int, change: LineChange, words: Words) -> None:
    texts = {
        "change": words.term(f"change_{change.change}"), "pn": words.part(change.part, change.name),
        "product": words.text(change.name, " "),
        "fabric": change.network, "reason": reasons_text(change, words.lang),
    }  # fmt: skip
    for key, text in texts.items():
        sheet.write(row, _PLACE[key], text)
    for key in ("old_quantity", "new_quantity"):
        sheet.write(row, _PLACE[key], getattr(change, key), "count")
    for key in ("old_price", "new_price", "old_amount", "new_amount"):
        value = getattr(change, key)
        there = change.old_quantity if key.startswith("old") else change.new_quantity
        if value is None and there:
            sheet.write(row, _PLACE[key], words.term("on_request"), "request")
        else:
            sheet.write(row, _PLACE[key], value, "money")
    old, new = cell_name(row, _PLACE["old_amount"]), cell_name(row, _PLACE["new_amount"])
    sheet.formula(row, _PLACE["difference"], f"=ROUND(N({new})-N({old}),{sheet.book.digits})", change.difference)
    sheet.fit(row, [(texts["product"], 26), (texts["reason"], 22)])
