"""Bisection: what half of the endpoints can send to the other half, in closed form and as maximum flow.

For every leaf: uplink bandwidth against what its hosts inject, and equally many links to every spine. Between two
halves A and B, from the bottom up::

    leaf l   m = min(a, b) stays below it;  min(a - m, uplinks) and min(b - m, uplinks) climb
    pod p    the same with its sums and its links to the cores
    top      the smaller of both sums crosses

The closed form is an upper bound of the maximum flow in any fabric and equals it in an even one; so flow = closed
form, for halves that cut through the middle of the fabric, shows that no bandwidth is lost on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from fabricplan.graph import half_flow
from fabricplan.proof.document import HalfFlow
from fabricplan.proof.routes import gather
from fabricplan.proof.wiring import BoolArray, Wiring
from fabricplan.topology import LEAF, SPINE
from fabricplan.values import IntArray

EDGES_MAX = 60_000
"""Pairs of joined switches up to which networkx walks the graph (about three seconds)."""


def halves(wiring: Wiring) -> tuple[HalfFlow, ...]:
    """Return the flow between natural halves of a plane's endpoints."""
    found = []
    for name, first, rest in split(wiring, ~wiring.reserved):
        sends, takes = bandwidth(wiring, first), bandwidth(wiring, rest)
        flow = None
        if np.unique(wiring.low * wiring.switch_count + wiring.high).size <= EDGES_MAX:
            flow = half_flow(wiring.low, wiring.high, wiring.sizing.uplink_gbps, sends, takes)
        found.append(HalfFlow(half=name, closed_gbps=closed(wiring, sends, takes), flow_gbps=flow))
    return tuple(found)


def split(wiring: Wiring, ends: BoolArray) -> Iterator[tuple[Literal["units", "leaves", "within"], IntArray, IntArray]]:
    """Yield two halvings of some endpoints: the first units against the rest, every other leaf against the rest.

    Where no leaf is joined to another, every leaf is halved by itself.
    """
    nodes = np.flatnonzero(ends)
    leaf = wiring.end_switch[nodes]
    if wiring.apart:
        upper = gather(leaf, nodes).place % 2 == 1
        yield "within", nodes[upper], nodes[~upper]
        return
    interleaved = nodes[np.lexsort((leaf, leaf % 2))]
    yield "units", nodes[: nodes.size // 2], nodes[nodes.size // 2 :]
    yield "leaves", interleaved[: nodes.size // 2], interleaved[nodes.size // 2 :]


def closed(wiring: Wiring, sends: IntArray, takes: IntArray, alive: BoolArray | None = None) -> int:
    """Return the closed form of the flow between two halves, in Gb/s.

    Args:
        wiring: the plane.
        sends, takes: bandwidth of both halves' endpoints on every switch.
        alive: trunk links that count; absent: all.
    """
    counts = np.ones(wiring.trunk_count, bool) if alive is None else alive
    gbps = wiring.sizing.uplink_gbps
    total = 0
    a, b = sends, takes
    for tier in (LEAF, SPINE):
        level = wiring.tier[wiring.low] == tier
        if not level.any():
            break
        rows = np.flatnonzero(level & counts)
        if tier == SPINE:
            span = int(wiring.pod.max(initial=0)) + 1
            mine = wiring.tier == LEAF
            a, b = (np.bincount(wiring.pod[mine], value[mine], span).astype(np.int64) for value in (a, b))
            room = np.bincount(wiring.pod[wiring.low[rows]], minlength=span) * gbps
        else:
            # a link between two leaves serves both of them
            flat = wiring.tier[wiring.high[rows]] == LEAF
            ends = np.concatenate([wiring.low[rows], wiring.high[rows][flat]])
            room = np.bincount(ends, minlength=wiring.switch_count) * gbps
        stays = np.minimum(a, b)
        total += int(stays.sum())
        a, b = np.minimum(a - stays, room), np.minimum(b - stays, room)
    if not wiring.trunk_count:
        return total + int(np.minimum(a, b).sum())
    return total + min(int(a.sum()), int(b.sum()))


def is_even(wiring: Wiring) -> bool:
    """Tell whether every switch of a tier is joined to all switches above it in its pod or group alike."""
    pairs = gather(wiring.low * wiring.switch_count + wiring.high, wiring.low_port)
    low, high = np.divmod(pairs.keys, max(wiring.switch_count, 1))
    for tier in (LEAF, SPINE):
        rows = wiring.tier[low] == tier
        if not rows.any():
            continue
        above = wiring.tier[high[rows]] == tier + 1
        if not above.any():
            # leaves joined without a spine: even only where there are two of them
            return bool(pairs.keys.size == 1)
        fan = np.bincount(low[rows], minlength=wiring.switch_count)[wiring.tier == tier]
        load = np.bincount(high[rows], minlength=wiring.switch_count)[wiring.tier == tier + 1]
        alike = [array.min() == array.max() for array in (pairs.size[rows], fan, load)]
        same_pod = tier == SPINE or (wiring.pod[low[rows]] == wiring.pod[high[rows]]).all()
        if not (above.all() and all(alike) and same_pod):
            return False
    return True


def bandwidth(wiring: Wiring, ends: IntArray) -> IntArray:
    """Return what endpoints inject, in Gb/s per switch."""
    return np.bincount(wiring.end_switch[ends], minlength=wiring.switch_count) * wiring.sizing.link_gbps
