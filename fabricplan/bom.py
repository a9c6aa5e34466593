"""Bill of materials: every part that must be ordered, how many, how many spare, and what it serves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from fabricplan.cabling import Cabling
from fabricplan.catalog import AccessoryType, Catalog
from fabricplan.errors import Problem, RequirementError
from fabricplan.requirement import Requirement, SparesPolicy
from fabricplan.sizing import FabricSizing
from fabricplan.topology import NODE, ROLES, SWITCH, TIERS, Topology
from fabricplan.values import Value, distinct

BomKind = Literal["switch", "adapter", "transceiver", "cable", "fibre", "software", "service", "accessory"]
KIND_ORDER: tuple[BomKind, ...] = (
    "switch", "adapter", "transceiver", "cable", "fibre", "software", "service", "accessory",
)  # fmt: skip
MANAGERS = 2
"""Appliances of a fabric where the request counts none: UFM is meant as a pair."""
ALWAYS_SPARE = 8
"""A minimum of spares applies where more than this many pieces of a part are used."""


class BomUse(Value):
    """What a line serves: so many pieces in a role of a fabric (``leaf``, ``node_leaf`` ...)."""

    fabric: str
    role: str
    quantity: int


class BomLine(Value):
    """One part.

    ``quantity`` is bought, ``reused`` are pieces that serve too and exist already.
    ``catalog_kind`` and ``key`` lead to the catalogue entry, ``length_mm`` to its row. ``pn`` is empty for
    third-party parts that are ordered by description, and for directors of which no number is known.
    """

    kind: BomKind
    catalog_kind: str
    key: str
    pn: str
    opn: str | None = None
    length_mm: int | None = None
    quantity: int
    spare: int = 0
    reused: int = 0
    uses: tuple[BomUse, ...] = ()


class Bom(Value):
    """Lines in order of kind, then of first use."""

    lines: tuple[BomLine, ...]

    def count(self, kind: BomKind) -> int:
        """Return the pieces of a kind, without spares."""
        return sum(line.quantity for line in self.lines if line.kind == kind)


def count(
    requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, cabling: Cabling,
    catalog: Catalog,
) -> Bom:  # fmt: skip
    """Count all parts of a plan.

    Every line's quantity is the sum of its uses; switches are counted in purchasable boxes.
    """
    lines = [
        *_switches(sizings, topology, catalog),
        *_adapters(requirement, sizings, catalog),
        *_transceivers(sizings, topology, cabling, catalog),
        *_cables(sizings, topology, cabling, catalog),
        *_panels(requirement, sizings, topology, cabling, catalog),
        *_managers(requirement, sizings, catalog),
    ]
    policy = requirement.spares
    spared = [line.model_copy(update={"spare": spare_count(policy, line, catalog)}) for line in lines]
    spared.sort(key=lambda line: KIND_ORDER.index(line.kind))
    return Bom(lines=tuple(spared))


def spare_count(policy: SparesPolicy, line: BomLine, catalog: Catalog) -> int:
    """Return the spares of a line: percent rounded up, a minimum above eight pieces, doubled for parts that are
    no longer sold (they cannot be bought again)."""
    percent = {
        "switch": policy.switch_percent, "adapter": policy.adapter_percent,
        "transceiver": policy.transceiver_percent, "fibre": policy.fibre_percent,
        "cable": policy.copper_percent,
    }.get(line.kind, 0)  # fmt: skip
    retired = False
    if line.kind == "cable":
        cable = catalog.cable(line.key)
        percent = policy.aoc_percent if cable.kind == "aoc" else policy.copper_percent
        retired = cable.status == "retired"
    spare = -(-line.quantity * percent // 100)
    if percent and line.quantity > ALWAYS_SPARE:
        spare = max(spare, policy.minimum)
    return spare * 2 if retired else spare


def _switches(sizings: Sequence[FabricSizing], topology: Topology, catalog: Catalog) -> list[BomLine]:
    devices = topology.devices
    found: dict[tuple[str, str], list[BomUse]] = {}
    exist: dict[tuple[str, str], int] = {}
    for number, sizing in enumerate(sizings):
        for tier in (1, 2, 3):
            for row, item in enumerate(topology.device_types):
                mine = (devices.kind == SWITCH) & (devices.fabric == number) & (devices.tier == tier) & (
                    devices.type == row
                )  # fmt: skip
                boxes = int(distinct(devices.box[mine]).size)
                if boxes:
                    # two fabrics may take one model in two forms: ports to the cold aisle here, to the hot one there
                    form = (item.key, sizing.pn_of(item.key))
                    kept = sum(part.quantity for part in sizing.reused if (part.model, part.tier) == (item.key, tier))
                    exist[form] = exist.get(form, 0) + kept
                    uses = found.setdefault(form, [])
                    if boxes > kept:
                        uses.append(BomUse(fabric=sizing.name, role=TIERS[tier], quantity=boxes - kept))
    lines = []
    for (model, pn), uses in found.items():
        opn = next((form.opn for form in catalog.switch(model).variants if form.pn == pn), None)
        lines.append(BomLine(kind="switch", catalog_kind="switches", key=model, pn=pn, opn=opn,
                             quantity=sum(use.quantity for use in uses), reused=exist[model, pn],
                             uses=tuple(uses)))  # fmt: skip
    return lines


def _adapters(requirement: Requirement, sizings: Sequence[FabricSizing], catalog: Catalog) -> list[BomLine]:
    found: dict[str, list[BomUse]] = {}
    for sizing in sizings:
        for group in sizing.groups:
            if group.adapter and group.adapter_bought:
                quantity = group.nodes * group.adapters_per_node
                found.setdefault(group.adapter, []).append(
                    BomUse(fabric=sizing.name, role=group.group, quantity=quantity)
                )
    lines = []
    for pn, uses in found.items():
        adapter = catalog.adapter(pn)
        lines.append(BomLine(kind="adapter", catalog_kind="adapters", key=pn, pn=adapter.pn, opn=adapter.opn,
                             quantity=sum(use.quantity for use in uses), uses=tuple(uses)))  # fmt: skip
    return lines


def _transceivers(
    sizings: Sequence[FabricSizing], topology: Topology, cabling: Cabling, catalog: Catalog
) -> list[BomLine]:
    modules, devices = cabling.transceivers, topology.devices
    tier = devices.wide("tier")[modules.wide("device")] if len(modules) else np.zeros(0, np.int64)
    node = devices.kind[modules.device] == NODE if len(modules) else np.zeros(0, bool)
    lines = []
    for part, key in enumerate(cabling.transceiver_parts):
        uses = []
        for number, sizing in enumerate(sizings):
            mine = (modules.part == part) & (modules.fabric == number)
            for level, role in enumerate(("host", *TIERS[1:])):
                chosen = mine & (tier == level)
                if level == 0:
                    nodes, hosts = int((chosen & node).sum()), int((chosen & ~node).sum())
                    uses += [BomUse(fabric=sizing.name, role=name, quantity=count)
                             for name, count in (("node", nodes), (role, hosts)) if count]  # fmt: skip
                elif chosen.any():
                    uses.append(BomUse(fabric=sizing.name, role=role, quantity=int(chosen.sum())))
        entry = catalog.transceiver(key)
        lines.append(BomLine(kind="transceiver", catalog_kind="transceivers", key=key, pn=entry.pn, opn=entry.opn,
                             quantity=sum(use.quantity for use in uses), uses=tuple(uses)))  # fmt: skip
    return lines


def _cables(sizings: Sequence[FabricSizing], topology: Topology, cabling: Cabling, catalog: Catalog) -> list[BomLine]:
    cables, links = cabling.cables, topology.links
    fabric = links.wide("fabric")[cables.wide("link")] if len(cables) else np.zeros(0, np.int64)
    role = links.wide("role")[cables.wide("link")] if len(cables) else np.zeros(0, np.int64)
    order = sorted(range(len(cabling.cable_parts)), key=lambda part: (
        cabling.cable_parts[part].kind, cabling.cable_parts[part].family, cabling.cable_parts[part].length_mm,
    ))  # fmt: skip
    kinds = len(sizings) * len(ROLES)
    counts = np.bincount((cables.wide("part") * len(sizings) + fabric) * len(ROLES) + role,
                         minlength=len(cabling.cable_parts) * kinds).reshape(-1, len(sizings), len(ROLES))  # fmt: skip
    lines = []
    for part in order:
        item = cabling.cable_parts[part]
        uses = [
            BomUse(fabric=sizing.name, role=name, quantity=int(counts[part, number, level]))
            for number, sizing in enumerate(sizings)
            for level, name in enumerate(ROLES)
            if counts[part, number, level]
        ]
        lines.append(BomLine(kind=item.kind, catalog_kind="cables" if item.kind == "cable" else "fibres",
                             key=item.family, pn=item.pn, opn=item.opn, length_mm=item.length_mm,
                             quantity=sum(use.quantity for use in uses), uses=tuple(uses)))  # fmt: skip
    return lines


def _panels(
    requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, cabling: Cabling, catalog: Catalog
) -> list[BomLine]:
    """Return the panels that hold a patched link, at both ends of their run; a panel counts where its first link is."""
    found: dict[str, dict[tuple[str, str], int]] = {}
    patches = cabling.patches
    for number, run in enumerate(requirement.room.panels or ()):
        if patches is None or not run.panel:
            continue
        mine = np.flatnonzero(patches.run == number)
        size = catalog.fibre(run.trunk).trunk_connectors or 1
        held = catalog.panel(run.panel).ports // size * size
        _, first = np.unique((patches.wide("port")[mine] - 1) // held, return_index=True)
        for link in patches.wide("link")[mine[first]].tolist():
            use = (sizings[int(topology.links.fabric[link])].name, ROLES[int(topology.links.role[link])])
            counts = found.setdefault(run.panel, {})
            counts[use] = counts.get(use, 0) + 2
    lines = []
    for key, counts in found.items():
        panel = catalog.panel(key)
        uses = tuple(BomUse(fabric=name, role=role, quantity=count) for (name, role), count in counts.items())
        lines.append(BomLine(kind="accessory", catalog_kind="panels", key=key, pn=panel.pn or "", opn=panel.opn,
                             quantity=sum(use.quantity for use in uses), uses=uses))  # fmt: skip
    return lines


def _managers(requirement: Requirement, sizings: Sequence[FabricSizing], catalog: Catalog) -> list[BomLine]:
    """Return the appliances that were named to manage a fabric."""
    found: dict[str, list[BomUse]] = {}
    for number, (fabric, sizing) in enumerate(zip(requirement.fabrics, sizings, strict=True)):
        if fabric.manager is None:
            continue
        key = catalog.find("accessories", fabric.manager)
        known = [
            item for item in catalog.all("accessories", AccessoryType) if item.kind == "manager" and item.orderable
        ]
        if key not in [item.pn for item in known]:
            told = ", ".join(f"{item.pn} ({item.title})" for item in known)
            raise RequirementError(Problem("unknown-manager", f"'{fabric.manager}' is no management appliance that can "
                                           "be ordered", f"fabrics[{number}].manager", f"choose: {told}"))  # fmt: skip
        found.setdefault(key, []).append(
            BomUse(fabric=sizing.name, role="manager", quantity=fabric.manager_count or MANAGERS)
        )
    lines = []
    for key, uses in found.items():
        entry = catalog.get("accessories", key, AccessoryType)
        lines.append(BomLine(kind="accessory", catalog_kind="accessories",
                             key=key, pn=entry.pn, opn=entry.opn, quantity=sum(use.quantity for use in uses),
                             uses=tuple(uses)))  # fmt: skip
    return lines
