"""``<fabric>.net``: an InfiniBand fabric as ``ibsim`` reads it and ``ibnetdiscover`` prints it.

One file per plane (``compute.net``, ``compute-p1.net``), for ibsim 0.10 and what reads ``ibnetdiscover`` output. One
record a device, every cable from both ends, ports are InfiniBand port numbers. A node with eight ports is eight
one-port records, as in life: ``node-su01-001 mlx5_0``. The first record is where a subnet manager runs: a host on a
reserved port where there is one.

A director is its chips, ``leaf-su01/L01/U1`` and so on, as a subnet manager finds them; their inner wiring is even, its
order is ours (:mod:`fabricplan.proof.inside`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricplan.catalog import DirectorChips
from fabricplan.errors import Problem, RenderError
from fabricplan.plan import Plan
from fabricplan.proof.inside import chip_ports, director_of, switch_names, wirings
from fabricplan.proof.wiring import Wiring
from fabricplan.schedule import node_port_facts
from fabricplan.topology import LEAF, tier_ports
from fabricplan.values import IntArray


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return one file per plane of every InfiniBand fabric; the language does not matter.

    Raises:
        RenderError: the plan has none.
    """
    files = {}
    names = plan.device_names()
    for number, sizing in enumerate(plan.fabrics):
        if sizing.technology == "infiniband":
            for wiring in wirings(plan, number):
                files[file_name(wiring)] = fabric_file(plan, wiring, names)
    if not files:
        raise RenderError(Problem("no-infiniband", "'ibsim' describes InfiniBand fabrics; this plan has none", "",
                                  "for Ethernet fabrics: ptm, netbox, cvt"))  # fmt: skip
    return files


def file_name(wiring: Wiring) -> str:
    """Return the file of a plane."""
    return f"{wiring.sizing.name}{f'-p{wiring.plane}' if wiring.plane else ''}.net"


def fabric_file(plan: Plan, wiring: Wiring, names: list[str]) -> bytes:
    """Return the fabric file of one plane."""
    inside = director_of(plan, wiring.sizing)
    switch = switch_names(wiring, names)
    ends = end_names(plan, wiring, names)
    lines: list[str] = []
    hosts = [number for number in range(wiring.end_count) if wiring.reserved[number]]
    nodes = [number for number in range(wiring.end_count) if not wiring.reserved[number]]
    for number in hosts + nodes:
        lines += [f'Hca\t1 "{ends[number]}"',
                  f'[1]\t"{switch[wiring.end_switch[number]]}"[{wiring.end_port[number]}]', ""]  # fmt: skip
    far: list[list[tuple[int, str]]] = [[] for _ in switch]
    for low, low_port, high, high_port in _rows(wiring.low, wiring.low_port, wiring.high, wiring.high_port):
        far[low].append((low_port, f'"{switch[high]}"[{high_port}]'))
        far[high].append((high_port, f'"{switch[low]}"[{low_port}]'))
    for number, (at, port) in enumerate(_rows(wiring.end_switch, wiring.end_port)):
        far[at].append((port, f'"{ends[number]}"[1]'))
    for number, name in enumerate(switch):
        lines.append(f'Switch\t{_ports(wiring, number, far[number], inside)} "{name}"')
        lines += [f"[{port}]\t{other}" for port, other in sorted(far[number])]
        lines.append("")
    return "\n".join(lines).encode()


def end_names(plan: Plan, wiring: Wiring, names: list[str]) -> list[str]:
    """Return the node description of every endpoint: device and adapter."""
    group_of = plan.topology.devices.wide("group")[wiring.end_device]
    number = {item.name: at for at, item in enumerate(plan.requirement.groups)}
    adapters = {
        number[ports.group]: [fact.adapter for fact in node_port_facts(plan, wiring.fabric, ports)]
        for ports in wiring.sizing.groups if ports.kind == "nodes"
    }  # fmt: skip
    found = []
    for device, port, group, reserved in _rows(
        wiring.end_device, wiring.end_device_port, group_of, wiring.reserved.astype(np.int64)
    ):  # fmt: skip
        found.append(f"{names[device]} {'HCA-1' if reserved else adapters[group][port - 1]}")
    return found


def _ports(wiring: Wiring, switch: int, far: list[tuple[int, str]], inside: DirectorChips | None) -> int:
    """Return the ports of a switch: all numbers of its profile, and never fewer than are cabled."""
    if inside is not None and wiring.module[switch]:
        return chip_ports(inside, tier_ports(wiring.sizing.shape, LEAF))
    ports = tier_ports(wiring.sizing.shape, int(wiring.tier[switch]))
    cages = ports.down_first_cage - 1 + ports.cage_count
    return max([cages * ports.numbers_per_cage, *(port for port, _ in far)])


def _rows(*columns: IntArray) -> Iterator[tuple[int, ...]]:
    return zip(*(column.tolist() for column in columns), strict=True)
