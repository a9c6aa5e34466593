"""Survey: what a discovered fabric is, with no plan to compare it with.

::

    leaf    has hosts, and does not stand above switches that have many more; or has none, and meets a leaf's spines
    spine   next to a leaf          core    next to a spine

Every connected part of every file is one fabric. What most of its peers do is the rule; what departs is told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from fabricplan.asbuilt.found import ADAPTER, AGGREGATION, ROUTER, SPEEDS, SWITCH, Found, Source, duplicate_names
from fabricplan.asbuilt.rails import RailSurvey, rails
from fabricplan.values import Finding, IntArray, Value, finding

SCHEMA = "fabricplan/survey/1"
TIERS = ("host", "leaf", "spine", "core")
RADIX: Mapping[int, tuple[int, int]] = {
    36: (36, 1), 37: (36, 1), 40: (40, 1), 41: (40, 1), 64: (64, 1), 65: (64, 1), 80: (40, 2), 81: (40, 2),
    128: (64, 2), 129: (64, 2), **dict.fromkeys(range(144, 150), (144, 1)),
}  # fmt: skip
"""Declared ports -> ports of the switch unsplit, and links that one of them is split into. The odd numbers count the
port of the aggregation node; QM8700 in split mode declares 81, QM9700 129. Beyond its 144 ports Q3400 has those of the
management cage (145 is ``sw73p1``), of aggregation nodes and of routers."""
LISTED = 12
"""Names that a finding lists; the rest is counted."""
_NATURAL = re.compile(r"(\d+)")
BoolArray = npt.NDArray[np.bool_]


class Bar(Value):
    """One value and how often it occurs."""

    value: str
    count: int


class TierSurvey(Value):
    """The switches of one tier: models, declared ports, links down and up of each."""

    tier: Literal["leaf", "spine", "core"]
    switches: int
    models: tuple[Bar, ...]
    declared_ports: tuple[Bar, ...]
    radix: int | None
    split: int | None
    down: tuple[Bar, ...]
    up: tuple[Bar, ...]


class LinkSurvey(Value):
    """The links between two tiers, and their rates."""

    lower: str
    upper: str
    links: int
    rates: tuple[Bar, ...]
    per_pair: tuple[Bar, ...]


class FabricSurvey(Value):
    """One connected fabric."""

    name: str
    source: str
    tiers: int
    switches: int
    hosts: int
    adapters: int
    aggregation_nodes: int
    routers: int
    unnamed_adapters: int
    tier_rows: tuple[TierSurvey, ...]
    link_rows: tuple[LinkSurvey, ...]
    rails: RailSurvey
    oversubscription: float | None
    even: bool
    findings: tuple[Finding, ...]


class Survey(Value):
    """All fabrics of the files."""

    schema_: Literal["fabricplan/survey/1"] = Field(default="fabricplan/survey/1", alias="schema")
    sources: tuple[Source, ...]
    fabrics: tuple[FabricSurvey, ...]
    findings: tuple[Finding, ...]


def survey(found: Found) -> Survey:
    """Return what the discovered fabrics are."""
    names = found.names()
    fabrics = [_fabric(found, names, mine, number) for number, mine in enumerate(fabric_masks(found), start=1)]
    return Survey(sources=found.sources, fabrics=tuple(fabrics),
                  findings=(*found.findings, *duplicate_names(found)))  # fmt: skip


def fabric_masks(found: Found) -> list[BoolArray]:
    """Return the device rows of every connected fabric, in the order of the files; single hosts are none.

    LLDP tells a host, not its adapters: it is in every plane that it has a port on, and joins none of them.
    """
    kind, a, z = found.devices.kind, found.links.wide("a"), found.links.wide("z")
    whole = found.sources[0].format == "lldp"
    trunk = (kind[a] == SWITCH) & (kind[z] == SWITCH) if whole else np.ones(len(a), bool)
    parts = components(len(kind), a[trunk], z[trunk])
    masks = []
    for number in range(int(parts.max()) + 1):
        mine = parts == number
        if whole and (kind[mine] == SWITCH).any():
            mine[a[mine[z] & (kind[z] == SWITCH)]] = True
            mine[z[mine[a] & (kind[a] == SWITCH)]] = True
        if (kind[mine] == SWITCH).any() or mine.sum() > 1:
            masks.append(mine)
    return masks


def components(count: int, a: IntArray, z: IntArray) -> IntArray:
    """Return the number of the connected part that every one of ``count`` devices belongs to, in the order of the
    files; ``a`` and ``z`` are the ends of the links."""
    label = np.arange(count)
    while True:
        low = np.minimum(label[a], label[z])
        before = label.copy()
        np.minimum.at(label, a, low)
        np.minimum.at(label, z, low)
        label = label[label]
        if np.array_equal(label, before):
            return np.unique(label, return_inverse=True)[1].astype(np.int64)


def tiers_of(found: Found) -> IntArray:
    """Return the tier of every device: 0 for adapters, 1 leaf, 2 spine, 3 core and above.

    A switch with hosts is no leaf if most of its links to switches lead to switches with more than four times its
    hosts: then it stands above them, as a spine that carries a manager's host does. Nor is one that has less than a
    tenth of the hosts of the fullest: it is a core with a stray host, or found again as a leaf without hosts.
    """
    kind, a, z = found.devices.kind, found.links.wide("a"), found.links.wide("z")
    count = len(found.devices)
    hosts = np.bincount(a[kind[z] == ADAPTER], minlength=count) + np.bincount(z[kind[a] == ADAPTER], minlength=count)
    switch = kind == SWITCH
    hosts = np.where(switch, hosts, 0)
    trunk = (kind[a] == SWITCH) & (kind[z] == SWITCH)
    near = np.concatenate([a[trunk], z[trunk]])
    far = np.concatenate([z[trunk], a[trunk]])
    total = np.bincount(near, minlength=count)
    more = np.bincount(near[hosts[far] > 4 * hosts[near]], minlength=count)
    leaf = switch & (hosts > 0) & (more * 2 <= total) & (hosts * 10 >= hosts.max(initial=0))
    tier = np.where(leaf, 1, 0)
    rank, edge = 1, leaf
    while edge.any():
        # a stray cable from a leaf to a core makes no spine of it: a quarter of its cables must lead to the tier below
        below = np.where(switch & (tier == 0), np.bincount(far[edge[near]], minlength=count), 0)
        edge = (below > 0) & (below * 4 >= total)
        edge = edge if edge.any() else below > 0
        rank += 1
        tier[edge] = rank
    tier[switch & (tier == 0)] = 1
    # beyond the cores: a pod without hosts, its spines (4) beside the other spines, its leaves (5) beside the leaves
    mirrored = np.unique(near[(tier[near] == 4) & (tier[far] == 5)])
    tier[tier == 5] = 1
    tier[mirrored] = 2
    idle = _idle_leaves(tier, near, far)
    if idle.size:
        tier[idle] = 1
    return np.asarray(tier, np.int64)


def _idle_leaves(tier: IntArray, near: IntArray, far: IntArray) -> IntArray:
    """Return switches that look like cores but stand where leaves do: a leaf without hosts meets the same spines as
    its neighbours do, a core meets at most a few of them."""
    spines: dict[int, set[int]] = {}
    leaves: dict[int, set[int]] = {}
    for one, other in zip(near.tolist(), far.tolist(), strict=True):
        if tier[other] == 2 and tier[one] in (1, 3):
            spines.setdefault(one, set()).add(other)
            if tier[one] == 1:
                leaves.setdefault(other, set()).add(one)
    found = []
    for core in (row for row in spines if tier[row] == 3):
        shared = Counter(leaf for spine in spines[core] for leaf in leaves.get(spine, ()))
        best = max(((count, leaf) for leaf, count in shared.items()), default=(0, -1))
        if best[0] > 1 and best[0] * 2 > len(spines[core] | spines[best[1]]):
            found.append(core)
    return np.array(found, np.int64)


def _fabric(found: Found, names: list[str], mine: BoolArray, number: int) -> FabricSurvey:
    devices, links = found.devices, found.links
    a, z = links.wide("a"), links.wide("z")
    tier = tiers_of(found)
    keep = mine[a] & mine[z] & (devices.kind[a] < AGGREGATION) & (devices.kind[z] < AGGREGATION)
    flip = tier[a] > tier[z]
    low, high = np.where(flip, z, a)[keep], np.where(flip, a, z)[keep]
    gbps, speed, width = links.wide("gbps")[keep], links.wide("speed")[keep], links.wide("width")[keep]
    switch, adapter = mine & (devices.kind == SWITCH), mine & (devices.kind == ADAPTER)
    top = int(tier[switch].max(initial=0))
    findings: list[Finding] = []
    rows = [_tier(found, names, switch & (tier == rank), rank, low, high, findings) for rank in range(1, top + 1)]
    pairs = []
    for lower, upper in sorted(set(zip(tier[low].tolist(), tier[high].tolist(), strict=True))):
        chosen = (tier[low] == lower) & (tier[high] == upper)
        pairs.append(_links(names, lower, upper, low[chosen], high[chosen], speed[chosen], width[chosen],
                            gbps[chosen], findings))  # fmt: skip
        if lower == upper and lower > 0:
            findings.append(finding("warning", "same-tier-links", _tier_word(lower), count=int(chosen.sum()),
                                    names=_list(names, low[chosen])))  # fmt: skip
        elif upper - lower > 1:
            findings.append(finding("warning", "tier-skipped", _tier_word(upper), count=int(chosen.sum()),
                                    names=_list(names, low[chosen])))  # fmt: skip
    even = _evenness(names, tier, low, high, top, findings)
    models = {found.texts[row] for row in devices.model[switch].tolist()} - {""}
    trunk = tier[low] > 0
    if len(models) > 1 or len(np.unique(gbps[trunk & (gbps > 0)])) > 1:
        rates = ", ".join(f"{value} Gb/s" for value in np.unique(gbps[trunk & (gbps > 0)]).tolist())
        findings.append(finding("warning", "mixed-generations", f"fabric {number}",
                                models=", ".join(sorted(models)) or "-", rates=rates))  # fmt: skip
    unnamed = np.flatnonzero(adapter & (devices.named == 0))
    for row in unnamed[:LISTED].tolist():
        at = np.flatnonzero((a == row) | (z == row))
        where = [
            f"{names[int(z[link] if a[link] == row else a[link])]} port "
            f"{int(links.z_port[link] if a[link] == row else links.a_port[link])}" for link in at.tolist()
        ]  # fmt: skip
        findings.append(finding("warning", "unnamed-adapter", names[row], where=", ".join(where) or "-"))
    railed = rails(names, low[tier[low] == 0], high[tier[low] == 0], adapter & (devices.named == 1))
    findings += [
        finding("warning", "odd-rail", host, adapter=word, leaf=leaf, expected=expected)
        for host, word, leaf, expected in railed.odd
    ]  # fmt: skip
    findings += _absent_uplinks(names, tier, low, high, top)
    unnamed_switches = switch & (devices.named == 0)
    if unnamed_switches.any():
        findings.append(finding("info", "unnamed-switches", f"fabric {number}", count=int(unnamed_switches.sum())))
    down, up = gbps[tier[low] == 0].sum(), gbps[(tier[low] == 1) & (tier[high] == 2)].sum()
    source = int(devices.source[mine][0])
    return FabricSurvey(
        name=f"fabric {number}", source=found.sources[source].name, tiers=top, switches=int(switch.sum()),
        hosts=railed.survey.hosts, adapters=int(adapter.sum()),
        aggregation_nodes=int((mine & (devices.kind == AGGREGATION)).sum()),
        routers=int((mine & (devices.kind == ROUTER)).sum()), unnamed_adapters=int(unnamed.size),
        tier_rows=tuple(rows), link_rows=tuple(pairs), rails=railed.survey,
        oversubscription=round(float(down / up), 2) if up else None,
        even=even and not {"uneven-uplinks", "uneven-downlinks"} & {item.code for item in findings},
        findings=tuple(findings),
    )  # fmt: skip


def _tier_word(rank: int) -> str:
    return TIERS[min(rank, 3)]


def _bars(values: IntArray) -> tuple[Bar, ...]:
    found, counts = np.unique(values, return_counts=True)
    order = np.lexsort((-found, -counts))
    return tuple(Bar(value=str(found[at]), count=int(counts[at])) for at in order.tolist())


def _tier(found: Found, names: list[str], chosen: BoolArray, rank: int, low: IntArray, high: IntArray,
          findings: list[Finding]) -> TierSurvey:  # fmt: skip
    count = len(found.devices)
    rows = np.flatnonzero(chosen)
    down, up = np.bincount(high, minlength=count)[rows], np.bincount(low, minlength=count)[rows]
    models = Counter(found.texts[row] or "?" for row in found.devices.model[rows].tolist())
    declared = found.devices.wide("ports")[rows]
    usual = int(np.bincount(declared).argmax())
    radix = RADIX.get(usual)
    for word, column in (("up", up), ("down", down)):
        most = int(np.bincount(column).argmax())
        odd = rows[column != most]
        if word == "up" and odd.size:
            fewer = rows[column < most]
            findings.append(finding(
                "warning", "uneven-uplinks", _tier_word(rank), usual=most, count=int(odd.size),
                fewer=int(fewer.size), names=_list(names, odd, column[column != most])))  # fmt: skip
        elif odd.size and rank > 1:
            findings.append(finding("warning", "uneven-downlinks", _tier_word(rank), usual=most, count=int(odd.size),
                                    names=_list(names, odd, column[column != most])))  # fmt: skip
    return TierSurvey(
        tier=("leaf", "spine", "core")[min(rank, 3) - 1], switches=int(rows.size),
        models=tuple(Bar(value=value, count=number) for value, number in sorted(models.items())),
        declared_ports=_bars(declared), radix=radix[0] if radix else (usual or None),
        split=radix[1] if radix else None, down=_bars(down), up=_bars(up),
    )  # fmt: skip


def _links(names: list[str], lower: int, upper: int, low: IntArray, high: IntArray, speed: IntArray, width: IntArray,
           gbps: IntArray, findings: list[Finding]) -> LinkSurvey:  # fmt: skip
    kinds = Counter(zip(width.tolist(), speed.tolist(), strict=True))
    words = {kind: f"{kind[0]}x{SPEEDS[kind[1]]}" if kind[1] else "?" for kind in kinds}
    if gbps.any():
        usual = int(np.bincount(gbps).argmax())
        slow = np.flatnonzero((gbps < usual) & (gbps > 0))
        if slow.size:
            told = ", ".join(
                f"{names[int(low[at])]} - {names[int(high[at])]} {words[int(width[at]), int(speed[at])]}"
                for at in slow[:LISTED].tolist()
            )  # fmt: skip
            findings.append(finding("warning", "below-peers", f"{_tier_word(lower)}-{_tier_word(upper)}",
                                    usual=usual, count=int(slow.size), links=told))  # fmt: skip
    pair = low * (int(high.max(initial=0)) + 1) + high
    per_pair = _bars(np.unique(pair, return_counts=True)[1]) if lower > 0 else ()
    return LinkSurvey(
        lower=_tier_word(lower), upper=_tier_word(upper), links=int(low.size),
        rates=tuple(Bar(value=words[kind], count=number) for kind, number in kinds.most_common()), per_pair=per_pair,
    )  # fmt: skip


def _evenness(names: list[str], tier: IntArray, low: IntArray, high: IntArray, top: int,
              findings: list[Finding]) -> bool:  # fmt: skip
    """Tell the pairs of leaf and spine whose links differ from those of most pairs, where every leaf meets every
    spine in a plain two-tier fabric; in three tiers the pairs that do meet are compared."""
    even = True
    for rank in range(1, top):
        chosen = (tier[low] == rank) & (tier[high] == rank + 1)
        if not chosen.any():
            continue
        lower, upper = low[chosen], high[chosen]
        pairs, counts = np.unique(lower * tier.size + upper, return_counts=True)
        usual = int(np.bincount(counts).argmax())
        odd = pairs[counts != usual]
        absent = 0
        if top == 2:
            absent = np.unique(lower).size * np.unique(upper).size - pairs.size
        if odd.size or absent:
            even = False
            told = ", ".join(
                f"{names[int(pair // tier.size)]} - {names[int(pair % tier.size)]}: {int(count)}"
                for pair, count in zip(odd[:LISTED], counts[counts != usual][:LISTED], strict=True)
            )  # fmt: skip
            findings.append(finding("warning", "uneven-pairs", f"{_tier_word(rank)}-{_tier_word(rank + 1)}",
                                    usual=usual, count=int(odd.size), absent=int(absent),
                                    pairs=told or "-"))  # fmt: skip
    return even


def _absent_uplinks(names: list[str], tier: IntArray, low: IntArray, high: IntArray, top: int) -> list[Finding]:
    """Tell which switch above a switch with fewer uplinks does not reach, where its peers do: those that share most of
    what it reaches."""
    told: list[Finding] = []
    for rank in range(1, top):
        chosen = (tier[low] == rank) & (tier[high] == rank + 1)
        reached: dict[int, Counter[int]] = {}
        for lower, upper in zip(low[chosen].tolist(), high[chosen].tolist(), strict=True):
            reached.setdefault(lower, Counter())[upper] += 1
        sums = Counter(uppers.total() for uppers in reached.values())
        if not sums:
            continue
        usual = max(sums, key=lambda count: (sums[count], count))
        ways = Counter(frozenset(uppers.items()) for uppers in reached.values() if uppers.total() == usual)
        for lower, uppers in sorted(reached.items()):
            if uppers.total() >= usual:
                continue
            peer = max(ways, key=lambda way: (sum((Counter(dict(way)) & uppers).values()), sorted(way)))
            absent = Counter(dict(peer)) - uppers
            if absent.total() == usual - uppers.total():
                told.append(finding("warning", "absent-uplinks", names[lower], count=absent.total(),
                                    names=", ".join(names[upper] for upper in sorted(absent.elements()))))  # fmt: skip
    return told


def _list(names: list[str], rows: IntArray, counts: IntArray | None = None) -> str:
    """Return names in natural order, with their counts; no more than a line holds."""
    told = {names[row]: "" for row in rows.tolist()}
    if counts is not None:
        told = {names[row]: f" ({count})" for row, count in zip(rows.tolist(), counts.tolist(), strict=True)}
    order = sorted(told, key=natural)
    more = f" … +{len(order) - LISTED}" if len(order) > LISTED else ""
    return ", ".join(f"{name}{told[name]}" for name in order[:LISTED]) + more


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers in a text by value.

    >>> sorted(["mlx5_10", "mlx5_9"], key=natural)
    ['mlx5_9', 'mlx5_10']
    """
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _NATURAL.split(text.casefold()))
