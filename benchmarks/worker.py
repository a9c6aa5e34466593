"""One measurement in a process of its own, so that its peak memory can be read from outside.

    python benchmarks/worker.py CASE GPUS REPEATS

prints one JSON object. The clock runs over the work alone: the catalogue is loaded and its entries are typed before.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program sets it: a plan has no linear algebra

from fabricplan import Plan, Requirement, design, load_catalog, load_prices, load_requirement, load_terms, price, render
from fabricplan.plan import dumps, loads

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SMALL = (8, 128, 384, 1024)
CATALOG = load_catalog()


def request(gpus: int, **fabric: str) -> Requirement:
    return load_requirement({"groups": [{"gpus": gpus}], "fabrics": [fabric]})


def plain(gpus: int) -> Requirement:
    return request(gpus, rate="ndr")


def rail(gpus: int) -> Requirement:
    return request(gpus, rate="ndr", planes="rail")


def roce(gpus: int) -> Requirement:
    return request(gpus, technology="roce", rate="400")


def timed(work: Callable[[], Any], repeats: int) -> dict[str, Any]:
    """Return the medians of wall clock and CPU time of some runs."""
    wall, cpu = [], []
    for _ in range(repeats):
        before = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - before[0])
        cpu.append(time.process_time() - before[1])
    return {"wall_s": statistics.median(wall), "cpu_s": statistics.median(cpu)}


def design_of(requirement: Requirement, repeats: int) -> dict[str, Any]:
    found: list[Plan] = []

    def work() -> None:
        found[:] = [design(requirement, CATALOG)]

    times = timed(work, repeats)
    return {**times, "links": len(found[0].topology.links)}


def files(gpus: int, repeats: int) -> dict[str, Any]:
    """Design and write cables.csv, plan.json, bom.csv and the quote as CSV, in memory."""
    prices, terms = load_prices(EXAMPLES / "demo-prices.csv"), load_terms(EXAMPLES / "demo-terms.yaml")
    sizes: dict[str, int] = {}

    def work() -> None:
        plan = design(rail(gpus), CATALOG)
        for format in ("cables-csv", "json", "bom-csv"):
            sizes.update((name, len(data)) for name, data in render(plan, format).items())
        sizes.update((name, len(data)) for name, data in render(price(plan, prices, terms), "csv").items())

    return {**timed(work, repeats), "bytes": sizes}


def load(gpus: int, repeats: int) -> dict[str, Any]:
    """Read plan.json; the plan must be the one that was written."""
    plan = design(rail(gpus), CATALOG)
    data = dumps(plan)
    if loads(data) != plan:
        raise AssertionError("a plan that was read back differs")
    return {**timed(lambda: loads(data), repeats), "bytes": {"plan.json": len(data)}}


def threads(designs: int, repeats: int) -> dict[str, Any]:
    """Design in eight threads on one catalogue; every plan must have the bytes of the one made alone."""
    requests = [make(gpus) for gpus in SMALL for make in (plain, roce)]
    alone = [dumps(design(item, CATALOG)) for item in requests]
    catalog = load_catalog()
    wanted = [number % len(requests) for number in range(designs)]
    same: list[bool] = []

    def one(number: int) -> bool:
        return dumps(design(requests[number], catalog)) == alone[number]

    def work() -> None:
        with ThreadPoolExecutor(8) as pool:
            same.extend(pool.map(one, wanted))

    times = timed(work, repeats)
    return {**times, "designs": designs, "different": same.count(False)}


CASES: dict[str, Callable[[int, int], dict[str, Any]]] = {
    "plain": lambda gpus, repeats: design_of(plain(gpus), repeats),
    "rail": lambda gpus, repeats: design_of(rail(gpus), repeats),
    "roce": lambda gpus, repeats: design_of(roce(gpus), repeats),
    "files": files,
    "load": load,
    "threads": threads,
}

if __name__ == "__main__":
    case, size, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for make in (plain, rail, roce):
        design(make(128), CATALOG)
    print(json.dumps(CASES[case](size, runs)))
