"""JSON from outside: the text to a tree, and the ``schema`` line that tells which of our documents it is."""

from __future__ import annotations

import json
from typing import Any

from fabricplan.errors import Problem, ReadError


def tree_of(data: str | bytes, name: str, remedy: str) -> Any:
    """Return what a JSON text says, as plain data.

    Args:
        data: the text, or its bytes in UTF-8, UTF-16 or UTF-32.
        name: of the file, for the error.
        remedy: what to do when it is no JSON.

    Raises:
        ReadError: ``not-json``, as ``name:line`` where the line is known; also nested too deep to be read.
    """
    try:
        return json.loads(data)
    except json.JSONDecodeError as caught:
        raise ReadError(Problem("not-json", f"not JSON: {caught}", f"{name}:{caught.lineno}", remedy)) from None
    except RecursionError:
        raise ReadError(Problem("not-json", "not JSON that can be read: nested too deep", name, remedy)) from None
    except ValueError as caught:
        raise ReadError(Problem("not-json", f"not JSON: {caught}", name, remedy)) from None


def document(data: bytes, schema: str, name: str) -> dict[str, Any]:
    """Return one of our documents as plain data, where this version reads its form.

    Args:
        data: the file.
        schema: the form that is read, ``fabricplan/<kind>/<number>``.
        name: of the file, for the error.

    Raises:
        ReadError: ``not-json``, ``not-a-<kind>``, ``newer-<kind>`` or ``unknown-<kind>``.
    """
    family, _, own = schema.rpartition("/")
    kind = family.rpartition("/")[2]
    tree = tree_of(data, name, f"give a {kind}.json of fabricplan")
    told = tree.get("schema") if isinstance(tree, dict) else None
    remedy = f'a {kind} says "schema": "{schema}" at its top'
    if not isinstance(told, str) or not told.startswith(f"{family}/"):
        raise ReadError(Problem(f"not-a-{kind}", f"this is not a fabricplan {kind}", name, remedy))
    if told != schema:
        number = told.removeprefix(f"{family}/")
        digits = number.lstrip("0")
        if number.isascii() and number.isdecimal() and (len(digits), digits) > (len(own), own):
            raise ReadError(Problem(f"newer-{kind}", f"the {kind}'s form is {told}; this version reads {schema}", name,
                                    "install a newer fabricplan"))  # fmt: skip
        raise ReadError(Problem(f"unknown-{kind}", f"no version of fabricplan writes the form {told}", name,
                                f"{remedy}; make the {kind} anew"))  # fmt: skip
    return dict(tree)
