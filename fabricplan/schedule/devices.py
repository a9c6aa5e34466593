"""Devices, ports, racks and bundles of a plan, as printed lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

import numpy as np

from fabricplan.cabling import cable_racks
from fabricplan.plan import Plan
from fabricplan.portwords import tier_word
from fabricplan.schedule.cables import CableTable, End
from fabricplan.schedule.columns import Coded
from fabricplan.sizing import FabricSizing
from fabricplan.topology import NO_RAIL, SWITCH

N = TypeVar("N", int, float)


class DeviceRow(NamedTuple):
    """One device. ``power_max_w`` is None where the catalogue does not know it.

    ``box`` tells the purchasable box of switches that share one (several fabric switches in a box); its height and
    power stand with the first of them.
    """

    fabric: str
    name: str
    kind: str
    model: str
    title: str
    pn: str | None
    rack: str
    u: int | None
    height: int | None
    unit: int | None
    pod: int | None
    rail: int | None
    plane: int | None
    managed: bool | None
    airflow: str | None
    power_max_w: float | None
    box: int | None


class RackRow(NamedTuple):
    """What one rack holds; units and power are the sums of what is known, None where nothing is, and how many devices
    lack a power."""

    rack: str
    device_count: int
    used_u: int | None
    power_max_w: float | None
    power_unknown_count: int


class BundleRow(NamedTuple):
    """Cables that run between the same two racks."""

    bundle: int
    rack_a: str
    rack_z: str
    cable_count: int
    shortest_mm: int
    longest_mm: int


class PortTable(NamedTuple):
    """Every connected port, device by device in port order, with the far end: columns."""

    near: End
    far: End
    id: Coded
    tail: Coded
    role: Coded
    rail: Coded
    pn: Coded
    family: Coded
    length_mm: Coded


def device_rows(plan: Plan) -> list[DeviceRow]:
    """Return all devices in the order of the plan."""
    names, racks = plan.device_names(), plan.placement.rack_names()
    models: dict[tuple[int, int], _Facts] = {}
    seen: set[int] = set()
    found = []
    rows = zip(plan.topology.devices.rows(), plan.placement.places.rows(), names, strict=True)
    for (kind, tier, fabric, plane, _, pod, unit, rail, _, type_row, box), (rack, u, height), name in rows:
        model = models.get((fabric, type_row))
        if model is None:
            model = models[fabric, type_row] = _facts(plan, plan.fabrics[fabric], type_row)
        first = box < 0 or box not in seen
        seen.add(box)
        found.append(DeviceRow(
            fabric=plan.fabrics[fabric].name, name=name, kind=tier_word(kind, tier), model=model.model,
            title=model.title, pn=model.pn, rack=racks[rack], u=u or None,
            height=(height or None) if first else 0, unit=unit or None, pod=pod or None,
            rail=None if rail == NO_RAIL or kind != SWITCH else rail, plane=plane or None, managed=model.managed,
            airflow=model.airflow, power_max_w=model.power_max_w if first else 0.0,
            box=box if model.switches_per_box > 1 else None,
        ))  # fmt: skip
    return found


class _Facts(NamedTuple):
    model: str
    title: str
    pn: str | None = None
    managed: bool | None = None
    airflow: str | None = None
    power_max_w: float | None = None
    switches_per_box: int = 1


def _facts(plan: Plan, sizing: FabricSizing, row: int) -> _Facts:
    item = plan.topology.device_types[row]
    if item.kind == "platform":
        platform = plan.products.platform(item.key)
        return _Facts(platform.title, platform.title, power_max_w=platform.power_max_w)
    if item.kind == "host":
        return _Facts(item.key, item.key)
    switch = plan.products.switch(item.key)
    pn = sizing.pn_of(item.key) or None
    return _Facts(switch.model, switch.model, pn, switch.managed, switch.airflow_of(pn), switch.power_max_w,
                  switch.switches_per_box)  # fmt: skip


def rack_rows(plan: Plan, devices: list[DeviceRow]) -> list[RackRow]:
    """Return all racks in order of row and position, empty ones too."""
    by_rack: dict[str, list[DeviceRow]] = {name: [] for name in plan.placement.rack_names()}
    for device in devices:
        by_rack[device.rack].append(device)
    found = []
    for name, held in by_rack.items():
        boxes = [device for device in held if device.height != 0]  # further switches of a box take nothing of their own
        found.append(RackRow(name, len(held), known_sum(device.height for device in boxes),
                             known_sum(device.power_max_w for device in boxes),
                             sum(device.power_max_w is None for device in held)))  # fmt: skip
    return found


def known_sum(values: Iterable[N | None]) -> N | None:
    """Return the sum of the values that are known; None where all of several are not.

    >>> known_sum([1, None]), known_sum([None]), known_sum([])
    (1, None, 0)
    """
    told = list(values)
    known = [value for value in told if value is not None]
    return None if told and not known else sum(known, start=type(known[0])() if known else 0)


def port_table(table: CableTable) -> PortTable:
    """Return every connected port with its far end, ordered by device and port."""
    count = len(table)
    device = np.concatenate([table.a.device.codes, table.z.device.codes])
    port = np.concatenate([table.a_port_order, table.z_port_order])
    fabric = np.tile(table.fabric.codes, 2)
    order = np.lexsort((np.tile(np.arange(count), 2), port, fabric, device))

    def pair(first: Coded, second: Coded) -> Coded:
        shift = len(first.values)
        both = np.concatenate([first.codes, second.codes + shift])
        return Coded((*first.values, *second.values), both[order])

    def twice(column: Coded) -> Coded:
        return Coded(column.values, np.tile(column.codes, 2)[order])

    near = End(*(pair(one, two) for one, two in zip(table.a, table.z, strict=True)))
    far = End(*(pair(two, one) for one, two in zip(table.a, table.z, strict=True)))
    return PortTable(near, far, twice(table.id), twice(table.tail), twice(table.role), twice(table.rail),
                     twice(table.pn), twice(table.family), twice(table.length_mm))  # fmt: skip


def bundle_rows(plan: Plan) -> list[BundleRow]:
    """Return the bundles in order of their number."""
    cables, racks = plan.cabling.cables, plan.placement.rack_names()
    if not len(cables):
        return []
    length = np.array([part.length_mm for part in plan.cabling.cable_parts])[cables.part]
    bundle = cables.wide("bundle")
    order = np.argsort(bundle, kind="stable")
    numbers, starts, counts = np.unique(bundle[order], return_index=True, return_counts=True)
    shortest, longest = np.minimum.reduceat(length[order], starts), np.maximum.reduceat(length[order], starts)
    a, z = (side[order[starts]] for side in cable_racks(plan, plan.placement, plan.cabling))
    return [
        BundleRow(number, racks[one], racks[other], count, low, high)
        for number, one, other, count, low, high in zip(
            numbers.tolist(), a.tolist(), z.tolist(), counts.tolist(), shortest.tolist(), longest.tolist(), strict=True)
    ]  # fmt: skip
