"""Surveyed lengths: which links each row of a survey means, what is wrong with it, and the length of every route.

A row names two ends: two devices with their ports (one cable), two devices (all cables between them) or two racks (all
cables between them). Where rows of different kinds mean one cable, the closer one counts: ports before devices before
racks. What no row means keeps the estimate of the room (``placement.required_lengths``).

A surveyed length is that of the whole cable, plug to plug, with the slack that it shall have; nothing is added to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fabricplan.errors import Problem, RequirementError, nearest
from fabricplan.placement import Placement, required_lengths, trays_of
from fabricplan.portwords import JOINER, LinkPorts, Wired, link_ports
from fabricplan.requirement import RoomSettings, SurveyedLength
from fabricplan.sides import link_sides
from fabricplan.topology import device_names
from fabricplan.values import IntArray

UNIT_MM = 44.45
SUGGESTED = 20
"""Unknown names for which the nearest known one is looked for: more of them are another plan's file."""
MISTAKES_TOLD = 50
"""Mistakes that are listed; the others are counted."""
RACK, DEVICE, PORT = 1, 2, 3
"""How closely a row names a cable."""
CODES = frozenset(("length-device", "length-rack", "length-port", "length-ends", "length-no-cable", "length-twice",
                   "length-straight", "length-moved", "length-more"))  # fmt: skip
"""Codes of the problems of a survey."""


class Lengths(NamedTuple):
    """The length that every link needs, and whether it was surveyed."""

    required_mm: IntArray
    surveyed: npt.NDArray[np.bool_]


def route_lengths(wired: Wired, placement: Placement, strict: bool = False) -> Lengths:
    """Return the required length of every link.

    Args:
        wired: the plan, or its first stages.
        placement: where its devices stand.
        strict: refuse rows that are wrong; else they are passed over (a plan of today whose survey is of all stages).

    Raises:
        RequirementError: with every row that is wrong, by JSON path (``lengths[3].b``).
    """
    links = wired.topology.links
    required = required_lengths(placement, wired.requirement.room, links.wide("lower"), links.wide("upper"),
                                link_sides(wired))  # fmt: skip
    if not wired.requirement.lengths:
        return Lengths(required, np.zeros(required.size, bool))
    survey = _Survey(wired, placement, MISTAKES_TOLD if strict else 0)
    problems = survey.read(wired.requirement.lengths)
    if problems and strict:
        raise RequirementError(*problems)
    return Lengths(np.where(survey.length > 0, survey.length, required), survey.length > 0)


def straight_mm(placement: Placement, room: RoomSettings, a: IntArray, b: IntArray) -> IntArray:
    """Return the straight line between devices in mm: between the middles of their racks, and between the nearest
    units of the two, because where on a device the port sits is not known.

    Formula: sqrt(dx^2 + dy^2 + dz^2), rounded down.
    """
    rack, u = placement.places.wide("rack"), placement.places.wide("u")
    top = u + np.maximum(placement.places.wide("height"), 1) - 1
    floor = trays_of(room, placement.racks)
    x, y = ((axis[rack[a]] - axis[rack[b]]) / 2 for axis in (floor.x2, floor.y2))
    z = np.maximum(np.maximum(u[a] - top[b], u[b] - top[a]), 0) * UNIT_MM
    found: IntArray = np.floor(np.sqrt(x * x + y * y + z * z)).astype(np.int64)
    return found


class _End(NamedTuple):
    """One end of a row: a device or a rack by its number, and the port that is named."""

    device: int
    rack: int
    port: str | None


class _Survey:
    """Rows held against links; lives inside one call."""

    def __init__(self, wired: Wired, placement: Placement, told: int) -> None:
        """Take the plan; ``told`` mistakes will be listed, so that no advice is looked for beyond them."""
        self.wired, self.placement, self.told = wired, placement, told
        self._strangers, self._advised = 0, True
        links = wired.topology.links
        self.names = device_names(wired.requirement, wired.fabrics, wired.topology.devices)
        self.racks = placement.rack_names()
        self._device = {name.casefold(): row for row, name in enumerate(self.names)}
        self._rack = {name.casefold(): row for row, name in enumerate(self.racks)}
        self.lower, self.upper = links.wide("lower"), links.wide("upper")
        self.rack_of = placement.places.wide("rack")
        self.length = np.zeros(len(links), np.int64)
        self._level = np.zeros(len(links), np.int64)
        self._owner = np.full(len(links), -1, np.int64)
        self._by_device = _Pairs(self.lower, self.upper, len(self.names))
        self._by_rack = _Pairs(self.rack_of[self.lower], self.rack_of[self.upper], len(self.racks))

    def read(self, rows: Sequence[SurveyedLength]) -> list[Problem]:
        """Take the lengths of all rows; return what is wrong with them, in order of the rows."""
        problems: list[tuple[int, Problem]] = []
        levels: dict[int, list[tuple[int, IntArray]]] = {RACK: [], DEVICE: [], PORT: []}
        for number, row in enumerate(rows):
            wrong: list[Problem] = []
            self._advised = len(problems) < self.told
            ends = [self._end(row, side, f"lengths[{number}].{side}", wrong) for side in ("a", "b")]
            one, other = ends
            if one is not None and other is not None and not wrong:
                level, links = self._links(one, other, number, wrong)
                levels[level].append((number, links))
            problems += [(number, item) for item in wrong]
        for level, held in levels.items():
            for number, links in held:
                problems += [(number, item) for item in self._take(rows, number, level, links)]
        problems += self._too_short(rows)
        problems.sort(key=lambda pair: pair[0])
        found = [item for _, item in problems]
        rest = len(found) - self.told
        if rest > 0:
            message = f"{rest} further {'mistake is' if rest == 1 else 'mistakes are'} not listed"
            found[self.told :] = [Problem("length-more", message, f"lengths[{problems[self.told][0]}]",
                                          "is this the survey of this plan?", (("rest", rest),))]  # fmt: skip
        return found

    def _end(self, row: SurveyedLength, side: str, where: str, wrong: list[Problem]) -> _End | None:
        device, rack = getattr(row, side), getattr(row, f"{side}_rack")
        at = self._rack.get(rack.casefold(), -1) if rack else -1
        if rack and at < 0:
            wrong.append(Problem("length-rack", f"no rack '{rack}' in this plan", f"{where}_rack",
                                 self._near(rack, self.racks)))  # fmt: skip
            return None
        if not device:
            return _End(-1, at, None)
        found = self._device.get(device.casefold(), -1)
        if found < 0 and not rack and device.casefold() in self._rack:
            return _End(-1, self._rack[device.casefold()], None)
        if found < 0:
            wrong.append(Problem("length-device", f"no device '{device}' in this plan", where,
                                 self._near(device, self.names)))  # fmt: skip
            return None
        stands = int(self.rack_of[found])
        if rack and stands != at:
            wrong.append(Problem("length-moved", f"{self.names[found]} stands in rack {self.racks[stands]} in this "
                                 f"plan, not in {self.racks[at]}: the length is of another route", f"{where}_rack",
                                 "survey it again, or place it where it was surveyed"))  # fmt: skip
            return None
        return _End(found, -1, getattr(row, f"{side}_port"))

    def _near(self, word: str, known: Sequence[str]) -> str:
        """Return advice on a name that the plan does not have: the nearest one, of the first few."""
        self._strangers += 1
        if not self._advised or self._strangers > SUGGESTED:
            return "names are those of the plan: fabricplan render plan.json --format lengths lists them"
        return nearest(word, known)

    def _links(self, one: _End, other: _End, number: int, wrong: list[Problem]) -> tuple[int, IntArray]:
        """Return the links of a row, and how closely it names them."""
        where = f"lengths[{number}]"
        none = np.zeros(0, np.int64)
        if (one.device < 0) != (other.device < 0):
            wrong.append(Problem("length-ends", "one end is a device, the other a rack", where,
                                 "name two devices, or two racks"))  # fmt: skip
            return RACK, none
        if one.device < 0:
            links = self._by_rack.between(one.rack, other.rack)
            names = self.racks[one.rack], self.racks[other.rack]
        else:
            links = self._by_device.between(one.device, other.device)
            names = self.names[one.device], self.names[other.device]
        if not links.size:
            wrong.append(Problem("length-no-cable", f"no cable joins {names[0]} and {names[1]}", where,
                                 self._meant(one, other)))  # fmt: skip
            return RACK, links
        if one.port is None and other.port is None:
            return (RACK if one.device < 0 else DEVICE), links
        for side, end in (("a", one), ("b", other)):
            if end.port is not None and not wrong:
                held = self._with_port(links, end)
                if not held.size:
                    there = sorted({self._ports.texts[self._code(link, end)].panel for link in links.tolist()})
                    wrong.append(Problem("length-port", f"no cable between {names[0]} and {names[1]} is on port "
                                         f"'{end.port}' of {self.names[end.device]}", f"{where}.{side}_port",
                                         nearest(end.port, there)))  # fmt: skip
                links = held
        return PORT, links

    def _meant(self, one: _End, other: _End) -> str:
        """Return what an end is really joined with."""
        if not self._advised:
            return ""
        if one.device < 0:
            return "racks joined by cables are on the sheet of bundles"
        far = np.concatenate([self.upper[self.lower == one.device], self.lower[self.upper == one.device]])
        if not far.size:
            return f"{self.names[one.device]} has no cable"
        return f"{self.names[one.device]} is joined with others: " + nearest(
            self.names[other.device], {self.names[row] for row in far.tolist()}
        )

    def _with_port(self, links: IntArray, end: _End) -> IntArray:
        wanted = {_folded(word) for word in (end.port or "").split(JOINER.strip())}
        held = [link for link in links.tolist() if not wanted.isdisjoint(self._folded_texts[self._code(link, end)])]
        return np.array(held, np.int64)

    def _code(self, link: int, end: _End) -> int:
        """Return the text of a link's port at the device of an end."""
        codes = self._ports.lower if self.lower[link] == end.device else self._ports.upper
        return int(codes[link])

    @cached_property
    def _ports(self) -> LinkPorts:
        return link_ports(self.wired)

    @cached_property
    def _folded_texts(self) -> list[frozenset[str]]:
        """Words of every port text: panel, label, number."""
        return [frozenset(_folded(word) for word in (text.panel, text.short, text.number) if word)
                for text in self._ports.texts]  # fmt: skip

    def _take(self, rows: Sequence[SurveyedLength], number: int, level: int, links: IntArray) -> Iterator[Problem]:
        length = rows[number].length_mm
        clash = links[(self._level[links] == level) & (self.length[links] != length)]
        if clash.size:
            first = int(self._owner[clash[0]])
            lower, upper = self.names[int(self.lower[clash[0]])], self.names[int(self.upper[clash[0]])]
            yield Problem("length-twice", f"{length / 1000:g} m for the cable from {lower} to {upper}, for which row "
                          f"{first + 1} of the survey says {rows[first].length_mm / 1000:g} m",
                          f"lengths[{number}].length_mm", "keep one of the two")  # fmt: skip
            return
        self.length[links], self._level[links], self._owner[links] = length, level, number

    def _too_short(self, rows: Sequence[SurveyedLength]) -> Iterator[tuple[int, Problem]]:
        """Yield rows whose length is shorter than the straight line between the places of a cable that they mean."""
        links = np.flatnonzero(self.length > 0)
        room = self.wired.requirement.room
        straight = straight_mm(self.placement, room, self.lower[links], self.upper[links])
        short = straight > self.length[links]
        rows_of, found = self._owner[links[short]], np.flatnonzero(short)
        # of every row the link with the longest line
        order = np.lexsort((-straight[short], rows_of))
        numbers, first = np.unique(rows_of[order], return_index=True)
        for number, worst in zip(numbers.tolist(), found[order[first]].tolist(), strict=True):
            ends = [int(side[links[worst]]) for side in (self.lower, self.upper)]
            told = " and ".join(f"{self.names[row]} ({self._place(row)})" for row in ends)
            yield number, Problem(
                "length-straight", f"{rows[number].length_mm / 1000:g} m is shorter than the straight line of "
                f"{int(straight[worst]) / 1000:g} m between {told}", f"lengths[{number}].length_mm",
                "measure it again, plug to plug along the tray; or correct the places of the room")  # fmt: skip

    def _place(self, device: int) -> str:
        return f"{self.racks[int(self.rack_of[device])]} U{int(self.placement.places.u[device])}"


class _Pairs:
    """Links by the unordered pair of what stands at their ends."""

    def __init__(self, a: IntArray, b: IntArray, count: int) -> None:
        self._count = count
        code = np.minimum(a, b) * count + np.maximum(a, b)
        self._order = np.argsort(code, kind="stable")
        codes, starts = np.unique(code[self._order], return_index=True)
        ends = np.append(starts[1:], code.size)
        self._at = {pair: (first, last) for pair, first, last in zip(codes.tolist(), starts.tolist(), ends.tolist(),
                                                                     strict=True)}  # fmt: skip

    def between(self, one: int, other: int) -> IntArray:
        """Return the links between two."""
        code = min(one, other) * self._count + max(one, other)
        first, last = self._at.get(code, (0, 0))
        return self._order[first:last]


def _folded(word: str) -> str:
    return "".join(word.casefold().split())
