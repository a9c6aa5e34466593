"""What words say of tax: whether prices hold it, and at which rate."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

from fabricplan.prices import TaxState
from fabricplan.readers.cells import Cell, CellError, plain

_TAX = (
    r"(?:(?:of|all|any|the)\s+)*\(?(?:\d+(?:\.\d+)?\s*%\s*)?的?\s*"
    r"(?:(?:增值)?税|(?:vat|gst|(?:sales )?tax(?:es)?)(?![a-z]))"
)
_TAX_BEFORE = r"(?:税|(?<![a-z])(?:vat|gst|tax(?:es)?))\s*[-(:]?\s*(?:is |are )?(?:\d+(?:\.\d+)?\s*%\s*)?"
_INCL, _EXCL = (rf"{word}(?:\.|uding|usive|uded|udes?)?" for word in (r"(?<![a-z])incl", r"(?<![a-z])excl"))
_NOT = r"(?<![a-z])(?:not|non|no)[\s-]+"
_NAY = r"\s*[:?]\s*(?:否|不|no(?![a-z])|n(?![a-z])|false|×|✗)"
_ADDED = re.compile(
    rf"(?:是否\s*)?含\s*{_TAX}{_NAY}|{_TAX_BEFORE}{_INCL}{_NAY}|{_INCL}\s*{_TAX}{_NAY}"
    rf"|不(?:包?含|包括)\s*{_TAX}|未(?:包?含)?\s*{_TAX}|税前"
    rf"|(?:{_EXCL}|{_NOT}{_INCL}|without|before|net of)[\s-]*{_TAX}"
    rf"|{_TAX_BEFORE}(?:{_EXCL}|{_NOT}{_INCL}|不含|未含|另计|另加|extra)(?!\s*{_TAX})|(?<![a-z])pre[\s-]+{_TAX}"
    rf"|(?<![a-z])plus\s+{_TAX}|另(?:加|计|收)\s*{_TAX}|(?<![a-z])ex\.?[\s-]+(?:vat|gst|tax)(?![a-z])"
    rf"|subject to\s+{_TAX}"
    rf"|{_TAX}\s*(?:费|金|款)?\s*(?:另计|另加|另算|另付|(?:will be |to be |is |are )*(?:added|extra|charged|payable))"
    r"|(?:不含|不带|不开|未开|未含)(?:增值税)?(?:专用|普通|专|普)?(?:发?票)|裸价"
)
_INCLUDED = re.compile(
    rf"(?<![不未])(?<![不未]包)含\s*{_TAX}|税后"
    rf"|(?<!not )(?<!non )(?<!non-)(?:{_INCL}|(?<![a-z])(?:with|after|post))[\s-]*{_TAX}"
    rf"|(?<![不未])包括\s*{_TAX}|价税合计|{_TAX_BEFORE}{_INCL}|(?<!不)[含带](?:增值税)?(?:\d+(?:\.\d+)?\s*(?:%|个?点)\s*)?"
    r"(?:的)?(?:专用|普通|专|普)?(?:发?票)|含税"
)
_UNANSWERED = re.compile(r"是否\s*含(?:增值)?税(?!\s*[:?]?\s*(?:是|否|含|不|yes|no))")
_QUESTION = re.compile(r"是否\s*含|含税\s*(?:与否|否)|[?？]")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%")
_RATE_NEAR = re.compile(
    r"(?:税|(?<![a-z])(?:vat|gst|tax)(?![a-z]))[^,;。，；]{0,12}?(?P<a>\d+(?:\.\d+)?)\s*(?:%|个?点)"
    r"|(?P<b>\d+(?:\.\d+)?)\s*(?:%|个?点)[^,;。，；%]{0,10}?"
    r"(?:税|专票|普票|发票|(?<![a-z])(?:vat|gst|tax|sales tax)(?![a-z]))"
)
_YES = ("是", "含", "含税", "已含税", "包含", "有", "y", "yes", "true", "included", "incl", "inclusive", "√", "✓", "✔")
_NO = ("否", "不", "不含", "不含税", "未税", "未含", "未含税", "无", "n", "no", "false", "excluded", "excl",
    "exclusive", "added",
       "×", "✗", "net")  # fmt: skip


def tax_states(text: str) -> set[TaxState]:
    """Return every state that a text names: both where it speaks of prices with and without the tax.

    >>> sorted(tax_states("含税/不含税")), tax_states("未税单价"), tax_states("单价")
    (['added', 'included'], {'added'}, set())
    >>> tax_states("是否含税：否"), tax_states("Tax included: Yes"), tax_states("VAT will be added")
    ({'added'}, {'included'}, {'added'})
    """
    low = unicodedata.normalize("NFKC", text).casefold().replace("w/o", "without").replace("w/", "with ")
    low = _UNANSWERED.sub(" ", low)
    rest, added = _ADDED.subn(" ; ", low)
    states: set[TaxState] = {"added"} if added else set()
    return states | {"included"} if _INCLUDED.search(rest) else states


def tax_of(text: str) -> TaxState | None:
    """Return whether a text says that prices hold the tax; None where it does not say, or says both.

    >>> tax_of("含税单价"), tax_of("不含税"), tax_of("price excl. VAT"), tax_of("price"), tax_of("含税/不含税")
    ('included', 'added', 'added', None, None)
    """
    states = tax_states(text)
    return states.pop() if len(states) == 1 and not _QUESTION.search(text) else None


def tax_rates(text: str) -> set[Decimal]:
    """Return the rates of tax that a text names, in percent.

    >>> tax_rates("含 6% 增值税"), tax_rates("VAT 9 %"), tax_rates("满 10 台优惠 5%"), tax_rates("13%专票")
    ({Decimal('6')}, {Decimal('9')}, set(), {Decimal('13')})
    """
    low = unicodedata.normalize("NFKC", text).casefold()
    return {Decimal(match["a"] or match["b"]) for match in _RATE_NEAR.finditer(low)}


def read_tax_state(cell: Cell) -> TaxState | None:
    """Return what the cell of a column 是否含税 says; None for an empty one.

    Raises:
        CellError: it says something else.
    """
    if isinstance(cell, bool):
        return "included" if cell else "added"
    text = plain(cell).casefold().strip(" .")
    if not text:
        return None
    if text in _YES:
        return "included"
    if text in _NO:
        return "added"
    state = tax_of(text)
    if state is None:
        raise CellError(f"'{text}' does not say whether the price holds the tax")
    return state


def read_tax_rate(cell: Cell) -> Decimal | None:
    """Return the percent of a column 税率: ``13%``, ``13`` and ``0.13`` are the same; None for an empty one.

    Raises:
        CellError: no rate of a tax.
    """
    text = plain(cell).casefold()
    if not text or text in ("-", "/", "n/a"):
        return None
    if text in ("免税", "零税率", "exempt", "zero", "none"):
        return Decimal(0)
    match = re.fullmatch(r"(?:\D*?)(\d+(?:\.\d+)?)\s*(%?)(?:\s*(?:专票|普票|增值税|vat|gst|tax))?", text)
    if match is None or isinstance(cell, bool):
        raise CellError(f"'{text}' is no rate of a tax")
    rate = Decimal(match[1])
    if not match[2] and 0 < rate < 1:
        rate *= 100
    if rate > 50:
        raise CellError(f"'{text}' is no rate of a tax")
    return Decimal(f"{rate.normalize():f}")
