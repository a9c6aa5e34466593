"""GUIDs of adapter ports, as ``ibnetdiscover`` prints them beside the port; for lists that name ports by GUID.

Follows ibnetdiscover(8): a ``Ca`` record names its node GUID, each of its lines the port's GUID in parentheses.
"""

from __future__ import annotations

import re

from fabricplan.errors import Problem, ReadError

_HEAD = re.compile(r'^(?:Ca|Hca)\s+\d+\s+"H-([0-9a-fA-F]{1,16})"')
_PORT = re.compile(r"^\[(\d+)\]\(([0-9a-fA-F]{1,16})\)")


def read_port_guids(data: bytes, name: str) -> dict[tuple[int, int], int]:
    """Return (node GUID, port number) -> port GUID of all adapters of a discovery.

    Args:
        data: the file.
        name: its name, for messages.

    Raises:
        ReadError: it tells no port GUID, or one port two.

    >>> read_port_guids(b'Ca\\t1 "H-0000000000000010"\\n[1](11) "S-1"[20]', "x")
    {(16, 1): 17}
    """
    found: dict[tuple[int, int], int] = {}
    node = 0
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), start=1):
        if line[:1] == "[":
            port = _PORT.match(line) if node else None
            if port is not None:
                key, guid = (node, int(port[1])), int(port[2], 16)
                if found.setdefault(key, guid) != guid:
                    raise ReadError(Problem("port-twice", f"port {key[1]} of adapter {node:#018x} has two GUIDs",
                                            f"{name}:{number}", "discover the fabric anew"))  # fmt: skip
        elif line[:1].isalpha():
            head = _HEAD.match(line)
            node = int(head[1], 16) if head else 0
    if not found:
        raise ReadError(Problem("no-port-guids", "the file tells no GUID of an adapter port", name,
                                "give what ibnetdiscover prints"))  # fmt: skip
    return found
