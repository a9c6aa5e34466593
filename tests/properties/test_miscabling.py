"""Hundreds of miscabled fabrics: the work orders restore the plan exactly, and are as few as the causes."""

from __future__ import annotations

import random

import pytest

from fabricplan.asbuilt.document import Verification
from fabricplan.asbuilt.verify import verify
from fabricplan.plan import Plan
from fabricplan.readers.discovery import read_found
from tests.conftest import PlanOf
from tests.miscabling import MISTAKES, Model, carry_out, dump, exchange_devices, model

KINDS = {
    "dgx-h100": ({"nodes": 32, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 4}),
    "hdr": ({"nodes": 16}, {"rate": "hdr"}),
    "edr-single-port": ({"nodes": 72, "ports": 1}, {"rate": "edr"}),
    "xdr": ({"nodes": 16}, {"rate": "xdr"}),
    "split": ({"nodes": 16}, {"rate": "hdr100"}),
    "oversubscribed": ({"nodes": 32}, {"rate": "ndr", "oversubscription": ["2:1"]}),
}
SEEDS = 60


def check(plan: Plan, built: Model, **how: bool) -> Verification:
    return verify(plan, "0" * 64, read_found(dump(built, **how).encode(), "found.txt"))


def restored(plan: Plan, built: Model) -> bool:
    """Carry out the work orders and look at the result with nothing but the cables."""
    checked = check(plan, built)
    fixed = built.copy()
    carry_out(fixed, checked.orders)
    assert checked.clean == (built.key() == model(plan).key() and not built.slow)
    return fixed.key() == model(plan).key() and check(plan, fixed).clean


@pytest.mark.parametrize("kind", KINDS)
def test_work_orders_restore_the_plan(plan_of: PlanOf, kind: str) -> None:
    plan = plan_of(*KINDS[kind])
    planned = model(plan)
    for seed in range(SEEDS):
        dice, built = random.Random(seed), planned.copy()
        done = [dice.choice(sorted(MISTAKES)) for _ in range(dice.randint(1, 4))]
        for mistake in done:
            MISTAKES[mistake](built, dice)
        assert restored(plan, built), (kind, seed, done)


@pytest.mark.parametrize("mistake", sorted(MISTAKES))
def test_one_mistake_is_one_order_with_the_fewest_plugs(plan_of: PlanOf, mistake: str) -> None:
    plan = plan_of(*KINDS["dgx-h100"])
    planned = model(plan)
    for seed in range(12):
        built = planned.copy()
        MISTAKES[mistake](built, random.Random(seed))
        checked = check(plan, built)
        assert len(checked.orders) == 1, (mistake, seed, [order.kind for order in checked.orders])
        changed = len(built.key() - planned.key())
        assert len(checked.orders[0].moves) == max(changed, 1)


@pytest.mark.parametrize("kind", ["dgx-h100", "hdr"])
def test_whole_devices_exchanged_are_one_cause_among_others(plan_of: PlanOf, kind: str) -> None:
    plan = plan_of(*KINDS[kind])
    planned = model(plan)
    nodes = sorted({low[0] for low, _ in planned.links} - set(planned.switches))
    for seed in range(12):
        dice, built = random.Random(seed), planned.copy()
        exchange_devices(built, *dice.sample(sorted(planned.switches), 2))
        exchange_devices(built, *dice.sample(nodes, 2))
        checked = check(plan, built)
        assert [order.kind for order in checked.orders] == ["place", "place"], (kind, seed)
        MISTAKES["swap"](built, dice)
        assert restored(plan, built), (kind, seed)


@pytest.mark.parametrize("seed", range(6))
def test_unnamed_fabrics_are_known_by_place(plan_of: PlanOf, seed: int) -> None:
    plan = plan_of({"nodes": 128}, {"rate": "hdr", "nodes_per_unit": 16})
    planned = model(plan)
    assert plan.fabrics[0].shape.tiers == 3
    built, dice = planned.copy(), random.Random(seed)
    for _ in range(3):
        MISTAKES["trunks"](built, dice)
    assert check(plan, planned, unnamed=True).clean
    checked = check(plan, built, unnamed=True)
    fixed = built.copy()
    carry_out(fixed, checked.orders)
    assert fixed.key() == planned.key()
    assert [item.code for item in checked.findings] == ["known-by-place"]
