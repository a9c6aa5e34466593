"""``fabricplan verify``: a discovery held against a plan."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabricplan.cli.console import Progress, emit, whole_number
from fabricplan.cli.discoveries import read_discoveries
from fabricplan.cli.outcome import check_language

if TYPE_CHECKING:
    from fabricplan.asbuilt.document import Verification

VERIFY_EXAMPLES = """Examples:

\b
fabricplan verify plan/plan.json --found ibnetdiscover.txt
fabricplan verify plan/plan.json --found plane1.txt --plane 1 -o check
fabricplan verify plan/plan.json --found leaf-su01-r0.json --found leaf-su01-r1.json --names map.csv"""
SHOWN = 20
"""Work orders that the screen lists."""


def verify(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="A plan.json.", show_default=False)],
    found: Annotated[list[Path], typer.Option(
        "--found", metavar="FILE", help="Output of ibnetdiscover, iblinkinfo, ibdiagnet (net_dump, lst) or lldpctl -f "
        "json; repeat for planes and devices.", show_default=False)],
    names: Annotated[Path | None, typer.Option(
        "--names", metavar="MAP", help="CSV: found name or GUID, name in the plan; or a node name map.",
        show_default=False)] = None,
    fabric: Annotated[str, typer.Option(
        "--fabric", metavar="NAME", help="Judge this fabric only.", show_default=False)] = "",
    planes: Annotated[list[str] | None, typer.Option(
        "--plane", metavar="N", help="Judge this plane only; repeat for several.", show_default=False)] = None,
    by_structure: Annotated[bool, typer.Option(
        "--by-structure", help="Go by the places of devices, not by their names.")] = False,
    output: Annotated[Path | None, typer.Option(
        "-o", "--output", metavar="DIR", help="Folder for verify.xlsx and verify.json.", show_default=False)] = None,
    lang: Annotated[str, typer.Option(
        "--lang", metavar="LANG", help="en or zh.", autocompletion=lambda: ["en", "zh"])] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")] = False,
) -> None:  # fmt: skip
    """Check a cabled fabric against its plan: work orders for what is wrong.

    The exit status is 0 only if every planned link was found, at its speed, and nothing else.
    """
    from fabricplan.asbuilt.match import NO_NAMES
    from fabricplan.asbuilt.verify import verify as run
    from fabricplan.files import read_bytes, read_text, write
    from fabricplan.plan import loads
    from fabricplan.readers.name_map import read_name_map
    from fabricplan.renderers import verify_json, verify_xlsx

    check_language(lang)
    wanted = [whole_number(word) for word in planes or ()]
    progress = Progress()
    data = read_bytes(plan)
    document = loads(data, str(plan))
    known = read_name_map(read_text(names), str(names)) if names is not None else NO_NAMES
    progress("discovery")
    discovered = read_discoveries(found)
    progress("verify")
    checked = run(document, hashlib.sha256(data).hexdigest(), discovered, known, fabric, wanted, by_structure)
    written: list[str] = []
    if output is not None:
        progress("write")
        written = write(output, {**verify_xlsx.render(checked, lang), **verify_json.render(checked, lang)})
    progress.end()
    if as_json:
        emit(verify_json.render(checked, lang)["verify.json"].decode().rstrip("\n").splitlines())
    else:
        emit(_screen(checked, lang, output, [Path(path).name for path in written]))
    if not checked.clean:
        raise typer.Exit(1)


def _screen(checked: Verification, lang: str, folder: Path | None, written: list[str]) -> list[str]:
    from fabricplan.renderers.verify_rows import order_head, order_steps
    from fabricplan.terminal import wrap
    from fabricplan.wording.asbuilt import asbuilt_hint, asbuilt_text, say

    errors = sum(item.severity == "error" for item in checked.findings)
    lines = wrap(say("verify_title", lang, name=checked.plan_name))
    lines += wrap(say("clean", lang) if checked.clean
                  else say("not_clean", lang, orders=len(checked.orders), errors=errors))  # fmt: skip
    for item in checked.fabrics:
        lines += wrap(say("switches", lang, fabric=item.fabric, found=item.switches_found,
                          planned=item.switches_planned))  # fmt: skip
        lines += wrap(say("counts", lang, **item.model_dump(include={
            "fabric", "planned", "matched", "degraded", "wrong", "missing", "extra"})))  # fmt: skip
    for order in checked.orders[:SHOWN]:
        lines += wrap(order_head(order, lang))
        steps = order_steps(order, lang)
        for step in steps[:SHOWN]:
            lines += wrap(f"  {step}", indent="    ")
        if len(steps) > SHOWN:
            lines += wrap("  " + say("more_orders", lang, count=len(steps) - SHOWN), indent="    ")
    if len(checked.orders) > SHOWN:
        lines += wrap(say("more_orders", lang, count=len(checked.orders) - SHOWN))
    for note in checked.findings:
        lines += wrap(f"{say(note.severity, lang)}: {asbuilt_text(note, lang)}")
        if asbuilt_hint(note, lang):
            lines += wrap(f"  {asbuilt_hint(note, lang)}", indent="    ")
    lines += wrap(say("inputs", lang, sha256=checked.plan_sha256))
    for source in checked.sources:
        lines += wrap(say("source", lang, name=Path(source.name).name, format=source.format, sha256=source.sha256))
    if folder is not None:
        lines += wrap(say("written", lang, folder=str(folder), names=", ".join(written)))
    return lines
