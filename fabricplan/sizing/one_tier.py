"""Fabrics of one tier: a single switch, leaves whose uplinks end elsewhere, two leaves joined with each other."""

from __future__ import annotations

from fabricplan.sizing.clos import Fabric
from fabricplan.sizing.units import Search, Units, common_units, demand_of


def one_switch(search: Search) -> Fabric | None:
    """Return the single switch of the plane if everything fits one."""
    box = search.tiers.leaf.box
    ports = box.cages * box.down_per_cage
    if search.spread and any(member.ports > 1 for member in search.members):
        search.fell("one-switch", None, "spread-needs-leaves")
        return None
    needed = search.endpoints + search.reserve
    if needed > ports:
        search.fell("one-switch", None, "one-switch-too-small", needed=needed, ports=ports,
                    model=search.tiers.leaf.switch.model)  # fmt: skip
        return None
    return Fabric(tiers=1, units=1, leaves=1, hosts=search.endpoints)


def leaf_capacity(search: Search) -> int:
    """Return the endpoints of a leaf without spines, below its uplinks."""
    box = search.tiers.leaf.box
    top = box.cages * box.down_per_cage
    return next((most for most in range(top, 0, -1) if box.holds(most, search.uplinks_per_leaf)), 0)


def leaves_alone(search: Search) -> tuple[Fabric, Units] | None:
    """Return the leaves of a fabric without spines: as few as hold all endpoints and further ports below their uplinks.

    ::

        leaf 1   leaf 2   leaf 3        the uplinks of each end on distinct leaves of another fabric
        48 x 1G  48 x 1G  48 x 1G
    """
    capacity = leaf_capacity(search)
    if not capacity:
        search.fell("leaves-alone", None, "leaf-too-small", model=search.tiers.leaf.switch.model)
        return None
    count = max(-(-(search.endpoints + search.reserve) // capacity), search.least_leaves)
    units = common_units(search, count)
    return Fabric(tiers=1, units=count, leaves=count, hosts=units.hosts, uplinks=search.uplinks_per_leaf), units


def direct_pair(search: Search) -> tuple[Fabric, Units] | None:
    """Return two leaves joined by as many links as the ratio needs when all traffic crosses, or None.

    ::

        leaf 1 ======== leaf 2      members of all groups dealt in turn (packed), or one half of each node's ports on
        nodes           nodes       either leaf
    """
    members, box = search.members, search.tiers.leaf.box
    ports = members[0].ports
    if any(member.ports != ports for member in members) or (ports % 2 and not search.packed):
        return None
    total = sum(member.nodes for member in members)
    several = len(members)
    if search.packed:
        units = common_units(search, 2)
    else:
        units = Units((1,) * several, tuple(member.nodes for member in members), (ports // 2,) * several,
                      (2,) * several, total * ports // 2, True)  # fmt: skip
    links = demand_of(search, units).fewest_uplinks()
    hosts = units.hosts + -(-search.reserve // 2)
    if not box.holds(hosts, links):
        return None
    return Fabric(tiers=1, units=units.units, leaves=2, hosts=units.hosts, uplinks=links), units
