"""What stands above (and below) the lines of a price book: its name, version, date, currency, tax and unit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from fabricplan.errors import Problem
from fabricplan.prices import CURRENCIES
from fabricplan.readers.cells import WHOLE_MONEY, Cell, CellError, currency_of, plain, read_date, unknown_currency
from fabricplan.readers.discounts import discount_told
from fabricplan.readers.goods import goods_told
from fabricplan.readers.prices_columns import Column, TableRow
from fabricplan.readers.prices_lines import is_line, is_remark
from fabricplan.readers.prices_words import PRICE_FIELDS
from fabricplan.readers.taxes import tax_rates, tax_states
from fabricplan.readers.units import currencies_in, plain_unit, scale_of, without_scale

_KEYS = (
    ("version", r"版本号?|version|revision|rev"),
    ("date", r"(?:发布|生效|更新|报价|制表|编制)?日期|(?:effective )?date|issued"),
    ("currency", r"(?:报价|计价|结算)?(?:币种|货币)|currency"),
)
_WORDS = "|".join(rf"(?P<{field}>(?<![a-z])(?:{words})\.?)" for field, words in _KEYS)
_OTHER_DATE = r"(?<!delivery )(?<!expiry )(?<!due )(?<!order )(?<!交货)(?<!到货)(?<!截止)(?<!失效)"
_KEY = re.compile(
    rf"{_OTHER_DATE}(?:{_WORDS})(?:(?<=rev\.)\s*(?=\w)|\s*(?::|(?=v?\d)|(?=(?:[a-z]{{3}}|[¥$€£])(?:\W|$))|$))",
    re.IGNORECASE,
)
_VALUE_END = re.compile(r"[,;|、。]|\s+(?=[^\W\d][^\s:]{0,11}:)")
"""Where the value of a key ends: at a mark, or where another key begins."""
_DATE = re.compile(r"\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}\s*日?")
_ADVICE = "write dates as 2026-11-20, currencies as CNY"
_OF_PRICES = re.compile(r"单位|币种|货币|单价|价格|金额|计价|均为|currency|prices?\b|amounts?\b")
_IN_MONEY = re.compile(r"(?:\bin|\bcurrency:?|币种[:：]?|货币[:：]?|[(（:：])\s*@")
_OF_TAX = re.compile(r"税|\b(?:vat|gst|tax)\b")
_KINDS = (
    ("cost", re.compile(r"成本价|成本表|采购价|进货价|进价|底价|采购成本|内部成本"
                        r"|purchase prices?|cost prices?|\bcosts? list|buying prices?"),
     "head the column 成本 (Cost), or correct the title"),
    ("list_price", re.compile(r"列表价|目录价|媒体价|\blist prices?\b|\bgpl\b|\bmsrp\b"),
     "head the column 列表价 (List price), or correct the title"),
    ("", re.compile(r"租赁|租金|月租|包月|包年|年费|\brental|\bleas(?:e|ing)\b|\bmonthly\b|\bper month\b|\bannual\b"
                    r"|\bper year\b"),
     "quotes are for goods that are sold: give prices of one piece, sold"),
)  # fmt: skip
_KEYED = re.compile(r"(?:报价|价格|金额|计价)?(?:单位|币种|货币)|units?\b|currency\b")
_STATING = re.compile(
    r"单位|币种|货币|价格|价税|金额|报价|单价|售价|计价|合计|以[上下]|所有|全部|上述|均|都|皆|为|按|本|表中|不|未|已|包?含|带|包括|开|另|外"
    r"|加|计|收|算|付|税[点率费金款前后]?|增值|专用?|普通?|发?票|裸价|可|个?点|\d+(?:\.\d+)?\s*%?|[十百千万亿]|的"
    r"|(?<![a-z])(?:all|the|prices?|amounts?|are|is|be|will|to|in|of|and|with|without|not|non|no|plus|net|quoted|stated"
    r"|currency|units?|excl(?:uding|usive|uded|udes?)?|incl(?:uding|usive|uded|udes?)?|ex|vat|gst|tax(?:es)?|sales|added"
    r"|extra|subject|thousands?|millions?|k|before|after)(?![a-z])|[\W_]"
)
_NOT_PRICES = re.compile(r"汇率|exchange|\brate\b|账户|账号|开户|account", re.IGNORECASE)


class Title(NamedTuple):
    """What the rows above the headings say of the book; ``scale``: what its amounts are multiplied by."""

    name: str | None
    fields: Mapping[str, Any]
    scale: Decimal | None


def read_title(rows: Sequence[TableRow], columns: Sequence[Column], problems: list[Problem]) -> Title:
    """Return what the rows above the headings say: the first text is the name, ``key: value`` the rest.

    Several keys may share a cell. A currency and a unit such as 万元 count wherever they stand.
    """
    name: str | None = None
    fields: dict[str, Any] = {}
    named: dict[str, str] = {}
    scales: dict[Decimal, str] = {}
    taxes: dict[str, str] = {}
    rates: dict[Decimal, str] = {}
    for row in rows:
        texts = [(place, plain(cell), cell) for place, cell in enumerate(row.cells) if plain(cell)]
        for index, (place, text, cell) in enumerate(texts):
            lead, pairs = _pairs(text)
            stated = _with_value(text, texts[index + 1][1] if index + 1 < len(texts) else "")
            for tax in sorted(tax_states(stated)):
                fields.setdefault("tax", tax)
                taxes.setdefault(tax, row.where(place))
            for rate in tax_rates(stated):
                fields.setdefault("tax_percent", rate)
                rates.setdefault(rate, row.where(place))
            problems += remark_problems(text, row.where(place))
            scale = Decimal(1) if plain_unit(text) else scale_of(text)
            if scale is not None:
                scales.setdefault(scale, row.where(place))
            if not _NOT_PRICES.search(text):
                for code in currencies_in(text):
                    named.setdefault(code, row.where(place))
            if name is None and index == 0 and lead and ":" not in lead and not only_states(lead):
                name = str(cell).strip() if not pairs else lead
            for field, value in pairs:
                held: Cell = value
                if not value and index + 1 < len(texts):
                    held = texts[index + 1][2]
                try:
                    for key, found in _values(field, held):
                        fields.setdefault(key, found)
                except CellError as caught:
                    problems.append(Problem("price-book-title", f"{field}: {caught}", row.where(place), _ADVICE))
    _settle_currency(fields, named, columns, problems)
    if len(taxes) > 1:
        first, second = taxes.values()
        problems.append(Problem("price-book-title", "the title says both that prices hold the tax and that they do not",
                                second, f"the first is {first}; keep one"))  # fmt: skip
    if len(rates) > 1:
        problems.append(Problem("price-book-title", f"the title names two rates of tax: "
                                f"{' and '.join(f'{rate} %' for rate in rates)}", list(rates.values())[1],
                                "keep one, or add a column 税率 (Tax rate)"))  # fmt: skip
    if len(scales) > 1:
        problems.append(Problem("price-unit", "the title names two units for its amounts", list(scales.values())[1],
                                f"the first is {next(iter(scales.values()))}; keep one"))  # fmt: skip
    kept = {field: value for field, value in fields.items() if value is not None}
    return Title(name, kept, next(iter(scales), None))


def only_states(text: str) -> bool:
    """Return whether a text says nothing but how its prices are meant: tax, unit, currency. It is no book's name.

    >>> only_states("不含税，税点另加13%"), only_states("未税（元）"), only_states("All prices in USD, excl. VAT")
    (True, True, True)
    >>> only_states("含税价格表"), only_states("2026 年价格（含税）"), only_states("报价")
    (False, False, False)
    """
    low = unicodedata.normalize("NFKC", text).casefold()
    told = tax_states(low) or tax_rates(low) or currencies_in(low) or scale_of(low) or plain_unit(low)
    return bool(told or _KEYED.match(low)) and not _STATING.sub("", re.sub(WHOLE_MONEY, "", without_scale(low)))


def _with_value(text: str, following: str) -> str:
    """Return a text on the tax with the next cell, where that is its value (``是否含税 | 否``, ``VAT | 13% incl.``)."""
    key = text.rstrip(":： ")
    if following and len(key) <= 20 and _OF_TAX.search(key.casefold()) and (key != text or len(following) <= 12):
        return f"{key}: {following}"
    return text


def _pairs(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the text before the first key, and the keys with their values."""
    matches = list(_KEY.finditer(text))
    pairs = []
    for number, match in enumerate(matches):
        end = matches[number + 1].start() if number + 1 < len(matches) else len(text)
        value = _VALUE_END.split(text[match.end() : end].strip(), maxsplit=1)[0]
        pairs.append((match.lastgroup or "", value.strip(" ()[]/")))
    lead = text[: matches[0].start()] if matches else text
    return lead.strip(" ,;|(["), pairs


def _values(field: str, held: Cell) -> list[tuple[str, Any]]:
    if field == "date":
        return [("date", read_date(held))]
    text = plain(held)
    if field == "version":
        dated = _DATE.search(text)
        rest = text.replace(dated[0], " ") if dated and dated[0] != text else text
        found: list[tuple[str, Any]] = [("version", re.sub(r"\s+", " ", rest).strip(" -/,()[]") or None)]
        return [*found, ("date", read_date(dated[0].strip()))] if dated and rest != text else found
    code = text.upper() if text.upper() in CURRENCIES else currency_of(text)
    if text and code is None:
        raise CellError(f"no currency '{text}'")
    return [("currency", code)]


def _settle_currency(
    fields: dict[str, Any], named: Mapping[str, str], columns: Sequence[Column], problems: list[Problem]
) -> None:
    stated = fields.get("currency")
    others = [code for code in named if code != stated]
    prices = [column for column in columns if column.field in PRICE_FIELDS]
    if prices and all(column.currency for column in prices):
        return
    if len(named) == 1 and stated is None:
        fields["currency"] = others[0]
    elif others:
        codes = " and ".join(dict.fromkeys([*([stated] if stated else []), *others]))
        problems.append(Problem("price-book-title", f"the title names {codes}: which currency the prices are in is "
                                "open", named[others[-1]], "name one, or put it into the headings of the "
                                "prices"))  # fmt: skip


def scaled(
    columns: Sequence[Column], title: Title, row: TableRow, problems: list[Problem]
) -> tuple[Column, ...]:  # fmt: skip
    """Return columns whose amounts are in the title's unit and currency where their heading leaves them open."""
    stated = title.fields.get("currency")
    found = []
    for column in columns:
        heading = without_scale(column.heading.casefold())
        if stated and column.currency and currency_of(heading, stated) == stated:
            column = column._replace(currency=stated)
        if title.scale not in (None, 1) and _counted(column) and column.scale is None:
            if column.currency:
                problems.append(Problem("price-unit", f"the heading says {column.currency}, the title counts in units "
                                        f"of {title.scale:,}", row.where(column.place),
                                        "name the unit in one place"))  # fmt: skip
            column = column._replace(scale=title.scale)
        found.append(column)
    return tuple(found)


def _counted(column: Column) -> bool:
    return column.field in (*PRICE_FIELDS, "before") or column.field.endswith("_other_tax")


def remark_problems(text: str, where: str) -> list[Problem]:
    """Return what is wrong with a title or a remark that tells of prices what is not applied to them."""
    found = []
    if discount_told(text):
        found.append(Problem("discount-open", f"'{text}' tells a discount or a surcharge that is not applied", where,
                             "put the prices that apply into a column 折后价 (Net price), discounts into the "
                             "terms"))  # fmt: skip
    if (goods := goods_told(text)) is not None:
        found.append(Problem("price-unit", f"'{text}' prices '{goods.words}', not one piece", where,
                             "work out the prices of one piece"))  # fmt: skip
    word = unknown_currency(text)
    if word and (not word.isascii() or _IN_MONEY.search(text.casefold().replace(word, "@"))):
        found.append(Problem("unknown-currency", f"'{text}' names a currency that is not known: {word}", where,
                             "convert the prices into one that is"))  # fmt: skip
    return found


def read_below(rows: Sequence[TableRow], columns: Sequence[Column], title: Title, problems: list[Problem]) -> Title:
    """Return the title with what the remarks below a table state of tax; refuse what contradicts it or stays open.

    A remark between lines may hold for those above or below it: it must agree with the title or the headings. Units and
    currencies are refused below the headings where the title does not state them.
    """
    lines = [number for number, row in enumerate(rows) if is_line(row, columns)]
    headed = {column.tax for column in columns if column.field in PRICE_FIELDS and column.tax}
    fields = dict(title.fields)
    for number, row in enumerate(rows):
        if not is_remark(row, columns):
            continue
        for place, text in ((place, plain(cell)) for place, cell in enumerate(row.cells) if plain(cell)):
            where = row.where(place)
            problems += remark_problems(text, where)
            stated = {fields["tax"]} if "tax" in fields else headed
            states: set[Any] = set(tax_states(text))
            between = bool(lines) and lines[0] < number < lines[-1]
            if states and states != stated and (stated or between or len(states) > 1):
                problems.append(Problem("tax-open", f"'{text}' " + (
                    "says both with tax and without" if len(states) > 1 else
                    "contradicts what the title or the headings say of the tax" if stated else
                    "stands between the lines: which of them it holds for is open"), where,
                    "state the tax once, above the headings or in them"))  # fmt: skip
            elif len(states) == 1 and not stated:
                fields["tax"] = states.pop()
            rates = tax_rates(text)
            if len(rates) > 1 or (rates and fields.get("tax_percent") not in (None, *rates)):
                problems.append(Problem("tax-open", f"'{text}' names another rate of tax", where,
                                        "keep one, or add a column 税率 (Tax rate)"))  # fmt: skip
            elif rates:
                fields["tax_percent"] = rates.pop()
        _check_unit(row, title, problems)
    return title._replace(fields=fields)


def _check_unit(row: TableRow, title: Title, problems: list[Problem]) -> None:
    """Refuse a remark or a second heading below the headings that names a unit or a currency of its own."""
    for place, text in ((place, plain(cell)) for place, cell in enumerate(row.cells) if plain(cell)):
        bare = text.strip("()[]/ ")
        unit = scale_of(f"({bare})")
        codes = currencies_in(text) or ({"CNY"} if bare == "元" else set())
        if not (_OF_PRICES.search(text.casefold()) or len(bare) <= 6):
            continue
        if (unit is not None and unit != title.scale) or (codes and codes != {title.fields.get("currency")}):
            problems.append(Problem("price-unit", f"'{text}' stands below the headings and is not applied",
                                    row.where(place), "state it above the headings, or in them"))  # fmt: skip


def check_kind(texts: Sequence[str], where: str, columns: Sequence[Column], problems: list[Problem]) -> None:
    """Refuse a title that speaks of costs, list prices or rents above a column that says only 单价 or Price."""
    fields = {column.field for column in columns}
    if not any(column.field == "unit_price" and not column.net for column in columns):
        return
    for text in texts:
        for field, pattern, hint in _KINDS:
            if field not in fields and pattern.search(text.casefold()):
                problems.append(Problem("price-kind", f"'{text}' tells another kind of price than the heading of the "
                                        "column does", where, hint))  # fmt: skip
                return


def check_name(name: str, where: str, title: Title, columns: Sequence[Column], problems: list[Problem]) -> Title:
    """Return the title with the tax that the name of a sheet or file states.

    A unit or a currency in the name that nothing in the sheet states is refused.
    """
    unit, codes = scale_of(name), currencies_in(name)
    prices = [column for column in columns if column.field in PRICE_FIELDS]
    fields = {column.field for column in columns}
    open_unit = unit is not None and any(column.scale != unit for column in prices)
    stated = {column.currency or title.fields.get("currency") for column in prices}
    if open_unit or (codes and None in stated and not fields & {"currency", "unit_of"}):
        problems.append(Problem("price-unit", f"the name '{name}' tells a unit that the sheet does not state", where,
                                "state it above the headings, or in them"))  # fmt: skip
    states = tax_states(name)
    if len(states) != 1 or "tax" in fields:
        return title
    (state,) = states
    known = {column.tax for column in prices if column.tax} or {title.fields.get("tax")} - {None}
    if known and known != {state}:
        problems.append(Problem("tax-open", f"the name '{name}' contradicts what the sheet says of the tax", where,
                                "rename it, or correct the sheet"))  # fmt: skip
    return title._replace(fields={"tax": state, **title.fields})
