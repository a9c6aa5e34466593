"""One fabric of the drawing: rows of frames, fans of links between them, labels beside and on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fabricplan.renderers.diagram_frames import Bundle, Frame, Panel, Plane
from fabricplan.renderers.diagram_words import Words
from fabricplan.renderers.layout import FAINT, INK, Line, Rect, Scene, Text, fold, text_width
from fabricplan.topology import CORE, LEAF, LEAF_SPINE, NODE_LEAF, SPINE, SPINE_CORE

MARGIN, LEFT = 24, 132
NAME, SMALL, TITLE = 9.5, 10, 10.5
BOX_HEIGHT, BOX_GAP = 16, 4
PAD, POD_PAD, HEAD, RANGE = 6, 6, 20, 13
FAN_GAP, NEAR_GAP, BETWEEN = 100, 50, 12
"""Height of a row of fanned bundles and of straight ones; space between columns."""
NAMED_ROWS, NAMED_ROWS_CORE, SQUARES_LARGE, SQUARES_MAX, NODE_MARKS_MAX = 8, 4, 36, 160, 72
MESH_MAX, BUNDLES_MAX = 200, 24
"""Most lines drawn switch to switch, and most bundles drawn with a line per column of switches."""

FILLS = ("#eef1f5", "#e3f2e1", "#dcecf6", "#e9e3f5")
STROKES = ("#7b8794", "#4f8a4a", "#2f7ba6", "#6f56a8")
FANS = ("#b4bdc7", "#93bfdb", "#bcaedd")
RESERVED = "#e08a00"
PAPER, GROUND, EDGE = "#ffffff", "#f7f9fb", "#cbd2d9"


class Cell(NamedTuple):
    """A frame and the horizontal space that it has."""

    number: int
    x: float
    width: float


class PanelDrawing:
    """Draws one fabric; lives inside one call of ``diagram_svg.scene``."""

    def __init__(self, drawing: Scene, panel: Panel, words: Words, width: float, titled: bool) -> None:
        self.drawing, self.panel, self.words, self.width, self.titled = drawing, panel, words, width, titled
        self.left = float(MARGIN + LEFT)
        self.three = panel.sizing.shape.tiers == 3
        self.framed = panel.sizing.planes > 1
        pad = 10 if self.framed else 0
        self.rooms = [(x + pad, each - 2 * pad) for x, each in _share(self.left, width, len(panel.planes), 16)]
        self.places: dict[int, Rect] = {}
        self.anchors: dict[int, list[float]] = {}

    def draw(self, y: float) -> float:
        """Draw from ``y`` downward; return the lower edge."""
        panel = self.panel
        if self.titled:
            for line in fold(self.words.fabric_title(panel.sizing), LEFT + self.width, 14, bold=True):
                y += 16
                self.drawing.text(Text(MARGIN, y, line, 14, bold=True))
            y += 14
        top = y
        y += 26 if self.framed else 0
        if panel.planes[0].cores:
            y = self._tier(CORE, y, [self._cells(room, plane.cores, 8) for room, plane in self._planes()])
            y = self._gap(SPINE_CORE, y, FAN_GAP)
        y = self._pods(y) if self.three else self._whole(y)
        if self.framed:
            y += 10
            self._plane_frames(top, y)
        y = self._gap(NODE_LEAF, y, NEAR_GAP if panel.aligned else FAN_GAP)
        y = self._nodes(y)
        self._bundles()
        return y

    def _planes(self) -> list[tuple[tuple[float, float], Plane]]:
        return list(zip(self.rooms, self.panel.planes, strict=True))

    def _cells(self, room: tuple[float, float], numbers: Sequence[int], gap: float, pad: float = 0) -> list[Cell]:
        shares = _share(*room, len(numbers), gap)
        return [Cell(number, x + pad, each - 2 * pad) for number, (x, each) in zip(numbers, shares, strict=True)]

    def _whole(self, y: float) -> float:
        """Draw the spines above the leaf columns (two tiers), or the one switch."""
        if self.panel.planes[0].spines:
            y = self._tier(SPINE, y, [self._cells(room, plane.spines, 0) for room, plane in self._planes()])
            y = self._gap(LEAF_SPINE, y, FAN_GAP)
        return self._tier(LEAF, y, [self._cells(room, plane.leaves, BETWEEN) for room, plane in self._planes()])

    def _pods(self, y: float) -> float:
        """Draw pods: spines over leaves within a frame (three tiers)."""
        top = y
        spines = [self._cells(room, plane.spines, BETWEEN, POD_PAD) for room, plane in self._planes()]
        leaves = [self._cells(room, plane.leaves, BETWEEN, POD_PAD) for room, plane in self._planes()]
        y = self._gap(LEAF_SPINE, self._tier(SPINE, y + HEAD + 4, spines), NEAR_GAP)
        y = self._tier(LEAF, y, leaves) + POD_PAD
        for above, below in zip(spines, leaves, strict=True):
            for spine, leaf in zip(above, below, strict=True):
                frames = self.panel.frames[spine.number], self.panel.frames[leaf.number]
                x, width = spine.x - POD_PAD, spine.width + 2 * POD_PAD
                self.drawing.rect(Rect(x, top, width, y - top, GROUND, EDGE, 4, frames[0].more), "pod")
                title = self.words.pod(*frames, self.panel.sizing)
                self.drawing.text(Text(x + width / 2, top + 16, title, TITLE, "middle", bold=True))
        return y

    def _tier(self, tier: int, y: float, rooms: Sequence[Sequence[Cell]]) -> float:
        """Draw the frames of a tier; return their lower edge."""
        frames = self.panel.frames
        cells = [cell for room in rooms for cell in room]
        shown = [cell for cell in cells if not frames[cell.number].more]
        named = all(_names_fit(frames[cell.number], cell.width - 2 * PAD) for cell in shown)
        height = max(HEAD + PAD + _body(frames[cell.number], cell.width - 2 * PAD, named) for cell in cells)
        for cell in cells:
            frame = frames[cell.number]
            rect = Rect(cell.x, y, cell.width, height, PAPER, STROKES[tier], 4, frame.more)
            self.places[cell.number] = self.drawing.rect(rect, "frame")
            title = _fitting(self.words.titles(frame, self.panel.sizing), cell.width - 6, TITLE)
            self.drawing.text(Text(rect.middle, y + 14, title, TITLE, "middle", bold=True, colour=INK))
            self._switches(frame, cell, y + HEAD, named and not frame.more)
        self._aside(y + height / 2, self.words.tier(tier), self.words.models(self.panel.sizing, tier), STROKES[tier])
        return y + height

    def _switches(self, frame: Frame, cell: Cell, y: float, named: bool) -> None:
        """Draw the switches of a frame: boxes with names, or squares with the range of names."""
        inner, tier = cell.width - 2 * PAD, frame.tier
        columns, rows = _grid(frame, inner, named)
        wide, tall, gap = _mark(frame, named)
        if named:
            wide = min((inner + gap) / columns - gap, wide * 1.5)
        x0 = cell.x + cell.width / 2 - (columns * (wide + gap) - gap) / 2
        self.anchors[cell.number] = [x0 + column * (wide + gap) + wide / 2 for column in range(columns)]
        if columns < 3 < frame.size:
            # a narrow stack of switches: lines from one point would hide that there are many
            self.anchors[cell.number] = [cell.x + cell.width * (0.2 + 0.2 * step) for step in range(4)]
        if not named and _solid(frame):
            self.drawing.rect(Rect(cell.x + PAD, y, inner, 26, FILLS[tier], STROKES[tier]))
            self.drawing.text(Text(cell.x + cell.width / 2, y + 17, f"{frame.size:,}", 11, "middle", bold=True))
            y += 26
        else:
            for place in range(frame.size):
                x, top = x0 + place % columns * (wide + gap), y + place // columns * (tall + gap)
                self.drawing.rect(Rect(x, top, wide, tall, FILLS[tier], STROKES[tier]))
                if frame.reserved and frame.reserved[place]:
                    self.drawing.rect(Rect(x + wide - 5, top, 5, 5, RESERVED, RESERVED, 0))
                if named:
                    self.drawing.text(Text(x + wide / 2, top + 11.5, frame.names[place], NAME, "middle"))
            y += rows * (tall + gap) - gap
        if not named:
            self._range(frame, cell.x + cell.width / 2, y + RANGE, inner)

    def _range(self, frame: Frame, middle: float, y: float, inner: float) -> None:
        for number, line in enumerate(_range_lines(frame, inner)):
            self.drawing.text(Text(middle, y + number * RANGE, line, NAME, "middle", colour=FAINT))

    def _nodes(self, y: float) -> float:
        """Draw the nodes, under their columns or in a row of their own; return the lower edge."""
        panel, room = self.panel, (self.left, self.width)
        held = 140 if panel.reserved_count and not panel.aligned else 0
        if panel.aligned:
            plane, pad = panel.planes[0], POD_PAD if self.three else 0
            cells = self._cells(self.rooms[0], plane.nodes, BETWEEN, pad)
        else:
            cells = self._cells((room[0], room[1] - held), panel.shared_nodes, 6)
        height = 0.0
        for cell in cells:
            height = max(height, self._node_height(panel.frames[cell.number], cell.width - 2 * PAD))
        for cell in cells:
            self._node_frame(cell, y, height)
        self._aside(y + height / 2, self.words.tier(0), self.words.platforms(panel.sizing), STROKES[0])
        if held:
            height = max(height, self._reserved(room[0] + room[1] - held + 8, y, held - 8))
        elif panel.reserved_count:
            height += 10 + self._reserved(self.left + self.width - 260, y + height + 10, 260)
        return y + height

    def _node_height(self, frame: Frame, inner: float) -> float:
        marks = _node_marks(frame, inner)
        heads = len(self._node_titles(frame, inner))
        return heads * 14 + 8 + (marks[1] * 8 + 4 if marks[1] else 0) + len(_range_lines(frame, inner)) * RANGE

    def _node_titles(self, frame: Frame, inner: float) -> list[str]:
        span, count = self.words.unit_span(frame, self.panel.sizing), self.words.say("nodes", count=frame.size)
        whole = f"{span} · {count}"
        return [whole] if text_width(whole, TITLE, bold=True) <= inner + 8 else [span, count]

    def _node_frame(self, cell: Cell, y: float, height: float) -> None:
        frame, inner = self.panel.frames[cell.number], cell.width - 2 * PAD
        rect = Rect(cell.x, y, cell.width, height, FILLS[0], STROKES[0], 4, frame.more)
        self.places[cell.number] = self.drawing.rect(rect, "frame")
        for line in self._node_titles(frame, inner):
            y += 14
            self.drawing.text(Text(rect.middle, y, line, TITLE, "middle", bold=True))
        columns, rows = _node_marks(frame, inner)
        x0 = rect.middle - (columns * 8 - 2) / 2
        self.anchors[cell.number] = [rect.middle + step * max(columns * 8, 40) / 8 for step in range(-3, 4, 2)]
        for place in range(frame.size if rows else 0):
            self.drawing.rect(Rect(x0 + place % columns * 8, y + 6 + place // columns * 8, 6, 6, PAPER, STROKES[0], 1))
        y += rows * 8 + 4 if rows else 0
        self._range(frame, rect.middle, y + RANGE, inner)

    def _reserved(self, x: float, y: float, width: float) -> float:
        """Draw the hosts on reserved ports; return the height."""
        count = fold(self.words.say("reserved", count=self.panel.reserved_count), width - 10, SMALL, bold=True)
        names = fold(self.words.span(self.panel.reserved_names), width - 10, SMALL)
        height = 14 * (len(count) + len(names)) + 10
        self.drawing.rect(Rect(x, y, width, height, "#fff7e8", RESERVED, 4, True), "frame")
        for number, line in enumerate([*count, *names]):
            bold = number < len(count)
            self.drawing.text(Text(x + width / 2, y + 15 + number * 14, line, SMALL, "middle", bold=bold))
        return height

    def _plane_frames(self, top: float, bottom: float) -> None:
        """Draw the frame of every plane; where one stands for all, sheets behind it."""
        alone = len(self.panel.planes) < self.panel.sizing.planes
        for (x, width), plane in self._planes():
            if alone:
                for step in (8, 4):
                    self.drawing.rect(
                        Rect(x - 10 + step, top - step, width + 20, bottom - top, PAPER, EDGE, 6), "sheet"
                    )
            self.drawing.rect(Rect(x - 10, top, width + 20, bottom - top, "#fcfdfe", EDGE, 6), "sheet")
            title = _fitting(self.words.plane(self.panel, plane.number), width, 11.5)
            self.drawing.text(Text(x + width / 2, top + 17, title, 11.5, "middle", bold=True))

    def _aside(self, middle: float, head: str, lines: Sequence[str], colour: str) -> None:
        """Write a tier's label at the left."""
        rows = [piece for line in lines for piece in fold(line, LEFT - 12, SMALL)]
        y = middle - (len(rows) * 13 + 4) / 2 + 3
        self.drawing.text(Text(MARGIN, y, head, 12, bold=True, colour=colour))
        for number, row in enumerate(rows):
            self.drawing.text(Text(MARGIN, y + 15 + number * 13, row, SMALL))

    def _gap(self, role: int, y: float, height: float) -> float:
        """Write the totals of a row of bundles at the left; return the lower edge of the row."""
        lines = self.words.links(self.panel.sizing, role)
        first = y + height / 2 - len(lines) * 13 / 2 + 9
        for number, line in enumerate(lines):
            self.drawing.text(Text(MARGIN, first + number * 13, line, SMALL, colour=FAINT))
        return y + height

    def _bundles(self) -> None:
        """Draw every bundle, and label the bundles of each frame with their sum."""
        sums: dict[tuple[int, int], tuple[int, int, int]] = {}
        for bundle in self.panel.bundles:
            self._fan(bundle)
            # nodes in a row of their own meet every pod or plane: there the upper end tells more
            at = bundle.upper if self._fans_down(bundle.role) else bundle.lower
            count, least, most = sums.get((bundle.role, at), (0, *bundle.pair))
            sums[bundle.role, at] = count + bundle.links, min(least, bundle.pair[0]), max(most, bundle.pair[1])
        for (role, at), total in sums.items():
            if role == LEAF_SPINE and self.panel.sizing.shape.direct_pair:
                continue  # the strip between the two leaves has no room for a label; the legend has the count
            self._label(self.places[at], self.words.bundle(*total), self._fans_down(role), self._near(role))

    def _fans_down(self, role: int) -> bool:
        return role == NODE_LEAF and not self.panel.aligned

    def _near(self, role: int) -> bool:
        """Both ends of the bundles stand in one column."""
        return (role == NODE_LEAF and self.panel.aligned) or (role == LEAF_SPINE and self.three)

    def _roof(self, place: Rect) -> float:
        """Upper edge of a frame, or of the pod around it."""
        return place.y - (HEAD + 4 if self.three else 0)

    def _foot(self, place: Rect) -> float:
        """Lower edge of a leaf frame, or of the pod or plane around it."""
        return place.bottom + (POD_PAD if self.three else 0) + (10 if self.framed else 0)

    def _fan(self, bundle: Bundle) -> None:
        """Draw a bundle: a strip where both ends stand in one column, else lines that spread over both ends."""
        lower, upper, colour = self.places[bundle.lower], self.places[bundle.upper], FANS[bundle.role]
        if bundle.role == LEAF_SPINE and self.panel.sizing.shape.direct_pair:
            for step in range(5):
                y = lower.y + lower.height * (0.3 + 0.1 * step)
                self.drawing.line(Line(lower.x + lower.width, y, upper.x, y, colour, 1.6))
            return
        if self._near(bundle.role):
            wide = min(lower.width, upper.width)
            for step in range(5):
                x = wide * (0.16 * step - 0.32)
                self.drawing.line(Line(lower.middle + x, lower.y, upper.middle + x, upper.bottom, colour, 1.6))
            return
        top = self._foot(upper) if bundle.role == NODE_LEAF else upper.bottom
        bottom = self._roof(lower) if bundle.role == SPINE_CORE else lower.y
        alike = sum(1 for other in self.panel.bundles if other.role == bundle.role)
        if alike > BUNDLES_MAX:
            # one line a bundle; its ends lean towards each other, so that the lines of a frame do not coincide
            lean = (upper.middle - lower.middle) / self.width
            x1, x2 = lower.middle + lean * lower.width * 0.7, upper.middle - lean * upper.width * 0.7
            self.drawing.line(Line(x1, bottom, x2, top, colour))
            return
        above, below = self.anchors[bundle.upper], self.anchors[bundle.lower]
        if alike * len(above) * len(below) > MESH_MAX:
            count = len(above)
            below = [lower.middle + ((place + 0.5) / count - 0.5) * lower.width * 0.7 for place in range(count)]
            pairs = list(zip(below, above, strict=True))
        else:
            pairs = [(low, high) for low in below for high in above]
        for low, high in pairs:
            self.drawing.line(Line(low, bottom, high, top, colour))

    def _label(self, place: Rect, lines: tuple[str, str], below: bool, near: bool) -> None:
        one = " · ".join(lines)
        rows = [one] if text_width(one, SMALL, bold=True) + 12 <= place.width else list(lines)
        width = max(text_width(row, SMALL, bold=True) for row in rows) + 10
        height = len(rows) * 13 + 4
        if below:
            y = self._foot(place) + 8
        elif near:
            y = place.y - NEAR_GAP / 2 - height / 2
        else:
            y = self._roof(place) - height - 8
        self.drawing.rect(Rect(place.middle - width / 2, y, width, height, PAPER, EDGE, 7))
        for number, row in enumerate(rows):
            self.drawing.text(Text(place.middle, y + 12.5 + number * 13, row, SMALL, "middle", bold=number == 0))


def _share(x: float, width: float, count: int, gap: float) -> list[tuple[float, float]]:
    """Return left edge and width of ``count`` equal parts."""
    each = (width - (count - 1) * gap) / count
    return [(x + place * (each + gap), each) for place in range(count)]


def _fitting(texts: Sequence[str], width: float, size: float) -> str:
    """Return the first text that fits, else the last and shortest."""
    return next((text for text in texts if text_width(text, size, bold=True) <= width), texts[-1])


def _name_width(frame: Frame) -> float:
    return max(text_width(name, NAME) for name in frame.names) + 8


def _names_fit(frame: Frame, inner: float) -> bool:
    if len(frame.names) < frame.size:
        return False
    columns = int((inner + BOX_GAP) // (_name_width(frame) + BOX_GAP))
    return columns > 0 and -(-frame.size // columns) <= (NAMED_ROWS_CORE if frame.tier == CORE else NAMED_ROWS)


def _grid(frame: Frame, inner: float, named: bool) -> tuple[int, int]:
    """Return columns and rows of a frame's switches, as even as the width allows."""
    wide, _, gap = _mark(frame, named)
    most = max(1, min(int((inner + gap) // (wide + gap)), frame.size))
    most = most if named else min(most, 16 if frame.size <= 64 else 32)
    return _even(frame.size, most)


def _mark(frame: Frame, named: bool) -> tuple[float, float, float]:
    """Return width, height and gap of what stands for one switch: a box with its name, or a square."""
    if named:
        return _name_width(frame), BOX_HEIGHT, BOX_GAP
    return (10, 10, 3) if frame.size <= SQUARES_LARGE else (6, 6, 2)


def _solid(frame: Frame) -> bool:
    """A frame is one block with a number: too many squares, or more than its neighbours need room for."""
    return frame.size > (SQUARES_LARGE if frame.more else SQUARES_MAX)


def _rows_height(frame: Frame, inner: float, named: bool) -> float:
    _, tall, gap = _mark(frame, named)
    return _grid(frame, inner, named)[1] * (tall + gap) - gap


def _even(count: int, most: int) -> tuple[int, int]:
    """Return columns and rows for ``count`` things: full rows where a divisor is near, else nearly full ones."""
    columns = next((n for n in range(most, most // 2, -1) if count % n == 0), 0)
    if not columns:
        columns = -(-count // -(-count // most))
    return columns, -(-count // columns)


def _body(frame: Frame, inner: float, named: bool) -> float:
    """Return the height of a frame's switches, and of its range of names."""
    if named and not frame.more:
        return _rows_height(frame, inner, True)
    below = len(_range_lines(frame, inner)) * RANGE + 2
    if _solid(frame):
        return 26 + below
    return _rows_height(frame, inner, False) + below


def _range_lines(frame: Frame, inner: float) -> list[str]:
    """Return the range of names; empty where not even its parts fit (the legend tells it then)."""
    first, last = frame.names[0], frame.names[-1]
    if frame.size == 1:
        return [first]
    whole, parts = f"{first} … {last}", [first, f"… {last}"]
    if text_width(whole, NAME) <= inner + 8:
        return [whole]
    return parts if text_width(parts[1], NAME) <= inner + 8 else []


def _node_marks(frame: Frame, inner: float) -> tuple[int, int]:
    """Return columns and rows of the marks that stand for single nodes; none where there are too many."""
    if frame.size > NODE_MARKS_MAX:
        return 0, 0
    columns = max(1, min(int((inner + 2) // 8), frame.size, 32))
    return _even(frame.size, columns)
