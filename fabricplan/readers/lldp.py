"""Neighbours of Ethernet switches as JSON: ``lldpctl -f json`` and ``json0`` of lldpd 1.0, one device or many.

* One device a file: the device is the file's name without its suffix (``leaf-su01-r0.json``).
* Many in one file: an object ``{device: what lldpctl prints there}``.
* Rows: an array of ``{"local_device", "local_port", "remote_device", "remote_port"}``.

A neighbour's port may be told by name, by MAC or by description: all of them are kept, and the one that the plan knows
is taken. Several neighbours on a port are legal in LLDP; they are told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from fabricplan.asbuilt.found import ADAPTER, SWITCH, Found, FoundRows, Source
from fabricplan.errors import Problem, ReadError
from fabricplan.storedjson import tree_of
from fabricplan.values import finding

ROW_FIELDS = ("local_device", "local_port", "remote_device", "remote_port")


class _Seen(NamedTuple):
    """A neighbour on a local port; ``bridge`` tells that it says it is a switch."""

    device: str
    port: str
    far: str
    far_ports: tuple[str, ...]
    bridge: bool


def read(text: str, name: str, sha256: str) -> Found:
    """Return the links of a file.

    Raises:
        ReadError: not JSON, or none of the forms; with line or path.
    """
    return read_several([(text, name)], (Source(name=name, format="lldp", sha256=sha256),))


def read_several(files: Sequence[tuple[str, str]], sources: tuple[Source, ...]) -> Found:
    """Return the links that several files tell, each link once.

    Raises:
        ReadError: as :func:`read`, for the first file that is wrong.
    """
    seen = []
    for text, name in files:
        tree = tree_of(text, name, "the file is cut off; write it anew with lldpctl -f json")
        told = list(_neighbours(tree, name))
        if not told:
            raise ReadError(Problem("no-links", "the file tells no neighbour", name,
                                    "is lldpd running on the switch and on its neighbours?"))  # fmt: skip
        seen += told
    return _found(seen, sources)


def _neighbours(tree: Any, name: str) -> Iterator[_Seen]:
    if isinstance(tree, list):
        for number, row in enumerate(tree):
            if not isinstance(row, dict) or any(not isinstance(row.get(field), str) for field in ROW_FIELDS):
                raise ReadError(Problem("lldp-row", f"a row has the texts {', '.join(ROW_FIELDS)}",
                                        f"{name}: [{number}]", "or give what lldpctl -f json prints"))  # fmt: skip
            device, port, far, far_port = (row[field] for field in ROW_FIELDS)
            yield _Seen(device, port, far, (far_port,), False)
    elif isinstance(tree, dict) and "lldp" in tree:
        yield from _device(PurePath(name).stem, tree, name)
    elif isinstance(tree, dict) and tree and all(isinstance(item, dict) and "lldp" in item for item in tree.values()):
        for device, item in tree.items():
            yield from _device(device, item, f"{name}: {device}")
    else:
        raise ReadError(Problem("lldp-form", "neither what lldpctl -f json prints, nor an object of it by device",
                                name, "write the file with: lldpctl -f json > DEVICE.json"))  # fmt: skip


def _device(device: str, tree: Any, where: str) -> Iterator[_Seen]:
    for port, item in _interfaces(_first(tree["lldp"])):
        chassis, bridge = _chassis(item.get("chassis"))
        far = _first(item.get("port"))
        if not chassis or not isinstance(far, dict):
            raise ReadError(Problem("lldp-form", f"port {port} has no chassis or no port of a neighbour", where,
                                    "write the file anew with lldpctl -f json"))  # fmt: skip
        told = (_text(far.get("id")), _text(far.get("descr")))
        yield _Seen(device, port, chassis, tuple(dict.fromkeys(text for text in told if text)), bridge)


def _interfaces(lldp: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield name and content of every interface, in each of the forms that lldpd prints."""
    found = lldp.get("interface") if isinstance(lldp, dict) else None
    for item in found if isinstance(found, list) else [found] if isinstance(found, dict) else []:
        if isinstance(item, dict) and isinstance(item.get("name"), str):
            yield item["name"], item
        elif isinstance(item, dict):
            for port, content in item.items():
                if isinstance(content, dict):
                    yield port, content


def _chassis(tree: Any) -> tuple[str, bool]:
    """Return a neighbour's name (its id where it tells none), and whether it is a bridge."""
    held = _first(tree)
    if not isinstance(held, dict):
        return "", False
    name = _text(held.get("name"))
    if not name and len(held) == 1 and "id" not in held:
        name, held = next(iter(held.items()))
    if not isinstance(held, dict):
        return "", False
    listed = held.get("capability", [])
    able = [item for item in (listed if isinstance(listed, list) else [listed]) if isinstance(item, dict)]
    bridge = any(item.get("type") == "Bridge" and item.get("enabled") is True for item in able)
    return name or _text(held.get("id")), bridge


def _first(tree: Any) -> Any:
    return tree[0] if isinstance(tree, list) and tree else tree


def _text(tree: Any) -> str:
    held = _first(tree)
    if isinstance(held, dict):
        held = held.get("value", "")
    return held.strip() if isinstance(held, str) else ""


def _found(seen: list[_Seen], sources: tuple[Source, ...]) -> Found:
    rows = FoundRows(sources[0].name)
    bridges = {item.far.casefold() for item in seen if item.bridge}
    told = Counter(item.device.casefold() for item in seen)
    rank: dict[str, int] = {}
    for word in [item.device for item in seen] + [item.far for item in seen]:
        key = word.casefold()
        if key not in rank:
            switch = key in bridges or told[key] > 2
            rank[key] = rows.device(key, SWITCH if switch else ADAPTER, word, 0, 0, 1)
    local = {(item.device.casefold(), item.port.casefold(), item.far.casefold()): item for item in seen}
    between: dict[tuple[str, str], list[_Seen]] = {}
    for item in seen:
        between.setdefault((item.device.casefold(), item.far.casefold()), []).append(item)
    ends: set[frozenset[tuple[str, str]]] = set()
    links: list[tuple[int, ...]] = []
    for item in seen:
        near, far = item.device.casefold(), item.far.casefold()
        # the far device's own file may tell the same link: then its own word for its port is taken
        back = [local[far, port.casefold(), near] for port in item.far_ports if (far, port.casefold(), near) in local]
        if not back:
            back = [other for other in between.get((far, near), ()) if item.port in other.far_ports]
        label = back[0].port if back else "\n".join(item.far_ports)
        pair = frozenset([(near, item.port.casefold()), (far, label.casefold())])
        if pair not in ends:
            ends.add(pair)
            links.append((rank[near], 0, rows.text(item.port), rank[far], 0, rows.text(label), 0, 0, 0, 1))
    shared = Counter((item.device, item.port) for item in seen)
    rows.findings += [
        finding("info", "several-neighbours", f"{device} {port}", count=count)
        for (device, port), count in shared.items() if count > 1
    ]  # fmt: skip
    return rows.table("lldp", "", links).model_copy(update={"sources": sources})
