"""``quote.html``: one self-contained page that prints to a clean A4 PDF. For customers."""

from __future__ import annotations

from functools import lru_cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from fabricplan.files import data_folder
from fabricplan.plan import Plan
from fabricplan.quote import Quote, QuoteLine, customer_copy
from fabricplan.quote.money import money
from fabricplan.renderers.diagram_svg import scene
from fabricplan.renderers.quotes.layout import (
    cable_rows,
    cell_text,
    configuration,
    head_rows,
    in_words,
    lay_out,
    party_rows,
    remarks,
    tax_label,
    total_label,
)

NUMBERS = ("quantity", "unit_price", "amount")


def render(quote: Quote, lang: str, plan: Plan | None = None) -> dict[str, bytes]:
    """Return ``quote.html``; with the plan, its picture stands in the page."""
    shown = customer_copy(quote)
    layout = lay_out(shown, lang)
    words = layout.words

    def cell(line: QuoteLine, key: str) -> str:
        if key in ("unit_price", "amount"):
            value = line.unit_price if key == "unit_price" else line.amount
            return words.term("on_request") if value is None else money(value)
        return f"{line.quantity:,}" if key == "quantity" else cell_text(line, key, words)

    page = _environment().get_template("quote.html.j2").render(
        lang="en" if lang == "en" else "zh-CN", t=words.term, quote=shown, layout=layout, cell=cell, money=money,
        numbers=NUMBERS, head=head_rows(shown, words), customer=party_rows(shown.customer, "customer", words),
        seller=party_rows(shown.seller, "seller", words),
        seller_name=words.text(shown.seller.name, " ") if shown.seller else "",
        taxes=[(tax_label(row, words), row.tax) for row in shown.taxes if row.percent],
        total_label=total_label(shown, words), capitals=in_words(shown, lang), remarks=remarks(shown, words),
        configuration=configuration(shown, words), cables=cable_rows(shown, words),
        picture=Markup(scene(plan, "en" if lang == "en" else "zh", headed=False).svg(plan.name)) if plan else "",
    )  # fmt: skip
    return {"quote.html": page.encode()}


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(data_folder("templates")), undefined=StrictUndefined, autoescape=True,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
