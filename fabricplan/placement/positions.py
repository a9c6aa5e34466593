"""Placement by the customer's own positions: all that is wrong with them told together, each mistake at its cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fabricplan.catalog import Catalog
from fabricplan.errors import Problem, RequirementError, closest, nearest
from fabricplan.placement.default_room import place_by_rule
from fabricplan.placement.devices import heights_of
from fabricplan.placement.site import site_names, standing
from fabricplan.placement.tables import FIXED_RACK, NETWORK_RACK, NODE_RACK, Placement, Places, Racks
from fabricplan.requirement import Position, Requirement, SiteRack, site_racks
from fabricplan.sizing import FabricSizing
from fabricplan.topology import NODE, Topology, device_names
from fabricplan.values import IntArray

MISSING_TOLD = 12
"""Names of missing devices that a message lists."""
MISTAKES_TOLD = 50
"""Mistakes that are listed; the others are counted."""
SUGGESTED = 20
"""Unknown names for which the nearest known one is looked for: more of them are another plan's file."""


class _Spot(NamedTuple):
    number: int
    device: int
    rack: int
    u: int


def place_by_positions(
    requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, catalog: Catalog
) -> Placement:
    """Place every device where the customer says; racks are those of the room, given or default.

    Raises:
        RequirementError: with every mistake, at its cell or JSON path.
    """
    heights = heights_of(topology, catalog)
    racks, base = _racks(requirement, sizings, topology, catalog)
    found = _Reading(requirement, racks, device_names(requirement, sizings, topology.devices), heights, topology)
    spots = found.read()
    if found.problems:
        raise RequirementError(*found.problems)
    rack, u = (np.zeros(len(heights), np.int64) for _ in range(2))
    for spot in spots:
        rack[spot.device], u[spot.device] = spot.rack, spot.u
    if base is not None:
        return base.model_copy(update={"places": Places(rack=rack, u=u, height=heights)})
    nodes = set(rack[topology.devices.kind == NODE].tolist())
    used = set(rack.tolist())
    kinds = [
        FIXED_RACK if item.kind == "fixed"
        else NETWORK_RACK if number not in nodes and (number in used or item.kind == "network")
        else NODE_RACK
        for number, item in enumerate(racks)
    ]  # fmt: skip
    return Placement(
        racks=Racks(row=[item.row for item in racks], position=[item.position for item in racks], kind=kinds),
        places=Places(rack=rack, u=u, height=heights), **site_names(requirement.room),
    )  # fmt: skip


def _racks(
    requirement: Requirement, sizings: Sequence[FabricSizing], topology: Topology, catalog: Catalog
) -> tuple[Sequence[SiteRack], Placement | None]:
    """Return the racks that there are, and of the default room its placement by rule."""
    racks = site_racks(requirement.room)
    if racks:
        return racks, None
    base = place_by_rule(requirement, sizings, topology, catalog)
    return standing(base, requirement.room), base


class _Reading:
    """Positions against the plan; lives inside one call of :func:`place_by_positions`."""

    def __init__(
        self, requirement: Requirement, racks: Sequence[SiteRack], names: Sequence[str], heights: IntArray,
        topology: Topology,
    ) -> None:  # fmt: skip
        self.positions = requirement.positions or ()
        self.racks = racks
        self.names = names
        self.heights = np.maximum(heights, 1).tolist()
        self.box = topology.devices.box.tolist()
        self.problems: list[Problem] = []
        self.told: list[tuple[int, Problem]] = []
        self.unknown: list[int] = []
        self.by_name = {name.casefold(): row for row, name in enumerate(names)}
        self.by_rack = {rack.name.casefold(): number for number, rack in enumerate(racks)}
        rows = requirement.room.rows
        words = [row.name for row in rows] if rows else [rack.name.rstrip("0123456789") for rack in racks]
        self.row_names = list(dict.fromkeys(words))
        self.by_number = {(rack.row, rack.position): number for number, rack in enumerate(racks)}
        self.default = rows is None

    def read(self) -> list[_Spot]:
        """Return the places of all positions that can be read; what is wrong stands in ``problems``."""
        spots: list[_Spot] = []
        first: dict[int, int] = {}
        for number, position in enumerate(self.positions):
            device, rack = self._device(number, position, first), self._rack(number, position)
            u = self._unit(number, position)
            if device is not None and rack is not None and u is not None and self._fits(number, device, rack, u):
                spots.append(_Spot(number, device, rack, u))
        self._apart(spots)
        missing = [name for row, name in enumerate(self.names) if row not in first]
        self._strangers(missing)
        found = [problem for _, problem in sorted(self.told, key=lambda item: item[0])]
        if len(found) > MISTAKES_TOLD:
            rest = len(found) - MISTAKES_TOLD
            found[MISTAKES_TOLD:] = [Problem("position-more", f"{rest} further mistakes are not listed", self._source(),
                                             "is this the file of this plan?")]  # fmt: skip
        if missing:
            found.append(self._incomplete(missing))
        self.problems = found
        return spots

    def _tell(self, code: str, message: str, number: int, field: str, hint: str) -> None:
        where = self.positions[number].place(number, field)  # type: ignore[arg-type]
        self.told.append((number, Problem(code, message, where, hint)))

    def _device(self, number: int, position: Position, first: dict[int, int]) -> int | None:
        if not position.device:
            self._tell("position-device", "no device is named", number, "device", "name the device, or empty the row")
            return None
        device = self.by_name.get(position.device.casefold())
        if device is None:
            self.unknown.append(number)
            return None
        earlier = first.setdefault(device, number)
        if earlier != number:
            place = self.positions[earlier].place(earlier, "device")
            self._tell("position-twice", f"{self.names[device]} stands twice, first at {place}", number, "device",
                       "keep one of them")  # fmt: skip
            return None
        return device

    def _rack(self, number: int, position: Position) -> int | None:
        row = self._row(number, position)
        if not position.rack:
            self._tell("position-rack", f"no rack is given for {position.device or 'this row'}", number, "rack",
                       "name the rack, or its number in the row")  # fmt: skip
            return None
        if row == -2:
            return None
        rack = self.by_rack.get(position.rack.casefold())
        if rack is None and row >= 0 and position.rack.isascii() and position.rack.isdigit():
            rack = self.by_number.get((row, int(position.rack)))
        if rack is None:
            row_told = f" in row {self.row_names[row]}" if row >= 0 else ""
            near = closest(position.rack, [item.name for item in self.racks])
            room = "; the default room has the racks that the plan needs, another is stated under room" \
                if self.default else ""  # fmt: skip
            self._tell("position-rack", f"there is no rack '{position.rack}'{row_told}", number, "rack",
                       (f"did you mean {near}?" if near else f"the room has {self.racks[0].name} to "
                        f"{self.racks[-1].name}") + room)  # fmt: skip
            return None
        if row >= 0 and self.racks[rack].row != row:
            self._tell("position-row", f"rack {self.racks[rack].name} stands in row "
                       f"{self.row_names[self.racks[rack].row]}, not in row {self.row_names[row]}", number, "row",
                       "correct the row or the rack")  # fmt: skip
            return None
        return rack

    def _row(self, number: int, position: Position) -> int:
        """Return the row that is named, -1 where none is, -2 where there is no such row."""
        if not position.row:
            return -1
        folded = [name.casefold() for name in self.row_names]
        if position.row.casefold() in folded:
            return folded.index(position.row.casefold())
        self._tell("position-row", f"there is no row '{position.row}'", number, "row",
                   nearest(position.row, self.row_names))  # fmt: skip
        return -2

    def _unit(self, number: int, position: Position) -> int | None:
        told = position.device or "this row"
        if isinstance(position.u, str):
            message = f"'{position.u}' is no rack unit" if position.u else f"no rack unit is given for {told}"
            self._tell("position-unit", message, number, "u", "a whole number: the lowest unit, counted from 1 at the "
                       "bottom")  # fmt: skip
            return None
        if position.u < 1:
            self._tell("position-unit", f"unit {position.u} is below 1, the lowest of a rack", number, "u",
                       "units are counted from 1 at the bottom")  # fmt: skip
            return None
        return position.u

    def _fits(self, number: int, device: int, rack: int, u: int) -> bool:
        item, height = self.racks[rack], self.heights[device]
        top = u + height - 1
        if item.kind == "fixed":
            self._tell("position-rack", f"rack {item.name} is fixed: it holds other equipment", number, "rack",
                       "choose another rack, or another kind for it in the request")  # fmt: skip
        elif top > item.units:
            self._tell("position-unit", f"{self.names[device]} ({height} U) at unit {u} reaches unit {top}, rack "
                       f"{item.name} has {item.units}", number, "u", f"{item.units - height + 1} is its highest lowest "
                       "unit there")  # fmt: skip
        elif taken := sorted(unit for unit in range(u, top + 1) if unit in item.reserved):
            self._tell("position-unit", f"{self.names[device]} ({height} U) at unit {u} takes unit {taken[0]} of rack "
                       f"{item.name}, which is reserved", number, "u", "choose another unit")  # fmt: skip
        else:
            return True
        return False

    def _apart(self, spots: Sequence[_Spot]) -> None:
        """Tell devices that share units; switches of one box must share all of them."""
        held: dict[tuple[int, int], _Spot] = {}
        boxes: dict[int, _Spot] = {}
        for spot in spots:
            box = self.box[spot.device]
            twin = boxes.setdefault(box, spot) if box >= 0 else spot
            if twin is not spot:
                if (twin.rack, twin.u) != (spot.rack, spot.u):
                    self._tell("position-box", f"{self.names[spot.device]} and {self.names[twin.device]} are one box, "
                               f"but stand in {self.racks[spot.rack].name} unit {spot.u} and "
                               f"{self.racks[twin.rack].name} unit {twin.u}", spot.number, "u",
                               "give both the same place")  # fmt: skip
                continue
            self._take(spot, held)

    def _take(self, spot: _Spot, held: dict[tuple[int, int], _Spot]) -> None:
        units = range(spot.u, spot.u + self.heights[spot.device])
        other = next((held[spot.rack, unit] for unit in units if (spot.rack, unit) in held), None)
        if other is not None:
            place = self.positions[other.number].place(other.number, "u")
            span = range(other.u, other.u + self.heights[other.device])
            self._tell("position-overlap", f"{self.names[spot.device]} ({_told(units)}) and {self.names[other.device]} "
                       f"({_told(span)}, at {place}) stand in one place of rack {self.racks[spot.rack].name}",
                       spot.number, "u", "move one of them")  # fmt: skip
            return
        held.update(((spot.rack, unit), spot) for unit in units)

    def _strangers(self, missing: Sequence[str]) -> None:
        """Tell names that the plan does not have, with the nearest: one that has no position yet, else any."""
        for place, number in enumerate(self.unknown):
            name = self.positions[number].device
            near = (closest(name, missing) or closest(name, self.names)) if place < SUGGESTED else None
            self._tell("position-device", f"'{name}' is no device of this plan", number, "device",
                       f"did you mean {near}?" if near else "names are those of the plan: fabricplan render plan.json "
                       "--format positions lists them")  # fmt: skip

    def _source(self) -> str:
        """Return the sheet or file that the positions stand in, or their JSON path."""
        cells = self.positions[-1].cells if self.positions else None
        cell = cells[0] if cells else ""
        return cell.rpartition("!")[0] or cell.rpartition(":")[0] or "positions"

    def _incomplete(self, missing: Sequence[str]) -> Problem:
        more = f" and {len(missing) - MISSING_TOLD} more" if len(missing) > MISSING_TOLD else ""
        return Problem(
            "position-missing", f"{len(missing)} of the {len(self.names)} devices of the plan have no position: "
            f"{', '.join(missing[:MISSING_TOLD])}{more}", self._source(),
            "give every device a place; fabricplan render plan.json --format positions writes a file to fill in; a "
            "fabric that grows needs those of its final stage")  # fmt: skip


def _told(units: range) -> str:
    return f"U{units[0]}" if len(units) == 1 else f"U{units[0]}-U{units[-1]}"
