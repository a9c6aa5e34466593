"""The price of every line: looked up, turned into the quote's currency, discounted, and what must be told of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from typing import NamedTuple

from fabricplan.errors import SHOWN_NAMES, Problem, closest
from fabricplan.plan import Plan
from fabricplan.prices import (
    FoundPrice,
    PriceBook,
    PriceLine,
    PriceList,
    TaxState,
    part_key,
    tax_assumed,
    tax_clash,
)  # fmt: skip
from fabricplan.quote.document import InternalFigures, QuoteLine, UnitCode
from fabricplan.quote.goods import Good
from fabricplan.quote.money import EXACT, rounded, total
from fabricplan.quote.off import plain
from fabricplan.quote.phrases import lead_time, spoken
from fabricplan.quote.terms import HARDWARE, Freight, Service, Support, Terms, Text, both
from fabricplan.quote.watch import fit_for_customer
from fabricplan.values import Finding, finding
from fabricplan.wording.quotes import quote_term

_PER_UNIT: dict[str, UnitCode] = {"day": "day", "lot": "service"}
_HUNDRED = Decimal(100)


class UnitPrice(NamedTuple):
    """A price of one piece, rounded, and how it came about."""

    price: Decimal
    internal: InternalFigures
    foreign: str | None


class Pricer:
    """Prices lines one after the other; lives inside one call of :func:`price`."""

    def __init__(self, books: Sequence[PriceBook], terms: Terms) -> None:
        self.prices = PriceList(books, lambda line: self._base(line) is not None)
        self.terms, self.tax = terms, terms.tax_rule
        self.stock: dict[str, int] = {}
        self.wanted: dict[str, int] = {}
        self.problems: list[Problem] = []
        self.findings: list[Finding] = []
        self.assumed: dict[tuple[str, Decimal], str] = {}
        self.named: set[str] = set()
        self.grouped: set[str] = set()

    def good(self, item: Good) -> QuoteLine:
        """Return the line of goods of the plan."""
        found = self.prices.find(*item.names)
        brand = (self.terms.brand or "") if item.from_catalog else ""
        group = item.kind if item.group == "spare" else item.group
        return self._line(
            found, QuoteLine(
                group=item.group, network=item.network, name=item.name, brand=brand, pn=item.pn, opn=item.opn,
                description=item.description, quantity=item.quantity, unit=item.unit, unit_price=None, amount=None,
                tax_percent=self.tax.of(item.group), length_mm=item.length_mm,
            ), ("cable" if group == "fibre" else group, item.group), item.names,
        )  # fmt: skip

    def item(self, number: int) -> QuoteLine:
        """Return the line of an item of the terms."""
        item = self.terms.items[number]
        line = QuoteLine(
            group=item.group, name=item.name, brand=item.brand or "", pn=item.part,
            description=item.description or both(""), quantity=item.quantity, unit="set", unit_price=None,
            amount=None, tax_percent=self.tax.of(item.group), times=item.quantity,
        )  # fmt: skip
        if item.price is not None:
            return self._finish(line, self._own_price(item.price, None, (item.part,), (item.group,)), None)
        return self._line(self.prices.find(item.part), line, (item.group,), (item.part,))

    def service(self, service: Service, plan: Plan, nodes: int) -> QuoteLine:
        """Return the line of a service, counted over the plan."""
        counts = {
            "switch": plan.bom.count("switch"), "cable": plan.bom.count("cable") + plan.bom.count("fibre"),
            "adapter": plan.bom.count("adapter"), "transceiver": plan.bom.count("transceiver"), "node": nodes,
        }  # fmt: skip
        quantity = counts.get(service.per, service.quantity or 1)
        if not quantity:
            self.findings.append(finding("info", "service-without-subject", service.name.en, per=service.per))
        unit = _PER_UNIT.get(service.per, "service")
        described = service.description or both("")
        times = 1 if service.per in counts else quantity
        line = self._blank("service", service.name, described, quantity, unit, service.part or "", times)
        if service.price is not None:
            return self._finish(line, self._own_price(service.price, service.cost, (), ("service",)), None)
        return self._line(self.prices.find(service.part), line, ("service",), (service.part or "",))

    def support(self, support: Support, before: Sequence[QuoteLine]) -> list[QuoteLine]:
        """Return the lines of support: a share of the hardware before it, or so many years of a part."""
        hardware = [line for line in before if line.group in HARDWARE]
        years = {"years": support.years}
        if support.percent_of_hardware is not None:
            described = both_texts("support_share", percent=f"{support.percent_of_hardware.normalize():f}", **years)
            line = self._blank("service", support.name, described, 1, "service", support.sku or "", 1)
            line = line.model_copy(update={"share": support.percent_of_hardware * support.years})
            if any(item.amount is None for item in hardware):
                return [line]
            whole = total(item.amount for item in hardware if item.amount is not None)
            share = whole * support.percent_of_hardware * support.years / _HUNDRED
            # The hardware's amounts are discounted already; only the share itself is rounded.
            return [self._finish(line, self._own_price(share, None, (), (), discounted=True), None)]
        wanted = part_key(support.devices or "")
        devices = sum(line.quantity for line in hardware if line.group != "spare" and wanted in (
            part_key(line.pn), part_key(line.opn), part_key(line.group)))  # fmt: skip
        if not devices:
            self.problems.append(Problem("support-devices", f"the plan has no '{support.devices}' to support",
                                         "support", "name a part of the bill, or a group such as switch"))  # fmt: skip
            return []
        described = both_texts("support_years", devices=devices, **years)
        sku = support.sku or ""
        line = self._blank(
            "service", support.name, described, devices * support.years, "device_year", sku, support.years
        )
        if support.price is not None:
            return [self._finish(line, self._own_price(support.price, None, (sku,), ("service",)), None)]
        return [self._line(self.prices.find(sku), line, ("service",), (sku,))]

    def freight(self, freight: Freight) -> QuoteLine:
        """Return the line of freight."""
        line = self._blank("service", freight.name, both(""), 1, "service", "", 1)
        return self._finish(line, self._own_price(freight.price, None, (), ("service",)), None)

    def _blank(
        self, group: str, name: Text, described: Text, quantity: int, unit: UnitCode, pn: str, times: int
    ) -> QuoteLine:
        return QuoteLine.model_validate({
            "group": group, "name": name, "description": described, "quantity": quantity, "unit": unit, "pn": pn,
            "unit_price": None, "amount": None, "tax_percent": self.tax.of(group), "times": times,
        })  # fmt: skip

    def _line(
        self, found: FoundPrice | None, line: QuoteLine, groups: Sequence[str], names: Sequence[str]
    ) -> QuoteLine:
        self._known(groups, names)
        if found is None:
            return line.model_copy(update={"lead_time": lead_time(self.terms.lead_time, None, line.quantity)})
        row, withheld = fit_for_customer(found.line)
        found = found.model_copy(update={"line": row})
        self.findings += withheld
        self._watch(row, line)
        return self._finish(line, self._unit_price(found, line, groups, names), found)

    def _finish(self, line: QuoteLine, unit: UnitPrice | None, found: FoundPrice | None) -> QuoteLine:
        row = found.line if found else None
        updates: dict[str, object] = {
            "lead_time": self._lead_time(row, line) if line.group not in ("service", "software") or row else None,
        }  # fmt: skip
        if row is not None:
            updates.update(
                brand=row.brand or line.brand,
                warranty=spoken(row.warranty) if row.warranty else None,
                note=spoken(row.customer_note) if row.customer_note else None,
            )
        if unit is not None:
            stated = unit.internal
            if not unit.price and stated.basis == "terms" and stated.base and stated.discount_percent < _HUNDRED:
                self.problems.append(Problem("price-vanishes", f"'{line.part}' at {stated.base.normalize():f} "
                                             f"{stated.currency} rounds to zero", "",
                                             "state the price per larger unit"))  # fmt: skip
            updates.update(unit_price=unit.price, amount=unit.price * line.quantity, internal=unit.internal,
                           foreign=unit.foreign)  # fmt: skip
        return line.model_copy(update=updates)

    def _lead_time(self, row: PriceLine | None, line: QuoteLine) -> Text | None:
        if row is None or row.stock is None:
            return lead_time((row.lead_time if row else None) or self.terms.lead_time, None, line.quantity)
        key = part_key(row.part)
        left = self.stock.setdefault(key, row.stock)
        self.stock[key] = max(0, left - line.quantity)
        return lead_time(row.lead_time or self.terms.lead_time, left, line.quantity)

    def _watch(self, row: PriceLine, line: QuoteLine) -> None:
        key, expires = part_key(row.part), self.terms.expires
        if row.valid_until is not None and row.valid_until < self.terms.date:
            self.findings.append(finding("warning", "price-expired", row.part, until=str(row.valid_until),
                                         date=str(self.terms.date)))  # fmt: skip
        elif row.valid_until is not None and expires is not None and row.valid_until < expires:
            self.findings.append(finding("warning", "price-expires-early", row.part, until=str(row.valid_until),
                                         expires=str(expires)))  # fmt: skip
        self.wanted[key] = self.wanted.get(key, 0) + line.quantity
        counted = ("below-minimum", "stock-short")
        self.findings = [item for item in self.findings if item.code not in counted or item.subject != row.part]
        if row.minimum is not None and self.wanted[key] < row.minimum:
            self.findings.append(finding("warning", "below-minimum", row.part, quantity=self.wanted[key],
                                         minimum=row.minimum))  # fmt: skip
        if row.stock is not None and self.wanted[key] > row.stock:
            self.findings.append(finding("warning", "stock-short", row.part, quantity=self.wanted[key],
                                         stock=row.stock))  # fmt: skip

    def _unit_price(
        self, found: FoundPrice, line: QuoteLine, groups: Sequence[str], names: Sequence[str]
    ) -> UnitPrice | None:
        row, book = found.line, self.prices.books[found.book]
        currency = row.currency or book.currency or self.terms.currency
        rate = Decimal(1)
        if currency != self.terms.currency:
            known = self.terms.rate(currency)
            if known is None:
                self.problems.append(Problem("no-exchange-rate", f"'{row.part}' is priced in {currency}, the quote is "
                                             f"in {self.terms.currency}", row.where,
                                             f"state the rate of {currency} under exchange in the terms"))  # fmt: skip
                return None
            rate = known.rate
        if (clash := tax_clash(row, book, line.tax_percent)) is not None:
            self.problems.append(clash)
            return None
        if tax_assumed(row, book, currency, line.tax_percent):
            self.assumed.setdefault((book.name, line.tax_percent), row.where)
        with localcontext(EXACT):
            state = row.tax or book.tax or self.tax.mode
            factor = rate * self._tax_factor(state, line.tax_percent)
            chosen = self._base(row)
            if chosen is None:
                return None
            basis, base = chosen
            off = self._discount(groups, names)
            exact = base * off * factor
            shown = rounded(exact, self.terms.currency)
            if shown == 0 and off:
                self.problems.append(Problem("price-vanishes", f"'{row.part}' at {base} {currency} rounds to zero",
                                             row.where, "state the price per larger unit"))  # fmt: skip
            internal = InternalFigures(
                book=book.name, where=row.where, currency=currency, basis=basis, base=base,
                unit_price=row.unit_price, list_price=row.list_price, cost=row.cost, tax=row.tax or book.tax,
                computed=shown,
                cost_quote=None if row.cost is None else rounded(row.cost * factor, self.terms.currency),
                note=row.note, discount_percent=((1 - off) * _HUNDRED).quantize(Decimal("0.0001")),
            )  # fmt: skip
        return UnitPrice(shown, internal, currency if currency != self.terms.currency else None)

    def _own_price(
        self, amount: Decimal, cost: Decimal | None, names: Sequence[str], groups: Sequence[str],
        discounted: bool = False,
    ) -> UnitPrice:  # fmt: skip
        """Return a price that is stated in the quote's currency and tax mode."""
        self._known(groups, names)
        off = Decimal(1) if discounted else self._discount(groups, names)
        internal = InternalFigures(
            book="", where="", currency=self.terms.currency, basis="terms", base=amount, cost=cost, cost_quote=cost,
            discount_percent=(1 - off) * _HUNDRED, computed=rounded(amount * off, self.terms.currency),
        )  # fmt: skip
        return UnitPrice(rounded(amount * off, self.terms.currency), internal, None)

    def _base(self, row: PriceLine) -> tuple[str, Decimal] | None:
        """Return where a price comes from and what it is there, before discounts."""
        terms = self.terms
        marked = None
        if row.cost is not None and terms.margin_percent is not None:
            marked = row.cost * _HUNDRED / (_HUNDRED - terms.margin_percent)
        elif row.cost is not None and terms.markup_percent is not None:
            marked = row.cost * (_HUNDRED + terms.markup_percent) / _HUNDRED
        amounts = {"unit": row.unit_price, "list": row.list_price, "cost": marked}
        for basis, amount in amounts.items():
            if amount is not None and terms.basis in ("auto", basis):
                return basis, amount
        return None

    def _known(self, groups: Sequence[str], names: Sequence[str]) -> None:
        """Note what a discount can be for."""
        self.grouped.update(groups)
        self.named.update(name for name in names if name)

    def _unused(self) -> Iterator[Finding]:
        """Yield the discounts that are for nothing in the quote."""
        rules, keys = self.terms.discounts, {part_key(name) for name in self.named}
        parts = [part for part, _ in rules.parts if part_key(part) not in keys]
        groups = [group for group, _ in rules.groups if group not in self.grouped]
        for key, known in (*((part, self.named) for part in parts), *((group, self.grouped) for group in groups)):
            near = closest(key, sorted(known)) or ", ".join(sorted(known)[:SHOWN_NAMES]) or "-"
            yield finding("warning", "discount-unused", key, near=near)

    def told(self) -> Iterator[Finding]:
        """Yield the rates of tax that prices were taken to hold because nothing states one, and unused discounts."""
        for (book, percent), first in self.assumed.items():
            yield finding("warning", "tax-rate-assumed", book, percent=plain(percent), first=first)
        yield from self._unused()

    def _discount(self, groups: Sequence[str], names: Sequence[str]) -> Decimal:
        """Return the share of the price that is left after discounts."""
        rules = self.terms.discounts
        parts = {part_key(part): percent for part, percent in rules.parts}
        by_group = dict(rules.groups)
        keys = [part_key(name) for name in names if name]
        off = next((parts[key] for key in keys if key in parts), None)
        if off is None:
            # A spare is discounted like its own kind unless spares have a discount of their own.
            off = next((by_group[group] for group in reversed(groups) if group in by_group), Decimal(0))
        return (_HUNDRED - off) * (_HUNDRED - rules.total) / (_HUNDRED * _HUNDRED)

    def _tax_factor(self, state: TaxState, percent: Decimal) -> Decimal:
        whole = (_HUNDRED + percent) / _HUNDRED
        if state == self.tax.mode:
            return Decimal(1)
        return 1 / whole if state == "included" else whole


def both_texts(key: str, **params: object) -> Text:
    """Return a sentence of quotes in both languages."""
    return Text(en=quote_term(key, "en").format(**params), zh=quote_term(key, "zh").format(**params))
