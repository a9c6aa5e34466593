"""Requirement and catalogue in, sized fabric out: counts, candidates and reasons. No link is enumerated.

Order of decision (each step's rule stands beside its code): ports of the nodes (``hosts``), models of the tiers
(``geometry``), units and tiers (``choice``), spines and cores (``clos``), the address space, the findings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from fabricplan.catalog import Catalog, SwitchType
from fabricplan.errors import InfeasibleError, Problem, RequirementError
from fabricplan.requirement import FabricRequirement, Requirement
from fabricplan.sizing.choice import (
    Members,
    Search,
    Units,
    best_three_tier,
    best_two_tier,
    candidate,
    one_switch,
    unit_sizes,
)
from fabricplan.sizing.clos import Fabric
from fabricplan.sizing.findings import sizing_findings
from fabricplan.sizing.geometry import Tiers, choose_variant, fit_cages, resolve_tiers
from fabricplan.sizing.hosts import HostPorts, deal, resolve
from fabricplan.sizing.limits import lid_count, too_large
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

__all__ = [
    "Candidate", "FabricSizing", "GroupPorts", "ModelVariant", "NodePort", "Shape", "TierPorts", "UnitRun",
    "size",
]  # fmt: skip

LID_SPACE = 49_151
"""Unicast local identifiers of an InfiniBand subnet (0x0001 to 0xBFFF)."""


def size(requirement: Requirement, fabric: FabricRequirement, catalog: Catalog) -> FabricSizing:
    """Size one fabric of a request.

    Args:
        requirement: the whole request (for its groups).
        fabric: one of its fabrics.
        catalog: the product catalogue.

    Returns:
        The sized fabric, with every candidate that was weighed.

    Raises:
        RequirementError: a word that the catalogue does not know, or that contradicts another.
        InfeasibleError: no fabric of the asked kind holds the request; the problem names the limit, the nearest
            count that fits, and the ways out with their switch counts.
    """
    where = f"fabrics[{requirement.fabrics.index(fabric)}]"
    tiers = resolve_tiers(fabric, where, catalog)
    hosts = [resolve(requirement, fabric, item, catalog) for item in requirement.attachments(fabric)]
    tiers = fit_cages(tiers, fabric, [host.port_class for host in hosts], catalog)
    planes, rail_planes = _planes(fabric, hosts, where)
    search = _search(fabric, tiers, hosts, planes, rail_planes)
    found, units = _choose(search, hosts, where)
    return _assemble(requirement, fabric, catalog, search, hosts, found, units, rail_planes, where)


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
                "planes", f"{fabric.planes} planes do not divide the {len(host.rails)} ports of a {host.group.name}",
                f"{where}.planes", f"choose a divisor of {len(host.rails)}"))  # fmt: skip
    return fabric.planes, False


def _search(
    fabric: FabricRequirement, tiers: Tiers, hosts: Sequence[HostPorts], planes: int, rail_planes: bool
) -> Search:
    members = tuple(
        Members(
            group=host.group.name,
            nodes=host.nodes_final,
            ports=len(host.rails) // planes,
            rack_nodes=(host.platform.nodes_per_rack or 0) if host.platform.rack_is_unit else 0,
        )
        for host in hosts
    )
    single = all(member.ports == 1 for member in members)
    attach = fabric.attach or ("packed" if single else "rail")
    return Search(
        fabric=fabric, tiers=tiers, planes=planes, members=members,
        packed=attach == "packed" or single, spread=attach == "spread" and not single,
        grows=any(host.group.grow_to is not None for host in hosts),
        reserve=-(-fabric.reserve_ports // planes), rails_per_leaf=fabric.rails_per_leaf,
    )  # fmt: skip


def _choose(search: Search, hosts: Sequence[HostPorts], where: str) -> tuple[Fabric, Units]:
    asked = search.fabric.tiers
    if asked in (None, 1):
        single = one_switch(search)
        if single is not None:
            per_leaf = tuple(member.ports for member in search.members)
            ones = tuple(1 for _ in search.members)
            return single, Units(ones, tuple(member.nodes for member in search.members), per_leaf, ones,
                                 search.endpoints)  # fmt: skip
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


def _no_addresses(search: Search, used: int, switches: int, hosts: Sequence[HostPorts], where: str) -> InfeasibleError:
    """Return the error of a subnet that needs more addresses than there are, with the ways out."""
    hint = "split the cluster into subnets joined by an InfiniBand router"
    ports = len(hosts[0].rails)
    if search.planes == 1 and ports > 1 and len(hosts) == 1:
        alternative = search.fabric.model_copy(update={"planes": "rail", "attach": None, "rails_per_leaf": None})
        rails = _search(alternative, search.tiers, hosts, ports, True)
        plane = best_two_tier(rails) or best_three_tier(rails)
        if plane is not None and lid_count(rails, plane[0]) <= LID_SPACE:
            one = plane[0]
            hint = (f"--planes rail: {ports} x ({one.leaves}+{one.spines}+{one.cores}) = {ports * one.switches:,} "
                    f"switches, {lid_count(rails, one):,} addresses in each plane; or {hint}")  # fmt: skip
    counted = f"{search.endpoints:,} endpoints" + (f", {switches:,} switches" if switches else " alone")
    return InfeasibleError(Problem(
        "lid-space", f"one InfiniBand subnet has {LID_SPACE:,} addresses, {used:,} are needed ({counted})",
        f"{where}.planes", hint))  # fmt: skip


def _alternatives(search: Search, found: Fabric, hosts: Sequence[HostPorts]) -> None:
    """Weigh rail planes where three tiers are needed, and whole-node leaves where rails are used."""
    ports = len(hosts[0].rails)
    if found.tiers == 3 and search.planes == 1 and not search.packed and not search.spread and len(hosts) == 1:
        alternative = search.fabric.model_copy(update={"planes": "rail", "attach": None, "rails_per_leaf": None})
        rails = _search(alternative, search.tiers, hosts, ports, True)
        plane = best_two_tier(rails) or best_three_tier(rails)
        if plane is not None:
            search.fallen.append(candidate("planes: rail", plane[0], ports, False, "rail-planes", plane_count=ports,
                                           switches=plane[0].switches * ports))  # fmt: skip
    if found.tiers == 2 and not search.packed and not search.spread and search.members[0].ports > 1:
        alternative = search.fabric.model_copy(update={"attach": "packed", "rails_per_leaf": None})
        packed = _search(alternative, search.tiers, hosts, search.planes, False)
        plane = best_two_tier(packed)
        if plane is not None and plane[0].switches < found.switches:
            search.fell("attach: packed", plane[0], "rails-collide", flows=search.members[0].ports)


def _assemble(
    requirement: Requirement, fabric: FabricRequirement, catalog: Catalog, search: Search,
    hosts: Sequence[HostPorts], found: Fabric, units: Units, rail_planes: bool, where: str,
) -> FabricSizing:  # fmt: skip
    tiers, planes = search.tiers, search.planes
    shape = _shape(search, hosts, found, units)
    groups = []
    for host, shared in zip(hosts, units.rails_per_leaf, strict=True):
        packed = search.packed or found.tiers == 1
        ports, leaves = deal(host.rails, planes, rail_planes, shared, packed)
        groups.append(GroupPorts(
            group=host.group.name, platform=host.platform.id, nodes=host.nodes, nodes_final=host.nodes_final,
            gpus=host.gpus, ports=ports, ports_per_node=len(host.rails) // planes, rails_per_leaf=shared,
            leaves_per_unit=leaves, port_class=host.port_class, ports_per_cage=host.ports_per_cage,
            adapter=host.adapter, adapters_per_node=host.adapters_per_node, adapter_bought=host.adapter_bought,
        ))  # fmt: skip
    attach = fabric.attach or ("rail" if rail_planes or not search.packed else "packed")
    variants = _variants(fabric, tiers, catalog, where, shape)
    endpoints = sum(host.nodes * len(host.rails) for host in hosts)
    node_links = endpoints
    leaf_links = shape.leaves_today * shape.uplinks * planes if shape.tiers > 1 else 0
    core_links = shape.spines_today * shape.spine_uplinks * planes if shape.cores_today else 0
    managed_tier, managed = _managed(fabric, tiers, shape, planes, where)
    rows = [candidate("chosen", _today(found, shape), planes, True, "chosen"), *search.fallen]
    sizing = FabricSizing(
        name=fabric.name, network=fabric.network, technology=fabric.technology, rate=fabric.rate,
        link_gbps=tiers.link_gbps, uplink_rate=tiers.uplink_rate, uplink_gbps=tiers.uplink_gbps,
        attach=attach, planes=planes, rail_planes=rail_planes, groups=tuple(groups), shape=shape,
        reserve_ports=fabric.reserve_ports, reserve_adapter=fabric.reserve_adapter,
        management=fabric.management, managed_tier=managed_tier, managed_per_plane=managed,
        managed_model=tiers.managed_twin, variants=variants,
        oversubscription=_ratio(found.hosts * tiers.link_gbps, found.uplinks * tiers.uplink_gbps),
        oversubscription_spine=_ratio(found.leaves_per_pod * found.per_pair, found.spine_uplinks)
        if found.tiers == 3 else "1:1",
        endpoints=endpoints, leaf_count=shape.leaves_today * planes, spine_count=shape.spines_today * planes,
        core_count=shape.cores_today * planes, box_count=_boxes(tiers, shape, planes),
        node_leaf_links=node_links, leaf_spine_links=leaf_links, spine_core_links=core_links,
        bisection_gbps=_bisection(shape, groups, endpoints // planes, tiers) * planes, candidates=tuple(rows),
    )  # fmt: skip
    findings = [note for host in hosts for note in host.findings]
    findings += sizing_findings(sizing, search, found, units, catalog)
    return sizing.model_copy(update={"findings": tuple(findings)})


def _shape(search: Search, hosts: Sequence[HostPorts], found: Fabric, units: Units) -> Shape:
    tiers = search.tiers
    runs: list[UnitRun] = []
    units_today = leaves_today = position = 0
    blocks: set[int] = set()
    for member, host, count, leaves in zip(search.members, hosts, units.counts, units.leaves_per_unit, strict=True):
        left = host.nodes
        for each, how_many in unit_sizes(member, count):
            runs.append(UnitRun(group=member.group, unit_count=how_many, nodes_each=each))
            used = min(-(-left // each), how_many)
            units_today += used
            if found.tiers == 3:
                blocks.update(unit // found.units_per_pod for unit in range(position, position + used))
            position += how_many
            leaves_today += used * leaves
            left -= min(left, used * each)
    if found.tiers == 1:
        leaves_today = 1
    down = units.hosts + (1 if search.reserve and _spare(search, units, found) else 0)
    leaf = tiers.leaf.ports(down, found.uplinks)
    if found.tiers == 1:
        leaf = leaf.model_copy(update={"up_first_cage": leaf.down_first_cage + tiers.leaf.box.cages})
    pods_today, spines_today, cores_today = 1, found.spines, found.cores
    if found.tiers == 3:
        pods_today = len(blocks) * (units.leaves_per_unit[0] if found.pod_kind == "rails" else 1)
        spines_today = pods_today * (found.spines // found.pods)
        cores_today = found.cores if pods_today > 1 else 0
    per_core = found.spine_uplinks // found.cores_per_group if found.cores_per_group else 0
    spines_per_pod = found.spines // found.pods if found.pods else 0
    return Shape(
        tiers=3 if found.tiers == 3 else 2 if found.tiers == 2 else 1,
        leaf=leaf,
        spine=tiers.spine.ports(found.leaves_per_pod * found.per_pair, found.spine_uplinks)
        if found.tiers > 1 else None,
        core=tiers.core.ports(tiers.core.box.radix, 0) if found.tiers == 3 else None,
        units=tuple(runs), leaf_count=found.leaves, hosts_per_leaf=found.hosts, uplinks=found.uplinks,
        spine_count=found.spines, links_per_pair=found.per_pair, pod_count=found.pods,
        pod_kind="units" if found.pod_kind == "units" else "rails" if found.pod_kind == "rails" else "whole",
        units_per_pod=found.units_per_pod, leaves_per_pod=found.leaves_per_pod,
        spine_uplinks=found.spine_uplinks, spines_per_group=found.spines_per_group,
        group_count=spines_per_pod // found.spines_per_group if found.tiers == 3 else 0,
        cores_per_group=found.cores_per_group, core_count=found.cores, links_per_core_pair=per_core,
        units_today=units_today, leaves_today=leaves_today, spines_today=spines_today,
        cores_today=cores_today, pods_today=pods_today,
    )  # fmt: skip


def _spare(search: Search, units: Units, found: Fabric) -> bool:
    return search.tiers.leaf.box.holds(units.hosts + 1, found.uplinks)


def _today(found: Fabric, shape: Shape) -> Fabric:
    return Fabric(
        tiers=found.tiers, units=found.units, leaves=shape.leaves_today, hosts=found.hosts,
        uplinks=found.uplinks, spines=shape.spines_today, per_pair=found.per_pair, pods=found.pods,
        spine_uplinks=found.spine_uplinks if shape.cores_today else 0, cores=shape.cores_today,
    )  # fmt: skip


def _variants(
    fabric: FabricRequirement, tiers: Tiers, catalog: Catalog, where: str, shape: Shape
) -> tuple[ModelVariant, ...]:
    models: list[SwitchType] = [tiers.leaf.switch]
    if shape.tiers > 1:
        models.append(tiers.spine.switch)
    if shape.tiers > 2:
        models.append(tiers.core.switch)
    if tiers.managed_twin:
        models.append(catalog.switch(tiers.managed_twin))
    unique = {switch.model: switch for switch in models}
    return tuple(
        ModelVariant(model=model, pn=choose_variant(switch, fabric.airflow, f"{where}.airflow").pn)
        for model, switch in unique.items()
    )


def _managed(
    fabric: FabricRequirement, tiers: Tiers, shape: Shape, planes: int, where: str
) -> tuple[str, tuple[int, ...]]:
    """Return the tier that holds the managed switches of a mixed fabric, and how many each plane has."""
    if not fabric.management.startswith("mixed:"):
        return "", ()
    count = int(fabric.management.removeprefix("mixed:"))
    tier, room = ("spine", shape.spines_today) if shape.tiers > 1 else ("leaf", shape.leaves_today)
    if count < planes or count > room * planes:
        raise RequirementError(Problem(
            "management", f"{count} managed switches do not serve {planes} plane(s) of {room} {tier} switches",
            f"{where}.management", f"ask for mixed:{planes} to mixed:{room * planes}"))  # fmt: skip
    return tier, tuple(count // planes + (1 if plane < count % planes else 0) for plane in range(planes))


def _boxes(tiers: Tiers, shape: Shape, planes: int) -> int:
    """Count purchasable boxes: halves of a twin box are paired within one role and plane."""
    roles = ((tiers.leaf, shape.leaves_today), (tiers.spine, shape.spines_today), (tiers.core, shape.cores_today))
    return planes * sum(-(-count // tier.switch.switches_per_box) for tier, count in roles)


def _bisection(shape: Shape, groups: Sequence[GroupPorts], endpoints: int, tiers: Tiers) -> int:
    """One direction across the narrowest half cut of one plane, in Gb/s (rounded down, never up).

    The smallest of: what half the endpoints inject, half the leaf-spine bandwidth, half the spine-core bandwidth,
    and, because units and pods may differ by a node, what the fullest leaves or pods that make up half the
    endpoints can send.
    """
    cut = endpoints // 2 * tiers.link_gbps
    if shape.tiers == 1 or shape.leaves_today < 2:
        return cut
    leaves, pods = _loads(shape, groups)
    up, most = shape.uplinks * tiers.uplink_gbps, max(leaves) * tiers.link_gbps
    cut = min(cut, shape.leaves_today * up // 2, _fullest_half(leaves, tiers.link_gbps, up, most, up))
    if shape.cores_today:
        core = shape.spines_per_pod * shape.spine_uplinks * tiers.uplink_gbps
        cut = min(cut, shape.pods_today * core // 2, _fullest_half(pods, tiers.link_gbps, core, most, up))
    return cut


def _loads(shape: Shape, groups: Sequence[GroupPorts]) -> tuple[list[int], list[int]]:
    """Return today's endpoints of every leaf and of every pod of one plane."""
    by_name = {group.group: group for group in groups}
    left = {group.group: group.nodes for group in groups}
    units: list[tuple[int, int]] = []
    for run in shape.units:
        group = by_name[run.group]
        for _ in range(run.unit_count):
            nodes = min(left[run.group], run.nodes_each)
            left[run.group] -= nodes
            units.append((nodes * group.rails_per_leaf, group.leaves_per_unit))
    leaves = [load for load, count in units for _ in range(count) if load]
    step = shape.units_per_pod
    blocks = [units[start : start + step] for start in range(0, len(units), step)] if shape.tiers == 3 else [units]
    if shape.pod_kind == "rails":
        rails = units[0][1]
        return leaves, [sum(load for load, _ in block) for block in blocks for _ in range(rails)]
    return leaves, [sum(load * count for load, count in block) for block in blocks]


def _fullest_half(loads: Sequence[int], gbps: int, capacity: int, leaf_load: int, leaf_capacity: int) -> int:
    """Return what half the endpoints send when they sit in the fullest groups, each with one capacity upward.

    In the group that is split, whole leaves are filled first.
    """
    left, cut = sum(loads) // 2 * gbps, 0
    for load in sorted(loads, reverse=True):
        taken = min(left, load * gbps)
        whole, rest = divmod(taken, leaf_load)
        cut += min(whole * leaf_capacity + min(rest, leaf_capacity), capacity)
        left -= taken
    return cut


def _ratio(down: int, up: int) -> str:
    if up == 0 or down <= up:
        return "1:1"
    shrink = math.gcd(down, up)
    return f"{down // shrink}:{up // shrink}"
