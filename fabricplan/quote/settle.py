"""Arriving at a given total: a fixed price, or a total rounded down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from fabricplan.errors import PriceError, Problem
from fabricplan.quote.document import QuoteLine
from fabricplan.quote.money import cent, money, rounded, total
from fabricplan.quote.terms import HARDWARE

GrandTotal = Callable[[Sequence[QuoteLine]], Decimal]
_HUNDRED = Decimal(100)


class Settled(NamedTuple):
    """Lines as quoted; what their total still lacks of the target (a cent at most, and only where the tax is added);
    whether all unit prices were recomputed; the line that is a share of the hardware and bears the rest of a rounding,
    so that it is no longer exactly that share (None unless no other line could)."""

    lines: tuple[QuoteLine, ...]
    residue: Decimal
    scaled: bool
    off_share: QuoteLine | None = None


def settle(lines: Sequence[QuoteLine], target: Decimal, grand_total: GrandTotal, currency: str, scale: bool) -> Settled:
    """Return lines whose grand total is ``target``.

    With ``scale`` every unit price is recomputed in proportion; without, all but one stay, as long as one piece is
    dear enough. A price that is said to be a share of the hardware stays that share of the hardware as it is shown, so
    that who recomputes it finds it right. What rounding leaves over goes onto one line of quantity 1, the dearest;
    where there is none, one piece of the dearest line becomes a line of its own. Where a share is sold, a line that it
    is not reckoned from comes first, and the share itself bears the rest only if nothing else arrives. Where the tax
    is added, rounding it passes over some totals (at 13 % every 113 cents of total have 100 cents of net): then the
    last cent is left to the tax.

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
            settled = _shares(settled, currency)
        over = abs(target - grand_total(settled))
        near, fitted = None, list[QuoteLine]()
        for mine, place in _bearers(settled, over):
            if _is_share(mine[place]) and fitted:
                # The share bears only what the other lines leave over.
                mine = fitted
                place = max((at for at, line in enumerate(mine) if _is_share(line)), key=lambda at: _price(fitted, at))
            if not scaled and (mine[place].unit_price or Decimal(0)) <= 2 * over:
                continue
            found = _fitted(mine, place, target, grand_total, currency)
            residue = target - grand_total(found)
            fitted = found if residue > 0 else fitted
            fit = Settled(tuple(found), residue, scaled, found[place] if _is_share(found[place]) else None)
            if residue == 0:
                return fit
            if near is None and 0 < residue <= cent(currency):
                near = fit
        if near is not None:
            return near
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
        changed = [*lines[:place], _priced(lines[place], steps * unit), *lines[place + 1 :]]
        return _shares(changed, currency) if lines[place].group in HARDWARE else changed

    low, high = 1, int(((lines[place].unit_price or Decimal(0)) + abs(target)) / unit) + 1
    while low < high:
        middle = (low + high + 1) // 2
        if grand_total(at(middle)) <= target:
            low = middle
        else:
            high = middle - 1
    return at(low)


def _price(lines: Sequence[QuoteLine], place: int) -> Decimal:
    return lines[place].unit_price or Decimal(0)


def _is_share(line: QuoteLine) -> bool:
    return line.share is not None and bool(line.unit_price)


def _shares(lines: list[QuoteLine], currency: str) -> list[QuoteLine]:
    """Return lines whose shares of the hardware are reckoned from the hardware as it stands in them."""
    if not any(_is_share(line) for line in lines):
        return lines
    whole = total(line.amount or Decimal(0) for line in lines if line.group in HARDWARE)
    return [_repriced(line, whole * line.share / _HUNDRED, currency) if line.share is not None and _is_share(line)
            else line for line in lines]  # fmt: skip


def _bearers(lines: list[QuoteLine], over: Decimal) -> Iterator[tuple[list[QuoteLine], int]]:
    """Yield lines, perhaps one of them split, and the place of the one that may bear the rest; the best one first."""
    shares = [line for line in lines if _is_share(line)]
    order: tuple[Callable[[QuoteLine], bool], ...] = (
        lambda line: line.group not in HARDWARE and not _is_share(line) and line.quantity == 1,
        lambda line: line.group in HARDWARE,
        lambda line: line.group not in HARDWARE and not _is_share(line),
        _is_share,
    )
    for fits in order if shares else (lambda line: True,):
        if any(line.quantity and fits(line) for line in lines):
            mine = list(lines)
            yield mine, _residue_line(mine, over, fits)


def _residue_line(lines: list[QuoteLine], residue: Decimal, fits: Callable[[QuoteLine], bool]) -> int:
    """Return the place of the line that takes the residue, splitting a line where none of quantity 1 can bear it."""
    able = [place for place, line in enumerate(lines) if line.quantity and fits(line)]
    single = [place for place in able if lines[place].quantity == 1 and _price(lines, place) > 2 * residue]
    dear = max(single or able, key=lambda place: _price(lines, place))
    line = lines[dear]
    if line.quantity == 1:
        return dear
    lines[dear] = line.model_copy(
        update={"quantity": line.quantity - 1, "amount": _price(lines, dear) * (line.quantity - 1)}
    )
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
