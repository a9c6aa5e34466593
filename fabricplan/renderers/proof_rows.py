"""The rows of a proof in words: claims with what was found, failures, what independent programs saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fabricplan.proof import FabricProof, Proof, ShiftLoad, WitnessRun
from fabricplan.requirement import CUSTOMER
from fabricplan.wording.proof import say


@dataclass(frozen=True)
class Claim:
    """One claim: what is said, what was found, and whether it stands (None: told beside, nothing is claimed).

    ``confirmed`` is false where an independent program measured otherwise.
    """

    text: str
    found: str
    stands: bool | None
    confirmed: bool = True


def mark(claim: Claim, lang: str) -> str:
    """Return the verdict on one claim; empty where nothing is claimed."""
    if claim.stands is None:
        return ""
    return say(("yes" if claim.confirmed else "unconfirmed-short") if claim.stands else "no", lang)


def verdict(proof: Proof, lang: str) -> str:
    """Return the verdict on a plan, in a word or two."""
    return say(("yes" if proof.confirmed else "unconfirmed-short") if proof.holds else "no", lang)


def standing(proof: Proof, lang: str) -> str:
    """Return the sentence under the title: what the reader may rely on."""
    if not proof.holds:
        return say("fails", lang)
    if proof.confirmed:
        return say("holds", lang)
    return " ".join(
        say("unconfirmed", lang, name=fabric.name, claimed=fabric.shift.allowed, found=fabric.witnessed or 0)
        for fabric in proof.fabrics
        if not fabric.confirmed
    )


def claims(fabric: FabricProof, lang: str) -> list[Claim]:
    """Return the claims of a fabric with what was found."""
    cut, shift, free = fabric.cut, fabric.shift, fabric.deadlock
    padded = shift.load("padded")
    closed = bandwidth(cut.closed_gbps, lang)
    if cut.flow_gbps is None:
        cut_found = say("cut-found-closed", lang, closed=closed)
    elif fabric.leaves_apart:
        cut_found = say("cut-found-within", lang, closed=closed, flow=bandwidth(cut.flow_gbps, lang))
    else:
        cut_found = say("cut-found", lang, closed=closed, flow=bandwidth(cut.flow_gbps, lang), halves=len(cut.halves))
    carried = cut.closed_gbps if cut.flow_gbps is None else min(cut.flow_gbps, cut.closed_gbps)
    one = fabric.forecast.engine == "not-needed"
    if free.cycle:
        circle = say("deadlock-found", lang, cycle=" > ".join(free.cycle))
    elif free.channels:
        circle = say("deadlock-full", lang, channels=_count(free.channels), dependencies=_count(free.dependencies))
    else:
        circle = say("deadlock-classes", lang, classes=free.classes)
    told = Claim(say("cut-within" if fabric.leaves_apart else "cut", lang, claimed=bandwidth(cut.claimed_gbps, lang)),
                 cut_found, carried >= cut.claimed_gbps)  # fmt: skip
    if fabric.leaves_apart:
        beyond = say("between-found", lang, leaves=_count(fabric.leaves_apart),
                     network=say("customer", lang) if fabric.uplinks_to == CUSTOMER else fabric.uplinks_to)  # fmt: skip
        return [told, Claim(say("between", lang), beyond, None), Claim(say("deadlock", lang), circle, free.free)]
    return [
        told,
        Claim(say("even", lang), say("even-one" if one else "even-found", lang), cut.even),
        Claim(_shift_text(fabric, lang),
              say("shift-found", lang, worst=padded.worst, counted=_count(padded.counted), total=_count(padded.total)),
              _shift_stands(fabric), fabric.confirmed),
        _beside("shift-real", shift.load("real"), shift.allowed, lang),
        _beside("shift-rail", shift.load("rail"), shift.allowed, lang),
        Claim(say("deadlock", lang), circle, free.free),
        Claim(say("routing", lang), _routing(fabric, lang), {"ftree": True, "refused": False}.get(
            fabric.forecast.engine) if fabric.forecast.reason != "pair" else None),
    ]  # fmt: skip


def _shift_text(fabric: FabricProof, lang: str) -> str:
    """Return what the shift says; where nothing is promised of it, the sentence says so first."""
    shift, padded = fabric.shift, fabric.shift.load("padded")
    if padded.counted == padded.total:
        text = say("shift", lang, allowed=shift.allowed)
    else:
        text = say("shift-sampled", lang, allowed=shift.allowed, counted=padded.counted)
    return text if _shift_stands(fabric) is not None else say("not-promised", lang, text=text)


def _shift_stands(fabric: FabricProof) -> bool | None:
    """Tell whether the shift passes; None where it does and nothing is promised of it all the same."""
    shift = fabric.shift
    if shift.claimed and (shift.missing or shift.load("padded").worst > shift.allowed):
        return False
    return True if fabric.shift_promised or not fabric.confirmed else None


def _beside(key: str, load: ShiftLoad, allowed: int, lang: str) -> Claim:
    return Claim(say(key, lang), say("shift-real-found", lang, worst=load.worst, allowed=allowed,
                                     over=_count(load.over), counted=_count(load.counted)), None)  # fmt: skip


def _routing(fabric: FabricProof, lang: str) -> str:
    look = fabric.forecast
    if look.engine == "ftree":
        return say("routing-ftree", lang, ranks=" + ".join(map(str, look.ranks)))
    if look.engine == "refused":
        return say("routing-refused", lang, reason=say(f"reason-{look.reason}", lang))
    return say(f"routing-{look.engine}", lang)


def failure_rows(fabric: FabricProof, lang: str) -> list[list[str]]:
    """Return what is left after every kind of failure, as cells."""
    return [
        [say(item.kind, lang, count=_count(item.count), trials=item.trials),
         "" if item.kind == "cables-random" else _count(item.count), percent(item.bisection_permille, lang),
         percent(item.uplinks_permille, lang), percent(item.node_permille, lang), _count(item.nodes_hit),
         _count(item.nodes_cut)]
        for item in fabric.failures
    ]  # fmt: skip


def failure_heads(lang: str) -> list[str]:
    """Return the headings of the failure table."""
    return [say(key, lang) for key in ("failure", "count", "bisection", "uplinks", "node", "hit", "cut-off")]


def witness_tables(fabric: FabricProof, lang: str) -> list[list[tuple[str, str]]]:
    """Return what independent programs found of every kind of plane; or why they were not asked."""
    if fabric.witness_asked and not fabric.witness:
        return [[(say("witness", lang), say("witness-none", lang))]]
    return [witness_rows(run, lang) for run in fabric.witness]


def witness_rows(run: WitnessRun, lang: str) -> list[tuple[str, str]]:
    """Return what independent programs found of one plane, as name and value."""
    by_order = {load.order: load.worst for load in run.loads}
    if run.switches == 1:
        engine = say("engine-one", lang)
    else:
        engine = say(run.engine, lang) + (f" ({run.refusal})" if run.refusal else "")
    rows = [
        (say("program", lang), f"{run.opensm}, {run.ibsim}, {run.ibdmchk}"),
        (say("engine", lang), engine),
        (say("ranks", lang), " + ".join(map(str, run.ranks)) or "1"),
        (say("devices", lang), say("devices-found", lang, switches=_count(run.switches),
                                   endpoints=_count(run.endpoints))),
        (say("witness-shift", lang), f"{by_order['padded']} / {by_order['real']} / {by_order['rail']}"),
        (say("loops", lang), say("loops-yes" if run.credit_loops else "loops-no", lang)),
        (say("hops", lang), _histogram([(line.value, line.count) for line in run.hops])),
        (say("port-loads", lang), _histogram([(line.value, line.count) for line in run.port_loads])),
    ]  # fmt: skip
    if run.planes_alike > 1:
        rows.insert(0, (say("plane", lang), say("planes-alike", lang, planes=run.planes_alike)))
    return rows


def heading(fabric: FabricProof, lang: str) -> str:
    """Return a fabric's heading: its name, its size, and the ratio that was proven of it."""
    return say("fabric-apart" if fabric.leaves_apart else "fabric", lang, name=fabric.name,
               endpoints=_count(fabric.endpoints), ratio=fabric.oversubscription)  # fmt: skip


def title(proof: Proof, lang: str) -> str:
    """Return the certificate's title: of non-blocking where every fabric is 1:1 and no witness objects."""
    even = proof.confirmed and all(fabric.oversubscription == "1:1" for fabric in proof.fabrics)
    return say("title" if even else "title-ratio", lang)


def limits(proof: Proof, lang: str) -> list[str]:
    """Return what is not claimed."""
    found = [say("limit-static", lang), *(_limit_of_shifts(fabric, lang) for fabric in proof.fabrics),
             *(say("limit-random", lang, name=fabric.name, share=percent(share, lang)) for fabric in proof.fabrics
               if (share := fabric.shift.random_permille or 1000) < 1000),
             say("limit-adaptive-helps" if any(map(_collides, proof.fabrics)) else "limit-adaptive", lang),
             say("limit-parts", lang)]  # fmt: skip
    if any(fabric.technology == "infiniband" for fabric in proof.fabrics):
        found.append(say("limit-oracle", lang))
    ratios = dict.fromkeys(item.oversubscription for item in proof.fabrics if item.oversubscription != "1:1")
    return found + [say("limit-ratio", lang, ratio=ratio) for ratio in ratios]


def _limit_of_shifts(fabric: FabricProof, lang: str) -> str:
    """Return what of regular exchanges is proven of one fabric, and what is not."""
    shift = fabric.shift
    beside = max(shift.load(order).worst for order in ("real", "rail"))
    if fabric.leaves_apart:
        return say("limit-apart", lang, name=fabric.name)
    if fabric.technology != "infiniband":
        return say("limit-shift-hashed", lang, name=fabric.name)
    if not fabric.shift_promised or not fabric.confirmed or shift.load("padded").worst > shift.allowed:
        return say("limit-shift-none", lang, name=fabric.name)
    if beside > shift.allowed:
        return say("limit-shift-beside", lang, name=fabric.name, allowed=shift.allowed, beside=beside)
    return say("limit-shift", lang, name=fabric.name, allowed=shift.allowed)


def _collides(fabric: FabricProof) -> bool:
    """Tell whether more flows meet in some order, or may by the forecast, than the ratio allows."""
    loads = fabric.shift.loads
    drift = fabric.forecast.drift and fabric.witnessed is None
    return drift or not fabric.confirmed or any(load.worst > fabric.shift.allowed for load in loads)


def bandwidth(gbps: int, lang: str) -> str:
    """Return a bandwidth for reading: whole Gb/s below 10 Tb/s, else Tb/s with the digits that it has.

    >>> bandwidth(9600, "en"), bandwidth(204800, "en")
    ('9,600 Gb/s', '204.8 Tb/s')
    """
    if gbps < 10_000:
        return say("gbps", lang, value=_count(gbps))
    whole, rest = divmod(gbps, 1000)
    return say("tbps", lang, value=f"{_count(whole)}.{rest:03}".rstrip("0").rstrip("."))


def percent(permille: int, lang: str) -> str:
    """Return a share for reading.

    >>> percent(1000, "en"), percent(937, "en")
    ('100 %', '93.7 %')
    """
    whole, rest = divmod(permille, 10)
    return say("percent", lang, value=f"{whole}.{rest}" if rest else str(whole))


def _count(number: int) -> str:
    return f"{number:,}"


def _histogram(lines: Sequence[tuple[int, int]]) -> str:
    return ", ".join(f"{value}: {_count(count)}" for value, count in lines)
