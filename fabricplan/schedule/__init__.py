"""The printed view of a plan, language-neutral: cable schedule, devices, ports, racks, bundles, lengths.

Nothing is decided here; every cell is read from the plan and formatted once for all renderers.
"""

from __future__ import annotations

from fabricplan.portwords import PortText, node_ports, short_port, switch_port
from fabricplan.schedule.adapters import LinkParts, NodePortFacts, link_parts, node_port_facts
from fabricplan.schedule.bill import BillRow, bill_rows
from fabricplan.schedule.cables import CableRow, CableTable, End, cable_rows, cable_table, columns
from fabricplan.schedule.columns import Cell, Coded, coded
from fabricplan.schedule.devices import (
    BundleRow,
    DeviceRow,
    PortTable,
    RackRow,
    bundle_rows,
    device_rows,
    known_sum,
    port_table,
    rack_rows,
)

__all__ = [
    "BillRow", "BundleRow", "CableRow", "CableTable", "Cell", "Coded", "DeviceRow", "End", "LinkParts",
    "NodePortFacts", "PortTable", "PortText", "RackRow", "bill_rows", "bundle_rows", "cable_rows", "cable_table",
    "coded", "columns", "device_rows", "known_sum", "link_parts", "node_port_facts", "node_ports", "port_table",
    "rack_rows", "short_port", "switch_port",
]  # fmt: skip
