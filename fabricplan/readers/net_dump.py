"""InfiniBand links as ibdiagnet writes them to ``ibdiagnet2.net_dump``.

A block names its node (``"description", device, 0xGUID, LID n``); a table follows whose columns are found by their
headings (``#``, ``IB#``, ``Sta``, ``LWA``, ``LSA``, ``Neighbor Guid``, ``N#``, ``Neighbor Description``), because
versions differ in them. GUIDs are numbers, however they are padded. The first column is the port's label, which the
far end's ``N#`` repeats: ``sw1p1``, ``1/1/1``, ``7``.

Source: NVIDIA's NDT plugin, which reads the file (Mellanox/ufm_sdk_3.0, ``topo_diff/ndt_infra.py``), and public parsers
that tell its columns and words for NDR and XDR (``LINK UP``, ``1x``, ``200``, ``MLNX_RS_544_514_PLR``, ``NO-RTR``).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from fabricplan.asbuilt.found import ADAPTER, LANE_GBPS, SWITCH, Found, FoundRows, Rate, rate_by_lane, rate_of
from fabricplan.errors import Problem, ReadError

HEAD = re.compile(r'"(.*)"\s*,\s*([^,]*)\s*,\s*(0x[0-9a-fA-F]+)\s*,\s*LID\s+(\w+).*')
COLUMNS = {"#": "label", "ib#": "port", "sta": "state", "lwa": "width", "lsa": "speed", "neighbor guid": "guid",
           "n#": "far", "neighbor description": "name"}  # fmt: skip
_DOWN = ("", "down", "dow", "n/a")


class _End(NamedTuple):
    device: int
    port: int
    guid: int
    far: str
    name: str
    rate: Rate
    line: int


def read(text: str, name: str, sha256: str) -> Found:
    """Return the fabric of a file.

    Raises:
        ReadError: a line that is none of the format's; with its line.
    """
    rows = FoundRows(name)
    labels: dict[tuple[int, str], int] = {}
    ends: list[_End] = []
    places: dict[str, int] = {}
    device, guid = -1, 0
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if not line or (line.startswith(("#", "-I-", "-W-", "---")) and "IB#" not in line):
            continue
        head = HEAD.fullmatch(line)
        if head is not None:
            guid = int(head[3], 16)
            device = rows.device(str(guid), SWITCH, head[1], 0, guid, number)
            continue
        if "IB#" in line:
            words = [word.strip().casefold() for word in line.split(":")]
            places = {COLUMNS[word]: place for place, word in enumerate(words) if word in COLUMNS}
            missing = [word for word, field in COLUMNS.items() if field not in places and field != "label"]
            if missing:
                raise ReadError(Problem("no-column", f"the table lacks {', '.join(missing)}", f"{name}:{number}",
                                        "give ibdiagnet2.net_dump"))  # fmt: skip
            continue
        if device < 0 or not places:
            raise _syntax(name, number, line)
        cells = [cell.strip() for cell in line.split(":", max(places.values()))]
        if len(cells) > places["port"] and cells[places["port"]].isdecimal():
            labels[device, cells[places.get("label", places["port"])]] = int(cells[places["port"]])
        if len(cells) > places["state"] and cells[places["state"]].casefold() in _DOWN:
            continue
        if len(cells) <= max(places.values()):
            raise _syntax(name, number, line)
        try:
            port, far = int(cells[places["port"]]), int(cells[places["guid"]], 16)
        except ValueError:
            raise _syntax(name, number, line) from None
        ends.append(_End(device, port, far, cells[places["far"]], cells[places["name"]].strip('"'),
                         _rate(cells[places["width"]], cells[places["speed"]]), number))  # fmt: skip
    for end in ends:
        if not rows.known(str(end.guid)):
            rows.device(str(end.guid), ADAPTER, end.name, 0, end.guid, end.line)
    row = {key: place for place, key in enumerate(rows.keys())}
    for end in ends:
        far_row = row[str(end.guid)]
        far_port = labels.get((far_row, end.far))
        if far_port is None:
            last = re.search(r"(\d+)$", end.far)
            if last is None:
                raise ReadError(Problem("far-port", f"the far port '{end.far}' is no port", f"{name}:{end.line}",
                                        "give a file of ibnetdiscover"))  # fmt: skip
            far_port = int(last[1])
        rows.end(end.device, end.port, str(end.guid), far_port, end.rate, end.line)
    return rows.found("net_dump", sha256, one_sided=True)


def _rate(width: str, speed: str) -> Rate:
    lanes = re.match(r"\d+", width)
    count = int(lanes[0]) if lanes else 0
    if speed.upper() in LANE_GBPS:
        return rate_of(count, speed)
    number = re.fullmatch(r"[0-9.]+", speed)
    return rate_by_lane(count, float(speed)) if number else Rate(count)


def _syntax(name: str, number: int, line: str) -> ReadError:
    return ReadError(Problem("syntax", f"not a line of a net dump: {line[:60]!r}", f"{name}:{number}",
                             "the file is cut off or was changed; run ibdiagnet anew"))  # fmt: skip
