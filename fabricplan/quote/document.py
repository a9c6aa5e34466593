"""The Quote document: lines, totals, parties and terms, with the digests of what it was made from.

The customer's figures and the seller's are apart: what a line cost, its list price and its discount stand in
``QuoteLine.internal``, which :func:`customer_copy` takes out.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from pydantic import Field

from fabricplan.plan import MadeBy
from fabricplan.prices import TaxState
from fabricplan.quote.money import total
from fabricplan.quote.terms import GROUPS, ExchangeRate, GroupName, Party, Text
from fabricplan.requirement import Requirement
from fabricplan.values import Finding, Value

UnitCode = Literal["switch", "adapter", "transceiver", "cable", "set", "service", "device_year", "day"]


class InternalFigures(Value):
    """What only the seller sees of a line, per piece, in the currency of the price book's line.

    ``tax`` is what the book states; ``computed`` the unit price before a total was fixed, in the quote's currency.
    """

    book: str
    where: str
    currency: str
    basis: Literal["unit", "list", "cost", "terms"]
    base: Decimal
    unit_price: Decimal | None = None
    list_price: Decimal | None = None
    cost: Decimal | None = None
    tax: TaxState | None = None
    computed: Decimal | None = None
    cost_quote: Decimal | None = None
    discount_percent: Decimal = Decimal(0)
    note: str | None = None


class QuoteLine(Value):
    """One line. ``network`` is empty for what serves all networks; a line without a price is on request.

    Amounts hold the tax where the quote's ``tax_mode`` is ``included``. ``foreign`` is the currency that the price
    was converted from. ``times`` is what the terms multiply a count of the plan by (years of support, days of work);
    none for goods, whose quantity is the plan's. ``share`` is the percentage of the hardware that a price is.
    """

    group: GroupName
    network: str = ""
    name: Text
    brand: str = ""
    pn: str = ""
    opn: str = ""
    description: Text
    quantity: int
    unit: UnitCode
    unit_price: Decimal | None
    amount: Decimal | None
    tax_percent: Decimal
    foreign: str | None = None
    lead_time: Text | None = None
    warranty: Text | None = None
    note: Text | None = None
    length_mm: int | None = None
    times: int | None = None
    share: Decimal | None = None
    internal: InternalFigures | None = None

    @property
    def part(self) -> str:
        """What the line is called where one word must do."""
        if self.pn or self.opn or self.length_mm is None:
            return self.pn or self.opn or self.name.en
        return f"{self.name.en} {Decimal(self.length_mm) / 1000:f} m"


class InternalTerms(Value):
    """What only the seller sees of the terms: which amount of a book prices come from, and how the total was fixed."""

    basis: str
    fixed: str


class TaxRow(Value):
    """The tax of all lines of one rate: ``net`` + ``tax`` = ``gross``.

    ``residue`` is the part of ``tax`` that rounding alone does not give: a cent at most, where a total was fixed or
    rounded down which no sum before tax gives.
    """

    percent: Decimal
    net: Decimal
    tax: Decimal
    gross: Decimal
    residue: Decimal = Decimal(0)


class BookRef(Value):
    """A price book that was used, and the digest of what it held (empty in a customer's copy).

    ``named``: whether the book states its name; the name of its file is no customer's business. A name that may not be
    shown is empty in a customer's copy.
    """

    name: str
    version: str | None = None
    date: datetime.date | None = None
    named: bool = True
    digest: str

    @property
    def title(self) -> str:
        """Name, version and date in one string."""
        return " ".join(str(piece) for piece in (self.name, self.version, self.date) if piece)


_OWN = re.compile(
    r"成本|底价|底线|采购|进价|进货|(?:代理|渠道|经销|分销)商?价|内部|毛利|利润|折扣|保密|机密|"
    r"\b(cost|costs|floor|purchas\w*|buy\w*|margins?|internal|discounts?|confidential|secret)\b",
    re.IGNORECASE,
)
"""Words that speak of the seller's own figures."""
_TIER = re.compile(
    r"渠道|代理|分销|经销|特价|批发|\b(dealers?|resellers?|distribut(?:or|ors|ion)|disti"
    r"|(?<!fibre )(?<!fiber )channels?"
    r"|partners?|special|wholesale)\b",
    re.IGNORECASE,
)
"""Words in the name of a price book that tell for which tier of the trade its prices are made."""


def telling(title: str) -> bool:
    """Tell whether the name of a price book speaks of the seller's own figures, or of a tier of the trade.

    >>> telling("成本底价 2026"), telling("cost_2026"), telling("Costa Rica list")
    (True, True, False)
    >>> telling("某某公司渠道价格表"), telling("Distributor price list"), telling("Fibre Channel prices")
    (True, True, False)
    """
    return speaks_of_figures(title) or _TIER.search(title.replace("_", " ")) is not None


def speaks_of_figures(text: str) -> bool:
    """Tell whether a text speaks of the seller's own figures.

    >>> speaks_of_figures("8周（成本价锁定）"), speaks_of_figures("代理商质保 1年")
    (True, False)
    """
    return _OWN.search(text.replace("_", " ")) is not None


class FabricFacts(Value):
    """What the customer must know of one fabric; counts are over all planes, the bisection is one direction."""

    name: str
    network: str
    technology: str
    rate: str
    link_gbps: int
    tiers: int
    planes: int
    attach: str
    oversubscription: str
    oversubscription_spine: str
    endpoints: int
    leaf_count: int
    spine_count: int
    core_count: int
    box_count: int
    node_leaf_links: int
    leaf_spine_links: int
    spine_core_links: int
    reserve_ports: int
    bisection_gbps: int

    @property
    def topology(self) -> str:
        """Key of the word for its form: by tiers; leaves without spines are not one switch."""
        return "leaves_alone" if self.tiers == 1 and self.leaf_count > self.planes else f"tiers_{self.tiers}"


class Quote(Value):
    """A quote. ``complete`` is false while a line has no price; then the totals hold the priced lines only.

    ``made_by`` priced the plan, ``plan_version`` is the program that designed it for ``request``.
    """

    schema_: Literal["fabricplan/quote/1"] = Field(default="fabricplan/quote/1", alias="schema")
    made_by: MadeBy
    plan: str
    request_digest: str
    request: Requirement | None = None
    plan_version: str = ""
    terms_digest: str
    gpus: int | None
    nodes: int
    fabrics: tuple[FabricFacts, ...]
    number: str | None
    date: datetime.date
    valid_until: datetime.date | None
    project: Text | None
    seller: Party | None
    customer: Party | None
    currency: str
    tax_name: Text
    tax_mode: TaxState
    lines: tuple[QuoteLine, ...]
    taxes: tuple[TaxRow, ...]
    net: Decimal
    tax: Decimal
    total: Decimal
    complete: bool
    books: tuple[BookRef, ...]
    exchange: tuple[ExchangeRate, ...]
    price_basis: Text | None = None
    payment: Text | None
    delivery: Text | None
    warranty: Text | None
    notes: Text | None
    internal: InternalTerms | None = None
    findings: tuple[Finding, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Parts without a price."""
        return tuple(dict.fromkeys(line.part for line in self.lines if line.unit_price is None))

    @property
    def taxed(self) -> bool:
        """Whether there is any tax."""
        return any(row.percent for row in self.taxes)


class GroupPart(NamedTuple):
    """The lines of one group within a section, and the sum of their amounts."""

    group: GroupName
    lines: tuple[QuoteLine, ...]
    subtotal: Decimal


class Section(NamedTuple):
    """The groups of one network (or, with an empty name, of what serves all), and their sum."""

    network: str
    groups: tuple[GroupPart, ...]
    subtotal: Decimal


def sections(lines: Sequence[QuoteLine]) -> tuple[Section, ...]:
    """Return lines by network, then by group, both in the order of the quote."""
    found = []
    for network in dict.fromkeys(line.network for line in lines):
        groups = []
        for group in GROUPS:
            mine = tuple(line for line in lines if line.network == network and line.group == group)
            if mine:
                groups.append(GroupPart(group, mine, total(line.amount for line in mine if line.amount is not None)))
        found.append(Section(network, tuple(groups), total(part.subtotal for part in groups)))
    return tuple(found)


def customer_copy(quote: Quote) -> Quote:
    """Return a quote without any of the seller's own figures and findings.

    The digests of the terms and of the price books are left out (empty): who guesses a margin or a discount could try
    his guesses on them.
    """
    return quote.model_copy(update={
        "lines": tuple(line.model_copy(update={"internal": None}) for line in quote.lines),
        "findings": (),
        "internal": None,
        "terms_digest": "",
        "books": tuple(_shown_book(book) for book in quote.books),
    })  # fmt: skip


def _shown_book(book: BookRef) -> BookRef:
    hidden = not book.named or telling(book.name)
    version = None if book.version is not None and telling(book.version) else book.version
    return book.model_copy(update={
        "digest": "", "name": "" if hidden else book.name, "version": version, "named": not hidden})  # fmt: skip
