"""Every shipped request designs without an error finding, and says in counts what its comment promises."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabricplan.catalog import Catalog
from fabricplan.files import load_requirement
from fabricplan.pipeline import design

EXAMPLES = Path(__file__).parents[2] / "examples"
COUNTS = {
    "h100-four-networks": [(32, 16, 0), (8, 3, 0), (10, 5, 0), (7, 0, 0)],
    "b300-xdr": [(16, 8, 0)],
    "spectrum-x-dual-plane": [(64, 32, 0)],
    "edr-hpc": [(13, 6, 0)],
    "gb300-row": [(8, 4, 0)],
    "h20-roce": [(8, 4, 0)],
    "edge-pool": [(2, 2, 0)],
    "four-su": [(32, 16, 0)],
    "rail-planes": [(128, 64, 0)],
    "two-halls": [(16, 8, 0)],
    "roce-dual-plane": [(16, 8, 0)],
    "small-hdr": [(1, 0, 0)],
}
"""Leaf, spine and core of every fabric of some requests."""


REQUESTS = sorted(path for path in EXAMPLES.glob("*.yaml") if not path.stem.endswith("-terms"))


@pytest.mark.parametrize("path", REQUESTS, ids=lambda path: path.stem)
def test_example_designs_without_an_error(catalog: Catalog, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# "), "says what it shows"
    plan = design(load_requirement(path), catalog)
    assert [note.code for note in plan.findings if note.severity == "error"] == []
    if path.stem in COUNTS:
        assert [(f.leaf_count, f.spine_count, f.core_count) for f in plan.fabrics] == COUNTS[path.stem]


def test_gb300_units_are_whole_racks(catalog: Catalog) -> None:
    plan = design(load_requirement(EXAMPLES / "gb300-row.yaml"), catalog)
    assert all(run.nodes_each % 18 == 0 for run in plan.fabrics[0].shape.units)


def test_h20_takes_qsfp112_adapters(catalog: Catalog) -> None:
    group = design(load_requirement(EXAMPLES / "h20-roce.yaml"), catalog).fabrics[0].groups[0]
    assert (group.port_class, group.adapters_per_node) == ("qsfp112", 8)


def test_edge_nodes_have_their_two_ports_on_two_leaves(catalog: Catalog) -> None:
    group = design(load_requirement(EXAMPLES / "edge-pool.yaml"), catalog).fabrics[0].groups[0]
    assert sorted(port.leaf for port in group.ports) == [0, 1]
