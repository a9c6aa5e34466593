"""Requirement and catalogue in, sized fabric out: counts, candidates and reasons. No link is enumerated.

Order of decision (each step's rule stands beside its code): ports of the nodes (``hosts``), models of the tiers
(``geometry``), units and tiers (``choice``), spines and cores (``clos``), the address space, the findings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError, Problem, RequirementError
from fabricplan.requirement import FabricRequirement, Requirement
from fabricplan.sizing.assemble import assemble
from fabricplan.sizing.boxes import Region, box_places, box_regions, management_ports, uplink_ports
from fabricplan.sizing.choice import best_three_tier, best_two_tier
from fabricplan.sizing.clos import Demand, Fabric, divisors
from fabricplan.sizing.cut import bisection, interim_ratios, ratio
from fabricplan.sizing.domains import FailureDomain, failure_domains
from fabricplan.sizing.geometry import Tiers, fit_cages, resolve_tiers
from fabricplan.sizing.hosts import MANAGEMENT_CLASS, HostPorts, resolve
from fabricplan.sizing.layout import GroupUnits, UnitLayout, node_places, unit_layout
from fabricplan.sizing.limits import fixed_fabric, lid_count, most_nodes, too_large, unit_holds
from fabricplan.sizing.one_tier import direct_pair, leaves_alone, one_switch
from fabricplan.sizing.shape import (
    Candidate,
    FabricSizing,
    GroupPorts,
    ModelVariant,
    NodePort,
    Shape,
    TierPorts,
    UnitRun,
)
from fabricplan.sizing.units import Members, Search, Units, candidate, most_hosts

__all__ = [
    "MANAGEMENT_CLASS", "Candidate", "FabricSizing", "FailureDomain", "GroupPorts", "GroupUnits", "ModelVariant",
    "NodePort", "Region", "Shape", "TierPorts", "UnitLayout", "UnitRun", "bisection", "box_places", "box_regions",
    "failure_domains", "interim_ratios", "node_places", "ratio", "size", "size_all", "unit_layout",
]  # fmt: skip

LID_SPACE = 49_151
"""Unicast local identifiers of an InfiniBand subnet (0x0001 to 0xBFFF)."""


def size_all(requirement: Requirement, catalog: Catalog) -> tuple[FabricSizing, ...]:
    """Size all fabrics of a request.

    The boxes of the in-band fabric take ports of the out-of-band one, whose leaves take ports of the in-band one: both
    are sized in turn until neither changes. The out-of-band leaves never become fewer meanwhile, and each further one
    adds fewer ports than it brings, so this ends: in what order they come follows from their counts.

    Raises:
        RequirementError: a word that the catalogue does not know, or that contradicts another.
        InfeasibleError: no fabric of the asked kind holds the request.
    """
    found: dict[int, FabricSizing] = {}
    managed = [number for number, fabric in enumerate(requirement.fabrics) if fabric.network == "oob"]
    targets = {requirement.uplinks_to(requirement.fabrics[number]) for number in managed}
    for number, fabric in enumerate(requirement.fabrics):
        if number not in managed:
            found[number] = size(requirement, fabric, catalog)
    while managed:
        before = dict(found)
        for number in managed:
            least = before[number].shape.leaf_count if number in before else 0
            known = [item for item in sorted(found.items()) if item[0] != number]
            found[number] = size(requirement, requirement.fabrics[number], catalog, known, least)
        for number, fabric in enumerate(requirement.fabrics):
            if fabric.name in targets:
                found[number] = size(requirement, fabric, catalog, sorted(found.items()))
        if found == before:
            break
    return tuple(found[number] for number in range(len(requirement.fabrics)))


def size(
    requirement: Requirement, fabric: FabricRequirement, catalog: Catalog,
    known: Sequence[tuple[int, FabricSizing]] = (), least_leaves: int = 0,
) -> FabricSizing:  # fmt: skip
    """Size one fabric of a request.

    Args:
        requirement: the whole request (for its groups).
        fabric: one of its fabrics.
        catalog: the product catalogue.
        known: number and sizing of other fabrics, whose switches may be endpoints of this one.
        least_leaves: leaves that a fabric without spines has at least.

    Returns:
        The sized fabric, with every candidate that was weighed.

    Raises:
        RequirementError: a word that the catalogue does not know, or that contradicts another.
        InfeasibleError: no fabric of the asked kind holds the request; the problem names the limit, the nearest
            count that fits, and the ways out with their switch counts.
    """
    where = f"fabrics[{requirement.fabrics.index(fabric)}]"
    if fabric.rule is None:
        raise RequirementError(Problem("needs-prices", "choose: price needs a price book", f"{where}.choose",
                                       "give --prices BOOK (in the library: design_by_price)"))  # fmt: skip
    tiers = resolve_tiers(fabric, where, catalog)
    hosts = [resolve(requirement, fabric, item, catalog) for item in requirement.attachments(fabric)]
    hosts += management_ports(requirement, fabric, known, catalog) + uplink_ports(fabric, known, catalog)
    tiers = fit_cages(tiers, fabric, [host.port_class for host in hosts], catalog)
    planes, rail_planes = _planes(fabric, hosts, where)
    _rails_divide(fabric, hosts[: len(requirement.attachments(fabric))], planes, where)
    director = tiers.leaf.switch.inside is not None
    ruled = fabric.model_copy(update={"choose": fabric.rule, "price_favours": None,
                                      "tiers": 1 if director else fabric.tiers})  # fmt: skip
    search = _search(ruled, tiers, hosts, planes, rail_planes, least_leaves)
    if director:
        fixed = fabric.model_copy(update={"choose": fabric.rule, "price_favours": None, "leaf": None})
        others = fit_cages(resolve_tiers(fixed, where, catalog), fixed, [host.port_class for host in hosts], catalog)
        beside = _search(fixed, others, hosts, planes, rail_planes)
        if one_switch(search) is None:
            raise too_large(search, where, beside)
        _note_fixed(search, beside)
    found, units = _choose(search, hosts, where)
    return assemble(fabric, catalog, search, hosts, found, units, rail_planes, where, requirement.uplinks_to(fabric))


def _note_fixed(search: Search, beside: Search) -> None:
    """Note what the fixed switches of the rate would come to: a director is taken because it is named."""
    found = fixed_fabric(beside)
    if found is not None:
        search.fell("fixed-switches", found, "director-named", model=beside.tiers.leaf.switch.model,
                    director=search.tiers.leaf.switch.model)  # fmt: skip


def _planes(fabric: FabricRequirement, hosts: Sequence[HostPorts], where: str) -> tuple[int, bool]:
    if fabric.planes == "rail":
        counts = {len(host.rails) for host in hosts}
        if len(counts) > 1:
            raise RequirementError(Problem("planes", "rail planes need groups with equally many ports",
                                           f"{where}.planes", "give the groups fabrics of their own"))  # fmt: skip
        return counts.pop(), True
    for host in hosts:
        if len(host.rails) % fabric.planes:
            raise RequirementError(Problem(
                "planes", f"{fabric.planes} planes do not divide the {len(host.rails)} ports of a {host.group}",
                f"{where}.planes", f"choose a divisor of {len(host.rails)}"))  # fmt: skip
    return fabric.planes, False


def _rails_divide(fabric: FabricRequirement, hosts: Sequence[HostPorts], planes: int, where: str) -> None:
    """Make sure that the rails that share a leaf divide the ports of every node: the last leaf of a unit would have
    fewer endpoints than its uplinks are dealt for."""
    rails = fabric.rails_per_leaf
    counts = [len(host.rails) // planes for host in hosts]
    wrong = [number for number, ports in enumerate(counts) if rails and ports % rails]
    if not wrong:
        return
    ports = counts[wrong[0]]
    known = ", ".join(str(step) for step in divisors(math.gcd(*counts)))
    plane = " in a plane" if planes > 1 else ""
    raise RequirementError(Problem(
        "rails-per-leaf", f"{rails} rails on a leaf do not divide the {ports} port{'s' if ports > 1 else ''} of a "
        f"{hosts[wrong[0]].group}{plane}", f"{where}.rails_per_leaf", f"choose {known}",
        (("rails", rails or 0), ("ports", ports), ("group", hosts[wrong[0]].group), ("known", known))))  # fmt: skip


def _search(
    fabric: FabricRequirement, tiers: Tiers, hosts: Sequence[HostPorts], planes: int, rail_planes: bool,
    least_leaves: int = 0,
) -> Search:  # fmt: skip
    members = tuple(
        Members(
            group=host.group,
            nodes=host.nodes_final,
            ports=len(host.rails) // planes,
            rack_nodes=host.rack_nodes,
            grows=host.grows,
            comes=host.comes,
        )
        for host in hosts
    )
    single = all(member.ports == 1 for member in members)
    boxed = tiers.leaf.switch.inside is not None
    other = "packed" if boxed else "spread"
    attach = fabric.attach or ("packed" if single else "rail" if fabric.network == "compute" else other)
    alike = len({member.ports for member in members}) == 1
    alone = fabric.network == "oob"
    return Search(
        fabric=fabric, tiers=tiers, planes=planes, members=members,
        packed=attach == "packed" or single, spread=attach == "spread" and not single,
        grows=any(host.grows for host in hosts), phases=tuple(host.phases for host in hosts),
        reserve=-(-(fabric.reserve_ports + fabric.extra_ports) // planes), rails_per_leaf=fabric.rails_per_leaf,
        pooled=alone or (fabric.network != "compute" and alike and len(members) > 1 and attach != "rail"),
        uplinks_per_leaf=fabric.uplinks_per_leaf if alone else 0, least_leaves=least_leaves,
    )  # fmt: skip


def _choose(search: Search, hosts: Sequence[HostPorts], where: str) -> tuple[Fabric, Units]:
    asked = search.fabric.tiers
    if search.uplinks_per_leaf:
        alone = leaves_alone(search)
        if alone is None:
            raise too_large(search, where)
        return alone
    if search.fabric.direct_pair:
        pair = direct_pair(search)
        if pair is None or search.grows:
            raise _no_pair(search, where)
        return pair
    if asked in (None, 1):
        single = one_switch(search)
        if single is not None:
            per_leaf = tuple(member.ports for member in search.members)
            ones = tuple(1 for _ in search.members)
            return single, Units(ones, tuple(member.nodes for member in search.members), per_leaf, ones,
                                 search.endpoints)  # fmt: skip
    unit_holds(search, where)
    found: tuple[Fabric, Units] | None = None
    if search.fabric.technology == "infiniband" and search.endpoints + search.reserve > LID_SPACE:
        raise _no_addresses(search, search.endpoints + search.reserve, 0, hosts, where)
    if asked in (None, 2):
        found = best_two_tier(search)
    if found is None and asked in (None, 3):
        found = best_three_tier(search)
    if found is None:
        raise too_large(search, where)
    if search.fabric.technology == "infiniband" and lid_count(search, found[0]) > LID_SPACE:
        raise _no_addresses(search, lid_count(search, found[0]), found[0].switches, hosts, where)
    _alternatives(search, found[0], hosts)
    return found


def _no_pair(search: Search, where: str) -> InfeasibleError:
    """Return the error of a direct pair that does not hold the request."""
    probe = Demand(1, 1, 1, search.tiers.link_gbps, search.tiers.uplink_gbps, search.ratios[0], min_spines=1)
    most, asked = 2 * most_hosts(search.tiers.leaf.box, probe), search.fabric.oversubscription[0]
    return InfeasibleError(Problem(
        "direct-pair", f"two {search.tiers.leaf.switch.model} joined at {asked} hold {most} endpoints of nodes with "
        f"equally many, evenly dealt ports, and do not grow; {search.endpoints + search.reserve} are asked",
        f"{where}.direct_pair", "take leaves and spines, or a higher --oversubscription"))  # fmt: skip


def _no_addresses(search: Search, used: int, switches: int, hosts: Sequence[HostPorts], where: str) -> InfeasibleError:
    """Return the error of a subnet that needs more addresses than there are, with the ways out."""
    ways = []
    ports = len(hosts[0].rails)
    if len(hosts) == 1:
        most = most_nodes(search, LID_SPACE)
        ways += [f"at most {most:,} nodes of this kind"] if most else []
    if search.planes == 1 and ports > 1 and len(hosts) == 1:
        fewer = [count for count in divisors(ports)[1:-1] if ports // count % (search.fabric.rails_per_leaf or 1) == 0]
        whole = (_in_planes(search, hosts, count, False) for count in fewer)
        ways += [way for way in (next(filter(None, whole), ""), _in_planes(search, hosts, ports, True)) if way]
    ways.append("split the cluster into subnets joined by an InfiniBand router")
    hint = "; or ".join(ways)
    counted = f"{search.endpoints:,} endpoints" + (f", {switches:,} switches" if switches else " alone")
    return InfeasibleError(Problem(
        "lid-space", f"one InfiniBand subnet has {LID_SPACE:,} addresses, {used:,} are needed ({counted})",
        f"{where}.planes", hint))  # fmt: skip


def _in_planes(search: Search, hosts: Sequence[HostPorts], planes: int, rail: bool) -> str:
    """Return what so many planes come to; empty where their subnets have too few addresses as well."""
    update: dict[str, object] = {"planes": planes}
    if rail:
        update = {"planes": "rail", "attach": None, "rails_per_leaf": None}
    trial = _search(search.fabric.model_copy(update=update), search.tiers, hosts, planes, rail)
    found = best_two_tier(trial) or best_three_tier(trial)
    if found is None or lid_count(trial, found[0]) > LID_SPACE:
        return ""
    one = found[0]
    return (f"--planes {'rail' if rail else planes}: {planes} x ({one.leaves}+{one.spines}+{one.cores}) = "
            f"{planes * one.switches:,} switches, {lid_count(trial, one):,} addresses in each plane")  # fmt: skip


def _alternatives(search: Search, found: Fabric, hosts: Sequence[HostPorts]) -> None:
    """Weigh rail planes where three tiers are needed, and whole-node leaves where rails are used."""
    ports = len(hosts[0].rails)
    if found.tiers == 3 and search.planes == 1 and not search.packed and not search.spread and len(hosts) == 1:
        alternative = search.fabric.model_copy(update={"planes": "rail", "attach": None, "rails_per_leaf": None})
        rails = _search(alternative, search.tiers, hosts, ports, True)
        plane = best_two_tier(rails) or best_three_tier(rails)
        if plane is not None:
            search.fallen.append(candidate("planes-rail", plane[0], ports, False, "rail-planes", plane_count=ports,
                                           switches=plane[0].switches * ports))  # fmt: skip
    if found.tiers == 2 and not search.packed and not search.spread and search.members[0].ports > 1:
        alternative = search.fabric.model_copy(update={"attach": "packed", "rails_per_leaf": None})
        packed = _search(alternative, search.tiers, hosts, search.planes, False)
        plane = best_two_tier(packed)
        if plane is not None and plane[0].switches < found.switches:
            search.fell("attach-packed", plane[0], "rails-collide", flows=search.members[0].ports)
