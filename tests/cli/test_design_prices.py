"""``design --prices`` and ``--choose price``: what is shown is the sum of the bill at the book's prices."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from tests.cli.conftest import Ran

Run = Callable[..., Ran]

BOOK = Path(__file__).parents[2] / "examples" / "demo-prices.csv"


def write_book(path: Path, switch: str, other: str, leave_out: str = "") -> Path:
    """Write a book of the parts of both fabrics of 30 NDR nodes."""
    parts = ("MQM9700-NS2F", "MMA4Z00-NS", "MMA4Z00-NS400", "MFP7E10-N010", "MCX75310AAS-NEAT")
    rows = [f"{pn},{switch if pn.startswith('MQM') else other},USD" for pn in parts if pn != leave_out]
    path.write_text("\n".join(("Part number,Unit price (excl. tax),Currency", *rows)) + "\n")
    return path


def asked(*more: str) -> tuple[str, ...]:
    return ("design", "--nodes", "30", "--gen", "ndr", "--uniform-length-m", "9", *more)


@pytest.mark.parametrize(("switch", "other", "switches"), [("10000", "1", 12), ("1", "1000", 13)])
def test_price_decides_and_is_the_sum_of_the_bill(
    run: Run, tmp_path: Path, switch: str, other: str, switches: int
) -> None:
    book = write_book(tmp_path / "book.csv", switch, other)
    tree = json.loads(run(*asked("--choose", "price", "--prices", str(book), "--json")).out)
    assert tree["totals"]["switches"] == switches
    net = sum(Decimal(switch if row["kind"] == "switch" else other) * row["quantity"] for row in tree["bom"])
    price = tree["price"]
    assert (Decimal(price["net"]), price["currency"], price["missing"]) == (net, "USD", [])
    assert Decimal(price["total"]) == Decimal(price["net"]) + Decimal(price["tax"])
    terms = tmp_path / "terms.yaml"
    terms.write_text("currency: USD\n")
    same = json.loads(
        run("quote", *asked("--choose", "price", "--prices", str(book), "--terms", str(terms), "--json")[1:]).out
    )
    assert Decimal(same["total"]) >= Decimal(price["net"])
    assert sum(row["quantity"] for row in same["lines"] if row["pn"] == "MQM9700-NS2F") == switches


def test_the_price_on_the_screen(run: Run) -> None:
    """The demo book holds the tax: the total is quantity times price, summed here."""
    with BOOK.open(encoding="utf-8-sig", newline="") as stream:
        rows = {row[0]: row for row in csv.reader(stream) if len(row) > 2}
    tree = json.loads(run("design", "--gpus", "256", "--gen", "ndr", "--prices", str(BOOK), "--json").out)
    total = sum(Decimal(rows[row["pn"]][2].replace(",", "")) * row["quantity"] for row in tree["bom"])
    assert Decimal(tree["price"]["total"]) == total
    for lang, word in (("en", "Price CNY"), ("zh", "价格 CNY")):
        shown = run("design", "--gpus", "256", "--gen", "ndr", "--prices", str(BOOK), "--lang", lang).out
        [line] = [line for line in shown.splitlines() if line.startswith(word)]
        assert f"{total:,.2f}" in line


def test_parts_without_a_price_are_told(run: Run, tmp_path: Path) -> None:
    book = write_book(tmp_path / "book.csv", "10000", "1", leave_out="MMA4Z00-NS")
    shown = run(*asked("--prices", str(book)))
    assert shown.status == 0
    assert "Not in it: 1 part without a price: MMA4Z00-NS" in shown.out
    refused = run(*asked("--prices", str(book), "--choose", "price"))
    assert refused.status == 2
    assert "MMA4Z00-NS has no price, so the fabrics cannot be compared" in refused.err


def test_words_that_contradict(run: Run, tmp_path: Path) -> None:
    ran = run(*asked("--choose", "price"))
    assert (ran.status, "--choose: choose: price needs a price book" in ran.err) == (2, True)
    ran = run(*asked("--terms", "terms.yaml"))
    assert (ran.status, "--terms are of --prices" in ran.err) == (2, True)
