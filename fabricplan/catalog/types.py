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

from fabricplan.catalog.words import (
    Airflow,
    Amount,
    Confidence,
    FibreMode,
    Lifecycle,
    NotNegative,
    PortNumbering,
    Ports,
    Positive,
    Technology,
    Top,
)
from fabricplan.values import Value


class Document(Value):
    """A source: publisher, title, version and when it was read."""

    id: str
    publisher: str
    title: str
    version: str | None = None
    url: str | None = None
    retrieved: str | None = None


class PortMode(Value):
    """One way to run a cage.

    ``ports`` logical ports per cage, each of ``lanes`` x ``lane_gbps`` = ``speed_gbps``. A mode whose
    ``profile`` is ``split`` renumbers every port of the switch.
    """

    rate: str
    technology: Technology
    speed_gbps: Positive
    ports: Ports
    lanes: Positive
    lane_gbps: Positive
    profile: Literal["normal", "split"] = "normal"
    cages_max: Ports | None = None
    note: str | None = None


class CageGroup(Value):
    """Equal cages of one device, numbered ``first`` .. ``first + count - 1`` on the panel."""

    name: str
    first: Ports = 1
    count: Ports
    port_class: str
    modes: tuple[PortMode, ...]
    cage_power_max_w: Amount | None = None

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


class DirectorChips(Value):
    """Inside of a director, fully fitted: leaf chips with the ports of the panel, each joined to every spine chip.

    ::

        spine chip   1 .. spine_chips              in spine modules
                     |  links_per_pair
        leaf chip    1 .. leaf_chips               in leaf modules, ``leaf_chips_per_module`` each
                     |  external_ports cages

    A chip's ports from 1 on are external, the ``internal_ports`` behind them lead to the spine chips.
    ``described_as`` is the product's word in the node descriptions of the chips (``MF0;name:CS7500/L01/U1``).
    """

    leaf_chips: Ports
    spine_chips: Ports
    external_ports: Ports
    internal_ports: Ports
    internal_rate: str
    internal_gbps: Positive
    leaf_chips_per_module: Ports
    spine_chips_per_module: Ports = 1
    described_as: str

    @property
    def links_per_pair(self) -> int:
        """Links between a leaf chip and a spine chip."""
        return self.internal_ports // self.spine_chips

    @property
    def leaf_modules(self) -> int:
        """Leaf modules of a full chassis."""
        return self.leaf_chips // self.leaf_chips_per_module

    @property
    def spine_modules(self) -> int:
        """Spine modules of a full chassis: all of them are needed for full bandwidth, however few ports are used."""
        return self.spine_chips // self.spine_chips_per_module

    @property
    def module_cages(self) -> int:
        """Cages on a leaf module's panel."""
        return self.leaf_chips_per_module * self.external_ports


class SwitchType(Entry):
    """A switch model. ``successor`` is the model or part number that the maker names instead.

    ``switches_per_box`` counts independent fabric switches in one purchasable box (Q3200: two).
    ``cages`` belong to ONE fabric switch. ``lid_nodes`` is how many switch nodes a subnet manager sees per
    fabric switch, ``sharp_nodes`` its aggregation nodes. ``inside`` are the chips of a director. ``port_rows`` are the
    rows in which the cages stand, counted column by column from the left as one faces them; absent where not known.
    """

    model: str
    technology: Technology
    generation: str
    asic: str | None = None
    product_class: Literal["switch", "director", "router"] = "switch"
    orderable: bool = True
    successor: str | None = None
    switches_per_box: Ports = 1
    cages: tuple[CageGroup, ...] = ()
    inside: DirectorChips | None = None
    port_rows: Ports | None = None
    port_numbering: PortNumbering | None = None
    port_numbering_confidence: Confidence | None = None
    max_logical_ports: Ports | None = None
    split_mode_rules: tuple[str, ...] = ()
    managed: bool | None = None
    embedded_sm_max_nodes: Positive | None = None
    lid_nodes: Ports = 1
    lid_nodes_confidence: Confidence | None = None
    sharp_version: Positive | None = None
    sharp_nodes: NotNegative = 0
    sharp_ports: tuple[int, ...] = ()
    adaptive_routing: bool | None = None
    adaptive_routing_not_at_gbps: tuple[int, ...] = ()
    latency_ns: Positive | None = None
    management_port: str | None = None
    capacity_one_way_tbps: Amount | None = None
    vendor_capacity_tbps: Amount | None = None
    vendor_capacity_counting: Literal["one way", "bidirectional"] | None = None
    height_u: Positive | None = None
    depth_mm: Amount | None = None
    width_mm: Amount | None = None
    weight_kg: Amount | None = None
    power_typical_w: Amount | None = None
    power_typical_condition: str | None = None
    power_max_w: Amount | None = None
    power_max_condition: str | None = None
    psu_count: NotNegative | None = None
    psu_rating_w: Positive | None = None
    psu_input: str | None = None
    psu_inlet: str | None = None
    psu_redundancy: str | None = None
    cooling: Literal["air", "liquid", "hybrid"] | None = None
    cooling_note: str | None = None
    operating_system: str | None = None
    variants: tuple[SwitchVariant, ...] = ()

    def airflow_of(self, pn: str | None) -> Airflow | None:
        """Return the airflow of the form with a part number; None where it is not known."""
        return next((form.airflow for form in self.variants if form.pn == pn), None)

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
    power_typical_w: Amount | None = None
    power_max_w: Amount | None = None
    crypto: bool | None = None
    auxiliary: str | None = None


class HostPort(Value):
    """One logical port of a platform: where a cable lands and which GPU it serves.

    ``cage`` and ``port`` are the panel's words (``OSFP1``, ``P1``). ``rail`` is the GPU index.
    """

    cage: str
    port: str = ""
    rail: NotNegative
    rdma: str | None = None
    interface: str | None = None
    pci: str | None = None


class HostNetwork(Value):
    """The ports of a node that belong to one network (``compute``, ``storage``, ``inband``, ``oob``).

    Either ``adapter`` cards of the catalogue (``adapter_count`` of them, each with one cage used), or cages
    that are part of the system (``port_class``, ``cages``). ``ports`` lists every logical port in cage order
    where the maker publishes it. ``face`` is the side of the rack that the ports look to: ``front`` is the cold aisle.
    """

    name: str
    adapter: str | None = None
    adapter_count: Ports | None = None
    included: bool = True
    port_class: str | None = None
    cage_count: Ports | None = None
    cage_label: str | None = None
    face: Literal["front", "rear"] | None = None
    modes: tuple[PortMode, ...] = ()
    ports: tuple[HostPort, ...] = ()
    note: str | None = None


class PlatformType(Entry):
    """A node: GPU server, compute tray, storage server or edge device; ``maker`` who sells it, absent for patterns."""

    id: str
    title: str
    maker: str | None = None
    kind: str
    gpus: NotNegative
    gpu: str | None = None
    networks: tuple[HostNetwork, ...] = ()
    height_u: Positive | None = None
    depth_mm: Amount | None = None
    weight_kg: Amount | None = None
    power_max_w: Amount | None = None
    power_typical_w: Amount | None = None
    psu_count: NotNegative | None = None
    psu_redundancy: str | None = None
    psu_input: str | None = None
    cooling: Literal["air", "liquid", "hybrid"] | None = None
    nodes_per_rack: Ports | None = None
    rack_is_unit: bool = False
    nvlink_domain_gpus: Ports | None = None
    mig_instances_max: Ports | None = None

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
    lanes: Positive
    lane_gbps: Positive
    ports: Ports
    port_gbps: Positive
    connector: str
    connector_count: Ports
    mode: FibreMode | None = None
    optics: str | None = None
    wavelength_nm: Positive | None = None
    reach_mm: Positive | None = None
    reach_by_grade: tuple[tuple[str, Positive], ...] = ()
    power_typical_w: Amount | None = None
    power_max_w: Amount | None = None


class AccessoryType(Entry):
    """Software, appliances and other lines of a bill that are not fabric hardware."""

    pn: str
    opn: str | None = None
    title: str
    kind: Literal["manager", "appliance", "software", "port-adapter", "service"]
    orderable: bool = True
    height_u: Positive | None = None
    weight_kg: Amount | None = None
    power_max_w: Amount | None = None
