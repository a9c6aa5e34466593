"""Links through patch panels: which options go through a trunk, the cords and trunks of every link, panel ports.

Which links lie at the two ends of a run is said by ``patching``; here it is decided which of them go through. A link
that no straight fibre of the trunk's kind joins runs direct, and a finding tells it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fabricplan.cabling.tables import Patches
from fabricplan.catalog import CableType, Catalog, FibreType, PanelType, RecipeOption
from fabricplan.errors import InfeasibleError, Problem, RequirementError
from fabricplan.mating import modules_of, ordered_length
from fabricplan.patching import Run, Spanning
from fabricplan.requirement import PanelRun, RoomSettings
from fabricplan.values import IntArray

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Way:
    """Links of a job that may go through panels, by link of the job.

    Attributes:
        runs: all runs of the room.
        run: number of the run, -1 for links that run direct.
        flip: whether the lower end is on side b.
        lower, upper: required length of the cords in mm.
        trunk: ordered length of the trunk in mm.
    """

    runs: Sequence[Run]
    run: IntArray
    flip: BoolArray
    lower: IntArray
    upper: IntArray
    trunk: IntArray

    def of(self, links: IntArray) -> Way | None:
        """Return the way of some of the links; None where all of them run direct."""
        if not np.any(self.run[links] >= 0):
            return None
        return Way(self.runs, self.run[links], self.flip[links], self.lower[links], self.upper[links],
                   self.trunk[links])  # fmt: skip


@dataclass
class Patched:
    """Collects patched links; lives inside one call of ``lay``. Rows of cables are those of the book."""

    links: list[IntArray] = field(default_factory=list)
    runs: list[IntArray] = field(default_factory=list)
    flips: list[BoolArray] = field(default_factory=list)
    lower_cords: list[IntArray] = field(default_factory=list)
    upper_cords: list[IntArray] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.links)


def known_runs(room: RoomSettings, catalog: Catalog) -> RoomSettings:
    """Return the room with trunks and panels of its runs by their keys in the catalogue.

    Raises:
        RequirementError: a trunk or panel that the catalogue does not know, or that do not fit each other.
    """
    if not room.panels:
        return room
    runs, problems = [], []
    panels = list(catalog.all("panels", PanelType))
    for number, asked in enumerate(room.panels):
        where = f"room.panels[{number}]"
        trunk, panel = catalog.find("fibres", asked.trunk), None
        if trunk is None or catalog.fibre(trunk).trunk_connectors is None:
            problems.append(_no_trunk(catalog, asked, trunk, where))
            continue
        if asked.panel is None:
            kind = (catalog.fibre(trunk).connector, asked.panel_units)
            panel = next((item.id for item in panels if (item.connector, item.height_u) == kind), None)
        else:
            panel = catalog.find("panels", asked.panel)
        if panel is None:
            word = f"'{asked.panel}'" if asked.panel else f"with {catalog.fibre(trunk).connector}"
            problems.append(Problem("unknown-panel", f"no patch panel {word} of {asked.panel_units} U in the catalogue",
                                    f"{where}.panel", _listed([item.id for item in panels])))  # fmt: skip
            continue
        problems += _unfit(asked, catalog.fibre(trunk), catalog.panel(panel), where)
        runs.append(asked.model_copy(update={"trunk": trunk, "panel": panel}))
    if problems:
        raise RequirementError(*problems)
    return room.model_copy(update={"panels": tuple(runs)})


def _no_trunk(catalog: Catalog, asked: PanelRun, found: str | None, where: str) -> Problem:
    trunks = [item.id for item in catalog.all("fibres", FibreType) if item.trunk_connectors]
    why = f"{found} is a cord, no trunk" if found else f"no trunk '{asked.trunk}' in the catalogue"
    return Problem("unknown-trunk", why, f"{where}.trunk", _listed(trunks))


def _listed(names: Sequence[str]) -> str:
    return f"choose: {', '.join(names)}; or add your own in a catalogue overlay"


def _unfit(asked: PanelRun, trunk: FibreType, panel: PanelType, where: str) -> list[Problem]:
    found = []
    if (trunk.trunk_connectors or 1) > panel.ports:
        found.append(Problem("panel-small", f"{panel.id} has {panel.ports} ports, a trunk {trunk.id} takes "
                             f"{trunk.trunk_connectors}", f"{where}.panel",
                             "choose a panel that holds a whole trunk"))  # fmt: skip
    if panel.connector != trunk.connector:
        found.append(Problem("panel-connector", f"{panel.id} takes {panel.connector}, the trunk {trunk.id} has "
                             f"{trunk.connector}", f"{where}.panel",
                             "choose a panel of the trunk's connector"))  # fmt: skip
    if panel.height_u != asked.panel_units:
        found.append(Problem("panel-height", f"{panel.id} is {panel.height_u} U high, not {asked.panel_units}",
                             f"{where}.panel_units", f"say panel_units: {panel.height_u}"))  # fmt: skip
    return found


def trunk_length(run: Run, required_mm: int) -> int:
    """Return the ordered length of a run's trunks in mm.

    Raises:
        InfeasibleError: the trunk is not sold so long.
    """
    row = ordered_length(run.trunk, required_mm)
    if row is None:
        longest = max((item.length_mm for item in run.trunk.lengths if item.orderable), default=0)
        raise InfeasibleError(Problem(
            "trunk-too-short", f"the trunks of {run.asked.name} need {required_mm / 1000:.1f} m, {run.trunk.id} is "
            f"sold up to {longest / 1000:g} m", f"room.panels[{run.number}].trunk",
            "take a longer trunk, or stand the panels closer"))  # fmt: skip
    return row.length_mm


def goes_through(fibre: FibreType, option: RecipeOption, trunk: FibreType) -> bool:
    """Tell whether a straight fibre of an option joins a trunk: one link, one fibre, mode and connector alike."""
    return (fibre.links == 1 and fibre.tail_count == 1 and option.fibres_per_link == 1 and fibre.mode == trunk.mode
            and fibre.connector == trunk.connector)  # fmt: skip


def path_reach_mm(catalog: Catalog, option: RecipeOption, trunk: FibreType) -> int:
    """Return how long a link through a trunk may be, cords and trunk together: the least that a module, the fibre or
    the trunk states, where none does the option's band."""
    limits = [limit for limit in (catalog.fibre(option.fibre or "").link_max_mm, trunk.link_max_mm) if limit]
    for module in modules_of(catalog, option):
        graded = dict(module.reach_by_grade).get(trunk.grade)
        if graded or module.reach_mm:
            limits.append(min(limit for limit in (graded, module.reach_mm) if limit))
    return min(limits, default=option.max_mm)


def ordered_lengths(family: CableType | FibreType, required: IntArray) -> IntArray:
    """Return the sold length for every required one in mm; -1 beyond the longest."""
    if family.any_length:
        return -(-required // 1000) * 1000
    sold = np.array(sorted(row.length_mm for row in family.lengths if row.orderable), np.int64)
    if not sold.size:
        return np.full(required.size, -1, np.int64)
    at = np.searchsorted(sold, required)
    return np.where(at < sold.size, sold[np.minimum(at, sold.size - 1)], -1)


def path_fits(
    way: Way, rows: IntArray, option: RecipeOption, catalog: Catalog, least: IntArray | None = None
) -> BoolArray:
    """Return which links of a job (``rows``, all of them patched) an option serves through their panels; with ``least``
    it must reach as far for each of them."""
    fibre = catalog.fibre(option.fibre or "")
    fits = np.zeros(rows.size, bool)
    run = way.run[rows]
    cords = [ordered_lengths(fibre, length[rows]) for length in (way.lower, way.upper)]
    path = cords[0] + cords[1] + way.trunk[rows]
    for number in np.unique(run).tolist():
        trunk = way.runs[number].trunk
        if goes_through(fibre, option, trunk):
            mine = (run == number) & (cords[0] > 0) & (cords[1] > 0)
            reach = path_reach_mm(catalog, option, trunk)
            fits |= mine & (path <= reach) & (least is None or least <= reach)
    return fits


def choose_ways(way: Way | None, tiers: Sequence[Sequence[RecipeOption]], catalog: Catalog) -> IntArray | None:
    """Return the run of every link of a job that goes through panels, -1 where it runs direct: some option with fibre
    of the first tier that has one must go through the trunk. None where no link does."""
    if way is None:
        return None
    options = next((found for tier in tiers if (found := [item for item in tier if item.fibre])), [])
    chosen = way.run.copy()
    for run in way.runs:
        fits = [item for item in options if goes_through(catalog.fibre(item.fibre or ""), item, run.trunk)]
        if not fits:
            chosen[chosen == run.number] = -1
    return chosen if np.any(chosen >= 0) else None


def not_of_the_trunk(subject: str, run: Run, fibre: FibreType) -> InfeasibleError:
    """Return the error of a link whose cage needs another fibre than its trunk has, or a longer reach."""
    return InfeasibleError(Problem(
        "panel-fibre", f"{subject}: links through the panels of {run.asked.name} share modules with links that need "
        f"{fibre.id} ({fibre.mode}, {fibre.connector}); the trunk {run.trunk.id} is {run.trunk.mode}, "
        f"{run.trunk.connector}, or too long for it", f"room.panels[{run.number}]",
        "take trunks of that fibre, or let both links of a module go through the panels"))  # fmt: skip


def numbered(patched: Patched, runs: Sequence[Run], apart: IntArray) -> tuple[IntArray, ...]:
    """Return the patched links in order with what they take: link, run, flip, port (from 1), lower and upper cord.

    Args:
        patched: the links.
        runs: the runs.
        apart: for every link of the plan what it may not share a trunk with others of: its fabric, role and plane.

    Raises:
        InfeasibleError: a run has too few ports.
    """
    order = np.argsort(np.concatenate(patched.links), kind="stable")
    flip = np.concatenate(patched.flips)[order].astype(np.int64)
    link, run, lower, upper = (
        np.concatenate(column)[order]
        for column in (patched.links, patched.runs, patched.lower_cords, patched.upper_cords)
    )
    port = np.zeros(link.size, np.int64)
    for item in runs:
        mine = np.flatnonzero(run == item.number)
        _, group, count = np.unique(apart[link[mine]], return_inverse=True, return_counts=True)
        # the links of a group fill trunks of their own, in the order of the links
        whole = -(-count // item.trunk_links) * item.trunk_links
        sequence = np.argsort(group, kind="stable")
        rank = np.arange(mine.size) - (np.cumsum(count) - count)[group[sequence]]
        port[mine[sequence]] = (np.cumsum(whole) - whole)[group[sequence]] + rank + 1
        most = int(port[mine].max(initial=0))
        if most > item.ports:
            need = -(-most // item.panel_links)
            raise InfeasibleError(Problem(
                "panel-full", f"{mine.size:,} links go through the panels of {item.asked.name}, which have "
                f"{item.ports:,} ports at each end", f"room.panels[{item.number}].panels",
                f"panels: {need}, or panels with more ports"))  # fmt: skip
    return link, run, flip, port, lower, upper


def direct_links(spans: Spanning, patches: Patches | None) -> IntArray:
    """Return the run of links that lie at the two ends of a run but go direct, by link; else -1."""
    run = spans.run.copy()
    if patches is not None:
        run[patches.wide("link")] = -1
    return run
