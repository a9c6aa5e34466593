"""Plans with a changed link table: what the proofs must notice."""

from __future__ import annotations

import numpy as np

from fabricplan.plan import Plan
from fabricplan.topology import LEAF_SPINE, NODE_LEAF, SPINE_CORE, Links
from fabricplan.values import IntArray

__all__ = [
    "core_link", "drop", "host_on_spine", "joined_leaves", "leaf_without_links", "rewire", "rows", "swap",
    "without_spine",
]  # fmt: skip


def rows(plan: Plan, role: int) -> IntArray:
    """Return the link rows of a role."""
    return np.flatnonzero(plan.topology.links.role == role)


def drop(plan: Plan, gone: IntArray) -> Plan:
    """Return the plan without some links."""
    keep = np.ones(len(plan.topology.links), bool)
    keep[gone] = False
    cabling = plan.cabling.model_copy(update={"links": plan.cabling.links.take(keep)})
    topology = plan.topology.model_copy(update={"links": plan.topology.links.take(keep)})
    return plan.model_copy(update={"topology": topology, "cabling": cabling})


def rewire(plan: Plan, row: IntArray, upper: IntArray | int, upper_port: IntArray | int) -> Plan:
    """Return the plan with the upper ends of some links elsewhere."""
    links = plan.topology.links
    columns = {name: links.wide(name) for name in links.columns}
    columns["upper"][row] = upper
    columns["upper_port"][row] = upper_port
    return plan.model_copy(update={"topology": plan.topology.model_copy(update={"links": Links(**columns)})})


def swap(plan: Plan, one: int, other: int) -> Plan:
    """Return the plan with the upper ends of two links exchanged."""
    links = plan.topology.links
    both, crossed = np.array([one, other]), np.array([other, one])
    return rewire(plan, both, links.wide("upper")[crossed], links.wide("upper_port")[crossed])


def host_on_spine(plan: Plan) -> Plan:
    """Return the plan with the first endpoint on a free port of the first spine."""
    links = plan.topology.links
    spine = int(links.upper[rows(plan, LEAF_SPINE)[0]])
    used = set(links.upper_port[links.upper == spine].tolist()) | set(links.lower_port[links.lower == spine].tolist())
    shape = plan.fabrics[0].shape
    assert shape.spine is not None
    free = next(port for port in range(1, shape.spine.radix + 1) if port not in used)
    return rewire(plan, rows(plan, NODE_LEAF)[:1], spine, free)


def without_spine(plan: Plan) -> Plan:
    """Return the plan without the links of the first spine."""
    links = plan.topology.links
    spine = int(links.upper[rows(plan, LEAF_SPINE)[0]])
    return drop(plan, np.flatnonzero((links.upper == spine) | (links.lower == spine)))


def leaf_without_links(plan: Plan) -> Plan:
    """Return the plan without the links of the first endpoint's leaf: its pod is smaller than the others."""
    links = plan.topology.links
    leaf = int(links.upper[rows(plan, NODE_LEAF)[0]])
    return drop(plan, np.flatnonzero((links.upper == leaf) | (links.lower == leaf)))


def joined_leaves(plan: Plan) -> Plan:
    """Return two leaves of a two-tier plan joined to each other, without spines."""
    links = plan.topology.links
    first, second = np.unique(links.upper[rows(plan, NODE_LEAF)])[:2].tolist()
    keep = (links.role == NODE_LEAF) & np.isin(links.upper, [first, second])
    keep |= (links.role == LEAF_SPINE) & (links.lower == first)
    pair = drop(plan, np.flatnonzero(~keep))
    trunk = rows(pair, LEAF_SPINE)
    return rewire(pair, trunk, second, pair.topology.links.wide("lower_port")[trunk])


def core_link(plan: Plan) -> IntArray:
    """Return the first link between a spine and a core."""
    return rows(plan, SPINE_CORE)[:1]
