"""Rates of a fabric by what its switches can run: a plan's own numbers are claims, and no proof rests on a claim.

The rate of a link follows from the word for it (``ndr``), the switches at its ends, as the link table joins them, and
the modes that the plan's product entries give these switches.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from fabricplan.plan import Plan
from fabricplan.sizing import FabricSizing
from fabricplan.topology import SWITCH
from fabricplan.values import IntArray


def derive_rates(plan: Plan, number: int) -> FabricSizing:
    """Return the sizing of a fabric with the rates that its switches run, whatever it states."""
    sizing, links = plan.fabrics[number], plan.topology.links
    mine = np.flatnonzero(links.wide("fabric") == number)
    lower, upper = links.wide("lower")[mine], links.wide("upper")[mine]
    here = (plan.topology.devices.wide("kind") == SWITCH) & (plan.topology.devices.wide("fabric") == number)
    trunk = here[lower] & here[upper]
    uplink = [_speed(plan, device, sizing.uplink_rate, sizing.uplink_gbps)
              for device in _one_of_each(plan, np.concatenate([lower[trunk], upper[trunk]]))]  # fmt: skip
    if not trunk.any() and sizing.shape.tiers == 1:
        uplink = [_inside(plan, device) for device in _one_of_each(plan, np.flatnonzero(here))]
    uplink = [gbps for gbps in uplink if gbps]
    link = [_speed(plan, device, sizing.rate, sizing.link_gbps)
            for device in _one_of_each(plan, upper[~trunk & here[upper]])]  # fmt: skip
    return sizing.model_copy(update={
        "link_gbps": min(link, default=sizing.link_gbps), "uplink_gbps": min(uplink, default=sizing.uplink_gbps),
    })  # fmt: skip


def worst_ratio(lower: IntArray, upper: IntArray, down_gbps: int, up_gbps: int) -> Fraction:
    """Return the worst ratio of bandwidth down over bandwidth up, over switches that have links of both kinds.

    >>> worst_ratio(np.array([32, 31, 4]), np.array([16, 16, 0]), 400, 400)
    Fraction(2, 1)
    """
    both = np.unique(np.stack([lower, upper])[:, (lower > 0) & (upper > 0)], axis=1)
    found = [Fraction(down * down_gbps, up * up_gbps) for down, up in both.T.tolist()]
    return max(found, default=Fraction(0))


def _one_of_each(plan: Plan, devices: IntArray) -> list[int]:
    """Return one device row per type among some devices."""
    types = plan.topology.devices.wide("type")[devices]
    return [int(row) for row in devices[np.unique(types, return_index=True)[1]]]


def _inside(plan: Plan, device: int) -> int:
    """Return what the links inside of a director run; 0 where the switch is none."""
    kind = plan.topology.device_types[int(plan.topology.devices.wide("type")[device])]
    inside = plan.products.switch(kind.key).inside
    return inside.internal_gbps if inside else 0


def _speed(plan: Plan, device: int, rate: str, stated: int) -> int:
    """Return what a switch runs at a rate; where it cannot run it, less than is stated, so that the claim falls."""
    kind = plan.topology.device_types[int(plan.topology.devices.wide("type")[device])]
    switch = plan.products.switch(kind.key)
    modes = [mode for group in switch.cages for mode in group.modes]
    found = [mode.speed_gbps for mode in modes if mode.rate == rate]
    slower = [mode.speed_gbps for mode in modes if mode.speed_gbps < stated]
    return max(found) if found else max(slower, default=1)
