"""``<fabric>-ndt.csv``: an InfiniBand subnet as a network diagram table for UFM's NDT plugin, in the full layout.

For the NDT plugin of UFM 6 (Mellanox/ufm_sdk_3.0, plugins/UFM_NDT_Plugin), with the column names that the plugin's
own file creator writes and the use of the columns in its test tables: rack and height of the start device, speed in
Mb/s, the cable and its length in metres, ``Active`` and ``In-Scope`` in the last two columns. Unix line ends, no
byte-order mark.

Ports are ``Port`` and the switch's label as ibdiagnet prints it: ``1/16/1`` on Quantum-2 (ASIC, cage, port), ``7`` or
``4/2`` on Quantum, ``sw72p2`` on Quantum-3; where the catalogue knows no kind of label, the InfiniBand port number.
A host's end is its node description and ``Port 1``.
"""

from __future__ import annotations

from fabricplan.plan import Plan
from fabricplan.renderers.subnets import Subnet, subnets
from fabricplan.renderers.words import metres
from fabricplan.schedule import LinkParts, PortText, link_parts
from fabricplan.topology import tier_ports

COLUMNS = (
    "rack #", "U height", "#Fields:StartDevice", "StartPort", "StartDeviceLocation", "EndDevice", "EndPort",
    "EndDeviceLocation", "U height_1", "LinkType", "Speed", "_2", "Cable Length", "_3", "_4", "_5", "_6", "_7", "State",
    "Domain",
)  # fmt: skip


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return one table per subnet; the language does not matter."""
    parts = link_parts(plan)
    places = plan.placement.places
    racks = plan.placement.rack_names()
    rack = [racks[at] for at in places.rack.tolist()]
    height = [f"U{unit}" if unit else "" for unit in places.u.tolist()]
    return {f"{subnet.stem}-ndt.csv": _table(plan, subnet, parts, rack, height) for subnet in subnets(plan, "ndt")}


def port_words(numbering: str | None, text: PortText) -> str:
    """Return a switch port as the table names it.

    >>> port_words("ndr", PortText("IB1/16/1", "31", "16", "P16/1"))
    'Port 1/16/1'
    >>> port_words("hdr", PortText("IB1/7", "7", "7", "P07")), port_words("hdr", PortText("IB1/4/2", "8", "4", "P04/2"))
    ('Port 7', 'Port 4/2')
    >>> port_words("xdr", PortText("sw72p2", "144", "72", "P72p2"))
    'Port sw72p2'
    """
    if numbering == "ndr":
        return f"Port {text.panel.removeprefix('IB')}"
    if numbering == "xdr":
        return f"Port {text.panel}"
    if numbering in ("edr", "hdr"):
        return f"Port {text.panel.removeprefix('IB1/')}"
    return f"Port {text.number}"


def _table(plan: Plan, subnet: Subnet, parts: LinkParts, rack: list[str], height: list[str]) -> bytes:
    wiring, sizing = subnet.wiring, subnet.wiring.sizing
    row_of = wiring.switch_row.tolist()
    boxed = wiring.module == 0
    numbering = [plan.products.switch(tier_ports(sizing.shape, tier).model).port_numbering if whole else None
                 for tier, whole in zip(wiring.tier.tolist(), boxed.tolist(), strict=True)]  # fmt: skip
    cables = [(part.pn or part.family, metres(part.length_mm)) for part in plan.cabling.cable_parts]
    part = parts.part.tolist()
    whole = plan.cabling.path_mm
    upper, lower = parts.upper_text.tolist(), parts.lower_text.tolist()
    ports = [{word: port_words(word, text) for word in set(numbering)} if text.number else {} for text in parts.texts]

    def line(start: int, name: str, port: str, end: str, end_port: str, end_row: int, speed: int, link: int) -> str:
        cable, length = cables[part[link]] if part[link] >= 0 else ("", "")
        if link in whole:
            # cord, trunk and cord are no one part
            cable, length = "", metres(whole[link])
        cells = (
            rack[start], height[start], name, port, rack[start], end, end_port, rack[end_row], height[end_row],
            "Data", speed * 1000, cable, length, "", "", "", "", "", "Active", "In-Scope",
        )  # fmt: skip
        return ",".join(map(str, cells))

    lines = [",".join(COLUMNS)]
    ends = (subnet.ends, wiring.end_switch.tolist(), wiring.end_port.tolist(), wiring.end_device.tolist(),
            wiring.end_link.tolist())  # fmt: skip
    for end, at, number, device, link in zip(*ends, strict=True):
        # a director's port is told as its chip counts it, beside the chip's name
        port = ports[upper[link]][numbering[at]] if boxed[at] else f"Port {number}"
        lines.append(line(row_of[at], subnet.switches[at], port, end, "Port 1", device, sizing.link_gbps, link))
    cabled = wiring.cabled
    for low, high, link in zip(
        *(column[cabled].tolist() for column in (wiring.low, wiring.high, wiring.link_row)), strict=True
    ):
        near, far = ports[lower[link]][numbering[low]], ports[upper[link]][numbering[high]]
        lines.append(line(row_of[low], subnet.switches[low], near, subnet.switches[high], far, row_of[high],
                          sizing.uplink_gbps, link))  # fmt: skip
    return ("\n".join(lines) + "\n").encode()
