"""Switches, adapters, platforms and accessories against numbers counted by hand in the collected facts.

The facts hold 34 InfiniBand products, 44 Spectrum variants, 122 adapters and 34 platforms. Of the InfiniBand ones 26
are switches or directors (some are variants of one model), two routers, three management appliances, two long-haul
systems and a gateway. Five of the platforms are management appliances and kept as accessories; one fact (DGX B300) has
the name of its file; the catalogue adds the generic servers.
"""

from __future__ import annotations

from collections import Counter

import pytest

from fabricplan.catalog import AdapterType, Catalog, PlatformType, SwitchType

MODELS = {
    "EDR": {"SB7700", "SB7790", "SB7780", "SB7800", "SB7890", "SB7880", "CS7500", "CS7510", "CS7520"},
    "HDR": {"QM8700", "QM8790", "CS8500"},
    "NDR": {"QM9700", "QM9790", "QM9701", "CS9500"},
    "XDR": {"Q3400-RA", "Q3401-RD", "Q3450-LD", "Q3300-LD", "Q3200-RA"},
    "Spectrum-1": {"SN2010", "SN2100", "SN2201", "SN2201_M", "SN2410", "SN2700"},
    "Spectrum-2": {"SN3420", "SN3700", "SN3700C", "SN3750-SX"},
    "Spectrum-3": {"SN4410", "SN4600", "SN4600C", "SN4700"},
    "Spectrum-4": {"SN5400", "SN5600", "SN5600D", "SN5610"},
    "Spectrum-5": {"SN5810-LD", "SN5800-LD"},
    "Spectrum-6": {"SN6600", "SN6600-LD", "SN6810-LD", "SN6800-LD", "SN6200-LD"},
}
SPECTRUM_VARIANTS = 34  # of 44; ten models are known without a part number
SPECTRUM_WITHOUT_NUMBER = {
    "SN2201_M", "SN3750-SX", "SN4410", "SN5600D", "SN5810-LD", "SN5800-LD", "SN6600", "SN6810-LD", "SN6800-LD",
    "SN6200-LD",
}  # fmt: skip
SERIES = {
    "BlueField-3": 18, "ConnectX-6 VPI": 16, "ConnectX-6 Dx": 13, "ConnectX-7 VPI": 12, "BlueField-2": 11,
    "ConnectX-7 EN": 8, "ConnectX-8 SuperNIC": 7, "ConnectX-6 Lx": 6, "ConnectX-7 IB": 5, "ConnectX-4 VPI": 4,
    "ConnectX-5 EN": 3, "ConnectX-9 SuperNIC": 3, "ConnectX-4 EN": 2, "ConnectX-4 Lx EN": 2, "ConnectX-5 VPI": 2,
    "ConnectX-5 VPI Socket Direct": 2, "ConnectX-5 Ex VPI": 1, "ConnectX-5 Ex EN": 1, "ConnectX-5 VPI OCP 2.0": 1,
    "ConnectX-5 EN OCP 2.0": 1, "ConnectX-6 EN": 1, "ConnectX-6 DE": 1, "ConnectX-7 module": 1, "BlueField-4": 1,
}  # fmt: skip
ADAPTERS = 122
REAL_PLATFORMS = 29  # 34 less five management appliances
ACCESSORIES = {
    "MUA9602H-2SR", "MUA9702H-2SFS-DC", "MUA9652H-2SF", "MUA950", "UFM XDR Enterprise Appliance", "MGA100-HS2",
    "MetroX-3 XC", "TQ8100-HS2F", "TQ8200-HS2F", "MAM1Q00A-QSA", "MAM1Q00A-QSA28",
}  # fmt: skip

# model, cages of one switch, ports of one switch at the native rate, rack units, one-way Tb/s: typed from the facts
SIZES = [
    ("SB7800", 36, 36, 1, 3.6), ("QM8700", 40, 40, 1, 8.0), ("QM9700", 32, 64, 1, 25.6),
    ("Q3400-RA", 72, 144, 4, 115.2),
    ("Q3200-RA", 18, 36, 2, 28.8), ("Q3450-LD", 144, 144, 4, 115.2), ("SN2201", 52, 48, 1, 0.448),
    ("SN3700", 32, 32, 1, 6.4), ("SN4600C", 64, 64, 2, 6.4), ("SN4700", 32, 32, 1, 12.8), ("SN5600", 65, 64, 2, 51.2),
]  # fmt: skip
LOGICAL_PORTS = {
    "SN2100": 64, "SN2700": 64, "SN2410": 64, "SN3420": 96, "SN3700C": 128, "SN3700": 128, "SN4600C": 128,
    "SN4600": 128, "SN4700": 128, "SN5400": 258, "SN5600": 257, "SN5610": 258, "QM9700": 128, "QM8700": 80,
}  # fmt: skip


def test_models_of_each_generation(catalog: Catalog) -> None:
    found: dict[str, set[str]] = {}
    for switch in catalog.all("switches", SwitchType):
        found.setdefault(switch.generation, set()).add(switch.model)
    assert found == MODELS


def test_part_numbers_of_spectrum(catalog: Catalog) -> None:
    switches = [item for item in catalog.all("switches", SwitchType) if item.technology == "ethernet"]
    assert sum(len(item.variants) for item in switches) == SPECTRUM_VARIANTS
    assert {item.model for item in switches if not item.variants} == SPECTRUM_WITHOUT_NUMBER


def test_adapters_of_each_series(catalog: Catalog) -> None:
    found = Counter(item.series for item in catalog.all("adapters", AdapterType))
    assert dict(found) == SERIES and found.total() == ADAPTERS


def test_platforms_and_accessories(catalog: Catalog) -> None:
    real = [item for item in catalog.all("platforms", PlatformType) if item.kind != "generic"]
    assert len(real) == REAL_PLATFORMS
    assert set(catalog.keys("accessories")) == ACCESSORIES


@pytest.mark.parametrize(("model", "cages", "ports", "units", "tbps"), SIZES)
def test_a_switch_as_read(catalog: Catalog, model: str, cages: int, ports: int, units: int, tbps: float) -> None:
    switch = catalog.switch(model)
    assert sum(group.count for group in switch.cages) == cages
    assert max(group.count * group.modes[0].ports for group in switch.cages) == ports
    assert (switch.height_u, switch.capacity_one_way_tbps) == (units, tbps)


def test_logical_ports_as_read(catalog: Catalog) -> None:
    assert {model: catalog.switch(model).max_logical_ports for model in LOGICAL_PORTS} == LOGICAL_PORTS


def test_what_has_no_number_is_never_orderable(catalog: Catalog) -> None:
    for adapter in catalog.all("adapters", AdapterType):
        if not adapter.cages and adapter.opn is None and not adapter.pn.startswith(("MCX", "MBF", "900-")):
            assert not adapter.orderable, adapter.pn
    for model in SPECTRUM_WITHOUT_NUMBER:
        assert (catalog.switch(model).orderable, catalog.switch(model).variants) == (False, ())
