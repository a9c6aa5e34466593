"""Money: one rounding rule, formatting, and amounts in Chinese capitals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from functools import wraps
from typing import ParamSpec, TypeVar

_WITHOUT_FRACTION = ("JPY", "KRW", "VND")
_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_PLACES = ("", "拾", "佰", "仟")
AMOUNT_MAX = Decimal(10) ** 13
"""Amounts from here on are refused: a spreadsheet's numbers hold fifteen digits, two of them behind the point."""

EXACT = Context(prec=60, rounding=ROUND_HALF_UP)
"""How amounts are reckoned, whatever decimal context the caller has."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


def exact(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Make a function reckon in ``EXACT``, whatever decimal context its caller has."""

    @wraps(function)
    def inside(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        with localcontext(EXACT):
            return function(*args, **kwargs)

    return inside


def fraction_digits(currency: str) -> int:
    """Return how many digits a currency's amounts have behind the point."""
    return 0 if currency in _WITHOUT_FRACTION else 2


def cent(currency: str) -> Decimal:
    """Return the smallest amount of a currency."""
    return Decimal(1).scaleb(-fraction_digits(currency))


def rounded(amount: Decimal, currency: str) -> Decimal:
    """Return an amount in the currency's smallest unit, halves away from zero. The only rounding there is.

    >>> rounded(Decimal("2.345"), "CNY"), rounded(Decimal("2.5"), "JPY")
    (Decimal('2.35'), Decimal('3'))
    """
    with localcontext(EXACT):
        return amount.quantize(cent(currency), rounding=ROUND_HALF_UP)


def total(amounts: Iterable[Decimal]) -> Decimal:
    """Return an exact sum."""
    with localcontext(EXACT):
        return sum(amounts, Decimal(0))


def money(amount: Decimal) -> str:
    """Return an amount with thousands separated.

    >>> money(Decimal("284600.00"))
    '284,600.00'
    """
    return f"{amount:,f}"


def signed(amount: Decimal) -> str:
    """Return a difference with its sign.

    >>> signed(Decimal("4000.00")), signed(Decimal("-0.50"))
    ('+4,000.00', '-0.50')
    """
    return f"{amount:+,f}"


def capitals(amount: Decimal) -> str:
    """Return an amount in yuan in the capitals of Chinese contracts (大写).

    Zeros collapse to one 零; a whole amount ends in 整.

    >>> capitals(Decimal("270370.00")), capitals(Decimal("10000.05"))
    ('贰拾柒万零叁佰柒拾元整', '壹万元零伍分')
    >>> capitals(Decimal("1234567.89"))
    '壹佰贰拾叁万肆仟伍佰陆拾柒元捌角玖分'
    """
    cents = int(rounded(abs(amount), "CNY") * 100)
    sign = "负" if amount < 0 and cents else ""
    yuan, jiao, fen = cents // 100, cents // 10 % 10, cents % 10
    text = f"{_integer(yuan)}元" if yuan or not cents else ""
    if not jiao and not fen:
        return f"{sign}{text}整"
    if jiao:
        text += f"{_DIGITS[jiao]}角"
    elif yuan:
        text += "零"
    return sign + text + (f"{_DIGITS[fen]}分" if fen else "")


def _integer(number: int) -> str:
    """Return a whole number; what stands above 亿 is itself read as a number: 10,001 x 10^8 is 壹万零壹亿."""
    if number < 10**4:
        return _four(number) or _DIGITS[0]
    unit, name = (10**8, "亿") if number >= 10**8 else (10**4, "万")
    high, low = divmod(number, unit)
    joint = _DIGITS[0] if 0 < low < unit // 10 else ""
    return f"{_integer(high)}{name}{joint}{_integer(low) if low else ''}"


def _four(group: int) -> str:
    text = ""
    for place in reversed(range(4)):
        digit = group // 10**place % 10
        if digit:
            text += _DIGITS[digit] + _PLACES[place]
        elif text and group % 10**place and not text.endswith(_DIGITS[0]):
            text += _DIGITS[0]
    return text
