"""``report.html``: the plan for a customer and an engineer, one self-contained file that prints on A4.

Styles and picture stand in the file; nothing is loaded from elsewhere and nothing tells the time, so the same plan
gives the same bytes. Everything that a plan holds is escaped.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import lru_cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from fabricplan.checks import for_customer
from fabricplan.crew.site import racks_of
from fabricplan.files import data_folder
from fabricplan.growth import Growth
from fabricplan.plan import Plan
from fabricplan.renderers.diagram_svg import scene
from fabricplan.renderers.diagram_words import Words
from fabricplan.renderers.report_proof import closed_form, stage_rows
from fabricplan.renderers.report_tables import Tables
from fabricplan.sizing import FabricSizing
from fabricplan.summary import phase_notes
from fabricplan.values import Finding
from fabricplan.wording import hint, text

RACKS_SHOWN = 64
"""Racks that the report draws at most, eleven pages; beyond it the elevations are files of their own: our choice."""
SEVERITIES = ("error", "warning", "info")


def render(
    plan: Plan, lang: str, growth: Growth | None = None, certificate: Mapping[str, object] | None = None
) -> dict[str, bytes]:
    """Return ``report.html``.

    Args:
        plan: the plan.
        lang: its language.
        growth: its phases, which get a table.
        certificate: what ``proof_html.certificate`` returns of its proof, which gets a page; without it the page tells
            what holds in closed form, and how the certificate is made.
    """
    words = Words(plan, lang)
    tables = Tables(plan, words)
    picture = scene(plan, lang, headed=False)
    power, power_sum, power_missing = tables.power()
    source, length_counts = plan.length_words()
    page = (
        _environment()
        .get_template("report.html.j2")
        .render(
            lang="zh-CN" if lang == "zh" else "en",
            t=words.say,
            plan=plan,
            facts=words.facts(),
            totals=tables.totals(),
            fabrics=tables.fabrics(),
            standing=_standing(plan, words),
            has_errors=any(found.severity == "error" for found in plan.findings),
            picture=Markup(picture.svg(plan.name)),
            picture_page="tall" if picture.height > 0.8 * picture.width else "wide",
            sections=[
                {
                    "title": words.fabric_title(sizing),
                    "candidates": tables.candidates(sizing),
                    "tiers": tables.tiers(sizing),
                    "links": tables.links(sizing),
                    "capacity": tables.capacity(sizing),
                    "claims": _claims(sizing, words),
                }
                for sizing in plan.fabrics
            ],
            parts=tables.parts(),
            spares=any(line.spare for line in plan.bom.lines),
            lengths=tables.lengths(),
            length_note=words.say(f"lengths-{source}", **length_counts),
            racks=tables.racks(),
            rack_rows=_rack_rows(plan, lang),
            racks_shown=RACKS_SHOWN,
            power=power,
            power_sum=power_sum,
            power_missing=power_missing,
            findings=[
                _finding(found, words)
                for found in sorted(for_customer(plan.findings), key=lambda found: SEVERITIES.index(found.severity))
            ],
            stages=stage_rows(growth, words) if growth else None,
            stage_notes=phase_notes(growth, lang) if growth else [],
            closed=[(words.fabric_title(sizing), closed_form(plan, sizing, words)) for sizing in plan.fabrics],
            certificate=certificate,
            joined=any(sizing.shape.tiers > 1 for sizing in plan.fabrics),
            sources=tables.sources(),
            glossary=words.glossary,
        )
    )
    return {"report.html": page.encode()}


def _rack_rows(plan: Plan, lang: str) -> list[dict[str, object]] | None:
    """Return the elevations of the rows; None where there are too many racks for a report."""
    if len(plan.placement.racks) > RACKS_SHOWN:
        return None
    # only reports of rooms of that size pay for loading the drawings of racks
    elevations = importlib.import_module("fabricplan.renderers.elevations")
    rows = elevations.row_figures(plan, elevations.with_later(plan, racks_of(plan)), lang)
    return [{"name": row.name, "sums": row.sums, "figures": [Markup(figure) for figure in row.figures]} for row in rows]


@lru_cache(maxsize=1)
def _environment() -> Environment:
    """Return the templates, compiled once in a process: they do not change while it runs."""
    return Environment(
        loader=FileSystemLoader(data_folder("templates")), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip


def _standing(plan: Plan, words: Words) -> str:
    counts = {level: sum(1 for found in for_customer(plan.findings) if found.severity == level)
              for level in SEVERITIES}  # fmt: skip
    return words.say("standing-counts", errors=counts["error"], warnings=counts["warning"], infos=counts["info"])


def _finding(found: Finding, words: Words) -> dict[str, str]:
    return {
        "severity": found.severity, "word": words.say(found.severity),
        "text": text(found, words.lang), "hint": hint(found, words.lang), "code": found.code,
    }  # fmt: skip


def _claims(sizing: FabricSizing, words: Words) -> list[str]:
    """Return what may be said of a fabric's blocking, and what may not."""
    if sizing.shape.tiers == 1:
        keys = ["claim-one"]
    elif sizing.oversubscription == sizing.oversubscription_spine == "1:1":
        keys = ["claim-even", "claim-static"]
    else:
        keys = ["claim-ratio", "claim-static"]
    if sizing.planes > 1:
        keys.append("claim-planes")
    return [words.say(key) for key in keys]
