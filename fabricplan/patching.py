"""Runs of patch panels against the places of a plan: which links go through, where panels stand, how long pieces are.

A patched link is three pieces: a cord from its lower end to a panel, a place in a trunk, a cord from the other panel to
its upper end. Port n of one end of a run leads to port n of the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from fabricplan.catalog import FibreType, PanelType
from fabricplan.errors import Problem
from fabricplan.names import panel_name
from fabricplan.placement import FRONT, REAR, Ends, LinkSides, Placement, ends_of, routes_mm, trays_of
from fabricplan.requirement import PanelEnd, PanelRun, Requirement, RoomSettings, serving
from fabricplan.topology import Topology
from fabricplan.values import IntArray

CONNECTOR_LOSS_DB = 0.35
JOINTS_MAX = 4
LOSS_MAX_DB = CONNECTOR_LOSS_DB * JOINTS_MAX
"""The rated reach of NVIDIA's modules assumes at most two panels, which are four pairs of connectors of at most 0.35 dB
each (fibre cable requirements: MPO and LC). The loss of the fibre itself is within the rated reach."""
_FACES = {None: 0, "front": FRONT, "rear": REAR}


class Facts(Protocol):
    """Where trunks and panels are looked up: a catalogue, or the products that a plan holds."""

    def fibre(self, key: str, /) -> FibreType:
        """Return a fibre family by id."""

    def panel(self, key: str, /) -> PanelType:
        """Return a patch panel by id."""


class Run(NamedTuple):
    """A run on the floor; ``racks`` are rows of the rack table."""

    number: int
    asked: PanelRun
    trunk: FibreType
    panel: PanelType
    racks: tuple[int, int]

    @property
    def trunk_links(self) -> int:
        """Links of a trunk."""
        return self.trunk.trunk_connectors or 1

    @property
    def panel_links(self) -> int:
        """Ports of a panel that whole trunks fill: no trunk is divided over two panels."""
        return self.panel.ports // self.trunk_links * self.trunk_links

    @property
    def ports(self) -> int:
        """Links that the run holds."""
        return self.asked.panels * self.panel_links

    def panel_of(self, port: int) -> tuple[int, int]:
        """Return the panel (from 1) and the port there (from 1) of a port of the run (from 1)."""
        number, local = divmod(port - 1, self.panel_links)
        return number + 1, local + 1

    def unit(self, side: int, port: int) -> int:
        """Return the lowest unit of the panel that a port of a side is on."""
        return self.asked.ends[side].u + (self.panel_of(port)[0] - 1) * self.asked.panel_units


class PanelPlace(NamedTuple):
    """One panel: its name, the run and side (0: a, 1: b) and its number there from 1."""

    name: str
    run: Run
    side: int
    number: int
    rack: int
    u: int


def runs_on_floor(room: RoomSettings, placement: Placement, products: Facts) -> list[Run]:
    """Return the runs of a room whose words are known to be right."""
    racks = {name.casefold(): row for row, name in enumerate(placement.rack_names())}
    return [
        Run(number, asked, products.fibre(asked.trunk), products.panel(asked.panel or ""),
            (racks[asked.a.rack.casefold()], racks[asked.b.rack.casefold()]))
        for number, asked in enumerate(room.panels or ())
    ]  # fmt: skip


def panel_places(runs: Sequence[Run]) -> Iterator[PanelPlace]:
    """Yield the panels: run by run, first all of side a from the lowest."""
    for run in runs:
        for side, word in enumerate("ab"):
            for number in range(1, run.asked.panels + 1):
                name = panel_name(run.asked.name, word, number)
                u = run.asked.ends[side].u + (number - 1) * run.asked.panel_units
                yield PanelPlace(name, run, side, number, run.racks[side], u)


class Spanning(NamedTuple):
    """Links whose racks lie at the two ends of a run.

    Attributes:
        run: number of the run, -1 where a link lies at no two ends.
        flip: whether the lower end of the link is on side b.
    """

    run: IntArray
    flip: npt.NDArray[np.bool_]


def spanning(requirement: Requirement, topology: Topology, placement: Placement) -> Spanning:
    """Return which links go from one end of a run to the other."""
    links, rack = topology.links, placement.places.wide("rack")
    found = Spanning(np.full(len(links), -1, np.int64), np.zeros(len(links), bool))
    if not requirement.room.panels:
        return found
    lower, upper = rack[links.wide("lower")], rack[links.wide("upper")]
    names, rows = placement.rack_names(), placement.rack_rows()
    fabrics = [fabric.name for fabric in requirement.fabrics]
    for number, asked in enumerate(requirement.room.panels):
        sides = [np.array([name in served for name in names]) for served in serving(asked, rows)]
        taken = np.isin(
            links.fabric, [fabrics.index(name) for name in fabrics if asked.fabrics is None or name in asked.fabrics]
        )
        straight, flipped = sides[0][lower] & sides[1][upper] & taken, sides[1][lower] & sides[0][upper] & taken
        found.run[straight | flipped] = number
        found.flip[flipped] = True
    return found


class PieceLengths(NamedTuple):
    """Required length in mm of the two cords of patched links: at the lower end and at the upper."""

    lower: IntArray
    upper: IntArray


def cord_lengths(
    room: RoomSettings, placement: Placement, topology: Topology, sides: LinkSides | None, run: Run, rows: IntArray,
    flip: npt.NDArray[np.bool_],
) -> PieceLengths:  # fmt: skip
    """Return how long the cords of links through a run must be, whichever panel of an end they are plugged into.

    Args:
        room, placement, topology: where everything stands.
        sides: the side of the rack that each end of every link looks to.
        run: the run.
        rows: the links.
        flip: for each of them, whether its lower end is on side b.
    """
    trays, links = trays_of(room, placement.racks), topology.links
    found = []
    for end, device, at in ((0, links.wide("lower"), sides.lower if sides else None),
                            (1, links.wide("upper"), sides.upper if sides else None)):  # fmt: skip
        device_end = ends_of(placement, device[rows], None if at is None else at[rows])
        side = flip.astype(np.int64) ^ end
        longest = np.zeros(rows.size, np.int64)
        for port in (1, run.ports):
            panel = [_panel_end(run, number, port) for number in (0, 1)]
            there = Ends(*(np.where(side == 1, two, one) for one, two in zip(*panel, strict=True)))
            longest = np.maximum(longest, routes_mm(room, trays, device_end, there))
        found.append(longest)
    return PieceLengths(*found)


def trunk_mm(room: RoomSettings, placement: Placement, run: Run) -> int:
    """Return how long the trunks of a run must be: as surveyed, else by the route between its panels."""
    if run.asked.trunk_length_mm is not None:
        return run.asked.trunk_length_mm
    trays = trays_of(room, placement.racks)
    longest = 0
    for port in (1, run.ports):
        a, b = (Ends(*(np.array([value]) for value in _panel_end(run, side, port))) for side in (0, 1))
        longest = max(longest, int(routes_mm(room, trays, a, b)[0]))
    return longest


def surveyed_faults(room: RoomSettings, placement: Placement, run: Run) -> Iterator[Problem]:
    """Yield a surveyed length of trunks that is shorter than the straight line between the panels."""
    told = run.asked.trunk_length_mm
    trays, (a, b) = trays_of(room, placement.racks), run.racks
    x, y = (trays.x2[a] - trays.x2[b]) / 2, (trays.y2[a] - trays.y2[b]) / 2
    straight = int(math.hypot(float(x), float(y)))
    if told is not None and told < straight:
        yield Problem("length-straight", f"{told / 1000:g} m of trunk is shorter than the straight line of "
                      f"{straight / 1000:g} m between {run.asked.a.rack} and {run.asked.b.rack}",
                      f"room.panels[{run.number}].trunk_length_mm",
                      "measure it again, panel to panel along the tray; or correct the places of the room")  # fmt: skip


def face_faults(topology: Topology, sides: LinkSides | None, spans: Spanning, run: Run) -> Iterator[Problem]:
    """Yield the ends of a run that say no side while the devices they serve look to both."""
    if sides is None:
        return
    mine = np.flatnonzero(spans.run == run.number)
    flip = spans.flip[mine]
    for word, end, lower in (("a", run.asked.a, ~flip), ("b", run.asked.b, flip)):
        there = np.concatenate([sides.lower[mine[lower]], sides.upper[mine[~lower]]])
        if end.face is None and np.any(there == FRONT) and np.any(there == REAR):
            yield Problem("panel-face", f"the panels in {end.rack} serve devices whose ports look to the front and "
                          "others to the rear: cords of one kind go through the rack",
                          f"room.panels[{run.number}].{word}.face",
                          "say face: front or face: rear, so that these cords are long enough")  # fmt: skip


def _panel_end(run: Run, side: int, port: int) -> tuple[int, int, int]:
    end: PanelEnd = run.asked.ends[side]
    return run.racks[side], run.unit(side, port), _FACES[end.face]


def crossing_count(fibre: FibreType) -> int | None:
    """Return how often a fibre crosses its positions: once (type B, or A-B), not at all, or None where it is not known.

    >>> from types import SimpleNamespace as F
    >>> [crossing_count(F(polarity=word)) for word in ("Type-B crossover", "A-B", "Type-A straight", None)]
    [1, 1, 0, None]
    """
    word = (fibre.polarity or "").casefold()
    if "type-b" in word or "a-b" in word or word == "b":
        return 1
    if "type-a" in word or "a-a" in word or word == "a" or "straight" in word:
        return 0
    return None


def path_loss_db(cord_lower: FibreType, trunk: FibreType, cord_upper: FibreType) -> float | None:
    """Return the highest loss of the four pairs of connectors of a patched link in dB; None where a part does not say.

    Formula: a pair is as good as the worse of its two: cord + max(cord, trunk) + max(trunk, cord) + cord.
    """
    one, two, three = cord_lower.loss_db_max, trunk.loss_db_max, cord_upper.loss_db_max
    if one is None or two is None or three is None:
        return None
    return round(one + max(one, two) + max(two, three) + three, 3)
