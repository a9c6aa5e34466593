"""Requests that contradict themselves or the product, and designs that an expert would question: told, never built in
silence. Each was a plan that looked right."""

from __future__ import annotations

from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import FabricplanError
from fabricplan.pipeline import design
from fabricplan.requirement import parse_requirement
from fabricplan.sizing import size_all
from fabricplan.wording.problems import problem_text
from tests.conftest import PlanOf

H100 = {"platform": "dgx-h100"}


def refusal(catalog: Catalog, groups: list[dict[str, Any]], *fabrics: dict[str, Any]) -> FabricplanError:
    with pytest.raises(FabricplanError) as caught:
        design(parse_requirement({"groups": groups, "fabrics": list(fabrics)}), catalog)
    return caught.value


def test_ports_are_taken_by_one_fabric_only(catalog: Catalog) -> None:
    error = refusal(catalog, [{"nodes": 64, **H100}], {"name": "c1", "rate": "ndr"}, {"name": "c2", "rate": "ndr"})
    assert "'c1' and 'c2' both take the compute ports of 'node'" in error.message


def test_a_group_is_not_forgotten(catalog: Catalog) -> None:
    error = refusal(catalog, [{"nodes": 64, **H100}, {"name": "more", "nodes": 10, **H100}], {"rate": "ndr"})
    assert "group 'more' is attached to no fabric" in error.message


def test_a_group_is_attached_once(catalog: Catalog) -> None:
    error = refusal(catalog, [{"nodes": 64}], {"rate": "ndr", "attached": [{"group": "node"}, {"group": "node"}]})
    assert "attaches 'node' twice" in error.message


def test_unlike_units_in_three_tiers_are_the_cause_that_is_told(catalog: Catalog) -> None:
    """Three nodes of two ports fill no pod of the eight leaves that a unit of the others has."""
    attached = [{"group": "a"}, {"group": "b", "ports_per_node": 2}]
    groups = [{"name": "a", "nodes": 100}, {"name": "b", "nodes": 3}]
    error = refusal(catalog, groups, {"rate": "hdr", "attached": attached})
    assert error.code == "unlike-units"
    assert "a 8, b 2" in error.message
    packed = design(
        parse_requirement({"groups": groups, "fabrics": [{"rate": "hdr", "attached": attached, "attach": "packed"}]}),
        catalog,
    )
    assert f"--attach packed: {packed.fabrics[0].switch_count} switches" in error.hint


def test_two_tiers_of_one_endpoint_join_nothing(catalog: Catalog) -> None:
    attached = [{"group": "node", "ports_per_node": 1}]
    error = refusal(catalog, [{"nodes": 1}], {"rate": "ndr", "tiers": 2, "attached": attached})
    assert error.code == "one-leaf" and "--tiers 1" in error.hint
    two = design(parse_requirement({"groups": [{"nodes": 2}], "fabrics": [
        {"rate": "ndr", "tiers": 2, "attached": attached}]}), catalog)  # fmt: skip
    assert (two.fabrics[0].leaf_count, two.fabrics[0].spine_count) == (2, 2)


@pytest.mark.parametrize(
    ("fabric", "model"),
    [
        ({"rate": "ndr", "leaf": "QM9700", "management": "external"}, "QM9700"),
        ({"rate": "xdr", "leaf": "Q3400-RA", "management": "mixed:2"}, "Q3400-RA"),
    ],
)
def test_a_managed_model_is_not_external(catalog: Catalog, fabric: dict[str, Any], model: str) -> None:
    error = refusal(catalog, [{"nodes": 64}], fabric)
    assert error.code == "management"
    assert f"{model} is internally managed" in error.message


@pytest.mark.parametrize(
    ("rails", "fabric", "told", "known"),
    [
        (3, {}, "3 rails on a leaf do not divide the 8 ports of a node", "choose 1, 2, 4, 8"),
        (9, {}, "9 rails on a leaf do not divide the 8 ports of a node", "choose 1, 2, 4, 8"),
        (8, {"planes": 2}, "8 rails on a leaf do not divide the 4 ports of a node in a plane", "choose 1, 2, 4"),
    ],
)
def test_rails_on_a_leaf_divide_the_ports(
    catalog: Catalog, rails: int, fabric: dict[str, Any], told: str, known: str
) -> None:
    """Three rails of eight were a plan called non-blocking whose proof found two flows on a link."""
    error = refusal(catalog, [{"nodes": 64}], {"rate": "ndr", "rails_per_leaf": rails, **fabric})
    assert (error.code, error.where, error.message, error.hint) == (
        "rails-per-leaf", "fabrics[0].rails_per_leaf", told, known)  # fmt: skip
    assert f"每台 Leaf {rails} 条轨道" in problem_text(error.problems[0], "zh")[0]


def test_rails_on_a_leaf_that_divide_the_ports_are_built(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64}, {"rate": "ndr", "rails_per_leaf": 4})
    assert plan.fabrics[0].groups[0].rails_per_leaf == 4


def test_too_many_spines_are_the_cause_that_is_told(catalog: Catalog) -> None:
    error = refusal(catalog, [{"nodes": 64}], {"rate": "ndr", "min_spines": 100})
    assert (error.code, error.where) == ("min-spines", "fabrics[0].min_spines")
    assert "min_spines 100 gives every leaf at least 100 uplinks" in error.message and "64 ports" in error.message
    assert error.hint == "at most 62 spines can be asked here"
    assert "至少有 100 条上行链路" in problem_text(error.problems[0], "zh")[0]
    most = parse_requirement({"groups": [{"nodes": 64}], "fabrics": [{"rate": "ndr", "min_spines": 62}]})
    assert size_all(most, catalog)[0].shape.spine_count >= 62
    assert refusal(catalog, [{"nodes": 64}], {"rate": "ndr", "min_spines": 63}).code == "min-spines"


def test_switches_of_a_hint_can_be_ordered(catalog: Catalog) -> None:
    error = refusal(catalog, [{"nodes": 64}], {"rate": "xdr", "leaf": "QM9700"})
    assert "choose: Q3200-RA, Q3400-RA" in error.hint and "Q3450-LD" not in error.hint


def test_a_system_with_ports_of_its_own_takes_no_cards(catalog: Catalog) -> None:
    error = refusal(catalog, [{"nodes": 12, "nic": "MCX75310AAS-NEAT", **H100}], {"rate": "ndr"})
    assert error.code == "ports-built-in"
    assert "DGX H100" in error.message and "MCX75310AAS-NEAT" in error.message


@pytest.mark.parametrize("planes", [2, 4, 8])
def test_planes_that_share_out_the_rails_say_so(plan_of: PlanOf, planes: int) -> None:
    plan = plan_of({"gpus": 128}, {"rate": "ndr", "planes": planes})
    note = next(item for item in plan.findings if item.code == "planes-split-rails")
    assert (note.severity, note.param("planes")) == ("warning", planes)


def test_two_links_a_gpu_fill_both_planes(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, "platform": "dgx-b300"}, {"technology": "roce", "rate": 400, "planes": 2})
    assert "planes-split-rails" not in {item.code for item in plan.findings}
    leaf_modules = {line.pn for line in plan.bom.lines if any(use.role in ("leaf", "spine") for use in line.uses)}
    assert leaf_modules - {"920-9N42F-00RI-7C0"} == {"MMA4Z00-NS-T"}, "one leaf takes one module"


def test_gpus_without_a_port_are_named(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 16, "ports": 4, **H100}, {"rate": "ndr"})
    note = next(item for item in plan.findings if item.code == "gpus-without-port")
    assert note.param("rails") == "0, 1, 2, 3"


def test_racks_that_are_units_are_whole(plan_of: PlanOf) -> None:
    plan = plan_of({"gpus": 100, "platform": "dgx-gb200-nvl72"}, {"rate": "ndr"})
    note = next(item for item in plan.findings if item.code == "racks-not-whole")
    assert (note.param("nodes"), note.param("whole")) == (25, 36)
    whole = plan_of({"nodes": 72, "platform": "dgx-gb200-nvl72"}, {"rate": "ndr"})
    assert "racks-not-whole" not in {item.code for item in whole.findings}


def test_one_leaf_has_no_spines_to_join(plan_of: PlanOf) -> None:
    sizing = plan_of({"nodes": 4, **H100}, {"rate": "ndr", "tiers": 2}).fabrics[0]
    assert (sizing.leaf_count, sizing.spine_count) == (2, 2)


def test_rails_share_leaves_alike_in_all_groups(catalog: Catalog) -> None:
    groups = [{"name": "a", "nodes": 8}, {"name": "b", "nodes": 100}]
    fabric = {"rate": "ndr", "attached": [{"group": "a"}, {"group": "b"}]}
    sizing = design(parse_requirement({"groups": groups, "fabrics": [fabric]}), catalog).fabrics[0]
    assert {group.rails_per_leaf for group in sizing.groups} == {1}


def test_a_fabric_that_grows_speaks_of_its_end(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 40, "grow_to": 128}, {"rate": "ndr"})
    codes = {item.code: item for item in plan.findings}
    assert "no-port-for-ufm" not in codes
    assert codes["no-port-for-ufm-at-last"].param("ports") == 1024
