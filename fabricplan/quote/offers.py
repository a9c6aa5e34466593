"""Alternative offers side by side: parts, sums and what each costs."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from fabricplan.errors import PriceError, Problem
from fabricplan.quote.document import Quote, sections
from fabricplan.quote.money import total
from fabricplan.quote.terms import GROUPS, GroupName, Text


class PartRow(NamedTuple):
    """Pieces of one part in every offer."""

    group: GroupName
    part: str
    name: Text
    quantities: tuple[int, ...]


class GroupRow(NamedTuple):
    """The sum of one group in every offer; None where a line of it has no price."""

    group: GroupName
    amounts: tuple[Decimal | None, ...]


class Offers(NamedTuple):
    """Quotes of alternatives in the same currency, in the order given."""

    quotes: tuple[Quote, ...]
    groups: tuple[GroupRow, ...]
    parts: tuple[PartRow, ...]


def compare(quotes: Sequence[Quote]) -> Offers:
    """Put offers side by side.

    Raises:
        PriceError: fewer than two, or different currencies.
    """
    if len(quotes) < 2:
        raise PriceError(Problem("one-offer", "a comparison takes at least two offers", "", "give another plan"))
    currencies = sorted({quote.currency for quote in quotes})
    if len(currencies) > 1:
        raise PriceError(Problem("different-currencies", f"the offers are in {', '.join(currencies)}", "",
                                 "price them with the same terms"))  # fmt: skip
    parts: dict[tuple[str, str], Text] = {}
    for group in GROUPS:
        for quote in quotes:
            parts.update({(group, line.part): line.name for line in quote.lines if line.group == group})
    used = [group for group in GROUPS if any(line.group == group for quote in quotes for line in quote.lines)]
    return Offers(
        quotes=tuple(quotes),
        groups=tuple(GroupRow(group, tuple(_group_sum(quote, group) for quote in quotes)) for group in used),
        parts=tuple(
            PartRow(group, part, name, tuple(_count(quote, group, part) for quote in quotes))
            for group in used for (of, part), name in parts.items() if of == group
        ),
    )  # fmt: skip


def _group_sum(quote: Quote, group: str) -> Decimal | None:
    if any(line.group == group and line.amount is None for line in quote.lines):
        return None
    return total(part.subtotal for section in sections(quote.lines) for part in section.groups if part.group == group)


def _count(quote: Quote, group: str, part: str) -> int:
    return sum(line.quantity for line in quote.lines if (line.group, line.part) == (group, part))
