"""Who is who: found devices and ports to those of the plan.

Names are compared without regard to case and domain, after the map of ``--names``. A host tells ``device adapter``:

1. an adapter name or interface name of the platform's catalogue entry is that port (``mlx5_4``, ``ibp24s0``);
2. else, if the nodes of a group tell as many adapter names as they have ports, the n-th name in natural order is
   port n (``HCA-1`` .. ``HCA-8``, or ``mlx5_0``, ``mlx5_3`` ..);
3. else ``HCA-n`` and ``NICn`` are port n, ``mlx5_n`` is port n + 1;
4. a host that tells no adapter has the ports at whose planned place it is found, then the rest in order.

What nobody named is known by its place (:mod:`fabricplan.asbuilt.structure`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from fabricplan.asbuilt.found import ADAPTER, AGGREGATION, SWITCH, Found
from fabricplan.asbuilt.rails import split_description
from fabricplan.asbuilt.structure import place_switches
from fabricplan.asbuilt.survey import natural
from fabricplan.asbuilt.view import PORTS, FabricView, fold, short
from fabricplan.errors import Problem, ReadError
from fabricplan.topology import SWITCH as SWITCH_KIND

CHAIN_MAX = 64
"""A longer chain of wrong cables is not followed."""
_INDEX = re.compile(r"(hca-?|nic-?|mlx\d*_)(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class NameMap:
    """What ``--names`` says: folded found name, or GUID, -> name in the plan."""

    names: Mapping[str, str]
    guids: Mapping[int, str]

    def of(self, name: str, guid: int) -> str:
        """Return the plan's name for a found one; the found one where the map says nothing."""
        if guid in self.guids:
            return self.guids[guid]
        whole = self.names.get(fold(name))
        if whole is not None:
            return whole
        base, word = split_description(name)
        mapped = self.names.get(fold(base))
        return f"{mapped} {word}".strip() if mapped is not None else name


NO_NAMES = NameMap({}, {})


@dataclass(frozen=True)
class Matched:
    """Found devices and link ends in the plan's terms.

    Attributes:
        device: planned device row of every found device; -1: not in the plan.
        ends: planned ends of every found link (a, z); -1: no end of the plan.
        ports: (a, z) port numbers as the plan counts them; 0 where they cannot be told.
        by_place: found devices that were known by their place only.
        indistinct: hosts whose adapters could not be told apart.
    """

    device: list[int]
    ends: list[tuple[int, int]]
    ports: list[tuple[int, int]]
    by_place: tuple[int, ...]
    indistinct: tuple[str, ...]


def match(found: Found, view: FabricView, names: NameMap, by_structure: bool) -> Matched:
    """Return the planned devices and ends of what was found.

    Args:
        found: the discovery.
        view: a fabric of the plan.
        names: the map.
        by_structure: trust places, not names.

    Raises:
        ReadError: two devices bear one planned name.
    """
    told = [names.of(name, guid) for name, guid in zip(found.names(), found.devices.guid.tolist(), strict=True)]
    for row, guid in found.folded:
        told[row] = names.guids.get(guid, told[row])
    kinds, named = found.devices.kind.tolist(), found.devices.named.tolist()
    mapped = [name != old for name, old in zip(told, found.names(), strict=True)]
    device = [-1] * len(told)
    words = [""] * len(told)
    if not by_structure:
        _by_name(found, view, told, kinds, device, words)
    unknown = [row for row, kind in enumerate(kinds) if kind == SWITCH and device[row] < 0
               and (by_structure or not (named[row] or mapped[row]))]  # fmt: skip
    maker = _Ends(found, view, names, kinds, device, words)
    maker.words_to_ports()
    placed = place_switches(found, view, device, unknown, maker.host_end) if unknown else []
    loose = [row for row, kind in enumerate(kinds) if kind == ADAPTER and device[row] < 0
             and (by_structure or not (named[row] or mapped[row]))]  # fmt: skip
    hosts = maker.hosts_by_place(loose, told, by_structure)
    maker.indistinct_ports()
    ends, ports = maker.links()
    return Matched(device, ends, ports, (*placed, *hosts), tuple(sorted(maker.indistinct)))


def _by_name(
    found: Found, view: FabricView, told: list[str], kinds: list[int], device: list[int], words: list[str]
) -> None:
    """Fill planned devices, and the adapter words of hosts, by name."""
    switches = {fold(view.names[row]): row for row in view.switches}
    nodes = {fold(view.names[row]): row for row in view.nodes}
    met: dict[tuple[int, str, int], int] = {}
    lines, sources = found.devices.line.tolist(), found.devices.source.tolist()
    for row, (name, kind) in enumerate(zip(told, kinds, strict=True)):
        if kind >= AGGREGATION:
            continue
        word = ""
        if kind == SWITCH:
            planned = switches.get(fold(name), switches.get(short(name), -1))
        else:
            planned = nodes.get(fold(name), nodes.get(short(name), -1))
            if planned < 0:
                base, word = split_description(name)
                planned = nodes.get(fold(base), nodes.get(short(base), -1))
            if planned < 0:
                # LLDP does not say what is a switch
                planned = switches.get(fold(name), switches.get(short(name), -1))
                word = ""
        if planned < 0:
            continue
        key = (planned, fold(word), -1 if kind == SWITCH else sources[row])
        if key in met and (kind == SWITCH or word):
            raise ReadError(Problem(
                "duplicate-name", f"'{name}' is the name of two devices; the other is on line {lines[met[key]]}",
                f"{found.sources[sources[row]].name}:{lines[row]}",
                "name them apart, or tell them apart by GUID in --names"))  # fmt: skip
        met[key] = row
        device[row], words[row] = planned, fold(word)


class _Ends:
    """Works out the ends of links; lives inside one call of :func:`match`."""

    def __init__(
        self, found: Found, view: FabricView, names: NameMap, kinds: list[int], device: list[int], words: list[str]
    ) -> None:
        self.found, self.view, self.names = found, view, names
        self.kinds, self.device, self.words = kinds, device, words
        links = found.links
        self.a: list[int] = links.a.tolist()
        self.z: list[int] = links.z.tolist()
        self.a_port: list[int] = links.a_port.tolist()
        self.z_port: list[int] = links.z_port.tolist()
        self.a_label = [found.texts[row] for row in links.a_label.tolist()]
        self.z_label = [found.texts[row] for row in links.z_label.tolist()]
        self.adapter_port: dict[tuple[int, int], int] = {}
        self.indistinct: set[str] = set()

    def words_to_ports(self) -> None:
        """Give every port of an adapter that tells a word its port number in the plan."""
        view = self.view
        used: dict[int, set[int]] = defaultdict(set)
        named = self.found.devices.named.tolist()
        for side, port, far in [
            *zip(self.a, self.a_port, self.z, strict=True),
            *zip(self.z, self.z_port, self.a, strict=True),
        ]:
            if self.kinds[side] != ADAPTER or self.device[side] < 0 or view.kind(self.device[side]) == SWITCH_KIND:
                continue
            # an adapter on a named switch of another fabric is none of this fabric's ports
            if self.kinds[far] != SWITCH or self.device[far] >= 0 or not named[far]:
                used[side].add(port)
        groups: dict[tuple[int, int], list[tuple[int, str, int]]] = defaultdict(list)
        for row, ports in used.items():
            node, word = self.device[row], self.words[row]
            known = view.adapter_words(node)
            if len(view.ends_of[node]) == 1:
                for port in ports:
                    self.adapter_port[row, port] = view.port_of[view.ends_of[node][0]]
            elif word in known:
                for port in ports:
                    self.adapter_port[row, port] = known[word] + port - 1
            elif word:
                key = (int(view.plan.topology.devices.group[node]), len(view.ends_of[node]))
                groups[key] += [(row, word, port) for port in sorted(ports)]
        for (_, count), members in groups.items():
            known_words = sorted({(natural(word), port, word) for _, word, port in members})
            rank = {(word, port): place for place, (_, port, word) in enumerate(known_words, start=1)}
            for row, word, port in members:
                if len(rank) == count:
                    place = rank[word, port]
                    self.adapter_port[row, port] = view.port_of[view.ends_of[self.device[row]][place - 1]]
                    continue
                index = _INDEX.fullmatch(word)
                if index is not None:
                    first = 1 if index[1].startswith("mlx") else 0
                    self.adapter_port[row, port] = int(index[2]) + first + port - 1

    def port(self, side: str, link: int) -> int:
        """Return the port number of a link's end as the plan counts it; 0 where it cannot be told."""
        row = (self.a if side == "a" else self.z)[link]
        port = (self.a_port if side == "a" else self.z_port)[link]
        label = (self.a_label if side == "a" else self.z_label)[link]
        if label and self.device[row] >= 0:
            for word in label.split("\n"):
                known = self._labelled(self.device[row], word)
                if known:
                    return known
            return 0
        if self.kinds[row] == SWITCH:
            return port
        return self.adapter_port.get((row, port), 0)

    def _labelled(self, device: int, word: str) -> int:
        """Return the port that a label, an adapter's name or a mapped MAC address means; 0 for none."""
        mapped = fold(self.names.names.get(fold(word), word))
        mapped = mapped.removeprefix(fold(self.view.names[device])).strip()
        return self.view.labels.get((device, mapped), 0)

    def end(self, side: str, link: int) -> int:
        """Return the planned end of a link's end; -1 if it is none."""
        row = (self.a if side == "a" else self.z)[link]
        if self.device[row] < 0:
            return -1
        return self.view.end_of.get(self.device[row] * PORTS + self.port(side, link), -1)

    def host_end(self, link: int) -> tuple[int, int, int]:
        """Return (switch row, its port, planned end of the host) of a link between a switch and a known host port;
        -1 for what is not so."""
        for near, far in (("a", "z"), ("z", "a")):
            row = (self.a if near == "a" else self.z)[link]
            other = (self.z if near == "a" else self.a)[link]
            if self.kinds[row] == SWITCH and self.kinds[other] == ADAPTER:
                return row, (self.a_port if near == "a" else self.z_port)[link], self.end(far, link)
        return -1, 0, -1

    def _place(self, side: str, link: int) -> int:
        """Return the planned end that belongs at the far side of what this side is plugged into; -1 if none."""
        far = self.end("z" if side == "a" else "a", link)
        return far ^ 1 if far >= 0 else -1

    def _open_ends(self, rows: list[int]) -> list[tuple[str, int]]:
        wanted = set(rows)
        return [(side, link) for link in range(len(self.a)) for side, row in (("a", self.a[link]), ("z", self.z[link]))
                if row in wanted]  # fmt: skip

    def hosts_by_place(self, loose: list[int], told: list[str], whole_hosts: bool) -> list[int]:
        """Give adapters that nobody named the planned ports at whose place they are found; return their rows.

        With ``whole_hosts`` the adapters of one host name belong to the node at whose places most of them are found.
        """
        taken = {end for link in range(len(self.a)) for side in "az" if (end := self.end(side, link)) >= 0}
        groups: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
        for side, link in self._open_ends(loose):
            row = (self.a if side == "a" else self.z)[link]
            base = fold(split_description(told[row])[0]) if whole_hosts else str(row)
            groups[base].append((side, link, row))
        rows: list[int] = []
        late: list[tuple[list[tuple[str, int, int]], int]] = []
        for members in groups.values():
            votes: dict[int, int] = defaultdict(int)
            for side, link, _ in members:
                place = self._place(side, link)
                if place >= 0 and place not in taken and self.view.kind(self.view.device_of[place]) != SWITCH_KIND:
                    votes[self.view.device_of[place]] += 1
            if not votes:
                continue
            node = max(votes, key=lambda row: (votes[row], -row))
            left = []
            for side, link, row in members:
                place = self._place(side, link)
                if place >= 0 and place not in taken and self.view.device_of[place] == node:
                    self._take(row, side, link, place, taken, rows)
                else:
                    left.append((side, link, row))
            late.append((left, node))
        for left, node in late:
            open_ends = [end for end in self.view.ends_of[node] if end not in taken]
            left.sort(key=lambda item: natural(told[item[2]]))
            for (side, link, row), end in zip(left, open_ends, strict=False):
                self._take(row, side, link, end, taken, rows)
        self._strays([item for members in groups.values() for item in members], taken, rows)
        return rows

    def _strays(self, members: list[tuple[str, int, int]], taken: set[int], rows: list[int]) -> None:
        """Give an unnamed adapter on a port that is no host's the host port at the end of the chain of wrong cables
        that begins there: which of several unnamed hosts it is makes no difference."""
        held = {end: (side, link) for link in range(len(self.a)) for side in "az" if (end := self.end(side, link)) >= 0}
        for side, link, row in members:
            if self.device[row] >= 0:
                continue
            place, steps = self._place(side, link), 0
            while place >= 0 and place in held and steps < CHAIN_MAX:
                place, steps = self._place(*held[place]), steps + 1
            if place >= 0 and place not in taken and self.view.kind(self.view.device_of[place]) != SWITCH_KIND:
                self._take(row, side, link, place, taken, rows)

    def _take(self, row: int, side: str, link: int, end: int, taken: set[int], rows: list[int]) -> None:
        self.device[row] = self.view.device_of[end]
        self.adapter_port[row, (self.a_port if side == "a" else self.z_port)[link]] = self.view.port_of[end]
        taken.add(end)
        rows.append(row)

    def indistinct_ports(self) -> None:
        """Give the ports of hosts that tell no port their places: the planned one first, then what is left."""
        view = self.view
        open_ends: list[tuple[str, int]] = []
        taken: set[int] = set()
        for link in range(len(self.a)):
            for side, row in (("a", self.a[link]), ("z", self.z[link])):
                if self.device[row] < 0 or view.kind(self.device[row]) == SWITCH_KIND:
                    continue
                end = self.end(side, link)
                if end >= 0:
                    taken.add(end)
                elif self.port(side, link) == 0:
                    open_ends.append((side, link))
        late = []
        for side, link in open_ends:
            row = (self.a if side == "a" else self.z)[link]
            place = self._place(side, link)
            if place >= 0 and place not in taken and view.device_of[place] == self.device[row]:
                self._settle(row, side, link, place, taken)
            else:
                late.append((side, link, row))
        for side, link, row in late:
            left = [end for end in view.ends_of[self.device[row]] if end not in taken]
            if left:
                self._settle(row, side, link, left[0], taken)

    def _settle(self, row: int, side: str, link: int, end: int, taken: set[int]) -> None:
        self.indistinct.add(self.view.names[self.device[row]])
        taken.add(end)
        if side == "a":
            self.a_label[link], self.a_port[link] = "", -1 - link
            self.adapter_port[row, -1 - link] = self.view.port_of[end]
        else:
            self.z_label[link], self.z_port[link] = "", -1 - link
            self.adapter_port[row, -1 - link] = self.view.port_of[end]

    def links(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Return planned ends and port numbers of all links."""
        count = range(len(self.a))
        ports = [(self.port("a", link), self.port("z", link)) for link in count]
        end_of, device = self.view.end_of, self.device
        ends = [
            (end_of.get(device[a] * PORTS + p, -1) if device[a] >= 0 else -1,
             end_of.get(device[z] * PORTS + q, -1) if device[z] >= 0 else -1)
            for a, z, (p, q) in zip(self.a, self.z, ports, strict=True)
        ]  # fmt: skip
        return ends, ports
