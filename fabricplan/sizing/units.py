"""One plane's search as a value, and the division of its nodes into scalable units."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import numpy as np

from fabricplan.requirement import FabricRequirement, ratio_parts
from fabricplan.sizing.clos import Box, Demand, Fabric
from fabricplan.sizing.geometry import Tiers
from fabricplan.sizing.shape import Candidate
from fabricplan.values import IntArray, Param

MILLION = 1_000_000


@dataclass(frozen=True)
class Members:
    """The nodes of one group as one plane sees them; ``grows`` and ``comes`` as of ``HostPorts``."""

    group: str
    nodes: int
    ports: int
    rack_nodes: int
    grows: bool = False
    comes: tuple[int, ...] = ()

    def arrivals(self) -> IntArray:
        """Return the share of the growth (in millionths) after which each of them stands."""
        if len(self.comes) == self.nodes:
            return np.array(self.comes, np.int64)
        return np.arange(self.nodes) * MILLION // self.nodes * self.grows


@dataclass
class Search:
    """One plane's search: what is asked, what was found, what fell. Lives inside one call of ``size``.

    ``pooled``: all groups share all units. ``uplinks_per_leaf`` and ``least_leaves`` are of a fabric of leaves alone,
    whose uplinks end elsewhere.
    """

    fabric: FabricRequirement
    tiers: Tiers
    planes: int
    members: tuple[Members, ...]
    packed: bool
    spread: bool
    grows: bool
    phases: tuple[tuple[int, ...], ...]
    reserve: int
    rails_per_leaf: int | None
    pooled: bool = False
    uplinks_per_leaf: int = 0
    least_leaves: int = 0
    fallen: list[Candidate] = field(default_factory=list)

    @property
    def endpoints(self) -> int:
        """Endpoints of the plane."""
        return sum(member.nodes * member.ports for member in self.members)

    @property
    def fills(self) -> bool:
        """Whether units that all groups share are filled in the order in which members come, so that today's stand on
        few leaves. Storage servers gather on the first leaves then, which only costs nothing at 1:1."""
        calm = self.fabric.network in ("inband", "oob") or self.ratios[0] == (1, 1)
        return self.pooled and self.grows and calm

    @property
    def ratios(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Oversubscription of leaf and spine tier."""
        asked = [ratio_parts(ratio) for ratio in self.fabric.oversubscription]
        return asked[0], (asked[1] if len(asked) > 1 else (1, 1))

    def fell(
        self, option: str, found: Fabric | None, reason: str, count: int | None = None, **params: int | str
    ) -> None:
        """Note an alternative that was not taken."""
        row = candidate(option, found, self.planes, False, reason, **params)
        self.fallen.append(row.model_copy(update={"count": count}))


@dataclass(frozen=True)
class Units:
    """How many units each group has and the nodes of the larger ones; hosts = most endpoints on a leaf."""

    counts: tuple[int, ...]
    nodes: tuple[int, ...]
    rails_per_leaf: tuple[int, ...]
    leaves_per_unit: tuple[int, ...]
    hosts: int
    pooled: bool = False
    manager_leaves: int = 0

    @property
    def units(self) -> int:
        """Units of all groups."""
        return self.counts[0] if self.pooled else sum(self.counts)

    @property
    def leaves(self) -> int:
        """Leaves of all groups, and those that hold reserved ports alone."""
        if self.pooled:
            return self.counts[0] * self.leaves_per_unit[0]
        return self.manager_leaves + sum(c * g for c, g in zip(self.counts, self.leaves_per_unit, strict=True))


def candidate(
    option: str, found: Fabric | None, planes: int, chosen: bool, reason: str, **params: int | str
) -> Candidate:
    """Return a candidate row; counts are over all planes."""
    optics = found.trunk_links * 2 * planes if found else 0
    return Candidate(
        option=option, tiers=found.tiers if found else 0, leaf_count=found.leaves * planes if found else 0,
        spine_count=found.spines * planes if found else 0, core_count=found.cores * planes if found else 0,
        uplinks=found.uplinks if found else 0, links_per_pair=found.per_pair if found else 0,
        optical_end_count=optics, cable_count=optics // 2, chosen=chosen, reason=reason,
        params=tuple(Param(name=name, value=value) for name, value in params.items()),
    )  # fmt: skip


def most_hosts(box: Box, demand: Demand) -> int:
    """Return the most endpoints a leaf can hold together with the uplinks they need at the asked ratio."""
    top = box.cages * box.down_per_cage
    for hosts in range(top, 0, -1):
        if box.holds(hosts, demand.fewest_uplinks(hosts)):
            return hosts
    return 0


def demand_of(search: Search, units: Units) -> Demand:
    """Return the arithmetic demand of a division into units."""
    leaf_ratio, spine_ratio = search.ratios
    full = 0
    if search.fabric.uplinks == "full":
        probe = Demand(1, 1, 1, search.tiers.link_gbps, search.tiers.uplink_gbps, leaf_ratio,
                       min_spines=search.fabric.min_spines)  # fmt: skip
        full = most_hosts(search.tiers.leaf.box, probe)
    return Demand(
        full_hosts=full, units=units.units, leaves_per_unit=units.leaves_per_unit[0], hosts=units.hosts,
        down_gbps=search.tiers.link_gbps, up_gbps=search.tiers.uplink_gbps, leaf_ratio=leaf_ratio,
        spine_ratio=spine_ratio, min_spines=search.fabric.min_spines,
        stages=_stages(search, units), own_cores=search.fabric.technology == "infiniband",
    )  # fmt: skip


def _stages(search: Search, units: Units) -> tuple[int, ...]:
    """Return the units that stand at each stage before the last; where only the final size is known, the first unit."""
    if not search.grows:
        return ()
    if units.pooled or not any(search.phases):
        return (1,)
    steps = max(len(phases) for phases in search.phases)
    found = [0] * steps
    for member, count, phases in zip(search.members, units.counts, search.phases, strict=True):
        ends: list[int] = []
        for size, how_many in sizes_of(search, member, count):
            ends += [(ends[-1] if ends else 0) + size * (unit + 1) for unit in range(how_many)]
        for step in range(steps):
            nodes = phases[min(step, len(phases) - 1)] if phases else member.nodes
            found[step] += bisect_left(ends, nodes) + 1
    return tuple(found)


def divide(search: Search, extra: int) -> Units | None:
    """Divide every group's nodes into the fewest units (plus ``extra`` for the first group), evenly.

    Returns:
        The units, or None if a leaf cannot hold one node.
    """
    box = search.tiers.leaf.box
    leaf_ratio, _ = search.ratios
    probe = Demand(1, 1, 1, search.tiers.link_gbps, search.tiers.uplink_gbps, leaf_ratio,
                   min_spines=search.fabric.min_spines)  # fmt: skip
    most = most_hosts(box, probe)
    if search.pooled:
        return _pool(search, most, extra)
    counts, nodes, shared, leaves = [], [], [], []
    hosts = 0
    for position, member in enumerate(search.members):
        rails = 1 if search.packed else (search.rails_per_leaf or 1)
        rails = min(rails, member.ports)
        per_node = member.ports if search.packed else rails
        largest = most // per_node
        if search.fabric.nodes_per_unit:
            largest = min(largest, search.fabric.nodes_per_unit)
        if member.rack_nodes and largest >= member.rack_nodes:
            largest -= largest % member.rack_nodes
        if largest < 1:
            return None
        count = -(-member.nodes // largest) + (extra if position == 0 else 0)
        if count > member.nodes:
            return None
        each = per_unit(member, count)
        if count == 1 and not search.packed and not search.spread and search.rails_per_leaf is None:
            fitting = [q for q in range(1, member.ports + 1) if member.ports % q == 0 and q * each <= most]
            roomy = [q for q in fitting if (most - q * each) * (member.ports // q) >= search.reserve]
            joining = [q for q in roomy or fitting if q < member.ports or len(search.members) > 1]
            rails = per_node = max(joining or fitting)  # one leaf alone would leave the spines nothing to join
        counts.append(count)
        nodes.append(each)
        shared.append(member.ports if search.packed else rails)
        leaves.append(1 if search.packed else -(-member.ports // rails))
        hosts = max(hosts, each * per_node)
    if len(set(shared)) > 1 and not search.packed and search.rails_per_leaf is None:
        return divide(replace(search, rails_per_leaf=1), extra)  # one number per fabric: rails share leaves alike
    return Units(tuple(counts), tuple(nodes), tuple(shared), tuple(leaves), hosts)


def divisions(search: Search) -> Iterator[tuple[int, tuple[Units, ...]]]:
    """Yield how many further units there are, and the divisions into so many, from the fewest on: one each, but of a
    single unit of rails one for every number of rails on a leaf, that of the rule first. It ends where a leaf holds no
    node, or there are no more nodes to divide."""
    extra = 0
    while (units := divide(search, extra)) is not None:
        found = [units]
        free = len(search.members) == 1 and not (search.packed or search.spread or search.rails_per_leaf)
        if free and units.counts == (1,):
            ports = search.members[0].ports
            for rails in (q for q in range(ports, 0, -1) if ports % q == 0 and (q,) != units.rails_per_leaf):
                other = divide(replace(search, rails_per_leaf=rails), 0)
                found += [other] if other is not None and other.counts == (1,) else []
        yield extra, tuple(found)
        extra += 1


def whole_pods(search: Search, units: Units, leaves: int) -> Units | None:
    """Return the division with each group's units filled up to whole pods of so many leaves, nodes spread evenly anew;
    None where a group has too few nodes::

        leaves of a pod   4         4         4
                          2+2 | 2+2      1+1+1+1      units of two leaves, units of one: no pod holds both
    """
    counts, nodes = [], []
    for member, count, each in zip(search.members, units.counts, units.leaves_per_unit, strict=True):
        step = leaves // each
        whole = -(-count // step) * step
        if whole > -(-member.nodes // (member.rack_nodes or 1)):
            return None
        counts.append(whole)
        nodes.append(per_unit(member, whole))
    hosts = max(each * (member.ports if search.packed else shared)
                for member, each, shared in zip(search.members, nodes, units.rails_per_leaf, strict=True))  # fmt: skip
    return replace(units, counts=tuple(counts), nodes=tuple(nodes), hosts=hosts)


def _pool(search: Search, most: int, extra: int) -> Units | None:
    """Divide the members of all groups over the fewest common units (plus ``extra``)."""
    per_node = search.members[0].ports if search.packed else 1
    largest = min(most // per_node, search.fabric.nodes_per_unit or most)
    total = sum(member.nodes for member in search.members)
    if largest < 1 or -(-total // largest) + extra > total:
        return None
    return common_units(search, -(-total // largest) + extra)


def common_units(search: Search, count: int) -> Units:
    """Return ``count`` units that all groups share; members are dealt in turn, so loads differ by one member."""
    ports, members = search.members[0].ports, search.members
    per_node, leaves = (ports, 1) if search.packed else (1, ports)
    total = sum(member.nodes for member in members)
    several = len(members)
    return Units(
        counts=(count,) * several, nodes=tuple(-(-member.nodes // count) for member in members),
        rails_per_leaf=(per_node,) * several, leaves_per_unit=(leaves,) * several,
        hosts=-(-total // count) * per_node, pooled=True,
    )  # fmt: skip


def pooled_sizes(members: Sequence[Members], count: int) -> list[tuple[tuple[int, int], ...]]:
    """Return for each group (members, units) runs over all common units; the larger shares begin where the group
    before ended.

    >>> pooled_sizes([Members("a", 5, 1, 0), Members("b", 4, 1, 0)], 3)
    [((2, 2), (1, 1)), ((1, 2), (2, 1))]
    """
    found, start = [], 0
    for member in members:
        base, more = divmod(member.nodes, count)
        shares = [base + ((unit - start) % count < more) for unit in range(count)]
        start = (start + more) % count
        found.append(tuple((size, len(list(run))) for size, run in groupby(shares)))
    return found


def filled_sizes(search: Search, units: Units, capacity: int) -> list[tuple[tuple[int, int], ...]]:
    """Return the same where the fabric grows: units are filled one after the other by whoever comes first.

    Args:
        search: the plane; on leaves without uplinks into spines, reserved ports take the first places.
        units: the division.
        capacity: members that fill a unit.
    """
    taken = search.reserve if search.uplinks_per_leaf else 0
    arrivals = [member.arrivals() for member in search.members]
    order = np.argsort(np.concatenate(arrivals), kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(order.size) + taken
    full = -(-(order.size + taken) // capacity) == units.units
    base, more = (capacity, 0) if full else divmod(order.size + taken, units.units)
    sizes = np.full(units.units, base)
    sizes[:more] += 1
    unit = np.searchsorted(np.cumsum(sizes), place, side="right")
    ends = np.cumsum([arrival.size for arrival in arrivals])
    shares = [np.bincount(mine, minlength=units.units).tolist() for mine in np.split(unit, ends[:-1])]
    return [tuple((size, len(list(run))) for size, run in groupby(share)) for share in shares]


def per_unit(member: Members, count: int) -> int:
    """Return the nodes of the larger units when a group is spread over ``count`` units (whole racks stay)."""
    step = member.rack_nodes or 1
    if step > 1 and -(-member.nodes // step) >= count:
        racks = -(-member.nodes // step)
        return -(-racks // count) * step
    return -(-member.nodes // count)


def down_ports(search: Search, units: Units, uplinks: int) -> int | None:
    """Return how many ports a leaf has below its uplinks, so that its nodes and the reserved ports find room: one more
    than the nodes take, as many more as the reserved ports need, or as many as the nodes take where that is enough.

    In a fabric that grows they take leaves of the first unit, which stands from the first day, and is full in the end.

    Returns:
        The ports; None where the reserved ports find no room.
    """
    box, hosts = search.tiers.leaf.box, units.hosts
    if search.reserve == 0:
        return hosts
    if search.grows:
        loads = [(_first_hosts(search, units), units.leaves_per_unit[0])]
    else:
        loads = _leaf_loads(search, units)
    further = range(hosts + 1, box.cages * box.down_per_cage + 1)
    tried: tuple[int, ...] = (hosts,) if units.manager_leaves else (*further, hosts)
    for down in tried:
        if box.holds(down, uplinks):
            capacity = box.up_first(down, uplinks) * box.down_per_cage
            if sum(max(capacity - load, 0) * count for load, count in loads) >= search.reserve:
                return down
    return None


def _first_hosts(search: Search, units: Units) -> int:
    """Return the most endpoints on a leaf of the first unit, once it is full."""
    if units.pooled or len(search.members) > 1:
        return units.hosts
    (size, _), *_ = sizes_of(search, search.members[0], units.counts[0])
    return size * units.rails_per_leaf[0]


def _leaf_loads(search: Search, units: Units) -> list[tuple[int, int]]:
    """Return (endpoints, leaves) runs of the final stage."""
    if units.pooled:
        most = units.hosts // (units.rails_per_leaf[0] or 1)
        total = sum(member.nodes for member in search.members)
        short = most * units.counts[0] - total
        each, leaves = units.rails_per_leaf[0], units.leaves_per_unit[0]
        return [(most * each, (units.counts[0] - short) * leaves), ((most - 1) * each, short * leaves)]
    found = [(size * shared, how_many * leaves)
             for member, count, leaves, shared in zip(search.members, units.counts, units.leaves_per_unit,
                                                      units.rails_per_leaf, strict=True)
             for size, how_many in sizes_of(search, member, count)]  # fmt: skip
    return [*found, (0, units.manager_leaves)]


def sizes_of(search: Search, member: Members, count: int) -> tuple[tuple[int, int], ...]:
    """Return (nodes, units) runs of an even division: the larger units first; in a fabric that grows and keeps ports
    for managers the smaller first, because only what stands from the first day has room for them."""
    runs = unit_sizes(member, count)
    return runs[::-1] if search.grows and search.reserve else runs


def unit_sizes(member: Members, count: int) -> tuple[tuple[int, int], ...]:
    """Return (nodes, units) runs of an even division, larger units first; whole racks where they bind."""
    step = member.rack_nodes or 1
    racks = -(-member.nodes // step)
    if step == 1 or racks < count:
        base, more = divmod(member.nodes, count)
        runs = [(base + 1, more), (base, count - more)]
    else:
        base, more = divmod(racks, count)
        runs = [((base + 1) * step, more), (base * step, count - more)]
        short = racks * step - member.nodes
        if short:
            size, how_many = runs[1]
            runs = [runs[0], (size, how_many - 1), (size - short, 1)]
    return tuple((size, how_many) for size, how_many in runs if how_many and size)
