"""Every pair of ports that the catalogue's products can form has parts, or a reason why it has none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fabricplan.catalog import AdapterType, Catalog, PlatformType, PortMode, Recipe, SwitchType, Technology
from fabricplan.errors import InfeasibleError
from fabricplan.mates import join
from fabricplan.mating import recipe_for, refusal_of
from fabricplan.pipeline import design
from fabricplan.products import identify
from fabricplan.requirement import parse_requirement

NO_REASON = "the catalogue has no parts that join these ends"
Port = tuple[Technology, str, int, str]


def _modes(port_class: str, modes: tuple[PortMode, ...]) -> Iterator[Port]:
    return ((mode.technology, mode.rate, mode.speed_gbps, port_class) for mode in modes)


def switch_ports(catalog: Catalog) -> set[Port]:
    return {port for switch in catalog.all("switches", SwitchType) for group in switch.cages
            for port in _modes(group.port_class, group.modes)}  # fmt: skip


def host_ports(catalog: Catalog) -> set[Port]:
    cards = {port for adapter in catalog.all("adapters", AdapterType) for group in adapter.cages
             for port in _modes(group.port_class, group.modes)}  # fmt: skip
    return cards | {port for platform in catalog.all("platforms", PlatformType) for network in platform.networks
                    if network.port_class for port in _modes(network.port_class, network.modes)}  # fmt: skip


def test_each_pair_has_parts_or_a_reason(catalog: Catalog) -> None:
    above, below = switch_ports(catalog), host_ports(catalog) | switch_ports(catalog)
    joined, refused = 0, 0
    for technology, rate, gbps, upper in sorted(above):
        for other, far_rate, _, lower in sorted(below):
            if (technology, rate) != (other, far_rate):
                continue
            try:
                recipe_for(catalog, upper, lower, technology, gbps, rate, "")
                joined += 1
            except InfeasibleError as caught:
                refused += 1
                assert NO_REASON not in caught.problems[0].message, (technology, rate, upper, lower)
    assert joined > 60 and refused > 60


def test_every_node_port_of_infiniband_finds_a_switch(catalog: Catalog) -> None:
    """FDR is slower than any switch of the catalogue; every other rate of every card and platform is served."""
    for technology, rate, gbps, lower in sorted(host_ports(catalog)):
        if technology != "infiniband" or rate == "fdr":
            continue
        uppers = [upper for name, other, _, upper in switch_ports(catalog) if (name, other) == (technology, rate)]
        assert any(joins(catalog, upper, lower, technology, gbps, rate) for upper in uppers), (rate, lower)


def joins(catalog: Catalog, upper: str, lower: str, technology: Technology, gbps: int, rate: str) -> bool:
    try:
        recipe_for(catalog, upper, lower, technology, gbps, rate, "")
    except InfeasibleError:
        return False
    return True


# the pairs of the issue: two ends, rate, length in metres, and the parts of the best option
PAIRS = [
    # one generation, switch to switch
    ("SB7800", "SB7890", "edr", 3, ["mcp1600-e"]),
    ("QM8700", "QM8790", "hdr", 20, ["mfs1s00-h-v"]),
    ("QM9700", "QM9790", "ndr", 2, ["mcp4y10"]),
    ("QM9700", "QM9790", "ndr", 30, ["MMA4Z00-NS", "MMA4Z00-NS", "mfp7e10"]),
    ("Q3400-RA", "Q3200-RA", "xdr", 3, ["mca4k50"]),
    ("Q3400-RA", "Q3400-RA", "xdr", 30, ["980-9IAH1-00XM00", "980-9IAH1-00XM00", "mfp7e30"]),
    ("Q3450-LD", "Q3450-LD", "xdr", 30, ["mfp7e30"]),
    ("Q3450-LD", "Q3400-RA", "xdr", 30, ["980-9IAH1-00XM00", "mfp7e30"]),
    # switch to adapter
    ("SB7800", "MCX555A-ECAT", "edr", 5, ["mcp1600-e"]),
    ("QM8700", "MCX653105A-HDAT", "hdr", 20, ["mfs1s00-h-v"]),
    ("QM9700", "MCX75310AAS-NEAT", "ndr", 3, ["mcp7y00"]),
    ("QM9700", "MCX75310AAS-NEAT", "ndr", 30, ["MMA4Z00-NS", "MMA4Z00-NS400", "mfp7e10"]),
    ("QM9700", "900-9D3B6-00CN-AB0", "ndr", 30, ["MMA4Z00-NS", "MMA1Z00-NS400", "mfp7e10"]),
    ("Q3400-RA", "900-9X81E-00EX-ST0", "xdr", 30, ["980-9IAH1-00XM00", "MMS4A20", "mfp7e30"]),
    ("Q3400-RA", "900-9X91E-00EB-ST0", "xdr", 2, ["mca7k10"]),
    ("Q3450-LD", "900-9X81E-00EX-ST0", "xdr", 30, ["MMS4A20", "mfp7e30"]),
    # splits
    ("QM8700", "MCX653105A-ECAT", "hdr100", 20, ["mfs1s50-h"]),
    ("QM9700", "MCX75310AAS-HEAT", "ndr200", 30, ["MMA4Z00-NS", "MMA4Z00-NS400", "mfp7e20"]),
    ("SN2700", "MCX4121A-ACAT", "25gbe", 3, ["mcp7f00-a"]),
    ("SN2700", "MCX631105AC-GDAT", "50gbe", 3, ["mcp7h00-g"]),
    ("SN3700", "MCX623106AN-CDAT", "100gbe", 20, ["mfs1s50-v"]),
    ("SN4700", "MCX623105AN-VDAT", "200gbe", 2, ["mcp7h60-w"]),
    ("SN5600", "900-9D3B6-00CV-AA0", "200gbe", 30, ["MMA4Z00-NS-T", "MMA1Z00-NS400-T", "mfp7e20"]),
    # mixed generations that link
    ("QM8700", "MCX555A-ECAT", "edr", 5, ["mcp1600-e"]),
    ("SB7800", "MCX653105A-HDAT", "edr", 5, ["mcp1600-e"]),
    ("QM9700", "QM8700", "hdr", 20, ["mfa7u10"]),
    ("QM9700", "MCX653105A-HDAT", "hdr", 20, ["mfa7u10"]),
    ("QM9700", "MCX653105A-ECAT", "hdr100", 2, ["mcp7y70"]),
    ("QM9700", "MCX555A-ECAT", "edr", 2, ["mcp7y60"]),
    ("QM9700", "900-9D3B6-00CV-AA0", "hdr", 20, ["mfa7u10"]),
    # DGX cages
    ("QM9700", "dgx-h100", "ndr", 30, ["MMA4Z00-NS", "MMA4Z00-NS-FLT", "mfp7e10"]),
    ("QM9700", "dgx-b200", "ndr", 3, ["mca4j80-ftf"]),
    ("QM8700", "dgx-a100", "hdr", 20, ["mfs1s00-h-v"]),
    ("Q3400-RA", "dgx-b300", "xdr", 30, ["980-9IAH1-00XM00", "MMS4A20", "mfp7e30"]),
    # Spectrum to ConnectX and BlueField, 25 to 400G; 1G
    ("SN2010", "MCX512A-ACAT", "25gbe", 50, ["MMA2P00-AS", "MMA2P00-AS", "om4-lc-duplex"]),
    ("SN4600C", "MCX623106AN-CDAT", "100gbe", 3, ["mcp1600-e"]),
    ("SN4600C", "900-9D3B6-00CC-AA0", "100gbe", 3, ["mcp1600-e"]),
    ("SN3700", "MCX623105AN-VDAT", "200gbe", 20, ["mfs1s00-h-v"]),
    ("SN5600", "MCX75310AAS-NEAT", "400gbe", 3, ["mcp7y00"]),
    ("SN5600", "900-9D3B6-00CN-AB0", "400gbe", 30, ["MMA4Z00-NS-T", "MMA1Z00-NS400-T", "mfp7e10"]),
    ("SN5600", "900-9X81E-00EX-ST0", "400gbe", 30, ["MMA4Z00-NS-T", "MMA4Z00-NS-FLT", "mfp7e10"]),
    ("SN5600", "SN5610", "400gbe", 80, ["MMS4X00-NS-T", "MMS4X00-NS-T", "mfp7e30"]),
    ("SN4700", "SN4700", "400gbe", 100, ["MMS1V00-WM", "MMS1V00-WM", "mfp7e30"]),
    ("SN2201", "dgx-b200", "1gbe", 20, ["cat6-rj45"]),
]


@pytest.mark.parametrize(("one", "other", "rate", "metres", "parts"), PAIRS)
def test_a_named_pair(catalog: Catalog, one: str, other: str, rate: str, metres: int, parts: list[str]) -> None:
    report = join(catalog, identify(catalog, one, "A"), identify(catalog, other, "B"), metres * 1000)
    offered = [[part.key for part in option.parts] for mate in report.mates if rate in mate.rates
               for option in mate.options]  # fmt: skip
    assert parts in offered, offered


REFUSED = [
    ("Q3400-RA", "MCX75310AAS-NEAT", "no rate in common"),
    ("Q3400-RA", "QM9700", "200G-lane modules do not run 100G lanes"),
    ("Q3400-RA", "900-9D3B6-00CN-AB0", "no 200G-lane part for QSFP112"),
    ("Q3400-RA", "MCX653105A-HDAT", "no part leads from a 200G-lane cage"),
    ("Q3450-LD", "MCX75310AAS-NEAT", "ConnectX-7 runs 100G lanes"),
    ("QM8700", "MCX75310AAS-NEAT", "HDR modules"),
    ("SB7800", "MCX75310AAS-NEAT", "OSFP cage takes no QSFP28 plug"),
    ("SN4700", "MCX75310AAS-NEAT", "known issue of ConnectX-7"),
    ("QM9700", "SN5600", "no rate in common"),
    ("SN2201", "UFM XDR Enterprise Appliance", "no ports of"),
]


@pytest.mark.parametrize(("one", "other", "reason"), REFUSED)
def test_a_pair_that_does_not_link_is_told_why(catalog: Catalog, one: str, other: str, reason: str) -> None:
    report = join(catalog, identify(catalog, one, "A"), identify(catalog, other, "B"))
    assert not report.mates and not report.fits
    assert any(reason in line for line in report.reasons), report.reasons


def test_xdr_to_ndr_is_shown_as_unconfirmed_and_never_offered(catalog: Catalog) -> None:
    report = join(catalog, identify(catalog, "Q3400-RA", "A"), identify(catalog, "MCX75310AAS-NEAT", "B"))
    assert any("not confirmed, never selected" in line for line in report.reasons)


@pytest.mark.parametrize(
    ("a", "b", "technology", "gbps", "told"),
    [
        ("osfp-twin-100g-finned", "osfp-twin-100g-finned", "infiniband", 200, "run 400 Gb/s a link"),
        ("osfp-twin-100g-finned", "osfp-twin-100g-finned", "ethernet", 100, "run 400 or 800 Gb/s"),
        ("rj45-1g", "rj45-1g", "infiniband", 1, "for ethernet only"),
        ("qsfp-dd", "qsfp112", "ethernet", 400, "link stays down"),
    ],
)
def test_reasons_that_follow_from_the_recipes(
    catalog: Catalog, a: str, b: str, technology: Technology, gbps: int, told: str
) -> None:
    assert told in refusal_of(catalog, a, b, technology, gbps)


def test_what_a_part_costs_in_links(catalog: Catalog) -> None:
    report = join(catalog, identify(catalog, "qm9700", "A"), identify(catalog, "mcx75310aas neat", "B"), 30000)
    [ndr] = [mate for mate in report.mates if "ndr" in mate.rates]
    costs = [(part.pn, part.opn, part.pieces, part.links) for part in ndr.options[0].parts]
    assert costs == [
        ("MMA4Z00-NS", "980-9I510-00NS00", 1, 2), ("MMA4Z00-NS400", "980-9I51S-00NS00", 1, 1),
        ("MFP7E10-N030", "980-9I570-00N030", 1, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("media", "metres", "first"),
    [("copper", 2, "dac"), ("optical", 2, "multimode"), ("singlemode", 2, "singlemode"), ("copper", 30, "multimode"),
     ("auto", 80, "singlemode")],
)  # fmt: skip
def test_the_media_policy_orders_the_options(catalog: Catalog, media: str, metres: int, first: str) -> None:
    ends = identify(catalog, "QM9700", "A"), identify(catalog, "QM9700", "B")
    report = join(catalog, *ends, metres * 1000, media)  # type: ignore[arg-type]
    assert report.mates[0].options[0].medium == first


def test_a_recipe_joins_at_a_speed_that_both_its_ends_run(catalog: Catalog) -> None:
    """A pair of port classes and the products that have them give the same answer."""
    runs = {(port, technology, gbps) for technology, _, gbps, port in switch_ports(catalog) | host_ports(catalog)}
    for recipe in catalog.all("recipes", Recipe):
        if not any(option.orderable for option in recipe.options):
            continue  # shown, never offered
        for port_class in (recipe.a, recipe.b):
            for technology in recipe.technologies:
                assert (port_class, technology, recipe.link_gbps) in runs, recipe.id


@pytest.mark.parametrize("one", ["C8180", "dgx-b300", "gb300-nvl72"])
def test_connectx_8_on_an_ndr_fabric(catalog: Catalog, one: str) -> None:
    """Two links of NDR a cage, by inference (facts: port class of ConnectX-8 C8180, modes 2 x 400 NDR)."""
    group: dict[str, object] = {"name": "node", "nodes": 8}
    group.update({"nic": one} if one == "C8180" else {"platform": one})
    plan = design(parse_requirement({"groups": [group], "fabrics": [{"rate": "ndr"}]}), catalog)
    cages = {"C8180": 8, "dgx-b300": 8, "gb300-nvl72": 4}[one]
    assert plan.fabrics[0].endpoints == 8 * cages * 2
    modules = {line.pn: line.quantity for line in plan.bom.lines if line.kind == "transceiver"}
    assert modules["MMA4Z00-NS-FLT"] == 8 * cages
    assert "low-confidence-joint" in {item.code for item in plan.findings}
