"""What the number formats of a workbook's price cells tell: a currency, a unit, a percentage."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from openpyxl.styles.numbers import BUILTIN_FORMATS_REVERSE

from fabricplan.errors import Problem
from fabricplan.readers.cells import CellError, read_amount
from fabricplan.readers.prices_columns import Column, TableRow
from fabricplan.readers.prices_words import PRICE_FIELDS

_OF_PLACE = {"409": "USD", "c04": "HKD", "404": "TWD", "1004": "SGD", "c09": "AUD", "1009": "CAD", "804": "CNY",
             "411": "JPY", "3c09": "HKD", "4809": "SGD", "en-us": "USD", "zh-hk": "HKD", "en-hk": "HKD",
             "zh-tw": "TWD", "zh-sg": "SGD", "en-sg": "SGD", "en-au": "AUD", "en-ca": "CAD", "zh-cn": "CNY",
             "ja-jp": "JPY"}  # fmt: skip
"""Currencies by the place in ``[$$-409]``."""
_MONEY_SHOWN = (
    r"US\$|HK\$|NT\$|S\$|A\$|C\$|[$¥￥€£₩₹฿₫]|人民币|美元|美金|港币|港元|欧元|英镑|日元|韩元|澳元|加元|新元|元"
    r"|(?<![a-z])(?:RMB|CNY|USD|HKD|EUR|GBP|JPY|TWD|SGD|KRW|INR|CHF|AUD|CAD|AED|MYR|THB|VND|NOK|SEK)(?![a-z])"
)
_UNIT_SHOWN = re.compile(r"[百千万亿]|(?<![a-z])(k|m|mn|thousand|million)s?(?![a-z])")
_GOODS_SHOWN = re.compile(
    r"/\s*(?!台|块|个|根|件|条|只|支|套|pcs?\b|ea\b|unit\b|each\b|set\b)[a-z\u4e00-\u9fff]|每|折|\bper\b"
)
_DIGITS = re.compile(r"[0#?]|@|general", re.IGNORECASE)
_SHORTENED = re.compile(r"[0#?],+(?![0#?,])")
"""Commas behind the last digit: Excel shows the amount in thousands."""


def formatted(
    sheet: Any, rows: list[TableRow], first: int, columns: Sequence[Column], stated: bool, problems: list[Problem]
) -> list[TableRow]:
    """Return rows whose prices carry the currency of their number format; formats that name a unit are refused.

    Args:
        sheet: the openpyxl sheet.
        rows: rows below the headings.
        first: number of the first of them in the sheet, from 0.
        columns: the columns of the table.
        stated: whether anything else states the currency of every price.
        problems: takes what is wrong.
    """
    found = []
    local: tuple[str, str] | None = None
    left = sheet.min_column
    for number, row in enumerate(rows, start=first + sheet.min_row):
        cells = list(row.cells)
        for column in columns:
            value = cells[column.place] if column.place < len(cells) else None
            priced = column.field in (*PRICE_FIELDS, "before") or column.field.endswith("_other_tax")
            if not priced and column.field not in ("discount", "tax_rate", "part", "opn"):
                continue
            cell = sheet.cell(number, column.place + left)
            if value is not None and cell.font is not None and cell.font.strike:
                problems.append(Problem("price-cell", f"{column.words}: the cell is struck through",
                                        row.where(column.place),
                                        "clear the cell, or take the line off"))  # fmt: skip
                continue
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                continue
            shown = cell.number_format
            if not priced:
                if "%" in shown and column.field in ("discount", "tax_rate"):
                    cells[column.place] = f"{Decimal(f'{value:.15g}') * 100:f}%"
                continue
            try:
                code = currency_shown(shown)
                amount = read_amount(value)[0] if code else None
                if code and amount is not None:
                    cells[column.place] = f"{code} {amount:f}"
            except CellError as caught:
                problems.append(Problem("price-cell", f"{column.words}: {caught}", row.where(column.place),
                                        "give the cell a plain number format"))  # fmt: skip
            if shows_local(shown) and column.currency is None and local is None:
                local = (shown, row.where(column.place))
        found.append(TableRow(cells, row.where, row.merged))
    if local is not None and not stated:
        problems.append(Problem("currency-open",
                                f"the number format {local[0]} shows the currency of whoever opens the "
                                "book, and nothing states which one is meant", local[1],
                                "state the currency above the headings, or in them"))  # fmt: skip
    return found


def shows_local(shown: str) -> bool:
    """Return whether a number format is one of Excel's own that shows the symbol of the reader's own currency."""
    return shown in BUILTIN_FORMATS_REVERSE and "$" in shown


def currency_shown(shown: str) -> str | None:
    """Return the words of currencies that a number format shows.

    >>> currency_shown('[$$-409]#,##0.00'), currency_shown('[$¥-411]#,##0'), currency_shown('#,##0.00')
    ('USD', 'JPY', None)

    Raises:
        CellError: it shows thousands or 万, a percentage, or a price that is not for one piece.
    """
    if "%" in shown:
        raise CellError(f"its number format {shown} shows a percentage")
    # The formats that Excel numbers itself show the currency of whoever opens the book: they state none.
    if shown in BUILTIN_FORMATS_REVERSE:
        return None
    if not _DIGITS.search(re.sub(r'\[[^\]]*\]|"[^"]*"|\\.|_.|\*.', "", shown).split(";")[0]):
        raise CellError(f"its number format {shown} does not show the amount")
    if any(re.search(r"\d", text) for text in (*re.findall(r'"([^"]*)"', shown), *re.findall(r"\\(.)", shown))):
        raise CellError(f"its number format {shown} shows digits that are not the amount's")
    words = {
        _OF_PLACE.get(place.casefold() if "-" in place else place.casefold()[-4:].lstrip("0"), symbol)
        if symbol in ("$", "¥", "￥")
        else symbol
        for symbol, place in re.findall(r"\[\$([^\]-]+)-?([^\]]*)\]", shown)
    }
    bare = re.sub(r"\[[^\]]*\]|_.|\*.", "", shown)
    texts = [*re.findall(r'"([^"]*)"', bare), re.sub(r'"[^"]*"', "", bare).replace("\\", "")]
    words |= {word for text in texts for word in re.findall(_MONEY_SHOWN, text, re.IGNORECASE)}
    if any(_UNIT_SHOWN.search(text.casefold()) for text in [*texts, *words]) or _SHORTENED.search(bare):
        raise CellError(f"its number format {shown} counts in a unit")
    if any(_GOODS_SHOWN.search(text.casefold()) for text in texts):
        raise CellError(f"its number format {shown} shows a price that is not for one piece")
    return " ".join(sorted(words)) or None
