"""Surveys and verifications: what is found, what is told, and what is refused."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from fabricplan.asbuilt import Found
from fabricplan.asbuilt.document import Verification
from fabricplan.asbuilt.match import NO_NAMES, NameMap
from fabricplan.asbuilt.survey import FabricSurvey, survey
from fabricplan.asbuilt.verify import verify
from fabricplan.errors import ReadError, RequirementError
from fabricplan.plan import Plan
from fabricplan.readers.discovery import read_all, read_found
from fabricplan.readers.name_map import read_name_map
from fabricplan.renderers import ibsim_net, verify_json, verify_xlsx
from fabricplan.renderers.verify_rows import order_steps
from tests.conftest import PlanOf
from tests.miscabling import Model, dump, extra_host, lose, model, swap

DATA = Path(__file__).parents[1] / "data"
DIGEST = "0" * 64


def found(text: str, name: str = "found.txt") -> Found:
    return read_found(text.encode(), name)


def data(name: str) -> FabricSurvey:
    fabrics = survey(read_found((DATA / name).read_bytes(), name)).fabrics
    assert len(fabrics) == 1
    return fabrics[0]


@pytest.fixture(scope="module")
def plan(plan_of: PlanOf) -> Plan:
    return plan_of({"nodes": 32, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 4})


def check(plan: Plan, built: Model, names: NameMap = NO_NAMES, by_structure: bool = False,
          **how: bool) -> Verification:  # fmt: skip
    return verify(plan, DIGEST, found(dump(built, **how)), names, by_structure=by_structure)


def test_a_real_storage_fabric() -> None:
    fabric = data("selene-storage.ibnetdiscover.txt")
    assert (fabric.tiers, fabric.switches, fabric.hosts, fabric.adapters) == (3, 160, 628, 1247)
    assert [(row.tier, row.switches, row.radix, row.split) for row in fabric.tier_rows] == [
        ("leaf", 64, 40, 1), ("spine", 64, 40, 1), ("core", 32, 40, 1)]  # fmt: skip
    assert [(row.lower, row.upper, row.links) for row in fabric.link_rows] == [
        ("host", "leaf", 1247), ("leaf", "spine", 1018), ("spine", "core", 1021)]  # fmt: skip
    told = {item.code: item for item in fabric.findings if item.subject == "leaf" or item.code == "unnamed-adapter"}
    assert told["uneven-uplinks"].param("names") == "SLG01-09 (14), SLG01-10 (14), SLG01-13 (15), SLG02-07 (15)"
    assert told["unnamed-adapter"].param("where") == "SLG04-13 port 10"


def test_a_small_fabric_sets_the_aggregation_node_apart() -> None:
    fabric = data("small-fabric.ibnetdiscover.txt")
    assert (fabric.switches, fabric.aggregation_nodes, fabric.adapters) == (2, 1, 12)
    assert {item.code for item in fabric.findings} == {"tier-skipped", "same-tier-links", "mixed-generations"}


def test_survey_tells_what_departs_from_its_peers(plan: Plan) -> None:
    built = model(plan)
    clean = survey(found(dump(built))).fabrics[0]
    assert not clean.findings and clean.even
    assert (clean.rails.attach, clean.rails.rails, clean.oversubscription) == ("rail", 8, 0.89)
    host = [at for at, link in enumerate(built.links) if link[0][0] == "node-su01-002"]
    one, two = built.links[host[0]], built.links[host[1]]
    built.links[host[0]], built.links[host[1]] = (one[0], two[1]), (two[0], one[1])
    built.slow[frozenset(built.links[100])] = "4xHDR"
    trunk = next(at for at, link in enumerate(built.links) if link[0][0].startswith("leaf"))
    (leaf, _), (spine, _) = built.links.pop(trunk)
    told = survey(found(dump(built))).fabrics[0].findings
    codes = [item.code for item in told]
    assert codes.count("odd-rail") == 2 and codes.count("below-peers") == 1
    uneven = next(item for item in told if item.code == "uneven-uplinks")
    assert leaf in str(uneven.param("names"))
    absent = next(item for item in told if item.code == "absent-uplinks")
    assert (absent.subject, absent.param("names")) == (leaf, spine)


def test_survey_knows_a_split_switch(plan_of: PlanOf) -> None:
    split = plan_of({"nodes": 16}, {"rate": "hdr100"})
    built = model(split)
    built.switches = dict.fromkeys(built.switches, 81)
    rows = survey(found(dump(built))).fabrics[0].tier_rows
    assert [(row.radix, row.split) for row in rows] == [(40, 2), (40, 2)]


def test_names_match_without_regard_to_case_and_by_map(plan: Plan) -> None:
    built = model(plan)
    assert check(plan, built, upper=True).clean
    text = dump(built).replace("node-su01-0", "gpu").replace("leaf-su01-r", "LF")
    with pytest.raises(ReadError) as caught:
        verify(plan, DIGEST, found(text))
    assert caught.value.code in ("another-fabric", "no-host-known")
    lines = [f"gpu{node:02},node-su01-{node:03}" for node in range(1, 33)]
    lines += [f"lf{rail},leaf-su01-r{rail}" for rail in range(8)]
    names = read_name_map("found,plan\n" + "\n".join(lines), "map.csv")
    assert verify(plan, DIGEST, found(text), names).clean
    assert verify(plan, DIGEST, found(text), by_structure=True).clean


def test_guid_map_names_switches_that_nobody_named(plan: Plan) -> None:
    built = model(plan)
    text = dump(built, unnamed=True)
    rows = [f'0x{0xB8599F0300000000 + at:x} "{name}"' for at, name in enumerate(built.switches)]
    told = verify(plan, DIGEST, found(text), read_name_map("\n".join(rows), "map"))
    assert told.clean
    assert {item.code: item.param("count") for item in told.findings} == {"known-by-place": len(built.host)}


def test_an_export_of_the_plan_verifies_clean_and_speeds_of_a_simulator_are_not_judged(plan: Plan) -> None:
    net = ibsim_net.render(plan, "en")["compute.net"].decode()
    told = verify(plan, DIGEST, found(net))
    assert told.clean and [item.code for item in told.findings] == ["speeds-unknown"]
    built = model(plan)
    built.host_rate = built.trunk_rate = "4xSDR"
    assert [item.code for item in check(plan, built).findings] == ["speeds-simulated"]
    built.trunk_rate = "4xHDR"
    assert not check(plan, built).clean


def test_an_order_names_rack_unit_and_panel_label(plan: Plan) -> None:
    built = model(plan)
    # as in the field: two uplinks of one leaf exchanged between two spines
    rows = [at for at, link in enumerate(built.links) if link[0][0] == "leaf-su01-r0"]
    one, two = built.links[rows[0]], built.links[rows[-1]]
    built.links[rows[0]], built.links[rows[-1]] = (one[0], two[1]), (two[0], one[1])
    checked = check(plan, built)
    assert len(checked.orders) == 1 and checked.orders[0].kind == "swap"
    first, second = checked.orders[0].moves
    assert first.at.device == second.at.device == "leaf-su01-r0"
    assert first.at.rack and first.at.u and first.at.port.startswith("IB1/")
    (text,) = order_steps(checked.orders[0], "en")
    assert f"leaf-su01-r0 {first.at.port} ({first.at.rack} U{first.at.u}, port {first.at.number})" in text
    assert len(first.cables) == 1 and first.cables[0].startswith("C")
    assert not checked.orders[0].wrong_rail


def test_rails_exchanged_at_a_node_are_told(plan: Plan) -> None:
    built = model(plan)
    host = [at for at, link in enumerate(built.links) if link[0][0] == "node-su01-005"]
    one, two = built.links[host[0]], built.links[host[1]]
    built.links[host[0]], built.links[host[1]] = (one[0], two[1]), (two[0], one[1])
    (order,) = check(plan, built).orders
    assert order.wrong_rail and {move.at.device for move in order.moves} == {"node-su01-005"}


def test_degraded_missing_extra_absent(plan: Plan) -> None:
    built = model(plan)
    built.slow[frozenset(built.links[5])] = "4xHDR"
    built.slow[frozenset(built.links[6])] = "1xNDR"
    extra_host(built, random.Random(1))
    built.links = [link for link in built.links if link[0][0] != "node-su01-009"]
    lose(built, random.Random(4))
    checked = check(plan, built)
    kinds = [order.kind for order in checked.orders]
    assert sorted(kinds) == ["absent", "degraded", "degraded", "extra", "missing"]
    result = checked.fabrics[0]
    assert (result.degraded, result.missing, result.extra, result.wrong) == (2, 9, 1, 0)
    assert result.planned == result.matched + result.degraded + result.missing
    rates = {order.found_gbps for order in checked.orders if order.kind == "degraded"}
    assert rates == {200, 100}


def test_a_host_on_a_reserved_port_is_what_the_port_is_for(plan: Plan) -> None:
    built = model(plan, reserved=True)
    assert check(plan, built).clean
    first = next(low for low, _ in built.links if low[0].startswith("reserved"))
    built.host[first] = "ufm-1 mlx5_0"
    assert check(plan, built).clean


def test_a_host_of_another_name_is_one_cause(plan: Plan) -> None:
    built = model(plan)
    for end in list(built.host):
        if end[0] == "node-su01-011":
            built.host[end] = built.host[end].replace("node-su01-011", "gpu-old-7")
    checked = check(plan, built)
    assert [(order.kind, order.links) for order in checked.orders] == [("other-device", 8)]
    assert {move.to.device for move in checked.orders[0].moves} == {"node-su01-011"}
    assert check(plan, built, read_name_map("gpu-old-7,node-su01-011", "map.csv")).clean


def test_both_ends_of_a_cut_dump_are_refused(plan: Plan) -> None:
    text = dump(model(plan))
    for share in (0.3, 0.6, 0.9):
        with pytest.raises(ReadError) as caught:
            found(text[: int(len(text) * share)])
        assert caught.value.where.startswith("found.txt:")


BAD: list[tuple[str, Callable[[str], bytes], str]] = [
    ("empty", lambda text: b"", "empty-file"),
    ("blank", lambda text: b" \r\n\r\n", "empty-file"),
    ("binary", lambda text: b"PK\x03\x04\x00\x00" + text.encode(), "binary"),
    ("foreign text", lambda text: b"Dear customer,\nplease find\n", "unknown-discovery"),
    ("a plan", lambda text: b'{\n "schema": "fabricplan/plan/1"}', "not-a-discovery"),
    ("one long line", lambda text: b"x" * 30_000, "binary"),
    ("twice", lambda text: (text + text).encode(), "two-discoveries"),
    ("twice without dates", lambda text: (text + text).replace("# Topology", "#").encode(), "device-twice"),
    ("no link", lambda text: b'Switch\t65 "S-0000000000000001"\t\t# "a" base port 0 lid 1 lmc 0\n', "no-links"),
    ("garbage in the middle", lambda text: text.replace("[3]", "[3", 1).encode(), "syntax"),
]


@pytest.mark.parametrize(("make", "code"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_files(plan: Plan, make: Callable[[str], bytes], code: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_found(make(dump(model(plan))), "found.txt")
    assert caught.value.code == code
    assert caught.value.where.startswith("found.txt")


def test_windows_line_ends_and_code_pages(plan: Plan) -> None:
    text = dump(model(plan))
    for raw in (text.replace("\n", "\r\n").encode(), text.encode("utf-16"), b"\xef\xbb\xbf" + text.encode()):
        assert verify(plan, DIGEST, read_found(raw, "found.txt")).clean


def test_duplicate_names_are_refused_with_their_lines(plan: Plan) -> None:
    text = dump(model(plan)).replace("MF0;spine-02:", "MF0;spine-01:")
    with pytest.raises(ReadError) as caught:
        verify(plan, DIGEST, found(text))
    assert caught.value.code == "duplicate-name" and "line" in caught.value.message
    assert [item.code for item in survey(found(text)).findings] == ["duplicate-name"]


def test_another_fabric_is_refused(plan: Plan, plan_of: PlanOf) -> None:
    with pytest.raises(ReadError, match="0 of 160 switches"):
        verify(plan, DIGEST, read_found((DATA / "selene-storage.ibnetdiscover.txt").read_bytes(), "s"))
    roce = plan_of({"nodes": 16}, {"rate": 400, "technology": "roce"})
    with pytest.raises(RequirementError):
        verify(roce, DIGEST, found(dump(model(plan))))
    with pytest.raises(RequirementError, match="no fabric 'storage'"):
        verify(plan, DIGEST, found(dump(model(plan))), fabric="storage")


def test_planes_that_are_not_in_the_files_are_no_success(plan_of: PlanOf) -> None:
    planes = plan_of({"nodes": 32, "platform": "dgx-h100"}, {"rate": "ndr", "planes": 2})
    files = [(text, name) for name, text in ibsim_net.render(planes, "en").items()]
    assert len(files) == 2
    assert verify(planes, DIGEST, read_all(files)).clean
    one = verify(planes, DIGEST, read_found(*files[0]))
    assert not one.clean and "plane-not-found" in {item.code for item in one.findings}
    assert verify(planes, DIGEST, read_found(*files[0]), planes=[1]).clean


def lldp(plan: Plan, mac: bool = False) -> dict[str, object]:
    """Return what lldpctl prints on every switch; the ports of hosts by interface or by MAC."""
    from fabricplan.asbuilt.view import view

    seen: dict[str, list[dict[str, object]]] = {}
    planned = view(plan, 0)
    for end in range(2 * len(planned.rows)):
        near, far = planned.plug(end), planned.plug(end ^ 1)
        if near.kind == "switch":
            told = {"type": "mac", "value": f"02:00:00:00:{end >> 8:02x}:{end & 255:02x}"} if mac else {
                "type": "ifname", "value": far.port}  # fmt: skip
            bridge = [{"type": "Bridge", "enabled": far.kind == "switch"}]
            port = {"id": told, "descr": far.port if mac and far.kind == "switch" else ""}
            seen.setdefault(near.device, []).append({near.port: {
                "via": "LLDP", "chassis": {far.device: {"id": {"type": "mac", "value": "02:00:00:00:00:01"},
                                                        "capability": bridge}}, "port": port}})  # fmt: skip
    return {device: {"lldp": {"interface": rows}} for device, rows in seen.items()}


@pytest.mark.parametrize("mac", [False, True])
def test_ethernet_by_lldp(plan_of: PlanOf, mac: bool) -> None:
    roce = plan_of({"nodes": 32}, {"rate": 400, "technology": "roce"})
    tree = lldp(roce, mac)
    told = verify(roce, DIGEST, found(json.dumps(tree), "all.json"))
    assert told.clean
    assert {item.code for item in told.findings} == {"speeds-unknown"} | ({"adapters-indistinct"} if mac else set())
    files = [(json.dumps(item).encode(), f"{device}.json") for device, item in tree.items()]
    assert verify(roce, DIGEST, read_all(files)).clean
    # two hosts of a leaf exchanged; two rails of one host could not be told apart by their MAC addresses
    leaf = sorted(tree)[0]
    rows = tree[leaf]["lldp"]["interface"]  # type: ignore[index]
    (one, first), (two, second) = (next(iter(row.items())) for row in (rows[0], rows[4]))
    rows[0], rows[4] = {one: second}, {two: first}
    checked = verify(roce, DIGEST, found(json.dumps(tree), "all.json"))
    assert [order.kind for order in checked.orders] == ["swap"]


def test_net_dump_and_iblinkinfo_tell_the_same(plan: Plan) -> None:
    built = model(plan)
    swap(built, random.Random(2), "trunk")
    reference = check(plan, built)
    for text in (net_dump(built), iblinkinfo(built)):
        told = verify(plan, DIGEST, found(text))
        assert [order.model_dump() for order in told.orders] == [order.model_dump() for order in reference.orders]


def net_dump(built: Model) -> str:
    """Return the model as ibdiagnet writes it: switches only, GUIDs padded unevenly."""
    number = {name: at + 1 for at, name in enumerate(built.switches)}
    guid = {end: 0x1000 + at for at, end in enumerate(sorted(built.host))}
    lines = []
    for name, at in number.items():
        lines += [f'"MF0;{name}:MQM9700/U1", Quantum-2, 0x{at:016x}, LID {at}',
                  "# : IB# : Sta : PhysSta : MTU : LWA : LSA : FEC mode : Retran : Neighbor Guid : N# : NLID : "
                  "Neighbor Description"]  # fmt: skip
        for link in built.links:
            for near, far in (link, link[::-1]):
                if near[0] == name and far[0] in number:
                    lines.append(f"{near[1]} : {near[1]} : ACT : LINK UP : 5 : 4x : 100 : RS : NO-RTR : "
                                 f'0x{number[far[0]]:x} : {far[1]} : 1 : "MF0;{far[0]}:MQM9700/U1"')  # fmt: skip
                elif near[0] == name:
                    lines.append(f"{near[1]} : {near[1]} : ACT : LINK UP : 5 : 4x : NDR : RS : NO-RTR : "
                                 f'0x{guid[far]:016x} : 1 : 1 : "{built.host[far]}"')  # fmt: skip
        lines.append("")
    return "\n".join(lines)


def iblinkinfo(built: Model) -> str:
    """Return the model as iblinkinfo prints it."""
    lines = []

    def told(end: tuple[str, int]) -> tuple[str, int]:
        return (f"MF0;{end[0]}:MQM9700/U1", end[1]) if end[0] in built.switches else (built.host[end], 1)

    blocks: dict[str, list[tuple[int, str, int]]] = {}
    for link in built.links:
        for near, far in (link, link[::-1]):
            name, port = told(near)
            blocks.setdefault(name, []).append((port, *told(far)))
    for at, (name, rows) in enumerate(blocks.items(), start=1):
        lines.append(f"Switch: 0x{at:016x} {name}:" if name.startswith("MF0") else f"CA: {name}:")
        lines += [f'        {at}   {port}[  ] ==( 4X     106.25 Gbps Active/  LinkUp)==>     9   {far}[  ] "{to}" ( )'
                  for port, to, far in sorted(rows)]  # fmt: skip
        lines.append(f'        {at}   99[  ] ==(                Down/ Polling)==>             [  ] "" ( )')
    return "\n".join(lines)


def test_files_of_a_verification(plan: Plan) -> None:
    built = model(plan)
    swap(built, random.Random(3))
    checked = check(plan, built)
    again = check(plan, built)
    for lang in ("en", "zh"):
        written = verify_xlsx.render(checked, lang)["verify.xlsx"]
        assert written == verify_xlsx.render(again, lang)["verify.xlsx"]
        book = openpyxl.load_workbook(io.BytesIO(written))
        assert len(book.sheetnames) == 3
        rows = list(book.worksheets[1].iter_rows(values_only=True))
        assert len(rows) == 1 + len(checked.orders[0].moves)
        assert rows[1][5:9] == (checked.orders[0].moves[0].at.device, checked.orders[0].moves[0].at.rack,
                                checked.orders[0].moves[0].at.u, checked.orders[0].moves[0].at.port)  # fmt: skip
    tree = json.loads(verify_json.render(checked, "en")["verify.json"])
    assert tree["schema"] == "fabricplan/verification/1" and tree["plan_sha256"] == DIGEST
    assert tree["sources"][0]["sha256"] and tree["clean"] is False


def test_name_maps_that_are_wrong() -> None:
    with pytest.raises(ReadError, match="988 more lines are wrong"):
        read_name_map("not a map\n" * 1000, "map.csv")
    for text, code in (("", "map-empty"), ("a,b,c\n", "map-line"), ("a,b\nA,c\n", "map-twice")):
        with pytest.raises(ReadError) as caught:
            read_name_map(text, "map.csv")
        assert caught.value.code == code


def test_a_pod_without_hosts_stands_beside_the_others(plan_of: PlanOf) -> None:
    """Its leaves look as if they were two tiers above the cores; seen in a published dump of a large fabric."""
    planned = plan_of({"nodes": 128}, {"rate": "hdr", "nodes_per_unit": 16})
    built = model(planned)
    devices = planned.topology.devices
    pods = dict(zip(planned.device_names(), devices.pod.tolist(), strict=True))
    idle = {name for name in built.switches if pods[name] == max(pods.values())}
    assert idle
    built.links = [link for link in built.links if link[0][0] in built.switches or link[1][0] not in idle]
    (fabric,) = survey(found(dump(built))).fabrics
    tiers = devices.tier.tolist()
    assert [(row.tier, row.switches) for row in fabric.tier_rows] == [
        (word, tiers.count(rank)) for rank, word in ((1, "leaf"), (2, "spine"), (3, "core"))
    ]  # fmt: skip
    assert fabric.tiers == 3


@pytest.mark.parametrize("log", ["typed", "tabs"])
def test_logs_of_terminals_are_read(plan: Plan, log: str) -> None:
    """What was typed before and the prompt after are no part of the fabric; some programs lose the tabs."""
    text = dump(model(plan))
    if log == "tabs":
        text = text.replace("\t", "")
    noisy = f"=~=~=~= PuTTY log 2021.06.15 =~=~=~=\n[root@ufm ~]# ibnetdiscover\n{text}\n\rufm [ master ] (config) #"
    assert verify(plan, DIGEST, found(noisy)).clean
    lines = noisy.split("\n")
    with pytest.raises(ReadError, match="not a line of ibnetdiscover: 'what"):
        found("\n".join([*lines[:40], "what is this", *lines[40:]]))
    at = next(number for number, line in enumerate(lines) if line.startswith("Ca"))
    with pytest.raises(ReadError):
        found("\n".join(lines[: at + 1]) + "\n[1](0c42")


def test_the_same_family_is_no_other_model(plan: Plan) -> None:
    assert verify(plan, DIGEST, found(dump(model(plan)).replace(":MQM9700", ":MQM9701"))).clean


def test_planes_that_share_hosts_are_fabrics_of_their_own_by_lldp(plan_of: PlanOf) -> None:
    """LLDP tells hosts, not adapters: a host with a port on each plane does not join them."""
    roce = plan_of({"nodes": 32, "platform": "dgx-b300"}, {"technology": "roce", "rate": 400, "planes": 2})
    first, second = survey(found(json.dumps(lldp(roce)), "leaves.json")).fabrics
    assert (first.switches, first.hosts, first.even) == (second.switches, second.hosts, second.even)
    assert (first.switches, first.hosts) == (roce.fabrics[0].leaf_count // 2 + roce.fabrics[0].spine_count // 2, 32)
    assert first.even and not first.findings
