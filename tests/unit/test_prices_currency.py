"""Currencies and taxes of price books: what is stated decides, and what contradicts it is refused."""

from __future__ import annotations

import io

import openpyxl
import pytest

from fabricplan.errors import PriceError
from fabricplan.prices import PriceBook
from fabricplan.readers import read_prices
from fabricplan.readers.cells import CellError, read_amount
from fabricplan.readers.taxes import tax_of


def table(heading: str, cell: str, above: str = "") -> PriceBook:
    return read_prices(f'{above}\nModel,"{heading}"\nA1,"{cell}"\n'.encode(), "p.csv")


def refused(data: bytes, name: str) -> list[str]:
    with pytest.raises(PriceError) as caught:
        read_prices(data, name)
    return [item.code for item in caught.value.problems]


@pytest.mark.parametrize(("above", "heading", "cell", "currency"), [
    ("", "Price (HKD)", "$1,000", "HKD"), ("", "Price (JPY)", "¥1,000", "JPY"), ("", "Price (JPY)", "￥1,000", "JPY"),
    ("Currency: SGD", "Price", "$1,000", "SGD"), ("Currency: HKD", "Price ($)", "100", "HKD"),
    ("Currency: JPY", "Price (¥)", "¥100", "JPY"), ("Currency: HKD", "Price (US$)", "100", "USD"),
    ("", "Price", "$1,000", "USD"), ("", "Price", "¥1,000", "CNY"),
])  # fmt: skip
def test_a_stated_currency_decides_a_symbol(above: str, heading: str, cell: str, currency: str) -> None:
    assert table(heading, cell, above).lines[0].currency == currency


@pytest.mark.parametrize(("above", "heading", "cell"), [
    ("", "Price (HKD)", "¥1,000"), ("", "Price (JPY)", "$1,000"), ("Currency: CNY", "Price", "US$1,000"),
    ("", "Price (HKD)", "US$1,000"),
])  # fmt: skip
def test_another_currency_is_refused_by_cell(above: str, heading: str, cell: str) -> None:
    assert refused(f'{above}\nModel,"{heading}"\nA1,"{cell}"\n'.encode(), "p.csv") == ["price-cell"]


def test_a_currency_column_after_the_price_decides_the_symbol() -> None:
    assert read_prices(b"Model,Price,Currency\nA1,$100,HKD\n", "p.csv").lines[0].currency == "HKD"
    book = read_prices(b"Currency: HKD\nModel,Price,Currency\nA1,$100,$\n", "p.csv")
    assert book.lines[0].currency == "HKD"
    assert refused("Model,Price,Currency\nA1,¥100,HKD\n".encode(), "p.csv") == ["price-cell"]


@pytest.mark.parametrize("cell", ["$1000€", "€1000$", "¥$5", "$100元"])
def test_two_currencies_in_a_cell_are_refused(cell: str) -> None:
    with pytest.raises(CellError, match="two currencies"):
        read_amount(cell)


def test_a_yaml_line_is_judged_by_its_currency_wherever_it_stands() -> None:
    for fields in ('unit_price: "$100", currency: HKD', 'currency: HKD, unit_price: "$100"'):
        assert read_prices(f"lines: [{{part: A1, {fields}}}]\n".encode(), "p.yaml").lines[0].currency == "HKD"
    for fields in ('unit_price: "$100", currency: EUR', 'currency: EUR, unit_price: "$100"'):
        assert refused(f"lines: [{{part: A1, {fields}}}]\n".encode(), "p.yaml") == ["price-cell"]
    book = read_prices(b'currency: TWD\nlines: [{part: A1, unit_price: "$100"}]\n', "p.yaml")
    assert book.lines[0].currency == "TWD"


@pytest.mark.parametrize(("text", "tax"), [
    ("Exclusive partner price list", None), ("Prices include delivery", None), ("excluding shipping", None),
    ("不含运费", None), ("Inclusive design", None), ("excluding shipping, VAT included", "included"),
    ("excl. VAT", "added"), ("Prices exclude all taxes", "added"), ("VAT not included", "added"),
    ("exclusive of GST", "added"), ("excl. 13% VAT", "added"), ("不含13%增值税", "added"), ("未含税", "added"),
    ("tax excluded", "added"), ("未税", "added"), ("not including tax", "added"), ("税：不含", "added"),
    ("incl. GST", "included"), ("VAT incl.", "included"), ("含13%增值税", "included"), ("含 税 价", "included"),
    ("Tax included", "included"), ("Unit price (incl. VAT)", "included"), ("with taxi vouchers", None),
])  # fmt: skip
def test_tax_is_stated_beside_the_word_for_it_only(text: str, tax: str | None) -> None:
    assert tax_of(text) == tax


def test_two_title_texts_that_disagree_on_tax_are_refused() -> None:
    book = b"Price list excl. VAT\nAll prices incl. VAT\nModel,Price (USD)\nA1,100\n"
    assert refused(book, "p.csv") == ["price-book-title"]


def workbook(shown: str | None = None, heading: str = "Price", **sheets: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in (sheets or {"prices": [["Model", heading], ["A1", 1200.5]]}).items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
        if shown:
            sheet["B2"].number_format = shown
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def test_a_cover_sheet_states_currency_and_tax() -> None:
    prices: list[list[object]] = [["Model", "Price"], ["A1", 100]]
    cover: list[list[object]] = [["Price book"], ["All prices in USD, excl. VAT"]]
    book = read_prices(workbook(cover=cover, prices=prices), "p.xlsx")
    assert (book.currency, book.tax) == ("USD", "added")
    assert refused(workbook(cover=[["All prices in USD or EUR"]], prices=prices), "p.xlsx") == ["price-book-title"]
    assert refused(workbook(cover=cover, more=[["Prices in EUR"]], prices=prices), "p.xlsx") == ["price-book-title"]


def test_sheets_of_which_only_some_state_a_currency_are_refused() -> None:
    stated: list[list[object]] = [["Model", "Price (USD)"], ["A1", 100]]
    silent: list[list[object]] = [["Model", "Price"], ["B1", 100]]
    assert refused(workbook(one=stated, two=silent), "p.xlsx") == ["price-book-title"]
    assert refused(workbook(one=silent, two=stated), "p.xlsx") == ["price-book-title"]


@pytest.mark.parametrize(("shown", "heading", "currency"), [
    ("[$$-409]#,##0.00", "Price", "USD"), ("[$¥-411]#,##0", "Price", "JPY"), ("[$¥-804]#,##0.00", "Price", "CNY"),
    ('"$"#,##0.0', "Price (HKD)", "HKD"), ('#,##0.00" 元"', "Price", "CNY"), ("[$HK$-C04]#,##0.00", "Price", "HKD"),
    ("[$¥-ja-JP]#,##0.0", "Price", "JPY"),
    ("#,##0.00", "Price", None), ("[Red]#,##0.0", "Price", None), ("[$-409]#,##0.0", "Price", None),
    ("[$EUR] #,##0.0", "Price", "EUR"), ('"¥"0.0"元"', "Price", "CNY"),
    ('_-[$€-2]* #,##0.00_-;-[$€-2]* #,##0.00_-;_-@_-', "Price", "EUR"),
])  # fmt: skip
def test_a_number_format_states_a_currency(shown: str, heading: str, currency: str | None) -> None:
    line = read_prices(workbook(shown, heading), "p.xlsx").lines[0]
    assert (str(line.unit_price), line.currency) == ("1200.5", currency)


@pytest.mark.parametrize(("shown", "heading"), [
    ('0.00"万元"', "Price"), ('0!.0,"万"', "Price"), ('#,##0.0,', "Price"), ('0.0"k"', "Price"),
    ("[$$-409]#,##0.00", "Price (EUR)"), ("[$¥-804]#,##0", "Price (JPY)"), ('"$"0.0"€"', "Price"),
])  # fmt: skip
def test_a_number_format_that_contradicts_or_scales_is_refused(shown: str, heading: str) -> None:
    assert refused(workbook(shown, heading), "p.xlsx") == ["price-cell"]
