"""Programs run in a temporary folder, with a time limit, in a network namespace of their own where allowed."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from fabricplan.errors import FabricplanError, Problem

PROGRAMS: Mapping[str, str] = {
    "opensm": "opensm", "ibsim": "ibsim-utils", "ibsim-run": "ibsim-utils", "ibdmchk": "ibutils",
}  # fmt: skip
"""Program -> Debian package that brings it."""

EXTRA_PATH = ("/usr/sbin", "/sbin", "/usr/local/sbin")
"""Where subnet managers are installed, which not every user has on the path."""


class WitnessError(FabricplanError):
    """The independent programs are missing, or did not come to an end."""


def search_path() -> str:
    """Return the path on which programs are looked for."""
    return os.pathsep.join([os.environ.get("PATH", os.defpath), *EXTRA_PATH])


def missing_programs() -> list[str]:
    """Return the programs that are not installed."""
    return [name for name in PROGRAMS if shutil.which(name, path=search_path()) is None]


def require_programs() -> None:
    """Make sure that all programs are installed.

    Raises:
        WitnessError: which are missing, and what to install.
    """
    missing = missing_programs()
    if missing:
        packages = dict.fromkeys(PROGRAMS[name] for name in missing)
        raise WitnessError(Problem(
            "witness-missing", f"not installed: {', '.join(missing)}", "--witness",
            f"on Debian or Ubuntu: apt-get install {' '.join(packages)}; or prove without --witness"))  # fmt: skip


@lru_cache(maxsize=1)
def _apart() -> tuple[str, ...]:
    """Return the command that gives a program a network namespace of its own; empty where none is allowed."""
    tool = shutil.which("unshare", path=search_path())
    for flags in ("-n", "-rn"):
        if tool and subprocess.run([tool, flags, "true"], capture_output=True, check=False).returncode == 0:
            return (tool, flags)
    return ()


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Give a temporary folder, removed at the end."""
    with tempfile.TemporaryDirectory(prefix="fabricplan-witness-") as name:
        yield Path(name)


def run(command: Sequence[str], place: Path, seconds: int, env: Mapping[str, str] | None = None) -> str:
    """Run a program to its end and return what it printed; its exit status is not judged.

    Args:
        command: program and arguments.
        place: working folder.
        seconds: time limit.
        env: further environment variables.

    Raises:
        WitnessError: the time limit is over.
    """
    process = subprocess.Popen(
        [*_apart(), *command], cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "PATH": search_path(), "LC_ALL": "C", **(env or {})}, start_new_session=True,
    )  # fmt: skip
    try:
        printed, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise WitnessError(Problem("witness-timeout", f"{Path(command[0]).name} did not end within {seconds} s",
                                   "--witness", "give it more time with --witness-seconds")) from None  # fmt: skip
    finally:
        # whatever the program started is in its process group; at the end nothing may be left of it
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return printed.decode("utf-8", "replace")


def versions(place: Path) -> dict[str, str]:
    """Return what the simulator and the judge call themselves; the package version where they do not say."""
    told = {}
    for name in ("ibsim", "ibdmchk"):
        printed = run([name, "-V"], place, 20)
        found = re.search(rf"{name}[ :]+v?([0-9][\w.+-]*)", printed, re.IGNORECASE)
        told[name] = f"{name} {found[1]}" if found else f"{name} {_package_version(PROGRAMS[name], place)}"
    return told


def _package_version(package: str, place: Path) -> str:
    if shutil.which("dpkg-query", path=search_path()) is None:
        return "(version unknown)"
    return run(["dpkg-query", "-W", "-f=${Version}", package], place, 20).strip() or "(version unknown)"
