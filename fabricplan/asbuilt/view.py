"""One fabric of a plan as verification sees it: planned links, their ends by device and port, and their words.

Every planned link has two ends with the numbers 2 x row and 2 x row + 1 (lower, upper); an end's planned partner is
``end ^ 1``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from fabricplan.plan import Plan
from fabricplan.portwords import link_ports, maker_ports, rail_texts
from fabricplan.topology import NODE, NODE_LEAF, RESERVED, SWITCH
from fabricplan.values import IntArray, Value

PORTS = 1 << 16


class PlugEnd(Value):
    """A port where a plug belongs or was found, in the words of the floor.

    Attributes:
        kind: ``switch`` or ``node`` (of the plan), or ``other``.
        device: its name.
        rack, u: where it stands; None for devices that are not in the plan.
        port: panel label.
        number: port number of a switch; of a node, the count of its port on this fabric, from 1.
    """

    kind: Literal["switch", "node", "other"]
    device: str
    rack: str | None = None
    u: int | None = None
    port: str = ""
    number: int | None = None


@dataclass(frozen=True)
class FabricView:
    """The planned links of one fabric, of the planes that are asked for.

    Attributes:
        plan: the plan.
        fabric: number of the fabric.
        rows: link rows of the plan that are judged.
        lower, lower_port, upper, upper_port: their ends.
        role: their role.
        gbps: their planned rate.
        names: name of every device row of the plan.
    """

    plan: Plan
    fabric: int
    rows: IntArray
    lower: IntArray
    lower_port: IntArray
    upper: IntArray
    upper_port: IntArray
    role: IntArray
    gbps: IntArray
    names: list[str] = field(repr=False)

    @cached_property
    def end_of(self) -> dict[int, int]:
        """Device x 65536 + port -> end."""
        keys = np.stack([self.lower * PORTS + self.lower_port, self.upper * PORTS + self.upper_port], axis=1)
        return dict(zip(keys.reshape(-1).tolist(), range(2 * len(self.rows)), strict=True))

    @cached_property
    def device_of(self) -> list[int]:
        """Device row of every end."""
        found: list[int] = np.stack([self.lower, self.upper], axis=1).reshape(-1).tolist()
        return found

    @cached_property
    def port_of(self) -> list[int]:
        """Port number of every end."""
        found: list[int] = np.stack([self.lower_port, self.upper_port], axis=1).reshape(-1).tolist()
        return found

    @cached_property
    def ends_of(self) -> dict[int, list[int]]:
        """Device row -> its ends, in port order."""
        held: dict[int, list[int]] = {}
        for end, device in enumerate(self.device_of):
            held.setdefault(device, []).append(end)
        return held

    @cached_property
    def switches(self) -> list[int]:
        """Device rows of the switches that links of this fabric end at, as uppers or as switches of its own."""
        rows = np.unique(np.concatenate([self.lower, self.upper]))
        found: list[int] = rows[self.plan.topology.devices.kind[rows] == SWITCH].tolist()
        return found

    @cached_property
    def nodes(self) -> list[int]:
        """Device rows of nodes and of hosts on reserved ports."""
        rows = np.unique(self.lower)
        found: list[int] = rows[self.plan.topology.devices.kind[rows] != SWITCH].tolist()
        return found

    def kind(self, device: int) -> int:
        """Return the kind of a device row."""
        return int(self.plan.topology.devices.kind[device])

    def data_ports(self, device: int) -> int:
        """Return the ports of a switch that has a port for a manager's host besides; 0 for others."""
        row = self.plan.topology.device_types[int(self.plan.topology.devices.type[device])]
        switch = self.plan.products.switch(row.key) if row.kind == "switch" else None
        if switch is None or switch.management_port is None:
            return 0
        return max(group.count * mode.ports for group in switch.cages for mode in group.modes)

    @cached_property
    def reserved(self) -> set[int]:
        """Positions (not rows) of links of reserved ports."""
        return set(np.flatnonzero(self.role == RESERVED).tolist())

    @cached_property
    def words(self) -> list[tuple[str, str]]:
        """Panel label at the lower and at the upper end of every link."""
        ports = link_ports(self.plan)
        panel = [text.panel for text in ports.texts]
        lower, upper = ports.lower[self.rows].tolist(), ports.upper[self.rows].tolist()
        return [(panel[one], panel[two]) for one, two in zip(lower, upper, strict=True)]

    @cached_property
    def rails(self) -> list[str]:
        """Rail of every link, as text; empty where it has none."""
        texts, which = rail_texts(self.plan)
        return [texts[at] for at in which[self.rows].tolist()]

    @cached_property
    def cable(self) -> list[int]:
        """Cable row of every link; -1 for reserved ports without a cable."""
        found: list[int] = self.plan.cabling.links.wide("cable")[self.rows].tolist()
        return found

    @cached_property
    def tail(self) -> list[int]:
        """Number of the splitter's tail that carries a link, from 1; 0 where its cable is no splitter."""
        found: list[int] = self.plan.cabling.links.wide("tail")[self.rows].tolist()
        return found

    @cached_property
    def heads(self) -> dict[int, list[int]]:
        """Cable row of a splitter -> its ends at the head: one plug for all of them."""
        links: dict[int, list[int]] = {}
        for link, (cable, tail) in enumerate(zip(self.cable, self.tail, strict=True)):
            if cable >= 0 and tail:
                links.setdefault(cable, []).append(link)
        upper, lower = self.upper.tolist(), self.lower.tolist()
        return {
            cable: [2 * link + int(len({upper[at] for at in held}) <= len({lower[at] for at in held})) for link in held]
            for cable, held in links.items()
        }  # fmt: skip

    def cable_ids(self, link: int) -> tuple[str, ...]:
        """Return the ids of a link's cable, with the tail of a splitter, in the cable schedule; of a link through patch
        panels those of its cord, trunk and cord. None without a cable."""
        row, tail = self.cable[link], self.tail[link]
        if row < 0:
            return ()
        if link in self.pieces:
            return tuple(self._ids[piece] for piece in self.pieces[link])
        return (f"{self._ids[row]}{f'-{tail}' if tail else ''}",)

    @cached_property
    def _ids(self) -> list[str]:
        return self.plan.cabling.cable_ids()

    def plug_id(self, end: int) -> tuple[str, ...]:
        """Return the id of the cable whose plug is at an end (twice the link, and 1 for the upper one)."""
        ids = self.cable_ids(end >> 1)
        return ids if len(ids) < 2 else (ids[-1 if end & 1 else 0],)

    @cached_property
    def pieces(self) -> dict[int, tuple[int, int, int]]:
        """Link through patch panels -> cable rows: cord at its lower end, trunk, cord at its upper end."""
        patches = self.plan.cabling.patches
        if patches is None:
            return {}
        place = {row: at for at, row in enumerate(self.rows.tolist())}
        return {
            place[link]: (self.cable[place[link]], trunk, upper)
            for link, upper, trunk in zip(patches.link.tolist(), patches.upper_cord.tolist(), patches.trunk.tolist(),
                                          strict=True) if link in place
        }  # fmt: skip

    @cached_property
    def _racks(self) -> list[str]:
        return self.plan.placement.rack_names()

    def plug(self, end: int) -> PlugEnd:
        """Return an end in the words of the floor."""
        device = self.device_of[end]
        return self._plug(device, self.words[end >> 1][end & 1], self.port_of[end])

    def place(self, device: int, port: int) -> PlugEnd:
        """Return a port of a planned device that the plan leaves free."""
        return self._plug(device, f"port {port}" if port else "?", port or None)

    def whole(self, device: int) -> PlugEnd:
        """Return a planned device, without a port."""
        return self._plug(device, "", None)

    def _plug(self, device: int, port: str, number: int | None) -> PlugEnd:
        places = self.plan.placement.places
        if self._is_director(device):
            number = None  # the chips of its modules count their ports each
        return PlugEnd(kind="switch" if self.kind(device) == SWITCH else "node", device=self.names[device],
                       rack=self._racks[int(places.rack[device])], u=int(places.u[device]) or None, port=port,
                       number=number)  # fmt: skip

    def _is_director(self, device: int) -> bool:
        row = self.plan.topology.device_types[int(self.plan.topology.devices.type[device])]
        return row.kind == "switch" and self.plan.products.switch(row.key).inside is not None

    @cached_property
    def labels(self) -> dict[tuple[int, str], int]:
        """(device row, folded panel label or adapter name) -> port number, for formats that tell labels."""
        found: dict[tuple[int, str], int] = {}
        for end, (device, port) in enumerate(zip(self.device_of, self.port_of, strict=True)):
            found[device, fold(self.words[end >> 1][end & 1])] = port
        for device in self.nodes:
            for word, port in self.adapter_words(device).items():
                found.setdefault((device, word), port)
        return found

    def adapter_words(self, node: int) -> dict[str, int]:
        """Return what the platform calls the ports of a node on this fabric -> port number.

        The RDMA names (``mlx5_4``) and interface names of the catalogue, where it lists the ports of this network.
        """
        devices = self.plan.topology.devices
        if self.kind(node) != NODE:
            return {}
        return self._group_words[int(devices.group[node])]

    @cached_property
    def _group_words(self) -> dict[int, dict[str, int]]:
        found: dict[int, dict[str, int]] = {}
        sizing = self.plan.fabrics[self.fabric]
        for number, group in enumerate(self.plan.requirement.groups):
            words: dict[str, int] = {}
            for ports in sizing.groups:
                if ports.group != group.name:
                    continue
                for port, row in enumerate(maker_ports(self.plan, self.fabric, ports), start=1):
                    for word in (row.rdma, row.interface):
                        if word:
                            words[fold(word)] = port
            found[number] = words
        return found


def fold(text: str) -> str:
    """Return a name or label as it is compared: without regard to case and outer blanks."""
    return text.strip().casefold()


def short(text: str) -> str:
    """Return a folded name without its domain.

    >>> short("Node-1.example.net")
    'node-1'
    """
    return re.sub(r"\..*", "", fold(text))


def view(plan: Plan, fabric: int, planes: Sequence[int] = ()) -> FabricView:
    """Return one fabric of a plan; ``planes`` (as the device table counts them) limits it."""
    links = plan.topology.links
    chosen = links.fabric == fabric
    if planes:
        chosen = chosen & np.isin(plan.topology.devices.plane[links.upper], list(planes))
    rows = np.flatnonzero(chosen)
    sizing = plan.fabrics[fabric]
    role = links.wide("role")[rows]
    gbps = np.where((role == NODE_LEAF) | (role == RESERVED), sizing.link_gbps, sizing.uplink_gbps)
    return FabricView(
        plan=plan, fabric=fabric, rows=rows, lower=links.wide("lower")[rows], lower_port=links.wide("lower_port")[rows],
        upper=links.wide("upper")[rows], upper_port=links.wide("upper_port")[rows], role=role, gbps=gbps,
        names=plan.device_names(),
    )  # fmt: skip
