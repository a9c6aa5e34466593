"""The files of format ``opensm`` with the GUIDs of a discovery in place of names."""

from __future__ import annotations

import re
from typing import NamedTuple

from fabricplan.asbuilt.guids import Guids
from fabricplan.asbuilt.view import fold
from fabricplan.plan import Plan
from fabricplan.renderers.opensm import FOLDER, OPTIONS, TEMPLATE, list_files
from fabricplan.renderers.subnets import Subnet, subnets

_PLACE_HOLDER = re.compile(r"\$\{([^}]*)\}")


class Filled(NamedTuple):
    """Files with GUIDs, and the names whose GUID was not found, each once."""

    files: dict[str, bytes]
    missing: list[str]


def fill(plan: Plan, guids: Guids) -> Filled:
    """Return the files with GUIDs in place of names; lines whose GUID is not known are left out.

    Hosts on reserved ports may be missing: they come late, and under names of their own. A list that holds nothing is
    not written, and the options do not name it. An adapter whose ports share a node GUID is named once in the
    node-name map, by its first port. A switch of several chips has a line for each of them.
    """
    files: dict[str, bytes] = {}
    missing: dict[str, None] = {}
    for subnet in subnets(plan, "opensm"):
        known = _known(subnet, guids)
        late = {end for end, reserved in zip(subnet.ends, subnet.wiring.reserved.tolist(), strict=True) if reserved}
        empty: set[str] = set()
        for name, lines in list_files(subnet).items():
            if name.endswith(TEMPLATE):
                lines, unknown = _filled(lines, known)
                missing |= dict.fromkeys(word for word in unknown if word not in late)
                name = name.removesuffix(TEMPLATE)
                if not lines:
                    empty.add(name)
                    continue
            elif name == OPTIONS:
                lines = [
                    f"{line.split()[0]} (null)" if line.rpartition(f"{FOLDER}/")[2] in empty else line for line in lines
                ]
            files[f"opensm/{subnet.stem}/{name}"] = ("\n".join(lines) + "\n").encode()
    return Filled(files, list(missing))


def _filled(lines: list[str], known: dict[str, tuple[int, ...]]) -> tuple[list[str], list[str]]:
    """Return the lines whose GUID is known, each GUID once, and the names of the others."""
    filled: dict[str, str] = {}
    unknown = []
    for line in lines:
        match = _PLACE_HOLDER.match(line)
        assert match is not None, line
        for guid in known[match[1]]:
            number = f"{guid:#018x}"
            filled.setdefault(number, number + line[match.end() :])
        if not known[match[1]]:
            unknown.append(match[1].partition(":")[2])
    return list(filled.values()), unknown


def _known(subnet: Subnet, guids: Guids) -> dict[str, tuple[int, ...]]:
    """Return ``kind:name`` -> GUIDs of a subnet."""
    wiring = subnet.wiring
    rows = zip(subnet.switches, wiring.switch_row.tolist(), wiring.module.tolist(), strict=True)
    known = {f"switch:{name}": (guids.chips[fold(name)],) if module and fold(name) in guids.chips else
             () if module else guids.switches.get(row, ()) for name, row, module in rows}  # fmt: skip
    ends = (subnet.ends, wiring.end_device.tolist(), wiring.end_device_port.tolist())
    for end, row, port in zip(*ends, strict=True):
        found = guids.adapters.get((wiring.fabric, row, port))
        known[f"node:{end}"] = (found.node,) if found else ()
        known[f"port:{end}"] = found.ports if found else ()
    return known
