"""Rules on the room: power, cooling, airflow, rack units, and boxes that hold two switches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from fabricplan.catalog import PlatformType, SwitchType
from fabricplan.checks.racks import some_of
from fabricplan.checks.view import View
from fabricplan.placement import FRONT, panel_at, rack_units_of, standing
from fabricplan.sides import fabric_sides
from fabricplan.stages import final_requirement
from fabricplan.topology import HOST, NODE, SPINE, SWITCH, group_links
from fabricplan.values import Finding, IntArray, distinct, finding


def placed_for(view: View) -> Iterator[Finding]:
    """Which placement was taken where one was asked that saves, and what it saves: of a fabric that grows its final
    stage, which is placed as a whole."""
    choice = view.placement.choice
    if choice is None:
        return
    stage = "" if final_requirement(view.requirement) is None else "-final"
    now, plain, name = choice.weight, choice.plain, view.requirement.name
    if plain is None:
        yield finding("info", f"placed-for-only{stage}", name, leaves=choice.leaves, ends=now.optical_ends,
                      longest_m=now.longest_mm / 1000)  # fmt: skip
    elif choice.place_for == "cost":
        yield finding("info", f"placed-for-cost{stage}", name, leaves=choice.leaves, tried=choice.tried,
                      ends=now.optical_ends, modules=now.transceivers, metres=now.metres, plain_ends=plain.optical_ends,
                      plain_modules=plain.transceivers, plain_metres=plain.metres,
                      saved_ends=plain.optical_ends - now.optical_ends,
                      saved_modules=plain.transceivers - now.transceivers,
                      rule_ends=choice.rule.optical_ends if choice.rule else 0)  # fmt: skip
    else:
        yield finding("info", f"placed-for-reach{stage}", name, leaves=choice.leaves, tried=choice.tried,
                      metres=now.metres, longest_m=now.longest_mm / 1000, plain_metres=plain.metres,
                      plain_longest_m=plain.longest_mm / 1000)  # fmt: skip


def power(view: View) -> Iterator[Finding]:
    """Sum of the switches' maximum power, per box, with the models named whose figure is not known."""
    known, unknown = 0.0, []
    for model, boxes in _boxes(view).items():
        watts = view.catalog.switch(model).power_max_w
        if watts is None:
            unknown.append(f"{model} x {boxes}")
        else:
            known += watts * boxes
    if unknown and not known:
        yield finding("info", "no-power-known", view.requirement.name, models=", ".join(unknown))
    elif unknown:
        yield finding("info", "power-unknown", view.requirement.name, known_w=round(known), models=", ".join(unknown))
    else:
        yield finding("info", "power", view.requirement.name, known_w=round(known))


def no_supply(view: View) -> Iterator[Finding]:
    """Switches and nodes without power supplies of their own need a busbar or power shelf in the rack."""
    for entry, boxes in _built(view):
        if entry.psu_count == 0:
            yield finding("warning", "no-psu", _model(entry), boxes=boxes, input=entry.psu_input or "DC")


def coolant(view: View) -> Iterator[Finding]:
    """Liquid-cooled switches and nodes need a coolant loop."""
    for entry, boxes in _built(view):
        if entry.cooling in ("liquid", "hybrid"):
            yield finding("warning", "coolant-loop", _model(entry), boxes=boxes)


def _built(view: View) -> Iterator[tuple[SwitchType | PlatformType, int]]:
    """Yield every kind of switch box and node with how many there are."""
    for model, boxes in _boxes(view).items():
        yield view.catalog.switch(model), boxes
    counts = np.bincount(view.devices.type[view.devices.kind == NODE], minlength=len(view.topology.device_types))
    for item, count in zip(view.topology.device_types, counts.tolist(), strict=True):
        if item.kind == "platform" and count:
            yield view.catalog.platform(item.key), count


def _model(entry: SwitchType | PlatformType) -> str:
    return entry.title if isinstance(entry, PlatformType) else entry.model


def _boxes(view: View) -> dict[str, int]:
    """Return the boxes of every switch model, bought or reused."""
    found: dict[str, int] = {}
    for line in view.bom.lines:
        if line.kind == "switch":
            found[line.key] = found.get(line.key, 0) + line.quantity + line.reused
    return found


def airflow_mixed(view: View) -> Iterator[Finding]:
    """Within one rack all switches breathe in the same direction."""
    devices, rack = view.devices, view.placement.places.wide("rack")
    flow = np.zeros(len(devices), np.int64)
    for number, sizing in enumerate(view.sizings):
        for item, entry in enumerate(view.topology.device_types):
            switch = view.switch_of(item)
            if switch is None:
                continue
            airflow = switch.airflow_of(sizing.pn_of(entry.key))
            if airflow:
                mine = (devices.fabric == number) & (devices.kind == SWITCH) & (devices.type == item)
                flow[mine] = 1 if airflow == "P2C" else 2
    racks = len(view.placement.racks)
    there = [np.bincount(rack[flow == code], minlength=racks) for code in (1, 2)]
    mixed = np.flatnonzero((there[0] > 0) & (there[1] > 0))
    if mixed.size:
        first = int(mixed[0])
        yield finding("error", "airflow-mixed", view.placement.rack_names()[first], p2c=int(there[0][first]),
                      c2p=int(there[1][first]), racks=int(mixed.size),
                      named=some_of([view.placement.rack_names()[row] for row in mixed.tolist()]))  # fmt: skip


def airflow_assumed(view: View) -> Iterator[Finding]:
    """A model that is sold in both airflows, where the request names none."""
    told: set[str] = set()
    for fabric, sizing in zip(view.requirement.fabrics, view.sizings, strict=True):
        for variant in sizing.variants:
            switch = view.catalog.switch(variant.model)
            flows = {form.airflow for form in switch.variants if form.airflow and form.orderable}
            taken = switch.airflow_of(variant.pn)
            if fabric.airflow is None and len(flows) > 1 and taken and variant.model not in told:
                told.add(variant.model)
                yield finding("info", "airflow-assumed", variant.model, airflow=taken, pn=variant.pn)


def node_sides(view: View) -> Iterator[Finding]:
    """Leaves whose ports look to the cold aisle, and nodes of which nobody says where theirs look: most look to the hot
    one, and then the cables between them go through the rack."""
    room = view.requirement.room
    if room.uniform_length_mm is not None or not room.pass_through:
        return
    for number, sizing in enumerate(view.sizings):
        sides = fabric_sides(view.stages, sizing)
        open_links: dict[str, int] = {}
        for group, rows in group_links(view.requirement, view.sizings, view.devices, view.topology.links, number):
            lower, upper = sides.get(group.group, (0, 0)) if group.kind == "nodes" else (0, 0)
            count = int((~view.surveyed[rows]).sum())
            if not lower and upper == FRONT and count:
                open_links[group.group] = count
        if open_links:
            yield finding("info", "node-side-unknown", sizing.name, groups=", ".join(open_links),
                          links=sum(open_links.values()), more_m=room.pass_through / 1000)  # fmt: skip


def rack_units(view: View) -> Iterator[Finding]:
    """Devices of a rack neither overlap nor stand above its units, in reserved ones or in those of patch panels;
    heights that are not known are not counted, but for the unit that such a device stands at."""
    places = view.placement.places
    rack, u, height = places.wide("rack"), places.wide("u"), places.wide("height")
    rows = _solid(view)
    order = rows[np.lexsort((u[rows], rack[rows]))]
    units = rack_units_of(view.placement, view.requirement.room)
    above = np.flatnonzero(u[order] + height[order] - 1 > units[rack[order]])
    same = rack[order[1:]] == rack[order[:-1]]
    hit = np.flatnonzero(same & (u[order[1:]] < u[order[:-1]] + height[order[:-1]]))
    names = view.placement.rack_names() if above.size or hit.size else []
    if above.size:
        device = int(order[above[0]])
        yield finding("error", "rack-too-low", names[int(rack[device])], device=view.name(device),
                      top=int(u[device] + height[device] - 1), units=int(units[rack[device]]),
                      devices=int(above.size))  # fmt: skip
    if hit.size:
        lower, upper = int(order[hit[0]]), int(order[hit[0] + 1])
        yield finding("error", "rack-overlap", names[int(rack[lower])], device=view.name(lower),
                      other=view.name(upper), u=int(u[upper]), devices=int(hit.size))  # fmt: skip
    yield from _kept_free(view)


def _kept_free(view: View) -> Iterator[Finding]:
    """Tell devices in units in which nothing of ours may stand: reserved ones, those of patch panels, fixed racks."""
    room, places = view.requirement.room, view.placement.places
    if room.rows is None:
        return
    rack, u = places.wide("rack"), places.wide("u")
    top = u + np.maximum(places.wide("height"), 1) - 1
    site, first = standing(view.placement, room), _first_of_boxes(view)
    there = np.array([bool(item.reserved) or item.kind == "fixed" for item in site], bool)[rack] & first & (u > 0)
    fixed: list[int] = []
    reserved: list[tuple[int, int]] = []
    panels: list[tuple[int, int]] = []
    for row in np.flatnonzero(there).tolist():
        item = site[rack[row]]
        taken = next((unit for unit in range(int(u[row]), int(top[row]) + 1) if unit in item.reserved), 0)
        if item.kind == "fixed":
            fixed.append(row)
        elif taken:
            (panels if taken in item.panels else reserved).append((row, taken))
    if fixed:
        yield finding("error", "rack-fixed", site[rack[fixed[0]]].name, device=view.name(fixed[0]), devices=len(fixed))
    if reserved:
        row, unit = reserved[0]
        yield finding("error", "rack-reserved", site[rack[row]].name, device=view.name(row), devices=len(reserved),
                      u=unit)  # fmt: skip
    if panels:
        row, unit = panels[0]
        name = site[rack[row]].name
        yield finding("error", "rack-panel", name, device=view.name(row), devices=len(panels), u=unit,
                      panel=panel_at(room, name, unit))  # fmt: skip


def _solid(view: View) -> IntArray:
    """Return one device row per physical box of known height."""
    return np.flatnonzero(_first_of_boxes(view) & (view.placement.places.height > 0))


def _first_of_boxes(view: View) -> npt.NDArray[np.bool_]:
    """Return which devices are the first of their physical box."""
    box = view.devices.wide("box")
    first = np.ones(box.size, bool)
    switches = np.flatnonzero(box >= 0)
    if switches.size:
        seen = np.full(int(box.max()) + 1, -1, np.int64)
        seen[box[switches[::-1]]] = switches[::-1]
        first[switches] = seen[box[switches]] == switches
    return first


def height_unknown(view: View) -> Iterator[Finding]:
    """Platforms and switches whose height is not known: their rack units are not counted."""
    devices = view.devices
    unknown = (view.placement.places.height == 0) & (devices.kind != HOST)
    counts = np.bincount(devices.type[unknown], minlength=len(view.topology.device_types))
    for item, count in enumerate(counts.tolist()):
        if count:
            yield finding("info", "height-unknown", view.topology.device_types[item].key, devices=count)


def twin_boxes(view: View) -> Iterator[Finding]:
    """Two switches share a box: told with the unused halves; never a redundant pair in one box."""
    devices = view.devices
    twins = [item for item in range(len(view.topology.device_types))
             if (switch := view.switch_of(item)) and switch.switches_per_box > 1]  # fmt: skip
    rows = np.flatnonzero((devices.kind == SWITCH) & np.isin(devices.type, twins))
    if not rows.size:
        return
    box = devices.wide("box")
    yield from _shared(view, rows)
    for item in twins:
        mine = rows[devices.type[rows] == item]
        boxes = int(distinct(box[mine]).size)
        if boxes:
            model = view.topology.device_types[item].key
            per_box = view.catalog.switch(model).switches_per_box
            yield finding("info", "twin-box", model, boxes=boxes, switches=int(mine.size),
                          unused=boxes * per_box - int(mine.size))  # fmt: skip


def _shared(view: View, rows: IntArray) -> Iterator[Finding]:
    """Tell boxes that hold a redundant pair: two planes or roles, or all spines of a plane or pod."""
    devices = view.devices
    box = devices.wide("box")
    role = (devices.wide("fabric") * 256 + devices.wide("plane")) * 4 + devices.wide("tier")
    first = np.zeros(int(box.max()) + 1, np.int64)
    first[box[rows[::-1]]] = rows[::-1]
    mixed = rows[role[first[box[rows]]] != role[rows]]
    if mixed.size:
        one, other = int(first[box[mixed[0]]]), int(mixed[0])
        yield finding("error", "twin-box-shared", view.name(one), other=view.name(other),
                      boxes=int(distinct(box[mixed]).size))  # fmt: skip
    spines = rows[devices.tier[rows] == SPINE]
    group = role[spines] * 65536 + devices.wide("pod")[spines]
    lone = [key for key in distinct(group).tolist()
            if int((group == key).sum()) > 1 and int(distinct(box[spines[group == key]]).size) == 1]  # fmt: skip
    if lone:
        yield finding("warning", "spines-in-one-box", view.name(int(spines[np.argmax(group == lone[0])])),
                      spines=int((group == lone[0]).sum()), groups=len(lone))  # fmt: skip


RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (
    airflow_mixed, rack_units, twin_boxes, no_supply, coolant, airflow_assumed, node_sides, placed_for, power,
    height_unknown,
)  # fmt: skip
