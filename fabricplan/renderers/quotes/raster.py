"""SVG to PNG for workbooks, by resvg. Letters come from the machine's fonts: without any, there is no picture."""

from __future__ import annotations

from functools import lru_cache

import resvg_py

_SAMPLE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="24"><text x="2" y="18" font-size="16">{}</text></svg>'
)
_NO_LETTER = "\U0010fffd"
"""A code that no font gives a letter."""


def to_png(svg: str, width: int) -> bytes:
    """Return a picture of that many pixels in width, on white."""
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, background="#ffffff"))


@lru_cache(maxsize=8)
def can_write(sample: str) -> bool:
    """Tell whether a font of this machine has the letters of a sample: a picture whose words are missing, or are the
    boxes that stand for unknown letters, is worse than none."""
    return _drawn(sample) not in (_drawn(""), _drawn(_NO_LETTER * len(sample)))


def _drawn(text: str) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_string=_SAMPLE.format(text), background="#ffffff"))
