"""The witness: programs that know nothing of this one judge the exported fabric.

OpenSM routes it on a simulated fabric (``ibsim``), its forwarding tables are put to the same shift test, and
``ibdmchk`` looks for credit loops. The only place that runs other programs; each runs in a temporary folder, under a
time limit, and in a network namespace of its own where the system allows one.
"""

from __future__ import annotations

from collections.abc import Callable

from fabricplan.errors import Problem
from fabricplan.plan import Plan
from fabricplan.proof import Proof, attest, kinds_of, shift_proof, wirings
from fabricplan.proof.document import Histogram, WitnessRun
from fabricplan.proof.inside import switch_names
from fabricplan.proof.shift import WHOLE_MAX
from fabricplan.proof.wiring import Wiring
from fabricplan.renderers.ibsim_net import end_names, fabric_file
from fabricplan.witness.ibdmchk import judge
from fabricplan.witness.opensm import Sweep, sweep
from fabricplan.witness.run import WitnessError, folder, missing_programs, require_programs, versions
from fabricplan.witness.tables import walk

__all__ = [
    "SECONDS",
    "Sweep",
    "WitnessError",
    "bear_witness",
    "examine",
    "judges",
    "missing_programs",
    "require_programs",
]

SECONDS = 900
"""Time limit of one program on one plane."""


def bear_witness(
    plan: Plan, proof: Proof, seconds: int = SECONDS, progress: Callable[[str], None] | None = None
) -> Proof:
    """Let independent programs judge every InfiniBand fabric of a plan.

    Planes that are wired in the same way are judged once.

    Args:
        plan: the plan.
        proof: its proof.
        seconds: time limit of one program on one plane.
        progress: called with the name of each step as it starts.

    Returns:
        The proof with the witness's numbers and findings.

    Raises:
        WitnessError: a program is missing, did not start, the time limit is over, or a plane is too large.
    """
    if judges(plan):
        require_programs()
    _small_enough(plan)
    tell = progress or (lambda step: None)
    runs: list[list[WitnessRun]] = []
    for number, sizing in enumerate(plan.fabrics):
        mine = []
        if sizing.technology == "infiniband":
            for wiring, alike in kinds_of(list(wirings(plan, number))):
                tell(f"{sizing.name} OpenSM")
                mine.append(examine(plan, wiring, alike, seconds))
        runs.append(mine)
    return attest(proof, runs)


def judges(plan: Plan) -> bool:
    """Tell whether the plan has a fabric that the programs can judge: they know InfiniBand alone."""
    return any(sizing.technology == "infiniband" for sizing in plan.fabrics)


def _small_enough(plan: Plan) -> None:
    for sizing in plan.fabrics:
        ends = (sizing.endpoints + sizing.reserve_ports) // sizing.planes
        if sizing.technology == "infiniband" and ends > WHOLE_MAX:
            raise WitnessError(Problem(
                "witness-too-large", f"{sizing.name}: a plane of {ends:,} endpoints is beyond the {WHOLE_MAX:,} that "
                "can be simulated here", "--witness",
                "prove it without --witness, or a smaller plan of the same kind"))  # fmt: skip


def examine(
    plan: Plan, wiring: Wiring, alike: int = 1, seconds: int = SECONDS, roots: tuple[str, ...] = ()
) -> WitnessRun:
    """Let OpenSM route one plane and ibdmchk judge what it wrote.

    Args:
        plan: the plan.
        wiring: the plane.
        alike: planes that are wired like it, itself included.
        seconds: time limit of each program.
        roots: names of switches to give OpenSM as a list of roots.
    """
    names = plan.device_names()
    switch = switch_names(wiring, names)
    ends = end_names(plan, wiring, names)
    with folder() as place:
        swept = sweep(fabric_file(plan, wiring, names), place, seconds, roots)
        judged = judge(place, seconds)
        told = versions(place)
    walked = walk(wiring, swept, switch, ends)
    return WitnessRun(
        plane=wiring.plane, planes_alike=alike, opensm=swept.version, ibsim=told["ibsim"], ibdmchk=told["ibdmchk"],
        engine="ftree" if swept.accepted else "fallback", refusal=swept.refusal, ranks=swept.ranks,
        switches=len(swept.ports), endpoints=sum(1 for name in ends if name in set(swept.names)),
        loads=shift_proof(wiring, walked.ways).loads, missing=walked.ways.missing,
        credit_loops=judged.credit_loops or walked.valleys > 0,
        hops=tuple(Histogram(value=value, count=count) for value, count in judged.hops),
        port_loads=tuple(Histogram(value=value, count=count) for value, count in judged.loads),
    )  # fmt: skip
