"""Random price books: what the writer of a book meant is what is read, in every way of writing it; and a book that says
anything which a price of one piece is not is never read."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fabricplan.errors import PriceError
from fabricplan.readers import read_prices

SETTINGS = settings(max_examples=80, deadline=None, derandomize=True, database=None,
                    suppress_health_check=[HealthCheck.too_slow])  # fmt: skip
Line = tuple[str, Decimal, str, str | None]
Made = tuple[list[list[Any]], list[Line], int]
"""A table, what its lines are, and which column holds the prices."""
AMOUNTS = st.integers(1, 10**9).map(lambda cents: Decimal(cents) / 100)
PARTS = st.lists(st.from_regex(r"[A-Z]{2,4}[0-9]{3,5}-[A-Z][A-Z0-9]{1,4}", fullmatch=True), min_size=1, max_size=6,
                 unique=True)  # fmt: skip
CURRENCIES = {
    "CNY": ("元", "RMB", "人民币", "CNY"),
    "USD": ("USD", "美元", "US$"),
    "HKD": ("HKD", "港币"),
    "AUD": ("AUD", "澳元"),
}
SCALES = {1: ("{}",), 10000: ("万{}",), 1000: ("千{}", "k{}", "thousand {}")}
TAXES = {"included": ("含税", "incl. VAT"), "added": ("未税", "不含税", "excl. tax"), None: ("",)}
UNITS = ("", "/台", "/个", "/pcs", "/ea")


def grouped(amount: Decimal) -> str:
    return f"{amount:,.2f}"


def wide(amount: Decimal) -> str:
    return grouped(amount).translate({ord(letter): 0xFF00 + ord(letter) - 0x20 for letter in "0123456789,."})


FORMS = (
    lambda amount: f"{amount:.2f}",
    grouped,
    wide,
    lambda amount: f" {grouped(amount)} ",
    lambda amount: f"{amount:.2f}/台",
)


def encoded(grid: list[list[Any]], form: str) -> tuple[bytes, str]:
    if form == "xlsx":
        book = openpyxl.Workbook()
        for row in grid:
            book.active.append(row)
        held = io.BytesIO()
        book.save(held)
        return held.getvalue(), "p.xlsx"
    encoding, separator = form.split()
    text = io.StringIO()
    csv.writer(text, delimiter={"comma": ",", "semicolon": ";", "tab": "\t"}[separator]).writerows(grid)
    return text.getvalue().encode(encoding), "p.csv"


FILES = st.sampled_from(["xlsx", *(f"{encoding} {separator}" for encoding in ("utf-8", "utf-8-sig", "gb18030", "utf-16")
                                   for separator in ("comma", "semicolon", "tab"))])  # fmt: skip


@st.composite
def books(draw: st.DrawFn) -> Made:
    """Return a table, what its lines are, and which column holds the prices."""
    parts = draw(PARTS)
    currency = draw(st.sampled_from(sorted(CURRENCIES)))
    scale = draw(st.sampled_from(sorted(SCALES)))
    tax = draw(st.sampled_from(sorted(TAXES, key=str)))
    money = draw(st.sampled_from(SCALES[scale])).format(draw(st.sampled_from(CURRENCIES[currency])))
    assume(not (money.startswith("千") and money[1:].isascii()))
    said = draw(st.sampled_from(TAXES[tax]))
    where = draw(st.sampled_from(["heading", "title", "column"]))
    unit = draw(st.sampled_from(UNITS)) if scale == 1 else ""
    price = draw(st.sampled_from(["单价", "Unit price", "价格", "Price"]))
    heading = f"{price} ({money}{unit}{', ' + said if said else ''})" if where == "heading" else price
    columns = [
        "part",
        "price",
        *(["unit"] if where == "column" else []),
        *draw(st.sampled_from([[], ["note"], ["stock"]])),
    ]
    columns = draw(st.permutations(columns))
    names = {"part": draw(st.sampled_from(["型号", "Part number", "P/N", "型号 Model"])), "price": heading,
             "unit": draw(st.sampled_from(["单位", "UOM"])), "note": "备注", "stock": "库存"}  # fmt: skip
    grid: list[list[Any]] = draw(st.sampled_from([[], [["价格表 Price list"], []], [["版本：V3", "日期：2026-11-20"]]]))
    grid = [list(row) for row in grid]
    if where != "heading":
        grid += [[f"单位：{money}" if where == "title" else "说明", said]] if said or where == "title" else []
    grid.append([names[column] for column in columns])
    wanted = []
    for number, part in enumerate(parts):
        amount = draw(AMOUNTS)
        text = draw(st.sampled_from(FORMS if scale == 1 else FORMS[:4]))(amount)
        held = {"part": draw(st.sampled_from([part, part.lower(), f" {part} "])), "price": text, "unit": money,
                "note": "现货", "stock": number}  # fmt: skip
        grid.append([held[column] for column in columns])
        if draw(st.booleans()):
            grid.append([])
        wanted.append((part.casefold(), amount * scale, currency, tax))
    if draw(st.booleans()):
        grid.append(["合计" if column == "part" else "1" if column == "price" else "" for column in columns])
    return grid, wanted, columns.index("price")


@SETTINGS
@given(books(), FILES)
def test_what_was_meant_is_read(made: Made, form: str) -> None:
    grid, wanted, _ = made
    data, name = encoded(grid, form)
    book = read_prices(data, name)
    assert [(line.part.casefold(), line.unit_price, line.currency or book.currency, line.tax or book.tax)
            for line in book.lines] == wanted  # fmt: skip


POISON = ("/箱", "/box", "/100pcs", "/米", " per 10", "/pair", "/百只", " (10-pack)", "/m", " per port", "（对）",
    " (monthly)", "（卢布）",
          " (1-9)")  # fmt: skip


@SETTINGS
@given(books(), FILES, st.sampled_from(POISON))
def test_a_heading_that_says_more_is_never_read(made: Made, form: str, poison: str) -> None:
    grid, _, place = made
    head = next(row for row in grid if len(row) > place and str(row[place]).startswith(("单价", "Unit price", "价格",
        "Price"))
                and len(row) > 1 and any(str(cell).startswith(("型号", "Part", "P/N")) for cell in row))  # fmt: skip
    head[place] = f"{head[place]}{poison}"
    with pytest.raises(PriceError):
        read_prices(*encoded(grid, form))


@SETTINGS
@given(books(), FILES, st.sampled_from(["折扣", "Discount", "加价系数", "Price 2027", "优惠", "每箱价格"]),
       st.sampled_from(["5%", "0.9", "90"]))  # fmt: skip
def test_a_column_that_changes_prices_is_never_passed_over(made: Made, form: str, heading: str, cell: str) -> None:
    grid, _, _ = made
    head = next(
        number for number, row in enumerate(grid) if any(str(item).startswith(("型号", "Part", "P/N")) for item in row)
    )
    for number in range(head, len(grid)):
        if grid[number]:
            grid[number].append(heading if number == head else cell)
    with pytest.raises(PriceError):
        read_prices(*encoded(grid, form))
