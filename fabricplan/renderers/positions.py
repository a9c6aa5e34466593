"""``positions.xlsx`` and ``positions.csv``: where every device stands, to be changed and given back to ``design``.

Device, row, rack and lowest unit are read back (``readers.positions``); model and height are there for the reader.
"""

from __future__ import annotations

from fabricplan.plan import Plan
from fabricplan.renderers.csv_text import csv_bytes, quoted
from fabricplan.renderers.plain import Sheet, plain_book
from fabricplan.schedule import device_rows
from fabricplan.wording.crews import crew_text


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return both files; the same rows in both."""
    row_of = dict(zip(plan.placement.rack_names(), plan.placement.racks.row.tolist(), strict=True))
    heads = [crew_text(key, lang) for key in ("head_device", "head_row", "head_rack", "head_u", "head_model",
                                              "head_height")]  # fmt: skip
    rows = [
        (item.name, plan.placement.row_name(row_of[item.rack]), item.rack, item.u, item.model, item.height or None)
        for item in device_rows(plan)
    ]
    columns = [[quoted(row[place]) for row in rows] for place in range(len(heads))]
    book = plain_book([Sheet(crew_text("sheet_positions", lang), heads, rows, frozenset((1, 2, 3)))])
    return {"positions.xlsx": book, "positions.csv": csv_bytes(heads, columns)}
