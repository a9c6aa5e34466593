"""The proof on sound plans and on tampered ones: every claim stands, and every change of the table shows."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import ReadError
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.plan import dumps as dump_plan
from fabricplan.proof import Proof, allowed_flows, dumps, loads, prove
from fabricplan.proof.deadlock import class_graph
from fabricplan.proof.inside import wirings
from fabricplan.renderers.proof_rows import claims, limits
from fabricplan.requirement import parse_requirement
from fabricplan.topology import LEAF_SPINE, NODE_LEAF, Links
from tests.conftest import PlanOf
from tests.tampering import (
    core_link,
    drop,
    host_on_spine,
    joined_leaves,
    leaf_without_links,
    rewire,
    rows,
    swap,
    without_spine,
)

H100 = {"platform": "dgx-h100"}
NDR = {"rate": "ndr"}


def codes(proof: Proof, severity: str = "error") -> set[str]:
    return {item.code for item in proof.findings if item.severity == severity}


@pytest.mark.parametrize(
    ("group", "fabric", "allowed"),
    [
        ({"nodes": 31, **H100}, {**NDR, "reserve_ports": 4}, 1),
        ({"nodes": 127, **H100}, {**NDR, "reserve_ports": 4}, 1),
        ({"nodes": 16, **H100}, NDR, 1),
        ({"nodes": 100, **H100}, NDR, 1),
        ({"nodes": 160, **H100}, NDR, 1),
        ({"nodes": 128}, {"rate": "xdr"}, 1),
        ({"nodes": 128, **H100}, {**NDR, "oversubscription": ["2:1"]}, 2),
        ({"nodes": 128}, {"rate": "hdr100"}, 2),
        ({"nodes": 64, "grow_to": 128, **H100}, NDR, 1),
        ({"nodes": 104}, {"rate": "hdr"}, 1),
        ({"nodes": 64, "platform": "dgx-b300"}, {"rate": 400, "technology": "roce", "planes": 2}, 1),
        ({"gpus": 64}, NDR, 1),
    ],
    ids=["31", "127", "16", "100", "160", "xdr", "two-to-one", "hdr100", "grow", "three-tiers", "planes", "one"],
)
def test_sound_plans_hold(plan_of: PlanOf, group: dict[str, object], fabric: dict[str, object], allowed: int) -> None:
    plan = plan_of(group, fabric)
    proof = prove(plan)
    assert proof.holds, [item for item in proof.findings if item.severity == "error"]
    found, sizing = proof.fabrics[0], plan.fabrics[0]
    assert found.shift.allowed == allowed_flows(sizing) == allowed
    assert found.shift.load("padded").worst <= allowed
    assert found.shift.load("padded").counted == found.shift.load("padded").total
    assert found.cut.flow_gbps == found.cut.closed_gbps >= found.cut.claimed_gbps == sizing.bisection_gbps
    assert found.cut.even and found.deadlock.free and found.shift.missing == 0
    assert found.endpoints == sizing.endpoints


def test_partly_filled_units_wrap_twice(plan_of: PlanOf) -> None:
    """95 nodes in units of 32: padded 1, over the real nodes 2. No static routing avoids it."""
    shift = prove(plan_of({"nodes": 95, **H100}, {**NDR, "reserve_ports": 4})).fabrics[0].shift
    assert [(load.order, load.worst) for load in shift.loads] == [("padded", 1), ("real", 2), ("rail", 2)]
    assert shift.load("real").over == 479 and shift.load("rail").over == 31


def test_covers_the_bytes_of_the_file(plan_of: PlanOf) -> None:
    plan = plan_of({"gpus": 128}, NDR)
    data = dump_plan(plan)
    proof = prove(plan, data)
    assert proof.covers.plan_sha256 == hashlib.sha256(data).hexdigest() == prove(plan).covers.plan_sha256
    assert proof.covers.catalog == plan.made_by.catalog
    assert not proof.findings
    indented = json.dumps(json.loads(data), indent=4).encode()
    other = prove(plan, indented)
    assert codes(other, "warning") == {"plan-rewritten"} and other.holds
    assert other.covers.plan_sha256 == hashlib.sha256(indented).hexdigest()


def test_same_plan_same_bytes_and_back(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 95, **H100}, {**NDR, "reserve_ports": 4})
    proof = prove(plan)
    assert dumps(prove(plan)) == dumps(proof)
    assert loads(dumps(proof)) == proof
    assert json.loads(dumps(proof))["holds"] is True


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"{", "not-json"), (b"[]", "not-a-proof"), (b'{"schema": "fabricplan/proof/9"}', "newer-proof"),
     (b'{"schema": "fabricplan/plan/1"}', "not-a-proof"),
     (b'{"schema": "fabricplan/proof/1"}', "broken-proof")],
)  # fmt: skip
def test_wrong_proof_files(data: bytes, code: str) -> None:
    with pytest.raises(ReadError) as caught:
        loads(data, "x.json")
    assert caught.value.code == code


def two_tiers(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 31, **H100}, NDR)


def test_a_missing_uplink(plan_of: PlanOf) -> None:
    plan = two_tiers(plan_of)
    proof = prove(drop(plan, rows(plan, LEAF_SPINE)[5:6]))
    assert codes(proof) == {"proof-counts", "proof-uneven", "proof-shift", "proof-ftree-uneven"}
    look = proof.fabrics[0].forecast
    assert look.offenders == ("leaf-su01-r0", "spine-01") and look.with_roots and look.roots == 4
    assert proof.fabrics[0].shift.load("padded").worst == 2


def test_crossed_uplinks(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 160, **H100}, NDR)
    links = rows(plan, LEAF_SPINE)
    proof = prove(swap(plan, int(links[0]), int(links[33])))
    assert codes(proof) == {"proof-cut", "proof-uneven", "proof-shift", "proof-ftree-uneven"}
    assert proof.fabrics[0].forecast.offender_count == 4


def test_crossed_hosts_are_seen_by_the_shift_alone(plan_of: PlanOf) -> None:
    """Two nodes on each other's leaves: the fabric is even, OpenSM accepts it, and shifts collide."""
    plan = plan_of({"nodes": 160, **H100}, NDR)
    links = rows(plan, NODE_LEAF)
    assert codes(prove(swap(plan, int(links[0]), int(links[9])))) == {"proof-shift"}


def test_a_host_on_a_spine(plan_of: PlanOf) -> None:
    plan = host_on_spine(plan_of({"nodes": 64, "grow_to": 128, **H100}, NDR))
    proof = prove(plan)
    assert {"proof-host-above-leaf", "proof-ftree-equal-rank", "proof-no-way"} <= codes(proof)
    look = proof.fabrics[0].forecast
    assert look.offenders == ("spine-01",) and look.with_roots is False


def test_a_spine_without_links_is_idle(plan_of: PlanOf) -> None:
    proof = prove(without_spine(two_tiers(plan_of)))
    assert {"proof-idle-switches", "proof-counts", "proof-shift", "proof-cut"} <= codes(proof)
    assert proof.fabrics[0].forecast.engine == "ftree", "OpenSM never sees the idle spine"


def test_a_pod_that_lacks_a_leaf(plan_of: PlanOf) -> None:
    proof = prove(leaf_without_links(plan_of({"nodes": 104}, {"rate": "hdr"})))
    look = proof.fabrics[0].forecast
    assert (look.engine, look.reason, look.with_roots) == ("refused", "uneven", True)
    assert look.offender_count == 6 and look.offenders[0].startswith("spine-")


def test_a_missing_core_link(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 104}, {"rate": "hdr"})
    proof = prove(drop(plan, core_link(plan)))
    assert {"proof-ftree-uneven", "proof-shift", "proof-uneven"} <= codes(proof)
    assert set(proof.fabrics[0].forecast.offenders) == {"spine-pod01-01", "core-g01-01"}


def test_two_leaves_joined_without_a_spine(plan_of: PlanOf) -> None:
    plan = joined_leaves(plan_of({"gpus": 128}, NDR))
    proof = prove(plan)
    found = proof.fabrics[0]
    assert (found.forecast.engine, found.forecast.reason) == ("refused", "one-rank")
    assert found.shift.missing == 0 and found.shift.load("padded").worst == 1
    assert found.deadlock.free, "no route takes two links here"


def test_three_leaves_in_a_circle_may_deadlock(plan_of: PlanOf) -> None:
    """The triangle of three switches has a credit loop with shortest paths."""
    plan = plan_of({"gpus": 128}, NDR)
    links = plan.topology.links
    leaves = np.unique(links.upper[rows(plan, NODE_LEAF)])[:3]
    trunks = rows(plan, LEAF_SPINE)
    first = [int(trunks[links.lower[trunks] == leaf][0]) for leaf in leaves]
    ring = rewire(plan, np.array(first), leaves[[1, 2, 0]].astype(np.int64), np.array([60, 61, 62]))
    proof = prove(ring)
    assert "proof-deadlock" in codes(proof)
    assert "leaf-leaf" in proof.fabrics[0].deadlock.cycle


def test_aggregated_dependencies_follow_up_then_down(plan_of: PlanOf) -> None:
    wiring = next(iter(wirings(plan_of({"nodes": 104}, {"rate": "hdr"}), 0)))
    kinds, tail, head = class_graph(wiring)
    assert kinds == [(1, 2, True), (2, 3, True), (2, 1, False), (3, 2, False)]
    waits = {(kinds[one], kinds[two]) for one, two in zip(tail.tolist(), head.tolist(), strict=True)}
    assert ((1, 2, True), (2, 1, False)) in waits and ((2, 1, False), (1, 2, True)) not in waits


def test_drift_where_uplinks_outnumber_hosts(plan_of: PlanOf) -> None:
    """33 nodes: 17 hosts under 20 uplinks, four links a pair. 31 nodes of eight a pair fill their round: no drift."""
    assert codes(prove(plan_of({"nodes": 33, **H100}, NDR)), "warning") == {"proof-drift"}
    assert not codes(prove(plan_of({"nodes": 31, **H100}, {**NDR, "reserve_ports": 4})), "warning")
    assert codes(prove(plan_of({"nodes": 90, **H100}, {**NDR, "oversubscription": ["3:1"]})), "warning") == {
        "proof-drift"
    }


def test_a_port_used_twice(plan_of: PlanOf) -> None:
    plan = two_tiers(plan_of)
    links = rows(plan, NODE_LEAF)
    upper, port = plan.topology.links.wide("upper")[links[8]], plan.topology.links.wide("upper_port")[links[8]]
    assert "proof-port-twice" in codes(prove(rewire(plan, links[:1], int(upper), int(port))))


def test_a_link_between_planes(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, "platform": "dgx-b300"}, {"rate": 400, "technology": "roce", "planes": 2})
    links, devices = plan.topology.links, plan.topology.devices
    other = int(np.flatnonzero((devices.plane == 2) & (devices.tier == 2))[0])
    proof = prove(rewire(plan, rows(plan, LEAF_SPINE)[:1], other, 1))
    assert {"proof-stray-links", "proof-counts"} <= codes(proof)
    assert not proof.fabrics[0].planes_alike
    assert len(links)


@pytest.mark.parametrize(("column", "value"), [("upper", 1 << 20), ("lower", -1), ("fabric", 7), ("upper_port", 0)])
def test_tables_that_point_nowhere(plan_of: PlanOf, column: str, value: int) -> None:
    plan = two_tiers(plan_of)
    links = plan.topology.links
    columns = {name: links.wide(name) for name in links.columns}
    columns[column][3] = value
    broken = plan.model_copy(update={"topology": plan.topology.model_copy(update={"links": Links(**columns)})})
    with pytest.raises(ReadError) as caught:
        prove(broken)
    assert caught.value.code == "broken-plan"
    assert f"links.{column}: row 3 holds {value}" in str(caught.value)


def test_large_planes_are_sampled_and_say_so(plan_of: PlanOf, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of({"nodes": 31, **H100}, NDR)
    whole = prove(plan).fabrics[0].shift
    monkeypatch.setattr("fabricplan.proof.shift.WHOLE_MAX", 200)
    monkeypatch.setattr("fabricplan.proof.cut.EDGES_MAX", 10)
    proof = prove(plan)
    padded = proof.fabrics[0].shift.load("padded")
    assert proof.holds and codes(proof, "info") == {"proof-shift-sampled", "proof-flow-skipped"}
    assert (padded.counted, padded.total) == (64, 247) and padded.worst == whole.load("padded").worst
    assert any("64 sampled k" in claim.text for claim in claims(proof.fabrics[0], "en"))
    assert proof.fabrics[0].cut.flow_gbps is None and proof.fabrics[0].deadlock.channels == 0
    assert "proof-shift" in codes(prove(drop(plan, rows(plan, LEAF_SPINE)[5:6])))


def test_unlike_groups_make_no_claim_of_shifts(catalog: Catalog) -> None:
    request = {
        "groups": [{"name": "node", "nodes": 60, **H100}, {"name": "store", "nodes": 16}],
        "fabrics": [{"rate": "ndr", "network": "storage", "attach": "spread", "attached": [
            {"group": "node"}, {"group": "store", "ports_per_node": 8}]}],
    }  # fmt: skip
    proof = prove(design(parse_requirement(request), catalog))
    assert not proof.fabrics[0].shift.claimed and proof.holds
    assert "proof-shift-mixed" in codes(proof, "warning")


@pytest.mark.parametrize(("nodes", "rate", "drifts"), [(81, "edr", True), (93, "edr", True), (113, "edr", False),
                                                       (448, "ndr", False)])  # fmt: skip
def test_drift_at_spines_is_forecast_and_promises_nothing(plan_of: PlanOf, nodes: int, rate: str, drifts: bool) -> None:
    """Sixteen links down and eighteen up, six to a core: OpenSM puts two flows on links of 81 and 93 nodes EDR."""
    plan = plan_of({"nodes": nodes}, {"rate": rate})
    fabric = prove(plan).fabrics[0]
    assert fabric.forecast.drift == drifts and fabric.shift_promised == (not drifts)
    assert ("spine-drift" in {item.code for item in plan.findings}) == drifts


def test_a_certificate_of_ethernet_promises_nothing_of_single_links(plan_of: PlanOf) -> None:
    """Equal-cost paths are hashed: the shift is told without a verdict, and the page says why."""
    proof = prove(plan_of({"nodes": 64}, {"technology": "roce", "rate": "400gbe"}))
    shift = next(claim for claim in claims(proof.fabrics[0], "en") if "k places further" in claim.text)
    assert (
        proof.holds and shift.stands is None and shift.text.startswith("Counted over evenly dealt routes, not promised")
    )
    assert any("hashing" in line for line in limits(proof, "en"))
    infiniband = prove(plan_of({"nodes": 64}, {"rate": "ndr"})).fabrics[0]
    assert next(claim.stands for claim in claims(infiniband, "en") if "k places further" in claim.text)
