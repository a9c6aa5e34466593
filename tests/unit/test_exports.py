"""Exports for subnet tools and schedulers, read back to the topology that was planned."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from typing import Any

import pytest
import yaml

from fabricplan.catalog import Catalog
from fabricplan.cli.outcome import asked_formats
from fabricplan.errors import RenderError
from fabricplan.pipeline import design
from fabricplan.plan import dumps, loads
from fabricplan.renderers import FORMATS, ON_DEMAND, render
from fabricplan.requirement import parse_requirement
from fabricplan.topology import HOST, LEAF, NODE, NODE_LEAF
from tests.conftest import PlanOf
from tests.unit.exports import H100, H100_ADAPTERS, Link, guide, joined, planned

CARDS = tuple(f"HCA-{number}" for number in range(1, 9))
SHAPES = [
    ({"nodes": 31, **H100}, {"rate": "ndr", "reserve_ports": 4}, H100_ADAPTERS),
    ({"nodes": 9, **H100}, {"rate": "ndr"}, H100_ADAPTERS),
    ({"nodes": 16}, {"rate": "hdr100"}, CARDS),
    ({"nodes": 128}, {"rate": "hdr"}, CARDS),
    ({"nodes": 128}, {"rate": "xdr"}, CARDS),
]
PODS: tuple[dict[str, Any], dict[str, Any]] = ({"nodes": 1200, "ports": 1}, {"rate": "edr"})
"""Three tiers whose pods hold whole units."""
IDS = ["ndr-reserved", "one-leaf", "hdr100-split", "hdr-three-tiers", "xdr"]


@pytest.mark.parametrize(("group", "fabric", "adapters"), SHAPES, ids=IDS)
def test_ibsim_tells_every_cable_from_both_ends(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], adapters: tuple[str, ...]
) -> None:
    """What a simulator discovers only in part is not symmetric or not connected (field case E11)."""
    plan = plan_of(group, fabric)
    told: Counter[Link] = Counter()
    for record in render(plan, "ibsim")["compute.net"].decode().strip().split("\n\n"):
        head, *rows = record.splitlines()
        match = re.fullmatch(r'(Hca|Switch)\t(\d+) "([^"]+)"', head)
        assert match, head
        for row in rows:
            port = re.fullmatch(r'\[(\d+)\]\t"([^"]+)"\[(\d+)\]', row)
            assert port and int(port[1]) <= int(match[2]), row
            told[frozenset({_end(match[3], port[1]), _end(port[2], port[3])})] += 1
    assert set(told) == planned(plan, adapters) and set(told.values()) == {2}
    assert joined(told)


def _end(name: str, port: str) -> tuple[str, str]:
    device, _, adapter = name.partition(" ")
    assert not adapter or port == "1"
    return device, adapter or port


def from_topo(text: str) -> tuple[list[tuple[str, str, Link]], dict[str, str]]:
    """Return (system, far system, link) of every line, and the type of every system with a section."""
    found, kinds = [], {}
    for section in text.strip().split("\n\n"):
        head, *rows = section.splitlines()
        kind, name = head.split()
        kinds[name] = kind
        for row in rows:
            match = re.fullmatch(r"   P(\d+) -> (\S+) (\S+) (\S+)", row)
            assert match, row
            port, far_kind, far, far_port = match.groups()
            kinds.setdefault(far, far_kind)
            assert kinds[far] == far_kind
            end = far_port.removeprefix("P") if far_port.startswith("P") else far_port.removesuffix("/P1")
            found.append((name, far, frozenset({(name, port), (far, end)})))
    return found, kinds


@pytest.mark.parametrize(("group", "fabric", "adapters"), SHAPES, ids=IDS)
def test_topo_reads_back(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], adapters: tuple[str, ...]
) -> None:
    plan = plan_of(group, fabric)
    files = render(plan, "topo")
    lines, kinds = from_topo(files["compute.topo"].decode())
    links = {link for _, _, link in lines}
    assert links == planned(plan, adapters)
    assert joined(links)
    switches = {name for name, _, _ in lines}
    told = Counter(link for _, _, link in lines)
    for name, far, link in lines:
        assert told[link] == (2 if far in switches else 1), (name, far)
    for kind in set(kinds.values()):
        system = files[f"ibnl/{kind}.ibnl"].decode()
        assert system.startswith(f"TOPSYSTEM {kind}\n")
        ports = set(re.findall(r"-> (\S+)", system))
        used = {port if port.startswith(("mlx", "HCA")) else f"P{port}"
                for link in links for device, port in link if kinds[device] == kind}  # fmt: skip
        assert {f"{port}/P1" if not port.startswith("P") else port for port in used} <= ports


def test_topo_of_rail_planes_is_a_file_a_plane(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, **H100}, {"rate": "ndr", "planes": "rail"})
    files = render(plan, "topo")
    assert [name for name in files if name.endswith(".topo")] == [f"compute-p{plane}.topo" for plane in range(1, 9)]
    for plane in (1, 8):
        lines, _ = from_topo(files[f"compute-p{plane}.topo"].decode())
        assert {link for _, _, link in lines} == planned(plan, H100_ADAPTERS, plane)


@pytest.mark.parametrize(("group", "fabric", "adapters"), SHAPES, ids=IDS)
def test_opensm_lists_hold_every_name_once(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], adapters: tuple[str, ...]
) -> None:
    plan = plan_of(group, fabric)
    files = {name.rsplit("/", 1)[1]: text.decode() for name, text in render(plan, "opensm").items()}
    ends = {end for link in planned(plan, adapters) for end in link if not end[1].isdigit()}
    switches = {device for link in planned(plan, adapters) for device, port in link if port.isdigit()}
    nodes = [f"{device} {adapter}" for device, adapter in ends]
    compute = re.findall(r"\$\{port:(.*)\}", files["cn_guid_file.template"])
    others = re.findall(r"\$\{port:(.*)\}", files.get("io_guid_file.template", ""))
    assert sorted(compute + others) == sorted(nodes)
    assert sorted(others) == [name for name in sorted(nodes) if name.startswith("reserved-")]
    named = re.findall(r"^\$\{(?:switch|node):(.*)\} \"(.*)\"$", files["node-name-map.template"], re.MULTILINE)
    assert sorted(given for given, _ in named) == sorted([*nodes, *switches])
    assert all(given == shown for given, shown in named)
    roots = re.findall(r"\$\{switch:(.*)\}", files["root_guid_file.template"])
    top = max(plan.topology.devices.tier.tolist())
    assert sorted(roots) == sorted(
        name for name, tier in zip(plan.device_names(), plan.topology.devices.tier.tolist(), strict=True) if tier == top
    )
    assert ("routing_engine ftree" in files["opensm.conf"]) == (top > LEAF)
    assert "\nlmc 0\n" in files["opensm.conf"]  # several addresses a port are no fat tree to ftree
    assert ("io_guid_file /" in files["opensm.conf"]) == bool(others)


def label_number(numbering: str, label: str) -> str:
    """Return the InfiniBand port number of a label that the table shows, worked out from the maker's rule."""
    if numbering == "xdr":
        cage, port = re.fullmatch(r"sw(\d+)p(\d)", label).groups()  # type: ignore[union-attr]
        return str(2 * (int(cage) - 1) + int(port))
    steps = [int(step) for step in label.split("/")]
    if numbering == "ndr":
        return str(2 * (steps[1] - 1) + steps[2])
    if numbering == "hdr-split":
        return str(2 * (steps[0] - 1) + (steps[1] if len(steps) > 1 else 1))
    return str(steps[0])


@pytest.mark.parametrize(
    ("shape", "numbering"), [(0, "ndr"), (1, "ndr"), (2, "hdr-split"), (3, "hdr"), (4, "xdr")],
    ids=IDS,
)  # fmt: skip
def test_ndt_reads_back(plan_of: PlanOf, shape: int, numbering: str) -> None:
    group, fabric, adapters = SHAPES[shape]
    plan = plan_of(group, fabric)
    raw = render(plan, "ndt")["compute-ndt.csv"]
    assert b"\r" not in raw and not raw.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(raw.decode())))
    found: set[Link] = set()
    for row in rows:
        start = row["#Fields:StartDevice"]
        near = (start, label_number(numbering, row["StartPort"].removeprefix("Port ")))
        device, _, adapter = row["EndDevice"].partition(" ")
        # only leaves are split: a spine's label is its port number
        upper = "hdr" if numbering == "hdr-split" else numbering
        far = (device, adapter or label_number(upper, row["EndPort"].removeprefix("Port ")))
        assert not adapter or row["EndPort"] == "Port 1"
        found.add(frozenset({near, far}))
        assert (row["State"], row["Domain"], row["LinkType"]) == ("Active", "In-Scope", "Data")
    assert len(found) == len(rows)
    assert found == planned(plan, adapters)
    assert {row["Speed"] for row in rows} <= {"100000", "200000", "400000", "800000"}


def tree_of(text: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return switch -> nodes and switch -> switches of a topology.conf."""
    nodes: dict[str, list[str]] = {}
    switches: dict[str, list[str]] = {}
    for line in text.splitlines():
        match = re.fullmatch(r"SwitchName=(\S+) (Nodes|Switches)=(\S+)", line)
        assert match, line
        (nodes if match[2] == "Nodes" else switches)[match[1]] = expanded(match[3])
    return nodes, switches


def expanded(listed: str) -> list[str]:
    """Return the names of a host list."""
    found = []
    for part in re.findall(r"[^,\[]+(?:\[[^\]]*\])?", listed):
        match = re.fullmatch(r"([^\[]*)\[(.*)\]", part)
        if not match:
            found.append(part)
            continue
        for span in match[2].split(","):
            low, _, high = span.partition("-")
            found += [f"{match[1]}{number:0{len(low)}}" for number in range(int(low), int(high or low) + 1)]
    return found


@pytest.mark.parametrize(
    ("group", "fabric"),
    [
        *((group, fabric) for group, fabric, _ in SHAPES), ({"nodes": 72, "ports": 1}, {"rate": "edr"}),
        ({"nodes": 64, **H100}, {"rate": "ndr", "planes": "rail"}),
        ({"nodes": 40, "ports": 2}, {"rate": "hdr", "attach": "spread"}),
    ],
)  # fmt: skip
def test_slurm_tree_has_every_node_once_and_one_root(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any]
) -> None:
    plan = plan_of(group, fabric)
    files = render(plan, "slurm")
    assert list(files) == ["topology.conf"]
    nodes, switches = tree_of(files["topology.conf"].decode())
    placed = [name for listed in nodes.values() for name in listed]
    devices = plan.topology.devices
    assert sorted(placed) == sorted(
        name for name, kind in zip(plan.device_names(), devices.kind.tolist(), strict=True) if kind == NODE
    )
    below = [name for listed in switches.values() for name in listed]
    assert len(set(below)) == len(below)
    roots = (set(nodes) | set(switches)) - set(below)
    assert len(roots) == 1
    assert set(below) <= set(nodes) | set(switches)
    # nodes of one switch of the tree meet on the same leaves, others do not
    names = plan.device_names()
    leaves: dict[str, set[int]] = {}
    for _, role, lower, _, upper, _ in plan.topology.links.rows():
        if role == NODE_LEAF and devices.kind[lower] == NODE:
            leaves.setdefault(names[lower], set()).add(upper)
    by_name = {name: frozenset(met) for name, met in leaves.items()}
    for listed in nodes.values():
        assert len({by_name[name] for name in listed}) == 1
    assert len(set(by_name.values())) == len(nodes)


def test_slurm_pods_stand_between(plan_of: PlanOf) -> None:
    plan = plan_of(*PODS)
    nodes, switches = tree_of(render(plan, "slurm")["topology.conf"].decode())
    assert len(nodes) == plan.fabrics[0].leaf_count
    names, devices = plan.device_names(), plan.topology.devices
    pod_of = {names[row]: int(devices.pod[row]) for row in range(len(devices)) if devices.tier[row] == LEAF}
    pods = {name: listed for name, listed in switches.items() if name.startswith("pod")}
    assert len(switches) == len(pods) + 1 and len(pods) == plan.fabrics[0].shape.pod_count
    for name, listed in pods.items():
        met = {pod_of[leaf] for leaf in listed}
        assert met == {int(name.removeprefix("pod"))}
    assert set(switches["compute"]) == set(pods)


def test_slurm_counts_only_the_compute_fabric(plan_of: PlanOf, catalog: Catalog) -> None:
    """A storage leaf that joins all nodes does not make them neighbours (field case F5)."""
    both = design(parse_requirement({
        "groups": [{"name": "node", "nodes": 64, **H100}],
        "fabrics": [{"rate": "ndr"}, {"name": "storage", "network": "storage", "rate": "ndr", "planes": 1}],
    }), catalog)  # fmt: skip
    assert [sizing.name for sizing in both.fabrics] == ["compute", "storage"]
    alone = plan_of({"nodes": 64, **H100}, {"rate": "ndr"})
    assert render(both, "slurm") == render(alone, "slurm")


def test_slurm_blocks_are_nvlink_racks(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 144, "platform": "dgx-gb200-nvl72"}, {"rate": "ndr"})
    files = render(plan, "slurm")
    tree, blocks = yaml.safe_load(files["topology.yaml"])[1], yaml.safe_load(files["topology.yaml"])[0]
    assert blocks["block"]["block_sizes"] == [18, 36, 72, 144]
    racks = plan.placement.rack_names()
    rack_of = dict(zip(plan.device_names(), (racks[at] for at in plan.placement.places.rack.tolist()), strict=True))
    listed = [expanded(block["nodes"]) for block in blocks["block"]["blocks"]]
    assert [len(members) for members in listed] == [18] * 8
    assert all(len({rack_of[name] for name in members}) == 1 for members in listed)
    nodes, switches = tree_of(files["topology.conf"].decode())
    again = {row["switch"]: expanded(row.get("nodes") or row["children"]) for row in tree["tree"]["switches"]}
    assert again == {**nodes, **switches}
    assert (tree["cluster_default"], blocks["cluster_default"]) == (False, True)


def test_kubernetes_labels_are_the_same_tree(plan_of: PlanOf) -> None:
    plan = plan_of(*PODS)
    documents = list(yaml.safe_load_all(render(plan, "kubernetes")["node-labels.yaml"]))
    nodes, switches = tree_of(render(plan, "slurm")["topology.conf"].decode())
    above = {name: switch for switch, listed in {**nodes, **switches}.items() for name in listed}
    assert len(documents) == 1200
    for document in documents:
        name, labels = document["metadata"]["name"], document["metadata"]["labels"]
        assert labels["fabric.topograph.run/tier-0"] == labels["network.topology.nvidia.com/leaf"] == above[name]
        leaf = above[name]
        assert labels["fabric.topograph.run/tier-1"] == labels["network.topology.nvidia.com/spine"] == above[leaf]
        assert labels["network.topology.nvidia.com/core"] == above[above[leaf]] == "compute"
        assert not any("accelerator" in key for key in labels)


def test_kubernetes_knows_nvlink_racks(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 36, "platform": "dgx-gb200-nvl72"}, {"rate": "ndr"})
    documents = list(yaml.safe_load_all(render(plan, "kubernetes")["node-labels.yaml"]))
    domains = Counter(document["metadata"]["labels"]["accelerator.topograph.run/domain"] for document in documents)
    assert domains == {"nvl-001": 18, "nvl-002": 18}


@pytest.mark.parametrize("name", ["topo", "opensm", "ndt", "ibsim"])
def test_infiniband_formats_refuse_an_ethernet_plan(plan_of: PlanOf, name: str) -> None:
    plan = plan_of({"nodes": 32}, {"technology": "roce", "rate": 400})
    with pytest.raises(RenderError) as caught:
        render(plan, name)
    assert caught.value.problems[0].code in ("no-infiniband", "does-not-fit")


@pytest.mark.parametrize("name", ["slurm", "kubernetes"])
def test_scheduler_formats_refuse_a_plan_without_compute_fabric(plan_of: PlanOf, name: str) -> None:
    plan = plan_of({"nodes": 32, "ports": 2}, {"name": "storage", "network": "storage", "rate": "hdr"})
    with pytest.raises(RenderError) as caught:
        render(plan, name)
    assert caught.value.problems[0].code == "no-compute-fabric"


def test_formats_on_demand_are_not_written_unasked() -> None:
    assert not set(FORMATS) & set(ON_DEMAND)
    assert asked_formats(None) == list(FORMATS)


def test_the_guide_lists_formats_that_there_are() -> None:
    assert len(guide()) == len(set(guide())) == 12
    assert set(guide()) <= set(ON_DEMAND)


def test_the_same_plan_gives_the_same_bytes(plan_of: PlanOf) -> None:
    one = plan_of({"nodes": 31, **H100}, {"rate": "ndr", "reserve_ports": 4})
    other = loads(dumps(one))
    for name in ("topo", "opensm", "ndt", "slurm", "kubernetes"):
        assert render(one, name) == render(other, name)
    assert HOST in one.topology.devices.kind.tolist()


def test_opensm_options_warn_of_an_old_manager_from_ndr_on(plan_of: PlanOf) -> None:
    """An NDR fabric half works with a distribution's OpenSM (field case E10)."""
    new = render(plan_of({"nodes": 32, **H100}, {"rate": "ndr"}), "opensm")["opensm/compute/opensm.conf"]
    old = render(plan_of({"nodes": 32}, {"rate": "hdr"}), "opensm")["opensm/compute/opensm.conf"]
    assert new.startswith(b"# NDR") and b"#" not in old
