"""A verification as rows of words, for the screen and the workbook."""

from __future__ import annotations

from typing import NamedTuple

from fabricplan.asbuilt.document import Move, Verification, WorkOrder
from fabricplan.asbuilt.view import PlugEnd
from fabricplan.wording.asbuilt import say


class StepRow(NamedTuple):
    """One step of a work order, as cells."""

    order: str
    cause: str
    fabric: str
    step: int
    action: str
    at: PlugEnd
    to: PlugEnd
    stays: str
    cables: str
    rail: str


def spot(plug: PlugEnd) -> str:
    """Return an end as one reads it from rack to port: ``leaf-su01-r3 IB1/1/1 (A05 U38, port 1)``."""
    place = f"{plug.rack} U{plug.u}" if plug.rack and plug.u else plug.rack or ""
    number = f"port {plug.number}" if plug.kind == "switch" and plug.number else ""
    told = ", ".join(part for part in (place, number if number != plug.port else "") if part)
    return f"{plug.device} {plug.port}".rstrip() + (f" ({told})" if told else "")


def order_head(order: WorkOrder, lang: str) -> str:
    """Return the first line of a work order: number, cause, links."""
    kind = say(order.kind, lang)
    if order.kind == "degraded":
        return say("order_rate", lang, id=order.id, kind=kind, found=order.found_gbps or 0,
                   planned=order.planned_gbps or 0)  # fmt: skip
    return say("order_rail" if order.wrong_rail else "order_head", lang, id=order.id, kind=kind, links=order.links)


def order_steps(order: WorkOrder, lang: str) -> list[str]:
    """Return the steps of a work order as sentences; an exchange of two plugs is one."""
    if order.kind in ("swap", "bundle"):
        done: list[str] = []
        for one, two in zip(order.moves[::2], order.moves[1::2], strict=True):
            done.append(say("step_exchange", lang, at=spot(one.at), to=spot(two.at)) + _tail((one, two), lang))
        return done
    return [
        say(f"step_{move.action}", lang, at=spot(move.at), to=spot(move.to),
            stays=spot(move.stays) if move.stays else "") + _tail((move,), lang)
        for move in order.moves
    ]  # fmt: skip


def _tail(moves: tuple[Move, ...], lang: str) -> str:
    cables = ", ".join(dict.fromkeys(cable for move in moves for cable in move.cables))
    rails = ", ".join(dict.fromkeys(move.rail for move in moves if move.rail))
    told = [say("cable", lang, ids=cables) if cables else "", say("rail", lang, rail=rails) if rails else ""]
    text = ", ".join(part for part in told if part)
    return f" [{text}]" if text else ""


def step_rows(verification: Verification, lang: str) -> list[StepRow]:
    """Return all steps of all work orders."""
    return [
        StepRow(order.id, say(order.kind, lang), order.fabric, number, say(f"a_{move.action}", lang), move.at, move.to,
                spot(move.stays) if move.stays else "", ", ".join(move.cables), move.rail)
        for order in verification.orders for number, move in enumerate(order.moves, start=1)
    ]  # fmt: skip


def summary_rows(verification: Verification, lang: str) -> list[tuple[str, str | int]]:
    """Return what was checked and how it came out, with the digests of all inputs."""
    rows: list[tuple[str, str | int]] = [
        (say("result", lang), say("yes" if verification.clean else "no", lang)),
        (say("plan", lang), verification.plan_name),
        (f"{say('plan', lang)} SHA-256", verification.plan_sha256),
    ]
    rows += [(f"{source.name} SHA-256", source.sha256) for source in verification.sources]
    for fabric in verification.fabrics:
        rows += [
            (f"{fabric.fabric}: {say(word, lang)}", count)
            for word, count in (
                ("planned", fabric.planned), ("matched", fabric.matched), ("degraded_links", fabric.degraded),
                ("wrong", fabric.wrong), ("missing_links", fabric.missing), ("extra_links", fabric.extra),
            )
        ]  # fmt: skip
    return rows
