"""``fabricplan adopt``: discovered fabrics become a plan."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from fabricplan.cli.console import Progress, whole_number
from fabricplan.cli.discoveries import read_discoveries
from fabricplan.cli.outcome import check_language, show, write_plan

ADOPT_EXAMPLES = """Examples:

\b
fabricplan adopt ibnetdiscover.txt -o adopted
fabricplan adopt plane1.txt plane2.txt storage.txt --platform dgx-h100 -o adopted
fabricplan adopt ibnetdiscover.txt --grow-to 256 -o adopted
fabricplan quote adopted/request.json --nodes 256 --stands adopted/plan.json --prices prices.xlsx -o extension"""


def adopt(
    files: Annotated[list[Path], typer.Argument(
        metavar="FILE...", help="Discoveries, one of every plane and fabric.", show_default=False)],
    gen: Annotated[str, typer.Option(
        "--gen", metavar="RATE", help="Rate of the hosts, or one a fabric with commas, the largest first; default: as "
        "the links tell.", show_default=False)] = "",
    platform: Annotated[str, typer.Option("--platform", metavar="NAME", help="The servers; default: generic ones.",
                                          show_default=False)] = "",
    grow_to: Annotated[str, typer.Option("--grow-to", metavar="N", help="Nodes of the final stage.",
                                         show_default=False)] = "",
    output: Annotated[Path | None, typer.Option(
        "-o", "--output", metavar="DIR", help="Folder for the plan, its request and names.csv.",
        show_default=False)] = None,
    lang: Annotated[str, typer.Option(
        "--lang", metavar="LANG", help="en or zh.", autocompletion=lambda: ["en", "zh"])] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON, nothing else.")] = False,
) -> None:  # fmt: skip
    """Make a plan of discovered fabrics, to grow, render and quote it.

    Only what a request reproduces link by link is adopted; else the exit status is 1, with the reasons.
    """
    from fabricplan.asbuilt.adopt import adopt as run
    from fabricplan.files import load_catalog, write
    from fabricplan.renderers import names_csv

    check_language(lang)
    progress = Progress()
    final = whole_number(grow_to) if grow_to else None
    rates = [word.strip() for word in gen.split(",") if word.strip()]
    adopted = run(read_discoveries(files), load_catalog(), rates, final, platform)
    written: list[str] = []
    if output is not None:
        written = write_plan(adopted.plan, output, None, lang, progress)
        request = json.dumps(adopted.request, ensure_ascii=False, indent=1) + "\n"
        written += write(output, {**names_csv.render(adopted.names, lang), "request.json": request.encode()})
    progress.end()
    show(adopted.plan, lang, written, str(output or ""), as_json, False)
