"""How a room is filled: units together, leaves by policy, spines in the centre, within every limit.

Racks are filled row by row. A unit's nodes begin a rack of their own, and a block of units that fits a row whole is
not broken over two::

    leaves: unit           [nodes][nodes][ leaves ][nodes][nodes]     a network rack amid the nodes of a block of units
    leaves: top-of-rack    [L+nodes][L+nodes][L+nodes][L+nodes]       a unit's leaves dealt to the tops of its racks
    leaves: middle-of-row  [nodes][nodes][ all leaves of the row ][nodes][nodes]

Spines, cores, the switches of further fabrics and managers stand in the racks nearest to the centre of the nodes.
Where the request has racks of the kind ``network``, all switches that do not go to the top of node racks stand there.
Of a fabric that grows the final stage is placed, so growth moves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from fabricplan.catalog import Catalog
from fabricplan.placement.bays import Bay, Load
from fabricplan.placement.devices import DEFAULT_NODES_PER_RACK, loads_of, slot_height
from fabricplan.placement.site import ROW_RACKS
from fabricplan.requirement import Requirement, SiteRack
from fabricplan.sizing import FabricSizing
from fabricplan.topology import HOST, LEAF, NODE, SWITCH, Topology


class Block(NamedTuple):
    """Nodes that stand together, unit by unit, each in order, and the leaves that serve them."""

    units: tuple[tuple[Load, ...], ...]
    leaves: tuple[tuple[Load, ...], ...]


class Full(Exception):
    """The room does not hold what is asked; ``why`` counts what kept boxes out of racks."""

    def __init__(self, what: str, load: Load, left: int, why: dict[str, int]) -> None:
        super().__init__(what)
        self.what, self.load, self.left, self.why = what, load, left, why


class Filling:
    """The room while it is filled; lives inside one call of :func:`place`."""

    def __init__(
        self, requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, catalog: Catalog,
        racks: Sequence[SiteRack],
    ) -> None:  # fmt: skip
        """Sort what is to be placed: blocks of units with their leaves, further groups, and what stands central."""
        self.room = requirement.room
        self.policy = self.room.leaves or "unit"
        self.racks = racks
        self.topology = topology
        self.loads = loads_of(sizings, topology, catalog)
        self.slots = _slots(requirement, sizings, catalog)
        self.groups = [group.name for group in requirement.groups]
        self.places: dict[int, tuple[int, int]] = {}
        self.given = any(rack.kind == "network" for rack in racks)
        self.height_of_slot = {
            name: slot_height(self.room, slots or DEFAULT_NODES_PER_RACK, 0) for name, slots in self.slots.items()
        }
        self._sort(sizings)

    def _sort(self, sizings: Sequence[FabricSizing]) -> None:
        """Sort what is to be placed."""
        devices = self.topology.devices
        first = {group.group for group in sizings[0].node_groups}
        units: dict[int, list[Load]] = {}
        extra: dict[int, list[Load]] = {}
        for row in np.lexsort((devices.wide("index"), devices.wide("group"), devices.wide("unit"))).tolist():
            if devices.kind[row] == NODE:
                group = int(devices.group[row])
                home = units if self.groups[group] in first else extra
                key = int(devices.unit[row]) if home is units else group
                home.setdefault(key, []).append(self._sized(self.loads[row], group))
        leaves: dict[int, list[Load]] = {unit: [] for unit in units}
        central: list[Load] = []
        boxes = [row for row in self.loads if devices.kind[row] == SWITCH]
        wide = [devices.wide(name) for name in ("fabric", "tier", "unit", "plane")]
        for row in sorted(boxes, key=lambda row: (*(int(column[row]) for column in wide), row)):
            own = int(devices.unit[row])
            near = devices.tier[row] == LEAF and devices.fabric[row] == 0 and own in units
            (leaves[own] if near else central).append(self.loads[row])
        central += [self.loads[row] for row in self.loads if devices.kind[row] == HOST]
        self.units = [tuple(units[unit]) for unit in sorted(units)]
        self.leaves = [tuple(leaves[unit]) for unit in sorted(units)]
        self.extra = [tuple(extra[key]) for key in sorted(extra)]
        self.central = tuple(central)

    def _sized(self, load: Load, group: int) -> Load:
        """Return a node with the units of its slot, where its own height is not known."""
        return load if load.height else load._replace(height=self.height_of_slot[self.groups[group]])

    def fill(self) -> None:
        """Place all: once to find the centre of the nodes, then with the central racks taken out.

        Raises:
            Full: something finds no place.
        """
        whole = sum(load.height for unit in self.leaves for load in unit) + sum(load.height for load in self.central)
        roomy = max((rack.units - len(rack.reserved) for rack in self.racks if rack.kind != "fixed"), default=0)
        if self.room.leaves is None and not self.given and whole <= roomy:
            # all switches fit one rack, so it stands in the middle
            self.central = (*(load for unit in self.leaves for load in unit), *self.central)
            self.leaves = [() for _ in self.units]
        bays = self._run([Bay(rack) for rack in self.racks], ())
        if not self.central or self.given:
            return
        busy = [number for number, bay in enumerate(bays) if bay.nodes]
        taken = self._central_racks(busy)
        self.places = {}
        self._run([Bay(rack) for rack in self.racks], taken)

    def _run(self, bays: list[Bay], taken: Sequence[int]) -> list[Bay]:
        """Place nodes and leaves, and what is central in ``taken``."""
        open_racks = [number for number, rack in enumerate(self.racks)
                      if rack.kind in ("any", "node") and number not in set(taken)]  # fmt: skip
        rows: dict[int, list[int]] = {}
        for number in open_racks:
            rows.setdefault(self.racks[number].row, []).append(number)
        left = list(rows.values())
        if taken:
            self._stack(self.central, bays, taken, "switches and managers in the centre")
        self._place_units(bays, left)
        for group in self.extra:
            self._put_block(Block((group,), ((),)), bays, left, "further nodes")
        if self.given:
            self._use_network_racks(bays)
        return bays

    def _use_network_racks(self, bays: list[Bay]) -> None:
        """Place the switches in the racks that are for them: the centre first, then each unit's leaves nearby."""
        given = [number for number, rack in enumerate(self.racks) if rack.kind == "network"]
        busy = [number for number, bay in enumerate(bays) if bay.nodes]
        self._stack(self.central, bays, self._by_distance(given, busy), "switches and managers in the centre")
        if self.policy == "top-of-rack":
            return
        for unit, leaves in zip(self.units, self.leaves, strict=True):
            home = [self.places[load.rows[0]][0] for load in unit]
            self._stack(leaves, bays, self._by_distance(given, home), "leaves")

    def _by_distance(self, racks: Iterable[int], around: Sequence[int]) -> list[int]:
        """Return racks in order of their distance from the centre of others."""
        x = sum(self.racks[number].x2_mm for number in around) // max(len(around), 1)
        y = sum(self.racks[number].y_mm * 2 for number in around) // max(len(around), 1)
        return sorted(racks, key=lambda number: (
            abs(self.racks[number].x2_mm - x) + abs(2 * self.racks[number].y_mm - y), number))  # fmt: skip

    def _central_racks(self, busy: Sequence[int]) -> tuple[int, ...]:
        """Return the racks nearest to the centre that hold what is central, as few as do."""
        near = self._by_distance((number for number, rack in enumerate(self.racks) if rack.kind == "any"), busy)
        for count in range(self._fewest(near), len(near) + 1):
            chosen = sorted(near[:count])
            if self._stacked(self.central, self._bays(chosen), chosen)[0] is not None:
                return tuple(chosen)
        _, load, left, why = self._stacked(self.central, self._bays(near), near)
        raise Full("switches and managers in the centre", load, left, why)

    def _bays(self, racks: Iterable[int]) -> dict[int, Bay]:
        return {rack: Bay(self.racks[rack]) for rack in racks}

    def _fewest(self, racks: Sequence[int]) -> int:
        """Return how many of the racks, in their order, have the units, power and weight of what is central together.

        Fewer never hold it. More may not either, and not every larger number does: boxes go in first fit.
        """
        units = sum(load.height for load in self.central)
        watts = sum(load.power_w or 0 for load in self.central)
        kilograms = sum(load.weight_kg or 0 for load in self.central)
        for count, number in enumerate(racks, 1):
            rack = self.racks[number]
            units -= Bay(rack).free.bit_count()
            watts -= min(rack.power_limit_w or math.inf, rack.feed_limit_w or math.inf)
            kilograms -= rack.weight_limit_kg or math.inf
            # a thousandth is for the rounding of sums
            if units <= 0 and watts < 0.001 and kilograms < 0.001:
                return count
        return len(racks) + 1

    def _stack(self, loads: Sequence[Load], bays: list[Bay], racks: Sequence[int], what: str) -> None:
        found, load, left, why = self._stacked(loads, bays, racks)
        if found is None:
            raise Full(what, load, left, why)
        self.places |= found

    def _stacked(
        self, loads: Sequence[Load], bays: Mapping[int, Bay] | Sequence[Bay], racks: Sequence[int]
    ) -> tuple[dict[int, tuple[int, int]] | None, Load, int, dict[str, int]]:
        """Stack boxes from the top of one rack after another; None in front where one finds no place."""
        found: dict[int, tuple[int, int]] = {}
        managed: set[tuple[int, int]] = set()
        for number, load in enumerate(loads):
            why: dict[str, int] = {}
            fabric = self._fabric_of_host(load)
            # hosts that stand in for each other do not share a rack while another has room
            for rack in racks if fabric is None else sorted(racks, key=lambda rack: (fabric, rack) in managed):
                u = bays[rack].put(load, top=True)
                if u is not None:
                    found |= dict.fromkeys(load.rows, (rack, u))
                    if fabric is not None:
                        managed.add((fabric, rack))
                    break
                why[bays[rack].why] = why.get(bays[rack].why, 0) + 1
            else:
                return None, load, len(loads) - number, why
        return found, loads[0] if loads else NOTHING, 0, {}

    def _fabric_of_host(self, load: Load) -> int | None:
        devices = self.topology.devices
        return int(devices.fabric[load.rows[0]]) if devices.kind[load.rows[0]] == HOST else None

    def _place_units(self, bays: list[Bay], left: list[list[int]]) -> None:
        if self.policy == "middle-of-row" and not self.given:
            self._place_rows(bays, left)
            return
        alone = self.policy == "top-of-rack" or self.given
        step = 1 if alone else self._units_per_block(left)
        for start in range(0, len(self.units), step):
            block = Block(tuple(self.units[start : start + step]), tuple(self.leaves[start : start + step]))
            self._put_block(block, bays, left, "nodes")

    def _units_per_block(self, left: Sequence[Sequence[int]]) -> int:
        """Return how many units share network racks: what one rack holds, within the racks that a leaf serves."""
        height = max(sum(load.height for load in leaves) for leaves in self.leaves)
        if not left or not height:
            return 1
        units = self.racks[left[0][0]].units // height
        slots = self.slots[self._group(self.units[0][0])]
        racks = -(-len(self.units[0]) // (slots or DEFAULT_NODES_PER_RACK))
        return max(1, min(units, (min(len(left[0]), ROW_RACKS) - 1) // racks))

    def _place_rows(self, bays: list[Bay], left: list[list[int]]) -> None:
        """Give every row as many units as it holds with their leaves in its middle."""
        start = 0
        for row in left:
            count, best = 0, None
            while start + count < len(self.units):
                end = start + count + 1
                block = Block(tuple(self.units[start:end]), tuple(self.leaves[start:end]))
                tried = self._tried(block, bays, row)
                if isinstance(tried, Full):
                    break
                count, best = count + 1, tried
            if best is not None:
                self._take(best, bays, left)
                start += count
        if start < len(self.units):
            block = Block(tuple(self.units[start:]), tuple(self.leaves[start:]))
            self._put_block(block, bays, left, "nodes")

    def _put_block(self, block: Block, bays: list[Bay], left: list[list[int]], what: str) -> None:
        """Place a block in the first row that holds it whole, else over the racks that are left.

        Raises:
            Full: not even there.
        """
        kinds = {self._group(load): load for unit in block.units for load in unit}
        for row in left:
            tried = self._tried(block, bays, row) if row and self._racks_needed(block, kinds, row) <= len(row) else None
            if isinstance(tried, dict):
                self._take(tried, bays, left)
                return
        tried = self._tried(block, bays, [number for row in left for number in row])
        if isinstance(tried, Full):
            if not tried.what:
                tried.what, tried.left = what, tried.left + self._waiting(block)
            raise tried
        self._take(tried, bays, left)

    def _racks_needed(self, block: Block, kinds: Mapping[str, Load], racks: Sequence[int]) -> int:
        """Return the fewest racks of these that could hold the nodes of a block, whatever stands in them.

        ``kinds`` is a node of every group. A unit of several groups begins a rack for each, which only takes more.
        """
        most = max((self._most(group, load, rack) for group, load in kinds.items() for rack in racks), default=1)
        return sum(-(-len(unit) // most) for unit in block.units)

    def _waiting(self, block: Block) -> int:
        """Return the nodes that are neither placed nor in a block."""
        whole = sum(len(unit) for unit in (*self.units, *self.extra))
        kind: list[int] = self.topology.devices.kind.tolist()
        placed = sum(kind[row] == NODE for row in self.places)
        return whole - placed - sum(len(unit) for unit in block.units)

    def _take(self, found: dict[int, tuple[int, int]], bays: list[Bay], left: list[list[int]]) -> None:
        """Keep a trial: the racks up to the last that it uses are no longer free."""
        used: dict[int, list[int]] = {}
        for row, (rack, _) in found.items():
            used.setdefault(rack, []).append(row)
        for rack, rows in used.items():
            self._settle(bays[rack], rows, found)
        for held in left:
            held[:] = [number for number in held if number not in used]
        self.places |= found

    def _settle(self, bay: Bay, rows: Sequence[int], found: dict[int, tuple[int, int]]) -> None:
        for row in rows:
            load = self.loads.get(row)
            if load is None:
                continue
            if self.topology.devices.kind[row] == NODE:
                load, bay.nodes = self._sized(load, int(self.topology.devices.group[row])), bay.nodes + 1
            bay.take(load, found[row][1])

    def _tried(self, block: Block, bays: list[Bay], racks: Sequence[int]) -> dict[int, tuple[int, int]] | Full:
        """Return where a block would stand in racks, or what it lacks; nothing is taken."""
        leaves = [load for unit in block.leaves for load in unit]
        if self.policy == "top-of-rack":
            return self._tried_on_top(block, bays, racks)
        if not leaves or self.given:
            return self._nodes_in(block.units, bays, racks, ())
        plain = self._nodes_in(block.units, bays, racks, ())
        if isinstance(plain, Full):
            return plain
        used = {rack for rack, _ in plain.values()}
        line = [rack for rack in racks if rack in used]
        # the network racks stand amid the node racks: from there on until the leaves find their place
        middle = list(racks)[list(racks).index(line[len(line) // 2]) :]
        middle = [rack for rack in (*middle, *racks[: -len(middle)]) if self.racks[rack].kind == "any"]
        trial = {rack: bays[rack].copy() for rack in middle}
        stacked, load, count, why = self._stacked(leaves, trial, middle)
        if stacked is None:
            return Full("leaves", load, count, why)
        taken = {rack for rack, _ in stacked.values()}
        nodes = self._nodes_in(block.units, bays, [rack for rack in racks if rack not in taken], ())
        return nodes if isinstance(nodes, Full) else nodes | stacked

    def _tried_on_top(self, block: Block, bays: list[Bay], racks: Sequence[int]) -> dict[int, tuple[int, int]] | Full:
        """Deal the leaves of every unit to the tops of its racks, as evenly as they go."""
        found: dict[int, tuple[int, int]] = {}
        free = list(racks)
        for unit, leaves in zip(block.units, block.leaves, strict=True):
            on_top: tuple[Load, ...] = ()
            while True:
                nodes = self._nodes_in((unit,), bays, free, on_top)
                if isinstance(nodes, Full):
                    return nodes
                used = sorted({rack for rack, _ in nodes.values()}, key=free.index)
                share = -(-len(leaves) // len(used))
                if share <= len(on_top):
                    break
                on_top = leaves[:share]
            for number, rack in enumerate(used):
                bay = bays[rack].copy()
                for load in leaves[number * len(leaves) // len(used) : (number + 1) * len(leaves) // len(used)]:
                    u = bay.put(load, top=True)
                    if u is None:
                        return Full("leaves", load, len(leaves), {bay.why: 1})
                    nodes |= dict.fromkeys(load.rows, (rack, u))
            found |= nodes
            free = [rack for rack in free if rack not in used]
        return found

    def _nodes_in(
        self, units: Sequence[Sequence[Load]], bays: list[Bay], racks: Sequence[int], on_top: Sequence[Load]
    ) -> dict[int, tuple[int, int]] | Full:
        """Return the places of nodes in racks; every unit, and every group in it, begins a rack of its own, and
        ``on_top`` stays free above them."""
        found: dict[int, tuple[int, int]] = {}
        line = iter(racks)
        missing = sum(len(unit) for unit in units)
        why: dict[str, int] = {}
        for group, run in ((name, tuple(run)) for unit in units for name, run in groupby(unit, self._group)):
            bay, rack, count = None, -1, 0
            for load in run:
                u = None
                while u is None:
                    if bay is None:
                        rack = next(line, -1)
                        if rack < 0:
                            return Full("", load, missing, why)
                        bay, count = bays[rack].copy(), 0
                        if any(bay.put(leaf, top=True) is None for leaf in on_top):
                            why[bay.why] = why.get(bay.why, 0) + 1
                            bay = None
                            continue
                    u = bay.put(load, top=False) if count < self._most(group, load, rack) else None
                    if u is None:
                        short = bay.why or "nodes"
                        why[short] = why.get(short, 0) + 1
                        bay = None
                count += 1
                found |= dict.fromkeys(load.rows, (rack, u))
                missing -= 1
        return found

    def _group(self, load: Load) -> str:
        return self.groups[int(self.topology.devices.group[load.rows[0]])]

    def _most(self, group: str, load: Load, rack: int) -> int:
        """Return the most nodes in a rack: as asked or as the platform says; else what the power limit of the rack
        decides, and where it states none the default."""
        slots, limits = self.slots[group], (self.racks[rack].power_limit_w, self.racks[rack].feed_limit_w)
        measured = load.power_w is not None and limits != (None, None)
        return slots or (self.racks[rack].units if measured else DEFAULT_NODES_PER_RACK)


NOTHING = Load((), 1, None, None, False)


def _slots(requirement: Requirement, sizings: Sequence[FabricSizing], catalog: Catalog) -> dict[str, int | None]:
    """Return group -> most nodes in a rack: as asked, else as the platform says; None where neither does."""
    found: dict[str, int | None] = {}
    for sizing in sizings:
        for group in sizing.node_groups:
            platform = catalog.platform(group.platform)
            asked = requirement.room.nodes_per_rack if not platform.rack_is_unit else None
            found[group.group] = asked or platform.nodes_per_rack
    return found
