"""Discoveries of running fabrics: the format is told by the content, never by the file's name; gzip is unpacked."""

from __future__ import annotations

import gzip
import hashlib
import importlib
import io
import re
import zlib
from collections.abc import Sequence

from fabricplan.asbuilt.chips import folded
from fabricplan.asbuilt.found import Found, joined
from fabricplan.errors import Problem, ReadError

BYTES_MAX = 1 << 29
"""A larger file is no discovery: 131,072 GPUs take some 150 MB."""
_LONGEST = 20_000
_SIGNS = (
    ("ibnetdiscover", re.compile(r"(Switch|Ca|Hca|Rt)\s*\d+\s*\"|(vendid|devid|sysimgguid)=0x|# Topology file")),
    ("iblinkinfo", re.compile(r"(Switch|CA|RT)\s*:\s|\s*(0x\w+\s+)?(\".*\"\s+)?\d+\s+\d+\[.*?\]\s*==\(")),
    ("net_dump", re.compile(r'".*"\s*,\s*[^,]*,\s*0x[0-9a-fA-F]+\s*,\s*LID')),
    ("subnet_lst", re.compile(r"\{\s*(SW|CA|RT)[-\w]*\s+Ports:")),
)
_FORMATS = "ibnetdiscover, iblinkinfo, ibdiagnet2.net_dump, ibdiagnet2.lst, lldpctl -f json"


def read_found(data: bytes, name: str) -> Found:
    """Return the fabric of a discovery file.

    Args:
        data: what the file holds.
        name: its name; places of problems begin with it.

    Raises:
        ReadError: empty, binary, too large, of no known format, cut off or contradicting itself; with its line.
    """
    sha256 = hashlib.sha256(data).hexdigest()
    text = _decoded(data, name)
    found: Found = importlib.import_module(f"fabricplan.readers.{_format(text, name)}").read(text, name, sha256)
    return folded(found)


def read_all(files: Sequence[tuple[bytes, str]]) -> Found:
    """Return several files as one found value: planes, fabrics, or one device's neighbours each.

    Raises:
        ReadError: any of them cannot be read, LLDP is mixed with InfiniBand, or two tell the same switch.
    """
    parts = [read_found(data, name) for data, name in files]
    if len(parts) > 1 and all(part.sources[0].format == "lldp" for part in parts):
        return _neighbours(files, parts)
    if any(part.sources[0].format == "lldp" for part in parts) and len({p.sources[0].format for p in parts}) > 1:
        raise ReadError(Problem("mixed-formats", "LLDP and InfiniBand discoveries are of different fabrics",
                                parts[0].sources[0].name, "verify one fabric at a time"))  # fmt: skip
    return joined(parts)


def _neighbours(files: Sequence[tuple[bytes, str]], parts: Sequence[Found]) -> Found:
    """Join the neighbours of several switches: the same link is told by both ends' files."""
    lldp = importlib.import_module("fabricplan.readers.lldp")
    seen = [(_decoded(data, name), name) for data, name in files]
    found: Found = lldp.read_several(seen, tuple(part.sources[0] for part in parts))
    return found


def _decoded(data: bytes, name: str) -> str:
    if not data.strip():
        raise ReadError(Problem("empty-file", "the file is empty", name, f"give the output of {_FORMATS}"))
    if data.startswith(b"\x1f\x8b"):
        data = _unpacked(data, name)
    if len(data) > BYTES_MAX:
        raise ReadError(Problem("too-large", f"{len(data):,} bytes are more than any discovery has", name,
                                f"give the output of {_FORMATS}"))  # fmt: skip
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        # what PowerShell writes when output is redirected
        text = data.decode("utf-16", "replace")
    else:
        text = data.decode("utf-8-sig", "replace")
    zero = text.find("\0")
    if zero >= 0:
        raise ReadError(Problem("binary", "binary data, not text", f"{name}:{text.count(chr(10), 0, zero) + 1}",
                                f"give the text output of {_FORMATS}"))  # fmt: skip
    return text


def _unpacked(data: bytes, name: str) -> bytes:
    """Return what a gzip file holds, one byte more than allowed at most."""
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            return stream.read(BYTES_MAX + 1)
    except (OSError, EOFError, zlib.error):
        raise ReadError(Problem("truncated", "the gzip file is cut off or damaged", name,
                                f"give the text output of {_FORMATS}")) from None  # fmt: skip


def _format(text: str, name: str) -> str:
    """Return the reader of the first line that tells a format."""
    if text.lstrip()[:1] in ("{", "[") and not _SIGNS[-1][1].match(text.lstrip()):
        if '"fabricplan/' in text[:400]:
            raise ReadError(Problem("not-a-discovery", "this is a document of fabricplan, not a discovery", name,
                                    f"give the output of {_FORMATS}"))  # fmt: skip
        if not text.lstrip().startswith("[1]"):
            return "lldp"
    for number, line in enumerate(text.split("\n", 2000)[:2000], start=1):
        if len(line) > _LONGEST:
            raise ReadError(Problem("binary", f"a line of {len(line):,} characters is no line of a discovery",
                                    f"{name}:{number}", f"give the output of {_FORMATS}"))  # fmt: skip
        for format, sign in _SIGNS:
            if sign.match(line):
                return format
    raise ReadError(Problem("unknown-discovery", "not a discovery of a known format", f"{name}:1",
                            f"give the output of {_FORMATS}"))  # fmt: skip
