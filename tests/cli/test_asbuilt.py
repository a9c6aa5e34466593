"""``survey`` and ``verify`` on the command line: exit status, sentences and files."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabricplan.plan import Plan, dumps
from tests.conftest import PlanOf
from tests.miscabling import dump, model, swap

DATA = Path(__file__).parents[1] / "data"
Run = Callable[..., Any]


@pytest.fixture
def place(plan_of: PlanOf, tmp_path: Path) -> Path:
    """A folder with a plan, a clean discovery and a wrong one."""
    plan: Plan = plan_of({"nodes": 32, "platform": "dgx-h100"}, {"rate": "ndr"})
    built = model(plan)
    (tmp_path / "plan.json").write_bytes(dumps(plan))
    (tmp_path / "clean.txt").write_text(dump(built), encoding="utf-8")
    swap(built, random.Random(1))
    (tmp_path / "wrong.txt").write_text(dump(built), encoding="utf-8")
    return tmp_path


def test_clean_is_zero_and_wrong_is_one(run: Run, place: Path) -> None:
    plan = str(place / "plan.json")
    clean = run("verify", plan, "--found", str(place / "clean.txt"))
    assert clean.status == 0 and "All is cabled as planned." in clean.out
    wrong = run("verify", plan, "--found", str(place / "wrong.txt"), "-o", str(place / "out"))
    assert wrong.status == 1
    assert "W001 two plugs exchanged (links: 2)" in wrong.out
    assert all(len(line) <= 80 for line in wrong.out.splitlines())
    assert sorted(path.name for path in (place / "out").iterdir()) == ["verify.json", "verify.xlsx"]
    told = run("verify", plan, "--found", str(place / "wrong.txt"), "--json").json
    assert told["schema"] == "fabricplan/verification/1" and not told["clean"] and len(told["orders"]) == 1
    assert "两个插头互换" in run("verify", plan, "--found", str(place / "wrong.txt"), "--lang", "zh").out


@pytest.mark.parametrize("file", ["selene-storage.ibnetdiscover.txt", "LICENSE.ufm_sdk", "nowhere.txt", "plan.json"])
def test_a_foreign_file_is_bad_input_and_nothing_is_written(run: Run, place: Path, file: str) -> None:
    found = place / file if file == "plan.json" else DATA / file
    ran = run("verify", str(place / "plan.json"), "--found", str(found), "-o", str(place / "out"))
    assert ran.status == 2 and ran.out == "" and "error: " in ran.err and "Traceback" not in ran.err
    assert not (place / "out").exists()
    assert run("verify", str(place / "plan.json"), "--found", str(found), "--json").json["errors"][0]["code"]


def test_survey_on_the_screen(run: Run) -> None:
    ran = run("survey", str(DATA / "selene-storage.ibnetdiscover.txt"))
    assert ran.status == 0 and "3 tiers, 160 switches, 628 hosts" in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    told = run("survey", str(DATA / "small-fabric.ibnetdiscover.txt"), "--json").json
    assert told["schema"] == "fabricplan/survey/1" and told["fabrics"][0]["aggregation_nodes"] == 1
    assert "聚合节点" in run("survey", str(DATA / "small-fabric.ibnetdiscover.txt"), "--lang", "zh").out


def test_adopt_writes_a_plan_that_verifies_by_its_map(run: Run, place: Path) -> None:
    out = place / "adopted"
    ran = run("adopt", str(place / "clean.txt"), "--platform", "dgx-h100", "-o", str(out), "--json")
    assert ran.status == 0 and ran.json["fabrics"][0]["links"]["node_leaf"] == 256
    names = out / "names.csv"
    told = run("verify", str(out / "plan.json"), "--found", str(place / "clean.txt"), "--names", str(names))
    assert told.status == 0, told.out
    refused = run("adopt", str(DATA / "selene-storage.ibnetdiscover.txt"), "-o", str(place / "none"))
    assert refused.status == 1 and "64+64+32 stand" in refused.err and not (place / "none").exists()


def test_an_adopted_fabric_is_quoted_for_its_extension(run: Run, plan_of: PlanOf, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    (tmp_path / "found.txt").write_text(dump(model(plan_of({"nodes": 40, "grow_to": 128}, {"rate": "ndr"}))))
    out = str(tmp_path / "adopted")
    assert run("adopt", str(tmp_path / "found.txt"), "--grow-to", "128", "-o", out).status == 0
    asked = ("quote", f"{out}/request.json", "--nodes", "128", "--prices", str(root / "examples/demo-prices.csv"),
             "--terms", str(root / "examples/demo-terms.yaml"), "--json")  # fmt: skip
    whole, more = run(*asked).json, run(*asked, "--stands", f"{out}/plan.json").json
    stands = run("quote", f"{out}/plan.json", *asked[4:]).json
    switches = [sum(line["quantity"] for line in quote["lines"] if line["group"] == "switch")
                for quote in (whole, stands, more)]  # fmt: skip
    assert switches == [48, 32, 16] and more["nodes"] == 88
    refused = run(*asked[:3], "40", *asked[4:], "--stands", f"{out}/plan.json", "--nodes", "32")
    assert refused.status == 1 and "links that stand are not in the later plan" in refused.out + refused.err
