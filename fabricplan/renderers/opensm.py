"""Files for OpenSM, one folder per subnet: root, compute and I/O lists and the node-name map as templates, options,
partitions.

For OpenSM 3.3 and UFM's OpenSM, by opensm(8) ("Up/Down", "Fat-tree", options -a, -u, -G), the documents
``current-routing.txt`` and ``partition-config.txt`` of OpenSM, and opensm.conf as ``opensm --create-config`` writes it.

GUIDs are not known before delivery, so the lists are templates: a place-holder ``${switch:NAME}``, ``${node:NAME}`` or
``${port:NAME}`` stands where a GUID belongs (of a switch, of an adapter, of its port). ``fabricplan fill-guids`` fills
them from a discovery. OpenSM passes over lines that hold no GUID, so a template that is used as it is does nothing.

The root list is always written: with it ftree also routes fabrics whose units differ or where a link is missing.
A single switch has nothing to route in a tree; its options name min-hop.
"""

from __future__ import annotations

from fabricplan.plan import Plan
from fabricplan.renderers.subnets import Subnet, subnets

ROOTS, COMPUTE, IO, NAMES = "root_guid_file", "cn_guid_file", "io_guid_file", "node-name-map"
NEWER = ("# NDR and later need the OpenSM of UFM or of NVIDIA's driver package: with that of a distribution",
         "# small packets pass and large ones are lost")  # fmt: skip
FOLDER = "/etc/opensm"
TEMPLATE, OPTIONS = ".template", "opensm.conf"


def render(plan: Plan, lang: str) -> dict[str, bytes]:
    """Return the files of every subnet; the language does not matter."""
    files: dict[str, bytes] = {}
    for subnet in subnets(plan, "opensm"):
        for name, lines in list_files(subnet).items():
            files[f"opensm/{subnet.stem}/{name}"] = ("\n".join(lines) + "\n").encode()
    return files


def list_files(subnet: Subnet) -> dict[str, list[str]]:
    """Return the lines of every file of a subnet; names end in ``TEMPLATE`` where they hold place-holders."""
    top = subnet.top_tier
    tiers = subnet.wiring.tier.tolist()
    roots = [name for name, tier in zip(subnet.switches, tiers, strict=True) if tier == top]
    compute = [end for end, mine in zip(subnet.ends, subnet.compute, strict=True) if mine]
    others = [end for end, mine in zip(subnet.ends, subnet.compute, strict=True) if not mine]
    files = {
        ROOTS + TEMPLATE: [place_holder("switch", name) for name in roots],
        COMPUTE + TEMPLATE: [place_holder("port", end) for end in compute],
        NAMES + TEMPLATE: [
            *(f'{place_holder("switch", name)} "{name}"' for name in subnet.switches),
            *(f'{place_holder("node", end)} "{end}"' for end in subnet.ends),
        ],
        "partitions.conf": ["Default=0x7fff, ipoib : ALL=full ;"],
    }
    if others:
        files[IO + TEMPLATE] = [place_holder("port", end) for end in others]
    files[OPTIONS] = _options(top, bool(others), subnet.wiring.sizing.uplink_rate)
    return files


def place_holder(kind: str, name: str) -> str:
    """Return what stands for a GUID until it is known.

    >>> place_holder("port", "node-su01-001 mlx5_0")
    '${port:node-su01-001 mlx5_0}'
    """
    return f"${{{kind}:{name}}}"


def _options(top: int, io: bool, rate: str) -> list[str]:
    rows = [
        ("routing_engine", "ftree" if top > 1 else "minhop"),
        ("lmc", "0"),
        ("root_guid_file", f"{FOLDER}/{ROOTS}" if top > 1 else "(null)"),
        ("cn_guid_file", f"{FOLDER}/{COMPUTE}" if top > 1 else "(null)"),
        ("io_guid_file", f"{FOLDER}/{IO}" if io and top > 1 else "(null)"),
        ("node_name_map_name", f"{FOLDER}/{NAMES}"),
        ("partition_config_file", f"{FOLDER}/partitions.conf"),
    ]
    return [*(NEWER if rate.startswith(("ndr", "xdr")) else ()), *(f"{name} {value}" for name, value in rows)]
