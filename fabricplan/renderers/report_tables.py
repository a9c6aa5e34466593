"""Tables of the report: rows of finished cells, read from the plan; the template only sets them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fabricplan.bom import BomUse
from fabricplan.placement import NETWORK_RACK, NODE_RACK
from fabricplan.plan import Plan
from fabricplan.renderers.diagram_words import Words
from fabricplan.schedule import bill_rows
from fabricplan.sizing import FabricSizing
from fabricplan.summary import domain_lines, part_description
from fabricplan.topology import NODE, NODE_LEAF, RESERVED, ROLES, SWITCH, tier_ports
from fabricplan.wording import label, reason
from fabricplan.wording import power as power_words


class Head(NamedTuple):
    """A column's heading, and how its cells are set: ``n`` numbers (right), ``s`` short words (unbroken)."""

    text: str
    style: str = ""


class Grid(NamedTuple):
    """A table; ``strong`` are the numbers of rows to set off."""

    heads: tuple[Head, ...]
    rows: tuple[tuple[str, ...], ...]
    strong: tuple[int, ...] = ()


class Tables:
    """Builds the tables of one plan; lives inside one call of ``report_html.render``."""

    def __init__(self, plan: Plan, words: Words) -> None:
        self.plan, self.words = plan, words

    def fabrics(self) -> Grid:
        """One row per fabric: what it is, how large, how wide."""
        rows = [
            (self.words.fabric(sizing), self.words.rate(sizing), self.words.tiers(sizing), self.words.ratio(sizing),
             f"{sizing.endpoints:,}", self._switch_count(sizing), bandwidth(sizing.bisection_gbps))
            for sizing in self.plan.fabrics
        ]  # fmt: skip
        return Grid(self._heads("fabric", "rate", "structure", "oversubscription", "+endpoints", "+switches-head",
                                "+bisection"), tuple(rows))  # fmt: skip

    def totals(self) -> list[tuple[str, str]]:
        """Totals of the whole plan, as name and number; none of what is not ordered (adapters within nodes)."""
        bom, say = self.plan.bom, self.words.say
        found = {
            "gpus-head": self.plan.gpus or 0,
            "nodes-head": self.plan.nodes,
            "switches-head": sum(sizing.switch_count for sizing in self.plan.fabrics),
            "adapters-head": bom.count("adapter"),
            "transceivers-head": bom.count("transceiver"),
            "cables-head": bom.count("cable") + bom.count("fibre"),
        }
        return [(say(key), f"{count:,}") for key, count in found.items() if count]

    def candidates(self, sizing: FabricSizing) -> Grid:
        """What was weighed, chosen first."""
        lang, rows = self.words.lang, []
        for row in sizing.candidates:
            counts = [f"{count:,}" if row.switch_count else "-"
                      for count in (row.leaf_count, row.spine_count, row.core_count, row.switch_count)]  # fmt: skip
            verdict = self.words.say("chosen" if row.chosen else "not-chosen")
            why = self._chosen(sizing) if row.chosen else reason(row, lang)
            name = self.words.tiers(sizing) if row.chosen else label(row, lang)
            rows.append((name, *counts, verdict, why))
        strong = tuple(number for number, row in enumerate(sizing.candidates) if row.chosen)
        return Grid(
            self._heads(".candidate", "+leaf", "+spine", "+core", "+total", ".verdict", "why"), tuple(rows), strong
        )

    def _chosen(self, sizing: FabricSizing) -> str:
        return self.words.say("why-chosen", what=self.words.say(f"choose-{self._choose(sizing)}"))

    def _choose(self, sizing: FabricSizing) -> str:
        return self.plan.requirement.fabrics[self.plan.fabrics.index(sizing)].rule or "switches"

    def tiers(self, sizing: FabricSizing) -> Grid:
        """One row per tier from the leaf upward: switches and links of each."""
        shape, rows = sizing.shape, []
        counts = (0, sizing.leaf_count, sizing.spine_count, sizing.core_count)
        down = (0, shape.hosts_per_leaf, shape.leaves_per_pod * shape.links_per_pair,
                shape.pod_count * shape.spines_per_group * shape.links_per_core_pair)  # fmt: skip
        up = (0, shape.uplinks, shape.spine_uplinks, 0)
        for tier in range(1, shape.tiers + 1):
            ports = tier_ports(shape, tier)
            rows.append((self.words.tier(tier), f"{counts[tier]:,}", ", ".join(self.words.models(sizing, tier)),
                         self._side(down[tier], ports.down_gbps), self._side(up[tier], ports.up_gbps)))  # fmt: skip
        return Grid(self._heads(".tier", "+count", "model", "down", "up"), tuple(rows))

    def _side(self, count: int, gbps: int) -> str:
        return self.words.say("up-to", count=count, speed=f"{gbps} Gb/s") if count else "-"

    def links(self, sizing: FabricSizing) -> Grid:
        """One row per role of links: totals of the link table."""
        number, links, rows = self.plan.fabrics.index(sizing), self.plan.topology.links, []
        counts = np.bincount(links.role[links.fabric == number], minlength=len(ROLES)).tolist()
        for role, name in enumerate(ROLES):
            if counts[role]:
                speed = sizing.link_gbps if role in (NODE_LEAF, RESERVED) else sizing.uplink_gbps
                rows.append((self.words.say(f"role-name-{name}"), f"{counts[role]:,}", f"{speed} Gb/s",
                             bandwidth(counts[role] * speed)))  # fmt: skip
        return Grid(self._heads("role", "+links-head", "+speed", "+bandwidth"), tuple(rows))

    def capacity(self, sizing: FabricSizing) -> list[tuple[str, str]]:
        """Ratios and the bisection bandwidth of a fabric."""
        say = self.words.say
        found = []
        if sizing.shape.tiers > 1:
            found.append((say("capacity-leaf"), sizing.oversubscription))
        if sizing.shape.tiers > 2:
            found.append((say("capacity-spine"), sizing.oversubscription_spine))
        found.append((say("capacity-cut"), bandwidth(sizing.bisection_gbps)))
        return [*found, (say("capacity-lost"), "\n".join(domain_lines(sizing, self.words.lang)))]

    def parts(self) -> Grid:
        """The bill of materials."""
        say, rows = self.words.say, []
        for row in bill_rows(self.plan):
            line = row.line
            uses = "\n".join(self._use(use) for use in line.uses)
            numbers = [line.pn or say("by-description"), *([line.opn] if line.opn and line.opn != line.pn else [])]
            text = part_description(self.plan, line, self.words.lang)
            rows.append((str(row.number), say(f"kind-{line.kind}"), "\n".join(numbers), text, f"{line.quantity:,}",
                         f"{line.spare:,}", uses))  # fmt: skip
        return Grid(self._heads("+number", ".kind", ".pn", "description", "+quantity", "+spare", ".uses"), tuple(rows))

    def _use(self, use: BomUse) -> str:
        """Return what a line serves; a role that is no word of ours is the name of a node group."""
        text = f"{self.words.terms.get(f'use-{use.role}', use.role)} {use.quantity:,}"
        return text if len(self.plan.fabrics) == 1 else f"{use.fabric} {text}"

    def lengths(self) -> Grid:
        """One row per ordered part and length, with the lengths that are required of it."""
        cabling, rows = self.plan.cabling, []
        required = cabling.cables.wide("required_mm")
        part = cabling.cables.wide("part")
        order = sorted(range(len(cabling.cable_parts)), key=lambda row: (
            cabling.cable_parts[row].kind, cabling.cable_parts[row].family, cabling.cable_parts[row].length_mm,
        ))  # fmt: skip
        for row in order:
            item, mine = cabling.cable_parts[row], required[part == row]
            if mine.size:
                least, most = metres(int(mine.min())), metres(int(mine.max()))
                span = f"{least} m" if least == most else f"{least} - {most} m"
                rows.append((self.words.say(f"kind-{item.kind}"), item.pn or item.family, f"{metres(item.length_mm)} m",
                             f"{mine.size:,}", span))  # fmt: skip
        return Grid(self._heads(".kind", ".pn", "+ordered", "+cable-count", "+required"), tuple(rows))

    def racks(self) -> list[tuple[str, str]]:
        """Racks and rows of the room."""
        racks, say = self.plan.placement.racks, self.words.say
        # of the customer's room the racks in use; the default room has those of the final stage
        used = np.ones(len(racks), bool)
        if self.plan.requirement.room.rows is not None:
            used = np.isin(np.arange(len(racks)), self.plan.placement.places.rack)
        return [
            (say("racks-node"), f"{int((used & (racks.kind == NODE_RACK)).sum()):,}"),
            (say("racks-network"), f"{int((used & (racks.kind == NETWORK_RACK)).sum()):,}"),
            (say("rows"), f"{np.unique(racks.row[used]).size:,}"),
        ]

    def power(self) -> tuple[Grid, str, list[str]]:
        """Return a row per kind of device, the sum of the known maxima, and what is not in it."""
        devices, rows, total, missing = self.plan.topology.devices, [], 0.0, []
        for number, item in enumerate(self.plan.topology.device_types):
            mine = devices.type == number
            if item.kind == "host":
                continue
            if item.kind == "switch":
                switch = self.plan.products.switch(item.key)
                name, height, typical, most = switch.model, switch.height_u, switch.power_typical_w, switch.power_max_w
                count = int(np.unique(devices.box[mine & (devices.kind == SWITCH)]).size)
            else:
                node = self.plan.products.platform(item.key)
                name, height, typical, most = node.title, node.height_u, node.power_typical_w, node.power_max_w
                count = int((mine & (devices.kind == NODE)).sum())
            if most is None:
                missing.append(f"{count:,} x {name}")
            total += count * (most or 0)
            together = None if most is None else count * most / 1000
            rows.append((name, f"{count:,}", self._known(height, "U"), self._known(typical, "W"),
                         self._known(most, "W"), self._known(together, "kW")))  # fmt: skip
        heads = self._heads("device", "+count", "+height", "+power-typical", "+power-max", "+power-all")
        return Grid(heads, tuple(rows)), power_words(total) if total else self.words.say("unknown"), missing

    def _known(self, value: float | None, unit: str) -> str:
        return self.words.say("unknown") if value is None else f"{value:,.10g} {unit}"

    def sources(self) -> Grid:
        """The documents that the products' facts rest on."""
        rows = [(item.id, item.publisher, item.title, item.version or "-", item.retrieved or "-")
                for item in self.plan.products.sources]  # fmt: skip
        return Grid(self._heads("source-id", "publisher", "title", "version", ".retrieved"), tuple(rows))

    def _switch_count(self, sizing: FabricSizing) -> str:
        if sizing.box_count == sizing.switch_count:
            return f"{sizing.switch_count:,}"
        return self.words.say("switches-boxes", switches=sizing.switch_count, boxes=sizing.box_count)

    def _heads(self, *keys: str) -> tuple[Head, ...]:
        """Return headings by key; a ``+`` before it marks numbers, a ``.`` short words."""
        styles = {"+": "n", ".": "s"}
        return tuple(Head(self.words.say(key.lstrip("+.")), styles.get(key[0], "")) for key in keys)


def bandwidth(gbps: int) -> str:
    """Return a bandwidth.

    >>> bandwidth(204_800), bandwidth(800)
    ('204.8 Tb/s', '800 Gb/s')
    """
    return f"{gbps / 1000:,.10g} Tb/s" if gbps >= 1000 else f"{gbps} Gb/s"


def metres(length_mm: int) -> str:
    """Return a length in metres, to the decimetre.

    >>> metres(30_000), metres(4_820)
    ('30', '4.8')
    """
    return f"{length_mm / 1000:.1f}".removesuffix(".0")
