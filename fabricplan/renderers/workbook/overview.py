"""The first sheet: what is planned, how many of everything, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fabricplan.checks import for_customer
from fabricplan.plan import Plan
from fabricplan.renderers.words import heading, sheet_name, word
from fabricplan.renderers.workbook.book import Cell, Formula, Sheet, display_width
from fabricplan.renderers.workbook.parts import Subtotal
from fabricplan.schedule import DeviceRow, known_sum
from fabricplan.sizing import FabricSizing, TierPorts
from fabricplan.wording import label, reason

_COLUMNS = 8
_REASON = 62.0


def overview_sheet(sheet: Sheet, plan: Plan, subtotals: Sequence[Subtotal], devices: Sequence[DeviceRow]) -> None:
    """Write the overview."""
    lang = sheet.book.lang
    sheet.write(0, 0, plan.name, "title")
    sheet.inner.set_row(0, 26)
    row = _general(sheet, plan, devices, 2)
    row = _fabrics(sheet, plan, row + 1)
    row = _parts(sheet, subtotals, row + 1)
    row = _candidates(sheet, plan, row + 1)
    sheet.section(row + 1, "how_to_read", _COLUMNS - 1)
    for at, key in enumerate(("note_ends", "note_label"), row + 2):
        sheet.write(at, 0, word(key, lang), "plain")
    for column, width in enumerate((34.0, 36.0, *[13.0] * (_COLUMNS - 3), _REASON)):
        sheet.widen(column, width)
    sheet.inner.fit_to_pages(1, 1)
    sheet.finish()


def _general(sheet: Sheet, plan: Plan, devices: Sequence[DeviceRow], row: int) -> int:
    lang = sheet.book.lang
    counts = {
        level: sum(item.severity == level for item in for_customer(plan.findings))
        for level in ("error", "warning", "info")
    }
    power = known_sum(device.power_max_w for device in devices if device.height != 0)
    source, lengths = plan.length_words()
    lines: list[tuple[str, Cell]] = [
        ("gpus", plan.gpus if plan.gpus is not None else word("unknown", lang)), ("nodes", plan.nodes),
        ("rack_count", len(plan.placement.racks)),
        ("power_known", word("unknown", lang) if power is None else round(power / 1000, 1)),
        ("power_lacking", sum(device.power_max_w is None for device in devices)),
        ("length_note", word(f"length_{source}", lang).format(**lengths)),
        ("findings_count", word("findings_line", lang).format(
            errors=counts["error"], warnings=counts["warning"], infos=counts["info"])),
    ]  # fmt: skip
    sheet.section(row, "general", _COLUMNS - 1)
    for key, value in lines:
        row += 1
        sheet.write(row, 0, heading(key, lang), "text")
        sheet.write(row, 1, value, _form(value))
    return row + 1


def _form(cell: Cell) -> str:
    """Return the format of a value: numbers stand on the right, one below the other."""
    return "decimal" if isinstance(cell, float) else "number" if isinstance(cell, int) else "text"


def _fabrics(sheet: Sheet, plan: Plan, row: int) -> int:
    """Write one column a fabric; sums of switches and links are formulas."""
    lang = sheet.book.lang
    sheet.section(row, "fabrics", _COLUMNS - 1)
    sheet.headings(row + 1, [heading("item", lang), *(fabric.name for fabric in plan.fabrics)])
    row += 2
    at: dict[str, int] = {}
    for key, value in _facts(lang):
        cells = [value(fabric) for fabric in plan.fabrics]
        if all(cell is None for cell in cells):
            continue
        at[key] = row
        sheet.write(row, 0, heading(key, lang), "text")
        for column, cell in enumerate(cells, 1):
            sheet.write(row, column, cell, _form(cell))
            sheet.widen(column, min(display_width(str(cell)) + 2, 30))
        row += 1
    for key, members, totals in (
        ("switch_total", ("leaf", "core"), [fabric.switch_count for fabric in plan.fabrics]),
        ("link_total", ("node_leaf", "spine_core"), [
            fabric.node_leaf_links + fabric.leaf_spine_links + fabric.spine_core_links for fabric in plan.fabrics
        ]),
    ):  # fmt: skip
        sheet.write(row, 0, heading(key, lang), "band")
        for column, total in enumerate(totals, 1):
            letter = chr(ord("A") + column)
            formula = f"=SUM({letter}{at[members[0]] + 1}:{letter}{at[members[1]] + 1})"
            sheet.write(row, column, Formula(formula, total), "band_number")
        row += 1
    return row


def _facts(lang: str) -> list[tuple[str, Callable[[FabricSizing], Cell]]]:
    """Return the lines of a fabric: key and how to read it. Leaf to core and node-leaf to spine-core stand
    together, because they are summed."""

    def model(ports: TierPorts | None) -> str | None:
        return ports.model if ports else None

    return [
        ("network", lambda f: word(f.network, lang)),
        ("technology", lambda f: f"{word(f.technology, lang)} {f.rate.upper().replace('GBE', 'GbE')}"),
        ("link_rate", lambda f: f.link_gbps),
        ("tiers", lambda f: word(f"clos_{f.shape.tiers}", lang)),
        ("attach", lambda f: word({"rail": "rail_optimized"}.get(f.attach, f.attach), lang)),
        ("planes", lambda f: f.planes if f.planes > 1 else None),
        ("units", _units),
        ("endpoints", lambda f: f.endpoints),
        ("reserved_ports", lambda f: f.reserve_ports or None),
        ("leaf_switch", lambda f: model(f.shape.leaf)),
        ("spine_switch", lambda f: model(f.shape.spine)),
        ("core_switch", lambda f: model(f.shape.core)),
        ("leaf", lambda f: f.leaf_count), ("spine", lambda f: f.spine_count), ("core", lambda f: f.core_count),
        ("boxes", lambda f: f.box_count if f.box_count != f.switch_count else None),
        ("ratio_leaf", lambda f: f.oversubscription),
        ("ratio_spine", lambda f: f.oversubscription_spine if f.shape.tiers == 3 else None),
        ("tbps", lambda f: f.bisection_gbps / 1000),
        ("pair_links", lambda f: f.shape.links_per_pair or None),
        ("node_leaf", lambda f: f.node_leaf_links), ("leaf_spine", lambda f: f.leaf_spine_links),
        ("spine_core", lambda f: f.spine_core_links),
    ]  # fmt: skip


def _units(fabric: FabricSizing) -> str | None:
    """Return the scalable units: ``2 x 16`` nodes; nothing on a single switch."""
    if fabric.shape.tiers == 1:
        return None
    return " + ".join(f"{run.unit_count} × {run.nodes_each}" for run in fabric.shape.units)


def _parts(sheet: Sheet, subtotals: Sequence[Subtotal], row: int) -> int:
    """Write pieces and spares by kind, linked to the subtotals of the bill."""
    lang = sheet.book.lang
    sheet.section(row, "parts", _COLUMNS - 1)
    keys = ("kind", "quantity", "spare_quantity", "with_spares")
    sheet.headings(row + 1, [heading(key, lang) for key in keys])
    bill = "'" + sheet_name("bill", lang) + "'!"
    row += 1
    for item in subtotals:
        row += 1
        sheet.write(row, 0, word(f"group_{item.kind}", lang), "text")
        for column, letter, value in (
            (1, "G", item.quantity),
            (2, "H", item.spare),
            (3, "I", item.quantity + item.spare),
        ):
            sheet.write(row, column, Formula(f"={bill}{letter}{item.row + 1}", value), "number")
    return row + 1


def _candidates(sheet: Sheet, plan: Plan, row: int) -> int:
    """Write what was weighed, and why it was chosen or fell."""
    lang = sheet.book.lang
    sheet.section(row, "candidates", _COLUMNS - 1)
    keys = ("candidate", "fabric", "leaf", "spine", "core", "switches", "optical_ends", "reason")
    sheet.headings(row + 1, [heading(key, lang) for key in keys])
    row += 2
    for fabric in plan.fabrics:
        for item in fabric.candidates:
            counted = item.switch_count > 0
            why = reason(item, lang)
            cells: list[Cell | Formula] = [
                label(item, lang), fabric.name,
                *((item.leaf_count, item.spine_count, item.core_count) if counted else (None, None, None)),
                Formula(f"=SUM(C{row + 1}:E{row + 1})", item.switch_count) if counted else None,
                item.optical_end_count or None, why,
            ]  # fmt: skip
            for column, cell in enumerate(cells):
                form = "wrap" if column == _COLUMNS - 1 else "number" if column > 1 else "text"
                sheet.write(row, column, cell, "band" if item.chosen and column == 0 else form)
            sheet.fit_row(row, ((why, _REASON),))
            row += 1
    return row
