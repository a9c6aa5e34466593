"""The cable schedule: one row for each plug-to-plug piece that a crew lays.

* A straight cable or fibre is one row, also where its plugs serve two links (twin-port copper): then the port
  cells name both ports.
* A splitter is one row per tail, with the id of the splitter and the tail's number.
* A link that takes two fibres has two rows with the same ports.
* A link through patch panels has a row for the cord at each end; a trunk is one row from panel to panel.
* A reserved port without a host is a row without a part; its id starts with R.

A is the lower end (node, leaf), Z the upper one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from fabricplan.cabling import CablePart
from fabricplan.names import digits
from fabricplan.patching import PanelPlace
from fabricplan.plan import Plan
from fabricplan.portwords import JOINER, LinkPorts, PortText, joined, link_ports, rail_texts
from fabricplan.schedule.columns import Cell, Coded, Texts, coded, distinct, objects
from fabricplan.schedule.panels import PanelEnds
from fabricplan.surveyed import route_lengths
from fabricplan.topology import ROLES, link_cages
from fabricplan.values import IntArray

T = TypeVar("T")
BLANK = -1 << 40
"""Slack of what has no part."""


class End(NamedTuple):
    """Columns of one end of the cables."""

    device: Coded
    rack: Coded
    u: Coded
    port: Coded
    number: Coded
    cage: Coded
    module: Coded
    module_opn: Coded


@dataclass(frozen=True)
class CableTable:
    """All rows of the cable schedule, as columns.

    ``link`` is the first link of a row, ``link_count`` how many it carries (0: a further fibre of a link, a trunk, or
    the cord at the upper end of a link through panels). ``a_rack_row`` and ``z_rack_row`` are rows of the rack table.
    ``label_a`` and ``label_z`` are the two lines of a cable label: at the A end A stands over Z, at the Z end Z over A.
    """

    id: Coded
    tail: Coded
    fabric: Coded
    role: Coded
    plane: Coded
    rail: Coded
    a: End
    z: End
    pn: Coded
    opn: Coded
    family: Coded
    length_mm: Coded
    required_mm: Coded
    slack_mm: Coded
    source: Coded
    polarity: Coded
    polish: Coded
    bundle: Coded
    label_a: Coded
    label_z: Coded
    link: IntArray
    link_count: IntArray
    a_port_order: IntArray
    z_port_order: IntArray
    a_rack_row: IntArray
    z_rack_row: IntArray

    def __len__(self) -> int:
        return int(self.link.size)


class CableRow(NamedTuple):
    """One row of the cable schedule; see :class:`CableTable`."""

    id: Cell
    tail: Cell
    fabric: Cell
    role: Cell
    plane: Cell
    rail: Cell
    a_device: Cell
    a_rack: Cell
    a_u: Cell
    a_port: Cell
    a_number: Cell
    a_cage: Cell
    a_module: Cell
    a_module_opn: Cell
    z_device: Cell
    z_rack: Cell
    z_u: Cell
    z_port: Cell
    z_number: Cell
    z_cage: Cell
    z_module: Cell
    z_module_opn: Cell
    pn: Cell
    opn: Cell
    family: Cell
    length_mm: Cell
    required_mm: Cell
    slack_mm: Cell
    source: Cell
    polarity: Cell
    polish: Cell
    bundle: Cell
    label_a: Cell
    label_z: Cell


def columns(table: CableTable) -> dict[str, Coded]:
    """Return the columns by the names of :class:`CableRow`, in its order."""
    found: dict[str, Coded] = {}
    for name in CableRow._fields:
        side, _, field = name.partition("_")
        found[name] = getattr(getattr(table, side), field) if side in ("a", "z") else getattr(table, name)
    return found


def cable_rows(plan: Plan) -> Iterator[CableRow]:
    """Return the cable schedule row by row; for large plans take the columns of :func:`cable_table`."""
    cells = (column.cells() for column in columns(cable_table(plan)).values())
    return map(CableRow._make, zip(*cells, strict=True))


class _Rows(NamedTuple):
    """Rows of the schedule before they are worded."""

    cable: IntArray
    tail: IntArray
    link: IntArray
    carried: IntArray


class _Side(NamedTuple):
    """One end of all rows as numbers: device row (panels follow the devices), row of the port's text, row of the
    transceiver keys, port number."""

    device: IntArray
    code: IntArray
    module: IntArray
    port: IntArray


class _Places(NamedTuple):
    """Names of devices and panels, their racks as rows and as names, their units, and what a label says of each."""

    names: list[str]
    rack_of: IntArray
    racks: tuple[str, ...]
    units: tuple[int | None, ...]
    spots: Texts


def cable_table(plan: Plan) -> CableTable:
    """Return the cable schedule of a plan, in order of cable and tail, reserved ports without a part last."""
    links, devices, rows = plan.topology.links, plan.topology.devices, _rows(plan)
    sharing, ports = _sharing(plan, rows), link_ports(plan)
    rails, rail_of_link = rail_texts(plan)
    rail = _row_codes(rail_of_link, rails, _join_words, rows, sharing)
    lower, upper = _sides(plan, rows, ports, sharing)
    pieces = None
    if plan.cabling.patches is not None:
        pieces = PanelEnds(plan, rows.cable, rows.tail, ports.texts)
        for plugs, side in ((pieces.lower, lower), (pieces.upper, upper)):
            pieces.plug(plugs, side.device, side.code, side.module, side.port, len(devices),
                        len(plan.cabling.transceiver_parts))  # fmt: skip
        # a trunk carries the links of many rails
        rail[pieces.trunks] = len(rails)
        rails.append("")
    places = _places(plan, pieces.panels if pieces else ())
    tag = objects([f"-{text.short}" if text.short else "" for text in ports.texts])
    near_a, near_z = (places.spots[side.device] + tag[side.code] for side in (lower, upper))
    parts = plan.cabling.cable_parts
    part, required, surveyed, bundle = _parts(plan, rows, pieces)
    slack = np.where(rows.cable >= 0, np.array([*(item.length_mm for item in parts), 0])[part] - required, BLANK)
    facts = [_fibre_facts(plan, item) for item in parts]
    return CableTable(
        id=_ids(plan, rows), tail=coded(rows.tail, blank=0),
        fabric=Coded(tuple(sizing.name for sizing in plan.fabrics), links.wide("fabric")[rows.link]),
        role=Coded(ROLES, links.wide("role")[rows.link]),
        plane=coded(devices.wide("plane")[links.wide("upper")[rows.link]], blank=0),
        rail=Coded(tuple(word or None for word in rails), rail),
        a=_end(plan, places, ports.texts, lower), z=_end(plan, places, ports.texts, upper),
        pn=Coded((*(item.pn for item in parts), None), part), opn=Coded((*(item.opn for item in parts), None), part),
        family=Coded((*(item.family for item in parts), None), part),
        length_mm=Coded((*(item.length_mm for item in parts), None), part),
        required_mm=coded(required), slack_mm=coded(slack, blank=BLANK),
        source=Coded((plan.cabling.length_source, "surveyed"), surveyed.astype(np.int64)),
        polarity=Coded((*(fact[0] for fact in facts), None), part),
        polish=Coded((*(fact[1] for fact in facts), None), part), bundle=coded(bundle, blank=0),
        label_a=distinct(near_a), label_z=distinct(near_z),
        link=rows.link, link_count=rows.carried, a_port_order=lower.port, z_port_order=upper.port,
        a_rack_row=places.rack_of[lower.device], z_rack_row=places.rack_of[upper.device],
    )  # fmt: skip


def _sides(plan: Plan, rows: _Rows, ports: LinkPorts, sharing: list[tuple[IntArray, IntArray]]) -> tuple[_Side, _Side]:
    """Return both ends of every row by its link; texts of joined ports are added to those of the ports."""
    links, modules = plan.topology.links, _modules(plan, rows)
    codes = [_row_codes(code, ports.texts, joined, rows, sharing) for code in (ports.lower, ports.upper)]
    lower, upper = (
        _Side(links.wide(name)[rows.link], code, module, links.wide(f"{name}_port")[rows.link])
        for name, code, module in zip(("lower", "upper"), codes, modules, strict=True)
    )
    return lower, upper


def _places(plan: Plan, panels: Sequence[PanelPlace]) -> _Places:
    names, racks, stands = plan.device_names(), plan.placement.rack_names(), plan.placement.places
    rack_of = np.append(stands.wide("rack"), np.array([item.rack for item in panels], np.int64))
    units = [*stands.u.tolist(), *(item.u for item in panels)]
    cells = tuple(racks[at] for at in rack_of.tolist())
    spots = [*_spots(plan, cells[: len(names)], units[: len(names)]),
             *(f"{racks[item.rack]}-U{item.u:02}" for item in panels)]  # fmt: skip
    return _Places([*names, *(item.name for item in panels)], rack_of, cells, tuple(unit or None for unit in units),
                   objects(spots))  # fmt: skip


def _end(plan: Plan, places: _Places, texts: Sequence[PortText], side: _Side) -> End:
    keys = [plan.products.transceiver(key) for key in plan.cabling.transceiver_parts]
    return End(
        device=Coded(tuple(places.names), side.device), rack=Coded(places.racks, side.device),
        u=Coded(places.units, side.device), port=Coded(tuple(text.panel for text in texts), side.code),
        number=Coded(tuple(text.number or None for text in texts), side.code),
        cage=Coded(tuple(text.cage for text in texts), side.code),
        module=Coded((*(key.pn for key in keys), None), side.module),
        module_opn=Coded((*(key.opn for key in keys), None), side.module),
    )  # fmt: skip


def _parts(
    plan: Plan, rows: _Rows, pieces: PanelEnds | None
) -> tuple[IntArray, IntArray, npt.NDArray[np.bool_], IntArray]:
    """Return the row of the cable parts (one past the last without a part), the required length, whether it was
    surveyed, and the bundle of every row."""
    cables, known, at = plan.cabling.cables, rows.cable >= 0, np.maximum(rows.cable, 0)
    part = np.full(rows.cable.size, len(plan.cabling.cable_parts), np.int64)
    lengths = route_lengths(plan, plan.placement)
    required, surveyed = lengths.required_mm[rows.link], lengths.surveyed[rows.link]
    bundle = np.zeros(rows.cable.size, np.int64)
    if len(cables):
        part = np.where(known, cables.wide("part")[at], part)
        required = np.where(known, cables.wide("required_mm")[at], required)
        bundle = np.where(known, cables.wide("bundle")[at], 0)
        surveyed = np.where(known, plan.cabling.cables_where(lengths.surveyed)[at], surveyed)
    if pieces is not None:
        surveyed[pieces.measured] = True
    return part, required, surveyed, bundle


def _spots(plan: Plan, racks: Sequence[str], units: Sequence[int]) -> list[str]:
    """Return rack and unit of every device as a label says them; switches that share a box add ``S1``, ``S2``, because
    the catalogue knows the panel words of one switch only."""
    twins = {
        row for row, item in enumerate(plan.topology.device_types)
        if item.kind == "switch" and plan.products.switch(item.key).switches_per_box > 1
    }  # fmt: skip
    seen: Counter[int] = Counter()
    found = []
    devices = plan.topology.devices
    rows = zip(racks, units, devices.type.tolist(), devices.box.tolist(), strict=True)
    for rack, unit, type_row, box in rows:
        seen[box] += 1
        half = f"-S{seen[box]}" if type_row in twins else ""
        found.append(f"{rack}-U{unit:02}{half}")
    return found


def _rows(plan: Plan) -> _Rows:
    """Return cable (-1: none), tail, first link and links of every row."""
    cable, tail = plan.cabling.links.wide("cable"), plan.cabling.links.wide("tail")
    link = np.arange(cable.size)
    first = plan.cabling.cables.wide("link")
    straight = np.bincount(cable[(cable >= 0) & (tail == 0)], minlength=first.size)
    held = np.nonzero(straight)[0]
    tails, bare = link[(cable >= 0) & (tail > 0)], link[cable < 0]
    served = np.bincount(cable[cable >= 0], minlength=first.size)
    further = np.nonzero(served == 0)[0]
    rows = _Rows(
        cable=np.concatenate([held, cable[tails], further, cable[bare]]),
        tail=np.concatenate([held * 0, tail[tails], further * 0, bare * 0]),
        link=np.concatenate([first[held], tails, first[further], bare]),
        carried=np.concatenate([straight[held], tails * 0 + 1, further * 0, bare * 0 + 1]),
    )  # fmt: skip
    number = np.append(plan.cabling.cable_numbers, 0)
    order = np.lexsort((rows.tail, number[rows.cable], rows.cable < 0))
    return _Rows(*(column[order] for column in rows))


def _sharing(plan: Plan, rows: _Rows) -> list[tuple[IntArray, IntArray]]:
    """Return the rows that carry k > 1 links and their links (rows x k), for every k that occurs."""
    cable = plan.cabling.links.wide("cable")
    order = np.argsort(cable, kind="stable")
    found = []
    for count in np.unique(rows.carried[rows.carried > 1]).tolist():
        shared = np.nonzero(rows.carried == count)[0]
        starts = np.searchsorted(cable[order], rows.cable[shared])
        found.append((shared, order[starts[:, None] + np.arange(count)]))
    return found


def _row_codes(
    code: IntArray, texts: list[T], join: Callable[[Sequence[T]], T], rows: _Rows,
    sharing: list[tuple[IntArray, IntArray]],
) -> IntArray:  # fmt: skip
    """Return the text of every row from the text of every link; rows with several links get joined texts, which
    are added to ``texts``."""
    found = code[rows.link]
    for shared, links in sharing:
        kinds, inverse = np.unique(code[links], axis=0, return_inverse=True)
        found[shared] = len(texts) + inverse.reshape(-1)
        texts += [join([texts[at] for at in kind]) for kind in kinds.tolist()]
    return found


def _join_words(words: Sequence[str]) -> str:
    return JOINER.join(dict.fromkeys(word for word in words if word))


def _modules(plan: Plan, rows: _Rows) -> tuple[IntArray, IntArray]:
    """Return the transceiver key of both ends of every row; one past the last where a plug is part of the cable."""
    links, none = plan.topology.links, len(plan.cabling.transceiver_parts)
    cages = link_cages(plan.requirement, plan.fabrics, plan.topology.devices, links)
    lower, upper = plan.cabling.module_parts(links, cages)
    return np.where(lower < 0, none, lower)[rows.link], np.where(upper < 0, none, upper)[rows.link]


def _fibre_facts(plan: Plan, part: CablePart) -> tuple[str | None, str | None]:
    """Return polarity and polish of a fibre; cables have neither."""
    if part.kind == "cable":
        return None, None
    fibre = plan.products.fibre(part.family)
    return fibre.polarity, fibre.polish


def _ids(plan: Plan, rows: _Rows) -> Coded:
    """Return the ids: C and the cable's number, R and a running number for reserved ports without a part."""
    cables = len(plan.cabling.cables)
    bare = int((rows.cable < 0).sum())
    narrow = digits(bare)
    words = [*plan.cabling.cable_ids(), *map(f"R%0{narrow}d".__mod__, range(1, bare + 1))]
    index = np.where(rows.cable >= 0, rows.cable, cables + np.cumsum(rows.cable < 0) - 1)
    return Coded(tuple(words), index)
