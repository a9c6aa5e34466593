"""Whether the tables of a plan point at what is there: every row number, every key, before anything follows them.

Rules judge what a plan says; a plan that was damaged or edited by hand may point at devices, parts and racks that do
not exist. What is wrong is told with table, column and row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from fabricplan.bom import Bom
from fabricplan.cabling import Cabling
from fabricplan.placement import Placement
from fabricplan.requirement import Requirement
from fabricplan.sizing import FabricSizing
from fabricplan.topology import HOST, LEAF, NODE, ROLES, SWITCH, Topology
from fabricplan.values import Table


def _strangers(requirement: Requirement, fabrics: Sequence[FabricSizing]) -> Iterator[str]:
    """Yield where a sizing names a group or a fabric that there is not, or its units do not hold a group."""
    known = {group.name for group in requirement.groups}
    names = {sizing.name for sizing in fabrics}
    for number, sizing in enumerate(fabrics):
        attached = {group.group for group in sizing.groups}
        for place, group in enumerate(sizing.groups):
            if group.kind == "nodes" and group.group not in known:
                yield f"fabrics[{number}].groups[{place}].group: the request has no group '{group.group}'"
            for name in group.of:
                if name not in names:
                    yield f"fabrics[{number}].groups[{place}].of: the plan has no fabric '{name}'"
        for place, run in enumerate(sizing.shape.units):
            if run.group not in attached:
                yield f"fabrics[{number}].shape.units[{place}].group: '{run.group}' does not attach here"
        for group in sizing.groups:
            held = sum(run.unit_count * run.nodes_each for run in sizing.shape.units if run.group == group.group)
            if held != group.nodes_final:
                yield f"fabrics[{number}].shape.units: room for {held} of '{group.group}', not {group.nodes_final}"


def table_faults(
    requirement: Requirement, fabrics: Sequence[FabricSizing], topology: Topology, placement: Placement,
    cabling: Cabling,
) -> Iterator[str]:  # fmt: skip
    """Yield, for each table column that points outside of what there is, its first wrong row.

    Args:
        requirement: the request.
        fabrics: one sizing per fabric.
        topology: devices and links.
        placement: racks and places.
        cabling: cables and modules.
    """
    if [item.name for item in fabrics] != [item.name for item in requirement.fabrics]:
        yield "fabrics: not those of the request"
        return
    strangers = list(_strangers(requirement, fabrics))
    if strangers:
        yield from strangers
        return
    devices, links = topology.devices, topology.links
    count, parts = len(devices), len(cabling.cable_parts)
    ranges: tuple[tuple[str, Table, str, int, int], ...] = (
        ("topology.devices", devices, "kind", NODE, SWITCH),
        ("topology.devices", devices, "fabric", 0, len(fabrics) - 1),
        ("topology.devices", devices, "type", 0, len(topology.device_types) - 1),
        ("topology.devices", devices, "group", 0, max(len(requirement.groups) - 1, 0)),
        ("topology.links", links, "fabric", 0, len(fabrics) - 1),
        ("topology.links", links, "role", 0, len(ROLES) - 1),
        ("topology.links", links, "lower", 0, count - 1),
        ("topology.links", links, "upper", 0, count - 1),
        ("topology.links", links, "lower_port", 1, 65_535),
        ("topology.links", links, "upper_port", 1, 65_535),
        ("placement.places", placement.places, "rack", 0, len(placement.racks) - 1),
        ("cabling.cables", cabling.cables, "part", 0, parts - 1),
        ("cabling.cables", cabling.cables, "link", 0, len(links) - 1),
        ("cabling.cables", cabling.cables, "required_mm", 0, 2**31 - 1),
        ("cabling.links", cabling.links, "cable", -1, len(cabling.cables) - 1),
        ("cabling.transceivers", cabling.transceivers, "fabric", 0, len(fabrics) - 1),
        ("cabling.transceivers", cabling.transceivers, "device", 0, count - 1),
        ("cabling.transceivers", cabling.transceivers, "cage", 1, 65_535),
        ("cabling.transceivers", cabling.transceivers, "part", 0, len(cabling.transceiver_parts) - 1),
    )  # fmt: skip
    patches, runs = cabling.patches, len(requirement.room.panels or ())
    if patches is not None:
        ranges = (
            *ranges,
            ("cabling.patches", patches, "link", 0, len(links) - 1), ("cabling.patches", patches, "run", 0, runs - 1),
            ("cabling.patches", patches, "flip", 0, 1), ("cabling.patches", patches, "port", 1, 65_535),
            ("cabling.patches", patches, "upper_cord", 0, len(cabling.cables) - 1),
            ("cabling.patches", patches, "trunk", 0, len(cabling.cables) - 1),
        )  # fmt: skip
    numbers = cabling.numbers
    if numbers is not None:
        ranges = (*ranges, ("cabling.numbers", numbers, "number", 1, cabling.final_count or 0))
        if len(numbers) != len(cabling.cables) or np.unique(numbers.number).size < len(numbers):
            yield f"cabling.numbers: {len(numbers)} numbers for {len(cabling.cables)} cables, or one of them twice"
    sound = True
    for name, table, column, low, high in ranges:
        values = getattr(table, column)
        wrong = np.flatnonzero((values < low) | (values > high))
        if wrong.size:
            sound = False
            row = int(wrong[0])
            least = f"{low} to {high}" if high >= low else "none"
            yield f"{name}.{column}, row {row}: {int(values[row])} points outside of what there is ({least})"
    for name, table, rows, of in (
        ("placement.places", placement.places, count, "devices"),
        ("cabling.links", cabling.links, len(links), "links"),
    ):
        if len(table) != rows:
            sound = False
            yield f"{name}: {len(table)} rows for {rows} {of}"
    if sound:
        yield from _kinds(fabrics, topology)


def _kinds(fabrics: Sequence[FabricSizing], topology: Topology) -> Iterator[str]:
    """Yield devices that are not of the kind and tier that their row and type say."""
    devices = topology.devices
    kind, tier = devices.kind, devices.tier
    tiers = np.array([item.shape.tiers for item in fabrics], np.int64)[devices.fabric]
    told = np.array([("platform", "host", "switch").index(item.kind) for item in topology.device_types], np.int64)
    places = np.where(kind == SWITCH, (tier >= LEAF) & (tier <= tiers), tier == 0)
    faults: tuple[tuple[str, npt.NDArray[np.bool_]], ...] = (
        ("tier", ~places),
        ("type", told[devices.type] != kind if told.size else np.zeros(len(devices), bool)),
        ("box", (kind == SWITCH) & (devices.box < 0)),
    )
    for column, wrong in faults:
        rows = np.flatnonzero(wrong)
        if rows.size:
            row = int(rows[0])
            words = {NODE: "node", HOST: "host", SWITCH: "switch"}[int(kind[row])]
            value = int(getattr(devices, column)[row])
            yield f"topology.devices.{column}, row {row}: {value} is no {column} of a {words}"


def key_faults(
    requirement: Requirement, fabrics: Sequence[FabricSizing], topology: Topology, cabling: Cabling, bom: Bom,
    held: dict[str, frozenset[str]],
) -> Iterator[str]:  # fmt: skip
    """Yield the products that a plan names but does not hold.

    Args:
        requirement: the request.
        fabrics: one sizing per fabric.
        topology: device types.
        cabling: cable and transceiver parts.
        bom: the bill.
        held: catalogue kind -> keys of the entries that the plan embeds.
    """
    named: list[tuple[str, str, str]] = []
    for row, item in enumerate(topology.device_types):
        if item.kind != "host":
            named.append(("platforms" if item.kind == "platform" else "switches", item.key, f"device_types[{row}]"))
    for number, sizing in enumerate(fabrics):
        tiers = [sizing.shape.leaf, sizing.shape.spine, sizing.shape.core][: sizing.shape.tiers]
        named += [("switches", tier.model, f"fabrics[{number}].shape") for tier in tiers if tier is not None]
        if any(tier is None for tier in tiers):
            yield f"fabrics[{number}].shape: {sizing.shape.tiers} tiers, but a tier says nothing of its ports"
        for place, group in enumerate(sizing.groups):
            where = f"fabrics[{number}].groups[{place}]"
            named += [("platforms", group.platform, where)] if group.platform else []
            named += [("adapters", group.adapter, where)] if group.adapter else []
    for row, part in enumerate(cabling.cable_parts):
        kind = "cables" if part.kind == "cable" else "fibres"
        named.append((kind, part.family, f"cabling.cable_parts[{row}]"))
    named += [("transceivers", key, f"cabling.transceiver_parts[{row}]")
              for row, key in enumerate(cabling.transceiver_parts)]  # fmt: skip
    for row, run in enumerate(requirement.room.panels or ()):
        named += [("fibres", run.trunk, f"requirement.room.panels[{row}].trunk"),
                  ("panels", run.panel or "", f"requirement.room.panels[{row}].panel")]  # fmt: skip
    named += [(line.catalog_kind, line.key, f"bom.lines[{row}]") for row, line in enumerate(bom.lines)]
    for kind, key, where in named:
        if key not in held.get(kind, ()):
            yield f"{where}: no {kind} entry '{key}' stands among the plan's products"
