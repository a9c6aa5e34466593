"""What two ends need to mate: port classes, and recipes of the parts that join two of them."""

from __future__ import annotations

from pydantic import Field

from fabricplan.catalog.words import Confidence, Medium, NotNegative, Ports, Positive, Technology, Top
from fabricplan.values import Value


class PortClass(Value):
    """What a cage is to a plug: form factor, top, lanes. Two ends mate by recipe between two port classes.

    ``accepts`` are the further plug forms that fit (a QSFP112 cage takes QSFP56 plugs); ``lanes`` and
    ``lane_gbps`` are the most the cage offers.
    """

    id: str
    title: str
    form: str
    top: Top = "none"
    accepts: tuple[str, ...] = ()
    lanes: Positive
    lane_gbps: Positive
    sources: tuple[str, ...] = Field(min_length=1)


class RecipeOption(Value):
    """One way to join the two port classes of a recipe, for lengths ``over_mm`` < L <= ``max_mm``.

    Either ``cable`` (the plugs are part of it) or ``fibre`` with ``module_a`` and, unless the far end has its
    optics built in, ``module_b``. Fibres = links x ``fibres_per_link`` / links of the fibre (1 x 800GbE over
    both MPO connectors of a module takes two).
    """

    medium: Medium
    over_mm: NotNegative = 0
    max_mm: Positive
    cable: str | None = None
    module_a: str | None = None
    module_b: str | None = None
    fibre: str | None = None
    fibres_per_link: Ports = 1
    confidence: Confidence = "transcribed"
    orderable: bool = True
    note: str | None = None


class Recipe(Value):
    """Which parts join port class ``a`` (switch side) to port class ``b``, best first within a medium.

    ``rates`` narrows the recipe to fabrics of these rates: HDR100 and EDR are both 100 Gb/s and take unlike parts.
    """

    id: str
    title: str
    a: str
    b: str
    technologies: tuple[Technology, ...]
    link_gbps: Positive
    rates: tuple[str, ...] = ()
    links_per_cage_a: Ports
    links_per_cage_b: Ports
    options: tuple[RecipeOption, ...]
    sources: tuple[str, ...] = Field(min_length=1)
    notes: tuple[str, ...] = ()


class Refusal(Value):
    """A pair of port classes that does not mate, and why; with ``link_gbps``, only for links of that speed."""

    a: str
    b: str
    link_gbps: Positive | None = None
    technologies: tuple[Technology, ...] = ("infiniband", "ethernet")
    why: str
    sources: tuple[str, ...] = Field(min_length=1)
