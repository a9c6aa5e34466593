"""The report: everything that must be in it, escaped, in both languages, the same bytes every time."""

from __future__ import annotations

from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest

from fabricplan.checks import SELLER_ONLY, for_customer
from fabricplan.plan import Plan
from fabricplan.renderers import diagram_words, report_html
from fabricplan.wording import hint, report_en, report_zh, text
from tests.conftest import PlanOf

VOID = {"meta", "br", "path", "rect"}
HOSTILE = '<script>alert("1")</script> & \'co'


class Reader(HTMLParser):
    """Collects texts, and complains where tags do not match."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(plan: Plan, lang: str) -> tuple[Reader, str]:
    data = report_html.render(plan, lang)["report.html"]
    assert report_html.render(plan, lang)["report.html"] == data
    reader = Reader()
    reader.feed(data.decode())
    reader.close()
    assert reader.open == []
    return reader, data.decode()


def test_racks_are_drawn_while_they_are_not_too_many(plan_of: PlanOf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every device and rack of the room stands in the figures, none with more racks than a page across shows."""
    made = plan_of({"nodes": 40, "platform": "dgx-h100"}, {"rate": "ndr"})
    _, page = read(made, "en")
    drawn = page.split('<section class="elevations">')[1].split("</section>")[0]
    names, racks = made.device_names(), made.placement.rack_names()
    assert all(f">{name}<" in drawn for name in names[:40]) and all(f">{name}<" in drawn for name in racks)
    figures = [figure for figure in drawn.split("<svg")[1:] if any(f">{name}<" in figure for name in racks)]
    assert all(sum(f">{name}<" in figure for name in racks) <= 6 for figure in figures)
    assert len({figure.split('width="')[1].split('"')[0] for figure in figures}) == 1
    monkeypatch.setattr(report_html, "RACKS_SHOWN", len(racks) - 1)
    without = read(made, "zh")[1]
    assert f"机柜超过 {len(racks) - 1} 个" in without and len(without) < len(page) / 2


@pytest.fixture(scope="module")
def plan(plan_of: PlanOf) -> Plan:
    made: Plan = plan_of(
        {"nodes": 64, "platform": "dgx-h100"}, {"rate": "ndr", "management": "external"}, name=HOSTILE, spares="field"
    )
    return made


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_report_holds_findings_parts_and_reasons(plan: Plan, lang: str) -> None:
    reader, _ = read(plan, lang)
    shown = "".join(reader.texts)
    assert {found.severity for found in plan.findings} >= {"error", "warning"}
    for found in for_customer(plan.findings):
        assert text(found, lang) in shown
        assert hint(found, lang) in shown
    for line in plan.bom.lines:
        assert line.pn in shown
        assert f"{line.quantity:,}" in shown
    assert sum(1 for line in plan.bom.lines if line.spare) > 0
    for source in plan.products.sources:
        assert source.title in shown
    assert plan.made_by.catalog in shown and plan.made_by.version in shown


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_report_is_self_contained_and_escapes(plan: Plan, lang: str) -> None:
    reader, source = read(plan, lang)
    assert reader.links == []
    assert "script" not in reader.tags
    assert "svg" in reader.tags
    assert "<script" not in source
    assert HOSTILE in unescape(source)
    assert "@import" not in source and "url(" not in source


def test_report_warns_before_an_order(plan: Plan, plan_of: PlanOf) -> None:
    warning = report_en.TERMS["must-not-order"]
    assert warning in read(plan, "en")[1]
    good = plan_of({"gpus": 1024}, {"rate": "ndr"})
    assert warning not in read(good, "en")[1]


def test_report_claims_only_what_holds(plan_of: PlanOf) -> None:
    def claims(fabric: dict[str, Any], nodes: int = 64) -> set[str]:
        shown = read(plan_of({"nodes": nodes, "platform": "dgx-h100"}, {"rate": "ndr", **fabric}), "en")[1]
        return {key for key, words in report_en.TERMS.items() if key.startswith("claim-") and words in unescape(shown)}

    assert claims({}) == {"claim-even", "claim-static", "claim-measure"}
    assert claims({"oversubscription": ["2:1"]}) == {"claim-ratio", "claim-static", "claim-measure"}
    assert claims({}, nodes=4) == {"claim-one", "claim-measure"}
    assert "claim-planes" in claims({"planes": "rail"}, nodes=512)


def test_report_names_unknown_power(plan_of: PlanOf) -> None:
    shown = "".join(read(plan_of({"gpus": 64}, {"rate": "ndr"}), "en")[0].texts)
    assert "Not in the sum, because the maker's figure is not known: 8 x generic 8-GPU server" in shown


def test_languages_have_the_same_words() -> None:
    assert report_en.TERMS.keys() == report_zh.TERMS.keys()
    assert len(report_en.GLOSSARY) == len(report_zh.GLOSSARY)


def test_numbers_have_separators_and_one_has_its_own_word(plan: Plan) -> None:
    words = diagram_words.Words(plan, "en")
    assert words.say("links", count=1024) == "1,024 links"
    assert words.say("links", count=1) == "1 link"


def test_what_makers_say_of_the_server_is_not_told_to_its_owner(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 4, "platform": "dgx-a100"}, {"rate": "hdr"})
    platform = [item for item in plan.findings if item.code in SELLER_ONLY]
    assert platform and {item.severity for item in platform} == {"info"}
    for lang in ("en", "zh"):
        shown = "".join(read(plan, lang)[0].texts)
        assert not [item for item in platform if text(item, lang) in shown]
        assert any(text(item, lang) in shown for item in plan.findings if item not in platform)
