"""``fabricplan prices check``: what is wrong with a price book, before it is missed in a quote."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fabricplan.cli.console import emit, emit_json, say
from fabricplan.errors import PriceError, Problem

CHECK_EXAMPLES = """Examples:

\b
fabricplan prices check prices.xlsx
fabricplan prices check prices.csv --plan plan/plan.json"""

app = typer.Typer(no_args_is_help=True, help="Price books: check.")


@app.callback()
def prices() -> None:
    """Price books: check."""


@app.command("check", epilog=CHECK_EXAMPLES)
def check(
    book: Annotated[Path, typer.Argument(metavar="BOOK", help="XLSX, CSV or YAML.", show_default=False)],
    plan: Annotated[Path | None, typer.Option(
        "--plan", metavar="PLAN", help="A plan.json: tell which of its parts have no price.")] = None,
    lang: Annotated[str, typer.Option(
        "--lang", metavar="LANG", help="zh or en: what is told of how the book was read.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")] = False,
    catalogs: Annotated[list[Path] | None, typer.Option(
        "--catalog", metavar="DIR", help="Company catalogue laid over the shipped one; repeat.")] = None,
) -> None:  # fmt: skip
    """Check a price book: cells that cannot be read, duplicates, prices of zero or below, unknown parts.

    All problems are told at once, and how the book was read: no currency,
        hidden sheets. The exit status is 2 for a book that cannot be used, 1 if it has parts that the
    catalogue does not know or lacks prices of the plan.
    """
    from fabricplan.files import load_catalog, read_bytes
    from fabricplan.plan import loads
    from fabricplan.pricefiles import load_prices
    from fabricplan.prices import BrokenBook, PriceList, cost_only, crossed_parts, told, unknown_parts
    from fabricplan.quote.goods import goods
    from fabricplan.wording.quotes import quote_finding

    if lang not in ("zh", "en"):
        raise PriceError(Problem("language", f"no language '{lang}'", "--lang", "known: en, zh"))
    catalog = load_catalog(*(catalogs or ()))
    try:
        found = load_prices(book)
    except BrokenBook as caught:
        raise PriceError(*caught.problems, *unknown_parts(caught.lines, catalog)) from None
    if crossed := crossed_parts(found.lines, catalog):
        raise PriceError(*crossed)
    unknown = unknown_parts(found.lines, catalog)
    bare = cost_only(found.lines)
    missing: list[str] = []
    if plan is not None:
        known = PriceList([found])
        wanted = goods(loads(read_bytes(plan), str(plan)))
        missing = list(dict.fromkeys(item.names[0] for item in wanted if known.find(*item.names) is None))
    if as_json:
        emit_json({
            "schema": "fabricplan/prices-check/1", "name": found.name, "version": found.version,
            "date": str(found.date) if found.date else None, "lines": len(found.lines),
            "unknown": [{"part": item.message, "where": item.where, "hint": item.hint} for item in unknown],
            "findings": [{"severity": item.severity, "code": item.code, "message": quote_finding(item, lang)}
                         for item in found.findings],
            "missing": missing, "cost_only": [{"part": line.part, "where": line.where} for line in bare],
        })  # fmt: skip
    else:
        emit([f"{found.title}: {len(found.lines)} prices"])
        for item in told([found]):
            say(f"{item.severity}: {quote_finding(item, lang)}")
        for problem in unknown:
            say(f"warning: {problem.where}: {problem.message}")
            if problem.hint:
                say(f"  {problem.hint}")
        for line in bare:
            say(f"warning: {line.where}: '{line.part}' has only a cost")
            say("  it gives a price only to terms with margin_percent or markup_percent")
        for part in missing:
            say(f"warning: {part} has no price")
    if unknown or missing:
        raise typer.Exit(1)
