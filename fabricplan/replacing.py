"""What to order instead of a retired or wrong part: the maker's successor, the family's other length, or the best
option that joins the same two ends at the asked length."""

from __future__ import annotations

from collections.abc import Iterator

from fabricplan.catalog import CableLength, CableType, Catalog, FibreType, Lifecycle, Recipe, TransceiverType, fold
from fabricplan.errors import InfeasibleError, Problem
from fabricplan.mates import PART_KINDS, MateOption, MatePart, identify, options_of
from fabricplan.mating import USABLE, MediaPolicy, ordered_length, reach_mm
from fabricplan.values import Value


class Replacement(Value):
    """One way to replace a part: what is ordered for each piece of it, and where that fits."""

    reason: str
    joins: str
    status: Lifecycle
    confidence: str
    parts: tuple[MatePart, ...]


class ReplaceReport(Value):
    """What replaces a part at a length. ``links`` is what one piece of it carries."""

    pn: str
    title: str
    status: Lifecycle
    length_mm: int | None
    links: int
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
    row = _row(part, word)
    length = length_mm or (row.length_mm if row else None)
    found = [*_same_family(catalog, part, row, length), *_same_ends(catalog, part, length, media)]
    unique: dict[tuple[tuple[str, int | None, int, int], ...], Replacement] = {}
    for item in found:
        unique.setdefault(tuple((p.key, p.length_mm, p.pieces, p.links) for p in item.parts), item)
    pn = row.pn if row else _label(part)
    if not unique:
        at = f" at {length / 1000:g} m" if length else ""
        why = _ends(catalog, part)
        raise InfeasibleError(Problem("no-replacement", f"nothing that is sold replaces {pn}{at}: {why}", "PN",
                                      "shorten the route, or ask for the next generation"))  # fmt: skip
    status = row.status if row and row.status else part.status
    links = part.ports if isinstance(part, TransceiverType) else part.links
    return ReplaceReport(pn=pn, title=part.title, status=status, length_mm=length, links=links,
                         replacements=tuple(unique.values()))  # fmt: skip


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


def _same_family(
    catalog: Catalog, part: TransceiverType | CableType | FibreType, row: CableLength | None, length: int | None
) -> Iterator[Replacement]:
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
        yield Replacement(reason=reason, joins="", status=family.status, confidence=family.confidence, parts=(line,))


def _same_ends(
    catalog: Catalog, part: TransceiverType | CableType | FibreType, length: int | None, media: MediaPolicy
) -> Iterator[Replacement]:
    """Yield the best option that is sold between each pair of ends that the part joins, without the part itself."""
    key = part.key if isinstance(part, TransceiverType) else part.id
    links = part.ports if isinstance(part, TransceiverType) else part.links
    for recipe in _uses(catalog, key):
        for option in options_of(catalog, recipe, length, media):
            if option.status in USABLE and all(item.key != key for item in option.parts):
                ends = f"{recipe.a} to {recipe.b}, {' and '.join(recipe.technologies)}"
                yield Replacement(
                    reason=f"joins the same ends ({recipe.title})", joins=ends, status=option.status,
                    confidence=option.confidence, parts=_scaled(option, links),
                )  # fmt: skip
                break


def _uses(catalog: Catalog, key: str) -> Iterator[Recipe]:
    for recipe in catalog.all("recipes", Recipe):
        if any(key in (item.cable, item.fibre, item.module_a, item.module_b) for item in recipe.options):
            yield recipe


def _scaled(option: MateOption, links: int) -> tuple[MatePart, ...]:
    """Return an option's parts for so many links: pieces rounded up."""
    return tuple(
        item.model_copy(update={"pieces": -(-item.pieces * links // item.links), "links": links})
        for item in option.parts
    )


def _row(part: TransceiverType | CableType | FibreType, word: str) -> CableLength | None:
    if isinstance(part, TransceiverType):
        return None
    wanted = fold(word)
    return next((row for row in part.lengths if wanted in {fold(row.pn), fold(row.opn or "-"), fold(row.key or "-")}),
                None)  # fmt: skip


def _label(part: TransceiverType | CableType | FibreType) -> str:
    return part.pn if isinstance(part, TransceiverType) else part.id


def _ends(catalog: Catalog, part: TransceiverType | CableType | FibreType) -> str:
    """Say how far what is sold between the part's ends reaches."""
    key = part.key if isinstance(part, TransceiverType) else part.id
    told = []
    for recipe in _uses(catalog, key):
        sold = [reach_mm(catalog, item) for item in recipe.options
                if item.orderable and key not in (item.cable, item.fibre, item.module_a, item.module_b)]  # fmt: skip
        told.append(f"{recipe.title}: other parts reach {max(sold) / 1000:g} m" if sold
                    else f"{recipe.title}: no other part joins these ends")  # fmt: skip
    return "; ".join(told) or "no recipe uses it"
