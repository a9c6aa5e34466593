"""What hangs on the leaves: the ports of a node, in cage order, and the plane, leaf and rail of each.

Rails that share a leaf are rails that share a host cage, so that one cable of the cage may serve both (DGX H100:
GPU 7 with 4, 6 with 5, 2 with 1, 3 with 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fabricplan.catalog import Catalog, HostNetwork, PlatformType, PortMode
from fabricplan.errors import Problem, RequirementError
from fabricplan.requirement import (
    ETHERNET_RATES,
    INFINIBAND_RATES,
    Attachment,
    FabricRequirement,
    NodeGroup,
    Requirement,
)
from fabricplan.sizing.shape import NodePort
from fabricplan.values import Finding, finding

GENERIC_STORAGE = "generic-storage"
"""Platform of storage servers that are only counted; their adapters are those of the generic server of the rate."""
MANAGEMENT_CLASS = "rj45-1g"
"""Port class of a management port (BMC, switch, power distribution): copper, 1GbE."""


@dataclass(frozen=True)
class HostPorts:
    """The ports of one group's nodes on one fabric, before they are dealt to leaves.

    ``rails`` is the rail (GPU index) of every port in cage order; its length is the ports per node. ``comes`` is the
    share of the growth (in millionths) after which each member stands, where members do not come evenly.
    """

    group: str
    nodes: int
    nodes_final: int
    rails: tuple[int, ...]
    port_class: str
    ports_per_cage: int
    grows: bool = False
    phases: tuple[int, ...] = ()
    platform: str = ""
    rack_nodes: int = 0
    gpus: int | None = None
    adapter: str | None = None
    adapters_per_node: int = 0
    adapter_bought: bool = False
    findings: tuple[Finding, ...] = ()
    kind: Literal["nodes", "boxes", "uplinks"] = "nodes"
    of: tuple[str, ...] = ()
    built: tuple[tuple[int, int], ...] = ()
    comes: tuple[int, ...] = ()


NO_GENERIC = {
    "800gbe": "ConnectX-8 gives a GPU 800 Gb/s of Ethernet as two 400GbE ports, one a plane: "
    "--rate 400 --planes 2 --nic 900-9X81E-00EX-ST0",
}
"""What to ask for instead, at rates for which the catalogue defines no generic server."""


def generic_platform(rate: str) -> str:
    """Return the id of the generic 8-GPU server of a rate."""
    return f"generic-8gpu-{rate}"


def resolve(requirement: Requirement, fabric: FabricRequirement, attachment: Attachment, catalog: Catalog) -> HostPorts:
    """Return the ports that a group's nodes bring to a fabric.

    Raises:
        RequirementError: unknown platform or adapter, unknown ports, or more ports asked than there are.
    """
    group = requirement.group(attachment.group)
    index = requirement.groups.index(group)
    platform = _platform(group, index, requirement, catalog)
    findings: list[Finding] = []
    network = platform.network(fabric.network)
    asked = attachment.ports_per_node
    nic = attachment.nic if attachment.nic is not None else None if fabric.network in ("inband", "oob") else group.nic
    bought_pn = nic if nic not in (None, "included", "customer") else None
    built_in = network is not None and network.port_class is not None and bool(network.cage_count)
    if bought_pn is not None and built_in and attachment.nic is None:
        if fabric.network == "compute":
            raise RequirementError(Problem(
                "ports-built-in", f"the {fabric.network} ports of {platform.title} are part of the system; it takes no "
                f"{bought_pn} for them", f"groups[{index}].nic",
                "leave out --nic, or choose a platform whose adapters are yours to choose"))  # fmt: skip
        bought_pn = None  # the adapter is for networks whose ports the platform does not bring
    if bought_pn is not None:
        rails, port_class, per_cage, adapter, cards = _cards(
            catalog, fabric, bought_pn, asked, network, f"groups[{index}].nic"
        )
    elif network is not None and network.adapter is not None:
        rails, port_class, per_cage, adapter, cards = _cards(
            catalog, fabric, network.adapter, asked, network, f"groups[{index}].platform"
        )
    elif network is not None and network.port_class is not None and network.cage_count:
        mode = _mode(network.modes, fabric, platform.id, f"groups[{index}].platform")
        rails, port_class, per_cage = _built_in(network, mode, platform.gpus), network.port_class, mode.ports
        adapter, cards = None, 0
        if asked is not None:
            if asked > len(rails):
                raise RequirementError(Problem(
                    "ports-per-node", f"{platform.title} has {len(rails)} {fabric.network} ports at {fabric.rate}, "
                    f"{asked} are asked", f"groups[{index}]",
                    f"ask for at most {len(rails)}, or state a --nic"))  # fmt: skip
            left_out = sorted(set(rails) - set(rails[:asked]))
            if left_out and fabric.network == "compute":
                findings.append(finding("warning", "gpus-without-port", group.name, platform=platform.title,
                                        ports=asked, rails=", ".join(map(str, left_out))))  # fmt: skip
            rails = rails[:asked]
    elif network is None and platform.id == GENERIC_STORAGE and fabric.network == "storage":
        server = catalog.platform(generic_platform(fabric.rate)).network("compute")
        rails, port_class, per_cage, adapter, cards = _cards(
            catalog, fabric, (server and server.adapter) or "", asked, network, f"groups[{index}].platform"
        )
    elif fabric.network == "oob" and network is None:
        rails, port_class, per_cage, adapter, cards = (0,), MANAGEMENT_CLASS, 1, None, 0
        findings.append(finding("info", "management-port-assumed", group.name, platform=platform.title))
    else:
        raise RequirementError(Problem(
            "ports-unknown", f"the catalogue knows no {fabric.network} ports of {platform.title}",
            f"groups[{index}].platform",
            "state the adapter and its count: " + ("--nic PART-NUMBER --ports-per-node N" if fabric.network == "compute"
            else "attached: [{group: ..., nic: PART-NUMBER, ports_per_node: N}]")))  # fmt: skip
    gpus_per_node: int | None = platform.gpus or None
    if platform.kind == "generic" and group.gpus is None and asked not in (None, 8):
        gpus_per_node = None
    nodes, gpus = _count(group, index, platform, gpus_per_node, findings)
    final = group.grow_to or nodes
    if final < nodes:
        raise RequirementError(Problem("grow-to", f"grow_to {final} is below today's {nodes} nodes",
                                       f"groups[{index}].grow_to", "give the final number of nodes"))  # fmt: skip
    included = nic in ("included", "customer") or (nic is None and bool(network and network.included))
    return HostPorts(
        group=group.name, grows=group.grow_to is not None, phases=group.phases, platform=platform.id,
        rack_nodes=(platform.nodes_per_rack or 0) if platform.rack_is_unit else 0,
        nodes=nodes, nodes_final=final, gpus=gpus, rails=rails,
        port_class=port_class, ports_per_cage=per_cage, adapter=adapter, adapters_per_node=cards,
        adapter_bought=adapter is not None and not included, findings=tuple(findings),
    )  # fmt: skip


def _platform(group: NodeGroup, index: int, requirement: Requirement, catalog: Catalog) -> PlatformType:
    name = group.platform
    if name is None:
        rates = [fabric.rate for fabric in requirement.fabrics if fabric.network == "compute"]
        rate = rates[0] if rates else requirement.fabrics[0].rate
        name = generic_platform(rate)
        if not catalog.has("platforms", name):
            raise RequirementError(Problem(
                "no-generic-platform", f"there is no generic 8-GPU server at {rate}", f"groups[{index}].platform",
                NO_GENERIC.get(rate, _with_generic(catalog, requirement.fabrics[0].technology))))  # fmt: skip
    key = catalog.find("platforms", name)
    if key is None:
        raise RequirementError(Problem("unknown-platform", f"no platform '{name}'", f"groups[{index}].platform",
                                       catalog.advice("platforms", name), (("word", name),)))  # fmt: skip
    return catalog.platform(key)


def _with_generic(catalog: Catalog, technology: str) -> str:
    """Return the rates of a technology that have a generic server, and what else to say."""
    rates = INFINIBAND_RATES if technology == "infiniband" else ETHERNET_RATES
    there = [rate for rate in rates if catalog.has("platforms", generic_platform(rate))]
    return f"there is one at {', '.join(there)}; else name the server: --platform NAME, with --nic PART-NUMBER"


def _count(
    group: NodeGroup, index: int, platform: PlatformType, per_node: int | None, findings: list[Finding]
) -> tuple[int, int | None]:
    if group.gpus is None:
        nodes = group.nodes or 0
        return nodes, nodes * per_node if per_node else None
    if not per_node:
        raise RequirementError(Problem("no-gpus", f"{platform.title} has no GPUs to count by",
                                       f"groups[{index}].gpus", "give nodes instead"))  # fmt: skip
    nodes = -(-group.gpus // per_node)
    if nodes * per_node != group.gpus:
        findings.append(finding("warning", "gpus-rounded", group.name, gpus=group.gpus, per_node=per_node,
                                nodes=nodes, gpus_built=nodes * per_node))  # fmt: skip
    return nodes, nodes * per_node


def _mode(modes: tuple[PortMode, ...], fabric: FabricRequirement, owner: str, where: str) -> PortMode:
    for mode in modes:
        if mode.rate == fabric.rate:
            return mode
    rates = ", ".join(dict.fromkeys(mode.rate for mode in modes)) or "none stated"
    raise RequirementError(Problem("rate-of-ports", f"{owner} has no ports that run {fabric.rate}", where,
                                   f"its rates: {rates}; ask for one of them or state another --nic"))  # fmt: skip


def _cards(
    catalog: Catalog, fabric: FabricRequirement, pn: str, asked: int | None, network: HostNetwork | None,
    where: str,
) -> tuple[tuple[int, ...], str, int, str, int]:  # fmt: skip
    key = catalog.find("adapters", pn)
    if key is None:
        raise RequirementError(Problem("unknown-adapter", f"no adapter '{pn}'", where,
                                       catalog.advice("adapters", pn), (("word", pn),)))  # fmt: skip
    adapter = catalog.adapter(key)
    if not adapter.cages:
        raise RequirementError(Problem("ports-unknown", f"the catalogue knows no cages of adapter {key}", where,
                                       "state another --nic"))  # fmt: skip
    cages = adapter.cages[0]
    mode = _mode(cages.modes, fabric, f"adapter {key}", where)
    per_card = cages.count * mode.ports
    if asked is None:
        if network is None or not (network.adapter_count or network.cage_count):
            raise RequirementError(Problem("ports-unknown", f"how many {key} a node holds is not known", where,
                                           "state --ports-per-node N"))  # fmt: skip
        count = network.adapter_count or network.cage_count or 0
        cards = count if network.adapter else -(-count // cages.count)
        asked = cards * per_card
    cards = -(-asked // per_card)
    rails = tuple(range(asked)) if mode.ports == 1 else tuple(port // mode.ports for port in range(asked))
    return rails, cages.port_class, mode.ports, key, cards


def _built_in(network: HostNetwork, mode: PortMode, gpus: int) -> tuple[int, ...]:
    """Return the rail of every port: the maker's GPU, or of a cage a GPU the cage, or a running index."""
    count = (network.cage_count or 0) * mode.ports
    if network.ports and len(network.ports) == count:
        return tuple(port.rail for port in network.ports)
    if network.ports and len(network.ports) == network.cage_count:
        return tuple(port.rail for port in network.ports for _ in range(mode.ports))
    if network.cage_count == gpus:
        return tuple(port // mode.ports for port in range(count))
    return tuple(range(count))


def deal(
    rails: tuple[int, ...], planes: int, rail_planes: bool, rails_per_leaf: int, packed: bool
) -> tuple[tuple[NodePort, ...], int]:
    """Deal a node's ports to planes, leaves and positions; return them in cage order, and the leaves per unit.

    Args:
        rails: rail of each port in cage order.
        planes: independent fabrics; the two links of one host cage go to different planes.
        rail_planes: the plane is the rail.
        rails_per_leaf: rails that share a leaf.
        packed: all ports of a node land on one leaf.

    >>> ports, leaves = deal((7, 4, 6, 5, 2, 1, 3, 0), 1, False, 2, False)
    >>> leaves, [(port.leaf, port.position, port.rail) for port in ports[-2:]]
    (4, [(0, 0, 3), (0, 1, 0)])
    """
    if rail_planes:
        order = sorted(range(len(rails)), key=lambda port: (rails[port], port))
        plane_of = {port: plane + 1 for plane, port in enumerate(order)}
        return tuple(NodePort(plane=plane_of[port], leaf=0, position=0, rail=rails[port])
                     for port in range(len(rails))), 1  # fmt: skip
    dealt: list[NodePort | None] = [None] * len(rails)
    leaves = 1
    for plane in range(planes):
        ports = list(range(plane, len(rails), planes))
        per_leaf = len(ports) if packed else rails_per_leaf
        bundles = [ports[start : start + per_leaf] for start in range(0, len(ports), per_leaf)]
        bundles.sort(key=lambda bundle: (min(rails[port] for port in bundle), bundle))
        leaves = len(bundles)
        for leaf, bundle in enumerate(bundles):
            for position, port in enumerate(bundle):
                dealt[port] = NodePort(plane=plane + 1, leaf=leaf, position=position, rail=rails[port])
    return tuple(port for port in dealt if port is not None), leaves
