"""``fabricplan quote``: from a request or a plan to a quote that can be sent."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fabricplan.cli.console import Progress, emit, emit_json, say
from fabricplan.cli.design_command import design
from fabricplan.errors import PriceError, Problem, nearest

if TYPE_CHECKING:
    from fabricplan.cli.settings import Settings
    from fabricplan.plan import Plan
    from fabricplan.quote import Quote, Terms

QUOTE_EXAMPLES = """Examples:

\b
fabricplan quote --gpus 1024 --gen ndr --prices prices.xlsx --terms terms.yaml --lang zh -o quote
fabricplan quote plan/plan.json --prices prices.xlsx --target-total 24000000 -o quote
fabricplan quote request.xlsx --prices prices.xlsx --against old/quote.json -o quote
fabricplan quote a.yaml b.yaml c.yaml --prices prices.xlsx -o offers"""
FORMATS = ("xlsx", "html", "csv", "json")
OFFER_FORMATS = ("xlsx", "json")
LANGUAGES = ("zh", "en", "both")
_OWN = ("ctx", "request", "output", "formats", "lang", "as_json", "explain", "catalogs")
"""Parameters of ``design`` that ``quote`` does not take over as they are."""


def quote(
    ctx: typer.Context,
    sources: Annotated[list[Path] | None, typer.Argument(
        metavar="[PLAN|REQUEST]...", help="Plans or requests (JSON, YAML, XLSX); several: offers side by side.",
        show_default=False)] = None,
    prices: Annotated[list[Path] | None, typer.Option(
        "--prices", metavar="BOOK", help="Price book (XLSX, CSV, YAML); repeat, the first one wins.")] = None,
    terms: Annotated[Path | None, typer.Option("--terms", metavar="FILE", help="Commercial terms (YAML).")] = None,
    number: Annotated[str | None, typer.Option("--number", metavar="NO", help="Quote number.")] = None,
    date: Annotated[str | None, typer.Option("--date", metavar="DATE", help="Date; default: the terms', else "
                                             "today.")] = None,
    target_total: Annotated[str | None, typer.Option(
        "--target-total", metavar="AMOUNT", help="Fixed grand total; unit prices are recomputed.")] = None,
    round_down_to: Annotated[str | None, typer.Option(
        "--round-down-to", metavar="STEP", help="Round the grand total down to a multiple.")] = None,
    against: Annotated[Path | None, typer.Option(
        "--against", metavar="QUOTE", help="Earlier quote.json: tell what changed and why.")] = None,
    stands: Annotated[Path | None, typer.Option(
        "--stands", metavar="PLAN", help="A plan.json that is built already: quote the extension of it alone.")] = None,
    allow_missing: Annotated[bool, typer.Option(
        "--allow-missing", help="Parts without a price are no failure.")] = False,
    internal: Annotated[bool, typer.Option(
        "--internal", help="Also write cost and margin, in files of their own.")] = False,
    brief: Annotated[bool, typer.Option("--brief", help="Print only eight lines to paste into a chat.")] = False,
    template: Annotated[Path | None, typer.Option(
        "--template", metavar="XLSX", help="Company workbook to fill through its names.")] = None,
    settings_file: Annotated[Path | None, typer.Option(
        "--settings", metavar="FILE", help="Settings: seller, terms, prices, template, lang.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="DIR", help="Folder to write.")] = None,
    formats: Annotated[list[str] | None, typer.Option(
        "--format", metavar="F", help="xlsx, html, csv, json; repeat or list with commas; default: all (of offers: "
                                     "xlsx, json).")] = None,
    lang: Annotated[str | None, typer.Option(
        "--lang", metavar="LANG", help="zh, en or both; default: en.", autocompletion=lambda: list(LANGUAGES))] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the quote as JSON, nothing else.")] = False,
    catalogs: Annotated[list[Path] | None, typer.Option(
        "--catalog", metavar="DIR", help="Company catalogue laid over the shipped one; repeat.")] = None,
    **options: Any,
) -> None:  # fmt: skip
    """Price a plan or a request: a quote in Excel, HTML, CSV and JSON.

    The exit status is 1 if a part has no price (unless --allow-missing), or if the plan has errors.
    """
    from fabricplan.byprice import design_by_price
    from fabricplan.cli.settings import load_settings
    from fabricplan.cli.sources import plan_file, plans_of
    from fabricplan.pricefiles import load_earlier, load_prices
    from fabricplan.quote import price, revise

    settings = load_settings(settings_file)
    language = lang or settings.lang or "en"
    if language not in LANGUAGES:
        raise PriceError(Problem("language", f"no language '{language}'", "--lang", nearest(language, LANGUAGES)))
    wanted = _formats(formats, OFFER_FORMATS if len(sources or []) > 1 else FORMATS)
    books = [load_prices(path) for path in (prices or settings.prices)]
    if not books:
        raise PriceError(Problem("no-prices", "no price book is given", "--prices",
                                 "name one, or put it into the settings file"))  # fmt: skip
    agreed = _terms(terms, settings, {"number": number, "date": date, "target_total": target_total,
                                      "round_down_to": round_down_to})  # fmt: skip
    if len(sources or []) > 1:
        _only_one(against=against, template=template, target_total=target_total)
    progress = Progress()
    plans = plans_of(
        sources or [], {**options, "name": options.get("name")}, [*settings.catalogs, *(catalogs or [])], progress,
        lambda requirement, catalog, tell: design_by_price(requirement, catalog, books, agreed, tell),
    )  # fmt: skip
    progress("price")
    standing = plan_file(stands) if stands is not None else None
    quotes = [price(plan, books, agreed, standing) for plan in plans]
    files: dict[str, bytes] = {}
    lines: list[str] = []
    if len(quotes) > 1:
        files |= _offer_files(quotes, plans, wanted, language, internal)
        lines += _offer_lines(quotes, language)
    else:
        files |= _quote_files(quotes[0], plans[0], wanted, language, template or settings.template)
        lines += _brief(quotes[0], language)
        if internal:
            files |= _internal_files(quotes[0], language)
        if against is not None:
            earlier = load_earlier(against)
            revision = revise(earlier, quotes[0], _bridge(earlier, quotes[0], [*settings.catalogs, *(catalogs or [])]))
            changed, more = _changes(revision, quotes[0], language)
            files |= more
            lines += ["", *changed]
            if not revision.empty and revision.new_number is not None and revision.new_number == revision.old_number:
                say(f"warning: the quote has changed and its number is still {revision.new_number}")
                say("  raise the revision: --number, or number in the terms")
    progress.end()
    written = _write(files, output) if output is not None else []
    if as_json:
        _print_json(quotes)
    else:
        emit(lines if brief or not written else [*lines, "", *written])
    _finish(quotes, language, allow_missing)


def _formats(words: Sequence[str] | None, default: Sequence[str]) -> list[str]:
    asked = [word.strip() for listed in words or () for word in listed.split(",") if word.strip()] or list(default)
    for word in asked:
        if word not in FORMATS:
            raise PriceError(Problem("unknown-format", f"no format '{word}'", "--format", nearest(word, FORMATS)))
    return asked


def _terms(path: Path | None, settings: Settings, given: Mapping[str, str | None]) -> Terms:
    """Return the terms: the file's over the settings', the options' over both; the date is today's as a last resort."""
    import datetime

    from fabricplan.pricefiles import load_terms
    from fabricplan.quote import parse_terms
    from fabricplan.readers.cells import CellError, read_amount

    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    for name in ("target_total", "round_down_to"):
        if name in options:
            try:
                options[name], _ = read_amount(options[name])
            except CellError as caught:
                raise PriceError(Problem("amount", str(caught), f"--{name.replace('_', '-')}",
                                         "for example 270000")) from None  # fmt: skip
    today = {"date": datetime.date.today()}
    base = load_terms(path, {**today, **settings.terms}) if path else parse_terms({**today, **settings.terms})
    if "target_total" in options:
        base = base.model_copy(update={"round_down_to": None})
    elif "round_down_to" in options:
        base = base.model_copy(update={"target_total": None})
    if not options:
        return base
    places = {name: f"--{name.replace('_', '-')}" for name in options}
    stated = {name: getattr(base, name) for name in base.model_fields_set}
    # Percentages are parsed once more: with their sign nothing is in doubt.
    stated |= {name: f"{stated[name]:f}%" for name in ("margin_percent", "markup_percent")
               if stated.get(name) is not None}  # fmt: skip
    return parse_terms({**stated, **options}, places)


def _quote_files(
    quote: Quote, plan: Plan, formats: Sequence[str], lang: str, template: Path | None
) -> dict[str, bytes]:
    from fabricplan.renderers.quotes import render_quote

    files: dict[str, bytes] = {}
    for name in formats:
        if name == "xlsx" and template is not None:
            from fabricplan.files import read_bytes
            from fabricplan.renderers.quotes.template import fill
            from fabricplan.wording.quotes import quote_finding

            filled = fill(read_bytes(template), quote, lang, str(template))
            files |= filled.files
            for key in filled.unknown:
                say(f"warning: {template}: the name '{key}' is no field and stays as it is; see docs/quote.md")
            for found in filled.carried:
                say(f"warning: {quote_finding(found, 'zh' if lang == 'zh' else 'en')}")
            if filled.absent:
                say(f"warning: {template}: no cell is named {', '.join(filled.absent)}")
            if filled.unvalued:
                say(
                    f"note: formulas of the template itself show their values once opened: {', '.join(filled.unvalued)}"
                )
        else:
            files |= render_quote(quote, name, lang, plan)
    return files


def _internal_files(quote: Quote, lang: str) -> dict[str, bytes]:
    from fabricplan.quote import dumps
    from fabricplan.renderers.quotes.internal import render

    return {**render(quote, lang), "quote-internal.json": dumps(quote, internal=True)}


def _bridge(earlier: Quote, later: Quote, catalogs: Sequence[Path]) -> Plan | None:
    """Return the plan of an earlier request as it is made today, where only that tells why quantities differ."""
    from fabricplan.errors import FabricplanError
    from fabricplan.files import load_catalog
    from fabricplan.pipeline import design as made
    from fabricplan.quote import needs_bridge

    if earlier.request is None or not needs_bridge(earlier, later):
        return None
    try:
        plan = made(earlier.request, load_catalog(*catalogs))
    except FabricplanError:
        return None  # today's catalogue cannot meet the earlier request: the causes stay open
    same = (plan.made_by.version, plan.made_by.catalog) == (later.plan_version, later.made_by.catalog)
    return plan if same else None


def _changes(revision: Any, quote: Quote, lang: str) -> tuple[list[str], dict[str, bytes]]:
    from fabricplan.renderers.quotes.changes import lines, render

    return lines(revision, quote, lang), render(revision, quote, lang)


def _only_one(**given: object) -> None:
    """Refuse options that say something of one quote where several offers are asked for."""
    named = [f"--{name.replace('_', '-')}" for name, value in given.items() if value is not None]
    if named:
        raise PriceError(*(
            Problem("one-quote-only", f"{name} is for one quote, and several offers are asked for", name,
                    "quote the plan that it is for alone")
            for name in named
        ))  # fmt: skip


def _offer_files(
    quotes: Sequence[Quote], plans: Sequence[Plan], formats: Sequence[str], lang: str, internal: bool
) -> dict[str, bytes]:
    """Return the workbook of all offers, and each offer alone in the other formats: ``quote-1.html``."""
    from fabricplan.quote import compare
    from fabricplan.renderers.quotes import render_quote
    from fabricplan.renderers.quotes.offers import render

    offers = compare(quotes)
    files = render(offers, lang) if "xlsx" in formats else {}
    for number, (quote, plan) in enumerate(zip(quotes, plans, strict=True), 1):
        single: dict[str, bytes] = {}
        for name in formats:
            if name != "xlsx":
                single |= render_quote(quote, name, lang, plan)
        if internal:
            single |= _internal_files(quote, lang)
        files |= {name.replace("quote", f"quote-{number}", 1): data for name, data in single.items()}
    return files


def _offer_lines(quotes: Sequence[Quote], lang: str) -> list[str]:
    lines = []
    for number, quote in enumerate(quotes, 1):
        lines += [f"{number}. {quote.plan}", *(f"   {line}" for line in _brief(quote, lang)[1:])]
    return lines


def _brief(quote: Quote, lang: str) -> list[str]:
    from fabricplan.renderers.quotes.tables import brief

    return brief(quote, lang)


def _write(files: Mapping[str, bytes], folder: Path) -> list[str]:
    from fabricplan.files import write

    return write(folder, files)


def _print_json(quotes: Sequence[Quote]) -> None:
    import json

    from fabricplan.quote import dumps

    trees = [json.loads(dumps(quote)) for quote in quotes]
    emit_json(trees[0] if len(trees) == 1 else {"schema": "fabricplan/offers/1", "quotes": trees})


def _finish(quotes: Sequence[Quote], lang: str, allow_missing: bool) -> None:
    """Tell the seller what to watch, on stderr; leave with 1 where a quote must not be sent as it stands."""
    from fabricplan.wording.quotes import quote_finding

    failed = False
    told: set[str] = set()
    for quote in quotes:
        for found in quote.findings:
            forgiven = found.code == "price-missing" and allow_missing
            failed = failed or (found.severity == "error" and not forgiven)
            severity = "warning" if forgiven else found.severity
            text = f"{severity}: {quote_finding(found, 'zh' if lang == 'zh' else 'en')}"
            if text not in told:
                say(text)
            told.add(text)
    if failed:
        raise typer.Exit(1)


def _signature() -> inspect.Signature:
    """Return the options of ``quote`` followed by those of ``design`` that ask for a plan."""
    own = inspect.signature(quote, eval_str=True)
    asked = inspect.signature(design, eval_str=True)
    mine = [item for item in own.parameters.values() if item.kind is not inspect.Parameter.VAR_KEYWORD]
    names = {item.name for item in mine} | set(_OWN)
    theirs = [item.replace(kind=inspect.Parameter.KEYWORD_ONLY)
              for item in asked.parameters.values() if item.name not in names]  # fmt: skip
    return inspect.Signature([*mine, *theirs])


_FULL = _signature()
# The parser reads a command's parameters from its signature: here they are known only together with those of design.
quote.__signature__ = _FULL  # type: ignore[attr-defined]
quote.__annotations__ = {item.name: item.annotation for item in _FULL.parameters.values()}
