"""The product's own witness: OpenSM and ibdmchk judge the exported fabric, and the forecast agrees with them.

Accepted: ftree without fallback, the padded shift at the flows the ratio allows, no credit loops. Refused: tampered
tables, where the forecast must say so before. In CI no program may be missing; elsewhere the tests are skipped.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from fabricplan.cli import main
from fabricplan.plan import Plan
from fabricplan.plan import dumps as dump_plan
from fabricplan.proof import loads, prove, wirings
from fabricplan.proof.document import WitnessRun
from fabricplan.proof.forecast import forecast
from fabricplan.proof.wiring import Wiring
from fabricplan.renderers.proof_rows import standing
from fabricplan.witness import bear_witness, examine, missing_programs
from tests.conftest import PlanOf
from tests.tampering import (
    core_link,
    drop,
    host_on_spine,
    joined_leaves,
    leaf_without_links,
    rows,
    swap,
    without_spine,
)

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(
        bool(missing_programs()) and not os.environ.get("FABRICPLAN_REQUIRE_ORACLES"),
        reason=f"not installed: {', '.join(missing_programs())}",
    ),
]
H100 = {"platform": "dgx-h100"}
NDR = {"rate": "ndr"}
FOUR = {**NDR, "reserve_ports": 4}


def judged(plan: Plan) -> WitnessRun:
    """Prove a plan with the witness, expect agreement, and return the first run."""
    proof = bear_witness(plan, prove(plan))
    assert not [item for item in proof.findings if item.code.startswith("witness-") and item.severity == "error"]
    assert proof.holds
    run = proof.fabrics[0].witness[0]
    assert (run.missing, run.credit_loops) == (0, False)
    assert (run.switches, run.endpoints) == (
        plan.fabrics[0].switch_count // plan.fabrics[0].planes,
        (plan.fabrics[0].endpoints + plan.fabrics[0].reserve_ports) // plan.fabrics[0].planes,
    )
    return run


@pytest.mark.parametrize(
    ("group", "fabric", "ranks", "flows"),
    [
        ({"nodes": 31, **H100}, FOUR, (4, 8), 1),
        ({"nodes": 95, **H100}, FOUR, (16, 24), 1),
        ({"nodes": 127, **H100}, FOUR, (16, 32), 1),
        ({"nodes": 160, **H100}, NDR, (32, 40), 1),
        ({"nodes": 100, **H100}, NDR, (13, 32), 1),
        ({"nodes": 16, **H100}, NDR, (2, 4), 1),
        ({"nodes": 128}, {"rate": "xdr"}, (8, 16), 1),
        ({"nodes": 128, **H100}, {**NDR, "oversubscription": ["2:1"]}, (8, 32), 2),
        ({"nodes": 64, "grow_to": 128, **H100}, NDR, (16, 16), 1),
        ({"nodes": 128}, {"rate": "hdr"}, (32, 64, 64), 1),
        ({"nodes": 448, **H100}, NDR, (64, 112, 112), 1),
        ({"nodes": 512, **H100}, NDR, (64, 128, 128), 1),
    ],
    ids=["31-ndr", "95-ndr", "127-ndr", "160-ndr", "100-ndr", "16-ndr", "128-xdr", "two-to-one", "growth-step",
         "128-hdr", "448-ndr", "512-ndr"],
)  # fmt: skip
def test_opensm_accepts_and_shifts_pass(
    plan_of: PlanOf, group: dict, fabric: dict, ranks: tuple[int, ...], flows: int
) -> None:
    run = judged(plan_of(group, fabric))
    assert run.engine == "ftree" and run.ranks == ranks
    loads = {load.order: load.worst for load in run.loads}
    assert loads["padded"] == flows
    assert sum(line.count for line in run.hops) == run.endpoints * (run.endpoints - 1)


@pytest.mark.parametrize(
    ("group", "fabric", "ranks", "flows"),
    [
        ({"nodes": 100}, {"rate": "hdr", "leaf": "CS8500"}, (20, 40), 1),
        ({"nodes": 13}, {"rate": "hdr", "leaf": "CS8500", "reserve_ports": 2}, (20, 6), 1),
        ({"nodes": 200}, {"rate": "hdr100", "leaf": "CS8500"}, (20, 40), 2),
        ({"nodes": 40}, {"rate": "edr", "leaf": "CS7510", "reserve_ports": 2}, (9, 18), 1),
        # the second chip of the last module has no endpoint: OpenSM ranks it above the spine chips
        ({"nodes": 20}, {"rate": "edr", "leaf": "CS7520"}, (1, 6, 9), 1),
    ],
    ids=["full", "in-part", "split", "cs7510", "idle-chip"],
)
def test_opensm_routes_the_chips_of_a_director(
    plan_of: PlanOf, group: dict, fabric: dict, ranks: tuple[int, ...], flows: int
) -> None:
    """A director's chips as a subnet manager finds them: ftree without fallback, the padded shift, no credit loops."""
    plan = plan_of(group, fabric)
    proof = bear_witness(plan, prove(plan))
    assert proof.holds and proof.confirmed
    (run,) = proof.fabrics[0].witness
    assert (run.engine, run.ranks, run.switches) == ("ftree", ranks, sum(ranks))
    assert (run.missing, run.credit_loops) == (0, False)
    assert next(load.worst for load in run.loads if load.order == "padded") == flows
    assert run.loads == prove(plan).fabrics[0].shift.loads


@pytest.mark.parametrize(
    ("group", "fabric"),
    [({"nodes": 2}, {"rate": "hdr", "leaf": "CS8500"}), ({"nodes": 10, "ports": 1, "grow_to": 100}, {"rate": "edr"})],
    ids=["director", "first-leaf"],
)
def test_endpoints_of_one_switch_need_no_fat_tree(plan_of: PlanOf, group: dict, fabric: dict) -> None:
    """With all endpoints on one of several switches OpenSM finds no leaves, and routes by min-hop: no harm is done."""
    plan = plan_of(group, fabric)
    proof = bear_witness(plan, prove(plan))
    assert proof.holds and proof.fabrics[0].forecast.engine == "not-needed"
    assert (proof.fabrics[0].witness[0].engine, proof.fabrics[0].witness[0].missing) == ("fallback", 0)


def test_opensm_routes_as_derived(plan_of: PlanOf) -> None:
    """OpenSM's tables carry the same loads as the routes derived from the link table, in all three orders."""
    for group, fabric in (({"nodes": 95, **H100}, FOUR), ({"nodes": 104}, {"rate": "hdr"})):
        plan = plan_of(group, fabric)
        assert judged(plan).loads == prove(plan).fabrics[0].shift.loads


def test_drift_is_forecast_and_seen(plan_of: PlanOf) -> None:
    """33 nodes: OpenSM's balancing drifts to two flows, where one is possible."""
    plan = plan_of({"nodes": 33, **H100}, NDR)
    proof = bear_witness(plan, prove(plan))
    assert proof.holds and {"proof-drift", "witness-shift"} <= {item.code for item in proof.findings}
    assert proof.fabrics[0].witness[0].loads[0].worst == 2
    assert not proof.confirmed and "Not confirmed" in standing(proof, "en")


def test_a_drift_that_opensm_does_not_show_is_withdrawn(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, **H100}, {**NDR, "oversubscription": ["2:1"]})
    derived = prove(plan)
    assert derived.fabrics[0].forecast.drift
    codes = {item.code for item in bear_witness(plan, derived).findings}
    assert "witness-no-drift" in codes and "proof-drift" not in codes


def test_one_switch_needs_no_fat_tree(plan_of: PlanOf) -> None:
    run = judged(plan_of({"gpus": 64}, NDR))
    assert run.engine == "fallback" and "1 switches" in run.refusal


def test_a_pair_of_leaves_is_served_by_min_hop(plan_of: PlanOf) -> None:
    """OpenSM's ftree refuses two leaves without a spine, with a list of roots too; min-hop spreads their links."""
    plan = plan_of({"nodes": 24, "ports": 1}, {"rate": "edr", "direct_pair": True})
    run = judged(plan)
    assert run.engine == "fallback" and {load.order: load.worst for load in run.loads}["padded"] == 1
    (wiring,) = wirings(plan, 0)
    for roots in (("leaf-su01",), ("leaf-su01", "leaf-su02")):
        assert examine(plan, wiring, roots=roots).engine == "fallback"


def test_planes_alike_are_judged_once(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 128}, {"rate": "hdr", "planes": "rail"})
    proof = bear_witness(plan, prove(plan))
    assert proof.holds and proof.fabrics[0].planes == 8
    assert [(run.plane, run.planes_alike, run.engine) for run in proof.fabrics[0].witness] == [(1, 8, "ftree")]


def small(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 31, **H100}, NDR)


def single_links(plan_of: PlanOf) -> Plan:
    """One link between each leaf and spine."""
    return plan_of({"nodes": 160, **H100}, NDR)


def tiers_three(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 104}, {"rate": "hdr"})


def tampered(plan_of: PlanOf, case: str) -> Plan:
    if case == "uplink-of-eight":
        return drop(small(plan_of), rows(small(plan_of), 1)[5:6])
    if case == "uplink-of-one":
        return drop(single_links(plan_of), rows(single_links(plan_of), 1)[-1:])
    if case == "crossed-uplinks":
        return swap(single_links(plan_of), *rows(single_links(plan_of), 1)[[0, 33]].tolist())
    if case == "crossed-hosts":
        return swap(single_links(plan_of), *rows(single_links(plan_of), 0)[[0, 9]].tolist())
    if case == "host-on-spine":
        return host_on_spine(plan_of({"nodes": 64, "grow_to": 128, **H100}, NDR))
    if case == "no-hosts-on-a-leaf":
        links = small(plan_of).topology.links
        first = links.upper[rows(small(plan_of), 0)[0]]
        return drop(small(plan_of), np.flatnonzero((links.role == 0) & (links.upper == first)))
    if case == "spine-gone":
        return without_spine(small(plan_of))
    if case == "unequal-pods":
        return leaf_without_links(tiers_three(plan_of))
    if case == "core-link":
        return drop(tiers_three(plan_of), core_link(tiers_three(plan_of)))
    return joined_leaves(plan_of({"gpus": 128}, NDR))


def tops(plan: Plan, wiring: Wiring) -> tuple[str, ...]:
    names = plan.device_names()
    used = np.unique(np.concatenate([wiring.low, wiring.high]))
    top = used[wiring.tier[used] == wiring.tier[used].max()]
    return tuple(names[wiring.switch_row[switch]] for switch in top.tolist())


@pytest.mark.parametrize(
    ("case", "engine", "code"),
    [
        ("uplink-of-eight", "refused", "AB0B"),
        ("uplink-of-one", "refused", "AB09"),
        ("crossed-uplinks", "refused", "AB0B"),
        ("crossed-hosts", "ftree", ""),
        ("host-on-spine", "refused", "AB26"),
        ("no-hosts-on-a-leaf", "ftree", ""),
        ("spine-gone", "ftree", ""),
        ("unequal-pods", "refused", "AB0A"),
        ("core-link", "refused", "AB0B"),
        ("direct-pair", "refused", "AB2B"),
    ],
)
def test_forecast_agrees_with_opensm(plan_of: PlanOf, case: str, engine: str, code: str) -> None:
    """Accepted or refused as forecast; and a list of roots helps exactly where the forecast says so."""
    plan = tampered(plan_of, case)
    wiring = next(iter(wirings(plan, 0)))
    names = plan.device_names()
    look = forecast(wiring, [names[row] for row in wiring.switch_row.tolist()])
    run = examine(plan, wiring)
    assert look.engine == engine
    assert run.engine == ("ftree" if engine == "ftree" else "fallback")
    assert code in run.refusal
    if engine == "ftree":
        assert run.ranks == look.ranks
    else:
        rooted = examine(plan, wiring, roots=tops(plan, wiring))
        assert (rooted.engine == "ftree") == look.with_roots


def test_command_line_with_witness(plan_of: PlanOf, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(dump_plan(plan_of({"gpus": 128}, NDR)))
    assert main(["prove", str(file), "--witness", "-o", str(tmp_path), "--lang", "zh"]) == 0
    assert "无阻塞计算书（软件校验，非第三方检测）" in capsys.readouterr().out
    run = loads((tmp_path / "proof.json").read_bytes()).fabrics[0].witness[0]
    assert run.opensm.startswith("OpenSM 3") and run.ibsim.startswith("ibsim ") and run.ibdmchk.startswith("ibdmchk ")
    page = (tmp_path / "proof.html").read_text("utf-8")
    assert run.opensm in page and "ftree，未退回" in page


def test_time_limit(plan_of: PlanOf, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(dump_plan(plan_of({"nodes": 448, **H100}, NDR)))
    assert main(["prove", str(file), "--witness", "--witness-seconds", "1"]) == 1
    assert "did not end within 1 s" in capsys.readouterr().err
