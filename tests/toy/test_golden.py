"""One three-tier fabric small enough to read: every device with what is on each of its ports.

The file was checked by hand: leaf ports 1-2 hosts and 3-4 spines; spine ports 1-2 leaves and 3-4 cores; rails of a
unit on neighbouring leaves; each core has one link to each of the four pods.
"""

from __future__ import annotations

from pathlib import Path

from fabricplan.plan import Plan
from tests.conftest import PlanOf

GOLDEN = Path(__file__).with_name("eight-nodes.txt")


def ports_of(plan: Plan) -> str:
    """Return one line a device: its name, and ``port=far device:far port`` for each link."""
    names = plan.device_names()
    lines: list[dict[int, str]] = [{} for _ in names]
    for _, _, lower, lower_port, upper, upper_port in plan.topology.links.rows():
        lines[lower][lower_port] = f"{lower_port}={names[upper]}:{upper_port}"
        lines[upper][upper_port] = f"{upper_port}={names[lower]}:{lower_port}"
    return "".join(
        f"{name}  {' '.join(ports[key] for key in sorted(ports))}\n" for name, ports in zip(names, lines, strict=True)
    )


def test_eight_nodes(toy_plan_of: PlanOf) -> None:
    plan = toy_plan_of({"nodes": 8})
    assert ports_of(plan) == GOLDEN.read_text(encoding="utf-8")
