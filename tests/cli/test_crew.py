"""``render --format crew --teams`` and ``progress`` as commands."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from fabricplan.cli import main


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crew")
    assert main(["design", "--nodes", "48", "--gen", "hdr100", "-o", str(folder)]) == 0
    assert main(["render", str(folder / "plan.json"), "--format", "crew,elevations", "--teams", "2", "-o",
                 str(folder)]) == 0  # fmt: skip
    return folder


def test_a_checklist_is_read_back(pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (pack / "crew" / "progress.csv").open(encoding="utf-8-sig", newline="") as file:
        table = list(csv.reader(file))
    assert {row[1] for row in table[1:]} <= {"1", "2"}
    done = table[0].index("done")
    for row in table[1:33]:
        row[done] = "x"
    path = tmp_path / "progress.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(table)
    capsys.readouterr()
    assert main(["progress", str(pack / "plan.json"), str(path)]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith(f"32 of {len(table) - 1} pieces done")
    assert main(["progress", str(pack / "plan.json"), str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], told["done"], told["total"]) == ("fabricplan/progress/1", 32, len(table) - 1)
    table[1][done] = "?"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(table)
    assert main(["progress", str(pack / "plan.json"), str(path), "--lang", "zh"]) == 1
    told = capsys.readouterr().out
    assert f"{path}:2：“?”既非完成也非未完成" in "".join(line.strip() for line in told.splitlines())


def test_a_file_that_is_no_checklist_is_an_error(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["progress", str(pack / "plan.json"), str(pack / "bom.csv")]) == 2
    assert "no column 'id'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--teams", "0", "--format", "crew"], "--teams"),
        (["--teams", "3", "--format", "svg"], "teams are for the format crew"),
        (["--printer", "zebra", "--format", "crew"], "--printer is for the format labels"),
        (["--printer", "zebar", "--format", "labels"], "no printer 'zebar'"),
        (["--printer", "tape", "--dpi", "300", "--format", "labels"], "--dpi is for the printer zebra"),
        (["--dpi", "200", "--format", "labels"], "no print head of 200 dpi"),
        (["--columns", "id", "--format", "crew"], "--columns is for the format cables-csv"),
        (["--both-directions", "--format", "labels"], "--both-directions is for the format cables-csv"),
        (["--columns", "id,z_rak", "--format", "cables-csv"], "did you mean z_rack?"),
        (["--stock", "flag=20x20", "--format", "labels"], "leaves no face"),
    ],
)  # fmt: skip
def test_options_that_make_no_sense(
    pack: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert main(["render", str(pack / "plan.json"), *arguments]) == 2
    assert told in capsys.readouterr().err


def test_label_files_of_the_asked_printers(pack: Path, tmp_path: Path) -> None:
    render = ["render", str(pack / "plan.json"), "--format", "labels", "-o", str(tmp_path)]
    assert main([*render, "--printer", "tape,zebra", "--dpi", "300", "--stock", "wrap=40x60x20"]) == 0
    found = sorted(path.name for path in (tmp_path / "labels").iterdir())
    assert found[0].endswith(".zpl") and found[-1] == "labels-tape.csv" and len(found) in (2, 3)
    assert main(render) == 0
    assert (tmp_path / "labels" / "labels.html").exists()


def test_files_of_chosen_columns_are_refused_where_more_is_needed(
    pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What reads a table of cables says which columns it misses."""
    assert main(["render", str(pack / "plan.json"), "--format", "cables-csv", "--columns", "a_rack,length_m,done",
                 "--both-directions", "-o", str(tmp_path)]) == 0  # fmt: skip
    file = str(tmp_path / "cables.csv")
    capsys.readouterr()
    for command, told in (
        (["progress", str(pack / "plan.json"), file], "no column 'id'"),
        (
            ["design", "--gpus", "64", "--gen", "hdr", "--lengths", file, "-o", str(tmp_path / "plan")],
            "with both ends and a length",
        ),
        (["receive", str(pack / "plan.json"), file], "a part number and a serial number or a quantity are needed"),
    ):
        assert main(command) == 2
        assert told in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "plan").exists()
