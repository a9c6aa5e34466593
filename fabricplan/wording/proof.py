"""Words of a proof: its findings and its page, from one table per language."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import ModuleType

from fabricplan.values import Finding
from fabricplan.wording import hint, text
from fabricplan.wording.quantities import told


def say(key: str, lang: str, **params: int | str) -> str:
    """Return a sentence of the page with its numbers.

    >>> say("title", "zh")
    '无阻塞计算书（软件校验，非第三方检测）'

    Raises:
        KeyError: no such sentence (a slip of the program, not of the user).
    """
    table: Mapping[str, str] = _module(lang).PAGE
    return table[key].format(**params)


def proof_text(finding: Finding, lang: str) -> str:
    """Return what a finding of a proof says, or of a check of its plan; one of a newer version as it stands."""
    table: Mapping[str, tuple[str, str]] = _module(lang).TEXT
    return told(finding, table, 0) if finding.code in table else text(finding, lang)


def proof_hint(finding: Finding, lang: str) -> str:
    """Return what to do about a finding of a proof; empty if nothing can be said."""
    table: Mapping[str, tuple[str, str]] = _module(lang).TEXT
    return told(finding, table, 1) if finding.code in table else hint(finding, lang)


def _module(lang: str) -> ModuleType:
    return importlib.import_module(f"fabricplan.wording.proof_{lang}")
