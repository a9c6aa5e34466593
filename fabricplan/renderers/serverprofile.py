"""``serverprofile.csv``: what each port of a server is - cage, rail, adapter, GPU, interface - and NCCL's settings.

One row a port of every group and fabric. Port 1 is not GPU 1: cages are not in the order of GPUs, and adapters are
numbered by the PCI bus. ``nccl/<group>.conf`` has ``NCCL_IB_HCA`` for the compute fabric in NCCL's own form, for
/etc/nccl.conf (NCCL 2, "Environment Variables"): a leading ``=`` makes the names exact, because ``mlx5_1`` alone would
also take ``mlx5_10``. Groups whose adapter names the catalogue does not know have rows, and no such file.
"""

from __future__ import annotations

from fabricplan.plan import Plan
from fabricplan.renderers.plain import Cell, plain_csv
from fabricplan.schedule import NodePortFacts, node_port_facts

HEADINGS = (
    "group", "platform", "fabric", "port", "panel", "cage", "rail", "gpu", "plane", "adapter", "adapter_source",
    "interface", "pci",
)  # fmt: skip


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return the profile of every group and NCCL's settings; the language does not matter."""
    rows: list[tuple[Cell, ...]] = []
    settings: dict[str, list[NodePortFacts]] = {}
    for number, sizing in enumerate(plan.fabrics):
        for group in sizing.node_groups:
            facts = node_port_facts(plan, number, group)
            for port, (fact, lands) in enumerate(zip(facts, group.ports, strict=True), 1):
                rows.append((
                    group.group, group.platform, sizing.name, port, fact.text.panel, fact.text.cage, fact.rail,
                    fact.gpu, lands.plane if sizing.planes > 1 else None, fact.adapter if fact.named else None,
                    "maker" if fact.named else "not known", fact.interface, fact.pci,
                ))  # fmt: skip
            if sizing.network == "compute" and all(fact.named for fact in facts):
                settings.setdefault(group.group, []).extend(facts)
    files = {"serverprofile.csv": plain_csv(HEADINGS, rows)}
    for name, facts in settings.items():
        adapters = [fact.adapter for fact in sorted(facts, key=lambda fact: fact.rail)]
        files[f"nccl/{name}.conf"] = f"NCCL_IB_HCA=={','.join(adapters)}\n".encode()
    return files
