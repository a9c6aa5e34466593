"""The crew pack: every cable once and in order, no two teams in one rack, labels for both ends, lengths, progress."""

from __future__ import annotations

import io
import itertools
import re
from collections import Counter, defaultdict
from typing import Any

import openpyxl
import pytest

from fabricplan.crew.lengths import cut_list, edges, histogram
from fabricplan.crew.packages import PACKAGE_PIECES, Package, turns
from fabricplan.crew.pieces import pieces_of
from fabricplan.renderers import render
from fabricplan.schedule import cable_rows, cable_table
from tests.conftest import PlanOf
from tests.unit.crews import labels_in, rows, shapes, work_of
from tests.unit.exports import H100


@shapes
def test_every_cable_is_laid_once(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    plan = plan_of(group, fabric)
    scheduled = Counter((row.id, row.tail or 0) for row in cable_rows(plan) if row.pn is not None)
    packed = Counter((piece.cable, piece.tail) for package in work_of(plan) for piece in package.pieces)
    assert packed == scheduled
    assert set(packed.values()) == {1}


@shapes
def test_order_of_installation(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    plan = plan_of(group, fabric)
    cables = pieces_of(plan, cable_table(plan))
    row_of = {name: name.rstrip("0123456789") for name in plan.placement.rack_names()}
    for cable in cables:
        spread = {
            0 if piece.a.rack == piece.z.rack else 1 if row_of[piece.a.rack] == row_of[piece.z.rack] else 2
            for piece in cable
        }
        assert {piece.route for piece in cable} == {max(spread)}
    routes = [cable[0].route for cable in cables]
    assert routes == sorted(routes)
    runs = [(cable[0].route, cable[0].bundle) for cable in cables]
    changes = sum(one != other for one, other in itertools.pairwise(runs)) + 1
    assert changes == len(set(runs)), "a bundle is left and taken up again"
    longest: dict[tuple[int, int], int] = defaultdict(int)
    for cable, run in zip(cables, runs, strict=True):
        longest[run] = max(longest[run], *(piece.required_mm for piece in cable))
    keys = [(run[0], longest[run]) for run in runs]
    assert keys == sorted(keys)
    for _, held in itertools.groupby(zip(runs, cables, strict=True), key=lambda item: item[0]):
        parts = [(cable[0].length_mm, cable[0].cable) for _, cable in held]
        assert parts == sorted(parts)


@shapes
@pytest.mark.parametrize("teams", [1, 2, 5])
def test_no_two_teams_share_a_rack_at_a_step(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], teams: int
) -> None:
    packages = work_of(plan_of(group, fabric))
    found = turns(packages, teams)
    steps: dict[int, list[tuple[int, Package]]] = defaultdict(list)
    for package, turn in zip(packages, found, strict=True):
        assert 1 <= turn.team <= teams
        steps[turn.step].append((turn.team, package))
    assert sorted(steps) == list(range(1, len(steps) + 1))
    for held in steps.values():
        assert len({team for team, _ in held}) == len(held)
        told = [
            rack
            for _, package in held
            for rack in {spot.rack for piece in package.pieces for spot in (piece.a, piece.z)}
        ]
        assert len(told) == len(set(told))
        assert len({package.route for _, package in held}) == 1
    assert [steps[step][0][1].route for step in sorted(steps)] == sorted(steps[step][0][1].route for step in steps)
    if teams == 1:
        assert [turn.step for turn in found] == list(range(1, len(packages) + 1))


def test_more_teams_take_fewer_steps_where_racks_allow(plan_of: PlanOf) -> None:
    packages = work_of(plan_of({"nodes": 256, **H100}, {"rate": "ndr"}))
    steps = [max(turn.step for turn in turns(packages, teams)) for teams in (1, 2, 4)]
    assert steps[0] == len(packages) and steps[0] > steps[1] >= steps[2] >= -(-len(packages) // 4)


@shapes
def test_packages_hold_at_most_so_many_pieces(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    packages = work_of(plan_of(group, fabric))
    assert all(len(package.pieces) <= PACKAGE_PIECES for package in packages)
    assert len({package.name for package in packages}) == len(packages)


@shapes
def test_cut_list_is_the_bill(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    plan = plan_of(group, fabric, spares={"aoc_percent": 3, "fibre_percent": 2, "copper_percent": 2})
    bill = {(line.key, line.length_mm): (line.quantity, line.spare) for line in plan.bom.lines
            if line.kind in ("cable", "fibre")}  # fmt: skip
    cuts = cut_list(plan)
    assert {(cut.family, cut.length_mm): (cut.cables, cut.spare) for cut in cuts} == bill
    assert any(cut.spare for cut in cuts)
    for cut in cuts:
        assert 0 <= cut.slack_least_mm == cut.length_mm - cut.longest_mm and cut.shortest_mm <= cut.longest_mm
        assert cut.order == sum(bill[cut.family, cut.length_mm])
    bars = histogram(plan)
    total = len(plan.cabling.cables)
    assert sum(bar.required for bar in bars) == sum(bar.ordered for bar in bars) == total
    reached = 0
    for bar in bars:
        reached += bar.required - bar.ordered
        assert reached >= 0, "no cable is ordered shorter than required"


def test_tight_cables_are_those_below_five_percent(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 32, **H100}, {"rate": "ndr"})
    cables = pieces_of(plan, cable_table(plan))
    found = edges(plan, cables)
    length = [part.length_mm for part in plan.cabling.cable_parts]
    tight = {
        number
        for number, (part, _, required, _) in enumerate(plan.cabling.cables.rows(), 1)
        if (length[part] - required) / length[part] < 0.05
    }
    assert {int(edge.piece.cable.removeprefix("C")) for edge in found} == tight and tight
    assert all(edge.next_mm and edge.next_mm > edge.piece.length_mm for edge in found)


def test_one_uniform_length_says_nothing_of_edges(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 32, **H100}, {"rate": "ndr"}, room={"uniform_length_mm": 30000})
    assert edges(plan, pieces_of(plan, cable_table(plan))) == []
    book = openpyxl.load_workbook(io.BytesIO(render(plan, "crew")["crew/crew.xlsx"]))
    assert book["Tight lengths"]["A1"].value == "Not told: one uniform length was asked for."


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_files_agree(plan_of: PlanOf, lang: str) -> None:
    plan = plan_of({"nodes": 128}, {"rate": "hdr100"})
    files = render(plan, "crew", lang, 2)
    assert sorted(files) == [f"crew/{name}" for name in ("crew.xlsx", "cuts.csv", "labels.csv", "labels.html",
                                                         "ports.csv", "progress.csv")]  # fmt: skip
    book = openpyxl.load_workbook(io.BytesIO(files["crew/crew.xlsx"]))
    kinds = {"en": ("Packages", "Checklist", "Labels", "Cut list", "Lengths", "Tight lengths", "Ports A"),
             "zh": ("工作包", "检查表", "标签", "裁线清单", "长度", "余量不足", "端口 A")}  # fmt: skip
    assert set(kinds[lang]) <= set(book.sheetnames)
    lines = rows(files["crew/labels.csv"])
    told = labels_in(plan)
    assert len(lines) == len(told) == book[kinds[lang][2]].max_row - 1
    page = files["crew/labels.html"].decode()
    assert page.count("<p>") == len(told)
    assert max(page.count("<p>", at.start(), at.end()) for at in re.finditer(r"<section>.*</section>", page)) == 44
    pieces = sum(len(package.pieces) for package in work_of(plan))
    assert len(rows(files["crew/progress.csv"])) == pieces == book[kinds[lang][1]].max_row - 1
    assert files == render(plan, "crew", lang, 2)


def test_port_sheets_show_every_plug_where_it_goes(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 31, **H100}, {"rate": "ndr", "reserve_ports": 4})
    files = render(plan, "crew")
    planned: Counter[tuple[tuple[object, ...], tuple[object, ...]]] = Counter()
    for row in cable_rows(plan):
        if row.pn is not None:
            a, z = (row.a_rack, row.a_device, row.a_port), (row.z_rack, row.z_device, row.z_port)
            planned.update([(a, z), (z, a)])
    told = [
        ((line["rack"], line["device"], line["port"]), (line["to rack"], line["to device"], line["to port"]))
        for line in rows(files["crew/ports.csv"])
    ]
    assert Counter(told) == planned
    rack_order = [near[0] for near, _ in told]
    assert rack_order == sorted(rack_order)
    places = [(line["rack"], -int(line["U"])) for line in rows(files["crew/ports.csv"])]
    assert places == sorted(places), "from the top unit down"
    book = openpyxl.load_workbook(io.BytesIO(files["crew/crew.xlsx"]))
    sheet = book["Ports A"]
    held = [cell.value for cell in sheet["A"][1:]]
    starts = {number for number in range(1, len(held)) if held[number] != held[number - 1]}
    assert {item.id - 1 for item in sheet.row_breaks.brk} == starts, "every rack begins a page"
    names = [package.name for package in work_of(plan) for _ in package.pieces]
    turned = {number for number in range(1, len(names)) if names[number] != names[number - 1]}
    assert {item.id - 1 for item in book["Checklist"].row_breaks.brk} == turned, "every package begins a page"
    checklist = book["Checklist"]
    longest = max(len(package.pieces) for package in work_of(plan))
    assert longest > 57 and checklist.sheet_format.defaultRowHeight == 12.75
    assert not checklist.sheet_properties.pageSetUpPr.fitToPage, "Excel would pass over the breaks"
    across = sum(7 * column.width * 0.75 * (column.max - column.min + 1)
                 for column in checklist.column_dimensions.values())  # fmt: skip
    scale = checklist.page_setup.scale / 100
    assert scale * across <= 785 and scale * (32 + 12.75 * longest) <= 502, "a package is one page"


def test_reserved_ports_get_no_cable_and_are_told(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 31, **H100}, {"rate": "ndr", "reserve_ports": 4})
    bare = sum(row.pn is None for row in cable_rows(plan))
    book = openpyxl.load_workbook(io.BytesIO(render(plan, "crew")["crew/crew.xlsx"]))
    notes = [row[0].value for row in book["Packages"].iter_rows(max_row=6)]
    assert bare == 4 and "4 reserved ports get no cable." in notes


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_first_sheet_explains_what_the_plan_has(plan_of: PlanOf, lang: str) -> None:
    """Its examples are ports and labels of the plan; splitters, shared plugs and fibre only where there are some."""
    sheet, topics = {"en": ("Read first", ("Splitters", "One plug, two ports", "Fibre", "Modules")),
                     "zh": ("说明", ("分支线缆", "一头两口", "光纤", "光模块"))}[lang]  # fmt: skip
    split = plan_of({"nodes": 5, "ports": 1}, {"rate": "hdr100"})
    optic = plan_of({"nodes": 32, **H100}, {"rate": "ndr"})
    copper = plan_of({"nodes": 32, **H100}, {"rate": "ndr", "media": "copper"}, room={"uniform_length_mm": 1000})
    for plan in (split, optic, copper):
        kinds = {line.kind for line in plan.bom.lines}
        has = {0} if plan.cabling.links.tail.any() else set()
        has |= {1} if any(row.z_port and "+" in str(row.z_port) for row in cable_rows(plan)) else set()
        has |= {2} if "fibre" in kinds else set()
        has |= {3} if "transceiver" in kinds else set()
        book = openpyxl.load_workbook(io.BytesIO(render(plan, "crew", lang)["crew/crew.xlsx"]))
        assert book.sheetnames[0] == sheet
        told = {str(row[0]): str(row[1]) for row in book[sheet].iter_rows(min_row=2, values_only=True)}
        assert {topics[at] for at in has} <= told.keys()
        assert not {topics[at] for at in {0, 1, 2, 3} - has} & told.keys()
        first = work_of(plan)[0].pieces[0]
        label = told["Labels" if lang == "en" else "标签"]
        assert first.a.line in label and first.z.line in label and first.key in label
        assert any(item.code in label for item in labels_in(plan) if item.id == first.key)
        if 3 in has:
            modules = {line.pn for line in plan.bom.lines if line.kind == "transceiver"}
            assert all(module in told[topics[3]] for module in modules)


def test_port_sheets_name_the_module_of_every_port(plan_of: PlanOf) -> None:
    """Counted per cage, the modules beside the ports are those of the bill."""
    plan = plan_of({"nodes": 32, **H100}, {"rate": "ndr"})
    seen: dict[tuple[str, str], str] = {}
    cages = {(row.a_device, row.a_port): row.a_cage for row in cable_rows(plan)}
    cages |= {(row.z_device, row.z_port): row.z_cage for row in cable_rows(plan)}
    for line in rows(render(plan, "crew")["crew/ports.csv"]):
        at = line["device"], str(cages[line["device"], line["port"]])
        assert seen.setdefault(at, line["module in this port"]) == line["module in this port"]
    bought = {line.pn: line.quantity for line in plan.bom.lines if line.kind == "transceiver"}
    assert Counter(seen.values()) == bought


def test_hours_of_packages(plan_of: PlanOf) -> None:
    packages = work_of(plan_of({"nodes": 48}, {"rate": "hdr100"}))
    assert [package.hours for package in packages] == [round(len(package.pieces) / 8, 1) for package in packages]
