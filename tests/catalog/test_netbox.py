"""NetBox device types against the published rules of its device-type library, stated here in our own words.

Source: netbox-community/devicetype-library, schema/devicetype.json, components.json and generated_schema.json (read
2026-11-30), and the interface types that NetBox 4.5.6 added.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from fabricplan.catalog import Catalog
from fabricplan.renderers.netbox_types import device_types

REQUIRED = {"manufacturer", "model", "slug", "u_height", "is_full_depth"}
ALLOWED = REQUIRED | {
    "part_number", "airflow", "weight", "weight_unit", "front_image", "rear_image", "subdevice_role", "is_powered",
    "console-ports", "console-server-ports", "power-ports", "power-outlets", "interfaces", "front-ports", "rear-ports",
    "module-bays", "device-bays", "inventory-items", "description", "comments",
}  # fmt: skip
INTERFACE_TYPES = {
    "1000base-t", "25gbase-x-sfp28", "100gbase-x-qsfp28", "200gbase-x-qsfp56", "200gbase-x-qsfpdd",
    "400gbase-x-qsfpdd", "800gbase-x-osfp", "1.6tbase-x-osfp1600", "1.6tbase-x-osfp1600-rhs", "infiniband-edr",
    "infiniband-hdr", "infiniband-ndr", "infiniband-xdr",
}  # fmt: skip
INLETS = {"iec-60320-c14", "iec-60320-c16", "iec-60320-c20"}


@pytest.fixture(scope="module")
def types(catalog: Catalog) -> dict[str, dict[str, Any]]:
    files, _ = device_types(catalog)
    return {name: yaml.safe_load(text) for name, text in files.items()}


@pytest.fixture(scope="module")
def by_model(types: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Device types by the model that NetBox shows: the part number where a switch has several."""
    return {entry["model"]: entry for entry in types.values()}


def test_fields_of_every_file(types: dict[str, dict[str, Any]]) -> None:
    for name, entry in types.items():
        assert set(entry) >= REQUIRED and set(entry) <= ALLOWED, name
        assert re.fullmatch(r"[-a-z0-9_]+", entry["slug"]) and len(entry["slug"]) <= 100
        assert entry["slug"].startswith("nvidia-")
        model = entry["description"].rpartition(" ")[2]
        words = dict.fromkeys(word.lower().replace("_", "-") for word in (model, entry.get("part_number", model)))
        assert name == f"Nvidia/{'-'.join(words)}.yaml"
        assert len(entry["model"]) <= 100 and len(entry.get("part_number", "")) <= 50
        assert entry["u_height"] > 0 and entry["u_height"] % 0.5 == 0
        assert entry.get("airflow", "front-to-rear") in {"front-to-rear", "rear-to-front"}
        assert ("weight" in entry) == ("weight_unit" in entry)
        assert len(entry["description"]) <= 200
    assert len({entry["slug"] for entry in types.values()}) == len(types)


def test_interfaces_and_inlets_of_every_file(types: dict[str, dict[str, Any]]) -> None:
    for name, entry in types.items():
        names = [row["name"] for row in entry["interfaces"]]
        assert len(set(names)) == len(names) and all(0 < len(word) <= 64 for word in names), name
        assert {row["type"] for row in entry["interfaces"]} <= INTERFACE_TYPES, name
        assert all(set(row) == {"name", "type"} for row in entry["interfaces"])
        for row in entry.get("power-ports", ()):
            assert set(row) == {"name", "type"} and row["type"] in INLETS


@pytest.mark.parametrize(
    ("name", "count", "kinds", "first", "last"),
    [
        ("MQM9700-NS2F", 64, {"infiniband-ndr"}, "IB1/1/1", "IB1/32/2"),
        ("MQM8700-HS2F", 40, {"infiniband-hdr"}, "IB1/1", "IB1/40"),
        ("MSB7800-ES2F", 36, {"infiniband-edr"}, "IB1/1", "IB1/36"),
        ("Q3400-RA", 144, {"infiniband-xdr"}, "sw1p1", "sw72p2"),
        ("Q3200-RA", 72, {"infiniband-xdr"}, "S1 sw1p1", "S2 sw18p2"),
        ("Q3450-LD", 144, {"infiniband-xdr"}, "sw1p1", "sw72p2"),
        ("920-9N42F-00RI-7C0", 65, {"800gbase-x-osfp", "25gbase-x-sfp28"}, "swp1", "swp65"),
        ("MSN2201-CB2FC", 52, {"1000base-t", "100gbase-x-qsfp28"}, "swp1", "swp52"),
        ("SN6600-LD", 64, {"1.6tbase-x-osfp1600-rhs"}, "swp1", "swp64"),
    ],
)
def test_ports_as_the_panel_has_them(
    by_model: dict[str, dict[str, Any]], name: str, count: int, kinds: set[str], first: str, last: str
) -> None:
    rows = by_model[name]["interfaces"]
    assert (len(rows), {row["type"] for row in rows}) == (count, kinds)
    assert (rows[0]["name"], rows[-1]["name"]) == (first, last)


def test_both_airflows_are_files_of_their_own(by_model: dict[str, dict[str, Any]]) -> None:
    flows = {name: by_model[f"MQM9700-{name}"]["airflow"] for name in ("NS2F", "NS2R")}
    assert flows == {"NS2F": "rear-to-front", "NS2R": "front-to-rear"}


def test_power_is_told_of_the_switch_because_no_source_tells_what_an_inlet_draws(
    by_model: dict[str, dict[str, Any]],
) -> None:
    inlets = by_model["MQM9700-NS2F"]["power-ports"]
    assert [(row["name"], row["type"]) for row in inlets] == [("PSU1", "iec-60320-c14"), ("PSU2", "iec-60320-c14")]
    assert "747 W" in by_model["MQM9700-NS2F"]["comments"] and "1,720 W" in by_model["MQM9700-NS2F"]["comments"]
    assert len(by_model["Q3400-RA"]["power-ports"]) == 8
    assert "power-ports" not in by_model["Q3401-RD"]
    assert "busbar" in by_model["Q3401-RD"]["comments"]


def test_every_switch_has_a_file_or_a_reason(catalog: Catalog, types: dict[str, dict[str, Any]]) -> None:
    _, left = device_types(catalog)
    shown = {word for entry in types.values() for word in (entry["description"].rpartition(" ")[2],)}
    assert shown | set(left) == set(catalog.keys("switches")) and not shown & set(left)
    assert set(left.values()) == {"its height is not known", "its cages are not known"}


def test_files_are_named_by_model_and_part_number(types: dict[str, dict[str, Any]]) -> None:
    assert {"Nvidia/qm9700-mqm9700-ns2f.yaml", "Nvidia/qm9700-mqm9700-ns2r.yaml",
            "Nvidia/sn5600-920-9n42f-00ri-7c0.yaml", "Nvidia/q3450-ld.yaml"} <= set(types)  # fmt: skip
    assert types["Nvidia/sn5600-920-9n42f-00ri-7c0.yaml"]["part_number"] == "920-9N42F-00RI-7C0"
