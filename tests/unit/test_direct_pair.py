"""Two leaves joined with each other: only when asked, with its limits told."""

from __future__ import annotations

from typing import Any

import pytest

from fabricplan.errors import InfeasibleError, RequirementError
from fabricplan.proof import prove
from fabricplan.renderers import render
from tests.conftest import PlanOf
from tests.properties.invariants import assert_sound


@pytest.mark.parametrize(
    ("group", "fabric", "hosts", "links", "ratio"),
    [
        ({"nodes": 36, "ports": 1}, {"rate": "edr"}, 18, 18, "1:1"),
        ({"nodes": 46, "ports": 1}, {"rate": "edr", "oversubscription": ["23:13"]}, 23, 13, "23:13"),
        ({"nodes": 8}, {"rate": "ndr"}, 32, 32, "1:1"),
        ({"nodes": 10}, {"rate": "ndr", "oversubscription": ["2:1"]}, 40, 20, "2:1"),
    ],
    ids=["packed", "13 across", "half of each node's rails", "2:1"],
)
def test_a_pair_is_sound(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], hosts: int, links: int, ratio: str
) -> None:
    plan = plan_of(group, {**fabric, "direct_pair": True})
    assert_sound(plan)
    sizing = plan.fabrics[0]
    assert (sizing.leaf_count, sizing.spine_count, sizing.leaf_spine_links) == (2, 0, links)
    assert (sizing.shape.hosts_per_leaf, sizing.oversubscription) == (hosts, ratio)
    assert sizing.bisection_gbps == min(hosts, links) * sizing.link_gbps
    warning = next(note for note in plan.findings if note.code == "direct-pair")
    assert (warning.severity, warning.param("links")) == ("warning", links)
    assert [note.code for note in plan.findings if note.severity == "error"] == []
    proof = prove(plan)
    assert proof.holds and {note.code for note in proof.findings} == {"proof-ftree-pair"}
    proven = proof.fabrics[0]
    assert proven.cut.closed_gbps == proven.cut.flow_gbps == sizing.bisection_gbps and proven.cut.even
    assert proven.shift.load("padded").worst == proven.shift.allowed and proven.deadlock.free
    lost = {item.kind: item for item in proven.failures}
    assert lost["cable-leaf-spine"].uplinks_permille == (links - 1) * 1000 // links
    assert (lost["leaf"].count, lost["leaf"].bisection_permille) == (2, 0)
    for name in ("cables-csv", "svg", "html"):
        assert render(plan, name)


def test_a_pair_is_never_taken_unasked(plan_of: PlanOf) -> None:
    assert plan_of({"nodes": 46, "ports": 1}, {"rate": "edr"}).fabrics[0].spine_count == 2


def test_what_a_pair_does_not_hold(plan_of: PlanOf) -> None:
    with pytest.raises(InfeasibleError, match=r"two SB7800 joined at 1:1 hold 36 endpoints .* 46 are asked") as caught:
        plan_of({"nodes": 46, "ports": 1}, {"rate": "edr", "direct_pair": True})
    assert caught.value.where == "fabrics[0].direct_pair"
    with pytest.raises(RequirementError, match="direct_pair is one plane of two leaves"):
        plan_of({"nodes": 8}, {"rate": "ndr", "direct_pair": True, "planes": 2})
