"""Names: the only module that formats or parses the names of devices and ports.

Device names are zero-padded to a width that follows from the kind of fabric (tiers and radix), not from today's
count, so that text order is physical order and growth renames nothing::

    node-su01-017   leaf-su02-r3   leaf-p1-su02-r0   spine-03   spine-pod03-04   core-g02-01   storage-leaf-su01

Pods, units, cages and ports count from 1, rails from 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Widths(NamedTuple):
    """Digits of each counted part of a name."""

    unit: int = 2
    node: int = 3
    spine: int = 2
    pod: int = 2
    group: int = 2
    core: int = 2
    host: int = 2
    plane: int = 1
    rail: int = 1


def digits(largest: int, least: int = 2) -> int:
    """Return the digits that ``largest`` needs, at least ``least``.

    >>> digits(64), digits(256)
    (2, 3)
    """
    return max(least, len(str(largest)))


def unit_name(unit: int, widths: Widths) -> str:
    """Return a scalable unit's name, as it stands in the names of its devices.

    >>> unit_name(7, Widths()), unit_name(7, Widths(unit=3))
    ('su07', 'su007')
    """
    return f"su{unit:0{widths.unit}}"


def node_name(group: str, unit: int, slot: int, widths: Widths) -> str:
    """Return a node's name.

    >>> node_name("node", 1, 17, Widths())
    'node-su01-017'
    """
    return f"{group}-{unit_name(unit, widths)}-{slot:0{widths.node}}"


def leaf_name(prefix: str, plane: int, unit: int, rail: int | None, widths: Widths, twin: str = "") -> str:
    """Return a leaf's name; ``plane`` 0 where there is one plane, ``rail`` None where a unit has one leaf, ``twin`` a
    letter where several leaves of a unit begin with the same rail.

    >>> leaf_name("", 0, 2, 3, Widths()), leaf_name("", 1, 2, None, Widths())
    ('leaf-su02-r3', 'leaf-p1-su02')
    >>> leaf_name("", 0, 2, 3, Widths(), "b")
    'leaf-su02-r3b'
    """
    rails = "" if rail is None else f"-r{rail:0{widths.rail}}{twin}"
    return f"{prefix}leaf{_plane(plane, widths)}-{unit_name(unit, widths)}{rails}"


def spine_name(prefix: str, plane: int, pod: int, index: int, widths: Widths) -> str:
    """Return a spine's name; ``pod`` 0 in two tiers.

    >>> spine_name("", 0, 0, 3, Widths()), spine_name("", 0, 3, 4, Widths())
    ('spine-03', 'spine-pod03-04')
    """
    pods = f"-pod{pod:0{widths.pod}}" if pod else ""
    return f"{prefix}spine{_plane(plane, widths)}{pods}-{index:0{widths.spine}}"


def core_name(prefix: str, plane: int, group: int, index: int, widths: Widths) -> str:
    """Return a core's name.

    >>> core_name("", 0, 2, 1, Widths())
    'core-g02-01'
    """
    return f"{prefix}core{_plane(plane, widths)}-g{group:0{widths.group}}-{index:0{widths.core}}"


def host_name(prefix: str, index: int, widths: Widths) -> str:
    """Return the name of a host on a reserved port.

    >>> host_name("", 1, Widths())
    'reserved-01'
    """
    return f"{prefix}reserved-{index:0{widths.host}}"


def panel_name(run: str, side: str, number: int) -> str:
    """Return the name of a patch panel: its run, the side, its number there from the lowest.

    >>> panel_name("H12", "a", 3)
    'panel-h12-a03'
    """
    return f"panel-{run.casefold()}-{side}{number:02}"


def rack_name(row: int, position: int) -> str:
    """Return a rack's grid name: letters for the row (from 0), two digits for the position (from 1).

    >>> rack_name(0, 3), rack_name(26, 12)
    ('A03', 'AA12')
    """
    return f"{row_letters(row)}{position:02}"


def row_letters(row: int) -> str:
    """Return the letters of a row, counted from 0.

    >>> row_letters(0), row_letters(26)
    ('A', 'AA')
    """
    letters = ""
    row += 1
    while row:
        row, rest = divmod(row - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def cable_ids(numbers: Iterable[int], count: int) -> list[str]:
    """Return the ids of cables by their numbers (from 1) and how many there are in the final stage.

    >>> cable_ids([1, 12], 40)
    ['C0001', 'C0012']
    """
    return list(map(f"C%0{digits(count, 4)}d".__mod__, numbers))


def _plane(plane: int, widths: Widths) -> str:
    return f"-p{plane:0{widths.plane}}" if plane else ""


def port_label(numbering: str, number: int, numbers_per_cage: int, links_in_cage: int) -> str:
    """Return the panel label of a switch port.

    Args:
        numbering: the product's rule (``edr``, ``hdr``, ``ndr``, ``xdr``, ``spectrum``).
        number: port number from 1 in the finest split of the switch's profile (InfiniBand port number).
        numbers_per_cage: numbers that a cage takes in this profile.
        links_in_cage: links that this cage carries.

    >>> [port_label("ndr", number, 2, 2) for number in (1, 2, 64)]
    ['IB1/1/1', 'IB1/1/2', 'IB1/32/2']
    >>> port_label("ndr", 6, 4, 4), port_label("ndr", 67, 4, 2)
    ('IB1/2/1/2', 'IB1/17/2')
    >>> port_label("hdr", 7, 1, 1), port_label("hdr", 8, 2, 2), port_label("hdr", 41, 2, 1)
    ('IB1/7', 'IB1/4/2', 'IB1/21')
    >>> port_label("xdr", 144, 2, 2), port_label("spectrum", 66, 2, 2), port_label("spectrum", 65, 2, 1)
    ('sw72p2', 'swp33s1', 'swp33')
    """
    cage, place = divmod(number - 1, numbers_per_cage)
    cage += 1
    part = place * links_in_cage // numbers_per_cage
    if numbering == "edr":
        return f"IB1/{cage}"
    if numbering == "hdr":
        return f"IB1/{cage}/{part + 1}" if links_in_cage > 1 else f"IB1/{cage}"
    if numbering == "ndr":
        port, half = divmod(part, max(links_in_cage // 2, 1))
        split = f"/{half + 1}" if links_in_cage > 2 else ""
        return f"IB1/{cage}/{port + 1}{split}"
    if numbering == "xdr":
        if numbers_per_cage == 1:
            return f"sw{(number - 1) // 2 + 1}p{(number - 1) % 2 + 1}"
        return f"sw{cage}p{part + 1}"
    if numbering == "spectrum":
        return f"swp{cage}s{part}" if links_in_cage > 1 else f"swp{cage}"
    raise ValueError(f"no port numbering '{numbering}'")


def module_port_label(module: int, cage: int, part: int, links_in_cage: int) -> str:
    """Return the label of a port of a director: leaf module, and cage on its panel, both from 1; part from 0. The
    modules are numbered as in the node descriptions of their chips.

    >>> module_port_label(3, 7, 0, 1), module_port_label(20, 40, 1, 2)
    ('L03/7', 'L20/40/2')
    """
    return f"L{module:02}/{cage}" + (f"/{part + 1}" if links_in_cage > 1 else "")


def card_label(card: int, cage: int, cages_per_card: int, part: int, ports_per_cage: int) -> str:
    """Return the label of a port of an adapter card; all counts from 0.

    >>> card_label(0, 0, 1, 0, 1), card_label(1, 1, 2, 0, 1), card_label(0, 0, 1, 1, 2)
    ('NIC1', 'NIC2 P2', 'NIC1 P1/2')
    """
    name = f"NIC{card + 1}"
    if cages_per_card > 1 or ports_per_cage > 1:
        name += f" P{cage + 1}"
    if ports_per_cage > 1:
        name += f"/{part + 1}"
    return name
