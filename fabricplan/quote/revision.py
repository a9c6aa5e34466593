"""What changed between an earlier quote and this one, by line, by how much, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from fabricplan.errors import PriceError, Problem
from fabricplan.plan import Plan
from fabricplan.quote.document import Quote, QuoteLine
from fabricplan.quote.goods import goods
from fabricplan.quote.money import exact, rounded, total
from fabricplan.quote.reasons import (
    REASONS,
    Key,
    Reason,
    Two,
    Why,
    key_of,
    of_price,
    of_quantity,
    ordered,
    together,
)
from fabricplan.quote.terms import HARDWARE, GroupName, Text
from fabricplan.values import Value


class LineChange(Value):
    """One line that differs. Prices and amounts are None where a side has none.

    Attributes:
        reasons: the causes that are known to be at work.
        one_of: causes of which at least one is at work, and which one the files do not tell.
    """

    change: Literal["added", "removed", "changed"]
    group: GroupName
    network: str
    part: str
    name: Text
    old_quantity: int = 0
    new_quantity: int = 0
    old_price: Decimal | None = None
    new_price: Decimal | None = None
    old_amount: Decimal | None = None
    new_amount: Decimal | None = None
    difference: Decimal
    reasons: tuple[Reason, ...]
    one_of: tuple[Reason, ...] = ()


class TaxChange(Value):
    """The tax of one rate in both quotes: 0 where a quote has no line of that rate."""

    percent: Decimal
    old_tax: Decimal
    new_tax: Decimal


class Revision(Value):
    """The changes from one quote to the next; ``difference`` is between the totals.

    ``tax_difference`` is what of it stands in no line: the tax, where it is added. ``reasons`` are those of all lines.
    ``tax_changed`` tells whether the terms set another rate for a line that both quotes have, or put the tax another
    way (included, added): then the net total and the tax move though no line need. ``taxes`` are the rates whose tax
    is another.
    """

    old_number: str | None
    new_number: str | None
    currency: str
    old_total: Decimal
    new_total: Decimal
    difference: Decimal
    tax_difference: Decimal
    old_net: Decimal
    new_net: Decimal
    tax_changed: Literal["", "rate", "mode"] = ""
    taxes: tuple[TaxChange, ...] = ()
    reasons: tuple[Reason, ...]
    lines: tuple[LineChange, ...]

    @property
    def empty(self) -> bool:
        """Whether nothing changed that a customer pays."""
        return not (self.lines or self.difference or self.tax_changed)


class _Line(NamedTuple):
    """Lines of one part together: a fixed total may have split them."""

    line: QuoteLine
    quantity: int
    amount: Decimal | None


def needs_bridge(old: Quote, new: Quote) -> bool:
    """Tell whether only the plan of the earlier request, made anew, tells the request from catalogue and program."""
    differing = Two(old, new, None).differing()
    return "request" in differing and bool(differing & {"catalogue", "tool-version"}) and old.request is not None


@exact
def revise(old: Quote, new: Quote, bridge: Plan | None = None) -> Revision:
    """Compare two quotes.

    A cause is named only where it is at work on the line (``reasons``); where the files leave several open, they are
    named as open (``one_of``). Two files with the seller's own figures leave nothing of prices open. A customer's copy
    holds no figure of the books and no discount: a price that the exchange rate does not explain then comes from the
    price book or the terms.

    Args:
        old: the earlier quote.
        new: the later one.
        bridge: the plan of the earlier quote's request made by the catalogue and the program of the later one; it parts
            the request from these two, see :func:`needs_bridge`.

    Raises:
        PriceError: the quotes are in different currencies.
    """
    if old.currency != new.currency:
        raise PriceError(Problem("different-currencies", f"the earlier quote is in {old.currency}, this one in "
                                 f"{new.currency}", "", "state the same currency in the terms"))  # fmt: skip
    two = Two(old, new, _counts(bridge) if bridge is not None else None)
    before, after = _lines(old), _lines(new)
    keys = [key for key in dict.fromkeys((*after, *before)) if before.get(key) != after.get(key)]
    whys = _Whys(two, before, after, keys).all()
    changes = [_change(before.get(key), after.get(key), whys[key])
               for key in keys if _differ(before.get(key), after.get(key))]  # fmt: skip
    return Revision(
        old_number=old.number, new_number=new.number, currency=new.currency, old_total=old.total,
        new_total=new.total, difference=new.total - old.total,
        tax_difference=new.total - old.total - total(change.difference for change in changes),
        old_net=old.net, new_net=new.net, tax_changed=_tax_changed(old, new, before, after), taxes=_taxes(old, new),
        reasons=tuple(reason for reason in REASONS if any(reason in change.reasons for change in changes)),
        lines=tuple(changes),
    )  # fmt: skip


def _tax_changed(
    old: Quote, new: Quote, before: Mapping[Key, _Line], after: Mapping[Key, _Line]
) -> Literal["", "rate", "mode"]:
    """Return how the tax of what both quotes hold differs by the terms."""
    both = before.keys() & after.keys()
    if any(before[key].line.tax_percent != after[key].line.tax_percent for key in both):
        return "rate"
    return "mode" if old.tax_mode != new.tax_mode and (old.taxed or new.taxed) else ""


def _taxes(old: Quote, new: Quote) -> tuple[TaxChange, ...]:
    was, now = ({row.percent: row.tax for row in quote.taxes} for quote in (old, new))
    none = rounded(Decimal(0), new.currency)
    rows = [TaxChange(percent=percent, old_tax=was.get(percent, none), new_tax=now.get(percent, none))
            for percent in sorted(was.keys() | now.keys(), reverse=True)]  # fmt: skip
    return tuple(row for row in rows if row.old_tax != row.new_tax)


def _counts(plan: Plan) -> dict[Key, int]:
    """Return the pieces of a plan by the keys of quote lines."""
    found: dict[Key, int] = {}
    for good in goods(plan):
        network = good.network
        if not network and good.group != "spare" and len(plan.fabrics) == 1:
            network = plan.fabrics[0].name
        key = (network, good.group, good.pn or good.opn or good.name.en, good.length_mm or 0)
        found[key] = found.get(key, 0) + good.quantity
    return found


def _lines(quote: Quote) -> dict[Key, _Line]:
    found: dict[Key, list[QuoteLine]] = {}
    for line in quote.lines:
        found.setdefault(key_of(quote, line), []).append(line)
    return {key: _Line(lines[0], sum(line.quantity for line in lines), _sum(lines)) for key, lines in found.items()}


def _sum(lines: Sequence[QuoteLine]) -> Decimal | None:
    amounts = [line.amount for line in lines if line.amount is not None]
    return total(amounts) if len(amounts) == len(lines) else None


def _differ(was: _Line | None, now: _Line | None) -> bool:
    if was is None or now is None:
        return True
    return (was.quantity, was.amount, was.line.unit_price) != (now.quantity, now.amount, now.line.unit_price)


class _Whys:
    """Finds why lines differ; lives inside one call of :func:`revise`."""

    def __init__(self, two: Two, before: Mapping[Key, _Line], after: Mapping[Key, _Line], keys: Sequence[Key]) -> None:
        self.two, self.before, self.after, self.keys = two, before, after, keys

    def all(self) -> dict[Key, Why]:
        """Return the causes of every line that differs."""
        pieces = {key: self._quantity(key, Why()) for key in self.keys if self._shown(key).times is None}
        goods = together(pieces.values())
        counts = {key: pieces.get(key) or self._quantity(key, goods) for key in self.keys}
        prices = {key: self._price(key, Why()) for key in self.keys}
        mine = [key for key in self.keys if key[1] in HARDWARE]
        hardware = together([*(counts[key] for key in mine), *(prices[key] for key in mine)])
        prices |= {key: self._price(key, hardware) for key in self.keys if self._shown(key).share is not None}
        fitted = self._fixing() | together([*counts.values(), *prices.values()])
        return {key: counts[key] | prices[key] | (fitted if self._fitted(key) else Why()) for key in self.keys}

    def _shown(self, key: Key) -> QuoteLine:
        return (self.after.get(key) or self.before[key]).line

    def _quantity(self, key: Key, goods: Why) -> Why:
        was, now = self.before.get(key), self.after.get(key)
        if was is not None and now is not None and was.quantity == now.quantity and was.line.times == now.line.times:
            return Why()
        return of_quantity(self.two, key, (was.line, was.quantity) if was else None,
                           (now.line, now.quantity) if now else None, goods)  # fmt: skip

    def _price(self, key: Key, hardware: Why) -> Why:
        was, now = self.before.get(key), self.after.get(key)
        if was is None or now is None:
            return Why()
        of = _computed if self.two.known else _final
        if of(was.line) == of(now.line):
            return Why()
        return of_price(self.two, was.line, now.line, hardware)

    def _fitted(self, key: Key) -> bool:
        """Tell whether fixing a total is a part of why a price differs."""
        was, now = self.before.get(key), self.after.get(key)
        if was is None or now is None or not self.two.known:
            return False
        moved = [item.amount != (_computed(item.line) or 0) * item.quantity for item in (was, now)]
        return any(moved)

    def _fixing(self) -> Why:
        old, new = self.two.old.internal, self.two.new.internal
        return Why(frozenset({"terms"})) if old and new and old.fixed != new.fixed else Why()


def _computed(line: QuoteLine) -> Decimal | None:
    """Return a unit price before a total was fixed, where that is known."""
    return line.unit_price if line.internal is None or line.internal.computed is None else line.internal.computed


def _final(line: QuoteLine) -> Decimal | None:
    return line.unit_price


def _change(was: _Line | None, now: _Line | None, why: Why) -> LineChange:
    shown = (now or was).line  # type: ignore[union-attr]
    return LineChange(
        change="added" if was is None else "removed" if now is None else "changed", group=shown.group,
        network=shown.network, part=shown.part, name=shown.name,
        old_quantity=was.quantity if was else 0, new_quantity=now.quantity if now else 0,
        old_price=was.line.unit_price if was else None, new_price=now.line.unit_price if now else None,
        old_amount=was.amount if was else None, new_amount=now.amount if now else None,
        difference=((now.amount if now else None) or Decimal(0)) - ((was.amount if was else None) or Decimal(0)),
        reasons=ordered(why.sure), one_of=ordered(why.either),
    )  # fmt: skip
