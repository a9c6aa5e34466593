"""One sheet of a price book, from CSV or a workbook: its title, and its tables under each other."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fabricplan.errors import Problem
from fabricplan.prices import PriceLine
from fabricplan.readers.cells import plain
from fabricplan.readers.prices_columns import Column, TableRow
from fabricplan.readers.prices_lines import is_line, read_lines
from fabricplan.readers.prices_table import Table, find_tables
from fabricplan.readers.prices_title import Title, check_kind, check_name, read_below, read_title, scaled
from fabricplan.readers.prices_words import PRICE_FIELDS

_ABOVE = re.compile(r"以上|上述|上表|above")
NOTHING = Title(None, {}, None)
Prepare = Callable[[list[TableRow], int, Sequence[Column], bool], list[TableRow]]
"""What a format does to the rows below headings before they are read: rows, number of the first one, columns, whether
a currency is stated for all of them."""


class Part(NamedTuple):
    """A table that was read: what holds for it, its lines, where it stands, places of sets and of remarks to tell."""

    title: Title
    lines: list[PriceLine]
    where: str
    sets: list[str]
    remarks: list[str]


class Sheet(NamedTuple):
    """What a sheet came to. ``title`` is what stands above its first table."""

    title: Title
    parts: list[Part]


def read_sheet(
    rows: list[TableRow],
    names: Sequence[str],
    cover: Title,
    problems: list[Problem],
    broken: list[PriceLine],
    prepare: Prepare = lambda rows, first, columns, stated: rows,
) -> Sheet | None:
    """Return the tables of a sheet, or None where it has none.

    Args:
        rows: its rows.
        names: the names of the sheet, if it has one, and of the file; the tax that they state counts.
        cover: what other sheets state for all.
        problems: takes what is wrong.
        broken: takes the parts of lines in trouble.
        prepare: what is done to the rows below headings first.
    """
    tables = find_tables(rows, problems)
    if not tables:
        return None
    ends = _ends(tables, rows)
    parts: list[Part] = []
    first = inherited = NOTHING
    for number, table in enumerate(tables):
        start = ends[number - 1] if number else 0
        own = read_title(rows[start : table.first], table.columns, problems)
        _check_cover(cover, own, rows[table.first].where(0), problems)
        base = cover if not number else inherited
        above = Title(
            own.name, {**base.fields, **own.fields}, base.scale if own.scale is None else own.scale
        )  # fmt: skip
        head = rows[table.below - 1]
        if (
            own.scale is None
            and base.scale not in (None, 1)
            and (own.fields.get("currency", base.fields.get("currency")) != base.fields.get("currency"))
        ):
            code = own.fields["currency"]
            problems.append(Problem("price-unit", f"whether amounts in {code} count in {base.scale:,} too is open",
                                    head.where(table.columns[0].place), f"write 单位：{code}, or the unit, above "
                                    "these headings"))  # fmt: skip
        columns = scaled(table.columns, above, head, problems)
        _check_headed_tax(columns, above, head, problems)
        titled = [own.name] if own.name else []
        # a file's name is the seller's own business: it is told (quote.watch), not held against the headings
        check_kind([*titled, *names[:-1]], head.where(columns[0].place), columns, problems)
        for name in names:
            above = check_name(name, head.where(columns[0].place), above, columns, problems)
        inherited = above if not number else inherited
        first = above if not number else first
        body = rows[table.below : ends[number]]
        above = read_below(body, columns, above, problems)
        currency = above.fields.get("currency")
        stated = currency is not None or any(column.field == "currency" for column in columns)
        body = prepare(body, table.below, (*columns, *table.unread), stated)
        read = read_lines(body, columns, problems, broken, currency, {column.place for column in table.unread})
        _check_mixed(read.lines, above, problems)
        parts.append(Part(above, read.lines, head.where(columns[0].place), read.sets, read.remarks))
    # What a remark at the foot says of the first table is part of the book's title.
    return Sheet(first._replace(fields={**parts[0].title.fields, **first.fields}), parts)


def _ends(tables: Sequence[Table], rows: Sequence[TableRow]) -> list[int]:
    """Return where each table ends, and the title of the next one begins.

    Remarks right below the lines with a blank row after them belong to the lines; remarks right between lines and
    headings belong to the headings, but for what speaks of prices above.
    """
    ends = []
    for table, following in itertools.pairwise(tables):
        start = following.first
        while start > table.below and not is_line(rows[start - 1], table.columns):
            start -= 1
        end = start
        while end < following.first and _text(rows[end]):
            end += 1
        if end == following.first:
            end = max((at + 1 for at in range(start, end) if _ABOVE.search(_text(rows[at]))), default=start)
        ends.append(end)
    return [*ends, len(rows)]


def _text(row: TableRow) -> str:
    return " ".join(plain(cell) for cell in row.cells if plain(cell)).casefold()


def _check_cover(cover: Title, own: Title, where: str, problems: list[Problem]) -> None:
    if {cover.fields.get("tax"), own.fields.get("tax")} == {"included", "added"}:
        problems.append(Problem("tax-open", "the title contradicts what another sheet says of the tax", where,
                                "keep one"))  # fmt: skip


def _check_headed_tax(columns: Sequence[Column], above: Title, head: TableRow, problems: list[Problem]) -> None:
    """Refuse a heading that says the opposite of the title; with and without tax side by side is no contradiction."""
    stated = above.fields.get("tax")
    for column in columns:
        if (
            column.field == "unit_price"
            and {column.tax, stated} == {"included", "added"}
            and not any(other.field == "unit_price_other_tax" for other in columns)
        ):
            problems.append(Problem("tax-open",
                                    f"the heading '{column.heading}' contradicts what stands above it of the "
                                    "tax", head.where(column.place), "keep one"))  # fmt: skip


def _check_mixed(lines: Sequence[PriceLine], above: Title, problems: list[Problem]) -> None:
    """Refuse lines that leave open what others of the same table state, where nothing states it for all."""
    for field, words in (("currency", "currency"), ("tax", "tax")):
        if field in above.fields:
            continue
        priced = [line for line in lines if _is_priced(line)]
        stating = [line for line in priced if getattr(line, field) is not None]
        silent = [line for line in priced if getattr(line, field) is None]
        if stating and silent:
            problems.append(Problem(f"{words}-open", f"{len(silent)} of {len(priced)} lines state no {words}, others "
                                    f"do ({stating[0].where}: {getattr(stating[0], field)})", silent[0].where,
                                    "state it for every line, or above the headings"))  # fmt: skip


def _is_priced(line: PriceLine) -> bool:
    """Return whether a line has an amount; one without any has its own problem, and states nothing of amounts."""
    return any(getattr(line, field) is not None for field in PRICE_FIELDS)


def check_sheets(parts: Sequence[Part], problems: list[Problem]) -> None:
    """Refuse tables that leave open what another table of the book states of currency or tax."""
    for field in ("currency", "tax"):
        priced = [part for part in parts if part.lines]
        states = {
            id(part): field in part.title.fields or all(getattr(line, field) for line in part.lines if _is_priced(line))
            for part in priced
        }
        stating = [part for part in priced if states[id(part)]]
        for part in priced:
            if stating and not states[id(part)]:
                problems.append(Problem("price-book-title", f"this table states no {field} for all its prices, the one "
                                        f"at {stating[0].where} does", part.where,
                                        "state it above the headings, or in them"))  # fmt: skip


def stamped(parts: Sequence[Part], title: Mapping[str, Any]) -> list[PriceLine]:
    """Return lines that keep what holds for their own table, where the book as a whole says something else."""
    found = []
    for part in parts:
        for line in part.lines:
            own = {
                field: part.title.fields[field]
                for field in ("currency", "tax", "tax_percent")
                if getattr(line, field) is None and part.title.fields.get(field, title.get(field)) != title.get(field)
            }
            found.append(line.model_copy(update=own) if own else line)
    return found
