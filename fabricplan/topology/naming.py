"""Names of device rows, and the digits that a fabric's names need."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fabricplan.names import Widths, core_name, digits, host_name, leaf_name, node_name, spine_name
from fabricplan.requirement import Requirement
from fabricplan.sizing import FabricSizing
from fabricplan.topology.tables import HOST, LEAF, NO_RAIL, NODE, SPINE, Devices
from fabricplan.values import IntArray


def device_names(
    requirement: Requirement, sizings: Sequence[FabricSizing], devices: Devices, rows: IntArray | None = None
) -> list[str]:
    """Return the names of device rows.

    Args:
        requirement: the request.
        sizings: one sizing per fabric.
        devices: all devices of the plan; the letter of a leaf tells it from its twins, which must be there.
        rows: the rows to name; all when None.
    """
    prefixes = ["" if number == 0 else f"{sizing.name}-" for number, sizing in enumerate(sizings)]
    widths = [name_widths(sizing) for sizing in sizings]
    groups = [group.name for group in requirement.groups]
    names = []
    letters = _twin_letters(devices)
    if rows is not None:
        devices, letters = devices.take(rows), letters[rows]
    for (kind, tier, fabric, plane, group, pod, unit, rail, index, _, _), letter in zip(
        devices.rows(), letters.tolist(), strict=True
    ):
        prefix, width = prefixes[fabric], widths[fabric]
        if kind == NODE:
            names.append(node_name(groups[group], unit, index, width))
        elif kind == HOST:
            names.append(host_name(prefix, index, width))
        elif tier == LEAF:
            twin = chr(ord("a") + letter) if letter >= 0 else ""
            names.append(leaf_name(prefix, plane, unit, None if rail == NO_RAIL else rail, width, twin))
        elif tier == SPINE:
            names.append(spine_name(prefix, plane, pod, index, width))
        else:
            names.append(core_name(prefix, plane, pod, index, width))
    return names


def _twin_letters(devices: Devices) -> IntArray:
    """Return, for every leaf that shares fabric, plane, unit and rail with others, its place among them; else -1."""
    letters = np.full(len(devices), -1, np.int64)
    leaves = np.flatnonzero(devices.tier == LEAF)
    if leaves.size:
        places = np.stack([devices.wide(name)[leaves] for name in ("fabric", "plane", "unit", "rail")])
        order = np.lexsort(places)
        fresh = np.ones(order.size, bool)
        fresh[1:] = (places[:, order[1:]] != places[:, order[:-1]]).any(axis=0)
        first, which = np.flatnonzero(fresh), np.cumsum(fresh) - 1
        many = np.diff(np.append(first, order.size))[which] > 1
        letters[leaves[order]] = np.where(many, np.arange(order.size) - first[which], -1)
    return letters


def name_widths(sizing: FabricSizing) -> Widths:
    """Return the digits of a fabric's names: by what its tiers and radix could hold, not by today's count."""
    shape = sizing.shape
    leaves = max(group.leaves_per_unit for group in sizing.groups)
    if shape.tiers == 1 or shape.spine is None:
        units = 999 if sizing.uplinks_to else 1
    elif shape.tiers == 2 or shape.core is None:
        units = shape.spine.radix // leaves
    else:
        units = shape.core.radix * (shape.spine.radix // 2) // leaves
    spine = shape.spine.radix if shape.spine else 1
    return Widths(
        unit=digits(units), node=digits(max(run.nodes_each for run in shape.units), 3),
        spine=digits(max(shape.spines_per_pod, min(spine // 2, 99))),
        pod=digits(shape.core.radix if shape.core else 1), group=digits(max(shape.group_count, 1)),
        core=digits(max(shape.cores_per_group, 1)),
        plane=digits(sizing.planes, 1),
        rail=digits(max((port.rail for group in sizing.groups for port in group.ports), default=0), 1),
    )  # fmt: skip
