"""Exchange rates that cannot be meant: upside down, far from what the currencies are worth, or of another time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from fabricplan.quote.off import plain
from fabricplan.quote.terms import ExchangeRate, Terms
from fabricplan.values import Finding, finding

PER_DOLLAR = {
    "AED": "3.67", "AUD": "1.5", "CAD": "1.4", "CHF": "0.85", "CNY": "7.1", "EUR": "0.9", "GBP": "0.77", "HKD": "7.8",
    "INR": "86", "JPY": "150", "KRW": "1400", "MYR": "4.3", "NOK": "10.5", "SEK": "10", "SGD": "1.3", "THB": "33",
    "TWD": "32", "USD": "1", "VND": "25500",
}  # fmt: skip
"""What a US dollar was worth in 2024 and 2025, roughly (within a fifth). For judging what was typed, never for
reckoning.

Ours, from general knowledge: no table of a bank was read for them. Only a factor of :data:`FAR` is judged by them."""
FAR = Decimal(2)
"""A rate that is this many times more or less than the rough one is told."""
OLD_DAYS = 30


def watch_rates(used: Iterable[ExchangeRate], terms: Terms) -> Iterator[Finding]:
    """Yield warnings about the rates that a quote uses."""
    for rate in used:
        rough = Decimal(PER_DOLLAR[terms.currency]) / Decimal(PER_DOLLAR[rate.currency])
        told = {"rate": plain(rate.rate), "quote": terms.currency, "rough": _short(rough)}
        if not rough / FAR <= rate.rate <= rough * FAR:
            turned = 1 / rough
            inverted = turned / FAR <= rate.rate <= turned * FAR
            code = "rate-inverted" if inverted else "rate-implausible"
            yield finding("warning", code, rate.currency, **told)
        days = (terms.date - rate.date).days
        if days < 0:
            yield finding("warning", "rate-of-the-future", rate.currency, of=str(rate.date), date=str(terms.date))
        elif days > OLD_DAYS:
            yield finding("warning", "rate-old", rate.currency, of=str(rate.date), date=str(terms.date), days=days)


def _short(number: Decimal) -> str:
    """Return three digits of a number."""
    return (
        plain(number.quantize(Decimal(1).scaleb(number.adjusted() - 2))) if number.adjusted() < 2 else f"{number:.0f}"
    )
