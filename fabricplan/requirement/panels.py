"""Patch panels of the customer's room: runs of trunks that links between two parts of the room go through.

::

    [switch]--cord--[panel A1]====trunk====[panel B1]--cord--[switch]
      A03            rack A05   12 links     rack B05           B09

A run says where its panels stand, which rows or racks each end serves, and which trunk and panel of the catalogue are
laid. A link between a rack of one end and a rack of the other goes through it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field
from pydantic_core import PydanticCustomError

from fabricplan.errors import nearest
from fabricplan.faults import refuse
from fabricplan.requirement.racks import RackName, RowName
from fabricplan.requirement.words import Name, PositiveCount
from fabricplan.values import Value

Face = Literal["front", "rear"]
"""The side of a rack: ``front`` is the cold aisle, where air goes in."""
SIDES = ("a", "b")


class PanelEnd(Value):
    """One end of a run.

    Attributes:
        rack: where its panels stand.
        u: lowest unit of the lowest panel.
        rows, racks: what it serves; absent: the row of its rack.
        face: side of the rack to which the cords go; absent: that of the devices.
    """

    rack: RackName
    u: Annotated[int, Field(strict=True, ge=1, le=60)]
    rows: tuple[RowName, ...] = ()
    racks: tuple[RackName, ...] = ()
    face: Face | None = None


class PanelRun(Value):
    """Trunks between panels.

    Attributes:
        name: part of the panels' names.
        a, b: the two ends; port n of one leads to port n of the other.
        trunk: id of a trunk in the catalogue.
        panel: id of a panel in the catalogue; absent: the first with the trunk's connector.
        panels: panels at each end, one above the other.
        panel_units: rack units of a panel.
        trunk_length_mm: surveyed length of its trunks, with slack; absent: estimated by the route.
        fabrics: fabrics whose links go through; absent: all.
    """

    name: RowName
    a: PanelEnd
    b: PanelEnd
    trunk: str
    panel: str | None = None
    panels: Annotated[int, Field(strict=True, ge=1, le=40)] = 1
    panel_units: Annotated[int, Field(strict=True, ge=1, le=10)] = 1
    trunk_length_mm: PositiveCount | None = None
    fabrics: Annotated[tuple[Name, ...], Field(min_length=1)] | None = None

    @property
    def ends(self) -> tuple[PanelEnd, PanelEnd]:
        """End ``a`` and end ``b``."""
        return self.a, self.b

    def units(self, end: PanelEnd) -> range:
        """Return the rack units that the panels of an end take."""
        return range(end.u, end.u + self.panels * self.panel_units)


class Stand(NamedTuple):
    """What stands in units of a rack: the panels of one end of a run; ``where`` is its JSON path in the room."""

    run: PanelRun
    end: PanelEnd
    side: str
    where: str


def stands(runs: Sequence[PanelRun] | None) -> Iterator[Stand]:
    """Yield both ends of every run."""
    for number, run in enumerate(runs or ()):
        for side, end in zip(SIDES, run.ends, strict=True):
            yield Stand(run, end, side, f"panels[{number}].{side}")


def panel_units(runs: Sequence[PanelRun] | None) -> dict[str, frozenset[int]]:
    """Return folded name of a rack -> units that panels take in it."""
    held: dict[str, frozenset[int]] = {}
    for stand in stands(runs):
        key = stand.end.rack.casefold()
        held[key] = held.get(key, frozenset()) | frozenset(stand.run.units(stand.end))
    return held


def run_faults(
    runs: Sequence[PanelRun], rows: Mapping[str, str], units: Mapping[str, int], reserved: Mapping[str, frozenset[int]]
) -> Iterator[PydanticCustomError]:
    """Yield what is wrong with runs: they name what is not there, take units twice, or serve a rack at both ends.

    Args:
        runs: the runs.
        rows: name of a rack -> its row.
        units: name of a rack -> its units.
        reserved: name of a rack -> units in which nothing may stand.
    """
    folded = {name.casefold(): name for name in rows}
    row_names = list(dict.fromkeys(rows.values()))
    taken: dict[tuple[str, int], str] = {}
    for number, run in enumerate(runs):
        if run.name.casefold() in [other.name.casefold() for other in runs[:number]]:
            yield refuse(f"two runs of panels are called '{run.name}'", f"panels[{number}].name")
    for run, end, _, where in stands(runs):
        for name in end.racks:
            if name.casefold() not in folded:
                yield refuse(f"no rack '{name}' in the room", f"{where}.racks", nearest(name, list(rows)))
        for name in end.rows:
            if name.casefold() not in [row.casefold() for row in row_names]:
                yield refuse(f"no row '{name}' in the room", f"{where}.rows", nearest(name, row_names))
        rack = folded.get(end.rack.casefold())
        if rack is None:
            yield refuse(f"no rack '{end.rack}' in the room", f"{where}.rack", nearest(end.rack, list(rows)))
            continue
        for unit in run.units(end):
            other = taken.setdefault((rack, unit), where)
            if unit > units[rack]:
                yield refuse(f"the panels of {run.name} reach unit {run.units(end)[-1]}, rack {rack} has "
                             f"{units[rack]} units", f"{where}.u")  # fmt: skip
            elif unit in reserved[rack]:
                yield refuse(f"unit {unit} of rack {rack} is reserved", f"{where}.u",
                             "panels keep their own units free: take them out of reserved")  # fmt: skip
            elif other != where:
                yield refuse(f"unit {unit} of rack {rack} is taken by {other}", f"{where}.u")
            else:
                continue
            break
    served = [serving(run, rows) for run in runs]
    for number, (a, b) in enumerate(served):
        both = sorted(a & b)
        if both:
            yield refuse(f"rack {both[0]} is served by both ends of {runs[number].name}", f"panels[{number}]",
                         "name the rows or racks of each end: rows: [A]")  # fmt: skip
    for (one, (a, b)), (two, (c, d)) in itertools.combinations(enumerate(served), 2):
        mine, theirs = (runs[one].fabrics, runs[two].fabrics)
        apart = mine is not None and theirs is not None and not set(mine) & set(theirs)
        if not apart and ((a & c and b & d) or (a & d and b & c)):
            yield refuse(f"runs {runs[one].name} and {runs[two].name} serve the same racks", f"panels[{two}]",
                         "say which fabrics each takes, or raise panels")  # fmt: skip


def serving(run: PanelRun, rows: Mapping[str, str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the racks that the two ends of a run serve.

    Args:
        run: the run.
        rows: name of a rack -> its row.
    """
    found = []
    for end in run.ends:
        racks = {name.casefold() for name in end.racks}
        named = {row.casefold() for row in end.rows}
        if not racks and not named:
            named = {row.casefold() for name, row in rows.items() if name.casefold() == end.rack.casefold()}
        found.append(frozenset(name for name, row in rows.items()
                               if name.casefold() in racks or row.casefold() in named))  # fmt: skip
    return found[0], found[1]
