"""Product types: what the maker says of a product, each fact with its source.

Conventions of all types here:

* Unknown is ``None`` (absent in the file), never 0 and never a guess.
* Lengths are integer millimetres, speeds Gb/s, power W, weight kg. Units are in the field names.
* ``confidence`` is ``verified`` (two independent sources or the maker's own page), ``transcribed`` (one source,
  second-hand) or ``estimated`` (inferred; a plan that leans on it says so).
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from fabricplan.values import Value

Technology = Literal["infiniband", "ethernet"]
Lifecycle = Literal["active", "retired", "unlisted", "planned", "unverified"]
Confidence = Literal["verified", "transcribed", "estimated"]
Airflow = Literal["P2C", "C2P"]
Top = Literal["finned", "flat", "none"]
Medium = Literal["dac", "acc", "aoc", "multimode", "singlemode", "twisted-pair"]
PortNumbering = Literal["edr", "hdr", "ndr", "xdr", "spectrum"]
CableKind = Literal["dac", "acc", "aoc", "twisted-pair"]
FibreMode = Literal["multimode", "singlemode"]


class Document(Value):
    """A source: publisher, title, version and when it was read."""

    id: str
    publisher: str
    title: str
    version: str | None = None
    url: str | None = None
    retrieved: str | None = None


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
    lanes: int
    lane_gbps: int
    sources: tuple[str, ...] = Field(min_length=1)


class PortMode(Value):
    """One way to run a cage.

    ``ports`` logical ports per cage, each of ``lanes`` x ``lane_gbps`` = ``speed_gbps``. A mode whose
    ``profile`` is ``split`` renumbers every port of the switch.
    """

    rate: str
    technology: Technology
    speed_gbps: int
    ports: int
    lanes: int
    lane_gbps: int
    profile: Literal["normal", "split"] = "normal"
    cages_max: int | None = None
    note: str | None = None


class CageGroup(Value):
    """Equal cages of one device, numbered ``first`` .. ``first + count - 1`` on the panel."""

    name: str
    first: int = 1
    count: int
    port_class: str
    modes: tuple[PortMode, ...]
    cage_power_max_w: float | None = None

    def mode(self, rate: str) -> PortMode | None:
        """Return the mode for a rate, or None."""
        for mode in self.modes:
            if mode.rate == rate:
                return mode
        return None


class Entry(Value):
    """What every catalogue entry has."""

    status: Lifecycle
    confidence: Confidence
    sources: tuple[str, ...] = Field(min_length=1)
    notes: tuple[str, ...] = ()


class SwitchVariant(Value):
    """One orderable form of a switch."""

    pn: str
    opn: str | None = None
    airflow: Airflow | None = None
    orderable: bool = True
    status: Lifecycle | None = None
    confidence: Confidence | None = None
    notes: tuple[str, ...] = ()


class SwitchType(Entry):
    """A switch model. ``successor`` is the model or part number that the maker names instead.

    ``switches_per_box`` counts independent fabric switches in one purchasable box (Q3200: two).
    ``cages`` belong to ONE fabric switch. ``lid_nodes`` is how many switch nodes a subnet manager sees per
    fabric switch, ``sharp_nodes`` its aggregation nodes.
    """

    model: str
    technology: Technology
    generation: str
    asic: str | None = None
    product_class: Literal["switch", "director", "router"] = "switch"
    orderable: bool = True
    successor: str | None = None
    switches_per_box: int = 1
    cages: tuple[CageGroup, ...] = ()
    port_numbering: PortNumbering | None = None
    port_numbering_confidence: Confidence | None = None
    max_logical_ports: int | None = None
    split_mode_rules: tuple[str, ...] = ()
    managed: bool | None = None
    embedded_sm_max_nodes: int | None = None
    lid_nodes: int = 1
    lid_nodes_confidence: Confidence | None = None
    sharp_version: int | None = None
    sharp_nodes: int = 0
    sharp_ports: tuple[int, ...] = ()
    adaptive_routing: bool | None = None
    adaptive_routing_not_at_gbps: tuple[int, ...] = ()
    latency_ns: int | None = None
    management_port: str | None = None
    capacity_one_way_tbps: float | None = None
    vendor_capacity_tbps: float | None = None
    vendor_capacity_counting: Literal["one way", "bidirectional"] | None = None
    height_u: int | None = None
    depth_mm: float | None = None
    width_mm: float | None = None
    weight_kg: float | None = None
    power_typical_w: float | None = None
    power_typical_condition: str | None = None
    power_max_w: float | None = None
    power_max_condition: str | None = None
    psu_count: int | None = None
    psu_rating_w: int | None = None
    psu_input: str | None = None
    psu_inlet: str | None = None
    psu_redundancy: str | None = None
    cooling: Literal["air", "liquid", "hybrid"] | None = None
    cooling_note: str | None = None
    operating_system: str | None = None
    variants: tuple[SwitchVariant, ...] = ()

    def group(self, rate: str) -> CageGroup | None:
        """Return the cage group that can run a rate, the largest one if several can."""
        found = [group for group in self.cages if group.mode(rate)]
        return max(found, key=lambda group: group.count * group.modes[0].ports) if found else None


class AdapterType(Entry):
    """A network adapter. ``pn`` is the OPN where the maker gives no marketing part number."""

    pn: str
    opn: str | None = None
    model: str | None = None
    series: str
    product_class: str = "nic"
    orderable: bool = True
    form_factor: str | None = None
    cages: tuple[CageGroup, ...] = ()
    pcie: str | None = None
    power_typical_w: float | None = None
    power_max_w: float | None = None
    crypto: bool | None = None
    auxiliary: str | None = None


class HostPort(Value):
    """One logical port of a platform: where a cable lands and which GPU it serves.

    ``cage`` and ``port`` are the panel's words (``OSFP1``, ``P1``). ``rail`` is the GPU index.
    """

    cage: str
    port: str = ""
    rail: int
    rdma: str | None = None
    interface: str | None = None
    pci: str | None = None


class HostNetwork(Value):
    """The ports of a node that belong to one network (``compute``, ``storage``, ``inband``, ``oob``).

    Either ``adapter`` cards of the catalogue (``adapter_count`` of them, each with one cage used), or cages
    that are part of the system (``port_class``, ``cages``). ``ports`` lists every logical port in cage order
    where the maker publishes it.
    """

    name: str
    adapter: str | None = None
    adapter_count: int | None = None
    included: bool = True
    port_class: str | None = None
    cage_count: int | None = None
    cage_label: str | None = None
    modes: tuple[PortMode, ...] = ()
    ports: tuple[HostPort, ...] = ()
    note: str | None = None


class PlatformType(Entry):
    """A node: GPU server, compute tray, storage server or edge device."""

    id: str
    title: str
    kind: str
    gpus: int
    gpu: str | None = None
    networks: tuple[HostNetwork, ...] = ()
    height_u: int | None = None
    depth_mm: float | None = None
    weight_kg: float | None = None
    power_max_w: float | None = None
    power_typical_w: float | None = None
    cooling: Literal["air", "liquid", "hybrid"] | None = None
    nodes_per_rack: int | None = None
    rack_is_unit: bool = False
    nvlink_domain_gpus: int | None = None
    mig_instances_max: int | None = None

    def network(self, name: str) -> HostNetwork | None:
        """Return the ports of one network, or None if the maker states none."""
        for network in self.networks:
            if network.name == name:
                return network
        return None


class TransceiverType(Entry):
    """A pluggable module; ``ports`` logical links leave it through ``connector_count`` fibre connectors.

    ``aliases`` are other numbers under which the maker's texts have it.
    """

    key: str
    pn: str
    opn: str | None = None
    aliases: tuple[str, ...] = ()
    title: str
    orderable: bool = True
    technologies: tuple[Technology, ...]
    form: str
    top: Top = "none"
    lanes: int
    lane_gbps: int
    ports: int
    port_gbps: int
    connector: str
    connector_count: int
    mode: FibreMode | None = None
    optics: str | None = None
    wavelength_nm: int | None = None
    reach_mm: int | None = None
    reach_by_grade: tuple[tuple[str, int], ...] = ()
    power_typical_w: float | None = None
    power_max_w: float | None = None


class CableEnd(Value):
    """One kind of plug of a cable; ``count`` plugs, each carrying ``ports`` links."""

    form: str
    top: Top = "none"
    count: int = 1
    ports: int = 1


class CableLength(Value):
    """One purchasable length of a cable family."""

    length_mm: int
    pn: str
    opn: str | None = None
    key: str | None = None
    awg: int | None = None
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
    lane_gbps: int | None = None
    link_gbps: int
    links: int
    head: CableEnd
    tail: CableEnd
    reach_mm: int | None = None
    power_per_end_w: float | None = None
    any_length: bool = False
    successor: str | None = None
    lengths: tuple[CableLength, ...] = ()


class FibreType(Entry):
    """A passive fibre family; a splitter has more than one tail.

    ``any_length`` marks a generic (third-party) cord: it has no part number, and is ordered by the metre.
    """

    id: str
    title: str
    mode: FibreMode
    grade: str
    connector: str
    tail_connector: str | None = None
    tail_count: int = 1
    links: int = 1
    polarity: str | None = None
    polish: Literal["APC", "UPC"] | None = None
    gender: str | None = None
    loss_db_max: float | None = None
    link_max_mm: int | None = None
    any_length: bool = False
    lengths: tuple[CableLength, ...] = ()


class RecipeOption(Value):
    """One way to join the two port classes of a recipe, for lengths ``over_mm`` < L <= ``max_mm``.

    Either ``cable`` (the plugs are part of it) or ``fibre`` with ``module_a`` and, unless the far end has its
    optics built in, ``module_b``. Fibres = links x ``fibres_per_link`` / links of the fibre (1 x 800GbE over
    both MPO connectors of a module takes two).
    """

    medium: Medium
    over_mm: int = 0
    max_mm: int
    cable: str | None = None
    module_a: str | None = None
    module_b: str | None = None
    fibre: str | None = None
    fibres_per_link: int = 1
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
    link_gbps: int
    rates: tuple[str, ...] = ()
    links_per_cage_a: int
    links_per_cage_b: int
    options: tuple[RecipeOption, ...]
    sources: tuple[str, ...] = Field(min_length=1)
    notes: tuple[str, ...] = ()


class Refusal(Value):
    """A pair of port classes that does not mate, and why; with ``link_gbps``, only for links of that speed."""

    a: str
    b: str
    link_gbps: int | None = None
    technologies: tuple[Technology, ...] = ("infiniband", "ethernet")
    why: str
    sources: tuple[str, ...] = Field(min_length=1)


class AccessoryType(Entry):
    """Software, appliances and other lines of a bill that are not fabric hardware."""

    pn: str
    opn: str | None = None
    title: str
    kind: Literal["appliance", "software", "port-adapter", "service"]
    orderable: bool = True
    height_u: int | None = None
    weight_kg: float | None = None
    power_max_w: float | None = None
