"""What stands, sorted for a request: connected parts, the networks whose planes they are, groups of equal hosts.

::

    file, file ...  -parts_of->  connected fabrics  -networks_of->  planes together  -groups_of->  hosts alike

Parts that hold the same hosts, switches and links are planes of one network; parts of other sizes are networks of
their own. A host is known by the first part of its description, whichever file it is in.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from fabricplan.asbuilt.found import ADAPTER, Found, part_of
from fabricplan.asbuilt.rails import split_description
from fabricplan.asbuilt.survey import FabricSurvey, fabric_masks, natural, survey
from fabricplan.errors import InfeasibleError, Problem

RATES = {"4xEDR": "edr", "2xHDR": "hdr100", "4xHDR": "hdr", "2xNDR": "ndr200", "4xNDR": "ndr", "4xXDR": "xdr"}
"""Width and speed of host links -> rate of a request."""
FEW = 4
"""So many hosts of another kind are managers on reserved ports, not a group of nodes."""


class Part(NamedTuple):
    """One connected fabric: its survey, its rows, ports of every named host, and ports of adapters without a name."""

    survey: FabricSurvey
    found: Found
    ports: dict[str, int]
    loose: int
    words: list[tuple[tuple[int, int, str], ...]]


class Network(NamedTuple):
    """One fabric of a request: its planes in order, the rate of its hosts, and the ports of every host on all."""

    parts: tuple[Part, ...]
    rate: str
    ports: dict[str, int]

    def counts(self) -> tuple[int, ...]:
        """Return leaves, spines, cores, leaf-spine and spine-core links of all planes together."""
        tiers: Counter[str] = Counter()
        links: Counter[tuple[str, str]] = Counter()
        for part in self.parts:
            tiers.update({row.tier: row.switches for row in part.survey.tier_rows})
            links.update({(row.lower, row.upper): row.links for row in part.survey.link_rows})
        return (*(tiers[tier] for tier in ("leaf", "spine", "core")), links["leaf", "spine"], links["spine", "core"])


class HostGroup(NamedTuple):
    """Hosts with equally many ports on every network."""

    hosts: int
    ports: tuple[int, ...]


def parts_of(found: Found) -> list[Part]:
    """Return the connected fabrics, in the order of the files."""
    masks = fabric_masks(found)
    surveys = survey(found).fabrics
    return [_part(told, part_of(found, mask)) for told, mask in zip(surveys, masks, strict=True)]


def _part(told: FabricSurvey, found: Found) -> Part:
    names, kinds, named = found.names(), found.devices.kind.tolist(), found.devices.named.tolist()
    ports: Counter[str] = Counter()
    words: dict[str, list[tuple[tuple[int, int, str], ...]]] = defaultdict(list)
    loose = 0
    for row in (*found.links.a.tolist(), *found.links.z.tolist()):
        if kinds[row] != ADAPTER:
            continue
        if named[row]:
            host, word = split_description(names[row])
            ports[host.casefold()] += 1
            words[host.casefold()].append(natural(word.casefold()))
        else:
            loose += 1
    first = min(words, default="")
    return Part(told, found, dict(ports), loose, sorted(words[first]))


def networks_of(parts: Sequence[Part], rates: Sequence[str], where: str) -> list[Network]:
    """Return the networks, the one with the most host ports first.

    Args:
        parts: the connected fabrics.
        rates: rates that are named, network by network, the last one for all further; none: as the links tell.
        where: file, for messages.

    Raises:
        InfeasibleError: a rate that the links do not tell, or hosts that nobody named.
    """
    alike: dict[tuple[object, ...], list[Part]] = defaultdict(list)
    for part in parts:
        if not part.ports:
            raise InfeasibleError(Problem(
                "hosts-unnamed", "no adapter has a name: which of them are one node cannot be told", where,
                "set the node descriptions, and discover anew"))  # fmt: skip
        size = tuple((row.tier, row.switches) for row in part.survey.tier_rows)
        links = tuple((row.lower, row.upper, row.links) for row in part.survey.link_rows if row.lower != "host")
        usual = Counter(part.ports.values()).most_common(1)[0][0]
        hosts = frozenset(host for host, count in part.ports.items() if count == usual)
        alike[size, links, usual, _rate(part), hosts].append(part)
    ordered = sorted(alike.values(), key=lambda held: -sum(sum(part.ports.values()) for part in held))
    found = []
    for number, held in enumerate(ordered):
        rate = rates[min(number, len(rates) - 1)] if rates else _rate(held[0])
        if not rate:
            raise InfeasibleError(Problem("rate-unknown", "the speeds of the links tell no rate of today", where,
                                          "name it: --gen ndr"))  # fmt: skip
        total: Counter[str] = Counter()
        for part in held:
            total.update(part.ports)
        planes = sorted(held, key=lambda part: part.words)
        found.append(Network(tuple(planes), rate, dict(total)))
    return found


def _rate(part: Part) -> str:
    """Return the rate of most host links; empty where it is none of today's."""
    rates: Counter[str] = Counter()
    for row in part.survey.link_rows:
        if row.lower == "host":
            rates.update({bar.value: bar.count for bar in row.rates})
    return RATES.get(rates.most_common(1)[0][0], "") if rates else ""


def groups_of(networks: Sequence[Network]) -> tuple[list[HostGroup], list[int]]:
    """Return the groups of hosts, those of the first network first, and the ports of other hosts on every network.

    Most hosts of a network are its nodes, and so are more than ``FEW`` of another kind; the rest are managers and the
    like, on reserved ports.
    """
    kinds: Counter[tuple[int, ...]] = Counter()
    for host in dict.fromkeys(host for network in networks for host in network.ports):
        kinds[tuple(network.ports.get(host, 0) for network in networks)] += 1
    kept: dict[tuple[int, ...], None] = {}
    for at in range(len(networks)):
        mine = [kind for kind in kinds if kind[at]]
        usual = max(mine, key=lambda kind: (kinds[kind], kind))
        kept |= {kind: None for kind in mine if kind == usual or (len(networks) > 1 and kinds[kind] > FEW)}
    groups = sorted((HostGroup(kinds[kind], kind) for kind in kept), key=lambda group: group.ports, reverse=True)
    others = [
        sum(count * kind[at] for kind, count in kinds.items() if kind not in kept)
        + sum(part.loose for part in network.parts)
        for at, network in enumerate(networks)
    ]  # fmt: skip
    return groups, others
