"""What is left after failures, against counts by hand."""

from __future__ import annotations

import pytest

from fabricplan.proof import prove
from fabricplan.proof.document import Failure
from tests.conftest import PlanOf

H100 = {"platform": "dgx-h100"}


def left(plan_of: PlanOf, group: dict, fabric: dict) -> dict[str, Failure]:
    return {item.kind: item for item in prove(plan_of(group, fabric)).fabrics[0].failures}


def told(failure: Failure) -> tuple[int, ...]:
    return (failure.count, failure.bisection_permille, failure.uplinks_permille, failure.node_permille,
            failure.nodes_hit, failure.nodes_cut)  # fmt: skip


def test_two_tiers_with_rails(plan_of: PlanOf) -> None:
    """128 nodes x 8 on 32 leaves of 32 + 32 ports and 16 spines of two links a leaf.

    A spine is 2 of 32 uplinks everywhere; a cable is one of 32, and of the 512
    links that half of the nodes have; a leaf takes one port in eight from 32 nodes.
    """
    found = left(plan_of, {"nodes": 128, **H100}, {"rate": "ndr"})
    assert list(found) == ["cable-node", "cable-leaf-spine", "spine", "leaf", "cables-random"]
    assert told(found["cable-node"]) == (1024, 998, 1000, 875, 1, 0)
    assert told(found["cable-leaf-spine"]) == (1024, 998, 968, 1000, 0, 0)
    assert told(found["spine"]) == (16, 937, 937, 1000, 0, 0)
    assert told(found["leaf"]) == (32, 968, 1000, 875, 32, 0)
    assert found["cables-random"].count == 21 and found["cables-random"].trials == 20


def test_three_tiers(plan_of: PlanOf) -> None:
    """104 nodes HDR: a core carries 5 of the 20 uplinks of every spine of its group, one spine index in six."""
    found = left(plan_of, {"nodes": 104}, {"rate": "hdr"})
    assert {"cable-spine-core", "core"} <= set(found)
    assert found["core"].count == 24 and found["core"].nodes_hit == 0
    assert found["core"].uplinks_permille == 958, "one sixth of the uplinks lose a quarter"
    assert found["spine"].uplinks_permille == 833


def test_a_single_switch_is_everything(plan_of: PlanOf) -> None:
    found = left(plan_of, {"gpus": 64}, {"rate": "ndr"})
    assert told(found["leaf"]) == (1, 0, 1000, 0, 8, 8)


def test_single_port_nodes_are_cut_off_with_their_leaf(plan_of: PlanOf) -> None:
    found = left(plan_of, {"nodes": 72, "ports": 1}, {"rate": "edr"})
    assert found["leaf"].nodes_cut == found["leaf"].nodes_hit == 18
    assert found["cable-node"].nodes_cut == 1 and found["spine"].nodes_cut == 0


def test_a_split_cable_takes_two_nodes(plan_of: PlanOf) -> None:
    found = left(plan_of, {"nodes": 128}, {"rate": "hdr100"})
    assert found["cable-node"].count == 512 and found["cable-node"].nodes_hit == 2


def test_other_planes_go_on(plan_of: PlanOf) -> None:
    found = left(plan_of, {"nodes": 64, "platform": "dgx-b300"}, {"rate": 400, "technology": "roce", "planes": 2})
    assert found["leaf"].node_permille == 937, "one of sixteen ports"
    assert found["spine"].count == 8 and found["spine"].bisection_permille == 875


@pytest.mark.parametrize("nodes", [31, 100])
def test_leaf_costs_each_node_of_its_unit_one_rail(plan_of: PlanOf, nodes: int) -> None:
    plan = plan_of({"nodes": nodes, **H100}, {"rate": "ndr"})
    group = plan.fabrics[0].groups[0]
    leaf = next(item for item in prove(plan).fabrics[0].failures if item.kind == "leaf")
    assert leaf.node_permille == 1000 - 1000 * group.rails_per_leaf // group.ports_per_node
