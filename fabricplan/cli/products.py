"""``fabricplan catalog``: what products are known, with their facts and sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fabricplan.cli import catalog_mates
from fabricplan.cli.console import complain, emit, emit_json
from fabricplan.errors import Problem, RequirementError, nearest

if TYPE_CHECKING:
    from fabricplan.catalog import Catalog

SHOWN = ("switches", "adapters", "platforms", "transceivers", "cables", "fibres", "accessories")
LANE_GBPS = {"edr": 25, "hdr100": 50, "hdr": 50, "ndr200": 100, "ndr": 100, "xdr": 200}
"""Lane speed of the parts of an InfiniBand generation."""
PROSE = ("notes", "split_mode_rules")
"""Fields that hold sentences."""

CATALOG_EXAMPLES = """Examples:

\b
fabricplan catalog list --kind switches --gen ndr
fabricplan catalog show qm9700
fabricplan catalog mates QM9700 MCX75310AAS-NEAT --length-m 30
fabricplan catalog replace MCP1650-H002E26 --length-m 2
fabricplan catalog check our-parts"""
LIST_EXAMPLES = """Examples:

\b
fabricplan catalog list --kind switches
fabricplan catalog list --gen xdr --status active
fabricplan catalog list --technology ethernet --json"""
SHOW_EXAMPLES = """Examples:

\b
fabricplan catalog show QM9700
fabricplan catalog show mma4z00ns
fabricplan catalog show dgx-h100 --json"""
CHECK_EXAMPLES = """Examples:

\b
fabricplan catalog check
fabricplan catalog check --catalog our-parts"""

Overlays = Annotated[list[Path] | None, typer.Option(
    "--catalog", metavar="DIR", help="Company catalogue laid over the shipped one; repeat.")]  # fmt: skip
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")]

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
app.command("mates", epilog=catalog_mates.MATES_EXAMPLES)(catalog_mates.mates)
app.command("replace", epilog=catalog_mates.REPLACE_EXAMPLES)(catalog_mates.replace)


@app.command("list", epilog=LIST_EXAMPLES)
def list_products(
    kind: Annotated[str | None, typer.Option(
        "--kind", metavar="KIND", help=f"One of {', '.join(SHOWN)}.", autocompletion=lambda: list(SHOWN))] = None,
    gen: Annotated[str | None, typer.Option(
        "--gen", metavar="RATE", help="InfiniBand generation or Ethernet rate (ndr, 400gbe).")] = None,
    technology: Annotated[str | None, typer.Option(
        "--technology", metavar="WORD", help="infiniband or ethernet.")] = None,
    status: Annotated[str | None, typer.Option(
        "--status", metavar="WORD", help="active, retired, unlisted, planned or unverified.")] = None,
    catalogs: Overlays = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """List products: kind, name, status and what it is."""
    from fabricplan.files import load_catalog
    from fabricplan.terminal import cut

    _known("--kind", kind, SHOWN)
    _known("--technology", technology, ("infiniband", "ethernet"))
    _known("--status", status, ("active", "retired", "unlisted", "planned", "unverified"))
    catalog = load_catalog(*(catalogs or ()))
    rows = [
        {"kind": each, "name": key, "pn": data.get("pn"), "status": data["status"],
         "title": _title(data)}
        for each in ([kind] if kind else SHOWN)
        for key, data in _entries(catalog, each)
        if (technology is None or technology in _technologies(data))
        and (status is None or data["status"] == status)
        and (gen is None or _of_generation(data, gen.casefold()))
    ]  # fmt: skip
    if as_json:
        emit_json({"schema": "fabricplan/products/1", "products": rows})
        return
    emit(cut(f"{row['kind'][:12]:<13}{row['name']:<20} {row['status']:<11}{row['title']}", 80) for row in rows)


@app.command("show", epilog=SHOW_EXAMPLES)
def show_product(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Model, part number or id.", show_default=False)],
    catalogs: Overlays = None,
    as_json: AsJson = False,
) -> None:
    """Show the facts of a product with their sources; case and dashes are forgiven."""
    from fabricplan.files import load_catalog

    catalog = load_catalog(*(catalogs or ()))
    found = [(kind, key) for kind in SHOWN if (key := catalog.find(kind, name)) is not None]
    if not found:
        known = [key for kind in SHOWN for key in catalog.keys(kind)]
        raise RequirementError(Problem("unknown-product", f"no product '{name}'", "NAME", nearest(name, known)))
    if as_json:
        rows = [{"kind": kind, "name": key, **catalog.raw(kind, key)} for kind, key in found]
        emit_json({"schema": "fabricplan/products/1", "products": rows})
        return
    for kind, key in found:
        emit(_facts(catalog, kind, key))


@app.command("check", epilog=CHECK_EXAMPLES)
def check_catalog(catalogs: Overlays = None, as_json: AsJson = False) -> None:
    """Check the catalogue: references, numbers, and parts that mate."""
    from fabricplan.catalog.check import check
    from fabricplan.files import load_catalog

    catalog = load_catalog(*(catalogs or ()))
    problems = check(catalog)
    if problems:
        complain(problems, as_json)
        raise typer.Exit(1)
    counts = {kind: len(catalog.keys(kind)) for kind in SHOWN}
    if as_json:
        emit_json({"schema": "fabricplan/catalog-check/1", "digest": catalog.digest, "counts": counts})
    else:
        emit([", ".join(f"{count} {kind}" for kind, count in counts.items()), "no problem found"])


def _known(option: str, word: str | None, words: Iterable[str]) -> None:
    if word is not None and word not in words:
        raise RequirementError(Problem("unknown-word", f"'{word}' is not known here", option, nearest(word, words)))


def _entries(catalog: Catalog, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    return ((key, catalog.raw(kind, key)) for key in catalog.keys(kind))


def _title(data: dict[str, Any]) -> str:
    """Return what a product is in a few words, from its plain entry: the list need not type hundreds of entries."""
    if "title" in data:
        return str(data["title"])
    words = [data.get("generation") or data.get("series"), data.get("model") if "series" in data else None]
    cages = [
        f"{group['count']}×{mode['ports']} {mode['rate']}" if mode["ports"] > 1 else f"{group['count']} {mode['rate']}"
        for group in data.get("cages") or ()
        for mode in group["modes"][:1]
    ]
    return ", ".join([" ".join(word for word in words if word), *cages])


def _modes(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the modes of all cages of a switch, adapter or platform."""
    groups = [*(data.get("cages") or ()), *(data.get("networks") or ())]
    return [mode for group in groups for mode in group.get("modes") or ()]


def _technologies(data: dict[str, Any]) -> set[str]:
    stated = data.get("technologies") or ([data["technology"]] if data.get("technology") else [])
    return {*stated, *(mode["technology"] for mode in _modes(data))}


def _of_generation(data: dict[str, Any], rate: str) -> bool:
    if str(data.get("generation", "")).casefold() == rate or any(mode["rate"] == rate for mode in _modes(data)):
        return True
    lane = data.get("lane_gbps")
    return lane is not None and lane == LANE_GBPS.get(rate) and "infiniband" in _technologies(data)


def _facts(catalog: Catalog, kind: str, key: str) -> list[str]:
    """Return an entry as lines: every fact, then the documents it rests on."""
    from fabricplan.catalog import KINDS, Document, Entry
    from fabricplan.terminal import wrap
    from fabricplan.wording import describe

    entry = catalog.get(kind, key, Entry)
    assert isinstance(entry, KINDS[kind].type)
    lines = [f"{key} ({kind})", *wrap(f"  {describe(kind, entry)}")]
    for field, value in catalog.raw(kind, key).items():
        if field != "sources":
            lines += _fact(field, value, "  ")
    lines.append("  sources:")
    for source in entry.sources:
        document = catalog.get("sources", source, Document)
        dated = ", ".join(part for part in (document.version, document.retrieved) if part)
        lines += wrap(f"    {document.publisher}: {document.title}" + (f" ({dated})" if dated else ""), indent="      ")
        if document.url:
            lines.append(f"      {document.url}")
    return lines


def _fact(field: str, value: Any, indent: str) -> list[str]:
    from fabricplan.terminal import wrap

    if isinstance(value, dict):
        plain = ", ".join(f"{name} {_plain(item)}" for name, item in value.items())
        return wrap(f"{indent}{field}: {plain}", indent=f"{indent}  ")
    if isinstance(value, list) and (field in PROSE or any(isinstance(item, dict) for item in value)):
        rows = [line for item in value for line in _fact("-", item, f"{indent}  ")]
        return [f"{indent}{field}:", *(row.replace("-: ", "- ", 1) for row in rows)]
    return wrap(f"{indent}{field}: {_plain(value)}", indent=f"{indent}  ")


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "(" + ", ".join(f"{name} {_plain(item)}" for name, item in value.items()) + ")"
    if isinstance(value, list):
        return ", ".join(_plain(item) for item in value)
    return str(value)
