"""Amounts in Chinese capitals, read back by an independent reader, the one rounding rule, and amounts as written."""

from __future__ import annotations

from decimal import ROUND_DOWN, Context, Decimal, localcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricplan.errors import PriceError
from fabricplan.plan import Plan
from fabricplan.prices import PriceBook
from fabricplan.quote import dumps, loads, price, revise
from fabricplan.quote.money import capitals, money, rounded, signed, total
from fabricplan.wording.quotes import quote_finding
from tests.conftest import PlanOf
from tests.unit.quotes import hdr_book, hdr_quote, terms

DIGITS = {digit: value for value, digit in enumerate("零壹贰叁肆伍陆柒捌玖")}
UNITS = {"拾": 10, "佰": 100, "仟": 1000}


@pytest.fixture(scope="module")
def hdr(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 20, "ports": 1}, {"rate": "hdr"}, room={"uniform_length_mm": 10_000})


def spoken(text: str) -> Decimal:
    """Read capitals: digits times units within groups of 万 and 亿."""
    whole, _, rest = text.removesuffix("整").rpartition("元") if "元" in text else ("", "", text)
    total = section = digit = 0
    for letter in whole:
        if letter in DIGITS:
            digit = DIGITS[letter]
        elif letter in UNITS:
            section, digit = section + digit * UNITS[letter], 0
        elif letter == "万":
            section, digit = (section + digit) * 10_000, 0
            total, section = total + section, 0
        elif letter == "亿":
            total, section, digit = (total + section + digit) * 10**8, 0, 0
    yuan, cents, digit = total + section + digit, 0, 0
    for letter in rest:
        if letter in DIGITS:
            digit = DIGITS[letter]
        else:
            cents += digit * {"角": 10, "分": 1}[letter]
    return Decimal(yuan) + Decimal(cents) / 100


@pytest.mark.parametrize(("amount", "text"), [
    ("100000", "壹拾万元整"), ("100005000", "壹亿零伍仟元整"), ("10000.05", "壹万元零伍分"),
    ("270370.00", "贰拾柒万零叁佰柒拾元整"),
    ("1234567.89", "壹佰贰拾叁万肆仟伍佰陆拾柒元捌角玖分"), ("0", "零元整"), ("0.05", "伍分"), ("0.30", "叁角"),
    ("10", "壹拾元整"), ("101001", "壹拾万壹仟零壹元整"), ("1000050000", "壹拾亿零伍万元整"),
    ("100000001", "壹亿零壹元整"),
    ("20000100", "贰仟万零壹佰元整"), ("1000000000001", "壹万亿零壹元整"), ("284600", "贰拾捌万肆仟陆佰元整"),
    ("-5", "负伍元整"),
])  # fmt: skip
def test_capitals(amount: str, text: str) -> None:
    assert capitals(Decimal(amount)) == text


@given(st.integers(0, 10**15 - 1))
@settings(max_examples=600, derandomize=True)
def test_capitals_read_back(cents: int) -> None:
    text = capitals(Decimal(cents) / 100)
    assert spoken(text) == Decimal(cents) / 100
    assert "零零" not in text and text.endswith("整") == (cents % 100 == 0)


def test_rounding_and_forms() -> None:
    assert [rounded(Decimal(text), "CNY") for text in ("1.005", "1.004999", "-1.005", "2.675")] == [
        Decimal("1.01"), Decimal("1.00"), Decimal("-1.01"), Decimal("2.68")]  # fmt: skip
    assert (rounded(Decimal("2.5"), "JPY"), money(Decimal("1234567.80")), signed(Decimal(0))) == (
        Decimal(3), "1,234,567.80", "+0")  # fmt: skip


@pytest.mark.parametrize(("written", "amount"), [("1,234", "1234"), ("1,234,567.89", "1234567.89"), ("7.12", "7.12")])
def test_commas_part_thousands(written: str, amount: str) -> None:
    assert terms(target_total=written).target_total == Decimal(amount)


@pytest.mark.parametrize("fields", [
    {"target_total": "7,12"}, {"target_total": "1,5"}, {"target_total": "0,123"}, {"target_total": "12,34,567"},
    {"margin_percent": "1,5%"}, {"discounts": {"total": "1,5"}}, {"target_total": "1.234,50"},
])  # fmt: skip
def test_a_decimal_comma_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(PriceError, match="a comma parts thousands only"):
        terms(**fields)


def test_a_percent_sign_stands_in_percentages_only() -> None:
    read = terms(margin_percent="1.5 %", discounts={"groups": {"switch": "5%"}})
    assert (read.margin_percent, read.discounts.groups) == (Decimal("1.5"), (("switch", Decimal(5)),))
    assert terms(markup_percent="20%").markup_percent == 20
    for field in ("target_total", "round_down_to"):
        with pytest.raises(PriceError, match=field):
            terms(**{field: "5%"})


@pytest.mark.parametrize("fields", [
    {"items": [{"part": "LABEL", "name": "Label", "price": "0.02", "quantity": 10}], "target_total": 30000},
    {"items": [{"part": "LABEL", "name": "Label", "price": "0.004", "quantity": 10}]},
    {"items": [{"part": "LABEL", "name": "Label", "price": "0.01", "quantity": 10}], "discounts": {"total": "60% off"}},
])  # fmt: skip
def test_no_price_becomes_zero_by_rounding(hdr: Plan, fields: dict[str, object]) -> None:
    with pytest.raises(PriceError) as caught:
        hdr_quote(hdr, **fields)
    assert [(problem.code, "'LABEL'" in problem.message) for problem in caught.value.problems] == [
        ("price-vanishes", True)]  # fmt: skip


def test_a_discount_of_the_whole_price_is_meant(hdr: Plan) -> None:
    item = {"part": "LABEL", "name": "Label", "price": 5}
    quote = hdr_quote(hdr, items=[item], discounts={"parts": {"LABEL": 100}}, target_total=280000)
    assert (quote.lines[-1].unit_price, quote.total) == (0, 280000)


def test_cost_is_compared_where_it_is_known(hdr: Plan) -> None:
    switch, adapter, _ = hdr_book().lines
    lines = (switch, adapter.model_copy(update={"cost": Decimal(7000)}))
    quote = price(hdr, PriceBook(name="b", lines=lines), terms())
    below = [item for item in quote.findings if item.code.endswith("below-cost")]
    assert [quote_finding(item, "en") for item in below] == [
        "MCX653105A-HDAT: the unit price 6,350.00 is below the cost 7,000.00",
        "the lines whose cost is known come to 127,000.00, below their cost 140,000.00"]  # fmt: skip
    assert quote_finding(below[0], "zh") == "MCX653105A-HDAT：单价 6,350.00 低于成本 7,000.00"
    lines = (switch.model_copy(update={"cost": Decimal(50000)}), lines[1])
    codes = [item.code for item in price(hdr, PriceBook(name="b", lines=lines), terms()).findings]
    assert "line-below-cost" in codes and "total-below-cost" not in codes


def test_a_discount_for_nothing_is_told(hdr: Plan) -> None:
    rules = {"parts": {"MQM8700-HS2": 5, "mcx653105a hdat": 3}, "groups": {"switch": 1, "software": 2}}
    found = [item for item in hdr_quote(hdr, discounts=rules).findings if item.code == "discount-unused"]
    assert [(item.severity, quote_finding(item, "en")) for item in found] == [
        ("warning", "the discount for MQM8700-HS2 matches nothing in the quote; nearest: MQM8700-HS2F"),
        ("warning", "the discount for software matches nothing in the quote; nearest: adapter, cable, switch"),
    ]
    assert quote_finding(found[0], "zh").endswith("MQM8700-HS2F")


def test_discounts_of_one_part_twice_are_refused() -> None:
    with pytest.raises(PriceError, match="'MQM8700-HS2F' and 'mqm8700 hs2f' are the same part"):
        terms(discounts={"parts": {"MQM8700-HS2F": 5, "mqm8700 hs2f": 3}})


@pytest.mark.parametrize("fields", [
    {}, {"discounts": {"total": "3.3333"}}, {"target_total": "284567.89"}, {"round_down_to": 1000},
    {"tax": {"percent": 13, "mode": "added"}, "freight": {"price": "1234.57"}},
    {"support": [{"name": "Support", "years": 3, "percent_of_hardware": "7.1234"}]},
])  # fmt: skip
def test_the_callers_decimal_context_changes_nothing(hdr: Plan, fields: dict[str, object]) -> None:
    usual = dumps(hdr_quote(hdr, "2981.37", **fields), internal=True)
    with localcontext(Context(prec=6, rounding=ROUND_DOWN)):
        assert dumps(hdr_quote(hdr, "2981.37", **fields), internal=True) == usual
        assert total([Decimal("1234567.89"), Decimal("0.01")]) == Decimal("1234567.90")


def test_no_digest_to_guess_margins_by_reaches_the_customer(hdr: Plan, plan_of: PlanOf) -> None:
    quote = hdr_quote(hdr, discounts={"total": 5})
    sent, kept = loads(dumps(quote)), loads(dumps(quote, internal=True))
    assert (sent.terms_digest, {book.digest for book in sent.books}) == ("", {""})
    assert (kept.terms_digest, kept.books) == (quote.terms_digest, quote.books) and kept.terms_digest
    more = hdr_quote(plan_of({"nodes": 24, "ports": 1}, {"rate": "hdr"}, room={"uniform_length_mm": 10_000}))
    # The switch's price moved with the terms: against the customer's copy no cause is named, nor the request blamed.
    assert {line.part: line.reasons for line in revise(sent, more).lines}["MQM8700-HS2F"] == ()
    assert revise(kept, more).lines[0].reasons == ("terms",)
    assert revise(sent, more).reasons == ("request",)
