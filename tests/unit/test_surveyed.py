"""Surveyed lengths: what rows mean, what they change, every mistake at its cell, and the file to fill in read back."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import openpyxl
import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError, ReadError, RequirementError
from fabricplan.pipeline import design
from fabricplan.plan import Plan, dumps, loads
from fabricplan.readers.lengths import read_lengths
from fabricplan.recheck import recheck
from fabricplan.renderers import render
from fabricplan.requirement import LengthsFile, parse_requirement
from tests.conftest import request
from tests.properties.invariants import assert_parts, assert_sound

HDR = ({"nodes": 8}, {"rate": "hdr"})
EDR_TWO_TIERS = ({"nodes": 60, "ports": 1}, {"rate": "edr"})
NDR = ({"nodes": 16, "platform": "dgx-h100"}, {"rate": "ndr"})


def planned(catalog: Catalog, asked: tuple[dict[str, Any], dict[str, Any]], lengths: Any = None, **rest: Any) -> Plan:
    more = {} if lengths is None else {"lengths": lengths}
    return design(parse_requirement(request(*asked, **more, **rest)), catalog)


def places(plan: Plan, link: int) -> tuple[str, str]:
    names = plan.device_names()
    return names[plan.topology.links.lower[link]], names[plan.topology.links.upper[link]]


def required(plan: Plan) -> list[int]:
    return plan.cabling.cables.required_mm.tolist()


def filled(plan: Plan, lang: str, cell: Any) -> tuple[bytes, bytes]:
    """Return the file to fill in with every cell of its last column set: as CSV and as a workbook."""
    files = render(plan, "lengths", lang)
    rows = list(csv.reader(io.StringIO(files["lengths.csv"].decode("utf-8-sig"))))
    for row in rows[1:]:
        row[-1] = str(cell(row))
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    book = openpyxl.load_workbook(io.BytesIO(files["lengths.xlsx"]))
    sheet = book.active
    assert sheet is not None
    head = next(row[0].row for row in sheet.iter_rows() if row[0].value == rows[0][0])
    for number, row in enumerate(rows[1:], head + 1):
        sheet.cell(number, len(row)).value = cell(row)
    held = io.BytesIO()
    book.save(held)
    return text.getvalue().encode("utf-8-sig"), held.getvalue()


@pytest.mark.parametrize("asked", [HDR, EDR_TWO_TIERS, NDR, ({"nodes": 5, "ports": 1}, {"rate": "hdr100"})],
                         ids=["hdr", "edr", "ndr", "splitters"])  # fmt: skip
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_file_to_fill_in_reads_back(catalog: Catalog, asked: Any, lang: str) -> None:
    """Filled with the estimates, it changes no length; filled again from the surveyed plan, it is the same file."""
    asked = ({**asked[0]}, {**asked[1], "media": "optical"})
    plan = planned(catalog, asked)
    assert read_lengths(render(plan, "lengths", lang)["lengths.csv"], "lengths.csv").problems[0].code == "length-empty"
    for data, name in zip(filled(plan, lang, lambda row: float(row[-2])), ("l.csv", "l.xlsx"), strict=True):
        found = read_lengths(data, name)
        assert not found.problems and len(found.rows) == len(found.places)
        again = planned(catalog, asked, found.rows)
        assert required(again) == required(plan) and again.cabling.length_source == "surveyed"
        assert again.cabling.cable_parts == plan.cabling.cable_parts
        assert again.cables_surveyed().all()
        third = read_lengths(render(again, "lengths", lang)["lengths.csv"], "lengths.csv")
        assert third.rows == found.rows
        assert loads(dumps(again)) == again
        assert recheck(again, catalog) == again.findings
        assert_sound(again)


def test_rows_of_ports_go_before_devices_and_devices_before_racks(catalog: Catalog) -> None:
    plan = planned(catalog, NDR, room={"uniform_length_mm": 9_000})
    a, z = places(plan, 0)
    racks = plan.placement.rack_names()
    rack = [racks[plan.placement.places.rack[row]] for row in (plan.topology.links.lower[0],
                                                              plan.topology.links.upper[0])]  # fmt: skip
    table = next(csv.reader(io.StringIO(render(plan, "lengths")["lengths.csv"].decode("utf-8-sig").splitlines()[1])))
    rows = [
        {"a": a, "a_port": table[4], "b": z, "length_mm": 11_000},
        {"a_rack": rack[1], "b_rack": rack[0], "length_mm": 17_000},
        {"a": z.upper(), "b": a, "length_mm": 13_000},
    ]
    surveyed = planned(catalog, NDR, rows, room={"uniform_length_mm": 9_000})
    links = plan.topology.links
    rack_of = plan.placement.places.rack
    same_racks = {int(rack_of[links.lower[0]]), int(rack_of[links.upper[0]])}
    lengths = np.array(required(surveyed))[surveyed.cabling.links.cable]
    for link in range(len(links)):
        here = {int(rack_of[links.lower[link]]), int(rack_of[links.upper[link]])}
        wanted = 9_000
        if here == same_racks:
            wanted = 17_000
        if places(plan, link) == (a, z):
            wanted = 11_000 if link == 0 else 13_000
        assert lengths[link] == wanted
    assert surveyed.cabling.length_source == "uniform"
    assert {item.code for item in surveyed.findings} >= {"surveyed-partly"}
    told = render(surveyed, "cables-csv")["cables.csv"].decode("utf-8-sig")
    column = [row["Length source"] for row in csv.DictReader(io.StringIO(told))]
    assert column.count("surveyed") == int((lengths != 9_000).sum()) and "uniform" in column


CLOSE = {"rack_pitch_mm": 400, "row_pitch_mm": 1000}


def trunks(plan: Plan, length_mm: int) -> list[dict[str, Any]]:
    """Return a survey of all pairs of leaf and spine."""
    links = np.flatnonzero(plan.topology.links.role == 1).tolist()
    return [{"a": a, "b": z, "length_mm": length_mm} for a, z in dict.fromkeys(places(plan, link) for link in links)]


@pytest.mark.parametrize(("millimetres", "kind", "ordered"), [
    (1_900, "dac", 2_000), (2_800, "acc", 3_000), (5_200, "multimode", 7_000), (60_000, "singlemode", 100_000),
])  # fmt: skip
def test_the_surveyed_length_decides_the_technology(
    catalog: Catalog, millimetres: int, kind: str, ordered: int
) -> None:
    """Copper up to its reach where it was measured, optics where it was not: an estimate decides nothing."""
    plan = planned(catalog, NDR, room=CLOSE)
    assert not plan.products.cables
    found = planned(catalog, NDR, trunks(plan, millimetres), room=CLOSE)
    role, cable = found.topology.links.role, found.cabling.links.cable
    of = {family.id: family.kind for family in found.products.cables}
    of |= {family.id: family.mode for family in found.products.fibres}
    parts = [found.cabling.cable_parts[part] for part in found.cabling.cables.part[cable].tolist()]
    assert {(of[part.family], part.length_mm) for part, row in zip(parts, role, strict=True) if row == 1} == {
        (kind, ordered)
    }
    assert {of[part.family] for part, row in zip(parts, role, strict=True) if row == 0} == {"multimode"}
    bought = sum(line.quantity for line in found.bom.lines if line.kind in ("cable", "fibre"))
    assert bought == len(found.cabling.cables)
    assert recheck(found, catalog) == found.findings
    assert not {"copper-by-estimate", "estimated-beyond-multimode"} & {item.code for item in found.findings}


def test_links_that_share_a_module_with_a_surveyed_one_are_not_longer_by_estimate(catalog: Catalog) -> None:
    plan = planned(catalog, NDR, room=CLOSE)
    link = int(np.flatnonzero(plan.topology.links.role == 0)[0])
    row = next(csv.DictReader(io.StringIO(render(plan, "lengths")["lengths.csv"].decode("utf-8-sig"))))
    a, z = places(plan, link)
    found = planned(catalog, NDR, [{"a": a, "a_port": row["A port"], "b": z, "length_mm": 60_000}], room=CLOSE)
    of = {family.id: family.mode for family in found.products.fibres}
    single = sum(of.get(found.cabling.cable_parts[part].family) == "singlemode" for part in found.cabling.cables.part)
    assert single > 1 and int((found.cabling.cables.required_mm > 50_000).sum()) == 1
    assert "estimated-beyond-multimode" not in {item.code for item in found.findings}
    assert_parts(found)


def test_a_length_that_nothing_reaches_is_refused(catalog: Catalog) -> None:
    plan = planned(catalog, NDR)
    with pytest.raises(InfeasibleError, match="by their surveyed length"):
        planned(catalog, NDR, trunks(plan, 9_000_000))


def test_copper_of_a_twin_cage_needs_both_links_surveyed(catalog: Catalog) -> None:
    """One link of every pair keeps its estimate: no copper, because its plug would serve that link too."""
    plan = planned(catalog, NDR, room=CLOSE)
    _, *lines = csv.reader(io.StringIO(render(plan, "lengths")["lengths.csv"].decode("utf-8-sig")))
    held = [row for row in lines if row[3].startswith("leaf")]
    rows = [{"a": row[3], "a_port": row[4], "b": row[7], "b_port": row[8], "length_mm": 1_900} for row in held]
    assert planned(catalog, NDR, rows, room=CLOSE).products.cables
    assert all(port.endswith(("/1", "/2")) for row in held for port in (row[4],))
    half = [row for row in rows if row["a_port"].endswith("/1")]
    assert not planned(catalog, NDR, half, room=CLOSE).products.cables


def test_a_survey_of_the_final_stage_serves_today(catalog: Catalog) -> None:
    grows = ({"nodes": 12, "grow_to": 24, "platform": "dgx-h100"}, {"rate": "ndr", "media": "optical"})
    whole = planned(catalog, ({"nodes": 24, "grow_to": 24, "platform": "dgx-h100"}, {"rate": "ndr", "media":
                    "optical"}))  # fmt: skip
    lines = filled(whole, "en", lambda row: float(row[-2]) + 1)[0]
    today = planned(catalog, grows, read_lengths(lines, "l.csv").rows)
    plain = planned(catalog, grows)
    assert required(today) == [length + 1_000 for length in required(plain)]
    assert today.cables_surveyed().all() and recheck(today, catalog) == today.findings


def table(*rows: str, head: str = "A device,A port,Z device,Z port,Surveyed length (m)") -> bytes:
    return "\n".join((head, *rows)).encode()


def problems(catalog: Catalog, asked: Any, file: LengthsFile) -> list[tuple[str, str, str, str]]:
    with pytest.raises(RequirementError) as caught:
        planned(catalog, asked, file.rows)
    return [(item.code, file.place(item.where), item.message, item.hint) for item in caught.value.problems]


def test_every_mistake_at_its_cell(catalog: Catalog) -> None:
    plan = planned(catalog, EDR_TWO_TIERS)
    names = plan.device_names()
    (a, z), spine = places(plan, 0), next(name for name in names if name.startswith("spine"))
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Survey"
    for row in (
        ["Room 2, measured on site"], ["A device", "A port", "Z device", "Z port", "A rack", "Length", "Unit"],
        [a.replace("node", "nod"), None, z, None, None, 5, "m"], [a, None, spine, None, None, 5, "m"],
        [a, "NIC9", z, None, None, 5, "m"], [a, None, z, None, None, 6, "m"], [a, None, z, None, None, 7, "m"],
        [a, None, z, None, "Q77", 5, "m"], [a, "NIC1", z, None, None, 3, "cm"],
    ):  # fmt: skip
        sheet.append(row)
    held = io.BytesIO()
    book.save(held)
    found = problems(catalog, EDR_TWO_TIERS, read_lengths(held.getvalue(), "l.xlsx"))
    assert [item[:2] for item in found] == [
        ("length-device", "Survey!A3"), ("length-no-cable", "Survey!F4"), ("length-port", "Survey!B5"),
        ("length-twice", "Survey!F7"), ("length-rack", "Survey!E8"), ("length-straight", "Survey!F9"),
    ]  # fmt: skip
    told = {code: (message, hint) for code, _, message, hint in found}
    assert told["length-device"][1] == f"did you mean {a}?"
    assert a in told["length-no-cable"][0] and spine in told["length-no-cable"][0] and z in told["length-no-cable"][1]
    assert "NIC9" in told["length-port"][0] and "NIC1" in told["length-port"][1]
    assert "7 m" in told["length-twice"][0] and "6 m" in told["length-twice"][0]
    assert "0.03 m" in told["length-straight"][0] and "straight line of" in told["length-straight"][0]


def test_cells_that_tell_nothing(catalog: Catalog) -> None:
    found = read_lengths(table("a,,b,,about five", "a,,b,,-3", "a,,b,,0", 'a,,b,,"4,2"', "a,,,,4", "a,,b,,",
                               "a,,b,,4 yd", "a,,b,,4.25 m", "a,,b,,99999"), "l.csv")  # fmt: skip
    assert [(item.code, item.where) for item in found.problems] == [
        ("length-cell", "l.csv:2!E"), ("length-cell", "l.csv:3!E"), ("length-cell", "l.csv:4!E"),
        ("length-cell", "l.csv:5!E"), ("length-ends", "l.csv:6!C"), ("length-cell", "l.csv:8!E"),
        ("length-cell", "l.csv:10!E"),
    ]  # fmt: skip
    assert [row.length_mm for row in found.rows] == [4_250]
    told = " ".join(item.message for item in found.problems)
    assert "below zero" in told and "comma" in told and "without its second end" in told and "'yd' is no unit" in told
    no_unit = read_lengths(table("a,,b,,4", head="A device,A port,Z device,Z port,Length"), "l.csv")
    assert "no unit" in no_unit.problems[0].message


@pytest.mark.parametrize(("head", "row"), [
    ("From,To,length_cm", "x,y,420"), ("本端设备,对端设备,实测长度（毫米）", "x,y,4200"),
    ("Z设备;A 端设备;长度(米)", "y;x;4.2"), ("from device\tto device\tmeasured length [ft]", "x\ty\t13.78"),
    ("A rack,Z rack,Length (m)", "x,y,4.2"), ("A,B,Length,Unit", "x,y,4.2,M"), ("A,B,required m,Surveyed m",
    "x,y,9,4.2"), ("length m,B,A,notes", "4.2,y,x,by hand"), ("A,B,length", "x,y,4.2 m"),
    ("A,B,length with slack (m)", "x,y,4.2"),
])  # fmt: skip
def test_headings_in_any_order_and_language(head: str, row: str) -> None:
    found = read_lengths(f"Survey of May\n\n{head}\n{row}\n".encode("gb18030"), "l.csv")
    assert not found.problems
    (line,) = found.rows
    assert (line.a or line.a_rack, line.b or line.b_rack) == ("x", "y")
    assert abs(line.length_mm - 4_200) <= 1


def test_no_survey(catalog: Catalog) -> None:
    for data, name in ((b"a,b\n1,2\n", "l.csv"), (b"", "l.csv"), (b"A device,Z device\nx,y\n", "l.csv"),
                       (b"PK\x03\x04junk", "l.xlsx"), (b"x", "l.docx")):  # fmt: skip
        with pytest.raises(ReadError):
            read_lengths(data, name)
    with pytest.raises(RequirementError, match="a file of lengths"):
        planned(catalog, HDR, "lengths.csv")
    with pytest.raises(RequirementError, match="both ends"):
        planned(catalog, HDR, [{"a": "node-su01-001", "length_mm": 4_000}])


def test_units_of_a_workbook_that_disagree_are_refused() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["A", "B", "Length (m)"])
    sheet.append(["x", "y", 420])
    sheet["C2"].number_format = '0.0 "cm"'
    sheet.append(["x", "y", "=1+1"])
    held = io.BytesIO()
    book.save(held)
    found = read_lengths(held.getvalue(), "l.xlsx")
    assert [(item.code, item.where) for item in found.problems] == [
        ("length-cell", "Sheet!C2"), ("no-stored-value", "Sheet!C3")
    ]  # fmt: skip


def test_a_device_that_moved_since_the_survey(catalog: Catalog) -> None:
    plan = planned(catalog, NDR)
    a, z = places(plan, 0)
    racks = plan.placement.rack_names()
    stands = racks[plan.placement.places.rack[plan.topology.links.lower[0]]]
    other = next(name for name in racks if name != stands)
    with pytest.raises(RequirementError, match=f"stands in rack {stands} in this plan, not in {other}"):
        planned(catalog, NDR, [{"a": a, "a_rack": other, "b": z, "length_mm": 9_000}])
    with pytest.raises(RequirementError, match="one end is a device, the other a rack"):
        planned(catalog, NDR, [{"a": a, "b": stands, "length_mm": 9_000}])


def test_the_straight_line_of_a_room_of_the_customers(catalog: Catalog) -> None:
    """Rows far apart: the line is that between the centres of the racks as the room has them."""
    room = {"rows": [{"name": "A", "racks": 3}, {"name": "H1", "racks": 3, "y_mm": 21_000, "x_mm": 4_000}]}
    plan = planned(catalog, NDR, room=room)
    rack, row = plan.placement.places.rack, plan.placement.racks.row
    links = plan.topology.links
    far = [link for link in range(len(links)) if row[rack[links.lower[link]]] != row[rack[links.upper[link]]]]
    assert far, "the room is too large for one row"
    a, z = places(plan, far[0])
    with pytest.raises(RequirementError, match=r"20 m is shorter than the straight line of 2[1-9]") as caught:
        planned(catalog, NDR, [{"a": a, "b": z, "length_mm": 20_000}], room=room)
    assert "H1-0" in str(caught.value)
    assert planned(catalog, NDR, [{"a": a, "b": z, "length_mm": 30_000}], room=room)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_estimates_of_our_own_tables_are_no_survey(catalog: Catalog, lang: str) -> None:
    """cables.csv read as a survey gives the surveyed rows alone."""
    plan = planned(catalog, NDR, [])
    told = read_lengths(render(plan, "cables-csv", lang)["cables.csv"], "cables.csv")
    assert not told.rows and [item.code for item in told.problems] == ["length-empty"]
    a, z = places(plan, 0)
    some = planned(catalog, NDR, [{"a": a, "b": z, "length_mm": 11_000}])
    read = read_lengths(render(some, "cables-csv", lang)["cables.csv"], "cables.csv")
    assert read.rows and {(row.a, row.b) for row in read.rows} == {(a, z)} and not read.problems
