"""Arriving at a given total: a fixed price, or a total rounded down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

from fabricplan.errors import PriceError, Problem
from fabricplan.quote.document import QuoteLine
from fabricplan.quote.money import cent, money, rounded

GrandTotal = Callable[[Sequence[QuoteLine]], Decimal]


class Settled(NamedTuple):
    """Lines as quoted; what their total still lacks of the target (a cent at most, and only where the tax is added);
    whether all unit prices were recomputed."""

    lines: tuple[QuoteLine, ...]
    residue: Decimal
    scaled: bool


def settle(lines: Sequence[QuoteLine], target: Decimal, grand_total: GrandTotal, currency: str, scale: bool) -> Settled:
    """Return lines whose grand total is ``target``.

    With ``scale`` every unit price is recomputed in proportion; without, all but one stay, as long as one piece is
    dear enough. What rounding leaves over goes onto one line of quantity 1, the dearest; where there is none, one piece
    of the dearest line becomes a line of its own. Where the tax is added, rounding it passes over some totals (at 13 %
    every 113 cents of total have 100 cents of net): then the last cent is left to the tax.

    Raises:
        PriceError: a price is missing, or a price would become zero.
    """
    absent = [line.part for line in lines if line.unit_price is None]
    if absent:
        raise PriceError(Problem("target-incomplete", f"a total cannot be fixed while {len(absent)} lines have no "
                                 f"price: {', '.join(dict.fromkeys(absent))}", "target_total",
                                 "add the prices first"))  # fmt: skip
    before = grand_total(lines)
    if before <= 0:
        raise PriceError(Problem("target-total", "there is nothing to price", "target_total"))
    for scaled in (True,) if scale else (False, True):
        settled = list(lines)
        if scaled:
            settled = [_repriced(line, (line.unit_price or Decimal(0)) * target / before, currency) for line in lines]
        over = abs(target - grand_total(settled))
        place = _residue_line(settled, over)
        if not scaled and (settled[place].unit_price or Decimal(0)) <= 2 * over:
            continue
        found = _fitted(settled, place, target, grand_total, currency)
        residue = target - grand_total(found)
        if 0 <= residue <= cent(currency):
            return Settled(tuple(found), residue, scaled)
    raise PriceError(Problem("target-total", f"no unit prices give a total of exactly {money(target)}; near it lies "
                             f"{money(grand_total(found))}", "target_total", "choose a total nearby"))  # fmt: skip


def round_down(amount: Decimal, step: Decimal) -> Decimal:
    """Return the largest multiple of ``step`` that is not above an amount.

    >>> round_down(Decimal("284677.50"), Decimal(100))
    Decimal('284600')
    """
    return amount // step * step


def _fitted(
    lines: list[QuoteLine], place: int, target: Decimal, grand_total: GrandTotal, currency: str
) -> list[QuoteLine]:
    """Return lines of which one is priced so that the total comes as near to the target as it can without passing it.

    The total never falls as that price rises, so its price is found by halving, in the smallest unit.
    """
    unit = cent(currency)

    def at(steps: int) -> list[QuoteLine]:
        return [*lines[:place], _priced(lines[place], steps * unit), *lines[place + 1 :]]

    low, high = 1, int(((lines[place].unit_price or Decimal(0)) + abs(target)) / unit) + 1
    while low < high:
        middle = (low + high + 1) // 2
        if grand_total(at(middle)) <= target:
            low = middle
        else:
            high = middle - 1
    return at(low)


def _residue_line(lines: list[QuoteLine], residue: Decimal) -> int:
    """Return the place of the line that takes the residue, splitting a line where none of quantity 1 can bear it."""

    def price(place: int) -> Decimal:
        return lines[place].unit_price or Decimal(0)

    single = [place for place in range(len(lines)) if lines[place].quantity == 1 and price(place) > 2 * residue]
    dear = max(single or (place for place in range(len(lines)) if lines[place].quantity), key=price)
    line = lines[dear]
    if line.quantity == 1:
        return dear
    lines[dear] = line.model_copy(update={"quantity": line.quantity - 1, "amount": price(dear) * (line.quantity - 1)})
    lines.insert(dear + 1, line.model_copy(update={"quantity": 1, "amount": line.unit_price}))
    return dear + 1


def _priced(line: QuoteLine, unit: Decimal) -> QuoteLine:
    return line.model_copy(update={"unit_price": unit, "amount": unit * line.quantity})


def _repriced(line: QuoteLine, price: Decimal, currency: str) -> QuoteLine:
    unit = rounded(price, currency)
    if not unit and line.unit_price:
        raise PriceError(Problem("price-vanishes", f"to arrive at the total '{line.part}' would cost nothing: "
                                 f"{money(line.unit_price)} would become {money(unit)}", "target_total",
                                 "choose a higher total"))  # fmt: skip
    return _priced(line, unit)
