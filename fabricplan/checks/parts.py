"""Rules on what is bought: the bill against the tables, parts that are no longer sold, facts that are estimates."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fabricplan.bom import BomLine
from fabricplan.catalog import (
    AdapterType,
    CableLength,
    CableType,
    Entry,
    FibreType,
    Lifecycle,
    SwitchType,
    SwitchVariant,
    TransceiverType,
)
from fabricplan.checks.view import View
from fabricplan.topology import CORE, LEAF, LEAF_SPINE, NODE_LEAF, RESERVED, SPINE, SPINE_CORE, SWITCH, tier_ports
from fabricplan.values import Finding, distinct, finding

STATUS_CODES: dict[Lifecycle, str] = {
    "retired": "part-retired", "unlisted": "part-unlisted", "planned": "part-planned",
    "unverified": "part-unverified",
}  # fmt: skip
PLATFORM_CODES: dict[Lifecycle, str] = {
    "retired": "platform-retired", "unlisted": "platform-unlisted", "planned": "platform-planned",
    "unverified": "platform-unverified",
}  # fmt: skip


TOP_OF = {NODE_LEAF: LEAF, RESERVED: LEAF, LEAF_SPINE: SPINE, SPINE_CORE: CORE}
"""Role of a link -> tier of its upper end."""


def bill_differs(view: View) -> Iterator[Finding]:
    """The bill orders exactly the boxes, modules, cables and fibres that the tables hold."""
    devices, cabling = view.devices, view.cabling
    held: dict[tuple[str, str, str, int | None], int] = {}
    where: tuple[str, str, str, int | None]
    modules = np.bincount(cabling.transceivers.part, minlength=len(cabling.transceiver_parts))
    for key, count in zip(cabling.transceiver_parts, modules.tolist(), strict=True):
        held["transceivers", key, view.catalog.transceiver(key).pn, None] = count
    cables = np.bincount(cabling.cables.part, minlength=len(cabling.cable_parts))
    for part, count in zip(cabling.cable_parts, cables.tolist(), strict=True):
        kind = "cables" if part.kind == "cable" else "fibres"
        where = (kind, part.family, part.pn, part.length_mm)
        held[where] = held.get(where, 0) + count
    for item, entry in enumerate(view.topology.device_types):
        if entry.kind == "switch":
            for number, sizing in enumerate(view.sizings):
                mine = (devices.kind == SWITCH) & (devices.type == item) & (devices.fabric == number)
                where = ("switches", entry.key, sizing.pn_of(entry.key), None)
                held[where] = held.get(where, 0) + int(distinct(devices.box[mine]).size)
    billed = dict.fromkeys(held, 0)
    names = {key: key[2] or key[1] for key in held}
    for line in view.bom.lines:
        if line.catalog_kind in ("switches", "transceivers", "cables", "fibres"):
            where = (line.catalog_kind, line.key, line.pn, line.length_mm)
            billed[where] = billed.get(where, 0) + line.quantity + line.reused
            names[where] = _name(line)
    for where, quantity in billed.items():
        if quantity != held.get(where, 0):
            yield finding("error", "bill-differs", names[where], billed=quantity, held=held.get(where, 0))


def not_orderable(view: View) -> Iterator[Finding]:
    """Parts that cannot be ordered, by the catalogue."""
    for line in view.bom.lines:
        entry, row = _entry(view, line)
        able = entry.orderable if isinstance(entry, (SwitchType, AdapterType, TransceiverType)) else True
        if isinstance(entry, SwitchType) and entry.inside is not None:
            able = True  # directors have a rule of their own; a company's own number for one is judged by its row
        if line.quantity and (not able or (row is not None and not row.orderable)):
            yield finding("warning", "part-not-orderable", _name(line), quantity=line.quantity)


def life_cycle(view: View) -> Iterator[Finding]:
    """Parts that the maker has retired, does not list, has announced only, or that nobody confirmed."""
    for line in view.bom.lines:
        entry, row = _entry(view, line)
        status = row.status if row is not None and row.status is not None else entry.status
        if line.quantity and status in STATUS_CODES:
            yield finding("warning", STATUS_CODES[status], _name(line), quantity=line.quantity)
    for name, nodes in _platforms(view).items():
        platform = view.catalog.platform(name)
        if platform.kind != "generic" and platform.status in PLATFORM_CODES:
            yield finding("info", PLATFORM_CODES[platform.status], name, nodes=nodes)


def confidence(view: View) -> Iterator[Finding]:
    """Parts, order numbers and port numbering that rest on inference."""
    for line in view.bom.lines:
        entry, row = _entry(view, line)
        if entry.confidence == "estimated":
            yield finding("info", "low-confidence", _name(line), quantity=line.quantity)
        elif row is not None and row.confidence == "estimated":
            yield finding("info", "low-confidence-number", _name(line), quantity=line.quantity)
        if isinstance(entry, SwitchType) and entry.port_numbering_confidence == "estimated":
            yield finding("info", "low-confidence-ports", entry.model, boxes=line.quantity)
    for name, nodes in _platforms(view).items():
        platform = view.catalog.platform(name)
        if platform.kind != "generic" and platform.confidence == "estimated":
            yield finding("info", "low-confidence-platform", name, nodes=nodes)


def overridden_facts(view: View) -> Iterator[Finding]:
    """Products, port classes and recipes of the plan whose facts a company's own catalogue changes."""
    overridden = view.catalog.overridden
    if not overridden:
        return
    used = [f"{line.catalog_kind}/{line.key}" for line in view.bom.lines]
    used += [f"platforms/{name}" for name in _platforms(view)]
    used += [f"port-classes/{name}" for joint in view.joints for name in (joint.upper_class, joint.lower_class)]
    used += [f"recipes/{join.recipe.id}" for join in view.joins.values() if join is not None]
    for named in dict.fromkeys(used):
        if named in overridden:
            yield finding("info", "catalog-override", named.partition("/")[2], fields=", ".join(overridden[named]))


def generic_parts(view: View) -> Iterator[Finding]:
    """Third-party parts without a part number: bought by description. One finding per family."""
    found: dict[str, list[int]] = {}
    for line in view.bom.lines:
        if not line.pn and line.catalog_kind != "switches":
            total = found.setdefault(line.key, [0, 0])
            total[0] += line.quantity
            total[1] = max(total[1], line.length_mm or 0)
    for key, (quantity, longest) in found.items():
        if longest:
            yield finding("info", "generic-part", key, quantity=quantity, longest_m=longest / 1000)
        else:
            yield finding("info", "generic-piece", key, quantity=quantity)


def customer_adapters(view: View) -> Iterator[Finding]:
    """Adapters that the customer brings are not in the bill; the modules and cables assume their model."""
    for sizing in view.sizings:
        for group in sizing.node_groups:
            if group.adapter and view.requirement.group(group.group).nic == "customer":
                yield finding("info", "adapters-by-customer", group.group, pn=group.adapter,
                              quantity=group.nodes * group.adapters_per_node)  # fmt: skip


def chosen_by_price(view: View) -> Iterator[Finding]:
    """A price book decided which rule the fabric was chosen by; the plan holds the rule and no price."""
    for number, sizing in enumerate(view.sizings):
        favours = view.requirement.fabrics[number].price_favours
        if favours is not None:
            yield finding("info", "chosen-by-price", sizing.name, favours=favours)


def module_heat(view: View) -> Iterator[Finding]:
    """A module draws no more than the cage is rated for (switches and adapters of which the maker states a limit)."""
    limits: dict[tuple[int, str], tuple[str, float]] = {}
    for number, sizing in enumerate(view.sizings):
        for group in sizing.groups:
            limit = view.catalog.adapter(group.adapter).cages[0].cage_power_max_w if group.adapter else None
            if group.adapter and limit is not None:
                limits[number, group.port_class] = (group.adapter, limit)
    hot: dict[tuple[str, str, float, float], int] = {}
    for joint in view.joints:
        shape, top = view.sizings[joint.fabric].shape, TOP_OF[joint.role]
        ends = [(joint.upper_module, _cage_limit(view, tier_ports(shape, top).model, joint.upper_class))]
        if joint.role in (LEAF_SPINE, SPINE_CORE):
            ends.append((joint.lower_module, _cage_limit(view, tier_ports(shape, top - 1).model, joint.lower_class)))
        else:
            ends.append((joint.lower_module, limits.get((joint.fabric, joint.lower_class))))
        for key, known in ends:
            module = view.catalog.transceiver(key) if key and known is not None else None
            if module is None or known is None or module.power_max_w is None or module.power_max_w <= known[1]:
                continue
            told = (known[0], module.pn, module.power_max_w, known[1])
            hot[told] = hot.get(told, 0) + joint.links
    for (device, pn, watts, limit), links in hot.items():
        yield finding("error", "module-too-hot", device, part=pn, watts=watts, limit=limit, links=links)


def _cage_limit(view: View, model: str, port_class: str) -> tuple[str, float] | None:
    """Return a switch and the power that the maker states for its cages of a class; None where he states none."""
    for group in view.catalog.switch(model).cages:
        if group.port_class == port_class and group.cage_power_max_w is not None:
            return model, group.cage_power_max_w
    return None


def _entry(view: View, line: BomLine) -> tuple[Entry, SwitchVariant | CableLength | None]:
    """Return the catalogue entry of a line and the row that was taken of it."""
    entry = view.catalog.get(line.catalog_kind, line.key, Entry)
    row: SwitchVariant | CableLength | None = None
    if isinstance(entry, SwitchType):
        row = next((form for form in entry.variants if form.pn == line.pn), None)
    elif isinstance(entry, (CableType, FibreType)):
        row = next((item for item in entry.lengths if item.pn == line.pn and item.length_mm == line.length_mm), None)
    return entry, row


def _name(line: BomLine) -> str:
    return line.pn or line.key


def _platforms(view: View) -> dict[str, int]:
    groups = {group.group: group for sizing in view.sizings for group in sizing.node_groups}
    found: dict[str, int] = {}
    for group in groups.values():
        found[group.platform] = found.get(group.platform, 0) + group.nodes
    return found


RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (
    bill_differs, module_heat, not_orderable, life_cycle, confidence, overridden_facts,
    generic_parts, customer_adapters, chosen_by_price,
)  # fmt: skip
