"""The floor plan: rows and racks from above, and the trays with their cables, bundles and fill."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from fabricplan.crew.site import Rack
from fabricplan.crew.trays import ALONG, Segment
from fabricplan.placement import FIXED_RACK, NETWORK_RACK
from fabricplan.plan import Plan
from fabricplan.renderers.layout import FAINT, INK, Line, Rect, Scene, Text, fitted, fold, text_width
from fabricplan.renderers.plain import plain_csv
from fabricplan.requirement import DEPTH_MM, site_gaps
from fabricplan.wording.crews import crew_text

RACK_PX = 46.0
"""Width of a rack of the usual pitch; the scale follows from it."""
STRIP, CROSS = 38.0, 52.0
MARGIN, LEFT, LEFT_MOST = 24.0, 40.0, 120.0
"""Left of the rows their names have ``LEFT``, longer ones up to ``LEFT_MOST``."""
TEXT_PX = 14.0
"""Narrower pieces of tray are drawn without their numbers; ``trays.csv`` has them."""
NODE_FILL, NETWORK_FILL, FIXED_FILL, RACK_STROKE = "#e8eef4", "#cfe3d4", "#d9dee4", "#52606d"
FILLS = ((0.25, "#fdf3d7"), (0.5, "#f9d9a0"), (float("inf"), "#f2a88c"))
"""Colour of a tray segment below a share of the assumed tray."""
TRAY_STROKE = "#b08d3c"


class _Floor:
    """Where places of the room lie on the page: x to scale, rows at least so far apart that the numbers have room."""

    def __init__(self, plan: Plan, racks: Sequence[Rack], trays: Sequence[Segment]) -> None:
        room = plan.requirement.room
        self.mm_per_px = room.rack_pitch_mm / RACK_PX
        self.depth = DEPTH_MM / self.mm_per_px
        ends = [x2 / 2 for tray in trays for x2 in (tray.start_x2, tray.end_x2)]
        spots = [*(rack.spot for rack in racks), *site_gaps(room)]
        self.left_mm = min([spot.left_mm for spot in spots] + ends)
        self.right_mm = max([spot.left_mm + spot.width_mm for spot in spots] + ends)
        self.row_y = {rack.row: rack.spot.y_mm for rack in racks}
        lines = sorted(set(self.row_y.values()))
        least = self.depth + STRIP + CROSS
        self.top = {lines[0]: 0.0}
        for one, two in itertools.pairwise(lines):
            self.top[two] = self.top[one] + max((two - one) / self.mm_per_px, least)
        self.stretched = any((two - one) / self.mm_per_px < least for one, two in itertools.pairwise(lines))
        self.height = self.top[lines[-1]] + least
        self.start = 0.0
        names = [plan.placement.row_name(row) for row in self.row_y]
        self.names = min(max(LEFT, *(text_width(name, 16, bold=True) + 10 for name in names)), LEFT_MOST)

    def x(self, mm: float) -> float:
        return MARGIN + self.names + (mm - self.left_mm) / self.mm_per_px

    def y(self, row: int) -> float:
        """Return the upper edge of a row's strip."""
        return self.start + self.top[self.row_y[row]]


def floor_scene(plan: Plan, racks: Sequence[Rack], trays: Sequence[Segment], lang: str) -> Scene:
    """Return the floor plan as a scene."""
    scene, floor = Scene(), _Floor(plan, racks, trays)
    scene.width = max(MARGIN + floor.x(floor.right_mm), 760.0)
    floor.start = _heading(scene, plan, trays, floor.stretched, lang)
    named: set[int] = set()
    for rack in racks:
        x, top, width = floor.x(rack.spot.left_mm), floor.y(rack.row), rack.spot.width_mm / floor.mm_per_px
        if rack.row not in named:
            named.add(rack.row)
            _row_text(scene, floor, rack, racks, plan.placement.row_name(rack.row))
        fill = {NETWORK_RACK: NETWORK_FILL, FIXED_RACK: FIXED_FILL}.get(rack.kind, NODE_FILL)
        scene.rect(Rect(x + 1, top + STRIP, width - 2, floor.depth, fill, RACK_STROKE, 1))
        _rack_text(scene, rack, x + width / 2, top + STRIP, width - 4)
    for gap in site_gaps(plan.requirement.room):
        if gap.row in named:
            x, top, width = floor.x(gap.left_mm), floor.y(gap.row), gap.width_mm / floor.mm_per_px
            scene.rect(Rect(x + 1, top + STRIP, width - 2, floor.depth, "none", RACK_STROKE, 1, True))
    for tray in trays:
        scene.rect(_shape(floor, tray))
        _tray_text(scene, tray, _shape(floor, tray), lang)
    scene.height = (
        _key(scene, any(rack.kind == FIXED_RACK for rack in racks), lang, floor.start + floor.height + 6) + MARGIN
    )
    return scene


def _shape(floor: _Floor, tray: Segment) -> Rect:
    x, top = floor.x(tray.start_x2 / 2), floor.y(tray.row)
    if tray.kind == ALONG:
        width = floor.x(tray.end_x2 / 2) - x
        return Rect(x + 0.5, top + 2, max(width - 1, 1), STRIP - 6, _fill(tray), TRAY_STROKE, 0)
    below = top + STRIP + floor.depth + 3
    return Rect(x - RACK_PX / 2 + 1, below, RACK_PX - 2, floor.y(tray.other) - below - 1, _fill(tray), TRAY_STROKE, 0)


def _heading(scene: Scene, plan: Plan, trays: Sequence[Segment], stretched: bool, lang: str) -> float:
    inner, y = scene.width - 2 * MARGIN, MARGIN
    for piece in fold(crew_text("floor_title", lang, name=plan.name), inner, 18, bold=True):
        y += 18
        scene.text(Text(MARGIN, y, piece, 18, bold=True))
    y += 4
    room = plan.requirement.room
    lines = [crew_text(room_key(plan), lang)]
    if trays:
        fullest = max(trays, key=lambda tray: (tray.area_mm2, tray.cables))
        lines += [
            crew_text("floor_busiest", lang, place=place_text(plan, fullest, lang), cables=f"{fullest.cables:,}",
                      area=f"{fullest.area_mm2 / 100:,.1f}", fill=f"{fullest.fill * 100:.0f}"),
            crew_text("floor_note_under" if room.under_floor else "floor_note", lang),
        ]  # fmt: skip
        if stretched:
            key = "floor_stretched" if room.rows is None else "floor_stretched_rows"
            lines.append(crew_text(key, lang, pitch=f"{room.row_pitch_mm / 1000:g}"))
        lines += [crew_text("floor_route_crossings" if room.crossings else "floor_route", lang),
                  crew_text("floor_area", lang)]  # fmt: skip
        bare = max(tray.unmeasured for tray in trays)
        if bare:
            kinds = sorted({kind for tray in trays for kind in tray.bare})
            named = crew_text("bare_and", lang).join(crew_text(f"bare_{kind}", lang) for kind in kinds)
            lines.append(crew_text("floor_unmeasured", lang, count=f"{bare:,}", kinds=named))
    else:
        lines.append(crew_text("floor_no_trays", lang))
    for line in lines:
        for piece in fold(line, inner, 11):
            y += 16
            scene.text(Text(MARGIN, y, piece, 11, colour=FAINT))
    return y + 18


def room_key(plan: Plan) -> str:
    """Return the word of what the places rest on: the customer's positions, his room, or the default one."""
    if plan.requirement.positions is not None:
        return "given_positions"
    return "default_room" if plan.requirement.room.rows is None else "given_room"


def place_text(plan: Plan, tray: Segment, lang: str) -> str:
    """Return where a segment lies: ``A03–A04``, or the rows that it joins and the place where it does."""
    if tray.kind == ALONG:
        return crew_text("segment_along", lang, one=tray.one, other=tray.two)
    one, other = (plan.placement.row_name(row) for row in (tray.row, tray.other))
    return crew_text("segment_at", lang, one=one, other=other, place=tray.one)


def _fill(tray: Segment) -> str:
    return next(colour for limit, colour in FILLS if tray.fill < limit)


def _row_text(scene: Scene, floor: _Floor, rack: Rack, racks: Sequence[Rack], name: str) -> None:
    """Write the name of a row left of it, or below its first rack where a row beside it leaves no room."""
    line = [item for item in racks if item.spot.y_mm == rack.spot.y_mm]
    first = min(floor.x(item.spot.left_mm) for item in line if item.row == rack.row)
    ends = [floor.x(item.spot.left_mm + item.spot.width_mm) for item in line if item.row != rack.row]
    room = first - max((end for end in ends if end <= first), default=MARGIN) - 10
    base = floor.y(rack.row) + STRIP + floor.depth
    if room >= 16:
        text, size = fitted(name, room, 16, 8, bold=True)
        scene.text(Text(first - 6, base - floor.depth / 2 + 5, text, size, "end", bold=True))
    else:
        scene.text(Text(first + 2, base + 11, *fitted(name, 2 * RACK_PX, 10, 7, bold=True), bold=True))


def _rack_text(scene: Scene, rack: Rack, middle: float, top: float, width: float) -> None:
    scene.text(Text(middle, top + 15, *fitted(rack.name, width, 10, 6, bold=True), "middle", bold=True))
    power = rack.power_max_w
    if not rack.boxes:
        return
    number = f"{power.known / 1000:,.1f} kW" if power.known else "? kW"
    sign = "≥ " if power.unknown and power.known else ""
    scene.text(Text(middle, top + 30, *fitted(sign + number, width, 8, 5), "middle"))
    used = rack.used_u
    text = f"{int(used.known)} U" if not used.unknown else f"{int(used.known)} U + ?" if used.known else "? U"
    scene.text(Text(middle, top + 42, *fitted(text, width, 8, 5), "middle"))


def _tray_text(scene: Scene, tray: Segment, shape: Rect, lang: str) -> None:
    if shape.width < TEXT_PX:
        return
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


def _key(scene: Scene, fixed: bool, lang: str, y: float) -> float:
    x = MARGIN
    keys = [
        (NODE_FILL, RACK_STROKE, crew_text("key_node_rack", lang)),
        (NETWORK_FILL, RACK_STROKE, crew_text("key_network_rack", lang)),
        *([(FIXED_FILL, RACK_STROKE, crew_text("key_fixed_rack", lang))] if fixed else []),
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
        rows.append((crew_text(tray.kind, lang), tray.one, tray.two, tray.cables, tray.bundles,
                     round(tray.area_mm2 / 100, 2), tray.unmeasured, round(tray.fill * 100, 1)))  # fmt: skip
    return plain_csv([crew_text(key, lang) for key in keys], rows)
