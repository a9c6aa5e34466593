"""English words that only tables use: sheet names, headings, remarks."""

from __future__ import annotations

from collections.abc import Mapping

SHEETS: Mapping[str, str] = {
    "overview": "Overview", "bill": "Bill of materials", "cable_summary": "Cable summary",
    "cables": "Cable schedule", "ports": "Port view", "racks": "Racks", "findings": "Findings", "basis": "Sources",
}  # fmt: skip

TERMS: Mapping[str, str] = {
    "tail": "tail", "a_cage": "A cage", "z_cage": "Z cage", "a_module_opn": "A transceiver OPN",
    "z_module_opn": "Z transceiver OPN", "cable_opn": "cable OPN", "family": "cable family",
    "piece": "piece", "end": "end", "site": "site", "a_row": "A row", "z_row": "Z row", "a_kind": "A kind",
    "z_kind": "Z kind",
    "a_side": "A cable manager", "z_side": "Z cable manager", "left": "left", "right": "right",
    "a_model": "A model", "z_model": "Z model", "medium": "medium", "connector": "fibre connector",
    "serial": "serial number", "a_module_serial": "A transceiver serial number",
    "z_module_serial": "Z transceiver serial number", "by": "by", "date": "date", "note": "remark",
    "patch_panel": "patch panel", "side_a": "A ", "side_z": "Z ", "side_near": "near ", "side_far": "far ",
    "label_near": "label near",
    "label_far": "label far",
    "required_m": "required (m)", "spare_quantity": "spare", "with_spares": "total", "subtotal": "subtotal",
    "share": "share", "metres_total": "total (m)", "bundle_cables": "cables", "shortest_m": "shortest (m)",
    "longest_m": "longest (m)", "height_u": "height (U)", "power_w": "max power (W)",
    "power_unknown": "power unknown", "near_port": "port", "near_module": "transceiver", "far_rack": "far rack",
    "far_u": "far U", "cable_id": "cable ID", "unit_short": "SU", "host": "reserved host",
    "rack_total": "rack total", "grand_total": "grand total", "in_box": "box {box}, shared",
    "order_pn": "part number", "has_management": "managed",
    "general": "Plan", "fabrics": "Fabrics", "parts": "Parts", "how_to_read": "How to read the cable schedule",
    "cables_elsewhere": "{rows:,} rows are more than a sheet holds well: see cables.csv, one row a cable.",
    "ports_elsewhere": "{rows:,} ports are more than a sheet holds well: see cables.csv, which names both ends.",
    "no_findings": "No findings.", "tbps": "bisection bandwidth (Tb/s, one way)",
    "ratio_leaf": "oversubscription, leaf", "ratio_spine": "oversubscription, spine",
    "pair_links": "links per leaf-spine pair",
    "link_rate": "link rate (Gb/s)", "switch_total": "switches", "link_total": "links", "length_note": "cable lengths",
    "length_estimated": "estimated from the layout of the room; survey the room before ordering",
    "length_surveyed": "surveyed",
    "length_partly": "{surveyed} of {cables} surveyed, the others estimated or one uniform length",
    "length_uniform": "one uniform length, as asked",
    "power_known": "known maximum power (kW)", "power_lacking": "devices without a known power",
    "free": "free", "free_cages": "free: {cages} cages, and {ports} ports of cages in use",
    "program": "program version", "schema": "document form", "catalog_digest": "catalogue digest",
    "versions": "Versions", "request": "Request", "rack_count": "racks", "findings_count": "findings",
    "findings_line": "{errors} errors, {warnings} warnings, {infos} notes",
    "note_label": "Cable label: at the A end the line of label A stands over that of label Z, at the Z end the other "
    "way round. Rack - U from the bottom - port: the panel's IB1/8/1 or swp33s1 is P08/1 or P33s1 on the label.",
    "note_ends": "A is the lower end (node, leaf), Z the upper. A splitter has one row per tail with the same ID. "
    "IDs that start with R are reserved ports without a cable yet.",
}  # fmt: skip
