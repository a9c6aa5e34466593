"""What the tests of the crew pack share."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from fabricplan.crew.labels import Label, labels_of
from fabricplan.crew.packages import Package, packages_of
from fabricplan.crew.pieces import pieces_of
from fabricplan.crew.trays import cable_kinds, diameter_mm
from fabricplan.plan import Plan
from fabricplan.schedule import cable_table
from tests.unit.exports import H100

SHAPES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"nodes": 31, **H100}, {"rate": "ndr", "reserve_ports": 4}),
    ({"nodes": 128}, {"rate": "hdr100"}),
    ({"nodes": 64}, {"rate": "ndr200"}),
    ({"nodes": 128}, {"rate": "xdr"}),
]
IDS = ["ndr-reserved", "hdr100-split", "ndr200-split", "xdr"]
shapes = pytest.mark.parametrize(("group", "fabric"), SHAPES, ids=IDS)


def work_of(plan: Plan) -> list[Package]:
    return packages_of(pieces_of(plan, cable_table(plan)))


def labels_in(plan: Plan) -> list[Label]:
    return labels_of(work_of(plan), [diameter_mm(kind) for kind in cable_kinds(plan)])


def rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
