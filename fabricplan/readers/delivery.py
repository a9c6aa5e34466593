"""Delivery notes from XLSX or CSV: part number, serial number or quantity, GUID, device, end of warranty.

Columns are found by their headings, in Chinese or English, in any order; the first sheet that has them is read.
"""

from __future__ import annotations

import csv
import datetime
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException

from fabricplan.asbuilt.receive import DeliveryRow
from fabricplan.errors import Problem, ReadError
from fabricplan.readers.cells import Cell, CellError, plain, read_count, read_date

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "part": ("part number", "part no", "part", "pn", "p/n", "opn", "model", "sku", "型号", "料号", "产品型号",
             "订货号"),
    "serial": ("serial number", "serial no", "serial", "sn", "s/n", "序列号"),
    "quantity": ("quantity", "qty", "count", "数量"),
    "guid": ("guid", "node guid", "mac", "mac address"),
    "device": ("device", "name", "hostname", "设备", "设备名称"),
    "warranty": ("warranty end", "warranty until", "warranty", "warranty expiry", "保修到期", "保修截止", "质保到期"),
}  # fmt: skip
_BY_HEADING = {heading: field for field, words in HEADINGS.items() for heading in words}


def read_delivery(data: bytes, name: str) -> list[DeliveryRow]:
    """Return the rows of a delivery note.

    Raises:
        ReadError: another format, no headings, no row, or every cell that cannot be read, with its place.
    """
    rows = list(_csv(data, name)) if PurePath(name).suffix.casefold() in (".csv", ".tsv", ".txt") else _book(data, name)
    places: dict[str, int] = {}
    found: list[DeliveryRow] = []
    problems: list[Problem] = []
    for where, cells in rows:
        if not places:
            told = {_BY_HEADING[text]: at for at, cell in enumerate(cells) if (text := plain(cell).casefold()) in
                    _BY_HEADING}  # fmt: skip
            places = told if "part" in told and ("serial" in told or "quantity" in told) else {}
            continue
        held = {field: cells[at] if at < len(cells) else None for field, at in places.items()}
        if not plain(held["part"]):
            continue
        try:
            found.append(_row(held, where))
        except CellError as caught:
            problems.append(Problem("delivery-cell", str(caught), where, "correct the cell"))
    if not places:
        problems.append(Problem("no-headings", "no row of headings: a part number and a serial number or a quantity "
                                "are needed", name, "name the columns; they may stand in any order"))  # fmt: skip
    elif not found and not problems:
        problems.append(Problem("empty-delivery", "the delivery has no row", name, "list what was delivered"))
    if problems:
        raise ReadError(*problems)
    return found


def _row(held: Mapping[str, Cell], where: str) -> DeliveryRow:
    serial = plain(held.get("serial"))
    count = read_count(held.get("quantity"))
    if serial and count not in (None, 1):
        raise CellError(f"serial number {serial} stands for {count} pieces")
    if count is not None and count < 0:
        raise CellError(f"{count} pieces")
    end: datetime.date | None = read_date(held.get("warranty"))
    return DeliveryRow(part=plain(held["part"]), serial=serial, quantity=1 if count is None else count,
                       guid=plain(held.get("guid")), device=plain(held.get("device")), warranty_end=end,
                       where=where)  # fmt: skip


def _book(data: bytes, name: str) -> list[tuple[str, Sequence[Cell]]]:
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), data_only=True, read_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, TypeError, OSError, SyntaxError) as caught:
        raise ReadError(Problem("not-a-workbook", f"not an Excel workbook: {caught}", name,
                                "give a .xlsx or .csv file")) from None  # fmt: skip
    found: list[tuple[str, Sequence[Cell]]] = []
    for sheet in book.worksheets:
        rows = list(sheet.iter_rows(values_only=True))
        words = {plain(cell).casefold() for cells in rows[:50] for cell in cells}
        if words & set(HEADINGS["part"]) and words & {*HEADINGS["serial"], *HEADINGS["quantity"]}:
            found += [(f"{sheet.title}!A{number}", cells) for number, cells in enumerate(rows, start=1)]
            break
    return found


def _csv(data: bytes, name: str) -> Iterator[tuple[str, Sequence[Cell]]]:
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            text = data.decode(encoding)
            break
        except UnicodeDecodeError:
            continue
    else:
        raise ReadError(Problem("not-text", "the file is neither UTF-8 nor GB18030 text", name, "save it as CSV UTF-8"))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=text[:4096].count))
    try:
        for cells in reader:
            yield f"{name}:{reader.line_num}", cells
    except csv.Error as caught:
        raise ReadError(Problem("csv-syntax", f"not valid CSV: {caught}", f"{name}:{reader.line_num}")) from None
