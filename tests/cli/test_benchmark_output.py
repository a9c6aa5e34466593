"""The benchmark prints its whole table and writes it as JSON; what it measures is not judged here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="the operating system gives no account of a finished process")
def test_a_small_run_prints_every_row(tmp_path: Path) -> None:
    command = [sys.executable, "benchmarks/run.py", "--small", "--json", str(tmp_path / "table.json")]
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    table = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    rows = table["rows"]
    assert [row["what"].split(":")[0] for row in rows] == [
        "python -c pass", "--help", "catalog list", "design --gpus 8 --gen ndr --json",
        "design --gpus 8 --gen ndr -o DIR", "design()", "design()", "design()", "design()", "design()", "design()",
        "from 16,384 to 131,072 GPUs", "1,024 GPUs with cables.csv, plan.json, bom.csv, quote.csv",
        "plan.json of 1,024 GPUs", "plan.json of 1,024 GPUs", "8 threads, 16 designs",
    ]  # fmt: skip
    for row in rows:
        assert row["what"] in done.stdout
        assert row["value"] > 0 or row["unit"] == "plans"
    assert rows[0]["value"] == 1 and all(row["value"] > 1 for row in rows[1:5])
    assert all(row["peak_mb"] > 5 and row["wall_s"] > 0 for row in rows[:11])
    assert rows[-1]["value"] == 0
