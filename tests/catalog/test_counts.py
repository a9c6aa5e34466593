"""The interconnect catalogue against numbers counted by hand in the collected facts.

The two fact files hold 107 families: 54 of NDR and XDR, 53 of EDR, HDR and Ethernet. Two port adapters are
kept as accessories, MMS1V00-WM and MFP7E30 stand in both files, and one LC cord stands under two names.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fabricplan.catalog import (
    CableLength,
    CableType,
    Catalog,
    FibreType,
    Recipe,
    RecipeOption,
    Refusal,
    TransceiverType,
)
from fabricplan.files import load_catalog

NDR_CABLE_FAMILIES = 22  # passive 2 + 7 splitters, active copper 5 + 5 splitters, AOC splitters 3
OLD_CABLE_FAMILIES = 30  # passive 8 + 8, active copper 1, AOC 7 + 5, one Cat6 cord
NDR_CABLE_ROWS = 78  # lengths of the 22 families, MCA4K00 with its three order numbers
OLD_CABLE_ROWS = 94  # lengths of the 30 families
NDR_MODULES = 30  # 27 families; MMS4A00, MMS4C10, MMS4C11 are two order numbers each
OLD_MODULES = 16  # 16 families, less MMS1V00-WM (in both files), plus the second 40G SR4
NVIDIA_FIBRE_ROWS = {"mfp7e10": 11, "mfp7e20": 8, "mfp7e30": 10, "mfp7e40": 8}
THIRD_PARTY_FIBRES = 5  # OM4 MPO UPC, OM4 LC, OS2 LC, OS2 MPO to 4 LC, and OS2 MPO above 150 m
TRUNKS = 5  # OM4 and OS2 MPO APC, OM4 MPO UPC, OM4 and OS2 LC: ours to describe, no maker's
PORT_CLASSES = 15
WITHOUT_PART_NUMBER = {  # families of which no exact number was read, and the Cat6 cord
    "mca1j00-h", "mfs1s90-h", "mfa7a50-c", "mcp7h50-v", "mcp7h60-c", "mcp7f80-w", "mfa1u60-w", "cat6-rj45",
}  # fmt: skip
NOT_SELECTED = {  # part numbers that the facts say not to select or whose number is doubtful
    "MFP7E10-N025", "MFP7E10-N035", "MFP7E10-N040", "MFA7U40-H005", "MFA7U40-H010", "MFA7U40-H015",
    "MFA7U40-H020", "MFA7U40-H030", "MCP7H50-H003", "MFS1S00-H150E", "MFA1A00-C015", "MFA1A00-C050",
    "MCP1650-V003E26", "MCP7H60-W02AR26", "MCP7H60-W003R26", "MCP7F60-W02AR26", "MCA4K00",
}  # fmt: skip

# part number, length in millimetres, order number: typed from the facts
LENGTHS = [
    ("MCP4Y10-N00A", 500, "980-9IA0K-00N00A"), ("MCP4Y10-N01A", 1500, "980-9IA0Q-00N01A"),
    ("MCP4Y10-N002", 2000, "980-9IA0I-00N002"), ("MCP4Y10-N002-FLT", 2000, "980-9IA0J-00N002"),
    ("MCP7Y00-N001", 1000, "980-9I432-00N001"), ("MCP7Y00-N02A", 2500, "980-9I92O-00N02A"),
    ("MCP7Y00-N003", 3000, "980-9I92N-00N003"), ("MCP7Y00-N01A-FLT", 1500, "980-9I927-00N01A"),
    ("MCP7Y10-N003", 3000, "980-9I80P-00N003"), ("MCP7Y50-N01A", 1500, "980-9I46I-00N01A"),
    ("MCP7Y40-N02A", 2500, "980-9I75S-00N02A"), ("MCP7Y60-H002", 2000, "980-9I46L-00H002"),
    ("MCP7Y70-H002", 2000, "980-9I93O-00H002"), ("MCA4J80-N003", 3000, "980-9I60Z-00N003"),
    ("MCA4J80-N004", 4000, "980-9I601-00N004"), ("MCA4J80-N003-FTF", 3000, "980-9I601-00N003"),
    ("MCA7J60-N005", 5000, "980-9I949-00N005"), ("MCA7J75-N004", 4000, "980-9I76G-00N004"),
    ("MFA7U10-H003", 3000, "980-9I41X-00H003"), ("MFA7U10-H030", 30000, "980-9I117-00H030"),
    ("MFA7U10-H030-FLT", 30000, "980-9I118-00H030"), ("MFA7U40-H003", 3000, "980-9I41Z-00H003"),
    ("MFP7E10-N003", 3000, "980-9I73U-000003"), ("MFP7E10-N030", 30000, "980-9I570-00N030"),
    ("MFP7E10-N050", 50000, "980-9I57Y-00N050"), ("MFP7E20-N050", 50000, "980-9I55Z-00N050"),
    ("MFP7E30-N003", 3000, "980-9I55A-00N003"), ("MFP7E30-N100", 100000, "980-9I58I-00N100"),
    ("MFP7E30-N150", 150000, "980-9I58J-00N150"), ("MFP7E40-N015", 15000, "980-9I56O-00N015"),
    ("MFP7E40-N050", 50000, "980-9I56R-000050"), ("MCP1600-E00AE30", 500, None),
    ("MCP1600-E004E26", 4000, None), ("MFA1A00-E030", 30000, None), ("MCP1650-H01AE30", 1500, None),
    ("MCP1650-H002E26", 2000, None), ("MFS1S00-H005V", 5000, "980-9I45D-00H005"),
    ("MFS1S00-H030V", 30000, "980-9I440-00H030"), ("MFS1S00-H100V", 100000, "980-9I44H-00H100"),
    ("MCP7H50-H01AR30", 1500, None), ("MFS1S50-H020V", 20000, None), ("MCP1600-C02AE26N", 2500, None),
    ("MFA1A00-C030", 30000, "980-9I13N-00C030"), ("MCP7F00-A003R26N", 3000, None),
    ("MCP1650-V001E30", 1000, "980-9I54C-00V001"), ("MFS1S50-V015E", 15000, None),
    ("MCP1660-W002E26", 2000, None), ("MCP7H60-W01AR30", 1500, None), ("MCP2M00-A004E26L", 4000, None),
    ("MFA2P10-A005", 5000, None), ("MC2210126-005", 5000, None),
]  # fmt: skip
# one marketing number, told apart by order number
KEYED_LENGTHS = [
    ("980-9IAM5-00X001", "MCA4K50", 1000), ("980-9IAM5-00X01A", "MCA4K50", 1500),
    ("980-9IAM3-00X002", "MCA4K50", 2000), ("980-9IAM3-00X02A", "MCA4K50", 2500),
    ("980-9IAM3-00X003", "MCA4K50", 3000), ("980-9IAO5-00X001", "MCA7K10", 1000),
    ("980-9IAO5-00X01A", "MCA7K10", 1500), ("980-9IAO5-00X002", "MCA7K10", 2000),
]  # fmt: skip
# key, order number, top, ports, Gb/s, reach in millimetres, status
MODULES = [
    ("MMA4Z00-NS", "980-9I510-00NS00", "finned", 2, 400, 50000, "active"),
    ("MMA4Z00-NS-FLT", "980-9I51A-00NS00", "flat", 2, 400, 50000, "active"),
    ("MMA4Z00-NS-T", "980-9I510-F4NS00", "finned", 2, 400, 50000, "active"),
    ("MMA4Z00-NS400", "980-9I51S-00NS00", "flat", 1, 400, 50000, "active"),
    ("MMA1Z00-NS400", "980-9I693-00NS00", "none", 1, 400, 50000, "active"),
    ("MMS4X00-NS", "980-9I30H-00NM00", "finned", 2, 400, 100000, "active"),
    ("MMS4X00-NM", "980-9I30G-00NM00", "finned", 2, 400, 500000, "active"),
    ("MMS4X00-NM-FLT", "980-9I301-00NM00", "flat", 2, 400, 500000, "active"),
    ("MMS4X00-NS400", "980-9I31N-00NM00", "flat", 1, 400, 100000, "active"),
    ("MMS1X00-NS400", "980-9I068-00NM00", "none", 1, 400, 100000, "active"),
    ("MMS4X50-NM", "980-9I30L-00N000", "finned", 2, 400, 2000000, "active"),
    ("980-9IAH1-00XM00", "980-9IAH1-00XM00", "finned", 2, 800, 500000, "active"),
    ("980-9IAH0-00XM00", "980-9IAH0-00XM00", "flat", 2, 800, 500000, "planned"),
    ("980-9IAU0-00XM01", "980-9IAU0-00XM01", "finned", 2, 800, 500000, "active"),
    ("MMS4A20", "980-9IAT0-00XM00", "flat", 1, 800, 500000, "active"),
    ("MMS4C10-XM800", "980-9IAY0-00XM00", "flat", 1, 800, 500000, "planned"),
    ("MMA1B00-E100", None, "none", 1, 100, 100000, "retired"),
    ("MMA1T00-HS", None, "none", 1, 200, 100000, "retired"),
    ("MMS1W50-HM", None, "none", 1, 200, 2000000, "active"),
    ("MMA1B00-C100D", "980-9I149-00CS00", "none", 1, 100, 100000, "active"),
    ("MMS1V70-CM", "980-9I042-00C000", "none", 1, 100, 500000, "active"),
    ("MMS1V00-WM", "980-9I16Y-00W000", "none", 1, 400, 500000, "active"),
    ("980-9I251-00IS00", "980-9I251-00IS00", "none", 1, 1, None, "active"),
]
# a, b, Gb/s, technology, links per a cage and b cage, length in metres: the first active option that reaches
BEST = [
    ("osfp-twin-100g-finned", "osfp-twin-100g-finned", 400, "infiniband", 2, 2, 2, "mcp4y10"),
    ("osfp-twin-100g-finned", "osfp-twin-100g-finned", 400, "infiniband", 2, 2, 4, "mca4j80"),
    ("osfp-twin-100g-finned", "osfp-twin-100g-finned", 400, "infiniband", 2, 2, 30, "MMA4Z00-NS"),
    ("osfp-twin-100g-finned", "osfp-twin-100g-finned", 400, "infiniband", 2, 2, 80, "MMS4X00-NS"),
    ("osfp-twin-100g-finned", "osfp-twin-100g-finned", 400, "ethernet", 2, 2, 30, "MMA4Z00-NS-T"),
    ("osfp-twin-100g-finned", "osfp-twin-100g-finned", 800, "ethernet", 1, 1, 30, "MMA4Z00-NS-T"),
    ("osfp-twin-100g-finned", "osfp-100g-flat", 400, "infiniband", 2, 1, 3, "mcp7y00"),
    ("osfp-twin-100g-finned", "osfp-100g-flat", 200, "infiniband", 4, 1, 10, "MMA4Z00-NS"),
    ("osfp-twin-100g-finned", "qsfp112", 400, "infiniband", 2, 1, 1, "MMA4Z00-NS"),
    ("osfp-twin-100g-finned", "osfp-twin-100g-flat", 400, "infiniband", 2, 2, 30, "MMA4Z00-NS"),
    ("osfp-twin-100g-finned", "osfp-200g-flat", 400, "ethernet", 2, 2, 30, "MMA4Z00-NS-T"),
    ("osfp-twin-100g-finned", "qsfp56", 200, "infiniband", 2, 1, 20, "mfa7u10"),
    ("osfp-twin-200g-finned", "osfp-twin-200g-finned", 800, "infiniband", 2, 2, 3, "mca4k50"),
    ("osfp-twin-200g-finned", "osfp-200g-flat", 800, "infiniband", 2, 1, 30, "980-9IAH1-00XM00"),
    ("mpo12-200g", "osfp-200g-flat", 800, "infiniband", 1, 1, 30, "MMS4A20"),
    ("qsfp56", "qsfp56", 200, "infiniband", 1, 1, 1, "mfs1s00-h-v"),
    ("qsfp28", "qsfp56", 100, "infiniband", 1, 1, 5, "mcp1600-e"),
    ("qsfp28", "qsfp112", 100, "ethernet", 1, 1, 30, "MMA1B00-C100D"),
    ("qsfp-dd", "qsfp28", 100, "ethernet", 4, 1, 200, "MMS1V00-WM"),
    ("rj45-1g", "rj45-1g", 1, "ethernet", 1, 1, 50, "cat6-rj45"),
]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def length_rows(catalog: Catalog) -> Iterator[CableLength]:
    for cable in catalog.all("cables", CableType):
        yield from cable.lengths
    for fibre in catalog.all("fibres", FibreType):
        yield from fibre.lengths


def test_families_and_rows(catalog: Catalog) -> None:
    cables = list(catalog.all("cables", CableType))
    assert len(cables) == NDR_CABLE_FAMILIES + OLD_CABLE_FAMILIES
    assert sum(len(cable.lengths) for cable in cables) == NDR_CABLE_ROWS + OLD_CABLE_ROWS
    assert len(catalog.keys("transceivers")) == NDR_MODULES + OLD_MODULES
    fibres = {fibre.id: fibre for fibre in catalog.all("fibres", FibreType)}
    assert {key: len(fibres[key].lengths) for key in NVIDIA_FIBRE_ROWS} == NVIDIA_FIBRE_ROWS
    assert len(fibres) == len(NVIDIA_FIBRE_ROWS) + THIRD_PARTY_FIBRES + TRUNKS
    assert sum(fibre.trunk_connectors is not None for fibre in fibres.values()) == TRUNKS
    assert len(catalog.keys("port-classes")) == PORT_CLASSES


def test_families_without_a_part_number(catalog: Catalog) -> None:
    empty = {cable.id for cable in catalog.all("cables", CableType) if not cable.lengths}
    assert empty == WITHOUT_PART_NUMBER
    assert {fibre.id for fibre in catalog.all("fibres", FibreType) if fibre.any_length} == {
        key for key in catalog.keys("fibres") if key not in NVIDIA_FIBRE_ROWS
    }


def test_rows_that_are_not_selected(catalog: Catalog) -> None:
    assert {row.pn for row in length_rows(catalog) if not row.orderable} == NOT_SELECTED


@pytest.mark.parametrize(("pn", "length_mm", "opn"), LENGTHS)
def test_a_length_as_read(catalog: Catalog, pn: str, length_mm: int, opn: str | None) -> None:
    [row] = [row for row in length_rows(catalog) if row.pn == pn]
    assert (row.length_mm, row.opn, row.key) == (length_mm, opn, None)


@pytest.mark.parametrize(("key", "pn", "length_mm"), KEYED_LENGTHS)
def test_a_length_keyed_by_order_number(catalog: Catalog, key: str, pn: str, length_mm: int) -> None:
    [row] = [row for row in length_rows(catalog) if row.key == key]
    assert (row.pn, row.opn, row.length_mm) == (pn, key, length_mm)


@pytest.mark.parametrize(("key", "opn", "top", "ports", "port_gbps", "reach_mm", "status"), MODULES)
def test_a_module_as_read(
    catalog: Catalog, key: str, opn: str | None, top: str, ports: int, port_gbps: int, reach_mm: int | None,
    status: str,
) -> None:  # fmt: skip
    module = catalog.transceiver(key)
    assert (module.opn, module.top, module.ports, module.port_gbps) == (opn, top, ports, port_gbps)
    assert (module.reach_mm, module.status) == (reach_mm, status)


def active(catalog: Catalog, option: RecipeOption) -> bool:
    if option.cable is not None:
        return catalog.cable(option.cable).status == "active"
    keys = [key for key in (option.module_a, option.module_b) if key is not None]
    return all(catalog.get("transceivers", key, TransceiverType).status == "active" for key in keys)


@pytest.mark.parametrize(("a", "b", "gbps", "technology", "links_a", "links_b", "metres", "part"), BEST)
def test_the_first_active_option(
    catalog: Catalog, a: str, b: str, gbps: int, technology: str, links_a: int, links_b: int, metres: int,
    part: str,
) -> None:  # fmt: skip
    found = {recipe.id: recipe for recipe in catalog.all("recipes", Recipe)
             if (recipe.a, recipe.b, recipe.link_gbps) == (a, b, gbps)}  # fmt: skip
    [recipe] = [recipe for recipe in found.values() if technology in recipe.technologies]
    assert (recipe.links_per_cage_a, recipe.links_per_cage_b) == (links_a, links_b)
    fitting = [option for option in recipe.options if option.orderable and active(catalog, option)
               and option.over_mm < metres * 1000 <= option.max_mm]  # fmt: skip
    assert part == (fitting[0].cable or fitting[0].module_a or fitting[0].module_b)


def test_no_copper_and_multimode_where_there_is_none(catalog: Catalog) -> None:
    for recipe in catalog.all("recipes", Recipe):
        if recipe.link_gbps == 800 and "infiniband" in recipe.technologies:
            assert not {"dac", "multimode", "aoc"} & {option.medium for option in recipe.options}, recipe.id


def test_options_stand_in_order_of_medium(catalog: Catalog) -> None:
    order = ("twisted-pair", "dac", "acc", "aoc", "multimode", "singlemode")
    for recipe in catalog.all("recipes", Recipe):
        ranks = [order.index(option.medium) for option in recipe.options]
        assert ranks == sorted(ranks), recipe.id


def test_an_unconfirmed_join_is_never_selected(catalog: Catalog) -> None:
    for key in ("xdr-switch-ndr-cx7-osfp", "xdr400-switch-cx8-osfp"):
        [option] = catalog.get("recipes", key, Recipe).options
        assert not option.orderable and option.confidence == "estimated"


def test_refusals_say_why(catalog: Catalog) -> None:
    reasons = {(item.a, item.b): item.why for item in catalog.all("refusals", Refusal)}
    assert "100G lanes" in reasons["osfp-twin-200g-finned", "qsfp112"]
    assert "step" in reasons["osfp-twin-200g-finned", "osfp-twin-100g-finned"] or "do not run" in reasons[
        "osfp-twin-200g-finned", "osfp-twin-100g-finned"]  # fmt: skip
    assert "no OSFP plug" in reasons["osfp-100g-flat", "qsfp112"]


def test_nothing_of_the_collector_is_carried_over(catalog: Catalog) -> None:
    for kind in ("sources", "transceivers", "cables", "fibres", "recipes", "refusals"):
        for key in catalog.keys(kind):
            text = str(catalog.raw(kind, key))
            assert "index:" not in text and "index id" not in text, (kind, key)
