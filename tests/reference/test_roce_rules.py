"""Rules of Spectrum fabrics as the maker publishes them: breakout, sizes, rails, planes, links of two generations.

Sources: Cumulus Linux 5.16 guide (switch port attributes, adaptive routing), NVIDIA's enterprise reference
architectures, folded Clos arithmetic.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError
from fabricplan.plan import Plan
from fabricplan.requirement import parse_requirement
from fabricplan.sizing import FabricSizing, size_all
from fabricplan.topology import LEAF_SPINE, NODE_LEAF
from fabricplan.wording import text
from tests.conftest import PlanOf

ROCE: dict[str, Any] = {"technology": "roce"}
ANY = None

# model -> {ways of a split: cages that can be split so (None: all)}, logical ports
BREAKOUT: dict[str, tuple[dict[int, int | None], int]] = {
    "SN2010": ({2: ANY, 4: ANY}, 34), "SN2100": ({2: ANY, 4: ANY}, 64), "SN2201": ({2: ANY, 4: ANY}, 64),
    "SN3420": ({2: ANY, 4: ANY}, 96), "SN3700C": ({2: ANY, 4: ANY}, 128), "SN3700": ({2: ANY, 4: ANY}, 128),
    "SN3750-SX": ({2: ANY, 4: ANY}, 128), "SN2410": ({2: ANY, 4: 4}, 64), "SN2700": ({2: ANY, 4: 16}, 64),
    "SN4600C": ({2: ANY, 4: 32}, 128), "SN4600": ({2: ANY, 4: 32}, 128), "SN4410": ({2: ANY, 4: ANY, 8: 4}, 128),
    "SN4700": ({2: ANY, 4: ANY, 8: 16}, 128), "SN5400": ({2: ANY, 4: ANY, 8: 32}, 258),
    "SN5600": ({2: ANY, 4: ANY, 8: 32}, 257), "SN5600D": ({2: ANY, 4: ANY, 8: 32}, 257),
    "SN5610": ({2: ANY, 4: ANY, 8: 32}, 258),
}  # fmt: skip


@pytest.mark.parametrize("model", BREAKOUT)
def test_breakout_of_every_model(catalog: Catalog, model: str) -> None:
    """An eight-way split takes the neighbour too, so that half of SN4410's eight QSFP-DD cages are split."""
    switch, (ways, ports) = catalog.switch(model), BREAKOUT[model]
    found = {mode.ports: mode.cages_max for group in switch.cages for mode in group.modes if mode.ports > 1}
    assert (found, switch.max_logical_ports) == (ways, ports)
    bonus = [group for group in switch.cages if group.name == "sfp28-bonus"]
    assert all(mode.ports == 1 for group in bonus for mode in group.modes)
    assert not bonus or switch.group("400gbe") not in bonus


def test_a_split_for_some_cages_is_no_fabric(catalog: Catalog) -> None:
    with pytest.raises(InfeasibleError, match="SN4600C splits 4 ways on 32 of its 64 cages only"):
        sized(catalog, 100, rate="25gbe", leaf="SN4600C")


def sized(catalog: Catalog, nodes: int, nic: str | None = None, **fabric: Any) -> FabricSizing:
    group = {"nodes": nodes, **({"nic": nic} if nic else {})}
    asked = {"attached": [{"group": "node", "ports_per_node": 1}], **ROCE, **fabric}
    return size_all(parse_requirement({"groups": [group], "fabrics": [asked]}), catalog)[0]


@pytest.mark.parametrize(
    ("rate", "radix", "two", "three"), [("400gbe", 128, 8_192, 524_288), ("100gbe", 64, 2_048, 65_536)]
)
def test_sizes_by_radix(catalog: Catalog, rate: str, radix: int, two: int, three: int) -> None:
    assert (two, three) == (radix**2 // 2, radix**3 // 4)
    last = sized(catalog, two, rate=rate, tiers=2)
    assert (last.leaf_count, last.spine_count, last.oversubscription) == (radix, radix // 2, "1:1")
    for tiers, most in ((2, two), (3, three)):
        with pytest.raises(InfeasibleError, match=f"do not fit {tiers} tiers of .*, whose ceiling is {most:,}"):
            sized(catalog, most + 1, rate=rate, tiers=tiers)


def test_200g_ports_of_hosts_take_400g_uplinks(catalog: Catalog) -> None:
    """Verdict on 256 x 200G = 32,768 in two tiers: no part joins two switches at 200G a port, so that the uplinks are
    400G: 128 hosts over 64 uplinks, and 128 leaves, are 16,384."""
    asked = {"nic": "900-9D3B6-00CV-AA0", "rate": "200gbe", "tiers": 2}
    last = sized(catalog, 16_384, **asked)
    assert (last.leaf_count, last.spine_count, last.shape.hosts_per_leaf, last.uplink_rate) == (128, 64, 128, "400gbe")
    assert last.oversubscription == "1:1"
    with pytest.raises(InfeasibleError, match="ceiling is 16,384"):
        sized(catalog, 16_385, **asked)


@pytest.mark.parametrize("model", ["SN6600", "SN6600-LD"])
def test_200g_lanes_have_no_splitters_yet(catalog: Catalog, model: str) -> None:
    """Verdict on 512 x 200G = 131,072 in two tiers: refused, with the ends that do not mate."""
    with pytest.raises(InfeasibleError, match=rf"nodes to {model}: osfp-twin-200g-.* do not mate"):
        sized(catalog, 1000, rate="200gbe", leaf=model, spine=model)


@pytest.mark.parametrize(("nodes", "leaves", "spines", "per_pair"), [(4_096, 64, 32, 2), (8_192, 128, 64, 1)])
def test_a_cage_feeds_two_spines_or_one_twice(
    catalog: Catalog, nodes: int, leaves: int, spines: int, per_pair: int
) -> None:
    """A full SN5600 leaf: 64 links down, 64 up, over 64 spines or over 32 with both links of a cage to one."""
    found = sized(catalog, nodes, rate="400gbe")
    assert (found.leaf_count, found.spine_count, found.shape.links_per_pair) == (leaves, spines, per_pair)
    assert (found.shape.hosts_per_leaf, found.shape.uplinks, found.shape.leaf.up_per_cage) == (64, 64, 2)


def test_a_group_of_eight_leaves_serves_64_nodes(plan_of: PlanOf) -> None:
    """Leaf N of a group serves GPU N of every node, on the same port of all eight."""
    plan = plan_of({"nodes": 128}, {**ROCE, "rate": "400gbe"})
    sizing = plan.fabrics[0]
    assert [(run.unit_count, run.nodes_each) for run in sizing.shape.units] == [(2, 64)]
    assert sizing.leaf_count == 16 and sizing.groups[0].leaves_per_unit == 8
    links, devices = plan.topology.links, plan.topology.devices
    hosts = links.role == NODE_LEAF
    rail = devices.wide("rail")[links.wide("upper")[hosts]]
    assert (rail == links.wide("lower_port")[hosts] - 1).all()
    node, port = links.wide("lower")[hosts], links.wide("upper_port")[hosts]
    assert all(np.unique(port[node == one]).size == 1 for one in np.unique(node))


@pytest.mark.parametrize("platform", ["dgx-b300", "generic-8gpu-400gbe"])
def test_planes_never_meet(plan_of: PlanOf, platform: str) -> None:
    """B300 brings two 400G ports a GPU, one a plane; no link joins two planes."""
    group = {"nodes": 16, **({"platform": platform} if platform == "dgx-b300" else {})}
    plan = plan_of(group, {**ROCE, "rate": "400gbe", "planes": 2})
    links, plane = plan.topology.links, plan.topology.devices.wide("plane")
    trunks = links.role == LEAF_SPINE
    assert (plane[links.wide("lower")[trunks]] == plane[links.wide("upper")[trunks]]).all()
    hosts = links.role == NODE_LEAF
    node, where = links.wide("lower")[hosts], plane[links.wide("upper")[hosts]]
    assert all(sorted(set(where[node == one].tolist())) == [1, 2] for one in np.unique(node))
    if platform == "dgx-b300":
        rails = {(port.plane, port.rail) for port in plan.fabrics[0].groups[0].ports}
        assert rails == {(number, rail) for number in (1, 2) for rail in range(8)}


def test_uplinks_are_two_links_a_cage_for_adaptive_routing(plan_of: PlanOf) -> None:
    usual = plan_of({"nodes": 128}, {**ROCE, "rate": "400gbe"})
    assert usual.fabrics[0].uplink_gbps == 400 and "no-adaptive-routing" not in codes(usual)
    names = plan_of({"nodes": 128}, {**ROCE, "rate": "400gbe", "uplink_rate": "800gbe"})
    assert "no-adaptive-routing" in codes(names)


@pytest.mark.parametrize(("leaf", "spine"), [("SN4600C", "SN4700"), ("SN4700", "SN4600C"), ("SN3700", "SN4700")])
def test_a_split_cage_of_another_generation_is_told(plan_of: PlanOf, leaf: str, spine: str) -> None:
    plan = plan_of({"nodes": 200, "ports": 1}, {**ROCE, "rate": "100gbe", "leaf": leaf, "spine": spine})
    told = [text(note, "en") for note in plan.findings if note.code == "lanes-per-port"]
    other = leaf if spine == "SN4700" else spine
    links = plan.fabrics[0].leaf_spine_links
    assert len(told) == 1
    assert f"{links:,} links from cages of SN4700 that are split in four to {other}" in told[0]


@pytest.mark.parametrize(("leaf", "spine", "rate"), [("SN4600C", "SN4600C", "100gbe"), ("SN5600", "SN5600", "400gbe")])
def test_alike_cages_need_no_lanes(plan_of: PlanOf, leaf: str, spine: str, rate: str) -> None:
    plan = plan_of({"nodes": 200, "ports": 1}, {**ROCE, "rate": rate, "leaf": leaf, "spine": spine})
    assert not codes(plan) & {"lanes-per-port", "speed-by-hand"}


def test_400g_on_qsfp_dd_modules_is_set_by_hand(plan_of: PlanOf) -> None:
    fabric = {**ROCE, "rate": "200gbe", "leaf": "SN4700", "uplink_rate": "400gbe"}
    room = {"uniform_length_mm": 2000}
    plan = plan_of({"nodes": 100, "ports": 1}, fabric, room=room)
    (told,) = [text(note, "en") for note in plan.findings if note.code == "speed-by-hand"]
    assert f"{plan.fabrics[0].leaf_spine_links} links of 400G on QSFP-DD modules of SN4700" in told
    copper = plan_of({"nodes": 100, "ports": 1}, {**fabric, "media": "copper"}, room=room)
    assert "speed-by-hand" not in codes(copper)


def codes(plan: Plan) -> set[str]:
    return {note.code for note in plan.findings}
