"""Parts of the links of one class pair: options in order of preference, whole cages, one kind of optics per module.

A :class:`Job` is a set of links that share a recipe. Ends are cages, coded as ``device x CAGES + cage``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from fabricplan.cabling.panels import Patched, Way, choose_ways, not_of_the_trunk, path_fits
from fabricplan.cabling.tables import CablePart
from fabricplan.catalog import CableLength, CableType, Catalog, FibreType, RecipeOption
from fabricplan.errors import InfeasibleError, Problem
from fabricplan.mating import Join, MediaPolicy, family_of, ranked_options, reach_mm
from fabricplan.values import IntArray, distinct


class Book:
    """Collects parts and rows; lives inside one call of ``lay``."""

    def __init__(self, link_count: int) -> None:
        self.parts: list[CablePart] = []
        self.part_reach: list[int] = []
        self.part_rows: dict[tuple[str, str, int], int] = {}
        self.modules: list[str] = []
        self.cable_part: list[IntArray] = []
        self.cable_mm: list[IntArray] = []
        self.cable_first: list[IntArray] = []
        self.cable_count = 0
        self.link_cable = np.full(link_count, -1, np.int64)
        self.link_tail = np.zeros(link_count, np.int64)
        self.cages: list[tuple[int, IntArray, int]] = []
        self.patched = Patched()

    def part(self, part: CablePart, reach: int) -> int:
        """Return the row of a cable part, adding it if it is new; ``reach`` is that of what its link is joined with."""
        row = self.part_rows.setdefault((part.kind, part.family, part.length_mm), len(self.parts))
        if row == len(self.parts):
            self.parts.append(part)
            self.part_reach.append(reach)
        self.part_reach[row] = min(self.part_reach[row], reach)
        return row

    def module(self, key: str) -> int:
        """Return the row of a transceiver key, adding it if it is new."""
        if key not in self.modules:
            self.modules.append(key)
        return self.modules.index(key)

    def held(self, fabric: int) -> tuple[IntArray, IntArray]:
        """Return the cages of a fabric that have a module, in order, and the row of the module in each."""
        mine = [(codes, part) for number, codes, part in self.cages if number == fabric]
        if not mine:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        codes = np.concatenate([item for item, _ in mine])
        parts = np.concatenate([np.full(item.size, part) for item, part in mine])
        order = np.argsort(codes, kind="stable")
        return codes[order], parts[order]


@dataclass(frozen=True)
class Job:
    """Links of one fabric and role that join the same two port classes.

    Attributes:
        fabric: fabric number.
        subject: what is joined, for messages.
        links: link rows.
        lower, upper: cage code of each link's ends.
        head_port: port number at the recipe's ``a`` end (where splitters have their head).
        numbers_per_cage: port numbers that a cage takes at that end.
        join: the recipe and its direction.
        required: required length of each link in mm.
        surveyed: links whose length was measured.
        free: links that may be copper under the media policy ``auto``: measured ones, or all where a placement is asked
            that saves optics.
        shared: links whose upper cage also carries links of another job.
        decides: the longest length in such a cage, else 0; absent where no cage is shared.
        media: the policy.
        way: what panels are there for these links; absent: all run direct.
        through: run of every link that goes through panels, -1 for others; set while parts are chosen.
    """

    fabric: int
    subject: str
    links: IntArray
    lower: IntArray
    upper: IntArray
    head_port: IntArray
    numbers_per_cage: int
    join: Join
    required: IntArray
    surveyed: npt.NDArray[np.bool_]
    free: npt.NDArray[np.bool_]
    shared: npt.NDArray[np.bool_]
    media: MediaPolicy
    decides: IntArray | None = None
    way: Way | None = None
    through: IntArray | None = None

    @property
    def barred(self) -> npt.NDArray[np.bool_]:
        """Links that take no fixed plug: their cage serves links of another job, or they go through panels."""
        return self.shared if self.through is None else self.shared | (self.through >= 0)

    @property
    def head(self) -> IntArray:
        """Cage code of the recipe's ``a`` end."""
        return self.lower if self.join.swapped else self.upper

    @property
    def tail(self) -> IntArray:
        """Cage code of the recipe's ``b`` end."""
        return self.upper if self.join.swapped else self.lower


def share_cages(jobs: Sequence[Job]) -> list[Job]:
    """Mark the links whose upper cage serves several jobs, and let the longest link of such a cage decide; jobs with
    links through panels come first, because trunks leave them less choice."""
    if len(jobs) < 2:
        return list(jobs)
    jobs = sorted(jobs, key=lambda job: job.way is None)
    cage = _group(np.concatenate([job.upper for job in jobs]))
    owner = np.concatenate([np.full(job.upper.size, number) for number, job in enumerate(jobs)])
    length = _highest(cage, np.concatenate([_light_path(job) for job in jobs]))[cage]
    shared = (_highest(cage, owner) != len(jobs) - 1 - _highest(cage, len(jobs) - 1 - owner))[cage]
    return [
        replace(job, shared=shared[owner == number], decides=np.where(shared, length, 0)[owner == number])
        for number, job in enumerate(jobs)
    ]


def _light_path(job: Job) -> IntArray:
    """Return the length of every link; through panels of cords and trunk together."""
    way = job.way
    if way is None:
        return job.required
    return np.where(way.run >= 0, way.lower + way.trunk + way.upper, job.required)


def serve(job: Job, catalog: Catalog, book: Book) -> None:
    """Choose parts for all links of a job and record them.

    Raises:
        InfeasibleError: no part reaches far enough for some link.
    """
    tiers = ranked_options(catalog, job.join.recipe, job.media)
    job = replace(job, through=choose_ways(job.way, tiers, catalog))
    left = np.arange(job.links.size)
    if job.free.any():
        for option in ranked_options(catalog, job.join.recipe, job.media, measured=True)[0]:
            if option.cable and left.size:
                left = _cables(job, left, option, catalog, book, job.free)
    for tier in tiers:
        for option in tier:
            if option.cable and left.size:
                left = _cables(job, left, option, catalog, book)
        if left.size:
            left = _optics(job, left, [option for option in tier if option.fibre], catalog, book)
    if left.size:
        worst = int((job.required if job.decides is None else np.maximum(job.required, job.decides))[left].max())
        measured = int(job.surveyed[left].sum())
        told = f", {measured} of them by their surveyed length" if measured else ""
        longest = max((reach_mm(catalog, option) for tier in tiers for option in tier), default=0)
        if job.through is not None and (job.through[left] >= 0).any():
            raise _path_too_long(job, left[job.through[left] >= 0])
        if worst <= longest:
            raise _no_whole_cages(job, left)
        raise InfeasibleError(Problem(
            "out-of-reach", f"{job.subject}: {left.size} links need up to {worst / 1000:.1f} m{told}; the longest part "
            f"that joins these ends reaches {longest / 1000:.1f} m", "",
            "bring the racks closer, split the room, or set one length for all with --uniform-length-m"))  # fmt: skip


def _no_whole_cages(job: Job, left: IntArray) -> InfeasibleError:
    """Return the error of links that parts reach, but only with plugs that take whole cages."""
    shared = bool(job.shared[left].any())
    why = ("links to ends of another kind share their cages" if shared else
           "the links of a cage do not lead to as many cages as a cable has plugs")  # fmt: skip
    return InfeasibleError(Problem(
        "no-whole-cages", f"{job.subject}: {left.size} links: what joins these ends ({job.join.recipe.title}) is "
        f"cables with fixed plugs, which take whole cages, and {why}", "",
        "give ends of each kind a fabric of their own, or adapters of one kind" if shared else
        "choose a leaf or spine whose cages carry one link each, or another rate of the uplinks",
        (("subject", job.subject), ("links", int(left.size)), ("title", job.join.recipe.title))))  # fmt: skip


def _cables(
    job: Job, left: IntArray, option: RecipeOption, catalog: Catalog, book: Book,
    only: npt.NDArray[np.bool_] | None = None,
) -> IntArray:  # fmt: skip
    """Serve links by cables with fixed plugs; return the links that remain.

    A straight cable takes whole cages at both ends; a splitter takes the head cage whole, each tail a cage. With
    ``only``, no cable is taken that serves a link outside of it.
    """
    cable = catalog.cable(option.cable or "")
    head, tail = job.head[left], job.tail[left]
    if cable.tail.count > 1:
        group, alone = _group(head), (_sizes(tail) <= cable.tail.ports) & (_sizes(head) <= cable.links)
    elif cable.links > 1:
        group = _group_pairs(head, tail)
        size = _sizes(group)
        alone = (size == _sizes(head)) & (size == _sizes(tail))
    else:
        group, alone = np.arange(left.size), np.ones(left.size, bool)
    longest = _highest(group, job.required[left])
    fits = (longest > option.over_mm) & (longest <= reach_mm(catalog, option))
    fits[group[~alone | job.barred[left]]] = False
    if only is not None:
        fits[group[~only[left]]] = False
    served = fits[group]
    if served.any():
        _record(job, left[served], _group(group[served]), option, cable.tail.count > 1, catalog, book)
    return left[~served]


def _optics(job: Job, left: IntArray, options: Sequence[RecipeOption], catalog: Catalog, book: Book) -> IntArray:
    """Serve links by modules and fibre; return the links that are too long for all options.

    Links that share cages, directly or through others, take the option that the longest of them needs.
    """
    if not options:
        return left
    reaches = np.array([reach_mm(catalog, option) for option in options])
    order = np.argsort(reaches, kind="stable")
    longest = job.required if job.decides is None else np.maximum(job.required, job.decides)
    level = np.searchsorted(reaches[order], longest[left])
    patched = np.zeros(left.size, bool) if job.through is None else job.through[left] >= 0
    ranked = [options[row] for row in order.tolist()]
    if patched.any():
        level[patched] = _path_levels(job, left[patched], ranked, catalog)
    if job.shared[left].any():
        level = _as_held(job, left, level, reaches[order], ranked, book)
    if level.min() != level.max():
        level = _raise_together(job.lower[left], job.upper[left], level)
    for step in np.flatnonzero(np.bincount(level)[: len(options)]).tolist():
        option, mine = options[int(order[step])], level == step
        if (patched & mine).any():
            _cords(job, left[mine & patched], option, catalog, book)
        if (mine & ~patched).any():
            _fibres(job, left[mine & ~patched], option, catalog, book)
    return left[level >= len(options)]


def _path_levels(job: Job, rows: IntArray, options: Sequence[RecipeOption], catalog: Catalog) -> IntArray:
    """Return for links through panels the first option that serves cords and trunk together; past the last where none
    does."""
    assert job.way is not None
    level = np.full(rows.size, len(options), np.int64)
    least = None if job.decides is None else job.decides[rows]
    for step in reversed(range(len(options))):
        level[path_fits(job.way, rows, options[step], catalog, least)] = step
    return level


def _as_held(
    job: Job, left: IntArray, level: IntArray, reaches: IntArray, ranked: Sequence[RecipeOption], book: Book
) -> IntArray:
    """Return the levels, of direct links in a cage that another job has filled those of the module that is there."""
    rows, parts = book.held(job.fabric)
    if not rows.size:
        return level
    at = np.minimum(np.searchsorted(rows, job.upper[left]), rows.size - 1)
    held = np.where((rows[at] == job.upper[left]) & job.shared[left], parts[at], -1)
    direct = held >= 0 if job.through is None else (held >= 0) & (job.through[left] < 0)
    found = level.copy()
    for step in reversed(range(len(ranked))):
        key = job.join.module(ranked[step], True)
        if key in book.modules:
            alike = direct & (held == book.modules.index(key)) & (job.required[left] <= reaches[step])
            found[alike] = step
    return found


def _cords(job: Job, chosen: IntArray, option: RecipeOption, catalog: Catalog, book: Book) -> None:
    """Record the two cords of links through panels, and the modules at their ends."""
    way = job.way
    assert way is not None
    fibre, links = catalog.fibre(option.fibre or ""), job.links[chosen]
    unfit = np.flatnonzero(~path_fits(way, chosen, option, catalog))
    if unfit.size:
        raise not_of_the_trunk(job.subject, way.runs[int(way.run[chosen[unfit[0]]])], fibre)
    rows = []
    for required in (way.lower[chosen], way.upper[chosen]):
        # a cord is never folded into a longer one: the path might not bear it
        sold, parts = _sold(fibre, "fibre", required, 0, book)
        book.cable_part.append(parts[sold])
        book.cable_mm.append(required)
        book.cable_first.append(links)
        rows.append(book.cable_count + np.arange(links.size))
        book.cable_count += links.size
    book.link_cable[links] = rows[0]
    book.patched.links.append(links)
    book.patched.runs.append(way.run[chosen])
    book.patched.flips.append(way.flip[chosen])
    book.patched.lower_cords.append(rows[0])
    book.patched.upper_cords.append(rows[1])
    _modules(job, chosen, option, book)


def _path_too_long(job: Job, rows: IntArray) -> InfeasibleError:
    """Return the error of links that no option serves through their panels."""
    way = job.way
    assert way is not None
    worst = int(rows[np.argmax(way.lower[rows] + way.trunk[rows] + way.upper[rows])])
    run = way.runs[int(way.run[worst])]
    pieces = [int(length[worst]) / 1000 for length in (way.lower, way.trunk, way.upper)]
    return InfeasibleError(Problem(
        "path-out-of-reach", f"{job.subject}: {rows.size} links through the panels of {run.asked.name} need up to "
        f"{pieces[0]:.1f} m of cord, {pieces[1]:.1f} m of trunk and {pieces[2]:.1f} m of cord; no part of the trunk's "
        f"kind ({run.trunk.mode}, {run.trunk.connector}) joins these ends over so much", f"room.panels[{run.number}]",
        "stand the panels closer, or take single-mode trunks"))  # fmt: skip


def _fibres(job: Job, chosen: IntArray, option: RecipeOption, catalog: Catalog, book: Book) -> None:
    """Record fibres (one per link, or one splitter per connector) and modules (one per cage)."""
    fibre = catalog.fibre(option.fibre or "")
    if fibre.links > 1:
        module = option.module_a
        connectors = catalog.transceiver(module).connector_count if module else 1
        place = (job.head_port[chosen] - 1) % job.numbers_per_cage * connectors // job.numbers_per_cage
        group = _group_pairs(job.head[chosen], place)
    else:
        group = np.arange(chosen.size)
    _record(job, chosen, group, option, fibre.links > 1, catalog, book)
    _modules(job, chosen, option, book)


def _modules(job: Job, chosen: IntArray, option: RecipeOption, book: Book) -> None:
    """Record the modules of links: one per populated cage."""
    for ends, is_upper in ((job.lower, False), (job.upper, True)):
        key = job.join.module(option, is_upper)
        if key:
            book.cages.append((job.fabric, distinct(ends[chosen]), book.module(key)))


def _record(
    job: Job, chosen: IntArray, group: IntArray, option: RecipeOption, splitter: bool, catalog: Catalog, book: Book
) -> None:
    """Record one cable per group of links (several where a link takes more than one fibre)."""
    links = job.links[chosen]
    required = _highest(group, job.required[chosen])
    first = np.full(required.size, np.iinfo(np.int64).max)
    np.minimum.at(first, group, links)
    sold, parts = _sold(family_of(catalog, option), "cable" if option.cable else "fibre", required, option.max_mm, book)
    for _ in range(option.fibres_per_link):
        book.cable_part.append(parts[sold])
        book.cable_mm.append(required)
        book.cable_first.append(first)
    book.link_cable[links] = book.cable_count + group
    book.cable_count += required.size * option.fibres_per_link
    if splitter:
        order = np.lexsort((links, group))
        starts = np.searchsorted(group[order], np.arange(required.size))
        book.link_tail[links[order]] = np.arange(order.size) - starts[group[order]] + 1


def _sold(
    family: CableType | FibreType, kind: Literal["cable", "fibre"], required: IntArray, reach: int, book: Book
) -> tuple[IntArray, IntArray]:
    """Return the next sold length of every required one, as indexes into the part rows that come with them."""
    if family.any_length:
        lengths, index = np.unique(-(-required // 1000) * 1000, return_inverse=True)
        rows = [CableLength(length_mm=int(length), pn="") for length in lengths]
    else:
        rows = sorted((row for row in family.lengths if row.orderable), key=lambda row: row.length_mm)
        index = np.searchsorted(np.array([row.length_mm for row in rows]), required)
    parts = np.full(len(rows), -1, np.int64)
    for row in np.flatnonzero(np.bincount(index)).tolist():
        item = rows[row]
        parts[row] = book.part(CablePart(kind=kind, family=family.id, pn=item.pn, opn=item.opn,
                                         length_mm=item.length_mm), reach)  # fmt: skip
    return index.astype(np.int64), parts


def _raise_together(lower: IntArray, upper: IntArray, level: IntArray) -> IntArray:
    """Raise the level of links that share cages to the highest among them (transitively)."""
    low, high = _group(lower), _group(upper)
    while True:
        raised = np.maximum(_highest(low, level)[low], _highest(high, level)[high])
        if np.array_equal(raised, level):
            return level
        level = raised


def _group(key: IntArray) -> IntArray:
    """Number equal keys from 0."""
    _, inverse = np.unique(key, return_inverse=True)
    return inverse.astype(np.int64)


def _group_pairs(a: IntArray, b: IntArray) -> IntArray:
    """Number equal pairs of keys from 0."""
    high = _group(b)
    return _group(_group(a) * (int(high.max(initial=0)) + 1) + high)


def _sizes(key: IntArray) -> IntArray:
    """Return for each item how many items have its key."""
    group = _group(key)
    return np.bincount(group)[group].astype(np.int64)


def _highest(group: IntArray, value: IntArray) -> IntArray:
    """Return the highest value of each group."""
    highest = np.zeros(int(group.max(initial=-1)) + 1, np.int64)
    np.maximum.at(highest, group, value)
    return highest
