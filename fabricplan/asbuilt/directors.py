"""Directors: the chips that a subnet manager shows, as the one box of the plan, with the ports of its panel.

::

    "n1"[1] -- "core/L01/U2"[3]          =>   "n1"[1] -- "core"[23]      third panel port of the second chip
    "core/L01/U2"[21] -- "core/S01/U1"[2]     (inside: no cable, left out)

Only chips of directors of the plan are gathered, or, where there is no plan, of those whose chips tell a model of the
catalogue; which panel ports are of which chip is as :mod:`fabricplan.proof.inside` has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fabricplan.asbuilt.found import DIRECTOR_CHIP, SWITCH, Found, FoundDevices, FoundLinks
from fabricplan.asbuilt.match import NameMap
from fabricplan.asbuilt.view import fold
from fabricplan.catalog import Catalog, DirectorChips, SwitchType
from fabricplan.plan import Plan
from fabricplan.proof.inside import director_of
from fabricplan.topology import LEAF
from fabricplan.topology import SWITCH as SWITCH_KIND


class _Director(NamedTuple):
    """A director: its name, its chips, port numbers of a cage in its profile."""

    name: str
    inside: DirectorChips
    numbers_per_cage: int

    def panel_port(self, side: str, module: int, unit: int, port: int) -> int:
        """Return the number among the ports of the panel; 0 for ports inside."""
        outside = self.inside.external_ports * self.numbers_per_cage
        if side.upper() != "L" or not 1 <= port <= outside:
            return 0
        chip = (module - 1) * self.inside.leaf_chips_per_module + unit - 1
        return chip * outside + port


_Chips = dict[int, tuple[_Director, str, int, int]]
"""Found row -> director, leaf or spine module, its number, number of the chip in it."""


def boxed(plan: Plan, found: Found, names: NameMap) -> Found:
    """Return the discovery with one row for each director of the plan; unchanged where the plan has none.

    Args:
        plan: the plan.
        found: the discovery.
        names: found names -> names of the plan; a director is named as a whole.
    """
    directors = _directors(plan)
    chips: _Chips = {}
    for row, (name, side, module, unit) in _parts(found) if directors else ():
        told = names.names.get(fold(name), name)
        if fold(told) in directors:
            chips[row] = directors[fold(told)], side, module, unit
    return _folded(found, chips)


def boxed_by_model(found: Found, catalog: Catalog) -> Found:
    """Return the discovery with one row for each director whose chips tell its model; unchanged where there is none.

    A chip that has more ports than its own number counts them in the split profile.
    """
    known = {fold(switch.inside.described_as): switch.inside for switch in catalog.all("switches", SwitchType)
             if switch.inside is not None}  # fmt: skip
    models = found.models()
    told = {row: part for row, part in _parts(found) if fold(models[row]) in known}
    most: dict[str, int] = {}
    for a, a_port, _, z, z_port, *_ in found.links.rows() if told else ():
        for row, port in ((a, a_port), (z, z_port)):
            if row in told:
                most[told[row][0]] = max(most.get(told[row][0], 0), port)
    chips: _Chips = {}
    for row, (name, side, module, unit) in told.items():
        inside = known[fold(models[row])]
        split = most.get(name, 0) > inside.external_ports + inside.internal_ports
        chips[row] = _Director(name, inside, 2 if split else 1), side, module, unit
    return _folded(found, chips)


def _parts(found: Found) -> Iterator[tuple[int, tuple[str, str, int, int]]]:
    """Yield the rows that bear the name of a director's chip, with the name taken apart."""
    kinds = found.devices.kind.tolist()
    for row, name in enumerate(found.names()):
        match = DIRECTOR_CHIP.fullmatch(name)
        if match and kinds[row] == SWITCH:
            yield row, (match[1], match[2], int(match[3]), int(match[4]))


def _folded(found: Found, chips: _Chips) -> Found:
    """Return the discovery with the chips of every director in one row; links inside are left out."""
    if not chips:
        return found
    home = list(range(len(found.devices)))
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
                told[fold(names[row])] = _Director(names[row], inside, sizing.shape.leaf.numbers_per_cage)
    return told
