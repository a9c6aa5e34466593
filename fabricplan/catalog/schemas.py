"""JSON Schemas of catalogue files, one a kind, made from the types: for editors and for a company's own checks."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter

from fabricplan.catalog import KINDS
from fabricplan.rawcatalog import EXTENDS

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, bytes]:
    """Return file name -> JSON Schema of every kind.

    A file is a list of entries. An entry is whole, or (in an overlay) holds ``extends: true``, its key and only
    the fields that it changes.
    """
    return {f"{kind}.json": _text(kind) for kind in KINDS}


def _text(kind: str) -> bytes:
    whole = TypeAdapter(KINDS[kind].type).json_schema()
    definitions: dict[str, Any] = whole.pop("$defs", {})
    keys = ["a", "b"] if kind == "refusals" else [KINDS[kind].key]
    change = {
        "type": "object", "additionalProperties": False, "required": [*keys, EXTENDS],
        "description": "In an overlay: changes the named facts of the entry below.",
        "properties": {EXTENDS: {"const": True}} | {
            field: _loose(value) for field, value in whole["properties"].items()
        },
    }  # fmt: skip
    tree = {
        "$schema": DIALECT, "title": f"fabricplan catalogue: {kind}", "type": "array",
        "items": {"anyOf": [whole, change]}, "$defs": definitions,
    }  # fmt: skip
    return (json.dumps(tree, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _loose(field: dict[str, Any]) -> dict[str, Any]:
    """Return a field without its rows' required fields: an overlay's row names its number and what changes."""
    items = field.get("items", {})
    return {**field, "items": {"type": "object"}} if "$ref" in items else field
