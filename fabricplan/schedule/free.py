"""What is free on the switches: whole cages, and ports of cages that are in part used."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fabricplan.plan import Plan
from fabricplan.portwords import switch_port
from fabricplan.topology import CAGES, SWITCH, cage_of, tier_ports


class FreeRow(NamedTuple):
    """What is free on one switch: cages as panel ranges (``IB1/17 - IB1/32``), and ``shared`` cages with free ports."""

    device: str
    rack: str
    u: int | None
    ranges: tuple[str, ...]
    shared: tuple[str, ...]
    cages: int
    ports: int


def free_rows(plan: Plan) -> list[FreeRow]:
    """Return the switches with something free, in the order of the plan; a full switch has no row."""
    devices, links = plan.topology.devices, plan.topology.links
    used: dict[int, int] = {}
    for ends, ports in (("upper", "upper_port"), ("lower", "lower_port")):
        device, port = links.wide(ends), links.wide(ports)
        for number, sizing in enumerate(plan.fabrics):
            for tier in range(1, sizing.shape.tiers + 1):
                mine = (devices.fabric == number) & (devices.kind == SWITCH) & (devices.tier == tier)
                rows = np.flatnonzero(mine[device])
                cages = cage_of(port[rows], tier_ports(sizing.shape, tier))
                found, counts = np.unique(device[rows] * CAGES + cages, return_counts=True)
                for key, count in zip(found.tolist(), counts.tolist(), strict=True):
                    used[key] = used.get(key, 0) + count
    names, racks = plan.device_names(), plan.placement.rack_names()
    place, height = plan.placement.places.rack, plan.placement.places.u
    found_rows = []
    for row in np.flatnonzero(devices.kind == SWITCH).tolist():
        tier_of = tier_ports(plan.fabrics[int(devices.fabric[row])].shape, int(devices.tier[row]))
        numbering = plan.products.switch(tier_of.model).port_numbering
        empty, shared, ports_left = [], [], 0
        for cage in range(1, tier_of.cage_count + 1):
            holds = tier_of.down_per_cage if cage < tier_of.up_first_cage else tier_of.up_per_cage
            taken = used.get(row * CAGES + cage, 0)
            if not taken:
                empty.append(cage)
            elif taken < holds:
                shared.append(cage)
                ports_left += holds - taken
        if empty or ports_left:
            panel = [switch_port(numbering, (cage - 1) * tier_of.numbers_per_cage + 1, tier_of, 1, False).panel
                     for cage in range(1, tier_of.cage_count + 1)]  # fmt: skip
            found_rows.append(FreeRow(names[row], racks[place[row]], int(height[row]) or None,
                                      tuple(_ranges(empty, panel)), tuple(_ranges(shared, panel)),
                                      len(empty), ports_left))  # fmt: skip
    return found_rows


def _ranges(cages: list[int], panel: list[str]) -> list[str]:
    """Return runs of cages by their labels.

    >>> _ranges([1, 2, 3, 5], ["IB1/1", "IB1/2", "IB1/3", "IB1/4", "IB1/5"])
    ['IB1/1 - IB1/3', 'IB1/5']
    """
    runs: list[list[int]] = []
    for cage in cages:
        if runs and cage == runs[-1][-1] + 1:
            runs[-1].append(cage)
        else:
            runs.append([cage])
    return [panel[run[0] - 1] + (f" - {panel[run[-1] - 1]}" if len(run) > 1 else "") for run in runs]
