"""Which nodes are near each other on the compute fabric: what schedulers want to know.

Nodes whose ports land on the same leaves are one group; on rail fabrics that is a scalable unit, because all its nodes
meet on each of its leaves. Groups whose leaves stand in the same pods are nearer than others. Only ports of compute
fabrics count: a storage leaf that joins all nodes says nothing about how they train together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from fabricplan.errors import Problem, RenderError
from fabricplan.names import digits, leaf_name
from fabricplan.plan import Plan
from fabricplan.topology import NODE, NODE_LEAF
from fabricplan.topology.naming import name_widths


class Group(NamedTuple):
    """Nodes on the same leaves: a name, their device rows, and the name of their pods (empty where all share them)."""

    name: str
    rows: list[int]
    pod: str


class NodeTree(NamedTuple):
    """The groups of one fabric under its root; a fabric of one group has no root above it."""

    root: str
    groups: list[Group]

    @property
    def pods(self) -> dict[str, list[Group]]:
        """Pod -> its groups, in order; empty where all groups share the pods."""
        found: dict[str, list[Group]] = {}
        for group in self.groups:
            if group.pod:
                found.setdefault(group.pod, []).append(group)
        return found


def node_trees(plan: Plan, form: str) -> list[NodeTree]:
    """Return the tree of every compute fabric; a node stands in the first fabric that it attaches to.

    Raises:
        RenderError: the plan has no compute fabric.
    """
    placed: set[int] = set()
    found = []
    for number, sizing in enumerate(plan.fabrics):
        if sizing.network == "compute":
            groups = _groups(plan, number, placed)
            if groups:
                found.append(NodeTree(sizing.name, groups))
    if not found:
        raise RenderError(Problem("no-compute-fabric", f"'{form}' describes the compute fabric; this plan has none", "",
                                  "plan a fabric whose network is compute"))  # fmt: skip
    return found


def _groups(plan: Plan, fabric: int, placed: set[int]) -> list[Group]:
    links, devices = plan.topology.links, plan.topology.devices
    rows = np.flatnonzero((links.fabric == fabric) & (links.role == NODE_LEAF))
    lower, upper = links.wide("lower")[rows], links.wide("upper")[rows]
    leaves: dict[int, set[int]] = {}
    for node, leaf, kind in zip(lower.tolist(), upper.tolist(), devices.kind[lower].tolist(), strict=True):
        if kind == NODE and node not in placed:
            leaves.setdefault(node, set()).add(leaf)
    placed.update(leaves)
    alike: dict[tuple[int, ...], list[int]] = {}
    for node in sorted(leaves):
        alike.setdefault(tuple(sorted(leaves[node])), []).append(node)
    pod, unit = devices.pod.tolist(), devices.unit.tolist()
    pods = {key: tuple(sorted({pod[leaf] for leaf in key} - {0})) for key in alike}
    several = len(set(pods.values())) > 1
    width = digits(max((max(held, default=0) for held in pods.values()), default=0))
    names, widths = plan.device_names(), name_widths(plan.fabrics[fabric])
    crowded = [unit[key[0]] for key in alike]
    found: list[Group] = []
    taken: set[str] = set()
    for key, nodes in alike.items():
        name = names[key[0]]
        if len(key) > 1 and crowded.count(unit[key[0]]) == 1:
            name = leaf_name("" if fabric == 0 else f"{plan.fabrics[fabric].name}-", 0, unit[key[0]], None, widths)
        same = sum(other == name or other.startswith(f"{name}.") for other in taken)
        name += f".{same + 1}" if same else ""
        taken.add(name)
        found.append(Group(name, nodes, _pod_name(pods[key], width) if several else ""))
    return found


def _pod_name(pods: tuple[int, ...], width: int) -> str:
    """Return the name of one pod, or of the pods that the rails of a unit spread over.

    >>> _pod_name((3,), 2), _pod_name((1, 2, 3, 4), 2)
    ('pod03', 'pods01-04')
    """
    if len(pods) == 1:
        return f"pod{pods[0]:0{width}}"
    return f"pods{pods[0]:0{width}}-{pods[-1]:0{width}}"


def host_list(names: Iterable[str]) -> str:
    """Return names as a host list: runs of the same prefix and width in brackets.

    >>> host_list(["n-01", "n-02", "n-03", "n-07", "x"])
    'n-[01-03,07],x'
    """
    runs: list[tuple[str, int, list[list[int]]]] = []
    for name in names:
        match = re.fullmatch(r"(.*?)(\d+)", name)
        if match is None:
            runs.append((name, 0, []))
            continue
        prefix, number, width = match[1], int(match[2]), len(match[2])
        if runs and runs[-1][:2] == (prefix, width):
            ranges = runs[-1][2]
            if number == ranges[-1][1] + 1:
                ranges[-1][1] = number
            else:
                ranges.append([number, number])
        else:
            runs.append((prefix, width, [[number, number]]))
    return ",".join(_run(*run) for run in runs)


def _run(prefix: str, width: int, ranges: list[list[int]]) -> str:
    words = [f"{low:0{width}}" if low == high else f"{low:0{width}}-{high:0{width}}" for low, high in ranges]
    if not words:
        return prefix
    return prefix + (words[0] if len(words) == 1 and "-" not in words[0] else f"[{','.join(words)}]")
