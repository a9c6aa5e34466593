"""What is left after a failure: one cable, one spine, one core, one leaf, and a share of all cables at random.

Of every kind the worst is told. Bandwidth is the closed form of ``cut`` over the links that are left, and never more
than half of what a tier carries. A node is cut off when none of its ports on the fabric reaches the larger part of
it; a leaf's uplink bandwidth counts links to spines, each by what is left of the spine's own uplinks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from fabricplan.plan import Plan
from fabricplan.proof.cut import bandwidth, closed, split
from fabricplan.proof.document import Failure
from fabricplan.proof.wiring import BoolArray, Wiring
from fabricplan.topology import CORE, LEAF, NODE_LEAF, RESERVED, SPINE
from fabricplan.values import IntArray

PERCENT = 1
TRIALS = 20
SEED = 1


class Left(NamedTuple):
    """What is left of one plane: half-cut bandwidth, uplinks of the worst leaf (permille), ports by node."""

    bisection: int
    uplinks: int
    ports: IntArray


def failures(plan: Plan, planes: Sequence[Wiring], alike: bool, percent: int = PERCENT) -> tuple[Failure, ...]:
    """Return the effect of every kind of failure on one fabric.

    Args:
        plan: the plan, for which links share a cable.
        planes: all planes of the fabric.
        alike: the planes are wired in the same way, so that one stands for all.
        percent: share of the cables that fails at random, rounded up to whole cables.
    """
    devices = len(plan.topology.devices)
    cable = carriers(plan)
    whole = [_left(wiring, _none(wiring), _no_switch(wiring), devices) for wiring in planes]
    found = []
    for kind, candidates in _KINDS:
        count = 0
        results = []
        for number, wiring in enumerate(planes):
            tried = list(candidates(wiring, cable))
            count += tried[0].total if tried else 0
            if number == 0 or not alike:
                results += [_effect(whole, number, _left(wiring, one.links, one.switches, devices)) for one in tried]
        if results:
            found.append(_worst(kind, count, 1, results))
    found += _random(plan, planes, cable, whole, percent)
    return tuple(found)


def carriers(plan: Plan) -> IntArray:
    """Return the cable that fails together with each link: its own, and of a link through patch panels the trunk."""
    cable, patches = plan.cabling.links.wide("cable"), plan.cabling.patches
    if patches is not None:
        cable[patches.wide("link")] = patches.wide("trunk")
    return cable


class _Candidate(NamedTuple):
    """A failure to try: dead links (trunks, then endpoints) and dead switches; ``total`` of the kind there are."""

    total: int
    links: BoolArray
    switches: BoolArray


class _Effect(NamedTuple):
    bisection: int
    uplinks: int
    node: int
    hit: int
    cut: int


def _none(wiring: Wiring) -> BoolArray:
    return np.zeros(wiring.trunk_count + wiring.end_count, bool)


def _no_switch(wiring: Wiring) -> BoolArray:
    return np.zeros(wiring.switch_count, bool)


def _left(wiring: Wiring, dead: BoolArray, fallen: BoolArray, devices: int) -> Left:
    """Return what is left of a plane without some links and switches."""
    trunks = wiring.trunk_count
    alive = ~dead[:trunks] & ~fallen[wiring.low] & ~fallen[wiring.high]
    # leaves that the plan does not join are joined elsewhere, so that none is "the smaller part"
    label = np.zeros(wiring.switch_count, np.int64) if wiring.apart else _labels(wiring, alive)
    stands = ~dead[trunks:] & ~fallen[wiring.end_switch] & ~wiring.reserved
    weight = np.bincount(label[wiring.end_switch[stands]], minlength=wiring.switch_count)
    # in a fabric that falls into equal parts the first is taken to be "the others"
    joined = stands & (label[wiring.end_switch] == int(np.argmax(weight)))
    ports = np.bincount(wiring.end_device[joined], minlength=devices)
    cut = min(
        closed(wiring, bandwidth(wiring, first), bandwidth(wiring, rest), alive)
        for _, first, rest in split(wiring, joined)
    )  # fmt: skip
    share = np.ones(wiring.switch_count)
    tier = wiring.tier[wiring.low]
    for level in (SPINE, LEAF):
        rows = tier == level
        if not rows.any():
            continue
        part = np.bincount(wiring.low[rows], alive[rows] * share[wiring.high[rows]], wiring.switch_count)
        # links between two leaves all cross; of those that climb, half carry what crosses
        flat = (wiring.tier[wiring.high[rows]] == level).all()
        cut = min(cut, int(alive[rows].sum()) * wiring.sizing.uplink_gbps // (1 if flat else 2))
        mine = (wiring.up_count > 0) & (wiring.tier == level)
        share[mine] = part[mine] / wiring.up_count[mine]
    leaves = (wiring.tier == LEAF) & (wiring.hosts > 0) & ~fallen
    uplinks = int(np.floor(share[leaves].min(initial=1.0) * 1000 + 1e-6))
    return Left(cut, uplinks, ports)


def _labels(wiring: Wiring, alive: BoolArray) -> IntArray:
    """Return the smallest switch id of every switch's connected part."""
    label = np.arange(wiring.switch_count)
    low, high = wiring.low[alive], wiring.high[alive]
    while True:
        before = label.copy()
        np.minimum.at(label, low, label[high])
        np.minimum.at(label, high, label[low])
        if np.array_equal(before, label):
            return label


def _effect(whole: Sequence[Left], number: int, left: Left) -> _Effect:
    """Compare a fabric of which one plane is damaged with the whole one."""
    planes = [left if other == number else item for other, item in enumerate(whole)]
    return _compare(whole, planes)


def _compare(whole: Sequence[Left], planes: Sequence[Left]) -> _Effect:
    before = np.sum([item.ports for item in whole], axis=0)
    after = np.sum([item.ports for item in planes], axis=0)
    nodes = before > 0
    had = sum(item.bisection for item in whole)
    return _Effect(
        bisection=sum(item.bisection for item in planes) * 1000 // max(had, 1),
        uplinks=min(item.uplinks for item in planes),
        node=int((after[nodes] * 1000 // before[nodes]).min(initial=1000)),
        hit=int((after < before).sum()), cut=int((nodes & (after == 0)).sum()),
    )  # fmt: skip


def _worst(kind: str, count: int, trials: int, effects: Sequence[_Effect]) -> Failure:
    return Failure(
        kind=kind, count=count, trials=trials, bisection_permille=min(item.bisection for item in effects),
        uplinks_permille=min(item.uplinks for item in effects), node_permille=min(item.node for item in effects),
        nodes_hit=max(item.hit for item in effects), nodes_cut=max(item.cut for item in effects),
    )  # fmt: skip


def _switches(tier: int) -> Callable[[Wiring, IntArray], Iterator[_Candidate]]:
    """Return candidates of a tier: of switches that carry equally much one stands for all."""

    def tried(wiring: Wiring, cable: IntArray) -> Iterator[_Candidate]:
        mine = np.flatnonzero((wiring.tier == tier) & (wiring.module == 0))
        links = np.bincount(wiring.low, minlength=wiring.switch_count) + np.bincount(
            wiring.high, minlength=wiring.switch_count
        )
        kinds = np.stack([links[mine], wiring.hosts[mine], _largest_share(wiring)[mine]], axis=1)
        for row in np.unique(kinds, axis=0, return_index=True)[1].tolist() if mine.size else []:
            fallen = _no_switch(wiring)
            fallen[mine[row]] = True
            yield _Candidate(int(mine.size), _none(wiring), fallen)

    return tried


def _modules(side: int) -> Callable[[Wiring, IntArray], Iterator[_Candidate]]:
    """Return candidates of a director's leaf modules (side 1), spine modules (-1), or of the box as a whole (0): of
    modules with equally many endpoints one stands for all."""

    def tried(wiring: Wiring, cable: IntArray) -> Iterator[_Candidate]:
        inside = wiring.module != 0
        module = wiring.module * side if side else inside.astype(np.int64)
        kinds = np.unique(module[inside & (module > 0)])
        hosts = np.bincount(np.maximum(module, 0), wiring.hosts, minlength=int(module.max(initial=0)) + 1)[kinds]
        for row in np.unique(hosts, return_index=True)[1].tolist() if kinds.size else []:
            yield _Candidate(int(kinds.size), _none(wiring), inside & (module == kinds[row]))

    return tried


def _largest_share(wiring: Wiring) -> IntArray:
    """Return, for every switch, the largest share (permille) that one switch below sends through it."""
    found = np.zeros(wiring.switch_count, np.int64)
    pairs, links = np.unique(wiring.low * wiring.switch_count + wiring.high, return_counts=True)
    low, high = np.divmod(pairs, max(wiring.switch_count, 1))
    np.maximum.at(found, high, links * 1000 // np.maximum(wiring.up_count[low], 1))
    return found


def _cables(role: int) -> Callable[[Wiring, IntArray], Iterator[_Candidate]]:
    """Return candidates of cables: of those that carry equally many links of equally joined switches, one."""

    def tried(wiring: Wiring, cable: IntArray) -> Iterator[_Candidate]:
        if role == NODE_LEAF:
            mine = np.flatnonzero(~wiring.reserved)
            owner = _owners(cable[wiring.end_link[mine]])
            weight = np.bincount(owner)[owner] * 4096 + np.bincount(wiring.end_device[mine])[wiring.end_device[mine]]
            mine = mine + wiring.trunk_count
        else:
            mine = np.flatnonzero((wiring.tier[wiring.low] == role) & wiring.cabled)
            owner = _owners(cable[wiring.link_row[mine]])
            weight = np.bincount(owner)[owner] * 4096 + wiring.up_count[wiring.low[mine]]
        if not mine.size:
            return
        for row in np.unique(weight, return_index=True)[1].tolist():
            dead = _none(wiring)
            dead[mine[owner == owner[row]]] = True
            yield _Candidate(int(owner.max()) + 1, dead, _no_switch(wiring))

    return tried


def _owners(cable: IntArray) -> IntArray:
    """Number the cables of links from 0; a link without a known cable is one of its own."""
    alone = cable.max(initial=0) + 1 + np.arange(cable.size)
    return np.unique(np.where(cable >= 0, cable, alone), return_inverse=True)[1].astype(np.int64)


_KINDS: tuple[tuple[str, Callable[[Wiring, IntArray], Iterator[_Candidate]]], ...] = (
    ("cable-node", _cables(NODE_LEAF)), ("cable-leaf-spine", _cables(LEAF)), ("cable-spine-core", _cables(SPINE)),
    ("spine", _switches(SPINE)), ("core", _switches(CORE)), ("leaf", _switches(LEAF)),
    ("spine-module", _modules(-1)), ("leaf-module", _modules(1)), ("director", _modules(0)),
)  # fmt: skip


def _random(
    plan: Plan, planes: Sequence[Wiring], cable: IntArray, whole: Sequence[Left], percent: int
) -> list[Failure]:
    links = np.concatenate([np.concatenate([item.link_row, item.end_link]) for item in planes])
    # links inside of a director have no row
    counted = (links >= 0) & (plan.topology.links.wide("role")[links] != RESERVED)
    owner = np.full(links.size, -1, np.int64)
    owner[counted] = _owners(cable[links[counted]])
    cables = int(owner.max(initial=-1)) + 1
    if not cables:
        return []
    broken = -(-cables * percent // 100)
    # RandomState keeps its stream for ever, so that the same plan gives the same proof under any numpy
    draw = np.random.RandomState(SEED)
    effects = []
    for _ in range(TRIALS):
        chosen = np.zeros(cables + 1, bool)
        chosen[draw.permutation(cables)[:broken]] = True
        dead = chosen[owner] & (owner >= 0)
        start, lefts = 0, []
        for wiring in planes:
            size = wiring.trunk_count + wiring.end_count
            lefts.append(_left(wiring, dead[start : start + size], _no_switch(wiring), len(plan.topology.devices)))
            start += size
        effects.append(_compare(whole, lefts))
    return [_worst("cables-random", broken, TRIALS, effects)]
