"""Findings on the room in English: racks, power, cooling, boxes; as in ``findings_en``."""

from __future__ import annotations

ROOM: dict[str, tuple[str, str]] = {
    "airflow-mixed": (
        "rack {subject}: {p2c} {p2c:switch|switches} blow from the power side to the ports (P2C) and {c2p} the other "
        "way (C2P); "
        "{racks} {racks:rack|racks} in all ({named})",
        "order one airflow (airflow: P2C or C2P), or put the two kinds in different racks",
    ),
    "airflow-assumed": (
        "{subject} is sold with both airflows; {airflow} ({pn}) was taken because none was asked",
        "check the cold aisle against the side of the ports, then set airflow: P2C or C2P in the request",
    ),
    "node-side-unknown": (
        "{subject}: the leaf switches look to the cold aisle (C2P), and to which side the ports of the nodes "
        "({groups}) look is not known; {links:,} {links:link counts|links count} as on one side",
        "say node_ports: front or rear in the room; with rear each of their routes is {more_m:g} m longer",
    ),
    "rack-too-low": (
        "rack {subject}: {device} reaches unit {top}, the rack has {units}; {devices} {devices:device|devices} in all",
        "place it lower, fewer nodes per rack (nodes_per_rack), or a higher rack (units of the rack, rack_units)",
    ),
    "rack-overlap": (
        "rack {subject}: {device} and {other} both stand at unit {u}; {devices} {devices:device|devices} in all",
        "fewer nodes per rack (nodes_per_rack), or report the request",
    ),
    "rack-reserved": (
        "rack {subject}: {device} stands in unit {u}, which is reserved; {devices} {devices:device|devices} in all",
        "place it in other units, or take the unit out of reserved",
    ),
    "rack-panel": (
        "rack {subject}: {device} stands in unit {u}, where {panel} stands; {devices} {devices:device|devices} in all",
        "place it in other units, or move the panels (room.panels)",
    ),
    "rack-fixed": (
        "rack {subject} holds other equipment (kind: fixed), and {device} stands in it; {devices} "
        "{devices:device|devices} in all",
        "place it in another rack, or give the rack another kind",
    ),
    "height-unknown": (
        "{subject}: the height of {devices} {devices:device|devices} is not known; their rack units are not counted",
        "compare the room plan with the data sheet, or state the height in a catalogue overlay",
    ),
    "twin-box": (
        "{subject}: {boxes} {boxes:box|boxes} hold two independent switches each, {switches} in all; {unused} "
        "{unused:half stays|halves stay} unused",
        "count boxes when ordering and switches when cabling; a failing box takes both halves down",
    ),
    "twin-box-shared": (
        "{subject} and {other} stand in one box although they are of different planes or tiers; {boxes} "
        "{boxes:box|boxes} in all",
        "do not order this plan: one box would take down both of a redundant pair; report the request",
    ),
    "spines-in-one-box": (
        "{subject}: all {spines} {spines:spine|spines} of its plane or pod stand in one box; {groups} "
        "{groups:plane|planes} or pods in all",
        "one box is a single point of failure: ask for more spines (min_spines: 4), or for another spine model",
    ),
    "no-psu": (
        "{subject}: {boxes} {boxes:box has|boxes have} no power supplies of their own; they need {input}",
        "order busbar or power shelves for these racks, or choose the model with supplies; the bill holds none and "
        "nothing is priced, for no source names their part numbers",
    ),
    "coolant-loop": (
        "{subject}: {boxes} {boxes:box is|boxes are} liquid-cooled; they need a coolant loop in the rack",
        "agree flow and temperature with the site and order manifolds, hoses and coolant supply, or choose an "
        "air-cooled model; the bill holds none and nothing is priced, for no source names their part numbers",
    ),
    "rack-power": (
        "rack {subject}: its devices draw up to {known:power}, it may draw {limit:power} ({unknown} more without a "
        "known figure); {racks} {racks:rack|racks} in all ({named})",
        "fewer nodes in it (nodes_per_rack), or a rack with a higher power_limit_w",
    ),
    "rack-feed": (
        "rack {subject}: after the loss of one feed the other carries {known:power}, it may carry {limit:power} "
        "({unknown} more without a known figure); {racks} {racks:rack|racks} in all ({named})",
        "fewer nodes in it (nodes_per_rack), or a feed with a higher feed_limit_w",
    ),
    "rack-weight": (
        "rack {subject}: its devices weigh {known:,} kg, it may hold {limit:,} kg ({unknown} more without a known "
        "weight); {racks} {racks:rack|racks} in all ({named})",
        "fewer nodes in it (nodes_per_rack), or a rack and floor with a higher weight_limit_kg",
    ),
    "rack-power-unknown": (
        "{subject}: {racks} {racks:rack|racks} with a power limit hold devices whose power is not known: {models}",
        "ask the maker for the figures; until then the limit is checked without these devices",
    ),
    "rack-weight-unknown": (
        "{subject}: {racks} {racks:rack|racks} with a weight limit hold devices whose weight is not known: {models}",
        "ask the maker for the figures; until then the limit is checked without these devices",
    ),
    "rack-cooling": (
        "rack {subject} is cooled by air only, {device} ({model}) is liquid-cooled; {boxes} {boxes:box|boxes} in "
        "all (racks {named})",
        "move it to a rack with a coolant loop (cooling: liquid), or choose an air-cooled model",
    ),
    "one-feed": (
        "{subject}: all {boxes} boxes that stand in for each other (to {other}) hang on feed {feed}, as in rack "
        "{rack}; {groups} {groups:group|groups} in all",
        "put one of them into a rack of the other feed, or bring feeds A and B to the racks (feeds: [A, B])",
    ),
    "feed-loss": (
        "{subject}: {boxes} {boxes:box needs|boxes need} {needed} of {supplies} supplies for full load; after the loss "
        "of one of two feeds {left} are left",
        "a third feed for these racks, or accept that they stop or run slower when a feed is lost",
    ),
    "power": (
        "{subject}: the switches take at most {known_w:power}",
        "add nodes and cooling; maximum figures of the maker, with active modules where stated",
    ),
    "power-unknown": (
        "{subject}: the switches take at most {known_w:power}, without these, whose figure is not known: {models}",
        "ask the maker for the missing figures before the power is planned",
    ),
    "no-power-known": (
        "{subject}: how much power the switches take is not known: {models}",
        "ask the maker for the figures before the power is planned",
    ),
}
