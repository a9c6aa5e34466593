"""A plan as an InfiniBand subnet on ``ibsim``, swept by a real OpenSM, and what its tables say.

Every host port is a one-port ``Hca`` record, as a subnet manager sees single-port adapters. Each run has a fresh
folder and, where the system allows it, a network namespace of its own (ibsim listens on sockets with fixed names).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fabricplan.plan import Plan
from fabricplan.topology import HOST, LEAF_SPINE, NODE_LEAF, RESERVED, SPINE_CORE, SWITCH

PROGRAMS = ("opensm", "ibsim", "ibsim-run", "ibdmchk", "unshare")


def missing_programs() -> list[str]:
    """Return the programs that are not installed."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


def net_file(plan: Plan, plane: int = 0, first: str = "") -> str:
    """Return the subnet of one plane in the form that ``ibnetdiscover`` prints and ``ibsim`` reads.

    Hosts come first: the subnet manager runs on the first port of the file. Switches follow by name: ``ibsim`` counts
    GUIDs in the order of the file, and OpenSM begins to number leaves at the lowest one, that of ``first`` where named.
    """
    devices, links, names = plan.topology.devices, plan.topology.links, plan.device_names()
    ends: dict[str, list[tuple[int, str, int]]] = defaultdict(list)
    size: dict[str, int] = {}
    hosts: list[str] = []
    for _, role, lower, lower_port, upper, upper_port in links.rows():
        if int(devices.plane[upper]) != plane:
            continue
        for device in (lower, upper):
            if devices.kind[device] == SWITCH:
                tier = devices.tier[device]
                shape = plan.fabrics[0].shape
                ports = (None, shape.leaf, shape.spine, shape.core)[tier]
                assert ports is not None
                size[names[device]] = ports.cage_count * ports.numbers_per_cage
        if role in (NODE_LEAF, RESERVED):
            host = names[lower] if devices.kind[lower] == HOST else f"{names[lower]}.{lower_port}"
            hosts.append(host)
            size[host] = 1
            near, near_port = host, 1
        else:
            assert role in (LEAF_SPINE, SPINE_CORE)
            near, near_port = names[lower], lower_port
        ends[near].append((near_port, names[upper], upper_port))
        ends[names[upper]].append((upper_port, near, near_port))
    lines = []
    switches = sorted((name for name in size if name not in set(hosts)), key=lambda name: (name != first, name))
    for kind, found in (("Hca", hosts), ("Switch", switches)):
        for name in found:
            lines.append(f'{kind}\t{size[name]} "{name}"')
            lines += [f'[{port}]\t"{far}"[{far_port}]' for port, far, far_port in sorted(ends[name])]
            lines.append("")
    return "\n".join(lines)


@dataclass(frozen=True)
class Sweep:
    """What one sweep left behind: the log and the folder with its tables."""

    log: str
    folder: Path

    @property
    def fat_tree(self) -> bool:
        """Whether ftree routed the subnet and nothing else was fallen back to."""
        return "ftree tables configured on all switches" in self.log and "allback" not in self.log

    @property
    def up(self) -> bool:
        """Whether the subnet came up."""
        return "SUBNET UP" in self.log


def sweep(plan: Plan, folder: Path, plane: int = 0, text: str | None = None) -> Sweep:
    """Run ibsim and one OpenSM sweep of a plan (or of ``text``) in ``folder``; the shell ends the simulator."""
    text = text or net_file(plan, plane)
    (folder / "net").write_text(text, encoding="ascii")
    first = text.split('"', 2)[1]
    script = textwrap.dedent(f"""
        ibsim -n -s -N 20000 -S 4000 -P 400000 net >ibsim.log 2>&1 </dev/null &
        simulator=$!
        for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            kill -0 $simulator 2>/dev/null || break
            sleep 0.2
            SIM_HOST="{first}" OSM_TMP_DIR=$PWD OSM_CACHE_DIR=$PWD \\
                timeout 300 ibsim-run opensm -o -f osm.log -R ftree -D 0x43 -s 0 >opensm.out 2>&1
            [ -s osm.log ] && break
        done
        kill $simulator
        wait $simulator 2>/dev/null
    """)
    command = ["sh", "-c", script]
    if subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode == 0:
        command = ["unshare", "-n", *command]
    subprocess.run(command, cwd=folder, check=False, timeout=600)
    log = folder / "osm.log"
    return Sweep(log.read_text(errors="replace") if log.exists() else "", folder)


def deadlock_report(found: Sweep) -> str:
    """Return what ibdmchk prints of the tables; on large subnets it may crash after its last line."""
    done = subprocess.run(
        ["ibdmchk", "-s", "opensm-subnet.lst", "-f", "opensm.fdbs", "-m", "opensm.mcfdbs"],
        cwd=found.folder, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    return done.stdout + done.stderr


@dataclass(frozen=True)
class Routes:
    """Forwarding tables by name: of each switch, destination -> out port; and where each port leads."""

    out: Mapping[str, Mapping[str, int]]
    far: Mapping[tuple[str, int], str]
    leaf: Mapping[str, str]

    def path(self, source: str, target: str) -> list[tuple[str, int]]:
        """Return the (switch, out port) hops of one route; the last one leads to the target."""
        hops, here = [], self.leaf[source]
        while here != target:
            port = self.out[here][target]
            hops.append((here, port))
            here = self.far[here, port]
            if len(hops) > 6:
                raise AssertionError(f"no route from {source} to {target}")
        return hops


def routes(found: Sweep) -> Routes:
    """Read ``opensm-lfts.dump`` against the fabric file."""
    far: dict[tuple[str, int], str] = {}
    leaf: dict[str, str] = {}
    name, host = "", False
    for line in (found.folder / "net").read_text().splitlines():
        if head := re.match(r'(Hca|Switch)\s+\d+ "(.+)"', line):
            host, name = head[1] == "Hca", head[2]
        elif port := re.match(r'\[(\d+)\]\s+"(.+)"\[\d+\]', line):
            far[name, int(port[1])] = port[2]
            if host:
                leaf[name] = port[2]
    out: dict[str, dict[str, int]] = {}
    table: dict[str, int] = {}
    for line in (found.folder / "opensm-lfts.dump").read_text().splitlines():
        if head := re.match(r"Unicast lids .* of switch .*\('(.+)'\):", line):
            table = out.setdefault(head[1], {})
        elif entry := re.match(r"0x[0-9a-f]+ (\d+) # .*portguid .*?: '(.+)'", line):
            table[entry[2]] = int(entry[1])
    return Routes(out, far, leaf)


def shift_loads(found: Routes, order: Sequence[str | None], shifts: Iterable[int]) -> Counter[int]:
    """Return how many switch-to-switch links carry 1, 2 ... flows, over cyclic shifts of an order (None: a phantom)."""
    loads: Counter[int] = Counter()
    size, hops = len(order), {}
    for shift in shifts:
        load: Counter[tuple[str, int]] = Counter()
        for place, source in enumerate(order):
            target = order[(place + shift) % size]
            if source is None or target is None or source == target:
                continue
            key = (found.leaf[source], target)
            if key not in hops:
                hops[key] = found.path(source, target)[:-1]
            load.update(hops[key])
        loads.update(load.values())
    return loads


def padded_order(plan: Plan, plane: int = 0) -> list[str | None]:
    """Return the hosts by (unit, slot, port), every unit filled up with phantoms to the size of the largest one."""
    devices, links, names = plan.topology.devices, plan.topology.links, plan.device_names()
    slots = max(run.nodes_each for run in plan.fabrics[0].shape.units)
    units = sum(run.unit_count for run in plan.fabrics[0].shape.units)
    group = plan.fabrics[0].groups[0]
    ports = [number for number, port in enumerate(group.ports, 1) if plane in (0, port.plane)]
    ports.sort(key=lambda number: (group.ports[number - 1].leaf, group.ports[number - 1].position))
    order: list[str | None] = [None] * (units * slots * len(ports))
    for _, role, lower, port, upper, _ in links.rows():
        if role == NODE_LEAF and int(devices.plane[upper]) == plane:
            unit, slot = int(devices.unit[lower]) - 1, int(devices.index[lower]) - 1
            order[(unit * slots + slot) * len(ports) + ports.index(port)] = f"{names[lower]}.{port}"
    return order
