"""Numbers as people write them in terms, and how much is off: ``5``, ``5%``, ``95% off``, ``95折``.

In English a discount names what is taken off, in Chinese what is left to pay (95折 is 5 % off). A bare number that may
be meant either way is refused.
"""

from __future__ import annotations

import re
from decimal import Decimal

DOUBTFUL_FROM = Decimal(50)
"""A bare discount above this, and below 100, may be what is left to pay."""
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?")
_OFF = re.compile(
    r"(?P<before>优惠|下浮|立减|减)?\s*(?P<number>[0-9]+(?:\.[0-9]+)?)\s*(?P<sign>[%％]?)\s*(?P<after>off|的?优惠)?",
    re.IGNORECASE,
)
_LEFT = re.compile(r"打?\s*(?P<number>[0-9]+(?:\.[0-9]+)?|[一二三四五六七八九]{1,2})\s*折")
_DIGITS = {digit: str(value) for value, digit in enumerate("一二三四五六七八九", 1)}


def read_number(value: object) -> object:
    """Read text such as ``1,234.50``; a comma that does not part thousands is refused. Floats never come from YAML."""
    if isinstance(value, float):
        value = repr(value)
    if not isinstance(value, str):
        return value
    text = value.strip()
    if "," in text and not _GROUPED.fullmatch(text):
        raise ValueError("a comma parts thousands only, as in 1,234.50; write decimals with a point")
    return text.replace(",", "")


def plain(number: Decimal) -> str:
    """Return a number without needless zeros or an exponent."""
    return f"{number.normalize():f}"


def percent_off(value: object) -> object:
    """Return how many per cent are off.

    >>> [str(percent_off(text)) for text in ("5", "5%", "95% off", "95折", "9.5折", "八五折", "下浮5%")]
    ['5', '5', '95', '5', '5.0', '15', '5']

    Raises:
        ValueError: a bare number that may be what is left to pay.
    """
    if isinstance(value, float):
        value = repr(value)
    if isinstance(value, str):
        left = _LEFT.fullmatch(value.strip())
        if left:
            return _of_left(left["number"])
        said = _OFF.fullmatch(value.strip())
        if said and (said["before"] or said["after"]):
            return Decimal(said["number"])
        if said and said["sign"]:
            number = Decimal(said["number"])
            return number if number < 1 else _clear(number)
    read = read_number(value)
    try:
        number = Decimal(str(read))
    except ArithmeticError:
        return read
    return _clear(number) if number >= 0 else number


def _of_left(text: str) -> Decimal:
    """Return what is off where so much is left: of ten (8折, 9.5折) or of a hundred (95折)."""
    number = Decimal("".join(_DIGITS.get(letter, letter) for letter in text))
    tenths = number <= 10 if text[0] not in _DIGITS else len(text) == 1
    left = number * 10 if tenths else number
    if not 0 < left <= 100:
        raise ValueError("what is left to pay lies between 0 and 10 (9.5折) or 10 and 100 (95折)")
    return 100 - left


def _clear(number: Decimal) -> Decimal:
    """Refuse a bare number that may be what is left to pay."""
    if 0 < number < 1:
        paid = plain(number * 100)
        raise ValueError(f"per cent off, or the share that is paid? write {plain(100 - number * 100)} (or {paid}折) "
                         f"where {paid} % are paid, {plain(number)}% where so little is off")  # fmt: skip
    if DOUBTFUL_FROM < number < 100:
        raise ValueError(f"{plain(number)} % off, or {plain(number)} % to pay ({plain(number)}折)? write "
                         f"{plain(number)}% off for the one, {plain(100 - number)} or {plain(number)}折 for the "
                         "other")  # fmt: skip
    return number
