"""``fabricplan new``: an empty request workbook with drop-downs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fabricplan.cli.console import emit
from fabricplan.errors import Problem, RequirementError

NEW_EXAMPLES = """Examples:

\b
fabricplan new request.xlsx
fabricplan design request.xlsx -o plan
fabricplan quote request.xlsx --prices prices.xlsx -o quote"""


def new(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The workbook to write.")] = Path("request.xlsx"),
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Write a request workbook to fill in, with drop-downs, in Chinese and English."""
    from fabricplan.files import load_catalog, write
    from fabricplan.renderers.request_xlsx import render

    if path.suffix.casefold() != ".xlsx":
        raise RequirementError(Problem("request-suffix", f"'{path.name}' is no workbook's name", "FILE",
                                       f"for example {path.stem}.xlsx"))  # fmt: skip
    if path.exists() and not force:
        raise RequirementError(Problem("file-exists", f"{path} exists", "FILE", "choose another name, or --force"))
    files = render(load_catalog().keys("platforms"))
    emit(write(path.parent, {path.name: files["request.xlsx"]}))
