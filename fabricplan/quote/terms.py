"""Commercial terms: who sells to whom, when, in which currency, with which tax, discounts and services."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, model_validator

from fabricplan.errors import PriceError, Problem, nearest
from fabricplan.prices import CURRENCIES, TaxState, part_key
from fabricplan.quote.off import percent_off, plain, read_number
from fabricplan.quote.phrases import Text as Text
from fabricplan.quote.phrases import both as both
from fabricplan.quote.phrases import spoken
from fabricplan.requirement import json_path
from fabricplan.values import Value

GroupName = Literal["switch", "adapter", "transceiver", "cable", "software", "service", "spare"]
GROUPS: tuple[GroupName, ...] = ("switch", "adapter", "transceiver", "cable", "software", "service", "spare")
"""Groups of a quote, in their order."""
HARDWARE: tuple[GroupName, ...] = ("switch", "adapter", "transceiver", "cable", "spare")
"""Groups whose amounts are the hardware that a share is reckoned from."""
Basis = Literal["auto", "unit", "list", "cost"]
Per = Literal["switch", "cable", "adapter", "transceiver", "node", "day", "lot"]
VAT_PERCENT = Decimal(13)
"""Value-added tax on goods in mainland China, the default for quotes in CNY."""


def _text(value: object) -> object:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = "\n".join(value)
    if isinstance(value, str):
        return spoken(value)
    if isinstance(value, Mapping) and len(value) == 1:
        return {"en": next(iter(value.values())), "zh": next(iter(value.values())), **value}
    return value


def _pairs(value: object) -> object:
    """Turn a mapping into pairs: values hold no dictionaries."""
    return tuple(value.items()) if isinstance(value, Mapping) else value


def _percentage(value: object) -> object:
    """Read text such as ``5%``; a bare fraction of one, which may mean a share, is refused."""
    if isinstance(value, str) and value.strip().endswith(("%", "％")):
        return read_number(value.strip()[:-1])
    read = read_number(value)
    try:
        number = Decimal(str(read))
    except ArithmeticError:
        return read
    if 0 < number < 1:
        raise ValueError(f"{number * 100:f} or {number:f} per cent? write {plain(number * 100)} for the one, "
                         f"{plain(number)}% for the other")  # fmt: skip
    return read


def _date(value: object) -> object:
    """Read dates written with dashes, points or slashes."""
    return value.strip().replace("/", "-").replace(".", "-") if isinstance(value, str) else value


def _with_unit(value: str) -> str:
    """Refuse a lead time of a number alone."""
    if value.strip().isdigit():
        raise ValueError("weeks or days? write 8 weeks or 8周")
    return value


Words = Annotated[Text, BeforeValidator(_text)]
Percent = Annotated[Decimal, BeforeValidator(_percentage), Field(ge=0, le=100, decimal_places=4)]
Off = Annotated[Decimal, BeforeValidator(percent_off), Field(ge=0, le=100, decimal_places=4)]
"""Per cent off a price."""
Below100 = Annotated[Decimal, BeforeValidator(_percentage), Field(ge=0, lt=100, decimal_places=4)]
Amount = Annotated[Decimal, BeforeValidator(read_number), Field(gt=0, lt=10**13)]
Date = Annotated[datetime.date, BeforeValidator(_date)]
Currency = Annotated[str, BeforeValidator(lambda value: value.strip().upper() if isinstance(value, str) else value)]
PercentByGroup = Annotated[tuple[tuple[GroupName, Percent], ...], BeforeValidator(_pairs)]
OffByGroup = Annotated[tuple[tuple[GroupName, Off], ...], BeforeValidator(_pairs)]
OffByPart = Annotated[tuple[tuple[str, Off], ...], BeforeValidator(_pairs)]


class Party(Value):
    """Seller or customer."""

    name: Words
    address: Words | None = None
    contact: Words | None = None
    phone: str | None = None
    email: str | None = None
    tax_id: str | None = None
    bank: Words | None = None
    account: str | None = None


class Tax(Value):
    """The tax: its name, rate, and whether unit prices hold it. ``groups`` have a rate of their own."""

    name: Words = Text(en="VAT", zh="增值税")
    percent: Percent = VAT_PERCENT
    mode: TaxState = "included"
    groups: PercentByGroup = ()

    def of(self, group: str) -> Decimal:
        """Return the rate of a group, in percent."""
        return next((percent for name, percent in self.groups if name == group), self.percent)


class ExchangeRate(Value):
    """What one unit of ``currency`` is worth in the quote's currency, who says so and when."""

    currency: Currency
    rate: Amount
    source: Words
    date: Date


class Discounts(Value):
    """Percentages off. The most specific of part and group applies; ``total`` comes on top, on every line."""

    parts: OffByPart = ()
    groups: OffByGroup = ()
    total: Off = Decimal(0)

    @model_validator(mode="after")
    def _parts_differ(self) -> Discounts:
        seen: dict[str, str] = {}
        for part, _ in self.parts:
            key = part_key(part)
            if key in seen:
                raise ValueError(f"parts: '{seen[key]}' and '{part}' are the same part; keep one of them")
            seen[key] = part
        return self


class Service(Value):
    """Work that is sold with the goods, per piece that the plan counts, per day or as a lot.

    ``price`` is what the customer pays before the total discount, in the quote's currency, with the tax if the
    quote's unit prices hold it.
    """

    name: Words
    description: Words | None = None
    per: Per = "lot"
    quantity: Annotated[int, Field(strict=True, ge=1)] | None = None
    price: Amount | None = None
    part: str | None = None
    cost: Amount | None = None

    @model_validator(mode="after")
    def _count_known(self) -> Service:
        if self.per == "day" and self.quantity is None:
            raise ValueError("quantity is needed: how many days")
        if self.quantity is not None and self.per not in ("day", "lot"):
            raise ValueError(f"a service per {self.per} is counted from the plan; leave quantity out")
        if (self.price is None) == (self.part is None):
            raise ValueError("give price, or part (a line of the price book), not both and not neither")
        return self


class Item(Value):
    """Goods that the plan does not count (software, licences, servers), priced here or from the price book."""

    part: str
    name: Words
    description: Words | None = None
    brand: str | None = None
    group: GroupName = "software"
    quantity: Annotated[int, Field(strict=True, ge=1)] = 1
    price: Amount | None = None


class Support(Value):
    """Support for years: per device and year at a price (here, or the book's under ``sku``), or as a yearly share
    of the hardware."""

    name: Words
    sku: str | None = None
    years: Annotated[int, Field(strict=True, ge=1, le=20)]
    devices: str | None = None
    price: Amount | None = None
    percent_of_hardware: Percent | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Support:
        if self.percent_of_hardware is not None:
            if self.price is not None or self.devices is not None:
                raise ValueError("a share of the hardware takes neither price nor devices")
        elif self.devices is None:
            raise ValueError("devices is needed: a part number or a group such as switch")
        elif self.price is None and self.sku is None:
            raise ValueError("give price (per device and year), sku (a line of the price book) or percent_of_hardware")
        return self


class Freight(Value):
    """Freight and insurance as one line."""

    price: Amount
    name: Words = Text(en="Freight and insurance", zh="运输及保险费")


class Terms(Value):
    """Everything commercial that a plan and a price book do not say.

    Attributes:
        date: date of the quote; nothing here reads a clock.
        basis: which amount of a book unit prices come from; ``auto``: unit price, else list price, else cost where
            a margin or markup is stated.
        margin_percent: profit as a share of the price (price = cost / (1 - margin)).
        markup_percent: profit as a share of the cost (price = cost x (1 + markup)).
        price_basis: what the quote says its prices come from, instead of the names of the price books.
        target_total: the grand total to arrive at; unit prices are recomputed.
        round_down_to: the grand total is rounded down to a multiple of this.
    """

    number: str | None = None
    date: Date
    valid_days: Annotated[int, Field(strict=True, ge=1, le=3650)] | None = None
    valid_until: Date | None = None
    project: Words | None = None
    seller: Party | None = None
    customer: Party | None = None
    currency: Currency = "CNY"
    tax: Tax | None = None
    exchange: tuple[ExchangeRate, ...] = ()
    basis: Basis = "auto"
    margin_percent: Below100 | None = None
    markup_percent: Annotated[Decimal, BeforeValidator(_percentage), Field(ge=0)] | None = None
    discounts: Discounts = Discounts()
    services: tuple[Service, ...] = ()
    items: tuple[Item, ...] = ()
    support: tuple[Support, ...] = ()
    freight: Freight | None = None
    brand: str | None = None
    lead_time: Annotated[str, AfterValidator(_with_unit)] | None = None
    payment: Words | None = None
    delivery: Words | None = None
    warranty: Words | None = None
    notes: Words | None = None
    price_basis: Words | None = None
    target_total: Amount | None = None
    round_down_to: Amount | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Terms:
        for code in (self.currency, *(rate.currency for rate in self.exchange)):
            if code not in CURRENCIES:
                raise ValueError(f"no currency '{code}'; {nearest(code, CURRENCIES)}")
        named = [rate.currency for rate in self.exchange]
        if self.currency in named or len(set(named)) < len(named):
            raise ValueError("exchange: one rate for each foreign currency, none for the quote's own")
        if self.margin_percent is not None and self.markup_percent is not None:
            raise ValueError("give margin_percent or markup_percent, not both")
        if self.basis == "cost" and self.margin_percent is None and self.markup_percent is None:
            raise ValueError("basis cost needs margin_percent or markup_percent")
        if self.target_total is not None and self.round_down_to is not None:
            raise ValueError("give target_total or round_down_to, not both")
        if self.valid_days is not None and self.valid_until is not None:
            raise ValueError("give valid_days or valid_until, not both")
        if self.valid_until is not None and self.valid_until < self.date:
            raise ValueError(f"valid_until {self.valid_until} is before the date {self.date}")
        return self

    @property
    def tax_rule(self) -> Tax:
        """The tax as stated; without a statement 13 % included in CNY, none in other currencies."""
        if self.tax is not None:
            return self.tax
        return Tax() if self.currency == "CNY" else Tax(percent=Decimal(0))

    @property
    def expires(self) -> datetime.date | None:
        """The last day on which the quote holds."""
        if self.valid_days is not None:
            return self.date + datetime.timedelta(days=self.valid_days)
        return self.valid_until

    def rate(self, currency: str) -> ExchangeRate | None:
        """Return the rate of a foreign currency, or None."""
        return next((rate for rate in self.exchange if rate.currency == currency), None)


def parse_terms(data: Mapping[str, Any], where: Mapping[str, str] | None = None) -> Terms:
    """Return terms from plain data.

    Args:
        data: the plain data, numbers as text, integers or ``Decimal``.
        where: JSON path -> place in the file; absent: the path itself.

    Raises:
        PriceError: with one problem per wrong field.
    """
    try:
        return Terms.model_validate(data)
    except ValidationError as caught:
        problems = []
        for fault in caught.errors():
            steps = tuple(step for step in fault["loc"] if not str(step).startswith("function-"))
            path = json_path(steps)
            kind, last = fault["type"], steps[-1] if steps else ""
            message = {
                "extra_forbidden": f"no such field '{last}'",
                "missing": f"the field '{last}' is needed",
            }.get(kind)
            if message is None:
                given = fault.get("input")
                message = str(fault["msg"]).removeprefix("Value error, ")
                message = message[:1].lower() + message[1:]
                message += f" (given: {given!r})" if isinstance(given, (str, int)) else ""
            hint = nearest(str(last), _fields(steps)) if kind == "extra_forbidden" else _hint(kind, steps)
            problems.append(Problem("terms-field", message, (where or {}).get(path, path), hint))
        raise PriceError(*dict.fromkeys(problems)) from None


_NEEDED = {
    "part": "the part number in the price book; beside a price of its own any short name will do",
    "name": "what the customer reads, for example name: Installation",
    "price": "an amount in the quote's currency", "years": "for how many years", "rate": "what one unit is worth",
    "source": "who publishes the rate", "date": "for example date: 2026-12-01",
    "currency": "three letters, for example USD",
}  # fmt: skip


def _hint(kind: str, steps: tuple[str | int, ...]) -> str:
    """Return what to write where a field is missing or of the wrong form."""
    last = str(steps[-1]) if steps else ""
    if kind == "missing":
        return _NEEDED.get(last, "")
    if kind in ("model_type", "model_attributes_type"):
        return "write its fields below it, for example name: ..."
    return "a list: begin every entry with a dash" if kind == "tuple_type" else ""


def _fields(steps: tuple[str | int, ...]) -> list[str]:
    owners: dict[str, type[Value]] = {
        "seller": Party, "customer": Party, "tax": Tax, "exchange": ExchangeRate, "discounts": Discounts,
        "services": Service, "items": Item, "support": Support, "freight": Freight,
    }  # fmt: skip
    owner = next((owners[step] for step in reversed(steps[:-1]) if isinstance(step, str) and step in owners), Terms)
    return list(owner.model_fields)
