"""Proofs of networks whose endpoints are switches: management ports, and the uplinks of out-of-band leaves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fabricplan.catalog import Catalog
from fabricplan.files import load_requirement
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.proof import prove, wirings
from fabricplan.renderers import proof_html
from fabricplan.renderers.proof_rows import claims, heading
from fabricplan.requirement import parse_requirement
from tests.tampering import drop

FOUR = Path(__file__).parents[2] / "examples" / "h100-four-networks.yaml"


@pytest.fixture(scope="module")
def four(catalog: Catalog) -> Plan:
    return design(load_requirement(FOUR), catalog)


def small(catalog: Catalog, nodes: int) -> Plan:
    return design(parse_requirement({
        "groups": [{"nodes": nodes}],
        "fabrics": [{"rate": "ndr"}, {"name": "oob", "network": "oob", "technology": "roce", "rate": "1gbe"}],
    }), catalog)  # fmt: skip


def test_one_out_of_band_leaf_is_proven_like_one_switch(catalog: Catalog) -> None:
    proof = prove(small(catalog, 4))
    oob = proof.fabrics[1]
    assert proof.holds and (oob.endpoints, oob.leaves_apart) == (5, 0)
    assert oob.shift.allowed == 1 and oob.cut.claimed_gbps == 2


def test_every_fabric_counts_the_endpoints_that_sizing_states(four: Plan) -> None:
    proof = prove(four)
    assert proof.holds, [item for item in proof.findings if item.severity == "error"]
    assert [item.endpoints for item in proof.fabrics] == [item.endpoints for item in four.fabrics]


@pytest.mark.parametrize("fabric", [2, 3], ids=["uplinks", "boxes"])
def test_switches_that_are_endpoints_stand_once_in_the_order(four: Plan, fabric: int) -> None:
    wiring = next(iter(wirings(four, fabric)))
    real = ~wiring.reserved
    stand = np.stack([wiring.unit, wiring.slot, wiring.place])[:, real]
    assert np.unique(stand, axis=1).shape == stand.shape and wiring.stray == 0
    assert (np.bincount(wiring.end_device[real]).max(), wiring.slot[real].min()) == (2 if fabric == 2 else 1, 1)


def test_leaves_that_the_plan_does_not_join_claim_nothing_beyond_the_leaf(four: Plan) -> None:
    proof = prove(four)
    oob = proof.fabrics[3]
    assert (oob.leaves_apart, oob.uplinks_to) == (7, "inband") and [half.half for half in oob.cut.halves] == ["within"]
    assert "proof-leaves-apart" in {item.code for item in proof.findings if item.subject == "oob"}
    between = claims(oob, "en")[1]
    assert between.stands is None and "nothing is claimed: 7 leaves" in between.found and "inband" in between.found
    assert heading(oob, "en").endswith("1:1 within each leaf")
    assert {item.kind: item.nodes_cut for item in oob.failures}["leaf"] < 35, "one leaf, not all but one"
    for lang in ("en", "zh"):
        assert b"inband" in proof_html.render(proof, lang)["proof.html"]


def test_a_missing_management_link_shows(four: Plan) -> None:
    wiring = next(iter(wirings(four, 3)))
    proof = prove(drop(four, wiring.end_link[:1]))
    assert {(item.code, item.subject) for item in proof.findings if item.severity == "error"} == {
        ("proof-counts", "oob")}  # fmt: skip
