"""``ptm/topology.dot``: the Ethernet cabling for the Prescriptive Topology Manager of Cumulus Linux.

For ``ptmd`` of Cumulus Linux 5, which reads /etc/ptm.d/topology.dot and compares it with LLDP; by NVIDIA's page
"Prescriptive Topology Manager - PTM". Undirected, every name in quotes, no wildcards, no line for a port twice (PTM
would take the last one silently).

A host's interface is the one that the maker names; where the catalogue knows none, the panel's word stands there and
must be replaced by the name that the host's LLDP tells. Ports without a cable are left out.
"""

from __future__ import annotations

from fabricplan.errors import Problem, RenderError
from fabricplan.plan import Plan
from fabricplan.renderers.link_ends import LinkEnd, link_ends

RESERVED_WORD = "HCA-1"


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return the graph of all Ethernet fabrics; the language does not matter.

    Raises:
        RenderError: no fabric is Ethernet, or two cables meet in a port.
    """
    ethernet = {number for number, sizing in enumerate(plan.fabrics) if sizing.technology != "infiniband"}
    if not ethernet:
        raise RenderError(Problem("no-ethernet", "'ptm' describes Ethernet fabrics; this plan has none", "",
                                  "for InfiniBand fabrics: topo, ndt, cvt"))  # fmt: skip
    seen: set[tuple[str, str]] = set()
    lines = [f'graph "{plan.name.replace(chr(34), "")}" {{']
    for end in link_ends(plan):
        if end.fabric in ethernet:
            sides = [_side(end.lower_device, end.lower), _side(end.upper_device, end.upper)]
            for side in sides:
                if side in seen:
                    raise RenderError(Problem("port-twice", f"port {side[1]} of {side[0]} has two cables", "",
                                              "check the plan: fabricplan check"))  # fmt: skip
                seen.add(side)
            lines.append("  " + " -- ".join(f'"{device}":"{port}"' for device, port in sides) + ";")
    return {"ptm/topology.dot": ("\n".join([*lines, "}"]) + "\n").encode()}


def _side(device: str, port: LinkEnd) -> tuple[str, str]:
    return device, port.interface or port.text.short or RESERVED_WORD
