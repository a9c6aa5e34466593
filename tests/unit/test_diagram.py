"""The drawings: complete, readable, self-contained, and in agreement with the plan's counts."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import pytest

from fabricplan.catalog import Catalog
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.renderers import diagram_dot, diagram_svg
from fabricplan.renderers.diagram_frames import panels
from fabricplan.renderers.layout import Scene, Text
from fabricplan.requirement import parse_requirement
from fabricplan.topology import SWITCH
from tests.conftest import request as request_of

CASES: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "one switch": ({"nodes": 20, "ports": 1}, {"rate": "hdr"}),
    "two rails a leaf": ({"gpus": 128}, {"rate": "ndr"}),
    "reserved ports": ({"nodes": 127, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 4}),
    "single-leaf units": ({"nodes": 600, "ports": 1}, {"rate": "edr"}),
    "many units": ({"nodes": 1024}, {"rate": "xdr"}),
    "pods of rails": ({"nodes": 512, "platform": "dgx-h100"}, {"rate": "ndr"}),
    "reserved ports under pods": ({"nodes": 496, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 2}),
    "reserved ports of planes": (
        {"nodes": 60, "platform": "dgx-h100"},
        {"rate": "ndr", "planes": 2, "reserve_ports": 2},
    ),
    "pods of units": ({"nodes": 448, "platform": "dgx-h100"}, {"rate": "ndr"}),
    "uneven units": ({"nodes": 128}, {"rate": "hdr"}),
    "dual plane": ({"nodes": 64, "platform": "dgx-b300"}, {"rate": 400, "technology": "roce", "planes": 2}),
    "rail planes": ({"nodes": 512, "platform": "dgx-h100"}, {"rate": "ndr", "planes": "rail"}),
    "planes too many to draw": ({"nodes": 2048, "platform": "dgx-h100"}, {"rate": "ndr", "planes": "rail", "tiers": 3}),
    "growth": ({"nodes": 64, "grow_to": 512, "platform": "dgx-h100"}, {"rate": "ndr"}),
    "oversubscribed": ({"nodes": 128, "platform": "dgx-h100"}, {"rate": "ndr", "oversubscription": ["2:1"]}),
}
TWO_FABRICS = {
    "name": "AI 集群 <&> 一期",
    "groups": [{"nodes": 64, "platform": "dgx-h100"}, {"name": "store", "nodes": 16, "platform": "wekapod-nitro"}],
    "fabrics": [
        {"rate": "ndr"},
        {"name": "storage", "network": "storage", "rate": "ndr", "attach": "spread", "attached": [
            {"group": "node", "ports_per_node": 2}, {"group": "store", "ports_per_node": 2}]},
    ],
}  # fmt: skip
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def plans(catalog: Catalog) -> dict[str, Plan]:
    made = {name: design(parse_requirement(request_of(*case)), catalog) for name, case in CASES.items()}
    return {**made, "two fabrics": design(parse_requirement(TWO_FABRICS), catalog)}


def overlapping(scene: Scene) -> list[tuple[str, str]]:
    """Return pairs of texts whose boxes overlap by more than a hair."""
    boxes = sorted(((text.extent(), text.text) for text in scene.texts), key=lambda item: item[0])
    found = []
    for place, (a, first) in enumerate(boxes):
        for b, second in boxes[place + 1 :]:
            if b[0] >= a[2] - 0.5:
                break
            if a[1] < b[3] - 0.5 and b[1] < a[3] - 0.5:
                found.append((first, second))
    return found


def bundle_labels(scene: Scene) -> list[int]:
    """Return the counts that stand on bundles (bold; totals at the left and in the legend are not)."""
    counts = [re.match(r"([\d,]+) links?\b", text.text) for text in scene.texts if text.bold]
    return [int(match[1].replace(",", "")) for match in counts if match]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", [*CASES, "two fabrics"])
def test_texts_stay_apart_and_on_the_page(plans: dict[str, Plan], name: str, lang: str) -> None:
    scene = diagram_svg.scene(plans[name], lang)
    assert overlapping(scene) == []
    for text in scene.texts:
        left, top, right, bottom = text.extent()
        assert left >= 0 and top >= 0 and right <= scene.width and bottom <= scene.height, text.text
        assert text.size >= 9
    assert scene.width <= 1300


def test_overlap_is_seen() -> None:
    scene = Scene()
    scene.text(Text(0, 10, "spine-01"))
    scene.text(Text(20, 12, "spine-02"))
    assert overlapping(scene) == [("spine-01", "spine-02")]


@pytest.mark.parametrize("name", [*CASES, "two fabrics"])
def test_svg_is_well_formed_self_contained_and_repeats(plans: dict[str, Plan], name: str) -> None:
    plan = plans[name]
    data = diagram_svg.render(plan, "en")["topology.svg"]
    root = ElementTree.fromstring(data)
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title") == plan.name
    assert len(data) < 2_000_000
    outside = data.replace(b"http://www.w3.org/2000/svg", b"")
    assert b"http" not in outside and b"href" not in outside and b"<script" not in outside
    assert diagram_svg.render(plan, "en")["topology.svg"] == data


@pytest.mark.parametrize(
    "name", ["two rails a leaf", "reserved ports", "single-leaf units", "dual plane", "two fabrics"]
)
def test_every_switch_is_named_where_there_is_room(plans: dict[str, Plan], name: str) -> None:
    plan = plans[name]
    names, kinds = plan.device_names(), plan.topology.devices.kind.tolist()
    switches = [device for device, kind in zip(names, kinds, strict=True) if kind == SWITCH]
    shown = [text.text for text in diagram_svg.scene(plan, "en").texts]
    assert len(switches) > 5
    assert [device for device in switches if shown.count(device) != 1] == []


def test_a_320_switch_fabric_tells_ranges_of_names(plans: dict[str, Plan]) -> None:
    shown = {text.text for text in diagram_svg.scene(plans["pods of rails"], "en").texts}
    assert {"spine-pod03-01", "… spine-pod03-16", "Pod 3 · rail 2", "leaf-su001-r2", "… leaf-su016-r2"} <= shown
    assert "64 x QM9700" in shown and "128 x QM9700" in shown


@pytest.mark.parametrize("name", [*CASES, "two fabrics"])
def test_counts_on_bundles_add_up(plans: dict[str, Plan], name: str) -> None:
    plan = plans[name]
    expected = 0
    for panel in panels(plan):
        sizing, drawn = panel.sizing, [0, 0, 0]
        for bundle in panel.bundles:
            drawn[bundle.role] += bundle.links
        planes = sizing.planes // len(panel.planes)
        totals = [sizing.node_leaf_links, sizing.leaf_spine_links, sizing.spine_core_links]
        assert [count * planes for count in drawn] == totals
        expected += sum(drawn)
    assert sum(bundle_labels(diagram_svg.scene(plan, "en"))) == expected


def test_reserved_ports_are_marked(plans: dict[str, Plan]) -> None:
    texts = [text.text for text in diagram_svg.scene(plans["reserved ports"], "en").texts]
    assert "4 reserved ports" in texts
    assert "reserved-01 … reserved-04" in texts
    assert sum(sum(frame.reserved) for frame in panels(plans["reserved ports"])[0].frames) == 4


def test_one_plane_stands_for_all_where_there_are_many(plans: dict[str, Plan]) -> None:
    plan = plans["planes too many to draw"]
    assert len(panels(plan)[0].planes) == 1
    assert "Plane 1 · rail 0, drawn for each of the 8 planes" in {
        text.text for text in diagram_svg.scene(plan, "en").texts
    }


def test_long_names_are_folded(plan_of: Any) -> None:
    plan = plan_of({"nodes": 2, "ports": 1}, {"rate": "ndr"}, name="极" * 80)
    scene = diagram_svg.scene(plan, "zh")
    assert overlapping(scene) == []
    assert sum(text.text.count("极") for text in scene.texts) == 80
    assert max(text.extent()[2] for text in scene.texts) <= scene.width


@pytest.mark.parametrize("name", [*CASES, "two fabrics"])
def test_dot_holds_counts_and_names(plans: dict[str, Plan], name: str) -> None:
    plan = plans[name]
    source = diagram_dot.render(plan, "en")["topology.dot"]
    assert diagram_dot.render(plan, "en")["topology.dot"] == source
    labels = re.findall(r'label="([\d,]+) links?\\n', source.decode())
    drawn = sum(bundle.links for panel in panels(plan) for bundle in panel.bundles)
    assert sum(int(label.replace(",", "")) for label in labels) == drawn
    if name == "reserved ports":
        assert source.count(b'<td port="leaf-') == 32 and source.count(b'<td port="spine-') == 16


@pytest.mark.oracle
@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz (dot) is not installed")
@pytest.mark.parametrize("name", [*CASES, "two fabrics"])
def test_dot_is_accepted_by_graphviz(plans: dict[str, Plan], name: str) -> None:
    source = diagram_dot.render(plans[name], "zh")["topology.dot"]
    done = subprocess.run(["dot", "-Tsvg"], input=source, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    ElementTree.fromstring(done.stdout)


def test_hostile_name_is_only_text(plan_of: Any) -> None:
    hostile = '</svg><script>alert(1)</script>"\\l<b>'
    plan = plan_of({"nodes": 2, "ports": 1}, {"rate": "ndr"}, name=hostile)
    root = ElementTree.fromstring(diagram_svg.render(plan, "en")["topology.svg"])
    assert root.findtext(f"{SVG}title") == hostile
    assert not [element for element in root.iter() if element.tag.endswith("script")]


@pytest.mark.parametrize("nodes", [40, 1000])
def test_every_switch_that_is_drawn_stands_in_the_plan(catalog: Catalog, nodes: int) -> None:
    """Leaves that share a rail have letters, also where a frame names its first and last only."""
    group = {"nodes": nodes, "platform": "dgx-b300"}
    plan = design(parse_requirement(request_of(group, {"rate": 400, "technology": "roce"})), catalog)
    known = set(plan.device_names())
    assert any(name.endswith("r0a") for name in known)
    for drawing in (diagram_svg.render(plan, "en"), diagram_dot.render(plan, "en")):
        text = b"".join(drawing.values()).decode()
        drawn = set(re.findall(r"\b(?:leaf|spine|core)-(?:su\d|p\d|g\d|\d)[\w-]*", text))
        assert drawn and drawn <= known, sorted(drawn - known)[:5]
