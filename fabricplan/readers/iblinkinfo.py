"""InfiniBand links as ``iblinkinfo`` prints them, in blocks or one a line (``--line``).

Follows iblinkinfo(8) of infiniband-diags 28 to 50. A block names its node; a port's far end is told by address,
port and description, so that the block of the far end is found by description, then by its port and its address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from fabricplan.asbuilt.found import ADAPTER, SWITCH, Found, FoundRows, Rate, rate_by_lane
from fabricplan.errors import Problem, ReadError

HEAD = re.compile(r"(Switch|CA|RT)\s*:\s*(?:(0x[0-9a-fA-F]+)\s+)?(.*):")
PORT = re.compile(
    r'\s*(?:(0x[0-9a-fA-F]+)\s+)?(?:"(.*?)"\s+)?(\d+)\s+(\d+)\[.*?\]\s*==\(\s*(.*?)\s*\)==>'
    r'\s*(?:(0x[0-9a-fA-F]+)\s+)?(?:(\d+)\s+(\d+))?\s*\[.*?\]\s*"(.*)"\s*\(.*\)\s*'
)
RATE = re.compile(r"(\d+)X\s+([0-9.]+)\s*Gbps.*", re.IGNORECASE)
_ASIDE = ("#", "ibwarn:", "ibpanic:", "src/", "./")


class _End(NamedTuple):
    device: int
    port: int
    lid: int
    far_name: str
    far_port: int
    far_lid: int
    rate: Rate
    line: int


def read(text: str, name: str, sha256: str) -> Found:
    """Return the fabric of a file.

    Raises:
        ReadError: a line that is none of the format's, or a far end that cannot be told; with its line.
    """
    rows = FoundRows(name)
    ends: list[_End] = []
    label: list[str] = []
    single: dict[str, int] = {}
    device = -1
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip()
        if not line or line.startswith(_ASIDE):
            continue
        match = PORT.fullmatch(line)
        if match is not None:
            guid, own, lid, port, state, _, far_lid, far_port, far = match.groups()
            far = far.strip()
            if own is not None:
                # names are set right in a column of their own
                own = own.strip()
                # one line a link: the near end's name stands on the line itself
                if guid not in single:
                    single[guid] = rows.device(f"{own}\n{guid}", ADAPTER, own, 0, int(guid or "0", 16), number)
                    label.append(own)
                device = single[guid]
            if device < 0:
                raise _syntax(name, number, line)
            rate = RATE.fullmatch(state)
            if rate is not None and far_port is not None:
                ends.append(_End(device, int(port), int(lid), far, int(far_port), int(far_lid),
                                 rate_by_lane(int(rate[1]), float(rate[2])), number))  # fmt: skip
            continue
        head = HEAD.fullmatch(line)
        if head is None and not label:
            # what was typed stands before the output in a terminal's log
            continue
        if head is None:
            raise _syntax(name, number, line)
        kind, guid, told = head.groups()
        told = told.strip()
        device = rows.device(f"{told}\n{guid or number}", SWITCH if kind == "Switch" else ADAPTER, told, 0,
                             int(guid, 16) if guid else 0, number)  # fmt: skip
        label.append(told)
    for end, key in _matched(rows, ends, label):
        rows.end(end.device, end.port, key, end.far_port, end.rate, end.line)
    return _with_switches(rows.found("iblinkinfo", sha256, one_sided=True), bool(single))


def _matched(rows: FoundRows, ends: list[_End], label: list[str]) -> Iterator[tuple[_End, str]]:
    """Yield every end with the key of its far device; devices without a block of their own are added."""
    by_name: dict[tuple[str, int], list[_End]] = {}
    for end in ends:
        by_name.setdefault((label[end.device], end.port), []).append(end)
    keys = rows.keys()
    for end in ends:
        own = label[end.device]
        found = [other for other in by_name.get((end.far_name, end.far_port), ())
                 if other.far_name == own and other.far_port == end.port]  # fmt: skip
        if len(found) > 1:
            found = [other for other in found if other.lid == end.far_lid and other.far_lid == end.lid] or found
        if len(found) > 1:
            raise ReadError(Problem("ambiguous", f"several devices are called '{end.far_name}' and none can be told "
                                    "from the others", f"{rows.name}:{end.line}",
                                    "give a file of ibnetdiscover, which tells GUIDs"))  # fmt: skip
        if found:
            yield end, keys[found[0].device]
            continue
        key = f"{end.far_name}\n{end.far_lid}"
        if not rows.known(key):
            rows.device(key, ADAPTER, end.far_name, 0, 0, end.line)
        yield end, key


def _with_switches(found: Found, guessed: bool) -> Found:
    """One line a link does not tell switches from adapters: what has more than two links is a switch."""
    if not guessed:
        return found
    counts = [0] * len(found.devices)
    for a, z in zip(found.links.a.tolist(), found.links.z.tolist(), strict=True):
        counts[a] += 1
        counts[z] += 1
    columns = {name: getattr(found.devices, name) for name in type(found.devices).columns}
    columns["kind"] = [
        SWITCH if kind == ADAPTER and count > 2 else kind
        for kind, count in zip(found.devices.kind.tolist(), counts, strict=True)
    ]
    return found.model_copy(update={"devices": type(found.devices)(**columns)})


def _syntax(name: str, number: int, line: str) -> ReadError:
    return ReadError(Problem("syntax", f"not a line of iblinkinfo: {line[:60]!r}", f"{name}:{number}",
                             "the file is cut off or was changed; run iblinkinfo anew"))  # fmt: skip
