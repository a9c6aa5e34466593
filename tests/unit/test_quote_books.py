"""What a quote makes of what a book says beside its prices: tax without a rate, cells that tell too much, stock."""

from __future__ import annotations

from decimal import Decimal as D
from typing import Any

import pytest

from fabricplan.errors import PriceError
from fabricplan.plan import Plan
from fabricplan.quote import Quote, customer_copy, dumps, price
from fabricplan.quote.document import telling
from fabricplan.readers import read_prices
from fabricplan.renderers.quotes import render_quote
from fabricplan.wording.quotes import quote_finding
from tests.conftest import PlanOf
from tests.unit.quotes import terms

LINES = "MQM8700-HS2F,98000\nMCX653105A-HDAT,6350\nMFS1S00-H010V,2980\n"
USD = {"currency": "USD", "exchange": [{"currency": "CNY", "rate": "0.14", "source": "b", "date": "2026-11-30"}]}


@pytest.fixture(scope="module")
def hdr(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 20, "ports": 1}, {"rate": "hdr"}, room={"uniform_length_mm": 10_000})


def quoted(plan: Plan, head: str, **fields: Any) -> Quote:
    return price(plan, read_prices(f"{head}\n\n型号,单价（元）\n{LINES}".encode(), "b.csv"), terms(**fields))


def told(quote: Quote, code: str) -> list[str]:
    return [quote_finding(item, "zh") for item in quote.findings if item.code == code]


def test_tax_of_an_unknown_rate_never_stays_in_a_quote_without_tax(hdr: Plan) -> None:
    for fields in (USD, {"tax": {"percent": 0}}, {"tax": {"groups": {"switch": 0}}}):
        with pytest.raises(PriceError) as caught:
            quoted(hdr, "价格含税", **fields)
        assert {item.code for item in caught.value.problems} == {"tax-rate-open"}
        assert caught.value.problems[0].where == "b.csv:4" and "tax in the terms" in caught.value.problems[0].hint
    # The ways out that the message names: the tax in the terms; a book that says so holds none.
    gross = quoted(hdr, "价格含税", **{**USD, "tax": {"percent": 13}})
    assert gross.total == D("284600") * D("0.14") and gross.tax > 0
    assert quoted(hdr, "价格不含税", **USD).total == D("284600") * D("0.14")
    with pytest.raises(PriceError, match="holds 13 % tax"):
        quoted(hdr, "价格含13%增值税", **USD)


@pytest.mark.parametrize(("head", "fields", "count"), [
    ("价格含税", {}, 0), ("价格含税", {"tax": {"percent": 6}}, 1), ("价格含6%增值税", {"tax": {"percent": 6}}, 0),
    ("价格不含税", {"tax": {"percent": 6}}, 0), ("2026 价格表", {"tax": {"percent": 6}}, 0),
    ("价格含税", {"tax": {"mode": "added"}}, 0), ("价格含税", {"tax": {"groups": {"cable": 9}}}, 1),
])  # fmt: skip
def test_a_rate_of_tax_that_is_assumed_is_told(hdr: Plan, head: str, fields: dict[str, Any], count: int) -> None:
    found = told(quoted(hdr, head, **fields), "tax-rate-assumed")
    assert len(found) == count
    for text in found:
        percent = fields["tax"].get("percent") or fields["tax"]["groups"]["cable"]
        assert f"按报价税率 {percent}% 计" in text


@pytest.mark.parametrize(("name", "tells"), [
    ("某某公司渠道价格表 V2", True), ("代理商价格表（2级代理）", True), ("XX分销目录", True), ("经销商报价", True),
    ("给王总的特价单 V3", True), ("Distributor price list Q4", True), ("Channel_prices", True), ("Partner list", True),
    ("Special prices", True), ("Reseller list", True), ("Costa Rica list", False), ("Fibre Channel prices", False),
    ("Especially for you", False), ("2026 年度价格表", False), ("Network price list Q4", False),
])  # fmt: skip
def test_names_that_tell_the_tier_of_the_trade(name: str, tells: bool) -> None:
    assert telling(name) == tells


def test_cells_that_speak_of_the_sellers_figures_do_not_reach_the_customer(hdr: Plan) -> None:
    rows = [("MQM8700-HS2F", 98000, "8周（成本价锁定）", "NVIDIA（毛利8%）", "1年(进价含)"),
            ("MCX653105A-HDAT", 6350, "6周，底价锁定", "Mellanox", "3年（原厂）"),
            ("MFS1S00-H010V", 2980, "按采购周期", "内部品牌", "margin 8 %")]  # fmt: skip
    table = "\n".join(",".join(map(str, row)) for row in rows)
    book = read_prices(f"型号,含税单价（元）,货期,品牌,质保\n{table}\n".encode(), "b.csv")
    quote = price(hdr, book, terms())
    by_part = {line.pn: line for line in quote.lines}
    switch, adapter, cable = (by_part[row[0]] if row[0] in by_part else quote.lines[-1] for row in rows)
    assert (switch.brand, switch.lead_time.zh, switch.warranty.zh) == ("NVIDIA", "8 周", "1 年")  # type: ignore[union-attr]
    assert (adapter.lead_time.zh, adapter.warranty.zh) == ("6 周", "3年（原厂）")  # type: ignore[union-attr]
    assert (cable.lead_time, cable.warranty) == (None, None)
    assert len(told(quote, "book-text-withheld")) == 7
    assert (
        told(quote, "book-text-withheld")[0]
        == "MQM8700-HS2F：“NVIDIA（毛利8%）”（b.csv:2）涉及内部信息，客户看到的是“NVIDIA”"
    )
    shown = dumps(customer_copy(quote)).decode() + render_quote(quote, "html", "zh")["quote.html"].decode()
    assert not any(word in shown for word in ("成本", "毛利", "进价", "底价", "采购", "内部", "margin 8"))


@pytest.mark.parametrize(("stock", "count"), [(0, 1), (10, 1), (19, 1), (20, 0), (50, 0)])
def test_a_stock_that_does_not_suffice_is_told(hdr: Plan, stock: int, count: int) -> None:
    book = read_prices(f"型号,含税单价（元）,库存\nMQM8700-HS2F,98000,\nMCX653105A-HDAT,6350,{stock}\n"
                       "MFS1S00-H010V,2980,20\n".encode(), "b.csv")  # fmt: skip
    found = told(price(hdr, book, terms()), "stock-short")
    assert found == [f"MCX653105A-HDAT：需要 20，库存 {stock}"] * count
