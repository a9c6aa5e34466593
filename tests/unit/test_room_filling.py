"""The room is filled by policy: units together, spines central, within every limit; growth moves nothing."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError
from fabricplan.pipeline import design
from fabricplan.placement import NETWORK_RACK, standing
from fabricplan.plan import Plan
from fabricplan.requirement import parse_requirement
from fabricplan.topology import HOST, LEAF, NODE, SPINE, SWITCH
from fabricplan.wording.problems import problem_text
from tests.conftest import PlanOf, request
from tests.properties.invariants import assert_places, assert_sound

H100 = {"platform": "dgx-h100"}
ROWS = [{"name": name, "racks": 20, "units": 48, "keep_out": [7]} for name in "ABCDEF"]


def racks_by(plan: Plan, kind: int, tier: int) -> dict[int, set[int]]:
    """Return unit -> racks of its devices of a kind and tier."""
    devices, rack = plan.topology.devices, plan.placement.places.rack
    found: dict[int, set[int]] = defaultdict(set)
    for row in np.flatnonzero((devices.kind == kind) & (devices.tier == tier)).tolist():
        found[int(devices.unit[row])].add(int(rack[row]))
    return found


def assert_within_limits(plan: Plan, catalog: Catalog) -> None:
    """Recount units, power, weight and airflow of every rack from the catalogue."""
    devices, places = plan.topology.devices, plan.placement.places
    site = standing(plan.placement, plan.requirement.room)
    power, weight, seen = defaultdict(float), defaultdict(float), set()
    flows: dict[int, set[str]] = defaultdict(set)
    for row, (rack, u, height) in enumerate(places.rows()):
        item, box = plan.topology.device_types[int(devices.type[row])], int(devices.box[row])
        assert site[rack].kind != "fixed"
        assert not site[rack].reserved & set(range(u, u + max(height, 1)))
        if item.kind == "host" or (box >= 0 and box in seen):
            continue
        seen.add(box)
        entry = catalog.platform(item.key) if item.kind == "platform" else catalog.switch(item.key)
        power[rack] += entry.power_max_w or 0
        weight[rack] += entry.weight_kg or 0
        if devices.kind[row] == SWITCH:
            pn = plan.fabrics[int(devices.fabric[row])].pn_of(item.key)
            flows[rack] |= {form.airflow or "" for form in catalog.switch(item.key).variants if form.pn == pn} - {""}
        kinds = {"node": {NODE}, "network": {SWITCH, HOST}}.get(site[rack].kind)
        assert kinds is None or devices.kind[row] in kinds
    for rack, spot in enumerate(site):
        assert power[rack] <= (spot.power_limit_w or float("inf"))
        assert power[rack] <= (spot.feed_limit_w or float("inf"))
        assert weight[rack] <= (spot.weight_limit_kg or float("inf"))
        assert len(flows[rack]) <= 1
    assert_places(plan)


@pytest.mark.parametrize("nodes", [8, 40, 100, 256])
@pytest.mark.parametrize("leaves", ["unit", "top-of-rack", "middle-of-row"])
def test_units_stay_together_and_spines_are_central(plan_of: PlanOf, catalog: Catalog, leaves: str, nodes: int) -> None:
    plan = plan_of({"nodes": nodes, **H100}, {"rate": "ndr"}, room={"rows": ROWS, "leaves": leaves})
    assert_sound(plan)
    assert_within_limits(plan, catalog)
    site = standing(plan.placement, plan.requirement.room)
    nodes_of, leaves_of = racks_by(plan, NODE, 0), racks_by(plan, SWITCH, LEAF)
    owners: dict[int, set[int]] = defaultdict(set)
    for unit, racks in nodes_of.items():
        assert len({site[rack].row for rack in racks}) == 1, "eight racks fit a row: the unit is not broken over two"
        for rack in racks:
            owners[rack].add(unit)
        if leaves == "top-of-rack":
            assert leaves_of[unit] <= racks
        else:
            assert {site[rack].row for rack in leaves_of[unit]} == {site[rack].row for rack in racks}
    assert all(len(units) == 1 for units in owners.values())
    busy = sorted(owners)
    middle = np.mean([[site[rack].x2_mm / 2, site[rack].y_mm] for rack in busy], axis=0)
    span = np.ptp([[site[rack].x2_mm / 2, site[rack].y_mm] for rack in busy], axis=0)
    for racks in racks_by(plan, SWITCH, SPINE).values():
        for rack in racks:
            off = np.abs(np.array([site[rack].x2_mm / 2, site[rack].y_mm]) - middle)
            # in the middle half of what the nodes cover, or within two racks or a row of its centre
            assert (off <= np.maximum(span / 4, [1800, 2400])).all()
            assert plan.placement.racks.kind[rack] == NETWORK_RACK


def test_leaves_go_to_the_tops_of_their_racks_one_each(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, **H100}, {"rate": "ndr"}, room={"rows": ROWS, "leaves": "top-of-rack"})
    devices, places = plan.topology.devices, plan.placement.places
    leaf = np.flatnonzero((devices.kind == SWITCH) & (devices.tier == LEAF))
    assert np.unique(places.rack[leaf], return_counts=True)[1].tolist() == [1] * 16
    assert set(places.u[leaf].tolist()) == {48}


def test_all_leaves_of_a_row_stand_in_its_middle(plan_of: PlanOf) -> None:
    rows = [{"name": name, "racks": 20} for name in "AB"]
    plan = plan_of({"nodes": 128, **H100}, {"rate": "ndr"}, room={"rows": rows, "leaves": "middle-of-row"})
    site = standing(plan.placement, plan.requirement.room)
    used: dict[int, list[int]] = defaultdict(list)
    for rack in np.unique(plan.placement.places.rack).tolist():
        used[site[rack].row].append(site[rack].position)
    for unit, racks in racks_by(plan, SWITCH, LEAF).items():
        (rack,) = racks
        positions = used[site[rack].row]
        assert abs(site[rack].position - (min(positions) + max(positions)) / 2) <= 2, unit


def test_network_racks_of_the_room_take_all_switches(plan_of: PlanOf, catalog: Catalog) -> None:
    racks = [{"row": row, "position": at, "kind": "network"} for row in "AB" for at in (5, 15)]
    rows = [{"name": name, "racks": 20, "kind": "node"} for name in "AB"]
    room = {"rows": rows, "racks": racks}
    plan = plan_of({"nodes": 100, **H100}, {"rate": "ndr", "reserve_ports": 4}, room=room)
    assert_sound(plan)
    assert_within_limits(plan, catalog)
    names = plan.placement.rack_names()
    held = {names[rack] for rack in plan.placement.places.rack[plan.topology.devices.kind != NODE].tolist()}
    assert held <= {"A05", "A15", "B05", "B15"}
    site = standing(plan.placement, plan.requirement.room)
    for unit, own in racks_by(plan, SWITCH, LEAF).items():
        nodes = racks_by(plan, NODE, 0)[unit]
        assert {site[rack].row for rack in own} == {site[rack].row for rack in nodes}


LIMITS: list[tuple[dict[str, Any], int]] = [
    ({"rack_power_limit_w": 45_000}, 4), ({"rack_power_limit_w": 35_000}, 3), ({"rack_feed_limit_w": 21_000}, 2),
    ({"rack_weight_limit_kg": 300}, 2), ({"nodes_per_rack": 1}, 1), ({"rack_power_limit_w": 70_000}, 4),
]  # fmt: skip


@pytest.mark.parametrize(("limit", "most"), LIMITS)
@pytest.mark.parametrize("own", [True, False], ids=["given", "equal-racks"])
def test_limits_decide_how_many_nodes_a_rack_takes(
    plan_of: PlanOf, catalog: Catalog, limit: dict[str, Any], most: int, own: bool
) -> None:
    rows = {"rows": [{"name": name, "racks": 20} for name in "ABCDEFG"]} if own else {}
    room = {**limit, **rows} if own or "nodes_per_rack" not in limit else {**limit, "leaves": "unit"}
    plan = plan_of({"nodes": 64, **H100}, {"rate": "ndr"}, room=room)
    assert_sound(plan)
    assert_within_limits(plan, catalog)
    nodes = plan.topology.devices.kind == NODE
    assert int(np.unique(plan.placement.places.rack[nodes], return_counts=True)[1].max()) == most


def test_a_known_power_limit_packs_small_nodes_by_units_and_power(plan_of: PlanOf) -> None:
    """Without one, four nodes a rack are the default; with one, as many as it feeds."""
    rows = [{"name": "A", "racks": 20}]
    bare = plan_of({"nodes": 12, "platform": "pcie-2-8-5-200"}, {"rate": "ndr"}, room={"rows": rows})
    nodes = bare.topology.devices.kind == NODE
    assert np.unique(bare.placement.places.rack[nodes], return_counts=True)[1].tolist() == [4, 4, 4]


def test_two_airflows_never_share_a_rack(catalog: Catalog) -> None:
    data = request({"nodes": 32, **H100}, {"rate": "ndr", "airflow": "P2C"}, room={"rows": ROWS})
    data["groups"].append({"name": "files", "nodes": 8})
    data["fabrics"].append({"name": "storage", "network": "storage", "rate": "ndr", "airflow": "C2P",
                            "attached": [{"group": "files", "ports_per_node": 2}]})  # fmt: skip
    plan = design(parse_requirement(data), catalog)
    assert_within_limits(plan, catalog)
    assert not [item for item in plan.findings if item.code == "airflow-mixed"]
    devices, rack = plan.topology.devices, plan.placement.places.rack
    both = [set(rack[(devices.kind == SWITCH) & (devices.fabric == number)].tolist()) for number in (0, 1)]
    assert both[0] and both[1] and not both[0] & both[1]


@pytest.mark.parametrize(
    ("room", "words"),
    [
        ({"rows": [{"name": "A", "racks": 8}]},
         ["32 nodes find no place in its 8 racks", "one needs 8 units, 10,200 W, 130 kg", "all are taken"]),
        # 24 of 64 stand: all others are counted, not those of the unit alone that broke off
        ({"rows": [{"name": "A", "racks": 6}]},
         ["40 nodes find no place in its 6 racks", "place left for another node"]),
        ({"rows": [{"name": "A", "racks": 40}], "rack_power_limit_w": 9000}, ["40 take at most 9,000 W", "10,200 W"]),
        ({"rows": [{"name": "A", "racks": 40}], "rack_weight_limit_kg": 100}, ["40 take at most 100 kg", "130 kg"]),
        ({"rows": [{"name": "A", "racks": 40, "units": 7}]}, ["40 take at most 7 units", "8 units"]),
        ({"rows": [{"name": "A", "racks": 40, "kind": "node"}]}, ["in the centre find no place"]),
        ({"rack_power_limit_w": 9000}, ["take at most 9,000 W"]),
        ({"rows": [{"name": "A", "racks": 12}], "rack_power_limit_w": 24_000}, ["12 have no power left"]),
        ({"rows": [{"name": "A", "racks": 12, "kind": "network"}]}, ["; 12 are of the kind network and"]),
        ({"rows": [{"name": "A", "racks": 9}], "racks": [{"row": "A", "position": 2, "kind": "network"}]},
         ["1 is of the kind network"]),
    ],
)  # fmt: skip
def test_a_room_that_is_too_small_says_what_is_short(plan_of: PlanOf, room: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(InfeasibleError) as caught:
        plan_of({"nodes": 64, **H100}, {"rate": "ndr"}, room=room)
    assert caught.value.code == "room-too-small" and caught.value.where == "room"
    for word in words:
        assert word in caught.value.message
    (problem,) = caught.value.problems
    chinese, _ = problem_text(problem, "zh")
    counts = sorted(re.findall(r"(\d+) (?:has|have|takes?|is of|are of) ", caught.value.message))
    told = chinese.split("其中")[1] if "其中" in chinese else ""
    assert sorted(re.findall(r"(\d+) 个", told)) == counts, "only what is short"
    assert "{" not in chinese and " 0 个" not in chinese


@pytest.mark.parametrize("leaves", ["unit", "top-of-rack", "middle-of-row"])
def test_growth_from_8_to_1024_nodes_moves_nothing(plan_of: PlanOf, leaves: str) -> None:
    rows = [{"name": f"R{number}", "racks": 22, "units": 48, "keep_out": [11]} for number in range(16)]
    room = {"rows": rows, "leaves": leaves, "rack_power_limit_w": 45_000}
    before: dict[str, tuple[str, int]] = {}
    for nodes in (8, 9, 33, 128, 500, 777, 1024):
        plan = plan_of({"nodes": nodes, "grow_to": 1024, **H100}, {"rate": "ndr"}, room=room)
        racks = plan.placement.rack_names()
        now = {
            name: (racks[rack], u)
            for name, (rack, u, _) in zip(plan.device_names(), plan.placement.places.rows(), strict=True)
        }
        assert before.items() <= now.items()
        assert len(now) > len(before)
        before = now
    assert len(before) > 1024


@pytest.mark.parametrize("room", [
    {}, {"rows": [{"name": "A", "racks": 22}, {"name": "B", "racks": 22}, {"name": "C", "racks": 22}],
         "racks": [{"row": row, "position": 11, "kind": "network"} for row in "ABC"]},
])  # fmt: skip
def test_managers_of_a_fabric_do_not_share_a_rack(plan_of: PlanOf, room: dict[str, Any]) -> None:
    """Of a pair one stands elsewhere where another network rack has room; each still on its own leaf."""
    plan = plan_of({"nodes": 120, **H100}, {"rate": "ndr", "reserve_ports": 2}, room=room)
    assert_sound(plan)
    devices, rack = plan.topology.devices, plan.placement.places.rack
    homes = rack[devices.kind == HOST].tolist()
    assert len(homes) == len(set(homes)) == 2
    assert set(homes) <= set(rack[devices.kind == SWITCH].tolist()), "no rack was opened for one"
    small = plan_of({"nodes": 7, **H100}, {"rate": "ndr", "reserve_ports": 2})
    alone = small.placement.places.rack[small.topology.devices.kind == HOST].tolist()
    assert len(set(alone)) == 1, "one rack holds all switches, and no further one is opened"
