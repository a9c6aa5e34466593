"""The only place that reads from disk or writes to it.

Catalogue and templates come from the package's data folder; in a checkout, from the folders beside the
package. Files are written under a temporary name and renamed, so that a failed run leaves earlier files whole.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fabricplan import strictyaml
from fabricplan.catalog import KINDS, Catalog, RawEntry
from fabricplan.errors import CatalogError, Problem, ReadError, RenderError

_PACKAGE = Path(__file__).resolve().parent


def data_folder(name: str) -> Path:
    """Return the folder of shipped data (``catalog`` or ``templates``): the wheel's, else the checkout's."""
    shipped = _PACKAGE / "_data" / name
    return shipped if shipped.is_dir() else _PACKAGE.parent / name


def load_catalog(*overlays: str | os.PathLike[str]) -> Catalog:
    """Read the shipped catalogue, then lay company folders over it.

    A later folder wins; an entry of an overlay replaces the shipped entry of the same kind and key whole.

    Args:
        overlays: folders of the same shape as ``catalog/``; each file may also stand at the top and name its
            kind by its folder.

    Returns:
        The catalogue. ``catalog.overridden`` names the entries that an overlay replaced.

    Raises:
        CatalogError: with every problem found, each as ``file:line``.
    """
    entries: dict[str, dict[str, RawEntry]] = {kind: {} for kind in KINDS}
    overridden: list[str] = []
    problems: list[Problem] = []
    folders = [data_folder("catalog"), *(Path(folder) for folder in overlays)]
    for number, folder in enumerate(folders):
        if not folder.is_dir():
            raise CatalogError(Problem("no-catalog", "not a folder", str(folder), "give a catalogue folder"))
        found = _compiled(folder) if number == 0 else None
        for kind, key, entry in found if found is not None else _read_folder(folder, problems):
            if key in entries[kind]:
                if number == 0 or entries[kind][key].where.startswith(str(folder)):
                    problems.append(Problem("duplicate-entry", f"{kind} '{key}' stands twice", entry.where,
                                            f"first at {entries[kind][key].where}"))  # fmt: skip
                else:
                    overridden.append(f"{kind}/{key}")
            entries[kind][key] = entry
    if problems:
        raise CatalogError(*problems)
    return Catalog(entries, tuple(overridden))


def catalog_files(folder: Path) -> list[tuple[str, Path]]:
    """Return (kind, file) of all YAML files of a catalogue folder, in name order."""
    found = []
    for path in sorted(folder.rglob("*.yaml")):
        inner = path.relative_to(folder)
        kind = inner.parts[0] if len(inner.parts) > 1 else inner.stem
        found.append((kind, path))
    return found


def _read_folder(folder: Path, problems: list[Problem]) -> Iterable[tuple[str, str, RawEntry]]:
    rows: list[tuple[str, str, RawEntry]] = []
    for kind, path in catalog_files(folder):
        if kind not in KINDS:
            problems.append(Problem("unknown-kind", f"'{kind}' is no kind of entry", str(path),
                                    f"folders: {', '.join(KINDS)}"))  # fmt: skip
            continue
        text = read_text(path)
        data = strictyaml.parse(text, str(path), CatalogError)
        if not isinstance(data, list):
            problems.append(Problem("not-a-list", "a catalogue file is a list of entries", f"{path}:1"))
            continue
        for index, item in enumerate(data):
            where = f"{path}:{strictyaml.line_of(text, (index,))}"
            key_field = KINDS[kind].key
            if not isinstance(item, dict) or not isinstance(item.get(key_field), str):
                problems.append(Problem("no-key", f"an entry of {kind} needs '{key_field}'", where))
                continue
            key = str(item[key_field])
            if kind == "refusals":
                key = f"{item[key_field]}|{item.get('b')}"
            rows.append((kind, key, RawEntry(item, where)))
    return rows


def compile_catalog(folder: Path) -> dict[str, Any]:
    """Return the compiled form of a catalogue folder: its entries, and the hash of every file."""
    problems: list[Problem] = []
    rows = list(_read_folder(folder, problems))
    if problems:
        raise CatalogError(*problems)
    return {
        "files": {str(path.relative_to(folder)): _sha256(path) for _, path in catalog_files(folder)},
        "entries": [[kind, key, entry.data, os.path.relpath(entry.where, folder)] for kind, key, entry in rows],
    }


def _compiled(folder: Path) -> list[tuple[str, str, RawEntry]] | None:
    """Return the compiled entries if every file still has the hash that was compiled, else None."""
    path = _PACKAGE / "_data" / "compiled.json"
    try:
        compiled = json.loads(path.read_bytes())
        fresh = {str(file.relative_to(folder)): _sha256(file) for _, file in catalog_files(folder)}
        if compiled["files"] != fresh:
            return None
        return [
            (kind, key, RawEntry(data, str(folder / where))) for kind, key, data, where in compiled["entries"]
        ]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


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


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a file.

    Raises:
        ReadError: if it cannot be read.
    """
    try:
        return Path(path).read_bytes()
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
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            final = target / name
            final.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=final.parent, prefix=".fabricplan-")
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
                                  str(caught.filename or target), "choose another folder with -o")) from None  # fmt: skip
    finally:
        for temporary, _ in pending:
            with contextlib.suppress(OSError):
                Path(temporary).unlink(missing_ok=True)
    return [str(target / name) for name in files]
