"""Parts of every link: which cable or fibre, which modules, which length; and who shares them.

A link is a logical port-to-port connection. A straight fibre carries one link; a splitter fibre or cable has one
head (switch side) and several tails; a copper cable of a twin-port cage carries both links of both cages. A
transceiver is counted once per populated cage. Both fibres of a module are of one kind, so links that share
cages get the same optics: the longest of them decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np

from fabricplan.catalog import CableLength, CableType, Catalog, FibreType, RecipeOption, Technology
from fabricplan.errors import InfeasibleError, Problem
from fabricplan.mating import Join, family_of, ranked_options, reach_mm, recipe_for
from fabricplan.placement import Placement, required_lengths
from fabricplan.requirement import MediaPolicy, Requirement, RoomSettings
from fabricplan.sizing import FabricSizing
from fabricplan.topology import (
    CORE,
    LEAF,
    LEAF_SPINE,
    NODE_LEAF,
    RESERVED,
    ROLES,
    SPINE,
    SPINE_CORE,
    Topology,
    cage_of,
    tier_ports,
)
from fabricplan.values import Column, IntArray, Table, Value

LengthSource = Literal["estimated", "uniform", "surveyed"]


class CablePart(Value):
    """One purchasable cable or fibre: family and length."""

    kind: Literal["cable", "fibre"]
    family: str
    pn: str
    opn: str | None = None
    length_mm: int


class Cables(Table):
    """All cables and fibres, in order of their first link."""

    columns: ClassVar = {
        "part": Column("<u2", "row of the cable parts"),
        "link": Column("<i4", "first link that it carries"),
        "required_mm": Column("<i4", "required length in mm"),
        "bundle": Column("<i4", "bundle from 1: cables between the same two racks"),
    }


class LinkCables(Table):
    """Which cable carries each link; row = link row."""

    columns: ClassVar = {
        "cable": Column("<i4", "cable row; -1 where no part is known (reserved port without a host)"),
        "tail": Column("<u1", "tail of a splitter from 1; 0 for a straight cable"),
    }


class Transceivers(Table):
    """All pluggable modules: one per populated cage of an optical link."""

    columns: ClassVar = {
        "fabric": Column("<u1", "fabric number from 0 (host cages are counted per fabric)"),
        "device": Column("<i4", "device row"),
        "cage": Column("<u2", "cage from 1"),
        "part": Column("<u2", "row of the transceiver keys"),
    }


class Cabling(Value):
    """Cables, modules, and which of them serve which link.

    ``length_source`` says whether lengths come from the default room, one uniform number or a survey.
    """

    length_source: LengthSource
    cable_parts: tuple[CablePart, ...]
    transceiver_parts: tuple[str, ...]
    cables: Cables
    links: LinkCables
    transceivers: Transceivers


class _Book:
    """Collects parts and rows; lives inside one call of :func:`lay`."""

    def __init__(self, links: int) -> None:
        self.parts: list[CablePart] = []
        self.part_rows: dict[tuple[str, str, int], int] = {}
        self.modules: list[str] = []
        self.cable_part: list[IntArray] = []
        self.cable_mm: list[IntArray] = []
        self.cable_first: list[IntArray] = []
        self.count = 0
        self.link_cable = np.full(links, -1, np.int64)
        self.link_tail = np.zeros(links, np.int64)
        self.seen: list[tuple[int, IntArray, IntArray, int]] = []

    def part(self, part: CablePart) -> int:
        row = self.part_rows.setdefault((part.kind, part.family, part.length_mm), len(self.parts))
        if row == len(self.parts):
            self.parts.append(part)
        return row

    def module(self, key: str) -> int:
        if key not in self.modules:
            self.modules.append(key)
        return self.modules.index(key)


def lay(
    requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, placement: Placement,
    catalog: Catalog,
) -> Cabling:  # fmt: skip
    """Choose the parts of every link.

    Raises:
        InfeasibleError: two ends do not mate, or no part reaches far enough.
    """
    links, room = topology.links, requirement.room
    lower, upper = links.wide("lower"), links.wide("upper")
    required = required_lengths(placement, room, lower, upper)
    book = _Book(len(links))
    for number, sizing in enumerate(sizings):
        for role in (NODE_LEAF, LEAF_SPINE, SPINE_CORE, RESERVED):
            rows = np.nonzero((links.fabric == number) & (links.role == role))[0]
            if rows.size:
                _role(number, sizing, role, rows, topology, required, requirement, catalog, book)
    cables, order = _ordered_cables(book, placement, lower, upper)
    link_cable = np.where(book.link_cable >= 0, order[np.maximum(book.link_cable, 0)], -1) if book.count else (
        book.link_cable
    )  # fmt: skip
    source: LengthSource = "uniform" if room.uniform_length_mm else "surveyed" if room.surveyed else "estimated"
    return Cabling(
        length_source=source, cable_parts=tuple(book.parts), transceiver_parts=tuple(book.modules), cables=cables,
        links=LinkCables(cable=link_cable, tail=book.link_tail), transceivers=_modules(book),
    )  # fmt: skip


def _ordered_cables(
    book: _Book, placement: Placement, lower: IntArray, upper: IntArray
) -> tuple[Cables, IntArray]:
    """Order cables by their first link, number the bundles, and return old row -> new row."""
    if not book.count:
        return Cables(part=[], link=[], required_mm=[], bundle=[]), np.zeros(0, np.int64)
    first = np.concatenate(book.cable_first)
    order = np.argsort(first, kind="stable")
    rack = placement.places.wide("rack")
    a, b = rack[lower[first[order]]], rack[upper[first[order]]]
    pair = np.minimum(a, b) * (len(placement.racks) + 1) + np.maximum(a, b)
    _, where, bundle = np.unique(pair, return_index=True, return_inverse=True)
    rank = np.empty(where.size, np.int64)
    rank[np.argsort(where)] = np.arange(1, where.size + 1)
    back = np.empty(order.size, np.int64)
    back[order] = np.arange(order.size)
    table = Cables(
        part=np.concatenate(book.cable_part)[order], link=first[order], required_mm=np.concatenate(book.cable_mm)[order],
        bundle=rank[bundle],
    )  # fmt: skip
    return table, back


def _modules(book: _Book) -> Transceivers:
    """Merge the module rows: one per cage."""
    if not book.seen:
        return Transceivers(fabric=[], device=[], cage=[], part=[])
    fabric = np.concatenate([np.full(device.size, number) for number, device, _, _ in book.seen])
    device = np.concatenate([device for _, device, _, _ in book.seen])
    cage = np.concatenate([cage for _, _, cage, _ in book.seen])
    part = np.concatenate([np.full(device.size, part) for _, device, _, part in book.seen])
    key = (device * 256 + fabric) * 4096 + cage
    _, index = np.unique(key, return_index=True)
    return Transceivers(fabric=fabric[index], device=device[index], cage=cage[index], part=part[index])


def _role(
    number: int, sizing: FabricSizing, role: int, rows: IntArray, topology: Topology, required: IntArray,
    requirement: Requirement, catalog: Catalog, book: _Book,
) -> None:  # fmt: skip
    """Lay the links of one role, class pair by class pair (node groups differ in their ports)."""
    links, devices = topology.links, topology.devices
    shape = sizing.shape
    technology: Technology = "infiniband" if sizing.technology == "infiniband" else "ethernet"
    fabric = requirement.fabrics[number]
    upper_tier = {NODE_LEAF: LEAF, RESERVED: LEAF, LEAF_SPINE: SPINE, SPINE_CORE: CORE}[role]
    upper_ports = tier_ports(shape, upper_tier)
    upper_class = _switch_class(catalog, upper_ports.model, upper_ports.down_rate)
    upper_cage = cage_of(links.wide("upper_port")[rows], upper_ports)
    if role in (LEAF_SPINE, SPINE_CORE):
        below = tier_ports(shape, upper_tier - 1)
        join = recipe_for(catalog, upper_class, _switch_class(catalog, below.model, below.up_rate), technology,
                          sizing.uplink_gbps, f"{sizing.name} {ROLES[role]}")  # fmt: skip
        lower_cage = cage_of(links.wide("lower_port")[rows], below)
        _lay(number, rows, lower_cage, upper_cage, upper_ports.numbers_per_cage, join, topology, required,
             requirement.room, fabric.media, catalog, book, f"{sizing.name} {ROLES[role]}")  # fmt: skip
        return
    if role == RESERVED:
        if sizing.reserve_adapter:
            _reserved(number, sizing, rows, upper_class, upper_cage, topology, required, requirement, catalog, book)
        return
    group_of = devices.wide("group")[links.wide("lower")[rows]]
    names = [group.name for group in requirement.groups]
    for group in sizing.groups:
        mine = group_of == names.index(group.group)
        join = recipe_for(catalog, upper_class, group.port_class, technology, sizing.link_gbps,
                          f"{sizing.name}: {group.platform} to {upper_ports.model}")  # fmt: skip
        host_cage = (links.wide("lower_port")[rows[mine]] - 1) // group.ports_per_cage + 1
        _lay(number, rows[mine], host_cage, upper_cage[mine], upper_ports.numbers_per_cage, join, topology, required,
             requirement.room, fabric.media, catalog, book, f"{sizing.name} node_leaf")  # fmt: skip


def _reserved(
    number: int, sizing: FabricSizing, rows: IntArray, upper_class: str, upper_cage: IntArray, topology: Topology,
    required: IntArray, requirement: Requirement, catalog: Catalog, book: _Book,
) -> None:  # fmt: skip
    key = catalog.find("adapters", sizing.reserve_adapter or "")
    if key is None:
        raise InfeasibleError(Problem("unknown-adapter", f"no adapter '{sizing.reserve_adapter}'",
                                      f"fabrics[{number}].reserve_adapter"))  # fmt: skip
    technology: Technology = "infiniband" if sizing.technology == "infiniband" else "ethernet"
    port_class = catalog.adapter(key).cages[0].port_class
    join = recipe_for(catalog, upper_class, port_class, technology, sizing.link_gbps, f"{sizing.name} reserved")
    _lay(number, rows, np.ones(rows.size, np.int64), upper_cage, sizing.shape.leaf.numbers_per_cage, join, topology,
         required, requirement.room, requirement.fabrics[number].media, catalog, book, f"{sizing.name} reserved")  # fmt: skip


def _switch_class(catalog: Catalog, model: str, rate: str) -> str:
    group = catalog.switch(model).group(rate)
    if group is None:
        raise InfeasibleError(Problem("rate-of-switch", f"{model} does not run {rate}"))
    return group.port_class


def _lay(
    number: int, rows: IntArray, lower_cage: IntArray, upper_cage: IntArray, numbers: int, join: Join,
    topology: Topology, required: IntArray, room: RoomSettings, media: MediaPolicy, catalog: Catalog, book: _Book,
    subject: str,
) -> None:  # fmt: skip
    """Choose options for links of one class pair and record their parts."""
    links = topology.links
    lower, upper = links.wide("lower")[rows], links.wide("upper")[rows]
    lower_key, upper_key = lower * 4096 + lower_cage, upper * 4096 + upper_cage
    tiers = ranked_options(catalog, join.recipe, media, room.surveyed)
    left = np.arange(rows.size)
    for tier in tiers:
        if not left.size:
            break
        left = _try_tier(number, rows, left, lower_key, upper_key, numbers, tier, join, topology, required, catalog, book)  # fmt: skip
    if left.size:
        worst = int(required[rows[left]].max())
        longest = max((reach_mm(catalog, option) for tier in tiers for option in tier), default=0)
        raise InfeasibleError(Problem(
            "out-of-reach", f"{subject}: {left.size} links need up to {worst / 1000:.1f} m; the longest part that "
            f"joins these ends reaches {longest / 1000:.1f} m", "",
            "bring the racks closer, or split the room; --uniform-length-m sets one length for all"))  # fmt: skip


def _try_tier(
    number: int, rows: IntArray, left: IntArray, lower_key: IntArray, upper_key: IntArray, numbers: int,
    tier: Sequence[RecipeOption], join: Join, topology: Topology, required: IntArray, catalog: Catalog, book: _Book,
) -> IntArray:  # fmt: skip
    """Serve what the options of one preference tier can; return the links that remain."""
    lengths = required[rows]
    for option in tier:
        if not option.cable or not left.size:
            continue
        left = _cables(rows, left, lower_key, upper_key, option, join, lengths, topology, catalog, book)
    optics = [option for option in tier if option.fibre]
    if not optics or not left.size:
        return left
    reaches = np.array([reach_mm(catalog, option) for option in optics])
    order = np.argsort(reaches, kind="stable")
    level = np.searchsorted(reaches[order], lengths[left])
    if level.size and level.max() >= 1 and level.min() != level.max():
        level = _closure(lower_key[left], upper_key[left], level)
    for step in np.unique(level):
        chosen = left[level == step]
        if step < len(optics):
            _optics(number, rows, chosen, lower_key, upper_key, numbers, optics[int(order[step])], join, lengths,
                    topology, catalog, book)  # fmt: skip
    return left[level >= len(optics)]


def _closure(lower_key: IntArray, upper_key: IntArray, level: IntArray) -> IntArray:
    """Raise the level of links that share cages to the highest among them (transitively)."""
    _, low = np.unique(lower_key, return_inverse=True)
    _, high = np.unique(upper_key, return_inverse=True)
    while True:
        low_max = np.zeros(int(low.max()) + 1, np.int64)
        np.maximum.at(low_max, low, level)
        high_max = np.zeros(int(high.max()) + 1, np.int64)
        np.maximum.at(high_max, high, level)
        raised = np.maximum(low_max[low], high_max[high])
        if np.array_equal(raised, level):
            return level
        level = raised


def _cables(
    rows: IntArray, left: IntArray, lower_key: IntArray, upper_key: IntArray, option: RecipeOption, join: Join,
    lengths: IntArray, topology: Topology, catalog: Catalog, book: _Book,
) -> IntArray:  # fmt: skip
    """Serve links by cables with fixed plugs; return the links that remain.

    A straight cable takes whole cages at both ends; a splitter takes the head cage whole, each tail a cage.
    """
    cable = catalog.cable(option.cable or "")
    head, tail = (upper_key, lower_key) if not join.swapped else (lower_key, upper_key)
    if cable.tail.count > 1:
        key, other = head[left], tail[left]
        alone = _counts(other) <= cable.tail.ports
    elif cable.links > 1:
        key = _pair(head[left], tail[left])
        size = _counts(key)
        alone = (size == _counts(head[left])) & (size == _counts(tail[left]))
    else:
        key, alone = np.arange(left.size), np.ones(left.size, bool)
    _, group = np.unique(key, return_inverse=True)
    longest = np.zeros(int(group.max()) + 1, np.int64)
    np.maximum.at(longest, group, lengths[left])
    reach = reach_mm(catalog, option)
    ok_group = (longest > option.over_mm) & (longest <= reach)
    bad = np.unique(group[~alone])
    ok_group[bad] = False
    served = ok_group[group]
    if not served.any():
        return left
    mine = left[served]
    _record(rows[mine], _renumber(group[served]), lengths[mine], option, topology, catalog, book,
            cable.tail.count > 1)  # fmt: skip
    return left[~served]


def _optics(
    number: int, rows: IntArray, chosen: IntArray, lower_key: IntArray, upper_key: IntArray, numbers: int,
    option: RecipeOption, join: Join, lengths: IntArray, topology: Topology, catalog: Catalog, book: _Book,
) -> None:  # fmt: skip
    """Record fibres (one per link, or one splitter per connector) and modules (one per cage)."""
    fibre = catalog.fibre(option.fibre or "")
    if fibre.links > 1:
        ports = topology.links.wide("upper_port" if not join.swapped else "lower_port")[rows[chosen]]
        module = join.module(option, upper=not join.swapped)
        connectors = catalog.transceiver(module).connector_count if module else 1
        head = (upper_key if not join.swapped else lower_key)[chosen]
        place = (ports - 1) % numbers * connectors // numbers
        _, group = np.unique(head * 16 + place, return_inverse=True)
    else:
        group = np.arange(chosen.size)
    per_link = option.fibres_per_link
    _record(rows[chosen], _renumber(group), lengths[chosen], option, topology, catalog, book, fibre.links > 1, per_link)
    for key, upper in ((lower_key, False), (upper_key, True)):
        module = join.module(option, upper)
        if module:
            cages = np.unique(key[chosen])
            book.seen.append((number, cages // 4096, cages % 4096, book.module(module)))


def _record(
    link_rows: IntArray, group: IntArray, lengths: IntArray, option: RecipeOption, topology: Topology,
    catalog: Catalog, book: _Book, splitter: bool, per_link: int = 1,
) -> None:  # fmt: skip
    """Record one cable per group of links (or several where one link takes two fibres)."""
    count = int(group.max()) + 1
    required = np.zeros(count, np.int64)
    np.maximum.at(required, group, lengths)
    first = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(first, group, link_rows)
    sold, parts = _sold(family_of(catalog, option), "cable" if option.cable else "fibre", required, book)
    for _ in range(per_link):
        book.cable_part.append(parts[sold])
        book.cable_mm.append(required)
        book.cable_first.append(first)
    book.link_cable[link_rows] = book.count + group
    book.count += count * per_link
    if splitter:
        order = np.lexsort((link_rows, group))
        starts = np.searchsorted(group[order], np.arange(count))
        tails = np.arange(order.size) - starts[group[order]] + 1
        book.link_tail[link_rows[order]] = tails


def _sold(
    family: CableType | FibreType, kind: Literal["cable", "fibre"], required: IntArray, book: _Book
) -> tuple[IntArray, IntArray]:
    """Return the next sold length of every required one, as indexes into the part rows that come with them."""
    if family.any_length:
        lengths, index = np.unique(-(-required // 1000) * 1000, return_inverse=True)
        rows = [CableLength(length_mm=int(length), pn="") for length in lengths]
    else:
        rows = sorted((row for row in family.lengths if row.orderable), key=lambda row: row.length_mm)
        index = np.searchsorted(np.array([row.length_mm for row in rows]), required)
    parts = np.full(len(rows), -1, np.int64)
    for row in np.unique(index).tolist():
        item = rows[row]
        parts[row] = book.part(CablePart(kind=kind, family=family.id, pn=item.pn, opn=item.opn,
                                         length_mm=item.length_mm))  # fmt: skip
    return index.astype(np.int64), parts


def _pair(a: IntArray, b: IntArray) -> IntArray:
    _, low = np.unique(a, return_inverse=True)
    _, high = np.unique(b, return_inverse=True)
    return low.astype(np.int64) * (int(high.max()) + 1) + high


def _counts(key: IntArray) -> IntArray:
    _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    return counts[inverse].astype(np.int64)


def _renumber(group: IntArray) -> IntArray:
    _, inverse = np.unique(group, return_inverse=True)
    return inverse.astype(np.int64)
