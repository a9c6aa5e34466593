"""Mistakes in the customer's positions: what is wrong, and what to do; ``wording.problems`` has them in Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from fabricplan.errors import Problem

MISTAKES: Mapping[str, tuple[str, str]] = {
    "position-unnamed": ("no device is named", "name the device, or empty the row"),
    "position-device": ("'{name}' is no device of this plan", "did you mean {near}?"),
    "position-stranger": ("'{name}' is no device of this plan", "names are those of the plan: fabricplan render "
                          "plan.json --format positions lists them"),
    "position-twice": ("{device} stands twice, first at {place}", "keep one of them"),
    "position-rackless": ("no rack is given for {name}", "name the rack, or its number in the row"),
    "position-rack": ("there is no rack '{rack}'", "did you mean {near}? the room has {first} to {last}"),
    "position-rack-unknown": ("there is no rack '{rack}'", "the room has {first} to {last}"),
    "position-rack-default": ("there is no rack '{rack}' in the default room", "it has {first} to {last}, as many as "
                              "the plan needs; your own racks are described under room (docs/room.md)"),
    "position-row": ("there is no row '{row}'", "the rows are {rows}"),
    "position-other-row": ("rack {rack} stands in row {stands}, not in row {row}", "correct the row or the rack"),
    "position-unitless": ("no rack unit is given for {name}", "give its lowest unit, counted from 1 at the bottom"),
    "position-text": ("'{text}' is no rack unit", "a whole number: the lowest unit, counted from 1 at the bottom"),
    "position-below": ("unit {u} is below 1, the lowest of a rack", "units are counted from 1 at the bottom"),
    "position-fixed": ("rack {rack} is fixed: it holds other equipment", "choose another rack, or another kind for it "
                       "in the request"),
    "position-high": ("{device} ({height} U) at unit {u} reaches unit {top}, rack {rack} has {units}",
                      "the highest unit that it can begin at is {most}"),
    "position-no-room": ("{device} has {height} units, rack {rack} only {units}", "choose a higher rack"),
    "position-reserved": ("{device} ({height} U) at unit {u} takes unit {taken} of rack {rack}, which is reserved",
                          "choose another unit"),
    "position-panel": ("{device} ({height} U) at unit {u} takes unit {taken} of rack {rack}, where {panel} "
                       "stands", "choose another unit, or move the panels (room.panels)"),
    "position-box": ("{device} and {other} are one box, but stand in {rack} unit {u} and {other_rack} unit {other_u}",
                     "give both the same place"),
    "position-overlap": ("{device} ({span}) and {other} ({other_span}, at {place}) stand in one place of rack {rack}",
                         "move one of them"),
    "position-more": ("{rest} further mistakes are not listed", "is this the file of this plan?"),
    "position-missing": ("without a position: {missing} of the {devices} devices of the plan: {names}",
                         "give every device a place; fabricplan render plan.json --format positions writes a file to "
                         "fill in; a fabric that grows needs those of its final stage"),
}  # fmt: skip
"""Code -> message and advice."""


def mistake(code: str, where: str, **params: int | str) -> Problem:
    """Return a mistake at its place.

    >>> mistake("position-row", "p.xlsx: Racks!B7", row="Q", rows="A, B").message
    "there is no row 'Q'"
    """
    message, hint = (text.format(**params) for text in MISTAKES[code])
    return Problem(code, message, where, hint, tuple(params.items()))
