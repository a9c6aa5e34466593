"""``quote.xlsx``: the quote, the configuration with its picture, and the cables by length. For customers.

The final unit price is a value, amounts and totals are formulas with their computed value stored. Nothing of list
price, discount, cost or margin is in the file.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from fabricplan.plan import Plan
from fabricplan.quote import Quote, QuoteLine, customer_copy
from fabricplan.quote.document import GroupPart
from fabricplan.quote.money import money, total
from fabricplan.renderers.diagram_svg import scene
from fabricplan.renderers.quotes.book import QuoteBook, cell_name, ranges
from fabricplan.renderers.quotes.layout import (
    Layout,
    cable_rows,
    cell_text,
    configuration,
    head_rows,
    in_words,
    lay_out,
    party_rows,
    rate_text,
    remarks,
    tax_label,
    total_label,
)
from fabricplan.renderers.quotes.raster import can_write, to_png
from fabricplan.wording.quotes import quote_term

WIDTHS = {
    "no": 5, "product": 20, "brand": 9, "pn": 19, "opn": 19, "description": 44, "quantity": 7, "unit": 7,
    "unit_price": 14, "amount": 16, "lead_time": 13, "warranty": 9, "note": 14,
}  # fmt: skip
PICTURE_PIXELS = 2000
PICTURE_INCHES = (10.0, 6.2)
"""The picture fits a landscape A4 page below a few rows."""


class Totals(NamedTuple):
    """Cells of a quote sheet that other sheets point at."""

    sheet: str
    total: str


def render(quote: Quote, lang: str, plan: Plan | None = None) -> dict[str, bytes]:
    """Return ``quote.xlsx``.

    Args:
        quote: the quote; its internal figures are not written.
        lang: ``en``, ``zh`` or ``both``.
        plan: the quoted plan, for the picture on the second sheet.
    """
    shown = customer_copy(quote)
    layout = lay_out(shown, lang)
    words = layout.words
    author = words.text(shown.seller.name, " ") if shown.seller else ""
    book = QuoteBook(shown, " ".join(piece for piece in (words.term("title"), shown.number) if piece), author)
    quote_sheet(book, shown, layout, words.term("sheet_quote"), named=True)
    configuration_sheet(book, shown, layout, plan)
    cables_sheet(book, shown, layout)
    return {"quote.xlsx": book.close()}


def quote_sheet(book: QuoteBook, quote: Quote, layout: Layout, name: str, named: bool) -> Totals:
    """Write the sheet of the quote itself."""
    return _QuoteSheet(book, quote, layout, name, named).write()


class _QuoteSheet:
    """Writes one quote sheet from top to bottom; lives inside one call."""

    def __init__(self, book: QuoteBook, quote: Quote, layout: Layout, name: str, named: bool) -> None:
        self.book, self.quote, self.layout, self.named = book, quote, layout, named
        self.words = layout.words
        self.sheet = book.sheet(name, self.words.page())
        self.keys = [column.key for column in layout.columns]
        self.at = {key: place for place, key in enumerate(self.keys)}
        self.last = len(self.keys) - 1
        self.widths: dict[str, float] = dict(WIDTHS)
        # Bold digits of the total must not become ###.
        dearest = max((line.unit_price for line in quote.lines if line.unit_price is not None), default=Decimal(0))
        self.widths["amount"] = max(WIDTHS["amount"], len(money(quote.total)) * 1.35 + 2)
        self.widths["unit_price"] = max(WIDTHS["unit_price"], len(money(dearest)) * 1.2 + 2)
        self.sheet.set_widths([self.widths[key] for key in self.keys])
        self.line_rows: dict[int, QuoteLine] = {}

    def write(self) -> Totals:
        row = self._head()
        heading = row
        for place, column in enumerate(self.layout.columns):
            self.sheet.write(row, place, column.heading, "head")
        self.sheet.fit(row, [(column.heading, self.widths[column.key]) for column in self.layout.columns], 2)
        row = self._lines(row + 1)
        row, total_row = self._foot(row)
        row = self._remarks(row + 1)
        self._signatures(row + 1)
        self.sheet.inner.freeze_panes(heading + 1, 0)
        self.sheet.inner.repeat_rows(heading)
        return Totals(self.sheet.inner.get_name(), cell_name(total_row, self.at["amount"]))

    def _name(self, key: str, row: int, column: int) -> None:
        if self.named:
            self.book.name_cell(key, self.sheet, row, column)

    def _head(self) -> int:
        sheet, words, quote = self.sheet, self.words, self.quote
        title = words.text(quote.seller.name, " ") if quote.seller else ""
        row = 0
        if title:
            sheet.merged(row, 0, self.last, title, "title")
            sheet.inner.set_row(row, 28)
            row += 1
        sheet.merged(row, 0, self.last, words.term("title"), "title")
        sheet.inner.set_row(row, 30)
        row += 1
        head = head_rows(quote, words)
        half = (len(head) + 1) // 2
        row = self._pairs(row, head[:half], head[half:]) + 1
        customer, seller = party_rows(quote.customer, "customer", words), party_rows(quote.seller, "seller", words)
        if customer or seller:
            row = self._pairs(row, customer, seller) + 1
        return row

    def _pairs(self, row: int, left: Sequence[tuple[str, str, str]], right: Sequence[tuple[str, str, str]]) -> int:
        """Write two columns of labelled values side by side."""
        middle, quantity = self.at["description"], self.at["quantity"]
        for number in range(max(len(left), len(right))):
            texts = []
            for rows, spans in (
                (left, ((0, 1), (2, middle))),
                (right, ((quantity, quantity + 1), (quantity + 2, self.last))),
            ):
                if number < len(rows):
                    key, label, value = rows[number]
                    self.sheet.merged(row, *spans[0], label, "label")
                    self.sheet.merged(row, *spans[1], value, "value")
                    self._name(key, row, spans[1][0])
                    texts += [(label, self.sheet.width(*spans[0])), (value, self.sheet.width(*spans[1]))]
            self.sheet.fit(row, texts)
            row += 1
        return row

    def _lines(self, row: int) -> int:
        number = 1
        for section in self.layout.sections:
            subtotal_rows = []
            first = row
            if self.layout.several_networks:
                self.sheet.band(row, self.last + 1, "network")
                self.sheet.write(row, 0, self.words.network(section.network), "network")
                self.sheet.fit(row, [])
                row += 1
            for part in section.groups:
                row, number, sum_row = self._group(row, number, part)
                subtotal_rows.append(sum_row)
            if self.layout.several_networks:
                rows = [at for at in self.line_rows if at > first]
                label = f"{self.words.network(section.network)} {self.words.term('subtotal')}"
                self._sum(row, label, ranges(rows, self.at["amount"]), section.subtotal)
                row += 1
        return row

    def _group(self, row: int, number: int, part: GroupPart) -> tuple[int, int, int]:
        name = self.words.term(f"group_{part.group}")
        self.sheet.band(row, self.last + 1, "group")
        self.sheet.write(row, 0, name, "group")
        self.sheet.fit(row, [])
        row += 1
        rows = []
        for line in part.lines:
            self._line(row, number, line)
            rows.append(row)
            self.line_rows[row] = line
            row, number = row + 1, number + 1
        if self.layout.several_groups:
            self._sum(row, f"{name} {self.words.term('subtotal')}", ranges(rows, self.at["amount"]), part.subtotal)
            row += 1
        return row, number, row - 1

    def _line(self, row: int, number: int, line: QuoteLine) -> None:
        sheet, at = self.sheet, self.at
        texts = []
        for place, key in enumerate(self.keys):
            if key == "no":
                sheet.write(row, place, number, "count")
            elif key == "quantity":
                sheet.write(row, place, line.quantity, "count")
            elif key == "unit_price":
                shown = line.unit_price if line.unit_price is not None else self.words.term("on_request")
                sheet.write(row, place, shown, "money" if line.unit_price is not None else "request")
            elif key == "amount":
                product = f"{cell_name(row, at['quantity'])}*{cell_name(row, at['unit_price'])}"
                if line.amount is not None:
                    sheet.formula(row, place, f"=ROUND({product},{self.book.digits})", line.amount)
                else:
                    # A price typed in later is taken up at once.
                    word = self.words.term("on_request")
                    price = cell_name(row, at["unit_price"])
                    sheet.formula(row, place, f'=IF(ISNUMBER({price}),ROUND({product},{self.book.digits}),"{word}")',
                                  word, "request")  # fmt: skip
            else:
                text = cell_text(line, key, self.words)
                sheet.write(row, place, text, "centre" if key in ("unit", "brand", "warranty", "lead_time") else "text")
                texts.append((text, self.widths[key]))
        sheet.fit(row, texts)

    def _sum(self, row: int, label: str, places: str, value: Decimal) -> None:
        self.sheet.band(row, self.last + 1, "sum_label")
        self._label(row, label, "sum_label")
        self.sheet.formula(row, self.at["amount"], f"=ROUND(SUM({places}),{self.book.digits})", value, "sum")

    def _label(self, row: int, label: str, look: str) -> None:
        """Write a label left of the amount column, over the columns that are free there."""
        first, last = self.at["description"], self.at["unit_price"]
        self.sheet.merged(row, first, last, label, look)
        self.sheet.fit(row, [(label, self.sheet.width(first, last))])

    def _foot(self, row: int) -> tuple[int, int]:
        quote, amount, digits = self.quote, self.at["amount"], self.book.digits
        whole = f"SUM({ranges(self.line_rows, amount)})"
        rates = [item for item in quote.taxes if item.percent]
        rows = 2 + len(rates) if quote.taxed else 1
        total_row = row + rows - 1
        total_cell = cell_name(total_row, amount)
        if quote.taxed:
            taxes = [cell_name(row + 1 + number, amount) for number in range(len(rates))]
            included = quote.tax_mode == "included"
            net = f"=ROUND({total_cell}-{'-'.join(taxes)},{digits})" if included else f"=ROUND({whole},{digits})"
            self._foot_row(row, "quote_net", self.words.term("net"), net, quote.net, "sum")
            for number, item in enumerate(rates, row + 1):
                mine = [at for at, line in self.line_rows.items() if line.tax_percent == item.percent]
                gross, percent = f"SUM({ranges(mine, amount)})", rate_text(item.percent)
                tax = (f"ROUND({gross},{digits})-ROUND(ROUND({gross},{digits})*100/(100+{percent}),{digits})"
                       if included else f"ROUND({gross},{digits})*{percent}/100")  # fmt: skip
                key = "quote_tax" if len(rates) == 1 else f"quote_tax_{percent.replace('.', '_')}"
                label = tax_label(item, self.words)
                residue = f"{item.residue:+f}" if item.residue else ""
                self._foot_row(number, key, label, f"=ROUND({tax}{residue},{digits})", item.tax, "sum")
            grand = (
                f"=ROUND({whole},{digits})"
                if included
                else f"=ROUND({cell_name(row, amount)}+{'+'.join(taxes)},{digits})"
            )
        else:
            grand = f"=ROUND({whole},{digits})"
        self._foot_row(total_row, "quote_total", total_label(quote, self.words), grand, quote.total, "total")
        row = total_row + 1
        capitals = in_words(quote, self.words.lang)
        if capitals:
            first = self.at["description"]
            self.sheet.band(row, self.last + 1, "words")
            label = f"{quote_term('capitals', self.words.lang)}：{capitals}"
            self.sheet.merged(row, 0, amount, label, "words")
            self.sheet.fit(row, [(label, self.sheet.width(first, amount))])
            self._name("quote_total_in_words", row, 0)
            row += 1
        return row, total_row

    def _foot_row(self, row: int, key: str, label: str, formula: str, value: Decimal, look: str) -> None:
        self.sheet.band(row, self.last + 1, f"{look}_label")
        self._label(row, label, f"{look}_label")
        self.sheet.formula(row, self.at["amount"], formula, value, look)
        self._name(key, row, self.at["amount"])

    def _remarks(self, row: int) -> int:
        for key, label, text in remarks(self.quote, self.words):
            self.sheet.merged(row, 0, 1, label, "label")
            self.sheet.merged(row, 2, self.last, text, "value")
            self._name(key, row, 2)
            self.sheet.fit(row, [(label, self.sheet.width(0, 1)), (text, self.sheet.width(2, self.last))])
            row += 1
        return row

    def _signatures(self, row: int) -> None:
        self.sheet.inner.set_row(row, 36)
        self.sheet.merged(row + 1, 0, min(3, self.at["description"] - 1), self.words.term("stamp_seller"), "signature")
        self.sheet.merged(row + 1, self.at["quantity"], self.last, self.words.term("stamp_customer"), "signature")


def configuration_sheet(book: QuoteBook, quote: Quote, layout: Layout, plan: Plan | None) -> None:
    """Write what the customer gets, and the picture of it."""
    words = layout.words
    sheet = book.sheet(words.term("sheet_configuration"), words.page())
    sheet.set_widths([30, 110])
    row = 0
    for title, rows in configuration(quote, words):
        if title:
            row += 1
            sheet.write(row, 0, title, "section")
            sheet.write(row, 1, None, "section")
            row += 1
        for label, value in rows:
            sheet.write(row, 0, label, "group")
            sheet.write(row, 1, value, "text")
            sheet.fit(row, [(label, 30), (value, 110)])
            row += 1
    png = picture(plan, words.lang) if plan is not None else None
    if png is None:
        return
    sheet.write(row + 1, 0, words.term("picture"), "section")
    sheet.write(row + 1, 1, None, "section")
    # A picture starts on a page of its own and fits it whole.
    sheet.inner.set_h_pagebreaks([row + 1])
    wide, high = struct.unpack(">II", png[16:24])
    inches = (wide / 96, high / 96)
    scale = min(limit / size for limit, size in zip(PICTURE_INCHES, inches, strict=True))
    sheet.inner.insert_image(row + 2, 0, "topology.png", {
        "image_data": io.BytesIO(png), "x_scale": scale, "y_scale": scale, "x_offset": 4, "y_offset": 6,
        "description": words.term("picture"), "object_position": 1,
    })  # fmt: skip


def picture(plan: Plan, lang: str) -> bytes | None:
    """Return the plan's picture as PNG: in English where the machine has no Chinese font, None without any font."""
    wanted = "en" if lang == "en" or not can_write("网") else "zh"
    if not can_write("A"):
        return None
    return to_png(scene(plan, wanted, headed=False).svg(plan.name), PICTURE_PIXELS)


def cables_sheet(book: QuoteBook, quote: Quote, layout: Layout) -> None:
    """Write cables and fibres by orderable length."""
    words = layout.words
    sheet = book.sheet(words.term("sheet_cables"), words.page())
    rows = cable_rows(quote, words)
    if not rows:
        sheet.set_widths([60])
        sheet.write(0, 0, words.term("no_cables"), "plain")
        return
    texts = [("product", 30), ("pn", 22), ("opn", 22), ("networks", 34)]
    kept = [(key, width) for key, width in texts if any(_cable_text(item, key) for item in rows)]
    fields = [*kept, ("length", 12), ("quantity", 12), ("spare_quantity", 14), ("total_quantity", 14)]
    if not any(item.spare for item in rows):
        fields = [field for field in fields if field[0] not in ("spare_quantity", "total_quantity")]
    sheet.set_widths([width for _, width in fields])
    heads = [words.term(key) for key, _ in fields]
    for place, head in enumerate(heads):
        sheet.write(0, place, head, "head")
    sheet.fit(0, [(head, width) for head, (_, width) in zip(heads, fields, strict=True)], 2)
    at = {key: place for place, (key, _) in enumerate(fields)}
    for number, item in enumerate(rows, 1):
        for key, _ in kept:
            sheet.write(number, at[key], _cable_text(item, key))
        sheet.write(number, at["length"], Decimal(item.length_mm) / 1000, "length")
        sheet.write(number, at["quantity"], item.quantity, "count")
        if "spare_quantity" in at:
            sheet.write(number, at["spare_quantity"], item.spare, "count")
            both = f"{cell_name(number, at['quantity'])}+{cell_name(number, at['spare_quantity'])}"
            sheet.formula(number, at["total_quantity"], f"={both}", item.quantity + item.spare, "count")
        sheet.fit(number, [(_cable_text(item, key), width) for key, width in kept])
    end = len(rows) + 1
    sheet.band(end, len(fields), "sum_label")
    sheet.write(end, 0, words.term("total"), "sum_label")
    sums = {"quantity": [item.quantity for item in rows], "spare_quantity": [item.spare for item in rows],
            "total_quantity": [item.quantity + item.spare for item in rows]}  # fmt: skip
    for key, counts in sums.items():
        if key in at:
            value = int(total(Decimal(count) for count in counts))
            sheet.formula(end, at[key], f"=SUM({ranges(range(1, end), at[key])})", value, "sum_count")
    sheet.inner.freeze_panes(1, 0)
    sheet.inner.repeat_rows(0)


def _cable_text(item: object, key: str) -> str:
    return str(getattr(item, key))
