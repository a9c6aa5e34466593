"""`catalog/README.md` is followed to the letter: its files are written, its commands run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fabricplan.cli import main
from fabricplan.files import data_folder, load_catalog
from fabricplan.rawcatalog import KEY_FIELDS

TEXT = (data_folder("catalog") / "README.md").read_text(encoding="utf-8")
FILES = re.findall(r"`(our-parts/[a-z-]+/ours\.yaml)`.*?```yaml\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = re.findall(r"^ *\$ fabricplan (.+)$", TEXT, re.MULTILINE)
STOCK = TEXT[TEXT.index("Stock of a retired cable") :].split("```yaml\n")[1].split("```")[0]


@pytest.fixture
def followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("".join(line[3:] + "\n" for line in text.splitlines()))
    return tmp_path / "our-parts"


def test_the_product_is_known_and_used(followed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [name for name, _ in FILES] == [f"our-parts/{kind}/ours.yaml" for kind in ("sources", "cables", "recipes")]
    assert [command.split()[0] for command in COMMANDS] == ["catalog", "catalog", "catalog", "design"]
    shown = []
    for command in COMMANDS:
        assert main(command.split()) == 0, capsys.readouterr().err
        shown.append(capsys.readouterr().out)
    checked, facts, mates, plan = shown
    assert "recipes/hdr-switch-qsfp56 changes options" in checked and "no problem found" in checked
    assert "second-source-aoc" in facts and "Second Source Ltd" in facts
    assert "AOC-200-05 (1 per link)" in mates
    assert "64 GPUs" in plan


def test_the_stock_example(tmp_path: Path) -> None:
    (tmp_path / "cables.yaml").write_text(STOCK)
    assert load_catalog(tmp_path).cable("mcp1650-h").status == "active"


def test_every_kind_stands_in_the_table() -> None:
    assert set(KEY_FIELDS) == set(re.findall(r"^\| `([a-z-]+)` \|", TEXT, re.MULTILINE))


def test_a_mistake_is_told_with_the_nearest_name(followed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = followed / "cables" / "ours.yaml"
    path.write_text(path.read_text().replace("second-source-datasheet", "second-source-datashet"))
    assert main(["catalog", "check", "our-parts"]) == 1
    told = capsys.readouterr().err
    assert "no sources entry 'second-source-datashet'" in told and "did you mean" in told
    assert "our-parts/cables/ours.yaml:1: " in told
