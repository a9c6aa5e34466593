"""``lengths.csv`` and ``lengths.xlsx``: every cable with both ends and its length, to be filled in on site.

What was surveyed already stands in its column; rows left empty keep the estimate. ``design --lengths`` reads both files
back, in any order of rows and columns. Read by: fabricplan (``readers.lengths``).
"""

from __future__ import annotations

from fabricplan.plan import Plan
from fabricplan.renderers.crew.book import Column, CrewBook
from fabricplan.renderers.csv_text import csv_bytes, quoted
from fabricplan.renderers.words import heading, metres
from fabricplan.schedule import Cell, cable_table
from fabricplan.wording.crews import crew_text

ROWS_MAX = 40_000
"""More rows than this make a workbook slow to open; the CSV holds them."""


def render(document: Plan, lang: str = "en") -> dict[str, bytes]:
    """Return the files; the workbook only where it is not too long."""
    table = cable_table(document)
    rows = [row for row, (part, carried) in enumerate(zip(table.pn.codes.tolist(), table.link_count.tolist(),
                                                          strict=True))
            if part < len(document.cabling.cable_parts) and carried]  # fmt: skip
    if document.cabling.patches is not None:
        # no one cable of a link through panels is as long as its route
        pieces = set(document.cabling.pieces.tolist())
        rows = [row for row in rows if table.id.codes[row] not in pieces]
    if not rows:
        return {}
    source, required = table.source.cells(), [metres(int(cell or 0)) for cell in table.required_mm.cells()]
    ids = [f"{name}/{tail}" if tail else name for name, tail in zip(table.id.cells(), table.tail.cells(), strict=True)]

    def taken(cells: list[Cell] | list[int | float | None]) -> list[Cell]:
        return [cells[row] for row in rows]  # type: ignore[misc]

    columns = [Column(crew_text("head_id", lang), taken(ids))]
    for side, end in (("a", table.a), ("z", table.z)):
        for key, cells in (("rack", end.rack), ("u", end.u), ("device", end.device), ("port", end.port)):
            columns.append(Column(heading(f"{side}_{key}", lang), taken(cells.cells())))
    surveyed = [value if told == "surveyed" else None for value, told in zip(required, source, strict=True)]
    columns += [
        Column(crew_text("head_estimate", lang), taken([
            None if told == "surveyed" else value for value, told in zip(required, source, strict=True)])),
        Column(crew_text("head_surveyed", lang), taken(surveyed), True),
    ]  # fmt: skip
    files = {"lengths.csv": csv_bytes([column.heading for column in columns],
                                      [[quoted(cell) for cell in column.cells] for column in columns])}  # fmt: skip
    if len(rows) <= ROWS_MAX:
        book = CrewBook(lang, document.name)
        book.sheet(crew_text("sheet_survey", lang), [crew_text("survey_note", lang)], columns)
        files["lengths.xlsx"] = book.close()
    return files
