"""Growth by counts, not by clock: what Python does for a plan depends on its kinds of switches and parts and on its
racks, never on its links, which are columns. Counted are calls of Python functions; the clock is the business of
``benchmarks/``."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

import pytest

from fabricplan import Plan, design, load_catalog, load_requirement
from fabricplan.catalog import Catalog
from fabricplan.plan import dumps

GPUS = (16_384, 32_768, 131_072)
FABRICS: dict[str, dict[str, Any]] = {
    "InfiniBand, rail planes": {"rate": "ndr", "planes": "rail"},
    "RoCE, three tiers": {"technology": "roce", "rate": "400"},
}


def calls_by_stage(gpus: int, fabric: dict[str, Any], catalog: Catalog) -> tuple[dict[str, int], Plan]:
    """Design and return how many Python functions every stage called."""
    request = load_requirement({"groups": [{"gpus": gpus}], "fabrics": [fabric]})
    design(request, catalog)  # types the catalogue's entries and builds the models once
    counts: dict[str, int] = {"": 0}
    stage = [""]

    def count(frame: FrameType, event: str, arg: object) -> None:
        counts[stage[0]] += event == "call"

    def enter(name: str) -> None:
        stage[0] = name
        counts[name] = 0

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        plan = design(request, catalog, enter)
    finally:
        sys.setprofile(before)
    return counts, plan


@pytest.mark.parametrize("name", FABRICS)
def test_no_stage_calls_a_function_per_link(name: str, catalog: Catalog) -> None:
    found = {gpus: calls_by_stage(gpus, FABRICS[name], catalog) for gpus in GPUS}
    links = {gpus: len(plan.topology.links) for gpus, (_, plan) in found.items()}
    table = "\n".join(f"{gpus:>7} GPUs {links[gpus]:>7} links {counts}" for gpus, (counts, _) in found.items())
    least, middle, most = ({**counts, "all": sum(counts.values())} for counts, _ in found.values())
    assert links[131_072] >= 8 * links[16_384], table
    assert most["build"] <= 1.1 * middle["build"], f"links are enumerated one by one:\n{table}"
    for stage in ("place", "count", "check"):
        assert most[stage] <= 4 * least[stage], f"{stage} grows with the links:\n{table}"
    assert most["all"] <= 5 * least["all"], table
    assert most["all"] < links[131_072] / 4, f"not columns any more:\n{table}"


def test_threads_share_a_catalogue(catalog: Catalog) -> None:
    requests = [
        load_requirement({"groups": [{"gpus": gpus}], "fabrics": [fabric]})
        for gpus in (8, 128, 384, 1024)
        for fabric in ({"rate": "hdr"}, {"rate": "ndr"}, {"rate": "xdr"}, {"technology": "roce", "rate": "400"})
    ]
    alone = [dumps(design(request, catalog)) for request in requests]
    fresh = load_catalog()  # nothing of it is typed yet: the threads race for it
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda request: dumps(design(request, fresh)), requests * 6))
    assert together == alone * 6
