"""Document to files: one module per format, loaded when it is asked for.

Every module has ``render(document, lang) -> {file name: bytes}``; nothing touches the disk. Other packages add
formats through the entry point group ``fabricplan.renderers`` (name -> such a function).
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fabricplan.errors import Problem, RenderError, nearest
from fabricplan.plan import Plan

if TYPE_CHECKING:
    from fabricplan.growth import Growth
    from fabricplan.proof import Proof
    from fabricplan.quote import Quote
    from fabricplan.renderers.options import Options

FORMATS: Mapping[str, str] = {
    "json": "plan_json",
    "bom-csv": "bom_csv",
    "cables-csv": "cables_csv",
    "xlsx": "workbook",
    "svg": "diagram_svg",
    "dot": "diagram_dot",
    "html": "report_html",
}
"""Built-in formats of a plan, in the order in which a plan folder is written."""
ON_DEMAND: Mapping[str, str] = {
    "ibsim": "ibsim_net", "topo": "topo", "opensm": "opensm", "ndt": "ndt", "slurm": "slurm",
    "kubernetes": "kubernetes", "cvt": "cvt", "netbox": "netbox", "ptm": "ptm", "serverprofile": "serverprofile",
    "acceptance": "acceptance", "elevations": "elevations", "crew": "crew", "lengths": "lengths",
    "positions": "positions", "labels": "labels",
}  # fmt: skip
"""Built-in formats that are written only when asked for: files for other tools."""
TOLD = ("cables-csv", "labels")
"""Formats that take options."""


def render(
    document: Plan | Quote, format: str, lang: str = "en", teams: int = 1, growth: Growth | None = None,
    proof: Proof | None = None, options: Options | None = None,
) -> dict[str, bytes]:  # fmt: skip
    """Return a document in a format.

    Args:
        document: a plan, or a quote.
        format: a name of ``FORMATS`` or ``ON_DEMAND`` or of an entry point; for a quote, of
            ``renderers.quotes.QUOTE_FORMATS``.
        lang: ``en`` or ``zh``; for a quote also ``both``.
        teams: teams that cable at once, for the format ``crew``.
        growth: the phases of the plan, for the format ``html``.
        proof: the proof of the plan, whose certificate becomes a page of the format ``html``.
        options: what single formats can be told.

    Returns:
        File name -> content; the same document gives the same bytes.

    Raises:
        RenderError: unknown format or language, or a format that does not fit the plan.
    """
    if not isinstance(document, Plan):
        # Quotes have formats of their own; a plan does not pay for loading them.
        files: dict[str, bytes] = importlib.import_module("fabricplan.renderers.quotes").render_quote(
            document, format, lang
        )
        return files
    if lang not in ("en", "zh"):
        raise RenderError(Problem("language", f"no language '{lang}'", "", "en or zh"))
    built_in = {**FORMATS, **ON_DEMAND}
    if format in built_in:
        module = importlib.import_module(f"fabricplan.renderers.{built_in[format]}")
        if format == "crew":
            files = module.render(document, lang, teams)
        elif format == "html":
            # a report without a proof does not pay for loading what proofs need
            shown = (
                importlib.import_module("fabricplan.renderers.proof_html").certificate(proof, lang) if proof else None
            )
            files = module.render(document, lang, growth, shown)
        elif format in TOLD and options is not None:
            files = module.render(document, lang, options)
        else:
            files = module.render(document, lang)
        if not files:
            raise RenderError(Problem("does-not-fit", f"'{format}' describes nothing that this plan holds", "",
                                      "see docs/exports.md for what each format is of"))  # fmt: skip
        return files
    from importlib.metadata import entry_points

    for entry in entry_points(group="fabricplan.renderers", name=format):
        files = entry.load()(document, lang)
        return files
    raise RenderError(Problem("unknown-format", f"no format '{format}'", "", nearest(format, built_in)))
