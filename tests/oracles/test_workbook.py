"""LibreOffice computes every formula of the workbook anew; the stored values must be the same.

LibreOffice believes a stored value and does not recalculate, so the values are first stripped from the sheets. A
workbook with one wrong stored value must be caught.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import openpyxl
import pytest

from fabricplan.plan import Plan
from fabricplan.renderers import render
from tests.conftest import PlanOf

SOFFICE = shutil.which("soffice")
pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(SOFFICE is None, reason="soffice (LibreOffice Calc) is not installed"),
]
EVERY_SHEET = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"

Cells = dict[tuple[str, int, int], str]


def stripped(book: bytes) -> bytes:
    """Return a workbook without the stored values of its formulas."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.startswith("xl/worksheets/"):
                data = re.sub(rb"</f><v>[^<]*</v>", b"</f>", data)
            new.writestr(name, data)
    return target.getvalue()


def formulas(book: bytes) -> tuple[dict[tuple[str, int, int], str], dict[tuple[str, int, int], float]]:
    """Return the formulas of a workbook and their stored values, by sheet, row and column."""
    texts = openpyxl.load_workbook(io.BytesIO(book))
    values = openpyxl.load_workbook(io.BytesIO(book), data_only=True)
    found: dict[tuple[str, int, int], str] = {}
    stored: dict[tuple[str, int, int], float] = {}
    for sheet in texts:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    at = (sheet.title, cell.row, cell.column)
                    found[at] = str(cell.value)
                    stored[at] = float(values[sheet.title].cell(cell.row, cell.column).value)
    return found, stored


def computed(folder: Path, books: dict[str, bytes]) -> dict[str, Cells]:
    """Return what LibreOffice shows in every cell of every workbook; one call for all of them."""
    for name, data in books.items():
        (folder / f"{name}.xlsx").write_bytes(stripped(data))
    subprocess.run(
        [str(SOFFICE), "--headless", f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--convert-to",
         EVERY_SHEET, "--outdir", str(folder), *(str(folder / f"{name}.xlsx") for name in books)],
        check=True, capture_output=True, timeout=180,
    )  # fmt: skip
    found: dict[str, Cells] = {}
    for name in books:
        cells: Cells = {}
        for path in folder.glob(f"{name}-*.csv"):
            sheet = path.stem.removeprefix(f"{name}-")
            with path.open(encoding="utf-8", newline="") as stream:
                for row, line in enumerate(csv.reader(stream), 1):
                    cells.update({(sheet, row, column): cell for column, cell in enumerate(line, 1)})
        found[name] = cells
    return found


def wrong(stored: dict[tuple[str, int, int], float], cells: Cells) -> list[tuple[str, int, int]]:
    """Return the formula cells whose stored value is not what was computed."""
    different = []
    for at, value in stored.items():
        shown = cells[at].replace(",", "")
        number = float(shown.removesuffix("%")) / (100 if shown.endswith("%") else 1)
        # the CSV holds what the sheet shows: percentages and metres have one digit
        if abs(number - value) > (0.0006 if shown.endswith("%") else 0.051):
            different.append(at)
    return different


@pytest.fixture(scope="module")
def plans(plan_of: PlanOf) -> dict[str, Plan]:
    return {
        "fibre": plan_of({"nodes": 20, "platform": "dgx-h100"}, {"rate": "ndr", "reserve_ports": 2}, spares="field"),
        "copper": plan_of({"nodes": 72}, {"rate": "hdr100"}, spares="field"),
        "boxes": plan_of({"gpus": 256}, {"rate": "xdr", "leaf": "Q3200-RA", "spine": "Q3200-RA"}),
    }


def test_stored_values_are_what_another_program_computes(plans: dict[str, Plan], tmp_path: Path) -> None:
    books = {f"{name}_{lang}": render(plan, "xlsx", lang)["fabric.xlsx"]
             for name, plan in plans.items() for lang in ("en", "zh")}  # fmt: skip
    # one stored value is falsified: the comparison must find exactly that cell
    texts, stored = formulas(books["fibre_en"])
    at = next(at for at, text in texts.items() if text.startswith("=SUM(G2:"))
    sheet = {"Overview": 1, "Bill of materials": 2}[at[0]]
    books["false"] = falsified(books["fibre_en"], sheet, "=SUM(G2:", stored[at])
    shown = computed(tmp_path, books)
    for name, data in books.items():
        texts, stored = formulas(data)
        assert len(texts) > 30
        assert wrong(stored, shown[name]) == ([at] if name == "false" else [])


def falsified(book: bytes, sheet: int, formula: str, value: float) -> bytes:
    """Return a workbook with 999 stored beside the first formula that starts so."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == f"xl/worksheets/sheet{sheet}.xml":
                pattern = re.escape(formula.removeprefix("=").encode()) + rb"[^<]*</f><v>" + f"{value:g}".encode()
                data, count = re.subn(pattern, lambda found: found[0].rsplit(b">", 1)[0] + b">999", data, count=1)
                assert count == 1
            new.writestr(name, data)
    return target.getvalue()
