"""NVLink domains that span several nodes: racks of compute trays."""

from __future__ import annotations

from fabricplan.names import digits
from fabricplan.plan import Plan
from fabricplan.topology import NODE


def nvlink_domains(plan: Plan) -> dict[str, list[int]]:
    """Return domain -> device rows of its nodes, in order; empty where a node's GPUs are a domain of their own.

    A unit of such a platform is whole racks, so the nodes of a unit fill its domains in order.
    """
    devices, types = plan.topology.devices, plan.topology.device_types
    size: dict[int, int] = {}
    for number, item in enumerate(types):
        if item.kind == "platform":
            platform = plan.products.platform(item.key)
            if platform.nvlink_domain_gpus and platform.gpus and platform.nvlink_domain_gpus > platform.gpus:
                size[number] = platform.nvlink_domain_gpus // platform.gpus
    places: dict[tuple[int, int, int], list[int]] = {}
    for row, (kind, group, unit, index, model) in enumerate(zip(
        devices.kind.tolist(), devices.group.tolist(), devices.unit.tolist(), devices.index.tolist(),
        devices.type.tolist(), strict=True)):  # fmt: skip
        if kind == NODE and model in size:
            places.setdefault((group, unit, (index - 1) // size[model]), []).append(row)
    width = digits(len(places), 3)
    return {f"nvl-{number:0{width}}": rows for number, rows in enumerate(places.values(), 1)}
