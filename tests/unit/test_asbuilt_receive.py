"""Deliveries held against the bill: what is short, surplus, unknown or listed twice; serial numbers to devices."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from fabricplan.asbuilt import Source
from fabricplan.asbuilt.receive import Receipt, receive
from fabricplan.errors import ReadError
from fabricplan.plan import Plan, dumps
from fabricplan.readers.delivery import read_delivery
from fabricplan.readers.name_map import read_name_map
from fabricplan.renderers import receipt_csv
from tests.conftest import PlanOf

Rows = list[list[Any]]


@pytest.fixture(scope="module")
def plan(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 16}, {"rate": "hdr"}, spares={"aoc_percent": 3})


def delivery(plan: Plan) -> Rows:
    """Return the rows of a complete delivery: a serial number a switch, quantities for the rest."""
    rows: Rows = [["型号", "数量", "序列号", "GUID", "保修到期"]]
    for line in plan.bom.lines:
        if line.kind == "switch":
            rows += [[line.pn, 1, f"MT{at:04}", f"b8599f03{at:08x}", "2030-06-30"] for at in range(line.quantity)]
        else:
            rows.append([line.opn or line.pn, line.quantity + line.spare, None, None, None])
    return rows


def book(rows: Rows) -> bytes:
    made = openpyxl.Workbook()
    for row in [["Delivery 7"], [], *rows]:
        made.active.append(row)
    held = io.BytesIO()
    made.save(held)
    return held.getvalue()


def received(plan: Plan, rows: Rows) -> Receipt:
    note = read_delivery(book(rows), "delivery.xlsx")
    return receive(plan, "0" * 64, note, Source(name="delivery.xlsx", format="delivery", sha256="1" * 64))


def test_a_complete_delivery(plan: Plan) -> None:
    told = received(plan, delivery(plan))
    assert told.complete and not told.findings
    assert all(line.ordered == line.delivered for line in told.lines)
    switches = plan.bom.count("switch")
    assert len(told.assignments) == switches == len({row.device for row in told.assignments})
    assert (told.warranty_count, str(told.warranty_last)) == (switches, "2030-06-30")
    files = receipt_csv.render(told, "en")
    names = read_name_map(files["names.csv"].decode("utf-8-sig"), "names.csv")
    assert names.of("anything", 0xB8599F0300000000) == told.assignments[0].device
    assert files["serials.csv"].decode("utf-8-sig").splitlines()[0] == "serial,part,device,rack,u,guid,warranty_end"


def test_what_is_wrong_is_told(plan: Plan) -> None:
    rows = delivery(plan)
    rows[1][2] = rows[2][2]
    rows[3][4] = "2027-01-01"
    rows[4][2] = None
    rows[-1][1] -= 2
    rows.append(["MFS1S00-H999V", 3, None, None, None])
    rows.append([rows[-2][0], 5, None, None, None])
    told = received(plan, rows)
    assert not told.complete
    assert {item.code for item in told.findings} == {
        "surplus", "unknown-part", "serial-twice", "no-serial", "assigned-short", "warranty-ends"}  # fmt: skip
    rows[-1][1] = 1
    short = next(item for item in received(plan, rows).findings if item.code == "short")
    assert short.param("missing") == 1


def test_a_device_on_the_row_is_taken_at_its_word(plan: Plan) -> None:
    rows = delivery(plan)
    rows[0].append("device")
    rows[1].append("spine-02")
    told = received(plan, rows)
    assert next(row.device for row in told.assignments if row.serial == "MT0000") == "spine-02"


BAD: list[tuple[Callable[[], bytes], str, str]] = [
    (lambda: b"not a workbook", "delivery.xlsx", "not-a-workbook"),
    (lambda: book([["hello"]]), "delivery.xlsx", "no-headings"),
    (lambda: b"part,serial\n", "delivery.csv", "empty-delivery"),
    (lambda: b"part,serial,qty\nMQM8700-HS2F,A1,2\n", "delivery.csv", "delivery-cell"),
    (lambda: b"part,qty\nMQM8700-HS2F,many\n", "delivery.csv", "delivery-cell"),
]


@pytest.mark.parametrize(("data", "name", "code"), BAD)
def test_bad_files(data: Callable[[], bytes], name: str, code: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_delivery(data(), name)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "heading", ["型号（必填）", "MPN", "零件号", "Part No.*", "原厂料号", "OPN", "型号 Part number", "P/N"]
)
def test_part_headings_are_those_of_price_books(heading: str) -> None:
    text = f"到货单\n{heading},序列号 S/N,数量\nMQM8700-HS2F,A1,1\n"
    for data, name in ((text.encode("gb18030"), "d.csv"), (text.replace(",", ";").encode("utf-16"), "d.csv"),
                       (book([row.split(",") for row in text.splitlines()]), "d.xlsx")):  # fmt: skip
        (row,) = read_delivery(data, name)
        assert (row.part, row.serial, row.quantity) == ("MQM8700-HS2F", "A1", 1)


def test_of_part_and_order_number_the_part_is_taken() -> None:
    (row,) = read_delivery("订货号,型号,数量\n920-X,MQM8700-HS2F,2\n".encode(), "d.csv")
    assert (row.part, row.quantity) == ("MQM8700-HS2F", 2)


def test_command(plan: Plan, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from fabricplan.cli import main

    (tmp_path / "plan.json").write_bytes(dumps(plan))
    (tmp_path / "delivery.xlsx").write_bytes(book(delivery(plan)))
    words = ["receive", str(tmp_path / "plan.json"), str(tmp_path / "delivery.xlsx")]
    assert main([*words, "-o", str(tmp_path / "out")]) == 0
    assert "Everything ordered was delivered." in capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["names.csv", "serials.csv"]
    (tmp_path / "delivery.xlsx").write_bytes(book(delivery(plan)[:-1]))
    assert main([*words, "--lang", "zh"]) == 1
    assert "缺" in capsys.readouterr().out
