"""Every rule on the parts of links and on the bill has a plan that trips it; the words cover every code."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np
import pytest

import fabricplan
from fabricplan.cabling import Cabling
from fabricplan.catalog import Catalog, Recipe
from fabricplan.checks import parts as parts_rules
from fabricplan.plan import Plan
from fabricplan.topology import NODE_LEAF
from fabricplan.values import Finding
from fabricplan.wording import describe, findings_en, findings_zh, text
from tests.unit.test_checks import checked, only, put, rows, swapped

PlanOf = Callable[..., Plan]


@pytest.fixture(scope="module")
def plan(plan_of: PlanOf) -> Plan:
    """256 NDR ports, two tiers, multimode throughout."""
    return plan_of({"nodes": 32}, {"rate": "ndr"})


def recabled(plan: Plan, **parts: Any) -> Cabling:
    return plan.cabling.model_copy(update=parts)


def with_module(catalog: Catalog, key: str, **fields: Any) -> Catalog:
    return swapped(catalog, "transceivers", key, catalog.transceiver(key).model_copy(update=fields))


def with_family(plan: Plan, old: str, new: str, **fields: Any) -> Cabling:
    """Return the cabling with one family of cable parts replaced."""
    parts = tuple(
        part.model_copy(update={"family": new, **fields}) if part.family == old else part
        for part in plan.cabling.cable_parts
    )
    return recabled(plan, cable_parts=parts)


def named(findings: tuple[Finding, ...], code: str, severity: str = "error") -> str:
    """Return the words of the findings of a code; all have the severity."""
    found = [item for item in findings if item.code == code]
    assert found, [item.code for item in findings]
    assert {item.severity for item in found} == {severity}
    return "\n".join(text(item) for item in found)


# --- links and cages


def test_link_without_cable(plan: Plan, catalog: Catalog) -> None:
    row = int(rows(plan, NODE_LEAF)[0])
    cabling = recabled(plan, links=put(plan.cabling.links, "cable", row, -1))
    found = only(checked(plan, catalog, cabling=cabling), "link-without-parts")
    assert "node-su01-001: port 1 to leaf-su01-r0 has no cable; 1 link" in text(found)


def test_reserved_ports_without_a_known_host(plan_of: PlanOf) -> None:
    group = {"nodes": 60, "platform": "dgx-h100"}
    unknown = plan_of(group, {"rate": "ndr", "reserve_ports": 4})
    found = only(unknown.findings, "reserved-port-without-parts", "info")
    assert "4 reserved ports have no module and no cable" in text(found)
    known = plan_of(group, {"rate": "ndr", "reserve_ports": 4, "reserve_adapter": "MCX75310AAS-NEAT"})
    assert "reserved-port-without-parts" not in {item.code for item in known.findings}


def test_fibre_without_a_module(plan: Plan, catalog: Catalog) -> None:
    modules = plan.cabling.transceivers
    cabling = recabled(plan, transceivers=modules.take(np.arange(1, len(modules))))
    findings = checked(plan, catalog, cabling=cabling)
    assert "the osfp-100g-flat cage at leaf-su01-r0 has a fibre but no transceiver; 1 link" in named(
        findings, "module-missing"
    )
    assert "the bill orders 256, the tables need 255" in named(findings, "bill-differs")


def test_flat_module_in_a_finned_cage(plan: Plan, catalog: Catalog) -> None:
    keys = tuple(key.replace("MMA4Z00-NS", "MMA4Z00-NS-FLT") if key == "MMA4Z00-NS" else key
                 for key in plan.cabling.transceiver_parts)  # fmt: skip
    findings = checked(plan, catalog, cabling=recabled(plan, transceiver_parts=keys))
    assert "MMA4Z00-NS-FLT has a flat top, the osfp-twin-100g-finned cage needs finned; 256 links" in named(
        findings, "top-mismatch"
    )


def test_module_of_another_form(plan: Plan, catalog: Catalog) -> None:
    changed = with_module(catalog, "MMA4Z00-NS400", form="qsfp112")
    found = only(checked(plan, changed), "form-mismatch")
    assert "MMA4Z00-NS400 is qsfp112, the osfp-100g-flat cage takes osfp; 256 links" in text(found)


def test_module_with_faster_lanes(plan: Plan, catalog: Catalog) -> None:
    changed = with_module(catalog, "MMA4Z00-NS400", lane_gbps=200)
    assert "4 lanes of 200G, the osfp-100g-flat cage offers 4 of 100G" in text(
        only(checked(plan, changed), "lanes-mismatch")
    )


def test_single_port_module_in_a_twin_cage(plan: Plan, catalog: Catalog) -> None:
    findings = checked(plan, with_module(catalog, "MMA4Z00-NS", ports=1, lanes=4))
    assert "MMA4Z00-NS is a single-port module in a twin-port cage" in named(findings, "single-in-twin")
    found = only(findings, "module-overloaded")
    assert "need 800 Gb/s, MMA4Z00-NS carries 400 Gb/s" in text(found)


def test_cable_end_that_does_not_fit(plan_of: PlanOf, catalog: Catalog) -> None:
    plan = plan_of({"nodes": 20, "ports": 1}, {"rate": "hdr"})
    cable = catalog.cable("mfs1s00-h-v")
    changed = swapped(catalog, "cables", cable.id, cable.model_copy(update={
        "tail": cable.tail.model_copy(update={"form": "osfp"})}))  # fmt: skip
    found = only(checked(plan, changed), "form-mismatch")
    assert "mfs1s00-h-v is osfp, the qsfp56 cage takes qsfp56; 20 links" in text(found)


def test_single_mode_fibre_at_multimode_modules(plan: Plan, catalog: Catalog) -> None:
    findings = checked(plan, catalog, cabling=with_family(plan, "mfp7e10", "mfp7e30"))
    assert "MMA4Z00-NS is multimode, the fibre mfp7e30 is singlemode" in named(findings, "fibre-mode")
    assert "no listed way to join osfp-twin-100g-finned and osfp-100g-flat" in named(findings, "unlisted-joint")


def test_old_upc_fibre_at_apc_modules(plan: Plan, catalog: Catalog) -> None:
    findings = checked(plan, catalog, cabling=with_family(plan, "mfp7e10", "om4-mpo12-upc"))
    assert "MMA4Z00-NS has MPO-12/APC, the fibre om4-mpo12-upc MPO-12/UPC" in named(findings, "connector-mismatch")


def test_optics_of_two_generations(plan: Plan, catalog: Catalog) -> None:
    # half the speed over as many optical lanes: HDR optics against NDR optics
    findings = checked(plan, with_module(catalog, "MMA4Z00-NS400", port_gbps=200))
    assert "MMA4Z00-NS sends SR 100G, MMA4Z00-NS400 at the other end SR 50G; 256 links" in named(
        findings, "optics-mismatch"
    )
    assert "need 400 Gb/s, MMA4Z00-NS400 carries 200 Gb/s" in named(findings, "module-overloaded")


def test_ethernet_part_on_infiniband(plan: Plan, catalog: Catalog) -> None:
    findings = checked(plan, with_module(catalog, "MMA4Z00-NS", technologies=("ethernet",)))
    assert "MMA4Z00-NS serves ethernet only, the fabric is infiniband" in named(findings, "part-technology")


def test_cable_shorter_than_its_route(plan: Plan, catalog: Catalog) -> None:
    parts = tuple(part.model_copy(update={"length_mm": 3000}) for part in plan.cabling.cable_parts)
    found = only(checked(plan, catalog, cabling=recabled(plan, cable_parts=parts)), "too-short")
    longest = max(plan.cabling.cables.required_mm.tolist()) / 1000
    assert f"is 3 m, the route needs {longest:g} m" in text(found)


def test_length_beyond_a_parts_reach(plan: Plan, catalog: Catalog) -> None:
    findings = checked(plan, with_module(catalog, "MMA4Z00-NS400", reach_mm=2000))
    assert "MMA4Z00-NS400 reaches 2 m, 5 m are ordered" in named(findings, "out-of-reach")


def test_two_modules_in_one_cage(plan: Plan, catalog: Catalog) -> None:
    modules = plan.cabling.transceivers
    again = modules.take(np.concatenate([np.arange(len(modules)), [0]]))
    found = only(checked(plan, catalog, cabling=recabled(plan, transceivers=again)), "module-twice")
    assert "node-su01-001: cage 1 is given 2 modules" in text(found)


def test_fibres_of_two_kinds_at_one_module(plan: Plan, catalog: Catalog) -> None:
    parts = plan.cabling.cable_parts
    other = parts[0].model_copy(update={"family": "mfp7e30"})
    row = int(rows(plan, NODE_LEAF)[0])
    cables = put(plan.cabling.cables, "part", int(plan.cabling.links.cable[row]), len(parts))
    findings = checked(plan, catalog, cabling=recabled(plan, cable_parts=(*parts, other), cables=cables))
    found = only(findings, "fibres-mixed")
    assert found.subject == "leaf-su01-r0" and "mfp7e10" in text(found) and "mfp7e30" in text(found)


# --- estimates


def test_estimated_room_that_decides_for_single_mode(plan_of: PlanOf) -> None:
    far = {"row_pitch_mm": 10_000, "racks_per_row": 4}
    plan = plan_of({"nodes": 128, "platform": "dgx-h100"}, {"rate": "ndr"}, room=far)
    found = only(plan.findings, "estimated-beyond-multimode", "warning")
    single = sum(line.quantity for line in plan.bom.lines if line.key == "mfp7e30")
    assert single > 0 and f"{single:,} links are longer than 50 m" in text(found)
    told = plan_of({"nodes": 128, "platform": "dgx-h100"}, {"rate": "ndr"}, room={"uniform_length_mm": 60_000})
    assert not {"estimated-beyond-multimode", "estimated-lengths"} & {item.code for item in told.findings}


def test_estimated_lengths_are_told(plan: Plan) -> None:
    assert "the lengths of 512 cables" in text(only(plan.findings, "estimated-lengths", "info"))


def test_copper_by_estimate(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, "platform": "dgx-h100"}, {"rate": "ndr", "media": "copper"})
    links = int((np.isin(plan.cabling.cables.part[plan.cabling.links.cable], [
        row for row, part in enumerate(plan.cabling.cable_parts) if part.kind == "cable"])).sum())  # fmt: skip
    assert links and f"{links:,} links are copper" in text(only(plan.findings, "copper-by-estimate", "warning"))


def test_inferred_ways_to_join(plan: Plan, catalog: Catalog) -> None:
    recipe = catalog.get("recipes", "ndr-switch-switch", Recipe)
    options = tuple(option.model_copy(update={"confidence": "estimated"}) for option in recipe.options)
    changed = swapped(catalog, "recipes", recipe.id, recipe.model_copy(update={"options": options}))
    found = only(checked(plan, changed), "low-confidence-joint", "info")
    assert "NDR switch to NDR switch (256 links)" in text(found)


# --- the bill


def test_bill_against_tables(plan: Plan, catalog: Catalog) -> None:
    lines = tuple(line.model_copy(update={"quantity": line.quantity - 1}) if line.kind == "switch" else line
                  for line in plan.bom.lines)  # fmt: skip
    found = only(checked(plan, catalog, bom=plan.bom.model_copy(update={"lines": lines})), "bill-differs")
    assert "MQM9700-NS2F: the bill orders 11, the tables need 12" in text(found)


def test_module_too_hot_for_its_cage(plan: Plan, catalog: Catalog) -> None:
    found = only(checked(plan, with_module(catalog, "MMA4Z00-NS400", power_max_w=21)), "module-too-hot")
    assert "MMA4Z00-NS400 draws up to 21 W, the cage is rated for 17 W; 256 links" in text(found)


def test_module_too_hot_for_the_switch(plan: Plan, catalog: Catalog) -> None:
    """Both ends of the links between switches, and the upper ends of the nodes' links."""
    found = only(checked(plan, with_module(catalog, "MMA4Z00-NS", power_max_w=18)), "module-too-hot")
    sizing = plan.fabrics[0]
    links = sizing.node_leaf_links + 2 * sizing.leaf_spine_links
    assert f"QM9700: MMA4Z00-NS draws up to 18 W, the cage is rated for 17 W; {links} links" in text(found)


STATES: list[tuple[dict[str, Any], dict[str, Any], str, str, str]] = [
    ({"nodes": 72, "ports": 1}, {"rate": "edr"}, "part-retired", "warning", "MSB7800-ES2F: 6 pieces"),
    ({"nodes": 72, "ports": 1}, {"rate": "edr"}, "part-not-orderable", "warning", "MSB7800-ES2F: 6 pieces"),
    ({"nodes": 8, "ports": 1, "nic": "MCX683105AN-HDAT"}, {"rate": "hdr"}, "part-unlisted", "warning", "8 pieces"),
    ({"nodes": 8, "ports": 1, "nic": "MCX75310AAS-HEAT-N"}, {"rate": "ndr"}, "part-unverified", "warning", "8 pieces"),
    ({"nodes": 8, "ports": 1, "nic": "MCX75310AAS-HEAT-N"}, {"rate": "ndr"}, "low-confidence", "info", "an estimate"),
    ({"nodes": 16}, {"rate": "xdr", "leaf": "Q3401-RD"}, "part-planned", "warning", "920-9B36P-00RX-8S0: 1 piece"),
    ({"nodes": 16}, {"rate": "xdr"}, "low-confidence-ports", "info", "Q3400-RA: the InfiniBand port numbers"),
    ({"nodes": 4, "platform": "dgx-h100"}, {"rate": "ndr"}, "platform-retired", "info", "dgx-h100: the maker"),
    ({"nodes": 4, "platform": "dgx-a100"}, {"rate": "hdr"}, "platform-unlisted", "info", "dgx-a100"),
    ({"nodes": 4, "platform": "dgx-rubin-nvl8"}, {"rate": "xdr"}, "platform-planned", "info", "(4 nodes)"),
    ({"nodes": 4, "platform": "asus-xa-nb3i-e12"}, {"rate": "xdr"}, "platform-unverified", "info", "(4 nodes)"),
    ({"nodes": 4, "platform": "asus-xa-nb3i-e12"}, {"rate": "xdr"}, "low-confidence-platform", "info", "(4 nodes)"),
    ({"nodes": 64}, {"rate": "100gbe", "technology": "roce"}, "generic-part", "info", "om4-mpo12-upc: 1,024"),
    ({"gpus": 1000, "nic": "customer"}, {"rate": "ndr"}, "adapters-by-customer", "info", "1,000 adapters MCX7"),
]  # fmt: skip


@pytest.mark.parametrize(("group", "fabric", "code", "severity", "words"), STATES)
def test_state_of_parts(
    plan_of: PlanOf, group: dict[str, Any], fabric: dict[str, Any], code: str, severity: str, words: str
) -> None:
    assert words in named(plan_of(group, fabric).findings, code, severity)


def test_weak_order_number(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 32}, {"rate": "ndr"}, room={"uniform_length_mm": 40_000})
    found = only(plan.findings, "low-confidence-number", "info")
    assert "MFP7E10-N050: this order number or length rests on a single weak source (512 pieces)" in text(found)


# --- the words


def emitted(*rooms: str) -> dict[str, set[str]]:
    """Return every code that rooms of the source raise, with the params they give (no ``**`` params)."""
    found: dict[str, set[str]] = {}
    home = Path(fabricplan.__file__).parent
    for path in sorted(file for room in rooms for file in home.glob(room)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "finding" and len(node.args) == 3:
                code = node.args[1]
                codes = [str(code.value)] if isinstance(code, ast.Constant) else []
                if isinstance(code, ast.JoinedStr) and isinstance(code.values[0], ast.Constant):
                    # f"placed-for-cost{stage}": today's, and that of the final stage
                    codes = [f"{code.values[0].value}{stage}" for stage in ("", "-final")]
                for name in codes:
                    found.setdefault(name, set()).update(item.arg for item in node.keywords if item.arg)
            # faults of joints are yielded as (code, {params}) and completed in one place
            if isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
                code, params = node.value.elts
                if isinstance(code, ast.Constant) and isinstance(params, ast.Dict):
                    keys = {str(key.value) for key in params.keys if isinstance(key, ast.Constant)}
                    found.setdefault(str(code.value), set()).update(keys | {"links", "device"})
    found.update({code: {"quantity"} for code in parts_rules.STATUS_CODES.values()})
    found.update({code: {"nodes"} for code in parts_rules.PLATFORM_CODES.values()})
    uneven = {"place", "links", "least", "most", "wanted", "switches"}
    found.update({"uneven": uneven, "uneven-core": uneven})
    return found


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def test_both_languages_word_every_code_with_its_numbers() -> None:
    codes = emitted("sizing/*.py", "checks/*.py")
    assert len(codes) > 60
    assert set(codes) <= set(findings_en.TEXT)
    for code, params in codes.items():
        english = findings_en.TEXT[code]
        assert "subject" in fields(english[0]), code
        # nothing that is found out stays untold, and nothing is told that was not found out
        assert fields(english[0]) | fields(english[1]) == params | {"subject"}, code


def test_languages_agree_and_word_nothing_that_is_never_raised() -> None:
    assert list(findings_en.TEXT) == list(findings_zh.TEXT)
    assert set(findings_en.TEXT) <= set(emitted("**/*.py"))
    for code, english in findings_en.TEXT.items():
        for sentence, other in zip(english, findings_zh.TEXT[code], strict=True):
            assert sentence and other
            assert fields(sentence) == fields(other), code


def test_managed_is_no_subnet_manager(plan_of: PlanOf, catalog: Catalog) -> None:
    """Only a documented subnet manager inside the switches counts; the description claims no more."""
    xdr = only(plan_of({"gpus": 64}, {"rate": "xdr"}).findings, "xdr-manager", "warning")
    assert (xdr.param("model"), xdr.param("port")) == ("Q3400-RA", "fnm1")
    for asked in ({"rate": "ndr"}, {"rate": "hdr"}, {"rate": "xdr", "reserve_ports": 2}):
        codes = {item.code for item in plan_of({"gpus": 64}, asked).findings}
        assert not codes & {"xdr-manager", "manager-unknown"}, asked
    old = {"rate": "edr", "leaf": "SB7700", "spine": "SB7700"}
    only(plan_of({"nodes": 40, "ports": 1}, old).findings, "manager-unknown", "warning")
    assert "SM" in describe("switches", catalog.switch("QM9700"), "en")
    for lang in ("en", "zh"):
        assert "SM" not in describe("switches", catalog.switch("Q3400-RA"), lang)


def optical_links(plan: Plan) -> int:
    """Count the links whose cable is a fibre or an active optical cable."""
    parts = [plan.cabling.cable_parts[row] for row in plan.cabling.cables.part.tolist()]
    return sum(parts[cable].kind == "fibre" for cable in plan.cabling.links.cable.tolist())


def missed(plan: Plan) -> dict[str, int]:
    """Return by code how many links do not have the medium that was asked."""
    found: dict[str, int] = {}
    for item in plan.findings:
        if item.code in ("copper-beyond", "media-no-part", "media-does-not-fit"):
            assert item.severity == "warning"
            assert item.param("links") == len(plan.topology.links)
            found[item.code] = found.get(item.code, 0) + int(
                item.param("optical" if item.code == "copper-beyond" else "missed")
            )
    return found


def test_copper_that_does_not_reach(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 100}, {"rate": "ndr", "media": "copper"})
    assert missed(plan) == {"copper-beyond": optical_links(plan)}
    assert "is long enough (the longest reaches 5 m)" in text(only(plan.findings, "copper-beyond", "warning"))
    near = plan_of({"nodes": 100}, {"rate": "ndr", "media": "copper"}, room={"uniform_length_mm": 1500})
    assert (missed(near), optical_links(near)) == ({}, 0)
    assert missed(plan_of({"nodes": 100}, {"rate": "ndr"})) == {}


def test_copper_that_takes_whole_cages(plan_of: PlanOf) -> None:
    """At 2.5 m the only copper joins both links of a cage; the rails of a DGX cage lead to two leaves."""
    asked = {"nodes": 48, "platform": "dgx-h100"}, {"rate": "ndr", "media": "copper"}
    plan = plan_of(*asked, room={"uniform_length_mm": 2500})
    assert missed(plan) == {"media-does-not-fit": optical_links(plan)} == {"media-does-not-fit": 384}
    found = text(only(plan.findings, "media-does-not-fit", "warning"))
    assert "its parts join whole cages of osfp-twin-100g-finned and osfp-twin-100g-flat" in found


def test_medium_that_no_part_has(plan_of: PlanOf) -> None:
    """Between QSFP28 ports of InfiniBand no single-mode part is sold: the active optical cables are told."""
    plan = plan_of({"nodes": 100}, {"rate": "edr", "media": "singlemode"})
    assert missed(plan) == {"media-no-part": len(plan.topology.links)}
    assert "no such part that can be ordered joins qsfp28 and qsfp28" in text(
        only(plan.findings, "media-no-part", "warning")
    )


@pytest.mark.parametrize("rate", ["edr", "hdr100", "hdr", "ndr200", "ndr", "xdr"])
@pytest.mark.parametrize("media", ["copper", "optical", "singlemode"])
@pytest.mark.parametrize("metres", [1, 4, 25])
def test_every_link_of_another_medium_is_told(
    plan_of: PlanOf, catalog: Catalog, rate: str, media: str, metres: int
) -> None:
    """An independent count: the media of the ordered parts, from their kinds in the catalogue."""
    plan = plan_of({"nodes": 40}, {"rate": rate, "media": media}, room={"uniform_length_mm": metres * 1000})
    kinds = []
    for part in plan.cabling.cable_parts:
        if part.kind == "cable":
            kind = catalog.cable(part.family).kind
            kinds.append("copper" if kind in ("dac", "acc") else "optical")
        else:
            mode = catalog.fibre(part.family).mode
            kinds.append("singlemode" if mode == "singlemode" else "optical")
    wanted = {"copper": {"copper"}, "optical": {"optical", "singlemode"}, "singlemode": {"singlemode"}}[media]
    other = sum(kinds[plan.cabling.cables.part[cable]] not in wanted for cable in plan.cabling.links.cable.tolist())
    assert sum(missed(plan).values()) == other


def test_lengths_that_were_merged_are_no_gap_of_the_catalogue(plan_of: PlanOf, catalog: Catalog) -> None:
    asked = ({"nodes": 40, "platform": "dgx-h100"}, {"rate": "ndr"})
    for below in (1000, None):
        plan = plan_of(*asked, merge_below=below)
        merged = [item for item in plan.findings if item.code == "length-gap-merged"]
        assert bool(merged) is bool(below) and "length-gap" not in {item.code for item in plan.findings}
        for item in merged:
            assert f"--merge-below {below}" in text(item) and item.param("needed_m") < item.param("ordered_m") / 2


def test_lengths_that_are_not_sold(plan_of: PlanOf) -> None:
    asked = ({"nodes": 72, "ports": 1}, {"rate": "edr"})
    plan = plan_of(*asked, room={"uniform_length_mm": 6000})
    found = only(plan.findings, "length-gap", "warning")
    assert (found.param("needed_m"), found.param("cables")) == (6, len(plan.cabling.cables))
    assert found.param("ordered_m") >= 10
    assert "length-gap" not in {item.code for item in plan_of(*asked, room={"uniform_length_mm": 4000}).findings}
    assert "length-gap" not in {item.code for item in plan_of({"gpus": 1024}, {"rate": "ndr"}).findings}
