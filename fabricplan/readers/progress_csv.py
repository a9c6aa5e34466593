"""The filled-in ``progress.csv`` of a crew pack, as a spreadsheet saved it: comma, semicolon or tab; UTF-8, UTF-16 or
the GB18030 of Chinese Excel; columns in any order, English or Chinese. Columns that tell the ends of a
piece (labels, or rack, unit, device and port) are read too, so that the rows of another plan are not taken for ours."""

from __future__ import annotations

from fabricplan.crew.progress import END_FIELDS, Mark
from fabricplan.errors import Problem, ReadError
from fabricplan.readers.csvtext import read_rows
from fabricplan.wording.crews import crew_text


def read_progress(data: bytes, name: str) -> list[Mark]:
    """Return the rows of a checklist.

    Raises:
        ReadError: not text, not a table, or without a column of ids or of marks.
    """
    marks: list[Mark] = []
    columns: tuple[int, int] | None = None
    ends: dict[str, int] = {}
    for line, cells in read_rows(data, name, ReadError, _is_heading):
        row = [cell.strip().removeprefix("'") for cell in cells]
        if not any(row):
            continue
        if columns is None:
            columns, ends = _columns(row, name, line), _ends(row)
            continue
        key, mark = (row[at] if at < len(row) else "" for at in columns)
        told = tuple((field, row[at]) for field, at in ends.items() if at < len(row) and row[at])
        marks.append(Mark(line, key.upper(), mark, told))
    if columns is None:
        raise ReadError(Problem("empty-file", "the file is empty", name, "give the progress.csv of a crew pack"))
    return marks


def _columns(row: list[str], name: str, line: int) -> tuple[int, int]:
    """Return where ids and marks stand in the row of headings."""
    words = [cell.casefold() for cell in row]
    found = []
    for key in ("head_id", "head_done"):
        wanted = {crew_text(key, lang).casefold() for lang in ("en", "zh")}
        at = next((number for number, word in enumerate(words) if word in wanted), None)
        if at is None:
            raise ReadError(Problem("no-column", f"no column '{crew_text(key, 'en')}' ({crew_text(key, 'zh')})",
                                    f"{name}:{line}", "keep the headings of the crew pack's progress.csv"))  # fmt: skip
        found.append(at)
    return found[0], found[1]


def _ends(row: list[str]) -> dict[str, int]:
    """Return field of an end -> column, for those that the row of headings has."""
    words = [cell.casefold() for cell in row]
    fields = {crew_text(f"head_{field}", lang).casefold(): field for field in END_FIELDS for lang in ("en", "zh")}
    return {fields[word]: at for at, word in enumerate(words) if word in fields}


def _is_heading(cell: str) -> bool:
    return cell.strip().casefold() in {
        crew_text(key, lang).casefold() for key in ("head_id", "head_done") for lang in ("en", "zh")
    }
