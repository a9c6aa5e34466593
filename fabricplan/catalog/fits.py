"""Whether one part goes into another: a plug into a cage, a module onto a fibre, two modules onto one link.

Each function yields what stands against it, in words; nothing means that they fit.
"""

from __future__ import annotations

from collections.abc import Iterator

from fabricplan.catalog.cable_types import CableType, FibreType
from fabricplan.catalog.joining import PortClass
from fabricplan.catalog.types import TransceiverType
from fabricplan.catalog.words import Technology

OPTICAL_LANES = {
    "SR": 1, "LR": 1, "DR1": 1, "SR4": 4, "DR4": 4, "FR4": 4, "LR4": 4, "PSM4": 4, "CWDM4": 4,
    "SR8": 8, "DR8": 8,
}  # fmt: skip
BUILT_IN = {"mpo12": "MPO-12/APC"}
"""Port forms with optics inside, and the fibre connector they show."""
TOPS = {"finned": "finned-top", "flat": "flat-top", "none": "plain"}


def plug_in_cage(name: str, form: str, top: str, cage: PortClass) -> Iterator[str]:
    """Yield why a plug does not go into a cage: its form or its top."""
    if cage.form in BUILT_IN:
        yield f"{cage.id} has its optics built in and takes a fibre, no plug"
    elif form != cage.form and form not in cage.accepts:
        takes = ", ".join(item.upper() for item in (cage.form, *cage.accepts))
        yield f"{name} is {form.upper()}, {cage.id} takes {takes}"
    elif top != cage.top and form == cage.form:
        yield f"{name} is {TOPS[top]}, {cage.id} takes {TOPS[cage.top]}"


def module_in_cage(module: TransceiverType, cage: PortClass) -> Iterator[str]:
    """Yield why a transceiver does not go into a cage: form, top, lanes, or one port where the cage has two."""
    yield from plug_in_cage(module.pn, module.form, module.top, cage)
    if module.form != cage.form:
        return
    if module.lanes > cage.lanes or module.lane_gbps > cage.lane_gbps:
        yield (f"{module.pn} runs {module.lanes} x {module.lane_gbps}G lanes, {cage.id} has {cage.lanes} x "
               f"{cage.lane_gbps}G")  # fmt: skip
    elif module.lane_gbps < cage.lane_gbps and "-twin-" in cage.id:
        yield f"{module.pn} runs {module.lane_gbps}G lanes; no page that qualifies it in {cage.id} was read"
    if module.ports == 1 and module.lanes < cage.lanes and "-twin-" in cage.id:
        yield f"{module.pn} has one port and {module.lanes} lanes, {cage.id} is a twin-port cage of {cage.lanes} lanes"


def cable_in_cage(cable: CableType, cage: PortClass) -> Iterator[str]:
    """Yield why neither end of a cable goes into a cage."""
    ends = []
    for end in dict.fromkeys((cable.head, cable.tail)):
        faults = list(plug_in_cage(cable.id.upper(), end.form, end.top, cage))
        if not faults and cable.lane_gbps is not None and cable.lane_gbps > cage.lane_gbps:
            faults = [f"{cable.id.upper()} runs {cable.lane_gbps}G lanes, {cage.id} {cage.lane_gbps}G"]
        if not faults:
            return
        ends += faults
    yield from dict.fromkeys(ends)


def serves(name: str, served: tuple[Technology, ...], asked: Technology) -> Iterator[str]:
    """Yield why a part does not serve a technology: parts ending in -T are for Ethernet only."""
    if asked not in served:
        yield f"{name} is for {' and '.join(served) or 'an unknown technology'} only, not for {asked}"


def module_on_fibre(module: TransceiverType, fibre: FibreType) -> Iterator[str]:
    """Yield why a transceiver does not go onto a fibre: mode, connector, polish, pins (modules have them)."""
    if module.mode is None or module.connector == "RJ45":
        yield f"{module.pn} takes no fibre"
        return
    if module.mode != fibre.mode:
        yield f"{module.pn} is {module.mode}, {fibre.id.upper()} is {fibre.mode}"
    shown = (fibre.connector, fibre.tail_connector or fibre.connector)
    if module.connector not in shown:
        yield f"{module.pn} has {module.connector}, {fibre.id.upper()} {' and '.join(dict.fromkeys(shown))}"
        if {module.connector[-3:], *(item[-3:] for item in shown)} >= {"APC", "UPC"}:
            yield "APC and UPC ends never mate"
    elif has_pins(fibre):
        yield f"{module.pn} has pins, and so has {fibre.id.upper()}: a cord with female ends goes between them"


def has_pins(fibre: FibreType) -> bool | None:
    """Return whether the connectors of a fibre are male; None where that is not known, or the connector has no pins.

    >>> from types import SimpleNamespace as F
    >>> [has_pins(F(gender=word)) for word in ("male both ends", "female both ends", None)]
    [True, False, None]
    """
    word = (fibre.gender or "").casefold()
    return None if not word else word.startswith("male")


def fibre_on_fibre(one: FibreType, other: FibreType) -> Iterator[str]:
    """Yield why two fibres do not continue each other: mode, connector, pins."""
    if one.mode != other.mode:
        yield f"{one.id.upper()} is {one.mode}, {other.id.upper()} is {other.mode}"
    if one.connector != other.connector:
        yield f"{one.id.upper()} has {one.connector}, {other.id.upper()} {other.connector}"
    elif has_pins(one) is not None and has_pins(one) == has_pins(other):
        ends = "male" if has_pins(one) else "female"
        yield f"{one.id.upper()} and {other.id.upper()} both have {ends} ends; between cords goes a male trunk"


def module_to_module(one: TransceiverType, other: TransceiverType) -> Iterator[str]:
    """Yield why two transceivers do not link: mode, connector, kind of optics, speed of an optical lane."""
    if not set(one.technologies) & set(other.technologies):
        yield (f"{one.pn} is for {' and '.join(one.technologies) or 'nothing known'}, {other.pn} for "
               f"{' and '.join(other.technologies) or 'nothing known'}")  # fmt: skip
    if one.mode != other.mode:
        yield f"{one.pn} is {one.mode}, {other.pn} is {other.mode}"
    elif one.connector != other.connector and not _breaks_out(one, other):
        yield f"{one.pn} has {one.connector}, {other.pn} {other.connector}"
    (family, gbps), (far, far_gbps) = light(one), light(other)
    if family != far:
        yield f"{one.pn} is {one.optics}, {other.pn} {other.optics}"
    if gbps != far_gbps:
        yield f"{one.pn} sends {gbps}G a lane, {other.pn} {far_gbps}G; no module steps down"


def _breaks_out(one: TransceiverType, other: TransceiverType) -> bool:
    """Tell whether one module's lanes fan out to several of the other's (DR4 to 4 x DR1)."""
    return light(one) == light(other) and one.port_gbps != other.port_gbps


def light(module: TransceiverType) -> tuple[str, int]:
    """Return the family of optics and the speed of one optical lane."""
    optics = module.optics or ""
    return optics.rstrip("0123456789"), module.port_gbps // OPTICAL_LANES.get(optics, 1)
