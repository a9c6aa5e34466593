"""The Proof document: what was proven of a plan, with the digests of what it covers.

Language-free, like the plan: numbers and findings, worded by ``wording.proof_en`` and ``proof_zh``.
"""

from __future__ import annotations

import json
from typing import Literal

from pydantic import Field, ValidationError

from fabricplan.errors import Problem, ReadError
from fabricplan.storedjson import document
from fabricplan.values import Finding, Value

SCHEMA = "fabricplan/proof/1"


class HalfFlow(Value):
    """Maximum flow between two halves of the endpoints of a plane.

    Attributes:
        half: ``units`` (the first units against the rest), ``leaves`` (every other leaf against the rest), or
            ``within`` (one half of every leaf against its other half, where no leaf is joined to another).
        closed_gbps: what the closed form gives for these halves.
        flow_gbps: maximum flow; None where the graph is too large to be walked.
    """

    half: Literal["units", "leaves", "within"]
    closed_gbps: int
    flow_gbps: int | None


class CutProof(Value):
    """The narrowest half cut, one direction, over all planes.

    ``even`` is true where every leaf reaches every spine of its pod, and every spine every core of its group, by
    equally many links.
    """

    claimed_gbps: int
    closed_gbps: int
    flow_gbps: int | None
    halves: tuple[HalfFlow, ...]
    even: bool


class ShiftLoad(Value):
    """Most flows on one link over the shifts of one order.

    Attributes:
        order: ``padded``, ``real`` or ``rail`` (see ``fabricplan.proof.shift``).
        counted, total: shifts counted, and shifts that there are.
        worst: most flows on a link.
        over: shifts at which some link has more flows than allowed.
        first: the first of them; 0 if none.
    """

    order: Literal["padded", "real", "rail"]
    counted: int
    total: int
    worst: int
    over: int
    first: int


class ShiftProof(Value):
    """The shift test. ``missing`` counts (leaf, endpoint) pairs without a way.

    ``claimed`` is false where groups of nodes attach in unlike ways or units are of unlike size: then positions do not
    line up, a shift is no pattern of theirs, and the loads are told without a claim. ``random_permille`` is the share
    of its rate that a flow gets on average over random permutations of the endpoints: no claim either, but the price
    of fixed routes.
    """

    allowed: int
    claimed: bool = True
    loads: tuple[ShiftLoad, ...]
    missing: int
    random_permille: int | None = None

    def load(self, order: str) -> ShiftLoad:
        """Return the load of an order."""
        return next(item for item in self.loads if item.order == order)


class Forecast(Value):
    """What OpenSM's fat-tree engine will do with the fabric.

    Attributes:
        engine: ``ftree`` accepts it; ``refused``: it falls back to another engine; ``not-needed``: all endpoints are
            on one switch; ``other``: no InfiniBand fabric.
        reason: code of the refusal; empty if accepted.
        ranks: switches at every rank, roots first.
        offenders: names of switches that differ from most of their rank, or stand apart (the first few).
        offender_count: how many there are.
        with_roots: with a list of roots the engine accepts it after all; None where the question does not arise.
        roots: switches on that list.
        drift: partly filled leaves may see two flows on a link although the bandwidth suffices.
    """

    engine: Literal["ftree", "refused", "not-needed", "other"]
    reason: str = ""
    ranks: tuple[int, ...] = ()
    offenders: tuple[str, ...] = ()
    offender_count: int = 0
    with_roots: bool | None = None
    roots: int = 0
    drift: bool = False


class DeadlockProof(Value):
    """Cycles in the channel dependency graph.

    Attributes:
        classes: channel classes (tier and direction) of the aggregated graph.
        channels, dependencies: size of the full graph; 0 where only the aggregated one was walked.
        cycle: names along a cycle; empty if there is none.
        free: no cycle.
    """

    classes: int
    channels: int
    dependencies: int
    cycle: tuple[str, ...]
    free: bool


class Failure(Value):
    """What is left after a failure, at worst over all devices or cables of the kind.

    Attributes:
        kind: ``cable-node``, ``cable-leaf-spine``, ``cable-spine-core``, ``spine``, ``core``, ``leaf``,
            ``spine-module``, ``leaf-module`` and ``director`` (a director's modules, and the box), ``cables-random``.
        count: how many there are of the kind (random: cables that fail at once).
        trials: draws (random only).
        bisection_permille: half-cut bandwidth left, all planes together.
        uplinks_permille: uplink bandwidth left to the worst-hit leaf that still stands.
        node_permille: port bandwidth left to the worst-hit node, on this fabric.
        nodes_hit: most nodes that lose a port.
        nodes_cut: most nodes that lose their last way to the others.
    """

    kind: str
    count: int
    trials: int = 1
    bisection_permille: int
    uplinks_permille: int
    node_permille: int
    nodes_hit: int
    nodes_cut: int


class Histogram(Value):
    """One line of a histogram."""

    value: int
    count: int


class WitnessRun(Value):
    """What independent programs found of one plane.

    Attributes:
        plane: plane (0: the only one); ``planes_alike`` are wired in the same way and stand for by this run.
        opensm, ibsim, ibdmchk: versions.
        engine: engine that routed: ``ftree`` or ``fallback``.
        ranks: switches found at every rank, roots first.
        switches, endpoints: devices found.
        loads: the shift test repeated on the tables that OpenSM wrote.
        missing: (leaf, endpoint) pairs that the tables do not join.
        credit_loops: ibdmchk found credit loops.
        hops: pairs of endpoints by number of hops.
        port_loads: switch ports by number of destinations behind them.
    """

    plane: int
    planes_alike: int
    opensm: str
    ibsim: str
    ibdmchk: str
    engine: Literal["ftree", "fallback"]
    refusal: str = ""
    ranks: tuple[int, ...]
    switches: int
    endpoints: int
    loads: tuple[ShiftLoad, ...]
    missing: int
    credit_loops: bool
    hops: tuple[Histogram, ...]
    port_loads: tuple[Histogram, ...]


class FabricProof(Value):
    """Everything proven of one fabric.

    Attributes:
        leaves_apart: leaves of an out-of-band network that the plan does not join to each other: what is claimed ends
            at the leaf. 0 where leaves are joined, or where there is one.
        uplinks_to: who joins those leaves: a fabric of the plan, or ``customer``; empty elsewhere.
        witness_asked: independent programs were to judge the plan; they judge InfiniBand alone.
    """

    name: str
    technology: str
    planes: int
    planes_alike: bool
    endpoints: int
    oversubscription: str
    leaves_apart: int = 0
    uplinks_to: str = ""
    cut: CutProof
    shift: ShiftProof
    forecast: Forecast
    deadlock: DeadlockProof
    failures: tuple[Failure, ...]
    witness_asked: bool = False
    witness: tuple[WitnessRun, ...] = ()

    @property
    def witnessed(self) -> int | None:
        """Most flows on a link that independent programs measured in the padded order; None without a witness."""
        return max((load.worst for run in self.witness for load in run.loads if load.order == "padded"), default=None)

    @property
    def shift_promised(self) -> bool:
        """Whether the shift may be relied on: claimed, on fixed routes of a subnet manager, and without a drift of its
        balancing that is forecast and that no witness has ruled out. Equal-cost paths of Ethernet are dealt out by
        hashing: there nothing is promised of single links."""
        calm = not self.forecast.drift or (self.witnessed is not None and self.witnessed <= self.shift.allowed)
        return self.shift.claimed and self.technology == "infiniband" and calm

    @property
    def confirmed(self) -> bool:
        """No independent program measured more flows on a link than are claimed."""
        return not self.shift.claimed or self.witnessed is None or self.witnessed <= self.shift.allowed


class Covers(Value):
    """What a proof covers, by SHA-256: the bytes of the plan file, and the catalogue that it was made from."""

    plan_name: str
    plan_sha256: str
    catalog: str
    plan_version: str


class Proof(Value):
    """The proof of one plan. It holds if no finding is an error."""

    schema_: Literal["fabricplan/proof/1"] = Field(default="fabricplan/proof/1", alias="schema")
    version: str
    covers: Covers
    fabrics: tuple[FabricProof, ...]
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Tell whether everything that the plan claims was proven."""
        return not any(item.severity == "error" for item in self.findings)

    @property
    def confirmed(self) -> bool:
        """Tell whether no independent program contradicts a claim; without a witness there is nobody to do so."""
        return all(fabric.confirmed for fabric in self.fabrics)


def dumps(proof: Proof) -> bytes:
    """Return a proof as JSON; the same bytes for the same proof."""
    tree = proof.model_dump(mode="json", by_alias=True)
    return (json.dumps({**tree, "holds": proof.holds}, ensure_ascii=False, indent=1) + "\n").encode()


def loads(data: bytes, name: str = "proof.json") -> Proof:
    """Return a proof from its JSON.

    Raises:
        ReadError: not JSON, not a proof, or made by a newer version of this program.
    """
    tree = document(data, SCHEMA, name)
    tree.pop("holds", None)
    try:
        return Proof.model_validate(tree)
    except ValidationError as caught:
        fault = caught.errors()[0]
        path = ".".join(str(step) for step in fault["loc"])
        raise ReadError(Problem("broken-proof", f"{path}: {fault['msg']}", name,
                                "the file was changed or cut off; prove the plan anew")) from None  # fmt: skip
