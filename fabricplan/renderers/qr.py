"""QR codes of many short texts; the one home of segno.

A QR code of a given size and mask is affine in the bits of its text: error correction is linear, all else is fixed. So
the library makes one code of zeros and one of every single bit, and the codes of thousands of texts of that length are
sums of these modulo 2. Sixteen thousand codes take a tenth of a second instead of ten; a test compares them with the
library's own. The mask is always 0, which every reader takes.

Source: ISO/IEC 18004, byte mode, error correction M, smallest version that holds the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import segno

Modules = npt.NDArray[np.uint8]
CHUNK = 7


def qr_modules(texts: Sequence[str]) -> dict[int, tuple[list[int], Modules]]:
    """Return length -> places among the texts, and their codes (texts x size x size; 1 is dark), without quiet zone.

    Raises:
        ValueError: a text that is not ASCII, or empty.
    """
    places: dict[int, list[int]] = {}
    for place, text in enumerate(texts):
        if not text or not text.isascii():
            raise ValueError(f"no QR code of {text!r}")
        places.setdefault(len(text), []).append(place)
    found = {}
    for length, held in places.items():
        data = np.frombuffer("".join(texts[place] for place in held).encode(), np.uint8).reshape(-1, length)
        zero = _code(bytes(length))
        steps = np.array([
            _code((1 << bit).to_bytes(length, "big")) ^ zero for bit in reversed(range(8 * length))
        ], np.float32)  # fmt: skip
        sums = np.unpackbits(data, axis=1).astype(np.float32) @ steps.reshape(8 * length, -1)
        found[length] = held, (sums.astype(np.int64) & 1).astype(np.uint8).reshape(-1, *zero.shape) ^ zero
    return found


def _code(data: bytes) -> Modules:
    made = segno.make_qr(data, mode="byte", error="m", mask=0, boost_error=False)
    return np.array(made.matrix, np.uint8)


class Drawing(NamedTuple):
    """QR codes as SVG: ``shared`` (size -> path of what all codes of that size have dark), and for every text its size
    and the path of the rest; lines of width 1, module by module, from the upper left."""

    shared: dict[int, str]
    codes: list[tuple[int, str]]


def qr_drawing(texts: Sequence[str]) -> Drawing:
    """Return the codes of texts as paths of horizontal lines."""
    codes: list[tuple[int, str]] = [(0, "")] * len(texts)
    shared: dict[int, str] = {}
    made = qr_modules(texts)
    for size in {modules.shape[1] for _, modules in made.values()}:
        same = [modules for _, modules in made.values() if modules.shape[1] == size]
        dark = np.bitwise_and.reduce([np.bitwise_and.reduce(modules, axis=0) for modules in same])
        shared[size] = _paths(dark[None])[0]
        for held, modules in made.values():
            if modules.shape[1] == size:
                for place, path in zip(held, _paths(modules & ~dark), strict=True):
                    codes[place] = size, path
    return Drawing(shared, codes)


def _paths(modules: Modules) -> list[str]:
    """Return the path of every code: its lines, cut every seven modules, from tables of all that seven can be."""
    count, size, _ = modules.shape
    width = -(-size // CHUNK)
    padded = np.zeros((count, size, width * CHUNK), np.uint8)
    padded[:, :, :size] = modules
    words = padded.reshape(count, size, width, CHUNK) @ (1 << np.arange(CHUNK)[::-1])
    pieces = []
    for row, part in zip(*np.nonzero(words.any(axis=0)), strict=True):
        table = np.array([_lines(word, row, part * CHUNK) for word in range(1 << CHUNK)], object)
        pieces.append(table[words[:, row, part]].tolist())
    return ["".join(held) for held in zip(*pieces, strict=True)] if pieces else [""] * count


def _lines(word: int, row: int, left: int) -> str:
    """Return the lines of seven modules of a row.

    >>> _lines(0b1100001, 2, 7)
    'M7 2h2M13 2h1'
    """
    bits = f"{word:0{CHUNK}b}"
    found, at = [], 0
    while (start := bits.find("1", at)) >= 0:
        at = end if (end := bits.find("0", start)) >= 0 else CHUNK
        found.append(f"M{left + start} {row}h{at - start}")
    return "".join(found)
