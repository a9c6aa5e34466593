"""The Quote document: lines, totals, parties and terms, with the digests of what it was made from.

The customer's figures and the seller's are apart: what a line cost, its list price and its discount stand in
``QuoteLine.internal``, which :func:`customer_copy` takes out and ``dumps`` leaves out unless asked.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from pydantic import Field, ValidationError

from fabricplan.errors import Problem, ReadError
from fabricplan.plan import MadeBy
from fabricplan.prices import TaxState
from fabricplan.quote.money import total
from fabricplan.quote.terms import GROUPS, ExchangeRate, GroupName, Party, Text
from fabricplan.storedjson import document
from fabricplan.values import Finding, Value

SCHEMA = "fabricplan/quote/1"
UnitCode = Literal["switch", "adapter", "transceiver", "cable", "set", "service", "device_year", "day"]


class InternalFigures(Value):
    """What only the seller sees of a line, per piece, in the currency of the price book's line."""

    book: str
    where: str
    currency: str
    basis: Literal["unit", "list", "cost", "terms"]
    base: Decimal
    list_price: Decimal | None = None
    cost: Decimal | None = None
    cost_quote: Decimal | None = None
    discount_percent: Decimal = Decimal(0)
    note: str | None = None


class QuoteLine(Value):
    """One line. ``network`` is empty for what serves all networks; a line without a price is on request.

    Amounts hold the tax where the quote's ``tax_mode`` is ``included``. ``foreign`` is the currency that the price
    was converted from.
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
    internal: InternalFigures | None = None

    @property
    def part(self) -> str:
        """What the line is called where one word must do."""
        return self.pn or self.opn or self.name.en


class TaxRow(Value):
    """The tax of all lines of one rate: ``net`` + ``tax`` = ``gross``."""

    percent: Decimal
    net: Decimal
    tax: Decimal
    gross: Decimal


class BookRef(Value):
    """A price book that was used, and the digest of what it held (empty in a customer's copy)."""

    name: str
    version: str | None = None
    date: datetime.date | None = None
    digest: str

    @property
    def title(self) -> str:
        """Name, version and date in one string."""
        return " ".join(str(piece) for piece in (self.name, self.version, self.date) if piece)


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


class Quote(Value):
    """A quote. ``complete`` is false while a line has no price; then the totals hold the priced lines only."""

    schema_: Literal["fabricplan/quote/1"] = Field(default="fabricplan/quote/1", alias="schema")
    made_by: MadeBy
    plan: str
    request_digest: str
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
    payment: Text | None
    delivery: Text | None
    warranty: Text | None
    notes: Text | None
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
        "terms_digest": "",
        "books": tuple(book.model_copy(update={"digest": ""}) for book in quote.books),
    })  # fmt: skip


def dumps(quote: Quote, internal: bool = False) -> bytes:
    """Return a quote as JSON, amounts as text; the same quote gives the same bytes.

    Args:
        quote: the quote.
        internal: with the seller's own figures. Never send that to a customer.
    """
    shown = quote if internal else customer_copy(quote)
    tree = shown.model_dump(mode="json", by_alias=True, exclude_none=True)
    tree.setdefault("lines", [])
    # A price on request is told by a null, not by a missing key.
    for row in tree["lines"]:
        row.setdefault("unit_price", None)
        row.setdefault("amount", None)
    for name in ("number", "valid_until", "project", "seller", "customer", "payment", "delivery", "warranty",
                 "notes", "gpus"):  # fmt: skip
        tree.setdefault(name, None)
    return (json.dumps(tree, ensure_ascii=False, indent=1) + "\n").encode()


def loads(data: bytes, name: str = "quote.json") -> Quote:
    """Return a quote from its JSON.

    Raises:
        ReadError: not JSON, not a quote, or made by a newer version of this program.
    """
    tree = document(data, SCHEMA, name)
    try:
        return Quote.model_validate(tree)
    except ValidationError as caught:
        fault = caught.errors()[0]
        path = ".".join(str(step) for step in fault["loc"])
        raise ReadError(Problem("broken-quote", f"{path}: {fault['msg']}", name,
                                "the file was changed or cut off; make the quote anew")) from None  # fmt: skip
