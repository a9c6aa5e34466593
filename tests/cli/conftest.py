from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from fabricplan.cli import main


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run the command line in this process; one string of words, or words."""

    def call(*words: str) -> Ran:
        args = words[0].split() if len(words) == 1 else list(words)
        status = main(args)
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return call
