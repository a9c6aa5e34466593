"""Proof of a plan: what the tables that will be cabled really carry, computed anew from those tables.

``prove`` never reads the closed-form shape but for the claims it tests: cut, shift, forecast, deadlock and failures
each work on a :class:`~fabricplan.proof.wiring.Wiring`, the plane as its link table joins it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from fabricplan._version import __version__
from fabricplan.errors import Problem, ReadError
from fabricplan.plan import Plan
from fabricplan.plan import dumps as dump_plan
from fabricplan.proof.cut import halves, is_even
from fabricplan.proof.deadlock import deadlock
from fabricplan.proof.document import (
    Covers,
    CutProof,
    DeadlockProof,
    FabricProof,
    Failure,
    Forecast,
    HalfFlow,
    Proof,
    ShiftLoad,
    ShiftProof,
    WitnessRun,
    dumps,
    loads,
)
from fabricplan.proof.failures import failures
from fabricplan.proof.findings import fabric_findings, is_calm, ratio_text, tier_ratio, witness_findings
from fabricplan.proof.forecast import forecast
from fabricplan.proof.inside import switch_names, wirings
from fabricplan.proof.permutations import mean_share
from fabricplan.proof.routes import Routes
from fabricplan.proof.shift import Ways, all_shifts, count, is_large, padded_order, rail_orders, real_order, tabulate
from fabricplan.proof.wiring import Wiring
from fabricplan.requirement import ratio_parts
from fabricplan.sizing import FabricSizing
from fabricplan.topology import LEAF, SWITCH
from fabricplan.values import Finding, finding

__all__ = [
    "Covers", "CutProof", "DeadlockProof", "FabricProof", "Failure", "Forecast", "HalfFlow", "Proof", "ShiftLoad",
    "ShiftProof", "WitnessRun", "allowed_flows", "attest", "dumps", "kinds_of", "loads", "prove", "shift_proof",
    "wirings",
]  # fmt: skip


def prove(
    plan: Plan, data: bytes | None = None, progress: Callable[[str], None] | None = None,
    checked: Sequence[Finding] = (),
) -> Proof:  # fmt: skip
    """Prove what a plan claims. Pure; the same plan gives the same proof.

    Args:
        plan: the plan.
        data: bytes of the plan's file, where it was read from one: the proof covers these bytes.
        progress: called with the name of each step as it starts.
        checked: what the rules find in the plan (``fabricplan.recheck``): with an error among it, nothing is proven.

    Returns:
        The proof. ``proof.holds`` is false where a claim does not stand; ``proof.findings`` say which and why.

    Raises:
        ReadError: the plan's tables point at rows that do not exist.
    """
    _sound(plan)
    tell = progress or (lambda step: None)
    canonical = dump_plan(plan)
    covered = canonical if data is None else data
    notes: list[Finding] = []
    if covered != canonical:
        notes.append(finding("warning", "plan-rewritten", plan.name, version=plan.made_by.version))
    wrong = [item for item in checked if item.severity == "error"]
    if wrong:
        notes += [finding("error", "plan-check-failed", plan.name, errors=len(wrong)), *wrong]
    proofs = []
    for number in range(len(plan.fabrics)):
        proof, found = _prove_fabric(plan, number, tell)
        proofs.append(proof)
        notes += found
    return Proof(
        version=__version__, fabrics=tuple(proofs), findings=tuple(notes),
        covers=Covers(plan_name=plan.name, plan_sha256=hashlib.sha256(covered).hexdigest(),
                      catalog=plan.made_by.catalog, plan_version=plan.made_by.version),
    )  # fmt: skip


def attest(proof: Proof, runs: Sequence[Sequence[WitnessRun]]) -> Proof:
    """Return the proof with what independent programs found.

    Args:
        proof: the proof.
        runs: per fabric, one run for every kind of plane.
    """
    fabrics = tuple(
        fabric.model_copy(update={"witness": tuple(mine), "witness_asked": True})
        for fabric, mine in zip(proof.fabrics, runs, strict=True)
    )
    # what a forecast holds possible is told no longer where it was tried and did not come about
    calm = {fabric.name for fabric in fabrics if is_calm(fabric)}
    before = [item for item in proof.findings if item.code != "proof-drift" or item.subject not in calm]
    notes = [note for fabric in fabrics for note in witness_findings(fabric)]
    return proof.model_copy(update={"fabrics": fabrics, "findings": (*before, *notes)})


def allowed_flows(sizing: FabricSizing) -> int:
    """Return the flows that one link may carry at a shift: ceil(down rate / up rate) of the claimed ratios, by tier.

    A link between switches that is faster than the nodes' takes as many flows as it has their rate. Flows are whole:
    of five nodes over three uplinks one has two flows, and three such uplinks over one to a core make six, not five.
    """
    down, up = ratio_parts(sizing.oversubscription)
    spine_down, spine_up = ratio_parts(sizing.oversubscription_spine)
    on_leaf = -(-down * sizing.uplink_gbps // (up * sizing.link_gbps))
    return -(-on_leaf * spine_down // spine_up)


def shift_proof(wiring: Wiring, ways: Ways | Routes) -> ShiftProof:
    """Run the shift test on the ways of a plane, in the padded, the real and the same-rail order."""
    # without links between switches a flow has its port to itself, whatever the leaves' uplinks run at
    allowed = allowed_flows(wiring.sizing) if wiring.trunk_count else 1
    padded, real, rails = padded_order(wiring), real_order(wiring), rail_orders(wiring)
    found = count(wiring, ways, [padded], allowed, all_shifts(padded.size, wiring.end_count))
    same = np.array_equal(padded, real)
    again = found if same else count(wiring, ways, [real], allowed, all_shifts(real.size, wiring.end_count))
    longest = max((rail.size for rail in rails), default=0)
    beside = count(wiring, ways, rails, allowed, all_shifts(longest, wiring.end_count))
    named = (("padded", found), ("real", again), ("rail", beside))
    loads = tuple(
        ShiftLoad(order=order, counted=load.shifts, total=load.of, worst=load.worst, over=load.over, first=load.first)
        for order, load in named
    )  # fmt: skip
    missing = max(load.missing for _, load in named) if isinstance(ways, Routes) else ways.missing
    if wiring.apart:
        return ShiftProof(allowed=allowed, claimed=False, loads=loads, missing=0)
    attached = {(item.ports_per_node, item.leaves_per_unit, item.rails_per_leaf) for item in wiring.sizing.groups}
    sizes = [run.nodes_each for run in wiring.sizing.shape.units]
    # units that differ by more than the one node of an uneven division hold groups of unlike size
    alike = (len(attached) == 1 and max(sizes) - min(sizes) <= 1) or bool(wiring.module.any())
    return ShiftProof(allowed=allowed, claimed=alike, loads=loads, missing=missing)


def kinds_of(planes: Sequence[Wiring]) -> Iterator[tuple[Wiring, int]]:
    """Yield one plane of every kind of wiring, with the number of planes that are wired like it."""
    digests = [plane.digest for plane in planes]
    for number, plane in enumerate(planes):
        if digests[number] not in digests[:number]:
            yield plane, digests.count(digests[number])


def _prove_fabric(plan: Plan, number: int, tell: Callable[[str], None]) -> tuple[FabricProof, list[Finding]]:
    sizing = plan.fabrics[number]
    planes = list(wirings(plan, number))
    kinds = list(kinds_of(planes))
    cuts: list[tuple[HalfFlow, ...]] = []
    shifts: list[ShiftProof] = []
    forecasts, deadlocks = [], []
    names = plan.device_names()
    for wiring, _ in kinds:
        tell(f"{sizing.name} cut")
        cuts.append(halves(wiring))
        tell(f"{sizing.name} shift")
        routes = Routes.of(wiring)
        ways = None if is_large(wiring) else tabulate(routes)
        share = None if wiring.apart else mean_share(wiring, ways or routes)
        shifts.append(shift_proof(wiring, ways or routes).model_copy(update={"random_permille": share}))
        tell(f"{sizing.name} routing")
        forecasts.append(forecast(wiring, switch_names(wiring, names)))
        deadlocks.append(deadlock(wiring, ways))
    tell(f"{sizing.name} failures")
    lost = failures(plan, planes, len(kinds) == 1)
    counts = [count for _, count in kinds]
    flows = [min((half.flow_gbps for half in cut if half.flow_gbps is not None), default=None) for cut in cuts]
    narrowest = sum(min(half.closed_gbps for half in cut) * times for cut, times in zip(cuts, counts, strict=True))
    apart = sum(wiring.switch_count * times for wiring, times in kinds if wiring.apart)
    # a page never bears a better ratio than the tables show
    measured = tier_ratio(planes, LEAF)
    ratio = ratio_text(measured) if measured > Fraction(*ratio_parts(sizing.oversubscription)) else (
        sizing.oversubscription)  # fmt: skip
    proof = FabricProof(
        name=sizing.name, technology=sizing.technology, planes=sizing.planes, planes_alike=len(kinds) == 1,
        endpoints=sum(int((~plane.reserved).sum()) for plane in planes), oversubscription=ratio,
        leaves_apart=apart, uplinks_to=sizing.uplinks_to if apart else "",
        cut=CutProof(
            # what sizing states for leaves that stand apart is what their endpoints inject; no table can show it
            claimed_gbps=narrowest if apart else sizing.bisection_gbps, closed_gbps=narrowest,
            flow_gbps=None if None in flows else sum((flow or 0) * times
                                                     for flow, times in zip(flows, counts, strict=True)),
            halves=cuts[_worst_cut(cuts)], even=all(is_even(wiring) for wiring, _ in kinds),
        ),
        shift=max(shifts, key=lambda item: (item.missing, item.load("padded").worst, item.load("real").worst)),
        forecast=max(forecasts, key=lambda item: (item.engine == "refused", item.drift)),
        deadlock=min(deadlocks, key=lambda item: item.free), failures=lost,
    )  # fmt: skip
    return proof, fabric_findings(proof, sizing, planes)


def _worst_cut(cuts: Sequence[tuple[HalfFlow, ...]]) -> int:
    return min(range(len(cuts)), key=lambda number: min(half.closed_gbps for half in cuts[number]))


def _sound(plan: Plan) -> None:
    """Make sure that the tables refer to rows that exist, so that a wrong file gives a message and no wrong proof.

    Raises:
        ReadError: what points nowhere.
    """
    devices, links = plan.topology.devices, plan.topology.links
    checks = (
        ("links.lower", links.wide("lower"), 0, len(devices)), ("links.upper", links.wide("upper"), 0, len(devices)),
        ("links.fabric", links.wide("fabric"), 0, len(plan.fabrics)),
        ("links.lower_port", links.wide("lower_port"), 1, 1 << 16),
        ("links.upper_port", links.wide("upper_port"), 1, 1 << 16),
        ("devices.fabric", devices.wide("fabric"), 0, len(plan.fabrics)),
        ("devices.group", devices.wide("group"), 0, len(plan.requirement.groups)),
        ("devices.kind", devices.wide("kind"), 0, 3), ("devices.tier", devices.wide("tier"), 0, 4),
        ("devices.type", devices.wide("type"), 0, len(plan.topology.device_types)),
        ("cabling.links.cable", plan.cabling.links.wide("cable"), -1, len(plan.cabling.cables)),
    )  # fmt: skip
    problems = [
        Problem("broken-plan", f"{name}: row {int(np.argmax((column < low) | (column >= high)))} holds "
                f"{int(column[np.argmax((column < low) | (column >= high))])}, which is not in {low} to {high - 1}",
                "plan.json", "the file was changed; make the plan anew")
        for name, column, low, high in checks
        if column.size and ((column < low) | (column >= high)).any()
    ]  # fmt: skip
    if len(plan.cabling.links) != len(links):
        problems.append(Problem(
            "broken-plan", f"cabling.links has {len(plan.cabling.links)} rows, topology.links {len(links)}",
            "plan.json", "the file was changed; make the plan anew"))  # fmt: skip
    switches = devices.wide("kind") == SWITCH
    for number, sizing in enumerate(plan.fabrics):
        here = np.unique(devices.wide("plane")[switches & (devices.wide("fabric") == number)]).tolist()
        if here != (list(range(1, sizing.planes + 1)) if sizing.planes > 1 else [0]):
            problems.append(Problem(
                "broken-plan", f"fabrics[{number}].planes: {sizing.planes} is stated, the device table holds planes "
                f"{', '.join(map(str, here)) or 'of no switch'}", "plan.json",
                "the file was changed; make the plan anew"))  # fmt: skip
    if problems:
        raise ReadError(*problems)
