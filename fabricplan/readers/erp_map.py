"""A company's material codes from a workbook: part number -> code, and its own name, specification and unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabricplan.errors import PriceError, Problem
from fabricplan.prices import part_key
from fabricplan.readers.cells import plain
from fabricplan.readers.headings import OPN, PART, by_heading, field_of
from fabricplan.readers.workbooks import open_workbook
from fabricplan.values import Value

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "part": PART,
    "opn": OPN,
    "code": ("物料编码", "物料代码", "物料号", "存货编码", "erp编码", "erp 编码", "编码", "material code",
             "material", "item code", "code", "erp code"),
    "name": ("物料名称", "存货名称", "名称", "产品名称", "material name", "item name", "name"),
    "specification": ("规格", "规格描述", "规格说明", "specification", "spec"),
    "unit": ("单位", "计量单位", "unit", "uom"),
}  # fmt: skip
_BY_HEADING = by_heading(HEADINGS)


class ErpCode(Value):
    """What a company's system calls a part."""

    part: str
    code: str
    name: str = ""
    specification: str = ""
    unit: str = ""
    where: str = ""


def read_codes(data: bytes, name: str) -> dict[str, ErpCode]:
    """Return folded part -> code.

    Raises:
        PriceError: no headings, a part twice with different codes, or a part without a code; all at once.
    """
    book = open_workbook(data, name, PriceError, "open it in Excel and save it as .xlsx")
    codes: dict[str, ErpCode] = {}
    problems: list[Problem] = []
    headed = False
    for sheet in book.worksheets:
        places: dict[str, int] = {}
        for row in sheet.iter_rows():
            texts = {cell.column: plain(cell.value) for cell in row if cell.value is not None}
            if not places:
                places = _places(texts)
                headed = headed or bool(places)
                continue
            _code(texts, places, f"{sheet.title}!{row[0].row}", codes, problems)
    if not headed:
        problems.append(Problem("no-headings", "no row of headings: a part number (型号) and a material code "
                                "(物料编码) are needed", name,
                                "name the columns; they may stand in any order"))  # fmt: skip
    if problems:
        raise PriceError(*problems)
    return codes


def _places(texts: Mapping[int, str]) -> dict[str, int]:
    """Return field -> column of a row of headings; empty where it is none. An order number serves as the part."""
    found: dict[str, int] = {}
    for column, text in texts.items():
        if (field := field_of(text, _BY_HEADING)) is not None:
            found.setdefault(field, column)
    if "opn" in found:
        found.setdefault("part", found.pop("opn"))
    found.pop("opn", None)
    return found if {"part", "code"} <= found.keys() else {}


def _code(texts: Mapping[int, str], places: Mapping[str, int], where: str, codes: dict[str, ErpCode],
          problems: list[Problem]) -> None:  # fmt: skip
    held: dict[str, Any] = {field: texts.get(column, "") for field, column in places.items()}
    if not held["part"]:
        return
    if not held["code"]:
        problems.append(Problem("no-code", f"'{held['part']}' has no material code", where, "fill it in"))
        return
    code = ErpCode(**held, where=where)
    earlier = codes.setdefault(part_key(code.part), code)
    if earlier.code != code.code:
        problems.append(Problem("duplicate-part", f"'{code.part}' has two codes: {earlier.code} and {code.code}", where,
                                f"first at {earlier.where}"))  # fmt: skip
