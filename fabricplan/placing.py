"""Placed and cabled: by the rule, or the best of a few placements where one was asked that saves.

With ``place_for`` the placement of the rule and those of the other policies for leaves are placed and cabled whole, and
compared. ``cost`` takes the fewest optical ends, then the fewest transceivers, cables and metres; there the estimated
length may decide for copper, which it may not otherwise. ``reach`` takes the shortest longest cable, then the fewest
metres. Of equals the rule's own goes first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fabricplan.cabling import Cabling, lay
from fabricplan.catalog import CableType, Catalog
from fabricplan.errors import InfeasibleError, Problem, RequirementError
from fabricplan.mating import COPPER
from fabricplan.placement import Choice, Placement, Weight, place
from fabricplan.requirement import Requirement
from fabricplan.sizing import FabricSizing
from fabricplan.topology import Topology

POLICIES = ("top-of-rack", "middle-of-row")
"""Policies for leaves beside the rule's own."""


def placed_and_laid(
    requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, catalog: Catalog
) -> tuple[Placement, Cabling]:
    """Place and cable a topology.

    Raises:
        InfeasibleError: two ends do not mate, no part reaches far enough, or the room is too small; of several
            placements, where none can be cabled.
        RequirementError: what is asked of the placement contradicts itself.
    """

    def whole(asked: Requirement) -> tuple[Placement, Cabling]:
        placement = place(asked, sizings, topology, catalog)
        return placement, lay(asked, sizings, topology, placement, catalog)

    if requirement.place_for is None:
        return whole(requirement)
    _contradicts(requirement)
    room = requirement.room
    found: list[tuple[str, Weight, Placement, Cabling]] = []
    failed: list[InfeasibleError] = []
    for leaves in ("rule", *POLICIES):
        moved = room if leaves == "rule" else room.model_copy(update={"leaves": leaves})
        try:
            placement, cabling = whole(requirement.model_copy(update={"room": moved}))
        except InfeasibleError as caught:
            failed.append(caught)
            continue
        found.append((leaves, weigh(topology, cabling, catalog), placement, cabling))
    if not found:
        raise failed[0]
    leaves, weight, placement, cabling = min(found, key=lambda item: _order(item[1], requirement.place_for == "cost"))
    try:
        plain = weigh(topology, whole(requirement.model_copy(update={"place_for": None}))[1], catalog)
    except InfeasibleError:
        plain = None
    rule = next((item[1] for item in found if item[0] == "rule"), None)
    choice = Choice(place_for=requirement.place_for, leaves=leaves, tried=len(found), weight=weight, rule=rule,
                    plain=plain)  # fmt: skip
    return placement.model_copy(update={"choice": choice}), cabling


def weigh(topology: Topology, cabling: Cabling, catalog: Catalog) -> Weight:
    """Count what a cabling takes: optical ends, transceivers, cables, metres of ordered cable, the longest way."""
    optical = np.array([
        not (part.kind == "cable" and catalog.get("cables", part.family, CableType).kind in COPPER)
        for part in cabling.cable_parts
    ], bool)  # fmt: skip
    length = np.array([part.length_mm for part in cabling.cable_parts], np.int64)
    part, cable = cabling.cables.wide("part"), cabling.links.wide("cable")
    required = cabling.cables.wide("required_mm")
    longest = int(required.max(initial=0))
    if cabling.patches is not None:
        # a patched link is as long as its cords and its trunk together
        patches = cabling.patches
        way = (required[cable[patches.wide("link")]] + required[patches.wide("trunk")]
               + required[patches.wide("upper_cord")])  # fmt: skip
        longest = max(longest, int(way.max(initial=0)))
    laid = cable[cable >= 0]
    return Weight(
        optical_ends=2 * int(optical[part[laid]].sum()) if laid.size else 0, transceivers=len(cabling.transceivers),
        cables=int(part.size), metres=int(length[part].sum()) // 1000 if part.size else 0,
        longest_mm=longest,
    )  # fmt: skip


def _order(weight: Weight, cost: bool) -> tuple[int, ...]:
    if cost:
        return weight.optical_ends, weight.transceivers, weight.cables, weight.metres
    return weight.longest_mm, weight.metres


def _contradicts(requirement: Requirement) -> None:
    """Refuse a choice among placements where there is none."""
    room = requirement.room
    for told, field, what in (
        (requirement.positions is not None, "positions", "the positions are given"),
        (room.leaves is not None, "room.leaves", f"room.leaves says {room.leaves}"),
        (room.uniform_length_mm is not None, "room.uniform_length_mm", "one uniform length is asked"),
    ):
        if told:
            raise RequirementError(Problem("place-for", f"place_for {requirement.place_for} chooses among placements, "
                                           f"but {what}", "place_for", f"leave out place_for, or {field}"))  # fmt: skip
