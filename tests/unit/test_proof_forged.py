"""Forged plans: no proof rests on a number that the plan merely states."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fabricplan.cli import main
from fabricplan.plan import Plan, dumps, loads
from fabricplan.proof import Proof, prove
from fabricplan.proof.rates import derive_rates
from fabricplan.renderers.proof_rows import title
from fabricplan.topology import LEAF_SPINE
from fabricplan.wording.proof import proof_hint, proof_text
from tests.conftest import PlanOf
from tests.tampering import drop, rows


@pytest.fixture(scope="module")
def two(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 64, "platform": "dgx-h100"}, {"rate": "ndr", "oversubscription": ["2:1"]})


def forged(plan: Plan, change: Callable[[Any], object]) -> bytes:
    tree = json.loads(dumps(plan))
    change(tree)
    return json.dumps(tree).encode()


def faster(tree: Any) -> None:
    fabric = tree["fabrics"][0]
    fabric.update(uplink_gbps=800, oversubscription="1:1", bisection_gbps=2 * fabric["bisection_gbps"])


def faster_by_name(tree: Any) -> None:
    faster(tree)
    tree["fabrics"][0]["uplink_rate"] = "xdr"


def errors(proof: Proof) -> set[str]:
    return {item.code for item in proof.findings if item.severity == "error"}


@pytest.mark.parametrize("change", [faster, faster_by_name])
def test_rates_and_ratio_come_from_products_and_tables(two: Plan, change: Callable[[Any], object]) -> None:
    proof = prove(loads(forged(two, change)))
    assert {"proof-rate", "proof-ratio", "proof-cut", "proof-shift"} <= errors(proof)
    assert not title(proof, "en").startswith("Non-blocking")
    for item in proof.findings:
        for lang in ("en", "zh"):
            assert proof_hint(item, lang) and "{" not in proof_text(item, lang)


def test_derived_rates_are_those_of_a_sound_plan(two: Plan) -> None:
    assert derive_rates(two, 0) == two.fabrics[0]


def test_a_spine_less_shows_in_the_ratio(two: Plan) -> None:
    links = rows(two, LEAF_SPINE)
    upper = two.topology.links.wide("upper")[links]
    proof = prove(drop(two, links[upper == np.unique(upper)[0]]))
    assert "proof-ratio" in errors(proof) and proof.fabrics[0].oversubscription == "8:3"


@pytest.mark.parametrize(
    "change",
    [faster, lambda tree: tree["fabrics"][0].update(endpoints=9999),
     lambda tree: tree["fabrics"][0].update(oversubscription="4:1"),
     lambda tree: tree["bom"]["lines"][0].update(quantity=1)],
    ids=["rates", "endpoints", "ratio", "bill"],
)  # fmt: skip
def test_what_fails_the_check_is_not_proven(
    two: Plan, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Any], object]
) -> None:
    (tmp_path / "plan.json").write_bytes(forged(two, change))
    assert main(["prove", str(tmp_path / "plan.json"), "--json"]) == 1
    tree = json.loads(capsys.readouterr().out)
    assert tree["holds"] is False and "plan-check-failed" in {item["code"] for item in tree["findings"]}
    assert main(["prove", str(tmp_path / "plan.json"), "--lang", "zh"]) == 1
    assert "方案未通过自身检查" in capsys.readouterr().out
