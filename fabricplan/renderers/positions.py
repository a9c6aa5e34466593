"""``positions.xlsx`` and ``positions.csv``: where every device stands, to be changed and given back to ``design``.

Device, row, rack and lowest unit are read back (``readers.positions``); model and height are there for the reader. Of
a fabric that grows the devices of the final stage are listed, for it is placed as a whole.
"""

from __future__ import annotations

from typing import NamedTuple

from fabricplan.catalog import KINDS, Catalog
from fabricplan.placement import Placement, box_facts
from fabricplan.placing import placed_and_laid
from fabricplan.plan import Plan
from fabricplan.recheck import catalog_of
from fabricplan.renderers.csv_text import csv_bytes, quoted
from fabricplan.renderers.plain import Sheet, plain_book
from fabricplan.sizing import size_all
from fabricplan.stages import final_requirement
from fabricplan.topology import Topology, build, device_names
from fabricplan.wording.crews import crew_text

HEADS = ("head_device", "head_row", "head_rack", "head_u", "head_model", "head_height")


class Stage(NamedTuple):
    """Devices by name, the topology and where everything stands."""

    names: list[str]
    topology: Topology
    placement: Placement


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return both files; the same rows in both."""
    stage, today = final_stage(plan), set(plan.device_names())
    racks, row_of = stage.placement.rack_names(), stage.placement.rack_rows()
    facts = box_facts(stage.topology, plan.products)
    grows = len(stage.names) > len(today)
    heads = [crew_text(key, lang) for key in (*HEADS, *(["head_stage"] if grows else []))]
    rows: list[tuple[str | int | None, ...]] = []
    places = zip(stage.names, stage.placement.places.rows(), stage.topology.devices.type.tolist(), strict=True)
    for name, (rack, u, _), kind in places:
        stands = crew_text("stage_today" if name in today else "stage_later", lang)
        rows.append((name, row_of[racks[rack]], racks[rack], u, facts[kind].model or None, facts[kind].height,
                     *([stands] if grows else [])))  # fmt: skip
    columns = [[quoted(row[place]) for row in rows] for place in range(len(heads))]
    book = plain_book([Sheet(crew_text("sheet_positions", lang), heads, rows, frozenset((1, 2, 3)))])
    return {"positions.xlsx": book, "positions.csv": csv_bytes(heads, columns)}


def final_stage(plan: Plan) -> Stage:
    """Return the final stage of a plan, from the products that it holds; of one that does not grow the plan itself."""
    final = final_requirement(plan.requirement)
    if final is None:
        return Stage(plan.device_names(), plan.topology, plan.placement)
    catalog = catalog_of(plan, Catalog({kind: {} for kind in KINDS}, {}))
    sizings = size_all(final, catalog)
    topology = build(final, sizings, catalog)
    placement, _ = placed_and_laid(final, sizings, topology, catalog)
    return Stage(device_names(final, sizings, topology.devices), topology, placement)
