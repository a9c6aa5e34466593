"""Words of tables: headings, sheet names, the text of uses and lengths."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from fabricplan.bom import BomLine
from fabricplan.wording import term


def _table(lang: str, name: str) -> Mapping[str, str]:
    table: Mapping[str, str] = getattr(importlib.import_module(f"fabricplan.wording.tables_{lang}"), name)
    return table


def word(key: str, lang: str) -> str:
    """Return a word of the tables, else of the common terms.

    Raises:
        KeyError: no such word (a slip of the program, not of the user).
    """
    table = _table(lang, "TERMS")
    return table[key] if key in table else term(key, lang)


def word_or_name(key: str, lang: str) -> str:
    """Return a word, or the key itself where it is a name that the user gave."""
    try:
        return word(key, lang)
    except KeyError:
        return key


def heading(key: str, lang: str) -> str:
    """Return a word as a heading: with a capital letter.

    >>> heading("length_m", "en"), heading("length_m", "zh")
    ('Length (m)', '长度 (m)')
    """
    text = word(key, lang)
    return text[:1].upper() + text[1:]


def sheet_name(key: str, lang: str) -> str:
    """Return the name of a workbook sheet."""
    return _table(lang, "SHEETS")[key]


def metres(length_mm: int | None) -> int | float | None:
    """Return a length in metres.

    >>> metres(30000), metres(1500), metres(None)
    (30, 1.5, None)
    """
    if length_mm is None:
        return None
    return length_mm // 1000 if length_mm % 1000 == 0 else length_mm / 1000


def uses_text(line: BomLine, lang: str) -> str:
    """Return what a line of the bill serves: ``compute leaf 32; compute spine 16``."""
    return ("；" if lang == "zh" else "; ").join(
        f"{use.fabric} {word_or_name(use.role, lang)} {use.quantity}" for use in line.uses
    )
