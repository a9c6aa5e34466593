"""Phases of a fabric that grows: what each buys, that none moves a cable, and what not planning ahead would move."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from fabricplan.bom import Bom, BomLine
from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError, Problem
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.requirement import Requirement
from fabricplan.sizing import interim_ratios, size_all
from fabricplan.topology import SWITCH, Topology, build
from fabricplan.values import Value


class PhaseRatio(Value):
    """The ratios of one fabric at the end of a phase, by bandwidth: of its leaves as they are filled then, and of its
    spines."""

    fabric: str
    leaf: str
    spine: str


class PhaseRow(Value):
    """What stands at the end of one phase, over all fabrics; ``oversubscription`` is that of the first fabric's leaves,
    ``ratios`` are those of every fabric that has spines."""

    nodes: int
    leaf: int
    spine: int
    core: int
    boxes: int
    cables: int
    transceivers: int
    oversubscription: str
    ratios: tuple[PhaseRatio, ...]


class PhaseLine(Value):
    """One part of the bill: pieces that each phase buys, and their total."""

    kind: str
    key: str
    pn: str
    length_mm: int | None = None
    bought: tuple[int, ...]
    total: int


class Unplanned(Value):
    """The first phase built for itself alone: its switch boxes, and how many of its switch-to-switch links the last
    phase would have to plug anew."""

    boxes: int
    trunk_links: int
    links_moved: int


class Growth(Value):
    """All phases side by side."""

    phases: tuple[PhaseRow, ...]
    lines: tuple[PhaseLine, ...]
    cables_moved: int
    unplanned: Unplanned


def phase_requirements(requirement: Requirement) -> list[Requirement]:
    """Return the request at every phase; groups without phases stay as they are."""
    steps = max((len(group.phases) for group in requirement.groups), default=0)
    found = []
    for step in range(steps):
        groups = tuple(
            group.model_copy(update={"nodes": group.phases[min(step, len(group.phases) - 1)], "gpus": None})
            if group.phases else group
            for group in requirement.groups
        )  # fmt: skip
        found.append(requirement.model_copy(update={"groups": groups}))
    return found


def grow(requirement: Requirement, catalog: Catalog, known: Plan | None = None) -> Growth | None:
    """Design every phase of a request and set them side by side; None where no group has phases.

    Args:
        requirement: the request.
        catalog: the product catalogue.
        known: the plan of the request by this catalogue, where there is one: its phase is not designed again.

    Raises:
        RequirementError, InfeasibleError: as ``design``, at any phase.
    """
    steps = phase_requirements(requirement)
    if not steps:
        return None
    plans = [known if known is not None and step == known.requirement else design(step, catalog) for step in steps]
    moved = sum(len(_links(sooner) - _links(later)) for sooner, later in itertools.pairwise(plans))
    return Growth(
        phases=tuple(_row(plan) for plan in plans), lines=_lines(plans), cables_moved=moved,
        unplanned=_unplanned(steps[0], steps[-1], catalog),
    )  # fmt: skip


def extension(later: Plan, stands: Plan) -> Plan:
    """Return a plan whose bill holds what must be bought to make it of one that stands.

    Raises:
        InfeasibleError: a link of what stands is another link in the later plan, or has another cable.
    """
    kept, whole = _links(stands, through=False), _links(later, through=False)
    moved = sorted(kept - whole, key=str)
    if moved:
        fabric, one, port, other, far, *_ = moved[0]
        raise InfeasibleError(Problem(
            "recabled", f"{len(moved)} of {len(kept)} links that stand are not in the later plan; one is {one} port "
            f"{port} - {other} port {far} of {stands.fabrics[fabric].name}", "",
            "lay the first stage out for the last one (grow_to), with the same room"))  # fmt: skip
    standing = {_key(line): line for line in stands.bom.lines}
    lines = [_bought(line, standing.get(_key(line))) for line in later.bom.lines]
    more = f"{later.name} (+{later.nodes - stands.nodes})"
    return later.model_copy(update={"name": more, "bom": Bom(lines=tuple(lines))})


def _key(line: BomLine) -> tuple[str, str, str, int | None]:
    return line.kind, line.key, line.pn, line.length_mm


def _bought(line: BomLine, stands: BomLine | None) -> BomLine:
    """Return a line less what stands of it."""
    if stands is None:
        return line
    have = {(use.fabric, use.role): use.quantity for use in stands.uses}
    uses = [use.model_copy(update={"quantity": use.quantity - have.get((use.fabric, use.role), 0)})
            for use in line.uses]  # fmt: skip
    return line.model_copy(update={
        "quantity": max(line.quantity - stands.quantity, 0), "spare": max(line.spare - stands.spare, 0),
        "reused": line.reused + min(line.quantity, stands.quantity),
        "uses": tuple(use for use in uses if use.quantity > 0),
    })  # fmt: skip


def _row(plan: Plan) -> PhaseRow:
    ratios = [(sizing, *interim_ratios(sizing)) for sizing in plan.fabrics]
    return PhaseRow(
        nodes=plan.nodes, leaf=sum(sizing.leaf_count for sizing in plan.fabrics),
        spine=sum(sizing.spine_count for sizing in plan.fabrics),
        core=sum(sizing.core_count for sizing in plan.fabrics), boxes=sum(sizing.box_count for sizing in plan.fabrics),
        cables=plan.bom.count("cable") + plan.bom.count("fibre"), transceivers=plan.bom.count("transceiver"),
        oversubscription=ratios[0][1],
        ratios=tuple(PhaseRatio(fabric=sizing.name, leaf=leaf, spine=spine) for sizing, leaf, spine in ratios
                     if sizing.shape.leaf_count > 1 and not sizing.uplinks_to),
    )  # fmt: skip


def _lines(plans: Sequence[Plan]) -> tuple[PhaseLine, ...]:
    counts = [{_key(line): line.quantity + line.spare for line in plan.bom.lines} for plan in plans]
    found = []
    for line in plans[-1].bom.lines:
        stands = [0, *(count.get(_key(line), 0) for count in counts)]
        bought = tuple(later - sooner for sooner, later in itertools.pairwise(stands))
        found.append(PhaseLine(kind=line.kind, key=line.key, pn=line.pn, length_mm=line.length_mm, bought=bought,
                               total=stands[-1]))  # fmt: skip
    return tuple(found)


def _links(plan: Plan, through: bool = True) -> set[tuple[Any, ...]]:
    """Return every link by the names and ports of its ends and the parts that carry it; with ``through`` also its place
    in patch panels, which a discovery does not tell."""
    names, cabling, patches = plan.device_names(), plan.cabling, plan.cabling.patches
    part = [(item.family, item.length_mm) for item in cabling.cable_parts]
    of = cabling.cables.part.tolist()
    # a link through patch panels moves when its port there, its trunk or its other cord does
    pieces = {} if patches is None or not through else {
        link: (run, flip, port, part[of[cord]], part[of[trunk]])
        for link, run, flip, port, cord, trunk in patches.rows()
    }  # fmt: skip
    return {
        (fabric, names[lower], low, names[upper], high, part[of[cable]] if cable >= 0 else None, pieces.get(link))
        for link, ((fabric, _, lower, low, upper, high), cable) in enumerate(zip(
            plan.topology.links.rows(), cabling.links.cable.tolist(), strict=True))
    }  # fmt: skip


def _unplanned(first: Requirement, last: Requirement, catalog: Catalog) -> Unplanned:
    def alone(requirement: Requirement) -> tuple[int, set[tuple[int, ...]]]:
        groups = tuple(group.model_copy(update={"grow_to": None, "phases": ()}) for group in requirement.groups)
        # the customer's positions are those of the plan as it grows; another plan has other devices
        asked = requirement.model_copy(update={"groups": groups, "positions": None})
        sizings = size_all(asked, catalog)
        return sum(sizing.box_count for sizing in sizings), _trunks(build(asked, sizings, catalog))

    (boxes, have), (_, want) = alone(first), alone(last)
    return Unplanned(boxes=boxes, trunk_links=len(have), links_moved=len(have - want))


def _trunks(topology: Topology) -> set[tuple[int, ...]]:
    """Return the links between switches of one fabric, by place and port of both ends (widths of names may differ)."""
    devices = topology.devices
    place = list(zip(*(getattr(devices, name).tolist() for name in ("tier", "plane", "pod", "unit", "rail", "index")),
                     strict=True))  # fmt: skip
    kind, of = devices.kind.tolist(), devices.fabric.tolist()
    return {
        (fabric, *place[lower], low, *place[upper], high)
        for fabric, _, lower, low, upper, high in topology.links.rows()
        if kind[lower] == SWITCH and of[lower] == fabric
    }
