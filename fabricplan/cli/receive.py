"""``fabricplan receive``: a delivery held against the bill of a plan."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabricplan.cli.console import emit, emit_json
from fabricplan.cli.outcome import check_language

if TYPE_CHECKING:
    from fabricplan.asbuilt.receive import Receipt

RECEIVE_EXAMPLES = """Examples:

\b
fabricplan receive plan/plan.json delivery.xlsx
fabricplan receive plan/plan.json delivery.csv -o plan"""


def receive(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="A plan.json.", show_default=False)],
    delivery: Annotated[Path, typer.Argument(
        metavar="DELIVERY", help="Delivery note, .xlsx or .csv: part number, serial number or quantity; GUID, device, "
        "end of warranty if told.", show_default=False)],
    output: Annotated[Path | None, typer.Option(
        "-o", "--output", metavar="DIR", help="Folder for serials.csv: serial, device, GUID.",
        show_default=False)] = None,
    lang: Annotated[str, typer.Option(
        "--lang", metavar="LANG", help="en or zh.", autocompletion=lambda: ["en", "zh"])] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")] = False,
) -> None:  # fmt: skip
    """Check a delivery against the bill of a plan, and give serial numbers to its devices.

    The exit status is 1 if something is short, unknown or listed twice.
    """
    from fabricplan.asbuilt import Source
    from fabricplan.asbuilt.receive import receive as run
    from fabricplan.files import read_bytes, write
    from fabricplan.plan import loads
    from fabricplan.readers.delivery import read_delivery
    from fabricplan.renderers.receipt_csv import render

    check_language(lang)
    data, note = read_bytes(plan), read_bytes(delivery)
    source = Source(name=delivery.name, format="delivery", sha256=hashlib.sha256(note).hexdigest())
    found = run(loads(data, str(plan)), hashlib.sha256(data).hexdigest(), read_delivery(note, str(delivery)), source)
    written = write(output, render(found, lang)) if output is not None else []
    if as_json:
        emit_json(found.model_dump(mode="json", by_alias=True, exclude_none=True))
    else:
        emit([*_screen(found, lang), *written])
    if not found.complete:
        raise typer.Exit(1)


def _screen(found: Receipt, lang: str) -> list[str]:
    from fabricplan.terminal import wrap
    from fabricplan.wording.asbuilt import asbuilt_hint, asbuilt_text, say

    errors = sum(item.severity == "error" for item in found.findings)
    lines = wrap(say("receive_title", lang, name=found.plan_name))
    lines += wrap(say("receive_ok", lang) if found.complete else say("receive_bad", lang, errors=errors))
    for line in found.lines:
        told = say("receive_line", lang, pn=line.pn, planned=line.ordered, delivered=line.delivered)
        lines += wrap(f"  {told}", indent="    ")
    if found.warranty_first is not None:
        lines += wrap("  " + say("warranty", lang, count=found.warranty_count,
                                 first=str(found.warranty_first), last=str(found.warranty_last)),
                      indent="    ")  # fmt: skip
    for item in found.findings:
        lines += wrap(f"{say(item.severity, lang)}: {asbuilt_text(item, lang)}")
        if asbuilt_hint(item, lang):
            lines += wrap(f"  {asbuilt_hint(item, lang)}", indent="    ")
    lines += wrap(say("inputs", lang, sha256=found.plan_sha256))
    return lines + wrap(say("source", lang, name=found.source.name, format=found.source.format,
                            sha256=found.source.sha256))  # fmt: skip
