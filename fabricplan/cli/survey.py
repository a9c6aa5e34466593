"""``fabricplan survey``: what a discovered fabric is, without a plan."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabricplan.cli.console import emit, emit_json
from fabricplan.cli.discoveries import read_discoveries
from fabricplan.cli.outcome import check_language

if TYPE_CHECKING:
    from fabricplan.asbuilt.survey import Bar, FabricSurvey, Survey

SURVEY_EXAMPLES = """Examples:

\b
fabricplan survey ibnetdiscover.txt
fabricplan survey plane1.txt plane2.txt --json"""


def survey(
    files: Annotated[list[Path], typer.Argument(
        metavar="FILE...", help="Output of ibnetdiscover, iblinkinfo, ibdiagnet (net_dump, lst) or lldpctl -f json; "
        "several files are several planes or fabrics.", show_default=False)],
    lang: Annotated[str, typer.Option(
        "--lang", metavar="LANG", help="en or zh.", autocompletion=lambda: ["en", "zh"])] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")] = False,
) -> None:  # fmt: skip
    """Tell what a discovered fabric is: tiers, rails, evenness, and what departs from its peers."""
    from fabricplan.asbuilt.survey import survey as run

    check_language(lang)
    found = run(read_discoveries(files))
    if as_json:
        emit_json(found.model_dump(mode="json", by_alias=True, exclude_none=True))
    else:
        emit(_screen(found, lang))


def _screen(found: Survey, lang: str) -> list[str]:
    from fabricplan.terminal import wrap
    from fabricplan.wording.asbuilt import asbuilt_hint, asbuilt_text, say

    lines: list[str] = []
    for fabric in found.fabrics:
        lines += _fabric(fabric, lang)
    for item in (*(note for fabric in found.fabrics for note in fabric.findings), *found.findings):
        lines += wrap(f"{say(item.severity, lang)}: {asbuilt_text(item, lang)}")
        if asbuilt_hint(item, lang):
            lines += wrap(f"  {asbuilt_hint(item, lang)}", indent="    ")
    return lines


def _fabric(fabric: FabricSurvey, lang: str) -> list[str]:
    from fabricplan.terminal import wrap
    from fabricplan.wording.asbuilt import say

    lines = wrap(say("survey_title", lang, name=fabric.name, source=Path(fabric.source).name, tiers=fabric.tiers,
                     switches=fabric.switches, hosts=fabric.hosts, adapters=fabric.adapters))  # fmt: skip
    for tier in fabric.tier_rows:
        key = "survey_split" if (tier.split or 1) > 1 else "survey_tier"
        lines += wrap("  " + say(key, lang, tier=say(f"tier_{tier.tier}", lang), switches=tier.switches,
                                 models=", ".join(bar.value for bar in tier.models), radix=tier.radix or "?",
                                 split=tier.split or 1, down=_bars(tier.down), up=_bars(tier.up)),
                      indent="    ")  # fmt: skip
    for row in fabric.link_rows:
        lower, upper = say(f"tier_{row.lower}", lang), say(f"tier_{row.upper}", lang)
        rates = ", ".join(f"{bar.value} x {bar.count}" for bar in row.rates)
        key = "survey_pairs" if row.per_pair else "survey_links"
        lines += wrap("  " + say(key, lang, lower=lower, upper=upper, links=row.links, rates=rates,
                                 pairs=_bars(row.per_pair)), indent="    ")  # fmt: skip
    rails = fabric.rails
    lines += wrap("  " + say(f"survey_{rails.attach}", lang, rails=rails.rails, units=rails.units), indent="    ")
    if fabric.oversubscription is not None:
        lines += wrap("  " + say("survey_over", lang, ratio=f"{fabric.oversubscription:g}"), indent="    ")
        lines += wrap("  " + say("survey_even" if fabric.even else "survey_uneven", lang), indent="    ")
    if fabric.aggregation_nodes or fabric.routers or fabric.unnamed_adapters:
        lines += wrap("  " + say("survey_aside", lang, aggregation=fabric.aggregation_nodes,
                                 routers=fabric.routers, unnamed=fabric.unnamed_adapters), indent="    ")  # fmt: skip
    return lines


def _bars(bars: tuple[Bar, ...]) -> str:
    """Return what most have, then the rest with their counts: ``24 (20), 23 (14)``."""
    if len(bars) == 1:
        return bars[0].value
    return ", ".join(f"{bar.value} ({bar.count})" for bar in bars[:4]) + (" …" if len(bars) > 4 else "")
