"""What one lost device costs, in closed form, against a count over the links themselves."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from fabricplan.plan import Plan
from fabricplan.sizing import FailureDomain, failure_domains
from fabricplan.summary import domain_lines, summarize
from fabricplan.topology import LEAF_SPINE, NODE_LEAF, SPINE_CORE
from tests.conftest import PlanOf


def domains(plan: Plan) -> dict[str, FailureDomain]:
    return {domain.lost: domain for domain in failure_domains(plan.fabrics[0])}


def worst(plan: Plan, role: int) -> tuple[int, Fraction]:
    """Return the most devices below one device that lose the largest share, counted link by link."""
    links = plan.topology.links
    rows = links.role == role
    total = Counter(links.lower[rows].tolist())
    pairs = Counter(zip(links.upper[rows].tolist(), links.lower[rows].tolist(), strict=True))
    share = max(Fraction(count, total[low]) for (_, low), count in pairs.items())
    return max(Counter(up for up, _ in pairs).values()), share


@pytest.mark.parametrize(
    ("group", "fabric"),
    [
        ({"gpus": 1024}, {"rate": "ndr"}),
        ({"gpus": 128}, {"rate": "ndr"}),
        ({"gpus": 64}, {"rate": "ndr"}),
        ({"nodes": 512}, {"rate": "ndr"}),
        ({"nodes": 300, "ports": 1}, {"rate": "edr", "oversubscription": ["2:1"]}),
        ({"nodes": 64, "platform": "dgx-b300"}, {"technology": "roce", "rate": 400, "planes": 2}),
        ({"nodes": 40, "grow_to": 128}, {"rate": "ndr"}),
    ],
    ids=["rails", "two rails a leaf", "one switch", "three tiers", "packed", "planes", "growing"],
)
def test_the_closed_form_is_what_the_links_show(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    plan = plan_of(group, fabric)
    told = domains(plan)
    for lost, role in (("leaf", NODE_LEAF), ("spine", LEAF_SPINE), ("core", SPINE_CORE)):
        if not (plan.topology.links.role == role).any():
            assert lost not in told
            continue
        count, share = worst(plan, role)
        assert (told[lost].count, Fraction(told[lost].share)) == (count, share), lost


def test_a_lost_leaf_costs_every_node_of_its_unit_one_eighth(plan_of: PlanOf) -> None:
    plan = plan_of({"gpus": 1024}, {"rate": "ndr"})
    assert (domains(plan)["leaf"].count, domains(plan)["leaf"].share) == (32, "1/8")
    assert (domains(plan)["spine"].count, domains(plan)["spine"].share) == (32, "1/16")
    assert "Lost leaf: nodes 32, each loses 1/8 of its bandwidth" in domain_lines(plan.fabrics[0])
    assert summarize(plan)["fabrics"][0]["failure_domains"][0] == {
        "lost": "leaf", "hit": "nodes", "count": 32, "share": "1/8",
    }  # fmt: skip


def test_nodes_with_one_port_are_cut_off(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 72, "ports": 1}, {"rate": "edr"})
    assert "Lost leaf: nodes 18, cut off" in domain_lines(plan.fabrics[0])
    assert "一台 Leaf 故障：18 台节点断网" in domain_lines(plan.fabrics[0], "zh")
