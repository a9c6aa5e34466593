"""YAML read strictly: no duplicate keys, no aliases, no surprises of YAML 1.1, errors with ``file:line``.

Only ``true``/``false``, ``null``/``~``, decimal integers without leading zeros and decimal fractions are typed;
``NO``, ``010``, ``12:30``, dates and integers of more than 18 digits stay strings.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

import yaml

from fabricplan.errors import FabricplanError, Problem

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})\Z")
_FLOAT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)\Z")
_WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


def parse(text: str, name: str, error: type[FabricplanError], fraction: Callable[[str], float | str] = float) -> Plain:
    """Return the plain data of a YAML text.

    Args:
        text: the document.
        name: file name for error places.
        error: error class to raise.
        fraction: reads decimal fractions; ``str`` keeps them exact, for money.

    Raises:
        error: if the text is not well formed; every duplicate key is told.

    >>> parse("a: NO\\nb: 010\\nc: 12:30\\nd: 1.5", "x", FabricplanError)
    {'a': 'NO', 'b': '010', 'c': '12:30', 'd': 1.5}
    """
    node = _compose(text, name, error)
    problems: list[Problem] = []
    data = None if node is None else _construct(node, name, problems, set(), fraction)
    if problems:
        raise error(*problems)
    return data


def parse_entries(text: str, name: str, error: type[FabricplanError]) -> list[tuple[Plain, int]] | None:
    """Return the items of a document that is a list, each with its line (from 1); None if it is no list.

    Raises:
        error: if the text is not well formed.
    """
    node = _compose(text, name, error)
    if not isinstance(node, yaml.SequenceNode):
        return None
    problems: list[Problem] = []
    seen: set[int] = set()
    items = [(_construct(item, name, problems, seen), item.start_mark.line + 1) for item in node.value]
    if problems:
        raise error(*problems)
    return items


def line_of(text: str, path: tuple[str | int, ...]) -> int:
    """Return the line (from 1) of the deepest part of ``path`` that exists in a well-formed text."""
    node = yaml.compose(text, Loader=_LOADER)
    line = 1
    for step in path:
        if node is None:
            break
        line = node.start_mark.line + 1
        found = None
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == str(step):
                    found, line = value, key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            found = node.value[step]
            line = found.start_mark.line + 1
        if found is None:
            break
        node = found
    return int(line)


def _compose(text: str, name: str, error: type[FabricplanError]) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as caught:
        mark = caught.problem_mark or caught.context_mark
        where = f"{name}:{mark.line + 1}" if mark else name
        raise error(Problem("yaml-syntax", f"not valid YAML: {caught.problem}", where,
                            "check indentation, colons and quotes on this line")) from None  # fmt: skip
    except (yaml.YAMLError, ValueError) as caught:
        message = str(caught).splitlines()[0]
        raise error(Problem("yaml-syntax", f"not valid YAML: {message}", name)) from None


def _construct(
    node: yaml.Node, name: str, problems: list[Problem], seen: set[int],
    fraction: Callable[[str], float | str] = float,
) -> Plain:  # fmt: skip
    if id(node) in seen:
        problems.append(Problem("yaml-anchor", "anchors and aliases are not read",
                                f"{name}:{node.start_mark.line + 1}", "write the value out"))  # fmt: skip
        return None
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node, fraction)
    if isinstance(node, yaml.SequenceNode):
        return [_construct(item, name, problems, seen, fraction) for item in node.value]
    data: dict[str, Plain] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            problems.append(Problem("yaml-key", "a key must be one word", f"{name}:{line}"))
            continue
        if key.value in data:
            problems.append(Problem("duplicate-key", f"'{key.value}' stands twice", f"{name}:{line}",
                                    "keep one of them"))  # fmt: skip
            continue
        data[key.value] = _construct(value, name, problems, seen, fraction)
    return data


def _scalar(node: yaml.ScalarNode, fraction: Callable[[str], float | str]) -> Plain:
    text = str(node.value)
    if node.style:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INT.match(text):
        return int(text)
    if _FLOAT.match(text):
        return fraction(text)
    return text
