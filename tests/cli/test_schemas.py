"""What the program writes keeps to the schemas that it prints, and plan files of every version load."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fabricplan.files import load_catalog, read_request
from fabricplan.plan import dumps, loads
from fabricplan.recheck import recheck
from tests.cli.conftest import Ran

Run = Callable[..., Ran]
ROOT = Path(__file__).parents[2]
PLANS = ROOT / "tests" / "plans"
HDR = "--nodes 20 --ports-per-node 1 --gen hdr --uniform-length-m 10"


def held(run: Run, document: str, tree: Any) -> None:
    """See that a document keeps to the printed schema, and that a field that is not in it would be refused."""
    schema = run("schema", document).json
    checker = jsonschema.Draft202012Validator(schema)
    checker.check_schema(schema)
    faults = [f"{fault.json_path}: {fault.message[:200]}" for fault in checker.iter_errors(tree)]
    assert not faults, faults[:5]
    assert not checker.is_valid({**tree, "schema": "another"} if "schema" in tree else {**tree, "no-such-field": 1})


@pytest.mark.parametrize(
    "options",
    ["--gpus 256 --gen ndr", "--nodes 40 --platform dgx-h100 --gen ndr --grow-to 512 --spares 3%",
     "--gpus 256 --gen ndr --networks compute,storage,inband,oob --storage-nodes 8x2", "--gpus 128 --gen xdr",
     "--nodes 40 --platform dgx-h100 --gen ndr --phases 40,128"],
)  # fmt: skip
def test_plan_and_summary(run: Run, tmp_path: Path, options: str) -> None:
    made = run(f"design {options} --json --format json -o {tmp_path}")
    held(run, "summary", made.json)
    held(run, "plan", json.loads((tmp_path / "plan.json").read_bytes()))


def test_quote(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABRICPLAN_SETTINGS", "")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    prices = ROOT / "examples" / "demo-prices.csv"
    made = run(f"quote {HDR} --prices {prices} --date 2026-12-01 --json --allow-missing")
    held(run, "quote", made.json)


@pytest.mark.parametrize("words", ["design --bogus", "design --gpus 0 --gen ndr", "design nowhere.yaml", "check none"])
def test_error(run: Run, words: str) -> None:
    ran = run(f"{words} --json")
    assert ran.status == 2
    held(run, "error", ran.json)


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.yaml")), ids=lambda path: path.name)
def test_requests(run: Run, path: Path) -> None:
    if "terms" not in path.name:
        held(run, "requirement", read_request(path).data)


@pytest.mark.parametrize("path", sorted(PLANS.rglob("*.json")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_old_plans_load_forever(run: Run, path: Path) -> None:
    plan = loads(path.read_bytes())
    assert loads(dumps(plan)) == plan
    # rules that came later may find more; what the plan states must still follow from its tables
    wrong = [item for item in recheck(plan, load_catalog()) if item.severity == "error"]
    assert not [item for item in wrong if item.code != "findings-differ"]
    held(run, "plan", json.loads(path.read_bytes()))


def test_there_is_a_plan_of_this_form() -> None:
    assert list((PLANS / "v1").glob("*.json"))
