"""The tax of a quote's lines, and the totals that follow from it."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from fabricplan.prices import TaxState
from fabricplan.quote.document import QuoteLine, TaxRow
from fabricplan.quote.money import exact, rounded, total

_HUNDRED = Decimal(100)


@exact
def tax_rows(lines: Iterable[QuoteLine], mode: TaxState, currency: str) -> tuple[TaxRow, ...]:
    """Return the tax of each rate, highest first, rounded once per rate."""
    sums: dict[Decimal, Decimal] = {}
    for line in lines:
        sums[line.tax_percent] = sums.get(line.tax_percent, Decimal(0)) + (line.amount or Decimal(0))
    rows = []
    for percent, amount in sorted(sums.items(), reverse=True):
        if mode == "included":
            net = rounded(amount * _HUNDRED / (_HUNDRED + percent), currency)
            rows.append(TaxRow(percent=percent, net=net, tax=amount - net, gross=amount))
        else:
            tax = rounded(amount * percent / _HUNDRED, currency)
            rows.append(TaxRow(percent=percent, net=amount, tax=tax, gross=amount + tax))
    return tuple(rows)


@exact
def with_residue(rows: tuple[TaxRow, ...], residue: Decimal) -> tuple[TaxRow, ...]:
    """Return rows of which the one with the most tax takes what no sum before tax can give."""
    if not residue:
        return rows
    place = max(range(len(rows)), key=lambda number: rows[number].tax)
    row = rows[place]
    changed = row.model_copy(update={"tax": row.tax + residue, "gross": row.gross + residue, "residue": residue})
    return (*rows[:place], changed, *rows[place + 1 :])


def gross_total(rows: Iterable[TaxRow]) -> Decimal:
    """Return the total with the tax."""
    return total(row.gross for row in rows)
