"""Whether a part goes into a device or onto another part, and whether it reaches.

Serves ``catalog mates``. What joins two devices is the business of ``mates``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabricplan.catalog import CableType, Catalog, FibreType, Recipe, TransceiverType
from fabricplan.catalog import fits as fit
from fabricplan.products import Part, Product


@dataclass(frozen=True)
class Fit:
    """What stands against two products going together; no faults: they do, as the ``notes`` say."""

    faults: tuple[str, ...]
    notes: tuple[str, ...] = ()


def fit_of(catalog: Catalog, one: Product, other: Product, length_mm: int | None) -> Fit:
    """Return whether a part and a device, or two parts, go together over a route of a length."""
    if one.part is not None and other.part is not None:
        faults = list(_two_parts(one.part, other.part))
        notes: list[str] = []
    else:
        part, device = (one, other) if one.part is not None else (other, one)
        faults, notes = _in_device(catalog, part, device)
    if not faults and length_mm is not None:
        faults = list(_short(one, other, length_mm))
    return Fit(tuple(faults), tuple(notes))


def _in_device(catalog: Catalog, product: Product, device: Product) -> tuple[list[str], list[str]]:
    part = product.part
    if part is None or not device.ports:
        return [f"no ports of {device.key} are known"], []
    told: list[str] = []
    for name in dict.fromkeys(name for name, _ in device.ports):
        faults = list(_in_cage(catalog, part, name))
        asked = {mode.technology for key, modes in device.ports if key == name for mode in modes}
        if not isinstance(part, FibreType) and asked and not asked & set(part.technologies):
            label = part.pn if isinstance(part, TransceiverType) else part.id.upper()
            faults += [line for item in sorted(asked) for line in fit.serves(label, part.technologies, item)]
        if not faults:
            return [], []
        told += faults
    slower = _not_for_orders(catalog, part, device)
    return ([], list(dict.fromkeys(slower))) if slower else (told, [])


def _in_cage(catalog: Catalog, part: Part, name: str) -> Iterator[str]:
    """Yield why a part does not go into the cages of a class."""
    cage = catalog.port_class(name)
    if isinstance(part, TransceiverType):
        yield from fit.module_in_cage(part, cage)
    elif isinstance(part, CableType):
        yield from fit.cable_in_cage(part, cage)
    else:
        shown = fit.BUILT_IN.get(cage.form)
        if shown is None:
            yield f"a fibre goes into a transceiver; {name} takes {cage.form.upper()} plugs"
        elif shown not in (part.connector, part.tail_connector):
            yield f"{part.id.upper()} has {part.connector}, {name} {shown}"


def _not_for_orders(catalog: Catalog, part: Part, device: Product) -> list[str]:
    """Return how existing cables serve a device's ports though no recipe orders them.

    An option that is not orderable and more than estimated is a fact about what works; an estimated one is a guess.
    """
    if not isinstance(part, CableType):
        return []
    told = []
    for recipe in catalog.all("recipes", Recipe):
        for name, modes in device.ports:
            far = recipe.b if name == recipe.a else recipe.a
            rates = [mode.rate.upper() for mode in modes
                     if mode.technology in recipe.technologies and mode.speed_gbps == recipe.link_gbps]  # fmt: skip
            told += [
                f"works at {'/'.join(dict.fromkeys(rates))}, to {far} ports, to {option.max_mm / 1000:g} m; existing "
                "cables only, not for new orders" + (f" ({option.note})" if option.note else "")
                for option in recipe.options
                if name in (recipe.a, recipe.b) and rates and option.cable == part.id and not option.orderable
                and option.confidence != "estimated"
            ]  # fmt: skip
    return told


def _short(one: Product, other: Product, length_mm: int) -> Iterator[str]:
    """Yield which parts end before the route does."""
    for product, mate in ((one, other), (other, one)):
        reach = _reach(product, mate)
        if reach is not None and length_mm > reach:
            verb = "is" if product.row is not None and product.row.length_mm == reach else "reaches"
            yield f"{product.label} {verb} {reach / 1000:g} m{' long' if verb == 'is' else ''}, the route is " \
                  f"{length_mm / 1000:g} m"  # fmt: skip


def _reach(product: Product, mate: Product) -> int | None:
    """Return the longest route that a part serves, in millimetres; None where that is not known."""
    part = product.part
    limits: list[int | None] = []
    if isinstance(part, TransceiverType):
        grade = mate.part.grade if isinstance(mate.part, FibreType) else None
        limits = [dict(part.reach_by_grade).get(grade or "", part.reach_mm)]
    elif part is not None:
        limits = [part.reach_mm if isinstance(part, CableType) else part.link_max_mm]
        sold = max((row.length_mm for row in part.lengths), default=None)
        # two fibres make one route together: neither alone need be as long
        if not part.any_length and not isinstance(mate.part, FibreType):
            limits.append(product.row.length_mm if product.row else sold)
    known = [limit for limit in limits if limit is not None]
    return min(known) if known else None


def _two_parts(one: Part, other: Part) -> Iterator[str]:
    if isinstance(one, CableType) or isinstance(other, CableType):
        yield "the plugs are part of a cable: it takes neither modules nor fibres"
    elif isinstance(one, TransceiverType) and isinstance(other, TransceiverType):
        yield from fit.module_to_module(one, other)
    elif isinstance(one, TransceiverType) and isinstance(other, FibreType):
        yield from fit.module_on_fibre(one, other)
    elif isinstance(one, FibreType) and isinstance(other, TransceiverType):
        yield from fit.module_on_fibre(other, one)
    elif isinstance(one, FibreType) and isinstance(other, FibreType):
        yield from fit.fibre_on_fibre(one, other)
