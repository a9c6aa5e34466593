"""Units, tiers and the choice among feasible fabrics of one plane, with the reasons why the others fell."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from fabricplan.requirement import FabricRequirement, ratio_parts
from fabricplan.sizing.clos import Box, Demand, Fabric, cost, three_tiers, two_tiers
from fabricplan.sizing.geometry import Tiers
from fabricplan.sizing.shape import Candidate
from fabricplan.values import Param


@dataclass(frozen=True)
class Members:
    """The nodes of one group as one plane sees them."""

    group: str
    nodes: int
    ports: int
    rack_nodes: int


@dataclass
class Search:
    """One plane's search: what is asked, what was found, what fell. Lives inside one call of ``size``."""

    fabric: FabricRequirement
    tiers: Tiers
    planes: int
    members: tuple[Members, ...]
    packed: bool
    spread: bool
    grows: bool
    reserve: int
    rails_per_leaf: int | None
    fallen: list[Candidate] = field(default_factory=list)

    @property
    def endpoints(self) -> int:
        """Endpoints of the plane."""
        return sum(member.nodes * member.ports for member in self.members)

    @property
    def ratios(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Oversubscription of leaf and spine tier."""
        asked = [ratio_parts(ratio) for ratio in self.fabric.oversubscription]
        return asked[0], (asked[1] if len(asked) > 1 else (1, 1))

    def fell(self, label: str, found: Fabric | None, reason: str, **params: int | str) -> None:
        """Note an alternative that was not taken."""
        self.fallen.append(candidate(label, found, self.planes, False, reason, **params))


@dataclass(frozen=True)
class Units:
    """How many units each group has and the nodes of the larger ones; hosts = most endpoints on a leaf."""

    counts: tuple[int, ...]
    nodes: tuple[int, ...]
    rails_per_leaf: tuple[int, ...]
    leaves_per_unit: tuple[int, ...]
    hosts: int

    @property
    def units(self) -> int:
        """Units of all groups."""
        return sum(self.counts)

    @property
    def leaves(self) -> int:
        """Leaves of all groups."""
        return sum(c * g for c, g in zip(self.counts, self.leaves_per_unit, strict=True))


def candidate(
    label: str, found: Fabric | None, planes: int, chosen: bool, reason: str, **params: int | str
) -> Candidate:
    """Return a candidate row; counts are over all planes."""
    optics = found.trunk_links * 2 * planes if found else 0
    return Candidate(
        label=label, tiers=found.tiers if found else 0, leaf_count=found.leaves * planes if found else 0,
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


def one_switch(search: Search) -> Fabric | None:
    """Return the single switch of the plane if everything fits one."""
    box = search.tiers.leaf.box
    ports = box.cages * box.down_per_cage
    if search.spread and any(member.ports > 1 for member in search.members):
        search.fell("one switch", None, "spread-needs-leaves")
        return None
    needed = search.endpoints + search.reserve
    if needed > ports:
        search.fell("one switch", None, "one-switch-too-small", needed=needed, ports=ports,
                    model=search.tiers.leaf.switch.model)  # fmt: skip
        return None
    return Fabric(tiers=1, units=1, leaves=1, hosts=search.endpoints)


def demand_of(search: Search, units: Units) -> Demand:
    """Return the arithmetic demand of a division into units."""
    leaf_ratio, spine_ratio = search.ratios
    return Demand(
        units=units.units, leaves_per_unit=units.leaves_per_unit[0], hosts=units.hosts,
        down_gbps=search.tiers.link_gbps, up_gbps=search.tiers.uplink_gbps, leaf_ratio=leaf_ratio,
        spine_ratio=spine_ratio, min_spines=search.fabric.min_spines,
        grows=search.grows,
    )  # fmt: skip


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
            rails = per_node = max(roomy or fitting)
        counts.append(count)
        nodes.append(each)
        shared.append(member.ports if search.packed else rails)
        leaves.append(1 if search.packed else -(-member.ports // rails))
        hosts = max(hosts, each * per_node)
    return Units(tuple(counts), tuple(nodes), tuple(shared), tuple(leaves), hosts)


def per_unit(member: Members, count: int) -> int:
    """Return the nodes of the larger units when a group is spread over ``count`` units (whole racks stay)."""
    step = member.rack_nodes or 1
    if step > 1 and -(-member.nodes // step) >= count:
        racks = -(-member.nodes // step)
        return -(-racks // count) * step
    return -(-member.nodes // count)


def holds_reserved(search: Search, units: Units, uplinks: int) -> bool:
    """Tell whether the reserved ports find leaves with a free port below the uplinks.

    In a fabric that grows they take leaves of the first unit, which stands from the first day, and is full in the end.
    """
    if search.reserve == 0:
        return True
    box = search.tiers.leaf.box
    if box.holds(units.hosts + 1, uplinks):
        spare = box.up_first(units.hosts + 1, uplinks) * box.down_per_cage - units.hosts
        return search.reserve <= spare * (units.leaves_per_unit[0] if search.grows else units.leaves)
    if search.grows:
        return False
    free = 0
    capacity = box.up_first(units.hosts, uplinks) * box.down_per_cage
    for member, count, leaves, shared in zip(
        search.members, units.counts, units.leaves_per_unit, units.rails_per_leaf, strict=True
    ):
        for size, how_many in unit_sizes(member, count):
            free += max(capacity - size * shared, 0) * how_many * leaves
    return search.reserve <= free


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


def best_two_tier(search: Search) -> tuple[Fabric, Units] | None:
    """Return the best two-tier fabric of the plane, and note the unit, uplink and spine counts that fell.

    A further unit costs leaves but may save more spines: 275 nodes on 64-port switches are 9 + 8 with 32 uplinks,
    which five spines do not divide, against 10 + 5 with 30.
    """
    spine, choose = search.tiers.spine.box, search.fabric.choose
    best: tuple[Fabric, Units] | None = None
    others: list[Fabric] = []
    for extra in range(0, 9):
        units = divide(search, extra)
        if units is None:
            if best is None:
                search.fell("two tiers", None, "leaf-too-small", model=search.tiers.leaf.switch.model)
            break
        demand = demand_of(search, units)
        if units.leaves > spine.radix:
            if best is None:
                search.fell("two tiers", None, "two-tier-limit", leaves=units.leaves, radix=spine.radix,
                            limit=spine.radix * most_hosts(search.tiers.leaf.box, demand))  # fmt: skip
            break
        if best is not None and choose == "switches" and units.leaves >= best[0].switches:
            break
        if len(set(units.leaves_per_unit)) > 1:
            demand = Demand(units.leaves, 1, units.hosts, demand.down_gbps, demand.up_gbps, demand.leaf_ratio,
                            demand.spine_ratio, demand.min_spines)  # fmt: skip
        found = list(two_tiers(demand, search.tiers.leaf.box, spine))
        usable = [item for item in found if holds_reserved(search, units, item.uplinks)]
        if not usable:
            search.fell(f"{units.units} units", min(found, key=lambda f: cost(f, "switches")) if found else None,
                        "no-port-to-reserve" if found else "no-even-spines", reserve=search.reserve)  # fmt: skip
            continue
        usable.sort(key=lambda item: cost(item, choose))
        if best is None or cost(usable[0], choose) < cost(best[0], choose):
            if best is not None:
                search.fell(f"{best[1].units} units", best[0], _worse(best[0], usable[0]),
                            switches=best[0].switches * search.planes)  # fmt: skip
            best, others = (usable[0], units), usable[1:3]
    if best is None:
        return None
    _note_spines(search, best[0], spine)
    for other in others:
        search.fell(f"{other.uplinks} uplinks per leaf", other, _worse(other, best[0]),
                    switches=other.switches * search.planes)  # fmt: skip
    return best


def _worse(fallen: Fabric, best: Fabric) -> str:
    return "more-switches" if fallen.switches > best.switches else "more-optics"


def _note_spines(search: Search, best: Fabric, spine: Box) -> None:
    """Note every smaller spine count that fits by ports but not evenly: the commonest mistake of planners."""
    needed = -(-best.leaves * best.uplinks // spine.radix)
    for spines in range(max(needed, search.fabric.min_spines, 1), best.spines):
        used = best.uplinks // spines * spines
        down, up = best.hosts * search.tiers.link_gbps, used * search.tiers.uplink_gbps
        shrink = math.gcd(down, up) or 1
        search.fallen.append(Candidate(
            label=f"{spines * search.planes} spines", tiers=2, leaf_count=best.leaves * search.planes,
            spine_count=spines * search.planes, core_count=0, uplinks=best.uplinks,
            reason="uplinks-not-divisible",
            params=(Param(name="spines", value=spines), Param(name="uplinks", value=best.uplinks),
                    Param(name="used", value=used), Param(name="chosen", value=best.spines),
                    Param(name="ratio", value=f"{down // shrink}:{up // shrink}"))))  # fmt: skip


def best_three_tier(search: Search) -> tuple[Fabric, Units] | None:
    """Return the best three-tier fabric of the plane over the fewest units and some more of them."""
    best: tuple[Fabric, Units] | None = None
    first = divide(search, 0)
    if first is None:
        return None
    box = search.tiers.leaf.box
    for extra in range(0, max(9, first.units // 16)):
        units = divide(search, extra)
        if units is None or len(set(units.leaves_per_unit)) > 1:
            break
        if units.leaves_per_unit != first.leaves_per_unit:
            continue
        demand = demand_of(search, units)
        if best is not None and units.leaves * 2 > best[0].switches:
            break
        ceiling = best[0].switches if best else None
        found = three_tiers(demand, box, search.tiers.spine.box, search.tiers.core.box, ceiling)
        if found is None or not holds_reserved(search, units, found.uplinks):
            continue
        if best is None or cost(found, search.fabric.choose) < cost(best[0], search.fabric.choose):
            if best is not None:
                search.fell(f"{best[1].units} units", best[0], "more-switches", switches=found.switches)
            best = (found, units)
    return best
