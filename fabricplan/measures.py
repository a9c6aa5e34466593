"""Lengths as people write them, to whole millimetres: the one parser of metres for options, requests and tables."""

from __future__ import annotations

import re
import unicodedata
from decimal import ROUND_CEILING, Decimal

MM_OF: dict[str, Decimal] = {
    "m": Decimal(1000), "meter": Decimal(1000), "meters": Decimal(1000), "metre": Decimal(1000),
    "metres": Decimal(1000), "mtr": Decimal(1000), "米": Decimal(1000), "公尺": Decimal(1000),
    "cm": Decimal(10), "centimeter": Decimal(10), "centimeters": Decimal(10), "centimetre": Decimal(10),
    "centimetres": Decimal(10), "厘米": Decimal(10), "公分": Decimal(10),
    "mm": Decimal(1), "millimeter": Decimal(1), "millimeters": Decimal(1), "millimetre": Decimal(1),
    "millimetres": Decimal(1), "毫米": Decimal(1),
    "ft": Decimal("304.8"), "foot": Decimal("304.8"), "feet": Decimal("304.8"), "'": Decimal("304.8"),
    "英尺": Decimal("304.8"), "呎": Decimal("304.8"),
    "in": Decimal("25.4"), "inch": Decimal("25.4"), "inches": Decimal("25.4"), '"': Decimal("25.4"),
    "英寸": Decimal("25.4"), "吋": Decimal("25.4"),
}  # fmt: skip
"""Unit as written -> millimetres. The international foot and inch are exact."""
NOISE = Decimal("0.000001")
"""Fractions of a millimetre below this are no measurement."""
_NUMBER = r"[0-9]{1,9}(?:\.[0-9]{0,20})?|\.[0-9]{1,20}"
_UNIT = "|".join(sorted(map(re.escape, MM_OF), key=len, reverse=True))
_PIECE = re.compile(rf"({_NUMBER})\s*(?:({_UNIT})(?![^\W\d_]))?\.?\s*")
_COMMA = re.compile(r"[0-9][0-9 ]*,[0-9,.]*")


class LengthError(ValueError):
    """A text is no length; the message says why."""


def unit_of(text: str) -> str | None:
    """Return the unit that a heading names: the last unit among its words.

    >>> unit_of("Surveyed length (m)"), unit_of("长度（厘米）"), unit_of("length_mm"), unit_of("length")
    ('m', '厘米', 'mm', None)
    """
    low = _folded(text)
    words: list[str] = re.findall(r"[a-z]+|[\u4e00-\u9fff]+", low)
    for word in reversed(words):
        if word in MM_OF:
            return word
        for unit in ("毫米", "厘米", "公分", "英尺", "英寸", "公尺", "米"):
            if word.endswith(unit):
                return unit
    return None


def length_mm(text: str, unit: str | None = None) -> int:
    """Return a length in millimetres, rounded up to whole ones: a cable must not be shorter than what was measured.

    Args:
        text: a number, with its unit or without; feet and inches may stand together (``13 ft 9 in``).
        unit: the unit of a number that has none.

    >>> length_mm("4.2 m"), length_mm("420", "cm"), length_mm("13 ft 9 in"), length_mm("12'6\\""), length_mm("３米")
    (4200, 4200, 4191, 3810, 3000)

    Raises:
        LengthError: no number, a decimal comma, a number without unit, an unknown unit, or not above zero.
    """
    low = _folded(text)
    plain = low.lstrip("+")
    if plain.startswith(("-", "\u2212", "\u2013")):
        raise LengthError(f"'{text}' is below zero")
    if _COMMA.match(plain):
        raise LengthError(f"'{text}' has a comma, which can mean thousands or decimals; write a point")
    total, at = Decimal(0), 0
    units: list[Decimal] = []
    while at < len(plain):
        piece = _PIECE.match(plain, at)
        word = re.match(r"[^\W\d_]+", plain[piece.end() :]) if piece and piece[2] is None else None
        if word:
            raise LengthError(f"'{text}': '{word[0]}' is no unit of length known here; m, cm, mm, ft and in are")
        named = piece and (piece[2] or (unit if not units else None))
        if piece is None or (named is None and units):
            raise LengthError(f"'{text}' is no length")
        if named is None:
            raise LengthError(f"'{text}' has no unit, nor has its heading; write m, cm, mm, ft or in")
        units.append(MM_OF[named])
        total += Decimal(piece[1]) * MM_OF[named]
        at = piece.end()
    if not units or units != sorted(units, reverse=True) or len(set(units)) != len(units):
        raise LengthError(f"'{text}' is no length")
    if total <= 0:
        raise LengthError(f"'{text}' is not above zero")
    # what a spreadsheet computed may be off by its last binary digit
    return int(total.quantize(NOISE).to_integral_value(ROUND_CEILING))


def _folded(text: str) -> str:
    """Return a text with full-width forms made plain, in small letters, its typographic feet and inches as typed."""
    low = unicodedata.normalize("NFKC", text).casefold().strip()
    return low.replace("\u2032", "'").replace("\u2019", "'").replace("\u2033", '"').replace("\u201d", '"')
