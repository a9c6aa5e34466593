"""Columns of the cable schedule that only some readers want, and the schedule from both ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from fabricplan.plan import Plan
from fabricplan.portwords import tier_word
from fabricplan.schedule.cables import CableTable, End
from fabricplan.schedule.columns import Cell, Coded
from fabricplan.schedule.managers import manager_sides

Column = Callable[[Plan, CableTable], Coded]


def _ends(of: Callable[[Plan, End], Coded]) -> tuple[Column, Column]:
    """Return the columns of a fact of what stands at the A end and at the Z end."""
    return lambda plan, table: of(plan, table.a), lambda plan, table: of(plan, table.z)


def _rows_of_racks(plan: Plan, end: End) -> Coded:
    rows = plan.placement.rack_rows()
    return Coded(tuple(rows[str(rack)] for rack in end.rack.values), end.rack.codes)


def _kinds(plan: Plan, end: End) -> Coded:
    """Return the kind of every device; a patch panel, which stands behind the devices, is ``patch_panel``."""
    devices = plan.topology.devices
    kinds = [tier_word(kind, tier) for kind, tier in zip(devices.kind.tolist(), devices.tier.tolist(), strict=True)]
    panels = len(end.device.values) - len(kinds)
    return Coded((*kinds, *["patch_panel"] * panels), end.device.codes)


def _models(plan: Plan, end: End) -> Coded:
    types = [item.key or None for item in plan.topology.device_types]
    models = [types[row] for row in plan.topology.devices.type.tolist()]
    return Coded((*models, *[None] * (len(end.device.values) - len(models))), end.device.codes)


def _media(plan: Plan, table: CableTable) -> Coded:
    """Return the kind of cable: ``dac``, ``acc``, ``aoc``, ``twisted-pair``, or the mode of the fibre."""
    words = [
        plan.products.fibre(part.family).mode if part.kind == "fibre" else plan.products.cable(part.family).kind
        for part in plan.cabling.cable_parts
    ]
    return Coded((*words, None), table.pn.codes)


def _connectors(plan: Plan, table: CableTable) -> Coded:
    """Return the connector of a fibre; cables have their plugs."""
    words = [
        plan.products.fibre(part.family).connector if part.kind == "fibre" else None
        for part in plan.cabling.cable_parts
    ]
    return Coded((*words, None), table.pn.codes)


def _pieces(plan: Plan, table: CableTable) -> Coded:
    """Return the id of every plug-to-plug piece, as checklists and labels have it: ``C0007``, ``C0007/1``."""
    names = zip(table.id.cells(), table.tail.cells(), strict=True)
    texts = tuple(f"{name}/{tail}" if tail else name for name, tail in names)
    return Coded(texts, np.arange(len(texts), dtype=np.int64))


def _all(value: Cell) -> Column:
    return lambda plan, table: Coded((value,), np.zeros(len(table), np.int64))


_A_ROW, _Z_ROW = _ends(_rows_of_racks)
_A_KIND, _Z_KIND = _ends(_kinds)
_A_MODEL, _Z_MODEL = _ends(_models)
TO_FILL = ("serial", "a_module_serial", "z_module_serial", "done", "by", "date", "note")
"""Columns without a value, for a crew to fill in."""
EXTRA: Mapping[str, Column] = {
    "piece": _pieces, "site": lambda plan, table: _all(plan.name)(plan, table), "end": _all("A"),
    "a_side": lambda plan, table: manager_sides(plan, table.a),
    "z_side": lambda plan, table: manager_sides(plan, table.z),
    "a_row": _A_ROW, "a_kind": _A_KIND, "a_model": _A_MODEL, "z_row": _Z_ROW, "z_kind": _Z_KIND, "z_model": _Z_MODEL,
    "medium": _media, "connector": _connectors, **{name: _all(None) for name in TO_FILL},
}  # fmt: skip
"""Name -> column. ``site`` is the name of the plan; ``end`` is the end that stands in the columns of A."""


def both_ways(columns: Mapping[str, Coded], wanted: list[str]) -> dict[str, Coded]:
    """Return the wanted columns with one row per end: every cable as it is, then from its Z end.

    Columns of A hold the end that a row is of, those of Z the other; ``end`` tells which it is.
    """
    found = {}
    for name in wanted:
        if name == "end":
            count = columns[name].codes.size
            found[name] = Coded(("A", "Z"), np.tile(np.arange(2, dtype=np.int64), count))
            continue
        there, back = columns[name], columns[_other(name)]
        codes = np.stack([there.codes, back.codes + (0 if there is back else len(there.values))], axis=1).ravel()
        found[name] = Coded(there.values if there is back else (*there.values, *back.values), codes)
    return found


def _other(name: str) -> str:
    """Return the column that stands in a column's place when a cable is seen from its other end."""
    swapped = {"a_": "z_", "z_": "a_"}
    if name in ("label_a", "label_z"):
        return "label_z" if name == "label_a" else "label_a"
    return swapped[name[:2]] + name[2:] if name[:2] in swapped else name
