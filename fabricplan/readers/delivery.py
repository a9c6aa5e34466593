"""Delivery notes from XLSX or CSV: part number, serial number or quantity, GUID, device, end of warranty.

Columns are found by their headings, in Chinese or English, in any order; the first sheet that has them is read.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from fabricplan.asbuilt.receive import DeliveryRow
from fabricplan.errors import Problem, ReadError
from fabricplan.readers.cells import Cell, CellError, plain, read_count, read_date
from fabricplan.readers.csvtext import read_rows
from fabricplan.readers.headings import OPN, PART, by_heading, field_of
from fabricplan.readers.workbooks import open_workbook

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "part": PART,
    "opn": OPN,
    "serial": ("serial number", "serial no", "serial", "sn", "s/n", "序列号"),
    "quantity": ("quantity", "qty", "count", "数量"),
    "guid": ("guid", "node guid", "mac", "mac address"),
    "device": ("device", "name", "hostname", "设备", "设备名称"),
    "warranty": ("warranty end", "warranty until", "warranty", "warranty expiry", "保修到期", "保修截止", "质保到期"),
}  # fmt: skip
_BY_HEADING = by_heading(HEADINGS)


def read_delivery(data: bytes, name: str) -> list[DeliveryRow]:
    """Return the rows of a delivery note.

    Raises:
        ReadError: another format, no headings, no row, or every cell that cannot be read, with its place.
    """
    rows = _csv(data, name) if PurePath(name).suffix.casefold() in (".csv", ".tsv", ".txt") else _book(data, name)
    places: dict[str, int] = {}
    found: list[DeliveryRow] = []
    problems: list[Problem] = []
    for where, cells in rows:
        if not places:
            places = _places(cells)
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


def _places(cells: Sequence[Cell]) -> dict[str, int]:
    """Return field -> column of a row of headings; empty where it is none. An order number serves as the part."""
    told: dict[str, int] = {}
    for at, cell in enumerate(cells):
        field = field_of(plain(cell), _BY_HEADING) if isinstance(cell, str) else None
        if field is not None:
            told.setdefault(field, at)
    if "opn" in told:
        told.setdefault("part", told.pop("opn"))
    told.pop("opn", None)
    return told if "part" in told and ("serial" in told or "quantity" in told) else {}


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
    book = open_workbook(data, name, ReadError, "give a .xlsx or .csv file", read_only=True)
    for sheet in book.worksheets:
        rows = list(sheet.iter_rows(values_only=True))
        if any(_places(cells) for cells in rows[:50]):
            return [(f"{sheet.title}!A{number}", cells) for number, cells in enumerate(rows, start=1)]
    return []


def _csv(data: bytes, name: str) -> list[tuple[str, Sequence[Cell]]]:
    rows = read_rows(data, name, ReadError, lambda cell: field_of(plain(cell), _BY_HEADING) is not None)
    return [(f"{name}:{line}", cells) for line, cells in rows]
