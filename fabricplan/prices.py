"""Price books: what parts cost, by part number or order number, from one book or several in order of precedence.

A book holds text as its owner wrote it and amounts as ``Decimal``; nothing here reads files. Cost and list price
stay inside the company: they reach a :class:`fabricplan.quote.Quote` only as its internal figures.
"""

from __future__ import annotations

import datetime
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from fabricplan.catalog import Catalog
from fabricplan.errors import PriceError, Problem, nearest
from fabricplan.values import Finding, Value, finding

CURRENCIES: tuple[str, ...] = (
    "AED", "AUD", "CAD", "CHF", "CNY", "EUR", "GBP", "HKD", "INR", "JPY", "KRW", "MYR", "NOK", "SEK", "SGD", "THB",
    "TWD", "USD", "VND",
)  # fmt: skip
TaxState = Literal["included", "added"]
_USUAL_TAX = {"CNY": Decimal(13)}
"""The rate, in percent, that a price in a currency holds where only 含税 is written.

Source: VAT Law of the PRC (in force 2026-01-01), article 10: goods."""


class _Taxed(Value):
    """What may state a rate of tax; where none is stated, the field is not written (digests of older books hold)."""

    tax_percent: Decimal | None = None

    @model_serializer(mode="wrap")
    def _written(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        tree: dict[str, Any] = handler(self)
        if self.tax_percent is None:
            tree.pop("tax_percent", None)
        return tree


class PriceLine(_Taxed):
    """What one part costs.

    Attributes:
        part: part number, order number or catalogue key, as the book writes it.
        opn: the order number, where the book has both.
        unit_price: selling price of one piece.
        list_price: the maker's list price; discounts of the terms apply to it.
        cost: what the seller pays; margin and markup of the terms apply to it.
        currency: three letters; absent: the book's, else the terms'.
        tax: whether the amounts hold the tax; absent: the book's, else the terms'.
        tax_percent: the rate of that tax, where the book states one; the terms must have the same.
        minimum: fewest pieces that are sold.
        stock: pieces on the shelf.
        note: a remark for the seller; it may speak of cost and never reaches a customer.
        customer_note: a remark that stands on the quote.
        where: ``file:line`` or ``sheet!cell`` of the line.
    """

    part: str
    opn: str | None = None
    unit_price: Decimal | None = None
    list_price: Decimal | None = None
    cost: Decimal | None = None
    currency: str | None = None
    tax: TaxState | None = None
    brand: str | None = None
    lead_time: str | None = None
    warranty: str | None = None
    minimum: int | None = None
    valid_until: datetime.date | None = None
    stock: int | None = None
    note: str | None = None
    customer_note: str | None = None
    where: str = ""


class PriceBook(_Taxed):
    """A price book; ``version``, ``date`` and, where ``named``, its name go onto the quote.

    ``named``: the book states its name itself; otherwise it is called by its file. ``findings`` are what the seller
    must know of how it was read; they are no part of what it holds.
    """

    name: str
    named: bool = True
    version: str | None = None
    date: datetime.date | None = None
    currency: str | None = None
    tax: TaxState | None = None
    lines: tuple[PriceLine, ...]
    findings: tuple[Finding, ...] = Field(default=(), exclude=True)

    @property
    def title(self) -> str:
        """Name, version and date in one string."""
        return " ".join(str(piece) for piece in (self.name, self.version, self.date) if piece)


class FoundPrice(Value):
    """A line together with the number of its book."""

    book: int
    line: PriceLine


class PriceList:
    """Books in order of precedence, indexed by part. The first book that has a usable price for a part decides.

    Args:
        books: the books.
        usable: whether a line gives a price; absent: every line does.
    """

    def __init__(self, books: Sequence[PriceBook], usable: Callable[[PriceLine], bool] | None = None) -> None:
        self.books = tuple(books)
        self._usable = usable or (lambda line: True)
        self._index: dict[str, list[FoundPrice]] = {}
        for number, book in enumerate(self.books):
            for line in book.lines:
                for name in line_names(line):
                    self._index.setdefault(part_key(name), []).append(FoundPrice(book=number, line=line))

    def find(self, *names: str | None) -> FoundPrice | None:
        """Return the price under the first name that any book holds; a book outranks a better name.

        Where no book has a usable price, the first that holds the part is returned.

        Args:
            names: part number, order number, catalogue key; empty and absent ones are passed over.
        """
        found = [item for name in names if name for item in self._index.get(part_key(name), ())]
        return min(found, key=lambda item: (not self._usable(item.line), item.book), default=None)


def part_key(part: str) -> str:
    """Return a part number in the form in which books are searched: case, width, dashes and blanks are forgiven.

    >>> part_key("ｍqm9700－ns2f ") == part_key("MQM9700-NS2F")
    True
    """
    plain = unicodedata.normalize("NFKC", part).casefold()
    return "".join(letter for letter in plain if letter.isalnum() or letter in ".@")


def line_names(line: PriceLine) -> tuple[str, ...]:
    """Return the names under which a line is found."""
    return (line.part, line.opn) if line.opn else (line.part,)


def length_key(key: str, length_mm: int) -> str:
    """Return the name by which a book may price a length of a part that has no part number.

    >>> length_key("mpo12-om4", 30000), length_key("mpo12-om4", 1500)
    ('mpo12-om4@30m', 'mpo12-om4@1.5m')
    """
    return f"{key}@{(Decimal(length_mm) / 1000).normalize():f}m"


def check_lines(lines: Iterable[PriceLine]) -> list[Problem]:
    """Return what is wrong with the lines of one book: duplicates, lines without a price, amounts below or at zero."""
    problems: list[Problem] = []
    seen: dict[str, PriceLine] = {}
    for line in lines:
        for name in line_names(line):
            earlier = seen.setdefault(part_key(name), line)
            if earlier is not line:
                same = "the same price" if _amounts(earlier) == _amounts(line) else "another price"
                problems.append(Problem("duplicate-part", f"'{name}' stands twice, with {same}", line.where,
                                        f"first at {earlier.where}; keep one"))  # fmt: skip
                break
        problems += _line_problems(line)
    return problems


def _amounts(line: PriceLine) -> tuple[object, ...]:
    return line.unit_price, line.list_price, line.cost, line.currency


def _line_problems(line: PriceLine) -> Iterator[Problem]:
    names = {"unit_price": "unit price", "list_price": "list price", "cost": "cost"}
    given = {name: amount for name in names if (amount := getattr(line, name)) is not None}
    if not given:
        yield Problem("no-price", f"'{line.part}' has no price", line.where,
                      "fill in unit price, list price or cost, or take the line out")  # fmt: skip
    for name, amount in given.items():
        if amount < 0:
            yield Problem("negative-price", f"'{line.part}': {names[name]} {amount} is below zero", line.where,
                          "prices are above zero")  # fmt: skip
        elif amount == 0:
            yield Problem("zero-price", f"'{line.part}': {names[name]} is zero", line.where,
                          "take the line out; what is free of charge is a 100 % discount in the terms")  # fmt: skip
    if line.currency is not None and line.currency not in CURRENCIES:
        yield Problem("unknown-currency", f"'{line.part}': no currency '{line.currency}'", line.where,
                      nearest(line.currency, CURRENCIES))  # fmt: skip
    for name in ("minimum", "stock"):
        count = getattr(line, name)
        if count is not None and count < 0:
            yield Problem("negative-count", f"'{line.part}': {name} {count} is below zero", line.where)


def checked(book: PriceBook) -> PriceBook:
    """Return a book that is fit for use.

    Raises:
        PriceError: with every problem of the book.
    """
    problems = check_lines(book.lines)
    if not book.lines:
        problems.append(Problem("empty-book", "the price book holds no line", book.name,
                                "a heading row and at least one part are needed"))  # fmt: skip
    if problems:
        raise PriceError(*problems)
    return book


def silences(book: PriceBook) -> tuple[Finding, ...]:
    """Return what a book leaves to the terms: a currency, a state of the tax."""
    found = []
    for field in ("currency", "tax"):
        silent = [line for line in book.lines if getattr(line, field) is None]
        if getattr(book, field) is None and silent:
            found.append(finding("warning", f"book-no-{field}", book.name, count=len(silent), first=silent[0].where))
    return tuple(found)


def told(books: Iterable[PriceBook], currency: str | None = None, tax: str | None = None) -> Iterator[Finding]:
    """Yield what the seller must know of how books were read.

    Args:
        books: the books.
        currency: what amounts without a currency are taken in; absent: not known yet.
        tax: whether amounts that do not say so hold the tax: ``included``, ``added``, or empty where no tax is quoted.
    """
    for book in books:
        for item in book.findings:
            taken = {"book-no-currency": currency, "book-no-tax": tax}.get(item.code)
            if taken == "":
                continue
            extra = {"taken": taken} if taken is not None else {}
            params = {param.name: param.value for param in item.params}
            yield finding(item.severity, f"{item.code}-taken" if extra else item.code, item.subject, **params, **extra)


def tax_clash(line: PriceLine, book: PriceBook, percent: Decimal) -> Problem | None:
    """Return the problem of a price that holds a tax which the quote cannot take out or keep: one of another rate than
    the one it is quoted with, or one of an unknown rate where none is quoted."""
    rate = book.tax_percent if line.tax_percent is None else line.tax_percent
    if rate is None and (line.tax or book.tax) == "included" and not percent:
        return Problem("tax-rate-open", f"'{line.part}' holds a tax whose rate nothing states, the quote has no tax on "
                       "it", line.where, "state the tax in the terms (tax: percent, mode: added shows it apart), or "
                       "give prices without tax")  # fmt: skip
    if rate is None or rate == percent or (line.tax or book.tax) == "added":
        return None
    return Problem("tax-rate", f"'{line.part}' holds {rate:f} % tax, the quote has {percent:f} % on it", line.where,
                   "state the rate in the terms (tax: percent, or groups), or give prices without tax")  # fmt: skip


def tax_assumed(line: PriceLine, book: PriceBook, currency: str, percent: Decimal) -> bool:
    """Return whether a price holds a tax of a rate that nothing states, and that its currency does not suggest."""
    stated = book.tax_percent if line.tax_percent is None else line.tax_percent
    held = (line.tax or book.tax) == "included"
    return held and stated is None and percent != _USUAL_TAX.get(currency)


class BrokenBook(PriceError):
    """A book that cannot be used, with the lines as far as they were read: their parts can be checked all the same."""

    def __init__(self, problems: Sequence[Problem], lines: Iterable[PriceLine]) -> None:
        super().__init__(*problems)
        self.lines = tuple(lines)


def cost_only(lines: Iterable[PriceLine]) -> list[PriceLine]:
    """Return the lines that give a price only to terms with a margin or a markup."""
    return [line for line in lines if line.cost is not None and line.unit_price is None and line.list_price is None]


def unknown_parts(lines: Iterable[PriceLine], catalog: Catalog) -> list[Problem]:
    """Return the lines whose part the catalogue does not know, each with the near miss.

    Books hold other goods too, so these are warnings; a mistyped number is found here before it is missed in a quote.
    """
    known = known_parts(catalog)
    names = sorted(set(known.values()))
    return [
        Problem("unknown-part", f"the catalogue has no part '{line.part}'", line.where, _near(line.part, names))
        for line in lines
        if all(part_key(name.split("@")[0]) not in known for name in line_names(line))
    ]


def _near(part: str, names: Sequence[str]) -> str:
    found = nearest(part, names)
    return found if found.startswith("did you mean") else "goods of another kind need no entry"


def crossed_parts(lines: Iterable[PriceLine], catalog: Catalog) -> list[Problem]:
    """Return the lines whose part number and order number belong to different parts of the catalogue."""
    rows: dict[str, tuple[str, tuple[str, ...]]] = {}
    for row in _part_rows(catalog):
        for name in row:
            rows.setdefault(part_key(name), (name, row))
    found = []
    for line in lines:
        part, opn = rows.get(part_key(line.part)), rows.get(part_key(line.opn or ""))
        if part and opn and not {*map(part_key, part[1])} & {*map(part_key, opn[1])}:
            found.append(Problem("crossed-part", f"'{line.part}' and '{line.opn}' are two different parts", line.where,
                                 f"'{line.opn}' is the number of {opn[1][0]}; correct one of them"))  # fmt: skip
    return found


def _part_rows(catalog: Catalog) -> Iterator[tuple[str, ...]]:
    """Yield the numbers that belong together: part number and order number of one thing that can be ordered."""
    for kind in ("switches", "adapters", "transceivers", "cables", "fibres", "accessories", "panels"):
        for key in catalog.keys(kind):
            data = catalog.raw(kind, key)
            for row in (data, *(data.get("variants") or ()), *(data.get("lengths") or ())):
                names = tuple(row[field] for field in ("pn", "opn") if isinstance(row.get(field), str))
                if names:
                    yield names


def known_parts(catalog: Catalog) -> Mapping[str, str]:
    """Return folded name -> name of everything that a quote of this catalogue may ask a price for."""
    found: dict[str, str] = {}
    for kind in ("switches", "adapters", "transceivers", "cables", "fibres", "accessories", "panels"):
        for key in catalog.keys(kind):
            data = catalog.raw(kind, key)
            rows = [data, *(data.get("variants") or ()), *(data.get("lengths") or ())]
            names = [row[field] for row in rows for field in ("pn", "opn") if isinstance(row.get(field), str)]
            for name in (key, *names):
                found.setdefault(part_key(name), name)
    return found
