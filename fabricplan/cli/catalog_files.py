"""``fabricplan catalog sources``, ``netbox`` and ``schema``: documents behind the facts, and files made from them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabricplan.cli.catalog_mates import AsJson, Overlays
from fabricplan.cli.console import emit, emit_json, say
from fabricplan.errors import Problem, RequirementError, nearest

if TYPE_CHECKING:
    from fabricplan.catalog import Catalog

SOURCES_EXAMPLES = """Examples:

\b
fabricplan catalog sources
fabricplan catalog sources nvidia-qm97x0-manual
fabricplan catalog sources --json"""
NETBOX_EXAMPLES = """Examples:

\b
fabricplan catalog netbox -o device-types"""
SCHEMA_EXAMPLES = """Examples:

\b
fabricplan catalog schema -o catalog/schema"""


def sources(
    name: Annotated[str | None, typer.Argument(
        metavar="[ID]", help="Show all that rests on one document.", show_default=False)] = None,
    catalogs: Overlays = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """List the documents behind the facts and how much rests on each."""
    from fabricplan.catalog import Document
    from fabricplan.files import load_catalog
    from fabricplan.summary import wrap

    catalog = load_catalog(*(catalogs or ()))
    resting = _resting(catalog)
    key = catalog.find("sources", name) if name is not None else None
    if name is not None and key is None:
        raise RequirementError(Problem("unknown-source", f"no document '{name}'", "ID",
                                       nearest(name, catalog.keys("sources"))))  # fmt: skip
    shown = [key] if key is not None else list(catalog.keys("sources"))
    if as_json:
        rows = [{**catalog.raw("sources", item), "used_by": resting[item]} for item in shown]
        emit_json({"schema": "fabricplan/sources/1", "sources": rows})
        return
    lines: list[str] = []
    for item in shown:
        document = catalog.get("sources", item, Document)
        dated = ", ".join(
            part for part in (document.version, document.retrieved and f"read {document.retrieved}") if part
        )
        count = len(resting[item])
        lines += wrap(f"{item}: {document.publisher}, {document.title} ({dated or 'undated'}); "
                      f"{count} {'entry' if count == 1 else 'entries'}", indent="  ")  # fmt: skip
        if key is not None:
            lines += [f"  {document.url}"] if document.url else []
            lines += [f"  {entry}" for entry in resting[item]]
    emit(lines)


def netbox(
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="Folder to write to.", show_default=False)],
    catalogs: Overlays = None,
    as_json: AsJson = False,
) -> None:
    """Write NetBox device types of the switches, one file a part number."""
    from fabricplan.files import load_catalog
    from fabricplan.renderers.netbox_types import device_types

    files, left = device_types(load_catalog(*(catalogs or ())))
    _write(out, files, as_json, {"left_out": left})
    for model, why in left.items():
        say(f"left out: {model}: {why}")


def schema(
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="Folder to write to.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Write the JSON Schema of every kind of catalogue file."""
    from fabricplan.catalog.schemas import schemas

    _write(out, schemas(), as_json)


def _write(out: Path, files: Mapping[str, bytes], as_json: bool, more: Mapping[str, object] | None = None) -> None:
    from fabricplan.files import write

    written = write(out, files)
    if as_json:
        emit_json({"schema": "fabricplan/files/1", "files": written, **(more or {})})
    else:
        emit(written)


def _resting(catalog: Catalog) -> dict[str, list[str]]:
    """Return document -> entries that name it, as ``kind/key``."""
    from fabricplan.catalog import KINDS

    found: dict[str, list[str]] = {key: [] for key in catalog.keys("sources")}
    for kind in KINDS:
        for key in catalog.keys(kind):
            for source in catalog.raw(kind, key).get("sources") or ():
                found.setdefault(source, []).append(f"{kind}/{key}")
    return found
