"""``<fabric>.topo`` and its ``.ibnl`` system files: the planned InfiniBand cabling for ibdiagnet, ibdmchk, ibtopodiff.

For ibutils 1.5.7 (``ibdmchk``, ``ibtopodiff``) and ibdiagnet 2.23 of NVIDIA's IBUtils2, by the manual pages
ibdm-topo-file(1) and ibdm-ibnl-file(1), IBUtils2 Utility Documentation 2.23 ("Topology Comparison") and the topology
file in NVIDIA's Cable Validation Tool documentation 1.5 ("Topo File"). One ``.topo`` per subnet; the system files are
in ``ibnl/``::

    IBDM_IBNL_PATH=ibnl ibdmchk -t compute.topo -n node-su01-001/mlx5_0 -p 1
    ibdiagnet --topo_file compute.topo --out_ibnl_dir ibnl

A switch's ports are ``P`` and the InfiniBand port number, as ibdiagnet writes them; a host's are adapter and port,
``mlx5_0/P1``. A director is a system of its chips, with panel ports ``L01/U1/P5``: leaf module, chip, the chip's port.
Every cable between switches stands in the sections of both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from fabricplan.catalog import DirectorChips
from fabricplan.plan import Plan
from fabricplan.proof.inside import chip_ports, director_of
from fabricplan.proof.wiring import Wiring
from fabricplan.renderers.subnets import Subnet, subnets
from fabricplan.topology import LEAF, tier_ports


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return the topology files and the system files; the language does not matter."""
    files: dict[str, bytes] = {}
    systems: dict[str, bytes] = {}
    hosts: dict[tuple[str, ...], str] = {}
    for subnet in subnets(plan, "topo"):
        kinds = _host_systems(subnet, hosts, systems)
        files[f"{subnet.stem}.topo"] = _topology(plan, subnet, kinds, systems)
    return files | {f"ibnl/{name}.ibnl": text for name, text in sorted(systems.items())}


def switch_system(model: str, split: bool) -> str:
    """Return the system type of a switch model, in NVIDIA's spelling.

    >>> switch_system("QM9700", False), switch_system("SB7800", False), switch_system("Q3400-RA", False)
    ('MQM9700', 'MSB7800', 'Q3400-RA')
    >>> switch_system("QM8700", True)
    'MQM8700_split'
    """
    word = re.sub(r"[^A-Za-z0-9_.-]+", "_", f"M{model}" if model.startswith(("QM", "SB")) else model)
    return word + ("_split" if split else "")


def _host_systems(subnet: Subnet, known: dict[tuple[str, ...], str], systems: dict[str, bytes]) -> dict[str, str]:
    """Return device -> system type of all hosts, and add the system files; hosts with the same adapters are alike."""
    adapters: dict[str, list[str]] = {}
    for end in subnet.ends:
        device, _, adapter = end.partition(" ")
        adapters.setdefault(device, []).append(adapter)
    found: dict[str, str] = {}
    for device, held in adapters.items():
        key = tuple(sorted(held))
        if key not in known:
            before = sum(len(other) == len(key) for other in known)
            known[key] = f"HOST_{len(key)}" + (f".{before + 1}" if before else "")
            systems[known[key]] = _host_file(known[key], key)
        found[device] = known[key]
    return found


def _host_file(name: str, adapters: Iterable[str]) -> bytes:
    lines = [f"TOPSYSTEM {name}", ""]
    for adapter in adapters:
        lines += [f"NODE CA 1 ADAPTER {adapter}", f"    1 -> {adapter}/P1", ""]
    return "\n".join(lines).encode()


def _switch_file(name: str, ports: int) -> bytes:
    rows = [f"    {port} -> P{port}" for port in range(1, ports + 1)]
    return "\n".join([f"TOPSYSTEM {name}", "", f"NODE SW {ports} SWITCH U1", *rows, ""]).encode()


def _topology(plan: Plan, subnet: Subnet, kinds: dict[str, str], systems: dict[str, bytes]) -> bytes:
    wiring = subnet.wiring
    inside = director_of(plan, wiring.sizing)
    if inside is not None and wiring.module.any():
        return _director(plan, subnet, inside, kinds, systems)
    own = [_system(plan, wiring, tier, systems) for tier in wiring.tier.tolist()]
    near: list[list[tuple[int, str]]] = [[] for _ in subnet.switches]
    trunk = (wiring.low.tolist(), wiring.low_port.tolist(), wiring.high.tolist(), wiring.high_port.tolist())
    for low, low_port, high, high_port in zip(*trunk, strict=True):
        near[low].append((low_port, f"{own[high]} {subnet.switches[high]} P{high_port}"))
        near[high].append((high_port, f"{own[low]} {subnet.switches[low]} P{low_port}"))
    for end, at, port in zip(subnet.ends, wiring.end_switch.tolist(), wiring.end_port.tolist(), strict=True):
        device, _, adapter = end.partition(" ")
        near[at].append((port, f"{kinds[device]} {device} {adapter}/P1"))
    lines = []
    for number, name in enumerate(subnet.switches):
        lines.append(f"{own[number]} {name}")
        lines += [f"   P{port} -> {far}" for port, far in sorted(near[number])]
        lines.append("")
    return "\n".join(lines).encode()


def _director(
    plan: Plan, subnet: Subnet, inside: DirectorChips, kinds: dict[str, str], systems: dict[str, bytes]
) -> bytes:  # fmt: skip
    """Return the topology of a subnet that is one director, and add its system: the chips of its fitted modules."""
    wiring = subnet.wiring
    ports = tier_ports(wiring.sizing.shape, LEAF)
    device, chips = subnet.switches[0].split("/", 1)[0], [name.split("/", 1)[1] for name in subnet.switches]
    count = chip_ports(inside, ports)
    near: list[dict[int, str]] = [{} for _ in chips]
    trunk = (wiring.low.tolist(), wiring.low_port.tolist(), wiring.high.tolist(), wiring.high_port.tolist())
    for low, low_port, high, high_port in zip(*trunk, strict=True):
        near[low][low_port] = f"{chips[high].replace('/', '')} {high_port}"
    outside = inside.external_ports * ports.numbers_per_cage
    name = f"{inside.described_as}{'_split' if ports.split else ''}"
    rows = [f"TOPSYSTEM {name}", ""]
    for chip, inner in zip(chips, near, strict=True):
        panel = {port: f"{chip}/P{port}" for port in range(1, outside + 1)} if chip.startswith("L") else {}
        rows.append(f"NODE SW {count} SWITCH {chip.replace('/', '')}")
        rows += [f"    {port} -> {far}" for port, far in sorted({**panel, **inner}.items())]
        rows.append("")
    systems[name] = "\n".join(rows).encode()
    lines = [f"{name} {device}"]
    for end, at, port in zip(subnet.ends, wiring.end_switch.tolist(), wiring.end_port.tolist(), strict=True):
        host, _, adapter = end.partition(" ")
        lines.append(f"   {chips[at]}/P{port} -> {kinds[host]} {host} {adapter}/P1")
    return "\n".join([*lines, ""]).encode()


def _system(plan: Plan, wiring: Wiring, tier: int, systems: dict[str, bytes]) -> str:
    """Return the system type of a tier's switches, and add its file."""
    ports = tier_ports(wiring.sizing.shape, tier)
    name = switch_system(ports.model, ports.split)
    numbers = (ports.down_first_cage - 1 + ports.cage_count) * ports.numbers_per_cage
    body = _switch_file(name, numbers)
    if len(body) > len(systems.get(name, b"")):
        systems[name] = body
    return name
