"""Directors: the chips that a subnet manager shows, as the one box of the plan, with the ports of its panel.

::

    "n1"[1] -- "core/L01/U2"[3]          =>   "n1"[1] -- "core"[23]      third panel port of the second chip
    "core/L01/U2"[21] -- "core/S01/U1"[2]     (inside: no cable, left out)

Only chips of directors of the plan are gathered; which panel ports are of which chip is as
:mod:`fabricplan.proof.inside` has it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fabricplan.asbuilt.found import DIRECTOR_CHIP, SWITCH, Found, FoundDevices, FoundLinks
from fabricplan.asbuilt.match import NameMap
from fabricplan.asbuilt.view import fold
from fabricplan.catalog import DirectorChips
from fabricplan.plan import Plan
from fabricplan.proof.inside import director_of
from fabricplan.sizing import TierPorts
from fabricplan.topology import LEAF
from fabricplan.topology import SWITCH as SWITCH_KIND


class _Director(NamedTuple):
    """A director of the plan: its name, its chips, how its ports are used."""

    name: str
    inside: DirectorChips
    ports: TierPorts

    def panel_port(self, side: str, module: int, unit: int, port: int) -> int:
        """Return the number among the ports of the panel; 0 for ports inside."""
        outside = self.inside.external_ports * self.ports.numbers_per_cage
        if side.upper() != "L" or not 1 <= port <= outside:
            return 0
        chip = (module - 1) * self.inside.leaf_chips_per_module + unit - 1
        return chip * outside + port


def boxed(plan: Plan, found: Found, names: NameMap) -> Found:
    """Return the discovery with one row for each director of the plan; unchanged where the plan has none.

    Args:
        plan: the plan.
        found: the discovery.
        names: found names -> names of the plan; a director is named as a whole.
    """
    directors = _directors(plan)
    kinds = found.devices.kind.tolist()
    chips: dict[int, tuple[_Director, str, int, int]] = {}
    for row, name in enumerate(found.names()) if directors else ():
        match = DIRECTOR_CHIP.fullmatch(name)
        if match and kinds[row] == SWITCH:
            told = names.names.get(fold(match[1]), match[1])
            if fold(told) in directors:
                chips[row] = directors[fold(told)], match[2], int(match[3]), int(match[4])
    if not chips:
        return found
    home = list(range(len(kinds)))
    first: dict[str, int] = {}
    for row, (director, *_) in chips.items():
        home[row] = first.setdefault(director.name, row)
    kept = [row for row, head in enumerate(home) if row == head]
    place = {row: at for at, row in enumerate(kept)}
    links = []
    for a, a_port, a_label, z, z_port, *rest in found.links.rows():
        if home[a] == home[z] and a in chips:
            continue
        ports = [chips[row][0].panel_port(*chips[row][1:], port) if row in chips else port
                 for row, port in ((a, a_port), (z, z_port))]  # fmt: skip
        links.append((place[home[a]], ports[0], a_label, place[home[z]], ports[1], *rest))
    columns = np.array(links, np.int64).reshape(-1, len(FoundLinks.columns)).T
    devices = {name: found.devices.wide(name)[kept] for name in FoundDevices.columns}
    texts = list(found.texts)
    for name, row in first.items():
        devices["name"][place[row]] = len(texts)
        devices["chip"][place[row]] = devices["ports"][place[row]] = 0
        texts.append(name)
    moved = tuple((place[home[row]], number) for row, number in found.folded)
    return found.model_copy(update={
        "texts": tuple(texts), "devices": FoundDevices(**devices), "folded": moved,
        "links": FoundLinks(**dict(zip(FoundLinks.columns, columns, strict=True))),
    })  # fmt: skip


def _directors(plan: Plan) -> dict[str, _Director]:
    """Return folded name -> director of the plan."""
    devices, names, told = plan.topology.devices, plan.device_names(), {}
    for number, sizing in enumerate(plan.fabrics):
        inside = director_of(plan, sizing)
        if inside is not None:
            mine = (devices.kind == SWITCH_KIND) & (devices.fabric == number) & (devices.tier == LEAF)
            for row in np.flatnonzero(mine).tolist():
                told[fold(names[row])] = _Director(names[row], inside, sizing.shape.leaf)
    return told
