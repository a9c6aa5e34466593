"""``labels-flag.zpl``, ``labels-wrap.zpl``: ZPL II for Zebra and compatible printers, a file for each roll.

One ``^XA ... ^XZ`` a label, in the order of the packages; a comment (``^FX``) names the package, so that a file can be
cut between packages. Flags are printed alike on both faces. Near line over far line in scalable font 0, below them id,
package with length, and part, as many of these as there is room for, and at the right the QR code. Send a file as it is
(``copy /b``, ``lp -o raw``).

Source: Zebra ZPL II Programming Guide: ``^BQ`` (model 2, error correction M, automatic input), ``^FH`` (hexadecimal
escapes), ``^CI28`` (UTF-8), ``^PW`` and ``^LL`` (dots). The advance of font 0 is taken as 0.62 of the width told, that
of a wide capital: our choice, held against a renderer of ZPL.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fabricplan.crew.labels import Label, Stock
from fabricplan.crew.stock import StockSize
from fabricplan.errors import Problem, RenderError
from fabricplan.renderers.words import metres
from fabricplan.terminal import columns

MM_PER_INCH = 25.4
MARGIN_MM, GAP_MM, QUIET_MM = 1.5, 0.5, 2.0
TALLEST_MM, NARROWEST_MM, ADVANCE = 4.0, 0.8, 0.62
"""Highest letter, least width of a letter that can be read, and the advance of a letter in parts of its width."""
SMALL = 0.75
"""Height of the lines below, in parts of that of the two lines above."""
MODULE_MM = 0.25
"""Least module of a QR code that a telephone reads: our choice; where a face has no room for it there is no code."""
_ESCAPES = str.maketrans({"_": "_5F", "^": "_5E", "~": "_7E", "\\": "_5C"})


class _Face(NamedTuple):
    """What stands where on a label, in dots."""

    letters: tuple[int, int]
    small: tuple[int, int]
    lines: tuple[int, int]
    foot: tuple[int, ...]
    module: int
    code: tuple[int, int]


def zebra_files(labels: Sequence[Label], sizes: Mapping[Stock, StockSize], dpi: int) -> dict[str, bytes]:
    """Return stock -> file.

    Raises:
        RenderError: a face that is too narrow for the lines of the plan.
    """
    found: dict[str, bytes] = {}
    for stock, size in sizes.items():
        mine = [label for label in labels if label.stock == stock]
        if mine:
            found[f"labels-{stock}.zpl"] = "".join(_labels(mine, size, dpi)).encode()
    return found


def _labels(labels: Sequence[Label], size: StockSize, dpi: int) -> Iterator[str]:
    longest = max(columns(line) for label in labels for line in (label.near, label.far))
    below = max(len(text) for label in labels for text in (label.id, _second(label), label.pn))
    modules = 21 if max(len(label.code) for label in labels) <= 14 else 25
    scale = dpi / MM_PER_INCH
    face = _face(labels[0].stock, size, scale, longest, below, modules)
    head = f"^XA^CI28^PW{round(size.width * scale)}^LL{round(size.height * scale)}^LH0,0"
    lefts = [round(left * scale) for left, _ in size.faces]
    for label in labels:
        near, far, name, second, part = (
            text.translate(_ESCAPES) for text in (label.near, label.far, label.id, _second(label), label.pn)
        )
        fields = [
            _face_fields(face, left, (near, far), (name, second, part), label.code.translate(_ESCAPES))
            for left in lefts
        ]
        yield f"{head}^FX {label.package}^FS{''.join(fields)}^XZ\n"


def _second(label: Label) -> str:
    return f"{label.package} {metres(label.length_mm)} m"


def _face(stock: str, size: StockSize, scale: float, longest: int, below: int, modules: int) -> _Face:
    """Lay out a face.

    Letters are as wide as the longest line allows, at most as high as ``TALLEST_MM``; the code takes what is left
    below the two lines, and gives way to the lines beside it.
    """
    width = min(wide for _, wide in size.faces) - 2 * MARGIN_MM
    letter = min(width / longest / ADVANCE, size.printed * 0.16, TALLEST_MM)
    if letter * ADVANCE < NARROWEST_MM * (1 - 1e-9):
        raise RenderError(Problem(
            "stock", f"{longest} characters do not fit a {stock} face of {width + 2 * MARGIN_MM:g} mm", "--stock",
            f"needed: a face of {longest * NARROWEST_MM + 2 * MARGIN_MM:.0f} mm; {stock}=WIDTHxHEIGHT"))  # fmt: skip
    pitch = letter + GAP_MM
    top = MARGIN_MM + 2 * pitch
    room = size.printed - MARGIN_MM - top
    small = min(letter * SMALL, width / below / ADVANCE)
    under = max(1, min(3, int((room + GAP_MM / 2) / (small + GAP_MM / 2))))
    beside = width - below * small * ADVANCE - QUIET_MM
    module = int(min(room - QUIET_MM, beside) * scale / modules)
    module = min(module, 10) if module >= MODULE_MM * scale else 0

    def dots(value: float) -> int:
        return round(value * scale)

    side = modules * module
    rows = (dots(MARGIN_MM), dots(MARGIN_MM + pitch))
    foot = tuple(dots(size.printed - MARGIN_MM - (under - row) * (small + GAP_MM / 2)) for row in range(under))
    corner = dots(MARGIN_MM + width) - side, dots(size.printed - MARGIN_MM) - side
    return _Face((dots(letter), dots(letter)), (dots(small), dots(small)), rows, foot, module, corner)


def _face_fields(face: _Face, left: int, lines: tuple[str, str], foot: tuple[str, str, str], code: str) -> str:
    """Return the fields of one face; ``left`` is its edge."""
    start = left + face.lines[0]
    fields = [
        f"^FO{start},{y}^A0N,{high},{wide}^FH_^FD{text}^FS"
        for text, y, (high, wide) in (
            *((text, y, face.letters) for text, y in zip(lines, face.lines, strict=True)),
            *((text, y, face.small) for text, y in zip(foot, face.foot, strict=False)),
        )
    ]
    if face.module:
        x, y = face.code
        fields.append(f"^FO{left + x},{y}^BQN,2,{face.module},M^FH_^FDMA,{code}^FS")
    return "".join(fields)
