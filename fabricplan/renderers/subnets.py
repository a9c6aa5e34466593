"""InfiniBand subnets of a plan, one per plane of a fabric, as the exports for subnet tools share them."""

from __future__ import annotations

from typing import NamedTuple

from fabricplan.errors import Problem, RenderError
from fabricplan.plan import Plan
from fabricplan.proof.inside import switch_names, wirings
from fabricplan.proof.wiring import Wiring
from fabricplan.renderers.ibsim_net import end_names, file_name
from fabricplan.topology import HOST, NODE


class Subnet(NamedTuple):
    """One subnet.

    Attributes:
        stem: first part of the names of its files (``compute``, ``compute-p1``).
        wiring: its switches, trunk links and endpoints.
        switches: name of every switch, by switch id; of a director its chips.
        ends: node description of every endpoint: device and adapter.
        compute: whether the endpoint belongs to a compute node; the others are storage servers and hosts on
            reserved ports. Where no node has GPUs, all nodes compute.
    """

    stem: str
    wiring: Wiring
    switches: list[str]
    ends: list[str]
    compute: list[bool]

    @property
    def top_tier(self) -> int:
        """The highest tier, from 1: where ftree has its roots."""
        return int(self.wiring.tier.max())


def subnets(plan: Plan, form: str) -> list[Subnet]:
    """Return all subnets of a plan.

    Args:
        plan: the plan.
        form: name of the format that asks, for the message.

    Raises:
        RenderError: no fabric of the plan is InfiniBand.
    """
    names = plan.device_names()
    found = []
    for number, sizing in enumerate(plan.fabrics):
        if sizing.technology == "infiniband":
            for wiring in wirings(plan, number):
                found.append(Subnet(
                    file_name(wiring).removesuffix(".net"), wiring,
                    switch_names(wiring, names),
                    end_names(plan, wiring, names), _compute(plan, wiring)))  # fmt: skip
    if not found:
        raise RenderError(Problem("no-infiniband", f"'{form}' describes InfiniBand fabrics; this plan has none", "",
                                  "for Ethernet fabrics: ptm, netbox, cvt"))  # fmt: skip
    return found


def _compute(plan: Plan, wiring: Wiring) -> list[bool]:
    devices, types = plan.topology.devices, plan.topology.device_types
    gpus = [item.kind == "platform" and plan.products.platform(item.key).gpus > 0 for item in types]
    rows = wiring.end_device
    node, host = devices.kind[rows] == NODE, devices.kind[rows] == HOST
    having = [gpus[number] for number in devices.type[rows].tolist()]
    if not any(having):
        return [bool(is_node) for is_node in node.tolist()]
    return [own and not is_host for own, is_host in zip(having, host.tolist(), strict=True)]
