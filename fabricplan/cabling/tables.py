"""The values of a cabling: cables, modules, and which of them serve which link."""

from __future__ import annotations

from typing import ClassVar, Literal

from fabricplan.values import Column, Table, Value

LengthSource = Literal["estimated", "uniform"]


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


class Cabling(Value):
    """Cables, modules, and which of them serve which link.

    ``length_source`` says whether lengths come from the default room or one uniform number.
    """

    length_source: LengthSource
    cable_parts: tuple[CablePart, ...]
    transceiver_parts: tuple[str, ...]
    cables: Cables
    links: LinkCables
    transceivers: Transceivers
