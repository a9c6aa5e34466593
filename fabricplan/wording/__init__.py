"""Wording in Chinese and English: findings, terms, reasons and descriptions of parts.

Documents are language-free: they hold codes and numbers. The sentences stand in one module per language with
the same keys, so that a language is one file to read and one to add.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from fabricplan.catalog import Entry
from fabricplan.errors import Problem, RenderError, nearest
from fabricplan.sizing import Candidate
from fabricplan.values import Finding
from fabricplan.wording.describe import describe_entry
from fabricplan.wording.quantities import Sentence, power, told

__all__ = [
    "LANGUAGES",
    "check_language",
    "describe",
    "hint",
    "label",
    "power",
    "reason",
    "screen_text",
    "severity",
    "term",
    "text",
]


LANGUAGES = ("en", "zh")


def check_language(lang: str) -> None:
    """Refuse a language that has no tables.

    Raises:
        RenderError: another language than those of ``LANGUAGES``.
    """
    if lang not in LANGUAGES:
        raise RenderError(Problem("language", f"no language '{lang}'", "", nearest(str(lang), LANGUAGES)))


def _table(lang: str, name: str) -> Mapping[str, str]:
    check_language(lang)
    table: Mapping[str, str] = getattr(importlib.import_module(f"fabricplan.wording.{lang}"), name)
    return table


def _sentences(lang: str) -> Mapping[str, tuple[str, str]]:
    check_language(lang)
    module = importlib.import_module(f"fabricplan.wording.findings_{lang}")
    table: Mapping[str, tuple[str, str]] = module.TEXT
    return table


def text(finding: Finding, lang: str = "en") -> str:
    """Return what a finding says.

    >>> from fabricplan.values import finding
    >>> text(finding("info", "of-a-newer-version", "compute", ports=3))
    'of-a-newer-version: ports=3'
    """
    return told(finding, _sentences(lang), 0)


def hint(finding: Finding, lang: str = "en") -> str:
    """Return what to do about a finding; empty if nothing can be said."""
    return told(finding, _sentences(lang), 1)


def severity(finding: Finding, lang: str = "en") -> str:
    """Return the word for a finding's severity."""
    return term(finding.severity, lang)


def term(key: str, lang: str = "en") -> str:
    """Return a term or heading.

    >>> term("cabling_plan"), term("cabling_plan", "zh")
    ('cabling plan', '端口互联表')

    Raises:
        KeyError: no such term (a slip of the program, not of the user).
    """
    return _table(lang, "TERMS")[key]


def screen_text(key: str, lang: str, **params: int | str) -> str:
    """Return a piece of the first screen with its numbers."""
    return Sentence().format(_table(lang, "SCREEN")[key], **params)


def label(candidate: Candidate, lang: str = "en") -> str:
    """Return the name of a candidate, with its number; a code of a newer version is told as it stands."""
    worded = _table(lang, "LABELS").get(candidate.option)
    if worded is None:
        return candidate.option if candidate.count is None else f"{candidate.option} {candidate.count}"
    return Sentence().format(worded, count=candidate.count)


def reason(candidate: Candidate, lang: str = "en") -> str:
    """Return why a candidate was chosen or fell, with its numbers."""
    params: dict[str, int | float | str] = {
        "switch_count": candidate.switch_count,
        "optical_end_count": candidate.optical_end_count,
    }
    params.update({param.name: param.value for param in candidate.params})
    worded = _table(lang, "REASONS").get(candidate.reason)
    try:
        return worded.format(**params) if worded else candidate.reason
    except (KeyError, IndexError, ValueError):
        return candidate.reason


def describe(kind: str, entry: Entry, lang: str = "en", length_mm: int | None = None, pn: str | None = None) -> str:
    """Return the description of a part, from a template of its kind; only what the catalogue knows.

    Args:
        kind: kind of bill line or catalogue folder (``switch`` or ``switches`` ...).
        entry: the catalogue entry.
        lang: ``en`` or ``zh``.
        length_mm: the ordered length of a cable or fibre.
        pn: the ordered form of a switch, for its airflow.
    """
    return describe_entry(kind, entry, _table(lang, "PARTS"), _table(lang, "TERMS"), length_mm, pn)
