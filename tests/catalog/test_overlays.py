"""A company's own catalogue over the shipped one: precedence, single facts, and what is told of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabricplan.catalog import Catalog
from fabricplan.catalog.check import check
from fabricplan.errors import CatalogError
from fabricplan.files import load_catalog
from fabricplan.pipeline import design
from fabricplan.requirement import parse_requirement
from fabricplan.values import Finding

STOCK = """
- id: mcp1650-h
  extends: true
  status: active
  lengths:
    - {pn: MCP1650-H002E26, status: active, note: 40 in our store}
  notes: [40 pieces in our store]
"""
WHOLE = """
- pn: MCX75310AAS-NEAT
  series: ConnectX-7
  status: active
  confidence: transcribed
  sources: [nvidia-linkx-400g-deck]
  cages:
    - name: osfp
      count: 1
      port_class: osfp-100g-flat
      modes:
        - {rate: ndr, technology: infiniband, speed_gbps: 400, ports: 1, lanes: 4, lane_gbps: 100}
"""
NEW = """
- id: our-cat6a
  title: own Cat6A cord
  kind: twisted-pair
  technologies: [ethernet]
  link_gbps: 1
  links: 1
  head: {form: rj45}
  tail: {form: rj45}
  any_length: true
  status: active
  confidence: verified
  sources: [nvidia-superpod-h100-ra]
"""


def folder(path: Path, kind: str, text: str) -> Path:
    (path / kind).mkdir(parents=True, exist_ok=True)
    (path / kind / "ours.yaml").write_text(text)
    return path


def overrides(catalog: Catalog, fabric: dict[str, object], group: dict[str, object]) -> dict[str, str]:
    request = {"groups": [group], "fabrics": [fabric], "room": {"uniform_length_mm": 2000}}
    findings: tuple[Finding, ...] = design(parse_requirement(request), catalog).findings
    return {item.subject: str(item.param("fields")) for item in findings if item.code == "catalog-override"}


def test_extends_changes_the_named_facts_only(tmp_path: Path, catalog: Catalog) -> None:
    ours = load_catalog(folder(tmp_path, "cables", STOCK))
    before, after = catalog.cable("mcp1650-h"), ours.cable("mcp1650-h")
    assert (before.status, after.status) == ("retired", "active")
    assert [row.pn for row in after.lengths] == [row.pn for row in before.lengths]
    changed = {row.pn: row for row in after.lengths if row.note == "40 in our store"}
    [(pn, row)] = changed.items()
    assert (pn, row.length_mm, row.awg) == ("MCP1650-H002E26", 2000, 26)
    assert after.reach_mm == before.reach_mm and after.sources == before.sources
    assert dict(ours.overridden) == {"cables/mcp1650-h": ("status", "lengths", "notes")}
    assert ours.digest != catalog.digest


def test_stock_of_a_retired_part_is_chosen_and_told(tmp_path: Path, catalog: Catalog) -> None:
    ours = load_catalog(folder(tmp_path, "cables", STOCK))
    fabric = {"rate": "hdr", "media": "copper", "attached": [{"group": "node", "ports_per_node": 1}]}
    group = {"name": "node", "nodes": 8}
    assert overrides(ours, fabric, group) == {"mcp1650-h": "status, lengths, notes"}
    assert overrides(catalog, fabric, group) == {}


def test_an_entry_without_extends_replaces_the_whole(tmp_path: Path, catalog: Catalog) -> None:
    ours = load_catalog(folder(tmp_path, "adapters", WHOLE))
    assert ours.adapter("MCX75310AAS-NEAT").pcie is None
    assert catalog.adapter("MCX75310AAS-NEAT").pcie is not None


def test_the_later_folder_wins(tmp_path: Path) -> None:
    first = folder(tmp_path / "a", "cables", STOCK)
    second = folder(tmp_path / "b", "cables", "- {id: mcp1650-h, extends: true, status: unlisted}\n")
    assert load_catalog(first, second).cable("mcp1650-h").status == "unlisted"
    assert load_catalog(second, first).cable("mcp1650-h").status == "active"
    kept = load_catalog(first, second).overridden["cables/mcp1650-h"]
    assert kept == ("status", "lengths", "notes")


def test_a_new_part_overrides_nothing(tmp_path: Path) -> None:
    ours = load_catalog(folder(tmp_path, "cables", NEW))
    assert ours.has("cables", "our-cat6a") and not ours.overridden
    assert check(ours) == ()


def test_single_files_count_by_their_name_or_folder(tmp_path: Path) -> None:
    named = tmp_path / "cables.yaml"
    named.write_text(STOCK)
    inside = folder(tmp_path, "cables", STOCK) / "cables" / "ours.yaml"
    assert load_catalog(named).cable("mcp1650-h").status == load_catalog(inside).cable("mcp1650-h").status == "active"


@pytest.mark.parametrize(
    ("text", "code", "where", "hint"),
    [
        ("- {id: mcp1650-x, extends: true, status: active}\n", "nothing-to-extend", ":1", "mcp1650-v"),
        ("- {id: a, title: b}\n- {id: a, title: c}\n", "duplicate-entry", ":2", ":1"),
    ],
)
def test_what_an_overlay_gets_wrong(tmp_path: Path, text: str, code: str, where: str, hint: str) -> None:
    with pytest.raises(CatalogError) as caught:
        load_catalog(folder(tmp_path, "cables", text))
    [problem] = caught.value.problems
    assert (problem.code, problem.where.endswith(f"ours.yaml{where}")) == (code, True)
    assert hint in problem.hint


def test_no_folder_and_an_empty_one(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(CatalogError) as caught:
            load_catalog(path)
        assert caught.value.code == "no-catalog"


def test_a_broken_entry_is_told_though_nothing_uses_it(tmp_path: Path) -> None:
    broken = WHOLE.replace("MCX75310AAS-NEAT", "OWN-1").replace("count: 1", "count: many").replace("series", "serie")
    folder(tmp_path, "adapters", broken)
    folder(tmp_path, "cables", STOCK.replace("status: active, note", "statsu: active, note"))
    with pytest.raises(CatalogError) as caught:
        load_catalog(tmp_path)
    told = {(item.where.rpartition("/")[2], item.message, item.hint) for item in caught.value.problems}
    assert told == {
        ("ours.yaml:2", "series: the field 'series' is needed", ""),
        ("ours.yaml:2", "serie: no such field 'serie'", "did you mean series?"),
        ("ours.yaml:2", "cages[0].count: must be a whole number (given: 'many')", ""),
        ("ours.yaml:2", "lengths[3].statsu: no such field 'statsu'", "did you mean status?"),
    }


@pytest.mark.parametrize(
    ("kind", "text", "field"),
    [
        (
            "switches",
            "{model: QM9700, extends: true, power_max_w: -1720}",
            "power_max_w: must be above 0 (given: -1720)",
        ),
        ("switches", "{model: QM9700, extends: true, height_u: 0}", "height_u: must be above 0 (given: 0)"),
        ("switches", "{model: QM9700, extends: true, weight_kg: .nan}", "weight_kg"),
        ("switches", "{model: QM9700, extends: true, max_logical_ports: -128}", "max_logical_ports: must be above 0"),
        ("port-classes", "{id: qsfp56, extends: true, lanes: 0}", "lanes: must be above 0 (given: 0)"),
        ("platforms", "{id: dgx-h100, extends: true, weight_kg: -3}", "weight_kg: must be above 0 (given: -3)"),
        ("transceivers", "{key: MMA4Z00-NS, extends: true, reach_mm: -5}", "reach_mm: must be above 0 (given: -5)"),
        ("cables", "{id: our, lengths: [{pn: A, length_mm: -3000}]}", "lengths[0].length_mm: must be above 0"),
        ("cables", "{id: our, lengths: [{pn: A, length_mm: 1.5}]}", "lengths[0].length_mm: must be a whole number"),
        ("platforms", "{id: dgx-h100, extends: true, nodes_per_rack: true}", "nodes_per_rack: must be a whole number"),
    ],
)
def test_quantities_out_of_range_are_refused_where_they_stand(tmp_path: Path, kind: str, text: str, field: str) -> None:
    with pytest.raises(CatalogError) as caught:
        load_catalog(folder(tmp_path, kind, f"- {text}\n"))
    told = [item for item in caught.value.problems if item.message.startswith(field)]
    assert [item.where.rpartition("/")[2] for item in told] == ["ours.yaml:1"], caught.value.problems


@pytest.mark.parametrize(
    ("kind", "text", "code", "message"),
    [
        ("cables", NEW.replace("nvidia-superpod-h100-ra", "our-price-list"), "unknown-reference", "our-price-list"),
        ("adapters", WHOLE.replace("osfp-100g-flat", "osfp-100g"), "unknown-reference", "osfp-100g"),
        ("adapters", WHOLE.replace("lane_gbps: 100", "lane_gbps: 50"), "lane-speed", "4 lanes x 50 is not 400"),
    ],
)
def test_an_overlay_keeps_to_what_catalog_check_asks(
    tmp_path: Path, kind: str, text: str, code: str, message: str
) -> None:
    """What ``catalog check`` refuses no command designs with; the place is the line of the company's file."""
    with pytest.raises(CatalogError) as caught:
        load_catalog(folder(tmp_path, kind, text))
    [problem] = [item for item in caught.value.problems if item.code == code]
    assert message in problem.message
    assert problem.where.rpartition("/")[2] == "ours.yaml:2"
