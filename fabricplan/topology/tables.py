"""The tables of a topology: devices and links, and the words of their code columns."""

from __future__ import annotations

from typing import ClassVar, Literal

from fabricplan.values import Column, Table, Value

NODE, HOST, SWITCH = 0, 1, 2
LEAF, SPINE, CORE = 1, 2, 3
NODE_LEAF, LEAF_SPINE, SPINE_CORE, RESERVED = 0, 1, 2, 3
ROLES = ("node_leaf", "leaf_spine", "spine_core", "reserved")
TIERS = ("node", "leaf", "spine", "core")
NO_RAIL = 255
CAGES = 4096
"""Cages that the code of an end, ``device x CAGES + cage``, leaves room for; no device has as many."""


class Devices(Table):
    """All devices: nodes first, then hosts on reserved ports, then the switches fabric by fabric."""

    columns: ClassVar = {
        "kind": Column("<u1", "0 node, 1 host on a reserved port, 2 switch"),
        "tier": Column("<u1", "0 node or host, 1 leaf, 2 spine, 3 core"),
        "fabric": Column("<u1", "fabric number from 0 (nodes: the first they attach to)"),
        "plane": Column("<u1", "plane from 1; 0 for nodes and where there is one plane"),
        "group": Column("<u1", "node group number from 0 (nodes)"),
        "pod": Column("<u2", "pod from 1; core group from 1 for cores; 0 where there are no pods"),
        "unit": Column("<u2", "scalable unit from 1; 0 for spines and cores"),
        "rail": Column("<u1", "lowest rail of a leaf, from 0; 255 where a unit has one leaf"),
        "index": Column("<i4", "number from 1 within its unit, pod or core group"),
        "type": Column("<u2", "row of the plan's device types"),
        "box": Column("<i4", "purchasable box, from 0, counted over all switches; -1 for nodes and hosts"),
    }


class Links(Table):
    """All links: one logical port-to-port connection each; ordered by fabric, role, lower device and port."""

    columns: ClassVar = {
        "fabric": Column("<u1", "fabric number from 0"),
        "role": Column("<u1", "0 node-leaf, 1 leaf-spine, 2 spine-core, 3 reserved"),
        "lower": Column("<i4", "device row of the lower end"),
        "lower_port": Column("<u2", "port number from 1: of the node's ports of this network, or of the switch"),
        "upper": Column("<i4", "device row of the upper end"),
        "upper_port": Column("<u2", "port number of the switch, from 1"),
    }


class DeviceType(Value):
    """What a device row is: a platform, a switch model or a host on a reserved port."""

    kind: Literal["platform", "switch", "host"]
    key: str


class Topology(Value):
    """Devices and links of all fabrics."""

    device_types: tuple[DeviceType, ...]
    devices: Devices
    links: Links
