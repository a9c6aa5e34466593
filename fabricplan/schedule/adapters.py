"""What a node calls its ports: adapter, network interface, PCI address, GPU; and links one by one with their parts.

Names are those that the maker publishes. Where one is missing, adapters are ``HCA-1``, ``HCA-2`` in the order of the
fabric's ports, as Linux hosts without names of their own describe them to a subnet manager.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fabricplan.plan import Plan
from fabricplan.portwords import PortText, link_ports, maker_ports, node_ports
from fabricplan.sizing import GroupPorts
from fabricplan.topology import link_cages
from fabricplan.values import IntArray


class NodePortFacts(NamedTuple):
    """One port of a node on one fabric.

    Attributes:
        text: what the panel says.
        rail: the rail that it serves.
        gpu: the GPU that it serves; None on networks that are no compute network.
        adapter: the RDMA device, or ``HCA-n``.
        named: whether the adapter's name is the maker's.
        interface: the network interface, where the maker names it.
        pci: the PCI address, where the maker gives it.
    """

    text: PortText
    rail: int
    gpu: int | None
    adapter: str
    named: bool
    interface: str | None
    pci: str | None


def node_port_facts(plan: Plan, fabric: int, group: GroupPorts) -> list[NodePortFacts]:
    """Return the ports of a group's nodes on a fabric, in the order of the fabric's port numbers."""
    listed = maker_ports(plan, fabric, group)
    named = bool(listed) and all(row.rdma for row in listed)
    compute = plan.fabrics[fabric].network == "compute"
    found = []
    for port, (text, lands) in enumerate(zip(node_ports(plan, fabric, group), group.ports, strict=True)):
        row = listed[port] if listed else None
        found.append(NodePortFacts(
            text, lands.rail, lands.rail if compute and plan.products.platform(group.platform).gpus else None,
            (row.rdma or "") if row and named else f"HCA-{port + 1}", named,
            row.interface if row else None, row.pci if row else None,
        ))  # fmt: skip
    return found


class LinkParts(NamedTuple):
    """All links, one row each, with the texts and parts of both ends: columns.

    ``lower_text`` and ``upper_text`` are rows of ``texts``; ``cable`` is -1 where no part is known; ``lower_module``
    and ``upper_module`` are rows of the plan's transceiver parts, -1 where a plug is part of the cable.
    """

    texts: list[PortText]
    lower_text: IntArray
    upper_text: IntArray
    cable: IntArray
    tail: IntArray
    part: IntArray
    lower_module: IntArray
    upper_module: IntArray


def link_parts(plan: Plan) -> LinkParts:
    """Return the links of a plan with what stands at both ends, in the order of the link table."""
    ports, cabling, links = link_ports(plan), plan.cabling, plan.topology.links
    cable = cabling.links.wide("cable")
    part = np.full(cable.size, -1, np.int64)
    if len(cabling.cables):
        part = np.where(cable >= 0, cabling.cables.wide("part")[np.maximum(cable, 0)], -1)
    ends = cabling.module_parts(links, link_cages(plan.requirement, plan.fabrics, plan.topology.devices, links))
    return LinkParts(ports.texts, ports.lower, ports.upper, cable, cabling.links.wide("tail"), part, *ends)
