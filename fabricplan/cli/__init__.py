"""The command line: load, call the library, write, map errors.

Results go to stdout, messages to stderr. Exit status 0: fine; 1: infeasible, or a plan with error findings; 2: bad
usage or bad input. With ``--json`` every error is one JSON object on stdout. Library modules are imported inside
the commands, so that ``--help`` costs next to nothing.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import signal
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, cast

import typer

from fabricplan._version import __version__
from fabricplan.cli.commands import Commands
from fabricplan.cli.console import complain, emit, fault_problem, prepare, usage_problem
from fabricplan.errors import FabricplanError, InfeasibleError, Problem

__all__ = ["app", "main"]

EXAMPLES = """Examples:

\b
fabricplan design --gpus 1024 --gen ndr
fabricplan design --nodes 127 --platform dgx-h100 --gen ndr --lang zh -o plan
fabricplan render plan/plan.json --format xlsx --lang zh
fabricplan catalog show QM9700"""

USAGE_ERROR = cast(
    type[Exception], next(base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException")
)
"""Root of the option parser's errors: typer brings its own copy of click since 0.29, before it used click."""

INTERRUPTED = 130
"""Status that the option parser gives Ctrl-C."""

app = typer.Typer(
    name="fabricplan", cls=Commands, rich_markup_mode=None, pretty_exceptions_enable=False, epilog=EXAMPLES,
    help="Design, check, render and cable Clos fabrics of GPU clusters.",
    context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip


@app.callback(invoke_without_command=True)
def root(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    """Design, check, render and cable Clos fabrics of GPU clusters."""
    if version:
        emit([f"fabricplan {__version__}"])
        raise typer.Exit(0)
    if ctx.invoked_subcommand is None:
        emit([ctx.get_help()])


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        args: arguments; absent: those of the process.

    Returns:
        The exit status.
    """
    prepare()
    if args is None:
        _quick_start()
    given = list(sys.argv[1:] if args is None else args)
    as_json, lang = "--json" in given, "zh" if "--lang=zh" in given or ("--lang", "zh") in pairwise(given) else "en"
    with contextlib.suppress(ValueError):
        # A polite kill ends like Ctrl-C, so that files half-written are cleaned up.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = typer.main.get_command(app).main(given, prog_name="fabricplan", standalone_mode=False)
    except FabricplanError as caught:
        complain(caught.problems, as_json, lang)
        return 1 if isinstance(caught, InfeasibleError) else 2
    except USAGE_ERROR as caught:
        complain([usage_problem(caught)], as_json, lang)
        return 2
    except Exception as caught:
        # The last resort: a fault of this program, told in one line, because a salesperson cannot use a traceback.
        complain([fault_problem(caught)], as_json)
        return 2
    if status == INTERRUPTED:
        complain([Problem("interrupted", "interrupted; earlier files stand as they were")], as_json, lang)
    return status if isinstance(status, int) else 0


def _quick_start() -> None:
    """Spare a process of our own what no plan needs.

    numpy's linear algebra starts a thread per core when it is loaded, and no plan multiplies matrices. Plans are
    trees of values without cycles, so that a frequent collector only walks them in vain.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(100_000, 50, 100)
    atexit.register(gc.freeze)  # nor does it walk everything once more when the process ends
