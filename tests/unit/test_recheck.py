"""A plan file judged again: by its own facts, against what it states, and never by a crash."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import ReadError
from fabricplan.files import load_catalog
from fabricplan.pipeline import design
from fabricplan.plan import Plan, dumps, loads
from fabricplan.recheck import recheck
from fabricplan.requirement import parse_requirement
from fabricplan.wording import hint, text
from tests.conftest import PlanOf

OWN_RECIPE = """
- id: ndr-switch-switch
  title: own optics between twin-port cages
  a: osfp-twin-100g-finned
  b: osfp-twin-100g-finned
  technologies: [infiniband]
  link_gbps: 400
  links_per_cage_a: 2
  links_per_cage_b: 2
  sources: [nvidia-linkx-400g-deck]
  options:
    - {medium: multimode, max_mm: 50000, module_a: OWN-SR4, module_b: OWN-SR4, fibre: mfp7e10}
    - {medium: multimode, max_mm: 50000, module_a: OWN-SPARE, module_b: OWN-SR4, fibre: mfp7e10}
"""


@pytest.fixture(scope="module")
def plan(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 32}, {"rate": "ndr", "oversubscription": ["2:1"]})


def edited(plan: Plan, change: Callable[[Any], object]) -> bytes:
    tree = json.loads(dumps(plan))
    change(tree)
    return json.dumps(tree).encode()


def codes(plan: Plan, catalog: Catalog) -> set[str]:
    found = [item for item in recheck(plan, catalog) if item.severity == "error"]
    for item in found:
        for lang in ("en", "zh"):
            assert "{" not in text(item, lang) and not text(item, lang).startswith(f"{item.code}:") and hint(item, lang)
    return {item.code for item in found}


def test_an_untouched_plan_finds_what_it_found(plan: Plan, catalog: Catalog) -> None:
    assert recheck(loads(dumps(plan)), catalog) == plan.findings


@pytest.mark.parametrize(
    ("group", "fabric"),
    [({"nodes": 40, "platform": "dgx-h100", "grow_to": 512}, {"rate": "ndr", "reserve_ports": 3}),
     ({"nodes": 64, "platform": "dgx-b300"}, {"rate": 400, "technology": "roce", "planes": 2}),
     ({"nodes": 288, "platform": "dgx-h100"}, {"rate": "ndr"})],
)  # fmt: skip
def test_all_kinds_of_plans_find_what_they_found(plan_of: PlanOf, catalog: Catalog, group: Any, fabric: Any) -> None:
    plan = plan_of(group, fabric)
    assert recheck(loads(dumps(plan)), catalog) == plan.findings


def test_a_plan_of_an_own_catalogue_is_judged_by_its_own_entries(catalog: Catalog, tmp_path: Path) -> None:
    module = catalog.raw("transceivers", "MMA4Z00-NS")
    own = [{**module, "key": key, "pn": key, "opn": f"opn-{key}"} for key in ("OWN-SR4", "OWN-SPARE")]
    (tmp_path / "transceivers.yaml").write_text(json.dumps(own))
    cage = {**catalog.raw("port-classes", "osfp-twin-100g-finned"), "title": "the same by our own words"}
    (tmp_path / "port-classes.yaml").write_text(json.dumps([cage]))
    (tmp_path / "recipes.yaml").write_text(OWN_RECIPE)
    requirement = parse_requirement({"groups": [{"nodes": 32}], "fabrics": [{"rate": "ndr"}]})
    plan = design(requirement, load_catalog(tmp_path))
    assert "OWN-SR4" in plan.cabling.transceiver_parts
    changed = {item.entry for item in plan.products.overridden}
    assert changed == {"port-classes/osfp-twin-100g-finned", "recipes/ndr-switch-switch"}
    assert recheck(loads(dumps(plan)), catalog) == plan.findings
    assert "catalog-override" in {item.code for item in plan.findings}


def test_toy_plans_need_no_toy_catalogue(toy_plan_of: PlanOf, catalog: Catalog) -> None:
    plan = toy_plan_of({"nodes": 8}, {"tiers": 3})
    assert codes(loads(dumps(plan)), catalog) == set()


@pytest.mark.parametrize(
    ("code", "change"),
    [("stated-differs", lambda tree: tree["fabrics"][0].update(oversubscription="3:1")),
     ("stated-differs", lambda tree: tree["fabrics"][0].update(bisection_gbps=10)),
     ("stated-differs", lambda tree: tree["fabrics"][0].update(box_count=11)),
     ("counts-differ", lambda tree: tree["fabrics"][0].update(leaf_count=10)),
     ("length-differs", lambda tree: tree["cabling"]["cables"]["required_mm"].__setitem__(0, 60_000)),
     ("findings-differ", lambda tree: tree.update(findings=[])),
     ("findings-differ", lambda tree: tree["findings"].pop())],
)  # fmt: skip
def test_an_edited_plan_is_noticed(plan: Plan, catalog: Catalog, code: str, change: Any) -> None:
    assert code in codes(loads(edited(plan, change)), catalog)


def test_findings_of_another_version_may_differ(plan: Plan, catalog: Catalog) -> None:
    def change(tree: Any) -> None:
        tree["made_by"]["version"] = "0.0.1"
        tree["findings"].pop()

    found = recheck(loads(edited(plan, change)), catalog)
    assert [(item.severity, item.param("missing"), item.param("gone")) for item in found
            if item.code == "findings-differ"] == [("info", 1, 0)]  # fmt: skip


@pytest.mark.parametrize(
    ("where", "change"),
    [("cabling.cables.part, row 3: 99 ", lambda tree: _cell(tree["cabling"]["cables"], "part", 3, 99)),
     ("topology.links.lower, row 5: 99999 ", lambda tree: _cell(tree["topology"]["links"], "lower", 5, 99_999)),
     ("placement.places: ", lambda tree: _shorter(tree["placement"]["places"])),
     ("topology.devices.tier, row 0: 2 ", lambda tree: _cell(tree["topology"]["devices"], "tier", 0, 2)),
     ("cabling.transceiver_parts[0]: ", lambda tree: tree["cabling"]["transceiver_parts"].__setitem__(0, "none")),
     ("bom.lines[0]: ", lambda tree: tree["bom"]["lines"][0].update(key="none")),
     ("fabrics[0].shape: ", lambda tree: tree["fabrics"][0]["shape"].update(tiers=3)),
     ("fabrics: ", lambda tree: tree["fabrics"][0].update(name="other")),
     ("fabrics[0].groups[0].group: ", lambda tree: tree["fabrics"][0]["groups"][0].update(group="other")),
     ("fabrics[0].groups[0].of: ", lambda tree: tree["fabrics"][0]["groups"][0].update(of=["other"])),
     ("fabrics[0].shape.units[0].group: ", lambda tree: tree["fabrics"][0]["shape"]["units"][0].update(group="x")),
     ("fabrics[0].shape.units: ", lambda tree: tree["fabrics"][0]["shape"]["units"][0].update(nodes_each=7)),
     *((f"fabrics.0.{field}: ", lambda tree, field=field, value=value: tree["fabrics"][0].update({field: value}))
       for field, value in (("oversubscription", "banana"), ("oversubscription", "1:0"),
                            ("oversubscription_spine", "1"), ("rate", "x"), ("uplink_rate", "x"), ("network", "x"),
                            ("technology", "x"), ("management", "x"), ("managed_tier", "x"), ("link_gbps", 0),
                            ("uplink_gbps", 0), ("planes", 0)))],
)  # fmt: skip
def test_a_damaged_plan_is_refused_with_the_place(plan: Plan, where: str, change: Any) -> None:
    with pytest.raises(ReadError) as caught:
        loads(edited(plan, change), "p.json")
    assert caught.value.code == "broken-plan"
    assert caught.value.where == "p.json"
    assert caught.value.message.startswith(where)


def test_no_cell_makes_the_check_crash(plan: Plan, catalog: Catalog) -> None:
    """Every column of every table, with a cell changed to the ends of its range: an error of reading, or a finding."""
    tables = (("topology", "devices"), ("topology", "links"), ("placement", "racks"), ("placement", "places"),
              ("cabling", "cables"), ("cabling", "links"), ("cabling", "transceivers"))  # fmt: skip
    seen = set()
    for part, table in tables:
        for column in json.loads(dumps(plan))[part][table]:
            for value in (0, 1, 200, 60_000):
                data = edited(plan, lambda tree: _cell(tree[part][table], column, 1, value))  # noqa: B023
                try:
                    seen.add("error" if codes(loads(data), catalog) else "sound")
                except ReadError as caught:
                    seen.add(caught.code)
    assert seen == {"error", "sound", "broken-plan"}


def _cell(table: Any, column: str, row: int, value: int) -> None:
    if column != "count":
        cells = table[column] if isinstance(table[column], list) else [table[column]] * table["count"]
        table[column] = [*cells[:row], value, *cells[row + 1 :]]


def _shorter(table: Any) -> None:
    table["count"] -= 1
    for column, cells in table.items():
        if isinstance(cells, list):
            table[column] = cells[:-1]
