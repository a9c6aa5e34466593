"""What stands beside the prices of a row in columns of remarks, or in columns without a heading that is known."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from fabricplan.errors import Problem
from fabricplan.prices import TaxState
from fabricplan.readers.cells import MONEY, currency_of
from fabricplan.readers.discounts import discount_told
from fabricplan.readers.goods import goods_told, is_bare_unit
from fabricplan.readers.taxes import tax_rates, tax_states
from fabricplan.readers.units import currencies_in, scale_of

_PRICED = re.compile(r"价|\bprices?\b|\bpriced\b|计$")
_SOLD_BY = re.compile(
    r"(?:sold|priced|charged|quoted|billed)\s+(?:per|by|in)\s+(?!piece|pcs?\b|unit|each)\w+|按.{0,3}(?:箱|盒|包|卷|米|对|百|打).{0,2}"
    r"(?:计|卖|销售|出售|报)|整(?:箱|盒|包|卷)(?:价|出售|销售)"
)
_PACKED = re.compile(
    r"\d+\s*-?\s*(?:pack|pk)\b|(?:box|pack|case|carton|bag|reel|set)\s+of\s+\d+|\d+\s*(?:根|支|只|个|条)\s*(?:装|/)"
    r"|(?:每|/)\s*(?:箱|盒|包)\s*\d+|\d+\s*(?:pcs|pieces)\s*(?:/|per)\s*\w+"
)


def read_remarks(
    cells: Sequence[tuple[str, str]], values: dict[str, Any], stated: str | None, labelled: Collection[str]
) -> Iterator[Problem]:
    """Read what remarks say of the tax into ``values``; yield what they say of currency or goods and is not applied.

    Args:
        cells: text and place of each remark.
        values: what the row says so far.
        stated: the currency of the title.
        labelled: places below a heading of their own, where a bare ``m`` is the unit of something else.
    """
    for text, where in cells:
        low = unicodedata.normalize("NFKC", text).casefold()
        yield from _tax(text, where, values)
        if (
            (goods := goods_told(text)) is not None
            or _SOLD_BY.search(low)
            or (where not in labelled and is_bare_unit(low))
        ):
            words = goods.words if goods is not None else text
            yield Problem("price-unit", f"'{text}' beside the price: it is for '{words}', not for one piece", where,
                          "work out the price of one piece")  # fmt: skip
        yield from _money(text, low, where, values.get("currency") or stated)


def remark_to_tell(cells: Sequence[tuple[str, str]]) -> str | None:
    """Return the place of a remark that speaks of packs or of a discount, which a price does not depend on by itself.

    >>> remark_to_tell([("10根/箱", "S!C2")]), remark_to_tell([("现货", "S!C2")])
    ('S!C2', None)
    """
    for text, where in cells:
        if discount_told(text) or _PACKED.search(unicodedata.normalize("NFKC", text).casefold()):
            return where
    return None


def _tax(text: str, where: str, values: dict[str, Any]) -> Iterator[Problem]:
    states: set[TaxState] = tax_states(text)
    if len(states) > 1:
        yield Problem("tax-open", f"'{text}' says both with tax and without", where, "say one of them")
    elif states:
        (state,) = states
        if values.setdefault("tax", state) != state:
            yield Problem(
                "tax-open", f"'{text}' contradicts the tax that the row or its heading states", where, "keep one"
            )
    rates = tax_rates(text)
    if len(rates) == 1:
        (rate,) = rates
        if values.setdefault("tax_percent", rate) != rate:
            yield Problem(
                "tax-open", f"'{text}' names {rate} % tax, the row {values['tax_percent']} %", where, "keep one"
            )


def _money(text: str, low: str, where: str, known: str | None) -> Iterator[Problem]:
    """Refuse a currency or a unit of money that stands in a cell of its own, or beside a word for price."""
    bare = re.sub(rf"(?:十万|百万|千万|万|千|k|m)?{MONEY}|[()\[\]/\s]|价格?|计", "", low)
    if bare and not _PRICED.search(low):
        return
    codes = currencies_in(text) or ({found} if not bare and (found := currency_of(text, known)) else set())
    scale = scale_of(f"({low})") if not bare else scale_of(text)
    if (codes and codes != {known}) or scale is not None:
        yield Problem("price-unit", f"'{text}' beside the price is not applied to it", where,
                      "head the column 币种 (Currency) or 单位 (UOM), or state it above the headings")  # fmt: skip
