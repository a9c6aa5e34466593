"""Findings of a proof: every claim that does not stand, and what the reader must know beside the claims."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from fabricplan.proof.document import FabricProof, Forecast
from fabricplan.proof.rates import worst_ratio
from fabricplan.proof.wiring import Wiring
from fabricplan.requirement import ratio_parts
from fabricplan.sizing import FabricSizing
from fabricplan.topology import CORE, LEAF, SPINE
from fabricplan.values import Finding, IntArray, Severity, finding


def fabric_findings(proof: FabricProof, sizing: FabricSizing, planes: Sequence[Wiring]) -> list[Finding]:
    """Return what does not stand in the proof of one fabric."""
    return [
        *_tables(sizing, planes), *_rates(sizing, planes), *_cut(proof), *_shift(proof), *_routing(proof),
        *_first_leaf(sizing),
    ]  # fmt: skip


def _first_leaf(sizing: FabricSizing) -> list[Finding]:
    """Tell of what no plan can know: which leaf has the lowest GUID, where OpenSM begins to number them."""
    told = sizing.technology == "infiniband" and sizing.shape.cores_today and sizing.shape.pod_kind == "units"
    return [finding("info", "proof-first-leaf", sizing.name)] if told else []


def _tables(sizing: FabricSizing, planes: Sequence[Wiring]) -> list[Finding]:
    """Compare what the tables hold with what the plan states, and find links that no route can take."""
    notes: list[Finding] = []
    name = sizing.name
    stray = sum(plane.stray for plane in planes)
    if stray:
        notes.append(finding("error", "proof-stray-links", name, links=stray))
    doubled = sum(_doubled(plane) for plane in planes)
    if doubled:
        notes.append(finding("error", "proof-port-twice", name, ports=doubled))
    tiers = np.concatenate([plane.tier[plane.heads] for plane in planes])
    lows = np.concatenate([plane.tier[plane.low[plane.cabled]] for plane in planes])
    ends = sum(int((~plane.reserved).sum()) for plane in planes)
    counted = (
        ("leaf", sizing.leaf_count, int((tiers == LEAF).sum())),
        ("spine", sizing.spine_count, int((tiers == SPINE).sum())),
        ("core", sizing.core_count, int((tiers == CORE).sum())), ("node-leaf", sizing.node_leaf_links, ends),
        ("leaf-spine", sizing.leaf_spine_links, int((lows == LEAF).sum())),
        ("spine-core", sizing.spine_core_links, int((lows == SPINE).sum())), ("endpoint", sizing.endpoints, ends),
    )  # fmt: skip
    for what, stated, found in counted:
        if stated != found:
            notes.append(finding("error", "proof-counts", name, what=what, stated=stated, found=found))
    idle = sum(int(np.setdiff1d(np.arange(plane.switch_count), _ends(plane)).size) for plane in planes)
    if idle:
        notes.append(finding("error", "proof-idle-switches", name, switches=idle))
    misplaced = sum(int((plane.tier[plane.end_switch] != LEAF).sum()) for plane in planes)
    if misplaced:
        notes.append(finding("error", "proof-host-above-leaf", name, ports=misplaced))
    return notes


def _rates(sizing: FabricSizing, planes: Sequence[Wiring]) -> list[Finding]:
    """Compare the stated rates and ratios with those of products and tables."""
    notes: list[Finding] = []
    run = planes[0].sizing
    for rate, stated, found in (
        (sizing.rate, sizing.link_gbps, run.link_gbps), (sizing.uplink_rate, sizing.uplink_gbps, run.uplink_gbps),
    ):  # fmt: skip
        if stated != found:
            notes.append(finding("error", "proof-rate", sizing.name, rate=rate, stated=stated, found=found))
    for tier, stated_ratio in (("leaf", sizing.oversubscription), ("spine", sizing.oversubscription_spine)):
        measured = tier_ratio(planes, LEAF if tier == "leaf" else SPINE)
        if measured > Fraction(*ratio_parts(stated_ratio)):
            notes.append(finding("error", "proof-ratio", sizing.name, tier=tier, stated=stated_ratio,
                                 found=ratio_text(measured)))  # fmt: skip
    return notes


def tier_ratio(planes: Sequence[Wiring], tier: int) -> Fraction:
    """Return the worst ratio of a tier, bandwidth down over bandwidth up, as the tables join it."""
    found = Fraction(0)
    for plane in planes:
        mine = plane.tier == tier
        below = plane.hosts if tier == LEAF else np.bincount(plane.high, minlength=plane.switch_count)
        gbps = plane.sizing.link_gbps if tier == LEAF else plane.sizing.uplink_gbps
        found = max(found, worst_ratio(below[mine], plane.up_count[mine], gbps, plane.sizing.uplink_gbps))
    return found


def ratio_text(ratio: Fraction) -> str:
    """Return a ratio as ``down:up``.

    >>> ratio_text(Fraction(3, 2))
    '3:2'
    """
    return f"{ratio.numerator}:{ratio.denominator}"


def _ends(plane: Wiring) -> IntArray:
    return np.concatenate([plane.low, plane.high, plane.end_switch])


def _doubled(plane: Wiring) -> int:
    """Return the switch ports that hold more than one link."""
    switch = _ends(plane)
    port = np.concatenate([plane.low_port, plane.high_port, plane.end_port])
    return int((np.unique(switch * (1 << 16) + port, return_counts=True)[1] > 1).sum())


def _cut(proof: FabricProof) -> list[Finding]:
    cut, notes = proof.cut, list[Finding]()
    if proof.leaves_apart:
        notes.append(finding("info", "proof-leaves-apart", proof.name, leaves=proof.leaves_apart,
                             network=proof.uplinks_to))  # fmt: skip
    found = cut.closed_gbps if cut.flow_gbps is None else min(cut.flow_gbps, cut.closed_gbps)
    if found < cut.claimed_gbps:
        notes.append(finding("error", "proof-cut", proof.name, found=found, claimed=cut.claimed_gbps))
    if not cut.even:
        notes.append(finding("error", "proof-uneven", proof.name))
    if cut.flow_gbps is None:
        notes.append(finding("info", "proof-flow-skipped", proof.name, endpoints=proof.endpoints))
    return notes


def _shift(proof: FabricProof) -> list[Finding]:
    shift, notes = proof.shift, list[Finding]()
    if shift.missing:
        notes.append(finding("error", "proof-no-way", proof.name, pairs=shift.missing))
    padded, real, rail = (shift.load(order) for order in ("padded", "real", "rail"))
    if padded.worst > shift.allowed and not shift.claimed:
        notes.append(finding("warning", "proof-shift-mixed", proof.name, worst=padded.worst, allowed=shift.allowed))
    elif padded.worst > shift.allowed:
        notes.append(finding("error", "proof-shift", proof.name, worst=padded.worst, allowed=shift.allowed,
                             shifts=padded.over, total=padded.counted, first=padded.first))  # fmt: skip
    if padded.counted < padded.total:
        notes.append(finding("info", "proof-shift-sampled", proof.name, counted=padded.counted, total=padded.total))
    if max(real.worst, rail.worst) > max(shift.allowed, padded.worst):
        notes.append(finding("info", "proof-shift-beside", proof.name, real=real.worst, real_shifts=real.over,
                             rail=rail.worst, rail_shifts=rail.over))  # fmt: skip
    return notes


def _routing(proof: FabricProof) -> list[Finding]:
    look, notes = proof.forecast, list[Finding]()
    if look.engine == "refused":
        severity: Severity = "warning" if look.reason == "pair" else "error"
        notes.append(finding(
            severity, _refusal_code(look), proof.name, switches=look.offender_count,
            offenders=", ".join(look.offenders) + (" ..." if look.offender_count > len(look.offenders) else ""),
            roots=look.roots, helps="yes" if look.with_roots else "no",
            worst=proof.shift.load("padded").worst))  # fmt: skip
    if look.drift:
        notes.append(finding("warning", "proof-drift", proof.name, allowed=proof.shift.allowed,
                             flows=proof.shift.allowed + 1))  # fmt: skip
    if not proof.deadlock.free:
        notes.append(finding("error", "proof-deadlock", proof.name, cycle=" > ".join(proof.deadlock.cycle)))
    return notes


def _refusal_code(look: Forecast) -> str:
    helpless = look.reason == "uneven" and not look.with_roots
    return f"proof-ftree-{look.reason}{'-no-roots' if helpless else ''}"


def is_calm(proof: FabricProof) -> bool:
    """Tell whether OpenSM's balancing, of which a drift was forecast, kept to the allowed flows in the witness run."""
    routed = all(run.engine == "ftree" for run in proof.witness)
    return proof.forecast.drift and routed and proof.witnessed is not None and proof.witnessed <= proof.shift.allowed


def witness_findings(proof: FabricProof) -> list[Finding]:
    """Return where independent programs disagree with the proof."""
    notes = []
    if is_calm(proof):
        notes.append(finding("info", "witness-no-drift", proof.name, flows=proof.witnessed or 0,
                             allowed=proof.shift.allowed))  # fmt: skip
    for run in proof.witness:
        name = proof.name if not run.plane else f"{proof.name} p{run.plane}"
        expected = "ftree" if proof.forecast.engine == "ftree" else "fallback"
        if run.engine != expected:
            notes.append(finding("error", "witness-forecast", name, engine=run.engine, expected=expected,
                                 refusal=run.refusal))  # fmt: skip
        if run.missing:
            notes.append(finding("error", "witness-no-way", name, pairs=run.missing))
        if run.credit_loops:
            notes.append(finding("error", "witness-credit-loops", name))
        soft = proof.forecast.drift or not proof.shift.claimed
        worst = next(load for load in run.loads if load.order == "padded")
        if worst.worst > proof.shift.allowed:
            notes.append(finding("warning" if soft else "error", "witness-shift", name,
                                 worst=worst.worst, allowed=proof.shift.allowed, shifts=worst.over,
                                 total=worst.counted))  # fmt: skip
    return notes
