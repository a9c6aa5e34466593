"""cables.csv: the cable schedule, one row a cable (a splitter: one row a tail), with every column that there is.

UTF-8 with byte-order mark. A is the lower end (node, leaf), Z the upper. ``label A`` and ``label Z`` are the two
lines of the label: at the A end A over Z, at the Z end Z over A. Lengths are in metres; ``required`` is the route
with slack, ``length`` the ordered one, ``slack`` what is left over.

On demand other columns, in any order, and a row for each end (``columns``, ``both_directions`` of the options).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fabricplan.errors import Problem, RenderError, nearest
from fabricplan.plan import Plan
from fabricplan.renderers.csv_text import csv_bytes, quoted
from fabricplan.renderers.options import Options
from fabricplan.renderers.words import heading, metres, word
from fabricplan.schedule import Cell, Coded, cable_table, columns
from fabricplan.schedule.extra import EXTRA, both_ways

HEADINGS: Mapping[str, str] = {
    "id": "id", "tail": "tail", "fabric": "network", "role": "role", "plane": "plane",
    "a_device": "a_device", "a_rack": "a_rack", "a_u": "a_u", "a_port": "a_port", "a_number": "a_ib_port",
    "a_cage": "a_cage", "a_module": "a_module", "a_module_opn": "a_module_opn",
    "z_device": "z_device", "z_rack": "z_rack", "z_u": "z_u", "z_port": "z_port", "z_number": "z_ib_port",
    "z_cage": "z_cage", "z_module": "z_module", "z_module_opn": "z_module_opn",
    "pn": "cable_model", "opn": "cable_opn", "family": "family", "length_mm": "length_m",
    "required_mm": "required_m", "slack_mm": "slack_m", "source": "length_source", "rail": "rail", "bundle": "bundle",
    "polarity": "polarity", "polish": "polish", "label_a": "label_a", "label_z": "label_z",
}  # fmt: skip
"""Column of the schedule -> key of its heading, in the order of the file."""
LENGTHS = {"length_mm": "length_m", "required_mm": "required_m", "slack_mm": "slack_m", "a_number": "a_ib_port",
           "z_number": "z_ib_port", "source": "length_source"}  # fmt: skip
"""Columns that are asked for by the name of their heading, which has the unit of the file."""
NAMES: Mapping[str, str] = {
    **{LENGTHS.get(name, name): name for name in HEADINGS}, **{name: name for name in EXTRA},
}  # fmt: skip
"""Name by which a column is asked for -> column."""


def chosen_columns(words: Sequence[str]) -> list[str]:
    """Return the columns that words name; none: all of the file.

    Raises:
        RenderError: a word that names no column, or one named twice.
    """
    found = []
    for text in words:
        name = NAMES.get(text.strip().casefold())
        if name is None:
            hint = nearest(text, NAMES)
            if not hint.startswith("did you"):
                hint = f"columns: {', '.join(NAMES)}"
            raise RenderError(Problem("no-column", f"cables.csv has no column '{text}'", "--columns", hint))
        if name in found:
            raise RenderError(Problem("twice", f"column '{text}' is named twice", "--columns", "name each once"))
        found.append(name)
    return found or list(HEADINGS)


def render(document: Plan, lang: str = "en", options: Options | None = None) -> dict[str, bytes]:
    """Return ``cables.csv``."""
    table = cable_table(document)
    held = columns(table)
    wanted, both = list(HEADINGS), False
    if options is not None:
        wanted, both = chosen_columns(options.columns), options.both_directions
        held |= {name: column(document, table) for name, column in EXTRA.items()}
        if both:
            if not options.columns:
                wanted.insert(wanted.index("tail") + 1, "end")
            held = both_ways(held, wanted)
    forms: Mapping[str, Callable[[Cell], str]] = {
        "length_mm": _metres, "required_mm": _metres, "slack_mm": _metres,
        **{name: _worded(lang) for name in ("role", "source", "a_kind", "z_kind", "a_side", "z_side", "medium")},
        # made by the schedule from letters, digits and / + . - : nothing to quote
        "id": str, "label_a": str, "label_z": str,
    }  # fmt: skip
    blocks: list[Coded] = []
    for name in wanted:
        form, column = forms.get(name, quoted), held[name]
        texts = tuple(map(form, column.values))
        if blocks and blocks[-1].codes is column.codes:
            # facts of one thing are joined once per thing, not once per row
            texts = tuple(map(",".join, zip(map(str, blocks.pop().values), texts, strict=True)))
        blocks.append(Coded(texts, column.codes))
    headings = [_heading(name, both, lang) for name in wanted]
    return {"cables.csv": csv_bytes(headings, [block.cells() for block in blocks])}


def _heading(name: str, both: bool, lang: str) -> str:
    """Return a column's heading; of rows seen from either end it speaks of this end and the far one."""
    text = heading(HEADINGS.get(name, name), lang)
    side = {"a_": ("side_a", "side_near"), "z_": ("side_z", "side_far")}.get(name[:2])
    if both and name in ("label_a", "label_z"):
        return heading("label_near" if name == "label_a" else "label_far", lang)
    if both and side is not None:
        mine, other = (word(key, lang) for key in side)
        return other[:1].upper() + other[1:] + text.removeprefix(mine)
    return text


def _worded(lang: str) -> Callable[[Cell], str]:
    return lambda cell: "" if cell is None else quoted(word(str(cell), lang))


def _metres(cell: Cell) -> str:
    return quoted(metres(cell if isinstance(cell, int) else None))
