"""`fabricplan catalog`: what each command prints, how words are found, and its status."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.mark.parametrize("word", ["QM9700", "qm9700", "MQM9700-NS2F", "mqm9700ns2f", "920-9B210-00FN-0M0", "MQM9700"])
def test_a_product_is_found_by_any_of_its_names(run: Run, word: str) -> None:
    ran = run("catalog", "show", word)
    assert ran.status == 0 and ran.out.startswith("QM9700 (switches)")


def test_show_tells_facts_sources_status_and_mates(run: Run) -> None:
    ran = run("catalog show MMA4Z00-NS400")
    assert ran.status == 0
    for told in ("status: active", "confidence: verified", "sources:", "https://", "mates with:",
                 "osfp-twin-100g-finned to osfp-100g-flat, infiniband 400G: multimode 50 m"):  # fmt: skip
        assert told in ran.out, told
    [product] = run("catalog show qm9700 --json").json["products"]
    assert {mate["far"] for mate in product["mates_with"]} >= {"osfp-100g-flat", "qsfp112", "osfp-twin-100g-flat"}


def test_a_word_that_begins_several_products(run: Run) -> None:
    ran = run("catalog show 900-9D3B6")
    assert ran.status == 2 and "may be one of 9 products" in ran.err and "900-9D3B6-00CN-AB0" in ran.err


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--kind switches --gen ndr", {"QM9700", "QM9790", "QM9701", "CS9500"}),
        ("--kind switches --gen 800", {"SN5600", "SN5600D", "SN5610", "SN6600", "SN6600-LD"}),
        ("--kind cables --gen xdr --status active", {"mca4k50", "mca7k10", "mca4k00"}),
        ("--kind accessories --status unlisted", {"UFM XDR Enterprise Appliance", "MUA950", "MetroX-3 XC"}),
    ],
)  # fmt: skip
def test_list_narrows(run: Run, options: str, expected: set[str]) -> None:
    rows = run(f"catalog list {options} --json").json["products"]
    assert {row["name"] for row in rows} == expected


def test_list_of_nothing_and_of_a_wrong_word(run: Run) -> None:
    nothing = run("catalog list --kind fibres --gen edr")
    assert (nothing.status, nothing.out) == (0, "") and "no product is all of these" in nothing.err
    wrong = run("catalog list --gen ndr2")
    assert wrong.status == 2 and "did you mean ndr" in wrong.err
    assert run("catalog list --gen NDR --kind switches").out.count("\n") == 4


def test_mates_prints_parts_with_what_they_cost(run: Run) -> None:
    ran = run("catalog mates qm9700 MCX75310AAS-NEAT --length-m 30")
    assert ran.status == 0
    plain = " ".join(ran.out.split())
    assert "NDR, 400 Gb/s a link; 2 link(s) a cage to 1" in plain
    assert "MMA4Z00-NS [980-9I510-00NS00] (1 per 2 links) + MMA4Z00-NS400 [980-9I51S-00NS00] (1 per link)" in plain
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    body = run("catalog mates qm9700 MCX75310AAS-NEAT --length-m 30 --json").json
    assert body["schema"] == "fabricplan/mates/1" and body["length_mm"] == 30000
    assert body["mates"][0]["options"][0]["parts"][0]["links"] == 2


def test_mates_says_why_not(run: Run) -> None:
    ran = run("catalog mates QM9700 MMA4Z00-NS400")
    assert ran.status == 1 and ran.out == "" and "flat-top, osfp-twin-100g-finned takes finned-top" in ran.err
    body = run("catalog mates Q3400-RA QM9700 --json")
    assert body.status == 1 and {row["code"] for row in body.json["errors"]} == {"no-mate"}
    assert "100G lanes" in body.json["errors"][1]["message"]


@pytest.mark.parametrize(
    ("words", "where", "told"),
    [
        ("mates QM97000 SN5600", "A", "did you mean QM9700?"),
        ("mates QM9700 MCX75310AAS-NEATT", "B", "did you mean MCX75310AAS-NEAT?"),
        ("mates QM9700 QM9700 --length-m far", "--length-m", "for example 30"),
        ("mates QM9700 QM9700 --length-m -3", "--length-m", "for example 30"),
        ("mates QM9700 QM9700 --media glass", "--media", "known: auto, copper, optical, singlemode"),
        ("replace MCP1650-H02E26", "PN", "did you mean MCP1650-H002E26?"),
        ("sources nvidia-qm97x0-manal", "ID", "did you mean nvidia-qm97x0-manual?"),
    ],
)
def test_bad_words(run: Run, words: str, where: str, told: str) -> None:
    [fault] = run(f"catalog {words} --json").json["errors"]
    assert fault["where"] == where and told in fault["hint"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("MCP1650-H002E26 --length-m 2", "1 x MFS1S00-H003V"),
        ("MFS1S00-H100E", "1 x MFS1S00-H100V"),
        ("MCP7Y10-N003 --length-m 3", "1 x MMA4Z00-NS [980-9I510-00NS00] + 2 x MMA1Z00-NS400"),
        ("MMA1T00-HS --length-m 50", "1 x MFS1S00-H050V"),
        ("MFS1S00-H010V --length-m 25", "1 x MFS1S00-H030V"),
        ("SB7700", "1 x MSB7800-ES2F2"),
    ],
)
def test_replace_orders_for_each_piece(run: Run, words: str, told: str) -> None:
    ran = run(f"catalog replace {words}")
    assert ran.status == 0 and told in " ".join(ran.out.split()), ran.out


def test_replace_of_a_copper_splitter_counts_both_links(run: Run) -> None:
    body = run("catalog replace MCP7Y10-N003 --length-m 3 --json").json
    [first, *_] = [
        item for item in body["replacements"] if item["joins"] == "osfp-twin-100g-finned to qsfp112, infiniband"
    ]
    assert body["links"] == 2
    assert [(part["key"], part["pieces"]) for part in first["parts"]] == [
        ("MMA4Z00-NS", 1), ("MMA1Z00-NS400", 2), ("mfp7e10", 2)]  # fmt: skip


def test_nothing_replaces_it(run: Run) -> None:
    ran = run("catalog replace MCP1650-H002E26 --length-m 5000")
    assert ran.status == 1 and "other parts reach 2000 m" in ran.err
    assert run("catalog replace CS8500").status == 1


def test_sources_lists_documents_with_what_rests_on_them(run: Run) -> None:
    rows = run("catalog sources --json").json["sources"]
    assert len(rows) > 250 and all(row["used_by"] for row in rows if row["id"] != "none")
    one = run("catalog sources netbox-qm9700")
    assert "switches/QM9700" in one.out and "https://" in one.out


def test_netbox_and_schema_write_files(run: Run, tmp_path: Path) -> None:
    ran = run("catalog", "netbox", "-o", str(tmp_path / "types"))
    assert ran.status == 0 and (tmp_path / "types" / "Nvidia" / "Q3400-RA.yaml").is_file()
    assert "left out: SN4410: its height is not known" in ran.err
    written = run("catalog", "schema", "-o", str(tmp_path / "schema"), "--json").json["files"]
    assert len(written) == 11 and all(Path(name).is_file() for name in written)


def test_check_takes_own_files(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "cables.yaml"
    path.write_text("- {id: mcp4y10, extends: true, reach_mm: 1000}\n")
    ran = run("catalog", "check", str(path))
    assert ran.status == 1 and f"{path}:1" in ran.err and "reach 1000" in ran.err
    path.write_text("- {id: mcp4y10, extends: true, status: retired}\n")
    body = run("catalog", "check", str(path), "--json").json
    assert body["overridden"] == {"cables/mcp4y10": ["status"]}


@pytest.mark.parametrize("command", ["mates", "replace", "sources", "netbox", "schema", "check", "list", "show"])
def test_help_has_an_example_of_the_command_and_fits_the_terminal(run: Run, command: str) -> None:
    ran = run(f"catalog {command} --help")
    assert f"fabricplan catalog {command}" in ran.out.partition("Examples:")[2]
    assert all(len(line) <= 80 for line in ran.out.splitlines())
