"""Names of a discovery -> names of the plan: a CSV of two columns, or OpenSM's node name map.

CSV: found name or GUID, name in the plan; a heading is passed over. Node name map (opensm(8)): ``0xGUID "name"``.
A found name is a switch's name, a host's name, a whole description (``gpu7 mlx5_0``), or a MAC address (LLDP).
"""

from __future__ import annotations

import csv
import re

from fabricplan.asbuilt.match import NameMap
from fabricplan.asbuilt.view import fold
from fabricplan.errors import Problem, ReadError
from fabricplan.readers.csvtext import separator_of

HEADINGS = ("found", "name", "guid", "from", "device", "mac", "发现名称", "实际名称")
PROBLEMS_MAX = 12
"""More wrong lines than this are counted, not listed: the file is something else."""
_GUID = re.compile(r"(?:[SHR]-|0x)([0-9a-fA-F]{1,16})")
_NODE_NAME = re.compile(r'(0x[0-9a-fA-F]{1,16})\s+"([^"]+)"')


def read_name_map(text: str, name: str) -> NameMap:
    """Return the map.

    Raises:
        ReadError: a line without two columns, a found name twice, or no line at all; with its line.
    """
    names: dict[str, str] = {}
    guids: dict[int, str] = {}
    problems: list[Problem] = []
    first = True
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        told = _NODE_NAME.fullmatch(line)
        separator = separator_of(line)
        cells = [told[1], told[2]] if told else [cell.strip() for cell in next(csv.reader([line], delimiter=separator))]
        heading, first = first and cells[0].casefold() in HEADINGS, False
        if heading:
            continue
        if len(cells) != 2 or not all(cells):
            problems.append(Problem("map-line", f"two columns are needed: {line[:60]!r}", f"{name}:{number}",
                                    "found name or GUID, name in the plan"))  # fmt: skip
            continue
        guid = _GUID.fullmatch(cells[0])
        known = guids.get(int(guid[1], 16)) if guid else names.get(fold(cells[0]))
        if known is not None and known != cells[1]:
            problems.append(Problem("map-twice", f"'{cells[0]}' stands twice: {known} and {cells[1]}",
                                    f"{name}:{number}", "keep one of them"))  # fmt: skip
        elif guid:
            guids[int(guid[1], 16)] = cells[1]
        else:
            names[fold(cells[0])] = cells[1]
    if not problems and not names and not guids:
        problems.append(Problem("map-empty", "the map has no line", name, "found name or GUID, name in the plan"))
    if len(problems) > PROBLEMS_MAX:
        rest = Problem("map-lines", f"{len(problems) - PROBLEMS_MAX} more lines are wrong", name, "is this the map?")
        problems = [*problems[:PROBLEMS_MAX], rest]
    if problems:
        raise ReadError(*problems)
    return NameMap(names, guids)
