"""The tables of the crew pack as columns: packages, checklist, ports of racks, labels, lengths."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from fabricplan.crew.labels import Label
from fabricplan.crew.lengths import Bar, Cut, Edge, PackageCut
from fabricplan.crew.packages import Package, Turn
from fabricplan.crew.pieces import ROUTES, Piece, Spot
from fabricplan.renderers.crew.book import Cell, Column
from fabricplan.renderers.words import metres, word
from fabricplan.wording.crews import crew_text

T = TypeVar("T")
RACKS_TOLD = 6


class Work(NamedTuple):
    """A piece with its package and turn; ``number`` counts in order of installation, from 1."""

    number: int
    piece: Piece
    package: Package
    turn: Turn


class PortRow(NamedTuple):
    """A port as a crew finds it in a rack, with what goes in."""

    near: Spot
    far: Spot
    work: Work


def columns_of(rows: Sequence[T], lang: str, cells: dict[str, Callable[[T], Cell]]) -> list[Column]:
    """Return rows as columns; keys name the headings."""
    return [Column(crew_text(f"head_{key}", lang), [cell(row) for row in rows]) for key, cell in cells.items()]


def to_fill(count: int, lang: str) -> list[Column]:
    """Return the columns that a crew fills in."""
    return [Column(crew_text(f"head_{key}", lang), [None] * count, True) for key in ("done", "by", "date", "note")]


def package_columns(packages: Sequence[Package], turns: Sequence[Turn], lang: str) -> list[Column]:
    """Return the packages in the order of their steps and teams."""
    rows = sorted(zip(packages, turns, strict=True), key=lambda row: row[1])
    found = columns_of(rows, lang, {
        "step": lambda row: row[1].step, "team": lambda row: row[1].team, "package": lambda row: row[0].name,
        "route": lambda row: crew_text(f"route_{ROUTES[row[0].route]}", lang), "racks": lambda row: _racks(row[0]),
        "cables": lambda row: len(row[0].cables), "pieces": lambda row: len(row[0].pieces),
        "hours": lambda row: row[0].hours, "bundles": lambda row: len({piece.bundle for piece in row[0].pieces}),
        "shortest": lambda row: metres(min(piece.length_mm for piece in row[0].pieces)),
        "longest": lambda row: metres(max(piece.length_mm for piece in row[0].pieces)),
    })  # fmt: skip
    return [*found, *to_fill(len(rows), lang)]


def _racks(package: Package) -> str:
    more = len(package.racks) - RACKS_TOLD
    return " ".join(package.racks[:RACKS_TOLD]) + (f" +{more}" if more > 0 else "")


def checklist_columns(work: Sequence[Work], lang: str) -> list[Column]:
    """Return the cables in order of installation, to be ticked off."""
    found = columns_of(work, lang, {
        "number": lambda row: row.number, "step": lambda row: row.turn.step, "team": lambda row: row.turn.team,
        "package": lambda row: row.package.name, "id": lambda row: row.piece.key,
        "a_rack": lambda row: row.piece.a.rack, "a_u": lambda row: row.piece.a.u,
        "a_device": lambda row: row.piece.a.device, "a_port": lambda row: row.piece.a.port,
        "z_rack": lambda row: row.piece.z.rack, "z_u": lambda row: row.piece.z.u,
        "z_device": lambda row: row.piece.z.device, "z_port": lambda row: row.piece.z.port,
        "part": lambda row: row.piece.pn, "length": lambda row: metres(row.piece.length_mm),
        "source": lambda row: word(row.piece.source, lang), "bundle": lambda row: row.piece.bundle,
    })  # fmt: skip
    return [*found, *to_fill(len(work), lang)]


def progress_columns(work: Sequence[Work], lang: str) -> list[Column]:
    """Return the checklist file: what tells a cable apart, and the columns to fill in."""
    found = columns_of(work, lang, {
        "step": lambda row: row.turn.step, "team": lambda row: row.turn.team,
        "package": lambda row: row.package.name, "id": lambda row: row.piece.key,
        "label_a": lambda row: row.piece.a.line, "label_z": lambda row: row.piece.z.line,
        "part": lambda row: row.piece.pn, "length": lambda row: metres(row.piece.length_mm),
    })  # fmt: skip
    return [*found, *to_fill(len(work), lang)]


def port_columns(rows: Sequence[PortRow], faces: Mapping[str, str], lang: str) -> list[Column]:
    """Return the ports of racks, from the top of each rack down; with the side of the rack (``faces``: device -> side)
    and the cable manager where any is known."""
    words = {face: crew_text(f"face_{face}", lang) for face in ("front", "rear")}
    faced = any(faces.get(row.near.device) for row in rows)
    known = any(row.near.side for row in rows)
    sides: dict[str | None, Cell] = {side: crew_text(f"side_{side}", lang) for side in ("left", "right")}
    found = columns_of(rows, lang, {
        "rack": lambda row: row.near.rack, "u": lambda row: row.near.u, "device": lambda row: row.near.device,
        "port": lambda row: row.near.port,
        **({"face": lambda row: words.get(faces.get(row.near.device, ""))} if faced else {}),
        **({"side": lambda row: sides.get(row.near.side)} if known else {}),
        "module": lambda row: row.near.module,
        "id": lambda row: row.work.piece.key,
        "part": lambda row: row.work.piece.pn, "length": lambda row: metres(row.work.piece.length_mm),
        "far_rack": lambda row: row.far.rack, "far_u": lambda row: row.far.u,
        "far_device": lambda row: row.far.device, "far_port": lambda row: row.far.port,
        "package": lambda row: row.work.package.name, "step": lambda row: row.work.turn.step,
        "team": lambda row: row.work.turn.team,
    })  # fmt: skip
    return [*found, to_fill(len(rows), lang)[0]]


def label_columns(labels: Sequence[Label], lang: str) -> list[Column]:
    """Return the labels, one a row, in the order of the packages."""
    ends = {end: crew_text(f"end_{end}", lang) for end in ("A", "Z", "head")}
    stocks = {stock: crew_text(f"stock_{stock}", lang) for stock in ("flag", "wrap")}
    return columns_of(labels, lang, {
        "package": lambda row: row.package, "id": lambda row: row.id, "end": lambda row: ends[row.end],
        "near": lambda row: row.near, "far": lambda row: row.far, "stock": lambda row: stocks[row.stock],
        "diameter": lambda row: row.diameter_mm, "wrap": lambda row: row.wrap_mm, "part": lambda row: row.pn,
        "length": lambda row: metres(row.length_mm), "rack": lambda row: row.at.rack, "u": lambda row: row.at.u,
        "device": lambda row: row.at.device, "port": lambda row: row.at.port,
    })  # fmt: skip


def cut_columns(cuts: Sequence[Cut], lang: str) -> list[Column]:
    """Return the cut list: ordered against required."""
    return columns_of(cuts, lang, {
        "family": lambda row: row.family, "part": lambda row: row.pn, "length": lambda row: metres(row.length_mm),
        "cables": lambda row: row.cables, "spare": lambda row: row.spare, "order": lambda row: row.order,
        "required_from": lambda row: row.shortest_mm / 1000, "required_to": lambda row: row.longest_mm / 1000,
        "slack_least": lambda row: row.slack_least_mm / 1000, "slack_mean": lambda row: row.slack_mean_mm / 1000,
    })  # fmt: skip


def package_cut_columns(cuts: Sequence[PackageCut], lang: str) -> list[Column]:
    """Return the cut list of every package."""
    return columns_of(cuts, lang, {
        "package": lambda row: row.package, "part": lambda row: row.pn,
        "length": lambda row: metres(row.length_mm), "cables": lambda row: row.cables,
    })  # fmt: skip


def bar_columns(bars: Sequence[Bar], lang: str) -> list[Column]:
    """Return the histogram of lengths."""
    return columns_of(bars, lang, {
        "metre": lambda row: row.metre, "required_count": lambda row: row.required,
        "ordered_count": lambda row: row.ordered,
    })  # fmt: skip


def edge_columns(edges: Sequence[Edge], lang: str) -> list[Column]:
    """Return the cables at the edge of their part."""

    def longer(edge: Edge) -> Cell:
        if edge.next_mm is None:
            return crew_text("no_longer", lang)
        return metres(edge.next_mm) if edge.next_mm else crew_text("by_metre", lang)

    return columns_of(edges, lang, {
        "id": lambda row: row.piece.key, "part": lambda row: row.piece.pn,
        "length": lambda row: metres(row.piece.length_mm), "required": lambda row: row.piece.required_mm / 1000,
        "source": lambda row: word(row.piece.source, lang),
        "slack": lambda row: row.slack_mm / 1000,
        "slack_percent": lambda row: round(row.slack_mm * 100 / row.piece.length_mm, 1), "next": longer,
        "label_a": lambda row: row.piece.a.line, "label_z": lambda row: row.piece.z.line,
    })  # fmt: skip
