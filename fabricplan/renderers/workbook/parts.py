"""Sheets of parts: the bill of materials, and cables by length and by bundle."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from fabricplan.plan import Plan
from fabricplan.renderers.words import heading, metres, uses_text, word
from fabricplan.renderers.workbook.book import Book, Field, Formula, display_width
from fabricplan.schedule import BillRow, bill_rows, bundle_rows
from fabricplan.summary import part_description
from fabricplan.wording import describe

BILL = ("number", "kind", "pn", "opn", "description", "length_m", "quantity", "spare_quantity", "with_spares",
        "unit_of_count", "serves", "status", "confidence")  # fmt: skip
QUANTITY, SPARE, TOTAL = 6, 7, 8
_FORMS = ("centre", "text", "text", "text", "wrap", "centre", "number", "number", "number", "centre", "wrap", "text",
          "text")  # fmt: skip
_WIDTHS = (6, 14, 24, 24, 52, 9, 11, 9, 11, 8, 34, 12, 12)
_DESCRIPTION, _SERVES = 4, 10


class Subtotal(NamedTuple):
    """Row (from 0) of a kind's subtotal on the bill's sheet, and its values."""

    kind: str
    row: int
    quantity: int
    spare: int


def bill_sheet(book: Book, plan: Plan, bill: list[BillRow]) -> list[Subtotal]:
    """Write the bill, grouped by kind with subtotals; return where the subtotals stand."""
    sheet, lang = book.sheet("bill"), book.lang
    sheet.headings(0, [heading(key, lang) for key in BILL])
    for column, width in enumerate(_WIDTHS):
        sheet.widen(column, width)
    row, subtotals = 1, []
    for kind, members in groupby(bill, key=lambda item: item.line.kind):
        first = row
        quantity = spare = 0
        for number, line, _, status, confidence in members:
            total = Formula(f"=G{row + 1}+H{row + 1}", line.quantity + line.spare)
            description = part_description(plan, line, lang)
            serves = uses_text(line, lang)
            cells = (number, word(f"group_{kind}", lang), line.pn, line.opn, description, metres(line.length_mm),
                     line.quantity, line.spare, total, word(f"count_{kind}", lang), serves, word(status, lang),
                     word(confidence, lang))  # fmt: skip
            for column, (cell, form) in enumerate(zip(cells, _FORMS, strict=True)):
                sheet.write(row, column, cell, form)
            sheet.fit_row(row, ((description, _WIDTHS[_DESCRIPTION]), (serves, _WIDTHS[_SERVES])))
            quantity, spare, row = quantity + line.quantity, spare + line.spare, row + 1
        label = f"{word(f'group_{kind}', lang)} {word('subtotal', lang)}"
        for column in range(len(BILL)):
            sheet.write(row, column, label if column == 1 else None, "band")
        for column, letter, value in (
            (QUANTITY, "G", quantity), (SPARE, "H", spare), (TOTAL, "I", quantity + spare)
        ):  # fmt: skip
            sheet.write(row, column, Formula(f"=SUM({letter}{first + 1}:{letter}{row})", value), "band_number")
        subtotals.append(Subtotal(kind, row, quantity, spare))
        sheet.widen(1, display_width(label) + 2)
        row += 1
    sheet.finish(header=0, rows=row - 1, columns=len(BILL))
    return subtotals


def cable_summary_sheet(book: Book, plan: Plan) -> None:
    """Write cables and fibres by length on the left, and the bundles between racks on the right."""
    sheet, lang = book.sheet("cable_summary"), book.lang
    rows = [row for row in bill_rows(plan) if row.line.kind in ("cable", "fibre")]
    lines = [row.line for row in rows]
    pieces = sum(line.quantity for line in lines)
    last, foot = len(lines) + 1, len(lines) + 2
    length = [metres(line.length_mm) or 0 for line in lines]
    fields = [
        Field("kind", [word(line.kind, lang) for line in lines]),
        Field("cable_model", [line.pn for line in lines]), Field("opn", [line.opn for line in lines]),
        Field("description", [describe(row.line.kind, row.entry, lang, row.line.length_mm) for row in rows],
              "wrap", 70),
        Field("length_m", length, "centre"), Field("quantity", [line.quantity for line in lines], "number"),
        Field("share", [Formula(f"=F{at}/F${foot}", line.quantity / pieces) for at, line in enumerate(lines, 2)],
              "percent"),
        Field("spare_quantity", [line.spare for line in lines], "number"),
        Field("with_spares", [Formula(f"=F{at}+H{at}", line.quantity + line.spare)
                              for at, line in enumerate(lines, 2)], "number"),
        Field("metres_total", [Formula(f"=E{at}*I{at}", each * (line.quantity + line.spare))
                               for at, (line, each) in enumerate(zip(lines, length, strict=True), 2)], "tenths"),
    ]  # fmt: skip
    sheet.table(fields)
    if lines:
        for at, text in enumerate(fields[3].cells, 1):
            sheet.fit_row(at, ((str(text), 70.0),))
        spare = sum(line.spare for line in lines)
        whole = sum(each * (line.quantity + line.spare) for line, each in zip(lines, length, strict=True))
        for column in range(len(fields)):
            sheet.write(last, column, word("grand_total", lang) if column == 0 else None, "band")
        for column, letter, value, form in (
            (5, "F", pieces, "band_number"), (6, "G", 1, "band_percent"), (7, "H", spare, "band_number"),
            (8, "I", pieces + spare, "band_number"), (9, "J", whole, "band_tenths"),
        ):  # fmt: skip
            sheet.write(last, column, Formula(f"=SUM({letter}2:{letter}{last})", value), form)
            sheet.widen(column, display_width(f"{value:,.1f}") + 2)
        sheet.inner.conditional_format(1, 6, last - 1, 6, {
            "type": "data_bar", "bar_color": "#8EA9DB", "min_type": "num", "min_value": 0,
        })  # fmt: skip
    bundles = bundle_rows(plan)
    sheet.widen(len(fields), 3)
    sheet.table([
        Field("bundle", [item.bundle for item in bundles], "centre"),
        Field("a_rack", [item.rack_a for item in bundles]), Field("z_rack", [item.rack_z for item in bundles]),
        Field("bundle_cables", [item.cable_count for item in bundles], "number"),
        Field("shortest_m", [metres(item.shortest_mm) for item in bundles], "centre"),
        Field("longest_m", [metres(item.longest_mm) for item in bundles], "centre"),
    ], first=len(fields) + 1)  # fmt: skip
    sheet.finish(header=0)
