"""What the reader must know of a sizing: forecasts, rounded counts, managers without a port."""

from __future__ import annotations

from dataclasses import replace

from fabricplan.catalog import Catalog
from fabricplan.requirement import CUSTOMER
from fabricplan.sizing.choice import best_three_tier, best_two_tier
from fabricplan.sizing.clos import Fabric
from fabricplan.sizing.one_tier import one_switch
from fabricplan.sizing.shape import FabricSizing
from fabricplan.sizing.units import Members, Search, Units, demand_of, down_ports
from fabricplan.values import Finding, finding


def sizing_findings(
    sizing: FabricSizing, search: Search, found: Fabric, units: Units, catalog: Catalog
) -> list[Finding]:
    """Return the findings of one sized fabric."""
    notes: list[Finding] = []
    name = sizing.name
    needed = demand_of(search, units).fewest_uplinks()
    # OpenSM on our plans: two tiers with one or two links a pair stay clean, three tiers do not
    drifts = found.per_pair > 2 or found.tiers == 3
    if found.tiers > 1 and drifts and found.uplinks != needed and sizing.oversubscription == "1:1":
        notes.append(finding("info", "shift-drift", name, per_pair=found.per_pair, uplinks=found.uplinks,
                             hosts=found.hosts))  # fmt: skip
    shape = sizing.shape
    below = shape.leaves_per_pod * shape.links_per_pair
    uneven = below != shape.spine_uplinks and sizing.oversubscription_spine == "1:1"
    if found.tiers == 3 and sizing.technology == "infiniband" and uneven and shape.links_per_core_pair > 2:
        notes.append(finding("info", "spine-drift", name, down=below, up=shape.spine_uplinks,
                             per_pair=shape.links_per_core_pair))  # fmt: skip
    if sizing.shape.leaves_today < sizing.shape.leaf_count:
        notes.append(finding("info", "grows", name, leaves_today=sizing.leaf_count,
                             leaves_final=sizing.shape.leaf_count * sizing.planes,
                             nodes_final=sum(group.nodes_final for group in sizing.groups)))  # fmt: skip
    if len(search.fabric.oversubscription) > 1 and sizing.shape.tiers < 3 and search.ratios[1] != (1, 1):
        notes.append(finding("info", "spine-ratio-unused", name, ratio=search.fabric.oversubscription[1],
                             tiers=sizing.shape.tiers))  # fmt: skip
    if sizing.uplinks_to == CUSTOMER:
        notes.append(finding("info", "uplinks-to-customer", name, leaves=sizing.leaf_count, gbps=sizing.uplink_gbps,
                             links=sizing.leaf_count * sizing.uplinks_per_leaf))  # fmt: skip
    if sizing.shape.direct_pair:
        box = search.tiers.leaf.box
        notes.append(finding("warning", "direct-pair", name, links=sizing.shape.uplinks, ratio=sizing.oversubscription,
                             ports=2 * box.cages * box.down_per_cage))  # fmt: skip
    if sizing.shape.manager_leaves:
        notes.append(finding("info", "manager-leaf", name, ports=sizing.reserve_ports,
                             leaves=sizing.shape.manager_leaves * sizing.planes))  # fmt: skip
    notes += _phases(sizing, search)
    if sizing.shape.core_count and not sizing.shape.cores_today:
        notes.append(finding("info", "cores-wait", name, cores=sizing.shape.core_count * sizing.planes))
    if sizing.technology == "infiniband" and sizing.shape.cores_today and sizing.shape.pod_kind == "units":
        # OpenSM begins to number leaves at the lowest GUID: tests/oracles/test_opensm.py shows what that does to pods
        notes.append(finding("info", "first-leaf-guid", name, pods=sizing.shape.pods_today * sizing.planes))
    joined = (search.tiers.leaf, search.tiers.spine, search.tiers.core)[: found.tiers] if found.tiers > 1 else ()
    refusing = [tier.switch for tier in joined if sizing.uplink_gbps in tier.switch.adaptive_routing_not_at_gbps]
    if refusing:
        notes.append(finding("warning", "no-adaptive-routing", name, gbps=sizing.uplink_gbps,
                             model=refusing[0].model))  # fmt: skip
    if sizing.technology == "infiniband":
        notes += _management(sizing, search, found, units, catalog)
    notes += _rails(sizing, catalog)
    if sizing.network == "storage" and _over_two(sizing.oversubscription):
        notes.append(finding("warning", "storage-oversubscription", name, ratio=sizing.oversubscription))
    return notes


def _rails(sizing: FabricSizing, catalog: Catalog) -> list[Finding]:
    """Tell where planes do not hold every rail, and where racks that are units are not whole."""
    notes: list[Finding] = []
    if sizing.rail_planes:
        notes.append(finding("info", "rail-planes-nvlink", sizing.name, planes=sizing.planes))
    for group in sizing.groups:
        rails = {port.rail for port in group.ports}
        of_plane = [{port.rail for port in group.ports if port.plane == plane + 1} for plane in range(sizing.planes)]
        if sizing.network == "compute" and not sizing.rail_planes and any(held != rails for held in of_plane):
            notes.append(finding("warning", "planes-split-rails", sizing.name, planes=sizing.planes,
                                 rails=", ".join(map(str, sorted(of_plane[0]))), group=group.group))  # fmt: skip
        platform = catalog.platform(group.platform) if group.platform else None
        if platform and platform.rack_is_unit and platform.nodes_per_rack and group.nodes % platform.nodes_per_rack:
            racks = -(-group.nodes // platform.nodes_per_rack)
            notes.append(finding("warning", "racks-not-whole", sizing.name, platform=platform.title,
                                 nodes=group.nodes, racks=racks, whole=racks * platform.nodes_per_rack))  # fmt: skip
    return notes


def _phases(sizing: FabricSizing, search: Search) -> list[Finding]:
    """Tell where the layout would begin smaller if the stages were known: a size alone must serve any first stage."""
    first = sizing.groups[0]
    if len(search.members) > 1 or not search.grows or any(search.phases) or sizing.shape.tiers < 3:
        return []
    known = replace(search, phases=((first.nodes, first.nodes_final),), fallen=[])
    better = best_three_tier(known)
    now = sizing.shape.switch_count
    if better is None or better[0].stages[0] >= now:
        return []
    return [finding("info", "phases-begin-smaller", sizing.name, now=now * sizing.planes, phases=f"{first.nodes},"
                    f"{first.nodes_final}", switches=better[0].stages[0] * sizing.planes)]  # fmt: skip


def _over_two(ratio: str) -> bool:
    down, up = (int(part) for part in ratio.split(":"))
    return down > 2 * up


def _management(sizing: FabricSizing, search: Search, found: Fabric, units: Units, catalog: Catalog) -> list[Finding]:
    notes: list[Finding] = []
    name = sizing.name
    models = [catalog.switch(variant.model) for variant in sizing.variants]
    managed = [switch for switch in models if switch.managed]
    if not managed and sizing.reserve_ports == 0:
        notes.append(finding("error", "no-subnet-manager", name, model=sizing.shape.leaf.model))
    elif not managed:
        notes.append(finding("info", "external-subnet-manager", name, ports=sizing.reserve_ports))
    limits = [switch.embedded_sm_max_nodes for switch in managed if switch.embedded_sm_max_nodes]
    endpoints = sizing.endpoints // sizing.planes
    if managed and limits and endpoints > min(limits) and sizing.reserve_ports == 0:
        notes.append(finding("warning", "embedded-sm-limit", name, endpoints=endpoints, limit=min(limits)))
    has_port = any(switch.management_port for switch in models)
    if sizing.reserve_ports == 0 and not has_port and free_leaf_ports(search, found, units) == 0:
        fewer, further = _ways_out(search)
        ports = search.endpoints * search.planes
        if further is None:
            notes.append(finding("warning", "no-port-for-ufm-but-fewer", name, ports=ports, fewer=fewer))
        elif search.grows:
            notes.append(finding("warning", "no-port-for-ufm-at-last", name, ports=ports, fewer=fewer, further=further))
        else:
            notes.append(finding("warning", "no-port-for-ufm", name, ports=ports, fewer=fewer, further=further))
    return notes


def free_leaf_ports(search: Search, found: Fabric, units: Units) -> int:
    """Return the leaf ports below the uplinks that no node takes (final stage, one plane)."""
    box = search.tiers.leaf.box
    if found.tiers == 1:
        return box.cages * box.down_per_cage - search.endpoints - search.reserve
    down = down_ports(replace(search, reserve=max(search.reserve, 1)), units, found.uplinks) or units.hosts
    return found.leaves * box.up_first(down, found.uplinks) * box.down_per_cage - search.endpoints - search.reserve


def _ways_out(search: Search) -> tuple[str, str | None]:
    """Return the switch counts with one node fewer, and with one further port asked if the tiers hold it, as words."""
    first = search.members[0]
    fewer = "-"
    if first.nodes > 1:
        less = Members(first.group, first.nodes - 1, first.ports, first.rack_nodes)
        trial = replace(search, members=(less, *search.members[1:]), fallen=[], reserve=1)
        found = _switches(trial)
        fewer = str(found * search.planes) if found else "-"
    trial = replace(search, fallen=[], reserve=1)
    found = _switches(trial)
    return fewer, str(found * search.planes) if found else None


def _switches(search: Search) -> int | None:
    single = one_switch(search) if search.fabric.tiers in (None, 1) else None
    if single:
        return single.switches
    found = best_two_tier(search) if search.fabric.tiers in (None, 2) else None
    if found is None and search.fabric.tiers in (None, 3):
        found = best_three_tier(search)
    return found[0].switches if found else None
