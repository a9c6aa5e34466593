"""Parts of every link: which cable or fibre, which modules, which length; and who shares them.

A link is a logical port-to-port connection. A straight fibre carries one link; a splitter fibre or cable has one
head (switch side) and several tails; a copper cable of a twin-port cage carries both links of both cages. A
transceiver is counted once per populated cage. Both fibres of a module are of one kind, so links that share
cages get the same optics: the longest of them decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fabricplan.cabling.jobs import Book, Job, serve, share_cages
from fabricplan.cabling.merging import GAP_MM, GAP_TIMES, merge_rare
from fabricplan.cabling.panels import Way, direct_links, known_runs, ordered_lengths
from fabricplan.cabling.tables import (
    CableNumbers,
    CablePart,
    Cables,
    Cabling,
    LengthSource,
    LinkCables,
    Patches,
    Transceivers,
)
from fabricplan.cabling.trunks import LaidPatches, cable_racks, lay_trunks, piece_lengths, whole_way
from fabricplan.catalog import Catalog, Technology
from fabricplan.errors import InfeasibleError, Problem, RequirementError
from fabricplan.mating import recipe_for
from fabricplan.placement import Placement
from fabricplan.portwords import Stages
from fabricplan.requirement import Requirement
from fabricplan.sizing import MANAGEMENT_CLASS, FabricSizing, TierPorts
from fabricplan.surveyed import Lengths, route_lengths
from fabricplan.topology import (
    CAGES,
    CORE,
    LEAF,
    LEAF_SPINE,
    NODE_LEAF,
    RESERVED,
    ROLES,
    SPINE,
    SPINE_CORE,
    Topology,
    group_links,
    link_cages,
    tier_ports,
)
from fabricplan.values import IntArray

__all__ = [
    "GAP_MM", "GAP_TIMES", "CableNumbers", "CablePart", "Cables", "Cabling", "LengthSource", "LinkCables", "Patches",
    "Transceivers", "cable_racks", "direct_links", "known_runs", "lay", "ordered_lengths", "piece_lengths",
]  # fmt: skip


def lay(
    requirement: Requirement,
    sizings: Sequence[FabricSizing],
    topology: Topology,
    placement: Placement,
    catalog: Catalog,
) -> Cabling:
    """Choose the parts of every link.

    Raises:
        InfeasibleError: two ends do not mate, or no part reaches far enough.
        RequirementError: the adapter of the hosts on reserved ports is not known, or surveyed lengths are wrong.
    """
    links, room = topology.links, requirement.room
    stages = Stages(requirement, tuple(sizings), topology, catalog)
    lengths = route_lengths(stages, placement, strict=True)
    way = whole_way(stages, placement)
    cages = link_cages(requirement, sizings, topology.devices, links)
    book = Book(len(links))
    for number in range(len(sizings)):
        for job in _jobs(number, sizings, topology, lengths, cages, requirement, catalog, way):
            serve(job, catalog, book)
    patches = lay_trunks(book, way, stages, placement) if way is not None and book.patched else None
    if requirement.merge_below:
        merge_rare(book, requirement.merge_below)
    cables, new_row = _ordered(book, placement, topology, patches)
    source: LengthSource = "uniform" if room.uniform_length_mm else "estimated"
    if patches is None and lengths.surveyed[book.link_cable >= 0].all() and book.cable_count:
        source = "surveyed"
    return Cabling(
        length_source=source,
        cable_parts=tuple(book.parts),
        transceiver_parts=tuple(book.modules),
        cables=cables,
        links=LinkCables(
            cable=np.where(book.link_cable >= 0, new_row[book.link_cable], -1) if len(cables) else book.link_cable,
            tail=book.link_tail,
        ),
        transceivers=_transceivers(book), patches=patches and patches.table(new_row),
    )  # fmt: skip


def _jobs(
    number: int, sizings: Sequence[FabricSizing], topology: Topology, lengths: Lengths,
    cages: tuple[IntArray, IntArray], requirement: Requirement, catalog: Catalog, way: Way | None,
) -> Iterator[Job]:  # fmt: skip
    """Yield the links of one fabric by the port classes that they join.

    Node groups and hosts on reserved ports of one class are one job, because they may share a cage of the leaf and
    so a splitter; where two classes share a cage, no fixed plug may take it, and the longest link decides.
    """
    sizing = sizings[number]
    links, shape = topology.links, sizing.shape
    technology: Technology = "infiniband" if sizing.technology == "infiniband" else "ethernet"
    rows_of = {role: np.nonzero((links.fabric == number) & (links.role == role))[0] for role in range(len(ROLES))}

    def job(chosen: IntArray, role: int, below_class: str, below: TierPorts | None, what: str) -> Job:
        above = tier_ports(shape, {NODE_LEAF: LEAF, LEAF_SPINE: SPINE, SPINE_CORE: CORE}[role])
        above_class = _switch_class(catalog, above.model, above.down_rate)
        gbps = sizing.link_gbps if role == NODE_LEAF else sizing.uplink_gbps
        join = recipe_for(catalog, above_class, below_class, technology, gbps, above.down_rate, what)
        if below is not None:
            join = join.headed(below.up_per_cage, above.down_per_cage)
        head, port = (below, "lower_port") if join.swapped and below else (above, "upper_port")
        lower, upper = links.wide("lower")[chosen], links.wide("upper")[chosen]
        return Job(
            fabric=number, subject=f"{sizing.name} {ROLES[role]}", links=chosen,
            lower=lower * CAGES + cages[0][chosen], upper=upper * CAGES + cages[1][chosen],
            head_port=links.wide(port)[chosen], numbers_per_cage=head.numbers_per_cage, join=join,
            required=lengths.required_mm[chosen], surveyed=lengths.surveyed[chosen],
            free=lengths.surveyed[chosen] | (requirement.place_for == "cost"),
            shared=np.zeros(chosen.size, bool), media=requirement.fabrics[number].media,
            way=way and way.of(chosen),
        )  # fmt: skip

    ends: dict[str, list[tuple[IntArray, str]]] = {}
    for group, mine in group_links(requirement, sizings, topology.devices, links, number):
        ends.setdefault(group.port_class, []).append((mine, group.platform or group.group))
    if (sizing.reserve_adapter or sizing.uplinks_to) and rows_of[RESERVED].size:
        adapter = sizing.reserve_adapter
        port_class = _adapter_class(catalog, adapter, number) if adapter else MANAGEMENT_CLASS
        ends.setdefault(port_class, []).append((rows_of[RESERVED], "host on a reserved port"))
    yield from share_cages([
        job(np.concatenate([rows for rows, _ in parts]), NODE_LEAF, port_class, None,
            f"{sizing.name}: {parts[0][1]} to {shape.leaf.model}")
        for port_class, parts in ends.items()
    ])  # fmt: skip
    for role, tier in ((LEAF_SPINE, LEAF), (SPINE_CORE, SPINE)):
        rows = rows_of[role]
        if rows.size:
            below, above = tier_ports(shape, tier), tier_ports(shape, tier + 1)
            yield job(rows, role, _switch_class(catalog, below.model, below.up_rate), below,
                      f"{sizing.name}: {below.model} to {above.model}")  # fmt: skip


def _switch_class(catalog: Catalog, model: str, rate: str) -> str:
    group = catalog.switch(model).group(rate)
    if group is None:
        raise InfeasibleError(Problem("rate-of-switch", f"{model} does not run {rate}"))
    return group.port_class


def _adapter_class(catalog: Catalog, word: str, number: int) -> str:
    key = catalog.find("adapters", word)
    if key is None or not catalog.adapter(key).cages:
        raise RequirementError(Problem("unknown-adapter", f"no adapter '{word}' with known ports",
                                       f"fabrics[{number}].reserve_adapter",
                                       catalog.advice("adapters", word)))  # fmt: skip
    return catalog.adapter(key).cages[0].port_class


def _ordered(
    book: Book, placement: Placement, topology: Topology, patches: LaidPatches | None
) -> tuple[Cables, IntArray]:
    """Order cables by their first link, number the bundles, and return old row -> new row."""
    if not book.cable_count:
        return Cables(part=[], link=[], required_mm=[], bundle=[]), np.zeros(0, np.int64)
    first = np.concatenate(book.cable_first)
    order = np.argsort(first, kind="stable")
    first = first[order]
    rack = placement.places.wide("rack")
    a, b = rack[topology.links.wide("lower")[first]], rack[topology.links.wide("upper")[first]]
    if patches is not None:
        for side, own in zip((a, b), patches.racks(order.size), strict=True):
            np.copyto(side, own[order], where=own[order] >= 0)
    pair = np.minimum(a, b) * (len(placement.racks) + 1) + np.maximum(a, b)
    _, met, bundle = np.unique(pair, return_index=True, return_inverse=True)
    rank = np.empty(met.size, np.int64)
    rank[np.argsort(met)] = np.arange(1, met.size + 1)
    table = Cables(
        part=np.concatenate(book.cable_part)[order],
        link=first,
        required_mm=np.concatenate(book.cable_mm)[order],
        bundle=rank[bundle],
    )
    new_row = np.empty(order.size, np.int64)
    new_row[order] = np.arange(order.size)
    return table, new_row


def _transceivers(book: Book) -> Transceivers:
    """Merge the populated cages: one module each.

    Raises:
        InfeasibleError: links of two kinds of ends share a cage and need different modules.
    """
    if not book.cages:
        return Transceivers(fabric=[], device=[], cage=[], part=[])
    fabric = np.concatenate([np.full(code.size, number) for number, code, _ in book.cages])
    code = np.concatenate([code for _, code, _ in book.cages])
    part = np.concatenate([np.full(code.size, row) for _, code, row in book.cages])
    _, index, inverse = np.unique(code * 256 + fabric, return_index=True, return_inverse=True)
    if np.any(part[index][inverse] != part):
        row = int(np.nonzero(part[index][inverse] != part)[0][0])
        one, other = book.modules[int(part[index][inverse][row])], book.modules[int(part[row])]
        raise InfeasibleError(Problem(
            "cage-of-two-kinds", f"cage {int(code[row]) % CAGES} of a leaf would need {one} and {other} at once: ends "
            "of two kinds share it", "", "choose adapters of one kind"))  # fmt: skip
    return Transceivers(fabric=fabric[index], device=code[index] // CAGES, cage=code[index] % CAGES, part=part[index])
