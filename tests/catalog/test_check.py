"""Each rule of the catalogue check is tripped by one small defect, and the message names the cause."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from fabricplan.catalog import KINDS, Catalog, RawEntry
from fabricplan.catalog.check import check
from fabricplan.errors import Problem
from fabricplan.files import load_catalog

Raw = dict[str, dict[str, dict[str, Any]]]
Defect = Callable[[Raw], object]

SWITCH: dict[str, Any] = {
    "model": "TEST-64", "technology": "infiniband", "generation": "NDR", "status": "active",
    "confidence": "verified", "sources": ["nvidia-linkx-400g-deck"], "capacity_one_way_tbps": 25.6,
    "variants": [{"pn": "TEST-64-F"}],
    "cages": [{"name": "osfp", "count": 32, "port_class": "osfp-twin-100g-finned", "modes": [
        {"rate": "ndr", "technology": "infiniband", "speed_gbps": 400, "ports": 2, "lanes": 4,
         "lane_gbps": 100},
    ]}],
}  # fmt: skip
ADAPTER: dict[str, Any] = {
    "pn": "TEST-NIC", "series": "ConnectX-7", "status": "active", "confidence": "verified",
    "sources": ["nvidia-linkx-400g-deck"],
    "cages": [{"name": "osfp", "count": 1, "port_class": "osfp-100g-flat", "modes": [
        {"rate": "400gbe", "technology": "ethernet", "speed_gbps": 400, "ports": 1, "lanes": 4,
         "lane_gbps": 100},
    ]}],
}  # fmt: skip
PLATFORM: dict[str, Any] = {
    "id": "test-node", "title": "Node", "kind": "server", "gpus": 8, "status": "active",
    "confidence": "verified", "sources": ["nvidia-linkx-400g-deck"],
    "networks": [{"name": "compute", "adapter": "TEST-NIC", "adapter_count": 8}],
}  # fmt: skip


def plain() -> Raw:
    """Return the shipped interconnect, with one switch, one adapter and one platform of ours."""
    shipped = load_catalog()
    kinds = ("sources", "port-classes", "transceivers", "cables", "fibres", "recipes", "refusals")
    raw = {kind: {key: shipped.raw(kind, key) for key in shipped.keys(kind)} for kind in kinds}
    raw |= {"switches": {"TEST-64": SWITCH}, "adapters": {"TEST-NIC": ADAPTER}}
    raw |= {"platforms": {"test-node": PLATFORM}}
    return copy.deepcopy(raw)


@pytest.fixture(scope="module")
def base() -> Raw:
    return plain()


def faults(raw: Raw) -> tuple[Problem, ...]:
    return check(Catalog({kind: {key: RawEntry(data, kind) for key, data in rows.items()}
                          for kind, rows in raw.items()}))  # fmt: skip


def option(raw: Raw, recipe: str, number: int) -> dict[str, Any]:
    found: dict[str, Any] = raw["recipes"][recipe]["options"][number]
    return found


def mode(raw: Raw, kind: str = "switches", key: str = "TEST-64") -> dict[str, Any]:
    found: dict[str, Any] = raw[kind][key]["cages"][0]["modes"][0]
    return found


def director(raw: Raw, **changes: Any) -> None:
    """Make the switch a director of 72 ports: four leaf chips and two spine chips of 36 ports."""
    cages = {"name": "leaf", "count": 72, "port_class": "qsfp28", "modes": [
        {"rate": "edr", "technology": "infiniband", "speed_gbps": 100, "ports": 1, "lanes": 4, "lane_gbps": 25},
    ]}  # fmt: skip
    inside = {"leaf_chips": 4, "spine_chips": 2, "external_ports": 18, "internal_ports": 18, "internal_rate": "edr",
              "internal_gbps": 100, "leaf_chips_per_module": 2, "described_as": "TEST"}  # fmt: skip
    switch = {"product_class": "director", "generation": "EDR", "capacity_one_way_tbps": 7.2, "lid_nodes": 6}
    for name, value in changes.items():
        (inside if name in inside else switch)[name] = value
    raw["switches"]["TEST-64"].update(switch, cages=[cages], inside=inside)


# Options of ndr-switch-switch: 0 copper, 1 active copper, 2 multimode, 3 single mode 100 m.
SW = "ndr-switch-switch"
DEFECTS: list[tuple[str, Defect, str, str]] = [
    ("a field of the wrong type",
     lambda r: r["cables"]["mcp4y10"].update(links="two"), "catalog-field", "links"),
    ("unknown source", lambda r: r["cables"]["mcp4y10"].update(sources=["nvidia-linkx-400g-dek"]),
     "unknown-reference", "no sources entry 'nvidia-linkx-400g-dek'"),
    ("unknown port class of a recipe", lambda r: r["recipes"][SW].update(a="osfp-twin"),
     "unknown-reference", "no port-classes entry 'osfp-twin'"),
    ("unknown port class of a refusal", lambda r: r["refusals"]["qsfp28|osfp-100g-flat"].update(b="qsfp113"),
     "unknown-reference", "no port-classes entry 'qsfp113'"),
    ("unknown port class of a switch",
     lambda r: r["switches"]["TEST-64"]["cages"][0].update(port_class="osfp"),
     "unknown-reference", "no port-classes entry 'osfp'"),
    ("unknown port class of an adapter",
     lambda r: r["adapters"]["TEST-NIC"]["cages"][0].update(port_class="x"),
     "unknown-reference", "no port-classes entry 'x'"),
    ("unknown adapter of a platform",
     lambda r: r["platforms"]["test-node"]["networks"][0].update(adapter="CX"),
     "unknown-reference", "no adapters entry 'CX'"),
    ("unknown port class of a platform",
     lambda r: r["platforms"]["test-node"]["networks"].append({"name": "storage", "port_class": "qsfp"}),
     "unknown-reference", "no port-classes entry 'qsfp'"),
    ("unknown cable", lambda r: option(r, SW, 0).update(cable="mcp4y11"), "unknown-reference", "'mcp4y11'"),
    ("unknown module", lambda r: option(r, SW, 2).update(module_b="MMA4"), "unknown-reference", "'MMA4'"),
    ("unknown fibre", lambda r: option(r, SW, 2).update(fibre="mfp7e11"), "unknown-reference", "'mfp7e11'"),
    ("cable and fibre in one option", lambda r: option(r, SW, 0).update(fibre="mfp7e10"),
     "option-parts", "either a cable or a fibre"),
    ("module beside a cable", lambda r: option(r, SW, 0).update(module_a="MMA4Z00-NS"),
     "option-parts", "no modules beside it"),
    ("fibre without far module",
     lambda r: option(r, SW, 2).pop("module_b"), "option-parts", "takes a module"),
    ("module on co-packaged optics", lambda r: option(r, "xdr-cpo-cpo", 0).update(module_a="MMS4A20"),
     "option-parts", "its optics are built in"),
    ("lanes that do not make the speed",
     lambda r: mode(r).update(lanes=3), "lane-speed", "3 lanes x 100 is not 400"),
    ("more lanes than the cage has",
     lambda r: mode(r).update(ports=3), "lane-count", "3 x 4 lanes of 100 exceed"),
    ("faster lanes than the cage has",
     lambda r: mode(r, "adapters", "TEST-NIC").update(lanes=2, lane_gbps=200),
     "lane-count", "2 lanes of 200"),
    ("InfiniBand rate at a wrong speed", lambda r: mode(r).update(speed_gbps=200, lanes=2),
     "rate-technology", "ndr is 400 Gb/s, not 200"),
    ("unknown InfiniBand rate",
     lambda r: mode(r).update(rate="ndr400"), "rate-technology", "no InfiniBand rate"),
    ("InfiniBand rate in an Ethernet mode", lambda r: mode(r, "adapters", "TEST-NIC").update(rate="ndr"),
     "rate-technology", "in an Ethernet mode"),
    ("Ethernet mode on an InfiniBand switch", lambda r: mode(r).update(rate="400gbe", technology="ethernet"),
     "rate-technology", "ethernet mode 400gbe on an infiniband switch"),
    ("capacity counted in both directions",
     lambda r: r["switches"]["TEST-64"].update(capacity_one_way_tbps=51.2),
     "capacity", "one-way capacity is 51.2 Tb/s, ports x speed give 25.6"),
    ("chips without the ports of the panel", lambda r: director(r, external_ports=17),
     "director-chips", "4 leaf chips x 17 external ports is not 72 cages"),
    ("chips of a fixed switch", lambda r: director(r, product_class="switch"),
     "director-chips", "a switch has no chips inside"),
    ("inner ports that spine chips do not share evenly", lambda r: director(r, spine_chips=4, lid_nodes=8),
     "director-chips", "18 internal ports are not dealt evenly to 4 spine chips"),
    ("half a leaf module", lambda r: director(r, leaf_chips_per_module=3),
     "director-chips", "modules do not hold equally many chips"),
    ("spine chips with too few ports", lambda r: director(r, spine_chips=1, lid_nodes=5),
     "director-chips", "a spine chip would need 72 ports, a leaf chip has 36"),
    ("addresses that are not the chips", lambda r: director(r, lid_nodes=1),
     "director-chips", "lid_nodes is 1, the chips are 6"),
    ("inner links of an unknown speed", lambda r: director(r, internal_gbps=50),
     "director-chips", "edr is not 50 Gb/s"),
    ("part number twice", lambda r: r["cables"]["mcp4y10"]["lengths"][0].update(pn="MCP7Y00-N001"),
     "duplicate-number", "part number MCP7Y00-N001"),
    ("order number twice", lambda r: r["cables"]["mca4j80"]["lengths"][1].update(opn="980-9I601-00N003"),
     "duplicate-number", "order number 980-9I601-00N003"),
    ("recipe twice", lambda r: r["recipes"].update(twin=dict(r["recipes"][SW], id="twin")),
     "duplicate-recipe", "at 400 is also ndr-switch-switch"),
    ("refusal of a pair that has a recipe",
     lambda r: r["refusals"].update({"x": dict(r["refusals"]["qsfp28|osfp-100g-flat"], b="qsfp28")}),
     "refused-recipe", "joins this pair"),
    ("refusal of one speed at which a recipe joins the pair",
     lambda r: r["refusals"].update({"x": dict(r["refusals"]["qsfp28|osfp-100g-flat"], b="qsfp28", link_gbps=50)}),
     "refused-recipe", "recipe 50gbe-split-qsfp28-qsfp28 joins this pair"),
    ("recipe twice for one rate",
     lambda r: r["recipes"].update(twin=dict(r["recipes"]["hdr100-switch-qsfp56"], id="twin")),
     "duplicate-recipe", "at 100 is also hdr100-switch-qsfp56"),
    ("unknown successor of a cable", lambda r: r["cables"]["mfs1s00-h-e"].update(successor="mfs1s00-h-w"),
     "unknown-reference", "no cables entry 'mfs1s00-h-w'"),
    ("unknown successor of a switch", lambda r: r["switches"]["TEST-64"].update(successor="TEST-65"),
     "unknown-reference", "no switches entry 'TEST-65'"),
    ("head and tails unequal", lambda r: r["cables"]["mcp7y00"]["tail"].update(count=4),
     "cable-links", "2 links, head 1 x 2, tail 4 x 1"),
    ("length beyond the reach", lambda r: r["cables"]["mcp4y10"].update(reach_mm=1500), "cable-reach",
     "MCP4Y10-N002 is 2000 mm, reach 1500"),
    ("QSFP112 tails on OSFP cages", lambda r: option(r, "ndr-switch-cx7-osfp", 0).update(cable="mcp7y10"),
     "form-mismatch", "tail of mcp7y10 is qsfp112, osfp-100g-flat takes osfp"),
    ("finned cable in a DGX cage", lambda r: option(r, "ndr-switch-dgx-twin", 0).update(cable="mca4j80"),
     "top-mismatch", "tail of mca4j80 has top finned, osfp-twin-100g-flat flat"),
    ("NDR copper in an XDR recipe", lambda r: option(r, "xdr-switch-switch", 0).update(cable="mca4j80"),
     "cable-count", "2 links of 400G"),
    ("active PAM4 cable on 25G lanes",
     lambda r: option(r, "edr-switch-qsfp28", 1).update(cable="mfs1s00-h-v"),
     "lane-mismatch", "mfs1s00-h-v runs 50G lanes, qsfp28 25G"),
    ("splitter in a straight recipe", lambda r: option(r, "hdr-switch-qsfp56", 0).update(cable="mcp7h50-h"),
     "cable-count", "carries 2 links of 100G"),
    ("OSFP module in a QSFP112 cage",
     lambda r: option(r, "ndr-switch-qsfp112", 2).update(module_b="MMA4Z00-NS400"),
     "form-mismatch", "MMA4Z00-NS400 is osfp, qsfp112 takes qsfp112"),
    ("flat-top module in a switch", lambda r: option(r, SW, 2).update(module_a="MMA4Z00-NS-FLT"),
     "top-mismatch", "MMA4Z00-NS-FLT has top flat, osfp-twin-100g-finned finned"),
    ("XDR module in an NDR cage", lambda r: option(r, SW, 3).update(module_a="980-9IAH1-00XM00"),
     "lane-mismatch", "980-9IAH1-00XM00 runs 8 x 200G lanes"),
    ("NDR module against XDR module",
     lambda r: option(r, "xdr-switch-switch", 1).update(module_b="MMS4X00-NM"),
     "optics-mismatch", "980-9IAH1-00XM00 DR 200G, MMS4X00-NM DR 100G"),
    ("multimode module on single-mode fibre", lambda r: option(r, SW, 2).update(fibre="mfp7e30"),
     "fibre-mode", "MMA4Z00-NS has multimode, mfp7e30 singlemode"),
    ("UPC fibre on an APC module", lambda r: option(r, SW, 2).update(fibre="om4-mpo12-upc"),
     "connector-mismatch", "MMA4Z00-NS has MPO-12/APC, om4-mpo12-upc MPO-12/UPC"),
    ("LC fibre on co-packaged optics", lambda r: option(r, "xdr-cpo-cpo", 0).update(fibre="os2-lc-duplex"),
     "connector-mismatch", "mpo12-200g has MPO-12/APC, os2-lc-duplex LC duplex/UPC"),
    ("UPC polish on an APC connector", lambda r: r["fibres"]["mfp7e10"].update(polish="UPC"),
     "polish", "mfp7e10 has UPC, its connector MPO-12/APC"),
    ("straight fibre where four links need splitters",
     lambda r: option(r, "ndr200-switch-cx7-osfp", 2).update(fibre="mfp7e10"),
     "module-count", "need 4 connectors"),
    ("module too slow", lambda r: r["transceivers"]["MMA4Z00-NS"].update(port_gbps=200), "module-count",
     "2 x 400G over mfp7e10"),
    ("further than the module", lambda r: option(r, SW, 3).update(max_mm=120000), "reach",
     "reaches 120000 mm, MMS4X00-NS only 100000"),
    ("further than the splitter path", lambda r: option(r, "ndr200-switch-cx7-osfp", 3).update(max_mm=60000),
     "reach", "mfp7e40 only 50000"),
    ("further than the longest fibre sold", lambda r: option(r, SW, 4).update(max_mm=200000), "reach",
     "the longest mfp7e30 only 150000"),
    ("selected without a part to buy", lambda r: option(r, "50gbe-split-qsfpdd-sfp56", 0).pop("orderable"),
     "reach", "the longest mcp7f80-w only 0"),
    ("empty length band", lambda r: option(r, SW, 1).update(over_mm=5000), "empty-band", "over 5000 to 5000"),
    ("Ethernet-only module in an InfiniBand recipe",
     lambda r: option(r, SW, 2).update(module_a="MMA4Z00-NS-T"),
     "part-technology", "MMA4Z00-NS-T is ethernet only, the recipe infiniband"),
]  # fmt: skip


@pytest.mark.parametrize(("defect", "code", "told"), [row[1:] for row in DEFECTS], ids=[row[0] for row in DEFECTS])
def test_a_defect_is_told_by_its_rule(base: Raw, defect: Defect, code: str, told: str) -> None:
    raw = copy.deepcopy(base)
    defect(raw)
    found = faults(raw)
    assert any(problem.code == code and told in problem.message for problem in found), found
    assert all(problem.where for problem in found)


def test_the_base_of_these_defects_is_sound(base: Raw) -> None:
    assert faults(base) == ()


def test_an_unknown_reference_suggests_the_nearest() -> None:
    raw = plain()
    option(raw, SW, 0)["cable"] = "mcp4y11"
    [problem] = faults(raw)
    assert "did you mean mcp4y10" in problem.hint and problem.where == "recipes/ndr-switch-switch.options[0]"


def test_every_kind_is_walked(base: Raw) -> None:
    for kind, key in ((kind, next(iter(rows))) for kind, rows in base.items() if kind != "sources"):
        raw = copy.deepcopy(base)
        raw[kind][key]["sources"] = ["nowhere"]
        assert [problem.code for problem in faults(raw)] == ["unknown-reference"], kind
    assert set(base) <= set(KINDS)


def test_the_shipped_catalogue_has_no_problems() -> None:
    assert check(load_catalog()) == ()
