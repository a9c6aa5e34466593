"""Large rooms: ways over crossings by a grid, held to the search of Floyd and Warshall; filling with few trials."""

from __future__ import annotations

import itertools
import random
import time
from typing import Any

import numpy as np
import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import RequirementError
from fabricplan.pipeline import design
from fabricplan.placement import Racks, Trays
from fabricplan.placement.bays import Bay, Load
from fabricplan.placement.filling import Filling
from fabricplan.plan import Plan
from fabricplan.requirement import RoomSettings, parse_requirement, site_racks
from tests.conftest import request

FAR = 1 << 40
H100 = {"platform": "dgx-h100"}


def floor_of(room: RoomSettings) -> Trays:
    racks = site_racks(room)
    return Trays(room, Racks(row=[rack.row for rack in racks], position=[rack.position for rack in racks],
                             kind=[0] * len(racks)))  # fmt: skip


def ways(room: RoomSettings) -> tuple[list[tuple[int, int, int]], list[list[int]], list[list[int]]]:
    """Return stops (row, doubled x, crossing), ways and next stops: by Floyd and Warshall, stop by stop."""
    names = [row.name for row in room.rows or ()]
    y = {rack.row: 2 * rack.y_mm for rack in site_racks(room)}
    stops = [(names.index(name), 2 * item.x_mm, number) for number, item in enumerate(room.crossings or ())
             for name in item.rows or names]  # fmt: skip
    size = range(len(stops))
    way = [[FAR] * len(stops) for _ in size]
    for (i, one), (j, two) in itertools.product(enumerate(stops), repeat=2):
        if one[0] == two[0]:
            way[i][j] = abs(one[1] - two[1])
        if one[2] == two[2]:
            way[i][j] = min(way[i][j], abs(y[one[0]] - y[two[0]]))
    following = [list(size) for _ in size]
    for k, i, j in itertools.product(size, repeat=3):
        if way[i][k] + way[k][j] < way[i][j]:
            way[i][j], following[i][j] = way[i][k] + way[k][j], following[i][k]
    return stops, way, following


@pytest.mark.parametrize("seed", range(12))
def test_ways_over_a_grid_are_those_of_the_full_search(seed: int) -> None:
    """Rows and crossings at equal distances have many shortest ways: the same one is taken."""
    dice = random.Random(seed)
    names = [f"R{number}" for number in range(dice.randint(2, 5))]
    y = [2400 * number for number in range(len(names))]
    dice.shuffle(y)
    crossings: list[dict[str, Any]] = [{"x_mm": dice.choice([0, 600, 3000])}]
    for _ in range(dice.randint(1, 4)):
        few = dice.sample(names, dice.randint(1, len(names)))
        crossings.append({"x_mm": dice.choice([0, 600, 1200, 3000, 4200]),
                          **({"rows": few} if dice.random() < 0.6 else {})})  # fmt: skip
    dice.shuffle(crossings)
    room = RoomSettings.model_validate({
        "rows": [{"name": name, "racks": 5, "y_mm": place} for name, place in zip(names, y, strict=True)],
        "crossings": crossings,
    })  # fmt: skip
    floor, racks = floor_of(room), site_racks(room)
    stops, way, following = ways(room)
    pairs = [(a, b) for a in range(len(racks)) for b in range(len(racks)) if racks[a].row != racks[b].row]
    runs = floor.runs(*(np.array(column) for column in zip(*pairs, strict=True))).tolist()
    for (a, b), run in zip(pairs, runs, strict=True):
        found = [(abs(stops[i][1] - racks[a].x2_mm) + way[i][j] + abs(stops[j][1] - racks[b].x2_mm), i, j)
                 for i, j in itertools.product(range(len(stops)), repeat=2)
                 if stops[i][0] == racks[a].row and stops[j][0] == racks[b].row]  # fmt: skip
        best, stop, last = min(found)
        assert run == best
        path = [stop]
        while path[-1] != last:
            path.append(following[path[-1]][last])
        turns = [(stops[one][0], stops[two][0], stops[one][1], stops[two][1]) for one, two in itertools.pairwise(path)]
        wanted = [(racks[a].row, racks[a].row, racks[a].x2_mm, stops[stop][1]), *turns,
                  (racks[b].row, racks[b].row, stops[last][1], racks[b].x2_mm)]  # fmt: skip
        assert [tuple(leg) for leg in floor.legs(a, b)] == [
            leg for leg in wanted if leg[0] != leg[1] or leg[2] != leg[3]
        ]


def test_rows_without_racks_join_nothing() -> None:
    """Such a row has no tray: crossings that meet only there were no way, and cables of a million kilometres."""
    rows = [{"name": "A", "racks": 4}, {"name": "B"}, {"name": "C", "racks": 4}]
    over_b = [{"x_mm": 0, "rows": ["A", "B"]}, {"x_mm": 600, "rows": ["B", "C"]}]
    for crossings in (over_b, [{"x_mm": 0, "rows": ["B"]}]):
        with pytest.raises(RequirementError, match="no tray joins row C with row A"):
            parse_requirement(request({"nodes": 4}, {"rate": "ndr"}, room={"rows": rows, "crossings": crossings}))
    joined = RoomSettings.model_validate({"rows": rows, "crossings": [{"x_mm": 0, "rows": ["A", "C"]}]})
    assert floor_of(joined).runs(np.array([0]), np.array([4])).tolist() == [2 * (300 + 4800 + 300)]


def test_eighty_rows_with_sixteen_crossings(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    plain = Trays.__init__

    def counted(self: Trays, *args: Any) -> None:
        built.append(1)
        plain(self, *args)

    monkeypatch.setattr(Trays, "__init__", counted)
    room = {"rows": [{"name": f"R{number:02}", "racks": 10} for number in range(80)],
            "crossings": [{"x_mm": 300 + 350 * number} for number in range(16)]}  # fmt: skip
    begun = time.perf_counter()
    plan = design(parse_requirement(request({"nodes": 64, **H100}, {"rate": "ndr"}, room=room)), catalog)
    assert time.perf_counter() - begun < 3
    assert isinstance(plan, Plan) and len(built) == 1


def test_the_central_racks_are_not_tried_one_by_one(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty racks of spines: fewer than their units fill are not tried."""
    tried: list[int] = []
    plain = Filling._stacked

    def counted(self: Filling, loads: Any, bays: Any, racks: Any) -> Any:
        if loads is self.central:
            tried.append(len(racks))
        return plain(self, loads, bays, racks)

    monkeypatch.setattr(Filling, "_stacked", counted)
    rows = [{"name": f"R{number:02}", "racks": 40, "units": 20} for number in range(16)]
    room = {"rows": rows, "nodes_per_rack": 2, "leaves": "top-of-rack"}
    plan = design(parse_requirement(request({"nodes": 512, **H100}, {"rate": "ndr"}, room=room)), catalog)
    # the last time is the placing itself
    assert tried and min(tried) >= 4 and len(tried) <= 4
    assert len(set(plan.placement.places.rack[plan.topology.devices.tier > 1].tolist())) == tried[-1]


def test_a_bay_finds_the_lowest_and_the_highest_place() -> None:
    racks = site_racks(RoomSettings.model_validate({
        "rows": [{"name": "A", "racks": 1, "units": 12}],
        "racks": [{"row": "A", "position": 1, "reserved": [1, "5-6"]}],
    }))  # fmt: skip
    bay = Bay(racks[0])
    free = {2, 3, 4, 7, 8, 9, 10, 11, 12}
    for height in range(1, 8):
        starts = [u for u in range(1, 13) if set(range(u, u + height)) <= free]
        assert bay.unit_for(height, top=False) == (min(starts) if starts else None)
        assert bay.unit_for(height, top=True) == (max(starts) if starts else None)
    box = Load((0,), 3, None, None, False)
    assert [bay.put(box, top=True), bay.put(box, top=False), bay.put(box, top=True), bay.put(box, top=False)] == [
        10, 2, 7, None]  # fmt: skip
    assert bay.why == "units"
