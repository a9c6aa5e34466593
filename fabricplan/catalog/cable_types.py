"""Product types of cables, fibres and patch panels; conventions as in ``types``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabricplan.catalog.types import Entry
from fabricplan.catalog.words import (
    Amount,
    CableKind,
    Confidence,
    FibreMode,
    Lifecycle,
    Ports,
    Positive,
    Technology,
    Top,
)
from fabricplan.values import Value


class CableEnd(Value):
    """One kind of plug of a cable; ``count`` plugs, each carrying ``ports`` links."""

    form: str
    top: Top = "none"
    count: Ports = 1
    ports: Ports = 1


class CableLength(Value):
    """One purchasable length of a cable family."""

    length_mm: Positive
    pn: str
    opn: str | None = None
    key: str | None = None
    awg: Positive | None = None
    status: Lifecycle | None = None
    confidence: Confidence | None = None
    orderable: bool = True
    note: str | None = None


class CableType(Entry):
    """A cable family with fixed ends: copper, active copper, active optical, twisted pair.

    ``links`` logical links per cable: head ports = tails x tail ports. ``successor`` is the family that the maker
    names instead of a retired one.
    """

    id: str
    title: str
    kind: CableKind
    technologies: tuple[Technology, ...]
    lane_gbps: Positive | None = None
    link_gbps: Positive
    links: Ports
    head: CableEnd
    tail: CableEnd
    reach_mm: Positive | None = None
    power_per_end_w: Amount | None = None
    any_length: bool = False
    successor: str | None = None
    lengths: tuple[CableLength, ...] = ()


class FibreType(Entry):
    """A passive fibre family; a splitter has more than one tail.

    ``any_length`` marks a generic (third-party) cord: it has no part number, and is ordered by the metre.
    ``trunk_connectors`` marks a trunk between patch panels, with so many connectors at each end; each carries a link.
    """

    id: str
    title: str
    mode: FibreMode
    grade: str
    connector: str
    tail_connector: str | None = None
    tail_count: Ports = 1
    links: Ports = 1
    polarity: str | None = None
    polish: Literal["APC", "UPC"] | None = None
    gender: str | None = None
    loss_db_max: Amount | None = None
    link_max_mm: Positive | None = None
    trunk_connectors: Ports | None = None
    any_length: bool = False
    lengths: tuple[CableLength, ...] = ()


class PanelType(Entry):
    """A patch panel: so many adapters of one connector, each joining a trunk's connector with a patch cord's.

    ``pn`` is absent where it is ordered by description. Keys of the adapters are opposed, so that they cross nothing.
    """

    id: str
    title: str
    connector: str
    ports: Annotated[int, Field(strict=True, ge=1, le=2_000)]
    height_u: Positive
    pn: str | None = None
    opn: str | None = None
    orderable: bool = True
