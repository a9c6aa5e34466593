"""What a person may get wrong: the message names the cause, the place and the way out; the status is right.

Every case is run twice: as sentences on stderr, and with ``--json`` as one object on stdout.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fabricplan import files

from .conftest import Ran

Run = Callable[..., Ran]

CASES = [
    ("zero", "design --gpus 0 --gen ndr", 2, "--gpus", "must be at least 1 (given: 0)", ""),
    ("negative", "design --nodes -4 --gen ndr", 2, "--nodes", "must be at least 1 (given: -4)", ""),
    ("fraction", "design --gpus 1.5 --gen ndr", 2, "--gpus", "'1.5' is not a whole number", "design --help"),
    ("word", "design --gpus many --gen ndr", 2, "--gpus", "'many' is not a whole number", "design --help"),
    ("absurd", "design --gpus 99999999999 --gen ndr", 2, "--gpus", "must be at most 4,000,000", ""),
    ("both counts", "design --gpus 8 --nodes 1 --gen ndr", 2, "--nodes", "both --gpus and --nodes", "one of them"),
    ("no count", "design --gen ndr", 2, "--gpus", "neither --gpus nor --nodes", "request file"),
    ("no rate", "design --gpus 8", 2, "--gen", "no generation is given", "--technology roce --rate 400"),
    ("both rates", "design --gpus 8 --gen ndr --rate 400", 2, "--rate", "both --gen and --rate", "--technology roce"),
    ("generation", "design --gpus 8 --gen nrd", 2, "--gen", "no InfiniBand generation 'nrd'", "did you mean ndr?"),
    ("generation of RoCE", "design --gpus 8 --gen ndr --technology roce", 2, "--gen", "is of InfiniBand", "--rate"),
    ("rate alone", "design --gpus 8 --rate 400", 2, "--rate", "an Ethernet rate", "--technology roce"),
    ("rate", "design --gpus 8 --technology roce --rate 401", 2, "--rate", "'401gbe' is no roce rate",
     "did you mean 400gbe?"),
    ("technology", "design --gpus 8 --technology rocee --rate 400", 2, "--technology", "'rocee'", "did you mean roce?"),
    ("platform", "design --nodes 8 --gen ndr --platform dgx-h10", 2, "--platform", "no platform 'dgx-h10'",
     "did you mean dgx-h100?"),
    ("model", "design --gpus 8 --gen ndr --leaf QM9007", 2, "--leaf", "no switch 'QM9007'", "did you mean QM9700?"),
    ("model begun", "design --gpus 8 --gen ndr --leaf QM970", 2, "--leaf", "no switch 'QM970'",
     "did you mean QM9700?"),
    ("network twice", "design --gpus 8 --gen ndr --networks compute,compute", 2, "--networks",
     "network 'compute' is named twice", "name each once: --networks compute"),
    ("rails on a leaf", "design --nodes 64 --gen ndr --rails-per-leaf 3", 2, "--rails-per-leaf",
     "3 rails on a leaf do not divide the 8 ports", "choose 1, 2, 4, 8"),
    ("spine model", "design --gpus 512 --gen ndr --spine QM9007", 2, "--spine", "no switch 'QM9007'", "QM9700"),
    ("model of another technology", "design --gpus 8 --gen ndr --leaf SN5600", 2, "--leaf",
     "SN5600 is an Ethernet switch", "choose an InfiniBand switch: QM9700"),
    ("model of another rate", "design --gpus 8 --gen ndr --leaf QM8700", 2, "--leaf", "does not run ndr", "QM9700"),
    ("adapter", "design --gpus 8 --gen ndr --nic MCX75310AAS-NEAX", 2, "--nic", "no adapter", "MCX75310AAS-NEAT"),
    ("ports unknown", "design --nodes 8 --gen ndr --platform hgx-h20", 2, "--platform",
     "knows no compute ports of HGX H20", "--nic PART-NUMBER --ports-per-node N"),
    ("too many for two tiers", "design --nodes 3000 --gen ndr --platform dgx-h100 --tiers 2", 1, "--nodes",
     "24,000 endpoints per plane do not fit 2 tiers of QM9700", "--tiers 3"),
    ("address space", "design --nodes 16384 --gen ndr --platform dgx-h100", 1, "--planes",
     "one InfiniBand subnet has 49,151 addresses", "--planes rail: 8 x (512+512+256)"),
    ("too many for RoCE", "design --nodes 400000 --technology roce --rate 400", 1, "--nodes", "whose ceiling is",
     "nodes of this kind fit"),
    ("planes", "design --gpus 8 --gen ndr --planes two", 2, "--planes", "neither a number of planes nor rail", "rail"),
    ("planes do not divide", "design --nodes 8 --gen ndr --planes 3", 2, "--planes", "3 planes do not divide", "8"),
    ("tiers", "design --gpus 8 --gen ndr --tiers 4", 2, "--tiers", "must be 1, 2 or 3 (given: 4)", ""),
    ("ratio", "design --gpus 8 --gen ndr --oversubscription 2", 2, "--oversubscription", "'2' is no ratio",
     "such as 2:1"),
    ("ratios", "design --gpus 8 --gen ndr --oversubscription 2:1,1:1,1:1", 2, "--oversubscription", "at most two", ""),
    ("attach", "design --gpus 8 --gen ndr --attach rails", 2, "--attach", "'rail', 'packed' or 'spread'",
     "did you mean rail?"),
    ("management", "design --gpus 8 --gen ndr --management mixed", 2, "--management", "no management 'mixed'",
     "mixed:N"),
    ("length", "design --gpus 8 --gen ndr --uniform-length-m far", 2, "--uniform-length-m", "is no length", "30"),
    ("spares", "design --gpus 8 --gen ndr --spares x%", 2, "--spares", "neither a percentage nor a policy", "3%"),
    ("bare spares", "design --gpus 8 --gen ndr --spares 4", 2, "--spares", "'4' is neither", "4%"),
    ("square spares", "design --gpus 8 --gen ndr --spares ²%", 2, "--spares", "'²%' is neither", "3%"),
    ("square planes", "design --gpus 8 --gen ndr --planes ²", 2, "--planes", "'²' is neither a number", "--planes 2"),
    ("no planes", "design --gpus 8 --gen ndr --planes 0", 2, "--planes", "must be at least 1 (given: 0)", ""),
    ("square phases", "design --gen ndr --phases 8,²", 2, "--phases", "no list of node counts", "--phases 40,128"),
    ("underscore", "design --gpus 1_024 --gen ndr", 2, "--gpus", "'1_024' is not a whole number", "--help"),
    ("wide digits", "design --gpus ８ --gen ndr", 2, "--gpus", "'８' is not a whole number", "--help"),
    ("no length", "design --gpus 8 --gen ndr --uniform-length-m 0", 2, "--uniform-length-m", "'0' is not above zero",
     "30"),
    ("length below", "design --gpus 8 --gen ndr --uniform-length-m -3", 2, "--uniform-length-m",
     "'-3' is below zero", "30"),
    ("length beyond", "design --gpus 8 --gen ndr --uniform-length-m 1000000", 2, "--uniform-length-m", "10,000 m",
     "30"),
    ("rate without a server", "design --gpus 8 --technology roce --rate 50", 2, "--rate",
     "no generic 8-GPU server at 50gbe",
     "there is one at 25gbe, 100gbe"),
    ("technology without rate", "design --gpus 8 --technology roce", 2, "--rate", "needs a rate",
     "--rate 25|100|200|400"),
    ("several models", "design --nodes 8 --gen ndr --platform b300", 2, "--platform", "no platform 'b300'",
     "may be one of dgx-b300-busbar, dgx-b300, "),
    ("nothing like it", "design --gpus 8 --gen ndr --nic banana", 2, "--nic", "no adapter 'banana'",
     "'fabricplan catalog list --kind adapters' lists all"),
    ("growth", "design --nodes 8 --gen ndr --grow-to 4", 2, "--grow-to", "below today's 8 nodes", ""),
    ("ports per node", "design --nodes 8 --gen ndr --platform dgx-h100 --ports-per-node 9", 2, "--ports-per-node",
     "9 are asked", "at most 8"),
    ("language", "design --gpus 8 --gen ndr --lang fr", 2, "--lang", "no language 'fr'", "en, zh"),
    ("format without folder", "design --gpus 8 --gen ndr --format xlsx", 2, "--format", "not where", "-o DIR"),
    ("option", "design --gne ndr", 2, "--gne", "no such option", "did you mean --gen"),
    ("missing value", "design --gpus", 2, "--gpus", "requires an argument", "--help"),
    ("command", "desgin --gpus 8", 2, "", "no such command 'desgin'", "did you mean design?"),
    ("missing argument", "catalog show", 2, "NAME", "missing argument", "catalog show --help"),
    ("suffix", "design request.docx", 2, "request.docx", ".yaml or .json file", "examples/"),
    ("no such file", "design nowhere.yaml", 2, "nowhere.yaml", "no such file", "check the path"),
    ("no such plan", "render nowhere.json", 2, "nowhere.json", "no such file", "check the path"),
    ("product", "catalog show QM9007", 2, "NAME", "no product 'QM9007'", "did you mean QM9700?"),
    ("kind", "catalog list --kind switchs", 2, "--kind", "'switchs'", "did you mean switches?"),
    ("document", "schema plans", 2, "DOCUMENT", "no document 'plans'", "did you mean plan?"),
    ("catalogue", "design --gpus 8 --gen ndr --catalog nowhere", 2, "nowhere", "not a folder", ""),
]  # fmt: skip


@pytest.mark.parametrize(("words", "status", "where", "message", "hint"), [case[1:] for case in CASES],
                         ids=[case[0] for case in CASES])  # fmt: skip
def test_sentences(run: Run, words: str, status: int, where: str, message: str, hint: str) -> None:
    ran = run(words)
    assert ran.status == status
    assert ran.out == ""
    assert message in ran.err
    assert hint in ran.err
    assert f"error: {where}" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(("words", "status", "where", "message", "hint"),
                         [case[1:] for case in CASES if not case[1].startswith("schema")],
                         ids=[case[0] for case in CASES if not case[1].startswith("schema")])  # fmt: skip
def test_json(run: Run, words: str, status: int, where: str, message: str, hint: str) -> None:
    command, *rest = words.split()
    at = 1 if command in ("catalog",) else 0
    ran = run(command, *rest[:at], "--json", *rest[at:])
    assert ran.status == status
    assert ran.err == ""
    assert ran.json["schema"] == "fabricplan/error/1"
    assert len(ran.json["errors"]) == 1
    error = ran.json["errors"][0]
    assert list(error) == ["code", "message", "where", "hint"]
    assert message in error["message"]
    assert error["where"] == where
    assert hint in error["hint"]


def test_gpus_that_do_not_fill_nodes_are_rounded_up_and_told(run: Run) -> None:
    ran = run("design --gpus 12 --gen ndr --json")
    assert ran.status == 0
    assert (ran.json["gpus"], ran.json["nodes"]) == (16, 2)
    note = next(item for item in ran.json["findings"] if item["code"] == "gpus-rounded")
    assert note["severity"] == "warning"
    for number in ("12", "8", "2", "16"):
        assert number in note["message"]
    assert "16 GPUs · 2 nodes" in run("design --gpus 12 --gen ndr").out


def test_error_findings_give_status_one_and_still_the_plan(run: Run) -> None:
    ran = run("design --nodes 64 --platform dgx-h100 --gen ndr --management external --json")
    assert ran.status == 1
    assert ran.json["schema"] == "fabricplan/summary/1"
    assert "no-subnet-manager" in [item["code"] for item in ran.json["findings"] if item["severity"] == "error"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("groups:\n  - gpus: 8\nfabrics: [\n", 4, "not valid YAML"),
        ("groups:\n  - gpus: 8\n    gpus: 9\nfabrics:\n  - rate: ndr\n", 3, "'gpus' stands twice"),
        ("groups:\n  - gpus: 8\nfabrics:\n  - rate: nrd\n", 4, "'nrd' is no infiniband rate"),
        ("groups:\n  - gpus: eight\nfabrics:\n  - rate: ndr\n", 2, "given: 'eight'"),
        ("groups:\n  - gpus: 8\nfabrics:\n  - rate: ndr\n    lef: QM9700\n", 5, "no such field"),
        ("groups:\n  - gpus: 8\nfabrics:\n  - rate: ndr\n    leaf: QM9007\n", 5, "no switch 'QM9007'"),
        ("- just\n- a list\n", 1, "a mapping of fields"),
        ("", 1, "a mapping of fields"),
    ],
)
def test_broken_request_names_file_and_line(run: Run, tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "请求.yaml"
    path.write_text(text, encoding="utf-8")
    ran = run("design", str(path))
    assert (ran.status, ran.out) == (2, "")
    assert f"{path}:{line}: " in ran.err
    assert message in ran.err
    reported = run("design", str(path), "--json").json["errors"][0]
    assert reported["where"] == f"{path}:{line}"


def test_library_names_file_and_line_too(tmp_path: Path) -> None:
    path = tmp_path / "request.yaml"
    path.write_text("groups:\n  - gpus: 8\nfabrics:\n  - rate: ndr\n    tiers: 5\n", encoding="utf-8")
    with pytest.raises(files.RequirementError) as caught:
        files.load_requirement(path)
    assert caught.value.where == f"{path}:5"


def test_folder_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "plan").write_text("a file in the way")
    ran = run("design", "--gpus", "8", "--gen", "ndr", "--format", "json", "-o", str(tmp_path / "plan"))
    assert (ran.status, ran.out) == (2, "")
    assert f"{tmp_path / 'plan'}: a file stands where the folder should be" in ran.err
    assert "-o" in ran.err
    error = run("design", "--gpus", "8", "--gen", "ndr", "--format", "json", "-o", str(tmp_path / "plan"), "--json")
    assert error.status == 2
    assert error.json["errors"][0]["code"] == "cannot-write"
    assert (tmp_path / "plan").read_text() == "a file in the way"


def test_a_folder_without_permission_is_named_not_a_temporary_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**where: object) -> None:
        raise PermissionError(13, "Permission denied", f"{where['dir']}/.fabricplan-x1y2")

    monkeypatch.setattr(files.tempfile, "mkstemp", refused)
    error = run("design", "--gpus", "8", "--gen", "ndr", "--format", "json", "-o", str(tmp_path), "--json")
    assert error.json["errors"][0]["where"] == str(tmp_path)
    assert error.json["errors"][0]["message"] == "cannot write: permission denied"


def test_whole_words_of_a_key_name_a_product(run: Run) -> None:
    for words in ("--gen xdr --leaf Q3200", "--gen xdr --leaf q3400", "--gen ndr --platform gb200-nvl72"):
        assert run(f"design --nodes 18 {words} --json").status == 0, words
    assert run("design --nodes 18 --gen ndr --platform gb200-nvl72 --json").json["fabrics"][0]["attached"][0][
        "platform"] == "dgx-gb200-nvl72"  # fmt: skip


def test_a_rate_of_the_other_technology_names_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "request.yaml"
    path.write_text("groups:\n  - gpus: 8\nfabrics:\n  - rate: 400\n")
    error = run("design", str(path), "--json").json["errors"][0]
    assert error["where"] == f"{path}:4"
    assert error["hint"].startswith("technology: roce runs 400gbe")


def test_unknown_format_writes_nothing(run: Run, tmp_path: Path) -> None:
    ran = run("design", "--gpus", "8", "--gen", "ndr", "--format", "json,xslx", "-o", str(tmp_path / "plan"))
    assert ran.status == 2
    assert "--format" in ran.err
    assert "did you mean xlsx?" in ran.err
    assert not (tmp_path / "plan").exists()


def test_interrupted_run_leaves_nothing_half_written(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "plan"
    asked = ("--gen", "ndr", "--format", "json", "-o", str(folder))
    assert run("design", "--gpus", "8", *asked).status == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def interrupt(self: Path, mode: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "chmod", interrupt)
    ran = run("design", "--gpus", "512", *asked)
    assert ran.status == 130
    assert "interrupted" in ran.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_plan_that_is_none(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text('{"schema": "fabricplan/plan/9"}')
    for command in ("check", "render"):
        ran = run(command, str(path))
        assert ran.status == 2
        assert "install a newer fabricplan" in ran.err
    path.write_text("{")
    assert run("check", str(path), "--json").json["errors"][0]["code"] == "not-json"


def test_a_fault_of_the_program_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*overlays: object) -> None:
        raise ZeroDivisionError("a slip")

    monkeypatch.setattr(files, "load_catalog", broken)
    ran = run("design --gpus 8 --gen ndr")
    assert ran.status == 2
    assert "ZeroDivisionError: a slip" in ran.err
    assert "please report" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("words", "said", "advice"),
    [("design --gen ndr", "错误：--gpus: 未给出 --gpus 或 --nodes", "请说明数量"),
     ("design --gpus 8 --gen nrd", "错误：--gen: 没有 InfiniBand 代次 'nrd'", "是否想用 ndr？"),
     ("design --gpus 8 --gen ndr --leaf QM9007", "错误：--leaf: 没有交换机 'QM9007'", "是否想用 QM9700？"),
     ("design --nodes 8 --gen ndr --platform b300", "没有服务器平台 'b300'", "可能是以下之一：dgx-b300-busbar"),
     ("design --gpus 8 --gen ndr --nic banana", "没有网卡 'banana'", "可列出全部"),
     ("design --gpus 0 --gen ndr", "错误：--gpus: must be at least 1", "")],
)  # fmt: skip
def test_sentences_in_chinese(run: Run, words: str, said: str, advice: str) -> None:
    """What has a Chinese sentence is told in it; the rest as the library words it. Codes and places stay."""
    ran = run(f"{words} --lang zh")
    assert ran.status == 2
    assert said in ran.err and advice in ran.err
    plain, told = (run(f"{words} --json{lang}").json["errors"][0] for lang in ("", " --lang zh"))
    assert (plain["code"], plain["where"]) == (told["code"], told["where"])


@pytest.mark.parametrize(
    ("words", "blamed"),
    [("--leaf Q3450-LD --spine Q3450-LD", "--leaf"), ("--leaf Q3400-RA --spine Q3450-LD", "--spine")],
)
def test_a_model_without_part_number_is_blamed_where_it_is_named(run: Run, words: str, blamed: str) -> None:
    ran = run(f"design --nodes 32 --gen xdr {words} --json")
    [fault] = ran.json["errors"]
    assert (ran.status, fault["code"], fault["where"]) == (2, "no-part-number", blamed)


def test_an_airflow_that_a_model_does_not_have_is_blamed_on_the_airflow(run: Run) -> None:
    [fault] = run("design --nodes 32 --gen xdr --airflow P2C --json").json["errors"]
    assert (fault["code"], fault["where"]) == ("airflow", "--airflow")
