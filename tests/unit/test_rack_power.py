"""Power, weight and feeds of racks: sums by hand, unknowns never nought, and a room that trips every rule."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.crew.site import racks_of
from fabricplan.files import load_catalog
from fabricplan.pipeline import design
from fabricplan.placement import Sum
from fabricplan.plan import Plan
from fabricplan.renderers import render
from fabricplan.requirement import parse_requirement
from fabricplan.values import Finding
from fabricplan.wording import hint, text
from tests.conftest import PlanOf, request

H100 = {"platform": "dgx-h100"}


def positions(plan: Plan, **places: tuple[str, int]) -> list[dict[str, Any]]:
    """Return the places of a plan, with some devices moved (``_`` in their names for ``-``)."""
    names, racks = plan.device_names(), plan.placement.rack_names()
    held = {name: (racks[rack], u) for name, (rack, u, _) in zip(names, plan.placement.places.rows(), strict=True)}
    held |= {name.replace("_", "-"): place for name, place in places.items()}
    return [{"device": name, "rack": rack, "u": u} for name, (rack, u) in held.items()]


def only(plan: Plan, code: str, severity: str) -> Finding:
    (found,) = [item for item in plan.findings if item.code == code]
    assert found.severity == severity
    assert hint(found) and hint(found, "zh") and text(found, "zh")
    return found


def test_sums_and_feeds_of_a_rack_by_hand(plan_of: PlanOf) -> None:
    """Four nodes of 10.2 kW on six supplies each, three to a feed."""
    plan = plan_of({"nodes": 32, **H100}, {"rate": "ndr"}, room={"rows": [{"name": "A", "racks": 12}]})
    rack = next(rack for rack in racks_of(plan) if rack.boxes and rack.boxes[0].kind == "node")
    load = rack.load
    assert load.power_max_w == Sum(4 * 10_200, 0) and load.weight_kg == Sum(4 * 130.45, 0)
    assert load.power_typical_w == Sum(0, 4)
    assert (load.feed_a_w, load.feed_b_w) == (Sum(2 * 10_200, 0), Sum(2 * 10_200, 0))
    assert (load.alone_a_w, load.alone_b_w) == (Sum(4 * 10_200, 0), Sum(4 * 10_200, 0))
    # 4+2: three supplies are left after the loss of a feed, four are needed
    assert load.lost == 4 and only(plan, "feed-loss", "warning").param("left") == 3
    network = next(rack for rack in racks_of(plan) if rack.boxes and rack.boxes[0].kind != "node")
    switch = plan.products.switch("QM9700")
    assert switch.psu_count == 2 and switch.power_max_w is not None
    boxes = len(network.boxes)
    assert network.load.feed_a_w == Sum(boxes * switch.power_max_w / 2, 0)
    assert network.load.alone_b_w == Sum(boxes * switch.power_max_w, 0) and network.load.lost == 0


def test_twelve_supplies_in_two_halves_survive_a_feed(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 4, "platform": "dgx-b300"}, {"rate": "xdr"}, room={"rows": [{"name": "A", "racks": 12}]})
    assert not [item for item in plan.findings if item.code == "feed-loss"]


def test_an_unknown_supply_is_counted_as_unknown_on_both_feeds(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 32}, {"rate": "hdr"}, room={"rows": [{"name": "A", "racks": 14}]})
    for rack in racks_of(plan):
        for feed in (rack.load.feed_a_w, rack.load.feed_b_w, rack.load.alone_a_w, rack.load.alone_b_w):
            bare = sum(box.power_max_w is None or box.kind == "node" for box in rack.boxes)
            assert feed.unknown == bare
    rows = list(csv.DictReader(io.StringIO(render(plan, "elevations")["elevations/racks.csv"].decode())))
    node = next(row for row in rows if row["rack"] == "A01")
    assert node["devices"] == node["feeds not known of"] == node["power not known of"] == "4"


def test_rules_need_a_room(plan_of: PlanOf) -> None:
    codes = {item.code for item in plan_of({"nodes": 32, **H100}, {"rate": "ndr"}).findings}
    assert not codes & {"rack-power", "rack-feed", "rack-weight", "feed-loss", "one-feed", "rack-power-unknown"}


CROWDED: list[tuple[str, dict[str, Any], float, int]] = [
    ("rack-power", {"power_limit_w": 45_000}, 5 * 10_200, 45_000),
    ("rack-feed", {"feed_limit_w": 45_000}, 5 * 10_200, 45_000),
    ("rack-weight", {"weight_limit_kg": 600}, round(5 * 130.45), 600),
]


@pytest.mark.parametrize(("code", "limit", "known", "most"), CROWDED, ids=[row[0] for row in CROWDED])
def test_a_rack_over_its_limit_is_an_error_with_the_numbers(
    catalog: Catalog, code: str, limit: dict[str, Any], known: float, most: int
) -> None:
    """The filling never crowds a rack; the customer's positions may: five nodes in one of 48 units."""
    data = request({"nodes": 16, **H100}, {"rate": "ndr"}, room={"rows": [{"name": "A", "racks": 12, "units": 48}]})
    plan = design(parse_requirement(data), catalog)
    assert not [item for item in plan.findings if item.severity == "error"]
    data["room"]["rows"][0] |= limit
    fifth = {"node_su01_005": ("A01", 33)}
    crowded = design(parse_requirement({**data, "positions": positions(plan, **fifth)}), catalog)
    found = only(crowded, code, "error")
    assert found.subject == "A01" and found.param("known") == known and found.param("limit") == most
    assert found.param("racks") == 1 and found.param("unknown") == 0
    assert f"{known / 1000:,.1f} kW" in text(found) or f"{known:,.0f} kg" in text(found)
    assert "1 rack in all (A01)" in text(found)


def test_a_limit_beside_unknown_power_is_told(plan_of: PlanOf) -> None:
    room = {"rows": [{"name": "A", "racks": 14, "power_limit_w": 20_000, "weight_limit_kg": 900}]}
    plan = plan_of({"nodes": 32}, {"rate": "hdr"}, room=room)
    assert f"QM8700 x {plan.bom.count('switch')}" in str(only(plan, "rack-power-unknown", "warning").param("models"))
    only(plan, "rack-weight-unknown", "warning")


def test_redundant_spines_on_one_feed_are_an_error(plan_of: PlanOf) -> None:
    rows = [{"name": "A", "racks": 14, "kind": "node"}, {"name": "N", "racks": 1, "kind": "network"}]
    both = plan_of({"nodes": 32, **H100}, {"rate": "ndr"}, room={"rows": rows})
    assert not [item for item in both.findings if item.code == "one-feed"]
    single = plan_of({"nodes": 32, **H100}, {"rate": "ndr"},
                     room={"rows": rows, "racks": [{"row": "N", "position": 1, "feeds": ["B"]}]})  # fmt: skip
    found = only(single, "one-feed", "error")
    assert found.subject == "spine-01" and found.param("feed") == "B" and found.param("rack") == "N01"
    assert found.param("boxes") == 4
    rack = next(rack for rack in racks_of(single) if rack.name == "N01")
    assert rack.load.feed_a_w == Sum(0, 0) and rack.load.lost == len(rack.boxes)


def test_two_managers_on_one_feed_are_an_error(plan_of: PlanOf) -> None:
    """The supplies of the customer's hosts are not known; that their rack has one feed is."""
    rows = [{"name": "A", "racks": 14, "kind": "node"}, {"name": "N", "racks": 2, "kind": "network"}]
    fabric = {"rate": "ndr", "reserve_ports": 2}
    racks = [{"row": "N", "position": at, "feeds": ["A"]} for at in (1, 2)]
    plan = plan_of({"nodes": 16, **H100}, fabric, room={"rows": rows, "racks": racks})
    found = only(plan, "one-feed", "error")
    assert found.param("groups") == 2  # the spines and the managers
    racks[1]["feeds"] = ["B"]
    base = plan_of({"nodes": 16, **H100}, fabric, room={"rows": rows, "racks": racks})
    hosts = positions(base, reserved_02=("N01", 1), spine_02=("N01", 10))
    data = request({"nodes": 16, **H100}, fabric, room={"rows": rows, "racks": racks}, positions=hosts)
    moved = plan_of({"nodes": 16, **H100}, fabric, room=data["room"], positions=hosts)
    assert not [item for item in moved.findings if item.code == "one-feed"]


@pytest.fixture(scope="module")
def liquid(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The catalogue with a part number for the liquid-cooled switch, as a company may state one."""
    folder = tmp_path_factory.mktemp("liquid")
    (folder / "switches.yaml").write_text(
        "- model: Q3450-LD\n  extends: true\n  orderable: true\n  status: active\n"
        "  variants: [{pn: Q3450-LD-OURS, airflow: C2P}]\n", encoding="utf-8")  # fmt: skip
    return load_catalog(folder)


def test_liquid_cooled_switches_say_what_is_to_be_ordered_and_why_it_is_not_priced(liquid: Catalog) -> None:
    fabric = {"rate": "xdr", "leaf": "Q3450-LD", "spine": "Q3450-LD"}
    rows = [{"name": "A", "racks": 40}]
    plan = design(parse_requirement(request({"nodes": 32}, fabric, room={"rows": rows})), liquid)
    coolant, supply = only(plan, "coolant-loop", "warning"), only(plan, "no-psu", "warning")
    assert coolant.subject == supply.subject == "Q3450-LD"
    assert coolant.param("boxes") == plan.bom.count("switch") and supply.param("input") == "54 VDC external"
    for found, words in ((coolant, ("manifolds", "coolant supply")), (supply, ("busbar", "power shelves"))):
        assert all(word in hint(found) for word in (*words, "nothing is priced", "part numbers"))
    racks = [rack for rack in racks_of(plan) if rack.boxes and rack.boxes[0].kind != "node"]
    assert all(rack.load.direct == len(rack.boxes) and rack.load.feed_a_w == Sum(0, 0) for rack in racks)


def test_liquid_cooled_boxes_go_where_the_coolant_is(liquid: Catalog) -> None:
    fabric = {"rate": "xdr", "leaf": "Q3450-LD", "spine": "Q3450-LD"}
    rows = [{"name": "A", "racks": 20, "cooling": "air"}, {"name": "L", "racks": 4, "cooling": "liquid"}]
    data = request({"nodes": 32}, fabric, room={"rows": rows})
    plan = design(parse_requirement(data), liquid)
    names = plan.placement.rack_names()
    wet = {names[rack] for rack in plan.placement.places.rack[plan.topology.devices.kind == 2].tolist()}
    assert all(name.startswith("L") for name in wet)
    assert not [item for item in plan.findings if item.code == "rack-cooling"]
    moved = design(parse_requirement({**data, "positions": positions(plan, spine_01=("A20", 1))}), liquid)
    found = only(moved, "rack-cooling", "error")
    assert (found.subject, found.param("device"), found.param("boxes")) == ("A20", "spine-01", 1)


def test_liquid_cooled_nodes_are_told_too(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 18, "platform": "gb300-nvl72"}, {"rate": "xdr"})
    assert only(plan, "coolant-loop", "warning").param("boxes") == 18
    bus = plan_of({"nodes": 4, "platform": "dgx-b300-busbar"}, {"rate": "xdr"})
    assert only(bus, "no-psu", "warning").param("input") == "54 VDC busbar"
