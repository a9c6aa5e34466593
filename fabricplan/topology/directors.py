"""Modules of directors, counted from the cages that are cabled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fabricplan.catalog import DirectorChips
from fabricplan.sizing import FabricSizing
from fabricplan.topology.rows import cage_of
from fabricplan.topology.tables import LEAF, NODE_LEAF, RESERVED, SWITCH, Topology
from fabricplan.values import distinct


class Modules(NamedTuple):
    """What some chassis of a director must hold."""

    chassis: int
    leaf: int
    spine: int


def director_modules(
    topology: Topology, sizings: Sequence[FabricSizing], model: str, inside: DirectorChips, chassis: int
) -> Modules:
    """Return the modules of so many of a plan's directors of a model, those with the most first.

    Leaf modules: those of which a cage is cabled. Spine modules: all, however few leaf modules there are,
    since every one carries 1 of (spine modules) parts of each leaf chip's bandwidth.

    Args:
        topology: devices and links.
        sizings: the fabrics.
        model: the director.
        inside: its chips.
        chassis: how many of them are counted: those that are bought.
    """
    counts = [count for number, sizing in enumerate(sizings) if sizing.shape.leaf.model == model
              for count in leaf_modules(topology, number, sizing, inside)]  # fmt: skip
    counts.sort(reverse=True)
    return Modules(chassis, sum(counts[:chassis]), chassis * inside.spine_modules)


def leaf_modules(topology: Topology, number: int, sizing: FabricSizing, inside: DirectorChips) -> list[int]:
    """Return the leaf modules of every director of one fabric: those of which a cage is cabled."""
    devices, links = topology.devices, topology.links
    rows = np.flatnonzero((links.fabric == number) & np.isin(links.role, (NODE_LEAF, RESERVED)))
    upper = links.wide("upper")[rows]
    module = (cage_of(links.wide("upper_port")[rows], sizing.shape.leaf) - 1) // inside.module_cages
    boxes = np.flatnonzero((devices.kind == SWITCH) & (devices.fabric == number) & (devices.tier == LEAF))
    return [distinct(module[upper == row]).size for row in boxes.tolist()]
