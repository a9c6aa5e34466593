"""Cells and words of discounts: read where they mean one thing, refused where ``5%`` may be five off or five left."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

from fabricplan.readers.cells import Cell, CellError, plain

_HUNDRED = Decimal(100)
_NONE = ("", "-", "--", "—", "/", "无", "无折扣", "none", "no", "n/a", "0", "0%", "0.0%", "0.00%", "不打折", "net")
_NUMERALS = dict(zip("一二三四五六七八九对", "1234567895", strict=True))
_TOLD = re.compile(
    r"\d(?:\.\d+)?\s*折|[一二三四五六七八九]{1,2}折|\d+(?:\.\d+)?\s*%\s*(?:off|discount)|discount\s*(?:of|:|is)\s*\d"
    r"|(?:下浮|上浮|优惠|加价|加收|让利|涨价|降价)\s*\d|\d+(?:\.\d+)?\s*%\s*(?:优惠|下浮|上浮|surcharge|uplift|mark-?up|rebate|返点|返利|返还)"
    r"|(?:less|minus|deduct)\s+\d+(?:\.\d+)?\s*%|(?:surcharge|uplift|mark-?up)\s*(?:of|:)?\s*\d|[x×*]\s*0\.\d+|乘以?\s*[01]\.\d"
)

_OFF = re.compile(
    r"(?P<sign>-?)\s*(?P<word>下浮|优惠|降|off|less)?\s*(?P<n>\d+(?:\.\d+)?)\s*(?P<p>%?)\s*"
    r"(?P<off>off|disc(?:ount)?)?"
)


def discount_told(text: str) -> bool:
    """Return whether a remark tells a discount or a surcharge on prices.

    >>> discount_told("以上价格再打95折"), discount_told("All prices 45% off list")
    (True, True)
    >>> discount_told("折旧"), discount_told("含13%税")
    (False, False)
    """
    return bool(_TOLD.search(unicodedata.normalize("NFKC", text).casefold()))


def off_heading(heading: str) -> bool:
    """Return whether percentages below a heading are taken off: English ones, 下浮率, 优惠率; 折扣 leaves it open."""
    low = unicodedata.normalize("NFKC", heading).casefold()
    return bool(re.search(r"下浮|优惠|降幅|让利|off", low)) or ("折" not in low and "disc" in low)


def read_discount(cell: Cell, taken_off: bool) -> tuple[Decimal, ...]:
    """Return what a list price is multiplied by, in every way that a cell can be read; nothing where it says none.

    Args:
        cell: the cell; a number that is shown as percent comes as ``40%``.
        taken_off: whether the heading says that percentages are taken off.

    >>> read_discount("95折", False), read_discount("9.5折", False), read_discount("40%", True)
    ((Decimal('0.95'),), (Decimal('0.95'),), (Decimal('0.6'),))
    >>> read_discount("五折", False), read_discount("八五折", False), read_discount("对折", False)
    ((Decimal('0.5'),), (Decimal('0.85'),), (Decimal('0.5'),))
    >>> read_discount("无", False), read_discount("5%", False)
    ((), (Decimal('0.95'), Decimal('0.05')))

    Raises:
        CellError: it is no discount.
    """
    text = plain(cell).casefold()
    if text in _NONE and not isinstance(cell, bool):
        return ()
    if match := re.fullmatch(r"(?:打\s*)?(对|[一二三四五六七八九]{1,2})\s*折", text):
        text = "".join(_NUMERALS[letter] for letter in match[1]) + "折"
    if match := re.fullmatch(r"(?:打\s*)?(\d+(?:\.\d+)?)\s*折", text):
        number = Decimal(match[1])
        if not 0 < number < 100:
            raise CellError(f"'{text}' is no discount")
        return (number / 10 if number <= 10 else number / _HUNDRED,)
    match = _OFF.fullmatch(text)
    if match is None or isinstance(cell, bool):
        raise CellError(f"'{text}' is no discount")
    number = Decimal(match["n"])
    if number > _HUNDRED:
        raise CellError(f"a discount of '{text}' leaves less than nothing")
    if not match["p"] and number <= 1:
        # A share: 0.4 may be taken off, or left; below a heading of percentages, four tenths of one.
        return tuple(dict.fromkeys((1 - number, number, (_HUNDRED - number) / _HUNDRED)))
    off, left = (_HUNDRED - number) / _HUNDRED, number / _HUNDRED
    if taken_off or match["sign"] or match["word"] or match["off"]:
        return (off,)
    return (off, left) if off != left else (off,)


def agrees(before: Decimal, factor: Decimal, after: Decimal) -> bool:
    """Return whether a price after a discount is the one before times the factor, but for rounding to a whole unit."""
    slack = max(Decimal("0.01"), min(Decimal(1), abs(after) / 200))
    return abs(before * factor - after) <= slack
