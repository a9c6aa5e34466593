"""``--networks`` and its companions: further fabrics of a request, with what is usual for each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fabricplan.errors import Problem, RequirementError, nearest
from fabricplan.requirement import INFINIBAND_RATES

FURTHER = ("networks", "storage_nodes", "storage_rate", "extra_ports")
"""Parameters of ``design`` that add fabrics."""
NETWORKS = ("compute", "storage", "inband", "oob")
STORAGE_RATE = {"xdr": "ndr", "ndr200": "ndr", "800": "400", "800gbe": "400gbe"}
"""Rate of a storage fabric where it is not that of the compute fabric: our choice, as reference designs have it."""
STORAGE_PORTS = 2


def further_networks(data: dict[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request with the fabrics and the storage servers that options add.

    Args:
        data: the request as plain data; its first group and first fabric are there.
        more: the options of :data:`FURTHER` that were given.

    Raises:
        RequirementError: an unknown network or one named twice, storage servers without a storage network, a form
            like ``16 by 2``.
    """
    if not more:
        return data
    words = [word.strip() for word in str(more.get("networks", "")).split(",") if word.strip()]
    for word in words:
        if word not in NETWORKS:
            raise _wrong("networks", f"no network '{word}'", nearest(word, NETWORKS))
        if words.count(word) > 1:
            once = ",".join(dict.fromkeys(words))
            raise RequirementError(Problem("network-twice", f"network '{word}' is named twice", "--networks",
                                           f"name each once: --networks {once}",
                                           (("word", word), ("once", once))))  # fmt: skip
    groups, fabrics = list(data["groups"]), list(data["fabrics"])
    have = {fabric.get("network", "compute") for fabric in fabrics if isinstance(fabric, dict)}
    if words and "compute" not in words:
        raise _wrong("networks", "the first fabric carries compute traffic", "--networks compute," + ",".join(words))
    for option, network in (("storage_nodes", "storage"), ("storage_rate", "storage"), ("extra_ports", "oob")):
        if option in more and network not in words:
            raise _wrong(option, f"no {network} network is asked", f"add --networks compute,{network}")
    names = [groups[0].get("name", "node") if isinstance(groups[0], dict) else "node"]
    servers = _storage_nodes(more["storage_nodes"]) if "storage_nodes" in more else None
    if servers:
        groups.append({"name": "storage", "platform": "generic-storage", "nodes": servers[0]})
    everyone = [{"group": name} for name in (*names, *(["storage"] if servers else []))]
    for word in words:
        if word in have:
            continue
        fabric: dict[str, Any] = {"name": word, "network": word, "technology": "ethernet", "attached": everyone}
        if word == "storage":
            fabric |= _storage(more, fabrics[0])
            if servers:
                fabric["attached"] = [{"group": names[0]}, {"group": "storage", "ports_per_node": servers[1]}]
        elif word == "inband":
            fabric["rate"] = "100gbe"
        else:
            fabric |= {"rate": "1gbe", "extra_ports": more.get("extra_ports", 0)}
        fabrics.append(fabric)
    return {**data, "groups": groups, "fabrics": fabrics}


def _storage(more: Mapping[str, Any], compute: Any) -> dict[str, Any]:
    rate = more.get("storage_rate")
    if rate is None:
        of = str(compute.get("rate", ""))
        return {"technology": compute.get("technology", "infiniband"), "rate": STORAGE_RATE.get(of.casefold(), of)}
    return {"technology": "infiniband" if rate.casefold() in INFINIBAND_RATES else "roce", "rate": rate}


def _storage_nodes(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([1-9][0-9]{0,6})(?:[xX×*]([1-9][0-9]?))?", text.strip())
    if not match:
        raise _wrong("storage_nodes", f"'{text}' is not servers x ports", "for example --storage-nodes 16x2")
    return int(match[1]), int(match[2] or STORAGE_PORTS)


def _wrong(option: str, message: str, advice: str) -> RequirementError:
    return RequirementError(Problem("networks", message, "--" + option.replace("_", "-"), advice))
