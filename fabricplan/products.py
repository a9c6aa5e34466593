"""What a user's word means among the products: models, part numbers, platforms, port classes.

Serves ``catalog show``, ``mates`` and ``replace``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fabricplan.catalog import CableLength, CableType, Catalog, FibreType, PortMode, Technology, TransceiverType, fold
from fabricplan.errors import Problem, RequirementError, closest

PRODUCT_KINDS = ("switches", "adapters", "platforms", "transceivers", "cables", "fibres", "accessories", "panels")
"""Kinds that a user may name, in the order in which a word is looked up."""
PART_KINDS = ("transceivers", "cables", "fibres")
FAMILY_FIELDS = ("series", "generation", "asic", "title")
FAMILY_LETTERS = 4
"""A word of fewer letters names no family of products."""

Part = TransceiverType | CableType | FibreType


@dataclass(frozen=True)
class Product:
    """What a user's word means: its ports by class (no modes: any), or the part that it is.

    ``row`` is the length of a cable or fibre family whose part number the word is.
    """

    name: str
    kind: str
    key: str
    ports: tuple[tuple[str, tuple[PortMode, ...]], ...] = ()
    part: Part | None = None
    row: CableLength | None = None

    @property
    def technologies(self) -> frozenset[Technology]:
        """Technologies of the ports."""
        return frozenset(mode.technology for _, modes in self.ports for mode in modes)

    @property
    def label(self) -> str:
        """The part number that was asked for; with the order number where several products have that number."""
        if self.row is not None:
            return self.row.pn
        if isinstance(self.part, TransceiverType) and self.part.pn != self.key:
            return f"{self.part.pn} [{self.key}]"
        return self.key


def identify(
    catalog: Catalog, word: str, where: str, kinds: Iterable[str] = (*PRODUCT_KINDS, "port-classes")
) -> Product:
    """Return the product that a word means.

    Raises:
        RequirementError: nothing, or several things, are called so; the hint names the nearest.
    """
    found = candidates(catalog, word, where, kinds)
    if len(found) > 1:
        raise _several(word, where, [item.key for item in found])
    return found[0]


def candidates(
    catalog: Catalog, word: str, where: str, kinds: Iterable[str] = (*PRODUCT_KINDS, "port-classes")
) -> tuple[Product, ...]:
    """Return the products that a word may mean: more than one only where they share a part number.

    Raises:
        RequirementError: nothing, or several unlike things, are called so; the hint names the nearest.
    """
    asked = tuple(kinds)
    named = {kind: keys for kind in asked if (keys := catalog.alike(kind, word))}
    if len(named) == 1:
        [(kind, keys)] = named.items()
        return tuple(_product(catalog, word, kind, key) for key in keys)
    found = [(kind, key) for kind, keys in named.items() for key in keys]
    found = found or [(kind, key) for kind in asked if (key := catalog.find(kind, word)) is not None]
    if not found:
        found = [(kind, key) for kind in asked for key in catalog.begins(kind, word)]
        members = _members(catalog, word, asked)
        if not found or sum(members.values()) > len(found) > 1:
            hint = _listing(members) or _near(catalog, word, asked)
            raise RequirementError(Problem("unknown-product", f"no product '{word}'", where, hint))
    if len(found) > 1 and len({key for _, key in found}) > 1:
        raise _several(word, where, [key for _, key in found])
    return (_product(catalog, word, *found[0]),)


def _several(word: str, where: str, keys: list[str]) -> RequirementError:
    return RequirementError(Problem("several-products", f"'{word}' may be one of {len(keys)} products", where,
                                    "name one: " + ", ".join(keys[:8])))  # fmt: skip


def _members(catalog: Catalog, word: str, kinds: tuple[str, ...]) -> dict[str, int]:
    """Return kind -> how many products a family has that the word names: a series, a generation, a chip."""
    wanted = fold(word)
    if len(wanted) < FAMILY_LETTERS:
        return {}
    counts = {kind: sum(any(wanted in fold(str(catalog.raw(kind, key).get(field) or "")) for field in FAMILY_FIELDS)
                        for key in catalog.keys(kind)) for kind in kinds if kind in PRODUCT_KINDS}  # fmt: skip
    return {kind: count for kind, count in counts.items() if count}


def _listing(members: dict[str, int]) -> str:
    told = [f"{count} of kind {kind} ('fabricplan catalog list --kind {kind}')" for kind, count in members.items()]
    return f"of that name: {', '.join(told)}" if told else ""


def _near(catalog: Catalog, word: str, kinds: tuple[str, ...]) -> str:
    """Return the number that is most like the word; titles are no numbers."""
    near = closest(word, [name for kind in kinds for name in catalog.words(kind) if " " not in name])
    return f"did you mean {near}?" if near else "'fabricplan catalog list' lists all products"


def _product(catalog: Catalog, word: str, kind: str, key: str) -> Product:
    part = _part(catalog, kind, key)
    return Product(word, kind, key, tuple(_ports(catalog, kind, key)), part, _row(part, word))


def _ports(catalog: Catalog, kind: str, key: str) -> Iterator[tuple[str, tuple[PortMode, ...]]]:
    if kind == "port-classes":
        yield key, ()
    elif kind == "switches":
        yield from ((group.port_class, group.modes) for group in catalog.switch(key).cages)
    elif kind == "adapters":
        yield from ((group.port_class, group.modes) for group in catalog.adapter(key).cages)
    elif kind == "platforms":
        for network in catalog.platform(key).networks:
            if network.port_class is not None:
                yield network.port_class, network.modes
            elif network.adapter is not None:
                yield from _ports(catalog, "adapters", network.adapter)


def _part(catalog: Catalog, kind: str, key: str) -> Part | None:
    if kind == "transceivers":
        return catalog.transceiver(key)
    if kind == "cables":
        return catalog.cable(key)
    return catalog.fibre(key) if kind == "fibres" else None


def _row(part: Part | None, word: str) -> CableLength | None:
    if part is None or isinstance(part, TransceiverType):
        return None
    wanted = fold(word)
    named = [(row, [fold(name) for name in (row.pn, row.opn, row.key) if name]) for row in part.lengths]
    whole = [row for row, names in named if wanted in names]
    begun = [row for row, names in named if any(name.startswith(wanted) for name in names)]
    return whole[0] if whole else begun[0] if len(begun) == 1 else None
