"""Commercial terms from YAML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabricplan import strictyaml
from fabricplan.errors import PriceError, Problem
from fabricplan.quote import Terms, parse_terms
from fabricplan.terminal import whole


def read_terms(data: bytes, name: str, defaults: Mapping[str, Any] | None = None) -> Terms:
    """Return the terms of a file.

    Args:
        data: what the file holds.
        name: its name, for places of problems.
        defaults: fields that the file may leave out.

    Raises:
        PriceError: with every problem, as ``file:line``.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PriceError(Problem("not-utf8", "the file is not UTF-8 text", name, "save it as UTF-8")) from None
    tree = strictyaml.parse(text, name, PriceError, str)
    if not isinstance(tree, dict):
        raise PriceError(Problem("terms-form", "terms are a mapping of fields", f"{name}:1",
                                 "see examples/demo-terms.yaml"))  # fmt: skip
    try:
        return parse_terms({**(defaults or {}), **tree})
    except PriceError as caught:
        raise PriceError(*(
            Problem(item.code, item.message, f"{name}:{strictyaml.line_of(text, _steps(item.where))}",
                    item.hint or f"at {item.where}" if item.where else item.hint)
            for item in caught.problems
        )) from None  # fmt: skip


def _steps(path: str) -> tuple[str | int, ...]:
    steps: list[str | int] = []
    for piece in path.replace("]", "").replace("[", ".").split("."):
        if piece:
            steps.append(piece if whole(piece) is None else int(piece))
    return tuple(steps)
