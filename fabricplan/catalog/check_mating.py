"""Rules on how parts join: recipes, refusals, cables, and modules with their fibre.

Each rule yields problems placed at ``kind/key``; ``fabricplan.catalog.check`` runs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fabricplan.catalog import (
    CableType,
    Catalog,
    FibreType,
    PortClass,
    Recipe,
    RecipeOption,
    Refusal,
    Technology,
    TransceiverType,
)
from fabricplan.catalog.fits import BUILT_IN, light
from fabricplan.errors import Problem, nearest

Found = Iterator[Problem]


class _Light(NamedTuple):
    """What leaves one end of a link: kind of optics and speed of an optical lane."""

    name: str
    family: str
    lane_gbps: int


def recipe_references(catalog: Catalog) -> Found:
    """What recipes and refusals name exists, and an option is a cable or a fibre with its modules."""
    for kind, ends in (("recipes", _pairs(catalog)), ("refusals", _refused(catalog))):
        for key, a, b in ends:
            for name in (a, b):
                yield from missing(catalog, "port-classes", name, f"{kind}/{key}")
    for recipe, number, option in _options(catalog):
        where = _at(recipe, number)
        for kind, part in (("cables", option.cable), ("fibres", option.fibre),
                           ("transceivers", option.module_a), ("transceivers", option.module_b)):  # fmt: skip
            if part is not None:
                yield from missing(catalog, kind, part, where)
        if (option.cable is None) == (option.fibre is None):
            yield Problem("option-parts", "an option names either a cable or a fibre", where)
        elif option.cable is not None and (option.module_a or option.module_b):
            yield Problem("option-parts", "the plugs are part of a cable: no modules beside it", where)


def pairs_are_unique(catalog: Catalog) -> Found:
    """One recipe per pair of port classes, rate, technology and split; no refusal of a pair that can be joined."""
    seen: dict[tuple[str, str, int, str, Technology, int], str] = {}
    joined: dict[tuple[frozenset[str], Technology], dict[int, str]] = {}
    for recipe in catalog.all("recipes", Recipe):
        for technology in recipe.technologies:
            for rate in recipe.rates or ("",):
                key = (recipe.a, recipe.b, recipe.link_gbps, rate, technology, recipe.links_per_cage_a)
                first = seen.setdefault(key, recipe.id)
                if first != recipe.id:
                    yield Problem("duplicate-recipe", f"{technology} {recipe.a} to {recipe.b} at "
                                  f"{recipe.link_gbps} is also {first}", f"recipes/{recipe.id}")  # fmt: skip
            if any(option.orderable for option in recipe.options):
                speeds = joined.setdefault((frozenset((recipe.a, recipe.b)), technology), {})
                speeds[recipe.link_gbps] = recipe.id
    for refusal in catalog.all("refusals", Refusal):
        for technology in refusal.technologies:
            speeds = joined.get((frozenset((refusal.a, refusal.b)), technology), {})
            for gbps, held in speeds.items():
                if refusal.link_gbps in (None, gbps):
                    yield Problem("refused-recipe", f"{technology}: recipe {held} joins this pair",
                                  f"refusals/{refusal.a}|{refusal.b}")  # fmt: skip


def cables_are_whole(catalog: Catalog) -> Found:
    """A cable has as many links at its head as at its tails, and no length beyond its reach is selected."""
    for cable in catalog.all("cables", CableType):
        where = f"cables/{cable.id}"
        if not cable.head.count * cable.head.ports == cable.links == cable.tail.count * cable.tail.ports:
            yield Problem("cable-links", f"{cable.links} links, head {cable.head.count} x {cable.head.ports},"
                          f" tail {cable.tail.count} x {cable.tail.ports}", where)  # fmt: skip
        for row in cable.lengths:
            if row.orderable and cable.reach_mm is not None and row.length_mm > cable.reach_mm:
                yield Problem("cable-reach", f"{row.pn} is {row.length_mm} mm, reach {cable.reach_mm}", where)


def cables_mate(catalog: Catalog) -> Found:
    """Both ends of a cable fit their cages (form, top, lanes), and it carries what the recipe counts."""
    for recipe, number, option in _options(catalog):
        if option.cable is None:
            continue
        cable, where = catalog.cable(option.cable), _at(recipe, number)
        for end, plug, name in ((cable.head, "head", recipe.a), (cable.tail, "tail", recipe.b)):
            cage = catalog.port_class(name)
            yield from _fits(f"{plug} of {cable.id}", end.form, end.top, cage, where)
            if cable.kind != "dac" and cable.lane_gbps is not None and cable.lane_gbps > cage.lane_gbps:
                yield Problem("lane-mismatch", f"{cable.id} runs {cable.lane_gbps}G lanes, {name} "
                              f"{cage.lane_gbps}G", where)  # fmt: skip
        counts = (cable.links, cable.tail.ports) != (recipe.links_per_cage_a, recipe.links_per_cage_b)
        if counts or cable.link_gbps < recipe.link_gbps:
            yield Problem("cable-count", f"{cable.id} carries {cable.links} links of {cable.link_gbps}G, "
                          f"{cable.tail.ports} a tail; the recipe counts {recipe.links_per_cage_a} of "
                          f"{recipe.link_gbps}G, {recipe.links_per_cage_b} a tail", where)  # fmt: skip


def modules_mate(catalog: Catalog) -> Found:
    """Modules fit cage and fibre (form, top, lanes, mode, connector, count), and each other (optics)."""
    for recipe, number, option in _options(catalog):
        if option.fibre is None:
            continue
        fibre, where = catalog.fibre(option.fibre), _at(recipe, number)
        lights: list[_Light] = []
        for a_side in (True, False):
            key, name = (option.module_a, recipe.a) if a_side else (option.module_b, recipe.b)
            cage = catalog.port_class(name)
            connector = fibre.connector if a_side else fibre.tail_connector or fibre.connector
            built_in = BUILT_IN.get(cage.form)
            if (key is None) != (built_in is not None):
                wanted = "no module: its optics are built in" if built_in else "a module"
                yield Problem("option-parts", f"{name} takes {wanted}", where)
            elif key is None:
                lights.append(_Light(name, "DR", cage.lane_gbps))
                if connector != built_in:
                    yield _unequal("connector-mismatch", name, built_in, fibre.id, connector, where)
            else:
                module = catalog.transceiver(key)
                yield from _fits(module.key, module.form, module.top, cage, where)
                if module.lane_gbps > cage.lane_gbps or module.lanes > cage.lanes:
                    yield Problem("lane-mismatch", f"{key} runs {module.lanes} x {module.lane_gbps}G lanes, "
                                  f"{name} {cage.lanes} x {cage.lane_gbps}G", where)  # fmt: skip
                if module.mode != fibre.mode:
                    yield _unequal("fibre-mode", key, module.mode, fibre.id, fibre.mode, where)
                if module.connector != connector:
                    yield _unequal("connector-mismatch", key, module.connector, fibre.id, connector, where)
                yield from _counted(recipe, option, module, fibre, a_side, where)
                lights.append(_light(module))
        if len({light[1:] for light in lights}) > 1:
            told = ", ".join(f"{name} {family} {gbps}G" for name, family, gbps in lights)
            yield Problem("optics-mismatch", f"optical lanes do not match: {told}", where)


def polish_is_of_connector(catalog: Catalog) -> Found:
    """The polish of a fibre is that of its connector: APC and UPC never mate."""
    for fibre in catalog.all("fibres", FibreType):
        if fibre.polish is not None and not fibre.connector.endswith(f"/{fibre.polish}"):
            where = f"fibres/{fibre.id}"
            yield _unequal("polish", fibre.id, fibre.polish, "its connector", fibre.connector, where)


def reach_holds(catalog: Catalog) -> Found:
    """An option reaches no further than each of its parts, and what it selects can be bought."""
    for recipe, number, option in _options(catalog):
        where = _at(recipe, number)
        if option.over_mm >= option.max_mm:
            yield Problem("empty-band", f"over {option.over_mm} to {option.max_mm} mm", where)
        part: CableType | FibreType
        if option.cable is not None:
            part = catalog.cable(option.cable)
            limits = [(part.id, part.reach_mm)]
        else:
            part = catalog.fibre(option.fibre or "")
            limits = [(part.id, part.link_max_mm)]
            keys = [key for key in (option.module_a, option.module_b) if key is not None]
            limits += [(key, catalog.transceiver(key).reach_mm) for key in keys]
        if option.orderable and not part.any_length:
            longest = max((row.length_mm for row in part.lengths if row.orderable), default=0)
            limits.append((f"the longest {part.id}", longest))
        for name, limit in limits:
            if limit is not None and option.max_mm > limit:
                yield Problem("reach", f"reaches {option.max_mm} mm, {name} only {limit}", where)


def parts_serve_technology(catalog: Catalog) -> Found:
    """Cables and modules serve all technologies of their recipe (-T parts are Ethernet only)."""
    for recipe, number, option in _options(catalog):
        parts: list[tuple[str, tuple[Technology, ...]]] = []
        if option.cable is not None:
            parts.append((option.cable, catalog.cable(option.cable).technologies))
        for key in (option.module_a, option.module_b):
            if key is not None:
                parts.append((key, catalog.transceiver(key).technologies))
        for name, served in parts:
            for technology in recipe.technologies:
                if technology not in served:
                    only = ", ".join(served) or "unknown"
                    yield Problem("part-technology", f"{name} is {only} only, the recipe {technology}",
                                  _at(recipe, number))  # fmt: skip


def missing(catalog: Catalog, kind: str, name: str, where: str) -> Found:
    """Yield a problem if a kind has no entry of this key."""
    if not catalog.has(kind, name):
        hint = nearest(name, catalog.keys(kind))
        yield Problem("unknown-reference", f"no {kind} entry '{name}'", where, hint)


def _fits(what: str, form: str, top: str, cage: PortClass, where: str) -> Found:
    if form != cage.form and form not in cage.accepts:
        yield Problem("form-mismatch", f"{what} is {form}, {cage.id} takes {cage.form}", where)
    elif top != cage.top and form == cage.form:
        yield Problem("top-mismatch", f"{what} has top {top}, {cage.id} {cage.top}", where)


def _unequal(code: str, a: str, has: str | None, b: str, other: str | None, where: str) -> Problem:
    return Problem(code, f"{a} has {has}, {b} {other}", where)


def _light(module: TransceiverType) -> _Light:
    return _Light(module.key, *light(module))


def _counted(
    recipe: Recipe, option: RecipeOption, module: TransceiverType, fibre: FibreType, a_side: bool, where: str
) -> Found:
    links = recipe.links_per_cage_a if a_side else recipe.links_per_cage_b
    per_connector = fibre.links if a_side else fibre.links // fibre.tail_count
    used = links * option.fibres_per_link / per_connector
    if used > module.connector_count or links * recipe.link_gbps > module.ports * module.port_gbps:
        yield Problem(
            "module-count",
            f"{links} x {recipe.link_gbps}G over {fibre.id} need {used:g} connectors; {module.key} has "
            f"{module.connector_count}, {module.ports} x {module.port_gbps}G",
            where,
        )


def _at(recipe: Recipe, number: int) -> str:
    return f"recipes/{recipe.id}.options[{number}]"


def _options(catalog: Catalog) -> Iterator[tuple[Recipe, int, RecipeOption]]:
    for recipe in catalog.all("recipes", Recipe):
        for number, option in enumerate(recipe.options):
            yield recipe, number, option


def _pairs(catalog: Catalog) -> Iterator[tuple[str, str, str]]:
    return ((recipe.id, recipe.a, recipe.b) for recipe in catalog.all("recipes", Recipe))


def _refused(catalog: Catalog) -> Iterator[tuple[str, str, str]]:
    return ((f"{item.a}|{item.b}", item.a, item.b) for item in catalog.all("refusals", Refusal))
