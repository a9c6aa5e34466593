"""Spares in a request workbook as people write them; fields that are missing are named."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest

from fabricplan.errors import RequirementError
from fabricplan.readers.request_xlsx import read
from fabricplan.requirement import FIELD_SPARES, SparesPolicy, parse_requirement

FIVE = SparesPolicy(copper_percent=5, aoc_percent=5, transceiver_percent=5, fibre_percent=5)


def workbook(spares: Any, number_format: str = "General") -> bytes:
    book = openpyxl.Workbook()
    for row in (("GPU 数量 GPUs", 256), ("网络速率 Rate", "ndr"), ("备品备件 Spares", spares)):
        book.active.append(row)
    book.active["B3"].number_format = number_format
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


@pytest.mark.parametrize(("spares", "form", "meant"), [
    ("5%", "@", FIVE), ("5 %", "General", FIVE), ("５％", "General", FIVE), (0.05, "0%", FIVE), (0.05, "0.00%", FIVE),
    (0.07, "0%", SparesPolicy(copper_percent=7, aoc_percent=7, transceiver_percent=7, fibre_percent=7)),
    (0, "0%", SparesPolicy()), ("field", "General", FIELD_SPARES), ("None", "General", SparesPolicy()),
])  # fmt: skip
def test_spares_of_a_workbook(spares: Any, form: str, meant: SparesPolicy) -> None:
    assert parse_requirement(read(workbook(spares, form), "r.xlsx").data).spares == meant


@pytest.mark.parametrize(("spares", "form", "told"), [
    (5, "General", "'5' is a number without a percent sign; write 5%"),
    (0.05, "General", "'0.05' is a number without a percent sign; write 5%"),
    (0.025, "0.0%", "'2.5%' is neither a whole percentage from 0% to 100%"),
    (1.5, "0%", "'150%' is neither a whole percentage from 0% to 100%"),
    ("some", "General", "'some' is neither a whole percentage from 0% to 100% nor a policy"),
])  # fmt: skip
def test_spares_that_cannot_be_meant_are_refused_with_what_to_write(spares: Any, form: str, told: str) -> None:
    with pytest.raises(RequirementError) as caught:
        read(workbook(spares, form), "r.xlsx")
    (problem,) = caught.value.problems
    assert told in problem.message and problem.where == "r.xlsx: Sheet!B3"


def test_a_percentage_is_a_policy_in_plain_data_too() -> None:
    tree = {"groups": [{"gpus": 256}], "fabrics": [{"rate": "ndr"}]}
    assert parse_requirement({**tree, "spares": "5%"}).spares == FIVE
    with pytest.raises(RequirementError) as caught:
        parse_requirement({**tree, "spares": "5"})
    assert "5%" in caught.value.problems[0].hint


def test_a_missing_field_is_named_though_a_file_places_it_by_line_alone() -> None:
    tree = {"groups": [{"nodes": 20}], "fabrics": [{"rate": "hdr", "attached": [{"ports_per_node": 1}]}]}
    with pytest.raises(RequirementError) as caught:
        parse_requirement(tree, {"fabrics[0].attached[0].group": "a.yaml:2"})
    assert str(caught.value.problems[0]).startswith("a.yaml:2: the field 'group' is needed")
