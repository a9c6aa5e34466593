"""Labels of both ends of every cable, and what printers get of them."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest
import segno

from fabricplan.catalog import Catalog
from fabricplan.catalog.types import PlatformType
from fabricplan.crew.labels import Label
from fabricplan.crew.pieces import LINE_MAX
from fabricplan.crew.stock import stock_sizes
from fabricplan.crew.trays import cable_kinds
from fabricplan.errors import InfeasibleError, RenderError, RequirementError
from fabricplan.pipeline import design
from fabricplan.renderers import render
from fabricplan.renderers.crew import label_page
from fabricplan.renderers.labels.zebra import zebra_files
from fabricplan.renderers.options import Options
from fabricplan.renderers.qr import Modules, qr_drawing
from fabricplan.requirement import parse_requirement
from fabricplan.schedule import cable_rows
from fabricplan.terminal import columns
from tests.conftest import PlanOf
from tests.unit.crews import labels_in, rows, shapes
from tests.unit.test_networks import four


@shapes
def test_labels_of_both_ends(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    plan = plan_of(group, fabric)
    found = labels_in(plan)
    assert all(len(line) <= LINE_MAX for label in found for line in (label.near, label.far))
    by_id: dict[str, list[Label]] = defaultdict(list)
    for label in found:
        by_id[label.id].append(label)
    split = {str(row.id) for row in cable_rows(plan) if row.tail}
    for row in cable_rows(plan):
        if row.pn is None:
            assert str(row.id) not in by_id
        elif not row.tail:
            a, z = by_id[str(row.id)]
            assert (a.end, a.near, a.far, z.end, z.near, z.far) == ("A", row.label_a, row.label_z, "Z", row.label_z,
                                                                   row.label_a)  # fmt: skip
            assert (a.at.device, z.at.device) == (row.a_device, row.z_device)
        else:
            (tail,) = by_id[f"{row.id}/{row.tail}"]
            assert {tail.near, tail.far} == {row.label_a, row.label_z}
    for name in split:
        (head,) = by_id[name]
        tails = [label for key, held in by_id.items() if key.startswith(f"{name}/") for label in held]
        assert head.end == "head" and len(tails) > 1
        assert head.at.device not in {tail.at.device for tail in tails}
        stem = re.sub(r"/[^/]*$", "", head.near)
        assert all(tail.far.startswith(stem) for tail in tails), "the head's port is what its tails lead to"


def test_a_head_is_where_all_tails_share_a_cage(plan_of: PlanOf) -> None:
    head = next(label for label in labels_in(plan_of({"nodes": 128}, {"rate": "hdr100"})) if label.end == "head")
    assert head.at.device.startswith("leaf-")
    assert re.fullmatch(r"[A-Z]\d\d-U\d\d-P\d\d/1\+2", head.near)
    assert re.fullmatch(r"[A-Z]\d\d-U\d\d\+U\d\d", head.far)


def test_labels_of_every_platform_fit_and_differ(catalog: Catalog) -> None:
    """Near lines tell ports apart on every platform and network of the catalogue, also those that must be cut."""
    tried = cut = 0
    for platform in catalog.all("platforms", PlatformType):
        for network, rate in (("compute", "ndr"), ("storage", "ndr"), ("compute", "hdr"), ("compute", "xdr")):
            request = {
                "groups": [{"nodes": 18, "platform": platform.id}],
                "fabrics": [{"rate": rate, "network": network}],
            }
            try:
                plan = design(parse_requirement(request), catalog)
            except (InfeasibleError, RequirementError):
                continue
            tried += 1
            scheduled = Counter(line for row in cable_rows(plan) for line in (row.label_a, row.label_z) if row.pn)
            cut += any(len(str(line)) > LINE_MAX for line in scheduled)
            near = Counter(label.near for label in labels_in(plan) if label.end != "head")
            assert all(len(line) <= LINE_MAX for line in near)
            assert sorted(near.values()) == sorted(scheduled.values()), (platform.id, network)
    assert tried > 8 and cut


def test_long_names_of_racks_are_shortened_and_ports_are_kept(catalog: Catalog) -> None:
    """A Chinese character is two columns wide; every near line still ends in its port, and no two are alike."""
    names = ("东区一号机房甲", "东区一号机房乙")
    rows_named = [{"name": name, "racks": 5, "y_mm": at * 3000} for at, name in enumerate(names)]
    plan = design(parse_requirement({
        "groups": [{"nodes": 32, "platform": "dgx-h100"}], "fabrics": [{"rate": "ndr"}], "room": {"rows": rows_named},
    }), catalog)  # fmt: skip
    near = [label.near for label in labels_in(plan)]
    full = Counter(str(line) for row in cable_rows(plan) for line in (row.label_a, row.label_z) if row.pn)
    assert max(map(columns, full)) > LINE_MAX >= max(map(columns, near))
    assert sorted(Counter(near).values()) == sorted(full.values())
    assert {line.split("-U", 1)[1] for line in near} == {line.split("-U", 1)[1] for line in full}


def test_stock_follows_the_jacket(catalog: Catalog) -> None:
    plan = design(parse_requirement(four(nodes=32, servers=4)), catalog)
    kinds = cable_kinds(plan)
    assert "twisted-pair" in kinds
    by_pn = {(part.pn or part.family): kind for part, kind in zip(plan.cabling.cable_parts, kinds, strict=True)}
    for label in labels_in(plan):
        kind = by_pn[label.pn]
        if kind == "twisted-pair":
            assert (label.stock, label.diameter_mm, label.wrap_mm) == ("wrap", None, None)
        elif kind in ("dac", "acc"):
            assert (label.stock, label.diameter_mm, label.wrap_mm) == ("wrap", 9.43, 29.7)
        else:
            assert (label.stock, label.diameter_mm, label.wrap_mm) == ("flag", 3.0, 9.5)


def drawn(paths: str, size: int) -> Modules:
    """Return what horizontal lines of width 1 blacken."""
    found = np.zeros((size, size), np.uint8)
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)", paths):
        found[int(y), int(x) : int(x) + int(length)] = 1
    assert re.sub(r"M\d+ \d+h\d+", "", paths) == ""
    return found


@pytest.mark.parametrize("texts", [
    ["C0007/A", "C0007/Z", "C0007/1/A", "C0007/H", "IB-L01-0007/A", "C123456/12/A", "~^\\_ 0"],
    [f"C{number:05}/{end}" for number in range(0, 20_000, 97) for end in "AZ"], ["one"],
    ["as long as no label says"],
])  # fmt: skip
def test_codes_are_those_of_the_library(texts: list[str]) -> None:
    drawing = qr_drawing(texts)
    for text, (size, path) in zip(texts, drawing.codes, strict=True):
        whole = segno.make_qr(text, mode="byte", error="m", mask=0, boost_error=False).matrix
        assert (drawn(drawing.shared[size] + path, size) == np.array(whole)).all(), text


@pytest.mark.parametrize("text", ["", "节点"])
def test_texts_without_a_code(text: str) -> None:
    with pytest.raises(ValueError, match="no QR code"):
        qr_drawing([text])


def test_sheets_print_every_label_with_its_code(plan_of: PlanOf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where they are several files, cut between packages."""
    plan = plan_of({"nodes": 20}, {"rate": "ndr200"})
    told = labels_in(plan)
    known = {(item.id, item.near, item.far): item for item in told}
    monkeypatch.setattr(label_page, "FILE_MOST", 200)
    files = render(plan, "labels", options=Options(printers=("a4",)))
    assert len(files) > 1
    seen: list[tuple[str, ...]] = []
    for name, data in files.items():
        page = data.decode()
        shared = {int(size): path for size, path in re.findall(r'<path id="q(\d+)" stroke="#000" d="([^"]*)"/>', page)}
        found = re.findall(r'<p><b>(.*?)</b><s>(.*?)</s><i><u>(.*?)</u><br>(P\d+) · .*?<use href="#q(\d+)"/>'
                           r'<path stroke="#000" d="([^"]*)"/></svg></p>', page)  # fmt: skip
        assert name == f"labels/labels-{found[0][3]}-{found[-1][3]}.html"
        assert len(found) == page.count("<p>") and len(found) <= 200
        for near, far, key, package, size, path in found:
            label = known[key, near, far]
            code = segno.make_qr(label.code, mode="byte", error="m", mask=0, boost_error=False)
            assert (drawn(shared[int(size)] + path, int(size)) == np.array(code.matrix)).all()
            seen.append((package, key, near))
    assert Counter(seen) == Counter((label.package, label.id, label.near) for label in told)
    packages = [{package for package, *_ in group} for _, group in itertools.groupby(seen, key=lambda row: row[0])]
    assert len(packages) == len({label.package for label in told}), "a package is on one file"


@shapes
def test_codes_tell_ends_apart(plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    found = labels_in(plan_of(group, fabric))
    assert len({label.code for label in found}) == len(found)
    assert {label.code.rsplit("/", 1)[1] for label in found} <= {"A", "Z", "H"}


def test_tape_file_has_a_row_per_label(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 128}, {"rate": "hdr100"})
    (data,) = render(plan, "labels", options=Options(printers=("tape",))).values()
    assert data.startswith(b"\xef\xbb\xbf")
    told = [(row["id"], row["line 1 (near)"], row["line 2 (far)"], row["part"], float(row["ordered m"]), row["QR code"])
            for row in rows(data)]  # fmt: skip
    assert told == [(label.id, label.near, label.far, label.pn, label.length_mm / 1000, label.code)
                    for label in labels_in(plan)]  # fmt: skip


FIELD = re.compile(r"\^FO(\d+),(\d+)(?:\^A0N,(\d+),(\d+)|\^BQN,2,(\d+),M)\^FH_\^FD([^^~]*)\^FS")


def unescaped(text: str) -> str:
    return re.sub("_([0-9A-F]{2})", lambda code: chr(int(code[1], 16)), text)


@pytest.mark.parametrize(("words", "dpi"), [
    ([], 203), ([], 600), (["flag=70x20x12", "wrap=38x50x25"], 300), (["flag=60x12", "wrap=25.4x38.1x12.7"], 203),
    (["flag=62x40", "wrap=26x80x40"], 203),
])  # fmt: skip
def test_zebra_labels_hold_their_lines(catalog: Catalog, words: list[str], dpi: int) -> None:
    """Every label once, each field within its face, lines and code apart; copper and fibre on rolls of their own."""
    plan = design(parse_requirement(four(nodes=16, servers=2)), catalog)
    sizes = stock_sizes(words)
    files = render(plan, "labels", options=Options(("zebra",), tuple(words), dpi))
    told = labels_in(plan)
    assert sorted(files) == ["labels/labels-flag.zpl", "labels/labels-wrap.zpl"]
    for stock, size in sizes.items():
        mine = [label for label in told if label.stock == stock]
        text = files[f"labels/labels-{stock}.zpl"].decode()
        formats = text.splitlines()
        assert len(formats) == len(mine) == text.count("^XA") == text.count("^XZ")
        per_mm = dpi / 25.4
        for label, line in zip(mine, formats, strict=True):
            assert line.startswith(f"^XA^CI28^PW{round(size.width * per_mm)}^LL{round(size.height * per_mm)}^LH0,0^FX "
                                   f"{label.package}^FS") and line.endswith("^XZ")  # fmt: skip
            fields = FIELD.findall(line)
            assert line.count("^FO") == len(fields) and len(fields) % len(size.faces) == 0
            each = len(fields) // len(size.faces)
            for (left, width), at in zip(size.faces, range(0, len(fields), each), strict=True):
                face = fields[at : at + each]
                assert [unescaped(field[5]) for field in face][:3] == [label.near, label.far, label.id]
                corner, boxes = (left + width) * per_mm, []
                for x, y, high, wide, module, data in face:
                    body = unescaped(data)
                    if module:
                        assert body == f"MA,{label.code}" and int(module) >= 0.24 * per_mm
                        side = 21 * int(module)
                        box = (int(x), int(y), int(x) + side, int(y) + side)
                    else:
                        assert int(high) >= 1.4 * per_mm, "letters that can be read"
                        box = (int(x), int(y), int(x) + len(body) * int(wide) * 0.62, int(y) + int(high))
                    assert box[0] >= left * per_mm and box[2] <= corner and box[3] <= size.printed * per_mm, body
                    boxes.append(box)
                for one, other in itertools.combinations(boxes, 2):
                    assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    if not words:
        assert all(f"^FDMA,{label.code}^FS" in files[f"labels/labels-{label.stock}.zpl"].decode() for label in told)


def test_zebra_data_is_escaped(plan_of: PlanOf) -> None:
    (label, *_) = labels_in(plan_of({"nodes": 48}, {"rate": "hdr100"}))
    odd = label._replace(near="A~1^XZ_\\")
    text = zebra_files([odd], stock_sizes([]), 203)[f"labels-{odd.stock}.zpl"].decode()
    assert text.count("^XZ") == 1 and "~" not in text
    assert [unescaped(data) for *_, data in FIELD.findall(text)].count(odd.near) == (2 if odd.stock == "flag" else 1)


def test_a_face_too_narrow_is_refused(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 48}, {"rate": "hdr100"})
    with pytest.raises(RenderError, match="do not fit a flag face of 11 mm"):
        render(plan, "labels", options=Options(("zebra",), ("flag=32x25x10",)))


@pytest.mark.parametrize(("word", "told"), [
    ("flg=90x25", "no stock 'flg'"), ("flag=90", "'flag=90' is no size"), ("wrap=50x25x75", "leaves no face"),
    ("flag=900x25", "above 300 mm"), ("flag=20x25x15", "leaves no face"),
])  # fmt: skip
def test_sizes_that_are_none(word: str, told: str) -> None:
    with pytest.raises(RequirementError, match=re.escape(told)):
        stock_sizes([word])
