"""Phases of one growing fabric: columns, cables moved, and the layout that begins smallest."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest

from fabricplan import growth as growth_module
from fabricplan.catalog import Catalog
from fabricplan.errors import RequirementError
from fabricplan.growth import Growth, grow, phase_requirements
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.renderers import render
from fabricplan.requirement import Requirement, parse_requirement
from fabricplan.summary import list_phases, phase_ratio
from fabricplan.topology import LEAF, NODE_LEAF, SPINE, SWITCH
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


def injected(plan: Plan) -> tuple[str, str]:
    """Return the ratios of leaf and spine tier as maximum flows: what the fullest leaf, or pod, offers against what
    can leave it at once."""
    devices, links, sizing = plan.topology.devices, plan.topology.links, plan.fabrics[0]
    graph: nx.DiGraph[int | str] = nx.DiGraph()
    for _, role, lower, _, upper, _ in links.rows():
        if role == NODE_LEAF:
            graph.add_edge(lower, upper, capacity=graph.get_edge_data(lower, upper, {"capacity": 0})["capacity"]
                           + sizing.link_gbps)  # fmt: skip
        else:
            known = graph.get_edge_data(lower, upper, {"capacity": 0})["capacity"]
            graph.add_edge(lower, upper, capacity=known + sizing.uplink_gbps)
    worst = [Fraction(1), Fraction(1)]
    for tier, key in ((LEAF, devices.index), (SPINE, devices.pod)):
        switches = np.nonzero((devices.kind == SWITCH) & (devices.tier == tier))[0]
        tops: list[int] = np.nonzero((devices.kind == SWITCH) & (devices.tier == tier + 1))[0].tolist()
        for value in np.unique(key[switches]).tolist() if tops else []:
            inside = {row for row in switches.tolist() if key[row] == value}
            if tier == SPINE:
                inside |= {low for low, high in graph.edges if high in inside and devices.kind[low] == SWITCH}
            leaves = [row for row in inside if devices.tier[row] == LEAF]
            part = graph.subgraph(
                {*inside, *tops, *(low for leaf in leaves for low in graph.predecessors(leaf))}
            ).copy()
            offered = 0
            for leaf in leaves:
                hosts = sum(data["capacity"] for _, _, data in part.in_edges(leaf, data=True))
                # what a pod offers its spines is what its leaves can send up
                climb = sum(data["capacity"] for _, _, data in part.out_edges(leaf, data=True))
                offered += hosts if tier == LEAF else min(hosts, climb)
                part.add_edge("source", leaf, capacity=hosts)
            for top in tops:
                part.add_edge(top, "sink", capacity=1 << 40)
            carried = int(nx.maximum_flow_value(part, "source", "sink"))
            worst[tier - LEAF] = max(worst[tier - LEAF], Fraction(offered, carried))
    leaf, spine = (f"{ratio.numerator}:{ratio.denominator}" for ratio in worst)
    return leaf, spine


@pytest.mark.parametrize(
    ("phases", "fabric", "told"),
    [
        ((40, 128), {}, [("1:1", "1:1"), ("1:1", "1:1")]),
        # half a unit stands: its uplinks are those of the final stage
        ((10, 30, 128), {"oversubscription": ["3:1"]}, [("1:1", "1:1"), ("15:8", "1:1"), ("43:16", "1:1")]),
        # one pod and no core; then pods whose leaves are not all there
        ((20, 70, 320), {"oversubscription": ["1:1", "2:1"]}, None),
        ((16, 40, 400), {"oversubscription": ["2:1", "3:1"]}, None),
    ],
)
def test_every_phase_tells_the_ratio_at_which_it_runs(
    catalog: Catalog, phases: tuple[int, ...], fabric: dict[str, Any], told: list[tuple[str, str]] | None
) -> None:
    requirement = phased(*phases, **fabric)
    growth = grown(requirement, catalog)
    shown = [(row.ratios[0].leaf, row.ratios[0].spine) for row in growth.phases]
    plans = [design(step, catalog) for step in phase_requirements(requirement)]
    assert shown == [injected(plan) for plan in plans]
    assert told is None or shown == told
    assert shown[-1] == (plans[-1].fabrics[0].oversubscription, plans[-1].fabrics[0].oversubscription_spine)
    text = " ".join(list_phases(growth))
    assert f"phase by phase: {' / '.join(map(phase_ratio, growth.phases))}" in text
    report = render(plans[0], "html", growth=growth)["report.html"].decode()
    assert "Stages of growth" in report and all(phase_ratio(row) in report for row in growth.phases)


def test_every_fabric_tells_its_ratio(catalog: Catalog) -> None:
    requirement = parse_requirement(
        {
            "groups": [{"phases": [30, 96], "platform": "dgx-h100"}],
            "fabrics": [
                {"rate": "ndr"},
                {"name": "storage", "network": "storage", "rate": "ndr", "oversubscription": ["2:1"]},
            ],
        }
    )
    growth = grown(requirement, catalog)
    assert [[item.fabric for item in row.ratios] for row in growth.phases] == [["compute", "storage"]] * 2
    assert phase_ratio(growth.phases[-1]).startswith("compute 1:1, storage ")


def test_a_plan_that_is_there_is_not_designed_again(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    requirement = phased(40, 128)
    plan, plain = design(requirement, catalog), grown(requirement, catalog)
    asked = []
    monkeypatch.setattr(growth_module, "design", lambda step, known: asked.append(step) or design(step, known))
    assert grow(requirement, catalog, plan) == plain
    assert [step.groups[0].nodes for step in asked] == [128]


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


def test_the_short_unit_stands_first_where_managers_need_its_room(catalog: Catalog) -> None:
    """127 nodes and four manager ports are 32+16, and no more where 40 of them come first; nothing moves later."""
    growth = grown(phased(40, 127, reserve_ports=4), catalog)
    assert [(row.leaf, row.spine) for row in growth.phases] == [(16, 16), (32, 16)] and growth.cables_moved == 0
    plans = [design(parse_requirement({"groups": [{"nodes": nodes, "grow_to": 127}],
                                       "fabrics": [{"rate": "ndr", "reserve_ports": 4}]}), catalog)
             for nodes in (31, 40, 127)]  # fmt: skip
    assert_grows(plans)
