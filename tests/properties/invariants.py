"""What must hold in every plan, told from its tables and its embedded products alone.

Nothing here calls the code that made the plan: ports, evenness, parts and bill are counted a second time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np

from fabricplan.plan import Plan
from fabricplan.requirement import site_racks
from fabricplan.topology import (
    CORE,
    HOST,
    LEAF,
    LEAF_SPINE,
    NODE,
    NODE_LEAF,
    RESERVED,
    SPINE,
    SPINE_CORE,
    SWITCH,
)


def assert_sound(plan: Plan) -> None:
    """Check everything below."""
    assert_names(plan)
    assert_ports(plan)
    assert_counts(plan)
    assert_even(plan)
    assert_attachment(plan)
    assert_reserved(plan)
    assert_parts(plan)
    assert_bill(plan)
    assert_places(plan)


def assert_names(plan: Plan) -> None:
    """Names are unique, and text order is table order within a fabric's tier."""
    names = plan.device_names()
    assert [name for name, times in Counter(names).items() if times > 1] == []
    devices = plan.topology.devices
    for fabric in range(len(plan.fabrics)):
        for tier in (LEAF, SPINE, CORE):
            tiers = [n for n, f, t in zip(names, devices.fabric, devices.tier, strict=True) if (f, t) == (fabric, tier)]
            assert tiers == sorted(tiers)


def assert_ports(plan: Plan) -> None:
    """No port carries two links, every switch port exists in the catalogue, and a cage runs in one mode."""
    devices, links = plan.topology.devices, plan.topology.links
    used: Counter[tuple[int, int, int]] = Counter()
    cages: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for fabric, role, lower, lower_port, upper, upper_port in links.rows():
        for end, device, port in (("low", lower, lower_port), ("up", upper, upper_port)):
            switch = devices.kind[device] == SWITCH
            if switch and devices.fabric[device] != fabric and plan.fabrics[fabric].uplinks_to:
                used[device, -2, port] += 1  # its management port, which is none of the switch's own
                assert (role, port) == (NODE_LEAF, 1)
                continue
            used[device, -1 if switch else fabric, port] += 1
            assert port >= 1
            if switch:
                sizing = plan.fabrics[devices.fabric[device]]
                tier = {1: sizing.shape.leaf, 2: sizing.shape.spine, 3: sizing.shape.core}[int(devices.tier[device])]
                assert tier is not None
                of = plan.fabrics[fabric]
                gbps = of.link_gbps if role in (NODE_LEAF, RESERVED) else of.uplink_gbps
                cage = (port - 1) // tier.numbers_per_cage + 1
                cages[device, cage].append((role if end == "low" else -role, gbps))
    assert [port for port, times in used.items() if times > 1] == []
    for (device, cage), carried in cages.items():
        model = plan.products.switch(plan.topology.device_types[devices.type[device]].key)
        speeds = {gbps for _, gbps in carried}
        assert len(speeds) == 1, f"cage {cage} of device {device} runs at {speeds}"
        rates = {plan.fabrics[devices.fabric[device]].rate, plan.fabrics[devices.fabric[device]].uplink_rate}
        holders = [
            mode.ports
            for group in model.cages
            if group.first <= cage < group.first + group.count
            for mode in group.modes
            if mode.speed_gbps == speeds.copy().pop() and mode.rate in rates
        ]
        assert holders, f"{model.model} has no cage {cage} at {speeds}"
        assert len(carried) <= max(holders), f"{len(carried)} links in cage {cage} of {model.model}"


def assert_counts(plan: Plan) -> None:
    """The totals that sizing states are the totals of the tables."""
    devices, links = plan.topology.devices, plan.topology.links
    for number, sizing in enumerate(plan.fabrics):
        switches = (devices.fabric == number) & (devices.kind == SWITCH)
        for tier, stated in ((LEAF, sizing.leaf_count), (SPINE, sizing.spine_count), (CORE, sizing.core_count)):
            assert int((switches & (devices.tier == tier)).sum()) == stated
        assert np.unique(devices.box[switches]).size == sizing.box_count
        mine = links.fabric == number
        for role, stated in (
            (NODE_LEAF, sizing.node_leaf_links), (LEAF_SPINE, sizing.leaf_spine_links),
            (SPINE_CORE, sizing.spine_core_links), (RESERVED, sizing.reserve_ports),
        ):  # fmt: skip
            assert int((mine & (links.role == role)).sum()) == stated
        assert sizing.endpoints == sizing.node_leaf_links == sum(g.nodes * len(g.ports) for g in sizing.groups)


def assert_even(plan: Plan) -> None:
    """Every leaf reaches every spine of its pod, every spine every core of its group, equally often; the stated
    oversubscription is the worst one that the links show (at the final size)."""
    devices, links = plan.topology.devices, plan.topology.links
    for number, sizing in enumerate(plan.fabrics):
        shape = sizing.shape
        down: Counter[int] = Counter()
        above = LEAF if shape.direct_pair else SPINE
        for role, upper_tier in ((NODE_LEAF, LEAF), (LEAF_SPINE, above), (SPINE_CORE, CORE)):
            rows = np.nonzero((links.fabric == number) & (links.role == role))[0]
            lower, upper = links.wide("lower")[rows], links.wide("upper")[rows]
            assert set(devices.tier[upper].tolist()) <= {upper_tier}
            if role == NODE_LEAF:
                down = Counter(upper.tolist())
                continue
            if shape.direct_pair:
                assert role == SPINE_CORE or len(set(zip(lower.tolist(), upper.tolist(), strict=True))) == 1
                continue
            planes = devices.plane
            assert bool((planes[lower] == planes[upper]).all())
            pairs = Counter(zip(lower.tolist(), upper.tolist(), strict=True))
            each = shape.links_per_pair if role == LEAF_SPINE else shape.links_per_core_pair
            assert set(pairs.values()) <= {each}
            if role == LEAF_SPINE:
                assert bool((devices.pod[lower] == devices.pod[upper]).all())
                fan, total = shape.spines_per_pod, shape.uplinks
            else:
                fan, total = shape.cores_per_group, shape.spine_uplinks
                group = (devices.wide("index")[lower] - 1) // shape.spines_per_group + 1
                assert bool((devices.pod[upper] == group).all())
            fans = Counter(device for device, _ in pairs)
            assert set(fans.values()) <= {fan} and fan * each == total
        if sizing.uplinks_to:
            assert shape.tiers == 1 and not shape.spine_count
        if shape.tiers > 1:
            up = shape.uplinks * sizing.uplink_gbps
            worst = max(Fraction(hosts * sizing.link_gbps, up) for hosts in down.values())
            stated = Fraction(*map(int, sizing.oversubscription.split(":")))
            asked = Fraction(*map(int, plan.requirement.fabrics[number].oversubscription[0].split(":")))
            assert max(worst, Fraction(1)) <= stated <= max(asked, Fraction(1))
            assert shape.spines_per_pod >= plan.requirement.fabrics[number].min_spines


def assert_attachment(plan: Plan) -> None:
    """Rails meet on one leaf per unit, packed nodes have one leaf, spread ports never share one; planes stay
    apart and are equally served."""
    devices, links = plan.topology.devices, plan.topology.links
    for number, sizing in enumerate(plan.fabrics):
        rows = np.nonzero((links.fabric == number) & (links.role == NODE_LEAF))[0]
        leaves: dict[int, list[int]] = defaultdict(list)
        by_rail: dict[tuple[int, int, int], set[int]] = defaultdict(set)
        on_plane: dict[int, Counter[int]] = defaultdict(Counter)
        groups = {group.group: group for group in sizing.groups}
        for row in rows.tolist():
            node, leaf, port = int(links.lower[row]), int(links.upper[row]), int(links.lower_port[row])
            if devices.kind[node] == SWITCH:
                assert sizing.uplinks_to or plan.fabrics[devices.fabric[node]].uplinks_to == sizing.name
                leaves[node].append(leaf)
                on_plane[node][1] += 1
                continue
            assert devices.kind[node] == NODE
            group = groups[plan.requirement.groups[devices.group[node]].name]
            where = group.ports[port - 1]
            assert int(devices.plane[leaf]) == (where.plane if sizing.planes > 1 else 0)
            if sizing.rail_planes:
                order = sorted(range(len(group.ports)), key=lambda at: (group.ports[at].rail, at))
                assert order[where.plane - 1] == port - 1
            leaves[node].append(leaf)
            on_plane[node][where.plane] += 1
            if devices.fabric[node] == number:  # a node's unit is that of the first fabric it attaches to
                by_rail[int(devices.group[node]), int(devices.unit[node]), port].add(leaf)
        assert all(len(set(found.values())) == 1 and len(found) == sizing.planes for found in on_plane.values())
        assert all(len(found) == 1 for found in by_rail.values()), "a rail of a unit is spread over leaves"
        for found in leaves.values():
            if sizing.attach == "packed":
                assert len(set(found)) == sizing.planes
            if sizing.attach == "spread":
                assert len(set(found)) == len(found)


def assert_reserved(plan: Plan) -> None:
    """Reserved ports lie on leaves, on as many different ones as there are (of the first unit, if it grows)."""
    devices, links = plan.topology.devices, plan.topology.links
    for number, sizing in enumerate(plan.fabrics):
        rows = np.nonzero((links.fabric == number) & (links.role == RESERVED))[0]
        if not rows.size:
            continue
        assert set(devices.tier[links.upper[rows]].tolist()) == {LEAF}
        assert set(devices.kind[links.lower[rows]].tolist()) == {HOST}
        assert np.unique(links.lower[rows]).size == sizing.reserve_ports
        free = Counter()
        capacity = sizing.shape.leaf.down_capacity if sizing.shape.tiers > 1 else None
        if capacity is not None:
            hosts = Counter(links.upper[(links.fabric == number) & (links.role == NODE_LEAF)].tolist())
            grows = any(plan.requirement.group(group.group).grow_to for group in sizing.groups)
            free = Counter(
                leaf for leaf, used in hosts.items() if used < capacity and (not grows or devices.unit[leaf] == 1)
            )
            assert np.unique(links.upper[rows]).size >= min(rows.size, len(free), sizing.leaf_count)


def assert_parts(plan: Plan) -> None:
    """Every link has a cable that is long enough and not overfull; every cage of an optical link has one module
    that fits it and feeds all its links; a cage never mixes fixed plugs and modules."""
    devices, links, cabling = plan.topology.devices, plan.topology.links, plan.cabling
    carried: dict[int, list[int]] = defaultdict(list)
    for row, (cable, _) in enumerate(cabling.links.rows()):
        if cable < 0:
            sizing = plan.fabrics[links.fabric[row]]
            assert links.role[row] == RESERVED and not sizing.reserve_adapter and not sizing.uplinks_to
        else:
            carried[cable].append(row)
    for cable, (part, first, required, _) in enumerate(cabling.cables.rows()):
        item = cabling.cable_parts[part]
        assert item.length_mm >= required
        rows = carried.get(cable)
        if rows is None:
            assert first in carried[cabling.links.cable[first]]  # a second fibre of the same link
            continue
        assert first == min(rows)
        entry = plan.products.cable(item.family) if item.kind == "cable" else plan.products.fibre(item.family)
        assert len(rows) <= entry.links
        tails = [int(cabling.links.tail[row]) for row in rows]
        assert len(set(tails)) == len(tails) or set(tails) == {0}
    modules: dict[tuple[int, int, int], int] = {}
    for fabric, device, cage, part in cabling.transceivers.rows():
        key = (device, fabric if devices.kind[device] != SWITCH else -1, cage)
        assert key not in modules, "two modules in one cage"
        modules[key] = part
    cages: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for row, (fabric, _, lower, lower_port, upper, upper_port) in enumerate(links.rows()):
        if cabling.links.cable[row] < 0:
            continue
        sizing = plan.fabrics[fabric]
        for device, port in ((lower, lower_port), (upper, upper_port)):
            if devices.kind[device] == SWITCH:
                if devices.fabric[device] != fabric and sizing.uplinks_to:
                    cages[device, -2, port].append(row)
                    continue
                own = plan.fabrics[devices.fabric[device]].shape
                tier = (None, own.leaf, own.spine, own.core)[devices.tier[device]]
                assert tier is not None
                cages[device, -1, (port - 1) // tier.numbers_per_cage + 1].append(row)
            elif devices.kind[device] == NODE:
                name = plan.requirement.groups[devices.group[device]].name
                per = next(group.ports_per_cage for group in sizing.groups if group.group == name)
                cages[device, fabric, (port - 1) // per + 1].append(row)
            else:
                cages[device, fabric, port].append(row)
    optical = set()
    for key, rows in cages.items():
        kinds = {cabling.cable_parts[cabling.cables.part[cabling.links.cable[row]]].kind for row in rows}
        assert len(kinds) == 1, f"cage {key} mixes fixed plugs and modules"
        cables = {int(cabling.links.cable[row]) for row in rows}
        if kinds == {"fibre"}:
            fibres = {cabling.cable_parts[cabling.cables.part[cabling.links.cable[row]]].family for row in rows}
            modes = {plan.products.fibre(fibre).mode for fibre in fibres}
            assert len(modes) == 1, f"cage {key} mixes {modes}"
            if key in modules:
                optical.add(key)
                module = plan.products.transceiver(cabling.transceiver_parts[modules[key]])
                assert module.mode in (None, *modes)
                cables = {int(cabling.links.cable[row]) for row in rows}
                assert len(cables) <= module.connector_count, f"{len(cables)} fibres in {module.key}"
        else:
            assert key not in modules and len(cables) == 1, f"{len(cables)} plugs in cage {key}"
    assert optical == modules.keys(), "a module sits in a cage without a fibre"


def assert_bill(plan: Plan) -> None:
    """The bill is the count of the tables, line by line; each line is the sum of what it serves."""
    devices, cabling = plan.topology.devices, plan.cabling
    expected: Counter[tuple[str, str, int | None]] = Counter()
    seen = set()
    for kind, _, _, _, _, _, _, _, _, item, box in devices.rows():
        if kind == SWITCH:
            key = plan.topology.device_types[item].key
            if (key, box) not in seen:
                seen.add((key, box))
                expected["switch", key, None] += 1
    for sizing in plan.fabrics:
        for group in sizing.groups:
            if group.adapter and group.adapter_bought:
                expected["adapter", group.adapter, None] += group.nodes * group.adapters_per_node
    for _, _, _, part in cabling.transceivers.rows():
        expected["transceiver", cabling.transceiver_parts[part], None] += 1
    for part, _, _, _ in cabling.cables.rows():
        item = cabling.cable_parts[part]
        expected[item.kind, item.family, item.length_mm] += 1
    found: Counter[tuple[str, str, int | None]] = Counter()
    for line in plan.bom.lines:
        if (line.kind, line.key, line.length_mm) in expected:
            found[line.kind, line.key, line.length_mm] += line.quantity + line.reused
        else:
            assert line.kind in ("software", "service", "accessory"), f"{line.pn} serves nothing"
        assert line.quantity == sum(use.quantity for use in line.uses)
        assert line.quantity + line.reused > 0
    assert found == expected


def assert_places(plan: Plan) -> None:
    """No two boxes stand in the same rack unit; all stand inside their rack."""
    devices, placement = plan.topology.devices, plan.placement
    taken: dict[tuple[int, int], int] = {}
    racks = site_racks(plan.requirement.room)
    seen = set()
    for device, (rack, u, height) in enumerate(placement.places.rows()):
        box = int(devices.box[device])
        if box >= 0 and box in seen:
            continue
        seen.add(box)
        assert 0 <= rack < len(placement.racks)
        assert u >= 1 and u + max(height, 1) - 1 <= (racks[rack].units if racks else plan.requirement.room.rack_units)
        for unit in range(u, u + max(height, 1)):
            assert (rack, unit) not in taken, f"{device} and {taken[rack, unit]} share unit {unit} of rack {rack}"
            taken[rack, unit] = device
