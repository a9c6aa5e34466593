"""The user's settings file: seller, terms, price books, template, language. The command line reads it, the library
never.

It is the file of ``--settings``, else the one that ``FABRICPLAN_SETTINGS`` names, else ``fabricplan/settings.yaml`` in
the user's configuration folder. Paths in it are relative to it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from fabricplan import strictyaml
from fabricplan.errors import Problem, ReadError, nearest
from fabricplan.files import read_text

FIELDS = ("seller", "terms", "prices", "template", "lang", "catalogs")

_FORMS: Mapping[str, Any] = {"seller": dict, "terms": (str, dict), "template": str, "lang": str}
_ADVICE = {"seller": "write its fields below it, name: first",
           "terms": "fields below it, or the path of a file of terms",
           "template": "the path of a workbook", "lang": "zh, en or both"}  # fmt: skip


class Settings(NamedTuple):
    """What a settings file says; empty without one."""

    terms: Mapping[str, Any] = {}
    prices: tuple[Path, ...] = ()
    template: Path | None = None
    lang: str | None = None
    catalogs: tuple[Path, ...] = ()


def settings_path() -> Path:
    """Return where the settings file is looked for when no option names one."""
    named = os.environ.get("FABRICPLAN_SETTINGS")
    if named:
        return Path(named)
    base = os.environ.get("APPDATA") if os.name == "nt" else os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "fabricplan" / "settings.yaml"


def load_settings(path: Path | None) -> Settings:
    """Return the settings.

    Args:
        path: the file; absent: the usual place, where it may be missing.

    Raises:
        ReadError: the file cannot be read, or a field is unknown or of the wrong form, as ``file:line``.
    """
    found = path or settings_path()
    if path is None and not os.environ.get("FABRICPLAN_SETTINGS") and not found.is_file():
        return Settings()
    text, name = read_text(found), str(found)
    tree = strictyaml.parse(text, name, ReadError, str) or {}
    if not isinstance(tree, dict):
        raise ReadError(Problem("settings-form", "settings are a mapping of fields", f"{name}:1",
                                f"known: {', '.join(FIELDS)}"))  # fmt: skip
    problems = []
    for key, value in tree.items():
        where = f"{name}:{strictyaml.line_of(text, (key,))}"
        if key not in FIELDS:
            problems.append(Problem("settings-field", f"no such field '{key}'", where, nearest(key, FIELDS)))
        elif not isinstance(value, _FORMS.get(key, (str, list))):
            problems.append(Problem("settings-field", f"{key} is of the wrong form", where, _ADVICE.get(
                key, "a path, or a list of paths")))  # fmt: skip
    if problems:
        raise ReadError(*problems)
    seller: Any = tree.get("seller")
    terms: Any = tree.get("terms") or {}
    if isinstance(terms, str):
        terms = _terms_file(found.parent / terms)
    template, lang = tree.get("template"), tree.get("lang")
    return Settings(
        terms={**terms, **({"seller": seller} if seller else {})}, prices=_paths(found, tree.get("prices")),
        template=found.parent / str(template) if template else None, lang=str(lang) if lang else None,
        catalogs=_paths(found, tree.get("catalogs")),
    )  # fmt: skip


def _terms_file(path: Path) -> Mapping[str, Any]:
    """Return the fields of a file of terms that the settings name."""
    tree = strictyaml.parse(read_text(path), str(path), ReadError, str)
    if not isinstance(tree, dict):
        raise ReadError(Problem("terms-form", "terms are a mapping of fields", f"{path}:1",
                                "see examples/demo-terms.yaml"))  # fmt: skip
    return tree


def _paths(settings: Path, value: object) -> tuple[Path, ...]:
    words = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(settings.parent / str(word) for word in words)
