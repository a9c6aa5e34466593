"""Random small fabrics of all kinds: XDR, models mixed over the tiers, RoCE whose spines share cores, directors.

Of every plan: ports used are owned (``invariants``), links are the sums of uplinks, every leaf reaches every spine of
its pod alike, the maximum flow is not below the claim, and more nodes towards the same end never change a name.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError, RequirementError
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.proof import prove
from fabricplan.requirement import parse_requirement
from fabricplan.sizing import size_all
from fabricplan.topology import LEAF_SPINE, SPINE_CORE
from tests.conftest import request
from tests.properties.invariants import assert_sound
from tests.properties.test_growth import assert_grows

SETTINGS = settings(
    deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
ROCE = {"technology": "roce", "rate": "100gbe"}
RATIOS = st.sampled_from([["1:1"], ["2:1"], ["1:1", "2:1"], ["3:2"], ["2:1", "3:1"]])
XDR = st.fixed_dictionaries(
    {"rate": st.just("xdr"), "leaf": st.sampled_from(["Q3200-RA", "Q3400-RA"]),
     "spine": st.sampled_from(["Q3200-RA", "Q3400-RA"])},
    optional={"oversubscription": RATIOS, "reserve_ports": st.integers(1, 4)},
)  # fmt: skip
MIXED = st.sampled_from([
    {"rate": "hdr", "leaf": "QM8700", "spine": "QM9700"}, {"rate": "ndr", "leaf": "QM9790", "spine": "QM9700"},
    {"rate": "edr", "leaf": "SB7800", "spine": "QM8700"}, {"rate": "hdr", "leaf": "QM9700", "spine": "QM8700"},
    {"rate": "hdr100", "leaf": "QM8700", "spine": "QM9700"},
    {**ROCE, "leaf": "SN2100", "spine": "SN4600C"}, {**ROCE, "leaf": "SN4600C", "spine": "SN2700"},
    {**ROCE, "leaf": "SN3700", "spine": "SN4600C"},
])  # fmt: skip
SHARED = st.fixed_dictionaries(
    {**{key: st.just(word) for key, word in ROCE.items()}, "tiers": st.just(3),
     "leaf": st.sampled_from(["SN2100", "SN2700"]), "oversubscription": RATIOS},
)  # fmt: skip
REFUSED = {
    "too-large",
    "no-even-fabric",
    "min-spines",
    "out-of-reach",
    "one-pod",
    "one-leaf",
    "no-mate",
    "leaf-too-small",
}
"""Why a drawn request may have no fabric; any other refusal is a fault."""


def designed(
    catalog: Catalog, nodes: int, ports: int, fabric: dict[str, Any], grow_to: int | None = None
) -> Plan | None:
    group = {"nodes": nodes, "ports": ports, **({"grow_to": grow_to} if grow_to else {})}
    try:
        return design(parse_requirement(request(group, fabric)), catalog)
    except (InfeasibleError, RequirementError) as error:
        assert error.code in REFUSED, f"{error.code}: {error}"
        return None


def assert_holds(plan: Plan) -> None:
    """Count links and evenness from the table, and prove the claims."""
    assert_sound(plan)
    links, devices = plan.topology.links, plan.topology.devices
    sizing, shape = plan.fabrics[0], plan.fabrics[0].shape
    for role, lowers, each in (
        (LEAF_SPINE, sizing.leaf_count, shape.uplinks), (SPINE_CORE, sizing.spine_count, shape.spine_uplinks),
    ):  # fmt: skip
        rows = np.flatnonzero(links.role == role)
        if not rows.size:
            continue
        lower, upper = links.wide("lower")[rows], links.wide("upper")[rows]
        assert rows.size == lowers * each and (np.bincount(lower)[np.unique(lower)] == each).all()
        pairs = np.unique(lower * len(devices) + upper, return_counts=True)[1]
        assert np.unique(pairs).size == 1
        if role == LEAF_SPINE:
            pod = devices.wide("pod")
            assert (pod[lower] == pod[upper]).all()
            assert pairs.size == lowers * shape.spines_per_pod
    proof = prove(plan)
    assert proof.holds, [note for note in proof.findings if note.severity == "error"]
    cut = proof.fabrics[0].cut
    assert cut.even and cut.flow_gbps is not None and cut.flow_gbps >= cut.claimed_gbps == sizing.bisection_gbps


@settings(SETTINGS, max_examples=14)
@given(nodes=st.integers(2, 40), ports=st.sampled_from([1, 8]), fabric=XDR)
def test_xdr(catalog: Catalog, nodes: int, ports: int, fabric: dict[str, Any]) -> None:
    plan = designed(catalog, nodes, ports, fabric)
    if plan is not None:
        assert_holds(plan)


@settings(SETTINGS, max_examples=16)
@given(nodes=st.integers(20, 90), fabric=MIXED, ratio=RATIOS)
def test_models_mixed_over_the_tiers(catalog: Catalog, nodes: int, fabric: dict[str, Any], ratio: list[str]) -> None:
    plan = designed(catalog, nodes, 1, {**fabric, "oversubscription": ratio})
    if plan is not None:
        assert_holds(plan)
        models = {plan.topology.device_types[row].key for row in plan.topology.devices.type.tolist()}
        assert models >= {fabric["leaf"]}


@settings(SETTINGS, max_examples=12)
@given(nodes=st.integers(40, 200), fabric=SHARED)
def test_roce_whose_spines_share_cores(catalog: Catalog, nodes: int, fabric: dict[str, Any]) -> None:
    plan = designed(catalog, nodes, 1, fabric)
    if plan is not None:
        assert_holds(plan)
        shape = plan.fabrics[0].shape
        assert shape.core_count == shape.group_count * shape.cores_per_group
        assert shape.group_count * shape.spines_per_group == shape.spines_per_pod


@pytest.mark.parametrize(("nodes", "ratio", "shared"), [(76, "1:1", 2), (132, "1:1", 3), (60, "2:1", 2)])
def test_cores_are_shared_where_that_saves_some(catalog: Catalog, nodes: int, ratio: str, shared: int) -> None:
    """The draws above meet shared cores: several spine indexes of a pod under one core. InfiniBand has its own ones,
    because OpenSM lets a leaf climb by the first of several spines under a core."""
    asked = {**ROCE, "tiers": 3, "leaf": "SN2700", "oversubscription": [ratio]}
    plan = designed(catalog, nodes, 1, asked)
    assert plan is not None and plan.fabrics[0].shape.spines_per_group == shared
    assert_holds(plan)
    own = size_all(parse_requirement(request({"nodes": nodes, "ports": 1}, {"rate": "edr", "tiers": 3})), catalog)[0]
    assert own.shape.spines_per_group == 1


@settings(SETTINGS, max_examples=10)
@given(nodes=st.integers(1, 100), rate=st.sampled_from(["hdr", "hdr100"]), reserved=st.integers(0, 3))
def test_directors(catalog: Catalog, nodes: int, rate: str, reserved: int) -> None:
    plan = designed(catalog, nodes, 8, {"rate": rate, "leaf": "CS8500", "reserve_ports": reserved})
    if plan is None:
        assert nodes * 8 + reserved > (800 if rate == "hdr" else 1600)
        return
    assert_sound(plan)
    proof = prove(plan)
    assert proof.holds and proof.fabrics[0].cut.even
    assert (proof.fabrics[0].cut.flow_gbps or 0) >= proof.fabrics[0].cut.claimed_gbps


@settings(SETTINGS, max_examples=12)
@given(
    steps=st.lists(st.integers(1, 90), min_size=3, max_size=3, unique=True).map(sorted),
    fabric=st.one_of(XDR, MIXED, SHARED, st.just({"rate": "hdr", "leaf": "CS8500"})),
)
def test_more_nodes_never_change_a_name(catalog: Catalog, steps: list[int], fabric: dict[str, Any]) -> None:
    # ports kept for managers take leaves of the first unit, of which a first stage of few nodes may have too few
    fabric = {key: word for key, word in fabric.items() if key != "reserve_ports"}
    plans = [designed(catalog, nodes, 1, fabric, steps[-1]) for nodes in steps]
    assert len({plan is None for plan in plans}) == 1, "a stage is refused that the others are not"
    if plans[0] is not None:
        assert_grows([plan for plan in plans if plan is not None])
