"""JSON from outside: every way to be wrong has a code, and none is a fault of the program."""

from __future__ import annotations

import pytest

from fabricplan.errors import ReadError
from fabricplan.plan import loads as loads_plan
from fabricplan.proof.document import loads as loads_proof
from fabricplan.quote import loads as loads_quote
from fabricplan.storedjson import document, tree_of

DEEP = b"[" * 200_000


@pytest.mark.parametrize("loads", [loads_plan, loads_proof, loads_quote])
def test_a_file_nested_too_deep_is_told(loads) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ReadError) as caught:
        loads(DEEP, "deep.json")
    assert (caught.value.code, caught.value.where) == ("not-json", "deep.json")
    assert "nested too deep" in caught.value.message


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ("fabricplan/plan/7", "newer-plan"),
        ("fabricplan/plan/10", "newer-plan"),
        ("fabricplan/plan/" + "9" * 5000, "newer-plan"),
        ("fabricplan/plan/2", "unknown-plan"),
        ("fabricplan/plan/", "unknown-plan"),
        ("fabricplan/plan/x", "unknown-plan"),
        ("fabricplan/quote/7", "not-a-plan"),
        ("plan", "not-a-plan"),
    ],
)
def test_the_form_is_named(form: str, code: str) -> None:
    with pytest.raises(ReadError) as caught:
        document(f'{{"schema": "{form}"}}'.encode(), "fabricplan/plan/6", "p.json")
    assert caught.value.code == code


def test_the_own_form_is_read() -> None:
    assert document(b'{"a": 1, "schema": "fabricplan/quote/3"}', "fabricplan/quote/3", "q") == {
        "a": 1, "schema": "fabricplan/quote/3",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "where"),
    [("", "x:1"), ("{\n1", "x:2"), ("1" * 5000, "x"), (b"\x80abc", "x")],
)
def test_what_is_no_json_is_told_with_its_line(text: str | bytes, where: str) -> None:
    with pytest.raises(ReadError) as caught:
        tree_of(text, "x", "mend it")
    assert (caught.value.code, caught.value.where, caught.value.hint) == ("not-json", where, "mend it")
