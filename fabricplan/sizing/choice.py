"""The choice among feasible fabrics of one plane, with the reasons why the others fell."""

from __future__ import annotations

import math
from dataclasses import replace

from fabricplan.sizing.clos import Box, Fabric, cost, three_tiers, two_tiers
from fabricplan.sizing.shape import Candidate
from fabricplan.sizing.units import Search, Units, demand_of, divide, holds_reserved, most_hosts
from fabricplan.values import Param


def best_two_tier(search: Search) -> tuple[Fabric, Units] | None:
    """Return the best two-tier fabric of the plane, and note the unit, uplink and spine counts that fell.

    A further unit costs leaves but may save more spines: 275 nodes on 64-port switches are 9 + 8 with 32 uplinks,
    which five spines do not divide, against 10 + 5 with 30.
    """
    spine, choose = search.tiers.spine.box, search.fabric.choose
    best: tuple[Fabric, Units] | None = None
    others: list[Fabric] = []
    for extra in range(0, 9):
        units = divide(search, extra)
        if units is None:
            if best is None:
                search.fell("two-tiers", None, "leaf-too-small", model=search.tiers.leaf.switch.model)
            break
        demand = demand_of(search, units)
        if units.leaves > spine.radix:
            if best is None:
                search.fell("two-tiers", None, "two-tier-limit", leaves=units.leaves, radix=spine.radix,
                            limit=spine.radix * most_hosts(search.tiers.leaf.box, demand))  # fmt: skip
            break
        if best is not None and choose == "switches" and units.leaves >= best[0].switches:
            break
        if len(set(units.leaves_per_unit)) > 1:
            demand = replace(demand, units=units.leaves, leaves_per_unit=1, stages=())
        found = list(two_tiers(demand, search.tiers.leaf.box, spine))
        usable = [item for item in found if holds_reserved(search, units, item.uplinks)]
        if not usable and found and not search.grows and not units.pooled and units.leaves < spine.radix:
            # no leaf port is left for managers: one leaf more, for them alone, may be cheaper than a further unit
            units = replace(units, manager_leaves=1)
            lone = replace(demand, units=units.leaves, leaves_per_unit=1, stages=())
            found = [replace(item, units=units.units) for item in two_tiers(lone, search.tiers.leaf.box, spine)]
            usable = [item for item in found if holds_reserved(search, units, item.uplinks)]
        if not usable:
            search.fell("units", min(found, key=lambda f: cost(f, "switches")) if found else None,
                        "no-port-to-reserve" if found else "no-even-spines", units.units,
                        reserve=search.reserve)  # fmt: skip
            continue
        usable.sort(key=lambda item: cost(item, choose))
        if best is None or cost(usable[0], choose) < cost(best[0], choose):
            if best is not None:
                search.fell("units", best[0], _worse(best[0], usable[0]), best[1].units,
                            switches=best[0].switches * search.planes)  # fmt: skip
            best, others = (usable[0], units), usable[1:3]
    if best is None:
        return None
    _note_spines(search, best[0], spine)
    for other in others:
        search.fell("uplinks-per-leaf", other, _worse(other, best[0]), other.uplinks,
                    switches=other.switches * search.planes)  # fmt: skip
    return best


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
    """Return the best three-tier fabric of the plane over the fewest units and some more of them."""
    best: tuple[Fabric, Units] | None = None
    first = divide(search, 0)
    if first is None:
        return None
    box = search.tiers.leaf.box
    for extra in range(0, max(9, first.units // 16)):
        units = divide(search, extra)
        if units is None or len(set(units.leaves_per_unit)) > 1:
            break
        if units.leaves_per_unit != first.leaves_per_unit:
            continue
        demand = demand_of(search, units)
        if best is not None and units.leaves * 2 > best[0].switches:
            break
        ceiling = best[0].switches if best else None
        found = three_tiers(demand, box, search.tiers.spine.box, search.tiers.core.box, ceiling)
        if found is None or not holds_reserved(search, units, found.uplinks):
            continue
        if best is None or cost(found, search.fabric.choose) < cost(best[0], search.fabric.choose):
            if best is not None:
                search.fell("units", best[0], "more-switches", best[1].units, switches=found.switches)
            best = (found, units)
    return best
