"""``--lengths``: a survey from the command line and from a request, every mistake told together, nothing written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import Ran

Run = Callable[..., Ran]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


ROOM = "design --nodes 8 --gen hdr --json"


def test_a_survey_by_option_and_by_request(run: Run, place: Path) -> None:
    assert run("design --nodes 8 --gen hdr -o plan").status == 0
    assert run("render plan/plan.json --format lengths -o plan").status == 0
    lines = (place / "plan/lengths.csv").read_text(encoding="utf-8-sig").splitlines()
    (place / "plan/lengths.csv").write_text("\n".join([lines[0], lines[1] + "12"]), encoding="utf-8")
    by_option = json.loads(run(f"{ROOM} --lengths plan/lengths.csv").out)
    assert "surveyed-partly" in {item["code"] for item in by_option["findings"]}
    (place / "plan/request.yaml").write_text("groups: [{nodes: 8}]\nfabrics: [{rate: hdr}]\nlengths: lengths.csv\n")
    by_request = json.loads(run("design plan/request.yaml --json").out)
    assert by_request["bom"] == by_option["bom"]
    schema = jsonschema.Draft202012Validator(run("schema requirement").json)
    for lengths in ("lengths.csv", [{"a": "x", "b": "y", "length_mm": 4000}]):
        schema.validate({"groups": [{"nodes": 8}], "fabrics": [{"rate": "hdr"}], "lengths": lengths})
    assert not schema.is_valid({"groups": [{"nodes": 8}], "fabrics": [{"rate": "hdr"}], "lengths": 5})
    shown = run("design plan/request.yaml -o plan")
    assert shown.status == 0 and "Lengths of 1 of 128 cables surveyed" in shown.out
    for name in ("plan/cables.csv", "plan/report.html"):
        assert "surveyed" in (place / name).read_text(encoding="utf-8-sig")


def test_all_mistakes_together_and_nothing_written(run: Run, place: Path) -> None:
    (place / "l.csv").write_text(
        "A device,Z device,Length (m)\nnode-su01-01,leaf-su01-r0,5\nnode-su01-001,leaf-su01-r0,far\n"
        "node-su01-001,node-su01-002,4\nnode-su01-002,leaf-su01-r0,-4\nnode-su01-003,leaf-su01-r0,0.2\n"
    )
    ran = run(f"{ROOM} --lengths l.csv")
    assert ran.status == 2
    found = json.loads(ran.out)["errors"]
    assert sorted((item["where"], item["code"]) for item in found) == [
        ("l.csv:2!A", "length-device"), ("l.csv:3!C", "length-cell"), ("l.csv:4!C", "length-no-cable"),
        ("l.csv:5!C", "length-cell"), ("l.csv:6!C", "length-straight"),
    ]  # fmt: skip
    (place / "request.yaml").write_text("groups: [{nodes: 8}]\nfabrics: [{rate: hdr}]\nlengths: l.csv\n")
    assert run("design request.yaml -o out").status == 2
    assert not (place / "out").exists()
    (place / "l.csv").write_text("A device,Z device,Length (m)\nnode-su01-001,leaf-su01-r0,far\n")
    only = run("design request.yaml -o out")
    (place / "plain.yaml").write_text("groups: [{nodes: 8}]\nfabrics: [{rate: hdr}]\n")
    assert only.status == 2 and "l.csv:2" in only.err and not (place / "out").exists()
    given = ("request.yaml --lengths", "--gpus 8 --gen ndr --lengths", "--gpus 8 --gen ndr --positions",
             "plain.yaml --positions")  # fmt: skip
    for words in (f"design {text} none.csv" for text in given):
        gone = run(words)
        assert gone.status == 2 and gone.err.startswith("error: none.csv: cannot read")


def test_a_row_of_the_request_is_told_by_its_line(run: Run, place: Path) -> None:
    (place / "request.yaml").write_text(
        "groups: [{nodes: 8}]\nfabrics: [{rate: hdr}]\nlengths:\n  - {a: node-su01-001, b: leaf-su01-r0, length_mm: "
        "5000}\n  - {a: node-su01-0011, b: leaf-su01-r0, length_mm: 5000}\n"
    )
    ran = run("design request.yaml")
    assert ran.status == 2 and "request.yaml:5" in ran.err and "did you mean node-su01-001?" in ran.err
