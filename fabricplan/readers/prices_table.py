"""Where the tables of a price book stand: rows of headings (one row, or two with a group above), and their columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from fabricplan.errors import Problem
from fabricplan.readers.cells import currency_of, plain, unknown_currency
from fabricplan.readers.goods import goods_in
from fabricplan.readers.headings import fold_heading
from fabricplan.readers.prices_columns import Column, TableRow, check_headings
from fabricplan.readers.prices_words import PRICE_FIELDS, bears_on_price, price_field
from fabricplan.readers.taxes import tax_of, tax_rates, tax_states
from fabricplan.readers.units import scale_of, without_scale

HEADING_ROWS = 60
"""The first heading row is looked for this far down."""
_MONEY_COLUMNS = (*PRICE_FIELDS, "net_price", "tier")
_NUMBER = re.compile(r"[\d.,\s¥￥$€£%]+")


class Table(NamedTuple):
    """A table: its heading rows are ``first`` up to ``below``, all its columns are ``columns``."""

    first: int
    below: int
    columns: tuple[Column, ...]
    unread: tuple[Column, ...]


def find_tables(rows: Sequence[TableRow], problems: list[Problem]) -> list[Table]:
    """Return the tables of a sheet, in order: every row of headings with a part and a price begins one."""
    found: list[Table] = []
    number = 0
    while number < len(rows) and (found or number < HEADING_ROWS):
        table = _table_at(rows, number) if _may_head(rows[number]) else None
        if table is None:
            number += 1
            continue
        number = table.below
        found.append(table)
    ends = [*(table.first for table in found[1:]), len(rows)]
    return [_settled(table, rows, end, problems) for table, end in zip(found, ends, strict=False)]


def near_headings(rows: Sequence[TableRow]) -> tuple[str, list[str]] | None:
    """Return the place of a row that has a part number and headings that may be prices, with those headings."""
    for row in rows[:HEADING_ROWS]:
        single = _single(row)
        near = [column.heading for column in single if column.field == "amount"
                or (not column.field and bears_on_price(column.heading))]  # fmt: skip
        if near and any(column.field in ("part", "opn") for column in single):
            return row.where(single[0].place), near
    return None


def unknown_headings(rows: Sequence[TableRow]) -> tuple[str, list[str]] | None:
    """Return the place of the row that looks most like headings (two of them known, or one a price), with those that
    are not known."""
    best: tuple[int, str, list[str]] | None = None
    for row in rows[:HEADING_ROWS]:
        if not _may_head(row):
            continue
        single = _single(row)
        known = [column for column in single if column.field]
        unknown = [column.heading for column in single if not column.field]
        score = len(known) + sum(bears_on_price(heading) for heading in unknown)
        if score and unknown and (best is None or score > best[0]):
            best = (score, row.where(single[0].place), unknown)
    return best[1:] if best is not None else None


def _may_head(row: TableRow) -> bool:
    texts = [cell for cell in row.cells if plain(cell)]
    if len(texts) + len(row.merged) < 2:
        return False
    return not any(not isinstance(cell, str) or _NUMBER.fullmatch(plain(cell)) for cell in texts)


def _table_at(rows: Sequence[TableRow], number: int) -> Table | None:
    """Return the table whose headings begin at a row, in one row or in two."""
    top = rows[number]
    single = _single(top)
    below = rows[number + 1] if number + 1 < len(rows) and _may_stand_below(rows[number + 1]) else None
    if below is not None and not _is_table(single) and _is_table(_single(below)):
        return None
    if below is not None and (joined := _joined(top, below, _is_table(single), single)):
        both = _columns(joined)
        if _is_table(both):
            return Table(number, number + 2, both, ())
    return Table(number, number + 1, single, ()) if _is_table(single) else None


def _single(row: TableRow) -> tuple[Column, ...]:
    return _columns([(place, plain(cell)) for place, cell in enumerate(row.cells) if plain(cell)])


def _is_table(columns: Sequence[Column]) -> bool:
    fields = {column.field for column in columns}
    return bool(fields & {"part", "opn"}) and bool(fields & {*_MONEY_COLUMNS, "tax_or_price"})


def _may_stand_below(row: TableRow) -> bool:
    texts = [plain(cell) for cell in row.cells if plain(cell)]
    return bool(texts) and not any(
        not isinstance(cell, str) or _NUMBER.fullmatch(plain(cell)) for cell in row.cells if plain(cell)
    )


def _joined(top: TableRow, below: TableRow, whole: bool, single: Sequence[Column]) -> list[tuple[int, str]] | None:
    """Return the headings of two rows read as one, or None where the second row is none.

    A second row of headings is blank below the part number (which is then merged downwards, or stands alone), or holds
    the part number itself under a row of groups.
    """
    parts = {column.place for column in single if column.field in ("part", "opn")}
    width = max(len(top.cells), len(below.cells))
    lower = {place: plain(below.cells[place]) for place in range(len(below.cells)) if plain(below.cells[place])}
    if whole or parts:
        if any(lower.get(place) not in (None, plain(top.cells[place])) for place in parts):
            return None
    elif not any(price_field(text) in ("part", "opn") for text in lower.values()):
        return None
    if not any(_belongs(text) for text in lower.values()):
        return None
    joined: list[tuple[int, str]] = []
    group = ""
    for place in range(width):
        above = plain(top.cells[place]) if place < len(top.cells) else ""
        group = above or (plain(top.merged[place]) if place in top.merged else group if place in lower else "")
        own = lower.get(place, "")
        if not own:
            text = above
        elif price_field(own) is not None and price_field(own) not in ("tax_or_price", "tier"):
            priced = price_field(own) in (*PRICE_FIELDS, "net_price")
            text = f"{own} ({_modifiers(group)})" if priced and _modifiers(group) else own
        else:
            text = f"{group} {own}".strip() if own != group else own
        if text:
            joined.append((place, text))
    return joined


def _belongs(text: str) -> bool:
    """Return whether a text is a heading, or the tax, currency or unit of one."""
    if price_field(text) is not None or tax_states(text):
        return True
    named = fold_heading(text) == "" and bool(currency_of(text))
    return named or scale_of(f"({text.strip('()')})") is not None


def _modifiers(group: str) -> str:
    """Return what a group's heading says of the prices below it."""
    telling = currency_of(group) or tax_states(group) or scale_of(group) or goods_in(group) or unknown_currency(group)
    return re.sub(r"[()（）\[\]【】]", " ", group).strip() if telling else ""


def _columns(headings: Sequence[tuple[int, str]]) -> tuple[Column, ...]:
    found = []
    for place, text in headings:
        field = price_field(text)
        if field is None:
            found.append(Column(place, "", text))
            continue
        money = field in _MONEY_COLUMNS or field == "tax_or_price"
        rates = tax_rates(text) if money else set()
        found.append(Column(
            place, field, text, currency_of(without_scale(text.casefold())) if money else None,
            tax_of(text) if money else None, rates.pop() if len(rates) == 1 else None,
            scale_of(text) if money else None, _time_unit(text), goods_in(text) if money else None,
        ))  # fmt: skip
    return tuple(found)


def _time_unit(heading: str) -> str | None:
    """Return the unit of time that a heading such as ``货期（周）`` gives to bare numbers below it."""
    match = re.search(
        r"[(（](?:in )?(周|星期|工作日|天|日|个?月|年|weeks?|days?|months?|years?)[)）]", heading.casefold()
    )
    return f" {match[1]}" if match else None


def _settled(table: Table, rows: Sequence[TableRow], end: int, problems: list[Problem]) -> Table:
    """Return a table of which every column has one meaning; what is open or stands twice is told."""
    head, body = rows[table.below - 1], rows[table.below : end]
    columns = [_decided(column, body) for column in table.columns]
    check_headings(columns, head, body, problems)
    unread = tuple(column for column in columns if not column.field)
    return table._replace(columns=_one_each([item for item in columns if item.field], head, problems), unread=unread)


def _decided(column: Column, body: Sequence[TableRow]) -> Column:
    """Return a column headed 含税 as a price where numbers stand below it, else as the state of the tax."""
    if column.field != "tax_or_price":
        return column
    texts = [plain(row.cells[column.place]) for row in body if column.place < len(row.cells)]
    numbers = [text for text in texts if re.search(r"\d{2}|\d\.\d", text)]
    return column._replace(field="unit_price" if numbers else "tax")


def _one_each(found: list[Column], head: TableRow, problems: list[Problem]) -> tuple[Column, ...]:
    """Return columns of different fields. A net price is the unit price; the other is what it was before."""
    if sum(column.field in ("part", "opn") for column in found) > 1:
        found = [column for column in found if fold_heading(column.heading) not in ("product", "产品")]
    netted = any(column.field == "net_price" for column in found)
    renamed = [_renamed(column, netted) for column in found if column.field not in ("tier", "tax_amount")]
    kept: dict[str, Column] = {}
    for column in renamed:
        earlier = kept.setdefault(column.field, column)
        if earlier is column:
            continue
        if column.field in PRICE_FIELDS and {earlier.tax, column.tax} in (
            {"included", "added"},
            {"included", None},
        ):
            if f"{column.field}_other_tax" in kept:
                problems.append(_double(column, earlier, head))
                continue
            # With and without tax side by side (单价 beside 含税单价 is without): the one with tax is what is quoted,
            # the other must agree with it.
            with_tax, other = (column, earlier) if column.tax == "included" else (earlier, column)
            kept[column.field] = with_tax
            kept[f"{column.field}_other_tax"] = other._replace(field=f"{column.field}_other_tax")
        elif column.field == "part" and "opn" not in {item.field for item in found}:
            kept["opn"] = column._replace(field="opn")
        elif column.field in ("note", "before", "amount", "quantity", "brand"):
            kept[f"{column.field} {column.place}"] = column._replace(
                field="note" if column.field == "note" else "other"
            )
        else:
            problems.append(_double(column, earlier, head))
    return tuple(kept.values())


def _renamed(column: Column, netted: bool) -> Column:
    if column.field == "net_price":
        return column._replace(field="unit_price", net=True)
    return column._replace(field="before") if netted and column.field == "unit_price" else column


def _double(column: Column, earlier: Column, head: TableRow) -> Problem:
    return Problem("double-column", f"two columns hold the {column.words}", head.where(column.place),
                   f"the first is {head.where(earlier.place)}; keep one")  # fmt: skip
