"""What the seller should look at before a quote is sent: a total that cannot be meant, a head that lacks something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from fabricplan.quote.document import QuoteLine
from fabricplan.quote.money import money, total
from fabricplan.quote.terms import Terms
from fabricplan.values import Finding, finding

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
