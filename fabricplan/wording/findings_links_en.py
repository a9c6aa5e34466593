"""Findings on the parts of links in English: modules, cables, lengths; as in ``findings_en``."""

from __future__ import annotations

LINKS: dict[str, tuple[str, str]] = {
    "link-without-parts": (
        "{subject}: port {port} to {far} has no cable; {links} {links:link|links} in all",
        "do not order this plan: the bill is incomplete; report the request",
    ),
    "reserved-port-without-parts": (
        "{subject}: {ports} reserved ports have no module and no cable in the bill, because their hosts are not known",
        "name the adapter of these hosts: reserve_adapter: PART-NUMBER in the fabric of the request",
    ),
    "module-missing": (
        "{subject}: the {cage} cage at {device} has a fibre but no transceiver; {links} {links:link|links}",
        "do not order this plan: the bill lacks modules; report the request",
    ),
    "form-mismatch": (
        "{subject}: {part} is {has}, the {cage} cage takes {takes}; {links} {links:link|links}, first at {device}",
        "the part does not go in; do not order this plan, check the recipe in the catalogue",
    ),
    "top-mismatch": (
        "{subject}: {part} has a {has} top, the {cage} cage needs {takes}; {links} {links:link|links}, first at "
        "{device}",
        "finned tops belong in air-cooled switches, flat tops in adapters and DGX cages; do not order this plan, "
        "check the recipe in the catalogue",
    ),
    "lanes-mismatch": (
        "{subject}: {part} runs {lanes} lanes of {lane_gbps}G, the {cage} cage offers {cage_lanes} of "
        "{cage_lane_gbps}G; {links} {links:link|links}, first at {device}",
        "the link will not come up at its rate; do not order this plan, check the recipe in the catalogue",
    ),
    "single-in-twin": (
        "{subject}: {part} is a single-port module in a twin-port cage ({cage}); {links} {links:link|links}, first at "
        "{device}",
        "half of the cage would stay dark; order the twin-port module, check the recipe in the catalogue",
    ),
    "fibre-mode": (
        "{subject}: {part} is {has}, the fibre {fibre} is {mode}; {links} {links:link|links}, first at {device}",
        "the link will not come up; do not order this plan, check the recipe in the catalogue",
    ),
    "connector-mismatch": (
        "{subject}: {part} has {has}, the fibre {fibre} {connector}; {links} {links:link|links}, first at {device}",
        "APC and UPC never mate, nor do MPO and LC; do not order this plan, check the recipe in the catalogue",
    ),
    "optics-mismatch": (
        "{subject}: {part} sends {optics}, {far_part} at the other end {far_optics}; {links} {links:link|links}, "
        "first at {device}",
        "the two ends do not understand each other; do not order this plan, check the recipe in the catalogue",
    ),
    "part-technology": (
        "{subject}: {part} serves {serves} only, the fabric is {technology}; {links} {links:link|links}, first at "
        "{device}",
        "order the part of the fabric's technology; check the recipe in the catalogue",
    ),
    "too-short": (
        "{subject}: the cable to {far} is {ordered_m:g} m, the route needs {needed_m:g} m; {links} {links:link|links} "
        "in all",
        "do not order this plan; set --uniform-length-m, or report the request",
    ),
    "out-of-reach": (
        "{subject}: {part} reaches {reach_m:g} m, {length_m:g} m are ordered; {links} {links:link|links}, first at "
        "{device}",
        "bring the racks closer, or use optics that reach further (media: singlemode)",
    ),
    "unlisted-joint": (
        "{subject}: {part} with its modules is no listed way to join {upper} and {lower}; {links} {links:link|links}, "
        "first at "
        "{device}",
        "do not order this plan: links that share a cage may have been given different optics; report the request",
    ),
    "module-twice": (
        "{subject}: cage {cage} is given {modules} {modules:module|modules}; {cages} {cages:cage|cages} in all",
        "do not order this plan: the bill counts modules twice; report the request",
    ),
    "module-without-link": (
        "{subject}: the module in cage {cage} serves no link; {modules} {modules:module|modules} in all",
        "do not order this plan: the bill counts modules that nobody needs; report the request",
    ),
    "module-overloaded": (
        "{subject}: the links of cage {cage} need {gbps} Gb/s, {part} carries {most} Gb/s; {modules} "
        "{modules:module|modules} in all",
        "do not order this plan; check the recipe in the catalogue",
    ),
    "fibres-mixed": (
        "{subject}: the module in cage {cage} has fibres of two kinds, {one} and {other}; {cages} {cages:cage|cages} "
        "in all",
        "both fibres of a module are of one kind; give the links of a cage the same media, or report the request",
    ),
    "estimated-beyond-multimode": (
        "{subject}: {links:,} {links:link is|links are} longer than {metres:g} m by estimated lengths, which decided "
        "for single mode or "
        "longer-reach single-mode optics there",
        "measure before ordering: give --uniform-length-m, or room settings that match the site",
    ),
    "copper-by-estimate": (
        "{subject}: {links:,} {links:link is|links are} copper whose length is an estimate, not surveyed; a "
        "copper cable that "
        "is too short cannot be lengthened",
        "measure the rack distances before ordering, or leave the media to optics",
    ),
    "copper-beyond": (
        "{subject}: copper was asked, but for {optical:,} of {links:,} links no copper part is long enough (the "
        "longest reaches {reach_m:metres}); they are optical",
        "put the nodes nearer to their leaves (nodes_per_rack, racks_per_row), or drop --media copper",
    ),
    "media-no-part": (
        "{subject}: --media {media} was asked, but no such part that can be ordered joins {upper} and {lower}; "
        "{missed:,} of {links:,} links have another medium",
        "choose other models or adapters ('fabricplan catalog mates' shows what joins two), or drop --media {media}",
    ),
    "media-does-not-fit": (
        "{subject}: --media {media} was asked, but its parts join whole cages of {upper} and {lower}, and here the "
        "links of a cage lead to different devices; {missed:,} of {links:,} links have another medium",
        "give the links of a cage the same two ends (packed nodes, an even number of links per pair of switches), or "
        "drop --media {media}",
    ),
    "length-gap": (
        "{subject}: {cables:,} {cables:cable is|cables are} ordered with {ordered_m:g} m where the route needs at most "
        "{needed_m:metres}: the catalogue knows no nearer length of it that can be ordered",
        "plan room for the slack, take another medium (--media), or add the lengths that you can buy to a catalogue "
        "of your own (--catalog)",
    ),
    "length-gap-merged": (
        "{subject}: {cables:,} {cables:cable is|cables are} ordered with {ordered_m:g} m where the route needs at most "
        "{needed_m:metres}: --merge-below {below} put {cables:it|them} with the next longer ones",
        "plan room for the slack, or merge fewer (--merge-below)",
    ),
    "placed-for-cost": (
        "{subject}: leaves placed by '{leaves}', the best of {tried} placements, saves {saved_ends:,} optical ends and "
        "{saved_modules:,} transceivers: {ends:,} and {modules:,}, {metres:,} m of cable; without --place-for "
        "{plain_ends:,}, {plain_modules:,} and {plain_metres:,} m; the default placement with copper where it reaches: "
        "{rule_ends:,} ends",
        "copper was chosen by the estimate of the room: survey the lengths before ordering (render --format lengths)",
    ),
    "placed-for-reach": (
        "{subject}: leaves placed by '{leaves}', the best of {tried} placements: the longest route is "
        "{longest_m:metres}, "
        "{metres:,} m of cable; without --place-for {plain_longest_m:metres} and {plain_metres:,} m",
        "compare the racks on the floor plan before the choice is final (render --format elevations)",
    ),
    "placed-for-only": (
        "{subject}: leaves placed by '{leaves}': {ends:,} optical ends, the longest route {longest_m:metres}; the "
        "placement "
        "of the rule cannot be cabled",
        "the room decides: measure it before ordering",
    ),
    "surveyed-lengths": (
        "{subject}: the lengths of all {cables:,} {cables:cable|cables} were surveyed",
        "keep the survey with the plan: a device that moves needs it anew",
    ),
    "surveyed-partly": (
        "{subject}: the lengths of {surveyed:,} of {cables:,} {cables:cable|cables} were surveyed",
        "the others are estimates or one uniform length until they are measured: render --format lengths writes a "
        "file to fill in",
    ),
    "estimated-lengths": (
        "{subject}: the lengths of {cables:,} {cables:cable|cables} (up to {longest_m:metres}) are estimates of the "
        "layout of the room",
        "measure before ordering; --uniform-length-m gives one length, docs/room.md tells how a room is described",
    ),
    "low-confidence-joint": (
        "{subject}: that these ends join with these parts is inferred, not documented: {joint} ({links:,} "
        "{links:link|links})",
        "ask NVIDIA to confirm the combination before ordering",
    ),
}
# of a fabric that grows the numbers are those of its final stage
LINKS |= {
    f"{code}-final": (LINKS[code][0].replace("{subject}: ", "{subject}, at the final stage: ", 1), LINKS[code][1])
    for code in ("placed-for-cost", "placed-for-reach", "placed-for-only")
}
