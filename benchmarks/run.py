"""Measure speed and memory against their budgets and print the table.

    python benchmarks/run.py [--small] [--repeat N] [--json FILE]

Run it with the Python of a clean environment that the wheel is installed into. Commands are measured interleaved with
``python -c pass`` of the same environment, and stand as ratios to it; medians of wall clock, and of CPU time (user and
system), which does not change with what else the machine does. Peak memory is what the operating system accounts for
the finished process. ``--small`` takes small sizes, to see that the benchmark itself works.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


class Run(NamedTuple):
    """One finished process."""

    wall_s: float
    cpu_s: float
    peak_mb: float
    output: bytes


class Row(NamedTuple):
    """One line of the table. ``value`` is compared with ``target``; at most that is a budget kept.

    ``by_cpu`` is the value by CPU time instead of the clock; the same where neither matters.
    """

    what: str
    value: float
    by_cpu: float
    target: float
    unit: str
    wall_s: float
    cpu_s: float
    peak_mb: float


def start(command: Sequence[str], folder: str) -> Run:
    """Run a command and take its account from the operating system."""
    before = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=folder, env=ENVIRONMENT)
    output = process.stdout.read() if process.stdout else b""
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - before
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
    per_mb = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / per_mb, output)


def commands(gpus: int, repeat: int) -> list[Row]:
    """Measure the start of Python and the commands, one after the other in every round."""
    made = ["--gpus", str(gpus), "--gen", "ndr"]
    asked = {
        "python -c pass": (["-c", "pass"], 1.0),
        "--help": (["-m", "fabricplan", "--help"], 8.0),
        "catalog list": (["-m", "fabricplan", "catalog", "list"], 20.0),
        f"design --gpus {gpus} --gen ndr --json": (["-m", "fabricplan", "design", *made, "--json"], 30.0),
        f"design --gpus {gpus} --gen ndr -o DIR": (["-m", "fabricplan", "design", *made, "-o", "plan"], 90.0),
    }
    runs: dict[str, list[Run]] = {what: [] for what in asked}
    with tempfile.TemporaryDirectory() as folder:
        for round_ in range(repeat + 1):
            for what, (words, _) in asked.items():
                run = start([sys.executable, *words], folder)
                if round_:  # the first round fills the caches of the disk
                    runs[what].append(run)
    wall = {what: statistics.median(run.wall_s for run in found) for what, found in runs.items()}
    cpu = {what: statistics.median(run.cpu_s for run in found) for what, found in runs.items()}
    peak = {what: max(run.peak_mb for run in found) for what, found in runs.items()}
    base = next(iter(asked))
    return [
        Row(what, wall[what] / wall[base], cpu[what] / cpu[base], target, "x", wall[what], cpu[what], peak[what])
        for what, (_, target) in asked.items()
    ]


def worker(case: str, size: int, repeats: int) -> tuple[dict[str, Any], Run]:
    """Run one case of ``worker.py``."""
    with tempfile.TemporaryDirectory() as folder:
        run = start([sys.executable, str(HERE / "worker.py"), case, str(size), str(repeats)], folder)
    return json.loads(run.output), run


def library(small: bool, repeat: int) -> list[Row]:
    """Measure the library in processes of their own."""
    shrink = 128 if small else 1
    rows = []
    one, several = 1 if small else 3, 1 if small else 10 * repeat
    designs = (
        ("plain", 1024, several, 0.010, None), ("plain", 16_384, repeat, 0.100, None), ("rail", 131_072, one, 0.8, 250),
        ("roce", 524_288, one, 4.0, 800),
    )  # fmt: skip
    walls: dict[tuple[str, int], tuple[float, float]] = {}
    for case, size, repeats, seconds, memory in designs:
        gpus = max(size // shrink, 8)
        found, run = worker(case, gpus, repeats)
        wall, cpu = found["wall_s"], found["cpu_s"]
        walls[case, size] = wall, cpu
        what = f"design(): {gpus:,} GPUs, {case}, {found['links']:,} links"
        rows.append(Row(what, wall, cpu, seconds, "s", wall, cpu, run.peak_mb))
        if memory is not None:
            rows.append(Row(f"{what}: peak memory", run.peak_mb, run.peak_mb, memory, "MB", wall, cpu, run.peak_mb))
    (before, cpu_before), (after, cpu_after) = walls["plain", 16_384], walls["rail", 131_072]
    rows.append(Row("from 16,384 to 131,072 GPUs", after / before, cpu_after / cpu_before, 12, "times", after,
                    cpu_after, 0))  # fmt: skip
    gpus = 131_072 // shrink
    found, run = worker("files", gpus, 1)
    names = ", ".join(found["bytes"])
    rows.append(Row(f"{gpus:,} GPUs with {names}", found["wall_s"], found["cpu_s"], 5, "s", found["wall_s"],
                    found["cpu_s"], run.peak_mb))  # fmt: skip
    found, run = worker("load", gpus, one)
    size_mb = found["bytes"]["plan.json"] / 1e6
    rows.append(Row(f"plan.json of {gpus:,} GPUs: size", size_mb, size_mb, 25, "MB", 0, 0, 0))
    rows.append(Row(f"plan.json of {gpus:,} GPUs: load", found["wall_s"], found["cpu_s"], 1.5, "s", found["wall_s"],
                    found["cpu_s"], run.peak_mb))  # fmt: skip
    found, run = worker("threads", 16 if small else 400, 1)
    wrong = found["different"]
    rows.append(Row(f"8 threads, {found['designs']} designs: plans that differ", wrong, wrong, 0, "plans",
                    found["wall_s"], found["cpu_s"], run.peak_mb))  # fmt: skip
    return rows


def shown(row: Row) -> str:
    """Return a row as a line of the table."""
    digits = 3 if row.unit == "s" and row.target < 1 else 0 if row.unit == "plans" else 2 if row.unit == "s" else 1
    verdict = "" if row.what == "python -c pass" else "kept" if row.value <= row.target else "OVER"
    used = f"{row.wall_s * 1e3:>9,.1f} {row.cpu_s * 1e3:>9,.1f} {row.peak_mb:>6,.0f}"
    values = f"{row.value:>9,.{digits}f} {row.by_cpu:>8,.{digits}f} {row.target:>6g} {row.unit:<6}"
    return f"{row.what:<64} {values}{used}  {verdict}"


def main() -> None:
    """Measure, print the table, and write it as JSON where asked."""
    parser = argparse.ArgumentParser(description="Speed and memory against their budgets.")
    parser.add_argument("--small", action="store_true", help="small sizes, one run each")
    parser.add_argument("--repeat", type=int, default=15, help="rounds; default 15")
    parser.add_argument("--json", type=Path, help="also write the table to this file")
    asked = parser.parse_args()
    repeat = 1 if asked.small else max(asked.repeat, 1)
    rows = [*commands(8 if asked.small else 1024, repeat), *library(asked.small, repeat)]
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}"
    print(machine)
    print(f"{'what':<64} {'value':>9} {'by CPU':>8} {'budget':>6} {'unit':<6}{'wall ms':>9} {'CPU ms':>9} {'MB':>6}")
    for row in rows:
        print(shown(row))
    if asked.json:
        table = {
            "schema": "fabricplan/benchmark/1", "machine": machine, "small": asked.small, "rounds": repeat,
            "rows": [{**row._asdict(), "kept": row.value <= row.target} for row in rows],
        }  # fmt: skip
        asked.json.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
