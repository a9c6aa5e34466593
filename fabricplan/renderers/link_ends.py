"""Links of all fabrics with the device, port and part at both ends, as the exports that list cables share them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fabricplan.plan import Plan
from fabricplan.schedule import NodePortFacts, PortText, link_parts, node_port_facts
from fabricplan.topology import SWITCH, group_links


class LinkEnd(NamedTuple):
    """One end: the panel's text, the interface that the operating system shows, adapter, and module.

    Attributes:
        text: what the panel says; empty texts on a reserved port's host.
        interface: the name in the operating system; None where it is not known.
        adapter: the RDMA device of a node's port; None on switches.
        module: part number of the module, or of the cable whose plug is in the cage; None where no part is known.
    """

    text: PortText
    interface: str | None
    adapter: str | None
    module: str | None


class LinkRow(NamedTuple):
    """One link; ``cable`` is the cable's number in the schedule (0: no part is known), ``part`` is its row of the
    plan's cable parts (-1: none), ``ids`` are the ids of its cable, or of cord, trunk and cord where it goes through
    patch panels (then ``cable`` is the cord at its lower end)."""

    fabric: int
    role: int
    lower_row: int
    lower_device: str
    lower: LinkEnd
    upper_row: int
    upper_device: str
    upper: LinkEnd
    cable: int
    tail: int
    part: int
    ids: tuple[str, ...]

    @property
    def label(self) -> str:
        """The id of the cable in the schedule, with the number of the tail of a splitter; of a link through panels
        those of all its pieces from the lower end (``C0497+C0499+C0498``); empty without a part."""
        return "+".join(self.ids) + (f"-{self.tail}" if self.tail else "")


MANAGEMENT_INTERFACES = {"MLNX-OS": "mgmt0", "NVOS": "eth0", "Cumulus Linux": "eth0"}
"""Operating system -> its name of the switch's management port: what the exports' readers find there, no fact of a
product."""


def link_ends(plan: Plan) -> Iterator[LinkRow]:
    """Yield all links in the order of the link table."""
    parts, links, names = link_parts(plan), plan.topology.links, plan.device_names()
    modules = [plan.products.transceiver(key).pn for key in plan.cabling.transceiver_parts]
    cables = [part.pn or None for part in plan.cabling.cable_parts]
    fibre = [part.kind == "fibre" for part in plan.cabling.cable_parts]
    facts = _facts(plan)
    patches = plan.cabling.patches
    further = {} if patches is None else {
        link: (trunk, upper)
        for link, trunk, upper in zip(patches.link.tolist(), patches.trunk.tolist(), patches.upper_cord.tolist(),
                                      strict=True)
    }  # fmt: skip
    numbers, ids = [*plan.cabling.cable_numbers.tolist(), 0], plan.cabling.cable_ids()
    kind, types = plan.topology.devices.kind.tolist(), plan.topology.devices.type.tolist()
    system = [plan.products.switch(item.key).operating_system if item.kind == "switch" else None
              for item in plan.topology.device_types]  # fmt: skip

    def plug(module: int, part: int) -> str | None:
        if module >= 0:
            return modules[module]
        return cables[part] if part >= 0 and not fibre[part] else None

    rows = zip(
        links.rows(), parts.lower_text.tolist(), parts.upper_text.tolist(), parts.cable.tolist(), parts.tail.tolist(),
        parts.part.tolist(), parts.lower_module.tolist(), parts.upper_module.tolist(), strict=True,
    )  # fmt: skip
    for number, (link, lower_text, upper_text, cable, tail, part, lower_module, upper_module) in enumerate(rows):
        fabric, role, lower, _, upper, _ = link
        text, fact = parts.texts[lower_text], facts.get(number)
        if fact is not None:
            interface, adapter = fact.interface, fact.adapter
        elif kind[lower] == SWITCH:
            management = MANAGEMENT_INTERFACES.get(system[types[lower]] or "") if text.cage == "MGMT" else None
            interface, adapter = management or text.panel, None
        else:
            interface, adapter = None, "HCA-1"
        above = parts.texts[upper_text]
        yield LinkRow(
            fabric, role, lower, names[lower], LinkEnd(text, interface, adapter, plug(lower_module, part)),
            upper, names[upper], LinkEnd(above, above.panel, None, plug(upper_module, part)), numbers[cable], tail,
            part, tuple(ids[row] for row in (cable, *further.get(number, ())) if row >= 0),
        )  # fmt: skip


def _facts(plan: Plan) -> dict[int, NodePortFacts]:
    """Return link row -> facts of the node's port."""
    found: dict[int, NodePortFacts] = {}
    links, devices = plan.topology.links, plan.topology.devices
    for number in range(len(plan.fabrics)):
        for group, rows in group_links(plan.requirement, plan.fabrics, devices, links, number):
            if group.kind == "nodes":
                facts = node_port_facts(plan, number, group)
                ports = links.wide("lower_port")[rows]
                found.update(zip(rows.tolist(), (facts[port - 1] for port in ports.tolist()), strict=True))
    return found
