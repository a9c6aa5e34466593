"""Tables: range-checked, immutable, comparable, picklable; values: frozen and strict."""

from __future__ import annotations

import json
import pickle
from typing import ClassVar

import numpy as np
import pytest
from pydantic import ValidationError

from fabricplan.values import Column, Finding, Table, Value, finding


class Ports(Table):
    """Two columns for the tests."""

    columns: ClassVar = {"device": Column("<i4", "device"), "port": Column("<u1", "port")}


def test_columns_are_cast_and_kept() -> None:
    table = Ports(device=[7, 8], port=np.array([1, 255]))
    assert table.port.dtype == np.uint8 and table.wide("port").dtype == np.int64
    assert list(table.rows()) == [(7, 1), (8, 255)]
    assert list(table.take(table.port > 1).rows()) == [(8, 255)]
    assert len(Ports(device=[], port=[])) == 0


def test_what_does_not_fit_is_refused_not_wrapped() -> None:
    with pytest.raises(ValueError, match=r"Ports\.port: values 1 to 256 do not fit uint8"):
        Ports(device=[1, 2], port=[1, 256])
    with pytest.raises(ValueError, match="values -1 to -1"):
        Ports(device=[1], port=[-1])
    with pytest.raises(ValueError, match="integers are needed"):
        Ports(device=[1.5], port=[1])
    with pytest.raises(ValueError, match="2 rows where others have 1"):
        Ports(device=[1], port=[1, 2])
    with pytest.raises(ValueError, match="columns missing or unknown: cage, port"):
        Ports(device=[1], cage=[1])
    with pytest.raises(ValueError, match="one dimension"):
        Ports(device=[[1]], port=[[1]])


def test_a_table_cannot_be_changed() -> None:
    table = Ports(device=[1], port=[2])
    with pytest.raises(ValueError):
        table.port[0] = 3
    with pytest.raises(AttributeError):
        table.port = [3]  # type: ignore[assignment]
    wide = table.wide("port")
    wide[0] = 9
    assert table.port[0] == 2


def test_equality_hash_and_pickle() -> None:
    table, same, other = Ports(device=[1], port=[2]), Ports(device=[1], port=[2]), Ports(device=[1], port=[3])
    assert table == same and hash(table) == hash(same)
    assert table != other and table != [(1, 2)]
    assert pickle.loads(pickle.dumps(table)) == table


class Holder(Value):
    """A value with a table."""

    ports: Ports


def test_the_json_of_a_table_is_its_inverse() -> None:
    for table in (
        Ports(device=[], port=[]),
        Ports(device=[-3], port=[255]),
        Ports(device=[4, 4, 4], port=[1, 2, 255]),
        Ports(device=range(2000), port=[number % 7 for number in range(2000)]),
    ):
        text = table.json_text()
        assert Holder.model_validate({"ports": json.loads(text)}).ports == table
        assert len(text.splitlines()) == 5  # braces, count, and one column a line
    assert Ports(device=[4, 4, 4], port=[1, 2, 3]).json_text() == '{\n"count": 3,\n"device": 4,\n"port": [1,2,3]\n}'
    assert Holder.model_validate({"ports": {"device": [1, 2], "port": [3, 4]}}).ports == Ports(
        device=[1, 2], port=[3, 4]
    )


@pytest.mark.parametrize("count", [-1, 2.5, True, "3", 10**12, 4])
def test_a_count_that_is_wrong_is_refused(count: object) -> None:
    with pytest.raises(ValidationError, match="count"):
        Holder.model_validate({"ports": {"count": count, "device": 4, "port": [1, 2, 3]}})


def test_findings_are_frozen_and_know_their_params() -> None:
    note = finding("info", "shift-drift", "compute", uplinks=20)
    assert note.param("uplinks") == 20
    with pytest.raises(KeyError):
        note.param("spines")
    with pytest.raises(ValidationError):
        note.code = "other"
    with pytest.raises(ValidationError):
        Finding(severity="info", code="x", subject="y", extra=1)  # type: ignore[call-arg]
