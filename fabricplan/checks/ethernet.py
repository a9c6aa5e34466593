"""Rules on Ethernet links between switches: what must be set by hand before a link comes up.

Source: Cumulus Linux 5.16 guide, switch port attributes: since 5.9 a cage of eight lanes that is split in four gives
each port two lanes; on 400G QSFP-DD modules of SN4410 and SN4700 there is no auto-negotiation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fabricplan.checks.view import View
from fabricplan.topology import LEAF_SPINE, SPINE_CORE, tier_ports
from fabricplan.values import Finding, finding

TIERS_OF = {LEAF_SPINE: (2, 1), SPINE_CORE: (3, 2)}
"""Role -> tiers of its upper and its lower end."""
WIDE, NARROW, SPLIT = 8, 4, 4
FORCED_CLASS, FORCED_GBPS = "qsfp-dd", 400


def lanes_per_port(view: View) -> Iterator[Finding]:
    """Cages of eight lanes, split in four, that face a switch with cages of four lanes."""
    found: dict[tuple[int, str, str], int] = {}
    for joint in view.joints:
        sizing = view.sizings[joint.fabric]
        if sizing.technology == "infiniband" or joint.role not in TIERS_OF:
            continue
        upper, lower = (tier_ports(sizing.shape, tier) for tier in TIERS_OF[joint.role])
        ends = [
            (upper.model, upper.down_per_cage, joint.upper_class),
            (lower.model, lower.up_per_cage, joint.lower_class),
        ]
        lanes = [view.catalog.port_class(name).lanes for _, _, name in ends]
        for near, far in ((0, 1), (1, 0)):
            if lanes[near] == WIDE and ends[near][1] == SPLIT and lanes[far] == NARROW:
                key = joint.fabric, ends[near][0], ends[far][0]
                found[key] = found.get(key, 0) + joint.links
    for (fabric, near_model, far_model), links in found.items():
        yield finding("warning", "lanes-per-port", view.sizings[fabric].name, model=near_model, far=far_model,
                      links=links)  # fmt: skip


def speed_by_hand(view: View) -> Iterator[Finding]:
    """Links of 400G on modules in QSFP-DD cages, which do not negotiate."""
    found: dict[tuple[int, str], int] = {}
    for joint in view.joints:
        sizing = view.sizings[joint.fabric]
        if joint.role not in TIERS_OF or view.gbps(joint.fabric, joint.role) != FORCED_GBPS:
            continue
        upper, lower = (tier_ports(sizing.shape, tier) for tier in TIERS_OF[joint.role])
        models = {model for model, port_class, module in (
            (upper.model, joint.upper_class, joint.upper_module), (lower.model, joint.lower_class, joint.lower_module),
        ) if port_class == FORCED_CLASS and module}  # fmt: skip
        for model in sorted(models):
            found[joint.fabric, model] = found.get((joint.fabric, model), 0) + joint.links
    for (fabric, model), links in found.items():
        yield finding("info", "speed-by-hand", view.sizings[fabric].name, model=model, links=links, gbps=FORCED_GBPS)


RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (lanes_per_port, speed_by_hand)
