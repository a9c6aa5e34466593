"""GUIDs of planned switches and adapter ports, found in a discovery: by name, by map, or by place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from fabricplan.asbuilt.directors import boxed
from fabricplan.asbuilt.found import SWITCH as FOUND_SWITCH
from fabricplan.asbuilt.found import Found
from fabricplan.asbuilt.match import NO_NAMES, NameMap, match
from fabricplan.asbuilt.view import fold, view
from fabricplan.plan import Plan
from fabricplan.topology import SWITCH


class AdapterGuids(NamedTuple):
    """GUID of an adapter and of its port, of each lane's port where chips are planes; 0 or empty where the discovery
    does not tell it."""

    node: int
    ports: tuple[int, ...]


class Guids(NamedTuple):
    """What was found.

    Attributes:
        switches: device row of the plan -> GUIDs of its chips.
        chips: folded name of a found switch -> its GUID: the chips of directors, which have a line each.
        adapters: (fabric, device row, port number of the plan) -> GUIDs.
        by_place: names of devices that are known by their place only, because nobody named them.
    """

    switches: dict[int, tuple[int, ...]]
    adapters: dict[tuple[int, int, int], AdapterGuids]
    by_place: list[str]
    chips: dict[str, int]


def find_guids(plan: Plan, found: Found, ports: Mapping[tuple[int, int], int], names: NameMap = NO_NAMES) -> Guids:
    """Return the GUIDs of a plan's InfiniBand devices.

    A cable in the wrong place changes nothing: a device is who it says it is.

    Args:
        plan: the plan.
        found: the discovery.
        ports: (node GUID, port number) -> port GUID.
        names: map of found names or GUIDs to planned names.

    Raises:
        ReadError: two devices bear one planned name.
    """
    guids = Guids({}, {}, [], _chips(found, names))
    found = boxed(plan, found, names)
    told = found.devices.guid.tolist()
    chips: dict[int, list[int]] = {}
    for row, guid in found.folded:
        chips.setdefault(row, []).append(guid)
    lanes: dict[int, list[int]] = {}
    for (node, _), guid in sorted(ports.items()):
        lanes.setdefault(node, []).append(guid)
    sides = list(zip(found.links.a.tolist(), found.links.a_port.tolist(), found.links.z.tolist(),
                     found.links.z_port.tolist(), strict=True))  # fmt: skip
    kind = plan.topology.devices.kind.tolist()
    for number, sizing in enumerate(plan.fabrics):
        if sizing.technology != "infiniband":
            continue
        seen = view(plan, number)
        matched = match(found, seen, names, False)
        for row, planned in enumerate(matched.device):
            if planned >= 0 and kind[planned] == SWITCH and told[row]:
                guids.switches[planned] = (told[row], *chips.get(row, ()))
        for (a, a_port, z, z_port), ends in zip(sides, matched.ends, strict=True):
            for row, port, end, far in ((a, a_port, ends[0], z), (z, z_port, ends[1], a)):
                if end >= 0 and told[row] and kind[seen.device_of[end]] != SWITCH:
                    key = (number, seen.device_of[end], seen.port_of[end])
                    own = (ports[told[row], port],) if (told[row], port) in ports else ()
                    guids.adapters[key] = AdapterGuids(told[row], tuple(lanes.get(told[row], ())) if far in chips
                                                       else own)  # fmt: skip
        guids.by_place.extend(seen.names[matched.device[row]] for row in matched.by_place)
    return guids._replace(by_place=sorted(set(guids.by_place)))


def _chips(found: Found, names: NameMap) -> dict[str, int]:
    """Return folded name -> GUID of the found switches, chips of a director under its name in the plan."""
    told = {}
    for name, kind, guid in zip(found.names(), found.devices.kind.tolist(), found.devices.guid.tolist(), strict=True):
        if kind == FOUND_SWITCH and guid:
            box, slash, chip = name.partition("/")
            told[fold(names.names.get(fold(box), box) + slash + chip)] = guid
    return told
