"""Sheets of findings and of what the plan rests on: documents, versions, the request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fabricplan.catalog.publisher import own_url
from fabricplan.checks import for_customer
from fabricplan.plan import Plan
from fabricplan.renderers.words import word
from fabricplan.renderers.workbook.book import Book, Field
from fabricplan.requirement import json_path
from fabricplan.wording import hint, text

_ORDER = ("error", "warning", "info")
_MESSAGE, _HINT = 60.0, 60.0


def findings_sheet(book: Book, plan: Plan) -> None:
    """Write the findings, errors first."""
    sheet, lang = book.sheet("findings"), book.lang
    found = sorted(for_customer(plan.findings), key=lambda item: _ORDER.index(item.severity))
    messages, hints = [text(item, lang) for item in found], [hint(item, lang) for item in found]
    end = sheet.table([
        Field("number", list(range(1, len(found) + 1)), "centre"),
        Field("severity", [word(item.severity, lang) for item in found]),
        Field("code", [item.code for item in found]), Field("subject", [item.subject for item in found]),
        Field("message", messages, "wrap", _MESSAGE), Field("hint", hints, "wrap", _HINT),
    ])  # fmt: skip
    for row, (item, message, advice) in enumerate(zip(found, messages, hints, strict=True), 1):
        sheet.write(row, 1, word(item.severity, lang), item.severity)
        sheet.fit_row(row, ((message, _MESSAGE), (advice, _HINT)))
    if not found:
        sheet.write(1, 0, word("no_findings", lang), "note")
    sheet.finish(header=0, rows=end - 1, columns=6)


def basis_sheet(book: Book, plan: Plan) -> None:
    """Write the documents that the products' facts come from, then versions and the request."""
    sheet, lang = book.sheet("basis"), book.lang
    documents = plan.products.sources
    titles, urls = [item.title for item in documents], [own_url(item) for item in documents]
    end = sheet.table([
        Field("source", [item.id for item in documents], "text", 46),
        Field("publisher", [item.publisher for item in documents], "text", 40),
        Field("title", titles, "wrap", _MESSAGE), Field("version", [item.version for item in documents], "wrap", 24),
        Field("url", urls, "wrap", _HINT),
        Field("retrieved", [item.retrieved for item in documents]),
    ])  # fmt: skip
    for row, (item, url) in enumerate(zip(documents, urls, strict=True), 1):
        sheet.fit_row(row, ((item.title, _MESSAGE), (url or "", _HINT), (item.version or "", 24.0)))
    row = end + 1
    sheet.section(row, "versions", 5)
    for key, fact in (
        ("program", plan.made_by.version), ("schema", plan.schema_), ("catalog_digest", plan.made_by.catalog),
    ):  # fmt: skip
        row += 1
        sheet.write(row, 0, word(key, lang), "text")
        sheet.write(row, 1, fact, "plain")
    row += 2
    sheet.section(row, "request", 5)
    request = plan.requirement.model_dump(mode="json", exclude_defaults=True)
    if "lengths" in request:
        # row by row they stand on the sheet of cables
        request["lengths"] = len(request["lengths"])
    for path, value in _leaves(request, ()):
        row += 1
        sheet.write(row, 0, path, "text")
        sheet.write(row, 1, value, "plain")
    sheet.finish(header=0, rows=end - 1, columns=6)


def _leaves(tree: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str, str | int | float]]:
    """Return every value of the request with its path."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from _leaves(value, (*path, key))
    elif isinstance(tree, list):
        for number, value in enumerate(tree):
            yield from _leaves(value, (*path, number))
    elif isinstance(tree, bool) or tree is None:
        yield json_path(path), str(tree).lower()
    else:
        yield json_path(path), tree
