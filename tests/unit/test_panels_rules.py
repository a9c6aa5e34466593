"""Rules and refusals on patch panels: every one is tripped, and says the right cause."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError, RequirementError
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.recheck import recheck
from fabricplan.requirement import parse_requirement
from fabricplan.schedule import cable_rows
from fabricplan.wording import text
from tests.properties.invariants import assert_sound
from tests.unit.panelled import asked, codes, overlay, relaid, swapped


@pytest.fixture(scope="module")
def panelled(catalog: Catalog) -> Plan:
    return design(parse_requirement(asked()), catalog)


@pytest.mark.parametrize(("changes", "code", "severity", "words"), [
    ({"polarity": "Type-A straight"}, "panel-crossings", "error", ("2", "even")),
    ({"polarity": None}, "panel-crossings-unknown", "warning", ("polarity",)),
    ({"gender": "female both ends"}, "panel-pins", "error", ("female both ends",)),
    ({"gender": None}, "panel-pins-unknown", "warning", ("our-trunk",)),
    ({"loss_db_max": 0.75}, "panel-loss", "error", ("2.2", "1.4")),
    ({"loss_db_max": None}, "panel-loss-unknown", "warning", ("our-trunk", "1.4")),
])  # fmt: skip
def test_a_wrong_trunk_is_told(
    tmp_path: Path, changes: dict[str, Any], code: str, severity: str, words: tuple[str, ...]
) -> None:
    found = codes(design(parse_requirement(asked(run={"trunk": "our-trunk"})), overlay(tmp_path, **changes)))
    assert [item.severity for item in found[code]] == [severity]
    told = text(found[code][0], "en")
    assert all(word in told for word in words), told
    assert not {key for key in found if key.startswith("panel-")} - {code}


def test_a_good_trunk_trips_nothing(tmp_path: Path, panelled: Plan) -> None:
    for plan in (panelled, design(parse_requirement(asked(run={"trunk": "our-trunk"})), overlay(tmp_path))):
        assert {code for code in codes(plan) if code.startswith("panel")} == {"panels-used"}


@pytest.mark.parametrize(("parts", "code", "words"), [
    ({"mfp7e10": {"family": "mfp7e30"}}, "panel-mode", ("mfp7e30", "singlemode")),
    ({"mfp7e10": {"family": "om4-mpo12-upc"}}, "panel-connectors", ("MPO-12/UPC", "MPO-12/APC")),
    ({"om4_mpo12_apc_trunk12": {"length_mm": 60_000}}, "panel-path", ("66 m", "50 m")),
])  # fmt: skip
def test_parts_that_were_changed_are_told(
    panelled: Plan, catalog: Catalog, parts: dict[str, Any], code: str, words: tuple[str, ...]
) -> None:
    found = [item for item in recheck(relaid(panelled, **parts), catalog) if item.code == code]
    assert found and all(item.severity == "error" for item in found)
    assert all(word in text(found[0], "en") for word in words), text(found[0], "en")


@pytest.mark.parametrize("family", ["mfp7e10", "om4_mpo12_apc_trunk12"])
def test_pieces_ordered_too_short_are_told(panelled: Plan, catalog: Catalog, family: str) -> None:
    """The cord at the upper end and the trunk, not only the cord that the link names."""
    shared = relaid(panelled, **{family: {"length_mm": 500}})
    found = [item for item in recheck(shared, catalog) if item.code == "too-short"]
    beside = 256 if family == "mfp7e10" else 22
    assert any(item.param("links") == beside and item.param("ordered_m") == 0.5 for item in found), found


@pytest.mark.parametrize(("column", "one", "other", "what"), [
    ("trunk", 0, 20, "trunk"),
        ("upper_cord", 0, 20, "cord"), ("port", 0, 20, "trunk"), ("link", 0, 1, "link"),
])  # fmt: skip
def test_pieces_that_were_exchanged_are_told(
    panelled: Plan, catalog: Catalog, column: str, one: int, other: int, what: str
) -> None:
    assert "panel-pieces" not in {item.code for item in recheck(panelled, catalog)}
    found = [item for item in recheck(swapped(panelled, column, one, other), catalog) if item.code == "panel-pieces"]
    assert found and found[0].severity == "error" and found[0].param("what") == what


def test_one_cord_for_two_links_and_another_side_are_told(panelled: Plan, catalog: Catalog) -> None:
    patches = panelled.cabling.patches
    assert patches is not None
    cord, flip = patches.wide("upper_cord"), patches.wide("flip")
    cord[1], flip[2] = cord[0], 1 - flip[2]
    for column, cells, what in (("upper_cord", cord, "cord"), ("flip", flip, "run")):
        columns = {name: getattr(patches, name) for name in type(patches).columns} | {column: cells}
        forged = panelled.cabling.model_copy(update={"patches": type(patches)(**columns)})
        found = recheck(panelled.model_copy(update={"cabling": forged}), catalog)
        assert what in {item.param("what") for item in found if item.code == "panel-pieces"}


def test_a_port_taken_twice_is_told(panelled: Plan, catalog: Catalog) -> None:
    patches = panelled.cabling.patches
    assert patches is not None
    port = patches.wide("port")
    port[1] = port[0]
    columns = {name: getattr(patches, name) for name in type(patches).columns} | {"port": port}
    forged = panelled.cabling.model_copy(update={"patches": type(patches)(**columns)})
    found = recheck(panelled.model_copy(update={"cabling": forged}), catalog)
    assert [item.severity for item in found if item.code == "panel-port"] == ["error"]


def test_panels_that_no_link_needs_are_told_and_not_bought(catalog: Catalog) -> None:
    run = {"a": {"rack": "B01", "u": 1, "racks": ["B01"]}, "b": {"rack": "B02", "u": 1, "racks": ["B02"]}}
    plan = design(parse_requirement(asked(8, run=run)), catalog)
    assert codes(plan)["panels-empty"][0].param("panels") == 8
    assert plan.bom.count("accessory") == 0 and plan.cabling.patches is None


def test_too_few_ports_say_how_many_panels(catalog: Catalog) -> None:
    with pytest.raises(InfeasibleError) as caught:
        design(parse_requirement(asked(run={"panels": 1})), catalog)
    problem = caught.value.problems[0]
    assert (problem.code, problem.where) == ("panel-full", "room.panels[0].panels")
    assert "256 links" in problem.message and problem.hint == "panels: 4, or panels with more ports"


@pytest.mark.parametrize(("run", "where", "words"), [
    ({"a": {"rack": "A99", "u": 1}}, "room.panels[0].a.rack", "no rack 'A99'"),
    ({"a": {"rack": "A08", "u": 47}}, "room.panels[0].a.u", "reach unit 50, rack A08 has 48 units"),
    ({"b": {"rack": "A08", "u": 40}}, "room.panels[0]", "served by both ends"),
    ({"b": {"rack": "A08", "u": 43, "rows": ["B"]}}, "room.panels[0].b.u", "unit 44 of rack A08 is taken"),
    ({"b": {"rack": "B06", "u": 40, "rows": ["C"]}}, "room.panels[0].b.rows", "no row 'C'"),
    ({"trunk": "om4-mpo12-apc-trunk24"}, "room.panels[0].trunk", "no trunk"),
    ({"trunk": "mfp7e10"}, "room.panels[0].trunk", "is a cord, no trunk"),
    ({"panel": "panel-lc-duplex-72"}, "room.panels[0].panel", "takes LC duplex/UPC, the trunk"),
    ({"panels": 2, "panel_units": 2, "panel": "panel-mpo12-apc-72"}, "room.panels[0].panel_units", "is 1 U high"),
    ({"fabrics": ["storage"]}, "room.panels[0].fabrics", "is no fabric"),
])  # fmt: skip
def test_wrong_runs_are_refused_at_their_place(catalog: Catalog, run: dict[str, Any], where: str, words: str) -> None:
    with pytest.raises(RequirementError) as caught:
        design(parse_requirement(asked(run=run)), catalog)
    problem = caught.value.problems[0]
    assert problem.where == where, problem
    assert words in problem.message, problem.message


def test_panels_need_rows_and_routes() -> None:
    for room, field in (({"rows": None, "racks": None}, "panels"), ({"uniform_length_mm": 10_000}, "panels")):
        with pytest.raises(RequirementError) as caught:
            parse_requirement(asked(room=room))
        assert field in str(caught.value.problems[0].where)


def test_surveyed_lengths_of_patched_links_are_passed_over_and_told(catalog: Catalog) -> None:
    request = asked(lengths=[{"a": "A08", "b": "B06", "length_mm": 20_000}])
    found = codes(design(parse_requirement(request), catalog))
    assert found["surveyed-through-panels"][0].param("links") == 256


def test_paths_are_held_against_their_own_modules(catalog: Catalog) -> None:
    """Some links have modules of 100 m and some of 500 m on the same trunks: neither is held against the other's."""
    rows = [{"name": "A", "racks": 40, "units": 48}, {"name": "B", "racks": 4, "y_mm": 3400, "kind": "network"}]
    run = {"a": {"rack": "A20", "u": 30}, "b": {"rack": "B02", "u": 20}, "panels": 15,
           "trunk": "os2-mpo12-apc-trunk12", "trunk_length_mm": 80_000}  # fmt: skip
    plan = design(
        parse_requirement(asked(96, run=run, room={"rows": rows, "racks": [], "leaves": "top-of-rack"})), catalog
    )
    modules = {line.pn for line in plan.bom.lines if line.kind == "transceiver"}
    assert {"MMS4X00-NS", "MMS4X00-NM"} <= modules
    assert not [item.code for item in plan.findings if item.severity == "error"]


def test_a_manager_beside_a_patched_node_takes_the_modules_that_are_there(catalog: Catalog) -> None:
    """Ends of two kinds share cages; the one goes through single-mode trunks, the other hangs beside its leaf."""
    rows = [{"name": name, "racks": 12, "units": 48, "y_mm": 3400 * at} for at, name in enumerate("ABC")]
    racks = [{"row": name, "position": 6, "kind": "network"} for name in "ABC"]
    runs = [{"name": one + two, "trunk": "os2-mpo12-apc-trunk12", "panels": 6,
             "a": {"rack": f"{one}01", "u": 1 + 6 * at, "rows": [one]},
             "b": {"rack": f"{two}12", "u": 1 + 6 * at, "rows": [two]}}
            for at, (one, two) in enumerate(("AB", "AC", "BC"))]  # fmt: skip
    request = asked(room={"rows": rows, "racks": racks},
                    fabric={"reserve_ports": 2, "reserve_adapter": "MCX75310AAS-NEAT"})  # fmt: skip
    request["room"]["panels"] = runs
    plan = design(parse_requirement(request), catalog)
    assert_sound(plan)
    assert plan.cabling.patches is not None and not [item.code for item in plan.findings if item.severity == "error"]


def test_copper_that_was_asked_is_told_where_panels_take_fibre(catalog: Catalog) -> None:
    found = codes(design(parse_requirement(asked(fabric={"media": "copper"})), catalog))
    assert found["media-through-panels"][0].param("links") == 256


def test_an_end_that_serves_both_sides_says_its_own(catalog: Catalog) -> None:
    """Compute switches with ports to the cold aisle and storage switches with ports to the hot one, on one run."""
    rows = [{"name": "A", "racks": 14, "units": 48}, {"name": "B", "racks": 12, "y_mm": 3400, "kind": "network"}]
    run = {"a": {"rack": "A14", "u": 30}, "b": {"rack": "B12", "u": 20}, "panels": 12}
    request = asked(
        30,
        run=run,
        fabric={"airflow": "C2P"},
        room={"leaves": "top-of-rack", "rows": rows, "racks": [], "node_ports": "rear"},
    )
    request["fabrics"].append({"name": "storage", "network": "storage", "rate": "ndr", "airflow": "P2C",
                               "attached": [{"group": "node"}]})  # fmt: skip
    with pytest.raises(RequirementError) as caught:
        design(parse_requirement(request), catalog)
    assert [problem.code for problem in caught.value.problems] == ["panel-face", "panel-face"]
    for end in ("a", "b"):
        request["room"]["panels"][0][end]["face"] = "rear"
    plan = design(parse_requirement(request), catalog)
    request["room"]["pass_through_mm"] = 0
    flat = design(parse_requirement(request), catalog)
    patches = plan.cabling.patches
    assert patches is not None
    fabric = plan.topology.links.fabric[patches.link]
    low, high = ([item.cabling.cables.required_mm[item.cabling.links.cable[patches.link]] for item in (plan, flat)],
                 [item.cabling.cables.required_mm[patches.upper_cord] for item in (plan, flat)])  # fmt: skip
    for cords in (low, high):
        more = cords[0] - cords[1]
        assert set(more[fabric == 0].tolist()) == {1210} and set(more[fabric == 1].tolist()) == {0}


def test_everything_surveyed_leaves_cords_estimated(catalog: Catalog) -> None:
    racks = sorted({(row.a_rack, row.z_rack) for row in cable_rows(design(parse_requirement(asked()), catalog))
                    if "panel-" not in f"{row.a_device}{row.z_device}"})  # fmt: skip
    pairs = {tuple(sorted(map(str, pair))) for pair in racks} | {("A08", "B06")}
    plan = design(parse_requirement(asked(lengths=[
        {"a_rack": one, "b_rack": two, "length_mm": 25_000} for one, two in sorted(pairs)])), catalog)  # fmt: skip
    told = Counter(row.source for row in cable_rows(plan) if row.pn or row.family)
    assert told == {"surveyed": 1008 - 256 - 2 + 2 - 2, "estimated": 512 + 22} or told["estimated"] == 534
    assert codes(plan)["estimated-lengths"]
