"""Rules on the racks of a room that the request describes: power, weight, feeds, cooling.

The default room states none of them, so there is nothing to hold it to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from fabricplan.checks.view import View
from fabricplan.placement import BoxPlace, RackLoad, Sum, box_facts, box_places, fails_with_a_feed, rack_loads, standing
from fabricplan.requirement import SiteRack
from fabricplan.topology import CORE, HOST, SPINE
from fabricplan.values import Finding, finding

RACKS_TOLD = 5
"""Racks with the same fault are told by their names, at most so many."""
HOSTS_TOLD = 4
"""Hosts that nobody named are told by their own names, at most so many."""


def _described(view: View) -> bool:
    room = view.requirement.room
    limits = (room.rack_power_limit_w, room.rack_feed_limit_w, room.rack_weight_limit_kg)
    return room.rows is not None or any(limit is not None for limit in limits)


def limits(view: View) -> Iterator[Finding]:
    """No rack draws or weighs more than it may, as far as facts are known; what is not known is named."""
    if not _described(view):
        return
    facts = box_facts(view.topology, view.catalog)
    site, room = standing(view.placement, view.requirement.room), view.requirement.room
    loads = rack_loads(view.topology, view.placement, room, facts)
    told = list(zip(site, loads, strict=True))
    for over in _above([(rack, load.power_max_w, rack.power_limit_w) for rack, load in told]):
        yield finding("error", "rack-power", over.rack, known=over.known, limit=over.limit, unknown=over.unknown,
                      racks=over.racks, named=over.named)  # fmt: skip
    for over in _above([(rack, _alone(load), rack.feed_limit_w) for rack, load in told]):
        yield finding("error", "rack-feed", over.rack, known=over.known, limit=over.limit, unknown=over.unknown,
                      racks=over.racks, named=over.named)  # fmt: skip
    for over in _above([(rack, load.weight_kg, rack.weight_limit_kg) for rack, load in told]):
        yield finding("error", "rack-weight", over.rack, known=over.known, limit=over.limit, unknown=over.unknown,
                      racks=over.racks, named=over.named)  # fmt: skip
    boxes = list(box_places(view.topology, view.placement, room, facts))
    bare = [box for box in boxes if box.facts.power_max_w is None
            and (site[box.rack].power_limit_w or site[box.rack].feed_limit_w)]  # fmt: skip
    if bare:
        yield finding("warning", "rack-power-unknown", view.requirement.name, racks=len({box.rack for box in bare}),
                      models=_models(view, bare))  # fmt: skip
    bare = [box for box in boxes if box.facts.weight_kg is None and site[box.rack].weight_limit_kg]
    if bare:
        yield finding("warning", "rack-weight-unknown", view.requirement.name, racks=len({box.rack for box in bare}),
                      models=_models(view, bare))  # fmt: skip


def _alone(load: RackLoad) -> Sum:
    return max(load.alone_a_w, load.alone_b_w)


class _Over(NamedTuple):
    rack: str
    known: int
    limit: int
    unknown: int
    racks: int
    named: str


def _above(racks: Sequence[tuple[SiteRack, Sum, int | None]]) -> Iterator[_Over]:
    """Yield the rack that is most above its limit, with how many racks are; nothing where none is."""
    over = [(value.known - limit, rack, value, limit) for rack, value, limit in racks if limit and value.known > limit]
    if over:
        over.sort(key=lambda item: -item[0])
        _, rack, value, limit = over[0]
        named = some_of([item.name for _, item, _, _ in over])
        yield _Over(rack.name, round(value.known), limit, value.unknown, len(over), named)


def some_of(names: Sequence[str]) -> str:
    """Return the first of many names, and how many more there are.

    >>> some_of(["A01", "A02"]), some_of([f"A{number:02}" for number in range(1, 9)])
    ('A01, A02', 'A01, A02, A03, A04, A05, +3')
    """
    return ", ".join([*names[:RACKS_TOLD], *([f"+{len(names) - RACKS_TOLD}"] if len(names) > RACKS_TOLD else [])])


def _models(view: View, boxes: Sequence[BoxPlace]) -> str:
    counts: dict[str, int] = {}
    for box in boxes:
        counts[box.facts.model] = counts.get(box.facts.model, 0) + 1
    nameless = [view.name(box.row) for box in boxes if not box.facts.model]
    models = [f"{model} x {count}" for model, count in counts.items() if model]
    models += nameless[:HOSTS_TOLD] + ([f"+{len(nameless) - HOSTS_TOLD}"] if len(nameless) > HOSTS_TOLD else [])
    return ", ".join(models)


def cooling(view: View) -> Iterator[Finding]:
    """What is liquid-cooled stands where a coolant loop reaches it."""
    if view.requirement.room.rows is None:
        return
    site = standing(view.placement, view.requirement.room)
    facts = box_facts(view.topology, view.catalog)
    wrong = [box for box in box_places(view.topology, view.placement, view.requirement.room, facts)
             if box.facts.liquid and site[box.rack].cooling == "air"]  # fmt: skip
    if wrong:
        named = some_of(list(dict.fromkeys(site[box.rack].name for box in wrong)))
        yield finding("error", "rack-cooling", site[wrong[0].rack].name, device=view.name(wrong[0].row),
                      model=wrong[0].facts.model, boxes=len(wrong), named=named)  # fmt: skip


def feeds(view: View) -> Iterator[Finding]:
    """Boxes that stand in for each other do not all hang on one feed; boxes that a lost feed takes down are told."""
    if not _described(view):
        return
    facts = box_facts(view.topology, view.catalog)
    devices, site = view.devices, standing(view.placement, view.requirement.room)
    peers: dict[tuple[int, ...], list[BoxPlace]] = {}
    failing: dict[str, list[BoxPlace]] = {}
    for box in box_places(view.topology, view.placement, view.requirement.room, facts):
        row = box.row
        if devices.kind[row] == HOST or devices.tier[row] in (SPINE, CORE):
            key = [devices.kind, devices.fabric, devices.tier, devices.plane, devices.pod]
            peers.setdefault(tuple(int(column[row]) for column in key), []).append(box)
        if fails_with_a_feed(box) and box.facts.supplies and box.facts.supplies > 1:
            failing.setdefault(box.facts.model, []).append(box)
    lone = [(held, feed) for held in peers.values() for feed in (0, 1)
            if len(held) > 1 and all(_hangs_on(box, site[box.rack]) == feed for box in held)]  # fmt: skip
    if lone:
        held, feed = lone[0]
        yield finding("error", "one-feed", view.name(held[0].row), other=view.name(held[-1].row), boxes=len(held),
                      feed="AB"[feed], rack=site[held[0].rack].name, groups=len(lone))  # fmt: skip
    for model, held in failing.items():
        box = held[0]
        left = max(min(item.feeds or (0, 0)) for item in held)
        yield finding("warning", "feed-loss", model, boxes=len(held), supplies=box.facts.supplies or 0,
                      needed=box.facts.needed or 1, left=left)  # fmt: skip


def _hangs_on(box: BoxPlace, rack: SiteRack) -> int:
    """Return the one feed that a box hangs on (0 for A), -1 where there are two or it is not known."""
    if len(set(rack.feeds)) == 1:
        return "AB".index(rack.feeds[0])
    return -1 if not box.feeds or min(box.feeds) else int(box.feeds[0] == 0)


RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (limits, cooling, feeds)
