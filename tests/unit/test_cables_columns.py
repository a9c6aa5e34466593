"""cables.csv with chosen columns, and with a row for each end."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import RenderError
from fabricplan.files import load_requirement
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.renderers import render
from fabricplan.renderers.cables_csv import HEADINGS, NAMES
from fabricplan.renderers.options import Options
from fabricplan.renderers.words import word
from fabricplan.requirement import parse_requirement
from fabricplan.schedule import CableRow, cable_rows
from fabricplan.schedule.extra import EXTRA, TO_FILL
from tests.conftest import PlanOf
from tests.unit.exports import H100
from tests.unit.test_networks import four

EXAMPLES = Path(__file__).parents[2] / "examples"


def table(plan: Plan, *columns: str, lang: str = "en", both: bool = False) -> list[list[str]]:
    data = render(plan, "cables-csv", lang, options=Options(columns=columns, both_directions=both))["cables.csv"]
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


@pytest.fixture(scope="module")
def networks(catalog: Catalog) -> Plan:
    return design(parse_requirement(four(nodes=32, servers=4)), catalog)


@pytest.fixture(scope="module")
def splitters(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 48}, {"rate": "hdr100"})


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_chosen_columns_are_those_of_the_whole_file(splitters: Plan, lang: str) -> None:
    whole = table(splitters, *(name for name, column in NAMES.items() if column in HEADINGS), lang=lang)
    data = render(splitters, "cables-csv", lang)["cables.csv"].decode("utf-8-sig")
    assert whole == list(csv.reader(io.StringIO(data, newline="")))
    at = {name: number for number, name in enumerate(HEADINGS)}
    some = table(splitters, "z_port", "ID", "length_m", "a_ib_port", lang=lang)
    assert some == [[row[at[name]] for name in ("z_port", "id", "length_mm", "a_number")] for row in whole]


def test_further_columns_tell_what_the_plan_holds(networks: Plan) -> None:
    names = ("id", *EXTRA)
    found = table(networks, *names)[1:]
    rows = list(cable_rows(networks))
    row_of, types = networks.placement.rack_rows(), networks.topology.device_types
    model = dict(zip(networks.device_names(), (types[row].key for row in networks.topology.devices.type.tolist()),
                     strict=True))  # fmt: skip
    media: set[str] = set()
    for cells, row in zip(found, rows, strict=True):
        told = dict(zip(names, cells, strict=True))
        assert told["piece"] == (f"{row.id}/{row.tail}" if row.tail else row.id)
        assert (told["site"], told["end"]) == (networks.name, "A")
        for side, rack, device in (("a", row.a_rack, row.a_device), ("z", row.z_rack, row.z_device)):
            assert told[f"{side}_row"] == row_of[str(rack)]
            assert told[f"{side}_model"] == (model[str(device)] or "")
            assert told[f"{side}_kind"] in ("leaf", "spine", "node", word("host", "en"))
        if row.family is not None:
            part = next(part for part in networks.cabling.cable_parts if part.family == row.family)
            fibre = part.kind == "fibre"
            entry: Any = networks.products.fibre(part.family) if fibre else networks.products.cable(part.family)
            assert told["medium"] == word(entry.mode if fibre else entry.kind, "en")
            assert told["connector"] == (entry.connector if fibre else "")
            media.add(told["medium"])
        assert {told[name] for name in TO_FILL} == {""}
    assert len(media) > 1
    leaves = {row[names.index("z_kind")] for row in found}
    assert {"leaf", "spine"} <= leaves


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_both_directions_tell_every_cable_from_either_end(splitters: Plan, lang: str) -> None:
    found = table(splitters, lang=lang, both=True)
    heads, lines = found[0], found[1:]
    assert heads[:3] == {"en": ["ID", "Tail", "End"], "zh": ["编号", "分支", "端"]}[lang]
    assert {"en": "Far IB port", "zh": "对端 IB 端口号"}[lang] in heads
    assert {"en": "Label near", "zh": "标签（本端）"}[lang] == heads[-2]
    single = table(splitters, lang=lang)[1:]
    assert len(lines) == 2 * len(single)
    order = list(HEADINGS)
    other = [order.index(name.replace("a_", "z_", 1) if name.startswith("a_") else name.replace("z_", "a_", 1)
                         if name.startswith("z_") else {"label_a": "label_z", "label_z": "label_a"}.get(name, name))
             for name in order]  # fmt: skip
    for number, row in enumerate(single):
        there, back = lines[2 * number], lines[2 * number + 1]
        assert (there.pop(2), back.pop(2)) == ("A", "Z")
        assert there == row
        assert back == [row[at] for at in other]


def test_both_directions_of_chosen_columns(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 31, **H100}, {"rate": "ndr", "reserve_ports": 4})
    found = table(plan, "a_rack", "a_u", "a_module", "z_rack", "serial", both=True)
    assert found[0] == ["Near rack", "Near U", "Near transceiver", "Far rack", "Serial number"]

    def cells(row: CableRow) -> list[list[str]]:
        ends = [(row.a_rack, row.a_u, row.a_module, row.z_rack), (row.z_rack, row.z_u, row.z_module, row.a_rack)]
        return [["" if cell is None else str(cell) for cell in end] + [""] for end in ends]

    assert found[1:] == [end for row in cable_rows(plan) for end in cells(row)]


@pytest.mark.parametrize(("columns", "told", "hint"), [
    (("id", "z_rak"), "no column 'z_rak'", "did you mean z_rack?"),
    (("id", "colour of the sky"), "no column 'colour of the sky'", "a_rack"),
    (("id", "a_rack", "ID"), "column 'ID' is named twice", "once"),
    (("length_mm",), "no column 'length_mm'", "did you mean length_m?"),
])  # fmt: skip
def test_columns_that_there_are_none_of(splitters: Plan, columns: tuple[str, ...], told: str, hint: str) -> None:
    with pytest.raises(RenderError) as caught:
        table(splitters, *columns)
    (problem,) = caught.value.problems
    assert told in problem.message and hint in problem.hint and problem.where == "--columns"


def test_patch_panels_have_a_row_and_a_kind(catalog: Catalog) -> None:
    """Their ends stand behind the devices of the plan; what is told of devices is not told of them."""
    plan = design(load_requirement(EXAMPLES / "two-halls.yaml"), catalog)
    row_of, devices = plan.placement.rack_rows(), set(plan.device_names())
    names = ("a_device", "a_rack", "a_row", "a_kind", "a_model", "a_side")
    ends = table(plan, *names, both=True)[1:]
    assert {end[0] in devices for end in ends} == {True, False}
    for device, rack, row, kind, model, side in ends:
        assert row == row_of[rack]
        assert (kind == "patch panel") == (device not in devices)
        assert (model == "") == (kind in ("patch panel", "reserved host"))
        assert side == ""
