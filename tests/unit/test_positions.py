"""The customer's own positions: any columns in any order, every mistake at its cell, and back again unchanged."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import FabricplanError, Problem, ReadError, RequirementError
from fabricplan.files import load_requirement
from fabricplan.pipeline import design
from fabricplan.placement.mistakes import MISTAKES
from fabricplan.plan import Plan, dumps, loads
from fabricplan.readers.positions import read_positions
from fabricplan.renderers import render
from fabricplan.requirement import Position, parse_requirement
from fabricplan.wording.problems import problem_text
from fabricplan.wording.problems_room import ROOM as ZH_ROOM
from tests.conftest import PlanOf, request
from tests.properties.invariants import assert_sound

H100 = {"platform": "dgx-h100"}
ROWS = [{"name": "A", "racks": 8}, {"name": "B", "racks": 8}]
ROOM = {"rows": ROWS, "racks": [{"row": "B", "position": 8, "kind": "fixed"},
                                {"row": "A", "position": 8, "reserved": [42]}]}  # fmt: skip


@pytest.fixture(scope="module")
def small(plan_of: PlanOf) -> Plan:
    """Sixteen nodes with their switches in the room above."""
    return plan_of({"nodes": 16, **H100}, {"rate": "ndr"}, room=ROOM)


def placed(catalog: Catalog, positions: Any, **rest: Any) -> Plan:
    data = request({"nodes": 16, **H100}, {"rate": "ndr"}, **{"room": ROOM, **rest})
    return design(parse_requirement({**data, "positions": positions}), catalog)


def table(plan: Plan) -> list[list[Any]]:
    """Return device, row, rack and unit of the plan's own positions, by the workbook."""
    book = openpyxl.load_workbook(io.BytesIO(render(plan, "positions")["positions.xlsx"]))
    return [list(row[:4]) for row in book.active.iter_rows(min_row=2, values_only=True)]  # type: ignore[union-attr]


def workbook(rows: list[list[Any]], sheet: str = "Racks") -> bytes:
    book = openpyxl.Workbook()
    book.active.title = sheet  # type: ignore[union-attr]
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def problems(catalog: Catalog, rows: list[list[Any]], **rest: Any) -> dict[str, str]:
    """Return cell -> message of what is wrong with a sheet of device, row, rack, U below one line of headings."""
    data = workbook([["device", "row", "rack", "U"], *rows])
    with pytest.raises(RequirementError) as caught:
        placed(catalog, tuple(read_positions(data, "p.xlsx")), **rest)
    assert len({item.where for item in caught.value.problems}) == len(caught.value.problems)
    return {item.where.removeprefix("p.xlsx: "): f"{item.message} ({item.hint})" for item in caught.value.problems}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["positions.xlsx", "positions.csv"])
@pytest.mark.parametrize("room", [ROOM, None], ids=["given", "default"])
def test_what_is_written_reads_back_as_the_same_plan(
    catalog: Catalog, plan_of: PlanOf, room: dict[str, Any] | None, name: str, lang: str
) -> None:
    rest = {"room": room} if room else {}
    plan = plan_of({"nodes": 16, **H100}, {"rate": "ndr", "reserve_ports": 2}, **rest)
    told = read_positions(render(plan, "positions", lang)[name], name)
    data = request({"nodes": 16, **H100}, {"rate": "ndr", "reserve_ports": 2}, **rest)
    again = design(parse_requirement({**data, "positions": told}), catalog)
    assert (again.placement, again.cabling, again.bom) == (plan.placement, plan.cabling, plan.bom)
    assert again.findings == plan.findings
    assert loads(dumps(again)) == again
    assert b"positions.csv" not in dumps(again) and b'"cells"' not in dumps(again)


def test_twin_boxes_read_back_too(catalog: Catalog, plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 32}, {"rate": "xdr", "leaf": "Q3200", "spine": "Q3200"})
    told = read_positions(render(plan, "positions")["positions.csv"], "p.csv")
    data = request({"nodes": 32}, {"rate": "xdr", "leaf": "Q3200", "spine": "Q3200"})
    assert design(parse_requirement({**data, "positions": told}), catalog).placement == plan.placement
    leaves = [row for row, item in enumerate(told) if item.device.startswith("leaf")]
    torn = list(told)
    torn[leaves[0]] = torn[leaves[0]].model_copy(update={"u": 2})
    with pytest.raises(RequirementError, match="are one box, but stand in"):
        design(parse_requirement({**data, "positions": torn}), catalog)


def test_moved_devices_stand_where_they_were_put(catalog: Catalog, small: Plan) -> None:
    rows = table(small)
    rows[0][1:] = ["B", "B03", 20]
    told = tuple(read_positions(workbook([["device", "row", "rack", "U"], *rows]), "p.xlsx"))
    plan = placed(catalog, told)
    names = plan.placement.rack_names()
    assert (names[plan.placement.places.rack[0]], plan.placement.places.u[0]) == ("B03", 20)
    assert_sound(plan)
    moved = plan.topology.links.lower == 0
    longer = plan.cabling.cables.required_mm[plan.cabling.links.cable[moved]]
    assert (longer > small.cabling.cables.required_mm[small.cabling.links.cable[moved]]).all()


HEADINGS = [
    ["设备名称", "机柜列", "机柜", "U 位"], ["Device", "Row", "Rack", "U"], ["主机名", "列", "机柜号", "起始U位"],
    ["Hostname", "Row name", "Cabinet", "Start U"], ["设备 Device", "列 Row", "机柜 Rack", "U 位（底部）"],
    ["NAME", "ROW", "Rack No.", "Rack Unit"], ["服务器", "行", "柜号", "U数"],
    ["设备编号", "机柜行", "机柜", "起始U数"], ["Server", "Aisle row", "Rack", "Rack units"],
]  # fmt: skip


@pytest.mark.parametrize("headings", HEADINGS, ids=[row[0] for row in HEADINGS])
def test_columns_by_their_headings_in_any_order_under_a_title(small: Plan, headings: list[str]) -> None:
    rows = [[u, "x", row, f"U{u}", rack, device] for device, row, rack, u in table(small)]
    order = [None, "备注", headings[1], headings[3], headings[2], headings[0]]
    data = workbook([["某智算中心一期：机柜布置"], [], [None, "编制", "张工"], order, *rows])
    told = read_positions(data, "p.xlsx")
    assert [[item.device, item.row, item.rack, item.u] for item in told] == table(small)
    assert told[0].cells == ("p.xlsx: Racks!F5", "p.xlsx: Racks!C5", "p.xlsx: Racks!E5", "p.xlsx: Racks!D5")


def test_racks_by_their_number_in_the_row_and_merged_cells(catalog: Catalog, small: Plan) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["列", "机柜", "U 位", "设备"])
    at, runs = 2, []
    for device, row, rack, u in table(small):
        if runs and runs[-1][2:] == [row, rack]:
            runs[-1][1] = at
            sheet.append([None, None, u, device])
        else:
            runs.append([at, at, row, rack])
            sheet.append([row, int(rack[1:]), u, device])
        at += 1
    for first, last, _, _ in runs:
        for column in "AB":
            if last > first:
                sheet.merge_cells(f"{column}{first}:{column}{last}")
    buffer = io.BytesIO()
    book.save(buffer)
    assert placed(catalog, tuple(read_positions(buffer.getvalue(), "p.xlsx"))).placement == small.placement


@pytest.mark.parametrize(("encoding", "separator"), [("gb18030", ","), ("utf-16", "\t"), ("utf-8-sig", ";")])
def test_csv_as_spreadsheets_save_it(small: Plan, encoding: str, separator: str) -> None:
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=separator)
    writer.writerows([["设备", "列", "机柜", "U位"], *table(small)])
    told = read_positions(buffer.getvalue().encode(encoding), "p.csv")
    assert [[item.device, item.row, item.rack, item.u] for item in told] == table(small)
    assert told[3].cells[0] == "p.csv:5!A"


def test_sheets_are_read_one_after_another(small: Plan) -> None:
    rows = table(small)
    book = openpyxl.load_workbook(io.BytesIO(workbook([["device", "rack", "U"]])))
    for device, _, rack, u in rows[:5]:
        book.active.append([device, rack, u])  # type: ignore[union-attr]
    book.create_sheet("notes").append(["nothing here"])
    more = book.create_sheet("B")
    for line in (["U", "rack", "device"], *([u, rack, device] for device, _, rack, u in rows[5:])):
        more.append(line)
    buffer = io.BytesIO()
    book.save(buffer)
    told = read_positions(buffer.getvalue(), "p.xlsx")
    assert [item.device for item in told] == [row[0] for row in rows]
    assert told[5].cells[0] == "p.xlsx: B!C2"


def changed(rows: list[list[Any]], *changes: tuple[int, int, Any]) -> list[list[Any]]:
    rows = [list(row) for row in rows]
    for row, column, value in changes:
        rows[row][column] = value
    return rows


def test_every_mistake_is_told_at_its_cell_and_all_at_once(catalog: Catalog, small: Plan) -> None:
    rows = changed(
        table(small), (0, 0, "node-su1-001"), (1, 3, "top"), (2, 2, "C01"), (2, 1, None), (3, 3, 0), (4, 3, 38),
        (5, 1, "Q"), (7, 3, table(small)[6][3] + 3), (8, 0, table(small)[9][0]), (10, 1, "B"), (11, 3, 12.5),
        (12, 2, "B08"), (12, 1, "B"), (13, 2, "A08"), (13, 3, 35), (14, 0, None), (15, 2, None),
    )  # fmt: skip
    told = problems(catalog, rows)
    expected = {
        "Racks!A2": ["'node-su1-001' is no device of this plan", "did you mean node-su01-001?"],
        "Racks!D3": ["'top' is no rack unit", "a whole number"],
        "Racks!C4": ["there is no rack 'C01'", "the room has A01 to B08"],
        "Racks!D5": ["unit 0 is below 1"],
        "Racks!D6": ["node-su01-005 (8 U) at unit 38 reaches unit 45, rack A03 has 42", "35"],
        "Racks!B7": ["there is no row 'Q'", "the rows are A, B"],
        "Racks!D9": ["node-su01-008 (U20-U27) and node-su01-007 (U17-U24", "Racks!D8", "in one place of rack A03"],
        "Racks!A11": ["node-su01-010 stands twice, first at p.xlsx: Racks!A10"],
        "Racks!B12": ["rack A04 stands in row A, not in row B"],
        "Racks!D13": ["'12.5' is no rack unit"],
        "Racks!C14": ["rack B08 is fixed"],
        "Racks!D15": ["takes unit 42 of rack A08, which is reserved"],
        "Racks!A16": ["no device is named"],
        "Racks!C17": ["no rack is given for node-su01-016"],
        "Racks": ["without a position: 3 of the 22 devices of the plan: node-su01-001, node-su01-009, node-su01-015"],
    }
    assert told.keys() == expected.keys()
    for cell, words in expected.items():
        for word in words:
            assert word in told[cell], (cell, told[cell])


def test_many_missing_devices_are_counted_and_some_named(catalog: Catalog, small: Plan) -> None:
    (message,) = problems(catalog, table(small)[:3]).values()
    assert "without a position: 19 of the 22 devices of the plan: node-su01-004" in message and message.count("+7") == 1


def test_a_file_about_something_else_is_cut_short(catalog: Catalog) -> None:
    rows = [[f"host{number}", "A", "A01", 1] for number in range(500)]
    with pytest.raises(RequirementError) as caught:
        placed(catalog, tuple(read_positions(workbook([["device", "row", "rack", "U"], *rows]), "p.xlsx")))
    assert len(caught.value.problems) <= 52
    assert any("449 further mistakes" in item.message or "further mistakes" in item.message
               for item in caught.value.problems)  # fmt: skip


def test_a_rack_outside_of_the_default_room_is_told_how_to_be_had(catalog: Catalog, plan_of: PlanOf) -> None:
    rows = changed(table(plan_of({"nodes": 16, **H100}, {"rate": "ndr"})), (0, 2, "Z99"), (0, 1, None))
    (message,) = [text for cell, text in problems(catalog, rows, room={}).items() if cell == "Racks!C2"]
    assert "there is no rack 'Z99'" in message and "described under room" in message


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b"a,b\n1,2\n", "p.csv", "no row of headings"),
        (b"device,rack,U\n", "p.csv", "no row stands below the headings"),
        (b"device,name,rack,U\nx,y,A01,1\n", "p.csv", "'device' and 'name' both name the device"),
        (b"device,rack,U,row letter\nx,1,1,A\n", "p.csv:1!D", "'row letter' may be the row of racks"),
        ("设备,机柜,U位,所在排\nx,1,1,A\n".encode(), "p.csv:1!D", "'所在排' may be the row of racks"),
        (b"PK nonsense", "p.xlsx", "not an Excel workbook"),
        (b"\xff\x81\x00\xff", "p.csv", "neither XLSX nor UTF-8 or GB18030"),
    ],
)
def test_files_that_hold_no_positions(data: bytes, name: str, message: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_positions(data, name)
    assert message in caught.value.message and caught.value.where.startswith(name)


def test_an_asset_number_or_a_height_gives_way_to_the_plainer_column() -> None:
    (told,) = read_positions("设备编号,设备名称,机柜,U位,U数,序列号\nIT-7,node-1,A01,5,8,x\n".encode(), "p.csv")
    assert (told.device, told.rack, told.u) == ("node-1", "A01", 5)


def test_a_request_names_the_file_beside_it(tmp_path: Path, catalog: Catalog, small: Plan) -> None:
    files = render(small, "positions")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "ours.xlsx").write_bytes(files["positions.xlsx"])
    text = (
        "groups: [{nodes: 16, platform: dgx-h100}]\nfabrics: [{rate: ndr}]\npositions: ours.xlsx\n"
        "room:\n  rows: [{name: A, racks: 8}, {name: B, racks: 8}]\n  racks:\n"
        "    - {row: B, position: 8, kind: fixed}\n    - {row: A, position: 8, reserved: [42]}\n"
    )
    (tmp_path / "sub" / "request.yaml").write_text(text, encoding="utf-8")
    assert design(load_requirement(tmp_path / "sub" / "request.yaml"), catalog).placement == small.placement
    (tmp_path / "sub" / "request.yaml").write_text(text.replace("ours.xlsx", "gone.xlsx"), encoding="utf-8")
    with pytest.raises(FabricplanError, match="cannot read"):
        load_requirement(tmp_path / "sub" / "request.yaml")


def test_the_library_takes_values_and_names_their_paths(catalog: Catalog, small: Plan) -> None:
    plain = [{"device": name, "rack": rack, "u": u} for name, _, rack, u in table(small)]
    assert placed(catalog, plain).placement == small.placement
    plain[2]["u"] = 99
    with pytest.raises(RequirementError) as caught:
        placed(catalog, plain)
    assert [item.where for item in caught.value.problems] == ["positions[2].u"]
    with pytest.raises(RequirementError, match="path"):
        placed(catalog, "ours.xlsx")
    assert placed(catalog, [Position(**row) for row in [*plain[:2], {**plain[2], "u": 17}, *plain[3:]]])


def test_a_fabric_that_grows_needs_the_places_of_its_final_stage(catalog: Catalog, plan_of: PlanOf) -> None:
    room = {"rows": ROWS}
    group = {"nodes": 9, "grow_to": 32, **H100}
    today = plan_of(group, {"rate": "ndr"}, room=room)
    told = read_positions(render(today, "positions", "zh")["positions.xlsx"], "p.xlsx")
    final = plan_of({"nodes": 32, "grow_to": 32, **H100}, {"rate": "ndr"}, room=room)
    assert {item.device for item in told} == set(final.device_names()) > set(today.device_names())
    data = request(group, {"rate": "ndr"}, room=room)
    assert design(parse_requirement({**data, "positions": told}), catalog).placement == today.placement
    short = [item for item in told if item.device in today.device_names()]
    with pytest.raises(RequirementError, match="final stage"):
        design(parse_requirement({**data, "positions": short}), catalog)
    rows = render(today, "positions")["positions.csv"].decode("utf-8-sig").splitlines()
    assert sum(row.endswith(",today") for row in rows) == len(today.device_names())


def test_every_mistake_has_its_words_in_chinese() -> None:
    """The same parameters in both languages, so that neither falls back to the other."""
    assert MISTAKES.keys() | {"room-too-small"} == ZH_ROOM.keys()
    for code, english in MISTAKES.items():
        told = [set(re.findall(r"\{(\w+)\}", " ".join(texts))) for texts in (english, ZH_ROOM[code])]
        assert told[0] == told[1], code
        params = tuple((name, "x") for name in told[0])
        message, advice = problem_text(Problem(code, "english", "p.xlsx", "hint", params), "zh")
        assert message != "english" and "{" not in message + advice
