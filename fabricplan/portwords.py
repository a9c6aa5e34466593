"""What the panel says at each end of a link: switch ports, node ports, and their short form for labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from fabricplan.catalog import AdapterType, FibreType, HostPort, PanelType, PlatformType, SwitchType
from fabricplan.names import card_label, module_port_label, port_label
from fabricplan.requirement import Requirement
from fabricplan.sizing import FabricSizing, GroupPorts, TierPorts
from fabricplan.topology import (
    CORE,
    LEAF,
    LEAF_SPINE,
    NODE_LEAF,
    RESERVED,
    SPINE,
    SPINE_CORE,
    TIERS,
    Topology,
    group_links,
    tier_ports,
)
from fabricplan.values import IntArray

JOINER = " + "
"""Between the ports that one plug serves."""


class Facts(Protocol):
    """Where the products' facts are looked up: a catalogue, or the products that a plan holds."""

    def platform(self, name: str, /) -> PlatformType:
        """Return a platform by id."""

    def adapter(self, pn: str, /) -> AdapterType:
        """Return an adapter by part number."""

    def switch(self, model: str, /) -> SwitchType:
        """Return a switch by model."""

    def fibre(self, key: str, /) -> FibreType:
        """Return a fibre family by id."""

    def panel(self, key: str, /) -> PanelType:
        """Return a patch panel by id."""


class Wired(Protocol):
    """What words of ports follow from: a plan, or its first stages before there is one."""

    @property
    def requirement(self) -> Requirement:
        """The request."""

    @property
    def fabrics(self) -> tuple[FabricSizing, ...]:
        """One sizing per fabric."""

    @property
    def topology(self) -> Topology:
        """Devices and links."""

    @property
    def products(self) -> Facts:
        """Facts of the products."""


class Stages(NamedTuple):
    """The stages of a plan in the making."""

    requirement: Requirement
    fabrics: tuple[FabricSizing, ...]
    topology: Topology
    products: Facts


class PortText(NamedTuple):
    """A port as printed.

    Attributes:
        panel: the panel label (``IB1/5/1``, ``OSFP4 P1``, ``NIC3``).
        number: the InfiniBand port number of a switch port, else empty.
        cage: the cage: a number on switches, the panel's word on nodes.
        short: the form for cable labels (``P05/1``, ``OSFP4P1``).
    """

    panel: str
    number: str
    cage: str
    short: str


MANAGEMENT_PORT = PortText("MGMT", "", "MGMT", "MGMT")
"""The management port of a switch (RJ45). Makers print it as MGMT, MGT or eth0; ours is one word for all."""


class LinkPorts(NamedTuple):
    """Port texts of all links: a table of texts, and the row of it at each end of each link."""

    texts: list[PortText]
    lower: IntArray
    upper: IntArray


def switch_port(numbering: str | None, number: int, ports: TierPorts, links_in_cage: int, numbered: bool) -> PortText:
    """Return the texts of a switch port.

    Args:
        numbering: the product's rule for panel labels; None where the catalogue has none (then ``P5/1``).
        number: port number from 1 in the switch's profile.
        ports: how the tier's switches are used.
        links_in_cage: links of this cage.
        numbered: whether the InfiniBand port number is told.
    """
    cage, place = divmod(number - 1, ports.numbers_per_cage)
    if ports.module_cages is not None:
        module, within = divmod(cage, ports.module_cages)
        half = place * links_in_cage // ports.numbers_per_cage
        panel = module_port_label(module + 1, within + 1, half, links_in_cage)
        # the chips of a module have port numbers of their own, and which ports are whose is not published
        return PortText(panel, "", module_port_label(module + 1, within + 1, 0, 1), panel)
    if numbering is None:
        part = f"/{place * links_in_cage // ports.numbers_per_cage + 1}" if links_in_cage > 1 else ""
        panel = f"P{cage + 1}{part}"
    else:
        panel = port_label(numbering, number, ports.numbers_per_cage, links_in_cage)
    return PortText(panel, str(number) if numbered else "", str(cage + 1), short_port(panel))


def short_port(panel: str) -> str:
    """Return the form of a panel label for a cable label: the cage in two digits, no blanks or commas.

    >>> [short_port(text) for text in ("IB1/8/1", "IB1/7", "sw72p2", "swp33s1", "OSFP4 P1", "NIC2 P1/2")]
    ['P08/1', 'P07', 'P72p2', 'P33s1', 'OSFP4P1', 'NIC2P1/2']
    """
    match = re.fullmatch(r"(?:IB1/|swp|sw|P)([0-9]+)(.*)", panel)
    return f"P{int(match[1]):02}{match[2]}" if match else re.sub(r"[^\w/+.-]", "", panel)


def maker_ports(plan: Wired, fabric: int, group: GroupPorts) -> list[HostPort]:
    """Return the maker's row of every port that a group's nodes use on a fabric, in the order of the fabric's port
    numbers; empty where the platform does not list each port, or the ports are those of cards.

    The only place that says which of a platform's ports a fabric uses: all in the order of the catalogue; of more
    ports than it needs, those of the lowest rails, as sizing takes them.
    """
    network = plan.products.platform(group.platform).network(plan.fabrics[fabric].network) if group.platform else None
    if group.adapter is not None or network is None:
        return []
    rows, count = list(network.ports), len(group.ports)
    if len(rows) < count or (group.ports_per_cage > 1 and len(rows) == network.cage_count):
        return []
    if len(rows) > count and group.ports_per_cage == 1:
        rows.sort(key=lambda row: row.rail)
    return rows[:count]


def node_ports(plan: Wired, fabric: int, group: GroupPorts) -> list[PortText]:
    """Return the ports of a group's nodes on one fabric, in the order of the fabric's port numbers.

    The maker's own labels where the platform lists them; cards are numbered over all fabrics of the node; other
    cages take the panel's word and a number. A word that two networks of a platform share is told apart by the
    network's name.
    """
    sizing = plan.fabrics[fabric]
    count, per_cage = len(group.ports), group.ports_per_cage
    if group.adapter is not None:
        cages = plan.products.adapter(group.adapter).cages[0].count
        before = sum(
            other.adapters_per_node for earlier in plan.fabrics[:fabric] for other in earlier.groups
            if other.group == group.group
        )  # fmt: skip
        found = []
        for port in range(count):
            cage, part = divmod(port, per_cage)
            card = before + cage // cages
            panel = card_label(card, cage % cages, cages, part, per_cage)
            whole = card_label(card, cage % cages, cages, 0, 1) if cages > 1 else f"NIC{card + 1}"
            found.append(PortText(panel, "", whole, short_port(panel)))
        return found
    platform = plan.products.platform(group.platform)
    network = platform.network(sizing.network)
    listed = network.ports if network else ()
    cages = network.cage_count or 0 if network else 0
    own = maker_ports(plan, fabric, group)
    if own:
        panels = [(f"{row.cage} {row.port}".strip(), row.cage) for row in own]
        return [PortText(panel, "", cage, short_port(panel)) for panel, cage in panels]
    if listed and len(listed) == cages and per_cage > 1:
        found = []
        for port in range(count):
            name = listed[port // per_cage].cage
            panel = f"{name} P{port % per_cage + 1}"
            found.append(PortText(panel, "", name, short_port(panel)))
        return found
    word = network.cage_label or "" if network else ""
    shared = [other for other in platform.networks if other is not network and other.cage_label == word]
    word = word or sizing.network.upper()
    if shared:
        word = f"{sizing.network.upper()}-{word}"
    found = []
    for port in range(count):
        cage, part = divmod(port, per_cage)
        name = f"{word}-{cage + 1}" if cages > 1 or count > per_cage else word
        panel = f"{name} P{part + 1}" if per_cage > 1 else name
        found.append(PortText(panel, "", name, short_port(panel)))
    return found


def link_ports(plan: Wired) -> LinkPorts:
    """Return the port texts of every link's two ends."""
    links, devices = plan.topology.links, plan.topology.devices
    texts: list[PortText] = []
    lower, upper = np.zeros(len(links), np.int64), np.zeros(len(links), np.int64)
    for number, sizing in enumerate(plan.fabrics):
        fabric = links.fabric == number
        for group, rows in group_links(plan.requirement, plan.fabrics, devices, links, number):
            port = links.wide("lower_port")[rows]
            lower[rows] = len(texts) + port - 1
            if group.kind == "nodes":
                texts += node_ports(plan, number, group)
            elif group.kind == "boxes":
                texts.append(MANAGEMENT_PORT)
            else:
                source = next(other for other in plan.fabrics if other.name in group.of)
                texts += _tier_texts(plan, source, LEAF, False, int(port.max(initial=0)))
        rows = np.nonzero(fabric & (links.role == RESERVED))[0]
        lower[rows] = len(texts)
        texts.append(PortText("", "", "", ""))
        for tier, roles, down in (
            (LEAF, (NODE_LEAF, RESERVED), True), (LEAF, (LEAF_SPINE,), False), (SPINE, (LEAF_SPINE,), True),
            (SPINE, (SPINE_CORE,), False), (CORE, (SPINE_CORE,), True),
        ):  # fmt: skip
            rows = np.nonzero(fabric & np.isin(links.role, roles))[0]
            if rows.size:
                ends, name = (upper, "upper_port") if down else (lower, "lower_port")
                ports = links.wide(name)[rows]
                ends[rows] = len(texts) + ports - 1
                texts += _tier_texts(plan, sizing, tier, down, int(ports.max()))
    return LinkPorts(texts, lower, upper)


def _tier_texts(plan: Wired, sizing: FabricSizing, tier: int, down: bool, highest: int) -> list[PortText]:
    ports = tier_ports(sizing.shape, tier)
    numbering = plan.products.switch(ports.model).port_numbering
    in_cage = ports.down_per_cage if down else ports.up_per_cage
    numbered = sizing.technology == "infiniband"
    return [switch_port(numbering, number, ports, in_cage, numbered) for number in range(1, highest + 1)]


def joined(texts: Sequence[PortText]) -> PortText:
    """Return one text for the ports that one plug serves.

    >>> joined([PortText("IB1/8/1", "15", "8", "P08/1"), PortText("IB1/8/2", "16", "8", "P08/2")])
    PortText(panel='IB1/8/1 + IB1/8/2', number='15 + 16', cage='8', short='P08/1+2')
    """
    first = texts[0].short
    rest = [text.short[_alike(first, text.short) :] for text in texts[1:]]
    cages = dict.fromkeys(text.cage for text in texts)
    return PortText(
        JOINER.join(text.panel for text in texts),
        JOINER.join(text.number for text in texts if text.number),
        JOINER.join(cages),
        "+".join([first, *rest]),
    )


def _alike(one: str, other: str) -> int:
    """Return how many leading characters two texts share."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def rail_texts(plan: Wired) -> tuple[list[str], IntArray]:
    """Return rail texts and the one that each link belongs to: the node port's rail, on leaf uplinks the rails of
    the leaf (``3``, ``0 + 3``), else empty."""
    links, devices = plan.topology.links, plan.topology.devices
    texts: list[str] = [""]
    which = np.zeros(len(links), np.int64)
    lower, port = links.wide("lower"), links.wide("lower_port")
    leaf_text: dict[str, int] = {}
    by_leaf = np.zeros(len(devices), np.int64)
    for number, sizing in enumerate(plan.fabrics):
        for group, rows in group_links(plan.requirement, plan.fabrics, devices, links, number):
            if not rows.size or len(group.ports) == 1 or group.kind != "nodes":
                continue
            rails = np.array([item.rail for item in group.ports])[port[rows] - 1]
            which[rows] = len(texts) + rails
            texts += [str(rail) for rail in range(int(rails.max()) + 1)]
            railed = sizing.rail_planes or group.leaves_per_unit > 1
            if railed:
                pairs = np.unique(links.wide("upper")[rows] * 256 + rails)
                leaves, starts = np.unique(pairs // 256, return_index=True)
                for leaf, found in zip(leaves.tolist(), np.split(pairs % 256, starts[1:]), strict=True):
                    text = JOINER.join(map(str, found.tolist()))
                    by_leaf[leaf] = leaf_text.setdefault(text, len(leaf_text) + 1)
    up = links.role == LEAF_SPINE
    which[up] = np.where(by_leaf[lower[up]] > 0, len(texts) - 1 + by_leaf[lower[up]], 0)
    return [*texts, *leaf_text], which


def tier_word(kind: int, tier: int) -> str:
    """Return the word of a device row: ``node``, ``host``, ``leaf``, ``spine`` or ``core``."""
    return "host" if kind == 1 else TIERS[tier]
