"""Phases of one growing fabric: columns, cables moved, and the layout that begins smallest."""

from __future__ import annotations

from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import RequirementError
from fabricplan.growth import Growth, grow, phase_requirements
from fabricplan.pipeline import design
from fabricplan.requirement import Requirement, parse_requirement
from tests.properties.test_growth import assert_grows


def phased(*phases: int, **fabric: Any) -> Requirement:
    return parse_requirement({"groups": [{"phases": list(phases)}], "fabrics": [{"rate": "ndr", **fabric}]})


def grown(requirement: Requirement, catalog: Catalog) -> Growth:
    found = grow(requirement, catalog)
    assert found is not None
    return found


def test_columns_of_40_then_128_nodes(catalog: Catalog) -> None:
    growth = grown(phased(40, 128), catalog)
    assert [(row.nodes, row.leaf, row.spine, row.core) for row in growth.phases] == [(40, 16, 16, 0), (128, 32, 16, 0)]
    switches = next(line for line in growth.lines if line.kind == "switch")
    assert (switches.bought, switches.total) == ((32, 16), 48)
    assert all(sum(line.bought) == line.total for line in growth.lines)
    assert growth.cables_moved == 0


def test_not_planning_ahead_replugs_the_trunks(catalog: Catalog) -> None:
    alone = grown(phased(40, 128), catalog).unplanned
    assert alone.boxes == 21  # 16 leaves of 20 nodes, 5 spines
    assert 0 < alone.links_moved <= alone.trunk_links == 320


def test_known_phases_begin_without_cores(catalog: Catalog) -> None:
    growth = grown(phased(40, 1024), catalog)
    first, last = growth.phases
    assert (first.leaf, first.spine, first.core) == (16, 16, 0)
    unknown = parse_requirement({"groups": [{"nodes": 40, "grow_to": 1024}], "fabrics": [{"rate": "ndr"}]})
    plan = design(unknown, catalog)
    note = next(note for note in plan.findings if note.code == "phases-begin-smaller")
    assert (note.param("switches"), note.param("phases")) == (32, "40,1024")
    assert note.param("now") == plan.fabrics[0].switch_count > 32
    assert last.boxes == 640  # and the final stage is as small as ever


def test_every_phase_takes_more_of_the_same_whole(catalog: Catalog) -> None:
    assert_grows([design(step, catalog) for step in phase_requirements(phased(40, 100, 300))])


@pytest.mark.parametrize(
    ("group", "says"),
    [
        ({"phases": [128, 40]}, "phases 128, 40 do not rise"),
        ({"phases": [40, 40]}, "phases 40, 40 do not rise"),
        ({"phases": [40, 128], "nodes": 50}, "nodes 50 is none of the phases 40, 128"),
        ({"phases": [40, 128], "grow_to": 256}, "grow_to 256 is not the last of the phases 40, 128"),
        ({"phases": [0, 128]}, "must be at least 1"),
        ({"nodes": 50, "grow_to": 40}, "grow_to 40 is below today's 50 nodes"),
    ],
)
def test_bad_phases(group: dict[str, Any], says: str) -> None:
    with pytest.raises(RequirementError, match=says):
        parse_requirement({"groups": [group], "fabrics": [{"rate": "ndr"}]})
