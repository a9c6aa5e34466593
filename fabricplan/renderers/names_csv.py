"""``names.csv``: the map that ``verify --names`` reads, found name and name in the plan."""

from __future__ import annotations

from collections.abc import Mapping

from fabricplan.renderers.csv_text import csv_bytes, quoted


def render(names: Mapping[str, str], lang: str) -> dict[str, bytes]:
    """Return the file; the language does not matter."""
    return {"names.csv": csv_bytes(("found", "name"), [list(map(quoted, names)), list(map(quoted, names.values()))])}
