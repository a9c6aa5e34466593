"""Switches that nobody named, known by their place.

Ports are numbered by rule, so a cable between two unnamed switches tells by its two port numbers which links of the
plan it can stand for: one in two tiers; in three, one of every pod, or of every core group. A spine has cables of both
kinds, and only one place of the plan has all of them. From there every known end names the switch at the far end. Each
switch is what most of its cables say, so that some wrong cables do not matter.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from fabricplan.asbuilt.found import SWITCH, Found
from fabricplan.asbuilt.survey import tiers_of
from fabricplan.asbuilt.view import PORTS, FabricView

HostEnd = Callable[[int], tuple[int, int, int]]


def place_switches(
    found: Found, view: FabricView, device: list[int], unknown: list[int], host_end: HostEnd
) -> list[int]:
    """Fill ``device`` for unknown switches; return the rows that became known.

    Args:
        found: the discovery.
        view: a fabric of the plan.
        device: planned device row of every found device, -1 where unknown; is filled.
        unknown: rows of the unknown switches.
        host_end: switch row, port and planned host end of a found link.
    """
    open_rows = set(unknown)
    taken = {planned for planned in device if planned >= 0}
    free = [row for row in view.switches if row not in taken]
    if len(free) == 1 and len(unknown) == 1:
        device[unknown[0]] = free[0]
        return list(unknown)
    kinds = found.devices.kind.tolist()
    tier = tiers_of(found).tolist()
    planned_tier = view.plan.topology.devices.tier.tolist()
    rows = list(zip(found.links.a.tolist(), found.links.a_port.tolist(), found.links.z.tolist(),
                    found.links.z_port.tolist(), strict=True))  # fmt: skip
    trunks = [row for row in rows if kinds[row[0]] == SWITCH and kinds[row[2]] == SWITCH]
    hosts = [host_end(link) for link in range(len(rows))]
    pairs = _pairs(view)
    done: list[int] = []
    while open_rows:
        votes: dict[int, Counter[int]] = defaultdict(Counter)
        for switch, port, end in hosts:
            if switch in open_rows and end >= 0:
                _vote(votes[switch], view, end ^ 1, port)
        for a, a_port, z, z_port in trunks:
            for near, near_port, far, far_port in ((a, a_port, z, z_port), (z, z_port, a, a_port)):
                if near in open_rows and device[far] >= 0:
                    end = view.end_of.get(device[far] * PORTS + far_port, -1)
                    if end >= 0:
                        _vote(votes[near], view, end ^ 1, near_port)
        if not votes:
            for a, a_port, z, z_port in trunks:
                if a in open_rows and z in open_rows and tier[a] != tier[z]:
                    low, low_port, high, high_port = (
                        (a, a_port, z, z_port) if tier[a] < tier[z] else (z, z_port, a, a_port)
                    )
                    for lower, upper in pairs.get((min(tier[low], 2), low_port, high_port), ()):
                        votes[low][lower] += 1
                        votes[high][upper] += 1
        chosen = _choose(votes, taken, tier, planned_tier)
        if not chosen:
            break
        for row, planned in chosen.items():
            device[row] = planned
            taken.add(planned)
            open_rows.discard(row)
            done.append(row)
    return done


def _vote(votes: Counter[int], view: FabricView, end: int, port: int) -> None:
    """Vote for the device of a planned end; the right port counts more than another port of the device."""
    votes[view.device_of[end]] += 2 if view.port_of[end] == port else 1


def _choose(
    votes: dict[int, Counter[int]], taken: set[int], tier: list[int], planned_tier: list[int]
) -> dict[int, int]:
    """Return the switches whose votes have one clear first, each planned device once."""
    best: dict[int, tuple[int, int]] = {}
    for row, counted in votes.items():
        allowed = [(count, planned) for planned, count in counted.items()
                   if planned not in taken and planned_tier[planned] == min(tier[row], 3)]  # fmt: skip
        allowed.sort(reverse=True)
        # places that only a core group or a pod tells apart have equal votes but for wrong cables
        if allowed and (len(allowed) == 1 or allowed[0][0] * 2 >= allowed[1][0] * 3):
            count, planned = allowed[0]
            if planned not in best or best[planned][0] < count:
                best[planned] = (count, row)
    return {row: planned for planned, (_, row) in best.items()}


def _pairs(view: FabricView) -> dict[tuple[int, int, int], list[tuple[int, int]]]:
    """Return (lower tier, lower port, upper port) -> (lower, upper) of the links between switches that have them."""
    devices = view.plan.topology.devices
    tiers = devices.tier[view.lower].tolist()
    found: dict[tuple[int, int, int], list[tuple[int, int]]] = defaultdict(list)
    columns = (view.lower_port.tolist(), view.upper_port.tolist(), view.lower.tolist(), view.upper.tolist())
    for tier, low, high, lower, upper in zip(tiers, *columns, strict=True):
        if tier > 0:
            found[tier, low, high].append((lower, upper))
    return found
