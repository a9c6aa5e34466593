"""Large fabrics: CPU time of survey and verification, far below what a wait would be noticed at."""

from __future__ import annotations

import random
import time

from fabricplan.asbuilt.survey import survey
from fabricplan.asbuilt.verify import verify
from fabricplan.plan import dumps, loads
from fabricplan.readers.discovery import read_found
from tests.conftest import PlanOf
from tests.miscabling import dump, model, swap


def test_a_dump_of_fifty_thousand_lines_with_thirty_exchanges(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 512, "platform": "dgx-h100"}, {"rate": "ndr"})
    built = model(plan)
    for seed in range(30):
        swap(built, random.Random(seed))
    data, text = dumps(plan), dump(built).encode()
    assert text.count(b"\n") > 50_000
    begun = time.process_time()
    found = read_found(text, "found.txt")
    assert survey(found).fabrics[0].switches == 320
    surveyed = time.process_time()
    assert surveyed - begun < 2
    checked = verify(loads(data), "0" * 64, found)
    # 4,096 GPUs are to take less than 3 s, reading the dump included
    assert time.process_time() - begun < 3
    assert [order.kind for order in checked.orders] == ["swap"] * 30
