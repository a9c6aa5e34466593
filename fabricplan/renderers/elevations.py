"""``elevations/``: rack elevations to scale, a file per row, and the floor plan with its trays, as SVG.

``trays.csv`` holds the numbers of the floor plan, segment by segment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from fabricplan.crew.site import Box, PanelBox, Rack, racks_of, unknowns
from fabricplan.crew.trays import segments
from fabricplan.placement import FIXED_RACK, Sum
from fabricplan.plan import Plan
from fabricplan.renderers.diagram_panel import FILLS, RESERVED, STROKES
from fabricplan.renderers.floor_plan import floor_scene, room_key, tray_csv
from fabricplan.renderers.layout import FAINT, INK, Line, Rect, Scene, Text, fitted, fold, text_width, wrap
from fabricplan.renderers.plain import plain_csv
from fabricplan.renderers.positions import final_stage
from fabricplan.requirement import SiteRack, site_gaps
from fabricplan.schedule import cable_table
from fabricplan.schedule.managers import rack_sides
from fabricplan.stages import final_requirement
from fabricplan.topology import NODE, SWITCH, TIERS
from fabricplan.wording.crews import crew_text

MM_PER_PX = 3.0
UNIT_PX = 44.45 / MM_PER_PX
PANEL_PX = 482.6 / MM_PER_PX
"""Width of a front panel (EIA-310)."""
LINE_RACKS = 10
"""Racks side by side; longer rows go on below."""
FIGURE_RACKS = 6
"""Racks of a figure of the report: so many are read on a page across."""
MARGIN, GAP, HEAD, FOOT = 24.0, 26.0, 22.0, 112.0
BODY, FRAME, EMPTY, TAKEN = "#f5f7fa", "#52606d", "#e4e7eb", "#d9dee4"


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return an elevation per row of racks, the floor plan, the table of its trays, and that of the racks."""
    racks, table = with_later(plan, racks_of(plan)), cable_table(plan)
    sides = rack_sides(plan, table)
    files: dict[str, bytes] = {}
    for row, held in groupby(racks, key=lambda rack: rack.row):
        name = plan.placement.row_name(row)
        scene = elevation_scene(plan, list(held), lang, sides)
        title = crew_text("elevation_title", lang, name=plan.name, row=name)
        files[f"elevations/row-{name}.svg"] = scene.svg(title).encode()
    trays = segments(plan, table)
    title = crew_text("floor_title", lang, name=plan.name)
    files["elevations/floor.svg"] = floor_scene(plan, racks, trays, lang).svg(title).encode()
    files["elevations/trays.csv"] = tray_csv(trays, lang)
    files["elevations/racks.csv"] = rack_csv(plan, racks, lang)
    return files


def with_later(plan: Plan, racks: list[Rack]) -> list[Rack]:
    """Return racks that know what of the later stages of a plan that grows will stand in them."""
    if final_requirement(plan.requirement) is None:
        return racks
    stage, today = final_stage(plan), set(plan.device_names())
    devices, names = stage.topology.devices, stage.placement.rack_names()
    later: dict[str, list[int]] = {}
    rows = zip(stage.names, devices.kind.tolist(), stage.placement.places.rack.tolist(), strict=True)
    for name, kind, rack in rows:
        if name not in today and kind in (NODE, SWITCH):
            later.setdefault(names[rack], [0, 0])[kind == SWITCH] += 1
    return [
        rack._replace(later=(nodes, switches)) for rack in racks for nodes, switches in [later.get(rack.name, (0, 0))]
    ]


def elevation_scene(
    plan: Plan, racks: Sequence[Rack], lang: str, sides: Mapping[str, tuple[int, int]] | None = None
) -> Scene:
    """Return the elevation of one row as a scene; racks stand on one floor, each as wide and high as it is.

    ``sides`` counts by rack the cables that leave its switches to the left and to the right, where that is known.
    """
    scene = Scene()
    places = _places(plan, racks)
    lines = [places[start : start + LINE_RACKS] for start in range(0, len(places), LINE_RACKS)]
    scene.width = 2 * MARGIN + max(sum(_width(_spot(place)) + GAP for place in line) for line in lines)
    scene.width = max(scene.width, 760.0)
    y = _heading(scene, plan, racks, lang)
    for line in lines:
        y = _line(scene, line, y, lang, sides or {})
    y = _key(scene, racks, lang, y)
    scene.height = y + MARGIN
    return scene


class RowFigures(NamedTuple):
    """A row for the report: its name, its sums in one line, and its racks as drawings of ``FIGURE_RACKS`` at most."""

    name: str
    sums: str
    figures: tuple[str, ...]


def row_figures(plan: Plan, racks: Sequence[Rack], lang: str) -> list[RowFigures]:
    """Return the rows of racks as drawings of one width, each for a page across; the last holds the key beside it."""
    found = []
    width = 2 * MARGIN + FIGURE_RACKS * (max(_width(rack.spot) for rack in racks) + GAP)
    for row, held in groupby(racks, key=lambda rack: rack.row):
        mine = list(held)
        places = _places(plan, mine)
        across = -(-len(places) // -(-len(places) // FIGURE_RACKS))
        figures = []
        for start in range(0, len(places), across):
            scene = Scene()
            scene.width = width
            scene.height = _line(scene, places[start : start + across], 0.0, lang, {}, sparse=True)
            figures.append(scene.svg(f"{plan.placement.row_name(row)} {start // across + 1}"))
        found.append(RowFigures(plan.placement.row_name(row), _sums(plan, mine, lang), tuple(figures)))
    key = Scene()
    key.width = width
    key.height = _key(key, racks, lang, 12.0) + 6
    last = found[-1]
    return [*found[:-1], last._replace(figures=(*last.figures, key.svg(plan.name)))]


def _places(plan: Plan, racks: Sequence[Rack]) -> list[Rack | SiteRack]:
    """Return the racks of a row and the places where none stands, by their numbers."""
    gaps = [place for place in site_gaps(plan.requirement.room) if place.row == racks[0].row]
    return sorted([*racks, *gaps], key=lambda place: place.position)


def _line(
    scene: Scene, line: Sequence[Rack | SiteRack], y: float, lang: str, sides: Mapping[str, tuple[int, int]],
    sparse: bool = False,
) -> float:  # fmt: skip
    """Draw racks side by side on one floor, and return where the next line begins."""
    x, floor = MARGIN + GAP, y + HEAD + max(_spot(place).units for place in line) * UNIT_PX
    for place in line:
        if isinstance(place, Rack):
            _rack(scene, place, x, floor, lang, sides.get(place.name), sparse)
        else:
            _gap(scene, place, x, floor, lang)
        x += _width(_spot(place)) + GAP
    return floor + FOOT


def _spot(place: Rack | SiteRack) -> SiteRack:
    return place.spot if isinstance(place, Rack) else place


def _gap(scene: Scene, place: SiteRack, x: float, floor: float, lang: str) -> None:
    """Draw a place at which no rack stands."""
    width, height = _width(place), place.units * UNIT_PX
    scene.text(Text(x + width / 2, floor - height - 7, place.name, 13, "middle", colour=FAINT))
    scene.rect(Rect(x, floor - height, width, height, "none", FRAME, 1, True), "sheet")
    scene.text(Text(x + width / 2, floor - height / 2, crew_text("keep_out", lang), 11, "middle", colour=FAINT))


def _width(place: SiteRack) -> float:
    return max(place.width_mm / MM_PER_PX, PANEL_PX + 2)


def _heading(scene: Scene, plan: Plan, racks: Sequence[Rack], lang: str) -> float:
    inner = scene.width - 2 * MARGIN
    row = plan.placement.row_name(racks[0].row)
    widths = sorted({rack.spot.width_mm for rack in racks})
    y = MARGIN
    for piece in fold(crew_text("elevation_title", lang, name=plan.name, row=row), inner, 18, bold=True):
        y += 18
        scene.text(Text(MARGIN, y, piece, 18, bold=True))
    y += 4
    for text in (
        _sums(plan, racks, lang),
        crew_text(room_key(plan), lang), crew_text("elevation_note", lang, pitch="/".join(map(str, widths))),
        *([crew_text("elevation_faces", lang)] if any(box.face for rack in racks for box in rack.boxes) else ()),
    ):  # fmt: skip
        for piece in fold(text, inner, 11):
            y += 16
            scene.text(Text(MARGIN, y, piece, 11, colour=FAINT))
    return y + 18


def _sums(plan: Plan, racks: Sequence[Rack], lang: str) -> str:
    power = Sum(sum(r.power_max_w.known for r in racks), sum(r.power_max_w.unknown for r in racks))
    weight = Sum(sum(r.weight_kg.known for r in racks), sum(r.weight_kg.unknown for r in racks))
    return crew_text("row_sum", lang, row=plan.placement.row_name(racks[0].row), racks=len(racks),
                     power=told(power, "kW", lang), weight=told(weight, "kg", lang))  # fmt: skip


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


def short(value: Sum) -> str:
    """Return kilowatts without a unit: as known, as a least where boxes lack the fact, or a question mark.

    >>> short(Sum(20400, 0)), short(Sum(20400, 2)), short(Sum(0, 2))
    ('20.4', '≥ 20.4', '?')
    """
    if value.unknown and not value.known:
        return "?"
    return f"{'≥ ' if value.unknown else ''}{value.known / 1000:,.1f}"


def _rack(
    scene: Scene, rack: Rack, x: float, floor: float, lang: str, sides: tuple[int, int] | None,
    sparse: bool,
) -> None:  # fmt: skip
    units, width = rack.spot.units, _width(rack.spot)
    height = units * UNIT_PX
    y, left = floor - height, x + (width - PANEL_PX) / 2
    scene.text(Text(x + width / 2, y - 7, *fitted(rack.name, width, 13, 9, bold=True), "middle", bold=True))
    if rack.kind == FIXED_RACK:
        scene.rect(Rect(x, y, width, height, TAKEN, FRAME, 1), "frame")
        middle = y + height - _widest_gap(rack) * UNIT_PX
        scene.text(Text(x + width / 2, middle, crew_text("fixed_rack", lang), 11, "middle", colour=FAINT))
        for item in rack.panels:
            _panel(scene, item, left, y + height - (item.u - 1) * UNIT_PX, lang)
        if rack.panels:
            scene.text(Text(x, y + height + 14, _panel_units(rack, lang), 10))
        return
    scene.rect(Rect(x, y, width, height, BODY, FRAME, 1), "frame")
    for unit in range(1, units + 1):
        base = y + height - unit * UNIT_PX
        if unit < units:
            scene.line(Line(left, base, left + PANEL_PX, base, EMPTY, 0.5))
        if not sparse or unit == 1 or unit % 5 == 0:
            scene.text(Text(x - 3, base + UNIT_PX * 0.72, str(unit), 7.5, "end", colour=FAINT))
        if unit in rack.spot.reserved and not any(item.u <= unit < item.u + item.height for item in rack.panels):
            scene.rect(Rect(left, base + 0.6, PANEL_PX, UNIT_PX - 1.2, TAKEN, FRAME, 1.2, True))
            scene.text(Text(left + 5, base + UNIT_PX * 0.72, crew_text("reserved_unit", lang), 8, colour=FAINT))
    for item in rack.panels:
        _panel(scene, item, left, y + height - (item.u - 1) * UNIT_PX, lang)
    for box in rack.boxes:
        if box.u is not None:
            _box(scene, box, left, y + height - (box.u - 1) * UNIT_PX, lang)
    told = [crew_text("sides", lang, left=f"{sides[0]:,}", right=f"{sides[1]:,}")] if sides else []
    for number, text in enumerate([*_foot(rack, lang), *told]):
        scene.text(Text(x, y + height + 14 + number * 13, *fitted(text, width + GAP - 4, 10, 7)))


def _foot(rack: Rack, lang: str) -> list[str]:
    """Return the lines below a rack: what it holds and draws, beside its limits."""
    used, spot, load = _used(rack, rack.spot.units, lang), rack.spot, rack.load
    panels = [_panel_units(rack, lang)] if rack.panels else []
    later = _later(rack, lang)
    if not rack.boxes:
        return [used, *panels, *later] if panels or later else [used, crew_text("nothing", lang)]
    power, weight = told(load.power_max_w, "kW", lang), told(load.weight_kg, "kg", lang)
    if spot.power_limit_w:
        power = crew_text("of_limit", lang, value=power, limit=f"{spot.power_limit_w / 1000:,.1f} kW")
    if spot.weight_limit_kg:
        weight = crew_text("of_limit", lang, value=weight, limit=f"{spot.weight_limit_kg:,} kg")
    alone = max(load.alone_a_w, load.alone_b_w)
    lines = [
        used, *panels, *later, crew_text("power_max", lang, value=power),
        crew_text("power_typical", lang, value=told(load.power_typical_w, "kW", lang)),
        crew_text("weight", lang, value=weight),
        crew_text("feeds", lang, a=short(load.feed_a_w), b=short(load.feed_b_w)),
        crew_text("feed_lost_some" if load.lost else "feed_lost", lang, alone=short(alone), lost=load.lost),
    ]  # fmt: skip
    return [*lines[:-2], crew_text("feed_none", lang)] if load.direct == len(rack.boxes) else lines


def _later(rack: Rack, lang: str) -> list[str]:
    counts = zip(("later_nodes", "later_switches"), rack.later, strict=True)
    kept = [crew_text(key, lang, count=count) for key, count in counts if count]
    return [crew_text("later", lang, what=crew_text("later_and", lang).join(kept))] if kept else []


def _panel_units(rack: Rack, lang: str) -> str:
    return crew_text("panel_units", lang, units=len(rack.spot.panels))


def _widest_gap(rack: Rack) -> float:
    """Return the middle, in units from the floor, of the longest piece of a rack without panels."""
    ends = [0, *sorted(rack.spot.panels), rack.spot.units + 1]
    below, above = max(pairwise(ends), key=lambda pair: pair[1] - pair[0])
    return (below + above - 1) / 2


def _used(rack: Rack, units: int, lang: str) -> str:
    used = rack.used_u
    key = "used_u_unknown" if used.unknown else "used_u"
    return crew_text(key, lang, used=int(used.known), total=units, unknown=used.unknown)


def _colours(kind: str) -> tuple[str, str]:
    return (RESERVED, RESERVED) if kind == "host" else (FILLS[TIERS.index(kind)], STROKES[TIERS.index(kind)])


def _box(scene: Scene, box: Box, left: float, bottom: float, lang: str) -> None:
    """Draw a box at its height; one of unknown height is a dashed unit."""
    model = f"{box.model} · {crew_text(f'face_{box.face}', lang)}" if box.face else box.model
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
        for text in dict.fromkeys((model, box.model)):
            if text_width(text, 7.5) + 10 <= free:
                scene.text(Text(left + PANEL_PX - 5, middle + size * 0.36, text, 7.5, "end", colour=FAINT))
                break
        return
    scene.text(Text(left + 5, middle - 1, name, size, bold=True, colour=ink))
    scene.text(Text(left + 5, middle + 11, fold(model, inner, 8)[0], 8, colour=FAINT))


def _panel(scene: Scene, item: PanelBox, left: float, bottom: float, lang: str) -> None:
    """Draw a patch panel with its ports in use."""
    tall = item.height * UNIT_PX
    scene.rect(Rect(left, bottom - tall + 0.6, PANEL_PX, tall - 1.2, BODY, INK, 1))
    middle = bottom - tall / 2 + 3
    scene.text(Text(left + 5, middle, fold(item.name, PANEL_PX - 60, 8)[0], 8, colour=INK))
    used = crew_text("panel_used", lang, used=item.used, ports=item.ports)
    scene.text(Text(left + PANEL_PX - 5, middle, used, 7.5, "end", colour=FAINT))


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


RACK_HEADS = (
    "head_rack", "head_row", "head_units", "head_used", "head_panel_units", "head_reserved", "head_boxes", "head_power",
    "head_power_unknown", "head_power_limit", "head_typical", "head_typical_unknown", "head_feed_a", "head_feed_b",
    "head_alone_a", "head_alone_b", "head_feed_unknown", "head_lost", "head_direct", "head_weight",
    "head_weight_unknown", "head_weight_limit",
)  # fmt: skip


def rack_csv(plan: Plan, racks: Sequence[Rack], lang: str) -> bytes:
    """Return the racks as a table: a sum of what is known, and beside it how many boxes lack the fact; of a plan that
    grows also what the racks are kept for."""
    rows, grows = [], any(any(rack.later) for rack in racks)
    for rack in racks:
        load, spot = rack.load, rack.spot
        watts = [round(item.known) for item in (load.feed_a_w, load.feed_b_w, load.alone_a_w, load.alone_b_w)]
        rows.append((
            rack.name, plan.placement.row_name(rack.row), spot.units, int(rack.used_u.known), len(spot.panels),
            len(spot.reserved - spot.panels), len(rack.boxes), round(load.power_max_w.known), load.power_max_w.unknown,
            spot.power_limit_w, round(load.power_typical_w.known), load.power_typical_w.unknown, *watts,
            load.feed_a_w.unknown, load.lost, load.direct, round(load.weight_kg.known, 1), load.weight_kg.unknown,
            spot.weight_limit_kg, *(rack.later if grows else ()),
        ))  # fmt: skip
    heads = (*RACK_HEADS, *(("head_later_nodes", "head_later_switches") if grows else ()))
    return plain_csv([crew_text(key, lang) for key in heads], rows)
