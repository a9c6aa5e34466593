"""The quote: a plan priced from price books by commercial terms, compared with earlier and with other quotes."""

from __future__ import annotations

from fabricplan.quote.document import (
    Quote,
    QuoteLine,
    Section,
    customer_copy,
    sections,
)
from fabricplan.quote.offers import Offers, compare
from fabricplan.quote.pricing import price
from fabricplan.quote.revision import LineChange, Revision, needs_bridge, revise
from fabricplan.quote.stored import dumps, loads
from fabricplan.quote.terms import Terms, Text, parse_terms

__all__ = [
    "LineChange",
    "Offers",
    "Quote",
    "QuoteLine",
    "Revision",
    "Section",
    "Terms",
    "Text",
    "compare",
    "customer_copy",
    "dumps",
    "loads",
    "needs_bridge",
    "parse_terms",
    "price",
    "revise",
    "sections",
]
