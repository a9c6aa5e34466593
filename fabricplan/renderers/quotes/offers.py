"""``offers.xlsx``: alternative offers side by side on the first sheet, each offer in full behind it. For customers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from fabricplan.quote import Offers, Quote, customer_copy
from fabricplan.quote.document import FabricFacts
from fabricplan.quote.money import rounded
from fabricplan.renderers.quotes.book import QuoteBook, QuoteSheet, cell_name, quoted_sheet
from fabricplan.renderers.quotes.layout import Words, lay_out, rate_text, ratio_text, switch_counts, technology_text
from fabricplan.renderers.quotes.workbook import Totals, quote_sheet
from fabricplan.wording.quotes import joined, quote_term


def render(offers: Offers, lang: str) -> dict[str, bytes]:
    """Return ``offers.xlsx``."""
    quotes = [customer_copy(quote) for quote in offers.quotes]
    words = Words(quotes[0], lang)
    author = words.text(quotes[0].seller.name, " ") if quotes[0].seller else ""
    book = QuoteBook(quotes[0], words.term("sheet_compare"), author)
    first = book.sheet(words.term("sheet_compare"), words.page())
    totals = []
    for number, quote in enumerate(quotes, 1):
        name = f"{number} {quote.plan}"
        totals.append(quote_sheet(book, quote, lay_out(quote, lang), name, named=False))
    _Comparison(first, offers, quotes, words, totals).write()
    return {"offers.xlsx": book.close()}


class _Comparison:
    """Writes the first sheet; lives inside one call."""

    def __init__(
        self, sheet: QuoteSheet, offers: Offers, quotes: Sequence[Quote], words: Words, totals: Sequence[Totals]
    ) -> None:
        self.sheet, self.offers, self.quotes, self.words, self.totals = sheet, offers, quotes, words, totals
        self.width = max(24, 90 // len(quotes))
        sheet.set_widths([40, *[self.width] * len(quotes)])
        self.row = 0

    def write(self) -> None:
        words, sheet = self.words, self.sheet
        sheet.merged(0, 0, len(self.quotes), words.term("sheet_compare"), "title")
        sheet.inner.set_row(0, 30)
        heads = [words.term("item")]
        for number, quote in enumerate(self.quotes, 1):
            heads.append(f"{words.filled('offer', number=number)}\n{quote.plan}")
        self._texts(heads, "head", 1)
        heading = self.row - 1
        self._facts()
        self._money()
        self._parts()
        sheet.inner.freeze_panes(heading + 1, 1)
        sheet.inner.repeat_rows(heading)

    def _texts(self, texts: Sequence[str], look: str, row: int | None = None, first_look: str = "") -> None:
        self.row = self.row if row is None else row
        for place, text in enumerate(texts):
            self.sheet.write(self.row, place, text, first_look if first_look and not place else look)
        self.sheet.fit(self.row, [(text, self.width if place else 40) for place, text in enumerate(texts)])
        self.row += 1

    def _band(self, key: str) -> None:
        self.sheet.band(self.row, len(self.quotes) + 1, "group")
        self.sheet.write(self.row, 0, self.words.term(key), "group")
        self.row += 1

    def _facts(self) -> None:
        self._band("sheet_configuration")

        def fact(of: Callable[[FabricFacts, str], str]) -> list[str]:
            return [
                "\n".join(joined(of(fabric, "zh"), of(fabric, "en"), self.words.lang) for fabric in quote.fabrics)
                for quote in self.quotes
            ]

        rows = [
            ("gpus", [f"{quote.gpus:,}" if quote.gpus else "" for quote in self.quotes]),
            ("nodes", [f"{quote.nodes:,}" for quote in self.quotes]),
            ("technology", fact(technology_text)),
            ("topology", fact(lambda fabric, lang: quote_term(fabric.topology, lang))),
            ("oversubscription", fact(ratio_text)),
            ("switches", fact(switch_counts)),
            ("bisection", fact(lambda fabric, lang: quote_term("bisection_value", lang).format(
                one=rate_text(Decimal(fabric.bisection_gbps) / 1000),
                two=rate_text(Decimal(fabric.bisection_gbps) / 500)))),
        ]  # fmt: skip
        for key, texts in rows:
            if any(texts):
                self._texts([self.words.term(key), *texts], "centre", first_look="text")

    def _money(self) -> None:
        words, sheet, digits = self.words, self.sheet, self.sheet.book.digits
        self._band("amount_none")
        for group in self.offers.groups:
            sheet.write(self.row, 0, words.term(f"group_{group.group}"), "text")
            for place, amount in enumerate(group.amounts, 1):
                shown = words.term("on_request") if amount is None else amount
                sheet.write(self.row, place, shown, "request" if amount is None else "money")
            self.row += 1
        total_row = self.row
        complete = all(quote.complete for quote in self.quotes)
        label = words.grand_total_term()
        sheet.write(self.row, 0, f"{label} ({self.quotes[0].currency})", "total_label")
        for place, (quote, at) in enumerate(zip(self.quotes, self.totals, strict=True), 1):
            sheet.formula(self.row, place, f"={quoted_sheet(at.sheet)}!{at.total}", quote.total, "total")
        self.row += 1
        if not complete:
            texts = ["" if quote.complete else words.filled("brief_on_request", count=len(quote.missing))
                     for quote in self.quotes]  # fmt: skip
            self._texts([words.term("on_request"), *texts], "request", first_look="text")
            return
        sheet.write(self.row, 0, words.term("difference_to"), "text")
        for place, quote in enumerate(self.quotes, 1):
            formula = f"=ROUND({cell_name(total_row, place)}-{cell_name(total_row, 1)},{digits})"
            sheet.formula(self.row, place, formula, quote.total - self.quotes[0].total, "money")
        self.row += 1
        if all(quote.gpus for quote in self.quotes):
            sheet.write(self.row, 0, words.term("cost_per_gpu"), "text")
            for place, quote in enumerate(self.quotes, 1):
                gpus = quote.gpus or 1
                formula = f"=ROUND({cell_name(total_row, place)}/{gpus},{digits})"
                sheet.formula(self.row, place, formula, rounded(quote.total / gpus, quote.currency), "money")
            self.row += 1

    def _parts(self) -> None:
        self._band("quantity")
        for part in self.offers.parts:
            name = self.words.text(part.name, " ")
            label = name if part.part in (name, part.name.en) else f"{part.part}  {name}"
            self.sheet.write(self.row, 0, label, "text")
            for place, count in enumerate(part.quantities, 1):
                self.sheet.write(self.row, place, count or None, "count")
            self.sheet.fit(self.row, [(label, 40)])
            self.row += 1
