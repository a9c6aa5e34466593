"""``fabricplan catalog``: what products are known, with their facts and sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fabricplan.cli import catalog_files, catalog_mates
from fabricplan.cli.catalog_mates import AsJson, Overlays
from fabricplan.cli.console import complain, emit, emit_json, say
from fabricplan.errors import Problem, RequirementError, nearest

if TYPE_CHECKING:
    from fabricplan.catalog import Catalog
    from fabricplan.mates import Partner

SHOWN = ("switches", "adapters", "platforms", "transceivers", "cables", "fibres", "accessories", "panels")
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
fabricplan catalog check our-parts
fabricplan catalog check our-parts/switches/ours.yaml"""

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
app.command("mates", epilog=catalog_mates.MATES_EXAMPLES)(catalog_mates.mates)
app.command("replace", epilog=catalog_mates.REPLACE_EXAMPLES)(catalog_mates.replace)
app.command("sources", epilog=catalog_files.SOURCES_EXAMPLES)(catalog_files.sources)
app.command("netbox", epilog=catalog_files.NETBOX_EXAMPLES)(catalog_files.netbox)
app.command("schema", epilog=catalog_files.SCHEMA_EXAMPLES)(catalog_files.schema)


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
    gen = _generation(catalog, gen)
    rows = [
        {"kind": each, "name": key, "pn": data.get("pn"), "status": data["status"],
         "title": _title(data)}
        for each in ([kind] if kind else SHOWN)
        for key, data in _entries(catalog, each)
        if (technology is None or technology in _technologies(data))
        and (status is None or data["status"] == status)
        and (gen is None or _of_generation(data, gen))
    ]  # fmt: skip
    if as_json:
        emit_json({"schema": "fabricplan/products/1", "products": rows})
        return
    if not rows:
        say("no product is all of these")
    emit(cut(f"{row['kind'][:12]:<13}{row['name']:<20} {row['status']:<11}{row['title']}", 80) for row in rows)


@app.command("show", epilog=SHOW_EXAMPLES)
def show_product(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Model, part number or id.", show_default=False)],
    catalogs: Overlays = None,
    as_json: AsJson = False,
) -> None:
    """Show the facts of a product with their sources; case and dashes are forgiven."""
    from fabricplan.files import load_catalog
    from fabricplan.mates import partners
    from fabricplan.products import PRODUCT_KINDS, identify

    catalog = load_catalog(*(catalogs or ()))
    found = [kind for kind in PRODUCT_KINDS if catalog.find(kind, name) is not None]
    products = [identify(catalog, name, "NAME", (kind,)) for kind in found] or [identify(catalog, name, "NAME")]
    if as_json:
        rows = [{"kind": item.kind, "name": item.key, **catalog.raw(item.kind, item.key),
                 "mates_with": [mate.model_dump(mode="json") for mate in partners(catalog, item)]}
                for item in products]  # fmt: skip
        emit_json({"schema": "fabricplan/products/1", "products": rows})
        return
    for item in products:
        emit([*_facts(catalog, item.kind, item.key), *_mates_with(partners(catalog, item))])


@app.command("check", epilog=CHECK_EXAMPLES)
def check_catalog(
    files: Annotated[list[Path] | None, typer.Argument(
        metavar="[FILES]...", help="Own files or folders, laid over the shipped catalogue.",
        show_default=False)] = None,
    catalogs: Overlays = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Check the catalogue, with own additions: references, numbers, and parts that mate."""
    from fabricplan.catalog.check import check, placed
    from fabricplan.files import read_catalog

    catalog = read_catalog(*(catalogs or ()), *(files or ()))
    problems = [placed(catalog, problem) for problem in check(catalog)]
    if problems:
        complain(problems, as_json)
        raise typer.Exit(1)
    counts = {kind: len(catalog.keys(kind)) for kind in SHOWN}
    if as_json:
        changed = {named: list(fields) for named, fields in catalog.overridden.items()}
        emit_json({"schema": "fabricplan/catalog-check/1", "digest": catalog.digest, "counts": counts,
                   "overridden": changed})  # fmt: skip
        return
    lines = [", ".join(f"{count} {kind}" for kind, count in counts.items())]
    lines += [f"{named} changes {', '.join(fields)}" for named, fields in catalog.overridden.items()]
    emit([*lines, "no problem found"])


def _known(option: str, word: str | None, words: Iterable[str]) -> None:
    if word is not None and word not in words:
        raise RequirementError(Problem("unknown-word", f"'{word}' is not known here", option, nearest(word, words)))


def _generation(catalog: Catalog, word: str | None) -> str | None:
    """Return a generation or rate as the catalogue writes it: ``NDR`` is ndr, ``400`` and ``400G`` are 400gbe."""
    if word is None:
        return None
    known = {mode["rate"] for kind in SHOWN for _, data in _entries(catalog, kind) for mode in _modes(data)}
    known |= {str(data["generation"]).casefold() for _, data in _entries(catalog, "switches")}
    folded = word.casefold().strip()
    for name in (folded, f"{folded}gbe", f"{folded.removesuffix('g')}gbe"):
        if name in known:
            return name
    raise RequirementError(Problem("unknown-word", f"'{word}' is no generation or rate here", "--gen",
                                   nearest(word, known)))  # fmt: skip


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


def _mates_with(found: Iterable[Partner]) -> list[str]:
    """Return what a product mates with, one line a recipe."""
    from fabricplan.summary import wrap

    lines = []
    for mate in found:
        media = ", ".join(f"{medium} {reach / 1000:g} m" for medium, reach in mate.media)
        rates = "/".join(mate.rates) or mate.technology
        lines += wrap(f"    {mate.port_class} to {mate.far}, {rates} {mate.link_gbps}G: {media}", indent="      ")
    return ["  mates with:", *lines] if lines else []


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
