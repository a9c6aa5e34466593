"""The compiled catalogue is a cache: equal to the files while they stand, and worth nothing once one changes."""

from __future__ import annotations

from fabricplan.catalog import Catalog
from fabricplan.files import catalog_files, data_folder
from fabricplan.rawcatalog import compile_files, read_compiled, read_rows

FOLDER = data_folder("catalog")


def test_it_holds_what_the_files_hold(catalog: Catalog) -> None:
    _, files = catalog_files(FOLDER)
    rows, problems = read_rows(files, "catalog")
    ready = read_compiled(compile_files(files), files, "catalog")
    assert not problems and ready is not None
    assert ready[0] == rows and ready[1] == catalog.digest


def test_it_is_not_believed_once_a_file_changes() -> None:
    _, files = catalog_files(FOLDER)
    compiled = compile_files(files)
    name = "switches/qm9700.yaml"
    assert read_compiled(compiled, {**files, name: files[name] + b"# a comment\n"}, "catalog") is None
    assert read_compiled(compiled, {**files, "switches/new.yaml": b"[]"}, "catalog") is None
    assert read_compiled(compiled, {key: text for key, text in files.items() if key != name}, "catalog") is None
    assert read_compiled(compiled[:-9], files, "catalog") is None
