"""Ports as the design says: slot by slot below, spine by spine above, whole cages first."""

from __future__ import annotations

from collections import Counter

import numpy as np

from fabricplan.catalog import Catalog
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.requirement import parse_requirement
from fabricplan.topology import LEAF_SPINE, NODE_LEAF, RESERVED, SPINE_CORE, cage_of
from tests.conftest import PlanOf
from tests.properties.invariants import assert_sound

H100 = {"platform": "dgx-h100"}


def ends(plan: Plan, role: int) -> dict[tuple[str, int], tuple[str, int]]:
    names = plan.device_names()
    rows = plan.topology.links.rows()
    return {(names[low], port): (names[up], far) for _, which, low, port, up, far in rows if which == role}


def test_a_node_has_one_down_port_number_on_all_rails(plan_of: PlanOf) -> None:
    links = ends(plan_of({"nodes": 128, **H100}, {"rate": "ndr"}), NODE_LEAF)
    for slot in (1, 2, 31, 32):
        found = {links[f"node-su03-{slot:03}", port] for port in range(1, 9)}
        assert found == {(f"leaf-su03-r{rail}", slot) for rail in range(8)}


def test_ports_of_a_dgx_h100_lead_to_their_gpu(plan_of: PlanOf) -> None:
    """Cage order is GPU 7 4, 6 5, 2 1, 3 0: port 1 is not GPU 1."""
    links = ends(plan_of({"nodes": 32, **H100}, {"rate": "ndr"}), NODE_LEAF)
    assert [links["node-su01-005", port][0][-1] for port in range(1, 9)] == list("74652130")


def test_rails_that_share_a_leaf_share_the_cages_of_both_ends(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 16, **H100}, {"rate": "ndr"})
    links = ends(plan, NODE_LEAF)
    for slot in (1, 16):
        for cage in range(1, 5):
            one, other = (links[f"node-su01-{slot:03}", 2 * cage - 1 + half] for half in (0, 1))
            assert one[0] == other[0]
            assert (one[1], other[1]) == (2 * slot - 1, 2 * slot)


def test_uplinks_start_at_half_the_radix_and_follow_the_spines(plan_of: PlanOf) -> None:
    links = ends(plan_of({"nodes": 128, **H100}, {"rate": "ndr"}), LEAF_SPINE)
    for leaf in (0, 1, 9, 31):
        name = f"leaf-su{leaf // 8 + 1:02}-r{leaf % 8}"
        for spine in (0, 7, 15):
            for link in (0, 1):
                assert links[name, 33 + 2 * spine + link] == (f"spine-{spine + 1:02}", leaf * 2 + link + 1)


def test_even_bundles_fill_whole_cages(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 128, **H100}, {"rate": "ndr"})
    links, shape = plan.topology.links, plan.fabrics[0].shape
    assert shape.spine is not None
    rows = links.role == LEAF_SPINE
    low = cage_of(links.wide("lower_port")[rows], shape.leaf)
    high = cage_of(links.wide("upper_port")[rows], shape.spine)
    pairs = Counter(
        zip(links.lower[rows].tolist(), low.tolist(), links.upper[rows].tolist(), high.tolist(), strict=True)
    )
    assert set(pairs.values()) == {2}


def test_three_tiers_core_ports(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 512, **H100}, {"rate": "ndr"})
    shape = plan.fabrics[0].shape
    links = ends(plan, SPINE_CORE)
    per_core, shared = shape.links_per_core_pair, shape.spines_per_group
    for pod in (0, 5):
        for spine in (0, 3):
            group, inside = divmod(spine, shared)
            for uplink in (0, shape.spine_uplinks - 1):
                core, link = divmod(uplink, per_core)
                far = (f"core-g{group + 1:02}-{core + 1:02}", (pod * shared + inside) * per_core + link + 1)
                assert links[f"spine-pod{pod + 1:02}-{spine + 1:02}", 33 + uplink] == far


def test_reserved_ports_are_the_last_down_ports_of_different_leaves(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 127, **H100}, {"rate": "ndr", "reserve_ports": 4})
    reserved = ends(plan, RESERVED)
    assert {far[0] for far in reserved.values()} == {f"leaf-su04-r{rail}" for rail in range(4)}
    assert {far[1] for far in reserved.values()} == {32}


def test_split_host_ports_and_whole_uplinks(plan_of: PlanOf) -> None:
    """HDR100: numbers of the split profile, two a cage; an uplink takes the first of its cage."""
    plan = plan_of({"nodes": 200}, {"rate": "hdr100"})
    links = plan.topology.links
    assert set(links.upper_port[links.role == NODE_LEAF].tolist()) == set(range(1, 41))
    up = np.unique(links.lower_port[links.role == LEAF_SPINE])
    assert up.tolist() == list(range(41, 81, 2))
    assert links.upper_port[links.role == LEAF_SPINE].max() == 40  # spines are not split


def test_two_fibres_of_a_module_go_to_different_planes(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, "platform": "dgx-b300"}, {"rate": 400, "technology": "roce", "planes": 2})
    group = plan.fabrics[0].groups[0]
    assert group.ports_per_cage == 2
    for first, second in zip(group.ports[::2], group.ports[1::2], strict=True):
        assert {first.plane, second.plane} == {1, 2} and first.rail == second.rail


def test_halves_of_a_twin_box_stay_in_one_role(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 72}, {"rate": "xdr", "leaf": "Q3200-RA"})
    devices = plan.topology.devices
    switches = devices.kind == 2
    boxes = Counter(devices.box[switches].tolist())
    assert set(boxes.values()) == {2} and len(boxes) == plan.fabrics[0].box_count == 25
    assert plan.fabrics[0].switch_count == 50
    for box in boxes:
        assert np.unique(devices.tier[devices.box == box]).size == 1


def test_two_fabrics_have_ports_of_their_own(catalog: Catalog) -> None:
    request = {
        "groups": [{"nodes": 32, **H100}],
        "fabrics": [
            {"name": "compute", "rate": "ndr"},
            {"name": "storage", "network": "storage", "rate": "ndr", "attach": "spread"},
        ],
    }
    plan = design(parse_requirement(request), catalog)
    assert_sound(plan)
    assert [sizing.node_leaf_links for sizing in plan.fabrics] == [256, 64]
    names = plan.device_names()
    assert "leaf-su01-r0" in names and "storage-leaf-su01-r0" in names
