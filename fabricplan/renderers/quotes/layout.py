"""What stands on a quote and in which order: head, columns, lines, foot, configuration, cables by length.

Workbook, page and table are written from the same pieces, so that they cannot differ. Nothing here reads a line's
internal figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from fabricplan.quote import Quote, QuoteLine, Text, customer_copy
from fabricplan.quote.document import BookRef, FabricFacts, Section, TaxRow, sections
from fabricplan.quote.money import capitals, signed
from fabricplan.quote.terms import Party
from fabricplan.wording.quotes import joined, quote_term

COLUMNS: tuple[str, ...] = (
    "no", "product", "brand", "pn", "opn", "description", "quantity", "unit", "unit_price", "amount", "lead_time",
    "warranty", "note",
)  # fmt: skip
ALWAYS = frozenset({"no", "product", "description", "quantity", "unit", "unit_price", "amount"})
PARTY_FIELDS = ("address", "contact", "phone", "email", "tax_id", "bank", "account")
SYMBOLS = {"CNY": "¥", "USD": "$", "EUR": "€", "GBP": "£", "HKD": "HK$", "JPY": "JP¥"}
Labelled = tuple[str, str]


class Words:
    """Words of one quote in one language (``en``, ``zh`` or ``both``)."""

    def __init__(self, quote: Quote, lang: str) -> None:
        self.quote, self.lang = quote, lang

    def term(self, key: str) -> str:
        """Return a word."""
        return quote_term(key, self.lang)

    def filled(self, key: str, between: str = " / ", **params: object) -> str:
        """Return a sentence with its numbers."""
        zh, en = (quote_term(key, lang).format(**params) for lang in ("zh", "en"))
        return joined(zh, en, self.lang, between)

    def text(self, text: Text | None, between: str = "\n") -> str:
        """Return a bilingual text."""
        return "" if text is None else joined(text.zh, text.en, self.lang, between)

    def page(self) -> str:
        """Return the footer of every sheet: page and number of pages."""
        return self.term("page") if self.lang != "both" else "&P / &N"

    def part(self, part: str, name: Text) -> str:
        """Return a part number as it is, and what goes by its name (perhaps with a length) in the asked language."""
        if not part.startswith(name.en):
            return part
        return self.text(name, " ") + part[len(name.en) :]

    def grand_total_term(self) -> str:
        """Return the label of the grand total, which holds the tax wherever there is one."""
        return self.term("total_included" if self.quote.taxed else "total_none")

    def price_term(self, key: str) -> str:
        """Return the heading of unit price or amount, by how the tax stands."""
        mode = self.quote.tax_mode if self.quote.taxed else "none"
        return self.term(f"{key}_{mode}")

    def network(self, name: str) -> str:
        """Return the heading of a network's section; a name of the user's own stands beside the kind."""
        if not name:
            return self.term("shared")
        fabric = next((item for item in self.quote.fabrics if item.name == name), None)
        if fabric is None:
            return name
        kind = self.term(f"network_{fabric.network}")
        alone = sum(item.network == fabric.network for item in self.quote.fabrics) == 1
        return kind if alone or name == fabric.network else f"{kind} {name}"


class Column(NamedTuple):
    """A column of the table of lines."""

    key: str
    heading: str


def columns(quote: Quote, words: Words) -> list[Column]:
    """Return the columns that hold something."""
    found = []
    for key in COLUMNS:
        if key in ALWAYS or any(cell_text(line, key, words) for line in quote.lines):
            heading = words.price_term(key) if key in ("unit_price", "amount") else words.term(key)
            if key in ("unit_price", "amount"):
                heading += f"\n({quote.currency})"
            found.append(Column(key, heading))
    return found


def cell_text(line: QuoteLine, key: str, words: Words) -> str:
    """Return the text of a line's cell (for number, quantity, price and amount see the line itself)."""
    if key == "product":
        return words.text(line.name)
    if key in ("brand", "pn", "opn"):
        return str(getattr(line, key))
    if key == "unit":
        return words.term(f"unit_{line.unit}")
    found: Text | None = getattr(line, key)
    return words.text(found)


def rate_text(value: Decimal) -> str:
    """Return a percentage or rate without needless zeros.

    >>> rate_text(Decimal("13.00")), rate_text(Decimal("7.1050"))
    ('13', '7.105')
    """
    return f"{value.normalize():f}"


def head_rows(quote: Quote, words: Words) -> list[tuple[str, str, str]]:
    """Return (key, label, value) of the quote itself, those with something in them."""
    found = [
        ("quote_number", words.term("number"), quote.number or ""),
        ("quote_date", words.term("date"), str(quote.date)),
        ("quote_project", words.term("project"), words.text(quote.project)),
        ("quote_valid_until", words.term("valid_until"), str(quote.valid_until or "")),
        ("quote_currency", words.term("currency"), quote.currency),
    ]
    return [row for row in found if row[2]]


def party_rows(party: Party | None, role: str, words: Words) -> list[tuple[str, str, str]]:
    """Return (key, label, value) of seller or customer, the name first."""
    if party is None:
        return []
    rows = [(f"{role}_name", words.term(role), words.text(party.name))]
    for field in PARTY_FIELDS:
        value = getattr(party, field)
        shown = words.text(value) if isinstance(value, Text) else value or ""
        if shown:
            rows.append((f"{role}_{field}", words.term(field), shown))
    return rows


def total_label(quote: Quote, words: Words) -> str:
    """Return the label of the total; an incomplete one says so."""
    label = words.grand_total_term()
    if quote.complete:
        return label
    count = sum(line.unit_price is None for line in quote.lines)
    return label + words.filled("incomplete", " ", count=count)


def tax_label(row: TaxRow, words: Words) -> str:
    """Return the label of the tax of one rate; a cent that rounding alone does not give is told."""
    label = f"{words.term('tax')} {rate_text(row.percent)}%"
    return label + words.filled("tax_residue", " ", residue=signed(row.residue)) if row.residue else label


def in_words(quote: Quote, lang: str) -> str:
    """Return the total in Chinese capitals: for complete quotes in CNY that hold Chinese."""
    return capitals(quote.total) if quote.currency == "CNY" and quote.complete and lang != "en" else ""


def remarks(quote: Quote, words: Words) -> list[tuple[str, str, str]]:
    """Return (key, label, text) of what stands below the totals."""
    found: list[tuple[str, str, str]] = []
    if quote.taxed:
        if quote.tax_mode == "added":
            sentence = words.filled("prices_added", "\n")
        else:
            key = "prices_included" if len(quote.taxes) == 1 else "prices_included_rates"
            said = {
                lang: quote_term(key, lang).format(
                    percent=quote_term("enumeration", lang).join(f"{rate_text(row.percent)}%" for row in quote.taxes),
                    tax=getattr(quote.tax_name, lang),
                )
                for lang in ("zh", "en")
            }
            sentence = joined(said["zh"], said["en"], words.lang)
        found.append(("terms_tax", words.term("tax_note"), sentence))
    if quote.exchange:
        lines = [
            words.filled("exchange_line", currency=rate.currency, rate=rate_text(rate.rate), quote=quote.currency,
                         source=words.text(rate.source, " / "), date=rate.date)
            for rate in quote.exchange
        ]  # fmt: skip
        found.append(("terms_exchange", words.term("exchange"), "\n".join(lines)))
    if quote.price_basis is not None:
        found.append(("terms_basis", words.term("basis"), words.text(quote.price_basis)))
    elif quote.books:
        titles = dict.fromkeys(_book_title(book, words) for book in customer_copy(quote).books)
        found.append(("terms_basis", words.term("basis"), "\n".join(titles)))
    for key, label, text in (
        ("terms_payment", "payment", quote.payment), ("terms_delivery", "delivery", quote.delivery),
        ("terms_warranty", "warranty_terms", quote.warranty), ("terms_notes", "notes", quote.notes),
    ):  # fmt: skip
        if text is not None:
            found.append((key, words.term(label), words.text(text)))
    return found


def _book_title(book: BookRef, words: Words) -> str:
    """Return what the customer reads of a price book: one without a name to be shown is a price list."""
    return book.model_copy(update={"name": book.name or words.term("price_list")}).title


class Layout(NamedTuple):
    """All pieces of a quote in one language."""

    words: Words
    columns: list[Column]
    sections: tuple[Section, ...]
    several_networks: bool

    @property
    def several_groups(self) -> bool:
        """Whether group subtotals say more than the total does."""
        return sum(len(section.groups) for section in self.sections) > 1


def numbered(quote: Quote) -> list[tuple[int, QuoteLine]]:
    """Return the lines in the order and with the numbers that the customer reads."""
    lines = [line for section in sections(quote.lines) for part in section.groups for line in part.lines]
    return list(enumerate(lines, 1))


def lay_out(quote: Quote, lang: str) -> Layout:
    """Return the pieces of a quote."""
    words = Words(quote, lang)
    parts = sections(quote.lines)
    return Layout(words, columns(quote, words), parts, len(parts) > 1)


def configuration(quote: Quote, words: Words) -> list[tuple[str, list[Labelled]]]:
    """Return (title, rows) of the whole and of every fabric."""
    whole: list[Labelled] = []
    if quote.project is not None:
        whole.append((words.term("project"), words.text(quote.project, " / ")))
    if quote.gpus:
        whole.append((words.term("gpus"), f"{quote.gpus:,}"))
    whole.append((words.term("nodes"), f"{quote.nodes:,}"))
    found = [("", whole)]
    for fabric in quote.fabrics:
        title = words.network(fabric.name) if len(quote.fabrics) > 1 else ""
        found.append((title, _fabric_rows(fabric, words)))
    return found


def technology_text(fabric: FabricFacts, lang: str) -> str:
    """Return technology and rate as people say them."""
    if fabric.technology == "infiniband":
        return f"{fabric.rate.upper()} InfiniBand {fabric.link_gbps}G"
    return f"{quote_term(fabric.technology, lang)} {fabric.link_gbps}GbE"


def ratio_text(fabric: FabricFacts, lang: str) -> str:
    """Return non-blocking, or the oversubscription of the tiers."""
    ratios = [fabric.oversubscription, *([fabric.oversubscription_spine] if fabric.tiers == 3 else [])]
    if set(ratios) == {"1:1"}:
        return quote_term("non_blocking", lang)
    return f"{quote_term('oversubscription', lang)} {' / '.join(ratios)}"


def switch_counts(fabric: FabricFacts, lang: str) -> str:
    """Return the switches by tier."""
    counts = (("leaf", fabric.leaf_count), ("spine", fabric.spine_count), ("core", fabric.core_count))
    return " + ".join(f"{quote_term(tier, lang)} {count}" for tier, count in counts if count)


def _fabric_rows(fabric: FabricFacts, words: Words) -> list[Labelled]:
    def both(of_lang: dict[str, str]) -> str:
        return joined(of_lang["zh"], of_lang["en"], words.lang, " / ")

    langs = ("zh", "en")
    total = fabric.leaf_count + fabric.spine_count + fabric.core_count
    links = (
        ("node_leaf", fabric.node_leaf_links), ("leaf_spine", fabric.leaf_spine_links),
        ("spine_core", fabric.spine_core_links), ("reserved", fabric.reserve_ports),
    )  # fmt: skip
    one, two = Decimal(fabric.bisection_gbps) / 1000, Decimal(fabric.bisection_gbps) / 500
    rows = [
        (words.term("technology"), both({lang: technology_text(fabric, lang) for lang in langs})),
        (words.term("topology"), words.term(fabric.topology)),
        (words.term("attach"), words.term(f"attach_{fabric.attach}")),
        (words.term("oversubscription"), both({lang: ratio_text(fabric, lang) for lang in langs})),
        (words.term("switches"), both({
            lang: quote_term("switches_value", lang).format(counts=switch_counts(fabric, lang), count=total)
            for lang in langs})),
        (words.term("endpoints"), f"{fabric.endpoints:,}"),
        (words.term("links"), both({
            lang: quote_term("comma", lang).join(quote_term(key, lang).format(count=f"{count:,}")
                                                 for key, count in links if count)
            for lang in langs})),
        (words.term("bisection"), words.filled("bisection_value", one=rate_text(one), two=rate_text(two))),
    ]  # fmt: skip
    if fabric.planes > 1:
        rows.insert(2, (words.term("planes"), words.filled("planes_value", count=fabric.planes)))
    return rows


class CableRow(NamedTuple):
    """Pieces of one orderable length, in use and spare."""

    product: str
    pn: str
    opn: str
    length_mm: int
    networks: str
    quantity: int
    spare: int


def cable_rows(quote: Quote, words: Words) -> list[CableRow]:
    """Return cables and fibres by part and length."""
    rows: dict[tuple[str, str, int], list[QuoteLine]] = {}
    for line in quote.lines:
        if line.length_mm is not None:
            rows.setdefault((line.name.en, line.part, line.length_mm), []).append(line)
    return [
        CableRow(words.text(lines[0].name, " "), lines[0].pn, lines[0].opn, length,
                 _networks(lines, words), sum(line.quantity for line in lines if line.group != "spare"),
                 sum(line.quantity for line in lines if line.group == "spare"))
        for (_, _, length), lines in sorted(rows.items(), key=lambda row: (row[0][0], row[0][2], row[0][1]))
    ]  # fmt: skip


def _networks(lines: Sequence[QuoteLine], words: Words) -> str:
    return " ".join(dict.fromkeys(words.network(line.network) for line in lines if line.network))
