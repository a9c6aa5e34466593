"""Price books as people really send them: every one is read to the figures written here by hand, or refused by cell.

A table is tried as CSV and as a workbook; a code with a place (``B2``) means that it is refused there.
"""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal
from typing import Any

import openpyxl
import pytest

from fabricplan.errors import PriceError
from fabricplan.prices import PriceBook
from fabricplan.readers import read_prices

Grid = list[list[Any]]
P = "MQM9700-NS2F"
STATED: Grid = [["币种：CNY，含税"], ["型号", "单价"], [P, 98]]


def as_csv(grid: Grid, encoding: str = "utf-8-sig", delimiter: str = ",") -> bytes:
    held = io.StringIO()
    csv.writer(held, delimiter=delimiter).writerows([["" if cell is None else cell for cell in row] for row in grid])
    return held.getvalue().encode(encoding)


def as_xlsx(grid: Grid, title: str = "S") -> bytes:
    book = openpyxl.Workbook()
    book.active.title = title
    for row in grid:
        book.active.append(row)
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


def reads(data: bytes, name: str) -> PriceBook | list[tuple[str, str]]:
    try:
        return read_prices(data, name)
    except PriceError as caught:
        assert all(item.hint or item.code in ("duplicate-part", "no-price") for item in caught.problems), (
            caught.problems
        )
        return [(item.code, item.where) for item in caught.problems]


def prices(book: PriceBook) -> dict[str, str]:
    """Return part -> price, currency and tax, in one string."""
    found = {}
    for line in book.lines:
        amount = next(value for value in (line.unit_price, line.list_price, line.cost) if value is not None)
        words = [f"{amount.normalize():f}", line.currency or book.currency, line.tax or book.tax]
        rate = book.tax_percent if line.tax_percent is None else line.tax_percent
        found[line.part] = " ".join(str(word) for word in [*words, rate] if word is not None)
    return found


def expect(grid: Grid, wanted: dict[str, str] | tuple[str, str]) -> None:
    """Hold a table, in both formats, to what it must be read to."""
    for data, name in ((as_csv(grid), "p.csv"), (as_xlsx(grid), "p.xlsx")):
        found = reads(data, name)
        if isinstance(wanted, dict):
            assert isinstance(found, PriceBook), found
            assert prices(found) == wanted
        else:
            assert not isinstance(found, PriceBook), prices(found)
            code, cell = wanted
            row = int(re.sub(r"\D", "", cell))
            assert (code, f"S!{cell}" if name == "p.xlsx" else f"p.csv:{row}") in found, found


@pytest.mark.parametrize(("unit", "wanted"), [
    *((unit, {P: "98 CNY"}) for unit in ("个", "只", "台", "条", "根", "块", "支", "件", "pcs", "PCS", "PC", "ea", "EA",
    "Each", "each.",
                                         "piece", "unit", "套", "set", "1 pcs", "元/台", "RMB/pcs", "CNY", "元", "",
                                         None, "-", "个/只")),
    ("万元", {P: "980000 CNY"}), ("千元", {P: "98000 CNY"}), ("万元/台", {P: "980000 CNY"}), ("kRMB", {P: "98000 CNY"}),
    ("美元", {P: "98 USD"}), ("USD/pcs", {P: "98 USD"}),
    *((unit, ("price-cell", "B4")) for unit in ("箱", "盒", "包", "米", "m", "M", "百米", "千米", "km", "box", "BOX",
    "Pack", "pk", "pair",
                                                "对", "双", "10pcs", "100 PCS", "pack of 10", "箱(10根)", "BOX/10",
                                                "reel", "卷", "百只",
                                                "每百只", "100", "dozen", "打", "metre", "元/米", "元/百米", "ft",
                                                "lot", "批", "年", "year",
                                                "端口", "port", "xyz", "组", "副")),
])  # fmt: skip
@pytest.mark.parametrize("heading", ["单位", "UOM", "计价单位", "Unit"])
def test_a_column_of_units_is_heeded(unit: Any, wanted: Any, heading: str) -> None:
    expect([["币种：CNY"], [], ["型号", heading, "单价"], [P, unit, 98]], wanted)


@pytest.mark.parametrize(("heading", "wanted"), [
    *((heading, {P: "12.5"}) for heading in (
        "单价/台", "单价（台）", "Price per piece", "Price/pc", "Price per unit", "Unit price (each)", "Price (ea)",
        "每台单价", "单价/Unit price",
        "Unit price / 单价", "Price each", "List price per unit", "每个价格", "Price/Unit", "单价 Price", "价格/Price",
        "Price (per switch)")),
    *((heading, {P: "12.5 CNY"}) for heading in ("单价（元/台）", "单价(元)/个", "Unit price (RMB/pcs)", "价格(元/根)",
    "单价/元", "单价（人民币元）",
                                                 "Price CNY/ea", "单价(¥)")),
    *((heading, ("price-unit", "B1")) for heading in (
        "Price per 100", "Price per 100 pcs", "Price/100", "Price per 10", "Price (per 100 pieces)", "单价/百只",
        "每百只价格", "单价（元/百根）",
        "Price per box", "Price/box", "Box price", "箱价", "每箱单价", "单价（元/箱）", "单价/盒", "单价（包）",
        "10-pack price", "Price (10-pack)",
        "Price per pair", "单价（元/对）", "每对价格", "Price per metre", "Price/m", "Price per m (USD)",
        "单价（元/米）", "单价(米)", "米价",
        "单价（元/百米）", "Price per km", "USD/m price", "Price per dozen", "单价/打", "Pack price", "Carton price",
        "Price per pack of 10",
        "List price per 1000", "成本/箱", "Cost per box", "Price per port", "每端口价格", "单价（元/年）",
        "Price per year", "Price per thousand",
        "Price (USD/100pcs)", "单价(10支装)", "单价/10个", "Price per lane", "Price per GPU", "Price per meter",
        "Price (box)", "单价/公里",
        "Unit price (per 10)", "每10根单价")),
])  # fmt: skip
def test_a_heading_says_what_the_price_is_for(heading: str, wanted: Any) -> None:
    expect([["型号", heading], [P, 12.5]], wanted)


@pytest.mark.parametrize(("above", "below", "wanted"), [
    ("单位：元/米", "", ("price-unit", "A1")), ("All prices per 100 pcs", "", ("price-unit", "A1")), ("单位：箱", "",
    ("price-unit", "A1")),
    ("", "以上价格均为每箱价格", ("price-unit", "A4")), ("", "Prices are per metre", ("price-unit", "A4")), ("单位：台",
    "", {P: "98"}),
    ("价格表 2026/Q1", "", {P: "98"}), ("每箱 10 根", "", {P: "98"}), ("单位：元", "", {P: "98 CNY"}), ("单位：元/台",
    "", {P: "98 CNY"}),
    ("单位：k美元", "", {P: "98000 USD"}), ("单位：thousand AUD", "", {P: "98000 AUD"}), ("单位：千澳元", "",
    {P: "98000 AUD"}),
    ("价格按每根计", "", {P: "98"}), ("Price list 2026/12/01", "", {P: "98"}), ("Prices in USD per piece", "",
    {P: "98 USD"}),
    ("全场95折", "", ("discount-open", "A1")), ("All prices 45% off list", "", ("discount-open", "A1")),
    ("", "以上价格可再优惠5%", ("discount-open", "A4")), ("", "Surcharge 3% applies to all prices", ("discount-open",
    "A4")),
    ("All prices in BRL", "", ("unknown-currency", "A1")), ("币种：卢布", "", ("price-book-title", "A1")),
    ("Please try again", "", {P: "98"}), ("币种：澳元", "", {P: "98 AUD"}), ("价格以韩元计", "", {P: "98 KRW"}),
])  # fmt: skip
def test_titles_and_remarks_on_what_prices_mean(above: str, below: str, wanted: Any) -> None:
    expect([[above], ["型号", "单价"], [P, 98], [below]], wanted)


@pytest.mark.parametrize(("grid", "wanted"), [
    ([["型号", "列表价", "折扣"], [P, 1000, "95折"]], {P: "950"}),
    ([["型号", "列表价", "折扣"], [P, 1000, "9.5折"]], {P: "950"}),
    ([["型号", "列表价", "折扣"], [P, 1000, "9折"]], {P: "900"}),
    ([["型号", "列表价", "折扣率"], [P, 1000, "5%"]], ("discount-open", "C2")),
    ([["型号", "列表价", "折扣率"], [P, 1000, "95%"]], ("discount-open", "C2")),
    ([["型号", "列表价", "折扣"], [P, 1000, 0.95]], ("discount-open", "C2")),
    ([["型号", "列表价", "折扣"], [P, 1000, 0.05]], ("discount-open", "C2")),
    ([["型号", "列表价", "折扣"], [P, 1000, 95]], ("discount-open", "C2")),
    ([["型号", "列表价", "折扣"], [P, 1000, None]], {P: "1000"}),
    ([["型号", "列表价", "折扣"], [P, 1000, "无"]], {P: "1000"}),
    ([["Model", "List price", "Discount %"], [P, 1000, "40%"]], {P: "600"}),
    ([["Model", "List price", "Discount %"], [P, 1000, 40]], {P: "600"}),
    ([["Model", "List price", "Discount %"], [P, 1000, 0.4]], ("discount-open", "C2")),
    ([["Model", "List price", "Disc."], [P, 1000, "40% off"]], {P: "600"}),
    ([["Model", "List price", "% off"], [P, 1000, "12.5%"]], {P: "875"}),
    ([["Model", "List price", "Discount"], [P, 1000, "-40%"]], {P: "600"}),
    ([["Model", "List price", "Discount"], [P, 1000, "yes"]], ("price-cell", "C2")),
    ([["Model", "List price", "Discount"], [P, 1000, "120%"]], ("price-cell", "C2")),
    ([["型号", "列表价", "下浮率"], [P, 1000, "5%"]], {P: "950"}),
    ([["型号", "单价", "折扣"], [P, 1000, "95折"]], ("discount-open", "C2")),
    ([["Model", "Unit price", "Discount"], [P, 1000, "5%"]], ("discount-open", "C2")),
    ([["型号", "列表价", "折扣", "折后价"], [P, 1000, "95折", 950]], {P: "950"}),
    ([["型号", "列表价", "折扣", "折后价"], [P, 1000, "95折", 900]], ("discount-open", "C2")),
    ([["型号", "列表价", "折扣率", "折后价"], [P, 1000, "95%", 950]], {P: "950"}),
    ([["型号", "列表价", "折扣率", "折后价"], [P, 1000, "5%", 950]], {P: "950"}),
    ([["型号", "列表价", "折扣", "折后价"], [P, 1000, 0.95, 950]], {P: "950"}),
    ([["型号", "列表价", "折扣", "折后价"], [P, 1000, 0.9, 950]], ("discount-open", "C2")),
    ([["型号", "单价", "折扣", "折后单价"], [P, 1000, "95折", 950]], {P: "950"}),
    ([["型号", "单价", "折后价"], [P, 1000, 950]], {P: "950"}),
    ([["型号", "单价", "折后价"], [P, 1000, None]], ("price-cell", "C2")),
    ([["Model", "Net price", "Unit price"], [P, 950, 1000]], {P: "950"}),
    ([["型号", "单价", "优惠"], [P, 1000, 50]], ("unread-column", "C1")),
    ([["型号", "单价", "加价系数"], [P, 1000, 1.1]], ("unread-column", "C1")),
    ([["Model", "Price", "Multiplier"], [P, 1000, 1.1]], ("unread-column", "C1")),
    ([["Model", "Price", "Q3 promo pricing"], [P, 1000, 900]], ("unread-column", "C1")),
    ([["型号", "单价", "价格有效性说明"], [P, 1000, "ok"]], {P: "1000"}),
    ([["型号", "单价", "代理价"], [P, 1000, 900]], {P: "1000"}),
])  # fmt: skip
def test_discounts_are_applied_or_refused(grid: Grid, wanted: Any) -> None:
    expect(grid, wanted)


@pytest.mark.parametrize(("grid", "wanted"), [
    ([["型号", "单价"], [P, 113], ["以上价格含税"]], {P: "113 included"}),
    ([["型号", "单价"], [P, 113], ["以上价格含13%增值税"]], {P: "113 included 13"}),
    ([["型号", "单价"], [P, 113], ["备注：", "以上价格不含税"]], {P: "113 added"}),
    ([["Model", "Price"], [P, 113], ["Note: prices exclude 13% VAT"]], {P: "113 added 13"}),
    ([["Model", "Price"], [P, 113], ["All prices are net of 9% GST"]], {P: "113 added 9"}),
    ([["含税价格表"], ["型号", "单价"], [P, 113], ["以上价格不含税"]], ("tax-open", "A4")),
    ([["型号", "未税单价"], [P, 113], ["以上价格含税"]], ("tax-open", "A3")),
    ([["含税价格表"], ["型号", "未税单价"], [P, 113]], ("tax-open", "B2")),
    ([["型号", "单价"], ["A1", 1], ["以下价格含税"], [P, 113]], ("tax-open", "A3")),
    ([["型号", "单价"], [P, 113], ["以上价格不含税，含税另加13%"]], {P: "113 added 13"}),
    ([["型号", "单价", "是否含税"], [P, 113, "是"], ["A1", 9, "否"]], {P: "113 included", "A1": "9 added"}),
    ([["Model", "Price", "Tax included"], [P, 113, "Yes"], ["A1", 9, "No"]], {P: "113 included", "A1": "9 added"}),
    ([["Model", "Price", "VAT incl. (Y/N)"], [P, 113, "Y"]], {P: "113 included"}),
    ([["型号", "单价", "含税/未税"], [P, 113, "含税"], ["A1", 9, "未税"]], {P: "113 included", "A1": "9 added"}),
    ([["型号", "单价", "是否含税"], [P, 113, "是"], ["A1", 9, None]], ("tax-open", "A3")),
    ([["型号", "单价", "是否含税"], [P, 113, "大概"]], ("price-cell", "C2")),
    ([["型号", "含税单价", "是否含税"], [P, 113, "否"]], ("price-cell", "B2")),
    ([["型号", "单价", "税率"], [P, 113, "13%"], ["A1", 9, "6%"]], {P: "113 13", "A1": "9 6"}),
    ([["型号", "含税单价", "税率"], [P, 113, 13], ["A1", 9, 0.06]], {P: "113 included 13", "A1": "9 included 6"}),
    ([["型号", "含税单价(6%)"], [P, 106]], {P: "106 included 6"}),
    ([["Model", "Price (incl. 9% GST)"], [P, 109]], {P: "109 included 9"}),
    ([["型号", "单价", "备注"], [P, 113, "含税"], ["A1", 9, "未税"]], {P: "113 included", "A1": "9 added"}),
    ([["型号", "单价", "备注"], [P, 113, "含6%增值税"]], {P: "113 included 6"}),
    ([["型号", "含税单价", "备注"], [P, 113, "不含税"]], ("tax-open", "C2")),
    ([["型号", "单价", "备注"], [P, 113, "含税"], ["A1", 9, None]], ("tax-open", "A3")),
    ([["型号", "未税单价", "含税单价"], [P, 100, 113]], {P: "113 included 13"}),
    ([["型号", "未税单价", "含税单价"], [P, None, 113], ["A1", 100, None]], {P: "113 included", "A1": "100 added"}),
    ([["型号", "未税单价", "含税单价"], [P, 100, 120.5]], ("tax-open", "B2")),
    ([["型号", "含税单价", "未税单价"], [P, 100, 113]], ("tax-open", "C2")),
    ([["型号", "未税单价", "税率", "含税单价"], [P, 100, "6%", 113]], ("tax-open", "B2")),
    ([["型号", "未税单价", "税率", "含税单价"], [P, 88.5, "13%", 100.01]], {P: "100.01 included 13"}),
    ([["型号", "未税价", "含税价"], [P, 100, 106]], {P: "106 included 6"}),
    ([["型号", "单价", "税率", "含税单价"], [P, 100, "13%", 113]], {P: "113 included 13"}),
    ([["型号", "单价", "含税单价"], [P, 100, 100]], ("tax-open", "B2")),
    ([["型号", "单价", "含税单价"], [P, 100, None]], ("tax-open", "B2")),
    ([["币种：人民币 单位：元 税率：13%"], ["型号", "未税单价", "含税单价"], [P, 100, 113]],
    {P: "113 CNY included 13"}),
    ([["型号", "单价", "价格更新时间"], [P, 100, "2026-11-01"]], {P: "100"}),
    ([["型号", "未税", "含税"], [P, 100, 106]], {P: "106 included 6"}),
    ([["型号", "单价（含税/不含税）"], [P, 100]], ("tax-open", "B1")),
    ([["型号", "含税价"], [P, 100]], {P: "100 included"}),
    ([["含税（13%）"], ["型号", "单价"], [P, 100]], {P: "100 included 13"}),
    ([["含税13%，服务含税6%"], ["型号", "单价"], [P, 100]], ("price-book-title", "A1")),
])  # fmt: skip
def test_what_is_said_of_tax(grid: Grid, wanted: Any) -> None:
    expect(grid, wanted)


@pytest.mark.parametrize(("grid", "wanted"), [
    ([["型号", "价格", None, "备注"], [None, "未税", "含税", None], [P, 100, 113, "x"]], {P: "113 included 13"}),
    ([[None, None, "价格", None], ["型号", "名称", "未税", "含税"], [P, "交换机", 100, 113]], {P: "113 included 13"}),
    ([["型号", "单价"], [None, "（万元）"], [P, 9.8]], {P: "98000 CNY"}),
    ([["Part number", "Price"], [None, "USD"], [P, 98]], {P: "98 USD"}),
    ([["Part number", "USD", None], [None, "List price", "Unit price"], [P, 98, 90]], {P: "90 USD"}),
    ([["型号", "含税", None], [None, "单价", "成本"], [P, 98, 90]], {P: "98 included"}),
    ([["型号", "单价"], [P, 98], ["型号", "单价"], ["A1", 5]], {P: "98", "A1": "5"}),
    ([["型号", "单价"], [P, 98], [], ["单价", "型号"], [5, "A1"]], {P: "98", "A1": "5"}),
    ([["一、交换机"], ["型号", "单价（元）"], [P, 98], ["二、线缆"], ["型号", "单价（美元）"], ["A1", 5]], {P: "98 CNY",
    "A1": "5 USD"}),
    ([["交换机"], ["型号", "单价"], [P, 98], [], ["线缆（单位：美元）"], ["型号", "单价"], ["A1", 5]],
    ("price-book-title", "A2")),
    ([["交换机（币种：CNY）"], ["型号", "单价"], [P, 98], [], ["线缆（币种：USD）"], ["型号", "单价"], ["A1", 5]],
     {P: "98 CNY", "A1": "5 USD"}),
    ([["型号", "单价"], [P, 98], ["以上为含税价"], [], ["未税价如下"], ["型号", "单价"], ["A1", 5]], {P: "98 included",
    "A1": "5 added"}),
    ([["型号", "单价"], [P, 98], [], ["型号", "折后价", "列表价"], ["A1", 5, 7]], {P: "98", "A1": "5"}),
    ([["型号", "单价", None, "型号", "单价"], [P, 98, None, "A1", 5]], ("double-column", "E1")),
    ([["型号", "单价(人民币)", "单价(美元)"], [P, 98, 14]], ("double-column", "C1")),
    ([["型号", "1-9", "10-49", "50+"], [P, 98, 90, 80]], ("price-tiers", "B1")),
    ([["型号", "单价", "10台以上"], [P, 98, 90]], ("price-tiers", "C1")),
    ([["Model", "Price 1-9", "Price 10+"], [P, 98, 90]], ("price-tiers", "B1")),
    ([["型号", "数量", "价格"], [P, 10, 980]], ("price-unit", "B2")),
    ([["型号", "数量", "单价"], [P, 10, 98]], {P: "98"}),
    ([["型号", "数量", "单价", "金额"], [P, 10, 98, 980]], {P: "98"}),
    ([["型号", "数量", "单价", "金额"], [P, 10, 980, 980]], ("price-unit", "D2")),
    ([["型号", "单价", "包装数量"], [P, 980, 10]], ("price-unit", "C2")),
    ([["型号", "单价", "包装数量", "单位"], [P, 98, 10, "根"]], {P: "98"}),
    ([["型号", "单价"], [P, 98], ["合计", 98]], {P: "98"}),
    ([["型号", "单价"], [P, 98], [None, "小计", 98], ["总计：", 98]], {P: "98"}),
    ([["型号", "单价"], [P, 98], ["Sub-total", 98], ["Grand total", 98]], {P: "98"}),
])  # fmt: skip
def test_odd_tables(grid: Grid, wanted: Any) -> None:
    expect(grid, wanted)


@pytest.mark.parametrize(("cell", "wanted"), [
    ("１２，０００", "12000"), ("￥12,000.00 ", "12000 CNY"), ("12 000", "12000"), ("\u00a012,000", "12000"),
    ("US$ 1,234.5", "1234.5 USD"),
    ("12000元", "12000 CNY"), ("12,000/台", "12000"), ("A$100", "100 AUD"), ("100 韩元", "100 KRW"), ("澳元 100",
    "100 AUD"),
    ("12000.", None), ("1.2E4", None), ("1.2e+04", None), ("(1,200)", None), ("-1200", None), ("1.234,50", None),
    ("1234,5", None),
    ("12.000", None), ("98.500", None), ("1.2万", None), ("12k", None), ("约12000", None), ("12000起", None),
    ("12000-13000", None),
    ("12000*", None), ("9折", None), ("95%", None), ("12元/米", None), ("100/箱", None), ("$5 per m", None), ("R$100",
    None), ("₽100", None),
    ("100/100pcs", None), ("#N/A", None), ("12,00", None), ("1,23,456", None), ("壹万", None), ("free", None), ("0",
    None), ("12O00", None),
    ("12,000 (含税)", None), ("98000/95000", None), ("=1+1", None), ("NT$100", "100 TWD"), ("12 345,67", None),
    ("1'234", "1234"),
])  # fmt: skip
def test_amounts_as_text(cell: str, wanted: str | None) -> None:
    found = reads(as_csv([["型号", "单价"], [P, cell]]), "p.csv")
    if wanted is None:
        assert not isinstance(found, PriceBook), prices(found)
        assert [where for _, where in found] == ["p.csv:2"]
    else:
        assert isinstance(found, PriceBook), found
        assert prices(found) == {P: wanted}


@pytest.mark.parametrize(("heading", "wanted"), [
    *((heading, {P: "98000 USD"}) for heading in ("Price ($000)", "Price (USD '000)", "USD 000 price",
    "Price USD (000's)", "Price (K$)",
                                                  "Price in kUSD", "Unit price (USD, thousands)", "Price (USD k)")),
    *((heading, {P: "98000"}) for heading in ("Price (k)", "Price (000)", "Price x1000", "Price ('000)", "单价（千）",
    "Price (in thousands)")),
    *((heading, {P: "980000 CNY"}) for heading in ("单价（万元）", "单价(人民币万元)", "单价（万元人民币）",
    "单价 万元",
                                                   "单价\n（万元）")),
    ("含税单价（万元,含13%增值税）", {P: "980000 CNY included 13"}), ("单价（分）", {P: "0.98"}), ("Price (cents)",
    {P: "0.98"}), ("单价(1000元)", {P: "98000 CNY"}),
    *((heading, ("heading-open", "B1")) for heading in ("Price (list)", "单价（折前）", "单价（租赁）",
    "Price (monthly)", "Price (old)", "单价（估）",
                                                        "Price (used)", "单价（列表价）", "Price (see note 3)",
                                                        "单价（旧版）")),
    *((heading, {P: "98"}) for heading in ("单价（必填）", "Price (Unit price)", "Unit price (单价)", "单价（2026年）",
    "Price (EXW)", "单价*",
                                           "单价：", "UNIT PRICE", "ｕｎｉｔ　ｐｒｉｃｅ")),
    *((heading, ("unknown-currency", "B1")) for heading in ("Price (BRL)", "单价（卢布）", "Price (₽)", "Price (RM)",
    "单价（纽元）", "Price (NZ$)")),
    ("Price (USD/RMB)", ("currency-open", "B1")), ("单价（人民币/美元）", ("currency-open", "B1")), ("Price (JPY ¥)",
    {P: "98 JPY"}),
    ("单价（澳元）", {P: "98 AUD"}), ("单价(新台币)", {P: "98 TWD"}), ("Price (A$)", {P: "98 AUD"}), ("单价（港币）",
    {P: "98 HKD"}),
    ("单价（韩元）", {P: "98 KRW"}), ("Price (HK$)", {P: "98 HKD"}),
])  # fmt: skip
def test_units_of_money_in_headings(heading: str, wanted: Any) -> None:
    expect([["型号", heading], [P, 98]], wanted)


@pytest.mark.parametrize(("grid", "wanted"), [
    ([["交换机", "单位：万元"], ["型号", "单价"], [P, 9.8], [], ["线缆", "单位：元"], ["型号", "单价"], ["A1", 5]],
     {P: "98000 CNY", "A1": "5 CNY"}),
    ([["单位：万元"], ["型号", "单价"], [P, 9.8], [], ["币种：USD"], ["型号", "单价"], ["A1", 5]], ("price-unit",
    "A6")),
    ([["型号", "单价（美元）", "折合人民币"], [P, 98, 700]], ("unread-column", "C1")),
    ([["型号", "单价（美元）", "汇率"], [P, 98, 7.1]], ("unread-column", "C1")),
    ([["型号", "总价"], [P, 980]], ("no-headings", "A1")), ([["Model", "Annual price"], [P, 980]], ("no-headings",
    "A1")),
    ([["型号", "原单价", "现单价"], [P, 98, 90]], ("no-headings", "A1")),
    ([["型号", "上月单价", "单价"], [P, 98, 90]], ("unread-column", "B1")),
    ([["型号", "2026-11 单价", "单价"], [P, 98, 90]], ("unread-column", "B1")),
    ([["型号", "数量（箱）", "单价"], [P, 10, 98]], ("price-unit", "B1")),
    ([["型号", "描述", "单价"], [P, "price per 10", 98]], ("price-unit", "B2")),
    ([["型号", "单价", "备注"], [P, 98, "每箱价格"]], ("price-unit", "C2")),
    ([["型号", "单价", "备注"], [P, 98, "按箱计价"]], ("price-unit", "C2")),
    ([["Model", "Price", "Notes"], [P, 98, "sold per 100m reel"]], ("price-unit", "C2")),
    ([["型号", "单价", "备注"], [P, 98, "/箱"]], ("price-unit", "C2")),
    ([["型号", "单价", "备注"], [P, 9.8, "万元"]], ("price-unit", "C2")),
    ([["型号", "单价", "备注"], [P, 9.8, "USD"]], ("price-unit", "C2")),
    ([["型号", "单价", "备注"], [P, 9.8, "美元价格"]], ("price-unit", "C2")),
    ([["币种：USD"], ["型号", "单价", "备注"], [P, 9.8, "美元价格"]], {P: "9.8 USD"}),
    ([["型号", None, "单价"], [P, "$", 98]], ("price-unit", "B2")),
    ([["型号", "长度单位", "单价"], [P, "m", 98]], ("unread-column", "B1")),
    ([["型号", "线缆长度", "单价"], [P, "3m", 98], ["A1", "10 米", 5]], {P: "98", "A1": "5"}),
    ([["型号", "尺寸", "单价"], [P, "m", 98]], {P: "98"}),
    ([["型号", "列表价（含税）", "单价（未税）"], [P, 113, 100]], ("price-cell", "C2")),
    ([["Model", "List price (USD)", "Net price (RMB)"], [P, 98, 700]], ("price-cell", "C2")),
    ([["NVIDIA列表价"], ["型号", "价格"], [P, 98]], ("price-kind", "A2")),
    ([["GPL 2026"], ["Model", "Price"], [P, 98]], ("price-kind", "A2")),
    ([["GPL 2026"], ["Model", "List price"], [P, 98]], {P: "98"}),
    ([["内部成本价格表"], ["型号", "价格"], [P, 98]], ("price-kind", "A2")),
    ([["采购价目录"], ["型号", "单价"], [P, 98]], ("price-kind", "A2")),
    ([["采购价与销售价"], ["型号", "成本", "单价"], [P, 98, 120]], {P: "120"}),
    ([["租赁价格表"], ["型号", "价格"], [P, 98]], ("price-kind", "A2")),
    ([["Monthly subscription price list"], ["Model", "Price"], [P, 98]], ("price-kind", "A2")),
    ([["五折清仓"], ["型号", "单价"], [P, 98]], ("discount-open", "A1")),
    ([["Prices before 10% rebate"], ["Model", "Price"], [P, 98]], ("discount-open", "A1")),
    ([["Prices in RMB 10k"], ["Model", "Price"], [P, 9.8]], {P: "98000 CNY"}),
    ([["Unit: ten thousand yuan"], ["Model", "Price"], [P, 9.8]], ("price-unit", "A1")),
    ([["Model", "Price (10,000 RMB)"], [P, 9.8]], {P: "98000 CNY"}),
    ([["Model", "Price (RMB 10,000)"], [P, 9.8]], {P: "98000 CNY"}),
    ([["Model", "Price (RMB10K)"], [P, 9.8]], {P: "98000 CNY"}), ([["Model", "Price (M RMB)"], [P, 0.098]],
    {P: "98000 CNY"}),
    ([["Product", "Part Number", "Price"], ["Quantum-2", P, 98], ["Quantum-2", "A1", 5]], {P: "98", "A1": "5"}),
    ([["型号", "单价"], [P, 98], ["", 103]], ("no-part", "A3")),
    ([["型号", "单价"], [P, 98], ["价税合计", 110.74]], {P: "98"}),
    ([["型号", "单价（元）"], [P, 98], ["第2页"], ["型号", "单价（元）"], ["A1", 5]], {P: "98 CNY", "A1": "5 CNY"}),
    ([["型号", "单价", "列表价"], [None, "元", "千元"], [P, 98, 0.2]], {P: "98 CNY"}),
    ([["序号", "型号", "单价"], [1, P, 98], [2, "A1", 5]], {P: "98", "A1": "5"}),
])  # fmt: skip
def test_more_that_people_write(grid: Grid, wanted: Any) -> None:
    expect(grid, wanted)


@pytest.mark.parametrize(("above", "wanted"), [
    (["是否含税", "是"], "98 included"), (["是否含税", "否"], "98 added"), (["是否含税：否"], "98 added"),
    (["含税：是"], "98 included"),
    (["含税：否"], "98 added"), (["Tax included: No"], "98 added"), (["Tax included:", "No"], "98 added"),
    (["Tax included:", "Yes"], "98 included"), (["VAT", "13% included"], "98 included 13"), (["税率", "13%"], "98 13"),
    (["VAT", "excluded"], "98 added"), (["Prices are subject to VAT"], "98 added"), (["13% VAT will be added"],
    "98 added 13"),
    (["税费另计"], "98 added"), (["以下价格不开票"], "98 added"), (["价格含13个点专票"], "98 included 13"),
    (["含税13点"], "98 included 13"),
    (["是否含税以合同为准"], "98"), (["价格3个月有效"], "98"), (["价格每月更新"], "98"), (["报价10个工作日内有效"],
    "98"),
])  # fmt: skip
def test_tax_above_the_table(above: list[str], wanted: str) -> None:
    expect([above, ["型号", "单价"], [P, 98]], {P: wanted})


@pytest.mark.parametrize(("heading", "wanted"), [
    ("Price w/ VAT", "98 included"), ("Price w/o VAT", "98 added"), ("Pre-tax price", "98 added"), ("Price before tax",
    "98 added"),
    ("After-tax price", "98 included"), ("Tax-inclusive price", "98 included"), ("Ex-VAT price", "98 added"),
    ("税前单价", "98 added"),
    ("Price (VAT excluded)", "98 added"), ("Price excl. 9% GST", "98 added 9"), ("不含税单价", "98 added"),
])  # fmt: skip
def test_tax_in_headings(heading: str, wanted: str) -> None:
    expect([["型号", heading], [P, 98]], {P: wanted})


@pytest.mark.parametrize("remark", ["10根/箱", "MPO cable, 10-pack", "box of 10", "可打95折", "10支装"])
def test_remarks_on_packs_and_discounts_are_told(remark: str) -> None:
    book = reads(as_csv([["型号", "单价（元）", "备注"], [P, 98, remark], ["A1", 5, "现货"]]), "p.csv")
    assert isinstance(book, PriceBook) and prices(book) == {P: "98 CNY", "A1": "5 CNY"}
    assert codes(book)["book-remarks"] == {"count": 1, "first": "p.csv:2"}


@pytest.mark.parametrize("word", ["TBD", "询价", "—", "面议", "待定", "N/A", ""])
def test_words_for_no_price_leave_the_part_without_one(word: str) -> None:
    expect([["型号", "单价"], [P, word], ["A1", 5]], ("no-price", "A2"))


def sheet(book: Any = None, title: str = "S", rows: Grid = STATED, state: str = "visible") -> Any:
    """Return a sheet of a workbook, filled."""
    held = book or openpyxl.Workbook()
    made = held.create_sheet(title)
    for row in rows:
        made.append(row)
    made.sheet_state = state
    return made


def saved(made: Any) -> bytes:
    book = made.parent
    if "Sheet" in book.sheetnames:
        del book["Sheet"]
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


def codes(book: PriceBook) -> dict[str, dict[str, Any]]:
    return {item.code: {param.name: param.value for param in item.params} for item in book.findings}


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_hidden_sheets_are_passed_over_and_told(state: str) -> None:
    made = sheet(rows=STATED)
    sheet(made.parent, "旧价", [["型号", "单价"], ["OLD", 1]], state)
    book = reads(saved(made), "p.xlsx")
    assert isinstance(book, PriceBook) and prices(book) == {P: "98 CNY included"}
    assert codes(book) == {"book-hidden-sheet": {"sheet": "旧价"}}
    assert reads(saved(sheet(rows=STATED, state="visible")), "p.xlsx").findings == ()  # type: ignore[union-attr]


def test_a_book_of_hidden_sheets_only_has_no_headings() -> None:
    made = sheet(rows=[["see the other sheet"]])
    sheet(made.parent, "P", STATED, "hidden")
    assert reads(saved(made), "p.xlsx") == [("no-headings", "p.xlsx")]


def test_hidden_rows_and_columns_are_read_and_told() -> None:
    made = sheet(rows=[*STATED, ["A1", 5]])
    made.row_dimensions[4].hidden = True
    made.column_dimensions["B"].hidden = True
    made.row_dimensions[9].hidden = True
    book = reads(saved(made), "p.xlsx")
    assert isinstance(book, PriceBook) and prices(book) == {P: "98 CNY included", "A1": "5 CNY included"}
    assert codes(book) == {"book-hidden-rows": {"sheet": "S", "count": 1, "first": 4},
                           "book-hidden-columns": {"sheet": "S", "columns": "B"}}  # fmt: skip


@pytest.mark.parametrize(("shown", "stated", "wanted"), [
    ('"$"#,##0.00_);("$"#,##0.00)', "", "currency-open"), ('"$"#,##0_);[Red]("$"#,##0)', "", "currency-open"),
    ('_("$"* #,##0.00_)_("$"* \\(#,##0.00\\)_("$"* "-"??_)_(@_)', "", "currency-open"),
    ('"$"#,##0.00_);("$"#,##0.00)', "币种：CNY", f"{P} 98 CNY"), ("0%", "", "price-cell"), ("0.00%", "", "price-cell"),
    ('0.00"元/米"', "", "price-cell"), ('0.00"/箱"', "", "price-cell"), ('0.00"元/台"', "", f"{P} 98 CNY"),
    ('[$A$-C09]#,##0', "", f"{P} 98 AUD"), ("General", "", f"{P} 98"), ("0.00E+00", "", f"{P} 98"), ('"₩"#,##0', "",
    f"{P} 98 KRW"),
    ('0"折"', "", "price-cell"), (";;;", "", "price-cell"), ('"询价"', "", "price-cell"), ('0"00"', "", "price-cell"),
    ('¥#,##0', "", f"{P} 98 CNY"), ('#,##0.00\\ "USD"', "", f"{P} 98 USD"),
])  # fmt: skip
def test_number_formats(shown: str, stated: str, wanted: str) -> None:
    made = sheet(rows=[[stated], ["型号", "单价"], [P, 98]])
    made["B3"].number_format = shown
    found = reads(saved(made), "p.xlsx")
    if isinstance(found, PriceBook):
        assert [f"{part} {words}" for part, words in prices(found).items()] == [wanted]
    else:
        assert found == [(wanted, "S!B3")]


def test_discounts_and_rates_shown_as_percent() -> None:
    made = sheet(rows=[["Model", "List price", "Discount", "VAT rate"], [P, 1000, 0.4, 0.13]])
    made["C2"].number_format, made["D2"].number_format = "0%", "0.0%"
    book = reads(saved(made), "p.xlsx")
    assert isinstance(book, PriceBook) and prices(book) == {P: "600 13"}
    assert book.lines[0].list_price == 1000


def test_a_price_that_is_struck_through_is_refused() -> None:
    made = sheet(rows=STATED)
    made["B3"].font = openpyxl.styles.Font(strike=True)
    assert reads(saved(made), "p.xlsx") == [("price-cell", "S!B3"), ("no-price", "S!A3")][:1]


def test_a_line_that_is_struck_through_is_refused() -> None:
    made = sheet(rows=[*STATED, ["OLD", 1]])
    made["A4"].font = openpyxl.styles.Font(strike=True)
    assert reads(saved(made), "p.xlsx") == [("price-cell", "S!A4")]


def test_a_merged_unit_holds_for_all_its_rows() -> None:
    made = sheet(rows=[["型号", "单位", "单价"], [P, "箱", 98], ["A1", None, 5], ["A2", None, 6]])
    made.merge_cells("B2:B4")
    found = reads(saved(made), "p.xlsx")
    assert not isinstance(found, PriceBook)
    assert [item for item in found if item[0] == "price-cell"] == [("price-cell", f"S!B{row}") for row in (2, 3, 4)]
    made = sheet(rows=[["型号", "币种", "单价"], [P, "USD", 98], ["A1", None, 5]])
    made.merge_cells("B2:B3")
    book = reads(saved(made), "p.xlsx")
    assert isinstance(book, PriceBook) and prices(book) == {P: "98 USD", "A1": "5 USD"}
    made = sheet(rows=[["型号", "单价"], [P, 98], ["A1", None]])
    made.merge_cells("B2:B3")
    assert reads(saved(made), "p.xlsx") == [("no-price", "S!A3")]


def test_a_merged_group_above_two_headings() -> None:
    made = sheet(rows=[["型号", "价格（美元）", None, "货期"], [None, "列表价", "折后价", None], [P, 100, 90, "8周"]])
    made.merge_cells("A1:A2")
    made.merge_cells("B1:C1")
    made.merge_cells("D1:D2")
    book = reads(saved(made), "p.xlsx")
    assert isinstance(book, PriceBook) and prices(book) == {P: "90 USD"}
    assert (book.lines[0].list_price, book.lines[0].lead_time) == (100, "8周")


@pytest.mark.parametrize(("terms", "wanted"), [
    ("All prices in USD, excl. tax", "98 USD added"), ("单位：万元", "980000 CNY"), ("以上价格含税", "98 included"),
    ("所有价格为列表价的8折", "discount-open"), ("Payment in 30 days", "98"), ("开户行 USD 账户 6222", "98"),
])  # fmt: skip
@pytest.mark.parametrize("first", [True, False])
def test_a_sheet_of_terms_counts_wherever_it_stands(terms: str, wanted: str, first: bool) -> None:
    made = sheet(rows=[[terms]], title="T") if first else sheet(rows=[["型号", "单价"], [P, 98]])
    sheet(made.parent, "T" if not first else "S", [[terms]] if not first else [["型号", "单价"], [P, 98]])
    found = reads(saved(made), "p.xlsx")
    if isinstance(found, PriceBook):
        assert prices(found) == {P: wanted}
    else:
        assert found[0] == (wanted, "T!A1")


def test_a_sheet_of_terms_that_contradicts_the_prices_is_refused() -> None:
    made = sheet(rows=[["含税价格表"], ["型号", "单价"], [P, 98]])
    sheet(made.parent, "T", [["所有价格均不含税"]])
    assert ("tax-open", "S!A2") in reads(saved(made), "p.xlsx")  # type: ignore[operator]


@pytest.mark.parametrize(("name", "wanted"), [
    ("含税价格", {P: "98 included"}), ("未税", {P: "98 added"}), ("prices excl VAT", {P: "98 added"}), ("USD",
    ("price-unit", "S!A1")),
    ("价格", {P: "98"}),
])  # fmt: skip
def test_names_of_sheets_and_files_state_the_tax(name: str, wanted: Any) -> None:
    grid: Grid = [["型号", "单价"], [P, 98]]
    found = reads(as_xlsx(grid, name), "p.xlsx")
    in_file = [reads(as_csv(grid), f"{name}.csv"), reads(as_xlsx(grid), f"folder/{name}.xlsx")]
    for held in (found, *in_file):
        if isinstance(wanted, dict):
            assert isinstance(held, PriceBook) and prices(held) == wanted
        else:
            assert not isinstance(held, PriceBook) and [code for code, _ in held] == [wanted[0]]
    contrary: Grid = [["未税价格表" if "含税" in name else "含税价格表"], *grid]
    if isinstance(wanted, dict) and name != "价格":
        assert [code for code, _ in reads(as_xlsx(contrary, name), "p.xlsx")] == ["tax-open"]  # type: ignore[union-attr]


@pytest.mark.parametrize("rows", [
    [["型号", "单价"], [P, "$98"], ["A1", 5]], [["型号", "单价", "币种"], [P, 98, "USD"], ["A1", 5, None]],
    [["型号", "单价", "单位"], [P, 98, "USD"], ["A1", 5, "台"]],
])  # fmt: skip
def test_a_currency_for_some_lines_only_is_refused(rows: Grid) -> None:
    expect(rows, ("currency-open", "A3"))
    expect([["币种：USD"], *rows], {P: "98 USD", "A1": "5 USD"})


@pytest.mark.parametrize(("encoding", "delimiter"), [
    ("utf-8", ","), ("utf-8-sig", ";"), ("gbk", ","), ("gb18030", "\t"), ("utf-16", "\t"), ("utf-8", "\t"), ("utf-16",
    ";"),
])  # fmt: skip
def test_encodings_and_separators(encoding: str, delimiter: str) -> None:
    grid: Grid = [["价格表；含税，币种：CNY"], ["型号", "单价", "备注"], [P, "1,200.00", "a, b; c"], ["A1", "12", ""]]
    book = reads(as_csv(grid, encoding, delimiter), "p.csv")
    assert isinstance(book, PriceBook), book
    assert prices(book) == {P: "1200 CNY included", "A1": "12 CNY included"}


@pytest.mark.parametrize(("text", "wanted"), [
    ("sep=;\nModel;Price\nA;1,200\n", {"A": "1200"}), ("Model,Price\nA,1,200\n", "csv-width"),
    ("Model,Price,Stock\nA,98,000\n", "csv-width"),
    ("Model,Price,Stock\nA,98,000,5\n", "csv-width"), ("Model;Price;Stock\nA;1.200,00;5\n", "price-cell"),
    ("Model;Price\nA;1.200\n", "price-cell"), ("Model,Price\nA,1.200\n", "price-cell"), ("Model,Price\nA,0.125\n",
    {"A": "0.125"}),
    ("Model,Price\nA,1234.500\n", {"A": "1234.5"}), ("Model,Price,Stock\nA,98,120\n", {"A": "98"}),
    ('Model,Price\nA,"1,200"\n\n"Note, all prices, in USD",\n', "price-unit"), ("Model\tPrice (USD)\nA\t1,200\n",
    {"A": "1200 USD"}),
    ("Price list; spring; 2026\nModel,Price\nA,5\n", {"A": "5"}), ('Model,Price\nA,"1\n200"\n', None),
    ("Model,Price\nA,=100*2\n", "price-cell"), ("M\0o\0d\0e\0l\0", "not-text"), ("Model,Price\nA,5\na ,6\n",
    "duplicate-part"),
    ("Model,OPN,Price\nA,X1,5\nB,x1,6\n", "duplicate-part"), ("Model,OPN,Price\nA,-,5\nB,-,6\nC,N/A,7\nD,n/a,8\n",
                                                              {"A": "5", "B": "6", "C": "7", "D": "8"}),
    ("Model,OPN,Price\n-,X1,5\n", {"X1": "5"}), ("Model,OPN,Price\n-,N/A,5\n", "no-part"), ("OPN;Price\nX1;5\n",
    {"X1": "5"}),
    ("model,price\n mqm9700-ns2f ,5\n", {"mqm9700-ns2f": "5"}), ("型号,单价\nＡ１,５\n", {"A1": "5"}),
])  # fmt: skip
def test_text_files(text: str, wanted: Any) -> None:
    found = reads(text.encode(), "p.csv")
    if isinstance(wanted, dict):
        assert isinstance(found, PriceBook), found
        assert prices(found) == wanted
    else:
        assert not isinstance(found, PriceBook), prices(found)
        assert wanted is None or wanted in [code for code, _ in found]


def test_a_book_that_says_neither_currency_nor_tax_is_told() -> None:
    for data, name in ((as_csv([["型号", "单价"], [P, 98]]), "p.csv"), (b"prices: {A: 5}\n", "p.yaml")):
        book = reads(data, name)
        assert isinstance(book, PriceBook)
        assert list(codes(book)) == ["book-no-currency", "book-no-tax"]
    assert codes(reads(as_csv([["型号", "单价(元)", "单位"], [P, 98, "套"]]), "p.csv"))["book-set-unit"] == {  # type: ignore[arg-type]
        "count": 1, "first": "p.csv:2"}  # fmt: skip


@pytest.mark.parametrize("values", [[98000, 6350], [1, 10**9]])
def test_decimals_stay_exact(values: list[int]) -> None:
    book = reads(as_xlsx([["型号", "单价"], *([f"P{value}", value + 0.1] for value in values)]), "p.xlsx")
    assert isinstance(book, PriceBook)
    assert [line.unit_price for line in book.lines] == [Decimal(value) + Decimal("0.1") for value in values]
