"""Shapes of the mission at full strength: mixed nodes, whole racks, planes, split ports, ratios per tier, bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import FabricplanError
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.proof import prove
from fabricplan.requirement import parse_requirement
from fabricplan.sizing import FabricSizing, size_all
from fabricplan.topology import LEAF, SWITCH
from tests.properties.invariants import assert_sound
from tests.properties.test_growth import assert_grows

TWO = [{"group": "node"}, {"group": "b"}]
ONE_PORT = [{"group": "node", "ports_per_node": 1}]


def sized(catalog: Catalog, groups: list[dict[str, Any]], fabric: dict[str, Any]) -> FabricSizing:
    return size_all(parse_requirement({"groups": groups, "fabrics": [fabric]}), catalog)[0]


def counts(sizing: FabricSizing) -> tuple[int, int, int]:
    return sizing.leaf_count, sizing.spine_count, sizing.core_count


def test_two_kinds_of_nodes_have_units_of_their_own_and_the_same_uplinks(catalog: Catalog) -> None:
    groups = [{"nodes": 64, "platform": "dgx-h100"}, {"name": "b", "nodes": 32, "platform": "dgx-b200"}]
    request = parse_requirement({"groups": groups, "fabrics": [{"rate": "ndr", "attached": TWO}]})
    plan = design(request, catalog)
    assert_sound(plan)
    fabric = plan.fabrics[0]
    assert counts(fabric) == (24, 16, 0)
    assert [(run.group, run.unit_count, run.nodes_each) for run in fabric.shape.units] == [
        ("node", 2, 32),
        ("b", 1, 32),
    ]


def test_two_kinds_of_nodes_in_three_tiers_have_equal_pods(catalog: Catalog) -> None:
    groups = [{"nodes": 250, "platform": "dgx-h100"}, {"name": "b", "nodes": 120, "platform": "dgx-b200"}]
    plan = design(parse_requirement({"groups": groups, "fabrics": [{"rate": "ndr", "attached": TWO}]}), catalog)
    assert_sound(plan)
    shape = plan.fabrics[0].shape
    assert shape.tiers == 3
    assert shape.leaf_count == shape.pod_count * shape.leaves_per_pod
    assert not [note for note in plan.findings if note.severity == "error"]


@pytest.mark.parametrize(
    ("rate", "first", "more"),
    [
        ("ndr", 400, [("b", 112, 4)]),
        ("ndr", 250, [("b", 256, 4), ("c", 100, 1)]),
        ("hdr", 128, [("b", 40, 1)]),
        ("hdr", 100, [("b", 60, 2)]),
    ],
)
def test_units_of_unlike_leaves_fill_pods_of_their_own(
    catalog: Catalog, rate: str, first: int, more: list[tuple[str, int, int]]
) -> None:
    attached = [{"group": "node"}, *({"group": name, "ports_per_node": ports} for name, _, ports in more)]
    groups = [{"nodes": first}, *({"name": name, "nodes": nodes} for name, nodes, _ in more)]
    plan = design(parse_requirement({"groups": groups, "fabrics": [{"rate": rate, "attached": attached}]}), catalog)
    assert_sound(plan)
    shape, devices = plan.fabrics[0].shape, plan.topology.devices
    assert shape.tiers == 3 and shape.pod_count * shape.leaves_per_pod == shape.leaf_count
    leaves = (devices.kind == SWITCH) & (devices.tier == LEAF)
    assert set(np.bincount(devices.pod[leaves])[1:]) == {shape.leaves_per_pod}
    assert not [note for note in plan.findings if note.severity == "error"]
    proof = prove(plan)
    cut = proof.fabrics[0].cut
    assert proof.holds and cut.even and cut.flow_gbps == cut.claimed_gbps == plan.fabrics[0].endpoints // 2 * (
        plan.fabrics[0].link_gbps)  # fmt: skip
    assert proof.fabrics[0].forecast.engine == "ftree" and proof.fabrics[0].deadlock.free


def test_unlike_units_grow_without_a_change(catalog: Catalog) -> None:
    def step(nodes: int, others: int) -> Plan:
        groups = [{"nodes": nodes, "grow_to": 128}, {"name": "b", "nodes": others, "grow_to": 40}]
        attached = [{"group": "node"}, {"group": "b", "ports_per_node": 1}]
        return design(
            parse_requirement({"groups": groups, "fabrics": [{"rate": "hdr", "attached": attached}]}), catalog
        )

    plans = [step(5, 1), step(20, 1), step(60, 20), step(128, 40)]
    assert [plan.fabrics[0].leaf_count for plan in plans] == [9, 17, 36, 72]
    assert_sound(plans[0])
    assert_grows(plans)


def test_nodes_per_unit_is_kept(catalog: Catalog) -> None:
    found = sized(catalog, [{"nodes": 128, "platform": "dgx-h100"}], {"rate": "ndr", "nodes_per_unit": 20})
    assert max(run.nodes_each for run in found.shape.units) <= 20
    assert found.leaf_count == 8 * 7


def test_nvl72_units_are_whole_racks(catalog: Catalog) -> None:
    found = sized(catalog, [{"nodes": 162, "platform": "gb300-nvl72"}], {"rate": "xdr"})
    assert [run.nodes_each % 18 for run in found.shape.units] == [0] * len(found.shape.units)


@pytest.mark.parametrize(
    ("fabric", "boxes", "ratio"),
    [
        ({"rate": "ndr"}, (16, 5), "1:1"),
        ({"rate": "ndr", "uplinks": "full"}, (16, 8), "1:1"),
        ({"rate": "ndr", "oversubscription": ["2:1"]}, (8, 3), "40:21"),
    ],
)
def test_uplinks_fit_or_are_full(catalog: Catalog, fabric: dict[str, Any], boxes: tuple[int, int], ratio: str) -> None:
    found = sized(catalog, [{"nodes": 40, "platform": "dgx-h100"}], fabric)
    assert (found.leaf_count, found.spine_count) == boxes
    assert found.oversubscription == ratio
    if fabric.get("uplinks") == "full":
        assert found.shape.uplinks == 32
    else:
        down, up = map(int, ratio.split(":"))
        assert found.shape.uplinks * down == found.shape.hosts_per_leaf * up  # 21 uplinks: three spines, 20 take four


def test_ratios_are_per_tier_and_by_bandwidth(catalog: Catalog) -> None:
    found = sized(catalog, [{"nodes": 1024}], {"rate": "ndr", "oversubscription": ["2:1", "2:1"]})
    assert found.shape.tiers == 3
    assert found.oversubscription_spine == "2:1"
    # 2 x 400G down in a cage, 1 x 800G up: half as many uplinks are 1:1
    faster = sized(catalog, [{"nodes": 256}], {"technology": "roce", "rate": 400, "uplink_rate": 800})
    assert (faster.shape.uplinks, faster.shape.hosts_per_leaf, faster.oversubscription) == (32, 64, "1:1")
    assert "no-adaptive-routing" in {note.code for note in faster.findings}


@pytest.mark.parametrize(("rate", "hosts", "uplinks"), [("hdr100", 40, 20), ("ndr200", 64, 32)])
def test_only_host_ports_are_split(catalog: Catalog, rate: str, hosts: int, uplinks: int) -> None:
    found = sized(catalog, [{"nodes": hosts * 8}], {"rate": rate, "attached": ONE_PORT})
    assert (found.shape.hosts_per_leaf, found.shape.uplinks, found.oversubscription) == (hosts, uplinks, "1:1")


def test_boxes_of_twin_switches_are_counted_apart(catalog: Catalog) -> None:
    found = sized(catalog, [{"nodes": 16}], {"rate": "xdr", "leaf": "Q3200-RA", "spine": "Q3200-RA"})
    assert (found.switch_count, found.box_count) == (12, 6)


IN_BAND = {"name": "inband", "network": "inband", "technology": "ethernet", "rate": 100, "oversubscription": ["13:1"]}


def test_management_networks_of_the_published_pod(catalog: Catalog) -> None:
    """NVIDIA DGX SuperPOD H100 (RA-11333-001 V11), table 8: 8 in-band switches with 24 links between leaves and cores,
    8 out-of-band switches with 16 uplinks, for 127 nodes, 64 InfiniBand switches, 108 power units, 8 managers.

    Verdict. In-band reproduced: its 24 links over 6 leaves are 4 uplinks a leaf, so the ratio is about 13:1. Out of
    band differs: 127 + 64 + 8 + 8 + 108 ports fill seven leaves of 48; the table has eight and gives no rule. Two
    uplinks a leaf in both.
    """
    request = {
        "groups": [
            {"platform": "dgx-h100", "nodes": 127},
            {"name": "manager", "platform": "generic-storage", "nodes": 8},
        ],
        "fabrics": [
            {"rate": "ndr", "reserve_ports": 4},
            {**IN_BAND, "attached": [{"group": "node"}, {"group": "manager"}]},
            {"name": "oob", "network": "oob", "technology": "ethernet", "rate": 1, "extra_ports": 108 + 16},
        ],
    }
    compute, inband, oob = size_all(parse_requirement(request), catalog)
    assert (inband.switch_count, inband.leaf_count, inband.leaf_spine_links) == (8, 6, 24)
    assert sum(group.nodes * len(group.ports) for group in inband.groups if group.group == "node") == 254
    # 48 InfiniBand switches of this plan and 16 of the storage fabric, as further ports
    assert oob.endpoints + oob.reserve_ports == 127 + 8 + compute.box_count + inband.box_count + 108 + 16
    assert (oob.leaf_count, oob.leaf_count * oob.uplinks_per_leaf) == (7, 14)


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ({"oversubscription": ["0:1"]}, "requirement-field", "'0:1' is no ratio down:up"),
        ({"oversubscription": ["1:0"]}, "requirement-field", "'1:0' is no ratio down:up"),
        ({"oversubscription": ["2"]}, "requirement-field", "'2' is no ratio down:up"),
        ({"oversubscription": ["1:2"]}, "requirement-field", "1:2 gives more uplink than downlink"),
        ({"oversubscription": ["1:1", "1:1", "1:1"]}, "requirement-field", "at most two ratios"),
        ({"leaf": "QM8700"}, "rate-of-switch", "QM8700 does not run ndr"),
        ({"spine": "SB7800"}, "rate-of-switch", "SB7800 does not run ndr"),
        ({"uplink_rate": "xdr"}, "rate-of-switch", "QM9700 does not run xdr"),
        ({"planes": 3}, "planes", "3 planes do not divide the 8 ports"),
        ({"rate": "hdr", "spine": "CS8500"}, "director-role", "serves as a whole fabric of up to 800 ports; as one of"),
        ({"leaf": "CS9500"}, "product-class", "CS9500 is a director of up to 2,048 ports; no source of the catalogue"),
    ],
)
def test_bad_fabrics(catalog: Catalog, change: dict[str, Any], code: str, says: str) -> None:
    with pytest.raises(FabricplanError) as caught:
        sized(catalog, [{"nodes": 128}], {"rate": "ndr", **change})
    assert caught.value.code == code
    assert says in caught.value.message


def test_storage_endpoints_faster_than_their_switch_are_refused(catalog: Catalog) -> None:
    groups = [{"nodes": 16}, {"name": "b", "nodes": 4, "platform": "generic-storage"}]
    fabrics = [{"rate": "ndr"}, {
        "name": "storage", "network": "storage", "rate": "ndr", "leaf": "QM8700",
        "attached": [{"group": "b", "ports_per_node": 2}],
    }]  # fmt: skip
    with pytest.raises(FabricplanError, match="QM8700 does not run ndr") as caught:
        size_all(parse_requirement({"groups": groups, "fabrics": fabrics}), catalog)
    assert caught.value.where == "fabrics[1].leaf"
