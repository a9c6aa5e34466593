"""Words of the diagrams and of the report's head: facts of a plan as short phrases, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fabricplan.plan import Plan
from fabricplan.renderers.diagram_frames import Frame, Panel
from fabricplan.sizing import FabricSizing
from fabricplan.topology import CORE, LEAF_SPINE, NODE_LEAF, ROLES, SPINE, SWITCH, TIERS, name_widths
from fabricplan.wording import report_en, report_zh


class Words:
    """Phrases about one plan; lives inside one call of a renderer."""

    def __init__(self, plan: Plan, lang: str) -> None:
        self.plan, self.lang = plan, lang
        table = report_zh if lang == "zh" else report_en
        self.terms: Mapping[str, str] = table.TERMS
        self.glossary: tuple[tuple[str, str], ...] = table.GLOSSARY

    def say(self, key: str, **values: int | str) -> str:
        """Return a phrase; whole numbers get thousands separators, and one of a thing its own word."""
        if values.get("count") == 1 and f"{key}-one" in self.terms:
            key = f"{key}-one"
        shown = {name: f"{value:,}" if isinstance(value, int) else value for name, value in values.items()}
        return self.terms[key].format(**shown)

    def facts(self) -> list[str]:
        """Return the facts of the whole plan, most telling first."""
        plan = self.plan
        found = [self.say("gpus", count=plan.gpus)] if plan.gpus else []
        found.append(self.say("nodes", count=plan.nodes))
        for sizing in plan.fabrics:
            found.append(f"{self.fabric(sizing)} {self.rate(sizing)}, {self.tiers(sizing)}, {self.ratio(sizing)}")
        found.append(self.say("switches", count=sum(sizing.switch_count for sizing in plan.fabrics)))
        return found

    def fabric(self, sizing: FabricSizing) -> str:
        """Return what a fabric is called, with its own name where that says more."""
        network = self.say(f"network-{sizing.network}")
        return network if sizing.name == sizing.network else f"{network} {sizing.name}"

    def fabric_title(self, sizing: FabricSizing) -> str:
        """Return the head of a fabric's panel."""
        return f"{self.fabric(sizing)}: {self.rate(sizing)}, {self.tiers(sizing)}, {self.ratio(sizing)}"

    def rate(self, sizing: FabricSizing) -> str:
        """Return technology, rate word and speed; uplinks too where they differ."""
        kind = {"infiniband": "InfiniBand", "roce": "RoCE", "ethernet": "Ethernet"}[sizing.technology]
        word = f" {sizing.rate.upper()}" if sizing.technology == "infiniband" else ""
        text = f"{kind}{word} {sizing.link_gbps} Gb/s"
        if sizing.shape.tiers > 1 and sizing.uplink_gbps != sizing.link_gbps:
            text += " " + self.say("uplinks-at", speed=f"{sizing.uplink_gbps} Gb/s")
        return text

    def tiers(self, sizing: FabricSizing) -> str:
        """Return the number of tiers, and of planes where there are several."""
        text = self.say(f"tiers-{sizing.shape.tiers}")
        return text if sizing.planes == 1 else f"{text} x " + self.say("planes", count=sizing.planes)

    def ratio(self, sizing: FabricSizing) -> str:
        """Return the oversubscription as a word for 1:1, else as ratios per tier."""
        if sizing.shape.leaf_count == 1:
            return self.say("one-switch")
        ratios = [sizing.oversubscription]
        if sizing.shape.tiers == 3 and sizing.oversubscription_spine != "1:1":
            ratios.append(sizing.oversubscription_spine)
        if ratios == ["1:1"]:
            return self.say("ratio-even")
        return self.say("ratio", ratio=" / ".join(ratios))

    def tier(self, tier: int) -> str:
        """Return the name of a tier."""
        return self.say(f"tier-{TIERS[tier]}")

    def models(self, sizing: FabricSizing, tier: int) -> list[str]:
        """Return count and model of a tier's switches over all planes, a line per model; boxes where they differ."""
        devices, number = self.plan.topology.devices, self.plan.fabrics.index(sizing)
        mine = (devices.kind == SWITCH) & (devices.fabric == number) & (devices.tier == tier)
        found = []
        for kind in np.unique(devices.type[mine]).tolist():
            box = devices.box[mine & (devices.type == kind)]
            boxes, key = int(np.unique(box).size), self.plan.topology.device_types[kind].key
            found.append(f"{box.size:,} x {key}" + ("" if boxes == box.size else self.say("in-boxes", count=boxes)))
        return found

    def platforms(self, sizing: FabricSizing) -> list[str]:
        """Return count and title of the nodes of a fabric, a line per group."""
        products = self.plan.products
        return [
            f"{group.nodes:,} x {products.platform(group.platform).title if group.platform else group.group}"
            for group in sizing.groups
        ]

    def links(self, sizing: FabricSizing, role: int) -> list[str]:
        """Return total and speed of the links of a role."""
        totals = (sizing.node_leaf_links, sizing.leaf_spine_links, sizing.spine_core_links)
        speed = sizing.link_gbps if role == NODE_LEAF else sizing.uplink_gbps
        lines = [self.say("links", count=totals[role]), f"{speed} Gb/s"]
        ratio = sizing.oversubscription if role == LEAF_SPINE else sizing.oversubscription_spine
        return lines if role == NODE_LEAF else [*lines, ratio]

    def bundle(self, count: int, least: int, most: int) -> tuple[str, str]:
        """Return the links of a bundle, and how many join each pair of devices."""
        pair = str(least) if least == most else f"{least}-{most}"
        return self.say("links", count=count), self.say("per-pair", count=pair)

    def unit_span(self, frame: Frame, sizing: FabricSizing) -> str:
        """Return the scalable units of a frame."""
        first, last = frame.units
        width = name_widths(sizing).unit
        return f"SU{first:0{width}}" if first == last else f"SU{first:0{width}}-SU{last:0{width}}"

    def titles(self, frame: Frame, sizing: FabricSizing) -> list[str]:
        """Return heads of a switch frame, the fullest first."""
        if frame.tier == CORE:
            first, last = frame.pods
            span = str(first) if first == last else f"{first}-{last}"
            return [self.say("core-group", number=span), f"g{span}"]
        if frame.tier == SPINE:
            return [self.say("spines", count=frame.size)]
        if sizing.shape.leaf_count == 1:
            return [self.say("leaf-alone")]
        span = self.unit_span(frame, sizing)
        return [f"{span} · " + self.say("leaves", count=frame.size), span]

    def pod(self, spine: Frame, leaf: Frame, sizing: FabricSizing) -> str:
        """Return the head of a pod."""
        first, last = spine.pods
        if spine.more:
            return self.say("pods-between", first=first, last=last, count=spine.parts)
        text = self.say("pod", number=first)
        if sizing.shape.pod_kind != "rails" or leaf.rails is None:
            return text
        return f"{text} · " + self.rails(leaf.rails[0], sizing.groups[0].rails_per_leaf)

    def span(self, names: tuple[str, ...]) -> str:
        """Return the first and the last of some names."""
        return names[0] if names[0] == names[-1] else f"{names[0]} … {names[-1]}"

    def rails(self, first: int, count: int) -> str:
        """Return the rails from ``first`` on."""
        return self.say("rail", number=str(first) if count == 1 else f"{first}-{first + count - 1}")

    def plane(self, panel: Panel, number: int) -> list[str]:
        """Return heads of a plane, the fullest first; where one stands for all, it says so."""
        sizing = panel.sizing
        text = short = self.say("plane", number=number)
        if sizing.rail_planes:
            rail = min(port.rail for port in sizing.groups[0].ports if port.plane == number)
            text += f" · {self.rails(rail, 1)}"
        if len(panel.planes) < sizing.planes:
            return [self.say("plane-of", plane=text, count=sizing.planes), f"{short} x {sizing.planes}"]
        return [text, short]

    def models_and_links(self, panel: Panel) -> list[str]:
        """Return rate, ratio, switches and links of a fabric, as the legend tells them."""
        sizing = panel.sizing
        found = [self.fabric_title(sizing)]
        for tier in range(sizing.shape.tiers, 0, -1):
            models = self.models(sizing, tier)
            if models:
                found.append(f"{self.tier(tier)}: {', '.join(models)}")
        nodes = [frame for frame in panel.frames if frame.tier == 0]
        found.append(f"{self.tier(0)}: {self.span((nodes[0].names[0], nodes[-1].names[-1]))}")
        totals = (sizing.node_leaf_links, sizing.leaf_spine_links, sizing.spine_core_links)
        for role, total in enumerate(totals):
            if total:
                found.append(self.say(f"role-{ROLES[role]}", count=total))
        return found

    def notes(self, panel: Panel) -> list[str]:
        """Return what the reader of a panel should know beside the drawing."""
        sizing, shape = panel.sizing, panel.sizing.shape
        notes = []
        if sizing.box_count != sizing.switch_count:
            notes.append(self.say("note-boxes", switches=sizing.switch_count, boxes=sizing.box_count))
        if sizing.managed_tier:
            count, tier = sum(sizing.managed_per_plane), self.say(f"tier-{sizing.managed_tier}")
            notes.append(self.say("note-managed", count=count, model=str(sizing.managed_model), tier=tier))
        if shape.leaves_today < shape.leaf_count:
            notes.append(self.say("note-grows", today=sizing.leaf_count, final=shape.leaf_count * sizing.planes))
        if any(frame.more for frame in panel.frames):
            notes.append(self.say("note-between"))
        if len(panel.planes) < sizing.planes:
            notes.append(self.say("note-plane", count=sizing.planes))
        return notes
