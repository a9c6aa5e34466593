"""Rules over the finished tables of a plan: one function per rule, always run.

Sizing decides in closed form and topology enumerates; the rules here recount from the tables that will be
ordered and cabled, so that a slip in any stage before shows. They work on columns: no Python loop runs over
links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from fabricplan.bom import Bom
from fabricplan.cabling import Cabling
from fabricplan.catalog import Catalog
from fabricplan.checks import (
    directors,
    ethernet,
    evenness,
    joints,
    lengths,
    management,
    panels,
    parts,
    ports,
    racks,
    site,
)
from fabricplan.checks.view import View
from fabricplan.placement import Placement
from fabricplan.requirement import Requirement
from fabricplan.sizing import FabricSizing
from fabricplan.topology import Topology
from fabricplan.values import Finding, Severity

__all__ = ["RULES", "SELLER_ONLY", "check", "for_customer", "in_order"]

SELLER_ONLY = frozenset(parts.PLATFORM_CODES.values())
"""Findings that serve the seller and not the customer: what makers say of a server that the customer may own."""

ORDER: tuple[Severity, ...] = ("error", "warning", "info")

RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (
    *ports.RULES, *evenness.RULES, *lengths.RULES, *joints.RULES, *management.RULES, *site.RULES,
    *racks.RULES, *panels.RULES, *parts.RULES, *directors.RULES, *ethernet.RULES,
)  # fmt: skip


def check(
    requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, placement: Placement,
    cabling: Cabling, bom: Bom, catalog: Catalog,
) -> tuple[Finding, ...]:  # fmt: skip
    """Run every rule over a finished plan.

    Args:
        requirement: what was asked.
        sizings: one per fabric.
        topology: devices and links.
        placement: racks and places.
        cabling: cables and modules.
        bom: the bill.
        catalog: the product catalogue.

    Returns:
        The findings: errors, then warnings, then infos, each in the order of the rules.
    """
    view = View(requirement, sizings, topology, placement, cabling, bom, catalog)
    return in_order(finding for rule in RULES for finding in rule(view))


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings with errors first, then warnings, then infos; otherwise in the order given."""
    return tuple(sorted(findings, key=lambda item: ORDER.index(item.severity)))


def for_customer(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings that a document for the customer holds."""
    return tuple(item for item in findings if item.code not in SELLER_ONLY)
