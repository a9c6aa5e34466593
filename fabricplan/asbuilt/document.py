"""The Verification document: every planned link's state, the work that sets things right, and what it rests on.

Language-free: kinds and numbers, worded by ``wording.asbuilt_en`` and ``asbuilt_zh``.
"""

from __future__ import annotations

import json
from typing import Literal

from pydantic import Field

from fabricplan.asbuilt.found import Source
from fabricplan.asbuilt.view import PlugEnd
from fabricplan.plan import MadeBy
from fabricplan.values import Finding, Value

SCHEMA = "fabricplan/verification/1"

OrderKind = Literal[
    "place", "swap", "rotation", "move", "shift", "bundle", "other-device", "missing", "absent", "extra",
    "degraded",
]  # fmt: skip


class Move(Value):
    """One step: a plug that goes from a port to another, a cable to lay or to take away, a link to look at.

    Attributes:
        action: ``move``: take the plug out of ``at`` and put it into ``to``; the cable's other plug stays in ``stays``.
            ``connect``: a cable from ``at`` to ``to`` is missing. ``remove``: the cable from ``at`` to ``to`` is not in
            the plan. ``replace``: the device that is called ``at`` stands where ``to`` belongs. ``check``: the link
            from ``at`` to ``to`` is slower than planned. ``start``: the device ``at`` has no link: look whether it runs
            before its cables are looked for.
        cables: ids of the cable schedule that the step touches; the plan's cable between the ports after the step.
        rail: rail of the planned link, where it has one.
    """

    action: Literal["move", "connect", "remove", "replace", "check", "start"]
    at: PlugEnd
    to: PlugEnd
    stays: PlugEnd | None = None
    cables: tuple[str, ...] = ()
    rail: str = ""


class WorkOrder(Value):
    """One cause and the work that removes it, with the fewest plugs moved.

    Attributes:
        id: ``W001`` ...
        kind: ``place``: devices in each other's place; ``swap``: two plugs exchanged; ``rotation``: more than two in
            a circle; ``move``: one plug in a wrong port; ``shift``: a row of plugs one after the other; ``bundle``: the
            same ports of two devices exchanged; ``other-device``: an unplanned device at a planned port; ``missing``;
            ``absent``: a device without any link; ``extra``; ``degraded``.
        fabric: name of the fabric.
        links: planned links that it sets right (extra: found links).
        wrong_rail: a node's port is on a leaf of another rail.
        moves: the steps.
    """

    id: str
    kind: OrderKind
    fabric: str
    links: int
    wrong_rail: bool = False
    planned_gbps: int | None = None
    found_gbps: int | None = None
    moves: tuple[Move, ...]


class FabricResult(Value):
    """Counts of one fabric: planned = matched + degraded + wrong + missing; ``extra`` are found links besides."""

    fabric: str
    planes: tuple[int, ...]
    switches_planned: int
    switches_found: int
    planned: int
    matched: int
    degraded: int
    wrong: int
    missing: int
    extra: int


class Verification(Value):
    """What was found, held against the plan."""

    schema_: Literal["fabricplan/verification/1"] = Field(default="fabricplan/verification/1", alias="schema")
    made_by: MadeBy
    plan_name: str
    plan_sha256: str
    sources: tuple[Source, ...]
    clean: bool
    fabrics: tuple[FabricResult, ...]
    orders: tuple[WorkOrder, ...]
    findings: tuple[Finding, ...]


def dumps(verification: Verification) -> bytes:
    """Return a verification as JSON; the same one gives the same bytes."""
    tree = verification.model_dump(mode="json", by_alias=True, exclude_none=True)
    return (json.dumps(tree, ensure_ascii=False, indent=1) + "\n").encode()
