"""Rules on directors: what must be asked of the maker, since no part number of chassis and modules is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fabricplan.catalog import SwitchType
from fabricplan.checks.view import View
from fabricplan.topology import director_modules, leaf_modules
from fabricplan.values import Finding, finding


def director_not_orderable(view: View) -> Iterator[Finding]:
    """Directors of which the catalogue knows no number to order, with the modules that the design needs."""
    for line in view.bom.lines:
        if line.catalog_kind != "switches" or line.pn or not line.quantity:
            continue
        entry = view.catalog.get("switches", line.key, SwitchType)
        if entry.inside is not None:
            modules = director_modules(view.topology, view.sizings, line.key, entry.inside, line.quantity)
            yield finding("warning", "director-not-orderable", line.key, quantity=line.quantity, leaf=modules.leaf,
                          spine=modules.spine, ports=entry.inside.module_cages)  # fmt: skip


def director_wiring(view: View) -> Iterator[Finding]:
    """What is inside of a director is known by its counts; the order of its inner links and of its panel is ours."""
    for sizing in view.sizings:
        inside = view.catalog.switch(sizing.shape.leaf.model).inside if sizing.shape.leaf else None
        if inside is not None:
            yield finding("info", "director-inside", sizing.name, model=sizing.shape.leaf.model,
                          leaf_chips=inside.leaf_chips, spine_chips=inside.spine_chips)  # fmt: skip


def director_grows(view: View) -> Iterator[Finding]:
    """Leaf modules that later stages need: phases count boxes, and these come into a box that stands."""
    for number, sizing in enumerate(view.sizings):
        leaf = sizing.shape.leaf
        inside = view.catalog.switch(leaf.model).inside
        if inside is None:
            continue
        today = sum(leaf_modules(view.topology, number, sizing, inside))
        final = (leaf.up_first_cage - leaf.down_first_cage) // inside.module_cages * sizing.leaf_count
        if today < final:
            yield finding("info", "director-grows", sizing.name, model=leaf.model, today=today, final=final)


RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (director_not_orderable, director_wiring, director_grows)
