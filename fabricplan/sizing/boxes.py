"""Switches as endpoints of another fabric: their management ports, and the uplinks of out-of-band leaves.

Boxes are numbered as the device table holds them in the final stage: fabric by fabric, plane by plane, leaves,
spines, cores; those of today keep the numbers of the final stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fabricplan.catalog import Catalog
from fabricplan.errors import Problem, RequirementError
from fabricplan.requirement import FabricRequirement, Requirement
from fabricplan.sizing.hosts import MANAGEMENT_CLASS, HostPorts
from fabricplan.sizing.layout import pods_built, unit_layout
from fabricplan.sizing.shape import FabricSizing


class Region(NamedTuple):
    """Boxes of one tier of one plane.

    Attributes:
        fabric: its number in the request.
        plane: from 1.
        tier: 1 leaf, 2 spine, 3 core.
        first: number of its first box.
        box_count: boxes of the final stage that have a management port.
        built: (first, count) within the region of those that stand today.
        per_box: switches in a box.
    """

    fabric: int
    plane: int
    tier: int
    first: int
    box_count: int
    built: tuple[tuple[int, int], ...]
    per_box: int


def box_regions(sizings: Sequence[tuple[int, FabricSizing]], catalog: Catalog) -> Iterator[Region]:
    """Yield the boxes with a management port of some fabrics, in their order. Externally managed switches have none."""
    first = 0
    for number, sizing in sizings:
        shape = sizing.shape
        tiers = (
            (1, "leaf", shape.leaf, shape.leaf_count), (2, "spine", shape.spine, shape.spine_count),
            (3, "core", shape.core, shape.core_count),
        )  # fmt: skip
        for plane in range(sizing.planes):
            for tier, word, ports, switches in tiers:
                if ports is None or not switches:
                    continue
                model = catalog.switch(ports.model)
                per_box = model.switches_per_box
                count, built = -(-switches // per_box), _built(sizing, tier, per_box)
                if model.managed is False:
                    twins = sizing.managed_per_plane[plane] if sizing.managed_tier == word else 0
                    count, built = min(count, twins), _head(built, twins)
                if count:
                    yield Region(number, plane + 1, tier, first, count, built, per_box)
                    first += count


def _built(sizing: FabricSizing, tier: int, per_box: int) -> tuple[tuple[int, int], ...]:
    """Return (first, count) of today's boxes of a tier in the final order of one plane."""
    shape = sizing.shape
    if tier == 1:
        if shape.leaf_count == 1 or shape.leaves_today == shape.leaf_count:
            switches = [(0, shape.leaves_today)]
        else:
            layout = unit_layout(shape, sizing.groups)
            switches = [(int(a), int(n)) for a, n in zip(layout.first_leaf, layout.leaves * layout.built, strict=True)]
    elif tier == 2:
        switches = _spines(sizing)
    else:
        switches = [(0, shape.cores_today)]
    boxes = [(first // per_box, -(-(first + count) // per_box) - first // per_box)
             for first, count in switches if count]  # fmt: skip
    merged: list[tuple[int, int]] = []
    for first, count in boxes:
        if merged and first <= sum(merged[-1]):
            start = merged[-1][0]
            merged[-1] = (start, max(sum(merged[-1]), first + count) - start)
        else:
            merged.append((first, count))
    return tuple(merged)


def _spines(sizing: FabricSizing) -> list[tuple[int, int]]:
    shape = sizing.shape
    if shape.tiers == 2:
        return [(0, shape.spines_today)]
    each = shape.spines_per_pod
    return [(int(pod) * each, each) for pod in pods_built(shape, sizing.groups)]


def _head(built: tuple[tuple[int, int], ...], most: int) -> tuple[tuple[int, int], ...]:
    return tuple((first, min(count, most - first)) for first, count in built if first < most)


def management_ports(
    requirement: Requirement, fabric: FabricRequirement, sizings: Sequence[tuple[int, FabricSizing]], catalog: Catalog
) -> list[HostPorts]:
    """Return the management ports that the switch boxes of other fabrics take on an out-of-band fabric."""
    wanted = requirement.managed_fabrics(fabric)
    named = [(number, sizing) for number, sizing in sizings if sizing.name in wanted]
    regions = list(box_regions(named, catalog))
    if not regions:
        return []
    built = [(region.first + first, count) for region in regions for first, count in region.built]
    return [HostPorts(
        group="switch boxes", kind="boxes", of=tuple(sizing.name for _, sizing in named),
        nodes=sum(count for _, count in built), nodes_final=sum(region.box_count for region in regions), rails=(0,),
        port_class=MANAGEMENT_CLASS, ports_per_cage=1, built=tuple(built),
    )]  # fmt: skip


def uplink_ports(
    fabric: FabricRequirement, sizings: Sequence[tuple[int, FabricSizing]], catalog: Catalog
) -> list[HostPorts]:
    """Return the uplinks of out-of-band leaves that end on a fabric.

    Raises:
        RequirementError: the fabric does not run at the rate of those uplinks.
    """
    found = []
    for number, sizing in sizings:
        if sizing.uplinks_to != fabric.name:
            continue
        if sizing.uplink_rate != fabric.rate:
            raise RequirementError(Problem(
                "uplink-rate",
                f"the uplinks of {sizing.name} run at {sizing.uplink_rate}, {fabric.name} at {fabric.rate}",
                f"fabrics[{number}].uplinks_to", f"run {fabric.name} at {sizing.uplink_rate}, or say uplinks_to: "
                "customer"))  # fmt: skip
        group = catalog.switch(sizing.shape.leaf.model).group(sizing.uplink_rate)
        assert group is not None
        built = _built(sizing, 1, 1)
        found.append(HostPorts(
            group=f"leaves of {sizing.name}", kind="uplinks", of=(sizing.name,),
            nodes=sum(count for _, count in built), nodes_final=sizing.shape.leaf_count,
            rails=tuple(range(sizing.uplinks_per_leaf)), port_class=group.port_class,
            ports_per_cage=sizing.shape.leaf.up_per_cage, built=built,
        ))  # fmt: skip
    return found
