"""Sentences with numbers: as many digits as a reader needs, with their unit; and what a finding says."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

from fabricplan.values import Finding


def power(watts: float) -> str:
    """Return a power.

    >>> power(720), power(82_560), power(17_612_800)
    ('720 W', '82.6 kW', '17.6 MW')
    """
    for unit, size in (("MW", 1_000_000), ("kW", 1000)):
        if watts >= size:
            return f"{watts / size:,.1f} {unit}"
    return f"{watts:,.0f} W"


class Sentence(string.Formatter):
    """Fills sentences; beside Python's formats it knows ``power`` (of W), ``metres`` and words for one or several.

    >>> Sentence().format("{known_w:power} over {longest_m:metres}", known_w=1720, longest_m=4.847)
    '1.7 kW over 4.8 m'
    >>> [Sentence().format("{nodes:,} {nodes:node is|nodes are} new", nodes=count) for count in (1, 1024)]
    ['1 node is new', '1,024 nodes are new']
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return one value in its format."""
        if format_spec == "power":
            return power(value)
        if format_spec == "metres":
            return f"{round(value, 1):,.10g} m"
        one, several, others = format_spec.partition("|")
        if several:
            return one if str(value) == "1" else others
        return str(super().format_field(value, format_spec))


def told(found: Finding, sentences: Mapping[str, tuple[str, str]], part: int) -> str:
    """Return what a finding says (``part`` 0) or what to do about it (1), from a table of both by code.

    A code of a newer version, or one that lacks a number, is told as it stands; there is nothing to do about it.

    >>> from fabricplan.values import finding
    >>> table = {"full": ("{subject}: {ports:,} ports taken", "add a leaf")}
    >>> [told(finding("info", "full", "compute", ports=2048), table, part) for part in (0, 1)]
    ['compute: 2,048 ports taken', 'add a leaf']
    >>> told(finding("info", "full", "compute", cages=9), table, 0)
    'full: cages=9'
    """
    params = {param.name: param.value for param in found.params}
    sentence = sentences.get(found.code)
    if sentence is not None:
        try:
            return Sentence().format(sentence[part], **{"subject": found.subject, **params})
        except (KeyError, IndexError, ValueError):
            pass
    plain = ", ".join(f"{name}={value}" for name, value in params.items())
    return "" if part else f"{found.code}: {plain}" if plain else found.code
