"""Patch panels for NetBox: types with front and rear ports, panels as devices, and three cables for a patched link.

Front port n of a panel leads to its rear port Rn; a trunk is one cable a link between the rear ports, labelled with the
trunk's id, because a row of the import joins one port with one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from fabricplan.cabling import CablePart
from fabricplan.patching import PanelPlace, panel_places, runs_on_floor
from fabricplan.plan import Plan
from fabricplan.renderers.netbox_types import slug
from fabricplan.wording import describe

ROLE = ("patch-panel", "795548")


class Hop(NamedTuple):
    """A piece of a patched link: device, type and name of the port at both ends (None: the link's own end), its cable
    row."""

    a: tuple[str, str, str] | None
    b: tuple[str, str, str] | None
    cable: int


def places(plan: Plan) -> list[PanelPlace]:
    """Return the panels of a plan."""
    if not plan.requirement.room.panels:
        return []
    return list(panel_places(runs_on_floor(plan.requirement.room, plan.placement, plan.products)))


def panel_type(plan: Plan, place: PanelPlace, maker: str) -> dict[str, Any]:
    """Return the device type of a panel."""
    panel = place.run.panel
    kind = "lc" if panel.connector.startswith("LC") else "mpo"
    model = panel.pn or panel.id
    return {
        "manufacturer": maker, "model": model, "slug": slug(f"{maker} {model}"), "u_height": panel.height_u,
        "is_full_depth": False, "comments": describe("panels", panel, "en"),
        "rear-ports": [{"name": f"R{port}", "type": kind, "positions": 1} for port in range(1, panel.ports + 1)],
        "front-ports": [{"name": str(port), "type": kind, "rear_port": f"R{port}", "rear_port_position": 1}
                        for port in range(1, panel.ports + 1)],
    }  # fmt: skip


def hops(plan: Plan) -> dict[int, tuple[Hop, Hop, Hop]]:
    """Return link row -> cord, trunk and cord, in the order from its lower end."""
    patches = plan.cabling.patches
    if patches is None:
        return {}
    names = {(item.run.number, item.side, item.number): item for item in places(plan)}
    cords = plan.cabling.links.cable.tolist()
    found = {}
    for link, run, flip, port, upper, trunk in patches.rows():
        number, local = names[run, 0, 1].run.panel_of(port)
        near, far = (names[run, side, number].name for side in (flip, 1 - flip))
        one, two = (near, "dcim.frontport", str(local)), (far, "dcim.frontport", str(local))
        rear = [(name, "dcim.rearport", f"R{local}") for name in (near, far)]
        found[link] = (Hop(None, one, cords[link]), Hop(rear[0], rear[1], trunk), Hop(two, None, upper))
    return found


def part_of(plan: Plan, cable: int) -> CablePart:
    """Return the part of a cable row."""
    return plan.cabling.cable_parts[int(plan.cabling.cables.part[cable])]
