"""Amounts, counts, dates and words from the cells of people's tables: read right, or refused with the reason."""

from __future__ import annotations

import datetime
import math
import re
import unicodedata
from decimal import Decimal
from functools import lru_cache

Cell = str | int | float | bool | Decimal | datetime.date | datetime.time | datetime.timedelta | None
"""What a cell holds; ``datetime`` is a ``date``."""

NOT_PRICED = ("", "-", "--", "—", "–", "/", "n/a", "na", "tbd", "待询价", "询价", "待定", "面议", "on request")
"""Words for "no price yet"."""
_CURRENCY_WORDS = {
    "¥": "CNY", "元": "CNY", "rmb": "CNY", "cny": "CNY", "人民币": "CNY", "us$": "USD", "usd": "USD", "$": "USD",
    "美元": "USD", "美金": "USD", "hk$": "HKD", "hkd": "HKD", "港币": "HKD", "港元": "HKD", "港幣": "HKD", "€": "EUR",
    "eur": "EUR", "欧元": "EUR", "£": "GBP", "gbp": "GBP", "英镑": "GBP", "jpy": "JPY", "日元": "JPY", "日圆": "JPY",
    "twd": "TWD", "nt$": "TWD", "新台币": "TWD", "台币": "TWD", "sgd": "SGD", "s$": "SGD", "新元": "SGD", "新币": "SGD",
    "新加坡元": "SGD", "krw": "KRW", "韩元": "KRW", "韩币": "KRW", "₩": "KRW", "inr": "INR", "₹": "INR",
    "印度卢比": "INR", "chf": "CHF", "瑞士法郎": "CHF", "瑞郎": "CHF", "aud": "AUD", "a$": "AUD", "au$": "AUD",
    "澳元": "AUD", "澳币": "AUD", "cad": "CAD", "c$": "CAD", "ca$": "CAD", "加元": "CAD", "加币": "CAD", "aed": "AED",
    "迪拉姆": "AED", "myr": "MYR", "林吉特": "MYR", "马币": "MYR", "thb": "THB", "泰铢": "THB", "฿": "THB",
    "vnd": "VND", "越南盾": "VND", "₫": "VND", "nok": "NOK", "挪威克朗": "NOK", "sek": "SEK", "瑞典克朗": "SEK",
}  # fmt: skip


def _whole(word: str) -> str:
    """Return the pattern of a currency's word that is no part of a longer word."""
    before = r"(?<![a-z])" if word[0].isascii() and word[0].isalpha() else ""
    return rf"{before}{re.escape(word)}" + (r"(?![a-z])" if word[-1].isascii() and word[-1].isalpha() else "")


MONEY = "(?:" + "|".join(re.escape(word) for word in sorted(_CURRENCY_WORDS, key=len, reverse=True)) + ")"
"""Pattern of the words and symbols of currencies, for text that is folded (NFKC, lower case)."""
WHOLE_MONEY = "(?:" + "|".join(_whole(word) for word in sorted(_CURRENCY_WORDS, key=len, reverse=True)) + ")"
"""The same where the words are no parts of longer ones (``usd`` in ``kusd`` is)."""
_OTHER_MONEY = re.compile(
    r"(?<![a-z])(?:ars|bdt|bgn|bhd|bnd|brl|clp|cop|czk|dkk|egp|huf|idr|ils|iqd|isk|jod|kes|khr|kwd|kzt|lak|lkr|mad|mmk"
    r"|mop|mxn|ngn|npr|nzd|omr|pen|php|pkr|pln|qar|ron|rub|sar|try|tnd|uah|uyu|uzs|zar|rm|rs|kr)(?![a-z])"
    r"|(?:r|nz|mx|mex|mop)\$|卢布|卢比|比索|雷亚尔|里亚尔|里拉|兰特|第纳尔|克朗|福林|兹罗提|澳门元|澳门币|纽元|新西兰元|印尼盾|缅元"
)
_SHARED = {"$": ("USD", "HKD", "SGD", "TWD", "AUD", "CAD"), "¥": ("CNY", "JPY")}
"""Symbols of several currencies; the first is meant where nothing else is stated."""
_PLAIN = re.compile(r"[-+]?\d+(\.\d+)?")
_GROUPED = re.compile(r"[-+]?\d{1,3}([,' ])\d{3}(\1\d{3})*(\.\d+)?")
_UNITS = re.compile(r"/\s*(台|块|个|根|套|项|件|条|只|支|张|片|颗|枚|pcs?|pieces?|ea|each|unit|set)\.?$")


class CellError(ValueError):
    """A cell cannot be read; the message says why, without its place."""


def plain(value: Cell) -> str:
    """Return a cell's text: full-width forms made plain, blanks trimmed."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return _plain_text(value if isinstance(value, str) else str(value))


@lru_cache(maxsize=1 << 16)
def _plain_text(text: str) -> str:
    # Readers look at a cell many times: as a heading, as a remark, as a part, as an amount.
    return " ".join((text if text.isascii() else unicodedata.normalize("NFKC", text)).split())


def currency_of(text: str, stated: str | None = None) -> str | None:
    """Return the currency that a text names, or None; ``stated`` decides what ``$`` and ``¥`` mean.

    >>> currency_of("单价（元）"), currency_of("Unit price (USD)"), currency_of("单价")
    ('CNY', 'USD', None)
    """
    low = _OTHER_MONEY.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    for word in sorted(_CURRENCY_WORDS, key=len, reverse=True):
        if re.search(_whole(word), low):
            return stated if stated and stated in _SHARED.get(word, ()) else _CURRENCY_WORDS[word]
    return None


def unknown_currency(text: str) -> str | None:
    """Return the word of a currency that is not among :data:`fabricplan.prices.CURRENCIES`, or None.

    >>> unknown_currency("Price (BRL)"), unknown_currency("单价（卢布）"), unknown_currency("单价（澳元）")
    ('brl', '卢布', None)
    """
    low = unicodedata.normalize("NFKC", text).casefold()
    known = re.sub(MONEY, lambda match: match[0] if len(match[0]) < 2 else " " * len(match[0]), low)
    if match := _OTHER_MONEY.search(known):
        return match[0]
    return next((letter for letter in low if unicodedata.category(letter) == "Sc" and letter not in _CURRENCY_WORDS),
                None)  # fmt: skip


def read_amount(value: Cell, stated: str | None = None) -> tuple[Decimal | None, str | None]:
    """Return amount and currency of a cell; (None, None) for an empty one or a word such as 待询价.

    ``stated`` is the currency that a heading, a title or the book tells: it decides what ``$`` and ``¥`` mean.

    >>> read_amount("¥12,000"), read_amount("１，２３４．５０"), read_amount(None)
    ((Decimal('12000'), 'CNY'), (Decimal('1234.50'), None), (None, None))
    >>> read_amount("¥12,000", "JPY")
    (Decimal('12000'), 'JPY')

    Raises:
        CellError: it holds something else, or something that can be read in two ways, or it names another currency.
    """
    if value is None:
        return None, None
    if isinstance(value, (bool, datetime.date, datetime.time, datetime.timedelta)):
        raise CellError(f"'{value}' is no amount")
    if isinstance(value, Decimal):
        return value, None
    if isinstance(value, int):
        return Decimal(value), None
    if isinstance(value, float):
        if not math.isfinite(value):
            raise CellError(f"'{value}' is no amount")
        # A spreadsheet shows fifteen digits; what lies behind them is noise of binary arithmetic.
        return Decimal(f"{value:.15g}"), None
    text = plain(value)
    if text.casefold() in NOT_PRICED:
        return None, None
    if text.startswith("#"):
        raise CellError(f"'{text}' is an error of a formula")
    found, words = _without_currency(text)
    currency = _settled(text, words, stated)
    if _PLAIN.fullmatch(found):
        return Decimal(found), currency
    if _GROUPED.fullmatch(found):
        return Decimal(re.sub(r"[,' ]", "", found)), currency
    if re.fullmatch(r"\(.+\)", found):
        raise CellError(f"'{text}' stands in brackets, which means below zero")
    if re.search(r"[万亿]|\d\s*[kK]$", found):
        raise CellError(f"'{text}' is not written out in full")
    if re.fullmatch(r"[\d., ']+", found):
        raise CellError(f"'{text}' can be read in more than one way")
    if match := re.search(r"\d\s*(?:\D{0,4}/|每|per)\s*(\S+)$", found):
        raise CellError(f"'{text}' is a price for '{match[1]}', not for one piece")
    raise CellError(f"'{text}' is no amount")


def _without_currency(text: str) -> tuple[str, set[str]]:
    """Split off the currencies before and after the number, and a unit such as ``/台``."""
    low = _UNITS.sub("", text.casefold()).strip()
    for word in sorted(_CURRENCY_WORDS, key=len, reverse=True):
        for cut in (low.removeprefix(word), low.removesuffix(word)):
            if cut != low:
                number, others = _without_currency(cut.strip())
                return number, {word, *others}
    return low.removesuffix("整").strip(), set()


def _settled(text: str, words: set[str], stated: str | None) -> str | None:
    """Return the one currency that the words of a cell can mean together."""
    codes = {_CURRENCY_WORDS[word] for word in words if word not in _SHARED}
    shared = [_SHARED[word] for word in words if word in _SHARED]
    if not codes and shared:
        codes = {stated if stated in shared[0] else shared[0][0]}
    if len(codes) > 1 or any(not codes & set(group) for group in shared):
        raise CellError(f"'{text}' names two currencies")
    code = next(iter(codes), None)
    if code and stated and code != stated:
        raise CellError(f"'{text}' is in {code}, {stated} is stated for it")
    return code


def read_count(value: Cell) -> int | None:
    """Return a whole number, or None for an empty cell.

    Raises:
        CellError: it holds something else.
    """
    if value is not None and plain(value).casefold() in NOT_PRICED:
        return None
    number, _ = read_amount(re.sub(r"\s*(台|块|个|根|套|件|pcs?)$", "", value) if isinstance(value, str) else value)
    if number is not None and number != number.to_integral_value():
        raise CellError(f"'{value}' is no whole number")
    return None if number is None else int(number)


def read_date(value: Cell) -> datetime.date | None:
    """Return a date, or None for an empty cell.

    >>> read_date("2026年11月20日"), read_date("2026/1/5")
    (datetime.date(2026, 11, 20), datetime.date(2026, 1, 5))

    Raises:
        CellError: no date, or day and month can be mistaken for each other.
    """
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    text = plain(value)
    if text.casefold() in NOT_PRICED:
        return None
    match = re.fullmatch(
        r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?( 0+:0+(:0+)?)?", text
    ) or re.fullmatch(r"(20\d{2})(\d{2})(\d{2})", text)
    if match is None:
        raise CellError(f"'{text}' is no date that can be read in one way only")
    try:
        return datetime.date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        raise CellError(f"'{text}' is no day of the calendar") from None
