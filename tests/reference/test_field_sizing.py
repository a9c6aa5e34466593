"""Sore points of people who size such fabrics: what was asked, what other tools answered, the right answer.

Lines A1 to A24 of a collection of public threads and published material; ``test_numbers.py`` holds the first cases of
A1 to A5, A8, A9, A13, A18 and A23. Each line is a kind of mistake, so several numbers of a kind stand here. Where our
answer differs from the line's, the test says so and why (``Verdict``).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import FabricplanError, InfeasibleError
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.proof import prove
from fabricplan.requirement import parse_requirement
from fabricplan.topology import LEAF_SPINE
from tests.conftest import PlanOf
from tests.properties.invariants import assert_sound
from tests.tampering import drop, rewire, rows

EDR: dict[str, Any] = {"rate": "edr"}
MANAGERS: dict[str, Any] = {"reserve_ports": 4, "reserve_adapter": "MCX75310AAS-NEAT"}


def counts(plan: Plan) -> tuple[int, int, int]:
    fabric = plan.fabrics[0]
    return fabric.leaf_count, fabric.spine_count, fabric.core_count


@pytest.mark.parametrize("nodes", [95, 96])
def test_a1_spines_divide_the_uplinks(plan_of: PlanOf, nodes: int) -> None:
    """12 spines of 64 ports would hold 24 x 32 links, and leave 8 of 32 uplinks dark."""
    plan = plan_of({"nodes": nodes}, {"rate": "ndr"})
    assert counts(plan) == (24, 16, 0) and plan.fabrics[0].leaf_spine_links == 768
    fell = {row.spine_count: row for row in plan.fabrics[0].candidates if row.reason == "uplinks-not-divisible"}
    assert sorted(fell) == [12, 13, 14, 15]
    twelve = {param.name: param.value for param in fell[12].params}
    assert (twelve["used"], twelve["ratio"]) == (24, "4:3")


def test_a2_two_tiers_are_enough(plan_of: PlanOf) -> None:
    """1,280 ports are below k^2/2 = 2,048: two tiers, no core; 20 spines are the minimum by ports, 32 divide."""
    plan = plan_of({"nodes": 160}, {"rate": "ndr"})
    sizing = plan.fabrics[0]
    assert (sizing.shape.tiers, counts(plan), sizing.shape.links_per_pair) == (2, (40, 32, 0), 1)
    fell = [row.spine_count for row in sizing.candidates if row.reason == "uplinks-not-divisible"]
    assert fell == list(range(20, 32))


@pytest.mark.parametrize(
    ("gpus", "rate", "boxes"),
    [(512, "ndr", (16, 8, 0)), (512, "ndr200", (8, 4, 0)), (512, "hdr", (32, 16, 0)), (512, "xdr", (8, 4, 0))],
)
def test_a3_switches_are_ports_over_radix(plan_of: PlanOf, gpus: int, rate: str, boxes: tuple[int, ...]) -> None:
    """Spine ports are uplinks; bandwidth in Gb/s is no count of switches."""
    plan = plan_of({"gpus": gpus}, {"rate": rate})
    shape = plan.fabrics[0].shape
    assert counts(plan) == boxes and shape.spine is not None
    assert plan.fabrics[0].leaf_spine_links <= plan.fabrics[0].spine_count * shape.spine.radix


def test_a4_no_more_links_than_spine_ports(plan_of: PlanOf) -> None:
    """50 leaves with 4 uplinks are 200 links: 4 spines of 36 ports (144) cannot take them, 6 (216) could by number.

    Verdict: differs. Four uplinks do not reach six spines alike, and a spine of 36 ports does not reach 50 leaves, so
    two tiers are refused with the ways out; where it comes out even the ports suffice.
    """
    asked = {"nodes": 50 * 32, "ports": 1}
    with pytest.raises(InfeasibleError, match=r"1,600 endpoints per plane do not fit 2 tiers") as caught:
        plan_of(asked, {**EDR, "oversubscription": ["8:1"], "tiers": 2})
    assert "--tiers 3:" in caught.value.hint
    three = plan_of(asked, {**EDR, "oversubscription": ["8:1"]})
    assert_sound(three)
    assert three.fabrics[0].leaf_spine_links <= 36 * three.fabrics[0].spine_count


@pytest.mark.parametrize(
    ("leaves", "uplinks", "spines", "links"), [(36, 2, 2, 72), (18, 6, 3, 108), (12, 12, 4, 144), (36, 4, 4, 144)]
)
def test_a5_links_are_leaves_times_uplinks(plan_of: PlanOf, leaves: int, uplinks: int, spines: int, links: int) -> None:
    """Not leaves times spines times uplinks."""
    hosts = 36 - uplinks
    ratio = Fraction(hosts, uplinks)
    fabric = {**EDR, "oversubscription": [f"{ratio.numerator}:{ratio.denominator}"], "tiers": 2}
    plan = plan_of({"nodes": leaves * hosts, "ports": 1}, fabric)
    assert counts(plan) == (leaves, spines, 0)
    assert plan.fabrics[0].leaf_spine_links == len(rows(plan, LEAF_SPINE)) == links
    trunks = sum(use.quantity for line in plan.bom.lines if line.kind == "cable" for use in line.uses
                 if use.role == "leaf_spine")  # fmt: skip
    assert trunks == links


def test_a7_two_uplinks_are_no_one_to_one(plan_of: PlanOf) -> None:
    """36 leaves with 28 nodes and 2 uplinks: 14:1, and a plan that says 1:1 does not stand, by maximum flow."""
    plan = plan_of({"nodes": 1008, "ports": 1}, {**EDR, "oversubscription": ["14:1"], "nodes_per_unit": 28})
    sizing = plan.fabrics[0]
    assert counts(plan) == (36, 2, 0)
    assert (sizing.shape.uplinks, sizing.shape.hosts_per_leaf, sizing.oversubscription) == (2, 28, "14:1")
    proof = prove(plan)
    # 18 leaves against 18, two links of 100 Gb/s each
    assert proof.holds and proof.fabrics[0].cut.flow_gbps == 18 * 2 * 100
    claim = sizing.model_copy(update={"oversubscription": "1:1", "bisection_gbps": 504 * 100})
    forged = prove(plan.model_copy(update={"fabrics": (claim,)}))
    assert not forged.holds
    assert {"proof-ratio", "proof-cut", "proof-shift"} <= {note.code for note in forged.findings}
    assert forged.fabrics[0].oversubscription == "14:1"


@pytest.mark.parametrize("nodes", [63, 64])
def test_a8_a_port_for_the_manager_is_asked_before_the_quote(plan_of: PlanOf, nodes: int) -> None:
    """64 x 8 fill 16 + 8 switches of 64 ports: told with the ways out; 63 nodes leave room for four manager ports."""
    plan = plan_of({"nodes": nodes}, {"rate": "ndr", **(MANAGERS if nodes == 63 else {})})
    assert counts(plan) == (16, 8, 0)
    notes = [note for note in plan.findings if note.code == "no-port-for-ufm"]
    assert len(notes) == (nodes == 64)
    if notes:
        assert (notes[0].severity, notes[0].param("fewer")) == ("warning", "24")
        further = plan_of({"nodes": 64}, {"rate": "ndr", "reserve_ports": 1})
        assert notes[0].param("further") == str(further.fabrics[0].switch_count)
    else:
        fibres = [use for line in plan.bom.lines if line.kind == "fibre" for use in line.uses if use.role == "reserved"]
        assert sum(use.quantity for use in fibres) == 4
    named = plan_of({"nodes": 2040, "ports": 1}, {"rate": "ndr", "manager": "mua9602h-2sr", **MANAGERS})
    (line,) = [line for line in named.bom.lines if line.kind == "accessory"]
    assert (line.pn, line.opn, line.quantity) == ("MUA9602H-2SR", "920-9B020-00FA-0D3", 2)
    assert "manager-without-port" not in {note.code for note in named.findings}
    bare = plan_of({"nodes": 64}, {"rate": "ndr", "manager": "MUA9602H-2SR", "manager_count": 3})
    (note,) = [note for note in bare.findings if note.code == "manager-without-port"]
    assert (note.param("managers"), note.param("ports")) == (3, 0)
    for other in ("MGA100-HS2", "MUA950", "QM9700"):  # a gateway, one that cannot be ordered, a switch
        with pytest.raises(FabricplanError) as caught:
            plan_of({"nodes": 64}, {"rate": "ndr", "manager": other})
        assert caught.value.problems[0].code == "unknown-manager" and "MUA9602H-2SR" in caught.value.problems[0].hint


def test_a11_two_back_to_back(plan_of: PlanOf) -> None:
    """13 nodes a switch over 11 links: 13:11, and twelve over twelve is 1:1; never without being asked."""
    blocking = plan_of({"nodes": 26, "ports": 1}, {**EDR, "direct_pair": True, "oversubscription": ["13:11"]})
    fabric = prove(blocking).fabrics[0]
    assert (fabric.oversubscription, fabric.shift.allowed, fabric.cut.flow_gbps) == ("13:11", 2, 1100)
    clear = plan_of({"nodes": 24, "ports": 1}, {**EDR, "direct_pair": True})
    assert prove(clear).fabrics[0].cut.flow_gbps == 1200
    assert plan_of({"nodes": 24, "ports": 1}, EDR).fabrics[0].switch_count == 1


def test_a11_a_triangle_waits_in_a_circle(plan_of: PlanOf) -> None:
    """Three leaves joined with each other, without a spine: half of what a leaf's nodes send to one neighbour, and a
    credit loop. Sizing never builds it; such tables are told."""
    plan = plan_of({"nodes": 54, "ports": 1}, EDR)
    links, trunks = plan.topology.links, rows(plan, LEAF_SPINE)
    assert counts(plan) == (3, 2, 0)
    upper_half = links.wide("lower_port")[trunks] >= 28
    kept = drop(plan, trunks[upper_half])
    trunks, links = rows(kept, LEAF_SPINE), kept.topology.links
    leaf = np.unique(links.wide("lower")[trunks])
    near = np.searchsorted(leaf, links.wide("lower")[trunks])
    triangle = rewire(kept, trunks, leaf[(near + 1) % 3], links.wide("lower_port")[trunks] + 9)
    proof = prove(triangle)
    assert not proof.holds and not proof.fabrics[0].deadlock.free
    assert "proof-deadlock" in {note.code for note in proof.findings}
    assert proof.fabrics[0].forecast.engine == "refused"


def test_a13_one_whole_root_where_one_suffices(plan_of: PlanOf) -> None:
    """3 leaves with 12 uplinks are 36 links: one spine of 36 ports, not 12 of 3 ports each."""
    plan = plan_of({"nodes": 72, "ports": 1}, {**EDR, "oversubscription": ["2:1"], "min_spines": 1})
    assert (counts(plan), plan.fabrics[0].leaf_spine_links) == ((3, 1, 0), 36)
    # the line's 108 nodes on 3 leaves of 36 and 12 ports: 48-port leaves are not among the products
    assert counts(plan_of({"nodes": 72, "ports": 1}, {**EDR, "oversubscription": ["2:1"]})) == (3, 2, 0)


def test_a15_gpus_are_servers_times_eight(plan_of: PlanOf, catalog: Catalog) -> None:
    """Verdict on the vendor's table: its GPU column says 9,216 where 1,296 servers have 10,368."""
    plan = plan_of({"nodes": 1296}, {"rate": "xdr"})
    assert plan.gpus == plan.fabrics[0].endpoints == 10_368 == 1296 * 8 == 144 * 144 // 2
    assert counts(plan) == (144, 72, 0)
    assert 9216 == 1152 * 8


@pytest.mark.parametrize(
    ("fabric", "says", "hint"),
    [
        ({"attach": "packed", "nodes_per_unit": 16, "oversubscription": ["7:1"]},
         "16 nodes of a unit take 128 ports of a leaf; beside uplinks of 7:1 a QM9700 has 56", "at most 7 nodes"),
        ({"tiers": 1}, "128 endpoints per plane do not fit 1 tier of QM9700, whose ceiling is 64", "at most 8 nodes"),
        ({"nodes_per_unit": 16, "rails_per_leaf": 4}, "take 64 ports of a leaf; beside uplinks of 1:1 a QM9700 has 32",
         "at most 8 nodes"),
    ],
)  # fmt: skip
def test_a17_a_leaf_is_never_filled_twice(plan_of: PlanOf, fabric: dict[str, Any], says: str, hint: str) -> None:
    with pytest.raises(InfeasibleError) as caught:
        plan_of({"nodes": 16}, {"rate": "ndr", **fabric})
    assert says in caught.value.message and hint in caught.value.hint
    plan = plan_of({"nodes": 16}, {"rate": "ndr", "attach": "packed", "oversubscription": ["7:1"]})
    assert_sound(plan)
    assert plan.fabrics[0].shape.hosts_per_leaf <= 56


@pytest.mark.parametrize(("gpus", "links", "optics"), [(64, 0, 32 + 64), (32, 0, 16 + 32)])
def test_a18_one_leaf_needs_no_spine(plan_of: PlanOf, gpus: int, links: int, optics: int) -> None:
    """Nor spine links and the 64 ends of optics that they would take."""
    plan = plan_of({"gpus": gpus}, {"rate": "ndr"})
    assert counts(plan) == (1, 0, 0) and plan.fabrics[0].leaf_spine_links == links
    assert plan.bom.count("transceiver") == optics


def test_a23_beyond_the_manager_inside_the_switches(plan_of: PlanOf) -> None:
    """More than about 2,048 endpoints: the plan says that an external manager is needed, and its ports, once kept, have
    their modules and fibres in the bill.

    Verdict: differs in form. Which subnet manager it is (UFM appliance, UFM on the customer's host, OpenSM) no request
    tells by itself; where it names an appliance, that stands in the bill as a pair.
    """
    beyond = plan_of({"nodes": 2049, "ports": 1}, {"rate": "ndr"})
    (note,) = [note for note in beyond.findings if note.code == "embedded-sm-limit"]
    assert (note.severity, note.param("endpoints"), note.param("limit")) == ("warning", 2049, 2048)
    within = plan_of({"nodes": 2048, "ports": 1}, {"rate": "ndr"})
    assert not [note for note in within.findings if note.code == "embedded-sm-limit"]
    kept = plan_of({"nodes": 2047, "ports": 1, "grow_to": 2049}, {"rate": "ndr", **MANAGERS})
    assert not [note for note in kept.findings if note.code == "embedded-sm-limit"]
    fibres = [use for line in kept.bom.lines if line.kind == "fibre" for use in line.uses if use.role == "reserved"]
    assert sum(use.quantity for use in fibres) == 4


def test_a24_eight_sites_are_eight_fabrics(catalog: Catalog) -> None:
    """Verdict: not sized here are the routers and links between sites. Eight sites in one request stay eight fabrics,
    each with its own switches and the rate that was asked."""
    names = [f"site{number}" for number in range(1, 9)]
    request = {
        "groups": [{"name": name, "nodes": 8 + number} for number, name in enumerate(names)],
        "fabrics": [
            {"name": f"{name}-net", "rate": "hdr", "attached": [{"group": name, "ports_per_node": 1}]} for name in names
        ],
    }
    plan = design(parse_requirement(request), catalog)
    assert [sizing.endpoints for sizing in plan.fabrics] == list(range(8, 16))
    assert {(sizing.link_gbps, sizing.switch_count) for sizing in plan.fabrics} == {(200, 1)}
    assert plan.bom.count("switch") == 8
    with pytest.raises(FabricplanError, match="'1gbe' is no infiniband rate"):
        parse_requirement({**request, "fabrics": [{**request["fabrics"][0], "rate": "1gbe"}]})
