"""``fabricplan progress``: how far the cabling is, from the crew's checklist."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabricplan.cli.console import emit, emit_json

if TYPE_CHECKING:
    from fabricplan.crew.progress import Progress

PROGRESS_EXAMPLES = """Examples:

\b
fabricplan render plan/plan.json --format crew --teams 3 -o pack
fabricplan progress plan/plan.json pack/crew/progress.csv --lang zh"""

SHOWN_ROWS = 3
"""So many rows of another plan are told one by one."""


def progress(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="A plan.json.", show_default=False)],
    checklist: Annotated[Path, typer.Argument(
        metavar="CSV", help="The filled-in progress.csv of its crew pack.", show_default=False)],
    lang: Annotated[str, typer.Option(
        "--lang", metavar="LANG", help="en or zh.", autocompletion=lambda: ["en", "zh"])] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")] = False,
) -> None:  # fmt: skip
    """Tell how far the cabling is: done, open and percent per work package.

    Rows that tell nothing (unknown ids, ids told twice, marks that mean neither, pieces that lie between other ends
    in the plan) are listed by line; then the exit status is 1.
    """
    from fabricplan.cli.outcome import check_language
    from fabricplan.crew.progress import measure
    from fabricplan.files import read_bytes
    from fabricplan.plan import loads
    from fabricplan.readers.progress_csv import read_progress

    check_language(lang)
    found = measure(loads(read_bytes(plan), str(plan)), read_progress(read_bytes(checklist), str(checklist)))
    if as_json:
        tree = found.model_dump(mode="json")
        emit_json({"schema": tree.pop("schema_"), **tree})
    else:
        emit(lines(found, str(checklist), lang))
    if found.bad_rows:
        raise typer.Exit(1)


def lines(found: Progress, name: str, lang: str) -> list[str]:
    """Return the progress as text."""
    from fabricplan.crew.progress import first_of
    from fabricplan.terminal import wrap
    from fabricplan.wording.crews import crew_text

    told = [crew_text("progress_head", lang, done=found.done, total=found.total, percent=f"{found.percent:g}")]
    told += [
        "  " + crew_text("progress_package", lang, package=row.package, route=crew_text(f"route_{row.route}", lang),
                         done=row.done, total=row.total, percent=f"{row.percent:g}")
        for row in found.packages
    ]  # fmt: skip
    if found.missing:
        told.append(crew_text("progress_missing", lang, count=len(found.missing), ids=first_of(found.missing)))
    shown = list(found.bad_rows)
    if found.other_plan:
        strange = [row for row in shown if row.kind == "ends"]
        unknown = [row.id for row in shown if row.kind == "unknown"]
        told.append(crew_text("progress_other_plan", lang, name=name, rows=len(strange)))
        if unknown:
            told.append(crew_text("progress_unknown_ids", lang, name=name, count=len(unknown), ids=first_of(unknown)))
        shown = [*strange[:SHOWN_ROWS], *(row for row in shown if row.kind not in ("ends", "unknown"))]
    told += [
        crew_text(f"progress_{row.kind}", lang, where=f"{name}:{row.line}", id=row.id, mark=row.mark, first=row.first,
                  told=row.told, planned=row.planned)
        for row in shown
    ]  # fmt: skip
    return [piece for line in told for piece in wrap(line, indent="    ")]
