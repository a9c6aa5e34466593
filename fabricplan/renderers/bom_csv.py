"""bom.csv: the bill of materials, one row a part.

UTF-8 with byte-order mark, for Excel, portals and ERP systems. Quantities are pieces; total = quantity + spare.
"""

from __future__ import annotations

from fabricplan.plan import Plan
from fabricplan.renderers.csv_text import csv_bytes, quoted
from fabricplan.renderers.words import heading, metres, uses_text, word
from fabricplan.schedule import bill_rows
from fabricplan.summary import part_description

HEADINGS = ("number", "kind", "pn", "opn", "description", "length_m", "quantity", "spare_quantity", "with_spares",
            "unit_of_count", "serves", "status", "confidence")  # fmt: skip


def render(document: Plan, lang: str = "en") -> dict[str, bytes]:
    """Return ``bom.csv``."""
    rows = [
        (row.number, word(row.line.kind, lang), row.line.pn, row.line.opn,
         part_description(document, row.line, lang), metres(row.line.length_mm),
         row.line.quantity, row.line.spare, row.line.quantity + row.line.spare,
         word(f"count_{row.line.kind}", lang), uses_text(row.line, lang), word(row.status, lang),
         word(row.confidence, lang))
        for row in bill_rows(document)
    ]  # fmt: skip
    columns = [[quoted(cell) for cell in column] for column in zip(*rows, strict=True)]
    return {"bom.csv": csv_bytes([heading(key, lang) for key in HEADINGS], columns)}
