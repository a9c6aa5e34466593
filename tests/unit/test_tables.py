"""bom.csv, cables.csv and the workbook as other programs read them."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from typing import get_args

import openpyxl
import pytest

from fabricplan.bom import KIND_ORDER
from fabricplan.cabling import LengthSource
from fabricplan.catalog import Catalog, Document
from fabricplan.catalog.publisher import own_url
from fabricplan.catalog.words import Confidence, Lifecycle
from fabricplan.checks import for_customer
from fabricplan.errors import RenderError
from fabricplan.plan import Plan, dumps, loads
from fabricplan.renderers import render
from fabricplan.renderers.csv_text import quoted
from fabricplan.renderers.words import word
from fabricplan.renderers.workbook import wiring
from fabricplan.schedule import cable_rows
from fabricplan.topology import ROLES, TIERS
from fabricplan.wording import tables_en, tables_zh
from tests.conftest import PlanOf

FORMULA = re.compile(r"[=+\-@\t\r]")
DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}([-/.]\d{1,4})?")
SCIENTIFIC = re.compile(r"\d+(\.\d+)?[eE][+-]?\d+")
SHEETS_ZH = ["方案概览", "设备清单", "线缆汇总", "端口互联表", "设备端口视图", "机柜布置", "问题与提示", "依据"]
CABLE_HEADINGS_ZH = [
    "编号", "网络", "A 端设备", "A 端机柜", "A 端 U 位", "A 端端口", "A 端光模块", "Z 端设备", "Z 端机柜",
    "Z 端 U 位", "Z 端端口", "Z 端光模块", "线缆型号", "长度 (m)", "所需长度 (m)", "余量 (m)", "估算/实测",
    "极性/抛光", "轨道", "线束", "标签 A",
    "标签 Z", "完成",
]  # fmt: skip


@pytest.fixture(scope="module")
def plan(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 20, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 2}, spares="field",
                   name="North hall, phase 1")  # fmt: skip


@pytest.fixture(scope="module")
def splitters(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 72}, {"rate": "hdr100"})


def read_csv(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("form", "name"), [("bom-csv", "bom.csv"), ("cables-csv", "cables.csv")])
def test_csv_is_safe_in_a_spreadsheet(plan: Plan, splitters: Plan, form: str, name: str, lang: str) -> None:
    for document in (plan, splitters):
        data = render(document, form, lang)[name]
        assert data.startswith(b"\xef\xbb\xbf")
        assert data.count(b"\n") == data.count(b"\r\n")
        rows = read_csv(data)
        assert len({len(row) for row in rows}) == 1
        assert len(set(rows[0])) == len(rows[0])
        for row in rows:
            for cell in row:
                assert not FORMULA.match(cell), cell
                assert not SCIENTIFIC.fullmatch(cell), cell
                number = re.fullmatch(r"\d+(\.\d+)?", cell)
                assert number or not DATE.fullmatch(cell), cell


def test_csv_guards_what_a_spreadsheet_would_change() -> None:
    assert [quoted(text) for text in ("=A1", "+1", "-1", "@x", "1-2", "1/1", "2026-11-30", "1E5", "007")] == [
        "'=A1", "'+1", "'-1", "'@x", "'1-2", "'1/1", "'2026-11-30", "'1E5", "'007",
    ]  # fmt: skip


def test_cables_csv_holds_the_schedule(splitters: Plan) -> None:
    rows = read_csv(render(splitters, "cables-csv")["cables.csv"])
    columns = {heading: at for at, heading in enumerate(rows[0])}
    schedule = list(cable_rows(splitters))
    assert len(rows) == len(schedule) + 1 == 864 + 1
    for line, row in zip(rows[1:], schedule, strict=True):
        for heading, cell in (
            ("ID", row.id), ("Tail", row.tail), ("A device", row.a_device), ("A port", row.a_port),
            ("A IB port", row.a_number), ("Z IB port", row.z_number), ("Z U", row.z_u), ("Cable", row.pn),
            ("Rail", row.rail), ("Label Z", row.label_z),
        ):  # fmt: skip
            assert line[columns[heading]] == ("" if cell is None else str(cell))
        assert float(line[columns["Length (m)"]]) * 1000 == row.length_mm
        assert float(line[columns["Required (m)"]]) * 1000 == pytest.approx(row.required_mm)


def test_bom_csv_holds_the_bill(plan: Plan) -> None:
    rows = read_csv(render(plan, "bom-csv")["bom.csv"])
    lines = plan.bom.lines
    assert [row[2] for row in rows[1:]] == [line.pn for line in lines]
    for row, line in zip(rows[1:], lines, strict=True):
        assert [int(cell) for cell in row[6:9]] == [line.quantity, line.spare, line.quantity + line.spare]
        assert sum(int(use.split()[-1]) for use in row[10].split("; ")) == line.quantity
    assert rows[1][10] == "compute leaf 8; compute spine 3"


@pytest.mark.parametrize("form", ["bom-csv", "cables-csv", "xlsx"])
def test_same_plan_same_bytes(plan: Plan, form: str) -> None:
    assert render(plan, form, "zh") == render(loads(dumps(plan)), form, "zh")


def test_both_languages_have_the_same_words() -> None:
    assert tables_en.TERMS.keys() == tables_zh.TERMS.keys()
    assert tables_en.SHEETS.keys() == tables_zh.SHEETS.keys()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_status_kind_and_role_has_a_word(lang: str) -> None:
    keys = [*get_args(Lifecycle), *get_args(Confidence), *KIND_ORDER, *ROLES, *TIERS, *get_args(LengthSource)]
    keys += [f"{prefix}_{kind}" for kind in KIND_ORDER for prefix in ("count", "group")]
    keys += [f"length_{source}" for source in get_args(LengthSource)]
    for key in keys:
        assert word(key, lang)


def test_unknown_language_is_told(plan: Plan) -> None:
    with pytest.raises(RenderError, match="no language 'de'"):
        render(plan, "xlsx", "de")


@pytest.fixture(scope="module")
def book(plan: Plan) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(render(plan, "xlsx", "zh")["fabric.xlsx"]), data_only=True)


def test_sheets_and_headings_in_chinese(book: openpyxl.Workbook) -> None:
    assert book.sheetnames == SHEETS_ZH
    assert [cell.value for cell in book["端口互联表"][1]] == CABLE_HEADINGS_ZH


def test_sheets_in_english(plan: Plan) -> None:
    book = openpyxl.load_workbook(io.BytesIO(render(plan, "xlsx")["fabric.xlsx"]), read_only=True)
    assert book.sheetnames == ["Overview", "Bill of materials", "Cable summary", "Cable schedule", "Port view", "Racks",
                               "Findings", "Sources"]  # fmt: skip


def test_data_sheets_filter_freeze_and_print(book: openpyxl.Workbook) -> None:
    for sheet in book:
        assert not sheet.merged_cells.ranges
        assert (sheet.page_setup.orientation, sheet.page_setup.paperSize) == ("landscape", 9)
        if sheet.title == "方案概览":
            continue
        assert sheet.freeze_panes == "A2"
        assert sheet.print_title_rows == "$1:$1"
        if sheet.title != "线缆汇总":
            assert sheet.auto_filter.ref.startswith("A1:")


def test_one_font_per_language(plan: Plan) -> None:
    for lang, font in (("zh", "微软雅黑"), ("en", "Calibri")):
        files = zipfile.ZipFile(io.BytesIO(render(plan, "xlsx", lang)["fabric.xlsx"]))
        styles = files.read("xl/styles.xml").decode()
        assert set(re.findall(r'<font>.*?<name val="([^"]+)"', styles)) == {font}


def test_schedule_sheet_holds_numbers_as_numbers(plan: Plan, book: openpyxl.Workbook) -> None:
    rows = list(book["端口互联表"].iter_rows(min_row=2, values_only=True))
    schedule = list(cable_rows(plan))
    assert [row[0] for row in rows] == [row.id for row in schedule]
    assert [(row[2], row[4], row[5]) for row in rows] == [
        (row.a_device, row.a_u, row.a_port or None) for row in schedule
    ]
    assert [row[13] for row in rows] == [row.length_mm and int(row.length_mm) / 1000 for row in schedule]


def test_bill_sheet_totals(plan: Plan, book: openpyxl.Workbook) -> None:
    rows = list(book["设备清单"].iter_rows(min_row=2, values_only=True))
    lines = [row for row in rows if row[0] is not None]
    assert [(row[2], row[6], row[7], row[8]) for row in lines] == [
        (line.pn, line.quantity, line.spare, line.quantity + line.spare) for line in plan.bom.lines
    ]
    subtotals = {row[1]: row[6] for row in rows if row[0] is None}
    assert subtotals == {"交换机 小计": 11, "光模块 小计": plan.bom.count("transceiver"),
                         "光纤 小计": plan.bom.count("fibre")}  # fmt: skip


def test_rack_sheet_sums_known_power_and_counts_unknown(plan: Plan, book: openpyxl.Workbook) -> None:
    rows = list(book["机柜布置"].iter_rows(min_row=2, values_only=True))
    racks, devices, whole = rows, [row for row in rows if row[1] not in ("机柜合计", "总计")], rows[-1]
    assert len(devices) == len(plan.topology.devices)
    assert whole[1] == "总计"
    for rack in (row for row in racks if row[1] == "机柜合计"):
        held = [row for row in devices if row[0] == rack[0]]
        assert rack[3] == len(held)
        assert rack[7] == sum(row[7] for row in held if not isinstance(row[7], str))
        assert rack[8] == sum(row[7] == "未知" for row in held)
    assert whole[3] == len(devices)


def test_findings_sheet_says_what_and_what_to_do(plan: Plan, book: openpyxl.Workbook) -> None:
    rows = list(book["问题与提示"].iter_rows(min_row=2, values_only=True))
    assert [row[2] for row in rows] == [
        item.code for level in ("error", "warning", "info")
        for item in for_customer(plan.findings) if item.severity == level
    ]  # fmt: skip
    assert all(row[4] for row in rows)


def test_sources_sheet_names_documents_and_request(plan: Plan, book: openpyxl.Workbook) -> None:
    cells = {row[0]: row[1:] for row in book["依据"].iter_rows(values_only=True) if row[0]}
    assert all(document.id in cells for document in plan.products.sources)
    assert cells["产品目录哈希"][0] == plan.made_by.catalog
    assert cells["groups[0].platform"][0] == "dgx-h100"
    assert cells["fabrics[0].reserve_ports"][0] == 2
    for document in plan.products.sources:
        assert cells[document.id][1] == document.title
        assert cells[document.id][3] == own_url(document)


def test_copies_of_others_are_named_by_their_publisher_only(catalog: Catalog) -> None:
    documents = list(catalog.all("sources", Document))
    shown = {document.id: own_url(document) for document in documents if own_url(document)}
    assert shown["nvidia-hw-mgmt"] == "https://github.com/Mellanox/hw-mgmt"
    assert "nvidia-linkx-400g-deck" not in shown and "nvidia-equipment-survey" not in shown
    owners = {url.split("/")[3] for url in shown.values() if url.split("/")[2] == "github.com"}
    assert owners <= {"NVIDIA", "Mellanox", "mellanox", "CumulusNetworks", "netbox-community", "DPDK", "pciutils",
                      "xcat2", "KCORES"}  # fmt: skip
    assert all("nvidia.com" in url or "github" in url for key, url in shown.items()
               if catalog.get("sources", key, Document).publisher == "NVIDIA")  # fmt: skip


def test_large_plans_send_the_reader_to_the_csv(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "ROWS_MAX", 100)
    book = openpyxl.load_workbook(io.BytesIO(render(plan, "xlsx")["fabric.xlsx"]))
    for name in ("Cable schedule", "Port view"):
        assert book[name].max_row == 2
        assert "cables.csv" in book[name]["A2"].value


def test_names_cannot_become_formulas(plan_of: PlanOf) -> None:
    plan = plan_of({"gpus": 64}, {"rate": "ndr"}, name="=1+1")
    book = openpyxl.load_workbook(io.BytesIO(render(plan, "xlsx")["fabric.xlsx"]))
    assert book["Overview"]["A1"].data_type == "s"
