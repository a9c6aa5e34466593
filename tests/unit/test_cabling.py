"""Parts of links: whole cages for fixed plugs, one kind of optics a module, splitters filled tail by tail."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from fabricplan.cabling.jobs import Book, Job, serve
from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError, RequirementError
from fabricplan.mating import recipe_for
from fabricplan.plan import Plan
from fabricplan.topology import LEAF_SPINE, NODE_LEAF, SPINE_CORE
from fabricplan.wording.problems import problem_text
from tests.conftest import PlanOf
from tests.properties.invariants import assert_parts

H100 = {"platform": "dgx-h100"}


def pieces(plan: Plan) -> Counter[str]:
    """Return the pieces of every cable family, fibre family and transceiver key."""
    found: Counter[str] = Counter()
    for line in plan.bom.lines:
        if line.kind in ("cable", "fibre", "transceiver"):
            found[line.key] += line.quantity
    return found


def test_a_splitter_is_bought_once_and_its_last_tail_may_be_free(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 5, "ports": 1}, {"rate": "hdr100"})
    assert pieces(plan) == {"mfs1s50-h": 3}
    links = plan.cabling.links
    assert Counter(links.cable.tolist()) == {0: 2, 1: 2, 2: 1}
    assert links.tail.tolist() == [1, 2, 1, 2, 1]


def test_ndr200_four_links_a_cage_two_a_fibre(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 6, "ports": 1}, {"rate": "ndr200"})
    assert plan.fabrics[0].shape.leaf.down_per_cage == 4
    assert pieces(plan) == {"mfp7e20": 3, "MMA4Z00-NS": 2, "MMA4Z00-NS400": 6}


def test_copper_takes_whole_cages(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, **H100}, {"rate": "ndr", "media": "copper"}, room={"uniform_length_mm": 1000})
    assert_parts(plan)
    families = {family.id: family for family in plan.products.cables}
    copper = {part.family for part in plan.cabling.cable_parts if part.kind == "cable"}
    assert copper and all(families[family].kind in ("dac", "acc") for family in copper)
    two = [
        row
        for row, part in enumerate(plan.cabling.cable_parts)
        if part.kind == "cable" and families[part.family].links == 2
    ]
    carried = Counter(plan.cabling.links.cable.tolist())
    assert two and all(carried[cable] == 2 for cable in np.nonzero(np.isin(plan.cabling.cables.part, two))[0].tolist())


def test_a_reserved_host_and_a_node_share_a_cage(plan_of: PlanOf) -> None:
    """The cage takes one module; copper of the node next to it would leave the host without a port."""
    plan = plan_of(
        {"nodes": 63, **H100},
        {"rate": "ndr", "reserve_ports": 2, "reserve_adapter": "MCX75310AAS-NEAT", "media": "copper"},
        room={"uniform_length_mm": 1000},
    )
    assert_parts(plan)
    split = plan_of(
        {"nodes": 79, "ports": 1}, {"rate": "hdr100", "reserve_ports": 1, "reserve_adapter": "MCX653105A-ECAT"}
    )
    assert_parts(split)
    assert pieces(split)["mfs1s50-h"] == 40


def test_links_that_share_a_module_share_its_optics(plan_of: PlanOf) -> None:
    """Beyond 50 m single mode; no cage may hold both, so some shorter links follow."""
    plan = plan_of({"nodes": 512, **H100}, {"rate": "ndr"}, room={"row_pitch_mm": 6000, "racks_per_row": 8})
    modes = {fibre.mode for fibre in plan.products.fibres}
    assert modes == {"multimode", "singlemode"}
    assert_parts(plan)


def test_the_ordered_length_is_the_next_one_sold(plan_of: PlanOf) -> None:
    for required, sold in ((2_999, 3_000), (3_000, 3_000), (3_001, 5_000)):
        plan = plan_of({"nodes": 4, **H100}, {"rate": "ndr"}, room={"uniform_length_mm": required})
        assert {part.length_mm for part in plan.cabling.cable_parts} == {sold}


def test_too_far(plan_of: PlanOf) -> None:
    with pytest.raises(InfeasibleError) as caught:
        plan_of({"nodes": 8}, {"rate": "hdr"}, room={"uniform_length_mm": 9_000_000})
    assert caught.value.code == "out-of-reach"
    assert "9000.0 m" in caught.value.message


@pytest.mark.parametrize(("leaf", "counts"), [("SN3700", (16, 16)), ("SN4600", (8, 8))])
def test_a_split_uplink_cage_has_the_head_of_its_cable(plan_of: PlanOf, leaf: str, counts: tuple[int, int]) -> None:
    """Two links of a leaf's cage lead to two cages of the spines; with the head above no cable would serve any."""
    plan = plan_of({"nodes": 64}, {"technology": "roce", "rate": 100, "leaf": leaf})
    assert (plan.fabrics[0].leaf_count, plan.fabrics[0].spine_count) == counts
    assert_parts(plan)
    carried = Counter(plan.cabling.links.cable[plan.topology.links.role == LEAF_SPINE].tolist())
    assert len(carried) == 256 and set(carried.values()) == {2}


def test_above_spines_of_whole_cages_the_head_is_at_the_core(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 136}, {"technology": "roce", "rate": 100, "leaf": "SN3700"},
                   room={"uniform_length_mm": 5000})  # fmt: skip
    assert plan.fabrics[0].shape.tiers == 3
    assert_parts(plan)
    top = plan.topology.links.role == SPINE_CORE
    carried = Counter(plan.cabling.links.cable[top].tolist())
    assert sum(carried.values()) == int(top.sum()) and set(carried.values()) == {2}


def test_parts_that_reach_but_take_whole_cages(catalog: Catalog) -> None:
    """The reason is told, not a reach that is long enough."""
    join = recipe_for(catalog, "qsfp56", "qsfp56", "ethernet", 100, "100gbe", "x")
    links = np.arange(4)
    job = Job(
        fabric=0, subject="compute leaf_spine", links=links, lower=links // 2, upper=100 + links, head_port=1 + links,
        numbers_per_cage=2, join=join, required=np.full(4, 2900), surveyed=np.zeros(4, bool), free=np.zeros(4, bool),
        shared=np.zeros(4, bool), media="auto",
    )  # fmt: skip
    with pytest.raises(InfeasibleError) as caught:
        serve(job, catalog, Book(4))
    assert caught.value.code == "no-whole-cages"
    assert "fixed plugs, which take whole cages" in caught.value.message and "30.0 m" not in caught.value.message
    assert "固定插头" in problem_text(caught.value.problems[0], "zh")[0]
    serve(replace(job, join=join.headed(2, 1)), catalog, book := Book(4))
    assert book.cable_count == 2


def test_ends_that_do_not_mate(plan_of: PlanOf) -> None:
    with pytest.raises((InfeasibleError, RequirementError)) as caught:
        plan_of({"nodes": 8, "nic": "MCX75310AAS-NEAT", "ports": 1}, {"rate": "ndr", "leaf": "Q3400-RA"})
    assert caught.value.code in ("rate-of-switch", "no-mate")


def test_a_reserved_port_without_a_host_has_no_cable(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 63, **H100}, {"rate": "ndr", "reserve_ports": 2})
    links = plan.topology.links
    bare = plan.cabling.links.cable < 0
    assert int(bare.sum()) == 2 and not np.any(bare & (links.role == NODE_LEAF))


def test_an_unknown_adapter_of_a_reserved_port(plan_of: PlanOf) -> None:
    with pytest.raises(RequirementError, match="no adapter 'MCX7'"):
        plan_of({"nodes": 63, **H100}, {"rate": "ndr", "reserve_ports": 2, "reserve_adapter": "MCX7"})
