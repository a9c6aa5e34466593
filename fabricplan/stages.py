"""Growth: today's part of the final stage, so that what stands is never moved, renamed or recabled.

Racks, lengths and parts of a fabric that grows follow from its final size: the final stage is placed and cabled as a
whole, and a plan of today takes from it what is built today. A later plan of the same ``grow_to`` takes more of the
same whole.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fabricplan.cabling import CableNumbers, Cables, Cabling, LinkCables, Patches, Transceivers
from fabricplan.catalog import Catalog
from fabricplan.placement import Placement
from fabricplan.placing import placed_and_laid
from fabricplan.requirement import Requirement
from fabricplan.sizing import FabricSizing, size_all
from fabricplan.topology import CAGES, SWITCH, Topology, build, device_names, link_cages
from fabricplan.values import IntArray, distinct


def final_requirement(requirement: Requirement) -> Requirement | None:
    """Return the request with every group at its final size, or None if no group grows."""
    if all(group.grow_to is None for group in requirement.groups):
        return None
    groups = tuple(
        group if group.grow_to is None else group.model_copy(update={"nodes": group.grow_to, "gpus": None})
        for group in requirement.groups
    )
    return requirement.model_copy(update={"groups": groups})


def place_and_lay(
    requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, catalog: Catalog
) -> tuple[Placement, Cabling]:
    """Place and cable a topology; of a fabric that grows, today's part of the final stage.

    Raises:
        InfeasibleError: two ends do not mate, or no part reaches far enough (at the final size).
        RequirementError: the adapter of the hosts on reserved ports is not known.
    """
    final = final_requirement(requirement)
    if final is None:
        return placed_and_laid(requirement, sizings, topology, catalog)
    grown = size_all(final, catalog)
    whole = build(final, grown, catalog)
    placement, cabling = placed_and_laid(final, grown, whole, catalog)
    device = _device_rows(requirement, sizings, topology, final, grown, whole)
    link = _link_rows(topology, whole, device)
    return (
        placement.model_copy(update={"places": placement.places.take(device)}),
        _take(cabling, link, device, topology, sizings, requirement),
    )


def _device_rows(
    requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, final: Requirement,
    grown: Sequence[FabricSizing], whole: Topology,
) -> IntArray:  # fmt: skip
    """Return the row in the final stage of every device of today."""
    rows = {name: row for row, name in enumerate(device_names(final, grown, whole.devices))}
    return np.array([rows[name] for name in device_names(requirement, sizings, topology.devices)], np.int64)


def _link_rows(topology: Topology, whole: Topology, device: IntArray) -> IntArray:
    """Return the row in the final stage of every link of today."""
    today, links = topology.links, whole.links

    def code(table: Topology, lower: IntArray, upper: IntArray) -> IntArray:
        ends = lower * 65_536 + table.links.wide("lower_port")
        return (ends * len(whole.devices) + upper) * 256 + table.links.wide("fabric")

    known = code(whole, links.wide("lower"), links.wide("upper"))
    wanted = code(topology, device[today.wide("lower")], device[today.wide("upper")])
    order = np.argsort(known)
    found = order[np.minimum(np.searchsorted(known[order], wanted), known.size - 1)]
    if not np.array_equal(known[found], wanted):
        raise ValueError("a link of today is not in the final stage")
    return found.astype(np.int64)


def _take(
    cabling: Cabling, link: IntArray, device: IntArray, topology: Topology, sizings: Sequence[FabricSizing],
    requirement: Requirement,
) -> Cabling:  # fmt: skip
    """Return the cabling of the links that stand today; parts keep their lengths and bundles their numbers."""
    cables, patches = cabling.cables, cabling.patches
    old_cable = cabling.links.wide("cable")[link]
    new_link = np.full(len(cabling.links), -1, np.int64)
    new_link[link] = np.arange(link.size)
    first = new_link[cables.wide("link")]
    served = old_cable >= 0
    lowest = np.full(len(cables), link.size, np.int64)
    np.minimum.at(lowest, old_cable[served], np.nonzero(served)[0])
    first = np.where(lowest < link.size, lowest, first)
    today = np.zeros(0, np.int64)
    if patches is not None:
        today = np.flatnonzero(new_link[patches.wide("link")] >= 0)
        first[distinct(patches.wide("trunk"))] = -1
        mine, trunks = new_link[patches.wide("link")[today]], patches.wide("trunk")[today]
        # a trunk lies as soon as one of its links does
        first[trunks[::-1]] = mine[::-1]
    kept = np.nonzero(first >= 0)[0]
    kept = kept[np.argsort(first[kept], kind="stable")]
    new_cable = np.full(len(cables) + 1, -1, np.int64)
    new_cable[kept] = np.arange(kept.size)
    used_parts, part = np.unique(cables.wide("part")[kept], return_inverse=True)
    modules = _modules_today(cabling, device, topology, sizings, requirement, served)
    used_modules, module = np.unique(modules.wide("part"), return_inverse=True)
    return Cabling(
        length_source=cabling.length_source,
        cable_parts=tuple(cabling.cable_parts[row] for row in used_parts.tolist()),
        transceiver_parts=tuple(cabling.transceiver_parts[row] for row in used_modules.tolist()),
        cables=Cables(
            part=part,
            link=first[kept],
            required_mm=cables.wide("required_mm")[kept],
            bundle=cables.wide("bundle")[kept],
        ),
        links=LinkCables(cable=new_cable[old_cable], tail=cabling.links.wide("tail")[link]),
        transceivers=Transceivers(
            fabric=modules.wide("fabric"), device=modules.wide("device"), cage=modules.wide("cage"), part=module
        ),
        numbers=CableNumbers(number=kept + 1) if kept.size < len(cables) else None,
        final_count=len(cables) if kept.size < len(cables) else None,
        patches=_patches_today(patches, today, new_link, new_cable) if patches is not None and today.size else None,
    )


def _patches_today(patches: Patches, today: IntArray, new_link: IntArray, new_cable: IntArray) -> Patches:
    """Return the patched links of today with its rows; panel ports stay."""
    taken = patches.take(today)
    rows = new_link[taken.wide("link")]
    order = np.argsort(rows, kind="stable")
    return Patches(
        link=rows[order], run=taken.wide("run")[order], flip=taken.wide("flip")[order], port=taken.wide("port")[order],
        upper_cord=new_cable[taken.wide("upper_cord")][order], trunk=new_cable[taken.wide("trunk")][order],
    )  # fmt: skip


def _modules_today(
    cabling: Cabling, device: IntArray, topology: Topology, sizings: Sequence[FabricSizing], requirement: Requirement,
    served: npt.NDArray[np.bool_],
) -> Transceivers:  # fmt: skip
    """Return the modules of cages that carry a link today, with today's device rows."""
    links, devices = topology.links, topology.devices
    cages = link_cages(requirement, sizings, devices, links)
    codes = []
    # a management port is copper, and no cage of the switch
    optical = served & ~((devices.kind[links.lower] == SWITCH) & (devices.fabric[links.lower] != links.fabric)
                         & np.array([bool(sizing.uplinks_to) for sizing in sizings])[links.fabric])  # fmt: skip
    for end, cage in zip(("lower", "upper"), cages, strict=True):
        row, fabric = links.wide(end)[optical], links.wide("fabric")[optical]
        codes.append((row * 256 + np.where(devices.kind[row] == SWITCH, 255, fabric)) * CAGES + cage[optical])
    today = np.full(int(device.max(initial=-1)) + 1, -1, np.int64)
    today[device] = np.arange(device.size)
    modules = cabling.transceivers
    old = modules.wide("device")
    row = np.where(old < today.size, today[np.minimum(old, today.size - 1)], -1)
    fabric = np.where(devices.kind[row] == SWITCH, 255, modules.wide("fabric"))
    code = (row * 256 + fabric) * CAGES + modules.wide("cage")
    kept = (row >= 0) & np.isin(code, np.concatenate(codes))
    return Transceivers(
        fabric=modules.wide("fabric")[kept], device=row[kept], cage=modules.wide("cage")[kept],
        part=modules.wide("part")[kept],
    )  # fmt: skip
