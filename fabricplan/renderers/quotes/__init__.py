"""Quote to files, one module per format: for customers unless the name says ``internal``."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from fabricplan.errors import Problem, RenderError, nearest
from fabricplan.plan import Plan
from fabricplan.quote import Quote

QUOTE_FORMATS: Mapping[str, tuple[str, str]] = {
    "xlsx": ("workbook", "render"), "html": ("page", "render"), "csv": ("tables", "render_csv"),
    "json": ("tables", "render_json"), "brief": ("tables", "render_brief"),
}  # fmt: skip
"""Format -> module and function, loaded when it is asked for."""
PICTURED = ("xlsx", "html")


def render_quote(quote: Quote, format: str, lang: str = "en", plan: Plan | None = None) -> dict[str, bytes]:
    """Return a quote in a format, without any of the seller's own figures.

    Args:
        quote: the quote.
        format: a name of ``QUOTE_FORMATS``.
        lang: ``en``, ``zh`` or ``both``.
        plan: the quoted plan, for the picture in workbook and page.

    Raises:
        RenderError: unknown format or language.
    """
    if lang not in ("en", "zh", "both"):
        raise RenderError(Problem("language", f"no language '{lang}'", "", "en, zh or both"))
    if format not in QUOTE_FORMATS:
        raise RenderError(Problem("unknown-format", f"no format '{format}'", "", nearest(format, QUOTE_FORMATS)))
    module, function = QUOTE_FORMATS[format]
    made = getattr(importlib.import_module(f"fabricplan.renderers.quotes.{module}"), function)
    files: dict[str, bytes] = made(quote, lang, plan) if format in PICTURED else made(quote, lang)
    return files
