"""Adopting: what a request reproduces becomes that request's plan; what it does not is refused with the reasons."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from fabricplan.asbuilt.adopt import adopt
from fabricplan.asbuilt.found import Found
from fabricplan.asbuilt.verify import verify
from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError
from fabricplan.growth import extension
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.quote import price
from fabricplan.readers.discovery import read_all, read_found
from fabricplan.readers.name_map import read_name_map
from fabricplan.renderers import names_csv
from fabricplan.requirement import parse_requirement
from tests.conftest import PlanOf
from tests.miscabling import dump, exchange_devices, lose, model
from tests.unit.quotes import book_of, terms

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize(
    ("group", "fabric"),
    [
        ({"nodes": 32}, {"rate": "ndr"}),
        ({"nodes": 72, "ports": 1}, {"rate": "edr"}),
        ({"nodes": 16}, {"rate": "hdr100"}),
        ({"nodes": 64}, {"rate": "ndr", "oversubscription": ["2:1"]}),
        ({"nodes": 8}, {"rate": "ndr"}),
    ],
    ids=["32-ndr", "72-edr", "16-hdr100", "64-ndr-2to1", "one-switch"],
)
def test_a_regular_fabric_is_adopted_link_by_link(
    plan_of: PlanOf, catalog: Catalog, group: dict[str, Any], fabric: dict[str, Any]
) -> None:
    built = model(plan_of(group, fabric))
    text = dump(built).replace("node-su", "gpu").replace("leaf-", "L").replace("spine-", "S")
    found = read_found(text.encode(), "found.txt")
    adopted = adopt(found, catalog)
    assert adopted.plan.fabrics[0].node_leaf_links == plan_of(group, fabric).fabrics[0].node_leaf_links
    names = read_name_map(names_csv.render(adopted.names, "en")["names.csv"].decode("utf-8-sig"), "names.csv")
    assert verify(adopted.plan, "0" * 64, found, names).clean


def test_growth_is_adopted_only_where_it_was_laid_out(plan_of: PlanOf, catalog: Catalog) -> None:
    built = model(plan_of({"nodes": 32, "grow_to": 128}, {"rate": "ndr"}))
    grown = adopt(read_found(dump(built).encode(), "found.txt"), catalog, grow_to=128)
    assert grown.plan.requirement.groups[0].grow_to == 128
    with pytest.raises(InfeasibleError, match="no request gives this fabric of 32 nodes"):
        adopt(read_found(dump(model(plan_of({"nodes": 32}, {"rate": "ndr"}))).encode(), "found.txt"), catalog,
              grow_to=512)  # fmt: skip


def test_an_irregular_fabric_is_refused_with_reasons(plan_of: PlanOf, catalog: Catalog) -> None:
    built = model(plan_of({"nodes": 32}, {"rate": "ndr"}))
    trunk = next(at for at, link in enumerate(built.links) if link[0][0].startswith("leaf"))
    del built.links[trunk]
    with pytest.raises(InfeasibleError, match="links between switches planned"):
        adopt(read_found(dump(built).encode(), "found.txt"), catalog)
    lose(built, random.Random(1), 40)
    with pytest.raises(InfeasibleError):
        adopt(read_found(dump(built).encode(), "found.txt"), catalog)
    real = read_found((DATA / "selene-storage.ibnetdiscover.txt").read_bytes(), "selene")
    with pytest.raises(InfeasibleError, match="64\\+64\\+32 stand"):
        adopt(real, catalog)
    with pytest.raises(InfeasibleError, match="which of them are one node"):
        adopt(read_found(dump(built, unnamed=True).encode(), "found.txt"), catalog)


def dumps(plan: Plan, seed: int = 0) -> Found:
    """Return discoveries of every plane and fabric of a plan, under names of the customer's own."""
    files = []
    for fabric, sizing in enumerate(plan.fabrics):
        for plane in range(1, sizing.planes + 1):
            built = model(plan, fabric)
            if sizing.planes > 1:
                built.links = [
                    link for link in built.links if f"-p{plane}-" in link[1][0] or f"-p{plane}-" in link[0][0]
                ]
                built.switches = {name: ports for name, ports in built.switches.items() if f"-p{plane}-" in name}
            text = dump(built).replace("node-su", "gpu").replace(":M", "-dc:M").replace("-p", "-net")
            text = text.replace("S-b8", f"S-b{len(files) + 1:x}").replace("H-0c", f"H-{len(files) + 16:02x}")
            files.append((text.encode(), f"found-{len(files)}.txt"))
    random.Random(seed).shuffle(files)
    return read_all(files)


@pytest.mark.parametrize(
    ("groups", "fabrics"),
    [
        ([{"nodes": 32}], [{"rate": "ndr", "planes": 2}]),
        ([{"nodes": 40, "platform": "dgx-h100"}], [{"rate": "ndr", "planes": "rail"}]),
        ([{"nodes": 40}, {"name": "storage", "platform": "generic-storage", "nodes": 12}],
         [{"rate": "ndr"}, {"name": "storage", "network": "storage", "rate": "hdr", "attach": "spread",
                            "oversubscription": ["2:1"], "attached": [
                                {"group": "node", "ports_per_node": 1, "nic": "MCX653105A-HDAT"},
                                {"group": "storage", "ports_per_node": 2, "nic": "MCX653105A-HDAT"}]}]),
    ],
    ids=["two-planes", "rail-planes", "compute-and-storage"],
)  # fmt: skip
def test_planes_and_networks_are_adopted_together(
    catalog: Catalog, groups: list[dict[str, Any]], fabrics: list[dict[str, Any]]
) -> None:
    """The files in any order, one of every plane and network; the plan has the counts of the one they were made of."""
    made = design(parse_requirement({"groups": groups, "fabrics": fabrics}), catalog)
    for seed in range(3):
        found = dumps(made, seed)
        platform = groups[0].get("platform", "")
        adopted = adopt(found, catalog, platform=platform)
        assert [
            (item.planes, item.rate, item.leaf_count, item.spine_count, item.node_leaf_links, item.leaf_spine_links)
            for item in adopted.plan.fabrics
        ] == [
            (item.planes, item.rate, item.leaf_count, item.spine_count, item.node_leaf_links, item.leaf_spine_links)
            for item in made.fabrics
        ]  # fmt: skip
        assert design(parse_requirement(adopted.request), catalog).topology == adopted.plan.topology
        names = read_name_map(names_csv.render(adopted.names, "en")["names.csv"].decode("utf-8-sig"), "names.csv")
        checked = verify(adopted.plan, "0" * 64, found, names)
        assert checked.clean, checked.orders[:1]
        assert sum(item.matched for item in checked.fabrics) == len(made.topology.links)


def test_a_host_that_is_another_node_on_the_next_plane_is_refused(plan_of: PlanOf, catalog: Catalog) -> None:
    made = plan_of({"nodes": 32}, {"rate": "ndr", "planes": 2})
    found = []
    for plane in (1, 2):
        built = model(made)
        built.links = [link for link in built.links if f"-p{plane}-" in link[1][0]]
        built.switches = {name: ports for name, ports in built.switches.items() if f"-p{plane}-" in name}
        if plane == 2:
            exchange_devices(built, "node-su01-003", "node-su01-004")
            built.host = {end: f"{end[0]} HCA-{end[1]}" for end in built.host}
        text = dump(built).replace("S-b8", f"S-b{plane}").replace("H-0c", f"H-0{plane}")
        found.append((text.encode(), f"{plane}.txt"))
    with pytest.raises(InfeasibleError, match=r"-00[34] is node-su01-00\d by one plane and node-su01"):
        adopt(read_all(found), catalog)


def test_two_clusters_are_two_networks_of_one_plan(plan_of: PlanOf, catalog: Catalog) -> None:
    files = []
    for name, rate in (("one", "ndr"), ("two", "hdr")):
        text = dump(model(plan_of({"nodes": 16}, {"rate": rate}))).replace("node-su", f"{name}-su")
        files.append((text.replace("S-b8", f"S-{len(files)}8").replace("H-0c", f"H-{len(files)}c").encode(), name))
    adopted = adopt(read_all(files), catalog)
    assert sorted(item.rate for item in adopted.plan.fabrics) == ["hdr", "ndr"]
    assert [group.nodes for group in adopted.plan.requirement.groups] == [16, 16]


def test_an_adopted_plan_is_grown_and_its_extension_quoted(plan_of: PlanOf, catalog: Catalog) -> None:
    """From plan to discovery, adoption, growth and the quote of what must be bought: whole minus what stands."""
    built = model(plan_of({"nodes": 40, "grow_to": 128}, {"rate": "ndr"}))
    adopted = adopt(read_found(dump(built).encode(), "found.txt"), catalog, grow_to=128)
    request = adopted.request | {"groups": [adopted.request["groups"][0] | {"nodes": 128}]}
    grown = design(parse_requirement(request), catalog)
    book = book_of(grown)
    agreed = terms(services=[{"name": "racking", "per": "node", "price": "10"}])
    whole, stands = price(grown, book, agreed), price(adopted.plan, book, agreed)
    more = price(grown, book, agreed, adopted.plan)
    assert more.notes is not None
    assert "extends the 40 nodes that stand to 128" in more.notes.en and "扩展到 128" in more.notes.zh
    assert (more.nodes, more.gpus) == (88, 704) and more.plan == "adopted (+88)"
    assert more.total == whole.total - stands.total and more.total > 0
    sold = {(line.group, line.name.en, line.part): line.quantity for line in more.lines}
    before = {(line.group, line.name.en, line.part): line.quantity for line in stands.lines}
    for line in whole.lines:
        key = line.group, line.name.en, line.part
        assert sold.get(key, 0) == line.quantity - before.get(key, 0), key
    assert sum(line.quantity for line in more.lines if line.group == "switch") == 16


def test_an_extension_that_recables_what_stands_is_refused(plan_of: PlanOf) -> None:
    stands, later = plan_of({"nodes": 40}, {"rate": "ndr"}), plan_of({"nodes": 128}, {"rate": "ndr"})
    with pytest.raises(InfeasibleError, match=r"\d+ of \d+ links that stand are not in the later plan") as caught:
        extension(later, stands)
    assert "grow_to" in caught.value.problems[0].hint


def test_the_models_that_switches_say_they_are_are_taken(plan_of: PlanOf, catalog: Catalog) -> None:
    """Where they are not those that a request gets by itself: an older model of the same radix."""
    text = dump(model(plan_of({"nodes": 72, "ports": 1}, {"rate": "edr"}))).replace("MSB7800", "MSB7700")
    adopted = adopt(read_found(text.encode(), "found.txt"), catalog)
    assert {item.key for item in adopted.plan.topology.device_types if item.kind == "switch"} == {"SB7700"}
