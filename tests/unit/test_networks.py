"""Plans of several fabrics: storage, in-band and out-of-band networks, and switches that are endpoints of another."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import RequirementError
from fabricplan.pipeline import design
from fabricplan.plan import Plan, dumps, loads
from fabricplan.portwords import link_ports
from fabricplan.requirement import parse_requirement
from fabricplan.topology import NODE_LEAF, RESERVED, SWITCH
from tests.properties.invariants import assert_sound


def four(nodes: int = 127, servers: int = 16, **group: Any) -> dict[str, Any]:
    """A pod of DGX H100 with compute, storage, in-band and out-of-band networks."""
    everyone = [{"group": "node"}, {"group": "storage"}]
    return {
        "groups": [
            {"platform": "dgx-h100", "nodes": nodes, **group},
            {"name": "storage", "platform": "generic-storage", "nodes": servers},
        ],
        "fabrics": [
            {"rate": "ndr", "reserve_ports": 4},
            {
                "name": "storage", "network": "storage", "rate": "ndr",
                "attached": [{"group": "node"}, {"group": "storage", "ports_per_node": 2}],
            },
            {"name": "inband", "network": "inband", "technology": "ethernet", "rate": 100, "attached": everyone},
            {"name": "oob", "network": "oob", "technology": "ethernet", "rate": 1, "extra_ports": 108},
        ],
    }  # fmt: skip


@pytest.fixture(scope="module")
def pod(catalog: Catalog) -> Plan:
    return design(parse_requirement(four()), catalog)


def test_four_networks_are_sound(pod: Plan) -> None:
    assert_sound(pod)
    assert [note for note in pod.findings if note.severity == "error"] == []
    assert loads(dumps(pod)) == pod


def test_every_box_and_every_node_has_a_management_port(pod: Plan) -> None:
    oob = pod.fabrics[3]
    boxes = sum(fabric.box_count for fabric in pod.fabrics[:3])
    assert oob.endpoints == 127 + 16 + boxes
    assert oob.leaf_count == -(-(oob.endpoints + 108) // 48) == 7
    devices, links = pod.topology.devices, pod.topology.links
    rows = (links.fabric == 3) & (links.role == NODE_LEAF) & (devices.kind[links.lower] == SWITCH)
    assert np.unique(devices.box[links.lower[rows]]).size == int(rows.sum()) == boxes
    assert int(((links.fabric == 3) & (links.role == RESERVED)).sum()) == 108
    assert {link_ports(pod).texts[row].panel for row in link_ports(pod).lower[rows]} == {"MGMT"}


def test_out_of_band_leaves_have_two_uplinks_to_distinct_in_band_leaves(pod: Plan) -> None:
    devices, links = pod.topology.devices, pod.topology.links
    rows = np.flatnonzero((links.fabric == 2) & (links.role == NODE_LEAF) & (devices.fabric[links.lower] == 3))
    assert rows.size == 2 * pod.fabrics[3].leaf_count
    pairs = set(zip(links.lower[rows].tolist(), links.upper[rows].tolist(), strict=True))
    assert len(pairs) == rows.size
    ports = link_ports(pod)
    assert {ports.texts[row].panel for row in ports.lower[rows]} == {"swp49", "swp50"}
    # and they are in the bill: a module at each end
    modules = pod.cabling.transceivers
    assert int((devices.fabric[modules.device] == 3).sum()) == rows.size


def test_ports_of_storage_and_in_band_nodes_lie_on_distinct_leaves(pod: Plan) -> None:
    for number in (1, 2):
        links = pod.topology.links
        rows = (links.fabric == number) & (links.role == NODE_LEAF)
        pairs = Counter(zip(links.lower[rows].tolist(), links.upper[rows].tolist(), strict=True))
        assert set(pairs.values()) == {1}
        assert pod.fabrics[number].attach == "spread"


def test_members_of_all_groups_share_the_leaves(pod: Plan) -> None:
    links = pod.topology.links
    rows = (links.fabric == 2) & (links.role == NODE_LEAF)
    loads_ = Counter(links.upper[rows].tolist())
    assert max(loads_.values()) - min(loads_.values()) <= 1


def test_without_an_in_band_fabric_the_uplinks_are_the_customers(catalog: Catalog) -> None:
    request = four(nodes=32)
    del request["fabrics"][1:3]
    plan = design(parse_requirement(request), catalog)
    assert_sound(plan)
    note = next(note for note in plan.findings if note.code == "uplinks-to-customer")
    assert note.param("links") == 2 * plan.fabrics[1].leaf_count


def test_externally_managed_switches_have_no_management_port(catalog: Catalog) -> None:
    request = four(nodes=32)
    del request["fabrics"][1:3]
    request["fabrics"][0]["management"] = "mixed:2"
    plan = design(parse_requirement(request), catalog)
    assert_sound(plan)
    assert plan.fabrics[1].groups[-1].nodes == 2


def test_growth_of_all_networks_moves_nothing(catalog: Catalog) -> None:
    cables: list[dict[Any, Any]] = []
    for nodes in (20, 70, 127):
        plan = design(parse_requirement(four(nodes=nodes, grow_to=127)), catalog)
        assert_sound(plan)
        names, links = plan.device_names(), plan.topology.links
        cables.append({
            (fabric, names[lower], low): (names[upper], high) for fabric, _, lower, low, upper, high in links.rows()
        })  # fmt: skip
    for early, late in itertools.pairwise(cables):
        assert early.items() <= late.items()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"switches_of": ["nowhere"]}, "names 'nowhere', which is no other fabric"),
        ({"uplinks_to": "oob"}, "names 'oob', which is no other fabric"),
        ({"reserve_ports": 2}, "out of band say extra_ports"),
        ({"technology": "infiniband", "rate": "ndr"}, "technology of an out-of-band network is ethernet"),
    ],
)
def test_bad_out_of_band_networks(change: dict[str, Any], says: str) -> None:
    request = four()
    request["fabrics"][3].update(change)
    with pytest.raises(RequirementError, match=says):
        parse_requirement(request)


def test_an_in_band_fabric_of_another_rate_takes_no_out_of_band_uplinks(catalog: Catalog) -> None:
    request = four(servers=1)
    request["groups"].pop()
    request["fabrics"][1]["attached"].pop()
    request["fabrics"][2].update(rate=400, attached=[{"group": "node"}])
    with pytest.raises(RequirementError, match="the uplinks of oob run at 100gbe, inband at 400gbe"):
        design(parse_requirement(request), catalog)


def test_extra_ports_belong_to_the_out_of_band_network() -> None:
    with pytest.raises(RequirementError, match="extra_ports belongs to an out-of-band fabric"):
        parse_requirement({"groups": [{"nodes": 8}], "fabrics": [{"rate": "ndr", "extra_ports": 4}]})


def test_the_out_of_band_network_may_come_first(catalog: Catalog) -> None:
    request = four(nodes=60, servers=10)
    request["fabrics"] = [request["fabrics"][3], request["fabrics"][0]]
    plan = design(parse_requirement(request), catalog)
    assert_sound(plan)
    assert plan.fabrics[0].endpoints == 60 + 10 + plan.fabrics[1].box_count
    assert [note for note in plan.findings if note.severity == "error"] == []


def test_planes_and_twin_boxes_have_a_port_for_each_box(catalog: Catalog) -> None:
    oob = {"name": "oob", "network": "oob", "technology": "ethernet", "rate": 1}
    for group, fabric in (
        ({"nodes": 64, "platform": "dgx-b300"}, {"technology": "roce", "rate": 400, "planes": 2}),
        ({"nodes": 16}, {"rate": "xdr", "leaf": "Q3200-RA", "spine": "Q3200-RA"}),
    ):
        plan = design(parse_requirement({"groups": [group], "fabrics": [fabric, oob]}), catalog)
        assert_sound(plan)
        assert plan.fabrics[1].endpoints == group["nodes"] + plan.fabrics[0].box_count
