"""What changed between an earlier quote and this one, by line, by how much, and why."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from fabricplan.errors import PriceError, Problem
from fabricplan.quote.document import Quote, QuoteLine
from fabricplan.quote.money import rounded, total
from fabricplan.quote.terms import GroupName, Text
from fabricplan.values import Value

Reason = Literal["request", "catalogue", "price-book", "rate", "terms", "tool-version"]
REASONS: tuple[Reason, ...] = ("request", "catalogue", "price-book", "rate", "terms", "tool-version")


class LineChange(Value):
    """One line that differs. Prices and amounts are None where a side has none."""

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


class Revision(Value):
    """The changes from one quote to the next; ``difference`` is between the totals."""

    old_number: str | None
    new_number: str | None
    currency: str
    old_total: Decimal
    new_total: Decimal
    difference: Decimal
    reasons: tuple[Reason, ...]
    lines: tuple[LineChange, ...]


class _Line(NamedTuple):
    """Lines of one part together: a fixed total may have split them."""

    line: QuoteLine
    quantity: int
    amount: Decimal | None


def revise(old: Quote, new: Quote) -> Revision:
    """Compare two quotes.

    A reason is named only where its cause differs between the two: the request, the catalogue, the price books, an
    exchange rate that the line depends on, the terms, the version of the program. Where both quotes hold the seller's
    own figures, a line whose book price stayed does not name the price books. A customer's copy has no digest of the
    terms and the books: against it nothing is said of either, and a line may be left without a reason.

    Raises:
        PriceError: the quotes are in different currencies.
    """
    if old.currency != new.currency:
        raise PriceError(Problem("different-currencies", f"the earlier quote is in {old.currency}, this one in "
                                 f"{new.currency}", "", "state the same currency in the terms"))  # fmt: skip
    causes = _causes(old, new)
    before, after = _lines(old), _lines(new)
    changes = []
    for key in dict.fromkeys((*after, *before)):
        was, now = before.get(key), after.get(key)
        if was is None or now is None or _differ(was, now):
            changes.append(_change(old, new, was, now, causes))
    return Revision(
        old_number=old.number, new_number=new.number, currency=new.currency, old_total=old.total,
        new_total=new.total, difference=new.total - old.total, reasons=causes, lines=tuple(changes),
    )  # fmt: skip


def _causes(old: Quote, new: Quote) -> tuple[Reason, ...]:
    differs: dict[Reason, bool] = {
        "request": old.request_digest != new.request_digest, "catalogue": old.made_by.catalog != new.made_by.catalog,
        "price-book": [book.digest for book in old.books] != [book.digest for book in new.books],
        "rate": _rates(old) != _rates(new),
        "terms": old.terms_digest != new.terms_digest, "tool-version": old.made_by.version != new.made_by.version,
    }  # fmt: skip
    unknown = _unknown(old, new)
    return tuple(reason for reason in REASONS if differs[reason] and reason not in unknown)


def _unknown(old: Quote, new: Quote) -> set[Reason]:
    """Return the reasons that cannot be judged: a digest is empty in a customer's copy."""
    found: set[Reason] = set()
    if not (old.terms_digest and new.terms_digest):
        found.add("terms")
    if not all(book.digest for book in (*old.books, *new.books)):
        found.add("price-book")
    return found


def _rates(quote: Quote) -> dict[str, Decimal]:
    return {rate.currency: rate.rate for rate in quote.exchange}


def _lines(quote: Quote) -> dict[tuple[str, str, str], _Line]:
    found: dict[tuple[str, str, str], list[QuoteLine]] = {}
    for line in quote.lines:
        found.setdefault((line.network, line.group, line.part), []).append(line)
    return {key: _Line(lines[0], sum(line.quantity for line in lines), _sum(lines)) for key, lines in found.items()}


def _sum(lines: Sequence[QuoteLine]) -> Decimal | None:
    amounts = [line.amount for line in lines if line.amount is not None]
    return total(amounts) if len(amounts) == len(lines) else None


def _differ(was: _Line, now: _Line) -> bool:
    return (was.quantity, was.amount, was.line.unit_price) != (now.quantity, now.amount, now.line.unit_price)


def _change(old: Quote, new: Quote, was: _Line | None, now: _Line | None, causes: Sequence[Reason]) -> LineChange:
    shown = (now or was).line  # type: ignore[union-attr]
    reasons: set[Reason] = set()
    if was is None or now is None or was.quantity != now.quantity:
        reasons |= {"request", "catalogue", "tool-version"}
        if shown.group in ("software", "service"):
            reasons.add("terms")
    if was is not None and now is not None and (was.line.unit_price, was.line.foreign) != (
        now.line.unit_price, now.line.foreign,
    ):  # fmt: skip
        reasons |= _price_reasons(old, new, was.line, now.line)
    # What no rule explains (a fixed total spreads every change over all lines) may come from anything that differs.
    named = tuple(reason for reason in causes if reason in reasons)
    if not named and not reasons & _unknown(old, new):
        named = tuple(causes)
    return LineChange(
        change="added" if was is None else "removed" if now is None else "changed", group=shown.group,
        network=shown.network, part=shown.part, name=shown.name,
        old_quantity=was.quantity if was else 0, new_quantity=now.quantity if now else 0,
        old_price=was.line.unit_price if was else None, new_price=now.line.unit_price if now else None,
        old_amount=was.amount if was else None, new_amount=now.amount if now else None,
        difference=((now.amount if now else None) or Decimal(0)) - ((was.amount if was else None) or Decimal(0)),
        reasons=named,
    )  # fmt: skip


def _price_reasons(old: Quote, new: Quote, was: QuoteLine, now: QuoteLine) -> set[Reason]:
    rates = _rates(old), _rates(new)
    foreign = now.foreign or was.foreign
    if foreign and rates[0].get(foreign) != rates[1].get(foreign):
        if was.foreign == now.foreign and was.unit_price is not None:
            # The rate alone explains a price that moves as it does, within what rounding the old price hides.
            moved = rates[1][foreign] / rates[0][foreign]
            slack = rounded(Decimal("0.005") * moved, new.currency) + Decimal("0.01")
            if now.unit_price is not None and abs(was.unit_price * moved - now.unit_price) <= slack:
                return {"rate"}
        return {"rate", *(_seen_reasons(was, now) or ("price-book", "terms"))}
    return _seen_reasons(was, now) or {"price-book", "terms"}


def _seen_reasons(was: QuoteLine, now: QuoteLine) -> set[Reason]:
    """Return what the seller's own figures of both quotes show; nothing where one of them has none.

    A customer's copy holds no book price.
    """
    old, new = was.internal, now.internal
    if old is None or new is None or was.unit_price is None or now.unit_price is None:
        return set()
    if (old.basis, old.currency) != (new.basis, new.currency):
        return set()
    before, after = (old.cost, new.cost) if new.basis == "cost" else (old.base, new.base)
    if before == after or before is None or after is None:
        return {"terms"}
    moved = was.unit_price * after / before
    same_terms = old.discount_percent == new.discount_percent and abs(moved - now.unit_price) <= _slack(after / before)
    return {"price-book"} if same_terms else {"price-book", "terms"}


def _slack(factor: Decimal) -> Decimal:
    """Return what rounding the old and the new price can hide."""
    return Decimal("0.005") * factor + Decimal("0.01")
