"""What a customer receives: nothing secret, nothing that becomes a formula, one font, the right sheets and names."""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.drawing.image import Image as SheetImage
from openpyxl.styles import Font
from openpyxl.workbook.defined_name import DefinedName
from PIL import Image

from fabricplan.catalog import Catalog
from fabricplan.errors import PriceError, RenderError
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.prices import PriceBook, PriceLine
from fabricplan.quote import Quote, price
from fabricplan.readers.erp_map import read_codes
from fabricplan.renderers import render
from fabricplan.renderers.quotes import raster, render_quote
from fabricplan.renderers.quotes.book import FONT
from fabricplan.renderers.quotes.erp import render as render_erp
from fabricplan.renderers.quotes.internal import render as render_internal
from fabricplan.renderers.quotes.tables import brief
from fabricplan.renderers.quotes.template import fill
from fabricplan.requirement import parse_requirement
from fabricplan.wording import quote_en, quote_zh
from fabricplan.wording.quotes import quote_finding
from tests.conftest import PlanOf
from tests.unit.quotes import everything_in, hdr_book, hdr_quote, sheets, terms

D = Decimal
SECRET_LIST, SECRET_COST, SECRET_NOTE = "123456.78", "77777.31", "底价再打8折"
BAD = '=HYPERLINK("http://x","y")'


@pytest.fixture(scope="module")
def hdr(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 20, "ports": 1}, {"rate": "hdr"}, room={"uniform_length_mm": 10_000})


@pytest.fixture(scope="module")
def secret(hdr: Plan) -> Quote:
    """A quote with list price, cost and discount behind it, and hostile texts in it."""
    lines = hdr_book().lines
    book = PriceBook(name="+book", version="@v", lines=(
        PriceLine(part=lines[0].part, list_price=D(SECRET_LIST), cost=D(SECRET_COST), customer_note=BAD,
                  note=SECRET_NOTE, brand="-brand", warranty="\t=1", where="Secret sheet!B9"), *lines[1:],
    ))  # fmt: skip
    return price(hdr, book, terms(
        number="=1+1", discounts={"groups": {"switch": "41.7"}, "total": "3.3"}, project=BAD, notes="@SUM(A1)",
        seller={"name": "+Seller", "phone": "-1"}, customer={"name": "=cmd|' /C calc'!A0"}, payment="=2+2",
        services=[{"name": "=3+3", "description": "+4", "price": 10}],
    ))  # fmt: skip


@pytest.mark.parametrize("format", ["xlsx", "html", "csv", "json", "brief"])
@pytest.mark.parametrize("lang", ["zh", "en", "both"])
def test_nothing_of_the_sellers_own_figures(secret: Quote, hdr: Plan, format: str, lang: str) -> None:
    for data in render_quote(secret, format, lang, hdr).values():
        text = everything_in(data) if data[:2] == b"PK" else data.decode("utf-8-sig")
        text = re.sub(r"margin(-\w+)?:|\w*Margins?\b", "", text)  # of pages, not of sales
        for word in (SECRET_LIST, SECRET_COST, "123456", "77777", "41.7", "3.3000", "Secret sheet", "margin", "毛利",
                     "折扣", "成本", "列表价", "底价", "8折"):  # fmt: skip
            assert word not in text, word
    shown = everything_in(render_internal(secret, "zh")["quote-internal.xlsx"])
    assert all(word in shown for word in ("123456.78", "77777.31", SECRET_NOTE)) and "不得外发" in shown


@pytest.mark.parametrize("lang", ["zh", "en", "both"])
def test_the_workbook(secret: Quote, hdr: Plan, lang: str) -> None:
    data = render_quote(secret, "xlsx", lang, hdr)["quote.xlsx"]
    assert data == render_quote(secret, "xlsx", lang, hdr)["quote.xlsx"]
    book, values = sheets(data), sheets(data, True)
    assert [sheet.sheet_state for sheet in book] == ["visible"] * 3
    assert len(book.worksheets[1]._images) == (1 if raster.can_write("A") else 0)
    for sheet in book:
        assert (sheet.page_setup.paperSize, sheet.page_setup.orientation) == (9, "landscape")
        for row in sheet.iter_rows():
            for cell in row:
                assert cell.comment is None
                if cell.value is not None:
                    assert cell.font.name == FONT
                if cell.data_type == "f":
                    assert re.fullmatch(r"=(ROUND|SUM)\([A-Z0-9:*+,\-/() ROUNDSM]+\)", str(cell.value)), cell.value
                    assert values[sheet.title][cell.coordinate].value is not None
    texts = [str(cell.value) for row in book.worksheets[0].iter_rows() for cell in row if cell.value is not None]
    for text in (BAD, "=1+1", "=2+2", "@SUM(A1)"):
        assert any(text in found for found in texts)
    first = book.worksheets[0]
    assert re.match(r"\$\d+:\$\d+", first.print_title_rows)
    named = {name: defined.attr_text for name, defined in book.defined_names.items()}
    cell = named["quote_total"].rpartition("!")[2].replace("$", "")
    assert D(str(values.worksheets[0][cell].value)) == secret.total
    assert {"quote_number", "quote_date", "quote_net", "quote_tax", "customer_name", "seller_name"} <= named.keys()


def test_prices_are_values_amounts_are_formulas(hdr: Plan) -> None:
    book = sheets(render_quote(hdr_quote(hdr), "xlsx", "zh")["quote.xlsx"])
    sheet = book.worksheets[0]
    heads = next(row for row in sheet.iter_rows() if row[0].value == "序号")
    titles = [cell.value for cell in heads]
    assert titles == [
        "序号",
        "产品名称",
        "型号",
        "原厂料号",
        "规格描述",
        "数量",
        "单位",
        "含税单价\n(CNY)",
        "含税金额\n(CNY)",
    ]
    line = next(row for row in sheet.iter_rows() if row[2].value == "MCX653105A-HDAT")
    row = line[0].row
    assert [line[5].value, line[6].value, line[7].value, line[8].value] == [20, "块", 6350, f"=ROUND(F{row}*H{row},2)"]
    column = [str(cells[0].value) for cells in sheet.iter_rows() if cells[0].value]
    assert [text for text in column if text in ("交换机", "网卡", "线缆")] == ["交换机", "网卡", "线缆"]
    labels = [str(cell.value) for cells in sheet.iter_rows() for cell in cells if cell.value]
    for text in ("未税合计", "税额 13%", "含税总价", "大写：贰拾捌万肆仟陆佰元整"):
        assert text in labels


def test_missing_prices_are_told(hdr: Plan) -> None:
    book = hdr_book().model_copy(update={"lines": hdr_book().lines[1:]})
    quote = price(hdr, book, terms())
    sheet = sheets(render_quote(quote, "xlsx", "zh")["quote.xlsx"], True).worksheets[0]
    texts = [str(cell.value) for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert texts.count("待询价") == 2
    assert any(text.startswith("含税总价（不完整：1 项待询价") for text in texts)
    assert not any("大写" in text for text in texts)
    assert "on request" in render_quote(quote, "html", "en")["quote.html"].decode()
    assert "MQM8700-HS2F" in "\n".join(brief(quote, "zh"))


@pytest.mark.parametrize("lang", ["zh", "en", "both"])
def test_csv(secret: Quote, lang: str) -> None:
    data = render_quote(secret, "csv", lang)["quote.csv"]
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert len({len(row) for row in rows}) == 1
    for row in rows:
        for cell in row:
            assert not re.match(r"[=+@\t]|-\D", cell), cell
    totals = [next(cell for cell in reversed(row) if cell) for row in rows[-5:]]
    assert str(secret.total) in totals and str(secret.tax) in totals


def test_html_escapes(secret: Quote, hdr: Plan) -> None:
    hostile = secret.model_copy(update={"number": "<script>alert(1)</script>"})
    page = render_quote(hostile, "html", "zh", hdr)["quote.html"].decode()
    assert "<script" not in page and "&lt;script&gt;" in page
    assert "http" not in re.sub(r"http://www.w3.org/\S+|http://x", "", page)


@pytest.mark.parametrize("lang", ["zh", "en", "both"])
def test_brief_is_at_most_eight_lines(secret: Quote, lang: str) -> None:
    for quote in (secret, secret.model_copy(update={"fabrics": secret.fabrics * 9})):
        lines = brief(quote, lang)
        assert len(lines) <= 8 and f"{quote.total:,}" in "\n".join(lines)


def test_leaves_without_spines_are_not_called_one_switch(catalog: Catalog) -> None:
    """An out-of-band network of several leaves whose uplinks end in another network has one tier."""
    managed = {"name": "oob", "network": "oob", "technology": "ethernet", "rate": "1"}
    plan = design(parse_requirement({"groups": [{"nodes": 64}], "fabrics": [{"rate": "ndr"}, managed]}), catalog)
    quote = price(plan, PriceBook(name="one", lines=(PriceLine(part="MQM9700-NS2F", unit_price=D(1)),)), terms())
    assert [(fabric.tiers, fabric.leaf_count > 1) for fabric in quote.fabrics] == [(2, True), (1, True)]
    for lang, wrong, right in (("en", "one switch", "leaves without spines"), ("zh", "单台", "多台 Leaf")):
        text = "\n".join(brief(quote, lang)) + render_quote(quote, "html", lang)["quote.html"].decode()
        assert right in text and wrong not in text


def test_languages_have_the_same_words() -> None:
    for name in ("TERMS", "FINDINGS"):
        zh, en = getattr(quote_zh, name), getattr(quote_en, name)
        assert zh.keys() == en.keys()
        for key in zh:
            fields = [set(re.findall(r"\{(\w+)", table[key])) for table in (zh, en)]
            assert fields[0] == fields[1] or key == "brief_parts", key


def test_unknown_words(secret: Quote) -> None:
    for format, lang in (("xls", "zh"), ("xlsx", "fr")):
        with pytest.raises(RenderError):
            render(secret, format, lang)
    assert render(secret, "json", "both").keys() == {"quote.json"}


def test_picture_needs_letters(hdr: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    from fabricplan.renderers.quotes import workbook

    monkeypatch.setattr(workbook, "can_write", lambda sample: False)
    assert workbook.picture(hdr, "zh") is None
    book = sheets(workbook.render(hdr_quote(hdr), "zh", hdr)["quote.xlsx"])
    assert book.worksheets[1]._images == []


def template(**places: str) -> bytes:
    """Return a company's workbook: logo, heading, one row of lines, own formulas and a footer below."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "报价"
    picture = io.BytesIO()
    Image.new("RGB", (60, 20), (200, 30, 30)).save(picture, "PNG")
    sheet.add_image(SheetImage(picture), "A1")
    sheet["C1"] = "某公司"
    sheet["C1"].font = Font(name="楷体", size=18)
    sheet["E9"], sheet["A10"] = "=F8*2", "footer"
    sheet["F9"] = "=SUM(F6:F6)+F8"
    sheet.merge_cells("A10:F10")
    sheet.row_dimensions[6].height, sheet.row_dimensions[10].height = 31, 44
    sheet.print_area = "A1:F10"
    for name, place in places.items():
        book.defined_names[name] = DefinedName(name, attr_text=f"'报价'!{place}")
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


PLACES = {
    "quote_number": "$B$3", "customer_name": "$D$3", "line_no": "$A$6", "line_product": "$B$6", "line_quantity": "$D$6",
    "line_unit_price": "$E$6", "line_amount": "$F$6", "quote_total": "$F$8", "terms_notes": "$A$11",
}  # fmt: skip


def test_company_template(secret: Quote) -> None:
    company = template(**PLACES)
    filled = fill(company, secret, "zh")
    assert filled == fill(company, secret, "zh")
    data = filled.files["quote.xlsx"]
    sheet, values = sheets(data)["报价"], sheets(data, True)["报价"]
    assert (sheet["C1"].value, sheet["C1"].font.name, len(sheet._images)) == ("某公司", "楷体", 1)
    assert (sheet["B3"].value, sheet["B3"].data_type) == ("=1+1", "s")
    assert [sheet.row_dimensions[row].height for row in (6, 7, 8, 9, 13)] == [31, 31, 31, 31, 44]
    assert [str(area) for area in sheet.merged_cells.ranges] == ["A13:F13"]
    assert (sheet["E12"].value, sheet["F12"].value) == ("=F11*2", "=SUM(F6:F9)+F11")
    assert filled.unvalued == ("报价!E12", "报价!F12")
    assert sheet.print_area.replace("$", "").endswith("A1:F13")
    assert D(str(values["F11"].value)) == secret.total == sum(D(str(values.cell(row, 6).value)) for row in range(6, 10))
    assert (sheet["A14"].value, sheet["A14"].data_type) == ("@SUM(A1)", "s")


def test_template_with_rows_set_apart_keeps_its_size(hdr: Plan) -> None:
    places = {**PLACES, "lines": "$A$6:$F$8", "quote_total": "$F$9"}
    filled = fill(template(**places), hdr_quote(hdr), "en")
    sheet = sheets(filled.files["quote.xlsx"])["报价"]
    assert [sheet.cell(row, 1).value for row in (6, 7, 8)] == [1, 2, 3]
    assert sheet["A10"].value == "footer"


@pytest.mark.parametrize(("places", "code"), [
    ({}, "template-names"), ({"quote_totl": "$A$1", "quote_total": "$A$2"}, "template-name"),
    ({"line_no": "$A$1", "line_amount": "$B$2"}, "template-lines"),
])  # fmt: skip
def test_wrong_templates(secret: Quote, places: dict[str, str], code: str) -> None:
    with pytest.raises(RenderError) as caught:
        fill(template(**places), secret, "zh")
    assert caught.value.code == code
    with pytest.raises(RenderError, match="not an Excel workbook"):
        fill(b"PK", secret, "zh")


def codes(*rows: list[Any]) -> bytes:
    book = openpyxl.Workbook()
    for row in (["物料编码", "型号", "物料名称", "单位"], *rows):
        book.active.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


@pytest.mark.parametrize("heading", ["型号（必填）", "MPN", "零件号", "Part No.*", "原厂料号", "P/N"])
def test_part_headings_of_the_erp_map_are_those_of_price_books(heading: str) -> None:
    book = openpyxl.Workbook()
    for row in (["编码 Code", heading], ["M1", "MQM8700-HS2F"]):
        book.active.append(row)
    target = io.BytesIO()
    book.save(target)
    (code,) = read_codes(target.getvalue(), "m.xlsx").values()
    assert (code.part, code.code) == ("MQM8700-HS2F", "M1")


def test_erp_rows(hdr: Plan) -> None:
    mapped = codes(["M1", "mqm8700-hs2f", "交换机A", "PCS"], ["M2", "MCX653105A-HDAT", None, None],
                   ["M3", "980-9I45J-00H010", None, None])  # fmt: skip
    quote = hdr_quote(hdr, tax={"mode": "added"})
    (sheet,) = sheets(render_erp(quote, "zh", read_codes(mapped, "m.xlsx"))["erp.xlsx"]).worksheets
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
    assert [row[:2] + row[3:8] for row in rows] == [
        ["M1", "交换机A", "PCS", 1, 110740, 13, "2026-12-01"], ["M2", "网卡", "块", 20, 7175.5, 13, "2026-12-01"],
        ["M3", "有源光缆 (AOC)", "根", 20, 3367.4, 13, "2026-12-01"],
    ]  # fmt: skip
    with pytest.raises(RenderError) as caught:
        render_erp(quote, "zh", read_codes(codes(["M1", "MQM8700-HS2F", None, None]), "m.xlsx"))
    assert [item.code for item in caught.value.problems] == ["unmapped-part", "unmapped-part"]
    with pytest.raises(PriceError) as wrong:
        read_codes(codes(["M1", "A1", None, None], ["M2", "a-1", None, None], [None, "B", None, None]), "m.xlsx")
    assert [item.code for item in wrong.value.problems] == ["duplicate-part", "no-code"]


def test_erp_errors_and_internal_rows_have_the_numbers_of_the_quote(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 20, "ports": 1}, {"rate": "hdr"}, room={"uniform_length_mm": 10_000},
                   spares={"aoc_percent": 5})  # fmt: skip
    services = [{"name": {"zh": "布线", "en": "Cabling"}, "per": "cable", "price": 80},
                {"name": {"zh": "现场服务", "en": "On site"}, "per": "lot", "price": 80}]  # fmt: skip
    quote = price(plan, hdr_book(), terms(services=services, freight={"price": 5}))
    (data,) = render_quote(quote, "csv", "zh").values()
    printed = {row[2]: f"line {row[1]}" for row in list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))[1:]}
    assert printed["布线"] == "line 4" and len(quote.lines) == 7
    for lang, names in (("zh", ["布线", "现场服务"]), ("en", ["Cabling", "On site"])):
        with pytest.raises(RenderError) as caught:
            render_erp(quote, lang, read_codes(codes(["M1", "MQM8700-HS2F", None, None]), "m.xlsx"))
        told = {item.message.split("'")[1]: item.where for item in caught.value.problems}
        assert [told[name] for name in names] == [printed["布线"], printed["现场服务"]]
        assert [item.where for item in caught.value.problems] == [f"line {number}" for number in range(2, 8)]
    (sheet,) = sheets(render_internal(quote, "zh")["quote-internal.xlsx"]).worksheets
    assert [sheet.cell(row, 1).value for row in range(3, 10)] == list(range(1, 8))
    heads = [cell.value for cell in sheet[2]]
    assert sheet.cell(9, heads.index("数量") + 1).value == quote.lines[3].quantity == 1  # the spare is the last


@pytest.mark.parametrize("lang", ["zh", "en", "both"])
def test_all_sheets_have_one_form_of_footer(hdr: Plan, lang: str) -> None:
    (data,) = render_quote(hdr_quote(hdr), "xlsx", lang, hdr).values()
    feet = {sheet.oddFooter.center.text for sheet in sheets(data).worksheets}
    assert len(feet) == 1 and (lang != "zh" or "第" in feet.pop())


def test_capitals_are_for_quotes_that_hold_chinese(hdr: Plan) -> None:
    quote = hdr_quote(hdr)
    for lang, shown in (("zh", True), ("both", True), ("en", False)):
        for name in ("xlsx", "html", "csv", "brief"):
            (data,) = render_quote(quote, name, lang).values()
            text = everything_in(data) if data[:2] == b"PK" else data.decode("utf-8-sig")
            assert ("元整" in text) is shown, (lang, name)


def test_a_template_tells_names_that_look_like_ours_and_those_it_lacks(hdr: Plan) -> None:
    filled = fill(template(**PLACES, qoute_valid="$B$4", Print_Titles2="$A$1"), hdr_quote(hdr), "zh")
    assert (filled.unknown, filled.absent) == (("qoute_valid",), ("quote_date",))
    assert fill(template(**PLACES, quote_date="$B$4"), hdr_quote(hdr), "zh").absent == ()


def test_the_page_keeps_together_what_belongs_together(hdr: Plan) -> None:
    page = render_quote(hdr_quote(hdr, payment="a"), "html", "zh")["quote.html"].decode()
    assert "tr.network, tr.group { break-after: avoid; }" in page and "tr.sum, tr.total, tr.words" in page
    closing = page[page.index('<section class="closing">') :].split("</section>")[0]
    assert "付款" in closing and 'class="stamps"' in closing
    assert "备件" not in page.split("<h2>")[-1], "a column of zeros"
    spared = hdr_quote(hdr)
    lines = tuple(line.model_copy(update={"group": "spare"}) if line.length_mm else line for line in spared.lines)
    page = render_quote(spared.model_copy(update={"lines": lines}), "html", "zh")["quote.html"].decode()
    assert "备件" in page.split("<h2>")[-1]


def test_the_tax_note_names_every_rate(hdr: Plan) -> None:
    mixed = hdr_quote(hdr, tax={"groups": {"service": 6}}, services=[{"name": "a", "price": 100}])
    zh, en = (render_quote(mixed, "html", lang)["quote.html"].decode() for lang in ("zh", "en"))
    assert "均含增值税，税率按货物及服务类别分别为 13%、6%（可开具增值税专用发票）。" in zh
    assert "include VAT, by kind of goods and services at 13% and 6%." in en
    assert (
        "均含 13% 增值税（可开具增值税专用发票）" in render_quote(hdr_quote(hdr), "html", "zh")["quote.html"].decode()
    )


def test_what_else_goes_out_with_a_template_is_told(hdr: Plan) -> None:
    book = openpyxl.load_workbook(io.BytesIO(template(**PLACES, quote_date="$B$4")))
    assert fill(template(**PLACES), hdr_quote(hdr), "zh").carried == ()
    book.create_sheet("成本").sheet_state = "hidden"
    book.create_sheet("底价")["A1"] = "x"
    book.create_sheet("secret").sheet_state = "veryHidden"
    sheet = book["报价"]
    sheet["C1"].comment = Comment("打8折", "a")
    sheet.column_dimensions["H"].hidden = True
    sheet.row_dimensions[12].hidden = True
    book.properties.lastModifiedBy = "王经理"
    target = io.BytesIO()
    book.save(target)
    filled = fill(target.getvalue(), hdr_quote(hdr), "zh")
    told = {(item.code, item.subject) for item in filled.carried}
    assert told == {
        ("template-hidden-sheet", "成本"), ("template-hidden-sheet", "secret"), ("template-other-sheet", "底价"),
        ("template-comments", "报价!C1"), ("template-hidden-cells", "报价!12:12, 报价!H:H"),
        ("template-person", "王经理"),
    }  # fmt: skip
    for item in filled.carried:
        assert item.severity == "warning" and item.subject in quote_finding(item, "zh")
    assert [sheet.title for sheet in sheets(filled.files["quote.xlsx"])] == ["报价", "成本", "底价", "secret"]
