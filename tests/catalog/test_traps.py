"""What makes a bill of such parts wrong in practice: each trap has a pair or a design that trips its rule."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabricplan.catalog import CableType, Catalog, SwitchType, TransceiverType
from fabricplan.errors import InfeasibleError
from fabricplan.files import load_catalog
from fabricplan.mates import MateReport, join
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.products import identify
from fabricplan.requirement import parse_requirement
from fabricplan.values import Finding
from fabricplan.wording import describe, text
from tests.conftest import request
from tests.unit.test_checks import checked, put, swapped

PlanOf = Callable[..., Plan]


def mates(catalog: Catalog, one: str, other: str, metres: float | None = None) -> MateReport:
    length = None if metres is None else round(metres * 1000)
    return join(catalog, identify(catalog, one, "A"), identify(catalog, other, "B"), length)


def told(report: MateReport) -> str:
    """Return why a pair does not join; it does not."""
    assert not report.fits and not any(mate.options for mate in report.mates)
    return "; ".join(report.reasons)


def words(findings: tuple[Finding, ...], code: str, severity: str) -> str:
    found = [item for item in findings if item.code == code]
    assert found and {item.severity for item in found} == {severity}, [item.code for item in findings]
    return "\n".join(text(item) for item in found)


# --- pairs


def test_finned_against_flat_top(catalog: Catalog) -> None:
    assert "MMA4Z00-NS is finned-top, osfp-100g-flat takes flat-top" in told(
        mates(catalog, "MCX75310AAS-NEAT", "MMA4Z00-NS"))  # fmt: skip
    assert "MMA4Z00-NS is finned-top" in told(mates(catalog, "dgx-h100", "MMA4Z00-NS"))
    assert "MMA4Z00-NS-FLT is flat-top, osfp-twin-100g-finned takes finned-top" in told(
        mates(catalog, "QM9700", "MMA4Z00-NS-FLT"))  # fmt: skip
    assert mates(catalog, "QM9700", "MMA4Z00-NS").fits and mates(catalog, "MCX75310AAS-NEAT", "MMA4Z00-NS400").fits


def test_finned_against_flat_top_in_a_plan(plan_of: PlanOf, catalog: Catalog) -> None:
    plan = plan_of({"nodes": 8}, {"rate": "ndr"})
    finned = catalog.transceiver("MMA4Z00-NS400").model_copy(update={"top": "finned"})
    findings = checked(plan, swapped(catalog, "transceivers", "MMA4Z00-NS400", finned))
    assert "MMA4Z00-NS400" in words(findings, "top-mismatch", "error")


def test_apc_against_upc(catalog: Catalog) -> None:
    assert "APC and UPC ends never mate" in told(mates(catalog, "MMA4Z00-NS", "om4-mpo12-upc"))
    assert "APC and UPC ends never mate" in told(mates(catalog, "MFP7E10-N030", "MMA1T00-HS"))
    assert mates(catalog, "MMA1T00-HS", "om4-mpo12-upc").fits


def test_multimode_against_singlemode(catalog: Catalog) -> None:
    assert "MMA4Z00-NS is multimode, MFP7E30 is singlemode" in told(mates(catalog, "MMA4Z00-NS", "MFP7E30-N030"))
    assert "is multimode" in told(mates(catalog, "MMA4Z00-NS", "MMS4X00-NM"))


def test_a_twin_module_with_mixed_fibres(plan_of: PlanOf, catalog: Catalog) -> None:
    plan = plan_of({"nodes": 8}, {"rate": "ndr"})
    cables, parts = plan.cabling.cables, plan.cabling.cable_parts
    other = parts[0].model_copy(update={"family": "mfp7e30"})
    cabling = plan.cabling.model_copy(update={
        "cable_parts": (*parts, other), "cables": put(cables, "part", 0, len(parts)),
    })  # fmt: skip
    told = words(checked(plan, catalog, cabling=cabling), "fibres-mixed", "error")
    assert "mfp7e10" in told and "mfp7e30" in told


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("MMA1T00-HS", "MMA4Z00-NS400", "sends 50G a lane, MMA4Z00-NS400 100G; no module steps down"),
        ("980-9IAH1-00XM00", "MMS4X00-NS400", "MMS4A00 sends 200G a lane, MMS4X00-NS400 100G"),
        ("QM9700", "980-9IAH1-00XM00", "runs 8 x 200G lanes, osfp-twin-100g-finned has 8 x 100G"),
        ("Q3400-RA", "MMS4X00-NM", "no page that qualifies it in osfp-twin-200g-finned was read"),
        ("SB7800", "MFS1S00-H010V", "runs 50G lanes, qsfp28 25G"),
        ("QM8700", "QM9700", ""),
    ],
)
def test_lanes_of_50_100_and_200g(catalog: Catalog, one: str, other: str, reason: str) -> None:
    report = mates(catalog, one, other)
    if reason:
        assert reason in told(report)
    else:  # only the named assemblies bridge 50G and 100G lanes
        assert {option.medium for mate in report.mates for option in mate.options} == {"aoc", "dac"}


def test_a_single_port_module_in_a_twin_cage(catalog: Catalog) -> None:
    assert "has one port and 4 lanes, osfp-twin-100g-finned is a twin-port cage" in told(
        mates(catalog, "QM9700", "MMA4Z00-NS400"))  # fmt: skip
    assert "twin-port cage" in told(mates(catalog, "dgx-h100", "MMS4X00-NS400"))


def test_bluefield_3_with_osfp(catalog: Catalog) -> None:
    assert "MMA4Z00-NS400 is OSFP, qsfp112 takes QSFP112" in told(mates(catalog, "900-9D3B6-00CN-AB0", "MMA4Z00-NS400"))
    assert mates(catalog, "900-9D3B6-00CN-AB0", "MMA1Z00-NS400").fits
    offered = mates(catalog, "QM9700", "900-9D3B6-00CN-AB0", 2)
    tails = [part.key for mate in offered.mates for option in mate.options for part in option.parts]
    forms = {catalog.transceiver(key).form for key in tails if catalog.has("transceivers", key)}
    assert "mcp7y00" not in tails and "qsfp112" in forms


def test_parts_ending_in_t_on_infiniband(catalog: Catalog) -> None:
    for pn in ("MMA4Z00-NS-T", "MMS4X00-NM-T"):
        assert f"{pn} is for ethernet only, not for infiniband" in told(mates(catalog, "QM9700", pn))
        assert mates(catalog, "SN5600", pn).fits


def test_parts_ending_in_t_on_infiniband_in_a_plan(plan_of: PlanOf, catalog: Catalog) -> None:
    plan = plan_of({"nodes": 8}, {"rate": "ndr"})
    modules = tuple("MMA4Z00-NS-T" if key == "MMA4Z00-NS" else key for key in plan.cabling.transceiver_parts)
    cabling = plan.cabling.model_copy(update={"transceiver_parts": modules})
    assert "MMA4Z00-NS-T" in words(checked(plan, catalog, cabling=cabling), "part-technology", "error")


def test_reach_exceeded(catalog: Catalog, plan_of: PlanOf) -> None:
    assert "nothing reaches 120 m; the longest reaches 100 m" in told(
        mates(catalog, "osfp-twin-100g-finned", "osfp-100g-flat", 120))  # fmt: skip
    with pytest.raises(InfeasibleError, match="need up to 120"):
        plan_of({"nodes": 8}, {"rate": "ndr"}, room={"uniform_length_mm": 120_000})


def test_hdr_passive_copper_past_two_metres(catalog: Catalog) -> None:
    media = {metres: [option.medium for mate in mates(catalog, "QM8700", "QM8790", metres).mates if "hdr" in mate.rates
                      for option in mate.options] for metres in (2, 2.1, 3)}  # fmt: skip
    assert "dac" in media[2] and "dac" not in media[2.1] and "dac" not in media[3]
    for cable in catalog.all("cables", CableType):
        if cable.id.startswith("mcp1650-h"):
            assert max(row.length_mm for row in cable.lengths if row.orderable) == 2000


def test_xdr_has_no_passive_copper(catalog: Catalog) -> None:
    for ends in (("Q3400-RA", "Q3400-RA"), ("Q3400-RA", "900-9X81E-00EX-ST0")):
        report = mates(catalog, *ends, 1)
        media = {option.medium for mate in report.mates for option in mate.options}
        assert media == {"acc", "singlemode"}
    assert not [cable for cable in catalog.all("cables", CableType) if cable.kind == "dac" and cable.lane_gbps == 200]
    assert not [module for module in catalog.all("transceivers", TransceiverType)
                if module.lane_gbps == 200 and module.mode == "multimode"]  # fmt: skip


def test_an_hdr100_splitter_to_an_edr_adapter(catalog: Catalog, plan_of: PlanOf) -> None:
    [edr] = mates(catalog, "QM8700", "MCX555A-ECAT", 2).mates
    assert (edr.rates, edr.links_per_cage_a) == (("edr",), 1)
    assert not any("mcp7h50" in part.key or "mfs1s50" in part.key for option in edr.options for part in option.parts)
    plan = plan_of({"nodes": 40, "ports": 1}, {"rate": "edr", "leaf": "QM8700"})
    assert plan.fabrics[0].leaf_count == 1
    assert {part.family for part in plan.cabling.cable_parts} <= {"mcp1600-e", "mfa1a00-e"}
    with pytest.raises(Exception, match="no ports that run hdr100"):
        plan_of({"nodes": 40, "ports": 1, "platform": "generic-8gpu-edr"}, {"rate": "hdr100"})


# --- designs


def test_a_retired_part_is_never_silent(plan_of: PlanOf) -> None:
    room = {"uniform_length_mm": 2000}
    asked = plan_of({"nodes": 8, "ports": 1}, {"rate": "hdr", "media": "copper"}, room=room)
    assert "MCP1650-H002E26" in words(asked.findings, "part-retired", "warning")
    usual = plan_of({"nodes": 8, "ports": 1}, {"rate": "hdr"}, room=room)
    assert "part-retired" not in {item.code for item in usual.findings}


def test_q3200_counts_as_two_switches_of_36_ports(catalog: Catalog, plan_of: PlanOf) -> None:
    switch = catalog.switch("Q3200-RA")
    ports = sum(group.count * group.modes[0].ports for group in switch.cages)
    assert (ports, switch.switches_per_box) == (36, 2)
    plan = plan_of({"nodes": 72, "ports": 1}, {"rate": "xdr", "leaf": "Q3200-RA", "spine": "Q3200-RA"})
    [fabric] = plan.fabrics
    assert fabric.leaf_count == 4, "72 ports do not fit one box as one switch"
    assert fabric.box_count * 2 >= fabric.leaf_count + fabric.spine_count > fabric.box_count


def test_capacity_is_counted_one_way(catalog: Catalog) -> None:
    for switch in catalog.all("switches", SwitchType):
        one_way, vendor = switch.capacity_one_way_tbps, switch.vendor_capacity_tbps
        if one_way is None or vendor is None:
            continue
        factor = 2 if switch.vendor_capacity_counting == "bidirectional" else 1
        assert vendor == pytest.approx(one_way * switch.switches_per_box * factor, rel=0.03), switch.model
    assert "51.2 Tb/s (bidirectional, as the maker states), 25.6 Tb/s one way" in describe(
        "switches", catalog.switch("QM9700"))  # fmt: skip


def test_airflow_mixed_in_a_rack(tmp_path: Path, plan_of: PlanOf) -> None:
    mixed = {"rate": "ndr", "management": "mixed:2"}
    assert "airflow-mixed" not in {item.code for item in plan_of({"nodes": 32}, mixed).findings}
    plan = designed(overlay(tmp_path, "QM9790", "{pn: MQM9790-NS2F, airflow: C2P}"), {"nodes": 32}, mixed)
    assert "(P2C)" in words(plan.findings, "airflow-mixed", "error")


@pytest.mark.parametrize(("model", "code", "word"), [
    ("Q3401-RD", "no-psu", "busbar"), ("QM9701", "no-psu", ""), ("Q3450-LD", "coolant-loop", ""),
])  # fmt: skip
def test_switches_without_supplies_or_with_a_coolant_loop(tmp_path: Path, model: str, code: str, word: str) -> None:
    """Some of them have no part number yet: a company's catalogue gives one, and the plan still warns."""
    rate = "ndr" if model == "QM9701" else "xdr"
    plan = designed(
        overlay(tmp_path, model, "{pn: OURS-1, orderable: true}"), {"nodes": 8}, {"rate": rate, "leaf": model}
    )
    found = words(plan.findings, code, "warning")
    assert model in found and word in found


def overlay(folder: Path, model: str, variant: str) -> Catalog:
    """Return the shipped catalogue with a variant of a switch added or changed by a company."""
    (folder / "switches").mkdir()
    text = f"- model: {model}\n  extends: true\n  orderable: true\n  variants: [{variant}]\n"
    (folder / "switches" / "ours.yaml").write_text(text)
    return load_catalog(folder)


def designed(catalog: Catalog, group: dict[str, Any], fabric: dict[str, Any]) -> Plan:
    return design(parse_requirement(request(group, fabric)), catalog)


def test_externally_managed_switches_without_a_subnet_manager(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, "platform": "dgx-h100"}, {"rate": "ndr", "management": "external"})
    assert any(item.code == "no-subnet-manager" and item.severity == "error" for item in plan.findings)


def test_more_splits_than_a_switch_has_ports_for(plan_of: PlanOf, catalog: Catalog) -> None:
    room = {"uniform_length_mm": 2000}
    with pytest.raises(InfeasibleError, match="SN4600C splits 4 ways on 32 of its 64 cages only"):
        plan_of({"gpus": 1024}, {"technology": "roce", "rate": "25gbe", "leaf": "SN4600C"}, room=room)
    assert (catalog.switch("SN4600C").max_logical_ports, catalog.switch("SN5600").max_logical_ports) == (128, 257)
    plan = plan_of({"gpus": 512}, {"technology": "roce", "rate": "200gbe", "leaf": "SN5600"})
    used: dict[str, Any] = {"max_logical_ports": 100}
    fewer = catalog.switch("SN5600").model_copy(update=used)
    findings = checked(plan, swapped(catalog, "switches", "SN5600", fewer))
    assert "a SN5600 runs at most 100 however it is split" in words(findings, "port-limit", "error")
    assert "port-limit" not in {item.code for item in plan.findings}
