"""Requests: what is understood, what is refused, and with which words at which place."""

from __future__ import annotations

from typing import Any

import pytest

from fabricplan.errors import RequirementError
from fabricplan.requirement import FIELD_SPARES, parse_requirement


def parsed(group: dict[str, Any] | None = None, fabric: dict[str, Any] | None = None, **rest: Any) -> Any:
    return parse_requirement(
        {"groups": [group or {"nodes": 8}], "fabrics": [{"rate": "ndr", **(fabric or {})}], **rest}
    )


@pytest.mark.parametrize(
    ("written", "technology", "rate"),
    [(400, "roce", "400gbe"), ("400", "roce", "400gbe"), ("400G", "roce", "400gbe"), ("NDR", "infiniband", "ndr")],
)
def test_rates(written: object, technology: str, rate: str) -> None:
    assert parsed(fabric={"rate": written, "technology": technology}).fabrics[0].rate == rate


@pytest.mark.parametrize(
    ("group", "fabric", "path", "words"),
    [
        ({"nodes": 0}, {}, "groups[0].nodes", "greater than or equal to 1"),
        ({"nodes": -4}, {}, "groups[0].nodes", "greater than or equal to 1"),
        ({"nodes": 1.5}, {}, "groups[0].nodes", "integer"),
        ({"nodes": "12"}, {}, "groups[0].nodes", "integer"),
        ({"nodes": True}, {}, "groups[0].nodes", "integer"),
        ({"nodes": 4_000_001}, {}, "groups[0].nodes", "less than or equal to 4000000"),
        ({"nodes": 8, "gpus": 64}, {}, "groups[0]", "not both"),
        ({}, {}, "groups[0]", "give nodes or gpus"),
        ({"nodes": 8, "grow_to": 4}, {}, "groups[0]", "grow_to 4 is below"),
        ({"nodes": 8, "name": "Node 1"}, {}, "groups[0].name", "pattern"),
        ({"nodes": 8}, {"rate": "qdr"}, "fabrics[0]", "known: edr"),
        ({"nodes": 8}, {"rate": "400gbe"}, "fabrics[0]", "no infiniband rate"),
        ({"nodes": 8}, {"oversubscription": ["1:2"]}, "fabrics[0].oversubscription[0]", "more uplink"),
        ({"nodes": 8}, {"oversubscription": ["0:1"]}, "fabrics[0].oversubscription[0]", "down:up"),
        ({"nodes": 8}, {"oversubscription": ["100:1"]}, "fabrics[0].oversubscription[0]", "beyond 64:1"),
        ({"nodes": 8}, {"oversubscription": ["2:1"] * 3}, "fabrics[0]", "at most two"),
        ({"nodes": 8}, {"management": "mixed:0"}, "fabrics[0].management", "mixed:N"),
        ({"nodes": 8}, {"attached": [{"group": "gpu"}]}, "", "no group"),
    ],
)  # fmt: skip
def test_refused(group: dict[str, Any], fabric: dict[str, Any], path: str, words: str) -> None:
    with pytest.raises(RequirementError) as caught:
        parse_requirement({"groups": [group], "fabrics": [{"rate": "ndr", **fabric}]})
    assert path in [problem.where for problem in caught.value.problems]
    assert words in str(caught.value)


def test_unknown_fields_are_named_with_the_near_miss() -> None:
    with pytest.raises(RequirementError) as caught:
        parsed(fabric={"reserved_ports": 4})
    assert caught.value.where == "fabrics[0].reserved_ports"
    assert caught.value.hint == "did you mean reserve_ports?"


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(RequirementError) as caught:
        parse_requirement({"groups": [{"nodes": 0}], "fabrics": [{"rate": "ndr", "tiers": 4, "planes": 99}]})
    places = {problem.where for problem in caught.value.problems}
    assert {"groups[0].nodes", "fabrics[0].tiers", "fabrics[0].planes"} <= places


def test_two_of_one_name_are_refused() -> None:
    with pytest.raises(RequirementError, match="two fabrics are called 'compute'"):
        parse_requirement({"groups": [{"nodes": 8}], "fabrics": [{"rate": "ndr"}, {"rate": "ndr"}]})


def test_spares_by_word() -> None:
    assert parsed(spares="field").spares == FIELD_SPARES
    with pytest.raises(RequirementError, match="'lots' is no spares policy"):
        parsed(spares="lots")


def test_not_a_mapping() -> None:
    with pytest.raises(RequirementError, match="mapping"):
        parse_requirement([])  # type: ignore[arg-type]
