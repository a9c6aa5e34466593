"""The commands by name. Each is built when it is called or its help is shown: ``--help`` needs only the names and
one line of each, and a call needs one command of all."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

import typer
from typer.core import TyperGroup


class Home(NamedTuple):
    """Where a command lives: the module below ``fabricplan.cli``, its function or group, its examples, and the
    first sentence of its help."""

    module: str
    name: str
    examples: str
    help: str


HOMES: Mapping[str, Home] = {
    "design": Home("design_command", "design", "EXAMPLES", "Design a fabric: counts, parts, cabling and checks."),
    "render": Home("documents", "render", "RENDER_EXAMPLES", "Write a finished plan in other formats or another "
                   "language."),
    "check": Home("documents", "check", "CHECK_EXAMPLES",
                  "Check the tables of a plan file again, by the facts that it was made of."),
    "prove": Home("prove", "prove", "PROVE_EXAMPLES", "Prove what a plan claims: bandwidth, even routing, no deadlock, "
                  "what a failure leaves."),
    "survey": Home("survey", "survey", "SURVEY_EXAMPLES", "Tell what a discovered fabric is: tiers, rails, evenness, "
                   "and what departs from its peers."),
    "verify": Home("verify", "verify", "VERIFY_EXAMPLES", "Check a cabled fabric against its plan: work orders for "
                   "what is wrong."),
    "receive": Home("receive", "receive", "RECEIVE_EXAMPLES", "Check a delivery against the bill of a plan, and give "
                    "serial numbers to its devices."),
    "adopt": Home("adopt", "adopt", "ADOPT_EXAMPLES", "Make a plan of discovered fabrics, to grow, render and quote "
                  "it."),
    "fill-guids": Home("fill_guids", "fill_guids", "FILL_EXAMPLES",
                       "Fill the lists of --format opensm with the GUIDs of a discovered fabric."),
    "progress": Home("progress", "progress", "PROGRESS_EXAMPLES",
                     "Tell how far the cabling is: done, open and percent per work package."),
    "catalog": Home("products", "app", "CATALOG_EXAMPLES", "Products: list, show, check."),
    "quote": Home("quote", "quote", "QUOTE_EXAMPLES", "Price a plan or a request: a quote in Excel, HTML, CSV and "
                  "JSON."),
    "prices": Home("prices", "app", "CHECK_EXAMPLES", "Price books: check."),
    "new": Home("new", "new", "NEW_EXAMPLES", "Write a request workbook to fill in, with drop-downs, in Chinese and "
                "English."),
    "schema": Home("documents", "schema", "SCHEMA_EXAMPLES", "Print the JSON Schema of a document."),
}  # fmt: skip
"""The commands in the order in which help lists them."""


class Built(Mapping[str, Any]):
    """Command name -> command, built when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        home = HOMES[name]
        module = importlib.import_module(f"fabricplan.cli.{home.module}")
        target, examples = getattr(module, home.name), getattr(module, home.examples)
        parent = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
        if isinstance(target, typer.Typer):
            parent.add_typer(target, name=name, help=home.help, epilog=examples)
        else:
            parent.command(name, epilog=examples)(target)
        return typer.main.get_group(parent).commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(HOMES)

    def __len__(self) -> int:
        return len(HOMES)


class Commands(TyperGroup):
    """The root: a group whose commands are built on demand."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        self.commands = cast(Any, Built())

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names, without building the commands."""
        return list(HOMES)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands for the help screen, without building them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, home.help) for name, home in HOMES.items()])
