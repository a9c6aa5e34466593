"""From a chosen fabric to its sizing: ports of the tiers, units, what stands today, totals over all planes."""

from __future__ import annotations

from collections.abc import Sequence

from fabricplan.catalog import Catalog, SwitchType
from fabricplan.errors import Problem, RequirementError
from fabricplan.requirement import Attach, FabricRequirement
from fabricplan.sizing.clos import Fabric
from fabricplan.sizing.cut import bisection, ratio
from fabricplan.sizing.findings import sizing_findings
from fabricplan.sizing.geometry import Tiers, choose_variant
from fabricplan.sizing.hosts import HostPorts, deal
from fabricplan.sizing.layout import pods_built, unit_layout
from fabricplan.sizing.one_tier import leaf_capacity
from fabricplan.sizing.reuse import reuse
from fabricplan.sizing.shape import FabricSizing, GroupPorts, ModelVariant, Shape, TierPorts, UnitRun
from fabricplan.sizing.units import Search, Units, candidate, down_ports, filled_sizes, pooled_sizes, sizes_of


def assemble(
    fabric: FabricRequirement, catalog: Catalog, search: Search,
    hosts: Sequence[HostPorts], found: Fabric, units: Units, rail_planes: bool, where: str,
    uplinks_to: str,
) -> FabricSizing:  # fmt: skip
    """Return the sized fabric of a choice: its shape, its totals over all planes, what stands today, the findings."""
    tiers, planes = search.tiers, search.planes
    groups = _groups(search, hosts, found, units, rail_planes)
    shape = _shape(search, groups, found, units)
    rule: Attach = "rail" if rail_planes else "packed" if search.packed else "spread" if search.spread else "rail"
    attach = fabric.attach or rule
    variants = _variants(fabric, tiers, catalog, where, shape)
    endpoints = sum(host.nodes * len(host.rails) for host in hosts)
    node_links = endpoints
    leaf_links = shape.leaves_today * shape.uplinks * planes if shape.tiers > 1 else shape.uplinks
    core_links = shape.spines_today * shape.spine_uplinks * planes if shape.cores_today else 0
    managed_tier, managed = _managed(fabric, tiers, shape, planes, where)
    reused, reuse_notes = reuse(fabric, tiers, shape, planes, where, catalog)
    rows = [candidate("chosen", _today(found, shape), planes, True, "chosen"), *search.fallen]
    sizing = FabricSizing(
        name=fabric.name, network=fabric.network, technology=fabric.technology, rate=fabric.rate,
        link_gbps=tiers.link_gbps, uplink_rate=tiers.uplink_rate, uplink_gbps=tiers.uplink_gbps,
        attach=attach, planes=planes, rail_planes=rail_planes, groups=groups, shape=shape,
        uplinks_to=uplinks_to, uplinks_per_leaf=search.uplinks_per_leaf,
        reserve_ports=fabric.reserve_ports + fabric.extra_ports, reserve_adapter=fabric.reserve_adapter,
        management=fabric.management, managed_tier=managed_tier, managed_per_plane=managed,
        managed_model=tiers.managed_twin, variants=variants, reused=reused,
        oversubscription=ratio(found.hosts * tiers.link_gbps, found.uplinks * tiers.uplink_gbps),
        oversubscription_spine=ratio(found.leaves_per_pod * found.per_pair, found.spine_uplinks)
        if found.tiers == 3 else "1:1",
        endpoints=endpoints, leaf_count=shape.leaves_today * planes, spine_count=shape.spines_today * planes,
        core_count=shape.cores_today * planes, box_count=_boxes(tiers, shape, planes),
        node_leaf_links=node_links, leaf_spine_links=leaf_links, spine_core_links=core_links,
        bisection_gbps=bisection(shape, groups, endpoints // planes, tiers.link_gbps, tiers.uplink_gbps) * planes,
        candidates=tuple(rows),
    )  # fmt: skip
    findings = [note for host in hosts for note in host.findings]
    findings += reuse_notes
    findings += sizing_findings(sizing, search, found, units, catalog)
    return sizing.model_copy(update={"findings": tuple(findings)})


def _groups(
    search: Search, hosts: Sequence[HostPorts], found: Fabric, units: Units, rail_planes: bool
) -> tuple[GroupPorts, ...]:
    groups = []
    for host, shared in zip(hosts, units.rails_per_leaf, strict=True):
        packed = search.packed or (found.tiers == 1 and not units.pooled)
        ports, leaves = deal(host.rails, search.planes, rail_planes, shared, packed)
        groups.append(GroupPorts(
            group=host.group, kind=host.kind, of=host.of, grows=host.grows, day_one=host.comes.count(0),
            built=host.built, platform=host.platform, nodes=host.nodes, nodes_final=host.nodes_final, gpus=host.gpus,
            ports=ports, ports_per_node=len(host.rails) // search.planes,
            rails_per_leaf=shared, leaves_per_unit=leaves, port_class=host.port_class,
            ports_per_cage=host.ports_per_cage, adapter=host.adapter, adapters_per_node=host.adapters_per_node,
            adapter_bought=host.adapter_bought,
        ))  # fmt: skip
    return tuple(groups)


def _shape(search: Search, groups: Sequence[GroupPorts], found: Fabric, units: Units) -> Shape:
    tiers = search.tiers
    if search.fills and units.pooled:
        each = units.rails_per_leaf[0] if search.packed else 1
        capacity = leaf_capacity(search) if search.uplinks_per_leaf else units.hosts // each
        divided = filled_sizes(search, units, capacity)
    elif units.pooled:
        divided = pooled_sizes(search.members, units.units)
    else:
        divided = [sizes_of(search, member, count) for member, count in zip(search.members, units.counts, strict=True)]
    runs = tuple(
        UnitRun(group=member.group, unit_count=how_many, nodes_each=each)
        for member, sizes in zip(search.members, divided, strict=True)
        for each, how_many in sizes
    )
    down = down_ports(search, units, found.uplinks) if found.tiers > 1 else None
    leaf = tiers.leaf.ports(units.hosts if down is None else down, found.uplinks)
    if found.tiers == 1 and not found.uplinks:
        leaf = leaf.model_copy(update={"up_first_cage": leaf.down_first_cage + _panel(search)})
    per_core = found.spine_uplinks // found.cores_per_group if found.cores_per_group else 0
    spines_per_pod = found.spines // found.pods if found.pods else 0
    final = Shape(
        tiers=3 if found.tiers == 3 else 2 if found.tiers == 2 else 1,
        leaf=leaf,
        spine=tiers.spine.ports(found.leaves_per_pod * found.per_pair, found.spine_uplinks)
        if found.tiers > 1 else _far_leaf(leaf) if search.fabric.direct_pair else None,
        core=tiers.core.ports(tiers.core.box.radix, 0) if found.tiers == 3 else None,
        units=runs, pooled=units.pooled, manager_leaves=units.manager_leaves,
        reserved_leaves=-(-search.reserve // leaf_capacity(search)) if search.fills and search.uplinks_per_leaf else 0,
        leaf_count=found.leaves,
        hosts_per_leaf=found.hosts,
        uplinks=0 if search.uplinks_per_leaf else found.uplinks,
        spine_count=found.spines, links_per_pair=found.per_pair, pod_count=found.pods,
        pod_kind="units" if found.pod_kind == "units" else "rails" if found.pod_kind == "rails" else "whole",
        units_per_pod=found.units_per_pod, leaves_per_pod=found.leaves_per_pod,
        spine_uplinks=found.spine_uplinks, spines_per_group=found.spines_per_group,
        group_count=spines_per_pod // found.spines_per_group if found.tiers == 3 else 0,
        cores_per_group=found.cores_per_group, core_count=found.cores, links_per_core_pair=per_core,
        units_today=0, leaves_today=0, spines_today=0, cores_today=0,
    )  # fmt: skip
    return final.model_copy(update=_stands(final, groups, search))


def _panel(search: Search) -> int:
    """Return the cages of a single switch; of a director those of the leaf modules that the final stage needs, so that
    reserved ports do not stand on a module of their own at the far end."""
    tier = search.tiers.leaf
    if tier.switch.inside is None:
        return tier.box.cages
    each = tier.switch.inside.module_cages
    return -(-(search.endpoints + search.reserve) // (each * tier.box.down_per_cage)) * each


def _far_leaf(leaf: TierPorts) -> TierPorts:
    """Return the second leaf of a direct pair as the first one sees it: its ports for the pair look down."""
    return leaf.model_copy(update={
        "down_first_cage": leaf.up_first_cage, "down_per_cage": leaf.up_per_cage, "down_rate": leaf.up_rate,
        "down_gbps": leaf.up_gbps,
    })  # fmt: skip


def _stands(final: Shape, groups: Sequence[GroupPorts], search: Search) -> dict[str, int]:
    """Return what of the final stage stands today: units with nodes, their leaves, the pods that hold them."""
    layout = unit_layout(final, groups)
    built = layout.built
    units, leaves = int(built.sum()), int(layout.leaves[built].sum())
    if final.tiers == 1:
        # further ports lie on all leaves of an out-of-band fabric that does not grow
        return {"units_today": units, "leaves_today": 1 if final.leaf_count == 1 else
                final.leaf_count if search.reserve and not search.fills else leaves}  # fmt: skip
    if final.tiers == 2:
        return {"units_today": units, "leaves_today": leaves, "spines_today": final.spine_count}
    pods = pods_built(final, groups).size
    return {
        "units_today": units, "leaves_today": leaves, "pods_today": pods,
        "spines_today": pods * final.spines_per_pod, "cores_today": final.core_count if pods > 1 else 0,
    }  # fmt: skip


def _today(found: Fabric, shape: Shape) -> Fabric:
    return Fabric(
        tiers=found.tiers, units=found.units, leaves=shape.leaves_today, hosts=found.hosts,
        uplinks=found.uplinks, spines=shape.spines_today, per_pair=found.per_pair, pods=found.pods,
        spine_uplinks=found.spine_uplinks if shape.cores_today else 0, cores=shape.cores_today,
    )  # fmt: skip


def _variants(
    fabric: FabricRequirement, tiers: Tiers, catalog: Catalog, where: str, shape: Shape
) -> tuple[ModelVariant, ...]:
    models: list[tuple[SwitchType, str]] = [(tiers.leaf.switch, "leaf")]
    if shape.tiers > 1:
        models.append((tiers.spine.switch, "spine"))
    if shape.tiers > 2:
        models.append((tiers.core.switch, "core"))
    if tiers.managed_twin:
        models.append((catalog.switch(tiers.managed_twin), "management"))
    # a model that serves several tiers is blamed at the first, as a request names it
    unique: dict[str, tuple[SwitchType, str]] = {}
    for switch, field in models:
        unique.setdefault(switch.model, (switch, field))
    return tuple(
        ModelVariant(model=model, pn=choose_variant(switch, fabric.airflow, where, field).pn)
        for model, (switch, field) in unique.items()
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
