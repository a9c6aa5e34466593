"""Ends of the pieces of links through patch panels, in the rows of the cable schedule."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fabricplan.patching import PanelPlace, panel_places, runs_on_floor
from fabricplan.plan import Plan
from fabricplan.portwords import PortText
from fabricplan.values import IntArray


class Plugs(NamedTuple):
    """Rows whose end is plugged into a panel: the panel's place in the list of panels, first and last port there."""

    row: IntArray
    panel: IntArray
    first: IntArray
    last: IntArray


class PanelEnds:
    """The panels of a plan, and which rows of the schedule end at them: a cord at its one port, a trunk at the ports of
    its links. Texts of panel ports are added to ``texts``. ``trunks`` are the rows of trunks, ``measured`` those of
    them whose length was surveyed."""

    def __init__(self, plan: Plan, cable: IntArray, tail: IntArray, texts: list[PortText]) -> None:
        patches = plan.cabling.patches
        assert patches is not None
        runs = runs_on_floor(plan.requirement.room, plan.placement, plan.products)
        self.panels: list[PanelPlace] = list(panel_places(runs))
        self.texts = texts
        self._codes: dict[tuple[int, int], int] = {}
        base = np.zeros((len(runs), 2), np.int64)
        for at, item in enumerate(self.panels):
            if item.number == 1:
                base[item.run.number, item.side] = at
        ports = np.array([run.panel_links for run in runs], np.int64)
        row_of = np.full(len(plan.cabling.cables) + 1, -1, np.int64)
        straight = np.flatnonzero((cable >= 0) & (tail == 0))
        row_of[cable[straight]] = straight
        run, port, flip = patches.wide("run"), patches.wide("port"), patches.wide("flip")
        cord, upper, trunk = (plan.cabling.links.wide("cable")[patches.wide("link")], patches.wide("upper_cord"),
                              patches.wide("trunk"))  # fmt: skip
        number, local = (port - 1) // ports[run], (port - 1) % ports[run] + 1

        def plugs(cables: IntArray, side: IntArray, last: IntArray | None = None) -> Plugs:
            return Plugs(row_of[cables], base[run, side] + number, local, local if last is None else last)

        # the cord at the lower end leads to the panel there, so that its upper end is the plug
        near = [plugs(upper, 1 - flip), plugs(cord, flip)]
        order = np.lexsort((port, trunk))
        first = order[np.flatnonzero(np.diff(trunk[order], prepend=-1))]
        # a trunk takes whole groups of ports, connected or not, all of one panel
        size = np.array([item.trunk_links for item in runs], np.int64)[run]
        begin = (local - 1) // size * size + 1
        end = begin + size - 1
        for at in (0, 1):
            # a trunk leads from side a to side b, whichever way its links go
            whole = Plugs(row_of[trunk[first]], (base[run, at] + number)[first], begin[first], end[first])
            near[at] = Plugs(*(np.concatenate(pair) for pair in zip(near[at], whole, strict=True)))
        self.lower, self.upper = near
        self.trunks = row_of[trunk[first]]
        measured = np.array([item.asked.trunk_length_mm is not None for item in runs], bool)
        self.measured = self.trunks[measured[run[first]]]

    def plug(
        self, plugs: Plugs, device: IntArray, code: IntArray, module: IntArray, order: IntArray, devices: int,
        no_module: int,
    ) -> None:  # fmt: skip
        """Write one side's plugs into the columns of the schedule."""
        device[plugs.row] = devices + plugs.panel
        module[plugs.row] = no_module
        order[plugs.row] = plugs.first
        code[plugs.row] = [self._text(*pair) for pair in zip(plugs.first.tolist(), plugs.last.tolist(), strict=True)]

    def _text(self, first: int, last: int) -> int:
        """Return the row of a panel port's text."""
        found = self._codes.get((first, last))
        if found is None:
            panel = f"{first}" if first == last else f"{first}-{last}"
            short = f"P{first:02}" if first == last else f"P{first:02}-{last:02}"
            found = self._codes[first, last] = len(self.texts)
            self.texts.append(PortText(panel, "", "", short))
        return found
