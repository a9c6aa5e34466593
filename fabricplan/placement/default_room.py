"""The default room, laid out by rule where the request has none::

row:  | node racks of a unit | network rack (its leaves) | node racks of the next unit |
middle of the room: network racks with spines and cores
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fabricplan.catalog import Catalog
from fabricplan.placement.devices import airflow, heights_of, nodes_per_rack, slot_height
from fabricplan.placement.site import ROW_RACKS
from fabricplan.placement.tables import FREE_UNITS, NETWORK_RACK, NODE_RACK, Placement, Places, Racks
from fabricplan.requirement import Requirement, RoomSettings
from fabricplan.sizing import FabricSizing, unit_layout
from fabricplan.topology import CORE, HOST, LEAF, NODE, SPINE, SWITCH, Devices, Topology
from fabricplan.values import IntArray, distinct


def place_by_rule(
    requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, catalog: Catalog
) -> Placement:
    """Place every device in the default room."""
    room, devices = requirement.room, topology.devices
    heights = heights_of(topology, catalog)
    per_rack = nodes_per_rack(requirement, sizings, topology, catalog)
    unit_racks, racks_before = _unit_racks(sizings[0], per_rack)
    along = room.racks_per_row or row_length(sum(unit_racks), room)
    rank, zone = _network_ranks(sizings, topology, catalog, heights, unit_racks, room, along)
    layout = _Rows(room, along, unit_racks, rank, zone)
    rack = np.zeros(len(devices), np.int64)
    u = np.zeros(len(devices), np.int64)
    node = devices.kind == NODE
    groups = [group.name for group in requirement.groups]
    for number, name in enumerate(groups):
        mine = np.nonzero(node & (devices.group == number))[0]
        if mine.size == 0:
            continue
        slots = per_rack[name]
        pitch = slot_height(room, slots, int(heights[mine[0]]))
        index = devices.wide("index")[mine] - 1
        if name in racks_before:
            unit = devices.wide("unit")[mine] - 1
            rack[mine] = layout.unit_rack(unit, racks_before[name][unit] + index // slots)
            u[mine] = 1 + index % slots * pitch
        else:
            order = np.arange(mine.size)
            rack[mine] = layout.extra_racks(name, -(-mine.size // slots))[order // slots]
            u[mine] = 1 + order % slots * pitch
    network = np.nonzero(~node)[0]
    rack[network], u[network] = layout.network_place(zone[network], rank[network], heights[network])
    return Placement(
        racks=layout.table(), places=Places(rack=layout.sorted_ids(rack), u=u, height=heights))  # fmt: skip


def _unit_racks(sizing: FabricSizing, per_rack: dict[str, int]) -> tuple[list[int], dict[str, IntArray]]:
    """Return the node racks of every unit, and by group how many racks of each unit hold the groups before it."""
    units = unit_layout(sizing.shape, sizing.groups)
    racks = np.zeros(units.leaves.size, np.int64)
    before = {}
    for group, own in zip(sizing.groups, units.groups, strict=True):
        if group.kind == "nodes":
            before[group.group] = racks.copy()
            racks[own.unit] += -(-own.nodes // per_rack[group.group])
    return racks.tolist(), before


def _network_ranks(
    sizings: Sequence[FabricSizing], topology: Topology, catalog: Catalog, heights: IntArray, unit_racks: list[int],
    room: RoomSettings, along: int,
) -> tuple[IntArray, IntArray]:  # fmt: skip
    """Return, for switches and reserved hosts, the stacking offset in rack units within a zone, and the zone.

    Zone -1 is the middle of the room; zone k is the network rack group of the k-th block of units. Boxes stand unit by
    unit and plane by plane; switches of the other airflow begin a rack of their own.
    """
    devices = topology.devices
    zone = np.full(len(devices), -1, np.int64)
    offset = np.zeros(len(devices), np.int64)
    per_block = units_per_block(sizings[0], unit_racks, heights, topology, room, along)
    unit, plane = devices.wide("unit"), devices.wide("plane")
    cursor, capacity, air = 0, room.rack_units - FREE_UNITS, ""
    for number, sizing in enumerate(sizings):
        mine = (devices.fabric == number) & (devices.kind == SWITCH)
        for tier in (LEAF, SPINE, CORE):
            rows = np.nonzero(mine & (devices.tier == tier))[0]
            if rows.size == 0:
                continue
            height = max(int(heights[rows[0]]), 1)
            _, first, box = np.unique(devices.box[rows], return_index=True, return_inverse=True)
            heads = rows[first]
            scattered = tier == LEAF and number == 0 and per_block > 0
            group = (unit[heads] - 1) // per_block if scattered else np.full(heads.size, -1, np.int64)
            order = np.lexsort((heads, plane[heads], unit[heads], group))
            rank = np.empty(heads.size, np.int64)
            rank[order] = np.arange(heads.size) - np.searchsorted(group[order], group[order])
            if scattered:
                stacked = _stack(0, rank, height, capacity)
            else:
                flow = airflow(sizing, topology, catalog, int(rows[0]))
                if air and flow != air:
                    cursor = -(-cursor // capacity) * capacity
                air = flow
                stacked = _stack(cursor, rank, height, capacity)
                cursor = int(stacked.max()) + height
            zone[rows], offset[rows] = group[box], stacked[box]
    hosts = np.nonzero(devices.kind == HOST)[0]
    offset[hosts] = cursor + np.arange(hosts.size)
    _part_hosts(devices, hosts, heights, zone, offset, cursor, capacity)
    return offset, zone


def _part_hosts(
    devices: Devices, hosts: IntArray, heights: IntArray, zone: IntArray, offset: IntArray, cursor: int, capacity: int
) -> None:
    """Move every second manager host of a fabric from the middle into a network rack of the units, where one has room:
    hosts that stand in for each other do not share a rack."""
    switch = devices.kind == SWITCH
    away = hosts[np.flatnonzero(hosts - hosts[np.searchsorted(devices.fabric[hosts], devices.fabric[hosts])] & 1)]
    for place in sorted(distinct(zone[switch & (zone >= 0)])) if away.size else ():
        end = int((offset + np.maximum(heights, 1))[switch & (zone == place)].max())
        if end % capacity and end % capacity + away.size <= capacity:
            zone[away], offset[away] = place, end + np.arange(away.size)
            stay = np.setdiff1d(hosts, away)
            offset[stay] = cursor + np.arange(stay.size)
            return


def _stack(cursor: int, rank: IntArray, height: int, capacity: int) -> IntArray:
    """Return the offset of the rank-th box above ``cursor``; no box straddles two racks of ``capacity`` units."""
    here, each = (capacity - cursor % capacity) // height, max(capacity // height, 1)
    later = rank - here
    next_rack = (cursor // capacity + 1 + later // each) * capacity + later % each * height
    return np.where(rank < here, cursor + rank * height, next_rack)


def _per_box(topology: Topology, rows: IntArray) -> int:
    box = topology.devices.wide("box")[rows]
    return max(1, int(np.bincount(box - box.min()).max()))


def units_per_block(
    sizing: FabricSizing, unit_racks: list[int], heights: IntArray, topology: Topology, room: RoomSettings,
    row_racks: int,
) -> int:  # fmt: skip
    """Return how many units share a network rack group; 0 where all switches fit one rack in the middle."""
    devices = topology.devices
    leaf = np.nonzero((devices.tier == LEAF) & (devices.fabric == 0))[0]
    height = max(int(heights[leaf[0]]), 1)
    twin = _per_box(topology, leaf)
    capacity = room.rack_units - FREE_UNITS
    boxes = int(devices.box.max()) + 1
    if boxes * height <= capacity:
        return 0
    leaves = max(group.leaves_per_unit for group in sizing.groups) * sizing.planes
    units = capacity // max(-(-leaves // twin) * height, 1)
    along = (min(row_racks, ROW_RACKS) - 1) // max(max(unit_racks), 1)
    return max(1, min(units, along))


def row_length(node_racks: int, room: RoomSettings) -> int:
    """Return the racks of a row: at least 20, more where that makes the room about as wide as deep."""
    return max(ROW_RACKS, math.isqrt(node_racks * room.row_pitch_mm // room.rack_pitch_mm))


class _Rows:
    """Deals racks to rows; lives inside one call of :func:`place`."""

    def __init__(self, room: RoomSettings, along: int, unit_racks: list[int], offset: IntArray, zone: IntArray) -> None:
        self.room = room
        self.along = along
        self.capacity = room.rack_units - FREE_UNITS
        self.row: list[int] = []
        self.position: list[int] = []
        self.kind: list[int] = []
        self.unit_count = len(unit_racks)
        self.zone_first: dict[int, int] = {}
        self._units: dict[int, list[int]] = {}
        blocks = int(zone.max(initial=-1)) + 1
        self._sizes = {
            int(z): int(offset[zone == z].max()) // self.capacity + 1 for z in distinct(zone)
        }  # fmt: skip
        middle = self._sizes.get(-1, 0)
        if blocks == 0:
            self._lay_one(unit_racks, middle)
        else:
            self._lay_blocks(unit_racks, blocks, middle)

    def _lay_one(self, unit_racks: list[int], middle: int) -> None:
        total = sum(unit_racks)
        sequence: list[tuple[int, int]] = [(NODE_RACK, unit) for unit, n in enumerate(unit_racks) for _ in range(n)]
        half = total // 2
        self._emit(sequence[:half] + [(NETWORK_RACK, -1)] * middle + sequence[half:], 0)

    def _lay_blocks(self, unit_racks: list[int], blocks: int, middle: int) -> None:
        per_block = math.ceil(len(unit_racks) / blocks)
        sequences = []
        for block in range(blocks):
            units = range(block * per_block, min((block + 1) * per_block, len(unit_racks)))
            racks = [(NODE_RACK, unit) for unit in units for _ in range(unit_racks[unit])]
            half = len(racks) // 2
            sequences.append(racks[:half] + [(NETWORK_RACK, block)] * self._sizes.get(block, 1) + racks[half:])
        rows: list[list[tuple[int, int]]] = []
        for sequence in sequences:
            if rows and len(rows[-1]) + len(sequence) <= self.along:
                rows[-1].extend(sequence)
            else:
                rows.append(list(sequence))
        centre = [(NETWORK_RACK, -1)] * middle
        widest = min(self.along, max(len(row) for row in rows))
        if len(rows) == 1 and len(rows[0]) + middle <= self.along:
            half = len(rows[0]) // 2
            rows[0][half:half] = centre
        else:
            spread = [centre[start : start + widest] for start in range(0, middle, widest)]
            at = len(rows) // 2
            rows[at:at] = spread
        number = 0
        for row in rows:
            number = self._emit(row, number, (widest - len(row)) // 2 if row and row[0][1] == -1 else 0)

    def _emit(self, sequence: list[tuple[int, int]], row: int, indent: int = 0) -> int:
        place = indent
        for kind, owner in sequence:
            if place >= self.along:
                row, place = row + 1, 0
            rack = len(self.row)
            self.row.append(row)
            self.position.append(place + 1)
            self.kind.append(kind)
            if kind == NODE_RACK:
                self._units.setdefault(owner, []).append(rack)
            else:
                self.zone_first.setdefault(owner, rack)
            place += 1
        return row + 1

    def unit_rack(self, unit: IntArray, number: IntArray) -> IntArray:
        """Return the rack of the n-th node rack of units."""
        widest = max(len(racks) for racks in self._units.values())
        table = np.zeros((self.unit_count, widest), np.int64)
        for owner, racks in self._units.items():
            table[owner, : len(racks)] = racks
        return table[unit, number]

    def extra_racks(self, name: str, count: int) -> IntArray:
        """Add a row of racks for a group that is not on the first fabric."""
        first = len(self.row)
        self._emit([(NODE_RACK, -2)] * count, max(self.row, default=-1) + 1)
        return np.arange(first, first + count)

    def network_place(self, zone: IntArray, offset: IntArray, height: IntArray) -> tuple[IntArray, IntArray]:
        """Return rack and unit of switches, stacked from the top of their zone's racks."""
        first = np.array([self.zone_first.get(int(z), 0) for z in zone], np.int64)
        number, used = offset // self.capacity, offset % self.capacity
        u = self.room.rack_units - FREE_UNITS // 2 - used - np.maximum(height, 1) + 1
        return first + number, np.maximum(u, 1)

    def sorted_ids(self, rack: IntArray) -> IntArray:
        """Return rack ids in order of row and position."""
        order = np.lexsort((self.position, self.row))
        back = np.empty(order.size, np.int64)
        back[order] = np.arange(order.size)
        return back[rack]

    def table(self) -> Racks:
        """Return the rack table in order of row and position."""
        order = np.lexsort((self.position, self.row))
        return Racks(
            row=np.array(self.row, np.int64)[order], position=np.array(self.position, np.int64)[order],
            kind=np.array(self.kind, np.int64)[order],
        )  # fmt: skip
