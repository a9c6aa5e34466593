"""What a plan asks to be sold: goods and work as lines without prices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fabricplan.bom import BomLine
from fabricplan.catalog import AccessoryType, CableType, FibreType, PanelType, SwitchType
from fabricplan.plan import Plan
from fabricplan.prices import length_key
from fabricplan.quote.document import FabricFacts, UnitCode
from fabricplan.quote.phrases import Text
from fabricplan.quote.terms import GroupName
from fabricplan.sizing import FabricSizing
from fabricplan.summary import order_number, part_description
from fabricplan.wording import term
from fabricplan.wording.quotes import quote_term

_GROUP_OF: dict[str, GroupName] = {
    "switch": "switch", "adapter": "adapter", "transceiver": "transceiver", "cable": "cable", "fibre": "cable",
    "software": "software", "service": "service", "accessory": "cable",
}  # fmt: skip
_UNIT_OF: dict[str, UnitCode] = {
    "switch": "switch", "adapter": "adapter", "transceiver": "transceiver", "cable": "cable", "fibre": "cable",
    "software": "set", "service": "service", "accessory": "transceiver",
}  # fmt: skip


class Good(NamedTuple):
    """One line to be priced. ``names`` are what a price book may call it, best first."""

    group: GroupName
    network: str
    kind: str
    names: tuple[str, ...]
    name: Text
    pn: str
    opn: str
    description: Text
    quantity: int
    unit: UnitCode
    length_mm: int | None
    from_catalog: bool


def goods(plan: Plan) -> Iterator[Good]:
    """Yield the lines of a plan's bill.

    With several fabrics every part has a line for each fabric that uses it, so that each fabric has a sum of its
    own; spares follow at the end, for all fabrics together.
    """
    several = len(plan.fabrics) > 1
    for fabric in plan.fabrics:
        for line in plan.bom.lines:
            quantity = sum(use.quantity for use in line.uses if use.fabric == fabric.name)
            if quantity:
                yield _good(plan, line, quantity, _group(line), fabric.name if several else "")
    for line in plan.bom.lines:
        rest = line.quantity - sum(use.quantity for use in line.uses)
        if rest:
            yield _good(plan, line, rest, _group(line), "")
    for line in plan.bom.lines:
        if line.spare:
            yield _good(plan, line, line.spare, "spare", "")


def _group(line: BomLine) -> GroupName:
    """Return where a line stands in a quote: management appliances with software, panels with cables."""
    return "software" if line.catalog_kind == "accessories" else _GROUP_OF[line.kind]


def _good(plan: Plan, line: BomLine, quantity: int, group: GroupName, network: str) -> Good:
    sized = (length_key(line.key, line.length_mm),) if line.length_mm else ()
    return Good(
        group=group, network=network, kind=line.kind,
        names=tuple(name for name in (line.pn, line.opn, *sized, line.key) if name),
        name=Text(en=_capital(_name(plan, line, "en")), zh=_name(plan, line, "zh")),
        pn=line.pn, opn=order_number(line) or "",
        description=Text(en=part_description(plan, line, "en"), zh=part_description(plan, line, "zh")),
        quantity=quantity, unit=_UNIT_OF[line.kind], length_mm=line.length_mm, from_catalog=bool(line.pn),
    )  # fmt: skip


def _name(plan: Plan, line: BomLine, lang: str) -> str:
    """Return a part's short name: what it is and, for devices, which model."""
    entry = plan.products.entry(line.catalog_kind, line.key)
    if isinstance(entry, SwitchType):
        technology = term(entry.technology, lang)
        joined = f"{technology} " if lang == "en" or technology.isascii() else technology
        return f"{joined}{term('switch', lang)} {entry.model}"
    if isinstance(entry, CableType):
        return term(entry.kind, lang)
    if isinstance(entry, FibreType):
        kind = "trunk" if entry.trunk_connectors else "patch_cord" if entry.tail_count == 1 else "split_cord"
        return f"{entry.connector} {quote_term(kind, lang)}"
    if isinstance(entry, PanelType):
        return f"{entry.connector} {quote_term('patch_panel', lang)}"
    if isinstance(entry, AccessoryType):
        return entry.title
    return term(line.kind, lang)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def facts(sizing: FabricSizing) -> FabricFacts:
    """Return what a quote says of a fabric."""
    return FabricFacts(
        name=sizing.name, network=sizing.network, technology=sizing.technology, rate=sizing.rate,
        link_gbps=sizing.link_gbps, tiers=sizing.shape.tiers, planes=sizing.planes, attach=sizing.attach,
        oversubscription=sizing.oversubscription, oversubscription_spine=sizing.oversubscription_spine,
        endpoints=sizing.endpoints, leaf_count=sizing.leaf_count, spine_count=sizing.spine_count,
        core_count=sizing.core_count, box_count=sizing.box_count, node_leaf_links=sizing.node_leaf_links,
        leaf_spine_links=sizing.leaf_spine_links, spine_core_links=sizing.spine_core_links,
        reserve_ports=sizing.reserve_ports, bisection_gbps=sizing.bisection_gbps,
    )  # fmt: skip
