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
    costs = [line.internal.cost_quote * line.quantity for line in settled
             if line.internal is not None and line.internal.cost_quote is not None]  # fmt: skip
    cost, amount = total(costs), total(line.amount for line in settled if line.amount is not None)
    # Both as the unit prices stand: with the tax, or without it.
    if costs and amount < cost and all(line.amount is not None for line in settled):
        yield finding("warning", "total-below-cost", "total", total=money(amount), cost=money(cost))
    lacking = [name for name, value in (("number", terms.number), ("seller", terms.seller),
                                        ("customer", terms.customer), ("valid_until", terms.expires))
               if value is None]  # fmt: skip
    if lacking:
        yield finding("warning", "quote-head-incomplete", "head", lacking=",".join(lacking))
