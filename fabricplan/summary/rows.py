"""What ``--json`` prints: the plan in one object."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic reads the standard one from Python 3.12 only

from fabricplan.bom import BomLine
from fabricplan.catalog import SwitchType
from fabricplan.growth import Growth
from fabricplan.plan import Plan
from fabricplan.sizing import FabricSizing, failure_domains
from fabricplan.topology import director_modules
from fabricplan.values import Severity
from fabricplan.wording import describe, hint, term, text

_SKU = re.compile(r"9[0-9]{2}-[0-9A-Z]{5}-[0-9A-Z]{4,6}(-[0-9A-Z]{3})?")


class MadeByRow(TypedDict):
    """Version of the program and digest of the catalogue."""

    version: str
    catalog: str


class SwitchCounts(TypedDict):
    """Switches by tier, over all planes."""

    leaf: int
    spine: int
    core: int


class LinkCounts(TypedDict):
    """Links by role, over all planes."""

    node_leaf: int
    leaf_spine: int
    spine_core: int
    reserved: int


class GroupRow(TypedDict):
    """What is attached to a fabric: nodes of a group, or switches of other fabrics."""

    name: str
    platform: str
    count: int
    ports: int


class FabricRow(TypedDict):
    """One fabric; counts are over all planes, ``bisection_gbps`` is one direction.

    ``uplinks_to`` and ``uplinks`` are of an out-of-band network: the fabric that takes the uplinks of its leaves.
    """

    name: str
    technology: str
    rate: str
    link_gbps: int
    tiers: int
    planes: int
    attach: str
    oversubscription: str
    attached: list[GroupRow]
    endpoints: int
    reserved_ports: int
    switches: SwitchCounts
    boxes: int
    links: LinkCounts
    uplinks_to: str | None
    uplinks: int
    bisection_gbps: int
    failure_domains: list[dict[str, Any]]


class Totals(TypedDict):
    """Sums over all fabrics; ``power_max_w`` is null while a part's power is unknown."""

    switches: int
    boxes: int
    transceivers: int
    cables: int
    power_max_w: int | float | None
    power_unknown: list[str]


class BomRow(TypedDict):
    """One part of the bill."""

    pn: str
    opn: str | None
    kind: str
    description: str
    quantity: int
    spare: int
    reused: int


class FindingRow(TypedDict):
    """One finding, worded."""

    severity: Severity
    code: str
    subject: str
    message: str
    hint: str


class Summary(TypedDict):
    """The object that ``--json`` prints."""

    schema: Literal["fabricplan/summary/1"]
    made_by: MadeByRow
    name: str
    gpus: int | None
    nodes: int
    fabrics: list[FabricRow]
    totals: Totals
    bom: list[BomRow]
    findings: list[FindingRow]
    growth: dict[str, Any] | None
    files: list[str]


def summarize(plan: Plan, lang: str = "en", files: Sequence[str] = (), growth: Growth | None = None) -> Summary:
    """Return the summary of a plan.

    Power is the sum of the switches' stated maximum, box by box. The makers state it with active cables, so
    transceivers are within it and are not added again; the nodes' adapters draw from the nodes and are left out.

    Args:
        plan: the plan.
        lang: language of descriptions, messages and hints.
        files: paths that were written.
        growth: the phases, where they were asked.
    """
    power, unknown = power_max(plan)
    return {
        "schema": "fabricplan/summary/1",
        "made_by": {"version": plan.made_by.version, "catalog": plan.made_by.catalog},
        "name": plan.name,
        "gpus": plan.gpus,
        "nodes": plan.nodes,
        "fabrics": [_fabric(sizing) for sizing in plan.fabrics],
        "totals": {
            "switches": sum(sizing.switch_count for sizing in plan.fabrics),
            "boxes": sum(sizing.box_count for sizing in plan.fabrics),
            "transceivers": plan.bom.count("transceiver"),
            "cables": plan.bom.count("cable") + plan.bom.count("fibre"),
            "power_max_w": power,
            "power_unknown": unknown,
        },
        "bom": [_bom_row(plan, line, lang) for line in plan.bom.lines],
        "findings": [
            {"severity": item.severity, "code": item.code, "subject": item.subject,
             "message": text(item, lang), "hint": hint(item, lang)}
            for item in plan.findings
        ],
        "growth": growth.model_dump(mode="json") if growth else None,
        "files": list(files),
    }  # fmt: skip


def power_max(plan: Plan) -> tuple[int | float | None, list[str]]:
    """Return the maximum power of all switches in W, and the part numbers whose power is not known.

    The sum is None as soon as one of them is unknown.
    """
    total, unknown = 0.0, []
    for line in plan.bom.lines:
        if line.kind != "switch":
            continue
        watts = plan.products.switch(line.key).power_max_w
        if watts is None:
            unknown.append(line.pn)
        else:
            total += watts * (line.quantity + line.reused)
    if unknown:
        return None, unknown
    return (int(total) if total.is_integer() else total), unknown


def part_description(plan: Plan, line: BomLine, lang: str = "en") -> str:
    """Return the description of a line of the bill; of directors with the modules that they need."""
    entry = plan.products.entry(line.catalog_kind, line.key)
    told = describe(line.catalog_kind, entry, lang, line.length_mm, line.pn)
    if isinstance(entry, SwitchType) and entry.inside is not None and line.quantity:
        modules = director_modules(plan.topology, plan.fabrics, entry.model, entry.inside, line.quantity)
        told += term("director_modules", lang).format(leaf=modules.leaf, spine=modules.spine)
    return told


def order_number(line: BomLine) -> str | None:
    """Return a line's order number: its own, or its part number where that has the form of one."""
    return line.opn or (line.pn if _SKU.fullmatch(line.pn) else None)


def _bom_row(plan: Plan, line: BomLine, lang: str) -> BomRow:
    return {
        "pn": line.pn, "opn": order_number(line), "kind": line.kind,
        "description": part_description(plan, line, lang), "quantity": line.quantity, "spare": line.spare,
        "reused": line.reused,
    }  # fmt: skip


def _fabric(sizing: FabricSizing) -> FabricRow:
    return {
        "name": sizing.name, "technology": sizing.technology, "rate": sizing.rate, "link_gbps": sizing.link_gbps,
        "tiers": sizing.shape.tiers, "planes": sizing.planes, "attach": sizing.attach,
        "oversubscription": sizing.oversubscription, "endpoints": sizing.endpoints,
        "attached": [
            {"name": group.group, "platform": group.platform, "count": group.nodes, "ports": len(group.ports)}
            for group in sizing.groups
        ],
        "reserved_ports": sizing.reserve_ports,
        "switches": {"leaf": sizing.leaf_count, "spine": sizing.spine_count, "core": sizing.core_count},
        "boxes": sizing.box_count,
        "links": {
            "node_leaf": sizing.node_leaf_links, "leaf_spine": sizing.leaf_spine_links,
            "spine_core": sizing.spine_core_links, "reserved": sizing.reserve_ports,
        },
        "uplinks_to": sizing.uplinks_to or None, "uplinks": sizing.leaf_count * sizing.uplinks_per_leaf,
        "bisection_gbps": sizing.bisection_gbps,
        "failure_domains": [domain.model_dump() for domain in failure_domains(sizing)],
    }  # fmt: skip
