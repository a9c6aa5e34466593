"""ibdmchk over OpenSM's dumps: credit loops, hops of all pairs, destinations per switch port.

Source: ibdmchk(1) of ibutils 1.5.7, which sometimes crashes after its last line: it is judged by what it printed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from fabricplan.witness.run import run


@dataclass(frozen=True)
class Judgement:
    """What ibdmchk printed.

    Attributes:
        credit_loops: credit loops were found, or the check was not reached.
        hops: (hops, pairs of endpoints) by the routing tables.
        loads: (destinations, switch ports).
    """

    credit_loops: bool
    hops: tuple[tuple[int, int], ...]
    loads: tuple[tuple[int, int], ...]


def judge(place: Path, seconds: int) -> Judgement:
    """Judge the dumps that OpenSM left in a folder."""
    printed = run(["ibdmchk", "-s", "opensm-subnet.lst", "-f", "opensm.fdbs", "-m", "opensm.mcfdbs"], place, seconds)
    return Judgement(
        credit_loops="no credit loops found" not in printed, hops=_histogram(printed, "LFT ROUTE HOP HISTOGRAM"),
        loads=_histogram(printed, "SWITCH OUT PORT - NUM DLIDS HISTOGRAM"),
    )  # fmt: skip


def _histogram(printed: str, title: str) -> tuple[tuple[int, int], ...]:
    body = printed.partition(title)[2].partition("\n-----")[0]
    return tuple((int(left), int(right)) for left, right in re.findall(r"^\s+(\d+)\s+(\d+)$", body, re.MULTILINE))
