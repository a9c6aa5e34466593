"""Sheets of cables: the schedule, one row a cable, and every device's ports in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fabricplan.plan import Plan
from fabricplan.renderers.words import metres, word
from fabricplan.renderers.workbook.book import Book, Field
from fabricplan.schedule import CableTable, Cell, Coded, port_table
from fabricplan.schedule.free import FreeRow, free_rows

ROWS_MAX = 20_000
"""More rows than this make a workbook slow to open; the CSV holds them."""


def cables_sheet(book: Book, table: CableTable) -> None:
    """Write the cable schedule."""
    sheet, lang = book.sheet("cables"), book.lang
    a, z = table.a, table.z
    shown = len(table) <= ROWS_MAX
    polarity = [
        " / ".join(str(part) for part in pair if part) or None
        for pair in zip(table.polarity.cells(), table.polish.cells(), strict=True)
    ] if shown else []  # fmt: skip
    ids = [
        f"{name}/{tail}" if tail else name for name, tail in zip(table.id.cells(), table.tail.cells(), strict=True)
    ] if shown else []  # fmt: skip

    def cells(column: Coded, form: Callable[[Cell], Any] | None = None) -> list[Any]:
        return column.cells(form) if shown else []

    def worded(column: Coded) -> list[Any]:
        return cells(column, lambda cell: word(str(cell), lang))

    fields = [
        Field("id", ids), Field("network", cells(table.fabric)),
        Field("a_device", cells(a.device)), Field("a_rack", cells(a.rack)), Field("a_u", cells(a.u), "centre"),
        Field("a_port", cells(a.port)), Field("a_module", cells(a.module)),
        Field("z_device", cells(z.device)), Field("z_rack", cells(z.rack)), Field("z_u", cells(z.u), "centre"),
        Field("z_port", cells(z.port)), Field("z_module", cells(z.module)),
        Field("cable_model", _named(cells(table.pn), cells(table.family))),
        Field("length_m", cells(table.length_mm, _metres), "centre"),
        Field("required_m", cells(table.required_mm, _metres), "centre"),
        Field("slack_m", cells(table.slack_mm, _metres), "centre"),
        Field("length_source", worded(table.source)), Field("polarity_polish", polarity),
        Field("rail", cells(table.rail, _number), "centre"), Field("bundle", cells(table.bundle), "centre"),
        Field("label_a", cells(table.label_a)), Field("label_z", cells(table.label_z)),
        Field("done", [None] * len(ids), "centre"),
    ]  # fmt: skip
    end = sheet.table(fields, last=True)
    if shown and len(table):
        done = len(fields) - 1
        sheet.inner.data_validation(1, done, end - 1, done, {"validate": "list", "source": ["✓"]})
    if not shown:
        sheet.write(1, 0, word("cables_elsewhere", lang).format(rows=len(table)), "note")
    sheet.inner.set_row(0, 45)
    sheet.finish(header=0, rows=end - 1, columns=len(fields))


def ports_sheet(book: Book, table: CableTable, plan: Plan) -> None:
    """Write every connected port, device by device, with its far end; then what is free on each switch."""
    sheet, lang = book.sheet("ports"), book.lang
    count = 2 * len(table)
    if count > ROWS_MAX:
        fields = [Field(key, []) for key in _PORTS]
        sheet.table(fields)
        sheet.write(1, 0, word("ports_elsewhere", lang).format(rows=count), "note")
        sheet.finish(header=0)
        return
    ports = port_table(table)
    near, far = ports.near, ports.far
    columns: tuple[list[Any], ...] = (
        near.device.cells(), near.rack.cells(), near.u.cells(), near.port.cells(), near.number.cells(_number),
        near.module.cells(), far.device.cells(), far.rack.cells(), far.u.cells(), far.port.cells(),
        [f"{name}/{tail}" if tail else name for name, tail in zip(ports.id.cells(), ports.tail.cells(), strict=True)],
        _named(ports.pn.cells(), ports.family.cells()),
        ports.length_mm.cells(_metres), ports.role.cells(lambda cell: word(str(cell), lang)),
        ports.rail.cells(_number),
    )  # fmt: skip
    centred = ("rack_unit", "far_u", "length_m", "ib_port", "rail")
    fields = [
        Field(key, cells, "centre" if key in centred else "text") for key, cells in zip(_PORTS, columns, strict=True)
    ]
    free = free_rows(plan)
    fields = [
        Field(field.key, [*field.cells, *cells], field.form)
        for field, cells in zip(fields, _free_cells(free, lang), strict=True)
    ]
    end = sheet.table(fields, last=True)
    sheet.finish(header=0, rows=end - 1, columns=len(fields))


def _free_cells(rows: list[FreeRow], lang: str) -> list[list[Any]]:
    """Return the columns of the free ports: the cages as ranges, and how many they are where a far end would stand."""
    told = [word("free_cages", lang).format(cages=row.cages, ports=row.ports) for row in rows]
    known: dict[str, list[Any]] = {
        "device": [row.device for row in rows], "rack": [row.rack for row in rows],
        "rack_unit": [row.u for row in rows], "near_port": [", ".join((*row.ranges, *row.shared)) for row in rows],
        "far_device": told, "role": [word("free", lang)] * len(rows),
    }  # fmt: skip
    return [known.get(key, [None] * len(rows)) for key in _PORTS]


_PORTS = ("device", "rack", "rack_unit", "near_port", "ib_port", "near_module", "far_device", "far_rack", "far_u",
          "far_port", "cable_id", "cable_model", "length_m", "role", "rail")  # fmt: skip


def _named(pns: list[Any], families: list[Any]) -> list[Any]:
    """Return part numbers; a part that is ordered by description is named by its family."""
    return [pn or family for pn, family in zip(pns, families, strict=True)]


def _metres(cell: Cell) -> int | float | None:
    return metres(cell if isinstance(cell, int) else None)


def _number(cell: Cell) -> Cell:
    """Return a whole number where the text is one, so that it sorts and filters as a number."""
    return int(cell) if isinstance(cell, str) and cell.isdecimal() else cell
