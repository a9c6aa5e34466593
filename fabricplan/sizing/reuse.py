"""Switches that the customer has already: which tiers they serve, so that fewer are bought."""

from __future__ import annotations

from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError, Problem, RequirementError
from fabricplan.requirement import FabricRequirement
from fabricplan.sizing.geometry import Tiers
from fabricplan.sizing.shape import Reuse, Shape
from fabricplan.values import Finding, finding


def reuse(
    fabric: FabricRequirement, tiers: Tiers, shape: Shape, planes: int, where: str, catalog: Catalog
) -> tuple[tuple[Reuse, ...], list[Finding]]:
    """Deal existing switches to the tiers of their model, leaves first, and tell what they save.

    A switch serves a tier if it has as many free ports as the tier uses.

    Raises:
        RequirementError: no such switch, or one with fewer ports than are said to be free.
        InfeasibleError: a switch that runs none of the fabric's rates: no recipe joins it.
    """
    used = []
    notes: list[Finding] = []
    pods = shape.pod_count * shape.spines_per_group * shape.links_per_core_pair
    roles = [
        (tiers.leaf, shape.leaves_today, shape.hosts_per_leaf + shape.uplinks),
        (tiers.spine, shape.spines_today, shape.leaves_per_pod * shape.links_per_pair + shape.spine_uplinks),
        (tiers.core, shape.cores_today, pods),
    ]
    open_boxes = [-(-count // tier.switch.switches_per_box) * planes for tier, count, _ in roles]
    for number, item in enumerate(fabric.existing):
        place = f"{where}.existing[{number}]"
        key = catalog.find("switches", item.model)
        if key is None:
            raise RequirementError(Problem("unknown-switch", f"no switch '{item.model}'", f"{place}.model",
                                           catalog.advice("switches", item.model)))  # fmt: skip
        switch = catalog.switch(key)
        rates = dict.fromkeys(mode.rate for group in switch.cages for mode in group.modes)
        runs = rates.keys() & {fabric.rate, tiers.uplink_rate}
        if switch.technology != tiers.leaf.switch.technology or not runs:
            told = ", ".join(rates) or "nothing known"
            raise InfeasibleError(Problem(
                "existing-generation", f"existing {key} ({switch.generation}) runs {told}; no parts join it to this "
                f"fabric of {fabric.rate} with uplinks of {tiers.uplink_rate}", f"{place}.model",
                "leave it out, or name the tier that it shall be: leaf, spine or core"))  # fmt: skip
        most = max(group.count * mode.ports for group in switch.cages for mode in group.modes)
        if item.ports_free is not None and item.ports_free > most:
            raise RequirementError(Problem(
                "existing-ports", f"existing {key}: {item.ports_free:,} ports are free of {most:,} that it has at most",
                f"{place}.ports_free", "give the free ports of one switch"))  # fmt: skip
        left = item.quantity
        for role, (tier, _, ports) in enumerate(roles):
            if tier.switch.model != key or not open_boxes[role]:
                continue
            if item.ports_free is not None and item.ports_free < ports:
                notes.append(finding("info", "existing-too-few-ports", fabric.name, model=key, free=item.ports_free,
                                     ports=ports, tier=("leaf", "spine", "core")[role]))  # fmt: skip
                continue
            taken = min(left, open_boxes[role])
            open_boxes[role] -= taken
            left -= taken
            if taken:
                used.append(Reuse(model=key, tier=role + 1, quantity=taken))
        if left < item.quantity:
            notes.append(finding("info", "switches-reused", fabric.name, model=key, quantity=item.quantity - left))
        if left:
            notes.append(finding("info", "existing-unused", fabric.name, model=key, quantity=left))
    return tuple(used), notes
