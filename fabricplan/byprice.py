"""``choose: price``: all stages for the fabrics of every rule, priced; the cheapest is the plan.

The plan holds the rule that won and no price: cabling crews get it. Pricing a finished plan never re-sizes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from fabricplan.catalog import Catalog
from fabricplan.errors import PriceError, Problem
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.prices import PriceBook
from fabricplan.quote import Terms, price
from fabricplan.requirement import Requirement
from fabricplan.requirement.words import Rule

RULES: tuple[Rule, ...] = ("switches", "optics")
"""Rules that are weighed; cables rank as optics do, two ends each."""


def design_by_price(
    requirement: Requirement, catalog: Catalog, prices: PriceBook | Sequence[PriceBook], terms: Terms,
    progress: Callable[[str], None] | None = None,
) -> Plan:  # fmt: skip
    """Design a plan whose fabrics with ``choose: price`` are the cheapest of those that the rules choose.

    The fabrics of a request are weighed one after another: they share no switch, and a fabric's price does not
    depend on another's rule. Of equal prices the rule that stands first in :data:`RULES` wins.

    Args:
        requirement: what is wanted; without ``choose: price`` this is :func:`fabricplan.design`.
        catalog: the product catalogue.
        prices: one price book, or several in order of precedence.
        terms: the commercial terms; a fixed or rounded total is left out of the comparison.
        progress: as of ``design``.

    Returns:
        The cheapest plan, with the rule that won as ``price_favours`` of its request.

    Raises:
        PriceError: a part of a fabric that is weighed has no price, or a book or rate is wrong.
        RequirementError, InfeasibleError: as of ``design``.
    """
    open_terms = terms.model_copy(update={"target_total": None, "round_down_to": None})
    asked = [number for number, fabric in enumerate(requirement.fabrics) if fabric.rule is None]
    for number in asked:
        requirement = _favouring(requirement, number, RULES[0])
    best = design(requirement, catalog, progress)
    for number in asked:
        for rule in RULES[1:]:
            other = design(_favouring(requirement, number, rule), catalog, progress)
            if other.fabrics[number].shape == best.fabrics[number].shape:
                continue
            if _total(other, prices, open_terms) < _total(best, prices, open_terms):
                best, requirement = other, other.requirement
    return best


def _favouring(requirement: Requirement, number: int, rule: Rule) -> Requirement:
    fabrics = list(requirement.fabrics)
    fabrics[number] = fabrics[number].model_copy(update={"price_favours": rule})
    return requirement.model_copy(update={"fabrics": tuple(fabrics)})


def _total(plan: Plan, prices: PriceBook | Sequence[PriceBook], terms: Terms) -> Decimal:
    quote = price(plan, prices, terms)
    if quote.missing:
        raise PriceError(*(
            Problem("price-missing", f"{part} has no price, so the fabrics cannot be compared", "",
                    "add it to the price book, or choose: switches")
            for part in quote.missing
        ))  # fmt: skip
    return quote.total
