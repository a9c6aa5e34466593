"""Headings of price books: which column holds what, in Chinese and English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from fabricplan.readers.headings import OPN, PART, by_heading, field_of, fold_heading
from fabricplan.readers.taxes import tax_states

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "part": PART,
    "opn": OPN,
    "unit_price": ("单价", "销售单价", "销售价", "报价", "报价单价", "价格", "售价", "价", "unit price", "price",
                   "selling price",
                   "sales price", "unit selling price", "quoted price", "up"),
    "net_price": ("折后价", "折后单价", "折后价格", "折后", "折扣价", "折扣后", "折扣后单价", "折扣后价格", "折扣单价",
                  "净价",
                  "净单价", "成交价", "成交单价", "优惠价", "优惠单价", "特价", "项目价", "协议价", "最终价",
                  "最终单价", "最终价格",
                  "实际单价", "最终客户价", "最终用户价", "终端客户价", "终端用户价", "终端价", "客户价",
                  "net price", "net unit price", "net", "unit net price", "discounted price", "disc price",
                  "discounted unit price", "price after discount", "unit price after discount", "special price",
                  "final price", "final unit price", "your price", "customer price", "promo price", "offer price"),
    "list_price": ("列表价", "列表单价", "目录价", "公开价", "媒体价", "官方价", "指导价", "市场价", "面价", "原价",
                   "标价", "折前价",
                   "折前单价", "list price", "list", "list unit price", "unit list price", "msrp", "gpl", "rrp", "srp",
                   "retail price", "catalog price", "catalogue price", "standard price", "price before discount"),
    "cost": ("成本", "成本价", "成本单价", "采购价", "采购单价", "进价", "进货价", "底价", "供货价", "供应价", "结算价",
             "代理价",
             "渠道价", "经销价", "cost", "unit cost", "purchase price", "cost price", "unit cost price", "buying price",
             "buy price", "landed cost", "dealer price", "distributor price", "disti price", "transfer price"),
    "currency": ("币种", "货币", "报价币种", "计价币种", "currency", "curr", "ccy", "currency code"),
    "unit_of": ("单位", "计量单位", "计价单位", "价格单位", "货币单位", "金额单位", "报价单位", "销售单位", "包装单位",
                "uom", "u/m",
                "unit of measure", "unit of measurement", "price unit", "pricing unit", "sales unit", "selling unit",
                "price basis", "pricing basis", "per", "price per", "priced per", "currency unit", "unit of sale",
                "sold by",
                "sold as", "unit"),
    "pack": ("包装数", "包装数量", "装箱数", "装箱量", "装箱数量", "每箱数量", "每箱数", "每包数量", "每盒数量", "箱规",
             "pack size",
             "pack qty", "pack quantity", "package quantity", "package qty", "qty per pack", "qty per box",
             "quantity per box",
             "quantity per pack", "units per pack", "units per box", "pcs/box", "pcs/pack", "pieces per box",
             "pcs per box",
             "pcs per pack", "price quantity", "price qty", "price per quantity", "per qty"),
    "discount": ("折扣", "折扣率", "折扣系数", "折率", "折数", "扣率", "下浮", "下浮率", "优惠率", "优惠幅度",
                 "优惠比例", "降幅",
                 "discount", "discount rate", "disc", "disc %", "discount %", "% off", "off", "% discount",
                 "discount percent",
                 "discount percentage", "discount off list", "off list", "standard discount", "max discount"),
    "quantity": ("数量", "采购数量", "订购数量", "quantity", "qty", "order qty", "order quantity"),
    "amount": ("金额", "总价", "合计", "小计", "总金额", "总计", "价税合计", "合计金额", "总额", "行合计", "amount",
               "total",
               "total price", "extended price", "ext price", "ext", "line total", "subtotal", "sub-total", "net amount",
               "total amount", "extended amount"),
    "tax_amount": ("税额", "税金", "增值税额", "tax amount", "vat amount", "gst amount"),
    "brand": ("品牌", "厂商", "厂家", "brand", "manufacturer", "vendor"),
    "lead_time": ("货期", "交期", "交货期", "供货周期", "lead time", "leadtime", "delivery time", "delivery"),
    "warranty": ("质保", "质保期", "保修", "warranty"),
    "minimum": ("起订量", "最小起订量", "最小订购量", "moq", "minimum", "minimum order", "min qty", "minimum quantity",
                "minimum order quantity"),
    "valid_until": ("有效期", "有效期至", "有效期止", "价格有效期", "valid until", "valid to", "expires", "expiry",
                    "validity", "price valid until"),
    "stock": ("库存", "现货", "现货数量", "库存数量", "stock", "in stock", "inventory", "available", "qty in stock"),
    "customer_note": ("客户备注", "对客备注", "报价备注", "对外备注", "customer note", "customer notes",
                      "customer remark", "customer remarks", "note to customer", "note for customer"),
    "note": ("内部备注", "internal note", "备注", "说明", "价格说明", "note", "notes", "remark", "remarks", "comment",
             "comments"),
}  # fmt: skip
"""Field -> headings, as :func:`fabricplan.readers.headings.fold_heading` leaves them."""
PRICE_FIELDS = ("unit_price", "list_price", "cost")
_BY_HEADING = by_heading(HEADINGS)
_TAX_FLAG = re.compile(
    r"是否含(?:增值)?税|含税(?:与否|否|状态)|税务状态|含税/(?:不含|未)税?|(?:不含|未)税?/含税"
    r"|(?:tax|vat|gst) (?:status|mode|basis)|(?:tax|vat|gst) incl(?:uded|usive)?[./ ]*(?:excl(?:uded)?|y/n)?"
    r"|(?:incl(?:uded)?|excl)[./ ]*(?:vat|tax|gst)"
)
_TAX_RATE = re.compile(r"(?:增值)?税率|税点|(?:tax|vat|gst)(?: rate| percent)?")
_PIECES = r"(?:台|个|只|根|块|条|件)"
_TIER = re.compile(
    rf"(?!20\d\d\s?[-/.])\d+\s*(?:[-~–—至到]|to)\s*\d+\s*(?:{_PIECES}|pcs|units?|ea)?|[≥>≤<]=?\s*\d+\s*\D{{0,6}}"
    rf"|\d+\s*(?:\+|以上|起|and (?:up|above|more))\s*(?:{_PIECES}|pcs|units?|ea)?|\d+\s*{_PIECES}(?:及?以上|以下|起)?"
    r"|(?:qty|数量|quantity)\s*[:=]?\s*\d+\+?|(?:单价|价格|price|unit price)\s*[@(]?\s*\d+\s*(?:[-~–—]\s*\d+|\+)\)?"
    r"|(?!20\d\d\s?[-/.])\d+\s*(?:[-~–—]\s*\d+|\+)\s*(?:单价|价格|price|unit price)"
)
_OF_MONEY = re.compile(
    r"价|折|税|费率|系数|倍率|汇率|单位|上浮|下浮|加价|优惠|币|(?<![a-z])(?:price|pricing|cost|discount|disc|tax|vat|gst|msrp|uom"
    r"|per|surcharge|uplift|mark-?up|multiplier|exchange|rebate)(?![a-z])"
)
_HARMLESS = re.compile(
    r"有效|生效|日期|更新|时间|评价|价值|说明|备注|编号|代码|报价单|报价人|报价日|价格表|毛利|利润|单位(?:重|功|体)|税(?:收|务)?(?:编码|分类|号)"
    r"|(?<![a-z])(?:date|valid|code|list no|cost cent(?:er|re)|book|margin|profit)(?![a-z])"
)


def flat(heading: str) -> str:
    """Return a heading in plain letters, one blank between words, without marks of required fields."""
    low = unicodedata.normalize("NFKC", heading).casefold()
    return re.sub(r"\s+", " ", re.sub(r"[:*#%。()\[\]【】]", " ", low)).strip(" .-")


@lru_cache(maxsize=4096)
def price_field(heading: str) -> str | None:
    """Return the field of a heading, or None where it is none that is known.

    >>> price_field("含税单价（元）"), price_field("是否含税"), price_field("税率"), price_field("1-9")
    ('unit_price', 'tax', 'tax_rate', 'tier')
    >>> price_field("Price per 100"), price_field("UOM"), price_field("含税"), price_field("交换容量")
    ('unit_price', 'unit_of', 'tax_or_price', None)
    """
    text = flat(heading)
    if not text:
        return None
    if re.search(r"含税?\s*/\s*(?:不含|未)|是否|incl\S*\s*/\s*excl", text) and re.fullmatch(_TAX_FLAG, text):
        return "tax"
    if _TAX_RATE.fullmatch(text):
        return "tax_rate"
    if re.fullmatch(_TAX_FLAG, text) and re.search(r"status|mode|basis|y/n|状态|否", text):
        return "tax"
    if (field := field_of(heading, _BY_HEADING)) is not None:
        return field
    folded = fold_heading(heading)
    if folded == "" and tax_states(heading):
        return "tax_or_price"
    if _TIER.fullmatch(text):
        return "tier"
    return _BY_HEADING.get(text)


def bears_on_price(heading: str) -> bool:
    """Return whether a heading that is not known may change what a price means.

    >>> bears_on_price("指导价格Q3"), bears_on_price("备用系数"), bears_on_price("Port count")
    (True, True, False)
    """
    low = flat(heading)
    return bool(_OF_MONEY.search(low)) and not _HARMLESS.search(low)
