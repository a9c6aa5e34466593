"""A price book from a table: columns are found by their headings, in Chinese or English, under any title block."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from fabricplan.errors import Problem
from fabricplan.prices import CURRENCIES, PriceLine, TaxState
from fabricplan.readers.cells import Cell, CellError, currency_of, plain, read_amount, read_count, read_date
from fabricplan.readers.units import scale_of, without_scale

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "part": ("型号", "产品型号", "部件号", "物料型号", "规格型号", "料号", "零件号", "part number", "part no", "partno",
             "part", "pn", "p/n", "model", "product number", "product", "mpn", "manufacturer part number"),
    "opn": ("原厂料号", "订货号", "订货料号", "原厂编码", "opn", "order number", "ordering part number", "sku",
            "nvidia sku", "order no", "order code"),
    "unit_price": ("单价", "销售单价", "销售价", "报价", "价格", "成交价", "售价", "优惠价",
                   "unit price", "price", "selling price",
                   "sales price", "net price", "unit cost price"),
    "list_price": ("列表价", "目录价", "公开价", "媒体价", "官方价", "list price", "list", "msrp", "gpl"),
    "cost": ("成本", "成本价", "采购价", "进价", "进货价", "cost", "unit cost", "purchase price", "cost price"),
    "currency": ("币种", "货币", "currency", "curr"),
    "brand": ("品牌", "厂商", "厂家", "brand", "manufacturer", "vendor"),
    "lead_time": ("货期", "交期", "交货期", "供货周期", "lead time", "leadtime", "delivery time", "delivery"),
    "warranty": ("质保", "质保期", "保修", "warranty"),
    "minimum": ("起订量", "最小起订量", "最小订购量", "moq", "minimum", "minimum order", "min qty", "minimum quantity",
                "minimum order quantity"),
    "valid_until": ("有效期", "有效期至", "有效期止", "价格有效期", "valid until", "valid to", "expires", "expiry",
                    "validity"),
    "stock": ("库存", "现货", "现货数量", "库存数量", "stock", "in stock", "inventory", "available", "qty in stock"),
    "customer_note": ("客户备注", "对客备注", "报价备注", "对外备注", "customer note", "customer notes",
                      "customer remark", "customer remarks", "note to customer", "note for customer"),
    "note": ("内部备注", "internal note", "备注", "说明", "note", "notes", "remark", "remarks", "comment", "comments"),
}  # fmt: skip
"""Field -> headings, as :func:`fold_heading` leaves them."""
_BY_HEADING = {heading: field for field, headings in HEADINGS.items() for heading in headings}
PRICE_FIELDS = ("unit_price", "list_price", "cost")
_READ: dict[str, Callable[[Cell], Any]] = {
    "minimum": read_count, "stock": read_count, "valid_until": read_date,
}  # fmt: skip
_SUM = re.compile(r"(合计|总计|小计|sub-?total|total|sum)")
_TELLING = re.compile(r"[a-z].*\d|\d.*[a-z]|^[\d.,¥$ ]+$")
_TAX = (
    r"(?:(?:of|all|any|the)\s+)*\(?(?:\d+(?:\.\d+)?\s*%\s*)?(?:增值)?(?:税|(?:vat|gst|(?:sales )?tax(?:es)?)(?![a-z]))"
)
_TAX_BEFORE = r"(?:税|(?<![a-z])(?:vat|gst|tax(?:es)?))\s*[(:]?\s*(?:is |are )?"
_INCL, _EXCL = (rf"{word}(?:\.|uding|usive|uded|udes?)?" for word in (r"(?<![a-z])incl", r"(?<![a-z])excl"))
_NOT = r"(?<![a-z])(?:not|non|no)[\s-]+"
_ADDED = re.compile(
    rf"不(?:包?含|包括)\s*{_TAX}|未(?:包?含)?\s*{_TAX}|税前|(?:{_EXCL}|{_NOT}{_INCL}|without|before|net of)\s*{_TAX}"
    rf"|{_TAX_BEFORE}(?:{_EXCL}|{_NOT}{_INCL}|不含|未含|另计)(?!\s*{_TAX})"
)
_INCLUDED = re.compile(
    rf"(?<![不未])(?<![不未]包)含\s*{_TAX}|税后|(?<!not )(?<!non )(?<!non-)(?:{_INCL}|(?<![a-z])with)\s*{_TAX}"
    rf"|(?<![不未])包括\s*{_TAX}|{_TAX_BEFORE}{_INCL}"
)
HEADING_ROWS = 60
"""The heading row is looked for this far down."""


class Column(NamedTuple):
    """A column that is read: its place, what it holds, and what its heading says of currency, tax and unit."""

    place: int
    field: str
    currency: str | None
    tax: TaxState | None
    scale: Decimal | None = None
    unit: str | None = None


class TableRow(NamedTuple):
    """Cells of a row and a function from column to ``sheet!cell``."""

    cells: Sequence[Cell]
    where: Callable[[int], str]


def fold_heading(text: str) -> str:
    """Return a heading without brackets, currency, tax words and punctuation.

    >>> fold_heading("含税单价（元）"), fold_heading("Unit Price (USD, excl. VAT)"), fold_heading("Part No.")
    ('单价', 'unit price', 'part no')
    """
    low = unicodedata.normalize("NFKC", text).casefold().replace("\n", " ")
    low = without_scale(re.sub(r"[(\[【].*?[)\]】]", " ", low))
    low = re.sub(r"不含税|未税|含税|税前|税后|(excl|incl)(uding|usive|\.)?( of)?( vat| tax)?|\b(vat|tax)\b", " ", low)
    low = re.sub(r"\b(rmb|cny|usd|eur|hkd|us\$)|人民币|美元|美金|元", " ", low)
    low = re.sub(r"[:*.#_$¥€]|(?<=\s)/|/(?=\s)|\s-\s", " ", low)
    return re.sub(r"\s+", " ", low).strip(" -/,")


def tax_of(text: str) -> TaxState | None:
    """Return whether a text says that prices hold the tax, or None.

    >>> tax_of("含税单价"), tax_of("不含税"), tax_of("price excl. VAT"), tax_of("price")
    ('included', 'added', 'added', None)
    """
    low = unicodedata.normalize("NFKC", text).casefold()
    if _ADDED.search(low):
        return "added"
    return "included" if _INCLUDED.search(low) else None


def find_headings(rows: Sequence[TableRow], problems: list[Problem]) -> tuple[int, tuple[Column, ...]] | None:
    """Return the number of the heading row and its columns; None where no row holds a part and a price."""
    for number, row in enumerate(rows[:HEADING_ROWS]):
        found = [
            Column(
                place,
                field,
                currency_of(without_scale(text.casefold())),
                tax_of(text),
                scale_of(text),
                _time_unit(text),
            )
            for place, cell in enumerate(row.cells)
            if isinstance(cell, str) and (text := plain(cell)) and (field := _field(text))
        ]
        fields = {column.field for column in found}
        if fields & {"part", "opn"} and fields & set(PRICE_FIELDS):
            return number, _one_each(found, row, problems)
    return None


def _field(heading: str) -> str | None:
    """Return the field of a heading; of a bilingual one, of either half."""
    folded = fold_heading(heading)
    if folded in _BY_HEADING:
        return _BY_HEADING[folded]
    chinese = re.sub(r"[^\u4e00-\u9fff]", "", folded)
    latin = re.sub(r"[\u4e00-\u9fff]", "", folded).strip(" -/,")
    halves = {_BY_HEADING.get(chinese), _BY_HEADING.get(latin)} if chinese and latin else {None}
    return halves.pop() if len(halves) == 1 else None


def _one_each(found: list[Column], row: TableRow, problems: list[Problem]) -> tuple[Column, ...]:
    kept: dict[str, Column] = {}
    for column in found:
        earlier = kept.setdefault(column.field, column)
        if earlier is column:
            continue
        if column.field in PRICE_FIELDS and earlier.tax != column.tax:
            # With and without tax side by side: one of them is enough, and the one with tax is what is quoted.
            kept[column.field] = column if column.tax == "included" else earlier
        elif column.field == "part" and "opn" not in {item.field for item in found}:
            kept["opn"] = column._replace(field="opn")
        else:
            problems.append(Problem("double-column", f"two columns hold the {column.field.replace('_', ' ')}",
                                    row.where(column.place), f"the first is {row.where(earlier.place)}; "
                                    "keep one"))  # fmt: skip
    return tuple(kept.values())


def read_lines(
    rows: Sequence[TableRow],
    columns: Sequence[Column],
    problems: list[Problem],
    broken: list[PriceLine],
    stated: str | None = None,
) -> list[PriceLine]:
    """Return the lines below the headings; problems name the cell, ``broken`` takes the parts of lines in trouble.

    ``stated`` is the currency of the title.
    """
    lines = []
    for row in rows:
        cells = {column: row.cells[column.place] for column in columns if column.place < len(row.cells)}
        filled = [plain(cell) for cell in row.cells if plain(cell)]
        # Rows of one cell are headings of groups and remarks, unless that cell may be a part number or a price.
        if not filled or (len(filled) == 1 and not _TELLING.search(filled[0].casefold())):
            continue
        if _SUM.match(filled[0].casefold()) and not any(
            plain(cell) for column, cell in cells.items() if column.field in ("part", "opn")
        ):
            continue
        line = _line(row, cells, problems, broken, stated)
        if line is not None:
            lines.append(line)
    return lines


def _line(
    row: TableRow,
    cells: Mapping[Column, Cell],
    problems: list[Problem],
    broken: list[PriceLine],
    stated: str | None,
) -> PriceLine | None:
    values: dict[str, Any] = {}
    before = len(problems)
    # The row's own currency comes first: it decides what the symbols in its prices mean.
    for column, cell in sorted(cells.items(), key=lambda item: item[0].field != "currency"):
        try:
            values |= _values(column, cell, values, stated)
        except CellError as caught:
            problems.append(Problem("price-cell", f"{column.field.replace('_', ' ')}: {caught}",
                                    row.where(column.place), _advice(column.field)))  # fmt: skip
    names = [values.pop(field, None) for field in ("part", "opn")]
    place = next(column.place for column in cells if column.field in ("part", "opn"))
    part = names[0] or names[1]
    if not part:
        if any(values.get(field) is not None for field in PRICE_FIELDS):
            problems.append(Problem("no-part", "a price stands without a part number", row.where(place),
                                    "name the part, or clear the row"))  # fmt: skip
        return None
    opn = names[1] if names[0] and names[1] != names[0] else None
    if len(problems) > before:
        broken.append(PriceLine(part=part, opn=opn, where=row.where(place)))
        return None
    return PriceLine(part=part, opn=opn, where=row.where(place), **values)


def _values(column: Column, cell: Cell, before: Mapping[str, Any], stated: str | None) -> dict[str, Any]:
    field = column.field
    if field in PRICE_FIELDS:
        amount, currency = read_amount(cell, column.currency or before.get("currency") or stated)
        if amount is None:
            return {}
        if column.scale is not None:
            if currency or (isinstance(cell, str) and re.search(r"[元/]", cell)):
                raise CellError(f"'{plain(cell)}' names a unit of its own, the column counts in {column.scale:,}")
            amount *= column.scale
        currency = currency or column.currency
        known = before.get("currency")
        if currency and known and currency != known:
            raise CellError(f"'{plain(cell)}' is in {currency}, the row in {known}")
        found: dict[str, Any] = {field: amount}
        if currency:
            found["currency"] = currency
        if column.tax and before.get("tax", column.tax) != column.tax:
            raise CellError("one price of the row holds the tax, another does not")
        return found | ({"tax": column.tax} if column.tax else {})
    if field == "currency":
        text = plain(cell)
        code = text.upper() if text.upper() in CURRENCIES else currency_of(text, stated)
        if text and (code is None or scale_of(text) is not None):
            raise CellError(f"no currency '{text}'")
        if code and before.get("currency", code) != code:
            raise CellError(f"the row says {code}, a price of it {before['currency']}")
        return {"currency": code} if code else {}
    value = _READ[field](cell) if field in _READ else _words(field, cell)
    if field in ("lead_time", "warranty") and value is not None and re.fullmatch(r"\d+(\.\d+)?(-\d+)?", value):
        if column.unit is None:
            raise CellError(f"'{value}' has no unit")
        value += column.unit
    return {} if value is None else {field: value}


def _time_unit(heading: str) -> str | None:
    """Return the unit of time that a heading such as ``货期（周）`` gives to bare numbers below it."""
    match = re.search(
        r"[(（](?:in )?(周|星期|工作日|天|日|个?月|年|weeks?|days?|months?|years?)[)）]", heading.casefold()
    )
    return f" {match[1]}" if match else None


def _words(field: str, cell: Cell) -> str | None:
    """Return a part number in plain forms, other words as they are written."""
    text = plain(cell)
    return (text if field in ("part", "opn") or not isinstance(cell, str) else cell.strip()) or None


def _advice(field: str) -> str:
    if field in PRICE_FIELDS:
        return "write a plain number such as 12000 or 1,234.50"
    return {
        "valid_until": "write dates as 2026-12-31",
        "lead_time": "write 8 weeks or 8周, or 货期（周） above",
        "warranty": "write 3 years or 3年, or 质保（年） above",
        "currency": f"one of {', '.join(CURRENCIES)}",
    }.get(field, "write a whole number")
