"""The root holds exactly the names it promises."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import fabricplan


def test_all_is_what_is_visible() -> None:
    assert sorted(fabricplan.__all__) == dir(fabricplan)
    for name in fabricplan.__all__:
        assert getattr(fabricplan, name) is not None


def test_homes_hold_every_name() -> None:
    named = {name: home for home, names in fabricplan._HOMES.items() for name in names}
    assert {*named, "__version__"} == set(fabricplan.__all__)
    for name, home in named.items():
        assert getattr(fabricplan, name) is getattr(importlib.import_module(f"fabricplan.{home}"), name)


def test_no_module_has_the_name_of_a_root_function() -> None:
    folder = Path(fabricplan.__file__).parent
    modules = {path.stem for path in folder.iterdir()}
    assert not modules & set(fabricplan.__all__)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        _ = fabricplan.no_such_name  # type: ignore[attr-defined]


def test_requirement_from_a_mapping_and_from_a_file(tmp_path: Path) -> None:
    plain = {"groups": [{"gpus": 8}], "fabrics": [{"rate": "ndr"}]}
    path = tmp_path / "request.yaml"
    path.write_text("groups:\n  - gpus: 8\nfabrics:\n  - rate: ndr\n")
    assert fabricplan.load_requirement(path) == fabricplan.load_requirement(plain)
