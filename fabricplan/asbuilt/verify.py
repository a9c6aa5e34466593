"""Verify: what was found, held against the plan; swaps and shifts folded into work orders.

::

    found -match-> ends of the plan -places-> devices in each other's place -chains-> moves of plugs -orders-> document
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fabricplan.asbuilt.directors import boxed
from fabricplan.asbuilt.document import FabricResult, Verification, WorkOrder
from fabricplan.asbuilt.found import ADAPTER, AGGREGATION, SWITCH, Found
from fabricplan.asbuilt.match import NO_NAMES, Matched, NameMap, match
from fabricplan.asbuilt.orders import Difference, orders
from fabricplan.asbuilt.places import moved_devices
from fabricplan.asbuilt.view import FabricView, view
from fabricplan.errors import Problem, ReadError, RequirementError, nearest
from fabricplan.plan import Plan
from fabricplan.values import Finding, finding

_DIGITS = re.compile(r"\d+")
NAMED_SHARE = 2
"""At least one in so many named switches must be in the plan; else the file is of another fabric."""


def verify(
    plan: Plan, plan_sha256: str, found: Found, names: NameMap = NO_NAMES, fabric: str = "",
    planes: Sequence[int] = (), by_structure: bool = False,
) -> Verification:  # fmt: skip
    """Hold a discovery against a plan.

    Args:
        plan: the plan.
        plan_sha256: SHA-256 of its file.
        found: the discovery.
        names: found names and GUIDs -> names of the plan.
        fabric: name of the fabric to judge; empty: all of the discovery's technology.
        planes: planes to judge; empty: all.
        by_structure: trust the places of devices, not their names.

    Raises:
        RequirementError: no such fabric or plane.
        ReadError: the discovery is of another fabric, or names are not unique.
    """
    found = boxed(plan, found, names)
    chosen = _scope(plan, found, fabric, planes)
    results: list[FabricResult] = []
    rows: list[WorkOrder] = []
    findings: list[Finding] = list(found.findings)
    known: set[int] = set()
    views = [view(plan, number, planes) for number in chosen]
    matches = [match(found, item, names, by_structure) for item in views]
    _same_fabric(plan, found, matches)
    for matched in matches:
        known.update(row for row, device in enumerate(matched.device) if device >= 0)
    for item, matched in zip(views, matches, strict=True):
        result, made, told = _fabric(item, found, matched, known, len(rows))
        results.append(result)
        rows += made
        findings += told
    findings += _outside(found, known)
    clean = not rows and not any(item.severity == "error" for item in findings)
    return Verification(
        made_by=plan.made_by, plan_name=plan.name, plan_sha256=plan_sha256, sources=found.sources, clean=clean,
        fabrics=tuple(results), orders=tuple(rows), findings=tuple(findings),
    )  # fmt: skip


def _scope(plan: Plan, found: Found, fabric: str, planes: Sequence[int]) -> list[int]:
    """Return the fabrics to judge.

    Raises:
        RequirementError: no such fabric, or none of the discovery's technology, or no such plane.
    """
    named = [sizing.name for sizing in plan.fabrics]
    if fabric and fabric not in named:
        raise RequirementError(Problem("unknown-fabric", f"no fabric '{fabric}' in the plan", "--fabric",
                                       nearest(fabric, named)))  # fmt: skip
    infiniband = found.sources[0].format != "lldp"
    chosen = [number for number, sizing in enumerate(plan.fabrics)
              if (sizing.technology == "infiniband") == infiniband and fabric in ("", sizing.name)]  # fmt: skip
    if not chosen:
        raise RequirementError(Problem(
            "other-technology", f"the file is of {'InfiniBand' if infiniband else 'Ethernet'}, the plan's fabrics are "
            f"{', '.join(named)} ({', '.join(dict.fromkeys(sizing.technology for sizing in plan.fabrics))})", "--found",
            "give a discovery of a fabric that is in the plan"))  # fmt: skip
    most = max(plan.fabrics[number].planes for number in chosen)
    for plane in planes:
        if not 1 <= plane <= most or most == 1:
            hint = f"planes 1 to {most}" if most > 1 else "the plan has one plane"
            raise RequirementError(Problem("unknown-plane", f"no plane {plane} in the plan", "--plane", hint))
    return chosen


def _same_fabric(plan: Plan, found: Found, matches: Sequence[Matched]) -> None:
    """Refuse a discovery of another fabric.

    Raises:
        ReadError: no switch of the file, or only a small part of the named ones, is in the plan.
    """
    kinds, names, named = found.devices.kind.tolist(), found.names(), found.devices.named.tolist()
    switches = [row for row, kind in enumerate(kinds) if kind == SWITCH]
    hit = [row for row in switches if any(matched.device[row] >= 0 for matched in matches)]
    told = [row for row in switches if named[row]]
    met = [row for row in told if row in set(hit)]
    where = found.sources[0].name
    line = int(found.devices.line[switches[0] if switches else 0])
    if not hit or len(met) * NAMED_SHARE < len(told):
        example = names[next((row for row in told if row not in set(hit)), switches[0] if switches else 0)]
        planned = plan.device_names()[int(plan.topology.devices.kind.tolist().index(2))]
        raise ReadError(Problem(
            "another-fabric", f"{len(hit)} of {len(switches)} switches of the file are in the plan: it calls one "
            f"'{example}', the plan has '{planned}'", f"{where}:{line}",
            "a file of another fabric? else give --names MAP, or --by-structure to go by places"))  # fmt: skip
    hosts = [row for row, kind in enumerate(kinds) if kind == ADAPTER and named[row]]
    if hosts and not any(matched.device[row] >= 0 for matched in matches for row in hosts):
        raise ReadError(Problem(
            "no-host-known", f"none of {len(hosts)} named adapters is in the plan; one is '{names[hosts[0]]}'",
            f"{where}:{int(found.devices.line[hosts[0]])}",
            "give --names MAP, or --by-structure to go by places"))  # fmt: skip


def _fabric(
    item: FabricView, found: Found, matched: Matched, known: set[int], first: int
) -> tuple[FabricResult, list[WorkOrder], list[Finding]]:
    """Judge one fabric: counts, work orders, findings."""
    sizing = item.plan.fabrics[item.fabric]
    device = matched.device
    kinds = found.devices.kind.tolist()
    own = set(item.switches)
    a, z = found.links.a.tolist(), found.links.z.tolist()
    mine = [
        link for link, (one, other) in enumerate(zip(a, z, strict=True))
        if kinds[one] < AGGREGATION and kinds[other] < AGGREGATION and (device[one] in own or device[other] in own)
    ]  # fmt: skip
    pairs = [(device[a[link]], device[z[link]]) for link in mine]
    ports = [matched.ports[link] for link in mine]
    place = moved_devices(item, pairs, ports)
    difference = Difference(item, found, mine, [(a[link], z[link]) for link in mine], pairs, ports, place)
    made = orders(difference, first)
    counts = difference.counts()
    findings = _coverage(item, sizing.planes, pairs)
    findings += _models(item, found, device, counts)
    findings += _rates(item, found, difference)
    if matched.by_place:
        findings.append(finding("info", "known-by-place", sizing.name, count=len(matched.by_place)))
    if matched.indistinct:
        findings.append(finding("info", "adapters-indistinct", sizing.name, count=len(matched.indistinct),
                                example=matched.indistinct[0]))  # fmt: skip
    met = {row for pair in pairs for row in pair}
    planes = tuple(sorted({int(row) for row in item.plan.topology.devices.plane[item.upper]} - {0}))
    result = FabricResult(
        fabric=sizing.name, planes=planes,
        switches_planned=len(own), switches_found=len(own & met), extra=counts["extra"], planned=counts["planned"],
        matched=counts["matched"], degraded=counts["degraded"], wrong=counts["wrong"], missing=counts["missing"],
    )  # fmt: skip
    return result, made, findings


def _coverage(item: FabricView, planes: int, pairs: Sequence[tuple[int, int]]) -> list[Finding]:
    """Tell the planes of which nothing was found: they were not judged, and that is no success."""
    table = item.plan.topology.devices
    name = item.plan.fabrics[item.fabric].name
    met = {row for pair in pairs for row in pair if row >= 0}
    if not met:
        return [finding("error", "fabric-not-found", name)]
    if planes == 1:
        return []
    wanted = sorted({int(plane) for plane in table.plane[item.upper].tolist()})
    seen = {int(table.plane[row]) for row in met}
    return [finding("error", "plane-not-found", name, plane=plane) for plane in wanted if plane not in seen]


def _models(item: FabricView, found: Found, device: Sequence[int], counts: dict[str, int]) -> list[Finding]:
    """Tell switches that say they are another model than planned; makers write one model in several ways, so that its
    number is compared, without the last digit (MQM9700 and MQM9701 are built alike, MQM9790 is not).

    Raises:
        ReadError: every switch is another model and no link is where it is planned: a fabric of another plan.
    """
    types = item.plan.topology.device_types
    kind = item.plan.topology.devices.type.tolist()
    told: dict[tuple[str, str], list[int]] = {}
    known = 0
    for row, (planned, model) in enumerate(zip(device, found.models(), strict=True)):
        if planned < 0 or not _DIGITS.search(model) or types[kind[planned]].kind != "switch":
            continue
        known += 1
        key = types[kind[planned]].key
        if _DIGITS.findall(model)[0][:-1] != "".join(_DIGITS.findall(key)[:1])[:-1]:
            told.setdefault((key, model), []).append(row)
    names = found.names()
    if told and sum(map(len, told.values())) == known and not counts["matched"] + counts["degraded"]:
        (planned_model, model), rows = next(iter(told.items()))
        raise ReadError(Problem(
            "another-fabric", f"the file's switches say {model}, the plan's are {planned_model}, and no link is where "
            "the plan has it", f"{found.sources[0].name}:{int(found.devices.line[rows[0]])}",
            "give a discovery of this plan's fabric"))  # fmt: skip
    return [
        finding("error", "other-model", names[rows[0]], count=len(rows), planned=key, found=model,
                names=", ".join(names[row] for row in rows[:12]))
        for (key, model), rows in told.items()
    ]  # fmt: skip


def _rates(item: FabricView, found: Found, difference: Difference) -> list[Finding]:
    """Tell where rates could not be judged."""
    sizing = item.plan.fabrics[item.fabric]
    if difference.simulated:
        return [finding("info", "speeds-simulated", sizing.name, found=difference.simulated)]
    if not found.links.gbps.any():
        return [finding("info", "speeds-unknown", sizing.name)]
    return []


def _outside(found: Found, known: set[int]) -> list[Finding]:
    """Tell devices that are in no fabric of the plan; their links to planned devices are work orders besides."""
    kinds, names = found.devices.kind.tolist(), found.names()
    rows = [row for row, kind in enumerate(kinds) if kind < AGGREGATION and row not in known]
    unplanned = [row for row in rows if kinds[row] == SWITCH]
    told: list[Finding] = []
    if unplanned:
        told.append(finding("error", "unplanned-switches", names[unplanned[0]], count=len(unplanned),
                            names=", ".join(names[row] for row in unplanned[:12])))  # fmt: skip
    hosts = [row for row in rows if kinds[row] == ADAPTER]
    if hosts:
        told.append(finding("info", "unplanned-hosts", names[hosts[0]], count=len(hosts),
                            names=", ".join(names[row] for row in hosts[:12])))  # fmt: skip
    return told
