"""What a price is for: one piece, a set, or something that is no piece (a box, a hundred, a metre).

A quote multiplies unit prices by pieces, so a price for anything else is refused wherever a book states it: in a
heading (单价/箱, Price per 100), in a column of units, above or below the table. ``套`` and ``set`` are one piece of
what the part number orders (licences and switches are counted so); that reading is told to the seller.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, NamedTuple

from fabricplan.readers.cells import MONEY

_PIECE_ZH = ("台", "个", "只", "块", "根", "条", "件", "支", "项", "张", "片", "颗", "枚", "部", "把", "单件", "每件")
PIECE = frozenset({
    *_PIECE_ZH, "pc", "pcs", "piece", "pieces", "ea", "each", "unit", "units", "item", "items", "no", "nos", "device",
    "switch", "cable", "module", "adapter", "card", "nic", "transceiver", "part",
})  # fmt: skip
SET = frozenset({"套", "set", "sets", "kit", "kits"})
_MANY_ZH = r"箱|盒|包|捆|卷|盘|轴|打|袋|对|双|付|副|组|批|车|托|版|板|筒|公里|千米|百米|厘米|米|年|月|天|次|端口|口|芯"
_MANY_EN = (
    r"box(?:es)?|packs?|packages?|packets?|pkgs?|pks?|cartons?|ctns?|cases?|bags?|reels?|rolls?|spools?|trays?|tubes?"
    r"|pallets?|bundles?|batch(?:es)?|lots?|dozens?|dz|doz|pairs?|prs?|met(?:er|re)s?|mtrs?|mtr|km|cm|mm|ft|feet|foot"
    r"|yards?|inch(?:es)?|hundreds?|thousands?|ports?|lanes?|gpus?|nodes?|servers?|racks?|years?|yrs?|months?|kg|m|c|k"
)
_NUMBER = r"\d+|[一二两三五十百千万]+|hundred|thousand|dozen|one|ten"
_WORD = rf"{_MANY_ZH}|{'|'.join((*_PIECE_ZH, '套'))}|[\u4e00-\u9fff]{{1,2}}|[a-z]+"
_ROUND = ("10", "12", "50", "100", "1000", "十", "百", "千")
_ONE = ("1", "一", "one", "")
_PER = re.compile(
    rf"(?:\bper\b|(?<!\d)(?<!\bw)/|每|按|\bby the\b)\s*(?P<n>{_NUMBER})?\s*(?P<w>{_WORD})?(?P<of>\s+of\s+\d+)?"
)
_PACKED = re.compile(
    r"(?P<n>\d+)\s*-?\s*"
    r"(?P<w>pack|pk|pcs?|pieces?|根装|支装|只装|个装|片装|台装|条装|块装|对装|根(?!据)|支|只|个(?!点|月|工作日|年|小时|星期|自然日)|片|条(?!款))"
    r"(?![a-z])"
)
_NAMED = re.compile(
    r"(?:(?:整|单)?(?P<zh>箱|盒|包|捆|卷|盘|打|百米|千米|公里|米|对|双|整机柜)(?=单?价|价格)"
    r"|\b(?P<en>box|pack|carton|case|reel|roll|pair|dozen|bundle|bulk|met(?:er|re))(?=\s+(?:price|cost|rate)))"
)
_LATER = re.compile(rf"(?:price|cost)\s*,?\s*(?P<w>{_MANY_EN})$")
_BRACKET = re.compile(r"[(\[【]([^)\]】]*)[)\]】]")
_TAX_BRACKET = re.compile(
    r"[(\[【]([^()\[\]【】]*(?:税|专票|普票|发票|运费|(?<![a-z])(?:vat|gst|tax|freight)(?![a-z]))[^()\[\]【】]*)[)\]】]"
)
_MONEY_WORD = re.compile(MONEY)
_NOT_GOODS = re.compile(r"(?:不?含|未|税|价|单|报|成|列|list|price|unit price|cost|net|tax|vat|gst|incl|excl|msrp|折)")


class Goods(NamedTuple):
    """What a price is for: ``piece``, ``set`` or ``other``, in the words that say so."""

    kind: Literal["piece", "set", "other"]
    words: str


def _judged(number: str | None, word: str | None, words: str) -> Goods:
    one = (number or "") in _ONE
    if one and (not word or word in PIECE):
        return Goods("piece", words)
    return Goods("set", words) if one and word in SET else Goods("other", words)


def goods_in(heading: str) -> Goods | None:
    """Return what the heading of a price says that it is for, or None where it says nothing.

    >>> goods_in("单价（元/台）"), goods_in("Price per 100"), goods_in("单价(元/米)")
    (Goods(kind='piece', words='/台'), Goods(kind='other', words='per 100'), Goods(kind='other', words='/米'))
    >>> goods_in("Unit price (USD)"), goods_in("单价/Unit price"), goods_in("10-pack price").words
    (None, None, '10-pack')
    """
    low = unicodedata.normalize("NFKC", heading).casefold()
    for found in _stated(low):
        return found
    for inner in _BRACKET.findall(low):
        word = inner.strip(" ./")
        if word in PIECE or word in SET:
            return _judged(None, word, inner)
        if re.fullmatch(rf"(?:{_NUMBER})?\s*(?:{_MANY_ZH}|{_MANY_EN})s?", word) and not re.fullmatch(
            r"[kc]|20\d\d年", word
        ):
            return Goods("other", inner)
    return None


def _stated(low: str) -> list[Goods]:
    found = []
    for match in _PER.finditer(low):
        number, word = match["n"], match["w"]
        if not number and not word:
            continue
        rest = low[match.end("n") if number else match.start("w") :].lstrip()
        if _MONEY_WORD.match(rest) or (not number and _NOT_GOODS.match(rest)):
            continue
        if match[0].startswith("/") and number and not word and number not in _ROUND:
            continue
        found.append(_judged(number, word, match[0].strip()))
    for pattern in (_PACKED, _NAMED, _LATER):
        for match in pattern.finditer(low):
            number = match.groupdict().get("n")
            if number in _ONE:
                continue
            found.append(Goods("other", match[0].strip()))
    return sorted(found, key=lambda item: item.kind == "piece")


def without_goods(folded: str) -> str:
    """Return a folded heading without the words that say what a price is for.

    >>> without_goods("price per 100 pcs"), without_goods("箱价"), without_goods("单价/台"), without_goods("p/n")
    ('price', '价', '单价', 'p/n')
    """
    if not re.search(r"价|price|cost|list|msrp|本", folded):
        return folded
    for match in reversed(list(_PER.finditer(folded))):
        if not match["n"] and not match["w"]:
            continue
        rest = folded[match.end("n") if match["n"] else match.start("w") :].lstrip()
        if not (_MONEY_WORD.match(rest) or (not match["n"] and _NOT_GOODS.match(rest))):
            folded = f"{folded[: match.start()]} {folded[match.end() :]}"
    for pattern in (_PACKED, _NAMED):
        folded = pattern.sub(" ", folded)
    folded = re.sub(rf"(price|cost)\s*,?\s*(?:{_MANY_EN}|ea|each|pcs?)$", r"\1", folded)
    return re.sub(r"\s+", " ", folded).strip()


def goods_of_unit(text: str) -> Goods | None:
    """Return what the cell of a column of units says: ``EA``, ``元/台``, ``100 pcs``; None where it names only money.

    >>> goods_of_unit("EA"), goods_of_unit("元/台"), goods_of_unit("万元"), goods_of_unit("100pcs").kind
    (Goods(kind='piece', words='EA'), Goods(kind='piece', words='元/台'), None, 'other')
    """
    low = unicodedata.normalize("NFKC", text).casefold()
    bare = re.sub(r"[(\[【].*?[)\]】]", " ", low)
    inside = " ".join(_BRACKET.findall(low))
    bare = re.sub(rf"(?:十万|百万|千万|万|千|百|(?:10+)?\s*(?:k|m|thousands?|millions?))?\s*{MONEY}", " ", bare)
    words = [word for word in re.split(r"[\s/,;.:、每]+|\bper\b", bare) if word]
    if re.search(r"\d", inside) and not re.fullmatch(r"\s*1\s*\D{0,6}", inside):
        return Goods("other", text)
    kinds = set()
    for word in words:
        match = re.fullmatch(r"(\d+|一)?\s*([a-z\u4e00-\u9fff]*)", word)
        kinds.add(_judged(match[1], match[2], text).kind if match and (match[1] or match[2]) else "other")
    if not kinds:
        return None
    kind: Literal["piece", "set", "other"] = "other" if "other" in kinds else "set" if "set" in kinds else "piece"
    return Goods(kind, text)


def goods_told(text: str) -> Goods | None:
    """Return what a remark or a title says that its prices are for, where it is no piece; else None.

    >>> goods_told("单位：元/米").words, goods_told("All prices per 100 pcs").words
    ('元/米', 'per 100 pcs')
    >>> goods_told("单位：台"), goods_told("每箱 10 根"), goods_told("单位：万元（含13%增值税）")
    (None, None, None)
    """
    low = _TAX_BRACKET.sub(_without_tax, unicodedata.normalize("NFKC", text).casefold())
    unit = re.search(r"(?:单位|\buom\b|\bunits?)\s*[:=]\s*(.+?)(?=\s*[,;。，；)]|\s+\S+\s*[:=]|$)", low)
    if unit and (others := [found for inner in _TAX_BRACKET.findall(low) for found in _stated(inner)
                            if found.kind == "other"]):  # fmt: skip
        return others[0]
    if unit and (found := goods_of_unit(unit[1])) and _many(found):
        return found._replace(words=unit[1] + ")" * (unit[1].count("(") - unit[1].count(")")))
    if re.search(r"更新|调整|有效|updated?|revised?|valid", low):
        return None
    if re.search(r"价|\bprices?\b|\bpriced\b|\bcosts?\b", low):
        for found in _stated(low):
            if found.kind == "other" and (re.search(r"\d", found.words) or _many(found)):
                return found
    return None


def _without_tax(bracket: re.Match[str]) -> str:
    """Return a comma for a bracket that speaks of tax or freight, and of no goods; any other as it is."""
    return bracket[0] if any(found.kind == "other" for found in _stated(bracket[1])) else ","


def is_bare_unit(text: str) -> bool:
    """Return whether a text is nothing but a unit that is no piece.

    >>> is_bare_unit("/箱"), is_bare_unit("per box"), is_bare_unit("10根/箱"), is_bare_unit("现货")
    (True, True, False, False)
    """
    low = unicodedata.normalize("NFKC", text).casefold().strip()
    return re.fullmatch(rf"[/每]?\s*(?:per\s+)?(?:{_NUMBER})?\s*(?:{_MANY_ZH}|{_MANY_EN})", low) is not None


def _many(found: Goods) -> bool:
    """Return whether words that are no piece are ones that are known; others may be anything."""
    low = unicodedata.normalize("NFKC", found.words).casefold()
    return found.kind == "other" and bool(re.search(rf"{_MANY_ZH}|(?<![a-z])(?:{_MANY_EN})(?![a-z])|\d", low))
