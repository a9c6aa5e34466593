"""Random rooms joined by panels: whatever goes through them, the printed schedule leads from every port to its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricplan.catalog import Catalog
from fabricplan.pipeline import design
from fabricplan.requirement import parse_requirement
from tests.properties.invariants import assert_sound
from tests.unit.panelled import walk


@settings(max_examples=8, deadline=None)
@given(
    st.integers(16, 60), st.integers(8, 12), st.booleans(), st.sampled_from(["unit", "top-of-rack", "middle-of-row"]),
    st.sampled_from([("ndr", "om4-mpo12-apc-trunk12"), ("edr", "om4-mpo12-upc-trunk12"),
                     ("ndr", "os2-mpo12-apc-trunk12")]), st.sampled_from(["auto", "singlemode", "copper"]),
)  # fmt: skip
def test_every_port_is_led_to_its_own(
    catalog: Catalog, nodes: int, first: int, swapped: bool, leaves: str, kind: tuple[str, str], media: str
) -> None:
    rate, trunk = kind
    ends: list[dict[str, Any]] = [{"rack": "A01", "u": 1}, {"rack": "B01", "u": 1}]
    low, high = reversed(ends) if swapped else ends
    room = {
        "leaves": leaves, "rack_units": 60,
        "rows": [{"name": "A", "racks": first + 1}, {"name": "B", "racks": 30}],
        "racks": [{"row": "B", "position": 2, "kind": "network"}],
        "panels": [{"name": "P", "a": low, "b": high, "trunk": trunk, "panels": 16}],
    }  # fmt: skip
    request: dict[str, Any] = {"groups": [{"nodes": nodes}], "fabrics": [{"rate": rate, "media": media}]}
    plan = design(parse_requirement({**request, "room": room}), catalog)
    assert_sound(plan)
    met = walk(plan)
    assert sum(met.values()) == len(plan.topology.links)
    # the same devices and ports as without panels: what joins them is another thing
    bare = walk(design(parse_requirement(request), catalog))
    assert set(met) == set(bare)
    patches = plan.cabling.patches
    if media == "singlemode" and kind == ("ndr", "om4-mpo12-apc-trunk12"):
        assert patches is None and "panels-direct" in {item.code for item in plan.findings}
        return
    assert patches is not None, "in these rooms something leads from row to row"
    fibre = {line.key: line.quantity for line in plan.bom.lines if line.kind == "fibre"}
    roles = np.bincount(plan.topology.links.role[patches.link])
    assert fibre[trunk] == sum(-(-count // 12) for count in roles.tolist())
