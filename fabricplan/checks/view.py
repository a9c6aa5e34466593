"""A plan as the rules see it: the link table with cages, port classes and modules joined on, once for all rules.

Ports and cages of all devices are numbered through, so that "how often is each port used" is one ``bincount``::

    slot id   dev 0: 0 .. p0-1 | dev 1: p0 .. p0+p1-1 | ... | one more for ports that a device does not have

Nodes have ports of their own on every fabric, so the numbering runs over (fabric, device).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fabricplan.bom import Bom
from fabricplan.cabling import Cabling, piece_lengths
from fabricplan.catalog import AdapterType, Catalog, SwitchType, Technology
from fabricplan.mating import Join
from fabricplan.placement import Placement
from fabricplan.portwords import Stages
from fabricplan.requirement import Requirement
from fabricplan.sizing import MANAGEMENT_CLASS, FabricSizing
from fabricplan.surveyed import Lengths, route_lengths
from fabricplan.topology import HOST, NODE, NODE_LEAF, RESERVED, SWITCH, Topology, device_names, group_links, tier_ports
from fabricplan.values import IntArray, distinct

BoolArray = npt.NDArray[np.bool_]
NOTHING = ""
"""Port class where none is known, and part where there is none."""


class Joint(NamedTuple):
    """Links that are joined in the same way: same fabric, role, cable, port classes and modules.

    ``part`` is the row of the cable parts, -1 where a link has no cable; modules are keys, empty where there is
    none. ``row`` is the first of ``links`` link rows; ``surveyed`` tells whether their lengths were measured,
    ``patched`` whether they go through panels (then ``part`` is the cord at their lower end).
    """

    fabric: int
    role: int
    part: int
    upper_class: str
    lower_class: str
    upper_module: str
    lower_module: str
    links: int
    row: int
    surveyed: bool = False
    patched: bool = False


class View:
    """The finished tables of a plan, read-only. Lives inside one call of ``check``."""

    def __init__(
        self, requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, placement: Placement,
        cabling: Cabling, bom: Bom, catalog: Catalog,
    ) -> None:  # fmt: skip
        self.requirement = requirement
        self.sizings = tuple(sizings)
        self.topology = topology
        self.placement = placement
        self.cabling = cabling
        self.bom = bom
        self.catalog = catalog
        self.devices = topology.devices
        links = topology.links
        self.fabric, self.role = links.wide("fabric"), links.wide("role")
        self.lower, self.upper = links.wide("lower"), links.wide("upper")
        self.lower_port, self.upper_port = links.wide("lower_port"), links.wide("upper_port")
        self._number()

    def _number(self) -> None:
        """Number ports and cages through, and find the port class of every cage."""
        devices, count = self.devices, len(self.devices)
        shape = (len(self.sizings), count)
        self.ports = np.zeros(shape, np.int64)
        self.numbers = np.ones(shape, np.int64)
        fills: list[tuple[int, IntArray, list[str]]] = []
        kind, fabric, tier, kinds = devices.kind, devices.fabric, devices.tier, devices.type
        for number, sizing in enumerate(self.sizings):
            for group, links in group_links(self.requirement, self.sizings, devices, self.topology.links, number):
                rows = distinct(self.lower[links])
                if group.kind == "nodes":
                    index = [item.name for item in self.requirement.groups].index(group.group)
                    rows = np.flatnonzero((kind == NODE) & (devices.group == index))
                if group.kind == "uplinks":
                    source = next(other.shape.leaf for other in self.sizings if other.name in group.of)
                    cages = _cage_classes(self.catalog.switch(source.model))
                    self.ports[number, rows] = len(cages) * source.numbers_per_cage
                else:
                    cages = [group.port_class] * -(-len(group.ports) // group.ports_per_cage)
                    self.ports[number, rows] = len(group.ports)
                self.numbers[number, rows] = group.ports_per_cage
                fills.append((number, rows, cages))
            rows = np.flatnonzero((kind == HOST) & (fabric == number))
            self.ports[number, rows] = 1
            fills.append((number, rows, [self.host_class(sizing)]))
            mine = (kind == SWITCH) & (fabric == number)
            for level in range(1, sizing.shape.tiers + 1):
                ports = tier_ports(sizing.shape, level)
                for item, entry in enumerate(self.topology.device_types):
                    rows = np.flatnonzero(mine & (tier == level) & (kinds == item))
                    if entry.kind != "switch" or not rows.size:
                        continue
                    cages = _cage_classes(self.catalog.switch(entry.key))
                    self.ports[number, rows] = len(cages) * ports.numbers_per_cage
                    self.numbers[number, rows] = ports.numbers_per_cage
                    fills.append((number, rows, cages))
        flat_ports, flat_numbers = self.ports.ravel(), self.numbers.ravel()
        cages_of = -(-flat_ports // flat_numbers)
        self._port_base = np.cumsum(flat_ports) - flat_ports
        self._cage_base = np.cumsum(cages_of) - cages_of
        self.slot_count = int(flat_ports.sum())
        self.cage_count = int(cages_of.sum())
        self.classes = sorted({NOTHING, *(name for _, _, names in fills for name in names)})
        self.cage_class = np.zeros(self.cage_count + 1, np.int64)
        for number, rows, names in fills:
            if rows.size:
                first = self._cage_base[number * count + rows]
                ids = np.array([self.classes.index(name) for name in names], np.int64)
                self.cage_class[first[:, None] + np.arange(ids.size)] = ids
        self.lower_flat, self.upper_flat = self.fabric * count + self.lower, self.fabric * count + self.upper
        self.lower_slot, self.lower_cage = self._ids(self.lower_flat, self.lower_port)
        self.upper_slot, self.upper_cage = self._ids(self.upper_flat, self.upper_port)

    def _ids(self, flat: IntArray, port: IntArray) -> tuple[IntArray, IntArray]:
        there = (port >= 1) & (port <= self.ports.ravel()[flat])
        slot = np.where(there, self._port_base[flat] + port - 1, self.slot_count)
        cage = self._cage_base[flat] + (port - 1) // self.numbers.ravel()[flat]
        return slot, np.where(there, cage, self.cage_count)

    def cage_ids(self, fabric: IntArray, device: IntArray, cage: IntArray) -> IntArray:
        """Return the ids of cages given by their number from 1; the spare id where there is no such cage."""
        flat = fabric * len(self.devices) + device
        limit = -(-self.ports.ravel()[flat] // self.numbers.ravel()[flat])
        return np.where((cage >= 1) & (cage <= limit), self._cage_base[flat] + cage - 1, self.cage_count)

    def slot_place(self, slot: int) -> tuple[int, int]:
        """Return the device row and the port number of a slot id."""
        flat = int(np.searchsorted(self._port_base, slot, side="right")) - 1
        return flat % len(self.devices), slot - int(self._port_base[flat]) + 1

    def cage_place(self, cage: int) -> tuple[int, int]:
        """Return the device row and the cage number of a cage id."""
        flat = int(np.searchsorted(self._cage_base, cage, side="right")) - 1
        return flat % len(self.devices), cage - int(self._cage_base[flat]) + 1

    def name(self, device: int) -> str:
        """Return the name of one device."""
        return device_names(self.requirement, self.sizings, self.devices, np.array([device]))[0]

    def technology(self, fabric: int) -> Technology:
        """Return what a fabric's parts must serve."""
        return "infiniband" if self.sizings[fabric].technology == "infiniband" else "ethernet"

    def host_class(self, sizing: FabricSizing) -> str:
        """Return the port class of hosts on reserved ports, or nothing where they are not known."""
        if sizing.uplinks_to:
            return MANAGEMENT_CLASS
        key = self.catalog.find("adapters", sizing.reserve_adapter) if sizing.reserve_adapter else None
        adapter: AdapterType | None = self.catalog.adapter(key) if key else None
        return adapter.cages[0].port_class if adapter and adapter.cages else NOTHING

    def switch_of(self, device_type: int) -> SwitchType | None:
        """Return the switch model of a device type row, or None."""
        entry = self.topology.device_types[device_type]
        return self.catalog.switch(entry.key) if entry.kind == "switch" else None

    def gbps(self, fabric: int, role: int) -> int:
        """Return the rate of the links of a role."""
        sizing = self.sizings[fabric]
        return sizing.link_gbps if role in (NODE_LEAF, RESERVED) else sizing.uplink_gbps

    def rows(self, fabric: int, role: int) -> IntArray:
        """Return the link rows of a role of a fabric."""
        return self._parted[fabric, role][0]

    def ends(self, fabric: int, role: int) -> tuple[IntArray, IntArray]:
        """Return the lower and the upper devices of the links of a role of a fabric."""
        return self._parted[fabric, role][1:]

    def links_up(self, fabric: int, role: int) -> IntArray:
        """Return how many links of a role leave each device upward."""
        return self._counted[fabric, role][0]

    def links_down(self, fabric: int, role: int) -> IntArray:
        """Return how many links of a role reach each device from below."""
        return self._counted[fabric, role][1]

    @cached_property
    def _parted(self) -> dict[tuple[int, int], tuple[IntArray, IntArray, IntArray]]:
        part = self.fabric * 4 + self.role
        found = {}
        for number in range(len(self.sizings)):
            for role in range(4):
                rows = np.flatnonzero(part == number * 4 + role)
                found[number, role] = rows, self.lower[rows], self.upper[rows]
        return found

    @cached_property
    def _counted(self) -> dict[tuple[int, int], tuple[IntArray, IntArray]]:
        count = len(self.devices)
        return {
            key: (np.bincount(lower, minlength=count), np.bincount(upper, minlength=count))
            for key, (_, lower, upper) in self._parted.items()
        }

    @cached_property
    def link_gbps(self) -> IntArray:
        """Rate of every link."""
        table = np.array([[self.gbps(number, role) for role in range(4)] for number in range(len(self.sizings))])
        return table[self.fabric, self.role]

    @cached_property
    def link_part(self) -> IntArray:
        """Cable part row of every link, -1 where it has no cable."""
        cable = self.cabling.links.wide("cable")
        if not len(self.cabling.cables):
            return np.full(cable.size, -1, np.int64)
        return np.where(cable >= 0, self.cabling.cables.wide("part")[np.maximum(cable, 0)], -1)

    @cached_property
    def required_mm(self) -> IntArray:
        """Required length of every link, computed anew from the placement and the survey; of a link through panels that
        of the cord at its lower end."""
        patches = self.cabling.patches
        if patches is None:
            return self._lengths.required_mm
        found = self._lengths.required_mm.copy()
        rows = patches.wide("link")
        found[rows] = self.piece_mm[self.cabling.links.wide("cable")[rows]]
        return found

    @cached_property
    def piece_mm(self) -> IntArray:
        """Required length of every piece of a link through panels, computed anew; -1 for other cables."""
        return piece_lengths(self.stages, self.placement, self.cabling)

    @cached_property
    def patched(self) -> BoolArray:
        """Whether a link goes through panels."""
        found = np.zeros(self.fabric.size, bool)
        if self.cabling.patches is not None:
            found[self.cabling.patches.wide("link")] = True
        return found

    @cached_property
    def surveyed(self) -> BoolArray:
        """Whether the length of a link was surveyed; no one cable of a link through panels is as long."""
        surveyed = self._lengths.surveyed
        return surveyed if self.cabling.patches is None else surveyed & ~self.patched

    @property
    def lengths_surveyed(self) -> BoolArray:
        """Whether the survey means a link, through panels or not."""
        return self._lengths.surveyed

    @cached_property
    def _lengths(self) -> Lengths:
        return route_lengths(self.stages, self.placement)

    @property
    def stages(self) -> Stages:
        """The stages that the plan follows from."""
        return Stages(self.requirement, self.sizings, self.topology, self.catalog)

    @cached_property
    def module_cage(self) -> IntArray:
        """Cage id of every transceiver row."""
        rows = self.cabling.transceivers
        return self.cage_ids(rows.wide("fabric"), rows.wide("device"), rows.wide("cage"))

    @cached_property
    def cage_module(self) -> IntArray:
        """Transceiver part row in every cage, -1 where it is empty."""
        found = np.full(self.cage_count + 1, -1, np.int64)
        found[self.module_cage] = self.cabling.transceivers.wide("part")
        found[self.cage_count] = -1
        return found

    @cached_property
    def _cage_code(self) -> npt.NDArray[np.int32]:
        """Class and module of every cage as one small number: one look-up per end of a link."""
        modules = len(self.cabling.transceiver_parts) + 1
        return (self.cage_class * modules + self.cage_module + 1).astype(np.int32)

    def joint_links(self, joint: Joint) -> BoolArray:
        """Return which links are joined as a joint's first link is."""
        like: BoolArray = np.ones(self.fabric.size, bool)
        for column in (self.fabric, self.role, self.link_part, self._cage_code[self.upper_cage],
                       self._cage_code[self.lower_cage]):  # fmt: skip
            like &= column == column[joint.row]
        return like

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """All links, gathered by how they are joined."""
        keys = (NOTHING, *self.cabling.transceiver_parts)
        parts, codes = len(self.cabling.cable_parts) + 1, len(self.classes) * len(keys)
        key = (self.fabric * 4 + self.role) * parts + self.link_part + 1
        key = (key * codes + self._cage_code[self.upper_cage]) * codes + self._cage_code[self.lower_cage]
        found, shift = [], 1
        if self.surveyed.any() or self.cabling.patches is not None:
            key, shift = key * 4 + self.patched * 2 + self.surveyed, 4
        for code, count, row in _tally(key):
            code, marks = divmod(code, shift)
            rest, below = divmod(code, codes)
            rest, above = divmod(rest, codes)
            rest, part = divmod(rest, parts)
            (high_class, high), (low_class, low) = divmod(above, len(keys)), divmod(below, len(keys))
            found.append(Joint(
                rest // 4, rest % 4, part - 1, self.classes[high_class], self.classes[low_class], keys[high],
                keys[low], count, row, bool(marks & 1), bool(marks & 2),
            ))  # fmt: skip
        return tuple(found)

    @cached_property
    def joins(self) -> dict[tuple[str, str, Technology, str], Join | None]:
        """Recipes already looked up, filled by the rules on parts."""
        return {}


def _tally(key: IntArray) -> list[tuple[int, int, int]]:
    """Return the distinct keys with their counts and first rows; by counting where keys are small, else sorted."""
    if key.size and int(key.max()) < 4_000_000:
        counts = np.bincount(key)
        first = np.zeros(counts.size, np.int64)
        first[key[::-1]] = np.arange(key.size)[::-1]
        codes = np.flatnonzero(counts)
        return list(zip(codes.tolist(), counts[codes].tolist(), first[codes].tolist(), strict=True))
    values, rows, sizes = np.unique(key, return_index=True, return_counts=True)
    return list(zip(values.tolist(), sizes.tolist(), rows.tolist(), strict=True))


def _cage_classes(switch: SwitchType) -> list[str]:
    """Return the port class of every cage of a switch, by panel number."""
    last = max(group.first + group.count - 1 for group in switch.cages)
    classes = [NOTHING] * last
    for group in switch.cages:
        classes[group.first - 1 : group.first - 1 + group.count] = [group.port_class] * group.count
    return classes
