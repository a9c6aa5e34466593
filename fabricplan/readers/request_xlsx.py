"""A request from the workbook that ``fabricplan new`` writes: labels in column A, values in column B."""

from __future__ import annotations

import dataclasses
import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from fabricplan.errors import Problem, RequirementError, nearest
from fabricplan.measures import LengthError, length_mm
from fabricplan.readers.cells import Cell, CellError, plain, read_count
from fabricplan.readers.request_fields import FIELDS, RequestField
from fabricplan.readers.workbooks import open_workbook
from fabricplan.requirement import ETHERNET_RATES, parse_requirement, spares_share
from fabricplan.terminal import whole


class SheetRequest(NamedTuple):
    """A request as it stands in a workbook: plain data, and the cell of every field."""

    name: str
    data: dict[str, Any]
    cells: dict[str, str]

    def place(self, path: str) -> str:
        """Return ``file: sheet!cell`` of a JSON path; of the nearest field above it, else the file."""
        known = [key for key in self.cells if path == key or path.startswith((f"{key}[", f"{key}."))]
        below = [key for key in self.cells if key.startswith(path)]
        found = max(known, key=len) if known else next(iter(below), "")
        return f"{self.name}: {self.cells[found]}" if found else self.name


def read(data: bytes, name: str) -> SheetRequest:
    """Return the request.

    Raises:
        RequirementError: not a workbook, no known label, or cells that cannot be read; all at once.
    """
    book = open_workbook(data, name, RequirementError, "fabricplan new request.xlsx writes one")
    sheet = book.worksheets[0]
    labels = {_fold(text): field for field in FIELDS for text in (field.zh, field.en, f"{field.zh} {field.en}")}
    tree: dict[str, Any] = {"groups": [{}], "fabrics": [{}]}
    cells: dict[str, str] = {}
    problems: list[Problem] = []
    filled: set[str] = set()
    seen = False
    for row in sheet.iter_rows(min_col=1, max_col=2):
        field = labels.get(_fold(plain(row[0].value)))
        if field is None:
            continue
        seen = True
        value: Cell = row[1].value
        cells[field.path] = f"{sheet.title}!{row[1].coordinate}"
        if plain(value) == "":
            continue
        try:
            _put(tree, field, _value(field, value, "%" in str(row[1].number_format)))
            filled.add(field.path)
        except CellError as caught:
            problems.append(Problem("requirement-field", f"{field.en}: {caught}", f"{name}: {cells[field.path]}",
                                    field.help_en))  # fmt: skip
    if not seen:
        problems.append(Problem("requirement-form", f"the sheet '{sheet.title}' holds no known field", name,
                                "fabricplan new request.xlsx writes a workbook to fill in"))  # fmt: skip
    found = SheetRequest(name, tree, cells)
    if problems:
        raise RequirementError(*problems, *(_further(found, filled) if seen else ()))
    return found


def _further(request: SheetRequest, filled: set[str]) -> list[Problem]:
    """Return what is wrong with the cells that could be read, so that all are told together."""
    try:
        parse_requirement(request.data)
    except RequirementError as caught:
        placed = [(request.place(item.where), item) for item in caught.problems]
        good = {f"{request.name}: {request.cells[path]}" for path in filled}
        # What an unreadable cell leaves out would be told as missing: only cells that hold something count.
        return [dataclasses.replace(item, where=place) for place, item in placed if place in good]
    return []


def _fold(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _value(field: RequestField, value: Cell, percent: bool) -> Any:
    """Return a cell's value as plain data; ``percent``: a number in it is shown as a percentage."""
    text = plain(value)
    if field.kind == "count":
        return read_count(value)
    if field.kind == "metres":
        try:
            return length_mm(text, "m")
        except LengthError as caught:
            raise CellError(str(caught)) from None
    if field.kind == "ratio":
        if isinstance(value, (datetime.time, datetime.datetime)):
            # A spreadsheet takes 2:1 for one minute past two.
            text = f"{value.hour}:{value.minute}"
        return [text]
    if field.kind == "rate" and text.casefold() not in field.words:
        raise CellError(f"no rate '{text}'; {nearest(text.casefold(), field.words)}")
    if field.kind == "spares":
        return _spares(value, percent)
    if field.kind == "planes":
        planes = whole(text)
        return text if planes is None else planes
    return text


def _spares(value: Cell, percent: bool) -> str:
    text = plain(value)
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if number and percent:
        # A spreadsheet keeps 5 % as 0.05, a binary fraction: its shortest decimal form is what was typed.
        text = f"{(Decimal(str(value)) * 100).normalize():f}%"
    word = text.casefold()
    if word in ("none", "field") or spares_share(text) is not None:
        return word
    if number and not percent:
        whole_number = text if Decimal(text) >= 1 else f"{(Decimal(text) * 100).normalize():f}"
        raise CellError(f"'{text}' is a number without a percent sign; write {whole_number}% if that is meant")
    raise CellError(f"'{text}' is neither a whole percentage from 0% to 100% nor a policy; write 5%, field or none")


def _put(tree: dict[str, Any], field: RequestField, value: Any) -> None:
    group, fabric = tree["groups"][0], tree["fabrics"][0]
    if field.path.endswith("ports_per_node"):
        fabric["attached"] = [{"group": "node", "ports_per_node": value}]
        return
    home = {"groups[0]": group, "fabrics[0]": fabric, "room": tree.setdefault("room", {}), "": tree}
    owner, _, name = field.path.rpartition(".")
    home[owner][name] = value
    if field.kind == "rate" and str(value).casefold() in ETHERNET_RATES:
        fabric["technology"] = "roce"
