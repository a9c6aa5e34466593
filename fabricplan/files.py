"""The only place that reads from disk or writes to it.

Catalogue and templates come from the package's data folder; in a checkout, from the folders beside the
package. Files are written under a temporary name and renamed, so that a failed run leaves earlier files whole.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from fabricplan import strictyaml
from fabricplan.catalog import Catalog, entry_problems
from fabricplan.errors import CatalogError, Problem, ReadError, RenderError, RequirementError, nearest
from fabricplan.rawcatalog import EXTENDS, KEY_FIELDS, RawEntry, Row, changed, extend, read_compiled, read_rows
from fabricplan.requirement import LengthsFile, Position, Requirement, parse_requirement
from fabricplan.terminal import whole

_PACKAGE = Path(__file__).resolve().parent
COMPILED = "catalog.json"
"""The compiled catalogue in the package's data folder, written by the build hook."""
REQUEST_SUFFIXES = (".yaml", ".yml", ".json")


def data_folder(name: str) -> Path:
    """Return the folder of shipped data (``catalog`` or ``templates``): the wheel's, else the checkout's."""
    shipped = _PACKAGE / "_data" / name
    return shipped if shipped.is_dir() else _PACKAGE.parent / name


def load_catalog(*overlays: str | os.PathLike[str]) -> Catalog:
    """Read the shipped catalogue, then lay company folders over it.

    A later overlay wins. Its entry replaces the entry of the same kind and key whole, or, with ``extends: true``,
    only the fields that it names (``rawcatalog.extend``).

    Args:
        overlays: folders of the same shape as ``catalog/``, or single files named or kept like its kinds
            (``switches.yaml``, ``switches/ours.yaml``).

    Returns:
        The catalogue. ``catalog.overridden`` tells the entries that an overlay changed, with the fields.

    Raises:
        CatalogError: with every problem found, each as ``file:line``; an overlay must keep to all that
            ``catalog.check`` asks.
    """
    catalog = read_catalog(*overlays)
    if overlays:
        from fabricplan.catalog.check import check, placed  # late: the shipped catalogue alone does not pay for it

        problems = [placed(catalog, problem) for problem in check(catalog)]
        if problems:
            raise CatalogError(*problems)
    return catalog


def read_catalog(*overlays: str | os.PathLike[str]) -> Catalog:
    """Read a catalogue as :func:`load_catalog` does, without the rules beyond the schema.

    Raises:
        CatalogError: with every problem found, each as ``file:line``.
    """
    entries: dict[str, dict[str, RawEntry]] = {kind: {} for kind in KEY_FIELDS}
    overridden: dict[str, tuple[str, ...]] = {}
    laid: dict[tuple[str, str], RawEntry] = {}
    problems: list[Problem] = []
    digest = None
    for number, source in enumerate([data_folder("catalog"), *(Path(overlay) for overlay in overlays)]):
        folder, files = catalog_files(source)
        ready = _compiled(files, folder) if number == 0 else None
        if ready is None:
            rows, found = read_rows(files, folder.as_posix())
            problems.extend(found)
        else:
            rows, digest = ready
        before = {kind: frozenset(known) for kind, known in entries.items()}
        for kind, key, entry in rows:
            earlier = entries[kind].get(key)
            if earlier is not None and key not in before[kind]:
                problems.append(Problem("duplicate-entry", f"{kind} '{key}' stands twice", entry.where,
                                        f"first at {earlier.where}"))  # fmt: skip
            elif entry.data.get(EXTENDS) and earlier is None:
                problems.append(Problem("nothing-to-extend", f"no {kind} entry '{key}' stands below", entry.where,
                                        nearest(key, entries[kind])))  # fmt: skip
                continue
            elif earlier is not None:
                entry = extend(earlier, entry)
                named = f"{kind}/{key}"
                overridden[named] = tuple(dict.fromkeys((*overridden.get(named, ()), *changed(earlier, entry))))
            entries[kind][key] = entry
            if number:
                laid[kind, key] = entry
    if not problems:
        # the shipped entries are checked before they are shipped; those of a company here, used or not
        problems += [problem for (kind, _), entry in laid.items() for problem in entry_problems(kind, entry)]
    if problems:
        raise CatalogError(*problems)
    return Catalog(entries, overridden, digest if not overlays else None)


def catalog_files(source: Path) -> tuple[Path, dict[str, bytes]]:
    """Return a catalogue folder, and path below it (with ``/``) -> content of its YAML files.

    A single file counts as one of the folder that holds it, or that holds its kind's folder.

    Raises:
        CatalogError: if there is no such folder or file, or the folder holds no YAML file.
    """
    if source.is_file():
        folder = source.parent.parent if source.parent.name in KEY_FIELDS else source.parent
        return folder, {source.relative_to(folder).as_posix(): read_bytes(source)}
    if not source.is_dir():
        raise CatalogError(Problem("no-catalog", "not a folder, nor a file", str(source),
                                   "give a catalogue folder"))  # fmt: skip
    found = {path.relative_to(source).as_posix(): read_bytes(path) for path in sorted(source.rglob("*.yaml"))}
    if not found:
        raise CatalogError(Problem("no-catalog", "the folder holds no .yaml file", str(source),
                                   f"one folder a kind: {', '.join(KEY_FIELDS)}"))  # fmt: skip
    return source, found


def _compiled(files: Mapping[str, bytes], folder: Path) -> tuple[list[Row], str] | None:
    """Return the entries of the compiled catalogue while it matches the files."""
    path = _PACKAGE / "_data" / COMPILED
    if not path.is_file():
        return None
    return read_compiled(path.read_bytes(), files, folder.as_posix())


class RequestFile(NamedTuple):
    """A request as it stands in a file: plain data, and the text that tells the lines."""

    name: str
    text: str
    data: dict[str, Any]

    def place(self, path: str) -> str:
        """Return ``file:line`` of a JSON path such as ``fabrics[0].rate`` (its deepest part that exists)."""
        steps = tuple(step if whole(step) is None else int(step) for step in re.findall(r"[^.\[\]]+", path))
        return f"{self.name}:{strictyaml.line_of(self.text, steps)}"


def read_request(path: str | os.PathLike[str]) -> RequestFile:
    """Read the file of a request, and the file of positions that it names, beside it.

    Raises:
        ReadError: one of them cannot be read.
        RequirementError: not YAML, or not a mapping of fields, as ``file:line``.
    """
    name = str(path)
    if Path(name).suffix.casefold() not in REQUEST_SUFFIXES:
        raise RequirementError(Problem("request-suffix", "a request is read from a .yaml or .json file", name,
                                       "write the request as YAML; examples/ shows how; the command line also reads "
                                       "the workbook that 'fabricplan new' writes"))  # fmt: skip
    text = read_text(path)
    data = strictyaml.parse(text, name, RequirementError)
    if not isinstance(data, dict):
        raise RequirementError(Problem("requirement-form", "a request is a mapping of fields", f"{name}:1",
                                       "name groups and fabrics; examples/ shows how"))  # fmt: skip
    beside = data.get("positions")
    if isinstance(beside, str):
        return RequestFile(name, text, {**data, "positions": load_positions(Path(path).parent / beside)})
    return RequestFile(name, text, data)


def load_positions(path: str | os.PathLike[str]) -> tuple[Position, ...]:
    """Return the positions of a CSV or XLSX file, as they stand there; ``design`` judges them.

    Raises:
        ReadError: it cannot be read, or has no row of headings for device, rack and unit.
    """
    # the reader is loaded only where a request has positions: it brings the workbook library with it
    reader = importlib.import_module("fabricplan.readers.positions")
    return tuple(reader.read_positions(read_bytes(path), str(path)))


def load_requirement(source: str | os.PathLike[str] | Mapping[str, Any]) -> Requirement:
    """Return a request from a YAML file or from plain data.

    Raises:
        ReadError: the file cannot be read.
        RequirementError: with one problem per wrong field, as ``file:line`` or JSON path.
    """
    if not isinstance(source, (str, os.PathLike)):
        return parse_requirement(source)
    request = read_request(source)
    lengths = lengths_of(request.data, Path(source).parent)
    if lengths is not None:
        if lengths.problems:
            raise RequirementError(*lengths.problems)
        request.data["lengths"] = lengths.rows
    try:
        return parse_requirement(request.data)
    except RequirementError as caught:
        raise RequirementError(*(
            replace(problem, where=request.place(problem.where))
            for problem in caught.problems
        )) from None  # fmt: skip


def lengths_of(data: Mapping[str, Any], folder: Path) -> LengthsFile | None:
    """Return the surveyed lengths of the file that a request names, relative to the request's folder; None where it
    names none.

    Raises:
        ReadError: the file cannot be read, or is no survey.
    """
    named = data.get("lengths")
    return read_lengths(folder / named) if isinstance(named, str) and named else None


def read_lengths(path: str | os.PathLike[str]) -> LengthsFile:
    """Return the surveyed lengths of a CSV or XLSX file.

    Raises:
        ReadError: it cannot be read, or is no survey.
    """
    # few plans have a survey; openpyxl is loaded where one is read
    reader = importlib.import_module("fabricplan.readers.lengths")
    found: LengthsFile = reader.read_lengths(read_bytes(path), str(path))
    return found


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a UTF-8 file; a byte-order mark is dropped.

    Raises:
        ReadError: if it is missing, unreadable or not UTF-8.
    """
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as caught:
        line = data[: caught.start].count(b"\n") + 1
        raise ReadError(Problem("not-utf8", "the file is not UTF-8 text", f"{path}:{line}",
                                "save it as UTF-8")) from None  # fmt: skip


def read_bytes(path: str | os.PathLike[str], most: int | None = None) -> bytes:
    """Return the bytes of a file; with ``most``, one byte more than that of a longer one.

    Raises:
        ReadError: if it cannot be read.
    """
    try:
        with Path(path).open("rb") as stream:
            return stream.read() if most is None else stream.read(most + 1)
    except OSError as caught:
        raise ReadError(Problem("cannot-read", f"cannot read: {(caught.strerror or str(caught)).lower()}",
                                str(path), "check the path")) from None  # fmt: skip


def write(folder: str | os.PathLike[str], files: Mapping[str, bytes]) -> list[str]:
    """Write files into a folder, all or none, and return their paths.

    Every file is first written beside its place under a temporary name; only when all of them are on disk are
    they renamed. An interrupted run leaves the earlier files as they were.

    Raises:
        RenderError: if the folder cannot be made or a file cannot be written.
    """
    target = Path(folder)
    pending: list[tuple[str, Path]] = []
    blocked = next((path for path in (target, *target.parents) if path.exists() and not path.is_dir()), None)
    if blocked is not None:
        raise RenderError(Problem("cannot-write", "a file stands where the folder should be", str(blocked),
                                  "choose another folder with -o"))  # fmt: skip
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            final = target / name
            final.parent.mkdir(parents=True, exist_ok=True)
            try:
                handle, temporary = tempfile.mkstemp(dir=final.parent, prefix=".fabricplan-")
            except OSError as caught:
                # the folder is what cannot be written; the temporary name would tell nobody anything
                raise OSError(caught.errno, caught.strerror, str(final.parent)) from None
            pending.append((temporary, final))
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(temporary).chmod(0o644)
            if final.is_dir():
                raise IsADirectoryError(21, "a folder stands in the way", str(final))
        for temporary, final in pending:
            Path(temporary).replace(final)
    except OSError as caught:
        raise RenderError(Problem("cannot-write", f"cannot write: {(caught.strerror or str(caught)).lower()}",
                                  str(caught.filename or target),
                                  "choose another folder with -o")) from None  # fmt: skip
    finally:
        for temporary, _ in pending:
            with contextlib.suppress(OSError):
                Path(temporary).unlink(missing_ok=True)
    return [str(target / name) for name in files]
