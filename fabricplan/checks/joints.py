"""Rules on how links are joined: what plugs into which cage, fibre against module, reach, and what is missing.

They read the parts of each link, not the recipe that chose them: a slip in a recipe must show here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fabricplan.catalog import CableEnd, CableType, FibreType, PortClass, RecipeOption, TransceiverType
from fabricplan.catalog.fits import BUILT_IN, light
from fabricplan.checks.view import NOTHING, Joint, View
from fabricplan.errors import InfeasibleError
from fabricplan.mating import Join, ranked_options, reach_mm, recipe_for
from fabricplan.topology import NODE_LEAF, RESERVED, ROLES
from fabricplan.values import Finding, finding

Fault = tuple[str, dict[str, int | float | str]]
"""Code of a finding with its parameters, before the links are added."""


def link_without_parts(view: View) -> Iterator[Finding]:
    """Every link has a cable, but for reserved ports whose host is not known (those are told apart)."""
    for number, sizing in enumerate(view.sizings):
        bare = (view.fabric == number) & (view.link_part < 0)
        known = bare & ((view.role != RESERVED) | (view.host_class(sizing) != NOTHING))
        rows = np.flatnonzero(known)
        if rows.size:
            row = int(rows[0])
            yield finding("error", "link-without-parts", view.name(int(view.lower[row])),
                          port=int(view.lower_port[row]), far=view.name(int(view.upper[row])),
                          links=int(rows.size))  # fmt: skip
        waiting = int((bare & ~known).sum())
        if waiting:
            yield finding("info", "reserved-port-without-parts", sizing.name, ports=waiting)


def ends_fit(view: View) -> Iterator[Finding]:
    """Modules and cable ends fit their cages: form, top, lanes; a single-port module never sits in a twin cage."""
    yield from _told(view, ((joint, fault) for joint in view.joints for fault in _end_faults(view, joint)))


def fibres_fit(view: View) -> Iterator[Finding]:
    """Fibre and modules agree in mode and connector (with its polish), and the two modules in their optics."""
    yield from _told(view, ((joint, fault) for joint in view.joints for fault in _fibre_faults(view, joint)))


def parts_serve_technology(view: View) -> Iterator[Finding]:
    """Parts serve the fabric's technology: Ethernet-only modules never on InfiniBand."""
    yield from _told(view, ((joint, fault) for joint in view.joints for fault in _technology_faults(view, joint)))


def lengths_reach(view: View) -> Iterator[Finding]:
    """The ordered length is at least what the route needs, and at most what every part of the link reaches."""
    parts = view.cabling.cable_parts
    ordered = np.array([*(part.length_mm for part in parts), 0], np.int64)[view.link_part]
    short = np.flatnonzero((view.link_part >= 0) & (ordered < view.required_mm))
    if short.size:
        worst = int(short[np.argmax(view.required_mm[short] - ordered[short])])
        yield finding(
            "error", "too-short", view.name(int(view.lower[worst])), far=view.name(int(view.upper[worst])),
            ordered_m=int(ordered[worst]) / 1000, needed_m=int(view.required_mm[worst]) / 1000, links=int(short.size),
        )  # fmt: skip
    yield from _told(view, ((joint, fault) for joint in view.joints for fault in _reach_faults(view, joint)))


def lengths_stated(view: View) -> Iterator[Finding]:
    """Every cable states the length that the longest route among its links needs, and is ordered at least so long."""
    cables = view.cabling.cables
    if not len(cables):
        return
    carried = view.cabling.links.wide("cable")
    laid = np.flatnonzero(carried >= 0)
    needed = np.zeros(len(cables), np.int64)
    # a link of two fibres names the first in its row; the second knows its link only by itself
    link = cables.wide("link")
    alone = np.flatnonzero((np.bincount(carried[laid], minlength=len(cables)) == 0) & (link < len(carried)))
    needed[alone] = view.required_mm[link[alone]]
    np.maximum.at(needed, carried[laid], view.required_mm[laid])
    pieces = view.cabling.pieces
    needed[pieces] = view.piece_mm[pieces]
    # what links name in their row is judged with them: here what only stands beside it
    is_beside = np.zeros(len(cables), bool)
    is_beside[alone] = is_beside[pieces] = True
    is_beside[carried[laid]] = False
    beside = np.flatnonzero(is_beside)
    length = np.array([part.length_mm for part in view.cabling.cable_parts], np.int64)[cables.wide("part")]
    short = beside[length[beside] < needed[beside]]
    if short.size:
        worst = int(short[np.argmax(needed[short] - length[short])])
        ends = view.name(int(view.lower[link[worst]])), view.name(int(view.upper[link[worst]]))
        yield finding("error", "too-short", ends[0], far=ends[1], ordered_m=int(length[worst]) / 1000,
                      needed_m=int(needed[worst]) / 1000, links=int(short.size))  # fmt: skip
    stated = cables.wide("required_mm")
    wrong = np.flatnonzero(stated != needed)
    if wrong.size:
        row = int(wrong[0])
        ordered = view.cabling.cable_parts[int(cables.part[row])].length_mm
        yield finding("error", "length-differs", view.name(int(view.lower[cables.link[row]])), row=row,
                      stated_m=int(stated[row]) / 1000, needed_m=int(needed[row]) / 1000, ordered_m=ordered / 1000,
                      cables=int(wrong.size))  # fmt: skip


def cage_parts(view: View) -> Iterator[Finding]:
    """One module per cage, none without a link, none carrying more than it can; its fibres of one kind."""
    rows = view.cabling.transceivers
    if not len(rows):
        return
    spare = view.cage_count
    modules = np.bincount(view.module_cage, minlength=spare + 1)
    twice = np.flatnonzero(modules[:-1] > 1)
    if twice.size:
        device, cage = view.cage_place(int(twice[0]))
        yield finding("error", "module-twice", view.name(device), cage=cage, modules=int(modules[twice[0]]),
                      cages=int(twice.size))  # fmt: skip
    load = np.bincount(view.upper_cage, view.link_gbps, spare + 1) + np.bincount(
        view.lower_cage, view.link_gbps, spare + 1
    )
    load[spare] = 0
    idle = np.flatnonzero(load[view.module_cage] == 0)
    if idle.size:
        yield finding("error", "module-without-link", view.name(int(rows.device[idle[0]])),
                      cage=int(rows.cage[idle[0]]), modules=int(idle.size))  # fmt: skip
    types = [view.catalog.transceiver(key) for key in view.cabling.transceiver_parts]
    able = np.array([item.ports * item.port_gbps for item in types])[rows.part]
    over = np.flatnonzero(load[view.module_cage] > able)
    if over.size:
        row = int(over[0])
        yield finding("error", "module-overloaded", view.name(int(rows.device[row])), cage=int(rows.cage[row]),
                      part=types[int(rows.part[row])].pn, gbps=int(load[view.module_cage[row]]),
                      most=int(able[row]), modules=int(over.size))  # fmt: skip
    yield from _one_kind(view)


def _one_kind(view: View) -> Iterator[Finding]:
    families = [part.family if part.kind == "fibre" else NOTHING for part in view.cabling.cable_parts]
    known = sorted(set(families))
    family = np.array([*(known.index(name) for name in families), -1], np.int16)[view.link_part]
    for cages, ends in ((view.upper_cage, view.upper), (view.lower_cage, view.lower)):
        first = np.full(view.cage_count + 1, -1, np.int16)
        first[cages] = family
        if np.array_equal(first[cages], family):
            continue
        laid = np.flatnonzero((family >= 0) & (cages < view.cage_count) & (view.cage_module[cages] >= 0))
        first[cages[laid]] = family[laid]
        odd = laid[first[cages[laid]] != family[laid]]
        if odd.size:
            row = int(odd[0])
            yield finding("error", "fibres-mixed", view.name(int(ends[row])),
                          cage=view.cage_place(int(cages[row]))[1], one=known[int(family[row])],
                          other=known[int(first[cages[row]])], cages=int(np.unique(cages[odd]).size))  # fmt: skip


def estimate_decided(view: View) -> Iterator[Finding]:
    """An invented room must not decide the technology: tell where its lengths did, and which are invented."""
    cables, surveyed = len(view.cabling.cables), view.cabling.cables_where(view.surveyed)
    if surveyed.any() and surveyed.all():
        yield finding("info", "surveyed-lengths", view.requirement.name, cables=cables)
    elif surveyed.any():
        yield finding("info", "surveyed-partly", view.requirement.name, surveyed=int(surveyed.sum()), cables=cables)
    if view.cabling.length_source != "estimated":
        return
    longer: dict[int, list[int]] = {}
    copper: dict[int, int] = {}
    for joint in view.joints:
        option, join = option_of(view, joint)
        if option is None or join is None or joint.surveyed or joint.patched:
            continue
        if option.medium in ("dac", "acc"):
            copper[joint.fabric] = copper.get(joint.fabric, 0) + joint.links
        if not option.fibre:
            continue
        media = view.requirement.fabrics[joint.fabric].media
        tier = next(tier for tier in ranked_options(view.catalog, join.recipe, media) if option in tier)
        nearest = min(reach_mm(view.catalog, other) for other in tier if other.fibre)
        if reach_mm(view.catalog, option) > nearest:
            # links that share a module with a longer one take its kind too; one that was surveyed is no estimate
            far = view.joint_links(joint) & ~view.surveyed & ~view.patched & (view.required_mm > nearest)
            if far.any():
                total = longer.setdefault(joint.fabric, [0, nearest])
                total[0] += int(far.sum())
                total[1] = min(total[1], nearest)
    for number, (links, nearest) in longer.items():
        yield finding("warning", "estimated-beyond-multimode", view.sizings[number].name, links=links,
                      metres=nearest / 1000)  # fmt: skip
    for number, links in copper.items():
        yield finding("warning", "copper-by-estimate", view.sizings[number].name, links=links)
    if cables:
        yield finding("info", "estimated-lengths", view.requirement.name, cables=cables - int(surveyed.sum()),
                      longest_m=int(view.required_mm[~view.surveyed].max()) / 1000)  # fmt: skip


def estimated_joints(view: View) -> Iterator[Finding]:
    """Ways to join two ends that no document states, only inference."""
    told: dict[tuple[int, str], int] = {}
    for joint in view.joints:
        option, join = option_of(view, joint)
        if option is not None and join is not None and option.confidence == "estimated":
            told[joint.fabric, join.recipe.title] = told.get((joint.fabric, join.recipe.title), 0) + joint.links
    for (number, title), links in told.items():
        yield finding("info", "low-confidence-joint", view.sizings[number].name, joint=title, links=links)


def option_of(view: View, joint: Joint) -> tuple[RecipeOption | None, Join | None]:
    """Return the recipe option that a joint follows, with the recipe."""
    if joint.part < 0:
        return None, None
    technology, gbps = view.technology(joint.fabric), view.gbps(joint.fabric, joint.role)
    sizing = view.sizings[joint.fabric]
    rate = sizing.rate if joint.role in (NODE_LEAF, RESERVED) else sizing.uplink_rate
    key = (joint.upper_class, joint.lower_class, technology, rate)
    if key not in view.joins:
        try:
            view.joins[key] = recipe_for(view.catalog, joint.upper_class, joint.lower_class, technology, gbps, rate, "")
        except InfeasibleError:
            view.joins[key] = None
    join = view.joins[key]
    if join is None:
        return None, None
    part = view.cabling.cable_parts[joint.part]
    for option in join.recipe.options:
        named = option.cable if part.kind == "cable" else option.fibre
        modules = (join.module(option, True) or NOTHING, join.module(option, False) or NOTHING)
        fits = option.orderable and named == part.family and reach_mm(view.catalog, option) >= part.length_mm
        if fits and modules == (joint.upper_module, joint.lower_module):
            return option, join
    return None, None


def recipes_followed(view: View) -> Iterator[Finding]:
    """The parts of a link are a combination that the catalogue lists for these two ends."""
    yield from _told(view, ((joint, fault) for joint in view.joints for fault in _recipe_faults(view, joint)))


def _technology_faults(view: View, joint: Joint) -> Iterator[Fault]:
    technology = view.technology(joint.fabric)
    cable = _cable(view, joint)
    parts = [(cable.id, cable.technologies)] if cable is not None else []
    for key in dict.fromkeys((joint.upper_module, joint.lower_module)):
        if key:
            module = view.catalog.transceiver(key)
            parts.append((module.pn, module.technologies))
    for name, served in parts:
        if technology not in served:
            yield "part-technology", {"part": name, "technology": technology, "serves": ", ".join(served)}


def _reach_faults(view: View, joint: Joint) -> Iterator[Fault]:
    if joint.part < 0:
        return
    part = view.cabling.cable_parts[joint.part]
    cable, fibre = _cable(view, joint), _fibre(view, joint)
    limit = cable.reach_mm if cable else fibre.link_max_mm if fibre else None
    limits = [(part.pn or part.family, limit)]
    for key in dict.fromkeys((joint.upper_module, joint.lower_module)):
        if key:
            module = view.catalog.transceiver(key)
            limits.append((module.pn, module.reach_mm))
    for name, reach in limits:
        if reach is not None and part.length_mm > reach:
            yield "out-of-reach", {"part": name, "reach_m": reach / 1000, "length_m": part.length_mm / 1000}


def _recipe_faults(view: View, joint: Joint) -> Iterator[Fault]:
    if joint.part >= 0 and option_of(view, joint)[0] is None:
        part = view.cabling.cable_parts[joint.part]
        yield "unlisted-joint", {"part": part.pn or part.family, "upper": joint.upper_class,
                                 "lower": joint.lower_class}  # fmt: skip


def _end_faults(view: View, joint: Joint) -> Iterator[Fault]:
    cable = _cable(view, joint)
    above, below = _port(view, joint.upper_class), _port(view, joint.lower_class)
    if cable is not None:
        # the head may be at either end; judge the way round that fits better
        ways = [
            [fault for end, port in way if port is not None for fault in _plug(cable.id, end, port, cable)]
            for way in (((cable.head, above), (cable.tail, below)), ((cable.tail, above), (cable.head, below)))
        ]
        yield from min(ways, key=len)
        return
    twin = (view.upper_flat[joint.row], view.lower_flat[joint.row])
    for key, port, flat in ((joint.upper_module, above, twin[0]), (joint.lower_module, below, twin[1])):
        if port is None or joint.part < 0:
            continue
        if not key:
            if port.form not in BUILT_IN:
                yield "module-missing", {"cage": port.id}
            continue
        module = view.catalog.transceiver(key)
        yield from _plug(module.pn, module, port, module)
        if view.numbers.ravel()[flat] > 1 and module.ports == 1 and module.lanes < port.lanes:
            yield "single-in-twin", {"part": module.pn, "cage": port.id}


def _plug(
    name: str, end: CableEnd | TransceiverType, port: PortClass, part: CableType | TransceiverType
) -> Iterator[Fault]:
    if end.form != port.form and end.form not in port.accepts:
        yield "form-mismatch", {"part": name, "has": end.form, "cage": port.id, "takes": port.form}
        return
    if end.form == port.form and end.top != port.top:
        yield "top-mismatch", {"part": name, "has": end.top, "cage": port.id, "takes": port.top}
    if isinstance(part, TransceiverType) and (part.lanes > port.lanes or part.lane_gbps > port.lane_gbps):
        yield "lanes-mismatch", {"part": name, "lanes": part.lanes, "lane_gbps": part.lane_gbps, "cage": port.id,
                                 "cage_lanes": port.lanes, "cage_lane_gbps": port.lane_gbps}  # fmt: skip


def _fibre_faults(view: View, joint: Joint) -> Iterator[Fault]:
    fibre = _fibre(view, joint)
    if fibre is None:
        return
    keys = (joint.upper_module, joint.lower_module)
    modules = [view.catalog.transceiver(key) if key else None for key in keys]
    for module in dict.fromkeys(modules):
        if module is not None and module.mode != fibre.mode:
            yield "fibre-mode", {"part": module.pn, "has": module.mode or "-", "fibre": fibre.id,
                                 "mode": fibre.mode}  # fmt: skip
    head, tail = fibre.connector, fibre.tail_connector or fibre.connector
    shown = [
        module.connector if module else BUILT_IN.get(view.catalog.port_class(name).form, head) if name else head
        for module, name in zip(modules, (joint.upper_class, joint.lower_class), strict=True)
    ]
    names = [module.pn if module else name for module, name in
             zip(modules, (joint.upper_class, joint.lower_class), strict=True)]  # fmt: skip
    ways = [
        [(name, has, need) for name, has, need in zip(names, shown, way, strict=True) if has != need]
        for way in ((head, tail), (tail, head))
    ]
    best = ways[0] if len(ways[0]) <= len(ways[1]) else ways[1]
    for name, has, need in dict.fromkeys(best):
        yield "connector-mismatch", {"part": name, "has": has, "fibre": fibre.id, "connector": need}
    lit = [module for module in modules if module is not None and module.optics]
    if len(lit) == 2 and len({light(module) for module in lit}) > 1:
        yield "optics-mismatch", {"part": lit[0].pn, "optics": _words(lit[0]), "far_part": lit[1].pn,
                                  "far_optics": _words(lit[1])}  # fmt: skip


def _words(module: TransceiverType) -> str:
    family, gbps = light(module)
    return f"{family} {gbps}G"


def _told(view: View, faults: Iterator[tuple[Joint, Fault]]) -> Iterator[Finding]:
    """Turn faults of joints into findings: equal faults of one fabric and role are one, with their links summed."""
    found: dict[tuple[str, str, tuple[tuple[str, int | float | str], ...]], list[int]] = {}
    for joint, (code, params) in faults:
        where = f"{view.sizings[joint.fabric].name} {ROLES[joint.role]}"
        total = found.setdefault((code, where, tuple(params.items())), [0, joint.row])
        total[0] += joint.links
        total[1] = min(total[1], joint.row)
    for (code, where, items), (links, row) in found.items():
        yield finding("error", code, where, **dict(items), links=links, device=view.name(int(view.upper[row])))


def _cable(view: View, joint: Joint) -> CableType | None:
    part = view.cabling.cable_parts[joint.part] if joint.part >= 0 else None
    return view.catalog.cable(part.family) if part is not None and part.kind == "cable" else None


def _fibre(view: View, joint: Joint) -> FibreType | None:
    part = view.cabling.cable_parts[joint.part] if joint.part >= 0 else None
    return view.catalog.fibre(part.family) if part is not None and part.kind == "fibre" else None


def _port(view: View, name: str) -> PortClass | None:
    return view.catalog.port_class(name) if name else None


RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (
    link_without_parts, ends_fit, fibres_fit, parts_serve_technology, lengths_reach, lengths_stated, cage_parts,
    recipes_followed, estimate_decided, estimated_joints,
)  # fmt: skip
