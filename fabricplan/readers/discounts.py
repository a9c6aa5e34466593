"""Cells and words of discounts: read where they mean one thing, refused where ``5%`` may be five off or five left."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, localcontext

from fabricplan.readers.cells import Cell, CellError, plain

_HUNDRED = Decimal(100)
_NONE = ("", "-", "--", "—", "/", "无", "无折扣", "none", "no", "n/a", "0", "0%", "0.0%", "0.00%", "不打折", "net")
_TOLD = re.compile(
    r"\d(?:\.\d+)?\s*折|[一二三四五六七八九]{1,2}折|\d+(?:\.\d+)?\s*%\s*(?:off|discount)|discount\s*(?:of|:|is)\s*\d"
    r"|(?:下浮|上浮|优惠|加价|加收|让利|涨价|降价)\s*\d|\d+(?:\.\d+)?\s*%\s*(?:优惠|下浮|上浮|surcharge|uplift|mark-?up)"
    r"|(?:less|minus|deduct)\s+\d+(?:\.\d+)?\s*%|(?:surcharge|uplift|mark-?up)\s*(?:of|:)?\s*\d|[x×*]\s*0\.\d+|乘以?\s*[01]\.\d"
)


def discount_told(text: str) -> bool:
    """Return whether a remark tells a discount or a surcharge on prices.

    >>> discount_told("以上价格再打95折"), discount_told("All prices 45% off list"), discount_told("折旧"), discount_told("含13%税")
    (True, True, False, False)
    """
    return bool(_TOLD.search(unicodedata.normalize("NFKC", text).casefold()))


def off_heading(heading: str) -> bool:
    """Return whether percentages below a heading are taken off: English headings, 下浮率, 优惠率; 折扣 leaves it open."""
    low = unicodedata.normalize("NFKC", heading).casefold()
    return bool(re.search(r"下浮|优惠|降幅|让利|off", low)) or ("折" not in low and "disc" in low)


def read_discount(cell: Cell, taken_off: bool) -> Decimal | None:
    """Return what a list price is multiplied by; None where there is no discount.

    Args:
        cell: the cell; a number that is shown as percent comes as ``40%``.
        taken_off: whether the heading says that percentages are taken off.

    >>> read_discount("95折", False), read_discount("9.5折", False), read_discount("40%", True), read_discount("40% off", False)
    (Decimal('0.95'), Decimal('0.95'), Decimal('0.6'), Decimal('0.6'))
    >>> read_discount("无", False)

    Raises:
        CellError: it can be read in two ways, or is no discount.
    """
    text = plain(cell).casefold()
    if text in _NONE and not isinstance(cell, bool):
        return None
    if match := re.fullmatch(r"(?:打\s*)?(\d+(?:\.\d+)?)\s*折", text):
        number = Decimal(match[1])
        if not 0 < number < 100:
            raise CellError(f"'{text}' is no discount")
        with localcontext(prec=28):
            return number / 10 if number <= 10 else number / _HUNDRED
    match = re.fullmatch(
        r"(?P<sign>-?)\s*(?P<word>下浮|优惠|降|off|less)?\s*(?P<n>\d+(?:\.\d+)?)\s*(?P<p>%?)\s*(?P<off>off|disc(?:ount)?)?",
        text,
    )
    if match is None or isinstance(cell, bool):
        raise CellError(f"'{text}' is no discount")
    number = Decimal(match["n"])
    off = bool(match["sign"] or match["word"] or match["off"]) or taken_off
    if not match["p"] and number <= 1:
        raise CellError(f"the discount '{text}' can be read in two ways: taken off, or what is left")
    if not off:
        raise CellError(f"the discount '{text}' can be read in two ways: {text} taken off, or {text} left to pay")
    if number >= _HUNDRED:
        raise CellError(f"a discount of '{text}' leaves nothing")
    return (_HUNDRED - number) / _HUNDRED


def agrees(before: Decimal, factor: Decimal, after: Decimal) -> bool:
    """Return whether a price after a discount is the one before times the factor, but for rounding to a whole unit."""
    slack = max(Decimal("0.01"), min(Decimal(1), abs(after) / 200))
    return abs(before * factor - after) <= slack
