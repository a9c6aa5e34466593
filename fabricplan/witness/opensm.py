"""OpenSM on a simulated fabric: one sweep with the ftree engine, and its forwarding tables read.

Source: opensm(8), ibsim(1). ``ftree tables configured on all switches`` means that the engine accepted the fabric;
where it does not, OpenSM falls back to min-hop without an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fabricplan.errors import Problem
from fabricplan.values import IntArray
from fabricplan.witness.run import WitnessError, run

SIMULATE = """
ibsim -n -s -N "$2" -S "$3" -P "$4" net >ibsim.log 2>&1 &
simulator=$!
tries=0
until grep -q "@$IBSIM_SOCKNAME:ctl" /proc/net/unix; do
  tries=$((tries + 1))
  if [ $tries -gt 600 ] || ! kill -0 $simulator 2>/dev/null; then echo "ibsim did not start"; cat ibsim.log; exit 9; fi
  sleep 0.1
done
shift 4
ibsim-run opensm -o -f osm.log -D 0x43 -s 0 "$@"
kill $simulator
"""
ACCEPTED = "ftree tables configured on all switches"


@dataclass(frozen=True)
class Sweep:
    """What one sweep of OpenSM gave.

    Attributes:
        version: what OpenSM calls itself.
        up: the subnet came up.
        accepted: the ftree engine routed it, without fallback.
        ranks: switches at every rank, roots first.
        refusal: the engine's reason, where it refused.
        names: node description of every address, by LID; empty where there is none.
        ports: name of a switch -> output port by LID (255: none).
    """

    version: str
    up: bool
    accepted: bool
    ranks: tuple[int, ...]
    refusal: str
    names: tuple[str, ...]
    ports: dict[str, IntArray]


def sweep(net: bytes, place: Path, seconds: int, roots: tuple[str, ...] = ()) -> Sweep:
    """Let OpenSM route a fabric.

    Args:
        net: the fabric file.
        place: an empty folder to work in; OpenSM's dumps are left there.
        seconds: time limit.
        roots: names of switches to give as roots; needs the addresses that ibsim gives out in file order.

    Raises:
        WitnessError: the simulator did not start, or the time limit is over.
    """
    (place / "net").write_bytes(net)
    text = net.decode()
    first = re.search(r'^Hca\t\d+ "([^"]+)"', text, re.MULTILINE)
    if first is None:
        raise WitnessError(Problem("witness-no-host", "the fabric has no endpoint to run a subnet manager on"))
    switches = len(re.findall(r"^Switch\t", text, re.MULTILINE))
    hosts = len(re.findall(r"^Hca\t", text, re.MULTILINE))
    ports = sum(int(number) + 1 for number in re.findall(r"^(?:Switch|Hca)\t(\d+)", text, re.MULTILINE))
    options = ["-R", "ftree"]
    if roots:
        (place / "roots").write_text("".join(f"{guid:#018x}\n" for guid in _guids(text, roots)))
        options += ["-a", "roots"]
    size = [str(count + 16) for count in (hosts + switches, switches, ports)]
    printed = run(
        ["sh", "-c", SIMULATE, "sh", "0", *size, *options], place, seconds,
        {"SIM_HOST": first[1], "OSM_TMP_DIR": str(place), "OSM_CACHE_DIR": str(place),
         "IBSIM_SOCKNAME": place.name[-16:]},
    )  # fmt: skip
    log_file = place / "osm.log"
    log = log_file.read_text("utf-8", "replace") if log_file.is_file() else ""
    if not log:
        raise WitnessError(Problem("witness-failed", f"the simulation did not run: {_last(printed)}", "--witness",
                                   "try the programs by hand: opensm, ibsim"))  # fmt: skip
    version = re.search(r"OpenSM [0-9][^\s]*", log + printed)
    ranks = {int(rank): int(count) for count, rank in re.findall(r"Fabric has (\d+) switches at rank (\d+)", log)}
    names, tables = _tables(place / "opensm-lfts.dump")
    return Sweep(
        version=version[0] if version else "OpenSM", up="SUBNET UP" in log, accepted=ACCEPTED in log,
        ranks=tuple(ranks[rank] for rank in sorted(ranks)), refusal="" if ACCEPTED in log else _refusal(log),
        names=names, ports=tables,
    )  # fmt: skip


def _guids(text: str, roots: tuple[str, ...]) -> list[int]:
    """Return the GUIDs that ibsim gives to switches: 0x200000 and upward in file order."""
    order = re.findall(r'^Switch\t\d+ "([^"]+)"', text, re.MULTILINE)
    return [0x200000 + order.index(name) for name in roots]


def _refusal(log: str) -> str:
    lines = [line for line in log.splitlines() if "ERR AB" in line or "fat-tree" in line.lower()]
    return lines[0].split("-> ", 1)[-1].strip() if lines else ""


def _last(printed: str) -> str:
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return lines[-1] if lines else "nothing was printed"


def _tables(dump: Path) -> tuple[tuple[str, ...], dict[str, IntArray]]:
    """Read ``opensm-lfts.dump``: names by LID, and output ports by LID of every switch."""
    names: dict[int, str] = {}
    tables: dict[str, IntArray] = {}
    if not dump.is_file():
        return (), {}
    blocks = dump.read_text("utf-8", "replace").split("Unicast lids ")[1:]
    for block in blocks:
        head, _, body = block.partition("\n")
        limit = re.match(r"\[\d+-(\d+)\]", head)
        name = re.search(r"\('(.*)'\)", head)
        if limit is None or name is None:
            continue
        table = np.full(int(limit[1]) + 1, 255, np.int64)
        lids, ports = [], []
        for line in body.splitlines():
            if line.startswith("0x"):
                lids.append(int(line[2:6], 16))
                ports.append(int(line[7:10]))
                if not tables:
                    names[lids[-1]] = line.partition("'")[2].rstrip("'")
        table[lids] = ports
        tables[name[1]] = table
    top = max(names, default=-1)
    return tuple(names.get(lid, "") for lid in range(top + 1)), tables
