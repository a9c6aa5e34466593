"""Titles, headings and cells as people write them in price books: what they state, and what is no name of a book."""

from __future__ import annotations

from decimal import Decimal as D
from typing import Any

import pytest

from fabricplan.errors import PriceError, Problem
from fabricplan.prices import PriceBook
from fabricplan.readers import read_prices
from tests.unit.test_prices import xlsx


def read(*rows: list[Any]) -> PriceBook:
    return read_prices(xlsx(*rows), "b.xlsx")


def refused(*rows: list[Any]) -> list[Problem]:
    with pytest.raises(PriceError) as caught:
        read(*rows)
    return list(caught.value.problems)


@pytest.mark.parametrize(("title", "price", "tax", "percent"), [
    ("单位：万元（含13%增值税）", "98000", "included", 13), ("单位：元（含13%增值税）", "9.8", "included", 13),
    ("单位:万元(未税)", "98000", "added", None), ("单位：元（含6%专票）", "9.8", "included", 6),
    ("金额单位：万元/台（含13%税）", "98000", "included", 13), ("单位：千元（不含增值税）", "9800", "added", None),
    ("币种：人民币，单位：元（含税，含运费）", "9.8", "included", None),
    ("Unit: CNY (incl. 13% VAT)", "9.8", "included", 13),
])  # fmt: skip
def test_a_unit_with_its_tax_in_brackets(title: str, price: str, tax: str, percent: int | None) -> None:
    book = read([title], ["型号", "单价"], ["MQM8700-HS2F", 9.8])
    assert book.lines[0].unit_price == D(price)
    assert (book.currency, book.tax, book.tax_percent) == ("CNY", tax, percent)
    assert not book.named and book.name == "b" and book.findings == ()


@pytest.mark.parametrize(("title", "words"), [
    ("单位：元/米（含13%增值税）", "元/米"), ("单位：元（含税，每箱）", "每箱"), ("单位：箱（含税）", "箱"),
    ("单位：元（含税/100根）", "/100"), ("单位：元（每盒）", "元(每盒)"),
])  # fmt: skip
def test_goods_beside_the_tax_are_still_refused(title: str, words: str) -> None:
    found = refused([title], ["型号", "单价"], ["MQM8700-HS2F", 9.8])
    assert {item.code for item in found} == {"price-unit"} and words in found[0].message and found[0].where == "价格!A1"


@pytest.mark.parametrize("title", [
    "不含税，税点另加13%", "未税（元）", "含税", "单位：元", "CNY 含税", "以下价格均含13%增值税",
    "All prices in CNY, excl. VAT",
    "价格不含税，单位万元",
])  # fmt: skip
def test_what_only_states_how_prices_are_meant_is_no_name(title: str) -> None:
    assert not read([title], ["型号", "单价（元）" if "元" not in title else "单价"], ["MQM8700-HS2F", 9.8]).named
    named = read(
        [title],
        ["某某公司 2026 价格表"],
        ["型号", "单价（元）" if "元" not in title else "单价"],
        ["MQM8700-HS2F", 9.8],
    )
    assert named.name == "某某公司 2026 价格表"


@pytest.mark.parametrize(
    "title", ["2026 年价格（含税）", "IB 产品含税价格表", "Network prices incl. VAT", "NVIDIA 报价"]
)
def test_what_tells_more_is_the_name(title: str) -> None:
    book = read([title], ["型号", "单价（元）"], ["MQM8700-HS2F", 9.8])
    assert book.named and book.name == title


def test_yuan_in_brackets_behind_the_tax_is_the_currency() -> None:
    book = read(["未税（元）"], ["型号", "单价", "含税价"], ["MQM8700-HS2F", 100, 113])
    assert book.currency == "CNY" and book.findings == () and book.lines[0].unit_price == 113


def test_lines_without_a_price_state_no_currency_and_are_not_held_to() -> None:
    rows = "型号,含税单价\nA-1,￥12\nA-2,\nA-3,面议\n"
    with pytest.raises(PriceError) as caught:
        read_prices(rows.encode(), "b.csv")
    assert [(item.code, item.where) for item in caught.value.problems] == [
        ("no-price", "b.csv:3"),
        ("no-price", "b.csv:4"),
    ]
    with pytest.raises(PriceError, match="1 of 2 lines state no currency"):
        read_prices((rows + "A-4,7\n").encode(), "b.csv")


@pytest.mark.parametrize(("heading", "tax", "percent"), [
    ("含13%税单价", "included", 13), ("含 6% 增值税单价", "included", 6), ("不含13%税单价（元）", "added", 13),
])  # fmt: skip
def test_a_rate_within_the_word_for_the_tax(heading: str, tax: str, percent: int) -> None:
    line = read(["币种：CNY"], ["型号", heading], ["MQM8700-HS2F", 98000]).lines[0]
    assert (line.unit_price, line.tax, line.tax_percent) == (98000, tax, percent)


@pytest.mark.parametrize(("cell", "price"), [
    ("五折", "100"), ("八五折", "170"), ("对折", "100"), ("打九折", "180"), ("5折", "100"), ("一五折", "30"),
])  # fmt: skip
def test_discounts_in_chinese_numerals(cell: str, price: str) -> None:
    line = read(["CNY 含税"], ["型号", "单价", "折扣", "折后价"], ["A-1", 200, cell, float(price)]).lines[0]
    assert line.unit_price == D(price)
    (wrong,) = refused(["CNY 含税"], ["型号", "单价", "折扣", "折后价"], ["A-1", 200, cell, 133])
    assert wrong.code == "discount-open"


@pytest.mark.parametrize("cell", ["对五折", "十折", "五成折", "百折"])
def test_numerals_that_are_no_discount(cell: str) -> None:
    found = refused(["CNY 含税"], ["型号", "单价", "折扣"], ["A-1", 200, cell])
    assert found[0].code == "price-cell" and f"'{cell}' is no discount" in found[0].message


@pytest.mark.parametrize("text", [
    "报价日期：2026-11-20   有效期：30天", "报价日期：2026年11月20日 报价人：王五",
    "日期：2026/11/20 有效期至：2026-12-31",
    "Date: 2026-11-20  Valid: 30 days", "版本：V3 报价日期：2026-11-20 有效期：30天",
])  # fmt: skip
def test_a_date_before_another_key_in_one_cell(text: str) -> None:
    book = read([text], ["价格单位：元/含税"], ["型号", "单价"], ["MQM8700-HS2F", 98000])
    assert str(book.date) == "2026-11-20" and not book.named and book.version in (None, "V3")


def test_headings_with_a_stroke_and_headings_that_are_not_known() -> None:
    book = read(
        ["价格含13%增值税，单位:元"], ["序号", "品名", "型号/料号", "最终客户价", "代理价"], [1, "x", "A-1", 100, 80]
    )
    assert (book.lines[0].part, book.lines[0].unit_price, book.lines[0].cost) == ("A-1", 100, 80)
    (found,) = refused(["2026 价格"], ["序号", "宝贝", "到手价", "货期"], [1, "A-1", 100, "8周"])
    assert found.code == "no-headings" and found.where == "价格!A2"
    assert "not known: '序号', '宝贝', '到手价'" in found.message and "货期" not in found.message
