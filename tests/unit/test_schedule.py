"""The cable schedule against counts made another way, and against what the makers' panels say."""

from __future__ import annotations

import io
from collections import Counter

import openpyxl
import pytest

from fabricplan.catalog import Catalog
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.renderers import render
from fabricplan.requirement import parse_requirement
from fabricplan.schedule import (
    CableRow,
    bundle_rows,
    cable_rows,
    cable_table,
    device_rows,
    node_ports,
    port_table,
    rack_rows,
)
from fabricplan.schedule.free import free_rows
from fabricplan.topology import SWITCH
from tests.conftest import PlanOf

SHAPES = {
    "dgx-h100": {"groups": [{"nodes": 20, "platform": "dgx-h100"}], "fabrics": [{"rate": "ndr", "reserve_ports": 2}]},
    "four-networks": {
        "groups": [{"nodes": 20, "platform": "dgx-h100"}],
        "fabrics": [
            {"rate": "ndr"},
            {"name": "storage", "network": "storage", "rate": "ndr"},
            {"name": "oob", "network": "oob", "technology": "ethernet", "rate": 1},
            {"name": "inband", "network": "inband", "technology": "ethernet", "rate": 100},
        ],
    },
    "two-switches-a-box": {
        "groups": [{"gpus": 256}],
        "fabrics": [{"rate": "xdr", "leaf": "Q3200-RA", "spine": "Q3200-RA"}],
    },
    "one-switch": {"groups": [{"nodes": 20}], "fabrics": [{"rate": "hdr"}]},
    "copper-splitters": {"groups": [{"nodes": 72}], "fabrics": [{"rate": "hdr100"}]},
    "fibre-splitters": {"groups": [{"nodes": 20}], "fabrics": [{"rate": "ndr200"}]},
    "twin-copper": {
        "groups": [{"nodes": 16, "platform": "dgx-h100"}],
        "fabrics": [{"rate": "ndr", "media": "copper"}],
        "room": {"uniform_length_mm": 2000},
    },
    "two-planes": {
        "groups": [{"nodes": 8, "platform": "dgx-b300"}],
        "fabrics": [{"rate": 400, "technology": "roce", "planes": 2}],
    },
    "trays": {"groups": [{"nodes": 36, "platform": "dgx-gb200-nvl72"}], "fabrics": [{"rate": "ndr"}]},
}  # fmt: skip


@pytest.fixture(scope="module", params=SHAPES, ids=str)
def shape(request: pytest.FixtureRequest, catalog: Catalog) -> Plan:
    return design(parse_requirement(SHAPES[request.param]), catalog)


def test_every_link_is_in_exactly_one_row(shape: Plan) -> None:
    table = cable_table(shape)
    cable = shape.cabling.links.cable.tolist()
    by_cable = Counter(cable)
    carried = 0
    for link, count, tail in zip(table.link.tolist(), table.link_count.tolist(), table.tail.cells(), strict=True):
        if count:
            assert count == (1 if tail or cable[link] < 0 else by_cable[cable[link]])
        carried += count
    assert carried == len(shape.topology.links)
    splitters = {cable[link] for link, tail in zip(table.link.tolist(), table.tail.cells(), strict=True) if tail}
    tails = sum(by_cable[item] for item in splitters)
    reserved = sum(item < 0 for item in cable)
    assert len(table) == len(shape.cabling.cables) - len(splitters) + tails + reserved


def test_ends_of_every_row_are_the_ends_of_its_link(shape: Plan) -> None:
    names, links = shape.device_names(), list(shape.topology.links.rows())
    table = cable_table(shape)
    for row, link in zip(cable_rows(shape), table.link.tolist(), strict=True):
        fabric, _, lower, _, upper, number = links[link]
        assert (row.a_device, row.z_device) == (names[lower], names[upper])
        sizing = shape.fabrics[fabric]
        told = str(row.z_number).split(" + ")[0] if sizing.technology == "infiniband" else row.z_number
        assert told == (str(number) if sizing.technology == "infiniband" else None)


def test_no_port_and_no_label_line_serves_two_links(shape: Plan) -> None:
    table = cable_table(shape)
    ports: Counter[tuple[object, object]] = Counter()
    lines: Counter[object] = Counter()
    for row, count in zip(cable_rows(shape), table.link_count.tolist(), strict=True):
        if count:
            ends = [(row.a_device, row.a_port), (row.z_device, row.z_port)]
            ports.update((device, part) for device, port in ends if port for part in str(port).split(" + "))
            lines.update((row.label_a, row.label_z))
    assert max(ports.values()) == 1
    assert max(lines.values()) == 1
    bare = Counter(role for role in shape.topology.links.role.tolist())[3]
    assert sum(ports.values()) == 2 * len(shape.topology.links) - bare


def test_label_lines_fit_a_wrap_label(shape: Plan) -> None:
    for row in cable_rows(shape):
        for line, rack, unit in ((row.label_a, row.a_rack, row.a_u), (row.label_z, row.z_rack, row.z_u)):
            assert len(str(line)) <= 24
            assert str(line).startswith(f"{rack}-U{unit:02}")


def test_modules_of_the_rows_are_those_of_the_bill(shape: Plan) -> None:
    seen: dict[tuple[object, object, object], object] = {}
    for row in cable_rows(shape):
        for device, cage, module in (
            (row.a_device, row.a_cage, row.a_module),
            (row.z_device, row.z_cage, row.z_module),
        ):
            if module is not None:
                assert seen.setdefault((row.fabric, device, cage), module) == module
    billed = Counter({line.pn: line.quantity for line in shape.bom.lines if line.kind == "transceiver"})
    assert Counter(seen.values()) == billed


def test_cables_of_the_rows_are_those_of_the_bill(shape: Plan) -> None:
    rows = [row for row in cable_rows(shape) if row.pn is not None]
    counted = Counter({row.id: (row.family, row.pn, row.length_mm) for row in rows}.values())
    lines = [line for line in shape.bom.lines if line.kind in ("cable", "fibre")]
    billed = {(line.key, line.pn, line.length_mm): line.quantity for line in lines}
    assert counted == billed


def rows_of(plan: Plan, role: str) -> list[CableRow]:
    return [row for row in cable_rows(plan) if row.role == role]


def test_dgx_h100_map(plan_of: PlanOf) -> None:
    """The maker's user guide: GPU of every OSFP port; the leaf of that rail is at the other end."""
    plan = plan_of({"nodes": 64, "platform": "dgx-h100"}, {"rate": "ndr"})
    first = [row for row in rows_of(plan, "node_leaf") if row.a_device == "node-su01-001"]
    assert {row.a_port: row.rail for row in first} == {
        "OSFP1 P1": "7", "OSFP1 P2": "4", "OSFP2 P1": "6", "OSFP2 P2": "5",
        "OSFP3 P1": "2", "OSFP3 P2": "1", "OSFP4 P1": "3", "OSFP4 P2": "0",
    }  # fmt: skip
    assert all(row.z_device == f"leaf-su01-r{row.rail}" for row in first)
    assert {row.a_cage for row in first} == {"OSFP1", "OSFP2", "OSFP3", "OSFP4"}


def test_rails_that_share_a_leaf(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 16, "platform": "dgx-h100"}, {"rate": "ndr"})
    assert {row.rail for row in rows_of(plan, "leaf_spine")} == {"0 + 3", "1 + 2", "4 + 7", "5 + 6"}


def test_ndr_port_numbers_and_panel(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 8, "platform": "dgx-h100"}, {"rate": "ndr"})
    ports = {int(str(row.z_number)): row.z_port for row in rows_of(plan, "node_leaf")}
    assert sorted(ports) == list(range(1, 65))
    assert [ports[number] for number in (1, 2, 3, 64)] == ["IB1/1/1", "IB1/1/2", "IB1/2/1", "IB1/32/2"]


def test_splitter_has_one_row_per_tail(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 72}, {"rate": "hdr100"})
    by_id: dict[object, list[CableRow]] = {}
    for row in rows_of(plan, "node_leaf"):
        by_id.setdefault(row.id, []).append(row)
    assert len(by_id) == 288
    for rows in by_id.values():
        assert [row.tail for row in rows] == [1, 2]
        assert len({(row.z_device, row.z_cage) for row in rows}) == 1
        assert len({row.a_device for row in rows}) == 2
        assert [str(row.z_port).split("/")[2] for row in rows] == ["1", "2"]
    assert {row.tail for row in rows_of(plan, "leaf_spine")} == {None}


def test_twin_copper_is_one_row_that_names_both_ports(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 16, "platform": "dgx-h100"}, {"rate": "ndr", "media": "copper"},
                   room={"uniform_length_mm": 2000})  # fmt: skip
    row = next(row for row in rows_of(plan, "node_leaf") if row.a_device == "node-su01-001" and row.a_cage == "OSFP4")
    assert (row.a_port, row.z_port, row.z_number) == ("OSFP4 P1 + OSFP4 P2", "IB1/1/1 + IB1/1/2", "1 + 2")
    assert (row.rail, row.source, row.a_module) == ("3 + 0", "uniform", None)
    assert str(row.label_a).endswith("OSFP4P1+2")
    assert str(row.label_z).endswith("P01/1+2")


def test_reserved_port_without_host_has_a_row_without_part(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 20, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 2})
    rows = list(cable_rows(plan))
    reserved = rows[-2:]
    assert [row.id for row in reserved] == ["R01", "R02"]
    assert all(row.pn is None and row.length_mm is None and row.bundle is None for row in reserved)
    assert [row.role for row in rows].count("reserved") == 2


def test_ids_keep_one_width_and_one_order(plan_of: PlanOf) -> None:
    plan = plan_of({"gpus": 128}, {"rate": "ndr"})
    ids = [str(row.id) for row in cable_rows(plan)]
    assert ids == [f"C{number:04}" for number in range(1, 257)]


def test_cards_of_two_networks_are_numbered_on(catalog: Catalog) -> None:
    plan = design(parse_requirement({
        "groups": [{"nodes": 8, "nic": "MCX75310AAS-NEAT"}],
        "fabrics": [{"rate": "ndr", "attached": [{"group": "node", "ports_per_node": 2}]},
                    {"name": "storage", "network": "storage", "rate": "ndr",
                     "attached": [{"group": "node", "ports_per_node": 2}]}],
    }), catalog)  # fmt: skip
    found = [[port.panel for port in node_ports(plan, number, plan.fabrics[number].groups[0])] for number in (0, 1)]
    assert found == [["NIC1", "NIC2"], ["NIC3", "NIC4"]]


def test_port_view_mirrors_the_schedule(shape: Plan) -> None:
    table = cable_table(shape)
    ports = port_table(table)
    near = list(zip(ports.near.device.cells(), ports.near.port.cells(), ports.id.cells(), strict=True))
    far = list(zip(ports.far.device.cells(), ports.far.port.cells(), ports.id.cells(), strict=True))
    assert len(near) == 2 * len(table)
    assert Counter(near) == Counter(far)
    order = {name: at for at, name in enumerate(shape.device_names())}
    places = [order[str(device)] for device, _, _ in near]
    assert places == sorted(places)


def test_devices_and_racks_agree(shape: Plan) -> None:
    devices = device_rows(shape)
    assert [device.name for device in devices] == shape.device_names()
    racks = rack_rows(shape, devices)
    assert sum(rack.device_count for rack in racks) == len(devices)
    known = sum(device.power_max_w for device in devices if device.power_max_w is not None)
    assert sum(rack.power_max_w or 0 for rack in racks) == pytest.approx(known)
    assert max(rack.used_u or 0 for rack in racks) <= shape.requirement.room.rack_units


def test_box_of_two_switches_counts_once(catalog: Catalog) -> None:
    plan = design(parse_requirement(SHAPES["two-switches-a-box"]), catalog)
    switches = [device for device in device_rows(plan) if device.box is not None]
    boxes = {device.box for device in switches}
    assert len(switches) == 2 * len(boxes)
    assert sum(device.height or 0 for device in switches) == 2 * len(boxes)


def test_bundles_hold_every_cable(shape: Plan) -> None:
    bundles = bundle_rows(shape)
    assert sum(bundle.cable_count for bundle in bundles) == len(shape.cabling.cables)
    assert [bundle.bundle for bundle in bundles] == list(range(1, len(bundles) + 1))
    rows = [row for row in cable_rows(shape) if row.bundle is not None]
    for bundle in bundles[:5]:
        mine = [row for row in rows if row.bundle == bundle.bundle]
        assert {frozenset((row.a_rack, row.z_rack)) for row in mine} == {frozenset((bundle.rack_a, bundle.rack_z))}
        assert min(int(row.length_mm or 0) for row in mine) == bundle.shortest_mm


def test_a_rack_of_unknown_devices_has_no_sum(plan_of: PlanOf) -> None:
    """Nothing is zero because it is not known: not in the rows, and not in the workbook's cells."""
    plan = plan_of({"gpus": 64}, {"rate": "400", "technology": "roce"})
    racks = rack_rows(plan, device_rows(plan))
    assert [(rack.used_u, rack.power_max_w, rack.power_unknown_count) for rack in racks] == [
        (None, None, 4), (2, None, 1), (None, None, 4)
    ]  # fmt: skip
    for lang, unknown in (("en", "unknown"), ("zh", "未知")):
        [data] = render(plan, "xlsx", lang).values()
        sheet = openpyxl.load_workbook(io.BytesIO(data)).worksheets[5]
        powers = {row[7].value for row in list(sheet.rows)[1:]}
        assert powers == {unknown}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_port_view_tells_what_is_free(plan_of: PlanOf, lang: str) -> None:
    """Used and free cages and ports together are all that a switch has."""
    plan = plan_of({"nodes": 20, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 2})
    free = {row.device: row for row in free_rows(plan)}
    links, names = plan.topology.links, plan.device_names()
    for row, name in enumerate(names):
        if int(plan.topology.devices.kind[row]) != SWITCH:
            continue
        used = int((links.upper == row).sum() + (links.lower == row).sum())
        left = 2 * free[name].cages + free[name].ports if name in free else 0
        assert used + left == 64
    [data] = render(plan, "xlsx", lang).values()
    book = openpyxl.load_workbook(io.BytesIO(data))
    rows = {row[0]: row for row in book.worksheets[4].iter_rows(values_only=True) if row[13] in ("free", "空闲")}
    assert set(rows) == set(free)
    assert all(str(row[3]).startswith("IB1/") for row in rows.values())
    assert any(" - " in str(row[3]) for row in rows.values())
    overview = book.worksheets[0]
    numbers = [cell for row in overview.iter_rows(min_col=2, max_col=2) for cell in row
               if isinstance(cell.value, (int, float))]  # fmt: skip
    assert numbers and {cell.alignment.horizontal for cell in numbers} <= {None, "general", "right"}
    assert "P08/1" in " ".join(str(cell.value) for row in overview.iter_rows() for cell in row)
