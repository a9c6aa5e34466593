"""What joins two products: recipes between their ports, or whether one part goes into the other.

Serves ``catalog mates`` and ``catalog show``. Products are named as a user writes them: models, part numbers,
platforms, port classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fabricplan.catalog import Catalog, Lifecycle, PortMode, Recipe, RecipeOption, Technology
from fabricplan.fitting import fit_of
from fabricplan.mating import (
    MediaPolicy,
    allowed,
    family_of,
    modules_of,
    option_status,
    ordered_length,
    ranked_options,
    reach_mm,
    refusal_of,
    stated_refusal,
)
from fabricplan.products import Product
from fabricplan.values import Value


class MatePart(Value):
    """A part of one way to join two ends: ``pieces`` of it serve ``links`` links; ``end`` is a module's port class."""

    kind: str
    key: str
    pn: str
    opn: str | None = None
    end: str | None = None
    length_mm: int | None = None
    pieces: int = 1
    links: int = 1


class MateOption(Value):
    """One way to join two ends; ``reach_mm`` is the longest route that it serves."""

    medium: str
    reach_mm: int
    over_mm: int
    status: Lifecycle
    confidence: str
    orderable: bool
    parts: tuple[MatePart, ...]
    note: str | None = None


class Mate(Value):
    """A pair of ports that a recipe joins, with the options that serve the asked length, best first.

    ``instead_of`` is the preference among media that none of the options fulfils.
    """

    technology: Technology
    rates: tuple[str, ...]
    link_gbps: int
    a: str
    b: str
    links_per_cage_a: int
    links_per_cage_b: int
    recipe: str
    options: tuple[MateOption, ...]
    longest_mm: int
    instead_of: MediaPolicy | None = None
    notes: tuple[str, ...] = ()

    @property
    def rate(self) -> str:
        """Rates in words; the technology where any rate goes."""
        return ", ".join(rate.upper() for rate in self.rates) or self.technology


class MateReport(Value):
    """What joins two products at the asked length: ``mates``, or one goes into the other.

    Unless it ``fits``, ``reasons`` say why not; ``notes`` say how it does where one goes into the other.
    """

    a: str
    b: str
    length_mm: int | None
    fits: bool
    mates: tuple[Mate, ...]
    reasons: tuple[str, ...]
    notes: tuple[str, ...] = ()


def join_any(
    catalog: Catalog, ones: Sequence[Product], others: Sequence[Product], length_mm: int | None = None,
    media: MediaPolicy = "auto",
) -> MateReport:  # fmt: skip
    """Return what joins two words that each may mean several products of one part number: the first pair that fits.

    The notes name those that do not; if none fits, the reasons are those of all, each by its name.
    """
    pairs = [(one, other) for one in ones for other in others]
    found = [join(catalog, one, other, length_mm, media) for one, other in pairs]
    if len(found) == 1:
        return found[0]
    best = next((report for report in found if report.fits), None)
    refused = tuple(f"{item.a} and {item.b} do not fit: {reason}" for item in found for reason in item.reasons)
    if best is not None:
        which = "; ".join(f"{item.a} and {item.b}" for item in found if item.fits)
        return best.model_copy(update={"notes": (*best.notes, f"fits for {which}", *refused)})
    alike = {tuple(reason.replace(one.key, one.name).replace(other.key, other.name) for reason in item.reasons)
             for (one, other), item in zip(pairs, found, strict=True)}  # fmt: skip
    return found[0].model_copy(update={
        "a": ones[0].name, "b": others[0].name, "reasons": alike.pop() if len(alike) == 1 else refused,
    })  # fmt: skip


def join(
    catalog: Catalog, one: Product, other: Product, length_mm: int | None = None, media: MediaPolicy = "auto"
) -> MateReport:
    """Return which parts join two products, or why nothing does.

    Args:
        catalog: the catalogue.
        one, other: the ends, or parts.
        length_mm: length of the route; absent: every length.
        media: preference among media.
    """
    if one.part is not None or other.part is not None:
        fit = fit_of(catalog, one, other, length_mm)
        return MateReport(a=one.label, b=other.label, length_mm=length_mm, fits=not fit.faults, mates=(),
                          reasons=tuple(dict.fromkeys(fit.faults)), notes=fit.notes)  # fmt: skip
    mates = sorted(_joined(catalog, one, other, length_mm, media), key=lambda mate: (not mate.options, -mate.link_gbps))
    fits = any(mate.options for mate in mates)
    reasons: list[str] = []
    if not fits:
        reasons = [f"{mate.a} to {mate.b} at {mate.rate}, {mate.link_gbps} Gb/s: nothing reaches "
                   f"{(length_mm or 0) / 1000:g} m; the longest reaches {mate.longest_mm / 1000:g} m"
                   for mate in mates] or _why_not(catalog, one, other)  # fmt: skip
    return MateReport(a=one.label, b=other.label, length_mm=length_mm, fits=fits, mates=tuple(mates),
                      reasons=tuple(dict.fromkeys(reasons)))  # fmt: skip


class Partner(Value):
    """What a product's ports, or a part, are joined by: one recipe with the media it offers and their reach."""

    port_class: str
    far: str
    technology: Technology
    rates: tuple[str, ...]
    link_gbps: int
    recipe: str
    media: tuple[tuple[str, int], ...]


def partners(catalog: Catalog, product: Product) -> tuple[Partner, ...]:
    """Return what a product mates with: for a device, the recipes of its ports; for a part, those that use it."""
    found: dict[tuple[str, str, str], Partner] = {}
    for recipe in catalog.all("recipes", Recipe):
        sold = [option for option in recipe.options if option.orderable]
        ends: list[tuple[str, str, tuple[PortMode, ...]]]
        if product.part is not None:
            sold = [item for item in sold if product.key in (item.cable, item.fibre, item.module_a, item.module_b)]
            ends = [(recipe.a, recipe.b, ())] if sold else []
        else:
            ends = [
                (port_class, far, modes)
                for port_class, modes in product.ports
                for here, far in dict.fromkeys(((recipe.a, recipe.b), (recipe.b, recipe.a)))
                if here == port_class and sold
            ]
        for here, far, modes in ends:
            for technology in recipe.technologies:
                rates = tuple(dict.fromkeys(
                    mode.rate for mode in modes
                    if mode.technology == technology and mode.speed_gbps == recipe.link_gbps
                    and (not recipe.rates or mode.rate in recipe.rates)
                ))  # fmt: skip
                if modes and not rates:
                    continue
                reach: dict[str, int] = {}
                for option in sold:
                    reach[option.medium] = max(reach.get(option.medium, 0), reach_mm(catalog, option))
                found.setdefault((recipe.id, far, technology), Partner(
                    port_class=here, far=far, technology=technology, rates=rates or recipe.rates,
                    link_gbps=recipe.link_gbps, recipe=recipe.id, media=tuple(reach.items()),
                ))  # fmt: skip
    return tuple(found.values())


def option_of(catalog: Catalog, recipe: Recipe, option: RecipeOption, length_mm: int | None) -> MateOption | None:
    """Return an option with its parts at a length, or None if it does not serve that length."""
    reach = reach_mm(catalog, option) if option.orderable else option.max_mm
    family = family_of(catalog, option)
    row = None
    if length_mm is not None:
        row = ordered_length(family, length_mm)
        if row is None or not option.over_mm < length_mm <= reach:
            return None
    modules = [
        MatePart(kind="transceivers", key=module.key, pn=module.pn, opn=module.opn, end=end, links=links)
        for module, (end, links) in zip(modules_of(catalog, option), _per_module(recipe, option), strict=True)
    ]
    kind = "cables" if option.cable else "fibres"
    line = MatePart(
        kind=kind, key=family.id, pn=row.pn if row else "", opn=row.opn if row else None,
        length_mm=row.length_mm if row else None, pieces=option.fibres_per_link if kind == "fibres" else 1,
        links=family.links,
    )  # fmt: skip
    status = option_status(catalog, option)
    if row is not None and row.status is not None and status == "active":
        status = row.status
    return MateOption(
        medium=option.medium, reach_mm=reach, over_mm=option.over_mm, status=status, confidence=option.confidence,
        orderable=option.orderable, parts=(*modules, line), note=option.note,
    )  # fmt: skip


def options_of(
    catalog: Catalog, recipe: Recipe, length_mm: int | None, media: MediaPolicy = "auto"
) -> tuple[MateOption, ...]:
    """Return the options of a recipe that serve a length, best first by policy and status."""
    ranked = [option for tier in ranked_options(catalog, recipe, media, True) for option in tier]
    found = (option_of(catalog, recipe, option, length_mm) for option in ranked)
    return tuple(option for option in found if option is not None)


def missed(media: MediaPolicy, offers: Iterable[str]) -> MediaPolicy | None:
    """Return the preference that none of the offered media fulfils; none asked, or nothing offered: none missed."""
    offered = set(offers)
    return media if media != "auto" and offered and not offered & set(allowed(media)[0]) else None


def _per_module(recipe: Recipe, option: RecipeOption) -> Iterator[tuple[str, int]]:
    if option.module_a:
        yield recipe.a, recipe.links_per_cage_a
    if option.module_b:
        yield recipe.b, recipe.links_per_cage_b


def _pairs(one: Product, other: Product) -> dict[tuple[str, str], set[tuple[Technology, str, int]] | None]:
    """Return class pair -> technologies, rates and speeds that both run; None where an end is a port class."""
    found: dict[tuple[str, str], set[tuple[Technology, str, int]] | None] = {}
    for a, modes in one.ports:
        for b, far in other.ports:
            if not modes or not far:
                found[a, b] = _rates(modes or far) or None
                continue
            held = found.setdefault((a, b), set())
            if held is not None:
                held |= _rates(modes) & _rates(far)
    return found


def _rates(modes: Iterable[PortMode]) -> set[tuple[Technology, str, int]]:
    return {(mode.technology, mode.rate, mode.speed_gbps) for mode in modes}


def _joined(
    catalog: Catalog, one: Product, other: Product, length_mm: int | None, media: MediaPolicy
) -> Iterator[Mate]:
    for (a, b), common in _pairs(one, other).items():
        known = [recipe for recipe in catalog.all("recipes", Recipe) if any(item.orderable for item in recipe.options)]
        ways = [(b, a), (a, b)] if other.kind == "switches" and one.kind != "switches" else [(a, b), (b, a)]
        ahead = [recipe for recipe in known if (recipe.a, recipe.b) == ways[0]]
        done = {(recipe.link_gbps, name) for recipe in ahead for name in recipe.technologies}
        behind = [recipe for recipe in known if (recipe.a, recipe.b) == ways[1] != ways[0]
                  and not done >= {(recipe.link_gbps, name) for name in recipe.technologies}]  # fmt: skip
        for recipe in ahead + behind:
            for technology in recipe.technologies:
                rates = () if common is None else tuple(sorted(
                    rate for name, rate, gbps in common
                    if name == technology and gbps == recipe.link_gbps and (not recipe.rates or rate in recipe.rates)
                ))  # fmt: skip
                if common is not None and not rates:
                    continue
                options = options_of(catalog, recipe, length_mm, media)
                yield Mate(
                    technology=technology, rates=rates or recipe.rates, link_gbps=recipe.link_gbps, a=recipe.a,
                    b=recipe.b, links_per_cage_a=recipe.links_per_cage_a, links_per_cage_b=recipe.links_per_cage_b,
                    recipe=recipe.id, options=options, notes=recipe.notes,
                    instead_of=missed(media, [item.medium for item in options]),
                    longest_mm=max(reach_mm(catalog, item) for item in recipe.options if item.orderable),
                )  # fmt: skip


def _why_not(catalog: Catalog, one: Product, other: Product) -> list[str]:
    reasons = [f"no ports of {item.key} are known" for item in (one, other) if not item.ports]
    for (a, b), common in _pairs(one, other).items():
        unsure = [recipe for recipe in catalog.all("recipes", Recipe)
                  if {recipe.a, recipe.b} == {a, b} and not any(item.orderable for item in recipe.options)]  # fmt: skip
        if common:
            wanted: dict[tuple[Technology, int], list[str]] = {}
            for name, rate, gbps in sorted(common):
                wanted.setdefault((name, gbps), []).append(rate.upper())
            told = [f"{a} to {b} at {'/'.join(rates)}: {refusal_of(catalog, a, b, name, gbps)}"
                    for (name, gbps), rates in wanted.items()]  # fmt: skip
        else:
            both = sorted((one.technologies & other.technologies) or ("infiniband", "ethernet"))
            stated = [stated_refusal(catalog, a, b, name, 0) for name in both]
            told = [f"{a} to {b}: {why}" for why in stated if why is not None]
            if common is not None:
                told.insert(0, f"{one.key} and {other.key} have no rate in common ({a}: {_words(one, a)}; "
                               f"{b}: {_words(other, b)})")  # fmt: skip
            told = told or [f"{a} to {b}: {refusal_of(catalog, a, b, name, 0)}" for name in both]
        reasons += told
        reasons += [f"not confirmed, never selected: {recipe.title}: {option.note}"
                    for recipe in unsure for option in recipe.options if option.note]  # fmt: skip
    return reasons


def _words(product: Product, port_class: str) -> str:
    return ", ".join(dict.fromkeys(mode.rate for name, modes in product.ports if name == port_class for mode in modes))
