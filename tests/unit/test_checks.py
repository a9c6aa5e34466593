"""Every rule on the tables of a plan has a plan that trips it: an honest one, or one that was tampered with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fabricplan.catalog import Catalog, SwitchType
from fabricplan.checks import check
from fabricplan.plan import Plan
from fabricplan.topology import LEAF, LEAF_SPINE, NODE_LEAF, RESERVED, SPINE, SPINE_CORE
from fabricplan.values import Finding, Table
from fabricplan.wording import hint, text

PlanOf = Callable[..., Plan]


def edit(table: Table, **columns: Any) -> Any:
    """Return a table with some columns replaced."""
    return type(table)(**{name: columns.get(name, getattr(table, name)) for name in table.columns})


def put(table: Table, column: str, row: int, value: int) -> Any:
    """Return a table with one cell changed."""
    values = table.wide(column)
    values[row] = value
    return edit(table, **{column: values})


def checked(plan: Plan, catalog: Catalog, **changes: Any) -> tuple[Finding, ...]:
    """Check a plan with some of its parts replaced."""
    parts = {name: changes.get(name, getattr(plan, name)) for name in ("topology", "placement", "cabling", "bom")}
    fabrics = changes.get("fabrics", plan.fabrics)
    return check(plan.requirement, fabrics, catalog=catalog, **parts)


def relinked(plan: Plan, **columns: Any) -> Any:
    """Return the plan's topology with columns of its links replaced."""
    return plan.topology.model_copy(update={"links": edit(plan.topology.links, **columns)})


def redeviced(plan: Plan, **columns: Any) -> Any:
    """Return the plan's topology with columns of its devices replaced."""
    return plan.topology.model_copy(update={"devices": edit(plan.topology.devices, **columns)})


def only(findings: tuple[Finding, ...], code: str, severity: str = "error") -> Finding:
    """Return the one finding of a code, and see to its severity and to its words in both languages."""
    found = [item for item in findings if item.code == code]
    assert len(found) == 1, [item.code for item in findings]
    assert found[0].severity == severity
    for lang in ("en", "zh"):
        assert not text(found[0], lang).startswith(f"{code}:") and "{" not in text(found[0], lang)
        assert hint(found[0], lang)
    return found[0]


@pytest.fixture(scope="module")
def two(plan_of: PlanOf) -> Plan:
    """Two tiers with one rail a leaf: 8 leaves, 4 spines."""
    plan = plan_of({"nodes": 32}, {"rate": "ndr"})
    return plan


@pytest.fixture(scope="module")
def three(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 288, "platform": "dgx-h100"}, {"rate": "ndr"})


CLEAN: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"gpus": 1024}, {"rate": "ndr"}),
    ({"nodes": 127, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 4}),
    ({"gpus": 1024}, {"rate": "xdr"}),
    ({"nodes": 20, "ports": 1}, {"rate": "hdr"}),
    ({"nodes": 72, "ports": 1}, {"rate": "edr"}),
    ({"nodes": 512, "platform": "dgx-h100"}, {"rate": "ndr"}),
    ({"nodes": 512, "platform": "dgx-h100"}, {"rate": "ndr", "planes": "rail"}),
    ({"nodes": 128}, {"rate": "ndr200"}),
    ({"nodes": 128}, {"rate": "hdr100"}),
    ({"nodes": 60, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 4, "reserve_adapter": "MCX75310AAS-NEAT"}),
    ({"nodes": 64}, {"rate": "400gbe", "technology": "roce"}),
    ({"nodes": 64, "platform": "dgx-b300"}, {"rate": "400gbe", "technology": "roce", "planes": 2}),
    ({"nodes": 100, "platform": "dgx-h100"}, {"rate": "ndr", "oversubscription": ["2:1"]}),
    ({"nodes": 101}, {"rate": "ndr", "oversubscription": ["3:1"], "attach": "packed"}),
    ({"nodes": 64, "platform": "dgx-h100"}, {"rate": "ndr", "media": "copper"}),
    ({"nodes": 96, "platform": "dgx-h100", "grow_to": 512}, {"rate": "ndr"}),
]  # fmt: skip


@pytest.mark.parametrize(("group", "fabric"), CLEAN)
def test_standard_designs_have_no_error(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    assert [item for item in plan_of(group, fabric).findings if item.severity == "error"] == []


def test_findings_stand_errors_first_and_the_same_each_time(plan_of: PlanOf) -> None:
    first = plan_of({"nodes": 72, "ports": 1}, {"rate": "edr", "management": "external"})
    again = plan_of({"nodes": 72, "ports": 1}, {"rate": "edr", "management": "external"})
    order = ["error", "warning", "info"]
    ranks = [order.index(item.severity) for item in first.findings]
    assert ranks == sorted(ranks) and set(ranks) == {0, 1, 2}
    assert first.findings == again.findings


# --- ports and cages


def rows(plan: Plan, role: int) -> np.ndarray[Any, Any]:
    return np.flatnonzero(plan.topology.links.role == role)


def test_port_used_twice(two: Plan, catalog: Catalog) -> None:
    one, other = rows(two, NODE_LEAF)[:2]
    port, upper = two.topology.links.wide("upper_port"), two.topology.links.wide("upper")
    port[other], upper[other] = port[one], upper[one]
    found = only(checked(two, catalog, topology=relinked(two, upper_port=port, upper=upper)), "port-used-twice")
    assert found.subject == "leaf-su01-r0" and "port 1 carries 2 links" in text(found)


def test_node_port_used_twice_on_one_fabric(two: Plan, catalog: Catalog) -> None:
    topology = two.topology.model_copy(
        update={"links": put(two.topology.links, "lower_port", int(rows(two, NODE_LEAF)[1]), 1)}
    )
    findings = checked(two, catalog, topology=topology)
    assert only(findings, "port-used-twice").subject == "node-su01-001"
    assert "node-su01-001: port 1" in text(only(findings, "rail-split"))


def test_port_out_of_range(two: Plan, catalog: Catalog) -> None:
    topology = two.topology.model_copy(
        update={"links": put(two.topology.links, "upper_port", int(rows(two, NODE_LEAF)[3]), 65)}
    )
    found = only(checked(two, catalog, topology=topology), "port-out-of-range")
    assert "uses port 65, the device has ports 1 to 64" in text(found)


def test_cage_carries_one_direction(two: Plan, catalog: Catalog) -> None:
    first = int(rows(two, LEAF_SPINE)[0])
    topology = two.topology.model_copy(update={"links": put(two.topology.links, "lower_port", first, 1)})
    found = only(checked(two, catalog, topology=topology), "cage-mixed")
    assert "cage 1 carries links down and links up" in text(found)


def test_cage_carries_no_more_than_its_mode(plan_of: PlanOf, catalog: Catalog) -> None:
    plan = plan_of({"nodes": 40}, {"rate": "ndr200"})
    up = rows(plan, LEAF_SPINE)
    port = plan.topology.links.wide("lower_port")
    # numbers run in fours; the first two uplinks use 1 and 3 of their cage, a third one squeezes in at 2
    port[up[2]] = port[up[0]] + 1
    found = only(checked(plan, catalog, topology=relinked(plan, lower_port=port)), "cage-overfull")
    assert "carries 3 links, its mode has 2" in text(found)


def test_node_without_one_of_its_links(two: Plan, catalog: Catalog) -> None:
    links = two.topology.links
    kept = np.setdiff1d(np.arange(len(links)), rows(two, NODE_LEAF)[5:6])
    topology = two.topology.model_copy(update={"links": links.take(kept)})
    cabling = two.cabling.model_copy(update={"links": two.cabling.links.take(kept)})
    findings = checked(two, catalog, topology=topology, cabling=cabling)
    assert "7 of the 8 ports of the node are linked to fabric compute; 1 node" in text(
        only(findings, "node-incomplete")
    )
    assert "sizing states 256 of node_leaf, the tables hold 255" in text(only(findings, "counts-differ"))
    assert only(findings, "module-without-link").subject == "node-su01-001"


def test_rail_lands_on_one_leaf(two: Plan, catalog: Catalog) -> None:
    links = two.topology.links
    upper, port = links.wide("upper"), links.wide("upper_port")
    # node 2 swaps its first two ports
    here, back = rows(two, NODE_LEAF)[[8, 9]], rows(two, NODE_LEAF)[[9, 8]]
    upper[here], port[here] = upper[back], port[back]
    found = only(checked(two, catalog, topology=relinked(two, upper=upper, upper_port=port)), "rail-split")
    assert "node-su01-002: port 1 goes to leaf-su01-r1" in text(found) and "2 links" in text(found)


def test_link_into_another_plane(plan_of: PlanOf, catalog: Catalog) -> None:
    plan = plan_of({"nodes": 32}, {"rate": "ndr", "planes": 2})
    devices = plan.topology.devices
    link = int(rows(plan, LEAF_SPINE)[0])
    far = int(np.flatnonzero((devices.tier == SPINE) & (devices.plane == 2))[0])
    topology = plan.topology.model_copy(update={"links": put(plan.topology.links, "upper", link, far)})
    found = only(checked(plan, catalog, topology=topology), "stray-link")
    assert "is linked to spine-p2-01" in text(found)


def test_node_port_into_the_wrong_plane(plan_of: PlanOf, catalog: Catalog) -> None:
    plan = plan_of({"nodes": 32}, {"rate": "ndr", "planes": 2})
    devices = plan.topology.devices
    far = int(np.flatnonzero((devices.tier == LEAF) & (devices.plane == 2))[0])
    topology = plan.topology.model_copy(
        update={"links": put(plan.topology.links, "upper", int(rows(plan, NODE_LEAF)[0]), far)}
    )
    found = only(checked(plan, catalog, topology=topology), "stray-link")
    assert found.subject == "node-su01-001" and "leaf-p2" in text(found)


# --- bandwidth


def test_reserved_port_that_found_no_leaf(plan_of: PlanOf, catalog: Catalog) -> None:
    plan = plan_of({"nodes": 30}, {"rate": "ndr", "reserve_ports": 4})
    links = plan.topology.links
    kept = np.setdiff1d(np.arange(len(links)), rows(plan, RESERVED)[-1:])
    topology = plan.topology.model_copy(update={"links": links.take(kept)})
    cabling = plan.cabling.model_copy(update={"links": plan.cabling.links.take(kept)})
    found = only(checked(plan, catalog, topology=topology, cabling=cabling), "reserved-ports-lost")
    assert "4 reserved ports are asked, the 8 leaves of today have room for 3" in text(found)


def test_every_pair_of_leaf_and_spine_is_joined_alike(two: Plan, catalog: Catalog) -> None:
    devices = two.topology.devices
    spines = np.flatnonzero(devices.tier == SPINE)
    link = int(rows(two, LEAF_SPINE)[0])
    topology = two.topology.model_copy(update={"links": put(two.topology.links, "upper", link, int(spines[1]))})
    found = only(checked(two, catalog, topology=topology), "uneven")
    assert found.subject == "leaf-su01-r0"
    assert "7 links to spine 1 of its pod where 8 are planned; pairs have 7 to 9 links, 1 leaf is" in text(found)


def test_every_pair_of_spine_and_core_is_joined_alike(three: Plan, catalog: Catalog) -> None:
    devices = three.topology.devices
    link = int(rows(three, SPINE_CORE)[0])
    wrong = int(np.flatnonzero((devices.tier == 3) & (devices.pod != devices.pod[three.topology.links.upper[link]]))[0])
    topology = three.topology.model_copy(update={"links": put(three.topology.links, "upper", link, wrong)})
    found = only(checked(three, catalog, topology=topology), "uneven-core")
    assert found.subject.startswith("spine-pod01-01") and "to core 1 of its group" in text(found)


def test_missing_uplink_is_told_with_ratio_and_cut(two: Plan, catalog: Catalog) -> None:
    links = two.topology.links
    gone = rows(two, LEAF_SPINE)[:2]
    kept = np.setdiff1d(np.arange(len(links)), gone)
    topology = two.topology.model_copy(update={"links": links.take(kept)})
    cabling = two.cabling.model_copy(update={"links": two.cabling.links.take(kept)})
    findings = checked(two, catalog, topology=topology, cabling=cabling)
    assert "30 uplinks where 32 are planned; 1 switch" in text(only(findings, "missing-uplink"))
    assert "12,800 Gb/s down over 12,000 Gb/s up is worse than the 1:1" in text(only(findings, "oversubscription-real"))
    assert "the links carry 50,800 Gb/s across the half cut, 51,200 Gb/s are stated" in text(only(findings, "cut"))


def test_claim_of_a_better_ratio_is_refused(plan_of: PlanOf, catalog: Catalog) -> None:
    plan = plan_of({"nodes": 100, "platform": "dgx-h100"}, {"rate": "ndr", "oversubscription": ["2:1"]})
    assert plan.fabrics[0].oversubscription != "1:1"
    claim = plan.fabrics[0].model_copy(update={"oversubscription": "1:1", "bisection_gbps": 160_000})
    findings = checked(plan, catalog, fabrics=(claim,))
    assert "worse than the 1:1 that is claimed" in text(only(findings, "oversubscription-real"))
    assert "160,000 Gb/s are stated" in text(only(findings, "cut"))


def test_unequal_pods_need_roots(three: Plan, catalog: Catalog) -> None:
    devices = three.topology.devices
    pod = devices.wide("pod")
    pod[np.flatnonzero(devices.tier == LEAF)[0]] = 2
    found = only(checked(three, catalog, topology=redeviced(three, pod=pod)), "ftree-needs-roots", "warning")
    assert "OpenSM's ftree routing refuses unequal pods" in text(found)


def test_lone_spine(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 72, "ports": 1}, {"rate": "edr", "min_spines": 1, "oversubscription": ["4:1"]})
    assert "one spine joins 3 leaves" in text(only(plan.findings, "lone-spine", "warning"))


# --- management


def test_every_plane_has_a_manager(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 60, "platform": "dgx-h100"},
                   {"rate": "ndr", "planes": 2, "management": "external", "reserve_ports": 1})  # fmt: skip
    assert "1 of 2 planes have neither" in text(only(plan.findings, "plane-without-manager"))
    served = plan_of({"nodes": 60, "platform": "dgx-h100"}, {"rate": "ndr", "planes": 2, "management": "mixed:2"})
    assert "plane-without-manager" not in {item.code for item in served.findings}


def test_a_fabric_without_any_manager_is_told_once(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, "platform": "dgx-h100"}, {"rate": "ndr", "management": "external"})
    assert [item.code for item in plan.findings if item.severity == "error"] == ["no-subnet-manager"]


def test_addresses_are_recounted(two: Plan, catalog: Catalog) -> None:
    model = catalog.switch("QM9700").model_copy(update={"lid_nodes": 5000})
    found = only(checked(two, swapped(catalog, "switches", "QM9700", model)), "address-space")
    # 12 switches of 5,000 nodes and one SHARP node each
    assert "60,268 addresses are needed in one plane (256 endpoints and ports, 60,012 of switches)" in text(found)
    assert "has 49,151" in text(found)


def test_split_profile(plan_of: PlanOf) -> None:
    for rate, model in (("hdr100", "QM8700"), ("ndr200", "QM9700")):
        plan = plan_of({"nodes": 128}, {"rate": rate})
        found = only(plan.findings, "split-ready", "warning")
        assert f"{plan.fabrics[0].leaf_count} {model} must run the split profile for {rate}" in text(found)


def test_sharp_needs_a_host(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 100, "platform": "dgx-h100"}, {"rate": "ndr"})
    assert "SHARPv3 needs an aggregation manager" in text(only(plan.findings, "sharp-needs-host", "info"))
    kept = plan_of({"nodes": 100, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 2})
    assert "sharp-needs-host" not in {item.code for item in kept.findings}


def swapped(catalog: Catalog, kind: str, key: str, entry: Any) -> Catalog:
    """Return a catalogue in which one entry is another."""

    class Changed(Catalog):
        def get(self, wanted: str, name: str, as_type: Any) -> Any:
            return entry if (wanted, name) == (kind, key) else catalog.get(wanted, name, as_type)

    return Changed(
        {name: {row: catalog._entries[name][row] for row in catalog.keys(name)} for name in catalog._entries}
    )


# --- room


def test_the_manager_inside_the_switches_takes_no_port(plan_of: PlanOf) -> None:
    """64 nodes x 8 fill a two-tier NDR fabric: QM9700 is documented to about 2,048 nodes without a port of its own."""
    full = plan_of({"nodes": 64}, {"rate": "ndr"})
    note = only(full.findings, "embedded-manager", "info")
    assert text(note).startswith(
        "compute: the subnet manager inside QM9700 takes no port; it is documented to about 2,048"
    )
    for asked in ({"nodes": 63}, {"nodes": 512}):
        assert "embedded-manager" not in {item.code for item in plan_of(asked, {"rate": "ndr"}).findings}
    outside = plan_of({"nodes": 64}, {"rate": "ndr", "management": "external"})
    assert "embedded-manager" not in {item.code for item in outside.findings}


def test_power_is_summed_with_unknowns_named(plan_of: PlanOf, two: Plan) -> None:
    assert "at most 20.6 kW" in text(only(two.findings, "power", "info"))  # 12 x 1,720 W
    plan = plan_of({"nodes": 20, "ports": 1}, {"rate": "hdr"})
    told = text(only(plan.findings, "no-power-known", "info"))
    assert "is not known: QM8700 x 1" in told and " 0 W" not in told


def test_switches_without_supplies(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, "platform": "dgx-h100"}, {"rate": "ndr", "leaf": "QM9701"})
    found = only(plan.findings, "no-psu", "warning")
    assert "24 boxes have no power supplies of their own; they need rack busbar" in text(found)


def test_liquid_cooling_needs_a_loop(two: Plan, catalog: Catalog) -> None:
    model = catalog.switch("QM9700").model_copy(update={"cooling": "hybrid"})
    found = only(checked(two, swapped(catalog, "switches", "QM9700", model)), "coolant-loop", "warning")
    assert "12 boxes are liquid-cooled" in text(found)


def test_mixed_airflow_in_a_rack(two: Plan, catalog: Catalog) -> None:
    def reversed_model(model: str) -> SwitchType:
        switch = catalog.switch(model)
        return switch.model_copy(update={
            "model": "QM9790",
            "variants": tuple(form.model_copy(update={"airflow": "C2P"}) for form in switch.variants),
        })  # fmt: skip

    changed = swapped(catalog, "switches", "QM9790", reversed_model("QM9790"))
    kinds = two.topology.device_types
    devices = two.topology.devices
    column = devices.wide("type")
    column[np.flatnonzero(devices.tier == SPINE)] = len(kinds)
    topology = redeviced(two, type=column).model_copy(update={
        "device_types": (*kinds, kinds[int(devices.type[-1])].model_copy(update={"key": "QM9790"}))})  # fmt: skip
    form = two.fabrics[0].variants[0].model_copy(update={"model": "QM9790", "pn": "MQM9790-NS2F"})
    fabric = two.fabrics[0].model_copy(update={"variants": (*two.fabrics[0].variants, form)})
    found = only(checked(two, changed, topology=topology, fabrics=(fabric,)), "airflow-mixed")
    assert "8 switches blow from the power side to the ports (P2C) and 4 the other way" in text(found)


def test_airflow_taken_unasked(two: Plan, plan_of: PlanOf) -> None:
    assert "P2C (MQM9700-NS2F) was taken" in text(only(two.findings, "airflow-assumed", "info"))
    asked = plan_of({"nodes": 32}, {"rate": "ndr", "airflow": "P2C"})
    assert "airflow-assumed" not in {item.code for item in asked.findings}


def test_devices_overlap_or_outgrow_the_rack(two: Plan, catalog: Catalog) -> None:
    places, switches = two.placement.places, np.flatnonzero(two.topology.devices.kind == 2)
    same = put(places, "u", int(switches[1]), int(places.u[switches[0]]))
    findings = checked(two, catalog, placement=two.placement.model_copy(update={"places": same}))
    assert "leaf-su01-r0 and leaf-su01-r1 both stand at unit" in text(only(findings, "rack-overlap"))
    high = put(places, "u", int(switches[0]), 43)
    findings = checked(two, catalog, placement=two.placement.model_copy(update={"places": high}))
    assert "leaf-su01-r0 reaches unit 43, the rack has 42" in text(only(findings, "rack-too-low"))


def test_unknown_heights_are_named(two: Plan) -> None:
    found = only(two.findings, "height-unknown", "info")
    assert found.subject == "generic-8gpu-ndr" and "32 devices" in text(found)


def test_twin_boxes(plan_of: PlanOf, catalog: Catalog) -> None:
    twin = {"rate": "xdr", "leaf": "Q3200-RA", "spine": "Q3200-RA"}
    plan = plan_of({"nodes": 60}, twin)
    assert "24 boxes hold two independent switches each, 47 in all; 1 half" in text(
        only(plan.findings, "twin-box", "info")
    )
    assert "spines-in-one-box" not in {item.code for item in plan.findings}
    small = plan_of({"nodes": 72, "ports": 1}, twin)
    assert "all 2 spines of its plane or pod stand in one box" in text(
        only(small.findings, "spines-in-one-box", "warning")
    )
    devices = small.topology.devices
    box = devices.wide("box")
    box[np.flatnonzero(devices.tier == SPINE)[0]] = box[np.flatnonzero(devices.tier == LEAF)[0]]
    found = only(checked(small, catalog, topology=redeviced(small, box=box)), "twin-box-shared")
    assert "leaf-su01 and spine-01 stand in one box" in text(found)


@pytest.mark.parametrize(
    ("group", "fabric"),
    [({"nodes": 32}, {"rate": 400}), ({"nodes": 100}, {"rate": 400}), ({"nodes": 64}, {"rate": 200}),
     ({"nodes": 32, "platform": "dgx-b300"}, {"rate": 400, "planes": 2})],
)  # fmt: skip
@pytest.mark.parametrize("length", [None, 20_000])
def test_links_of_two_fibres_are_sound(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], length: int | None
) -> None:
    """800G between Ethernet switches takes two fibres: both are as long as the route, and no rule cries error."""
    room = {"room": {"uniform_length_mm": length}} if length else {}
    plan = plan_of(group, {**fabric, "technology": "roce", "uplink_rate": 800}, **room)
    trunks = sum(sizing.leaf_spine_links for sizing in plan.fabrics)
    role = plan.topology.links.wide("role")[plan.cabling.cables.wide("link")]
    assert trunks and (role == LEAF_SPINE).sum() == 2 * trunks
    assert not [item for item in plan.findings if item.severity == "error"]


def test_the_second_fibre_of_a_link_states_its_length_too(plan_of: PlanOf, catalog: Catalog) -> None:
    plan = plan_of({"nodes": 32}, {"rate": 400, "technology": "roce", "uplink_rate": 800})
    cables = plan.cabling.cables
    second = int(np.flatnonzero(~np.isin(np.arange(len(cables)), plan.cabling.links.wide("cable")))[0])
    longer = put(cables, "required_mm", second, int(cables.required_mm[second]) + 500)
    changed = plan.cabling.model_copy(update={"cables": longer})
    found = only(checked(plan, catalog, cabling=changed), "length-differs")
    assert found.param("row") == second and found.param("cables") == 1
