"""The filled-in ``progress.csv`` of a crew pack, as a spreadsheet saved it: comma, semicolon or tab; UTF-8, UTF-16 or
the GB18030 of Chinese Excel; columns in any order, English or Chinese."""

from __future__ import annotations

import csv
import io

from fabricplan.crew.progress import Mark
from fabricplan.errors import Problem, ReadError
from fabricplan.wording.crews import crew_text

SEPARATORS = ",;\t"


def read_progress(data: bytes, name: str) -> list[Mark]:
    """Return the rows of a checklist.

    Raises:
        ReadError: not text, not a table, or without a column of ids or of marks.
    """
    text = _text(data, name)
    head = text.lstrip("\r\n").partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(SEPARATORS, key=head.count))
    marks: list[Mark] = []
    columns: tuple[int, int] | None = None
    try:
        for cells in reader:
            row = [cell.strip().removeprefix("'") for cell in cells]
            if not any(row):
                continue
            if columns is None:
                columns = _columns(row, name, reader.line_num)
                continue
            key, mark = (row[at] if at < len(row) else "" for at in columns)
            marks.append(Mark(reader.line_num, key.upper(), mark))
    except csv.Error as caught:
        raise ReadError(Problem("csv-syntax", f"not valid CSV: {caught}", f"{name}:{reader.line_num}")) from None
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


def _text(data: bytes, name: str) -> str:
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ReadError(Problem("not-text", "the file is neither UTF-8 nor GB18030 text", name, "save it as CSV UTF-8"))
