"""``netbox/``: device types, racks, devices, interfaces and cables for NetBox's bulk import.

For NetBox 4, by the fields of its import forms (netbox-community/netbox, ``dcim/forms/bulk_import.py``): the column
names here are those that the import takes, which are not those of NetBox's own export. Import in the order of the
numbers in the file names; device types are YAML, the rest CSV. The site is the name of the plan.

* Switches take the device types of ``fabricplan catalog netbox``, which bring their interfaces; the interface file
  holds only what no type brings (ports of nodes, split ports). Switches that share a box, and those whose height or
  cages the catalogue does not know, have types without interfaces.
* A splitter is a row a tail, labelled with cable and tail (``C0001-1``). A straight cable that carries two links is
  two rows with one label: only newer releases (those with pull request 22641)
  import several terminations a side. Ports without a planned cable have an interface and no cable.
* A link through patch panels is three cables, panels are devices with front and rear ports.
* Where the height of a device is not known, it stands in its rack without a position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fabricplan.catalog import CableType, FibreType, SwitchType
from fabricplan.patching import PanelPlace
from fabricplan.placement import rack_units_of
from fabricplan.plan import Plan
from fabricplan.renderers.link_ends import LinkEnd, LinkRow, link_ends
from fabricplan.renderers.netbox_panels import ROLE as PANEL_ROLE
from fabricplan.renderers.netbox_panels import hops, panel_type, part_of, places
from fabricplan.renderers.netbox_types import device_type, slug, type_text
from fabricplan.renderers.plain import Cell, plain_csv
from fabricplan.schedule import DeviceRow, device_rows
from fabricplan.topology import LEAF_SPINE, NODE, SPINE_CORE, DeviceType

ROLES = (("node", "4caf50"), ("host", "9e9e9e"), ("leaf", "2196f3"), ("spine", "3f51b5"), ("core", "673ab7"))
ETHERNET = {
    1: "1000base-t", 10: "10gbase-x-sfpp", 25: "25gbase-x-sfp28", 50: "50gbase-x-sfp56", 100: "100gbase-x-qsfp28",
    200: "200gbase-x-qsfp56", 400: "400gbase-x-osfp", 800: "800gbase-x-osfp",
}  # fmt: skip
INFINIBAND = {"edr": "edr", "hdr100": "hdr", "hdr": "hdr", "ndr200": "ndr", "ndr": "ndr", "xdr": "xdr"}
CABLES = {"dac": "dac-passive", "acc": "dac-active", "aoc": "aoc", "twisted-pair": "cat6"}
FIBRES = {"OM3": "mmf-om3", "OM4": "mmf-om4", "OM5": "mmf-om5", "OS2": "smf-os2"}
MAKER, OTHERS = "Nvidia", "Generic"


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return the import files; the language does not matter."""
    devices, links = device_rows(plan), list(link_ends(plan))
    types, brought = _types(plan, devices)
    panels = places(plan)
    types += [panel_type(plan, place, OTHERS) for place in panels]
    roles = (*ROLES, PANEL_ROLE) if panels else ROLES
    site = plan.name or "fabric"
    makers = dict.fromkeys([MAKER, OTHERS, *(str(entry["manufacturer"]) for entry in types)])
    rows: dict[str, tuple[Sequence[str], Sequence[Sequence[Cell]]]] = {
        "1-manufacturers.csv": (("name", "slug"), [(name, slug(name)) for name in makers]),
        "1-sites.csv": (("name", "slug", "status"), [(site, slug(site) or "site", "planned")]),
        "1-device-roles.csv": (("name", "slug", "color"), [(name, name, colour) for name, colour in roles]),
        "3-racks.csv": (("site", "name", "status", "width", "u_height"), [
            (site, rack, "planned", 19, units) for rack, units in zip(
                plan.placement.rack_names(), rack_units_of(plan.placement, plan.requirement.room).tolist(),
                strict=True)]),
        "4-devices.csv": (
            ("name", "role", "manufacturer", "device_type", "status", "site", "rack", "position", "face"),
            [*(_device(row, device, site, types) for row, device in enumerate(devices)),
             *_panel_devices(plan, panels, site, types[len(devices) :])]),
        "5-interfaces.csv": (
            ("device", "name", "type", "speed", "mgmt_only", "description"), _interfaces(plan, links, brought)),
        "6-cables.csv": (
            ("side_a_device", "side_a_type", "side_a_name", "side_b_device", "side_b_type", "side_b_name", "type",
             "status", "label", "length", "length_unit", "description"), _cables(plan, links)),
    }  # fmt: skip
    entries = {str(entry["model"]): entry for entry in types}
    documents = "".join(type_text(entry) for entry in entries.values())
    files = {"netbox/2-device-types.yaml": documents.encode()}
    files |= {f"netbox/{name}": plain_csv(headings, body) for name, (headings, body) in rows.items()}
    return dict(sorted(files.items()))


def _types(plan: Plan, devices: list[DeviceRow]) -> tuple[list[dict[str, Any]], list[set[str]]]:
    """Return the device type of every device, and the interfaces that it brings."""
    made: dict[tuple[str, int], dict[str, Any]] = {}
    boxes: dict[int, int] = {}
    types, brought = [], []
    for row, device in enumerate(devices):
        item = plan.topology.device_types[int(plan.topology.devices.type[row])]
        half = 0
        if device.box is not None:
            half = boxes[device.box] = boxes.get(device.box, 0) + 1
        key = (item.key, half)
        if key not in made:
            if item.kind == "switch":
                made[key] = _switch_type(plan.products.switch(item.key), device.pn, half)
            else:
                made[key] = _plain_type(device.title, device.height or 0, _maker(plan, item))
        entry = made[key]
        types.append(entry)
        brought.append({str(port["name"]) for port in entry.get("interfaces", ())})
    return types, brought


def _switch_type(switch: SwitchType, pn: str | None, half: int) -> dict[str, Any]:
    """Return the type of a switch; ``half`` is its place in a box that it shares, from 1."""
    variant = next((form for form in switch.variants if form.pn == pn), None)
    entry: dict[str, Any] = dict(device_type(switch, variant))
    if half or switch.height_u is None or not switch.cages:
        entry.pop("interfaces", None)
    if half:
        model = f"{entry['model']} S{half}"
        entry |= {"model": model, "slug": slug(f"nvidia {model}")}
    if half > 1:
        # the box stands in the rack once, with its first switch
        entry["u_height"] = 0
        entry.pop("power-ports", None)
    return entry


def _maker(plan: Plan, item: DeviceType) -> str:
    """Return who makes a device that is no switch, as NetBox spells it."""
    told = plan.products.platform(item.key).maker if item.kind == "platform" else None
    return OTHERS if told is None else MAKER if told == "NVIDIA" else told


def _plain_type(title: str, height: int, maker: str) -> dict[str, Any]:
    return {"manufacturer": maker, "model": title, "slug": slug(f"{maker} {title}"), "u_height": height,
            "is_full_depth": True}  # fmt: skip


def _device(row: int, device: DeviceRow, site: str, types: list[dict[str, Any]]) -> tuple[Cell, ...]:
    entry = types[row]
    placed = bool(device.u and entry["u_height"])
    return (
        device.name, device.kind, entry["manufacturer"], entry["model"], "planned", site, device.rack,
        device.u if placed else None, "front" if placed else None,
    )  # fmt: skip


def _panel_devices(
    plan: Plan, panels: Sequence[PanelPlace], site: str, types: Sequence[dict[str, Any]]
) -> list[tuple[Cell, ...]]:
    racks = plan.placement.rack_names()
    return [
        (place.name, PANEL_ROLE[0], entry["manufacturer"], entry["model"], "planned", site, racks[place.rack], place.u,
         place.run.asked.ends[place.side].face or "front")
        for place, entry in zip(panels, types, strict=True)
    ]  # fmt: skip


def _name(end: LinkEnd) -> str:
    return end.text.panel or end.adapter or ""


def _interfaces(plan: Plan, links: list[LinkRow], brought: list[set[str]]) -> list[tuple[Cell, ...]]:
    """Return the interfaces of links that no device type brings, each once."""
    kinds = plan.topology.devices.kind.tolist()
    found: dict[tuple[int, str], tuple[Cell, ...]] = {}
    for link in links:
        sizing = plan.fabrics[link.fabric]
        trunk = link.role in (LEAF_SPINE, SPINE_CORE)
        rate, speed = (sizing.uplink_rate, sizing.uplink_gbps) if trunk else (sizing.rate, sizing.link_gbps)
        infiniband = sizing.technology == "infiniband"
        kind = f"infiniband-{INFINIBAND[rate]}" if infiniband else ETHERNET.get(speed, "other")
        sides = ((link.lower_row, link.lower_device, link.lower), (link.upper_row, link.upper_device, link.upper))
        for row, device, end in sides:
            name = _name(end)
            if name not in brought[row]:
                told = f"{sizing.name}, {end.adapter}" if end.adapter and kinds[row] == NODE else sizing.name
                management = "true" if end.text.cage == "MGMT" else "false"
                found[row, name] = (device, name, kind, speed * 1_000_000, management, told)
    return [found[key] for key in sorted(found)]


def _cables(plan: Plan, links: list[LinkRow]) -> list[tuple[Cell, ...]]:
    parts = plan.cabling.cable_parts
    kinds = [_cable_kind(plan.products.cable(part.family) if part.kind == "cable" else plan.products.fibre(part.family))
             for part in parts]  # fmt: skip
    ids = plan.cabling.cable_ids()
    rows: list[tuple[Cell, ...]] = []
    patched = hops(plan)
    for number, link in enumerate(links):
        if not link.cable:
            continue
        if number in patched:
            ends = ((link.lower_device, "dcim.interface", _name(link.lower)),
                    (link.upper_device, "dcim.interface", _name(link.upper)))  # fmt: skip
            for hop in patched[number]:
                piece = part_of(plan, hop.cable)
                kind = _cable_kind(plan.products.fibre(piece.family))
                rows.append((*(hop.a or ends[0]), *(hop.b or ends[1]), kind, "planned", ids[hop.cable],
                             f"{piece.length_mm / 1000:g}", "m", piece.pn or piece.family))  # fmt: skip
            continue
        part = parts[link.part]
        length = part.length_mm / 1000
        rows.append((
            link.lower_device, "dcim.interface", _name(link.lower), link.upper_device, "dcim.interface",
            _name(link.upper), kinds[link.part], "planned", link.label,
            f"{length:g}", "m", part.pn or part.family,
        ))  # fmt: skip
    return rows


def _cable_kind(entry: CableType | FibreType) -> str:
    if isinstance(entry, CableType):
        return CABLES[entry.kind]
    return FIBRES.get(entry.grade, "mmf" if entry.mode == "multimode" else "smf")
