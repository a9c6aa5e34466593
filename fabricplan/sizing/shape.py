"""What sizing decides: the shape of one fabric in closed form, and the candidates that fell.

::

    core group g:   core-g1-1 .. core-g1-c          c cores per group
                       |  links_per_core_pair
    pod p:          spine 1 .. spine s              s spines per pod (the whole fabric in two tiers)
                       |  links_per_pair
    unit su:        leaf r0 .. leaf r7              one leaf per rail group
                       |  one link per node and rail
                    node 1 .. node n                n nodes per scalable unit

Everything of a million-port fabric is a handful of integers here; ``topology`` enumerates links from them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Annotated, Literal

from pydantic import AfterValidator, NonNegativeInt, PositiveInt

from fabricplan.faults import refuse
from fabricplan.requirement import RATE_GBPS, Attach
from fabricplan.requirement.words import Management
from fabricplan.values import Finding, Param, Value

TECHNOLOGIES = ("infiniband", "roce", "ethernet")
NETWORKS = ("compute", "storage", "inband", "oob")


def _ratio(text: str) -> str:
    # what was sized, unlike what can be asked, may be any two numbers
    if not re.fullmatch(r"[1-9][0-9]{0,6}:[1-9][0-9]{0,6}", text):
        raise refuse(f"'{text}' is no ratio down:up")
    return text


def _one_of(known: Collection[str]) -> AfterValidator:
    """Return a check of a word against those that there are: a plan may have been changed by hand."""

    def check(text: str) -> str:
        if text not in known:
            raise refuse(f"'{text}' is none of: {', '.join(filter(None, known))}")
        return text

    return AfterValidator(check)


SizedRatio = Annotated[str, AfterValidator(_ratio)]
SizedRate = Annotated[str, _one_of(RATE_GBPS)]


class TierPorts(Value):
    """How one tier's switch is used: which cages look down, which look up, and how many links each carries.

    Port numbers of a link are counted from 1 in the finest split of the profile (``numbers_per_cage`` per
    cage): that is the InfiniBand port number. A cage with ``k`` links uses every ``numbers_per_cage / k``-th
    number. A director has ``module_cages`` on each leaf module, and ``spine_modules``.
    """

    model: str
    cage_count: PositiveInt
    numbers_per_cage: PositiveInt
    down_per_cage: PositiveInt
    up_per_cage: int
    down_first_cage: int = 1
    up_first_cage: int
    down_rate: SizedRate
    up_rate: SizedRate
    down_gbps: PositiveInt
    up_gbps: PositiveInt
    split: bool = False
    module_cages: PositiveInt | None = None
    spine_modules: PositiveInt | None = None

    @property
    def radix(self) -> int:
        """Ports of one switch if all cages ran at the uplink rate."""
        return self.cage_count * self.up_per_cage

    @property
    def down_capacity(self) -> int:
        """Ports below the first uplink cage, at the downlink rate."""
        return (self.up_first_cage - self.down_first_cage) * self.down_per_cage


class UnitRun(Value):
    """``unit_count`` scalable units in a row, each with ``nodes_each`` nodes of one group (0: a group
    that shares the units of others may have no node in some)."""

    group: str
    unit_count: PositiveInt
    nodes_each: NonNegativeInt


class NodePort(Value):
    """Where one port of a node lands: plane (from 1), leaf within its unit (from 0), position among the rails
    that share that leaf (from 0), and the rail it serves."""

    plane: int
    leaf: int
    position: int
    rail: int


class GroupPorts(Value):
    """How the nodes of a group attach, or the switch boxes of other fabrics.

    Attributes:
        kind: ``nodes`` of a group of the request; ``boxes``: the management ports of other fabrics' switch boxes;
            ``uplinks``: the leaves of an out-of-band fabric, whose uplinks end here.
        of: the fabrics whose switches these are.
        grows: more of them come in later stages; the first ``day_one`` of them stand from the first day.
        built: (first, count) of the members that stand today, in the order of the final stage; empty: the first
            ``nodes`` of them.
        ports: every used port of a node, in cage order.
        ports_per_node: endpoints per node and plane.
        rails_per_leaf: how many of them land on one leaf.
        leaves_per_unit: leaves of one unit, per plane.
        ports_per_cage: logical ports of one host cage at the fabric's rate.
        adapter: part number of the card that brings the ports, where cards bring them.
    """

    group: str
    kind: Literal["nodes", "boxes", "uplinks"] = "nodes"
    of: tuple[str, ...] = ()
    grows: bool = False
    day_one: NonNegativeInt = 0
    built: tuple[tuple[int, int], ...] = ()
    platform: str = ""
    nodes: PositiveInt
    nodes_final: PositiveInt
    gpus: int | None = None
    ports: tuple[NodePort, ...]
    ports_per_node: PositiveInt
    rails_per_leaf: PositiveInt
    leaves_per_unit: PositiveInt
    port_class: str
    ports_per_cage: PositiveInt
    adapter: str | None = None
    adapters_per_node: int = 0
    adapter_bought: bool = False


class Shape(Value):
    """Counts of one plane. The final stage, and what stands today where a fabric grows.

    In a ``pooled`` fabric all groups share all units, else each unit belongs to one group; ``manager_leaves`` stand
    behind all units and hold reserved ports alone; ``reserved_leaves`` are the first leaves of an out-of-band fabric
    that grows, which hold all its further ports.
    """

    tiers: Literal[1, 2, 3]
    leaf: TierPorts
    spine: TierPorts | None = None
    core: TierPorts | None = None
    units: tuple[UnitRun, ...]
    pooled: bool = False
    manager_leaves: NonNegativeInt = 0
    reserved_leaves: NonNegativeInt = 0
    leaf_count: NonNegativeInt
    hosts_per_leaf: NonNegativeInt
    uplinks: NonNegativeInt = 0
    spine_count: NonNegativeInt = 0
    links_per_pair: NonNegativeInt = 0
    pod_count: NonNegativeInt = 1
    pod_kind: Literal["whole", "units", "rails"] = "whole"
    units_per_pod: NonNegativeInt = 0
    leaves_per_pod: NonNegativeInt = 0
    spine_uplinks: NonNegativeInt = 0
    spines_per_group: NonNegativeInt = 1
    group_count: NonNegativeInt = 0
    cores_per_group: NonNegativeInt = 0
    core_count: NonNegativeInt = 0
    links_per_core_pair: NonNegativeInt = 0
    units_today: NonNegativeInt
    leaves_today: NonNegativeInt
    spines_today: NonNegativeInt
    cores_today: NonNegativeInt
    pods_today: NonNegativeInt = 1

    @property
    def direct_pair(self) -> bool:
        """Two leaves joined by ``uplinks`` links; ``spine`` then tells how the second leaf's ports are used."""
        return self.tiers == 1 and self.uplinks > 0

    @property
    def switch_count(self) -> int:
        """Switches of today's stage in this plane."""
        return self.leaves_today + self.spines_today + self.cores_today

    @property
    def spines_per_pod(self) -> int:
        """Spines of one pod (all of them in two tiers)."""
        return self.spine_count // self.pod_count if self.pod_count else 0


class Candidate(Value):
    """One alternative that was weighed, with its counts over all planes and why it was chosen or fell.

    ``option`` is the code of what was tried, ``count`` its number (12 spines); ``wording.label`` names it.
    """

    option: str
    count: int | None = None
    tiers: int
    leaf_count: int
    spine_count: int
    core_count: int
    uplinks: int = 0
    links_per_pair: int = 0
    optical_end_count: int = 0
    cable_count: int = 0
    chosen: bool = False
    reason: str
    params: tuple[Param, ...] = ()

    @property
    def switch_count(self) -> int:
        """Switches over all tiers."""
        return self.leaf_count + self.spine_count + self.core_count


class ModelVariant(Value):
    """The orderable form (part number) that is taken of a switch model."""

    model: str
    pn: str


class Reuse(Value):
    """Boxes of a model that exist already and serve a tier (1 leaf, 2 spine, 3 core)."""

    model: str
    tier: int
    quantity: int


class FabricSizing(Value):
    """The sized fabric: its shape, its totals over all planes, and the reasons.

    ``uplinks_to`` and ``uplinks_per_leaf`` are of an out-of-band fabric: who takes the uplinks of its leaves.
    ``oversubscription`` is the worst ratio of the leaf tier by bandwidth, down over up, in lowest terms;
    ``oversubscription_spine`` that of the spine tier (three tiers only). ``bisection_gbps`` is one direction
    across the narrowest half cut, over all planes.
    """

    name: str
    network: Annotated[str, _one_of(NETWORKS)]
    technology: Annotated[str, _one_of(TECHNOLOGIES)]
    rate: SizedRate
    link_gbps: PositiveInt
    uplink_rate: SizedRate
    uplink_gbps: PositiveInt
    attach: Attach
    planes: PositiveInt
    rail_planes: bool = False
    groups: tuple[GroupPorts, ...]
    shape: Shape
    reserve_ports: int = 0
    reserve_adapter: str | None = None
    uplinks_to: str = ""
    uplinks_per_leaf: int = 0
    management: Management = "managed"
    managed_tier: Annotated[str, _one_of(("", "leaf", "spine", "core"))] = ""
    managed_per_plane: tuple[int, ...] = ()
    managed_model: str | None = None
    variants: tuple[ModelVariant, ...] = ()
    reused: tuple[Reuse, ...] = ()
    oversubscription: SizedRatio
    oversubscription_spine: SizedRatio = "1:1"
    endpoints: int
    leaf_count: int
    spine_count: int
    core_count: int
    box_count: int
    node_leaf_links: int
    leaf_spine_links: int
    spine_core_links: int
    bisection_gbps: int
    candidates: tuple[Candidate, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def node_groups(self) -> tuple[GroupPorts, ...]:
        """The groups of nodes, without switches that are endpoints here."""
        return tuple(group for group in self.groups if group.kind == "nodes")

    def pn_of(self, model: str) -> str:
        """Return the part number that this fabric takes of a switch model; empty where it takes none."""
        return next((variant.pn for variant in self.variants if variant.model == model), "")

    @property
    def switch_count(self) -> int:
        """Switches over all tiers and planes."""
        return self.leaf_count + self.spine_count + self.core_count
