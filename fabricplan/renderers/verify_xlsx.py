"""``verify.xlsx``: the work orders for the floor, one step a row, with rack, unit and panel label of both ports; the
counts with the digests of all inputs; the findings."""

from __future__ import annotations

from collections.abc import Sequence

from fabricplan.asbuilt.document import Verification
from fabricplan.renderers.verify_rows import step_rows, summary_rows
from fabricplan.renderers.workbook.book import Book, Cell, Field, Formula
from fabricplan.wording.asbuilt import asbuilt_hint, asbuilt_text, say

ORDER_HEADS = ("order", "cause", "fabric", "step", "action", "from_device", "from_rack", "from_u", "from_port",
               "to_device", "to_rack", "to_u", "to_port", "stays", "cables", "rail", "done")  # fmt: skip
STEPS_MAX = 1_000_000
"""A sheet holds no more rows; the rest is in verify.json."""


def render(verification: Verification, lang: str) -> dict[str, bytes]:
    """Return the workbook."""
    book = Book(lang, say("verify_title", lang, name=verification.plan_name))
    rows = summary_rows(verification, lang)
    _sheet(book, "sheet_summary", ("item", "value"),
           (Field("", [row[0] for row in rows]), Field("", [row[1] for row in rows], "left", 70)))  # fmt: skip
    steps = step_rows(verification, lang)[:STEPS_MAX]
    plugs = [(step.at, step.to) for step in steps]
    columns: list[Sequence[Cell | Formula]] = [
        [step.order for step in steps], [step.cause for step in steps], [step.fabric for step in steps],
        [step.step for step in steps], [step.action for step in steps],
    ]  # fmt: skip
    for side in (0, 1):
        ends = [pair[side] for pair in plugs]
        columns += [[end.device for end in ends], [end.rack for end in ends], [end.u for end in ends],
                    [end.port for end in ends]]  # fmt: skip
    columns += [[step.stays for step in steps], [step.cables for step in steps], [step.rail for step in steps],
                ["" for _ in steps]]  # fmt: skip
    _sheet(book, "sheet_orders", ORDER_HEADS,
           tuple(Field("", column, "number" if head in ("step", "from_u", "to_u") else "text")
                 for head, column in zip(ORDER_HEADS, columns, strict=True)))  # fmt: skip
    found = verification.findings
    _sheet(book, "sheet_findings", ("severity", "text", "hint"), (
        Field("", [say(item.severity, lang) for item in found]),
        Field("", [asbuilt_text(item, lang) for item in found], "wrap"),
        Field("", [asbuilt_hint(item, lang) for item in found], "wrap"),
    ))  # fmt: skip
    return {"verify.xlsx": book.close()}


def _sheet(book: Book, name: str, heads: Sequence[str], fields: Sequence[Field]) -> None:
    sheet = book.sheet(name, say(name, book.lang))
    sheet.headings(0, [say(f"h_{head}", book.lang) for head in heads])
    last = sheet.table(fields, row=1, heads=False)
    sheet.finish(header=0, rows=last - 1, columns=len(fields))
