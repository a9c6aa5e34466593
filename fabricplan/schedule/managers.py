"""On which side of the rack a cable leaves its switch: left or right cable manager, half and half.

::

    cages of a switch in two rows       1  3  5  7 |  9 11 13 15
                                        2  4  6  8 | 10 12 14 16
                                        <-- left   |   right -->

The left half of the columns goes left, the right half right, so that no cable crosses the middle of a panel. Only where
the catalogue knows how the cages stand (``port_rows``): for other switches, and for nodes, nothing is said.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from fabricplan.plan import Plan
from fabricplan.schedule.cables import CableTable, End
from fabricplan.schedule.columns import Cell, Coded

LEFT, RIGHT = "left", "right"


def cage_side(cage: int, cages: int, rows: int) -> str:
    """Return the side on which a cage's cables leave, as one faces the ports.

    Args:
        cage: its number on the panel, from 1.
        cages: cages of the panel.
        rows: rows in which they stand, counted column by column from the left.

    >>> [cage_side(cage, 32, 2) for cage in (1, 16, 17, 32)], cage_side(3, 5, 1), cage_side(4, 5, 1)
    (['left', 'left', 'right', 'right'], 'left', 'right')
    """
    column, columns = (cage - 1) // rows, -(-cages // rows)
    return LEFT if 2 * column < columns else RIGHT


def manager_sides(plan: Plan, end: End) -> Coded:
    """Return the side on which every cable leaves the device at one end; None where it is not known."""
    types = plan.topology.devices.wide("type")
    # patch panels stand behind the devices; their ports have no cage, so whatever type is read says nothing
    types = types[np.minimum(end.device.codes, types.size - 1)]
    places = types * len(end.cage.values) + end.cage.codes
    pairs, codes = np.unique(places, return_inverse=True)
    rows_and_cages = (divmod(pair, len(end.cage.values)) for pair in pairs.tolist())
    values = [_side(plan, row, end.cage.values[cage]) for row, cage in rows_and_cages]
    return Coded(tuple(values), codes.reshape(-1).astype(np.int64))


def _side(plan: Plan, row: int, cage: Cell) -> str | None:
    item = plan.topology.device_types[row]
    if item.kind != "switch" or not str(cage).isdigit():
        return None
    switch = plan.products.switch(item.key)
    if switch.port_rows is None or switch.switches_per_box > 1 or len(switch.cages) != 1:
        return None
    return cage_side(int(str(cage)), switch.cages[0].count, switch.port_rows)


def rack_sides(plan: Plan, table: CableTable) -> dict[str, tuple[int, int]]:
    """Return rack -> cable ends that leave its switches to the left and to the right; racks without any are left out.

    A splitter counts once per tail; reserved ports without a cable count for nothing.
    """
    laid = table.pn.codes < len(plan.cabling.cable_parts)
    counts: Counter[tuple[str, str]] = Counter()
    for end in (table.a, table.z):
        sides = manager_sides(plan, end)
        cells = zip(end.rack.cells(), sides.cells(), laid.tolist(), strict=True)
        counts.update((str(rack), side) for rack, side, held in cells if held and side)
    racks = dict.fromkeys(rack for rack, _ in counts)
    return {rack: (counts[rack, LEFT], counts[rack, RIGHT]) for rack in racks}
