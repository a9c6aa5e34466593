"""What a crew lays, piece by piece: one row of the cable schedule each, in the order in which it is installed.

First what stays inside a rack, then what stays within a row, then what runs between rows; within these the shortest
bundle first, and a bundle whole before the next one; in a bundle one length after another, port by port. A splitter
is one cable: its tails stay together, and it belongs where its farthest tail leads.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from fabricplan.plan import Plan
from fabricplan.schedule import CableTable, Cell, End
from fabricplan.schedule.columns import Coded
from fabricplan.schedule.managers import manager_sides
from fabricplan.terminal import columns

INSIDE, WITHIN, BETWEEN = 0, 1, 2
ROUTES = ("inside", "within", "between")


class Spot(NamedTuple):
    """One end of a piece: where it is plugged, the module there (None: the plug is the cable's), the line of a label
    that says so, and the cable manager of the rack on its side (``left``, ``right``; None where not known)."""

    device: str
    rack: str
    u: int | None
    port: str
    cage: str
    module: str | None
    line: str
    side: str | None


class Piece(NamedTuple):
    """One plug-to-plug piece: a straight cable, or one tail of a splitter.

    Attributes:
        key: its number in checklists: the cable's id, and the tail behind a slash (``C0007/1``), as in the workbook.
        cable: the cable's id.
        tail: tail of a splitter from 1; 0 for a straight cable.
        route: ``INSIDE`` a rack, ``WITHIN`` a row or ``BETWEEN`` rows.
        bundle: bundle from 1.
        part: row of the plan's cable parts.
        pn: part number, or the family where it has none.
        length_mm, required_mm: ordered and required length.
        source: where the length comes from: ``estimated``, ``uniform`` or ``surveyed``.
        a, z: lower and upper end.
    """

    key: str
    cable: str
    tail: int
    route: int
    bundle: int
    part: int
    pn: str
    length_mm: int
    required_mm: int
    source: str
    a: Spot
    z: Spot


def pieces_of(plan: Plan, table: CableTable) -> list[list[Piece]]:
    """Return the cables to lay in order of installation, each as its pieces; reserved ports have none."""
    found: dict[str, list[Piece]] = defaultdict(list)
    row_of = dict(zip(plan.placement.rack_names(), plan.placement.racks.row.tolist(), strict=True))
    parts = plan.cabling.cable_parts
    rows = zip(
        table.id.cells(), table.tail.cells(), table.bundle.cells(), table.pn.codes.tolist(),
        table.required_mm.cells(), table.source.cells(), _spots(plan, table.a, table.label_a),
        _spots(plan, table.z, table.label_z), strict=True,
    )  # fmt: skip
    for name, tail, bundle, part, required, source, a, z in rows:
        if part >= len(parts):
            continue
        item = parts[part]
        route = INSIDE if a.rack == z.rack else WITHIN if row_of[a.rack] == row_of[z.rack] else BETWEEN
        key = f"{name}/{tail}" if tail else name
        found[name].append(Piece(key, name, tail or 0, route, bundle or 0, part, item.pn or item.family,
                                 item.length_mm, required, source, a, z))  # fmt: skip
    route_of = {name: max(piece.route for piece in held) for name, held in found.items()}
    reach: dict[tuple[int, int], int] = defaultdict(int)
    for name, held in found.items():
        bundle_key = (route_of[name], held[0].bundle)
        reach[bundle_key] = max(reach[bundle_key], *(piece.required_mm for piece in held))

    def order(item: tuple[str, list[Piece]]) -> tuple[int, int, int, int, str]:
        name, held = item
        route, bundle = route_of[name], held[0].bundle
        return route, reach[route, bundle], bundle, held[0].length_mm, name

    return [[piece._replace(route=route_of[name]) for piece in held] for name, held in sorted(found.items(), key=order)]


def _spots(plan: Plan, end: End, lines: Coded) -> list[Spot]:
    """Return one end of all rows of the schedule."""
    cells: list[list[Cell]] = [
        column.cells()
        for column in (
            end.device, end.rack, end.u, end.port, end.cage, end.module, _short(lines), manager_sides(plan, end)
        )
    ]  # fmt: skip
    return [Spot(*row) for row in zip(*cells, strict=True)]


LINE_MAX = 24
"""Columns of a line of a cable label; a Chinese character takes two."""
CUT = "~"
"""Stands for what a name of a rack lost."""
NAME_MIN = 8
"""Columns that the name of a rack keeps before the words of the port lose letters: our choice."""


def short_line(line: str) -> str:
    """Return a line that fits a label: a long name of a rack loses what stands between its first letter and its end;
    where that is not enough the longest word of the port loses letters at its end, digits stay.

    >>> short_line("A01-U01-STORAGE-QSFP112-1"), short_line("C03-U24-P08/1")
    ('A01-U01-STORAG-QSFP112-1', 'C03-U24-P08/1')
    >>> short_line("一号机房东侧排-03-U24-P08/1+2")
    '一~东侧排-03-U24-P08/1+2'
    """
    head, _, port = line.partition("-U")
    if columns(line) > LINE_MAX and port:
        head = short_name(head, max(LINE_MAX - columns(f"-U{port}"), NAME_MIN))
        line = f"{head}-U{port}"
    while columns(line) > LINE_MAX:
        runs = [0]
        for place, sign in enumerate(port):
            runs.append(runs[place] + 1 if sign.isascii() and sign.isalpha() else 0)
        longest = max(runs)
        if longest < 2:
            return f"{short_name(head, LINE_MAX - columns(line[len(head) :]))}{line[len(head) :]}"
        cut = runs.index(longest) - 1
        port = port[:cut] + port[cut + 1 :]
        line = f"{head}-U{port}"
    return line


def short_name(name: str, width: int) -> str:
    """Return the name of a rack in so many columns, at least its first letter, the mark and its last.

    >>> short_name("一号机房东侧排-03", 9), short_name("A03", 9), short_name("A03", 1)
    ('一~排-03', 'A03', 'A~3')
    """
    if columns(name) <= width or len(name) < 4:
        return name if columns(name) <= width else f"{name[:1]}{CUT}{name[-1:]}"
    end = name[2:]
    while columns(name[0] + CUT + end) > width and len(end) > 1:
        end = end[1:]
    return name[0] + CUT + end


def _short(column: Coded) -> Coded:
    return Coded(tuple(short_line(str(value)) for value in column.values), column.codes)
