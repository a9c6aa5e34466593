"""``node-labels.yaml``: labels that tell a Kubernetes scheduler where each node stands on the compute fabric.

For ``kubectl apply --server-side -f node-labels.yaml`` (apply merges labels into the nodes that exist). The keys are
those of NVIDIA topograph 1 (``fabric.topograph.run/tier-N``, tier 0 nearest to the node, and
``accelerator.topograph.run/domain``) and of topograph before 1 (``network.topology.nvidia.com/leaf``, ``spine``,
``core``, ``accelerator``), because schedulers (KAI, Kueue, Volcano, Koordinator) name either; by its reference "Node
Labels and Annotations". An accelerator domain is only given where NVLink spans several nodes.
"""

from __future__ import annotations

from fabricplan.plan import Plan
from fabricplan.renderers.node_tree import node_trees
from fabricplan.schedule.domains import nvlink_domains

TIERS = ("leaf", "spine", "core")
OLD, NEW_TIER, NEW_DOMAIN = (
    "network.topology.nvidia.com/", "fabric.topograph.run/tier-", "accelerator.topograph.run/domain",
)  # fmt: skip


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return the labels of all nodes of the compute fabrics; the language does not matter."""
    names = plan.device_names()
    domain = {row: name for name, rows in nvlink_domains(plan).items() for row in rows}
    documents = []
    for tree in node_trees(plan, "kubernetes"):
        for group in tree.groups:
            steps = [group.name, *([group.pod] if group.pod else []), *([tree.root] if len(tree.groups) > 1 else [])]
            labels = [f"    {NEW_TIER}{number}: {step}" for number, step in enumerate(steps)]
            labels += [f"    {OLD}{tier}: {step}" for tier, step in zip(TIERS, steps, strict=False)]
            for row in group.rows:
                keys = (NEW_DOMAIN, f"{OLD}accelerator") if row in domain else ()
                documents.append("\n".join([
                    "---", "apiVersion: v1", "kind: Node", "metadata:", f"  name: {names[row]}", "  labels:", *labels,
                    *(f"    {key}: {domain[row]}" for key in keys)]))  # fmt: skip
    return {"node-labels.yaml": ("\n".join(documents) + "\n").encode()}
