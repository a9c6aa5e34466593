"""Forecast: will OpenSM's fat-tree engine route the fabric without help, or fall back without a word?

The engine ranks switches by their distance from the nearest endpoint and then asks for symmetry: all switches of a
rank have equally many groups of uplinks, all groups equally many ports, and (but for leaves) likewise downwards.
It refuses a single switch, switches of one rank only, links between switches of equal rank, and uneven ranks. A list
of roots makes it rank from the top and spares the symmetry; then all endpoints must stand equally deep.

Source: opensm(8), "Fat-tree Routing Algorithm"; every rule here was tried with OpenSM 3.3.23 on accepted and refused
fabrics (``tests/oracles/test_witness.py``).
"""

from __future__ import annotations

import numpy as np

from fabricplan.proof.document import Forecast
from fabricplan.proof.routes import gather
from fabricplan.proof.wiring import BoolArray, Wiring
from fabricplan.topology import CORE, LEAF
from fabricplan.values import IntArray

SHOWN = 6
RANKS_MAX = 8
"""Most ranks that the engine knows."""


def forecast(wiring: Wiring, names: list[str]) -> Forecast:
    """Forecast what OpenSM's ftree engine does with a plane.

    Args:
        wiring: the plane.
        names: names of its switches by id.
    """
    if wiring.sizing.technology != "infiniband":
        return Forecast(engine="other")
    if wiring.switch_count == 1:
        return Forecast(engine="not-needed", ranks=(1,))
    with_hosts = np.bincount(wiring.end_switch, minlength=wiring.switch_count) > 0
    if not with_hosts.any():
        return Forecast(engine="refused", reason="parts", with_roots=False)
    depth = distances(wiring, with_hosts)
    # switches that no endpoint reaches are not discovered, so the engine does not see them
    seen = depth >= 0
    ranks = tuple(np.bincount(depth[seen])[::-1].tolist())
    reason, odd = _refusal(wiring, with_hosts, depth)
    if not reason and int(with_hosts.sum()) == 1:
        # "Failed to find leaf switches"; no flow leaves that switch, so that no engine can do harm
        return Forecast(engine="not-needed", ranks=ranks)
    if not reason:
        return Forecast(engine="ftree", ranks=ranks, drift=drifts(wiring))
    tops = seen & (wiring.tier == wiring.tier[seen].max())
    rooted = distances(wiring, tops)
    flat = rooted[wiring.low] == rooted[wiring.high]
    deep = np.unique(rooted[with_hosts])
    helped = bool(reason != "parts" and (rooted[seen] >= 0).all() and not flat.any() and deep.size == 1 and deep[0] > 0)
    return Forecast(
        engine="refused", reason=reason, ranks=ranks,
        offenders=tuple(names[number] for number in np.flatnonzero(odd)[:SHOWN].tolist()),
        offender_count=int(odd.sum()), with_roots=helped, roots=int(tops.sum()), drift=drifts(wiring),
    )  # fmt: skip


def distances(wiring: Wiring, start: BoolArray) -> IntArray:
    """Return every switch's distance in links from the nearest start switch; -1 where there is no way."""
    depth = np.where(start, 0, -1)
    for step in range(1, wiring.switch_count + 1):
        edge = depth == step - 1
        reached = np.zeros(wiring.switch_count, bool)
        reached[wiring.high[edge[wiring.low]]] = True
        reached[wiring.low[edge[wiring.high]]] = True
        fresh = reached & (depth < 0)
        if not fresh.any():
            break
        depth[fresh] = step
    return depth


def drifts(wiring: Wiring) -> bool:
    """Tell whether OpenSM's balancing may put two flows of the padded shift on one link.

    The engine deals destinations to uplinks by counters. They fall out of step in three ways, all found by trials:
    leaves whose endpoints are fewer or more than their uplinks, where pairs have three or more links; spines whose
    links down are fewer or more than those up, where pairs of spine and core have three or more (not all of these
    drift); and cores that several spines of one pod share, because a leaf then always climbs by the first of them.
    """
    if not wiring.trunk_count or wiring.switch_count == 2:
        return False
    leaf = wiring.low[wiring.tier[wiring.low] == LEAF]
    if not leaf.size:
        return False
    keys, links = np.unique(wiring.low * wiring.switch_count + wiring.high, return_counts=True)
    low, high = np.divmod(keys, wiring.switch_count)
    fullest = int(np.bincount(wiring.end_switch).max(initial=0))
    partly = int(links.max()) >= 3 and fullest != int(np.bincount(leaf).max())
    top = wiring.tier[high] == CORE
    span = int(wiring.pod.max(initial=0)) + 1
    sharing = np.unique(high[top] * span + wiring.pod[low[top]], return_counts=True)[1]
    return partly or _spines_partly(wiring, links, top) or bool((sharing > 1).any())


def _spines_partly(wiring: Wiring, links: IntArray, top: BoolArray) -> bool:
    """Tell whether spines have unlike many links down and up, where some pair of spine and core has three or more."""
    if not top.any() or int(links[top].max()) < 3:
        return False
    count = wiring.switch_count
    up = np.bincount(wiring.low[wiring.tier[wiring.high] == CORE], minlength=count)
    down = np.bincount(wiring.high, minlength=count)
    return bool((down[up > 0] != up[up > 0]).any())


def _refusal(wiring: Wiring, with_hosts: BoolArray, depth: IntArray) -> tuple[str, BoolArray]:
    """Return the code of the refusal and the switches that cause it."""
    none = np.zeros(wiring.switch_count, bool)
    part = with_hosts & (_reached(wiring, with_hosts) < 0)
    if part.any():
        return "parts", part
    if depth.max() == 0:
        # of two switches min-hop has no choice but of the parallel links, which it deals out evenly
        return "pair" if wiring.switch_count == 2 else "one-rank", with_hosts
    if depth.max() >= RANKS_MAX:
        return "ranks", depth >= RANKS_MAX
    misplaced = with_hosts & (wiring.tier > LEAF)
    flat = depth[wiring.low] == depth[wiring.high]
    if flat.any():
        odd = none.copy()
        odd[wiring.low[flat]] = odd[wiring.high[flat]] = True
        return "equal-rank", misplaced if misplaced.any() else odd
    odd = none.copy()
    for rank in range(int(depth.max()) + 1):
        odd |= _uneven(wiring, depth, rank)
    return ("uneven", odd) if odd.any() else ("", none)


def _reached(wiring: Wiring, with_hosts: BoolArray) -> IntArray:
    """Return the distance from the first switch that has endpoints."""
    start = np.zeros(wiring.switch_count, bool)
    start[int(np.argmax(with_hosts))] = True
    return distances(wiring, start)


def _uneven(wiring: Wiring, depth: IntArray, rank: int) -> BoolArray:
    """Return the switches of a rank whose groups of ports differ from those of most others."""
    mine = depth == rank
    count = wiring.switch_count
    ends = np.concatenate([wiring.low, wiring.high]), np.concatenate([wiring.high, wiring.low])
    shapes = []
    for up in (True, False):
        if not up and rank == 0:
            # downward, leaves may differ: nodes may be missing
            continue
        rows = mine[ends[0]] & ((depth[ends[1]] > rank) == up)
        groups = gather(ends[0][rows] * count + ends[1][rows], np.arange(int(rows.sum())))
        owner = groups.keys // count
        largest, smallest = np.zeros(count, np.int64), np.full(count, 1 << 30)
        np.maximum.at(largest, owner, groups.size)
        np.minimum.at(smallest, owner, groups.size)
        shapes += [np.bincount(owner, minlength=count), largest, np.minimum(smallest, largest)]
    table = np.stack(shapes)[:, mine]
    kinds, kind, sizes = np.unique(table, axis=1, return_inverse=True, return_counts=True)
    odd = np.zeros(count, bool)
    kind = kind.ravel()
    if kinds.shape[1] > 1:
        odd[np.flatnonzero(mine)[kind != int(np.argmax(sizes))]] = True
    elif any((table[row] != table[row + 1]).any() for row in range(1, len(table), 3)):
        odd |= mine
    return odd
