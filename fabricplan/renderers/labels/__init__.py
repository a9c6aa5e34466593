"""``labels/``: the labels of both ends of every cable, for the printers of the trade.

``labels.html`` for office sheets (``--printer a4``), ``labels-tape.csv`` for the programs of label printers
(``tape``), ``labels-flag.zpl`` and ``labels-wrap.zpl`` for Zebra printers (``zebra``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fabricplan.crew.labels import Label, labels_of
from fabricplan.crew.packages import packages_of
from fabricplan.crew.pieces import pieces_of
from fabricplan.crew.stock import stock_sizes
from fabricplan.crew.trays import cable_kinds, diameter_mm
from fabricplan.plan import Plan
from fabricplan.renderers.crew.label_page import label_pages
from fabricplan.renderers.labels.tape import tape_file
from fabricplan.renderers.labels.zebra import zebra_files
from fabricplan.renderers.options import PRINTERS, Options
from fabricplan.schedule import cable_table

Maker = Callable[[Sequence[Label], Plan, str, Options], dict[str, bytes]]

MAKERS: Mapping[str, Maker] = {
    "a4": lambda labels, plan, lang, options: label_pages(labels, plan.name, lang),
    "tape": lambda labels, plan, lang, options: {"labels-tape.csv": tape_file(labels, lang)},
    "zebra": lambda labels, plan, lang, options: zebra_files(labels, stock_sizes(options.stock), options.dpi),
}
"""Kind of printer -> what makes its files; the kinds are those of ``PRINTERS``."""


def render(plan: Plan, lang: str, options: Options | None = None) -> dict[str, bytes]:
    """Return the files of the asked printers, of all where none is named."""
    options = options or Options()
    labels = labels_of(
        packages_of(pieces_of(plan, cable_table(plan))), [diameter_mm(kind) for kind in cable_kinds(plan)]
    )
    files: dict[str, bytes] = {}
    for printer in (options.printers or PRINTERS) if labels else ():
        files |= MAKERS[printer](labels, plan, lang, options)
    return {f"labels/{name}": data for name, data in files.items()}
