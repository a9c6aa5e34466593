"""The table of commands says what the commands say of themselves."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys

import pytest
import typer

from fabricplan.cli.commands import HOMES, Built


@pytest.mark.parametrize("name", HOMES)
def test_help_and_examples_are_those_of_the_command(name: str) -> None:
    home = HOMES[name]
    module = importlib.import_module(f"fabricplan.cli.{home.module}")
    target, command = getattr(module, home.name), Built()[name]
    assert command.name == name
    assert command.epilog == getattr(module, home.examples)
    if not isinstance(target, typer.Typer):
        assert inspect.cleandoc(target.__doc__).split("\n\n")[0].replace("\n", " ") == home.help


def test_only_the_command_that_is_called_is_loaded() -> None:

    code = (
        "import sys; from fabricplan.cli import main; main(['schema', 'error']); "
        "sys.exit('fabricplan.cli.products' in sys.modules or 'fabricplan.cli.design_command' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
