"""Left and right cable managers: half of a panel to each side, told only where the panel is known."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from pathlib import Path

import openpyxl
import pytest

from fabricplan.catalog import Catalog
from fabricplan.crew.site import switch_faces
from fabricplan.files import load_catalog
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.renderers import render
from fabricplan.renderers.options import Options
from fabricplan.requirement import parse_requirement
from fabricplan.schedule import cable_rows, cable_table
from fabricplan.schedule.managers import cage_side, rack_sides

REQUEST = {"groups": [{"nodes": 16, "platform": "dgx-h100"}], "fabrics": [{"rate": "ndr"}]}
OURS = "- model: QM9700\n  extends: true\n  port_rows: 2\n"
WORDS = {"en": ("left", "right", "cable manager", "Read first", "Left and right",
                r"cables left ([\d,]+), right ([\d,]+)"),
         "zh": ("左", "右", "理线侧", "说明", "左右走线", r"线缆左 ([\d,]+)，右 ([\d,]+)")}  # fmt: skip


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """A plan of a company that says how the cages of its switches stand."""
    folder = tmp_path_factory.mktemp("ours") / "switches"
    folder.mkdir()
    (folder / "ours.yaml").write_text(OURS, encoding="utf-8")
    return design(parse_requirement(REQUEST), load_catalog(folder.parent))


def sides(plan: Plan, lang: str = "en") -> list[dict[str, str]]:
    names = ("id", "a_device", "a_rack", "a_cage", "a_side", "z_device", "z_rack", "z_cage", "z_side")
    data = render(plan, "cables-csv", lang, options=Options(columns=names))["cables.csv"].decode("utf-8-sig")
    return [dict(zip(names, row, strict=True)) for row in list(csv.reader(io.StringIO(data, newline="")))[1:]]


@pytest.mark.parametrize(("cages", "rows"), [(32, 2), (40, 2), (64, 4), (72, 4), (36, 1), (32, 1)])
def test_half_of_the_cages_leave_on_each_side_and_no_column_is_parted(cages: int, rows: int) -> None:
    found = [cage_side(cage, cages, rows) for cage in range(1, cages + 1)]
    assert Counter(found) == {"left": cages // 2, "right": cages // 2}
    assert found == sorted(found), "left of the middle everything goes left"
    for start in range(0, cages, rows):
        assert len(set(found[start : start + rows])) == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_cables_tell_the_side_of_their_switch_ports(known: Plan, lang: str) -> None:
    left, right, *_ = WORDS[lang]
    for row in sides(known, lang):
        for end in "az":
            if row[f"{end}_device"].startswith("node"):
                assert row[f"{end}_side"] == ""
            else:
                assert row[f"{end}_side"] == (left if int(row[f"{end}_cage"]) <= 16 else right)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_port_sheets_guide_and_elevations_tell_the_sides(known: Plan, lang: str) -> None:
    left, right, heading, guide, topic, foot = WORDS[lang]
    told = {row["id"]: (row["a_side"], row["z_side"]) for row in sides(known, lang)}
    counts = Counter((row[f"{end}_rack"], row[f"{end}_side"]) for row in sides(known, lang) for end in "az")
    files = render(known, "crew", lang)
    ports = list(csv.DictReader(io.StringIO(files["crew/ports.csv"].decode("utf-8-sig"), newline="")))
    key = {"en": "id", "zh": "编号"}[lang]
    for name, pair in told.items():
        assert Counter(row[heading] for row in ports if row[key] == name) == Counter(pair)
    book = openpyxl.load_workbook(io.BytesIO(files["crew/crew.xlsx"]))
    assert topic in [row[0] for row in book[guide].iter_rows(values_only=True)]
    found = rack_sides(known, cable_table(known))
    assert found == {rack: (counts[rack, left], counts[rack, right]) for rack in found}
    assert found and all(one for pair in found.values() for one in pair)
    drawn = render(known, "elevations", lang)
    feet = [pair for name, data in drawn.items() if "row-" in name for pair in re.findall(foot, data.decode())]
    assert Counter(feet) == Counter((f"{one:,}", f"{two:,}") for one, two in found.values())


def test_nothing_is_said_of_panels_that_are_not_known(catalog: Catalog) -> None:
    plan = design(parse_requirement(REQUEST), catalog)
    assert {row[f"{end}_side"] for row in sides(plan) for end in "az"} == {""}
    assert rack_sides(plan, cable_table(plan)) == {}
    files = render(plan, "crew")
    assert "cable manager" not in files["crew/ports.csv"].decode("utf-8-sig").splitlines()[0]
    topics = openpyxl.load_workbook(io.BytesIO(files["crew/crew.xlsx"]))["Read first"]["A"]
    assert "Left and right" not in [cell.value for cell in topics]
    assert not re.search("cables left", "".join(data.decode() for data in render(plan, "elevations").values()))


def test_reserved_ports_count_for_no_side(tmp_path: Path) -> None:
    (tmp_path / "switches").mkdir()
    (tmp_path / "switches" / "ours.yaml").write_text(OURS, encoding="utf-8")
    request = {"groups": [{"nodes": 31, "platform": "dgx-h100"}], "fabrics": [{"rate": "ndr", "reserve_ports": 4}]}
    plan = design(parse_requirement(request), load_catalog(tmp_path))
    ends = sum(row.pn is not None and not str(device).startswith("node") for row in cable_rows(plan)
               for device in (row.a_device, row.z_device))  # fmt: skip
    assert sum(map(sum, rack_sides(plan, cable_table(plan)).values())) == ends


@pytest.mark.parametrize(("airflow", "face"), [("P2C", "rear"), ("C2P", "front")])
def test_ports_look_to_the_side_of_the_airflow(catalog: Catalog, airflow: str, face: str) -> None:
    """Power side to ports: the ports stand in the hot air; a plan that orders no form says nothing."""
    request = {**REQUEST, "fabrics": [{"rate": "ndr", "airflow": airflow}]}
    plan = design(parse_requirement(request), catalog)
    switches = {name for name in plan.device_names() if not name.startswith("node")}
    assert dict(zip(plan.device_names(), switch_faces(plan), strict=True)) == {
        name: face if name in switches else "" for name in plan.device_names()
    }
    for lang, heading, words in (("en", "rack side", {"rear": "rear", "front": "front"}),
                                 ("zh", "前/后", {"rear": "后", "front": "前"})):  # fmt: skip
        rows = list(csv.DictReader(io.StringIO(render(plan, "crew", lang)["crew/ports.csv"].decode("utf-8-sig"))))
        device = {"en": "device", "zh": "设备"}[lang]
        assert {(row[device] in switches, row[heading]) for row in rows} == {(True, words[face]), (False, "")}
        drawn = "".join(data.decode() for name, data in render(plan, "elevations", lang).items() if "row-" in name)
        assert drawn.count(f"QM9700 · {words[face]}<") == len(switches)


def test_an_airflow_that_is_not_known_has_no_side(catalog: Catalog) -> None:
    request = {"groups": [{"nodes": 16}], "fabrics": [{"rate": "hdr", "leaf": "CS8500"}]}
    plan = design(parse_requirement(request), catalog)
    assert all(form.airflow is None for form in plan.products.switch("CS8500").variants)
    assert set(switch_faces(plan)) == {""}
    assert "rack side" not in render(plan, "crew")["crew/ports.csv"].decode("utf-8-sig").splitlines()[0]
