"""Rooms of all kinds: a plan either stands within every limit of its room, or is refused for lack of place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricplan.catalog import Catalog
from fabricplan.crew.trays import segments
from fabricplan.errors import InfeasibleError
from fabricplan.pipeline import design
from fabricplan.placement import Trays
from fabricplan.plan import dumps, loads
from fabricplan.readers.positions import read_positions
from fabricplan.renderers import render
from fabricplan.requirement import parse_requirement, site_racks
from fabricplan.schedule import cable_table
from tests.conftest import request
from tests.properties.invariants import assert_sound
from tests.unit.test_room_filling import assert_within_limits

GROUPS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"platform": "dgx-h100"}, {"rate": "ndr"}),
    ({"platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 2, "airflow": "C2P"}),
    ({}, {"rate": "hdr"}),
    ({"platform": "dgx-b300"}, {"rate": "xdr"}),
    ({"platform": "dgx-h100"}, {"rate": "400", "technology": "roce"}),
]


@st.composite
def rooms(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a room of one to four rows."""
    rows, racks, y = [], [], 0
    for name in "ABCD"[: draw(st.integers(1, 4))]:
        count = draw(st.integers(3, 18))
        row: dict[str, Any] = {
            "name": name, "racks": count, "first": draw(st.sampled_from([1, 11])), "y_mm": y,
            "numbers": draw(st.sampled_from(["left", "right"])), "x_mm": draw(st.integers(0, 3000)),
            "units": draw(st.sampled_from([42, 48, 52])), "pitch_mm": draw(st.sampled_from([600, 800])),
        }  # fmt: skip
        places = st.integers(row["first"], row["first"] + count - 1)
        row["keep_out"] = draw(st.lists(places, max_size=2, unique=True))
        if len(row["keep_out"]) == count:
            row["keep_out"] = []
        for at in draw(st.lists(places, max_size=3, unique=True)):
            kinds = st.sampled_from(["any", "node", "network", "fixed"])
            racks.append({"row": name, "position": at, "kind": draw(kinds),
                          "reserved": draw(st.sampled_from([[], [1], ["1-2", 42], ["20-21"]]))})  # fmt: skip
        rows.append(row)
        y += draw(st.sampled_from([2400, 3000, 4500]))
    room: dict[str, Any] = {"rows": rows, "racks": racks}
    for field, words in (
        ("leaves", ["unit", "top-of-rack", "middle-of-row"]), ("tray", ["under-floor"]), ("dressing", ["tight"]),
        ("rack_power_limit_w", [22_000, 45_000]), ("rack_weight_limit_kg", [450]),
        ("crossings", [[{"x_mm": 0}, {"x_mm": 9000}]]),
    ):  # fmt: skip
        if draw(st.booleans()):
            room[field] = draw(st.sampled_from(words))
    return room


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(room=rooms(), nodes=st.integers(1, 48), kind=st.sampled_from(GROUPS))
def test_a_plan_stands_within_its_room_or_is_refused(
    catalog: Catalog, room: dict[str, Any], nodes: int, kind: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    group, fabric = kind
    data = request({"nodes": nodes, **group}, fabric, room=room)
    asked = parse_requirement(data)
    try:
        plan = design(asked, catalog)
    except InfeasibleError as caught:
        assert caught.code == "room-too-small"
        limited = any(field in room for field in ("rack_power_limit_w", "rack_weight_limit_kg"))
        if not limited and not any(rack["kind"] != "any" for rack in room["racks"]):
            # four nodes to a rack, units apart, and every switch in a rack of its own would fit
            assert len(site_racks(asked.room)) < nodes // 4 + 16
        return
    assert_sound(plan)
    assert_within_limits(plan, catalog)
    assert not [item for item in plan.findings if item.severity == "error" and item.code.startswith(("rack", "air"))]
    assert loads(dumps(plan)) == plan
    told = read_positions(render(plan, "positions")["positions.csv"], "p.csv")
    again = design(parse_requirement({**data, "positions": told}), catalog)
    assert (again.placement, again.cabling) == (plan.placement, plan.cabling)
    floor, links = Trays(asked.room, plan.placement.racks), plan.topology.links
    rack = plan.placement.places.wide("rack")
    laid = sum(item.cables * (item.end_x2 - item.start_x2 + abs(int(floor.row_y2[item.row] - floor.row_y2[item.other])))
               for item in segments(plan, cable_table(plan)))  # fmt: skip
    cabled = plan.cabling.links.cable >= 0
    assert laid == int(floor.runs(rack[links.wide("lower")], rack[links.wide("upper")])[cabled].sum())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_pictures_of_a_room_are_the_same_bytes_each_time(catalog: Catalog, lang: str) -> None:
    rows = [{"name": "A", "racks": 9}, {"name": "B", "racks": 9, "numbers": "right"}]
    plan = design(parse_requirement(request({"nodes": 20}, {"rate": "ndr"}, room={"rows": rows})), catalog)
    assert render(plan, "elevations", lang) == render(plan, "elevations", lang)
