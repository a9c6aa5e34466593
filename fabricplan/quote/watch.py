"""What the seller should look at before a quote is sent: a total that cannot be meant, a head that lacks something,
terms that were taken in one of two senses or for nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from fabricplan.prices import PriceBook, PriceLine
from fabricplan.quote.document import QuoteLine, speaks_of_figures, telling
from fabricplan.quote.money import money, total
from fabricplan.quote.off import plain
from fabricplan.quote.terms import Terms
from fabricplan.values import Finding, finding

CHINA_VAT = (0, 1, 3, 5, 6, 9, 13)
"""Rates and levy rates of value-added tax in mainland China, in percent.

Ours, from general knowledge of China's value-added tax; the text of the law was not read. It only warns."""
_BRACKETS = re.compile(r"\s*[(（\[【][^()（）\[\]【】]*[)）\]】]")
FAR = 2
"""A fixed total that is this many times more or less than the computed one is told."""


def watch(settled: Sequence[QuoteLine], computed: Decimal, whole: Decimal, terms: Terms) -> Iterator[Finding]:
    """Yield warnings.

    Args:
        settled: the lines as quoted.
        computed: the total before it was fixed.
        whole: the total as quoted.
        terms: the terms.
    """
    if terms.target_total is not None and computed and not computed / FAR <= whole <= computed * FAR:
        yield finding("warning", "target-far-off", "target_total", target=money(whole), computed=money(computed))
    # Prices and costs both as the unit prices stand: with the tax, or without it.
    amounts, costs = [], []
    for line in settled:
        each = line.internal.cost_quote if line.internal is not None else None
        if each is None or line.unit_price is None or line.amount is None:
            continue
        amounts.append(line.amount)
        costs.append(each * line.quantity)
        if line.quantity and line.unit_price < each:
            yield finding("warning", "line-below-cost", line.part, price=money(line.unit_price), cost=money(each))
    if total(amounts) < total(costs):
        yield finding("warning", "total-below-cost", "total", total=money(total(amounts)), cost=money(total(costs)))
    lacking = [name for name, value in (("number", terms.number), ("seller", terms.seller),
                                        ("customer", terms.customer), ("valid_until", terms.expires))
               if value is None]  # fmt: skip
    if lacking:
        yield finding("warning", "quote-head-incomplete", "head", lacking=",".join(lacking))


def watch_terms(lines: Sequence[QuoteLine], terms: Terms) -> Iterator[Finding]:
    """Yield how discounts were taken, a margin that decides nothing, and a rate of tax that is none."""
    rules = terms.discounts
    for subject, off in (*rules.parts, *rules.groups, *((("total", rules.total),) if rules.total else ())):
        yield finding("info", "discount-taken", subject, off=plain(off), paid=plain(100 - off))
    name = "margin_percent" if terms.margin_percent is not None else "markup_percent"
    percent = getattr(terms, name)
    if percent is not None:
        bases = [line.internal.basis for line in lines if line.internal is not None]
        used, others = bases.count("cost"), bases.count("unit") + bases.count("list")
        if not used and (others or not bases):
            yield finding("warning", "margin-unused", name, percent=plain(percent))
        elif others:
            yield finding("info", "margin-partly-used", name, percent=plain(percent), used=used, others=others)
    tax = terms.tax_rule
    if terms.currency == "CNY":
        stated = dict.fromkeys((tax.percent, *(percent for _, percent in tax.groups)))
        for percent in stated:
            if percent not in CHINA_VAT:
                yield finding("warning", "tax-unusual", "tax", percent=plain(percent))


def watch_names(books: Sequence[PriceBook], terms: Terms) -> Iterator[Finding]:
    """Yield the names of price books that a customer shall not read, and of files that are called so."""
    if terms.price_basis is not None:
        return
    for book in books:
        stated = " ".join(piece for piece in (book.name if book.named else "", book.version or "") if piece)
        if telling(stated):
            yield finding("warning", "book-name-withheld", stated)
        elif not book.named and telling(book.name):
            yield finding("warning", "book-file-tells", book.name)


def fit_for_customer(row: PriceLine) -> tuple[PriceLine, tuple[Finding, ...]]:
    """Return a line whose brand, lead time and warranty do not speak of the seller's own figures, and what was held
    back: a bracket or a clause that does, or all of the text where that is not enough."""
    kept: dict[str, str | None] = {}
    found = []
    for field in ("brand", "lead_time", "warranty"):
        text = getattr(row, field)
        if text is None or not speaks_of_figures(text):
            continue
        kept[field] = _without_figures(text)
        found.append(finding("warning", "book-text-withheld", row.part, text=text, where=row.where or "-",
                             shown=kept[field] or "-"))  # fmt: skip
    return (row.model_copy(update=kept) if kept else row), tuple(found)


def _without_figures(text: str) -> str | None:
    """Return what of a text does not speak of the seller's own figures, or None for nothing."""
    bare = _BRACKETS.sub(lambda match: "" if speaks_of_figures(match[0]) else match[0], text)
    clauses = [clause for clause in re.split(r"(?<=[,;，；。\n])", bare) if not speaks_of_figures(clause)]
    return "".join(clauses).strip(" ,;，；。\n") or None
