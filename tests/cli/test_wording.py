"""Both languages say the same things, with the same numbers; descriptions hold only what is known."""

from __future__ import annotations

import importlib
import json
import re
import string
from collections.abc import Callable
from pathlib import Path

import pytest

from fabricplan import RenderError, design, load_catalog, load_requirement, render, summarize
from fabricplan.catalog import Entry, TransceiverType
from fabricplan.cli import main
from fabricplan.sizing import Candidate
from fabricplan.values import Param, finding
from fabricplan.wording import describe, hint, label, reason, term, text

CATALOG = load_catalog()
ROOT = Path(__file__).parents[2]


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("table", ["TERMS", "REASONS", "LABELS", "PARTS", "SCREEN"])
def test_languages_have_the_same_keys_and_parameters(table: str) -> None:
    en = getattr(importlib.import_module("fabricplan.wording.en"), table)
    zh = getattr(importlib.import_module("fabricplan.wording.zh"), table)
    assert list(en) == list(zh)
    for key in en:
        assert fields(en[key]) == fields(zh[key]), key


def test_findings_have_the_same_codes_and_parameters_in_both_languages() -> None:
    en = importlib.import_module("fabricplan.wording.findings_en").TEXT
    zh = importlib.import_module("fabricplan.wording.findings_zh").TEXT
    assert en.keys() == zh.keys()
    assert en
    for code in en:
        for part in (0, 1):
            assert fields(en[code][part]) == fields(zh[code][part]), code


def test_unknown_finding_is_told_as_it_stands() -> None:
    note = finding("warning", "of-a-newer-version", "compute", ports=4, model="X")
    assert text(note, "zh") == "of-a-newer-version: ports=4, model=X"
    assert hint(note, "zh") == ""


def test_finding_that_lacks_a_number_is_told_as_it_stands() -> None:
    assert text(finding("warning", "gpus-rounded", "node", gpus=12)) == "gpus-rounded: gpus=12"


def test_terms_are_those_of_the_field() -> None:
    words = [term(key, "zh") for key in ("bom", "cabling_plan", "adapter", "transceiver", "finned", "oversubscription")]
    assert words == ["物料清单 (BOM)", "端口互联表", "网卡", "光模块", "带散热鳍片", "收敛比"]


@pytest.mark.parametrize(
    ("kind", "key", "lang", "expected"),
    [
        ("transceivers", "MMA4Z00-NS", "zh",
         "800G 双端口 OSFP 光模块，2×SR4，多模 850nm，OM4 50m，2×MPO-12/APC，带散热鳍片"),
        ("transceivers", "MMA4Z00-NS400", "en",
         "400G single-port OSFP transceiver, SR4, multimode 850 nm, OM4 50 m, MPO-12/APC, flat top"),
        ("cables", "mfs1s00-h-v", "zh", "200G 有源光缆 (AOC)，QSFP56 转 QSFP56，5m"),
        ("cables", "mcp7y50", "zh",
         "800G 无源铜缆 (DAC)，一分四线缆，双端口 OSFP（带散热鳍片）转 4×OSFP（平顶），4×200G，5m"),
        ("fibres", "mfp7e10", "en", "MPO-12/APC fibre patch cord, multimode (OM4), Type-B crossover, 5 m"),
        ("adapters", "MCX75310AAS-NEAT", "en",
         "ConnectX-7 VPI adapter, 1×OSFP NDR 400G / 400GbE, PCIe Gen5 x16, HHHL, "
         "crypto disabled"),
    ],
)  # fmt: skip
def test_descriptions(kind: str, key: str, lang: str, expected: str) -> None:
    entry = CATALOG.get(kind, key, Entry)
    assert describe(kind, entry, lang, 5000 if kind in ("cables", "fibres") else None) == expected


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("QM9700", "51.2 Tb/s（双向，原厂口径），单向 25.6 Tb/s"),
        ("SN5600", "51.2 Tb/s（单向，原厂口径），双向 102.4 Tb/s"),
        ("Q3200-RA", "57.6 Tb/s（单向，原厂口径），双向 115.2 Tb/s"),
    ],
)
def test_capacity_says_which_way_it_is_counted(model: str, expected: str) -> None:
    assert expected in describe("switches", CATALOG.switch(model), "zh")


def test_airflow_is_that_of_the_ordered_form() -> None:
    switch = CATALOG.switch("QM9700")
    assert "P2C" in describe("switch", switch, "en", pn="MQM9700-NS2F")
    assert "C2P" in describe("switch", switch, "en", pn="MQM9700-NS2R")
    assert "P2C" not in describe("switch", switch, "en")


def test_unknown_facts_leave_no_trace() -> None:
    bare = TransceiverType(
        key="x", pn="X", title="x", technologies=("infiniband", "ethernet"), form="osfp", lanes=8, lane_gbps=100,
        ports=2, port_gbps=400, connector="MPO-12/APC", connector_count=2, status="active",
        confidence="estimated", sources=("s",),
    )  # fmt: skip
    assert describe("transceivers", bare, "zh") == "800G 双端口 OSFP 光模块，2×MPO-12/APC"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_product_has_a_description(lang: str) -> None:
    for kind in ("switches", "adapters", "platforms", "transceivers", "cables", "fibres", "accessories"):
        for key in CATALOG.keys(kind):
            found = describe(kind, CATALOG.get(kind, key, Entry), lang, 3000)
            assert found
            assert "None" not in found, key
            assert "{" not in found, key


def test_reason_of_a_spine_count_that_does_not_divide() -> None:
    row = Candidate(
        option="spines", count=12, tiers=2, leaf_count=24, spine_count=12, core_count=0, reason="uplinks-not-divisible",
        params=tuple(Param(name=name, value=value) for name, value in
                     (("spines", 12), ("uplinks", 32), ("used", 24), ("chosen", 16), ("ratio", "4:3"))),
    )  # fmt: skip
    assert reason(row) == (
        "12 spines fit by ports; 16 because 32 uplinks must divide: with 12 only 24 of 32 uplinks are used, 4:3"
    )
    assert label(row, "zh") == "12 台 Spine"


def test_unknown_reason_is_told_as_it_stands() -> None:
    row = Candidate(
        option="something", count=7, tiers=0, leaf_count=0, spine_count=0, core_count=0, reason="new-reason"
    )
    assert (reason(row, "zh"), label(row, "zh")) == ("new-reason", "something 7")


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [("--nodes 256", "no-port-for-ufm", "one node fewer (96 switches), or --reserve-ports 1 (188 switches)"),
     ("--nodes 256 --tiers 2", "no-port-for-ufm-but-fewer", "one node fewer (96 switches), or more tiers"),
     ("--nodes 64 --management external", "no-port-for-ufm", "one node fewer (24 switches)")],
)  # fmt: skip
def test_ways_to_a_port_for_a_manager(options: str, code: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The ways out that there are, with their counts; nothing of managed switches where there are none."""
    main(f"design {options} --platform dgx-h100 --gen ndr --json".split())
    found = {item["code"]: item for item in json.loads(capsys.readouterr().out)["findings"]}
    assert said in found[code]["hint"]
    assert "managed" not in found[code]["message"] + found[code]["hint"]
    assert " - " not in found[code]["hint"] and "(-" not in found[code]["hint"]


@pytest.mark.parametrize("lang", ["fr", "", "EN", "../en"])
def test_a_language_that_there_is_none_of(lang: str) -> None:
    note = finding("info", "grows", "compute", nodes_final=2, leaves_today=1, leaves_final=2)
    switch = CATALOG.switch("QM9700")
    plan = design(load_requirement({"groups": [{"gpus": 8}], "fabrics": [{"rate": "ndr"}]}), CATALOG)
    calls: list[Callable[[], object]] = [
        lambda: text(note, lang), lambda: hint(note, lang), lambda: term("plan", lang),
        lambda: describe("switches", switch, lang), lambda: label(plan.fabrics[0].candidates[0], lang),
        lambda: summarize(plan, lang), lambda: render(plan, "json", lang),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(RenderError) as caught:
            call()
        assert (caught.value.code, caught.value.message) == ("language", f"no language '{lang}'")


def test_every_option_that_sizing_weighs_has_a_name() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "fabricplan" / "sizing").glob("*.py"))
    codes = set(re.findall(r'(?:fell|candidate)\(\s*"([^"]+)"|option="([^"]+)"', source))
    named = {one or other for one, other in codes}
    assert named == set(importlib.import_module("fabricplan.wording.en").LABELS)
