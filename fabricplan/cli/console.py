"""Writing to the terminal: results, messages and errors, on every code page and into closed pipes."""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, TextIO

import typer
from typing_extensions import TypedDict  # pydantic reads the standard one from Python 3.12 only

from fabricplan.errors import Problem, nearest
from fabricplan.terminal import whole


class ErrorRow(TypedDict):
    """One thing that is wrong; ``where`` names the option, ``file:line`` or JSON path."""

    code: str
    message: str
    where: str
    hint: str


class ErrorReport(TypedDict):
    """The object that ``--json`` prints when a command cannot go on."""

    schema: Literal["fabricplan/error/1"]
    errors: list[ErrorRow]


def prepare() -> None:
    """Let no character that a console's code page lacks stop the program: it is shown as ``?``."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def emit(lines: Iterable[str]) -> None:
    """Write lines of a result to stdout; a reader that has gone away (``| head``) is no error."""
    _write(sys.stdout, "".join(f"{line}\n" for line in lines))


def say(line: str) -> None:
    """Write a message to stderr."""
    _write(sys.stderr, f"{line}\n")


def whole_number(text: str) -> int:
    """Return the whole number that an option's word means."""
    number = whole(text)
    if number is None:
        raise typer.BadParameter(f"'{text}' is not a whole number")
    return number


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        # What is still buffered would fail again at exit; it goes to the null device instead.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def emit_json(value: Any) -> None:
    """Write one JSON object to stdout; escaped where the console cannot show all characters."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").casefold().replace("-", "")
    emit([json.dumps(value, ensure_ascii=encoding != "utf8", indent=2)])


def complain(problems: Iterable[Problem], as_json: bool, lang: str = "en") -> None:
    """Tell what is wrong: as JSON on stdout, or as sentences on stderr."""
    rows: list[ErrorRow] = []
    for item in problems:
        message, hint = item.message, item.hint
        if lang != "en":
            from fabricplan.wording.problems import problem_text

            message, hint = problem_text(item, lang)
        rows.append({"code": item.code, "message": message, "where": item.where, "hint": hint})
    if as_json:
        report: ErrorReport = {"schema": "fabricplan/error/1", "errors": rows}
        emit_json(report)
        return
    for row in rows:
        place = f"{row['where']}: " if row["where"] else ""
        say(f"{'错误：' if lang == 'zh' else 'error: '}{place}{row['message']}")
        if row["hint"]:
            say(f"  {row['hint']}")


def usage_problem(fault: Any) -> Problem:
    """Return a usage error of the option parser as a problem; ``where`` is the option."""
    option = getattr(fault, "option_name", None)
    near = getattr(fault, "possibilities", None) or ()
    parameter = getattr(fault, "param", None)
    where = option or (parameter.opts[0] if parameter is not None else "")
    if parameter is not None and not where.startswith("-"):
        where = where.upper()
    context = getattr(fault, "ctx", None)
    command = context.command_path if context is not None else "fabricplan"
    hint = f"did you mean {' or '.join(sorted(near))}?" if near else f"see {command} --help"
    if option and near:
        return Problem("usage", f"no such option {option}", where, hint)
    message = str((parameter and fault.message) or fault.format_message()).rstrip(".")
    commands = getattr(getattr(context, "command", None), "commands", None)
    if commands and not parameter and not option:
        word = message.partition("'")[2].partition("'")[0]
        hint = nearest(word, commands) if word else hint
        message = message.partition(". Did you mean")[0]
    return Problem("usage", message[:1].lower() + message[1:], where, hint)


def fault_problem(fault: Exception) -> Problem:
    """Return a fault of this program as a problem that can be reported."""
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    return Problem("internal-error", f"{type(fault).__name__}: {fault}", place,
                   "this is a fault of fabricplan; please report it with the command line")  # fmt: skip


class Progress:
    """Tells on a terminal what a run is doing once it takes longer than a second."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._shown = False

    def __call__(self, stage: str) -> None:
        """Note that a stage begins."""
        if sys.stderr.isatty() and time.monotonic() - self._start > 1:
            sys.stderr.write(f"\r{stage:<20}")
            sys.stderr.flush()
            self._shown = True

    def end(self) -> None:
        """Wipe the line."""
        if self._shown:
            sys.stderr.write("\r" + " " * 20 + "\r")
            sys.stderr.flush()
