"""Headings of people's tables: how they are compared, and the words for the columns that every table of parts has."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from fabricplan.readers.cells import WHOLE_MONEY
from fabricplan.readers.goods import without_goods
from fabricplan.readers.units import without_scale

PART = ("型号", "产品型号", "部件号", "部件编号", "物料型号", "规格型号", "设备型号", "料号", "零件号", "部件型号",
        "part number", "part numbers", "part no", "partno", "partnumber", "part", "pn", "p/n", "model", "model number",
        "model no", "product number", "product no", "product", "mpn", "manufacturer part number",
        "manufacturer part no", "mfr part number", "mfr part no", "mfg part number", "vendor part number")  # fmt: skip
"""Headings of a column of part numbers, as :func:`fold_heading` leaves them; all readers share them."""
OPN = ("原厂料号", "订货号", "订货料号", "原厂编码", "原厂型号", "opn", "order number", "ordering part number", "sku",
       "nvidia sku", "nvidia opn", "order no", "order code", "ordering code")  # fmt: skip
"""Headings of a column of order numbers."""
_TAX_WORDS = (
    r"不含税|未含税|未税|含税|税前|税后|不含|增值税|(excl|incl)(uding|usive|uded|udes?|\.)?( of)?( vat| tax| gst)?"
    r"|\b(before|after|pre|post|with|without|ex|plus)[\s-]+(vat|tax|gst)\b|\b(vat|tax|gst)\b[\s-]*(incl|excl)?(usive|uded)?"
)
_CURRENCIES = re.compile(WHOLE_MONEY)


def fold_heading(text: str) -> str:
    """Return a heading without brackets, currency, tax words, units of goods and punctuation.

    >>> fold_heading("含税单价（元）"), fold_heading("Unit Price (USD, excl. VAT)"), fold_heading("Part No.")
    ('单价', 'unit price', 'part no')
    >>> fold_heading("含13%税单价"), fold_heading("不含 13% 增值税单价")
    ('单价', '单价')
    >>> fold_heading("单价/台"), fold_heading("Price per 100 pcs"), fold_heading("型号（必填）*")
    ('单价', 'price', '型号')
    """
    low = unicodedata.normalize("NFKC", text).casefold().replace("\n", " ")
    low = without_scale(re.sub(r"[(\[【].*?[)\]】]", " ", low))
    low = re.sub(r"含\s*\d+(\.\d+)?\s*%\s*(的)?\s*(增值)?税", "含税", low)
    low = re.sub(r"\d+(\.\d+)?\s*%", " ", low).replace("w/o ", "without ").replace("w/ ", "with ")
    low = without_goods(low)
    low = re.sub(_TAX_WORDS, " ", low)
    low = _CURRENCIES.sub(" ", low)
    low = re.sub(r"[:*.#_$¥€£、,]|(?<=\s)/|/(?=\s)|\s-\s", " ", low)
    return re.sub(r"\s+(?:in|of|for)$", "", re.sub(r"\s+", " ", low).strip(" -/,+"))


def field_of(heading: str, by_heading: Mapping[str, str]) -> str | None:
    """Return the field of a heading; of a bilingual one, of either half; of two names with a stroke, if they agree.

    >>> field_of("型号 Part number", {"型号": "part", "part number": "part"})
    'part'
    >>> field_of("型号/料号", {"型号": "part", "料号": "part"})
    'part'
    >>> field_of("序列号 S/N", {"序列号": "serial", "s/n": "serial"})
    'serial'
    """
    folded = fold_heading(heading)
    if folded in by_heading:
        return by_heading[folded]
    if "/" in folded:
        both = {by_heading.get(half.strip()) for half in folded.split("/")}
        if len(both) == 1 and None not in both:
            return both.pop()
    chinese = re.sub(r"[^\u4e00-\u9fff]", "", folded)
    latin = re.sub(r"[\u4e00-\u9fff]", "", folded).strip(" -/,")
    halves = {by_heading.get(chinese), by_heading.get(latin)} if chinese and latin else {None}
    return halves.pop() if len(halves) == 1 else None


def by_heading(headings: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return heading -> field; of a heading that two fields claim, the first."""
    found: dict[str, str] = {}
    for field, words in headings.items():
        for word in words:
            found.setdefault(word, field)
    return found
