"""Why a line of a quote differs from the same line of an earlier quote.

A price is a product: the book's figure x margin x discount x exchange rate x tax, then perhaps made to fit a fixed
total. A quantity is what the plan counts x what the terms multiply it by. Each factor has one cause, so the causes of a
line are those whose factors differ. What a file does not hold (a customer's copy has no figure of the book and no
discount) leaves several causes of which at least one is at work: they are named as such, never as known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Literal, NamedTuple

from fabricplan.prices import TaxState
from fabricplan.quote.document import InternalFigures, Quote, QuoteLine
from fabricplan.quote.money import cent

Reason = Literal["request", "catalogue", "price-book", "rate", "terms", "tool-version"]
REASONS: tuple[Reason, ...] = ("request", "catalogue", "price-book", "rate", "terms", "tool-version")
Key = tuple[str, str, str, int]
"""Network, group, part, length in mm."""
_EQUAL = Decimal("1e-20")
_HUNDRED = Decimal(100)


class Why(NamedTuple):
    """Causes that are at work, and causes of which at least one is."""

    sure: frozenset[Reason] = frozenset()
    either: frozenset[Reason] = frozenset()

    def __or__(self, other: Why) -> Why:
        sure = self.sure | other.sure
        # A disjunction of which one member is known to be at work says nothing more.
        parts = [part for part in (self.either, other.either) if part and not part & sure]
        return Why(sure, frozenset[Reason]().union(*parts))


class Two(NamedTuple):
    """Two quotes, and what differs between the things they were made from.

    ``counts`` are the pieces that the earlier request gives with the catalogue and the program of the later quote,
    where that was reckoned.
    """

    old: Quote
    new: Quote
    counts: Mapping[Key, int] | None

    @property
    def known(self) -> bool:
        """Whether both hold the seller's own figures."""
        return self.old.internal is not None and self.new.internal is not None

    def differing(self) -> frozenset[Reason]:
        """Return the causes that differ beyond doubt."""
        old, new = self.old, self.new
        books = [book.digest for book in old.books] != [book.digest for book in new.books]
        found: dict[Reason, bool] = {
            "request": old.request_digest != new.request_digest,
            "catalogue": old.made_by.catalog != new.made_by.catalog,
            "price-book": self.known and books, "rate": _rates(old) != _rates(new),
            "terms": self.known and old.terms_digest != new.terms_digest,
            "tool-version": (old.made_by.version, old.plan_version) != (new.made_by.version, new.plan_version),
        }  # fmt: skip
        return frozenset(reason for reason in REASONS if found[reason])

    def one_of(self, *reasons: Reason) -> Why:
        """Return those of some causes that can be at work: one alone is known to be."""
        left = self.possible() & frozenset(reasons)
        return Why(left) if len(left) == 1 else Why(frozenset(), left)

    def possible(self) -> frozenset[Reason]:
        """Return the causes that differ, or of which a customer's copy does not tell whether they do."""
        hidden: frozenset[Reason] = frozenset() if self.known else frozenset({"price-book", "terms"})
        return self.differing() | hidden


def key_of(quote: Quote, line: QuoteLine) -> Key:
    """Return what makes a line the same line in another quote; with one fabric every line is of that fabric."""
    network = line.network
    if not network and line.times is None and line.group != "spare" and len(quote.fabrics) == 1:
        network = quote.fabrics[0].name
    return network, line.group, line.pn or line.opn or line.name.en, line.length_mm or 0


def _rates(quote: Quote) -> dict[str, Decimal]:
    return {rate.currency: rate.rate for rate in quote.exchange}


def counted(line: QuoteLine, quantity: int) -> int:
    """Return how many pieces the plan counts for a line: its quantity without what the terms multiply it by."""
    return quantity // line.times if line.times else quantity


def of_quantity(two: Two, key: Key, was: tuple[QuoteLine, int] | None, now: tuple[QuoteLine, int] | None,
                goods: Why) -> Why:  # fmt: skip
    """Return why a quantity differs, or why a line is there or not.

    Args:
        two: the quotes.
        key: of the line.
        was: the line and its quantity in the earlier quote.
        now: the same in the later one.
        goods: why the quantities of goods differ, for services that are counted by them.
    """
    line = (now or was)[0]  # type: ignore[index]
    if line.times is None:
        return of_pieces(two, key, was[1] if was else 0, now[1] if now else 0)
    if was is None or now is None or was[0].times is None or now[0].times is None:
        return Why(frozenset({"terms"}))
    found = Why()
    if was[0].times != now[0].times:
        found |= Why(frozenset({"terms"}))
    if counted(*was) != counted(*now):
        found |= goods if goods != Why() else two.one_of("request", "catalogue", "tool-version")
    return found


def of_pieces(two: Two, key: Key, before: int, after: int) -> Why:
    """Return why the plan counts another number of pieces."""
    if before == after:
        return Why()
    if two.counts is None:
        return two.one_of("request", "catalogue", "tool-version")
    between = two.counts.get(key, 0)
    found = Why(frozenset({"request"})) if between != after else Why()
    return found | two.one_of("catalogue", "tool-version") if between != before else found


def of_price(two: Two, was: QuoteLine, now: QuoteLine, hardware: Why) -> Why:
    """Return why a unit price differs, before any total was fixed.

    Args:
        two: the quotes.
        was: the earlier line.
        now: the later line.
        hardware: why the hardware's amounts differ, for a price that is a share of them.
    """
    if was.share is not None or now.share is not None:
        return hardware if was.share == now.share else hardware | Why(frozenset({"terms"}))
    if not two.known:
        return _seen(two, was, now)
    old, new = was.internal, now.internal
    if old is None or new is None:
        # A price appeared or went: the book holds the part now, or the terms take another of its figures.
        if old is new:
            return Why()
        same_basis = two.old.internal.basis == two.new.internal.basis  # type: ignore[union-attr]
        return two.one_of("price-book") | _rest(two) if same_basis else two.one_of("price-book", "terms")
    if "terms" in (old.basis, new.basis):
        return _by_factors(two, was, now, old, new) if old.basis == new.basis else Why(frozenset({"terms"}))
    return _by_factors(two, was, now, old, new)


def _rest(two: Two) -> Why:
    """Return what is left where no book differs: the catalogue's names of a part, or the program."""
    return Why() if "price-book" in two.differing() else two.one_of("catalogue", "tool-version")


def _by_factors(two: Two, was: QuoteLine, now: QuoteLine, old: InternalFigures, new: InternalFigures) -> Why:
    found: set[Reason] = set()
    if old.basis == "terms":
        if (old.base, old.discount_percent) != (new.base, new.discount_percent):
            found.add("terms")
    elif old.basis == new.basis:
        figures = [item.cost if item.basis == "cost" else item.base for item in (old, new)]
        if figures[0] != figures[1] or old.currency != new.currency:
            found.add("price-book")
        if (
            old.currency == new.currency
            and now.foreign
            and _rates(two.old).get(now.foreign) != _rates(two.new).get(now.foreign)
        ):
            found.add("rate")
        if _margin(old) != _margin(new) or old.discount_percent != new.discount_percent:
            found.add("terms")
        found |= _of_tax(two, was, now, old, new)
    else:
        if (old.unit_price, old.list_price, old.cost) != (new.unit_price, new.list_price, new.cost):
            found.add("price-book")
        if two.old.internal.basis != two.new.internal.basis:  # type: ignore[union-attr]
            found.add("terms")
    if "price-book" in found and "price-book" not in two.differing():
        # The same books, another line of them: by another figure, or under another name.
        found.discard("price-book")
        return Why(frozenset(found)) | two.one_of("terms", "catalogue", "tool-version")
    return Why(frozenset(found)) if found else two.one_of("tool-version")


def _margin(item: InternalFigures) -> Decimal:
    """Return what the terms make of the figure of the book."""
    if item.basis != "cost" or not item.cost:
        return Decimal(1)
    return (item.base / item.cost).quantize(_EQUAL)


def _of_tax(two: Two, was: QuoteLine, now: QuoteLine, old: InternalFigures, new: InternalFigures) -> set[Reason]:
    if _tax_factor(old.tax, two.old.tax_mode, was.tax_percent) == _tax_factor(
        new.tax, two.new.tax_mode, now.tax_percent
    ):
        return set()
    found: set[Reason] = set()
    if old.tax != new.tax:
        found.add("price-book")
    if (two.old.tax_mode, was.tax_percent) != (two.new.tax_mode, now.tax_percent):
        found.add("terms")
    return found


def _tax_factor(state: TaxState | None, mode: TaxState, percent: Decimal) -> Decimal:
    if state is None or state == mode:
        return Decimal(1)
    whole = (_HUNDRED + percent) / _HUNDRED
    return 1 / whole if state == "included" else whole


def _seen(two: Two, was: QuoteLine, now: QuoteLine) -> Why:
    """Return why a price differs as far as a customer's copy shows."""
    if was.times is not None and now.times is not None and not was.pn and not now.pn:
        return Why(frozenset({"terms"}))  # its price stands in the terms
    spread = two.differing() if two.new.internal is not None and two.new.internal.fixed else frozenset[Reason]()
    hidden = frozenset[Reason]({"price-book", "terms"}) | spread
    if was.unit_price is None or now.unit_price is None:
        return Why(frozenset(), hidden)
    rates = _rates(two.old), _rates(two.new)
    foreign = now.foreign if now.foreign == was.foreign else None
    if foreign and rates[0].get(foreign) != rates[1].get(foreign):
        moved = was.unit_price * rates[1][foreign] / rates[0][foreign]
        rate = Why(frozenset({"rate"}))
        # The rate alone explains a price that moves as it does, within what rounding the old price hides.
        slack = cent(two.new.currency) * (1 + rates[1][foreign] / rates[0][foreign]) / 2
        return rate if abs(moved - now.unit_price) <= slack else rate | Why(frozenset(), hidden)
    if (two.old.tax_mode, was.tax_percent) != (two.new.tax_mode, now.tax_percent):
        for state in ("included", "added"):
            factors = [_tax_factor(state, quote.tax_mode, line.tax_percent)
                       for quote, line in ((two.old, was), (two.new, now))]  # fmt: skip
            if abs(was.unit_price * factors[1] / factors[0] - now.unit_price) <= cent(two.new.currency) * 2:
                return Why(frozenset({"terms"}))
    return Why(frozenset(), hidden)


def together(reasons: Iterable[Why]) -> Why:
    """Return the causes of several lines at once."""
    found = Why()
    for why in reasons:
        found |= why
    return found


def ordered(reasons: frozenset[Reason]) -> tuple[Reason, ...]:
    """Return causes in the order in which they are told."""
    return tuple(reason for reason in REASONS if reason in reasons)
