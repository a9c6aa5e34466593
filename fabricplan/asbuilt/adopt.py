"""Adopt: discovered fabrics become a plan, if there is a request whose plan is cabled exactly so.

Nothing is bent to fit: the requests that could have made each network are designed in turn, and the first whose plan
verifies clean against the discovery, by places, is taken. Planes are verified one by one, and a host must be the same
node in all of them. What no request reproduces is refused with what differs. With ``grow_to`` the request lays out the
final stage, and today's part must be what stands.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from fabricplan.asbuilt.directors import boxed_by_model
from fabricplan.asbuilt.found import ADAPTER, SWITCH, Found
from fabricplan.asbuilt.match import NO_NAMES, match
from fabricplan.asbuilt.rails import split_description
from fabricplan.asbuilt.standing import HostGroup, Network, groups_of, networks_of, parts_of
from fabricplan.asbuilt.verify import verify
from fabricplan.asbuilt.view import view
from fabricplan.catalog import Catalog
from fabricplan.errors import FabricplanError, InfeasibleError, Problem
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.requirement import parse_requirement
from fabricplan.sizing.hosts import generic_platform

NETWORKS = ("compute", "storage")
"""Networks of InfiniBand that a server has; hosts on two of them take the ports of both."""
STORAGE_SERVER = "generic-storage"
"""Platform of hosts that are on no compute network."""


USUAL = tuple(Fraction(halves, 2) for halves in range(2, 17))
"""Ratios that people ask for: halves up to 8:1."""


class Adopted(NamedTuple):
    """The plan of what was discovered, the request that made it, and found name -> name in the plan."""

    plan: Plan
    request: dict[str, Any]
    names: dict[str, str]


class _Misfit(Exception):
    """Why a plan is not what stands; the greater the rank, the nearer it came."""

    def __init__(self, rank: tuple[int, int], reason: str) -> None:
        super().__init__(reason)
        self.rank, self.reason = rank, reason


def adopt(
    found: Found,
    catalog: Catalog,
    rates: Sequence[str] = (),
    grow_to: int | None = None,
    platform: str = "",
    name: str = "adopted",
) -> Adopted:
    """Return the plan of what was discovered.

    Args:
        found: the discovery, of all planes and networks.
        catalog: the catalogue.
        rates: rates of the hosts, network by network; none: as the links tell.
        grow_to: nodes of the final stage of the first group.
        platform: id of the servers' catalogue entry; empty: the generic server of the rate.
        name: name of the plan.

    Raises:
        InfeasibleError: no request reproduces what stands, with what the nearest of them differs in.
    """
    where = found.sources[0].name
    if found.sources[0].format == "lldp":
        raise InfeasibleError(Problem("lldp-adopted", "LLDP tells no speeds and no port numbers to lay a plan over",
                                      where, "adopt reads InfiniBand discoveries"))  # fmt: skip
    found = boxed_by_model(found, catalog)
    networks = networks_of(parts_of(found), rates, where)
    groups, others = groups_of(networks)
    words = _network_words(networks, groups, where)
    hosts, titles = _groups(groups, words, grow_to, platform)
    chosen: list[dict[str, Any]] = []
    for at, network in enumerate(networks):
        mine = [(title, group.ports[at]) for title, group in zip(titles, groups, strict=True) if group.ports[at]]
        named = {item["name"]: item for item in hosts}
        alone = [named[title] for title, _ in mine]
        first = platform or generic_platform(networks[0].rate)
        attached = [
            {"group": title, "ports_per_node": ports, **_card(catalog, named[title].get("platform", first), words[at],
                                                              network.rate)}
            for title, ports in mine
        ]  # fmt: skip
        asked = list(_fabrics(network, attached, words, at, others[at], _models(catalog, network)))
        chosen.append(_one(network, asked, alone, name, catalog, where))
    request = {"name": name, "groups": hosts, "fabrics": chosen}
    plan = design(parse_requirement(request), catalog)
    told: dict[str, str] = {}
    try:
        for at, network in enumerate(networks):
            told |= _fitted(plan, at, network)
        _one_node_each(told)
    except _Misfit as misfit:
        raise InfeasibleError(Problem(
            "not-adoptable", f"each network has a plan, all together have none: {misfit.reason}", where,
            "adopt one network at a time")) from None  # fmt: skip
    return Adopted(plan, request, told)


def _one(
    network: Network, fabrics: list[tuple[str, dict[str, Any]]], groups: list[dict[str, Any]], name: str,
    catalog: Catalog, where: str,
) -> dict[str, Any]:  # fmt: skip
    """Return the fabric of the first request whose plan is the network.

    Raises:
        InfeasibleError: there is none.
    """
    fallen: list[tuple[tuple[int, int], str]] = []
    for label, fabric in fabrics:
        try:
            plan = design(parse_requirement({"name": name, "groups": groups, "fabrics": [fabric]}), catalog)
            _one_node_each(_fitted(plan, 0, network))
            return fabric
        except _Misfit as misfit:
            fallen.append((misfit.rank, f"{label}: {misfit.reason}"))
        except FabricplanError as caught:
            fallen.append(((0, 0), f"{label}: {caught.message}"))
    nodes = sum(group["nodes"] for group in groups)
    nearest = max(fallen, key=lambda item: item[0])[1]
    more = len(dict.fromkeys(reason for _, reason in fallen)) - 1
    raise InfeasibleError(Problem(
        "not-adoptable", f"no request gives this fabric of {nodes} nodes; nearest comes {nearest}"
        + (f"; {more} others fall too" if more else ""),
        where, "fabricplan survey tells what is irregular; put it right first"))  # fmt: skip


def _network_words(networks: Sequence[Network], groups: Sequence[HostGroup], where: str) -> list[str]:
    """Return which ports of its hosts every network takes: hosts on several take other ports for each.

    Raises:
        InfeasibleError: hosts on more networks than servers have.
    """
    words: list[str] = []
    for at in range(len(networks)):
        taken = {words[other] for group in groups if group.ports[at] for other in range(at) if group.ports[other]}
        free = [word for word in NETWORKS if word not in taken]
        if not free:
            raise InfeasibleError(Problem(
                "several-fabrics", f"hosts are on {len(taken) + 1} networks; a plan has compute and storage", where,
                "adopt them one at a time"))  # fmt: skip
        words.append(free[0])
    return words


def _groups(
    groups: Sequence[HostGroup], words: Sequence[str], grow_to: int | None, platform: str
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the groups of a request, and their names."""
    made: list[dict[str, Any]] = []
    for group in groups:
        compute = any(count and word == "compute" for count, word in zip(group.ports, words, strict=True))
        base = "node" if compute else "storage"
        same = sum(item["name"].startswith(base) for item in made)
        item: dict[str, Any] = {"name": f"{base}{same + 1 if same else ''}", "nodes": group.hosts}
        if not compute:
            item["platform"] = STORAGE_SERVER
        elif platform:
            item["platform"] = platform
        if grow_to and not made:
            item["grow_to"] = grow_to
        made.append(item)
    return made, [item["name"] for item in made]


def _card(catalog: Catalog, platform: str, network: str, rate: str) -> dict[str, str]:
    """Return the adapter to name where a platform's own ports of a network do not run a rate: the one of the generic
    server of that rate; nothing where they do, or where the platform is not known to say."""
    if not catalog.has("platforms", platform) or platform == STORAGE_SERVER:
        return {}
    ports = catalog.platform(platform).network(network)
    modes = ports.modes if ports else ()
    if ports and ports.adapter:
        modes = tuple(mode for cage in catalog.adapter(ports.adapter).cages for mode in cage.modes)
    generic = generic_platform(rate)
    if any(mode.rate == rate for mode in modes) or not catalog.has("platforms", generic):
        return {}
    server = catalog.platform(generic).network("compute")
    return {"nic": server.adapter} if server and server.adapter else {}


def _models(catalog: Catalog, network: Network) -> dict[str, str]:
    """Return tier -> model of the catalogue that its switches say they are; nothing for tiers that do not say."""
    found: dict[str, str] = {}
    for row in network.parts[0].survey.tier_rows:
        told = max(row.models, key=lambda bar: bar.count).value.replace("_", "-")
        known = next((key for word in (told, told.removeprefix("M")) if (key := catalog.find("switches", word))), None)
        if known is not None:
            found[row.tier] = known
    return found


def _fabrics(
    network: Network, attached: list[dict[str, Any]], words: Sequence[str], at: int, others: int, models: dict[str, str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the fabrics of requests that could have made a network, likeliest first, each with its label."""
    told = network.parts[0].survey
    ratios = _ratios(told.oversubscription or 1)
    attaches = ["packed", "rail", "spread"] if told.rails.attach == "packed" else ["rail", "packed", "spread"]
    units: list[int | None] = [None]
    if told.rails.units:
        units.append(-(-told.rails.hosts // told.rails.units))
    count = len(network.parts)
    planes: list[int | str] = [count]
    if count > 1 and all(item["ports_per_node"] == count for item in attached):
        planes.insert(0, "rail")
    name = words[at] if words.index(words[at]) == at else f"{words[at]}-{at + 1}"
    pinned: list[dict[str, str]] = [{}, models] if models else [{}]
    for switches, plane, ratio_text, attach, unit in itertools.product(pinned, planes, ratios, attaches, units):
        made: dict[str, Any] = {
            "name": name, "network": words[at], "rate": network.rate, "attach": attach,
            "oversubscription": [ratio_text], "reserve_ports": others,
            "attached": attached, **switches,
        }  # fmt: skip
        label = f"{attach} {ratio_text}"
        if count > 1:
            made["planes"] = plane
            label += f", {'rail planes' if plane == 'rail' else f'{plane} planes'}"
        if unit:
            made["nodes_per_unit"] = unit
            label += f", units of {unit}"
        if switches:
            label += f", {' + '.join(dict.fromkeys(switches.values()))}"
        yield label, made


def _ratios(stands: float) -> list[str]:
    """Return the ratios that may have been asked for, where a fabric stands at one: a leaf that is not full stands at
    less than was asked.

    >>> _ratios(1), _ratios(1.9)
    (['1:1'], ['2:1', '5:2', '15:8', '1:1'])
    """
    exact = Fraction(stands).limit_denominator(8)
    if exact <= 1:
        return ["1:1"]
    asked = [ratio for ratio in USUAL if ratio >= exact][:2]
    return [f"{ratio.numerator}:{ratio.denominator}" for ratio in dict.fromkeys((*asked, exact, Fraction(1)))]


def _fitted(plan: Plan, fabric: int, network: Network) -> dict[str, str]:
    """Return found name -> name in the plan, where a fabric of the plan is the network.

    Raises:
        _Misfit: it is not.
    """
    sizing = plan.fabrics[fabric]
    planned = (sizing.leaf_count, sizing.spine_count, sizing.core_count, sizing.leaf_spine_links,
               sizing.spine_core_links)  # fmt: skip
    stands = network.counts()
    apart = -sum(abs(one - other) for one, other in zip(planned, stands, strict=True))
    if planned[:3] != stands[:3]:
        one, other = ("+".join(map(str, counts[:3])) for counts in (planned, stands))
        raise _Misfit((1, apart), f"{one} switches planned, {other} stand")
    if planned != stands:
        raise _Misfit((2, apart), f"{planned[3]} + {planned[4]} links between switches planned, {stands[3]} + "
                      f"{stands[4]} stand")  # fmt: skip
    told: dict[str, str] = {}
    for number, part in enumerate(network.parts, start=1):
        planes = [number] if len(network.parts) > 1 else []
        try:
            checked = verify(plan, "", part.found, NO_NAMES, sizing.name, planes, by_structure=True)
        except FabricplanError as caught:
            raise _Misfit((0, 0), caught.message) from None
        if not checked.clean:
            wrong = sum(item.wrong + item.missing + item.extra for item in checked.fabrics)
            reason = f"{wrong} links are not where such a plan has them"
            if not wrong:
                errors = [item for item in checked.findings if item.severity == "error"]
                reason = (
                    errors[0].code if errors else f"{len(checked.orders)} links are slower than such a plan has them"
                )
            raise _Misfit((3, -wrong), reason)
        told |= _names(plan, fabric, planes, part.found)
    return told


def _names(plan: Plan, fabric: int, planes: Sequence[int], found: Found) -> dict[str, str]:
    """Return found name -> name in the plan, of switches and adapters that have one."""
    planned = view(plan, fabric, planes)
    matched = match(found, planned, NO_NAMES, True)
    names, kinds, named = found.names(), found.devices.kind.tolist(), found.devices.named.tolist()
    told: dict[str, str] = {}
    for row, device in enumerate(matched.device):
        if device >= 0 and named[row] and kinds[row] == SWITCH:
            told[names[row]] = planned.names[device]
    sides = zip(found.links.a.tolist(), found.links.z.tolist(), matched.ends, strict=True)
    for a, z, ends in sides:
        for row, end in zip((a, z), ends, strict=True):
            if end >= 0 and named[row] and kinds[row] == ADAPTER:
                told[names[row]] = f"{planned.names[planned.device_of[end]]} HCA-{planned.port_of[end]}"
    return told


def _one_node_each(told: dict[str, str]) -> None:
    """Refuse a host that is one node on one plane and another on the next.

    Raises:
        _Misfit: there is one.
    """
    node_of: dict[str, str] = {}
    for found, planned in told.items():
        host, word = split_description(found)
        node, _ = split_description(planned)
        if word and node_of.setdefault(host.casefold(), node) != node:
            raise _Misfit((3, 0), f"{host} is {node_of[host.casefold()]} by one plane and {node} by another")
