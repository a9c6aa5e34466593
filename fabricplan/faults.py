"""What pydantic finds wrong with plain data, in our words: where, what, what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticCustomError

from fabricplan.errors import nearest

NAMES = "a name begins with a small letter and holds small letters, digits and dashes, at most 31"
_TYPES: Mapping[str, str] = {
    "int_type": "must be a whole number", "int_from_float": "must be a whole number",
    "int_parsing": "must be a whole number", "string_type": "must be text", "bool_type": "must be true or false",
    "bool_parsing": "must be true or false", "tuple_type": "must be a list",
    "model_type": "must be a mapping of fields", "dict_type": "must be a mapping of fields",
    "float_type": "must be a number", "string_too_short": "must not be empty",
    "string_pattern_mismatch": NAMES, "finite_number": "must be a finite number",
}  # fmt: skip
_LIMITS: Mapping[str, tuple[str, str]] = {
    "greater_than": ("must be above {}", "gt"),
    "greater_than_equal": ("must be at least {}", "ge"), "less_than_equal": ("must be at most {}", "le"),
    "too_long": ("at most {} entries are taken", "max_length"),
    "string_too_long": ("at most {} characters are taken", "max_length"),
}  # fmt: skip


class Fault(NamedTuple):
    """One wrong field: its JSON path, what is wrong with it, what to do (or nothing)."""

    path: str
    message: str
    hint: str


def refuse(message: str, field: str = "", hint: str = "") -> PydanticCustomError:
    """Return the error that a validator of several fields raises; ``field`` is the path of the one to change."""
    return PydanticCustomError("refused", "{text}", {"text": message, "field": field, "hint": hint})


def refuse_all(faults: Iterable[PydanticCustomError]) -> PydanticCustomError | None:
    """Return several refusals of one validator as the one error that it raises; None where there are none."""
    told = [dict(fault.context or {}) for fault in faults]
    if not told:
        return None
    return PydanticCustomError("refused", "{text}", {**told[0], "others": told[1:]})


def worded(error: ValidationError, root: type[BaseModel], owners: Mapping[str, type[BaseModel]]) -> Iterator[Fault]:
    """Yield what is wrong, each place once.

    Args:
        error: pydantic's error.
        root: the type of the whole.
        owners: name of a field -> type of what it holds, for near misses of unknown fields.
    """
    by_path: dict[str, list[Any]] = {}
    for fault in error.errors(include_url=False):
        others = fault.get("ctx", {}).get("others", ())
        for one in (fault, *({**fault, "ctx": told} for told in others)):
            by_path.setdefault(_path(one), []).append(one)
    for path, faults in by_path.items():
        if faults[0]["type"] == "too_short" and any(other.startswith(f"{path}[") for other in by_path):
            continue  # a list is short only because a row of it is wrong, which is told by itself
        fault = _meant(faults)
        steps = [step for step in fault["loc"][:-1] if isinstance(step, str)]
        owner = owners.get(steps[-1], root) if steps else root
        yield Fault(path, _message(fault, faults), _hint(fault, faults, owner))


def json_path(steps: Sequence[str | int]) -> str:
    """Return a path such as ``fabrics[0].rate``.

    >>> json_path(("fabrics", 0, "rate"))
    'fabrics[0].rate'
    """
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step not in ("int", "constrained-int") and not step.startswith(("literal[", "function-")):
            text += f".{step}" if text else step
    return text


def _path(fault: Any) -> str:
    path, field = json_path(fault["loc"]), fault.get("ctx", {}).get("field", "")
    return f"{path}.{field}" if path and field else path or field


def _meant(faults: Sequence[Any]) -> Any:
    """Of a field that takes a number or a word, return the fault of the kind that was given."""
    words = [fault for fault in faults if fault["type"] == "literal_error"]
    numbers = [fault for fault in faults if fault["type"] != "literal_error"]
    given = faults[0].get("input")
    counted = isinstance(given, (int, float)) and not isinstance(given, bool)
    return (numbers or words)[0] if counted else (words or numbers)[0]


def _message(fault: Any, faults: Sequence[Any]) -> str:
    kind, given, told = fault["type"], fault.get("input"), fault.get("ctx", {})
    if kind == "refused":
        return str(told["text"])
    if kind == "extra_forbidden":
        return f"no such field '{fault['loc'][-1]}'"
    if kind == "missing":
        return f"the field '{fault['loc'][-1]}' is needed"
    shown = f" (given: {given!r})" if isinstance(given, (str, int, float)) else ""
    if kind == "too_short":
        return f"the list needs at least {told['min_length']} {'entry' if told['min_length'] == 1 else 'entries'}"
    if kind in _LIMITS:
        text, name = _LIMITS[kind]
        return text.format(f"{told[name]:,}".removesuffix(".0")) + ("" if kind.endswith("long") else shown)
    if kind == "literal_error":
        number = "a whole number or " if len(faults) > 1 else ""
        return f"must be {number}{told['expected']}{shown}"
    text = _TYPES.get(kind) or str(fault["msg"]).removeprefix("Value error, ")
    return text[:1].lower() + text[1:] + ("" if kind == "string_too_short" else shown)


def _hint(fault: Any, faults: Sequence[Any], owner: type[BaseModel]) -> str:
    kind, told = fault["type"], fault.get("ctx", {})
    if kind == "refused":
        return str(told["hint"])
    if kind == "extra_forbidden":
        return nearest(str(fault["loc"][-1]), owner.model_fields)
    if kind == "literal_error" and isinstance(fault.get("input"), str):
        near = nearest(fault["input"], [word.strip("' ") for word in told["expected"].replace(" or ", ",").split(",")])
        return near if near.startswith("did") else ""
    return ""
