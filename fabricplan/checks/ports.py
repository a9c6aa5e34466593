"""Rules on ports and cages: each port once, each cage one way, each node whole and on its rails."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fabricplan.checks.view import View
from fabricplan.topology import LEAF_SPINE, NODE_LEAF, RESERVED, ROLES, SPINE_CORE, SWITCH, tier_ports
from fabricplan.values import Finding, IntArray, finding


def port_used_twice(view: View) -> Iterator[Finding]:
    """Each port of each device carries at most one link; node ports are counted per fabric."""
    uses = np.bincount(view.lower_slot, minlength=view.slot_count + 1)
    uses += np.bincount(view.upper_slot, minlength=view.slot_count + 1)
    twice = np.flatnonzero(uses[:-1] > 1)
    if twice.size:
        device, port = view.slot_place(int(twice[0]))
        yield finding("error", "port-used-twice", view.name(device), port=port, links=int(uses[twice[0]]),
                      ports=int(twice.size))  # fmt: skip


def port_out_of_range(view: View) -> Iterator[Finding]:
    """Port numbers exist: 1 to cages x numbers per cage of a switch, 1 to the ports that a node brings."""
    lower, upper = view.lower_slot == view.slot_count, view.upper_slot == view.slot_count
    wrong = np.flatnonzero(lower | upper)
    if wrong.size:
        row = int(wrong[0])
        device, port, flat = (
            (view.lower[row], view.lower_port[row], view.lower_flat[row]) if lower[row]
            else (view.upper[row], view.upper_port[row], view.upper_flat[row])
        )  # fmt: skip
        yield finding("error", "port-out-of-range", view.name(int(device)), port=int(port),
                      highest=int(view.ports.ravel()[flat]), links=int(wrong.size))  # fmt: skip


def cage_mixed(view: View) -> Iterator[Finding]:
    """A cage of a switch carries links of one direction (down or up), which is also one rate."""
    down = np.zeros(view.cage_count + 1, bool)
    up = np.zeros(view.cage_count + 1, bool)
    down[view.upper_cage] = True
    up[view.lower_cage[(view.role != NODE_LEAF) & (view.role != RESERVED)]] = True
    mixed = np.flatnonzero((down & up)[:-1])
    if mixed.size:
        device, cage = view.cage_place(int(mixed[0]))
        yield finding("error", "cage-mixed", view.name(device), cage=cage, cages=int(mixed.size))


def cage_overfull(view: View) -> Iterator[Finding]:
    """A cage carries at most the links of the mode it runs in (two NDR links in a twin-port cage)."""
    most = np.full((2, len(view.sizings), len(ROLES)), 255)
    for number, sizing in enumerate(view.sizings):
        shape = sizing.shape
        most[0, number, [NODE_LEAF, RESERVED]] = shape.leaf.down_per_cage
        for role in (LEAF_SPINE, SPINE_CORE)[: shape.tiers - 1]:
            most[0, number, role] = tier_ports(shape, role + 1).down_per_cage
            most[1, number, role] = tier_ports(shape, role).up_per_cage
    for direction, cages in ((0, view.upper_cage), (1, view.lower_cage)):
        links = np.bincount(cages, minlength=view.cage_count + 1)
        if int(links[:-1].max(initial=0)) <= int(most[direction].min()):
            continue
        over = np.flatnonzero((links[cages] > most[direction, view.fabric, view.role]) & (cages < view.cage_count))
        if over.size:
            device, cage = view.cage_place(int(cages[over[0]]))
            yield finding(
                "error", "cage-overfull", view.name(device), cage=cage, links=int(links[cages[over[0]]]),
                most=int(most[direction, view.fabric[over[0]], view.role[over[0]]]),
                cages=int(np.unique(cages[over]).size),
            )  # fmt: skip


def port_limit(view: View) -> Iterator[Finding]:
    """No switch runs more logical ports than its maker allows, however its cages are split."""
    used = np.bincount(view.upper, minlength=len(view.devices)) + np.bincount(view.lower, minlength=len(view.devices))
    for item, entry in enumerate(view.topology.device_types):
        switch = view.switch_of(item)
        if switch is None or switch.max_logical_ports is None:
            continue
        over = np.flatnonzero((view.devices.type == item) & (used > switch.max_logical_ports))
        if over.size:
            first = int(over[0])
            yield finding("error", "port-limit", view.name(first), model=entry.key, ports=int(used[first]),
                          most=switch.max_logical_ports, switches=int(over.size))  # fmt: skip


def node_incomplete(view: View) -> Iterator[Finding]:
    """Every port that a node brings to a fabric has its link."""
    for number, sizing in enumerate(view.sizings):
        has = view.links_up(number, NODE_LEAF)
        missing = np.flatnonzero((view.ports[number] > has) & (view.devices.kind == 0))
        if missing.size:
            first = int(missing[0])
            yield finding("error", "node-incomplete", view.name(first), fabric=sizing.name, links=int(has[first]),
                          ports=int(view.ports[number, first]), nodes=int(missing.size))  # fmt: skip


def rail_split(view: View) -> Iterator[Finding]:
    """Port k of every node of a scalable unit lands on one and the same leaf.

    Judged on the fabric whose units the node table counts (the first that a group attaches to).
    """
    devices = view.devices
    for number, sizing in enumerate(view.sizings):
        if sizing.attach != "rail" or sizing.shape.tiers == 1:
            continue
        rows = view.rows(number, NODE_LEAF)
        rows = rows[devices.fabric[view.lower[rows]] == number]
        ports = int(view.lower_port[rows].max(initial=0)) + 1
        group = devices.wide("group")[view.lower[rows]]
        unit = devices.wide("unit")[view.lower[rows]] + group * (int(devices.unit.max(initial=0)) + 1)
        stray = _strays(unit * ports + view.lower_port[rows], view.upper[rows])
        if stray.size:
            row = int(rows[stray[0]])
            yield finding("error", "rail-split", view.name(int(view.lower[row])), port=int(view.lower_port[row]),
                          leaf=view.name(int(view.upper[row])), links=int(stray.size))  # fmt: skip


def wrong_plane(view: View) -> Iterator[Finding]:
    """Links stay within their fabric, plane and pod, and join neighbouring tiers."""
    devices = view.devices
    between = (view.role != NODE_LEAF) & (view.role != RESERVED)
    tier, plane = devices.wide("tier"), devices.wide("plane")
    fabric, pod = devices.wide("fabric"), devices.wide("pod")
    # switches may be endpoints of another fabric, whatever their tier: management ports, out-of-band uplinks
    paired = np.array([sizing.shape.direct_pair for sizing in view.sizings])[view.fabric] & (view.role == LEAF_SPINE)
    foreign = ~between & (devices.kind[view.lower] == SWITCH)
    apart = tier[view.upper] - tier[view.lower] != np.where(paired, 0, 1)
    ends = np.where(foreign, fabric[view.lower] == view.fabric, apart)
    planes = between & (plane[view.lower] != plane[view.upper])
    fabrics = (fabric[view.upper] != view.fabric) | (between & (fabric[view.lower] != view.fabric))
    pods = between & (view.role != SPINE_CORE) & (pod[view.lower] != pod[view.upper])
    own = np.zeros(view.fabric.size, bool)
    for number, sizing in enumerate(view.sizings):
        if sizing.planes == 1:
            continue
        for group in sizing.node_groups:
            index = [item.name for item in view.requirement.groups].index(group.group)
            meant = np.array([0, *(port.plane for port in group.ports)])
            mine = np.flatnonzero((view.fabric == number) & (view.role == NODE_LEAF)
                                  & (devices.kind[view.lower] != SWITCH)
                                  & (devices.group[view.lower] == index))  # fmt: skip
            port = np.minimum(view.lower_port[mine], meant.size - 1)
            own[mine] = meant[port] != plane[view.upper[mine]]
    stray = np.flatnonzero(ends | planes | fabrics | pods | own)
    if stray.size:
        row = int(stray[0])
        yield finding("error", "stray-link", view.name(int(view.lower[row])), port=int(view.lower_port[row]),
                      far=view.name(int(view.upper[row])), links=int(stray.size))  # fmt: skip


def _strays(key: IntArray, value: IntArray) -> IntArray:
    """Return the rows whose value differs from that of the first row with the same key."""
    if not key.size:
        return key
    first = np.zeros(int(key.max()) + 1, np.int64)
    first[key[::-1]] = value[::-1]
    return np.flatnonzero(first[key] != value)


RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (
    port_used_twice, port_out_of_range, cage_mixed, cage_overfull, port_limit, node_incomplete, rail_split,
    wrong_plane,
)  # fmt: skip
