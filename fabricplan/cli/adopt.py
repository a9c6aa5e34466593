"""``fabricplan adopt``: a discovered fabric becomes a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fabricplan.cli.console import Progress, whole_number
from fabricplan.cli.discoveries import read_discoveries
from fabricplan.cli.outcome import check_language, show, write_plan

ADOPT_EXAMPLES = """Examples:

\b
fabricplan adopt ibnetdiscover.txt -o adopted
fabricplan adopt ibnetdiscover.txt --grow-to 256 --platform dgx-h100 -o adopted"""


def adopt(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A discovery of one fabric.", show_default=False)],
    gen: Annotated[str, typer.Option("--gen", metavar="RATE", help="Rate of the hosts; default: as the links tell.",
                                     show_default=False)] = "",
    platform: Annotated[str, typer.Option("--platform", metavar="NAME", help="The servers; default: generic ones.",
                                          show_default=False)] = "",
    grow_to: Annotated[str, typer.Option("--grow-to", metavar="N", help="Nodes of the final stage.",
                                         show_default=False)] = "",
    output: Annotated[Path | None, typer.Option(
        "-o", "--output", metavar="DIR", help="Folder for the plan and names.csv.", show_default=False)] = None,
    lang: Annotated[str, typer.Option(
        "--lang", metavar="LANG", help="en or zh.", autocompletion=lambda: ["en", "zh"])] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON, nothing else.")] = False,
) -> None:  # fmt: skip
    """Make a plan of a discovered fabric, to grow, render and quote it.

    Only a fabric that a request reproduces link by link is adopted; else the exit status is 1, with the reasons.
    """
    from fabricplan.asbuilt.adopt import adopt as run
    from fabricplan.files import load_catalog, write
    from fabricplan.renderers import names_csv

    check_language(lang)
    progress = Progress()
    final = whole_number(grow_to) if grow_to else None
    adopted = run(read_discoveries([file]), load_catalog(), gen, final, platform)
    written: list[str] = []
    if output is not None:
        written = write_plan(adopted.plan, output, None, lang, progress)
        written += write(output, names_csv.render(adopted.names, lang))
    progress.end()
    show(adopted.plan, lang, written, str(output or ""), as_json, False)
