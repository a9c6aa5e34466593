"""The catalogue: product types by kind, looked up by model or part number.

A :class:`Catalog` is a value that is passed as an argument; two of them live in one process. Entries are kept
as plain data and become typed values when they are first asked for, so that a start-up pays only for what a
command uses. Reading the files is the business of ``fabricplan.files``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from pydantic import ValidationError

from fabricplan.catalog.cable_types import CableEnd, CableLength, CableType, FibreType, PanelType
from fabricplan.catalog.joining import PortClass, Recipe, RecipeOption, Refusal
from fabricplan.catalog.types import (
    AccessoryType,
    AdapterType,
    CageGroup,
    DirectorChips,
    Document,
    Entry,
    HostNetwork,
    HostPort,
    PlatformType,
    PortMode,
    SwitchType,
    SwitchVariant,
    TransceiverType,
)
from fabricplan.catalog.words import Airflow, Lifecycle, Technology
from fabricplan.errors import CatalogError, Problem, closest, nearest
from fabricplan.faults import worded
from fabricplan.rawcatalog import KEY_FIELDS, RawEntry, digest
from fabricplan.values import Value

__all__ = [
    "KINDS", "AccessoryType", "AdapterType", "Airflow", "CableEnd", "CableLength", "CableType", "CageGroup",
    "Catalog", "DirectorChips", "Document", "Entry", "FibreType", "HostNetwork", "HostPort", "Kind", "Lifecycle",
    "PanelType", "PlatformType", "PortClass", "PortMode", "RawEntry", "Recipe", "RecipeOption", "Refusal", "SwitchType",
    "SwitchVariant", "Technology", "TransceiverType", "entry_problems", "fold",
]  # fmt: skip

T = TypeVar("T", bound=Value)


class Kind(NamedTuple):
    """A kind of entry: its type and the field that names it."""

    type: type[Value]
    key: str


KINDS: Mapping[str, Kind] = {
    kind: Kind(as_type, KEY_FIELDS[kind])
    for kind, as_type in (
        ("sources", Document), ("port-classes", PortClass), ("switches", SwitchType), ("adapters", AdapterType),
        ("platforms", PlatformType), ("transceivers", TransceiverType), ("cables", CableType),
        ("fibres", FibreType), ("recipes", Recipe), ("refusals", Refusal), ("accessories", AccessoryType),
        ("panels", PanelType),
    )
}  # fmt: skip


_OWNERS: Mapping[str, type[Value]] = {
    "cages": CageGroup, "modes": PortMode, "variants": SwitchVariant, "lengths": CableLength, "options": RecipeOption,
    "networks": HostNetwork, "ports": HostPort, "head": CableEnd, "tail": CableEnd,
    "inside": DirectorChips,
}  # fmt: skip
PART_LETTERS = 4
"""A part of a key is taken for the whole from so many letters."""
SEVERAL = 6
"""So many of several possible keys are named."""


def fold(name: str) -> str:
    """Return a name in the form in which look-ups compare: case, dashes and blanks are forgiven.

    >>> fold("mqm9700-ns2f") == fold("MQM9700 NS2F")
    True
    """
    return "".join(letter for letter in name.casefold() if letter.isalnum())


class Catalog:
    """Product types by kind. Immutable after construction; look-ups are cached."""

    def __init__(
        self, entries: Mapping[str, Mapping[str, RawEntry]], overridden: Mapping[str, tuple[str, ...]] | None = None,
        known_digest: str | None = None,
    ) -> None:  # fmt: skip
        """Keep the entries.

        Args:
            entries: kind -> key -> plain entry, keys in file order.
            overridden: ``kind/key`` of entries that an overlay changed -> the fields that differ.
            known_digest: the digest, where the compiled form brings it along.
        """
        self._entries = {kind: dict(entries.get(kind, {})) for kind in KINDS}
        self._typed: dict[tuple[str, str], Value] = {}
        self._digest = known_digest
        self._aliases: dict[str, dict[str, tuple[str, ...]]] = {}
        self.overridden: Mapping[str, tuple[str, ...]] = dict(overridden or {})

    @property
    def digest(self) -> str:
        """SHA-256 of all entries, independent of the order of files."""
        if self._digest is None:
            self._digest = digest(self._entries)
        return self._digest

    def keys(self, kind: str) -> tuple[str, ...]:
        """Return the keys of a kind, in file order."""
        return tuple(self._entries[kind])

    def raw(self, kind: str, key: str) -> dict[str, Any]:
        """Return one entry as plain data (not to be changed)."""
        return self._entries[kind][key].data

    def where(self, kind: str, key: str) -> str:
        """Return the place of an entry, as ``file:line``."""
        return self._entries[kind][key].where

    def has(self, kind: str, key: str) -> bool:
        """Tell whether an entry exists under exactly this key."""
        return key in self._entries[kind]

    def get(self, kind: str, key: str, as_type: type[T]) -> T:
        """Return one entry as its type.

        Raises:
            CatalogError: if there is none, or it is not well formed.
        """
        cached = self._typed.get((kind, key))
        if cached is None:
            entry = self._entries[kind].get(key)
            if entry is None:
                raise CatalogError(Problem("unknown-entry", f"no {kind} entry '{key}'", "",
                                           nearest(key, self._entries[kind])))  # fmt: skip
            cached = typed(kind, entry)
            self._typed[kind, key] = cached
        if not isinstance(cached, as_type):
            raise TypeError(f"{kind} holds {type(cached).__name__}, not {as_type.__name__}")
        return cached

    def all(self, kind: str, as_type: type[T]) -> Iterator[T]:
        """Iterate over a kind's entries as their type, in file order."""
        for key in self._entries[kind]:
            yield self.get(kind, key, as_type)

    def find(self, kind: str, name: str) -> str | None:
        """Return the key of the entry that a user's word means, or None.

        Case, dashes and blanks are forgiven; an entry is also found by part number or OPN, and by whole words of its
        key that no other entry has (``Q3400`` for Q3400-RA, ``gb200-nvl72`` for dgx-gb200-nvl72).
        """
        if name in self._entries[kind]:
            return name
        exact = self._known_as(kind).get(fold(name))
        if exact is not None:
            return exact[0]
        partly = self.partly(kind, name)
        return partly[0] if len(partly) == 1 else None

    def alike(self, kind: str, name: str) -> tuple[str, ...]:
        """Return the keys of all entries that have exactly this name: several share a maker's marketing number.

        Case, dashes and blanks are forgiven; an entry whose key it is goes before others.
        """
        keys = (name,) if name in self._entries[kind] else self._known_as(kind).get(fold(name), ())
        named = tuple(key for key in keys if fold(key) == fold(name))
        return named[:1] or keys

    def partly(self, kind: str, name: str) -> tuple[str, ...]:
        """Return the keys that hold a user's word as whole words, one after the other; none for short words."""
        wanted = _split(name)
        if sum(map(len, wanted)) < PART_LETTERS:
            return ()
        return tuple(key for key in self._entries[kind] if wanted in _runs(_split(key), len(wanted)))

    def advice(self, kind: str, name: str) -> str:
        """Return what to write instead of a word under which no entry is found."""
        several = self.partly(kind, name)
        if several:
            more = f" and {len(several) - SEVERAL} more" if len(several) > SEVERAL else ""
            return f"it may be one of {', '.join(several[:SEVERAL])}{more}"
        keys = tuple(self.keys(kind))
        begun = [key for key in keys if name and fold(key).startswith(fold(name)) and self._sold(kind, key)]
        return nearest(
            name, begun if closest(name, begun) else keys, f"'fabricplan catalog list --kind {kind}' lists all"
        )

    def _sold(self, kind: str, key: str) -> bool:
        """Tell whether a switch can be ordered and is no former product; other kinds always."""
        if kind != "switches":
            return True
        switch = self.switch(key)
        return switch.status == "active" and any(form.orderable for form in switch.variants)

    def begins(self, kind: str, name: str) -> tuple[str, ...]:
        """Return the keys of the entries of which some name begins with a user's word (MQM9700: QM9700)."""
        start = fold(name)
        return tuple(
            dict.fromkeys(
                key for word, keys in self._known_as(kind).items() if start and word.startswith(start) for key in keys
            )
        )

    def words(self, kind: str) -> tuple[str, ...]:
        """Return every name by which the entries of a kind are found, as written."""
        rows = self._entries[kind].items()
        return tuple(dict.fromkeys(word for key, entry in rows for word in _names(key, entry.data)))

    def _known_as(self, kind: str) -> dict[str, tuple[str, ...]]:
        """Return folded name -> keys of the entries that have it, in file order."""
        aliases = self._aliases.get(kind)
        if aliases is None:
            aliases = {}
            for key, entry in self._entries[kind].items():
                for word in dict.fromkeys(fold(name) for name in _names(key, entry.data)):
                    aliases[word] = (*aliases.get(word, ()), key)
            self._aliases[kind] = aliases
        return aliases

    def switch(self, model: str) -> SwitchType:
        """Return a switch by model (exact key)."""
        return self.get("switches", model, SwitchType)

    def adapter(self, pn: str) -> AdapterType:
        """Return an adapter by part number (exact key)."""
        return self.get("adapters", pn, AdapterType)

    def platform(self, name: str) -> PlatformType:
        """Return a platform by id (exact key)."""
        return self.get("platforms", name, PlatformType)

    def transceiver(self, key: str) -> TransceiverType:
        """Return a transceiver by key."""
        return self.get("transceivers", key, TransceiverType)

    def cable(self, key: str) -> CableType:
        """Return a cable family by id."""
        return self.get("cables", key, CableType)

    def fibre(self, key: str) -> FibreType:
        """Return a fibre family by id."""
        return self.get("fibres", key, FibreType)

    def panel(self, key: str) -> PanelType:
        """Return a patch panel by id."""
        return self.get("panels", key, PanelType)

    def port_class(self, key: str) -> PortClass:
        """Return a port class by id."""
        return self.get("port-classes", key, PortClass)


def typed(kind: str, entry: RawEntry) -> Value:
    """Return a plain entry as its type.

    Raises:
        CatalogError: with one problem per wrong field, placed at the entry.
    """
    try:
        return KINDS[kind].type.model_validate(entry.data)
    except ValidationError as caught:
        raise CatalogError(*(
            Problem("catalog-field", f"{fault.path}: {fault.message}", entry.where, fault.hint)
            for fault in worded(caught, KINDS[kind].type, _OWNERS)
        )) from None  # fmt: skip


def entry_problems(kind: str, entry: RawEntry) -> tuple[Problem, ...]:
    """Return what is wrong with a plain entry: one problem per wrong field."""
    try:
        typed(kind, entry)
    except CatalogError as caught:
        return caught.problems
    return ()


def _split(name: str) -> tuple[str, ...]:
    """Return the words of a name.

    >>> _split("DGX-gb200_nvl72")
    ('dgx', 'gb200', 'nvl72')
    """
    return tuple(re.findall(r"[^\W_]+", name.casefold()))


def _runs(words: tuple[str, ...], length: int) -> set[tuple[str, ...]]:
    """Return all runs of so many words."""
    return {words[start : start + length] for start in range(len(words) - length + 1)}


def _names(key: str, data: Mapping[str, Any]) -> Iterator[str]:
    yield key
    for field in ("pn", "opn", "model", "title"):
        if isinstance(data.get(field), str):
            yield data[field]
    yield from (word for word in data.get("aliases") or () if isinstance(word, str))
    for rows in ("variants", "lengths"):
        for row in data.get(rows) or ():
            for field in ("pn", "opn", "key"):
                if isinstance(row.get(field), str):
                    yield row[field]
