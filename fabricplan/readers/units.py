"""What texts around a table say of its amounts: the currency, and whether they are counted in thousands or more."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

from fabricplan.readers.cells import MONEY, WHOLE_MONEY, currency_of

_CHINESE = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "十万": 10**5, "百万": 10**6, "千万": 10**7, "亿": 10**8}
_LATIN = {"k": 1000, "thousand": 1000, "thousands": 1000, "'000": 1000, "000": 1000, "000s": 1000, "'000s": 1000,
          "000's": 1000, "mn": 10**6, "million": 10**6, "millions": 10**6, "m": 10**6}  # fmt: skip
_PARTS = {
    "角": Decimal("0.1"),
    "分": Decimal("0.01"),
    "美分": Decimal("0.01"),
    "cent": Decimal("0.01"),
    "cents": Decimal("0.01"),
}
_HAN = "十万|百万|千万|亿|万|千|百|十"
_COUNT = r"(?P<count>1,?0{3}|10,?000|100,?000|1,?000,?000|10\s?k|100\s?k|ten thousand)"
_SCALES = tuple(re.compile(pattern) for pattern in (
    rf"(?:单位|unit|in|x|×|\*|[(\[])\s*[:=]?\s*{_COUNT}\s*(?:{MONEY}|yuan|[)\]]|$)",
    rf"(?:[(\[:]|\bin)\s*{MONEY}\s*{_COUNT}\s*(?:[)\]]|$)",
    rf"(?<![\d.\s])\s*(?P<unit>{_HAN})\s*{MONEY}", rf"^\s*(?P<unit>{_HAN})\s*{MONEY}",
    rf"{MONEY}\s*(?P<unit>{_HAN})(?![\u4e00-\u9fff])",
    rf"[(\[:]\s*(?:in\s+)?(?P<unit>{_HAN}|角|分|美分|cents?|k|thousands?|'?000'?s?|mn|millions?)\s*(?:[)\]]|$)",
    rf"(?<![a-z\d./,])(?P<times>10+)?\s*(?P<unit>k|thousands?|'?000s?|mn|millions?)\s*(?:of\s*)?{MONEY}",
    rf"(?<![a-z\d/])(?<!\d\s)(?P<unit>m)\s?{MONEY}",
    rf"(?<![a-z]){MONEY}\s*[,(]?\s*(?:in\s+)?(?P<unit>k|thousands?|'?000'?s?|mn|millions?)(?![a-z\d,.])",
    r"\bin\s+(?P<unit>thousands?|millions?|cents)\b", r"\b(?:price|cost)s?\s+(?P<unit>k|'?000'?s?|cents?)$",
))  # fmt: skip
_OF_MONEY = re.compile(r"元(?!器|件|素|旦|年|月)")
_STATED = re.compile(r"单位|币种|货币|计价|报价|价格|price|unit|curren|税\W{0,3}元|[(\[]元[)\]/]", re.IGNORECASE)
_AFTER_UNIT = r"(?:/|[),;。，]|$|\((?=[^()]*(?:税|票|vat|gst|tax)))"


def scale_of(text: str) -> Decimal | None:
    """Return what amounts are to be multiplied by, or None where a text names no such unit; amounts are none.

    >>> scale_of("单价（万元）"), scale_of("price (kUSD)"), scale_of("满 10 万元包邮"), scale_of("单价（元）")
    (Decimal('10000'), Decimal('1000'), None, None)
    >>> scale_of("price ($000)"), scale_of("单价（分）"), scale_of("单位：1,000元"), scale_of("Price x1000")
    (Decimal('1000'), Decimal('0.01'), Decimal('1000'), Decimal('1000'))
    >>> scale_of("Price (10,000 RMB)"), scale_of("Price (RMB10K)"), scale_of("Price (M RMB)")
    (Decimal('10000'), Decimal('10000'), Decimal('1000000'))
    """
    low = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    for pattern in _SCALES:
        if match := pattern.search(low):
            held = match.groupdict()
            if held.get("count"):
                return Decimal(re.sub(r"[\s,]", "", held["count"]).replace("k", "000").replace("tenthousand", "10000"))
            unit = match["unit"]
            if unit in _PARTS:
                return _PARTS[unit]
            return Decimal(_CHINESE.get(unit) or _LATIN[unit]) * Decimal(held.get("times") or "1")
    return None


def plain_unit(text: str) -> bool:
    """Return whether a text says that amounts count in whole units of a currency.

    >>> plain_unit("单位：元"), plain_unit("单位：万元"), plain_unit("Unit: USD/pcs"), plain_unit("单位：元（含13%税）")
    (True, False, True, True)
    """
    low = unicodedata.normalize("NFKC", text).casefold()
    return re.search(rf"(?:单位|\bunits?|\buom)\s*[:=]\s*(?:{MONEY}\s*)+{_AFTER_UNIT}", low) is not None


def without_scale(text: str) -> str:
    """Return a folded heading without the words of a scale.

    >>> without_scale("单价万元"), without_scale("price kusd")
    ('单价元', 'price usd')
    """
    text = re.sub(rf"(?:{_HAN})\s*(?={MONEY})", "", text)
    text = re.sub(rf"(?<![a-z])(?:10+)?(?:k|thousands?|'?000s?|mn|millions?)\s*(?={MONEY})", "", text)
    text = re.sub(rf"(?<![a-z])m\s?(?={MONEY})", "", text)
    text = re.sub(r"(price|cost)(s?)\s+(?:k|'?000'?s?|cents?)$", r"\1\2", text)
    text = re.sub(r"\s*[x×*]\s*1,?0{3,6}$", "", text)
    return re.sub(rf"({MONEY})\s*(?:{_HAN}|k|thousands?|'?000'?s?|mn|millions?)(?![a-z\d\u4e00-\u9fff])", r"\1", text)


def currencies_in(text: str) -> set[str]:
    """Return the currencies that a text names; 元 counts only where it can mean money.

    >>> currencies_in("未税（元）"), currencies_in("含税，满 500 元包邮")
    ({'CNY'}, set())
    >>> currencies_in("价格表（美元）"), currencies_in("电子元器件价格表"), sorted(currencies_in("1 USD = 7.1 CNY"))
    ({'USD'}, set(), ['CNY', 'USD'])
    """
    low = unicodedata.normalize("NFKC", text).casefold()
    found = set()
    for match in re.finditer(WHOLE_MONEY, re.sub(r"(?<![a-z])(k|mn|m)(?=[a-z$]{3}|\$)", " ", low)):
        word = match[0]
        if word == "元" and not (_OF_MONEY.match(low, match.start()) and _STATED.search(low)):
            continue
        if code := currency_of(word):
            found.add(code)
    return found
