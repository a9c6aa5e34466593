"""Modules of directors, counted from the cages that are cabled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fabricplan.catalog import DirectorChips
from fabricplan.sizing import FabricSizing
from fabricplan.topology.rows import cage_of
from fabricplan.topology.tables import NODE_LEAF, RESERVED, SWITCH, Topology
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
    devices, links = topology.devices, topology.links
    names = [item.key if item.kind == "switch" else "" for item in topology.device_types]
    is_model = (devices.kind == SWITCH) & np.array([name == model for name in names] or [False])[devices.type]
    counts: list[int] = []
    for number, sizing in enumerate(sizings):
        rows = np.flatnonzero((links.fabric == number) & np.isin(links.role, (NODE_LEAF, RESERVED)))
        upper = links.wide("upper")[rows]
        cage = cage_of(links.wide("upper_port")[rows], sizing.shape.leaf)
        for row in np.flatnonzero(is_model & (devices.fabric == number)).tolist():
            counts.append(distinct((cage[upper == row] - 1) // inside.module_cages).size)
    counts.sort(reverse=True)
    return Modules(chassis, sum(counts[:chassis]), chassis * inside.spine_modules)
