"""Plan, price books and terms in, Quote out. Pricing a plan never re-sizes it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext

from fabricplan._version import __version__
from fabricplan.errors import PriceError, Problem
from fabricplan.growth import extension
from fabricplan.plan import MadeBy, Plan
from fabricplan.prices import (
    PriceBook,
    checked,
    told,
)  # fmt: skip
from fabricplan.quote.document import BookRef, InternalTerms, Quote, QuoteLine
from fabricplan.quote.goods import facts, goods
from fabricplan.quote.money import AMOUNT_MAX, EXACT, money, rounded, total
from fabricplan.quote.off import plain
from fabricplan.quote.pricer import Pricer, both_texts
from fabricplan.quote.rates import watch_rates
from fabricplan.quote.settle import Settled, round_down, settle
from fabricplan.quote.taxes import gross_total, tax_rows, with_residue
from fabricplan.quote.terms import Terms, Text
from fabricplan.quote.watch import watch, watch_names, watch_terms
from fabricplan.values import Finding, Value, finding


def price(plan: Plan, prices: PriceBook | Sequence[PriceBook], terms: Terms, stands: Plan | None = None) -> Quote:
    """Price a plan, or what it takes to extend another one to it.

    Every unit price is rounded once to the currency's smallest unit, halves up; a line is unit price x quantity;
    the total is the sum of the shown lines. Lines without a price are on request, and the quote says that it is
    incomplete.

    Args:
        plan: the plan; quantities come from its bill.
        prices: one price book, or several in order of precedence.
        terms: the commercial terms.
        stands: the plan that is built already; its parts, nodes and GPUs are not sold again.

    Raises:
        PriceError: a book is wrong, an exchange rate is missing, or a total cannot be arrived at.
        InfeasibleError: the plan does not leave what stands as it is.
    """
    with localcontext(EXACT):
        return _priced(plan, (prices,) if isinstance(prices, PriceBook) else tuple(prices), terms, stands)


def _priced(plan: Plan, books: Sequence[PriceBook], terms: Terms, stands: Plan | None) -> Quote:
    nodes, gpus = plan.nodes, plan.gpus
    said: Text | None = terms.notes
    if stands is not None:
        more = both_texts("extension_note", stands=f"{stands.nodes:,}", total=f"{nodes:,}")
        said = more if said is None else Text(en=f"{more.en}\n{said.en}", zh=f"{more.zh}\n{said.zh}")
        plan = extension(plan, stands)
        nodes -= stands.nodes
        gpus = gpus - (stands.gpus or 0) if gpus is not None else None
    work = Pricer([checked(book) for book in books], terms)
    lines = [work.good(item) for item in goods(plan)]
    lines += [work.item(number) for number in range(len(terms.items))]
    # A service that the plan counts nothing for is told to the seller and is no line.
    lines += [line for service in terms.services if (line := work.service(service, plan, nodes)).quantity]
    lines += [line for support in terms.support for line in work.support(support, lines)]
    if terms.freight is not None:
        lines.append(work.freight(terms.freight))
    if work.problems:
        raise PriceError(*dict.fromkeys(work.problems))
    ordered = _in_order(lines)
    computed = gross_total(tax_rows(ordered, terms.tax_rule.mode, terms.currency))
    fixed = _settled(ordered, terms)
    settled = fixed.lines
    taxes = with_residue(tax_rows(settled, terms.tax_rule.mode, terms.currency), fixed.residue)
    net, tax = total(row.net for row in taxes), total(row.tax for row in taxes)
    if net + tax >= AMOUNT_MAX:
        raise PriceError(Problem("amount-too-large", f"the total {money(net + tax)} has more digits than a spreadsheet "
                                 "holds", "", "check the prices"))  # fmt: skip
    used = {line.foreign for line in settled if line.foreign}
    unsafe = [item for item in plan.findings if item.severity == "error"]
    notes = [finding("error", "plan-has-errors", plan.name, count=len(unsafe), first=unsafe[0].code)] if unsafe else []
    absent = dict.fromkeys(line.part for line in settled if line.unit_price is None)
    notes += [finding("error", "price-missing", part) for part in absent]
    exchange = tuple(rate for rate in terms.exchange if rate.currency in used)
    if fixed.scaled and terms.round_down_to is not None:
        notes.append(finding("warning", "rounded-by-all-lines", "round_down_to", off=money(computed - net - tax)))
    if fixed.residue:
        notes.append(finding("info", "tax-residue", "tax", total=money(net + tax), residue=money(fixed.residue)))
    if fixed.off_share is not None:
        notes.append(finding("info", "share-residue", fixed.off_share.part, total=money(net + tax),
                             price=money(fixed.off_share.unit_price or Decimal(0))))  # fmt: skip
    warnings = (*watch(settled, computed, net + tax, terms), *watch_terms(settled, terms),
                *watch_rates(exchange, terms), *watch_names(books, terms))  # fmt: skip
    return Quote(
        made_by=MadeBy(version=__version__, catalog=plan.made_by.catalog), plan=plan.name,
        request_digest=_digest(plan.requirement), request=plan.requirement, plan_version=plan.made_by.version,
        internal=_internal_terms(terms), terms_digest=_digest(_pricing_terms(terms)),
        gpus=gpus, nodes=nodes, fabrics=tuple(facts(sizing) for sizing in plan.fabrics),
        number=terms.number, date=terms.date, valid_until=terms.expires, project=terms.project,
        seller=terms.seller, customer=terms.customer, currency=terms.currency,
        tax_name=terms.tax_rule.name, tax_mode=terms.tax_rule.mode, lines=tuple(settled), taxes=taxes,
        net=net, tax=tax, total=net + tax, complete=not absent,
        books=tuple(BookRef(name=book.name, version=book.version, date=book.date, named=book.named,
                            digest=book_digest(book)) for book in books),
        exchange=exchange, price_basis=terms.price_basis,
        payment=terms.payment, delivery=terms.delivery, warranty=terms.warranty, notes=said,
        findings=(*notes, *dict.fromkeys((*_books_told(books, terms), *work.findings, *work.told(), *warnings))),
    )  # fmt: skip


def _books_told(books: Sequence[PriceBook], terms: Terms) -> Iterator[Finding]:
    """Yield what the seller must know of how the books were read, with what the terms fill in."""
    rule = terms.tax_rule
    return told(books, terms.currency, rule.mode if rule.of("switch") else "")


def _settled(lines: Sequence[QuoteLine], terms: Terms) -> Settled:
    def grand(mine: Sequence[QuoteLine]) -> Decimal:
        return gross_total(tax_rows(mine, terms.tax_rule.mode, terms.currency))

    if terms.target_total is not None:
        target = rounded(terms.target_total, terms.currency)
        return settle(lines, target, grand, terms.currency, scale=True)
    if terms.round_down_to is not None and all(line.unit_price is not None for line in lines):
        target = rounded(round_down(grand(lines), terms.round_down_to), terms.currency)
        if target <= 0:
            raise PriceError(Problem("round-down", f"rounding down to {terms.round_down_to} leaves nothing",
                                     "round_down_to", "choose a smaller step"))  # fmt: skip
        return settle(lines, target, grand, terms.currency, scale=False)
    return Settled(tuple(lines), Decimal(0), False)


def _in_order(lines: list[QuoteLine]) -> list[QuoteLine]:
    """Keep networks in the plan's order; what serves all of them comes last."""
    networks = list(dict.fromkeys(line.network for line in lines if line.network))
    return sorted(lines, key=lambda line: networks.index(line.network) if line.network else len(networks))


def _internal_terms(terms: Terms) -> InternalTerms:
    marked = "" if terms.margin_percent is None and terms.markup_percent is None else "+cost"
    ways = {"target_total": terms.target_total, "round_down_to": terms.round_down_to}
    return InternalTerms(
        basis=terms.basis + marked,
        fixed=", ".join(f"{name} {plain(value)}" for name, value in ways.items() if value is not None),
    )


def _pricing_terms(terms: Terms) -> Terms:
    """Return what of the terms decides prices (not who sells, nor the exchange rates, which a quote shows)."""
    return Terms(
        date=terms.date.replace(year=2000, month=1, day=1), currency=terms.currency, tax=terms.tax, basis=terms.basis,
        margin_percent=terms.margin_percent, markup_percent=terms.markup_percent, discounts=terms.discounts,
        services=terms.services, items=terms.items, support=terms.support, freight=terms.freight,
        target_total=terms.target_total, round_down_to=terms.round_down_to,
    )  # fmt: skip


def _digest(value: Value) -> str:
    return _digest_of(value.model_dump_json(by_alias=True))


def book_digest(book: PriceBook) -> str:
    """Return the digest of what a book holds: not of its name, nor of where its lines stand."""
    lines = [line.model_dump_json(exclude={"where"}) for line in book.lines]
    return _digest_of("\n".join([book.currency or "", book.tax or "", *lines]))


def _digest_of(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
