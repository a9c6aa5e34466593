"""The JSON Schemas beside the catalogue are those of the types, and every shipped entry keeps to them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fabricplan.catalog import KINDS, Catalog
from fabricplan.catalog.schemas import schemas
from fabricplan.files import data_folder

SHIPPED = data_folder("catalog") / "schema"


def test_shipped_schemas_are_fresh() -> None:
    held = {path.name: path.read_bytes() for path in SHIPPED.glob("*.json")}
    assert held == schemas(), "run: fabricplan catalog schema -o catalog/schema"


def fits(tree: dict[str, Any], schema: dict[str, Any], value: Any) -> bool:
    """Tell whether a value keeps to the parts of JSON Schema that these files use."""
    if "$ref" in schema:
        return fits(tree, tree["$defs"][schema["$ref"].rpartition("/")[2]], value)
    if "anyOf" in schema:
        return any(fits(tree, choice, value) for choice in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return value in schema.get("enum", [schema.get("const")])
    if "prefixItems" in schema:
        pairs = zip(schema["prefixItems"], value, strict=True)
        return isinstance(value, list) and all(fits(tree, item, piece) for item, piece in pairs)
    kind = schema.get("type")
    if kind == "object":
        known = schema.get("properties", {})
        return (
            isinstance(value, dict) and set(schema.get("required", ())) <= set(value)
            and (set(value) <= set(known) or schema.get("additionalProperties", True) is not False)
            and all(fits(tree, known[field], item) for field, item in value.items() if field in known)
        )  # fmt: skip
    if kind == "array":
        enough = isinstance(value, list) and len(value) >= schema.get("minItems", 0)
        return enough and all(fits(tree, schema["items"], item) for item in value)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    types: dict[Any, type] = {"string": str, "integer": int, "null": type(None)}
    return isinstance(value, types[kind]) and not (kind == "integer" and isinstance(value, bool))


@pytest.mark.parametrize("kind", KINDS)
def test_entries_keep_to_the_schema(catalog: Catalog, kind: str) -> None:
    tree = json.loads(schemas()[f"{kind}.json"])
    for key in catalog.keys(kind):
        assert fits(tree, tree, [catalog.raw(kind, key)]), key


def test_what_is_wrong_does_not_pass(catalog: Catalog) -> None:
    tree = json.loads(schemas()["cables.json"])
    good = catalog.raw("cables", "mcp4y10")
    assert fits(tree, tree, [good])
    assert not fits(tree, tree, [{**good, "links": "two"}])
    assert not fits(tree, tree, [{**good, "colour": "black"}])
    assert not fits(tree, tree, [{key: value for key, value in good.items() if key != "sources"}])
    assert fits(tree, tree, [{"id": "mcp4y10", "extends": True, "status": "retired"}])
    assert not fits(tree, tree, [{"id": "mcp4y10", "status": "retired"}])
