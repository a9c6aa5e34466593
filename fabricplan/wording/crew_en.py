"""English words of rack elevations, the floor plan and the crew pack."""

from __future__ import annotations

from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    # Elevations.
    "elevation_title": "{name}: rack elevations, row {row}",
    "elevation_note": "Front view, to scale: 1 U = 44.45 mm, panels 482.6 mm in racks of {pitch} mm; "
    "units are counted from the bottom, racks stand in the order of their numbers.",
    "elevation_faces": "Front or rear beside a switch: the side of the rack that its ports look to, by its airflow; "
    "front is the cold aisle. Switches are drawn in their units, whichever side that is.",
    "face_front": "front", "face_rear": "rear", "head_face": "rack side", "topic_face": "Front and rear",
    "guide_face": "Column rack side of sheets Ports tells whether the ports of a switch look to the front of the rack, "
    "the cold aisle, or to its rear.",
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
    "row_sum": "Row {row}: {racks} {racks:rack|racks}, power max. {power}, weight {weight}",
    # Floor plan.
    "floor_title": "{name}: floor plan and trays",
    "floor_note": "Seen from above. Each strip above a row is its tray; it lies above the racks and is drawn beside "
    "them. Per tray segment: cables, bundles (pairs of racks), cross-section in cm².",
    "floor_stretched": "Rows stand {pitch} m apart; they are drawn further apart to leave room for the numbers.",
    "floor_stretched_rows": "Rows that stand close are drawn further apart to leave room for the numbers.",
    "floor_route_crossings": "Assumed route, as the lengths count it: into the tray at the A end, the shortest way "
    "along the rows and over the trays across them, out at the Z end. Cables inside a rack are in no tray.",
    "floor_note_under": "Seen from above. Each strip above a row is its tray; it lies under the floor and is drawn "
    "beside the racks. Per tray segment: cables, bundles (pairs of racks), cross-section in cm².",
    "floor_route": "Assumed route, as the lengths count it: up at the A end, along its row, across the rows at the "
    "position of the Z end. Cables inside a rack are in no tray.",
    "floor_area": "Assumed jackets: copper 9.43 mm and AOC 3.0 mm (NVIDIA DGX SuperPOD design guide), fibre as AOC; "
    "a splitter counts once per tail. Colour: share of a tray of 300 × 100 mm (assumed): below 25 %, below 50 %, "
    "more.",
    "floor_unmeasured": "Up to {count} cables of a segment have no published diameter ({kinds}); "
    "their cross-section is missing (marked +).",
    "bare_twisted-pair": "twisted pair", "bare_trunk": "trunks", "bare_and": " and ",
    "floor_busiest": "Fullest segment: {place}, {cables} cables, {area} cm², {fill} %.",
    "floor_no_trays": "No cable leaves its rack.",
    "key_node_rack": "rack of nodes", "key_network_rack": "network rack",
    "segment_along": "{one}–{other}",
    "cables": "cables", "bundles": "bundles", "bundle_letter": "b",
    "head_kind": "segment", "head_from": "from", "head_to": "to", "head_area": "cross-section cm²",
    "head_unmeasured": "cables without diameter", "head_fill": "% of 300 × 100 mm",
    "along": "along row", "across": "between rows",
    # Crew pack: sheets.
    "sheet_guide": "Read first", "sheet_packages": "Packages", "sheet_checklist": "Checklist", "sheet_ports": "Ports "
    "{row}",
    "sheet_labels": "Labels",
    "sheet_package_cuts": "Cuts by package", "sheet_cuts": "Cut list",
    "sheet_lengths": "Lengths", "sheet_edges": "Tight lengths",
    "crew_title": "{name}: cabling pack",
    "crew_counts": "{cables} cables ({pieces} plug-to-plug pieces, {labels} labels) in {packages} packages, {steps} "
    "steps for {teams} teams.",
    "crew_one": "{cables} cables ({pieces} plug-to-plug pieces, {labels} labels) in {packages} packages, one team.",
    "crew_order": "Work step by step: all teams finish a step before the next begins, so that no two teams are in one "
    "rack. Inside racks first, then within rows, then between rows; short bundles first.",
    "crew_idle": "In {idle} of {slots} turns a team has no rack to itself and waits; at most {most} "
    "{most:team|teams} can work at once, so more teams gain nothing.",
    "crew_hours": "Estimated effort: {hours} hours of one person ({minutes:g} minutes a plug-to-plug piece, our "
    "figure).",
    "crew_reserved": "{count} reserved {count:port gets|ports get} no cable.",
    "crew_lengths_estimated": "Lengths are estimates of the layout of the room: survey it before ordering.",
    "crew_lengths_surveyed": "All lengths were surveyed.",
    "crew_lengths_partly": "The lengths of {surveyed} of {cables} cables were surveyed; the others are estimates, or "
    "one uniform length.",
    "crew_lengths_uniform": "One uniform length was asked for: required lengths say nothing of the room.",
    "crew_elsewhere": "{rows} rows are too many for a workbook: see {file}.",
    "crew_rare": "{count} {count:length is|lengths are} needed fewer than {below} times; --merge-below {below} orders "
    "{count:it|them} in the next longer one.",
    "crew_no_spares": "The request asks for no spares; --spares field adds a few of each.",
    "no_edges": "No cable has less than {percent} % slack.",
    "edges_uniform": "Not told: one uniform length was asked for.",
    "route_inside": "inside rack", "route_within": "within row", "route_between": "between rows",
    "end_A": "A", "end_Z": "Z", "end_head": "splitter head", "stock_flag": "flag", "stock_wrap": "wrap",
    "no_longer": "none: other technology", "by_metre": "any length",
    # Crew pack: how to read it.
    "head_topic": "topic", "head_guide": "how to read the pack and what to heed", "head_module": "module in this port",
    "head_hours": "hours of one person",
    "topic_order": "Order", "topic_package": "Packages", "topic_ends": "Ends", "topic_label": "Labels",
    "topic_port": "Ports", "topic_shared": "One plug, two ports", "topic_splitter": "Splitters",
    "topic_side": "Left and right", "side_left": "left", "side_right": "right", "head_side": "cable manager",
    "guide_side": "Column cable manager of sheets Ports tells on which side of the rack a cable leaves its switch, as "
    "one faces the ports: the left half of the cages to the left, the right half to the right, none across the middle. "
    "Where nothing stands there the panel is not known: go to the nearer side.",
    "sides": "cables left {left}, right {right}",
    "topic_panel": "Patch panels", "topic_module": "Modules", "topic_fibre": "Fibre", "topic_lengths": "Lengths",
    "topic_handling": "Handling",
    "topic_done": "Done", "topic_trouble": "If something does not fit",
    "guide_order": "Sheet Packages gives each team its packages, step by step; all teams finish a step before the next "
    "begins. Within a package lay the cables in the order of sheet Checklist.",
    "guide_package": "A package is the work of one team. Its pages of the checklist tell what to plug; sheet Cuts by "
    "package tells what to take from the store. A bundle is all cables between the same two racks: lay it as one.",
    "guide_ends": "Every row is one piece from plug to plug. A is the end on the side of the servers (server, else "
    "leaf switch), here {a}; Z is the end on the side of the spines (leaf, spine or core switch), here {z}. Which "
    "stands higher in its rack, the U tells.",
    "guide_label": "Each end gets a label: this end on line 1, the other end on line 2, the id apart. {id}: line 1 "
    "of the A "
    "end is {near}: rack {rack}, unit {u} counted from the bottom, then the port; line 2 is {far}. Label both ends "
    "before "
    "the cable is pulled. The QR code holds the id and the end, here {code}.",
    "guide_port": "Ports are named as the panel names them. On {device} that is {port}. Pages of sheets Ports go "
    "from the "
    "top unit of a rack down.",
    "guide_shared": "{port} is one plug in one cage that serves both ports: one cable, one row ({id}).",
    "guide_splitter": "A splitter is one cable with one head and several tails, all of one length. {cable} is the "
    "cable, "
    "{id} one of its tails; its head is plugged once.",
    "guide_panel": "{panel} is a patch panel. Trunks go in at its back, cords at its front, port by port: {id} is a "
    "trunk from ports {ports} of {panel} to the same ports of {far}, leg 1 to the lowest port. Trunks can be laid and "
    "tested before everything else.",
    "guide_module": "Plug the module named beside the port first ({modules}); modules that look alike differ in "
    "their top "
    "(finned or flat) and must not be exchanged. An empty cell: the plug is part of the cable.",
    "guide_fibre": "Fibre here: {kinds}. Inspect and clean both end faces before every plugging. APC (green) never "
    "meets "
    "UPC. Polarity is that of the part: never turn or re-pin a connector.",
    "guide_lengths": "Take the ordered length of the row, never a shorter one. Sheet Tight lengths names cables with "
    "hardly "
    "any slack: lay these by the straight route, and first.",
    "guide_handling": "No bend tighter than ten times the diameter of fibre, 58 mm for copper; at most 2 m "
    "unsupported; hook-and-loop straps, no hard ties; do not block air vents or power supplies; coil slack beside the "
    "rack.",
    "guide_done": "Tick a row when both ends are plugged, latched and labelled, with name and date. Keep "
    "progress.csv with "
    "the same marks: it is read back to tell how far the work is.",
    "guide_trouble": "Port taken, device elsewhere, cable too short or damaged: leave the row open, write it into "
    "remark and "
    "tell the planner. Do not take another port: the port numbers decide how traffic is spread.",
    # Crew pack: headings.
    "head_step": "step", "head_team": "team", "head_package": "package", "head_route": "route", "head_racks": "racks",
    "head_cables": "cables", "head_pieces": "plug-to-plug pieces", "head_bundles": "bundles",
    "head_shortest": "shortest m", "head_longest": "longest m", "head_number": "no.", "head_id": "id",
    "head_rack": "rack", "head_u": "U", "head_device": "device", "head_port": "port", "head_portnumber": "port no.",
    "head_far_rack": "to rack", "head_far_u": "to U", "head_far_device": "to device", "head_far_port": "to port",
    "head_a_rack": "A rack", "head_a_u": "A U", "head_a_device": "A device", "head_a_port": "A port",
    "head_z_rack": "Z rack", "head_z_u": "Z U", "head_z_device": "Z device", "head_z_port": "Z port",
    "head_label_a": "label A", "head_label_z": "label Z", "head_part": "part", "head_length": "ordered m",
    "head_required": "required m", "head_slack": "slack m", "head_slack_percent": "slack %", "head_bundle": "bundle",
    "head_source": "length source",
    "head_done": "done", "head_by": "by", "head_date": "date", "head_note": "remark",
    "head_qr": "QR code",
    "head_end": "end", "head_near": "line 1 (near)", "head_far": "line 2 (far)", "head_stock": "stock",
    "head_diameter": "jacket mm", "head_wrap": "wrap at least mm", "head_family": "family",
    "head_required_from": "required from m", "head_required_to": "required to m",
    "head_slack_least": "least slack m", "head_slack_mean": "mean slack m", "head_spare": "spares",
    "head_order": "to order", "head_metre": "up to m", "head_required_count": "cables required",
    "head_ordered_count": "cables ordered", "head_next": "next longer m",
    # The customer's room.
    "given_room": "Room as the request describes it; lengths are estimates until the routes are surveyed.",
    "given_positions": "Places are those of the customer's positions; lengths are estimates until the routes are "
    "surveyed.",
    "keep_out": "no rack",
    "fixed_rack": "other equipment",
    "reserved_unit": "reserved",
    "panel_units": "patch panels {units} U", "head_panel_units": "units of panels",
    "panel_used": "{used}/{ports} ports",
    "of_limit": "{value}; limit {limit}",
    "later": "kept for later stages: {what}",
    "later_and": ", ",
    "later_nodes": "{count} {count:node|nodes}",
    "later_switches": "{count} {count:switch|switches}",
    "head_later_nodes": "nodes of later stages",
    "head_later_switches": "switches of later stages",
    "feeds": "feeds A {a} + B {b} kW",
    "feed_lost": "one feed lost: other {alone} kW",
    "feed_lost_some": "one feed lost: {alone} kW, {lost} fail",
    "feed_none": "no AC supplies: busbar",
    "head_units": "units",
    "head_used": "units used",
    "head_reserved": "units reserved",
    "head_boxes": "devices",
    "head_power": "power max W",
    "head_power_unknown": "power not known of",
    "head_power_limit": "power limit W",
    "head_typical": "power typical W",
    "head_typical_unknown": "typical not known of",
    "head_feed_a": "feed A W",
    "head_feed_b": "feed B W",
    "head_alone_a": "A alone W",
    "head_alone_b": "B alone W",
    "head_feed_unknown": "feeds not known of",
    "head_lost": "fail with a feed",
    "head_direct": "on busbar",
    "head_weight": "weight kg",
    "head_weight_unknown": "weight not known of",
    "head_weight_limit": "weight limit kg",
    "key_fixed_rack": "other equipment",
    "segment_at": "rows {one}–{other} at {place}",
    # Positions.
    "head_stage": "stage",
    "stage_today": "today",
    "stage_later": "later",
    "sheet_positions": "positions", "head_row": "row", "head_model": "model", "head_height": "height U",
    # Survey of lengths.
    "sheet_survey": "Lengths", "head_estimate": "estimated length (m)", "head_surveyed": "surveyed length (m)",
    "survey_note": "Measure plug to plug along the route, with the slack that the cable shall have. Give metres, or "
    "the unit with the number (420 cm, 13 ft 9 in). Rows left empty keep the estimate. Read back: design --lengths",
    # Label sheet.
    "labels_title": "{name}: cable labels",
    "labels_hint": "44 labels of 48.5 × 25.4 mm on A4. Print at 100 %, without margins, headers or footers. First "
    "line: this end; second line: the other end.",
    "zpl_letters": "The ZPL files hold letters beyond ASCII (names of racks). Fonts of Zebra printers differ: print a "
    "label first; where letters are missing, load a font that has them as font 0, or take --printer a4 or tape.",
    "labels_stock": "{stock} labels: {count}",
    # Progress.
    "progress_head": "{done} of {total} pieces done ({percent} %)",
    "progress_package": "{package} ({route}): {done} of {total} ({percent} %)",
    "progress_missing": "{count} pieces of the plan are not in the file; they count as open: {ids}",
    "progress_unknown": "{where}: '{id}' is not in this plan",
    "progress_twice": "{where}: '{id}' stands in line {first} already",
    "progress_mark": "{where}: '{mark}' says neither done nor open; give x or leave it empty",
    "progress_no_id": "{where}: a mark without an id",
    "progress_ends": "{where}: {id} lies between {told} in the file, between {planned} in the plan; not counted",
    "progress_other_plan": "{name} was made from another plan or an older stage: {rows} pieces lie between other ends "
    "there, and none of them is counted. Give the plan.json that the file was made from.",
    "progress_unknown_ids": "{name}: {count} {count:id is|ids are} not in this plan: {ids}",
}  # fmt: skip
