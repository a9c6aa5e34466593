"""Catalogue files as plain entries, and their compiled form. Needs nothing but PyYAML, so that the build hook can
use it; touches no disk.

The compiled form is a cache and never the truth: it carries the SHA-256 of every file that it was made from, and
is used only while all of them still match.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from fabricplan import strictyaml
from fabricplan.errors import CatalogError, Problem

KEY_FIELDS: Mapping[str, str] = {
    "sources": "id", "port-classes": "id", "switches": "model", "adapters": "pn", "platforms": "id",
    "transceivers": "key", "cables": "id", "fibres": "id", "recipes": "id", "refusals": "a",
    "accessories": "pn", "panels": "id",
}  # fmt: skip
"""Kinds of entries (the folder names), and the field that names an entry."""
EXTENDS = "extends"
"""Field of an overlay's entry that changes single facts of the entry below."""
ROWS = ("variants", "lengths")
"""Fields whose rows an overlay may change one by one."""


class RawEntry(NamedTuple):
    """One entry as plain data with the place it was read from."""

    data: dict[str, Any]
    where: str


class Row(NamedTuple):
    """An entry with its kind and key."""

    kind: str
    key: str
    entry: RawEntry


def read_rows(files: Mapping[str, bytes], folder: str) -> tuple[list[Row], list[Problem]]:
    """Return the entries of catalogue files, in name order, and all that is wrong with them.

    Args:
        files: path below the catalogue folder, with ``/`` -> content. The first part names the kind.
        folder: where the files come from, for error places.

    Raises:
        CatalogError: a file is not well-formed YAML.
    """
    rows: list[Row] = []
    problems: list[Problem] = []
    for name in sorted(files):
        place = f"{folder}/{name}"
        kind = name.split("/")[0].removesuffix(".yaml")
        if kind not in KEY_FIELDS:
            problems.append(Problem("unknown-kind", f"'{kind}' is no kind of entry", place,
                                    f"folders: {', '.join(KEY_FIELDS)}"))  # fmt: skip
            continue
        try:
            text = files[name].decode("utf-8-sig")
        except UnicodeDecodeError as caught:
            line = files[name][: caught.start].count(b"\n") + 1
            problems.append(Problem("not-utf8", "the file is not UTF-8 text", f"{place}:{line}", "save it as UTF-8"))
            continue
        items = strictyaml.parse_entries(text, place, CatalogError)
        if items is None:
            problems.append(Problem("not-a-list", "a catalogue file is a list of entries", f"{place}:1"))
            continue
        for item, line in items:
            where, field = f"{place}:{line}", KEY_FIELDS[kind]
            if not isinstance(item, dict) or not isinstance(item.get(field), str):
                problems.append(Problem("no-key", f"an entry of {kind} needs '{field}'", where))
                continue
            key = str(item[field])
            if kind == "refusals":
                speed = f"|{item['link_gbps']}" if "link_gbps" in item else ""
                key = f"{key}|{item.get('b')}{speed}"
            rows.append(Row(kind, key, RawEntry(item, where)))
    return rows, problems


def extend(below: RawEntry, above: RawEntry) -> RawEntry:
    """Return an overlay's entry as it stands over the entry below.

    Without ``extends: true`` it stands alone. With it, every field that it names replaces that field below; rows
    with a part number (``variants``, ``lengths``) are matched by it (by ``key`` where rows have one) and changed
    field by field, new rows follow. Everything else, lists included, is replaced whole.
    """
    if above.data.get(EXTENDS) is not True:
        plain = {field: value for field, value in above.data.items() if field != EXTENDS}
        return RawEntry(plain, above.where)
    merged = dict(below.data)
    for field, value in above.data.items():
        if field == EXTENDS:
            continue
        merged[field] = _rows(merged.get(field), value) if field in ROWS else value
    return RawEntry(merged, above.where)


def changed(below: RawEntry, above: RawEntry) -> tuple[str, ...]:
    """Return the fields in which two entries differ."""
    fields = dict.fromkeys((*below.data, *above.data))
    return tuple(field for field in fields if below.data.get(field) != above.data.get(field))


def _rows(below: Any, above: Any) -> Any:
    if not (isinstance(below, list) and isinstance(above, list) and all(isinstance(row, dict) for row in above)):
        return above
    rows = {_row_key(row): dict(row) for row in below}
    for row in above:
        rows[_row_key(row)] = {**rows.get(_row_key(row), {}), **row}
    return list(rows.values())


def _row_key(row: Mapping[str, Any]) -> str:
    return str(row.get("key") or row.get("pn"))


def digest(entries: Mapping[str, Mapping[str, RawEntry]]) -> str:
    """Return the SHA-256 of entries, independent of the order of files and of comments in them."""
    plain = {kind: {key: entry.data for key, entry in rows.items()} for kind, rows in entries.items()}
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def hashes(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the SHA-256 of every file."""
    return {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}


def compile_files(files: Mapping[str, bytes]) -> bytes:
    """Return the compiled form of catalogue files as JSON.

    Raises:
        CatalogError: with everything that is wrong with the files.
    """
    rows, problems = read_rows(files, "catalog")
    if problems:
        raise CatalogError(*problems)
    entries: dict[str, dict[str, RawEntry]] = {kind: {} for kind in KEY_FIELDS}
    for row in rows:
        entries[row.kind][row.key] = row.entry
    compiled = {
        "files": hashes(files),
        "digest": digest(entries),
        "rows": [[row.kind, row.key, row.entry.data, row.entry.where.removeprefix("catalog/")] for row in rows],
    }
    return json.dumps(compiled, ensure_ascii=False, separators=(",", ":")).encode()


def read_compiled(compiled: bytes, files: Mapping[str, bytes], folder: str) -> tuple[list[Row], str] | None:
    """Return the rows and the digest of a compiled form, or None unless it was made from exactly these files."""
    try:
        tree = json.loads(compiled)
        if tree["files"] != hashes(files):
            return None
        rows = [Row(kind, key, RawEntry(data, f"{folder}/{where}")) for kind, key, data, where in tree["rows"]]
        return rows, str(tree["digest"])
    except (ValueError, KeyError, TypeError):
        return None
