"""The search for the smallest fabric of one, two or three tiers. Pure arithmetic on counts of one plane.

Rules (each divisibility keeps every pair of switches equally joined, which is what makes 1:1 true and static
routing even):

* two tiers: spines = smallest divisor of the uplinks u with spines >= ceil(L u / R) and >= min_spines;
* three tiers: all pods have equally many leaves; spines per pod divide u; cores per group divide the spine's
  uplinks; ``m`` spine indexes of every pod may share a core group.

Source: folded Clos arithmetic (two tiers R^2/2, three tiers R^3/4 endpoints); the divisor rule reproduces the
spine counts of NVIDIA's DGX SuperPOD reference architectures for H100 (3 SU: 16) and B300 XDR (4 SU: 18).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache


@dataclass(frozen=True)
class Box:
    """Port geometry of a switch in one role: cages, and how many links a cage carries down and up.

    ``shared`` is false where downlinks and uplinks have cage groups of their own (SN2201: 48 RJ45 down, 4
    QSFP28 up); then ``cages`` counts the down group and ``up_cages`` the up group.
    """

    cages: int
    down_per_cage: int
    up_per_cage: int
    shared: bool = True
    up_cages: int = 0

    @property
    def radix(self) -> int:
        """Ports if every cage ran at the uplink rate."""
        return (self.cages if self.shared else self.up_cages) * self.up_per_cage

    def holds(self, down: int, up: int) -> bool:
        """Tell whether so many down and up links fit, each kind in whole cages."""
        down_cages = -(-down // self.down_per_cage)
        up_cages = -(-up // self.up_per_cage)
        if not self.shared:
            return down_cages <= self.cages and up_cages <= self.up_cages
        return down_cages + up_cages <= self.cages

    def up_first(self, down: int, up: int) -> int:
        """Return the first uplink cage (from 0): the upper half's start where both halves fit, else as low as
        the downlinks allow or as high as the uplinks need."""
        if not self.shared:
            return self.cages
        down_cages = -(-down // self.down_per_cage)
        up_cages = -(-up // self.up_per_cage)
        half = self.cages // 2
        if up_cages > self.cages - half:
            return self.cages - up_cages
        return max(half, down_cages)


@dataclass(frozen=True)
class Demand:
    """What one plane must carry.

    Attributes:
        units: number of scalable units (a unit's leaves see the same nodes).
        leaves_per_unit: leaf switches of a unit.
        hosts: most endpoints on a leaf.
        full_hosts: endpoints that the uplinks are sized for, where these are more.
        leaf_ratio, spine_ratio: oversubscription (down, up).
        stages: units of the stages before the last, where the fabric grows; among equals those with the fewest switches
            in them are preferred, the first stage first.
        own_cores: every spine index of a pod has cores of its own. OpenSM lets a leaf climb by the first of several
            spines that share a core, so that two flows of a shift meet.
        down_gbps, up_gbps: link rates below and above the leaf.
    """

    units: int
    leaves_per_unit: int
    hosts: int
    down_gbps: int
    up_gbps: int
    leaf_ratio: tuple[int, int] = (1, 1)
    spine_ratio: tuple[int, int] = (1, 1)
    min_spines: int = 2
    stages: tuple[int, ...] = ()
    full_hosts: int = 0
    own_cores: bool = False

    @property
    def leaves(self) -> int:
        """Leaf switches of the plane."""
        return self.units * self.leaves_per_unit

    def fewest_uplinks(self, hosts: int | None = None) -> int:
        """Uplinks that carry the hosts' bandwidth at the asked ratio, and at least one to each of the fewest spines."""
        down, up = self.leaf_ratio
        count = max(self.hosts, self.full_hosts) if hosts is None else hosts
        return max(-(-count * self.down_gbps * up // (down * self.up_gbps)), self.min_spines)


@dataclass(frozen=True)
class Fabric:
    """A feasible fabric of one plane; counts only."""

    tiers: int
    units: int
    leaves: int
    hosts: int
    uplinks: int = 0
    spines: int = 0
    per_pair: int = 0
    pods: int = 1
    pod_kind: str = "whole"
    units_per_pod: int = 0
    leaves_per_pod: int = 0
    spine_uplinks: int = 0
    spines_per_group: int = 1
    cores_per_group: int = 0
    cores: int = 0
    stages: tuple[int, ...] = ()

    @property
    def switches(self) -> int:
        """All switches."""
        return self.leaves + self.spines + self.cores

    @property
    def trunk_links(self) -> int:
        """Links between switches."""
        return self.leaves * self.uplinks + self.spines * self.spine_uplinks


def cost(fabric: Fabric, choose: str) -> tuple[object, ...]:
    """Return the key by which fabrics are ranked: fewest switches (of a fabric that grows: then fewest in its first
    stages), then optical ends (two per trunk link), then ties: more units per pod, even links per pair, more spines per
    leaf."""
    ties = (-fabric.units_per_pod, fabric.per_pair % 2, -(fabric.spines // max(fabric.pods, 1)), fabric.units)
    if choose == "switches":
        return (fabric.switches, fabric.stages, fabric.trunk_links, *ties)
    return (fabric.trunk_links, fabric.switches, fabric.stages, *ties)


@lru_cache(maxsize=4096)
def divisors(number: int) -> tuple[int, ...]:
    """Return the divisors of a positive number in rising order.

    >>> divisors(12)
    (1, 2, 3, 4, 6, 12)
    """
    low = [step for step in range(1, int(number**0.5) + 1) if number % step == 0]
    high = [number // step for step in reversed(low) if step * step != number]
    return (*low, *high)


def smallest_divisor(number: int, at_least: int) -> int | None:
    """Return the smallest divisor of ``number`` that is not below ``at_least``.

    >>> smallest_divisor(32, 12)
    16
    """
    for step in divisors(number):
        if step >= at_least:
            return step
    return None


def two_tiers(demand: Demand, leaf: Box, spine: Box) -> Iterator[Fabric]:
    """Yield the two-tier fabric of every uplink count from the fewest upward.

    Spine ports used = L x b <= R, with b = u / s.
    """
    least = demand.fewest_uplinks()
    for uplinks in range(least, leaf.radix + 1):
        if not leaf.holds(demand.hosts, uplinks):
            break
        needed = max(-(-demand.leaves * uplinks // spine.radix), 1)
        spines = smallest_divisor(uplinks, max(needed, demand.min_spines))
        if spines is None:
            continue
        yield Fabric(
            tiers=2, units=demand.units, leaves=demand.leaves, hosts=demand.hosts, uplinks=uplinks,
            spines=spines, per_pair=uplinks // spines, leaves_per_pod=demand.leaves,
            units_per_pod=demand.units,
        )  # fmt: skip


def three_tiers(demand: Demand, leaf: Box, spine: Box, core: Box, ceiling: int | None) -> Fabric | None:
    """Return the best three-tier fabric for a fixed number of units, or None.

    Args:
        demand: the plane's demand; its units are split into equal pods, either whole units together or, with
            several leaves per unit, the leaves of one rail over several units together.
        leaf, spine, core: port geometry.
        ceiling: a switch count that is already reached; dearer fabrics need not be found.
    """
    best: Fabric | None = None
    for per_pod in divisors(demand.units):
        shapes = [(per_pod * demand.leaves_per_unit, demand.units // per_pod, "units")]
        if demand.leaves_per_unit > 1:
            shapes.append((per_pod, demand.leaves // per_pod, "rails"))
        for leaves_per_pod, pods, kind in shapes:
            for found in equal_pods(demand, leaf, spine, core, leaves_per_pod, pods, ceiling):
                named = replace(found, pod_kind=kind, units_per_pod=per_pod)
                named = replace(named, stages=tuple(standing(named, demand, units) for units in demand.stages))
                if best is None or cost(named, "switches") < cost(best, "switches"):
                    best, ceiling = named, named.switches
    return best


def standing(fabric: Fabric, demand: Demand, units: int) -> int:
    """Return the switches that the first units need: their leaves, their pods, cores if pods must be joined.

    It depends on the final count and the phases alone, so every stage chooses the same final layout.
    """
    rails = demand.leaves_per_unit if fabric.pod_kind == "rails" else 1
    pods = -(-units // fabric.units_per_pod) * rails
    spines = pods * (fabric.spines // fabric.pods)
    return units * demand.leaves_per_unit + spines + (fabric.cores if pods > 1 else 0)


def equal_pods(
    demand: Demand, leaf: Box, spine: Box, core: Box, leaves_per_pod: int, pods: int, ceiling: int | None
) -> Iterator[Fabric]:
    """Yield the three-tier fabrics of so many pods of so many leaves that are no dearer than the ceiling."""
    if pods < 2:
        return
    least = demand.fewest_uplinks()
    down, up = demand.spine_ratio
    for uplinks in range(least, leaf.radix + 1):
        if not leaf.holds(demand.hosts, uplinks):
            break
        for spines in divisors(uplinks):
            if spines < demand.min_spines:
                continue
            per_pair = uplinks // spines
            downlinks = leaves_per_pod * per_pair
            if downlinks >= spine.radix:
                continue
            fewest = -(-downlinks * up // down)
            floor = demand.leaves + pods * spines + -(-pods * spines * fewest // core.radix)
            if ceiling is not None and floor > ceiling:
                continue
            for spine_uplinks in range(fewest, min(fewest + 9, spine.radix - downlinks + 1)):
                if not spine.holds(downlinks, spine_uplinks):
                    break
                grouped = _cores(pods, spines, spine_uplinks, core.radix, demand.own_cores)
                if grouped is None:
                    continue
                spines_per_group, cores_per_group = grouped
                found = Fabric(
                    tiers=3, units=demand.units, leaves=demand.leaves, hosts=demand.hosts, uplinks=uplinks,
                    spines=pods * spines, per_pair=per_pair, pods=pods, leaves_per_pod=leaves_per_pod,
                    spine_uplinks=spine_uplinks, spines_per_group=spines_per_group,
                    cores_per_group=cores_per_group, cores=spines // spines_per_group * cores_per_group,
                )  # fmt: skip
                if ceiling is None or found.switches <= ceiling:
                    yield found


@lru_cache(maxsize=65536)
def _cores(pods: int, spines: int, spine_uplinks: int, radix: int, own: bool) -> tuple[int, int] | None:
    """Return (spine indexes per core group, cores per group) with the fewest cores, or None.

    A core carries pods x m x (us / c) links, which must fit its radix. With ``own`` only m = 1 is taken; where any m
    fits, m = 1 fits too (with c = us).
    """
    best: tuple[int, int] | None = None
    for shared in (1,) if own else divisors(spines):
        cores = smallest_divisor(spine_uplinks, -(-pods * shared * spine_uplinks // radix))
        if cores is None:
            continue
        if best is None or spines // shared * cores < spines // best[0] * best[1]:
            best = (shared, cores)
    return best
