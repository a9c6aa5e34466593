"""Other people's programs read our exports: ibdmchk, OpenSM, Slurm, Graphviz, LibreOffice.

None of them knows our code. Where a program would accept anything, a test spoils the file first and wants a refusal.
ibtopodiff is not among them: release 1.5.7, the one that Debian has, ends with a buffer overflow on every comparison,
also of two hosts on one switch.
"""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fabricplan.asbuilt.guids import find_guids
from fabricplan.files import write
from fabricplan.plan import Plan
from fabricplan.readers.discovery import read_all
from fabricplan.readers.port_guids import read_port_guids
from fabricplan.renderers import render
from fabricplan.renderers.opensm_fill import fill
from tests.conftest import PlanOf
from tests.oracles.support.subnet import missing_programs
from tests.unit.exports import H100
from tests.unit.test_exports import tree_of

pytestmark = pytest.mark.oracle
PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
SUBNET = pytest.mark.skipif(bool(missing_programs()), reason=f"not installed: {', '.join(missing_programs())}")
SLURM = pytest.mark.skipif(not shutil.which("slurmctld", path=PATH), reason="slurmctld is not installed")
NDR64: tuple[dict[str, Any], dict[str, Any]] = ({"nodes": 64, **H100}, {"rate": "ndr"})
NDR31: tuple[dict[str, Any], dict[str, Any]] = ({"nodes": 31, **H100}, {"rate": "ndr", "reserve_ports": 4})


def run(command: list[str], folder: Path, **env: str) -> str:
    """Return what a program printed; its exit status is not judged."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300,
                          env={**os.environ, "PATH": PATH, **env})  # fmt: skip
    return done.stdout + done.stderr


def histogram(printed: str, title: str) -> dict[int, int]:
    body = printed.partition(title)[2].partition("\n-----")[0]
    return {int(left): int(right) for left, right in re.findall(r"^\s+(\d+)\s+(\d+)$", body, re.MULTILINE)}


def design_check(folder: Path, host: str) -> str:
    """Return ibdmchk's report of a topology file, before anything is built."""
    return run(["ibdmchk", "-t", "compute.topo", "-n", host, "-p", "1"], folder, IBDM_IBNL_PATH="ibnl")


@SUBNET
def test_ibdmchk_reads_the_planned_fabric(plan_of: PlanOf, tmp_path: Path) -> None:
    """64 nodes: 512 ports on 16 leaves of 32 and 8 spines; by hand: 31 peers of each port are on its leaf, 480 not;
    4 links a pair of leaf and spine, so each of 512 uplinks carries 480 x 32 / 32 / 32 = 15 far ports."""
    write(tmp_path, render(plan_of(*NDR64), "topo"))
    printed = design_check(tmp_path, "node-su01-001/mlx5_0")
    assert histogram(printed, "LFT ROUTE HOP HISTOGRAM") == {2: 512 * 31, 4: 512 * 480}
    assert histogram(printed, "NUM DLIDS HISTOGRAM") == {1: 512, 15: 512}
    assert "no credit loops found" in printed
    assert "-E-" not in printed


@SUBNET
@pytest.mark.parametrize(
    ("group", "fabric", "host", "ports"),
    [
        ({"nodes": 16}, {"rate": "hdr100"}, "node-su01-001/HCA-1", 128),
        ({"nodes": 128}, {"rate": "xdr"}, "node-su01-001/HCA-1", 1024),
        ({"nodes": 64}, {"rate": "hdr"}, "node-su01-001/HCA-1", 512),
    ],
    ids=["hdr100-split", "xdr", "hdr"],
)
def test_ibdmchk_reads_other_generations(
    plan_of: PlanOf, tmp_path: Path, group: dict[str, Any], fabric: dict[str, Any], host: str, ports: int
) -> None:
    plan = plan_of(group, fabric)
    write(tmp_path, render(plan, "topo"))
    first = next(name for name in plan.device_names() if name.startswith("node"))
    printed = design_check(tmp_path, f"{first}/{host.partition('/')[2]}")
    assert sum(histogram(printed, "LFT ROUTE HOP HISTOGRAM").values()) == ports * (ports - 1)
    assert "no credit loops found" in printed and "-E-" not in printed


@SUBNET
def test_ibdmchk_reads_a_director_by_its_modules(plan_of: PlanOf, tmp_path: Path) -> None:
    """CS7500, 648 ports on 36 leaf chips of 18 and 18 spine chips: 17 peers of each port are on its chip, 630 are not;
    each inner link up from a leaf chip carries 630 x 18 / 18 / 18 = 35 far ports, each link down one."""
    plan = plan_of({"nodes": 81}, {"rate": "edr", "leaf": "CS7500"})
    write(tmp_path, render(plan, "topo"))
    printed = design_check(tmp_path, "node-su01-001/HCA-1")
    assert histogram(printed, "LFT ROUTE HOP HISTOGRAM") == {2: 648 * 17, 4: 648 * 630}
    assert histogram(printed, "NUM DLIDS HISTOGRAM") == {1: 648, 35: 648}
    assert "no credit loops found" in printed and "-E-" not in printed


@SUBNET
def test_ibdmchk_refuses_a_spoiled_file(plan_of: PlanOf, tmp_path: Path) -> None:
    """A port that the system file does not have: the judge above does not accept anything."""
    write(tmp_path, render(plan_of(*NDR64), "topo"))
    topo = tmp_path / "compute.topo"
    topo.write_text(topo.read_text().replace("   P1 -> ", "   P65 -> ", 1))
    assert "-E-" in design_check(tmp_path, "node-su01-001/mlx5_0")


SIMULATION = """
ibsim -n -s -N 20000 -S 4000 -P 400000 net >ibsim.log 2>&1 </dev/null &
simulator=$!
tries=0
until grep -q "@$IBSIM_SOCKNAME:ctl" /proc/net/unix; do
  tries=$((tries + 1)); [ $tries -gt 100 ] && exit 9; sleep 0.1
done
"$@" >printed.txt 2>printed.err
kill $simulator
wait $simulator 2>/dev/null
"""


def simulated(folder: Path, host: str, *command: str) -> str:
    """Return what a program prints on the simulated fabric in ``net``; the shell ends the simulator."""
    shell = ["sh", "-c", SIMULATION, "sh", "ibsim-run", *command]
    if subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode == 0:
        shell = ["unshare", "-n", *shell]
    run(shell, folder, SIM_HOST=host, OSM_TMP_DIR=str(folder), OSM_CACHE_DIR=str(folder),
        IBSIM_SOCKNAME=f"exports-{os.getpid()}")  # fmt: skip
    return (folder / "printed.txt").read_text(errors="replace")


def write_net(plan: Plan, folder: Path) -> str:
    """Write the fabric for the simulator; return the host that the subnet manager runs on."""
    text = render(plan, "ibsim")["compute.net"].decode()
    (folder / "net").write_text(text)
    return text.split('"', 2)[1]


@SUBNET
def test_filled_lists_are_accepted_by_opensm(plan_of: PlanOf, tmp_path: Path) -> None:
    """ibnetdiscover of the simulated fabric fills the templates; OpenSM routes with roots, compute and I/O lists."""
    plan = plan_of(*NDR31)
    host = write_net(plan, tmp_path)
    printed = simulated(tmp_path, host, "ibnetdiscover").encode()
    guids = find_guids(plan, read_all([(printed, "found")]), read_port_guids(printed, "found"))
    filled, missing = fill(plan, guids)
    assert not missing
    files = {name.rpartition("/")[2]: data for name, data in filled.items()}
    write(tmp_path, files)
    for name, count in (("root_guid_file", plan.fabrics[0].spine_count), ("cn_guid_file", 248), ("io_guid_file", 4)):
        numbers = files[name].decode().split()
        assert len(set(numbers)) == len(numbers) == count
        assert all(re.fullmatch(r"0x[0-9a-f]{16}", number) for number in numbers)
    simulated(tmp_path, host, "opensm", "-o", "-f", "osm.log", "-R", "ftree", "-D", "0x43", "-s", "0", "-a",
              "root_guid_file", "-u", "cn_guid_file", "-G", "io_guid_file", "-P", "partitions.conf")  # fmt: skip
    log = (tmp_path / "osm.log").read_text(errors="replace")
    assert "ftree tables configured on all switches" in log and "SUBNET UP" in log
    assert not re.search(r"ERR (?!5411|0F)", log), re.findall(r".*ERR.*", log)[:4]
    order = [line for line in (tmp_path / "opensm-ftree-ca-order.dump").read_text().splitlines() if "DUMMY" not in line]
    assert len(order) == 248
    switches = re.findall(r'^(0x[0-9a-f]+) "(.*)"$', files["node-name-map"].decode(), re.MULTILINE)
    told = dict(re.findall(r'^Switch\s+\d+ "S-([0-9a-f]+)"\s+# "([^"]*)"', printed.decode(), re.MULTILINE))
    names = {guid[2:]: name for guid, name in switches}
    assert told and all(names[guid] == name for guid, name in told.items())


@contextmanager
def slurm(folder: Path, nodes: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run slurmctld on the files of a folder; it is ended by its process id."""
    lines = [
        "ClusterName=t", "SlurmctldHost=localhost", "SlurmUser=root", "AuthType=auth/none", "CredType=cred/none",
        f"StateSaveLocation={folder}/state", "SlurmctldPort=17817", "SlurmdPort=17818", "ProctrackType=proctrack/pgid",
        "TopologyPlugin=topology/tree", "SelectType=select/cons_tres", f"SlurmctldPidFile={folder}/slurmctld.pid",
        *(f"NodeName={name} NodeAddr=127.0.0.1 Port={20001 + number} CPUs=8 State=UNKNOWN"
          for number, name in enumerate(nodes)),
        "PartitionName=p Nodes=ALL Default=YES",
    ]  # fmt: skip
    (folder / "state").mkdir(exist_ok=True)
    (folder / "slurm.conf").write_text("\n".join(lines) + "\n")
    with (folder / "slurmctld.log").open("w") as log:
        env = {**os.environ, "PATH": PATH, "SLURM_CONF": str(folder / "slurm.conf")}
        process = subprocess.Popen(["slurmctld", "-D", "-vv"], cwd=folder, stdout=log, stderr=log, env=env)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def accepted_tree(folder: Path) -> str:
    """Return what ``scontrol show topology`` prints, once the controller answers."""
    printed = ""
    for _ in range(40):
        printed = run(["scontrol", "show", "topology"], folder, SLURM_CONF=str(folder / "slurm.conf"))
        if "SwitchName=" in printed:
            break
        time.sleep(0.5)
    return printed


@SLURM
@pytest.mark.parametrize(
    ("group", "fabric"),
    [NDR64, ({"nodes": 1200, "ports": 1}, {"rate": "edr"}), ({"nodes": 20, "ports": 1}, {"rate": "hdr"})],
    ids=["rail", "pods", "one-switch"],
)
def test_slurm_accepts_the_tree(plan_of: PlanOf, tmp_path: Path, group: dict[str, Any], fabric: dict[str, Any]) -> None:
    text = render(plan_of(group, fabric), "slurm")["topology.conf"].decode()
    (tmp_path / "topology.conf").write_text(text)
    nodes, switches = tree_of(text)
    with slurm(tmp_path, [name for listed in nodes.values() for name in listed]):
        printed = accepted_tree(tmp_path)
    log = (tmp_path / "slurmctld.log").read_text(errors="replace")
    shown = {
        match[1]: (int(match[2]), match[3], match[4])
        for match in re.finditer(r"^SwitchName=(\S+) Level=(\d+) .*?Nodes=(\S+)(?: Switches=(\S+))?", printed, re.M)
    }
    assert set(shown) == {*nodes, *switches}, (printed[-500:], log[-800:])
    for name, listed in nodes.items():
        assert shown[name][0] == 0
        assert hostnames(tmp_path, shown[name][1]) == listed
    for name, listed in switches.items():
        assert sorted(hostnames(tmp_path, shown[name][2])) == sorted(listed)
    assert not re.findall(r".*(?:error|WARNING).*(?:switch|topology).*", log, re.IGNORECASE)


@SLURM
def test_slurm_refuses_a_spoiled_tree(plan_of: PlanOf, tmp_path: Path) -> None:
    """A root that names a switch that there is none of: slurmctld ends, it does not run with half a tree (F7)."""
    text = render(plan_of(*NDR64), "slurm")["topology.conf"].decode()
    (tmp_path / "topology.conf").write_text(text.replace("Switches=leaf-su[01-02]", "Switches=leaf-su[01-03]"))
    nodes, _ = tree_of(text)
    with slurm(tmp_path, [name for listed in nodes.values() for name in listed]) as process:
        process.wait(30)
    assert "fatal" in (tmp_path / "slurmctld.log").read_text(errors="replace")


def hostnames(folder: Path, listed: str) -> list[str]:
    """Return the names of a host list as Slurm expands it."""
    return run(["scontrol", "show", "hostnames", listed], folder, SLURM_CONF=str(folder / "slurm.conf")).split()


@pytest.mark.skipif(not shutil.which("gvpr"), reason="Graphviz is not installed")
def test_graphviz_reads_the_ptm_graph(plan_of: PlanOf, tmp_path: Path) -> None:
    """PTM reads DOT by Graphviz' own grammar; ``gvpr`` counts what it sees."""
    plan = plan_of({"nodes": 64}, {"technology": "roce", "rate": 400})
    write(tmp_path, render(plan, "ptm"))
    program = 'BEGIN{int e=0} E{e++; print(tail.name, " ", headport, " ", head.name)} END{print("edges ", e)}'
    printed = run(["gvpr", program, "ptm/topology.dot"], tmp_path)
    assert f"edges {len(plan.topology.links)}" in printed
    assert "leaf-su01" in printed and "swp" in printed


@pytest.mark.skipif(shutil.which("soffice") is None, reason="soffice (LibreOffice Calc) is not installed")
def test_libreoffice_opens_the_cvt_workbook(plan_of: PlanOf, tmp_path: Path) -> None:
    plan = plan_of(*NDR64)
    write(tmp_path, render(plan, "cvt"))
    every_sheet = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"
    run(["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to", every_sheet,
         "compute-cvt.xlsx"], tmp_path)  # fmt: skip
    sheets = {path.stem.partition("-cvt-")[2]: list(csv.reader(io.StringIO(path.read_text("utf-8"))))
              for path in tmp_path.glob("*.csv")}  # fmt: skip
    assert set(sheets) == {"Nodes", "DC Floor Layout", "Links", "Server Profile"}
    assert len(sheets["Links"]) == len(plan.topology.links) + 1
    assert len(sheets["Nodes"]) == len(plan.topology.devices) + 1
    assert sheets["Links"][1][:4] == ["ib", "node-su01-001", "ibp220s0", "MMA4Z00-NS-FLT"]
