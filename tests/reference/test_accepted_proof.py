"""What engineers accept as proof, line by line: the claim, and the evidence that the product gives of it.

The weak evidence beside each claim (a ratio of port counts, a drawing, a percentage) must not be enough: each test also
shows a fabric that the weak evidence would pass and this one does not. What OpenSM itself says stands in
``tests/oracles``; what a discovery says, in ``tests/unit/test_asbuilt.py``.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from fabricplan.plan import Plan
from fabricplan.proof import dumps, prove, wirings
from fabricplan.proof.document import FabricProof, Proof
from fabricplan.proof.inside import switch_names
from fabricplan.proof.permutations import mean_share
from fabricplan.proof.routes import Routes
from fabricplan.renderers import render
from fabricplan.renderers.proof_rows import limits
from fabricplan.topology import LEAF_SPINE, NODE_LEAF
from tests.conftest import PlanOf
from tests.tampering import core_link, drop, host_on_spine, rewire, rows, swap


@pytest.fixture(scope="module")
def plan(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 64}, {"rate": "ndr"})


def only(plan: Plan) -> tuple[Proof, FabricProof, set[str]]:
    proof = prove(plan)
    return proof, proof.fabrics[0], {note.code for note in proof.findings}


def test_one_to_one_is_bandwidth_and_evenness_and_the_cut(plan: Plan) -> None:
    """Every leaf's uplinks carry its hosts, every pair of leaf and spine has equally many links, and the minimum cut of
    two halves is what half of the hosts inject: 512 ports of 400 Gb/s, 256 on a side."""
    _, fabric, _ = only(plan)
    assert (fabric.oversubscription, fabric.cut.even) == ("1:1", True)
    assert fabric.cut.flow_gbps == fabric.cut.closed_gbps == fabric.cut.claimed_gbps == 256 * 400


def test_port_counts_alone_prove_nothing(plan: Plan) -> None:
    """Two leaves exchange a link's far end: all counts of ports stay, each leaf has 4 links to one spine too few."""
    links, trunks = plan.topology.links, rows(plan, LEAF_SPINE)
    lower, upper = links.wide("lower")[trunks], links.wide("upper")[trunks]
    one = int(trunks[0])
    other = int(trunks[(lower != lower[0]) & (upper != upper[0])][0])
    crossed = swap(plan, one, other)
    for count in ("lower", "upper"):
        assert np.array_equal(np.bincount(crossed.topology.links.wide(count)), np.bincount(links.wide(count)))
    proof, fabric, codes = only(crossed)
    assert not proof.holds and not fabric.cut.even and "proof-uneven" in codes


def test_every_shift_is_counted(plan: Plan) -> None:
    """All N - 1 shifts of 512 endpoints, at most one flow on a link; crossed hosts of two leaves are seen by it."""
    _, fabric, _ = only(plan)
    padded = fabric.shift.load("padded")
    assert (padded.worst, padded.counted, padded.total) == (1, 511, 511)
    links, hosts = plan.topology.links, rows(plan, NODE_LEAF)
    far = int(hosts[links.wide("upper")[hosts] != links.wide("upper")[hosts[0]]][0])
    proof, fabric, codes = only(swap(plan, int(hosts[0]), far))
    assert fabric.cut.even and fabric.cut.flow_gbps == fabric.cut.claimed_gbps
    assert not proof.holds and "proof-shift" in codes


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_limits_of_the_claim_are_told(plan: Plan, lang: str) -> None:
    """Shifts are claimed, random permutations told with their average, and no more: no static routing serves all."""
    proof, fabric, _ = only(plan)
    share = fabric.shift.random_permille
    assert share is not None and 550 < share < 800
    told = " ".join(limits(proof, lang))
    assert f"{share / 10:g} %" in told
    assert json.loads(dumps(proof))["fabrics"][0]["shift"]["random_permille"] == share


def test_random_exchanges_lose_with_the_ratio(plan_of: PlanOf) -> None:
    """On one switch every flow has its rate; the fewer uplinks, the more flows meet on one."""
    shares = {}
    for ratio in ("1:1", "2:1", "8:1"):
        made = plan_of({"nodes": 64, "ports": 1}, {"rate": "edr", "oversubscription": [ratio]})
        (wiring,) = wirings(made, 0)
        shares[ratio] = mean_share(wiring, Routes.of(wiring))
    assert 1000 > shares["1:1"] > shares["2:1"] > shares["8:1"]
    (alone,) = wirings(plan_of({"nodes": 36, "ports": 1}, {"rate": "edr"}), 0)
    assert mean_share(alone, Routes.of(alone)) == 1000


def test_no_circle_of_buffers_and_a_list_of_roots(plan: Plan) -> None:
    _, fabric, _ = only(plan)
    assert fabric.deadlock.free and fabric.deadlock.channels == 2 * 512
    files = {name.rpartition("/")[2]: text.decode() for name, text in render(plan, "opensm").items()}
    (wiring,) = wirings(plan, 0)
    spines = [name for name in switch_names(wiring, plan.device_names()) if name.startswith("spine")]
    assert files["root_guid_file.template"].split() == [f"${{switch:{name}}}" for name in spines]


def test_what_the_manager_asks_for(plan_of: PlanOf) -> None:
    """OpenSM's rules: equal groups and ports of a rank, all compute nodes at one rank, LMC 0; else a list of roots."""
    three = plan_of({"nodes": 104}, {"rate": "hdr"})
    _, fabric, _ = only(three)
    assert (fabric.forecast.engine, len(fabric.forecast.ranks)) == ("ftree", 3)
    for broken, reason in ((drop(three, core_link(three)), "uneven"), (host_on_spine(three), "equal-rank")):
        proof, fabric, codes = only(broken)
        assert not proof.holds and fabric.forecast.reason == reason
        assert any(code.startswith("proof-ftree-") for code in codes)
    files = {name.rpartition("/")[2]: text.decode() for name, text in render(three, "opensm").items()}
    options = dict(line.split(" ", 1) for line in files["opensm.conf"].splitlines() if not line.startswith("#"))
    assert (options["routing_engine"], options["lmc"]) == ("ftree", "0")
    assert options["root_guid_file"].endswith("root_guid_file") and options["cn_guid_file"].endswith("cn_guid_file")


@pytest.mark.parametrize(
    ("nodes", "fabric"),
    [(64, {"rate": "ndr"}), (16, {"rate": "ndr"}), (128, {"rate": "hdr"}), (100, {"rate": "xdr"})],
)
def test_rails_land_on_one_leaf_and_one_port(plan_of: PlanOf, nodes: int, fabric: dict[str, str]) -> None:
    """Each adapter of a node lands on the leaf of its rail in the node's unit, and all nodes' rail k on leaf k; where
    each rail has a leaf of its own, a node has the same port number on all of them."""
    plan = plan_of({"nodes": nodes}, fabric)
    links, devices = plan.topology.links, plan.topology.devices
    hosts = rows(plan, NODE_LEAF)
    unit = devices.wide("unit")[links.wide("lower")[hosts]]
    leaf, port = links.wide("upper")[hosts], links.wide("lower_port")[hosts]
    assert (devices.wide("unit")[leaf] == unit).all()
    for rail in range(8):
        mine = port == rail + 1
        assert np.unique(unit[mine] * 10_000 + leaf[mine]).size == np.unique(unit).size
    if plan.fabrics[0].groups[0].rails_per_leaf == 1:
        node, number = links.wide("lower")[hosts], links.wide("upper_port")[hosts]
        assert np.unique(node * 10_000 + number).size == nodes


def test_a_crossed_rail_is_no_drawing_matter(plan_of: PlanOf) -> None:
    """Two adapters of one node exchanged: every count and the cut stay, the shift shows it."""
    plan = plan_of({"nodes": 64}, {"rate": "ndr"})
    hosts = rows(plan, NODE_LEAF)
    links = plan.topology.links
    first, second = links.wide("upper")[hosts[:2]].tolist(), links.wide("upper_port")[hosts[:2]].tolist()
    crossed = rewire(plan, hosts[:2], np.array(first[::-1]), np.array(second[::-1]))
    proof, fabric, _ = only(crossed)
    assert fabric.cut.flow_gbps == fabric.cut.claimed_gbps and not proof.holds


def test_what_is_left_after_one_failure(plan: Plan) -> None:
    """16 leaves of 32 over 8 spines with 4 links a pair: a spine is 1/8 of each leaf's uplinks, a cage's cable 1/32."""
    _, fabric, _ = only(plan)
    lost = {item.kind: item for item in fabric.failures}
    assert {"cable-node", "cable-leaf-spine", "spine", "leaf", "cables-random"} == set(lost)
    assert (lost["spine"].count, lost["spine"].uplinks_permille) == (8, 875)
    assert lost["leaf"].nodes_cut == 0 and lost["leaf"].node_permille == 875 and lost["leaf"].nodes_hit == 32
    assert lost["cable-leaf-spine"].uplinks_permille == 1000 * 31 // 32
