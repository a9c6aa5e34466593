"""Rules on what the lengths led to: a medium that was asked and not taken, lengths that are not sold."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fabricplan.cabling import GAP_MM, GAP_TIMES, ordered_lengths
from fabricplan.checks.joints import option_of
from fabricplan.checks.view import View
from fabricplan.mating import allowed, reach_mm
from fabricplan.values import Finding, IntArray, finding


def medium_not_taken(view: View) -> Iterator[Finding]:
    """A medium was asked, and some links have another: too long, no such part, or none that fits the cages."""
    beyond: dict[int, list[int]] = {}
    told: dict[tuple[bool, int, str, str], int] = {}
    through: dict[int, int] = {}
    for joint in view.joints:
        policy = view.requirement.fabrics[joint.fabric].media
        option, join = option_of(view, joint)
        asked = allowed(policy)[0]
        if policy == "auto" or option is None or join is None or option.medium in asked:
            continue
        if joint.patched:
            through[joint.fabric] = through.get(joint.fabric, 0) + joint.links
            continue
        reaches = [reach_mm(view.catalog, item) for item in join.recipe.options
                   if item.orderable and item.medium in asked]  # fmt: skip
        far = int((_cage_longest(view)[view.joint_links(joint)] > max(reaches)).sum()) if reaches else 0
        if far:
            total = beyond.setdefault(joint.fabric, [0, 0])
            total[0] += far
            total[1] = max(total[1], *reaches)
        if joint.links > far:
            key = (bool(reaches), joint.fabric, joint.upper_class, joint.lower_class)
            told[key] = told.get(key, 0) + joint.links - far
    for number, links in through.items():
        yield finding("warning", "media-through-panels", view.sizings[number].name, links=links,
                      media=view.requirement.fabrics[number].media)  # fmt: skip
    for number, (far, reach) in beyond.items():
        yield finding("warning", "copper-beyond", view.sizings[number].name, optical=far,
                      links=_laid(view, number), reach_m=reach / 1000)  # fmt: skip
    for (sold, number, upper, lower), missed in told.items():
        name, media, links = view.sizings[number].name, view.requirement.fabrics[number].media, _laid(view, number)
        if sold:
            yield finding("warning", "media-does-not-fit", name, media=media, upper=upper, lower=lower, missed=missed,
                          links=links)  # fmt: skip
        else:
            yield finding("warning", "media-no-part", name, media=media, upper=upper, lower=lower, missed=missed,
                          links=links)  # fmt: skip


def _cage_longest(view: View) -> IntArray:
    """Return for every link the longest required length among the links of its two cages: they share their parts."""
    longest = np.zeros(view.cage_count + 1, np.int64)
    for cage in (view.upper_cage, view.lower_cage):
        np.maximum.at(longest, cage, view.required_mm)
    longest[view.cage_count] = 0
    return np.maximum(longest[view.upper_cage], longest[view.lower_cage])


def _laid(view: View, number: int) -> int:
    """Return how many links of a fabric have a cable."""
    return int(((view.fabric == number) & (view.link_part >= 0)).sum())


def length_gap(view: View) -> Iterator[Finding]:
    """Cables far longer than their route needs: the catalogue knows no nearer length, or rare ones were merged."""
    cables, parts = view.cabling.cables, view.cabling.cable_parts
    if not len(cables):
        return
    part, required = cables.wide("part"), cables.wide("required_mm")
    ordered = np.array([item.length_mm for item in parts], np.int64)[part]
    wide = (ordered > GAP_TIMES * required) & (ordered - required >= GAP_MM)
    for row, item in enumerate(parts):
        mine = wide & (part == row)
        if not mine.any():
            continue
        family = view.catalog.cable(item.family) if item.kind == "cable" else view.catalog.fibre(item.family)
        nearer = np.zeros(mine.size, bool)
        if view.requirement.merge_below:
            nearer[mine] = ordered_lengths(family, required[mine]) < item.length_mm
        name, metres = item.pn or item.family, item.length_mm / 1000
        plain = mine & ~nearer
        if plain.any():
            yield finding("warning", "length-gap", name, cables=int(plain.sum()), ordered_m=metres,
                          needed_m=int(required[plain].max()) / 1000)  # fmt: skip
        if nearer.any():
            yield finding("warning", "length-gap-merged", name, cables=int(nearer.sum()), ordered_m=metres,
                          needed_m=int(required[nearer].max()) / 1000,
                          below=view.requirement.merge_below or 0)  # fmt: skip


RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (medium_not_taken, length_gap)
