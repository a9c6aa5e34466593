"""``<fabric>-cvt.xlsx``: point-to-point workbook for NVIDIA's Cable Validation Tool, in the layout with four sheets.

For the Cable Validation Tool (CVT) 1.7 and later, by its page "P2P File": sheets ``Nodes``, ``DC Floor Layout``,
``Links`` and ``Server Profile``; column names are read without regard to case or order. One workbook a fabric.

* ``Links``: part numbers of the modules at both ends (of the cable where plugs belong to it); ``Source-Ref`` is the
  number of the cable in the cable schedule. Connector columns are of shuffle cables, which no plan has.
* Switch ports are as the tool's examples write them: the InfiniBand port number (HDR split ports ``4/2``), ``sw1p1``
  on XDR, ``swp1s0`` on Ethernet. A host's port is its network interface, or the panel's word where the catalogue
  does not know the interface; ``Server Profile`` maps both to adapter and PCI address.
* What a plan cannot know is empty: addresses, credentials, data hall.
"""

from __future__ import annotations

from fabricplan.names import unit_name
from fabricplan.plan import Plan
from fabricplan.renderers.link_ends import LinkEnd, LinkRow, link_ends
from fabricplan.renderers.plain import Cell, Sheet, plain_book
from fabricplan.schedule import device_rows, node_port_facts
from fabricplan.topology import NODE, SWITCH
from fabricplan.topology.naming import name_widths

NODES = (
    "FabricId", "Rack", "Unit", "TrayIndex", "NodeName", "NodeType", "NodeOs", "NodeModel", "ServerProfile", "Managed",
    "CredentialProfile", "IP",
)  # fmt: skip
LAYOUT = ("FabricId", "DataHall", "ScalableUnit", "Rack", "RackType", "RackGroup")
LINKS = (
    "Protocol", "A-Node", "A-Port", "A-Module-PN", "A-Connector", "A-MPO-Connector", "Z-Node", "Z-Port", "Z-Module-PN",
    "Z-Connector", "Z-MPO-Connector", "Shuffle-ID", "Source-Ref",
)  # fmt: skip
PROFILE = ("ServerProfile", "PhysicalPort", "RDMAName", "CustomNICName", "NICOSName", "PCIAddress")
SYSTEMS = {"NVOS": "nvos", "MLNX-OS": "mlnx-os", "Cumulus Linux": "cumulus"}


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return one workbook per fabric; the language does not matter."""
    links: list[list[LinkRow]] = [[] for _ in plan.fabrics]
    for link in link_ends(plan):
        if link.cable:
            links[link.fabric].append(link)
    return {f"{sizing.name}-cvt.xlsx": _book(plan, number, links[number]) for number, sizing in enumerate(plan.fabrics)}


def _book(plan: Plan, fabric: int, links: list[LinkRow]) -> bytes:
    sizing = plan.fabrics[fabric]
    rows = list(dict.fromkeys(row for link in links for row in (link.lower_row, link.upper_row)))
    numbering = {item.key: plan.products.switch(item.key).port_numbering
                 for item in plan.topology.device_types if item.kind == "switch"}  # fmt: skip
    keys = [numbering.get(plan.topology.device_types[number].key) for number in plan.topology.devices.type.tolist()]
    kinds = plan.topology.devices.kind.tolist()
    protocol = "ib" if sizing.technology == "infiniband" else "ethernet"

    def port(end: LinkEnd, row: int) -> str:
        return _switch_port(end, keys[row]) if kinds[row] == SWITCH else end.interface or end.text.panel or "1"

    table = [(
        protocol, link.lower_device, port(link.lower, link.lower_row), link.lower.module, None, None,
        link.upper_device, port(link.upper, link.upper_row), link.upper.module, None, None, None, link.cable,
    ) for link in links]  # fmt: skip
    nodes, layout = _places(plan, sizing.name, sorted(rows))
    return plain_book([
        Sheet("Nodes", NODES, nodes), Sheet("DC Floor Layout", LAYOUT, layout), Sheet("Links", LINKS, table),
        Sheet("Server Profile", PROFILE, _profiles(plan, fabric)),
    ])  # fmt: skip


def _switch_port(end: LinkEnd, numbering: str | None) -> str:
    """Return a switch port as the tool's examples write it."""
    if numbering == "hdr":
        return end.text.panel.removeprefix("IB1/")
    if numbering in ("edr", "ndr"):
        return end.text.number or end.interface or ""
    return end.interface or end.text.panel


def _places(plan: Plan, fabric: str, rows: list[int]) -> tuple[list[tuple[Cell, ...]], list[tuple[Cell, ...]]]:
    """Return the rows of the nodes and of the racks that they stand in."""
    listed, kinds = device_rows(plan), plan.topology.devices.kind.tolist()
    groups = [group.name for group in plan.requirement.groups]
    group_of, fabrics = plan.topology.devices.group.tolist(), plan.topology.devices.fabric.tolist()
    widths = [name_widths(sizing) for sizing in plan.fabrics]
    systems = {switch.model: SYSTEMS.get(switch.operating_system or "") for switch in plan.products.switches}
    row_of = plan.placement.rack_rows()
    nodes: list[tuple[Cell, ...]] = []
    racks: dict[str, tuple[Cell, ...]] = {}
    for row in rows:
        device, kind = listed[row], kinds[row]
        switch = kind == SWITCH
        profile = groups[group_of[row]] if kind == NODE else None
        nodes.append((
            fabric, device.rack, device.u, None, device.name, "switch" if switch else "host",
            systems.get(device.model) if switch else "linux", device.model, profile,
            "no" if not switch or device.managed is False else "yes", None, None,
        ))  # fmt: skip
        if device.rack not in racks or kind == NODE:
            unit = unit_name(device.unit, widths[fabrics[row]]) if kind == NODE and device.unit else None
            racks[device.rack] = (fabric, None, unit, device.rack, "GPURack" if kind == NODE else "NetworkRack",
                                  row_of[device.rack])  # fmt: skip
    return nodes, [racks[name] for name in sorted(racks)]


def _profiles(plan: Plan, fabric: int) -> list[tuple[Cell, ...]]:
    found: list[tuple[Cell, ...]] = []
    for group in plan.fabrics[fabric].node_groups:
        for fact in node_port_facts(plan, fabric, group):
            adapter = fact.adapter if fact.named else None
            found.append((group.group, fact.text.panel, adapter, None, fact.interface, fact.pci))
    return found
