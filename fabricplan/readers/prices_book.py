"""From the tables of a price book to the book: what holds for all of it, and what its seller must know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from fabricplan.errors import Problem
from fabricplan.prices import BrokenBook, PriceBook, PriceLine, check_lines, checked, silences
from fabricplan.readers.prices_columns import TableRow
from fabricplan.readers.prices_sheet import Part, check_sheets, stamped
from fabricplan.readers.prices_table import near_headings, unknown_headings
from fabricplan.readers.prices_title import Title
from fabricplan.values import Finding, finding


def no_headings(name: str, rows: Sequence[TableRow] = ()) -> Problem:
    """Return the problem of a table in which no row of headings is found; of a near miss, its headings."""
    if (near := near_headings(rows)) is not None:
        where, headings = near
        return Problem("no-headings", "no heading is known as a price of one piece: "
                       + ", ".join(f"'{heading}'" for heading in headings), where,
                       "head the prices 单价, 折后价, 列表价 or 成本 (Unit price, Net price, List price or "
                       "Cost)")  # fmt: skip
    unknown = unknown_headings(rows)
    where, headings = unknown if unknown is not None else (name, [])
    not_known = f"; not known: {', '.join(map(repr, headings))}" if headings else ""
    return Problem("no-headings", "no row of headings: a column for the part number (型号, Part number) and one "
                   f"for a price (单价, Unit price) are needed{not_known}", where,
                   "name the columns; they may stand in any order")  # fmt: skip


def assembled(
    name: str,
    title: Title,
    parts: Sequence[Part],
    problems: list[Problem],
    broken: Sequence[PriceLine],
    findings: Sequence[Finding],
) -> PriceBook:
    """Return the book.

    Args:
        name: the file's.
        title: what holds for the book.
        parts: its tables.
        problems: what is wrong so far.
        broken: lines that could not be read.
        findings: what the seller must know of how the file was read.

    Raises:
        PriceError: with every problem.
    """
    check_sheets(parts, problems)
    lines = stamped(parts, title.fields)
    problems += check_lines(lines)
    if problems:
        raise BrokenBook(problems, [*lines, *broken])
    fields: Mapping[str, Any] = {"name": title.name or PurePath(name).stem, **title.fields}
    book = checked(PriceBook(**fields, lines=tuple(lines)))
    sets = [where for part in parts for where in part.sets]
    more = [finding("warning", "book-set-unit", book.name, count=len(sets), first=sets[0])] if sets else []
    remarks = [where for part in parts for where in part.remarks]
    if remarks:
        more.append(finding("warning", "book-remarks", book.name, count=len(remarks), first=remarks[0]))
    named = [item.model_copy(update={"subject": item.subject or book.name}) for item in findings]
    return book.model_copy(update={"findings": (*silences(book), *named, *more)})
