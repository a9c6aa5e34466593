"""Rack elevations and the floor plan: to scale, unknowns named, trays counted cable by cable."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.crew.site import racks_of, unknowns
from fabricplan.crew.trays import ACROSS, ALONG, Segment, segments
from fabricplan.pipeline import design
from fabricplan.placement import Trays
from fabricplan.plan import Plan
from fabricplan.renderers import render
from fabricplan.renderers.elevations import UNIT_PX, elevation_scene
from fabricplan.renderers.floor_plan import floor_scene
from fabricplan.renderers.layout import Scene
from fabricplan.requirement import parse_requirement
from fabricplan.schedule import cable_rows, cable_table, device_rows, rack_rows
from fabricplan.wording.crew_en import TERMS as EN
from fabricplan.wording.crew_zh import TERMS as ZH
from tests.conftest import PlanOf
from tests.unit.exports import H100
from tests.unit.test_networks import four

SHAPES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"nodes": 32, **H100}, {"rate": "ndr"}),
    ({"nodes": 128}, {"rate": "hdr100"}),
    ({"nodes": 200, **H100}, {"rate": "ndr"}),
    ({"nodes": 128}, {"rate": "xdr"}),
]


def walked(plan: Plan) -> Counter[tuple[str, int, int]]:
    """Return the cables of every segment of the default room, by walking each cable from rack to rack."""
    spot = dict(zip(plan.placement.rack_names(), ((row, at) for row, at, _ in plan.placement.racks.rows()),
                    strict=True))  # fmt: skip
    found: Counter[tuple[str, int, int]] = Counter()
    for row in cable_rows(plan):
        if row.pn is None or row.a_rack == row.z_rack:
            continue
        (line, at), (last, end) = spot[str(row.a_rack)], spot[str(row.z_rack)]
        while at != end:
            step = 1 if end > at else -1
            found[ALONG, line, min(at, at + step)] += 1
            at += step
        while line != last:
            step = 1 if last > line else -1
            found[ACROSS, min(line, line + step), at] += 1
            line += step
    return found


def placed(plan: Plan, found: list[Segment]) -> Counter[tuple[str, int, int]]:
    """Return the cables of segments by row and position, as the default room counts them."""
    pitch = 2 * plan.requirement.room.rack_pitch_mm
    told: Counter[tuple[str, int, int]] = Counter()
    for item in found:  # where a row has no rack, a segment goes on over several positions
        for place in range(item.start_x2, max(item.end_x2, item.start_x2 + pitch), pitch):
            told[item.kind, item.row, place // pitch + 1] += item.cables
    return told


@pytest.mark.parametrize(("group", "fabric"), SHAPES)
def test_every_tray_segment_holds_the_cables_that_pass(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]
) -> None:
    plan = plan_of(group, fabric)
    found = segments(plan, cable_table(plan))
    assert placed(plan, found) == walked(plan)


@pytest.mark.parametrize(("group", "fabric"), SHAPES)
def test_trays_run_over_the_middle_of_the_racks(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    plan = plan_of(group, fabric)
    racks = racks_of(plan)
    middle = {rack.name: 2 * rack.spot.left_mm + rack.spot.width_mm for rack in racks}
    assert Trays(plan.requirement.room, plan.placement.racks).x2.tolist() == list(middle.values())
    found = segments(plan, cable_table(plan))
    assert found
    for item in found:
        assert [item.start_x2, item.end_x2] == [middle.get(name, at) for name, at in (
            (item.one, item.start_x2), (item.two, item.end_x2))]  # fmt: skip


def test_cross_section_is_that_of_the_jackets(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 32, **H100}, {"rate": "ndr"})
    assert {part.kind for part in plan.cabling.cable_parts} == {"fibre"}
    for item in segments(plan, cable_table(plan)):
        assert item.area_mm2 == pytest.approx(item.cables * math.pi * 1.5**2, rel=1e-3)
        assert not item.unmeasured


def test_twisted_pair_is_counted_and_its_cross_section_is_missing_by_name(catalog: Catalog) -> None:
    plan = design(parse_requirement(four(nodes=32, servers=4)), catalog)
    found = segments(plan, cable_table(plan))
    assert placed(plan, found) == walked(plan)
    racks = racks_of(plan)
    texts = [text.text for text in floor_scene(plan, racks, found, "en").texts]
    most = max(item.unmeasured for item in found)
    assert most > 0
    told = f"Up to {most} cables of a segment have no published diameter (twisted pair)"
    assert any(text.startswith(told) for text in texts)
    assert any(text.endswith("+ cm²") for text in texts)


@pytest.mark.parametrize(("group", "fabric"), SHAPES)
def test_sums_of_racks_are_those_of_the_device_list(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]
) -> None:
    plan = plan_of(group, fabric)
    told = {row.rack: row for row in rack_rows(plan, device_rows(plan))}
    for rack in racks_of(plan):
        row = told[rack.name]
        assert sum(len(box.names) for box in rack.boxes) == row.device_count
        assert (rack.used_u.known, rack.power_max_w.known) == (row.used_u or 0, row.power_max_w or 0)


def test_an_unknown_is_named_and_never_nought(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 128}, {"rate": "hdr100"})
    racks = racks_of(plan)
    missing = unknowns(racks)
    assert any(item.model == "QM8700" for item in missing["power_max_w"])
    spines = next(rack for rack in racks if rack.boxes and all(box.kind == "spine" for box in rack.boxes))
    scene = elevation_scene(plan, [spines], "en")
    texts = [text.text for text in scene.texts]
    assert f"power max. not known ({len(spines.boxes)})" in texts
    assert not any("0.0 kW" in text for text in texts)
    assert any(f"highest power of QM8700 × {len(spines.boxes)}" in text for text in texts)


def test_hosts_on_reserved_ports_are_named_by_what_they_are(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 31, **H100}, {"rate": "ndr", "reserve_ports": 4})
    texts = " ".join(text.text for text in elevation_scene(plan, racks_of(plan), "en").texts)
    assert "height (drawn dashed, 1 U) of host on a reserved port × 4" in texts


def test_elevations_are_to_scale(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 32, **H100}, {"rate": "ndr"})
    racks = racks_of(plan)
    scene = elevation_scene(plan, racks, "en")
    drawn = Counter(round((rect.height + 1.2) / UNIT_PX, 3) for rect in scene._rects["box"] if rect.radius == 1.5)
    assert drawn == Counter(float(box.height or 1) for rack in racks for box in rack.boxes)
    frames = scene._rects["frame"]
    assert len(frames) == len(racks)
    ratio = {round(frame.height / frame.width, 2) for frame in frames}
    assert ratio == {round(42 * 44.45 / 600, 2)}


def overlapping(scene: Scene) -> list[tuple[str, str]]:
    boxes = sorted((text.extent(), text.text) for text in scene.texts)
    found = []
    for number, (one, word) in enumerate(boxes):
        for other, far in boxes[number + 1 :]:
            if other[0] >= one[2] - 0.5:
                break
            if other[1] < one[3] - 0.5 and one[1] < other[3] - 0.5:
                found.append((word, far))
    return found


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("group", "fabric"), SHAPES)
def test_no_text_covers_another_or_leaves_the_page(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], lang: str
) -> None:
    plan = plan_of(group, fabric)
    racks = racks_of(plan)
    first = [rack for rack in racks if rack.row == 0]
    for scene in (
        elevation_scene(plan, first, lang),
        floor_scene(plan, racks, segments(plan, cable_table(plan)), lang),
    ):
        assert overlapping(scene) == []
        for text in scene.texts:
            left, top, right, bottom = text.extent()
            assert left >= 0 and top >= 0 and right <= scene.width + 1 and bottom <= scene.height, text


def test_a_file_per_row_and_the_table_of_trays(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 128}, {"rate": "hdr100"})
    files = render(plan, "elevations")
    rows = {name.rstrip("0123456789") for name in plan.placement.rack_names()}
    assert {name for name in files if "row-" in name} == {f"elevations/row-{row}.svg" for row in rows}
    lines = list(csv.DictReader(io.StringIO(files["elevations/trays.csv"].decode())))
    assert sum(int(line["cables"]) for line in lines) == sum(walked(plan).values())
    assert files == render(plan, "elevations")


def test_both_languages_say_the_same_things() -> None:
    assert EN.keys() == ZH.keys()
    for key, text in EN.items():
        fields = {re.split("[:}]", piece)[0] for piece in text.split("{")[1:]}
        assert fields == {re.split("[:}]", piece)[0] for piece in ZH[key].split("{")[1:]}, key


HALLS: dict[str, Any] = {
    "rows": [
        {"name": "A", "racks": 10, "units": 48, "keep_out": [5]},
        {"name": "B", "racks": 9, "y_mm": 3600, "numbers": "right", "pitch_mm": 800, "units": 52},
    ],
    "racks": [{"row": "A", "position": 1, "reserved": ["1-3"]}, {"row": "A", "position": 2, "kind": "fixed"}],
    "rack_power_limit_w": 45_000,
}
CROSSED = {**HALLS, "crossings": [{"x_mm": -400}, {"x_mm": 7500}], "tray": "under-floor"}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("room", [HALLS, CROSSED], ids=["overhead", "crossings"])
def test_the_customers_room_is_drawn_as_it_is(plan_of: PlanOf, room: dict[str, Any], lang: str) -> None:
    plan = plan_of({"nodes": 32, **H100}, {"rate": "ndr"}, room=room)
    racks = racks_of(plan)
    trays = segments(plan, cable_table(plan))
    for row, units, width in ((0, 48, 600), (1, 52, 800)):
        scene = elevation_scene(plan, [rack for rack in racks if rack.row == row], lang)
        frames = scene._rects["frame"]
        assert {round(frame.height / UNIT_PX) for frame in frames} == {units}
        assert {round(frame.height / frame.width, 2) for frame in frames} == {round(units * 44.45 / width, 2)}
        assert len({frame.bottom for frame in frames}) == 1, "all stand on one floor"
        texts = [text.text for text in scene.texts]
        assert texts.count(("reserved", "预留")[lang == "zh"]) == (3 if row == 0 else 0)
        assert texts.count(("other equipment", "已有设备")[lang == "zh"]) == (1 if row == 0 else 0)
        assert texts.count(("no rack", "不设机柜")[lang == "zh"]) == (1 if row == 0 else 0)
        assert any("40.8 kW" in text and "45.0 kW" in text for text in texts) == any(
            rack.boxes and rack.boxes[0].kind == "node" for rack in racks if rack.row == row
        )
        assert overlapping(scene) == []
    scene = floor_scene(plan, racks, trays, lang)
    for text in scene.texts:
        left, top, right, bottom = text.extent()
        assert left >= 0 and top >= 0 and right <= scene.width + 1 and bottom <= scene.height, text


@pytest.mark.parametrize("names", [("EASTHALL", "WESTHALL"), ("东区一号机房甲", "东区一号机房乙")])
def test_long_names_stay_in_their_place_on_the_floor(plan_of: PlanOf, names: tuple[str, str]) -> None:
    """Rows beside one another, behind one another, and narrow racks: no word covers another or leaves its rack."""
    rows = [{"name": names[0], "racks": 6, "units": 48, "pitch_mm": 600},
            {"name": names[1], "racks": 5, "units": 48, "x_mm": 3700, "y_mm": 0},
            {"name": "C", "racks": 3, "first": 100, "y_mm": 2400}]  # fmt: skip
    plan = plan_of({"nodes": 32, **H100}, {"rate": "ndr"}, room={"rows": rows, "rack_pitch_mm": 600})
    racks = racks_of(plan)
    scene = floor_scene(plan, racks, segments(plan, cable_table(plan)), "zh")
    assert overlapping(scene) == []
    boxes = [rect for rect in scene._rects["box"] if abs(rect.width - 44) < 0.1 and rect.height > 60]
    assert len(boxes) == len(racks)
    for text in scene.texts:
        left, _, right, _ = text.extent()
        assert left >= 0 and right <= scene.width + 1, text
        inside = [box for box in boxes if box.y < text.y < box.bottom and left < box.x + box.width and right > box.x]
        assert all(left >= box.x and right <= box.x + box.width for box in inside), text
    assert overlapping(elevation_scene(plan, [rack for rack in racks if rack.row == 1], "zh")) == []


def test_racks_kept_for_later_stages_are_not_told_as_empty(plan_of: PlanOf) -> None:
    """What is kept beside what stands is what the whole of the plan has."""
    asked = {"rate": "ndr"}
    today, whole = (
        plan_of({"nodes": count, **H100, **more}, asked) for count, more in ((12, {"grow_to": 40}), (40, {}))
    )
    files = render(today, "elevations")
    rows = list(csv.DictReader(io.StringIO(files["elevations/racks.csv"].decode())))
    kept = [sum(int(row[f"{word} of later stages"]) for row in rows) for word in ("nodes", "switches")]
    assert kept == [28, len(whole.topology.devices) - 40 - (len(today.topology.devices) - 12)] and kept[1] > 0
    shown = "".join(data.decode() for name, data in files.items() if "row-" in name)
    assert shown.count("kept for later stages: 4 nodes") >= 6 and ">empty<" not in shown
    assert "nodes of later stages" not in render(whole, "elevations")["elevations/racks.csv"].decode()


@pytest.mark.parametrize("room", [HALLS, CROSSED], ids=["any-place", "crossings"])
def test_tray_metres_are_the_runs_of_the_cables(plan_of: PlanOf, room: dict[str, Any]) -> None:
    """Cables times length of every segment is what the cables run between their racks, by the length formula."""
    plan = plan_of({"nodes": 32, **H100}, {"rate": "ndr"}, room=room)
    floor = Trays(plan.requirement.room, plan.placement.racks)
    rack, links = plan.placement.places.wide("rack"), plan.topology.links
    run = floor.runs(rack[links.wide("lower")], rack[links.wide("upper")])
    laid = 0
    for item in segments(plan, cable_table(plan)):
        across = abs(int(floor.row_y2[item.row] - floor.row_y2[item.other]))
        laid += item.cables * (abs(item.end_x2 - item.start_x2) + across)
    assert laid == int(run.sum()) > 0
