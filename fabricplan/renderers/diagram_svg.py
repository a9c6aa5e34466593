"""``topology.svg``: the fabric as a picture for an offer or a report, self-contained, laid out by this program.

Tiers are rows (cores on top), pods and scalable units are frames, links are bundles with their counts. Every switch
is named where names of at least 9 px fit; else switches are squares and each frame tells the range of its names.
"""

from __future__ import annotations

from fabricplan.plan import Plan
from fabricplan.renderers.diagram_frames import Panel, panels
from fabricplan.renderers.diagram_panel import FILLS, LEFT, MARGIN, RESERVED, STROKES, PanelDrawing
from fabricplan.renderers.diagram_words import Words
from fabricplan.renderers.layout import FAINT, INK, Rect, Scene, Text, fold, text_width, wrap
from fabricplan.topology import TIERS

WIDTH_MIN, WIDTH_MAX, COLUMN_MAX = 760, 1060, 240
"""Width of the drawing beside the tier labels: on a landscape A4 page the widest keeps names readable."""


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return ``topology.svg``."""
    return {"topology.svg": scene(plan, lang).svg(plan.name).encode()}


def scene(plan: Plan, lang: str, headed: bool = True) -> Scene:
    """Return the drawing as a scene: what the SVG is written from, and what tests measure.

    Args:
        plan: the plan.
        lang: ``en`` or ``zh``.
        headed: with the plan's name and facts on top (a report has them already).
    """
    words = Words(plan, lang)
    found = panels(plan)
    width = max(_content_width(panel) for panel in found)
    drawing = Scene()
    drawing.width = 2 * MARGIN + LEFT + width
    y = _heading(drawing, plan, words) if headed else float(MARGIN)
    for panel in found:
        y = PanelDrawing(drawing, panel, words, width, len(found) > 1).draw(y) + 18
    drawing.height = _legend(drawing, found, words, y) + MARGIN
    return drawing


def _content_width(panel: Panel) -> float:
    columns = sum(len(plane.leaves) for plane in panel.planes)
    wanted = max(columns * COLUMN_MAX, max(len(panel.shared_nodes), len(panel.planes[0].cores)) * 68)
    return min(max(wanted, WIDTH_MIN), WIDTH_MAX)


def _heading(drawing: Scene, plan: Plan, words: Words) -> float:
    inner = drawing.width - 2 * MARGIN
    y = float(MARGIN) - 4
    for line in fold(plan.name, inner, 20, bold=True):
        y += 22
        drawing.text(Text(MARGIN, y, line, 20, bold=True))
    y += 6
    for line in wrap(words.facts(), inner, 12, "  ·  "):
        y += 17
        drawing.text(Text(MARGIN, y, line, 12, colour=FAINT))
    return y + 20


def _legend(drawing: Scene, found: list[Panel], words: Words, y: float) -> float:
    """Draw the key of colours and the notes of every panel; return the lower edge."""
    x = float(MARGIN)
    drawing.rect(Rect(MARGIN, y, drawing.width - 2 * MARGIN, 0.8, "#cbd2d9", "none", 0))
    y += 22
    tiers = sorted({frame.tier for panel in found for frame in panel.frames}, reverse=True)
    keys = [(FILLS[tier], STROKES[tier], words.say(f"key-{TIERS[tier]}")) for tier in tiers]
    if any(panel.reserved_count for panel in found):
        keys.append((RESERVED, RESERVED, words.say("key-reserved")))
    for fill, stroke, text in keys:
        drawing.rect(Rect(x, y - 9, 12, 10, fill, stroke))
        drawing.text(Text(x + 18, y, text, 11))
        x += 18 + text_width(text, 11) + 22
    for panel in found:
        lines = [*words.models_and_links(panel), *words.notes(panel)]
        for line in wrap(lines, drawing.width - 2 * MARGIN, 11, "  ·  "):
            for piece in fold(line, drawing.width - 2 * MARGIN, 11):
                y += 18
                drawing.text(Text(MARGIN, y, piece, 11, colour=INK))
    return y
