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


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("MMA1T00-HS --length-m 30", "1 x MFS1S00-H030V [980-9I440-00H030] per 2 pieces; the fibre goes too"),
        ("MMA4Z00-NS400 --length-m 3", "1 x MCP7Y00-N003 [980-9I92N-00N003] per 2 pieces; the fibre and the module of"),
        ("MCP1650-H002E26 --length-m 2", "1 x MFS1S00-H003V [980-9I457-00H003] per piece"),
        ("MMA4Z00-NS --length-m 30", "2 x MMS4X00-NS [980-9I30H-00NM00] + 2 x MFP7E30-N030 [980-9I58G-00N030] per 2"),
    ],
)
def test_replace_counts_pieces_for_pieces(run: Run, words: str, told: str) -> None:
    """Two modules that face each other make way for one cable, and so do two modules on one splitter."""
    ran = run(f"catalog replace {words}")
    assert ran.status == 0 and told in " ".join(ran.out.split()), ran.out


def test_replace_names_the_true_reason_in_the_technology_of_the_part(run: Run) -> None:
    gone = run("catalog replace MCP7H50-H002R26 --length-m 2")
    assert gone.status == 1 and "is sold any more: MFS1S50-H retired" in gone.err
    assert "reach" not in gone.err and "GbE" not in gone.err
    [first] = run("catalog replace MCP1650-H002E26 --length-m 2 --json").json["replacements"]
    assert "HDR switch" in first["reason"] and "GbE" not in first["reason"]


def test_a_missed_medium_is_told(run: Run) -> None:
    ran = run("catalog mates SN5600 dgx-b300 --length-m 30 --media copper")
    assert ran.status == 0 and ran.out.count("no copper reaches 30 m; instead:") == 3
    words = "catalog mates SN5600 dgx-b300 --length-m 3 --json --media"
    assert [mate["instead_of"] for mate in run(f"{words} copper").json["mates"]] == ["copper", None, None]
    assert {mate["instead_of"] for mate in run(f"{words} singlemode").json["mates"]} == {None}
    gone = run("catalog replace MCP1650-H002E26 --length-m 3 --media copper")
    assert "no copper reaches 3 m and is sold; instead:" in gone.out
    assert run("catalog replace MCP1650-H002E26 --length-m 3 --media copper --json").json["instead_of"] == "copper"
    assert run("catalog replace MCP1650-H002E26 --length-m 3 --json").json["instead_of"] is None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("QM8700 MCP1650-H002E26 --length-m 3", "MCP1650-H002E26 is 2 m long, the route is 3 m"),
        ("QM8700 mcp1650-h --length-m 3", "mcp1650-h reaches 2 m, the route is 3 m"),
        ("MMA4Z00-NS MMA1Z00-NS400 --length-m 100", "MMA4Z00-NS reaches 50 m, the route is 100 m"),
        ("MMA1T00-HS om4-mpo12-upc --length-m 101", "MMA1T00-HS reaches 100 m, the route is 101 m"),
        ("QM8700 MCP1650-H002 --length-m 3", "MCP1650-H002E26 is 2 m long, the route is 3 m"),
        ("MCP1650-H002E26 SB7800 --length-m 3", "MCP1650-H002E26 is 2 m long, the route is 3 m"),
    ],
)
def test_a_part_that_ends_before_the_route_does(run: Run, words: str, told: str) -> None:
    ran = run(f"catalog mates {words}")
    assert ran.status == 1 and told in ran.err and ran.out == ""


def test_mates_fits_says_whether_anything_joins(run: Run) -> None:
    assert run("catalog mates QM9700 QM9700 --length-m 2 --json").json["fits"] is True
    assert run("catalog mates QM9700 QM9700 --json").json["fits"] is True
    assert run("catalog mates QM8700 MCP1650-H002E26 --length-m 2").out == "QM8700 and MCP1650-H002E26 fit\n"
    assert run("catalog mates QM9700 QM9700 --length-m 3000").status == 1


def test_an_hdr_cable_carries_edr_but_is_not_for_orders(run: Run) -> None:
    ran = run("catalog mates MCP1650-H002E26 SB7800")
    plain = " ".join(ran.out.split())
    assert ran.status == 0 and "works at EDR, to qsfp56 ports, to 2 m; existing cables only, not for new" in plain
    offered = run("catalog mates QM8700 SB7800 --json").json["mates"]
    assert "mcp1650-h" not in {part["key"] for mate in offered for item in mate["options"] for part in item["parts"]}
    assert run("catalog mates MCP7H50-H002R26 SB7800").status == 1


def test_one_number_of_two_modules(run: Run) -> None:
    for words in ("show MMS4A00", "show mms4c10", "replace MMS4A00"):
        ran = run(f"catalog {words}")
        assert ran.status == 2 and "may be one of 2 products" in ran.err and "980-9IA" in ran.err
    fits = run("catalog mates Q3400-RA MMS4A00")
    assert fits.status == 0 and fits.out.startswith("Q3400-RA and MMS4A00 [980-9IAH1-00XM00] fit")
    assert "MMS4A00 [980-9IAH0-00XM00] do not fit" in " ".join(fits.out.split())
    assert "fits for QM9700 and 900-9D3B6-00CN-AB0; QM9700 and 900-9D3B6-00SN-AB0" in " ".join(
        run("catalog mates QM9700 B3240").out.split())  # fmt: skip
    assert run("catalog mates dgx-h100 B3240").err.count("a QSFP112 cage takes no OSFP plug") == 2
    none = run("catalog mates QM9700 MMS4A00 --json")
    told = " ".join(row["message"] for row in none.json["errors"])
    assert none.status == 1 and "980-9IAH1-00XM00" in told and "980-9IAH0-00XM00" in told


@pytest.mark.parametrize(("word", "key"), [
    ("T-DQ8FNS-N00", "MMA1U50-WS"), ("MMA4U00-WS-F", "MMA1U50-WS"), ("mma1u50ws", "MMA1U50-WS"),
    ("MMS4A20-XM800", "MMS4A20"),
])  # fmt: skip
def test_other_numbers_of_a_module(run: Run, word: str, key: str) -> None:
    ran = run(f"catalog show {word}")
    assert ran.status == 0 and ran.out.startswith(f"{key} (transceivers)")


def test_errors_of_several_rates_name_the_rate(run: Run) -> None:
    told = run("catalog mates QM9700 MCX75310AAS-NEAT --length-m 3000").err
    assert "at NDR, 400 Gb/s: nothing reaches 3000 m; the longest reaches 100 m" in told
    assert "at NDR200, 200 Gb/s: nothing reaches 3000 m; the longest reaches 50 m" in told
    assert "qsfp-dd to osfp-100g-flat at 400GBE: " in run("catalog mates SN4700 MCX75310AAS-NEAT").err


def test_a_family_and_a_word_of_nothing(run: Run) -> None:
    [fault] = run("catalog show ConnectX-7 --json").json["errors"]
    assert fault["hint"] == "of that name: 26 of kind adapters ('fabricplan catalog list --kind adapters')"
    for word, told in (("ConnectX", "of kind adapters"), ("Quantum-2", "4 of kind switches")):
        [fault] = run(f"catalog mates QM9700 {word} --json").json["errors"]
        assert told in fault["hint"]
    [fault] = run("catalog show blargh --json").json["errors"]
    assert fault["hint"] == "'fabricplan catalog list' lists all products"


def test_sources_lists_documents_with_what_rests_on_them(run: Run) -> None:
    rows = run("catalog sources --json").json["sources"]
    assert len(rows) > 250 and all(row["used_by"] for row in rows if row["id"] != "none")
    one = run("catalog sources netbox-qm9700")
    assert "switches/QM9700" in one.out and "https://" in one.out


def test_netbox_and_schema_write_files(run: Run, tmp_path: Path) -> None:
    ran = run("catalog", "netbox", "-o", str(tmp_path / "types"))
    assert ran.status == 0 and (tmp_path / "types" / "Nvidia" / "qm9700-mqm9700-ns2f.yaml").is_file()
    assert "left out: SN4410: its height is not known" in ran.err
    told = run("catalog", "netbox", "-o", str(tmp_path / "again"), "--json")
    assert told.json["left_out"]["SN4410"] == "its height is not known" and "left out: SN4410" in told.err
    written = run("catalog", "schema", "-o", str(tmp_path / "schema"), "--json").json["files"]
    assert len(written) == 12 and all(Path(name).is_file() for name in written)


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
