"""The values of a request: groups of nodes, fabrics, the room, spares."""

from __future__ import annotations

import itertools
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from fabricplan.errors import nearest
from fabricplan.faults import refuse
from fabricplan.mating import MediaPolicy
from fabricplan.requirement.lengths import SurveyedLength
from fabricplan.requirement.positions import Position
from fabricplan.requirement.room import RoomSettings
from fabricplan.requirement.words import (
    CUSTOMER,
    ETHERNET_RATES,
    INFINIBAND_RATES,
    Attach,
    Choose,
    Management,
    Name,
    PositiveCount,
    Rate,
    Ratio,
    Rule,
    other_rate,
)
from fabricplan.values import Value


def _listed(data: object) -> object:
    # one ratio alone is the leaf's
    return (data,) if isinstance(data, str) else data


class NodeGroup(Value):
    """Equal nodes. Either ``nodes`` or ``gpus`` is given; GPUs are rounded up to whole nodes.

    Attributes:
        name: first part of device names.
        platform: id of a catalogue platform; absent: the generic 8-GPU server of the compute rate.
        grow_to: number of nodes of the final stage; the fabric is laid out for it, and built for today.
        phases: nodes of every stage, rising; the last is the final one, and ``nodes`` (by default the first) is the one
            to build. Among equal final stages the one with the fewest switches in the early phases is taken.
        nic: ``included`` (the adapters come with the node), ``customer`` (bought by others) or a part number.
    """

    name: Name = "node"
    platform: str | None = None
    nodes: PositiveCount | None = None
    gpus: PositiveCount | None = None
    grow_to: PositiveCount | None = None
    phases: tuple[PositiveCount, ...] = ()
    nic: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _phases_count(cls, data: object) -> object:
        phases = data.get("phases") if isinstance(data, dict) else None
        if not isinstance(data, dict) or not isinstance(phases, (list, tuple)) or not phases:
            return data
        counted = {} if data.get("nodes") or data.get("gpus") else {"nodes": phases[0]}
        return {**data, **counted, "grow_to": data.get("grow_to") or phases[-1]}

    @model_validator(mode="after")
    def _phases_rise(self) -> NodeGroup:
        told = ", ".join(map(str, self.phases))
        if any(later <= sooner for sooner, later in itertools.pairwise(self.phases)):
            raise refuse(f"phases {told} do not rise", "phases")
        if self.phases and self.nodes not in self.phases:
            raise refuse(f"nodes {self.nodes} is none of the phases {told}", "nodes")
        if self.phases and self.grow_to != self.phases[-1]:
            raise refuse(f"grow_to {self.grow_to} is not the last of the phases {told}", "grow_to")
        return self

    @model_validator(mode="after")
    def _one_count(self) -> NodeGroup:
        if (self.nodes is None) == (self.gpus is None):
            raise refuse("give nodes or gpus, not both and not neither", "nodes" if self.nodes else "")
        if self.grow_to is not None and self.nodes is not None and self.grow_to < self.nodes:
            raise refuse(f"grow_to {self.grow_to} is below today's {self.nodes} nodes", "grow_to")
        return self


class Attachment(Value):
    """A group of nodes on a fabric.

    Attributes:
        group: name of the group.
        ports_per_node: how many ports of each node it takes; absent: what the node has for this network.
        nic: adapter for this fabric alone, where it is not the group's.
    """

    group: Name
    ports_per_node: Annotated[int, Field(strict=True, ge=1, le=64)] | None = None
    nic: str | None = None


class ExistingSwitch(Value):
    """Switches that are there already: so many of a model, each with so many free ports (absent: all)."""

    model: str
    quantity: PositiveCount
    ports_free: Annotated[int, Field(strict=True, ge=0, le=1024)] | None = None


class FabricRequirement(Value):
    """One fabric.

    Attributes:
        network: which ports of the nodes it takes.
        attach: ``rail`` (port k of every node of a unit lands on the leaf of rail k), ``packed`` (all ports of
            a node on one leaf) or ``spread`` (ports of a node on distinct leaves); absent: by the rule.
        oversubscription: one ratio for the leaf tier, or one per tier from the leaf upward, by bandwidth.
        planes: number of independent fabrics, or ``rail`` (each rail a fabric of its own).
        uplink_rate: rate of leaf-spine and spine-core links where it differs from the nodes' rate.
        uplinks: ``fit``: as few as carry the leaf's endpoints at the ratio; ``full``: as many as a full leaf would
            need, so that leaves may be filled later without a new uplink.
        rails_per_leaf: how many rails share a leaf; absent: by the rule.
        reserve_ports: leaf ports kept for subnet-manager hosts and others.
        reserve_adapter: adapter of the hosts on reserved ports, so that their cables can be ordered.
        manager: part number of the appliance that manages the fabric (UFM); so that it stands in the bill.
        manager_count: how many of it; absent: a pair.
        management: ``managed``, ``external`` or ``mixed:N``.
        choose: what the fabric is chosen by; ``price`` lets a price book decide between the rules (``byprice``).
        price_favours: the rule that a price book decided for; it stands in finished plans, prices do not.
        direct_pair: two leaves joined with each other, without spines; only when asked.
        min_spines: fewest spines of a multi-tier fabric (two survive a failure).
        airflow: P2C or C2P where the switch comes in both.
        switches_of: fabrics whose switch boxes take a port each for their management; absent: on the out-of-band
            network all other fabrics.
        uplinks_to: fabric whose leaves take the uplinks of this one, which then has no spines; ``customer`` for the
            customer's own network; absent: on the out-of-band network the in-band fabric, else ``customer``.
        uplinks_per_leaf: uplinks of a leaf of such a fabric, to distinct leaves above.
        existing: switches that are reused: kept in the counts, not bought.
        extra_ports: further ports of an out-of-band network: power distribution, adapters with a port of their own,
            management hosts.
    """

    name: Name = "compute"
    network: Literal["compute", "storage", "inband", "oob"] = "compute"
    technology: Literal["infiniband", "roce", "ethernet"] = "infiniband"
    rate: Rate
    attached: tuple[Attachment, ...] = ()
    attach: Attach | None = None
    oversubscription: Annotated[tuple[Ratio, ...], Field(min_length=1), BeforeValidator(_listed)] = ("1:1",)
    planes: Annotated[int, Field(strict=True, ge=1, le=16)] | Literal["rail"] = 1
    tiers: Literal[1, 2, 3] | None = None
    leaf: str | None = None
    spine: str | None = None
    core: str | None = None
    uplink_rate: Rate | None = None
    uplinks: Literal["fit", "full"] = "fit"
    rails_per_leaf: Annotated[int, Field(strict=True, ge=1, le=64)] | None = None
    nodes_per_unit: PositiveCount | None = None
    reserve_ports: Annotated[int, Field(strict=True, ge=0, le=10_000)] = 0
    reserve_adapter: str | None = None
    manager: str | None = None
    manager_count: Annotated[int, Field(strict=True, ge=1, le=64)] | None = None
    management: Management = "managed"
    direct_pair: bool = False
    min_spines: Annotated[int, Field(strict=True, ge=1, le=512)] = 2
    airflow: Literal["P2C", "C2P"] | None = None
    media: MediaPolicy = "auto"
    choose: Choose = "switches"
    price_favours: Rule | None = None
    switches_of: tuple[Name, ...] | None = None
    uplinks_to: Name | None = None
    uplinks_per_leaf: Annotated[int, Field(strict=True, ge=1, le=8)] = 2
    extra_ports: Annotated[int, Field(strict=True, ge=0, le=100_000)] = 0
    existing: tuple[ExistingSwitch, ...] = ()

    @property
    def rule(self) -> Rule | None:
        """What the fabric is chosen by; None where a price book must decide and has not."""
        return self.price_favours if self.choose == "price" else self.choose

    @model_validator(mode="after")
    def _rate_fits(self) -> FabricRequirement:
        known = INFINIBAND_RATES if self.technology == "infiniband" else ETHERNET_RATES
        for field in ("rate", "uplink_rate"):
            rate = getattr(self, field)
            if rate is not None and rate not in known:
                raise refuse(f"'{rate}' is no {self.technology} rate", field, other_rate(rate, known))
        if self.price_favours is not None and self.choose != "price":
            raise refuse("price_favours belongs to choose: price", "price_favours", "say choose: " + self.price_favours)
        if len(self.oversubscription) > 2:
            raise refuse("at most two ratios: leaf and spine", "oversubscription")
        if self.manager is not None and self.technology != "infiniband":
            raise refuse("a subnet manager belongs to an InfiniBand fabric", "manager")
        if self.manager_count is not None and self.manager is None:
            raise refuse("manager_count counts a manager, and none is named", "manager_count", "manager: PART-NUMBER")
        if self.direct_pair and (self.tiers not in (None, 1) or self.planes != 1 or self.network == "oob"):
            raise refuse("direct_pair is one plane of two leaves: it takes no tiers, planes or out-of-band network",
                         "direct_pair")  # fmt: skip
        if self.network != "oob":
            for field in ("switches_of", "uplinks_to", "extra_ports"):
                if getattr(self, field):
                    raise refuse(f"{field} belongs to an out-of-band fabric", field, "network: oob")
        elif self.technology == "infiniband":
            raise refuse("the technology of an out-of-band network is ethernet", "technology")
        elif self.reserve_ports:
            raise refuse(
                "reserve_ports keeps ports for subnet managers", "reserve_ports", "out of band say extra_ports"
            )
        return self


class SparesPolicy(Value):
    """Spare parts, in percent of the quantity, rounded up; ``minimum`` pieces where more than eight are used.

    Switches and adapters have none by default.
    """

    copper_percent: Annotated[int, Field(strict=True, ge=0, le=100)] = 0
    aoc_percent: Annotated[int, Field(strict=True, ge=0, le=100)] = 0
    transceiver_percent: Annotated[int, Field(strict=True, ge=0, le=100)] = 0
    fibre_percent: Annotated[int, Field(strict=True, ge=0, le=100)] = 0
    switch_percent: Annotated[int, Field(strict=True, ge=0, le=100)] = 0
    adapter_percent: Annotated[int, Field(strict=True, ge=0, le=100)] = 0
    minimum: Annotated[int, Field(strict=True, ge=0, le=100)] = 0


FIELD_SPARES = SparesPolicy(copper_percent=2, aoc_percent=3, transceiver_percent=3, fibre_percent=2, minimum=1)
"""``--spares field``: our choice; no maker publishes a general percentage."""


def _or_a_path(schema: dict[str, Any]) -> None:
    """Let the schema of a request file take a path too: whoever reads the file reads the rows."""
    schema["anyOf"].append({"type": "string", "description": "path of an XLSX or CSV file, from the request's folder"})


class Requirement(Value):
    """The whole request.

    Attributes:
        positions: where every device stands; absent: the room is filled by rule.
        lengths: surveyed lengths, which override the estimates of the room.
        place_for: ``cost``: of a few placements the one with the fewest optical ends, where the estimated length may
            decide for copper; ``reach``: the one with the shortest longest cable. Absent: the placement of the rule.
        merge_below: lengths of which fewer pieces than this are laid are ordered in the next longer one of their
            family; absent: every length as it is. 4 is a usual number.
    """

    name: Annotated[str, Field(min_length=1, max_length=80)] = "fabric"
    groups: Annotated[tuple[NodeGroup, ...], Field(min_length=1)]
    fabrics: Annotated[tuple[FabricRequirement, ...], Field(min_length=1)]
    room: RoomSettings = RoomSettings()
    spares: SparesPolicy = SparesPolicy()
    positions: Annotated[tuple[Position, ...] | None, Field(json_schema_extra=_or_a_path)] = None
    lengths: Annotated[tuple[SurveyedLength, ...] | None, Field(json_schema_extra=_or_a_path)] = None
    place_for: Literal["cost", "reach"] | None = None
    merge_below: Annotated[int, Field(strict=True, ge=2, le=1000)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _positions_are_read(cls, data: object) -> object:
        if isinstance(data, dict) and isinstance(data.get("positions"), str):
            raise refuse("positions are a path only in a request file", "positions",
                         "read them first: fabricplan.files.load_positions(path)")  # fmt: skip
        return data

    @model_validator(mode="after")
    def _names_resolve(self) -> Requirement:
        groups = [group.name for group in self.groups]
        fabrics = [fabric.name for fabric in self.fabrics]
        for what, names in (("group", groups), ("fabric", fabrics)):
            for name in names:
                if names.count(name) > 1:
                    raise refuse(f"two {what}s are called '{name}'", f"{what}s")
        for number, fabric in enumerate(self.fabrics):
            for place, attachment in enumerate(fabric.attached):
                if attachment.group not in groups:
                    raise refuse(f"fabric '{fabric.name}' attaches '{attachment.group}', which is no group",
                                 f"fabrics[{number}].attached[{place}].group",
                                 nearest(attachment.group, groups))  # fmt: skip
            twice = [item.group for item in fabric.attached if [x.group for x in fabric.attached].count(item.group) > 1]
            if twice:
                raise refuse(f"fabric '{fabric.name}' attaches '{twice[0]}' twice",
                             f"fabrics[{number}].attached", "add up its ports_per_node")  # fmt: skip
            others = [name for name in fabrics if name != fabric.name]
            for field, named in (("switches_of", fabric.switches_of or ()), ("uplinks_to", self.uplinks_to(fabric))):
                for name in [named] if isinstance(named, str) else named:
                    if name and name not in others and (field, name) != ("uplinks_to", CUSTOMER):
                        raise refuse(f"{field} of fabric '{fabric.name}' names '{name}', which is no other fabric",
                                     f"fabrics[{number}].{field}")  # fmt: skip
            target = next((item for item in self.fabrics if item.name == self.uplinks_to(fabric)), None)
            if target is not None and target.network == "oob":
                raise refuse(f"uplinks_to of fabric '{fabric.name}' names an out-of-band fabric",
                             f"fabrics[{number}].uplinks_to")  # fmt: skip
        for number, run in enumerate(self.room.panels or ()):
            for name in run.fabrics or ():
                if name not in fabrics:
                    raise refuse(f"the panels of {run.name} take links of '{name}', which is no fabric",
                                 f"room.panels[{number}].fabrics", nearest(name, fabrics))  # fmt: skip
        self._ports_are_taken_once()
        return self

    def _ports_are_taken_once(self) -> None:
        """Refuse a group that no fabric attaches, and two fabrics that take the same ports."""
        taken: dict[tuple[str, str], str] = {}
        for fabric in self.fabrics:
            for attachment in self.attachments(fabric):
                other = taken.setdefault((attachment.group, fabric.network), fabric.name)
                if other != fabric.name:
                    raise refuse(f"fabrics '{other}' and '{fabric.name}' both take the {fabric.network} ports of "
                                 f"'{attachment.group}'", "fabrics",
                                 "name another network for one of them")  # fmt: skip
        attached = {group for group, _ in taken}
        for group in self.groups:
            if group.name not in attached:
                raise refuse(f"group '{group.name}' is attached to no fabric", "groups",
                             "name it under attached of one")  # fmt: skip

    def group(self, name: str) -> NodeGroup:
        """Return a group by name."""
        return next(group for group in self.groups if group.name == name)

    def attachments(self, fabric: FabricRequirement) -> tuple[Attachment, ...]:
        """Return the groups that a fabric attaches; by default the first, on an out-of-band network all."""
        groups = self.groups if fabric.network == "oob" else self.groups[:1]
        return fabric.attached or tuple(Attachment(group=group.name) for group in groups)

    def managed_fabrics(self, fabric: FabricRequirement) -> tuple[str, ...]:
        """Return the fabrics whose switch boxes take a management port on this one."""
        if fabric.network != "oob":
            return ()
        if fabric.switches_of is not None:
            return fabric.switches_of
        return tuple(other.name for other in self.fabrics if other.network != "oob")

    def uplinks_to(self, fabric: FabricRequirement) -> str:
        """Return the fabric that takes the uplinks of an out-of-band network, ``customer``, or nothing."""
        if fabric.network != "oob":
            return ""
        inband = [other.name for other in self.fabrics if other.network == "inband"]
        return fabric.uplinks_to or (inband[0] if inband else CUSTOMER)


def without_cells(requirement: Requirement) -> Requirement:
    """Return the request as a plan keeps it: what positions say, not where in a file they stood."""
    if requirement.positions is None:
        return requirement
    plain = tuple(position.model_copy(update={"cells": None}) for position in requirement.positions)
    return requirement.model_copy(update={"positions": plain})
