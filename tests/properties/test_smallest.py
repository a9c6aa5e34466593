"""The search against every legal fabric: nothing smaller than what sizing takes.

The judge enumerates, with plain loops and none of the engine's code, all two- and three-tier fabrics that the rules
allow: units of evenly spread nodes, one or several rails on a leaf, whole cages up and down, uplinks that divide over
the spines, equal pods of whole units or of one rail, spine uplinks that divide over the cores, and ports kept for
managers (on leaves with room, or on a leaf of their own).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

import pytest

from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError
from fabricplan.requirement import parse_requirement
from fabricplan.sizing import size_all

RADIX = {"edr": (36, 1), "hdr": (40, 1), "ndr": (64, 2)}
"""Ports of the default switch of a rate, and links of a cage."""


class Asked(NamedTuple):
    """A request as the judge reads it; ratios are (down, up)."""

    nodes: int
    ports: int
    radix: int
    cage: int = 1
    leaf: tuple[int, int] = (1, 1)
    spine: tuple[int, int] = (1, 1)
    min_spines: int = 2
    reserve: int = 0
    packed: bool = False


def divisors(number: int) -> list[int]:
    return [step for step in range(1, number + 1) if number % step == 0]


def whole(links: int, cage: int) -> int:
    return -(-links // cage)


def divisions(asked: Asked) -> Iterator[tuple[int, int, int]]:
    """Yield (units, leaves of a unit, endpoints of a full leaf)."""
    for units in range(1, asked.nodes + 1):
        nodes = -(-asked.nodes // units)
        if asked.packed:
            yield units, 1, nodes * asked.ports
            continue
        for rails in divisors(asked.ports) if units == 1 else [1]:
            yield units, asked.ports // rails, nodes * rails


def uplinks(asked: Asked, hosts: int) -> Iterator[int]:
    down, up = asked.leaf
    for count in range(max(-(-hosts * up // down), asked.min_spines), asked.radix):
        if whole(hosts, asked.cage) + whole(count, asked.cage) <= asked.radix // asked.cage:
            yield count


def two_tiers(asked: Asked) -> int | None:
    best: int | None = None
    for units, of_units in groupby(divisions(asked), key=lambda division: division[0]):
        several = list(of_units)
        found = list(joined(asked, several, 0))
        if not found and asked.reserve:
            # managers have a leaf of their own only where the nodes' leaves hold no port for them
            found = list(joined(asked, several, 1))
        best = min([*found, *([best] if best is not None else [])], default=None)
        if best is not None and units * several[-1][1] >= best:
            break
    return best


def joined(asked: Asked, several: list[tuple[int, int, int]], alone: int) -> Iterator[int]:
    """Yield the switches of all two-tier fabrics of some divisions, with so many leaves for managers."""
    for units, each, hosts in several:
        leaves = units * each + alone
        if not 2 <= leaves <= asked.radix:
            continue
        for count in uplinks(asked, hosts):
            below = (asked.radix // asked.cage - whole(count, asked.cage)) * asked.cage
            if below * leaves - asked.nodes * asked.ports >= asked.reserve:
                for spines in divisors(count):
                    if spines >= asked.min_spines and leaves * (count // spines) <= asked.radix:
                        yield leaves + spines


def three_tiers(asked: Asked) -> int | None:
    best: int | None = None
    for units, each, hosts in divisions(asked):
        leaves = units * each
        if best is not None and leaves >= best:
            continue
        pods = {(step * each, units // step) for step in divisors(units)}
        if each > 1:
            pods |= {(step, units // step * each) for step in divisors(units)}
        for of_pod, count in sorted(pods):
            if count > 1:
                for ups in uplinks(asked, hosts):
                    for spines in divisors(ups):
                        found = cores(asked, of_pod * (ups // spines), count) if spines >= asked.min_spines else None
                        if found is not None:
                            total = leaves + count * spines + spines * found
                            best = min(best or total, total)
    return best


def cores(asked: Asked, below: int, pods: int) -> int | None:
    """Return the fewest cores of one spine index, which has cores of its own, over all counts of spine uplinks."""
    down, up = asked.spine
    best: int | None = None
    for ups in range(max(-(-below * up // down), 1), asked.radix - below + 1):
        if whole(below, asked.cage) + whole(ups, asked.cage) <= asked.radix // asked.cage:
            fitting = [count for count in divisors(ups) if pods * (ups // count) <= asked.radix]
            best = min([*fitting, *([best] if best is not None else [])], default=None)
    return best


def taken(asked: Asked, tiers: int, catalog: Catalog, fabric: dict[str, Any]) -> int | None:
    """Return the switches that sizing takes; None where it refuses."""
    attached: dict[str, Any] = {"group": "node", "ports_per_node": asked.ports}
    group: dict[str, Any] = {"nodes": asked.nodes}
    if "leaf" in fabric:
        group["platform"], attached["nic"] = "toy-node", "TOY-NIC"
    ratios = [f"{down}:{up}" for down, up in (asked.leaf, asked.spine)]
    request = {
        "groups": [group],
        "fabrics": [{
            "attached": [attached], "tiers": tiers, "oversubscription": ratios, "min_spines": asked.min_spines,
            "reserve_ports": asked.reserve, "attach": "packed" if asked.packed else "rail", **fabric,
        }],
    }  # fmt: skip
    try:
        return size_all(parse_requirement(request), catalog)[0].switch_count
    except InfeasibleError:
        return None


def draw(seed: int, tiers: int, reserved: bool) -> tuple[Asked, dict[str, Any]]:
    drawn = random.Random(seed)
    rate = drawn.choice(list(RADIX))
    radix, cage = RADIX[rate]
    ports = drawn.choice([1, 1, 2, 3, 4, 6, 8, 8, 12])
    full = radix * radix // 2 // ports
    return Asked(
        nodes=drawn.randint(1, full) if tiers == 2 else drawn.randint(full // 2, 2 * full), ports=ports, radix=radix,
        cage=cage, leaf=drawn.choice([(1, 1), (1, 1), (2, 1), (3, 1), (3, 2), (7, 1)]),
        spine=(1, 1) if tiers == 2 else drawn.choice([(1, 1), (1, 1), (2, 1), (3, 2)]),
        min_spines=drawn.choice([2, 2, 2, 1, 3, 4, 7, 11]),
        reserve=drawn.choice([1, 2, 4, 8, 20]) if reserved else 0,
        packed=ports == 1 or (reserved and drawn.random() < 0.3),
    ), {"rate": rate}  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("reserved", [False, True], ids=["", "reserved"])
def test_two_tiers(catalog: Catalog, seed: int, reserved: bool) -> None:
    for number in range(10):
        asked, fabric = draw(100 * seed + number, 2, reserved)
        assert taken(asked, 2, catalog, fabric) == two_tiers(asked), asked


@pytest.mark.parametrize("seed", range(6))
def test_three_tiers(catalog: Catalog, seed: int) -> None:
    for number in range(5):
        asked, fabric = draw(100 * seed + number, 3, False)
        assert taken(asked, 3, catalog, fabric) == three_tiers(asked), asked


@pytest.mark.parametrize("ports", [1, 2])
@pytest.mark.parametrize(("model", "radix"), [("TOY4", 4), ("TOY8", 8)])
def test_every_small_count(toy_catalog: Catalog, model: str, radix: int, ports: int) -> None:
    fabric = {"rate": "edr", "leaf": model, "spine": model}
    for nodes in range(1, radix * radix + 1):
        for leaf in ((1, 1), (2, 1), (3, 1)):
            asked = Asked(nodes, ports, radix, leaf=leaf, packed=ports == 1)
            assert taken(asked, 2, toy_catalog, fabric) == two_tiers(asked), asked
            assert taken(asked, 3, toy_catalog, fabric) == three_tiers(asked), asked


@pytest.mark.parametrize(
    ("asked", "rate", "tiers", "switches"),
    [
        (Asked(19, 12, 64, 2, leaf=(3, 2)), "ndr", 2, 12 + 3),  # one rail to a leaf; 6 + 13 with two
        (Asked(75, 1, 40, leaf=(3, 1), reserve=12, packed=True), "hdr", 2, 3 + 2),  # ports above the middle
        (Asked(8, 8, 64, 2, reserve=4), "ndr", 2, 4 + 2),  # no leaf for managers alone while others have ports
        (Asked(150, 8, 40, spine=(2, 1)), "hdr", 3, 72 + 51 + 17),
        (Asked(380, 3, 40, leaf=(2, 1), spine=(3, 2), min_spines=1), "hdr", 3, 48 + 24 + 12),
    ],
)  # fmt: skip
def test_what_a_shorter_search_missed(catalog: Catalog, asked: Asked, rate: str, tiers: int, switches: int) -> None:
    assert taken(asked, tiers, catalog, {"rate": rate}) == switches
    assert (two_tiers if tiers == 2 else three_tiers)(asked) == switches
