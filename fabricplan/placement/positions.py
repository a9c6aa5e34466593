"""Placement by the customer's own positions: all that is wrong with them told together, each mistake at its cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fabricplan.catalog import Catalog
from fabricplan.errors import Problem, RequirementError, closest
from fabricplan.placement.default_room import place_by_rule
from fabricplan.placement.devices import heights_of
from fabricplan.placement.mistakes import mistake
from fabricplan.placement.site import panel_at, site_names, standing
from fabricplan.placement.tables import FIXED_RACK, NETWORK_RACK, NODE_RACK, Placement, Places, Racks
from fabricplan.requirement import Position, PositionField, Requirement, SiteRack, site_racks
from fabricplan.sizing import FabricSizing
from fabricplan.topology import NODE, Topology, device_names
from fabricplan.values import IntArray

MISSING_TOLD = 12
"""Names of missing devices that a message lists."""
MISTAKES_TOLD = 50
"""Mistakes that are listed; the others are counted."""
SUGGESTED = 20
"""Unknown names for which the nearest known one is looked for: more of them are another plan's file."""


NO_ROW, NO_SUCH_ROW = -1, -2


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
        self.room = requirement.room
        self.names = names
        self.heights = np.maximum(heights, 1).tolist()
        self.box = topology.devices.box.tolist()
        self.problems: list[Problem] = []
        self.told: list[tuple[int, Problem]] = []
        self.unknown: list[int] = []
        self.near_racks: dict[str, str | None] = {}
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
            found[MISTAKES_TOLD:] = [mistake("position-more", self._source(), rest=rest)]
        if missing:
            more = [f"+{len(missing) - MISSING_TOLD}"] if len(missing) > MISSING_TOLD else []
            found.append(mistake("position-missing", self._source(), missing=len(missing), devices=len(self.names),
                                 names=", ".join([*missing[:MISSING_TOLD], *more])))  # fmt: skip
        self.problems = found
        return spots

    def _tell(self, code: str, number: int, field: PositionField, **params: int | str) -> None:
        where = self.positions[number].place(number, field)
        self.told.append((number, mistake(code, where, **params)))

    def _device(self, number: int, position: Position, first: dict[int, int]) -> int | None:
        if not position.device:
            self._tell("position-unnamed", number, "device")
            return None
        device = self.by_name.get(position.device.casefold())
        if device is None:
            self.unknown.append(number)
            return None
        earlier = first.setdefault(device, number)
        if earlier != number:
            place = self.positions[earlier].place(earlier, "device")
            self._tell("position-twice", number, "device", device=self.names[device], place=place)
            return None
        return device

    def _rack(self, number: int, position: Position) -> int | None:
        row = self._row(number, position)
        if not position.rack:
            self._tell("position-rackless", number, "rack", name=position.device or "?")
            return None
        if row == NO_SUCH_ROW:
            return None
        rack = self.by_rack.get(position.rack.casefold())
        if rack is None and row >= 0 and position.rack.isascii() and position.rack.isdigit():
            rack = self.by_number.get((row, int(position.rack)))
        if rack is None:
            self._no_rack(number, position, row)
            return None
        if row >= 0 and self.racks[rack].row != row:
            self._tell("position-other-row", number, "row", rack=self.racks[rack].name, row=self.row_names[row],
                       stands=self.row_names[self.racks[rack].row])  # fmt: skip
            return None
        return rack

    def _no_rack(self, number: int, position: Position, row: int) -> None:
        names = [item.name for item in self.racks]
        told = f"{self.row_names[row]} {position.rack}" if row >= 0 and position.rack.isdigit() else position.rack
        span = {"first": names[0], "last": names[-1]}
        near = None if self.default else self._near_rack(position.rack, names)
        if near is not None:
            self._tell("position-rack", number, "rack", rack=told, near=near, **span)
            return
        self._tell("position-rack-default" if self.default else "position-rack-unknown", number, "rack", rack=told,
                   **span)  # fmt: skip

    def _near_rack(self, word: str, names: Sequence[str]) -> str | None:
        """Return the nearest name of a rack, of the first few words that are none."""
        if word not in self.near_racks and len(self.near_racks) < SUGGESTED:
            self.near_racks[word] = closest(word, names)
        return self.near_racks.get(word)

    def _row(self, number: int, position: Position) -> int:
        """Return the row that is named, ``NO_ROW`` where none is, ``NO_SUCH_ROW`` where there is no such row."""
        if not position.row:
            return NO_ROW
        folded = [name.casefold() for name in self.row_names]
        if position.row.casefold() in folded:
            return folded.index(position.row.casefold())
        more = [f"+{len(self.row_names) - MISSING_TOLD}"] if len(self.row_names) > MISSING_TOLD else []
        self._tell("position-row", number, "row", row=position.row,
                   rows=", ".join([*self.row_names[:MISSING_TOLD], *more]))  # fmt: skip
        return NO_SUCH_ROW

    def _unit(self, number: int, position: Position) -> int | None:
        if position.u == "":
            self._tell("position-unitless", number, "u", name=position.device or "?")
        elif isinstance(position.u, str):
            self._tell("position-text", number, "u", text=position.u)
        elif position.u < 1:
            self._tell("position-below", number, "u", u=position.u)
        else:
            return position.u
        return None

    def _fits(self, number: int, device: int, rack: int, u: int) -> bool:
        item, height, name = self.racks[rack], self.heights[device], self.names[device]
        top = u + height - 1
        if item.kind == "fixed":
            self._tell("position-fixed", number, "rack", rack=item.name)
        elif height > item.units:
            self._tell("position-no-room", number, "rack", device=name, height=height, rack=item.name, units=item.units)
        elif top > item.units:
            self._tell("position-high", number, "u", device=name, height=height, u=u, top=top, rack=item.name,
                       units=item.units, most=item.units - height + 1)  # fmt: skip
        elif taken := sorted(unit for unit in range(u, top + 1) if unit in item.reserved):
            said = {"device": name, "height": height, "u": u, "taken": taken[0], "rack": item.name}
            if taken[0] in item.panels:
                self._tell("position-panel", number, "u", **said, panel=panel_at(self.room, item.name, taken[0]))
            else:
                self._tell("position-reserved", number, "u", **said)
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
            if twin is spot:
                self._take(spot, held)
            elif (twin.rack, twin.u) != (spot.rack, spot.u):
                self._tell("position-box", spot.number, "u", device=self.names[spot.device],
                           other=self.names[twin.device], rack=self.racks[spot.rack].name, u=spot.u,
                           other_rack=self.racks[twin.rack].name, other_u=twin.u)  # fmt: skip

    def _take(self, spot: _Spot, held: dict[tuple[int, int], _Spot]) -> None:
        units = range(spot.u, spot.u + self.heights[spot.device])
        other = next((held[spot.rack, unit] for unit in units if (spot.rack, unit) in held), None)
        if other is None:
            held.update(((spot.rack, unit), spot) for unit in units)
            return
        span = range(other.u, other.u + self.heights[other.device])
        self._tell("position-overlap", spot.number, "u", device=self.names[spot.device], span=_told(units),
                   other=self.names[other.device], other_span=_told(span), rack=self.racks[spot.rack].name,
                   place=self.positions[other.number].place(other.number, "u"))  # fmt: skip

    def _strangers(self, missing: Sequence[str]) -> None:
        """Tell names that the plan does not have, with the nearest: one that has no position yet, else any."""
        for place, number in enumerate(self.unknown):
            name = self.positions[number].device
            near = (closest(name, missing) or closest(name, self.names)) if place < SUGGESTED else None
            if near is None:
                self._tell("position-stranger", number, "device", name=name)
            else:
                self._tell("position-device", number, "device", name=name, near=near)

    def _source(self) -> str:
        """Return the sheet or file that the positions stand in, or their JSON path."""
        cells = self.positions[-1].cells if self.positions else None
        cell = cells[0] if cells else ""
        return cell.rpartition("!")[0] or cell.rpartition(":")[0] or "positions"


def _told(units: range) -> str:
    return f"U{units[0]}" if len(units) == 1 else f"U{units[0]}-U{units[-1]}"
