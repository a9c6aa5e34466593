"""The lines of a price book's table: every row with a part, read right or refused by its cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from fabricplan.errors import Problem
from fabricplan.prices import CURRENCIES, PriceLine, part_key
from fabricplan.readers.cells import NOT_PRICED, Cell, CellError, currency_of, plain, read_amount, read_count, read_date
from fabricplan.readers.discounts import agrees, discount_told, off_heading, read_discount
from fabricplan.readers.goods import goods_of_unit, goods_told
from fabricplan.readers.prices_columns import Column, TableRow
from fabricplan.readers.prices_remarks import read_remarks, remark_to_tell
from fabricplan.readers.prices_words import PRICE_FIELDS
from fabricplan.readers.taxes import read_tax_rate, read_tax_state, tax_states
from fabricplan.readers.units import scale_of

_SUM = re.compile(r"(价税合计|合计|总计|小计|共计|累计|sub-?total|(grand )?total|sum)(?![a-z])")
_TELLING = re.compile(r"[a-z].*\d|\d.*[a-z]|^[\d.,¥$ ]+$")
_REMARK = re.compile(
    r"(备注|说明|注意?|附注|价格说明|税务说明|条款|note|remarks?|terms|comments?|n\.?b)\s*\d*\s*[:：.]?$"
)
_STATEMENT = re.compile(r"(?:单位|币种|货币|税率|currency|unit|uom)\s*[:：]")
_CONTEXT = (
    "currency",
    "unit_of",
    "tax",
    "tax_rate",
    "discount",
    "lead_time",
    "warranty",
    "valid_until",
    "brand",
    "pack",
)
"""What a merged cell says for all the rows that it spans."""
_ORDER = ("currency", "unit_of", "tax", "tax_rate", "discount")
_ROUNDING = Decimal("0.005")
_GENERIC = re.compile(r"价格|报价|价|prices?|list|net")
_EUROPEAN = re.compile(r"[1-9]\d{0,2}\.\d{3}")


class Row(NamedTuple):
    """What is known of a row while it is read."""

    row: TableRow
    cells: Mapping[Column, Cell]
    free: Sequence[tuple[int, str]]


class Read(NamedTuple):
    """What the rows of a table came to: the lines, the places of those whose unit is a set, of remarks to tell, and the
    columns with a heading that is not read."""

    lines: list[PriceLine]
    sets: list[str]
    remarks: list[str]
    labelled: Collection[int]


def is_remark(row: TableRow, columns: Sequence[Column]) -> bool:
    """Return whether a row is a remark or the heading of a group, not a line."""
    filled = [(place, plain(cell)) for place, cell in enumerate(row.cells) if plain(cell)]
    if not filled:
        return False
    first = filled[0][1].casefold()
    priced = [plain(row.cells[column.place]).casefold() for column in columns
              if column.field in PRICE_FIELDS and column.place < len(row.cells)]  # fmt: skip
    if any(_STATEMENT.match(text) for text in priced):
        return True
    if len(filled) == 1:
        states = tax_states(first) or discount_told(first) or goods_told(first) or first.count(" ") >= 4
        return bool(states) or not _TELLING.search(first)
    return bool(_REMARK.match(first)) and not any(re.match(r"[\d¥$€]", text) for text in priced)


def is_line(row: TableRow, columns: Sequence[Column]) -> bool:
    """Return whether a row is read as a line."""
    filled = [plain(cell) for cell in row.cells if plain(cell)]
    return bool(filled) and not is_remark(row, columns) and not _is_sum(row, columns)


def _is_sum(row: TableRow, columns: Sequence[Column]) -> bool:
    filled = [plain(cell).casefold() for cell in row.cells if plain(cell)]
    parts = [plain(row.cells[column.place]).casefold() for column in columns
             if column.field in ("part", "opn") and column.place < len(row.cells)]  # fmt: skip
    if any(_SUM.match(part) and not re.search(r"\d", part) for part in parts):
        return True
    return not any(parts) and any(_SUM.match(text) for text in filled)


def read_lines(
    rows: Sequence[TableRow],
    columns: Sequence[Column],
    problems: list[Problem],
    broken: list[PriceLine],
    stated: str | None = None,
    labelled: Collection[int] = (),
) -> Read:
    """Return the lines below the headings; problems name the cell, ``broken`` takes the parts of lines in trouble.

    ``stated`` is the currency of the title, ``labelled`` are columns with a heading that is not read.
    """
    found = Read([], [], [], labelled)
    mapped = {column.place for column in columns if column.field not in ("note", "customer_note", "other")}
    for row in rows:
        if not is_line(row, columns):
            continue
        cells = {column: _cell(row, column) for column in columns}
        free = [(place, plain(cell)) for place, cell in enumerate(row.cells) if place not in mapped and plain(cell)]
        line = _line(Row(row, cells, free), problems, broken, stated, found)
        if line is not None:
            found.lines.append(line)
    return found


def _cell(row: TableRow, column: Column) -> Cell:
    if column.field in _CONTEXT:
        return row.shown(column.place)
    return row.cells[column.place] if column.place < len(row.cells) else None


def _line(
    held: Row, problems: list[Problem], broken: list[PriceLine], stated: str | None, read: Read
) -> PriceLine | None:
    row, cells = held.row, held.cells
    values: dict[str, Any] = {}
    before = len(problems)
    # What decides the meaning of the prices comes first: currency, unit, tax, discount.
    for column, cell in sorted(cells.items(), key=lambda item: _rank(item[0])):
        try:
            values |= _values(column, cell, values, stated)
        except CellError as caught:
            problems.append(Problem("price-cell", f"{column.words}: {caught}", row.where(column.place),
                                    _advice(column.field)))  # fmt: skip
    remarks = [(text, row.where(at)) for at, text in held.free]
    problems += read_remarks(remarks, values, stated, [row.where(at) for at in read.labelled])
    if len(problems) == before:
        _settle(held, values, problems)
    names = [_number(values.pop(field, None)) for field in ("part", "opn")]
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
    if values.pop("_set", False):
        read.sets.append(row.where(place))
    if (told := remark_to_tell(remarks)) is not None:
        read.remarks.append(told)
    fields = {field: value for field, value in values.items() if field in PriceLine.model_fields}
    return PriceLine(part=part, opn=opn, where=row.where(place), **fields)


def _number(text: str | None) -> str | None:
    """Return a part or order number, or None for what stands in its place: a dash, 无, N/A."""
    return text if text and part_key(text) and text.casefold() not in NOT_PRICED and text != "无" else None


def _rank(column: Column) -> int:
    return _ORDER.index(column.field) if column.field in _ORDER else len(_ORDER)


def _values(column: Column, cell: Cell, known: Mapping[str, Any], stated: str | None) -> dict[str, Any]:
    field = column.field
    if field in (*PRICE_FIELDS, "before") or field.endswith("_other_tax"):
        return _price(column, cell, known, stated)
    if field == "currency":
        text = plain(cell)
        code = text.upper() if text.upper() in CURRENCIES else currency_of(text, stated)
        if text and (code is None or scale_of(text) is not None):
            raise CellError(f"no currency '{text}'")
        if code and known.get("currency", code) != code:
            raise CellError(f"the row says {code}, a price of it {known['currency']}")
        return {"currency": code} if code else {}
    if field == "unit_of":
        return _unit(cell, known, stated)
    if field == "tax":
        state = read_tax_state(cell)
        return {"tax": state} if state else {}
    if field == "tax_rate":
        rate = read_tax_rate(cell)
        return {} if rate is None else {"tax_percent": rate}
    if field == "discount":
        factors = read_discount(cell, off_heading(column.heading))
        return {"_factors": factors} if set(factors) - {1} else {}
    if field == "pack":
        count = read_count(re.sub(r"\D+$", "", cell) if isinstance(cell, str) and re.match(r"\s*\d", cell) else cell)
        return {} if count in (None, 1) else {"_pack": count}
    if field in ("quantity", "amount"):
        return {f"_{field}": cell}
    if field == "other":
        return {}
    value = _READ[field](cell) if field in _READ else _words(field, cell)
    if field in ("lead_time", "warranty") and value is not None and re.fullmatch(r"\d+(\.\d+)?(-\d+)?", value):
        if column.unit is None:
            raise CellError(f"'{value}' has no unit")
        value += column.unit
    if field == "note" and value is not None and known.get("note"):
        value = f"{known['note']}; {value}"
    return {} if value is None else {field: value}


_READ: Mapping[str, Callable[[Cell], Any]] = {"minimum": read_count, "stock": read_count, "valid_until": read_date}


def _price(column: Column, cell: Cell, known: Mapping[str, Any], stated: str | None) -> dict[str, Any]:
    if isinstance(cell, str) and "\n" in cell.strip():
        raise CellError(f"'{plain(cell)}' stands on several lines")
    amount, currency = read_amount(cell, column.currency or known.get("currency") or stated)
    if amount is None:
        return {}
    scale = column.scale if column.scale is not None else known.get("_scale")
    if column.scale is not None and known.get("_scale") not in (None, column.scale):
        raise CellError(f"the column counts in {column.scale:,}, the unit of the row in {known['_scale']:,}")
    if scale is not None:
        if currency or (isinstance(cell, str) and re.search(r"[元/]", cell)):
            raise CellError(f"'{plain(cell)}' names a unit of its own, the column counts in {scale:,}")
        amount *= scale
    elif isinstance(cell, str) and _EUROPEAN.fullmatch(re.sub(r"[^\d.,]", "", plain(cell))):
        raise CellError(f"'{plain(cell)}' can be read in more than one way: the point may part thousands")
    currency = currency or column.currency
    if currency and known.get("currency", currency) != currency:
        raise CellError(f"'{plain(cell)}' is in {currency}, the row in {known['currency']}")
    found: dict[str, Any] = {column.field if column.field in PRICE_FIELDS else f"_{column.field}": amount}
    if currency:
        found["currency"] = currency
    if column.field in PRICE_FIELDS and column.tax:
        if known.get("tax", column.tax) != column.tax:
            raise CellError("one price of the row holds the tax, another does not")
        found["tax"] = column.tax
    if column.rate is not None:
        if known.get("tax_percent", column.rate) != column.rate:
            raise CellError(f"the heading says {column.rate} % tax, the row {known['tax_percent']} %")
        found["tax_percent"] = column.rate
    return found


def _unit(cell: Cell, known: Mapping[str, Any], stated: str | None) -> dict[str, Any]:
    text = plain(cell)
    if not text or text in ("-", "/"):
        return {}
    found: dict[str, Any] = {}
    scale = scale_of(f"({text})")
    code = (
        text.upper() if text.upper() in CURRENCIES else currency_of(re.sub(r"(?i)^[km](?=[a-z$]{3})", "", text), stated)
    )
    if scale is not None:
        found["_scale"] = scale
    if code:
        if known.get("currency", code) != code:
            raise CellError(f"'{text}' names {code}, the row {known['currency']}")
        found["currency"] = code
    goods = goods_of_unit(text)
    if goods is None and scale is None and code is None:
        raise CellError(f"'{text}' is no unit that is known")
    if goods is not None and goods.kind == "other":
        raise CellError(f"the price is for '{text}', not for one piece")
    if goods is not None:
        found["_goods"] = goods.kind
        found["_set"] = goods.kind == "set"
    return found


def _settle(held: Row, values: dict[str, Any], problems: list[Problem]) -> None:
    """Make one unit price of a row: tax beside tax, price before and after a discount, amount and quantity."""
    by_field = {column.field: column for column in held.cells}

    def refuse(field: str, code: str, message: str, hint: str) -> None:
        problems.append(Problem(code, message, held.row.where(by_field[field].place), hint))

    if "_pack" in values and values.get("_goods") is None:
        refuse("pack", "price-unit", f"the row counts {values['_pack']} pieces: the price may be for all of them",
               "add a column 单位 (UOM) that says 个 or pcs, or price one piece with 1 here")  # fmt: skip
    for field in PRICE_FIELDS:
        _beside_tax(field, by_field, values, refuse)
    unit, before, listed, factors = (values.get(name) for name in ("unit_price", "_before", "list_price", "_factors"))
    if unit is None and before is not None:
        net = next(column for column in by_field.values() if column.net)
        refuse(net.field, "price-cell", f"no price after discount, but {before} before it", "fill in the net price")
    if factors is not None:
        _discounted(by_field, values, unit, before if before is not None else listed, factors, refuse)
    _check_amount(by_field, values, refuse)


def _beside_tax(field: str, by_field: Mapping[str, Column], values: dict[str, Any], refuse: Any) -> None:
    """With and without tax side by side: one may be empty; both must belong to one whole rate of tax."""
    other = values.pop(f"_{field}_other_tax", None)
    if other is None:
        return
    amount = values.get(field)
    if amount is None:
        if values.get("tax", "added") != "added":
            refuse(f"{field}_other_tax", "tax-open", "the price without tax stands in a row with tax", "keep one")
        elif by_field[f"{field}_other_tax"].tax is None:
            refuse(f"{field}_other_tax", "tax-open",
                f"whether {other:f} holds the tax is open: the price with tax is empty",
                   "fill it in, or head this one 未税单价 (Unit price excl. tax)")  # fmt: skip
        values |= {field: other, "tax": "added"}
        return
    scale = values.get("_scale") or 1
    slack = _ROUNDING * scale
    stated = values.get("tax_percent")
    rates = [stated] if stated is not None else [Decimal(rate) for rate in range(1, 31)]
    near = [
        rate for rate in rates if abs(other * (100 + rate) / 100 - amount) <= slack * (1 + (100 + rate) / Decimal(100))
    ]
    if not near:
        words = f"at {stated} %" if stated is not None else "at any whole rate of tax"
        refuse(f"{field}_other_tax", "tax-open",
            f"{amount} with tax and {other} without do not belong together {words}",
               "correct one of them, or clear it")  # fmt: skip
    elif len(near) == 1:
        values["tax_percent"] = near[0]


def _discounted(
    by_field: Mapping[str, Column], values: dict[str, Any], unit: Decimal | None, before: Decimal | None,
    factors: Sequence[Decimal], refuse: Any,
) -> None:  # fmt: skip
    """Apply a discount to the list price, or hold the price after it to it; a discount of two readings is refused."""
    if unit is None and before is not None:
        if len(factors) > 1:
            ways = " or ".join(f"{before * factor:f}" for factor in factors)
            refuse("discount", "discount-open", f"the discount can be read in more than one way: {before:f} becomes "
                   f"{ways}", "write 95折 or 5% off, or add a column 折后价 (Net price)")  # fmt: skip
        else:
            values["unit_price"] = before * factors[0]
    elif unit is not None and before is not None:
        if not any(agrees(before, factor, unit) for factor in factors):
            refuse("discount", "discount-open", f"{before:f} at the discount is {before * factors[0]:f}, the price "
                   f"after it says {unit:f}", "correct one of them")  # fmt: skip
    elif unit is not None and not any(column.net for column in by_field.values()):
        refuse("discount", "discount-open", f"whether {unit:f} is before or after the discount is open",
               "head it 折后价 (Net price) or 列表价 (List price)")  # fmt: skip


def _check_amount(by_field: Mapping[str, Column], values: dict[str, Any], refuse: Any) -> None:
    """Price x quantity = amount, where a book has all three; a bare ``Price`` beside a quantity is refused."""
    try:
        count, whole = read_count(values.get("_quantity")), read_amount(values.get("_amount"))[0]
    except CellError:
        return
    unit = values.get("unit_price")
    if unit is None or count in (None, 0, 1):
        return
    if whole is not None:
        scale = by_field["amount"].scale or values.get("_scale") or 1
        # The amount may hold the tax where the price does not.
        if not unit * count * Decimal("0.99") - 1 <= whole * scale <= unit * count * Decimal("1.31") + 1:
            refuse("amount", "price-unit", f"{unit} x {count} is not {whole * scale}",
                   "the unit price must be that of one piece")  # fmt: skip
    elif _GENERIC.fullmatch(re.sub(r"[^a-z\u4e00-\u9fff]", "", by_field["unit_price"].heading.casefold())):
        refuse("quantity", "price-unit", f"whether {unit} is for one piece or for {count} is open",
               "head the price 单价 or Unit price, or take the quantity out")  # fmt: skip


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
        "unit_of": "price one piece (台, 个, 根, 条, pcs, ea), amounts in 元, 万元 or a currency",
        "tax": "write 是 or 否, yes or no",
        "tax_rate": "write 13%",
        "discount": "write 95折 or 5% off, or a column 折后价 (Net price)",
    }.get(field, "write a whole number")
