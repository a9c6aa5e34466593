"""Ceilings: what no fabric of the asked kind holds, and the ways out with their switch counts."""

from __future__ import annotations

from dataclasses import replace

from fabricplan.errors import InfeasibleError, Problem
from fabricplan.requirement import FabricRequirement
from fabricplan.sizing.choice import best_three_tier, best_two_tier
from fabricplan.sizing.clos import Demand, Fabric
from fabricplan.sizing.one_tier import one_switch
from fabricplan.sizing.units import Members, Search, divide, most_hosts


def lid_count(search: Search, found: Fabric) -> int:
    """Return the local identifiers of one plane: endpoints, reserved ports, switch nodes and SHARP nodes."""
    roles = ((search.tiers.leaf, found.leaves), (search.tiers.spine, found.spines), (search.tiers.core, found.cores))
    switches = sum(count * (tier.switch.lid_nodes + tier.switch.sharp_nodes) for tier, count in roles)
    return search.endpoints + search.reserve + switches


def ceiling(search: Search) -> int:
    """Return the most endpoints of one plane within the asked (or most) tiers, as a closed form.

    Two tiers: R_spine leaves of d endpoints; three tiers: R_core pods of floor(R_spine x o / (1 + o)) leaves.
    """
    (leaf_ratio, spine_ratio), tiers = search.ratios, search.tiers
    if search.fabric.tiers == 1:
        return tiers.leaf.box.cages * tiers.leaf.box.down_per_cage - search.reserve
    probe = Demand(1, 1, 1, tiers.link_gbps, tiers.uplink_gbps, leaf_ratio,
                   min_spines=search.fabric.min_spines)  # fmt: skip
    hosts = most_hosts(tiers.leaf.box, probe)
    if search.fabric.tiers == 2:
        return tiers.spine.box.radix * hosts
    down, up = spine_ratio
    return tiers.core.box.radix * (tiers.spine.box.radix * down // (down + up)) * hosts


def too_large(search: Search, where: str, fixed: Search | None = None) -> InfeasibleError:
    """Return the error that names the limit, the nearest feasible count and the ways out.

    Args:
        search: the plane.
        where: path of the fabric in the request.
        fixed: the same of the fixed switches of its rate, where a director is named: the way out of it.
    """
    asked = search.endpoints
    limit = ceiling(search)
    spines = _too_many_spines(search, where)
    if spines is not None:
        return spines
    if asked <= limit:
        return _uneven(search, where)
    tiers = search.fabric.tiers or 3
    nearest = _nearest(search)
    model = search.tiers.leaf.switch.model
    ways = []
    if nearest:
        ways.append(f"at most {nearest:,} nodes of this kind fit")
    if fixed is None:
        ways.extend(_ways_out(search))
    elif found := fixed_fabric(fixed):
        ways.append(f"without the director: {found.switches * search.planes} {fixed.tiers.leaf.switch.model} in "
                    f"{found.tiers} tier{'s' if found.tiers > 1 else ''}")  # fmt: skip
    return InfeasibleError(Problem(
        "too-large", f"{asked:,} endpoints per plane do not fit {tiers} tier{'s' if tiers > 1 else ''} of {model}, "
        f"whose ceiling is {limit:,}", where, "; ".join(ways) or "choose a switch with more ports"))  # fmt: skip


def _too_many_spines(search: Search, where: str) -> InfeasibleError | None:
    """Return the error of a request that fails by its ``min_spines`` alone, with the most that fit; else None."""
    asked, usual = search.fabric.min_spines, int(FabricRequirement.model_fields["min_spines"].default)
    nodes = search.members[0].nodes
    if asked <= usual or search.uplinks_per_leaf or search.fabric.tiers == 1:
        return None
    if _feasible(search, nodes) is not None or _feasible(_with_spines(search, usual), nodes) is None:
        return None
    low, high = usual, asked
    while high - low > 1:
        middle = (low + high) // 2
        if _feasible(_with_spines(search, middle), nodes) is None:
            high = middle
        else:
            low = middle
    model, leaf = search.tiers.leaf.switch.model, search.tiers.leaf.box
    return InfeasibleError(Problem(
        "min-spines", f"min_spines {asked} gives every leaf at least {asked} uplinks, one to each spine; a {model} has "
        f"{leaf.radix} ports for its nodes and uplinks, and with so many uplinks no fabric holds {search.endpoints:,} "
        "endpoints per plane", f"{where}.min_spines", f"at most {low} spines can be asked here",
        (("asked", asked), ("model", model), ("ports", leaf.radix), ("endpoints", f"{search.endpoints:,}"),
         ("most", low))))  # fmt: skip


def _with_spines(search: Search, spines: int) -> Search:
    return replace(search, fabric=search.fabric.model_copy(update={"min_spines": spines}), fallen=[])


def most_nodes(search: Search, addresses: int) -> int | None:
    """Return the most nodes of the first group whose plane takes no more local identifiers; None where none does."""
    first = search.members[0]
    low, high = 0, min(first.nodes, (addresses - search.reserve) // first.ports + 1)
    while high - low > 1:
        middle = (low + high) // 2
        found = _feasible(search, middle)
        trial = replace(search, members=(replace(first, nodes=middle, comes=()), *search.members[1:]))
        if found is not None and lid_count(trial, found) <= addresses:
            low = middle
        else:
            high = middle
    return low or None


def unit_holds(search: Search, where: str) -> None:
    """Make sure that a unit of as many nodes as asked fits its leaves, where one group is asked: fewer nodes in a unit
    without a word would be another fabric than the one that was meant.

    Raises:
        InfeasibleError: with the ports that a leaf has for nodes, and the nodes that fit.
    """
    asked, first, tiers = search.fabric.nodes_per_unit, search.members[0], search.tiers
    if asked is None or len(search.members) > 1:
        return
    probe = Demand(1, 1, 1, tiers.link_gbps, tiers.uplink_gbps, search.ratios[0],
                   min_spines=search.fabric.min_spines)  # fmt: skip
    most = most_hosts(tiers.leaf.box, probe)
    each = first.ports if search.packed else min(search.rails_per_leaf or 1, first.ports)
    if min(asked, first.nodes) * each > most:
        ratio = search.fabric.oversubscription[0]
        raise InfeasibleError(Problem(
            "unit-too-large", f"{search.fabric.name}: {min(asked, first.nodes)} nodes of a unit take "
            f"{min(asked, first.nodes) * each} ports of a leaf; beside uplinks of {ratio} a {tiers.leaf.switch.model} "
            f"has {most}", f"{where}.nodes_per_unit",
            f"at most {most // each} nodes fit a unit" if most >= each else "choose a leaf with more ports",
        ))  # fmt: skip


def _uneven(search: Search, where: str) -> InfeasibleError:
    """Return the error of a request below the ceiling that no even fabric of the asked tiers serves, with the cause."""
    units = divide(search, 0)
    ways = _ways_out(search)
    if units is None:
        return InfeasibleError(Problem(
            "leaf-too-small", f"a {search.tiers.leaf.switch.model} does not hold one node of this kind beside its "
            "uplinks", where, "choose a leaf with more ports, or attach: rail or spread"))  # fmt: skip
    if len(set(units.leaves_per_unit)) > 1:
        found = ", ".join(f"{member.group} {count}" for member, count in
                          zip(search.members, units.leaves_per_unit, strict=True))  # fmt: skip
        fabric = search.fabric.model_copy(update={"attach": "packed"})
        packed = replace(search, fabric=fabric, packed=True, spread=False, pooled=False, rails_per_leaf=None, fallen=[])
        other = _feasible(packed, search.members[0].nodes)
        ways += [f"--attach packed: {other.switches * search.planes} switches"] if other else []
        return InfeasibleError(Problem(
            "unlike-units", "three tiers need pods of equally many leaves, the units of the groups differ (leaves of a "
            f"unit: {found}), and no group of theirs fills whole pods of one size", where,
            "; ".join(["give the groups fabrics of their own, or equally many ports a node", *ways])))  # fmt: skip
    if search.fabric.tiers == 2 and search.endpoints < 2:
        return InfeasibleError(Problem(
            "one-leaf", "two tiers join leaves, and 1 endpoint has but one", where,
            "ask for --tiers 1, or leave the tiers to the program"))  # fmt: skip
    if search.fabric.tiers == 3 and units.units < 2:
        return InfeasibleError(Problem(
            "one-pod", f"three tiers join pods, and {search.endpoints:,} endpoints fill one unit", where,
            "ask for --tiers 2, or leave the tiers to the program"))  # fmt: skip
    return InfeasibleError(Problem(
        "no-even-fabric", f"no fabric of {search.tiers.leaf.switch.model} joins {units.leaves} leaves evenly within "
        "the asked tiers, spines and ratio", where,
        "; ".join(ways) or "fewer --min-spines, another --oversubscription, or one unit more or less"))  # fmt: skip


def fixed_fabric(search: Search) -> Fabric | None:
    """Return the best fabric of the fixed switches of a plane, in as few tiers as hold it."""
    trial = replace(search, fallen=[])
    single = one_switch(trial)
    if single is not None:
        return single
    found = best_two_tier(trial) or best_three_tier(trial)
    return found[0] if found else None


def _feasible(search: Search, nodes: int) -> Fabric | None:
    first = search.members[0]
    smaller = Members(first.group, nodes, first.ports, first.rack_nodes)
    trial = replace(search, members=(smaller, *search.members[1:]), fallen=[])
    if search.fabric.tiers == 1:
        box = search.tiers.leaf.box
        fits = trial.endpoints + trial.reserve <= box.cages * box.down_per_cage
        return Fabric(1, 1, 1, trial.endpoints) if fits else None
    found = None
    if search.fabric.tiers in (None, 2):
        found = best_two_tier(trial)
    if found is None and search.fabric.tiers in (None, 3):
        found = best_three_tier(trial)
    return found[0] if found else None


def _nearest(search: Search) -> int | None:
    """Bisect for the largest node count that fits; feasibility is monotone but for divisibility."""
    low, high = 0, min(search.members[0].nodes, ceiling(search) // max(search.members[0].ports, 1) + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if _feasible(search, middle):
            low = middle
        else:
            high = middle
    return low or None


def _ways_out(search: Search) -> list[str]:
    ways = []
    if search.fabric.tiers in (1, 2):
        free = replace(search, fabric=search.fabric.model_copy(update={"tiers": None}), fallen=[])
        found = _feasible(free, search.members[0].nodes)
        if found:
            ways.append(f"--tiers {found.tiers}: {found.switches * search.planes} switches")
    ports = search.members[0].ports
    if search.planes == 1 and ports > 1 and len(search.members) == 1:
        first = search.members[0]
        plane = replace(
            search, fallen=[], packed=True, spread=False, planes=ports, rails_per_leaf=None,
            members=(Members(first.group, first.nodes, 1, first.rack_nodes),),
        )  # fmt: skip
        found = _feasible(plane, first.nodes)
        if found:
            ways.append(f"--planes rail: {found.switches * ports} switches")
    if search.fabric.oversubscription[0] == "1:1" and search.fabric.tiers != 1:
        wider = replace(search, fabric=search.fabric.model_copy(update={"oversubscription": ("2:1",)}), fallen=[])
        found = _feasible(wider, search.members[0].nodes)
        if found:
            ways.append(f"--oversubscription 2:1: {found.switches * search.planes} switches")
    return ways
