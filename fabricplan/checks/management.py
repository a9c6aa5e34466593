"""Rules on what brings the fabric up: subnet managers, addresses, split profiles, SHARP."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fabricplan.checks.view import View
from fabricplan.sizing import LID_SPACE
from fabricplan.topology import NODE_LEAF, RESERVED, SWITCH, tier_ports
from fabricplan.values import Finding, distinct, finding


def plane_without_manager(view: View) -> Iterator[Finding]:
    """Every plane of an InfiniBand fabric has a managed switch, or a host on a reserved port of its own.

    A fabric without any of the two is sizing's ``no-subnet-manager``.
    """
    devices = view.devices
    plane = devices.wide("plane")
    managed = np.array([bool((switch := view.switch_of(row)) and switch.managed)
                        for row in range(len(view.topology.device_types))])  # fmt: skip
    for number, sizing in enumerate(view.sizings):
        if sizing.technology != "infiniband" or any(note.code == "no-subnet-manager" for note in sizing.findings):
            continue
        mine = (devices.fabric == number) & (devices.kind == SWITCH)
        planes = distinct(plane[mine])
        has = set(plane[mine & managed[devices.type]].tolist())
        has |= set(plane[view.ends(number, RESERVED)[1]].tolist())
        lacking = [str(item) for item in planes.tolist() if item not in has]
        if lacking:
            yield finding("error", "plane-without-manager", sizing.name, lacking=len(lacking),
                          planes=int(planes.size), which=", ".join(lacking))  # fmt: skip


def manager_unknown(view: View) -> Iterator[Finding]:
    """Managed switches are no subnet manager yet: tell where no document states one inside them and no port is kept."""
    for sizing in view.sizings:
        if sizing.technology != "infiniband" or sizing.reserve_ports:
            continue
        models = [view.catalog.switch(variant.model) for variant in sizing.variants]
        managed = [switch for switch in models if switch.managed]
        if not managed or any(switch.embedded_sm_max_nodes for switch in managed):
            continue
        port = next((switch.management_port for switch in managed if switch.management_port), None)
        if port:
            yield finding("warning", "xdr-manager", sizing.name, model=managed[0].model, port=port)
        else:
            yield finding("warning", "manager-unknown", sizing.name, model=managed[0].model)


def manager_without_port(view: View) -> Iterator[Finding]:
    """Appliances in the bill need a leaf port each, but where the switches have one of their own for them."""
    for fabric, sizing in zip(view.requirement.fabrics, view.sizings, strict=True):
        if fabric.manager is None:
            continue
        count = sum(use.quantity for line in view.bom.lines for use in line.uses
                    if (use.role, use.fabric) == ("manager", sizing.name))  # fmt: skip
        models = [view.catalog.switch(variant.model) for variant in sizing.variants]
        if sizing.reserve_ports < count and not any(switch.management_port for switch in models):
            yield finding("warning", "manager-without-port", sizing.name, managers=count, part=fabric.manager,
                          ports=sizing.reserve_ports)  # fmt: skip


def address_space(view: View) -> Iterator[Finding]:
    """Local identifiers of a plane, recounted: endpoints, reserved ports, switch nodes and SHARP nodes."""
    devices = view.devices
    plane = devices.wide("plane")
    each = np.array([switch.lid_nodes + switch.sharp_nodes if (switch := view.switch_of(row)) else 0
                     for row in range(len(view.topology.device_types))], np.int64)  # fmt: skip
    for number, sizing in enumerate(view.sizings):
        if sizing.technology != "infiniband":
            continue
        mine = (devices.fabric == number) & (devices.kind == SWITCH)
        switches = np.bincount(plane[mine], each[devices.type[mine]])
        ends = np.concatenate([view.ends(number, role)[1] for role in (NODE_LEAF, RESERVED)])
        endpoints = np.bincount(plane[ends], minlength=switches.size)
        used = switches + endpoints
        worst = int(np.argmax(used))
        if used[worst] > LID_SPACE:
            yield finding("error", "address-space", sizing.name, used=int(used[worst]), most=LID_SPACE,
                          endpoints=int(endpoints[worst]), switches=int(switches[worst]))  # fmt: skip


def split_ready(view: View) -> Iterator[Finding]:
    """Switches that must run the split profile before the first cable is plugged."""
    for number, sizing in enumerate(view.sizings):
        found: dict[str, int] = {}
        for tier in range(1, sizing.shape.tiers + 1):
            ports = tier_ports(sizing.shape, tier)
            if ports.split:
                mine = (view.devices.fabric == number) & (view.devices.tier == tier)
                found[ports.model] = found.get(ports.model, 0) + int((mine & (view.devices.kind == SWITCH)).sum())
        for model, switches in found.items():
            yield finding("warning", "split-ready", sizing.name, model=model, switches=switches, rate=sizing.rate)


def sharp_needs_host(view: View) -> Iterator[Finding]:
    """SHARP's aggregation manager runs on a host of its own, which needs a port; none is kept for it."""
    for sizing in view.sizings:
        if sizing.technology != "infiniband" or sizing.reserve_ports or sizing.switch_count < 2:
            continue
        if any(note.code in ("no-port-for-ufm", "no-subnet-manager") for note in sizing.findings):
            continue
        models = [view.catalog.switch(variant.model) for variant in sizing.variants]
        if all(switch.sharp_version for switch in models) and not any(switch.management_port for switch in models):
            yield finding("info", "sharp-needs-host", sizing.name,
                          version=min(switch.sharp_version or 0 for switch in models))  # fmt: skip


def embedded_manager(view: View) -> Iterator[Finding]:
    """Where the nodes take every port: the subnet manager inside the switches needs none, up to its documented size."""
    for sizing in view.sizings:
        if not any(note.code.startswith("no-port-for-ufm") for note in sizing.findings):
            continue
        models = {variant.model: view.catalog.switch(variant.model) for variant in sizing.variants}
        known = {model: item.embedded_sm_max_nodes for model, item in models.items()
                 if item.managed and item.embedded_sm_max_nodes}  # fmt: skip
        if known and sizing.endpoints // sizing.planes <= min(known.values()):
            yield finding("info", "embedded-manager", sizing.name, model=", ".join(known), limit=min(known.values()))


RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (
    plane_without_manager, manager_unknown, address_space, split_ready, sharp_needs_host,
    embedded_manager, manager_without_port,
)  # fmt: skip
