"""Work packages, and who does which when: never two teams in one rack at the same step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fabricplan.crew.pieces import Piece

PACKAGE_PIECES = 64
"""Pieces of a package at most, unless one splitter has more: about half a day of two people (our choice)."""


class Package(NamedTuple):
    """A piece of work for one team.

    Attributes:
        name: ``P001``, counted in the order of installation; it does not depend on the number of teams.
        route: where its cables run.
        racks: racks that the team works in.
        cables: its cables in order, each as its pieces.
    """

    name: str
    route: int
    racks: tuple[str, ...]
    cables: tuple[tuple[Piece, ...], ...]

    @property
    def pieces(self) -> list[Piece]:
        """All pieces in order."""
        return [piece for cable in self.cables for piece in cable]

    @property
    def hours(self) -> float:
        """Estimated hours of one person."""
        return round(sum(map(len, self.cables)) * PIECE_MINUTES / 60, 1)


PIECE_MINUTES = 7.5
"""Minutes of one person for a piece: labelled, laid, plugged and checked; such that a full package is half a day of two
(our choice)."""


class Turn(NamedTuple):
    """When a package is done, and by which team; both count from 1."""

    step: int
    team: int


def packages_of(cables: Sequence[Sequence[Piece]]) -> list[Package]:
    """Cut cables in order of installation into packages.

    A package collects bundles that end in the same upper rack, up to ``PACKAGE_PIECES``; a larger bundle fills
    several packages.
    """
    opened: dict[tuple[int, str], int] = {}
    held: list[list[Sequence[Piece]]] = []
    size: list[int] = []
    for cable in cables:
        key = (cable[0].route, cable[0].z.rack)
        at = opened.get(key)
        if at is None or size[at] + len(cable) > PACKAGE_PIECES:
            at = opened[key] = len(held)
            held.append([])
            size.append(0)
        held[at].append(cable)
        size[at] += len(cable)
    width = max(len(str(len(held))), 3)
    found = []
    for number, items in enumerate(held, 1):
        racks = dict.fromkeys(rack for cable in items for piece in cable for rack in (piece.z.rack, piece.a.rack))
        found.append(Package(f"P{number:0{width}}", items[0][0].route, tuple(racks), tuple(map(tuple, items))))
    return found


def turns(packages: Sequence[Package], teams: int) -> list[Turn]:
    """Return the turn of every package.

    Steps are worked together: at each, every team takes the next package in order whose racks no other team is in.
    What runs between rows begins when all that stays within rows is laid, and that when racks are done inside.
    """
    found = [Turn(0, 0)] * len(packages)
    step = 0
    for route in sorted({package.route for package in packages}):
        waiting = [number for number, package in enumerate(packages) if package.route == route]
        while waiting:
            step += 1
            busy: set[str] = set()
            later = []
            team = 0
            for number in waiting:
                racks = packages[number].racks
                if team < teams and busy.isdisjoint(racks):
                    team += 1
                    busy.update(racks)
                    found[number] = Turn(step, team)
                else:
                    later.append(number)
            waiting = later
    return found
