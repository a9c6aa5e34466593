"""Two rows joined by patch panels: requests, a walk through the printed schedule, plans changed later."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from fabricplan.catalog import Catalog
from fabricplan.files import load_catalog
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.requirement import parse_requirement
from fabricplan.schedule import cable_rows
from fabricplan.values import Finding

U = 44.45


RUN: dict[str, Any] = {"name": "AB", "a": {"rack": "A08", "u": 44}, "b": {"rack": "B06", "u": 40},
                       "trunk": "om4-mpo12-apc-trunk12", "panels": 4}  # fmt: skip


def asked(nodes: int = 62, run: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Two rows: the leaves and nodes of row A, and spines in row B, by network racks in both."""
    fabric = {"rate": "ndr", **more.pop("fabric", {})}
    group = {"platform": "dgx-h100", "nodes": nodes, **more.pop("group", {})}
    room = {
        "tray_height_mm": 3000, "leaves": "unit",
        "rows": [{"name": "A", "racks": 14, "units": 48}, {"name": "B", "racks": 12, "y_mm": 3400, "units": 52}],
        "racks": [{"row": "A", "position": 8, "kind": "network"}, {"row": "B", "position": 6, "kind": "network"}],
        "panels": [{**RUN, **(run or {})}], **more.pop("room", {}),
    }  # fmt: skip
    return {"name": "panelled", "groups": [group], "fabrics": [fabric], "room": room, **more}


def codes(plan: Plan) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = defaultdict(list)
    for item in plan.findings:
        found[item.code].append(item)
    return found


def walk(plan: Plan) -> Counter[tuple[str, ...]]:
    """Follow every plug of the printed schedule through panels and trunks, and return the pairs of device ports met.

    Nothing is read but the rows: ports of devices, panel ports, and ranges of ports at the ends of trunks.
    """
    cords: dict[tuple[str, str], tuple[str, str]] = {}
    trunks: dict[tuple[str, str], tuple[str, str]] = {}
    links: Counter[tuple[str, ...]] = Counter()
    starts = []
    for row in cable_rows(plan):
        ends = (str(row.a_device), str(row.a_port)), (str(row.z_device), str(row.z_port))
        inside = [device.startswith("panel-") for device, _ in ends]
        if all(inside):
            (one, first), (two, second) = ends
            (low, high), (other, last) = ([int(part) for part in span.split("-")] for span in (first, second))
            assert high - low == last - other
            for port in range(high - low + 1):
                a, b = (one, str(low + port)), (two, str(other + port))
                assert a not in trunks and b not in trunks, "a panel port has two trunks"
                trunks[a], trunks[b] = b, a
        elif any(inside):
            device, panel = ends if inside[1] else ends[::-1]
            assert panel not in cords, "a panel port has two cords"
            cords[panel] = device
            starts.append((panel, device))
        else:
            # copper of twin-port cages serves two ports with one plug
            for one_port, two_port in zip(*(port.split(" + ") for _, port in ends), strict=True):
                links[tuple(sorted((f"{ends[0][0]} {one_port}", f"{ends[1][0]} {two_port}")))] += 1
    met: Counter[tuple[str, ...]] = Counter()
    for panel, device in starts:
        met[tuple(sorted((" ".join(device), " ".join(cords[trunks[panel]]))))] += 1
    assert all(count == 2 for count in met.values()), "a path is walked once from each of its ends"
    return links + Counter(dict.fromkeys(met, 1))


def wanted(plan: Plan, catalog: Catalog, request: dict[str, Any]) -> Counter[tuple[str, ...]]:
    """Return the same pairs of the plan without panels."""
    room = {key: value for key, value in request["room"].items() if key != "panels"}
    rest = [{"row": "A", "position": 8, "kind": "network", "reserved": ["44-47"]},
            {"row": "B", "position": 6, "kind": "network", "reserved": ["40-43"]}]  # fmt: skip
    bare = design(parse_requirement({**request, "room": {**room, "racks": rest}}), catalog)
    assert np.array_equal(bare.placement.places.u, plan.placement.places.u), (
        "panels keep their units free, nothing else"
    )
    return walk(bare)


def overlay(folder: Path, **changes: Any) -> Catalog:
    """Return the catalogue with a company's own trunk: a copy of the generic one with some facts changed."""
    (folder / "fibres").mkdir(parents=True)
    facts = {"id": "our-trunk", "title": "our trunk", "mode": "multimode", "grade": "OM4", "connector": "MPO-12/APC",
             "trunk_connectors": 12, "polarity": "Type-B crossover", "polish": "APC", "gender": "male both ends",
             "loss_db_max": 0.35, "confidence": "verified", "status": "active",
             "sources": ["nvidia-cable-faq-connectors"],
             "lengths": [{"length_mm": mm, "pn": f"OURS-{mm // 1000:03}"} for mm in (10_000, 20_000, 40_000)],
             **changes}  # fmt: skip
    lines = [f"{'- ' if not number else '  '}{key}: {value!r}" for number, (key, value) in
             enumerate((key, value) for key, value in facts.items() if value is not None)]  # fmt: skip
    (folder / "fibres" / "ours.yaml").write_text("\n".join(lines) + "\n")
    return load_catalog(folder)


def relaid(plan: Plan, **parts: dict[str, Any]) -> Plan:
    """Return the plan with parts of a family changed after it was made: ``relaid(plan, mfp7e10={"length_mm": 1})``."""
    held = tuple(part.model_copy(update=parts.get(part.family.replace("-", "_"), {})) for part in
                 plan.cabling.cable_parts)  # fmt: skip
    return plan.model_copy(update={"cabling": plan.cabling.model_copy(update={"cable_parts": held})})


def swapped(plan: Plan, column: str, one: int, other: int) -> Plan:
    """Return the plan with two cells of a column of its patched links exchanged."""
    patches = plan.cabling.patches
    assert patches is not None
    cells = patches.wide(column)
    cells[[one, other]] = cells[[other, one]]
    columns = {name: getattr(patches, name) for name in type(patches).columns} | {column: cells}
    return plan.model_copy(update={
        "cabling": plan.cabling.model_copy(update={"patches": type(patches)(**columns)})})  # fmt: skip
