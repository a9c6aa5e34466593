"""What tests of quotes share: books made from plans, terms, and a look into workbooks."""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import openpyxl

from fabricplan.plan import Plan
from fabricplan.prices import PriceBook, PriceLine, length_key
from fabricplan.quote import Quote, Terms, parse_terms, price

DATE = datetime.date(2026, 12, 1)


def terms(**fields: Any) -> Terms:
    """Return terms of a fixed date."""
    return parse_terms({"date": "2026-12-01", **fields})


def book_of(
    plan: Plan, amount: Callable[[int], str] = lambda number: f"{1000 + number}.37", **fields: Any
) -> PriceBook:
    """Return a book with a price for every part of a plan."""
    lines = tuple(
        PriceLine(part=line.pn or length_key(line.key, line.length_mm or 0), unit_price=Decimal(amount(number)),
                  where=f"book:{number}", **fields)
        for number, line in enumerate(plan.bom.lines)
    )  # fmt: skip
    return PriceBook(name="Test book", version="v1", date=datetime.date(2026, 11, 20), lines=lines)


def hdr_book(cable: str = "2980") -> PriceBook:
    """Return the book of the field case: switch, adapter and cable, tax included."""
    return PriceBook(name="HDR", lines=(
        PriceLine(part="MQM8700-HS2F", unit_price=Decimal(98000)),
        PriceLine(part="MCX653105A-HDAT", unit_price=Decimal(6350)),
        PriceLine(part="mfs1s00-h-v", unit_price=Decimal(cable)),
    ))  # fmt: skip


def hdr_quote(plan: Plan, cable: str = "2980", **fields: Any) -> Quote:
    """Return a quote of the field case."""
    return price(plan, hdr_book(cable), terms(**fields))


def sheets(data: bytes, values: bool = False) -> Any:
    """Return an openpyxl workbook."""
    return openpyxl.load_workbook(io.BytesIO(data), data_only=values)


def everything_in(data: bytes) -> str:
    """Return all text of a workbook's files: sheets, strings, names, properties."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "\n".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())
