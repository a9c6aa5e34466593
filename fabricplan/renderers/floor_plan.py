"""The floor plan: rows and racks from above, and the trays with their cables, bundles and fill."""

from __future__ import annotations

from collections.abc import Sequence

from fabricplan.crew.site import Rack
from fabricplan.crew.trays import ACROSS, ALONG, Segment
from fabricplan.names import rack_name
from fabricplan.placement import NETWORK_RACK
from fabricplan.plan import Plan
from fabricplan.renderers.layout import FAINT, INK, Line, Rect, Scene, Text, fold, text_width
from fabricplan.renderers.plain import plain_csv
from fabricplan.wording.crews import crew_text

RACK_PX = 46.0
"""Width of a rack; the scale follows from it."""
DEPTH_MM = 1100
"""Depth of a rack: a standard footprint, drawn only."""
STRIP, CROSS = 38.0, 52.0
MARGIN, LEFT = 24.0, 40.0
NODE_FILL, NETWORK_FILL, RACK_STROKE = "#e8eef4", "#cfe3d4", "#52606d"
FILLS = ((0.25, "#fdf3d7"), (0.5, "#f9d9a0"), (float("inf"), "#f2a88c"))
"""Colour of a tray segment below a share of the assumed tray."""
TRAY_STROKE = "#b08d3c"


def floor_scene(plan: Plan, racks: Sequence[Rack], trays: Sequence[Segment], lang: str) -> Scene:
    """Return the floor plan as a scene."""
    room, scene = plan.requirement.room, Scene()
    mm_per_px = room.rack_pitch_mm / RACK_PX
    depth = DEPTH_MM / mm_per_px
    step = max(room.row_pitch_mm / mm_per_px, depth + STRIP + CROSS)
    columns = max(rack.position for rack in racks)
    rows = sorted({rack.row for rack in racks})
    scene.width = max(2 * MARGIN + LEFT + columns * RACK_PX, 760.0)
    y = _heading(scene, plan, trays, step > room.row_pitch_mm / mm_per_px, lang)

    def place(row: int, position: float) -> tuple[float, float]:
        return MARGIN + LEFT + (position - 1) * RACK_PX, y + row * step

    for row in rows:
        x, top = place(row, 1)
        scene.text(Text(MARGIN, top + STRIP + depth / 2 + 5, rack_name(row, 0).rstrip("0"), 16, bold=True))
    for rack in racks:
        x, top = place(rack.row, rack.position)
        fill = NETWORK_FILL if rack.kind == NETWORK_RACK else NODE_FILL
        scene.rect(Rect(x + 1, top + STRIP, RACK_PX - 2, depth, fill, RACK_STROKE, 1))
        _rack_text(scene, rack, x + RACK_PX / 2, top + STRIP)
    for tray in trays:
        if tray.kind == ALONG:
            x, top = place(tray.row, tray.position + 0.5)
            shape = Rect(x + 0.5, top + 2, RACK_PX - 1, STRIP - 6, _fill(tray), TRAY_STROKE, 0)
        else:
            x, top = place(tray.row, tray.position)
            shape = Rect(x + 1, top + STRIP + depth + 3, RACK_PX - 2, step - STRIP - depth - 4, _fill(tray),
                         TRAY_STROKE, 0)  # fmt: skip
        scene.rect(shape)
        _tray_text(scene, tray, shape, lang)
    scene.height = _key(scene, lang, y + (rows[-1] + 1) * step + 6) + MARGIN
    return scene


def _heading(scene: Scene, plan: Plan, trays: Sequence[Segment], stretched: bool, lang: str) -> float:
    inner, y = scene.width - 2 * MARGIN, MARGIN
    for piece in fold(crew_text("floor_title", lang, name=plan.name), inner, 18, bold=True):
        y += 18
        scene.text(Text(MARGIN, y, piece, 18, bold=True))
    y += 4
    lines = [crew_text("default_room", lang)]
    if trays:
        fullest = max(trays, key=lambda tray: (tray.area_mm2, tray.cables))
        lines += [
            crew_text("floor_busiest", lang, place=place_text(fullest, lang), cables=f"{fullest.cables:,}",
                      area=f"{fullest.area_mm2 / 100:,.1f}", fill=f"{fullest.fill * 100:.0f}"),
            crew_text("floor_note", lang),
        ]  # fmt: skip
        if stretched:
            lines.append(crew_text("floor_stretched", lang, pitch=f"{plan.requirement.room.row_pitch_mm / 1000:g}"))
        lines += [crew_text("floor_route", lang), crew_text("floor_area", lang)]
        bare = max(tray.unmeasured for tray in trays)
        if bare:
            lines.append(crew_text("floor_unmeasured", lang, count=f"{bare:,}"))
    else:
        lines.append(crew_text("floor_no_trays", lang))
    for line in lines:
        for piece in fold(line, inner, 11):
            y += 16
            scene.text(Text(MARGIN, y, piece, 11, colour=FAINT))
    return y + 18


def place_text(tray: Segment, lang: str) -> str:
    """Return where a segment lies: ``A03–A04``, or the rows and the position that it crosses at."""
    if tray.kind == ALONG:
        return crew_text("segment_along", lang, one=rack_name(tray.row, tray.position),
                         other=rack_name(tray.row, tray.position + 1))  # fmt: skip
    one, other = (rack_name(row, 0).rstrip("0") for row in (tray.row, tray.row + 1))
    return crew_text("segment_across", lang, one=one, other=other, position=tray.position)


def _fill(tray: Segment) -> str:
    return next(colour for limit, colour in FILLS if tray.fill < limit)


def _rack_text(scene: Scene, rack: Rack, middle: float, top: float) -> None:
    scene.text(Text(middle, top + 15, rack.name, 10, "middle", bold=True))
    power = rack.power_max_w
    if not rack.boxes:
        return
    number = f"{power.known / 1000:,.1f} kW" if power.known else "? kW"
    sign = "≥ " if power.unknown and power.known else ""
    scene.text(Text(middle, top + 30, sign + number, 8, "middle"))
    used = rack.used_u
    text = f"{int(used.known)} U" if not used.unknown else f"{int(used.known)} U + ?" if used.known else "? U"
    scene.text(Text(middle, top + 42, text, 8, "middle"))


def _tray_text(scene: Scene, tray: Segment, shape: Rect, lang: str) -> None:
    plus = "+" if tray.unmeasured else ""
    texts = (
        f"{tray.cables:,}", f"{tray.bundles:,} {crew_text('bundle_letter', lang)}",
        f"{tray.area_mm2 / 100:,.0f}{plus} cm²",
    )  # fmt: skip
    start = shape.y + (shape.height - 30) / 2
    for number, text in enumerate(texts):
        size = 8.5
        while text_width(text, size) > shape.width - 1 and size > 5:
            size -= 0.5
        scene.text(Text(shape.middle, start + 8.5 + number * 10, text, size, "middle", number == 0, INK))


def _key(scene: Scene, lang: str, y: float) -> float:
    x = MARGIN
    keys = [
        (NODE_FILL, RACK_STROKE, crew_text("key_node_rack", lang)),
        (NETWORK_FILL, RACK_STROKE, crew_text("key_network_rack", lang)),
        *((colour, TRAY_STROKE, text) for (_, colour), text in zip(FILLS, ("< 25 %", "< 50 %", "≥ 50 %"), strict=True)),
    ]
    scene.line(Line(MARGIN, y, scene.width - MARGIN, y, "#cbd2d9", 0.8))
    for fill, stroke, text in keys:
        scene.rect(Rect(x, y + 12, 14, 10, fill, stroke))
        scene.text(Text(x + 20, y + 21, text, 11))
        x += 20 + text_width(text, 11) + 22
    return y + 22


def tray_csv(trays: Sequence[Segment], lang: str) -> bytes:
    """Return the segments as a table; the cross-section is of the cables whose diameter is known."""
    keys = ("head_kind", "head_from", "head_to", "cables", "bundles", "head_area", "head_unmeasured", "head_fill")
    rows = []
    for tray in trays:
        across = tray.kind == ACROSS
        one = rack_name(tray.row, tray.position)
        other = rack_name(tray.row + across, tray.position + (not across))
        rows.append((crew_text(tray.kind, lang), one, other, tray.cables, tray.bundles,
                     round(tray.area_mm2 / 100, 2), tray.unmeasured, round(tray.fill * 100, 1)))  # fmt: skip
    return plain_csv([crew_text(key, lang) for key in keys], rows)
