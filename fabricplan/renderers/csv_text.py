"""CSV that a spreadsheet opens as it was written: UTF-8 with a byte-order mark, CRLF (RFC 4180), and no text that
becomes a formula or a date."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from io import BytesIO
from itertools import islice

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_SEPARATOR = re.compile(r'[,"\r\n]')
BLOCK_LINES = 16_384
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}([-/.]\d{1,4})?|\d+[eE]\d+|0\d+")


def quoted(value: str | int | float | None) -> str:
    """Return a cell as it stands in the file.

    Text that a spreadsheet would take for a formula, a date or a number gets an apostrophe in front.

    >>> [quoted(value) for value in (None, 5, "a,b", "=1+1", "1/1", "IB1/1/1", "12")]
    ['', '5', '"a,b"', "'=1+1", "'1/1", 'IB1/1/1', '12']
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return f"{value:g}" if isinstance(value, float) else str(value)
    text = f"'{value}" if value.startswith(_FORMULA) or _DATE.fullmatch(value) else value
    if _SEPARATOR.search(text):
        return '"' + text.replace('"', '""') + '"'
    return text


def csv_bytes(headings: Sequence[str], columns: Iterable[Sequence[str]]) -> bytes:
    """Return the file of columns whose cells are already quoted.

    Lines are joined and encoded in blocks, so that the text of a large file never stands in memory beside its bytes.
    """
    lines = map(",".join, zip(*columns, strict=True))
    file = BytesIO()
    file.write("\ufeff".encode() + ",".join(map(quoted, headings)).encode())
    while block := list(islice(lines, BLOCK_LINES)):
        file.write("\r\n".join(("", *block)).encode())
    file.write(b"\r\n")
    return file.getvalue()
