"""Published tables against the engine: every row has a verdict, and the verdict is checked, not believed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabricplan.errors import FabricplanError
from fabricplan.plan import Plan
from fabricplan.strictyaml import parse
from tests.conftest import PlanOf

FILE = Path(__file__).with_name("published.yaml")
ROWS: Any = parse(FILE.read_text(encoding="utf-8"), str(FILE), FabricplanError)
OF_GROUP = ("nodes", "gpus", "platform", "ports")

MEASURES: dict[str, Callable[[Plan], int | None]] = {
    "gpus": lambda plan: plan.gpus,
    "boxes": lambda plan: plan.fabrics[0].box_count,
    "leaf": lambda plan: plan.fabrics[0].leaf_count,
    "spine": lambda plan: plan.fabrics[0].spine_count,
    "core": lambda plan: plan.fabrics[0].core_count,
    "node_leaf": lambda plan: plan.fabrics[0].node_leaf_links,
    "leaf_spine": lambda plan: plan.fabrics[0].leaf_spine_links,
    "spine_core": lambda plan: plan.fabrics[0].spine_core_links,
    "node_leaf_and_reserved": lambda plan: plan.fabrics[0].node_leaf_links + plan.fabrics[0].reserve_ports,
    "node_leaf_pairs": lambda plan: plan.fabrics[0].node_leaf_links // 2,
    "leaf_spine_pairs": lambda plan: plan.fabrics[0].leaf_spine_links // 2,
}


def measured(plan: Plan, what: str) -> int | None:
    """Return a count of a plan; a part number means the pieces of its line of the bill."""
    if what in MEASURES:
        return MEASURES[what](plan)
    return sum(line.quantity for line in plan.bom.lines if what in (line.pn, line.opn))


def plan_for(plan_of: PlanOf, asked: dict[str, Any]) -> Plan:
    group = {key: value for key, value in asked.items() if key in OF_GROUP}
    fabric = {key: value for key, value in asked.items() if key not in (*OF_GROUP, "room")}
    rest = {"room": asked["room"]} if "room" in asked else {}
    return plan_of(group, fabric, **rest)


def test_rows_are_well_formed() -> None:
    assert len({row["id"] for row in ROWS}) == len(ROWS) >= 44
    for row in ROWS:
        verdict = row["verdict"].split(":")[0]
        assert verdict in ("reproduced", "differs", "not sized here"), row["id"]
        assert ("request" in row) == (verdict != "not sized here"), row["id"]
        assert ("ours" in row) == (verdict == "differs"), row["id"]
        assert verdict == "reproduced" or row["verdict"].split(": ", 1)[1], row["id"]
    assert sum(row["verdict"] == "reproduced" for row in ROWS) >= 20


@pytest.mark.parametrize("row", [row for row in ROWS if "request" in row], ids=lambda row: row["id"])
def test_verdict(plan_of: PlanOf, row: dict[str, Any]) -> None:
    plan = plan_for(plan_of, row["request"])
    found = {what: measured(plan, what) for what in row["published"]}
    if row["verdict"] == "reproduced":
        assert found == row["published"]
    else:
        assert found == row["ours"]
        assert found != row["published"], "the row is reproduced by now: change its verdict"
