"""``fabricplan prove``: the proof of a finished plan."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabricplan.cli.console import Progress, complain, emit, whole_number
from fabricplan.cli.outcome import check_language

if TYPE_CHECKING:
    from fabricplan.proof import Proof

PROVE_EXAMPLES = """Examples:

\b
fabricplan prove plan/plan.json
fabricplan prove plan/plan.json --witness --lang zh -o plan"""


def prove(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="A plan.json.", show_default=False)],
    witness: Annotated[bool, typer.Option(
        "--witness", help="Let OpenSM and ibdmchk judge the exported fabric.")] = False,
    seconds: Annotated[str, typer.Option(
        "--witness-seconds", metavar="N", help="Time limit of each program.")] = "900",
    output: Annotated[Path | None, typer.Option(
        "-o", "--output", metavar="DIR", help="Folder for proof.json, proof.html, report.html.",
        show_default=False)] = None,
    lang: Annotated[str, typer.Option(
        "--lang", metavar="LANG", help="en or zh.", autocompletion=lambda: ["en", "zh"])] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")] = False,
) -> None:  # fmt: skip
    """Prove what a plan claims: bandwidth, even routing, no deadlock, what a failure leaves.

    With -o the certificate is written as proof.json and proof.html, and as a page of report.html where it holds.

    The plan is checked first; one that fails is not proven. The exit status is 1 if a claim does not hold, or if a
    program asked for with --witness is missing.
    """
    from fabricplan.files import load_catalog, read_bytes, write
    from fabricplan.growth import grow
    from fabricplan.plan import loads
    from fabricplan.proof import prove as run
    from fabricplan.recheck import recheck
    from fabricplan.renderers import proof_html, proof_json, render
    from fabricplan.witness import WitnessError, bear_witness, judges, require_programs

    check_language(lang)
    limit = whole_number(seconds)
    if limit < 1:
        raise typer.BadParameter("a time limit is at least 1 second", param_hint="--witness-seconds")
    progress = Progress()
    data = read_bytes(plan)
    document = loads(data, str(plan))
    try:
        if witness and judges(document):
            require_programs()
        catalog = load_catalog()
        proof = run(document, data, progress, recheck(document, catalog))
        if witness:
            proof = bear_witness(document, proof, limit, progress)
    except WitnessError as caught:
        progress.end()
        complain(caught.problems, as_json)
        raise typer.Exit(1) from None
    progress.end()
    written = []
    if output is not None:
        files = {**proof_json.render(proof, lang), **proof_html.render(proof, lang)}
        if proof.holds:
            known = catalog.digest == document.made_by.catalog
            growth = grow(document.requirement, catalog, document) if known else None
            files |= render(document, "html", lang, growth=growth, proof=proof)
        written = write(output, files)
    if as_json:
        emit(proof_json.render(proof, lang)["proof.json"].decode().rstrip("\n").splitlines())
    else:
        emit(_screen(proof, lang, [Path(path).name for path in written], output))
    if not proof.holds:
        raise typer.Exit(1)


def _screen(proof: Proof, lang: str, written: list[str], folder: Path | None) -> list[str]:
    from fabricplan.renderers import proof_rows as rows
    from fabricplan.summary import wrap
    from fabricplan.wording.proof import proof_hint, proof_text, say

    lines = [*wrap(rows.title(proof, lang)), *wrap(rows.standing(proof, lang))]
    for fabric in proof.fabrics:
        lines.append(rows.heading(fabric, lang))
        for claim in rows.claims(fabric, lang):
            lines += wrap(f"  [{rows.mark(claim, lang) or '-'}] {claim.text}: {claim.found}", indent="    ")
        for cells in rows.failure_rows(fabric, lang):
            lines += wrap(f"  {_failure(cells, lang)}", indent="    ")
        for table in rows.witness_tables(fabric, lang):
            for name, value in table:
                lines += wrap(f"  {name}: {value}", indent="    ")
    for item in proof.findings:
        lines += wrap(f"{say(item.severity, lang)}: {proof_text(item, lang)}")
        if proof_hint(item, lang):
            lines += wrap(f"  {proof_hint(item, lang)}", indent="    ")
    if folder is not None:
        lines += wrap(say("written", lang, folder=str(folder), names=", ".join(written)))
    return lines


def _failure(cells: list[str], lang: str) -> str:
    from fabricplan.renderers import proof_rows as rows

    heads = rows.failure_heads(lang)
    told = [f"{head} {cell}" for head, cell in list(zip(heads, cells, strict=True))[2:]]
    return f"{cells[0]}: {', '.join(told)}"
