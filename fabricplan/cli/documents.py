"""``fabricplan render``, ``check`` and ``schema``: what is done with finished documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fabricplan.cli.console import ErrorReport, Progress, emit, emit_json
from fabricplan.cli.format_options import format_options
from fabricplan.cli.outcome import asked_formats, check_language, show, write_plan
from fabricplan.errors import Problem, RequirementError, nearest

if TYPE_CHECKING:
    from fabricplan.plan import Plan

RENDER_EXAMPLES = """Examples:

\b
fabricplan render plan/plan.json --format xlsx --lang zh -o quote
fabricplan render plan/plan.json --format svg,html
fabricplan render plan/plan.json --format opensm,slurm,acceptance -o handover
fabricplan render plan/plan.json --format cables-csv --columns id,a_rack
fabricplan render plan/plan.json --format labels --printer zebra -o out"""
CHECK_EXAMPLES = """Examples:

\b
fabricplan check plan/plan.json
fabricplan check plan/plan.json --lang zh --json"""
SCHEMA_EXAMPLES = """Examples:

\b
fabricplan schema summary
fabricplan schema plan > plan.schema.json"""

PlanFile = Annotated[Path, typer.Argument(metavar="PLAN", help="A plan.json.", show_default=False)]
Language = Annotated[str, typer.Option(
    "--lang", metavar="LANG", help="en or zh.", autocompletion=lambda: ["en", "zh"])]  # fmt: skip
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")]


def _load(path: Path) -> Plan:
    from fabricplan.files import read_bytes
    from fabricplan.plan import loads

    return loads(read_bytes(path), str(path))


def all_formats() -> list[str]:
    """Return the names of all built-in formats of a plan."""
    from fabricplan.renderers import FORMATS, ON_DEMAND

    return [*FORMATS, *ON_DEMAND]


def render(
    plan: PlanFile,
    formats: Annotated[list[str] | None, typer.Option(
        "--format", metavar="F", help="Format; repeat or list with commas; default: those of a plan folder. "
        "Files for other tools: docs/exports.md.", autocompletion=all_formats)] = None,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to write.")] = Path(),
    lang: Language = "en",
    codes: Annotated[Path | None, typer.Option(
        "--map", metavar="XLSX", help="Material codes, for a quote's format erp.")] = None,
    teams: Annotated[int, typer.Option(
        "--teams", metavar="N", min=1, max=999, help="Teams that cable at once, for the format crew.")] = 1,
    printers: Annotated[list[str] | None, typer.Option(
        "--printer", metavar="P", help="Of the format labels: a4, tape, zebra; repeat or list with commas; default: "
        "all.", autocompletion=lambda: ["a4", "tape", "zebra"])] = None,
    stock: Annotated[list[str] | None, typer.Option(
        "--stock", metavar="SIZE", help="Labels on the roll of a Zebra printer, in mm: flag=90x25x10 (width, height, "
        "fold), wrap=50x75x25 (width, height, printed height); repeat.")] = None,
    dpi: Annotated[int | None, typer.Option(
        "--dpi", metavar="N", help="Print head of the Zebra printer: 203, 300 or 600; default: 203.")] = None,
    columns: Annotated[list[str] | None, typer.Option(
        "--columns", metavar="C", help="Columns of the format cables-csv, in their order; list with commas. Names: "
        "docs/crew.md.")] = None,
    both: Annotated[bool, typer.Option(
        "--both-directions", help="In the format cables-csv a row for each end of a cable.")] = False,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Write a finished plan in other formats or another language.

    A quote.json is rendered as well: xlsx, html, csv, json, brief, and erp with --map; --lang both is for quotes.
    """
    from fabricplan.cli.sources import schema_of

    asked = asked_formats(formats)
    if teams > 1 and "crew" not in asked:
        raise RequirementError(Problem("teams-without-crew", "teams are for the format crew", "--teams",
                                       "add --format crew"))  # fmt: skip
    options = format_options(asked, printers, stock, dpi, columns, both)
    progress = Progress()
    if schema_of(plan).startswith("fabricplan/quote/"):
        from fabricplan.cli.rerender import write_quote

        written = write_quote(plan, output, formats, lang, codes)
    else:
        check_language(lang)
        written = write_plan(_load(plan), output, formats, lang, progress, teams, options=options)
    progress.end()
    if as_json:
        emit_json({"schema": "fabricplan/files/1", "files": written})
    else:
        emit(written)


def check(
    plan: PlanFile,
    lang: Language = "en",
    catalogs: Annotated[list[Path] | None, typer.Option(
        "--catalog", metavar="DIR", help="Company catalogue laid over the shipped one; repeat.")] = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Check the tables of a plan file again, by the facts that it was made of.

    Every row number, the rules of a design, what sizing states, and the findings of the day it was written. The exit
    status is 1 if a check finds an error.
    """
    from fabricplan.files import load_catalog
    from fabricplan.recheck import recheck
    from fabricplan.summary import list_checked, list_findings

    check_language(lang)
    found = _load(plan)
    checked = found.model_copy(update={"findings": recheck(found, load_catalog(*(catalogs or ())))})
    if as_json:
        show(checked, lang, (), "", True, False)
        return
    emit([*list_checked(checked, lang), *list_findings(checked, lang)])
    if any(item.severity == "error" for item in checked.findings):
        raise typer.Exit(1)


def schema(
    document: Annotated[str, typer.Argument(
        metavar="DOCUMENT", help="plan, quote, requirement, summary or error.",
        autocompletion=lambda: ["plan", "quote", "requirement", "summary", "error"])] = "plan",
) -> None:  # fmt: skip
    """Print the JSON Schema of a document."""
    from pydantic import TypeAdapter

    from fabricplan.plan import json_schema
    from fabricplan.quote import Quote
    from fabricplan.requirement import Requirement
    from fabricplan.summary import Summary

    types: dict[str, Any] = {"plan": None, "quote": Quote, "requirement": Requirement, "summary": Summary,
                             "error": ErrorReport}  # fmt: skip
    if document not in types:
        raise RequirementError(Problem("unknown-document", f"no document '{document}'", "DOCUMENT",
                                       nearest(document, types)))  # fmt: skip
    found = json_schema() if document == "plan" else TypeAdapter(types[document]).json_schema()
    emit_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **found})
