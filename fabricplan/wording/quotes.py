"""Access to the words of quotes: a term in a language, or in both at once."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Literal

from fabricplan.values import Finding

QuoteLanguage = Literal["en", "zh", "both"]
QUOTE_LANGUAGES: tuple[QuoteLanguage, ...] = ("en", "zh", "both")


def _table(lang: str, name: str) -> Mapping[str, str]:
    table: Mapping[str, str] = getattr(importlib.import_module(f"fabricplan.wording.quote_{lang}"), name)
    return table


def quote_term(key: str, lang: str) -> str:
    """Return a word of a quote; for ``both`` the Chinese word, a blank, the English one.

    >>> quote_term("quantity", "zh"), quote_term("quantity", "both")
    ('数量', '数量 Qty')

    Raises:
        KeyError: no such term (a slip of the program, not of the user).
    """
    if lang == "both":
        zh, en = _table("zh", "TERMS")[key], _table("en", "TERMS")[key]
        return zh if zh == en else f"{zh} {en}"
    return _table(lang, "TERMS")[key]


def joined(zh: str, en: str, lang: str, between: str = "\n") -> str:
    """Return the text of a language; for ``both`` Chinese above English, once where they are equal."""
    if lang == "both":
        return zh if zh == en else f"{zh}{between}{en}"
    return zh if lang == "zh" else en


def quote_finding(found: Finding, lang: str) -> str:
    """Return what a finding of a quote says, to the seller."""
    params: dict[str, object] = {param.name: param.value for param in found.params}
    pattern = _table("zh" if lang == "zh" else "en", "FINDINGS").get(found.code)
    if pattern is None:
        return f"{found.code}: {found.subject}"
    if "lacking" in params:
        names = [quote_term(name, "zh" if lang == "zh" else "en") for name in str(params["lacking"]).split(",")]
        params["lacking"] = quote_term("comma", "zh" if lang == "zh" else "en").join(names)
    return pattern.format(subject=found.subject, **params)
