"""Switches of several chips that are planes of the same ports: one switch again, as it stands in the rack.

A Quantum-3 box shows a subnet manager four switches of one name, ``U1`` to ``U4``. Each of them carries one lane of
every port; an adapter of the same generation has a port for each::

    "node mlx5_0"[1] -- "ib1:Q3400_RA/U1"[7]   1xXDR
    "node mlx5_0"[2] -- "ib1:Q3400_RA/U2"[7]   1xXDR     =>   "node mlx5_0"[1] -- "ib1"[7]   4xXDR
    "node mlx5_0"[3] -- "ib1:Q3400_RA/U3"[7]   1xXDR
    "node mlx5_0"[4] -- "ib1:Q3400_RA/U4"[7]   1xXDR

A lane that is missing makes the link slower; lanes of one port that lead to several places are told.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from fabricplan.asbuilt.found import ADAPTER, AGGREGATION, SWITCH, Found, FoundDevices, FoundLinks
from fabricplan.values import Finding, finding

_End = tuple[int, int]


def folded(found: Found) -> Found:
    """Return the discovery with one row for each switch of several chips; unchanged where there is none."""
    devices = found.devices
    alike: dict[tuple[int, str, int], list[int]] = defaultdict(list)
    names = [name.casefold() for name in found.names()]
    chip: list[int] = devices.chip.tolist()
    kinds: list[int] = devices.kind.tolist()
    for row in np.flatnonzero((devices.kind == SWITCH) & (devices.chip > 0) & (devices.named == 1)).tolist():
        alike[int(devices.source[row]), names[row], int(devices.model[row])].append(row)
    home = list(range(len(devices)))
    far = _far(found, names) if any(len(rows) > 1 for rows in alike.values()) else {}
    for rows in alike.values():
        if (
            len(rows) > 1
            and len({chip[row] for row in rows}) == len(rows)
            and _planes([far.get(row, {}) for row in rows])
        ):
            first = min(rows, key=lambda row: chip[row])
            for row in rows:
                home[row] = first
    if home == list(range(len(devices))):
        return found
    planar = {first for row, first in enumerate(home) if row != first}
    kept = [row for row, first in enumerate(home) if row == first]
    place = {row: at for at, row in enumerate(kept)}
    links, told = _links(found, home, planar, kinds, chip)
    columns = dict(zip(FoundLinks.columns, np.array(links, np.int64).reshape(-1, len(FoundLinks.columns)).T,
                       strict=True))  # fmt: skip
    row_of = np.array([place.get(row, -1) for row in range(len(home))])
    columns |= {"a": row_of[columns["a"]], "z": row_of[columns["z"]]}
    guid = devices.guid.tolist()
    further = tuple((place[first], guid[row]) for row, first in enumerate(home) if row != first and guid[row])
    return found.model_copy(update={
        "devices": FoundDevices(**{name: getattr(devices, name)[kept] for name in FoundDevices.columns}),
        "links": FoundLinks(**columns), "findings": (*found.findings, *told), "folded": (*found.folded, *further),
    })  # fmt: skip


def _far(found: Found, names: list[str]) -> dict[int, dict[int, str]]:
    """Return switch row -> port -> name of the device at the far end."""
    led: dict[int, dict[int, str]] = defaultdict(dict)
    for a, a_port, _, z, z_port, *_ in found.links.rows():
        led[a][a_port] = names[z]
        led[z][z_port] = names[a]
    return led


def _planes(chips: list[dict[int, str]]) -> bool:
    """Return whether most ports that several chips use lead to one device: else they are switches in one box."""
    same = apart = 0
    for port in {port for led in chips for port in led}:
        told = [led[port] for led in chips if port in led]
        if len(told) > 1:
            same, apart = (same + 1, apart) if len(set(told)) == 1 else (same, apart + 1)
    return same > apart


def _links(
    found: Found, home: list[int], planar: set[int], kinds: list[int], chip: list[int]
) -> tuple[list[tuple[int, ...]], list[Finding]]:
    """Return the links between the kept rows, lanes of the same two ports as one; and what contradicts itself."""
    rows = list(found.links.rows())
    # an adapter has a port for each chip: port n is on chip n
    paired: dict[int, bool] = {}
    for a, a_port, _, z, z_port, *_ in rows:
        for end, port, far in ((a, a_port, z), (z, z_port, a)):
            if kinds[end] == ADAPTER:
                paired[end] = paired.get(end, True) and home[far] in planar and chip[far] == port
    lanes: dict[tuple[_End, _End], list[int]] = {}
    width, gbps = list(FoundLinks.columns).index("width"), list(FoundLinks.columns).index("gbps")
    for row in rows:
        a, a_port, _, z, z_port, *_ = row
        one = (home[a], 1 if paired.get(a) else a_port)
        two = (home[z], 1 if paired.get(z) else z_port)
        known = lanes.get((one, two)) or lanes.get((two, one))
        if known is None:
            lanes[one, two] = [one[0], one[1], row[2], two[0], two[1], *row[5:]]
        else:
            known[width] += row[width]
            known[gbps] += row[gbps]
    best: dict[_End, tuple[int, tuple[_End, _End]]] = {}
    apart: dict[_End, None] = {}
    for pair, lane in lanes.items():
        for spot in pair:
            if spot[0] in planar and all(kinds[other[0]] < AGGREGATION for other in pair):
                if spot in best:
                    apart[spot] = None
                if spot not in best or best[spot][0] < lane[width]:
                    best[spot] = (lane[width], pair)
    names = found.names()
    told = [finding("error", "lanes-apart", names[device], port=number) for device, number in apart]
    kept = [tuple(lane) for pair, lane in lanes.items()
            if all(spot not in apart or best[spot][1] == pair for spot in pair)]  # fmt: skip
    return kept, told
