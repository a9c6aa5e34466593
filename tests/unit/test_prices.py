"""Price books: what is read right, what is refused, and that all problems come at once."""

from __future__ import annotations

import datetime
import io
from decimal import Decimal
from typing import Any

import openpyxl
import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import PriceError
from fabricplan.prices import PriceBook, PriceLine, PriceList, cost_only, unknown_parts
from fabricplan.readers import read_prices
from fabricplan.readers.cells import CellError, read_amount, read_count, read_date

CSV = """公司价格表,,,,
版本：v3,日期：2026/11/20,含税,,
,,,,
库存,含税单价（元）,备注,型号,原厂料号
20,"¥12,000",主力,MQM9700-NS2F,920-9B210-00FN-0M0
,"１，２３４．５０",,MCX653105A-HDAT,
交换机以上,,,,
合计,13234.5,,,
"""


def xlsx(*rows: list[Any], title: str = "价格") -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title
    for row in rows:
        sheet.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def problems(data: bytes, name: str) -> list[tuple[str, str]]:
    with pytest.raises(PriceError) as caught:
        read_prices(data, name)
    return [(item.code, item.where) for item in caught.value.problems]


@pytest.mark.parametrize(("cell", "amount", "currency"), [
    ("1,234.50", "1234.50", None), ("¥12,000", "12000", "CNY"), ("￥ 98,000.00 元", "98000.00", "CNY"),
    ("USD 1,200", "1200", "USD"), ("US$1200.5", "1200.5", "USD"), ("$99", "99", "USD"), ("HK$7", "7", "HKD"),
    ("１２，０００", "12000", None), ("１２．５", "12.5", None), ("6350元/块", "6350", "CNY"), (6350, "6350", None),
    (0.1 + 0.2, "0.3", None), (2979.9999999999995, "2980", None), ("1'234.50", "1234.50", None),
    ("人民币 5,000", "5000", "CNY"), ("-5", "-5", None), (Decimal("1.005"), "1.005", None),
])  # fmt: skip
def test_amounts_are_read(cell: Any, amount: str, currency: str | None) -> None:
    assert read_amount(cell) == (Decimal(amount), currency)


@pytest.mark.parametrize("cell", [
    "1.234,50", "1,5", "12,34,567", "1,2345", "1.2万", "15k", "(1,200)", "abc", "#REF!", "12O0", "1..2", "1 2",
    True, float("nan"), float("inf"), datetime.date(2026, 1, 1), "5%", "¥$5", "12-13", "1e5",
])  # fmt: skip
def test_amounts_that_cannot_be_read_are_refused(cell: Any) -> None:
    with pytest.raises(CellError):
        read_amount(cell)


@pytest.mark.parametrize("cell", [None, "", "  ", "-", "待询价", "TBD", "n/a", "面议"])
def test_words_for_no_price(cell: Any) -> None:
    assert read_amount(cell) == (None, None)


def test_counts_and_dates() -> None:
    assert (read_count("20 台"), read_count(3.0), read_count("")) == (20, 3, None)
    with pytest.raises(CellError):
        read_count("2.5")
    assert read_date("20261231") == datetime.date(2026, 12, 31)
    for text in ("31/12/2026", "2026-02-30", "soon"):
        with pytest.raises(CellError):
            read_date(text)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_csv_with_title_block_in_any_order_and_encoding(encoding: str) -> None:
    book = read_prices(CSV.encode(encoding), "prices.csv")
    assert (book.name, book.version, book.date, book.tax) == (
        "公司价格表",
        "v3",
        datetime.date(2026, 11, 20),
        "included",
    )
    switch, adapter = book.lines
    assert (switch.part, switch.opn, switch.unit_price, switch.stock) == (
        "MQM9700-NS2F", "920-9B210-00FN-0M0", Decimal(12000), 20)  # fmt: skip
    assert (switch.currency, switch.tax, switch.note, switch.where) == ("CNY", "included", "主力", "prices.csv:5")
    assert (adapter.part, adapter.unit_price) == ("MCX653105A-HDAT", Decimal("1234.50"))


def test_semicolons_and_english_headings() -> None:
    text = "Part No.;List price (USD);Lead time;MOQ;Valid until\nQM-1;1,200.00;8 weeks;10;2026-12-31\n"
    (line,) = read_prices(text.encode(), "b.csv").lines
    assert (line.list_price, line.currency, line.lead_time, line.minimum, line.valid_until) == (
        Decimal("1200.00"), "USD", "8 weeks", 10, datetime.date(2026, 12, 31))  # fmt: skip


def test_bilingual_headings_and_both_tax_columns() -> None:
    data = xlsx(["Price list"], ["型号 Part number", "未税单价", "含税单价", "成本 Cost"], ["AB-1", 100, 113, 80])
    (line,) = read_prices(data, "b.xlsx").lines
    assert (line.unit_price, line.tax, line.cost) == (Decimal(113), "included", Decimal(80))


def test_every_problem_of_a_workbook_at_once_by_cell() -> None:
    data = xlsx(
        ["型号", "单价", "起订量", "有效期"],
        ["A-1", 100, None, None],
        ["a 1", 120, None, None],
        ["B-2", -5, None, None],
        ["C-3", None, None, None],
        ["D-4", "1.234,50", None, None],
        ["E-5", 10, 2.5, None],
        ["F-6", 10, None, "31/12/2026"],
        [None, 77, None, None],
        ["G-7", 0, None, None],
    )
    assert sorted(problems(data, "b.xlsx")) == [
        ("duplicate-part", "价格!A3"), ("negative-price", "价格!A4"), ("no-part", "价格!A9"), ("no-price", "价格!A5"),
        ("price-cell", "价格!B6"), ("price-cell", "价格!C7"), ("price-cell", "价格!D8"), ("zero-price", "价格!A10"),
    ]  # fmt: skip


def test_formula_without_stored_value_is_refused() -> None:
    assert problems(xlsx(["型号", "单价"], ["A-1", "=1+1"]), "b.xlsx")[0] == ("no-stored-value", "价格!B2")


@pytest.mark.parametrize(("data", "name", "code"), [
    (b"a,b\n1,2\n", "b.csv", "no-headings"), (b"", "b.csv", "no-headings"), (b"PK", "b.xlsx", "not-a-workbook"),
    (b"x", "b.xls", "price-book-suffix"), (b"x", "b.pdf", "price-book-suffix"), (b"\xff\x00\xff", "b.csv", "not-text"),
    ("型号,单价,单价\nA1,1,2\n".encode(), "b.csv", "double-column"), ("型号,单价\n".encode(), "b.csv", "empty-book"),
    ("型号,单价,币种\nA1,1,XXX\n".encode(), "b.csv", "price-cell"), (b"- 1", "b.yaml", "price-book-form"),
    ("型号,单价（元）,币种\nA1,1,USD\n".encode(), "b.csv", "price-cell"),
])  # fmt: skip
def test_unusable_files(data: bytes, name: str, code: str) -> None:
    assert problems(data, name)[0][0] == code


def test_yaml_book_keeps_figures_exact_and_names_lines() -> None:
    text = "name: B\nversion: 3\ndate: 2026-11-20\ncurrency: USD\n"
    text += "lines:\n- {part: A1, unit_price: 1234567890.10}\nprices: {B2: 5}\n"
    book = read_prices(text.encode(), "b.yaml")
    assert [(line.part, line.unit_price) for line in book.lines] == [
        ("A1", Decimal("1234567890.10")), ("B2", Decimal(5))]  # fmt: skip
    wrong = "lines:\n- {part: A1, unit_price: -1}\n- {part: a1, price: 2}\n- {unit_price: x}\ncolour: red\n"
    assert problems(wrong.encode(), "b.yaml") == [
        ("price-field", "b.yaml:5"), ("price-cell", "b.yaml:3"), ("price-cell", "b.yaml:4"), ("price-cell", "b.yaml:4"),
        ("negative-price", "b.yaml:2"),
    ]  # fmt: skip


def line(part: str, amount: int, opn: str | None = None) -> PriceLine:
    return PriceLine(part=part, opn=opn, unit_price=Decimal(amount))


def test_precedence_first_book_wins_under_any_name() -> None:
    special = PriceBook(name="special", lines=(line("920-9B210-00FN-0M0", 1),))
    general = PriceBook(name="general", lines=(line("MQM9700-NS2F", 2), line("X", 3)))
    found = PriceList([special, general]).find("mqm9700 ns2f", "920-9B210-00FN-0M0", "qm9700")
    assert found is not None and (found.book, found.line.unit_price) == (0, Decimal(1))
    found = PriceList([general, special]).find("MQM9700-NS2F", "920-9B210-00FN-0M0")
    assert found is not None and found.line.unit_price == 2
    assert PriceList([general]).find("nothing", None, "") is None


def test_lengths_do_not_run_together() -> None:
    prices = PriceList([PriceBook(name="b", lines=(line("cord@1.5m", 1), line("cord@15m", 2)))])
    found = prices.find("cord@15m")
    assert found is not None and found.line.unit_price == 2


def test_unknown_parts_with_the_near_miss(catalog: Catalog) -> None:
    book = PriceBook(name="b", lines=(line("MQM9700-NS2F", 1), line("MQM9700-NS2G", 2), line("SERVER-X", 3)))
    near, other = unknown_parts(book.lines, catalog)
    assert near.message == "the catalogue has no part 'MQM9700-NS2G'"
    assert near.hint.startswith("did you mean MQM9700-NS2")
    assert "SERVER-X" in other.message


@pytest.mark.parametrize(("above", "heading", "cell", "amount", "currency"), [
    ("", "单价（万元）", "9.8", "98000", "CNY"), ("", "含税单价（千元）", "98", "98000", "CNY"),
    ("", "单价万元", "1.005", "10050", "CNY"), ("", "Unit price (kUSD)", "9.8", "9800", "USD"),
    ("", "Unit price (USD thousand)", "9.8", "9800", "USD"), ("", "Unit price (k$)", "9.8", "9800", "USD"),
    ("", "Unit price (thousand RMB)", "9.8", "9800", "CNY"), ("", "单价（百万元）", "0.1", "100000", "CNY"),
    ("", "Unit price (MUSD)", "0.1", "100000", "USD"), ("", "价格（万美元）", "2", "20000", "USD"),
    ("价格表（单位：万元）", "单价", "9.8", "98000", None), ("单位：千元", "单价", "98", "98000", None),
    ("Prices in thousands", "Unit price", "98", "98000", None), ("满 10 万元包邮", "单价", "98", "98", None),
    ("Unit: kUSD", "Unit price", "9.8", "9800", None), ("", "Price per m (USD)", "9.8", None, None),
    ("", "单价（元）", "98", "98", "CNY"), ("价格表（单位：元）", "单价", "98", "98", None),
])  # fmt: skip
def test_units_of_thousands_are_scaled_exactly(
    above: str, heading: str, cell: str, amount: str | None, currency: str | None
) -> None:
    data = f"{above}\n型号,{heading}\nA-1,{cell}\n".encode()
    if amount is None:
        assert problems(data, "b.csv") == [("price-unit", "b.csv:2")]
        return
    (line,) = read_prices(data, "b.csv").lines
    assert (line.unit_price, line.currency) == (Decimal(amount), currency)


@pytest.mark.parametrize(("data", "where"), [
    ("型号,单价（万元）\nA-1,12000元\n", "b.csv:2"), ("单位：万元\n型号,单价（元）\nA-1,9\n", "b.csv:2"),
    ("型号,单价,币种\nA-1,9,万元\n", "b.csv:2"), ("型号,单价\nA-1,9\n单位：万元,\n", "b.csv:3"),
    ("单位：万元\n单位：千元\n型号,单价\nA-1,9\n", "b.csv:2"), ("型号,单价\nA-1,9\n以上价格以美元计价,\n", "b.csv:3"),
])  # fmt: skip
def test_a_unit_that_is_not_sure_is_refused(data: str, where: str) -> None:
    assert [place for _, place in problems(data.encode(), "b.csv")] == [where]


def test_a_unit_on_a_cover_sheet_counts_for_the_sheets_behind_it() -> None:
    book = openpyxl.Workbook()
    book.active.append(["单位：万元"])
    book.create_sheet("价格").append(["型号", "单价"])
    book["价格"].append(["A-1", 9.8])
    target = io.BytesIO()
    book.save(target)
    assert read_prices(target.getvalue(), "b.xlsx").lines[0].unit_price == 98000
    assert problems("name: 价格表（万元）\nprices: {A-1: 9}\n".encode(), "b.yaml") == [("price-field", "b.yaml:1")]


@pytest.mark.parametrize(("above", "version", "date", "currency", "tax"), [
    ('"版本：V3，日期：2026-11-20，币种：美元"', "V3", "2026-11-20", "USD", None),
    ("版本：V3 日期：2026-11-20 币种：美元", "V3", "2026-11-20", "USD", None),
    ("版本：V3　2026年11月20日", "V3", "2026-11-20", None, None), ("价格表（美元）", None, None, "USD", None),
    ('"Price book, all prices in USD, excl. tax"', None, None, "USD", "added"),
    ("Version V3 Date 2026-11-20 Currency USD", "V3", "2026-11-20", "USD", None),
    ("版本,V3,日期,2026-11-20,币种,人民币", "V3", "2026-11-20", "CNY", None),
    ("价格表\n说明：本表以欧元报价", None, None, "EUR", None), ("电子元器件价格表", None, None, None, None),
    ("币种：人民币\n汇率：1 USD = 7.1 CNY", None, None, "CNY", None),
])  # fmt: skip
def test_the_title_block(above: str, version: str | None, date: str | None, currency: str | None,
                         tax: str | None) -> None:  # fmt: skip
    book = read_prices(f"{above}\n型号,单价\nA-1,9\n".encode(), "b.csv")
    assert (book.version, str(book.date) if book.date else None, book.currency, book.tax) == (
        version, date, currency, tax)  # fmt: skip


def test_the_name_stands_before_the_keys() -> None:
    assert read_prices("价格表 版本：V3\n型号,单价\nA-1,9\n".encode(), "b.csv").title == "价格表 V3"


def test_currencies_that_differ_are_refused_and_sheets_keep_their_own() -> None:
    assert problems("价格表（美元）\n币种：人民币\n型号,单价\nA,9\n".encode(), "b.csv") == [
        ("price-book-title", "b.csv:1")
    ]
    assert problems("name: 价格表（美元）\nprices: {A-1: 9}\n".encode(), "b.yaml") == [("price-field", "b.yaml:1")]
    book = openpyxl.Workbook()
    for sheet, code in ((book.active, "人民币"), (book.create_sheet("2"), "美元")):
        for row in ([f"币种：{code}"], ["型号", "单价"], [f"A-{sheet.title}", 9]):
            sheet.append(row)
    target = io.BytesIO()
    book.save(target)
    found = read_prices(target.getvalue(), "b.xlsx")
    assert [line.currency or found.currency for line in found.lines] == ["CNY", "USD"]


def test_bare_numbers_of_time_need_a_unit() -> None:
    bare = xlsx(["型号", "单价", "货期", "质保"], ["A-1", 9, 20, "3"])
    assert problems(bare, "b.xlsx") == [("price-cell", "价格!C2"), ("price-cell", "价格!D2")]
    (line,) = read_prices(xlsx(["型号", "单价", "货期（周）", "质保（年）"], ["A-1", 9, 20, "3"]), "b.xlsx").lines
    assert (line.lead_time, line.warranty) == ("20 周", "3 年")
    assert problems(b"lines:\n- part: A\n  unit_price: 9\n  lead_time: 20\n", "b.yaml") == [("price-cell", "b.yaml:4")]


def test_a_note_is_the_sellers_unless_its_heading_names_the_customer() -> None:
    text = "型号,单价,备注,客户备注\nA-1,9,成本 5 折,含导轨\n"
    (line,) = read_prices(text.encode(), "b.csv").lines
    assert (line.note, line.customer_note) == ("成本 5 折", "含导轨")
    (line,) = read_prices(b"Part,Price,Remark,Customer note\nA-1,9,cost 5,rails\n", "b.csv").lines
    assert (line.note, line.customer_note) == ("cost 5", "rails")


def test_a_cost_alone_lets_the_next_book_decide() -> None:
    cost = PriceBook(name="cost", lines=(PriceLine(part="A", cost=Decimal(5)), PriceLine(part="B", cost=Decimal(6))))
    sale = PriceBook(name="sale", lines=(PriceLine(part="A", unit_price=Decimal(9)),))
    prices = PriceList([cost, sale], lambda line: line.unit_price is not None)
    found, other = prices.find("A"), prices.find("B")
    assert found and other and (found.book, found.line.unit_price, other.book) == (1, 9, 0)
    assert [line.part for line in cost_only((*cost.lines, *sale.lines))] == ["A", "B"]


@pytest.mark.parametrize(("rows", "title", "where"), [
    ([["型号", "单价"], ["A-0", 8], [None, "（万元）"], ["A-1", 9]], "价格", ["价格!B3"]),
    ([["型号", "单价"], ["A-0", 8], [None, "USD"], ["A-1", 9]], "价格", ["价格!B3"]),
    ([["型号", "单价"], ["A-1", 9], ["以上单价均为万元"]], "价格", ["价格!A3"]),
    ([["型号", "单价"], ["A-1", 9]], "价格（万元）", ["价格（万元）!A1"]),
    ([["型号", "单价"], ["A-1", 9]], "USD", ["USD!A1"]),
])  # fmt: skip
def test_units_in_odd_places_are_refused(rows: list[list[Any]], title: str, where: list[str]) -> None:
    assert [place for _, place in problems(xlsx(*rows, title=title), "b.xlsx")] == where


def test_units_in_odd_places_that_are_stated_are_fine() -> None:
    for rows, title in (
        ([["型号", "单价（万元）"], ["A-1", 9], ["网卡"], ["元器件"], ["单价含安装"]], "价格（万元）"),
        ([["币种：USD"], ["型号", "单价"], ["A-1", 9], ["以上价格均为 USD"]], "USD"),
    ):
        assert len(read_prices(xlsx(*rows, title=title), "b.xlsx").lines) == 1
