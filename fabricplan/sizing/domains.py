"""Failure domains in closed form: what one lost device or cable costs whom."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np

from fabricplan.sizing.layout import unit_layout
from fabricplan.sizing.shape import FabricSizing
from fabricplan.values import Value


class FailureDomain(Value):
    """What is lost, how many of what lose some of their bandwidth into the fabric, and the share that they lose.

    A share of ``1`` means that they are cut off.
    """

    lost: Literal["leaf", "leaf_module", "spine_module", "spine", "core", "node_cable", "trunk_cable"]
    hit: Literal["nodes", "leaf_modules", "leaves", "spines"]
    count: int
    share: str


def failure_domains(sizing: FabricSizing) -> tuple[FailureDomain, ...]:
    """Return the failure domains of a fabric, at their worst.

    A leaf costs every node of its unit q of its r ports (over all planes); a spine costs every leaf of its pod its b
    of u uplinks; a core costs every spine below it its t of us uplinks; a cable costs one port. Inside a director a
    leaf module costs the nodes on its ports what they have there, a spine module costs all leaf modules one part of
    (spine modules) of their bandwidth.
    """
    shape = sizing.shape
    found = [_leaf(sizing), *_modules(sizing)]
    if shape.tiers > 1:
        leaves = min(shape.leaves_per_pod or shape.leaf_count, shape.leaves_today)
        found.append(_domain("spine", "leaves", leaves, shape.links_per_pair, shape.uplinks))
    if shape.cores_today:
        spines = shape.pods_today * shape.spines_per_group
        found.append(_domain("core", "spines", spines, shape.links_per_core_pair, shape.spine_uplinks))
    ports = min((len(group.ports) for group in sizing.groups if group.ports), default=1)
    found.append(_domain("node_cable", "nodes", 1, 1, ports))
    if shape.tiers > 1:
        found.append(_domain("trunk_cable", "leaves", 1, 1, shape.uplinks))
    return tuple(found)


def _leaf(sizing: FabricSizing) -> FailureDomain:
    shape = sizing.shape
    layout = unit_layout(shape, sizing.groups)
    alone = shape.leaf_count == 1
    by_unit: dict[int, int] = {}
    share = Fraction(0)
    for group, units in zip(sizing.groups, layout.groups, strict=True):
        per_leaf = group.ports_per_node if alone else group.rails_per_leaf
        share = max(share, Fraction(per_leaf, len(group.ports)))
        for unit, today in zip(units.unit.tolist(), units.today.tolist(), strict=True):
            by_unit[unit] = by_unit.get(unit, 0) + today
    count = sum(by_unit.values()) if alone else max(by_unit.values(), default=0)
    return FailureDomain(lost="leaf", hit="nodes", count=count, share=str(share))


def _modules(sizing: FabricSizing) -> list[FailureDomain]:
    leaf = sizing.shape.leaf
    if leaf.module_cages is None or leaf.spine_modules is None:
        return []
    each = leaf.module_cages * leaf.down_per_cage
    first, hit, share, used = 0, 0, Fraction(0), set[int]()
    for group in sizing.groups:
        start = first + np.arange(group.nodes) * group.ports_per_node
        first += group.nodes_final * group.ports_per_node
        module = (start[:, None] + np.arange(group.ports_per_node)) // each
        used |= set(module.ravel().tolist())
        for number in set(module.ravel().tolist()):
            held = (module == number).sum(axis=1)
            hit = max(hit, int((held > 0).sum()))
            share = max(share, Fraction(int(held.max()), len(group.ports)))
    return [
        FailureDomain(lost="leaf_module", hit="nodes", count=hit, share=str(share)),
        _domain("spine_module", "leaf_modules", len(used), 1, leaf.spine_modules),
    ]


def _domain(
    lost: Literal["spine_module", "spine", "core", "node_cable", "trunk_cable"],
    hit: Literal["nodes", "leaf_modules", "leaves", "spines"], count: int, part: int, whole: int,
) -> FailureDomain:  # fmt: skip
    return FailureDomain(lost=lost, hit=hit, count=count, share=str(Fraction(part, whole)))
