"""Shift test: for every shift k all endpoints send at once, position i to position i + k; flows per link are counted.

Ring exchanges, all-to-all phases and all-reduce trees of training jobs are made of such shifts. Three orders are
counted:

* **padded**: every scalable unit is filled with phantom nodes to its slot count, order (unit, slot,
  port). This is the order to pass: at most ceil(down rate / up rate) flows on a link.
* **real**: the nodes that stand, same order. The wrap of a partly filled unit needs two links twice; no static
  routing avoids it.
* **same rail**: every rail by itself, shifted over the nodes: what training traffic does.

Counting is by columns: ways are tables (leaf x destination), and a block of shifts is one gather and one count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from fabricplan.proof.routes import Routes
from fabricplan.proof.wiring import Wiring
from fabricplan.values import IntArray

WHOLE_MAX = 20_000
"""Endpoints of a plane up to which every shift is counted; above, a sample that is told."""
SAMPLE = 64
BLOCK = 1 << 18
SEED = 1

Hop = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Ways:
    """Ways of all (leaf, destination) pairs of a plane, one table of trunk links per hop; -1 where unused.

    Attributes:
        leaf: switch id of every row; columns are endpoint ids.
        up: hops towards the roots, from the leaf on.
        down: hops away from the roots, the last one to the leaf.
        missing: pairs without a way.
    """

    leaf: IntArray
    up: tuple[Hop, ...]
    down: tuple[Hop, ...]
    missing: int

    def down_bound(self, ends: IntArray) -> int | None:
        """Return the most destinations behind one down link; None where sources reach one in different ways."""
        most = 0
        ends = ends[ends >= 0]
        for hop in self.down:
            if not hop.size:
                continue
            last = hop[:, ends].max(axis=0, initial=-1)
            if ((hop[:, ends] != last) & (hop[:, ends] >= 0)).any():
                return None
            most = max(most, int(np.bincount(last[last >= 0], minlength=1).max(initial=0)))
        return most


@dataclass(frozen=True)
class Load:
    """What an order of shifts puts on links.

    Attributes:
        shifts: shifts counted.
        of: shifts that there are.
        worst: most flows on a link at any shift.
        over: shifts at which some link has more flows than allowed.
        first: first such shift; 0 if none.
        missing: flows without a way, where ways are derived flow by flow.
    """

    shifts: int
    of: int
    worst: int
    over: int
    first: int
    missing: int = 0


def tabulate(routes: Routes) -> Ways:
    """Return the ways of all pairs of a plane as tables."""
    wiring = routes.wiring
    leaf = np.unique(wiring.end_switch)
    ends = wiring.end_count
    hops: list[Hop] = [np.empty((leaf.size, ends), np.int32) for _ in range(4)]
    missing = 0
    step = max(BLOCK // max(ends, 1), 1)
    for first in range(0, leaf.size, step):
        rows = leaf[first : first + step]
        way = routes.ways(np.repeat(rows, ends), np.tile(np.arange(ends), rows.size))
        missing += way.missing.size
        for table, column in zip(hops, way.hops, strict=True):
            table[first : first + rows.size] = column.reshape(rows.size, ends)
    used = [(table >= 0).any() for table in hops]
    return Ways(
        leaf, tuple(table for table, there in zip(hops[:2], used[:2], strict=True) if there),
        tuple(table for table, there in zip(hops[2:], used[2:], strict=True) if there), missing,
    )  # fmt: skip


def padded_order(wiring: Wiring) -> IntArray:
    """Return position -> endpoint id, -1 for phantoms: units filled to their slot count.

    Hosts on reserved ports take no part: they do not exchange with the nodes.
    """
    nodes = np.flatnonzero(~wiring.reserved)
    if not nodes.size:
        return np.zeros(0, np.int64)
    unit, slot = wiring.unit[nodes], wiring.slot[nodes]
    # ports of one node keep their order; each unit holds slots x ports positions
    node = np.concatenate([[True], (unit[1:] != unit[:-1]) | (slot[1:] != slot[:-1])])
    first = np.flatnonzero(node)
    port = np.arange(nodes.size) - np.repeat(first, np.diff(np.concatenate([first, [nodes.size]])))
    units = int(unit.max())
    width, slots = np.zeros(units + 1, np.int64), np.zeros(units + 1, np.int64)
    np.maximum.at(width, unit, port + 1)
    np.maximum.at(slots, unit, np.maximum(wiring.slots[nodes], slot))
    size = width * slots
    base = np.cumsum(size) - size
    order = np.full(int(size.sum()), -1, np.int64)
    order[base[unit] + (slot - 1) * width[unit] + port] = nodes
    return order


def real_order(wiring: Wiring) -> IntArray:
    """Return the endpoints that stand, in the same order."""
    return np.flatnonzero(~wiring.reserved)


def rail_orders(wiring: Wiring) -> list[IntArray]:
    """Return one order per rail: its endpoints over the nodes."""
    nodes = real_order(wiring)
    return [nodes[wiring.rail[nodes] == rail] for rail in np.unique(wiring.rail[nodes])]


def is_large(wiring: Wiring) -> bool:
    """Tell whether a plane has too many endpoints for tables of all ways; then a sample of shifts is walked."""
    return wiring.end_count > WHOLE_MAX


def count(wiring: Wiring, ways: Ways | Routes, orders: Sequence[IntArray], allowed: int, shifts: IntArray) -> Load:
    """Count flows per link for the given shifts of one or more orders that shift together.

    Up links are always counted. Where every destination has one way down for all sources, no shift puts more on a
    down link than there are destinations behind it; only where that bound is above what the up links carry are the
    down links counted too.

    Args:
        wiring: the plane.
        ways: its forwarding, as tables; or as rules, for planes too large for tables.
        orders: position -> endpoint id (-1: phantom); all of them send at the same time.
        allowed: flows that a link may carry.
        shifts: the shifts to count, from 1.

    Returns:
        The load over all these shifts.
    """
    orders = [order for order in orders if order.size > 1]
    most = max((order.size for order in orders), default=0)
    missing = 0
    if isinstance(ways, Routes):
        peaks, missing = _walked(ways, orders, shifts)
    else:
        peaks = _peaks(wiring, orders, ways.up, ways.leaf, wiring.trunk_count, shifts)
        bound = ways.down_bound(np.concatenate(orders) if orders else np.zeros(0, np.int64))
        if bound is None or bound > peaks.max(initial=0):
            peaks = np.maximum(peaks, _peaks(wiring, orders, ways.down, ways.leaf, wiring.trunk_count, shifts))
    beyond = shifts[peaks > allowed]
    return Load(shifts=int(shifts.size), of=max(most - 1, 0), worst=int(peaks.max(initial=0)), over=int(beyond.size),
                first=int(beyond[0]) if beyond.size else 0, missing=missing)  # fmt: skip


def _walked(routes: Routes, orders: Sequence[IntArray], shifts: IntArray) -> tuple[IntArray, int]:
    """Return the most flows on one link at every shift, way by way, and the flows without a way."""
    wiring = routes.wiring
    peaks = np.zeros(shifts.size, np.int64)
    missing = 0
    for number, shift in enumerate(shifts.tolist()):
        totals = np.zeros(2 * wiring.trunk_count, np.int64)
        for order in orders:
            target = np.roll(order, -shift)
            both = (order >= 0) & (target >= 0)
            way = routes.ways(wiring.end_switch[order[both]], target[both])
            missing += way.missing.size
            for hop, base in zip(way.hops, (0, 0, wiring.trunk_count, wiring.trunk_count), strict=True):
                totals += np.bincount(hop[hop >= 0] + base, minlength=totals.size)
        peaks[number] = totals.max(initial=0)
    return peaks, missing


def _peaks(
    wiring: Wiring, orders: Sequence[IntArray], hops: Sequence[Hop], leaf: IntArray, links: int, shifts: IntArray
) -> IntArray:
    """Return the most flows on one link at every shift, all links of the given hops together.

    The columns of a hop table are laid in the order, over and over, so that the ways of one source at shifts
    k, k + 1 ... stand side by side. Link number ``links`` gathers what uses no link.
    """
    row_of = np.zeros(wiring.switch_count, np.int64)
    row_of[leaf] = np.arange(leaf.size)
    peaks = np.zeros(shifts.size, np.int64)
    laid = []
    longest = max((order.size for order in orders), default=0)
    for order in orders:
        source = np.flatnonzero(order >= 0)
        columns = np.resize(order, order.size + longest)
        for hop in hops:
            table = np.where(columns >= 0, hop[:, columns], np.int32(links)).ravel()
            table[table < 0] = links
            laid.append((table, row_of[wiring.end_switch[order[source]]] * columns.size + source))
    senders = sum(int((order >= 0).sum()) for order in orders)
    for first, size in _runs(shifts, max(BLOCK // max(senders, links // 4, 1), 1)):
        offset = np.arange(size) * (links + 1)
        totals = np.zeros(size * (links + 1), np.int64)
        for table, start in laid:
            # one row per source: its ways at the shifts of this run, which stand side by side
            bins = sliding_window_view(table, size)[start + shifts[first]] + offset
            totals += np.bincount(bins.ravel(), minlength=totals.size)
        peaks[first : first + size] = totals.reshape(size, links + 1)[:, :links].max(axis=1, initial=0)
    return peaks


def _runs(shifts: IntArray, step: int) -> Iterator[tuple[int, int]]:
    """Yield (index of the first, length) of runs of consecutive shifts, none longer than ``step``."""
    breaks = np.flatnonzero(np.diff(shifts) != 1) + 1
    for start, end in pairwise([0, *breaks.tolist(), shifts.size]):
        for first in range(start, end, step):
            yield first, min(step, end - first)


def all_shifts(size: int, ends: int) -> IntArray:
    """Return the shifts of an order to count: all of them, or a seeded sample where the plane is too large."""
    whole = np.arange(1, max(size, 1))
    if whole.size <= SAMPLE or ends <= WHOLE_MAX:
        return whole
    edge = SAMPLE // 4
    # RandomState keeps its stream for ever, so that the same plan gives the same proof under any numpy
    drawn = np.sort(np.random.RandomState(SEED).permutation(whole[edge:-edge])[: SAMPLE // 2])
    return np.concatenate([whole[:edge], drawn, whole[-edge:]])
