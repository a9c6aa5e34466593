"""Random permutations: what a flow gets on average where every endpoint sends to another one, drawn at random.

No static routing is free of conflicts for every permutation; how much is lost is a number, not a fault. A flow gets its
rate, or the smallest share on its way: a link's bandwidth over the flows that it carries::

    share of a flow = min(1, uplink rate / (link rate x flows on the link)),  smallest over its links

This is the effective bandwidth that routing simulators average, without the hosts' own limits.

Source: Hoefler, Schneider, Lumsdaine, "Multistage switches are not crossbars: effects of static routing in
high-performance networks" (2008).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricplan.proof.routes import Routes
from fabricplan.proof.shift import Ways, real_order
from fabricplan.proof.wiring import Wiring
from fabricplan.values import IntArray

TRIALS = 16
SEED = 1
MILLION = 1_000_000


def draws(size: int, trials: int = TRIALS) -> Iterator[IntArray]:
    """Yield the permutations; the same ones for the same size, under any numpy."""
    draw = np.random.RandomState(SEED)
    for _ in range(trials):
        yield draw.permutation(size).astype(np.int64)


def mean_share(wiring: Wiring, ways: Ways | Routes, trials: int = TRIALS) -> int:
    """Return the share of its rate that a flow gets on average over random permutations, in permille (rounded down).

    Args:
        wiring: the plane.
        ways: its forwarding, as tables or as rules.
        trials: permutations to draw.
    """
    nodes = real_order(wiring)
    if not nodes.size:
        return 1000
    row_of = np.zeros(wiring.switch_count, np.int64)
    if isinstance(ways, Ways):
        row_of[ways.leaf] = np.arange(ways.leaf.size)
    total = 0
    for order in draws(nodes.size, trials):
        target = nodes[order]
        leaf = wiring.end_switch[nodes]
        if isinstance(ways, Ways):
            up = [hop[row_of[leaf], target].astype(np.int64) for hop in ways.up]
            down = [hop[row_of[leaf], target].astype(np.int64) for hop in ways.down]
        else:
            hops = ways.ways(leaf, target).hops
            up, down = list(hops[:2]), list(hops[2:])
        total += int(_shares(wiring, up, down, nodes.size).sum())
    return total * 1000 // (MILLION * nodes.size * trials)


def _shares(wiring: Wiring, up: list[IntArray], down: list[IntArray], flows: int) -> IntArray:
    """Return every flow's share of its rate, in millionths."""
    used = [*up, *(np.where(hop >= 0, hop + wiring.trunk_count, -1) for hop in down)]
    load = np.zeros(2 * wiring.trunk_count, np.int64)
    for hop in used:
        load += np.bincount(hop[hop >= 0], minlength=load.size)
    room = wiring.sizing.uplink_gbps * MILLION // (wiring.sizing.link_gbps * np.maximum(load, 1))
    share = np.full(flows, MILLION, np.int64)
    for hop in used:
        mine = hop >= 0
        share[mine] = np.minimum(share[mine], room[hop[mine]])
    return share
