"""``labels-tape.csv``: for programs of label printers that fill a layout from columns, one row a label.

Brother P-touch Editor, Dymo, Brady and Tepra programs all read CSV with a heading row; which field goes where, and the
size of the tape, is said there. UTF-8 with byte-order mark, so that Chinese survives; headings in the pack's language.

Source: P-touch Editor 6 help, "Database": .csv, .xlsx; field names in the header row. The templates that Brother's
printers hold themselves take 65,000 rows and 100 columns (P-touch Template manual).
"""

from __future__ import annotations

from collections.abc import Sequence

from fabricplan.crew.labels import Label
from fabricplan.renderers.crew.csv_file import columns_csv
from fabricplan.renderers.crew.sheets import columns_of
from fabricplan.renderers.words import metres
from fabricplan.wording.crews import crew_text


def tape_file(labels: Sequence[Label], lang: str) -> bytes:
    """Return the file: two rows a cable, of a splitter one for the head and one for each tail."""
    ends = {end: crew_text(f"end_{end}", lang) for end in ("A", "Z", "head")}
    stocks = {stock: crew_text(f"stock_{stock}", lang) for stock in ("flag", "wrap")}
    return columns_csv(columns_of(labels, lang, {
        "id": lambda row: row.id, "end": lambda row: ends[row.end], "near": lambda row: row.near,
        "far": lambda row: row.far, "part": lambda row: row.pn, "length": lambda row: metres(row.length_mm),
        "qr": lambda row: row.code, "stock": lambda row: stocks[row.stock], "package": lambda row: row.package,
    }))  # fmt: skip
