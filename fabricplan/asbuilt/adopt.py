"""Adopt: a discovered fabric becomes a plan, if there is a request whose plan is cabled exactly so.

Nothing is bent to fit: the requests that could have made the fabric are designed in turn, and the first whose plan
verifies clean against the discovery, by places, is taken. A fabric that no request reproduces is refused with what
differs. With ``grow_to`` the request lays out the final stage, and today's part must be what stands.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from fabricplan.asbuilt.document import Verification
from fabricplan.asbuilt.found import ADAPTER, SWITCH, Found
from fabricplan.asbuilt.match import NO_NAMES, match
from fabricplan.asbuilt.rails import split_description
from fabricplan.asbuilt.survey import FabricSurvey, survey
from fabricplan.asbuilt.verify import verify
from fabricplan.asbuilt.view import view
from fabricplan.catalog import Catalog
from fabricplan.errors import FabricplanError, InfeasibleError, Problem
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.requirement import parse_requirement

RATES = {"4xEDR": "edr", "2xHDR": "hdr100", "4xHDR": "hdr", "2xNDR": "ndr200", "4xNDR": "ndr", "4xXDR": "xdr"}
"""Width and speed of host links -> rate of a request."""


class Adopted(NamedTuple):
    """The plan of a discovered fabric, how it verified, and found name -> name in the plan."""

    plan: Plan
    verification: Verification
    names: dict[str, str]


def adopt(
    found: Found,
    catalog: Catalog,
    rate: str = "",
    grow_to: int | None = None,
    platform: str = "",
    name: str = "adopted",
) -> Adopted:
    """Return the plan of a discovered fabric.

    Args:
        found: the discovery, of one fabric.
        catalog: the catalogue.
        rate: rate of the hosts; empty: as the links tell.
        grow_to: nodes of the final stage.
        platform: id of the servers' catalogue entry; empty: the generic server of the rate.
        name: name of the plan.

    Raises:
        InfeasibleError: no request reproduces the fabric, with what each of them differs in.
    """
    fabrics = survey(found).fabrics
    if len(fabrics) != 1:
        raise InfeasibleError(Problem("several-fabrics", f"{len(fabrics)} fabrics are in the files",
                                      found.sources[0].name, "adopt one fabric at a time"))  # fmt: skip
    (fabric,) = fabrics
    spoken = rate or RATES.get(fabric.link_rows[0].rates[0].value, "") if fabric.link_rows else rate
    if not spoken:
        raise InfeasibleError(Problem("rate-unknown", "the speeds of the links tell no rate of today",
                                      found.sources[0].name, "name it: --gen ndr"))  # fmt: skip
    nodes, ports, others = _nodes(found)
    reasons: list[str] = []
    for label, tree in _requests(fabric, spoken, nodes, ports, others, grow_to, platform, name):
        try:
            plan = design(parse_requirement(tree), catalog)
        except FabricplanError as caught:
            reasons.append(f"{label}: {caught.message}")
            continue
        differs = _counts(plan, fabric)
        if differs:
            reasons.append(f"{label}: {differs}")
            continue
        try:
            checked = verify(plan, "", found, NO_NAMES, by_structure=True)
        except FabricplanError as caught:
            reasons.append(f"{label}: {caught.message}")
            continue
        if checked.clean:
            return Adopted(plan, checked, _names(plan, found))
        wrong = sum(item.wrong + item.missing + item.extra for item in checked.fabrics)
        reasons.append(f"{label}: {wrong} links are not where such a plan has them")
    raise InfeasibleError(Problem(
        "not-adoptable", f"no request gives this fabric of {nodes} nodes: {'; '.join(dict.fromkeys(reasons))}",
        found.sources[0].name, "fabricplan survey tells what is irregular; put it right first"))  # fmt: skip


def _nodes(found: Found) -> tuple[int, int, int]:
    """Return nodes, their ports, and the adapters of other hosts: most hosts alike are the nodes.

    Raises:
        InfeasibleError: no host has a name, so that nobody can tell which adapters are one node.
    """
    kinds, named, names = found.devices.kind.tolist(), found.devices.named.tolist(), found.names()
    a, z = found.links.a.tolist(), found.links.z.tolist()
    ports: Counter[str] = Counter()
    loose = 0
    for row in itertools.chain(a, z):
        if kinds[row] == ADAPTER:
            if named[row]:
                ports[split_description(names[row])[0].casefold()] += 1
            else:
                loose += 1
    if not ports:
        raise InfeasibleError(Problem(
            "hosts-unnamed", "no adapter has a name: which of them are one node cannot be told", found.sources[0].name,
            "set the node descriptions, and discover anew"))  # fmt: skip
    counts = Counter(ports.values())
    usual = max(counts, key=lambda count: (counts[count], count))
    rest = sum(count * hosts for count, hosts in counts.items() if count != usual)
    return counts[usual], usual, rest + loose


def _requests(
    fabric: FabricSurvey, rate: str, nodes: int, ports: int, others: int, grow_to: int | None, platform: str, name: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the requests that could have made the fabric, likeliest first, each with its label."""
    ratio = Fraction(fabric.oversubscription or 1).limit_denominator(8)
    ratios = ["1:1"] if ratio <= 1 else [f"{ratio.numerator}:{ratio.denominator}", "1:1"]
    attaches = ["packed", "rail", "spread"] if fabric.rails.attach == "packed" else ["rail", "packed", "spread"]
    units: list[int | None] = [None]
    if fabric.rails.units:
        units.append(-(-nodes // fabric.rails.units))
    group: dict[str, Any] = {"nodes": nodes, **({"platform": platform} if platform else {}),
                             **({"grow_to": grow_to} if grow_to else {})}  # fmt: skip
    for ratio_text, attach, unit in itertools.product(ratios, attaches, units):
        made: dict[str, Any] = {
            "rate": rate, "attach": attach, "oversubscription": [ratio_text], "reserve_ports": others,
            "attached": [{"group": "node", "ports_per_node": ports}],
        }  # fmt: skip
        if unit:
            made["nodes_per_unit"] = unit
        label = f"{attach} {ratio_text}{f', units of {unit}' if unit else ''}"
        yield label, {"name": name, "groups": [group], "fabrics": [made]}


def _counts(plan: Plan, fabric: FabricSurvey) -> str:
    """Return how a plan's counts differ from what stands; empty if they do not."""
    sizing = plan.fabrics[0]
    planned = (sizing.leaf_count, sizing.spine_count, sizing.core_count)
    tiers = {row.tier: row.switches for row in fabric.tier_rows}
    stands = (tiers.get("leaf", 0), tiers.get("spine", 0), tiers.get("core", 0))
    if planned != stands:
        return f"{'+'.join(map(str, planned))} switches planned, {'+'.join(map(str, stands))} stand"
    links = {(row.lower, row.upper): row.links for row in fabric.link_rows}
    trunks = (sizing.leaf_spine_links, sizing.spine_core_links)
    built = (links.get(("leaf", "spine"), 0), links.get(("spine", "core"), 0))
    if trunks != built:
        return f"{trunks[0]} + {trunks[1]} links between switches planned, {built[0]} + {built[1]} stand"
    return ""


def _names(plan: Plan, found: Found) -> dict[str, str]:
    """Return found name -> name in the plan, of switches and adapters that have one."""
    planned = view(plan, 0)
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
