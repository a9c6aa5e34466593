"""Rare lengths are folded into the next longer one; what each cable needs stays; nothing is lost between the bins."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from fabricplan.cabling import GAP_MM, GAP_TIMES
from fabricplan.catalog import Catalog
from fabricplan.crew.lengths import cut_list
from fabricplan.plan import Plan
from fabricplan.recheck import recheck
from fabricplan.renderers import render
from tests.conftest import PlanOf
from tests.properties.invariants import assert_parts, assert_sound

ASKED = ({"nodes": 40, "platform": "dgx-h100"}, {"rate": "ndr"})


def bins(plan: Plan) -> Counter[tuple[str, int]]:
    parts = plan.cabling.cable_parts
    return Counter((parts[part].family, parts[part].length_mm) for part in plan.cabling.cables.part.tolist())


def folded(counts: Counter[tuple[str, int]], below: int) -> Counter[tuple[str, int]]:
    """Fold by hand, one family after the other."""
    found = Counter(counts)
    for family in {family for family, _ in counts}:
        lengths = sorted(length for name, length in counts if name == family)
        origin = {length: length for length in lengths}
        for at, length in enumerate(lengths[:-1]):
            longer = lengths[at + 1]
            gap = longer > GAP_TIMES * origin[length] and longer - origin[length] >= GAP_MM
            if found[family, length] < below and not gap:
                found[family, longer] += found.pop((family, length))
                origin[longer] = origin[length]
    return found


@pytest.mark.parametrize("below", [4, 30, 200, 1000])
@pytest.mark.parametrize("asked", [ASKED, ({"nodes": 60, "ports": 1}, {"rate": "edr"})], ids=["ndr", "edr"])
def test_rare_lengths_are_folded(plan_of: PlanOf, catalog: Catalog, asked: tuple[dict, dict], below: int) -> None:  # type: ignore[type-arg]
    plain, merged = plan_of(*asked), plan_of(*asked, merge_below=below)
    assert bins(merged) == folded(bins(plain), below)
    assert np.array_equal(merged.cabling.cables.required_mm, plain.cabling.cables.required_mm)
    assert sum(bins(merged).values()) == sum(bins(plain).values())
    assert len(merged.cabling.cable_parts) == len(bins(merged))
    bought = {(line.key, line.length_mm): line.quantity for line in merged.bom.lines if line.kind in ("cable", "fibre")}
    assert bought == dict(bins(merged))
    assert recheck(merged, catalog) == merged.findings
    assert_parts(merged)
    assert_sound(merged)


def test_the_least_numbers_fold_something(plan_of: PlanOf) -> None:
    assert bins(plan_of(*ASKED)) != bins(plan_of(*ASKED, merge_below=200))


def test_cuts_by_package_add_up_to_the_cut_list(plan_of: PlanOf) -> None:
    """Beside the spares, what the packages take from the store is what the cut list counts, part by part."""
    import io

    import openpyxl

    plan = plan_of(*ASKED, spares={"fibre_percent": 3, "minimum": 1})
    files = render(plan, "crew", "en")
    book = openpyxl.load_workbook(io.BytesIO(files["crew/crew.xlsx"]), data_only=True)
    taken: Counter[tuple[str, float]] = Counter()
    for _, part, length, cables in book["Cuts by package"].iter_rows(min_row=2, values_only=True):
        taken[str(part), float(length)] += int(cables)  # type: ignore[arg-type]
    cuts = cut_list(plan)
    assert taken == Counter({(cut.pn or cut.family, cut.length_mm / 1000): cut.cables for cut in cuts})
    lines = files["crew/cuts.csv"].decode("utf-8-sig").splitlines()
    assert len(lines) == len(cuts) + 1
    assert all(cut.order == cut.cables + -(-cut.cables * 3 // 100) for cut in cuts if cut.cables > 8)
