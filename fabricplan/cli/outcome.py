"""What becomes of a finished plan: files in a folder, the summary or the first screen, and the exit status."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from fabricplan.cli.console import Progress, emit, emit_json, say
from fabricplan.errors import Problem, RenderError, RequirementError, nearest

if TYPE_CHECKING:
    from fabricplan.growth import Growth
    from fabricplan.plan import Plan
    from fabricplan.quote import Quote
    from fabricplan.renderers.options import Options


def check_language(lang: str) -> None:
    """Refuse a language that there is none of."""
    if lang not in ("en", "zh"):
        raise RequirementError(Problem("language", f"no language '{lang}'", "--lang", nearest(lang, ("en", "zh"))))


def asked_formats(words: Sequence[str] | None) -> list[str]:
    """Return the formats that repeated and comma-separated words ask for; none: all of them."""
    from fabricplan.renderers import FORMATS

    if not words:
        return list(FORMATS)
    return list(dict.fromkeys(word.strip() for listed in words for word in listed.split(",") if word.strip()))


def write_plan(
    plan: Plan, folder: Path, formats: Sequence[str] | None, lang: str, progress: Progress, teams: int = 1,
    growth: Growth | None = None, options: Options | None = None,
) -> list[str]:  # fmt: skip
    """Render a plan in all asked formats, then write the files, all or none.

    Returns:
        The paths of the files.
    """
    from fabricplan.files import write
    from fabricplan.renderers import render

    files: dict[str, bytes] = {}
    for name in asked_formats(formats):
        progress(name)
        try:
            files.update(render(plan, name, lang, teams, growth, options=options))
        except RenderError as caught:
            raise RenderError(*(
                Problem(item.code, item.message, item.where or "--format", item.hint) for item in caught.problems
            )) from None  # fmt: skip
    progress("write")
    written = write(folder, files)
    if any(name.endswith(".zpl") and not data.isascii() for name, data in files.items()):
        from fabricplan.wording.crews import crew_text

        say(crew_text("zpl_letters", lang))
    return written


def show(
    plan: Plan, lang: str, written: Sequence[str], folder: str, as_json: bool, explained: bool,
    growth: Growth | None = None, quote: Quote | None = None,
) -> None:  # fmt: skip
    """Print the summary or the first screen, with the price if asked; leave with status 1 where the plan has error
    findings."""
    from fabricplan.summary import explain, list_findings, list_phases, screen, summarize

    if as_json:
        emit_json({**summarize(plan, lang, written, growth), **_price_tree(quote)})
    else:
        names = [path.removeprefix(folder).lstrip("/\\") for path in written]
        more = ["", *explain(plan, lang), "", *list_findings(plan, lang)] if explained else []
        phases = list_phases(growth, lang) if growth else []
        emit([*screen(plan, lang, names, folder), *_price_lines(quote, lang), *phases, *more])
    if any(item.severity == "error" for item in plan.findings):
        raise typer.Exit(1)


def _price_lines(quote: Quote | None, lang: str) -> list[str]:
    if quote is None:
        return []
    from fabricplan.cli.priced import price_lines

    return price_lines(quote, lang)


def _price_tree(quote: Quote | None) -> dict[str, Any]:
    if quote is None:
        return {}
    from fabricplan.cli.priced import price_tree

    return {"price": price_tree(quote)}
