"""``quote``, ``prices check``, ``new`` and the settings file, as a user calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName

from fabricplan.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
HDR = ["--nodes", "20", "--ports-per-node", "1", "--gen", "hdr", "--uniform-length-m", "10"]
BOOK = "型号,含税单价（元）\nMQM8700-HS2F,98000\nMCX653105A-HDAT,6350\nMFS1S00-H010V,{cable}\n"


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FABRICPLAN_SETTINGS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "config"))


def book(folder: Path, cable: str = "2980") -> str:
    path = folder / f"prices-{cable}.csv"
    path.write_text(BOOK.format(cable=cable), encoding="utf-8")
    return str(path)


def test_from_a_request_to_files_and_a_revision(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = str(tmp_path / "a"), str(tmp_path / "b")
    assert main(["quote", *HDR, "--prices", book(tmp_path), "--date", "2026-12-01", "--lang", "zh", "-o", first]) == 0
    assert "¥284,600.00（未税 ¥251,858.41，税额 ¥32,741.59）" in capsys.readouterr().out
    assert {path.name for path in Path(first).iterdir()} == {"quote.xlsx", "quote.html", "quote.csv", "quote.json"}
    assert main(["quote", *HDR, "--prices", book(tmp_path, "3180"), "--date", "2026-12-01", "--internal",
                 "--against", f"{first}/quote.json", "-o", second]) == 0  # fmt: skip
    assert "MFS1S00-H010V: 20 × 2,980.00 -> 20 × 3,180.00, +4,000.00 (price book or terms)" in capsys.readouterr().out
    assert {"quote-internal.xlsx", "quote-internal.json", "quote-changes.xlsx"} <= {
        path.name for path in Path(second).iterdir()}  # fmt: skip
    assert main(["render", f"{first}/quote.json", "--format", "csv", "--lang", "both", "-o", second]) == 0
    assert main(["render", f"{first}/quote.json", "--format", "erp", "-o", second]) == 2


def test_missing_prices_decide_the_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lacking = tmp_path / "p.csv"
    lacking.write_text("型号,单价\nMQM8700-HS2F,98000\n", encoding="utf-8")
    options = ["quote", *HDR, "--prices", str(lacking), "--date", "2026-12-01"]
    assert main(options) == 1
    assert "MFS1S00-H010V has no price" in capsys.readouterr().err
    assert main([*options, "--allow-missing", "-o", str(tmp_path / "q")]) == 0
    assert main([*options, "--target-total", "100"]) == 2


def test_json_and_options_over_terms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    terms = tmp_path / "t.yaml"
    terms.write_text("date: 2026-12-01\nnumber: A\nround_down_to: 1000\ndiscounts: {total: 5}\n", encoding="utf-8")
    options = ["quote", *HDR, "--prices", book(tmp_path), "--terms", str(terms), "--json"]
    assert main([*options, "--number", "B", "--target-total", "¥270,000.00"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert (tree["schema"], tree["number"], tree["total"], tree["date"]) == (
        "fabricplan/quote/1", "B", "270000.00", "2026-12-01")  # fmt: skip
    assert main(options) == 0
    assert json.loads(capsys.readouterr().out)["total"] == "270000.00"


@pytest.mark.parametrize(("options", "told"), [
    (["--prices", "missing.xlsx"], "missing.xlsx"), ([], "--prices"), (["--target-total", "abc"], "--target-total"),
    (["--lang", "fr"], "--lang"), (["--format", "xls"], "--format"), (["--date", "soon"], "--date"),
    (["--settings", "none.yaml"], "none.yaml"), (["--template", "none.xlsx"], "none.xlsx"),
    (["--gpus", "8"], "--nodes"),
])  # fmt: skip
def test_wrong_options(options: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = options if not options or options[0] == "--prices" else ["--prices", book(tmp_path), *options]
    assert main(["quote", *HDR, *given, "--json"]) == 2
    (problem, *_) = json.loads(capsys.readouterr().out)["errors"]
    assert told in problem["where"]


def test_terms_errors_name_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    terms = tmp_path / "t.yaml"
    terms.write_text("date: 2026-12-01\ntax:\n  percnt: 13\n", encoding="utf-8")
    assert main(["quote", *HDR, "--prices", book(tmp_path), "--terms", str(terms)]) == 2
    told = capsys.readouterr().err
    assert f"{terms}:3: no such field 'percnt'" in told and "did you mean percent?" in told


def test_offers_side_by_side(tmp_path: Path) -> None:
    folder = tmp_path / "offers"
    requests = [str(EXAMPLES / "small-hdr.yaml"), str(EXAMPLES / "grow.yaml")]
    commercial = ["--prices", str(EXAMPLES / "demo-prices.csv"), "--terms", str(EXAMPLES / "demo-terms.yaml")]
    assert main(["quote", *requests, *commercial, "-o", str(folder)]) == 0
    workbook = openpyxl.load_workbook(folder / "offers.xlsx", data_only=True)
    assert [sheet.title for sheet in workbook] == ["Comparison", "1 twenty-hdr", "2 grow-40-to-128"]


def test_a_plan_file_and_its_prices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", *HDR, "--format", "json", "-o", str(tmp_path)]) == 0
    plan = str(tmp_path / "plan.json")
    capsys.readouterr()
    assert main(["quote", plan, "--prices", book(tmp_path), "--date", "2026-12-01", "--brief"]) == 0
    assert len(capsys.readouterr().out.splitlines()) <= 8
    assert main(["prices", "check", book(tmp_path), "--plan", plan]) == 0
    wrong = tmp_path / "w.csv"
    wrong.write_text("型号,单价\nMQM8700-HS2X,1\n", encoding="utf-8")
    assert main(["prices", "check", str(wrong), "--plan", plan, "--json"]) == 1
    assert main(["prices", "check", str(EXAMPLES / "demo-prices.xlsx")]) == 0


def test_request_workbook(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "请求.xlsx"
    assert main(["new", str(path)]) == 0
    assert main(["new", str(path)]) == 2
    assert main(["quote", str(path), "--prices", book(tmp_path)]) == 2
    assert "B5" in capsys.readouterr().err
    workbook = openpyxl.load_workbook(path)
    sheet = workbook.worksheets[0]
    assert len(sheet.data_validations.dataValidation) >= 8
    labels = {str(row[0].value): row[1] for row in sheet.iter_rows(max_col=2) if row[0].value}
    for label, value in {"节点数量 Nodes": 20, "网络速率 Rate": "hdr", "每节点端口数 Ports per node": "1",
                         "统一线缆长度 (m) Uniform length (m)": 10}.items():  # fmt: skip
        labels[label].value = value
    workbook.save(path)
    assert main(["quote", str(path), "--prices", book(tmp_path), "--date", "2026-12-01"]) == 0
    assert "284,600.00" in capsys.readouterr().out
    assert main(["design", str(path)]) == 0
    assert "20 nodes · HDR 200G" in capsys.readouterr().out
    assert main(["design", str(path), "--nodes", "30"]) == 0
    assert "30 nodes · HDR 200G" in capsys.readouterr().out
    labels["网络速率 Rate"].value = "hdrr"
    workbook.save(path)
    assert main(["design", str(path)]) == 2
    assert "B8" in capsys.readouterr().err
    assert main(["quote", str(path), "--prices", book(tmp_path)]) == 2
    assert "B8" in capsys.readouterr().err


def test_settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "config" / "fabricplan"
    home.mkdir(parents=True)
    book(home)
    (home / "settings.yaml").write_text(
        "seller: {name: 示例公司}\nterms: {number: S-1, date: 2026-12-01}\nprices: prices-2980.csv\nlang: zh\n",
        encoding="utf-8",
    )
    assert main(["quote", *HDR, "--json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert (tree["number"], tree["seller"]["name"]["zh"], tree["total"]) == ("S-1", "示例公司", "284600.00")
    (home / "settings.yaml").write_text("sellr: x\nprices: {a: b}\n", encoding="utf-8")
    assert main(["quote", *HDR]) == 2
    told = capsys.readouterr().err
    assert "settings.yaml:1" in told and "settings.yaml:2" in told


def test_against_finds_the_internal_file_beside_the_quote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    terms = tmp_path / "t.yaml"
    terms.write_text("discounts: {groups: {switch: 2}}\n", encoding="utf-8")
    old = tmp_path / "old"
    main(["quote", *HDR, "--prices", book(tmp_path), "--date", "2026-12-01", "--internal", "-o", str(old)])
    revised = ["quote", *HDR, "--prices", book(tmp_path, "3180"), "--date", "2026-12-01", "--terms", str(terms),
               "--against", str(old / "quote.json")]  # fmt: skip
    capsys.readouterr()
    main(revised)
    told = capsys.readouterr().out
    assert "-1,960.00 (terms)" in told and "+4,000.00 (price book)" in told
    (old / "quote-internal.json").unlink()
    main(revised)
    assert "-1,960.00 (price book or terms)" in capsys.readouterr().out


def test_check_tells_unknown_parts_and_bare_costs_with_all_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.csv"
    path.write_text("型号,单价,成本\nMQM8700-HS2X,1,\nMQM8700-HS2F,oops,\nMFS1S00-H010X,abc,\n", encoding="utf-8")
    assert main(["prices", "check", str(path)]) == 2
    told = capsys.readouterr().err
    assert all(f"p.csv:{line}" in told for line in (2, 3, 4)) and "no part 'MFS1S00-H010X'" in told
    path.write_text("型号,单价,成本\nMQM8700-HS2F,,50000\n", encoding="utf-8")
    assert main(["prices", "check", str(path)]) == 0
    assert "p.csv:2: 'MQM8700-HS2F' has only a cost" in capsys.readouterr().err
    yaml = tmp_path / "p.yaml"
    yaml.write_text("lines:\n- {part: MQM8700-HS2X, unit_price: oops}\n", encoding="utf-8")
    assert main(["prices", "check", str(yaml)]) == 2
    assert "no part 'MQM8700-HS2X'" in capsys.readouterr().err


def test_warnings_before_a_quote_is_sent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    company = openpyxl.Workbook()
    for name, place in (("quote_total", "$A$1"), ("qoute_valid", "$A$2")):
        company.defined_names[name] = DefinedName(name, attr_text=f"'Sheet'!{place}")
    company.save(tmp_path / "company.xlsx")
    options = ["quote", *HDR, "--prices", book(tmp_path), "--date", "2026-12-01", "--number", "Q", "-o",
               str(tmp_path / "q"), "--template", str(tmp_path / "company.xlsx")]  # fmt: skip
    assert main([*options, "--target-total", "28460"]) == 0
    told = capsys.readouterr().err
    assert "warning: the fixed total 28,460.00 is more than twice or less than half" in told
    assert told.count("the quote lacks: Seller, Customer, Valid until") == 1
    assert "'qoute_valid' is no field" in told and "no cell is named quote_number, quote_date, customer_name" in told


def test_against_without_a_change_and_without_a_new_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "old"
    options = ["quote", *HDR, "--date", "2026-12-01", "--prices"]
    main([*options, book(tmp_path), "--number", "Q-1", "-o", str(old)])
    against = ["--against", str(old / "quote.json"), "--number"]
    capsys.readouterr()
    assert main([*options, book(tmp_path), *against, "Q-1"]) == 0
    told = capsys.readouterr()
    assert told.out.rstrip().endswith("\nno change") and "raise the revision" not in told.err
    assert main([*options, book(tmp_path, "3180"), *against, "Q-1"]) == 0
    assert "its number is still Q-1\n  raise the revision" in capsys.readouterr().err
    assert main([*options, book(tmp_path, "3180"), *against, "Q-1-R2"]) == 0
    assert "raise the revision" not in capsys.readouterr().err


def test_settings_may_name_a_file_of_terms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = tmp_path / "settings.yaml"
    settings.write_text(f"terms: terms.yaml\nprices: {Path(book(tmp_path)).name}\n", encoding="utf-8")
    options = ["quote", *HDR, "--settings", str(settings)]
    assert main([*options, "--json"]) == 2
    assert "terms.yaml" in capsys.readouterr().out
    (tmp_path / "terms.yaml").write_text("number: T-7\ndate: 2026-12-01\n", encoding="utf-8")
    assert main([*options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["number"] == "T-7"
    (tmp_path / "terms.yaml").write_text("- a\n", encoding="utf-8")
    assert main(options) == 2
    assert "terms are a mapping of fields" in capsys.readouterr().err
    settings.write_text("terms: [a]\n", encoding="utf-8")
    assert main(options) == 2
    assert "or the path of a file of terms" in capsys.readouterr().err


def test_a_request_workbook_tells_all_bad_cells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.xlsx"
    main(["new", str(path)])
    workbook = openpyxl.load_workbook(path)
    labels = {str(row[0].value): row[1] for row in workbook.worksheets[0].iter_rows(max_col=2) if row[0].value}
    bad = {"节点数量 Nodes": "many", "网络速率 Rate": "hdrr", "每节点端口数 Ports per node": "x",
           "线缆类型 Media": "wood", "收敛比 Oversubscription": "a lot"}  # fmt: skip
    for label, value in bad.items():
        labels[label].value = value
    workbook.save(path)
    for command in (["design"], ["quote", "--prices", book(tmp_path)]):
        capsys.readouterr()
        assert main([command[0], str(path), *command[1:]]) == 2
        told = capsys.readouterr().err
        assert [label for label in bad if f"!{labels[label].coordinate}:" not in told] == [], told


def test_options_of_offers_are_met_or_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    requests = [str(EXAMPLES / "small-hdr.yaml"), str(EXAMPLES / "grow.yaml")]
    command = ["quote", *requests, "--prices", str(EXAMPLES / "demo-prices.xlsx"), "--date", "2026-12-01", "-o"]
    folder = tmp_path / "offers"
    assert main([*command, str(folder), "--internal", "--format", "html,csv", "--brief"]) == 0
    kinds = ("quote-{}.html", "quote-{}.csv", "quote-{}-internal.xlsx", "quote-{}-internal.json")
    assert {path.name for path in folder.iterdir()} == {kind.format(number) for kind in kinds for number in (1, 2)}
    assert "offers.xlsx" not in capsys.readouterr().out
    for option, value in (("--against", "old.json"), ("--template", "company.xlsx"), ("--target-total", "100000")):
        refused = tmp_path / "refused"
        assert main([*command, str(refused), option, value]) == 2
        assert f"{option} is for one quote, and several offers are asked for" in capsys.readouterr().err
        assert not refused.exists()
    assert main([*command, str(folder), "--against", "a", "--template", "b"]) == 2
    assert capsys.readouterr().err.count("is for one quote") == 2


@pytest.mark.parametrize(("edit", "place", "told"), [
    (lambda tree: tree["lines"][2].update(amount="59000.00"), "lines[2].amount", "20 x 2,980.00 is 59,600.00"),
    (lambda tree: tree["lines"][1].update(unit_price="6000.00"), "lines[1].amount", "20 x 6,000.00 is 120,000.00"),
    (lambda tree: tree["lines"][0].update(quantity=2), "lines[0].amount", "2 x 98,000.00 is 196,000.00"),
    (lambda tree: tree["lines"][0].update(quantity=-1, amount="-98000.00"), "lines[0].quantity", "-1 is below zero"),
    (lambda tree: tree.update(total="28460.00"), "total", "28,460.00; the sum is 284,600.00"),
    (lambda tree: tree.update(net="251858.40", tax="32741.60"), "net", "the sum is 251,858.41"),
    (lambda tree: tree["taxes"][0].update(tax="32741.60"), "taxes[0].tax", "the lines give 32,741.59"),
    (lambda tree: tree["taxes"][0].update(residue="0.01"), "taxes[0].residue", "more than rounding leaves over"),
    (lambda tree: tree["lines"][0].update(tax_percent="6"), "taxes", "not one row for each rate"),
    (lambda tree: tree["lines"][0].update(amount=None), "lines[0].amount", "on request together"),
    (lambda tree: tree["lines"][1].update(unit_price="6350.001", amount="127000.02"), "lines[1].unit_price", "finer"),
    (lambda tree: tree.update(complete=False), "complete", "with 0 lines without a price"),
    (lambda tree: tree.update(currency="XYZ"), "currency", "XYZ"),
])  # fmt: skip
def test_a_quote_whose_amounts_contradict_is_refused(
    edit: Callable[[dict[str, Any]], None], place: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = ["--prices", book(tmp_path), "--date", "2026-12-01"]
    folder = tmp_path / "q"
    main(["quote", *HDR, *prices, "--format", "json", "-o", str(folder)])
    tree = json.loads((folder / "quote.json").read_text(encoding="utf-8"))
    edit(tree)
    edited = folder / "edited.json"
    edited.write_text(json.dumps(tree), encoding="utf-8")
    for command in (["render", str(edited), "-o", str(tmp_path / "out")],
                    ["quote", *HDR, *prices, "--against", str(edited), "-o", str(tmp_path / "out")]):  # fmt: skip
        capsys.readouterr()
        assert main(command) == 2
        line = next(line for line in capsys.readouterr().err.splitlines() if f"edited.json: {place}:" in line)
        assert told in line
        assert not (tmp_path / "out").exists()


def test_a_revision_parts_the_request_from_a_newer_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "old"
    commercial = ["--prices", book(tmp_path), "--date", "2026-12-01"]
    main(["quote", *HDR, *commercial, "-o", str(old)])
    tree = json.loads((old / "quote.json").read_text(encoding="utf-8"))
    tree["made_by"] = {"version": "0.0.9", "catalog": "sha256:older"}
    tree["plan_version"] = "0.0.9"
    (old / "quote.json").write_text(json.dumps(tree), encoding="utf-8")
    against = ["--against", str(old / "quote.json")]
    for options, told in (
        ([*HDR, *commercial], "no change"),
        (["--nodes", "24", *HDR[2:], *commercial], "20 × 2,980.00 -> 24 × 2,980.00, +11,920.00 (request)"),
        (["--nodes", "24", *HDR[2:], "--prices", book(tmp_path, "3180"), "--date", "2026-12-01"],
         "+16,720.00 (request, price book or terms)"),
    ):  # fmt: skip
        capsys.readouterr()
        assert main(["quote", *options, *against]) == 0
        assert told in capsys.readouterr().out
    # What the older program made otherwise is not put down to the request.
    tree["lines"][2].update(quantity=19, amount="56620.00")
    tree.update(total="281620.00", net="249221.24", tax="32398.76")
    tree["taxes"][0].update(gross="281620.00", net="249221.24", tax="32398.76")
    (old / "quote.json").write_text(json.dumps(tree), encoding="utf-8")
    capsys.readouterr()
    assert main(["quote", "--nodes", "24", *HDR[2:], *commercial, *against]) == 0
    told = capsys.readouterr().out
    assert "20 × 6,350.00 -> 24 × 6,350.00, +25,400.00 (request)" in told
    assert "19 × 2,980.00 -> 24 × 2,980.00, +14,900.00 (request, catalogue or tool version)" in told


def test_how_a_book_was_read_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    silent = tmp_path / "silent.csv"
    silent.write_text(
        "型号,单价,单位\nMQM8700-HS2F,98000,套\nMCX653105A-HDAT,6350,块\nmfs1s00-h-v,2980,根\n", encoding="utf-8"
    )
    assert main(["prices", "check", str(silent)]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert f"3 prices state no currency (first at {silent}:2)" in said and "are for a set (套)" in said
    assert main(["prices", "check", str(silent), "--lang", "zh", "--json"]) == 0
    told = {item["code"]: item["message"] for item in json.loads(capsys.readouterr().out)["findings"]}
    assert list(told) == ["book-no-currency", "book-no-tax", "book-set-unit"]
    assert "3 个价格未说明币种" in told["book-no-currency"]
    out = tmp_path / "out"
    assert main(["quote", *HDR, "--prices", str(silent), "--date", "2026-12-01", "--internal", "-o", str(out)]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "taken as CNY, the quote's" in said and "tax included" in said
    assert "book-no-currency" not in (out / "quote.json").read_text(encoding="utf-8")
    assert "book-no-currency" in (out / "quote-internal.json").read_text(encoding="utf-8")
    assert main(["prices", "check", str(silent), "--lang", "fr"]) == 2


def test_a_book_with_another_rate_of_tax_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "six.csv"
    path.write_text(
        "型号,含税单价（元）（6%）\nMQM8700-HS2F,98000\nMCX653105A-HDAT,6350\nmfs1s00-h-v,2980\n", encoding="utf-8"
    )
    assert main(["quote", *HDR, "--prices", str(path), "--date", "2026-12-01"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "holds 6 % tax, the quote has 13 % on it" in said and f"{path}:2" in said
    terms = tmp_path / "terms.yaml"
    terms.write_text("tax: {percent: 6}\n", encoding="utf-8")
    assert main(["quote", *HDR, "--prices", str(path), "--terms", str(terms), "--date", "2026-12-01"]) == 0


def test_numbers_of_two_parts_in_a_line_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "crossed.csv"
    path.write_text("型号,原厂料号,单价\nMQM9700-NS2F,920-9B210-00FN-0M0,5\nMQM9700-NS2R,920-9B210-00FN-0M0,6\n".replace(
        "MQM9700-NS2F,920-9B210-00FN-0M0,5\n", ""), encoding="utf-8")  # fmt: skip
    assert main(["prices", "check", str(path)]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "'MQM9700-NS2R' and '920-9B210-00FN-0M0' are two different parts" in said and f"{path}:2" in said
