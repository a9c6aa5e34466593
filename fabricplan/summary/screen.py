"""The first screen: what a plan is and what it needs, in about eight lines; the reasons and findings in full."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fabricplan.bom import BomLine
from fabricplan.checks import RULES
from fabricplan.growth import Growth, PhaseRow
from fabricplan.plan import Plan
from fabricplan.requirement import ratio_parts
from fabricplan.sizing import FabricSizing, failure_domains
from fabricplan.summary.rows import power_max
from fabricplan.terminal import wrap
from fabricplan.values import Finding, Severity
from fabricplan.wording import hint, label, power, reason, screen_text, severity, term, text

SMALL = 9
"""A ratio is told in whole numbers as long as the larger one is so small."""
MOST_LINES = 3
"""Lines that a finding may take on the first screen; one fewer where an error and a warning stand on it."""


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
            lines += _findings(plan, lang, "error", not any(item.severity == "warning" for item in plan.findings))
        lines.append(_switches(plan, sizing, lang))
        lines.append(_links(sizing, lang))
        lines += _alternative(sizing, lang)
    lines.append(_parts(plan, lang))
    _, lengths = plan.length_words()
    if lengths["surveyed"]:
        lines.append(screen_text("surveyed", lang, **lengths))
    worse = {item.severity for item in plan.findings} - {"info"}
    lines += _findings(plan, lang, "warning", True)
    if not worse:
        lines += _findings(plan, lang, "info", True)
    if files:
        lines.append(screen_text("files", lang, folder=folder, names=" ".join(files)))
    else:
        lines.append(screen_text("no_files", lang))
    return [piece for line in lines for piece in wrap(line)]


def list_phases(growth: Growth, lang: str = "en") -> list[str]:
    """Return what each phase adds and what stands in the end, cables moved, and the cost of not planning ahead."""
    lines, before = [], None
    for number, row in enumerate(growth.phases, 1):
        label = screen_text("phase", lang, number=number, nodes=row.nodes)
        lines.append(_phase(row, before, label, lang))
        before = row
    lines.append(_phase(growth.phases[-1], None, screen_text("phase_total", lang), lang))
    lines.append(screen_text("phase_ratio", lang, ratio=" / ".join(phase_ratio(row, lang) for row in growth.phases)))
    lines += phase_notes(growth, lang)
    return [piece for line in lines for piece in wrap(line)]


def phase_notes(growth: Growth, lang: str = "en") -> list[str]:
    """Return what is moved later, and what not planning ahead would move."""
    alone = growth.unplanned
    return [
        screen_text("phases_moved", lang, moved=growth.cables_moved),
        screen_text("unplanned", lang, boxes=alone.boxes, moved=alone.links_moved, links=alone.trunk_links),
    ]


def phase_ratio(row: PhaseRow, lang: str = "en") -> str:
    """Return the ratios of a phase in words: the leaves of every fabric, and its spines where they are above 1:1.

    With one fabric its name is left out.
    """
    told = []
    for item in row.ratios:
        name = f"{item.fabric} " if len(row.ratios) > 1 else ""
        told.append(name + (item.leaf if item.spine == "1:1" else
                            screen_text("phase_spines", lang, leaf=item.leaf, spine=item.spine)))  # fmt: skip
    return ", ".join(told) or "1:1"


def _phase(row: PhaseRow, before: PhaseRow | None, label: str, lang: str) -> str:
    words = ("leaf", "spine", "core", "boxes", "cables")
    counts = {word: getattr(row, word) - (getattr(before, word) if before else 0) for word in words}
    return screen_text("phase_counts", lang, label=label, **counts)


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
        lines += [piece for line in domain_lines(sizing, lang) for piece in wrap(line)]
    return lines


def domain_lines(sizing: FabricSizing, lang: str = "en") -> list[str]:
    """Return what a lost device or cable of each kind costs, a line each."""
    lines = []
    for domain in failure_domains(sizing):
        cut = domain.share == "1" and domain.hit == "nodes"
        costs = screen_text("cut_off" if cut else f"lose_{domain.hit}", lang, count=domain.count, share=domain.share)
        lines.append(screen_text(f"lost_{domain.lost}", lang, costs=costs))
    return lines


def list_findings(plan: Plan, lang: str = "en") -> list[str]:
    """Return all findings in full, each with what to do about it, then how many of each kind there are."""
    lines: list[str] = []
    for item in plan.findings:
        lines += wrap(screen_text("why", lang, label=severity(item, lang), reason=text(item, lang)))
        lines += wrap(f"  {hint(item, lang)}")
    words: tuple[Severity, ...] = ("error", "warning", "info")
    counts = [f"{term(f'{word}s', lang)} {_how_many(plan, word)}" for word in words]
    return [*lines, _capital(" · ".join(counts))]


def list_checked(plan: Plan, lang: str = "en") -> list[str]:
    """Return what a check of a finished plan covers, in one sentence."""
    return wrap(screen_text("checked_plan", lang, name=plan.name, rules=len(RULES), devices=len(plan.topology.devices),
                            links=len(plan.topology.links), cables=len(plan.cabling.cables)))  # fmt: skip


def _how_many(plan: Plan, word: Severity) -> int:
    return sum(item.severity == word for item in plan.findings)


def _head(plan: Plan, sizing: FabricSizing, lang: str, first: bool) -> str:
    pieces = [sizing.name] if len(plan.fabrics) > 1 else []
    if first and plan.gpus is not None:
        pieces.append(screen_text("gpus", lang, count=plan.gpus))
    nodes = sum(group.nodes for group in sizing.node_groups)
    if nodes:
        pieces.append(screen_text("nodes", lang, count=nodes))
    pieces.append(rate_words(sizing, lang))
    pieces.append(term(("one_tier", "two_tiers", "three_tiers")[sizing.shape.tiers - 1], lang))
    if sizing.planes > 1:
        key = "rail_planes" if sizing.rail_planes else "planes"
        pieces.append(screen_text(key, lang, count=sizing.planes))
    pieces.append(ratio_words(sizing, lang, _asked(plan, sizing)))
    head = " · ".join(pieces)
    if first and not any(item.severity == "error" for item in plan.findings):
        head += " " + screen_text("checked", lang)
    return head


def _asked(plan: Plan, sizing: FabricSizing) -> str:
    """Return the leaf ratio that was asked of a fabric."""
    return next(item.oversubscription[0] for item in plan.requirement.fabrics if item.name == sizing.name)


def rate_words(sizing: FabricSizing, lang: str) -> str:
    """Return technology and rate as people say them: ``NDR 400G``, ``RoCE 400G``."""
    if sizing.technology == "infiniband":
        return f"{sizing.rate.upper()} {sizing.link_gbps}G"
    return f"{term(sizing.technology, lang)} {sizing.link_gbps}G"


def ratio_words(sizing: FabricSizing, lang: str, asked: str = "") -> str:
    """Return non-blocking, or the oversubscription of the tiers, beside the one that was asked where it is another."""
    if sizing.oversubscription == sizing.oversubscription_spine == "1:1":
        return term("non_blocking", lang)
    ratio = _plain_ratio(sizing.oversubscription)
    if asked and asked != sizing.oversubscription:
        ratio = screen_text("asked", lang, ratio=ratio, asked=asked)
    if sizing.oversubscription_spine == "1:1":
        return screen_text("ratio", lang, ratio=ratio)
    return screen_text("ratio_spine", lang, ratio=ratio, spine=_plain_ratio(sizing.oversubscription_spine))


def _plain_ratio(ratio: str) -> str:
    """Return a ratio as people read it: small numbers as they are, others against one.

    >>> _plain_ratio("4:3"), _plain_ratio("35:13")
    ('4:3', '2.69:1')
    """
    down, up = ratio_parts(ratio)
    return ratio if up == 1 or down <= SMALL else f"{down / up:.2f}:1"


def _switches(plan: Plan, sizing: FabricSizing, lang: str) -> str:
    counts = (("leaf", sizing.leaf_count), ("spine", sizing.spine_count), ("core", sizing.core_count))
    tiers = " + ".join(screen_text("tier", lang, tier=term(tier, lang), count=count) for tier, count in counts if count)
    kept = sum(part.quantity for part in sizing.reused)
    models = [(line.key, mine) for line in plan.bom.lines if line.kind == "switch" and (mine := _boxes(line, sizing))]
    if len(models) > 1:
        shown = " + ".join(f"{count} {model}" for model, count in models)
        boxes = screen_text("boxes_mixed", lang, boxes=sizing.box_count, models=shown)
    elif sizing.box_count != sizing.switch_count:
        boxes = screen_text("halves", lang, boxes=sizing.box_count, models=models[0][0],
                            switches=sizing.switch_count)  # fmt: skip
    else:
        boxes = screen_text("boxes", lang, boxes=sizing.box_count, models=models[0][0])
    if kept:
        boxes += " " + screen_text("reused", lang, count=kept)
    watts, _ = power_max(plan)
    last = sizing is plan.fabrics[-1]
    if sizing.switch_count > 1:
        boxes = f"{tiers} = {boxes}"
    return _capital(boxes) + (f"   {screen_text('power', lang, power=power(watts))}" if watts and last else "")


def _boxes(line: BomLine, sizing: FabricSizing) -> int:
    """Return the boxes of a line that serve a fabric, bought or reused."""
    if sizing.pn_of(line.key) != line.pn:
        return 0
    bought = sum(use.quantity for use in line.uses if use.fabric == sizing.name)
    return bought + sum(part.quantity for part in sizing.reused if part.model == line.key)


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


def _findings(plan: Plan, lang: str, word: Severity, last: bool) -> list[str]:
    """Return how many findings of a severity there are and what the first says, in few lines.

    Where that is too long the advice goes first, then the clauses from the end; the last block on the screen tells how
    to see the rest.
    """
    found = [item for item in plan.findings if item.severity == word]
    if not found:
        return []
    key = word if len(found) == 1 else f"{word}s"
    told = list(_shorter(plan, found[0], lang))
    most = MOST_LINES - ({"error", "warning"} <= {item.severity for item in plan.findings})
    for said in told:
        shortened = said != told[0]
        more = last and (shortened or len(plan.findings) > 1)
        line = screen_text(key, lang, count=len(found), text=said)
        pieces = wrap(screen_text("more", lang, line=line) if more else line)
        if len(pieces) <= most:
            return pieces
    return pieces


def _shorter(plan: Plan, item: Finding, lang: str) -> Iterator[str]:
    """Yield a finding with its advice, without it, then cut at the end of one clause after the other."""
    said = text(item, lang)
    if len(plan.fabrics) == 1:
        # the only fabric need not be named on the screen
        said = said.removeprefix(f"{item.subject}: ").removeprefix(f"{item.subject}：")
    if advice := hint(item, lang):
        yield screen_text("arrow", lang, message=said, hint=advice)
    yield said
    ends = [match.start() for match in re.finditer(r"[;,:](?= )|[；，：。]", said)]
    for end in reversed(ends):
        yield said[:end]
