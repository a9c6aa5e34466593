"""Forwarding that follows from the wiring: destination modulo uplinks, as fat-tree routing engines assign it.

Every destination t has a lane: its rank r(t) among the ports of its leaf. Its way down is fixed for all sources::

    leaf l   <- uplink number r(t) mod u of l      gives the spine s
    spine s  <- uplink number d mod us of s        gives the core c; d = rank of that leaf link below s

Where a leaf has more endpoints than uplinks, the further ones (r >= u) go on counting below the spine, lap by lap;
those of the last lap, if it is no whole one, are dealt to one uplink of every spine in turn. So no spine and no core
has more of them than another.

A source leaf climbs towards the same s (same pod), or towards the spine of its own pod that stands under c where
s stands under c, always on the parallel link of the same number. Where a link of that way does not exist, the
destination's next lane is tried, as a routing engine would.

Source: D-mod-K routing for fat trees (Zahavi, Johnson, Kerbyson, Lang, "Optimized InfiniBand fat-tree routing for
shift all-to-all communication patterns", 2010); OpenSM's ftree engine follows the same order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fabricplan.proof.wiring import BoolArray, Wiring
from fabricplan.topology import LEAF
from fabricplan.values import IntArray


class Groups(NamedTuple):
    """Rows gathered by a key: sorted distinct keys, and where each key's rows start in ``member``."""

    keys: IntArray
    start: IntArray
    size: IntArray
    member: IntArray
    place: IntArray

    def find(self, key: IntArray) -> IntArray:
        """Return the number of each key's group, -1 where there is none."""
        if not self.keys.size:
            return np.full(key.shape, -1, np.int64)
        at = np.minimum(np.searchsorted(self.keys, key), self.keys.size - 1)
        return np.where(self.keys[at] == key, at, -1)

    def pick(self, group: IntArray, place: IntArray) -> IntArray:
        """Return row number ``place`` (round robin) of every group; of any group where the number is -1."""
        safe = np.maximum(group, 0)
        return self.member[self.start[safe] + place % self.size[safe]]


def _partial(rank: IntArray, lanes: IntArray) -> BoolArray:
    """Tell of every endpoint whether it is one of those that the uplinks of the fullest leaf do not divide."""
    whole = int(rank.max(initial=-1) + 1) // np.maximum(lanes, 1)
    partial: BoolArray = rank // np.maximum(lanes, 1) >= np.maximum(whole, 1)
    return partial


def _turns(
    wiring: Wiring, rank: IntArray, down_place: IntArray, spread: IntArray, partial: BoolArray, pairs: Groups
) -> IntArray:
    """Return every endpoint's turn at the spine above its leaf: modulo the spine's uplinks it gives the core.

    Where a leaf has more endpoints than uplinks, a link carries several, and the further ones go on counting: lap by
    lap below the spine, and in the last lap, which is no whole one, leaf by leaf, with as many turns for each as the
    fullest leaf takes. So an endpoint's turn depends on its place alone, and is the same in every pod.
    """
    count = wiring.switch_count
    lanes = wiring.up_count[wiring.end_switch]
    turn = np.zeros(wiring.end_count, np.int64)
    ends = np.flatnonzero(lanes > 0)
    leaf = wiring.end_switch[ends]
    lap, lane = np.divmod(rank[ends], lanes[ends])
    rest = partial[ends]
    link = wiring.up_start[leaf] + lane
    link = np.where(rest, spread[link], link)
    spine = wiring.high[link]
    turn[ends] = lap * np.bincount(wiring.high, minlength=count)[spine] + down_place[link]
    if not rest.any():
        return turn
    owner = np.empty(wiring.trunk_count, np.int64)
    owner[pairs.member] = np.repeat(np.arange(pairs.keys.size), pairs.size)
    first = np.full(pairs.keys.size, wiring.trunk_count)
    np.minimum.at(first, owner, down_place)
    below = gather(pairs.keys % max(count, 1), first).place
    spines = np.bincount(pairs.keys // max(count, 1), minlength=count)[leaf]
    most = int(rank.max(initial=-1)) + 1 - lap * lanes[ends]
    each = (most - lane % np.maximum(spines, 1) - 1) // np.maximum(spines, 1) + 1
    number = turn[ends] - down_place[link] + below[owner[link]] * each + lane // np.maximum(spines, 1)
    turn[ends] = np.where(rest, number, turn[ends])
    return turn


def gather(key: IntArray, within: IntArray) -> Groups:
    """Gather rows by key, each group ordered by ``within``; ``place`` is every row's position in its group."""
    member = np.lexsort((within, key)).astype(np.int64)
    ordered = key[member]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])) if key.size else member
    size = np.diff(np.concatenate([first, [key.size]]))
    place = np.empty(key.size, np.int64)
    place[member] = np.arange(key.size) - np.repeat(first, size)
    return Groups(ordered[first], first, size, member, place)


class Way(NamedTuple):
    """Trunk links of some (leaf, destination) pairs in travel order: up, up, down, down; -1 where not used."""

    hops: tuple[IntArray, ...]
    missing: IntArray


@dataclass(frozen=True)
class Routes:
    """Forwarding of one plane."""

    wiring: Wiring
    rank: IntArray
    down_place: IntArray
    spread: IntArray
    partial: BoolArray
    turn: IntArray
    pairs: Groups
    under: Groups
    under_spine: IntArray
    under_place: IntArray

    @classmethod
    def of(cls, wiring: Wiring) -> Routes:
        """Derive the forwarding of a plane from its links."""
        count = wiring.switch_count
        pairs = gather(wiring.low * count + wiring.high, wiring.low_port)
        # which spines of each pod stand under each core, in order of their ids
        pair_low, pair_high = np.divmod(pairs.keys, max(count, 1))
        tops = np.flatnonzero(wiring.tier[pair_high] > LEAF + 1) if pairs.keys.size else np.zeros(0, np.int64)
        span = int(wiring.pod.max(initial=0)) + 1
        under = gather(pair_high[tops] * span + wiring.pod[pair_low[tops]], pair_low[tops])
        under_place = np.zeros(pairs.keys.size, np.int64)
        under_place[tops] = under.place
        rank = gather(wiring.end_switch, wiring.end_port).place
        down_place = gather(wiring.high, wiring.high_port).place
        spread = np.lexsort((wiring.low_port, pairs.place, wiring.low)).astype(np.int64)
        partial = _partial(rank, wiring.up_count[wiring.end_switch])
        return cls(
            wiring=wiring, rank=rank, down_place=down_place, spread=spread, partial=partial,
            turn=_turns(wiring, rank, down_place, spread, partial, pairs), pairs=pairs, under=under,
            under_spine=pair_low[tops], under_place=under_place,
        )  # fmt: skip

    def ways(self, leaf: IntArray, target: IntArray) -> Way:
        """Return the way from leaf switches to endpoints, pair by pair.

        Args:
            leaf: switch id of the source.
            target: endpoint id of the destination.

        Returns:
            Up links to spine and core, down links to spine and leaf; ``missing`` are the pairs without a way.
        """
        home = self.wiring.end_switch[target]
        up1, up2, down2, down1 = (np.full(leaf.size, -1, np.int64) for _ in range(4))
        away = leaf != home
        count, pairs = self.wiring.switch_count, self.pairs
        if (self.wiring.tier[self.wiring.high] == LEAF).any():
            # leaves joined without a spine: the link itself is the way, in its own or against its direction
            ahead, back = pairs.find(leaf * count + home), pairs.find(home * count + leaf)
            up1 = np.where(away & (ahead >= 0), pairs.pick(ahead, self.rank[target]), up1)
            away &= ahead < 0
            down1 = np.where(away & (back >= 0), pairs.pick(back, self.rank[target]), down1)
            away &= back < 0
        left = np.flatnonzero(away)
        most = int(self.wiring.up_count.max(initial=0))
        for lane in range(most):
            if not left.size:
                break
            found, ok = self._try(leaf[left], target[left], lane)
            for column, value in zip((up1, up2, down2, down1), found, strict=True):
                column[left[ok]] = value[ok]
            left = left[~ok]
        return Way((up1, up2, down2, down1), left)

    def _try(self, leaf: IntArray, target: IntArray, lane: int) -> tuple[tuple[IntArray, ...], BoolArray]:
        wiring, pairs = self.wiring, self.pairs
        home, trunks, count = wiring.end_switch[target], wiring.trunk_count, wiring.switch_count
        # a switch without uplinks has no lanes; its rows are masked out by `ok`
        lanes = np.maximum(wiring.up_count[home], 1)
        last = np.minimum(wiring.up_start[home] + (self.rank[target] + lane) % lanes, trunks - 1)
        last = np.where(self.partial[target], self.spread[last], last)
        ok = wiring.up_count[home] > lane
        spine, place = wiring.high[last], pairs.place[last]
        near = pairs.find(leaf * count + spine)
        direct = near >= 0
        up1 = pairs.pick(near, place)
        up2 = down2 = np.full(leaf.size, -1, np.int64)
        ups = wiring.up_count[spine]
        if ups.any() and self.under.keys.size:
            turn = np.where(lane == 0, self.turn[target], self.down_place[last])
            top = np.minimum(wiring.up_start[spine] + turn % np.maximum(ups, 1), trunks - 1)
            core, top_place = wiring.high[top], pairs.place[top]
            span = int(wiring.pod.max(initial=0)) + 1
            ours = self.under.find(core * span + wiring.pod[leaf])
            position = self.under_place[np.maximum(pairs.find(spine * count + core), 0)]
            mate = self.under_spine[self.under.pick(ours, position)]
            far = pairs.find(leaf * count + mate)
            climb = pairs.find(mate * count + core)
            over = ~direct & (ups > 0) & (ours >= 0) & (far >= 0) & (climb >= 0)
            up1 = np.where(over, pairs.pick(far, place), up1)
            up2 = np.where(over, pairs.pick(climb, top_place), -1)
            down2 = np.where(over, top, -1)
            ok &= direct | over
        else:
            ok &= direct
        return (up1, up2, down2, last), ok
