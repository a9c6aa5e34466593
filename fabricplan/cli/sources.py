"""What a quote is made from: plan files, request files (YAML, JSON, XLSX), or the options of ``design``."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fabricplan.catalog import Catalog
from fabricplan.cli.console import Progress
from fabricplan.cli.request import Request
from fabricplan.errors import FabricplanError, ReadError
from fabricplan.files import load_catalog, read_bytes, read_request
from fabricplan.plan import Plan, loads
from fabricplan.requirement import Requirement
from fabricplan.storedjson import tree_of

SCHEMA_FIRST = re.compile(rb'\s*\{\s*"schema"\s*:\s*"([!#-\[\]-~]*)"')
"""How our own documents begin; a plan of a hundred thousand GPUs is not parsed twice for it."""


def schema_of(path: Path) -> str:
    """Return the ``schema`` of a JSON document, or nothing for other files."""
    if path.suffix.casefold() != ".json":
        return ""
    data = read_bytes(path)
    head = SCHEMA_FIRST.match(data)
    if head:
        return head[1].decode("ascii")
    try:
        tree = tree_of(data, str(path), "")
    except ReadError:
        return ""
    return str(tree.get("schema", "")) if isinstance(tree, dict) else ""


def request_file(path: Path) -> Any:
    """Return the request of a YAML, JSON or Excel file, as it stands there.

    Raises:
        ReadError: the file cannot be read.
        RequirementError: it is no request, as ``file:line`` or ``file: sheet!cell``.
    """
    if path.suffix.casefold() in (".xlsx", ".xlsm"):
        # openpyxl is loaded only where a workbook is read.
        return importlib.import_module("fabricplan.readers.request_xlsx").read(read_bytes(path), str(path))
    return read_request(path)


def plan_file(path: Path) -> Plan:
    """Return the plan of a file.

    Raises:
        ReadError: it is none.
    """
    return loads(read_bytes(path), str(path))


Maker = Callable[[Requirement, Catalog, Progress], Plan]


def plans_of(
    sources: Sequence[Path], options: Mapping[str, Any], catalogs: Sequence[Path], progress: Progress, make: Maker
) -> list[Plan]:
    """Return the plans of files; without files, the plan that the options ask for. ``make`` designs requests.

    Raises:
        FabricplanError: a file is wrong, or a request cannot be met.
    """
    if not sources:
        return [_designed(options, None, catalogs, progress, make)]
    plans = []
    for path in sources:
        if schema_of(path).startswith("fabricplan/plan/"):
            plans.append(plan_file(path))
        else:
            plans.append(_designed(options, path, catalogs, progress, make))
    return plans


def _designed(
    options: Mapping[str, Any], path: Path | None, catalogs: Sequence[Path], progress: Progress, make: Maker
) -> Plan:
    asked = Request(options, request_file(path) if path is not None else None)
    requirement = asked.requirement()
    try:
        plan = make(requirement, load_catalog(*catalogs), progress)
    except FabricplanError as caught:
        raise asked.placed(caught) from None
    asked.finish()
    return plan
