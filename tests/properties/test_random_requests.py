"""Any request gives a named error or a plan in which everything holds (``invariants``); order never matters."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricplan.catalog import KINDS, Catalog, RawEntry
from fabricplan.errors import InfeasibleError, RequirementError
from fabricplan.pipeline import design
from fabricplan.plan import Plan, dumps, loads
from fabricplan.requirement import parse_requirement
from tests.properties.invariants import assert_sound

KNOWN = {
    "too-large", "no-mate", "out-of-reach", "planes", "rate-of-ports", "rate-of-switch", "no-part-number", "lid-space",
    "ports-per-node", "ports-unknown", "cage-of-two-kinds", "management", "grow-to", "unknown-platform",
}  # fmt: skip
SETTINGS = settings(
    max_examples=250, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip

RATES = st.sampled_from([
    {"rate": "edr"}, {"rate": "hdr"}, {"rate": "hdr100"}, {"rate": "ndr"}, {"rate": "ndr200"}, {"rate": "xdr"},
    {"rate": 100, "technology": "roce"}, {"rate": 200, "technology": "roce"}, {"rate": 400, "technology": "roce"},
])  # fmt: skip
PLATFORMS = {
    "hdr": ["dgx-a100"], "ndr": ["dgx-h100", "dgx-b200", "dgx-gb200-nvl72"], "xdr": ["dgx-b300", "gb300-nvl72"],
    400: ["dgx-b300", "dgx-h100"],
}  # fmt: skip
RESERVE_ADAPTERS = {
    "ndr": "MCX75310AAS-NEAT",
    "hdr": "MCX653105A-HDAT",
    "hdr100": "MCX653105A-ECAT",
    "edr": "MCX555A-ECAT",
}


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a request of one or two groups on one fabric."""
    fabric: dict[str, Any] = dict(draw(RATES))
    group: dict[str, Any] = {"nodes": draw(st.integers(1, 160))}
    known = PLATFORMS.get(fabric["rate"], [])
    if platform := draw(st.sampled_from([None, *known])):
        group["platform"] = platform
    if draw(st.integers(0, 3)) == 0:
        group["grow_to"] = group["nodes"] + draw(st.integers(0, 100))
    groups, attached = [group], [{"group": "node"}]
    if draw(st.integers(0, 3)) == 0:
        attached[0]["ports_per_node"] = draw(st.integers(1, 8))
    if draw(st.integers(0, 4)) == 0:
        groups.append({**group, "name": "more", "nodes": draw(st.integers(1, 30))})
        groups[1].pop("grow_to", None)
        attached.append({**attached[0], "group": "more"})
    fabric["attached"] = attached
    if draw(st.booleans()):
        fabric["attach"] = draw(st.sampled_from(["rail", "packed", "spread"]))
    if draw(st.integers(0, 2)) == 0:
        fabric["oversubscription"] = draw(st.sampled_from([["2:1"], ["3:1"], ["2:1", "2:1"], ["3:2"], ["7:3", "1:1"]]))
    if draw(st.integers(0, 3)) == 0:
        fabric["planes"] = draw(st.sampled_from([2, 4, "rail"]))
    if draw(st.integers(0, 2)) == 0:
        fabric["reserve_ports"] = draw(st.integers(1, 9))
        if draw(st.booleans()) and fabric["rate"] in RESERVE_ADAPTERS:
            fabric["reserve_adapter"] = RESERVE_ADAPTERS[fabric["rate"]]
    if draw(st.integers(0, 5)) == 0:
        fabric["min_spines"] = draw(st.sampled_from([1, 3, 4]))
    if draw(st.integers(0, 5)) == 0:
        fabric["choose"] = draw(st.sampled_from(["optics", "cables"]))
    if draw(st.integers(0, 5)) == 0:
        fabric["media"] = draw(st.sampled_from(["copper", "singlemode"]))
    return {"groups": groups, "fabrics": [fabric]}


def designed(request: dict[str, Any], catalog: Catalog) -> Plan | None:
    """Return the plan, or None where a known error says why there is none."""
    try:
        return design(parse_requirement(request), catalog)
    except (InfeasibleError, RequirementError) as error:
        assert error.code in KNOWN, f"{error.code}: {error}"
        assert error.message
        return None


@SETTINGS
@given(request=requests())
def test_sound_or_refused(catalog: Catalog, request: dict[str, Any]) -> None:
    plan = designed(request, catalog)
    if plan is not None:
        assert_sound(plan)


@settings(SETTINGS, max_examples=40)
@given(request=requests())
def test_json_round_trip(catalog: Catalog, request: dict[str, Any]) -> None:
    plan = designed(request, catalog)
    if plan is not None:
        data = dumps(plan)
        again = loads(data)
        assert again == plan
        assert dumps(again) == data


@settings(SETTINGS, max_examples=40)
@given(request=requests(), order=st.randoms(use_true_random=False))
def test_order_of_fields_and_files_does_not_matter(catalog: Catalog, request: dict[str, Any], order: Any) -> None:
    plan = designed(request, catalog)
    if plan is None:
        return
    shuffled = _shuffled(request, order)
    kinds = {kind: [(key, RawEntry(catalog.raw(kind, key), "")) for key in catalog.keys(kind)] for kind in KINDS}
    for kind, rows in kinds.items():
        if kind != "recipes":  # the order of recipes and of their options is a preference
            order.shuffle(rows)
    other = Catalog({kind: dict(rows) for kind, rows in kinds.items()})
    assert other.digest == catalog.digest
    assert dumps(design(parse_requirement(shuffled), other)) == dumps(plan)


def _shuffled(value: Any, order: Any) -> Any:
    if isinstance(value, dict):
        items = list(value.items())
        order.shuffle(items)
        return {key: _shuffled(item, order) for key, item in items}
    return [_shuffled(item, order) for item in value] if isinstance(value, list) else value
