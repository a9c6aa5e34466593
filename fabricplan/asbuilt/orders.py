"""The difference between a plan and what was found, and the work orders that it takes.

Orders are folded: moves of both links of one plug are one order, equal ports of two devices exchanged are one, a row
of plugs moved by the same distance is one, a device without any link is one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from fabricplan.asbuilt.chains import Chain, Step, chains
from fabricplan.asbuilt.document import Move, OrderKind, WorkOrder
from fabricplan.asbuilt.found import SPEEDS, Found
from fabricplan.asbuilt.places import circles
from fabricplan.asbuilt.rails import split_description
from fabricplan.asbuilt.view import PORTS, FabricView, PlugEnd, fold
from fabricplan.topology import NODE_LEAF, SWITCH

BUNDLE = 3
"""So many exchanges of equal ports between the same two devices are one bundle."""


@dataclass(frozen=True)
class Difference:
    """Found links in the plan's terms.

    Attributes:
        view: the fabric.
        found: the discovery.
        links: rows of the found links that belong to this fabric.
        rows: found device rows of their ends.
        devices: planned device rows of their ends; -1: not in the plan.
        ports: port numbers of their ends.
        place: planned device -> device in whose place it stands.
    """

    view: FabricView
    found: Found
    links: Sequence[int]
    rows: Sequence[tuple[int, int]]
    devices: Sequence[tuple[int, int]]
    ports: Sequence[tuple[int, int]]
    place: dict[int, int]

    @cached_property
    def outside(self) -> list[tuple[int, int, int]]:
        """(found device row, planned device or -1, port) of ends that are none of the plan's; their numbers follow
        the planned ends."""
        return []

    @cached_property
    def ends(self) -> list[tuple[int, int]]:
        """The ends of every found link, devices counted at the place where they stand."""
        return self._ends(self.place, self.outside)

    def _ends(self, place: dict[int, int], outside: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
        base = 2 * len(self.view.rows)
        end_of = self.view.end_of
        met: set[int] = set()
        found = []
        for (a, z), (p, q), (one, other) in zip(self.devices, self.ports, self.rows, strict=True):
            pair = []
            for device, port, row in ((place.get(a, a), p, one), (place.get(z, z), q, other)):
                end = end_of.get(device * PORTS + port, -1) if device >= 0 else -1
                if end < 0 or end in met:
                    end = base + len(outside)
                    outside.append((row, device, port))
                met.add(end)
                pair.append(end)
            found.append((pair[0], pair[1]))
        return found

    @cached_property
    def partner(self) -> dict[int, int]:
        """End -> the end that its cable leads to."""
        held: dict[int, int] = {}
        for x, y in self.ends:
            held[x], held[y] = y, x
        return held

    @cached_property
    def link_of(self) -> dict[int, int]:
        """End -> position of its found link."""
        return {end: at for at, pair in enumerate(self.ends) for end in pair}

    @cached_property
    def simulated(self) -> str:
        """The speed of all links where it is that of a simulator, else empty."""
        speeds = {int(self.found.links.speed[link]) for link in self.links}
        if len(speeds) != 1:
            return ""
        speed = speeds.pop()
        planned = int(self.view.gbps.min()) if len(self.view.gbps) else 0
        return SPEEDS[speed] if 0 < speed <= SPEEDS.index("QDR") and planned >= 100 else ""

    @cached_property
    def slow(self) -> list[tuple[int, int, int]]:
        """(link position in the view, planned, found Gb/s) of links that run slower than planned."""
        if self.simulated:
            return []
        rates = self.found.links.gbps.tolist()
        found = []
        for at, (x, y) in enumerate(self.ends):
            told = rates[self.links[at]]
            if x ^ 1 == y and x < 2 * len(self.view.rows) and 0 < told < int(self.view.gbps[x >> 1]):
                found.append((x >> 1, int(self.view.gbps[x >> 1]), told))
        return sorted(found)

    def used(self, link: int) -> bool:
        """Return whether a planned link counts: a reserved port without a host is free for any host."""
        return link not in self.view.reserved or 2 * link in self.partner

    def planned(self, end: int) -> int:
        """Return an end's planned partner; -1 if it has none."""
        return end ^ 1 if end < 2 * len(self.view.rows) and self.used(end >> 1) else -1

    def other(self, end: int) -> int:
        """Return the end that an end's cable leads to; -1 without a cable."""
        return self.partner.get(end, -1)

    def guest(self, end: int) -> bool:
        """Return whether an end is a port for managers' hosts that carries an unplanned host: what it is there for."""
        base = 2 * len(self.view.rows)
        far = self.other(end)
        if far < base or self.outside[far - base][1] >= 0:
            return False
        if end >= base:
            _, device, port = self.outside[end - base]
            return device >= 0 and port > self.view.data_ports(device) > 0
        return end >> 1 in self.view.reserved and bool(end & 1) and not self.used(end >> 1)

    def counts(self) -> dict[str, int]:
        """Return how many planned links are in each state, by the names of devices, and the found links besides."""
        plain = self._ends({}, [])
        links = range(len(self.view.rows))
        right = {x >> 1 for x, y in plain if x ^ 1 == y and x < 2 * len(self.view.rows)}
        cabled = {end for pair in plain for end in pair}
        planned = [link for link in links if self.used(link)]
        wrong = [link for link in planned if link not in right]
        gone = [link for link in wrong if 2 * link not in cabled and 2 * link + 1 not in cabled]
        slow = {link for link, _, _ in self.slow} & right
        guests = sum(self.guest(end) for pair in self.ends for end in pair)
        spare = len(plain) - len(right) - (len(wrong) - len(gone)) - guests
        return {"planned": len(planned), "matched": len(planned) - len(wrong) - len(slow), "degraded": len(slow),
                "wrong": len(wrong) - len(gone), "missing": len(gone), "extra": max(spare, 0)}  # fmt: skip

    def plug(self, end: int) -> PlugEnd:
        """Return an end in the words of the floor."""
        base = 2 * len(self.view.rows)
        if end < base:
            return self.view.plug(end)
        row, device, port = self.outside[end - base]
        if device >= 0:
            return self.view.place(device, port)
        at = self.link_of[end]
        link = self.links[at]
        side = 0 if self.ends[at][0] == end else 1
        label = int((self.found.links.z_label if side else self.found.links.a_label)[link])
        number = int((self.found.links.z_port if side else self.found.links.a_port)[link])
        told = self.found.texts[label].split("\n")[0] or f"port {number}"
        return PlugEnd(kind="other", device=self.found.texts[int(self.found.devices.name[row])], port=told,
                       number=number or None)  # fmt: skip

    def place_of(self, end: int) -> tuple[int, int]:
        """Return device and port of an end; devices that are not in the plan have negative numbers."""
        base = 2 * len(self.view.rows)
        if end < base:
            return self.view.device_of[end], self.view.port_of[end]
        row, device, port = self.outside[end - base]
        return (device, port) if device >= 0 else (-1 - row, port)


def orders(difference: Difference, first: int) -> list[WorkOrder]:
    """Return the work orders of a fabric, numbered after ``first``."""
    maker = _Orders(difference, first)
    maker.places()
    maker.cables()
    maker.slow()
    return maker.made


class _Orders:
    """Makes the orders of one fabric; lives inside one call of :func:`orders`."""

    def __init__(self, difference: Difference, first: int) -> None:
        self.d, self.view, self.first = difference, difference.view, first
        self.made: list[WorkOrder] = []
        self.name = self.view.plan.fabrics[self.view.fabric].name

    def _add(self, kind: OrderKind, links: int, moves: Iterable[Move], wrong_rail: bool = False,
             planned: int | None = None, found: int | None = None) -> None:  # fmt: skip
        number = self.first + len(self.made) + 1
        self.made.append(WorkOrder(id=f"W{number:03d}", kind=kind, fabric=self.name, links=links, wrong_rail=wrong_rail,
                                   planned_gbps=planned, found_gbps=found, moves=tuple(moves)))  # fmt: skip

    def places(self) -> None:
        """One order for each circle or row of devices in each other's place."""
        for row in circles(self.d.place):
            moves = [
                Move(action="replace", at=self.view.whole(device), to=self.view.whole(self.d.place[device]))
                for device in row if device in self.d.place
            ]  # fmt: skip
            links = sum(self.d.used(end >> 1) for device in row for end in self.view.ends_of[device])
            self._add("place", links, moves)

    def cables(self) -> None:
        """One order for each chain of wrong cables, folded."""
        d = self.d
        wrong = [end for end in range(2 * len(self.view.rows)) if d.used(end >> 1) and d.other(end) != end ^ 1]
        wrong += [end for pair in d.ends for end in pair
                  if (end >= 2 * len(self.view.rows) or not d.used(end >> 1)) and not d.guest(end)
                  and not d.guest(d.other(end))]  # fmt: skip
        solved = chains(wrong, d.planned, d.other, self._cost)
        for group in self._folded([chain for chain in solved if chain.steps]):
            self._chain_order(group)
        missing = [pair for chain in solved for pair in chain.missing]
        self._missing(missing)
        for chain in solved:
            if not chain.steps:
                for pair in chain.extra:
                    self._add("extra", 1, [self._remove(pair)])

    @cached_property
    def _fixed(self) -> set[int]:
        """Ends where no plug of one link alone can move: the head of a splitter, unless all its tails are wrong in the
        same way because the head is in another's place; then its tails."""
        d = self.d
        fixed: set[int] = set()
        home = {end: (cable, self.view.tail[end >> 1]) for cable, ends in self.view.heads.items() for end in ends}
        whole: set[int] = set()
        for ends in self.view.heads.values():
            far = [(end, d.other(end)) for end in ends if d.other(end) >= 0]
            places = [home.get(d.planned(tail), (-1, 0)) for _, tail in far]
            at = {cable for cable, _ in places}
            if len(far) > 1 and len(at) == 1 and at != {-1} and at != {home[ends[0]][0]} and all(
                tail == self.view.tail[end >> 1] for (end, _), (_, tail) in zip(far, places, strict=True)
            ):  # fmt: skip
                whole.update(end for end, _ in far)
                whole.update(d.planned(tail) for _, tail in far)
                fixed.update(tail for _, tail in far)
        return fixed | (home.keys() - whole)

    def _cost(self, ends: Iterable[int]) -> tuple[int, ...]:
        """Rate the ends of moved plugs: what can move alone, few devices, few racks, at switches rather than nodes."""
        ends = list(ends)
        places = self.view.plan.placement.places
        devices = [self.d.place_of(end)[0] for end in ends]
        known = {device for device in devices if device >= 0}
        racks = {int(places.rack[device]) for device in known}
        at_nodes = sum(1 for device in devices if device < 0 or self.view.kind(device) != SWITCH)
        return (sum(end in self._fixed for end in ends), len(set(devices)), len(racks), at_nodes)

    def _folded(self, solved: Sequence[Chain]) -> list[list[Chain]]:
        """Put chains together that one cause explains."""
        groups: dict[tuple[object, ...], list[Chain]] = defaultdict(list)
        single: list[list[Chain]] = []
        solved = self._bundled(solved)
        for chain in solved:
            cables = frozenset(self.view.cable[step.to >> 1] for step in chain.steps)
            devices = frozenset(self.d.place_of(end)[0] for step in chain.steps for end in (step.at, step.to))
            spots = [(self.d.place_of(step.at), self.d.place_of(step.to)) for step in chain.steps]
            guest = self._guest(chain)
            if guest is not None:
                groups["guest", guest].append(chain)
            elif self._pair(chain) is not None:
                groups["bundle", self._pair(chain)].append(chain)
            elif not chain.closed and len(devices) == 1 and len({at[1] - to[1] for at, to in spots}) == 1:
                groups["shift", devices, spots[0][0][1] - spots[0][1][1]].append(chain)
            else:
                groups["plug", cables, devices].append(chain)
        for key, members in groups.items():
            if key[0] == "bundle" and len(members) < BUNDLE:
                for alike in self._by_plug(members):
                    single.append(alike)
            else:
                single.append(members)
        order = {id(chain): at for at, chain in enumerate(solved)}
        return sorted(single, key=lambda members: order[id(members[0])])

    def _guest(self, chain: Chain) -> tuple[str, int] | None:
        """Return the unplanned host on which a single cable ends, and the device whose cable it is; None otherwise."""
        if chain.closed or chain.extra or len(chain.steps) != 1:
            return None
        device = self.d.place_of(chain.steps[0].at)[0]
        if device >= 0:
            return None
        name = self.d.found.texts[int(self.d.found.devices.name[-1 - device])]
        return fold(split_description(name)[0]), self.d.place_of(chain.steps[0].to)[0]

    def _pair(self, chain: Chain) -> frozenset[int] | None:
        """Return the two devices whose equal ports a chain exchanges; None if it does something else."""
        spots = [(self.d.place_of(step.at), self.d.place_of(step.to)) for step in chain.steps]
        devices = frozenset(spot[0] for pair in spots for spot in pair)
        return devices if len(devices) == 2 and all(at[1] == to[1] for at, to in spots) else None

    def _bundled(self, solved: Sequence[Chain]) -> list[Chain]:
        """Turn exchanges to the cables' other side where many of them are then one bundle between two devices."""
        turned = {at: chain.turned() for at, chain in enumerate(solved) if chain.closed and len(chain.steps) == 2}
        pairs = {at: self._pair(chain) for at, chain in turned.items()}
        count: dict[frozenset[int], int] = defaultdict(int)
        for pair in pairs.values():
            if pair is not None:
                count[pair] += 1
        return [
            turned[at] if (pair := pairs.get(at)) is not None and count[pair] >= BUNDLE else chain
            for at, chain in enumerate(solved)
        ]  # fmt: skip

    def _by_plug(self, members: Sequence[Chain]) -> list[list[Chain]]:
        groups: dict[frozenset[int], list[Chain]] = defaultdict(list)
        for chain in members:
            groups[frozenset(self.view.cable[step.to >> 1] for step in chain.steps)].append(chain)
        return list(groups.values())

    def _chain_order(self, group: Sequence[Chain]) -> None:
        steps = [step for chain in group for step in chain.steps]
        extra = [pair for chain in group for pair in chain.extra]
        foreign = any(self.d.place_of(end)[0] < 0 for step in steps for end in (step.at, step.stays))
        kind: OrderKind
        if foreign:
            kind = "other-device"
        elif len(group) >= BUNDLE and all(chain.closed for chain in group):
            kind = "bundle"
        elif all(chain.closed for chain in group):
            kind = "swap" if all(len(chain.steps) == 2 for chain in group) else "rotation"
        else:
            kind = "move" if len(steps) == 1 else "shift"
        moves = [*map(self._remove, extra), *map(self._move, steps)]
        self._add(kind, len(steps), moves, any(self._wrong_rail(step) for step in steps))

    def _move(self, step: Step) -> Move:
        link = step.to >> 1
        return Move(action="move", at=self.d.plug(step.at), to=self.d.plug(step.to), stays=self.d.plug(step.stays),
                    cables=self.view.plug_id(step.to), rail=self.view.rails[link])  # fmt: skip

    def _remove(self, pair: tuple[int, int]) -> Move:
        return Move(action="remove", at=self.d.plug(pair[0]), to=self.d.plug(pair[1]))

    def _laid(self, link: int) -> int:
        """Return the cable row that links fail together by: a trunk where there is one; below zero without a cable."""
        if link in self.view.pieces:
            return self.view.pieces[link][1]
        cable = self.view.cable[link]
        return cable if cable >= 0 else -1 - link

    def _wrong_rail(self, step: Step) -> bool:
        """Return whether the cable of a step joins a node's port to a leaf of another rail."""
        base = 2 * len(self.view.rows)
        ends = (step.at, step.stays)
        if any(end >= base for end in ends):
            return False
        links = [end >> 1 for end in ends]
        rails = [self.view.rails[link] for link in links]
        uppers = {int(self.view.upper[link]) for link in links}
        return (all(int(self.view.role[link]) == NODE_LEAF for link in links) and all(rails)
                and rails[0] != rails[1] and len(uppers) > 1)  # fmt: skip

    def _missing(self, pairs: Sequence[tuple[int, int]]) -> None:
        """One order for a device without any link; for the rest one a cable."""
        gone = {min(pair) >> 1 for pair in pairs}
        cabled = {self.d.place_of(end)[0] for pair in self.d.ends for end in pair}
        by_device: dict[int, list[int]] = defaultdict(list)
        for link in sorted(gone):
            for device in (int(self.view.lower[link]), int(self.view.upper[link])):
                if device not in cabled:
                    by_device[device].append(link)
        told: set[int] = set()
        for device, links in sorted(by_device.items(), key=lambda item: (-len(item[1]), item[0])):
            left = [link for link in links if link not in told]
            if left:
                told.update(left)
                whole = self.view.whole(device)
                start = Move(action="start", at=whole, to=whole)
                self._add("absent", len(left), [start, *map(self._connect, left)])
        by_cable: dict[int, list[int]] = defaultdict(list)
        for link in sorted(gone - told):
            by_cable[self._laid(link)].append(link)
        for links in by_cable.values():
            self._add("missing", len(links), map(self._connect, links))

    def _connect(self, link: int) -> Move:
        return Move(action="connect", at=self.view.plug(2 * link), to=self.view.plug(2 * link + 1),
                    cables=self.view.cable_ids(link), rail=self.view.rails[link])  # fmt: skip

    def slow(self) -> None:
        """One order for each cable with links slower than planned."""
        by_cable: dict[tuple[int, int, int], list[int]] = defaultdict(list)
        for link, planned, found in self.d.slow:
            by_cable[self._laid(link), planned, found].append(link)
        for (_, planned, found), links in by_cable.items():
            moves = [
                Move(action="check", at=self.view.plug(2 * link), to=self.view.plug(2 * link + 1),
                     cables=self.view.cable_ids(link), rail=self.view.rails[link]) for link in links
            ]  # fmt: skip
            self._add("degraded", len(links), moves, planned=planned, found=found)
