"""Rules on bandwidth: every pair of switches equally joined, ratios and the half cut from the real links."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fabricplan.checks.view import BoolArray, View
from fabricplan.requirement import ratio_parts
from fabricplan.sizing import FabricSizing, bisection, ratio
from fabricplan.topology import CORE, LEAF, LEAF_SPINE, NODE_LEAF, RESERVED, ROLES, SPINE, SPINE_CORE, SWITCH
from fabricplan.values import Finding, IntArray, distinct, finding


def counts_differ(view: View) -> Iterator[Finding]:
    """The tables hold as many switches and links as sizing states."""
    devices = view.devices
    for number, sizing in enumerate(view.sizings):
        mine = (devices.fabric == number) & (devices.kind == SWITCH)
        links = [view.rows(number, role).size for role in range(len(ROLES))]
        told = (
            ("leaf", sizing.leaf_count, int((mine & (devices.tier == LEAF)).sum())),
            ("spine", sizing.spine_count, int((mine & (devices.tier == SPINE)).sum())),
            ("core", sizing.core_count, int((mine & (devices.tier == CORE)).sum())),
            (ROLES[0], sizing.node_leaf_links, links[0]), (ROLES[1], sizing.leaf_spine_links, links[1]),
            (ROLES[2], sizing.spine_core_links, links[2]),
        )  # fmt: skip
        for what, stated, found in told:
            if stated != found:
                yield finding("error", "counts-differ", sizing.name, what=what, stated=stated, found=found)


def stated_differs(view: View) -> Iterator[Finding]:
    """Ratio, half cut, endpoints and boxes that sizing states follow from its shape and from the devices."""
    devices = view.devices
    for number, sizing in enumerate(view.sizings):
        shape, mine = sizing.shape, (devices.fabric == number) & (devices.kind == SWITCH)
        up = (shape.uplinks or sizing.uplinks_per_leaf) * sizing.uplink_gbps
        half = bisection(shape, sizing.groups, sizing.endpoints // sizing.planes, sizing.link_gbps, sizing.uplink_gbps)
        told: tuple[tuple[str, int | str, int | str], ...] = (
            ("oversubscription", sizing.oversubscription, ratio(shape.hosts_per_leaf * sizing.link_gbps, up)),
            ("bisection_gbps", sizing.bisection_gbps, half * sizing.planes),
            ("endpoints", sizing.endpoints, sum(group.nodes * len(group.ports) for group in sizing.groups)),
            ("box_count", sizing.box_count, int(distinct(devices.box[mine]).size)),
        )
        for what, stated, found in told:
            if stated != found:
                yield finding("error", "stated-differs", sizing.name, what=what, stated=stated, found=found)


def reserved_ports_lost(view: View) -> Iterator[Finding]:
    """Every reserved port that was asked has found a leaf (a first stage may have too few leaves for all)."""
    for number, sizing in enumerate(view.sizings):
        found = view.rows(number, RESERVED).size
        if found < sizing.reserve_ports:
            yield finding("error", "reserved-ports-lost", sizing.name, asked=sizing.reserve_ports, found=found,
                          leaves=sizing.leaf_count)  # fmt: skip


def leaf_spine_uneven(view: View) -> Iterator[Finding]:
    """Every leaf reaches every spine of its pod, each pair by equally many links."""
    yield from _uneven(view, LEAF_SPINE, "uneven")


def spine_core_uneven(view: View) -> Iterator[Finding]:
    """Every spine reaches every core of its core group, each pair by equally many links."""
    yield from _uneven(view, SPINE_CORE, "uneven-core")


def _uneven(view: View, role: int, code: str) -> Iterator[Finding]:
    devices = view.devices
    tier, index = devices.tier, devices.wide("index")
    for number, sizing in enumerate(view.sizings):
        shape = sizing.shape
        if shape.tiers <= role or (role == SPINE_CORE and not shape.cores_today):
            continue
        switches = (devices.fabric == number) & (devices.kind == SWITCH)
        lower = np.flatnonzero(switches & (tier == role))
        upper = np.flatnonzero(switches & (tier == role + 1))
        # each lower switch has one column per switch above it, numbered within its pod or core group
        width = shape.spines_per_pod if role == LEAF_SPINE else shape.cores_per_group
        rank = np.full(len(devices), -1, np.int64)
        rank[lower] = np.arange(lower.size)
        place = np.full(len(devices), -1, np.int64)
        place[upper] = index[upper] - 1
        rows = view.rows(number, role)
        low, high = rank[view.lower[rows]], place[view.upper[rows]]
        good = (low >= 0) & (high >= 0) & (high < width) & _same_pod(view, number, role, rows, sizing)
        links = np.bincount(low[good] * width + high[good], minlength=lower.size * width)
        links = links[: lower.size * width].reshape(lower.size, width)
        odd = np.flatnonzero((links != _wanted(sizing, role)).any(axis=1))
        if odd.size:
            row = links[odd[0]]
            far = int(np.argmax(row != _wanted(sizing, role)))
            yield finding("error", code, view.name(int(lower[odd[0]])), place=far + 1, links=int(row[far]),
                          least=int(links.min()), most=int(links.max()), wanted=_wanted(sizing, role),
                          switches=int(odd.size))  # fmt: skip


def _wanted(sizing: FabricSizing, role: int) -> int:
    """Return how many links each pair of switches of a role is planned to have."""
    return sizing.shape.links_per_pair if role == LEAF_SPINE else sizing.shape.links_per_core_pair


def _same_pod(view: View, number: int, role: int, rows: IntArray, sizing: FabricSizing) -> BoolArray:
    devices = view.devices
    pod, plane = devices.wide("pod"), devices.wide("plane")
    low, high = view.lower[rows], view.upper[rows]
    if role == LEAF_SPINE:
        same: BoolArray = pod[low] == pod[high]
    else:
        # cores carry their group in the pod column; a spine's group follows from its index in the pod
        same = (devices.wide("index")[low] - 1) // sizing.shape.spines_per_group + 1 == pod[high]
    joined: BoolArray = same & (plane[low] == plane[high]) & (devices.fabric[high] == number)
    return joined


def missing_uplink(view: View) -> Iterator[Finding]:
    """Every leaf and every spine has as many uplinks as planned."""
    devices = view.devices
    for number, sizing in enumerate(view.sizings):
        shape = sizing.shape
        switches = (devices.fabric == number) & (devices.kind == SWITCH)
        planned = [(LEAF, LEAF_SPINE, shape.uplinks)] if shape.tiers > 1 else []
        planned += [(SPINE, SPINE_CORE, shape.spine_uplinks)] if shape.cores_today else []
        for tier, role, wanted in planned:
            rows = np.flatnonzero(switches & (devices.tier == tier))
            has = view.links_up(number, role)[rows]
            short = np.flatnonzero(has < wanted)
            if short.size:
                yield finding("error", "missing-uplink", view.name(int(rows[short[0]])), links=int(has[short[0]]),
                              wanted=wanted, switches=int(short.size))  # fmt: skip


def oversubscription_real(view: View) -> Iterator[Finding]:
    """No switch is more oversubscribed than sizing claims: down x rate over up x rate, from the real links."""
    for number, sizing in enumerate(view.sizings):
        if sizing.shape.tiers == 1:
            continue
        tiers = [(LEAF, NODE_LEAF, LEAF_SPINE, sizing.oversubscription)]
        if sizing.shape.cores_today:
            tiers.append((SPINE, LEAF_SPINE, SPINE_CORE, sizing.oversubscription_spine))
        for tier, below, above, claim in tiers:
            down = view.links_down(number, below) * view.gbps(number, below)
            up = view.links_up(number, above) * view.gbps(number, above)
            claimed_down, claimed_up = ratio_parts(claim)
            switches = (view.devices.fabric == number) & (view.devices.tier == tier)
            over = np.flatnonzero(switches & (down * claimed_up > up * claimed_down))
            if over.size:
                worst = int(over[np.argmax(down[over] / np.maximum(up[over], 1))])
                yield finding("error", "oversubscription-real", view.name(worst), down_gbps=int(down[worst]),
                              up_gbps=int(up[worst]), claim=claim, switches=int(over.size))  # fmt: skip


def cut(view: View) -> Iterator[Finding]:
    """The half cut, recomputed from the links, is at least the stated bisection bandwidth.

    One direction, summed over the planes::

        cut = sum over planes of min( floor(E / 2) x g,  U x u / 2,  C x u / 2 )

        E  node-leaf links of the plane                      g  their rate
        U  leaf-spine links that end on a leaf and a spine   u  the rate between switches
           of this plane (left out: a single leaf)
        C  spine-core links likewise (left out: no cores)

    In an even fabric (which the evenness rules establish first) half of the links of a tier cross between two
    halves of the switches below it, and no half cut is narrower than the narrowest tier.
    """
    devices = view.devices
    plane, tier = devices.plane, devices.tier
    for number, sizing in enumerate(view.sizings):
        switches = (devices.fabric == number) & (devices.kind == SWITCH)
        planes = sizing.planes + 1
        ends = np.bincount(plane[view.ends(number, NODE_LEAF)[1]], minlength=planes)
        narrow = ends // 2 * sizing.link_gbps
        leaves = np.bincount(plane[switches & (tier == LEAF)], minlength=planes)
        for role, wanted in ((LEAF_SPINE, sizing.shape.tiers > 1), (SPINE_CORE, sizing.shape.cores_today > 0)):
            if wanted:
                low, high = view.ends(number, role)
                sound = (plane[low] == plane[high]) & (tier[low] + 1 == tier[high])
                half = np.bincount(plane[high[sound]], minlength=planes) * sizing.uplink_gbps // 2
                narrow = np.where(leaves > 1, np.minimum(narrow, half), narrow)
        total = int(narrow.sum())
        if total < sizing.bisection_gbps:
            yield finding("error", "cut", sizing.name, found=total, stated=sizing.bisection_gbps)


def unequal_pods(view: View) -> Iterator[Finding]:
    """Pods that stand today have equally many leaves; otherwise OpenSM's ftree engine refuses the fabric."""
    devices = view.devices
    for number, sizing in enumerate(view.sizings):
        if sizing.shape.tiers != 3:
            continue
        leaves = (devices.fabric == number) & (devices.tier == LEAF)
        pods = np.bincount(devices.wide("plane")[leaves] * 65536 + devices.wide("pod")[leaves])
        sizes = pods[pods > 0]
        if sizes.min() != sizes.max():
            yield finding("warning", "ftree-needs-roots", sizing.name, pods=int(sizes.size),
                          least=int(sizes.min()), most=int(sizes.max()))  # fmt: skip


def lone_spine(view: View) -> Iterator[Finding]:
    """A plane or pod with a single spine stands still when that spine fails."""
    for sizing in view.sizings:
        if sizing.shape.tiers > 1 and sizing.shape.spines_per_pod == 1:
            yield finding("warning", "lone-spine", sizing.name, leaves=sizing.shape.leaves_today)


RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (
    counts_differ, stated_differs, reserved_ports_lost, leaf_spine_uneven, spine_core_uneven, missing_uplink,
    oversubscription_real, cut, unequal_pods, lone_spine,
)  # fmt: skip
