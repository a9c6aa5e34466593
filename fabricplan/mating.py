"""Which parts join two port classes at a length: the one place that reads recipes.

Serves sizing (nominal length), cabling and ``catalog mates``. No recipe, no link: :func:`recipe_for` raises an
error that says which ends do not mate and why.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from fabricplan.catalog import (
    CableLength,
    CableType,
    Catalog,
    FibreType,
    Lifecycle,
    Recipe,
    RecipeOption,
    Refusal,
    Technology,
    TransceiverType,
)
from fabricplan.errors import InfeasibleError, Problem

MediaPolicy = Literal["auto", "copper", "optical", "singlemode"]
COPPER = ("dac", "acc", "twisted-pair")
OPTICAL = ("aoc", "multimode", "singlemode")
USABLE: tuple[Lifecycle, ...] = ("active",)


@dataclass(frozen=True)
class Join:
    """A recipe as seen from a link: ``lower`` and ``upper`` are the link's ends, ``swapped`` tells whether the
    recipe's ``a`` is the lower one."""

    recipe: Recipe
    swapped: bool

    def module(self, option: RecipeOption, upper: bool) -> str | None:
        """Return the transceiver key of an end."""
        return option.module_a if upper != self.swapped else option.module_b

    def headed(self, lower: int, upper: int) -> Join:
        """Return the join with the head of a splitter at the end whose cages carry more links, where both ends are of
        one class: SN3700 leaves split their cages at 100GbE, and every tail takes a cage of a spine.

        Args:
            lower, upper: links that a cage carries at each end.
        """
        recipe = self.recipe
        if recipe.a != recipe.b or recipe.links_per_cage_a <= recipe.links_per_cage_b or lower == upper:
            return self
        return replace(self, swapped=lower > upper)


def recipe_for(
    catalog: Catalog, upper: str, lower: str, technology: Technology, gbps: int, rate: str, subject: str
) -> Join:
    """Return the recipe that joins two port classes; of several, the first in the catalogue.

    Args:
        catalog: the catalogue.
        upper, lower: port classes of the link's ends.
        technology: infiniband or ethernet.
        gbps: link speed.
        rate: what the ports run (``hdr100`` and ``edr`` are both 100 Gb/s and take unlike parts).
        subject: what is being joined, for the message.

    Raises:
        InfeasibleError: no recipe; the message carries the catalogue's reason if it has one.
    """
    for swapped, ends in ((False, (upper, lower)), (True, (lower, upper))):
        for recipe in catalog.all("recipes", Recipe):
            if (recipe.a, recipe.b) == ends and recipe.link_gbps == gbps and serves(recipe, technology, rate):
                return Join(recipe, swapped)
    why = refusal_of(catalog, upper, lower, technology, gbps)
    raise InfeasibleError(Problem(
        "no-mate", f"{subject}: {upper} and {lower} do not mate over {technology} at {gbps} Gb/s: {why}", "",
        "choose a switch or adapter whose ports mate; 'fabricplan catalog show' lists the ports"))  # fmt: skip


def serves(recipe: Recipe, technology: Technology, rate: str) -> bool:
    """Tell whether a recipe has something to order for a technology and a rate."""
    fits = technology in recipe.technologies and (not recipe.rates or rate in recipe.rates)
    return fits and any(option.orderable for option in recipe.options)


def stated_refusal(catalog: Catalog, a: str, b: str, technology: Technology, gbps: int) -> str | None:
    """Return the reason that the catalogue states for not joining two port classes, that of the speed first."""
    reasons = [item for item in catalog.all("refusals", Refusal)
               if {item.a, item.b} == {a, b} and technology in item.technologies
               and item.link_gbps in (None, gbps)]  # fmt: skip
    return max(reasons, key=lambda item: item.link_gbps is not None).why if reasons else None


def refusal_of(catalog: Catalog, a: str, b: str, technology: Technology, gbps: int) -> str:
    """Return why two port classes do not mate: the catalogue's reason, or the speeds at which they do.

    >>> refusal_of(Catalog({}), "qsfp28", "rj45-1g", "ethernet", 100)
    'the catalogue has no parts that join these ends'
    """
    stated = stated_refusal(catalog, a, b, technology, gbps)
    if stated is not None:
        return stated
    recipes = [item for item in catalog.all("recipes", Recipe)
               if {item.a, item.b} == {a, b} and any(option.orderable for option in item.options)]  # fmt: skip
    speeds = sorted({item.link_gbps for item in recipes if technology in item.technologies})
    if speeds:
        return f"the parts that join these ends run {' or '.join(str(speed) for speed in speeds)} Gb/s a link"
    if recipes:
        others = sorted({name for item in recipes for name in item.technologies})
        return f"the parts that join these ends are for {' and '.join(others)} only"
    return "the catalogue has no parts that join these ends"


def option_status(catalog: Catalog, option: RecipeOption) -> Lifecycle:
    """Return the worst life-cycle status among an option's parts."""
    statuses: list[Lifecycle] = []
    if option.cable:
        statuses.append(catalog.cable(option.cable).status)
    if option.fibre:
        statuses.append(catalog.fibre(option.fibre).status)
    for key in (option.module_a, option.module_b):
        if key:
            statuses.append(catalog.transceiver(key).status)
    order: tuple[Lifecycle, ...] = ("active", "planned", "unlisted", "unverified", "retired")
    return max(statuses, key=order.index, default="active")


def allowed(policy: MediaPolicy, measured: bool = False) -> tuple[tuple[str, ...], ...]:
    """Return the media of a policy in falling preference; each entry is a set of equals.

    ``auto`` keeps to optics unless the length is ``measured``: an invented room must not decide the technology.
    """
    if policy == "copper":
        return (COPPER, OPTICAL)
    if policy == "singlemode":
        return (("singlemode",), OPTICAL, COPPER)
    return (COPPER + OPTICAL,) if measured and policy == "auto" else (OPTICAL, COPPER)


def ranked_options(
    catalog: Catalog, recipe: Recipe, policy: MediaPolicy, measured: bool = False
) -> tuple[tuple[RecipeOption, ...], ...]:
    """Return the orderable options in tiers of preference: media by policy, and parts that are sold before parts that
    are not. A medium that was asked for goes before its parts' status; ``auto`` takes a retired part only where no
    part that is sold joins the ends."""
    sold, gone = [], []
    for media in allowed(policy, measured):
        inside = [option for option in recipe.options if option.orderable and option.medium in media]
        sold.append(tuple(option for option in inside if option_status(catalog, option) in USABLE))
        gone.append(tuple(option for option in inside if option_status(catalog, option) not in USABLE))
    if policy == "auto":
        tiers = [*sold, *gone]
    else:
        tiers = [tier for pair in zip(sold, gone, strict=True) for tier in pair]
    return tuple(tier for tier in tiers if tier)


def ordered_length(family: CableType | FibreType, required_mm: int) -> CableLength | None:
    """Return the next sold length of a family, or None beyond the longest.

    Generic families are sold in any length; they are rounded up to whole metres.
    """
    if family.any_length:
        return CableLength(length_mm=-(-required_mm // 1000) * 1000, pn="")
    usable = [row for row in family.lengths if row.orderable and row.length_mm >= required_mm]
    return min(usable, key=lambda row: row.length_mm) if usable else None


def family_of(catalog: Catalog, option: RecipeOption) -> CableType | FibreType:
    """Return the cable or fibre family of an option."""
    if option.cable:
        return catalog.cable(option.cable)
    if option.fibre:
        return catalog.fibre(option.fibre)
    raise ValueError("an option needs a cable or a fibre")


def modules_of(catalog: Catalog, option: RecipeOption) -> tuple[TransceiverType, ...]:
    """Return the transceivers of an option."""
    return tuple(catalog.transceiver(key) for key in (option.module_a, option.module_b) if key)


def reach_mm(catalog: Catalog, option: RecipeOption) -> int:
    """Return the longest length that an option serves: its band, and the longest sold piece."""
    family = family_of(catalog, option)
    if family.any_length:
        return option.max_mm
    sold = max((row.length_mm for row in family.lengths if row.orderable), default=0)
    return min(option.max_mm, sold)
