"""Progress: the checklist read back."""

from __future__ import annotations

import csv
import io
from collections import Counter

import pytest

from fabricplan.cli.progress import lines
from fabricplan.crew.progress import Mark, Progress, measure
from fabricplan.errors import ReadError
from fabricplan.plan import Plan
from fabricplan.readers.progress_csv import read_progress
from fabricplan.renderers import render
from tests.conftest import PlanOf
from tests.unit.crews import work_of


def filled(plan: Plan, lang: str = "en") -> list[list[str]]:
    data = render(plan, "crew", lang, 3)["crew/progress.csv"].decode("utf-8-sig")
    return list(csv.reader(io.StringIO(data, newline="")))


def saved(table: list[list[str]], separator: str = ",", encoding: str = "utf-8-sig") -> bytes:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=separator).writerows(table)
    return buffer.getvalue().encode(encoding)


def progress(plan: Plan, table: list[list[str]], **form: str) -> Progress:
    return measure(plan, read_progress(saved(table, **form), "progress.csv"))


@pytest.mark.parametrize(
    ("lang", "form", "mark"),
    [
        ("en", {}, "x"), ("en", {"separator": ";"}, "Yes"), ("zh", {"encoding": "gb18030"}, "是"),
        ("zh", {"encoding": "utf-16", "separator": "\t"}, "完成"), ("zh", {}, "✓"),
    ],
)  # fmt: skip
def test_progress_reads_back_as_spreadsheets_save_it(
    plan_of: PlanOf, lang: str, form: dict[str, str], mark: str
) -> None:
    plan = plan_of({"nodes": 48}, {"rate": "hdr100"})
    table = filled(plan, lang)
    done = table[0].index({"en": "done", "zh": "完成"}[lang])
    assert progress(plan, table, **form).done == 0
    for row in table[1:101]:
        row[done] = mark
    found = progress(plan, table, **form)
    assert (found.done, found.open, found.total) == (100, len(table) - 101, len(table) - 1)
    assert found.bad_rows == () and found.missing == ()
    names = Counter(row[table[0].index({"en": "package", "zh": "工作包"}[lang])] for row in table[1:101])
    assert {row.package: row.done for row in found.packages if row.done} == names
    for row in table[1:]:
        row[done] = mark
    whole = progress(plan, table, **form)
    assert whole.percent == 100 and {row.percent for row in whole.packages} == {100}


def test_bad_rows_are_told_by_line_and_count_for_nothing(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 48}, {"rate": "hdr100"})
    table = filled(plan)
    key, done = table[0].index("id"), table[0].index("done")
    lost = table[2][key]
    table[1][done] = "maybe"
    table[2][key] = "C9999"
    table[2][done] = "x"
    table.insert(4, list(table[3]))
    table.append([""] * done + ["x"])
    found = progress(plan, table)
    assert [(row.line, row.kind, row.id) for row in found.bad_rows] == [
        (2, "mark", table[1][key]), (3, "unknown", "C9999"), (5, "twice", table[3][key]), (len(table), "no_id", ""),
    ]  # fmt: skip
    assert found.bad_rows[2].first == 4
    assert found.missing == (lost,) and found.done == 0


def test_almost_done_is_not_a_hundred_percent(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 128}, {"rate": "hdr100"})
    marks = [Mark(number, piece.key, "x") for number, piece in
             enumerate((piece for package in work_of(plan) for piece in package.pieces), 2)]  # fmt: skip
    assert measure(plan, marks[1:]).percent == 99.9


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"), (b"package,done\r\nP001,x\r\n", "no-column"),
        (b"id,package\r\nC0001,P001\r\n", "no-column"), (b"\x81\xff\x00id", "not-text"),
    ],
)  # fmt: skip
def test_what_is_no_checklist_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_progress(data, "progress.csv")
    assert [problem.code for problem in caught.value.problems] == [code]


def test_rows_that_lie_between_other_ends_are_not_credited(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 48}, {"rate": "hdr100"})
    table = filled(plan, "zh")
    done, near, far = (table[0].index(word) for word in ("完成", "A 端标签", "Z 端标签"))
    for row in table[1:11]:
        row[done] = "x"
    table[3][near], table[3][far] = table[3][far], table[3][near]  # the same cable, seen from its other end
    table[4][far] = table[200][far]
    found = progress(plan, table)
    assert [(row.line, row.kind) for row in found.bad_rows] == [(5, "ends")] and not found.other_plan
    assert found.done == 9 and found.missing == ()
    assert found.bad_rows[0].told.endswith(table[200][far])
    assert found.bad_rows[0].planned.startswith(table[4][near])
    for lang, words in (("en", "lies between"), ("zh", "在规划中连接")):
        assert any(words in line for line in lines(found, "p.csv", lang))


def test_the_file_of_another_plan_is_told_once(plan_of: PlanOf) -> None:
    plan, other = plan_of({"nodes": 48}, {"rate": "hdr100"}), plan_of({"nodes": 128}, {"rate": "hdr100"})
    table = filled(other)
    for row in table[1:]:
        row[table[0].index("done")] = "x"
    found = progress(plan, table)
    same = {piece.key: (piece.a.line, piece.z.line) for package in work_of(plan) for piece in package.pieces}
    key, near, far = (table[0].index(word) for word in ("id", "label A", "label Z"))
    assert found.done == sum(same.get(row[key]) == (row[near], row[far]) for row in table[1:]) < 40
    assert found.other_plan
    told = lines(found, "p.csv", "en")
    assert sum("made from another plan" in line for line in told) == 1 and len(told) < 40
