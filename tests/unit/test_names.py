"""Names: unique, of fixed width, in text order; labels of ports by each product's rule."""

from __future__ import annotations

import pytest

from fabricplan.names import Widths, core_name, digits, leaf_name, node_name, port_label, rack_name, spine_name
from tests.conftest import PlanOf


def test_names_sort_as_they_stand() -> None:
    widths = Widths(unit=3, rail=2, plane=2)
    leaves = [leaf_name("", plane, unit, rail, widths) for plane in (1, 10) for unit in (1, 10) for rail in (2, 10)]
    assert leaves == sorted(leaves)
    assert node_name("gpu", 12, 7, widths) == "gpu-su012-007"
    assert spine_name("storage-", 1, 2, 3, widths) == "storage-spine-p01-pod02-03"
    assert core_name("", 0, 1, 12, widths) == "core-g01-12"


def test_sixteen_planes_and_sixteen_ports(plan_of: PlanOf) -> None:
    names = plan_of({"nodes": 64, "platform": "dgx-b300"}, {"rate": 400, "technology": "roce", "planes": "rail"})
    leaves = [name for name in names.device_names() if name.startswith("leaf")]
    assert leaves == sorted(set(leaves)) and len(leaves) == 16 and leaves[0] == "leaf-p01-su01"


def test_two_leaves_of_one_rail_have_names_of_their_own(plan_of: PlanOf) -> None:
    plan = plan_of({"nodes": 64, "platform": "dgx-b300"}, {"rate": 400, "technology": "roce"})
    leaves = [name for name in plan.device_names() if name.startswith("leaf")]
    assert leaves == sorted(set(leaves)) and len(leaves) == 16
    assert leaves[:3] == ["leaf-su01-r0a", "leaf-su01-r0b", "leaf-su01-r1a"]


def test_width_does_not_follow_todays_count(plan_of: PlanOf) -> None:
    few = plan_of({"nodes": 8, "grow_to": 512, "platform": "dgx-h100"}, {"rate": "ndr"}).device_names()
    assert few[0] == "node-su001-001"
    assert "spine-pod01-01" in few


@pytest.mark.parametrize(("largest", "width"), [(1, 2), (99, 2), (100, 3)])
def test_digits(largest: int, width: int) -> None:
    assert digits(largest) == width


def test_racks_and_unknown_numbering() -> None:
    assert [rack_name(row, 1) for row in (0, 25, 26, 701, 702)] == ["A01", "Z01", "AA01", "ZZ01", "AAA01"]
    with pytest.raises(ValueError, match="no port numbering"):
        port_label("abc", 1, 1, 1)


@pytest.mark.parametrize(
    ("numbering", "per_cage", "links", "count"),
    [("edr", 1, 1, 36), ("hdr", 1, 1, 40), ("hdr", 2, 2, 80), ("ndr", 2, 2, 64), ("ndr", 4, 4, 128),
     ("xdr", 2, 2, 144), ("spectrum", 2, 2, 128), ("spectrum", 4, 4, 256)],
)  # fmt: skip
def test_labels_of_a_whole_switch_differ(numbering: str, per_cage: int, links: int, count: int) -> None:
    assert len({port_label(numbering, number, per_cage, links) for number in range(1, count + 1)}) == count
