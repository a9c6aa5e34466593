"""Design, prove, quote and cable Clos fabrics for GPU clusters.

>>> from fabricplan import design, load_catalog, load_requirement
>>> request = load_requirement({"groups": [{"gpus": 128}], "fabrics": [{"rate": "ndr"}]})
>>> plan = design(request, load_catalog())
>>> plan.fabrics[0].leaf_count, plan.fabrics[0].spine_count
(4, 2)

Every name is loaded when it is first asked for, so that ``import fabricplan`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from fabricplan._version import __version__

if TYPE_CHECKING:
    from fabricplan.byprice import design_by_price
    from fabricplan.catalog import Catalog
    from fabricplan.errors import (
        CatalogError,
        FabricplanError,
        InfeasibleError,
        PriceError,
        Problem,
        ReadError,
        RenderError,
        RequirementError,
    )
    from fabricplan.files import load_catalog, load_requirement
    from fabricplan.pipeline import design
    from fabricplan.plan import Plan
    from fabricplan.pricefiles import load_prices, load_terms
    from fabricplan.prices import PriceBook
    from fabricplan.proof import Proof, prove
    from fabricplan.quote import Quote, Terms, price
    from fabricplan.renderers import render
    from fabricplan.requirement import Requirement
    from fabricplan.summary import summarize
    from fabricplan.values import Finding
    from fabricplan.wording import hint, text

__all__ = [
    "Catalog", "CatalogError", "FabricplanError", "Finding", "InfeasibleError", "Plan", "PriceBook",
    "PriceError", "Problem", "Proof", "Quote", "ReadError", "RenderError", "Requirement", "RequirementError",
    "Terms", "__version__", "design", "design_by_price", "hint", "load_catalog", "load_prices", "load_requirement",
    "load_terms", "price", "prove", "render", "summarize", "text",
]  # fmt: skip

_HOMES = {
    "byprice": ("design_by_price",),
    "catalog": ("Catalog",),
    "errors": (
        "CatalogError", "FabricplanError", "InfeasibleError", "PriceError", "Problem", "ReadError", "RenderError",
        "RequirementError",
    ),
    "files": ("load_catalog", "load_requirement"),
    "pipeline": ("design",),
    "plan": ("Plan",),
    "pricefiles": ("load_prices", "load_terms"),
    "prices": ("PriceBook",),
    "proof": ("Proof", "prove"),
    "quote": ("Quote", "Terms", "price"),
    "renderers": ("render",),
    "requirement": ("Requirement",),
    "summary": ("summarize",),
    "values": ("Finding",),
    "wording": ("hint", "text"),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"fabricplan.{home}"), name)
    raise AttributeError(f"module 'fabricplan' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
