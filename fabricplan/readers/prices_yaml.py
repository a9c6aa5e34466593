"""Price book from YAML: ``name``, ``version``, ``date``, ``currency``, ``tax`` and ``lines`` (or ``prices``, a mapping
from part number to unit price)."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from fabricplan import strictyaml
from fabricplan.errors import PriceError, Problem, nearest
from fabricplan.prices import CURRENCIES, BrokenBook, PriceBook, PriceLine, check_lines, checked, silences
from fabricplan.readers.cells import CellError, read_amount, read_count, read_date
from fabricplan.readers.prices_words import PRICE_FIELDS
from fabricplan.readers.units import currencies_in, scale_of

_FIELDS = [field for field in PriceLine.model_fields if field != "where"]
_BOOK_FIELDS = ("name", "version", "date", "currency", "tax", "lines", "prices")


def read(data: bytes, name: str) -> PriceBook:
    """Return the book.

    Raises:
        PriceError: with every problem, as ``file:line``.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PriceError(Problem("not-utf8", "the file is not UTF-8 text", name, "save it as UTF-8")) from None
    tree = strictyaml.parse(text, name, PriceError, str)
    problems: list[Problem] = []
    if not isinstance(tree, dict):
        raise PriceError(Problem("price-book-form", "a price book is a mapping with lines", f"{name}:1",
                                 "see examples/demo-prices.csv for the fields"))  # fmt: skip

    def place(*steps: str | int) -> str:
        return f"{name}:{strictyaml.line_of(text, steps)}"

    for key in tree:
        if key not in _BOOK_FIELDS:
            problems.append(Problem("price-field", f"no such field '{key}'", place(key), nearest(key, _BOOK_FIELDS)))
    lines: list[PriceLine] = []
    broken: list[PriceLine] = []
    rows = tree.get("lines") or []
    prices = tree.get("prices") or {}
    if not isinstance(rows, list) or not isinstance(prices, dict):
        raise PriceError(Problem("price-book-form", "lines is a list, prices a mapping", place("lines")))
    found: list[tuple[tuple[str | int, ...], object]] = [(("lines", number), row) for number, row in enumerate(rows)]
    found += [(("prices", part), {"part": part, "unit_price": amount}) for part, amount in prices.items()]
    for steps, row in found:
        where = ".".join(str(step) for step in steps)
        fault = _line(row, where, str(tree.get("currency")) if tree.get("currency") in CURRENCIES else None)
        if isinstance(fault, PriceLine):
            lines.append(fault)
            continue
        if isinstance(row, dict) and row.get("part"):
            broken.append(PriceLine(part=str(row["part"]), where=place(*steps)))
        for field, message, hint in fault:
            problems.append(Problem("price-cell", message, place(*steps, *([field] if field else [])), hint))
    spots = {".".join(str(step) for step in steps): steps for steps, _ in found}
    for problem in check_lines(lines):
        problems.append(Problem(problem.code, problem.message, place(*spots[problem.where]), problem.hint))
    head: dict[str, Any] = {}
    for field in ("name", "version", "date", "currency", "tax"):
        if tree.get(field) is not None:
            try:
                head[field] = _head(field, tree[field])
            except CellError as caught:
                problems.append(Problem("price-field", f"{field}: {caught}", place(field)))
    if "currency" not in head and (named := currencies_in(str(head.get("name", "")))):
        problems.append(Problem("price-field", f"name: it names {' and '.join(sorted(named))}, currency is not stated",
                                place("name"), "state currency"))  # fmt: skip
    if problems:
        raise BrokenBook(problems, [*lines, *broken])
    book = checked(PriceBook(**{"name": PurePath(name).stem, **head}, lines=tuple(lines)))
    return book.model_copy(update={"findings": silences(book)})


def _head(field: str, value: Any) -> Any:
    if field == "date":
        return read_date(value)
    text = str(value)
    if field == "name" and scale_of(text) is not None:
        raise CellError(f"'{text}' names a unit; write amounts out in full and take the unit out of the name")
    if field == "currency" and text not in CURRENCIES:
        raise CellError(f"no currency '{text}'; {nearest(text, CURRENCIES)}")
    if field == "tax" and text not in ("included", "added"):
        raise CellError(f"'{text}' is neither included nor added")
    return text


def _line(row: object, where: str, stated: str | None) -> PriceLine | list[tuple[str, str, str]]:
    if not isinstance(row, dict):
        return [("", "a line is a mapping with part and unit_price", "")]
    faults: list[tuple[str, str, str]] = []
    values: dict[str, Any] = {}
    # The line's own currency comes first, wherever it stands: the prices are judged by it.
    for field, value in sorted(row.items(), key=lambda item: item[0] != "currency"):
        if field not in _FIELDS:
            faults.append((field, f"no such field '{field}'", nearest(field, _FIELDS)))
            continue
        try:
            if field in PRICE_FIELDS:
                amount, currency = read_amount(value, values.get("currency") or stated)
                values[field] = amount
                if currency and values.setdefault("currency", currency) != currency:
                    raise CellError(f"'{value}' is in {currency}, the line in {values['currency']}")
            elif field in ("minimum", "stock"):
                values[field] = read_count(value)
            elif field == "valid_until":
                values[field] = read_date(value)
            elif field == "tax":
                values[field] = _head("tax", value)
            elif field in ("lead_time", "warranty") and str(value).strip().isdigit():
                raise CellError(f"'{value}' has no unit; write 8 weeks or 8周")
            elif value is not None:
                values[field] = str(value)
        except CellError as caught:
            faults.append((field, f"{field.replace('_', ' ')}: {caught}", ""))
    if not row.get("part"):
        faults.append(("", "a line needs a part", "name the part number"))
    return faults or PriceLine(**values, where=where)
