"""Lines for a terminal: their width, cut and wrapped where Chinese characters take two columns."""

from __future__ import annotations

import re
import unicodedata

DIGITS_MAX = 40
"""A longer number is no count of anything."""
WIDTH = 80
"""Columns of a terminal that every line keeps to."""


def columns(line: str) -> int:
    """Return the columns that a line takes on a terminal; East Asian wide and ambiguous characters take two.

    >>> columns("节点 128")
    8
    """
    if line.isascii():
        return len(line)
    return sum(2 if unicodedata.east_asian_width(letter) in "WFA" else 1 for letter in line)


def cut(line: str, width: int) -> str:
    """Return a line cut to a width, ending in an ellipsis where something is left out."""
    if columns(line) <= width:
        return line
    kept = ""
    for letter in line:
        if columns(kept + letter) > width - 2:
            break
        kept += letter
    return kept.rstrip() + "…"


def wrap(line: str, width: int = WIDTH, indent: str = "  ") -> list[str]:
    """Break a line at blanks, and between Chinese characters, so that no piece is wider than a terminal.

    >>> wrap("one two three", 9)
    ['one two', '  three']
    """
    pieces: list[str] = []
    current = ""
    for token in re.findall(r"[\u3000-\u9fff\uff00-\uffef][，。；：）、]?| +|[^ \u3000-\u9fff\uff00-\uffef]+", line):
        rest = token
        while columns(current + rest.rstrip()) > width:
            if current.strip():
                pieces.append(current.rstrip())
                current, rest = indent, rest.lstrip()
                continue
            head = rest
            while columns(current + head) > width:
                head = head[:-1]
            pieces.append(current + head)
            current, rest = indent, rest[len(head) :]
        current += rest
    if current.strip():
        pieces.append(current.rstrip())
    return pieces


def whole(text: str) -> int | None:
    """Return the whole number that a person typed in plain digits, or None.

    >>> whole(" 42 "), whole("-3"), whole("1_024"), whole("\u00b2"), whole("\uff18")
    (42, -3, None, None, None)
    """
    digits = text.strip()
    plain = digits.isascii() and digits.removeprefix("-").isdecimal() and len(digits) <= DIGITS_MAX
    return int(digits) if plain else None
