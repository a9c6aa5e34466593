"""How far the cabling is: a filled-in checklist held against the work packages of its plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from fabricplan.crew.packages import packages_of
from fabricplan.crew.pieces import ROUTES, Piece, Spot, pieces_of
from fabricplan.plan import Plan
from fabricplan.schedule import cable_table
from fabricplan.values import Value


class Mark(NamedTuple):
    """A row of a checklist: its line, the piece that it names, what stands in its column of marks, and what it tells of
    the ends of the piece (``END_FIELDS``; only cells that hold something)."""

    line: int
    key: str
    text: str
    ends: tuple[tuple[str, str], ...] = ()


END_FIELDS = tuple(
    field for side in ("a", "z") for field in (f"label_{side}", *(f"{side}_{part}" for part in (
        "rack", "u", "device", "port")))
)  # fmt: skip
"""What a checklist may tell of the ends of a piece."""
OTHER_ROWS = 7
"""From so many rows on that lie between other ends, the file is of another plan."""


DONE = frozenset(("x", "1", "y", "yes", "done", "ok", "true", "√", "✓", "✔", "是", "完成", "已完成", "好", "对"))
OPEN = frozenset(("", "0", "n", "no", "open", "false", "-", "否", "未", "未完成"))


class BadRow(Value):
    """A row that tells nothing: an id that the plan has not, an id told twice, a mark that means neither, or a piece
    that lies between other ends (``told`` in the file, ``planned`` in the plan)."""

    line: int
    kind: Literal["unknown", "twice", "mark", "no_id", "ends"]
    id: str
    mark: str = ""
    first: int = 0
    told: str = ""
    planned: str = ""


class PackageProgress(Value):
    """Progress of one work package."""

    package: str
    route: str
    done: int
    total: int
    percent: float


class Progress(Value):
    """Progress of a plan; every piece of the plan is counted once, done or open.

    Attributes:
        done, open, total: pieces.
        percent: share that is done, rounded down to a tenth: 100 only when all is done.
        missing: pieces of the plan that the file does not name; they count as open.
        packages: in the order of installation.
        bad_rows: rows that tell nothing, by line.
        other_plan: so many rows lie between other ends that the file is of another plan.
    """

    schema_: Literal["fabricplan/progress/1"] = "fabricplan/progress/1"
    plan: str
    done: int
    open: int
    total: int
    percent: float
    missing: tuple[str, ...]
    packages: tuple[PackageProgress, ...]
    bad_rows: tuple[BadRow, ...]
    other_plan: bool = False


def measure(plan: Plan, marks: Iterable[Mark]) -> Progress:
    """Return the progress that a checklist tells."""
    packages = packages_of(pieces_of(plan, cable_table(plan)))
    keys = {piece.key: piece for package in packages for piece in package.pieces}
    done, bad = set(), []
    seen: dict[str, int] = {}
    for mark in marks:
        word = mark.text.strip().casefold()
        if not mark.key:
            if word not in OPEN:
                bad.append(BadRow(line=mark.line, kind="no_id", id="", mark=mark.text))
        elif mark.key not in keys:
            bad.append(BadRow(line=mark.line, kind="unknown", id=mark.key, mark=mark.text))
        elif mark.key in seen:
            bad.append(BadRow(line=mark.line, kind="twice", id=mark.key, mark=mark.text, first=seen[mark.key]))
        else:
            seen[mark.key] = mark.line
            ends = _other_ends(mark, keys[mark.key])
            if ends:
                bad.append(BadRow(line=mark.line, kind="ends", id=mark.key, mark=mark.text, told=ends[0],
                                  planned=ends[1]))  # fmt: skip
            elif word in DONE:
                done.add(mark.key)
            elif word not in OPEN:
                bad.append(BadRow(line=mark.line, kind="mark", id=mark.key, mark=mark.text))
    rows = []
    for package in packages:
        mine = [piece.key for piece in package.pieces]
        ready = sum(key in done for key in mine)
        rows.append(PackageProgress(package=package.name, route=ROUTES[package.route], done=ready, total=len(mine),
                                    percent=_percent(ready, len(mine))))  # fmt: skip
    missing = [piece.key for package in packages for piece in package.pieces if piece.key not in seen]
    return Progress(plan=plan.name, done=len(done), open=len(keys) - len(done), total=len(keys),
                    percent=_percent(len(done), len(keys)), missing=tuple(missing), packages=tuple(rows),
                    bad_rows=tuple(bad), other_plan=sum(row.kind == "ends" for row in bad) >= OTHER_ROWS)  # fmt: skip


def _other_ends(mark: Mark, piece: Piece) -> tuple[str, str] | None:
    """Return the ends that a row tells and those of the plan, where they disagree; the ends may be exchanged."""
    sides = [{field: text for field, text in mark.ends if field in _FIELDS_OF[side]} for side in ("a", "z")]
    for one, other in ((piece.a, piece.z), (piece.z, piece.a)):
        planned = (_told_of(one, "a"), _told_of(other, "z"))
        if all(_folded(text) == _folded(plan[field]) for own, plan in zip(sides, planned, strict=True)
               for field, text in own.items()):  # fmt: skip
            return None
    told = [" ".join(own.values()) or "?" for own in sides]
    mine = [" ".join(_told_of(spot, side)[field] for field in own) or spot.line
            for spot, side, own in zip((piece.a, piece.z), ("a", "z"), sides, strict=True)]  # fmt: skip
    return " – ".join(told), " – ".join(mine)


_FIELDS_OF = {side: tuple(field for field in END_FIELDS if side in field.split("_")) for side in ("a", "z")}


def _told_of(spot: Spot, side: str) -> dict[str, str]:
    """Return what a checklist tells of one end, by field."""
    cells = (spot.line, spot.rack, "" if spot.u is None else str(spot.u), spot.device, spot.port)
    return dict(zip(_FIELDS_OF[side], cells, strict=True))


def _folded(text: str) -> str:
    return "".join(text.casefold().split())


def _percent(part: int, whole: int) -> float:
    """Return a share in percent, rounded down to a tenth.

    >>> _percent(1999, 2000), _percent(0, 0)
    (99.9, 100.0)
    """
    return part * 1000 // whole / 10 if whole else 100.0


def first_of(ids: Sequence[str], most: int = 6) -> str:
    """Return the first of a list of ids, and how many more there are.

    >>> first_of(["C1", "C2", "C3"], 2)
    'C1, C2 +1'
    """
    more = len(ids) - most
    return ", ".join(ids[:most]) + (f" +{more}" if more > 0 else "")
