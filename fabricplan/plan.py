"""The Plan document: everything that was decided, in one frozen value.

It embeds the catalogue entries that it uses, so that a renderer or a later version needs nothing else. Prices
never enter it. ``dumps`` and ``loads`` are inverse; the same plan gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field, ValidationError

from fabricplan.bom import Bom
from fabricplan.cabling import Cabling
from fabricplan.catalog import (
    KINDS,
    AccessoryType,
    AdapterType,
    CableType,
    Catalog,
    Document,
    Entry,
    FibreType,
    PanelType,
    PlatformType,
    PortClass,
    Recipe,
    SwitchType,
    TransceiverType,
)
from fabricplan.errors import Problem, ReadError
from fabricplan.placement import Placement
from fabricplan.requirement import Requirement
from fabricplan.sizing import MANAGEMENT_CLASS, FabricSizing
from fabricplan.sound import key_faults, table_faults
from fabricplan.storedjson import document
from fabricplan.surveyed import route_lengths
from fabricplan.topology import Topology, device_names
from fabricplan.values import Finding, Table, Value

SCHEMA = "fabricplan/plan/1"


class MadeBy(Value):
    """What made a document: version of the program and digest of the catalogue."""

    version: str
    catalog: str


class Override(Value):
    """An entry (``kind/key``) of which a company's own catalogue changed some fields."""

    entry: str
    fields: tuple[str, ...]


class Products(Value):
    """The catalogue entries that a plan uses, and the documents they rest on.

    ``port_classes`` and ``recipes`` are those of its joints; plans of version 0.1.0 may lack them. ``overridden`` tells
    what a company's own catalogue changed.
    """

    switches: tuple[SwitchType, ...] = ()
    adapters: tuple[AdapterType, ...] = ()
    platforms: tuple[PlatformType, ...] = ()
    transceivers: tuple[TransceiverType, ...] = ()
    cables: tuple[CableType, ...] = ()
    fibres: tuple[FibreType, ...] = ()
    port_classes: tuple[PortClass, ...] = ()
    recipes: tuple[Recipe, ...] = ()
    panels: tuple[PanelType, ...] = ()
    accessories: tuple[AccessoryType, ...] = ()
    overridden: tuple[Override, ...] = ()
    sources: tuple[Document, ...] = ()

    def keys(self) -> dict[str, frozenset[str]]:
        """Return kind of the catalogue -> keys of the entries held here."""
        return {kind: frozenset(getattr(item, KINDS[kind].key) for item in entries) for kind, entries in self.entries()}

    def entries(self) -> Iterator[tuple[str, tuple[Value, ...]]]:
        """Yield kind of the catalogue and the entries held here."""
        for field in type(self).model_fields:
            kind = field.replace("_", "-")
            if kind in KINDS:
                yield kind, getattr(self, field)

    def entry(self, kind: str, key: str) -> Entry:
        """Return an entry by kind of the catalogue and key, as a line of the bill names it."""
        held = getattr(self, kind.replace("-", "_"))
        found: Entry = next(item for item in held if getattr(item, KINDS[kind].key) == key)
        return found

    def switch(self, model: str) -> SwitchType:
        """Return a switch by model."""
        return next(item for item in self.switches if item.model == model)

    def adapter(self, pn: str) -> AdapterType:
        """Return an adapter by part number."""
        return next(item for item in self.adapters if item.pn == pn)

    def platform(self, name: str) -> PlatformType:
        """Return a platform by id."""
        return next(item for item in self.platforms if item.id == name)

    def transceiver(self, key: str) -> TransceiverType:
        """Return a transceiver by key."""
        return next(item for item in self.transceivers if item.key == key)

    def cable(self, key: str) -> CableType:
        """Return a cable family by id."""
        return next(item for item in self.cables if item.id == key)

    def fibre(self, key: str) -> FibreType:
        """Return a fibre family by id."""
        return next(item for item in self.fibres if item.id == key)

    def panel(self, key: str) -> PanelType:
        """Return a patch panel by id."""
        return next(item for item in self.panels if item.id == key)


class Plan(Value):
    """A complete, orderable plan."""

    schema_: Literal["fabricplan/plan/1"] = Field(default="fabricplan/plan/1", alias="schema")
    made_by: MadeBy
    name: str
    requirement: Requirement
    fabrics: tuple[FabricSizing, ...]
    topology: Topology
    placement: Placement
    cabling: Cabling
    bom: Bom
    findings: tuple[Finding, ...]
    products: Products

    def device_names(self) -> list[str]:
        """Return the name of every device row."""
        return device_names(self.requirement, self.fabrics, self.topology.devices)

    def cables_surveyed(self) -> npt.NDArray[np.bool_]:
        """Return, for every cable, whether the lengths of all its links were surveyed."""
        if not self.requirement.lengths:
            return np.zeros(len(self.cabling.cables), bool)
        return self.cabling.cables_where(route_lengths(self, self.placement).surveyed)

    def length_words(self) -> tuple[str, dict[str, int]]:
        """Return where the lengths come from (``estimated``, ``uniform``, ``surveyed``, or ``partly`` surveyed), and
        the numbers to say it with: all cables, and those whose length was surveyed."""
        surveyed = self.cables_surveyed()
        counts = {"cables": int(surveyed.size), "surveyed": int(surveyed.sum())}
        partly = 0 < counts["surveyed"] < counts["cables"]
        return "partly" if partly else self.cabling.length_source, counts

    @property
    def nodes(self) -> int:
        """Nodes of the groups that the first fabric attaches; storage servers of a further fabric are not counted."""
        return sum(group.nodes for group in self.fabrics[0].node_groups)

    @property
    def gpus(self) -> int | None:
        """GPUs of all groups; None where a platform does not say."""
        counted = {group.group: group.gpus for fabric in self.fabrics for group in fabric.node_groups}
        known = [gpus for gpus in counted.values() if gpus is not None]
        return sum(known) if known else None


def products_of(
    catalog: Catalog, fabrics: Sequence[FabricSizing], topology: Topology, cabling: Cabling, requirement: Requirement
) -> Products:
    """Return the catalogue entries that a plan uses, each kind in order of first use."""
    groups = [group for fabric in fabrics for group in fabric.groups]
    switches = [catalog.switch(item.key) for item in topology.device_types if item.kind == "switch"]
    for fabric in fabrics:
        switches += [catalog.switch(variant.model) for variant in fabric.variants]
    adapters = [catalog.adapter(group.adapter) for group in groups if group.adapter]
    for fabric in fabrics:
        key = catalog.find("adapters", fabric.reserve_adapter) if fabric.reserve_adapter else None
        if key:
            adapters.append(catalog.adapter(key))
    platforms = [catalog.platform(group.platform) for group in groups if group.platform]
    transceivers = [catalog.transceiver(key) for key in cabling.transceiver_parts]
    cables = [catalog.cable(part.family) for part in cabling.cable_parts if part.kind == "cable"]
    fibres = [catalog.fibre(part.family) for part in cabling.cable_parts if part.kind == "fibre"]
    fibres += [catalog.fibre(run.trunk) for run in requirement.room.panels or ()]
    panels = [catalog.panel(run.panel) for run in requirement.room.panels or () if run.panel]
    managers = [catalog.find("accessories", item.manager) for item in requirement.fabrics if item.manager]
    accessories = [catalog.get("accessories", key, AccessoryType) for key in managers if key]
    recipes = list(_recipes(catalog, fabrics))
    cages = [group.port_class for switch in switches for group in switch.cages]
    cages += [group.port_class for adapter in adapters for group in adapter.cages]
    cages += [group.port_class for group in groups] + [name for recipe in recipes for name in (recipe.a, recipe.b)]
    classes = [catalog.port_class(name) for name in dict.fromkeys(cages)]
    entries = [*switches, *adapters, *platforms, *transceivers, *cables, *fibres, *panels, *accessories]
    ids = dict.fromkeys(source for entry in entries for source in entry.sources)
    products = Products(
        switches=tuple({item.model: item for item in switches}.values()),
        adapters=tuple({item.pn: item for item in adapters}.values()),
        platforms=tuple({item.id: item for item in platforms}.values()),
        transceivers=tuple({item.key: item for item in transceivers}.values()),
        cables=tuple({item.id: item for item in cables}.values()),
        fibres=tuple({item.id: item for item in fibres}.values()),
        port_classes=tuple(classes), recipes=tuple(recipes), panels=tuple({item.id: item for item in panels}.values()),
        accessories=tuple({item.pn: item for item in accessories}.values()),
        sources=tuple(catalog.get("sources", key, Document) for key in ids if catalog.has("sources", key)),
    )  # fmt: skip
    if not catalog.overridden:
        return products
    used = {f"{kind}/{key}" for kind, keys in products.keys().items() for key in keys}
    changes = [Override(entry=entry, fields=fields) for entry, fields in catalog.overridden.items() if entry in used]
    return products.model_copy(update={"overridden": tuple(changes)})


def _recipes(catalog: Catalog, fabrics: Sequence[FabricSizing]) -> Iterator[Recipe]:
    """Yield the recipes between the port classes that the links of some fabric join, in the catalogue's order."""
    pairs: set[tuple[frozenset[str], int]] = set()
    for sizing in fabrics:
        shape = sizing.shape
        tiers = [tier for tier in (shape.leaf, shape.spine, shape.core)[: shape.tiers] if tier is not None]
        down = [catalog.switch(tier.model).group(tier.down_rate) for tier in tiers]
        up = [catalog.switch(tier.model).group(tier.up_rate) for tier in tiers]
        hosts = {group.port_class for group in sizing.groups}
        key = catalog.find("adapters", sizing.reserve_adapter) if sizing.reserve_adapter else None
        if key:
            hosts |= {cage.port_class for cage in catalog.adapter(key).cages}
        if sizing.uplinks_to:
            hosts.add(MANAGEMENT_CLASS)
        pairs |= {(frozenset((name, down[0].port_class)), sizing.link_gbps) for name in hosts if down[0]}
        for below, above in zip(up, down[1:], strict=False):
            if below and above:
                pairs.add((frozenset((below.port_class, above.port_class)), sizing.uplink_gbps))
    for recipe in catalog.all("recipes", Recipe):
        if (frozenset((recipe.a, recipe.b)), recipe.link_gbps) in pairs:
            yield recipe


def dumps(plan: Plan) -> bytes:
    """Return a plan as JSON: plain, one column of a table a line, the same bytes for the same plan."""
    tables: list[str] = []

    def hold(table: Table) -> str:
        tables.append(table.json_text())
        return f"@table{len(tables) - 1}@"

    tree = _tree(plan, hold)
    text = json.dumps(tree, ensure_ascii=False, indent=1)
    # a customer's name may look like a place-holder: tables stand behind the free text, in their order
    written, _, rest = text.partition('\n "topology": ')
    written += '\n "topology": '
    for index, table in enumerate(tables):
        before, _, rest = rest.partition(f'"@table{index}@"')
        written += before + table
    return (written + rest + "\n").encode()


def _tree(plan: Plan, hold: Any) -> dict[str, Any]:
    dumped = plan.model_copy(update={
        "topology": None, "placement": None, "cabling": None,
    }).model_dump(mode="json", by_alias=True, exclude_none=True, warnings=False)  # fmt: skip
    topology, placement, cabling = plan.topology, plan.placement, plan.cabling
    parts = {
        "topology": {
            "device_types": [item.model_dump() for item in topology.device_types],
            "device_names": plan.device_names(),
            "devices": hold(topology.devices), "links": hold(topology.links),
        },
        "placement": {
            "racks": hold(placement.racks), "places": hold(placement.places),
            **({} if placement.names is None else {"names": list(placement.names)}),
            **({} if placement.row_names is None else {"row_names": list(placement.row_names)}),
            **({} if placement.choice is None else {"choice": placement.choice.model_dump(exclude_none=True)}),
        },
        "cabling": {
            "length_source": cabling.length_source,
            "cable_parts": [item.model_dump(exclude_none=True) for item in cabling.cable_parts],
            "transceiver_parts": list(cabling.transceiver_parts),
            "cables": hold(cabling.cables), "links": hold(cabling.links),
            "transceivers": hold(cabling.transceivers),
            **({} if cabling.patches is None else {"patches": hold(cabling.patches)}),
            **({} if cabling.numbers is None else {
                "numbers": hold(cabling.numbers), "final_count": cabling.final_count}),
        },
    }  # fmt: skip
    order = list(Plan.model_fields)
    order[0] = "schema"
    merged = {**dumped, **parts}
    return {name: merged[name] for name in order if name in merged}


def loads(data: bytes, name: str = "plan.json") -> Plan:
    """Return a plan from its JSON.

    Raises:
        ReadError: not JSON, not a plan, or made by a newer version of this program.
    """
    tree = document(data, SCHEMA, name)
    topology = tree.get("topology")
    if isinstance(topology, dict):
        topology.pop("device_names", None)
    try:
        plan = Plan.model_validate(tree)
    except ValidationError as caught:
        raise _broken(
            name, (f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in caught.errors())
        ) from None
    except (TypeError, ValueError, OverflowError) as caught:
        raise _broken(name, [str(caught)]) from None
    parts = (plan.topology, plan.placement, plan.cabling)
    faults = list(table_faults(plan.requirement, plan.fabrics, *parts))
    faults += key_faults(plan.requirement, plan.fabrics, plan.topology, plan.cabling, plan.bom, plan.products.keys())
    if faults:
        raise _broken(name, faults)
    return plan


def _broken(name: str, faults: Iterable[str]) -> ReadError:
    """Return the error of a file that is no sound plan, with at most the first six things that are wrong with it."""
    told = list(islice(faults, 6))
    return ReadError(*(Problem("broken-plan", fault, name, "the file was changed or cut off; make the plan anew")
                       for fault in told))  # fmt: skip


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a plan file; it tells the names of the devices as well, which are derived."""
    found = Plan.model_json_schema()
    found["$defs"]["Topology"]["properties"]["device_names"] = {
        "type": "array", "items": {"type": "string"}, "description": "name of every device row; derived, not read",
    }  # fmt: skip
    return found
