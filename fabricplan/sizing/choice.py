"""The choice among feasible fabrics of one plane, with the reasons why the others fell."""

from __future__ import annotations

import math
from dataclasses import replace

from fabricplan.sizing.clos import Box, Fabric, cost, equal_pods, three_tiers, two_tiers
from fabricplan.sizing.shape import Candidate
from fabricplan.sizing.units import Search, Units, demand_of, divide, divisions, down_ports, most_hosts, whole_pods
from fabricplan.values import Param

TOLD = 9
"""Divisions that fell are told up to so many further units."""


def best_two_tier(search: Search) -> tuple[Fabric, Units] | None:
    """Return the best two-tier fabric of the plane, and note the unit, uplink and spine counts that fell.

    A further unit costs leaves but may save more spines: 275 nodes on 64-port switches are 9 + 8 with 32 uplinks,
    which five spines do not divide, against 10 + 5 with 30. Fewer rails on a leaf may do the same for a single unit:
    19 nodes with 12 ports at 3:2 are 6 + 13 with two rails on a leaf, 12 + 3 with one.
    """
    spine, choose = search.tiers.spine.box, search.fabric.choose
    best: tuple[Fabric, Units] | None = None
    others: list[Fabric] = []
    for extra, several in divisions(search):
        leaves = min(units.leaves for units in several)
        if leaves > spine.radix:
            if best is None:
                most = most_hosts(search.tiers.leaf.box, demand_of(search, several[0]))
                search.fell("two-tiers", None, "two-tier-limit", leaves=leaves, radix=spine.radix,
                            limit=spine.radix * most)  # fmt: skip
            break
        if best is not None and _exhausted(search, best[0], leaves, extra, 2):
            break
        found = [(units, _two_tiers(search, units)) for units in several]
        if search.reserve and not search.grows and not any(_usable(search, *item) for item in found):
            # one leaf more, for managers alone, may be cheaper than a further unit
            apart = [replace(units, manager_leaves=1) for units in several if not units.pooled]
            found += [(units, _two_tiers(search, units)) for units in apart if units.leaves <= spine.radix]
        for units, fabrics in found:
            usable = _usable(search, units, fabrics)
            if not usable:
                if units.leaves > 1 and extra < TOLD and units is several[0]:
                    search.fell("units", min(fabrics, key=lambda f: cost(f, "switches")) if fabrics else None,
                                "no-port-to-reserve" if fabrics else "no-even-spines", units.units,
                                reserve=search.reserve)  # fmt: skip
            elif best is None or _better(usable[0], units, *best, choose):
                if best is not None:
                    _note_division(search, best, usable[0], units)
                best, others = (usable[0], units), usable[1:3]
    if best is None:
        if divide(search, 0) is None:
            search.fell("two-tiers", None, "leaf-too-small", model=search.tiers.leaf.switch.model)
        return None
    _note_spines(search, best[0], search.tiers.spine.box)
    for other in others:
        search.fell("uplinks-per-leaf", other, _worse(other, best[0]), other.uplinks,
                    switches=other.switches * search.planes)  # fmt: skip
    return best


def _two_tiers(search: Search, units: Units) -> list[Fabric]:
    """Return the two-tier fabrics of a division."""
    if units.leaves < 2:
        return []  # one leaf alone would leave the spines nothing to join
    demand = demand_of(search, units)
    if units.manager_leaves or len(set(units.leaves_per_unit)) > 1:
        demand = replace(demand, units=units.leaves, leaves_per_unit=1, stages=())
    found = two_tiers(demand, search.tiers.leaf.box, search.tiers.spine.box)
    return [replace(item, units=units.units) for item in found]


def _usable(search: Search, units: Units, found: list[Fabric]) -> list[Fabric]:
    """Return those that hold the reserved ports, best first."""
    usable = [item for item in found if down_ports(search, units, item.uplinks) is not None]
    return sorted(usable, key=lambda item: cost(item, search.fabric.choose))


def _better(found: Fabric, units: Units, best: Fabric, known: Units, choose: str) -> bool:
    """Tell whether a further division is taken: of as many units with other rails on a leaf, only for what is chosen
    by, since rails share leaves by a rule of their own."""
    if units.counts == known.counts and units.rails_per_leaf != known.rails_per_leaf:
        return cost(found, choose)[:1] < cost(best, choose)[:1]
    return cost(found, choose) < cost(best, choose)


def _exhausted(search: Search, best: Fabric, leaves: int, extra: int, tiers: int) -> bool:
    """Tell whether neither so many nor more leaves can be better: they, and the spines and cores that the
    endpoints' bandwidth alone takes, are more switches than were found."""
    if search.fabric.choose != "switches":
        return extra >= TOLD
    down, up = search.ratios[0]
    links = -(-search.endpoints * search.tiers.link_gbps * up // (down * search.tiers.uplink_gbps))
    return _least(search, leaves, links, tiers) > best.switches


def _dearer(search: Search, best: Fabric, units: Units, tiers: int) -> bool:
    """Tell whether a division cannot be better: its leaves with as few uplinks as their endpoints allow. Units of
    unlike leaves are still filled up to whole pods, which changes both."""
    if search.fabric.choose != "switches" or len(set(units.leaves_per_unit)) > 1:
        return False
    links = units.leaves * demand_of(search, units).fewest_uplinks()
    return _least(search, units.leaves, links, tiers) > best.switches


def _least(search: Search, leaves: int, links: int, tiers: int) -> int:
    """Return the fewest switches that so many leaves with so many uplinks in all can come to."""
    spine, core = search.tiers.spine.box.radix, search.tiers.core.box.radix
    if tiers == 2:
        return leaves + max(-(-links // spine), search.fabric.min_spines)
    down, up = search.ratios[1]
    climb = -(-links * up // down)
    return leaves + max(-(-(links + climb) // spine), search.fabric.min_spines) + -(-climb // core)


def _note_division(search: Search, best: tuple[Fabric, Units], found: Fabric, units: Units) -> None:
    fallen, known = best
    if units.counts == known.counts and units.rails_per_leaf != known.rails_per_leaf:
        search.fell("rails-per-leaf", fallen, _worse(fallen, found), known.rails_per_leaf[0],
                    switches=fallen.switches * search.planes)  # fmt: skip
    else:
        search.fell("units", fallen, _worse(fallen, found), known.units, switches=fallen.switches * search.planes)


def _worse(fallen: Fabric, best: Fabric) -> str:
    return "more-switches" if fallen.switches > best.switches else "more-optics"


def _note_spines(search: Search, best: Fabric, spine: Box) -> None:
    """Note every smaller spine count that fits by ports but not evenly: the commonest mistake of planners."""
    needed = -(-best.leaves * best.uplinks // spine.radix)
    for spines in range(max(needed, search.fabric.min_spines, 1), best.spines):
        used = best.uplinks // spines * spines
        down, up = best.hosts * search.tiers.link_gbps, used * search.tiers.uplink_gbps
        shrink = math.gcd(down, up) or 1
        search.fallen.append(Candidate(
            option="spines", count=spines * search.planes, tiers=2, leaf_count=best.leaves * search.planes,
            spine_count=spines * search.planes, core_count=0, uplinks=best.uplinks,
            reason="uplinks-not-divisible",
            params=(Param(name="spines", value=spines), Param(name="uplinks", value=best.uplinks),
                    Param(name="used", value=used), Param(name="chosen", value=best.spines),
                    Param(name="ratio", value=f"{down // shrink}:{up // shrink}"))))  # fmt: skip


def best_three_tier(search: Search) -> tuple[Fabric, Units] | None:
    """Return the best three-tier fabric of the plane over all divisions that may be smallest."""
    best: tuple[Fabric, Units] | None = None
    down, up = search.ratios[1]
    most = search.tiers.core.box.radix * (search.tiers.spine.box.radix * down // (down + up))
    for extra, several in divisions(search):
        leaves = min(units.leaves for units in several)
        if leaves > most or (best is not None and _exhausted(search, best[0], leaves, extra, 3)):
            break
        for division in several:
            if best is not None and _dearer(search, best[0], division, 3):
                continue
            units, found = _three_tiers(search, division, best[0].switches if best else None)
            if found is None or down_ports(search, units, found.uplinks) is None:
                continue
            if best is None or _better(found, units, *best, search.fabric.choose):
                if best is not None:
                    _note_division(search, best, found, units)
                best = (found, units)
    return best


def _three_tiers(search: Search, units: Units, ceiling: int | None) -> tuple[Units, Fabric | None]:
    boxes = search.tiers.leaf.box, search.tiers.spine.box, search.tiers.core.box
    if len(set(units.leaves_per_unit)) == 1:
        return units, three_tiers(demand_of(search, units), *boxes, ceiling)
    best: tuple[Units, Fabric | None] = units, None
    step = math.lcm(*units.leaves_per_unit)
    for leaves in range(step, search.tiers.spine.box.radix, step):
        whole = whole_pods(search, units, leaves)
        if whole is None:
            continue
        demand = replace(demand_of(search, whole), units=whole.leaves, leaves_per_unit=1, stages=())
        for found in equal_pods(demand, *boxes, leaves, whole.leaves // leaves, ceiling):
            named = replace(found, units=whole.units, pod_kind="units")
            if best[1] is None or cost(named, "switches") < cost(best[1], "switches"):
                best, ceiling = (whole, named), named.switches
    return best
