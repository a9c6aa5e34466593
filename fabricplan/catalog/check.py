"""What a catalogue must keep to beyond its schema: references, numbers, and parts that physically mate.

One function per rule; each yields problems placed at ``kind/key``. :func:`check` runs all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fabricplan.catalog import (
    KINDS,
    AccessoryType,
    AdapterType,
    CableType,
    CageGroup,
    Catalog,
    Entry,
    FibreType,
    PanelType,
    PlatformType,
    PortMode,
    SwitchType,
    TransceiverType,
    check_mating,
)
from fabricplan.catalog.check_mating import Found, missing
from fabricplan.errors import CatalogError, Problem

INFINIBAND_GBPS = {
    "sdr": 10, "ddr": 20, "qdr": 40, "fdr10": 40, "fdr": 56, "edr": 100, "hdr": 200, "hdr100": 100,
    "ndr": 400, "ndr200": 200, "xdr": 800, "xdr400": 400,
}  # fmt: skip


def check(catalog: Catalog) -> tuple[Problem, ...]:
    """Return everything that is wrong with a catalogue, schema first, then rule by rule."""
    problems = tuple(well_formed(catalog)) or tuple(check_mating.recipe_references(catalog))
    if problems:
        return problems
    return tuple(problem for rule in RULES for problem in rule(catalog))


def placed(catalog: Catalog, problem: Problem) -> Problem:
    """Return a problem of an entry (``kind/key``) placed at the line of its file."""
    kind, _, rest = problem.where.partition("/")
    keys = [key for key in (catalog.keys(kind) if kind in KINDS else ()) if rest == key or rest.startswith(f"{key}.")]
    if not keys:
        return problem
    where = catalog.where(kind, max(keys, key=len))
    return Problem(problem.code, f"{problem.where}: {problem.message}", where, problem.hint)


def well_formed(catalog: Catalog) -> Found:
    """Every entry is of its type."""
    for kind, (as_type, _) in KINDS.items():
        for key in catalog.keys(kind):
            try:
                catalog.get(kind, key, as_type)
            except CatalogError as caught:
                yield from caught.problems


def sources_resolve(catalog: Catalog) -> Found:
    """Every source is a known document."""
    for kind in KINDS:
        for key in catalog.keys(kind):
            for source in catalog.raw(kind, key).get("sources") or ():
                yield from missing(catalog, "sources", source, f"{kind}/{key}")


def cages_resolve(catalog: Catalog) -> Found:
    """Port classes of switches, adapters and platforms exist, and so do a platform's adapters."""
    for where, group in _cages(catalog):
        yield from missing(catalog, "port-classes", group.port_class, where)
    for platform in catalog.all("platforms", PlatformType):
        for network in platform.networks:
            where = f"platforms/{platform.id}.{network.name}"
            if network.port_class is not None:
                yield from missing(catalog, "port-classes", network.port_class, where)
            if network.adapter is not None:
                yield from missing(catalog, "adapters", network.adapter, where)


def successors_resolve(catalog: Catalog) -> Found:
    """What a retired product is replaced by is in the catalogue."""
    for switch in catalog.all("switches", SwitchType):
        if switch.successor is not None and catalog.find("switches", switch.successor) is None:
            yield from missing(catalog, "switches", switch.successor, f"switches/{switch.model}")
    for cable in catalog.all("cables", CableType):
        if cable.successor is not None:
            yield from missing(catalog, "cables", cable.successor, f"cables/{cable.id}")


def lanes_make_speed(catalog: Catalog) -> Found:
    """Lanes x lane speed = port speed, and a cage offers as many and as fast lanes as its modes use."""
    for where, port_class, mode in _modes(catalog):
        if mode.lanes * mode.lane_gbps != mode.speed_gbps:
            yield Problem("lane-speed", f"{mode.rate}: {mode.lanes} lanes x {mode.lane_gbps} is not "
                          f"{mode.speed_gbps} Gb/s", where)  # fmt: skip
        if port_class is None or not catalog.has("port-classes", port_class):
            continue
        cage = catalog.port_class(port_class)
        if mode.ports * mode.lanes > cage.lanes or mode.lane_gbps > cage.lane_gbps:
            yield Problem("lane-count", f"{mode.rate}: {mode.ports} x {mode.lanes} lanes of {mode.lane_gbps} "
                          f"exceed {port_class} ({cage.lanes} x {cage.lane_gbps})", where)  # fmt: skip


def rate_fits_technology(catalog: Catalog) -> Found:
    """InfiniBand rates carry their known speed; Ethernet modes have no InfiniBand rate name."""
    for where, _, mode in _modes(catalog):
        known = INFINIBAND_GBPS.get(mode.rate)
        if mode.technology == "infiniband" and known != mode.speed_gbps:
            expected = "is no InfiniBand rate" if known is None else f"is {known} Gb/s"
            yield Problem("rate-technology", f"{mode.rate} {expected}, not {mode.speed_gbps}", where)
        if mode.technology == "ethernet" and known is not None:
            yield Problem("rate-technology", f"{mode.rate} is an InfiniBand rate, in an Ethernet mode", where)
    for switch in catalog.all("switches", SwitchType):
        for group in switch.cages:
            for mode in group.modes:
                if mode.technology != switch.technology:
                    yield Problem("rate-technology", f"{mode.technology} mode {mode.rate} on an "
                                  f"{switch.technology} switch", f"switches/{switch.model}")  # fmt: skip


def capacity_is_ports_times_speed(catalog: Catalog) -> Found:
    """One-way capacity is the sum of all ports at the native rate: the fastest use of every cage."""
    for switch in catalog.all("switches", SwitchType):
        if switch.capacity_one_way_tbps is None or not switch.cages:
            continue
        total = sum(max((min(group.count, mode.cages_max or group.count) * mode.ports * mode.speed_gbps
                         for mode in group.modes), default=0) for group in switch.cages) / 1000  # fmt: skip
        if abs(total - switch.capacity_one_way_tbps) > 0.005 * total:
            yield Problem("capacity", f"one-way capacity is {switch.capacity_one_way_tbps:g} Tb/s, ports x "
                          f"speed give {total:g}", f"switches/{switch.model}")  # fmt: skip


def chips_make_director(catalog: Catalog) -> Found:
    """A director's chips have the ports of its panel outside, and inside two tiers that are joined alike."""
    for switch in catalog.all("switches", SwitchType):
        inside, where = switch.inside, f"switches/{switch.model}.inside"
        if inside is None:
            continue
        cages = sum(group.count for group in switch.cages)
        if switch.product_class != "director":
            yield Problem("director-chips", f"a {switch.product_class} has no chips inside", where)
        if inside.leaf_chips * inside.external_ports != cages:
            yield Problem("director-chips", f"{inside.leaf_chips} leaf chips x {inside.external_ports} external ports "
                          f"is not {cages} cages", where)  # fmt: skip
        if inside.internal_ports % inside.spine_chips:
            yield Problem("director-chips", f"{inside.internal_ports} internal ports are not dealt evenly to "
                          f"{inside.spine_chips} spine chips", where)  # fmt: skip
        if inside.leaf_chips % inside.leaf_chips_per_module or inside.spine_chips % inside.spine_chips_per_module:
            yield Problem("director-chips", "modules do not hold equally many chips", where)
        if inside.leaf_chips * inside.links_per_pair > inside.external_ports + inside.internal_ports:
            yield Problem("director-chips", f"a spine chip would need {inside.leaf_chips * inside.links_per_pair} "
                          f"ports, a leaf chip has {inside.external_ports + inside.internal_ports}", where)  # fmt: skip
        if switch.lid_nodes != inside.leaf_chips + inside.spine_chips:
            yield Problem("director-chips", f"lid_nodes is {switch.lid_nodes}, the chips are "
                          f"{inside.leaf_chips + inside.spine_chips}", where)  # fmt: skip
        if INFINIBAND_GBPS.get(inside.internal_rate) != inside.internal_gbps:
            yield Problem("director-chips", f"{inside.internal_rate} is not {inside.internal_gbps} Gb/s", where)


def numbers_unique(catalog: Catalog) -> Found:
    """No two products share an order number, nor a part number unless their keys tell them apart."""
    parts: dict[str, tuple[str, bool]] = {}
    orders: dict[str, str] = {}
    for where, pn, opn, keyed in _numbers(catalog):
        first, first_keyed = parts.setdefault(pn, (where, keyed))
        if first != where and not (keyed and first_keyed):
            yield Problem("duplicate-number", f"part number {pn} also stands at {first}", where,
                          "give both their order number as key")  # fmt: skip
        if opn is not None and orders.setdefault(opn, where) != where:
            yield Problem("duplicate-number", f"order number {opn} also stands at {orders[opn]}", where)


RULES: tuple[Callable[[Catalog], Found], ...] = (
    sources_resolve, cages_resolve, successors_resolve, lanes_make_speed, rate_fits_technology,
    capacity_is_ports_times_speed, chips_make_director, numbers_unique, check_mating.pairs_are_unique,
    check_mating.cables_are_whole, check_mating.cables_mate, check_mating.modules_mate,
    check_mating.polish_is_of_connector, check_mating.reach_holds, check_mating.parts_serve_technology,
)  # fmt: skip


def _cages(catalog: Catalog) -> Iterator[tuple[str, CageGroup]]:
    for switch in catalog.all("switches", SwitchType):
        yield from ((f"switches/{switch.model}.{group.name}", group) for group in switch.cages)
    for adapter in catalog.all("adapters", AdapterType):
        yield from ((f"adapters/{adapter.pn}.{group.name}", group) for group in adapter.cages)


def _modes(catalog: Catalog) -> Iterator[tuple[str, str | None, PortMode]]:
    for where, group in _cages(catalog):
        yield from ((where, group.port_class, mode) for mode in group.modes)
    for platform in catalog.all("platforms", PlatformType):
        for network in platform.networks:
            where = f"platforms/{platform.id}.{network.name}"
            yield from ((where, network.port_class, mode) for mode in network.modes)


def _numbers(catalog: Catalog) -> Iterator[tuple[str, str, str | None, bool]]:
    for kind in ("switches", "adapters", "transceivers", "cables", "fibres", "accessories", "panels"):
        for key, entry in ((key, catalog.get(kind, key, Entry)) for key in catalog.keys(kind)):
            if isinstance(entry, SwitchType):
                yield from ((f"{kind}/{key}.{row.pn}", row.pn, row.opn, False) for row in entry.variants)
            elif isinstance(entry, CableType | FibreType):
                for row in entry.lengths:
                    yield f"{kind}/{key}.{row.key or row.pn}", row.pn, row.opn, row.key is not None
            elif isinstance(entry, TransceiverType):
                yield f"{kind}/{key}", entry.pn, entry.opn, entry.key == entry.opn
            elif isinstance(entry, PanelType):
                if entry.pn:
                    yield f"{kind}/{key}", entry.pn, entry.opn, False
            elif isinstance(entry, AdapterType | AccessoryType):
                yield f"{kind}/{key}", entry.pn, entry.opn, False
