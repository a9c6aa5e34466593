"""Requests whose answer is known beforehand: the counts that the project promised, and the field's sore points.

The letters are those of the collected field problems: what was asked, what went wrong elsewhere, the right answer.
"""

from __future__ import annotations

from typing import Any

import pytest

from fabricplan.errors import InfeasibleError
from fabricplan.plan import Plan
from tests.conftest import PlanOf

H100 = {"platform": "dgx-h100"}


def switches(plan: Plan) -> tuple[int, int, int]:
    fabric = plan.fabrics[0]
    return fabric.leaf_count, fabric.spine_count, fabric.core_count


def links(plan: Plan) -> tuple[int, int, int]:
    fabric = plan.fabrics[0]
    return fabric.node_leaf_links, fabric.leaf_spine_links, fabric.spine_core_links


def codes(plan: Plan) -> set[str]:
    return {finding.code for finding in plan.findings}


def parts(plan: Plan) -> dict[str, int]:
    found: dict[str, int] = {}
    for line in plan.bom.lines:
        pn = line.pn.rsplit("-", 1)[0] if line.length_mm else line.pn
        found[pn] = found.get(pn, 0) + line.quantity
    return found


@pytest.mark.parametrize(
    ("group", "fabric", "boxes", "trunks"),
    [
        ({"gpus": 1024}, {"rate": "ndr"}, (32, 16, 0), (1024, 1024, 0)),
        ({"nodes": 127, **H100}, {"rate": "ndr", "reserve_ports": 4}, (32, 16, 0), (1016, 1024, 0)),
        ({"nodes": 95, **H100}, {"rate": "ndr", "reserve_ports": 4}, (24, 16, 0), (760, 768, 0)),
        ({"nodes": 160, **H100}, {"rate": "ndr"}, (40, 32, 0), (1280, 1280, 0)),
        ({"nodes": 100, **H100}, {"rate": "ndr"}, (32, 13, 0), (800, 832, 0)),
        ({"nodes": 512, **H100}, {"rate": "ndr"}, (128, 128, 64), (4096, 4096, 4096)),
        ({"gpus": 1024}, {"rate": "xdr"}, (16, 8, 0), (1024, 1024, 0)),
        ({"gpus": 128}, {"rate": "ndr"}, (4, 2, 0), (128, 128, 0)),
        ({"nodes": 72, "ports": 1}, {"rate": "edr"}, (4, 2, 0), (72, 72, 0)),
        ({"nodes": 20, "ports": 1}, {"rate": "hdr"}, (1, 0, 0), (20, 0, 0)),
        ({"gpus": 64}, {"rate": "ndr"}, (1, 0, 0), (64, 0, 0)),
        ({"nodes": 64, **H100}, {"rate": "ndr"}, (16, 8, 0), (512, 512, 0)),
        ({"nodes": 64, **H100}, {"rate": "ndr", "management": "external"}, (16, 8, 0), (512, 512, 0)),
        # two-tier limits where only host ports are split
        ({"nodes": 1600, "ports": 1}, {"rate": "hdr100"}, (40, 20, 0), (1600, 800, 0)),
        ({"nodes": 4096, "ports": 1}, {"rate": "ndr200"}, (64, 32, 0), (4096, 2048, 0)),
    ],
)
def test_promised_counts(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], boxes: tuple[int, ...], trunks: tuple[int, ...]
) -> None:
    plan = plan_of(group, fabric)
    assert switches(plan) == boxes
    assert links(plan) == trunks


def test_parts_of_1024_gpus(plan_of: PlanOf) -> None:
    assert parts(plan_of({"gpus": 1024}, {"rate": "ndr"})) == {
        "MQM9700-NS2F": 48, "MCX75310AAS-NEAT": 1024, "MMA4Z00-NS": 1536, "MMA4Z00-NS400": 1024, "MFP7E10": 2048,
    }  # fmt: skip


def test_parts_of_20_hdr_nodes(plan_of: PlanOf) -> None:
    assert parts(plan_of({"nodes": 20, "ports": 1}, {"rate": "hdr"})) == {
        "MQM8700-HS2F": 1, "MCX653105A-HDAT": 20, "MFS1S00": 20,
    }  # fmt: skip


def test_two_rails_share_a_leaf_of_16_nodes(plan_of: PlanOf) -> None:
    plan = plan_of({"gpus": 128}, {"rate": "ndr"})
    assert plan.fabrics[0].groups[0].rails_per_leaf == 2


def test_100_nodes_are_four_units_of_25(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 100, **H100}, {"rate": "ndr"})
    assert [(run.unit_count, run.nodes_each) for run in plan.fabrics[0].shape.units] == [(4, 25)]
    packed = [row for row in plan.fabrics[0].candidates if row.option == "attach-packed"]
    assert [(row.switch_count, row.reason) for row in packed] == [(41, "rails-collide")]


def test_a1_twelve_spines_would_leave_uplinks_dark(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 95, **H100}, {"rate": "ndr", "reserve_ports": 4})
    twelve = next(row for row in plan.fabrics[0].candidates if row.spine_count == 12 and row.tiers == 2)
    assert twelve.reason == "uplinks-not-divisible"
    told = {param.name: param.value for param in twelve.params}
    assert (told["used"], told["uplinks"], told["ratio"], told["chosen"]) == (24, 32, "4:3", 16)


def test_a2_rail_planes_are_shown_where_three_tiers_are_needed(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 512, **H100}, {"rate": "ndr"})
    planes = next(row for row in plan.fabrics[0].candidates if row.option == "planes-rail")
    assert planes.switch_count == 192


def test_a3_bandwidth_is_not_a_switch_count(plan_of: PlanOf) -> None:
    assert switches(plan_of({"gpus": 512}, {"rate": "ndr"})) == (16, 8, 0)


def test_a4_four_uplinks_of_fifty_leaves_need_six_spines(plan_of: PlanOf) -> None:
    # 36 ports, 32 nodes and 4 uplinks a leaf: 50 leaves are more than a spine has ports
    with pytest.raises(InfeasibleError):
        plan_of({"nodes": 1600, "ports": 1}, {"rate": "edr", "oversubscription": ["8:1"], "tiers": 2})
    plan = plan_of({"nodes": 1152, "ports": 1}, {"rate": "edr", "oversubscription": ["8:1"], "tiers": 2})
    leaf, spine, _ = switches(plan)
    assert (leaf, spine, links(plan)[1]) == (36, 4, 144)


def test_a5_two_uplinks_a_leaf_are_72_links_not_288(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 36 * 34, "ports": 1}, {"rate": "edr", "oversubscription": ["17:1"]})
    assert switches(plan) == (36, 2, 0)
    assert links(plan)[1] == 72
    assert plan.fabrics[0].oversubscription == "17:1"


def test_a8_a_full_fabric_tells_that_no_port_is_left(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, **H100}, {"rate": "ndr"})
    note = next(finding for finding in plan.findings if finding.code == "no-port-for-ufm")
    assert note.severity == "warning"
    assert note.param("fewer") == "24"  # 63 nodes
    assert "no-port-for-ufm" not in codes(plan_of({"nodes": 63, **H100}, {"rate": "ndr", "reserve_ports": 4}))
    assert "no-port-for-ufm" not in codes(plan_of({"nodes": 72}, {"rate": "xdr"}))  # a port of its own


def test_a8_without_any_subnet_manager_it_is_an_error(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, **H100}, {"rate": "ndr", "management": "external"})
    assert ("error", "no-subnet-manager") in {(finding.severity, finding.code) for finding in plan.findings}


@pytest.mark.parametrize(("nodes", "boxes"), [(72, (4, 2, 0)), (108, (6, 3, 0))])
def test_a9_36_ports(plan_of: PlanOf, nodes: int, boxes: tuple[int, ...]) -> None:
    assert switches(plan_of({"nodes": nodes, "ports": 1}, {"rate": "edr"})) == boxes


def test_a13_a_pruned_tree_has_one_root_not_twelve(plan_of: PlanOf) -> None:
    # 108 nodes; 24 a leaf would make 2:1 of 36 ports
    plan = plan_of({"nodes": 108, "ports": 1}, {"rate": "edr", "oversubscription": ["3:1"], "min_spines": 1})
    assert plan.fabrics[0].spine_count == 1


def test_a13_more_than_one_spine_unless_one_is_asked(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 108, "ports": 1}, {"rate": "edr", "oversubscription": ["3:1"]})
    assert switches(plan) == (4, 3, 0)  # nine uplinks a leaf: three spines divide them, two do not


def test_a18_one_leaf_has_no_spine(plan_of: PlanOf) -> None:
    plan = plan_of({"gpus": 64}, {"rate": "ndr"})
    assert switches(plan) == (1, 0, 0)
    assert parts(plan)["MMA4Z00-NS"] == 32


def test_a23_beyond_the_embedded_manager(plan_of: PlanOf) -> None:
    assert "embedded-sm-limit" in codes(plan_of({"nodes": 512, **H100}, {"rate": "ndr"}))
    assert "embedded-sm-limit" not in codes(plan_of({"nodes": 256, **H100}, {"rate": "ndr"}))


def test_addresses_run_out_and_rail_planes_are_the_way_out(plan_of: PlanOf) -> None:
    with pytest.raises(InfeasibleError) as caught:
        plan_of({"nodes": 16384, **H100}, {"rate": "ndr"})
    assert caught.value.code == "lid-space"
    assert "8 x (512+512+256) = 10,240 switches" in caught.value.hint


@pytest.mark.parametrize(("ports", "rate", "most"), [(36, "edr", 648), (40, "hdr", 800), (64, "ndr", 2048)])
def test_one_more_than_two_tiers_hold(plan_of: PlanOf, ports: int, rate: str, most: int) -> None:
    assert ports * ports // 2 == most
    assert plan_of({"nodes": most, "ports": 1}, {"rate": rate}).fabrics[0].shape.tiers == 2
    assert plan_of({"nodes": most + 1, "ports": 1}, {"rate": rate}).fabrics[0].shape.tiers == 3
    with pytest.raises(InfeasibleError) as caught:
        plan_of({"nodes": most + 1, "ports": 1}, {"rate": rate, "tiers": 2})
    assert f"at most {most:,} nodes" in caught.value.hint
