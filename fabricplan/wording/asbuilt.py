"""Words of the as-built documents: survey, verification, delivery; from one table per language."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from fabricplan.values import Finding
from fabricplan.wording.quantities import told


def say(key: str, lang: str, **params: int | float | str) -> str:
    """Return a word or sentence with its numbers.

    >>> say("swap", "en"), say("swap", "zh")
    ('two plugs exchanged', '两个插头互换')

    Raises:
        KeyError: no such sentence (a slip of the program, not of the user).
    """
    table: Mapping[str, str] = importlib.import_module(f"fabricplan.wording.asbuilt_{lang}").PAGE
    return table[key].format(**params)


def asbuilt_text(finding: Finding, lang: str) -> str:
    """Return what a finding says."""
    return told(finding, _sentences(lang), 0)


def asbuilt_hint(finding: Finding, lang: str) -> str:
    """Return what to do about a finding; empty if nothing can be said."""
    return told(finding, _sentences(lang), 1)


def _sentences(lang: str) -> Mapping[str, tuple[str, str]]:
    table: Mapping[str, tuple[str, str]] = importlib.import_module(f"fabricplan.wording.asbuilt_{lang}").TEXT
    return table
