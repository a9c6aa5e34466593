"""Plain data to a request, and what is wrong with it: every problem at its place, with what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from fabricplan.errors import Problem, RequirementError
from fabricplan.faults import worded
from fabricplan.requirement.lengths import SurveyedLength
from fabricplan.requirement.models import (
    FIELD_SPARES,
    Attachment,
    ExistingSwitch,
    FabricRequirement,
    NodeGroup,
    Requirement,
    SparesPolicy,
)
from fabricplan.requirement.positions import Position
from fabricplan.requirement.racks import RoomCrossing, RoomRack, RoomRow
from fabricplan.requirement.room import RoomSettings
from fabricplan.values import Value

_OWNERS: Mapping[str, type[Value]] = {
    "groups": NodeGroup, "fabrics": FabricRequirement, "room": RoomSettings, "spares": SparesPolicy,
    "attached": Attachment, "existing": ExistingSwitch, "rows": RoomRow, "racks": RoomRack,
    "crossings": RoomCrossing, "positions": Position, "lengths": SurveyedLength,
}  # fmt: skip
_ALIASES = {"spares": {"none": SparesPolicy(), "field": FIELD_SPARES}}


def parse_requirement(data: Mapping[str, Any], where: Mapping[str, str] | None = None) -> Requirement:
    """Return a request from plain data (as read from YAML or JSON).

    Args:
        data: the plain data. ``spares`` may be a word (``none``, ``field``) or percentages.
        where: JSON path -> place in the file, for error places; absent: the JSON path itself.

    Raises:
        RequirementError: with one problem per wrong field.
    """
    if not isinstance(data, Mapping):
        raise RequirementError(Problem("requirement-form", f"a request is a mapping of fields, not {_kind(data)}", "",
                                       "name groups and fabrics, or give a file's path; see examples/"))  # fmt: skip
    plain = dict(data)
    word = plain.get("spares")
    if isinstance(word, str):
        known = {**_ALIASES["spares"], **({word: same} if (same := spares_share(word)) else {})}
        if word not in known:
            raise RequirementError(Problem("requirement-field", f"'{word}' is neither a spares policy nor a whole "
                                           "percentage from 0% to 100%", "spares",
                                           "field, none, or a percentage such as 5%"))  # fmt: skip
        plain["spares"] = known[word]
    if isinstance(plain.get("lengths"), str):
        raise RequirementError(Problem("requirement-field", f"'{plain['lengths']}' is a file of lengths, not lengths",
                                       "lengths", "read the request by its path, or give rows with a, b and "
                                       "length_mm"))  # fmt: skip
    try:
        asked = Requirement.model_validate(plain)
        return asked if "name" in plain else asked.model_copy(update={"name": default_name(asked)})
    except ValidationError as caught:
        raise RequirementError(*(
            Problem("requirement-field", fault.message, (where or {}).get(fault.path, fault.path), fault.hint)
            for fault in worded(caught, Requirement, _OWNERS)
        )) from None  # fmt: skip


def spares_share(text: str) -> SparesPolicy | None:
    """Return the policy of one percentage for all that is plugged, or None where a text is none.

    >>> spares_share("5%").aoc_percent, spares_share("5"), spares_share("101%")
    (5, None, None)
    """
    found = re.fullmatch(r"(\d{1,3}) ?[%％]", text.strip(), re.ASCII)
    if found is None or int(found[1]) > 100:
        return None
    share = int(found[1])
    return SparesPolicy(copper_percent=share, aoc_percent=share, transceiver_percent=share, fibre_percent=share)


def default_name(requirement: Requirement) -> str:
    """Return what a request is called that names itself nothing: its first group and its first fabric's rate.

    >>> default_name(parse_requirement({"groups": [{"gpus": 1024}], "fabrics": [{"rate": "ndr"}]}))
    '1024-gpu-ndr'
    """
    group, fabric = requirement.groups[0], requirement.fabrics[0]
    count = f"{group.gpus}-gpu" if group.gpus else f"{group.nodes}-{group.platform or 'node'}"
    rate = (
        fabric.rate if fabric.technology == "infiniband" else f"{fabric.technology}-{fabric.rate.removesuffix('gbe')}"
    )
    return re.sub(r"[^a-z0-9]+", "-", f"{count}-{rate}".casefold()).strip("-")[:80]


def _kind(data: object) -> str:
    """Return what a value is, as JSON calls it."""
    kinds = ((type(None), "nothing"), ((list, tuple), "a list"), ((bool, int, float), "a number"))
    return next((name for kind, name in kinds if isinstance(data, kind)), type(data).__name__)
