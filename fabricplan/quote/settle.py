"""Arriving at a given total: a fixed price, or a total rounded down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from fabricplan.errors import PriceError, Problem
from fabricplan.quote.document import QuoteLine
from fabricplan.quote.money import cent, money, rounded

GrandTotal = Callable[[Sequence[QuoteLine]], Decimal]


def settle(
    lines: Sequence[QuoteLine], target: Decimal, grand_total: GrandTotal, currency: str, scale: bool
) -> tuple[QuoteLine, ...]:
    """Return lines whose grand total is exactly ``target``.

    With ``scale`` every unit price is recomputed in proportion; without, all but one stay. What rounding leaves
    over goes onto one line of quantity 1, the dearest; where there is none, one piece of the dearest line becomes a
    line of its own.

    Raises:
        PriceError: a price is missing, a price would become zero, or no unit price of that line gives the target.
    """
    absent = [line.part for line in lines if line.unit_price is None]
    if absent:
        raise PriceError(Problem("target-incomplete", f"a total cannot be fixed while {len(absent)} lines have no "
                                 f"price: {', '.join(dict.fromkeys(absent))}", "target_total",
                                 "add the prices first"))  # fmt: skip
    before = grand_total(lines)
    if before <= 0:
        raise PriceError(Problem("target-total", "there is nothing to price", "target_total"))
    settled = list(lines)
    if scale:
        settled = [_repriced(line, (line.unit_price or Decimal(0)) * target / before, currency) for line in lines]
    place = _residue_line(settled, abs(target - grand_total(settled)))
    for _ in range(8):
        off = target - grand_total(settled)
        if not off:
            return tuple(settled)
        line = settled[place]
        price = (line.unit_price or Decimal(0)) + off
        if price <= 0:
            break
        settled[place] = _repriced(line, price, currency)
    # Where the tax is added, rounding it skips some totals: the search above then swings around the target.
    line = settled[place]
    for step in (-2, -1, 1, 2):
        price = (line.unit_price or Decimal(0)) + step * cent(currency)
        if price > 0:
            tried = [*settled[:place], _repriced(line, price, currency), *settled[place + 1 :]]
            if grand_total(tried) == target:
                return tuple(tried)
    raise PriceError(Problem("target-total", f"no unit prices give a total of exactly {money(target)}; near it lies "
                             f"{money(grand_total(settled))}", "target_total", "choose a total nearby"))  # fmt: skip


def round_down(amount: Decimal, step: Decimal) -> Decimal:
    """Return the largest multiple of ``step`` that is not above an amount.

    >>> round_down(Decimal("284677.50"), Decimal(100))
    Decimal('284600')
    """
    return amount // step * step


def _residue_line(lines: list[QuoteLine], residue: Decimal) -> int:
    """Return the place of the line that takes the residue, splitting a line where none of quantity 1 can bear it."""

    def price(place: int) -> Decimal:
        return lines[place].unit_price or Decimal(0)

    single = [place for place in range(len(lines)) if lines[place].quantity == 1 and price(place) > 2 * residue]
    dear = max(single or range(len(lines)), key=price)
    line = lines[dear]
    if line.quantity == 1:
        return dear
    lines[dear] = line.model_copy(update={"quantity": line.quantity - 1, "amount": price(dear) * (line.quantity - 1)})
    lines.insert(dear + 1, line.model_copy(update={"quantity": 1, "amount": line.unit_price}))
    return dear + 1


def _repriced(line: QuoteLine, price: Decimal, currency: str) -> QuoteLine:
    unit = rounded(price, currency)
    if not unit and line.unit_price:
        raise PriceError(Problem("price-vanishes", f"to arrive at the total '{line.part}' would cost nothing: "
                                 f"{money(line.unit_price)} would become {money(unit)}", "target_total",
                                 "choose a higher total"))  # fmt: skip
    return line.model_copy(update={"unit_price": unit, "amount": unit * line.quantity})
