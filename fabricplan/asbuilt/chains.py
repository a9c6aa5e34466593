"""From wrong cables to the fewest moves.

Planned and found cables join the same ports. Where they differ they alternate along paths and circles of ports::

    planned    a0 -- b0        a1 -- b1            a0 == b0
    found      a0 -- b1        a1 -- b0      =>     ||     ||        one circle: one exchange, at a or at b
                                                   a1 == b1

Along a circle of k found cables every cable keeps one plug and moves the other one on, so k plugs move, and no fewer
can. Of the two sides the one is taken where the plugs are nearest to each other. On a path with a free port the plugs
move one after the other, the free port first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Step:
    """A plug that moves: out of one end, into another; the cable's other plug stays."""

    at: int
    to: int
    stays: int


@dataclass(frozen=True)
class Chain:
    """One path or circle, solved.

    Attributes:
        closed: a circle.
        steps: plugs that move, in an order in which every target is free (circles: after the first plug is out).
        missing: planned cables that are not there: pairs of ends.
        extra: found cables that have no place: pairs of ends.
    """

    closed: bool
    steps: tuple[Step, ...]
    missing: tuple[tuple[int, int], ...] = ()
    extra: tuple[tuple[int, int], ...] = ()

    def turned(self) -> Chain:
        """Return the same exchange of two plugs at the other ends of the cables."""
        one, two = self.steps
        return Chain(True, (Step(one.stays, two.stays, one.at), Step(two.stays, one.stays, two.at)))


Partner = Callable[[int], int]
Cost = Callable[[Iterable[int]], tuple[int, ...]]


def chains(ends: Iterable[int], planned: Partner, found: Partner, cost: Cost) -> list[Chain]:
    """Return the paths and circles through ``ends``, each solved.

    Args:
        ends: all ends whose planned and found partners differ, and all ends that are in one of the two only.
        planned: an end's planned partner; -1 if it has none.
        found: the end that its cable leads to; -1 if it has none.
        cost: how far apart the ends of moved plugs are: less is better.
    """
    ordered = list(ends)
    seen: set[int] = set()
    solved = []
    for start in ordered:
        if start in seen or (planned(start) >= 0 and found(start) >= 0):
            continue
        solved.append(_solve(_walk(start, planned, found, seen), False, planned, found, cost))
    for start in ordered:
        if start not in seen:
            solved.append(_solve(_walk(start, planned, found, seen), True, planned, found, cost))
    return solved


def _walk(start: int, planned: Partner, found: Partner, seen: set[int]) -> list[int]:
    """Return the ends from ``start`` along planned and found cables in turn."""
    path, at = [start], start
    seen.add(start)
    by_plan = planned(start) >= 0
    while True:
        after = planned(at) if by_plan else found(at)
        if after < 0 or after in seen:
            return path
        path.append(after)
        seen.add(after)
        at, by_plan = after, not by_plan


def _solve(path: list[int], closed: bool, planned: Partner, found: Partner, cost: Cost) -> Chain:
    cables = [(x, y) for x, y in pairwise(path) if found(x) == y]
    if closed:
        cables.append((path[-1], path[0]))
    options = []
    for forward in (True, False):
        steps: list[Step] = []
        extra: list[tuple[int, int]] = []
        kept: set[int] = set()
        # the free port is where the walk goes to or comes from: its neighbour moves first
        for x, y in reversed(cables) if forward else cables:
            out, stays = (x, y) if forward else (y, x)
            to = planned(stays)
            if to < 0:
                extra.append((x, y))
            else:
                steps.append(Step(out, to, stays))
                kept.update((to, stays))
        missing = [] if closed else [
            (x, y) for x, y in pairwise(path) if planned(x) == y and x not in kept
        ]  # fmt: skip
        moved = [end for step in steps for end in (step.at, step.to)]
        options.append(((len(missing) + len(extra), *cost(moved)), Chain(closed, tuple(steps), tuple(missing),
                                                                         tuple(extra))))  # fmt: skip
    return min(options, key=lambda option: option[0])[1]
