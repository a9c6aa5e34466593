"""Names of device rows, and the digits that a fabric's names need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fabricplan.names import Widths, core_name, digits, host_name, leaf_name, node_name, spine_name
from fabricplan.requirement import Requirement
from fabricplan.sizing import FabricSizing
from fabricplan.topology.tables import HOST, LEAF, NO_RAIL, NODE, SPINE, Devices


def device_names(requirement: Requirement, sizings: Sequence[FabricSizing], devices: Devices) -> list[str]:
    """Return the name of every device row."""
    prefixes = ["" if number == 0 else f"{sizing.name}-" for number, sizing in enumerate(sizings)]
    widths = [name_widths(sizing) for sizing in sizings]
    groups = [group.name for group in requirement.groups]
    names = []
    leaves = devices.take(devices.tier == LEAF)
    alike = Counter(zip(*(getattr(leaves, name).tolist() for name in ("fabric", "plane", "unit", "rail")), strict=True))
    met: Counter[tuple[int, ...]] = Counter()
    for kind, tier, fabric, plane, group, pod, unit, rail, index, _, _ in devices.rows():
        prefix, width = prefixes[fabric], widths[fabric]
        if kind == NODE:
            names.append(node_name(groups[group], unit, index, width))
        elif kind == HOST:
            names.append(host_name(prefix, index, width))
        elif tier == LEAF:
            place = (fabric, plane, unit, rail)
            twin = chr(ord("a") + met[place]) if alike[place] > 1 else ""
            met[place] += 1
            names.append(leaf_name(prefix, plane, unit, None if rail == NO_RAIL else rail, width, twin))
        elif tier == SPINE:
            names.append(spine_name(prefix, plane, pod, index, width))
        else:
            names.append(core_name(prefix, plane, pod, index, width))
    return names


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
