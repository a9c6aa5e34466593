"""The error tree: what a caller catches when the library cannot go on.

Every error carries one or more :class:`Problem` records, because a loader gathers all that is wrong with a
file and raises once. A problem says what is wrong (with the numbers), where, and what to do about it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

SHOWN_LETTERS, SHOWN_NAMES = 320, 6
"""Known words are listed whole while they have so few letters in all, else so many of them."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        code: stable kebab-case identifier, the same in every language.
        message: what is wrong, with the numbers.
        where: ``file:line``, ``sheet!cell`` or a JSON path such as ``fabrics[0].rate``; empty if nowhere.
        hint: what to do; empty if nothing can be said.
        params: the words and numbers of the message by name, where another language needs them.
    """

    code: str
    message: str
    where: str = ""
    hint: str = ""
    params: tuple[tuple[str, str | int], ...] = ()

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.message}{hint}"


class FabricplanError(Exception):
    """Root of all errors that this library raises on purpose."""

    def __init__(self, *problems: Problem) -> None:
        if not problems:
            raise ValueError("an error needs at least one problem")
        self.problems: tuple[Problem, ...] = problems
        super().__init__("\n".join(str(problem) for problem in problems))

    @property
    def code(self) -> str:
        """Code of the first problem."""
        return self.problems[0].code

    @property
    def message(self) -> str:
        """Message of the first problem."""
        return self.problems[0].message

    @property
    def where(self) -> str:
        """Place of the first problem."""
        return self.problems[0].where

    @property
    def hint(self) -> str:
        """Remedy of the first problem."""
        return self.problems[0].hint


class CatalogError(FabricplanError):
    """The catalogue is not well formed, or lacks what was asked of it."""


class RequirementError(FabricplanError):
    """The request cannot be understood."""


class InfeasibleError(FabricplanError):
    """The request is understood, but no fabric of the asked kind fulfils it."""


class PriceError(FabricplanError):
    """A price book or the commercial terms are wrong, or a quote cannot be made as asked."""


class ReadError(FabricplanError):
    """A file could not be read as what it should be."""


class RenderError(FabricplanError):
    """A document could not be written in the asked form."""


def nearest(word: str, known: Iterable[str], listing: str = "") -> str:
    """Return a hint that names the nearest known word, or lists the known ones: all where they fit, else six of them.

    Args:
        word: what was given.
        known: the words that there are.
        listing: how to see all of them.

    >>> nearest("QM9007", ["QM9700", "SN5600"])
    'did you mean QM9700?'
    >>> nearest("banana", ["ndr", "xdr"])
    'known: ndr, xdr'
    """
    names = sorted(set(known))
    close = closest(word, names)
    if close is not None:
        return f"did you mean {close}?"
    shown = names if sum(map(len, names)) <= SHOWN_LETTERS else names[:SHOWN_NAMES]
    more = f" and {len(names) - len(shown)} more" if len(shown) < len(names) else ""
    return f"known: {', '.join(shown)}{more}" + (f"; {listing}" if listing and more else "")


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like a word, or None if none is like it; one that begins so goes before.

    >>> closest("QM9007", ["QM9700", "SN5600"]), closest("QM970", ["QM9700", "QM9790"])
    ('QM9700', 'QM9700')
    """
    folded: dict[str, str] = {}
    for name in sorted(set(known)):
        folded.setdefault(name.casefold().replace("-", "").replace("_", ""), name)
    wanted = word.casefold().replace("-", "").replace("_", "")
    begun = sorted((name for name in folded if wanted and name.startswith(wanted)), key=lambda name: (len(name), name))
    close = difflib.get_close_matches(wanted, begun[:1] or folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else None
