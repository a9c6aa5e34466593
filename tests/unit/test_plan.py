"""The plan document: JSON and back, the same bytes, errors that say what is wrong with a file."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from fabricplan.errors import ReadError
from fabricplan.plan import SCHEMA, dumps, loads
from tests.conftest import PlanOf

H100 = {"platform": "dgx-h100"}


@pytest.mark.parametrize(
    ("group", "fabric", "rest"),
    [
        ({"nodes": 128, **H100}, {"rate": "ndr"}, {}),
        ({"nodes": 5, "ports": 1}, {"rate": "edr"}, {}),
        ({"nodes": 40, **H100, "grow_to": 512}, {"rate": "ndr", "reserve_ports": 3}, {"spares": "field"}),
        ({"nodes": 8, **H100}, {"rate": "ndr"}, {"name": '@table0@ "@table1@" \u4e2d\u6587'}),
    ],
    ids=["two-tiers", "no-gpus", "growing", "odd-name"],
)
def test_json_and_back(plan_of: PlanOf, group: Any, fabric: Any, rest: Any) -> None:
    plan = plan_of(group, fabric, **rest)
    data = dumps(plan)
    again = loads(data)
    assert again == plan
    assert dumps(again) == data
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_one_column_a_line_and_names_beside(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 16, **H100}, {"rate": "ndr"})
    text = dumps(plan).decode()
    tree = json.loads(text)
    assert tree["schema"] == SCHEMA
    assert tree["topology"]["device_names"] == plan.device_names()
    column = f'"lower": [{",".join(map(str, plan.topology.links.lower.tolist()))}]'
    assert any(line.rstrip(",") == column for line in text.splitlines())


def test_the_same_request_gives_the_same_bytes(plan_of: PlanOf) -> None:
    assert dumps(plan_of({"gpus": 256}, {"rate": "ndr"})) == dumps(plan_of({"gpus": 256}, {"rate": "ndr"}))


def test_gpus_and_nodes(plan_of: PlanOf) -> None:
    plan = plan_of({"gpus": 100}, {"rate": "ndr"})
    assert (plan.nodes, plan.gpus) == (13, 104)
    assert plan_of({"nodes": 9, "ports": 1}, {"rate": "edr"}).gpus is None


def _broken(plan_of: PlanOf, change: Any) -> bytes:
    tree = json.loads(dumps(plan_of({"nodes": 4, **H100}, {"rate": "ndr"})))
    change(tree)
    return json.dumps(tree).encode()


def test_not_a_plan() -> None:
    for data, code, where in (
        (b"{", "not-json", "p.json:1"),
        (b'{\n"schema": ', "not-json", "p.json:2"),
        (b"\xff\xfe", "not-json", "p.json:1"),
        (b"[]", "not-a-plan", "p.json"),
        (b'{"schema": "x"}', "not-a-plan", "p.json"),
    ):
        with pytest.raises(ReadError) as caught:
            loads(data, "p.json")
        assert (caught.value.code, caught.value.where) == (code, where)


def test_a_plan_of_a_newer_version(plan_of: PlanOf) -> None:
    with pytest.raises(ReadError) as caught:
        loads(_broken(plan_of, lambda tree: tree.update(schema="fabricplan/plan/2")))
    assert caught.value.code == "newer-plan"
    with pytest.raises(ReadError) as caught:
        loads(_broken(plan_of, lambda tree: tree.update(schema="fabricplan/plan/0")))
    assert (caught.value.code, "newer" in caught.value.hint) == ("unknown-plan", False)


def test_a_changed_plan_is_refused(plan_of: PlanOf) -> None:
    changes = [
        lambda tree: tree["topology"]["links"].pop("upper"),
        lambda tree: tree["topology"]["links"]["lower"].pop(),
        lambda tree: tree["topology"]["links"].update(count=10**12),
        lambda tree: tree["topology"]["links"]["upper_port"].__setitem__(0, 70_000),
        lambda tree: tree["topology"]["links"]["upper_port"].__setitem__(0, "a"),
        lambda tree: tree["fabrics"][0].update(leaf_count="many"),
        lambda tree: tree.pop("bom"),
    ]
    for change in changes:
        with pytest.raises(ReadError) as caught:
            loads(_broken(plan_of, change))
        assert caught.value.code == "broken-plan"
