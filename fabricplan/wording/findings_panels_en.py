"""Findings on patch panels in English; as in ``findings_en``."""

from __future__ import annotations

PANELS: dict[str, tuple[str, str]] = {
    "panel-mode": (
        "{subject}: the cord {cord} is {mode}, the trunk {trunk} is {trunk_mode}; {links} {links:link|links}",
        "the links will not come up; order a trunk of the cords' mode",
    ),
    "panel-connectors": (
        "{subject}: {cord} has {has}, the trunk {trunk} {needs}; {links} {links:link|links}",
        "APC and UPC never mate, nor do MPO and LC; order trunk and panel with the cords' connector",
    ),
    "panel-pins": (
        "{subject}: the cord {cord} and the trunk {trunk} are alike ({gender}), and do not mate; {links} "
        "{links:link|links}",
        "modules have pins, so cords are female at both ends and trunks male: order a male trunk",
    ),
    "panel-pins-unknown": (
        "{subject}: whether the trunk {trunk} has pins is not known, the cord {cord} says it; {links} "
        "{links:link|links}",
        "say it in the catalogue (gender: male both ends), or ask the maker of the trunk",
    ),
    "panel-crossings": (
        "{subject}: cord, trunk and cord cross {crossings} times (trunk {trunk}: {polarity}), which is even: "
        "transmitters meet transmitters; {links} {links:link|links}",
        "polarity from end to end is type B: take a trunk of type B, so that there are three crossings",
    ),
    "panel-crossings-unknown": (
        "{subject}: the polarity of the trunk {trunk} or of the cord {cord} is not known; {links} {links:link|links}",
        "say it in the catalogue (polarity: Type-B crossover), or ask the maker",
    ),
    "panel-loss": (
        "{subject}: the four pairs of connectors may lose {loss_db} dB, the rated reach of the modules allows "
        "{most_db} dB; the trunk is {trunk}; {links} {links:link|links}",
        "order low-loss connectors (at most 0.35 dB each)",
    ),
    "panel-loss-unknown": (
        "{subject}: the loss of the connectors of {parts} is not known, so that the {most_db} dB of the path are not "
        "proven; {links} {links:link|links}",
        "ask for it when ordering: at most 0.35 dB a connector; then say it in the catalogue (loss_db_max)",
    ),
    "panel-path": (
        "{subject}: cords and trunk are {length_m:g} m together, {part} reaches {reach_m:g} m; {links} "
        "{links:link|links}",
        "do not order this plan: stand the panels closer, or take single-mode trunks",
    ),
    "panel-port": (
        "{subject}: {links} links on the {ports} ports of an end, some of them twice or beyond the last",
        "do not order or cable this plan; report the request as a fault of the program",
    ),
    "media-through-panels": (
        "{subject}: {links} {links:link goes|links go} through patch panels, which take fibre of the trunk's kind; "
        "{media} was asked",
        "leave these racks out of the panels, or accept fibre there",
    ),
    "panel-pieces": (
        "{subject}: {links} links on the ports of an end do not fit each other or the room, first at port {port} of "
        "{device}: {what}",
        "do not order or cable by this plan: it was changed after it was made; make it anew",
    ),
    "panels-used": (
        "{subject}: {links} {links:link goes|links go} through its panels, in {trunks} {trunks:trunk|trunks}; {free} "
        "of {ports} ports of an end are free",
        "cords and trunks are in the bill by their length; label panels by their names",
    ),
    "panels-direct": (
        "{subject}: {links} {links:link|links} of {fabric} between its two ends run direct, not through its panels: "
        "{parts} does not join the trunk {trunk}",
        "trunks take straight fibre of their own mode and connector; splitters and cables with fixed plugs (copper, "
        "AOC) run direct. Leave these racks or fabrics out of the panels, or take a trunk of the links' fibre",
    ),
    "panels-empty": (
        "{subject}: no link leads from one end to the other; its {panels} panels stay empty and are not in the bill",
        "check the rows and racks that each end serves",
    ),
    "surveyed-through-panels": (
        "{subject}: {links} surveyed {links:length is|lengths are} of links through patch panels and passed over: no "
        "one cable is as long",
        "survey the trunks instead: trunk_length_mm of the panels",
    ),
    "cords-through-the-rack": (
        "{subject}: {cords} {cords:cord leads|cords lead} through the rack to a panel that looks to the other side; "
        "{more_m:g} m is added to each",
        "turn the panels (face), or keep the way through the rack free",
    ),
    "through-the-rack": (
        "{subject}: {links} {links:cable leads|cables lead} from the front of the racks to the rear, as from {front} "
        "to {rear}; {more_m:g} m is added to each",
        "ports of P2C switches look to the hot aisle, of C2P switches to the cold one; change airflow, or "
        "pass_through_mm of the room",
    ),
}
