"""``elevations/``: rack elevations to scale, a file per row, and the floor plan with its trays, as SVG.

``trays.csv`` holds the numbers of the floor plan, segment by segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from fabricplan.crew.site import Box, Rack, Sum, racks_of, unknowns
from fabricplan.crew.trays import segments
from fabricplan.names import rack_name
from fabricplan.plan import Plan
from fabricplan.renderers.diagram_panel import FILLS, RESERVED, STROKES
from fabricplan.renderers.floor_plan import floor_scene, tray_csv
from fabricplan.renderers.layout import FAINT, INK, Line, Rect, Scene, Text, fold, text_width, wrap
from fabricplan.schedule import cable_table
from fabricplan.topology import TIERS
from fabricplan.wording.crews import crew_text

MM_PER_PX = 3.0
UNIT_PX = 44.45 / MM_PER_PX
PANEL_PX = 482.6 / MM_PER_PX
"""Width of a front panel (EIA-310)."""
LINE_RACKS = 10
"""Racks side by side; longer rows go on below."""
MARGIN, GAP, HEAD, FOOT = 24.0, 26.0, 22.0, 84.0
BODY, FRAME, EMPTY = "#f5f7fa", "#52606d", "#e4e7eb"


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return an elevation per row of racks, the floor plan, and the table of its trays."""
    racks = racks_of(plan)
    files: dict[str, bytes] = {}
    for row, held in groupby(racks, key=lambda rack: rack.row):
        name = row_name(row)
        scene = elevation_scene(plan, list(held), lang)
        title = crew_text("elevation_title", lang, name=plan.name, row=name)
        files[f"elevations/row-{name}.svg"] = scene.svg(title).encode()
    trays = segments(plan, cable_table(plan))
    title = crew_text("floor_title", lang, name=plan.name)
    files["elevations/floor.svg"] = floor_scene(plan, racks, trays, lang).svg(title).encode()
    files["elevations/trays.csv"] = tray_csv(trays, lang)
    return files


def row_name(row: int) -> str:
    """Return the letters of a row.

    >>> row_name(0), row_name(26)
    ('A', 'AA')
    """
    return rack_name(row, 0).rstrip("0")


def elevation_scene(plan: Plan, racks: Sequence[Rack], lang: str) -> Scene:
    """Return the elevation of one row as a scene."""
    room, scene = plan.requirement.room, Scene()
    width = max(room.rack_pitch_mm / MM_PER_PX, PANEL_PX + 2)
    height = room.rack_units * UNIT_PX
    lines = [racks[start : start + LINE_RACKS] for start in range(0, len(racks), LINE_RACKS)]
    scene.width = 2 * MARGIN + max(len(line) for line in lines) * (width + GAP)
    scene.width = max(scene.width, 760.0)
    y = _heading(scene, plan, racks, lang)
    for line in lines:
        for number, rack in enumerate(line):
            _rack(scene, rack, MARGIN + GAP + number * (width + GAP), y + HEAD, width, height, lang)
        y += HEAD + height + FOOT
    y = _key(scene, racks, lang, y)
    scene.height = y + MARGIN
    return scene


def _heading(scene: Scene, plan: Plan, racks: Sequence[Rack], lang: str) -> float:
    room, inner = plan.requirement.room, scene.width - 2 * MARGIN
    row = row_name(racks[0].row)
    y = MARGIN
    for piece in fold(crew_text("elevation_title", lang, name=plan.name, row=row), inner, 18, bold=True):
        y += 18
        scene.text(Text(MARGIN, y, piece, 18, bold=True))
    y += 4
    power = Sum(sum(r.power_max_w.known for r in racks), sum(r.power_max_w.unknown for r in racks))
    weight = Sum(sum(r.weight_kg.known for r in racks), sum(r.weight_kg.unknown for r in racks))
    for text in (
        crew_text("row_sum", lang, row=row, racks=len(racks), power=told(power, "kW", lang),
                  weight=told(weight, "kg", lang)),
        crew_text("default_room", lang), crew_text("elevation_note", lang, pitch=room.rack_pitch_mm),
    ):  # fmt: skip
        for piece in fold(text, inner, 11):
            y += 16
            scene.text(Text(MARGIN, y, piece, 11, colour=FAINT))
    return y + 18


def told(value: Sum, unit: str, lang: str) -> str:
    """Return a sum as text: what is known, and how many boxes lack it.

    >>> told(Sum(40800, 0), "kW", "en"), told(Sum(130, 2), "kg", "en"), told(Sum(0, 4), "kW", "en")
    ('40.8 kW', '≥ 130 kg, 2 not known', 'not known (4)')
    """
    number = f"{value.known / 1000:,.1f} kW" if unit == "kW" else f"{value.known:,.0f} {unit}"
    if not value.unknown:
        return number
    if not value.known:
        return crew_text("all_unknown", lang, unknown=value.unknown)
    return crew_text("at_least", lang, value=number, unknown=value.unknown)


def _rack(scene: Scene, rack: Rack, x: float, y: float, width: float, height: float, lang: str) -> None:
    scene.text(Text(x + width / 2, y - 7, rack.name, 13, "middle", bold=True))
    scene.rect(Rect(x, y, width, height, BODY, FRAME, 1), "frame")
    left, units = x + (width - PANEL_PX) / 2, round(height / UNIT_PX)
    for unit in range(1, units + 1):
        base = y + height - unit * UNIT_PX
        scene.line(Line(left, base, left + PANEL_PX, base, EMPTY, 0.5))
        scene.text(Text(x - 3, base + UNIT_PX * 0.72, str(unit), 7.5, "end", colour=FAINT))
    for box in rack.boxes:
        if box.u is not None:
            _box(scene, box, left, y + height - (box.u - 1) * UNIT_PX)
    foot = [_used(rack, units, lang), crew_text("nothing", lang)] if not rack.boxes else [
        _used(rack, units, lang),
        crew_text("power_max", lang, value=told(rack.power_max_w, "kW", lang)),
        crew_text("power_typical", lang, value=told(rack.power_typical_w, "kW", lang)),
        crew_text("weight", lang, value=told(rack.weight_kg, "kg", lang)),
    ]  # fmt: skip
    for number, text in enumerate(foot):
        scene.text(Text(x, y + height + 14 + number * 13, text, 10))


def _used(rack: Rack, units: int, lang: str) -> str:
    used = rack.used_u
    key = "used_u_unknown" if used.unknown else "used_u"
    return crew_text(key, lang, used=int(used.known), total=units, unknown=used.unknown)


def _colours(kind: str) -> tuple[str, str]:
    return (RESERVED, RESERVED) if kind == "host" else (FILLS[TIERS.index(kind)], STROKES[TIERS.index(kind)])


def _box(scene: Scene, box: Box, left: float, bottom: float) -> None:
    """Draw a box at its height; one of unknown height is a dashed unit."""
    tall = (box.height or 1) * UNIT_PX
    fill, stroke = _colours(box.kind)
    scene.rect(Rect(left, bottom - tall + 0.6, PANEL_PX, tall - 1.2, fill, stroke, 1.5, box.height is None))
    size, inner = 9.0, PANEL_PX - 10
    name = _fitting(box.names, inner, size)
    ink = "#ffffff" if box.kind == "host" else INK
    middle = bottom - tall / 2
    if tall < 2 * UNIT_PX:
        scene.text(Text(left + 5, middle + size * 0.36, name, size, colour=ink))
        free = inner - text_width(name, size)
        if text_width(box.model, 7.5) + 10 <= free:
            scene.text(Text(left + PANEL_PX - 5, middle + size * 0.36, box.model, 7.5, "end", colour=FAINT))
        return
    scene.text(Text(left + 5, middle - 1, name, size, bold=True, colour=ink))
    scene.text(Text(left + 5, middle + 11, fold(box.model, inner, 8)[0], 8, colour=FAINT))


def _fitting(names: Sequence[str], width: float, size: float) -> str:
    """Return the names of a box in one line: all, else the first and how many more."""
    line = " · ".join(names)
    if text_width(line, size) <= width:
        return line
    return f"{fold(names[0], width - 24, size)[0]}" + (f" +{len(names) - 1}" if len(names) > 1 else "")


def _key(scene: Scene, racks: Sequence[Rack], lang: str, y: float) -> float:
    """Draw the key of colours and what is not known; return the lower edge."""
    x = MARGIN
    kinds = dict.fromkeys(box.kind for rack in racks for box in rack.boxes)
    for kind in kinds:
        text = crew_text(f"kind_{kind}", lang)
        scene.rect(Rect(x, y - 9, 14, 10, *_colours(kind)))
        scene.text(Text(x + 20, y, text, 11))
        x += 20 + text_width(text, 11) + 22
    notes = []
    for fact, models in unknowns(racks).items():
        named = ", ".join(f"{item.model or crew_text(f'kind_{item.kind}', lang)} × {item.boxes}" for item in models)
        notes.append(crew_text("unknown_facts", lang, fact=crew_text(f"fact_{fact}", lang), models=named))
    for line in wrap([*notes, crew_text("weight_note", lang)], scene.width - 2 * MARGIN, 11, "  "):
        for piece in fold(line, scene.width - 2 * MARGIN, 11):
            y += 17
            scene.text(Text(MARGIN, y, piece, 11, colour=FAINT))
    return y
