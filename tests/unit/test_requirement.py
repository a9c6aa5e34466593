"""Requests: what is understood, what is refused, and with which words at which place."""

from __future__ import annotations

from typing import Any

import pytest

from fabricplan.errors import RequirementError
from fabricplan.files import load_requirement
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
        ({"nodes": 0}, {}, "groups[0].nodes", "must be at least 1"),
        ({"nodes": -4}, {}, "groups[0].nodes", "must be at least 1"),
        ({"nodes": 1.5}, {}, "groups[0].nodes", "must be a whole number"),
        ({"nodes": "12"}, {}, "groups[0].nodes", "must be a whole number"),
        ({"nodes": True}, {}, "groups[0].nodes", "must be a whole number"),
        ({"nodes": 4_000_001}, {}, "groups[0].nodes", "must be at most 4,000,000"),
        ({"nodes": 8, "gpus": 64}, {}, "groups[0].nodes", "not both"),
        ({}, {}, "groups[0]", "give nodes or gpus"),
        ({"nodes": 8, "grow_to": 4}, {}, "groups[0].grow_to", "grow_to 4 is below"),
        ({"nodes": 8, "name": "Node 1"}, {}, "groups[0].name", "a name begins with a small letter"),
        ({"nodes": 8}, {"rate": "qdr"}, "fabrics[0].rate", "known: edr"),
        ({"nodes": 8}, {"rate": "400gbe"}, "fabrics[0].rate", "technology: roce runs 400gbe"),
        ({"nodes": 8}, {"oversubscription": ["1:2"]}, "fabrics[0].oversubscription[0]", "more uplink"),
        ({"nodes": 8}, {"oversubscription": ["0:1"]}, "fabrics[0].oversubscription[0]", "down:up"),
        ({"nodes": 8}, {"oversubscription": ["100:1"]}, "fabrics[0].oversubscription[0]", "beyond 64:1"),
        ({"nodes": 8}, {"oversubscription": ["2:1"] * 3}, "fabrics[0].oversubscription", "at most two"),
        ({"nodes": 8}, {"management": "mixed:0"}, "fabrics[0].management", "mixed:N"),
        ({"nodes": 8}, {"attached": [{"group": "gpu"}]}, "fabrics[0].attached[0].group", "no group"),
        ({"nodes": 8}, {"planes": 0}, "fabrics[0].planes", "must be at least 1 (given: 0)"),
        ({"nodes": 8}, {"planes": "rails"}, "fabrics[0].planes", "must be a whole number or 'rail' (given: 'rails')"),
        ({"nodes": 8}, {"technology": "rocee"}, "fabrics[0].technology", "did you mean roce?"),
        ({"nodes": 8}, {"attached": {}}, "fabrics[0].attached", "must be a list"),
        ({"nodes": 8}, {"leaf": 7}, "fabrics[0].leaf", "must be text"),
        ({"nodes": 8, "nodse": 8}, {}, "groups[0].nodse", "no such field 'nodse'"),
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
    with pytest.raises(RequirementError, match="'lots' is neither a spares policy nor a whole percentage"):
        parsed(spares="lots")


def test_not_a_mapping() -> None:
    with pytest.raises(RequirementError, match="mapping"):
        parse_requirement([])  # type: ignore[arg-type]


def test_no_words_of_the_validator_are_told() -> None:
    """Empty lists, empty names, wrong kinds of values: everything in the words of a request."""
    with pytest.raises(RequirementError) as caught:
        parse_requirement({"groups": [], "fabrics": [7], "room": [], "name": "", "spares": {"minimum": 1.5}})
    told = {problem.where: problem.message for problem in caught.value.problems}
    assert told == {
        "groups": "the list needs at least 1 entry", "fabrics[0]": "must be a mapping of fields (given: 7)",
        "room": "must be a mapping of fields", "name": "must not be empty",
        "spares.minimum": "must be a whole number (given: 1.5)",
    }  # fmt: skip


def test_nothing_can_be_called_surveyed() -> None:
    with pytest.raises(RequirementError) as caught:
        parse_requirement({"groups": [{"nodes": 8}], "fabrics": [{"rate": "ndr"}], "room": {"surveyed": True}})
    assert (caught.value.where, caught.value.message) == ("room.surveyed", "no such field 'surveyed'")


@pytest.mark.parametrize(("given", "called"), [(["x"], "a list"), (None, "nothing"), (7, "a number"), (b"x", "bytes")])
def test_what_is_no_request(given: Any, called: str) -> None:
    with pytest.raises(RequirementError) as caught:
        load_requirement(given)
    assert caught.value.message == f"a request is a mapping of fields, not {called}"


@pytest.mark.parametrize(
    ("group", "fabric", "name"),
    [({"gpus": 1024}, {"rate": "ndr"}, "1024-gpu-ndr"),
     ({"nodes": 127, "platform": "DGX H100"}, {"rate": "ndr"}, "127-dgx-h100-ndr"),
     ({"nodes": 20}, {"rate": "hdr"}, "20-node-hdr"),
     ({"nodes": 64, "platform": "dgx-b300"}, {"technology": "roce", "rate": 400}, "64-dgx-b300-roce-400")],
)  # fmt: skip
def test_a_request_without_a_name_is_called_by_what_it_asks(group: Any, fabric: Any, name: str) -> None:
    request = {"groups": [group], "fabrics": [fabric]}
    assert parse_requirement(request).name == name
    assert parse_requirement({**request, "name": "Own"}).name == "Own"
