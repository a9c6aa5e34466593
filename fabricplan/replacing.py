"""What to order instead of a retired or wrong part: the maker's successor, the family's other length, or the best
option that joins the same two ends at the asked length."""

from __future__ import annotations

import math
from collections.abc import Iterator

from fabricplan.catalog import (
    CableLength,
    CableType,
    Catalog,
    FibreType,
    Lifecycle,
    Recipe,
    RecipeOption,
    Technology,
    TransceiverType,
)
from fabricplan.errors import InfeasibleError, Problem
from fabricplan.mates import MateOption, MatePart, missed, options_of
from fabricplan.mating import (
    USABLE,
    MediaPolicy,
    family_of,
    modules_of,
    option_status,
    ordered_length,
    reach_mm,
)
from fabricplan.products import PART_KINDS, Part, identify
from fabricplan.values import Value


class Replacement(Value):
    """One way to replace a part: what is ordered for so many ``pieces`` of it, and where that fits.

    Two modules that face each other are replaced together. ``goes`` is what else is no longer needed.
    """

    reason: str
    medium: str | None = None
    pieces: int = 1
    goes: tuple[str, ...] = ()
    joins: str
    status: Lifecycle
    confidence: str
    parts: tuple[MatePart, ...]


class ReplaceReport(Value):
    """What replaces a part at a length.

    ``links`` is what one piece of it carries; ``instead_of`` the preference among media that nothing fulfils.
    """

    pn: str
    title: str
    status: Lifecycle
    length_mm: int | None
    links: int
    instead_of: MediaPolicy | None = None
    replacements: tuple[Replacement, ...]


def replace_part(catalog: Catalog, word: str, length_mm: int | None, media: MediaPolicy = "auto") -> ReplaceReport:
    """Return what to order instead of a part, per piece.

    Args:
        catalog: the catalogue.
        word: part number, order number or family.
        length_mm: length of the route; absent: the part's own length.
        media: preference among media.

    Raises:
        RequirementError: no such part.
        InfeasibleError: nothing that is sold joins the same ends at that length.
    """
    product = identify(catalog, word, "PN", ("switches", *PART_KINDS))
    if product.part is None:
        return _switch(catalog, product.key)
    part = product.part
    row = product.row
    length = length_mm or (row.length_mm if row else None)
    found = [*_same_family(catalog, part, row, length), *_same_ends(catalog, part, length, media)]
    unique: dict[tuple[object, ...], Replacement] = {}
    for item in found:
        unique.setdefault((item.pieces, *((p.key, p.length_mm, p.pieces, p.links) for p in item.parts)), item)
    pn = row.pn if row else _label(part)
    if not unique:
        at = f" at {length / 1000:g} m" if length else ""
        why = _ends(catalog, part, length)
        raise InfeasibleError(Problem("no-replacement", f"nothing that is sold replaces {pn}{at}: {why}", "PN",
                                      "another length or a fabric of the next generation may be sold"))  # fmt: skip
    status = row.status if row and row.status else part.status
    links = part.ports if isinstance(part, TransceiverType) else part.links
    return ReplaceReport(
        pn=pn, title=part.title, status=status, length_mm=length, links=links, replacements=tuple(unique.values()),
        instead_of=missed(media, [item.medium for item in unique.values() if item.medium]),
    )  # fmt: skip


def _switch(catalog: Catalog, model: str) -> ReplaceReport:
    """Return the successor of a switch, as the maker names it."""
    switch = catalog.switch(model)
    if switch.successor is None:
        raise InfeasibleError(Problem("no-replacement", f"the sources name no successor of {model}", "PN",
                                      "size a fabric of the next generation instead"))  # fmt: skip
    heir = catalog.switch(catalog.find("switches", switch.successor) or switch.successor)
    form = next((item for item in heir.variants if item.pn == switch.successor), heir.variants[0])
    part = MatePart(kind="switches", key=heir.model, pn=form.pn, opn=form.opn)
    item = Replacement(reason="successor named by the maker", joins="", status=heir.status,
                       confidence=heir.confidence, parts=(part,))  # fmt: skip
    return ReplaceReport(pn=model, title=model, status=switch.status, length_mm=None, links=1, replacements=(item,))


def _same_family(catalog: Catalog, part: Part, row: CableLength | None, length: int | None) -> Iterator[Replacement]:
    """Yield another length of the family while it is sold, and the same of its successor."""
    if isinstance(part, TransceiverType) or length is None:
        return
    families: list[tuple[str, CableType | FibreType]] = [("the same family in this length", part)]
    if isinstance(part, CableType) and part.successor is not None:
        families.append(("successor of the family", catalog.cable(part.successor)))
    for reason, family in families:
        limit = family.reach_mm if isinstance(family, CableType) else family.link_max_mm
        fresh = ordered_length(family, length)
        if family.status not in USABLE or fresh is None or (limit is not None and length > limit):
            continue
        if family is part and row is not None and fresh.pn == row.pn and row.orderable:
            reason = "the part is sold and reaches: nothing need replace it"
        kind = "cables" if isinstance(family, CableType) else "fibres"
        line = MatePart(kind=kind, key=family.id, pn=fresh.pn, opn=fresh.opn, length_mm=fresh.length_mm,
                        links=family.links)  # fmt: skip
        medium = family.kind if isinstance(family, CableType) else family.mode
        yield Replacement(reason=reason, joins="", medium=medium, status=family.status, confidence=family.confidence,
                          parts=(line,))  # fmt: skip


def _same_ends(catalog: Catalog, part: Part, length: int | None, media: MediaPolicy) -> Iterator[Replacement]:
    """Yield the best option that is sold between each pair of ends that the part joins, without the part itself."""
    key = _key(part)
    for recipe in _uses(catalog, part):
        mine = [item for item in recipe.options if item.orderable and key in _keys(item)]
        for option in options_of(catalog, recipe, length, media):
            if option.status in USABLE and all(item.key != key for item in option.parts):
                pieces, parts = _scaled(option, list(_usage(recipe, mine[0], part)))
                ends = f"{recipe.a} to {recipe.b}, {' and '.join(recipe.technologies)}"
                yield Replacement(
                    reason=f"joins the same ends ({recipe.title})", joins=ends, status=option.status,
                    medium=option.medium, confidence=option.confidence, pieces=pieces, parts=parts,
                    goes=_goes(part, mine, option),
                )  # fmt: skip
                break


def _usage(recipe: Recipe, option: RecipeOption, part: Part) -> Iterator[tuple[int, int]]:
    """Yield how many pieces of a part serve how many links, at each place that it has in an option."""
    if not isinstance(part, TransceiverType):
        yield (option.fibres_per_link if isinstance(part, FibreType) else 1), part.links
        return
    for key, links in ((option.module_a, recipe.links_per_cage_a), (option.module_b, recipe.links_per_cage_b)):
        if key == part.key:
            yield 1, links


def _scaled(option: MateOption, usage: list[tuple[int, int]]) -> tuple[int, tuple[MatePart, ...]]:
    """Return the fewest pieces of the old part whose links take whole pieces of the new ones, and the new ones.

    Equal modules of both ends are counted together.
    """
    links = math.lcm(*(item.links for item in option.parts), *(count for _, count in usage))
    parts: dict[tuple[str, int | None], MatePart] = {}
    for item in option.parts:
        held = parts.get((item.key, item.length_mm))
        pieces = item.pieces * links // item.links + (held.pieces if held else 0)
        end = item.end if held is None or held.end == item.end else None
        parts[item.key, item.length_mm] = item.model_copy(update={"pieces": pieces, "links": links, "end": end})
    return sum(pieces * links // count for pieces, count in usage), tuple(parts.values())


def _goes(part: Part, mine: list[RecipeOption], option: MateOption) -> tuple[str, ...]:
    """Return what else leaves a link with the part: a cable brings its own plugs, another fibre its own ends."""
    if isinstance(part, CableType):
        return ()
    held = {item.key for item in option.parts}
    if any(item.kind == "cables" for item in option.parts):
        if isinstance(part, FibreType):
            return ("modules",)
        lone = all(item.module_a in (None, item.module_b) or item.module_b is None for item in mine)
        return ("fibre",) if lone else ("fibre", "module of the other end")
    if isinstance(part, FibreType):
        return () if any({item.module_a, item.module_b} - {None} <= held for item in mine) else ("modules",)
    others = {name for item in mine for name in (item.module_a, item.module_b) if name not in (None, part.key)}
    return (*(() if any(item.fibre in held for item in mine) else ("fibre",)),
            *(() if not others or others & held else ("module of the other end",)))  # fmt: skip


def _uses(catalog: Catalog, part: Part) -> list[Recipe]:
    """Return the recipes that order a part, those of its first technology before others."""
    found = [recipe for recipe in catalog.all("recipes", Recipe)
             if any(item.orderable and _key(part) in _keys(item) for item in recipe.options)]  # fmt: skip
    return sorted(found, key=lambda recipe: _made_for(part) not in recipe.technologies)


def _made_for(part: Part) -> Technology | None:
    """Return what a part was made for: its first technology, or None for a fibre."""
    return None if isinstance(part, FibreType) or not part.technologies else part.technologies[0]


def _keys(option: RecipeOption) -> tuple[str | None, ...]:
    return option.cable, option.fibre, option.module_a, option.module_b


def _key(part: Part) -> str:
    return part.key if isinstance(part, TransceiverType) else part.id


def _label(part: Part) -> str:
    return part.pn if isinstance(part, TransceiverType) else part.id


def _ends(catalog: Catalog, part: Part, length: int | None) -> str:
    """Say why nothing joins the part's ends: other parts do not reach, or none is sold any more."""
    recipes = _uses(catalog, part)
    mine = [recipe for recipe in recipes if _made_for(part) in (None, *recipe.technologies)] or recipes
    titles: dict[str, list[str]] = {}
    for recipe in mine:
        titles.setdefault(_why(catalog, recipe, part, length), []).append(recipe.title)
    return "; ".join(f"{why} ({' / '.join(of)})" for why, of in titles.items()) or "no recipe uses it"


def _why(catalog: Catalog, recipe: Recipe, part: Part, length: int | None) -> str:
    others = [item for item in recipe.options if item.orderable and _key(part) not in _keys(item)]
    sold = [item for item in others if option_status(catalog, item) in USABLE]
    if sold:
        longest = max(reach_mm(catalog, item) for item in sold)
        if length is None or length > longest:
            return f"other parts reach {longest / 1000:g} m"
        return "the other parts that serve it are not sold any more"
    if not others:
        return "no other part joins these ends"
    gone = dict.fromkeys(line for option in others for line in _unsold(catalog, option))
    return f"nothing that joins these ends is sold any more: {', '.join(gone)}"


def _unsold(catalog: Catalog, option: RecipeOption) -> Iterator[str]:
    """Yield the parts of an option that are not sold, each with its status."""
    for item in (family_of(catalog, option), *modules_of(catalog, option)):
        if item.status not in USABLE:
            yield f"{_label(item).upper()} {item.status}"
