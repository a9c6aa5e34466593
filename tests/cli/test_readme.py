"""The README tells the truth: its screen, its picture, its commands and its Python are what the program does."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fabricplan import design, load_requirement, render
from fabricplan.cli import app

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
EXAMPLES = [
    line.split("  #")[0].strip()
    for language, text in BLOCKS
    if language == "sh"
    for line in text.splitlines()
    if line.startswith("fabricplan ")
]


def test_screen_is_what_the_program_prints():
    shown = next(text for language, text in BLOCKS if not language).splitlines()
    command, lines = shown[0], [line for line in shown[1:] if line != "..."]
    result = CliRunner().invoke(app, shlex.split(command.removeprefix("$ fabricplan ")))
    printed = result.stdout.splitlines()
    assert lines == printed[: len(lines)]


def test_picture_is_what_the_program_draws(catalog):
    request = {"groups": [{"gpus": 1024}], "fabrics": [{"rate": "ndr"}]}
    drawn = render(design(load_requirement(request), catalog), "svg")["topology.svg"]
    assert (ROOT / "docs" / "topology-1024-ndr.svg").read_bytes() == drawn


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run(example, tmp_path, monkeypatch):
    words = shlex.split(example)[1:]
    words = [str(tmp_path / "plan") if word == "plan" else word for word in words]
    words = [str(ROOT / word) if word.startswith("examples/") else word for word in words]
    if "plan/plan.json" in words:
        made = CliRunner().invoke(app, ["design", "--gpus", "1024", "--gen", "ndr", "-o", str(tmp_path / "plan")])
        assert made.exit_code == 0, made.output
        words[words.index("plan/plan.json")] = str(tmp_path / "plan" / "plan.json")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output


def test_python_runs(capsys):
    code = next(text for language, text in BLOCKS if language == "python")
    exec(compile(code, "README.md", "exec"), {})
    assert "'switches': 48" in capsys.readouterr().out


def test_embed_example_runs(capsys):
    path = ROOT / "examples" / "embed.py"
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    assert "48 switches, 2048 cables" in printed
    assert "  1536 x MMA4Z00-NS\n" in printed
