"""A plan's own export on ``ibsim``, discovered by the real ``ibnetdiscover`` and ``iblinkinfo``, and verified.

As exported it is clean; with two cables exchanged in the fabric file there is one work order, from either tool.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from fabricplan.asbuilt.adopt import adopt
from fabricplan.asbuilt.document import Verification
from fabricplan.asbuilt.verify import verify
from fabricplan.catalog import Catalog
from fabricplan.growth import extension
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.readers.discovery import read_all, read_found
from fabricplan.renderers import ibsim_net
from fabricplan.requirement import parse_requirement
from fabricplan.witness.opensm import sweep
from fabricplan.witness.run import folder, run, search_path
from tests.conftest import PlanOf

PROGRAMS = ("ibsim", "ibsim-run", "ibnetdiscover", "iblinkinfo")
MISSING = [name for name in PROGRAMS if shutil.which(name, path=search_path()) is None]
pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(bool(MISSING) and not os.environ.get("FABRICPLAN_REQUIRE_ORACLES"),
                       reason=f"not installed: {', '.join(MISSING)}"),
]  # fmt: skip
DISCOVER = """
ibsim -n -s -N 4000 -S 400 -P 40000 net >ibsim.log 2>&1 &
simulator=$!
tries=0
until grep -q "@$IBSIM_SOCKNAME:ctl" /proc/net/unix; do
  tries=$((tries + 1))
  if [ $tries -gt 600 ] || ! kill -0 $simulator 2>/dev/null; then cat ibsim.log; exit 9; fi
  sleep 0.1
done
for tool in ibnetdiscover iblinkinfo; do
  for try in 1 2 3; do
    # on a loaded machine the simulator may answer too late
    ibsim-run $tool >$tool.txt
    grep -q "failed" $tool.txt || break
    sleep 1
  done
done
kill $simulator
"""


def discovered(net: str) -> dict[str, bytes]:
    """Return what the tools print of a fabric file."""
    first = re.search(r'^Hca\t\d+ "([^"]+)"', net, re.MULTILINE)
    assert first is not None
    with folder() as place:
        (place / "net").write_text(net, encoding="utf-8")
        printed = run(["sh", "-c", DISCOVER], place, 120,
                      {"SIM_HOST": first[1], "IBSIM_SOCKNAME": Path(place).name[-16:]})  # fmt: skip
        files = {name: (place / f"{name}.txt").read_bytes() for name in ("ibnetdiscover", "iblinkinfo")}
    assert all(files.values()), printed
    return files


def exchanged(net: str, one: str, other: str) -> str:
    """Exchange two ends (``"leaf"[33]``) in a fabric file: where each is told as far end, and where it is the near."""
    blocks = net.split("\n\n")
    far = {}
    for block in blocks:
        head = re.search(r'^\w+\t\d+ "([^"]+)"', block)
        for port, end in re.findall(r'^\[(\d+)\]\t(".*"\[\d+\])$', block, re.MULTILINE):
            far[f'"{head[1]}"[{port}]'] = end  # type: ignore[index]
    first, second = far[one], far[other]
    pairs = {one: second, second: one, other: first, first: other}
    lines, name = [], ""
    for line in net.split("\n"):
        head = re.match(r'\w+\t\d+ "([^"]+)"', line)
        name = head[1] if head else name
        port = re.match(r"\[(\d+)\]\t", line)
        near = f'"{name}"[{port[1]}]' if port else ""
        lines.append(f"[{port[1]}]\t{pairs[near]}" if port and near in pairs else line)
    return "\n".join(lines)


def judged(plan: Plan, net: str) -> list[Verification]:
    return [verify(plan, "0" * 64, read_found(data, f"{tool}.txt")) for tool, data in discovered(net).items()]


@pytest.mark.parametrize(
    ("group", "fabric"),
    [
        ({"nodes": 31, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 4}),
        ({"nodes": 16}, {"rate": "hdr100"}),
        ({"nodes": 32}, {"rate": "xdr"}),
    ],
    ids=["31-ndr", "16-hdr100-split", "32-xdr"],
)  # fmt: skip
def test_the_export_as_discovered_is_clean_and_one_exchange_is_one_order(
    plan_of: PlanOf, group: dict[str, object], fabric: dict[str, object]
) -> None:
    plan = plan_of(group, fabric)
    net = ibsim_net.render(plan, "en")["compute.net"].decode()
    for told in judged(plan, net):
        assert told.clean, [order.kind for order in told.orders]
        assert [item.code for item in told.findings] == ["speeds-simulated"]
        assert told.fabrics[0].planned == told.fabrics[0].matched > 100
    leaf = re.search(r'^Switch\t\d+ "(leaf[^"]*)"\n\[(\d+)\].*\n\[(\d+)\]', net, re.MULTILINE)
    assert leaf is not None
    ends = (f'"{leaf[1]}"[{leaf[2]}]', f'"{leaf[1]}"[{leaf[3]}]')
    for told in judged(plan, exchanged(net, *ends)):
        assert [order.kind for order in told.orders] == ["swap"]
        moves = told.orders[0].moves
        split = any("-" in cable for move in moves for cable in move.cables)
        # the head of a splitter is one plug, so that its tails are exchanged
        assert {move.at.kind for move in moves} == {"node" if split else "switch"}
        ends = {(move.stays if split else move.at) for move in moves}
        assert {(end.device, end.number) for end in ends} == {(leaf[1], int(leaf[2])), (leaf[1], int(leaf[3]))}


@pytest.mark.skipif(shutil.which("opensm", path=search_path()) is None
                    and not os.environ.get("FABRICPLAN_REQUIRE_ORACLES"), reason="not installed: opensm")  # fmt: skip
def test_the_list_that_opensm_writes_is_read(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 16}, {"rate": "hdr"})
    with folder() as place:
        sweep(ibsim_net.render(plan, "en")["compute.net"], place, 120)
        told = verify(plan, "0" * 64, read_found((place / "opensm-subnet.lst").read_bytes(), "opensm-subnet.lst"))
    assert told.clean and told.fabrics[0].matched == told.fabrics[0].planned > 100
    assert told.sources[0].format == "subnet_lst"


def test_what_the_tool_discovers_is_adopted_grown_and_extended(plan_of: PlanOf, catalog: Catalog) -> None:
    """Two planes of 40 nodes, laid out for 128: each discovered by the real tool, adopted together, then extended."""
    plan = plan_of({"nodes": 40, "grow_to": 128}, {"rate": "ndr", "planes": 2})
    nets = ibsim_net.render(plan, "en")
    assert sorted(nets) == ["compute-p1.net", "compute-p2.net"]
    files = []
    for number, (name, net) in enumerate(sorted(nets.items()), start=1):
        text = discovered(net.decode())["ibnetdiscover"].decode()
        # the simulator counts its GUIDs from the same number in every run
        files.append((re.sub(r"([SH])-00(?=\w{14})", rf"\1-{number:02x}", text).encode(), name))
    adopted = adopt(read_all(files), catalog, ["ndr"], 128)
    assert adopted.plan.fabrics[0].planes == 2 and adopted.plan.topology == plan.topology
    request = adopted.request | {"groups": [adopted.request["groups"][0] | {"nodes": 128}]}
    grown = design(parse_requirement(request), catalog)
    more = extension(grown, adopted.plan)
    for kind in ("switch", "transceiver", "fibre", "adapter"):
        bought = grown.bom.count(kind) - adopted.plan.bom.count(kind)  # type: ignore[arg-type]
        assert more.bom.count(kind) == bought > 0, kind  # type: ignore[arg-type]
