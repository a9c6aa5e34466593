"""Random small fabrics: the vectorised proof against counts one flow at a time."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from fabricplan.errors import FabricplanError
from fabricplan.plan import Plan
from fabricplan.proof import kinds_of, prove, wirings
from fabricplan.proof.permutations import draws, mean_share
from fabricplan.proof.routes import Routes
from fabricplan.proof.shift import all_shifts, count, padded_order, real_order, tabulate
from fabricplan.proof.wiring import Wiring
from tests.conftest import PlanOf
from tests.tampering import drop, rows

SETTINGS = settings(
    max_examples=60, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
FABRICS = st.fixed_dictionaries(
    {"rate": st.just("edr")},
    optional={
        "oversubscription": st.sampled_from([["2:1"], ["3:1"]]), "min_spines": st.sampled_from([1, 3]),
        "leaf": st.sampled_from(["TOY8", "TOY4"]), "spine": st.sampled_from(["TOY8", "TOY4"]),
    },
)  # fmt: skip
NODES = st.integers(1, 24)
REFUSED = {"too-large", "no-even-fabric", "min-spines"}
"""Why the toy catalogue may hold a drawn request not; any other refusal is a fault."""


def designed(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]) -> Plan:
    """Design, or draw anew where the toy switches are too small; Hypothesis fails if that befalls too many draws."""
    try:
        return plan_of(group, fabric)
    except FabricplanError as error:
        assert error.code in REFUSED, error
        reject()


def flows(wiring: Wiring, routes: Routes, order: list[int], shift: int) -> Counter[tuple[int, bool]]:
    """Count flows per directed link at one shift, walking every way link by link."""
    load: Counter[tuple[int, bool]] = Counter()
    for position, source in enumerate(order):
        target = order[(position + shift) % len(order)]
        if source < 0 or target < 0:
            continue
        leaf = int(wiring.end_switch[source])
        way = routes.ways(np.array([leaf]), np.array([target]))
        assert not way.missing.size
        here = leaf
        for hop, up in zip(way.hops, (True, True, False, False), strict=True):
            link = int(hop[0])
            if link < 0:
                continue
            ends = int(wiring.low[link]), int(wiring.high[link])
            assert here == (ends[0] if up else ends[1]), "the way is connected"
            here = ends[1] if up else ends[0]
            load[link, up] += 1
        assert here == wiring.end_switch[target], "the way arrives"
    return load


@SETTINGS
@given(nodes=NODES, fabric=FABRICS, short=st.booleans())
def test_counts_agree_with_one_flow_at_a_time(
    toy_plan_of: PlanOf, nodes: int, fabric: dict[str, Any], short: bool
) -> None:
    plan = designed(toy_plan_of, {"nodes": nodes}, fabric)
    if short and rows(plan, 1).size > 4:
        plan = drop(plan, rows(plan, 1)[3:4])
    wiring = next(iter(wirings(plan, 0)))
    routes = Routes.of(wiring)
    ways = tabulate(routes)
    assert short or not ways.missing
    assume(not ways.missing)
    for order in (padded_order(wiring), real_order(wiring)):
        shifts = all_shifts(order.size, wiring.end_count)
        peaks = [max(flows(wiring, routes, order.tolist(), int(k)).values(), default=0) for k in shifts]
        found = count(wiring, ways, [order], 1, shifts)
        assert found.worst == max(peaks, default=0)
        assert found.shifts == len(peaks)
        assert count(wiring, routes, [order], 1, shifts) == found, "by rules as by tables"


@SETTINGS
@given(nodes=NODES, fabric=FABRICS)
def test_random_exchanges_agree_with_one_flow_at_a_time(
    toy_plan_of: PlanOf, nodes: int, fabric: dict[str, Any]
) -> None:
    """Every flow by itself, in fractions: a link's bandwidth over its flows, the smallest on the way."""
    wiring = next(iter(wirings(designed(toy_plan_of, {"nodes": nodes}, fabric), 0)))
    routes = Routes.of(wiring)
    ends, trials = real_order(wiring), 3
    total = Fraction(0)
    for order in draws(ends.size, trials):
        used = [routes.ways(wiring.end_switch[[source]], np.array([target])).hops
                for source, target in zip(ends, ends[order], strict=True)]  # fmt: skip
        links = [[(int(hop[0]), number < 2) for number, hop in enumerate(hops) if hop[0] >= 0] for hops in used]
        load = Counter(link for way in links for link in way)
        room = Fraction(wiring.sizing.uplink_gbps, wiring.sizing.link_gbps)
        total += sum(min([Fraction(1), *(room / load[link] for link in way)]) for way in links)
    share = total * 1000 / (ends.size * trials)
    # rounded down flow by flow, to a millionth
    assert share - Fraction(1001, 1000) <= mean_share(wiring, routes, trials) <= share
    assert mean_share(wiring, tabulate(routes), trials) == mean_share(wiring, routes, trials)


@SETTINGS
@given(nodes=NODES, fabric=FABRICS)
def test_what_is_designed_is_proven(toy_plan_of: PlanOf, nodes: int, fabric: dict[str, Any]) -> None:
    plan = designed(toy_plan_of, {"nodes": nodes}, fabric)
    proof = prove(plan)
    assert proof.holds, [item for item in proof.findings if item.severity == "error"]
    found = proof.fabrics[0]
    assert found.cut.flow_gbps is not None and found.cut.flow_gbps >= found.cut.claimed_gbps
    assert all(half.flow_gbps == half.closed_gbps for half in found.cut.halves)
    assert all(0 <= item.bisection_permille <= 1000 and item.nodes_cut <= nodes for item in found.failures)


@SETTINGS
@given(nodes=st.integers(5, 24), fabric=FABRICS, which=st.integers(0, 10_000))
def test_a_missing_uplink_never_passes(toy_plan_of: PlanOf, nodes: int, fabric: dict[str, Any], which: int) -> None:
    plan = designed(toy_plan_of, {"nodes": nodes}, fabric)
    links = rows(plan, 1)
    assume(links.size)
    assert not prove(drop(plan, links[[which % links.size]])).holds


@SETTINGS
@given(nodes=st.integers(2, 24))
def test_planes_alike_are_told_so(toy_plan_of: PlanOf, nodes: int) -> None:
    plan = designed(toy_plan_of, {"nodes": nodes, "ports": 2}, {"planes": 2})
    planes = list(wirings(plan, 0))
    assert [times for _, times in kinds_of(planes)] == [2]
    assert planes[0].digest == planes[1].digest
