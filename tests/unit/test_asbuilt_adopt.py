"""Adopting: what a request reproduces becomes that request's plan; what it does not is refused with the reasons."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from fabricplan.asbuilt.adopt import adopt
from fabricplan.asbuilt.verify import verify
from fabricplan.catalog import Catalog
from fabricplan.errors import InfeasibleError
from fabricplan.readers.discovery import read_found
from fabricplan.readers.name_map import read_name_map
from fabricplan.renderers import names_csv
from tests.conftest import PlanOf
from tests.miscabling import dump, lose, model

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize(
    ("group", "fabric"),
    [
        ({"nodes": 32}, {"rate": "ndr"}),
        ({"nodes": 72, "ports": 1}, {"rate": "edr"}),
        ({"nodes": 16}, {"rate": "hdr100"}),
        ({"nodes": 64}, {"rate": "ndr", "oversubscription": ["2:1"]}),
        ({"nodes": 8}, {"rate": "ndr"}),
    ],
    ids=["32-ndr", "72-edr", "16-hdr100", "64-ndr-2to1", "one-switch"],
)
def test_a_regular_fabric_is_adopted_link_by_link(
    plan_of: PlanOf, catalog: Catalog, group: dict[str, Any], fabric: dict[str, Any]
) -> None:
    built = model(plan_of(group, fabric))
    text = dump(built).replace("node-su", "gpu").replace("leaf-", "L").replace("spine-", "S")
    found = read_found(text.encode(), "found.txt")
    adopted = adopt(found, catalog)
    assert adopted.plan.fabrics[0].node_leaf_links == plan_of(group, fabric).fabrics[0].node_leaf_links
    names = read_name_map(names_csv.render(adopted.names, "en")["names.csv"].decode("utf-8-sig"), "names.csv")
    assert verify(adopted.plan, "0" * 64, found, names).clean


def test_growth_is_adopted_only_where_it_was_laid_out(plan_of: PlanOf, catalog: Catalog) -> None:
    built = model(plan_of({"nodes": 32, "grow_to": 128}, {"rate": "ndr"}))
    grown = adopt(read_found(dump(built).encode(), "found.txt"), catalog, grow_to=128)
    assert grown.plan.requirement.groups[0].grow_to == 128
    with pytest.raises(InfeasibleError, match="no request gives this fabric of 32 nodes"):
        adopt(read_found(dump(model(plan_of({"nodes": 32}, {"rate": "ndr"}))).encode(), "found.txt"), catalog,
              grow_to=512)  # fmt: skip


def test_an_irregular_fabric_is_refused_with_reasons(plan_of: PlanOf, catalog: Catalog) -> None:
    built = model(plan_of({"nodes": 32}, {"rate": "ndr"}))
    trunk = next(at for at, link in enumerate(built.links) if link[0][0].startswith("leaf"))
    del built.links[trunk]
    with pytest.raises(InfeasibleError, match="links between switches planned"):
        adopt(read_found(dump(built).encode(), "found.txt"), catalog)
    lose(built, random.Random(1), 40)
    with pytest.raises(InfeasibleError):
        adopt(read_found(dump(built).encode(), "found.txt"), catalog)
    real = read_found((DATA / "selene-storage.ibnetdiscover.txt").read_bytes(), "selene")
    with pytest.raises(InfeasibleError, match="64\\+64\\+32 stand"):
        adopt(real, catalog)
    with pytest.raises(InfeasibleError, match="which of them are one node"):
        adopt(read_found(dump(built, unnamed=True).encode(), "found.txt"), catalog)
