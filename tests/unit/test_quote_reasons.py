"""Why lines of two quotes differ: each cause alone and causes together, between the seller's files and against the
customer's copy, which holds nothing of the seller's own figures."""

from __future__ import annotations

import json
from decimal import Decimal
from io import BytesIO
from itertools import combinations
from typing import Any

import openpyxl
import pytest

from fabricplan.plan import Plan
from fabricplan.prices import PriceBook, PriceLine
from fabricplan.quote import Quote, Revision, dumps, loads, needs_bridge, price, revise
from fabricplan.renderers.quotes.changes import lines as told_lines
from fabricplan.renderers.quotes.changes import render
from tests.conftest import PlanOf
from tests.unit.quotes import terms

D = Decimal
SWITCH, ADAPTER, CABLE = "MQM8700-HS2F", "MCX653105A-HDAT", "MFS1S00-H010V"
BASE: dict[str, Any] = {
    "nodes": 20, "cable": "420", "rate": "7.1", "off": "5", "catalog": "", "version": "", "basis": "auto",
}  # fmt: skip
CHANGED: dict[str, Any] = {
    "request": {"nodes": 24}, "price-book": {"cable": "448"}, "rate": {"rate": "7.25"}, "terms": {"off": "6"},
    "catalogue": {"catalog": "sha256:another"}, "tool-version": {"version": "9.9"},
}  # fmt: skip


@pytest.fixture(scope="module")
def plans(plan_of: PlanOf) -> dict[int, Plan]:
    return {nodes: plan_of({"nodes": nodes, "ports": 1}, {"rate": "hdr"}, room={"uniform_length_mm": 10_000})
            for nodes in (20, 24)}  # fmt: skip


def quote_of(plans: dict[int, Plan], **changes: Any) -> Quote:
    """Return a quote: the switch from the terms' discounted book price, the adapter in CNY, the cable in USD."""
    fields = {**BASE, **changes}
    plan = plans[fields["nodes"]]
    stated = {"catalog": fields["catalog"], "version": fields["version"]}
    made = plan.made_by.model_copy(update={key: value for key, value in stated.items() if value})
    book = PriceBook(name="B", lines=(
        PriceLine(part=SWITCH, unit_price=D(98000)), PriceLine(part=ADAPTER, unit_price=D(6350)),
        PriceLine(part=CABLE, unit_price=D(fields["cable"]), currency="USD"),
    ))  # fmt: skip
    rates = [{"currency": "USD", "rate": fields["rate"], "source": "bank", "date": "2026-11-30"}]
    return price(plan.model_copy(update={"made_by": made}), book, terms(
        exchange=rates, discounts={"parts": {ADAPTER: fields["off"]}}, **fields.get("terms", {})))  # fmt: skip


def reasons(revision: Revision) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    return {line.part: (line.reasons, line.one_of) for line in revision.lines}


def kept(quote: Quote) -> Quote:
    return loads(dumps(quote, internal=True))


def sent(quote: Quote) -> Quote:
    return loads(dumps(quote))


@pytest.mark.parametrize("causes", [
    causes for count in range(len(CHANGED) + 1) for causes in combinations(CHANGED, count)
], ids="+".join)  # fmt: skip
def test_every_cause_and_every_combination(plans: dict[int, Plan], causes: tuple[str, ...]) -> None:
    new = quote_of(plans, **{key: value for cause in causes for key, value in CHANGED[cause].items()})
    old = quote_of(plans)
    quantity = ("request",) if "request" in causes else ()
    # What each line can be changed by, in this case by construction: the order is that of the reasons.
    by_line = {
        SWITCH: (), ADAPTER: (*quantity, *(["terms"] if "terms" in causes else [])),
        CABLE: (*quantity, *(cause for cause in ("price-book", "rate") if cause in causes)),
    }  # fmt: skip
    by_line = {part: why for part, why in by_line.items() if why}
    assert needs_bridge(old, new) == ("request" in causes and bool({"catalogue", "tool-version"} & {*causes}))
    bridge = plans[20] if needs_bridge(old, new) else None
    assert reasons(revise(kept(old), new, bridge)) == {part: (why, ()) for part, why in by_line.items()}
    # Against the customer's copy: the request and the rate are known, price book and terms are not told apart.
    seen = {}
    for part, why in by_line.items():
        hidden = {"price-book", "terms"} & {*why}
        seen[part] = (tuple(one for one in why if one not in hidden), ("price-book", "terms") if hidden else ())
    assert reasons(revise(sent(old), new, bridge)) == seen
    assert reasons(revise(sent(old), sent(new), bridge)) == seen


def test_without_the_plan_between_what_is_open_is_named_open(plans: dict[int, Plan]) -> None:
    old, new = quote_of(plans), quote_of(plans, nodes=24, catalog="sha256:another", off="6")
    found = reasons(revise(kept(old), new))
    assert found[CABLE] == ((), ("request", "catalogue"))
    assert found[ADAPTER] == (("terms",), ("request", "catalogue"))
    assert told_lines(revise(kept(old), new), new, "en")[-1].endswith("(request or catalogue)")
    assert told_lines(revise(kept(old), new), new, "zh")[1].endswith("（商务条款变更，需求变更或产品目录更新）")


@pytest.mark.parametrize("cause", ["catalogue", "tool-version"])
def test_quantities_by_catalogue_or_program(plans: dict[int, Plan], cause: str) -> None:
    # The same request gives other counts: here the plan of 24 nodes stands for what a newer catalogue makes of 20.
    other = plans[24].model_copy(update={"requirement": plans[20].requirement})
    new = quote_of({20: other}, **CHANGED[cause])
    for old in (kept(quote_of(plans)), sent(quote_of(plans))):
        assert reasons(revise(old, new)) == {ADAPTER: ((cause,), ()), CABLE: ((cause,), ())}
    # And with another request besides: the plan between the two parts them.
    both = quote_of({24: other.model_copy(update={"requirement": plans[24].requirement})}, nodes=24, **CHANGED[cause])
    assert reasons(revise(kept(quote_of(plans)), both, other)) == {ADAPTER: ((cause,), ()), CABLE: ((cause,), ())}


@pytest.mark.parametrize(("before", "after", "why"), [
    ({"margin_percent": 10}, {"margin_percent": 12}, ("terms",)),
    ({"markup_percent": 10}, {"markup_percent": 9}, ("terms",)),
    ({"margin_percent": 10}, {"margin_percent": 10}, ()), ({"margin_percent": 10}, {"markup_percent": 12}, ("terms",)),
])  # fmt: skip
def test_margins(plans: dict[int, Plan], before: dict[str, Any], after: dict[str, Any], why: tuple[str, ...]) -> None:
    def quote(agreed: dict[str, Any], cost: str) -> Quote:
        lines = (
            PriceLine(part=SWITCH, cost=D(cost)),
            PriceLine(part=ADAPTER, cost=D(5000)),
            PriceLine(part=CABLE, cost=D(7)),
        )
        return price(plans[20], PriceBook(name="B", lines=lines), terms(**agreed))

    old = kept(quote(before, "90000"))
    found = reasons(revise(old, quote(after, "90000")))
    assert {line[0] for line in found.values()} == ({why} if why else set())
    dearer = reasons(revise(old, quote(after, "91000")))
    assert dearer[SWITCH] == (("price-book", *why), ()) and dearer.get(ADAPTER, (why, ()))[0] == why


def test_a_fixed_total_spreads_what_moved_and_only_that(plans: dict[int, Plan]) -> None:
    fixed = {"terms": {"target_total": 250000}}
    old = quote_of(plans, **fixed)
    found = reasons(revise(kept(old), quote_of(plans, **fixed, cable="448")))
    assert found == dict.fromkeys((SWITCH, ADAPTER, CABLE), (("price-book",), ()))
    assert {why for why, _ in reasons(revise(kept(old), quote_of(plans, **fixed, nodes=24))).values()} == {("request",)}
    other = reasons(revise(kept(old), quote_of(plans, terms={"target_total": 240000})))
    assert set(other.values()) == {(("terms",), ())}
    assert set(reasons(revise(kept(quote_of(plans)), old)).values()) == {(("terms",), ())}
    rounded = {"terms": {"round_down_to": 1000}}
    found = reasons(revise(kept(quote_of(plans, **rounded)), quote_of(plans, **rounded, rate="7.25")))
    assert found == {SWITCH: (("rate",), ()), CABLE: (("rate",), ())}


def test_services_support_and_shares_follow_what_they_are_counted_by(plans: dict[int, Plan]) -> None:
    def agreed(years: int, days: int, install: int, percent: int) -> dict[str, Any]:
        return {"terms": {
            "services": [{"name": "Install", "per": "cable", "price": install},
                         {"name": "Days", "per": "day", "quantity": days, "price": 3000}],
            "support": [{"name": "Care", "years": years, "devices": "adapter", "price": 10},
                        {"name": "Share", "years": 1, "percent_of_hardware": percent}],
        }}  # fmt: skip

    first = agreed(3, 5, 80, 4)
    old = quote_of(plans, **first)
    for copy in (kept(old), sent(old)):
        more = reasons(revise(copy, quote_of(plans, **first, nodes=24)))
        assert set(more.values()) == {(("request",), ())} and more.keys() >= {"Install", "Care", "Share"}
        later = reasons(revise(copy, quote_of(plans, **agreed(4, 6, 90, 5))))
        assert later == dict.fromkeys(("Install", "Days", "Care", "Share"), (("terms",), ()))
        both = reasons(revise(copy, quote_of(plans, **agreed(4, 5, 80, 4), nodes=24)))
        assert both["Care"] == (("request", "terms"), ()) and both["Install"] == (("request",), ())
        rate = reasons(revise(copy, quote_of(plans, **first, rate="7.25")))
        assert rate == {CABLE: (("rate",), ()), "Share": (("rate",), ())}
        gone = revise(copy, quote_of(plans))
        assert {(line.change, line.reasons) for line in gone.lines} == {("removed", ("terms",))}


def test_a_price_that_comes_into_the_book(plans: dict[int, Plan]) -> None:
    def quote(*lines: PriceLine, **fields: Any) -> Quote:
        return price(plans[20], PriceBook(name="B", lines=lines), terms(**fields))

    some = [PriceLine(part=SWITCH, unit_price=D(1)), PriceLine(part=ADAPTER, unit_price=D(2))]
    late = PriceLine(part=CABLE, unit_price=D(3))
    assert reasons(revise(kept(quote(*some)), quote(*some, late))) == {CABLE: (("price-book",), ())}
    assert reasons(revise(sent(quote(*some)), quote(*some, late))) == {CABLE: ((), ("price-book", "terms"))}
    cost = PriceLine(part=CABLE, cost=D(3))
    assert reasons(revise(kept(quote(*some, cost)), quote(*some, cost, margin_percent=5))) == {CABLE: (("terms",), ())}


def test_tax_added_to_a_change_of_lines_is_told_beside_them(plans: dict[int, Plan]) -> None:
    added = {"terms": {"tax": {"percent": 13, "mode": "added"}}}
    old, new = quote_of(plans, **added), quote_of(plans, **added, off="6")
    revision = revise(kept(old), new)
    assert revision.tax_difference == new.tax - old.tax != 0
    assert revision.difference == revision.tax_difference + sum(line.difference for line in revision.lines)
    assert told_lines(revision, new, "en")[-1] == f"Tax on it {revision.tax_difference:+,f}"
    mode = revise(kept(quote_of(plans)), quote_of(plans, **added))
    assert mode.lines == () and mode.difference == mode.tax_difference > 0
    told = told_lines(mode, new, "zh")
    assert len(told) == 3 and all(line.endswith("（商务条款变更：价格含税方式）") for line in told[1:])


def test_another_tax_rate_alone_is_told_with_the_net_total_and_its_reason(plans: dict[int, Plan]) -> None:
    services = {"services": [{"name": "On site", "per": "lot", "price": 10_000}]}
    old, new = (
        quote_of(plans, terms={**services, "tax": {"percent": 13, "groups": {"service": percent}}})
        for percent in (6, 9)
    )
    # 10,000 with the tax in it: 566.04 of 6 % and 825.69 of 9 %, so the net total falls by 259.65.
    revision = revise(kept(old), new)
    assert (revision.lines, revision.difference, revision.tax_changed) == ((), 0, "rate")
    assert revision.new_net - revision.old_net == D("-259.65") and not revision.empty
    assert told_lines(revision, new, "en")[2:] == [
        "Tax 9% 0.00 -> 825.69, +825.69 (terms: tax rate)", "Tax 6% 566.04 -> 0.00, -566.04 (terms: tax rate)",
    ]  # fmt: skip
    assert "Net" not in told_lines(revision, new, "zh")[1] and "-259.65" in told_lines(revision, new, "zh")[1]
    sheet = openpyxl.load_workbook(BytesIO(render(revision, new, "en")["quote-changes.xlsx"])).active
    rows = [[cell for cell in row if cell not in (None, "")] for row in sheet.iter_rows(min_row=3, values_only=True)]
    assert [row[0] for row in rows] == ["Total excl. tax", "Tax 9%", "Tax 6%", "Total incl. tax"]
    assert rows[1][1:3] == [0, 825.69] and rows[1][-1] == "terms: tax rate"
    same = revise(kept(old), old)
    assert same.empty and told_lines(same, old, "en") == ["no change"]


@pytest.mark.parametrize(("lang", "name"), [("zh", "现场服务"), ("en", "On site"), ("both", "On site")])
def test_services_are_told_in_the_asked_language(plans: dict[int, Plan], lang: str, name: str) -> None:
    called = {"zh": "现场服务", "en": "On site"}
    services = [[{"name": called, "per": "lot", "price": amount}] for amount in (80, 90)]
    old, new = (quote_of(plans, terms={"services": service}) for service in services)
    told = told_lines(revise(kept(old), new), new, lang)[1]
    assert told.startswith("现场服务" if lang == "both" else name) and name in told
    assert ("On site" in told) is (lang != "zh")
    sheet = openpyxl.load_workbook(BytesIO(render(revise(kept(old), new), new, lang)["quote-changes.xlsx"])).active
    assert name in sheet.cell(3, 2).value


def test_cords_without_a_number_are_parted_by_length(plans: dict[int, Plan]) -> None:
    quote = quote_of(plans)
    cord = quote.lines[2].model_copy(update={"pn": "", "opn": ""})
    two = (cord, cord.model_copy(update={"length_mm": 30_000, "unit_price": D(9), "amount": D(180)}))
    old = quote.model_copy(update={"lines": (*quote.lines[:2], *two)})
    new = quote.model_copy(update={"lines": (*quote.lines[:2], two[0])})
    (removed,) = revise(old, new).lines
    assert (removed.change, removed.part) == ("removed", f"{cord.name.en} 30 m")


def test_one_network_and_several_are_the_same_lines(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 20, "ports": 1}, {"rate": "hdr"}, room={"uniform_length_mm": 10_000})
    one = price(plan, PriceBook(name="B", lines=(PriceLine(part=SWITCH, unit_price=D(1)),)), terms())
    two = one.model_copy(update={
        "fabrics": (*one.fabrics, one.fabrics[0].model_copy(update={"name": "storage"})),
        "lines": tuple(line.model_copy(update={"network": one.fabrics[0].name}) for line in one.lines)})  # fmt: skip
    assert revise(one, two).lines == ()


def test_the_customers_copy_holds_no_figure_to_guess(plans: dict[int, Plan]) -> None:
    quote = quote_of(plans, off="5", terms={"target_total": 240001, "margin_percent": 17})
    text = dumps(quote).decode()
    tree = json.loads(text)
    assert tree["terms_digest"] == "" and {book["digest"] for book in tree["books"]} == {""}
    assert all(word not in text for word in ("internal", "target", "margin", "discount", "computed", "98000"))
    # Other terms and another book that come to the same prices give the same file: nothing can be tried on it.
    lines = tuple(PriceLine(part=line.part, list_price=line.unit_price, cost=D(1)) for line in quote.lines)
    other = price(plans[20], PriceBook(name="B", lines=lines), terms(
        exchange=[{"currency": "USD", "rate": "7.1", "source": "bank", "date": "2026-11-30"}]))  # fmt: skip
    same = quote.model_copy(update={"exchange": (), "lines": tuple(
        line.model_copy(update={"foreign": None}) for line in quote.lines)})  # fmt: skip
    assert dumps(other) == dumps(same)
    assert loads(text.encode()).request == plans[20].requirement
