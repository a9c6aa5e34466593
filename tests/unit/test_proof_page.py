"""The certificate: both languages from one set of keys, the page, and what the command prints and refuses."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import string
from html import unescape
from pathlib import Path
from typing import Any, Literal

import pytest
from markupsafe import escape

import fabricplan
from fabricplan import witness
from fabricplan.cli import main
from fabricplan.files import load_catalog
from fabricplan.plan import dumps as dump_plan
from fabricplan.proof import Proof, ShiftLoad, WitnessRun, attest, prove
from fabricplan.recheck import recheck
from fabricplan.renderers import proof_html, proof_json, proof_rows, render
from fabricplan.renderers.report_tables import bandwidth
from fabricplan.wording import proof_en, proof_zh, report_en, report_zh
from fabricplan.wording.proof import proof_hint, proof_text, say
from tests.conftest import PlanOf
from tests.tampering import drop, rows, swap

H100 = {"platform": "dgx-h100"}
NDR = {"rate": "ndr"}
ORDERS: tuple[Literal["padded", "real", "rail"], ...] = ("padded", "real", "rail")
CODES = re.compile(r"(?:proof|witness|plan)-[a-z-]+")


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_have_the_same_words() -> None:
    assert list(proof_en.TEXT) == list(proof_zh.TEXT) and list(proof_en.PAGE) == list(proof_zh.PAGE)
    for code, (text, _) in proof_en.TEXT.items():
        assert fields(text) == fields(proof_zh.TEXT[code][0]), code
        assert bool(proof_en.TEXT[code][1]) == bool(proof_zh.TEXT[code][1]), code
    for key, text in proof_en.PAGE.items():
        assert fields(text) == fields(proof_zh.PAGE[key]), key


def test_every_code_that_is_raised_has_words() -> None:
    raised = set()
    root = Path(fabricplan.__file__).parent / "proof"
    for path in root.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "finding":
                raised |= {arg.value for arg in node.args[1:2] if isinstance(arg, ast.Constant)}
    assert {"proof-shift", "witness-shift", "plan-rewritten"} <= raised
    assert raised <= set(proof_en.TEXT)


@pytest.fixture(scope="module")
def sound(plan_of: PlanOf) -> Proof:
    return prove(plan_of({"nodes": 95, **H100}, {**NDR, "reserve_ports": 4}, name="A<b>"))


@pytest.fixture(scope="module")
def broken(plan_of: PlanOf) -> Proof:
    plan = plan_of({"nodes": 31, **H100}, NDR)
    return prove(drop(plan, rows(plan, 1)[5:6]))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_page_of_a_sound_plan(sound: Proof, lang: str) -> None:
    page = proof_html.render(sound, lang)["proof.html"].decode()
    assert page == proof_html.render(sound, lang)["proof.html"].decode()
    assert say("title", lang) in page and say("holds", lang) in page and say("fails", lang) not in page
    assert sound.covers.plan_sha256 in page
    assert "A&lt;b&gt;" in page and "A<b>" not in page
    for key in ("limit-static", "limit-adaptive-helps", "limit-parts", "limit-oracle", "witness-absent"):
        assert say(key, lang) in page
    assert "152 Tb/s" in page and "93.7 %" in page and 'class="falls"' not in page
    assert "{" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL), "no unfilled word"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_page_of_a_broken_plan(broken: Proof, lang: str) -> None:
    page = proof_html.render(broken, lang)["proof.html"].decode()
    assert say("fails", lang) in page and 'class="falls"' in page
    for item in broken.findings:
        assert proof_text(item, lang) and "{" not in proof_text(item, lang) + proof_hint(item, lang)
    assert "leaf-su01-r0, spine-01" in page


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_report_holds_the_certificate(plan_of: PlanOf, lang: str) -> None:
    plan = plan_of({"nodes": 31, **H100}, NDR)
    proof = prove(plan)
    alone = proof_html.render(proof, lang)["proof.html"].decode()
    page = render(plan, "html", lang, proof=proof)["report.html"].decode()
    part = page[page.index('<section class="certificate">') :]
    for claim in proof_rows.claims(proof.fabrics[0], lang):
        assert escape(claim.text) in part and escape(claim.found) in part and escape(claim.text) in alone
    for limit in proof_rows.limits(proof, lang):
        assert escape(limit) in part
    assert proof.covers.plan_sha256 in part and "proof.json" in part
    assert "{" not in re.sub(r"<style>.*?</style>", "", part, flags=re.DOTALL), "no unfilled word"


@pytest.mark.parametrize(
    ("group", "fabric", "says"),
    [
        ({"nodes": 31, **H100}, NDR, ("closed-joined", "closed-ftree", "closed-drift")),
        ({"nodes": 128}, {"rate": "hdr"}, ("closed-cores", "closed-ftree")),
        ({"nodes": 4, **H100}, NDR, ("closed-none", "closed-one")),
        ({"nodes": 24, "ports": 1}, {"rate": "edr", "direct_pair": True}, ("closed-pair", "closed-min-hop")),
        ({"nodes": 32}, {"rate": 400, "technology": "roce"}, ("closed-joined", "closed-other")),
    ],
)
def test_without_a_proof_the_report_tells_what_holds_in_closed_form(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], says: tuple[str, ...]
) -> None:
    plan = plan_of(group, fabric)
    for lang, words in (("en", report_en), ("zh", report_zh)):
        part = render(plan, "html", lang)["report.html"].decode().split('<section class="certificate">')[1]
        shown = unescape(part)
        assert words.TERMS["certificate-none"] in shown and words.TERMS["certificate-intro"] not in shown
        assert bandwidth(plan.fabrics[0].bisection_gbps) in shown
        shape = plan.fabrics[0].shape
        counts = {"closed-joined": shape.links_per_pair, "closed-pair": shape.uplinks,
                  "closed-cores": shape.links_per_core_pair}  # fmt: skip
        for key in says:
            count = counts.get(key)
            assert words.TERMS[key].format(count=count) in shown, key
        assert (words.TERMS["certificate-adaptive"] in shown) == (plan.fabrics[0].shape.tiers > 1)


def test_a_report_of_a_wrong_plan_claims_nothing_of_it(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 31, **H100}, NDR)
    bad = drop(plan, rows(plan, 1)[5:6])
    bad = bad.model_copy(update={"findings": recheck(bad, load_catalog())})
    part = render(bad, "html")["report.html"].decode().split('<section class="certificate">')[1]
    assert report_en.TERMS["closed-wrong"] in part


def test_oversubscribed_fabrics_are_not_called_non_blocking(plan_of: PlanOf) -> None:
    proof = prove(plan_of({"nodes": 64, **H100}, {**NDR, "oversubscription": ["2:1"]}))
    assert proof_rows.title(proof, "zh") == "收敛比计算书（软件校验，非第三方检测）"
    assert any("2:1" in line for line in proof_rows.limits(proof, "en"))


def test_json_says_whether_it_holds(sound: Proof, broken: Proof) -> None:
    for proof, holds in ((sound, True), (broken, False)):
        tree = json.loads(proof_json.render(proof, "en")["proof.json"])
        assert tree["schema"] == "fabricplan/proof/1" and tree["holds"] is holds


def test_command(plan_of: PlanOf, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_of({"gpus": 128}, NDR)
    good, bad = tmp_path / "plan.json", tmp_path / "bad.json"
    good.write_bytes(dump_plan(plan))
    bad.write_bytes(dump_plan(swap(plan, int(rows(plan, 1)[0]), int(rows(plan, 1)[-1]))))
    assert main(["prove", str(good)]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80
    assert main(["prove", str(good), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["holds"] is True
    assert main(["prove", str(bad), "--json", "-o", str(tmp_path / "out")]) == 1
    assert json.loads(capsys.readouterr().out)["holds"] is False
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["proof.html", "proof.json"]
    capsys.readouterr()
    assert main(["prove", str(good), "-o", str(tmp_path / "good"), "--lang", "zh"]) == 0
    assert sorted(path.name for path in (tmp_path / "good").iterdir()) == ["proof.html", "proof.json", "report.html"]
    report = (tmp_path / "good" / "report.html").read_text("utf-8")
    assert hashlib.sha256(good.read_bytes()).hexdigest() in report and say("holds", "zh") in report


@pytest.mark.parametrize(
    ("content", "words", "code"),
    [
        (None, [], "cannot-read"),
        (b"no", [], "not-json"),
        (b'{"schema": "fabricplan/proof/1"}', [], "not-a-plan"),
        (b'{"schema": "fabricplan/plan/7"}', [], "newer-plan"),
        (b'{"schema": "fabricplan/plan/1"}', [], "broken-plan"),
        (b"no", ["--lang", "fr"], "language"),
        (b"no", ["--witness-seconds", "0"], "usage"),
        (b"no", ["--witness-seconds", "x"], "usage"),
    ],
)
def test_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, words: list[str], code: str
) -> None:
    file = tmp_path / "plan.json"
    if content is not None:
        file.write_bytes(content)
    assert main(["prove", str(file), "--json", *words]) == 2
    assert json.loads(capsys.readouterr().out)["errors"][0]["code"] == code
    assert main(["prove", str(file), *words]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_a_plan_whose_table_points_nowhere(plan_of: PlanOf, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = json.loads(dump_plan(plan_of({"gpus": 128}, NDR)))
    tree["topology"]["links"]["upper"][0] = 9999
    (tmp_path / "plan.json").write_text(json.dumps(tree))
    assert main(["prove", str(tmp_path / "plan.json")]) == 2
    assert "links.upper, row 0: 9999 points outside" in capsys.readouterr().err


def test_missing_programs_are_named(
    plan_of: PlanOf, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plan.json").write_bytes(dump_plan(plan_of({"gpus": 128}, NDR)))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(witness.run, "EXTRA_PATH", ())
    assert main(["prove", str(tmp_path / "plan.json"), "--witness", "--json"]) == 1
    error = json.loads(capsys.readouterr().out)["errors"][0]
    assert error["code"] == "witness-missing" and "opensm, ibsim, ibsim-run, ibdmchk" in error["message"]
    assert "apt-get install opensm ibsim-utils ibutils" in error["hint"]


def ran(worst: int, engine: Literal["ftree", "fallback"] = "ftree", switches: int = 40) -> WitnessRun:
    loads = tuple(ShiftLoad(order=order, counted=9, total=9, worst=worst, over=0, first=0) for order in ORDERS)
    return WitnessRun(
        plane=0, planes_alike=1, opensm="OpenSM 3", ibsim="ibsim 0.12", ibdmchk="ibdmchk 1.5", engine=engine,
        refusal="Fabric has 1 switches" if switches == 1 else "", ranks=(16, 24), switches=switches, endpoints=760,
        loads=loads, missing=0, credit_loops=False, hops=(), port_loads=(),
    )  # fmt: skip


@pytest.fixture(scope="module")
def drifting(plan_of: PlanOf) -> Proof:
    """33 nodes: 17 hosts under 20 uplinks, where OpenSM's balancing may drift."""
    return prove(plan_of({"nodes": 33, **H100}, NDR))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_witness_that_measures_more_takes_the_headline(drifting: Proof, lang: str) -> None:
    proof = attest(drifting, [[ran(2)]])
    assert proof.holds and not proof.confirmed
    said = say("unconfirmed", lang, name="compute", claimed=1, found=2)
    assert proof_rows.standing(proof, lang) == said and proof_rows.title(proof, lang) == say("title-ratio", lang)
    page = proof_html.render(proof, lang)["proof.html"].decode()
    # the apostrophe of a name is escaped on the page
    assert said.replace("'", "&#39;") in page and say("holds", lang) not in page
    assert f"<b>{say('unconfirmed-short', lang)}</b>" in page
    marks = [proof_rows.mark(claim, lang) for claim in proof_rows.claims(proof.fabrics[0], lang)]
    assert marks.count(say("unconfirmed-short", lang)) == 1 and say("yes", lang) in marks
    assert say("limit-shift-none", lang, name="compute") in page
    assert "proof-drift" in {item.code for item in proof.findings}


def test_a_drift_that_did_not_occur_is_withdrawn(drifting: Proof) -> None:
    assert "proof-drift" in {item.code for item in drifting.findings}
    proof = attest(drifting, [[ran(1)]])
    codes = {item.code: item.severity for item in proof.findings}
    assert "proof-drift" not in codes and codes["witness-no-drift"] == "info"
    assert proof.confirmed and proof_rows.standing(proof, "en") == say("holds", "en")
    refused = attest(drifting, [[ran(1, "fallback")]])
    assert "proof-drift" in {item.code for item in refused.findings}, "another engine routed"


def test_one_switch_hands_over_as_expected(plan_of: PlanOf) -> None:
    proof = attest(prove(plan_of({"gpus": 64}, NDR)), [[ran(0, "fallback", 1)]])
    assert proof.holds and proof.confirmed
    told = dict(proof_rows.witness_rows(proof.fabrics[0].witness[0], "en"))
    assert told["engine"] == say("engine-one", "en") and "fell back" not in told["engine"]
    broken = dict(proof_rows.witness_rows(ran(1, "fallback"), "en"))
    assert broken["engine"] == say("fallback", "en")


def test_ethernet_has_no_witness(
    plan_of: PlanOf, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is asked of the programs, so that none may be missing."""
    plan = plan_of({"nodes": 16, "platform": "dgx-b300"}, {"rate": 400, "technology": "roce"})
    (tmp_path / "plan.json").write_bytes(dump_plan(plan))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(witness.run, "EXTRA_PATH", ())
    assert main(["prove", str(tmp_path / "plan.json"), "--witness", "-o", str(tmp_path)]) == 0
    assert "no witness: not InfiniBand" in capsys.readouterr().out
    page = (tmp_path / "proof.html").read_text("utf-8")
    assert say("witness-none", "en") in page and say("witness-absent", "en") not in page
    assert say("witness-intro", "en") not in page


def test_limits_say_of_shifts_what_is_true(plan_of: PlanOf, sound: Proof) -> None:
    full = prove(plan_of({"nodes": 128, **H100}, {**NDR, "oversubscription": ["2:1"]}))
    limits = proof_rows.limits(full, "en")
    assert say("limit-shift", "en", name="compute", allowed=2) in limits and say("limit-adaptive", "en") in limits
    limits = proof_rows.limits(sound, "en")
    assert say("limit-shift-beside", "en", name="compute", allowed=1, beside=2) in limits
    assert say("limit-adaptive", "en") not in limits, "its findings recommend adaptive routing"
    assert not any("without conflict" in text for text in limits)
    assert "padded order" in proof_rows.claims(sound.fabrics[0], "en")[2].text


def test_root_exports_prove() -> None:
    assert fabricplan.prove is prove and fabricplan.Proof is Proof
