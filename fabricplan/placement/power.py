"""Power and weight of every rack: what is known, what is not, and what each of two feeds carries.

The supplies of a box are dealt to the feeds A and B of its rack, half and half; a box with one supply hangs on one of
them, and boxes that stand in for each other (spines of a plane or pod, hosts on reserved ports) take turns. All
supplies of a box share its load evenly::

    both feeds   A = P x supplies on A / supplies       B = P x supplies on B / supplies
    B lost       A = P where any supply is on A; a box with fewer there than it needs fails at full load

A sum never counts an unknown as zero: beside it stands how many boxes lack the fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from fabricplan.catalog import PlatformType, SwitchType
from fabricplan.placement.devices import LIQUID
from fabricplan.placement.site import standing
from fabricplan.placement.tables import Placement
from fabricplan.requirement import Feed, RoomSettings
from fabricplan.topology import HOST, NODE, Topology


class Products(Protocol):
    """Where the facts of products stand: the catalogue, or what a plan holds of it."""

    def switch(self, model: str) -> SwitchType:
        """Return a switch by model."""

    def platform(self, name: str) -> PlatformType:
        """Return a platform by id."""


class Sum(NamedTuple):
    """What is known of a number, and how many boxes lack it."""

    known: float
    unknown: int


class BoxFacts(NamedTuple):
    """What the catalogue says of a kind of box; None where it does not.

    Attributes:
        model: model, or title of the platform.
        supplies: power supplies; 0 where it takes DC from outside.
        needed: supplies that carry the full load.
        liquid: whether it needs a coolant loop.
    """

    model: str
    height: int | None = None
    power_max_w: float | None = None
    power_typical_w: float | None = None
    weight_kg: float | None = None
    supplies: int | None = None
    needed: int | None = None
    liquid: bool = False


class BoxPlace(NamedTuple):
    """A box where it stands: its first device row, its facts, and its supplies on A and on B (None: not known)."""

    row: int
    rack: int
    facts: BoxFacts
    feeds: tuple[int, int] | None


class RackLoad(NamedTuple):
    """Sums of one rack.

    Attributes:
        power_max_w, power_typical_w, weight_kg: over all boxes.
        feed_a_w, feed_b_w: highest draw of each feed while both stand; unknown are boxes of which the power or the
            supplies are not known.
        alone_a_w, alone_b_w: the same after the loss of the other feed.
        lost: boxes known to fail at full load when one feed is lost: one supply, or too few on the other.
        direct: boxes without supplies of their own: they hang on a busbar, not on these feeds.
    """

    power_max_w: Sum
    power_typical_w: Sum
    weight_kg: Sum
    feed_a_w: Sum
    feed_b_w: Sum
    alone_a_w: Sum
    alone_b_w: Sum
    lost: int
    direct: int


def needed_supplies(count: int | None, redundancy: str | None) -> int | None:
    """Return how many of a box's supplies carry its full load, as the catalogue words it.

    >>> [needed_supplies(6, "4+2"), needed_supplies(12, "N+N"), needed_supplies(2, "runs with 1 or 2")]
    [4, 6, 1]
    >>> needed_supplies(2, None) is None, needed_supplies(1, None)
    (True, 1)
    """
    if count == 1:
        return 1
    text = redundancy or ""
    counted = re.search(r"\b(\d+)\s*\+\s*\d+\b", text)
    if counted:
        return int(counted[1])
    if count and re.search(r"\bN\s*\+\s*N\b|\b2N\b", text):
        return count // 2
    runs = re.search(r"\bruns with (\d+)\b", text)
    if runs:
        return int(runs[1])
    spare = re.search(r"\bN\s*\+\s*(\d+)\b", text)
    return count - int(spare[1]) if count and spare else None


def box_facts(topology: Topology, products: Products) -> list[BoxFacts]:
    """Return the facts of every device type of a plan."""
    found = []
    for item in topology.device_types:
        if item.kind == "host":
            found.append(BoxFacts(item.key))
            continue
        entry = products.platform(item.key) if item.kind == "platform" else products.switch(item.key)
        found.append(BoxFacts(
            entry.title if isinstance(entry, PlatformType) else entry.model, entry.height_u, entry.power_max_w,
            entry.power_typical_w, entry.weight_kg, entry.psu_count,
            needed_supplies(entry.psu_count, entry.psu_redundancy), entry.cooling in LIQUID,
        ))  # fmt: skip
    return found


def dealt(supplies: int | None, feeds: Sequence[Feed], turn: int) -> tuple[int, int] | None:
    """Return the supplies on A and on B; an odd one goes to A and B by turns.

    >>> dealt(2, ("A", "B"), 0), dealt(3, ("A", "B"), 1), dealt(1, ("A", "B"), 1), dealt(2, ("B",), 0)
    ((1, 1), (1, 2), (0, 1), (0, 2))
    """
    if supplies is None:
        return None
    if len(set(feeds)) == 1:
        return (supplies, 0) if feeds[0] == "A" else (0, supplies)
    more, less = -(-supplies // 2), supplies // 2
    return (less, more) if turn % 2 else (more, less)


def box_places(
    topology: Topology, placement: Placement, room: RoomSettings, facts: Sequence[BoxFacts]
) -> Iterator[BoxPlace]:
    """Yield every box once, with its supplies on the feeds of its rack."""
    site = standing(placement, room)
    turns: dict[tuple[int, ...], int] = {}
    seen: set[int] = set()
    rows = zip(topology.devices.rows(), placement.places.rack.tolist(), strict=True)
    for row, ((kind, tier, fabric, plane, _, pod, _, _, _, of, box), rack) in enumerate(rows):
        if box >= 0 and box in seen:
            continue
        seen.add(box)
        peers = (
            (kind, of, rack) if kind == NODE else (kind, fabric) if kind == HOST else (kind, fabric, tier, plane, pod)
        )
        turn = turns.get(peers, 0)
        turns[peers] = turn + 1
        yield BoxPlace(row, rack, facts[of], dealt(facts[of].supplies, site[rack].feeds, turn))


def rack_loads(
    topology: Topology, placement: Placement, room: RoomSettings, facts: Sequence[BoxFacts]
) -> list[RackLoad]:
    """Return the sums of every rack."""
    held: list[list[BoxPlace]] = [[] for _ in range(len(placement.racks))]
    for box in box_places(topology, placement, room, facts):
        held[box.rack].append(box)
    return [_load(boxes) for boxes in held]


def total(values: Sequence[float | None]) -> Sum:
    """Return the sum of what is known, and how many are not.

    >>> total([1.5, None, 2])
    Sum(known=3.5, unknown=1)
    """
    known = [value for value in values if value is not None]
    return Sum(sum(known), len(values) - len(known))


def _load(boxes: Sequence[BoxPlace]) -> RackLoad:
    fed = [box for box in boxes if box.facts.supplies != 0]
    draws = [_draws(box) for box in fed]
    a, b, alone_a, alone_b = (total([draw[at] if draw else None for draw in draws]) for at in range(4))
    return RackLoad(
        total([box.facts.power_max_w for box in boxes]), total([box.facts.power_typical_w for box in boxes]),
        total([box.facts.weight_kg for box in boxes]), a, b, alone_a, alone_b,
        sum(fails_with_a_feed(box) for box in fed), len(boxes) - len(fed),
    )  # fmt: skip


def fails_with_a_feed(box: BoxPlace) -> bool:
    """Tell whether a box is known to fail at full load when one feed is lost."""
    if not box.feeds or box.facts.supplies == 0:
        return False
    return min(box.feeds) < (1 if box.facts.needed is None else box.facts.needed)


def _draws(box: BoxPlace) -> tuple[float, float, float, float] | None:
    """Return what a box draws from A and B, and from each when it is alone; None where that is not known."""
    power = box.facts.power_max_w
    if power is None or not box.feeds:
        return None
    a, b = box.feeds
    return power * a / (a + b), power * b / (a + b), power if a else 0.0, power if b else 0.0
