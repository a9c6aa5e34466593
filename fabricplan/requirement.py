"""The request: what the customer wants, before anything is decided.

A :class:`Requirement` names groups of nodes and one or more fabrics. Nothing here knows products; words such
as models and platforms are resolved against the catalogue when the fabric is sized.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, model_validator

from fabricplan.errors import Problem, RequirementError, nearest
from fabricplan.mating import MediaPolicy
from fabricplan.values import Value

InfinibandRate = Literal["edr", "hdr100", "hdr", "ndr200", "ndr", "xdr"]
INFINIBAND_RATES: tuple[str, ...] = ("edr", "hdr100", "hdr", "ndr200", "ndr", "xdr")
ETHERNET_RATES: tuple[str, ...] = (
    "1gbe", "10gbe", "25gbe", "50gbe", "100gbe", "200gbe", "400gbe", "800gbe",
)  # fmt: skip
RATE_GBPS: Mapping[str, int] = {
    "edr": 100, "hdr100": 100, "hdr": 200, "ndr200": 200, "ndr": 400, "xdr": 800,
    **{rate: int(rate.removesuffix("gbe")) for rate in ETHERNET_RATES},
}  # fmt: skip
CUSTOMER = "customer"
"""In place of a fabric's name: a network of the customer that this plan does not hold."""
COUNT_MAX = 4_000_000
"""Counts above this are refused as slips of the finger: no fabric of today's switches holds as many."""

Attach = Literal["rail", "packed", "spread"]
Choose = Literal["switches", "optics", "cables"]


def _ratio(text: str) -> str:
    match = re.fullmatch(r"\s*([1-9][0-9]{0,3})\s*:\s*([1-9][0-9]{0,3})\s*", text)
    if not match:
        raise ValueError("a ratio is written down:up with whole numbers from 1, such as 2:1")
    down, up = int(match[1]), int(match[2])
    if down < up:
        raise ValueError(f"{down}:{up} gives more uplink than downlink; the most that helps is 1:1")
    if down > 64 * up:
        raise ValueError(f"{down}:{up} is beyond 64:1")
    return f"{down}:{up}"


def _management(text: str) -> str:
    if text in ("managed", "external") or re.fullmatch(r"mixed:[1-9][0-9]{0,4}", text):
        return text
    raise ValueError("one of managed, external, mixed:N (N internally managed switches)")


def _rate(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value}gbe"
    if isinstance(value, str):
        text = value.strip().casefold()
        if re.fullmatch(r"[0-9]+", text):
            return f"{text}gbe"
        return re.sub(r"^([0-9]+)(g|gb|gbit|ge)$", r"\1gbe", text)
    return value


Ratio = Annotated[str, AfterValidator(_ratio)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,30}$")]
Rate = Annotated[str, BeforeValidator(_rate)]
PositiveCount = Annotated[int, Field(strict=True, ge=1, le=COUNT_MAX)]


def ratio_parts(ratio: str) -> tuple[int, int]:
    """Split a checked ratio into its two numbers.

    >>> ratio_parts("2:1")
    (2, 1)
    """
    down, up = ratio.split(":")
    return int(down), int(up)


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
            raise ValueError(f"phases {told} do not rise")
        if self.phases and self.nodes not in self.phases:
            raise ValueError(f"nodes {self.nodes} is none of the phases {told}")
        if self.phases and self.grow_to != self.phases[-1]:
            raise ValueError(f"grow_to {self.grow_to} is not the last of the phases {told}")
        return self

    @model_validator(mode="after")
    def _one_count(self) -> NodeGroup:
        if (self.nodes is None) == (self.gpus is None):
            raise ValueError("give nodes or gpus, not both and not neither")
        if self.grow_to is not None and self.nodes is not None and self.grow_to < self.nodes:
            raise ValueError(f"grow_to {self.grow_to} is below today's {self.nodes} nodes")
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
        management: ``managed``, ``external`` or ``mixed:N``.
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
    oversubscription: tuple[Ratio, ...] = ("1:1",)
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
    management: Annotated[str, AfterValidator(_management)] = "managed"
    direct_pair: bool = False
    min_spines: Annotated[int, Field(strict=True, ge=1, le=512)] = 2
    airflow: Literal["P2C", "C2P"] | None = None
    media: MediaPolicy = "auto"
    choose: Choose = "switches"
    switches_of: tuple[Name, ...] | None = None
    uplinks_to: Name | None = None
    uplinks_per_leaf: Annotated[int, Field(strict=True, ge=1, le=8)] = 2
    extra_ports: Annotated[int, Field(strict=True, ge=0, le=100_000)] = 0
    existing: tuple[ExistingSwitch, ...] = ()

    @model_validator(mode="after")
    def _rate_fits(self) -> FabricRequirement:
        known = INFINIBAND_RATES if self.technology == "infiniband" else ETHERNET_RATES
        for field in ("rate", "uplink_rate"):
            rate = getattr(self, field)
            if rate is not None and rate not in known:
                raise ValueError(f"{field} '{rate}' is no {self.technology} rate; known: {', '.join(known)}")
        if len(self.oversubscription) > 2:
            raise ValueError("at most two ratios: leaf and spine")
        if self.direct_pair and (self.tiers not in (None, 1) or self.planes != 1 or self.network == "oob"):
            raise ValueError("direct_pair is one plane of two leaves: it takes no tiers, planes or out-of-band network")
        if self.network != "oob":
            for field in ("switches_of", "uplinks_to", "extra_ports"):
                if getattr(self, field):
                    raise ValueError(f"{field} belongs to an out-of-band fabric (network: oob)")
        elif self.technology == "infiniband":
            raise ValueError("technology of an out-of-band network is ethernet")
        elif self.reserve_ports:
            raise ValueError("reserve_ports keeps ports for subnet managers; out of band say extra_ports")
        return self


class RoomSettings(Value):
    """The default room, as settings. All lengths in millimetres.

    The length of a cable between racks is (see ``fabricplan.placement``) the two vertical runs to the tray,
    the tray run, and at each end ``end_mm`` into the device; then ``slack_percent`` and ``slack_mm`` are added.
    The constants are a choice, calibrated against published in-rack and multi-rack tables. Without
    ``racks_per_row`` rows hold 20 racks, and more where that makes the room about square.
    """

    nodes_per_rack: Annotated[int, Field(strict=True, ge=1, le=48)] | None = None
    racks_per_row: Annotated[int, Field(strict=True, ge=1, le=400)] | None = None
    rack_units: Annotated[int, Field(strict=True, ge=10, le=60)] = 42
    rack_pitch_mm: Annotated[int, Field(strict=True, ge=400, le=2000)] = 600
    row_pitch_mm: Annotated[int, Field(strict=True, ge=1000, le=10_000)] = 2400
    tray_height_mm: Annotated[int, Field(strict=True, ge=1000, le=8000)] = 2300
    end_mm: Annotated[int, Field(strict=True, ge=0, le=5000)] = 500
    slack_percent: Annotated[int, Field(strict=True, ge=0, le=100)] = 10
    slack_mm: Annotated[int, Field(strict=True, ge=0, le=10_000)] = 300
    uniform_length_mm: Annotated[int, Field(strict=True, ge=100, le=10_000_000)] | None = None
    surveyed: bool = False


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


class Requirement(Value):
    """The whole request."""

    name: Annotated[str, Field(min_length=1, max_length=80)] = "fabric"
    groups: Annotated[tuple[NodeGroup, ...], Field(min_length=1)]
    fabrics: Annotated[tuple[FabricRequirement, ...], Field(min_length=1)]
    room: RoomSettings = RoomSettings()
    spares: SparesPolicy = SparesPolicy()

    @model_validator(mode="after")
    def _names_resolve(self) -> Requirement:
        groups = [group.name for group in self.groups]
        fabrics = [fabric.name for fabric in self.fabrics]
        for what, names in (("group", groups), ("fabric", fabrics)):
            for name in names:
                if names.count(name) > 1:
                    raise ValueError(f"two {what}s are called '{name}'")
        for fabric in self.fabrics:
            for attachment in fabric.attached:
                if attachment.group not in groups:
                    raise ValueError(f"fabric '{fabric.name}' attaches '{attachment.group}', which is no group")
            twice = [item.group for item in fabric.attached if [x.group for x in fabric.attached].count(item.group) > 1]
            if twice:
                raise ValueError(f"fabric '{fabric.name}' attaches '{twice[0]}' twice; add up its ports_per_node")
            others = [name for name in fabrics if name != fabric.name]
            for field, named in (("switches_of", fabric.switches_of or ()), ("uplinks_to", self.uplinks_to(fabric))):
                for name in [named] if isinstance(named, str) else named:
                    if name and name not in others and (field, name) != ("uplinks_to", CUSTOMER):
                        raise ValueError(f"{field} of fabric '{fabric.name}' names '{name}', which is no other fabric")
            target = next((item for item in self.fabrics if item.name == self.uplinks_to(fabric)), None)
            if target is not None and target.network == "oob":
                raise ValueError(f"uplinks_to of fabric '{fabric.name}' names an out-of-band fabric")
        self._ports_are_taken_once()
        return self

    def _ports_are_taken_once(self) -> None:
        """Refuse a group that no fabric attaches, and two fabrics that take the same ports."""
        taken: dict[tuple[str, str], str] = {}
        for fabric in self.fabrics:
            for attachment in self.attachments(fabric):
                other = taken.setdefault((attachment.group, fabric.network), fabric.name)
                if other != fabric.name:
                    raise ValueError(
                        f"fabrics '{other}' and '{fabric.name}' both take the {fabric.network} ports of "
                        f"'{attachment.group}'; name another network for one of them"
                    )
        attached = {group for group, _ in taken}
        for group in self.groups:
            if group.name not in attached:
                raise ValueError(f"group '{group.name}' is attached to no fabric; name it under attached of one")

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


_ALIASES = {"spares": {"none": SparesPolicy(), "field": FIELD_SPARES}}


def parse_requirement(data: Mapping[str, Any], where: Mapping[str, str] | None = None) -> Requirement:
    """Return a request from plain data (as read from YAML or JSON).

    Args:
        data: the plain data. ``spares`` may be a word (``none``, ``field``) or percentages.
        where: JSON path -> place in the file, for error places; absent: the JSON path itself.

    Raises:
        RequirementError: with one problem per wrong field.
    """
    if not isinstance(data, Mapping):
        raise RequirementError(Problem("requirement-form", "a request is a mapping of fields", "",
                                       "see examples/"))  # fmt: skip
    plain = dict(data)
    word = plain.get("spares")
    if isinstance(word, str):
        known = _ALIASES["spares"]
        if word not in known:
            raise RequirementError(Problem("requirement-field", f"'{word}' is no spares policy", "spares",
                                           f"known: {', '.join(known)}, or percentages"))  # fmt: skip
        plain["spares"] = known[word]
    try:
        return Requirement.model_validate(plain)
    except ValidationError as caught:
        problems = []
        faults = caught.errors()
        for fault in faults:
            path = json_path(fault["loc"])
            if fault["type"] == "too_short" and any(json_path(other["loc"]).startswith(f"{path}[") for other in faults):
                continue  # a list is short only because a row of it is wrong, which is told by itself
            problems.append(Problem("requirement-field", _message(fault), (where or {}).get(path, path),
                                    _field_hint(fault)))  # fmt: skip
        raise RequirementError(*dict.fromkeys(problems)) from None


def json_path(steps: tuple[str | int, ...]) -> str:
    """Return a path such as ``fabrics[0].rate``.

    >>> json_path(("fabrics", 0, "rate"))
    'fabrics[0].rate'
    """
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step not in ("int", "constrained-int") and not step.startswith(("literal[", "function-")):
            text += f".{step}" if text else step
    return text


def _message(fault: Any) -> str:
    kind, given = fault["type"], fault.get("input")
    if kind == "extra_forbidden":
        return "no such field"
    if kind == "missing":
        return "this field is needed"
    text = str(fault["msg"]).removeprefix("Value error, ").replace("Input should be", "must be")
    shown = f" (given: {given!r})" if isinstance(given, (str, int, float)) else ""
    return text[:1].lower() + text[1:] + shown


def _field_hint(fault: Any) -> str:
    if fault["type"] != "extra_forbidden":
        return ""
    steps = [step for step in fault["loc"][:-1] if isinstance(step, str)]
    owners: dict[str, type[Value]] = {
        "groups": NodeGroup, "fabrics": FabricRequirement, "room": RoomSettings, "spares": SparesPolicy,
        "attached": Attachment, "existing": ExistingSwitch,
    }  # fmt: skip
    owner = owners.get(steps[-1] if steps else "", Requirement)
    return nearest(str(fault["loc"][-1]), owner.model_fields)
