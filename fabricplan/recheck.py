"""A finished plan judged again: is it still what was designed, and do the rules still find what they found then?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from fabricplan._version import __version__
from fabricplan.catalog import KINDS, Catalog
from fabricplan.checks import check, in_order
from fabricplan.plan import Plan
from fabricplan.rawcatalog import RawEntry
from fabricplan.values import Finding, finding


def recheck(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:
    """Run all rules over a finished plan again, by the facts that it was made of.

    Args:
        plan: the plan, perhaps changed since it was written.
        catalog: what is known beside the entries that the plan holds.

    Returns:
        The findings, errors first; among them what no longer agrees with the findings that the plan was written with.
    """
    found = check(plan.requirement, plan.fabrics, plan.topology, plan.placement, plan.cabling, plan.bom,
                  catalog_of(plan, catalog))  # fmt: skip
    sized = tuple(note for sizing in plan.fabrics for note in sizing.findings)
    return in_order((*_stored(plan, (*sized, *found)), *sized, *found))


def catalog_of(plan: Plan, catalog: Catalog) -> Catalog:
    """Return a catalogue under the plan's own entries: a plan is judged by the facts it was made of.

    Options of the plan's recipes whose parts nobody holds are left out: the plan does not use them.
    """
    entries = {kind: {key: RawEntry(catalog.raw(kind, key), kind) for key in catalog.keys(kind)} for kind in KINDS}
    for kind, held in plan.products.entries():
        for entry in held:
            data = entry.model_dump(exclude_none=True)
            entries[kind][data[KINDS[kind].key]] = RawEntry(data, "plan")
    recipes = {recipe.id for recipe in plan.products.recipes}
    # the plan's recipes come first: of several that join the same ends, the first one counts
    rows = {key: entries["recipes"][key] for key in sorted(entries["recipes"], key=lambda key: key not in recipes)}
    for key in recipes:
        options = [option for option in rows[key].data["options"] if _held(entries, option)]
        rows[key] = RawEntry({**rows[key].data, "options": options}, "plan")
    return Catalog(entries | {"recipes": rows}, {item.entry: item.fields for item in plan.products.overridden})


def _held(entries: dict[str, dict[str, RawEntry]], option: dict[str, Any]) -> bool:
    named = (("cables", "cable"), ("fibres", "fibre"), ("transceivers", "module_a"), ("transceivers", "module_b"))
    return all(option.get(field) is None or option[field] in entries[kind] for kind, field in named)


def _stored(plan: Plan, found: tuple[Finding, ...]) -> Iterator[Finding]:
    """Tell where the findings that a plan was written with are not those that are found now.

    Another version of the program has other rules, so there this is no error.
    """
    before, now = Counter(plan.findings), Counter(found)
    missing, gone = (now - before).total(), (before - now).total()
    if missing or gone:
        same = plan.made_by.version == __version__
        yield finding("error" if same else "info", "findings-differ", plan.name, missing=missing, gone=gone,
                      version=plan.made_by.version)  # fmt: skip
