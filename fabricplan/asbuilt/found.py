"""Found: what a discovery says stands and is connected, as tables; the plan is not known here.

One row a device (a switch, an adapter, an aggregation node or a router of a switch), one row a link, whichever format
told it. A switch of several chips that are planes of the same ports is one row (:mod:`fabricplan.asbuilt.chips`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from fabricplan.errors import Problem, ReadError
from fabricplan.values import Column, Finding, Table, Value, finding

SWITCH, ADAPTER, AGGREGATION, ROUTER = 0, 1, 2, 3
"""Kinds of devices; from ``AGGREGATION`` on they are parts of a switch, set apart."""
LANE_GBPS: Mapping[str, float] = {
    "SDR": 2.5, "DDR": 5, "QDR": 10, "FDR10": 10, "FDR": 14, "EDR": 25, "HDR": 50, "NDR": 100, "XDR": 200,
}  # fmt: skip
"""InfiniBand speed -> Gb/s of one lane, as it is sold."""
SPEEDS = ("", *LANE_GBPS)
"""Words of the speed column."""
_FACTORY = re.compile(
    r"MT\d+\b.*|.*\bMellanox Technologies\b.*|(ConnectX|Quantum|SwitchX|Switch-?IB|Infiniscale).*"
    r"|switch-[0-9a-f]{6,12}|[SHR]-[0-9a-f]{16}|localhost.*|",
    re.IGNORECASE,
)
"""Descriptions that devices bear before anybody names them."""
_MANAGED = re.compile(r"MF\d+;([^:]*)(?::([^/]*)(?:/(.*))?)?")
"""What managed switches say: ``MF0;name:model/chip``; chips are ``U1``, in a director ``L03/U1``, routers ``U1/RT``."""
_CHIP = re.compile(r"U(\d+)(?:/RT)?")
DIRECTOR_CHIP = re.compile(r"(.+)/([LS])(\d+)/U(\d+)", re.IGNORECASE)
"""Name that :func:`describe` gives to a chip of a director: box, leaf or spine module, its number, chip."""


class FoundDevices(Table):
    """Devices in the order of the files."""

    columns: ClassVar = {
        "kind": Column("<u1", "0 switch, 1 adapter, 2 aggregation node (SHARP), 3 router inside a switch"),
        "named": Column("<u1", "1 where somebody named it"),
        "name": Column("<i4", "row of the texts: its name"),
        "model": Column("<i4", "row of the texts: the model it tells, or empty"),
        "chip": Column("<u1", "number of the switch's chip as it tells it; 0 for none"),
        "ports": Column("<u2", "ports that it declares; 0 where the file does not say"),
        "guid": Column("<u8", "node GUID; 0 where the file does not say"),
        "source": Column("<u1", "row of the sources"),
        "line": Column("<i4", "line of its record"),
    }


class FoundLinks(Table):
    """Links, each once, in the order in which the files first tell them."""

    columns: ClassVar = {
        "a": Column("<i4", "device row of the end that is told first"),
        "a_port": Column("<u2", "its port number; 0 where only a label is told"),
        "a_label": Column("<i4", "row of the texts: the port's label; empty for InfiniBand"),
        "z": Column("<i4", "device row of the other end"),
        "z_port": Column("<u2", "its port number"),
        "z_label": Column("<i4", "row of the texts: the port's label"),
        "width": Column("<u1", "lanes in use; 0 unknown"),
        "speed": Column("<u1", "row of SPEEDS"),
        "gbps": Column("<u2", "Gb/s of the link as sold; 0 unknown"),
        "line": Column("<i4", "line that tells it first"),
    }


class Source(Value):
    """A file that was read: its SHA-256 goes into every report."""

    name: str
    format: str
    sha256: str


class Found(Value):
    """A discovered fabric, or several.

    Attributes:
        folded: (device row, GUID) of further chips of a switch that is one row.
    """

    sources: tuple[Source, ...]
    texts: tuple[str, ...]
    devices: FoundDevices
    links: FoundLinks
    findings: tuple[Finding, ...] = ()
    folded: tuple[tuple[int, int], ...] = ()

    def names(self) -> list[str]:
        """Return the name of every device row."""
        return [self.texts[row] for row in self.devices.name.tolist()]

    def models(self) -> list[str]:
        """Return the model of every device row; empty where it tells none."""
        return [self.texts[row] for row in self.devices.model.tolist()]


class Rate(NamedTuple):
    """Width, speed (row of ``SPEEDS``) and Gb/s of a link."""

    width: int = 0
    speed: int = 0
    gbps: int = 0


def rate_of(width: int, speed: str) -> Rate:
    """Return a link's rate from its lanes and its speed word; an unknown word gives an unknown rate.

    >>> rate_of(4, "NDR"), rate_of(2, "HDR").gbps
    (Rate(width=4, speed=8, gbps=400), 100)
    """
    word = speed.upper()
    if word not in LANE_GBPS:
        return Rate(width)
    return Rate(width, SPEEDS.index(word), int(width * LANE_GBPS[word]))


def rate_by_lane(width: int, lane_gbps: float) -> Rate:
    """Return a link's rate from its lanes and the signalling rate of one.

    >>> rate_by_lane(4, 53.125), rate_by_lane(4, 25.78125).gbps
    (Rate(width=4, speed=7, gbps=200), 100)
    """
    # signalling rates lie up to 7 % above what is sold: 26.5625 (EDR with FEC), 53.125 (HDR)
    near = [word for word, sold in LANE_GBPS.items() if sold * 0.98 <= lane_gbps <= sold * 1.07]
    if lane_gbps == 10.3125:
        near = ["FDR10"]
    return rate_of(width, near[0]) if near else Rate(width)


class Described(NamedTuple):
    """A node description taken apart; ``chip`` is 0 where it tells none."""

    name: str
    model: str
    named: bool
    chip: int = 0


def describe(text: str) -> Described:
    """Take a node description apart; the chips of a director are switches of their own.

    >>> describe("MF0;SLG04-16:MQM8700/U1")
    Described(name='SLG04-16', model='MQM8700', named=True, chip=1)
    >>> describe("MF0;core:CS7500/L03/U1").name, describe("MF0;ib1:Q3400_RA/U2/RT").chip
    ('core/L03/U1', 2)
    >>> describe("MT4123 ConnectX6   Mellanox Technologies").named
    False
    """
    text = text.strip()
    match = _MANAGED.fullmatch(text)
    if match is None:
        return Described(text, "", _FACTORY.fullmatch(text) is None)
    name, model, place = match[1].strip(), (match[2] or "").strip(), match[3] or ""
    named = _FACTORY.fullmatch(name) is None
    chip = _CHIP.fullmatch(place)
    if place and chip is None:
        name = f"{name}/{place}"
    return Described(name, model, named, min(int(chip[1]), 255) if chip else 0)


def is_aggregation(text: str) -> bool:
    """Return whether a description is that of an aggregation node, which is no host."""
    return "aggregation node" in text.casefold()


class FoundRows:
    """Collects devices and link ends of one file; lives inside one call of a reader.

    Every link is told from both ends; :meth:`table` joins them and refuses what contradicts itself.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows: list[tuple[int, int, int, int, int, int, int, int]] = []
        self._texts: dict[str, int] = {"": 0}
        self._ids: dict[str, int] = {}
        self._ends: dict[tuple[int, int], tuple[str, int, Rate, int]] = {}
        self.findings: list[Finding] = []

    def text(self, text: str) -> int:
        """Return the row of a text."""
        return self._texts.setdefault(text, len(self._texts))

    def device(self, key: str, kind: int, description: str, ports: int, guid: int, line: int) -> int:
        """Add a device; ``key`` is what links name it by. Return its row.

        Raises:
            ReadError: it stands twice: two discoveries in one file.
        """
        if key in self._ids:
            first = self.rows[self._ids[key]][-1]
            raise ReadError(Problem(
                "device-twice", f"'{description or key}' ({key}) has two records; the first is on line {first}",
                f"{self.name}:{line}", "two discoveries in one file? give each its own file"))  # fmt: skip
        told = describe(description)
        if kind == ADAPTER and is_aggregation(description):
            kind = AGGREGATION
        if kind == ADAPTER and description.endswith("/RT"):
            kind = ROUTER
        self._ids[key] = len(self.rows)
        self.rows.append((kind, int(told.named), self.text(told.name or key), self.text(told.model), told.chip, ports,
                          guid, line))  # fmt: skip
        return self._ids[key]

    def keys(self) -> list[str]:
        """Return the key of every device row."""
        return list(self._ids)

    def known(self, key: str) -> bool:
        """Return whether a device was added."""
        return key in self._ids

    def end(self, device: int, port: int, far: str, far_port: int, rate: Rate, line: int) -> None:
        """Add one end of a link as its record tells it.

        Raises:
            ReadError: the port was told before.
        """
        if (device, port) in self._ends:
            first = self._ends[device, port][3]
            raise ReadError(Problem("port-twice", f"port {port} stands twice in one record; first on line {first}",
                                    f"{self.name}:{line}", "discover the fabric anew"))  # fmt: skip
        self._ends[device, port] = (far, far_port, rate, line)

    def found(self, format: str, sha256: str, one_sided: bool = False) -> Found:
        """Join the ends.

        Args:
            format: name of the format.
            sha256: of the file.
            one_sided: whether the format may tell a link from one end only.

        Raises:
            ReadError: no device, no link, a device without a record, or ends that contradict each other.
        """
        if not self.rows:
            raise ReadError(Problem("nothing-found", "no device is in the file", self.name, "discover the fabric anew"))
        links: list[tuple[int, ...]] = []
        for (device, port), (far, far_port, rate, line) in self._ends.items():
            other = self._ids.get(far)
            if other is None:
                raise ReadError(Problem(
                    "truncated", f"port {port} leads to '{far}', which has no record in the file",
                    f"{self.name}:{line}", "the file is cut off, or holds a part of the fabric"))  # fmt: skip
            back = self._ends.get((other, far_port))
            if back is None and not one_sided:
                raise ReadError(Problem(
                    "truncated", f"the link to port {far_port} of '{far}' is not told by its record",
                    f"{self.name}:{line}", "the file is cut off or was changed; discover the fabric anew"))  # fmt: skip
            if back is not None and (self._ids.get(back[0]), back[1]) != (device, port):
                raise ReadError(Problem(
                    "contradiction", f"port {far_port} of '{far}' leads elsewhere by its own record, on line {back[3]}",
                    f"{self.name}:{line}", "two discoveries in one file? discover the fabric anew"))  # fmt: skip
            if back is None or (device, port) <= (other, far_port):
                links.append((device, port, 0, other, far_port, 0, *rate, line))
        if not links:
            raise ReadError(Problem("no-links", f"{len(self.rows)} devices, but no link between them", self.name,
                                    "is this a list of nodes? a discovery tells the links too"))  # fmt: skip
        return self.table(format, sha256, links)

    def table(self, format: str, sha256: str, links: list[tuple[int, ...]]) -> Found:
        """Return the file's fabric from finished rows."""
        kind, named, name, model, chip, ports, guid, line = zip(*self.rows, strict=True)
        columns = np.array(links, np.int64).reshape(len(links), len(FoundLinks.columns)).T
        return Found(
            sources=(Source(name=self.name, format=format, sha256=sha256),), texts=tuple(self._texts),
            devices=FoundDevices(kind=kind, named=named, name=name, model=model, chip=chip, ports=ports,
                                 guid=np.array(guid, np.uint64), source=np.zeros(len(self.rows), np.int64), line=line),
            links=FoundLinks(**dict(zip(FoundLinks.columns, columns, strict=True))), findings=tuple(self.findings),
        )  # fmt: skip


def joined(parts: list[Found]) -> Found:
    """Return several files as one: each holds another plane or fabric, or another device's neighbours.

    Raises:
        ReadError: a switch is in two files: two discoveries of one fabric.
    """
    if len(parts) == 1:
        return parts[0]
    texts: dict[str, int] = {}
    seen: dict[int, str] = {}
    devices, links, first = [], [], 0
    folded: list[tuple[int, int]] = []
    for number, part in enumerate(parts):
        switches = (part.devices.kind == SWITCH) & (part.devices.guid != 0)
        for guid, name in zip(part.devices.guid[switches].tolist(), part.devices.name[switches].tolist(), strict=True):
            if guid in seen:
                raise ReadError(Problem(
                    "same-switch", f"switch {part.texts[name]} ({guid:#018x}) is in {seen[guid]} too",
                    part.sources[0].name, "give one discovery of each fabric"))  # fmt: skip
            seen[guid] = part.sources[0].name
        new = np.array([texts.setdefault(text, len(texts)) for text in part.texts], np.int64)
        columns = {name: getattr(part.devices, name) for name in FoundDevices.columns}
        columns |= {"name": new[part.devices.name], "model": new[part.devices.model]}
        columns["source"] = np.full(len(part.devices), number)
        devices.append(columns)
        told = {name: part.links.wide(name) for name in FoundLinks.columns}
        told |= {"a": told["a"] + first, "z": told["z"] + first}
        told |= {"a_label": new[told["a_label"]], "z_label": new[told["z_label"]]}
        links.append(told)
        folded += [(row + first, guid) for row, guid in part.folded]
        first += len(part.devices)
    return Found(
        sources=tuple(part.sources[0] for part in parts), texts=tuple(texts),
        devices=FoundDevices(**{name: np.concatenate([row[name] for row in devices]) for name in FoundDevices.columns}),
        links=FoundLinks(**{name: np.concatenate([row[name] for row in links]) for name in FoundLinks.columns}),
        findings=tuple(item for part in parts for item in part.findings), folded=tuple(folded),
    )  # fmt: skip


def part_of(found: Found, rows: npt.NDArray[np.bool_]) -> Found:
    """Return the chosen devices and the links between them, in their order."""
    place = np.cumsum(rows) - 1
    a, z = found.links.wide("a"), found.links.wide("z")
    mine = rows[a] & rows[z]
    links = {name: found.links.wide(name)[mine] for name in FoundLinks.columns}
    links |= {"a": place[links["a"]], "z": place[links["z"]]}
    return found.model_copy(update={
        "devices": FoundDevices(**{name: getattr(found.devices, name)[rows] for name in FoundDevices.columns}),
        "links": FoundLinks(**links),
        "folded": tuple((int(place[row]), guid) for row, guid in found.folded if rows[row]),
    })  # fmt: skip


def duplicate_names(found: Found) -> list[Finding]:
    """Return a finding for every name that two switches, or two adapters of one file, bear."""
    met: dict[tuple[int, int, str], list[int]] = {}
    names = found.names()
    kinds, sources = found.devices.kind.tolist(), found.devices.source.tolist()
    for row, (kind, named, source) in enumerate(zip(kinds, found.devices.named.tolist(), sources, strict=True)):
        if named and kind < AGGREGATION:
            met.setdefault((source if kind == ADAPTER else -1, kind, names[row].casefold()), []).append(row)
    lines = found.devices.line.tolist()
    return [
        finding("warning", "duplicate-name", names[rows[0]], count=len(rows),
                lines=", ".join(str(lines[row]) for row in rows[:8]))
        for rows in met.values() if len(rows) > 1
    ]  # fmt: skip
