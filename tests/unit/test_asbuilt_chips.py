"""Switches of several chips: one switch for survey, verification and GUIDs; routers and directors besides.

Forms of Quantum-3 fabrics as public tools that read them describe them: node descriptions ``MF0;name:Q3400_RA/U1`` to
``/U4``, links of one lane, a router of each chip (``/U2/RT``).
"""

from __future__ import annotations

import gzip
import random

import pytest

from fabricplan.asbuilt.document import Verification
from fabricplan.asbuilt.found import ROUTER, SWITCH, Found
from fabricplan.asbuilt.guids import find_guids
from fabricplan.asbuilt.survey import survey
from fabricplan.asbuilt.verify import verify
from fabricplan.errors import ReadError
from fabricplan.plan import Plan
from fabricplan.readers.discovery import read_found
from fabricplan.readers.port_guids import read_port_guids
from fabricplan.renderers.opensm_fill import fill
from tests.conftest import PlanOf
from tests.miscabling import MISTAKES, Model, dump, model, net_dump, planes, subnet_lst

ROUTERS = """
vendid=0x2c9
devid=0xc839
sysimgguid=0x0c42a1030f00b900
rtguid=0x0c42a1030f00b928
Rt\t8 "R-0c42a1030f00b928"\t\t# "MF0;leaf-su01-r0:Q3400_RA/U2/RT"
[2](0c42a1030f00b929) \t"{switch}"[149]\t\t# lid 9 lmc 0 "MF0;leaf-su01-r0:Q3400_RA/U2" lid 8 1xXDR
"""


@pytest.fixture(scope="module")
def plan(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 32}, {"rate": "xdr"})


def found(text: str) -> Found:
    return read_found(text.encode(), "found.txt")


def check(plan: Plan, text: str) -> Verification:
    return verify(plan, "0" * 64, found(text))


def test_four_chips_are_one_switch_to_survey(plan: Plan) -> None:
    (fabric,) = survey(found(planes(dump(model(plan))))).fabrics
    assert (fabric.tiers, fabric.switches, fabric.hosts, fabric.adapters) == (2, 6, 32, 256)
    assert [(row.tier, row.switches, row.radix) for row in fabric.tier_rows] == [("leaf", 4, 144), ("spine", 2, 144)]
    assert [(bar.value, bar.count) for row in fabric.link_rows for bar in row.rates] == [("4xXDR", 256)] * 2
    assert fabric.even and not fabric.findings


@pytest.mark.parametrize("mistake", ["swap", "trunks", "hosts", "lose", "misplug", "rotate"])
def test_orders_are_those_of_the_same_fabric_with_one_chip(plan: Plan, mistake: str) -> None:
    built = model(plan)
    MISTAKES[mistake](built, random.Random(4))
    text = dump(built)
    single = check(plan, text)
    assert single.orders
    for form in (
        planes(text),
        net_dump(planes(text)),
        subnet_lst(planes(text)),
        planes(text, chips=2).replace("1xXDR", "2xXDR"),
    ):
        told = check(plan, form)
        assert (told.orders, told.fabrics) == (single.orders, single.fabrics)


def test_a_lost_lane_makes_the_link_slower(plan: Plan) -> None:
    text = planes(dump(model(plan)))
    lines = text.split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("[5]\t") and '"H-' in line)
    far = lines[at].split('"')[1]
    back = next(number for number, line in enumerate(lines) if line.startswith("Ca\t4") and far in line)
    assert lines[back + 1].startswith("[1](")
    del lines[back + 1], lines[at]
    told = check(plan, "\n".join(lines))
    assert [(order.kind, order.planned_gbps, order.found_gbps) for order in told.orders] == [("degraded", 800, 600)]


def test_lanes_of_one_port_that_lead_apart_are_told(plan: Plan) -> None:
    """Two lanes of port 1 and two of port 3 are exchanged: a plug or a trunk with crossed fibres."""
    text = planes(dump(model(plan)))
    one, two = "node-su01-001 HCA-1", "node-su01-002 HCA-1"
    lines = text.split("\n")
    ca = {
        name: next(at for at, line in enumerate(lines) if line.startswith("Ca\t") and name in line)
        for name in (one, two)
    }
    guid = {name: lines[at].split('"')[1] for name, at in ca.items()}
    swapped = {guid[one]: guid[two], guid[two]: guid[one]}
    chip = 0
    for at, line in enumerate(lines):
        if line.startswith("Switch\t"):
            chip = int(line.partition("/U")[2][0]) if "leaf-su01-r0" in line else 0
        elif chip == 1 and line.startswith("["):
            held = line.split('"')[1]
            if held in swapped:
                lines[at] = line.replace(held, swapped[held])
    a, b = lines[ca[one] + 1], lines[ca[two] + 1]
    lines[ca[one] + 1] = a.partition("\t")[0] + "\t" + b.partition("\t")[2]
    lines[ca[two] + 1] = b.partition("\t")[0] + "\t" + a.partition("\t")[2]
    told = check(plan, "\n".join(lines))
    apart = [item for item in told.findings if item.code == "lanes-apart"]
    assert [(item.subject, item.param("port")) for item in apart] == [("leaf-su01-r0", 1), ("leaf-su01-r0", 3)]
    assert not told.clean


def test_routers_of_a_switch_are_no_hosts(plan: Plan) -> None:
    text = planes(dump(model(plan)))
    at = next(line for line in text.split("\n") if "leaf-su01-r0:Q3400_RA/U2" in line and line.startswith("Switch"))
    switch = at.split('"')[1]
    routed = text.replace(
        at,
        at + '\n[149]\t"R-0c42a1030f00b928"[2](0c42a1030f00b929) \t\t# "MF0;leaf-su01-r0:Q3400_RA/U2/RT" lid 9 1xXDR',
    )
    routed += ROUTERS.format(switch=switch)
    seen = found(routed)
    assert [kind for kind in seen.devices.kind.tolist() if kind == ROUTER] == [ROUTER]
    (fabric,) = survey(seen).fabrics
    assert (fabric.routers, fabric.hosts, fabric.adapters) == (1, 32, 256)
    assert check(plan, routed).clean


def test_every_chip_is_a_root_and_every_lane_a_port(plan: Plan) -> None:
    text = planes(dump(model(plan)))
    guids = find_guids(plan, found(text), read_port_guids(text.encode(), "found.txt"))
    files, missing = fill(plan, guids)
    assert not missing
    roots = files["opensm/compute/root_guid_file"].decode().split()
    told = {f"0x{line.split(chr(34))[1][2:]}" for line in text.split("\n")
            if line.startswith("Switch") and "spine" in line}  # fmt: skip
    assert set(roots) == told and len(roots) == 2 * 4
    assert len(files["opensm/compute/cn_guid_file"].decode().split()) == 256 * 4


def test_chips_of_a_director_are_switches_of_their_own() -> None:
    text = """Switch\t36 "S-0000000000000001"\t\t# "MF0;core:CS7500/L01/U1" base port 0 lid 1 lmc 0
[19]\t"S-0000000000000002"[1]\t\t# "MF0;core:CS7500/S01/U1" lid 2 4xEDR

Switch\t36 "S-0000000000000002"\t\t# "MF0;core:CS7500/S01/U1" base port 0 lid 2 lmc 0
[1]\t"S-0000000000000001"[19]\t\t# "MF0;core:CS7500/L01/U1" lid 1 4xEDR
"""
    seen = found(text)
    assert seen.names() == ["core/L01/U1", "core/S01/U1"] and seen.models() == ["CS7500", "CS7500"]
    assert not survey(seen).findings


def test_two_switches_of_one_name_stay_two(plan: Plan) -> None:
    text = planes(dump(model(plan))).replace("leaf-su01-r2:", "leaf-su01-r0:")
    with pytest.raises(ReadError, match="is the name of two devices"):
        check(plan, text)


def test_independent_switches_of_one_box_stay_two(plan_of: PlanOf) -> None:
    """A box of two switches may call them ``/U1`` and ``/U2`` of one name: their ports lead to different places."""
    planned = plan_of({"nodes": 16}, {"rate": "xdr", "leaf": "Q3200-RA", "spine": "Q3200-RA"})
    text = dump(model(planned))
    first, second = sorted(name for name in model(planned).switches if "leaf" in name)[:2]
    boxed = text.replace(f"MF0;{second}:Q3200-RA/U1", f"MF0;{first}:Q3200-RA/U2")
    assert boxed != text
    assert len(found(boxed).devices) == len(found(text).devices)
    with pytest.raises(ReadError, match="is the name of two devices"):
        check(planned, boxed)


def test_gzip_is_unpacked_and_a_damaged_one_refused(plan: Plan) -> None:
    data = gzip.compress(dump(model(plan)).encode())
    seen = read_found(data, "found.txt.gz")
    assert sum(kind == SWITCH for kind in seen.devices.kind.tolist()) == 6
    with pytest.raises(ReadError, match="cut off or damaged"):
        read_found(data[: len(data) // 2], "found.txt.gz")


def test_every_form_tells_the_same_fabric(plan_of: PlanOf) -> None:
    """The reader of net dumps against that of ibnetdiscover, generation by generation."""
    for rate in ("edr", "hdr", "ndr"):
        planned = plan_of({"nodes": 16}, {"rate": rate})
        built: Model = model(planned)
        MISTAKES["swap"](built, random.Random(1))
        text = dump(built)
        one = check(planned, text)
        for form in (net_dump(text), subnet_lst(text)):
            other = check(planned, form)
            assert (one.orders, one.fabrics) == (other.orders, other.fabrics) and one.orders, rate


def test_a_list_that_is_cut_off_is_refused(plan_of: PlanOf) -> None:
    text = subnet_lst(dump(model(plan_of({"nodes": 16}, {"rate": "hdr"}))))
    with pytest.raises(ReadError, match="not a link of a subnet list") as caught:
        found(text[:-40])
    assert caught.value.problems[0].where == f"found.txt:{len(text.splitlines())}"
