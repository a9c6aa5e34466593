"""What a diagram shows of a plan: switches and nodes gathered into frames, links into bundles with counts.

::

    cores          one frame per core group
    spines         one frame per pod (one for the plane in two tiers)
    leaves         one frame per column: a pod, or a scalable unit
    nodes          under their column, or (rail pods, several planes, one switch) one frame per unit

Counts come from the plan's links, not from the sizing. Where there are more columns than a page holds, the first
six and the last are shown and the ones between are one frame, so the counts on the bundles still add up. Where
there are more planes than a page holds, one of the equal planes is shown.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fabricplan.plan import Plan
from fabricplan.sizing import FabricSizing
from fabricplan.topology import (
    CORE,
    LEAF,
    LEAF_SPINE,
    NO_RAIL,
    NODE_LEAF,
    RESERVED,
    SPINE,
    SPINE_CORE,
    SWITCH,
    device_names,
)
from fabricplan.values import IntArray

COLUMNS_MAX = 8
GROUPS_MAX = 16
NAMED_MAX = 128
"""Names of larger frames are shown as a range."""


class Frame(NamedTuple):
    """Devices of one tier that are drawn together.

    ``units`` and ``pods`` are the first and last number shown, ``more`` marks a frame that stands for the columns
    between the drawn ones (``parts`` of them), ``names`` holds all names or the first and the last.
    """

    tier: int
    size: int
    names: tuple[str, ...]
    units: tuple[int, int] = (0, 0)
    pods: tuple[int, int] = (0, 0)
    rails: tuple[int, int] | None = None
    group: str = ""
    parts: int = 1
    more: bool = False
    reserved: tuple[bool, ...] = ()


class Bundle(NamedTuple):
    """Links between two frames (numbers in the panel's frame list); ``pair`` is the least and most per device pair."""

    role: int
    lower: int
    upper: int
    links: int
    pair: tuple[int, int]


class Plane(NamedTuple):
    """One plane that is drawn; entries are frame numbers. ``nodes`` is empty where all planes share a row."""

    number: int
    cores: tuple[int, ...]
    spines: tuple[int, ...]
    leaves: tuple[int, ...]
    nodes: tuple[int, ...]


class Panel(NamedTuple):
    """One fabric."""

    sizing: FabricSizing
    frames: tuple[Frame, ...]
    bundles: tuple[Bundle, ...]
    planes: tuple[Plane, ...]
    shared_nodes: tuple[int, ...]
    reserved_names: tuple[str, ...]
    reserved_count: int

    @property
    def aligned(self) -> bool:
        """Nodes stand under their own column."""
        return not self.shared_nodes


def panels(plan: Plan) -> list[Panel]:
    """Return one panel per fabric."""
    return [_Builder(plan, number).panel() for number in range(len(plan.fabrics))]


def _shorten(keys: IntArray, most: int) -> list[IntArray]:
    """Return groups of keys to draw: each alone, or the first six, all between, and the last."""
    if keys.size <= most:
        return [keys[place : place + 1] for place in range(keys.size)]
    return [*(keys[place : place + 1] for place in range(6)), keys[6:-1], keys[-1:]]


class _Builder:
    """Gathers one fabric; lives inside one call of :func:`panels`."""

    def __init__(self, plan: Plan, number: int) -> None:
        self.plan, self.number, self.sizing = plan, number, plan.fabrics[number]
        self.devices = plan.topology.devices
        self.links = plan.topology.links.take(plan.topology.links.fabric == number)
        self.tier = np.where(
            (self.devices.kind == SWITCH) & (self.devices.fabric == number), self.devices.wide("tier"), -1
        )
        self.frames: list[Frame] = []
        self.frame_of = np.full(len(self.devices), -1, np.int64)
        held = self.links.upper[self.links.role == RESERVED]
        self.holds = np.zeros(len(self.devices), bool)
        self.holds[held] = True

    def panel(self) -> Panel:
        shape, sizing = self.sizing.shape, self.sizing
        chunk = self._units_per_column()
        columns = self._columns(1 if sizing.planes > 1 else 0, chunk)
        drawn = sizing.planes if sizing.planes * len(columns) <= COLUMNS_MAX else 1
        whole = shape.pod_kind != "rails" and not shape.manager_leaves  # every leaf has nodes of its own below it
        aligned = drawn == 1 and whole and shape.tiers > 1
        planes = []
        for plane in range(1, drawn + 1):
            planes.append(self._plane(plane if sizing.planes > 1 else 0, chunk, aligned))
        shared = () if aligned else self._shared_nodes()
        rows = np.nonzero((self.devices.kind == 1) & (self.devices.fabric == self.number))[0]
        held = int((self.links.role == RESERVED).sum())
        return Panel(sizing, tuple(self.frames), self._bundles(), tuple(planes), shared,
                     self._names(rows), held)  # fmt: skip

    def _units_per_column(self) -> int:
        """One unit a column; units of a single leaf share columns, or every leaf would be a column."""
        sizing = self.sizing
        if sizing.shape.tiers == 2 and max(group.leaves_per_unit for group in sizing.groups) == 1:
            if sizing.planes > 1:
                return max(1, sizing.shape.units_today)
            if sizing.shape.units_today > COLUMNS_MAX:
                return -(-sizing.shape.units_today // 4)
        return 1

    def _column_key(self, rows: IntArray, chunk: int) -> IntArray:
        if self.sizing.shape.tiers == 3:
            return self.devices.wide("pod")[rows]
        return (self.devices.wide("unit")[rows] - 1) // chunk

    def _rows(self, tier: int, plane: int) -> IntArray:
        return np.nonzero((self.tier == tier) & (self.devices.plane == plane))[0]

    def _columns(self, plane: int, chunk: int) -> list[IntArray]:
        return _shorten(np.unique(self._column_key(self._rows(LEAF, plane), chunk)), COLUMNS_MAX)

    def _plane(self, plane: int, chunk: int, aligned: bool) -> Plane:
        three = self.sizing.shape.tiers == 3
        leaves, spines, nodes = self._rows(LEAF, plane), self._rows(SPINE, plane), []
        leaf_key = self._column_key(leaves, chunk)
        leaf_frames, spine_frames = [], []
        for keys in self._columns(plane, chunk):
            mine = leaves[np.isin(leaf_key, keys)]
            leaf_frames.append(self._frame(LEAF, mine, keys.size))
            if three:
                pods = self.devices.pod[spines]
                spine_frames.append(self._frame(SPINE, spines[np.isin(pods, keys)], keys.size))
            if aligned:
                nodes.append(self._node_frame(mine, keys.size))
        if spines.size and not three:
            spine_frames.append(self._frame(SPINE, spines, 1))
        cores = self._rows(CORE, plane)
        groups = self.devices.pod[cores]
        core_frames = [
            self._frame(CORE, cores[np.isin(groups, keys)], 1 if cores.size <= NAMED_MAX else keys.size)
            for keys in self._core_columns(np.unique(groups), cores.size)
        ]
        return Plane(plane, tuple(core_frames), tuple(spine_frames), tuple(leaf_frames), tuple(nodes))

    def _core_columns(self, groups: IntArray, cores: int) -> list[IntArray]:
        """One group a frame; small groups share frames where there are many, so that all cores are still shown."""
        if groups.size > GROUPS_MAX and cores <= NAMED_MAX:
            return np.array_split(groups, COLUMNS_MAX)
        return _shorten(groups, GROUPS_MAX)

    def _node_frame(self, leaves: IntArray, parts: int) -> int:
        mine = np.zeros(len(self.devices), bool)
        mine[leaves] = True
        links = self.links
        lower = np.unique(links.lower[(links.role == NODE_LEAF) & mine[links.upper]])
        units = self.devices.wide("unit")[leaves]
        return self._frame(0, lower.astype(np.int64), parts, (int(units.min()), int(units.max())))

    def _shared_nodes(self) -> tuple[int, ...]:
        """Frames of nodes by the unit that this fabric gives them, and by group."""
        links = self.links.take(self.links.role == NODE_LEAF)
        lower, place = np.unique(links.wide("lower"), return_index=True)
        unit = self.devices.wide("unit")[links.upper[place]]
        key = unit * 256 + self.devices.wide("group")[lower]
        frames = []
        for keys in _shorten(np.unique(key), GROUPS_MAX):
            frames.append(
                self._frame(0, lower[np.isin(key, keys)], keys.size, (int(keys[0]) // 256, int(keys[-1]) // 256))
            )
        return tuple(frames)

    def _frame(self, tier: int, rows: IntArray, parts: int, units: tuple[int, int] | None = None) -> int:
        devices = self.devices
        pods, rails = devices.wide("pod")[rows], devices.wide("rail")[rows]
        if units is None:
            found = devices.wide("unit")[rows]
            units = (int(found.min()), int(found.max()))
        known = rails[rails != NO_RAIL]
        group = self.plan.requirement.groups[int(devices.group[rows[0]])].name if tier == 0 else ""
        self.frame_of[rows] = len(self.frames)
        self.frames.append(Frame(
            tier, rows.size, self._names(rows), units, (int(pods.min()), int(pods.max())),
            (int(known.min()), int(known.max())) if known.size else None, group, parts, parts > 1,
            tuple(self.holds[rows].tolist()) if rows.size <= NAMED_MAX else (),
        ))  # fmt: skip
        return len(self.frames) - 1

    def _names(self, rows: IntArray) -> tuple[str, ...]:
        if rows.size > NAMED_MAX:
            rows = rows[[0, -1]]
        return tuple(device_names(self.plan.requirement, self.plan.fabrics, self.devices, rows))

    def _bundles(self) -> tuple[Bundle, ...]:
        links, found = self.links, []
        lower, upper = links.wide("lower"), links.wide("upper")
        low, high = self.frame_of[lower], self.frame_of[upper]
        for role in (NODE_LEAF, LEAF_SPINE, SPINE_CORE):
            mine = np.nonzero((links.role == role) & (low >= 0) & (high >= 0))[0]
            pairs, first, each = np.unique(
                lower[mine] * len(self.devices) + upper[mine], return_index=True, return_counts=True
            )
            if not pairs.size:
                continue
            ends = low[mine[first]] * len(self.frames) + high[mine[first]]
            for end in np.unique(ends).tolist():
                counts = each[ends == end]
                found.append(Bundle(role, end // len(self.frames), end % len(self.frames), int(counts.sum()),
                                    (int(counts.min()), int(counts.max()))))  # fmt: skip
        return tuple(found)
