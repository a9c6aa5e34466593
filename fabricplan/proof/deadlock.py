"""Deadlock: a cycle of channels that wait for each other. Up-down routes have none; here it is looked for.

A channel is one direction of a link. A route that enters a switch on one channel and leaves it on another makes the
first wait for the second (Dally and Seitz, 1987). Two graphs are walked: channels gathered by tier and direction,
which is small for every fabric, and on small planes the full graph of the derived routes.
"""

from __future__ import annotations

import numpy as np

from fabricplan.graph import find_cycle
from fabricplan.proof.document import DeadlockProof
from fabricplan.proof.shift import Ways
from fabricplan.proof.wiring import Wiring
from fabricplan.topology import TIERS
from fabricplan.values import IntArray

FULL_MAX = 150_000
"""(Leaf, endpoint) pairs up to which the full graph is walked."""


def deadlock(wiring: Wiring, ways: Ways | None) -> DeadlockProof:
    """Look for cycles in both graphs of a plane; without tables of all ways, in the aggregated one."""
    kinds, tail, head = class_graph(wiring)
    names = [f"{TIERS[start]}-{TIERS[end]}" for start, end, _ in kinds]
    cycle = find_cycle(tail, head)
    channels = dependencies = 0
    told = tuple(names[number] for number in cycle)
    if ways is not None and wiring.trunk_count and ways.leaf.size * wiring.end_count <= FULL_MAX:
        tail, head = channel_graph(wiring, ways)
        channels, dependencies = 2 * wiring.trunk_count, int(tail.size)
        if not told:
            told = tuple(_channel(wiring, number) for number in find_cycle(tail, head)[:8])
    return DeadlockProof(
        classes=len(kinds), channels=channels, dependencies=dependencies, cycle=told, free=not told,
    )  # fmt: skip


def class_graph(wiring: Wiring) -> tuple[list[tuple[int, int, bool]], IntArray, IntArray]:
    """Return channel classes (from tier, to tier, rises) and which waits for which by the up-down rule.

    A route may go on upward or turn down after a rise, and only further down after a fall.
    """
    joined = sorted(set(zip(wiring.tier[wiring.low].tolist(), wiring.tier[wiring.high].tolist(), strict=True)))
    chained = _flat_chain(wiring)
    kinds = [(low, high, True) for low, high in joined] + [(high, low, False) for low, high in joined]
    edges = [
        (first, second)
        for first, (_, end, rises) in enumerate(kinds)
        for second, (start, _, onward) in enumerate(kinds)
        if end == start
        and (rises or not onward)
        and (chained or kinds[first][0] != kinds[first][1] or kinds[second][0] != kinds[second][1])
    ]
    table = np.array(edges, np.int64).reshape(-1, 2)
    return kinds, table[:, 0], table[:, 1]


def _flat_chain(wiring: Wiring) -> bool:
    """Tell whether a route can take two links between switches of one tier: one switch has two such neighbours."""
    flat = wiring.tier[wiring.low] == wiring.tier[wiring.high]
    low, high = wiring.low[flat], wiring.high[flat]
    both = np.unique(np.concatenate([low * wiring.switch_count + high, high * wiring.switch_count + low]))
    return bool((np.bincount(both // max(wiring.switch_count, 1)) > 1).any())


def channel_graph(wiring: Wiring, ways: Ways) -> tuple[IntArray, IntArray]:
    """Return which channel waits for which on the given ways: link e upward is e, downward trunk count + e."""
    blank = np.full((ways.leaf.size, wiring.end_count), -1, np.int64)
    hops = [hop.astype(np.int64) for hop in ways.up]
    hops += [np.where(hop >= 0, hop + wiring.trunk_count, -1) for hop in ways.down]
    edges = [np.zeros(0, np.int64)]
    before = blank
    for hop in hops:
        both = (before >= 0) & (hop >= 0)
        edges.append(np.unique(before[both] * 2 * wiring.trunk_count + hop[both]))
        before = np.where(hop >= 0, hop, before)
    found = np.unique(np.concatenate(edges))
    return found // (2 * max(wiring.trunk_count, 1)), found % (2 * max(wiring.trunk_count, 1))


def _channel(wiring: Wiring, number: int) -> str:
    up = number < wiring.trunk_count
    link = number % wiring.trunk_count
    tiers = TIERS[int(wiring.tier[wiring.low[link]])], TIERS[int(wiring.tier[wiring.high[link]])]
    return f"{tiers[0]}-{tiers[1]} #{link}" if up else f"{tiers[1]}-{tiers[0]} #{link}"
