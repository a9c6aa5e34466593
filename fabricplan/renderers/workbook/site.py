"""The racks sheet: one table, each rack a total row with its devices below it, lowest unit first."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from fabricplan.plan import Plan
from fabricplan.renderers.words import heading, word
from fabricplan.renderers.workbook.book import Book, Cell, Formula
from fabricplan.schedule import DeviceRow, RackRow, known_sum, rack_rows

COLUMNS = ("rack", "kind", "rack_unit", "device", "model", "order_pn", "height_u", "power_w", "power_unknown",
           "network", "unit_short", "pod", "rail", "plane", "has_management", "airflow", "remark")  # fmt: skip
DEVICES_MAX = 20_000
"""With more devices only the racks are listed."""
_NUMBERS = ("height_u", "power_w", "power_unknown")
_CENTRED = ("rack_unit", "unit_short", "pod", "rail", "plane", "has_management", "airflow")
_FORMS = tuple("number" if key in _NUMBERS else "centre" if key in _CENTRED else "text" for key in COLUMNS)
_BANDS = tuple("band_number" if key in (*_NUMBERS, "device") else "band" for key in COLUMNS)


def racks_sheet(book: Book, plan: Plan, devices: list[DeviceRow]) -> None:
    """Write racks and devices; devices, height, power and devices of unknown power are totalled by formula."""
    sheet, lang = book.sheet("racks"), book.lang
    sheet.headings(0, [heading(key, lang) for key in COLUMNS])
    order = {name: at for at, name in enumerate(plan.placement.rack_names())}
    ranked = sorted(devices, key=lambda item: (order[item.rack], item.u or 0, item.name))
    totals = {total.rack: total for total in rack_rows(plan, devices)}
    row, listed = 1, len(devices) <= DEVICES_MAX
    for rack, members in groupby(ranked, key=lambda item: item.rack):
        held = list(members) if listed else []
        sheet.row(row, _rack_cells(totals[rack], lang, (row + 2, row + 1 + len(held)) if listed else None), _BANDS)
        row += 1
        for device in held:
            sheet.row(row, _device_cells(device, lang), _FORMS)
            row += 1
    if row > 1:
        sheet.row(row, _all_cells(list(totals.values()), lang, row), _BANDS)
    sheet.finish(header=0, rows=row - 1, columns=len(COLUMNS))


def _rack_cells(total: RackRow, lang: str, rows: tuple[int, int] | None) -> list[Cell | Formula]:
    """Return a rack's total row; ``rows`` are the sheet rows (from 1) of its devices, None where none is listed."""
    values = {"D": total.device_count, "G": total.used_u, "H": total.power_max_w, "I": total.power_unknown_count}
    return _spread(total.rack, word("rack_total", lang), {
        letter: word("unknown", lang) if value is None else value if rows is None else
        Formula(f"={'COUNTA' if letter == 'D' else 'SUM'}({letter}{rows[0]}:{letter}{rows[1]})", value)
        for letter, value in values.items()
    })  # fmt: skip


def _all_cells(totals: list[RackRow], lang: str, last: int) -> list[Cell | Formula]:
    values = {
        "D": sum(item.device_count for item in totals), "G": known_sum(item.used_u for item in totals),
        "H": known_sum(item.power_max_w for item in totals), "I": sum(item.power_unknown_count for item in totals),
    }  # fmt: skip
    key = word("rack_total", lang)
    return _spread(None, word("grand_total", lang), {
        letter: word("unknown", lang) if value is None else
        Formula(f'=SUMIF(B2:B{last},"{key}",{letter}2:{letter}{last})', value)
        for letter, value in values.items()
    })  # fmt: skip


def _spread(rack: str | None, kind: str, cells: Mapping[str, Cell | Formula]) -> list[Cell | Formula]:
    found: list[Cell | Formula] = [None] * len(COLUMNS)
    found[0], found[1] = rack, kind
    for letter, cell in cells.items():
        found[ord(letter) - ord("A")] = cell
    return found


def _device_cells(device: DeviceRow, lang: str) -> list[Cell | Formula]:
    managed = {None: None, True: "yes", False: "no"}[device.managed]
    shared = device.box is not None
    second = shared and device.height == 0
    return [
        device.rack, word(device.kind, lang), device.u, device.name, device.model, device.pn,
        None if second else device.height,
        None if second else word("unknown", lang) if device.power_max_w is None else device.power_max_w,
        1 if device.power_max_w is None else None, device.fabric, device.unit, device.pod, device.rail,
        device.plane, word(managed, lang) if managed else None, device.airflow,
        word("in_box", lang).format(box=(device.box or 0) + 1) if shared else None,
    ]  # fmt: skip
