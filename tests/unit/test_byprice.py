"""``choose: price``: the cheaper of two fabrics is taken, by a sum of its own; the plan holds the rule and no price."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest

from fabricplan.byprice import design_by_price
from fabricplan.catalog import Catalog
from fabricplan.errors import PriceError, RequirementError
from fabricplan.pipeline import design
from fabricplan.plan import Plan, dumps, loads
from fabricplan.prices import PriceBook, PriceLine
from fabricplan.quote import Terms
from fabricplan.recheck import recheck
from fabricplan.requirement import Requirement, parse_requirement
from fabricplan.wording import text

TERMS = Terms(date=datetime.date(2026, 11, 30), currency="USD")


def asked(choose: str, nodes: int = 30) -> Requirement:
    fabric = {"rate": "ndr", "choose": choose}
    return parse_requirement({"groups": [{"nodes": nodes}], "fabrics": [fabric], "room": {"uniform_length_mm": 9000}})


def parts(plan: Plan) -> dict[str, int]:
    return {line.pn: line.quantity for line in plan.bom.lines}


def book(plans: list[Plan], switch: int, other: int) -> PriceBook:
    pns = {line.pn: line.kind for plan in plans for line in plan.bom.lines}
    return PriceBook(name="test", currency="USD", lines=tuple(
        PriceLine(part=pn, unit_price=Decimal(switch if kind == "switch" else other))
        for pn, kind in pns.items()
    ))  # fmt: skip


@pytest.fixture(scope="module")
def rules(catalog: Catalog) -> dict[str, Plan]:
    return {rule: design(asked(rule), catalog) for rule in ("switches", "optics")}


@pytest.mark.parametrize(("switch", "other"), [(100_000, 1), (1, 1000), (2400, 100), (3300, 100)])
def test_the_cheaper_fabric_is_taken(catalog: Catalog, rules: dict[str, Plan], switch: int, other: int) -> None:
    """30 nodes of NDR: 8 + 4 switches with 256 links between them, or 8 + 5 with 240."""
    sums = {rule: sum(quantity * (switch if pn.startswith("MQM") else other) for pn, quantity in parts(plan).items())
            for rule, plan in rules.items()}  # fmt: skip
    cheaper = min(sums, key=lambda rule: sums[rule])
    plan = design_by_price(asked("price"), catalog, book(list(rules.values()), switch, other), TERMS)
    assert parts(plan) == parts(rules[cheaper])
    assert plan.topology == rules[cheaper].topology
    [told] = [item for item in plan.findings if item.code == "chosen-by-price"]
    assert f"the fabric of fewest {cheaper} is the cheapest" in text(told)


def test_both_rules_can_win(rules: dict[str, Plan]) -> None:
    """The cases above are none in which one fabric has less of everything."""
    few, light = parts(rules["switches"]), parts(rules["optics"])
    assert few["MQM9700-NS2F"] < light["MQM9700-NS2F"]
    assert sum(few.values()) - few["MQM9700-NS2F"] > sum(light.values()) - light["MQM9700-NS2F"]


def test_the_plan_stands_without_the_prices(catalog: Catalog, rules: dict[str, Plan]) -> None:
    plan = design_by_price(asked("price"), catalog, book(list(rules.values()), 1, 1000), TERMS)
    data = dumps(plan)
    assert b"1000.0" not in data and b"unit_price" not in data
    again = loads(data, "plan.json")
    assert design(again.requirement, catalog) == again
    assert recheck(again, catalog) == plan.findings


def test_without_choose_price_nothing_is_weighed(catalog: Catalog, rules: dict[str, Plan]) -> None:
    assert design_by_price(asked("optics"), catalog, (), TERMS) == rules["optics"]


def test_one_fabric_needs_no_price(catalog: Catalog) -> None:
    """Where both rules give the same fabric, no price is looked up."""
    plan = design_by_price(asked("price", 4), catalog, (), TERMS)
    assert parts(plan) == parts(design(asked("switches", 4), catalog))


def test_a_part_without_a_price_is_named(catalog: Catalog, rules: dict[str, Plan]) -> None:
    known = book(list(rules.values()), 1, 1)
    lacking = known.model_copy(update={"lines": tuple(row for row in known.lines if row.part != "MMA4Z00-NS")})
    with pytest.raises(PriceError) as caught:
        design_by_price(asked("price"), catalog, lacking, TERMS)
    assert [item.message for item in caught.value.problems] == [
        "MMA4Z00-NS has no price, so the fabrics cannot be compared"
    ]


def test_a_fixed_total_does_not_make_them_equal(catalog: Catalog, rules: dict[str, Plan]) -> None:
    fixed = TERMS.model_copy(update={"target_total": Decimal(1_000_000)})
    plan = design_by_price(asked("price"), catalog, book(list(rules.values()), 1, 1000), fixed)
    assert parts(plan) == parts(rules["optics"])


def test_design_alone_refuses(catalog: Catalog) -> None:
    with pytest.raises(RequirementError) as caught:
        design(asked("price"), catalog)
    [problem] = caught.value.problems
    assert (problem.code, problem.where) == ("needs-prices", "fabrics[0].choose")
    with pytest.raises(RequirementError, match="price_favours belongs to choose: price"):
        parse_requirement({"groups": [{"nodes": 4}], "fabrics": [{"rate": "ndr", "price_favours": "optics"}]})
