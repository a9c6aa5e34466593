"""Existing switches: kept in the counts, not bought; those that fit no recipe are refused."""

from __future__ import annotations

from typing import Any

import pytest

from fabricplan.errors import InfeasibleError, RequirementError
from fabricplan.plan import Plan
from fabricplan.summary import screen
from tests.conftest import PlanOf
from tests.properties.invariants import assert_sound


def existing(*rows: dict[str, Any]) -> dict[str, Any]:
    return {"rate": "ndr", "existing": list(rows)}


def bought(plan: Plan) -> tuple[int, int]:
    line = next(line for line in plan.bom.lines if line.kind == "switch")
    return line.quantity, line.reused


def test_existing_switches_count_and_are_not_bought(plan_of: PlanOf) -> None:
    plan = plan_of({"gpus": 1024}, existing({"model": "QM9700", "quantity": 10}))
    assert_sound(plan)
    assert plan.fabrics[0].box_count == 48
    assert bought(plan) == (38, 10)
    assert any("10 of them reused" in line for line in screen(plan))
    assert {note.code for note in plan.findings} >= {"switches-reused"}
    assert not [note for note in plan.findings if note.severity == "error"]


def test_what_is_left_over_is_told(plan_of: PlanOf) -> None:
    plan = plan_of({"gpus": 1024}, existing({"model": "QM9700", "quantity": 60}))
    assert bought(plan) == (0, 48)
    note = next(note for note in plan.findings if note.code == "existing-unused")
    assert note.param("quantity") == 12
    assert_sound(plan)


def test_a_switch_needs_as_many_free_ports_as_its_tier_uses(plan_of: PlanOf) -> None:
    # 20 nodes a unit: 20 hosts and 20 uplinks a leaf, but 40 links to 64 a spine
    plan = plan_of({"nodes": 40}, existing({"model": "QM9700", "quantity": 30, "ports_free": 40}))
    assert plan.fabrics[0].reused[0].tier == 1
    assert bought(plan) == (plan.fabrics[0].spine_count, 16)
    told = next(note for note in plan.findings if note.code == "existing-too-few-ports")
    assert (told.param("tier"), told.param("free")) == ("spine", 40)


def test_no_more_ports_are_free_than_there_are(plan_of: PlanOf) -> None:
    with pytest.raises(RequirementError, match="129 ports are free of 128 that it has at most") as caught:
        plan_of({"gpus": 1024}, existing({"model": "QM9700", "quantity": 1, "ports_free": 129}))
    assert caught.value.where == "fabrics[0].existing[0].ports_free"
    assert bought(plan_of({"gpus": 1024}, existing({"model": "QM9700", "quantity": 1, "ports_free": 128}))) == (47, 1)


def test_another_generation_is_refused(plan_of: PlanOf) -> None:
    with pytest.raises(InfeasibleError, match=r"existing QM8700 .* runs hdr.*no parts join it") as caught:
        plan_of({"gpus": 1024}, existing({"model": "QM8700", "quantity": 8}))
    assert (caught.value.code, caught.value.where) == ("existing-generation", "fabrics[0].existing[0].model")
    with pytest.raises(InfeasibleError, match="existing SN5600"):
        plan_of({"gpus": 1024}, existing({"model": "SN5600", "quantity": 8}))
    with pytest.raises(RequirementError, match="no switch 'QM9007'"):
        plan_of({"gpus": 1024}, existing({"model": "QM9007", "quantity": 8}))
