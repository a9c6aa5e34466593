"""English words of a proof: findings, the screen and the certificate page."""

from __future__ import annotations

from collections.abc import Mapping

_FTREE = (
    "give OpenSM a list of the {roots} top switches (root_guid_file): it then accepts the fabric, and some links carry"
    " at least {worst} flows; better, wire the named switches like the others"
)
_NO_ROOTS = "a list of roots does not help here; wire the named switches like the others"

TEXT: Mapping[str, tuple[str, str]] = {
    "plan-rewritten": (
        "the plan file is not in the form that this version writes (it was made by version {version}, or was edited);"
        " the proof covers the file as it is",
        "make the plan anew if it should not have been changed",
    ),
    "plan-check-failed": (
        "the plan fails its own check ({errors:,} errors, told below), so it is not proven, whatever single lines say",
        "make the plan anew, or resolve what fabricplan check finds",
    ),
    "proof-rate": (
        "{subject}: the plan states {stated:,} Gb/s for {rate}, its switches run {found:,} Gb/s",
        "make the plan anew; its numbers were changed",
    ),
    "proof-ratio": (
        "{subject}: the plan states {stated} at the {tier} tier, its tables show {found}",
        "look for missing uplinks, or make the plan anew",
    ),
    "proof-stray-links": (
        "{subject}: {links:,} links leave their plane or fabric, or join no switch",
        "make the plan anew; its link table was changed",
    ),
    "proof-port-twice": (
        "{subject}: {ports:,} switch ports hold more than one link",
        "make the plan anew; its link table was changed",
    ),
    "proof-counts": (
        "{subject}: the plan states {stated:,} of {what}, its tables hold {found:,}",
        "make the plan anew; its tables were changed",
    ),
    "proof-idle-switches": ("{subject}: {switches:,} switches have no link", "leave them out, or wire them"),
    "proof-host-above-leaf": (
        "{subject}: {ports:,} endpoints hang above the leaf tier",
        "move them to leaf ports; fat-tree routing needs all endpoints on leaves",
    ),
    "proof-cut": (
        "{subject}: the narrowest half cut carries {found:,} Gb/s, the plan claims {claimed:,} Gb/s",
        "look for missing or misplaced links between switches",
    ),
    "proof-leaves-apart": (
        "{subject}: the plan joins none of its {leaves:,} leaves to another (uplinks to: {network}); nothing is claimed"
        " of traffic between leaves",
        "",
    ),
    "proof-uneven": (
        "{subject}: not every leaf reaches every spine of its pod, or every spine its cores, by equally many links",
        "wire all pairs of switches alike",
    ),
    "proof-flow-skipped": (
        "{subject}: {endpoints:,} endpoints are too many for the maximum-flow walk; the closed form alone was taken",
        "",
    ),
    "proof-no-way": (
        "{subject}: {pairs:,} pairs of leaf and endpoint have no way up and down the tree",
        "look for missing links and for endpoints on wrong switches",
    ),
    "proof-shift": (
        "{subject}: {worst} flows meet on one link where {allowed} may, at {shifts:,} of {total:,} shifts"
        " (first at shift {first:,})",
        "look for missing or crossed links; every leaf must reach every spine by equally many links",
    ),
    "proof-shift-mixed": (
        "{subject}: groups of nodes attach in unlike ways, so shifts over all of them are not claimed to pass: up to"
        " {worst} flows meet on one link, {allowed} would be one share each",
        "switch adaptive routing on, or give the groups fabrics of their own",
    ),
    "proof-shift-sampled": (
        "{subject}: {counted:,} of {total:,} shifts were counted (both ends and a fixed random sample)",
        "",
    ),
    "proof-shift-beside": (
        "{subject}: over the nodes that stand, partly filled units make the wrap meet: {real} flows at {real_shifts:,}"
        " shifts, {rail} at {rail_shifts:,} same-rail shifts",
        "expected where nodes do not fill their units; adaptive routing evens it out",
    ),
    "proof-first-leaf": (
        "{subject}: it is taken that the leaf with the lowest GUID, where OpenSM begins to number leaves, is the first"
        " of its pod; where it is another, some shifts put two flows on a link",
        "mount the leaf switch with the lowest GUID as the first leaf of a pod",
    ),
    "proof-ftree-parts": (
        "{subject}: the fabric falls into parts that do not reach each other ({switches:,} switches: {offenders})",
        "join the parts; no routing engine helps",
    ),
    "proof-ftree-one-rank": (
        "{subject}: all endpoints hang on switches of one rank ({offenders}); OpenSM's ftree engine refuses this and"
        " falls back to min-hop without an error",
        "use a spine, or route with min-hop or updn on purpose",
    ),
    "proof-ftree-pair": (
        "{subject}: two switches without a spine ({offenders}); OpenSM's ftree engine refuses this, with a list of"
        " roots too, and falls back to min-hop without an error, which spreads the links between them evenly",
        "nothing, while there are two; a third switch needs a spine",
    ),
    "proof-ftree-ranks": (
        "{subject}: {switches:,} switches stand deeper than the eight ranks of OpenSM's ftree engine ({offenders})",
        "look for chains of switches",
    ),
    "proof-ftree-equal-rank": (
        "{subject}: endpoints or links join switches of equal rank ({offenders}); OpenSM's ftree engine refuses this"
        " and falls back to min-hop without an error",
        "move endpoints to leaves, and take out links between switches of one tier; a list of roots does not help"
        " (here: {helps})",
    ),
    "proof-ftree-uneven": (
        "{subject}: {switches:,} switches differ from the others of their rank ({offenders}); OpenSM's ftree engine"
        " refuses this and falls back to min-hop without an error",
        _FTREE,
    ),
    "proof-ftree-uneven-no-roots": (
        "{subject}: {switches:,} switches differ from the others of their rank ({offenders}); OpenSM's ftree engine"
        " refuses this and falls back to min-hop without an error",
        _NO_ROOTS,
    ),
    "proof-drift": (
        "{subject}: OpenSM's own balancing may put {flows} flows of the shift on one link, where {allowed} is possible",
        "switch adaptive routing on, or take as many uplinks as hosts per leaf and cores of their own for every spine",
    ),
    "proof-deadlock": (
        "{subject}: channels wait for each other in a circle: {cycle}",
        "take out links between switches of one tier, or route with an engine that avoids credit loops",
    ),
    "witness-forecast": (
        "{subject}: OpenSM routed with {engine}, forecast was {expected}. {refusal}",
        "trust OpenSM, and report the case",
    ),
    "witness-no-way": ("{subject}: OpenSM's tables do not join {pairs:,} pairs", "look for missing links"),
    "witness-credit-loops": (
        "{subject}: ibdmchk found credit loops, or came to no end",
        "route with an engine that avoids credit loops",
    ),
    "witness-no-drift": (
        "{subject}: a drift of OpenSM's balancing was held possible; in the witness run it did not occur: at most"
        " {flows} flow(s) on a link, {allowed} allowed",
        "",
    ),
    "witness-shift": (
        "{subject}: with OpenSM's tables {worst} flows meet on one link where {allowed} may, at {shifts:,} of"
        " {total:,} shifts",
        "switch adaptive routing on, or choose another shape",
    ),
}

PAGE: Mapping[str, str] = {
    "title": "Non-blocking certificate (checked by software, not a third-party test)",
    "title-ratio": "Bandwidth certificate (checked by software, not a third-party test)",
    "holds": "Everything claimed below was proven.",
    "unconfirmed": "Not confirmed by the witness ({name}): claimed is at most {claimed} flow(s) on a link, with"
    " OpenSM's own tables {found} were measured. The other claims below were proven.",
    "unconfirmed-short": "not confirmed",
    "fails": "Not everything claimed holds. Do not order before the errors below are resolved.",
    "endpoints": "endpoints", "fabrics": "fabrics", "verdict": "verdict", "yes": "proven", "no": "not proven",
    "claim": "claim", "found": "found", "what": "What was proven",
    "findings": "Findings", "none": "None.", "do": "What to do",
    "error": "Error", "warning": "Warning", "info": "Note",
    "cut": "Half of the endpoints can send to the other half at {claimed} (one direction)",
    "cut-found": "{closed} in closed form; {flow} as maximum flow between {halves} halvings",
    "cut-found-closed": "{closed} in closed form; the graph is too large for the maximum-flow walk",
    "cut-within": "Within every leaf, half of the endpoints can send to the other half at full rate: {claimed} in all"
    " (one direction)",
    "between": "Beside it: between leaves",
    "between-found": "nothing is claimed: {leaves} leaves stand apart in this plan; their uplinks end on {network}",
    "customer": "the customer's network",
    "cut-found-within": "{closed} in closed form; {flow} as maximum flow",
    "even": "Every leaf reaches every spine of its pod, and every spine its cores, by equally many links",
    "even-found": "counted from the link table", "even-one": "one switch: nothing to join",
    "shift": "When all endpoints send at once, each to the one k places further in the padded order"
    " (units filled up with absent nodes), no link carries more than {allowed} flow(s), for every k",
    "not-promised": "Counted over evenly dealt routes, not promised: {text}",
    "shift-sampled": "When all endpoints send at once, each to the one k places further in the padded"
    " order (units filled up with absent nodes), no link carries more than {allowed} flow(s), for {counted} sampled k",
    "shift-found": "at most {worst} flow(s) on a link, {counted} of {total} shifts counted",
    "shift-real": "Beside it: over the nodes that stand",
    "shift-real-found": "at most {worst} flow(s); more than {allowed} at {over} of {counted} shifts",
    "shift-rail": "Beside it: every rail by itself, over the nodes (what training traffic does)",
    "deadlock": "No set of full buffers can wait for each other in a circle (no credit loop)",
    "deadlock-full": "no circle among {channels} channels and {dependencies} dependencies",
    "deadlock-classes": "no circle among {classes} classes of channels",
    "deadlock-found": "a circle: {cycle}",
    "routing": "The subnet manager (OpenSM, fat-tree engine) accepts the fabric without help",
    "routing-ftree": "accepted; switches per rank, roots first: {ranks}",
    "routing-refused": "refused: {reason}",
    "routing-not-needed": "all endpoints on one switch: every engine routes it alike",
    "routing-other": "no InfiniBand fabric: it is routed by its own protocols (equal-cost paths)",
    "reason-parts": "the fabric falls into parts", "reason-one-rank": "no spine between the leaves",
    "reason-pair": "two switches without a spine; min-hop serves them as well",
    "reason-ranks": "too many ranks", "reason-equal-rank": "an endpoint above the leaves, or a link within a tier",
    "reason-uneven": "switches of one rank are joined unequally",
    "failures": "What is left when something fails",
    "failures-intro": "The worst case of each kind. Bandwidth in percent of the undamaged fabric.",
    "failure": "what fails", "count": "there are", "bisection": "half-to-half bandwidth left",
    "uplinks": "uplinks left to the worst leaf", "node": "ports left to the worst node",
    "hit": "nodes that lose a port", "cut-off": "nodes cut off",
    "cable-node": "one cable to a node", "cable-leaf-spine": "one cable between leaf and spine",
    "cable-spine-core": "one cable between spine and core", "spine": "one spine", "core": "one core",
    "leaf": "one leaf", "spine-module": "one spine module of the director",
    "leaf-module": "one leaf module of the director", "director": "the director as a whole",
    "cables-random": "{count} cables at random (worst of {trials} draws)",
    "witness": "Independent programs",
    "witness-intro": "The fabric was written out, simulated, and routed by the subnet manager used in the field; its"
    " tables were put to the same test.",
    "witness-none": "no witness: not InfiniBand",
    "witness-absent": "Not asked for. Prove with --witness to let OpenSM and ibdmchk judge the exported fabric.",
    "program": "programs", "plane": "plane", "planes-alike": "{planes} planes, wired alike: one stands for all",
    "engine": "engine", "ftree": "ftree, without fallback", "fallback": "fell back to another engine",
    "engine-one": "one switch: nothing for the ftree engine to order, so that OpenSM takes another, as expected",
    "ranks": "switches per rank", "devices": "found", "devices-found": "{switches} switches, {endpoints} endpoints",
    "witness-shift": "most flows on a link (padded / nodes that stand / same rail)",
    "loops": "credit loops", "loops-no": "none found", "loops-yes": "found, or the check came to no end",
    "hops": "hops: pairs of endpoints", "port-loads": "destinations behind a port: ports",
    "limits": "What is not claimed",
    "limit-static": "Fixed routes are not free of conflicts for every pattern: no static routing is. Proven is the"
    " half-to-half bandwidth that is stated above, and of regular exchanges (shifts) what follows.",
    "limit-shift": "{name}: regular exchanges (shifts) put at most {allowed} flow(s) on a link, as many as its ratio of"
    " bandwidth down to bandwidth up allows.",
    "limit-shift-beside": "{name}: shifts in the padded order put at most {allowed} flow(s) on a link, as many as its"
    " ratio allows. Over the nodes that stand, or rail by rail, up to {beside} can meet where units are not full; that"
    " none meet there is not claimed.",
    "limit-shift-none": "{name}: do not rely on shifts here: they are not claimed, or did not stand; see the findings.",
    "limit-shift-hashed": "{name}: the shifts were counted over routes dealt out evenly. Equal-cost paths of Ethernet"
    " are chosen by hashing, which puts flows together at random, so nothing is promised of single links; adaptive"
    " routing is what comes near to it.",
    "limit-random": "{name}: when every endpoint sends to another one drawn at random, a flow gets {share} of its rate"
    " on average over fixed routes; adaptive routing exists for such traffic.",
    "limit-adaptive-helps": "Adaptive routing, congestion control and in-network reduction were not simulated. What is"
    " marked as proven stands without them; where more flows meet than the ratio allows (see the findings), adaptive"
    " routing evens them out.",
    "limit-adaptive": "Adaptive routing, congestion control and in-network reduction were not simulated; they improve"
    " irregular traffic and are not needed for what is proven.",
    "limit-parts": "Cables, transceivers, adapters and servers are taken to run at their rated speed; what is built is"
    " to be checked against the plan after cabling.",
    "limit-ratio": "The ratio of {ratio} is part of the plan: when all endpoints send across the fabric at once, each"
    " gets its share of the uplinks and not its full rate.",
    "limit-apart": "{name}: what is proven ends at the leaf. Traffic between its leaves takes uplinks that are shared"
    " and end in another network; no bandwidth is claimed of them.",
    "limit-oracle": "The forecast is of OpenSM; managers of other makers may order ports in another way.",
    "covers": "What this page covers",
    "plan-file": "plan file, SHA-256", "catalogue": "catalogue", "made-by": "proven by", "plan-version": "plan made by",
    "repeat": "The same file gives the same numbers: fabricplan prove plan.json --witness",
    "gbps": "{value} Gb/s", "tbps": "{value} Tb/s",
    "fabric": "{name}: {endpoints} endpoints, {ratio}",
    "fabric-apart": "{name}: {endpoints} endpoints, {ratio} within each leaf",
    "written": "Files in {folder}: {names}",
    "percent": "{value} %",
}  # fmt: skip
