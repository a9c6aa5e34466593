"""``acceptance/``: what every port must show, per scalable unit, with a sheet to fill and the commands to run.

One CSV and one workbook per fabric and unit (links of its nodes, and the uplinks of its leaves), one for the links
above; ``commands.txt`` for the whole plan. Expected are width, speed and rate of the planned mode, the state, and the
bit error rate: at most 1E-12, which the InfiniBand specification demands; 1E-15 is what NVIDIA tests its cables to
(NVIDIA DGX SuperPOD: Cabling Data Centers, "Mixing Widths and Rates"). The last columns are empty, to be filled.

Commands are of ibdiagnet 2 (user manual 2.19: "Fabric Links Validation", "Bit Error Rate (BER)"), infiniband-diags,
NVUE and mlxlink.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fabricplan.names import unit_name
from fabricplan.plan import Plan
from fabricplan.portwords import rail_texts
from fabricplan.renderers.link_ends import LinkEnd, LinkRow, link_ends
from fabricplan.renderers.plain import Cell, Sheet, plain_book, plain_csv
from fabricplan.sizing import FabricSizing
from fabricplan.topology import CORE, LEAF, LEAF_SPINE, NODE_LEAF, RESERVED, ROLES, SPINE, SPINE_CORE, tier_ports
from fabricplan.topology.naming import name_widths

BER_LIMIT, BER_TESTED = "1E-12", "1E-15"
HEADINGS = (
    "cable", "role", "rail", "A device", "A rack", "A U", "A port", "A number", "A module", "Z device", "Z rack", "Z U",
    "Z port", "Z number", "Z module", "width", "speed", "Gb/s", "state", "BER at most", "BER as tested by maker",
    "width found", "speed found", "state found", "BER found", "symbol errors", "link downs", "checked by", "date",
)  # fmt: skip
FILL = frozenset(range(HEADINGS.index("width found"), len(HEADINGS)))
UPPER = "upper"


class Expected(NamedTuple):
    """What a port shows: ``4x``, ``NDR`` (``400G`` on Ethernet), Gb/s, and Gb/s of one lane."""

    width: str
    speed: str
    gbps: int
    lane_gbps: int


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return the sheets of all units and the commands; the language does not matter."""
    tables: dict[str, list[tuple[Cell, ...]]] = {}
    expected = {(number, role): _expected(plan, sizing, role) for number, sizing in enumerate(plan.fabrics)
                for role in (NODE_LEAF, LEAF_SPINE, SPINE_CORE, RESERVED)}  # fmt: skip
    racks = plan.placement.rack_names()
    places = list(zip((racks[at] for at in plan.placement.places.rack.tolist()),
                      (unit or None for unit in plan.placement.places.u.tolist()), strict=True))  # fmt: skip
    texts, which = rail_texts(plan)
    rails = [texts[at] or None for at in which.tolist()]
    units = _units(plan)
    for number, link in enumerate(link_ends(plan)):
        what = expected[link.fabric, link.role]
        if what is None:
            continue
        name = f"{plan.fabrics[link.fabric].name}-{units[number]}"
        tables.setdefault(name, []).append((
            link.label or None, ROLES[link.role].replace("_", "-"), rails[number],
            *_side(link.lower_device, places[link.lower_row], link.lower),
            *_side(link.upper_device, places[link.upper_row], link.upper),
            what.width, what.speed, what.gbps, _state(plan, link), BER_LIMIT, BER_TESTED,
        ))  # fmt: skip
    commands = _commands(plan)
    files: dict[str, bytes] = {"acceptance/commands.txt": ("\n".join(commands) + "\n").encode()}
    page = Sheet("Commands", ("commands",), [(line,) for line in commands])
    blank: tuple[Cell, ...] = (None,) * len(FILL)
    for name in sorted(tables):
        files[f"acceptance/{name}.csv"] = plain_csv(HEADINGS, (row + blank for row in tables[name]))
        files[f"acceptance/{name}.xlsx"] = plain_book([Sheet("Links", HEADINGS, tables[name], FILL), page])
    return files


def _side(device: str, place: tuple[str, int | None], end: LinkEnd) -> tuple[Cell, ...]:
    number = int(end.text.number) if end.text.number else end.adapter
    return device, *place, end.text.panel or None, number, end.module


def _state(plan: Plan, link: LinkRow) -> str:
    infiniband = plan.fabrics[link.fabric].technology == "infiniband"
    if link.role == RESERVED:
        return "reserved: down until a host is there"
    return "Active / LinkUp" if infiniband else "up"


def _units(plan: Plan) -> list[str]:
    """Return the unit that every link is accepted with: that of its leaf; what has no leaf is ``upper``."""
    links, devices = plan.topology.links, plan.topology.devices
    low = np.isin(links.role, (LEAF_SPINE, SPINE_CORE))
    leaf = np.where(low, links.wide("lower"), links.wide("upper"))
    unit = np.where(devices.tier[leaf] == LEAF, devices.wide("unit")[leaf], 0)
    widths = [name_widths(sizing) for sizing in plan.fabrics]
    return [unit_name(number, widths[fabric]) if number else UPPER
            for number, fabric in zip(unit.tolist(), links.fabric.tolist(), strict=True)]  # fmt: skip


def _expected(plan: Plan, sizing: FabricSizing, role: int) -> Expected | None:
    """Return what the links of a role show; None where the fabric has no such links."""
    tier = {NODE_LEAF: LEAF, RESERVED: LEAF, LEAF_SPINE: SPINE, SPINE_CORE: CORE}[role]
    if tier > sizing.shape.tiers:
        return None
    ports = tier_ports(sizing.shape, tier)
    switch = plan.products.switch(ports.model)
    modes = (group.mode(ports.down_rate) for group in switch.cages)
    mode = next((mode for mode in modes if mode is not None), None)
    lanes, lane = (mode.lanes, mode.lane_gbps) if mode is not None else (0, 0)
    word = ports.down_rate.rstrip("0123456789").upper()
    if sizing.technology != "infiniband":
        word = f"{ports.down_gbps}G"
    return Expected(f"{lanes}x" if lanes else "", word, ports.down_gbps, lane)


def _commands(plan: Plan) -> list[str]:
    lines: list[str] = []
    for number, sizing in enumerate(plan.fabrics):
        lines += [*([""] if lines else []), f"# fabric {sizing.name}"]
        roles = [_expected(plan, sizing, role) for role in (NODE_LEAF, LEAF_SPINE, SPINE_CORE)]
        lines += _fabric_commands(plan, number, [item for item in roles if item is not None])
    return lines


def _fabric_commands(plan: Plan, fabric: int, expected: list[Expected]) -> list[str]:
    sizing = plan.fabrics[fabric]
    if sizing.technology != "infiniband":
        return [
            "# on every switch: state, speed and neighbours",
            "nv show interface status", "nv show interface lldp",
            "# on every port of a host or switch: link, error rate, module",
            "mlxlink -d DEVICE -p PORT -c -m",
        ]  # fmt: skip
    widths, lanes = {item.width for item in expected}, {item.lane_gbps for item in expected}
    speed = f" --ls {lanes.pop()}" if len(lanes) == 1 else ""
    width = f" --lw {widths.pop()}" if len(widths) == 1 else ""
    return [
        "# cabling against the plan", f"ibnetdiscover > {sizing.name}.ibnetdiscover.txt",
        f"fabricplan verify plan.json --found {sizing.name}.ibnetdiscover.txt",
        "# clear the counters, run load for an hour, then look at speed, width and error rates of every port",
        "ibdiagnet --pc", f"ibdiagnet{speed}{width} --get_phy_info -o ibdiagnet-{sizing.name}",
        "ibqueryerrors", "iblinkinfo",
    ]  # fmt: skip
