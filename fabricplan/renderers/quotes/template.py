"""A company's own workbook filled through its defined names; its layout stays as it is.

A name points at one cell. ``quote_number``, ``quote_date``, ``quote_valid_until``, ``quote_project``,
``quote_currency``, ``quote_net``, ``quote_tax``, ``quote_total``, ``quote_total_in_words``, ``seller_name`` and
``customer_name`` (and ``_address``, ``_contact``, ``_phone``, ``_email``, ``_tax_id``, ``_bank``, ``_account`` of
both), ``terms_payment``, ``terms_delivery``, ``terms_warranty``, ``terms_notes``, ``terms_tax``, ``terms_exchange``,
``terms_basis`` are filled in place. ``line_no``, ``line_group``, ``line_network``, ``line_product``, ``line_brand``,
``line_pn``, ``line_opn``, ``line_description``, ``line_quantity``, ``line_unit``, ``line_unit_price``,
``line_amount``, ``line_lead_time``, ``line_warranty`` and ``line_note`` stand in the first row of the lines, whose look
every further row takes. ``lines`` may name the rows set apart for lines; where they do not suffice, rows are inserted.
"""

from __future__ import annotations

import copy
import difflib
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import openpyxl
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE, MergedCell
from openpyxl.utils import get_column_letter, range_boundaries
from openpyxl.utils.exceptions import InvalidFileException

from fabricplan.errors import Problem, RenderError, nearest
from fabricplan.quote import Quote, QuoteLine, customer_copy
from fabricplan.quote.money import fraction_digits
from fabricplan.renderers.quotes.carried import carried_along
from fabricplan.renderers.quotes.insertion import insert_rows
from fabricplan.renderers.quotes.layout import (
    COLUMNS,
    PARTY_FIELDS,
    Words,
    cell_text,
    head_rows,
    in_words,
    lay_out,
    party_rows,
    remarks,
)
from fabricplan.values import Finding

LINE_NAMES = tuple(f"line_{key}" for key in ("group", "network", *COLUMNS))
HEAD_NAMES = (
    "quote_number", "quote_date", "quote_valid_until", "quote_project", "quote_currency", "quote_net", "quote_tax",
    "quote_total", "quote_total_in_words",
    *(f"{role}_{field}" for role in ("seller", "customer") for field in ("name", *PARTY_FIELDS)),
    *(f"terms_{key}" for key in ("payment", "delivery", "warranty", "notes", "tax", "exchange", "basis")),
)  # fmt: skip
_OURS = re.compile(r"(quote|seller|customer|terms|line)_")
REQUIRED = ("quote_number", "quote_date", "quote_total", "customer_name", "line_product", "line_quantity",
            "line_unit_price", "line_amount")  # fmt: skip
"""What a quote can hardly be sent without."""
Stored = dict[tuple[str, str], str]
"""(sheet, cell) -> value of a formula that this module wrote."""


class Filled(NamedTuple):
    """The filled workbook; the template's own formulas, whose values only a spreadsheet can compute; names of the
    template that look like fields, and fields that it has no name for; what else of the template goes out with it."""

    files: dict[str, bytes]
    unvalued: tuple[str, ...]
    unknown: tuple[str, ...]
    absent: tuple[str, ...]
    carried: tuple[Finding, ...]


class Spot(NamedTuple):
    """A cell of the template."""

    sheet: Any
    row: int
    column: int


def fill(template: bytes, quote: Quote, lang: str, name: str = "template.xlsx") -> Filled:
    """Return ``quote.xlsx`` made from a company's template.

    Raises:
        RenderError: not a workbook, no names to fill, or names that cannot be filled; all at once.
    """
    shown = customer_copy(quote)
    try:
        book = openpyxl.load_workbook(io.BytesIO(template))
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, TypeError, OSError, SyntaxError) as caught:
        raise RenderError(Problem("not-a-workbook", f"not an Excel workbook: {caught}", name,
                                  "save the template as .xlsx")) from None  # fmt: skip
    spots = _spots(book, name)
    carried = carried_along(book, {spot.sheet.title for spot in spots.values()})
    stored: Stored = {}
    amounts = _lines(book, spots, shown, lang, stored, name)
    # Inserted rows have moved what lies below them: names are looked up again.
    _head(_spots(book, name), shown, lang, amounts, stored)
    target = io.BytesIO()
    book.save(target)
    data, unvalued = _finish(target.getvalue(), stored, shown, book.sheetnames)
    absent = tuple(key for key in REQUIRED if key not in spots)
    return Filled({"quote.xlsx": data}, unvalued, _lookalikes(book), absent, carried)


def _names(book: Any) -> dict[str, Any]:
    return {**book.defined_names, **{key: value for sheet in book for key, value in sheet.defined_names.items()}}


def _lookalikes(book: Any) -> tuple[str, ...]:
    """Return names that are no field and whose first word is nearly one of ours: ``qoute_valid``."""
    ours = ("quote", "seller", "customer", "terms", "line")
    return tuple(
        key
        for key in _names(book)
        if key not in (*HEAD_NAMES, *LINE_NAMES)
        and difflib.get_close_matches(re.split(r"[_.]", key.casefold())[0], ours, cutoff=0.75)
        and key != "lines"
    )


def _spots(book: Any, name: str) -> dict[str, Spot]:
    spots: dict[str, Spot] = {}
    problems = []
    for key, defined in _names(book).items():
        if key not in (*HEAD_NAMES, *LINE_NAMES, "lines"):
            if _OURS.match(key):
                problems.append(Problem("template-name", f"no such field '{key}'", f"{name}: {key}",
                                        nearest(key, (*HEAD_NAMES, *LINE_NAMES))))  # fmt: skip
            continue
        places = [(sheet, area) for sheet, area in defined.destinations if sheet in book.sheetnames]
        if len(places) != 1:
            problems.append(Problem("template-name", f"'{key}' does not point at one cell: {defined.attr_text}",
                                    f"{name}: {key}", "point the name at a cell"))  # fmt: skip
            continue
        column, row, _, _ = range_boundaries(places[0][1].replace("$", ""))
        spots[key] = Spot(book[places[0][0]], int(row or 1), int(column or 1))
    lines = [spot for key, spot in spots.items() if key in LINE_NAMES]
    if len({(spot.sheet.title, spot.row) for spot in lines}) > 1:
        problems.append(Problem("template-lines", "the line_ names do not stand in one row of one sheet", name,
                                "put them into the first row of the lines"))  # fmt: skip
    if not spots:
        problems.append(Problem("template-names", "the template has no names to fill", name,
                                "name its cells, for example quote_total, line_product, line_amount"))  # fmt: skip
    if problems:
        raise RenderError(*problems)
    return spots


def _lines(book: Any, spots: Mapping[str, Spot], quote: Quote, lang: str, stored: Stored, name: str) -> str:
    """Fill the lines; return the range of amounts, or nothing where the template has no column for them."""
    places = {key.removeprefix("line_"): spot for key, spot in spots.items() if key in LINE_NAMES}
    if not places:
        return ""
    layout = lay_out(quote, lang)
    sheet, first, _ = next(iter(places.values()))
    last = _last_row(book, first)
    lines = [line for section in layout.sections for part in section.groups for line in part.lines]
    if len(lines) > last - first + 1:
        insert_rows(book, sheet, first, last, len(lines) - (last - first + 1))
        _copy_look(sheet, first, range(last + 1, first + len(lines)))
    for number, line in enumerate(lines):
        row = first + number
        for key, spot in places.items():
            cell = sheet.cell(row, spot.column)
            if key == "amount" and line.amount is not None and {"quantity", "unit_price"} <= places.keys():
                quantity, price = (
                    f"{get_column_letter(places[part].column)}{row}" for part in ("quantity", "unit_price")
                )
                cell.value = f"=ROUND({quantity}*{price},{fraction_digits(quote.currency)})"
                stored[sheet.title, cell.coordinate] = f"{line.amount:f}"
            else:
                _put(cell, _line_value(line, key, number + 1, layout.words))
    for row in range(first + len(lines), last + 1):
        for spot in places.values():
            if not isinstance(sheet.cell(row, spot.column), MergedCell):
                sheet.cell(row, spot.column).value = None
    if "amount" not in places:
        return ""
    letter = get_column_letter(places["amount"].column)
    return f"'{sheet.title}'!{letter}{first}:{letter}{max(last, first + len(lines) - 1)}"


def _last_row(book: Any, first: int) -> int:
    defined = book.defined_names.get("lines")
    if defined is None:
        return first
    for _, area in defined.destinations:
        _, start, _, end = range_boundaries(area.replace("$", ""))
        if start is not None and end is not None and start <= first <= end:
            return int(end)
    return first


def _copy_look(sheet: Any, source: int, rows: range) -> None:
    height = sheet.row_dimensions[source].height
    spans = [area for area in sheet.merged_cells.ranges if area.min_row == area.max_row == source]
    for row in rows:
        for column in range(1, sheet.max_column + 1):
            sheet.cell(row, column)._style = copy.copy(sheet.cell(source, column)._style)
        sheet.row_dimensions[row].height = height
        for area in spans:
            sheet.merge_cells(start_row=row, end_row=row, start_column=area.min_col, end_column=area.max_col)


def _line_value(line: QuoteLine, key: str, number: int, words: Words) -> str | int | Decimal:
    if key == "no":
        return number
    if key == "quantity":
        return line.quantity
    if key in ("unit_price", "amount"):
        value = line.unit_price if key == "unit_price" else line.amount
        return words.term("on_request") if value is None else value
    if key == "group":
        return words.term(f"group_{line.group}")
    if key == "network":
        return words.network(line.network)
    return cell_text(line, key, words)


def _put(cell: Any, value: str | int | Decimal) -> None:
    """Write a value; text stays text whatever it begins with."""
    if isinstance(value, str):
        cell.value = ILLEGAL_CHARACTERS_RE.sub("", value)
        cell.data_type = "s"
    else:
        cell.value = value


def _head(spots: Mapping[str, Spot], quote: Quote, lang: str, amounts: str, stored: Stored) -> None:
    words = Words(quote, lang)
    rows = [*head_rows(quote, words), *party_rows(quote.seller, "seller", words),
            *party_rows(quote.customer, "customer", words), *remarks(quote, words)]  # fmt: skip
    texts = {key: value for key, _, value in rows}
    texts["quote_total_in_words"] = in_words(quote, lang)
    sums = {"quote_net": quote.net, "quote_tax": quote.tax, "quote_total": quote.total}
    digits = fraction_digits(quote.currency)
    whole = quote.net if quote.tax_mode == "added" else quote.total
    for key, spot in spots.items():
        cell = spot.sheet.cell(spot.row, spot.column)
        if key in sums:
            if amounts and sums[key] == whole and (key == "quote_total" or quote.taxed):
                cell.value = f"=ROUND(SUM({amounts}),{digits})"
                stored[spot.sheet.title, cell.coordinate] = f"{sums[key]:f}"
            else:
                cell.value = sums[key]
        elif key in HEAD_NAMES:
            _put(cell, texts.get(key, ""))


def _finish(data: bytes, stored: Stored, quote: Quote, titles: Sequence[str]) -> tuple[bytes, tuple[str, ...]]:
    """Store formula values, fix all times, and name the formulas that are left without a value."""
    target = io.BytesIO()
    unvalued: list[str] = []
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        # openpyxl numbers the files of sheets in their order.
        sheets = {f"xl/worksheets/sheet{number}.xml": title for number, title in enumerate(titles, 1)}
        for name in old.namelist():
            content = old.read(name)
            if name in sheets:
                content = _with_values(content.decode(), sheets[name], stored, unvalued).encode()
            elif name == "docProps/core.xml":
                stamp = f">{quote.date}T00:00:00Z</dcterms:modified>".encode()
                content = re.sub(rb">[^<]*</dcterms:modified>", stamp, content)
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, content)
    return target.getvalue(), tuple(unvalued)


def _with_values(xml: str, title: str, stored: Stored, unvalued: list[str]) -> str:
    def put(match: re.Match[str]) -> str:
        value = stored.get((title, match[1]))
        if value is None:
            unvalued.append(f"{title}!{match[1]}")
            return match[0]
        return f"{match[0].removesuffix(match[2])}<v>{value}</v>"

    return re.sub(r'<c r="([A-Z]+\d+)"[^>]*><f>[^<]*</f>(<v ?/>|<v></v>)', put, xml)
