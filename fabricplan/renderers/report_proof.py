"""Two tables of the report: what of a fabric holds in closed form, and the stages of growth."""

from __future__ import annotations

from fabricplan.growth import Growth
from fabricplan.plan import Plan
from fabricplan.renderers.diagram_words import Words
from fabricplan.renderers.report_tables import Grid, Head, bandwidth
from fabricplan.sizing import FabricSizing
from fabricplan.summary import phase_ratio

CUT_CODES = ("cut", "oversubscription-real", "stated-differs")
EVEN_CODES = ("uneven", "uneven-core", "missing-uplink")


def closed_form(plan: Plan, sizing: FabricSizing, words: Words) -> Grid:
    """Return cut, evenness and routing forecast of a fabric: what is claimed, and what the rules found."""
    shape, say = sizing.shape, words.say
    wrong = {item.code for item in plan.findings if item.severity == "error"}
    wrong |= {item.code for item in plan.findings if item.subject == sizing.name}
    alone = shape.tiers == 1 and not shape.direct_pair
    if alone:
        even = say("closed-none")
    elif shape.direct_pair:
        even = say("closed-pair", count=shape.uplinks)
    else:
        even = say("closed-joined", count=shape.links_per_pair)
        if shape.cores_today:
            even += "; " + say("closed-cores", count=shape.links_per_core_pair)
    if sizing.technology != "infiniband":
        engine = say("closed-other")
    elif alone:
        engine = say("closed-one")
    elif "ftree-needs-roots" in wrong or shape.direct_pair:
        engine = say("closed-roots" if not shape.direct_pair else "closed-min-hop")
    else:
        engine = say("closed-ftree") + ("; " + say("closed-drift") if "shift-drift" in wrong else "")
    rows = [
        (say("closed-cut"), say("closed-wrong") if wrong & {*CUT_CODES} else bandwidth(sizing.bisection_gbps)),
        (say("closed-even"), say("closed-wrong") if wrong & {*EVEN_CODES} else even),
        (say("closed-forecast"), engine),
    ]
    return Grid((Head(say("closed-claim")), Head(say("closed-found"))), tuple(rows))


def stage_rows(growth: Growth, words: Words) -> Grid:
    """Return what every phase adds, what stands in the end, and the ratio at which each phase runs."""
    columns = ("leaf", "spine", "core", "boxes", "cables", "transceivers")
    rows, before = [], None
    for number, row in enumerate(growth.phases, 1):
        added = [f"{getattr(row, name) - (getattr(before, name) if before else 0):,}" for name in columns]
        rows.append((words.say("stage", number=number), f"{row.nodes:,}", *added, phase_ratio(row, words.lang)))
        before = row
    last = growth.phases[-1]
    rows.append((words.say("total"), f"{last.nodes:,}", *(f"{getattr(last, name):,}" for name in columns), ""))
    heads = ("nodes-head", "leaf", "spine", "core", "boxes-head", "cables-head", "transceivers-head")
    return Grid(
        (Head(words.say("stage-head"), "s"), *(Head(words.say(head), "n") for head in heads),
         Head(words.say("oversubscription"))),
        tuple(rows), (len(rows) - 1,),
    )  # fmt: skip
