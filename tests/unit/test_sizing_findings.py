"""What sizing tells its reader: every code has a request that trips it, with its numbers, and one that does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import RequirementError
from fabricplan.files import load_catalog
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.requirement import parse_requirement
from tests.conftest import PlanOf
from tests.unit.test_checks import only

H100 = {"platform": "dgx-h100"}
ROCE = {"technology": "roce", "rate": "400"}


def codes(plan: Plan) -> set[str]:
    return {item.code for item in plan.findings}


def test_growth_tells_what_is_built_and_what_waits(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 40, **H100, "grow_to": 288}, {"rate": "ndr"})
    sizing = plan.fabrics[0]
    grows = only(plan.findings, "grows", "info")
    assert (grows.param("leaves_today"), grows.param("leaves_final"), grows.param("nodes_final")) == (
        sizing.leaf_count, sizing.shape.leaf_count, 288
    )  # fmt: skip
    assert sizing.leaf_count < sizing.shape.leaf_count
    assert not codes(plan_of({"nodes": 40, **H100}, {"rate": "ndr"})) & {"grows", "cores-wait"}


def test_one_pod_needs_no_cores_yet(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 32, **H100, "grow_to": 512}, {"rate": "ndr"})
    sizing = plan.fabrics[0]
    assert sizing.shape.pods_today == 1 < sizing.shape.pod_count
    waits = only(plan.findings, "cores-wait", "info")
    assert waits.param("cores") == sizing.shape.core_count > 0 == sizing.core_count
    two = plan_of({"nodes": 64, **H100, "grow_to": 512}, {"rate": "ndr"})
    assert two.fabrics[0].shape.pods_today == 2 and "cores-wait" not in codes(two)


def test_pods_of_units_tell_which_leaf_comes_first(plan_of: PlanOf) -> None:
    told = only(plan_of({"nodes": 448, **H100}, {"rate": "ndr"}).findings, "first-leaf-guid", "info")
    assert told.param("pods") == 7
    # pods of one rail take any; Ethernet numbers nothing; one pod needs no core
    for group, fabric in (
        ({"nodes": 512, **H100}, {"rate": "ndr"}),
        ({"nodes": 96}, {"rate": 400, "technology": "roce", "tiers": 3}),
        ({"nodes": 16, "grow_to": 448, **H100}, {"rate": "ndr"}),
    ):
        plan = plan_of(group, fabric)
        assert plan.fabrics[0].shape.tiers == 3 and "first-leaf-guid" not in codes(plan)


def test_a_ratio_of_spines_needs_three_tiers(plan_of: PlanOf) -> None:
    told = only(
        plan_of({"nodes": 64}, {"rate": "ndr", "oversubscription": ["2:1", "3:1"]}).findings,
        "spine-ratio-unused",
        "info",
    )
    assert (told.param("ratio"), told.param("tiers")) == ("3:1", 2)
    assert "spine-ratio-unused" not in codes(
        plan_of({"nodes": 64}, {"rate": "ndr", "oversubscription": ["2:1", "1:1"]})
    )
    three = plan_of({"nodes": 320, **H100}, {"rate": "ndr", "oversubscription": ["1:1", "3:1"]})
    assert three.fabrics[0].oversubscription_spine != "1:1" and "spine-ratio-unused" not in codes(three)


def test_one_ratio_alone_is_the_leaf_s(plan_of: PlanOf) -> None:
    alone = plan_of({"nodes": 64}, {"rate": "ndr", "oversubscription": "2:1"})
    assert alone.fabrics == plan_of({"nodes": 64}, {"rate": "ndr", "oversubscription": ["2:1"]}).fabrics
    for wrong in ("2", "0:1", "1:0", "1:2", "2:1,1:1", "", []):
        with pytest.raises(RequirementError) as caught:
            plan_of({"nodes": 64}, {"rate": "ndr", "oversubscription": wrong})
        assert caught.value.problems[0].where.startswith("fabrics[0].oversubscription")


def test_external_manager_is_told_with_its_ports(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 63, **H100}, {"rate": "ndr", "management": "external", "reserve_ports": 2})
    assert only(plan.findings, "external-subnet-manager", "info").param("ports") == 2
    assert "no-subnet-manager" not in codes(plan)
    assert "external-subnet-manager" not in codes(plan_of({"nodes": 63, **H100}, {"rate": "ndr", "reserve_ports": 2}))


@pytest.mark.parametrize(
    ("fabric", "refuses"),
    [({**ROCE, "uplink_rate": "800gbe"}, "SN5600"),
     ({**ROCE, "uplink_rate": "800gbe", "spine": "SN5610"}, "SN5600"),
     ({**ROCE}, None)],
)  # fmt: skip
def test_links_without_adaptive_routing(plan_of: PlanOf, fabric: dict[str, Any], refuses: str | None) -> None:
    plan = plan_of({"nodes": 64}, fabric)
    assert plan.fabrics[0].shape.tiers > 1
    if refuses is None:
        assert "no-adaptive-routing" not in codes(plan)
        return
    found = only(plan.findings, "no-adaptive-routing", "warning")
    assert (found.param("model"), found.param("gbps")) == (refuses, 800)


def test_a_spine_may_be_the_one_that_refuses(catalog: Catalog, tmp_path: Path) -> None:
    able = {**catalog.raw("switches", "SN5600"), "model": "ABLE", "variants": [{"pn": "ABLE-1"}]}
    (tmp_path / "switches.yaml").write_text(json.dumps([{**able, "adaptive_routing_not_at_gbps": []}]))
    own = load_catalog(tmp_path)
    for leaf, spine, refuses in (("ABLE", "SN5600", "SN5600"), ("SN5600", "ABLE", "SN5600"), ("ABLE", "ABLE", None)):
        fabric = {**ROCE, "leaf": leaf, "spine": spine, "uplink_rate": "800gbe"}
        plan = design(parse_requirement({"groups": [{"nodes": 64}], "fabrics": [fabric]}), own)
        told = [item.param("model") for item in plan.findings if item.code == "no-adaptive-routing"]
        assert told == ([refuses] if refuses else [])


def test_rail_planes_cross_nvlink(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, **H100}, {"rate": "ndr", "planes": "rail"})
    assert only(plan.findings, "rail-planes-nvlink", "info").param("planes") == 8
    assert "rail-planes-nvlink" not in codes(plan_of({"nodes": 64, **H100}, {"rate": "ndr"}))


@pytest.mark.parametrize(("asked", "told"), [("4:1", True), ("3:1", True), ("2:1", False)])
def test_storage_above_two_to_one(plan_of: PlanOf, asked: str, told: bool) -> None:
    plan = plan_of({"nodes": 256, **H100}, {"network": "storage", "rate": "ndr", "oversubscription": [asked]})
    assert plan.fabrics[0].shape.tiers > 1
    assert ("storage-oversubscription" in codes(plan)) == told
    if told:
        assert (
            only(plan.findings, "storage-oversubscription", "warning").param("ratio")
            == plan.fabrics[0].oversubscription
        )
