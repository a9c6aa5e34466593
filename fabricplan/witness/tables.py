"""Forwarding tables of a subnet manager as ways of all (leaf, destination) pairs, for the same shift test."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fabricplan.proof.shift import Hop, Ways
from fabricplan.proof.wiring import Wiring
from fabricplan.topology import LEAF
from fabricplan.values import IntArray
from fabricplan.witness.opensm import Sweep

HOPS_MAX = 12


class Walked(NamedTuple):
    """The ways that the tables give, and pairs whose way goes up after it went down."""

    ways: Ways
    valleys: int


def walk(wiring: Wiring, swept: Sweep, switch: list[str], ends: list[str]) -> Walked:
    """Follow the tables from every leaf to every endpoint.

    Args:
        wiring: the plane.
        swept: OpenSM's tables, by name.
        switch, ends: names of switches and endpoints by id.

    Returns:
        The ways; pairs that do not arrive are ``missing``.
    """
    lid_of = {name: lid for lid, name in enumerate(swept.names)}
    lids = np.array([lid_of.get(name, -1) for name in ends], np.int64)
    tables = np.full((wiring.switch_count, wiring.end_count), 255, np.int64)
    for number, name in enumerate(switch):
        if name in swept.ports:
            row = swept.ports[name]
            tables[number] = np.where((lids >= 0) & (lids < row.size), row[np.minimum(lids, row.size - 1)], 255)
    far, link, rises = _neighbours(wiring)
    leaf = np.unique(wiring.end_switch)
    shape = (leaf.size, wiring.end_count)
    target = np.broadcast_to(np.arange(wiring.end_count), shape).ravel()
    here = np.repeat(leaf, wiring.end_count)
    hops: list[Hop] = [np.full(here.size, -1, np.int32) for _ in range(4)]
    fell = np.zeros(here.size, bool)
    valley = np.zeros(here.size, bool)
    going = np.flatnonzero(here != wiring.end_switch[target])
    for _ in range(HOPS_MAX):
        if not going.size:
            break
        port = np.minimum(tables[here[going], target[going]], far.shape[1] - 1)
        next_switch, used, up = far[here[going], port], link[here[going], port], rises[here[going], port]
        alive = next_switch >= 0
        going, next_switch, used, up = going[alive], next_switch[alive], used[alive], up[alive]
        valley[going[up & fell[going]]] = True
        fell[going[~up]] = True
        level = np.minimum(wiring.tier[wiring.low[used]] - LEAF, 1)
        for column, mine in ((level, up), (3 - level, ~up)):
            for number in range(4):
                rows = mine & (column == number)
                hops[number][going[rows]] = used[rows]
        here[going] = next_switch
        going = going[next_switch != wiring.end_switch[target[going]]]
    arrived = tables[here, target] == wiring.end_port[target]
    arrived &= here == wiring.end_switch[target]
    grid = [hop.reshape(shape) for hop in hops]
    ways = Ways(leaf, (grid[0], grid[1]), (grid[2], grid[3]), int((~arrived).sum()))
    return Walked(ways, int(valley.sum()))


def _neighbours(wiring: Wiring) -> tuple[IntArray, IntArray, IntArray]:
    """Return (switch, port) -> far switch, trunk link, and whether the link rises; -1 where no switch is."""
    ports = int(max(wiring.low_port.max(initial=0), wiring.high_port.max(initial=0), wiring.end_port.max(initial=0)))
    shape = (wiring.switch_count, ports + 2)
    far, link, rises = np.full(shape, -1, np.int64), np.full(shape, -1, np.int64), np.zeros(shape, bool)
    number = np.arange(wiring.trunk_count)
    far[wiring.low, wiring.low_port], far[wiring.high, wiring.high_port] = wiring.high, wiring.low
    link[wiring.low, wiring.low_port], link[wiring.high, wiring.high_port] = number, number
    rises[wiring.low, wiring.low_port] = True
    return far, link, rises
