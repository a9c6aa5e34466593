"""Every shipped request designs without an error finding, says in counts what its comment promises, and is priced whole
by the demo price books."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from fabricplan.catalog import Catalog
from fabricplan.files import load_requirement
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.pricefiles import load_prices, load_terms
from fabricplan.quote import price

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


def cents_of(plan: Plan) -> int:
    """Return what the demo terms make of a plan, in whole cents: from the CSV's rows and the bill, by integers alone.

    Demo terms: 3 % off all, transceivers 10 % before; 1,500 a switch, 80 a cable, five days at 3,000; freight 20,000;
    support of 4 % a year for three years on the discounted hardware.
    """
    with (EXAMPLES / "demo-prices.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.reader(file) if len(row) > 2 and row[2].replace(",", "").isdigit()]
    yuan = {name: int(row[2].replace(",", "")) for row in rows for name in row[:2] if name}

    def shared(numerator: int, denominator: int) -> int:
        return (2 * numerator + denominator) // (2 * denominator)

    hardware = 0
    for line in plan.bom.lines:
        listed = next(yuan[name] for name in (line.pn, line.opn, line.key) if name in yuan)
        left = 90 if line.kind == "transceiver" else 100
        hardware += shared(listed * 100 * left * 97, 10_000) * (line.quantity + line.spare)
    switches = sum(line.quantity for line in plan.bom.lines if line.kind == "switch")
    cables = sum(line.quantity for line in plan.bom.lines if line.kind in ("cable", "fibre"))
    services = switches * 1500 * 97 + cables * 80 * 97 + 5 * 3000 * 97 + 20_000 * 97
    return hardware + services + shared(hardware * 4 * 3, 100)


@pytest.mark.parametrize("path", REQUESTS, ids=lambda path: path.stem)
def test_example_designs_without_an_error(catalog: Catalog, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# "), "says what it shows"
    plan = design(load_requirement(path), catalog)
    assert [note.code for note in plan.findings if note.severity == "error"] == []
    for suffix in ("csv", "xlsx"):
        quote = price(plan, load_prices(EXAMPLES / f"demo-prices.{suffix}"), load_terms(EXAMPLES / "demo-terms.yaml"))
        assert quote.missing == () and [note.code for note in quote.findings if note.severity == "error"] == []
        assert int(quote.total * 100) == cents_of(plan), suffix
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
