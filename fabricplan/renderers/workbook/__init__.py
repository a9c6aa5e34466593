"""fabric.xlsx: the plan as a workbook of eight sheets, in English or Chinese.

Overview, bill of materials, cable summary, cable schedule, port view, racks, findings, sources. Every total is a live
formula that has its value stored beside it, so that a viewer that does not compute shows the same.
"""

from __future__ import annotations

from fabricplan.plan import Plan
from fabricplan.renderers.workbook.book import Book
from fabricplan.renderers.workbook.notes import basis_sheet, findings_sheet
from fabricplan.renderers.workbook.overview import overview_sheet
from fabricplan.renderers.workbook.parts import bill_sheet, cable_summary_sheet
from fabricplan.renderers.workbook.site import racks_sheet
from fabricplan.renderers.workbook.wiring import cables_sheet, ports_sheet
from fabricplan.schedule import bill_rows, cable_table, device_rows


def render(document: Plan, lang: str = "en") -> dict[str, bytes]:
    """Return ``fabric.xlsx``."""
    book = Book(lang, document.name)
    bill, devices, table = bill_rows(document), device_rows(document), cable_table(document)
    # the overview comes first in the book, but it points at cells of the bill
    overview = book.sheet("overview")
    subtotals = bill_sheet(book, document, bill)
    overview_sheet(overview, document, subtotals, devices)
    cable_summary_sheet(book, document)
    cables_sheet(book, table)
    ports_sheet(book, table, document)
    racks_sheet(book, document, devices)
    findings_sheet(book, document)
    basis_sheet(book, document)
    return {"fabric.xlsx": book.close()}
