"""Descriptions of parts, one template per kind, filled with what the catalogue knows and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fabricplan.catalog import (
    AccessoryType,
    AdapterType,
    CableEnd,
    CableType,
    CageGroup,
    Entry,
    FibreType,
    PanelType,
    PlatformType,
    PortMode,
    SwitchType,
    TransceiverType,
)

Words = Mapping[str, str]

_CHINESE_COUNT = {2: "二", 4: "四", 8: "八"}
_CHINESE_GAP = re.compile(r"(?<=[\u4e00-\u9fff）]) (?=[\u4e00-\u9fff（])")
"""Blanks stand between Chinese and Latin words only."""
_WHOLE_FORMS = ("qsfp-dd", "qsfp28-dd")


def describe_entry(kind: str, entry: Entry, parts: Words, terms: Words, length_mm: int | None, pn: str | None) -> str:
    """Return the description of an entry in the words of one language."""
    if isinstance(entry, SwitchType):
        found = _switch(entry, parts, terms, pn)
    elif isinstance(entry, AdapterType):
        found = _adapter(entry, parts)
    elif isinstance(entry, TransceiverType):
        found = _transceiver(entry, parts, terms)
    elif isinstance(entry, CableType):
        found = _cable(entry, parts, terms, length_mm)
    elif isinstance(entry, FibreType):
        found = _fibre(entry, parts, terms, length_mm)
    elif isinstance(entry, PanelType):
        found = _panel(entry, parts)
    elif isinstance(entry, (PlatformType, AccessoryType)):
        found = [entry.title]
    else:
        found = [kind]
    return _CHINESE_GAP.sub("", parts["comma"].join(piece for piece in found if piece))


def metres(length_mm: int) -> str:
    """Return a length in metres without needless zeros.

    >>> metres(1500), metres(30000)
    ('1.5', '30')
    """
    return f"{length_mm / 1000:g}" if length_mm < 1_000_000 else str(length_mm // 1000)


def speed(gbps: int) -> str:
    """Return a speed the way product names say it.

    >>> speed(400), speed(1600)
    ('400G', '1.6T')
    """
    return f"{gbps / 1000:g}T" if gbps > 1000 else f"{gbps}G"


def rate_name(mode: PortMode) -> str:
    """Return a rate with its speed: ``NDR 400G`` or ``400GbE``."""
    if mode.technology == "ethernet":
        return f"{mode.speed_gbps}GbE"
    return f"{mode.rate.upper()} {mode.speed_gbps}G"


def _form(port_class: str) -> tuple[str, bool]:
    """Return form factor and whether the cage is twin-port, from a port class's id."""
    if port_class in _WHOLE_FORMS:
        return port_class.upper(), False
    first = port_class.split("-")[0]
    return {"mpo12": "MPO-12/APC"}.get(first, first.upper()), "-twin-" in port_class


def _cage_form(group: CageGroup, parts: Words) -> str:
    form, twin = _form(group.port_class)
    return parts["twin"].format(form=form) if twin else form


def _switch(entry: SwitchType, parts: Words, terms: Words, pn: str | None) -> list[str]:
    technology = terms[entry.technology]
    kind = parts["director" if entry.inside else "switch"]
    found = [kind.format(generation=entry.generation, technology=technology, model=entry.model)]
    cages = []
    for group in entry.cages:
        mode = max(group.modes, key=lambda item: (item.speed_gbps, item.ports))
        ports = (mode.cages_max or group.count) * mode.ports
        cages.append(parts["switch_cages"].format(count=group.count, form=_cage_form(group, parts)))
        cages.append(parts["switch_ports"].format(ports=ports, rate=rate_name(mode)))
    if entry.switches_per_box > 1 and cages:
        found.append(parts["halves"].format(count=entry.switches_per_box, each=parts["comma"].join(cages)))
    else:
        found += cages
    found.append(_capacity(entry, parts))
    if entry.managed is not None:
        inside = "managed" if entry.embedded_sm_max_nodes else "managed_plain"
        found.append(terms[inside] if entry.managed else terms["external"])
    if entry.height_u:
        found.append(parts["height"].format(height=entry.height_u))
    if entry.cooling in ("liquid", "hybrid"):
        found.append(parts[entry.cooling])
    flows = {form.airflow for form in entry.variants if pn is None or form.pn == pn}
    if len(flows) == 1 and (flow := flows.pop()):
        found.append(terms[flow])
    return found


def _capacity(entry: SwitchType, parts: Words) -> str:
    """Say the capacity so that it cannot be misread: makers count one way for some products, both for others."""
    one_way = entry.capacity_one_way_tbps
    vendor, counting = entry.vendor_capacity_tbps, entry.vendor_capacity_counting
    if one_way is None:
        return ""
    whole = one_way * entry.switches_per_box
    if vendor is None or counting is None:
        return parts["capacity_known"].format(one_way=f"{whole:g}", two_way=f"{2 * whole:g}")
    key = "capacity_two_way" if counting == "bidirectional" else "capacity_one_way"
    return parts[key].format(vendor=f"{vendor:g}", one_way=f"{whole:g}", two_way=f"{2 * whole:g}")


def _adapter(entry: AdapterType, parts: Words) -> list[str]:
    name = f"{entry.series} {entry.model}" if entry.model else entry.series
    found = [parts["adapter"].format(name=name)]
    for group in entry.cages:
        best: dict[str, PortMode] = {}
        for mode in group.modes:
            if mode.technology not in best or mode.speed_gbps > best[mode.technology].speed_gbps:
                best[mode.technology] = mode
        rates = " / ".join(
            f"{mode.ports}×{rate_name(mode)}" if mode.ports > 1 else rate_name(mode) for mode in best.values()
        )
        found.append(parts["adapter_ports"].format(count=group.count, form=_cage_form(group, parts), rates=rates))
    if entry.pcie:
        found.append(f"PCIe {entry.pcie}")
    if entry.form_factor:
        found.append(entry.form_factor.removeprefix("PCIe "))
    if entry.crypto is not None:
        found.append(parts["crypto" if entry.crypto else "no_crypto"])
    return found


def _only(technologies: tuple[str, ...], parts: Words, terms: Words) -> str:
    return parts["only"].format(technology=terms[technologies[0]]) if len(technologies) == 1 else ""


def _transceiver(entry: TransceiverType, parts: Words, terms: Words) -> list[str]:
    many = f"{entry.connector_count}×" if entry.connector_count > 1 else ""
    kind = "transceiver_twin" if entry.ports == 2 else "transceiver_single"
    found = [parts[kind].format(speed=speed(entry.ports * entry.port_gbps), form=entry.form.upper())]
    if entry.optics:
        found.append(f"{entry.ports}×{entry.optics}" if entry.ports > 1 else entry.optics)
    if entry.mode:
        mode = terms[entry.mode]
        found.append(parts["light"].format(mode=mode, nm=entry.wavelength_nm) if entry.wavelength_nm else mode)
    if entry.reach_by_grade:
        grade, reach = max(entry.reach_by_grade, key=lambda item: item[1])
        found.append(parts["reach"].format(grade=grade, metres=metres(reach)))
    elif entry.reach_mm:
        found.append(parts["reach_plain"].format(metres=metres(entry.reach_mm)))
    found.append(many + entry.connector)
    if entry.top != "none":
        found.append(terms[entry.top])
    found.append(_only(entry.technologies, parts, terms))
    return found


def _end(end: CableEnd, lanes: int, parts: Words, terms: Words) -> str:
    """Return one end of a cable; an OSFP plug with eight lanes and two links is twin-port."""
    form = end.form.upper()
    named = parts["twin"].format(form=form) if end.form == "osfp" and lanes == 8 and end.ports > 1 else form
    named = f"{end.count}×{named}" if end.count > 1 else named
    return parts["topped"].format(end=named, top=terms[end.top]) if end.top != "none" else named


def _cable(entry: CableType, parts: Words, terms: Words, length_mm: int | None) -> list[str]:
    total = entry.link_gbps * entry.links
    lanes = total // entry.lane_gbps if entry.lane_gbps else 0
    splits = entry.tail.count > entry.head.count == 1
    found = [parts["third_party"] if entry.any_length else ""]
    found.append(parts["cable"].format(speed=speed(total), kind=terms[entry.kind]))
    if splits:
        found.append(_splits("splitter", entry.tail.count, parts))
    tail_lanes = lanes // entry.tail.count * entry.head.count
    ends = (_end(entry.head, lanes // entry.head.count, parts, terms), _end(entry.tail, tail_lanes, parts, terms))
    found.append(parts["cable_ends"].format(head=ends[0], tail=ends[1]))
    if entry.links > 1:
        found.append(parts["links"].format(links=entry.links, each=speed(entry.link_gbps)))
    if length_mm:
        found.append(parts["metres"].format(metres=metres(length_mm)))
    return found


def _splits(key: str, tails: int, parts: Words, **more: str) -> str:
    shown = str(tails) if parts["comma"] == ", " else _CHINESE_COUNT.get(tails, str(tails))
    return parts[key].format(tails=shown, **more)


def _fibre(entry: FibreType, parts: Words, terms: Words, length_mm: int | None) -> list[str]:
    if entry.trunk_connectors:
        found = [parts["trunk"].format(count=entry.trunk_connectors, connector=entry.connector)]
    elif entry.tail_count > 1:
        found = [_splits("fibre_splitter", entry.tail_count, parts, connector=entry.connector)]
        if entry.tail_connector and entry.tail_connector != entry.connector:
            found.append(parts["fibre_ends"].format(connector=entry.connector, tails=entry.tail_count,
                                                    tail=entry.tail_connector))  # fmt: skip
    else:
        found = [parts["fibre"].format(connector=entry.connector)]
    if entry.any_length:
        found.insert(0, parts["third_party"])
    found.append(parts["grade"].format(mode=terms[entry.mode], grade=entry.grade))
    if entry.trunk_connectors and entry.gender:
        found.append(parts["male" if entry.gender.startswith("male") else "female"])
    if entry.polarity:
        found.append(parts["polarity"].format(polarity=entry.polarity))
    if entry.trunk_connectors and entry.loss_db_max:
        found.append(parts["loss"].format(loss=f"{entry.loss_db_max:g}"))
    if length_mm:
        found.append(parts["metres"].format(metres=metres(length_mm)))
    return found


def _panel(entry: PanelType, parts: Words) -> list[str]:
    found = [] if entry.pn else [parts["third_party"]]
    found.append(parts["panel"].format(count=entry.ports, connector=entry.connector))
    return [*found, parts["height"].format(height=entry.height_u)]
