"""English words of rack elevations, the floor plan and the crew pack."""

from __future__ import annotations

from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    # Elevations.
    "elevation_title": "{name}: rack elevations, row {row}",
    "elevation_note": "Front view, to scale: 1 U = 44.45 mm, panels 482.6 mm in racks of {pitch} mm; "
    "units are counted from the bottom. Which side the ports face is not drawn.",
    "default_room": "Default room: places and lengths are estimates until the room is surveyed.",
    "used_u": "{used} of {total} U used", "used_u_unknown": "{used} of {total} U, {unknown} without height",
    "power_max": "power max. {value}", "power_typical": "power typical {value}", "weight": "weight {value}",
    "at_least": "≥ {value}, {unknown} not known", "all_unknown": "not known ({unknown})", "nothing": "empty",
    "unknown_facts": "Not known, and not counted: {fact} of {models}.",
    "fact_height": "height (drawn dashed, 1 U)", "fact_power_max_w": "highest power",
    "fact_power_typical_w": "typical power", "fact_weight_kg": "weight",
    "weight_note": "Weights are of the devices alone: without rack, rails, cables and power strips.",
    "kind_node": "node", "kind_host": "host on a reserved port", "kind_leaf": "leaf", "kind_spine": "spine",
    "kind_core": "core",
    "row_sum": "Row {row}: {racks} racks, power max. {power}, weight {weight}",
    # Floor plan.
    "floor_title": "{name}: floor plan and trays",
    "floor_note": "Seen from above. Each strip above a row is its tray; it lies above the racks and is drawn beside "
    "them. Per tray segment: cables, bundles (pairs of racks), cross-section in cm².",
    "floor_stretched": "Rows stand {pitch} m apart; they are drawn further apart to leave room for the numbers.",
    "floor_route": "Assumed route, as the lengths count it: up at the A end, along its row, across the rows at the "
    "position of the Z end. Cables inside a rack are in no tray.",
    "floor_area": "Assumed jackets: copper 9.43 mm and AOC 3.0 mm (NVIDIA DGX SuperPOD design guide), fibre as AOC; "
    "a splitter counts once per tail. Colour: share of a tray of 300 × 100 mm (assumed): below 25 %, below 50 %, "
    "more.",
    "floor_unmeasured": "{count} cables of twisted pair have no published diameter; their cross-section is missing "
    "(marked +).",
    "floor_busiest": "Fullest segment: {place}, {cables} cables, {area} cm², {fill} %.",
    "floor_no_trays": "No cable leaves its rack.",
    "key_node_rack": "rack of nodes", "key_network_rack": "network rack",
    "segment_along": "{one}–{other}", "segment_across": "rows {one}–{other} at position {position}",
    "cables": "cables", "bundles": "bundles", "bundle_letter": "b",
    "head_kind": "segment", "head_from": "from", "head_to": "to", "head_area": "cross-section cm²",
    "head_unmeasured": "cables without diameter", "head_fill": "% of 300 × 100 mm",
    "along": "along row", "across": "between rows",
}  # fmt: skip
