"""Requirement and catalogue in, Plan out: the stages in their order, nothing else."""

from __future__ import annotations

from collections.abc import Callable

from fabricplan._version import __version__
from fabricplan.bom import count
from fabricplan.cabling import known_runs
from fabricplan.catalog import Catalog
from fabricplan.checks import check, in_order
from fabricplan.plan import MadeBy, Plan, products_of
from fabricplan.requirement import Requirement, without_cells
from fabricplan.sizing import size_all
from fabricplan.stages import place_and_lay
from fabricplan.topology import build


def design(requirement: Requirement, catalog: Catalog, progress: Callable[[str], None] | None = None) -> Plan:
    """Design a complete plan. Pure: no disk, no clock, no state; the same input gives the same plan.

    Args:
        requirement: what is wanted.
        catalog: the product catalogue.
        progress: called with the name of each stage as it starts (for a progress display).

    Returns:
        The plan, with its findings. Error findings mean that it must not be ordered as it stands.

    Raises:
        RequirementError: a word that the catalogue does not know, or that contradicts another.
        InfeasibleError: no fabric of the asked kind holds the request, or two ends do not mate.
    """
    tell = progress or (lambda stage: None)
    requirement = requirement.model_copy(update={"room": known_runs(requirement.room, catalog)})
    tell("size")
    sizings = size_all(requirement, catalog)
    tell("build")
    topology = build(requirement, sizings, catalog)
    tell("place")
    placement, cabling = place_and_lay(requirement, sizings, topology, catalog)
    tell("count")
    bom = count(requirement, sizings, topology, cabling, catalog)
    tell("check")
    products = products_of(catalog, sizings, topology, cabling, requirement)
    findings = check(requirement, sizings, topology, placement, cabling, bom, catalog)
    sized = tuple(note for sizing in sizings for note in sizing.findings)
    return Plan(
        made_by=MadeBy(version=__version__, catalog=catalog.digest), name=requirement.name,
        requirement=without_cells(requirement), fabrics=sizings, topology=topology, placement=placement,
        cabling=cabling, bom=bom, findings=in_order((*sized, *findings)), products=products,
    )  # fmt: skip
