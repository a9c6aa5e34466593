"""Receive: a delivery held against the bill of materials, and serial numbers given to the devices of the plan.

The rows of a delivery note tell a part number each, and a serial number or a quantity. Switches are given to the
boxes of the plan part by part, in the order of the list: whoever installs box n takes serial n. A GUID on the row goes
along, so that the map names the switches of a fabric before anybody names them on the switch.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from fabricplan.asbuilt.found import Source
from fabricplan.plan import Plan
from fabricplan.schedule import device_rows
from fabricplan.values import Finding, Value, finding

WARRANTY_SOON_DAYS = 365
"""A warranty that ends within a year of the first one's end is told."""


class DeliveryRow(Value):
    """One row of a delivery note; ``quantity`` is 1 where a serial number is told."""

    part: str
    serial: str = ""
    quantity: int = 1
    guid: str = ""
    device: str = ""
    warranty_end: datetime.date | None = None
    where: str = ""


class ReceivedLine(Value):
    """One part: what was ordered (spares included), what came."""

    pn: str
    kind: str
    ordered: int
    delivered: int


class Assignment(Value):
    """A serial number and the device of the plan that it becomes."""

    serial: str
    pn: str
    device: str
    rack: str
    u: int | None
    guid: str = ""
    warranty_end: datetime.date | None = None


class Receipt(Value):
    """What came, held against what was ordered."""

    schema_: Literal["fabricplan/receipt/1"] = Field(default="fabricplan/receipt/1", alias="schema")
    plan_name: str
    plan_sha256: str
    source: Source
    complete: bool
    lines: tuple[ReceivedLine, ...]
    assignments: tuple[Assignment, ...]
    warranty_count: int = 0
    warranty_first: datetime.date | None = None
    warranty_last: datetime.date | None = None
    findings: tuple[Finding, ...]


def receive(plan: Plan, plan_sha256: str, rows: Sequence[DeliveryRow], source: Source) -> Receipt:
    """Hold a delivery against the bill of a plan.

    Args:
        plan: the plan.
        plan_sha256: SHA-256 of its file.
        rows: the delivery note.
        source: its file.
    """
    ordered: dict[str, tuple[str, str, int]] = {}
    alias: dict[str, str] = {}
    for line in plan.bom.lines:
        if line.pn:
            key = _key(line.pn)
            kind, name, count = ordered.get(key, (line.kind, line.pn, 0))
            ordered[key] = (kind, name, count + line.quantity + line.spare)
            if line.opn:
                alias[_key(line.opn)] = key
    came: Counter[str] = Counter()
    names: dict[str, str] = {}
    by_part: dict[str, list[DeliveryRow]] = defaultdict(list)
    for row in rows:
        key = _key(row.part)
        key = key if key in ordered else alias.get(key, key)
        names.setdefault(key, row.part)
        came[key] += row.quantity
        by_part[key].append(row)
    findings: list[Finding] = []
    lines = []
    for key, (kind, name, count) in ordered.items():
        lines.append(ReceivedLine(pn=name, kind=kind, ordered=count, delivered=came[key]))
        if came[key] < count:
            findings.append(finding("error", "short", name, planned=count, delivered=came[key],
                                    missing=count - came[key]))  # fmt: skip
        elif came[key] > count:
            findings.append(finding("warning", "surplus", name, planned=count, delivered=came[key],
                                    more=came[key] - count))  # fmt: skip
    for key in [key for key in came if key not in ordered]:
        findings.append(finding("error", "unknown-part", names[key], delivered=came[key]))
    findings += _serials(plan, rows)
    assignments, told = _assign(plan, by_part)
    findings += told
    ends = sorted(row.warranty_end for row in rows if row.warranty_end is not None)
    if ends:
        early = [end for end in ends if (ends[-1] - end).days > WARRANTY_SOON_DAYS]
        if early:
            findings.append(finding("warning", "warranty-ends", source.name, count=len(early), date=str(early[-1])))
    return Receipt(
        plan_name=plan.name, plan_sha256=plan_sha256, source=source,
        complete=not any(item.severity == "error" for item in findings), lines=tuple(lines),
        assignments=tuple(assignments), warranty_count=len(ends), warranty_first=ends[0] if ends else None,
        warranty_last=ends[-1] if ends else None, findings=tuple(findings),
    )  # fmt: skip


def _key(part: str) -> str:
    return part.strip().casefold().replace(" ", "")


def _serials(plan: Plan, rows: Sequence[DeliveryRow]) -> list[Finding]:
    """Tell serial numbers that stand twice, and switches without one."""
    seen: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row.serial:
            seen[row.serial.casefold()].append(row.where)
    found = [finding("error", "serial-twice", serial, count=len(where), where=", ".join(where))
             for serial, where in seen.items() if len(where) > 1]  # fmt: skip
    switches = {_key(line.pn): line.pn for line in plan.bom.lines if line.kind == "switch" and line.pn}
    bare: Counter[str] = Counter()
    for row in rows:
        if not row.serial and _key(row.part) in switches:
            bare[_key(row.part)] += row.quantity
    return found + [finding("warning", "no-serial", switches[key], count=count) for key, count in bare.items()]


def _assign(plan: Plan, by_part: dict[str, list[DeliveryRow]]) -> tuple[list[Assignment], list[Finding]]:
    """Give the serial numbers of switches to the boxes of the plan; a device on the row is taken at its word."""
    found: list[Assignment] = []
    findings: list[Finding] = []
    open_boxes: dict[str, list[tuple[str, str, int | None]]] = defaultdict(list)
    boxes: set[int] = set()
    for item in device_rows(plan):
        if item.pn and item.kind in ("leaf", "spine", "core") and (item.box is None or item.box not in boxes):
            boxes.update({item.box} if item.box is not None else ())
            open_boxes[_key(item.pn)].append((item.name, item.rack, item.u))
    for key, places in open_boxes.items():
        rows = [row for row in by_part.get(key, ()) if row.serial]
        named = {row.device.casefold(): row for row in rows if row.device}
        rest = iter([row for row in rows if not row.device])
        left = 0
        for device, rack, u in places:
            row = named.get(device.casefold()) or next(rest, None)
            if row is None:
                left += 1
                continue
            found.append(Assignment(serial=row.serial, pn=row.part, device=device, rack=rack, u=u, guid=row.guid,
                                    warranty_end=row.warranty_end))  # fmt: skip
        if left:
            findings.append(finding("warning", "assigned-short", key.upper(), count=left))
    return found, findings
