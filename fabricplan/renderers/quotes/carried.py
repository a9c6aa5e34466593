"""What goes out with a company's template beside the fields that are filled: nothing of it is taken out, since formulas
and lists of the template may need it; everything that a customer could open is told."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from fabricplan.values import Finding, finding

SHOWN_PLACES = 5


def carried_along(book: Any, filled: Collection[str]) -> tuple[Finding, ...]:
    """Return a warning for hidden sheets, sheets without a field, hidden rows and columns, comments, links to other
    files, and a person's name in the properties.

    Args:
        book: the template, an openpyxl workbook.
        filled: names of the sheets that hold fields.
    """
    return tuple(_carried(book, filled))


def _carried(book: Any, filled: Collection[str]) -> Iterator[Finding]:
    for title in book.sheetnames:
        sheet = book[title]
        if sheet.sheet_state != "visible":
            yield finding("warning", "template-hidden-sheet", title)
        elif title not in filled:
            yield finding("warning", "template-other-sheet", title)
        if not hasattr(sheet, "row_dimensions"):
            continue
        hidden = [f"{title}!{number}:{number}" for number, row in sheet.row_dimensions.items() if row.hidden]
        hidden += [f"{title}!{letter}:{letter}" for letter, column in sheet.column_dimensions.items() if column.hidden]
        notes = [f"{title}!{cell.coordinate}" for row in sheet.iter_rows() for cell in row if cell.comment]
        for code, places in (("template-hidden-cells", hidden), ("template-comments", notes)):
            if places:
                more = ", ..." if len(places) > SHOWN_PLACES else ""
                yield finding("warning", code, ", ".join(places[:SHOWN_PLACES]) + more)
    for link in getattr(book, "_external_links", ()):
        yield finding("warning", "template-link", str(link.file_link.Target))
    people = dict.fromkeys((book.properties.creator, book.properties.lastModifiedBy))
    named = [person for person in people if person and person != "openpyxl"]
    if named:
        yield finding("warning", "template-person", ", ".join(named))
