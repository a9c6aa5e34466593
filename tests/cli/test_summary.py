"""The JSON contract, the first screen and the reasons."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, get_type_hints

import pytest
from pydantic import TypeAdapter

from fabricplan import Plan, design, load_catalog, load_requirement, summarize
from fabricplan.cli import main
from fabricplan.summary import Summary, columns, cut, explain, list_findings, screen, wrap
from fabricplan.wording import text

from .conftest import Ran

CATALOG = load_catalog()


def planned(group: dict[str, Any], fabric: dict[str, Any], **more: Any) -> Plan:
    return design(load_requirement({"groups": [group], "fabrics": [fabric], **more}), CATALOG)


NDR = planned({"gpus": 1024}, {"rate": "ndr"})


def test_json_contract(run: Callable[..., Ran]) -> None:
    ran = run("design --gpus 1024 --gen ndr --json")
    assert ran.status == 0
    assert ran.err == ""
    found = ran.json
    assert list(found) == list(get_type_hints(Summary))
    assert (found["schema"], found["gpus"], found["nodes"]) == ("fabricplan/summary/1", 1024, 128)
    fabric = found["fabrics"][0]
    assert fabric["switches"] == {"leaf": 32, "spine": 16, "core": 0}
    assert fabric["links"] == {"node_leaf": 1024, "leaf_spine": 1024, "spine_core": 0, "reserved": 0}
    assert (fabric["technology"], fabric["rate"], fabric["link_gbps"]) == ("infiniband", "ndr", 400)
    assert (fabric["tiers"], fabric["planes"], fabric["attach"]) == (2, 1, "rail")
    assert (fabric["oversubscription"], fabric["endpoints"], fabric["boxes"]) == ("1:1", 1024, 48)
    assert fabric["bisection_gbps"] == 204800
    totals = found["totals"]
    assert (totals["switches"], totals["transceivers"], totals["cables"]) == (48, 2560, 2048)
    assert (totals["power_max_w"], totals["power_unknown"]) == (48 * 1720, [])
    assert sum(row["quantity"] for row in found["bom"] if row["kind"] == "adapter") == 1024
    assert all(row["description"] for row in found["bom"])
    assert found["files"] == []


def test_summary_is_of_its_type_in_both_languages() -> None:
    for lang in ("en", "zh"):
        TypeAdapter(Summary).validate_python(summarize(NDR, lang), strict=True)


def test_power_is_null_when_a_part_is_unknown() -> None:
    totals = summarize(planned({"nodes": 20}, {"rate": "hdr"}))["totals"]
    assert totals["power_max_w"] is None
    assert totals["power_unknown"] == ["MQM8700-HS2F"]


def test_order_number_is_the_part_number_where_that_is_one() -> None:
    rows = summarize(planned({"gpus": 1024}, {"rate": "xdr"}))["bom"]
    switch = next(row for row in rows if row["kind"] == "switch")
    assert switch["opn"] == switch["pn"] == "920-9B36F-00RX-8S0"
    assert summarize(planned({"nodes": 20}, {"rate": "hdr"}))["bom"][0]["opn"] is None


def test_boxes_and_switches_are_counted_apart() -> None:
    plan = planned({"nodes": 4}, {"rate": "xdr", "leaf": "Q3200-RA"})
    totals = summarize(plan)["totals"]
    assert totals["switches"] == 1
    assert totals["boxes"] == 1
    pair = planned({"nodes": 8}, {"rate": "xdr", "leaf": "Q3200-RA"})
    counted = summarize(pair)["totals"]
    assert counted["switches"] > counted["boxes"]
    assert f"{counted['switches']} switches in {counted['boxes']} boxes Q3200-RA" in "\n".join(screen(pair))


def test_first_screen_in_chinese() -> None:
    lines = screen(NDR, "zh", ["plan.json", "fabric.xlsx"], "报价")
    assert lines[:4] == [
        "1024 GPU · 128 节点 · NDR 400G · 两层 · 无阻塞 1:1 [已校验]",
        "Leaf 32 + Spine 16 = 48 台 QM9700   最大功耗 82.6 kW",
        "节点链路 1024   Leaf-Spine 1024",
        "光模块 1536 双端口 + 1024 单端口   光纤 2048   网卡 1024",
    ]
    assert lines[4].startswith("警告 1：")
    assert "".join(line.strip() for line in lines[4:-1]).endswith("（--explain 可查看全部）")
    assert lines[-1] == "文件（报价）：plan.json fabric.xlsx"


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("group", "fabric"),
    [
        ({"gpus": 1024}, {"rate": "ndr"}),
        ({"nodes": 512, "platform": "dgx-h100"}, {"rate": "ndr"}),
        ({"nodes": 512, "platform": "dgx-h100"}, {"rate": "ndr", "planes": "rail"}),
        ({"nodes": 64, "platform": "dgx-h100"}, {"rate": "ndr", "management": "external"}),
        ({"nodes": 64, "platform": "dgx-b300"}, {"technology": "roce", "rate": "400gbe", "planes": 2}),
    ],
)
def test_lines_fit_a_terminal(lang: str, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    plan = planned(group, fabric)
    first = screen(plan, lang, ["plan.json", "bom.csv", "cables.csv", "fabric.xlsx", "report.html"], "a" * 120)
    for line in [*first, *explain(plan, lang), *list_findings(plan, lang)]:
        assert columns(line) <= 80, line
    assert len(screen(plan, lang)) <= 10


def test_a_plan_with_errors_is_not_called_checked() -> None:
    plan = planned({"nodes": 64, "platform": "dgx-h100"}, {"rate": "ndr", "management": "external"})
    for lang, mark, word in (("en", "[checked]", "Error"), ("zh", "[已校验]", "错误")):
        lines = screen(plan, lang)
        assert mark not in lines[0]
        assert lines[1].startswith(word)
        assert mark in screen(NDR, lang)[0]


def test_rail_planes_are_shown_where_they_save_switches() -> None:
    plan = planned({"nodes": 512, "platform": "dgx-h100"}, {"rate": "ndr"})
    assert any("--planes rail, 192 switches" in line for line in screen(plan))
    assert not any("--planes rail" in line for line in screen(NDR))


def test_explain_says_why_not_twelve_spines() -> None:
    plan = planned({"nodes": 95, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 4})
    told = " ".join(line.strip() for line in explain(plan))
    assert "* chosen (24+16+0, 40)" in told
    assert "12 spines (24+12+0, 36): 12 spines fit by ports; 16 because 32 uplinks must divide" in told
    assert "24 of 32 uplinks are used, 4:3" in told


def test_wrap_and_cut_count_chinese_characters_twice() -> None:
    assert columns("节点 128") == 8
    assert cut("节点节点节点", 8) == "节点节…"
    assert all(columns(piece) <= 20 for piece in wrap("没有空余端口接 UFM、SHARP 或其他管理主机，请预留端口", 20))
    assert "".join(piece.strip() for piece in wrap("x" * 50, 20)) == "x" * 50


SHAPES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"gpus": 1}, {"rate": "ndr"}), ({"gpus": 8}, {"rate": "xdr"}), ({"gpus": 1024}, {"rate": "ndr"}),
    ({"nodes": 512, "platform": "dgx-h100"}, {"rate": "ndr"}), ({"nodes": 20}, {"rate": "edr"}),
    ({"nodes": 64, "platform": "dgx-h100"}, {"rate": "ndr", "management": "external"}),
    ({"nodes": 100, "platform": "dgx-h100"}, {"rate": "ndr", "oversubscription": ["3:1"], "media": "copper"}),
]  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("group", "fabric"), SHAPES)
def test_no_sentence_is_cut_in_its_middle(lang: str, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    plan = planned(group, fabric)
    lines = screen(plan, lang)
    told = " ".join(line.strip() for line in lines).replace(" ", "")
    assert "…" not in told
    assert told.count("--explain") == 1  # more than one finding in each of them
    first = next(item for word in ("error", "warning", "info") for item in plan.findings if item.severity == word)
    said = text(first, lang).partition(f"{first.subject}: " if lang == "en" else f"{first.subject}：")[2]
    clause = re.split(r"[;:,](?= )|[；：，。]", said)[0]
    assert clause.replace(" ", "") in told


def test_one_is_not_several() -> None:
    for group, rate in (({"gpus": 1}, "ndr"), ({"nodes": 1}, "xdr"), ({"nodes": 1, "gpus": None}, "edr")):
        plan = planned({key: value for key, value in group.items() if value}, {"rate": rate})
        told = "\n".join([*screen(plan), *list_findings(plan)])
        several = "GPUs|nodes|links|ports|devices|boxes|switches|leaves|cables|pieces"
        assert not re.findall(rf"(?<![\d,.:-])1 (?:{several})", told)


def test_ratio_as_people_read_it() -> None:
    plan = planned({"nodes": 100, "platform": "dgx-h100"}, {"rate": "ndr", "oversubscription": ["3:1"]})
    assert plan.fabrics[0].oversubscription == "17:6"
    assert "oversubscription 2.83:1 (asked 3:1)" in " ".join(" ".join(screen(plan)).split())
    assert "收敛比 2.83:1（要求 3:1）" in screen(plan, "zh")[0]
    assert summarize(plan)["fabrics"][0]["oversubscription"] == "17:6"
    exact = planned({"nodes": 128, "platform": "dgx-h100"}, {"rate": "ndr", "oversubscription": ["2:1"]})
    assert screen(exact)[0].endswith("oversubscription 2:1")


def test_every_fabric_tells_its_own_nodes(capsys: pytest.CaptureFixture[str]) -> None:
    main(["design", "--gpus", "256", "--gen", "ndr", "--networks", "compute,storage,inband", "--storage-nodes", "8x2"])
    heads = [line for line in capsys.readouterr().out.splitlines() if "·" in line]
    assert [line.partition(" · ")[2][:20] for line in heads] == [
        "256 GPUs · 32 nodes ", "40 nodes · NDR 400G ", "40 nodes · Ethernet "
    ]  # fmt: skip
