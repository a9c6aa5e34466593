"""LibreOffice computes every formula of every quote workbook anew; the stored values must be the same, to the cent.

Stored values are stripped first, because LibreOffice believes them. One wrong value must be caught. All workbooks go
through one call.
"""

from __future__ import annotations

import io
import random
import re
import shutil
import subprocess
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricplan.catalog import Catalog
from fabricplan.files import load_requirement
from fabricplan.pipeline import design
from fabricplan.plan import Plan
from fabricplan.pricefiles import load_prices, load_terms
from fabricplan.prices import PriceBook
from fabricplan.quote import compare, price, revise
from fabricplan.renderers.quotes import changes, internal, offers, workbook
from fabricplan.renderers.quotes.template import fill
from tests.unit.quotes import book_of, terms

SOFFICE = shutil.which("soffice")
pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(SOFFICE is None, reason="soffice (LibreOffice Calc) is not installed"),
]
EXAMPLES = Path(__file__).parents[2] / "examples"
REQUESTS = ("small-hdr", "four-su", "storage", "grow", "rail-planes", "roce-dual-plane")
At = tuple[str, str]


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


def stored(book: bytes) -> dict[At, Any]:
    """Return the stored value of every formula cell."""
    texts, values = (openpyxl.load_workbook(io.BytesIO(book), data_only=only) for only in (False, True))
    return {
        (sheet.title, cell.coordinate): values[sheet.title][cell.coordinate].value
        for sheet in texts for row in sheet.iter_rows() for cell in row if cell.data_type == "f"
    }  # fmt: skip


def computed(folder: Path, books: dict[str, bytes]) -> dict[str, Any]:
    """Return every workbook as LibreOffice computes it."""
    (folder / "out").mkdir()
    for name, data in books.items():
        (folder / f"{name}.xlsx").write_bytes(stripped(data))
    subprocess.run(
        [str(SOFFICE), "--headless", f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--convert-to", "xlsx",
         "--outdir", str(folder / "out"), *(str(folder / f"{name}.xlsx") for name in books)],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    return {name: openpyxl.load_workbook(folder / "out" / f"{name}.xlsx", data_only=True) for name in books}


def wrong(book: bytes, shown: Any) -> list[At]:
    """Return the formula cells whose stored value is not what was computed."""
    different = []
    for at, value in stored(book).items():
        found = shown[at[0]][at[1]].value
        if isinstance(value, str):
            same = found == value
        else:
            same = isinstance(found, (int, float)) and abs(found - value) < 0.0001
        if not same:
            different.append(at)
    return different


def falsified(book: bytes) -> bytes:
    """Return a workbook whose first formula cell holds a wrong value."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                data, count = re.subn(rb"</f><v>[^<]*</v>", b"</f><v>999</v>", data, count=1)
                assert count == 1
            new.writestr(name, data)
    return target.getvalue()


def company_template() -> bytes:
    """Return a small template with a name for every field that takes a sum."""
    from openpyxl.workbook.defined_name import DefinedName

    book = openpyxl.Workbook()
    sheet = book.active
    places = {"line_product": "A4", "line_quantity": "B4", "line_unit_price": "C4", "line_amount": "D4",
              "quote_net": "D5", "quote_tax": "D6", "quote_total": "D7"}  # fmt: skip
    for name, cell in places.items():
        book.defined_names[name] = DefinedName(name, attr_text=f"'{sheet.title}'!${cell[0]}${cell[1]}")
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


@pytest.fixture(scope="module")
def plans(catalog: Catalog) -> dict[str, Plan]:
    return {name: design(load_requirement(EXAMPLES / f"{name}.yaml"), catalog) for name in REQUESTS}


def random_books(plans: dict[str, Plan]) -> dict[str, bytes]:
    """Return workbooks of random prices, tax, discounts and terms; drawn by hypothesis, the same every time."""
    found: dict[str, bytes] = {}
    tax = st.fixed_dictionaries({
        "percent": st.sampled_from(["13", "6", "20", "7.5", "0"]), "mode": st.sampled_from(["included", "added"]),
        "groups": st.sampled_from([{}, {"service": "6"}, {"spare": "0", "cable": "9"}]),
    })  # fmt: skip

    @given(
        st.sampled_from(sorted(plans)), st.integers(0, 10**9), tax, st.sampled_from(["CNY", "USD", "JPY"]),
        st.sampled_from(["0", "3.7", "33.33"]), st.sampled_from(["zh", "en", "both"]), st.integers(0, 3),
    )  # fmt: skip
    @settings(max_examples=24, derandomize=True, database=None, deadline=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    def draw(name: str, seed: int, tax: dict[str, Any], currency: str, off: str, lang: str, missing: int) -> None:
        dice = random.Random(seed)
        plan = plans[name]
        book = book_of(plan, lambda _: str(Decimal(dice.randrange(1, 10 ** dice.randrange(2, 10))) / 100 + 1))
        book = PriceBook(name=book.name, lines=book.lines[missing:] or book.lines)
        quote = price(plan, book, terms(
            currency=currency, tax=tax, discounts={"total": off}, freight={"price": dice.randrange(1, 10**6)},
            services=[{"name": "install", "per": "cable", "price": str(Decimal(dice.randrange(1, 9999)) / 100)}],
        ))  # fmt: skip
        found[f"random{len(found)}"] = workbook.render(quote, lang)["quote.xlsx"]
        found[f"filled{len(found)}"] = fill(company_template(), quote, lang).files["quote.xlsx"]

    draw()
    return found


def test_stored_values_are_what_another_program_computes(plans: dict[str, Plan], tmp_path: Path) -> None:
    demo, agreed = load_prices(EXAMPLES / "demo-prices.xlsx"), load_terms(EXAMPLES / "demo-terms.yaml")
    quotes = {name: price(plan, demo, agreed) for name, plan in plans.items()}
    books: dict[str, bytes] = {}
    for name, quote in quotes.items():
        assert quote.complete, name
        books[name] = workbook.render(quote, "zh", plans[name])["quote.xlsx"]
        books[f"{name}-internal"] = internal.render(quote, "en")["quote-internal.xlsx"]
    dearer = price(plans["four-su"], book_of(plans["four-su"]), agreed)
    books["changes"] = changes.render(revise(quotes["four-su"], dearer), dearer, "zh")["quote-changes.xlsx"]
    books["offers"] = offers.render(compare(list(quotes.values())[:3]), "both")["offers.xlsx"]
    books |= random_books(plans)
    books["false"] = falsified(books["four-su"])
    shown = computed(tmp_path, books)
    for name, data in books.items():
        cells = stored(data)
        assert cells, name
        assert None not in cells.values(), name
        found = wrong(data, shown[name])
        assert len(found) == (1 if name == "false" else 0), (name, found)
