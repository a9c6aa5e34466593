"""Texts in both languages, and the short phrases of trade that are turned from one into the other."""

from __future__ import annotations

import re

from fabricplan.values import Value


class Text(Value):
    """A text in both languages; one that was given once stands for both."""

    en: str
    zh: str


def both(text: str) -> Text:
    """Return a text that is the same in both languages."""
    return Text(en=text, zh=text)


IN_STOCK = Text(en="in stock", zh="现货")
TO_CONFIRM = Text(en="to be confirmed", zh="待确认")
_NUMERALS = {"半": "0.5", "一": "1", "二": "2", "两": "2", "三": "3", "四": "4", "五": "5", "六": "6", "七": "7",
             "八": "8", "九": "9", "十": "10", "十二": "12"}  # fmt: skip
_NUMBER = rf"\d+|{'|'.join(sorted(_NUMERALS, key=len, reverse=True))}"
_DURATION = re.compile(
    rf"(?P<about>约|大约|about\s|approx\.?\s|~)?\s*(?P<first>{_NUMBER})(?:\s*[-–~至到]\s*(?P<last>{_NUMBER}))?\s*个?\s*"
    r"(?P<unit>周|星期|weeks?|wks?|w|工作日|working\sdays?|天|日|days?|d|月|months?|年|years?|yrs?|y)", re.IGNORECASE,
)  # fmt: skip
_UNITS = (
    (("工作日", "working"), "working day", "个工作日"), (("周", "星期", "w"), "week", "周"),
    (("天", "日", "d"), "day", "天"), (("月", "m"), "month", "个月"), (("年", "y"), "year", "年"),
)  # fmt: skip
_PHRASES = (
    (("现货", "有货", "in stock", "stock", "ex stock"), IN_STOCK),
    (("待确认", "待定", "to be confirmed", "tbc", "tbd"), TO_CONFIRM),
)


def spoken(text: str) -> Text:
    """Return a duration, or a phrase such as 现货, in both languages; any other text stands for both.

    >>> spoken("三年").en, spoken("8周").en, spoken("1 year").zh, spoken("8-10 weeks").zh, spoken("上门").en
    ('3 years', '8 weeks', '1 年', '8-10 周', '上门')
    """
    plain = text.strip()
    for words, found in _PHRASES:
        if plain.casefold() in words:
            return found
    match = _DURATION.fullmatch(plain)
    if match is None:
        return both(text)
    span = "-".join(_NUMERALS.get(number, number) for number in (match["first"], match["last"]) if number)
    unit = match["unit"].casefold()
    en, zh = next((en, zh) for starts, en, zh in _UNITS if unit.startswith(starts))
    about = ("about ", "约 ") if match["about"] else ("", "")
    return Text(en=f"{about[0]}{span} {en}{'' if span == '1' else 's'}", zh=f"{about[1]}{span} {zh}")


def lead_time(text: str | None, stock: int | None, quantity: int) -> Text | None:
    """Return a lead time in both languages, parted where the stock covers a part of the quantity.

    What the stock does not cover has a lead time of its own; a text that says "in stock" is none.

    >>> lead_time("8周", 20, 48).zh, lead_time("8 weeks", 50, 48).en, lead_time("现货", 3, 5).zh
    ('现货 20/期货 28（8 周）', 'in stock', '现货 3/期货 2（待确认）')
    """
    words = spoken(text) if text and text.strip() else None
    if stock is None:
        return words
    if stock >= quantity:
        return IN_STOCK
    if stock == 0:
        return TO_CONFIRM if words == IN_STOCK else words
    later = TO_CONFIRM if words is None or words == IN_STOCK else words
    rest = quantity - stock
    return Text(en=f"{stock} in stock / {rest} on order ({later.en})", zh=f"现货 {stock}/期货 {rest}（{later.zh}）")
