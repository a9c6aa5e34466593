"""As-built fabrics made from plans: what a crew may have cabled, written as a discovery would print it.

A model holds links as pairs of ends ``(device, number)``; the number of a node's end is the count of its port. Mistakes
change the model; work orders are carried out on it; :func:`dump` prints it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from fabricplan.asbuilt.document import Move, WorkOrder
from fabricplan.plan import Plan
from fabricplan.proof.inside import wirings
from fabricplan.renderers.ibsim_net import end_names

RATES = {"edr": "4xEDR", "hdr100": "2xHDR", "hdr": "4xHDR", "ndr200": "2xNDR", "ndr": "4xNDR", "xdr": "4xXDR"}
DECLARED = {"MSB7800": 37, "MQM8700": 41, "MQM9700": 129, "Q3400_RA": 149}
LANES = {"EDR": "25", "HDR": "50", "NDR": "100", "XDR": "200"}
PRODUCTS = {"SB7800": "MSB7800", "QM8700": "MQM8700", "QM9700": "MQM9700", "Q3400-RA": "Q3400_RA"}
End = tuple[str, int]
Link = tuple[End, End]


@dataclass
class Model:
    """A fabric as it stands.

    Attributes:
        links: pairs of ends.
        host: end of a node -> (node description, its port).
        switches: name -> declared ports.
        slow: links that run slower.
        product: what a managed switch says it is.
    """

    links: list[Link]
    host: dict[End, str]
    switches: dict[str, int]
    host_rate: str = "4xNDR"
    trunk_rate: str = "4xNDR"
    product: str = "MQM9700"
    slow: dict[frozenset[End], str] = field(default_factory=dict)

    def key(self) -> set[frozenset[End]]:
        """Return the links without order."""
        return {frozenset(link) for link in self.links}

    def copy(self) -> Model:
        return Model(list(self.links), dict(self.host), dict(self.switches), self.host_rate, self.trunk_rate,
                     self.product, dict(self.slow))  # fmt: skip


def model(plan: Plan, fabric: int = 0, reserved: bool = False) -> Model:
    """Return a fabric of a plan, cabled as planned; with ``reserved`` hosts on the reserved ports."""
    names, links, host, switches = plan.device_names(), [], {}, {}
    sizing = plan.fabrics[fabric]
    product = PRODUCTS.get(sizing.shape.leaf.model, sizing.shape.leaf.model)
    declared = 81 if sizing.rate == "hdr100" else DECLARED.get(product, 129)
    for wiring in wirings(plan, fabric):
        switch = [names[row] for row in wiring.switch_row.tolist()]
        described = end_names(plan, wiring, names)
        for name in switch:
            switches[name] = declared
        for at in range(wiring.end_count):
            if wiring.reserved[at] and not reserved:
                continue
            end = (names[wiring.end_device[at]], int(wiring.end_device_port[at]))
            host[end] = described[at]
            links.append((end, (switch[wiring.end_switch[at]], int(wiring.end_port[at]))))
        for low, low_port, high, high_port in zip(wiring.low, wiring.low_port, wiring.high, wiring.high_port,
                                                  strict=True):  # fmt: skip
            links.append(((switch[low], int(low_port)), (switch[high], int(high_port))))
    return Model(links, host, switches, RATES[sizing.rate], RATES[sizing.uplink_rate], product)


def dump(built: Model, unnamed: bool = False, upper: bool = False) -> str:
    """Return the model as ``ibnetdiscover`` prints it."""
    ids: dict[str, str] = {}
    for number, name in enumerate(built.switches):
        ids[name] = f"S-{0xB8599F0300000000 + number:016x}"
    hca: dict[End, str] = {}
    for link in built.links:
        for end in link:
            if end[0] not in built.switches:
                hca[end] = f"H-{0x0C42A10300000000 + len(hca) * 4:016x}"

    def described(end: End) -> str:
        if end[0] in built.switches:
            name = end[0].upper() if upper else end[0]
            return "Quantum-2 Mellanox Technologies" if unnamed else f"MF0;{name}:{built.product}/U1"
        text = built.host.get(end, f"{end[0]} HCA-{end[1]}")
        return "MT4129 ConnectX7   Mellanox Technologies" if unnamed else text.upper() if upper else text

    far: dict[End, End] = {}
    for one, other in built.links:
        assert one not in far and other not in far, f"a port twice: {one} {other}"
        far[one], far[other] = other, one
    lines = ["#", "# Topology file: generated on Mon Jan  5 10:00:00 2026", "#", ""]
    held: dict[str, list[End]] = {name: [] for name in built.switches}
    for end in far:
        if end[0] in held:
            held[end[0]].append(end)

    def text(end: End) -> tuple[str, int]:
        return (ids[end[0]], end[1]) if end[0] in built.switches else (hca[end], 1)

    def rate(end: End) -> str:
        trunk = end[0] in built.switches and far[end][0] in built.switches
        return built.slow.get(frozenset((end, far[end])), built.trunk_rate if trunk else built.host_rate)

    for name, ports in built.switches.items():
        about = described((name, 0))
        lines += ["vendid=0x2c9", "devid=0xd2f2", f"sysimgguid=0x{ids[name][2:]}",
                  f'Switch\t{ports} "{ids[name]}"\t\t# "{about}" enhanced port 0 lid 5 lmc 0']  # fmt: skip
        for end in sorted(held[name]):
            identity, port = text(far[end])
            guid = f"({identity[2:]})" if identity.startswith("H") else ""
            lines.append(f'[{end[1]}]\t"{identity}"[{port}]{guid} \t\t# "{described(far[end])}" lid 9 {rate(end)}')
        lines.append("")
    for end, identity in hca.items():
        other, port = text(far[end])
        lines += ["vendid=0x2c9", "devid=0x1021", f"sysimgguid=0x{identity[2:]}", f"caguid=0x{identity[2:]}",
                  f'Ca\t1 "{identity}"\t\t# "{described(end)}"',
                  f'[1]({identity[2:]}) \t"{other}"[{port}]\t\t# lid 9 lmc 0 "{described(far[end])}" lid 5 {rate(end)}',
                  ""]  # fmt: skip
    return "\n".join(lines)


def planes(text: str, chips: int = 4) -> str:
    """Return a dump as a fabric prints it whose switches are several chips, each of them one lane of every port.

    The form of a Quantum-3 fabric as public tools read it: four switches of one name, ``/U1`` to ``/U4``, links of
    ``1xXDR``, adapters with a port for each chip.
    """
    lines: list[str] = []
    for record in text.strip().split("\n\n"):
        record = record.replace("4xXDR", "1xXDR")
        for chip in range(1, chips + 1) if "Switch\t" in record else ():
            lines += [_on_chip(record, chip), ""]
        if "Ca\t1 " in record:
            head, _, port = record.partition("\n[1](")
            own, _, rest = port.partition(")")
            ports = [f"[{lane}]({_lane(own, lane)}){_on_chip(rest, lane)}" for lane in range(1, chips + 1)]
            record = "\n".join([head.replace("Ca\t1 ", f"Ca\t{chips} "), *ports])
        if "Switch\t" not in record:
            lines += [record, ""]
    return "\n".join(lines)


def _on_chip(text: str, chip: int) -> str:
    """Return lines that name switches and the first ports of adapters with another chip and its port."""
    text = re.sub(r"S-\w+", lambda found: _chip(found[0], chip), text)
    text = re.sub(r'"(H-\w+)"\[1\]\((\w+)\)', lambda found: f'"{found[1]}"[{chip}]({_lane(found[2], chip)})', text)
    return text.replace('/U1"', f'/U{chip}"')


def net_dump(text: str) -> str:
    """Return what ``ibdiagnet2.net_dump`` tells of the fabric of a dump, in the form of its columns.

    Columns and the words of their cells as public parsers of the file describe them.
    """
    names = dict(re.findall(r'(?:Switch|Ca)\t\d+ "([SH]-\w+)"\t\t# "([^"]*)"', text))
    lines = ["# This database file was automatically generated by IBDIAG", ""]
    for record in text.split("\n\n"):
        head = re.search(r'Switch\t\d+ "S-(\w+)"\t\t# "([^"]*)"', record)
        if head is None:
            continue
        lines += [f'"{head[2]}", Mellanox, 0x{head[1]}, LID 7',
                  " #   : IB# : Sta  : PhysSta : MTU : LWA : LSA : FEC mode : Retran : Neighbor Guid : N# : NLID : "
                  "Neighbor Description"]  # fmt: skip
        for port, far, far_port, width, speed in re.findall(
            r'\n\[(\d+)\]\t"([SH]-\w+)"\[(\d+)\].* (\d+)x([A-Z]+\d*)(?=\n|$)', record
        ):  # fmt: skip
            label = f"sw{(int(port) + 1) // 2}p{(int(port) + 1) % 2 + 1}"
            far_label = f"sw{(int(far_port) + 1) // 2}p{(int(far_port) + 1) % 2 + 1}" if far[0] == "S" else far_port
            lines.append(
                f" {label} : {port} : ACT : LINK UP : 5 : {width}x : {LANES[speed]} : MLNX_RS_544_514_PLR : NO-RTR : "
                f'0x{far[2:]} : {far_label} : 2566 : "{names[far]}"'
            )  # fmt: skip
        lines += [" sw99p1 : 197 : DOWN : POLLING : N/A : N/A : N/A : N/A : N/A : : : : ", ""]
    return "\n".join(lines)


def subnet_lst(text: str) -> str:
    """Return what ``ibdiagnet2.lst`` tells of the fabric of a dump: each link once an end, numbers in hex."""
    heads = {key: (kind, int(ports), about) for kind, ports, key, about in re.findall(
        r'(Switch|Ca)\t(\d+) "([SH]-\w+)"\t\t# "([^"]*)"', text)}  # fmt: skip

    def end(key: str, port: str) -> str:
        kind, ports, about = heads[key]
        guid = key[2:]
        return (
            f"{{ {'SW' if kind == 'Switch' else 'CA'} Ports:{ports:02X} SystemGUID:{guid} NodeGUID:{guid} "
            f"PortGUID:{guid} VenID:000002C9 DevID:D2F2 Rev:000000A0 {{{about}}} LID:000D PN:{int(port):02X} }}"
        )

    lines = ["# This database file was automatically generated by IBDIAG"]
    for record in text.split("\n\n"):
        head = re.search(r'(?:Switch|Ca)\t\d+ "([SH]-\w+)"', record)
        if head is not None:
            lines += [
                f"{end(head[1], port)} {end(far, far_port)} PHY={width}x LOG=ACT SPD={LANES[speed]}"
                for port, far, far_port, width, speed in re.findall(
                    r'\n\[(\d+)\](?:\(\w+\) )?\t"([SH]-\w+)"\[(\d+)\].* (\d+)x([A-Z]+\d*)(?=\n|$)', record)
            ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _chip(identity: str, chip: int) -> str:
    return f"S-{int(identity[2:], 16) * 8 + chip & (1 << 64) - 1:016x}"


def _lane(guid: str, lane: int) -> str:
    return f"{int(guid, 16) + lane - 1:016x}"


def swap(built: Model, dice: random.Random, kind: str = "any") -> None:
    """Exchange two plugs of two cables of a kind: ``host``, ``trunk`` or ``any``."""
    one, other = dice.sample(cables(built, kind) or cables(built, "any"), 2)
    side = dice.choice([0, 1])
    _exchange(built, one, other, side)


def _exchange(built: Model, one: int, other: int, side: int) -> None:
    first, second = built.links[one], built.links[other]
    if side == 0:
        built.links[one], built.links[other] = (second[0], first[1]), (first[0], second[1])
    else:
        built.links[one], built.links[other] = (first[0], second[1]), (second[0], first[1])


def cables(built: Model, kind: str) -> list[int]:
    """Return the positions of cables of a kind."""
    return [
        at for at, (low, _) in enumerate(built.links)
        if kind == "any" or (low[0] in built.switches) == (kind == "trunk")
    ]  # fmt: skip


def rotate(built: Model, dice: random.Random, count: int = 3) -> None:
    """Move the upper plugs of some host cables on, in a circle."""
    chosen = dice.sample(cables(built, "host"), count)
    uppers = [built.links[at][1] for at in chosen]
    for at, upper in zip(chosen, uppers[1:] + uppers[:1], strict=True):
        built.links[at] = (built.links[at][0], upper)


def lose(built: Model, dice: random.Random, count: int = 1) -> None:
    """Take cables away."""
    for at in sorted(dice.sample(range(len(built.links)), count), reverse=True):
        del built.links[at]


def exchange_devices(built: Model, one: str, other: str) -> None:
    """Exchange two devices with all their cables."""
    names = {one: other, other: one}
    built.links = [tuple((names.get(name, name), port) for name, port in link) for link in built.links]  # type: ignore[misc]


def shift(built: Model, dice: random.Random, by: int = 1) -> None:
    """Plug the hosts of a leaf one port further; the last one finds its port beyond the hosts, if that is free."""
    leaves = sorted({link[1][0] for link in built.links if link[0][0] not in built.switches})
    leaf = dice.choice(leaves)
    mine = sorted((link[1][1], at) for at, link in enumerate(built.links)
                  if link[1][0] == leaf and link[0][0] not in built.switches)  # fmt: skip
    used = {end for link in built.links for end in link}
    step = mine[1][0] - mine[0][0] if len(mine) > 1 else 1
    free = next(port for port in range(1, 400) if (leaf, port) not in used)
    targets = [port for port, _ in mine[by:]] + [free + step * number for number in range(by)]
    for (_, at), port in zip(mine, targets, strict=True):
        built.links[at] = (built.links[at][0], (leaf, port))


def extra_host(built: Model, dice: random.Random) -> None:
    """Plug a machine that nobody planned into a free port."""
    used = {end for link in built.links for end in link}
    leaf = dice.choice(sorted({link[1][0] for link in built.links if link[0][0] not in built.switches}))
    free = next(port for port in range(1, 400) if (leaf, port) not in used)
    end = (f"visitor-{dice.randrange(10**6)}", 1)
    built.host[end] = f"{end[0]} mlx5_0"
    built.links.append((end, (leaf, free)))


def misplug(built: Model, dice: random.Random) -> None:
    """Plug a host into a free port of its leaf."""
    used = {end for link in built.links for end in link}
    at = dice.choice(cables(built, "host"))
    low, (leaf, _) = built.links[at]
    free = next(port for port in range(1, 400) if (leaf, port) not in used)
    built.links[at] = (low, (leaf, free))


MISTAKES: dict[str, Callable[[Model, random.Random], None]] = {
    "swap": swap, "rotate": rotate, "lose": lose, "shift": shift, "extra": extra_host, "misplug": misplug,
    "trunks": lambda built, dice: swap(built, dice, "trunk"), "hosts": lambda built, dice: swap(built, dice, "host"),
}  # fmt: skip


def carry_out(built: Model, orders: tuple[WorkOrder, ...]) -> None:
    """Do what the work orders say, step by step, as a technician would: nothing else is touched."""
    for order in orders:
        names = {move.at.device: move.to.device for move in order.moves if move.action == "replace"}
        if names:
            built.links = [
                tuple((names.get(name, name), port) for name, port in link)  # type: ignore[misc]
                for link in built.links
            ]
        taken: list[tuple[int, int, End]] = []
        for move in order.moves:
            if move.action == "remove":
                built.links.remove(_find(built, move))
        for move in order.moves:
            if move.action == "move":
                at, side = _where(built, _end(move.at))
                assert move.stays is not None and built.links[at][1 - side] == _end(move.stays)
                taken.append((at, side, _end(move.to)))
        for at, side, to in taken:
            link = list(built.links[at])
            link[side] = to
            built.links[at] = (link[0], link[1])
        for move in order.moves:
            if move.action == "connect":
                built.links.append((_end(move.at), _end(move.to)))
            elif move.action == "check":
                built.slow.pop(frozenset((_end(move.at), _end(move.to))))


def _end(plug: object) -> End:
    assert plug.number is not None  # type: ignore[attr-defined]
    return plug.device, plug.number  # type: ignore[attr-defined]


def _where(built: Model, end: End) -> tuple[int, int]:
    for at, link in enumerate(built.links):
        for side in (0, 1):
            if link[side] == end or _visitor(end, link[side]):
                return at, side
    raise AssertionError(f"no cable at {end}")


def _visitor(end: End, held: End) -> bool:
    """An unplanned machine is told by its description."""
    return end[0].startswith("visitor") and end[0].split()[0] == held[0]


def _find(built: Model, move: Move) -> Link:
    at, _ = _where(built, _end(move.at))
    other, _ = _where(built, _end(move.to))
    assert at == other, "the plugs are of two cables"
    return built.links[at]
