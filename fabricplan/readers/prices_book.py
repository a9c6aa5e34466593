"""From the tables of a price book to the book: what holds for all of it, and what its seller must know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from fabricplan.errors import Problem
from fabricplan.prices import BrokenBook, PriceBook, PriceLine, check_lines, checked, silences
from fabricplan.readers.prices_sheet import Part, check_sheets, stamped
from fabricplan.readers.prices_title import Title
from fabricplan.values import Finding, finding


def no_headings(name: str) -> Problem:
    """Return the problem of a table in which no row of headings is found."""
    return Problem("no-headings", "no row of headings: a column for the part number (型号, Part number) and one "
                   "for a price (单价, Unit price) are needed", name,
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
    named = [item.model_copy(update={"subject": item.subject or book.name}) for item in findings]
    return book.model_copy(update={"findings": (*silences(book), *named, *more)})
