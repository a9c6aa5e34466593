"""YAML read strictly: no duplicate keys, no aliases, no surprises of YAML 1.1, errors with ``file:line``.

The parser is loaded when it is first asked for: with the compiled catalogue and a request from options there is no
YAML to read.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fabricplan.strictyaml.reading import Plain, line_of, parse, parse_entries

__all__ = ["Plain", "line_of", "parse", "parse_entries"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(importlib.import_module("fabricplan.strictyaml.reading"), name)
    raise AttributeError(f"module 'fabricplan.strictyaml' has no attribute '{name}'")
