"""The bill: quantities, who buys the adapters, boxes against switches, spares by policy."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from fabricplan import design
from fabricplan.bom import KIND_ORDER
from fabricplan.catalog import Catalog
from fabricplan.plan import Plan
from fabricplan.recheck import recheck
from fabricplan.requirement import parse_requirement
from fabricplan.schedule.devices import device_rows
from tests.conftest import PlanOf
from tests.properties.invariants import assert_bill

H100 = {"platform": "dgx-h100"}


def test_lines_stand_in_order_of_kind(plan_of: PlanOf) -> None:
    plan = plan_of({"gpus": 1024}, {"rate": "ndr"})
    kinds = [KIND_ORDER.index(line.kind) for line in plan.bom.lines]
    assert kinds == sorted(kinds)
    assert plan.bom.count("switch") == 48 and plan.bom.count("fibre") == 2048
    assert_bill(plan)


@pytest.mark.parametrize(("nic", "adapters"), [(None, 64), ("included", 0), ("customer", 0), ("MCX75310AAS-HEAT", 64)])
def test_who_buys_the_adapters(plan_of: PlanOf, nic: str | None, adapters: int) -> None:
    group: dict[str, Any] = {"nodes": 8} if nic is None else {"nodes": 8, "nic": nic}
    rate = "ndr200" if nic == "MCX75310AAS-HEAT" else "ndr"
    assert plan_of(group, {"rate": rate}).bom.count("adapter") == adapters


def test_a_platform_with_ports_of_its_own_needs_no_adapters(plan_of: PlanOf) -> None:
    assert plan_of({"nodes": 8, **H100}, {"rate": "ndr"}).bom.count("adapter") == 0


def test_two_switches_in_a_box_are_bought_once(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 72}, {"rate": "xdr", "leaf": "Q3200-RA"})
    assert plan.fabrics[0].switch_count == 50 and plan.bom.count("switch") == 25


def test_managed_and_external_switches_are_lines_of_their_own(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 100, **H100}, {"rate": "ndr", "management": "mixed:2"})
    assert [(line.key, line.quantity) for line in plan.bom.lines if line.kind == "switch"] == [
        ("QM9790", 43), ("QM9700", 2),
    ]  # fmt: skip


def test_each_use_is_told(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 127, **H100}, {"rate": "ndr", "reserve_ports": 4}, room={"uniform_length_mm": 30_000})
    fibre = next(line for line in plan.bom.lines if line.kind == "fibre")
    assert {(use.role, use.quantity) for use in fibre.uses} == {("node_leaf", 1016), ("leaf_spine", 1024)}
    module = next(line for line in plan.bom.lines if line.key == "MMA4Z00-NS")
    assert {(use.role, use.quantity) for use in module.uses} == {("leaf", 1024), ("spine", 512)}


@pytest.mark.parametrize(
    ("spares", "kind", "quantity", "spare"),
    [
        ("none", "fibre", 1024, 0),
        ("field", "fibre", 1024, 21),  # 2 %, rounded up
        ({"fibre_percent": 10}, "fibre", 1024, 103),
        ({"transceiver_percent": 1, "minimum": 5}, "transceiver", 256, 5),  # 3 by percent, 5 at least
        ({"switch_percent": 1, "minimum": 1}, "switch", 24, 1),
        ({"minimum": 5}, "switch", 24, 0),
    ],
)
def test_spares(plan_of: PlanOf, spares: Any, kind: str, quantity: int, spare: int) -> None:
    plan = plan_of({"nodes": 64, **H100}, {"rate": "ndr"}, spares=spares, room={"uniform_length_mm": 5_000})
    line = next(line for line in plan.bom.lines if line.kind == kind)
    assert (line.quantity, line.spare) == (quantity, spare)


def test_spares_of_few_pieces_and_of_parts_no_longer_sold(plan_of: PlanOf) -> None:
    few = plan_of({"nodes": 1, **H100}, {"rate": "ndr"}, spares={"fibre_percent": 2, "minimum": 3})
    assert [(line.quantity, line.spare) for line in few.bom.lines if line.kind == "fibre"] == [(8, 1)]
    old = plan_of({"nodes": 72, "ports": 1}, {"rate": "edr"}, spares="field", room={"uniform_length_mm": 10_000})
    assert [(line.quantity, line.spare) for line in old.bom.lines if line.kind == "cable"] == [(144, 10)]  # 2 x 5


def _two_airflows(catalog: Catalog) -> Plan:
    return design(parse_requirement({"groups": [{"nodes": 64, **H100}], "fabrics": [
        {"name": "compute", "network": "compute", "rate": "ndr", "airflow": "P2C"},
        {"name": "storage", "network": "storage", "rate": "ndr", "airflow": "C2P"},
    ]}), catalog)  # fmt: skip


def test_one_model_in_two_airflows_is_two_lines(catalog: Catalog) -> None:
    """Each fabric's boxes are ordered in the form that it asked for; the device list says the same."""
    plan = _two_airflows(catalog)
    billed = {line.pn: (line.quantity, {use.fabric for use in line.uses}) for line in plan.bom.lines
              if line.kind == "switch"}  # fmt: skip
    assert billed == {"MQM9700-NS2F": (24, {"compute"}), "MQM9700-NS2R": (6, {"storage"})}
    listed = Counter((row.fabric, row.pn, row.airflow) for row in device_rows(plan) if row.pn)
    assert listed == {("compute", "MQM9700-NS2F", "P2C"): 24, ("storage", "MQM9700-NS2R", "C2P"): 6}


def test_a_bill_of_the_wrong_airflow_is_told(catalog: Catalog) -> None:
    plan = _two_airflows(catalog)
    forms = {"MQM9700-NS2F": "MQM9700-NS2R", "MQM9700-NS2R": "MQM9700-NS2F"}
    swapped = tuple(line.model_copy(update={"pn": forms.get(line.pn, line.pn)}) for line in plan.bom.lines)
    wrong = plan.model_copy(update={"bom": plan.bom.model_copy(update={"lines": swapped})})
    found = [item for item in recheck(wrong, catalog)
             if item.code == "bill-differs"]  # fmt: skip
    assert {(item.subject, item.param("billed"), item.param("held")) for item in found} == {
        ("MQM9700-NS2F", 6, 24), ("MQM9700-NS2R", 24, 6),
    }  # fmt: skip
