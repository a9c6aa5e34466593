"""One plane of a plan as the proofs see it: switches, trunk links and endpoints, joined from the tables.

Nothing here trusts the closed-form shape: ranks, groups of links and slots are recounted from the link table, so
that a table that was wired wrongly gives other routes. ::

    switch ids   0 .. S-1 in device order          trunk ids   links between switches, by (lower, lower port)
    endpoint ids node and host ports in the order (unit, slot, place); hosts on reserved ports last; switches of
                 other fabrics that hang here (management ports, uplinks) stand among the nodes

The place of a port among the ports of its node is the leaf that sizing means it for, then its position there: the
order of rails where each rail has a leaf, and rails that share a leaf side by side.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fabricplan.plan import Plan
from fabricplan.proof.rates import derive_rates
from fabricplan.sizing import FabricSizing
from fabricplan.topology import HOST, LEAF, SWITCH
from fabricplan.values import IntArray

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Wiring:
    """The arrays of one plane.

    Attributes:
        fabric: fabric number from 0.
        plane: plane as the device table shows it (0 where there is one).
        sizing: what sizing claims of the fabric, but for the rates: those are what its switches run.
        switch_row: device row of every switch.
        tier: tier of every switch (1 leaf, 2 spine, 3 core).
        pod: pod (cores: core group) of every switch.
        low, high: switch ids of every trunk link; ``low`` is the end that the table calls lower.
        low_port, high_port: its port numbers.
        link_row: row of every trunk link in the plan's link table.
        end_switch, end_port: switch id and switch port of every endpoint.
        end_device, end_device_port: device row of every endpoint's node or host, and its port.
        end_link: row in the plan's link table.
        reserved: endpoints that are hosts on reserved ports.
        unit, slot, place, rail: where every endpoint stands (0 for hosts on reserved ports).
        slots: slots of a unit when it is full, for every endpoint; the largest unit's for all.
        stray: links that join devices of different planes or fabrics, or have a switch on no side.
        module: of a director's chips, the leaf module (from 1) or, negative, the spine module; 0 for whole switches.
            Links between chips have no row in the link table (-1), and no cable.
    """

    fabric: int
    plane: int
    sizing: FabricSizing
    switch_row: IntArray
    tier: IntArray
    pod: IntArray
    low: IntArray
    high: IntArray
    low_port: IntArray
    high_port: IntArray
    link_row: IntArray
    end_switch: IntArray
    end_port: IntArray
    end_device: IntArray
    end_device_port: IntArray
    end_link: IntArray
    reserved: BoolArray
    unit: IntArray
    slot: IntArray
    place: IntArray
    rail: IntArray
    slots: IntArray
    stray: int
    module: IntArray

    @property
    def switch_count(self) -> int:
        """Switches of the plane; of a director its chips."""
        return int(self.switch_row.size)

    @property
    def trunk_count(self) -> int:
        """Links between switches."""
        return int(self.low.size)

    @property
    def end_count(self) -> int:
        """Endpoints, hosts on reserved ports included."""
        return int(self.end_switch.size)

    @property
    def apart(self) -> bool:
        """The plan joins no leaf to another: an out-of-band network, whose leaves another network joins."""
        return bool(self.sizing.uplinks_to and self.sizing.shape.tiers == 1 and self.switch_count > 1
                    and not self.trunk_count)  # fmt: skip

    @cached_property
    def hosts(self) -> IntArray:
        """Node endpoints on every switch (hosts on reserved ports are not counted)."""
        return np.bincount(self.end_switch[~self.reserved], minlength=self.switch_count)

    @cached_property
    def up_count(self) -> IntArray:
        """Uplinks of every switch."""
        return np.bincount(self.low, minlength=self.switch_count)

    @cached_property
    def up_start(self) -> IntArray:
        """First trunk id of every switch's uplinks."""
        return np.cumsum(self.up_count) - self.up_count

    @cached_property
    def digest(self) -> str:
        """Fingerprint of the wiring without names and rows: planes of equal fingerprint are wired alike."""
        state = hashlib.sha256()
        for array in (self.tier, self.pod, self.low, self.high, self.low_port, self.high_port, self.end_switch,
                      self.end_port, self.reserved.astype(np.int64), self.unit, self.slot, self.place,
                      self._rail_rank, self.slots):  # fmt: skip
            state.update(array.size.to_bytes(8, "little") + np.ascontiguousarray(array, "<i8").tobytes())
        return state.hexdigest()

    @cached_property
    def _rail_rank(self) -> IntArray:
        return np.unique(self.rail, return_inverse=True)[1].astype(np.int64)

    @cached_property
    def heads(self) -> IntArray:
        """Ids of one switch for every device: of a director its first leaf chip."""
        return np.unique(self.switch_row, return_index=True)[1].astype(np.int64)

    @cached_property
    def cabled(self) -> BoolArray:
        """Trunk links that are cables, and not inside of a director."""
        return self.link_row >= 0

    def leaves(self) -> IntArray:
        """Return the ids of the leaf switches."""
        return np.flatnonzero(self.tier == LEAF)


def boxed_wirings(plan: Plan, fabric: int) -> Iterator[Wiring]:
    """Yield the planes of one fabric, every device of the plan as one switch."""
    devices, links = plan.topology.devices, plan.topology.links
    sizing = derive_rates(plan, fabric)
    plane_of, kind = devices.wide("plane"), devices.wide("kind")
    lower, upper = links.wide("lower"), links.wide("upper")
    is_switch = kind == SWITCH
    mine = links.wide("fabric") == fabric
    # switches of other fabrics are endpoints here: management ports, and uplinks of out-of-band leaves
    guests = is_switch & np.isin(devices.wide("fabric"), _fabrics_of(plan, [
        name for group in sizing.groups for name in group.of]))  # fmt: skip
    for plane in range(1, sizing.planes + 1) if sizing.planes > 1 else (0,):
        here = is_switch & (devices.wide("fabric") == fabric) & (plane_of == plane)
        switch_row = np.flatnonzero(here)
        local = np.full(len(devices), -1, np.int64)
        local[switch_row] = np.arange(switch_row.size)
        touches = mine & (here[upper] | (is_switch[lower] & here[lower]))
        trunk = np.flatnonzero(touches & is_switch[lower] & here[lower] & here[upper])
        ends = np.flatnonzero(touches & (~is_switch | guests)[lower] & here[upper])
        trunk = trunk[np.lexsort((links.wide("lower_port")[trunk], local[lower[trunk]]))]
        yield _plane(plan, fabric, sizing, plane, switch_row, local, trunk, ends,
                     int(touches.sum()) - trunk.size - ends.size)  # fmt: skip


def _plane(
    plan: Plan, fabric: int, sizing: FabricSizing, plane: int, switch_row: IntArray, local: IntArray, trunk: IntArray,
    ends: IntArray, stray: int,
) -> Wiring:  # fmt: skip
    devices, links = plan.topology.devices, plan.topology.links
    lower, upper = links.wide("lower"), links.wide("upper")
    lower_port, upper_port = links.wide("lower_port"), links.wide("upper_port")
    device = lower[ends]
    group, unit, index = devices.wide("group")[device], devices.wide("unit")[device], devices.wide("index")[device]
    reserved = devices.wide("kind")[device] == HOST
    # the device table places nodes by the first fabric that they attach to; on others the leaf tells the unit, and so
    # for all endpoints where switches stand among them, which have no place in a unit of their own
    guest = devices.wide("kind")[device] == SWITCH
    elsewhere = ((devices.wide("fabric")[device] != fabric) | guest.any()) & ~reserved
    if elsewhere.any():
        unit = np.where(elsewhere, devices.wide("unit")[upper[ends]], unit)
        index = np.where(elsewhere, _ranks(unit, device) + 1, index)
    # a switch's ports here have numbers of its own plane: what counts is their order
    number_of = np.where(guest, _places(device, lower_port[ends]) + 1, lower_port[ends])
    names = [item.name for item in plan.requirement.groups]
    place, rail = np.zeros(ends.size, np.int64), np.zeros(ends.size, np.int64)
    for ports in sizing.groups:
        if ports.kind == "nodes":
            member = (group == names.index(ports.group)) & ~reserved & ~guest
        else:
            member = guest & np.isin(devices.wide("fabric")[device], _fabrics_of(plan, ports.of))
        rows = np.flatnonzero(member)
        port = np.minimum(number_of[rows], len(ports.ports))
        rail[rows] = np.array([0, *(item.rail for item in ports.ports)])[port]
        place[rows] = np.array([0, *(item.leaf * len(ports.ports) + item.position for item in ports.ports)])[port]
    # all units are padded alike: a smaller one would meet the shift of its neighbours out of step
    slots = np.full(ends.size, max(run.nodes_each for run in sizing.shape.units))
    order = np.lexsort((lower_port[ends], place, index, unit, reserved))
    ends, device, reserved = ends[order], device[order], reserved[order]
    return Wiring(
        fabric=fabric, plane=plane, sizing=sizing, switch_row=switch_row, tier=devices.wide("tier")[switch_row],
        pod=devices.wide("pod")[switch_row], low=local[lower[trunk]], high=local[upper[trunk]],
        low_port=lower_port[trunk], high_port=upper_port[trunk], link_row=trunk, end_switch=local[upper[ends]],
        end_port=upper_port[ends], end_device=device, end_device_port=lower_port[ends], end_link=ends,
        reserved=reserved, unit=np.where(reserved, 0, unit[order]), slot=np.where(reserved, 0, index[order]),
        place=np.where(reserved, 0, place[order]), rail=np.where(reserved, 0, rail[order]),
        slots=np.where(reserved, 0, slots[order]), stray=stray,
        module=np.zeros(switch_row.size, np.int64),
    )  # fmt: skip


def _fabrics_of(plan: Plan, names: Sequence[str]) -> list[int]:
    return [number for number, sizing in enumerate(plan.fabrics) if sizing.name in names]


def _places(device: IntArray, port: IntArray) -> IntArray:
    """Return the place (from 0) of every link among those of its device, by port number."""
    order = np.lexsort((port, device))
    ordered = device[order]
    place = np.empty(device.size, np.int64)
    place[order] = np.arange(device.size) - np.searchsorted(ordered, ordered)
    return place


def _ranks(unit: IntArray, device: IntArray) -> IntArray:
    """Return the rank (from 0) of every device among those of its unit."""
    span = int(device.max(initial=0)) + 1
    keys, number = np.unique(unit * span + device, return_inverse=True)
    owner = keys // span
    first = np.searchsorted(owner, owner)
    rank: IntArray = (np.arange(keys.size) - first)[number.ravel()]
    return rank
