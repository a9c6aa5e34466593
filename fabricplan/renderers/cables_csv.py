"""cables.csv: the cable schedule, one row a cable (a splitter: one row a tail), with every column that there is.

UTF-8 with byte-order mark. A is the lower end (node, leaf), Z the upper. ``label A`` and ``label Z`` are the two
lines of the label: at the A end A over Z, at the Z end Z over A. Lengths are in metres; ``required`` is the route
with slack, ``length`` the ordered one, ``slack`` what is left over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fabricplan.plan import Plan
from fabricplan.renderers.csv_text import csv_bytes, quoted
from fabricplan.renderers.words import heading, metres, word
from fabricplan.schedule import Cell, Coded, cable_table, columns

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


def render(document: Plan, lang: str = "en") -> dict[str, bytes]:
    """Return ``cables.csv``."""
    held = columns(cable_table(document))
    forms: Mapping[str, Callable[[Cell], str]] = {
        "length_mm": _metres, "required_mm": _metres, "slack_mm": _metres,
        "role": lambda cell: quoted(word(str(cell), lang)),
        "source": lambda cell: quoted(word(str(cell), lang)),
        # made by the schedule from letters, digits and / + . - : nothing to quote
        "id": str, "label_a": str, "label_z": str,
    }  # fmt: skip
    blocks: list[Coded] = []
    for name in HEADINGS:
        form, column = forms.get(name, quoted), held[name]
        texts = tuple(map(form, column.values))
        if blocks and blocks[-1].codes is column.codes:
            # facts of one thing are joined once per thing, not once per row
            texts = tuple(map(",".join, zip(map(str, blocks.pop().values), texts, strict=True)))
        blocks.append(Coded(texts, column.codes))
    headings = [heading(key, lang) for key in HEADINGS.values()]
    return {"cables.csv": csv_bytes(headings, [block.cells() for block in blocks])}


def _metres(cell: Cell) -> str:
    return quoted(metres(cell if isinstance(cell, int) else None))
