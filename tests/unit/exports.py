"""What tests of exports share: the links of a plan told from its tables, to compare what is read back with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from fabricplan.plan import Plan
from fabricplan.topology import NODE, SWITCH

End = tuple[str, str]
Link = frozenset[End]
H100 = {"platform": "dgx-h100"}
H100_ADAPTERS = ("mlx5_11", "mlx5_6", "mlx5_10", "mlx5_9", "mlx5_4", "mlx5_3", "mlx5_5", "mlx5_0")
"""RDMA devices of a DGX H100 by cage and port, as NVIDIA's user guide lists them."""


def guide() -> list[str]:
    """Return the formats that the guide to exports lists."""
    text = (Path(__file__).parents[2] / "docs" / "exports.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)


def planned(plan: Plan, adapters: tuple[str, ...], plane: int = 0, fabric: int = 0) -> set[Link]:
    """Return the links of a subnet: switch and InfiniBand port, or node and adapter."""
    devices, names = plan.topology.devices, plan.device_names()
    found: set[Link] = set()
    for number, _, lower, lower_port, upper, upper_port in plan.topology.links.rows():
        if number != fabric or int(devices.plane[upper]) != plane:
            continue
        kind = devices.kind[lower]
        near = str(lower_port) if kind == SWITCH else adapters[lower_port - 1] if kind == NODE else "HCA-1"
        link = frozenset({(names[lower], near), (names[upper], str(upper_port))})
        assert link not in found
        found.add(link)
    return found


def joined(links: Iterable[Link]) -> bool:
    """Tell whether all devices hang together."""
    near: dict[str, set[str]] = {}
    for link in links:
        one, other = (device for device, _ in link)
        near.setdefault(one, set()).add(other)
        near.setdefault(other, set()).add(one)
    seen, todo = set(), [next(iter(near))]
    while todo:
        device = todo.pop()
        if device not in seen:
            seen.add(device)
            todo += near[device] - seen
    return seen == set(near)
