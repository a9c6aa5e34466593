"""Lines of the bill of materials with the catalogue facts that a buyer needs beside them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from fabricplan.bom import BomLine
from fabricplan.catalog import CableLength, Entry
from fabricplan.plan import Plan, Products


class BillRow(NamedTuple):
    """One line: its number, the line, the catalogue entry, and status and confidence of the ordered form."""

    number: int
    line: BomLine
    entry: Entry
    status: str
    confidence: str


def bill_rows(plan: Plan) -> list[BillRow]:
    """Return the lines of the bill, numbered from 1."""
    found = []
    for number, line in enumerate(plan.bom.lines, 1):
        entry = plan.products.entry(line.catalog_kind, line.key)
        status: str = entry.status
        confidence: str = entry.confidence
        for form in _forms(plan.products, line):
            status, confidence = form[0] or status, form[1] or confidence
        found.append(BillRow(number, line, entry, status, confidence))
    return found


def _forms(products: Products, line: BomLine) -> Iterable[tuple[str | None, str | None]]:
    """Return status and confidence of the ordered form, where it has its own."""
    if line.kind == "switch":
        return [(form.status, form.confidence) for form in products.switch(line.key).variants if form.pn == line.pn]
    if line.kind not in ("cable", "fibre"):
        return []
    lengths: tuple[CableLength, ...] = (
        products.cable(line.key).lengths if line.kind == "cable" else products.fibre(line.key).lengths
    )
    return [(row.status, row.confidence) for row in lengths if row.length_mm == line.length_mm and row.pn == line.pn]
