"""YAML without surprises: what stays text, what is refused, and on which line."""

from __future__ import annotations

import pytest

from fabricplan.errors import ReadError
from fabricplan.strictyaml import Plain, line_of, parse


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NO", "NO"), ("yes", "yes"), ("on", "on"), ("010", "010"), ("0x10", "0x10"), ("12:30", "12:30"),
        ("2026-01-31", "2026-01-31"), ("1_000", "1_000"), (".inf", ".inf"), ("1.", "1."), ("'5'", "5"),
        ("5", 5), ("-3", -3), ("0", 0), ("1.5", 1.5), ("1e3", 1000.0), ("true", True), ("False", False), ("~", None),
        ("", None), ("9" * 30, "9" * 30), ("9" * 5000, "9" * 5000),
    ],
)  # fmt: skip
def test_scalars(text: str, value: Plain) -> None:
    assert parse(f"key: {text}", "f.yaml", ReadError) == {"key": value}


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("a: 1\nb: 2\na: 3\n", "duplicate-key", "f.yaml:3"),
        ("a: &x 1\nb: *x\n", "yaml-anchor", "f.yaml:1"),
        ("a: &x [*x]\n", "yaml-anchor", "f.yaml:1"),
        ("? [a]\n: b\n", "yaml-key", "f.yaml:1"),
        ("a: [1, 2\nb: 3\n", "yaml-syntax", "f.yaml:2"),
        ("a: b\n\tc: d\n", "yaml-syntax", "f.yaml:2"),
        ("a: 1\n---\nb: 2\n", "yaml-syntax", "f.yaml:2"),
        ("a: \x00\n", "yaml-syntax", "f.yaml"),
        ("[" * 3000, "yaml-syntax", "f.yaml:1"),
    ],
)
def test_refused(text: str, code: str, where: str) -> None:
    with pytest.raises(ReadError) as caught:
        parse(text, "f.yaml", ReadError)
    assert (caught.value.code, caught.value.where) == (code, where)


def test_every_duplicate_is_told_at_once() -> None:
    with pytest.raises(ReadError) as caught:
        parse("a: 1\na: 2\nb:\n  c: 1\n  c: 2\n", "f.yaml", ReadError)
    assert [problem.where for problem in caught.value.problems] == ["f.yaml:2", "f.yaml:5"]


def test_lines_of_paths() -> None:
    text = "groups:\n  - name: a\n    nodes: 3\n  - name: b\n"
    assert line_of(text, ("groups", 0, "nodes")) == 3
    assert line_of(text, ("groups", 1, "name")) == 4
    assert line_of(text, ("groups", 1, "absent")) == 4
    assert line_of(text, ("nothing",)) == 1
