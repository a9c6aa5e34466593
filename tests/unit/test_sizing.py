"""Sizing: the search against brute force, the reasons that are told, the limits."""

from __future__ import annotations

from typing import Any

import pytest

from fabricplan.errors import InfeasibleError, RequirementError
from fabricplan.sizing.clos import Box, Demand, divisors, smallest_divisor, three_tiers, two_tiers
from tests.conftest import PlanOf

H100 = {"platform": "dgx-h100"}


def test_divisors() -> None:
    for number in range(1, 200):
        assert divisors(number) == tuple(step for step in range(1, number + 1) if number % step == 0)
        assert smallest_divisor(number, number + 1) is None


@pytest.mark.parametrize("radix", [8, 12, 36])
def test_two_tiers_against_brute_force(radix: int) -> None:
    """Fewest spines over all even joins, counted without any formula."""
    box = Box(cages=radix, down_per_cage=1, up_per_cage=1)
    for leaves in range(2, radix + 1):
        for hosts in range(1, radix // 2 + 1):
            found = {item.uplinks: item for item in two_tiers(Demand(leaves, 1, hosts, 100, 100), box, box)}
            for uplinks in range(max(hosts, 2), radix - hosts + 1):
                even = [s for s in range(2, uplinks + 1) if uplinks % s == 0 and leaves * (uplinks // s) <= radix]
                assert (found[uplinks].spines if uplinks in found else None) == (min(even) if even else None)


@pytest.mark.parametrize("units", [2, 3, 4, 6, 8])
def test_three_tiers_against_brute_force(units: int) -> None:
    """Fewest switches over all equal pods of whole units, even spines and even cores of eight ports."""
    box = Box(cages=8, down_per_cage=1, up_per_cage=1)
    for hosts in (1, 2, 3, 4):
        found = three_tiers(Demand(units, 1, hosts, 100, 100), box, box, box, None)
        best = None
        for per_pod in (step for step in range(1, units) if units % step == 0):
            pods = units // per_pod
            for uplinks in range(max(hosts, 2), 8 - hosts + 1):
                for spines in (s for s in range(2, uplinks + 1) if uplinks % s == 0):
                    down = per_pod * uplinks // spines
                    for up in range(down, 8 - down + 1):
                        for shared in (m for m in range(1, spines + 1) if spines % m == 0):
                            for cores in (c for c in range(1, up + 1) if up % c == 0):
                                if pods * shared * (up // cores) <= 8:
                                    total = units + pods * spines + spines // shared * cores
                                    best = min(best or total, total)
        assert (found.switches if found else None) == best


def test_further_units_are_weighed(plan_of: PlanOf) -> None:
    sizing = plan_of({"nodes": 275, "ports": 1}, {"rate": "ndr"}).fabrics[0]
    assert (sizing.leaf_count, sizing.spine_count) == (10, 5)
    fallen = next(row for row in sizing.candidates if (row.option, row.count) == ("units", 9))
    assert (fallen.leaf_count, fallen.spine_count, fallen.reason) == (9, 8, "more-switches")


def test_reserved_ports_in_one_small_unit_share_rails(plan_of: PlanOf) -> None:
    sizing = plan_of({"nodes": 8, **H100}, {"rate": "ndr", "reserve_ports": 4}).fabrics[0]
    assert (sizing.leaf_count, sizing.spine_count) == (4, 2)
    assert sizing.groups[0].rails_per_leaf == 2


def test_a_cage_carries_what_its_parts_carry(plan_of: PlanOf) -> None:
    """SN5600 splits a cage in four at 200GbE, the splitter to QSFP56 adapters has two tails."""
    plan = plan_of({"nodes": 8}, {"rate": 200, "technology": "roce"})
    assert plan.fabrics[0].shape.leaf.down_per_cage == 2
    assert sum(line.quantity for line in plan.bom.lines if line.kind == "cable") == 32


def test_fewest_spines_are_kept(plan_of: PlanOf) -> None:
    """35 hosts and one uplink would do at 35:1, but one uplink leads to one spine."""
    group, fabric = {"nodes": 70, "ports": 1}, {"rate": "edr", "oversubscription": ["35:1"]}
    two = plan_of(group, fabric).fabrics[0]
    one = plan_of(group, {**fabric, "min_spines": 1}).fabrics[0]
    assert (two.leaf_count, two.spine_count) == (3, 2)
    assert (one.leaf_count, one.spine_count) == (2, 1)


@pytest.mark.parametrize(
    ("group", "fabric", "code", "words"),
    [
        ({"nodes": 8, "platform": "dgx-h10"}, {"rate": "ndr"}, "unknown-platform", "dgx-h100"),
        ({"nodes": 8}, {"rate": "ndr", "leaf": "QM9007"}, "unknown-switch", "QM9700"),
        ({"nodes": 8}, {"rate": "ndr", "leaf": "SN5600"}, "technology", "QM9700"),
        ({"nodes": 8}, {"rate": "ndr", "leaf": "QM8700"}, "rate-of-switch", "QM9700"),
        ({"nodes": 8}, {"rate": "ndr", "planes": 3}, "planes", "divisor of 8"),
        ({"nodes": 8, **H100}, {"rate": "xdr"}, "rate-of-ports", "ndr"),
        ({"nodes": 8, **H100, "ports": 9}, {"rate": "ndr"}, "ports-per-node", "at most 8"),
        ({"nodes": 8, "nic": "MCX0"}, {"rate": "ndr"}, "unknown-adapter", "MCX"),
        ({"nodes": 64, **H100}, {"rate": "ndr", "management": "mixed:99"}, "management", "mixed:1"),
    ],
)
def test_words_that_cannot_be_met(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], code: str, words: str
) -> None:
    with pytest.raises(RequirementError) as caught:
        plan_of(group, fabric)
    assert caught.value.code == code
    assert words in str(caught.value)


def test_one_tier_only(plan_of: PlanOf) -> None:
    assert plan_of({"nodes": 8}, {"rate": "ndr", "tiers": 1}).fabrics[0].leaf_count == 1
    with pytest.raises(InfeasibleError) as caught:
        plan_of({"nodes": 9}, {"rate": "ndr", "tiers": 1})
    assert "at most 8 nodes" in caught.value.hint


def test_gpus_are_rounded_up_and_it_is_said(plan_of: PlanOf) -> None:
    plan = plan_of({"gpus": 1020}, {"rate": "ndr"})
    note = next(finding for finding in plan.findings if finding.code == "gpus-rounded")
    assert (note.param("nodes"), note.param("gpus_built")) == (128, 1024)


def test_bisection_never_exceeds_the_fullest_half(plan_of: PlanOf) -> None:
    assert plan_of({"gpus": 1024}, {"rate": "ndr"}).fabrics[0].bisection_gbps == 204_800
    halved = plan_of({"nodes": 128, **H100}, {"rate": "ndr", "oversubscription": ["2:1"]}).fabrics[0]
    assert halved.bisection_gbps == halved.leaf_spine_links * 400 // 2
