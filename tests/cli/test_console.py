"""The program as it is started: start-up, code pages, closed pipes, help, files, and what each command prints."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fabricplan.summary import columns

from .conftest import Ran

Run = Callable[..., Ran]

HEAVY = ("networkx", "openpyxl", "xlsxwriter", "jinja2", "graphviz")
LATE = ("fabricplan.renderers", "fabricplan.schedule", "fabricplan.quote", "fabricplan.proof", "PIL", "resvg_py",
        "numpy.random", "numpy.ma", "numpy.fft")  # fmt: skip
"""What a summary needs none of; numpy's masked arrays alone cost more than a small plan."""
COMMANDS = ["", "design", "render", "check", "schema", "catalog", "catalog list", "catalog show", "catalog check"]


def start(*words: str, encoding: str = "utf-8", code: str | None = None) -> subprocess.CompletedProcess[bytes]:
    program = ["-c", code] if code is not None else ["-m", "fabricplan", *words]
    return subprocess.run(
        [sys.executable, *program], capture_output=True, check=False, timeout=120,
        env={**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "80"},
    )  # fmt: skip


def loaded_by(code: str) -> set[str]:
    done = start(code=f"{code}\nimport sys, json\nsys.stderr.write(json.dumps(sorted(sys.modules)))")
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr))


@pytest.mark.parametrize(
    ("code", "more"),
    [
        ("import fabricplan", ("typer", "pydantic", "numpy", "yaml", "importlib.metadata")),
        ("from fabricplan import design, load_catalog, load_requirement, price, render, summarize, text", ("typer",)),
        ("from fabricplan.cli import main; main(['--help'])", ("pydantic", "numpy", "yaml", "importlib.metadata")),
        ("from fabricplan.cli import main; main(['design', '--help'])", ("numpy", "yaml")),
        ("from fabricplan.cli import main; main(['design', '--gpus', '8', '--gen', 'ndr', '--json'])", LATE),
        ("from fabricplan.cli import main; main(['design', '--gpus', '8', '--gen', 'ndr', '--lang', 'zh'])", ()),
        ("from fabricplan.cli import main; main(['catalog', 'list'])", ("numpy", *LATE)),
    ],
)
def test_start_up_loads_nothing_that_it_does_not_need(code: str, more: tuple[str, ...]) -> None:
    modules = loaded_by(code)
    assert "fabricplan" in modules
    for name in (*HEAVY, *more):
        assert name not in modules, name


@pytest.mark.parametrize("encoding", ["gbk", "cp1252", "cp437", "ascii"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_code_page_survives(encoding: str, lang: str) -> None:
    words = ("design", "--gpus", "1024", "--gen", "ndr", "--lang", lang, "--explain")
    done = start(*words, encoding=encoding)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode(encoding)
    assert "NDR 400G" in text
    if encoding == "gbk":
        assert "?" not in text
        assert ("无阻塞" in text) == (lang == "zh")
        assert all(columns(line) <= 80 for line in text.splitlines())


def test_json_keeps_every_character_on_every_code_page() -> None:
    words = ("design", "--gpus", "1024", "--gen", "ndr", "--lang", "zh", "--json")
    found = [json.loads(start(*words, encoding=encoding).stdout.decode(encoding)) for encoding in ("utf-8", "cp1252")]
    assert found[0] == found[1]
    assert "光模块" in json.dumps(found[1], ensure_ascii=False)


def test_a_closed_pipe_is_no_error() -> None:
    code = (
        "import subprocess, sys\n"
        "p = subprocess.Popen([sys.executable, '-m', 'fabricplan', 'schema', 'plan'], stdout=subprocess.PIPE,"
        " stderr=subprocess.PIPE)\n"
        "p.stdout.read(10); p.stdout.close()\n"
        "err = p.stderr.read(); sys.stdout.write(str(p.wait())); sys.stderr.buffer.write(err)"
    )
    done = start(code=code)
    assert (done.stdout, done.stderr) == (b"0", b"")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_and_fits_eighty_columns(command: str) -> None:
    done = start(*command.split(), "--help")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert re.search(rf"Examples:\n\s*\n\s+fabricplan {command}", text)
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_of_help_are_understood(
    command: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every printed example runs; only files that it names are missing here."""
    shown = run(*command.split(), "--help").out
    examples = [line.strip().partition(" > ")[0] for line in shown.splitlines() if line.startswith("  fabricplan ")]
    assert examples
    monkeypatch.chdir(tmp_path)
    for example in examples:
        words = example.split()[1:]
        if "-o" in words:
            words += ["--format", "json"]
        ran = run(*words)
        if ran.status == 0:
            continue
        # understood: all that is wrong is that a named file is not there
        assert ran.status == 2, ran
        told = ran.err + ran.out
        assert any(name in told for name in words), ran
        assert "cannot read: no such file" in told or "not a folder, nor a file" in told, ran


def test_no_arguments_give_the_help(run: Run) -> None:
    ran = run("")
    assert ran.status == 0
    assert "Commands:" in ran.out


def test_version(run: Run) -> None:
    from fabricplan import __version__

    assert run("--version") == Ran(0, f"fabricplan {__version__}\n", "")


def test_completion_is_there() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fabricplan"], capture_output=True, check=False, timeout=60,
        env={**os.environ, "_FABRICPLAN_COMPLETE": "complete_bash", "COMP_WORDS": "fabricplan design --gen n",
             "COMP_CWORD": "3"},
    )  # fmt: skip
    assert done.stdout.decode().split() == ["ndr200", "ndr"]


def test_chinese_paths(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "报价 一" / "方案"
    ran = run("design", "--gpus", "8", "--gen", "ndr", "--format", "json", "-o", str(folder), "--lang", "zh")
    assert ran.status == 0
    assert (folder / "plan.json").is_file()
    assert "plan.json" in ran.out
    assert run("check", str(folder / "plan.json"), "--lang", "zh").status == 0


def test_written_files_are_listed_and_nothing_else_is_left(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "plan"
    ran = run("design", "--gpus", "8", "--gen", "ndr", "--format", "json", "-o", str(folder), "--json")
    assert ran.json["files"] == [str(folder / "plan.json")]
    assert [path.name for path in folder.iterdir()] == ["plan.json"]


def test_options_override_the_request_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "request.yaml"
    path.write_text(
        "name: base\ngroups:\n  - gpus: 64\n    platform: dgx-h100\nfabrics:\n  - rate: ndr\n    reserve_ports: 2\n"
    )
    plain = run("design", str(path), "--json").json
    assert (plain["name"], plain["nodes"], plain["fabrics"][0]["reserved_ports"]) == ("base", 8, 2)
    ran = run("design", str(path), "--nodes", "127", "--reserve-ports", "4", "--name", "other", "--json").json
    assert (ran["name"], ran["nodes"], ran["fabrics"][0]["reserved_ports"]) == ("other", 127, 4)
    assert ran["fabrics"][0]["switches"] == {"leaf": 32, "spine": 16, "core": 0}


def test_request_file_and_library_give_the_same_plan(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "request.yaml"
    path.write_text("groups:\n  - nodes: 20\nfabrics:\n  - rate: hdr\n    attached:\n"
                    "      - {group: node, ports_per_node: 1}\n")  # fmt: skip
    from_file = run("design", str(path), "--json").json
    from_options = run("design --nodes 20 --gen hdr --ports-per-node 1 --json").json
    assert from_file == from_options
    assert from_file["fabrics"][0]["switches"] == {"leaf": 1, "spine": 0, "core": 0}


@pytest.mark.parametrize(
    ("words", "read", "expected"),
    [
        ("--nodes 64 --technology roce --rate 400", lambda f: (f["technology"], f["rate"]), ("roce", "400gbe")),
        ("--nodes 64 --gen ndr --oversubscription 2:1", lambda f: f["oversubscription"], "2:1"),
        ("--nodes 512 --gen ndr --planes rail", lambda f: (f["planes"], f["tiers"]), (8, 2)),
        ("--nodes 64 --gen ndr --attach packed", lambda f: f["attach"], "packed"),
        ("--nodes 4 --gen ndr --tiers 2", lambda f: f["tiers"], 2),
        ("--nodes 64 --gen ndr --min-spines 16", lambda f: f["switches"]["spine"], 16),
        ("--nodes 16 --gen hdr --ports-per-node 1 --grow-to 64", lambda f: f["tiers"], 2),
    ],
)
def test_options_reach_the_fabric(run: Run, words: str, read: Callable[..., object], expected: object) -> None:
    assert read(run(f"design {words} --json").json["fabrics"][0]) == expected


def test_options_reach_the_bill(run: Run) -> None:
    def bill(words: str) -> dict[str, list[dict[str, object]]]:
        kinds: dict[str, list[dict[str, object]]] = {}
        for row in run(f"design --nodes 8 --gen ndr {words} --json").json["bom"]:
            kinds.setdefault(str(row["kind"]), []).append(row)
        return kinds

    assert "adapter" not in bill("--nic customer")
    assert bill("--leaf qm9790 --management external --reserve-ports 2")["switch"][0]["pn"] == "MQM9790-NS2F"
    assert bill("--airflow C2P")["switch"][0]["pn"] == "MQM9700-NS2R"
    assert [row["pn"] for row in bill("--uniform-length-m 30")["fibre"]] == ["MFP7E10-N030"]
    assert bill("--uniform-length-m 30 --spares 3%")["fibre"][0]["spare"] == 2
    assert "transceiver" not in bill("--uniform-length-m 1.5 --media copper")
    assert {row["pn"] for row in bill("--media singlemode")["fibre"]} <= {f"MFP7E30-N{n:03}" for n in range(100)}


def test_check_runs_again_over_the_tables(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "plan"
    made = run("design", "--gpus", "64", "--gen", "ndr", "--format", "json", "-o", str(folder), "--json")
    path = folder / "plan.json"
    again = run("check", str(path), "--json")
    assert again.status == 0
    assert again.json["findings"] == made.json["findings"]
    text = path.read_text()
    columns_of_links = re.search(r'"upper_port": \[(\d+),(\d+),', text)
    assert columns_of_links
    first, second = columns_of_links.groups()
    path.write_text(text.replace(f'"upper_port": [{first},{second},', f'"upper_port": [{first},{first},', 1))
    broken = run("check", str(path))
    assert broken.status == 1
    assert "error: " in broken.out


def test_render_writes_the_asked_format_again(run: Run, tmp_path: Path) -> None:
    run("design", "--gpus", "64", "--gen", "ndr", "--format", "json", "-o", str(tmp_path / "a"))
    ran = run("render", str(tmp_path / "a" / "plan.json"), "--format", "json", "-o", str(tmp_path / "b"))
    assert ran.out.split() == [str(tmp_path / "b" / "plan.json")]
    assert (tmp_path / "b" / "plan.json").read_bytes() == (tmp_path / "a" / "plan.json").read_bytes()


def test_catalog_show_forgives_case_and_dashes(run: Run) -> None:
    for word in ("QM9700", "qm-9700", "mqm9700ns2f", "920-9B210-00FN-0M0"):
        ran = run("catalog", "show", word)
        assert ran.status == 0
        assert ran.out.startswith("QM9700 (switches)\n")
    assert "power_max_w: 1720" in ran.out
    assert "sources:" in ran.out
    assert "https://" in ran.out
    assert run("catalog show QM9700 --json").json["products"][0]["power_max_w"] == 1720


def test_catalog_list_filters(run: Run) -> None:
    rows = run("catalog list --kind switches --gen xdr --status active --json").json["products"]
    assert [row["name"] for row in rows] == ["Q3200-RA", "Q3400-RA"]
    assert {row["kind"] for row in run("catalog list --json").json["products"]} >= {"switches", "fibres"}
    ethernet = run("catalog list --kind switches --technology ethernet")
    assert "SN5600" in ethernet.out
    assert "QM9700" not in ethernet.out
    assert all(columns(line) <= 80 for line in ethernet.out.splitlines())


def test_catalog_check(run: Run, tmp_path: Path) -> None:
    assert run("catalog check").status == 0
    (tmp_path / "switches").mkdir()
    (tmp_path / "switches" / "own.yaml").write_text(
        "- model: OWN1\n  technology: infiniband\n  generation: NDR\n  status: active\n  confidence: verified\n"
        "  sources: [no-such-document]\n"
    )
    ran = run("catalog", "check", "--catalog", str(tmp_path))
    assert ran.status == 1
    assert "no-such-document" in ran.err
    assert run("catalog", "check", "--json", "--catalog", str(tmp_path)).json["schema"] == "fabricplan/error/1"


@pytest.mark.parametrize("document", ["plan", "requirement", "summary", "error"])
def test_schema_is_one_that_the_document_keeps_to(run: Run, document: str) -> None:
    schema = run("schema", document).json
    assert schema["type"] == "object"
    names = {
        "plan": {"schema", "requirement", "bom"}, "requirement": {"groups", "fabrics"},
        "summary": {"schema", "fabrics", "totals", "bom", "findings"}, "error": {"schema", "errors"},
    }  # fmt: skip
    assert names[document] <= schema["properties"].keys()


def test_a_plan_folder_holds_every_default_format(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "plan"
    ran = run("design", "--gpus", "64", "--gen", "ndr", "--lang", "zh", "-o", str(folder))
    assert ran.status == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted(
        ["plan.json", "bom.csv", "cables.csv", "fabric.xlsx", "topology.svg", "topology.dot", "report.html"]
    )
    assert all(name in ran.out for name in names)
    assert all((folder / name).stat().st_size > 100 for name in names)
