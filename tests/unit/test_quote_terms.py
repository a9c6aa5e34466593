"""Terms as people write them: what is taken, what is refused as doubtful, what is told to the seller."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricplan.errors import PriceError
from fabricplan.plan import Plan
from fabricplan.prices import PriceBook, PriceLine
from fabricplan.quote import Quote, customer_copy, dumps, price
from fabricplan.readers import read_prices
from fabricplan.renderers.quotes import render_quote
from fabricplan.values import Finding
from fabricplan.wording.quotes import quote_finding
from tests.conftest import PlanOf
from tests.unit.quotes import everything_in, hdr_book, hdr_quote, terms

D = Decimal


@pytest.fixture(scope="module")
def hdr(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 20, "ports": 1}, {"rate": "hdr"}, room={"uniform_length_mm": 10_000})


def told(quote: Quote, *codes: str) -> list[Finding]:
    return [item for item in quote.findings if item.code in codes]


@pytest.mark.parametrize(("written", "off"), [
    (5, 5), ("5", 5), ("5%", 5), ("5 %", 5), ("5％", 5), ("95折", 5), ("9.5折", 5), ("打9折", 10), ("八折", 20),
    ("八五折", 15), ("95% off", 95), ("60 % OFF", 60), ("下浮5%", 5), ("优惠 3.5%", "3.5"), ("0.5%", "0.5"), (50, 50),
    (100, 100), (0, 0), (Decimal("12.5"), "12.5"),
])  # fmt: skip
def test_what_a_discount_takes_off(written: object, off: object) -> None:
    wanted = D(str(off))
    assert terms(discounts={"total": written}).discounts.total == wanted
    assert terms(discounts={"groups": {"switch": written}}).discounts.groups == (("switch", wanted),)
    assert terms(discounts={"parts": {"A": written}}).discounts.parts == (("A", wanted),)


@pytest.mark.parametrize(("written", "remedy"), [
    (95, "write 95% off for the one, 5 or 95折 for the other"), ("95%", "5 or 95折"), ("88", "12 or 88折"),
    ("0.95", "write 5 (or 95折) where 95 % are paid, 0.95% where so little is off"), ("0.05", "write 95 (or 5折)"),
    ("99.9", "0.1 or 99.9折"), (0.9, "write 10 (or 90折)"),
])  # fmt: skip
@pytest.mark.parametrize(("form", "where"), [
    (lambda value: {"total": value}, "discounts.total"),
    (lambda value: {"groups": {"cable": value}}, "discounts.groups[0][1]"),
    (lambda value: {"parts": {"MFS1S00-H010V": value}}, "discounts.parts[0][1]"),
])  # fmt: skip
def test_a_doubtful_discount_is_refused_with_both_readings(written: object, remedy: str, form: Any, where: str) -> None:
    with pytest.raises(PriceError) as caught:
        terms(discounts=form(written))
    assert remedy in caught.value.problems[0].message and caught.value.where == where


@pytest.mark.parametrize("wrong", ["101", "-5", "101% off", "120折", "0折", "5 yuan"])
def test_what_is_no_discount_is_refused(wrong: str) -> None:
    with pytest.raises(PriceError):
        terms(discounts={"total": wrong})


@pytest.mark.parametrize("fields", [
    {"tax": {"percent": "0.13"}}, {"margin_percent": "0.15"}, {"markup_percent": "0.2"},
    {"support": [{"name": "s", "years": 1, "percent_of_hardware": "0.04"}]}, {"tax": {"groups": {"service": "0.06"}}},
])  # fmt: skip
def test_a_share_of_one_is_not_taken_for_a_percentage(fields: dict[str, Any]) -> None:
    with pytest.raises(PriceError, match=r"per cent\? write (13|15|20|4|6) for the one, 0\.\d+% for the other"):
        terms(**fields)
    assert terms(margin_percent="0.5%").margin_percent == D("0.5")


def test_how_discounts_were_taken_is_told(hdr: Plan) -> None:
    quote = hdr_quote(hdr, discounts={"total": "95折", "groups": {"cable": 12}, "parts": {"MQM8700-HS2F": "60% off"}})
    found = told(quote, "discount-taken")
    assert [quote_finding(item, "en") for item in found] == [
        "discount for MQM8700-HS2F: 60 % off, the customer pays 40 %",
        "discount for cable: 12 % off, the customer pays 88 %",
        "discount for total: 5 % off, the customer pays 95 %"]  # fmt: skip
    assert quote_finding(found[-1], "zh") == "折扣 total：减 5%，客户实付 95%"
    assert [line.unit_price for line in quote.lines] == [D("37240.00"), D("6032.50"), D("2491.28")]
    assert told(hdr_quote(hdr), "discount-taken") == []


@pytest.mark.parametrize(("currency", "rate", "code"), [
    ("USD", "7.1", None), ("USD", "6.3", None), ("USD", "0.14", "rate-inverted"), ("USD", "71", "rate-implausible"),
    ("USD", "0.71", "rate-implausible"), ("JPY", "0.047", None), ("JPY", "21", "rate-inverted"), ("EUR", "7.8", None),
    ("EUR", "0.128", "rate-inverted"), ("HKD", "0.91", None), ("HKD", "9.1", "rate-implausible"),
])  # fmt: skip
def test_rates_that_cannot_be_meant(hdr: Plan, currency: str, rate: str, code: str | None) -> None:
    book = hdr_book("400000").model_copy(update={"currency": currency})
    stated = {"currency": currency, "rate": rate, "source": "bank", "date": "2026-11-30"}
    found = [item for item in price(hdr, book, terms(exchange=[stated])).findings if item.code.startswith("rate-")]
    assert [item.code for item in found] == ([code] if code else [])
    for item in found:
        assert f"1 {currency} = {rate} CNY" in quote_finding(item, "en") and item.severity == "warning"
    # A rate that no line needs says nothing.
    assert told(price(hdr, hdr_book(), terms(exchange=[stated])), "rate-inverted", "rate-implausible") == []


def test_a_quote_abroad_turns_the_table_of_rates(hdr: Plan) -> None:
    stated = {"currency": "CNY", "rate": "7.1", "source": "bank", "date": "2026-11-30"}
    book = hdr_book().model_copy(update={"currency": "CNY"})
    (found,) = told(price(hdr, book, terms(currency="USD", exchange=[stated])), "rate-inverted")
    assert quote_finding(found, "en").endswith("about 0.141 is usual. Write what one CNY is worth in USD")


@pytest.mark.parametrize(("day", "code", "days"), [
    ("2026-12-01", None, 0), ("2026-11-01", None, 30), ("2026-10-31", "rate-old", 31), ("2025-12-01", "rate-old", 365),
    ("2026-12-02", "rate-of-the-future", 0),
])  # fmt: skip
def test_rates_of_another_time(hdr: Plan, day: str, code: str | None, days: int) -> None:
    book = hdr_book().model_copy(update={"currency": "USD"})
    quote = price(hdr, book, terms(exchange=[{"currency": "USD", "rate": "7.1", "source": "bank", "date": day}]))
    found = told(quote, "rate-old", "rate-of-the-future")
    assert [item.code for item in found] == ([code] if code else [])
    if code == "rate-old":
        assert quote_finding(found[0], "en") == f"exchange rate of USD: it is of {day}, {days} days before the quote " \
            "(2026-12-01)"  # fmt: skip


def test_a_margin_that_decides_nothing_is_told(hdr: Plan) -> None:
    (found,) = told(hdr_quote(hdr, margin_percent=15), "margin-unused")
    assert (found.severity, found.subject) == ("warning", "margin_percent")
    assert quote_finding(found, "en").startswith("margin_percent 15 decides no price")
    costs = PriceBook(name="b", lines=tuple(
        PriceLine(part=line.part, unit_price=line.unit_price, cost=D(1000)) for line in hdr_book().lines))  # fmt: skip
    assert told(price(hdr, costs, terms(markup_percent=15)), "margin-unused")[0].subject == "markup_percent"
    assert told(price(hdr, costs, terms(markup_percent=15, basis="cost")), "margin-unused", "margin-partly-used") == []
    mixed = costs.model_copy(
        update={"lines": (costs.lines[0].model_copy(update={"unit_price": None}), *costs.lines[1:])}
    )
    (partly,) = told(price(hdr, mixed, terms(margin_percent=15)), "margin-unused", "margin-partly-used")
    assert (partly.severity, partly.param("used"), partly.param("others")) == ("info", 1, 2)


@pytest.mark.parametrize(("tax", "codes"), [
    ({"percent": 13}, 0), ({"percent": 6}, 0), ({"percent": 17}, 1),
    ({"percent": 13, "groups": {"service": 5}}, 0),
    ({"percent": 13, "groups": {"service": 8}}, 1),
])  # fmt: skip
def test_rates_of_tax_that_china_does_not_have(hdr: Plan, tax: dict[str, Any], codes: int) -> None:
    assert len(told(hdr_quote(hdr, tax=tax), "tax-unusual")) == codes
    assert told(price(hdr, hdr_book(), terms(currency="EUR", tax={"percent": 19})), "tax-unusual") == []


@given(st.integers(1, 10**7), st.sampled_from([1, 10, 100, 1000, 5000]), st.sampled_from(["included", "added"]),
       st.sampled_from([13, 6, 9, 100]), st.booleans())  # fmt: skip
@settings(max_examples=150, derandomize=True, deadline=None)
def test_rounding_down_always_finds_an_answer(
    hdr: Plan, cents: int, step: int, mode: str, percent: int, service: bool
) -> None:
    fields: dict[str, Any] = {"tax": {"percent": percent, "mode": mode, "groups": {"service": 6}}}
    if service:
        fields["services"] = [{"name": "a", "price": str(D(cents % 99_999 + 1) / 100)}]
    cable = str(D(cents) / 100)
    before = hdr_quote(hdr, cable, **fields)
    after = hdr_quote(hdr, cable, round_down_to=step, **fields)
    assert after.total == before.total // step * step
    amounts: dict[D, int] = {}
    for line in after.lines:
        assert line.unit_price is not None and line.unit_price > 0 and line.quantity > 0
        assert line.amount == line.unit_price * line.quantity
        amounts[line.tax_percent] = amounts.get(line.tax_percent, 0) + int(line.amount * 100)
    taxes = 0
    for rate, gross in amounts.items():
        whole = int(rate) + 100
        taxes += (
            (2 * gross * int(rate) + 100) // 200 if mode == "added" else gross - (200 * gross + whole) // (2 * whole)
        )
    residue = int(after.total * 100) - sum(amounts.values()) - (taxes if mode == "added" else 0)
    assert residue in ((0, 1) if mode == "added" else (0,))
    assert int(after.tax * 100) == taxes + residue
    assert [item.param("residue") for item in told(after, "tax-residue")] == (["0.01"] if residue else [])


def test_what_no_piece_can_bear_is_borne_by_all(hdr: Plan) -> None:
    small = PriceBook(name="b", lines=tuple(
        PriceLine(part=line.part, unit_price=D("12.37")) for line in hdr_book().lines))  # fmt: skip
    quote = price(hdr, small, terms(round_down_to=500))
    assert quote.total == 500 and told(quote, "rounded-by-all-lines")[0].param("off") == "7.17"
    assert sum(line.amount for line in quote.lines if line.amount is not None) == 500


@pytest.mark.parametrize("lang", ["zh", "en", "both"])
def test_a_service_for_nothing_is_told_to_the_seller_and_is_no_line(hdr: Plan, lang: str) -> None:
    none = [{"name": "Cleaning", "per": "transceiver", "price": 900000}]
    quote = hdr_quote(hdr, services=none, round_down_to=1000)
    assert quote.total == 284000 and all(line.quantity for line in quote.lines)
    assert [item.subject for item in told(quote, "service-without-subject")] == ["Cleaning"]
    for format in ("xlsx", "html", "csv", "json", "brief"):
        for data in render_quote(quote, format, lang).values():
            assert "Cleaning" not in (everything_in(data) if data[:2] == b"PK" else data.decode("utf-8-sig"))


CSV = "型号,含税单价（元）\nMQM8700-HS2F,98000\nMCX653105A-HDAT,6350\nMFS1S00-H010V,2980\n"


@pytest.mark.parametrize("file", ["采购价_成本底价.csv", "x/cost-2026.csv", "floor.csv", "Q4 prices.csv"])
@pytest.mark.parametrize("format", ["xlsx", "html", "csv", "json", "brief"])
def test_the_name_of_a_file_is_not_shown(hdr: Plan, file: str, format: str) -> None:
    quote = price(hdr, read_prices(CSV.encode(), file), terms())
    for lang in ("zh", "en", "both"):
        for data in render_quote(quote, format, lang).values():
            text = everything_in(data) if data[:2] == b"PK" else data.decode("utf-8-sig")
            assert not any(word in text for word in ("采购", "底价", "cost-2026", "floor", "Q4 prices"))
    assert file.rpartition("/")[2].removesuffix(".csv") in dumps(quote, internal=True).decode()
    told = "book-file-tells" in {item.code for item in quote.findings}
    assert told == (file != "Q4 prices.csv")


def test_a_stated_name_is_shown_unless_it_tells(hdr: Plan) -> None:
    def shown(head: str, **fields: Any) -> tuple[str, list[str]]:
        quote = price(hdr, read_prices((head + "\n\n" + CSV).encode(), "b.csv"), terms(**fields))
        page = render_quote(quote, "html", "zh")["quote.html"].decode()
        return page[page.index("价格依据") :].split("</dd>")[0], [item.code for item in quote.findings]

    text, codes = shown("2026 年度价格表\n版本：v3,日期：2026-11-20")
    assert text.endswith("2026 年度价格表 v3 2026-11-20") and "book-name-withheld" not in codes
    text, codes = shown("内部价格表（勿外传）\n版本：v3,日期：2026-11-20")
    assert text.endswith("供方价格表 v3 2026-11-20") and "book-name-withheld" in codes
    text, codes = shown("内部价格表（勿外传）", price_basis="2026 年第四季度公开报价")
    assert text.endswith("2026 年第四季度公开报价") and "book-name-withheld" not in codes


def test_the_customers_copy_of_a_named_book(hdr: Plan) -> None:
    named = price(hdr, hdr_book(), terms())
    assert [(book.name, book.named) for book in customer_copy(named).books] == [("HDR", True)]
    hidden = price(hdr, hdr_book().model_copy(update={"named": False}), terms())
    assert [(book.name, book.named) for book in customer_copy(hidden).books] == [("", False)]
