"""NetBox device types of the switches: one YAML file a part number, for NetBox's import and its device-type library.

Written to the rules of the library's ``schema/devicetype.json`` and ``components.json`` (netbox-community,
devicetype-library, read 2026-11-30): required fields, slugs, names of at most 64 characters, part numbers of at most
50. Interface types are those of NetBox 4.5.6 (the first with 1.6 Tb/s OSFP). Facts that the catalogue does not know
are absent, so a switch without a known height or without cages has no file, and one whose power inlet is not known
has no power ports.

A file is named by model and part number, for who looks for a model; the library itself wants the ``model`` field as the
name, which is the part number where a switch has several.

The front of a device is its port side: air that enters at the ports (C2P, R parts) runs front to rear.
"""

from __future__ import annotations

import json
import re

from fabricplan.catalog import CageGroup, Catalog, SwitchType, SwitchVariant
from fabricplan.names import port_label
from fabricplan.wording import describe

AIRFLOW = {"C2P": "front-to-rear", "P2C": "rear-to-front"}
INLETS = {"IEC C14": "iec-60320-c14", "IEC C16": "iec-60320-c16", "IEC C20": "iec-60320-c20"}
ETHERNET = {
    "rj45-1g": "1000base-t", "sfp28": "25gbase-x-sfp28", "sfp56": "50gbase-x-sfp56", "qsfp28": "100gbase-x-qsfp28",
    "qsfp56": "200gbase-x-qsfp56", "qsfp28-dd": "200gbase-x-qsfpdd", "qsfp-dd": "400gbase-x-qsfpdd",
    "osfp-twin-100g-finned": "800gbase-x-osfp", "osfp-twin-200g-finned": "1.6tbase-x-osfp1600",
    "osfp-twin-200g-flat": "1.6tbase-x-osfp1600-rhs",
}  # fmt: skip
"""Port class -> interface type: NetBox describes the cage of an Ethernet switch, breakouts are interfaces below it."""
TECHNOLOGIES = {"infiniband": "InfiniBand", "ethernet": "Ethernet"}
FOLDER = "Nvidia"
"""Folder of the maker in the library."""

Field = str | int | float | bool
Row = dict[str, Field]


def device_types(catalog: Catalog) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return file name -> content for every switch that can be described, and model -> why the others cannot."""
    files: dict[str, bytes] = {}
    left: dict[str, str] = {}
    for switch in catalog.all("switches", SwitchType):
        if switch.height_u is None or not switch.cages:
            left[switch.model] = "its cages are not known" if switch.height_u else "its height is not known"
            continue
        for variant in switch.variants or (None,):
            entry = device_type(switch, variant)
            files[file_name(switch, variant)] = type_text(entry).encode()
    return files, left


def file_name(switch: SwitchType, variant: SwitchVariant | None) -> str:
    """Return the file of a device type: model, then part number, so that a folder's listing tells which is which."""
    model = slug(switch.model)
    number = slug(variant.pn) if variant is not None else model
    return f"{FOLDER}/{model if number == model else f'{model}-{number}'}.yaml"


def device_type(switch: SwitchType, variant: SwitchVariant | None) -> dict[str, Field | list[Row]]:
    """Return the device type of a switch in the form that is bought."""
    model = variant.pn if variant is not None and len(switch.variants) > 1 else switch.model
    entry: dict[str, Field | list[Row]] = {"manufacturer": "Nvidia", "model": model, "slug": slug(f"nvidia {model}")}
    if variant is not None:
        entry["part_number"] = variant.pn
    entry |= {"u_height": switch.height_u or 0, "is_full_depth": True}
    if variant is not None and variant.airflow is not None:
        entry["airflow"] = AIRFLOW[variant.airflow]
    if switch.weight_kg is not None:
        entry |= {"weight": switch.weight_kg, "weight_unit": "kg"}
    technology = TECHNOLOGIES[switch.technology]
    entry |= {"description": f"{switch.generation} {technology} switch {switch.model}",
              "comments": _comments(switch, variant)}  # fmt: skip
    power = _power(switch)
    if power:
        entry["power-ports"] = power
    entry["interfaces"] = _interfaces(switch)
    return entry


def type_text(entry: dict[str, Field | list[Row]]) -> str:
    """Return an entry as YAML: texts quoted, one line a field."""
    lines = ["---"]
    for field, value in entry.items():
        if not isinstance(value, list):
            lines.append(f"{field}: {_scalar(value)}")
            continue
        lines.append(f"{field}:")
        for row in value:
            told = [f"{name}: {_scalar(item)}" for name, item in row.items()]
            lines += [f"  - {told[0]}", *(f"    {rest}" for rest in told[1:])]
    return "\n".join(lines) + "\n"


def _scalar(value: Field) -> str:
    return json.dumps(value, ensure_ascii=False)


def slug(words: str) -> str:
    """Return a slug of lower-case letters, digits and dashes.

    >>> slug("nvidia MQM9700-NS2F")
    'nvidia-mqm9700-ns2f'
    """
    return re.sub(r"[^a-z0-9]+", "-", words.casefold()).strip("-")


def _power(switch: SwitchType) -> list[Row]:
    """Return the power inlets; none while the inlet is not known. What one of them draws is not told by the maker: with
    redundant supplies it is between a share of the whole and all of it. The whole stands in the comments."""
    inlet = INLETS.get(switch.psu_inlet or "")
    if inlet is None:
        return []
    return [{"name": f"PSU{number}", "type": inlet} for number in range(1, (switch.psu_count or 0) + 1)]


def _interfaces(switch: SwitchType) -> list[Row]:
    rows: list[Row] = []
    for half in range(switch.switches_per_box):
        prefix = f"S{half + 1} " if switch.switches_per_box > 1 else ""
        for group in switch.cages:
            rows += [{"name": prefix + name, "type": kind} for name, kind in _ports(switch, group)]
    return rows


def _ports(switch: SwitchType, group: CageGroup) -> list[tuple[str, str]]:
    """Return name and type of the interfaces of a cage group: InfiniBand ports one by one, Ethernet cages."""
    if switch.technology == "ethernet":
        return [(f"swp{group.first + index}", ETHERNET[group.port_class]) for index in range(group.count)]
    native = max((mode for mode in group.modes if mode.profile == "normal"), key=lambda mode: mode.speed_gbps)
    numbering = switch.port_numbering or "edr"
    first = (group.first - 1) * native.ports + 1
    return [(port_label(numbering, number, native.ports, native.ports), f"infiniband-{native.rate}")
            for number in range(first, first + group.count * native.ports)]  # fmt: skip


def _comments(switch: SwitchType, variant: SwitchVariant | None) -> str:
    """Say which model it is, and what NetBox has no field for."""
    told = [describe("switches", switch, pn=variant.pn if variant is not None else None) + "."]
    if switch.switches_per_box > 1:
        told.append(f"One box holds {switch.switches_per_box} independent switches (S1, S2).")
    if switch.psu_count == 0:
        told.append(f"No power supplies of its own: {switch.psu_input or 'fed by the rack'}.")
    elif not _power(switch):
        told.append("The power inlet is not known, so no power ports are given.")
    watts = [f"{watts:,.0f} W {word}" for watts, word in ((switch.power_typical_w, "typical"), (switch.power_max_w,
             "at most")) if watts is not None]  # fmt: skip
    if watts:
        told.append(f"Power of the switch: {', '.join(watts)}.")
    if switch.cooling in ("liquid", "hybrid"):
        told.append(f"Cooling: {switch.cooling_note or switch.cooling}.")
    if switch.management_port:
        told.append(f"Management cage: {switch.management_port}.")
    if variant is None:
        told.append("No part number is known.")
    return " ".join(told)
