"""Words of the as-built documents: survey, verification, delivery; from one table per language."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from fabricplan.values import Finding


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
    return _fill(finding, lang, 0)


def asbuilt_hint(finding: Finding, lang: str) -> str:
    """Return what to do about a finding; empty if nothing can be said."""
    return _fill(finding, lang, 1)


def _fill(finding: Finding, lang: str, part: int) -> str:
    table: Mapping[str, tuple[str, str]] = importlib.import_module(f"fabricplan.wording.asbuilt_{lang}").TEXT
    params = {item.name: item.value for item in finding.params}
    return table[finding.code][part].format(subject=finding.subject, **params)
