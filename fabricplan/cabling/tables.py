"""The values of a cabling: cables, modules, and which of them serve which link."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from fabricplan.names import cable_ids
from fabricplan.topology import CAGES, Links
from fabricplan.values import Column, IntArray, Table, Value, distinct

FABRICS = 256
"""Fabrics that the code of a cage leaves room for: their number is one byte."""
LengthSource = Literal["estimated", "uniform", "surveyed"]


class CablePart(Value):
    """One purchasable cable or fibre: family and length."""

    kind: Literal["cable", "fibre"]
    family: str
    pn: str
    opn: str | None = None
    length_mm: int


class Cables(Table):
    """All cables and fibres, in order of their first link."""

    columns: ClassVar = {
        "part": Column("<u2", "row of the cable parts"),
        "link": Column("<i4", "first link that it carries"),
        "required_mm": Column("<i4", "required length in mm"),
        "bundle": Column("<i4", "bundle from 1: cables between the same two racks"),
    }


class LinkCables(Table):
    """Which cable carries each link; row = link row."""

    columns: ClassVar = {
        "cable": Column("<i4", "cable row; -1 where no part is known (reserved port without a host)"),
        "tail": Column("<u1", "tail of a splitter from 1; 0 for a straight cable"),
    }


class Transceivers(Table):
    """All pluggable modules: one per populated cage of an optical link."""

    columns: ClassVar = {
        "fabric": Column("<u1", "fabric number from 0 (host cages are counted per fabric)"),
        "device": Column("<i4", "device row"),
        "cage": Column("<u2", "cage from 1"),
        "part": Column("<u2", "row of the transceiver keys"),
    }


class Patches(Table):
    """Links through patch panels, in order of the links. Their cable row is the cord at their lower end."""

    columns: ClassVar = {
        "link": Column("<i4", "link row"),
        "run": Column("<u1", "run of the room's panels from 0"),
        "flip": Column("<u1", "1 where the lower end of the link is on side b of the run"),
        "port": Column("<u2", "panel port from 1, over all panels of an end"),
        "upper_cord": Column("<i4", "cable row of the cord at the upper end"),
        "trunk": Column("<i4", "cable row of the trunk"),
    }


class CableNumbers(Table):
    """The number of every cable of a stage, in the order of the cables: that of its row in the final stage, from 1."""

    columns: ClassVar = {"number": Column("<i4", "number from 1 in the final stage")}


class Cabling(Value):
    """Cables, modules, and which of them serve which link.

    ``length_source`` says where lengths come from that were not surveyed: the room, or one uniform number; ``surveyed``
    where all were (``surveyed.route_lengths`` tells which, where some were). ``patches`` is absent where no link goes
    through patch panels. ``numbers`` and ``final_count`` are those of the final stage, where a plan is an earlier one:
    ids of cables follow from them, so that growth renames none.
    """

    length_source: LengthSource
    cable_parts: tuple[CablePart, ...]
    transceiver_parts: tuple[str, ...]
    cables: Cables
    links: LinkCables
    transceivers: Transceivers
    patches: Patches | None = None
    numbers: CableNumbers | None = None
    final_count: int | None = None

    @property
    def cable_numbers(self) -> IntArray:
        """The number of every cable from 1; under growth that of the final stage."""
        return np.arange(1, len(self.cables) + 1) if self.numbers is None else self.numbers.wide("number")

    def cable_ids(self) -> list[str]:
        """Return the id of every cable."""
        return cable_ids(self.cable_numbers.tolist(), self.final_count or len(self.cables))

    @property
    def pieces(self) -> IntArray:
        """Cable rows of the pieces of patched links: cords at both ends, and trunks."""
        if self.patches is None:
            return np.zeros(0, np.int64)
        cords = self.links.wide("cable")[self.patches.wide("link")]
        return distinct(np.concatenate([cords, self.patches.wide("upper_cord"), self.patches.wide("trunk")]))

    @property
    def path_mm(self) -> dict[int, int]:
        """Link row -> ordered length of cord, trunk and cord together, of every link through patch panels."""
        if self.patches is None:
            return {}
        length = np.array([part.length_mm for part in self.cable_parts], np.int64)[self.cables.wide("part")]
        link = self.patches.wide("link")
        rows = self.links.wide("cable")[link], self.patches.wide("trunk"), self.patches.wide("upper_cord")
        whole = sum(length[row] for row in rows)
        return dict(zip(link.tolist(), np.asarray(whole).tolist(), strict=True))

    def cables_where(self, links: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return the cables all of whose links are among ``links``; pieces of patched links are none of them."""
        carried = self.links.wide("cable")
        if not links.any():
            return np.zeros(len(self.cables), bool)
        found = links[np.minimum(self.cables.wide("link"), links.size - 1)]
        found[carried[(carried >= 0) & ~links]] = False
        found[self.pieces] = False
        return found

    def module_parts(self, links: Links, cages: tuple[IntArray, IntArray]) -> tuple[IntArray, IntArray]:
        """Return the row of the transceiver keys at the lower and the upper end of every link; -1 where a plug is part
        of the cable.

        Args:
            links: the links.
            cages: the cage of each end, as ``topology.link_cages`` tells them.
        """
        modules = self.transceivers
        held = (modules.wide("device") * FABRICS + modules.wide("fabric")) * CAGES + modules.wide("cage")
        order = np.argsort(held)
        ends = []
        for name, cage in zip(("lower", "upper"), cages, strict=True):
            wanted = (links.wide(name) * FABRICS + links.wide("fabric")) * CAGES + cage
            if not held.size:
                ends.append(np.full(wanted.size, -1, np.int64))
                continue
            at = np.minimum(np.searchsorted(held[order], wanted), held.size - 1)
            ends.append(np.where(held[order][at] == wanted, modules.wide("part")[order][at], -1))
        return ends[0], ends[1]
