"""What ``--json`` prints, and the first screen: the plan in one object, and in about eight lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from fabricplan.bom import BomLine
from fabricplan.catalog import Entry
from fabricplan.plan import Plan
from fabricplan.sizing import FabricSizing
from fabricplan.values import Finding, Severity
from fabricplan.wording import describe, hint, label, reason, screen_text, term, text

WIDTH = 80
"""Columns of the first screen; a Chinese character takes two."""
_SKU = re.compile(r"9[0-9]{2}-[0-9A-Z]{5}-[0-9A-Z]{4,6}(-[0-9A-Z]{3})?")


class MadeByRow(TypedDict):
    """Version of the program and digest of the catalogue."""

    version: str
    catalog: str


class SwitchCounts(TypedDict):
    """Switches by tier, over all planes."""

    leaf: int
    spine: int
    core: int


class LinkCounts(TypedDict):
    """Links by role, over all planes."""

    node_leaf: int
    leaf_spine: int
    spine_core: int
    reserved: int


class FabricRow(TypedDict):
    """One fabric; counts are over all planes, ``bisection_gbps`` is one direction."""

    name: str
    technology: str
    rate: str
    link_gbps: int
    tiers: int
    planes: int
    attach: str
    oversubscription: str
    endpoints: int
    reserved_ports: int
    switches: SwitchCounts
    boxes: int
    links: LinkCounts
    bisection_gbps: int


class Totals(TypedDict):
    """Sums over all fabrics; ``power_max_w`` is null while a part's power is unknown."""

    switches: int
    boxes: int
    transceivers: int
    cables: int
    power_max_w: int | float | None
    power_unknown: list[str]


class BomRow(TypedDict):
    """One part of the bill."""

    pn: str
    opn: str | None
    kind: str
    description: str
    quantity: int
    spare: int


class FindingRow(TypedDict):
    """One finding, worded."""

    severity: Severity
    code: str
    subject: str
    message: str
    hint: str


class Summary(TypedDict):
    """The object that ``--json`` prints."""

    schema: Literal["fabricplan/summary/1"]
    made_by: MadeByRow
    name: str
    gpus: int | None
    nodes: int
    fabrics: list[FabricRow]
    totals: Totals
    bom: list[BomRow]
    findings: list[FindingRow]
    files: list[str]


def summarize(plan: Plan, lang: str = "en", files: Sequence[str] = ()) -> Summary:
    """Return the summary of a plan.

    Power is the sum of the switches' stated maximum, box by box. The makers state it with active cables, so
    transceivers are within it and are not added again; the nodes' adapters draw from the nodes and are left out.

    Args:
        plan: the plan.
        lang: language of descriptions, messages and hints.
        files: paths that were written.
    """
    power, unknown = power_max(plan)
    return {
        "schema": "fabricplan/summary/1",
        "made_by": {"version": plan.made_by.version, "catalog": plan.made_by.catalog},
        "name": plan.name,
        "gpus": plan.gpus,
        "nodes": plan.nodes,
        "fabrics": [_fabric(sizing) for sizing in plan.fabrics],
        "totals": {
            "switches": sum(sizing.switch_count for sizing in plan.fabrics),
            "boxes": sum(sizing.box_count for sizing in plan.fabrics),
            "transceivers": plan.bom.count("transceiver"),
            "cables": plan.bom.count("cable") + plan.bom.count("fibre"),
            "power_max_w": power,
            "power_unknown": unknown,
        },
        "bom": [_bom_row(plan, line, lang) for line in plan.bom.lines],
        "findings": [
            {"severity": item.severity, "code": item.code, "subject": item.subject,
             "message": text(item, lang), "hint": hint(item, lang)}
            for item in plan.findings
        ],
        "files": list(files),
    }  # fmt: skip


def power_max(plan: Plan) -> tuple[int | float | None, list[str]]:
    """Return the maximum power of all switches in W, and the part numbers whose power is not known.

    The sum is None as soon as one of them is unknown.
    """
    total, unknown = 0.0, []
    for line in plan.bom.lines:
        if line.kind != "switch":
            continue
        watts = plan.products.switch(line.key).power_max_w
        if watts is None:
            unknown.append(line.pn)
        else:
            total += watts * line.quantity
    if unknown:
        return None, unknown
    return (int(total) if total.is_integer() else total), unknown


def part_entry(plan: Plan, line: BomLine) -> Entry:
    """Return the catalogue entry of a line of the bill, as the plan holds it."""
    products = plan.products
    kinds: dict[str, Any] = {
        "switches": products.switch, "adapters": products.adapter, "transceivers": products.transceiver,
        "cables": products.cable, "fibres": products.fibre,
    }  # fmt: skip
    entry: Entry = kinds[line.catalog_kind](line.key)
    return entry


def part_description(plan: Plan, line: BomLine, lang: str = "en") -> str:
    """Return the description of a line of the bill."""
    return describe(line.catalog_kind, part_entry(plan, line), lang, line.length_mm, line.pn)


def order_number(line: BomLine) -> str | None:
    """Return a line's order number: its own, or its part number where that has the form of one."""
    return line.opn or (line.pn if _SKU.fullmatch(line.pn) else None)


def _bom_row(plan: Plan, line: BomLine, lang: str) -> BomRow:
    return {
        "pn": line.pn, "opn": order_number(line), "kind": line.kind,
        "description": part_description(plan, line, lang), "quantity": line.quantity, "spare": line.spare,
    }  # fmt: skip


def _fabric(sizing: FabricSizing) -> FabricRow:
    return {
        "name": sizing.name, "technology": sizing.technology, "rate": sizing.rate, "link_gbps": sizing.link_gbps,
        "tiers": sizing.shape.tiers, "planes": sizing.planes, "attach": sizing.attach,
        "oversubscription": sizing.oversubscription, "endpoints": sizing.endpoints,
        "reserved_ports": sizing.reserve_ports,
        "switches": {"leaf": sizing.leaf_count, "spine": sizing.spine_count, "core": sizing.core_count},
        "boxes": sizing.box_count,
        "links": {
            "node_leaf": sizing.node_leaf_links, "leaf_spine": sizing.leaf_spine_links,
            "spine_core": sizing.spine_core_links, "reserved": sizing.reserve_ports,
        },
        "bisection_gbps": sizing.bisection_gbps,
    }  # fmt: skip


def screen(plan: Plan, lang: str = "en", files: Sequence[str] = (), folder: str = "") -> list[str]:
    """Return the first screen: what it is, whether it is checked, what to buy, what to watch.

    Args:
        plan: the plan.
        lang: ``en`` or ``zh``.
        files: names of the written files; empty: a line says how to have them written.
        folder: where they stand.

    Returns:
        Lines of at most 80 columns.
    """
    lines: list[str] = []
    for number, sizing in enumerate(plan.fabrics):
        lines.append(_head(plan, sizing, lang, number == 0))
        if number == 0:
            lines += _findings(plan, lang, "error")
        lines.append(_switches(plan, sizing, lang))
        lines.append(_links(sizing, lang))
        lines += _alternative(sizing, lang)
    lines.append(_parts(plan, lang))
    lines += _findings(plan, lang, "warning")
    if not any(item.severity != "info" for item in plan.findings):
        lines += _findings(plan, lang, "info")
    if files:
        lines.append(screen_text("files", lang, folder=folder, names=" ".join(files)))
    else:
        lines.append(screen_text("no_files", lang))
    return [piece for line in lines for piece in wrap(line)]


def explain(plan: Plan, lang: str = "en") -> list[str]:
    """Return the candidates of every fabric: counts, and why each was chosen or fell."""
    lines: list[str] = []
    for sizing in plan.fabrics:
        title = screen_text("explain", lang)
        lines.append(f"{sizing.name}: {title}" if len(plan.fabrics) > 1 else title)
        for row in sizing.candidates:
            counts = f"{row.leaf_count}+{row.spine_count}+{row.core_count}, {row.switch_count}"
            mark = "*" if row.chosen else "-"
            shown = f"{mark} {label(row, lang)}" + (f" ({counts})" if row.switch_count else "")
            why = screen_text("why", lang, label=shown, reason=reason(row, lang))
            lines += wrap(shown if row.chosen else why)
    return lines


def _head(plan: Plan, sizing: FabricSizing, lang: str, first: bool) -> str:
    pieces = []
    if first:
        if plan.gpus is not None:
            pieces.append(screen_text("gpus", lang, count=plan.gpus))
        pieces.append(screen_text("nodes", lang, count=plan.nodes))
    if len(plan.fabrics) > 1:
        pieces.append(sizing.name)
    pieces.append(rate_words(sizing, lang))
    pieces.append(term(("one_tier", "two_tiers", "three_tiers")[sizing.shape.tiers - 1], lang))
    if sizing.planes > 1:
        key = "rail_planes" if sizing.rail_planes else "planes"
        pieces.append(screen_text(key, lang, count=sizing.planes))
    pieces.append(ratio_words(sizing, lang))
    head = " · ".join(pieces)
    if first and not any(item.severity == "error" for item in plan.findings):
        head += " " + screen_text("checked", lang)
    return head


def rate_words(sizing: FabricSizing, lang: str) -> str:
    """Return technology and rate as people say them: ``NDR 400G``, ``RoCE 400G``."""
    if sizing.technology == "infiniband":
        return f"{sizing.rate.upper()} {sizing.link_gbps}G"
    return f"{term(sizing.technology, lang)} {sizing.link_gbps}G"


def ratio_words(sizing: FabricSizing, lang: str) -> str:
    """Return non-blocking, or the oversubscription of the tiers."""
    if sizing.oversubscription == sizing.oversubscription_spine == "1:1":
        return term("non_blocking", lang)
    if sizing.oversubscription_spine == "1:1":
        return screen_text("ratio", lang, ratio=sizing.oversubscription)
    return screen_text("ratio_spine", lang, ratio=sizing.oversubscription, spine=sizing.oversubscription_spine)


def _switches(plan: Plan, sizing: FabricSizing, lang: str) -> str:
    counts = (("leaf", sizing.leaf_count), ("spine", sizing.spine_count), ("core", sizing.core_count))
    tiers = " + ".join(screen_text("tier", lang, tier=term(tier, lang), count=count) for tier, count in counts if count)
    models = [
        (line.key, mine)
        for line in plan.bom.lines
        if line.kind == "switch" and (mine := sum(use.quantity for use in line.uses if use.fabric == sizing.name))
    ]
    if len(models) > 1:
        shown = " + ".join(f"{count} {model}" for model, count in models)
        boxes = screen_text("boxes_mixed", lang, boxes=sizing.box_count, models=shown)
    elif sizing.box_count != sizing.switch_count:
        boxes = screen_text("halves", lang, boxes=sizing.box_count, models=models[0][0],
                            switches=sizing.switch_count)  # fmt: skip
    else:
        boxes = screen_text("boxes", lang, boxes=sizing.box_count, models=models[0][0])
    power, _ = power_max(plan)
    last = sizing is plan.fabrics[-1]
    return _capital(f"{tiers} = {boxes}") + (
        f"   {screen_text('power', lang, kw=_kw(power))}" if power and last else ""
    )


def _kw(watts: int | float) -> str:
    return f"{watts / 1000:.1f}"


def _links(sizing: FabricSizing, lang: str) -> str:
    counts = (
        ("node_links", sizing.node_leaf_links), ("leaf_spine", sizing.leaf_spine_links),
        ("spine_core", sizing.spine_core_links), ("reserved", sizing.reserve_ports),
    )  # fmt: skip
    return "   ".join(screen_text(key, lang, count=count) for key, count in counts if count)


def _alternative(sizing: FabricSizing, lang: str) -> list[str]:
    """Return the line that tells rail planes where they save switches: the reader must not miss them."""
    return [
        screen_text("alternative", lang, option="--planes rail", switches=row.switch_count)
        for row in sizing.candidates
        if row.reason == "rail-planes" and row.switch_count < sizing.switch_count
    ]


def _parts(plan: Plan, lang: str) -> str:
    twin = single = 0
    for line in plan.bom.lines:
        if line.kind == "transceiver":
            if plan.products.transceiver(line.key).ports > 1:
                twin += line.quantity
            else:
                single += line.quantity
    modules = " + ".join(screen_text(key, lang, count=count)
                         for key, count in (("twin", twin), ("single", single)) if count)  # fmt: skip
    pieces = [screen_text("transceivers", lang, counts=modules)] if modules else []
    for kind in ("fibre", "cable", "adapter"):
        if count := plan.bom.count(kind):
            pieces.append(screen_text(kind, lang, count=count))
    return _capital("   ".join(pieces))


def _capital(line: str) -> str:
    return line[:1].upper() + line[1:]


def _findings(plan: Plan, lang: str, severity: Severity) -> list[str]:
    """Return how many findings of a severity there are and what the first says, in at most two lines."""
    found = [item for item in plan.findings if item.severity == severity]
    if not found:
        return []
    line = screen_text(severity if len(found) == 1 else f"{severity}s", lang, count=len(found),
                       text=_sentence(found[0], lang))  # fmt: skip
    pieces = wrap(line)
    if len(pieces) > 2:
        pieces = [pieces[0], cut(pieces[1] + " " * WIDTH, WIDTH)]
    return pieces


def _sentence(item: Finding, lang: str) -> str:
    advice = hint(item, lang)
    return screen_text("arrow", lang, message=text(item, lang), hint=advice) if advice else text(item, lang)


def columns(line: str) -> int:
    """Return the columns that a line takes on a terminal; East Asian wide and ambiguous characters take two.

    >>> columns("节点 128")
    8
    """
    return sum(2 if unicodedata.east_asian_width(letter) in "WFA" else 1 for letter in line)


def cut(line: str, width: int) -> str:
    """Return a line cut to a width, ending in an ellipsis where something is left out."""
    if columns(line) <= width:
        return line
    kept = ""
    for letter in line:
        if columns(kept + letter) > width - 2:
            break
        kept += letter
    return kept.rstrip() + "…"


def wrap(line: str, width: int = WIDTH, indent: str = "  ") -> list[str]:
    """Break a line at blanks, and between Chinese characters, so that no piece is wider than a terminal.

    >>> wrap("one two three", 9)
    ['one two', '  three']
    """
    pieces: list[str] = []
    current = ""
    for token in re.findall(r"[\u3000-\u9fff\uff00-\uffef][，。；：）、]?| +|[^ \u3000-\u9fff\uff00-\uffef]+", line):
        rest = token
        while columns(current + rest.rstrip()) > width:
            if current.strip():
                pieces.append(current.rstrip())
                current, rest = indent, rest.lstrip()
                continue
            head = rest
            while columns(current + head) > width:
                head = head[:-1]
            pieces.append(current + head)
            current, rest = indent, rest[len(head) :]
        current += rest
    if current.strip():
        pieces.append(current.rstrip())
    return pieces
