"""Findings in English: code -> (what is wrong, what to do), filled with the finding's params and ``subject``."""

from __future__ import annotations

from fabricplan.wording.findings_links_en import LINKS
from fabricplan.wording.findings_panels_en import PANELS
from fabricplan.wording.findings_room_en import ROOM

TEXT: dict[str, tuple[str, str]] = {
    **ROOM,
    **PANELS,
    **LINKS,
    # sizing
    "gpus-rounded": (
        "{subject}: {gpus:,} {gpus:GPU does|GPUs do} not fill nodes of {per_node}; planned: {nodes:,} "
        "{nodes:node|nodes} with {gpus_built:,} GPUs",
        "ask for a multiple of {per_node}, or give --nodes",
    ),
    "shift-drift": (
        "{subject}: {per_pair} {per_pair:link|links} join each leaf and spine, and {uplinks} {uplinks:uplink|uplinks} "
        "serve {hosts} {hosts:host|hosts} a leaf: "
        "static routing may put two flows of a regular "
        "exchange on one link although the bandwidth suffices",
        "switch adaptive routing on, or choose hosts and uplinks per leaf that are equal",
    ),
    "spine-drift": (
        "{subject}: {down} links down and {up} up at each spine, {per_pair} to each core: OpenSM's balancing may put "
        "two flows of a regular exchange on one link although the bandwidth suffices",
        "switch adaptive routing on; fabricplan prove --witness shows whether it happens",
    ),
    "grows": (
        "{subject}: laid out for {nodes_final:,} {nodes_final:node|nodes}; {leaves_today:,} of {leaves_final:,} "
        "{leaves_final:leaf is|leaves are} built now",
        "keep the free spine ports: today's cables stay where they are when the rest is added",
    ),
    "phases-begin-smaller": (
        "{subject}: laid out for any first stage, today takes {now:,} {now:switch|switches}; {switches:,} would do if "
        "the stages "
        "were known",
        "say --phases {phases}, and the same list at every later stage",
    ),
    "direct-pair": (
        "{subject}: two leaves joined by {links} {links:link|links} without a spine ({ratio} when all traffic "
        "crosses); of their "
        "{ports} {ports:port|ports} the pair takes twice as many as links, OpenSM's ftree refuses it and falls back "
        "to min-hop, and a third switch would "
        "close a ring that can deadlock",
        "for growth take leaves and spines; never close a ring of switches under min-hop routing",
    ),
    "manager-leaf": (
        "{subject}: nodes fill all other leaves, so {leaves} leaf of its own holds the {ports} reserved ports",
        "one node fewer in the unit saves this leaf and its share of the spines",
    ),
    "switches-reused": (
        "{subject}: {quantity:,} {model} exist already; they serve this fabric and are not in the bill",
        "check their software, splits and airflow before the first cable",
    ),
    "existing-unused": (
        "{subject}: {quantity:,} existing {model} are left over",
        "name them as leaf, spine or core where they shall serve",
    ),
    "existing-too-few-ports": (
        "{subject}: existing {model} have {free} free ports, a {tier} takes {ports}; new ones are bought",
        "free their ports, or keep them for another fabric",
    ),
    "spine-ratio-unused": (
        "{subject}: the ratio {ratio} was asked for spines, and nothing is above them in {tiers} {tiers:tier|tiers}",
        "it counts when the fabric has three tiers; leave it out otherwise",
    ),
    "first-leaf-guid": (
        "{subject}: OpenSM's fat-tree engine numbers the leaves from the one with the lowest GUID; unless that is the "
        "first leaf of one of the {pods:,} {pods:pod|pods}, some regular exchanges put two flows on a link",
        "compare the GUIDs on the labels before mounting: the leaf switch with the lowest becomes the first of a pod",
    ),
    "cores-wait": (
        "{subject}: today's pod needs no core; {cores:,} {cores:core|cores} belong to the final stage and are not in "
        "the bill",
        "order the cores with the second pod",
    ),
    "management-port-assumed": (
        "{subject}: the catalogue states no management port of {platform}; one RJ45 port a node is assumed",
        "compare with the data sheet of the node",
    ),
    "uplinks-to-customer": (
        "{subject}: no fabric of this plan takes the {links:,} {links:uplink|uplinks} ({gbps}G) of its {leaves:,} "
        "{leaves:leaf|leaves}; they go to "
        "the customer's network, and their modules and cables are not in the bill",
        "plan an in-band network, or agree on who supplies the far ends",
    ),
    "no-adaptive-routing": (
        "{subject}: {model} does not run adaptive routing on {gbps}G links, and the links between switches are {gbps}G",
        "leave the uplinks at half that rate, which is two links per cage (drop --uplink-rate)",
    ),
    "lanes-per-port": (
        "{subject}: {links:,} {links:link|links} from cages of {model} that are split in four to {far}: since Cumulus "
        "Linux 5.9 such a cage gives a port two lanes; where {far} runs the port on other lanes, the link stays down",
        "before cabling try one link; if it stays down, set lanes-per-port 1 on the split cages",
    ),
    "speed-by-hand": (
        "{subject}: {links:,} {links:link|links} of {gbps}G on QSFP-DD modules of {model}: no auto-negotiation there",
        "set the speed of these ports by hand at both ends",
    ),
    "rail-planes-nvlink": (
        "{subject}: {planes} independent fabrics, one per rail; "
        "traffic between rails must cross NVLink inside the node",
        "check that the collective library relays through NVLink (NCCL: PXN) and that each rail has its subnet manager",
    ),
    "storage-oversubscription": (
        "{subject}: a storage network of {ratio} is above 2:1; reads of all nodes at once will queue",
        "ask for --oversubscription 2:1 or 1:1",
    ),
    "no-subnet-manager": (
        "{subject}: all switches are externally managed ({model}) and no port is reserved for a host, so no subnet "
        "manager runs and no link comes up",
        "--reserve-ports 2 for subnet-manager hosts, --management managed, or --management mixed:2",
    ),
    "external-subnet-manager": (
        "{subject}: no switch runs a subnet manager; it must run on hosts at the {ports} reserved ports",
        "put a UFM appliance (--manager PART-NUMBER adds it to the bill) or a host with OpenSM on two of them",
    ),
    "embedded-sm-limit": (
        "{subject}: {endpoints:,} {endpoints:endpoint|endpoints} in a plane; the subnet manager inside the switches "
        "is documented to about "
        "{limit:,} {limit:node|nodes}",
        "--reserve-ports 2 and an external subnet manager; --manager PART-NUMBER puts a pair of UFM appliances into "
        "the bill",
    ),
    "manager-without-port": (
        "{subject}: {managers} {part} in the bill, {ports} leaf {ports:port|ports} reserved for managers",
        "reserve a port for each (--reserve-ports {managers}), with --reserve-adapter for their modules and fibre",
    ),
    "embedded-manager": (
        "{subject}: the subnet manager inside {model} takes no port; it is documented to about {limit:,} "
        "{limit:node|nodes}",
        "it is enough where neither UFM nor SHARP is wanted",
    ),
    "no-port-for-ufm": (
        "{subject}: the nodes take all {ports:,} leaf ports; none is left for a UFM, SHARP or other manager host",
        "for a port: one node fewer ({fewer} {fewer:switch|switches}), or --reserve-ports 1 ({further} "
        "{further:switch|switches})",
    ),
    "no-port-for-ufm-but-fewer": (
        "{subject}: the nodes take all {ports:,} leaf ports, and these tiers hold no further one; none is left for a "
        "UFM, SHARP or other manager host",
        "for a port: one node fewer ({fewer} {fewer:switch|switches}), or more tiers",
    ),
    "no-port-for-ufm-at-last": (
        "{subject}: in the final stage the nodes take all {ports:,} leaf ports; none is left then for a UFM, SHARP or "
        "other manager host",
        "for a port that stays: one node fewer in the end ({fewer} {fewer:switch|switches} then), or --reserve-ports "
        "1 ({further})",
    ),
    "planes-split-rails": (
        "{subject}: a {group} has one link a GPU, so {planes} {planes:plane|planes} share the rails out (plane 1 "
        "holds {rails}): GPUs "
        "of different planes reach each other only inside the node",
        "fine for collectives that keep to their rail and use NVLink; otherwise one plane, or adapters with two links",
    ),
    "gpus-without-port": (
        "{subject}: with {ports} {ports:port|ports} a node the GPUs of rails {rails} of {platform} have no port of "
        "their own",
        "ask for all ports of the platform, or accept that those GPUs share",
    ),
    "racks-not-whole": (
        "{subject}: {nodes} {nodes:node|nodes} of {platform} fill {racks} {racks:rack|racks} in part; the product is "
        "sold in whole racks",
        "plan {whole} {whole:node|nodes}",
    ),
    # ports and cages
    "port-used-twice": (
        "{subject}: port {port} carries {links} {links:link|links}; so do {ports} {ports:port|ports} in all",
        "do not order or cable this plan; report the request as a fault of the program",
    ),
    "port-out-of-range": (
        "{subject}: a link uses port {port}, the device has ports 1 to {highest}; {links} {links:link|links} in all",
        "do not order or cable this plan; report the request as a fault of the program",
    ),
    "cage-mixed": (
        "{subject}: cage {cage} carries links down and links up; {cages} {cages:cage|cages} in all",
        "a cage runs one rate and one direction; do not order this plan, report the request",
    ),
    "cage-overfull": (
        "{subject}: cage {cage} carries {links} {links:link|links}, its mode has {most}; {cages} {cages:cage|cages} "
        "in all",
        "do not order or cable this plan; report the request as a fault of the program",
    ),
    "port-limit": (
        "{subject}: {ports:,} logical ports, a {model} runs at most {most:,} however it is split; {switches} "
        "{switches:switch|switches}",
        "split fewer cages: more leaves, or a model with more logical ports",
    ),
    "node-incomplete": (
        "{subject}: {links} of the {ports} {ports:port|ports} of the node are linked to fabric {fabric}; {nodes} "
        "{nodes:node|nodes} in all",
        "do not order this plan: ports of these nodes would stay dark; report the request",
    ),
    "rail-split": (
        "{subject}: port {port} goes to {leaf}, the same port of other nodes of its unit to another leaf; {links} "
        "links in all",
        "one rail of a unit belongs on one leaf; do not cable this plan, report the request",
    ),
    "stray-link": (
        "{subject}: port {port} is linked to {far}, which is not in the tier above of its own plane and pod; {links} "
        "links in all",
        "do not order or cable this plan; report the request as a fault of the program",
    ),
    # bandwidth
    "counts-differ": (
        "{subject}: sizing states {stated:,} of {what}, the tables hold {found:,}",
        "do not order this plan; report the request as a fault of the program",
    ),
    "stated-differs": (
        "{subject}: {what} is stated as {stated}, its shape and its devices give {found}",
        "do not order by this plan: it was changed after it was made; make it anew",
    ),
    "length-differs": (
        "{subject}: cable row {row} states a required length of {stated_m} m, its route needs {needed_m} m and "
        "{ordered_m} m is ordered; {cables:,} {cables:cable|cables} in all",
        "do not order by this plan: it was changed after it was made; make it anew",
    ),
    "findings-differ": (
        "{subject}: {missing} {missing:finding is|findings are} new and {gone} are gone against those the plan was "
        "written with "
        "(by version {version})",
        "the file was changed, or another version of the program wrote it; make the plan anew",
    ),
    "reserved-ports-lost": (
        "{subject}: {asked} reserved ports are asked, the {leaves} {leaves:leaf|leaves} of today have room for {found}",
        "ask for {found} now and for the rest with the next stage, or ask for more leaves (nodes_per_unit)",
    ),
    "uneven": (
        "{subject}: {links} {links:link|links} to spine {place} of its pod where {wanted} are planned; pairs have "
        "{least} to {most} "
        "links, {switches} {switches:leaf is|leaves are} uneven",
        "unequal pairs make adaptive and static routing lose bandwidth; do not order this plan",
    ),
    "uneven-core": (
        "{subject}: {links} {links:link|links} to core {place} of its group where {wanted} are planned; pairs have "
        "{least} to "
        "{most} {most:link|links}, {switches} {switches:spine is|spines are} uneven",
        "unequal pairs make adaptive and static routing lose bandwidth; do not order this plan",
    ),
    "missing-uplink": (
        "{subject}: {links} {links:uplink|uplinks} where {wanted} are planned; {switches} {switches:switch|switches} "
        "in all",
        "do not order this plan: the switch would be oversubscribed",
    ),
    "oversubscription-real": (
        "{subject}: {down_gbps:,} Gb/s down over {up_gbps:,} Gb/s up is worse than the {claim} that is claimed; "
        "{switches} {switches:switch|switches} in all",
        "do not promise {claim} to the customer; report the request as a fault of the program",
    ),
    "cut": (
        "{subject}: the links carry {found:,} Gb/s across the half cut, {stated:,} Gb/s are stated",
        "do not promise the stated bisection bandwidth; report the request as a fault of the program",
    ),
    "ftree-needs-roots": (
        "{subject}: the {pods} {pods:pod has|pods have} {least} to {most} {most:leaf|leaves}; OpenSM's ftree routing "
        "refuses unequal pods and "
        "falls back silently",
        "route with updn and a root list of the cores, or grow by whole pods",
    ),
    "lone-spine": (
        "{subject}: one spine joins {leaves} {leaves:leaf|leaves}; when it fails, the leaves are cut off from each "
        "other",
        "ask for at least two spines (min_spines: 2)",
    ),
    # management
    "xdr-manager": (
        "{subject}: that a subnet manager runs inside {model} is not documented; the fabric needs UFM or another "
        "external one",
        "add a UFM to the order, on management port {port} of a switch",
    ),
    "manager-unknown": (
        "{subject}: that a subnet manager runs inside {model} is not documented",
        "--reserve-ports 2 for subnet-manager hosts, or confirm it with the maker",
    ),
    "plane-without-manager": (
        "{subject}: {lacking} of {planes} {planes:plane has|planes have} neither a managed switch nor a reserved port "
        "for a manager host "
        "(plane {which}); their links do not come up",
        "--management mixed:{planes} or managed, or --reserve-ports {planes} and more",
    ),
    "address-space": (
        "{subject}: {used:,} addresses are needed in one plane ({endpoints:,} {endpoints:endpoint|endpoints} and "
        "ports, {switches:,} of "
        "switches), an InfiniBand subnet has {most:,}",
        "--planes rail, or subnets joined by an InfiniBand router",
    ),
    "split-ready": (
        "{subject}: {switches} {model} must run the split profile for {rate}; the change restarts the switch, erases "
        "its configuration and renumbers every port",
        "set the profile before cabling, and use the port numbers of this plan (they are those of the split profile)",
    ),
    "sharp-needs-host": (
        "{subject}: no port is kept for a manager host; SHARPv{version} needs an aggregation manager on a host of its "
        "own, and the switches' subnet manager off",
        "--reserve-ports 2 if in-network reduction is wanted",
    ),
    # parts of the bill
    "bill-differs": (
        "{subject}: the bill orders {billed:,}, the tables need {held:,}",
        "do not order this plan; report the request as a fault of the program",
    ),
    "module-too-hot": (
        "{subject}: {part} draws up to {watts:g} W, the cage is rated for {limit:g} W; {links} {links:link|links}",
        "choose optics of lower power",
    ),
    "part-not-orderable": (
        "{subject}: {quantity:,} {quantity:piece|pieces} of a part that cannot be ordered anew",
        "check stock and second source, or choose a current product",
    ),
    "director-not-orderable": (
        "{subject}: no part number is known that orders it: {quantity:,} {quantity:chassis|chassis} with {leaf:,} leaf "
        "{leaf:module|modules} of {ports} ports and {spine:,} spine {spine:module|modules}; the bill names the model "
        "alone, and a quote leaves its price open",
        "ask the maker for the parts, and give their number as a variant in a catalogue overlay; or reuse one that "
        "stands (existing: in the request)",
    ),
    "director-grows": (
        "{subject}: {today:,} of the {final:,} leaf modules that {model} has in the last stage are needed today",
        "ask for the others with the phases that fill them; all spine modules belong to the first",
    ),
    "director-inside": (
        "{subject}: {model} is {leaf_chips} leaf chips and {spine_chips} spine chips, every one joined to every one; "
        "which inner port leads where, and which panel ports are of which chip, no maker publishes: the order in "
        "exports and labels is ours",
        "compare the labels of the leaf modules and ibnetdiscover with the plan before cabling",
    ),
    "part-retired": (
        "{subject}: {quantity:,} {quantity:piece|pieces} of a part that the maker has retired",
        "check stock before quoting, order spares with it, or choose the next generation",
    ),
    "part-unlisted": (
        "{subject}: {quantity:,} {quantity:piece|pieces} of a part that the maker's current lists no longer show",
        "ask the distributor whether it is still delivered before quoting",
    ),
    "part-planned": (
        "{subject}: {quantity:,} {quantity:piece|pieces} of a part that is announced and not yet sold",
        "ask for the delivery date before quoting",
    ),
    "part-unverified": (
        "{subject}: {quantity:,} {quantity:piece|pieces} of a part whose data no document of the maker confirms",
        "check number and data with the maker before quoting",
    ),
    "platform-retired": (
        "{subject}: the maker has retired this platform ({nodes:,} {nodes:node|nodes})",
        "nothing, if the nodes exist already; otherwise choose the successor",
    ),
    "platform-unlisted": (
        "{subject}: the maker's current lists no longer show this platform ({nodes:,} {nodes:node|nodes})",
        "nothing, if the nodes exist already; otherwise ask whether it is still delivered",
    ),
    "platform-planned": (
        "{subject}: this platform is announced and not yet sold ({nodes:,} {nodes:node|nodes})",
        "its ports may still change: check them before ordering",
    ),
    "platform-unverified": (
        "{subject}: no document of the maker confirms the ports of this platform ({nodes:,} {nodes:node|nodes})",
        "compare ports and adapters with the server's manual before ordering",
    ),
    "low-confidence": (
        "{subject}: the data of this part are an estimate ({quantity:,} {quantity:piece|pieces})",
        "confirm them with the maker before ordering",
    ),
    "low-confidence-number": (
        "{subject}: this order number or length rests on a single weak source ({quantity:,} {quantity:piece|pieces})",
        "confirm the number with the distributor before ordering",
    ),
    "low-confidence-ports": (
        "{subject}: the InfiniBand port numbers are an assumption, the labels on the panel are not ({boxes:,} "
        "{boxes:box|boxes})",
        "cable by the panel labels; check the numbers on the first switch",
    ),
    "catalog-override": (
        "{subject}: the company's own catalogue changes its facts: {fields}",
        "whoever keeps that catalogue answers for them; without it the shipped facts stand",
    ),
    "low-confidence-platform": (
        "{subject}: ports and adapters of this platform are an estimate ({nodes:,} {nodes:node|nodes})",
        "compare them with the server's manual, or state them: --nic PART-NUMBER --ports-per-node N",
    ),
    "generic-part": (
        "{subject}: {quantity:,} third-party {quantity:fibre|fibres} (up to {longest_m:metres}) "
        "{quantity:has|have} no part number",
        "buy them by the description in the bill: grade, connectors, polish, polarity, length",
    ),
    "generic-piece": (
        "{subject}: {quantity:,} third-party {quantity:piece has|pieces have} no part number",
        "buy them by the description in the bill, or put your own into a catalogue of your own (--catalog)",
    ),
    "chosen-by-price": (
        "{subject}: by the price book the fabric of fewest {favours} is the cheapest",
        "design again when the prices change; with choose: {favours} this fabric stays without a price book",
    ),
    "adapters-by-customer": (
        "{subject}: {quantity:,} {quantity:adapter|adapters} {pn} come from the customer and are not in the bill",
        "have the model confirmed in writing: modules and cables are chosen for it",
    ),
}
