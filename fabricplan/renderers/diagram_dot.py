"""``topology.dot``: the fabric in the language of Graphviz, for those who lay out or edit the picture themselves.

Only the ``graphviz`` package's text is used: whether the program ``dot`` is installed never influences a file. The
file holds the frames and bundles of ``topology.svg``. A frame is one node whose label is a table of its switches
(every switch is a cell with its name as port), pods and planes are clusters, an edge is a bundle with its count.
The cores of a plane are one node, and so are the nodes that all pods or planes share: edges between every two
frames would hide the counts.
"""

from __future__ import annotations

from html import escape as escape_html

from graphviz import Graph, escape

from fabricplan.plan import Plan
from fabricplan.renderers.diagram_frames import Panel, Plane, panels
from fabricplan.renderers.diagram_panel import EDGE, FILLS, GROUND, RESERVED, STROKES
from fabricplan.renderers.diagram_words import Words
from fabricplan.topology import CORE, NODE

SWITCHES_MAX = 500
"""In larger plans a frame tells the range of its names."""
COLUMNS = (1, 2, 8, 16)
"""Switches side by side in a frame, per tier; in pods two."""


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return ``topology.dot``."""
    words = Words(plan, lang)
    graph = Graph(
        "topology",
        graph_attr={
            "label": escape(f"{plan.name}: {'; '.join(words.facts())}"), "labelloc": "t", "fontname": "Helvetica",
            "ranksep": "0.9", "nodesep": "0.3", "ordering": "out",
        },
        node_attr={"shape": "plain", "fontname": "Helvetica", "fontsize": "10"},
        edge_attr={"fontname": "Helvetica", "fontsize": "10", "color": STROKES[NODE], "penwidth": "2"},
    )  # fmt: skip
    detailed = sum(sizing.switch_count for sizing in plan.fabrics) <= SWITCHES_MAX
    for number, panel in enumerate(panels(plan)):
        _Writer(graph, panel, words, f"f{number}", detailed).write()
    return {"topology.dot": graph.source.encode()}


class _Writer:
    """Writes one fabric; lives inside one call of :func:`render`."""

    def __init__(self, graph: Graph, panel: Panel, words: Words, prefix: str, detailed: bool) -> None:
        self.graph, self.panel, self.words, self.prefix, self.detailed = graph, panel, words, prefix, detailed
        self.node_of: dict[int, str] = {}

    def write(self) -> None:
        panel = self.panel
        with self.graph.subgraph(name=f"cluster_{self.prefix}") as fabric:
            fabric.attr(label=escape(self.words.fabric_title(panel.sizing)), style="rounded", color=EDGE)
            for plane in panel.planes:
                self._plane(fabric, plane)
            self._node(fabric, f"{self.prefix}-nodes", panel.shared_nodes, 1)
            self._reserved(fabric)
        sums: dict[tuple[str, str], tuple[int, int, int]] = {}
        for bundle in panel.bundles:
            ends = self.node_of[bundle.upper], self.node_of[bundle.lower]
            count, least, most = sums.get(ends, (0, *bundle.pair))
            sums[ends] = count + bundle.links, min(least, bundle.pair[0]), max(most, bundle.pair[1])
        for (upper, lower), total in sums.items():
            count_text, pair_text = self.words.bundle(*total)
            self.graph.edge(upper, lower, label=f"{count_text}\\n{pair_text}")

    def _plane(self, fabric: Graph, plane: Plane) -> None:
        three = self.panel.sizing.shape.tiers == 3
        name = f"{self.prefix}-p{plane.number}"
        with fabric.subgraph(name=f"cluster_{name}") as inside:
            label = self.words.plane(self.panel, plane.number)[0] if plane.number else ""
            inside.attr(label=label, style="rounded", color=EDGE if plane.number else "transparent")
            self._node(inside, f"{name}-core", plane.cores, COLUMNS[CORE])
            if not three:
                for number in (*plane.spines, *plane.leaves):
                    columns = COLUMNS[self.panel.frames[number].tier]
                    self._node(inside, f"{self.prefix}-{number}", (number,), columns)
            for place, pair in enumerate(zip(plane.spines, plane.leaves, strict=True) if three else ()):
                spine, leaf = pair
                title = self.words.pod(self.panel.frames[spine], self.panel.frames[leaf], self.panel.sizing)
                with inside.subgraph(name=f"cluster_{name}_pod{place}") as pod:
                    pod.attr(label=title, style="filled,rounded", fillcolor=GROUND, color=EDGE)
                    for number in pair:
                        self._node(pod, f"{self.prefix}-{number}", (number,), 2)
        for number in plane.nodes:
            self._node(fabric, f"{self.prefix}-{number}", (number,), 1)

    def _node(self, parent: Graph, name: str, numbers: tuple[int, ...], columns: int) -> None:
        """Write frames as one node: a table with the head of each frame, and its names beneath."""
        if not numbers:
            return
        frames = [self.panel.frames[number] for number in numbers]
        tier = frames[0].tier
        rows: list[str] = []
        for number, frame in zip(numbers, frames, strict=True):
            self.node_of[number] = name
            # core groups are many and small: they follow each other under one head
            if tier != CORE or not rows:
                rows.append(_row(columns, f"<b>{escape_html(self._title(number))}</b>"))
            if tier == NODE or not self.detailed or len(frame.names) < frame.size:
                rows.append(_row(columns, escape_html(self.words.span(frame.names))))
        if tier != NODE and len(rows) == 1:
            names = [name for frame in frames for name in frame.names]
            for start in range(0, len(names), columns):
                cells = [
                    f'<td port="{cell}" bgcolor="{FILLS[tier]}">{cell}</td>' for cell in names[start : start + columns]
                ]
                rows.append(f"<tr>{''.join(cells)}</tr>")
        ground = FILLS[NODE] if tier == NODE else "#ffffff"
        head = f'<table border="1" cellborder="1" cellspacing="3" color="{STROKES[tier]}" bgcolor="{ground}">'
        parent.node(name, label=f"<{head}{''.join(rows)}</table>>")

    def _title(self, number: int) -> str:
        frame = self.panel.frames[number]
        if frame.tier == CORE:
            return self.words.tier(CORE)
        if frame.tier:
            return self.words.titles(frame, self.panel.sizing)[0]
        units, count = self.words.unit_span(frame, self.panel.sizing), self.words.say("nodes", count=frame.size)
        return f"{units} · {count}"

    def _reserved(self, parent: Graph) -> None:
        """Write the hosts on reserved ports, joined to the leaf frames that hold the ports."""
        if not self.panel.reserved_names:
            return
        name, words = f"{self.prefix}-reserved", self.words
        label = f"{words.say('reserved', count=self.panel.reserved_count)}\\n{words.span(self.panel.reserved_names)}"
        parent.node(name, label=label, shape="box", style="dashed,rounded", color=RESERVED)
        for number, frame in enumerate(self.panel.frames):
            held = sum(frame.reserved)
            if held:
                self.graph.edge(self.node_of[number], name, label=words.say("links", count=held), style="dashed",
                                color=RESERVED, penwidth="1")  # fmt: skip


def _row(columns: int, text: str) -> str:
    return f'<tr><td border="0" colspan="{columns}">{text}</td></tr>'
