"""``serials.csv`` (serial, part, device, rack, U, GUID, end of warranty) and, where GUIDs were told, ``names.csv``: the
map that ``verify --names`` reads."""

from __future__ import annotations

import re

from fabricplan.asbuilt.receive import Receipt
from fabricplan.renderers.csv_text import csv_bytes, quoted


def render(receipt: Receipt, lang: str) -> dict[str, bytes]:
    """Return the files; the headings are the same in every language, for programs read them."""
    rows = receipt.assignments
    files = {"serials.csv": csv_bytes(
        ("serial", "part", "device", "rack", "u", "guid", "warranty_end"),
        [[quoted(row.serial) for row in rows], [quoted(row.pn) for row in rows], [quoted(row.device) for row in rows],
         [quoted(row.rack) for row in rows], [quoted(row.u) for row in rows], [quoted(row.guid) for row in rows],
         [str(row.warranty_end or "") for row in rows]],
    )}  # fmt: skip
    known = [row for row in rows if row.guid]
    if known:
        files["names.csv"] = csv_bytes(("guid", "name"), [[_guid(row.guid) for row in known],
                                                          [quoted(row.device) for row in known]])  # fmt: skip
    return files


def _guid(text: str) -> str:
    """Return a GUID as the map wants it: a bare number of 16 hexadecimal digits gets its prefix."""
    return quoted(f"0x{text}" if re.fullmatch(r"[0-9a-fA-F]{16}", text) else text)
