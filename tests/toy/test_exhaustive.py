"""Every small fabric of invented four- and eight-port switches: counts, evenness, cut, and every single failure.

Three tiers occur at 10 endpoints of four-port switches, so that what takes 4,096 GPUs with real ones is looked at
link by link here.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import pytest

from fabricplan.errors import InfeasibleError
from fabricplan.plan import Plan
from fabricplan.topology import LEAF, LEAF_SPINE, NODE_LEAF, SPINE_CORE, SWITCH
from tests.conftest import PlanOf
from tests.properties.invariants import assert_sound

TOY4 = {"leaf": "TOY4", "spine": "TOY4"}
TOY8 = {"leaf": "TOY8", "spine": "TOY8"}
MIXED = {"leaf": "TOY4", "spine": "TOY8"}


def graph_of(plan: Plan, plane: int) -> nx.Graph:
    """Return the switches of one plane as a graph; ``capacity`` counts parallel links."""
    devices, links = plan.topology.devices, plan.topology.links
    graph = nx.Graph()
    switches = np.nonzero((devices.kind == SWITCH) & (devices.plane == plane))[0]
    graph.add_nodes_from(switches.tolist())
    for _, role, lower, _, upper, _ in links.rows():
        if role in (LEAF_SPINE, SPINE_CORE) and devices.plane[lower] == plane:
            known = graph.get_edge_data(lower, upper, {"capacity": 0})["capacity"]
            graph.add_edge(lower, upper, capacity=known + 1)
    return graph


def hosts_of(plan: Plan, plane: int) -> list[int]:
    """Return the leaf of every endpoint of a plane, in order of leaf."""
    devices, links = plan.topology.devices, plan.topology.links
    mine = (links.role == NODE_LEAF) & (devices.plane[links.upper] == plane)
    return sorted(links.upper[mine].tolist())


def cut(graph: nx.Graph, one: list[int], other: list[int]) -> int:
    """Return the links that can carry one half of the endpoints to the other at once."""
    flow = nx.DiGraph()
    flow.add_nodes_from(("source", "sink"))
    for a, b, data in graph.edges(data=True):
        flow.add_edge(a, b, capacity=data["capacity"])
        flow.add_edge(b, a, capacity=data["capacity"])
    for leaf, count in Counter(one).items():
        flow.add_edge("source", leaf, capacity=count)
    for leaf, count in Counter(other).items():
        flow.add_edge(leaf, "sink", capacity=count)
    return int(nx.maximum_flow_value(flow, "source", "sink"))


def assert_claims(plan: Plan) -> None:
    """The bisection is reached between the halves by leaf and by every other leaf; one cable may fail."""
    sizing = plan.fabrics[0]
    planes = [0] if sizing.planes == 1 else list(range(1, sizing.planes + 1))
    claimed = sizing.bisection_gbps // sizing.planes // sizing.link_gbps
    for plane in planes:
        graph, hosts = graph_of(plan, plane), hosts_of(plan, plane)
        half = len(hosts) // 2
        leaves = sorted(set(hosts), key=lambda leaf: (leaf % 2, leaf))
        mixed = sorted(hosts, key=leaves.index)
        assert cut(graph, hosts[:half], hosts[half:]) >= claimed
        assert cut(graph, mixed[:half], mixed[half:]) >= claimed
        if sizing.shape.tiers > 1:
            assert nx.is_connected(graph)
            assert not list(nx.bridges(graph)) or all(
                graph.edges[edge]["capacity"] > 1 for edge in nx.bridges(graph)
            ), "one cable parts the fabric"
            spines = [switch for switch in graph if plan.topology.devices.tier[switch] != LEAF]
            for spine in spines:
                rest = graph.copy()
                rest.remove_node(spine)
                alive = [switch for switch in rest if plan.topology.devices.tier[switch] == LEAF]
                assert all(nx.has_path(rest, alive[0], leaf) for leaf in alive), "one spine or core parts the fabric"


def plans(toy_plan_of: PlanOf, switches: dict[str, str], **fabric: Any) -> tuple[Counter[int], int]:
    """Design 1 to 40 nodes; check each; return how often each number of tiers occurred, and the refusals."""
    tiers: Counter[int] = Counter()
    refused = 0
    for nodes in range(1, 41):
        try:
            plan = toy_plan_of({"nodes": nodes}, {**switches, **fabric})
        except InfeasibleError as error:
            assert error.code in ("too-large", "no-even-fabric", "min-spines"), str(error)
            refused += 1
            continue
        assert_sound(plan)
        assert_claims(plan)
        tiers[plan.fabrics[0].shape.tiers] += 1
    return tiers, refused


@pytest.mark.parametrize("attach", ["rail", "spread"])
def test_four_ports(toy_plan_of: PlanOf, attach: str) -> None:
    # k^3/4 = 16 endpoints, two a node
    tiers, refused = plans(toy_plan_of, TOY4, attach=attach)
    assert tiers[3] > 0 and sum(tiers.values()) == 8 and refused == 32


def test_four_ports_packed(toy_plan_of: PlanOf) -> None:
    # one node a leaf: 5 and 7 leaves do not divide into equal pods, and there is no node for a further leaf
    tiers, refused = plans(toy_plan_of, TOY4, attach="packed")
    assert tiers == {1: 2, 2: 2, 3: 2} and refused == 34


@pytest.mark.parametrize("attach", ["rail", "packed", "spread"])
@pytest.mark.parametrize("planes", [1, 2])
def test_eight_ports(toy_plan_of: PlanOf, attach: str, planes: int) -> None:
    tiers, refused = plans(toy_plan_of, TOY8, attach=attach, planes=planes)
    assert refused == 0
    # 32 endpoints of a plane fit two tiers: 16 nodes of two ports, 32 of one a plane
    assert tiers[2] > 0 and tiers[3] >= 40 - 32 // (2 // planes)


@pytest.mark.parametrize(("leaf", "spine"), list(itertools.product(["2:1", "3:1"], ["1:1", "2:1"])))
@pytest.mark.parametrize("switches", [TOY8, MIXED], ids=["eight", "mixed"])
def test_ratios(toy_plan_of: PlanOf, switches: dict[str, str], leaf: str, spine: str) -> None:
    tiers, _ = plans(toy_plan_of, switches, oversubscription=[leaf, spine])
    assert tiers[2] > 0


@pytest.mark.parametrize("reserve", [1, 2, 5])
def test_reserved(toy_plan_of: PlanOf, reserve: int) -> None:
    tiers, refused = plans(toy_plan_of, TOY8, reserve_ports=reserve, reserve_adapter="TOY-NIC")
    assert refused == 0 and tiers[1] and tiers[2] and tiers[3]


def test_rail_planes(toy_plan_of: PlanOf) -> None:
    tiers, refused = plans(toy_plan_of, TOY8, planes="rail")
    assert refused == 0 and tiers[1] == 8 and tiers[2] == 24 and tiers[3] == 8


def test_single_ports(toy_plan_of: PlanOf) -> None:
    for nodes in range(1, 17):
        plan = toy_plan_of({"nodes": nodes, "ports": 1}, TOY4)
        assert_sound(plan)
        assert_claims(plan)
        assert plan.fabrics[0].attach == "packed"
        assert plan.fabrics[0].shape.tiers == (1 if nodes <= 4 else 2 if nodes <= 8 else 3)


def test_more_spines_than_two(toy_plan_of: PlanOf) -> None:
    tiers, _ = plans(toy_plan_of, TOY8, min_spines=4)
    assert tiers[2] > 0


def test_the_cut_is_found_when_a_link_is_missing(toy_plan_of: PlanOf) -> None:
    """The judge must be able to say no: without one leaf's uplinks the claim is not met."""
    plan = toy_plan_of({"nodes": 16}, TOY8)
    graph, hosts = graph_of(plan, 0), hosts_of(plan, 0)
    claimed = plan.fabrics[0].bisection_gbps // plan.fabrics[0].link_gbps
    graph.remove_edges_from(list(graph.edges(hosts[0])))
    assert cut(graph, hosts[: len(hosts) // 2], hosts[len(hosts) // 2 :]) < claimed
