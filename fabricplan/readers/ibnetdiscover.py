"""InfiniBand discovery as ``ibnetdiscover`` prints it, and as ``ibsim`` reads it.

Follows ibnetdiscover(8) of infiniband-diags 28 to 50, its grouping option included, and ibsim's net files. Every
device has a record (``Switch``, ``Ca``, ``Rt``; ``Hca`` in net files), every link stands in the records of both ends.
Logs of terminals are read too: they may have lost the tabs, begin with what was typed and end with a prompt. A line
that is cut off at the end of the file is seen by the links whose other ends are missing.
"""

from __future__ import annotations

import re

from fabricplan.asbuilt.found import ADAPTER, SWITCH, Found, FoundRows, Rate, rate_of
from fabricplan.errors import Problem, ReadError

HEAD = re.compile(r'(Switch|Ca|Hca|Rt)\s*(\d+)\s*"([^"]+)"(?:\s*#\s*"(.*)"[^"]*)?.*')
PORT = re.compile(r'\[(\d+)\](?:\[[^\]]*\])?(?:\(\w+\))?\s*"([^"]+)"\[(\d+)\](?:\[[^\]]*\])?(?:\(\w+\))?\s*(.*)')
RATE = re.compile(r"(\d+)x([A-Z]+\d*)")
_IDENTITY = re.compile(r"[SHR]-([0-9a-fA-F]{1,16})")
_ASIDE = ("#", "vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=", "Chassis ", "ibwarn:",
          "ibpanic:", "src/", "./", "module=", "Discovered ")  # fmt: skip
"""How lines begin that tell nothing about links: comments, facts of the next record, warnings of the tool."""


def read(text: str, name: str, sha256: str) -> Found:
    """Return the fabric of a file.

    Raises:
        ReadError: a line that is none of the format's, or a file that is cut off or contradicts itself; with its line.
    """
    rows = FoundRows(name)
    rates: dict[str, Rate] = {"": Rate()}
    device, dated = -1, 0
    odd: tuple[int, str] | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip()
        if line.startswith("["):
            match = PORT.fullmatch(line)
            if match is None and device < 0:
                continue
            if match is None or device < 0:
                odd = odd or (number, line)
                continue
            if odd:
                raise _syntax(name, *odd)
            port, far, far_port, rest = match.groups()
            word = rest.rpartition(" ")[2] if rest else ""
            rate = rates.get(word)
            if rate is None:
                told = RATE.fullmatch(word)
                rate = rates[word] = rate_of(int(told[1]), told[2]) if told else Rate()
            rows.end(device, int(port), far, int(far_port), rate, number)
        elif not line or line.startswith(_ASIDE):
            if line.startswith("# Topology file"):
                dated += 1
            if dated > 1:
                raise ReadError(Problem("two-discoveries", "a second discovery begins here", f"{name}:{number}",
                                        "give each discovery its own file"))  # fmt: skip
        else:
            head = HEAD.fullmatch(line)
            if head is None and device < 0:
                continue
            if head is None:
                odd = odd or (number, line)
                continue
            if odd:
                raise _syntax(name, *odd)
            kind, ports, key, description = head.groups()
            identity = _IDENTITY.fullmatch(key)
            device = rows.device(key, SWITCH if kind == "Switch" else ADAPTER,
                                 key if description is None else description, int(ports),
                                 int(identity[1], 16) if identity else 0, number)  # fmt: skip
    return rows.found("ibnetdiscover", sha256)


def _syntax(name: str, number: int, line: str) -> ReadError:
    return ReadError(Problem("syntax", f"not a line of ibnetdiscover: {line[:60]!r}", f"{name}:{number}",
                             "the file is cut off or was changed; discover the fabric anew"))  # fmt: skip
