"""InfiniBand links as ``ibdiagnet2.lst`` and OpenSM's ``opensm-subnet.lst`` hold them: both ends of a link on a line.

An end is ``{ SW Ports:29 SystemGUID:… NodeGUID:… PortGUID:… VenID:… DevID:… Rev:… {description} LID:000D PN:01 }``,
numbers in hexadecimal; the line ends in width, state and speed of a lane (``PHY=4x LOG=ACT SPD=25``). Follows
ibdmchk(1) of ibutils 1.5.7, which reads it, and what OpenSM 3.3 writes.
"""

from __future__ import annotations

import re

from fabricplan.asbuilt.found import ADAPTER, ROUTER, SWITCH, Found, FoundRows, rate_by_lane
from fabricplan.errors import Problem, ReadError

END = r"\{\s*(\w+)[-\w]*\s+Ports:(\w+)\s[^{}]*?NodeGUID:(\w+)\s[^{}]*\{(.*?)\}\s*LID:\w+\s+PN:(\w+)\s*\}"
LINE = re.compile(rf"{END}\s*{END}\s*PHY=(\d+)x\s+LOG=(\w+)\s+SPD=(\S+).*")
KINDS = {"SW": SWITCH, "CA": ADAPTER, "RT": ROUTER}


def read(text: str, name: str, sha256: str) -> Found:
    """Return the fabric of a file.

    Raises:
        ReadError: a line that is none of the format's; with its line.
    """
    rows = FoundRows(name)
    place: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        if match is None or any(match[at] not in KINDS for at in (1, 6)):
            raise ReadError(Problem("syntax", f"not a link of a subnet list: {line[:60]!r}", f"{name}:{number}",
                                    "the file is cut off or was changed; write it anew"))  # fmt: skip
        for kind, ports, guid, told in (match.group(1, 2, 3, 4), match.group(6, 7, 8, 9)):
            key = str(int(guid, 16))
            if key not in place:
                place[key] = rows.device(key, KINDS[kind], told, int(ports, 16), int(guid, 16), number)
        near, port, far, far_port = match.group(3, 5, 8, 10)
        speed = re.fullmatch(r"[0-9.]+", match[13])
        rate = rate_by_lane(int(match[11]), float(speed[0]) if speed else 0.0)
        rows.end(place[str(int(near, 16))], int(port, 16), str(int(far, 16)), int(far_port, 16), rate, number)
    return rows.found("subnet_lst", sha256, one_sided=True)
