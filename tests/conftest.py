"""What all tests share: the shipped catalogue, read once, and a short way to a plan."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.files import load_catalog
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.requirement import parse_requirement

PlanOf = Callable[..., Plan]
TOY = Path(__file__).parent / "toy" / "catalog"


def request(group: Mapping[str, Any], fabric: Mapping[str, Any], **rest: Any) -> dict[str, Any]:
    """Return a request of one group and one fabric; ``ports`` of the group is short for an attachment."""
    group, fabric = dict(group), dict(fabric)
    ports = group.pop("ports", None)
    if ports is not None:
        fabric["attached"] = [{"group": group.get("name", "node"), "ports_per_node": ports}]
    return {"groups": [group], "fabrics": [fabric], **rest}


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The shipped catalogue."""
    return load_catalog()


@pytest.fixture(scope="session")
def toy_catalog() -> Catalog:
    """The shipped catalogue with the invented products of ``tests/toy`` over it."""
    return load_catalog(TOY)


@pytest.fixture(scope="session")
def plan_of(catalog: Catalog) -> PlanOf:
    """Return a function that designs one group on one fabric: ``plan_of({"nodes": 64}, {"rate": "ndr"})``."""

    def make(group: Mapping[str, Any], fabric: Mapping[str, Any], **rest: Any) -> Plan:
        return design(parse_requirement(request(group, fabric, **rest)), catalog)

    return make


@pytest.fixture(scope="session")
def toy_plan_of(toy_catalog: Catalog) -> PlanOf:
    """The same with the toy catalogue; the leaf, spine and core are TOY4 unless named."""

    def make(group: Mapping[str, Any], fabric: Mapping[str, Any] | None = None, **rest: Any) -> Plan:
        group = {"platform": "toy-node", **group}
        fabric = {"rate": "edr", "leaf": "TOY4", "spine": "TOY4", **(fabric or {})}
        return design(parse_requirement(request(group, fabric, **rest)), toy_catalog)

    return make


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With ``FABRICPLAN_REQUIRE_ORACLES`` set, as in CI, a skipped test is a failed one: no judge may be missing."""
    report = yield
    if report.skipped and os.environ.get("FABRICPLAN_REQUIRE_ORACLES"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be: {reason}"
    return report
