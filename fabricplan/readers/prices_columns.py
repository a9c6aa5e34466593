"""Columns and rows of the tables of price books, and what is wrong with the heading of a column."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from fabricplan.errors import Problem
from fabricplan.prices import TaxState
from fabricplan.readers.cells import MONEY, Cell, plain, unknown_currency
from fabricplan.readers.goods import Goods, goods_in
from fabricplan.readers.prices_words import PRICE_FIELDS, bears_on_price, price_field
from fabricplan.readers.taxes import tax_states
from fabricplan.readers.units import currencies_in, scale_of, without_scale

_BRACKET = re.compile(r"[(\[【]([^)\]】]*)[)\]】]")
_UNDERSTOOD = re.compile(
    rf"{MONEY}|\d+(?:\.\d+)?\s*%|不?含|未|税|增值|专票|价格?|报价|售价|单价|单位|必填|选填|数字|最新"
    r"|(?<![a-z])(?:vat|gst|tax(?:es)?|sales|incl(?:uding|usive|uded)?|excl(?:uding|usive|uded)?|ex|inc|net of|without"
    r"|with|of|in|the|all|unit|prices?|per|each|currency|required|mandatory|optional|latest"
    r"|new|current|exw|fob|cif|ddp|dap|ex works)(?![a-z])"
    r"|20\d\d[-/.年]?\d{0,2}[-/.月]?\d{0,2}日?|[-+*/,:;.'\s、，：]"
)

_SCALE = re.compile(
    r"十|百|千|万|亿|角|分|'?000'?s?|10*,?0{3,6}"
    r"|(?<![a-z])(?:\d+\s?k|k|ten thousand|thousands?|mn?|millions?|cents?|yuan)(?![a-z])"
)


class Column(NamedTuple):
    """A column that is read: its place, what it holds, and what its heading says of currency, tax, unit and goods.

    ``net`` tells a price after a discount; ``unit`` is the unit of time of a bare number.
    """

    place: int
    field: str
    heading: str = ""
    currency: str | None = None
    tax: TaxState | None = None
    rate: Decimal | None = None
    scale: Decimal | None = None
    unit: str | None = None
    goods: Goods | None = None
    net: bool = False

    @property
    def words(self) -> str:
        """The field in plain words."""
        return self.field.replace("_", " ")


class TableRow(NamedTuple):
    """Cells of a row, a function from column to ``sheet!cell``, and what merged ranges show in further cells."""

    cells: Sequence[Cell]
    where: Callable[[int], str]
    merged: Mapping[int, Cell] = {}

    def shown(self, place: int) -> Cell:
        """Return what stands at a place, also where it is the rest of a merged range."""
        held = self.cells[place] if place < len(self.cells) else None
        return held if plain(held) else self.merged.get(place)


def check_headings(
    columns: Sequence[Column], head: TableRow, body: Sequence[TableRow], problems: list[Problem]
) -> None:
    """Refuse headings of prices that say more than is understood, and unknown ones that bear on prices."""
    tiers = [column for column in columns if column.field == "tier"]
    if tiers:
        problems.append(Problem("price-tiers", f"prices by quantity: {', '.join(item.heading for item in tiers)}",
                                head.where(tiers[0].place), "keep the column that applies, headed 单价 or Unit "
                                "price"))  # fmt: skip
    for column in columns:
        where = head.where(column.place)
        if column.field == "quantity" and (counted := goods_in(column.heading)) and counted.kind == "other":
            problems.append(Problem("price-unit", f"'{column.heading}' counts '{counted.words}': the price may be so",
                                    where, "work out quantity and price of pieces"))  # fmt: skip
        if column.field in (*PRICE_FIELDS, "net_price"):
            if column.goods is not None and column.goods.kind == "other":
                problems.append(Problem("price-unit",
                                        f"'{column.heading}' prices '{column.goods.words}', not one piece",
                                        where, "work out the price of one piece, headed 单价 or Unit "
                                        "price"))  # fmt: skip
            if len(tax_states(column.heading)) > 1:
                problems.append(Problem("tax-open", f"'{column.heading}' says both with tax and without", where,
                                        "write 含税 or 未税, or add a column 是否含税"))  # fmt: skip
            if len(codes := _currencies(column.heading)) > 1:
                problems.append(Problem("currency-open", f"'{column.heading}' names {' and '.join(codes)}", where,
                                        "name one currency"))  # fmt: skip
            if left := _not_understood(column.heading):
                problems.append(Problem("heading-open",
                                        f"what '{left}' in '{column.heading}' means for the price is not "
                                        "understood", where, "take it out, or head the column 单价, 折后价, 列表价 or "
                                        "成本 (Unit price, Net price, List price or Cost)"))  # fmt: skip
            if (word := unknown_currency(column.heading)) is not None:
                problems.append(Problem("unknown-currency", f"'{column.heading}' names a currency that is not known: "
                                        f"{word}", where, "convert the prices into one that is"))  # fmt: skip
        elif (
            not column.field
            and bears_on_price(column.heading)
            and any(plain(row.cells[column.place]) for row in body if column.place < len(row.cells))
        ):
            problems.append(Problem("unread-column", f"'{column.heading}' may change what the prices mean, and is not "
                                    "understood", where, "name it 单价, 折后价, 列表价, 成本, 币种, 单位, 税率, "
                                    "是否含税 or 备注 (Unit price, "
                                    "Net price, List price, Cost, Currency, UOM, Tax rate, Tax "
                                    "status or Note), or take the column out"))  # fmt: skip


def _currencies(heading: str) -> list[str]:
    """Return the currencies that a heading names by words; a symbol of several counts only where no word stands."""
    words = currencies_in(re.sub(r"(?<![a-z])[$¥￥]|[$¥￥](?![a-z])", " ", heading)) or currencies_in(heading)
    return sorted(words)


def _not_understood(heading: str) -> str:
    """Return what stands in the brackets of a price's heading and is neither currency, tax, unit nor its other name."""
    low = unicodedata.normalize("NFKC", heading).casefold()
    for inner in _BRACKET.findall(low):
        if price_field(inner) == price_field(low) or goods_in(f"({inner})") is not None or goods_in(inner) is not None:
            continue
        bare = without_scale(inner)
        if scale_of(low) is not None:
            bare = _SCALE.sub(" ", re.sub(MONEY, " ", inner))
        if _UNDERSTOOD.sub("", bare).strip() and _UNDERSTOOD.sub("", inner).strip():
            return str(inner.strip())
    return ""
