"""Scene of a drawing: boxes, texts and lines with their places, and its SVG.

A scene is built first and written second, so that a test can ask it whether texts overlap or leave the page.
Coordinates are CSS pixels; all are rounded to one decimal when written, which keeps the bytes the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Literal, NamedTuple

FONTS = (
    "'Segoe UI', 'Helvetica Neue', Arial, 'Liberation Sans', 'Microsoft YaHei', 'PingFang SC', "
    "'Noto Sans CJK SC', 'Source Han Sans SC', sans-serif"
)
INK = "#1f2933"
FAINT = "#5f6b7a"

Layer = Literal["sheet", "pod", "frame", "box"]
"""From the back to the front: planes, pods, frames, and what stands in frames."""
BEHIND: tuple[Layer, ...] = ("sheet", "pod", "frame")
"""Layers behind the lines."""

_NARROW = frozenset("ijl.,:;|'!·I ()[]ftr-/")
_WIDE = frozenset("mwMW%@")


class Rect(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    stroke: str
    radius: float = 2
    dashed: bool = False

    @property
    def middle(self) -> float:
        """Horizontal middle."""
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return self.y + self.height


class Text(NamedTuple):
    """A line of text; ``y`` is its base line."""

    x: float
    y: float
    text: str
    size: float = 10
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    colour: str = INK

    def extent(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom by the estimated width."""
        width = text_width(self.text, self.size, self.bold)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return left, self.y - self.size * 0.8, left + width, self.y + self.size * 0.22


class Line(NamedTuple):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    colour: str
    width: float = 0.7


class Scene:
    """Collects the shapes of one drawing, layer by layer; lives inside one call of a renderer."""

    def __init__(self) -> None:
        self.width = 0.0
        self.height = 0.0
        self.texts: list[Text] = []
        self._rects: dict[Layer, list[Rect]] = {"sheet": [], "pod": [], "frame": [], "box": []}
        self._lines: list[Line] = []

    def rect(self, rect: Rect, layer: Layer = "box") -> Rect:
        """Add a rectangle, and return it."""
        self._rects[layer].append(rect)
        return rect

    def line(self, line: Line) -> None:
        """Add a line; lines lie between the frames and the boxes."""
        self._lines.append(line)

    def text(self, text: Text) -> None:
        """Add a text."""
        self.texts.append(text)

    def svg(self, title: str) -> str:
        """Return the SVG, with no reference to anything outside it."""
        w, h = _number(self.width), _number(self.height)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img" '
            f'font-family="{FONTS}">',
            f"<title>{_xml(title)}</title>",
            f'<rect width="{w}" height="{h}" fill="#ffffff"/>',
            *(part for layer in BEHIND for part in _rects(self._rects[layer])),
            *_lines(self._lines),
            *_rects(self._rects["box"]),
            *_texts(self.texts),
            "</svg>\n",
        ]
        return "\n".join(parts)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return an estimate of a text's width, on the safe side for the fonts of the stack.

    >>> round(text_width("leaf-su01-r0", 10))
    57
    """
    units = 0.0
    for char in text:
        if ord(char) >= 0x2E80:
            units += 1.0
        elif char in _NARROW:
            units += 0.36
        elif char in _WIDE:
            units += 0.88
        elif char.isupper():
            units += 0.7
        elif ord(char) > 0x2000:
            units += 1.0
        else:
            units += 0.56
    return units * size * (1.06 if bold else 1.0)


def wrap(words: Iterable[str], width: float, size: float, joint: str = " ") -> list[str]:
    """Join words to lines no wider than ``width`` (a word that is wider alone stands alone)."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]}{joint}{word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fold(text: str, width: float, size: float, bold: bool = False) -> list[str]:
    """Break a text that is too wide, at a space where there is one, else anywhere (Chinese has none).

    >>> fold("two words", 40, 10)
    ['two', 'words']
    """
    lines: list[str] = []
    while text_width(text, size, bold) > width and len(text) > 1:
        end = len(text)
        while end > 1 and text_width(text[:end], size, bold) > width:
            end -= 1
        space = text.rfind(" ", 1, end + 1)
        cut = space if space > 0 else end
        lines.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*lines, text]


def fitted(text: str, width: float, size: float, least: float, bold: bool = False) -> tuple[str, float]:
    """Return a text and the size at which it fits: smaller down to ``least``, then without what stands between its
    first letter and its end.

    >>> fitted("A03", 40, 10, 6), fitted("East-Hall-R12", 40, 10, 6)
    (('A03', 10), ('E~t-Hall-R12', 6.0))
    """
    while text_width(text, size, bold) > width and size > least:
        size = max(size - 0.5, least)
    end = text[2:]
    while text_width(text, size, bold) > width and len(end) > 1:
        end = end[1:]
        text = f"{text[0]}~{end}"
    return text, size


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _xml(text: str) -> str:
    """Escape a text for XML, and drop the control characters that XML cannot hold."""
    return escape("".join(char for char in text if char >= " " or char in "\t\n"))


def _rects(rects: Sequence[Rect]) -> list[str]:
    parts: list[str] = []
    style = None
    for rect in rects:
        mine = (rect.fill, rect.stroke, rect.dashed)
        if mine != style:
            parts += ["</g>"] if style else []
            dash = ' stroke-dasharray="4 3"' if rect.dashed else ""
            parts.append(f'<g fill="{rect.fill}" stroke="{rect.stroke}"{dash}>')
            style = mine
        parts.append(
            f'<rect x="{_number(rect.x)}" y="{_number(rect.y)}" width="{_number(rect.width)}" '
            f'height="{_number(rect.height)}" rx="{_number(rect.radius)}"/>'
        )
    return [*parts, "</g>"] if style else parts


def _lines(lines: Sequence[Line]) -> list[str]:
    found: dict[tuple[str, float], list[str]] = {}
    for line in lines:
        step = f"M{_number(line.x1)} {_number(line.y1)}L{_number(line.x2)} {_number(line.y2)}"
        found.setdefault((line.colour, line.width), []).append(step)
    return [
        f'<path d="{"".join(steps)}" fill="none" stroke="{colour}" stroke-width="{_number(width)}"/>'
        for (colour, width), steps in found.items()
    ]


def _texts(texts: Sequence[Text]) -> list[str]:
    parts: list[str] = []
    style = None
    for text in texts:
        mine = (text.size, text.anchor, text.bold, text.colour)
        if mine != style:
            parts += ["</g>"] if style else []
            weight = ' font-weight="600"' if text.bold else ""
            parts.append(
                f'<g font-size="{_number(text.size)}" text-anchor="{text.anchor}" fill="{text.colour}"{weight}>'
            )
            style = mine
        parts.append(f'<text x="{_number(text.x)}" y="{_number(text.y)}">{_xml(text.text)}</text>')
    return [*parts, "</g>"] if style else parts
