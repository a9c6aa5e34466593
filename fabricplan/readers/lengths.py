"""Surveyed lengths from CSV or XLSX: both ends of a cable, of two devices or of two racks, and the length between.

Columns are found by their headings, in Chinese or English, in any order: device, port and rack of both ends, the
length, and its unit, which stands in the heading (``Surveyed length (m)``, ``实测长度（米）``), in a column of its own
or in the cells (``4.2 m``). Rows without a length are passed over: they keep the estimate. So are the rows of a cable
schedule of ours whose column ``length source`` says that the length is an estimate.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from fabricplan.errors import Problem, ReadError
from fabricplan.measures import MM_OF, LengthError, length_mm, unit_of
from fabricplan.readers.cells import Cell, plain
from fabricplan.readers.sheets import SheetRow, sheet_rows
from fabricplan.requirement import LengthsFile, SurveyedLength

_SIDES = {
    "a": ("a", "from", "near", "source", "src", "local", "本", "近", "源", "起", "起点", "起始"),
    "b": ("z", "b", "to", "far", "dest", "destination", "remote", "peer", "对", "远", "目的", "目标", "终点", "止"),
}  # fmt: skip
_WHAT = {
    "": ("", "end", "device", "devicename", "node", "switch", "host", "hostname", "name", "equipment", "设备",
         "设备名", "设备名称", "名称", "主机", "主机名"),
    "_port": ("port", "interface", "口", "接口"),
    "_rack": ("rack", "cabinet", "机柜", "机架"),
}  # fmt: skip
_FIELDS: Mapping[str, str] = {
    word: f"{side}{part}"
    for side, ones in _SIDES.items() for part, others in _WHAT.items() for one in ones for other in others
    for word in (one + other, other + one)
}  # fmt: skip
_LENGTH = ("length", "长度", "surveyed", "measured", "实测", "测量")
_OTHER_LENGTH = ("estimate", "required", "order", "source", "估算", "所需", "订货", "来源")
_MEASURED = ("surveyed", "measured", "实测", "测量")
_SOURCE = ("lengthsource", "估算实测")
_ESTIMATES = ("estimated", "uniform", "估算", "统一长度")
"""What our own tables say of lengths that nobody measured."""
_UNIT = ("unit", "units", "uom", "单位", "长度单位")
_QUOTED = re.compile(r'"([^"]*)"')
LENGTH_MAX_MM = 10_000_000


def read_lengths(data: bytes, name: str) -> LengthsFile:
    """Return the surveyed lengths of a file.

    Raises:
        ReadError: another format, or no table with both ends and a length.
    """
    rows: list[SurveyedLength] = []
    places: list[dict[str, str]] = []
    problems: list[Problem] = []
    columns: dict[str, int] = {}
    unit, sheet, headed, ends = None, "", False, ""
    for row in sheet_rows(data, name, "a survey of lengths", lambda cell: _heading(cell) in _FIELDS):
        if row.sheet != sheet:
            sheet, columns = row.sheet, {}
        if not columns:
            found = _columns(row)
            ends = ends or (row.where(0) if _both(found) else "")
            if _both(found) and "length_mm" in found:
                columns, headed = found, True
                unit = unit_of(plain(row.cells[found["length_mm"]]))
            continue
        _read(row, columns, unit, rows, places, problems)
    if not headed:
        told = "no column of surveyed lengths" if ends else "no row of headings with both ends and a length"
        raise ReadError(Problem("no-headings", told, ends or name, "name the columns A device, A port, Z device, "
                                "Z port (or A rack, Z rack) and Surveyed length (m); 'fabricplan render PLAN --format "
                                "lengths' writes a file to fill in"))  # fmt: skip
    if not rows and not problems:
        problems.append(Problem("length-empty", "no row has a surveyed length", name,
                                "fill in the column of surveyed lengths; estimates are passed over"))  # fmt: skip
    return LengthsFile(name, tuple(rows), tuple(places), tuple(problems))


def _both(columns: Mapping[str, int]) -> bool:
    return all(side in columns or f"{side}_rack" in columns for side in ("a", "b"))


def _columns(row: SheetRow) -> dict[str, int]:
    """Return field -> column of a row of headings."""
    found: dict[str, int] = {}
    measured = False
    for column, cell in enumerate(row.cells):
        text, word = unicodedata.normalize("NFKC", plain(cell)).casefold(), _heading(cell)
        if word in _UNIT:
            found.setdefault("unit", column)
        elif word in _SOURCE:
            found.setdefault("source", column)
        elif word in _FIELDS:
            found.setdefault(_FIELDS[word], column)
        elif any(part in text for part in _LENGTH) and not any(part in text for part in _OTHER_LENGTH):
            better = any(part in text for part in _MEASURED)
            if "length_mm" not in found or (better and not measured):
                found["length_mm"], measured = column, better
    if measured:
        found.pop("source", None)
    return found


def _heading(cell: Cell) -> str:
    """Return a heading's letters and digits, as the table of fields has them."""
    text = unicodedata.normalize("NFKC", plain(cell)).casefold()
    return "".join(letter for letter in text if letter.isalnum()).replace("端", "")


def _read(
    row: SheetRow, columns: Mapping[str, int], unit: str | None, rows: list[SurveyedLength],
    places: list[dict[str, str]], problems: list[Problem],
) -> None:  # fmt: skip
    held = {field: plain(row.cells[at]) if at < len(row.cells) else "" for field, at in columns.items()}
    at = {field: row.where(column) for field, column in columns.items()}
    where = at["length_mm"]
    if columns["length_mm"] in row.unstored:
        problems.append(Problem("no-stored-value", "the formula has no stored value", where,
                                "open the book in Excel and save it"))  # fmt: skip
        return
    if not held["length_mm"] or held.get("source", "").casefold() in _ESTIMATES:
        return
    before = len(problems)
    for side in ("a", "b"):
        if not held.get(side) and not held.get(f"{side}_rack"):
            problems.append(Problem("length-ends", f"a length of {held['length_mm']} without its "
                                    f"{'first' if side == 'a' else 'second'} end",
                                    at.get(side) or at[f"{side}_rack"], "name the device or the rack"))  # fmt: skip
    try:
        length = length_mm(held["length_mm"], _unit(row, columns, held.get("unit", ""), unit))
    except LengthError as caught:
        problems.append(Problem("length-cell", str(caught), where, "correct the cell"))
        return
    if length > LENGTH_MAX_MM:
        problems.append(Problem("length-cell", f"{held['length_mm']} is {length / 1000:,.0f} m, longer than any cable",
                                where, "check the unit"))  # fmt: skip
    if len(problems) > before:
        return
    ends = {field: held[field] for field in held if field not in ("length_mm", "unit", "source") and held[field]}
    for side in ("a", "b"):
        if side not in ends:
            ends.pop(f"{side}_port", None)
    rows.append(SurveyedLength(length_mm=length, **ends))
    places.append(at)


def _unit(row: SheetRow, columns: Mapping[str, int], told: str, unit: str | None) -> str | None:
    """Return the unit of a number without one: its own column, what its number format shows, or its heading.

    Raises:
        LengthError: they name different units, or one that is not known.
    """
    named = {unit} if unit else set()
    if told:
        if unicodedata.normalize("NFKC", told).casefold().strip(" .") not in MM_OF:
            raise LengthError(f"'{told}' is no unit of length known here; m, cm, mm, ft and in are")
        named = {unicodedata.normalize("NFKC", told).casefold().strip(" .")}
    shown: Sequence[str] = row.formats[columns["length_mm"] : columns["length_mm"] + 1]
    if shown and isinstance(row.cells[columns["length_mm"]], (int, float)):
        named |= {word for text in _QUOTED.findall(shown[0]) if (word := unit_of(text))}
    if len({MM_OF[word] for word in named}) > 1:
        raise LengthError(f"its units disagree: {', '.join(sorted(named))}")
    return next(iter(sorted(named)), None)
