"""Access to the words of rack elevations, the floor plan and the crew pack."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from fabricplan.wording.quantities import Sentence


def crew_terms(lang: str) -> Mapping[str, str]:
    """Return all words of a language."""
    table: Mapping[str, str] = importlib.import_module(f"fabricplan.wording.crew_{lang}").TERMS
    return table


def crew_text(key: str, lang: str, **params: int | float | str) -> str:
    """Return a word or sentence with its numbers.

    >>> crew_text("used_u", "en", used=12, total=42)
    '12 of 42 U used'

    Raises:
        KeyError: no such text (a slip of the program, not of the user).
    """
    return Sentence().format(crew_terms(lang)[key], **params)
