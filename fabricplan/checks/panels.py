"""Rules on links through patch panels: connectors, pins, crossings, loss, length of the whole path; what runs direct.

They read the parts that were laid and the trunk that was asked, not the choice that led to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from fabricplan.cabling import direct_links
from fabricplan.catalog import FibreType
from fabricplan.catalog.fits import has_pins
from fabricplan.checks.view import View
from fabricplan.patching import (
    LOSS_MAX_DB,
    Run,
    crossing_count,
    path_loss_db,
    runs_on_floor,
    spanning,
)
from fabricplan.placement import REAR
from fabricplan.sides import OF_FACE, link_sides
from fabricplan.values import Finding, IntArray, finding

FAR_MM = 1 << 40
"""Reach of what states none."""


class _Path(NamedTuple):
    """Links of one run with the same cords and modules: rows of the patches, and the fibres from end to end."""

    run: Run
    rows: IntArray
    lower: FibreType
    upper: FibreType


def _paths(view: View) -> Iterator[_Path]:
    patches = view.cabling.patches
    if patches is None:
        return
    runs = runs_on_floor(view.requirement.room, view.placement, view.catalog)
    part, parts = view.cabling.cables.wide("part"), view.cabling.cable_parts
    lower = part[view.cabling.links.wide("cable")[patches.wide("link")]]
    key = np.stack([patches.wide("run"), lower, part[patches.wide("upper_cord")], part[patches.wide("trunk")]])
    kinds, which = np.unique(key, axis=1, return_inverse=True)
    families: dict[tuple[int, str, str, str], list[IntArray]] = {}
    for number, (run, one, two, trunk) in enumerate(kinds.T.tolist()):
        names = (run, parts[one].family, parts[two].family, parts[trunk].family)
        families.setdefault(names, []).append(np.flatnonzero(which.reshape(-1) == number))
    for (run, one_key, two_key, trunk_key), rows in families.items():
        laid = runs[run]._replace(trunk=view.catalog.fibre(trunk_key))
        yield _Path(laid, np.concatenate(rows), view.catalog.fibre(one_key), view.catalog.fibre(two_key))


def connectors_mate(view: View) -> Iterator[Finding]:
    """Cords, trunk and panel have one connector with one polish, cords and trunk one mode; a trunk has pins where cords
    have none, and the other way round."""
    for path in _paths(view):
        run, trunk = path.run, path.run.trunk
        name, links = run.asked.name, int(path.rows.size)
        for cord in {path.lower.id: path.lower, path.upper.id: path.upper}.values():
            if cord.mode != trunk.mode:
                yield finding("error", "panel-mode", name, cord=cord.id, mode=cord.mode, trunk=trunk.id,
                              trunk_mode=trunk.mode, links=links)  # fmt: skip
            if cord.connector != trunk.connector:
                yield finding("error", "panel-connectors", name, cord=cord.id, has=cord.connector, trunk=trunk.id,
                              needs=trunk.connector, links=links)  # fmt: skip
            one, other = has_pins(cord), has_pins(trunk)
            if one is not None and one == other:
                yield finding("error", "panel-pins", name, cord=cord.id, trunk=trunk.id, gender=trunk.gender or "",
                              links=links)  # fmt: skip
            elif (one is None) != (other is None):
                yield finding("warning", "panel-pins-unknown", name, cord=cord.id, trunk=trunk.id, links=links)
        if run.panel.connector != trunk.connector:
            yield finding("error", "panel-connectors", run.asked.name, cord=run.panel.id, trunk=trunk.id,
                          has=run.panel.connector, needs=trunk.connector, links=int(path.rows.size))  # fmt: skip


def crossings_odd(view: View) -> Iterator[Finding]:
    """Polarity from end to end: an odd number of crossings over cord, trunk and cord."""
    for path in _paths(view):
        trunk = path.run.trunk
        counts = [crossing_count(fibre) for fibre in (path.lower, trunk, path.upper)]
        known = [count for count in counts if count is not None]
        name, links = path.run.asked.name, int(path.rows.size)
        if len(known) < len(counts):
            yield finding("warning", "panel-crossings-unknown", name, trunk=trunk.id, cord=path.lower.id, links=links)
        elif sum(known) % 2 == 0:
            yield finding("error", "panel-crossings", name, crossings=sum(known), trunk=trunk.id,
                          polarity=trunk.polarity or "", links=links)  # fmt: skip


def loss_within(view: View) -> Iterator[Finding]:
    """The connectors of a path lose no more than the rated reach of the modules allows for."""
    for path in _paths(view):
        loss = path_loss_db(path.lower, path.run.trunk, path.upper)
        name, links = path.run.asked.name, int(path.rows.size)
        if loss is None:
            lacking = {fibre.id for fibre in (path.lower, path.run.trunk, path.upper) if fibre.loss_db_max is None}
            yield finding("warning", "panel-loss-unknown", name, parts=", ".join(sorted(lacking)), most_db=LOSS_MAX_DB,
                          links=links)  # fmt: skip
        elif loss > LOSS_MAX_DB:
            yield finding("error", "panel-loss", name, loss_db=loss, most_db=LOSS_MAX_DB, trunk=path.run.trunk.id,
                          links=links)  # fmt: skip


def paths_reach(view: View) -> Iterator[Finding]:
    """Cords and trunk of every link together are no longer than what its own modules, its cords and its trunk reach."""
    patches, cabling = view.cabling.patches, view.cabling
    if patches is None:
        return
    length = np.array([part.length_mm for part in cabling.cable_parts], np.int64)[cabling.cables.wide("part")]
    cord = cabling.links.wide("cable")[patches.wide("link")]
    whole = length[cord] + length[patches.wide("upper_cord")] + length[patches.wide("trunk")]
    for path in _paths(view):
        link = patches.wide("link")[path.rows]
        limits = [(fibre.id, np.full(link.size, fibre.link_max_mm or FAR_MM)) for fibre in
                  (path.lower, path.run.trunk, path.upper)]  # fmt: skip
        for cages in (view.upper_cage, view.lower_cage):
            module = view.cage_module[cages[link]]
            limits += [(pn, np.where(module == row, reach, FAR_MM)) for row, pn, reach in _reaches(view, path.run)]
        for part, limit in limits:
            beyond = np.flatnonzero(whole[path.rows] > limit)
            if beyond.size:
                worst = int(beyond[np.argmax((whole[path.rows] - limit)[beyond])])
                yield finding("error", "panel-path", path.run.asked.name, part=part,
                              length_m=int(whole[path.rows][worst]) / 1000, reach_m=int(limit[worst]) / 1000,
                              links=int(beyond.size))  # fmt: skip


def _reaches(view: View, run: Run) -> list[tuple[int, str, int]]:
    """Return the modules that state a reach over a run's grade of fibre: their row, part number and reach in mm."""
    found = []
    for row, key in enumerate(view.cabling.transceiver_parts):
        module = view.catalog.transceiver(key)
        stated = [reach for reach in (dict(module.reach_by_grade).get(run.trunk.grade), module.reach_mm) if reach]
        found += [(row, module.pn, min(stated))] if stated else []
    return found


def pieces_belong(view: View) -> Iterator[Finding]:
    """The table of patched links agrees with itself and with the room: which links go through, one cord each, a trunk
    for so many neighbouring ports, of the trunk's family."""
    patches, cabling = view.cabling.patches, view.cabling
    if patches is None:
        return
    link, run, port, trunk = (patches.wide(name) for name in ("link", "run", "port", "trunk"))
    runs = runs_on_floor(view.requirement.room, view.placement, view.catalog)
    spans = spanning(view.requirement, view.topology, view.placement)
    size = np.array([item.trunk_links for item in runs], np.int64)[run]
    group = run * 65_536 + (port - 1) // size
    cords = np.concatenate([cabling.links.wide("cable")[link], patches.wide("upper_cord")])
    part, first = cabling.cables.wide("part"), cabling.cables.wide("link")
    family = np.array([item.family for item in cabling.cable_parts])
    wanted = np.array([item.asked.trunk for item in runs])
    faults = (
        ("link", np.flatnonzero(np.diff(link) <= 0)),
        ("run", np.flatnonzero((spans.run[link] != run) | (spans.flip[link] != (patches.flip > 0)))),
        ("cord", np.union1d(_repeated(cords), np.flatnonzero(first[cords] != np.tile(link, 2))) % max(link.size, 1)),
        ("trunk", np.flatnonzero((_owner(group, trunk) != trunk) | (_owner(trunk, group) != group)
                                 | (family[part[trunk]] != wanted[run]))),
    )  # fmt: skip
    for what, rows in faults:
        if rows.size:
            row = int(rows[0])
            yield finding("error", "panel-pieces", runs[int(run[row])].asked.name, what=what, port=int(port[row]),
                          device=view.name(int(view.lower[link[row]])), links=int(rows.size))  # fmt: skip


def _owner(key: IntArray, value: IntArray) -> IntArray:
    """Return for every row the value of the first row with its key."""
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    found: IntArray = value[first][which]
    return found


def _repeated(values: IntArray) -> IntArray:
    """Return the rows whose value stands in an earlier row."""
    _, first = np.unique(values, return_index=True)
    return np.setdiff1d(np.arange(values.size), first)


def patched_as_asked(view: View) -> Iterator[Finding]:
    """How many links go through each run and what is left; which run direct; a port taken twice."""
    runs = view.requirement.room.panels
    if not runs:
        return
    patches = view.cabling.patches
    direct = direct_links(spanning(view.requirement, view.topology, view.placement), patches)
    direct[view.link_part < 0] = -1
    for run in runs_on_floor(view.requirement.room, view.placement, view.catalog):
        mine = np.zeros(0, np.int64) if patches is None else np.flatnonzero(patches.run == run.number)
        if mine.size and patches is not None:
            port = patches.wide("port")[mine]
            if np.unique(port).size < port.size or int(port.max()) > run.ports:
                yield finding("error", "panel-port", run.asked.name, links=int(mine.size), ports=run.ports)
            yield finding("info", "panels-used", run.asked.name, links=int(mine.size), ports=run.ports,
                          free=run.ports - int(mine.size),
                          trunks=int(np.unique(patches.wide("trunk")[mine]).size))  # fmt: skip
        for number, sizing in enumerate(view.sizings):
            rows = np.flatnonzero((direct == run.number) & (view.fabric == number))
            if rows.size:
                names = {view.cabling.cable_parts[part].family for part in np.unique(view.link_part[rows]).tolist()}
                yield finding("warning", "panels-direct", run.asked.name, fabric=sizing.name, links=int(rows.size),
                              parts=", ".join(sorted(names)), trunk=run.trunk.id)  # fmt: skip
        if not mine.size and not np.any(direct == run.number):
            yield finding("warning", "panels-empty", run.asked.name, panels=2 * run.asked.panels)


def surveyed_through_panels(view: View) -> Iterator[Finding]:
    """Lengths that were surveyed for links through panels: no one cable is as long, so they are passed over."""
    surveyed = int((view.lengths_surveyed & view.patched).sum())
    if surveyed:
        yield finding("warning", "surveyed-through-panels", view.requirement.name, links=surveyed)


def through_racks(view: View) -> Iterator[Finding]:
    """Cables that lead from the front of the racks to the rear take the depth of a rack more."""
    sides = link_sides(view.stages)
    if sides is None or view.requirement.room.uniform_length_mm is not None:
        return
    differ = (sides.lower != sides.upper) & (sides.lower > 0) & (sides.upper > 0) & ~view.patched
    for number, sizing in enumerate(view.sizings):
        mine = np.flatnonzero(differ & (view.fabric == number) & ~view.surveyed)
        if mine.size:
            row = int(mine[0])
            rear = view.upper[row] if sides.upper[row] == REAR else view.lower[row]
            front = view.lower[row] if sides.upper[row] == REAR else view.upper[row]
            yield finding("info", "through-the-rack", sizing.name, links=int(mine.size), rear=view.name(int(rear)),
                          front=view.name(int(front)), more_m=view.requirement.room.pass_through / 1000)  # fmt: skip


def cords_through_racks(view: View) -> Iterator[Finding]:
    """Cords from a device that looks to one side of the racks to a panel that looks to the other."""
    patches, sides = view.cabling.patches, link_sides(view.stages)
    if patches is None or sides is None:
        return
    link, flip = patches.wide("link"), patches.flip > 0
    for run in runs_on_floor(view.requirement.room, view.placement, view.catalog):
        faces = [OF_FACE[end.face] for end in run.asked.ends]
        mine = patches.run == run.number
        cords = 0
        for device, panel in ((sides.lower[link], np.where(flip, faces[1], faces[0])),
                              (sides.upper[link], np.where(flip, faces[0], faces[1]))):  # fmt: skip
            cords += int((mine & (device > 0) & (panel > 0) & (device != panel)).sum())
        if cords:
            yield finding("info", "cords-through-the-rack", run.asked.name, cords=cords,
                          more_m=view.requirement.room.pass_through / 1000)  # fmt: skip


RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (
    connectors_mate, crossings_odd, loss_within, paths_reach, pieces_belong, patched_as_asked, surveyed_through_panels,
    through_racks, cords_through_racks,
)  # fmt: skip
