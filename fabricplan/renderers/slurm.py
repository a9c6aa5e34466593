"""``topology.conf``: the compute fabric as a switch tree for Slurm; ``topology.yaml`` for NVLink racks.

For Slurm 22.05 and later (``TopologyPlugin=topology/tree``, ``SelectType=select/cons_tres``) by topology.conf(5). Leaf
lines list ``Nodes=``, upper lines ``Switches=``; every node stands once, every fabric has one root. On a rail fabric
the leaves of a scalable unit are one switch of the tree, because its nodes meet on each of them.

Where racks are NVLink domains, ``topology.yaml`` (Slurm 25.05 and later, topology.yaml(5)) has a block a rack and the
same tree as a second topology; Slurm then passes over ``topology.conf``. Block sizes are the nodes of the smallest
rack and its doubles: no block may hold fewer nodes than the first size.
"""

from __future__ import annotations

from fabricplan.plan import Plan
from fabricplan.renderers.node_tree import NodeTree, host_list, node_trees
from fabricplan.schedule.domains import nvlink_domains


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return the topology files; the language does not matter."""
    trees = node_trees(plan, "slurm")
    names = plan.device_names()
    rows = [row for tree in trees for row in _lines(tree, names)]
    text = "".join(f"SwitchName={name} {kind}={members}\n" for name, kind, members in rows)
    files = {"topology.conf": text.encode()}
    domains = nvlink_domains(plan)
    here = {row for tree in trees for group in tree.groups for row in group.rows}
    blocks = {name: [row for row in members if row in here] for name, members in domains.items()}
    blocks = {name: members for name, members in blocks.items() if members}
    if blocks:
        files["topology.yaml"] = _yaml(rows, blocks, names)
    return files


def _lines(tree: NodeTree, names: list[str]) -> list[tuple[str, str, str]]:
    """Return name, kind and members of every switch, the nodes' switches first."""
    rows = [(group.name, "Nodes", host_list(names[row] for row in group.rows)) for group in tree.groups]
    if len(tree.groups) == 1:
        return rows
    for pod, groups in tree.pods.items():
        rows.append((pod, "Switches", host_list(group.name for group in groups)))
    below = list(tree.pods) or [group.name for group in tree.groups]
    return [*rows, (tree.root, "Switches", host_list(below))]


def _yaml(rows: list[tuple[str, str, str]], blocks: dict[str, list[int]], names: list[str]) -> bytes:
    base = min(len(members) for members in blocks.values())
    sizes = [base]
    while sizes[-1] * 2 <= base * len(blocks):
        sizes.append(sizes[-1] * 2)
    lines = ["---", "- topology: nvlink", "  cluster_default: true", "  block:", "    block_sizes:",
             *(f"      - {size}" for size in sizes), "    blocks:"]  # fmt: skip
    for name, members in blocks.items():
        lines += [f"      - block: {name}", f'        nodes: "{host_list(names[row] for row in members)}"']
    lines += ["- topology: tree", "  cluster_default: false", "  tree:", "    switches:"]
    for name, kind, listed in rows:
        lines += [f"      - switch: {name}", f'        {"nodes" if kind == "Nodes" else "children"}: "{listed}"']
    return ("\n".join(lines) + "\n").encode()
