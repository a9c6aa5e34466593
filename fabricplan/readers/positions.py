"""Positions of devices from XLSX or CSV: device, row, rack and lowest rack unit.

Columns are found by their headings, in Chinese or English, in any order, under any title block; every sheet that has
them is read. Merged cells count for all their rows. What the cells say is judged where the devices are known
(``placement.positions``), so that all mistakes are told together.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

import openpyxl
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import InvalidFileException

from fabricplan.errors import Problem, ReadError
from fabricplan.readers.cells import Cell, plain
from fabricplan.requirement import POSITION_FIELDS, Position

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "device": ("device", "device name", "name", "hostname", "host name", "host", "node", "switch", "equipment",
               "server", "server name", "device id", "设备", "设备名", "设备名称", "设备编号", "名称", "主机名",
               "主机名称", "主机", "节点", "节点名称", "服务器", "服务器名称", "服务器编号"),
    "row": ("row", "row name", "rack row", "aisle row", "列", "机柜列", "列号", "列名", "排", "排号", "机柜排",
            "行", "机柜行", "行号", "行名"),
    "rack": ("rack", "rack name", "rack no", "rack number", "rack id", "cabinet", "cabinet no", "机柜", "机柜号",
             "机柜名称", "机柜编号", "机架", "机架号", "柜号", "柜"),
    "u": ("u", "rack unit", "ru", "u position", "u pos", "start u", "lowest u", "bottom u", "u start",
          "lowest unit", "rack units", "rack position", "u位", "u数", "u位置", "起始u", "起始u数", "起始u位", "底部u位",
          "最低u位", "机柜u位"),
}  # fmt: skip
_BY_HEADING = {heading: field for field, words in HEADINGS.items() for heading in words}
LOOSE = dict.fromkeys(("server", "server name", "device id", "设备编号", "服务器", "服务器名称", "服务器编号", "行号",
                       "u数", "rack units"), "loose")  # fmt: skip
"""Headings that also mean another thing, such as an asset number or a height: they give way to a plainer one."""
HEADING_ROWS = 60
"""The heading row is looked for this far down."""


class _Row(NamedTuple):
    cells: Sequence[Cell]
    number: int


def read_positions(data: bytes, name: str) -> list[Position]:
    """Return the rows of a positions file, as they stand there.

    Raises:
        ReadError: neither XLSX nor CSV, no row of headings, a heading twice, or no row below.
    """
    book = PurePath(name).suffix.casefold() in (".xlsx", ".xlsm")
    found: list[Position] = []
    headed = False
    for sheet, rows in _sheets(data, name) if book else [("", list(_csv(data, name)))]:
        places: dict[str, int] = {}
        for row in rows:
            if not places:
                places = _headings(row, name, sheet) if row.number <= HEADING_ROWS else {}
                headed |= bool(places)
                continue
            # our own CSV guards text that a spreadsheet would take for a date by an apostrophe
            texts = {field: plain(row.cells[at]).removeprefix("'") if at < len(row.cells) else ""
                     for field, at in places.items()}  # fmt: skip
            if not any(texts.values()):
                continue
            where = tuple(_where(name, sheet, row.number, places.get(field, places["rack"]))
                          for field in POSITION_FIELDS)  # fmt: skip
            found.append(Position(device=texts["device"], row=texts.get("row", ""), rack=texts["rack"],
                                  u=_unit(texts["u"]), cells=where))  # fmt: skip
    if not headed:
        raise ReadError(Problem("no-headings", "no row of headings: columns for the device (设备, Device), its rack "
                                "(机柜, Rack) and its lowest rack unit (U 位, U) are needed", name,
                                "name the columns; they may stand in any order"))  # fmt: skip
    if not found:
        raise ReadError(Problem("empty-positions", "no row stands below the headings", name, "list the devices"))
    return found


def _unit(text: str) -> int | str:
    """Return a unit as a number: ``12``, ``U12``, ``12U``; other text as it is.

    >>> _unit("U12"), _unit("-3"), _unit("12.5"), _unit("top")
    (12, -3, '12.5', 'top')
    """
    match = re.fullmatch(r"[uU]?\s*(-?[0-9]{1,6})\s*[uU]?", text, flags=re.ASCII)
    return int(match[1]) if match else text


def _headings(row: _Row, name: str, sheet: str) -> dict[str, int]:
    """Return field -> column of a row that holds headings for device, rack and unit; else nothing.

    Raises:
        ReadError: two columns for one field.
    """
    found: dict[str, list[int]] = {}
    for at, cell in enumerate(row.cells):
        field = _field(plain(cell)) if isinstance(cell, str) else None
        if field:
            found.setdefault(field, []).append(at)
    for field, columns in found.items():
        sure = [at for at in columns if _field(plain(row.cells[at]), LOOSE) is None]
        found[field] = sure or columns
    if not {"device", "rack", "u"} <= found.keys():
        return {}
    twice = next((field for field, columns in found.items() if len(columns) > 1), None)
    if twice:
        first, second = (plain(row.cells[at]) for at in found[twice][:2])
        raise ReadError(Problem("heading-twice", f"'{first}' and '{second}' both name the {twice}",
                                _where(name, sheet, row.number, found[twice][1]),
                                "keep one of the columns"))  # fmt: skip
    strange = next(
        (at for at, cell in enumerate(row.cells) if isinstance(cell, str) and _like_a_row(plain(cell))), None
    )
    if "row" not in found and strange is not None:
        raise ReadError(Problem("heading-unknown", f"'{plain(row.cells[strange])}' may be the row of racks, and is no "
                                "heading known here", _where(name, sheet, row.number, strange),
                                "call it Row (列), or call it otherwise if it is none"))  # fmt: skip
    return {field: columns[0] for field, columns in found.items()}


def _like_a_row(heading: str) -> bool:
    """Return whether a heading that is no field may mean the row of a rack.

    >>> [_like_a_row(text) for text in ("Row letter", "所在排", "序列号", "Arrow", "Rack")]
    [True, True, False, False, False]
    """
    low = re.sub("序列|系列|排序|并行|执行|运行|进行|行业", "", heading.casefold())
    return _field(heading) is None and re.search(r"\b(rows?|aisle)\b|[列排行]", low) is not None


def _field(heading: str, known: Mapping[str, str] = _BY_HEADING) -> str | None:
    """Return the field of a heading; of a bilingual one, where both halves say the same.

    >>> _field("U 位(底部)"), _field("机柜 Rack"), _field("高度 U"), _field("Model")
    ('u', 'rack', None, None)
    """
    low = re.sub(r"[(\[【].*?[)\]】]", " ", heading.casefold())
    low = re.sub(r"\s+", " ", re.sub(r"[:*.#_/\-]", " ", low)).strip()
    tight = low.replace(" ", "")
    for text in (low, tight):
        if text in known:
            return known[text]
    chinese = re.sub(r"[^\u4e00-\u9fff]", "", low)
    latin = re.sub(r"[\u4e00-\u9fff]", "", low).strip()
    halves = {known.get(chinese), known.get(latin)}
    return halves.pop() if len(halves) == 1 else None


def _where(name: str, sheet: str, number: int, column: int) -> str:
    letter = get_column_letter(column + 1)
    return f"{name}: {sheet}!{letter}{number}" if sheet else f"{name}:{number}!{letter}"


def _sheets(data: bytes, name: str) -> Iterator[tuple[str, list[_Row]]]:
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, TypeError, OSError, SyntaxError) as caught:
        raise ReadError(Problem("not-a-workbook", f"not an Excel workbook: {caught}", name,
                                "give a .xlsx or .csv file")) from None  # fmt: skip
    for sheet in book.worksheets:
        yield sheet.title, _filled(sheet)


def _filled(sheet: Any) -> list[_Row]:
    """Return the rows of a sheet from column A; merged cells hold their text in every row."""
    rows = [list(cells) for cells in sheet.iter_rows(min_row=1, min_col=1, values_only=True)]
    for span in sheet.merged_cells.ranges:
        if span.min_col == span.max_col and span.max_row <= len(rows):
            for number in range(span.min_row, span.max_row):
                rows[number][span.min_col - 1] = rows[span.min_row - 1][span.min_col - 1]
    return [_Row(cells, number) for number, cells in enumerate(rows, start=1)]


def _csv(data: bytes, name: str) -> Iterator[_Row]:
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "gb18030"):
        try:
            text = data.decode(encoding)
            break
        except UnicodeDecodeError:
            continue
    else:
        raise ReadError(Problem("not-text", "the file is neither XLSX nor UTF-8 or GB18030 text", name,
                                "save it as .xlsx, or as CSV UTF-8"))  # fmt: skip
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=text[:4096].count))
    try:
        for cells in reader:
            yield _Row(cells, reader.line_num)
    except csv.Error as caught:
        raise ReadError(Problem("csv-syntax", f"not valid CSV: {caught}", f"{name}:{reader.line_num}")) from None
