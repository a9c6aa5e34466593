"""The quote: a plan priced from price books by commercial terms, compared with earlier and with other quotes."""

from __future__ import annotations

from fabricplan.quote.document import (
    Quote,
    QuoteLine,
    Section,
    customer_copy,
    dumps,
    loads,
    sections,
)
from fabricplan.quote.pricing import price
from fabricplan.quote.terms import Terms, Text, parse_terms

__all__ = [
    "Quote",
    "QuoteLine",
    "Section",
    "Terms",
    "Text",
    "customer_copy",
    "dumps",
    "loads",
    "parse_terms",
    "price",
    "sections",
]
