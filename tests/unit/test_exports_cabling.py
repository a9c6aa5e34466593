"""Exports that list cables, interfaces and parts, read back to the links and parts of the plan."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from typing import Any

import openpyxl
import pytest
import yaml

from fabricplan.asbuilt.view import view
from fabricplan.catalog import Catalog
from fabricplan.errors import RenderError
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.renderers import ibsim_net, render
from fabricplan.requirement import parse_requirement
from fabricplan.schedule import cable_rows, node_port_facts
from tests.conftest import PlanOf
from tests.unit.exports import H100, H100_ADAPTERS, joined, planned

ROCE: tuple[dict[str, Any], dict[str, Any]] = ({"nodes": 64, "platform": "dgx-b300"}, {
    "technology": "roce", "rate": 400, "planes": 2})  # fmt: skip


@pytest.fixture(scope="module")
def four_networks(catalog: Catalog) -> Plan:
    """InfiniBand compute, Ethernet storage, in-band and out-of-band networks of 32 DGX H100."""
    return design(parse_requirement({
        "groups": [{"name": "node", "nodes": 32, **H100}],
        "fabrics": [
            {"rate": "ndr"}, {"name": "storage", "network": "storage", "rate": "ndr"},
            {"name": "inband", "network": "inband", "technology": "roce", "rate": 100},
            {"name": "oob", "network": "oob", "technology": "roce", "rate": 1, "leaf": "SN2201"},
        ],
    }), catalog)  # fmt: skip


def rows_of(data: bytes) -> list[dict[str, str]]:
    assert b"\r" not in data and not data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(data.decode())))


def sheet_rows(data: bytes) -> dict[str, list[dict[str, Any]]]:
    """Return sheet -> rows as heading -> cell."""
    found = {}
    for sheet in openpyxl.load_workbook(io.BytesIO(data)):
        head, *body = list(sheet.iter_rows(values_only=True))
        found[sheet.title] = [dict(zip(head, row, strict=True)) for row in body]
    return found


def number_of(port: str, split: bool) -> str:
    """Return the InfiniBand port number of a port as the workbook writes it."""
    steps = [int(step) for step in port.split("/")]
    return str(2 * (steps[0] - 1) + (steps[1] if len(steps) > 1 else 1)) if split else str(steps[0])


@pytest.mark.parametrize(
    ("group", "fabric"),
    [({"nodes": 31, **H100}, {"rate": "ndr"}), ({"nodes": 16}, {"rate": "hdr100"}), ({"nodes": 9}, {"rate": "hdr"})],
    ids=["ndr", "hdr100-split", "hdr"],
)
def test_cvt_reads_back(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    plan = plan_of(group, fabric)
    book = sheet_rows(render(plan, "cvt")["compute-cvt.xlsx"])
    assert list(book) == ["Nodes", "DC Floor Layout", "Links", "Server Profile"]
    names = {row["NodeName"]: row for row in book["Nodes"]}
    assert sorted(names) == sorted(plan.device_names())
    profile = {row["NICOSName"] or row["PhysicalPort"]: row for row in book["Server Profile"]}
    order = [row["NICOSName"] or row["PhysicalPort"] for row in book["Server Profile"]]
    adapters = H100_ADAPTERS if "platform" in group else tuple(f"HCA-{n}" for n in range(1, 9))
    split = fabric["rate"] == "hdr100"
    found = set()
    for row in book["Links"]:
        assert row["Protocol"] == "ib"
        ends = []
        for side in "AZ":
            node, port = row[f"{side}-Node"], row[f"{side}-Port"]
            if names[node]["NodeType"] == "host":
                ends.append((node, adapters[order.index(port)]))
                assert names[node]["ServerProfile"] == profile[port]["ServerProfile"] == "node"
                assert profile[port]["RDMAName"] == (ends[-1][1] if "platform" in group else None)
            else:
                ends.append((node, number_of(port, split and node.startswith("leaf"))))
        found.add(frozenset(ends))
    assert found == planned(plan, adapters) and len(found) == len(book["Links"])


def test_cvt_carries_the_modules_of_the_schedule(four_networks: Plan) -> None:
    files = render(four_networks, "cvt")
    assert sorted(files) == ["compute-cvt.xlsx", "inband-cvt.xlsx", "oob-cvt.xlsx", "storage-cvt.xlsx"]
    schedule = {str(row.id): row for row in cable_rows(four_networks)}
    for name, data in files.items():
        links = sheet_rows(data)["Links"]
        fabric = name.removesuffix("-cvt.xlsx")
        assert {row["Protocol"] for row in links} == {"ib" if fabric in ("compute", "storage") else "ethernet"}
        assert Counter(f"C{row['Source-Ref']:04}" for row in links).keys() == {
            cable for cable, row in schedule.items() if row.fabric == fabric and cable.startswith("C")
        }
        for link in links:
            row = schedule[f"C{link['Source-Ref']:04}"]
            plug = None if row.a_module or row.z_module else row.pn or None
            assert (link["A-Module-PN"], link["Z-Module-PN"]) == (row.a_module or plug, row.z_module or plug)
            assert (link["A-Node"], link["Z-Node"]) == (row.a_device, row.z_device)


def test_cvt_racks_are_those_of_the_plan(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, **H100}, {"rate": "ndr"})
    book = sheet_rows(render(plan, "cvt")["compute-cvt.xlsx"])
    layout = {row["Rack"]: row for row in book["DC Floor Layout"]}
    assert set(layout) == {row["Rack"] for row in book["Nodes"]}
    for row in book["Nodes"]:
        if row["NodeType"] == "host":
            assert layout[row["Rack"]]["RackType"] == "GPURack"
            assert layout[row["Rack"]]["ScalableUnit"] == row["NodeName"].split("-")[1]
    assert {layout[row["Rack"]]["RackType"] for row in book["Nodes"] if row["NodeType"] == "switch"} == {"NetworkRack"}


def test_netbox_files_of_four_networks_fit_together(four_networks: Plan) -> None:
    fits_together(four_networks)


@pytest.mark.parametrize(
    ("group", "fabric"),
    [
        ({"nodes": 64}, {"rate": "ndr200"}), ({"nodes": 16}, {"rate": "xdr", "leaf": "Q3200-RA", "spine": "Q3200-RA"}),
        ({"nodes": 31, **H100}, {"rate": "ndr", "reserve_ports": 4}), ROCE,
    ],
    ids=["splitters", "two-switches-a-box", "reserved", "dual-plane"],
)  # fmt: skip
def test_netbox_files_fit_together(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    fits_together(plan_of(group, fabric))


def fits_together(plan: Plan) -> None:
    """What NetBox's import would refuse: unknown devices, types, racks, interfaces; an interface twice; two cables."""
    files = render(plan, "netbox")
    types = {entry["model"]: entry for entry in yaml.safe_load_all(files["netbox/2-device-types.yaml"])}
    makers = {row["name"] for row in rows_of(files["netbox/1-manufacturers.csv"])}
    roles = {row["name"] for row in rows_of(files["netbox/1-device-roles.csv"])}
    racks = {row["name"] for row in rows_of(files["netbox/3-racks.csv"])}
    devices = {row["name"]: row for row in rows_of(files["netbox/4-devices.csv"])}
    assert list(devices) == plan.device_names()
    taken: set[tuple[str, int]] = set()
    interfaces: set[tuple[str, str]] = set()
    for row in devices.values():
        kind = types[row["device_type"]]
        assert row["manufacturer"] == kind["manufacturer"] and kind["manufacturer"] in makers
        assert row["role"] in roles and row["rack"] in racks
        assert bool(row["position"]) == bool(row["face"])
        if row["position"]:
            units = {(row["rack"], int(row["position"]) + step) for step in range(int(kind["u_height"]))}
            assert units and not units & taken
            taken |= units
        interfaces |= {(row["name"], port["name"]) for port in kind.get("interfaces", ())}
    listed = [(row["device"], row["name"]) for row in rows_of(files["netbox/5-interfaces.csv"])]
    assert len(set(listed)) == len(listed) and not interfaces & set(listed)
    interfaces |= set(listed)
    cables = rows_of(files["netbox/6-cables.csv"])
    ends = [(row[f"side_{side}_device"], row[f"side_{side}_name"]) for row in cables for side in "ab"]
    assert len(set(ends)) == len(ends) and set(ends) <= interfaces
    assert all(row["side_a_type"] == row["side_b_type"] == "dcim.interface" for row in cables)
    assert len(cables) == sum(plan.cabling.links.cable >= 0)
    schedule = {f"{row.id}-{row.tail}" if row.tail else str(row.id): row for row in cable_rows(plan)}
    assert {row["label"] for row in cables} == {name for name in schedule if name.startswith("C")}
    for row in cables:
        planned_row = schedule[row["label"]]
        assert float(row["length"]) * 1000 == planned_row.length_mm
        assert row["description"] == (planned_row.pn or planned_row.family)
        assert {row["side_a_device"], row["side_b_device"]} == {planned_row.a_device, planned_row.z_device}


def test_netbox_names_split_ports_beside_the_cage(plan_of: PlanOf) -> None:
    """A breakout port is no interface of the device type; it comes with the interface file."""
    files = render(plan_of(*ROCE), "netbox")
    names = {row["name"] for row in rows_of(files["netbox/5-interfaces.csv"]) if row["device"].startswith("leaf")}
    assert any(re.fullmatch(r"swp\d+s[01]", name) for name in names)


def test_ptm_reads_back(plan_of: PlanOf) -> None:
    plan = plan_of(*ROCE)
    text = render(plan, "ptm")["ptm/topology.dot"].decode()
    edges = re.findall(r'^  "([^"]+)":"([^"]+)" -- "([^"]+)":"([^"]+)";$', text, re.MULTILINE)
    assert text.startswith("graph ") and text.count("--") == len(edges)
    ends = [(device, port) for edge in edges for device, port in (edge[:2], edge[2:])]
    assert len(set(ends)) == len(ends)
    assert joined({frozenset({edge[:2], edge[2:]}) for edge in edges})
    rows = {(row.a_device, row.z_device, row.z_port) for row in cable_rows(plan)}
    told = {(one, other, port) for one, _, other, port in edges}
    for one, other, ports in rows:
        for port in str(ports).split(" + "):
            assert (one, other, port) in told
            told.discard((one, other, port))
    assert not told


def test_ptm_of_a_mixed_plan_has_only_the_ethernet_links(four_networks: Plan) -> None:
    text = render(four_networks, "ptm")["ptm/topology.dot"].decode()
    ethernet = sum(four_networks.fabrics[number].technology == "roce"
                   for number in four_networks.topology.links.fabric.tolist())  # fmt: skip
    assert text.count(" -- ") == ethernet > 0
    assert '"leaf-su01-r0":"IB' not in text
    assert '"leaf-su01-r0":"mgmt0"' in text


def test_ptm_refuses_infiniband(plan_of: PlanOf) -> None:
    with pytest.raises(RenderError) as caught:
        render(plan_of({"nodes": 8, **H100}, {"rate": "ndr"}), "ptm")
    assert caught.value.problems[0].code == "no-ethernet"


def test_serverprofile_is_the_makers_table(plan_of: PlanOf) -> None:
    """Port 1 is not GPU 1 (field cases B8, B9): NVIDIA's table of the DGX H100."""
    files = render(plan_of({"nodes": 32, **H100}, {"rate": "ndr"}), "serverprofile")
    rows = rows_of(files["serverprofile.csv"])
    cages = [f"OSFP{cage} P{port}" for cage in range(1, 5) for port in (1, 2)]
    assert [(row["panel"], row["adapter"]) for row in rows] == list(zip(cages, H100_ADAPTERS, strict=True))
    gpus = {row["adapter"]: int(row["gpu"]) for row in rows}
    assert sorted(gpus, key=gpus.__getitem__) == [f"mlx5_{number}" for number in (0, 3, 4, 5, 6, 9, 10, 11)]
    assert files["nccl/node.conf"] == b"NCCL_IB_HCA==mlx5_0,mlx5_3,mlx5_4,mlx5_5,mlx5_6,mlx5_9,mlx5_10,mlx5_11\n"


def test_serverprofile_without_names_invents_none(plan_of: PlanOf) -> None:
    files = render(plan_of({"nodes": 32}, {"rate": "ndr"}), "serverprofile")
    assert list(files) == ["serverprofile.csv"]
    rows = rows_of(files["serverprofile.csv"])
    assert {(row["adapter"], row["adapter_source"]) for row in rows} == {("", "not known")}
    assert [row["panel"] for row in rows] == [f"NIC{number}" for number in range(1, 9)]


@pytest.mark.parametrize(
    ("platform", "rate", "ports"),
    [("dgx-a100", "hdr", 4), ("dgx-a100", "hdr", 8), ("dgx-h100", "ndr", 4), ("dgx-h100", "ndr", 8),
     ("dgx-h200", "ndr", 2)],
)  # fmt: skip
def test_every_export_calls_a_port_by_the_same_adapter(plan_of: PlanOf, platform: str, rate: str, ports: int) -> None:
    """Of the maker's table of the platform, by rail: what ibsim writes, verification reads and profiles list."""
    plan = plan_of({"nodes": 18, "platform": platform}, {"rate": rate, "attached": [
        {"group": "node", "ports_per_node": ports}]})  # fmt: skip
    (group,) = plan.fabrics[0].node_groups
    network = plan.products.platform(platform).network("compute")
    assert network is not None
    by_rail = {port.rail: (port.rdma, f"{port.cage} {port.port}".strip()) for port in network.ports}
    wanted = [by_rail[port.rail] for port in group.ports]
    facts = node_port_facts(plan, 0, group)
    assert [(fact.adapter, fact.text.panel) for fact in facts] == wanted
    net = ibsim_net.render(plan, "en")["compute.net"].decode()
    assert sorted(re.findall(r'Hca\t1 "node-su01-001 (\w+)"', net)) == sorted(str(name) for name, _ in wanted)
    seen = view(plan, 0)
    words = seen.adapter_words(seen.nodes[0])
    assert [words[str(name)] for name, _ in wanted] == list(range(1, ports + 1))
