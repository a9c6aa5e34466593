"""``crew/``: what a cabling crew works from.

``crew.xlsx`` (packages, checklist, ports rack by rack, labels, cut list, lengths), ``labels.csv`` and ``labels.html``
for both ends of every cable, ``ports.csv``, and ``progress.csv``, which ``fabricplan progress`` reads back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from fabricplan.crew.labels import labels_of
from fabricplan.crew.lengths import EDGE_PERCENT, RARE_BELOW, cut_list, edges, histogram, package_cuts, rare_lengths
from fabricplan.crew.packages import PIECE_MINUTES, Package, Turn, packages_of, turns
from fabricplan.crew.pieces import Piece, pieces_of
from fabricplan.crew.site import switch_faces
from fabricplan.crew.trays import cable_kinds, diameter_mm
from fabricplan.plan import Plan
from fabricplan.renderers.crew.book import CrewBook
from fabricplan.renderers.crew.csv_file import columns_csv
from fabricplan.renderers.crew.guide import guide_columns
from fabricplan.renderers.crew.label_page import label_pages
from fabricplan.renderers.crew.sheets import (
    PortRow,
    Work,
    bar_columns,
    checklist_columns,
    cut_columns,
    edge_columns,
    label_columns,
    package_columns,
    package_cut_columns,
    port_columns,
    progress_columns,
)
from fabricplan.schedule import cable_table
from fabricplan.wording.crews import crew_text

PIECES_MAX = 40_000
"""More pieces than this make a workbook slow to open; the CSV files hold them."""


def render(plan: Plan, lang: str, teams: int = 1) -> dict[str, bytes]:
    """Return the crew pack.

    Args:
        plan: the plan.
        lang: ``en`` or ``zh``.
        teams: teams that work at once.
    """
    cables = pieces_of(plan, cable_table(plan))
    packages = packages_of(cables)
    when = turns(packages, teams)
    labels = labels_of(packages, [diameter_mm(kind) for kind in cable_kinds(plan)])
    work = _work(packages, when)
    ports = _ports(plan, work)
    faces = dict(zip(plan.device_names(), switch_faces(plan), strict=True))
    book = CrewBook(lang, plan.name)
    source, counts = plan.length_words()
    lengths = crew_text(f"crew_lengths_{source}", lang, **counts)
    notes = _notes(plan, packages, when, len(labels), teams, lengths, lang)
    title = crew_text("crew_title", lang, name=plan.name)
    guide = guide_columns(plan, packages, faces, lang)
    if guide:
        book.sheet(crew_text("sheet_guide", lang), [], guide)
    book.sheet(crew_text("sheet_packages", lang), notes, package_columns(packages, when, lang), title=title)
    if len(work) <= PIECES_MAX:
        starts = _starts([row.package.name for row in work])
        row_of = plan.placement.rack_rows()
        book.sheet(crew_text("sheet_checklist", lang), [], checklist_columns(work, lang), starts)
        for row, held in groupby(ports, key=lambda port: row_of[port.near.rack]):
            mine = list(held)
            starts = _starts([port.near.rack for port in mine])
            book.sheet(crew_text("sheet_ports", lang, row=row), [], port_columns(mine, faces, lang), starts)
        book.sheet(crew_text("sheet_labels", lang), [], label_columns(labels, lang))
    else:
        for sheet, rows, file in (("checklist", work, "progress.csv"), ("labels", labels, "labels.csv")):
            note = crew_text("crew_elsewhere", lang, rows=f"{len(rows):,}", file=file)
            book.sheet(crew_text(f"sheet_{sheet}", lang), [note], [])
    _length_sheets(book, plan, cables, packages, lengths, lang)
    return {
        "crew/crew.xlsx": book.close(), "crew/labels.csv": columns_csv(label_columns(labels, lang)),
        **{f"crew/{name}": page for name, page in label_pages(labels, plan.name, lang).items()},
        "crew/ports.csv": columns_csv(port_columns(ports, faces, lang)),
        "crew/cuts.csv": columns_csv(cut_columns(cut_list(plan), lang)),
        "crew/progress.csv": columns_csv(progress_columns(work, lang)),
    }  # fmt: skip


def _starts(names: Sequence[str]) -> list[int]:
    """Return where the next name begins: there a page begins, so that a package or a rack can be handed out."""
    return [at for at in range(1, len(names)) if names[at] != names[at - 1]]


def _work(packages: Sequence[Package], when: Sequence[Turn]) -> list[Work]:
    rows = [(piece, package, turn) for package, turn in zip(packages, when, strict=True) for piece in package.pieces]
    return [Work(number, *row) for number, row in enumerate(rows, 1)]


def _ports(plan: Plan, work: Iterable[Work]) -> list[PortRow]:
    """Return every cabled port, rack by rack from the top unit down, in the order of the device's ports."""
    table = cable_table(plan)
    rank = {name: number for number, name in enumerate(plan.placement.rack_names())}
    keys = [f"{name}/{tail}" if tail else name for name, tail in zip(table.id.cells(), table.tail.cells(), strict=True)]
    numbers = zip(table.fabric.codes.tolist(), table.a_port_order.tolist(), table.z_port_order.tolist(), strict=True)
    order = dict(zip(keys, numbers, strict=True))
    found = []
    for row in work:
        fabric, a_port, z_port = order[str(row.piece.key)]
        for near, far, port in ((row.piece.a, row.piece.z, a_port), (row.piece.z, row.piece.a, z_port)):
            place = (rank[near.rack], -(near.u or 0), near.device, fabric, port, row.number)
            found.append((place, PortRow(near, far, row)))
    return [port for _, port in sorted(found, key=lambda item: item[0])]


def _notes(
    plan: Plan, packages: Sequence[Package], when: Sequence[Turn], labels: int, teams: int, lengths: str, lang: str
) -> list[str]:
    steps = max((turn.step for turn in when), default=0)
    pieces = sum(len(package.pieces) for package in packages)
    cables = sum(len(package.cables) for package in packages)
    counts: dict[str, int | str] = {
        "cables": f"{cables:,}", "pieces": f"{pieces:,}", "labels": f"{labels:,}", "packages": len(packages),
    }  # fmt: skip
    if teams == 1:
        notes = [crew_text("crew_one", lang, **counts)]
    else:
        notes = [crew_text("crew_counts", lang, steps=steps, teams=teams, **counts)]
    notes.append(crew_text("crew_order", lang))
    idle = steps * teams - len(packages)
    if idle:
        most = max(turn.team for turn in when)
        notes.append(crew_text("crew_idle", lang, idle=idle, slots=steps * teams, most=most))
    hours = sum(package.hours for package in packages)
    notes.append(crew_text("crew_hours", lang, hours=f"{hours:,.0f}", minutes=PIECE_MINUTES))
    notes.append(lengths)
    reserved = int((plan.cabling.links.wide("cable") < 0).sum())
    if reserved:
        notes.append(crew_text("crew_reserved", lang, count=reserved))
    return notes


def _length_sheets(
    book: CrewBook, plan: Plan, cables: Sequence[Sequence[Piece]], packages: Sequence[Package], note: str, lang: str
) -> None:
    cuts = cut_list(plan)
    spares = [] if any(cut.spare for cut in cuts) else [crew_text("crew_no_spares", lang)]
    rare = rare_lengths(cuts)
    if rare and not plan.requirement.merge_below:
        spares.append(crew_text("crew_rare", lang, count=rare, below=RARE_BELOW))
    book.sheet(crew_text("sheet_cuts", lang), [note, *spares], cut_columns(cuts, lang))
    book.sheet(crew_text("sheet_package_cuts", lang), [], package_cut_columns(package_cuts(packages), lang))
    bars = histogram(plan)
    name = crew_text("sheet_lengths", lang)
    inner = book.sheet(name, [note], bar_columns(bars, lang))
    if bars:
        chart = book.book.add_chart({"type": "column"})
        for column in (1, 2):
            chart.add_series({
                "name": [name, 2, column], "categories": [name, 3, 0, 2 + len(bars), 0],
                "values": [name, 3, column, 2 + len(bars), column],
            })  # fmt: skip
        chart.set_x_axis({"name": crew_text("head_metre", lang)})
        chart.set_legend({"position": "bottom"})
        chart.set_size({"width": 620, "height": 320})
        inner.insert_chart("E3", chart)
    tight = edges(plan, cables)
    if tight:
        book.sheet(crew_text("sheet_edges", lang), [], edge_columns(tight, lang))
        return
    key = "edges_uniform" if plan.cabling.length_source == "uniform" else "no_edges"
    book.sheet(crew_text("sheet_edges", lang), [crew_text(key, lang, percent=EDGE_PERCENT)], [])
