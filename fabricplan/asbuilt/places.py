"""Devices in each other's place: one cause where all the links of a device are wrong in the same way."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from fabricplan.asbuilt.view import PORTS, FabricView

Ports = Sequence[tuple[int, int]]


def moved_devices(view: FabricView, devices: Sequence[tuple[int, int]], ports: Ports) -> dict[int, int]:
    """Return planned device -> the device in whose place it stands.

    A device stands in another's place if more than half of its cables, and at least two, lead where the other's cable
    of the same port should lead. The places must be free: whoever belongs there has moved too, or was not found.

    Args:
        view: a fabric of the plan.
        devices: planned device rows of both ends of every found link; -1 for devices not in the plan.
        ports: their port numbers.
    """
    place: dict[int, int] = {}
    while True:
        added = _round(view, devices, ports, place)
        if not added:
            return {device: to for device, to in place.items() if device != to}
        # where a device of this round was moved before, the two moves are one
        place = {device: added.get(to, to) for device, to in place.items()} | {
            device: to for device, to in added.items() if device not in place and device not in place.values()
        }


def _round(view: FabricView, devices: Sequence[tuple[int, int]], ports: Ports, place: dict[int, int]) -> dict[int, int]:
    """Return the moves of one kind and model of devices that the wrong links speak for, given earlier ones."""
    votes: dict[int, Counter[int]] = defaultdict(Counter)
    total: Counter[int] = Counter()
    met: set[int] = set()
    end_of, device_of, port_of = view.end_of, view.device_of, view.port_of
    for (a, z), (p, q) in zip(devices, ports, strict=True):
        a, z = place.get(a, a), place.get(z, z)
        met.update((a, z))
        first = end_of.get(a * PORTS + p, -1) if a >= 0 else -1
        second = end_of.get(z * PORTS + q, -1) if z >= 0 else -1
        total[a] += 1
        total[z] += 1
        if first >= 0 and first ^ 1 == second:
            continue
        for near, port, far in ((a, p, second), (z, q, first)):
            if near >= 0 and far >= 0 and port_of[far ^ 1] == port:
                votes[near][device_of[far ^ 1]] += 1
    table = view.plan.topology.devices
    found: dict[tuple[int, int], dict[int, tuple[int, int]]] = defaultdict(dict)
    for device, counted in votes.items():
        to, count = counted.most_common(1)[0]
        kind = (int(table.kind[device]), int(table.type[device]))
        alike = kind == (int(table.kind[to]), int(table.type[to])) and table.group[device] == table.group[to]
        if to != device and alike and count > 1 and count * 2 > total[device]:
            found[kind][device] = (to, count)
    best: dict[int, int] = {}
    for moves in found.values():
        kept = _consistent({device: to for device, (to, _) in moves.items()}, met)
        if sum(moves[device][1] for device in kept) > sum(moves_count(found, best)):
            best = kept
    return best


def moves_count(found: dict[tuple[int, int], dict[int, tuple[int, int]]], chosen: dict[int, int]) -> list[int]:
    """Return the links that speak for each chosen move."""
    return [moves[device][1] for moves in found.values() for device in chosen if device in moves]


def _consistent(moves: dict[int, int], met: set[int]) -> dict[int, int]:
    """Drop moves into places that are taken, or that two devices claim."""
    while True:
        claims = Counter(moves.values())
        kept = {device: to for device, to in moves.items() if claims[to] == 1 and (to in moves or to not in met)}
        if len(kept) == len(moves):
            return kept
        moves = kept


def circles(place: dict[int, int]) -> list[list[int]]:
    """Return the moves as rows, then circles: each device stands in the place of the next of its list.

    >>> circles({1: 2, 2: 1, 5: 6})
    [[5, 6], [1, 2]]
    """
    starts = [device for device in place if device not in place.values()] + list(place)
    seen: set[int] = set()
    found = []
    for start in starts:
        row, at = [], start
        while at not in seen and at in place:
            seen.add(at)
            row.append(at)
            at = place[at]
        if row:
            found.append(row if at == start else [*row, at])
    return found
